//! Closed meshes whose triangles face alike: shells, cavities, overlaps, and what is degenerate but closed.

use super::{Dice, Shape, add, block, cross, gear, icosphere, knot, rod, star, times, torus};

/// A mesh that is seen whole from its origin, with every triangle turned outwards.
#[must_use]
pub fn faced(mut shape: Shape) -> Shape {
    for t in &mut shape.triangles {
        let [a, b, c] = t.map(|i| shape.points[i as usize]);
        let out = cross(add(b, times(a, -1.0)), add(c, times(a, -1.0)));
        if a[0] * out[0] + a[1] * out[1] + a[2] * out[2] < 0.0 {
            t.swap(1, 2);
        }
    }
    shape
}

/// A ball that faces outwards: 20·4^`level` triangles.
pub fn shell(level: u32, radius: f64) -> Shape {
    faced(icosphere(level)).scaled(radius)
}

/// The same surface, seen from the other side.
#[must_use]
pub fn reversed(mut shape: Shape) -> Shape {
    shape.triangles.iter_mut().for_each(|t| t.swap(1, 2));
    shape
}

/// A cube from −1 to 1 whose faces are grids of `n` by `n`: 12·`n`² triangles over shared points.
pub fn grid_cube(n: usize) -> Shape {
    let mut shape = Shape::default();
    let mut places = std::collections::HashMap::new();
    for [a, b, c, d] in [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]] {
        // Corners by their bits; integers until the end, so that faces share their points.
        let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { 0 } else { n });
        let (o, u, v) = (corner(a), corner(b), corner(d));
        assert!(corner(c) == [0, 1, 2].map(|k| u[k] + v[k] - o[k]), "the face is a square");
        let mut at = |i: usize, j: usize| {
            let along = |k: usize, to: usize, steps: usize| if to > o[k] { steps } else { 0 };
            let back = |k: usize, to: usize, steps: usize| if to < o[k] { steps } else { 0 };
            let key =
                [0, 1, 2].map(|k| o[k] + along(k, u[k], i) + along(k, v[k], j) - back(k, u[k], i) - back(k, v[k], j));
            *places.entry(key).or_insert_with(|| {
                shape.points.push(key.map(|x| 2.0 * x as f64 / n as f64 - 1.0));
                shape.points.len() as u32 - 1
            })
        };
        for (i, j) in (0..n * n).map(|k| (k / n, k % n)) {
            let [p, q, r, s] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            shape.triangles.extend([[p, q, r], [p, r, s]]);
        }
    }
    shape
}

/// Adds triangles that cancel: one and its reverse across the body, and such that are points or lines.
#[must_use]
pub fn finned(mut shape: Shape, dice: &mut Dice) -> Shape {
    for _ in 0..3 {
        let [a, b, c] = [0; 3].map(|_| dice.side(shape.points.len() as u64) as u32);
        shape.triangles.extend([[a, b, c], [a, c, b], [a, a, b], [c, c, c]]);
    }
    shape
}

/// Any closed mesh, of radius about 1.
pub fn some_solid(dice: &mut Dice) -> Shape {
    let mut count = |low: u64, high: u64| (low + dice.side(high - low)) as usize;
    match count(0, 12) {
        0 => torus(count(6, 16), count(4, 8), 0.25),
        1 => knot(count(20, 30), count(3, 6), 0.1),
        2 => gear(count(3, 9), 0.3),
        3 => shell(count(0, 2) as u32, 1.0),
        4 => faced(star(0, 0.4)),
        5 => rod(count(3, 20), 0.2),
        6 => block([0.8, 0.5, 0.3]),
        7 => grid_cube(count(1, 4)).scaled(0.6),
        // Wound about twice in the middle.
        8 => shell(1, 1.0).with(shell(0, 0.5)),
        // Hollow.
        9 => shell(1, 1.0).with(reversed(shell(0, 0.6))),
        // Overlapping.
        10 => grid_cube(1).scaled(0.5).with(block([0.5; 3]).moved([0.4, 0.2, -0.3])),
        _ => {
            let shape = if count(0, 2) == 0 { block([0.6; 3]) } else { shell(1, 0.9) };
            finned(shape, dice)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Every edge is gone along as often one way as the other.
    #[test]
    fn solids_are_closed() {
        for index in 0..500 {
            let shape = some_solid(&mut Dice::new(4, index));
            let mut edges = HashMap::new();
            for [a, b, c] in shape.triangles {
                for (p, q) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((p.min(q), p.max(q))).or_insert(0) += i32::from(p < q) - i32::from(q < p);
                }
            }
            assert!(edges.values().all(|n| *n == 0), "solid {index} is open");
        }
    }
}
