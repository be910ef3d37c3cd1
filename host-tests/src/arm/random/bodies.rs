//! What links, objects and payloads are made of.

use crate::arm::case::CaseBody;
use crate::random::Random;
use crate::scenes::{
    Inflated, Point, Shape, add, ball, block, capsule, cuboid, on_grid, plate, rod, shell, times, unit,
};
use nalgebra::{Rotation3, Vector3};

/// Hulls, and open surfaces.
fn plain(shape: Shape) -> CaseBody {
    CaseBody { shape: shape.rounded(on_grid), solid: false }
}

/// Closed meshes.
fn full(shape: Shape) -> CaseBody {
    CaseBody { shape: shape.rounded(on_grid), solid: true }
}

/// What lies along x from −1 to 1, stretched to lie from the origin to `along`, this thick.
fn stretched(shape: Shape, along: Point, thick: f64) -> Shape {
    let along = Vector3::from(along);
    let turned = Rotation3::rotation_between(&Vector3::x(), &along).unwrap_or_else(|| {
        // Straight back.
        Rotation3::from_axis_angle(&Vector3::z_axis(), std::f64::consts::PI)
    });
    let half = 0.5 * along.norm();
    let moved = |p: &Point| (turned * Vector3::new(half * p[0], thick * p[1], thick * p[2]) + along * 0.5).into();
    Shape { points: shape.points.iter().map(moved).collect(), ..shape }
}

/// A hull of points in a box.
fn hull(random: &mut Random, centre: Point, half: Point, radius: f64) -> Shape {
    let count = 4 + random.below(9);
    let mut point = || {
        let v = random.vector();
        add(centre, [0, 1, 2].map(|i| half[i] * v[i]))
    };
    let points = (0..count).map(|_| point()).collect();
    Shape { points, triangles: vec![], hulls: vec![Inflated { first: 0, count, radius }] }
}

/// As one hull.
fn as_hull(shape: Shape, radius: f64) -> Shape {
    let hulls = vec![Inflated { first: 0, count: shape.points.len(), radius }];
    Shape { triangles: vec![], hulls, ..shape }
}

/// The body of a link that reaches from its origin to a point.
pub(super) fn link_body(random: &mut Random, along: Point) -> CaseBody {
    let thick = random.within(0.015, 0.05);
    let cube = || block([1.0; 3]);
    match random.below(12) {
        0..=2 => plain(capsule([0.0; 3], along, thick)),
        3 => plain(as_hull(stretched(cube(), along, thick), 0.0)),
        4 => plain(as_hull(stretched(cube(), along, 0.6 * thick), 0.4 * thick)),
        5 | 6 => {
            let body = stretched(hull(random, [0.0; 3], [1.0; 3], 0.0), along, 2.0 * thick);
            let core = capsule([0.0; 3], times(along, 0.5), 0.5 * thick);
            plain(body.with(core))
        }
        7 => {
            let balls = 2 + random.below(3);
            let at = |i: usize| ball(times(along, i as f64 / (balls - 1) as f64), thick);
            plain((1..balls).fold(at(0), |shape, i| shape.with(at(i))))
        }
        8 => full(stretched(rod(3 + random.below(4), 1.0), along, thick)),
        9 => full(stretched(cube(), along, thick)),
        10 => full(stretched(cube(), along, thick)).with_hulls(ball(along, 1.5 * thick)),
        // Sheet metal.
        _ => plain(stretched(plate(1 + random.below(2), 1.0), along, thick)),
    }
}

impl CaseBody {
    /// With hulls beside its meshes.
    fn with_hulls(self, hulls: Shape) -> Self {
        Self { shape: self.shape.with(hulls.rounded(on_grid)), ..self }
    }
}

/// Thin plates, wires, and small things.
pub(super) fn thin_or_small(random: &mut Random) -> CaseBody {
    let thin = random.within(0.0005, 0.0025);
    let (wide, high) = (random.within(0.05, 0.3), random.within(0.05, 0.3));
    let long = times(unit(random.direction()), random.within(0.1, 0.6));
    let small = random.within(0.005, 0.05);
    match random.below(12) {
        // Of no thickness: two triangles.
        0 | 1 => {
            let Shape { points, triangles, hulls } = plate(1, 1.0);
            plain(Shape { points: points.iter().map(|p| [wide * p[0], high * p[1], 0.0]).collect(), triangles, hulls })
        }
        2 | 3 => plain(cuboid([0.0; 3], [wide, high, thin], 0.0)),
        4 => full(block([wide, high, thin])),
        // Wires.
        5 => plain(capsule([0.0; 3], long, thin)),
        6 => full(stretched(rod(3, 1.0), long, thin)),
        7 => {
            let points = vec![[0.0; 3], long, add(long, times(random.direction(), thin))];
            plain(Shape { points, triangles: vec![[0, 1, 2]], hulls: vec![] })
        }
        8 => plain(ball([0.0; 3], small)),
        9 => plain(hull(random, [0.0; 3], [small, wide, thin], 0.0)),
        10 => full(shell(0, small)),
        _ => plain(cuboid([0.0; 3], [small, thin, wide], 0.5 * thin)),
    }
}

/// Things that stand about.
pub(super) fn clutter(random: &mut Random) -> CaseBody {
    let mut size = || random.within(0.02, 0.15);
    let half = [size(), size(), size()];
    match random.below(8) {
        0 => plain(cuboid([0.0; 3], half, 0.0)),
        1 => plain(ball([0.0; 3], half[0])),
        2 => plain(capsule([0.0; 3], [0.0, 0.0, 3.0 * half[0]], half[1])),
        3 => plain(hull(random, [0.0; 3], half, 0.0)),
        4 => full(block(half)),
        5 => full(shell(1, half[0])),
        _ => thin_or_small(random),
    }
}

/// What a gripper holds.
pub(super) fn some_payload(random: &mut Random) -> CaseBody {
    let mut size = || random.within(0.01, 0.06);
    let half = [size(), size(), size()];
    match random.below(4) {
        0 => plain(cuboid([0.0; 3], half, 0.0)),
        1 => plain(capsule([0.0; 3], [0.0, 0.0, 2.0 * half[0]], 0.5 * half[1])),
        2 => full(block(half)),
        _ => plain(hull(random, [0.0; 3], half, 0.002)),
    }
}
