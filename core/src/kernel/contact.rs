//! The upper side: a proof that two primitives are near at a moment.

use super::bounds::Moment;
use super::shape::Pair;
use crate::motion::Placement;
use crate::mutant::mutant;
use crate::scalar::{Interval, Scalar, Vec3};

/// A weight on one core point of each of two primitives: the witness of a contact is a few of these.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CommonPoint<S> {
    /// Which core point of the first primitive.
    pub a: usize,
    /// Which core point of the second.
    pub b: usize,
    /// How much of it; only the ratios count.
    pub weight: S,
}

/// How far apart two primitives are at a moment, at most, and about where the two points are in the world.
///
/// # Soundness
/// The true distance of the two primitives, radii, pose errors and geometry errors included, is at most the first
/// value. Sketch: weights that are not negative and not all zero give a convex combination of core points on either
/// side, exactly, after division by their sum; its distance bounds the cores' distance from above, and radii only
/// reduce it. `None` if the weights are not such, an index does not exist, one is not a primitive, or the
/// moment and the pair are not of one scene and its same two bodies.
pub fn distance_hi<S: Scalar>(
    moment: &Moment<S>,
    pair: &Pair<'_, S>,
    witness: &[CommonPoint<S>],
) -> Option<(S, [Vec3<S>; 2])> {
    if !(moment.revision == pair.revision && moment.couple == pair.couple) {
        return None;
    }
    let [shape_a, shape_b] = pair.shapes();
    let zero = Vec3::from([Interval::ZERO; 3]);
    let (mut a, mut b, mut sum) = (zero, zero, Interval::ZERO);
    for common in witness {
        if !(common.weight >= S::ZERO) {
            return None;
        }
        let weight = Interval::point(common.weight);
        a = a + shape_a.point(common.a)?.map(Interval::point) * weight;
        b = b + shape_b.point(common.b)?.map(Interval::point) * weight;
        sum = sum + weight;
    }
    // Division by a sum that may be zero gives an infinite interval, which is refused below.
    let inverse = Interval::ONE / sum;
    let [place_a, place_b] = moment.places;
    let placed = |place: Placement<S>, x: Vec3<Interval<S>>| {
        place.rotation.map(Interval::point).apply(x * inverse) + place.position.map(Interval::point)
    };
    let (a, b) = (placed(place_a, a), placed(place_b, b));
    let core_hi = (b - a).norm().hi();
    let error = if mutant!(ContactPoseErrorDropped) { S::ZERO } else { moment.error_hi };
    let radii_lo = shape_a.radius().add_lo(shape_b.radius());
    let radii_lo = if mutant!(ContactRadiusTwice) { radii_lo + radii_lo } else { radii_lo };
    let distance = core_hi.sub_hi(radii_lo).max(S::ZERO).add_hi(error);
    distance.in_range().then(|| (distance, [a.map(Interval::mid), b.map(Interval::mid)]))
}
