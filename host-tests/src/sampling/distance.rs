//! The distance of two triangles, degenerate or not.

use nalgebra::Vector3;

type V = Vector3<f64>;

/// Three corners; they may coincide.
pub(super) type Corners = [V; 3];

/// The distance of two triangles, or −1 if one clearly passes through the other: by more than `clearly`.
///
/// What is found is the distance of two points of the triangles, so it is too large at worst. An extremum lies at a corner
/// against a triangle or at an edge against an edge.
pub(super) fn of_triangles(a: &Corners, b: &Corners, clearly: f64) -> f64 {
    if passes(a, b, clearly) || passes(b, a, clearly) {
        return -1.0;
    }
    let corners = a.iter().map(|p| to_triangle(*p, b)).chain(b.iter().map(|p| to_triangle(*p, a)));
    let mut least = corners.fold(f64::INFINITY, f64::min);
    for (p, q) in edges(a) {
        for (r, s) in edges(b) {
            least = least.min(of_segments(p, q, r, s));
        }
    }
    least.sqrt()
}

/// A number that the distance of two triangles is not below: the gap along the best of a few directions.
pub(super) fn gap_lo(a: &Corners, b: &Corners) -> f64 {
    let middle = |t: &Corners| (t[0] + t[1] + t[2]) / 3.0;
    let normal = |t: &Corners| (t[1] - t[0]).cross(&(t[2] - t[0]));
    let mut most = 0.0_f64;
    for along in [middle(b) - middle(a), normal(a), normal(b)] {
        let reach = |t: &Corners| {
            let [x, y, z] = t.map(|p| along.dot(&p));
            (x.min(y).min(z), x.max(y).max(z))
        };
        let ((a_low, a_high), (b_low, b_high)) = (reach(a), reach(b));
        let length = along.norm();
        if length > 0.0 {
            most = most.max((b_low - a_high).max(a_low - b_high) / length);
        }
    }
    // What rounding may have added is far below this.
    most * (1.0 - 1e-9)
}

fn edges(t: &Corners) -> [(V, V); 3] {
    [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]
}

/// Does an edge of `a` clearly pass through `b`?
fn passes(a: &Corners, b: &Corners, clearly: f64) -> bool {
    let normal = (b[1] - b[0]).cross(&(b[2] - b[0]));
    let Some(normal) = normal.try_normalize(0.0) else { return false };
    let height = a.map(|p| normal.dot(&(p - b[0])));
    [(0, 1), (1, 2), (2, 0)].into_iter().any(|(i, j)| {
        if !(height[i].min(height[j]) < -clearly && height[i].max(height[j]) > clearly) {
            return false;
        }
        let at = a[i] + (a[j] - a[i]) * (height[i] / (height[i] - height[j]));
        edges(b).into_iter().all(|(p, q)| {
            let along = q - p;
            normal.dot(&along.cross(&(at - p))) > clearly * along.norm()
        })
    })
}

/// The square of the distance of a point and a segment.
fn to_segment(x: V, p: V, q: V) -> f64 {
    let along = q - p;
    let square = along.norm_squared();
    let t = if square > 0.0 { ((x - p).dot(&along) / square).clamp(0.0, 1.0) } else { 0.0 };
    (x - p - along * t).norm_squared()
}

/// The square of the distance of a point and a triangle.
pub(super) fn to_triangle(x: V, t: &Corners) -> f64 {
    let mut least = edges(t).into_iter().map(|(p, q)| to_segment(x, p, q)).fold(f64::INFINITY, f64::min);
    let normal = (t[1] - t[0]).cross(&(t[2] - t[0]));
    let part = |i: usize| normal.dot(&(t[(i + 2) % 3] - t[(i + 1) % 3]).cross(&(x - t[(i + 1) % 3])));
    let weights = [part(0), part(1), part(2)];
    let sum: f64 = weights.iter().sum();
    if weights.iter().all(|w| *w >= 0.0) && sum > 0.0 {
        let at = (t[0] * weights[0] + t[1] * weights[1] + t[2] * weights[2]) / sum;
        least = least.min((x - at).norm_squared());
    }
    least
}

