//! The library's answer about a case.
//!
//! A case has a path a segment for an object that moves, the library one motion over the whole plan. So a case with several
//! segments and objects that move is either asked segment by segment, as plans of one segment each, or it has
//! [one motion over all of them](Question::clocked), of which the paths are parts.

use super::case::{ArmCase, CaseJoint, CaseKind, CasePath, Who};
use super::judge::Outcome;
use crate::queries::{self, Parts};
use crate::sampling::Motion;
use crate::scenes::{Path, Place, Point, rounded};
use avert::kernel::{Seat, StageMemory};
use avert::motion::{
    Joint, JointKind, JointPath, JointSweep, Link, LinkIndex, Mimic, PathError, Placement, PlacementError,
};
use avert::robot::{BodyIndex, Margins, ObjectIndex, Part, Plan, Reason, Storage, Workcell};
use avert::{
    Budget, Entry, Interval, Model, PathCheck, PathMemory, PathVerdict, Pose, Quaternion, Scalar, Stats, Vec3, Why,
};

/// Entries that are enough for every case.
pub const ENTRIES: usize = 4096;

/// A case that the library can be asked about in one plan.
#[derive(Clone, Debug)]
pub struct Question {
    pub case: ArmCase,
    /// Of each object over the whole plan; none for one that rests.
    pub motions: Vec<Option<Path>>,
    /// When each segment ends, in parts of the whole plan's time; empty if nothing depends on it.
    pub clock: Vec<f64>,
    /// For each joint, in radians or metres; empty for none.
    pub tracking: Vec<f64>,
    /// In metres.
    pub tolerance: f64,
}

impl Question {
    /// The whole case if nothing moves but the robot, or if there is one segment only.
    pub fn whole(case: &ArmCase, tolerance: f64) -> Option<Self> {
        let moving = case.objects.iter().any(|object| object.motion.is_some());
        (case.segments.len() == 1 || !moving).then(|| Self::with_first_motions(case.clone(), tolerance))
    }

    fn with_first_motions(case: ArmCase, tolerance: f64) -> Self {
        let motions = case.objects.iter().map(|object| object.motion.as_ref().map(|paths| paths[0])).collect();
        Self { case, motions, clock: vec![], tracking: vec![], tolerance }
    }

    /// One segment of a case.
    pub fn segment(case: &ArmCase, segment: usize, tolerance: f64) -> Self {
        let mut one = ArmCase { segments: vec![case.segments[segment].clone()], ..case.clone() };
        for object in &mut one.objects {
            object.motion = object.motion.take().map(|paths| vec![paths[segment]]);
        }
        Self::with_first_motions(one, tolerance)
    }

    /// The case with other motions of its objects: each goes on during the whole plan as it starts, and the segments take different
    /// parts of that. The paths of the segments are that motion's up to the rounding of `f64`.
    pub fn clocked(case: &ArmCase, tolerance: f64) -> Self {
        let count = case.segments.len();
        // 1/2, 3/4, 1; every scalar holds them.
        let clock: Vec<f64> =
            (1..=count).map(|k| if k == count { 1.0 } else { 1.0 - 0.5_f64.powi(k as i32) }).collect();
        let (mut case, mut motions) = (case.clone(), vec![]);
        for object in &mut case.objects {
            let steady = |path: &Path| {
                let there = Motion::new(path).pose(1.0);
                let Path::Between { from, to, .. } = *path else { return *path };
                let here = Motion::new(path).pose(0.0);
                let angular: Point = (there.rotation * here.rotation.inverse()).scaled_axis().into();
                let linear = [0, 1, 2].map(|i| to.position[i] - from.position[i]);
                Path::Velocities { from, centre: [0.0; 3], linear: linear.map(tidy), angular: angular.map(tidy) }
            };
            let motion = object.motion.as_ref().map(|paths| steady(&paths[0]));
            object.motion = motion.map(|motion| {
                let hours = std::iter::once(0.0).chain(clock.iter().copied()).collect::<Vec<f64>>();
                hours.windows(2).map(|hours| part(&motion, [hours[0], hours[1]])).collect()
            });
            motions.push(motion);
        }
        Self { case, motions, clock, tracking: vec![], tolerance }
    }
}

fn tidy(x: f64) -> f64 {
    rounded(crate::scenes::on_grid(x))
}

/// What a motion with constant velocities does during a part of its time.
fn part(motion: &Path, [from, until]: [f64; 2]) -> Path {
    let Path::Velocities { centre, linear, angular, .. } = *motion else { return *motion };
    let pose = Motion::new(motion).pose(from);
    let q = pose.rotation.quaternion();
    let place = Place { rotation: [q.w, q.i, q.j, q.k], position: pose.translation.vector.into() };
    let h = until - from;
    Path::Velocities { from: place, centre, linear: linear.map(|x| x * h), angular: angular.map(|x| x * h) }
}

