//! Every door of the library: bad input is refused with the right error, and the error names the thing.
//!
//! `GeometryError::TooMany` takes 2³¹ triangles, more memory than a test should ask for.

use avert::hierarchy::{BuildError, FindError, build, parts};
use avert::kernel::{EnclosureError, GeometryError, Hierarchy, Node, PartsError, SolidError};
use avert::motion::MotionError;
use avert::{
    Body, Budget, Check, Chord, Geometry, Hull, Limits, Memory, Model, Nearest, NodeBytes, Pose, RigidMotion, Scalar,
    Scene, SceneError, Vec3, Velocities, Verdict, Why,
};
use avert_host_tests::queries::entries;
use std::error::Error;
use std::fmt::Debug;

/// The error is this one, and its text has these words.
fn refused<T: Debug, E: Error + PartialEq>(found: Result<T, E>, expected: E, words: &[&str]) {
    let error = found.expect_err("this is bad input");
    assert_eq!(error, expected);
    let text = error.to_string();
    assert!(words.iter().all(|word| text.contains(word)), "{error:?} reads {text:?} and should name {words:?}");
}

fn point<S: Scalar>(x: f64, y: f64, z: f64) -> Vec3<S> {
    [x, y, z].map(S::from_f64_near).into()
}

/// Numbers that are let in nowhere.
fn bad<S: Scalar>() -> [S; 4] {
    let subnormal = if size_of::<S>() == 4 { 1e-40 } else { 1e-310 };
    // Fixed point has none, but room beyond its range.
    let last = if S::FLOATING { subnormal } else { S::RANGE.to_f64() * 1.001 };
    [f64::NAN, f64::INFINITY, 1e100, last].map(S::from_f64_near)
}

/// Numbers that are no lengths.
fn no_lengths<S: Scalar>() -> Vec<S> {
    bad().into_iter().chain([S::from_f64_near(-1e-3)]).collect()
}

fn geometry<S: Scalar>() {
    let points = [point::<S>(0.0, 0.0, 0.0), point(1.0, 0.0, 0.0), point(0.0, 1.0, 0.0)];
    let flat = [[0, 1, 2]];
    refused(Geometry::new(&points, &[], &[], S::ZERO), GeometryError::Empty, &["no triangle", "no hull"]);
    for x in bad::<S>() {
        let points = [points[0], points[1], Vec3::new(S::ZERO, x, S::ZERO)];
        refused(Geometry::new(&points, &flat, &[], S::ZERO), GeometryError::Point(2), &["point 2"]);
    }
    let beyond = [[0, 1, 2], [0, 1, 3]];
    refused(Geometry::new(&points, &beyond, &[], S::ZERO), GeometryError::Triangle(1), &["triangle 1"]);
    let good = Hull { first: 0, count: 1, radius: S::ONE };
    let radii = no_lengths().into_iter().map(|radius| Hull { radius, ..good });
    let ends = [(0, 0), (0, 4), (3, 1), (u32::MAX, u32::MAX)].map(|(first, count)| Hull { first, count, ..good });
    for hull in radii.chain(ends) {
        refused(Geometry::new(&points, &[], &[good, hull], S::ZERO), GeometryError::Hull(1), &["hull 1"]);
    }
    for error in no_lengths() {
        refused(Geometry::new(&points, &flat, &[], error), GeometryError::Error, &["geometry error"]);
    }
}

