//! The numbers: every directed operation and every interval operation errs only to its side.

use avert::{Fix32, Scalar};
use avert_host_tests::exact::Exact;
use avert_host_tests::laws::{interval, scalar};
use avert_host_tests::{laws, long, report, skip, wide};

laws! {
    never_above_truth_scalar_add_lo: scalar::add_lo, 200_000, 5_000_000;
    never_below_truth_scalar_add_hi: scalar::add_hi, 200_000, 5_000_000;
    never_above_truth_scalar_sub_lo: scalar::sub_lo, 200_000, 5_000_000;
    never_below_truth_scalar_sub_hi: scalar::sub_hi, 200_000, 5_000_000;
    never_above_truth_scalar_mul_lo: scalar::mul_lo, 200_000, 5_000_000;
    never_below_truth_scalar_mul_hi: scalar::mul_hi, 200_000, 5_000_000;
    never_above_truth_scalar_div_lo: scalar::div_lo, 200_000, 5_000_000;
    never_below_truth_scalar_div_hi: scalar::div_hi, 200_000, 5_000_000;
    never_above_truth_scalar_sqrt_lo: scalar::sqrt_lo, 200_000, 5_000_000;
    never_below_truth_scalar_sqrt_hi: scalar::sqrt_hi, 200_000, 5_000_000;
    never_above_truth_scalar_sin_lo: scalar::sin_lo, 20_000, 500_000;
    never_below_truth_scalar_sin_hi: scalar::sin_hi, 20_000, 500_000;
    never_above_truth_scalar_cos_lo: scalar::cos_lo, 20_000, 500_000;
    never_below_truth_scalar_cos_hi: scalar::cos_hi, 20_000, 500_000;
    never_above_truth_scalar_atan_lo: scalar::atan_lo, 20_000, 500_000;
    never_below_truth_scalar_atan_hi: scalar::atan_hi, 20_000, 500_000;
    never_below_truth_scalar_rounding_hi: scalar::rounding_hi, 500_000, 10_000_000;
    never_below_truth_scalar_trig_error_hi: scalar::trig_error_hi, 20_000, 500_000;
    never_above_truth_scalar_from_f64_lo: scalar::from_f64_lo, 200_000, 5_000_000;
    never_below_truth_scalar_from_f64_hi: scalar::from_f64_hi, 200_000, 5_000_000;
    never_outside_truth_interval_ball: interval::ball, 100_000, 2_000_000;
    never_outside_truth_interval_from_f64: interval::from_f64, 100_000, 2_000_000;
    never_outside_truth_interval_from_decimal: interval::from_decimal, 100_000, 2_000_000;
    never_below_truth_interval_radius_hi: interval::radius_hi, 100_000, 2_000_000;
    never_below_truth_interval_magnitude_hi: interval::magnitude_hi, 100_000, 2_000_000;
    never_outside_truth_interval_neg: interval::neg, 100_000, 2_000_000;
    never_outside_truth_interval_abs: interval::abs, 100_000, 2_000_000;
    never_outside_truth_interval_square: interval::square, 100_000, 2_000_000;
    never_outside_truth_interval_sqrt: interval::sqrt, 100_000, 2_000_000;
    never_outside_truth_interval_min: interval::min, 100_000, 2_000_000;
    never_outside_truth_interval_max: interval::max, 100_000, 2_000_000;
    never_outside_truth_interval_sin: interval::sin, 20_000, 500_000;
    never_outside_truth_interval_cos: interval::cos, 20_000, 500_000;
    never_outside_truth_interval_atan: interval::atan, 20_000, 500_000;
    never_outside_truth_interval_pi: interval::pi, 1, 1;
    never_outside_truth_interval_add: interval::add, 100_000, 2_000_000;
    never_outside_truth_interval_sub: interval::sub, 100_000, 2_000_000;
    never_outside_truth_interval_mul: interval::mul, 100_000, 2_000_000;
    never_outside_truth_interval_div: interval::div, 100_000, 2_000_000;
    never_below_truth_vec3_norm1_hi: interval::norm1_hi, 100_000, 2_000_000;
    never_below_truth_vec3_norm_hi: interval::norm_hi, 100_000, 2_000_000;
    never_below_truth_scalar_longest_hi: interval::longest_hi, 100_000, 2_000_000;
    never_above_truth_scalar_norm_lo: interval::norm_lo, 100_000, 2_000_000;
    from_grid_is_exact: scalar::from_grid, 100_000, 2_000_000;
    unit_scaled_keeps_the_direction: scalar::unit_scaled, 100_000, 2_000_000;
    never_outside_truth_vec3_norm: interval::norm, 100_000, 2_000_000;
    tight_directed: scalar::tight_directed, 50_000, 500_000;
    tight_interval: interval::tight_interval, 5_000, 50_000;
}

