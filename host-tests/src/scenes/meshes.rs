//! Triangle meshes of radius about 1.

use super::{Dice, Point, Shape, add, cross, length, times, unit};
use std::collections::HashMap;
use std::f64::consts::TAU;

/// The points of a closed grid, row by row, become two triangles a cell.
fn wrapped(rows: usize, columns: usize, point: impl Fn(usize, usize) -> Point) -> Shape {
    let points = (0..rows * columns).map(|i| point(i / columns, i % columns)).collect();
    let at = |i: usize, j: usize| (i % rows * columns + j % columns) as u32;
    let cell = |k: usize| {
        let (i, j) = (k / columns, k % columns);
        [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    Shape { points, triangles: (0..rows * columns).flat_map(cell).collect(), hulls: vec![] }
}

/// A ring: 2·`around`·`sides` triangles.
pub fn torus(around: usize, sides: usize, tube: f64) -> Shape {
    wrapped(around, sides, |i, j| {
        let (su, cu) = libm::sincos(TAU * i as f64 / around as f64);
        let (sv, cv) = libm::sincos(TAU * j as f64 / sides as f64);
        let r = 1.0 - tube + tube * cv;
        [r * cu, r * su, tube * sv]
    })
}

/// A trefoil knot: 2·`around`·`sides` triangles.
pub fn knot(around: usize, sides: usize, tube: f64) -> Shape {
    let line = |u: f64| {
        let (s2, c2) = libm::sincos(2.0 * u);
        let (s3, c3) = libm::sincos(3.0 * u);
        let r = 0.65 + 0.25 * c3;
        [r * c2, r * s2, 0.3 * s3]
    };
    wrapped(around, sides, |i, j| {
        let u = TAU * i as f64 / around as f64;
        let (here, ahead) = (line(u), line(u + 1e-4));
        let along = unit(add(ahead, times(here, -1.0)));
        let across = unit(cross(along, [0.0, 0.0, 1.0]));
        let (s, c) = libm::sincos(TAU * j as f64 / sides as f64);
        add(here, add(times(across, tube * c), times(cross(across, along), tube * s)))
    })
}

/// A gear with a bore: 32 triangles a tooth.
pub fn gear(teeth: usize, thickness: f64) -> Shape {
    let profile = |i: usize| {
        let radius = if i % 4 < 2 { 1.0 } else { 0.78 };
        let (s, c) =
            libm::sincos(TAU * (i as f64 + if i.is_multiple_of(2) { 0.15 } else { -0.15 }) / (4 * teeth) as f64);
        (radius * c, radius * s)
    };
    // Four rings, closed into a tube: outer and inner, below and above.
    wrapped(4 * teeth, 4, |i, j| {
        let (x, y) = profile(i);
        let inward = if j < 2 { 1.0 } else { 0.35 / (x * x + y * y).sqrt() };
        let z = if j == 0 || j == 3 { -0.5 } else { 0.5 } * thickness;
        [x * inward, y * inward, z]
    })
}

/// A ball: 20·4^`level` triangles.
pub fn icosphere(level: u32) -> Shape {
    let g = 0.5 * (1.0 + 5.0_f64.sqrt());
    let corner = |i: usize| {
        let (a, b) = (if i & 1 == 0 { 1.0 } else { -1.0 }, if i & 2 == 0 { g } else { -g });
        unit(match i / 4 {
            0 => [a, b, 0.0],
            1 => [0.0, a, b],
            _ => [b, 0.0, a],
        })
    };
    let mut points: Vec<Point> = (0..12).map(corner).collect();
    // The faces are the triples of corners that are neighbours of each other.
    let near = |i: usize, j: usize| length(add(points[i], times(points[j], -1.0))) < 1.1;
    let mut triangles = vec![];
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                if near(i, j) && near(j, k) && near(k, i) {
                    triangles.push([i as u32, j as u32, k as u32]);
                }
            }
        }
    }
    for _ in 0..level {
        let mut halves = HashMap::new();
        let mut middle = |i: u32, j: u32| {
            *halves.entry((i.min(j), i.max(j))).or_insert_with(|| {
                points.push(unit(add(points[i as usize], points[j as usize])));
                points.len() as u32 - 1
            })
        };
        triangles = triangles
            .into_iter()
            .flat_map(|[a, b, c]| {
                let (p, q, r) = (middle(a, b), middle(b, c), middle(c, a));
                [[a, p, r], [b, q, p], [c, r, q], [p, q, r]]
            })
            .collect();
    }
    Shape { points, triangles, hulls: vec![] }
}