/// The same for a point that should be on the triangle, which may be a sliver: its normal has no digits then, but it has a
/// longest edge, along and across which a point inside has good weights.
pub(super) fn to_sliver(x: V, t: &Corners) -> f64 {
    let length = |i: &usize| (t[(i + 1) % 3] - t[*i]).norm_squared();
    let i = (0..3).max_by(|i, j| length(i).total_cmp(&length(j))).unwrap_or(0);
    let (u, v, p) = (t[(i + 1) % 3] - t[i], t[(i + 2) % 3] - t[i], x - t[i]);
    let across = |w: V| w - u * (u.dot(&w) / u.dot(&u));
    let b = across(p).dot(&across(v)) / across(v).norm_squared();
    let a = (p - v * b).dot(&u) / u.dot(&u);
    let inside = a >= 0.0 && b >= 0.0 && a + b <= 1.0;
    to_triangle(x, t).min(if inside { (p - v * b - u * a).norm_squared() } else { f64::INFINITY })
}

/// The square of the distance of two segments; where they are nearly parallel, their ends are tried by the caller.
fn of_segments(p: V, q: V, r: V, s: V) -> f64 {
    let (u, v, w) = (q - p, s - r, p - r);
    let (uu, uv, vv, uw, vw) = (u.dot(&u), u.dot(&v), v.dot(&v), u.dot(&w), v.dot(&w));
    let denominator = uu * vv - uv * uv;
    let a = if denominator > 0.0 { ((uv * vw - vv * uw) / denominator).clamp(0.0, 1.0) } else { 0.0 };
    // The nearest point of the second segment to that of the first, and back.
    let b = if vv > 0.0 { ((uv * a + vw) / vv).clamp(0.0, 1.0) } else { 0.0 };
    let a = if uu > 0.0 { ((uv * b - uw) / uu).clamp(0.0, 1.0) } else { 0.0 };
    (w + u * a - v * b).norm_squared()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn triangle(c: [[f64; 3]; 3]) -> Corners {
        c.map(V::from)
    }

    #[test]
    fn known_distances() {
        let flat = triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
        let cases = [
            // Corner over the face, corner beside an edge, corner by a corner.
            (triangle([[1.0, 1.0, 2.0], [1.0, 1.0, 5.0], [2.0, 1.0, 5.0]]), 2.0),
            (triangle([[1.0, -3.0, 0.0], [1.0, -5.0, 1.0], [2.0, -5.0, 0.0]]), 3.0),
            (triangle([[-3.0, -4.0, 0.0], [-9.0, -4.0, 1.0], [-3.0, -9.0, 0.0]]), 5.0),
            // Edge over the face, edge beside an edge.
            (triangle([[2.0, -1.0, 1.0], [2.0, -1.0, 9.0], [2.0, 9.0, 1.0]]), 1.0),
            (triangle([[2.0, -1.5, -1.0], [2.0, -1.5, 1.0], [2.0, -5.0, 0.0]]), 1.5),
            // A point, a segment, and the same triangle again.
            (triangle([[1.0, 1.0, -0.5]; 3]), 0.5),
            (triangle([[-1.0, -1.0, 0.0], [-1.0, -1.0, 0.0], [-2.0, 3.0, 0.0]]), 5.0 / 17.0_f64.sqrt()),
            (flat, 0.0),
            // Through the face.
            (triangle([[1.0, 1.0, -1.0], [1.0, 1.0, 1.0], [1.0, 1.5, 1.0]]), -1.0),
        ];
        for (i, (other, expected)) in cases.iter().enumerate() {
            for found in [of_triangles(&flat, other, 1e-12), of_triangles(other, &flat, 1e-12)] {
                assert!((found - expected).abs() < 1e-12, "case {i}: {found}, expected {expected}");
            }
        }
    }
}
