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
