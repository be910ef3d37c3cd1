//! Closest point of a difference of convex pieces to the origin: directions and witnesses for the kernel to judge.
//!
//! **Computes** a direction that separates two pieces at one or two moments, or weights of near points. **Invariant**: the
//! simplex holds points of the difference and nothing else, so its nearest point bounds the distance from above. **Follows**
//! the algorithm of Gilbert, Johnson and Keerthi. **Departs**: the set is the hull of the differences at *both* ends of
//! an interval, which is exactly what the kernel's chord rule asks about, and the walk ends as soon as the answer is
//! known. Rounding errors do no harm: the kernel has the last word.

use crate::kernel::{CommonPoint, Moment, Pair, Shape};
use crate::scalar::{Scalar, Vec3};

/// A point of the difference second − first, and the core points that it comes from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Vertex<S> {
    pub(super) at: Vec3<S>,
    a: usize,
    b: usize,
}

/// The point of the difference that is least along a direction, at a moment. `along` is the direction in the first
/// body's frame, and its opposite in the second's.
#[inline]
pub(super) fn support<S: Scalar>(pair: &Pair<'_, S>, (moment, along): (&Moment<S>, [Vec3<S>; 2])) -> Vertex<S> {
    let ([shape_a, shape_b], [along_a, along_b], [place_a, place_b]) = (pair.shapes(), along, moment.places());
    let ((x, a), (y, b)) = (shape_a.extreme(along_a), shape_b.extreme(along_b));
    let at = place_b.rotation.apply(y) - place_a.rotation.apply(x) + (place_b.position - place_a.position);
    Vertex { at, a, b }
}

/// A short difference: from the first core's point nearest to the middle of the second, to the second core's point
/// nearest to that.
#[inline]
pub(super) fn approach<S: Scalar>(pair: &Pair<'_, S>, moment: &Moment<S>) -> Vertex<S> {
    let ([a, b], [place_a, place_b]) = (pair.shapes(), moment.places());
    let between = place_b.position - place_a.position;
    // Each in the frame of its own body.
    let x = nearest(a, place_a.rotation.apply_transposed(place_b.rotation.apply(b.middle()) + between));
    let from = place_a.rotation.apply(x) - between;
    let y = nearest(b, place_b.rotation.apply_transposed(from));
    Vertex { at: place_b.rotation.apply(y) - from, a: 0, b: 0 }
}

/// The core point of a node that is about nearest to `p` (its half axes are about orthogonal); some point of a primitive.
#[inline]
fn nearest<S: Scalar>(shape: &Shape<'_, S>, p: Vec3<S>) -> Vec3<S> {
    match shape {
        Shape::Node(node) => {
            let d = p - node.centre;
            // Comparisons rather than branches; NaN, from a zero axis, becomes 1.
            let part = |axis: Vec3<S>| {
                let along = axis * axis.norm_max().magnifier();
                let t = d.dot(along).div_near(axis.dot(along));
                let t = if t < S::ONE { t } else { S::ONE };
                axis * if t > -S::ONE { t } else { -S::ONE }
            };
            node.centre + part(node.half_u) + part(node.half_v)
        }
        Shape::Triangle(_) | Shape::Hull(..) => shape.middle(),
    }
}

/// Is the first vector shorter than the second?
#[inline]
pub(super) fn shorter<S: Scalar>(a: Vec3<S>, b: Vec3<S>) -> bool {
    let by = a.norm_max().max(b.norm_max()).magnifier();
    let (a, b) = (a * by, b * by);
    a.dot(a) < b.dot(b)
}

/// A vector of this length.
#[inline]
pub(super) fn length<S: Scalar>(x: S) -> Vec3<S> {
    Vec3::new(x, S::ZERO, S::ZERO)
}

/// Up to four points, and the weights of the nearest point of their hull to the origin.
pub(super) struct Simplex<S> {
    vertices: [Vertex<S>; 4],
    weights: [S; 4],
    count: usize,
    walking: bool,
}

impl<S: Scalar> Simplex<S> {
    pub(super) fn new() -> Self {
        Self { vertices: [Vertex::default(); 4], weights: [S::ZERO; 4], count: 0, walking: false }
    }

