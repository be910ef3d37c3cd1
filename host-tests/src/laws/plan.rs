//! Plans and clearances: limits are kept, jumps are refused, and what is cleared is where the robot is.

use super::chain::real;
use super::joint::digits;
use super::ledger::need;
use super::near;
use crate::arm::ours::Desk;
use crate::random::Random;
use crate::wide::Dd;
use crate::wide::chain::Course;
use avert::hierarchy::build;
use avert::motion::{Joint, JointKind, JointPath, Link, LinkIndex, Mimic};
use avert::robot::{At, Margins, Part, Plan, PlanError, Reason, Storage, Workcell};
use avert::{Budget, Cleared, Geometry, Hull, Interval, Model, PathCheck, PathVerdict, Pose, Scalar, Vec3};

/// What a plan may go beyond a limit by, in radians or metres.
const BEYOND: f64 = 1e-5;

/// A slide along x, another joint above it, and one that follows the first, by this multiplier and offset.
fn with_cell<S: Scalar, R>(
    gear: (f64, f64),
    act: impl for<'a> FnOnce(&mut Workcell<'a, S>) -> Result<R, String>,
) -> Result<R, String> {
    with_places(gear, 2, |cell, _| act(cell))
}

/// The same with so many places for objects, and a model of a grain.
fn with_places<S: Scalar, R>(
    (multiplier, offset): (f64, f64),
    places: usize,
    act: impl for<'a> FnOnce(&mut Workcell<'a, S>, Model<'a, S>) -> Result<R, String>,
) -> Result<R, String> {
    let point = |x: [f64; 3]| Vec3::from(x.map(Interval::<f64>::point));
    let joint = |kind, axis, parent: Option<u8>| Joint {
        kind,
        parent: parent.map(LinkIndex),
        origin: Pose::<f64>::IDENTITY.into(),
        axis: point(axis),
        mimic: None,
    };
    let follows =
        Mimic { driver: LinkIndex(1), multiplier: Interval::point(multiplier), offset: Interval::point(offset) };
    let joints = [
        joint(JointKind::Prismatic, [1.0, 0.0, 0.0], None),
        joint(JointKind::Revolute, [0.0, 0.0, 1.0], Some(0)),
        Joint { mimic: Some(follows), ..joint(JointKind::Revolute, [0.0, 1.0, 0.0], Some(1)) },
    ];
    let (corner, sphere) = ([Vec3::ZERO], |radius| [Hull { first: 0, count: 1, radius: near::<S>(radius) }]);
    let (ball, grain) = (sphere(0.125), sphere(0.001));
    let geometry = |hulls| Geometry::new(&corner, &[], hulls, S::ZERO).map_err(|e| e.to_string());
    let model = build(geometry(&ball)?, &mut [], &mut [0]).map_err(|e| e.to_string())?;
    let grain = build(geometry(&grain)?, &mut [], &mut [0]).map_err(|e| e.to_string())?;
    let (mut links, mut parts) = ([Link::VACANT; 3], [Part::VACANT; 3]);
    let (mut allowed, mut objects) = ([None; 3], vec![None; places]);
    let storage = Storage {
        links: &mut links,
        parts: &mut parts,
        allowed: &mut allowed,
        objects: &mut objects,
        overrides: &mut [],
    };
    let base = Pose::<f64>::IDENTITY.into();
    let mut cell = Workcell::new(base, &joints, Margins::all(S::ZERO), storage).map_err(|e| e.to_string())?;
    cell.set_model(LinkIndex(0), Some(model)).map_err(|e| e.to_string())?;
    act(&mut cell, grain)
}

/// A course of a joint that stays within a few radians.
fn course(random: &mut Random) -> Course {
    let mut number = |most: f64| digits(most * random.within(-1.0, 1.0), random);
    let (p, v, a) = ([number(3.0), number(3.0)], [number(4.0), number(4.0)], [number(9.0), number(9.0)]);
    match random.below(3) {
        0 => Course::Line(p),
        1 => Course::Cubic(p, v, 1.0),
        _ => Course::Quintic(p, v, a, 1.0),
    }
}

fn value(course: &Course, u: f64) -> Dd {
    course.at(Dd::from(u))[0]
}

