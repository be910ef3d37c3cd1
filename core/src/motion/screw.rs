//! From one pose to another on a screw: about an axis that is fixed in space, and along it.
//!
//! **Computes** a motion of constant linear and angular velocity that is next to the screw. **Invariant**: how far the two
//! are apart at any time is part of the pose error. **Follows** Redon in Teschner et al. 2005, §2.1.2. **Departs**: no
//! frame of the screw and no motion of its own. A screw is what a rigid motion about a point of its axis is; how well that point
//! was found is measured afterwards.

use super::rigid::{MotionError, RigidMotion};
use super::turn::Turn;
use crate::scalar::{Interval, Pose, Scalar, Vec3};

impl<S: Scalar> RigidMotion<S> {
    /// From one pose to another on a screw, by the shortest rotation: the body turns about an axis that is fixed in space, and
    /// slides along it, both at constant speed. Without a rotation it moves straight.
    ///
    /// Quaternions stand for their normalised selves. A way that is long and hardly turns is known less well than
    /// others, since its axis is far away; [`placement_error_hi`](RigidMotion::placement_error_hi) tells.
    ///
    /// # Soundness
    /// `‖placement(t)(x) − true(t)(x)‖ ≤ placement_error_hi(ρ)` for every body point with `‖x − centre‖ ≤ ρ`, where
    /// `true` is the screw. Every proof is about the motion next to it, whose speeds and accelerations the other
    /// functions bound. At any time it holds for the screw, too, since pose errors are taken off the distance: for the chord
    /// rule at both ends of an interval, and for the advancement rule at its start, hence throughout.
    pub fn screw(from: Pose<S>, to: Pose<S>) -> Result<Self, MotionError> {
        Self::screw_enclosures(from.into(), to.into())
    }

    /// As [`screw`](RigidMotion::screw), for poses that are not known exactly: whatever is proved holds for every screw
    /// from a pose in the first set to one in the second.
    ///
    /// # Soundness
    /// See [`screw`](RigidMotion::screw).
    pub fn screw_enclosures(from: Pose<Interval<S>>, to: Pose<Interval<S>>) -> Result<Self, MotionError> {
        let turn = Turn::shortest(&from, &to)?;
        let about = |centre: Vec3<S>| {
            let motion = Self::along(&turn, &from, &to, centre)?;
            let deviation_hi = deviation_hi(&turn, motion.linear());
            if deviation_hi.in_range() { Ok(motion.within(deviation_hi)) } else { Err(MotionError::OutOfRange) }
        };
        let at_origin = about(Vec3::ZERO);
        let displacement = (to.position - from.position).map(Interval::mid);
        let Some(on_axis) = axis_point(&turn, displacement).map(about) else { return at_origin };
        // Both are right. The axis of a small turn is far away, where rounding costs more than the bow of the way.
        let error = |motion: &Self| motion.placement_error_hi(motion.centre().norm1_hi().add_hi(S::ONE));
        match (at_origin, on_axis) {
            (Ok(at_origin), Ok(on_axis)) if error(&on_axis) < error(&at_origin) => Ok(on_axis),
            (Ok(motion), _) | (Err(_), Ok(motion)) => Ok(motion),
            (Err(error), Err(_)) => Err(error),
        }
    }
}

/// About the body point on the axis of a screw that is nearest to the body's origin, which is displaced as given. Nothing is
/// promised: wherever the point is, the deviation is measured. `None` if there is no certain axis.
fn axis_point<S: Scalar>(turn: &Turn<S>, displacement: Vec3<S>) -> Option<Vec3<S>> {
    let axis = turn.axis?.map(Interval::mid);
    let [cos, sin] = turn.half.map(Interval::mid);
    // From the origin's first place: ½·(d⊥ + cot(θ/2)·a × d⊥), with d⊥ = (a × d) × a.
    let aside = axis.cross(displacement);
    let point = (aside.cross(axis) + aside * cos.div_near(sin)) * S::HALF;
    // No door lets a subnormal number in, and zero is as good.
    let tidy = |x: S| if x.abs() < S::ONE && !x.in_range() { S::ZERO } else { x };
    Some(turn.first.map(Interval::mid).apply_transposed(point).map(tidy))
}

/// How far a screw is from the motion with the same rotation that is straight for some body point, which it moves by `linear`.
///
/// # Soundness
/// At any time no body point is further than `deviation_hi` from where the screw has it.
fn deviation_hi<S: Scalar>(turn: &Turn<S>, linear: Vec3<Interval<S>>) -> S {
    // The rotations are the same at all times, so every body point is off by what that one is; it goes round on a helix
    // instead of along its chord. Along the axis both agree. Across it, with ρ its distance from the axis, β = θ/2 ≤ π/2 and
    // φ = θ·(t − ½), it is at ρ·(cos φ, sin φ) instead of ρ·(cos β, (φ/β)·sin β). The square D of their distance is even in φ,
    // and for 0 < φ ≤ β
    //   (D(0) − D(φ)) / ρ² = (φ/β)·sin β·(2·sin φ − (φ/β)·sin β) − 2·cos β·(1 − cos φ)
    //                      ≥ sin φ·((φ/β)·sin β − 2·cos β·tan(φ/2)) ≥ 0,
    // since sin β/β ≤ sin φ/φ, 1 − cos φ = sin φ·tan(φ/2) and tan(φ/2)/(φ/2) ≤ tan β/β. So they are furthest apart at half
    // time, by ρ·(1 − cos β). The chord is ‖L⊥‖ = 2ρ·sin β long, which makes that ‖L⊥‖/2·tan(θ/4). The tangent is convex, so
    // tan(θ/4) ≤ θ/π for θ ≤ π, and 1/(2π) < 0.16. Without a rotation both are straight.
    let whole_hi = linear.norm().hi();
    // A vague axis can make the product longer than the way itself.
    let across_hi = turn.axis.map_or(whole_hi, |axis| linear.cross(axis).norm().hi().min(whole_hi));
    across_hi.mul_hi(turn.angle.hi()).mul_hi(S::from_f64_hi(0.16))
}
