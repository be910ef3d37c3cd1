//! Placements in COLLADA, as intervals.

use avert::Interval;

/// Rows of a 3×4 matrix. Each entry holds the number that the file means.
#[derive(Clone, Debug)]
pub(super) struct Affine(pub(super) [[Interval<f64>; 4]; 3]);

const ZERO: Interval<f64> = Interval::ZERO;
const ONE: Interval<f64> = Interval::ONE;

impl Affine {
    pub(super) fn translate([x, y, z]: [Interval<f64>; 3]) -> Self {
        Self([[ONE, ZERO, ZERO, x], [ZERO, ONE, ZERO, y], [ZERO, ZERO, ONE, z]])
    }

    pub(super) fn scale([x, y, z]: [Interval<f64>; 3]) -> Self {
        Self([[x, ZERO, ZERO, ZERO], [ZERO, y, ZERO, ZERO], [ZERO, ZERO, z, ZERO]])
    }

    /// About an axis of any length but zero.
    ///
    /// # Soundness
    /// Contains the rotation for every axis and every angle inside.
    pub(super) fn rotate(axis: [Interval<f64>; 3], degrees: Interval<f64>) -> Self {
        let [x, y, z] = axis;
        let length = (x.square() + y.square() + z.square()).sqrt();
        let [x, y, z] = axis.map(|x| x / length);
        let angle = degrees * Interval::pi() / Interval::point(180.0);
        let (s, c) = (angle.sin(), angle.cos());
        let d = ONE - c;
        // Rodrigues' formula.
        Self([
            [c + d * x * x, d * x * y - s * z, d * x * z + s * y, ZERO],
            [d * x * y + s * z, c + d * y * y, d * y * z - s * x, ZERO],
            [d * x * z - s * y, d * y * z + s * x, c + d * z * z, ZERO],
        ])
    }

    /// From y up (x right, z to the viewer) to z up (x right, −y to the viewer).
    pub(super) fn turn_y_up() -> Self {
        Self([[ONE, ZERO, ZERO, ZERO], [ZERO, ZERO, -ONE, ZERO], [ZERO, ONE, ZERO, ZERO]])
    }

    /// From x up (−y right, z to the viewer) to z up.
    pub(super) fn turn_x_up() -> Self {
        Self([[ZERO, -ONE, ZERO, ZERO], [ZERO, ZERO, -ONE, ZERO], [ONE, ZERO, ZERO, ZERO]])
    }

    /// Does a triangle wind the other way afterwards?
    pub(super) fn mirrors(&self) -> bool {
        let [[a, b, c], [d, e, f], [g, h, i]] = self.0.map(|[x, y, z, _]| [x, y, z].map(Interval::mid));
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0.0
    }

    /// This one after `inner`.
    ///
    /// # Soundness
    /// Contains the product for every matrix inside and every one inside `inner`.
    pub(super) fn then(&self, inner: &Self) -> Self {
        let Self([[a, b, c, d], [e, f, g, h], [i, j, k, l]]) = *inner;
        let columns = [[a, e, i], [b, f, j], [c, g, k]];
        let shift = self.apply([d, h, l]);
        let row = |([x, y, z, _], shift): ([Interval<f64>; 4], Interval<f64>)| {
            let [p, q, r] = columns.map(|[u, v, w]| x * u + y * v + z * w);
            [p, q, r, shift]
        };
        let Self([first, second, third]) = *self;
        let [x, y, z] = shift;
        Self([row((first, x)), row((second, y)), row((third, z))])
    }

