//! The bodies of a workcell during a leg: whatever the kernel accepts is held against the true motion of the links.
//!
//! As in [`super::separation`], two bodies are put a little apart along a direction, and the margin just above their true
//! separation along it, where an acceptance would be false.

use super::chain::{Robot, doubt, each_passage, index, real};
use super::joint::times;
use super::ledger::need;
use super::scene::{Course, Kind, Parts};
use super::solid::{true_triangles, with_model};
use super::{array, near, vector};
use crate::random::Random;
use crate::scenes::{Dice, Point, Shape, shell, some_solid, soup};
use crate::wide::chain::{Course as JointCourse, Hinge, Kind as Moves};
use crate::wide::{Dd, Motion, Place, norm, separation, transposed_times};
use crate::winding;
use avert::kernel;
use avert::kernel::{Batch, Couple, Ledger, Leg, Obligation, Seat, Sieved, Stage, StageMemory, room};
use avert::motion::{Frame, Joint, JointKind, JointPath, JointSweep, Link, LinkIndex, Placement, PlacementError};
use avert::robot::{BodyIndex, Margins, ObjectIndex, Part, Plan, Reason, Scope, Storage, Workcell};
use avert::{Interval, Model, Pose, Quaternion, Scalar, Vec3};
use std::collections::BTreeSet;
use std::num::NonZeroU32;

const OBJECT: BodyIndex = BodyIndex::Object(ObjectIndex(0));

/// A robot with bodies on its links, and an object.
#[derive(Clone, Debug)]
pub(super) struct Stand<S> {
    /// The payload, if there is one, is the last link.
    robot: Robot,
    payload: bool,
    /// Of each link.
    bodies: Vec<Option<Parts<S>>>,
    object: Parts<S>,
    course: Course,
    moves: bool,
    /// For each joint of the robot, or none at all.
    tracking: Vec<f64>,
    /// When the leg starts; it ends with the plan.
    hour: f64,
    allowed: Vec<[usize; 2]>,
}

impl<S: Scalar> Stand<S> {
    fn random(random: &mut Random) -> Self {
        let mut robot = Robot::random(random);
        let payload = random.one_in(4);
        if payload {
            let last = robot.hinges.len() - 1;
            let held = Hinge {
                kind: Moves::Fixed,
                parent: Some(last),
                rotation: random.quaternion().map(|x| near::<S>(x).to_f64()),
                position: random.vector().map(|x| near::<S>(0.3 * x).to_f64()),
                axis: [0.0, 0.0, 1.0],
                mimic: None,
            };
            robot.hinges.push(held);
            robot.courses.push(JointCourse::Line([0.0; 2]));
        }
        let count = robot.hinges.len();
        let mut bodies: Vec<Option<Parts<S>>> =
            (0..count).map(|_| (!random.one_in(3)).then(|| some_body(random))).collect();
        bodies[count - 1] = Some(some_body(random));
        let moves = random.one_in(3);
        let uncertain = random.one_in(4);
        let course = if moves { Course::random(random, 0.3, uncertain) } else { Course::still(random, 1.0) };
        let joints = count - usize::from(payload);
        let off = random.magnitude(-5.0, -1.0);
        let tracking = if random.one_in(3) { (0..joints).map(|_| off * random.unit()).collect() } else { vec![] };
        let hour = if moves && random.one_in(2) { random.pick(&[0.25, 0.5, 0.75]) } else { 0.0 };
        let mut pick = || [random.below(count), random.below(count)];
        let allowed = (0..count / 3).map(|_| pick()).filter(|[a, b]| a != b).collect();
        let tracking = tracking.into_iter().map(|x: f64| near::<S>(x).to_f64()).collect();
        Self { robot, payload, bodies, object: some_body(random), course, moves, tracking, hour, allowed }
    }

    /// A point on a circle, and an object outside of it: the chord rule has nothing to spare.
    fn arc(random: &mut Random) -> Self {
        let angle = random.within(0.05, 1.5);
        let hinge = Hinge {
            kind: Moves::Revolute,
            parent: None,
            rotation: [1.0, 0.0, 0.0, 0.0],
            position: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            mimic: None,
        };
        let ball = |random: &mut Random, at: [f64; 3]| {
            let mut parts = Parts::random(random, Kind::Ball, 0.05);
            let by = array(parts.points[0]);
            parts.shift([0, 1, 2].map(|i| at[i] - by[i]));
            parts
        };
        let robot = Robot {
            base: ([1.0, 0.0, 0.0, 0.0], [0.0; 3]),
            hinges: vec![hinge],
            courses: vec![JointCourse::Line([-angle, angle])],
            radius: 0.0,
        };
        Self {
            robot,
            payload: false,
            bodies: vec![Some(ball(random, [1.0, 0.0, 0.0]))],
            object: ball(random, [0.0; 3]),
            course: Course::still(random, 1.0),
            moves: false,
            tracking: vec![],
            hour: 0.0,
            allowed: vec![],
        }
    }

    fn joints(&self) -> usize {
        self.robot.hinges.len() - usize::from(self.payload)
    }

    /// Everything that has a body.
    fn everyone(&self) -> Vec<BodyIndex> {
        let links = (0..self.bodies.len()).filter(|i| self.bodies[*i].is_some());
        links.map(|i| BodyIndex::Link(index(i))).chain([OBJECT]).collect()
    }

