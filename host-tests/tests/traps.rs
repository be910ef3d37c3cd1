//! One test for each mistake that other libraries have shipped, in `f32` and `f64`, by every strategy.

use avert::{Entry, Memory, Scalar, Verdict};
use avert_host_tests::queries::{Parts, Strategy, compare, entries};
use avert_host_tests::sampling::sample;
use avert_host_tests::scenes::{
    Path, Place, Point, Query, Shape, add, ball, block, capsule, cuboid, gear, grid_cube, icosphere, plate, reversed,
    rod, star, times, torus, turn,
};
use std::f64::consts::{FRAC_PI_2, PI};

/// Runs a trap's questions with one scalar.
struct Asker<S> {
    strategy: Strategy,
    entries: Vec<Entry<S>>,
    tolerance: f64,
}

/// With a margin, a contact has a time that two ways of computing can agree on, however the surfaces lie.
const MARGIN: f64 = 0.01;

impl<S: Scalar> Asker<S> {
    fn new(strategy: Strategy) -> Self {
        Self { strategy, entries: entries(Memory::<S>::RECOMMENDED), tolerance: 1e-3 }
    }

    fn ask(&mut self, name: &str, shapes: [Shape; 2], paths: [Path; 2]) -> (Query, Verdict<S>) {
        let query = Query::new(shapes, paths, MARGIN, self.tolerance, false);
        let (verdict, _) = compare(self.strategy, &query, &mut self.entries)
            .unwrap_or_else(|e| panic!("{:?}, {name}: {e}", self.strategy));
        (query, verdict)
    }

    /// The same about bodies that are full inside, or not.
    fn ask_solid(&mut self, name: &str, shapes: [Shape; 2], solid: [bool; 2], paths: [Path; 2]) -> Verdict<S> {
        let query = Query { solid, ..Query::new(shapes, paths, MARGIN, self.tolerance, false) };
        let (verdict, _) = compare(self.strategy, &query, &mut self.entries)
            .unwrap_or_else(|e| panic!("{:?}, {name}: {e}", self.strategy));
        verdict
    }

    fn free(&mut self, name: &str, shapes: [Shape; 2], paths: [Path; 2]) {
        let (_, verdict) = self.ask(name, shapes, paths);
        assert!(matches!(verdict, Verdict::Free(_)), "{name}: {verdict:?}");
    }

    /// Must collide, at the time that the oracle finds: after the proof, and shortly so. Gives that time.
    fn hits(&mut self, name: &str, shapes: [Shape; 2], paths: [Path; 2]) -> f64 {
        let (query, verdict) = self.ask(name, shapes, paths);
        let trace = sample(&query, 300);
        let (Some(first), Verdict::Contact { free_until, .. }) = (trace.first, verdict) else {
            panic!("{:?}, {name}: {verdict:?}, the oracle saw {:?}", self.strategy, trace.least);
        };
        let gap = first - free_until.to_f64();
        assert!(
            (-1e-9..8.0 * self.tolerance).contains(&gap),
            "{name}: {verdict:?}, but the oracle saw a contact at {first}"
        );
        first
    }

    fn hits_at(&mut self, name: &str, shapes: [Shape; 2], paths: [Path; 2], expected: f64) {
        let first = self.hits(name, shapes, paths);
        assert!((first - expected).abs() < 1e-6, "{name}: the contact is at {first}, not {expected}");
    }
}

macro_rules! for_both {
    ($($name:ident),* $(,)?) => {
        $(
            #[test]
            fn $name() {
                for strategy in Strategy::ALL {
                    traps::$name(&mut Asker::<f32>::new(strategy));
                    traps::$name(&mut Asker::<f64>::new(strategy));
                }
            }
        )*
    };
}

for_both!(
    rotation_axis_in_the_body_frame,
    closing_speeds_that_cancel,
    coordinates_transformed_twice,
    motion_bound_zero_for_one_kind,
    unsupported_pair_reads_as_free,
    swept_arc_is_not_the_hull_of_its_ends,
    inside_is_not_apart,
);

fn straight(from: Point, linear: Point) -> Path {
    Path::Velocities { from: Place::at(from), centre: [0.0; 3], linear, angular: [0.0; 3] }
}

