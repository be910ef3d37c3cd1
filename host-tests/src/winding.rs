//! The independent oracles for solids: how often a mesh winds about a point.

use crate::exact::Exact;
use crate::scenes::Point;
use std::f64::consts::TAU;

/// Exactly, by the triangles that a ray crosses; `None` if the point is on the surface.
pub fn exact(triangles: &[[Point; 3]], about: &[Exact; 3]) -> Option<i64> {
    // A ray through an edge tells nothing; on the surface all do.
    (1..12).find_map(|k| by_ray(triangles, about, [0.37 / f64::from(k), -0.23 / f64::from(k * k)]))
}

fn by_ray(triangles: &[[Point; 3]], about: &[Exact; 3], slopes: [f64; 2]) -> Option<i64> {
    let slopes = slopes.map(Exact::from_f64);
    let mut number = 0;
    for triangle in triangles {
        // In a frame in which the ray is the third axis.
        let [a, b, c] = triangle.map(|p| {
            let [x, y, z] = [0, 1, 2].map(|i| &Exact::from_f64(p[i]) - &about[i]);
            [&x - &(&slopes[0] * &z), &y - &(&slopes[1] * &z), z]
        });
        let area = |p: &[Exact; 3], q: &[Exact; 3]| &(&p[0] * &q[1]) - &(&p[1] * &q[0]);
        let areas = [area(&b, &c), area(&c, &a), area(&a, &b)];
        let signs = areas.each_ref().map(Exact::signum);
        if signs.contains(&1) && signs.contains(&-1) {
            continue;
        }
        let all = |axis: usize, sign: i32| [&a, &b, &c].iter().all(|p| p[axis].signum() == sign);
        if all(2, -1) || [0, 1].iter().any(|axis| all(*axis, 1) || all(*axis, -1)) {
            continue;
        }
        if signs.contains(&0) {
            return None;
        }
        let terms = [&areas[0] * &a[2], &areas[1] * &b[2], &areas[2] * &c[2]];
        let depth = terms.iter().fold(Exact::zero(), |sum, x| &sum + x).signum() * signs[0];
        match depth {
            0 => return None,
            1 => number += i64::from(signs[0]),
            _ => {}
        }
    }
    Some(number)
}

/// About, by the solid angles of the triangles (Van Oosterom and Strackee 1983): near a whole number away from the surface.
pub fn by_angles(triangles: &[[Point; 3]], about: Point) -> f64 {
    let dot = |a: Point, b: Point| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let angle = |t: &[Point; 3]| {
        let [a, b, c] = t.map(|p| [0, 1, 2].map(|i| p[i] - about[i]));
        let [x, y, z] = [a, b, c].map(crate::scenes::length);
        let volume = dot(a, crate::scenes::cross(b, c));
        2.0 * volume.atan2(x * y * z + dot(a, b) * z + dot(b, c) * x + dot(c, a) * y)
    };
    triangles.iter().map(angle).sum::<f64>() / (2.0 * TAU)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::{Dice, some_solid, times};

    /// The two oracles know each other's answers.
    #[test]
    fn rays_and_angles_agree() {
        let mut seen = [0; 4];
        for index in 0..800 {
            let dice = &mut Dice::new(5, index);
            let shape = some_solid(dice);
            let triangles: Vec<_> = shape.triangles.iter().map(|t| t.map(|i| shape.points[i as usize])).collect();
            let point = times(dice.in_ball(), 0.8);
            let number = exact(&triangles, &point.map(Exact::from_f64)).expect("not on the surface");
            let angles = by_angles(&triangles, point);
            assert!((angles - number as f64).abs() < 1e-6, "{index}: {number} by a ray, {angles} by angles");
            seen[number.unsigned_abs() as usize] += 1;
        }
        assert!(seen[0] > 100 && seen[1] > 100 && seen[2] > 0, "{seen:?}");
    }
}