fn hierarchy<S: Scalar>() {
    let points: Vec<Vec3<S>> = (0..4).map(|i| point(f64::from(i), 0.0, 0.0)).collect();
    let hulls: Vec<Hull<S>> = (0..4).map(|first| Hull { first, count: 1, radius: S::HALF }).collect();
    let four = Geometry::new(&points, &[], &hulls, S::ZERO).expect("a good geometry");
    let two = Geometry::new(&points, &[], &hulls[..2], S::ZERO).expect("a good geometry");
    let mut nodes = [[0; 30]; 3];
    refused(build(four, &mut nodes[..2], &mut [0; 4]), BuildError::Nodes(3), &["3 nodes"]);
    refused(build(four, &mut nodes, &mut [0; 3]), BuildError::Scratch(4), &["scratch", "4 indices"]);

    let root = build(four, &mut nodes, &mut [0; 4]).expect("room enough").root();
    let mut pair = [[0; 30]];
    let model = build(two, &mut pair, &mut [0; 2]).expect("room enough");
    let (whole, top) = (model.hierarchy(), model.node(0).expect("the root"));
    let grid = whole.grid;
    let prove = |nodes: &[NodeBytes], expected, words: &[&str]| {
        refused(Model::prove(two, Hierarchy { nodes, ..whole }, &mut [0; 2]).map(|_| ()), expected, words);
    };
    refused(Model::prove(two, whole, &mut [0]).map(|_| ()), EnclosureError::Scratch, &["scratch"]);
    prove(&[], EnclosureError::Node(0), &["node 0"]);
    // An axis that is 2⁶³ times as coarse as the grid.
    let mut far = top.store(grid);
    (far[6], far[16]) = (far[6] | 63 << 2, 1);
    if S::RANGE.to_f64() < 1e12 {
        prove(&[far], EnclosureError::Node(0), &["node 0"]);
    }
    let [left, right] = top.children;
    let stored = |node: Node<S>| [node.store(grid)];
    prove(&stored(Node { children: [left; 2], ..top }), EnclosureError::Twice(0), &["primitive 0", "twice"]);
    prove(&stored(Node { children: [root; 2], ..top }), EnclosureError::TooDeep, &["deeper"]);
    let small = EnclosureError::NotEnclosed { node: 0, primitive: 0 };
    prove(&stored(Node { radius: S::ZERO, ..top }), small, &["node 0", "primitive 0"]);
    let missing = Model::prove(two, Hierarchy { root: right, ..whole }, &mut [0; 2]).map(|_| ());
    refused(missing, EnclosureError::Missing, &["not reached"]);
    let one = Geometry::new(&points, &[], &hulls[..1], S::ZERO).expect("a good geometry");
    let stranger = Model::prove(one, Hierarchy { nodes: &[], grid, root: right }, &mut [0; 1]).map(|_| ());
    refused(stranger, EnclosureError::Primitive(1), &["primitive 1"]);
    // What a build passes on keeps its reason.
    assert!(BuildError::Enclosure(small).to_string().contains(&small.to_string()));
}

/// Two tetrahedra over eight points, known to within `error`; and what is done with the model.
fn with_pair<S: Scalar, R>(error: S, act: impl FnOnce(Model<'_, S>, &Geometry<'_, S>) -> R) -> R {
    let corner = |i: u32, at: f64| match i {
        0 => point(at, 0.0, 0.0),
        1 => point(at + 1.0, 0.0, 0.0),
        2 => point(at, 1.0, 0.0),
        _ => point(at, 0.0, 1.0),
    };
    let points: Vec<Vec3<S>> = (0..8).map(|i| corner(i % 4, f64::from(i / 4 * 5))).collect();
    let one = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let two: Vec<[u32; 3]> = one.into_iter().chain(one.map(|t| t.map(|i| i + 4))).collect();
    let geometry = Geometry::new(&points, &two, &[], error).expect("a good geometry");
    let mut nodes = [[0; 30]; 7];
    act(build(geometry, &mut nodes, &mut [0; 8]).expect("room enough"), &geometry)
}

fn solid<S: Scalar>() {
    with_pair::<S, _>(S::ZERO, |model, geometry| {
        let mut scratch = [0; 8];
        refused(parts(geometry, &mut [0; 2], &mut scratch[..7]), FindError::Scratch(8), &["scratch", "8 indices"]);
        refused(parts(geometry, &mut [0; 1], &mut scratch), FindError::Parts(2), &["2 parts"]);
        assert_eq!(parts(geometry, &mut [0; 3], &mut scratch), Ok(&[0, 4][..]));
        let mut list = |list, expected, words: &[&str]| {
            refused(model.with_parts(list, &mut scratch).map(|_| ()), expected, words);
        };
        list(&[0], PartsError::Missing(4), &["triangle 4", "no triangle"]);
        list(&[0, 5, 3], PartsError::Twice(3), &["triangle 3", "another"]);
        list(&[0, 8], PartsError::Triangle(8), &["triangle 8", "not exist"]);
        let short = model.with_parts(&[0, 4], &mut scratch[..7]).map(|_| ());
        refused(short, PartsError::Scratch(8), &["scratch", "8 indices"]);
        assert_eq!((model.parts(), model.is_solid()), (8, false));
        let model = model.with_parts(&[3, 4], &mut scratch).map(|m| (m, m.into_solid().expect("closed")));
        assert!(model.is_ok_and(|(m, solid)| m.parts() == 2 && solid.is_solid() && solid.part(1) == Some(4)));
    });
    let points: Vec<Vec3<S>> = (0..4).map(|i| point(f64::from(i), 0.0, 0.0)).collect();
    let open = Geometry::new(&points, &[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 3, 2]], &[], S::ZERO).expect("good");
    let mut nodes = [[0; 30]; 3];
    let found = build(open, &mut nodes, &mut [0; 4]).expect("room enough").into_solid().map(|_| ());
    // The last triangle faces the other way.
    refused(found, SolidError::Open([1, 2]), &["open", "different ways", "points 1 and 2"]);
}

