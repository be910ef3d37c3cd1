//! From the numbers of a file or an argument to a scalar and back, without losing the proof.

use avert::{Interval, Limits, Scalar, Vec3};

/// How a parsed number may differ from the one that stands in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Numbers {
    /// Not at all: binary numbers.
    Exact,
    /// A decimal number that was rounded to the next `f64`.
    Double,
    /// A decimal number that was rounded to the next `f32`.
    Single,
}

impl Numbers {
    /// # Soundness
    /// Contains every real number that parses to `x`.
    fn enclosure<S: Scalar>(self, x: f64) -> Interval<S> {
        match self {
            Self::Exact => Interval::from_f64(x),
            Self::Double => Interval::from_decimal(x),
            Self::Single => {
                // `x` came from an `f32`, so this is that number, and its neighbours are further than what rounds to it.
                let x = x as f32;
                Interval::new(S::from_f64_lo(x.next_down().into()), S::from_f64_hi(x.next_up().into()))
            }
        }
    }
}

/// The points as scalars, each coordinate the nearest, and how far the true points may be from them.
///
/// # Soundness
/// With `x` the point that stands in the file and `s` the stored one, `‖x − s‖ ≤ error`: every component differs by at
/// most `d = max(hi − s, s − lo)` for an enclosure `[lo, hi]` of `x`, so the points by at most `√3·d < 2·d`, and all
/// is rounded up. Holds for points whose stored coordinates are in range; others are refused by the library.
pub(crate) fn stored_points<S: Scalar>(points: &[[f64; 3]], numbers: Numbers) -> (Vec<Vec3<S>>, S) {
    let mut worst = S::ZERO;
    let mut stored = |x: f64| {
        let near = nearest::<S>(x);
        let truth = numbers.enclosure::<S>(x);
        worst = worst.max(truth.hi().sub_hi(near)).max(near.sub_hi(truth.lo()));
        near
    };
    let points = points.iter().map(|p| Vec3::from(p.map(&mut stored))).collect();
    (points, worst.mul_hi(S::ONE + S::ONE))
}

/// The nearest scalar; zero instead of a subnormal number, which the library does not take.
fn nearest<S: Scalar>(x: f64) -> S {
    let near = S::from_f64_near(x);
    if near.abs() < S::ONE && !near.in_range() { S::ZERO } else { near }
}

/// Margin and tolerance as scalars.
///
/// # Soundness
/// The margin is not below the decimal one, and the sum with the tolerance not above the decimal sum (where the scalar
/// can tell them apart), so both what `free` and what `contact` say holds for the numbers that the user wrote.
pub(crate) fn limits<S: Scalar>(margin: f64, tolerance: f64) -> Limits<S> {
    let [m, t] = [margin, tolerance].map(Interval::<S>::from_decimal);
    // A zero is exact. (What only rounds to zero is far below the least distance that a proof can tell from contact.)
    let margin = if margin == 0.0 { S::ZERO } else { m.hi() };
    let rest = if margin == S::ZERO { t } else { m + t - Interval::point(margin) };
    Limits { margin, tolerance: nearest(rest.lo().max(S::ZERO).to_f64()) }
}

