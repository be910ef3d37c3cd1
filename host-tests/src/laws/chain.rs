//! Trees of links: computed poses against the true ones, and bounds on how links move.

use super::joint::{digits, enclosure, times};
use super::{array, single, unit, vector};
use crate::random::Random;
use crate::wide::chain::{Course, Hinge, Kind, State, state, values};
use crate::wide::{Dd, dot, norm, scale, sum};
use avert::motion::{
    Chain, ChainMotion, Frame, Joint, JointKind, JointPath, JointSweep, Link, LinkIndex, Mimic, Placement,
    PlacementError, Points, swept,
};
use avert::scalar::{Pose, Quaternion};
use avert::{Interval, Model, Scalar, Vec3};

/// A robot and a motion of its joints, as real numbers.
#[derive(Clone, Debug)]
pub(super) struct Robot {
    pub(super) base: ([f64; 4], [f64; 3]),
    pub(super) hinges: Vec<Hinge>,
    pub(super) courses: Vec<Course>,
    /// How far the machine is from knowing the joints' numbers.
    pub(super) radius: f64,
}

impl Robot {
    /// Any tree: of one to twelve links, with long and short, turned and plain offsets, all kinds of joints, and mimics.
    pub(super) fn random(random: &mut Random) -> Self {
        if random.one_in(5) {
            return Self::unfolding(random);
        }
        let count = if random.one_in(2) { 1 + random.below(3) } else { 1 + random.below(12) };
        let mut hinges: Vec<Hinge> = (0..count).map(|i| hinge(random, i)).collect();
        let leads: Vec<usize> = (0..count).filter(|i| hinges[*i].kind != Kind::Fixed && random.one_in(2)).collect();
        for (i, hinge) in hinges.iter_mut().enumerate() {
            if !leads.is_empty() && !leads.contains(&i) && random.one_in(3) {
                let multiplier = random.pick(&[1.0, -1.0, 0.5, 3.0]) * digits(random.within(0.5, 1.0), random);
                hinge.mimic = Some((random.pick(&leads), multiplier, digits(random.within(-1.0, 1.0), random)));
            }
        }
        let courses = (0..count).map(|_| Course::random(random)).collect();
        let base = (random.quaternion(), random.vector());
        let radius = if random.one_in(3) { random.magnitude(-7.0, -4.6) } else { 0.0 };
        Self { base, hinges, courses, radius }
    }

    /// Joints in a plane that all turn the same way, stretched out along x in the middle of the motion: nothing cancels
    /// there.
    pub(super) fn unfolding(random: &mut Random) -> Self {
        let angle = random.within(0.1, 1.5);
        let hinge = |i: usize| Hinge {
            kind: Kind::Revolute,
            parent: i.checked_sub(1),
            rotation: [1.0, 0.0, 0.0, 0.0],
            position: [1.0, 0.0, 0.0],
            axis: [0.0, 0.0, 1.0],
            mimic: None,
        };
        let count = 1 + random.below(4);
        let courses = vec![Course::Line([-angle, angle]); count];
        Self { base: ([1.0, 0.0, 0.0, 0.0], [0.0; 3]), hinges: (0..count).map(hinge).collect(), courses, radius: 0.0 }
    }

    /// Prepares the robot for a scalar, from numbers of that scalar, of `f64`, or uncertain ones, and calls `check`.
    fn with<S: Scalar, T>(
        &self,
        random: &mut Random,
        check: impl FnOnce(&mut Random, &ChainMotion<'_, S>) -> T,
    ) -> Result<T, String> {
        let same = self.radius == 0.0 && random.one_in(3);
        let mut storage = vec![Link::VACANT; self.hinges.len()];
        let chain =
            if same { self.chain::<S, S>(random, &mut storage) } else { self.chain::<f64, S>(random, &mut storage) };
        let paths: Result<Vec<JointPath<S>>, _> = self.courses.iter().map(|c| c.any_path(random)).collect();
        let (chain, paths) = (chain?, paths.map_err(|e| e.to_string())?);
        let motion = ChainMotion::new(&chain, &paths).map_err(|e| e.to_string())?;
        Ok(check(random, &motion))
    }

    /// The same for `f64` numbers that are known exactly.
    fn with_exact<S: Scalar, T>(&self, check: impl FnOnce(&ChainMotion<'_, S>) -> T) -> Result<T, String> {
        let mut storage = vec![Link::VACANT; self.hinges.len()];
        let chain = self.chain::<f64, S>(&mut Random::new(0), &mut storage)?;
        let paths: Result<Vec<JointPath<S>>, _> = self.courses.iter().map(Course::exact_path).collect();
        let paths = paths.map_err(|e| e.to_string())?;
        let motion = ChainMotion::new(&chain, &paths).map_err(|e| e.to_string())?;
        Ok(check(&motion))
    }

    fn chain<'a, W: Scalar, S: Scalar>(
        &self,
        random: &mut Random,
        storage: &'a mut [Link<S>],
    ) -> Result<Chain<'a, S>, String> {
        let (base, joints) = self.joints::<W>(random);
        Chain::new(base, &joints, storage).map_err(|e| e.to_string())
    }

