//! The chord rule: does a direction separate two pieces, at both ends of an interval and hence throughout?

use super::bounds::Moment;
use super::scene::Scene;
use super::shape::Pair;
use crate::motion::Placement;
use crate::mutant::mutant;
use crate::scalar::{Scalar, Vec3};

/// An interval of time, with the bodies' places at both ends and all that a proof over it must allow for.
#[derive(Clone, Copy, Debug)]
pub struct Span<S> {
    pub(super) start: Moment<S>,
    pub(super) end: Moment<S>,
    pub(super) slack_hi: S,
    pub(super) rounding_hi: S,
    /// The part of the slack that vanishes with the square of the duration, about.
    bulge: S,
    /// Is the second body placed alike at both ends? Then what was computed for one end serves for the other.
    second_rests: bool,
}

impl<S: Scalar> Span<S> {
    /// The interval between two times in `[0, 1]`; `None` unless they are in order.
    ///
    /// # Soundness
    /// `slack_hi ≥ margin + errors + bulge(end − start)`.
    pub fn new(scene: &Scene<'_, S>, from: S, until: S) -> Option<Self> {
        if !(from <= until) {
            return None;
        }
        let (start, end, bounds) = (scene.moment(from)?, scene.moment(until)?, scene.bounds());
        let bulge = bounds.bulge_hi(end.time.sub_hi(start.time));
        let slack_hi = bounds.margin.add_hi(bounds.error_hi).add_hi(bulge);
        Some(Self::assemble([start, end], [slack_hi, bulge], bounds.twice_radii_hi, bounds.gap_rounding_hi))
    }

    /// From the moments at both ends of two bodies' motion, what a proof must allow for (and how much of it is bulge), twice the
    /// greatest radii, and what the left side of the separation test errs by.
    pub(super) fn assemble(
        [start, end]: [Moment<S>; 2],
        [slack_hi, bulge]: [S; 2],
        twice_radii_hi: S,
        gap_rounding_hi: S,
    ) -> Self {
        // The right side, (r_a + r_b)·‖n‖ + (slack·‖n‖ + rounding), takes 5 operations below 2·(r_a + r_b + slack) + rounding.
        let right = twice_radii_hi.add_hi(slack_hi.add_hi(slack_hi)).add_hi(gap_rounding_hi);
        let rounding_hi = gap_rounding_hi.add_hi(S::rounding_hi(5, right));
        let rounding_hi = if mutant!(RoundingDropped) { S::ZERO } else { rounding_hi };
        Self { start, end, slack_hi, rounding_hi, bulge, second_rests: start.places[1] == end.places[1] }
    }

    /// When the interval starts.
    pub fn start(&self) -> &Moment<S> {
        &self.start
    }

    /// When the interval ends.
    pub fn end(&self) -> &Moment<S> {
        &self.end
    }

    /// About what two pieces must be apart at both ends, beyond their radii; for the search.
    pub fn slack_near(&self) -> S {
        self.slack_hi + self.rounding_hi
    }

    /// About how much of that is for bends, and vanishes with the square of the duration; for the search.
    pub fn bulge_near(&self) -> S {
        self.bulge
    }

    /// About what the test itself may err by; for the search.
    pub fn rounding_near(&self) -> S {
        self.rounding_hi
    }

    /// Prepares a direction, pointing from the first body to the second; `None` if it is zero or not finite, or if the
    /// bodies move too far during the span for this scalar.
    #[inline]
    pub fn probe(&self, direction: Vec3<S>) -> Option<Probe<'_, S>> {
        if !(self.slack_hi.is_finite() && self.rounding_hi.is_finite()) {
            return None;
        }
        let (n, norm_hi) = scaled(direction)?;
        let ([a0, b0], [a1, b1]) = (&self.start.places, &self.end.places);
        let base = [n.dot(b0.position - a0.position), n.dot(b1.position - a1.position)];
        let needed_hi = self.slack_hi * norm_hi + self.rounding_hi;
        let inward = turned(b0, -n);
        let along_b = [inward, if self.second_rests { inward } else { turned(b1, -n) }];
        Some(Probe { span: self, n, along_a: [turned(a0, n), turned(a1, n)], along_b, base, norm_hi, needed_hi })
    }
}

/// One end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its start.
    Start,
    /// Its end.
    End,
}