/// Limits near the extremes of a joint's values, or of one that follows it: whatever is accepted keeps them.
pub fn new<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let [mut accepted, mut refused] = [0; 2];
    for _ in 0..cases {
        let gear = (digits(random.within(-2.0, 2.0), &mut random), digits(random.within(-1.0, 1.0), &mut random));
        let course = course(&mut random);
        let follower = random.one_in(3);
        let (factor, summand) = if follower { gear } else { (1.0, 0.0) };
        let at = |u: f64| value(&course, u) * Dd::from(factor) + Dd::from(summand);
        let seen: Vec<Dd> = (0..=64).map(|i| at(f64::from(i) / 64.0)).collect();
        let least = seen.iter().copied().fold(Dd::from(f64::INFINITY), Dd::min).to_f64();
        let most = -seen.iter().map(|x| -*x).fold(Dd::from(f64::INFINITY), Dd::min).to_f64();
        let mut slack = || random.pick(&[1.0, 1.0, -1.0]) * random.magnitude(-6.0, -1.0);
        let limits = [near::<S>(least - slack()), near::<S>(most + slack())];
        if limits[0] > limits[1] {
            continue;
        }
        let path = course.any_path::<S>(&mut random).map_err(|e| e.to_string())?;
        let still = JointPath::still(0.0).map_err(|e| e.to_string())?;
        let paths = [still, path, still];
        let link = LinkIndex(if follower { 2 } else { 1 });
        let verdict = with_cell::<S, _>(gear, |cell| {
            cell.set_limits(link, Some(limits)).map_err(|e| e.to_string())?;
            Ok(Plan::new(cell, &paths, S::ZERO).map(|_| ()))
        })?;
        let beyond = |x: &Dd| {
            let slack = Dd::from(BEYOND * 1.001);
            *x < real(limits[0]) - slack || *x > real(limits[1]) + slack
        };
        match verdict {
            Ok(()) => accepted += 1,
            Err(PlanError::Limit { segment: 0, link: found }) if found == link => refused += 1,
            Err(error) => return Err(format!("{error:?}: {course:?}")),
        }
        let (inside, fair) = (0.01, Dd::from(0.01));
        need(verdict.is_err() || !seen.iter().any(beyond), &format!("{limits:?} left by {course:?}, {gear:?}"))?;
        let far = real(limits[0]) + fair < Dd::from(least) && Dd::from(most) + fair < real(limits[1]);
        let vague = path.value_error_hi().to_f64() > 0.1 * inside;
        need(verdict.is_ok() || !far || vague, &format!("{limits:?} refused for {course:?}, {gear:?}"))?;
    }
    need(cases < 1000 || accepted > cases / 10 && refused > cases / 10, &format!("{accepted} and {refused}"))
}

/// A joint that does not start where it was left is found, and one that does is not.
pub fn jumps<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let courses = [course(&mut random), course(&mut random)];
        let end = value(&courses[0], 1.0).to_f64();
        let jump = if random.one_in(2) { 0.0 } else { random.pick(&[-1.0, 1.0]) * random.magnitude(-2.5, 0.0) };
        let after = match courses[1] {
            Course::Line([_, q]) => Course::Line([end + jump, q]),
            Course::Cubic([_, q], v, t) => Course::Cubic([end + jump, q], v, t),
            Course::Quintic([_, q], v, a, t) => Course::Quintic([end + jump, q], v, a, t),
        };
        let paths = [courses[0].exact_path::<S>(), after.exact_path()].map(|path| path.map_err(|e| e.to_string()));
        let [before, after] = paths;
        let (before, after, still) = (before?, after?, JointPath::still(0.5).map_err(|e| e.to_string())?);
        let paths = [still, before, still, still, after, still];
        let found = with_cell::<S, _>((1.0, 0.0), |cell| Ok(Plan::new(cell, &paths, S::ZERO).map(|_| ())))?;
        let jumped = Err(PlanError::Jump { segment: 1, link: LinkIndex(1) });
        need(found == if jump == 0.0 { Ok(()) } else { jumped }, &format!("{found:?} for a jump by {jump}"))?;
    }
    Ok(())
}

/// Checks a plan to its end.
fn cleared<'p, S: Scalar>(cell: &Workcell<'_, S>, plan: &Plan<'p, S>) -> Result<Cleared<'p, S>, String> {
    let mut desk = Desk::new(cell, 64);
    let mut memory = desk.memory();
    let mut check = PathCheck::new(cell, plan, &mut memory).ok_or("a plan for another robot")?;
    let verdict = check.step(cell, plan, Budget::UNLIMITED);
    match verdict {
        PathVerdict::Undecided { why, .. } => Err(format!("undecided: {why:?}")),
        PathVerdict::Free(_) | PathVerdict::Contact { .. } => Ok(*verdict.cleared()),
    }
}