    /// The base and the joints in numbers of a scalar that are as uncertain as the machine is to know them.
    pub(super) fn joints<W: Scalar>(&self, random: &mut Random) -> (Pose<Interval<W>>, Vec<Joint<W>>) {
        let mut near = |x: f64| enclosure::<W>(random, x, self.radius);
        let mut pose = |q: [f64; 4], p: [f64; 3]| {
            let [w, x, y, z] = q.map(&mut near);
            Pose { rotation: Quaternion::new(w, x, y, z), position: p.map(&mut near).into() }
        };
        let base = pose(self.base.0, self.base.1);
        let mut joint = |h: &Hinge| {
            let origin = pose(h.rotation, h.position);
            Joint {
                kind: match h.kind {
                    Kind::Fixed => JointKind::Fixed,
                    Kind::Revolute => JointKind::Revolute,
                    Kind::Prismatic => JointKind::Prismatic,
                },
                parent: h.parent.map(index),
                origin,
                axis: h.axis.map(Interval::from_f64).into(),
                mimic: h.mimic.map(|(driver, multiplier, offset)| Mimic {
                    driver: index(driver),
                    multiplier: Interval::from_f64(multiplier),
                    offset: Interval::from_f64(offset),
                }),
            }
        };
        let joints = self.hinges.iter().map(&mut joint).collect();
        (base, joints)
    }

    /// How a link truly moves in a frame, with the joints' values off by something.
    pub(super) fn state(&self, frame: Frame, link: usize, u: f64, off: &[f64]) -> State {
        let mut values = values(&self.hinges, &self.courses, Dd::from(u));
        values.iter_mut().zip(off).for_each(|(value, off)| value[0] = value[0] + Dd::from(*off));
        match frame {
            Frame::World => state(&self.hinges, &values, State::resting(self.base.0, self.base.1), None, link),
            Frame::Link(LinkIndex(a)) => {
                let rest = State::resting([1.0, 0.0, 0.0, 0.0], [0.0; 3]);
                state(&self.hinges, &values, rest, Some(usize::from(a)), link)
            }
        }
    }

    /// The world or any ancestor of a link, itself included.
    fn frame(&self, random: &mut Random, link: usize) -> Frame {
        let mut above = vec![link];
        while let Some(parent) = self.hinges[above[above.len() - 1]].parent {
            above.push(parent);
        }
        if random.one_in(2) { Frame::World } else { Frame::Link(index(random.pick(&above))) }
    }
}

pub(super) fn hinge(random: &mut Random, i: usize) -> Hinge {
    let parent = match random.below(8) {
        0 => None,
        1 => Some(random.below(i + 1)).filter(|p| *p < i),
        _ => i.checked_sub(1),
    };
    let axis = random.direction();
    let way = if random.one_in(3) { random.pick(&[axis, [1.0, 0.0, 0.0]]) } else { random.vector() };
    let length = random.pick(&[0.0, 0.1, 0.5, 1.5]);
    let stretch = if random.one_in(3) { random.within(0.995, 1.005) } else { 1.0 };
    Hinge {
        kind: random.pick(&[Kind::Revolute, Kind::Revolute, Kind::Revolute, Kind::Prismatic, Kind::Fixed]),
        parent,
        rotation: random.quaternion().map(|x| digits(x, random)),
        position: way.map(|x| digits(x * length, random)),
        axis: axis.map(|x| digits(x * stretch, random)),
        mimic: None,
    }
}

pub(super) fn index(i: usize) -> LinkIndex {
    LinkIndex(u8::try_from(i).expect("few links"))
}