    /// The last joint that moves, above a link.
    fn group(&self, link: usize) -> Option<usize> {
        let mut above = Some(link);
        while let Some(i) = above.filter(|i| self.robot.hinges[*i].kind == Moves::Fixed) {
            above = self.robot.hinges[i].parent;
        }
        above
    }

    /// What a check with some scope is about, the first a link.
    fn pairs(&self, scope: Scope) -> BTreeSet<[BodyIndex; 2]> {
        let all = self.everyone();
        let mut pairs = BTreeSet::new();
        for (at, a) in all.iter().enumerate() {
            for b in &all[at + 1..] {
                let counts = match [*a, *b] {
                    [BodyIndex::Link(LinkIndex(a)), BodyIndex::Link(LinkIndex(b))] => {
                        let pair = [usize::from(a), usize::from(b)];
                        let free = !self.allowed.contains(&pair) && !self.allowed.contains(&[pair[1], pair[0]]);
                        scope == Scope::Moving && free && self.group(pair[0]) != self.group(pair[1])
                    }
                    [BodyIndex::Link(LinkIndex(a)), _] => {
                        let stands = self.group(usize::from(a)).is_none() && !self.moves;
                        stands == (scope == Scope::Standing)
                    }
                    _ => false,
                };
                if counts {
                    pairs.insert([*a, *b]);
                }
            }
        }
        pairs
    }

    fn parts(&self, body: BodyIndex) -> &Parts<S> {
        match body {
            BodyIndex::Link(LinkIndex(i)) => self.bodies[usize::from(i)].as_ref().expect("a body"),
            BodyIndex::Object(_) => &self.object,
        }
    }

    /// The frame for two bodies.
    fn frame(&self, [a, b]: [BodyIndex; 2]) -> Frame {
        let above = |body| match body {
            BodyIndex::Link(LinkIndex(i)) => {
                std::iter::successors(Some(usize::from(i)), |i| self.robot.hinges[*i].parent).collect()
            }
            BodyIndex::Object(_) => vec![],
        };
        let (a, b) = (above(a), above(b));
        a.into_iter().find(|i| b.contains(i)).map_or(Frame::World, |i| Frame::Link(index(i)))
    }

    /// Makes the workcell, and a plan whose last segment is the leg, and does something with them; `None` if the numbers are
    /// refused.
    fn with<R>(
        &self,
        random: &mut Random,
        act: impl for<'a> FnOnce(&mut Random, &mut Workcell<'a, S>, &Plan<'_, S>) -> Result<R, String>,
    ) -> Result<Option<R>, String> {
        let models: Vec<Option<Model<'_, S>>> =
            self.bodies.iter().map(|parts| parts.as_ref().map(Parts::model)).collect();
        let model = self.object.model();
        let (base, mut joints) = self.robot.joints::<f64>(random);
        joints.truncate(self.joints());
        let count = self.robot.hinges.len();
        let (mut links, mut parts) = (vec![Link::VACANT; count], vec![Part::VACANT; count]);
        let (mut allowed, mut objects, mut overrides) = (vec![None; count * (count - 1) / 2], [None], [None]);
        let storage = Storage {
            links: &mut links,
            parts: &mut parts,
            allowed: &mut allowed,
            objects: &mut objects,
            overrides: &mut overrides,
        };
        let Ok(mut cell) = Workcell::new(base, &joints, Margins::all(S::ZERO), storage) else { return Ok(None) };
        for (i, model) in models.iter().enumerate().take(self.joints()) {
            cell.set_model(index(i), *model).map_err(|e| e.to_string())?;
        }
        if self.payload {
            let held = self.robot.hinges[count - 1];
            let model = models[count - 1].ok_or("a payload without a body")?;
            let on = index(held.parent.ok_or("a payload on nothing")?);
            let Ok(at) = cell.attach(on, model, exactly((held.rotation, held.position)), &[]) else { return Ok(None) };
            need(at == index(count - 1), "the payload is not the last link")?;
        }
        let Ok(object) = cell.add_object(model, exactly(self.course.from)) else { return Ok(None) };
        if self.moves {
            let Some((motion, _)) = self.course.make::<S>() else { return Ok(None) };
            cell.move_object(object, motion).map_err(|e| e.to_string())?;
        }
        for [a, b] in &self.allowed {
            cell.set_allowed(index(*a), index(*b), Some(Reason::User)).map_err(|e| e.to_string())?;
        }
        let courses = &self.robot.courses[..self.joints()];
        let paths: Result<Vec<JointPath<S>>, _> = courses.iter().map(|c| c.any_path(random)).collect();
        let Ok(last) = paths else { return Ok(None) };
        let mut paths = vec![];
        if self.hour > 0.0 {
            let still: Result<Vec<JointPath<S>>, _> =
                courses.iter().map(|c| JointPath::still(c.at(Dd::ZERO)[0].to_f64())).collect();
            let Ok(still) = still else { return Ok(None) };
            paths.extend(still);
        }
        paths.extend(last);
        let clock = [near::<S>(self.hour), S::ONE];
        let tracking: Vec<S> = self.tracking.iter().map(|x| near(*x)).collect();
        let mut plan = Plan::new(&cell, &paths, S::ZERO).map_err(|e| e.to_string())?;
        if self.hour > 0.0 {
            plan = plan.with_clock(&clock).map_err(|e| e.to_string())?;
        }
        if !tracking.is_empty() {
            plan = plan.with_tracking(&tracking).map_err(|e| e.to_string())?;
        }
        act(random, &mut cell, &plan).map(Some)
    }

