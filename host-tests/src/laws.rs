//! The checks behind the soundness tests: one for every function with a `# Soundness` heading, and a few on tightness.
//!
//! Each takes a number of cases and a seed and returns the first violation as a case that can be run again.

pub mod blob;
pub mod chain;
pub mod interval;
pub mod joint;
pub mod ledger;
pub mod model;
pub mod motion;
pub mod scalar;
pub mod scene;
pub mod separation;

use crate::exact::Exact;
use crate::random::Random;
use avert::{Scalar, Vec3};

/// The signature that all laws share.
pub type Law = fn(u64, u64) -> Result<(), String>;

/// A test for each law, in both scalars: `name: module::law, cases in a short run, cases in a long run;`.
#[macro_export]
macro_rules! laws {
    ($($name:ident: $module:ident::$law:ident, $short:expr, $long:expr;)*) => {$(
        #[test]
        fn $name() -> Result<(), String> {
            $crate::laws::parallel($module::$law::<f32>, $crate::cases($short, $long), 1)?;
            $crate::laws::parallel($module::$law::<f64>, $crate::cases($short, $long), 2)
        }
    )*};
}

/// Runs a law in many small portions, each with its own seed, on all cores.
pub fn parallel(law: Law, cases: u64, seed: u64) -> Result<(), String> {
    let portion = (cases / 64).clamp(1, 20_000);
    let portions = cases.div_ceil(portion);
    let next = std::sync::atomic::AtomicU64::new(0);
    let work = || {
        loop {
            let i = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if i >= portions {
                return Ok(());
            }
            law(portion, seed.wrapping_add(i << 20)).map_err(|case| format!("portion {i}: {case}"))?;
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().unwrap_or_else(|_| Err("a law panicked".to_string())))
    })
}

pub(crate) fn single<S>() -> bool {
    size_of::<S>() == 4
}

/// The relative rounding unit of a scalar.
pub(crate) fn unit<S>() -> f64 {
    if single::<S>() { 2_f64.powi(-24) } else { 2_f64.powi(-53) }
}

pub(crate) fn exact<S: Scalar>(x: S) -> Exact {
    Exact::from_f64(x.to_f64())
}

pub(crate) fn nasty<S: Scalar>(random: &mut Random) -> S {
    S::from_f64_near(random.nasty(single::<S>()))
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

/// Is the machine number at most this real number?
pub(crate) fn below<S: Scalar>(x: S, truth: &Exact) -> bool {
    let x = x.to_f64();
    x == f64::NEG_INFINITY || x.is_finite() && Exact::from_f64(x) <= *truth
}

/// Is the machine number at least this real number?
pub(crate) fn above<S: Scalar>(x: S, truth: &Exact) -> bool {
    let x = x.to_f64();
    x == f64::INFINITY || x.is_finite() && Exact::from_f64(x) >= *truth
}
