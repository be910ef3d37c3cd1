//! The independent oracle for whole queries: where the bodies are at a time, how far apart they are then, and the least
//! of that over many times.
//!
//! It proves nothing and shares nothing with the library but the question. Every distance that it gives is that of two
//! points which it has found, so it errs upwards only, by rounding apart: a sample that is too near is a fact.

mod body;
mod distance;
mod hull;

pub use body::Body;

use crate::scenes::{Path, Place, Point, Query, Shape};
use crate::winding;
use nalgebra::{Isometry3, Quaternion, Translation3, UnitQuaternion, Vector3};
use std::sync::Arc;

/// A rigid motion with constant velocities: a body point `x` is at `start + t·linear + Rot(t·angular)·R₀·(x − centre)`. On a
/// screw `start` and `linear` are the first place and the whole displacement of the body's origin.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    rotation: UnitQuaternion<f64>,
    start: Vector3<f64>,
    centre: Vector3<f64>,
    linear: Vector3<f64>,
    angular: Vector3<f64>,
    screw: bool,
}

impl Motion {
    /// The motion that a path describes.
    pub fn new(path: &Path) -> Self {
        let pose = |place: &Place| {
            let [w, x, y, z] = place.rotation;
            let rotation = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
            (rotation, Vector3::from(place.position))
        };
        match path {
            Path::Between { from, to, centre } => {
                let ((r0, p0), (r1, p1), c) = (pose(from), pose(to), Vector3::from(*centre));
                let start = p0 + r0 * c;
                // `scaled_axis` takes the shorter of the two ways round.
                let angular = (r1 * r0.inverse()).scaled_axis();
                Self { rotation: r0, start, centre: c, linear: p1 + r1 * c - start, angular, screw: false }
            }
            Path::Screw { from, to } => {
                let origin = Path::Between { from: *from, to: *to, centre: [0.0; 3] };
                Self { screw: true, ..Self::new(&origin) }
            }
            Path::Velocities { from, centre, linear, angular } => {
                let ((rotation, p), c) = (pose(from), Vector3::from(*centre));
                let (linear, angular) = (Vector3::from(*linear), Vector3::from(*angular));
                Self { rotation, start: p + rotation * c, centre: c, linear, angular, screw: false }
            }
        }
    }

    /// Where the body is at a time.
    pub fn pose(&self, t: f64) -> Isometry3<f64> {
        let rotation = UnitQuaternion::from_scaled_axis(self.angular * t) * self.rotation;
        let gone = if self.screw { self.gone_on_a_screw(t) } else { self.linear * t };
        let position = self.start + gone - rotation * self.centre;
        Isometry3::from_parts(Translation3::from(position), rotation)
    }

    /// How far the body's origin is from its first place. Across the axis it goes round on a circle, and has gone
    /// `sin(θt/2) / sin(θ/2)` of the whole distance at an angle of `θ(t − 1)/2` to it.
    fn gone_on_a_screw(&self, t: f64) -> Vector3<f64> {
        let half = 0.5 * self.angular.norm();
        if half == 0.0 {
            return self.linear * t;
        }
        let axis = self.angular / (2.0 * half);
        let along = axis * axis.dot(&self.linear);
        let aside = UnitQuaternion::from_scaled_axis(self.angular * (0.5 * (t - 1.0)));
        along * t + aside * (self.linear - along) * ((half * t).sin() / half.sin())
    }

    /// No point of the shape is faster than this.
    pub(crate) fn speed(&self, shape: &Shape) -> f64 {
        let far = shape.points.iter().map(|p| (Vector3::from(*p) - self.centre).norm()).fold(0.0, f64::max);
        // An arc of at most half a turn is at most π/2 times as long as its chord.
        let bow = if self.screw { std::f64::consts::FRAC_PI_2 } else { 1.0 };
        bow * self.linear.norm() + self.angular.norm() * far
    }

    /// How well a screw can be placed by numbers that are off by `relative`: by going straight instead, which leaves its bow,
    /// or by turning about its axis, which is far away if it hardly turns.
    fn vague(&self, relative: f64) -> f64 {
        let angle = self.angular.norm();
        if self.screw { self.linear.norm() * (0.16 * angle).min(2.0 * relative / angle) } else { 0.0 }
    }

    /// About how large the numbers are that a place is computed from.
    fn scale(&self, shape: &Shape) -> f64 {
        self.start.norm() + self.linear.norm() + self.centre.norm() + shape.radius()
    }
}

/// What was seen of one query.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Times and distances, by time. A distance below zero means an overlap; how deep is not told.
    pub samples: Vec<(f64, f64)>,
    /// A time, as early as could be found, at which the distance is at most the margin: certainly, by more than the
    /// oracle's own error.
    pub first: Option<f64>,
    /// When the least distance was seen, and that distance.
    pub least: (f64, f64),
    /// How far a distance may be off by rounding, in metres.
    pub error: f64,
}

