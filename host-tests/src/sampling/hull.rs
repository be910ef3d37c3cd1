//! The faces of the convex hull of a few points, by trying all triples.

use crate::scenes::BOX_FACES;
use nalgebra::Vector3;

type V = Vector3<f64>;

/// The faces of a convex hull.
pub(super) struct Faces {
    /// Corners by their place in the list; they cover the surface, perhaps more than once, and may be lines or points.
    pub(super) corners: Vec<[usize; 3]>,
    /// The half spaces `normal·x ≤ height` that the hull is the common part of; none if it has no inside.
    pub(super) planes: Vec<(V, f64)>,
}

impl Faces {
    /// Of a few points, in any order; a box by its corners is taken as it is.
    pub(super) fn of(points: &[V]) -> Self {
        let corners = match points.len() {
            1 => vec![[0, 0, 0]],
            2 => vec![[0, 1, 1]],
            3 => vec![[0, 1, 2]],
            8 if is_box(points) => BOX_FACES.iter().map(|f| f.map(|i| i as usize)).collect(),
            _ => return Self::by_triples(points),
        };
        let planes =
            if points.len() == 8 { corners.iter().filter_map(|f| plane(points, *f)).collect() } else { vec![] };
        Self { corners, planes }
    }

    fn by_triples(points: &[V]) -> Self {
        let (n, mut corners, mut planes, mut flat) = (points.len(), vec![], vec![], false);
        for i in 0..n {
            for j in i + 1..n {
                for k in j + 1..n {
                    let Some((normal, height)) = plane(points, [i, j, k]) else { continue };
                    let heights = points.iter().map(|p| normal.dot(p) - height);
                    let (low, high) = heights.fold((0.0_f64, 0.0_f64), |(l, h), x| (l.min(x), h.max(x)));
                    // Rounding, for points of less than a few metres.
                    let little = 1e-13;
                    if high > little && low < -little {
                        continue;
                    }
                    flat |= high <= little && low >= -little;
                    corners.push([i, j, k]);
                    planes.push(if high > little { (-normal, -height) } else { (normal, height) });
                }
            }
        }
        if corners.is_empty() {
            // All on one line.
            corners = (0..n).flat_map(|i| (0..i).map(move |j| [i, j, j])).collect();
        }
        if flat {
            planes.clear();
        }
        Self { corners, planes }
    }
}

/// The plane of three points, unless they are on a line.
fn plane(points: &[V], [i, j, k]: [usize; 3]) -> Option<(V, f64)> {
    let normal = (points[j] - points[i]).cross(&(points[k] - points[i])).try_normalize(1e-14)?;
    Some((normal, normal.dot(&points[i])))
}

/// Is corner `i` at the low or high side along three directions by the bits of `i`, and do the faces of
/// [`BOX_FACES`] look outwards?
fn is_box(points: &[V]) -> bool {
    let along = [1, 2, 4].map(|i| points[i] - points[0]);
    let corner = |i: usize| (0..3).filter(|axis| i >> axis & 1 == 1).fold(points[0], |p, axis| p + along[axis]);
    let right_handed = along[0].cross(&along[1]).dot(&along[2]) > 0.0;
    right_handed && (0..8).all(|i| (points[i] - corner(i)).amax() < 1e-14)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Every point of the hull is under all planes, every corner is on three or more, and an edge of the surface of a
    /// hull in general position belongs to two triangles.
    #[test]
    fn hulls_are_closed_and_hold_their_points() {
        let mut random = Random::new(3);
        for count in 4..13 {
            let points: Vec<V> = (0..count).map(|_| V::from(random.vector())).collect();
            let Faces { corners, planes } = Faces::of(&points);
            assert!(points.iter().all(|p| planes.iter().all(|(n, h)| n.dot(p) <= h + 1e-12)));
            let mut used: Vec<usize> = corners.iter().flatten().copied().collect();
            used.sort_unstable();
            used.dedup();
            // Euler: F = 2·V − 4 for triangles.
            assert_eq!(corners.len(), 2 * used.len() - 4, "{count} points");
        }
    }

    #[test]
    fn boxes_flat_and_thin_hulls() {
        let corner = |i: usize| V::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
        let mut points: Vec<V> = (0..8).map(corner).collect();
        assert_eq!(Faces::of(&points).corners.len(), 12);
        let middle = V::repeat(0.5);
        let inside = |points: &[V]| {
            let Faces { planes, .. } = Faces::of(points);
            !planes.is_empty() && planes.iter().all(|(n, h)| n.dot(&middle) < h - 0.4)
        };
        assert!(inside(&points));
        // In another order, the faces are found all the same.
        points.swap(0, 5);
        assert!(inside(&points));
        points.truncate(4);
        let flat: Vec<V> = (0..4).map(corner).collect();
        let Faces { corners, planes } = Faces::of(&flat);
        assert!(corners.len() == 4 && planes.is_empty());
        let line: Vec<V> = (0..4).map(|i| V::new(f64::from(i), 0.0, 0.0)).collect();
        assert_eq!(Faces::of(&line).corners.len(), 6);
    }
}
