//! One segment of a plan in a workcell: the couples of bodies that it is about.

use super::enclosure::Model;
use super::hull::Piece;
use super::scene::{Couple, Couples, Limits};
use super::shape::Pair;
use crate::fingerprint::Fingerprint;
use crate::motion::{ChainError, ChainMotion, LinkIndex};
use crate::mutant::mutant;
use crate::robot::{BodyIndex, ObjectIndex, Plan, Relation, Scope, Workcell};
use crate::scalar::Scalar;

/// A segment of a plan, in a workcell as it is now.
#[derive(Clone, Copy, Debug)]
pub struct Leg<'q, 'a, S> {
    pub(super) cell: &'q Workcell<'a, S>,
    pub(super) plan: &'q Plan<'q, S>,
    pub(super) motion: ChainMotion<'q, S>,
    pub(super) segment: usize,
    revision: u64,
}

impl<'q, 'a, S: Scalar> Leg<'q, 'a, S> {
    /// One of a plan's segments; `Err` if the plan is for a robot with other joints, or has no such segment.
    pub fn new(cell: &'q Workcell<'a, S>, plan: &'q Plan<'q, S>, segment: usize) -> Result<Self, ChainError> {
        let motion = ChainMotion::new(&cell.chain(), plan.segment(segment).ok_or(ChainError::TooShort)?)?;
        let mut print = Fingerprint::new();
        print.word(cell.fingerprint());
        print.word(cell.revision());
        print.word(plan.fingerprint());
        print.word(segment as u64);
        Ok(Self { cell, plan, motion, segment, revision: print.finish() })
    }

    /// Where it happens.
    pub fn cell(&self) -> &'q Workcell<'a, S> {
        self.cell
    }

    /// What it is a segment of.
    pub fn plan(&self) -> &'q Plan<'q, S> {
        self.plan
    }

    /// The number that all proofs about this segment carry.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Links and payloads, and all bodies.
    fn counts(&self) -> (usize, usize) {
        let links = self.cell.chain().links().len();
        (links, links + self.cell.objects())
    }

    /// Which two bodies a couple is; the first is a link or payload. Couples are numbered from 0: all bodies for the first link,
    /// all for the second, and so on.
    pub fn bodies(&self, couple: Couple) -> Option<[BodyIndex; 2]> {
        let (_, all) = self.counts();
        self.two(couple.0 as usize / all.max(1), couple.0 as usize % all.max(1))
    }

    /// The first two of this couple or a later one that can have anything to prove, and its number: a link without geometry has
    /// nothing, and two links are a couple but once. Bodies of no such couple are not [checked](Leg::is_checked).
    pub(super) fn next(&self, couple: u32) -> Option<(u32, [BodyIndex; 2])> {
        let (links, all) = self.counts();
        let (mut a, mut b) = (couple as usize / all.max(1), couple as usize % all.max(1));
        while a < links {
            let solid = u8::try_from(a).is_ok_and(|a| self.cell.model(LinkIndex(a)).is_some());
            b = if solid { b.max(a + 1) } else { all };
            if b < all {
                return u32::try_from(a * all + b).ok().zip(self.two(a, b));
            }
            (a, b) = (a + 1, 0);
        }
        None
    }

    /// The body with the first number, a link or payload, and the one with the second.
    fn two(&self, a: usize, b: usize) -> Option<[BodyIndex; 2]> {
        let (links, _) = self.counts();
        let link = |i: usize| u8::try_from(i).ok().map(|i| BodyIndex::Link(LinkIndex(i)));
        let second = match b.checked_sub(links) {
            Some(object) => u16::try_from(object).ok().map(|i| BodyIndex::Object(ObjectIndex(i))),
            None => link(b).filter(|_| a < b),
        };
        Some([link(a).filter(|_| a < links)?, second?])
    }

    /// The couple that two bodies are, the first a link or payload. For this project's suites: others meet couples in claims.
    #[cfg(feature = "by-hand")]
    pub fn couple_by_hand(&self, bodies: [BodyIndex; 2]) -> Option<Couple> {
        core::iter::successors(self.next(0), |(number, _)| self.next(number + 1))
            .find_map(|(number, found)| (found == bodies).then_some(Couple(number)))
    }

    /// Is a couple one of those that the verdict is about?
    ///
    /// # Soundness
    /// Every pair of bodies whose [relation](Workcell::relation) is the one that the plan's scope asks for is one of the couples that
    /// a batch goes through, and `true` here.
    pub fn is_checked(&self, bodies: [BodyIndex; 2]) -> bool {
        let relation = self.cell.relation(bodies);
        let with_object = matches!(bodies, [_, BodyIndex::Object(_)]);
        if mutant!(CoupleSkipped) && bodies == [BodyIndex::Link(LinkIndex(1)), BodyIndex::Object(ObjectIndex(0))] {
            return false;
        }
        match self.plan.scope() {
            Scope::Moving => relation == Relation::Checked,
            Scope::WorldOnly => relation == Relation::Checked && with_object,
            Scope::Standing => relation == Relation::Standing,
        }
    }

    /// What counts as near for two bodies.
    pub fn limits(&self, bodies: [BodyIndex; 2]) -> Limits<S> {
        Limits { margin: self.cell.margin(bodies), tolerance: self.plan.tolerance() }
    }

    /// The model of a body.
    pub fn model(&self, body: BodyIndex) -> Option<&'q Model<'a, S>> {
        match body {
            BodyIndex::Link(link) => self.cell.model(link),
            BodyIndex::Object(object) => self.cell.object(object).map(|object| &object.model),
        }
    }

    fn models(&self, couple: Couple) -> Option<[&'q Model<'a, S>; 2]> {
        let [a, b] = self.bodies(couple)?;
        Some([self.model(a)?, self.model(b)?])
    }

    /// Reads two pieces of a couple; `None` if there are no such.
    #[inline]
    pub fn pair(&self, couple: Couple, pieces: [Piece; 2]) -> Option<Pair<'a, S>> {
        Pair::read(self.models(couple)?, pieces, self.revision, couple)
    }
}

impl<S: Scalar> Couples<S> for Leg<'_, '_, S> {
    fn revision_now(&self) -> u64 {
        self.revision
    }

    fn models_of(&self, couple: Couple) -> Option<[&Model<'_, S>; 2]> {
        self.models(couple).map(|[a, b]| [a as &Model<'_, S>, b])
    }
}