    /// # Soundness
    /// Contains the image of every point inside under every matrix inside.
    pub(super) fn apply(&self, [x, y, z]: [Interval<f64>; 3]) -> [Interval<f64>; 3] {
        self.0.map(|[a, b, c, d]| a * x + b * y + c * z + d)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Is n / 10^places inside, exactly? For ends that are multiples of 2⁻⁷⁰.
    fn holds(interval: Interval<f64>, n: i128, places: u32) -> bool {
        let scaled = |x: f64| {
            let scaled = x * 2.0_f64.powi(70);
            assert!(scaled.fract() == 0.0 && scaled.abs() < 2.0_f64.powi(96), "{x} does not fit");
            scaled as i128 * 10_i128.pow(places)
        };
        scaled(interval.lo()) <= n << 70 && n << 70 <= scaled(interval.hi())
    }

    /// Thousandths between 4 and 1000, so that ends have few bits.
    fn thousandths(state: &mut u64) -> i128 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let n = 4 + i128::from(*state >> 33) % 997;
        if *state & (1 << 32) == 0 { n } else { -n }
    }

    fn decimal(n: i128) -> Interval<f64> {
        Interval::from_decimal(format!("{n}e-3").parse().unwrap())
    }

    #[test]
    fn never_outside_truth_then_and_apply() {
        let mut state = 1;
        for _ in 0..2_000 {
            let mut matrix =
                || -> [[i128; 4]; 3] { std::array::from_fn(|_| std::array::from_fn(|_| thousandths(&mut state))) };
            let (a, b) = (matrix(), matrix());
            let affine = |m: [[i128; 4]; 3]| Affine(m.map(|row| row.map(decimal)));
            let product = affine(a).then(&affine(b));
            let point: [i128; 3] = std::array::from_fn(|_| thousandths(&mut state));
            let image = affine(a).apply(point.map(decimal));
            for i in 0..3 {
                for j in 0..4 {
                    let own = if j == 3 { a[i][3] * 1000 } else { 0 };
                    let truth = (0..3).map(|k| a[i][k] * b[k][j]).sum::<i128>() + own;
                    assert!(holds(product.0[i][j], truth, 6), "{a:?} {b:?}");
                    assert!(product.0[i][j].radius_hi() < 1e-14);
                }
                let truth = (0..3).map(|k| a[i][k] * point[k]).sum::<i128>() + a[i][3] * 1000;
                assert!(holds(image[i], truth, 6), "{a:?} {point:?}");
            }
        }
    }

    #[test]
    fn never_outside_truth_rotate() {
        let exact = |n: i128| Interval::from_decimal(n as f64);
        // About (1, 1, 1) a third of a turn goes from x to y to z; about x, a quarter from y to z; 60° have cosine ½.
        let third = Affine::rotate([exact(1); 3], exact(120)).0;
        let quarter = Affine::rotate([exact(7), exact(0), exact(0)], exact(90)).0;
        let turns = [(third, [[0, 0, 1], [1, 0, 0], [0, 1, 0]]), (quarter, [[1, 0, 0], [0, 0, -1], [0, 1, 0]])];
        for (found, truth) in turns {
            for (found, truth) in found.iter().flatten().zip(truth.map(|[a, b, c]| [a, b, c, 0]).as_flattened()) {
                assert!(found.contains(f64::from(*truth)) && found.radius_hi() < 1e-14, "{found:?} {truth}");
            }
        }
        let sixth = Affine::rotate([exact(0), exact(0), exact(-3)], exact(60)).0;
        assert!(sixth[0][0].contains(0.5) && sixth[1][1].contains(0.5) && sixth[1][0].hi() < 0.0);
        // sin² = ¾.
        assert!(sixth[1][0].square().contains(0.75) && sixth[0][1].square().contains(0.75));
    }

    #[test]
    fn a_turn_is_no_mirror() {
        let scale = |x: f64, y: f64, z: f64| Affine::scale([x, y, z].map(Interval::from_decimal));
        assert!(!Affine::turn_x_up().mirrors() && !Affine::turn_y_up().mirrors() && !scale(-1.0, 0.5, -2.0).mirrors());
        assert!(scale(1.0, -0.001, 1.0).mirrors() && Affine::turn_y_up().then(&scale(-1.0, -1.0, -1.0)).mirrors());
    }
}