fn turning(from: Place, angular: Point) -> Path {
    Path::Velocities { from, centre: [0.0; 3], linear: [0.0; 3], angular }
}

const STILL: Path = Path::Velocities { from: Place::IDENTITY, centre: [0.0; 3], linear: [0.0; 3], angular: [0.0; 3] };

/// One leaf of each kind, of radius about `size`, at a place.
fn leaves(at: Point, size: f64) -> [(&'static str, Shape); 4] {
    let corner = |x: f64, y: f64, z: f64| add(at, times([x, y, z], size));
    let points = vec![corner(-0.7, -0.6, 0.2), corner(0.8, -0.3, -0.4), corner(-0.1, 0.9, 0.3)];
    [
        ("triangle", Shape { points, triangles: vec![[0, 1, 2]], hulls: vec![] }),
        ("sphere", ball(at, size)),
        ("capsule", capsule(corner(-0.6, 0.1, 0.3), corner(0.5, -0.2, -0.3), 0.3 * size)),
        ("box", cuboid(at, times([0.5, 0.7, 0.4], size), 0.0)),
    ]
}

fn swap<T>([a, b]: [T; 2]) -> [T; 2] {
    [b, a]
}

/// How many edges are not gone along as often one way as the other.
fn open_edges(shape: &Shape) -> usize {
    let mut edges = std::collections::HashMap::new();
    for [a, b, c] in &shape.triangles {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *edges.entry((p.min(q), p.max(q))).or_insert(0) += i32::from(p < q) - i32::from(q < p);
        }
    }
    edges.values().filter(|n| **n != 0).count()
}

mod traps {
    use super::*;

    /// C²A: late contacts. The body starts turned by a quarter about x, so that an axis of the world taken in the body's frame
    /// points elsewhere.
    pub(super) fn rotation_axis_in_the_body_frame<S: Scalar>(asker: &mut Asker<S>) {
        let start = Place { rotation: turn([1.0, 0.0, 0.0], FRAC_PI_2), position: [0.0; 3] };
        let arm = || capsule([0.2, 0.0, 0.0], [1.0, 0.0, 0.0], 0.05);
        let post = || ball([0.0, 0.8, 0.0], 0.15);
        // About the world's z from x to y: sin(angle left) = (0.05 + 0.15 + margin) / 0.8.
        let quarter = FRAC_PI_2 - ((0.2 + MARGIN) / 0.8).asin();
        asker.hits_at("velocities", [arm(), post()], [turning(start, [0.0, 0.0, 3.0]), STILL], quarter / 3.0);
        // In the body's frame that axis would be the world's y, and the arm would swing up to a post there.
        let wrong = || ball([0.0, 0.0, -0.8], 0.15);
        asker.free("velocities, wrong axis", [arm(), wrong()], [turning(start, [0.0, 0.0, 3.0]), STILL]);

        // The same from two poses: first the start, then 3 radians about the world's z.
        let (s, c) = (1.5_f64.sin(), 1.5_f64.cos());
        let [w, x, ..] = start.rotation;
        let end = Place { rotation: [c * w, c * x, s * x, s * w], position: [0.0; 3] };
        let path = Path::Between { from: start, to: end, centre: [0.0; 3] };
        asker.hits_at("poses", [arm(), post()], [path, STILL], quarter / 3.0);
        asker.free("poses, wrong axis", [arm(), wrong()], [path, STILL]);

        // And for meshes in general position.
        for i in 0..4 {
            let tilt = Place { rotation: turn([1.0, 0.3 * f64::from(i), -0.5], 1.9), position: [0.0; 3] };
            let spin = turning(tilt, [0.4, -0.3 * f64::from(i), 2.5]);
            let mesh = rod(6, 0.05).moved([0.6, 0.0, 0.0]);
            let ring = torus(30, 6, 0.05).moved([0.3, 0.9, 0.2]);
            asker.hits(&format!("mesh {i}"), [mesh, ring], [spin, STILL]);
        }
    }

