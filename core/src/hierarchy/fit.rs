//! The tightest of a point, a line and a rectangle swept by a sphere, around a few primitives.
//!
//! **Computes** a node without children, and the axes along which its primitives spread. **Invariant**: the radius is the
//! kernel's own [`core_distance_hi`], so that the proof which follows the build succeeds. **Follows** the swept sphere
//! volumes of Tang, Manocha and Kim 2014, §3.2: axes by covariance (cyclic Jacobi rotations), sides moved in as far as the
//! rounded edges cover. **Departs**: the kind is chosen by volume for each node. Nothing here is trusted.

use crate::kernel::{Geometry, Node, core_distance_hi};
use crate::scalar::{Scalar, Vec3};

/// How many primitives the axes are found by in fixed point.
const FEW: usize = 128;

/// Where the primitives lie: their mean, and axes by falling variance.
pub(super) struct Frame<S> {
    pub(super) mean: Vec3<S>,
    pub(super) axes: [Vec3<S>; 3],
    /// What lengths are multiplied with before their products are formed.
    by: S,
}

impl<S: Scalar> Frame<S> {
    /// Calls `f` with every core point of these primitives and its radius, magnified, in the axes of the frame.
    fn each_point(&self, geometry: &Geometry<'_, S>, ids: &[u32], mut f: impl FnMut(Vec3<S>, S)) {
        let [e1, e2, e3] = self.axes;
        geometry.each_point(each(ids), |p, r| {
            let d = (p - self.mean) * self.by;
            f(Vec3::new(d.dot(e1), d.dot(e2), d.dot(e3)), r * self.by);
        });
    }
}

fn each(ids: &[u32]) -> impl Iterator<Item = usize> {
    ids.iter().map(|id| *id as usize)
}

/// Fits a node (without children) around some primitives.
pub(super) fn fit<S: Scalar>(geometry: &Geometry<'_, S>, ids: &[u32]) -> (Node<S>, Frame<S>) {
    let frame = frame(geometry, ids);
    let [e1, e2, e3] = frame.axes;
    let (mut low, mut high) = (Vec3::from([S::GREATEST; 3]), Vec3::from([S::LEAST; 3]));
    frame.each_point(geometry, ids, |q, r| {
        low = Vec3::new(low.x.min(q.x - r), low.y.min(q.y - r), low.z.min(q.z - r));
        high = Vec3::new(high.x.max(q.x + r), high.y.max(q.y + r), high.z.max(q.z + r));
    });
    let middle = (low + high) * S::HALF;
    let half = (high - low) * S::HALF;

    // How far the sphere at the core's end reaches beyond it, for a point at this offset from the core's line or plane.
    let spare = |radius: S, r: S, off: S| {
        let free = radius - r;
        let square = free * free - off * off;
        if square > S::ZERO { square.sqrt_near() } else { S::ZERO }
    };

    // Rectangle: as thick as the primitives; each side moves in as far as the rounded edge still covers all.
    let mut x = (middle.x, middle.x);
    let mut y = (middle.y, middle.y);
    frame.each_point(geometry, ids, |q, r| {
        let s = spare(half.z, r, q.z - middle.z);
        x = (x.0.min(q.x + s), x.1.max(q.x - s));
        y = (y.0.min(q.y + s), y.1.max(q.y - s));
    });
    // A point beyond two sides at once is covered by a corner: move both out until the corner's sphere holds it.
    frame.each_point(geometry, ids, |q, r| {
        let (dx, right) = if q.x > x.1 { (q.x - x.1, true) } else { (x.0 - q.x, false) };
        let (dy, upper) = if q.y > y.1 { (q.y - y.1, true) } else { (y.0 - q.y, false) };
        let s = spare(half.z, r, q.z - middle.z);
        if dx > S::ZERO && dy > S::ZERO && dx * dx + dy * dy > s * s {
            // (dx − e)² + (dy − e)² = s²
            let root = s * s + s * s - (dx - dy) * (dx - dy);
            let root = if root > S::ZERO { root.sqrt_near() } else { S::ZERO };
            let e = (dx + dy - root) * S::HALF;
            if right {
                x.1 = x.1 + e
            } else {
                x.0 = x.0 - e
            }
            if upper { y.1 = y.1 + e } else { y.0 = y.0 - e }
        }
    });

    // Line: its radius is the greatest distance from the axis.
    let mut line_radius = S::ZERO;
    let from_line = |q: Vec3<S>| {
        let (dy, dz) = (q.y - middle.y, q.z - middle.z);
        (dy * dy + dz * dz).sqrt_near()
    };
    frame.each_point(geometry, ids, |q, r| line_radius = line_radius.max(from_line(q) + r));
    let mut l = (middle.x, middle.x);
    frame.each_point(geometry, ids, |q, r| {
        let s = spare(line_radius, r, from_line(q));
        l = (l.0.min(q.x + s), l.1.max(q.x - s));
    });

    let back = S::ONE.div_near(frame.by);
    let node = |x: (S, S), y: (S, S)| {
        let (cx, cy) = ((x.0 + x.1) * S::HALF * back, (y.0 + y.1) * S::HALF * back);
        let core = Node {
            centre: tidy(frame.mean + e1 * cx + e2 * cy + e3 * (middle.z * back)),
            half_u: tidy(e1 * ((x.1 - x.0) * S::HALF * back)),
            half_v: tidy(e2 * ((y.1 - y.0) * S::HALF * back)),
            ..Node::EMPTY
        };
        let mut radius = S::ZERO;
        geometry.each_point(each(ids), |p, r| radius = radius.max(core_distance_hi(&core, p).add_hi(r)));
        Node { radius, ..core }
    };
    let point = node((middle.x, middle.x), (middle.y, middle.y));
    let line = node(l, (middle.y, middle.y));
    let rectangle = node(x, y);
    let mut best = point;
    for other in [line, rectangle] {
        if volume(&other, frame.by) < volume(&best, frame.by) {
            best = other;
        }
    }
    (best, frame)
}