    /// Joint values that are off by what tracking allows, most of them as far as it goes.
    fn off(&self, random: &mut Random) -> Vec<f64> {
        let mut own = |most: f64| most * random.pick(&[-1.0, 1.0, -1.0, 1.0, 0.3]);
        let own: Vec<f64> = self.tracking.iter().map(|t| own(*t)).collect();
        let follow = |(i, hinge): (usize, &Hinge)| match (own.get(i), hinge.mimic) {
            (Some(off), Some((driver, multiplier, _))) => off + own[driver] * multiplier * (1.0 - 1e-15),
            (Some(off), None) => *off,
            (None, _) => 0.0,
        };
        self.robot.hinges.iter().enumerate().map(follow).collect()
    }

    /// Where a body truly is at a time of the leg.
    fn place(&self, truth: &Motion, frame: Frame, body: BodyIndex, u: f64, off: &[f64]) -> Place {
        match body {
            BodyIndex::Link(LinkIndex(i)) => {
                let state = self.robot.state(frame, usize::from(i), u, off);
                Place { rotation: state.rotation, position: state.position }
            }
            BodyIndex::Object(_) => truth.place(self.hour + u * (1.0 - self.hour)),
        }
    }

    fn truth(&self) -> Option<Motion> {
        if self.moves {
            return Some(self.course.make::<S>()?.1);
        }
        let (q, p) = self.course.from;
        let held = (q.map(|x| near::<S>(x).to_f64()), p.map(|x| near::<S>(x).to_f64()));
        Some(Motion::with_velocities(held, [0.0; 3], [0.0; 3], [0.0; 3]))
    }
}

fn some_body<S: Scalar>(random: &mut Random) -> Parts<S> {
    let kind = random.pick(&[Kind::Ball, Kind::Single, Kind::Soup]);
    let size = random.pick(&[0.05, 0.2, 0.5]);
    Parts::random(random, kind, size)
}

/// A pose whose numbers are the nearest of a scalar, exactly.
fn exactly<S: Scalar>((q, p): ([f64; 4], [f64; 3])) -> Pose<Interval<S>> {
    let point = |x: f64| Interval::point(near::<S>(x));
    let [w, x, y, z] = q.map(point);
    Pose { rotation: Quaternion::new(w, x, y, z), position: p.map(point).into() }
}

/// Where two bodies truly are at some times of an interval.
struct Looks {
    places: Vec<[Place; 2]>,
    clouds: [Vec<([f64; 3], f64)>; 2],
    /// By how much stored points may be off.
    errors: Dd,
}

impl Looks {
    fn new<S: Scalar>(
        random: &mut Random,
        stand: &Stand<S>,
        frame: Frame,
        bodies: [BodyIndex; 2],
        [from, until]: [S; 2],
    ) -> Option<Self> {
        let truth = stand.truth()?;
        let (from, until) = (from.to_f64(), until.to_f64());
        let inside = |part: f64| (from + (until - from) * part).clamp(from, until);
        let times = [from, until, inside(0.5), inside(random.unit()), inside(random.unit())];
        let place = |u: f64, off: &[f64]| bodies.map(|body| stand.place(&truth, frame, body, u, off));
        let places = times.map(|u| {
            let off = stand.off(random);
            place(u, &off)
        });
        let parts = bodies.map(|body| stand.parts(body));
        let clouds = parts.map(|parts| parts.cloud(parts.root.expect("grown")));
        Some(Self { places: places.to_vec(), clouds, errors: real(parts[0].error) + real(parts[1].error) })
    }

    /// The least true separation along a direction, in metres.
    fn least(&self, n: [f64; 3]) -> Dd {
        let [a, b] = &self.clouds;
        let apart = |[p, q]: &[Place; 2]| separation(n, [p, q], [a, b]) / norm(n.map(Dd::from)) - self.errors;
        self.places.iter().map(apart).fold(Dd::from(f64::INFINITY), Dd::min)
    }

    /// The greatest of that along all axes, either way.
    fn along_axes(&self) -> Dd {
        let axes = (0..6).map(|i| [0, 1, 2].map(|k| if k == i / 2 { f64::from(1 - i % 2 * 2) } else { 0.0 }));
        axes.map(|n| self.least(n)).fold(Dd::from(f64::NEG_INFINITY), |a, b| if a < b { b } else { a })
    }
}

/// A margin that is certainly not below this number. What the times of objects are rounded by in the oracle is taken off.
fn upward<S: Scalar>(x: Dd) -> S {
    let bound = S::from_f64_hi((x.to_f64() + 4e-15).next_up());
    if bound > S::ZERO { bound } else { S::ZERO }
}

