//! The directed operations of the scalars.

use super::{above, below, exact, grain, most, nasty, single};
use crate::exact::Exact;
use crate::random::Random;
use crate::wide::{self, Between};
use avert::Scalar;

/// Two numbers that are apt to go wrong together.
fn pair<S: Scalar>(random: &mut Random) -> (S, S) {
    let a = nasty::<S>(random);
    let b = match random.below(8) {
        0 => a,
        1 => -a,
        2 => -(a * S::from_f64_near(1.0 + super::unit::<S>() * 2.0 * random.below(4) as f64)),
        3 => a * S::from_f64_near(super::unit::<S>() * random.within(0.0, 4.0)),
        _ => nasty(random),
    };
    if b.to_f64().is_finite() { (a, b) } else { (a, S::ONE) }
}

fn directed<S: Scalar>(
    cases: u64,
    seed: u64,
    (name, upper): (&str, bool),
    computed: fn(S, S) -> S,
    truth: fn(&Exact, &Exact) -> Exact,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let (a, b) = pair::<S>(&mut random);
        let (got, real) = (computed(a, b), truth(&exact(a), &exact(b)));
        if !(if upper { above(got, &real) } else { below(got, &real) }) {
            return Err(format!("{name}({a:?}, {b:?}) = {got:?}, truth about {}", real.to_f64()));
        }
    }
    Ok(())
}

macro_rules! directed {
    ($($law:ident $method:ident $upper:literal $operator:tt)*) => {$(
        /// Against exact arithmetic.
        pub fn $law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
            directed::<S>(cases, seed, (stringify!($method), $upper), S::$method, |a, b| a $operator b)
        }
    )*};
}

directed! {
    add_lo add_lo false +
    add_hi add_hi true +
    sub_lo sub_lo false -
    sub_hi sub_hi true -
    mul_lo mul_lo false *
    mul_hi mul_hi true *
}

/// Is `q ≤ a / b`, or `≥`?
pub(crate) fn quotient_bound<S: Scalar>(q: S, a: &Exact, b: &Exact, upper: bool) -> bool {
    let x = q.to_f64();
    if x.is_infinite() {
        return (x > 0.0) == upper;
    }
    // There is no room for it.
    if x.is_nan() && !S::FLOATING {
        return a.abs() > &most::<S>() * &b.abs();
    }
    let back = |flip: bool| {
        let product = &exact(q) * b;
        if flip { product >= *a } else { product <= *a }
    };
    !x.is_nan() && back((b.signum() < 0) != upper)
}

fn quotient<S: Scalar>(cases: u64, seed: u64, upper: bool) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let (a, b) = pair::<S>(&mut random);
        let q = if upper { a.div_hi(b) } else { a.div_lo(b) };
        let good = if b == S::ZERO { !q.to_f64().is_finite() } else { quotient_bound(q, &exact(a), &exact(b), upper) };
        // A zero divisor gives NaN or an infinity; the least finite number stands for a stepped infinity.
        let stepped = b == S::ZERO && q.abs() >= S::from_f64_near(if single::<S>() { 3.4e38 } else { 1.79e308 });
        if !good && !stepped {
            return Err(format!("{a:?} / {b:?}: {q:?}, upper {upper}"));
        }
    }
    Ok(())
}

/// Against exact products.
pub fn div_lo<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    quotient::<S>(cases, seed, false)
}

/// Against exact products.
pub fn div_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    quotient::<S>(cases, seed, true)
}

/// Against exact squares.
pub fn sqrt_lo<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let x = nasty::<S>(&mut random);
        let root = x.sqrt_lo();
        let good = root >= S::ZERO && if x <= S::ZERO { root == S::ZERO } else { below_square(root, x) };
        if !good {
            return Err(format!("sqrt_lo({x:?}) = {root:?}"));
        }
    }
    Ok(())
}

fn below_square<S: Scalar>(root: S, x: S) -> bool {
    root.to_f64().is_finite() && exact(root).square() <= exact(x)
}

/// Against exact squares.
pub fn sqrt_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let x = nasty::<S>(&mut random);
        let root = x.sqrt_hi();
        if !(root >= S::ZERO && (x <= S::ZERO || exact(root).square() >= exact(x))) {
            return Err(format!("sqrt_hi({x:?}) = {root:?}"));
        }
    }
    Ok(())
}