/// A robot is where a clearance says only if it is there, in a workcell that has not changed, while the plan is proved.
pub fn keeps<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let course = course(&mut random);
        // The slide takes a ball into a wall, or past it.
        let wall = random.one_in(2);
        let slide = JointPath::line([0.0, 2.0]).map_err(|e| e.to_string())?;
        let path = course.any_path::<S>(&mut random).map_err(|e| e.to_string())?;
        let still = JointPath::still(0.0).map_err(|e| e.to_string())?;
        let tolerance = if random.one_in(4) { S::ZERO } else { near::<S>(random.magnitude(-5.0, -1.0)) };
        let tracking = [S::ZERO, tolerance, S::ZERO];
        let paths = [slide, path, still, slide, path, still];
        with_cell::<S, _>((0.5, 0.25), |cell| {
            let model = *cell.model(LinkIndex(0)).ok_or("no model")?;
            let place =
                Pose::new([1.0, 0.0, 0.0, 0.0].map(near::<S>), [1.0, if wall { 0.0 } else { 9.0 }, 0.0].map(near));
            let object = cell.add_object(model, place.into()).map_err(|e| e.to_string())?;
            // Twice the same does not join, so once only.
            let plan = Plan::new(cell, &paths[..3], near(0.001)).and_then(|plan| plan.with_tracking(&tracking));
            let plan = plan.map_err(|e| e.to_string())?;
            let cleared = cleared(cell, &plan)?;
            need(cleared.is_whole() != wall, "the wall was not seen, or one that is not there")?;
            let until = cleared.until();
            let u = near::<S>(random.unit());
            let at = At { segment: 0, time: u };
            let (x, true_x) = (slide.value(u), value(&course, u.to_f64()));
            let off = random.pick(&[0.0, 1.0, -1.0, 0.5]) * tolerance.to_f64();
            let off = off * (1.0 + random.pick(&[0.0, 1.0, -1.0]) * random.magnitude(-9.0, -1.0));
            let value = if random.one_in(4) { path.value(u) } else { near(true_x.to_f64() + off) };
            let away = real(value) - true_x;
            let away = if away < Dd::ZERO { -away } else { away };
            let known = cleared.is_whole() || u < until.time;
            let kept = cleared.keeps(cell, at, &[x, value, S::ZERO]);
            // The computed value itself will do, though it errs.
            let there = away <= real(tolerance) || value == path.value(u) && away <= real(path.value_error_hi());
            let say = |what: &str| format!("{what} at {at:?} of {cleared:?}: {value:?}, {:e}", true_x.to_f64());
            need(!kept || known && there, &say("kept"))?;
            let error = 4.0 * path.value_error_hi().to_f64();
            let sure = known && away.to_f64() + error < tolerance.to_f64();
            need(kept || !sure, &say("not kept"))?;
            need(!cleared.keeps(cell, At { segment: 1, time: u }, &[x, value, S::ZERO]), "there is no second segment")?;
            need(!cleared.keeps(cell, At { time: -S::ONE, ..at }, &[S::ZERO, path.value(S::ZERO), S::ZERO]), "before")?;
            need(!cleared.keeps(cell, at, &[x]), "too few values")?;
            need(cleared.starts_at(cell, &[S::ZERO, path.value(S::ZERO), S::ONE]), "not at the start")?;
            brakes(random_of(u), &cleared)?;
            cell.switch_object(object, false).map_err(|e| e.to_string())?;
            need(!cleared.keeps(cell, at, &[x, value, S::ZERO]) && cleared.is_stale(cell), "a stale clearance is kept")
        })?;
    }
    Ok(())
}

fn random_of<S: Scalar>(x: S) -> Random {
    Random::new(x.to_bits64())
}

/// Nobody brakes later than the end of what is proved, less what braking takes; nor much earlier.
fn brakes<S: Scalar>(mut random: Random, cleared: &Cleared<'_, S>) -> Result<(), String> {
    let until = cleared.until();
    let allowance = random.pick(&[0.0, 1.0, 1.0, 2.0]) * random.unit() - random.pick(&[0.0, 0.0, 0.1]);
    let by = cleared.brake_by(near(allowance));
    let say = |what: &str| format!("{what}: {by:?} for {allowance} before {until:?}");
    if cleared.is_whole() {
        return need(by == until, &say("a plan that ends at rest is cut"));
    }
    let latest = (until.time.to_f64() - near::<S>(allowance).to_f64().max(0.0)).max(0.0);
    need(by.segment == 0 && by.time.to_f64() <= latest, &say("late"))?;
    need(by.time.to_f64() >= latest - 1e-5, &say("early"))
}

