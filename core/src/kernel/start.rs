//! Does one body start inside of the other?
//!
//! Let two bodies' surfaces (triangles and hulls) be apart at some time, and let one body or both be solid. A connected part of
//! the one is then wholly inside or wholly outside of the other. If all are outside, both ways, the bodies are as far apart
//! as their surfaces: from a point in both, a ray would meet one of the surfaces first, and there it would still be inside of
//! the other body. And none of this changes while the surfaces stay apart. So one look at one point of every part
//! settles the whole motion.

use super::bounds::Moment;
use super::enclosure::Model;
use super::scene::Scene;
use super::winding::winding;
use crate::motion::Placement;
use crate::mutant::mutant;
use crate::scalar::{Interval, Scalar, Vec3};

/// Corners of a part's primitive that are tried, until one is not too near to the other body's surface.
const CORNERS: usize = 4;

/// Where a part of one body is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Start<S> {
    /// Outside of the other body, or through its surface.
    Outside,
    /// A point of it is inside of the other body: their distance is 0.
    Inside {
        /// A primitive of the part, and one of the surface around it; the first body's first.
        primitives: [usize; 2],
        /// About where the point is in the world.
        point: Vec3<S>,
    },
    /// The surfaces are too near, or the numbers too vague, to tell.
    Unknown,
}

impl<S: Scalar> Scene<'_, S> {
    /// Where a core point of one body is, seen from the other: about, and how far off at most.
    ///
    /// # Soundness
    /// Let `x` be a core point of the first body, or of the second, as stored. At the moment's time the true point has a place in
    /// the other body's true frame that is at most the given distance away from the one given. `None` if the moment is not of
    /// this scene.
    pub fn across(&self, moment: &Moment<S>, of_first: bool, x: Vec3<S>) -> Option<(Vec3<S>, S)> {
        if moment.revision != self.revision() {
            return None;
        }
        Some(across(moment, self.models(), of_first, x, |first, x| self.placement_error_hi(first, x)))
    }

    /// What the place of a point of the first body, or of the second, errs by.
    fn placement_error_hi(&self, of_first: bool, x: Vec3<S>) -> S {
        let [first, second] = self.motions();
        let motion = if of_first { first } else { second };
        let arm = x.map(Interval::point) - motion.centre().map(Interval::point);
        motion.placement_error_hi(arm.norm().hi())
    }

    /// How many parts of each body are to be compared with the other.
    pub(super) fn parts_to_place(&self) -> [usize; 2] {
        parts_to_place(self.models())
    }

    /// Where a part of one body is at a moment with respect to the other, and what it cost to find out.
    pub(super) fn place(&self, moment: &Moment<S>, of_first: bool, part: usize) -> (Start<S>, u64) {
        place(moment, self.models(), of_first, part, |first, x| self.placement_error_hi(first, x))
    }
}

/// How many parts of each of two bodies are to be compared with the other.
pub(super) fn parts_to_place<S: Scalar>([a, b]: [&Model<'_, S>; 2]) -> [usize; 2] {
    [if b.is_solid() { a.parts() } else { 0 }, if a.is_solid() { b.parts() } else { 0 }]
}

/// Where a part of one body is at a moment with respect to the other, and what it cost to find out. `error_hi` says what the
/// place of a point of the first body, or of the second, errs by.
pub(super) fn place<S: Scalar>(
    moment: &Moment<S>,
    models: [&Model<'_, S>; 2],
    of_first: bool,
    part: usize,
    error_hi: impl Fn(bool, Vec3<S>) -> S,
) -> (Start<S>, u64) {
    let ([a, b], [place_a, place_b]) = (models, moment.places);
    let (own, other, place) = if of_first { (a, b, place_a) } else { (b, a, place_b) };
    let mut work = 0;
    let primitive = own.part(part).and_then(|id| Some((id, own.geometry().primitive(id)?)));
    let Some((id, shape)) = primitive else { return (Start::Unknown, work) };
    for x in shape.points().take(CORNERS) {
        let (point, radius) = across(moment, models, of_first, x, &error_hi);
        let (found, cost) = winding(other, point, radius);
        work += cost;
        match found.map(|winding| (winding.number, winding.crossed)) {
            Some((0, _)) => return (Start::Outside, work),
            Some((_, Some(around))) => {
                let primitives = if of_first { [id, around] } else { [around, id] };
                return (Start::Inside { primitives, point: place.rotation.apply(x) + place.position }, work);
            }
            Some((_, None)) | None => {}
        }
    }
    (Start::Unknown, work)
}

/// Where a core point of one body is, seen from the other: about, and how far off at most.
fn across<S: Scalar>(
    moment: &Moment<S>,
    [model_a, model_b]: [&Model<'_, S>; 2],
    of_first: bool,
    x: Vec3<S>,
    error_hi: impl Fn(bool, Vec3<S>) -> S,
) -> (Vec3<S>, S) {
    let [a, b] = moment.places;
    let (own, other, model) = if of_first { (a, b, model_a) } else { (b, a, model_b) };
    // Any point y of the other body will do. With T for true places and hats for computed ones, and p the point of the
    // other body at the place of x: ‖p − y‖ = ‖T p − T y‖, since T turns and moves only, and
    //   T p − T y = (T x − T̂ x) + (T̂ x − T̂ y) + (T̂ y − T y).
    let y = own.rotation.apply(x) + own.position - other.position;
    let y = other.rotation.apply_transposed(y);
    let placed = |place: Placement<S>, x: Vec3<S>| {
        place.rotation.map(Interval::point).apply(x.into()) + place.position.map(Interval::point)
    };
    let between = (placed(own, x) - placed(other, y)).norm().hi();
    let other_error = if mutant!(AcrossErrorDropped) { S::ZERO } else { error_hi(!of_first, y) };
    let error = error_hi(of_first, x).add_hi(other_error).add_hi(model.geometry().error());
    (y, between.add_hi(error))
}