/// The memory of a stage.
struct Boards<S> {
    placements: Vec<Placement<S>>,
    sweeps: Vec<JointSweep<S>>,
    seats: Vec<Seat<S>>,
    errors: Vec<PlacementError<S>>,
}

impl<S: Scalar> Boards<S> {
    fn new(links: usize) -> Self {
        Self {
            placements: vec![Placement::default(); 4 * links],
            sweeps: vec![JointSweep::UNKNOWN; links],
            seats: vec![Seat::VACANT; links],
            errors: vec![PlacementError::UNKNOWN; links],
        }
    }

    fn stage(&mut self) -> Stage<'_, S> {
        let Self { placements, sweeps, seats, errors } = self;
        let links = sweeps.len();
        Stage::new(StageMemory { placements, sweeps, seats, errors }, links).expect("enough memory")
    }
}

/// A stand with two of its bodies a little apart along a direction during an interval.
struct Meeting<S> {
    stand: Stand<S>,
    bodies: [BodyIndex; 2],
    direction: [f64; 3],
    span: [S; 2],
}

impl<S: Scalar> Meeting<S> {
    /// In the world, or in the frame of the two.
    fn random(random: &mut Random, own_frame: bool) -> Option<Self> {
        let arc = random.one_in(6);
        let mut stand = if arc { Stand::<S>::arc(random) } else { Stand::random(random) };
        let (mut from, mut until, _) = times::<S>(random);
        let all = stand.everyone();
        let first = random.below(all.len() - 1);
        let second = if random.one_in(2) { all.len() - 1 } else { first + 1 + random.below(all.len() - first - 1) };
        let bodies = [all[first], all[second]];
        let frame = if own_frame { stand.frame(bodies) } else { Frame::World };
        if arc {
            let half = random.within(0.02, 0.5);
            (from, until) = (near(0.5 - half), near(0.5 + half));
        }
        let middle = 0.5 * (from.to_f64() + until.to_f64());
        let truth = stand.truth()?;
        let [p, q] = bodies.map(|body| stand.place(&truth, frame, body, middle, &[]));
        let at = |place: &Place, body| place.apply(array(stand.parts(body).points[0]));
        let (x, y) = (at(&p, bodies[0]), at(&q, bodies[1]));
        let line = [0, 1, 2].map(|i| (y[i] - x[i]).to_f64());
        let mut n = if arc {
            x.map(Dd::to_f64)
        } else if own_frame && random.one_in(2) && line.iter().any(|x| x.abs() > 1e-6) {
            line
        } else if own_frame {
            random.direction()
        } else {
            // Boxes are good along the axes only.
            let i = random.below(3);
            [0, 1, 2].map(|k| if k == i { 1.0 } else { 0.0 })
        };
        n = array(vector::<S>(n));
        let length = norm(n.map(Dd::from)).to_f64();
        if length < 1e-6 {
            return None;
        }
        let least = Looks::new(random, &stand, frame, bodies, [from, until])?.least(n).to_f64();
        let by = n.map(|x| x / length * (random.magnitude(-4.0, 0.3) - least));
        match bodies[1] {
            BodyIndex::Object(_) => stand.course.shift(by),
            BodyIndex::Link(LinkIndex(i)) => {
                let turned = transposed_times(&q.rotation, by.map(Dd::from)).map(Dd::to_f64);
                stand.bodies[usize::from(i)].as_mut()?.shift(turned);
            }
        }
        Some(Self { stand, bodies, direction: n, span: [from, until] })
    }
}

/// Every separation that a span shows is true, along the very direction, in the frame of the two.
pub fn span<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut done, mut accepted) = (0_u64, 0_u64);
    while done < cases {
        let Some(meeting) = Meeting::<S>::random(&mut random, true) else { continue };
        let Meeting { stand, bodies, direction, span: [from, until] } = &meeting;
        let looks = Looks::new(&mut random, stand, stand.frame(*bodies), *bodies, [*from, *until]);
        let Some(looks) = looks else { continue };
        let mut boards = Boards::new(stand.robot.hinges.len());
        let found = stand.with(&mut random, |random, cell, plan| {
            let mut stage = boards.stage();
            let mut accepts = |margin: S, n: Vec3<S>| {
                cell.set_margins(Margins::all(margin)).ok()?;
                let leg = Leg::new(cell, plan, plan.segments() - 1).ok()?;
                let couple = leg.couple_by_hand(*bodies)?;
                let span = if stage.go(&leg, *from, *until) { stage.span(&leg, couple)? } else { return None };
                let pair = leg.pair(couple, bodies.map(|body| stand.parts(body).root.expect("grown")))?;
                let probe = span.probe(n)?;
                Some((probe.separates(&pair).is_ok(), span.slack_near().to_f64()))
            };
            let mut good = 0;
            for round in 0..3 {
                let nudge = if round == 0 { 0.0 } else { random.magnitude(-6.0, -0.5) };
                let (off, length) = (random.vector(), direction.iter().fold(0.0_f64, |m, x| m.max(x.abs())));
                let n = vector::<S>([0, 1, 2].map(|i| direction[i] + off[i] * nudge * length));
                let least = looks.least(array(n));
                let limit = upward::<S>(least);
                let more = S::from_f64_near(1.0 + random.magnitude(-6.0, -0.3));
                for margin in [limit, limit * more] {
                    if accepts(margin, n).is_some_and(|(accepted, _)| accepted) {
                        let least = least.to_f64();
                        return Err(format!("margin {margin:?} accepted, truth {least:e}, n {n:?}"));
                    }
                }
                let Some((_, slack)) = accepts(S::ZERO, n) else { continue };
                let below = least.to_f64() - slack * random.within(0.0, 2.0);
                good += u64::from(below > 0.0 && accepts(near(below), n).is_some_and(|(accepted, _)| accepted));
            }
            Ok(good)
        });
        let describe = |e| format!("{e}; {bodies:?} {direction:?} {from:?}..{until:?} {stand:?}");
        let Some(good) = found.map_err(describe)? else { continue };
        done += 9;
        accepted += good;
    }
    // A stage that shows nothing would pass all of the above.
    if cases >= 100 && accepted < cases / 50 {
        Err(format!("only {accepted} of {cases} cases accepted"))
    } else {
        Ok(())
    }
}

