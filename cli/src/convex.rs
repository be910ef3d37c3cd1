//! Is a mesh convex? Then it is one hull, and not hundreds of triangles.

use avert::kernel::Grid;
use std::collections::HashMap;

/// The most points of a hull that can be looked up by direction.
const MOST: usize = 256;

/// A convex mesh as a hull.
#[derive(Debug)]
pub(crate) struct Hull {
    pub(crate) points: Vec<[i32; 3]>,
    /// In steps of the grid: more than 0 if points were left out.
    pub(crate) radius: u32,
    /// How far the hull reaches beyond the mesh, at most, in metres.
    pub(crate) excess: f64,
}

/// The hull of a mesh that is closed, outward (or inward) all over, and convex up to the rounding of its coordinates.
///
/// The hull of all corners encloses the mesh in any case; what is judged here is only whether it is much larger. A face whose
/// plane is uncertain, being a sliver, may have points beyond it by as much as that.
pub(crate) fn hull(points: &[[i32; 3]], triangles: &[[u32; 3]], grid: Grid) -> Option<Hull> {
    if points.len() > 2 * MOST || !is_closed(triangles) {
        return None;
    }
    let corners: Vec<[f64; 3]> = points.iter().map(|p| p.map(f64::from)).collect();
    let mut beyond = [0.0_f64; 2];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| corners[i as usize]);
        let (ab, ac) = (minus(b, a), minus(c, a));
        let normal = cross(ab, ac);
        let area = length(normal);
        if area == 0.0 {
            continue;
        }
        // A corner may be off by half a step along each axis, which tilts the plane by so much for each step of distance.
        let longest = [ab, ac, minus(c, b)].map(length).into_iter().fold(0.0, f64::max);
        let tilt = longest / area;
        for p in &corners {
            let d = minus(*p, a);
            let above = dot(normal, d) / area;
            let allowed = 3.0 * (1.0 + tilt * length(d));
            for (side, above) in [above, -above].into_iter().enumerate() {
                beyond[side] = beyond[side].max(above);
                if above > allowed {
                    beyond[side] = f64::INFINITY;
                }
            }
        }
    }
    // All outward, or all inward.
    let beyond = beyond.into_iter().fold(f64::INFINITY, f64::min);
    if !beyond.is_finite() {
        return None;
    }
    let (points, left_out) = thin(points, MOST)?;
    // The hull grows by the radius in steps, and by one more to be sure of the rounding.
    let radius = if left_out > 0.0 { left_out.ceil() as u32 + 1 } else { 0 };
    let step = f64::from(grid.exponent()).exp2();
    Some(Hull { points, radius, excess: (beyond + f64::from(radius)) * step })
}

/// Does every edge have one triangle on either side?
fn is_closed(triangles: &[[u32; 3]]) -> bool {
    let mut edges = HashMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((from, to)).or_insert(0) += 1;
        }
    }
    edges.iter().all(|((from, to), count)| from != to && *count == 1 && edges.get(&(to, from)) == Some(&1))
}

/// Leaves points out, those first that are nearest to the hull of the others, until at most so many are left. Says how far the
/// furthest of them is from that hull, in steps; a bound, rounded up.
fn thin(points: &[[i32; 3]], most: usize) -> Option<(Vec<[i32; 3]>, f64)> {
    let mut kept = points.to_vec();
    let mut out: Vec<[i32; 3]> = Vec::new();
    while kept.len() > most {
        let (mut least, mut nearest) = (None, f64::INFINITY);
        for i in 0..kept.len() {
            let others = kept.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, p)| *p);
            // Nearly all are soon seen to be further than the nearest so far, and nobody asks how far.
            if let Some(found) = distance_within(kept[i], others, nearest).filter(|found| *found < nearest) {
                (least, nearest) = (Some(i), found);
            }
        }
        out.push(kept.swap_remove(least?));
    }
    let far =
        out.iter().map(|p| distance_within(*p, kept.iter().copied(), f64::INFINITY)).collect::<Option<Vec<_>>>()?;
    Some((kept, far.into_iter().fold(0.0, f64::max)))
}