/// A solid known so vaguely that a body may be inside of it or not: neither `Free` nor `Contact`.
fn start<S: Scalar>() {
    with_pair::<S, _>(S::from_f64_near(0.3), |model, _| {
        let solid = model.into_solid().expect("closed");
        let (points, hulls) = ([Vec3::<S>::ZERO], [Hull { first: 0, count: 1, radius: S::ZERO }]);
        let ball = Geometry::new(&points, &[], &hulls, S::ZERO).expect("a good geometry");
        let ball = build(ball, &mut [], &mut [0]).expect("room enough");
        let ask = |at: Vec3<S>| {
            let place = |position| RigidMotion::still(Pose { position, ..Pose::IDENTITY }).expect("a good pose");
            let limits = Limits { margin: S::ZERO, tolerance: S::ZERO };
            let (a, b) = (Body { model: &ball, motion: place(at) }, Body { model: &solid, motion: place(Vec3::ZERO) });
            let scene = Scene::new(a, b, limits).expect("a good scene");
            let mut entries = entries::<S>(64);
            let mut memory = Memory::new(&mut entries);
            let nearest = Nearest::START.find(&scene, &mut memory, Budget::UNLIMITED).map(|found| found.distance_lo);
            (Chord::new(&scene, &mut memory).step(&scene, Budget::UNLIMITED), nearest)
        };
        let (verdict, nearest) = ask(point(0.2, 0.2, 0.2));
        let Verdict::Undecided { free_until, why } = verdict else { panic!("{verdict:?}") };
        assert_eq!((free_until, why, why.to_string().as_str()), (S::ZERO, Why::Start, "inside or outside"));
        assert_eq!(nearest, Err(Why::Start));
        // Away from it there is no doubt.
        let (verdict, nearest) = ask(point(2.5, 0.3, 0.2));
        assert!(matches!(verdict, Verdict::Free(_)) && nearest.is_ok_and(|d| d > S::ONE), "{verdict:?}, {nearest:?}");
    });
}

fn motion<S: Scalar>() {
    let pose = |q: [f64; 4], x: S| Pose::new(q.map(S::from_f64_near), [x, S::ZERO, S::ZERO]);
    let stands = pose([1.0, 0.0, 0.0, 0.0], S::ZERO);
    let spin = |angular: S| {
        let velocities = Velocities { linear: Vec3::ZERO, angular: Vec3::new(S::ZERO, S::ZERO, angular) };
        RigidMotion::with_velocities(stands, Vec3::ZERO, velocities)
    };
    for x in bad::<S>() {
        let far = pose([1.0, 0.0, 0.0, 0.0], x);
        let off = Vec3::new(x, S::ZERO, S::ZERO);
        let motions = [
            RigidMotion::still(far),
            RigidMotion::between(stands, far, Vec3::ZERO),
            RigidMotion::between(far, stands, Vec3::ZERO),
            RigidMotion::screw(stands, far),
            RigidMotion::screw(far, stands),
            RigidMotion::between(stands, stands, off),
            RigidMotion::with_velocities(stands, Vec3::ZERO, Velocities { linear: off, angular: Vec3::ZERO }),
            spin(x),
        ];
        for motion in motions {
            refused(motion, MotionError::OutOfRange, &["not finite", "subnormal", "too large"]);
        }
    }
    for q in [[0.0; 4], [2.0, 0.0, 0.0, 0.0], [0.98, 0.0, 0.0, 0.0], [0.0, 0.0, 1.02, 0.0]] {
        refused(RigidMotion::still(pose(q, S::ZERO)), MotionError::NotUnit, &["quaternion", "length 1"]);
    }
    let turned = RigidMotion::between(stands, pose([0.0, 0.0, 1.0, 0.0], S::ZERO), Vec3::ZERO);
    refused(turned, MotionError::HalfTurn, &["half a turn", "intermediate pose"]);
    if S::FLOATING {
        let fast = if size_of::<S>() == 4 { 1e6 } else { 1e15 };
        refused(spin(S::from_f64_near(fast)), MotionError::Imprecise, &["uncertain", "too fast"]);
    } else {
        // A turn of next to nothing about an axis of one digit, and a way that has no room.
        let far = |x: f64| pose([1.0, 0.0, 0.0, 0.0], S::from_f64_near(x));
        let most = S::RANGE.to_f64();
        refused(RigidMotion::between(far(-most), far(most), Vec3::ZERO), MotionError::OutOfRange, &["too large"]);
    }
}