/// Boxes that are said to be apart are, along an axis of the world.
pub fn rooms_apart<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut done, mut accepted) = (0_u64, 0_u64);
    while done < cases {
        let Some(meeting) = Meeting::<S>::random(&mut random, false) else { continue };
        let Meeting { stand, bodies, span: [from, until], .. } = &meeting;
        let Some(looks) = Looks::new(&mut random, stand, Frame::World, *bodies, [*from, *until]) else { continue };
        let mut boards = Boards::new(stand.robot.hinges.len());
        let found = stand.with(&mut random, |random, cell, plan| {
            let leg = Leg::new(cell, plan, plan.segments() - 1).map_err(|e| e.to_string())?;
            let mut stage = boards.stage();
            need(!stage.rooms_apart(&leg, *bodies, S::ZERO), "something is known of no interval")?;
            if !stage.go(&leg, *from, *until) {
                return Ok(0);
            }
            let least = looks.along_axes();
            let limit = upward::<S>(least);
            let more = S::from_f64_near(1.0 + random.magnitude(-6.0, -0.3));
            for margin in [limit, limit * more] {
                need(!stage.rooms_apart(&leg, *bodies, margin), &format!("{margin:?}, truth {:e}", least.to_f64()))?;
            }
            let below = least.to_f64() * random.unit();
            Ok(u64::from(below > 0.0 && stage.rooms_apart(&leg, *bodies, near(below))))
        });
        let describe = |e| format!("{e}; {bodies:?} {from:?}..{until:?} {stand:?}");
        let Some(good) = found.map_err(describe)? else { continue };
        done += 1;
        accepted += good;
    }
    if cases >= 100 && accepted < cases / 50 {
        Err(format!("only {accepted} of {cases} cases accepted"))
    } else {
        Ok(())
    }
}

/// The box of a body holds all its points at times of an interval.
pub fn room_law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_passage::<S>(cases, seed, |random, passage| {
        let parts = some_body::<S>(random);
        let model = parts.model();
        let swing_hi = passage.bend_hi(&model).mul_hi(S::from_f64_hi(0.125));
        let [first, last] = &passage.ends;
        let room = room(&model, [first, last], &passage.error, swing_hi).to_array();
        for (x, radius) in parts.cloud(parts.root.expect("grown")) {
            let out = random.direction().map(|d| d * 0.999 * parts.error.to_f64());
            let at = passage.point([0, 1, 2].map(|i| x[i] + out[i]));
            let inside = (0..3).all(|i| {
                let (lo, hi, at, r) = (real(room[i].lo()), real(room[i].hi()), at[i], Dd::from(radius));
                room[i] == Interval::ENTIRE || lo <= at - r + doubt() && at + r <= hi + doubt()
            });
            need(inside, &format!("{room:?} misses {:?} ± {radius} of {parts:?}", at.map(Dd::to_f64)))?;
        }
        Ok(())
    })
}

fn id(n: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(n)
}

/// What a batch gave out until it was closed.
struct Catch<S> {
    claims: Vec<Obligation<S>>,
    pairs: BTreeSet<[BodyIndex; 2]>,
}

/// Takes everything out of a batch, in small portions.
fn sieve_all<S: Scalar>(
    random: &mut Random,
    ledger: &mut Ledger<S>,
    batch: &mut Batch<S>,
    leg: &Leg<'_, '_, S>,
    stage: &mut Stage<'_, S>,
) -> Result<Catch<S>, String> {
    let (mut claims, mut pairs) = (vec![], BTreeSet::new());
    for _ in 0..100_000 {
        let mut most = 1 + random.below(20) as u64;
        match ledger.sieve(batch, leg, stage, &mut most) {
            Sieved::Candidate(found) => {
                pairs.insert(leg.bodies(found[0].couple()).ok_or("a claim about no bodies")?);
                claims.extend(found.into_iter().filter(Obligation::is_open));
            }
            Sieved::Later => need(batch.is_open() && most == 0, "later, with work left")?,
            Sieved::Done => {
                need(!batch.is_open(), "done, but open")?;
                return Ok(Catch { claims, pairs });
            }
        }
    }
    Err("a batch that never ends".to_string())
}

