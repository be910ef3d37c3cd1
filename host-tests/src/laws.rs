//! The checks behind the soundness tests: one for every function with a `# Soundness` heading, and a few on tightness.
//!
//! Each takes a number of cases and a seed and returns the first violation as a case that can be run again.

pub mod blob;
pub mod chain;
pub mod interval;
pub mod joint;
pub mod ledger;
pub mod leg;
pub mod model;
pub mod motion;
pub mod path;
pub mod plan;
pub mod robot_blob;
pub mod scalar;
pub mod scene;
pub mod separation;
pub mod solid;
pub mod start;
pub mod tiny;
pub mod tiny_kernel;

use crate::exact::Exact;
use crate::flush;
use crate::random::Random;
use avert::{Scalar, Vec3};

/// The signature that all laws share.
pub type Law = fn(u64, u64) -> Result<(), String>;

/// A test for each law, in all scalars: `name: module::law, cases in a short run, cases in a long run;`.
#[macro_export]
macro_rules! laws {
    ($($name:ident: $module:ident::$law:ident, $short:expr, $long:expr;)*) => {$(
        #[test]
        fn $name() -> Result<(), String> {
            $crate::laws::parallel($module::$law::<f32>, $crate::cases($short, $long), 1)?;
            $crate::laws::parallel($module::$law::<f64>, $crate::cases($short, $long), 2)?;
            $crate::laws::parallel($module::$law::<avert::Fix32>, $crate::cases($short, $long), 3)?;
            $crate::laws::parallel($module::$law::<avert::Fix64>, $crate::cases($short, $long), 4)
        }
    )*};
}

/// A test of each of these functions in every scalar, whose name they get.
#[macro_export]
macro_rules! in_all_scalars {
    ($($check:ident),* $(,)?) => {$(
        mod $check {
            #[test]
            fn f32() {
                super::$check::<f32>("f32");
            }

            #[test]
            fn f64() {
                super::$check::<f64>("f64");
            }

            #[test]
            fn fix32() {
                super::$check::<avert::Fix32>("fix32");
            }

            #[test]
            fn fix64() {
                super::$check::<avert::Fix64>("fix64");
            }
        }
    )*};
}

/// Runs a law in many small portions, each with its own seed, on all cores.
pub fn parallel(law: Law, cases: u64, seed: u64) -> Result<(), String> {
    let portion = (cases / 64).clamp(1, 20_000);
    let portions = cases.div_ceil(portion);
    let next = std::sync::atomic::AtomicU64::new(0);
    let flushing = flush::is_on();
    let portions_of = || {
        loop {
            let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if i >= portions {
                return Ok(());
            }
            law(portion, seed.wrapping_add(i << 20)).map_err(|case| format!("portion {i}: {case}"))?;
        }
    };
    let work = || if flushing { flush::flushed(portions_of) } else { portions_of() };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| Err("a law panicked".to_string())))
    })
}

pub(crate) fn single<S>() -> bool {
    size_of::<S>() == 4
}

/// The rounding unit of a scalar at 1.
pub(crate) fn unit<S: Scalar>() -> f64 {
    match (S::FLOATING, single::<S>()) {
        (true, true) => 2_f64.powi(-24),
        (true, false) => 2_f64.powi(-53),
        (false, _) => 2_f64.powi(S::FINEST),
    }
}

/// What fixed point numbers are multiples of; 0 in floating point.
pub(crate) fn grain<S: Scalar>() -> f64 {
    if S::FLOATING { 0.0 } else { unit::<S>() }
}

/// The size of a body, of a magnitude from `10^lo` to `10^hi`, or of one that fixed point has digits and room for. Where
/// subnormal numbers are flushed, half of them are so small in `f32` that products are; the oracles, in `f64`, are not met.
pub(crate) fn size<S: Scalar>(random: &mut Random, lo: f64, hi: f64) -> f64 {
    if S::FLOATING && single::<S>() && flush::is_on() && random.one_in(2) {
        random.magnitude(-34.0, -12.0)
    } else if S::FLOATING {
        random.magnitude(lo, hi)
    } else {
        random.magnitude(-2.5, 0.3)
    }
}

pub(crate) fn exact<S: Scalar>(x: S) -> Exact {
    if S::FLOATING {
        Exact::from_f64(x.to_f64())
    } else {
        assert!(x.is_finite(), "{x:?} has no exact value");
        Exact::new((x.to_bits64() as i64).into(), S::FINEST.into())
    }
}

pub(crate) fn nasty<S: Scalar>(random: &mut Random) -> S {
    if S::FLOATING {
        let x = S::from_f64_near(random.nasty(single::<S>()));
        // A processor that reads subnormals as zero is promised nothing about them.
        if flush::is_on() && x.to_f64().is_subnormal() { S::ZERO } else { x }
    } else {
        let x = random.nasty_units(if single::<S>() { 31 } else { 63 }) * unit::<S>();
        S::from_f64_near(x)
    }
}

pub(crate) fn near<S: Scalar>(x: f64) -> S {
    S::from_f64_near(x)
}

pub(crate) fn vector<S: Scalar>(x: [f64; 3]) -> Vec3<S> {
    x.map(S::from_f64_near).into()
}

pub(crate) fn array<S: Scalar>(x: Vec3<S>) -> [f64; 3] {
    x.to_array().map(S::to_f64)
}

/// Is the machine number at most this real number? Or is it NaN, since a fixed point number has no room for that?
pub(crate) fn below<S: Scalar>(x: S, truth: &Exact) -> bool {
    x == S::LEAST || x.is_finite() && exact(x) <= *truth || overflows(x, truth)
}

/// Is the machine number at least this real number? Or is it NaN, since a fixed point number has no room for that?
pub(crate) fn above<S: Scalar>(x: S, truth: &Exact) -> bool {
    x == S::GREATEST || x.is_finite() && exact(x) >= *truth || overflows(x, truth)
}

/// Is this NaN in fixed point, and rightly so?
fn overflows<S: Scalar>(x: S, truth: &Exact) -> bool {
    !S::FLOATING && x.to_f64().is_nan() && truth.abs() > most::<S>()
}

/// The greatest fixed point number.
pub(crate) fn most<S: Scalar>() -> Exact {
    Exact::new((S::GREATEST.to_bits64() as i64 - 1).into(), S::FINEST.into())
}
