//! How the links of a chain move during an interval: bounds on speed and acceleration, and the room that they sweep.
//!
//! **Computes**, for points of a link, how far they get and how much their trajectories bend, relative to a frame.
//! **Invariant**: every number bounds the true motion, since it is made of outward maxima over the whole interval.
//! **Follows** the kinematics of a point in a moving frame: `‖ẍ‖ ≤ Σ (‖l‖ + |q|)·(W² + A) + 2·W·|q̇| + |q̈|` over the
//! joints. **Departs**: the sum is taken from the link upwards, joint by joint, with the distance from the joint's axis
//! in place of that from its origin where it is known.

use super::Placement;
use super::chain::{ChainError, ChainMotion, Frame, PlacementError, upward};
use super::link::{Link, LinkIndex};
use crate::mutant::mutant;
use crate::scalar::{Interval, Scalar, Vec3};

/// How one joint moves during an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointSweep<S> {
    /// `max|q|`.
    value_hi: S,
    /// `h·max|q̇|`, `h` the duration.
    step_hi: S,
    /// `h²·max|q̈|`.
    bend_hi: S,
}

impl<S: Scalar> JointSweep<S> {
    /// A place for one in storage, of which nothing is known.
    pub const UNKNOWN: Self = Self { value_hi: S::GREATEST, step_hi: S::GREATEST, bend_hi: S::GREATEST };
}

/// Some points of a link, by how far they are at most from its origin and from the axis that it turns about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Points<S> {
    /// From the link's origin.
    pub reach_hi: S,
    /// From the axis of the link's joint if that turns, or else from the link's origin; see [`Link::arm_hi`].
    pub arm_hi: S,
}

impl<S: Scalar> Points<S> {
    /// All points within a distance of the link's origin.
    pub fn within(reach_hi: S) -> Self {
        Self { reach_hi, arm_hi: reach_hi }
    }

    /// One point.
    ///
    /// # Soundness
    /// `‖x‖ ≤ reach_hi` and the distance of `x` from the link's axis is at most `arm_hi`.
    pub fn one(link: &Link<S>, x: Vec3<S>) -> Self {
        Self { reach_hi: x.norm_hi(), arm_hi: link.arm_hi(x) }
    }
}

/// How points move during an interval of duration `h`, relative to a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sway<S> {
    /// At least `h·max‖ẋ‖`.
    pub step_hi: S,
    /// At least `h²·max‖ẍ‖`.
    pub bend_hi: S,
}

