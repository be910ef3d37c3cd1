//! The oracle against closed forms and against plain sampling, and the judge against answers that are wrong on purpose.

use super::*;
use crate::scenes::{Path, Place, Point, Shape, ball, block, capsule, cuboid, plate, turn};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

const Z: Point = [0.0, 0.0, 1.0];
const X: Point = [1.0, 0.0, 0.0];

fn joint(kind: CaseKind, parent: Option<usize>, axis: Point) -> CaseJoint {
    CaseJoint { kind, parent, origin: Place::IDENTITY, axis, mimic: None }
}

fn body(shape: Shape) -> CaseBody {
    CaseBody { shape, solid: false }
}

fn full(shape: Shape) -> CaseBody {
    CaseBody { shape, solid: true }
}

fn at(body: CaseBody, place: Place) -> CaseObject {
    CaseObject { body, place, motion: None }
}

fn line(from: f64, to: f64) -> CasePath {
    CasePath::Line { positions: [from, to] }
}

fn arm(joints: Vec<CaseJoint>, bodies: Vec<Option<CaseBody>>, segments: Vec<Vec<CasePath>>) -> ArmCase {
    ArmCase {
        base: Place::IDENTITY,
        joints,
        bodies,
        objects: vec![],
        payloads: vec![],
        segments,
        allowed: vec![],
        margins: Margins::default(),
    }
}

/// One joint, one link, one object.
fn single(kind: CaseKind, axis: Point, link: CaseBody, path: CasePath, object: CaseObject) -> ArmCase {
    ArmCase { objects: vec![object], ..arm(vec![joint(kind, None, axis)], vec![Some(link)], vec![vec![path]]) }
}

fn survey(case: &ArmCase) -> Survey {
    Oracle::new(case).survey()
}

fn assert_first(case: &ArmCase, segment: usize, u: f64) {
    let first = survey(case).first.expect("there is a contact");
    assert!(first.at.segment == segment && (first.at.u - u).abs() < 1e-7, "{first:?}, expected {u} of {segment}");
}

/// A plate in the plane x = `at`.
fn upright(at: f64, half: f64) -> CaseObject {
    let place = Place { rotation: turn([0.0, 1.0, 0.0], FRAC_PI_2), position: [at, 0.0, 0.0] };
    CaseObject { body: body(plate(1, half)), place, motion: None }
}

/// A box of half a side 0.1 that slides along x, and a plate at 0.7.
fn slide(path: CasePath) -> ArmCase {
    single(CaseKind::Prismatic, X, body(cuboid([0.0; 3], [0.1; 3], 0.0)), path, upright(0.7, 0.5))
}

/// Something small that rushes along x through a plate of two triangles.
fn rush(radius: f64) -> ArmCase {
    let path =
        CasePath::Quintic { positions: [-0.5, 1.5], velocities: [0.0; 2], accelerations: [0.0; 2], duration: 1.0 };
    single(CaseKind::Prismatic, X, body(ball([0.0; 3], radius)), path, upright(0.523, 0.3))
}

#[test]
fn a_rod_reaches_a_wire_when_the_angle_says() {
    let rod = || body(capsule([0.0; 3], X, 0.05));
    for angle in [0.3_f64, 0.8, 1.4] {
        let (s, c) = (0.8 * angle.sin(), 0.8 * angle.cos());
        let wire = at(body(capsule([s, c, -0.5], [s, c, 0.5], 0.001)), Place::IDENTITY);
        // From above to below, so a quarter turn back from y.
        let case = single(CaseKind::Revolute, [0.0, 0.0, -2.0], rod(), line(-FRAC_PI_2, 0.0), wire);
        let turned = angle - (0.051_f64 / 0.8).asin();
        assert_first(&case, 0, turned / FRAC_PI_2);
    }
    // Too high for the rod.
    let wire = at(body(capsule([0.5, 0.5, 0.052], [0.5, 0.5, 0.5], 0.001)), Place::IDENTITY);
    let case = single(CaseKind::Revolute, Z, rod(), line(0.0, FRAC_PI_2), wire);
    let seen = survey(&case);
    assert!(seen.first.is_none());
    assert!(seen.nearest[0].is_some_and(|look| look.distance >= 0.001 - 1e-12), "{:?}", seen.nearest);
}