/// Calls `check` with random robots, a link, a frame and a point of the link.
fn each<S: Scalar>(
    cases: u64,
    seed: u64,
    check: impl Fn(&mut Random, &ChainMotion<'_, S>, &Robot, (Frame, usize, [f64; 3])) -> Result<(), String>,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases.div_ceil(4) {
        let robot = Robot::random(&mut random);
        let run = |random: &mut Random, motion: &ChainMotion<'_, S>| {
            (0..4).try_for_each(|_| {
                let link = random.below(robot.hinges.len());
                let frame = robot.frame(random, link);
                let size = random.pick(&[0.0, 0.1, 1.0]);
                let way = if random.one_in(4) { [1.0, 0.0, 0.0] } else { random.vector() };
                let x = array(vector::<S>(way.map(|x| x * size)));
                check(random, motion, &robot, (frame, link, x)).map_err(|e| format!("{e}: {frame:?} {link} {x:?}"))
            })
        };
        match robot.with::<S, _>(&mut random, run) {
            // A fixed point has little room.
            Err(_) if !S::FLOATING => {}
            outcome => outcome.and_then(|done| done).map_err(|e| format!("{e}; {robot:?}"))?,
        }
    }
    Ok(())
}

pub(super) fn doubt() -> Dd {
    Dd::from(1e-22)
}

pub(super) fn real<S: Scalar>(x: S) -> Dd {
    Dd::from(x.to_f64())
}

/// Is this a bound? A fixed point may have no room for one.
fn bounds<S: Scalar>(bound: S, truth: Dd) -> bool {
    truth <= real(bound) + doubt() || !S::FLOATING && !bound.is_finite()
}

fn minus(a: [Dd; 3], b: [Dd; 3]) -> [Dd; 3] {
    sum(a, scale(b, Dd::from(-1.0)))
}

/// Where a computed pose puts a point, as a real number.
fn put<S: Scalar>(place: &Placement<S>, x: [f64; 3]) -> [Dd; 3] {
    let rows = place.rotation.rows.map(|row| dot(array(row).map(Dd::from), x.map(Dd::from)));
    sum(rows, array(place.position).map(Dd::from))
}

/// The computed pose of a link: of all links at once where that can be asked.
fn placed<S: Scalar>(
    random: &mut Random,
    motion: &ChainMotion<'_, S>,
    (frame, link, count): (Frame, usize, usize),
    u: S,
) -> Result<Placement<S>, String> {
    let mut locals = vec![Placement::default(); count];
    motion.locals(u, &mut locals).map_err(|e| e.to_string())?;
    let one = motion.relative(&locals, frame, index(link)).ok_or("the frame is an ancestor")?;
    if frame != Frame::World || random.one_in(2) {
        return Ok(one);
    }
    let mut all = vec![Placement::default(); count];
    motion.placements(&locals, &mut all).map_err(|e| e.to_string())?;
    if all[link] == one { Ok(one) } else { Err("the two ways to the world differ".to_string()) }
}

/// Every point of every link is within the stated error of where it truly is, and so is the link's origin.
pub fn placement<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, motion, robot, (frame, link, x)| {
        let u = S::from_f64_near(if random.one_in(4) { 1.0 } else { random.unit() });
        let place = placed(random, motion, (frame, link, robot.hinges.len()), u)?;
        let [truth, ..] = robot.state(frame, link, u.to_f64(), &[]).point(x.map(Dd::from));
        let off = norm(minus(put(&place, x), truth));
        let error = motion.error(frame, index(link));
        if !error.turn_error_hi.is_finite() {
            // Long chains of uncertain joints are beyond what is known.
            return Ok(());
        }
        let reach = vector::<S>(x).norm_hi();
        let long = array(place.position).iter().fold(Dd::ZERO, |s, x| s + Dd::from(x.abs()));
        if long > real(error.position_hi) {
            return Err(format!("{:?} is further than {error:?}", place.position));
        }
        let good = bounds(error.at_hi(reach), off);
        if good { Ok(()) } else { Err(format!("at {u:?} misplaced by {:e}, allowed {error:?}", off.to_f64())) }
    })
}