/// The `f64` function errs by about one part in 2⁵³; what it cannot tell apart goes to the high-precision one.
/// `most` is what no value of the function exceeds in magnitude.
fn misses(x: f32, [lo, hi]: [f32; 2], near: f64, truth: fn(f64) -> wide::Between, most: f32) -> bool {
    let doubt = near.abs() * 2_f64.powi(-50);
    let low = lo <= -most || f64::from(lo) <= near - doubt;
    if low && (hi >= most || f64::from(hi) >= near + doubt) {
        return false;
    }
    if lo.is_nan() || hi.is_nan() {
        return true;
    }
    let (least, most) = truth(f64::from(x));
    Exact::from_f64(f64::from(lo)) > least || Exact::from_f64(f64::from(hi)) < most
}

/// Every bit pattern there is.
fn every(name: &str, good: impl Fn(u32) -> bool + Sync) {
    let next = std::sync::atomic::AtomicU32::new(0);
    let failed = std::sync::Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let high = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    if high > 0xffff {
                        return;
                    }
                    for low in 0..=0xffff_u32 {
                        let bits = high << 16 | low;
                        if !good(bits) {
                            *failed.lock().expect("no panic holds it") = Some(bits);
                            return;
                        }
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no panic holds it");
    assert!(failed.is_none(), "{name} of the bits {failed:x?} is not enclosed");
    report(&format!("{name}: enclosed at all 2^32 bit patterns"));
}

fn every_f32(name: &str, good: impl Fn(f32) -> bool + Sync) {
    every(&format!("f32 {name}"), |bits| !f32::from_bits(bits).is_finite() || good(f32::from_bits(bits)));
}

fn every_fix32(name: &str, good: impl Fn(Fix32) -> bool + Sync) {
    every(&format!("fix32 {name}"), |bits| {
        let x = Fix32::from_bits(bits.cast_signed());
        !x.is_finite() || good(x)
    });
}

/// A value of `f64`, which errs by far less than a unit, lies between the two, and they are at most two units apart.
fn next_to(near: f64, lo: Fix32, hi: Fix32) -> bool {
    let little = 1e-13;
    lo.to_f64() <= near + little && near - little <= hi.to_f64() && hi.to_bits() - lo.to_bits() <= 2
}

#[test]
fn every_fix32_is_enclosed() {
    if !long() {
        skip("sine, cosine, arc tangent and square root of every Fix32", "only with --long");
        return;
    }
    let close = |x: Fix32, near: f64| (x.to_f64() - near).abs() <= Fix32::trig_error_hi().to_f64();
    every_fix32("sine", |x| {
        let near = x.to_f64().sin();
        close(x.sin_cos().0, near) && next_to(near, x.sin_lo(), x.sin_hi())
    });
    every_fix32("cosine", |x| {
        let near = x.to_f64().cos();
        close(x.sin_cos().1, near) && next_to(near, x.cos_lo(), x.cos_hi())
    });
    every_fix32("arc tangent", |x| next_to(x.to_f64().atan(), x.atan_lo(), x.atan_hi()));
    every_fix32("square root", |x| {
        let (lo, hi, x) = (x.sqrt_lo().to_f64(), x.sqrt_hi().to_f64(), x.to_f64());
        lo >= 0.0 && hi >= 0.0 && (x < 0.0 || lo * lo <= x && hi * hi >= x)
    });
}

#[test]
fn every_f32_is_enclosed() {
    if !long() {
        skip("sine, cosine, arc tangent and square root of every f32", "only with --long");
        return;
    }
    every_f32("sine", |x| {
        let near = f64::from(x).sin();
        let plain = f64::from(Scalar::sin_cos(x).0);
        (plain - near).abs() <= f64::from(f32::trig_error_hi())
            && !misses(x, [x.sin_lo(), x.sin_hi()], near, wide::sin, 1.0)
    });
    every_f32("cosine", |x| {
        let near = f64::from(x).cos();
        let plain = f64::from(Scalar::sin_cos(x).1);
        (plain - near).abs() <= f64::from(f32::trig_error_hi())
            && !misses(x, [x.cos_lo(), x.cos_hi()], near, wide::cos, 1.0)
    });
    every_f32("arc tangent", |x| !misses(x, [x.atan_lo(), x.atan_hi()], f64::from(x).atan(), wide::atan, 1.6));
    // The square of an f32 is exact in f64.
    every_f32("square root", |x| {
        let (lo, hi) = (f64::from(x.sqrt_lo()), f64::from(x.sqrt_hi()));
        lo >= 0.0 && hi >= 0.0 && (x < 0.0 || lo * lo <= f64::from(x) && hi * hi >= f64::from(x))
    });
}