/// How far a point is from the hull of others, at most: the Frank–Wolfe algorithm with steps towards one point at a time. `None`
/// once it is seen to be further than `most`.
fn distance_within(p: [i32; 3], others: impl Iterator<Item = [i32; 3]> + Clone, most: f64) -> Option<f64> {
    let differences: Vec<_> = others.map(|q| minus(q.map(f64::from), p.map(f64::from))).collect();
    let mut x = differences.iter().copied().min_by(|a, b| dot(*a, *a).total_cmp(&dot(*b, *b)))?;
    for _ in 0..1000 {
        let (mut s, mut along) = (x, f64::INFINITY);
        for y in &differences {
            let product = dot(*y, x);
            if product < along {
                (s, along) = (*y, product);
            }
        }
        // The hull is beyond the plane through `s` across `x`, which is `along / ‖x‖` away.
        if along > most * length(x) {
            return None;
        }
        let step = minus(s, x);
        let square = dot(step, step);
        let t = if square > 0.0 { (-dot(x, step) / square).clamp(0.0, 1.0) } else { 0.0 };
        if t == 0.0 {
            break;
        }
        x = [0, 1, 2].map(|i| x[i] + t * step[i]);
    }
    Some(length(x))
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: [f64; 3]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points about as far as each other from the origin, some nearly in the plane of others.
    fn round(count: u32, radius: f64) -> Vec<[i32; 3]> {
        let point = |i: u32| {
            let z = (2.0 * f64::from(i) + 1.0) / f64::from(count) - 1.0;
            let ((s, c), r) = ((f64::from(i) * 2.399_963).sin_cos(), (1.0 - z * z).sqrt());
            [r * c, r * s, z * (1.0 + 0.2 * (f64::from(i) * 0.7).sin())].map(|x| (x * radius) as i32)
        };
        (0..count).map(point).collect()
    }

    fn others(points: &[[i32; 3]], i: usize) -> impl Iterator<Item = [i32; 3]> + Clone {
        points.iter().enumerate().filter(move |(j, _)| *j != i).map(|(_, p)| *p)
    }

    /// Also where it is not asked for in full, the point that goes is the one nearest to the hull of the others.
    #[test]
    fn the_nearest_point_goes_first() {
        for count in 20..60 {
            let points = round(count, 1e5);
            let whole = |i: usize| distance_within(points[i], others(&points, i), f64::INFINITY);
            let distances: Vec<_> = (0..points.len()).filter_map(whole).collect();
            let least = distances.iter().copied().fold(f64::INFINITY, f64::min);
            let (kept, far) = thin(&points, points.len() - 1).unwrap();
            let gone = points.iter().position(|p| !kept.contains(p)).unwrap();
            assert!(distances.len() == points.len() && distances[gone] == least, "{count}: {gone}");
            assert!((far - least).abs() <= 1e-9 * least, "{count}: {far} {least}");
        }
    }

    /// A corner of a cube is as far from the plane through its neighbours as the others know: 1/√3 of an edge.
    #[test]
    fn never_below_truth_distance_within() {
        let edge = 30_000;
        let cube: Vec<_> = (0..8).map(|i| [i & 1, i >> 1 & 1, i >> 2].map(|x| x * edge)).collect();
        let truth = f64::from(edge) / 3.0_f64.sqrt();
        let found = distance_within(cube[0], others(&cube, 0), f64::INFINITY).unwrap();
        assert!(found >= truth * (1.0 - 1e-14) && found <= truth * 1.001, "{found} {truth}");
        assert_eq!(distance_within(cube[0], others(&cube, 0), truth * 1.01), Some(found));
        assert_eq!(distance_within(cube[0], others(&cube, 0), truth * 0.9), None);
    }
}