impl<S: Scalar> ChainMotion<'_, S> {
    /// How all joints move between two times in `[0, 1]`.
    ///
    /// # Soundness
    /// Each bounds the true joint's `|q|`, `h·|q̇|` and `h²·|q̈|` during the whole interval.
    pub fn sweeps(&self, from: S, until: S, sweeps: &mut [JointSweep<S>]) -> Result<(), ChainError> {
        let sweeps = sweeps.get_mut(..self.links.len()).ok_or(ChainError::TooShort)?;
        for (sweep, (link, path)) in sweeps.iter_mut().zip(self.driven()) {
            let (factor, summand) = link.gear_hi();
            let Some(path) = path else {
                *sweep = JointSweep::UNKNOWN;
                continue;
            };
            let [value_hi, step_hi, bend_hi] = path.sweep(from, until);
            *sweep = if link.driver().is_some() {
                let value_hi = value_hi.mul_hi(factor).add_hi(summand);
                JointSweep { value_hi, step_hi: step_hi.mul_hi(factor), bend_hi: bend_hi.mul_hi(factor) }
            } else {
                JointSweep { value_hi, step_hi, bend_hi }
            };
        }
        Ok(())
    }

    /// How far some points of a link get, and how much their trajectories bend, in a frame during an interval; nothing is
    /// known if the frame is no ancestor of the link.
    ///
    /// # Soundness
    /// With the interval's [`sweeps`](ChainMotion::sweeps): `h·‖ẋ‖ ≤ step_hi` and `h²·‖ẍ‖ ≤ bend_hi` at every time of
    /// it, for the true trajectory `x` of each of the points relative to the frame.
    pub fn sway(&self, sweeps: &[JointSweep<S>], frame: Frame, link: LinkIndex, points: Points<S>) -> Sway<S> {
        let end = self.climb(sweeps, frame, link, points, Sway::NONE, |sway, level| {
            Some(sway.beyond(&level, level.points.arm_hi))
        });
        end.unwrap_or(Sway::UNKNOWN)
    }

    /// As [`sway`](ChainMotion::sway), for the points of a ball, and tighter: the distances from the axes are those at
    /// the two ends of the interval, given as the poses of the links in the frames of their parents, and what they can
    /// grow by in between.
    ///
    /// # Soundness
    /// As [`sway`](ChainMotion::sway), for every point of the link within `radius_hi` of `centre`, if `ends` are the
    /// [`locals`](ChainMotion::locals) at both ends of the interval.
    pub fn ball_sway(
        &self,
        sweeps: &[JointSweep<S>],
        ends: [&[Placement<S>]; 2],
        frame: Frame,
        link: LinkIndex,
        (centre, radius_hi): (Vec3<S>, S),
    ) -> Sway<S> {
        let Some(last) = self.links.get(link.get()) else { return Sway::UNKNOWN };
        let one = Points::one(last, centre);
        let points = Points { reach_hi: one.reach_hi.add_hi(radius_hi), arm_hi: one.arm_hi.add_hi(radius_hi) };
        // The sway, the computed centre at both ends in the frame of the link reached, and how far the true ones are
        // from it.
        let first = (Sway::<S>::NONE, [centre; 2], S::ZERO);
        let end = self.climb(sweeps, frame, link, points, first, |(sway, places, error_hi), level| {
            // A point's distance from the axis is a convex function of its place, so on the chord it is no greater than
            // at the ends; the trajectory is within an eighth of its bend of the chord, and the ball's points within
            // its radius.
            let ends_hi = level.link.arms_hi(places, level.points.reach_hi.add_hi(error_hi));
            let bulge = sway.bend_hi.mul_hi(S::from_f64_hi(0.125));
            let bulge = if mutant!(ArmOfEnds) { S::ZERO } else { bulge };
            let arm_hi = ends_hi.add_hi(bulge).add_hi(radius_hi).add_hi(error_hi).min(level.points.arm_hi);
            // R̂·p̂ + l̂ errs by what the parts do, as in a product of poses; its roundings are below 11 of numbers of
            // twice the distance in the parent's frame.
            let [from, until] = ends;
            let (from, until) = (from.get(level.index.get())?, until.get(level.index.get())?);
            let [p, q] = places;
            let next = [from.rotation.apply(p) + from.position, until.rotation.apply(q) + until.position];
            let local = &self.local_error;
            let far = level.above.reach_hi.add_hi(error_hi).add_hi(local.position_hi);
            let error_hi = error_hi
                .add_hi(local.turn_hi.mul_hi(far))
                .add_hi(local.position_hi)
                .add_hi(S::rounding_hi(11, far.add_hi(far)));
            Some((sway.beyond(&level, arm_hi), next, error_hi))
        });
        end.map_or(Sway::UNKNOWN, |(sway, ..)| sway)
    }

    /// How far some points of a link can be from where they should be, in a frame, if the value of each joint is off by
    /// no more than its tolerance, in radians or metres. A joint that follows another is off by that one's tolerance
    /// times its multiplier, and by its own.
    ///
    /// # Soundness
    /// With the interval's [`sweeps`](ChainMotion::sweeps): `‖x' − x‖ ≤ astray_hi` at every time of it, where `x'` is
    /// where the point is for joint values that each differ from the path's by at most their tolerance.
    pub fn astray_hi(
        &self,
        sweeps: &[JointSweep<S>],
        tolerances: &[S],
        frame: Frame,
        link: LinkIndex,
        points: Points<S>,
    ) -> S {
        let end = self.climb(sweeps, frame, link, points, S::ZERO, |astray, Level { link, index, points, .. }| {
            if !link.moves() {
                return Some(astray);
            }
            let own = tolerances.get(index.get())?.abs();
            let tolerance = match link.driver() {
                Some(driver) => tolerances.get(driver.get())?.abs().mul_hi(link.gear_hi().0).add_hi(own),
                None => own,
            };
            // R(q')·p' − R(q)·p = R(q')·(p' − p) + (R(q') − R(q))·p, and a turn by δ moves p by no more than δ times its
            // distance from the axis. A slide by δ moves it by δ.
            let arm_hi = if mutant!(AstrayArmDropped) { S::ZERO } else { points.arm_hi };
            let moved = if link.turns() { tolerance.mul_hi(arm_hi) } else { tolerance };
            Some(astray.add_hi(moved))
        });
        end.unwrap_or(S::GREATEST)
    }

    /// Walks from a link up to a frame; `step` is told where the points are in the frame of each link on the way.
    fn climb<T>(
        &self,
        sweeps: &[JointSweep<S>],
        frame: Frame,
        link: LinkIndex,
        mut points: Points<S>,
        first: T,
        step: impl Fn(T, Level<'_, S>) -> Option<T>,
    ) -> Option<T> {
        upward(self.links, frame, link)?.try_fold(first, |state, index| {
            let index = index?;
            let (link, sweep) = (self.links.get(index.get())?, sweeps.get(index.get())?);
            // In the parent's frame a point is within ‖l‖ + |q| + ‖p‖ of the origin, and from the axis as far as l is,
            // and then no further than |q| + ‖p‖ more.
            let slide = if link.moves() && !link.turns() { sweep.value_hi } else { S::ZERO };
            let beyond = points.reach_hi.add_hi(slide);
            let above = Points { reach_hi: link.length_hi.add_hi(beyond), arm_hi: link.offset_hi.add_hi(beyond) };
            let next = step(state, Level { index, link, sweep, points, above })?;
            points = above;
            Some(next)
        })
    }
}