/// An argument for a wave: of any size, and next to its zeros and extrema.
pub(crate) fn angle<S: Scalar>(random: &mut Random) -> S {
    let turns = if S::FLOATING { 20 } else { 10 };
    match random.below(4) {
        0 => nasty(random),
        1 => S::from_f64_near(random.within(-10.0, 10.0)),
        2 => S::from_f64_near(random.below(1 << turns) as f64 * std::f64::consts::FRAC_PI_2),
        _ => S::from_f64_near(
            random.within(-4.0, 4.0).round() * std::f64::consts::FRAC_PI_2 + random.magnitude(-12.0, -3.0),
        ),
    }
}

fn enclosed<S: Scalar>(
    cases: u64,
    seed: u64,
    (name, upper, most): (&str, bool, f64),
    computed: fn(S) -> S,
    truth: fn(f64) -> Between,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let x = angle::<S>(&mut random);
        let (got, real) = (computed(x), truth(x.to_f64()));
        let good = if upper { above(got, &real.1) } else { below(got, &real.0) };
        if !(good && got.to_f64().abs() <= most) {
            return Err(format!("{name}({x:?}) = {got:?}, truth about {}", real.0.to_f64()));
        }
    }
    Ok(())
}

macro_rules! enclosed {
    ($($law:ident $upper:literal $truth:ident $most:literal)*) => {$(
        /// Against a high-precision enclosure.
        pub fn $law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
            enclosed::<S>(cases, seed, (stringify!($law), $upper, $most), S::$law, wide::$truth)
        }
    )*};
}

enclosed! {
    sin_lo false sin 1.0
    sin_hi true sin 1.0
    cos_lo false cos 1.0
    cos_hi true cos 1.0
    atan_lo false atan 1.6
    atan_hi true atan 1.6
}

/// The plain sine and cosine against a high-precision enclosure.
pub fn trig_error_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let error = exact(S::trig_error_hi());
    for _ in 0..cases {
        let x = angle::<S>(&mut random);
        let (s, c) = x.sin_cos();
        for (got, real) in [(s, wide::sin(x.to_f64())), (c, wide::cos(x.to_f64()))] {
            if !(got.to_f64().is_finite() && &exact(got) - &real.0 <= error && &real.1 - &exact(got) <= error) {
                return Err(format!("sin_cos({x:?}) = {got:?}, truth about {}", real.0.to_f64()));
            }
        }
    }
    Ok(())
}

/// Up to 256 plain operations with exactly known errors; subnormal results count as flushed to zero.
pub fn rounding_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (least, scales) = match (S::FLOATING, single::<S>()) {
        (true, true) => (f64::from(f32::MIN_POSITIVE), (-40.0, 30.0)),
        (true, false) => (f64::MIN_POSITIVE, (-310.0, 300.0)),
        (false, _) => (0.0, (-6.0, 2.5)),
    };
    let mut spent = 0;
    while spent < cases {
        let count = 1 + random.below(256);
        spent += count as u64;
        let top = S::from_f64_near(random.magnitude(scales.0, scales.1));
        let mut most = Exact::zero();
        let mut errors = Exact::zero();
        for _ in 0..count {
            // Half a unit in the last place weighs most just above a power of two.
            let a = S::from_f64_near(1.0 + random.magnitude(-7.0, 0.0)) * top;
            let b = S::from_f64_near(random.within(-1.0, 1.0)) * if random.one_in(2) { top } else { a };
            let (got, real) = match random.below(3) {
                0 => (a + b, &exact(a) + &exact(b)),
                1 => (a - b, &exact(a) - &exact(b)),
                _ => {
                    let c = S::from_f64_near(random.within(-2.0, 2.0));
                    (b * c, &exact(b) * &exact(c))
                }
            };
            let kept = if got.to_f64().abs() < least { Exact::zero() } else { exact(got) };
            errors = &errors + &(&kept - &real).abs();
            most = most.max(real.abs());
        }
        let most = S::from_f64_hi(most.to_f64() * (1.0 + 1e-15));
        let bound = S::rounding_hi(count as u16, most);
        if !above(bound, &errors) {
            return Err(format!("rounding_hi({count}, {most:?}) = {bound:?}, the errors are {}", errors.to_f64()));
        }
    }
    Ok(())
}

