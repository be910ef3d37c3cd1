//! What the strategies want to know about two pieces: how large, how far apart at a moment, in which direction, whether they
//! touch.
//!
//! **Computes** distances of two nodes as of two rectangles, and of other pieces by [`super::gjk`]. **Invariant**: what is
//! called a distance is what the support along the direction found shows, so rounding aside it is never too large.
//! **Follows** nothing in print: the four coordinates of the nearest points of two rectangles are found by taking the
//! nearest point of the one and of the other rectangle in turn, which costs products of vectors only once.

use super::gjk::{self, Simplex};
use crate::kernel::{Limits, Model, Moment, Node, Pair, Piece, PieceKind, Scene, Shape, distance_hi};
use crate::motion::RigidMotion;
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

/// Enough: what is shown of the distance of two points where the walk ends, which stops at a ten thousandth, and rounds.
const ENOUGH: f64 = 1.0 - 2e-4;

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
    pub(super) fn gap(&self, pair: &Pair<'_, S>, margin: S) -> (Vec3<S>, u64) {
        self.sharp_gap(pair, margin, S::GREATEST)
    }

    /// The same, but where the points found are further apart than a direction shows, by more than `doubt` and what ends any
    /// walk, it goes on.
    pub(super) fn sharp_gap(&self, pair: &Pair<'_, S>, margin: S, doubt: S) -> (Vec3<S>, u64) {
        let beyond = radii(pair) + margin;
        let (direction, apart, work) = match pair.shapes() {
            [Shape::Node(a), Shape::Node(b)] => {
                let (direction, apart) = self.rectangles(a, b);
                (self.moment.places()[0].rotation.apply(direction), apart, 2 * DIRECTION_WORK)
            }
            [Shape::Triangle(_) | Shape::Hull(..), _] | [_, Shape::Triangle(_) | Shape::Hull(..)] => {
                walk(&self.moment, pair, doubt)
            }
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
}

/// A direction in the world's frame, how far the cores of two pieces are apart along it at a moment, times its length, and what
/// that cost. Where what it shows is less than the points found say, by more than `doubt`, the walk goes on.
pub(super) fn walk<S: Scalar>(moment: &Moment<S>, pair: &Pair<'_, S>, doubt: S) -> (Vec3<S>, S, u64) {
    let [place_a, place_b] = moment.places();
    let (each, mut work) = (cost(pair) + DIRECTION_WORK, DIRECTION_WORK);
    let mut simplex = Simplex::new();
    let first = gjk::approach(pair, moment);
    let mut direction = first.at;
    // The direction that shows most so far, how much times its length, and the square of that length. The last one is not
    // always the best: near the end the walk turns on rounding errors.
    let mut best = (direction, S::ZERO, S::ONE);
    let mut squared = false;
    simplex.seed(first, S::ZERO);
    for _ in 0..ROUNDS {
        work += each;
        let n = direction * direction.norm_max().magnifier();
        let along = [place_a.rotation.apply_transposed(n), place_b.rotation.apply_transposed(-n)];
        let vertex = gjk::support(pair, (moment, along));
        let (apart, square) = (n.dot(vertex.at), n.dot(n));
        let by = apart.max(best.1).magnifier();
        let (new, old) = (apart * by, best.1 * by);
        if apart > S::ZERO && new * new * best.2 > old * old * square {
            best = (n, apart, square);
        }
        let next = simplex.refine(vertex, direction, S::ZERO);
        // Between slivers a short direction is mostly rounding error, and may lead nowhere before the points are near.
        let missing = || norm_near(direction) * S::from_f64_near(ENOUGH) - best.1.div_near(best.2.sqrt_near());
        let square_up = next.is_none() && doubt < S::GREATEST && !squared && missing() > doubt;
        let Some(better) = (if square_up { simplex.square() } else { next }) else { break };
        (direction, squared) = (better, square_up);
    }
    (best.0, best.1, work)
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
    limits: Limits<S>,
    moment: &Moment<S>,
    pair: &Pair<'_, S>,
    direction: Vec3<S>,
) -> (Option<Witness<S>>, u64) {
    let near = limits.margin.add_lo(limits.tolerance);
    let (witness, work) = witness(moment, pair, direction, near);
    (witness.filter(|witness| witness.distance_hi <= near), work)
}

/// Near points of two primitives at a moment, and what they cost; `None` if they are further apart than `near`.
pub(super) fn witness<S: Scalar>(
    moment: &Moment<S>,
    pair: &Pair<'_, S>,
    direction: Vec3<S>,
    near: S,
) -> (Option<Witness<S>>, u64) {
    let [PieceKind::Primitive(a), PieceKind::Primitive(b)] = pair.pieces().map(Piece::kind) else { return (None, 0) };
    let apart = radii(pair) + near;
    let [place_a, place_b] = moment.places();
    let each = cost(pair) + DIRECTION_WORK;
    let (mut simplex, mut direction, mut work) = (Simplex::new(), direction, 0);
    for _ in 0..ROUNDS {
        work += each;
        let n = direction * direction.norm_max().magnifier();
        let along = [place_a.rotation.apply_transposed(n), place_b.rotation.apply_transposed(-n)];
        let vertex = gjk::support(pair, (moment, along));
        let along = n.dot(vertex.at);
        let by = along.max(apart).magnifier();
        let (shown, enough) = (along * by, apart * by);
        if along > S::ZERO && shown * shown > enough * enough * n.dot(n) {
            return (None, work);
        }
        let Some(better) = simplex.refine(vertex, direction, S::ZERO) else { break };
        direction = better;
    }
    let proved = distance_hi(moment, pair, &simplex.witness());
    (proved.map(|(distance_hi, points)| Witness { primitives: [a, b], points, direction, distance_hi }), work)
}

/// The witness of two bodies of which one has a point of the other inside of it at a time.
pub(super) fn overlap<S: Scalar>(scene: &Scene<'_, S>, time: S, primitives: [usize; 2], point: Vec3<S>) -> Witness<S> {
    let ([a, b], [motion_a, motion_b]) = (scene.models(), scene.motions());
    let middle = |model: &Model<'_, S>, motion: &RigidMotion<S>| {
        let place = motion.placement(time);
        place.rotation.apply(model.centre()) + place.position
    };
    let direction = middle(b, motion_b) - middle(a, motion_a);
    Witness { primitives, points: [point; 2], direction, distance_hi: S::ZERO }
}

/// Core points of two pieces, twice: once for each end of an interval.
pub(super) fn cost<S: Scalar>(pair: &Pair<'_, S>) -> u64 {
    let [a, b] = pair.shapes();
    2 * (a.cost() + b.cost())
}

/// The two radii together.
pub(super) fn radii<S: Scalar>(pair: &Pair<'_, S>) -> S {
    let [a, b] = pair.shapes();
    a.radius() + b.radius()
}

/// Which of two pieces is to be split: the larger node. `None` if both are primitives.
pub(super) fn larger<S: Scalar>(pair: &Pair<'_, S>) -> Option<Side> {
    let ([shape_a, shape_b], [a, b]) = (pair.shapes(), pair.pieces());
    match (a.is_primitive(), b.is_primitive()) {
        (true, true) => None,
        (false, true) => Some(Side::A),
        (true, false) => Some(Side::B),
        (false, false) => Some(if shape_a.size() >= shape_b.size() { Side::A } else { Side::B }),
    }
}

/// One of the two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    A,
    B,
}