/// What is said of all links at once holds for each of them.
pub fn errors<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, motion, robot, (_, link, x)| {
        let count = robot.hinges.len();
        let u = S::from_f64_near(if random.one_in(4) { 1.0 } else { random.unit() });
        let mut errors = vec![PlacementError::UNKNOWN; count];
        motion.errors(&mut errors).map_err(|e| e.to_string())?;
        if motion.errors(&mut errors[..count - 1]).is_ok() {
            return Err("too few places".to_string());
        }
        let (error, alone) = (errors[link], motion.error(Frame::World, index(link)));
        if !error.turn_error_hi.is_finite() {
            let known = alone.turn_error_hi.is_finite();
            return if known { Err(format!("{alone:?} is known of the link alone")) } else { Ok(()) };
        }
        let place = placed(random, motion, (Frame::World, link, count), u)?;
        let [truth, ..] = robot.state(Frame::World, link, u.to_f64(), &[]).point(x.map(Dd::from));
        let off = norm(minus(put(&place, x), truth));
        let long = array(place.position).iter().fold(Dd::ZERO, |s, x| s + Dd::from(x.abs()));
        let good = long <= real(error.position_hi) && bounds(error.at_hi(vector::<S>(x).norm_hi()), off);
        if good { Ok(()) } else { Err(format!("at {u:?} misplaced by {:e}, allowed {error:?}", off.to_f64())) }
    })
}

/// An arm of seven joints, in the manner of common ones.
fn arm(random: &mut Random) -> Robot {
    let quarter = std::f64::consts::FRAC_1_SQRT_2;
    let offsets = [0.333, 0.0, 0.316, 0.0825, 0.384, 0.0, 0.107];
    let hinge = |i: usize| Hinge {
        kind: Kind::Revolute,
        parent: i.checked_sub(1),
        rotation: [quarter, if i.is_multiple_of(2) { quarter } else { -quarter }, 0.0, 0.0],
        position: [if i == 3 { 0.0825 } else { 0.0 }, 0.0, offsets[i]],
        axis: [0.0, 0.0, 1.0],
        mimic: None,
    };
    let courses = (0..7).map(|_| Course::Line([0; 2].map(|_| random.within(-2.8, 2.8)))).collect();
    Robot { base: ([1.0, 0.0, 0.0, 0.0], [0.0; 3]), hinges: (0..7).map(hinge).collect(), courses, radius: 0.0 }
}

/// The error of the last link of an arm with seven joints, whose joints go anywhere.
pub fn tight_placement<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let allowed = match (S::FLOATING, single::<S>()) {
        (true, true) => 1.2e-5,
        (true, false) => 8e-14,
        (false, _) => 320.0 * unit::<S>(),
    };
    let mut worst: f64 = 0.0;
    for _ in 0..cases {
        let errors = arm(&mut random).with_exact::<S, _>(|motion| {
            // Below the wrist there is but one joint to err.
            let frames = [Frame::World, Frame::Link(index(5))];
            frames.map(|frame| motion.error(frame, index(6)).at_hi(S::from_f64_hi(0.1)).to_f64())
        });
        let [whole, last] = errors?;
        worst = worst.max(whole);
        if last > 0.1 * allowed {
            return Err(format!("the last joint alone errs by {last:e}"));
        }
    }
    if worst > allowed { Err(format!("the error is {worst:e}")) } else { Ok(()) }
}

/// Against the true axis.
pub fn arm_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |_, motion, robot, (_, link, x)| {
        let hinge = robot.hinges[link];
        let (exact, a) = (x.map(Dd::from), hinge.axis.map(Dd::from));
        let truth = match hinge.kind {
            Kind::Revolute => norm(crate::wide::cross(exact, a)) / norm(a),
            Kind::Fixed | Kind::Prismatic => norm(exact),
        };
        let points = Points::one(&motion.links()[link], vector(x));
        let good = bounds(points.arm_hi, truth) && bounds(points.reach_hi, norm(exact));
        if good { Ok(()) } else { Err(format!("{points:?}, not {:e}", truth.to_f64())) }
    })
}

fn sweeps<S: Scalar>(
    motion: &ChainMotion<'_, S>,
    from: S,
    until: S,
    count: usize,
) -> Result<Vec<JointSweep<S>>, String> {
    let mut sweeps = vec![JointSweep::UNKNOWN; count];
    motion.sweeps(from, until, &mut sweeps).map_err(|e| e.to_string())?;
    Ok(sweeps)
}

