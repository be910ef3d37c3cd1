//! The laws and a part of the queries once more, where subnormal numbers are read and written as zero.

use avert_host_tests::flush::{flushed, is_on};
use avert_host_tests::laws::{interval, model, motion, parallel, scalar, separation, solid, start};
use avert_host_tests::queries::{
    Strategy, adversarial_queries, hull_queries, random_queries, screw_queries, solid_queries,
};
use avert_host_tests::{cases, report, skip};

/// A test for each law, in both floating scalars.
macro_rules! flushed_laws {
    ($($name:ident: $module:ident::$law:ident, $short:expr, $long:expr;)*) => {$(
        #[test]
        fn $name() -> Result<(), String> {
            flushed(|| {
                parallel($module::$law::<f32>, cases($short, $long), 5)?;
                parallel($module::$law::<f64>, cases($short, $long), 6)
            })
        }
    )*};
}

flushed_laws! {
    flushed_add_lo: scalar::add_lo, 50_000, 1_000_000;
    flushed_add_hi: scalar::add_hi, 50_000, 1_000_000;
    flushed_sub_lo: scalar::sub_lo, 50_000, 1_000_000;
    flushed_sub_hi: scalar::sub_hi, 50_000, 1_000_000;
    flushed_mul_lo: scalar::mul_lo, 50_000, 1_000_000;
    flushed_mul_hi: scalar::mul_hi, 50_000, 1_000_000;
    flushed_div_lo: scalar::div_lo, 50_000, 1_000_000;
    flushed_div_hi: scalar::div_hi, 50_000, 1_000_000;
    flushed_sqrt_lo: scalar::sqrt_lo, 50_000, 1_000_000;
    flushed_sqrt_hi: scalar::sqrt_hi, 50_000, 1_000_000;
    flushed_sin_lo: scalar::sin_lo, 10_000, 100_000;
    flushed_sin_hi: scalar::sin_hi, 10_000, 100_000;
    flushed_cos_lo: scalar::cos_lo, 10_000, 100_000;
    flushed_cos_hi: scalar::cos_hi, 10_000, 100_000;
    flushed_atan_lo: scalar::atan_lo, 10_000, 100_000;
    flushed_atan_hi: scalar::atan_hi, 10_000, 100_000;
    flushed_trig_error_hi: scalar::trig_error_hi, 10_000, 100_000;
    flushed_rounding_hi: scalar::rounding_hi, 100_000, 1_000_000;
    flushed_from_f64_lo: scalar::from_f64_lo, 50_000, 1_000_000;
    flushed_from_f64_hi: scalar::from_f64_hi, 50_000, 1_000_000;
    flushed_interval_square: interval::square, 50_000, 500_000;
    flushed_interval_sqrt: interval::sqrt, 50_000, 500_000;
    flushed_interval_mul: interval::mul, 50_000, 500_000;
    flushed_interval_div: interval::div, 50_000, 500_000;
    flushed_norm1_hi: interval::norm1_hi, 50_000, 500_000;
    flushed_longest_hi: interval::longest_hi, 50_000, 500_000;
    flushed_norm_lo: interval::norm_lo, 50_000, 500_000;
    flushed_norm: interval::norm, 50_000, 500_000;
    flushed_placement: motion::placement, 20_000, 500_000;
    flushed_spin_hi: motion::spin_hi, 20_000, 200_000;
    flushed_drift_hi: motion::drift_hi, 20_000, 200_000;
    flushed_axis: motion::axis, 20_000, 200_000;
    flushed_deviation_hi: motion::deviation_hi, 10_000, 100_000;
    flushed_core_distance_hi: model::core_distance_law, 20_000, 500_000;
    flushed_prove: model::prove, 2_000, 20_000;
    flushed_span_new: separation::span_new, 10_000, 200_000;
    flushed_separates: separation::separates, 200_000, 3_000_000;
    flushed_apart_until: separation::apart_until, 50_000, 500_000;
    flushed_distance_lo: separation::distance_lo, 20_000, 200_000;
    flushed_distance_hi: separation::distance_law, 20_000, 200_000;
    flushed_arm_hi: separation::arm_hi, 10_000, 100_000;
    flushed_bulge_hi: separation::bulge_hi, 5_000, 100_000;
    flushed_winding: solid::winding_law, 500, 10_000;
    flushed_across: start::across, 5_000, 100_000;
}

/// The processor does flush, or all of the above shows nothing.
#[test]
fn subnormal_numbers_are_zero() {
    use std::hint::black_box;
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        skip("flushing subnormal numbers to zero", "only on x86-64 and AArch64");
        return;
    }
    let halved = || black_box(f32::MIN_POSITIVE) * black_box(0.5);
    let doubled = || black_box(f64::MIN_POSITIVE.next_down()) * black_box(2.0);
    assert!(halved() > 0.0 && doubled() > 0.0 && !is_on());
    assert_eq!(flushed(|| (halved(), doubled(), is_on())), (0.0, 0.0, true));
    assert!(halved() > 0.0 && doubled() > 0.0 && !is_on());
}

/// In workers that flush, on bodies of any size.
#[test]
fn whole_queries() {
    let pool = rayon::ThreadPoolBuilder::new()
        .spawn_handler(|thread| std::thread::Builder::new().spawn(|| flushed(|| thread.run())).map(drop));
    let pool = pool.build().expect("threads");
    for strategy in Strategy::ALL {
        let count = cases(60, 2_000);
        let suites = [
            random_queries::<f32>,
            random_queries::<f64>,
            hull_queries::<f32>,
            hull_queries::<f64>,
            screw_queries::<f32>,
            solid_queries::<f32>,
            adversarial_queries::<f32>,
            adversarial_queries::<f64>,
        ];
        for (seed, suite) in (20..).zip(suites) {
            let found = pool.install(|| suite(strategy, count, seed));
            let found = found.unwrap_or_else(|violation| panic!("{}: {violation}", strategy.name()));
            report(&format!("subnormals flushed, set {seed}, {}: {found}", strategy.name()));
        }
    }
}
