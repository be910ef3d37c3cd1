//! A scalar so small that everything can be tried: `Fix8`, made by the same lines as `Fix32` and `Fix64`.
//!
//! Chance never meets the one pair in a billion at the edge of a range; here all of them are met.

use super::scalar::quotient_bound;
use super::{above, below, exact};
use crate::exact::Exact;
use crate::wide;
use avert::scalar::{Fix8, Number};
use avert::{Interval, Scalar};
use std::ops::RangeInclusive;

/// Every number that there is, NaN and the infinities among them.
pub(crate) fn all() -> impl Iterator<Item = Fix8> + Clone {
    (i8::MIN..=i8::MAX).map(Fix8::from_bits)
}

fn finite() -> impl Iterator<Item = Fix8> + Clone {
    all().filter(|x| x.is_finite())
}

fn is_nan(x: Fix8) -> bool {
    x.to_f64().is_nan()
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Every function of one number, on all of them.
pub fn unary(_: u64, _: u64) -> Result<(), String> {
    for x in all() {
        let waves = [x.sin_lo(), x.sin_hi(), x.cos_lo(), x.cos_hi(), x.atan_lo(), x.atan_hi(), x.sin_cos().0];
        let roots = [x.sqrt_lo(), x.sqrt_hi()];
        if !x.is_finite() {
            ensure(waves.into_iter().chain(roots).all(is_nan), || format!("of {x:?}: {waves:?}, {roots:?}"))?;
            ensure(is_nan(x.abs()) == is_nan(x) && is_nan(-x) <= is_nan(x), || format!("of {x:?}: {:?}", x.abs()))?;
            continue;
        }
        let between = |lo: Fix8, hi: Fix8, truth: wide::Between| below(lo, &truth.0) && above(hi, &truth.1);
        let real = x.to_f64();
        ensure(between(waves[0], waves[1], wide::sin(real)), || format!("sine of {x:?}: {waves:?}"))?;
        ensure(between(waves[2], waves[3], wide::cos(real)), || format!("cosine of {x:?}: {waves:?}"))?;
        ensure(between(waves[4], waves[5], wide::atan(real)), || format!("arc tangent of {x:?}: {waves:?}"))?;
        let (sin, cos) = x.sin_cos();
        let error = exact(Fix8::trig_error_hi());
        for (got, truth) in [(sin, wide::sin(real)), (cos, wide::cos(real))] {
            let close = &exact(got) - &truth.0 <= error && &truth.1 - &exact(got) <= error;
            ensure(close, || format!("plain wave of {x:?}: {got:?}"))?;
        }
        let [lo, hi] = roots.map(exact);
        let root = if real < 0.0 { lo == Exact::zero() } else { lo.square() <= exact(x) && hi.square() >= exact(x) };
        ensure(root && roots[0] >= Fix8::ZERO, || format!("root of {x:?}: {roots:?}"))?;
        ensure(exact(x.abs()) == exact(x).abs() && exact(-x) == -&exact(x), || format!("sign of {x:?}"))?;
        ensure(x.in_range() == (real.abs() <= 4.0), || format!("range of {x:?}"))?;
        // On both sides of every number.
        for off in [0.0, 1e-9, -1e-9, 0.03] {
            let (lo, hi, truth) = (Fix8::from_f64_lo(real + off), Fix8::from_f64_hi(real + off), real + off);
            let good = below(lo, &Exact::from_f64(truth)) && above(hi, &Exact::from_f64(truth));
            ensure(good, || format!("from {truth}: {lo:?}, {hi:?}"))?;
        }
        for exponent in -12..8 {
            let steps = x.to_grid(exponent);
            let off = (f64::from(steps) - real / 2_f64.powi(exponent)).abs();
            ensure(off <= 0.5, || format!("{x:?} is {steps} of 2^{exponent}"))?;
            let back = Fix8::from_grid(steps, exponent);
            let kept = f64::from(steps) * 2_f64.powi(exponent);
            let good = if kept.abs() <= 4.0 && exponent >= -4 { back.to_f64() == kept } else { is_nan(back) };
            ensure(good, || format!("{steps} of 2^{exponent}: {back:?}"))?;
        }
        ensure(x.magnifier() > Fix8::ZERO, || format!("magnifier of {x:?}"))?;
    }
    Ok(())
}

/// Every function of two numbers, on all pairs.
pub fn binary(_: u64, _: u64) -> Result<(), String> {
    for a in all() {
        for b in all() {
            pair(a, b).map_err(|what| format!("{what} of {a:?}, {b:?}"))?;
        }
    }
    Ok(())
}

fn pair(a: Fix8, b: Fix8) -> Result<(), String> {
    let nan = is_nan(a) || is_nan(b);
    let (less, equal) = (a.to_f64() < b.to_f64(), a.to_f64() == b.to_f64());
    ensure(
        [a < b, a <= b, a > b, a >= b, a == b] == [less, less || equal, !nan && !less && !equal, !nan && !less, equal],
        || "order".to_owned(),
    )?;
    let (least, most) = (a.min(b), a.max(b));
    if nan {
        ensure(is_nan(least) && is_nan(most), || "NaN is dropped".to_owned())?;
    } else {
        ensure(least == if less { a } else { b } && most == if less { b } else { a }, || "extremes".to_owned())?;
    }
    let directed =
        [a.add_lo(b), a.add_hi(b), a.sub_lo(b), a.sub_hi(b), a.mul_lo(b), a.mul_hi(b), a.div_lo(b), a.div_hi(b)];
    if !(a.is_finite() && b.is_finite()) {
        return ensure(directed.into_iter().all(is_nan), || format!("no number: {directed:?}"));
    }
    let (x, y) = (exact(a), exact(b));
    let (sum, difference, product) = (&x + &y, &x - &y, &x * &y);
    let quotients = if b == Fix8::ZERO {
        directed[6..].iter().all(|q| is_nan(*q))
    } else {
        quotient_bound(directed[6], &x, &y, false) && quotient_bound(directed[7], &x, &y, true)
    };
    let good = below(directed[0], &sum)
        && above(directed[1], &sum)
        && below(directed[2], &difference)
        && above(directed[3], &difference)
        && below(directed[4], &product)
        && above(directed[5], &product);
    ensure(good && quotients, || format!("{directed:?}"))?;
    for (got, real) in [(a + b, sum), (a - b, difference), (a * b, product)] {
        let size = Fix8::from_f64_hi(real.to_f64().abs());
        let error = Fix8::rounding_hi(1, size);
        let close = || got.is_finite() && (&exact(got) - &real).abs() <= exact(error);
        ensure(!error.is_finite() || close(), || format!("plain: {got:?}, {error:?}"))?;
    }
    Ok(())
}

/// Every vector there is.
pub fn vectors(_: u64, _: u64) -> Result<(), String> {
    let units = |x: Fix8| i32::from(x.to_bits());
    for x in all() {
        for y in all() {
            for z in all() {
                let v = [x, y, z];
                let (hi, lo, n) = (Fix8::longest_hi([v]), Fix8::norm_lo(v), Fix8::unit_scaled(v));
                let said = || format!("{v:?}: {lo:?} to {hi:?}, {n:?}");
                if !v.into_iter().all(Fix8::is_finite) {
                    ensure(is_nan(hi) && is_nan(lo) && n.is_none(), said)?;
                    continue;
                }
                let square: i32 = v.into_iter().map(|x| units(x) * units(x)).sum();
                let fits = square <= 126 * 126;
                let upper = if fits { units(hi) * units(hi) >= square } else { is_nan(hi) };
                let lower =
                    if square < 127 * 127 { units(lo) * units(lo) <= square && units(lo) >= 0 } else { is_nan(lo) };
                ensure(upper && lower, said)?;
                let size = |v: [Fix8; 3]| v.into_iter().map(|x| units(x).abs()).max().unwrap_or(0);
                let Some(n) = n else {
                    ensure(square == 0, said)?;
                    continue;
                };
                // A shift by so many bits, towards zero.
                let shift = size(n).ilog2().cast_signed() - size(v).ilog2().cast_signed();
                let kept = |(n, x): (Fix8, Fix8)| {
                    units(n) == if shift >= 0 { units(x) << shift } else { units(x) / (1 << -shift) }
                };
                ensure((8..16).contains(&size(n)) && n.into_iter().zip(v).all(kept), said)?;
            }
        }
    }
    Ok(())
}

/// Scalar products on a grid of six numbers: the error of a plain one is that of five operations.
pub fn dots(_: u64, _: u64) -> Result<(), String> {
    const SOME: [i8; 9] = [-127, -100, -17, -3, 0, 1, 16, 45, 126];
    let some = || SOME.into_iter().map(Fix8::from_bits);
    let triples = || some().flat_map(move |x| some().flat_map(move |y| some().map(move |z| [x, y, z])));
    let units = |x: Fix8| i32::from(x.to_bits());
    for a in triples() {
        for b in triples() {
            let got = Fix8::dot(a, b);
            let products = [0, 1, 2].map(|i| units(a[i]) * units(b[i]));
            // No partial sum is larger than this; in units of 2⁻⁸.
            let size = products.into_iter().map(i32::abs).sum::<i32>();
            if size >= 126 * 16 || a.into_iter().chain(b).any(|x| !x.is_finite()) {
                continue;
            }
            let error = Fix8::rounding_hi(5, Fix8::from_f64_hi(f64::from(size) / 256.0));
            let off = (units(got) * 16 - products.into_iter().sum::<i32>()).abs();
            ensure(got.is_finite() && off <= units(error) * 16, || format!("{a:?} · {b:?} = {got:?}"))?;
        }
    }
    Ok(())
}

/// Some ends for intervals: every fourth number, and those about 0 and 1.
fn ends() -> Vec<Fix8> {
    let bits: RangeInclusive<i8> = -126..=126;
    bits.filter(|x| x % 12 == 0 || x.abs() <= 1 || (15..=17).contains(&x.abs()) || x.abs() == 126)
        .map(Fix8::from_bits)
        .collect()
}

fn over(ends: &[Fix8]) -> Vec<Interval<Fix8>> {
    let pairs = ends.iter().flat_map(|a| ends.iter().map(move |b| (*a, *b)));
    pairs.filter(|(a, b)| a <= b).map(|(a, b)| Interval::new(a, b)).collect()
}

/// Does an interval hold a real number? One that is not finite is an honest answer to what does not fit.
fn holds(x: Interval<Fix8>, real: &Exact) -> bool {
    let (lo, hi) = (x.lo(), x.hi());
    (!lo.is_finite() || exact(lo) <= *real) && (!hi.is_finite() || exact(hi) >= *real)
}

/// Every interval, alone; many of them, in pairs. What is monotonic is decided at the corners.
pub fn intervals(_: u64, _: u64) -> Result<(), String> {
    for x in over(&finite().collect::<Vec<_>>()) {
        let (lo, hi) = (exact(x.lo()), exact(x.hi()));
        let inside = x.lo() <= Fix8::ZERO && x.hi() >= Fix8::ZERO;
        let zero = inside.then(Exact::zero);
        let points = [Some(lo.clone()), Some(hi.clone()), zero];
        for real in points.iter().flatten() {
            let good = holds(x.square(), &real.square()) && holds(x.abs(), &real.abs()) && holds(-x, &-real);
            ensure(good, || format!("{x:?}: {:?}, {:?}", x.square(), x.abs()))?;
            let root = x.sqrt();
            if real.signum() >= 0 {
                let below = !root.lo().is_finite() || exact(root.lo()).square() <= *real;
                let above = !root.hi().is_finite() || exact(root.hi()).square() >= *real;
                ensure(below && above, || format!("root of {x:?}: {root:?}"))?;
            }
        }
        let (mid, radius) = (exact(x.mid()), x.radius_hi());
        let reach = (&mid - &lo).max(&hi - &mid);
        ensure(!radius.is_finite() || exact(radius) >= reach, || format!("radius of {x:?}: {radius:?}"))?;
        ensure(exact(x.magnitude_hi()) >= lo.abs().max(hi.abs()), || format!("magnitude of {x:?}"))?;
    }
    let some = over(&ends());
    for a in &some {
        for b in &some {
            corners(*a, *b).map_err(|what| format!("{what} of {a:?}, {b:?}"))?;
        }
    }
    Ok(())
}

fn corners(a: Interval<Fix8>, b: Interval<Fix8>) -> Result<(), String> {
    let (sum, difference, product, quotient) = (a + b, a - b, a * b, a / b);
    let divides = b.lo() > Fix8::ZERO || b.hi() < Fix8::ZERO;
    for x in [a.lo(), a.hi()] {
        for y in [b.lo(), b.hi()] {
            let (p, q) = (exact(x), exact(y));
            let good = holds(sum, &(&p + &q)) && holds(difference, &(&p - &q)) && holds(product, &(&p * &q));
            ensure(good, || format!("{sum:?}, {difference:?}, {product:?}"))?;
            if divides {
                let side = |end: Fix8, upper| !end.is_finite() || quotient_bound(end, &p, &q, upper);
                ensure(side(quotient.lo(), false) && side(quotient.hi(), true), || format!("{quotient:?}"))?;
            }
        }
    }
    let finite = quotient.lo().is_finite() && quotient.hi().is_finite();
    ensure(divides || !finite, || format!("a quotient by zero is {quotient:?}"))
}
