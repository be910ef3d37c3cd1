//! From the numbers of a file or an argument to a scalar and back, without losing the proof.

use avert::kernel::Grid;
use avert::{Interval, Limits, Scalar};

/// How a parsed number may differ from the one that stands in the file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Numbers {
    /// Not at all: binary numbers.
    Exact,
    /// A decimal number that was rounded to the next `f64`.
    Double,
    /// A decimal number that was rounded to the next `f32`.
    Single,
    /// A number that was calculated from others of the file: by at most this much, finite and not negative.
    Within(f64),
}

impl Numbers {
    /// # Soundness
    /// Contains every real number that parses to `x`, or from which `x` may differ as said.
    pub(crate) fn enclosure<S: Scalar>(self, x: f64) -> Interval<S> {
        match self {
            Self::Exact => Interval::from_f64(x),
            Self::Double => Interval::from_decimal(x),
            Self::Single => {
                // `x` came from an `f32`, so this is that number, and its neighbours are further than what rounds to it.
                let x = x as f32;
                Interval::new(S::from_f64_lo(x.next_down().into()), S::from_f64_hi(x.next_up().into()))
            }
            Self::Within(error) => {
                // Rounded sums, each one step further out.
                Interval::new(S::from_f64_lo((x - error).next_down()), S::from_f64_hi((x + error).next_up()))
            }
        }
    }
}

/// Encloses a decimal number that was parsed into the `f64` next to it. A zero is exact: with it a pose keeps its exact zeros and
/// ones, which cost nothing in fixed point. (What only rounds to zero is below 10⁻³²³.)
///
/// # Soundness
/// Contains every real number that parses to `x`, unless that is zero.
pub(crate) fn decimal(x: f64) -> Interval<f64> {
    if x == 0.0 { Interval::ZERO } else { Interval::from_decimal(x) }
}

/// Points next to those of intervals, and how far those may be from them; `None` if that is not finite.
///
/// # Soundness
/// Every coordinate inside its interval differs from the one given by no more than the [`Numbers`] say.
pub(crate) fn nearest_points(points: &[[Interval<f64>; 3]]) -> Option<(Vec<[f64; 3]>, Numbers)> {
    // Not by `f64::max`, which would drop a NaN.
    let radii = points.iter().flatten().map(|x| x.radius_hi());
    let error = radii.fold(0.0, <f64 as Scalar>::max);
    error.is_finite().then(|| (points.iter().map(|p| p.map(Interval::mid)).collect(), Numbers::Within(error)))
}

/// Coordinates beyond this many metres are refused.
pub(crate) const FAR: f64 = 1e9;

/// The grid that a body is baked on whose coordinates and radii are at most this large: the finest that holds them, and that
/// every scalar resolves. `None` if they are too large.
pub(crate) fn grid_around(most: f64) -> Option<Grid> {
    Grid::around(most, Grid::PORTABLE.exponent()).filter(|_| most <= FAR)
}

/// The points on a grid, each coordinate the nearest, and how far the true points may be from them, in metres.
///
/// # Soundness
/// With `x` the point that stands in the file and `s` the stored one, `‖x − s‖ ≤ error`: every component differs by at
/// most `d = max(hi − s, s − lo)` for an enclosure `[lo, hi]` of `x`, so the points by at most `√3·d < 2·d`, and all
/// is rounded up. Holds for points within the grid; others are refused by the library.
pub(crate) fn on_grid(points: &[[f64; 3]], numbers: Numbers, grid: Grid) -> (Vec<[i32; 3]>, f64) {
    let mut worst = 0.0_f64;
    let mut stored = |x: f64| {
        let steps = x.to_grid(grid.exponent());
        let near = f64::from_grid(steps, grid.exponent());
        let truth = numbers.enclosure::<f64>(x);
        if truth != Interval::point(near) {
            worst = worst.max(truth.hi().sub_hi(near)).max(near.sub_hi(truth.lo()));
        }
        steps
    };
    let points = points.iter().map(|p| p.map(&mut stored)).collect();
    (points, if worst > 0.0 { worst.mul_hi(2.0) } else { 0.0 })
}

/// The nearest scalar; zero instead of a subnormal number, which the library does not take.
fn nearest<S: Scalar>(x: f64) -> S {
    let near = S::from_f64_near(x);
    if near.abs() < S::ONE && !near.in_range() { S::ZERO } else { near }
}

/// A decimal number that is not negative, as a scalar.
///
/// # Soundness
/// Not below the decimal one. A zero is exact. (What only rounds to zero is far below the least distance that a proof can tell
/// from contact.)
pub(crate) fn upper<S: Scalar>(x: f64) -> S {
    if x == 0.0 { S::ZERO } else { Interval::<S>::from_decimal(x).hi() }
}

