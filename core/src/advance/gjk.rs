//! Closest point of a difference of convex pieces to the origin: directions and witnesses for the kernel to judge.
//!
//! **Computes** a direction that separates two pieces at one or two moments, or weights of near points. **Follows**
//! the algorithm of Gilbert, Johnson and Keerthi. **Departs**: the set is the hull of the differences at *both* ends of
//! an interval, which is exactly what the kernel's chord rule asks about, and the walk ends as soon as the answer is
//! known. Rounding errors do no harm: the kernel has the last word.

use crate::kernel::{CommonPoint, Model, Moment, Piece, PieceKind};
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
pub(super) fn support<S: Scalar>(
    models: [&Model<'_, S>; 2],
    pieces: [Piece; 2],
    (moment, along): (&Moment<S>, [Vec3<S>; 2]),
) -> Option<Vertex<S>> {
    let ([model_a, model_b], [piece_a, piece_b], [along_a, along_b]) = (models, pieces, along);
    let [place_a, place_b] = moment.places();
    let (x, a) = extreme(model_a, piece_a, along_a)?;
    let (y, b) = extreme(model_b, piece_b, along_b)?;
    let at = place_b.rotation.apply(y) - place_a.rotation.apply(x) + (place_b.position - place_a.position);
    Some(Vertex { at, a, b })
}

/// A point of the difference that is likely to be in its middle.
#[inline]
pub(super) fn middle<S: Scalar>(
    models: [&Model<'_, S>; 2],
    pieces: [Piece; 2],
    moment: &Moment<S>,
) -> Option<Vertex<S>> {
    let ([model_a, model_b], [piece_a, piece_b], [place_a, place_b]) = (models, pieces, moment.places());
    let point = |model: &Model<'_, S>, piece: Piece| match piece.kind() {
        PieceKind::Node(i) => model.nodes().get(i).map(|n| n.centre),
        PieceKind::Primitive(i) => model.geometry().primitive(i).and_then(|(p, _)| p.as_slice().first().copied()),
    };
    let (x, y) = (point(model_a, piece_a)?, point(model_b, piece_b)?);
    let at = place_b.rotation.apply(y) - place_a.rotation.apply(x) + (place_b.position - place_a.position);
    Some(Vertex { at, a: 0, b: 0 })
}

/// The core point that lies furthest along `d`, and its index.
#[inline]
fn extreme<S: Scalar>(model: &Model<'_, S>, piece: Piece, d: Vec3<S>) -> Option<(Vec3<S>, usize)> {
    match piece.kind() {
        PieceKind::Node(i) => {
            let node = model.nodes().get(i)?;
            let towards = |axis: Vec3<S>| if axis.dot(d) < S::ZERO { -axis } else { axis };
            Some((node.centre + towards(node.half_u) + towards(node.half_v), 0))
        }
        PieceKind::Primitive(i) => {
            let (points, _) = model.geometry().primitive(i)?;
            let mut best: Option<(S, Vec3<S>, usize)> = None;
            for (k, p) in points.as_slice().iter().enumerate() {
                let along = p.dot(d);
                if best.is_none_or(|(most, _, _)| along > most) {
                    best = Some((along, *p, k));
                }
            }
            best.map(|(_, p, k)| (p, k))
        }
    }
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

    /// Starts with a point of the difference; `None` if that one is no further than `near`.
    pub(super) fn seed(&mut self, vertex: Vertex<S>, near: S) -> Option<()> {
        self.add(vertex);
        (vertex.at.dot(vertex.at) > near * near).then_some(())
    }

    /// Takes in the support along `direction` and gives the next direction: the nearest point of the hull so far.
    /// `None` if that one is no further than `near`, or cannot be bettered.
    pub(super) fn refine(&mut self, vertex: Vertex<S>, direction: Vec3<S>, near: S) -> Option<Vec3<S>> {
        let square = direction.dot(direction);
        let improved = direction.dot(vertex.at) < square - square * S::from_f64_near(1e-4) && !self.holds(&vertex);
        // The first direction is a guess and says nothing about the simplex.
        if self.walking && !improved {
            return None;
        }
        self.walking = true;
        self.add(vertex);
        let nearest = self.reduce();
        // Written so that NaN ends the walk, too.
        (nearest.dot(nearest) > near * near).then_some(nearest)
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
        let [a, b, c, d] = self.vertices.map(|v| v.at);
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
    // Outside, or without area: on one of the sides.
    let side = |p: Vec3<S>, q: Vec3<S>| {
        let [u, v, ..] = on_segment(p, q);
        let x = p * u + q * v;
        (x.dot(x), u, v)
    };
    let (d0, p, q) = side(a, b);
    let (mut least, mut weights) = (d0, [p, q, S::ZERO, S::ZERO]);
    let (d1, p, q) = side(b, c);
    if d1 < least {
        (least, weights) = (d1, [S::ZERO, p, q, S::ZERO]);
    }
    let (d2, p, q) = side(c, a);
    if d2 < least {
        weights = [q, S::ZERO, p, S::ZERO];
    }
    weights
}

/// Weights of the point of a tetrahedron that is nearest to the origin.
fn in_tetrahedron<S: Scalar>(a: Vec3<S>, b: Vec3<S>, c: Vec3<S>, d: Vec3<S>) -> [S; 4] {
    // Signed volumes of the tetrahedra that the origin makes with the faces, and of the whole.
    let volume = |p: Vec3<S>, q: Vec3<S>, r: Vec3<S>| p.dot(q.cross(r));
    let (va, vb, vc, vd) = (volume(b, d, c), volume(a, c, d), volume(a, d, b), volume(a, b, c));
    // Seen from inside all four have one sign; the whole is their sum.
    let all = [va, vb, vc, vd];
    if all.iter().all(|v| *v > S::ZERO) || all.iter().all(|v| *v < S::ZERO) {
        let scale = S::ONE.div_near(va + vb + vc + vd);
        return all.map(|v| v * scale);
    }
    let nearness = |[u, v, w, _]: [S; 4], [p, q, r]: [Vec3<S>; 3]| {
        let x = p * u + q * v + r * w;
        x.dot(x)
    };
    let w = on_triangle(b, c, d);
    let (mut least, mut weights) = (nearness(w, [b, c, d]), [S::ZERO, w[0], w[1], w[2]]);
    for (face, place) in [([a, c, d], [0, 2, 3]), ([a, b, d], [0, 1, 3]), ([a, b, c], [0, 1, 2])] {
        let [p, q, r] = face;
        let w = on_triangle(p, q, r);
        let near = nearness(w, face);
        if near < least {
            least = near;
            weights = [S::ZERO; 4];
            for (i, x) in place.into_iter().zip(w) {
                weights.get_mut(i).into_iter().for_each(|slot: &mut S| *slot = x);
            }
        }
    }
    weights
}