/// A direction, turned into both bodies' frames at both ends of a span.
#[derive(Clone, Copy, Debug)]
pub struct Probe<'s, S> {
    pub(super) span: &'s Span<S>,
    n: Vec3<S>,
    along_a: [Vec3<S>; 2],
    along_b: [Vec3<S>; 2],
    base: [S; 2],
    norm_hi: S,
    /// What the two cores must be apart along `n`, radii not included: slack·‖n‖ + rounding.
    needed_hi: S,
}

impl<'s, S: Scalar> Probe<'s, S> {
    /// The direction in the world, with its largest component in `[½, 1)`.
    pub fn direction(&self) -> Vec3<S> {
        self.n
    }

    /// The moment at one end, and the direction there: outward in the first body's frame, inward in the second's.
    pub fn at(&self, end: End) -> (&'s Moment<S>, [Vec3<S>; 2]) {
        let ([a0, a1], [b0, b1]) = (self.along_a, self.along_b);
        match end {
            End::Start => (&self.span.start, [a0, b0]),
            End::End => (&self.span.end, [a1, b1]),
        }
    }

    /// About how much further apart than needed the pieces are at both ends, if there were no bends in between, times the length of
    /// the direction; and that length. For the search.
    pub fn spare(&self, pair: &Pair<'_, S>) -> ([S; 2], S) {
        let ([a, b], [a0, a1], [b0, b1], [base0, base1]) = (pair.shapes(), self.along_a, self.along_b, self.base);
        let needed = (a.radius() + b.radius() - self.span.bulge) * self.norm_hi + self.needed_hi;
        ([base0 - a.reach(a0) - b.reach(b0) - needed, base1 - a.reach(a1) - b.reach(b1) - needed], self.norm_hi)
    }

    /// Does the direction separate these two pieces, by more than the margin, during the whole span? If not, at which
    /// end are they nearer? Never if the pair is of another scene than the span.
    ///
    /// # Soundness
    /// `Ok` implies that at every time of the span every point of the one piece's primitives is further than the
    /// margin from every point of the other's. Sketch: for core points `x`, `y` of primitives in the pieces and
    /// `f(t) = n·(y(t) − x(t))`, each end has `f ≥ base − reach_a − reach_b − rounding − errors·‖n‖`, since the true
    /// motion is rigid, a piece's core reach plus its radius bounds `n·x` plus the primitive's own radius, and errors
    /// cover what computed places of core points (the node's, too) err by. By the chord rule `f` stays above the lesser end
    /// value less `bulge·‖n‖` (`n` is constant in the world, and so is the accelerations' frame). Hence
    /// `f > (primitive radii + margin)·‖n‖` throughout. For a [screw](crate::RigidMotion::screw) the chord rule is applied to
    /// the motion next to it, with what is between the two still to be taken off; it is part of the errors, so what is
    /// left holds for the screw at every time of the span.
    #[inline]
    pub fn separates(&self, pair: &Pair<'_, S>) -> Result<(), End> {
        if self.span.start.revision != pair.revision || self.span.start.couple != pair.couple {
            return Err(End::Start);
        }
        let [a, b] = pair.shapes();
        let ([a0, a1], [b0, b1], [base0, base1]) = (self.along_a, self.along_b, self.base);
        let inward = b.reach(b0);
        let gap0 = base0 - a.reach(a0) - inward;
        let gap1 = base1 - a.reach(a1) - if self.span.second_rests { inward } else { b.reach(b1) };
        let (radius_a, radius_b) = (a.radius(), if mutant!(RadiusDropped) { S::ZERO } else { b.radius() });
        let needed = (radius_a + radius_b) * self.norm_hi + self.needed_hi;
        if gap0 > needed && (mutant!(EndNotChecked) || gap1 > needed) {
            Ok(())
        } else if gap1 < gap0 {
            Err(End::End)
        } else {
            Err(End::Start)
        }
    }
}

/// A direction scaled by a power of two so that its largest component lies in [½, 1), and its length, at most. What is
/// scaled is what is used, so a rounding here does no harm.
#[inline]
pub(super) fn scaled<S: Scalar>(direction: Vec3<S>) -> Option<(Vec3<S>, S)> {
    let n = Vec3::from(S::unit_scaled(direction.to_array())?);
    Some((n, n.norm_hi()))
}

/// A direction in the frame of a body.
#[inline]
pub(super) fn turned<S: Scalar>(place: &Placement<S>, n: Vec3<S>) -> Vec3<S> {
    if mutant!(FrameTransposed) { place.rotation.apply(n) } else { place.rotation.apply_transposed(n) }
}