/// The numbers of a joint, which are exact.
fn joint(joint: &CaseJoint) -> Joint<f64> {
    let point = Interval::point;
    Joint {
        kind: match joint.kind {
            CaseKind::Fixed => JointKind::Fixed,
            CaseKind::Revolute => JointKind::Revolute,
            CaseKind::Prismatic => JointKind::Prismatic,
        },
        parent: joint.parent.map(link),
        origin: pose(&joint.origin),
        axis: joint.axis.map(point).into(),
        mimic: joint.mimic.map(|mimic| Mimic {
            driver: link(mimic.driver),
            multiplier: point(mimic.multiplier),
            offset: point(mimic.offset),
        }),
    }
}

pub(crate) fn link(index: usize) -> LinkIndex {
    LinkIndex(u8::try_from(index).expect("few links"))
}

/// Every scalar holds the numbers of a case.
fn pose<S: Scalar>(place: &Place) -> Pose<Interval<S>> {
    let [w, x, y, z] = place.rotation.map(Interval::from_f64);
    Pose { rotation: Quaternion::new(w, x, y, z), position: Vec3::from(place.position.map(Interval::from_f64)) }
}

/// The value of a joint over a segment.
pub fn joint_path<S: Scalar>(path: &CasePath) -> Result<JointPath<S>, PathError> {
    match *path {
        CasePath::Line { positions } => JointPath::line(positions),
        CasePath::Cubic { positions, velocities, duration } => JointPath::cubic(positions, velocities, duration),
        CasePath::Quintic { positions, velocities, accelerations, duration } => {
            JointPath::quintic(positions, velocities, accelerations, duration)
        }
    }
}

/// Makes the workcell and the plan of a question, and does something with them. There is room for one more payload, one more
/// object and two margins of pairs.
pub fn with_cell<S: Scalar, R>(
    question: &Question,
    act: impl for<'a> FnOnce(&mut Workcell<'a, S>, &Plan<'_, S>, &[Model<'a, S>]) -> R,
) -> Result<R, String> {
    let Question { case, motions, clock, tracking, tolerance } = question;
    let near = |x: &f64| S::from_f64_near(*x);
    let everyone = case.everyone();
    let mut shapes: Vec<Parts<S>> =
        everyone.iter().filter_map(|who| case.body(*who)).map(|body| Parts::new(&body.shape)).collect();
    let mut models: Vec<Model<'_, S>> = vec![];
    for (who, parts) in everyone.iter().zip(&mut shapes) {
        let solid = case.body(*who).is_some_and(|body| body.solid);
        models.push(if solid { parts.solid()? } else { parts.model()? });
    }
    let joints: Vec<Joint<f64>> = case.joints.iter().map(joint).collect();
    let count = joints.len() + case.payloads.len() + 1;
    let (mut links, mut parts) = (vec![Link::VACANT; count], vec![Part::VACANT; count]);
    let (mut allowed, mut objects) = (vec![None; count * (count - 1) / 2], vec![None; case.objects.len() + 1]);
    let mut overrides = vec![None; 2];
    let storage = Storage {
        links: &mut links,
        parts: &mut parts,
        allowed: &mut allowed,
        objects: &mut objects,
        overrides: &mut overrides,
    };
    let margins = Margins {
        world: near(&case.margins.world),
        own: near(&case.margins.own),
        payload: near(&case.margins.payload),
    };
    let refused = |error: avert::robot::WorkcellError| error.to_string();
    let mut cell = Workcell::new(pose::<f64>(&case.base), &joints, margins, storage).map_err(refused)?;
    for (who, model) in everyone.iter().zip(&models) {
        match *who {
            Who::Link(i) => cell.set_model(link(i), Some(*model)).map_err(refused)?,
            Who::Payload(i) => {
                let payload = &case.payloads[i];
                let index = cell.attach(link(payload.link), *model, pose(&payload.place), &[]).map_err(refused)?;
                if body_index(case, *who) != BodyIndex::Link(index) {
                    return Err(format!("payload {i} has become {index:?}"));
                }
            }
            Who::Object(i) => {
                let object = &case.objects[i];
                let index = cell.add_object(*model, pose(&object.place)).map_err(refused)?;
                if let Some(path) = &motions[i] {
                    let motion = queries::motion(path, true).map_err(|e| e.to_string())?;
                    cell.move_object(index, motion).map_err(refused)?;
                }
            }
        }
    }
    for pair in &case.allowed {
        if let [BodyIndex::Link(a), BodyIndex::Link(b)] = pair.map(|who| body_index(case, who)) {
            cell.set_allowed(a, b, Some(Reason::User)).map_err(refused)?;
        } else {
            return Err(format!("no object is allowed to touch: {pair:?}"));
        }
    }
    let paths: Result<Vec<JointPath<S>>, _> = case.segments.iter().flatten().map(joint_path).collect();
    let paths = paths.map_err(|e| e.to_string())?;
    let [clock, tracking] = [clock, tracking].map(|numbers| numbers.iter().map(near).collect::<Vec<S>>());
    let mut plan = Plan::new(&cell, &paths, near(tolerance)).map_err(|e| e.to_string())?;
    if !clock.is_empty() {
        plan = plan.with_clock(&clock).map_err(|e| e.to_string())?;
    }
    if !tracking.is_empty() {
        plan = plan.with_tracking(&tracking).map_err(|e| e.to_string())?;
    }
    Ok(act(&mut cell, &plan, &models))
}

