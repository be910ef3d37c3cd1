//! Intervals and vectors of them.

use super::scalar::{angle, quotient_bound};
use super::{above, below, exact, grain, most, nasty, single};
use crate::exact::Exact;
use crate::random::Random;
use crate::wide::{self, Between};
use avert::{Interval, Scalar, Vec3};

/// A point, a narrow or a wide interval.
fn interval<S: Scalar>(random: &mut Random) -> Interval<S> {
    let a = if random.one_in(2) { nasty::<S>(random) } else { S::from_f64_near(random.within(-20.0, 20.0)) };
    let b = match random.below(4) {
        0 => a,
        1 => a + a.abs() * S::from_f64_near(random.magnitude(-7.0, 1.0)),
        2 => S::from_f64_near(random.within(-20.0, 20.0)),
        _ => nasty(random),
    };
    // A number that `f64` holds, too.
    let b = S::from_f64_near(b.to_f64());
    let b = if b.to_f64().is_finite() { b } else { a };
    if a <= b { Interval::new(a, b) } else { Interval::new(b, a) }
}

/// A number inside; finer than the scalar.
fn member<S: Scalar>(random: &mut Random, i: Interval<S>) -> f64 {
    let (lo, hi) = (i.lo().to_f64(), i.hi().to_f64());
    let x = match random.below(5) {
        0 => lo,
        1 => hi,
        2 => 0.0,
        _ => lo * (1.0 - random.unit()) + hi * random.unit(),
    };
    x.clamp(lo, hi)
}

fn holds<S: Scalar>(i: Interval<S>, truth: &Between) -> bool {
    below(i.lo(), &truth.1) && above(i.hi(), &truth.0)
}

fn unary<S: Scalar>(
    cases: u64,
    seed: u64,
    computed: fn(Interval<S>) -> Interval<S>,
    truth: fn(f64) -> Option<Between>,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let i = interval::<S>(&mut random);
        let image = computed(i);
        let x = member(&mut random, i);
        if let Some(real) = truth(x)
            && !holds(image, &real)
        {
            return Err(format!("{i:?} gives {image:?}, but {x:e} gives about {}", real.0.to_f64()));
        }
    }
    Ok(())
}

fn point(x: Exact) -> Option<Between> {
    Some((x.clone(), x))
}

/// Exactly.
pub fn neg<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    unary::<S>(cases, seed, |i| -i, |x| point(Exact::from_f64(-x)))
}

/// Exactly.
pub fn abs<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    unary::<S>(cases, seed, Interval::abs, |x| point(Exact::from_f64(x.abs())))
}

/// Exactly.
pub fn square<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    unary::<S>(cases, seed, Interval::square, |x| point(Exact::from_f64(x).square()))
}

/// The image of the interval under a monotone root, squared exactly.
pub fn sqrt<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let i = interval::<S>(&mut random);
        let root = i.sqrt();
        let x = member(&mut random, i);
        let (lo, hi) = (root.lo().to_f64(), root.hi().to_f64());
        let low = lo <= 0.0 || lo.is_finite() && exact(root.lo()).square() <= Exact::from_f64(x);
        let high = hi == f64::INFINITY || hi >= 0.0 && exact(root.hi()).square() >= Exact::from_f64(x);
        if x >= 0.0 && !(low && high) {
            return Err(format!("√{i:?} = {root:?} misses √{x:e}"));
        }
    }
    Ok(())
}

fn wave<S: Scalar>(
    cases: u64,
    seed: u64,
    computed: fn(Interval<S>) -> Interval<S>,
    truth: fn(f64) -> Between,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let from: S = angle(&mut random);
        let width = match random.below(4) {
            0 => 0.0,
            1 => random.magnitude(-9.0, 0.0),
            _ => random.within(0.0, 7.0),
        };
        let until = S::from_f64_near((from + S::from_f64_near(width)).to_f64());
        let i = Interval::new(from, until);
        if !until.to_f64().is_finite() {
            continue;
        }
        let image = computed(i);
        let (lo, hi) = (from.to_f64(), until.to_f64());
        // The extrema inside count most.
        let quarter = std::f64::consts::FRAC_PI_2;
        let first = (lo / quarter).ceil();
        let mut places = vec![member(&mut random, i)];
        places.extend((0..5).map(|k| (first + f64::from(k)) * quarter).filter(|x| lo <= *x && *x <= hi));
        for x in places {
            if !holds(image, &truth(x)) {
                return Err(format!("{i:?} gives {image:?}, but {x:e} gives about {}", truth(x).0.to_f64()));
            }
        }
    }
    Ok(())
}

/// Against a high-precision sine, at the extrema too.
pub fn sin<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    wave::<S>(cases, seed, Interval::sin, wide::sin)
}

/// Against a high-precision cosine, at the extrema too.
pub fn cos<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    wave::<S>(cases, seed, Interval::cos, wide::cos)
}