/// A ball of spikes, one on every face: 60·4^`level` triangles.
pub fn star(level: u32, base: f64) -> Shape {
    let Shape { mut points, triangles, .. } = icosphere(level);
    points.iter_mut().for_each(|p| *p = times(*p, base));
    let mut spiky = vec![];
    for [a, b, c] in triangles {
        let tip = points.len() as u32;
        points.push(unit(add(add(points[a as usize], points[b as usize]), points[c as usize])));
        spiky.extend([[a, b, tip], [b, c, tip], [c, a, tip]]);
    }
    Shape { points, triangles: spiky, hulls: vec![] }
}

/// A box: 12 triangles.
pub fn block(half: Point) -> Shape {
    let sign = |i: usize, axis: usize| if i >> axis & 1 == 0 { -1.0 } else { 1.0 };
    let points = (0..8).map(|i| [sign(i, 0) * half[0], sign(i, 1) * half[1], sign(i, 2) * half[2]]).collect();
    Shape { points, triangles: BOX_FACES.to_vec(), hulls: vec![] }
}

/// The faces of a box whose corner `i` is at the low or high side along x, y and z by its bits; seen from outside, they
/// go round against the clock.
pub(crate) const BOX_FACES: [[u32; 3]; 12] = [
    [0, 4, 6],
    [0, 6, 2],
    [1, 3, 7],
    [1, 7, 5],
    [0, 1, 5],
    [0, 5, 4],
    [2, 6, 7],
    [2, 7, 3],
    [0, 2, 3],
    [0, 3, 1],
    [4, 5, 7],
    [4, 7, 6],
];

/// A thin open sheet in the plane z = 0: 2·`n`² triangles.
pub fn plate(n: usize, half: f64) -> Shape {
    let at = |i: usize, j: usize| (i * (n + 1) + j) as u32;
    let place = |k: usize| half * (2.0 * k as f64 / n as f64 - 1.0);
    let points = (0..(n + 1) * (n + 1)).map(|k| [place(k / (n + 1)), place(k % (n + 1)), 0.0]).collect();
    let cell = |k: usize| {
        let (i, j) = (k / n, k % n);
        [[at(i, j), at(i + 1, j), at(i + 1, j + 1)], [at(i, j), at(i + 1, j + 1), at(i, j + 1)]]
    };
    Shape { points, triangles: (0..n * n).flat_map(cell).collect(), hulls: vec![] }
}

/// A slender prism along x from −1 to 1: 4·`sides` triangles.
pub fn rod(sides: usize, thickness: f64) -> Shape {
    let ring = |x: f64| {
        (0..sides).map(move |j| {
            let (s, c) = libm::sincos(TAU * j as f64 / sides as f64);
            [x, thickness * c, thickness * s]
        })
    };
    let points = ring(-1.0).chain(ring(1.0)).chain([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]).collect();
    let n = sides as u32;
    let strip = |j: u32| {
        let k = (j + 1) % n;
        [[j, n + j, n + k], [j, n + k, k], [k, 2 * n, j], [n + j, 2 * n + 1, n + k]]
    };
    Shape { points, triangles: (0..n).flat_map(strip).collect(), hulls: vec![] }
}

/// Triangles of all sizes anywhere in the unit ball; one in ten is a sliver or a point.
pub fn soup(count: usize, dice: &mut Dice) -> Shape {
    let mut shape = Shape::default();
    for i in 0..count as u32 {
        let (middle, size) = (times(dice.in_ball(), 0.8), 0.2 * dice.between(0.05, 1.0));
        let mut corners = [0; 3].map(|_| add(middle, times(dice.in_ball(), size)));
        match dice.side(20) {
            0 => corners = [corners[0]; 3],
            1 => corners[2] = times(add(corners[0], corners[1]), 0.5),
            _ => {}
        }
        shape.points.extend(corners);
        shape.triangles.push([3 * i, 3 * i + 1, 3 * i + 2]);
    }
    shape
}