#[test]
fn a_box_reaches_a_plate_and_its_margin() {
    assert_first(&slide(line(0.0, 1.0)), 0, 0.6);
    let case = ArmCase { margins: Margins { world: 0.02, ..Margins::default() }, ..slide(line(0.0, 1.0)) };
    assert_first(&case, 0, 0.58);
    // The other margins are other pairs'.
    let case = ArmCase { margins: Margins { world: 0.0, own: 0.1, payload: 0.2 }, ..slide(line(0.0, 1.0)) };
    assert_first(&case, 0, 0.6);
    // In the second segment.
    let case = ArmCase { segments: vec![vec![line(0.5, 0.0)], vec![line(0.0, 1.2)]], ..slide(line(0.0, 0.0)) };
    assert_first(&case, 1, 0.5);
}

#[test]
fn a_cubic_is_where_its_formula_says() {
    let path = CasePath::Cubic { positions: [0.0, 1.0], velocities: [0.0; 2], duration: 2.0 };
    // 3u² − 2u³ = 0.6, by halving.
    let (mut a, mut b) = (0.0_f64, 1.0_f64);
    for _ in 0..60 {
        let m = 0.5 * (a + b);
        if 3.0 * m * m - 2.0 * m * m * m < 0.6 { a = m } else { b = m }
    }
    assert_first(&slide(path), 0, a);
    // Out and back, so that both ends are at rest and far away: u − u² is the furthest at a half.
    let bow = |far: f64| CasePath::Cubic { positions: [0.0; 2], velocities: [4.0 * far, -4.0 * far], duration: 1.0 };
    assert_first(&slide(bow(0.8)), 0, 0.25);
    assert!(survey(&slide(bow(0.599))).first.is_none());
    // By a micrometre, for a two thousandth of the time.
    let graze = survey(&slide(bow(0.600_001))).first.expect("it touches");
    assert!((graze.at.u - (0.5 - 0.5 * (1e-6_f64 / 0.600_001).sqrt())).abs() < 1e-6, "{graze:?}");
}

#[test]
fn both_fingers_of_a_gripper_move() {
    // Fingers of half a width 0.01, from 0.1 on either side towards the middle; the second one follows.
    let finger = || Some(body(cuboid([0.0; 3], [0.01, 0.02, 0.03], 0.0)));
    let follower = CaseMimic { driver: 1, multiplier: -1.0, offset: 0.0 };
    let gripper = || {
        arm(
            vec![
                joint(CaseKind::Fixed, None, Z),
                joint(CaseKind::Prismatic, Some(0), X),
                CaseJoint { mimic: Some(follower), ..joint(CaseKind::Prismatic, Some(0), X) },
            ],
            vec![None, finger(), finger()],
            vec![vec![line(5.0, 7.0), line(0.1, 0.0), line(9.0, 3.0)]],
        )
    };
    // They meet when each is at 0.01.
    assert_first(&gripper(), 0, 0.9);
    let case = ArmCase { allowed: vec![[Who::Link(2), Who::Link(1)]], ..gripper() };
    assert!(survey(&case).first.is_none());
    // The part is nearer to the follower: from −0.09 to −0.035 it goes 0.055 − 0.005.
    let part = at(body(ball([-0.03, 0.0, 0.0], 0.005)), Place::IDENTITY);
    let case = ArmCase { objects: vec![part], ..gripper() };
    assert_first(&case, 0, 0.55);
    let first = survey(&case).first.expect("there is a contact");
    assert!(first.pair == [Who::Link(2), Who::Object(0)], "{first:?}");
}