    /// Starts with a point of the difference. Says whether it is further than `near`.
    pub(super) fn seed(&mut self, vertex: Vertex<S>, near: S) -> bool {
        self.add(vertex);
        shorter(length(near), vertex.at)
    }

    /// Takes in the support along `direction` and gives the next direction: the nearest point of the hull so far.
    /// `None` if that one is no further than `near`, or cannot be bettered.
    pub(super) fn refine(&mut self, vertex: Vertex<S>, direction: Vec3<S>, near: S) -> Option<Vec3<S>> {
        let by = direction.norm_max().max(vertex.at.norm_max()).magnifier();
        let (from, square) = (direction * by, (direction * by).dot(direction * by));
        let improved = from.dot(vertex.at * by) < square - square * S::from_f64_near(1e-4) && !self.holds(&vertex);
        // The first direction is a guess and says nothing about the simplex.
        if self.walking && !improved {
            return None;
        }
        self.walking = true;
        self.add(vertex);
        let nearest = self.reduce();
        // Written so that NaN ends the walk, too.
        shorter(length(near), nearest).then_some(nearest)
    }

    fn add(&mut self, vertex: Vertex<S>) {
        if let Some(slot) = self.vertices.get_mut(self.count) {
            *slot = vertex;
            self.count += 1;
        }
    }

    fn holds(&self, vertex: &Vertex<S>) -> bool {
        self.vertices.iter().take(self.count).any(|v| v.at == vertex.at)
    }

    /// The nearest point of the hull; points without weight are dropped.
    fn reduce(&mut self) -> Vec3<S> {
        let used = self.vertices.iter().take(self.count);
        let by = used.fold(S::ZERO, |most, v| most.max(v.at.norm_max())).magnifier();
        let [a, b, c, d] = self.vertices.map(|v| v.at * by);
        self.weights = match self.count {
            1 => [S::ONE, S::ZERO, S::ZERO, S::ZERO],
            2 => on_segment(a, b),
            3 => on_triangle(a, b, c),
            _ => in_tetrahedron(a, b, c, d),
        };
        let mut kept = 0;
        let mut nearest = Vec3::ZERO;
        for i in 0..4 {
            let (Some(vertex), Some(weight)) = (self.vertices.get(i).copied(), self.weights.get(i).copied()) else {
                break;
            };
            if weight > S::ZERO && i < self.count {
                nearest = nearest + vertex.at * weight;
                self.vertices.get_mut(kept).into_iter().for_each(|slot| *slot = vertex);
                self.weights.get_mut(kept).into_iter().for_each(|slot| *slot = weight);
                kept += 1;
            }
        }
        self.weights.iter_mut().skip(kept).for_each(|weight| *weight = S::ZERO);
        self.count = kept;
        nearest
    }

    /// About the nearest point of the hull again, but square to the simplex: a short vector between points that are far
    /// away has the errors of their coordinates in it and points elsewhere, their differences have not. `None` if one
    /// point or the whole space is left.
    pub(super) fn square(&self) -> Option<Vec3<S>> {
        let [a, b, c, _] = self.vertices.map(|v| v.at);
        let (e, f) = (b - a, c - a);
        let (e, f) = (e * e.norm_max().magnifier(), f * f.norm_max().magnifier());
        match self.count {
            2 => {
                let [u, v, ..] = self.weights;
                let nearest = a * u + b * v;
                Some(nearest - e * nearest.dot(e).div_near(e.dot(e)))
            }
            3 => {
                let normal = e.cross(f);
                let normal = normal * normal.norm_max().magnifier();
                // The one with the least error.
                let nearer = |p: Vec3<S>, q: Vec3<S>| if shorter(q, p) { q } else { p };
                let from = nearer(nearer(a, b), c);
                Some(normal * from.dot(normal).div_near(normal.dot(normal)))
            }
            _ => None,
        }
    }

    /// The weights, for the kernel.
    pub(super) fn witness(&self) -> [CommonPoint<S>; 4] {
        let mut witness = [CommonPoint::default(); 4];
        for ((common, vertex), weight) in witness.iter_mut().zip(&self.vertices).zip(&self.weights) {
            *common = CommonPoint { a: vertex.a, b: vertex.b, weight: *weight };
        }
        witness
    }
}