/// What is refused, and why; and what is not.
pub fn doors<S: Scalar>(_: u64, _: u64) -> Result<(), String> {
    let still = JointPath::<S>::still(0.5).map_err(|e| e.to_string())?;
    let made = |path: Result<JointPath<S>, avert::motion::PathError>| path.map_err(|e| e.to_string());
    // From 0 to 1, and beyond on the way: 6u² − 5u³ has its peak of 1.28 at u = 0.8.
    let over = made(JointPath::cubic([0.0, 1.0], [0.0, -3.0], 1.0))?;
    let joint = LinkIndex;
    with_cell::<S, _>((1.0, 0.0), |cell| {
        let good = [still; 3];
        let tell = |error: Option<PlanError>, expected: Option<PlanError>, what: &str| {
            need(error == expected, &format!("{what}: {error:?}"))
        };
        let new = |cell: &Workcell<'_, S>, paths: &[JointPath<S>]| Plan::new(cell, paths, S::ZERO).err();
        tell(new(cell, &good), None, "good")?;
        tell(new(cell, &[]), Some(PlanError::Paths(3)), "no paths")?;
        tell(new(cell, &[still; 4]), Some(PlanError::Paths(3)), "a path too many")?;
        tell(Plan::new(cell, &good, -S::ONE).err(), Some(PlanError::Tolerance), "a negative tolerance")?;
        let twice = [still; 6];
        let plan = Plan::new(cell, &twice, S::ZERO).map_err(|e| e.to_string())?;
        let quarter = S::HALF * S::HALF;
        for bad in [&[][..], &[S::ONE], &[S::ONE, S::HALF], &[S::ZERO, S::ONE], &[quarter, S::HALF]] {
            tell(plan.with_clock(bad).err(), Some(PlanError::Clock), "a bad clock")?;
        }
        tell(plan.with_clock(&[quarter, S::ONE]).err(), None, "a good clock")?;
        for bad in [&[][..], &[S::ZERO; 2], &[S::ZERO, -S::ONE, S::ZERO], &[S::GREATEST; 3]] {
            tell(plan.with_tracking(bad).err(), Some(PlanError::Tracking), "a bad tracking tolerance")?;
        }
        tell(plan.with_tracking(&[S::ZERO, quarter, S::ZERO]).err(), None, "a good tracking tolerance")?;
        // A path that leaves its limits between ends that keep them.
        let limit = |x: f64| Some([near::<S>(-0.01), near::<S>(x)]);
        let paths = [still, over, still];
        cell.set_limits(joint(1), limit(1.27)).map_err(|e| e.to_string())?;
        tell(new(cell, &paths), Some(PlanError::Limit { segment: 0, link: joint(1) }), "an overshoot")?;
        cell.set_limits(joint(1), limit(1.29)).map_err(|e| e.to_string())?;
        tell(new(cell, &paths), None, "an overshoot within limits")?;
        // Decimal numbers on both sides. 32 bits of fixed point leave ten units for all that is rounded, which is too few.
        let ends = if S::FLOATING || size_of::<S>() == 8 { &[2.8973, -0.0698, 3.7525, 0.1][..] } else { &[] };
        for end in ends.iter().copied() {
            let bounds = [near::<S>(f64::min(end, 0.5)), near::<S>(f64::max(end, 0.5))];
            cell.set_limits(joint(1), Some(bounds)).map_err(|e| e.to_string())?;
            let ends = [0.5, end].map(Interval::<f64>::from_decimal);
            let line = made(JointPath::line_enclosures(ends))?;
            tell(new(cell, &[still, line, still]), None, "a path that ends at a limit")?;
            let zero = Interval::ZERO;
            let slow = made(JointPath::cubic_enclosures(ends, [zero; 2], Interval::ONE))?;
            tell(new(cell, &[still, slow, still]), None, &format!("a path that comes to rest at its limit {end}"))?;
        }
        Ok(())
    })
}

/// With more places than objects can have numbers, no link is forgotten.
pub fn many_places<S: Scalar>(_: u64, _: u64) -> Result<(), String> {
    let slide = JointPath::line([-1.0, 1.0]).map_err(|e| e.to_string())?;
    let still = JointPath::still(0.0).map_err(|e| e.to_string())?;
    let paths = [slide, still, still];
    for places in [1, (1 << 16) - 1, 1 << 16, (1 << 16) + 1, (1 << 16) + 9] {
        with_places::<S, _>((1.0, 0.0), places, |cell, grain| {
            // The ball is the second link's; the first, with a grain, passes by.
            let ball = *cell.model(LinkIndex(0)).ok_or("no model")?;
            cell.set_model(LinkIndex(1), Some(ball)).map_err(|e| e.to_string())?;
            cell.set_model(LinkIndex(0), Some(grain)).map_err(|e| e.to_string())?;
            cell.set_allowed(LinkIndex(0), LinkIndex(1), Some(Reason::User)).map_err(|e| e.to_string())?;
            let beside = Pose::new([1.0, 0.0, 0.0, 0.0].map(near::<S>), [0.0, 0.1875, 0.0].map(near));
            cell.add_object(ball, beside.into()).map_err(|e| e.to_string())?;
            let plan = Plan::new(cell, &paths, near(0.001)).map_err(|e| e.to_string())?;
            need(!cleared(cell, &plan)?.is_whole(), &format!("free with {places} places"))
        })?;
    }
    Ok(())
}