#[test]
fn a_plate_between_two_looks_is_found() {
    for radius in [0.005, 0.0005] {
        let case = rush(radius);
        let oracle = Oracle::new(&case);
        let pair = [Who::Link(0), Who::Object(0)];
        let coarse = |i: u32| oracle.distance(pair, Moment { segment: 0, u: f64::from(i) / 64.0 });
        assert!((0..=64).all(|i| coarse(i).is_some_and(|distance| distance > 0.0)), "a coarse grid sees it as well");
        let first = survey(&case).first.expect("the plate is there");
        // The place is 2·(10u³ − 15u⁴ + 6u⁵) − 0.5.
        let u = first.at.u;
        let place = 2.0 * u * u * u * (10.0 - 15.0 * u + 6.0 * u * u) - 0.5;
        assert!((place - (0.523 - radius)).abs() < 1e-7, "{first:?}");
    }
}

#[test]
fn what_is_inside_of_a_closed_mesh_touches() {
    let small = || body(ball([0.0; 3], 0.01));
    let case = |mesh: CaseBody| single(CaseKind::Prismatic, X, small(), line(0.0, 0.1), at(mesh, Place::IDENTITY));
    assert_first(&case(full(block([0.5; 3]))), 0, 0.0);
    assert!(survey(&case(body(block([0.5; 3])))).first.is_none());
    // The other way round: the link holds the object, which is the second part of its body.
    let two = full(block([0.5; 3]).moved([5.0, 0.0, 0.0]).with(block([0.2; 3])));
    let case = single(CaseKind::Prismatic, X, two, line(0.0, 0.1), at(small(), Place::IDENTITY));
    assert_first(&case, 0, 0.0);
    let beside = at(small(), Place::at([2.0, 0.0, 0.0]));
    assert!(survey(&ArmCase { objects: vec![beside], ..case }).first.is_none());
}

#[test]
fn payloads_are_carried_and_objects_move() {
    let place = Place { rotation: turn(Z, FRAC_PI_4), position: [1.0, 0.0, 0.0] };
    let payload = CasePayload { link: 0, place, body: body(cuboid([0.0; 3], [0.1, 0.1, 0.1], 0.0)) };
    // The plate is at −x, and the corner of the box comes first: it is 0.1·√2 away from the link's end.
    let case = ArmCase {
        payloads: vec![payload],
        objects: vec![upright(-0.5, 2.0)],
        ..arm(vec![joint(CaseKind::Prismatic, None, X)], vec![None], vec![vec![line(0.0, -2.0)]])
    };
    let corner = 0.1 * 2.0_f64.sqrt();
    assert_first(&case, 0, (1.5 - corner) / 2.0);
    let case = ArmCase { margins: Margins { payload: 0.05, ..Margins::default() }, ..case };
    assert_first(&case, 0, (1.45 - corner) / 2.0);
    let ball = CaseObject {
        body: body(ball([0.0; 3], 0.1)),
        place: Place::at([100.0, 0.0, 0.0]),
        motion: Some(vec![Path::Between {
            from: Place::at([0.0, 5.0, 0.0]),
            to: Place::at([0.0, 1.0, 0.0]),
            centre: [0.0; 3],
        }]),
    };
    let link = body(cuboid([0.0; 3], [0.5; 3], 0.0));
    // The link comes from below while the ball comes from above: 4 − 0.1 to go at 4 + 1.
    let case = single(CaseKind::Prismatic, [0.0, 1.0, 0.0], link, line(0.5, 1.5), ball);
    assert_first(&case, 0, 3.9 / 5.0);
}

#[test]
fn only_what_can_move_and_may_not_touch_is_checked() {
    let dot = || Some(body(ball([0.0; 3], 0.1)));
    let still = at(body(ball([0.0; 3], 0.1)), Place::IDENTITY);
    let case = ArmCase {
        objects: vec![still],
        ..arm(
            vec![
                joint(CaseKind::Fixed, None, Z),
                joint(CaseKind::Revolute, Some(0), Z),
                joint(CaseKind::Fixed, Some(1), Z),
                joint(CaseKind::Revolute, Some(2), Z),
            ],
            vec![dot(), dot(), dot(), dot()],
            vec![vec![line(0.0, 0.0); 4]],
        )
    };
    let (link, object) = (Who::Link, Who::Object(0));
    let expected = [
        [link(0), link(1)],
        [link(0), link(2)],
        [link(0), link(3)],
        [link(1), link(3)],
        [link(1), object],
        [link(2), link(3)],
        [link(2), object],
        [link(3), object],
    ];
    assert_eq!(case.pairs(), expected);
    let allowed = ArmCase { allowed: vec![[link(3), link(0)], [object, link(2)]], ..case };
    assert_eq!(allowed.pairs().len(), 6);
}