/// Against a high-precision arc tangent.
pub fn atan<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    unary::<S>(cases, seed, Interval::atan, |x| Some(wide::atan(x)))
}

/// Against a high-precision π.
pub fn pi<S: Scalar>(_: u64, _: u64) -> Result<(), String> {
    let i = Interval::<S>::pi();
    let pi = wide::pi();
    let good = below(i.lo(), &pi.0) && above(i.hi(), &pi.1);
    if good { Ok(()) } else { Err(format!("{i:?}")) }
}

fn binary<S: Scalar>(
    cases: u64,
    seed: u64,
    computed: fn(Interval<S>, Interval<S>) -> Interval<S>,
    truth: fn(&Exact, &Exact) -> Exact,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let (i, j) = (interval::<S>(&mut random), interval::<S>(&mut random));
        let image = computed(i, j);
        let (x, y) = (member(&mut random, i), member(&mut random, j));
        let real = truth(&Exact::from_f64(x), &Exact::from_f64(y));
        if !holds(image, &(real.clone(), real)) {
            return Err(format!("{i:?} with {j:?} gives {image:?}, which misses {x:e} with {y:e}"));
        }
    }
    Ok(())
}

/// Exactly.
pub fn add<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    binary::<S>(cases, seed, |i, j| i + j, |x, y| x + y)
}

/// Exactly.
pub fn sub<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    binary::<S>(cases, seed, |i, j| i - j, |x, y| x - y)
}

/// Exactly.
pub fn mul<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    binary::<S>(cases, seed, |i, j| i * j, |x, y| x * y)
}

/// Exactly.
pub fn min<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    binary::<S>(cases, seed, Interval::min, |x, y| x.min(y).clone())
}

/// Exactly.
pub fn max<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    binary::<S>(cases, seed, Interval::max, |x, y| x.max(y).clone())
}

/// Against exact products.
pub fn div<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let (i, j) = (interval::<S>(&mut random), interval::<S>(&mut random));
        let image = i / j;
        let (x, y) = (member(&mut random, i), member(&mut random, j));
        let (a, b) = (Exact::from_f64(x), Exact::from_f64(y));
        if y != 0.0 && !(quotient_bound(image.lo(), &a, &b, false) && quotient_bound(image.hi(), &a, &b, true)) {
            return Err(format!("{i:?} / {j:?} = {image:?} misses {x:e} / {y:e}"));
        }
    }
    Ok(())
}

/// Exactly, at both ends and inside.
pub fn ball<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let (centre, radius) = (nasty::<S>(&mut random), nasty::<S>(&mut random).abs());
        let i = Interval::ball(centre, radius);
        let good =
            below(i.lo(), &(&exact(centre) - &exact(radius))) && above(i.hi(), &(&exact(centre) + &exact(radius)));
        if !good {
            return Err(format!("ball({centre:?}, {radius:?}) = {i:?}"));
        }
    }
    Ok(())
}

/// Exactly.
pub fn from_f64<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let x = random.nasty(false);
        let i = Interval::<S>::from_f64(x);
        let real = Exact::from_f64(x);
        if !holds(i, &(real.clone(), real)) {
            return Err(format!("from_f64({x:e}) = {i:?}"));
        }
    }
    Ok(())
}

/// All that rounds to a number lies between the middles to its two neighbours.
pub fn from_decimal<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let x = random.nasty(false);
        let i = Interval::<S>::from_decimal(x);
        let half = Exact::power(-1);
        let middle = |y: f64| &(&Exact::from_f64(x) + &Exact::from_f64(if y.is_finite() { y } else { x })) * &half;
        if !(below(i.lo(), &middle(x.next_down())) && above(i.hi(), &middle(x.next_up()))) {
            return Err(format!("from_decimal({x:e}) = {i:?}"));
        }
    }
    Ok(())
}

/// Exactly, at both ends.
pub fn radius_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let i = interval::<S>(&mut random);
        let (mid, radius) = (exact(i.mid()), i.radius_hi());
        if [i.lo(), i.hi()].into_iter().any(|x| !above(radius, &(&exact(x) - &mid).abs())) {
            return Err(format!("radius_hi({i:?}) = {radius:?} about {:?}", i.mid()));
        }
    }
    Ok(())
}

/// Exactly, at both ends.
pub fn magnitude_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let i = interval::<S>(&mut random);
        let magnitude = i.magnitude_hi();
        if [i.lo(), i.hi()].into_iter().any(|x| !above(magnitude, &exact(x).abs())) {
            return Err(format!("magnitude_hi({i:?}) = {magnitude:?}"));
        }
    }
    Ok(())
}

fn nasty_vector<S: Scalar>(random: &mut Random) -> Vec3<S> {
    Vec3::from([0; 3].map(|_| nasty::<S>(random)))
}