/// Every pair that a verdict is about is a couple, and no other is.
pub fn is_checked<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_stand::<S>(cases, seed, |random, stand, cell, plan| {
        let scope = random.pick(&[Scope::Moving, Scope::WorldOnly, Scope::Standing]);
        let plan = plan.with_scope(scope);
        let leg = Leg::new(cell, &plan, plan.segments() - 1).map_err(|e| e.to_string())?;
        let expected = stand.pairs(scope);
        for [a, b] in couples(stand) {
            need(leg.is_checked([a, b]) == expected.contains(&[a, b]), &format!("{a:?} and {b:?}, {scope:?}"))?;
        }
        // And none is forgotten: with a margin beyond all boxes, everything that is to be checked comes out.
        cell.set_margins(Margins::all(near(400.0))).map_err(|e| e.to_string())?;
        let leg = Leg::new(cell, &plan, plan.segments() - 1).map_err(|e| e.to_string())?;
        let mut boards = Boards::new(stand.robot.hinges.len());
        let mut stage = boards.stage();
        if !stage.go(&leg, S::ZERO, S::ONE) {
            return Ok(());
        }
        let (mut ledger, mut batch) = Ledger::open_leg_by_hand(&leg, id(0));
        let found = sieve_all(random, &mut ledger, &mut batch, &leg, &mut stage)?;
        need(found.pairs == expected, &format!("{:?}, not {expected:?}, {scope:?}", found.pairs))
    })
}

/// All pairs of bodies, checked or not, the first a link.
fn couples<S: Scalar>(stand: &Stand<S>) -> Vec<[BodyIndex; 2]> {
    let all = stand.everyone();
    let pairs = |at: usize| all[at + 1..].iter().map(move |b| (at, *b));
    (0..all.len()).flat_map(pairs).map(|(a, b)| [all[a], b]).collect()
}

fn each_stand<S: Scalar>(
    cases: u64,
    seed: u64,
    check: impl for<'a> Fn(&mut Random, &Stand<S>, &mut Workcell<'a, S>, &Plan<'_, S>) -> Result<(), String>,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < cases {
        let stand = Stand::<S>::random(&mut random);
        let found = stand.with(&mut random, |random, cell, plan| check(random, &stand, cell, plan));
        done += u64::from(found.map_err(|e| format!("{e}; {stand:?}"))?.is_some());
    }
    Ok(())
}

/// What a batch passes over is apart, and what it gives out is all there is to prove.
pub fn sieve<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_stand::<S>(cases, seed, |random, stand, cell, plan| {
        let margin = near(random.pick(&[0.0, 0.1, 1.0, 400.0]) * random.unit());
        cell.set_margins(Margins::all(margin)).map_err(|e| e.to_string())?;
        let leg = Leg::new(cell, plan, plan.segments() - 1).map_err(|e| e.to_string())?;
        let mut boards = Boards::new(stand.robot.hinges.len());
        let mut stage = boards.stage();
        let at = near::<S>(random.within(0.05, 0.95));
        let (mut ledger, batch) = Ledger::open_leg_by_hand(&leg, id(0));
        let (_, foreign) = Ledger::open_leg_by_hand(&leg, id(1));
        let [mut early, mut late] = ledger.split_batch(batch, at).map_err(|_| "not split")?;
        if !(stage.go(&leg, S::ZERO, S::ONE) && stage.go(&leg, S::ZERO, at)) {
            return Ok(());
        }
        let idle = |found: Sieved<S>| matches!(found, Sieved::Later);
        need(idle(ledger.sieve(&mut late, &leg, &mut stage, &mut 9)), "sieved at another time")?;
        let mut foreign = foreign;
        need(idle(ledger.sieve(&mut foreign, &leg, &mut stage, &mut 9)), "a foreign batch is sieved")?;
        let found = sieve_all(random, &mut ledger, &mut early, &leg, &mut stage)?;
        for pair in stand.pairs(Scope::Moving).difference(&found.pairs) {
            let Some(looks) = Looks::new(random, stand, Frame::World, *pair, [S::ZERO, at]) else { return Ok(()) };
            let apart = looks.along_axes();
            need(apart > real(margin) - Dd::from(4e-15), &format!("{pair:?} passed over at {:e}", apart.to_f64()))?;
        }
        // Proved for the first part: what was passed over; open: what came out, and the later part of everything.
        let mut claims = found.claims;
        let whole = |claim: &Obligation<S>| claim.from() == S::ZERO && claim.until() == at;
        need(claims.iter().all(whole), "a claim about another interval")?;
        let least = if claims.is_empty() { at } else { S::ZERO };
        need(ledger.audit_with(&mut claims, [&mut late]) == Some(least), "the audit does not add up")?;
        need(ledger.audit_with(&mut claims, []).is_none(), "a lost batch is not noticed")?;
        need(ledger.proof().is_none(), "a proof with a batch open")?;
        if claims.pop().is_some() {
            need(ledger.audit_with(&mut claims, [&mut late]).is_none(), "a lost claim is not noticed")?;
        }
        Ok(())
    })
}

