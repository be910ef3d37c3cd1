//! The advancement rule: how long does a direction keep two pieces apart that it separates at one moment?

use super::bounds::{Moment, Swing};
use super::enclosure::Model;
use super::hull::{Piece, PieceKind};
use super::scene::Scene;
use super::separation::{scaled, turned};
use crate::motion::{RigidMotion, root_hi};
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
    fn gap_lo(&self, scene: &Scene<'_, S>, pieces: [Piece; 2]) -> Option<(S, [S; 2])> {
        let ([model_a, model_b], [piece_a, piece_b], [along_a, along_b]) = (scene.models(), pieces, self.along);
        let ([reach_a], radius_a) = model_a.reach(piece_a, &[along_a])?;
        let ([reach_b], radius_b) = model_b.reach(piece_b, &[along_b])?;
        let radius_b = if mutant!(AimRadiusDropped) { S::ZERO } else { radius_b };
        let bounds = scene.bounds();
        let error_hi = if mutant!(AimErrorDropped) { S::ZERO } else { bounds.error_hi };
        let lost = radius_a.add_hi(radius_b).add_hi(error_hi).mul_hi(self.norm_hi).add_hi(bounds.gap_rounding_hi);
        Some(((self.base - reach_a - reach_b).sub_lo(lost), [radius_a, radius_b]))
    }

    /// How far apart two pieces are at the moment, at least; at most 0 if the direction shows nothing.
    ///
    /// # Soundness
    /// Every point of the one piece's primitives is at least `distance_lo` from every point of the other's:
    /// `‖y − x‖ ≥ n·(y − x) / ‖n‖`. `None` if the moment is not of this scene.
    pub fn distance_lo(&self, scene: &Scene<'_, S>, pieces: [Piece; 2]) -> Option<S> {
        if self.moment.revision != scene.revision() {
            return None;
        }
        let (gap_lo, _) = self.gap_lo(scene, pieces)?;
        // A negative gap would have to be divided by a lower bound of the length.
        if gap_lo > S::ZERO { Some(gap_lo.div_lo(self.norm_hi)) } else { Some(S::ZERO) }
    }

    /// Until when does the direction keep these two pieces further apart than the margin? At most 1. The moment must be of
    /// this scene (the [`Ledger`](super::Ledger) sees to that).
    ///
    /// Tang, Manocha and Kim 2014, Eq. 2 with Lemma 4.1 for swept sphere volumes and hulls and Lemma 4.2 for triangles. The
    /// radius is in the bound as printed. `None` if they are not apart at the moment.
    ///
    /// # Soundness
    /// With `gap` the proven separation along `n` at the moment, beyond the margin, and `µ` an upper bound of its closing
    /// speed for all later times, `Some(t)` has `t − moment < gap / µ`, or is 1 where `µ ≤ 0` or the quotient reaches it.
    pub fn apart_until(&self, scene: &Scene<'_, S>, pieces: [Piece; 2]) -> Option<S> {
        let (gap_lo, [radius_a, radius_b]) = self.gap_lo(scene, pieces)?;
        let margin = if mutant!(AimMarginDropped) { S::ZERO } else { scene.bounds().margin };
        let gap_lo = gap_lo.sub_lo(margin.mul_hi(self.norm_hi));
        if !(gap_lo > S::ZERO) {
            return None;
        }
        let ([model_a, model_b], [motion_a, motion_b], [piece_a, piece_b]) = (scene.models(), scene.motions(), pieces);
        let bounds = scene.bounds();
        let spread = |motion: &RigidMotion<S>, swing: &Swing<S>, model: &Model<'_, S>, piece, radius: S| {
            // A body that hardly turns is not looked at more closely.
            if swing.whole_hi <= bounds.gap_rounding_hi {
                return Some(swing.whole_hi);
            }
            let arm = arm_hi(motion, model, piece)?.add_hi(swing.arm_error_hi);
            Some(motion.spin_hi(self.n).mul_hi(arm.add_hi(radius)))
        };
        let [swing_a, swing_b] = &bounds.swings;
        let drift_b = motion_b.drift_hi(if mutant!(SpeedSign) { self.n } else { -self.n });
        let speed_hi = (motion_a.drift_hi(self.n).add_hi(drift_b))
            .add_hi(spread(motion_a, swing_a, model_a, piece_a, radius_a)?)
            .add_hi(spread(motion_b, swing_b, model_b, piece_b, radius_b)?);
        if speed_hi <= S::ZERO {
            return Some(S::ONE);
        }
        let until = self.moment.time.add_lo(gap_lo.div_lo(speed_hi));
        // A step too small for the scalar rounds below the start and is no advance.
        (until > self.moment.time).then(|| until.min(S::ONE))
    }
}

/// The greatest distance of a piece's core points from the axis of rotation, up to the body's `arm_error_hi`: Eq. 6.
#[inline]
fn arm_hi<S: Scalar>(motion: &RigidMotion<S>, model: &Model<'_, S>, piece: Piece) -> Option<S> {
    let (axis, centre) = (motion.axis(), motion.centre());
    let square = |v: Vec3<S>| v.dot(v);
    let most = match piece.kind() {
        PieceKind::Node(i) => {
            let n = model.nodes().get(i)?;
            let (c, u, v) = ((n.centre - centre).cross(axis), n.half_u.cross(axis), n.half_v.cross(axis));
            let (u, v) = if mutant!(ArmOfCentre) { (Vec3::ZERO, Vec3::ZERO) } else { (u, v) };
            let ([p, q], [r, s]) = ([c + u + v, c + u - v], [c - u + v, c - u - v]);
            square(p).max(square(q)).max(square(r).max(square(s)))
        }
        PieceKind::Primitive(i) => {
            let (points, _) = model.geometry().primitive(i)?;
            points.as_slice().iter().fold(S::ZERO, |most, x| most.max(square((*x - centre).cross(axis))))
        }
    };
    Some(root_hi(most))
}