/// A finite number with all its decimals: a proved bound, whichever way it errs, still holds for the text. (The shortest
/// text that reads back as the number may be on either side of it.)
pub(crate) fn exact_decimal(x: f64) -> String {
    // Times by bisection and nearly all distances are multiples of 2⁻⁸⁰ and have at most 80 decimals; any `f64` has at
    // most 1074.
    let decimals = if (x * 2.0_f64.powi(80)).fract() == 0.0 { 80 } else { 1074 };
    let text = format!("{x:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// |n / 10⁹ − s|·10⁹·2⁶⁰, exactly, for an `s` that is a multiple of 2⁻⁶⁰.
    fn scaled_distance(n: i128, s: f64) -> i128 {
        let scaled = s * 2.0_f64.powi(60);
        assert!(scaled.fract() == 0.0 && scaled.abs() < 2.0_f64.powi(90), "{s} does not fit");
        ((n << 60) - scaled as i128 * 1_000_000_000).abs()
    }

    /// Decimals with 9 places: round ones, then spread ones of several magnitudes.
    fn decimals() -> impl Iterator<Item = i128> {
        let edges = [1, 100_000_000, 300_000_000, 700_000_000, 999_999_999, 1_000_000_001, 16_777_217_000_000_000];
        let mut state = 1_u64;
        let spread = (0..20_000).map(move |i| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i128::from(state >> (11 + i % 28))
        });
        edges.into_iter().chain(spread).flat_map(|n| [n, -n])
    }

    fn decimal_text(n: i128) -> String {
        let (sign, n) = (if n < 0 { "-" } else { "" }, n.abs());
        format!("{sign}{}.{:09}", n / 1_000_000_000, n % 1_000_000_000)
    }

    fn never_below_truth<S: Scalar>(numbers: Numbers, parse: impl Fn(&str) -> f64) {
        // An `f64` from 0.01 on is a multiple of 2⁻⁶⁰.
        for n in decimals().filter(|n| n.abs() >= 10_000_000) {
            let x = parse(&decimal_text(n));
            let (points, error) = stored_points::<S>(&[[x, x, x]], numbers);
            let truth = scaled_distance(n, points[0].x.to_f64());
            // ‖x − s‖ = √3·truth must be at most the error, which is rounded down to the grid of the comparison.
            let error = (error.to_f64() * 2.0_f64.powi(60) * 1e9 * (1.0 - 1e-15)) as i128;
            assert!(truth * 1_733 <= error * 1_000, "{} {numbers:?}", decimal_text(n));
        }
    }

    #[test]
    fn never_below_truth_stored_points() {
        let double = |text: &str| text.parse::<f64>().unwrap();
        let single = |text: &str| f64::from(text.parse::<f32>().unwrap());
        never_below_truth::<f32>(Numbers::Double, double);
        never_below_truth::<avert::Fix64>(Numbers::Double, double);
        never_below_truth::<f64>(Numbers::Double, double);
        never_below_truth::<f32>(Numbers::Single, single);
        never_below_truth::<f64>(Numbers::Single, single);
    }

    #[test]
    fn stored_points_are_tight() {
        let unit = [[0.1, 0.7, -0.9]];
        assert!(stored_points::<f32>(&unit, Numbers::Double).1 <= 2.0 * f32::EPSILON);
        assert!(stored_points::<f64>(&unit, Numbers::Double).1 <= 2.0 * f64::EPSILON);
        assert!(stored_points::<f64>(&unit, Numbers::Single).1 <= 2.0 * f64::from(f32::EPSILON));
        assert!(stored_points::<f64>(&unit, Numbers::Exact).1 <= 1e-300);
        assert!(stored_points::<f32>(&[[0.5, 0.25, -3.0]], Numbers::Exact).1 <= 1e-36);
    }

    #[test]
    fn subnormals_become_zero_within_the_error() {
        let (points, error) = stored_points::<f32>(&[[1e-40, 0.0, -1e-40]], Numbers::Double);
        assert_eq!(points[0], Vec3::ZERO);
        assert!(f64::from(error) >= 1e-40 * 3.0_f64.sqrt());
    }

    #[test]
    fn limits_err_to_the_safe_side() {
        for (margin, tolerance) in [(0.0, 0.001), (0.1, 0.001), (0.3, 0.0001), (7.7, 0.01), (0.01, 0.0)] {
            let single = limits::<f32>(margin, tolerance);
            assert!(f64::from(single.margin) >= margin);
            let sum = f64::from(single.margin) + f64::from(single.tolerance);
            assert!(tolerance == 0.0 || sum <= margin + tolerance);
            assert!(sum >= margin + tolerance - 1e-6);
        }
        assert_eq!(limits::<f64>(0.0, 0.0), Limits { margin: 0.0, tolerance: 0.0 });
    }

    #[test]
    fn times_and_distances_are_printed_exactly() {
        assert_eq!(exact_decimal(0.0), "0");
        assert_eq!(exact_decimal(1.0), "1");
        assert_eq!(exact_decimal(0.375), "0.375");
        // The shortest text for this `f32` is 0.7, which is later.
        assert_eq!(exact_decimal(0.7_f32.into()), "0.699999988079071044921875");
        // The shortest text for this one, 0.0010000000474974513, is nearer.
        assert_eq!(exact_decimal(0.001_f32.into()), "0.001000000047497451305389404296875");
        assert_eq!(exact_decimal(1e12), "1000000000000");
        assert_eq!(exact_decimal(2.0_f64.powi(-90)).len(), 92);
    }
}
