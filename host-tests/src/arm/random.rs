//! Robots, worlds and paths by chance; many of them touch something, or nearly so.

mod bodies;

use super::case::{ArmCase, CaseBody, CaseJoint, CaseKind, CaseMimic, CaseObject, CasePath, CasePayload, Margins, Who};
use super::oracle::{Moment, Oracle};
use crate::random::Random;
use crate::scenes::{Path, Place, Point, add, block, length, on_grid, rounded, times, turn};
use bodies::{clutter, link_body, some_payload, thin_or_small};
use nalgebra::{Point3, Vector3};

/// A case, known by its seed and index.
pub fn some_arm(seed: u64, index: u64) -> ArmCase {
    let random = &mut Random::new(seed ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03));
    let joints = joints(random);
    let bodies = bodies(random, &joints);
    let segments = segments(random, &joints);
    let length = |random: &mut Random| if random.one_in(2) { 0.0 } else { tidy(random.magnitude(-3.5, -1.8)) };
    let margins = Margins { world: length(random), own: length(random), payload: length(random) };
    let base = if random.one_in(2) { Place::IDENTITY } else { place(random.quaternion(), random.vector()) };
    let payloads = payloads(random, &joints, &bodies);
    let mut case = ArmCase { base, joints, bodies, objects: vec![], payloads, segments, allowed: vec![], margins };
    allow(random, &mut case);
    let count = 1 + if random.one_in(2) { random.below(3) } else { random.below(8) };
    for index in 0..count {
        let near = if index == 0 || random.one_in(6) { near_miss(random, &case) } else { None };
        let object = near.or_else(|| bystander(random, &case));
        case.objects.extend(object);
    }
    if random.one_in(24) {
        case.objects.push(cage(random, &case));
    }
    case
}

/// The nearest number that every scalar holds.
fn tidy(x: f64) -> f64 {
    rounded(on_grid(x))
}

fn place(rotation: [f64; 4], position: Point) -> Place {
    Place { rotation: rotation.map(tidy), position: position.map(tidy) }
}

/// A tree of one to nine links, mostly a chain.
fn joints(random: &mut Random) -> Vec<CaseJoint> {
    let count = if random.one_in(3) { 1 + random.below(3) } else { 3 + random.below(7) };
    let branching = random.one_in(4);
    let mut joints: Vec<CaseJoint> = (0..count).map(|i| joint(random, i, branching)).collect();
    let moves = |joint: &CaseJoint| joint.kind != CaseKind::Fixed;
    let leads: Vec<usize> = (0..count).filter(|i| moves(&joints[*i]) && random.one_in(2)).collect();
    for i in (0..count).filter(|i| !leads.contains(i)) {
        if moves(&joints[i]) && !leads.is_empty() && random.one_in(3) {
            let driver = random.pick(&leads);
            // Radians for metres and the other way round, in proportion.
            let ratio = match (joints[driver].kind, joints[i].kind) {
                (CaseKind::Revolute, CaseKind::Prismatic) => 0.125,
                (CaseKind::Prismatic, CaseKind::Revolute) => 4.0,
                _ => 1.0,
            };
            let multiplier = tidy(ratio * random.pick(&[1.0, -1.0, 0.5, -1.5]) * random.within(0.75, 1.0));
            let offset = if random.one_in(2) { 0.0 } else { tidy(ratio.min(1.0) * random.within(-0.5, 0.5)) };
            joints[i].mimic = Some(CaseMimic { driver, multiplier, offset });
        }
    }
    joints
}