/// Margin and tolerance as scalars.
///
/// # Soundness
/// The margin is not below the decimal one, and the sum with the tolerance not above the decimal sum (where the scalar
/// can tell them apart), so both what `free` and what `contact` say holds for the numbers that the user wrote.
pub(crate) fn limits<S: Scalar>(margin: f64, tolerance: f64) -> Limits<S> {
    let [m, t] = [margin, tolerance].map(Interval::<S>::from_decimal);
    let margin = upper(margin);
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

    fn never_below_truth(numbers: Numbers, exponent: i32, parse: impl Fn(&str) -> f64) {
        let grid = Grid::new::<f64>(exponent).unwrap();
        // An `f64` from 0.01 on is a multiple of 2⁻⁶⁰.
        for n in decimals().filter(|n| n.abs() >= 10_000_000 && n.abs() < 4_000_000_000_000) {
            let x = parse(&decimal_text(n));
            let (points, error) = on_grid(&[[x, x, x]], numbers, grid);
            let truth = scaled_distance(n, f64::from_grid(points[0][0], exponent));
            // ‖x − s‖ = √3·truth must be at most the error, which is rounded down to the grid of the comparison.
            let error = (error * 2.0_f64.powi(60) * 1e9 * (1.0 - 1e-15)) as i128;
            assert!(truth * 1_733 <= error * 1_000, "{} {numbers:?}", decimal_text(n));
        }
    }

    #[test]
    fn never_below_truth_on_grid() {
        let double = |text: &str| text.parse::<f64>().unwrap();
        let single = |text: &str| f64::from(text.parse::<f32>().unwrap());
        for exponent in [-10, -8] {
            never_below_truth(Numbers::Double, exponent, double);
            never_below_truth(Numbers::Single, exponent, single);
            // Any number that is as near as it says it is.
            never_below_truth(Numbers::Within(0.001), exponent, |text| double(text) + 0.000_999);
        }
    }

    #[test]
    fn never_outside_truth_decimal() {
        for n in decimals() {
            let interval = decimal(decimal_text(n).parse().unwrap());
            // Its ends are the neighbours, which are further from the middle than the decimal.
            let (lo, hi, x) = (interval.lo(), interval.hi(), interval.mid());
            assert!(lo < x && x < hi && hi - lo <= 2.1 * f64::EPSILON * x.abs());
            if (1_000_000_000..1_000_000_000_000).contains(&n.abs()) {
                let truth = scaled_distance(n, x);
                assert!(truth <= scaled_distance(n, lo) && truth <= scaled_distance(n, hi));
            }
        }
        assert_eq!(decimal(-0.0), Interval::ZERO);
    }

    #[test]
    fn never_below_truth_nearest_points() {
        let intervals = [[Interval::new(0.1, 0.3), Interval::point(7.0), Interval::new(-1.0, 4.0)]; 2];
        let (points, numbers) = nearest_points(&intervals).unwrap();
        for (interval, x) in intervals.iter().flatten().zip(points.as_flattened()) {
            let found = numbers.enclosure::<f64>(*x);
            assert!(found.lo() <= interval.lo() && interval.hi() <= found.hi());
        }
        assert!(matches!(numbers, Numbers::Within(error) if error < 2.500_001));
        assert!(nearest_points(&[[Interval::ZERO, Interval::ENTIRE, Interval::ZERO]]).is_none());
    }

    #[test]
    fn points_on_a_grid_are_tight() {
        let (portable, step) = (Grid::PORTABLE, 2.0_f64.powi(-20));
        assert!(on_grid(&[[0.1, 0.7, -0.9]], Numbers::Double, portable).1 <= 1.01 * step);
        assert_eq!(on_grid(&[[0.5, 0.25, -3.0]], Numbers::Exact, portable), (vec![[1 << 19, 1 << 18, -3 << 20]], 0.0));
        assert!(on_grid(&[[0.5, 0.25, -3.0]], Numbers::Double, portable).1 <= 1e-14);
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
    fn never_below_truth_upper() {
        for n in decimals().filter(|n| (10_000_000..1_000_000_000_000).contains(n)) {
            let x = decimal_text(n).parse().unwrap();
            for found in [upper::<f64>(x), upper::<f32>(x).into(), upper::<avert::Fix32>(x).to_f64()] {
                // Exactly: found·2⁶⁰·10⁹ is not below n·2⁶⁰.
                assert!((found * 2.0_f64.powi(60)) as i128 * 1_000_000_000 >= n << 60, "{x} {found}");
                assert!(found - x <= 2.0_f64.powi(-19) + x * 2.0_f64.powi(-22), "{x} {found}");
            }
        }
        assert_eq!(upper::<f32>(0.0), 0.0);
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