#[test]
fn the_judge_finds_wrong_answers() {
    let case = slide(line(0.0, 1.0));
    let terms = Terms { tolerance: 1e-3, excess: 0.0 };
    let judged = |outcome: Outcome| judge(&case, &outcome, &terms).violations;
    let pair = [Who::Object(0), Who::Link(0)];
    let contact = |free_until: f64, touch: f64, distance_hi: f64| Outcome::Contact {
        segment: 0,
        free_until,
        touch,
        pair,
        distance_hi,
    };
    // True ones.
    for outcome in [
        contact(0.599, 0.5995, 0.00075),
        contact(0.6, 0.6, 1e-6),
        contact(0.0, 0.65, 0.0),
        Outcome::Undecided { segment: 0, free_until: 0.3 },
    ] {
        assert_eq!(judged(outcome), [], "{outcome:?}");
        assert!(judge(&case, &outcome, &terms).collides());
    }
    // Wrong ones.
    let found = judged(Outcome::Free);
    assert!(matches!(found[..], [Violation::FalseFree { at, .. }] if (at.u - 0.6).abs() < 1e-7), "{found:?}");
    for outcome in [contact(0.601, 0.601, 0.0), Outcome::Undecided { segment: 0, free_until: 0.601 }] {
        let found = judged(outcome);
        assert!(matches!(found[..], [Violation::Late { .. }]), "{outcome:?}: {found:?}");
    }
    // A millimetre too far, whether it is told or not.
    let found = judged(contact(0.5, 0.598, 0.001));
    assert!(matches!(found[..], [Violation::TooFar { .. }, Violation::Understated { .. }]), "{found:?}");
    let found = judged(contact(0.5, 0.598, 0.002));
    assert!(matches!(found[..], [Violation::TooFar { .. }, Violation::NoContact { .. }]), "{found:?}");
    let found = judged(contact(0.5, 0.5995, 0.0004));
    assert!(matches!(found[..], [Violation::Understated { .. }]), "{found:?}");
    assert_eq!(judged(contact(0.5, 0.5995, f64::NAN)).len(), 1);
    for (free_until, touch) in [(0.5, 0.4), (-0.1, 0.6), (f64::NAN, 0.6), (0.5, f64::NAN), (0.5, 1.5)] {
        let found = judged(contact(free_until, touch, 0.0));
        assert!(found.contains(&Violation::Times), "{found:?}");
    }
    let late_segment = Outcome::Undecided { segment: 1, free_until: 0.0 };
    assert!(matches!(judged(late_segment)[..], [Violation::Times, Violation::Late { .. }]));
    let stranger = [Who::Link(0), Who::Payload(0)];
    let found = judged(Outcome::Contact { segment: 0, free_until: 0.5, touch: 0.6, pair: stranger, distance_hi: 0.0 });
    assert_eq!(found, [Violation::NotChecked { pair: stranger }]);
    // And a path that is free.
    let case = slide(line(0.0, 0.599));
    let judgement = judge(&case, &Outcome::Free, &terms);
    assert!(judgement.violations.is_empty() && !judgement.collides());
    let claimed = contact(0.99, 1.0, 0.0);
    assert_eq!(judge(&case, &claimed, &Terms { tolerance: 1e-4, excess: 0.0 }).violations.len(), 2);
}

/// Plain sampling sees nothing earlier or nearer than the search does.
#[test]
fn the_search_finds_what_plain_sampling_finds() {
    let mut colliding = 0;
    let count = crate::cases(60, 600);
    for index in 0..count {
        let case = some_arm(21, index);
        let (oracle, pairs) = (Oracle::new(&case), case.pairs());
        let seen = oracle.survey();
        colliding += u32::from(seen.first.is_some());
        for segment in 0..case.segments.len() {
            for i in 0..=150 {
                let at = Moment { segment, u: f64::from(i) / 150.0 };
                if seen.first.is_some_and(|first| first.at <= at) {
                    break;
                }
                for pair in &pairs {
                    let distance = oracle.distance(*pair, at).expect("a pair of the case");
                    assert!(distance > case.margin(*pair) - SURE, "case {index}: {pair:?} at {at:?}: {distance}");
                }
            }
        }
    }
    assert!((0.25..0.75).contains(&(f64::from(colliding) / count as f64)), "{colliding} of {count}");
}