/// Any of these, with 12 to 640 triangles.
pub fn some_mesh(dice: &mut Dice) -> Shape {
    let mut count = |low: u64, high: u64| (low + dice.side(high - low)) as usize;
    match count(0, 9) {
        0 => torus(count(6, 24), count(4, 12), 0.25),
        1 => knot(count(20, 40), count(3, 8), 0.1),
        2 => gear(count(3, 18), 0.3),
        3 => icosphere(count(1, 3) as u32),
        4 => star(count(0, 2) as u32, 0.4),
        5 => plate(count(5, 16), 0.7),
        6 => rod(count(3, 40), 0.06),
        7 => block([0.8, 0.5, 0.3]),
        _ => {
            let n = count(50, 400);
            soup(n, dice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{bunny_like, club, hammer, spur_gear, workpiece};
    use super::*;
    use std::collections::HashSet;

    /// Every edge of a closed surface belongs to exactly two triangles.
    #[test]
    fn closed_meshes_are_closed_and_have_the_triangles_that_they_say() {
        let meshes = [
            ("torus", torus(12, 7, 0.2), 168),
            ("knot", knot(30, 5, 0.1), 300),
            ("gear", gear(9, 0.3), 288),
            ("icosphere", icosphere(2), 320),
            ("star", star(1, 0.4), 240),
            ("block", block([1.0, 0.5, 0.2]), 12),
            ("rod", rod(6, 0.1), 24),
        ];
        for (name, mesh, count) in meshes.into_iter().chain(parts()) {
            assert_eq!(mesh.triangles.len(), count, "{name}");
            let mut edges = HashMap::new();
            for [a, b, c] in &mesh.triangles {
                for (p, q) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((p.min(q), p.max(q))).or_insert(0) += 1;
                }
            }
            assert!(edges.values().all(|n| *n == 2), "{name} has an open edge");
            let used: HashSet<_> = mesh.triangles.iter().flatten().collect();
            assert_eq!(used.len(), mesh.points.len(), "{name} has a point that no triangle uses");
        }
    }

    /// The bodies of the paper's benchmarks, and how many triangles each must have.
    fn parts() -> Vec<(&'static str, Shape, usize)> {
        vec![
            ("club", club(15, 80), 10_500),
            ("fine club", club(50, 237), 104_800),
            ("spur gear", spur_gear(), 25_600),
            ("hammer", hammer(), 1_696),
            ("workpiece", workpiece(), 2_600),
            ("bunny-like", bunny_like([44, 44, 53]), 26_400),
            ("fine bunny-like", bunny_like([68, 77, 84]), 69_664),
            ("knot of the paper's size", knot(865, 20, 0.12), 34_600),
        ]
    }

    #[test]
    fn parts_face_outwards_and_have_no_degenerate_triangles() {
        for (name, mesh, _) in parts() {
            let places: HashSet<_> = mesh.points.iter().map(|p| p.map(f64::to_bits)).collect();
            assert_eq!(places.len(), mesh.points.len(), "{name} has two points at one place");
            let (mut directed, mut volume) = (HashSet::new(), 0.0);
            for t in &mesh.triangles {
                let [a, b, c] = t.map(|i| mesh.points[i as usize]);
                let out = cross(add(b, times(a, -1.0)), add(c, times(a, -1.0)));
                assert!(length(out) > 1e-9, "{name} has a degenerate triangle: {:?}", [a, b, c]);
                volume += (a[0] * out[0] + a[1] * out[1] + a[2] * out[2]) / 6.0;
                for (p, q) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                    assert!(directed.insert((p, q)), "{name}: two triangles go along one edge the same way");
                }
            }
            assert!(volume > 0.01, "{name} encloses {volume} m³");
            assert!((0.9..1.05).contains(&mesh.radius()), "{name} has the radius {}", mesh.radius());
        }
    }
}