fn points<S: Scalar>(random: &mut Random, motion: &ChainMotion<'_, S>, link: usize, x: [f64; 3]) -> Points<S> {
    let one = Points::one(&motion.links()[link], vector(x));
    if random.one_in(3) { Points::within(one.reach_hi) } else { one }
}

/// Against true velocities and accelerations during an interval.
pub fn sway<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, motion, robot, (frame, link, x)| {
        let (from, until, u) = times::<S>(random);
        let sweeps = sweeps(motion, from, until, robot.hinges.len())?;
        let sway = motion.sway(&sweeps, frame, index(link), points(random, motion, link, x));
        let [_, velocity, acceleration] = robot.state(frame, link, u, &[]).point(x.map(Dd::from));
        let h = real(until) - real(from);
        let (step, bend) = (norm(velocity) * h, norm(acceleration) * h * h);
        let good = bounds(sway.step_hi, step) && bounds(sway.bend_hi, bend);
        let (step, bend) = (step.to_f64(), bend.to_f64());
        if good { Ok(()) } else { Err(format!("{sway:?} for {from:?}..{until:?}, but {step:e} and {bend:e} at {u}")) }
    })
}

/// The same for a ball, with the places of the links at both ends.
pub fn ball_sway<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, motion, robot, (frame, link, x)| {
        let (from, until, u) = times::<S>(random);
        let count = robot.hinges.len();
        let sweeps = sweeps(motion, from, until, count)?;
        let ends = both(motion, from, until, count)?;
        let radius = random.pick(&[0.0, 0.0, 0.1]) * random.unit();
        let ball = (vector(x), S::from_f64_hi(radius));
        let sway = motion.ball_sway(&sweeps, [&ends[0], &ends[1]], frame, index(link), ball);
        let inside = random.direction().map(|d| d * radius * (1.0 - 1e-12));
        let point = [0, 1, 2].map(|i| Dd::from(x[i]) + Dd::from(inside[i]));
        let [_, velocity, acceleration] = robot.state(frame, link, u, &[]).point(point);
        let h = real(until) - real(from);
        let (step, bend) = (norm(velocity) * h, norm(acceleration) * h * h);
        let good = bounds(sway.step_hi, step) && bounds(sway.bend_hi, bend);
        let (step, bend) = (step.to_f64(), bend.to_f64());
        if good { Ok(()) } else { Err(format!("{sway:?} for {from:?}..{until:?}, but {step:e} and {bend:e} at {u}")) }
    })
}

/// The poses of all links in the frames of their parents at two times.
fn both<S: Scalar>(
    motion: &ChainMotion<'_, S>,
    from: S,
    until: S,
    count: usize,
) -> Result<[Vec<Placement<S>>; 2], String> {
    let mut ends = [vec![Placement::default(); count], vec![Placement::default(); count]];
    for (locals, u) in ends.iter_mut().zip([from, until]) {
        motion.locals(u, locals).map_err(|e| e.to_string())?;
    }
    Ok(ends)
}

/// For an arm with seven joints that moves anywhere, how much greater the bound is than the truth over a 32nd of the
/// segment: about three times on average, and five times by the lengths of the links alone.
pub fn tight_ball_sway<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut sums, mut all) = ([0.0; 2], 0.0);
    for _ in 0..cases {
        let robot = arm(&mut random);
        let (from, x) = (random.within(0.0, 31.0 / 32.0), [0.0, 0.0, 0.1]);
        let at = |u: f64| {
            let [_, _, acceleration] = robot.state(Frame::World, 6, u, &[]).point(x.map(Dd::from));
            norm(acceleration).to_f64() / 1024.0
        };
        let truth = (0..=8).map(|i| at(from + f64::from(i) / 256.0)).fold(0.0, f64::max);
        let bends = robot.with_exact::<S, _>(|motion| {
            let (from, until) = (S::from_f64_near(from), S::from_f64_near(from + 1.0 / 32.0));
            let (sweeps, ends) = (sweeps(motion, from, until, 7)?, both(motion, from, until, 7)?);
            let wide = motion.sway(&sweeps, Frame::World, index(6), Points::one(&motion.links()[6], vector(x)));
            let ball = (vector(x), S::ZERO);
            let narrow = motion.ball_sway(&sweeps, [&ends[0], &ends[1]], Frame::World, index(6), ball);
            Ok::<_, String>([wide.bend_hi.to_f64(), narrow.bend_hi.to_f64()])
        });
        let bends = bends??;
        if bends[1] > bends[0] {
            return Err(format!("{bends:?}"));
        }
        sums = [0, 1].map(|i| sums[i] + bends[i]);
        all += truth;
    }
    let [wide, narrow] = sums.map(|sum| sum / all);
    if narrow > 5.0 || wide < 1.4 * narrow {
        Err(format!("{narrow} times the truth, {wide} by lengths"))
    } else {
        Ok(())
    }
}