/// Both bodies of a query.
#[derive(Clone, Debug)]
pub struct Pair {
    bodies: [Arc<Body>; 2],
    motions: [Motion; 2],
    speed: f64,
    margin: f64,
    scale: f64,
    error: f64,
}

impl Pair {
    /// Takes a query in.
    pub fn new(query: &Query) -> Self {
        let [a, b] = &query.shapes;
        Self::of([Body::new(a).into(), Body::new(b).into()], [a, b], &query.paths, query.margin)
    }

    /// Takes bodies that were made before, of these shapes, and how they move: many queries share a large mesh.
    pub fn of(bodies: [Arc<Body>; 2], shapes: [&Shape; 2], paths: &[Path; 2], margin: f64) -> Self {
        let motions = [Motion::new(&paths[0]), Motion::new(&paths[1])];
        let sum = |f: fn(&Motion, &Shape) -> f64| f(&motions[0], shapes[0]) + f(&motions[1], shapes[1]);
        let scale = sum(Motion::scale);
        Self { bodies, motions, speed: sum(Motion::speed), margin, scale, error: 1e-12 * scale }
    }

    /// The distance at a time; below zero if the bodies overlap.
    pub fn distance(&self, t: f64) -> f64 {
        self.distance_near(t, &mut None)
    }

    /// The distance of two primitives at a time, by their ids: triangles first, then hulls.
    pub fn primitive_distance(&self, t: f64, ids: [usize; 2]) -> f64 {
        let relative = self.motions[0].pose(t).inverse() * self.motions[1].pose(t);
        self.bodies[0].primitive_distance(&self.bodies[1], &relative, ids)
    }

    /// How many pairs of faces are within a distance of each other at a time.
    pub fn contacts(&self, t: f64, within: f64) -> usize {
        let relative = self.motions[0].pose(t).inverse() * self.motions[1].pose(t);
        self.bodies[0].contacts(&self.bodies[1], &relative, within)
    }

    fn distance_near(&self, t: f64, hint: &mut Option<[usize; 2]>) -> f64 {
        let relative = self.motions[0].pose(t).inverse() * self.motions[1].pose(t);
        self.bodies[0].distance(&self.bodies[1], &relative, self.error, hint)
    }

    /// How far a world point is from the core of a primitive of one of the bodies at a time.
    pub fn core_distance(&self, t: f64, side: usize, id: usize, x: Point) -> f64 {
        let local = self.motions[side].pose(t).inverse() * nalgebra::Point3::from(x);
        self.bodies[side].core_distance(local.coords, id)
    }

    /// The radii of two primitives together.
    pub fn radii(&self, ids: [usize; 2]) -> f64 {
        self.bodies[0].radius(ids[0]) + self.bodies[1].radius(ids[1])
    }

    /// About how large the numbers are that places are computed from, in metres.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// How well a library whose numbers are off by `relative` can place the bodies that move on screws, in metres.
    pub fn vague(&self, relative: f64) -> f64 {
        self.motions.iter().map(|motion| motion.vague(relative)).sum()
    }

    /// How far a distance may be off by rounding, in metres.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// Looks at about `effort` times.
    ///
    /// First evenly, then wherever the greatest speed leaves room for the least distance (Piyavskii 1972, Shubert
    /// 1972), then by halving towards the first contact.
    pub fn sample(&self, effort: usize) -> Trace {
        let mut hint = None;
        let mut look = |t: f64| (t, self.distance_near(t, &mut hint));
        let hit = |(_, d): (f64, f64)| d <= self.margin - self.error;
        let even = 16.min(effort);
        let mut samples: Vec<_> = (0..=even).map(|i| look(i as f64 / even as f64)).collect();
        // Neighbours, and what the distance may fall to between them.
        let room = |a: (f64, f64), b: (f64, f64)| 0.5 * (a.1.max(0.0) + b.1.max(0.0) - self.speed * (b.0 - a.0));
        let mut gaps: Vec<_> = samples.windows(2).map(|w| (room(w[0], w[1]), w[0], w[1])).collect();
        let mut first = samples.iter().copied().find(|s| hit(*s)).map(|s| s.0);
        let mut least = samples.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((0.0, f64::INFINITY));
        for _ in 0..effort.saturating_sub(even) {
            gaps.retain(|(_, a, b)| first.is_none_or(|f| a.0 < f) && b.0 - a.0 > 1e-12);
            let Some(next) = (0..gaps.len()).min_by(|i, j| gaps[*i].0.total_cmp(&gaps[*j].0)) else { break };
            let (bound, a, b) = gaps.swap_remove(next);
            if bound > self.margin && bound > least.1 - 1e-6 * self.speed {
                break;
            }
            // Where the two cones meet, but not too near to an end.
            let lean = if self.speed > 0.0 { 0.5 * (a.1 - b.1) / self.speed } else { 0.0 };
            let width = b.0 - a.0;
            let middle = look((0.5 * (a.0 + b.0) + lean).clamp(a.0 + 0.1 * width, b.0 - 0.1 * width));
            samples.push(middle);
            if middle.1 < least.1 {
                least = middle;
            }
            if hit(middle) && first.is_none_or(|f| middle.0 < f) {
                first = Some(middle.0);
            }
            gaps.push((room(a, middle), a, middle));
            gaps.push((room(middle, b), middle, b));
        }
        if let Some(mut late) = first {
            let mut early = samples.iter().filter(|s| s.0 < late).map(|s| s.0).fold(0.0, f64::max);
            while late - early > 1e-13 && late > 0.0 {
                let middle = look(0.5 * (early + late));
                samples.push(middle);
                if hit(middle) {
                    late = middle.0;
                } else {
                    early = middle.0;
                }
            }
            first = Some(late);
        }
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        Trace { samples, first, least, error: self.error }
    }
}

