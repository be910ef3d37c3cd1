//! What the strategies want to know about two pieces: how large, how far apart at a moment, in which direction, whether they
//! touch.
//!
//! **Computes** distances of two nodes as of two rectangles, and of other pieces by [`super::gjk`]. **Invariant**: what is
//! called a distance is what the support along the direction found shows, so rounding aside it is never too large.
//! **Follows** nothing in print: the four coordinates of the nearest points of two rectangles are found by taking the
//! nearest point of the one and of the other rectangle in turn, which costs products of vectors only once.

use super::gjk::{self, Simplex};
use crate::kernel::{Model, Moment, Node, Piece, PieceKind, Scene, distance_hi};
use crate::scalar::{Mat3, Scalar, Vec3};
use crate::verdict::Witness;

/// Supports spent on the distance of two pieces.
const ROUNDS: u64 = 24;

/// What a direction costs, in points projected on a direction.
pub(super) const DIRECTION_WORK: u64 = 12;

/// What a pose costs, in the same units.
pub(super) const POSE_WORK: u64 = 24;

/// Nearest points taken in turn, two of each, before the distance of two rectangles is looked at.
const TURNS: usize = 2;

/// Looks at the distance of two rectangles, at most.
const LOOKS: usize = 4;

/// Good enough: a distance that is this part of the best possible.
const GOOD: f64 = 0.98;

/// Two bodies at a moment, with the second one's place in the frame of the first.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<S> {
    moment: Moment<S>,
    rotation: Mat3<S>,
    position: Vec3<S>,
}

impl<S: Scalar> View<S> {
    /// `None` outside of `[0, 1]`.
    pub(super) fn new(scene: &Scene<'_, S>, time: S) -> Option<Self> {
        let moment = scene.moment(time)?;
        let [a, b] = moment.places();
        let inverse = a.rotation.transpose();
        let columns = b.rotation.transpose().rows.map(|column| inverse.apply(column));
        let (rotation, position) = (Mat3::new(columns).transpose(), inverse.apply(b.position - a.position));
        Some(Self { moment, rotation, position })
    }

    pub(super) fn moment(&self) -> &Moment<S> {
        &self.moment
    }

    /// From the first piece to the second, as long as they are apart beyond `margin`; zero if they are not. And what it
    /// cost.
    pub(super) fn gap(&self, scene: &Scene<'_, S>, pieces: [Piece; 2], margin: S) -> (Vec3<S>, u64) {
        let ([model_a, model_b], [piece_a, piece_b]) = (scene.models(), pieces);
        let beyond = radii(scene, pieces) + margin;
        let (direction, apart, work) = match (piece_a.kind(), piece_b.kind()) {
            (PieceKind::Node(a), PieceKind::Node(b)) => {
                let (Some(a), Some(b)) = (model_a.nodes().get(a), model_b.nodes().get(b)) else {
                    return (Vec3::ZERO, 0);
                };
                let (direction, apart) = self.rectangles(a, b);
                (self.moment.places()[0].rotation.apply(direction), apart, 2 * DIRECTION_WORK)
            }
            (PieceKind::Primitive(_), _) | (_, PieceKind::Primitive(_)) => self.walk(scene, pieces),
        };
        let length = direction.dot(direction).sqrt_near();
        let factor = (apart - beyond * length).div_near(length * length);
        // Written so that NaN, from a direction that is zero, becomes zero.
        if factor > S::ZERO { (direction * factor, work) } else { (Vec3::ZERO, work) }
    }

