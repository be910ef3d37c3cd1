//! Rotations in interval arithmetic: that of a pose, and the shortest one between two.

use super::rigid::MotionError;
use crate::scalar::{Interval, Mat3, Pose, Quaternion, Scalar, Vec3};

/// The shortest rotation from one pose to another.
pub(super) struct Turn<S> {
    /// The first pose's rotation.
    pub(super) first: Mat3<Interval<S>>,
    /// The second pose's rotation.
    pub(super) last: Mat3<Interval<S>>,
    /// `None` where the rotation is too small to have a certain one.
    pub(super) axis: Option<Vec3<Interval<S>>>,
    pub(super) angle: Interval<S>,
    /// The cosine and the sine of half the angle, both times some length.
    pub(super) half: [Interval<S>; 2],
}

impl<S: Scalar> Turn<S> {
    pub(super) fn shortest(from: &Pose<Interval<S>>, to: &Pose<Interval<S>>) -> Result<Self, MotionError> {
        let (first, last) = (rotation(from)?, rotation(to)?);
        // The relative rotation; q and −q are the same, and the one with a positive real part is the shorter.
        let relative = to.rotation.times(from.rotation.conjugate());
        let relative = if relative.w.lo() > S::ZERO {
            relative
        } else if relative.w.hi() < S::ZERO {
            relative.map(|x| -x)
        } else {
            return Err(MotionError::HalfTurn);
        };
        let length = relative.v.norm();
        // tan(θ/2) = length / w; the reciprocal where that is greater than 1 keeps the quotient small.
        let half_angle = if length.hi() <= relative.w.lo() {
            (length / relative.w).atan()
        } else if length.lo() > S::ZERO {
            Interval::pi() * Interval::point(S::HALF) - (relative.w / length).atan()
        } else {
            return Err(MotionError::Imprecise);
        };
        let axis = (length.lo() > S::ZERO).then(|| relative.v.map(|x| x / length));
        Ok(Self { first, last, axis, angle: half_angle + half_angle, half: [relative.w, length] })
    }
}

/// The rotation matrix of a pose's normalised quaternion.
pub(super) fn rotation<S: Scalar>(pose: &Pose<Interval<S>>) -> Result<Mat3<Interval<S>>, MotionError> {
    let Quaternion { w, v } = pose.rotation;
    if !(w.in_range() && v.in_range() && pose.position.in_range()) {
        return Err(MotionError::OutOfRange);
    }
    let square = w.square() + v.x.square() + v.y.square() + v.z.square();
    if !(square.lo() >= S::from_f64_near(0.9801) && square.hi() <= S::from_f64_near(1.0201)) {
        return Err(MotionError::NotUnit);
    }
    let two_over = Interval::point(S::ONE + S::ONE) / square;
    let (xx, yy, zz) = (v.x.square() * two_over, v.y.square() * two_over, v.z.square() * two_over);
    let (xy, yz, zx) = (v.x * v.y * two_over, v.y * v.z * two_over, v.z * v.x * two_over);
    let (wx, wy, wz) = (w * v.x * two_over, w * v.y * two_over, w * v.z * two_over);
    let one = Interval::ONE;
    Ok(Mat3::new([
        Vec3::new(one - (yy + zz), xy - wz, zx + wy),
        Vec3::new(xy + wz, one - (xx + zz), yz - wx),
        Vec3::new(zx - wy, yz + wx, one - (xx + yy)),
    ]))
}
