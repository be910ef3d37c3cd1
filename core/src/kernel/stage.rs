//! Where the bodies of a workcell are at both ends of an interval, and what proofs over it must allow for.
//!
//! **Computes** the [`Span`] of any couple, in the frame of the lowest common ancestor of two links or in the world.
//! **Invariant**: everything here is of one leg and one interval; nobody else can write to it. **Follows** the chord rule with
//! the chain bounds of [`crate::motion`]. **Departs**: what is the same for all couples of a link is computed once an
//! interval, when it is first asked for.

use super::bounds::{Moment, gap_rounding_hi};
use super::enclosure::Model;
use super::leg::Leg;
use super::obligation::{Ledger, Obligation};
use super::scene::Couple;
use super::separation::Span;
use super::start::{Start, parts_to_place, place};
use crate::motion::{Frame, JointSweep, LinkIndex, Placement, PlacementError, Points};
use crate::mutant::mutant;
use crate::robot::{BodyIndex, ObjectIndex};
use crate::scalar::{Interval, Scalar, Vec3};
use crate::verdict::Witness;

/// The caller's memory for [`Stage`].
#[derive(Debug)]
pub struct StageMemory<'w, S> {
    /// Four for every link and payload.
    pub placements: &'w mut [Placement<S>],
    /// One for every link and payload.
    pub sweeps: &'w mut [JointSweep<S>],
    /// One for every link and payload.
    pub seats: &'w mut [Seat<S>],
    /// One for every link and payload.
    pub errors: &'w mut [PlacementError<S>],
}

/// What is known of a link in the world during the interval.
#[derive(Clone, Copy, Debug)]
pub struct Seat<S> {
    /// How far its points can get from the chord between the ends, if that was computed for this interval.
    bulge_hi: Option<S>,
    room: Option<Vec3<Interval<S>>>,
    /// How far they can be from where they should be.
    astray_hi: S,
}

impl<S: Scalar> Seat<S> {
    /// A place for one.
    pub const VACANT: Self = Self { bulge_hi: None, room: None, astray_hi: S::GREATEST };
}