fn converted<S: Scalar>(cases: u64, seed: u64, upper: bool) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let x = if random.one_in(2) { random.nasty(false) } else { random.nasty(true) * (1.0 + 1e-9 * random.unit()) };
        let got = if upper { S::from_f64_hi(x) } else { S::from_f64_lo(x) };
        let real = Exact::from_f64(x);
        if !(if upper { above(got, &real) } else { below(got, &real) }) {
            return Err(format!("from_f64({x:e}) = {got:?}, upper {upper}"));
        }
    }
    let nan = if upper { S::from_f64_hi(f64::NAN) } else { S::from_f64_lo(f64::NAN) };
    if nan.to_f64().is_nan() { Ok(()) } else { Err("NaN does not stay NaN".to_string()) }
}

/// Exactly.
pub fn from_f64_lo<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    converted::<S>(cases, seed, false)
}

/// Exactly.
pub fn from_f64_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    converted::<S>(cases, seed, true)
}

/// Lower and upper results are at most four units in the last place apart: six for sine, cosine and arc tangent. In fixed
/// point at most one, and two.
pub fn tight_directed<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let unit = 2.0 * super::unit::<S>();
    for _ in 0..cases {
        let a: S = S::from_f64_near(random.coordinate() + 1e-3);
        let b: S = S::from_f64_near(random.coordinate() + 1e-3);
        let fits = a.in_range() && b.in_range() && (a.to_f64() * b.to_f64()).abs() < S::RANGE.to_f64();
        if !fits || (a.to_f64() / b.to_f64()).abs() > S::RANGE.to_f64() {
            continue;
        }
        let root = a.abs();
        let ends = [
            (a.add_lo(b), a.add_hi(b), 4.0),
            (a.sub_lo(b), a.sub_hi(b), 4.0),
            (a.mul_lo(b), a.mul_hi(b), 4.0),
            (a.div_lo(b), a.div_hi(b), 4.0),
            (root.sqrt_lo(), root.sqrt_hi(), 4.0),
            (a.sin_lo(), a.sin_hi(), 8.0),
            (a.cos_lo(), a.cos_hi(), 8.0),
            (a.atan_lo(), a.atan_hi(), 8.0),
        ];
        for (i, (lo, hi, units)) in ends.into_iter().enumerate() {
            let width = hi.to_f64() - lo.to_f64();
            let narrow = if S::FLOATING {
                width <= units * unit * hi.to_f64().abs().max(lo.to_f64().abs()) + 1e-36
            } else {
                // Rounded exactly; next to a whole unit a sine is not known to be on either side of it.
                width <= grain::<S>() * if units > 4.0 { 2.0 } else { 1.0 }
            };
            if !narrow {
                return Err(format!("operation {i} of {a:?}, {b:?}: {lo:?} to {hi:?}"));
            }
        }
    }
    Ok(())
}

/// Exactly, where it is in range.
pub fn from_grid<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let mantissa = random.nasty_units(24) as i32;
        let most = if mantissa == 0 { 30 } else { random.pick(&[30, 80, 2000]) };
        let exponent = S::FINEST + random.below(most) as i32;
        let x = S::from_grid(mantissa, exponent);
        let real = Exact::new(mantissa.into(), exponent.into());
        // What is out of range may be any value.
        if real.abs() <= exact(S::RANGE)
            && !(x.in_range()
                && exact(x) == real
                && x.to_grid(exponent).abs_diff(mantissa) <= u32::from(mantissa.abs() > 1 << 22))
        {
            return Err(format!("from_grid({mantissa}, {exponent}) = {x:?}, and back {}", x.to_grid(exponent)));
        }
        if S::fits(exponent) != (Exact::new(1.into(), exponent.into()) <= exact(S::RANGE)) {
            return Err(format!("fits({exponent}) is {}", S::fits(exponent)));
        }
    }
    Ok(())
}

/// The largest component is from ½ to 1, and the vector is a multiple, up to the last place.
pub fn unit_scaled<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let v = [0; 3].map(|_| nasty::<S>(&mut random));
        let size = |v: [S; 3]| v.map(|x| x.to_f64().abs()).into_iter().fold(0.0, f64::max);
        let Some(n) = S::unit_scaled(v) else {
            if S::FLOATING || size(v) == 0.0 {
                continue;
            }
            return Err(format!("{v:?} has no direction"));
        };
        let factor = 2_f64.powi(libm::ilogb(size(n)) - libm::ilogb(size(v)));
        let off = |i: usize| (n[i].to_f64() - v[i].to_f64() * factor).abs();
        let near = (0..3).all(|i| off(i) < grain::<S>().max(f64::from(f32::MIN_POSITIVE)));
        if !((0.5..1.0).contains(&size(n)) && near) {
            return Err(format!("{v:?} becomes {n:?}"));
        }
    }
    Ok(())
}