/// Two batches for one, with no time between them.
pub fn split_batch<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_stand::<S>(cases, seed, |random, stand, cell, plan| {
        // Nothing is left that could come out of a batch, so that each can be closed.
        (0..stand.joints()).try_for_each(|i| cell.set_model(index(i), None)).map_err(|e| e.to_string())?;
        cell.remove_object(ObjectIndex(0)).map_err(|e| e.to_string())?;
        let leg = Leg::new(cell, plan, plan.segments() - 1).map_err(|e| e.to_string())?;
        let (mut ledger, batch) = Ledger::open_leg_by_hand(&leg, id(0));
        let (_, foreign) = Ledger::<S>::open_leg_by_hand(&leg, id(1));
        need(ledger.split_batch(foreign, S::HALF).is_err(), "a foreign batch is split")?;
        let batch = match ledger.split_batch(batch, random.pick(&[S::ZERO, S::ONE, -S::ONE])) {
            Ok(_) => return Err("split outside of the interval".to_string()),
            Err(batch) => batch,
        };
        let (mut open, mut cuts) = (vec![batch], vec![S::ZERO, S::ONE]);
        for _ in 0..4 {
            let i = random.below(open.len());
            let at = near::<S>(random.unit());
            match ledger.split_batch(open.swap_remove(i), at) {
                Ok(parts) => {
                    cuts.push(at);
                    open.extend(parts);
                }
                Err(batch) => open.push(batch),
            }
        }
        need(open.len() + 1 == cuts.len(), "not one more for every cut")?;
        cuts.sort_by(|a, b| a.partial_cmp(b).expect("numbers"));
        let mut boards = Boards::new(stand.robot.hinges.len());
        let mut stage = boards.stage();
        for ends in cuts.windows(2) {
            need(ledger.audit_with([], &mut open) == Some(ends[0]), "the audit does not add up")?;
            need(ledger.proof().is_none(), "a proof with batches open")?;
            if !stage.go(&leg, ends[0], ends[1]) {
                return Ok(());
            }
            let mut sieve = |batch: &mut Batch<S>| {
                let found = ledger.sieve(batch, &leg, &mut stage, &mut u64::MAX.clone());
                matches!(found, Sieved::Done)
            };
            let closed = open.iter_mut().map(&mut sieve).filter(|done| *done).count();
            need(closed == 1, "not the one batch of this interval was closed")?;
            open.retain(Batch::is_open);
        }
        need(ledger.audit_with([], &mut open) == Some(S::ONE) && ledger.proof().is_some(), "something is left")
    })
}

/// A couple's bodies are those that it was asked for by.
pub fn numbers<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_stand::<S>(cases, seed, |_, stand, cell, plan| {
        let leg = Leg::new(cell, plan, plan.segments() - 1).map_err(|e| e.to_string())?;
        let mut seen: BTreeSet<Couple> = BTreeSet::new();
        for pair in couples(stand) {
            let couple = leg.couple_by_hand(pair).ok_or("no such couple")?;
            need(leg.bodies(couple) == Some(pair) && seen.insert(couple), &format!("{pair:?} is {couple:?}"))?;
        }
        Ok(())
    })
}

/// One body somewhere about a solid, on another link or in the world.
struct Start<'s> {
    inner: &'s Shape,
    outer: &'s Shape,
    hinges: [Hinge; 2],
    /// Of the first joint, and of the second.
    angles: [f64; 2],
    /// Does an object, not the first link, carry the other body?
    object: bool,
    /// Is it the solid that hangs on the last link?
    swapped: bool,
}

impl<'s> Start<'s> {
    fn random<S: Scalar>(random: &mut Random, inner: &'s Shape, outer: &'s Shape) -> Self {
        let far = random.unit();
        let away = random.direction().map(|x| near::<S>(x * far).to_f64());
        let hinge = |random: &mut Random, parent, position| Hinge {
            kind: Moves::Revolute,
            parent,
            rotation: random.quaternion().map(|x| near::<S>(x).to_f64()),
            position,
            axis: random.direction().map(|x| near::<S>(x).to_f64()),
            mimic: None,
        };
        let position = random.vector().map(|x| near::<S>(x).to_f64());
        let object = random.one_in(2);
        let hinges = [hinge(random, None, position), hinge(random, (!object).then_some(0), away)];
        let angles = [0; 2].map(|_| near::<S>(random.within(-3.0, 3.0)).to_f64());
        Self { inner, outer, hinges, angles, object, swapped: random.one_in(2) }
    }

    /// Where the body of the last link truly is, and the other one.
    fn places(&self) -> [Place; 2] {
        let courses = self.angles.map(|angle| JointCourse::Line([angle, angle + 1.0]));
        let base = ([1.0, 0.0, 0.0, 0.0], [0.0; 3]);
        let robot = Robot { base, hinges: self.hinges.to_vec(), courses: courses.to_vec(), radius: 0.0 };
        let place = |link| {
            let state = robot.state(Frame::World, link, 0.0, &[]);
            Place { rotation: state.rotation, position: state.position }
        };
        let world = Motion::with_velocities(([1.0, 0.0, 0.0, 0.0], [0.0; 3]), [0.0; 3], [0.0; 3], [0.0; 3]);
        [place(1), if self.object { world.place(0.0) } else { place(0) }]
    }