/// All bodies at both ends of an interval.
#[derive(Debug)]
pub struct Stage<'w, S> {
    /// Poses in the frames of the parents and in the world, at the start and at the end.
    locals: [&'w mut [Placement<S>]; 2],
    worlds: [&'w mut [Placement<S>]; 2],
    sweeps: &'w mut [JointSweep<S>],
    seats: &'w mut [Seat<S>],
    errors: &'w mut [PlacementError<S>],
    times: [S; 2],
    /// Of the leg; `None` if nothing here is of any.
    revision: Option<u64>,
    /// Poses that were computed.
    pub(crate) poses: u64,
}

/// A body in a frame during the interval.
#[derive(Clone, Copy)]
struct Presence<S> {
    places: [Placement<S>; 2],
    error: PlacementError<S>,
    /// How far the true trajectories bend from their chords.
    bulge_hi: S,
    /// How far from there the body can be, besides.
    astray_hi: S,
}

impl<S: Scalar> Presence<S> {
    fn swing_hi(&self) -> S {
        self.bulge_hi.add_hi(self.astray_hi)
    }
}

impl<'w, S: Scalar> Stage<'w, S> {
    /// Takes the caller's memory, for so many links and payloads; `None` if it is too little.
    pub fn new(memory: StageMemory<'w, S>, links: usize) -> Option<Self> {
        let StageMemory { placements, sweeps, seats, errors } = memory;
        let (a, rest) = placements.split_at_mut_checked(links)?;
        let (b, rest) = rest.split_at_mut_checked(links)?;
        let (c, rest) = rest.split_at_mut_checked(links)?;
        let d = rest.get_mut(..links)?;
        Some(Self {
            locals: [a, b],
            worlds: [c, d],
            sweeps: sweeps.get_mut(..links)?,
            seats: seats.get_mut(..links)?,
            errors: errors.get_mut(..links)?,
            times: [S::ZERO; 2],
            revision: None,
            poses: 0,
        })
    }

    /// Leaves the leg, if it is at one.
    pub(crate) fn forget(&mut self) {
        self.revision = None;
    }

    /// Goes to an interval of a leg. Says whether it did; if not, nothing is known.
    pub fn go(&mut self, leg: &Leg<'_, '_, S>, from: S, until: S) -> bool {
        let known = self.revision == Some(leg.revision());
        if known && self.times == [from, until] {
            return true;
        }
        if !(S::ZERO <= from && from <= until && until <= S::ONE) {
            self.revision = None;
            return false;
        }
        let [start, end] = self.times;
        self.revision = None;
        let gone = if known {
            // The end that was is often the start that comes.
            let swapped = end == from && start != from;
            if swapped {
                let ([a, b], [c, d]) = (&mut self.locals, &mut self.worlds);
                core::mem::swap(a, b);
                core::mem::swap(c, d);
            }
            let (start, end) = if swapped { (end, start) } else { (start, end) };
            (start == from || self.pose(leg, 0, from)) && (end == until || self.pose(leg, 1, until))
        } else {
            self.enter(leg) && self.pose(leg, 0, from) && self.pose(leg, 1, until)
        };
        let swept = gone && leg.motion.sweeps(from, until, self.sweeps).is_ok();
        if swept {
            self.times = [from, until];
            self.revision = Some(leg.revision());
            self.seats.iter_mut().for_each(|seat| (seat.bulge_hi, seat.room) = (None, None));
        }
        swept
    }

    /// What holds during the whole leg.
    fn enter(&mut self, leg: &Leg<'_, '_, S>) -> bool {
        let tracking = leg.plan.tracking();
        let ready = leg.motion.errors(self.errors).is_ok()
            && self.seats.len() >= leg.motion.links().len()
            && (tracking.is_empty() || leg.motion.sweeps(S::ZERO, S::ONE, self.sweeps).is_ok());
        for (link, seat) in (0..).map(LinkIndex).zip(self.seats.iter_mut()) {
            let astray_hi = match leg.cell.model(link) {
                _ if tracking.is_empty() => S::ZERO,
                None => S::ZERO,
                Some(model) => {
                    leg.motion.astray_hi(self.sweeps, tracking, Frame::World, link, points(leg, link, model))
                }
            };
            *seat = Seat { astray_hi: if mutant!(TrackingDropped) { S::ZERO } else { astray_hi }, ..Seat::VACANT };
        }
        ready
    }

    fn pose(&mut self, leg: &Leg<'_, '_, S>, end: usize, time: S) -> bool {
        let (Some(locals), Some(worlds)) = (self.locals.get_mut(end), self.worlds.get_mut(end)) else { return false };
        self.poses += leg.motion.links().len() as u64;
        leg.motion.locals(time, locals).is_ok() && leg.motion.placements(locals, worlds).is_ok()
    }

    fn is_at(&self, leg: &Leg<'_, '_, S>) -> bool {
        self.revision == Some(leg.revision())
    }

    /// When the interval starts and ends.
    pub fn times(&self) -> [S; 2] {
        self.times
    }

    /// A couple during the interval; `None` if there is no such couple, or the stage is not at this leg.
    ///
    /// # Soundness
    /// As [`Span::new`]: `slack_hi ≥ margin + errors + bulge` of both bodies, in one frame that does not move with either joint
    /// below it, plus how far either can be astray there.
    pub fn span(&mut self, leg: &Leg<'_, '_, S>, couple: Couple) -> Option<Span<S>> {
        let bodies = leg.bodies(couple).filter(|_| self.is_at(leg))?;
        let [a, b] = self.presences(leg, bodies)?;
        let [model_a, model_b] = [leg.model(bodies[0])?, leg.model(bodies[1])?];
        let error_hi = body_error_hi(&a.error, model_a).add_hi(body_error_hi(&b.error, model_b));
        let margin = if mutant!(MarginDropped) { S::ZERO } else { leg.limits(bodies).margin };
        let second_hi = if mutant!(SecondBulgeDropped) { b.astray_hi } else { b.swing_hi() };
        let slack_hi = margin.add_hi(error_hi).add_hi(a.swing_hi()).add_hi(second_hi);
        let rounding_hi = gap_rounding_hi(
            [model_a.extent_hi(), model_b.extent_hi()],
            a.error.position_hi.add_hi(b.error.position_hi),
        );
        let radii = model_a.radius_hi().add_hi(model_b.radius_hi());
        let ([a0, a1], [b0, b1], [from, until]) = (a.places, b.places, self.times);
        let revision = leg.revision();
        let moments = [(from, [a0, b0]), (until, [a1, b1])].map(|(time, places)| Moment {
            time,
            places,
            error_hi,
            revision,
            couple,
        });
        let bulge = a.bulge_hi.add_hi(b.bulge_hi);
        Some(Span::assemble(moments, [slack_hi, bulge], radii.add_hi(radii), rounding_hi))
    }

    fn presences(&mut self, leg: &Leg<'_, '_, S>, bodies: [BodyIndex; 2]) -> Option<[Presence<S>; 2]> {
        Some(match bodies {
            [BodyIndex::Link(a), BodyIndex::Link(b)] => {
                let frame = leg.cell.frame(a, b);
                [self.below(leg, frame, a)?, self.below(leg, frame, b)?]
            }
            [BodyIndex::Link(link), BodyIndex::Object(object)] => {
                [self.in_world(leg, link)?, self.of_object(leg, object)?]
            }
            [BodyIndex::Object(_), _] => return None,
        })
    }

    /// A link in the world.
    fn in_world(&mut self, leg: &Leg<'_, '_, S>, link: LinkIndex) -> Option<Presence<S>> {
        let (model, at) = (leg.cell.model(link)?, link.get());
        let ([a, b], [c, d]) = (&self.locals, &self.worlds);
        let seat = self.seats.get_mut(at)?;
        let bulge_hi = match seat.bulge_hi {
            Some(bulge_hi) => bulge_hi,
            None => {
                let ball = (model.centre(), model.ball_hi());
                let sway = leg.motion.ball_sway(self.sweeps, [a, b], Frame::World, link, ball);
                *seat.bulge_hi.insert(eighth(sway.bend_hi))
            }
        };
        let (places, error) = ([*c.get(at)?, *d.get(at)?], *self.errors.get(at)?);
        Some(Presence { places, error, bulge_hi, astray_hi: seat.astray_hi })
    }

    /// A link in the frame of an ancestor.
    fn below(&self, leg: &Leg<'_, '_, S>, frame: Frame, link: LinkIndex) -> Option<Presence<S>> {
        let model = leg.cell.model(link)?;
        let [a, b] = &self.locals;
        let outer = if mutant!(FrameOfWorld) { Frame::World } else { frame };
        let places = [leg.motion.relative(a, outer, link)?, leg.motion.relative(b, outer, link)?];
        let ball = (model.centre(), model.ball_hi());
        let sway = leg.motion.ball_sway(self.sweeps, [a, b], frame, link, ball);
        let tracking = leg.plan.tracking();
        let astray_hi = match tracking.is_empty() || mutant!(TrackingDropped) {
            true => S::ZERO,
            false => leg.motion.astray_hi(self.sweeps, tracking, frame, link, points(leg, link, model)),
        };
        let error = leg.motion.error(frame, link);
        Some(Presence { places, error, bulge_hi: eighth(sway.bend_hi), astray_hi })
    }

    fn of_object(&self, leg: &Leg<'_, '_, S>, index: ObjectIndex) -> Option<Presence<S>> {
        let object = leg.cell.object(index)?;
        let motion = &object.motion;
        if !object.moves {
            let (places, error) = ([motion.placement(S::ZERO); 2], object.error);
            return Some(Presence { places, error, bulge_hi: S::ZERO, astray_hi: S::ZERO });
        }
        let ([from, until], [start, end]) = (leg.plan.hours(leg.segment), self.times);
        // The hour of a time is a product and two sums of numbers of at most 1; the true one may differ by so much, and the
        // body goes on by its speed times that.
        let hour = |time: S| (from + time * (until - from)).max(S::ZERO).min(S::ONE);
        let hour = |time: S| if mutant!(HourIgnored) { time } else { hour(time) };
        let model = &object.model;
        let arm_hi = motion.axis_distance_hi(model.centre()).add_hi(model.core_hi());
        let late_hi = S::rounding_hi(3, S::ONE).mul_hi(motion.speed_hi(arm_hi));
        let turned_hi = motion.angle_hi().mul_hi(end.sub_hi(start)).mul_hi(until.sub_hi(from));
        let bend_hi = turned_hi.mul_hi(turned_hi).mul_hi(arm_hi);
        let places = [start, end].map(|time| motion.placement(hour(time)));
        Some(Presence { places, error: object.error, bulge_hi: eighth(bend_hi), astray_hi: late_hi })
    }

    /// A witness with its points and its direction in the world, about; they are in the couple's frame before.
    pub(crate) fn witness_in_world(
        &self,
        leg: &Leg<'_, '_, S>,
        bodies: [BodyIndex; 2],
        at_end: bool,
        witness: Witness<S>,
    ) -> Witness<S> {
        let [BodyIndex::Link(a), BodyIndex::Link(b)] = bodies else { return witness };
        let [start, end] = &self.worlds;
        let frame = match leg.cell.frame(a, b) {
            Frame::World => None,
            Frame::Link(link) => if at_end { end } else { start }.get(link.get()),
        };
        let Some(frame) = frame else { return witness };
        let points = witness.points.map(|point| frame.rotation.apply(point) + frame.position);
        Witness { points, direction: frame.rotation.apply(witness.direction), ..witness }
    }

    /// Are the boxes in the world around two bodies further apart than the margin during the whole interval? Never said of an object
    /// that moves.
    ///
    /// # Soundness
    /// `true` implies that at every time of the interval every point of the one body is further than the margin from every point
    /// of the other: each is [in its room](room), and a difference in one coordinate is no more than the distance.
    pub fn rooms_apart(&mut self, leg: &Leg<'_, '_, S>, [a, b]: [BodyIndex; 2], margin: S) -> bool {
        let (Some(a), Some(b)) = (self.room(leg, a), self.room(leg, b)) else { return false };
        let apart = |a: Interval<S>, b: Interval<S>| a.lo().sub_lo(b.hi()) > margin || b.lo().sub_lo(a.hi()) > margin;
        apart(a.x, b.x) || apart(a.y, b.y) || apart(a.z, b.z)
    }

    fn room(&mut self, leg: &Leg<'_, '_, S>, body: BodyIndex) -> Option<Vec3<Interval<S>>> {
        let link = match body {
            BodyIndex::Link(link) => link,
            BodyIndex::Object(object) => {
                return leg.cell.object(object).filter(|object| !object.moves).map(|object| object.room);
            }
        };
        if !self.is_at(leg) {
            return None;
        }
        if let Some(room) = self.seats.get(link.get())?.room {
            return Some(room);
        }
        let presence = self.in_world(leg, link)?;
        let [from, until] = &presence.places;
        let found = room(leg.cell.model(link)?, [from, until], &presence.error, presence.swing_hi());
        self.seats.get_mut(link.get()).map(|seat| *seat.room.insert(found))
    }

    /// Finds out whether two bodies start inside of each other, where one is a solid: closes the claim if not. And what that
    /// cost.
    ///
    /// # Soundness
    /// As [`Ledger::place_next`], for all parts of both bodies. Only at the start of a plan.
    pub fn place(
        &mut self,
        ledger: &mut Ledger<S>,
        leg: &Leg<'_, '_, S>,
        claim: &mut Obligation<S>,
    ) -> (Start<S>, u64) {
        let mut work = 0;
        let couple = claim.couple();
        let Some((span, bodies)) = self.span(leg, couple).zip(leg.bodies(couple)) else {
            return (Start::Unknown, work);
        };
        let Some(presences) = self.presences(leg, bodies) else { return (Start::Unknown, work) };
        let [Some(a), Some(b)] = bodies.map(|body| leg.model(body)) else { return (Start::Unknown, work) };
        let [error_a, error_b] = presences.map(|presence| presence.error);
        let error_hi =
            |first: bool, x: Vec3<S>| if first { error_a.at_hi(x.norm_hi()) } else { error_b.at_hi(x.norm_hi()) };
        let [of_first, of_second] = parts_to_place([a, b]);
        let parts = (0..of_first).map(|part| (true, part)).chain((0..of_second).map(|part| (false, part)));
        for (first, part) in parts {
            let (found, cost) = place(span.start(), [a, b], first, part, error_hi);
            work += cost;
            if found != Start::Outside {
                return (found, work);
            }
        }
        ledger.close_start(claim, span.start());
        (Start::Outside, work)
    }
}

/// A box along the axes of a frame that a body does not leave during an interval.
///
/// # Soundness
/// Contains every point of the body at every time of the interval, given its computed poses at both ends, what they err by, and
/// `swing_hi`, by which at most the trajectories of its points leave their chords.
pub fn room<S: Scalar>(
    model: &Model<'_, S>,
    [from, until]: [&Placement<S>; 2],
    error: &PlacementError<S>,
    swing_hi: S,
) -> Vec3<Interval<S>> {
    let (c, h) = (model.centre(), model.half_hi());
    let two = S::ONE + S::ONE;
    // A coordinate is row·x + p for x in the box c ± h, so it is within row·c + p ± |row|·h; the entries of rows are below
    // 1 + 1/64. That takes 5 operations below 2·‖c‖₁, 1 below ‖p‖₁ more, 5 below 2·‖h‖₁ and 1 below all of it.
    let size_hi = two.mul_hi(c.norm1_hi().add_hi(h.norm1_hi())).add_hi(error.position_hi);
    let rounding_hi = S::rounding_hi(12, size_hi);
    let swing_hi = if mutant!(RoomOfChord) { S::ZERO } else { swing_hi };
    let slack_hi = swing_hi.add_hi(body_error_hi(error, model)).add_hi(rounding_hi);
    let side = |p: Vec3<S>, q: Vec3<S>, at: S, to: S| {
        let spread = |row: Vec3<S>| row.map(S::abs).dot(h);
        let ((a, r), (b, s)) = ((p.dot(c) + at, spread(p)), (q.dot(c) + to, spread(q)));
        let room = Interval::new((a - r).min(b - s).sub_lo(slack_hi), (a + r).max(b + s).add_hi(slack_hi));
        // A plain result beyond the scalar's range could be anything.
        if slack_hi.is_finite() { room } else { Interval::ENTIRE }
    };
    let ([px, py, pz], [qx, qy, qz], p, q) = (from.rotation.rows, until.rotation.rows, from.position, until.position);
    Vec3::new(side(px, qx, p.x, q.x), side(py, qy, p.y, q.y), side(pz, qz, p.z, q.z))
}

/// How far true points of a body may be from the stored ones at their computed places.
fn body_error_hi<S: Scalar>(error: &PlacementError<S>, model: &Model<'_, S>) -> S {
    let pose_hi = if mutant!(PoseErrorDropped) { S::ZERO } else { error.at_hi(model.reach_hi()) };
    let geometry_hi = if mutant!(GeometryErrorDropped) { S::ZERO } else { model.geometry().error() };
    pose_hi.add_hi(geometry_hi)
}

/// A C² curve stays within `h²·max‖ẍ‖/8` of its chord.
fn eighth<S: Scalar>(bend_hi: S) -> S {
    bend_hi.mul_hi(S::from_f64_near(if mutant!(ChordNinth) { 1.0 / 9.0 } else { 0.125 }))
}

/// The points of a link's model.
fn points<S: Scalar>(leg: &Leg<'_, '_, S>, link: LinkIndex, model: &Model<'_, S>) -> Points<S> {
    let one =
        leg.motion.links().get(link.get()).map_or(Points::within(S::GREATEST), |l| Points::one(l, model.centre()));
    let out = model.ball_hi();
    Points { reach_hi: one.reach_hi.add_hi(out), arm_hi: one.arm_hi.add_hi(out) }
}