/// Looks at a query at about `effort` times.
pub fn sample(query: &Query, effort: usize) -> Trace {
    Pair::new(query).sample(effort)
}

/// Does one body of a query start with a point of the other inside of it, both as solids where they are?
pub fn starts_inside(query: &Query) -> bool {
    let poses = [0, 1].map(|i| Motion::new(&query.paths[i]).pose(0.0));
    let within = |inner: usize, outer: usize| {
        let shape = &query.shapes[outer];
        let triangles: Vec<_> = shape.triangles.iter().map(|t| t.map(|i| shape.points[i as usize])).collect();
        let relative = poses[outer].inverse() * poses[inner];
        query.solid[outer]
            && query.shapes[inner].points.iter().any(|p| {
                let p = relative * nalgebra::Point3::from(*p);
                // On the surface it is a half or so, and then the surfaces touch.
                winding::by_angles(&triangles, [p.x, p.y, p.z]).abs() > 0.9
            })
    };
    within(0, 1) || within(1, 0)
}

/// How far a point is from the nearest of some triangles.
pub fn surface_distance(triangles: &[[Point; 3]], x: Point) -> f64 {
    triangles.iter().map(|t| distance::to_triangle(x.into(), &t.map(Vector3::from))).fold(f64::INFINITY, f64::min)
}