    /// A direction in the first body's frame, and how far the rectangles of two nodes are apart along it, times its length.
    fn rectangles(&self, a: &Node<S>, b: &Node<S>) -> (Vec3<S>, S) {
        let (ua, va) = (a.half_u, a.half_v);
        let (ub, vb) = (self.rotation.apply(b.half_u), self.rotation.apply(b.half_v));
        let between = self.rotation.apply(b.centre) + self.position - a.centre;
        // The points are centre + p·u + q·v, where u and v are the half axes, magnified, and p and q at most what makes up for
        // that; half axes are about orthogonal.
        let magnified = |axis: Vec3<S>| {
            let by = axis.norm_max().magnifier();
            (axis * by, S::ONE.div_near(by))
        };
        let ((ua, lua), (va, lva), (ub, lub), (vb, lvb)) = (magnified(ua), magnified(va), magnified(ub), magnified(vb));
        let inverse = |axis: Vec3<S>| {
            let square = axis.dot(axis);
            if square > S::ZERO { S::ONE.div_near(square) } else { S::ZERO }
        };
        let (iua, iva, iub, ivb) = (inverse(ua), inverse(va), inverse(ub), inverse(vb));
        let (uu, uv, vu, vv) = (ua.dot(ub), ua.dot(vb), va.dot(ub), va.dot(vb));
        let (dua, dva, dub, dvb) = (between.dot(ua), between.dot(va), between.dot(ub), between.dot(vb));
        let (mut pb, mut qb) = (S::ZERO, S::ZERO);
        let mut found = (Vec3::ZERO, S::ZERO);
        for _ in 0..LOOKS {
            let (mut pa, mut qa) = (S::ZERO, S::ZERO);
            for _ in 0..TURNS {
                pa = within((dua + pb * uu + qb * uv) * iua, lua);
                qa = within((dva + pb * vu + qb * vv) * iva, lva);
                pb = within((pa * uu + qa * vu - dub) * iub, lub);
                qb = within((pa * uv + qa * vv - dvb) * ivb, lvb);
            }
            let nearest = between + ub * pb + vb * qb - ua * pa - va * qa;
            let direction = nearest * nearest.norm_max().magnifier();
            let reach = |axis: Vec3<S>, most: S| direction.dot(axis).abs() * most;
            let apart = direction.dot(between) - reach(ua, lua) - reach(va, lva) - reach(ub, lub) - reach(vb, lvb);
            found = (direction, apart);
            if apart > direction.dot(nearest) * S::from_f64_near(GOOD) {
                break;
            }
        }
        found
    }

    /// The same for any two pieces, in the world's frame.
    fn walk(&self, scene: &Scene<'_, S>, pieces: [Piece; 2]) -> (Vec3<S>, S, u64) {
        let (models, [place_a, place_b]) = (scene.models(), self.moment.places());
        let (each, mut work) = (cost(scene, pieces) + DIRECTION_WORK, DIRECTION_WORK);
        let mut simplex = Simplex::new();
        let Some(first) = gjk::approach(models, pieces, &self.moment) else { return (Vec3::ZERO, S::ZERO, work) };
        let mut direction = first.at;
        // The direction that shows most so far, how much times its length, and the square of that length. The last one is not
        // always the best: near the end the walk turns on rounding errors.
        let mut best = (direction, S::ZERO, S::ONE);
        simplex.seed(first, S::ZERO);
        for _ in 0..ROUNDS {
            work += each;
            let n = direction * direction.norm_max().magnifier();
            let along = [place_a.rotation.apply_transposed(n), place_b.rotation.apply_transposed(-n)];
            let Some(vertex) = gjk::support(models, pieces, (&self.moment, along)) else { break };
            let (apart, square) = (n.dot(vertex.at), n.dot(n));
            let by = apart.max(best.1).magnifier();
            let (new, old) = (apart * by, best.1 * by);
            if apart > S::ZERO && new * new * best.2 > old * old * square {
                best = (n, apart, square);
            }
            let Some(better) = simplex.refine(vertex, direction, S::ZERO) else { break };
            direction = better;
        }
        (best.0, best.1, work)
    }
}

/// Two primitives by their ids, if both exist.
pub(super) fn primitives<S: Scalar>(scene: &Scene<'_, S>, ids: [usize; 2]) -> Option<[Piece; 2]> {
    let ([model_a, model_b], [a, b]) = (scene.models(), ids);
    let named = |model: &Model<'_, S>, id: usize| {
        model.geometry().primitive(id)?;
        u32::try_from(id).ok().map(Piece::primitive)
    };
    Some([named(model_a, a)?, named(model_b, b)?])
}

/// Into `[−most, most]`.
fn within<S: Scalar>(x: S, most: S) -> S {
    let x = if x < most { x } else { most };
    if x > -most { x } else { -most }
}

/// About how long a vector is.
pub(super) fn norm_near<S: Scalar>(v: Vec3<S>) -> S {
    let by = v.norm_max().magnifier();
    (v * by).dot(v * by).sqrt_near() * S::ONE.div_near(by)
}

