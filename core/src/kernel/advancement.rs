//! The advancement rule: how long does a direction keep two pieces apart that it separates at one moment?

use super::bounds::Moment;
use super::scene::Scene;
use super::separation::{scaled, turned};
use super::shape::{Pair, Shape};
use crate::motion::RigidMotion;
use crate::mutant::mutant;
use crate::scalar::{Scalar, Vec3};

/// A direction at one moment, turned into both bodies' frames.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'m, S> {
    pub(super) moment: &'m Moment<S>,
    n: Vec3<S>,
    along: [Vec3<S>; 2],
    base: S,
    norm_hi: S,
}

impl<'m, S: Scalar> Aim<'m, S> {
    /// Prepares a direction, pointing from the first body to the second; `None` if it is zero or not finite.
    pub fn new(moment: &'m Moment<S>, direction: Vec3<S>) -> Option<Self> {
        let (n, norm_hi) = scaled(direction)?;
        let [a, b] = &moment.places;
        let base = n.dot(b.position - a.position);
        Some(Self { moment, n, along: [turned(a, n), turned(b, -n)], base, norm_hi })
    }

    /// A lower bound of `n·(y − x)` at the moment for all points `x`, `y` of the pieces' primitives, and both radii. Why it is
    /// one is said at [`Probe::separates`](super::Probe::separates), for one end and without a margin.
    fn gap_lo(&self, scene: &Scene<'_, S>, pair: &Pair<'_, S>) -> Option<(S, [S; 2])> {
        if !(self.moment.revision == scene.revision() && pair.revision == scene.revision()) {
            return None;
        }
        let ([a, b], [along_a, along_b]) = (pair.shapes(), self.along);
        let (reach_a, reach_b) = (a.reach(along_a), b.reach(along_b));
        let (radius_a, radius_b) = (a.radius(), if mutant!(AimRadiusDropped) { S::ZERO } else { b.radius() });
        let bounds = scene.bounds();
        let error_hi = if mutant!(AimErrorDropped) { S::ZERO } else { bounds.error_hi };
        let lost = radius_a.add_hi(radius_b).add_hi(error_hi).mul_hi(self.norm_hi).add_hi(bounds.gap_rounding_hi);
        Some(((self.base - reach_a - reach_b).sub_lo(lost), [radius_a, radius_b]))
    }

    /// How far apart two pieces are at the moment, at least; at most 0 if the direction shows nothing.
    ///
    /// # Soundness
    /// Every point of the one piece's primitives is at least `distance_lo` from every point of the other's:
    /// `‖y − x‖ ≥ n·(y − x) / ‖n‖`. `None` if the moment or the pair is not of this scene.
    pub fn distance_lo(&self, scene: &Scene<'_, S>, pair: &Pair<'_, S>) -> Option<S> {
        let (gap_lo, _) = self.gap_lo(scene, pair)?;
        // A negative gap would have to be divided by a lower bound of the length.
        if gap_lo > S::ZERO { Some(gap_lo.div_lo(self.norm_hi)) } else { Some(S::ZERO) }
    }

    /// Until when does the direction keep these two pieces further apart than the margin? At most 1.
    ///
    /// Tang, Manocha and Kim 2014, Eq. 2 with Lemma 4.1 for swept sphere volumes and hulls and Lemma 4.2 for triangles. The
    /// radius is in the bound as printed. `None` if they are not apart at the moment, or if it is not of this scene.
    ///
    /// # Soundness
    /// With `gap` the proven separation along `n` at the moment, beyond the margin, and `µ` an upper bound of its closing
    /// speed for all later times, `Some(t)` has `t − moment < gap / µ`, or is 1 where `µ ≤ 0` or the quotient reaches it. For a
    /// [screw](RigidMotion::screw) `µ` is that of the motion next to it, whose gap is greater than `gap` at the moment by what
    /// is between the two, which is part of the errors; so at a later time there is still that much to lose.
    pub fn apart_until(&self, scene: &Scene<'_, S>, pair: &Pair<'_, S>) -> Option<S> {
        let (gap_lo, [radius_a, radius_b]) = self.gap_lo(scene, pair)?;
        let margin = if mutant!(AimMarginDropped) { S::ZERO } else { scene.bounds().margin };
        let gap_lo = gap_lo.sub_lo(margin.mul_hi(self.norm_hi));
        if !(gap_lo > S::ZERO) {
            return None;
        }
        let ([motion_a, motion_b], bounds) = (scene.motions(), scene.bounds());
        let spread = |motion: &RigidMotion<S>, body: usize, shape, radius: S| {
            // A body that hardly turns is not looked at more closely.
            let whole_hi = bounds.swings.get(body)?.whole_hi;
            if whole_hi <= bounds.gap_rounding_hi {
                return Some(whole_hi);
            }
            Some(motion.spin_hi(self.n).mul_hi(scene.arm_hi(body, shape)?.add_hi(radius)))
        };
        let drift_b = motion_b.drift_hi(if mutant!(SpeedSign) { self.n } else { -self.n });
        let [a, b] = pair.shapes();
        let speed_hi = (motion_a.drift_hi(self.n).add_hi(drift_b))
            .add_hi(spread(motion_a, 0, a, radius_a)?)
            .add_hi(spread(motion_b, 1, b, radius_b)?);
        // Less than the gap in all the time that there is: the quotient would be above 1, and might not fit. (The gap itself is
        // more than `gap_lo`, which counts more roundings than there are.)
        if speed_hi <= S::ZERO || speed_hi < gap_lo {
            return Some(S::ONE);
        }
        let until = self.moment.time.add_lo(gap_lo.div_lo(speed_hi));
        // A step too small for the scalar rounds below the start and is no advance.
        (until > self.moment.time).then(|| until.min(S::ONE))
    }
}

impl<S: Scalar> Scene<'_, S> {
    /// The greatest distance of a shape of body 0 or 1 from the axis that it turns about: Eq. 6, without the radius.
    ///
    /// # Soundness
    /// No core point of the shape (of a node: no point of its rectangle) is further from the true axis than `arm_hi`. A convex
    /// function is greatest at a corner; the errors are counted in [`Bounds::new`](super::Bounds).
    #[inline]
    pub fn arm_hi(&self, body: usize, shape: &Shape<'_, S>) -> Option<S> {
        let motion = self.motions().into_iter().nth(body)?;
        let (axis, centre) = (motion.axis(), motion.centre());
        let arm_hi = match shape {
            Shape::Node(n) => {
                let (c, u, v) = ((n.centre - centre).cross(axis), n.half_u.cross(axis), n.half_v.cross(axis));
                let (u, v) = if mutant!(ArmOfCentre) { (Vec3::ZERO, Vec3::ZERO) } else { (u, v) };
                S::longest_hi([c + u + v, c + u - v, c - u + v, c - u - v].map(Vec3::to_array))
            }
            Shape::Triangle(_) | Shape::Hull(..) => {
                S::longest_hi(shape.points().map(|x| (x - centre).cross(axis).to_array()))
            }
        };
        let error_hi = self.bounds().swings.get(body)?.arm_error_hi;
        Some(arm_hi.add_hi(if mutant!(ArmErrorDropped) { S::ZERO } else { error_hi }))
    }
}
