//! Grown shapes of radius about 1: a cudgel, and an animal with two ears.

use super::lattice::{Lattice, square_angle};
use super::{Point, Shape, add, length, times, unit};
use std::f64::consts::{FRAC_PI_4, TAU};

/// Height along the club and thickness there, from the end of the grip to that of the head.
const OUTLINE: [(f64, f64); 14] = [
    (-1.0, 0.0),
    (-0.995, 0.04),
    (-0.96, 0.08),
    (-0.91, 0.075),
    (-0.86, 0.052),
    (-0.5, 0.055),
    (-0.2, 0.07),
    (0.1, 0.11),
    (0.4, 0.19),
    (0.65, 0.235),
    (0.83, 0.22),
    (0.925, 0.15),
    (0.96, 0.07),
    (0.97, 0.0),
];

/// A crooked cudgel: a slender grip that swells into a heavy head with studs. 4·`across`·(`across` + 2·`along`)
/// triangles.
pub fn club(across: usize, along: usize) -> Shape {
    let outline = Outline::new();
    let studs = studs(&outline);
    let half = 0.5 * across as f64;
    // The outline runs from the middle of one end up the side to the middle of the other.
    let steps = (across + along) as f64;
    let place = |[i, j, k]: [usize; 3]| {
        let (u, v) = (i as f64 - half, j as f64 - half);
        let ring = u.abs().max(v.abs());
        let step = match k {
            0 => ring,
            _ if k == along => half + along as f64 + half - ring,
            _ => half + k as f64,
        };
        let (sin, cos) = if ring > 0.0 { square_angle([u / ring, v / ring]) } else { (0.0, 1.0) };
        let Spot { height, thickness, normal } = outline.at(step / steps);
        let on_axis = club_axis(height);
        let gnarl = 0.004 * (libm::sin(11.0 * height + 2.0 * cos) + libm::sin(17.0 * height - 3.0 * sin));
        let p = add(on_axis, [thickness * cos, thickness * sin, 0.0]);
        let rise = gnarl + studs.iter().map(|stud| stud.rise(p)).fold(0.0, f64::max);
        add(p, times([normal[0] * cos, normal[0] * sin, normal[1]], rise))
    };
    Lattice { cells: [across, across, along], round: false }.skin(|_| true, place)
}

/// Where the middle of the club is at a height from −1 to 0.97: inside, all along.
pub fn club_axis(height: f64) -> Point {
    [0.035 * libm::sin(2.5 * height), 0.025 * libm::sin(4.0 * height), height]
}

/// A point of the outline and the direction out of it, along the radius and the height.
struct Spot {
    height: f64,
    thickness: f64,
    normal: [f64; 2],
}

/// The outline as many short pieces, with the length up to each.
struct Outline(Vec<(f64, [f64; 2])>);

impl Outline {
    /// A curve through the given points (Catmull and Rom 1974).
    fn new() -> Self {
        const PIECES: usize = 32;
        let given = |i: usize| {
            let (height, thickness) = OUTLINE[i.clamp(1, OUTLINE.len()) - 1];
            [height, thickness]
        };
        let mut curve = vec![];
        for i in 1..OUTLINE.len() {
            let [a, b, c, d] = [i - 1, i, i + 1, i + 2].map(given);
            for piece in 0..PIECES {
                let t = piece as f64 / PIECES as f64;
                curve.push([0, 1].map(|x| {
                    let (slope_b, slope_c) = (0.5 * (c[x] - a[x]), 0.5 * (d[x] - b[x]));
                    let s = 1.0 - t;
                    (1.0 + 2.0 * t) * s * s * b[x]
                        + t * s * s * slope_b
                        + t * t * (3.0 - 2.0 * t) * c[x]
                        + t * t * (t - 1.0) * slope_c
                }));
            }
        }
        curve.push(given(OUTLINE.len()));
        let mut far = 0.0;
        let mut last = curve[0];
        let measure = |p: [f64; 2]| {
            far += length([p[0] - last[0], p[1] - last[1], 0.0]);
            last = p;
            (far, p)
        };
        Self(curve.into_iter().map(measure).collect())
    }