/// What somebody says who is right about this case.
fn said(case: &ArmCase) -> Outcome {
    survey(case).first.map_or(Outcome::Free, |Look { at: Moment { segment, u }, pair, distance }| Outcome::Contact {
        segment,
        free_until: u,
        touch: u,
        pair,
        distance_hi: distance,
    })
}

/// Whoever is right about a case that is a little different is wrong about this one, in some of the cases.
#[test]
fn mistakes_of_all_kinds_are_seen_in_the_cases() {
    type Change = fn(&mut ArmCase);
    let changes: [(&str, Change); 13] = [
        ("mimics stand still", |case| {
            case.joints.iter_mut().filter_map(|joint| joint.mimic.as_mut()).for_each(|mimic| mimic.multiplier = 0.0);
        }),
        ("mimics have no offset", |case| {
            case.joints.iter_mut().filter_map(|joint| joint.mimic.as_mut()).for_each(|mimic| mimic.offset = 0.0);
        }),
        ("all paths are lines", |case| {
            for path in case.segments.iter_mut().flatten() {
                if let CasePath::Cubic { positions, .. } | CasePath::Quintic { positions, .. } = *path {
                    *path = CasePath::Line { positions };
                }
            }
        }),
        ("accelerations are zero", |case| {
            for path in case.segments.iter_mut().flatten() {
                if let CasePath::Quintic { accelerations, .. } = path {
                    *accelerations = [0.0; 2];
                }
            }
        }),
        ("no margin", |case| case.margins = Margins::default()),
        ("no payload", |case| case.payloads.clear()),
        ("links never touch each other", |case| {
            let links: Vec<Who> = (0..case.joints.len()).map(Who::Link).collect();
            case.allowed.extend(links.iter().flat_map(|a| links.iter().map(move |b| [*a, *b])));
        }),
        ("the first segment is all", |case| case.segments.truncate(1)),
        ("objects rest", |case| case.objects.iter_mut().for_each(|object| object.motion = None)),
        ("solids are surfaces", |case| case.objects.iter_mut().for_each(|object| object.body.solid = false)),
        ("hulls have no radius", |case| {
            let bodies = case.bodies.iter_mut().flatten();
            bodies.flat_map(|body| &mut body.shape.hulls).for_each(|hull| hull.radius = 0.0);
        }),
        ("the last of several triangles is missing", |case| {
            for triangles in case.objects.iter_mut().map(|object| &mut object.body.shape.triangles) {
                triangles.truncate(triangles.len().saturating_sub(1).max(1));
            }
        }),
        ("slides go back", |case| {
            let slides = case.joints.iter_mut().filter(|joint| joint.kind == CaseKind::Prismatic);
            slides.for_each(|joint| joint.axis = joint.axis.map(|x| -x));
        }),
    ];
    let terms = Terms { tolerance: 1e-4, excess: 0.0 };
    let mut caught = [0; 13];
    for index in 0..150 {
        let case = some_arm(41, index);
        let oracle = Oracle::new(&case);
        let survey = oracle.survey();
        let judged = |other: &ArmCase| judge_with(&case, &oracle, &survey, &said(other), &terms).violations;
        let found = judged(&case);
        assert!(found.is_empty(), "case {index}: {found:?}");
        for (caught, (_, change)) in caught.iter_mut().zip(&changes) {
            let mut other = case.clone();
            change(&mut other);
            *caught += u32::from(!judged(&other).is_empty());
        }
    }
    let report: Vec<_> = changes.iter().map(|(name, _)| *name).zip(caught).collect();
    println!("{report:?}");
    assert!(caught.iter().all(|count| *count > 0), "{report:?}");
}
