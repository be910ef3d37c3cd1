//! Placements as intervals, to prove with.
//!
//! An angle of zero is no turn at all, so that what a file leaves straight stays exactly so.

use crate::convert::decimal;
use crate::placement::Placement;
use avert::{Interval, Pose, Quaternion};

/// The axes that a placement turns about, first to last, with their angles: Rz(yaw)·Ry(pitch)·Rx(roll) begins with x.
fn turns(placement: &Placement) -> impl Iterator<Item = (usize, Interval<f64>)> {
    placement.rpy.map(decimal).into_iter().enumerate().filter(|(_, angle)| *angle != Interval::ZERO)
}

/// A placement as the library takes it.
///
/// # Soundness
/// Contains the unit quaternion (one of the two) and the position of every placement whose decimals parse to these
/// numbers.
pub(crate) fn pose(placement: &Placement) -> Pose<Interval<f64>> {
    let turns = turns(placement).map(|(axis, angle)| {
        let half = angle * Interval::point(0.5);
        let mut v = [Interval::ZERO; 3];
        v.iter_mut().skip(axis).take(1).for_each(|slot| *slot = half.sin());
        Quaternion { w: half.cos(), v: v.into() }
    });
    let rotation = turns.reduce(|first, then| then.times(first));
    let rotation = rotation.unwrap_or(Quaternion::<f64>::IDENTITY.map(Interval::point));
    Pose { rotation, position: placement.xyz.map(decimal).into() }
}

/// A placement that is applied to many points.
pub(crate) struct Place {
    /// Axis, sine and cosine.
    turns: Vec<(usize, Interval<f64>, Interval<f64>)>,
    shift: [Interval<f64>; 3],
}

impl Place {
    pub(crate) fn new(placement: &Placement) -> Self {
        let turns = turns(placement).map(|(axis, angle)| (axis, angle.sin(), angle.cos())).collect();
        Self { turns, shift: placement.xyz.map(decimal) }
    }

    /// # Soundness
    /// Contains the image of every point inside, for every placement whose decimals parse to the given numbers.
    pub(crate) fn apply(&self, point: [Interval<f64>; 3]) -> [Interval<f64>; 3] {
        let turned = self.turns.iter().fold(point, |[x, y, z], (axis, s, c)| match axis {
            0 => [x, *c * y - *s * z, *s * y + *c * z],
            1 => [*c * x + *s * z, y, *c * z - *s * x],
            _ => [*c * x - *s * y, *s * x + *c * y, z],
        });
        let [[x, y, z], [a, b, c]] = [turned, self.shift];
        [x + a, y + b, z + c]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_PI_2, PI};

    fn spread(i: i32, scale: f64) -> f64 {
        (f64::from(i) * 0.734_157).sin() * scale
    }

    fn random(i: i32) -> Placement {
        let number = |k: i32, scale: f64| spread(7 * i + k, scale);
        Placement {
            xyz: [number(0, 1.0), number(1, 2.0), number(2, 0.1)],
            rpy: [number(3, 3.2), number(4, 3.2), number(5, 9.0)],
        }
    }

    /// The rotation of a quaternion, by the formula that holds for those of length 1.
    fn turned(q: Quaternion<f64>, [x, y, z]: [f64; 3]) -> [f64; 3] {
        let (w, [a, b, c]) = (q.w, q.v.to_array());
        let cross = |[a, b, c]: [f64; 3], [x, y, z]: [f64; 3]| [b * z - c * y, c * x - a * z, a * y - b * x];
        let [p, q, r] = cross([a, b, c], [x, y, z]).map(|x| 2.0 * x);
        let [s, t, u] = cross([a, b, c], [p, q, r]);
        [x + w * p + s, y + w * q + t, z + w * r + u]
    }

    #[test]
    fn never_outside_truth_apply() {
        // The decimals of ½ and 2 are exact, so these images are: by quarter turns that are only near to π/2, the point
        // (0, 1, 0) goes to within 10⁻¹⁵ of (0, 0, 1), (1, 0, 0), (0, 1, 0).
        let quarters = Placement { xyz: [0.5, 2.0, -4.0], rpy: [FRAC_PI_2; 3] };
        let image = Place::new(&quarters).apply([Interval::ZERO, Interval::ONE, Interval::ZERO]);
        for (found, truth) in image.iter().zip([0.5, 3.0, -4.0]) {
            assert!((found.mid() - truth).abs() < 1e-15 && found.radius_hi() < 3e-15, "{found:?}");
        }
        // Rz(0.3)·Ry(−1.1)·Rx(2.5)·(0.25, −0.5, 0.75) + (0.1, 0.2, 0.3), calculated with 50 digits and rounded.
        let known = Placement { xyz: [0.1, 0.2, 0.3], rpy: [2.5, -1.1, 0.3] };
        let image = Place::new(&known).apply([0.25, -0.5, 0.75].map(Interval::point));
        for (found, truth) in
            image.iter().zip([0.988_945_094_020_09, 0.424_443_366_323_369_9, 0.114_522_790_804_242_12])
        {
            // Rounding is monotone, so the rounded number is inside if the true one is.
            assert!(found.contains(truth) && found.radius_hi() < 5e-15, "{found:?} {truth}");
        }
        for i in 0..500 {
            let placement = random(i);
            let point = [spread(i, 0.3), spread(i + 1, 0.5), spread(i + 2, 0.7)];
            let image = Place::new(&placement).apply(point.map(Interval::point));
            for (found, plain) in image.iter().zip(placement.frame().apply(point)) {
                assert!(found.radius_hi() < 1e-14 && (found.mid() - plain).abs() < 1e-14, "{placement:?}");
            }
        }
    }

    #[test]
    fn never_outside_truth_pose() {
        for i in 0..500 {
            let placement = random(i);
            let Pose { rotation, position } = pose(&placement);
            let norm = rotation.w.square() + rotation.v.x.square() + rotation.v.y.square() + rotation.v.z.square();
            assert!(norm.contains(1.0) && norm.radius_hi() < 3e-14, "{norm:?}");
            assert!(position.to_array().iter().zip(placement.xyz).all(|(found, x)| found.contains(x)));
            let point = [spread(i, 0.3), spread(i + 1, 0.5), spread(i + 2, 0.7)];
            let images = turned(rotation.map(Interval::mid), point);
            let plain = Placement { xyz: [0.0; 3], ..placement }.frame().apply(point);
            assert!(images.iter().zip(plain).all(|(a, b)| (a - b).abs() < 1e-14), "{placement:?}");
        }
        // Half a turn about y: the real part is the cosine of what is near to π/2.
        let half = pose(&Placement { xyz: [0.0; 3], rpy: [0.0, PI, 0.0] });
        assert!(half.rotation.w.contains(FRAC_PI_2.cos()) && half.rotation.w.radius_hi() < 1e-15);
        assert!(half.rotation.v.y.contains(1.0) && half.rotation.v.x == Interval::ZERO);
    }

    #[test]
    fn what_is_straight_stays_exact() {
        assert_eq!(pose(&Placement::default()), Pose::<f64>::IDENTITY.into());
        let roll = pose(&Placement { xyz: [0.0, 0.1, 0.0], rpy: [0.7, 0.0, 0.0] });
        assert!(roll.rotation.v.y == Interval::ZERO && roll.rotation.v.z == Interval::ZERO);
        assert!(roll.position.x == Interval::ZERO && roll.position.y.radius_hi() > 0.0);
    }
}