/// Weights of the point of a segment that is nearest to the origin.
fn on_segment<S: Scalar>(a: Vec3<S>, b: Vec3<S>) -> [S; 4] {
    let along = b - a;
    let (t, length) = (-a.dot(along), along.dot(along));
    if !(t > S::ZERO) {
        [S::ONE, S::ZERO, S::ZERO, S::ZERO]
    } else if t >= length {
        [S::ZERO, S::ONE, S::ZERO, S::ZERO]
    } else {
        let t = t.div_near(length);
        [S::ONE - t, t, S::ZERO, S::ZERO]
    }
}

/// Weights of the point of a triangle that is nearest to the origin: by the region that the origin projects into.
fn on_triangle<S: Scalar>(a: Vec3<S>, b: Vec3<S>, c: Vec3<S>) -> [S; 4] {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    // The signed areas of the triangles that the projected origin makes with the sides.
    let (wa, wb, wc) = (normal.dot(b.cross(c)), normal.dot(c.cross(a)), normal.dot(a.cross(b)));
    if wa > S::ZERO && wb > S::ZERO && wc > S::ZERO {
        let scale = S::ONE.div_near(wa + wb + wc);
        return [wa * scale, wb * scale, wc * scale, S::ZERO];
    }
    // Outside: on one of the sides that the origin is beyond. Without area all weights are zero and all sides count.
    let (mut least, mut weights) = (S::GREATEST, [S::ONE, S::ZERO, S::ZERO, S::ZERO]);
    let mut side = |beyond: S, [p, q]: [Vec3<S>; 2], place: fn(S, S) -> [S; 4]| {
        if !(beyond > S::ZERO) {
            let [u, v, ..] = on_segment(p, q);
            let x = p * u + q * v;
            let near = x.dot(x);
            if near < least {
                (least, weights) = (near, place(u, v));
            }
        }
    };
    side(wc, [a, b], |u, v| [u, v, S::ZERO, S::ZERO]);
    side(wa, [b, c], |u, v| [S::ZERO, u, v, S::ZERO]);
    side(wb, [c, a], |u, v| [v, S::ZERO, u, S::ZERO]);
    weights
}

/// Weights of the point of a tetrahedron that is nearest to the origin.
fn in_tetrahedron<S: Scalar>(a: Vec3<S>, b: Vec3<S>, c: Vec3<S>, d: Vec3<S>) -> [S; 4] {
    // Signed volumes of the tetrahedra that the origin makes with the faces, and of the whole.
    let volume = |p: Vec3<S>, q: Vec3<S>, r: Vec3<S>| p.dot(q.cross(r));
    let (va, vb, vc, vd) = (volume(b, d, c), volume(a, c, d), volume(a, d, b), volume(a, b, c));
    // Seen from inside all four have one sign; the whole is their sum.
    let all = [va, vb, vc, vd];
    let whole = va + vb + vc + vd;
    if all.iter().all(|v| *v > S::ZERO) || all.iter().all(|v| *v < S::ZERO) {
        let scale = S::ONE.div_near(whole);
        return all.map(|v| v * scale);
    }
    // Outside: on one of the faces that the origin is beyond. A flat one has no inside, and all faces count.
    let (mut least, mut weights) = (S::GREATEST, [S::ONE, S::ZERO, S::ZERO, S::ZERO]);
    let mut face = |volume: S, [p, q, r]: [Vec3<S>; 3], place: fn([S; 4]) -> [S; 4]| {
        if !(volume * whole > S::ZERO) {
            let w = on_triangle(p, q, r);
            let [u, v, t, _] = w;
            let x = p * u + q * v + r * t;
            let near = x.dot(x);
            if near < least {
                (least, weights) = (near, place(w));
            }
        }
    };
    face(va, [b, c, d], |[u, v, t, o]| [o, u, v, t]);
    face(vb, [a, c, d], |[u, v, t, o]| [u, o, v, t]);
    face(vc, [a, b, d], |[u, v, t, o]| [u, v, o, t]);
    face(vd, [a, b, c], |w| w);
    weights
}