    /// FCL: closing speeds summed with signs. Only their difference along the direction counts.
    pub(super) fn closing_speeds_that_cancel<S: Scalar>(asker: &mut Asker<S>) {
        let cubes = || [block([0.5; 3]), block([0.5; 3])];
        let along = |x: f64, v: f64| straight([x, 0.1, 0.2], [v, 0.0, 0.0]);
        let way = 5.0 - MARGIN;
        asker.hits_at("towards each other", cubes(), [along(-3.0, 4.0), along(3.0, -4.0)], way / 8.0);
        asker.hits_at("swapped", cubes(), [along(3.0, -4.0), along(-3.0, 4.0)], way / 8.0);
        asker.hits_at("one catches up", cubes(), [along(-3.0, 8.0), along(3.0, 1.0)], way / 7.0);
        asker.hits_at("one is caught up", cubes(), [along(3.0, -1.0), along(-3.0, 6.0)], way / 7.0);
        asker.free("side by side", cubes(), [along(-3.0, 8.0), along(-1.9, 8.0)]);
        asker.free("away from each other", cubes(), [along(-0.6, -4.0), along(0.6, 4.0)]);
        asker.free("away, swapped", cubes(), [along(0.6, 4.0), along(-0.6, -4.0)]);

        // Turning: two gears that would mesh are driven the same way round, or opposite ways.
        let spin = |x: f64, w: f64| turning(Place::at([x, 0.0, 0.0]), [0.0, 0.0, w]);
        for (name, w) in [("same way round", 1.0), ("opposite ways round", -1.0)] {
            asker.hits(name, [gear(9, 0.2), gear(9, 0.2)], [spin(-0.92, 1.0), spin(0.92, w)]);
        }
        let arm = || capsule([0.0; 3], [1.0, 0.0, 0.0], 0.05);
        let from = |x: f64, angle: f64, w: f64| {
            turning(Place { rotation: turn([0.0, 0.0, 1.0], angle), position: [x, 0.0, 0.0] }, [0.0, 0.0, w])
        };
        // Two arms that close like scissors, and two that keep their angle.
        asker.hits("scissors", [arm(), arm()], [from(-0.5, 1.4, -1.5), from(0.5, PI - 1.4, 1.5)]);
        asker.free("wipers", [arm(), arm()], [from(-0.6, 0.3, 2.5), from(0.6, 0.3, 2.5)]);
    }

    /// FCL: coordinates transformed twice. The models lie far from their origins, and their poses bring them back.
    pub(super) fn coordinates_transformed_twice<S: Scalar>(asker: &mut Asker<S>) {
        // This far out `f32` places a point to about a millimetre.
        asker.tolerance = 1e-2;
        let offsets = [[20.0, -7.0, 3.0], [-4.0, 15.0, 11.0]];
        for (i, aside) in [0.3, 1.2, 1.9, 2.4].into_iter().enumerate() {
            let mut paths = [STILL; 2];
            for (k, path) in paths.iter_mut().enumerate() {
                // A quarter turn about z takes (x, y, z) to (−y, x, z).
                let [x, y, z] = offsets[k];
                let back = [y, -x, -z];
                let goal = if k == 0 { [-3.0, aside, 0.0] } else { [0.0; 3] };
                let rotation = turn([0.0, 0.0, 1.0], FRAC_PI_2);
                let from = Place { rotation, position: add(goal, back) };
                let (linear, angular) =
                    if k == 0 { ([6.0, 0.0, 0.0], [0.0, 0.7, 0.4]) } else { ([0.0; 3], [0.3, 0.0, -0.5]) };
                *path = Path::Velocities { from, centre: offsets[k], linear, angular };
            }
            let shapes = [torus(16, 8, 0.3).moved(offsets[0]), star(0, 0.5).moved(offsets[1])];
            let name = format!("{aside} aside");
            if i < 3 {
                asker.hits(&name, shapes, paths);
            } else {
                asker.free(&name, shapes, paths);
            }
        }
    }