    fn check<S: Scalar>(&self, random: &mut Random) -> Result<(), String> {
        let listed = random.one_in(2);
        let triangles = true_triangles::<S>(self.outer, 0.0, random);
        with_model::<S, ()>(self.inner, 0.0, listed, |small| {
            with_model::<S, ()>(self.outer, 0.0, true, |big| {
                let big = big.into_solid().map_err(|e| e.to_string())?;
                self.ask(random, [small, &big], &triangles)
            })
        })
    }

    fn ask<S: Scalar>(
        &self,
        random: &mut Random,
        [small, big]: [&Model<'_, S>; 2],
        triangles: &[[Point; 3]],
    ) -> Result<(), String> {
        let exact = |x: [f64; 3]| Vec3::from(x.map(Interval::<f64>::point));
        let joints = self.hinges.map(|h| {
            let [w, x, y, z] = h.rotation.map(Interval::point);
            let origin = Pose { rotation: Quaternion::new(w, x, y, z), position: exact(h.position) };
            Joint { kind: JointKind::Revolute, parent: h.parent.map(index), origin, axis: exact(h.axis), mimic: None }
        });
        let (mut links, mut parts) = ([Link::VACANT; 2], [Part::VACANT; 2]);
        let (mut allowed, mut objects) = ([None], [None]);
        let storage = Storage {
            links: &mut links,
            parts: &mut parts,
            allowed: &mut allowed,
            objects: &mut objects,
            overrides: &mut [],
        };
        let base = Pose::<f64>::IDENTITY.into();
        let mut cell = Workcell::new(base, &joints, Margins::all(near(200.0)), storage).map_err(|e| e.to_string())?;
        let (held, other) = if self.swapped { (big, small) } else { (small, big) };
        cell.set_model(index(1), Some(*held)).map_err(|e| e.to_string())?;
        if self.object {
            cell.add_object(*other, Pose::<S>::IDENTITY.into()).map_err(|e| e.to_string())?;
        } else {
            cell.set_model(index(0), Some(*other)).map_err(|e| e.to_string())?;
        }
        let paths = self.angles.map(|angle| JointPath::line([angle, angle + 1.0]).map_err(|e| e.to_string()));
        let [first, second] = paths;
        let paths = [first?, second?];
        let plan = Plan::new(&cell, &paths, S::ZERO).map_err(|e| e.to_string())?;
        let leg = Leg::new(&cell, &plan, 0).map_err(|e| e.to_string())?;
        let mut boards = Boards::new(2);
        let mut stage = boards.stage();
        need(stage.go(&leg, S::ZERO, S::ONE), "out of range")?;
        let (mut ledger, mut batch) = Ledger::open_leg_by_hand(&leg, id(0));
        let mut claims = sieve_all(random, &mut ledger, &mut batch, &leg, &mut stage)?.claims;
        let mut start = claims.pop().filter(Obligation::is_start).ok_or("nobody asks about the start")?;
        // Not at another time.
        need(stage.go(&leg, S::HALF, S::ONE), "out of range")?;
        stage.place(&mut ledger, &leg, &mut start);
        need(start.is_open(), "closed at another time")?;
        need(stage.go(&leg, S::ZERO, S::HALF), "out of range")?;
        let (found, _) = stage.place(&mut ledger, &leg, &mut start);
        need(start.is_open() == (found != kernel::Start::Outside), "closed without a proof, or not with one")?;
        let [held_place, other_place] = self.places();
        let (own, around) = if self.swapped { (other_place, held_place) } else { (held_place, other_place) };
        let number = |x: Vec3<S>| {
            let at = own.apply(array(x));
            let local = [0, 1, 2].map(|i| at[i] - around.position[i]);
            winding::exact(triangles, &transposed_times(&around.rotation, local).map(Dd::exact))
        };
        // The first of a couple is the link with the lesser number, or the one that meets an object.
        let solid_first = self.swapped == self.object;
        let mut inside = vec![];
        for part in 0..small.parts() {
            let primitive = small.part(part).ok_or("no such part")?;
            let shape = small.geometry().primitive(primitive).ok_or("no such primitive")?;
            let numbers: Vec<_> = shape.points().map(number).collect();
            let outside = found != kernel::Start::Outside || numbers.contains(&Some(0));
            need(outside, &format!("part {part} is outside, but the truth {numbers:?}"))?;
            if numbers.iter().any(|n| n.is_some_and(|n| n != 0)) {
                inside.push(primitive);
            }
        }
        if let kernel::Start::Inside { primitives, .. } = found {
            let own = primitives[usize::from(solid_first)];
            need(inside.contains(&own), &format!("primitive {own} is inside, but the truth {inside:?}"))?;
        }
        Ok(())
    }
}

/// Bodies are inside or outside of a solid at the start as they truly are, and only who is outside closes the claim.
pub fn place<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let dice = &mut Dice::new(seed, case);
        let inner = match random.below(3) {
            0 => shell(0, 0.1),
            1 => soup(4, dice).scaled(0.2),
            _ => shell(0, 0.1).with(crate::scenes::ball([0.2, 0.1, 0.0], 0.05)),
        };
        let outer = some_solid(dice);
        let start = Start::random::<S>(&mut random, &inner, &outer);
        start.check::<S>(&mut random).map_err(|e| format!("{e}: seed {seed}, case {case}"))?;
    }
    Ok(())
}