/// One joint that turns steadily bends by the square of its angle times the distance from its axis; one that slides
/// steadily does not bend, and goes as far as it goes. A chain stretched out in a plane, all joints turning the same
/// way, leaves no room.
pub fn tight_sway<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let count = 1 + random.below(4);
        let first = Hinge {
            kind: Kind::Revolute,
            parent: None,
            rotation: [1.0, 0.0, 0.0, 0.0],
            position: [1.0, 0.0, 0.0],
            axis: [0.0, 0.0, 1.0],
            mimic: None,
        };
        let hinges: Vec<Hinge> = (0..count).map(|i| Hinge { parent: i.checked_sub(1), ..first }).collect();
        let angle = random.within(0.1, 2.0);
        let courses = vec![Course::Line([0.0, angle]); count];
        let mut robot = Robot { base: ([1.0, 0.0, 0.0, 0.0], [0.0; 3]), hinges, courses, radius: 0.0 };
        let x = [0.5, 0.0, random.within(-2.0, 2.0)];
        let check = |robot: &Robot, link: usize| {
            robot.with_exact::<S, _>(|motion| {
                let (u, h) = (S::from_f64_near(0.0), S::from_f64_near(0.125));
                let sweeps = sweeps(motion, u, h, robot.hinges.len())?;
                let points = Points::one(&motion.links()[link], vector(x));
                Ok::<_, String>(motion.sway(&sweeps, Frame::World, index(link), points))
            })?
        };
        let sway = check(&robot, count - 1)?;
        // At u = 0 all are in line.
        let [_, velocity, acceleration] = robot.state(Frame::World, count - 1, 0.0, &[]).point(x.map(Dd::from));
        let (step, bend) = (norm(velocity).to_f64() * 0.125, norm(acceleration).to_f64() * 0.125 * 0.125);
        // Along the axis the far links' points count in full, though they are no further from the nearer axes for it.
        let loose = if count == 1 { 1.001 } else { 1.0 + 4.0 * x[2].abs() };
        let least = if S::FLOATING { 0.0 } else { 8.0 * unit::<S>() };
        if sway.step_hi.to_f64() > step * loose + least || sway.bend_hi.to_f64() > bend * loose + least {
            return Err(format!("{sway:?} for {step:e} and {bend:e} of {count} joints by {angle}: {x:?}"));
        }
        robot.hinges[0].kind = Kind::Prismatic;
        let sway = check(&robot, 0)?;
        if sway.step_hi.to_f64() > angle * 0.1251 || sway.bend_hi.to_f64() > 1e-4 * angle {
            return Err(format!("{sway:?} for a slide by {angle}"));
        }
    }
    Ok(())
}

/// The box holds points of the ball at times of the interval.
pub fn swept_law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, motion, robot, (frame, link, x)| {
        let (from, until, u) = times::<S>(random);
        let count = robot.hinges.len();
        let sweeps = sweeps(motion, from, until, count)?;
        let (centre, points) = (vector::<S>(x), points(random, motion, link, x));
        let bend_hi = motion.sway(&sweeps, frame, index(link), points).bend_hi;
        let ends = [from, until].map(|u| placed(random, motion, (frame, link, count), u));
        let [Ok(first), Ok(last)] = ends else { return Err(format!("{ends:?}")) };
        let radius = S::from_f64_near(random.pick(&[0.0, 0.1]) * random.unit());
        let room = swept([&first, &last], &motion.error(frame, index(link)), bend_hi, centre, radius);
        let [truth, ..] = robot.state(frame, link, u, &[]).point(x.map(Dd::from));
        let inside = |(at, side): (Dd, Interval<S>)| {
            let (lo, hi) = (real(side.lo()), real(side.hi()));
            side == Interval::ENTIRE || lo <= at - real(radius) + doubt() && at + real(radius) <= hi + doubt()
        };
        let good = truth.into_iter().zip(room.to_array()).all(inside);
        let truth = truth.map(Dd::to_f64);
        if good { Ok(()) } else { Err(format!("{room:?} for {from:?}..{until:?} misses {truth:?} at {u}")) }
    })
}

