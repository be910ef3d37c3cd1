//! How far a direction carries: where to cut an interval in which two bodies close in on each other.
//!
//! **Computes** the part of an interval for which a direction looks provable. **Invariant**: none; nothing here is trusted.
//! **Follows** the root finding along a separating axis that is common in conservative advancement. **Departs**: what bends is
//! counted in, so that the cut is one that the chord rule can prove.

use super::pair;
use crate::kernel::{Pair, Span};
use crate::motion::Placement;
use crate::scalar::{Scalar, Vec3};

/// A node is split while its size, times this, is larger than the motion during the interval.
const SPLIT_FACTOR: f64 = 2.5;

/// What a direction shows of two primitives that close in on each other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Approach<S> {
    pub(super) direction: Vec3<S>,
    /// How much further apart they are than needed, at both ends of the interval; no bends in between.
    pub(super) start: S,
    pub(super) end: S,
    /// For which part of the interval they look provable; 1 for all of it.
    pub(super) part: S,
}

impl<S: Scalar> Approach<S> {
    pub(super) fn new(span: &Span<S>, pair: &Pair<'_, S>, direction: Vec3<S>, tolerance: S) -> Self {
        let Some(probe) = span.probe(direction) else {
            return Self { direction, start: S::LEAST, end: S::LEAST, part: S::ZERO };
        };
        let ([start, end], norm) = probe.spare(pair);
        let (start, end, bulge) = (start.div_near(norm), end.div_near(norm), span.bulge_near());
        if start > bulge && end > bulge {
            return Self { direction, start, end, part: S::ONE };
        }
        // A touch can be proved where the spare gap is below the tolerance by all errors, once more: half of that is the goal.
        let error = span.start().error_near();
        let aim = ((tolerance - error - error - span.rounding_near()) * S::HALF).max(S::ZERO);
        // The gap at the part s is about start + s·(end − start), and bulge·s² of it is needed.
        let (have, fall) = (start - aim, start - end);
        let root = (fall * fall + S::from_f64_near(4.0) * bulge * have).max(S::ZERO).sqrt_near();
        let part = if have > S::ZERO { (have + have).div_near(fall + root) } else { S::ZERO };
        Self { direction, start, end, part }
    }

    /// The one that shows more.
    pub(super) fn better(self, other: Self) -> Self {
        let more = other.part > self.part || !(self.part > S::ZERO) && other.start > self.start;
        if more { other } else { self }
    }
}

/// Is a pair small compared with its motion during the interval?
pub(super) fn is_small<S: Scalar>(span: &Span<S>, pair: &Pair<'_, S>) -> bool {
    let [a, b] = pair.shapes();
    a.size().max(b.size()) * S::from_f64_near(SPLIT_FACTOR) < moved(span, pair)
}

/// About how far two pieces move against each other during the interval.
pub(super) fn moved<S: Scalar>(span: &Span<S>, pair: &Pair<'_, S>) -> S {
    let ([a0, b0], [a1, b1], [a, b]) = (span.start().places(), span.end().places(), pair.shapes());
    let at = |place: &Placement<S>, x: Vec3<S>| place.rotation.apply(x) + place.position;
    let (x, y) = (a.middle(), b.middle());
    let difference = (at(b1, y) - at(a1, x)) - (at(b0, y) - at(a0, x));
    pair::norm_near(difference) + span.bulge_near()
}