/// Does something with the scene of two balls of radius ½, of which one starts 3 metres from the other and moves by `way`.
fn with_balls<S: Scalar, R>(
    at: f64,
    way: f64,
    limits: Limits<S>,
    act: impl FnOnce(Result<Scene<'_, S>, SceneError>) -> R,
) -> R {
    let (points, hulls) = ([Vec3::<S>::ZERO], [Hull { first: 0, count: 1, radius: S::HALF }]);
    let ball = Geometry::new(&points, &[], &hulls, S::ZERO).expect("a good geometry");
    let model = build(ball, &mut [], &mut [0]).expect("room enough");
    let place = |x: f64| Pose { position: point(x, 0.0, 0.0), ..Pose::IDENTITY };
    let flies = RigidMotion::between(place(at), place(at + way), Vec3::ZERO).expect("a good motion");
    let stands = RigidMotion::still(place(at + 3.0)).expect("a good motion");
    act(Scene::new(Body { model: &model, motion: flies }, Body { model: &model, motion: stands }, limits))
}

fn scene<S: Scalar>() {
    let good = Limits { margin: S::ZERO, tolerance: S::from_f64_near(1e-3) };
    for x in no_lengths() {
        with_balls(0.0, 1.0, Limits { margin: x, ..good }, |s| refused(s, SceneError::Margin, &["margin"]));
        with_balls(0.0, 1.0, Limits { tolerance: x, ..good }, |s| refused(s, SceneError::Tolerance, &["tolerance"]));
    }
}

/// Where the scalar cannot tell near from far, the check says so: neither `Free` nor `Contact`.
fn precision<S: Scalar>() {
    let mut entries = entries::<S>(256);
    // Balls that end up touching with nothing to spare, and balls so far out that the tolerance is below the rounding.
    let far = if size_of::<S>() == 4 { 1e6 } else { 1e14 };
    let coarse = if S::FLOATING { (far, 1e-6) } else { (0.0, 4.0 * 2_f64.powi(S::FINEST)) };
    for (at, tolerance) in [(0.0, 0.0), coarse] {
        let limits = Limits { margin: S::ZERO, tolerance: S::from_f64_near(tolerance) };
        let verdict = with_balls(at, 2.0, limits, |scene| {
            let scene = scene.expect("a good scene");
            let mut memory = Memory::new(&mut entries);
            Chord::new(&scene, &mut memory).step(&scene, Budget::UNLIMITED)
        });
        let Verdict::Undecided { free_until, why } = verdict else { panic!("at {at}: {verdict:?}") };
        assert_eq!((why, why.to_string().as_str()), (Why::Precision, "precision"), "at {at}");
        assert!(S::ZERO <= free_until && free_until <= S::ONE, "at {at}: {verdict:?}");
    }
}

macro_rules! doors {
    ($($name:ident: $check:ident;)*) => {$(
        #[test]
        fn $name() {
            $check::<f32>();
            $check::<f64>();
            $check::<avert::Fix32>();
            $check::<avert::Fix64>();
        }
    )*};
}

/// Bodies that are let in one by one, but have no room together in 32 bits of fixed point.
fn range<S: Scalar>() {
    if S::FLOATING || size_of::<S>() == 8 {
        return;
    }
    let half = S::RANGE * S::HALF * S::HALF;
    let (points, hulls) = ([Vec3::new(half, half, half)], [Hull { first: 0, count: 1, radius: half }]);
    let ball = Geometry::new(&points, &[], &hulls, S::ZERO).expect("a good geometry");
    let model = build(ball, &mut [], &mut [0]).expect("room enough");
    let velocities = Velocities { linear: Vec3::ZERO, angular: Vec3::new(S::ZERO, S::ZERO, half) };
    let spins = RigidMotion::with_velocities(Pose::IDENTITY, Vec3::ZERO, velocities).expect("a good motion");
    let body = Body { model: &model, motion: spins };
    let scene = Scene::new(body, body, Limits { margin: S::ZERO, tolerance: S::HALF }).expect("a good scene");
    let mut entries = entries::<S>(16);
    let verdict = Chord::new(&scene, &mut Memory::new(&mut entries)).step(&scene, Budget::UNLIMITED);
    assert!(
        matches!(verdict, Verdict::Undecided { why: Why::Range, free_until } if free_until == S::ZERO),
        "{verdict:?}"
    );
    assert_eq!(Why::Range.to_string(), "range");
}

doors! {
    a_bad_geometry_is_refused: geometry;
    a_bad_hierarchy_is_refused: hierarchy;
    a_bad_solid_is_refused: solid;
    a_vague_start_is_admitted: start;
    a_bad_motion_is_refused: motion;
    a_bad_scene_is_refused: scene;
    too_little_precision_is_admitted: precision;
    too_little_room_is_admitted: range;
}