/// A link on its way in a frame during an interval.
pub(super) struct Passage<'c, 'm, S> {
    /// Computed, at both ends of the interval.
    pub(super) ends: [Placement<S>; 2],
    pub(super) error: PlacementError<S>,
    motion: &'c ChainMotion<'m, S>,
    robot: &'c Robot,
    sweeps: Vec<JointSweep<S>>,
    locals: [Vec<Placement<S>>; 2],
    frame: Frame,
    link: usize,
    u: f64,
}

impl<S: Scalar> Passage<'_, '_, S> {
    /// How much the trajectories of a model's points bend.
    pub(super) fn bend_hi(&self, model: &Model<'_, S>) -> S {
        let Self { sweeps, locals: [from, until], .. } = self;
        let ball = (model.centre(), model.ball_hi());
        self.motion.ball_sway(sweeps, [from, until], self.frame, index(self.link), ball).bend_hi
    }

    /// Where a point of the link truly is at some time of the interval.
    pub(super) fn point(&self, x: [f64; 3]) -> [Dd; 3] {
        let [at, ..] = self.robot.state(self.frame, self.link, self.u, &[]).point(x.map(Dd::from));
        at
    }
}

/// Calls `check` with links that move.
pub(super) fn each_passage<S: Scalar>(
    cases: u64,
    seed: u64,
    check: impl Fn(&mut Random, &Passage<'_, '_, S>) -> Result<(), String>,
) -> Result<(), String> {
    each::<S>(cases, seed, |random, motion, robot, (frame, link, _)| {
        let (from, until, u) = times::<S>(random);
        let count = robot.hinges.len();
        let (sweeps, locals) = (sweeps(motion, from, until, count)?, both(motion, from, until, count)?);
        let [Ok(first), Ok(last)] = [from, until].map(|u| placed(random, motion, (frame, link, count), u)) else {
            return Err("not placed".to_string());
        };
        let error = motion.error(frame, index(link));
        let passage = Passage { ends: [first, last], error, motion, robot, sweeps, locals, frame, link, u };
        check(random, &passage).map_err(|e| format!("{e}; {from:?}..{until:?}, {u}"))
    })
}

/// Against joints that are off by up to their tolerance, each to the side that chance has it.
pub fn astray_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, motion, robot, (frame, link, x)| {
        let (from, until, u) = times::<S>(random);
        let sweeps = sweeps(motion, from, until, robot.hinges.len())?;
        let size = random.magnitude(-4.0, -0.5);
        let some = |random: &mut Random| S::from_f64_near(size * random.unit() * random.pick(&[0.0, 1.0, 1.0]));
        let tolerances: Vec<S> = robot.hinges.iter().map(|_| some(random)).collect();
        let mut side = || random.pick(&[-1.0, 1.0, 1.0]) * random.pick(&[1.0, 1.0, 0.3]);
        let own: Vec<f64> = tolerances.iter().map(|t| t.to_f64() * side()).collect();
        let follow = |(i, hinge): (usize, &Hinge)| match hinge.mimic {
            Some((driver, multiplier, _)) => own[i] + own[driver] * multiplier * (1.0 - 1e-15),
            None => own[i],
        };
        let off: Vec<f64> = robot.hinges.iter().enumerate().map(follow).collect();
        let points = points(random, motion, link, x);
        let got = motion.astray_hi(&sweeps, &tolerances, frame, index(link), points);
        let [a, ..] = robot.state(frame, link, u, &[]).point(x.map(Dd::from));
        let [b, ..] = robot.state(frame, link, u, &off).point(x.map(Dd::from));
        let moved = norm(minus(a, b));
        let good = bounds(got, moved - Dd::from(1e-14 * size));
        if good { Ok(()) } else { Err(format!("{got:?}, but {:e} at {u}; {tolerances:?}", moved.to_f64())) }
    })
}