/// Where a body point is at a time.
pub fn place(path: &Path, t: f64, x: Point) -> Point {
    let p = Motion::new(path).pose(t) * nalgebra::Point3::from(x);
    [p.x, p.y, p.z]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{ball, block, capsule, cuboid, turn};
    use std::f64::consts::{FRAC_PI_2, PI};

    fn query(shapes: [Shape; 2], paths: [Path; 2], margin: f64) -> Query {
        Query { shapes, paths, margin, tolerance: 1e-3, exact: false, vague: [0.0; 2], solid: [false; 2] }
    }

    fn straight(from: Point, linear: Point) -> Path {
        Path::Velocities { from: Place::at(from), centre: [0.0; 3], linear, angular: [0.0; 3] }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn two_boxes_meet_when_their_faces_do() {
        let b = || block([1.0, 1.0, 1.0]);
        let paths = [straight([-6.0, 0.3, 0.2], [10.0, 0.0, 0.0]), Path::still(Place::IDENTITY)];
        let trace = sample(&query([b(), b()], paths, 0.0), 200);
        assert!(trace.first.is_some_and(|t| near(t, 0.4)), "{:?}", trace.first);
        let trace = sample(&query([b(), b()], paths, 0.5), 200);
        assert!(trace.first.is_some_and(|t| near(t, 0.35)), "{:?}", trace.first);
    }

    #[test]
    fn a_passing_box_is_as_near_as_its_side() {
        let b = || block([1.0, 1.0, 1.0]);
        let paths = [straight([-6.0, 2.25, 0.0], [12.0, 0.0, 0.0]), Path::still(Place::IDENTITY)];
        let trace = sample(&query([b(), b()], paths, 0.1), 200);
        assert!(trace.first.is_none() && near(trace.least.1, 0.25), "{:?}", trace.least);
    }

    #[test]
    fn a_swinging_arm_reaches_a_post_when_the_angle_says() {
        let paths = [
            Path::Velocities { from: Place::IDENTITY, centre: [0.0; 3], linear: [0.0; 3], angular: [0.0, 0.0, PI] },
            Path::still(Place::IDENTITY),
        ];
        let capsule = capsule([0.0; 3], [1.0, 0.0, 0.0], 0.05);
        let trace = sample(&query([capsule, ball([0.0, 0.8, 0.0], 0.15)], paths, 0.0), 200);
        // The sine of the angle that is left is (0.05 + 0.15) / 0.8.
        let expected = (FRAC_PI_2 - 0.25_f64.asin()) / PI;
        assert!(trace.first.is_some_and(|t| near(t, expected)), "{:?} {expected}", trace.first);
    }

    #[test]
    fn the_way_between_two_poses_is_straight_for_the_centre_and_the_shortest_turn() {
        let centre = [0.5, -1.0, 2.0];
        let from = Place { rotation: turn([0.3, 1.0, -0.2], 1.1), position: [1.0, 2.0, 3.0] };
        let to = Place { rotation: turn([0.3, 1.0, -0.2], 1.1 - 3.0).map(|x| -x), position: [-2.0, 0.0, 1.0] };
        let path = Path::Between { from, to, centre };
        let still = |place: Place, x| super::place(&Path::still(place), 0.0, x);
        for (t, place) in [(0.0, from), (1.0, to)] {
            let (p, q) = (super::place(&path, t, [1.0, 1.0, 1.0]), still(place, [1.0, 1.0, 1.0]));
            assert!((0..3).all(|i| near(p[i], q[i])), "{p:?} {q:?}");
        }
        let (a, b, m) = (still(from, centre), still(to, centre), super::place(&path, 0.5, centre));
        assert!((0..3).all(|i| near(m[i], 0.5 * (a[i] + b[i]))));
        assert!(near(Motion::new(&path).angular.norm(), 3.0));
    }

    #[test]
    fn a_screw_keeps_its_axis_and_turns_and_slides_evenly() {
        // About the line through (2, 0, 0) along z, by a quarter turn and up by 3.
        let from = Place::at([5.0, 0.0, 1.0]);
        let to = Place { rotation: turn([0.0, 0.0, 1.0], FRAC_PI_2), position: [2.0, 3.0, 4.0] };
        let path = Path::Screw { from, to };
        for t in [0.0, 0.1, 0.5, 1.0] {
            let (angle, up) = (FRAC_PI_2 * t, 3.0 * t);
            for x in [[0.0, 0.0, 0.0], [-3.0, 0.0, 0.0], [1.0, 0.0, 2.0]] {
                let arm = 3.0 + x[0];
                let expected = [2.0 + arm * angle.cos(), arm * angle.sin(), 1.0 + up + x[2]];
                let p = super::place(&path, t, x);
                assert!((0..3).all(|i| near(p[i], expected[i])), "{t}: {p:?} {expected:?}");
            }
        }
    }

    #[test]
    fn what_lies_inside_a_solid_overlaps_and_what_lies_inside_a_surface_does_not() {
        let paths = [Path::still(Place::IDENTITY); 2];
        let small = || block([0.1, 0.1, 0.1]);
        let solid = Pair::new(&query([small(), cuboid([0.0; 3], [1.0; 3], 0.0)], paths, 0.0));
        assert!(solid.distance(0.0) < 0.0);
        let surface = Pair::new(&query([small(), block([1.0; 3])], paths, 0.0));
        assert!(near(surface.distance(0.0), 0.9));
    }

    #[test]
    fn boxes_of_one_size_overlap_when_one_is_pushed_straight_into_the_other() {
        let paths = [straight([-4.0, 0.0, 0.0], [4.0, 0.0, 0.0]), Path::still(Place::IDENTITY)];
        let b = || cuboid([0.0; 3], [1.0; 3], 0.0);
        let trace = sample(&query([b(), b()], paths, 0.0), 200);
        assert!(trace.first.is_some_and(|t| near(t, 0.5)), "{:?}", trace.first);
    }

    #[test]
    fn the_tree_finds_what_all_pairs_find() {
        let mut dice = crate::scenes::Dice::new(5, 0);
        for _ in 0..40 {
            let shapes = [crate::scenes::some_mesh(&mut dice), crate::scenes::some_hulls(&mut dice)];
            let [n, m] = [&shapes[0], &shapes[1]].map(|s| s.triangles.len() + s.hulls.len());
            let place = Place { rotation: dice.rotation(), position: crate::scenes::times(dice.in_ball(), 2.5) };
            let pair = Pair::new(&query(shapes, [Path::still(place), Path::still(Place::IDENTITY)], 0.0));
            let all = (0..n * m).map(|k| pair.primitive_distance(0.0, [k / m, k % m])).fold(f64::INFINITY, f64::min);
            let found = pair.distance(0.0);
            assert!(near(found, all) || found < 0.0 && all < 0.0, "{found} {all}");
        }
    }
}