    /// FCL: a motion bound that is silently 0 for one bounding volume. Bodies whose root is a sphere, a capsule and a rectangle,
    /// and bodies that are one leaf, come round a corner: nothing but rotation makes them collide.
    pub(super) fn motion_bound_zero_for_one_kind<S: Scalar>(asker: &mut Asker<S>) {
        let clump = icosphere(1).scaled(0.3);
        let bodies = [("point", clump), ("line", rod(6, 0.1).scaled(0.4)), ("rectangle", plate(4, 0.3))];
        for (name, shape) in &bodies {
            let mut parts = Parts::<S>::new(shape);
            let model = parts.model().expect("the model is built");
            let root = model.node(0).expect("a root");
            let flat = |v: avert::Vec3<S>| v.norm_max().to_f64() <= 1e-3;
            let kind = match (flat(root.half_u), flat(root.half_v)) {
                (true, true) => "point",
                (false, true) => "line",
                _ => "rectangle",
            };
            assert!(kind == *name, "the root is a {kind}, not a {name}: {root:?}");
        }
        let all: Vec<_> = bodies.into_iter().chain(leaves([0.0; 3], 0.3)).collect();
        for (name_a, a) in &all {
            for (name_b, b) in &all {
                let arm = a.clone().moved([3.0, 0.0, 0.0]);
                // In the way at a little more than a quarter turn, and just within it.
                let post = b.clone().moved([-0.4, 3.0, 0.0]);
                let beyond = b.clone().moved([-0.4, 4.2, 0.0]);
                let swing = turning(Place::IDENTITY, [0.0, 0.0, 3.0]);
                let name = format!("{name_a} swings to {name_b}");
                asker.hits(&name, [arm.clone(), post.clone()], [swing, STILL]);
                asker.hits(&format!("{name}, swapped"), [post, arm.clone()], [STILL, swing]);
                asker.free(&format!("{name}, beyond"), [arm, beyond], [swing, STILL]);
            }
        }
    }

    /// parry: an unsupported pair that reads as "no hit".
    pub(super) fn unsupported_pair_reads_as_free<S: Scalar>(asker: &mut Asker<S>) {
        for (name_a, a) in leaves([0.0; 3], 0.5) {
            for (name_b, b) in leaves([0.0; 3], 0.5) {
                let name = format!("{name_a} and {name_b}");
                let shapes = || [a.clone(), b.clone()];
                let spin = |from: Point, linear: Point| Path::Velocities {
                    from: Place::at(from),
                    centre: [0.1, 0.0, 0.0],
                    linear,
                    angular: [0.5, -0.8, 0.3],
                };
                let through = straight([-3.0, 0.05, 0.05], [6.0, 0.0, 0.0]);
                asker.hits(&name, shapes(), [through, STILL]);
                asker.hits(&format!("{name}, both"), shapes(), [through, spin([0.0; 3], [0.0, 0.1, 0.0])]);
                asker.free(&format!("{name}, beside"), shapes(), [spin([-3.0, 1.4, 0.0], [6.0, 0.0, 0.0]), STILL]);
                // Several leaves together, under nodes.
                let pair = |x: &Shape| x.clone().with(x.clone().moved([0.0, 0.0, 3.0]));
                asker.hits(&format!("{name}, several"), [pair(&a), pair(&b)], [through, STILL]);
            }
        }
    }