    /// At a part of the whole length.
    fn at(&self, part: f64) -> Spot {
        let Self(curve) = self;
        let far = part * curve[curve.len() - 1].0;
        let i = curve.partition_point(|(l, _)| *l <= far).clamp(1, curve.len() - 1);
        let ((l0, p), (l1, q)) = (curve[i - 1], curve[i]);
        let t = (far - l0) / (l1 - l0);
        let [dz, dr, _] = unit([q[0] - p[0], q[1] - p[1], 0.0]);
        Spot { height: p[0] + t * (q[0] - p[0]), thickness: p[1] + t * (q[1] - p[1]), normal: [dz, -dr] }
    }
}

/// A blunt spike.
struct Stud {
    at: Point,
    width: f64,
    height: f64,
}

impl Stud {
    fn rise(&self, p: Point) -> f64 {
        let near = (1.0 - length(add(p, times(self.at, -1.0))) / self.width).max(0.0);
        self.height * near * (2.0 - near)
    }
}

/// Around the head in a spiral by the golden angle, of three sizes.
fn studs(outline: &Outline) -> Vec<Stud> {
    const COUNT: usize = 44;
    let stud = |i: usize| {
        let Spot { height, thickness, .. } = outline.at(0.57 + 0.38 * i as f64 / COUNT as f64);
        let (s, c) = libm::sincos(TAU * 0.381_966 * i as f64);
        let size = [1.0, 0.7, 0.85][i % 3];
        let at = add(club_axis(height), [thickness * c, thickness * s, 0.0]);
        Stud { at, width: 0.075 * size, height: 0.075 * size }
    };
    (0..COUNT).map(stud).collect()
}

/// Where the animal bulges: the direction, how wide in 1 − cosine, and how far.
const BULGES: [([f64; 3], f64, f64); 9] = [
    // Head, haunches, chest, tail, and two feet in front.
    ([0.75, 0.0, 0.65], 0.1, 0.3),
    ([-0.6, 0.5, -0.4], 0.2, 0.16),
    ([-0.6, -0.5, -0.4], 0.2, 0.16),
    ([0.8, 0.0, -0.2], 0.15, 0.1),
    ([-0.95, 0.0, 0.05], 0.02, 0.14),
    ([0.7, 0.3, -0.6], 0.02, 0.16),
    ([0.7, -0.3, -0.6], 0.02, 0.16),
    // The ears.
    (EARS[0], 0.014, 0.65),
    (EARS[1], 0.014, 0.65),
];
const EARS: [Point; 2] = [[0.35, 0.33, 0.9], [0.35, -0.33, 0.9]];

/// A sitting animal with two ears and a rough fur, the stand-in for the bunny: 4·(ab + bc + ca) triangles.
pub fn bunny_like(cells: [usize; 3]) -> Shape {
    let fall = |d: Point, to: Point, width: f64| {
        let to = unit(to);
        libm::exp((d[0] * to[0] + d[1] * to[1] + d[2] * to[2] - 1.0) / width)
    };
    let place = |corner: [usize; 3]| {
        // Even in the angle, so that the cells of a cube become about equal on the sphere.
        let d = unit([0, 1, 2].map(|i| libm::tan(FRAC_PI_4 * (2.0 * corner[i] as f64 / cells[i] as f64 - 1.0))));
        // More points where the ears will be, as they are long.
        let d = unit(EARS.iter().fold(d, |sum, ear| add(sum, times(unit(*ear), 0.6 * fall(d, *ear, 0.08)))));
        let bulges: f64 = BULGES.iter().map(|(to, width, far)| far * fall(d, *to, *width)).sum();
        let [x, y, z] = times(d, 25.0);
        let fur =
            libm::sin(x + 2.0 * libm::sin(0.3 * y)) * libm::sin(y + 1.0) * libm::sin(z + 2.0 * libm::cos(0.2 * x));
        times(d, 0.55 + bulges + 0.006 * fur)
    };
    let shape = Lattice { cells, round: false }.skin(|_| true, place);
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in &shape.points {
        (low, high) = ([0, 1, 2].map(|i| low[i].min(p[i])), [0, 1, 2].map(|i| high[i].max(p[i])));
    }
    let shape = shape.moved(times(add(low, high), -0.5));
    let radius = shape.radius();
    shape.scaled(1.0 / radius)
}