/// The proof that two primitives are within margin + tolerance at a moment, if they are, and what it cost. `direction` is a
/// guess.
pub(super) fn touch<S: Scalar>(
    scene: &Scene<'_, S>,
    moment: &Moment<S>,
    pieces: [Piece; 2],
    direction: Vec3<S>,
) -> (Option<Witness<S>>, u64) {
    let limits = scene.limits();
    let near = limits.margin.add_lo(limits.tolerance);
    let (witness, work) = witness(scene, moment, pieces, direction, near);
    (witness.filter(|witness| witness.distance_hi <= near), work)
}

/// Near points of two primitives at a moment, and what they cost; `None` if they are further apart than `near`.
pub(super) fn witness<S: Scalar>(
    scene: &Scene<'_, S>,
    moment: &Moment<S>,
    pieces: [Piece; 2],
    direction: Vec3<S>,
    near: S,
) -> (Option<Witness<S>>, u64) {
    let [PieceKind::Primitive(a), PieceKind::Primitive(b)] = pieces.map(Piece::kind) else { return (None, 0) };
    let (models, apart) = (scene.models(), radii(scene, pieces) + near);
    let [place_a, place_b] = moment.places();
    let each = cost(scene, pieces) + DIRECTION_WORK;
    let (mut simplex, mut direction, mut work) = (Simplex::new(), direction, 0);
    for _ in 0..ROUNDS {
        work += each;
        let n = direction * direction.norm_max().magnifier();
        let along = [place_a.rotation.apply_transposed(n), place_b.rotation.apply_transposed(-n)];
        let Some(vertex) = gjk::support(models, pieces, (moment, along)) else { break };
        let along = n.dot(vertex.at);
        let by = along.max(apart).magnifier();
        let (shown, enough) = (along * by, apart * by);
        if along > S::ZERO && shown * shown > enough * enough * n.dot(n) {
            return (None, work);
        }
        let Some(better) = simplex.refine(vertex, direction, S::ZERO) else { break };
        direction = better;
    }
    let proved = distance_hi(scene, moment, [a, b], &simplex.witness());
    (proved.map(|(distance_hi, points)| Witness { primitives: [a, b], points, direction, distance_hi }), work)
}

/// Core points of two pieces, twice: once for each end of an interval.
pub(super) fn cost<S: Scalar>(scene: &Scene<'_, S>, pieces: [Piece; 2]) -> u64 {
    let [model_a, model_b] = scene.models();
    let [a, b] = pieces;
    [(model_a, a), (model_b, b)]
        .into_iter()
        .map(|(model, piece)| match piece.kind() {
            PieceKind::Node(_) => 6,
            PieceKind::Primitive(i) => model.geometry().primitive(i).map_or(0, |(p, _)| 2 * p.as_slice().len() as u64),
        })
        .sum()
}

/// The two radii together.
pub(super) fn radii<S: Scalar>(scene: &Scene<'_, S>, pieces: [Piece; 2]) -> S {
    let ([model_a, model_b], [a, b]) = (scene.models(), pieces);
    let radius = |model: &Model<'_, S>, piece: Piece| match piece.kind() {
        PieceKind::Node(i) => model.nodes().get(i).map_or(S::ZERO, |n| n.radius),
        PieceKind::Primitive(i) => model.geometry().primitive(i).map_or(S::ZERO, |(_, r)| r),
    };
    radius(model_a, a) + radius(model_b, b)
}

/// About the radius of a node; 0 for a primitive.
pub(super) fn size<S: Scalar>(model: &Model<'_, S>, piece: Piece) -> S {
    match piece.kind() {
        PieceKind::Node(i) => {
            model.nodes().get(i).map_or(S::ZERO, |n| n.radius + n.half_u.norm_max() + n.half_v.norm_max())
        }
        PieceKind::Primitive(_) => S::ZERO,
    }
}

/// Which of two pieces is to be split: the larger node. `None` if both are primitives.
pub(super) fn larger<S: Scalar>(scene: &Scene<'_, S>, pieces: [Piece; 2]) -> Option<Side> {
    let ([model_a, model_b], [a, b]) = (scene.models(), pieces);
    match (a.is_primitive(), b.is_primitive()) {
        (true, true) => None,
        (false, true) => Some(Side::A),
        (true, false) => Some(Side::B),
        (false, false) => Some(if size(model_a, a) >= size(model_b, b) { Side::A } else { Side::B }),
    }
}

/// One of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    A,
    B,
}