/// A link on the way up: its joint's sweep, and where some points are in its frame and in that of its parent.
struct Level<'a, S> {
    index: LinkIndex,
    link: &'a Link<S>,
    sweep: &'a JointSweep<S>,
    points: Points<S>,
    above: Points<S>,
}

impl<S: Scalar> Sway<S> {
    const NONE: Self = Self { step_hi: S::ZERO, bend_hi: S::ZERO };
    const UNKNOWN: Self = Self { step_hi: S::GREATEST, bend_hi: S::GREATEST };

    /// What it becomes in the frame of the parent, for points within `arm_hi` of the link's axis.
    fn beyond(self, level: &Level<'_, S>, arm_hi: S) -> Self {
        let (Self { step_hi: s, bend_hi: b }, JointSweep { step_hi, bend_hi, .. }) = (self, *level.sweep);
        if !level.link.moves() {
            return self;
        }
        // Let p be the point in the link's frame, r from its axis a, with s ≥ h‖ṗ‖ and b ≥ h²‖p̈‖; θ = h|q̇| and α =
        // h²|q̈|. A joint that turns takes it to p' = l + R·p in the frame of the parent, and
        //   ṗ' = R·(ṗ + q̇ a×p),  p̈' = R·(p̈ + 2q̇ a×ṗ + q̈ a×p + q̇² a×(a×p)):  s' = s + θ·r,  b' = b + 2θ·s + (α + θ²)·r.
        // One that slides takes it to p' = l + q·w + R·p: s' = s + θ, b' = b + α. What turns further up turns this too.
        if !level.link.turns() {
            return Self { step_hi: s.add_hi(step_hi), bend_hi: b.add_hi(bend_hi) };
        }
        let coriolis = if mutant!(CoriolisDropped) { S::ZERO } else { step_hi.mul_hi(s.add_hi(s)) };
        let own = bend_hi.add_hi(step_hi.mul_hi(step_hi)).mul_hi(arm_hi);
        Self { step_hi: s.add_hi(step_hi.mul_hi(arm_hi)), bend_hi: b.add_hi(coriolis).add_hi(own) }
    }
}

/// The room that a ball fixed to a link sweeps during an interval, as a box along the axes of a frame.
///
/// # Soundness
/// Contains every point within `radius_hi` of the link's true point `centre`, at every time of an interval, given the
/// computed poses of the link at its two ends, what they err by, and at least `h²·max‖ẍ‖` of that point, all in one
/// frame.
pub fn swept<S: Scalar>(
    ends: [&Placement<S>; 2],
    error: &PlacementError<S>,
    bend_hi: S,
    centre: Vec3<S>,
    radius_hi: S,
) -> Vec3<Interval<S>> {
    let at = ends.map(|place| place.rotation.apply(centre) + place.position);
    // The chord rule for each coordinate: it stays within bend/8 of the chord, and that between its ends. A component
    // of the computed ends takes 6 operations below 2·‖c‖ + ‖p‖₁.
    let reach_hi = centre.norm_hi();
    let bulge = if mutant!(SweptChord) { S::ZERO } else { bend_hi.mul_hi(S::from_f64_hi(0.125)) };
    let rounding = S::rounding_hi(6, reach_hi.add_hi(reach_hi).add_hi(error.position_hi));
    let slack = radius_hi.add_hi(bulge).add_hi(error.at_hi(reach_hi)).add_hi(rounding);
    let side = |a: S, b: S| {
        let room = Interval::new(a.min(b).sub_lo(slack), a.max(b).add_hi(slack));
        // A plain result beyond the scalar's range could be anything.
        if slack.is_finite() { room } else { Interval::ENTIRE }
    };
    let [a, b] = at;
    Vec3::new(side(a.x, b.x), side(a.y, b.y), side(a.z, b.z))
}