/// Exactly.
pub fn norm1_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let v = nasty_vector::<S>(&mut random);
        let real = v.to_array().into_iter().fold(Exact::zero(), |sum, x| &sum + &exact(x).abs());
        if !above(v.norm1_hi(), &real) {
            return Err(format!("{v:?}: {:?}", v.norm1_hi()));
        }
    }
    Ok(())
}

fn square_of(v: [f64; 3]) -> Exact {
    v.into_iter().fold(Exact::zero(), |sum, x| &sum + &Exact::from_f64(x).square())
}

/// Is this at least, or at most, the root of a square? Or NaN, since there is no room for it?
fn bounds_root<S: Scalar>(x: S, square: &Exact, upper: bool) -> bool {
    if !S::FLOATING && x.to_f64().is_nan() {
        return *square > most::<S>().square();
    }
    if upper {
        x == S::GREATEST || x >= S::ZERO && exact(x).square() >= *square
    } else {
        x >= S::ZERO && x.is_finite() && exact(x).square() <= *square
    }
}

/// Against the exact square.
pub fn norm_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let v = nasty_vector::<S>(&mut random);
        if !bounds_root(v.norm_hi(), &square_of(v.to_array().map(S::to_f64)), true) {
            return Err(format!("norm_hi({v:?}) = {:?}", v.norm_hi()));
        }
    }
    Ok(())
}

/// Against the greatest of some exact squares.
pub fn longest_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let vectors: Vec<_> = (0..1 + random.below(4)).map(|_| nasty_vector::<S>(&mut random).to_array()).collect();
        let longest = S::longest_hi(vectors.iter().copied());
        let most = vectors.iter().map(|v| square_of(v.map(S::to_f64))).max().ok_or("no vector")?;
        if !bounds_root(longest, &most, true) {
            return Err(format!("longest_hi({vectors:?}) = {longest:?}"));
        }
    }
    Ok(())
}

/// Against the exact square.
pub fn norm_lo<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let v = nasty_vector::<S>(&mut random).to_array();
        let square = square_of(v.map(S::to_f64));
        // The square of an `f64` or `f32` may be infinite: then nothing is said.
        let unknown = S::FLOATING && !S::norm_lo(v).is_finite() && !S::dot(v, v).is_finite();
        if !(unknown || bounds_root(S::norm_lo(v), &square, false)) {
            return Err(format!("norm_lo({v:?}) = {:?}", S::norm_lo(v)));
        }
    }
    Ok(())
}

/// Against the exact square of a vector inside.
pub fn norm<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let v = Vec3::from([0; 3].map(|_| interval::<S>(&mut random)));
        let length = v.norm();
        let inside = v.to_array().map(|i| member(&mut random, i));
        let (lo, hi) = (length.lo().to_f64(), length.hi().to_f64());
        let low = lo <= 0.0 || lo.is_finite() && exact(length.lo()).square() <= square_of(inside);
        let high = hi == f64::INFINITY || hi >= 0.0 && exact(length.hi()).square() >= square_of(inside);
        if !(low && high) {
            return Err(format!("‖{v:?}‖ = {length:?} misses {inside:?}"));
        }
    }
    Ok(())
}

/// A sine's interval is hardly wider than the sines, and a length hardly than the lengths.
pub fn tight_interval<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let little = if single::<S>() { 1e-6 } else { 1e-14 };
    for _ in 0..cases {
        let (a, width) = (random.within(-3.0, 3.0), random.within(0.0, 0.5));
        let i = Interval::new(S::from_f64_near(a), S::from_f64_near(a + width));
        let (lo, hi) = (i.lo().to_f64(), i.hi().to_f64());
        let steps = (0..=1000).map(|k| (lo + (hi - lo) * f64::from(k) / 1000.0).sin());
        let (least, most) = steps.fold((2.0_f64, -2.0_f64), |(l, m), s| (l.min(s), m.max(s)));
        let image = i.sin();
        // A thousand steps miss the extremum by at most (width/2000)²/2 < 4e-8.
        let little = little + 2.0 * grain::<S>();
        if !(image.lo().to_f64() >= least - little - 4e-8 && image.hi().to_f64() <= most + little + 4e-8) {
            return Err(format!("sin {i:?} = {image:?}, but {least} to {most}"));
        }
        let v = Vec3::from([0; 3].map(|_| S::from_f64_near(random.coordinate())));
        if !v.in_range() {
            continue;
        }
        let real = v.to_array().map(|x| x.to_f64() * x.to_f64()).iter().sum::<f64>().sqrt();
        if v.norm_hi().to_f64() > real * (1.0 + little) + 1e-18 + grain::<S>() {
            return Err(format!("norm_hi({v:?}) = {:?}", v.norm_hi()));
        }
    }
    Ok(())
}