    /// Mesh checkers in general: a body that is wholly inside of a closed one touches no triangle of it.
    pub(super) fn inside_is_not_apart<S: Scalar>(asker: &mut Asker<S>) {
        let swing = turning(Place::at([0.2, 0.1, 0.0]), [0.5, 0.3, -0.8]);
        let mut open = block([1.0; 3]);
        open.triangles.truncate(10);
        let hollow = || block([1.2; 3]).with(reversed(block([1.0; 3])));
        // A ball in the cavity: nothing of it is full where the body is.
        let cored = || hollow().with(block([0.2; 3]).moved([-0.6, -0.6, -0.6]));
        let membrane = || {
            let mut shape = block([1.0; 3]);
            shape.triangles.extend([[0, 3, 5], [0, 5, 3]]);
            shape
        };
        let bodies = [
            ("block", block([0.1; 3])),
            ("ring", torus(8, 6, 0.3).scaled(0.2)),
            ("ball", ball([0.0; 3], 0.1)),
            ("box", cuboid([0.0; 3], [0.1; 3], 0.0)),
            ("plate", plate(3, 0.1)),
        ];
        for (name, body) in bodies {
            let closed = open_edges(&body) == 0;
            // What is around it, whether that is full, and whether the body is then inside of it.
            let around = [
                ("block", block([1.0; 3]), true, true),
                ("inside out", reversed(block([1.0; 3])), true, true),
                ("grid", grid_cube(4), true, true),
                ("with a membrane", membrane().moved([0.5, 0.5, 0.5]), true, true),
                ("hollow", hollow(), true, false),
                ("hollow with a core", cored(), true, false),
                ("surface", block([1.0; 3]), false, false),
                ("open", open.clone(), false, false),
            ];
            for (kind, outer, solid, inside) in around {
                for full in [false, closed] {
                    let name = format!("{name} in {kind}, {full}");
                    let shapes = || [body.clone(), outer.clone()];
                    let found = [
                        asker.ask_solid(&name, shapes(), [full, solid], [swing, STILL]),
                        asker.ask_solid(&name, swap(shapes()), [solid, full], [STILL, swing]),
                    ];
                    for verdict in found {
                        let right = match verdict {
                            Verdict::Free(_) => !inside,
                            Verdict::Contact { free_until, touch, witness } => {
                                let start = [free_until, touch, witness.distance_hi].iter().all(|x| *x == S::ZERO);
                                inside && start && witness.points[0] == witness.points[1]
                            }
                            Verdict::Undecided { .. } => false,
                        };
                        assert!(right, "{:?}, {name}: {verdict:?}", asker.strategy);
                    }
                }
            }
            // Beside a solid it is free, and it hits one that it comes to.
            let aside = straight([-3.0, 0.0, 0.0], [0.5, 0.0, 0.0]);
            let verdict = asker.ask_solid(name, [body.clone(), grid_cube(2)], [closed, true], [aside, STILL]);
            assert!(matches!(verdict, Verdict::Free(_)), "{name} beside: {verdict:?}");
            let towards = straight([-3.0, 0.0, 0.0], [4.0, 0.0, 0.0]);
            let verdict = asker.ask_solid(name, [body, grid_cube(2)], [closed, true], [towards, STILL]);
            assert!(
                matches!(verdict, Verdict::Contact { free_until, .. } if free_until > S::ZERO),
                "{name}: {verdict:?}"
            );
        }
        // Twice the same at the same place: every corner is on the other one's surface, and that is a contact.
        let twins = [grid_cube(2), grid_cube(2)];
        let verdict = asker.ask_solid("twins", twins, [true; 2], [STILL, STILL]);
        assert!(matches!(verdict, Verdict::Contact { touch, .. } if touch == S::ZERO), "twins: {verdict:?}");
    }

    /// Bullet's casts: the hull of two end poses taken for the swept arc.
    pub(super) fn swept_arc_is_not_the_hull_of_its_ends<S: Scalar>(asker: &mut Asker<S>) {
        let half = 85.0_f64.to_radians();
        let at = |angle: f64| Place { rotation: turn([0.0, 0.0, 1.0], angle), position: [0.0; 3] };
        let poses = Path::Between { from: at(-half), to: at(half), centre: [0.0; 3] };
        let velocities = turning(at(-half), [0.0, 0.0, 2.0 * half]);
        // From 0.8 to 1 along x, as a mesh and as a capsule; it swings through 170°.
        let mesh = || rod(6, 0.1).scaled(0.1).moved([0.9, 0.0, 0.0]);
        let tip = || capsule([0.82, 0.0, 0.0], [0.98, 0.0, 0.0], 0.02);
        for (name, path) in [("poses", poses), ("velocities", velocities)] {
            for (kind, arm) in [("mesh", mesh()), ("capsule", tip())] {
                // On the arc at half time; the ends lie at x < 0.1.
                let post = ball([0.9, 0.0, 0.0], 0.05);
                let t = asker.hits(&format!("{kind}, {name}, on the arc"), [arm.clone(), post], [path, STILL]);
                assert!((0.45..0.5).contains(&t), "{kind}, {name}: {t}");
                // On the chord between the ends, which the arm goes round.
                let post = ball([0.08, 0.0, 0.0], 0.05);
                asker.free(&format!("{kind}, {name}, on the chord"), [arm, post], [path, STILL]);
            }
        }
    }
}