fn joint(random: &mut Random, index: usize, branching: bool) -> CaseJoint {
    let parent = match index.checked_sub(1) {
        Some(_) if branching && random.one_in(3) => Some(random.below(index)),
        // A second arm on the same base.
        Some(_) if branching && random.one_in(8) => None,
        last => last,
    };
    let reach = if parent.is_none() { random.within(0.0, 0.5) } else { random.within(0.08, 0.4) };
    let rotation = if random.one_in(3) { [1.0, 0.0, 0.0, 0.0] } else { random.quaternion() };
    let kind = match random.below(12) {
        0 if index > 0 => CaseKind::Fixed,
        1 | 2 => CaseKind::Prismatic,
        _ => CaseKind::Revolute,
    };
    let axis = if random.one_in(4) {
        random.direction().map(tidy)
    } else {
        random.pick(&[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    };
    CaseJoint { kind, parent, origin: place(rotation, times(random.direction(), reach)), axis, mimic: None }
}

/// Each link reaches from its origin to the first one that hangs on it, or somewhere.
fn bodies(random: &mut Random, joints: &[CaseJoint]) -> Vec<Option<CaseBody>> {
    let mut bodies: Vec<Option<CaseBody>> = (0..joints.len())
        .map(|i| {
            let child = joints.iter().find(|joint| joint.parent == Some(i));
            let away = times(random.direction(), random.within(0.05, 0.3));
            let along = child.map_or(away, |joint| joint.origin.position);
            let along = if length(along) < 0.02 { [0.0, 0.0, 0.0625] } else { along };
            (!random.one_in(8)).then(|| link_body(random, along))
        })
        .collect();
    if bodies.iter().all(Option::is_none) {
        bodies[joints.len() - 1] = Some(link_body(random, [0.0, 0.0, 0.25]));
    }
    bodies
}

fn payloads(random: &mut Random, joints: &[CaseJoint], bodies: &[Option<CaseBody>]) -> Vec<CasePayload> {
    if !random.one_in(4) {
        return vec![];
    }
    let link = joints.len() - 1;
    // At the far end of the link's body, if it has one.
    let shape = bodies[link].as_ref().map(|body| &body.shape);
    let tip = shape.and_then(|shape| shape.points.iter().copied().max_by(|a, b| length(*a).total_cmp(&length(*b))));
    let place = place(random.quaternion(), tip.unwrap_or([0.0, 0.0, 0.125]));
    vec![CasePayload { link, place, body: some_payload(random) }]
}

/// One to three segments whose values agree where they meet, and some of whose rates do.
fn segments(random: &mut Random, joints: &[CaseJoint]) -> Vec<Vec<CasePath>> {
    let count = if random.one_in(2) { 1 } else { 2 + random.below(2) };
    let durations: Vec<f64> = (0..count).map(|_| tidy(random.within(0.25, 3.0))).collect();
    let style = random.below(4);
    let still = random.within(0.0, 0.4);
    let mut segments = vec![vec![]; count];
    for joint in joints {
        // Of a whole path.
        let (home, way) = match joint.kind {
            CaseKind::Fixed => (0.0, 0.0),
            CaseKind::Revolute => (2.0, 0.9),
            CaseKind::Prismatic => (0.1, 0.15),
        };
        let rests = random.unit() < still;
        let way = if rests { 0.0 } else { way / (count as f64).sqrt() };
        let mut position = tidy(home * random.within(-1.0, 1.0));
        let [mut velocity, mut acceleration] = [0.0; 2];
        for (segment, duration) in durations.iter().copied().enumerate() {
            let rate = way / duration;
            let next = tidy(position + way * random.within(-1.0, 1.0));
            let stops = rests || segment + 1 == count && random.one_in(2) || random.one_in(4);
            let [v, a] = if stops { [0.0; 2] } else { [rate, 2.0 * rate / duration] };
            let [v, a] = [v, a].map(|most| tidy(most * random.within(-1.0, 1.0)));
            let (positions, velocities, accelerations) = ([position, next], [velocity, v], [acceleration, a]);
            segments[segment].push(match if style == 3 { random.below(3) } else { style } {
                0 => CasePath::Line { positions },
                1 => CasePath::Cubic { positions, velocities, duration },
                _ => CasePath::Quintic { positions, velocities, accelerations, duration },
            });
            (position, velocity, acceleration) = (next, v, a);
        }
    }
    segments
}

/// Lets neighbours touch, and nearly everything that does so from the start.
fn allow(random: &mut Random, case: &mut ArmCase) {
    let above = |case: &ArmCase, who: Who| match case.group(who) {
        Some(Who::Link(i)) => case.joints[i].parent.map(|parent| case.group(Who::Link(parent))),
        Some(Who::Object(_) | Who::Payload(_)) | None => None,
    };
    let oracle = Oracle::new(case);
    let sloppy = random.one_in(16);
    for pair in case.pairs() {
        let [a, b] = pair;
        let near = above(case, a) == Some(case.group(b)) || above(case, b) == Some(case.group(a));
        let room = case.margin(pair) + 0.004;
        let start = oracle.distance(pair, Moment { segment: 0, u: 0.0 });
        if near || !sloppy && start.is_some_and(|distance| distance < room) {
            case.allowed.push(if random.one_in(2) { pair } else { [b, a] });
        }
    }
}

/// How near the robot gets to its last object, by a few looks: at the start, and at all.
fn nearest(case: &ArmCase, looks: usize) -> [f64; 2] {
    let oracle = Oracle::new(case);
    let who = Who::Object(case.objects.len() - 1);
    let mut least = [f64::INFINITY; 2];
    for segment in 0..case.segments.len() {
        for i in 0..=looks {
            let at = Moment { segment, u: i as f64 / looks as f64 };
            if let Some((_, distance)) = oracle.below(who, at, least[1]) {
                least[1] = distance;
            }
            if (segment, i) == (0, 0) {
                least[0] = least[1];
            }
        }
    }
    least
}

/// With this object added.
fn with(case: &ArmCase, object: &CaseObject) -> ArmCase {
    // Only what is looked at.
    ArmCase { objects: vec![object.clone()], ..case.clone() }
}

/// An object at a place where some link passes, moved away from there until the robot just touches or just misses it; it seldom
/// touches from the start.
fn near_miss(random: &mut Random, case: &ArmCase) -> Option<CaseObject> {
    let (anywhere, oracle) = (random.one_in(16), Oracle::new(case));
    (0..4).find_map(|_| {
        let object = at_a_link(random, case, &oracle)?;
        let found = placed(random, case, object);
        let [start, _] = nearest(&with(case, &found), 1);
        (anywhere || start > case.margins.world.max(case.margins.payload)).then_some(found)
    })
}

/// An object at a place where some link passes.
fn at_a_link(random: &mut Random, case: &ArmCase, oracle: &Oracle) -> Option<CaseObject> {
    let robot: Vec<Who> = case.everyone().into_iter().filter(|who| !matches!(who, Who::Object(_))).collect();
    let who = random.pick(&robot);
    let shape = &case.body(who)?.shape;
    let u = if random.one_in(8) { 1.0 } else { random.unit() };
    let at = Moment { segment: random.below(case.segments.len()), u };
    let x = random.pick(&shape.points);
    let aside = Vector3::from(random.direction()) * shape.hulls.first().map_or(0.0, |hull| hull.radius);
    let there = oracle.pose(who, at)? * Point3::from(x) + aside;
    let place = place(random.quaternion(), there.coords.into());
    let mut object = CaseObject { body: thin_or_small(random), place, motion: None };
    if random.one_in(4) {
        let motion = drift(random, place, case.segments.len());
        // It is to pass by when the link does.
        if let Path::Between { from, to, .. } = motion[at.segment] {
            let then = add(times(from.position, 1.0 - u), times(to.position, u));
            object.motion = Some(motion);
            shift(&mut object, add(place.position, times(then, -1.0)));
        }
    }
    Some(object)
}

/// Puts an object, on its whole way, elsewhere.
fn shift(object: &mut CaseObject, by: Point) {
    let by = by.map(tidy);
    object.place.position = add(object.place.position, by);
    object.motion.iter_mut().flatten().for_each(|path| *path = path.moved(by));
}

/// The object moved one way until the robot just touches or just misses it.
fn placed(random: &mut Random, case: &ArmCase, mut object: CaseObject) -> CaseObject {
    let away = random.direction();
    let offset = if random.one_in(4) {
        random.pick(&[-1.0, 1.0]) * random.magnitude(-5.0, -3.0)
    } else {
        random.within(-0.005, 0.005)
    };
    let goal = case.margins.world + offset;
    // From where it is clear of the robot, towards it; how deep an overlap is, is not told.
    let (mut clear, mut push) = (random.one_in(4), 0.01);
    for _ in 0..10 {
        let [_, least] = nearest(&with(case, &object), 32);
        let met = if least < 1e-4 { clear && offset < 0.0 } else { (least - goal).abs() < 0.2 * offset.abs() };
        if met {
            break;
        }
        let step = if least < 1e-4 { push } else { goal - least };
        (clear, push) = (clear || least > case.margins.world, 1.5 * push);
        shift(&mut object, times(away, step));
    }
    object
}

/// An object that is somewhere within reach; it seldom touches from the start, and not always later.
fn bystander(random: &mut Random, case: &ArmCase) -> Option<CaseObject> {
    let (anywhere, wanted) = (random.one_in(24), random.one_in(3));
    (0..8).find_map(|_| {
        let far = random.within(0.1, 1.0) * reach(case);
        let position = add(case.base.position, times(random.direction(), far));
        let from = place(random.quaternion(), position);
        let motion = random.one_in(6).then(|| drift(random, from, case.segments.len()));
        let object = CaseObject { body: clutter(random), place: from, motion };
        let [start, least] = nearest(&with(case, &object), 12);
        let margin = case.margins.world.max(case.margins.payload);
        (anywhere || start > margin + 0.001 && (wanted || least > margin + 0.001)).then_some(object)
    })
}

/// A closed mesh about the robot: as a surface it is a cage, as a solid it is in the way from the start.
fn cage(random: &mut Random, case: &ArmCase) -> CaseObject {
    let half = (reach(case) * random.within(0.3, 1.5)).clamp(0.05, 4.0);
    let body = CaseBody { shape: block([half; 3]).rounded(tidy), solid: random.one_in(2) };
    CaseObject { body, place: place(random.quaternion(), case.base.position), motion: None }
}

/// About how far the robot can reach.
fn reach(case: &ArmCase) -> f64 {
    case.joints.iter().map(|joint| length(joint.origin.position)).sum::<f64>().max(0.3)
}

/// Slowly on, a path a segment.
fn drift(random: &mut Random, from: Place, segments: usize) -> Vec<Path> {
    let mut here = from;
    let mut next = || {
        let position = add(here.position, times(random.vector(), 0.15));
        let [a, b, c, d] = here.rotation;
        let [w, x, y, z] = if random.one_in(2) { [1.0, 0.0, 0.0, 0.0] } else { turn(random.direction(), 0.5) };
        let turned = [
            w * a - x * b - y * c - z * d,
            w * b + x * a + y * d - z * c,
            w * c - x * d + y * a + z * b,
            w * d + x * c - y * b + z * a,
        ];
        let to = place(turned, position);
        let path = Path::Between { from: here, to, centre: [0.0; 3] };
        here = to;
        path
    };
    (0..segments).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::Shape;

    fn exact(x: f64) -> bool {
        on_grid(x) == x && f64::from(x as f32) == x
    }

    fn place_numbers(place: &Place) -> impl Iterator<Item = f64> {
        place.rotation.into_iter().chain(place.position)
    }

    fn shape_numbers(shape: &Shape) -> impl Iterator<Item = f64> {
        shape.points.iter().flatten().copied().chain(shape.hulls.iter().map(|hull| hull.radius))
    }

    fn path_numbers(path: &CasePath) -> Vec<f64> {
        match *path {
            CasePath::Line { positions } => positions.to_vec(),
            CasePath::Cubic { positions, velocities, duration } => {
                [positions, velocities, [duration; 2]].into_iter().flatten().collect()
            }
            CasePath::Quintic { positions, velocities, accelerations, duration } => {
                [positions, velocities, accelerations, [duration; 2]].into_iter().flatten().collect()
            }
        }
    }

    fn ends(path: &CasePath) -> [f64; 2] {
        match *path {
            CasePath::Line { positions } | CasePath::Cubic { positions, .. } | CasePath::Quintic { positions, .. } => {
                positions
            }
        }
    }

    #[test]
    fn numbers_are_the_same_for_every_scalar() {
        for index in 0..150 {
            let case = some_arm(1, index);
            let mut numbers = vec![case.margins.world, case.margins.own, case.margins.payload];
            numbers.extend(place_numbers(&case.base));
            for joint in &case.joints {
                numbers.extend(place_numbers(&joint.origin));
                numbers.extend(joint.axis);
                numbers.extend(joint.mimic.iter().flat_map(|mimic| [mimic.multiplier, mimic.offset]));
                assert!((length(joint.axis) - 1.0).abs() < 1e-5);
            }
            for who in case.everyone() {
                numbers.extend(case.body(who).into_iter().flat_map(|body| shape_numbers(&body.shape)));
            }
            numbers.extend(case.objects.iter().flat_map(|object| place_numbers(&object.place)));
            numbers.extend(case.payloads.iter().flat_map(|payload| place_numbers(&payload.place)));
            for path in case.objects.iter().flat_map(|object| object.motion.iter().flatten()) {
                if let Path::Between { from, to, centre } = path {
                    numbers.extend(place_numbers(from).chain(place_numbers(to)).chain(*centre));
                }
            }
            numbers.extend(case.segments.iter().flatten().flat_map(path_numbers));
            let bad: Vec<f64> = numbers.into_iter().filter(|x| !exact(*x)).collect();
            assert!(bad.is_empty(), "case {index}: {bad:?}");
        }
    }

    #[test]
    fn trees_and_paths_are_whole() {
        let mut seen = [0; 8];
        for index in 0..150 {
            let case = some_arm(2, index);
            assert_eq!(case.joints.len(), case.bodies.len());
            assert!((1..=9).contains(&case.joints.len()) && case.objects.len() <= 9);
            for (i, joint) in case.joints.iter().enumerate() {
                assert!(joint.parent.is_none_or(|parent| parent < i));
                if let Some(CaseMimic { driver, .. }) = joint.mimic {
                    let driver = &case.joints[driver];
                    assert!(driver.mimic.is_none() && driver.kind != CaseKind::Fixed);
                    seen[0] += 1;
                }
                seen[1] += usize::from(joint.kind == CaseKind::Fixed);
                seen[2] += usize::from(joint.kind == CaseKind::Prismatic);
                seen[3] += usize::from(i > 0 && joint.parent != Some(i - 1));
            }
            for knot in case.segments.windows(2) {
                assert!(knot[0].iter().zip(&knot[1]).all(|(a, b)| ends(a)[1] == ends(b)[0]), "case {index}");
                seen[4] += 1;
            }
            seen[5] += case.payloads.len();
            seen[6] += case.objects.iter().filter(|object| object.motion.is_some()).count();
            seen[7] += case.everyone().iter().filter(|who| case.body(**who).is_some_and(|body| body.solid)).count();
        }
        assert!(seen.iter().all(|count| *count > 15), "{seen:?}");
    }
}