/// What is refused, and why.
pub fn doors<S: Scalar>(_: u64, _: u64) -> Result<(), String> {
    use avert::motion::{ChainError, PathError};
    let point = |x: [f64; 3]| Vec3::from(x.map(Interval::<f64>::from_f64));
    let good = Joint {
        kind: JointKind::Revolute,
        parent: None,
        origin: Pose::<f64>::IDENTITY.into(),
        axis: point([0.0, 0.0, 1.0]),
        mimic: None,
    };
    let base: Pose<Interval<f64>> = Pose::<f64>::IDENTITY.into();
    let refused = |joints: &[Joint<f64>]| {
        let mut storage = vec![Link::<S>::VACANT; 70];
        Chain::new(base, joints, &mut storage).map(|_| ()).err()
    };
    let follows = |driver| Some(Mimic { driver: LinkIndex(driver), multiplier: Interval::ONE, offset: Interval::ZERO });
    let mut tilted = good;
    tilted.origin.rotation.w = Interval::from_f64(1.1);
    let mut far = good;
    far.origin.position.x = Interval::from_f64(1e100);
    let cases = [
        ("good", vec![good, Joint { parent: Some(LinkIndex(0)), mimic: follows(0), ..good }], None),
        ("many", vec![good; 65], Some(ChainError::TooManyLinks)),
        ("own parent", vec![Joint { parent: Some(LinkIndex(0)), ..good }], Some(ChainError::ParentOrder)),
        ("axis", vec![Joint { axis: point([0.0, 0.0, 1.1]), ..good }], Some(ChainError::AxisNotUnit)),
        ("rotation", vec![tilted], Some(ChainError::RotationNotUnit)),
        ("range", vec![far], Some(ChainError::OutOfRange)),
        ("no driver", vec![Joint { mimic: follows(1), ..good }], Some(ChainError::UnknownDriver)),
        ("itself", vec![Joint { mimic: follows(0), ..good }], Some(ChainError::UnknownDriver)),
        (
            "fixed driver",
            vec![Joint { kind: JointKind::Fixed, ..good }, Joint { mimic: follows(0), ..good }],
            Some(ChainError::UnknownDriver),
        ),
    ];
    for (name, joints, expected) in cases {
        let got = refused(&joints);
        if got != expected {
            return Err(format!("{name}: {got:?}, not {expected:?}"));
        }
    }
    let mut storage = vec![Link::<S>::VACANT; 4];
    let tree = [None, Some(0), Some(0), Some(2)].map(|p: Option<u8>| Joint { parent: p.map(LinkIndex), ..good });
    let chain = Chain::new(base, &tree, &mut storage).map_err(|e| e.to_string())?;
    let common = |a, b| chain.common(LinkIndex(a), LinkIndex(b));
    let all = [common(1, 3), common(3, 2), common(0, 3), common(2, 2)];
    if all != [0, 2, 0, 2].map(|i| Frame::Link(LinkIndex(i)))
        || chain.common(LinkIndex(9), LinkIndex(1)) != Frame::World
    {
        return Err(format!("{all:?}"));
    }
    let still = JointPath::<S>::still(0.5).map_err(|e| e.to_string())?;
    if ChainMotion::new(&chain, &[still]).err() != Some(ChainError::TooShort) {
        return Err("too few paths".to_string());
    }
    let paths = [still; 4];
    let motion = ChainMotion::new(&chain, &paths).map_err(|e| e.to_string())?;
    let mut few = [Placement::default(); 3];
    if motion.locals(S::ZERO, &mut few).is_ok() || motion.placements(&[Placement::default(); 4], &mut few).is_ok() {
        return Err("too few places".to_string());
    }
    let strange = motion.error(Frame::Link(LinkIndex(1)), LinkIndex(3));
    let sweeps = sweeps(&motion, S::ZERO, S::ONE, 4)?;
    let sway = motion.sway(&sweeps, Frame::Link(LinkIndex(1)), LinkIndex(3), Points::within(S::ONE));
    if strange.at_hi(S::ONE).is_finite() || sway.bend_hi.is_finite() || still.speed_hi(S::ONE, S::ZERO).is_finite() {
        return Err("something is known of a frame that is no ancestor, or of no interval".to_string());
    }
    let paths = [
        JointPath::<S>::line([0.0, f64::NAN]).err() == Some(PathError::OutOfRange),
        JointPath::<S>::cubic([0.0, 1.0], [0.0; 2], -1.0).err() == Some(PathError::Duration),
        JointPath::<S>::quintic([0.0, 1.0], [0.0; 2], [1e80; 2], 1e20).err() == Some(PathError::OutOfRange),
    ];
    if paths == [true; 3] { Ok(()) } else { Err(format!("{paths:?}")) }
}