/// Subnormal components become zero.
fn tidy<S: Scalar>(v: Vec3<S>) -> Vec3<S> {
    v.map(|x| if x.in_range() { x } else { S::ZERO })
}

/// 4/3·π·r³ + π·r²·(a + b) + 2·r·a·b, for the side lengths a and b of the rectangle, over π; all lengths magnified.
fn volume<S: Scalar>(node: &Node<S>, by: S) -> S {
    let length = |v: Vec3<S>| {
        let half = (v * by).dot(v * by).sqrt_near();
        half + half
    };
    let (a, b, r) = (length(node.half_u), length(node.half_v), node.radius * by);
    S::from_f64_near(4.0 / 3.0) * r * r * r
        + r * r * (a + b)
        + S::from_f64_near(core::f64::consts::FRAC_2_PI) * r * a * b
}

/// Mean and principal axes.
fn frame<S: Scalar>(geometry: &Geometry<'_, S>, ids: &[u32]) -> Frame<S> {
    // Sums in fixed point have no room for many: a few primitives stand for all, the middle of their box for the mean, and
    // squares are of at most ¼.
    let few = || each(ids).step_by(if S::FLOATING { 1 } else { ids.len() / FEW + 1 });
    let share = if S::FLOATING { S::ONE } else { S::from_f64_near(0.25) };
    let (mut sum, mut count) = (Vec3::ZERO, S::ZERO);
    let (mut low, mut high) = (Vec3::from([S::GREATEST; 3]), Vec3::from([S::LEAST; 3]));
    geometry.each_point(few(), |p, r| {
        sum = sum + p;
        count = count + S::ONE;
        low = Vec3::new(low.x.min(p.x - r), low.y.min(p.y - r), low.z.min(p.z - r));
        high = Vec3::new(high.x.max(p.x + r), high.y.max(p.y + r), high.z.max(p.z + r));
    });
    let mean = if S::FLOATING { sum * S::ONE.div_near(count) } else { (low + high) * S::HALF };
    let by = (high - mean).norm_max().magnifier();
    let [mut xx, mut yy, mut zz, mut xy, mut yz, mut zx] = [S::ZERO; 6];
    geometry.each_point(few(), |p, _| {
        let d = (p - mean) * (by * share);
        xx = xx + d.x * d.x;
        yy = yy + d.y * d.y;
        zz = zz + d.z * d.z;
        xy = xy + d.x * d.y;
        yz = yz + d.y * d.z;
        zx = zx + d.z * d.x;
    });
    Frame { mean, axes: principal_axes([xx, yy, zz], [xy, yz, zx]), by }
}

/// The eigenvectors of the symmetric matrix with this diagonal and these entries at xy, yz, zx, by falling eigenvalue:
/// cyclic Jacobi rotations. The indices turn: (0, 1), (1, 2), (2, 0).
fn principal_axes<S: Scalar>(mut diagonal: [S; 3], mut beside: [S; 3]) -> [Vec3<S>; 3] {
    let mut axes =
        [Vec3::new(S::ONE, S::ZERO, S::ZERO), Vec3::new(S::ZERO, S::ONE, S::ZERO), Vec3::new(S::ZERO, S::ZERO, S::ONE)];
    for _ in 0..15 {
        // Rotate in the plane of p and q; after each rotation the indices move on by one.
        let [dp, dq, dr] = diagonal;
        let [pq, qr, rp] = beside;
        let [ep, eq, er] = axes;
        let (mut c, mut s) = (S::ONE, S::ZERO);
        if pq.abs() > S::ZERO {
            // tan θ = t is the smaller root of t² + 2·k·t − 1 = 0 with k = (dq − dp)/(2·pq).
            let k = (dq - dp).div_near(pq + pq);
            let root = (k * k + S::ONE).sqrt_near();
            let t = if k >= S::ZERO { S::ONE.div_near(k + root) } else { -S::ONE.div_near(root - k) };
            if t.in_range() {
                c = S::ONE.div_near((t * t + S::ONE).sqrt_near());
                s = t * c;
            }
        }
        let two = S::ONE + S::ONE;
        let (cc, ss, cs) = (c * c, s * s, c * s);
        let (np, nq) = (cc * dp - two * cs * pq + ss * dq, ss * dp + two * cs * pq + cc * dq);
        let (n_pq, n_qr, n_rp) = ((cc - ss) * pq + cs * (dp - dq), s * rp + c * qr, c * rp - s * qr);
        let (fp, fq) = (ep * c - eq * s, ep * s + eq * c);
        diagonal = [nq, dr, np];
        beside = [n_qr, n_rp, n_pq];
        axes = [fq, er, fp];
    }
    // A rotation keeps the axes orthonormal up to rounding, which is all that is needed. 15 turns are whole cycles.
    let [a, b, c] = [0, 1, 2].map(|i: usize| (diagonal.get(i).copied().unwrap_or(S::ZERO), i));
    let order = |p: (S, usize), q: (S, usize)| if p.0 >= q.0 { (p, q) } else { (q, p) };
    let (a, b) = order(a, b);
    let (a, c) = order(a, c);
    let (b, c) = order(b, c);
    [a, b, c].map(|(_, i)| axes.get(i).copied().unwrap_or(Vec3::ZERO))
}