/// Which body of the workcell one of the case is.
pub fn body_index(case: &ArmCase, who: Who) -> BodyIndex {
    match who {
        Who::Link(i) => BodyIndex::Link(link(i)),
        Who::Payload(i) => BodyIndex::Link(link(case.joints.len() + i)),
        Who::Object(i) => BodyIndex::Object(ObjectIndex(u16::try_from(i).expect("few objects"))),
    }
}

/// Which body of the case one of the workcell is.
pub fn who(case: &ArmCase, body: BodyIndex) -> Who {
    match body {
        BodyIndex::Link(LinkIndex(i)) => match usize::from(i).checked_sub(case.joints.len()) {
            Some(payload) => Who::Payload(payload),
            None => Who::Link(usize::from(i)),
        },
        BodyIndex::Object(ObjectIndex(i)) => Who::Object(usize::from(i)),
    }
}

/// Memory for checks.
#[derive(Debug)]
pub struct Desk<S> {
    links: usize,
    entries: Vec<Entry<S>>,
    placements: Vec<Placement<S>>,
    sweeps: Vec<JointSweep<S>>,
    seats: Vec<Seat<S>>,
    errors: Vec<PlacementError<S>>,
    directions: Vec<Vec3<S>>,
}

impl<S: Scalar> Desk<S> {
    /// For a workcell, with so many entries.
    pub fn new(cell: &Workcell<'_, S>, entries: usize) -> Self {
        let links = cell.chain().links().len();
        Self {
            links,
            entries: queries::entries(entries),
            placements: vec![Placement::default(); 4 * links],
            sweeps: vec![JointSweep::UNKNOWN; links],
            seats: vec![Seat::VACANT; links],
            errors: vec![PlacementError::UNKNOWN; links],
            directions: vec![Vec3::ZERO; PathMemory::directions_needed(cell)],
        }
    }

    /// As checks want it.
    pub fn memory(&mut self) -> PathMemory<'_, S> {
        let Self { links, entries, placements, sweeps, seats, errors, directions } = self;
        let stage = StageMemory { placements, sweeps, seats, errors };
        PathMemory::new(*links, entries, stage, directions).expect("there is enough for the links")
    }
}

/// A verdict as plain numbers.
pub fn outcome<S: Scalar>(case: &ArmCase, verdict: &PathVerdict<'_, S>) -> Outcome {
    let until = verdict.cleared().until();
    let (segment, free_until) = (until.segment, until.time.to_f64());
    match verdict {
        PathVerdict::Free(_) => Outcome::Free,
        PathVerdict::Undecided { .. } => Outcome::Undecided { segment, free_until },
        PathVerdict::Contact { touch, bodies, witness, .. } => Outcome::Contact {
            // What is free ends in the segment of the touch, or at the end of the one before.
            segment: touch.segment,
            free_until: if segment == touch.segment { free_until } else { 0.0 },
            touch: touch.time.to_f64(),
            pair: bodies.map(|body| who(case, body)),
            distance_hi: witness.distance_hi.to_f64(),
        },
    }
}

/// The library's answer to a question, without a limit on its work; why it is undecided, if it is, and what it cost.
pub fn ask<S: Scalar>(question: &Question) -> Result<(Outcome, Option<Why>, Stats), String> {
    with_cell::<S, _>(question, |cell, plan, _| {
        let mut desk = Desk::new(cell, ENTRIES);
        let mut memory = desk.memory();
        let mut check = PathCheck::new(cell, plan, &mut memory).ok_or("the plan is for another robot")?;
        let verdict = check.step(cell, plan, Budget::UNLIMITED);
        let why = match verdict {
            PathVerdict::Undecided { why, .. } => Some(why),
            PathVerdict::Free(_) | PathVerdict::Contact { .. } => None,
        };
        Ok((outcome(&question.case, &verdict), why, check.stats()))
    })?
}

/// The library's answer about a case: in one plan if it can be said so, otherwise segment by segment.
pub fn answer<S: Scalar>(case: &ArmCase, tolerance: f64) -> Result<(Outcome, Option<Why>, Stats), String> {
    if let Some(question) = Question::whole(case, tolerance) {
        return ask::<S>(&question);
    }
    let mut work = Stats::default();
    for index in 0..case.segments.len() {
        let (outcome, why, stats) = ask::<S>(&Question::segment(case, index, tolerance))?;
        work.work += stats.work;
        let outcome = match outcome {
            Outcome::Free => continue,
            Outcome::Undecided { free_until, .. } => Outcome::Undecided { segment: index, free_until },
            Outcome::Contact { free_until, touch, pair, distance_hi, .. } => {
                Outcome::Contact { segment: index, free_until, touch, pair, distance_hi }
            }
        };
        return Ok((outcome, why, work));
    }
    Ok((Outcome::Free, None, work))
}
