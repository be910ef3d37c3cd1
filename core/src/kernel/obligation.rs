//! The account of what is still to be proved.
//!
//! An [`Obligation`] is a claim: *these two pieces stay further apart than the margin during this interval*. It can be
//! neither copied nor made up outside this file, and [`Accounts`] sees to it that no ledger meets the claims of another.
//! The [`Ledger`] counts how many are open: one at the start, one more for every split, one less for every proof. Where
//! obligations are kept, and in which order they are taken up, is the search's affair: if it loses one, the count never
//! reaches zero and no [`Proof`] comes out.

use super::advancement::Aim;
use super::bounds::Moment;
use super::enclosure::Model;
use super::hull::Piece;
use super::scene::{Couple, Couples, Scene};
use super::separation::{End, Probe};
use super::shape::Pair;
use super::start::Start;
use crate::mutant::mutant;
use crate::scalar::Scalar;
use core::num::NonZeroU32;

/// A claim that is still to be proved, or a vacant place.
#[derive(Debug)]
pub struct Obligation<S> {
    pub(super) couple: Couple,
    /// None of either body for a claim about the start, that no body is inside of the other.
    pub(super) pieces: [Piece; 2],
    pub(super) from: S,
    pub(super) until: S,
    /// Which ledger it belongs to; 0 if vacant.
    pub(super) ledger: u32,
}

impl<S: Scalar> Default for Obligation<S> {
    fn default() -> Self {
        Self::vacant()
    }
}

impl<S: Scalar> Obligation<S> {
    /// A place that holds no claim.
    pub const fn vacant() -> Self {
        Self { couple: Couple::ONLY, pieces: [Piece::NONE; 2], from: S::ZERO, until: S::ZERO, ledger: 0 }
    }

    /// Is there a claim here?
    pub fn is_open(&self) -> bool {
        self.ledger != 0
    }

    /// The two bodies that the pieces are of.
    pub fn couple(&self) -> Couple {
        self.couple
    }

    /// The two pieces.
    pub fn pieces(&self) -> [Piece; 2] {
        self.pieces
    }

    /// Is this a claim about the start, that no body is inside of the other?
    pub fn is_start(&self) -> bool {
        self.is_open() && self.pieces == [Piece::NONE; 2]
    }

    pub(super) fn is_of(&self, ledger: u32) -> bool {
        self.ledger == ledger
    }

    /// The interval's start.
    pub fn from(&self) -> S {
        self.from
    }

    /// The interval's end.
    pub fn until(&self) -> S {
        self.until
    }

    /// Moves the claim out and leaves a vacant place.
    pub fn take(&mut self) -> Self {
        core::mem::take(self)
    }
}

/// The outcome of a split: both parts, or the obligation unharmed.
pub type Split<S> = Result<[Obligation<S>; 2], Obligation<S>>;

/// Numbers the ledgers whose obligations lie in the same places, one after the other.
#[derive(Debug)]
pub(crate) struct Accounts {
    last: u32,
}

impl Accounts {
    /// Vacates the places and starts to count.
    pub(crate) fn over<S: Scalar, T: AsMut<Obligation<S>>>(places: &mut [T]) -> Self {
        places.iter_mut().for_each(|place| *place.as_mut() = Obligation::vacant());
        Self { last: 0 }
    }

    /// Opens an account under a number that no obligation in the places carries.
    pub(crate) fn open<S: Scalar, T: AsMut<Obligation<S>>>(
        &mut self,
        scene: &Scene<'_, S>,
        places: &mut [T],
    ) -> (Ledger<S>, Obligation<S>) {
        Ledger::open(scene, self.next(places))
    }

    /// A number that no obligation in the places carries.
    pub(super) fn next<S: Scalar, T: AsMut<Obligation<S>>>(&mut self, places: &mut [T]) -> NonZeroU32 {
        if self.last == u32::MAX {
            *self = Self::over(places);
        }
        self.last += 1;
        NonZeroU32::MIN.saturating_add(self.last - 1)
    }
}

/// That a scene of this revision is free during the whole motion. Only an empty ledger gives one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    revision: u64,
}

impl Proof {
    /// The revision of the scene that the proof is about.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}

/// Counts the open obligations of one check.
#[derive(Debug)]
pub struct Ledger<S> {
    pub(super) open: u64,
    /// From when on everything is to be proved again.
    pub(super) postponed: Option<S>,
    pub(super) id: u32,
    pub(super) revision: u64,
    /// How many parts of each body have not been placed with respect to the other; in the account of a leg these are claims.
    pub(super) unplaced: [usize; 2],
    /// Was a part not outside?
    pub(super) doubt: bool,
}

impl<S: Scalar> Ledger<S> {
    /// Opens an account with its one obligation: the roots, from 0 to 1. For this project's suites: checks are opened by
    /// [`Memory`](crate::Memory), which gives every ledger a number of its own. Two ledgers with the same number take
    /// each other's obligations, and what they prove together proves nothing.
    #[cfg(feature = "by-hand")]
    pub fn open_by_hand(scene: &Scene<'_, S>, id: NonZeroU32) -> (Self, Obligation<S>) {
        Self::open(scene, id)
    }

    fn open(scene: &Scene<'_, S>, id: NonZeroU32) -> (Self, Obligation<S>) {
        let (revision, unplaced) = (scene.revision(), scene.parts_to_place());
        let mut ledger = Self { open: 0, postponed: None, id: id.get(), revision, unplaced, doubt: false };
        let obligation = ledger.claim(scene, S::ZERO);
        (ledger, obligation)
    }

    /// The claim about the roots, from a time on.
    fn claim(&mut self, scene: &Scene<'_, S>, from: S) -> Obligation<S> {
        self.open += 1;
        let pieces = scene.models().map(Model::root);
        Obligation { couple: Couple::ONLY, pieces, from, until: S::ONE, ledger: self.id }
    }

    /// Finds out about one more part of a body whether it starts inside of the other one, a solid; and what that cost. `None`
    /// if nothing is left to find out, or for another scene.
    ///
    /// # Soundness
    /// A part that is [inside](Start::Inside) has a point about which the other body's mesh winds; one that is
    /// [outside](Start::Outside), a point about which it does not. Unless all parts that are to be
    /// compared with a solid were seen outside, neither does a [`Proof`] come out nor does the [`audit`](Ledger::audit) go
    /// beyond 0.
    pub fn place_next(&mut self, scene: &Scene<'_, S>) -> Option<(Start<S>, u64)> {
        self.place_next_at(scene, S::ZERO)
    }

    /// The same at any time, for the account of a [`Clearance`](super::Clearance).
    pub(super) fn place_next_at(&mut self, scene: &Scene<'_, S>, time: S) -> Option<(Start<S>, u64)> {
        let moment = scene.moment(time).filter(|moment| moment.revision == self.revision)?;
        let [first, second] = &mut self.unplaced;
        let (left, of_first) = if *first > 0 { (first, true) } else { (second, false) };
        *left = left.checked_sub(1)?;
        let (found, work) = scene.place(&moment, of_first, *left);
        self.doubt |= found != Start::Outside;
        Some((found, work))
    }

    /// Was every part of either body seen outside of the other, where that is a solid?
    pub(super) fn starts_outside(&self) -> bool {
        mutant!(StartNotAsked) || self.unplaced == [0; 2] && !self.doubt
    }

    /// Replaces a claim about a node of the first body by claims about its two children.
    ///
    /// # Soundness
    /// A node's primitives are exactly its children's ([`Model::prove`]), so the two claims imply the one.
    pub fn split_a(&mut self, scene: &impl Couples<S>, claim: Obligation<S>) -> Split<S> {
        let [a, b] = claim.pieces;
        let parts = scene.models_of(claim.couple).and_then(|[model, _]| model.children(a));
        self.split(scene, claim, parts.map(|[l, r]| [[l, b], [r, b]]))
    }

    /// Replaces a claim about a node of the second body by claims about its two children.
    ///
    /// # Soundness
    /// As for [`split_a`](Ledger::split_a).
    pub fn split_b(&mut self, scene: &impl Couples<S>, claim: Obligation<S>) -> Split<S> {
        let [a, b] = claim.pieces;
        let parts = scene.models_of(claim.couple).and_then(|[_, model]| model.children(b));
        self.split(scene, claim, parts.map(|[l, r]| [[a, l], [a, r]]))
    }

    fn split(&mut self, scene: &impl Couples<S>, claim: Obligation<S>, parts: Option<[[Piece; 2]; 2]>) -> Split<S> {
        match parts {
            Some([left, right]) if claim.ledger == self.id && scene.revision_now() == self.revision => {
                let Obligation { couple, from, until, ledger, .. } = claim;
                let part = |pieces| Obligation { couple, pieces, from, until, ledger };
                if mutant!(ChildNotPushed) {
                    return Ok([part(left), Obligation::vacant()]);
                }
                self.open += 1;
                Ok([part(left), part(right)])
            }
            Some(_) | None => Err(claim),
        }
    }

    /// Replaces a claim about an interval by claims about its two parts, which share the time `at`.
    ///
    /// # Soundness
    /// `[from, at] ∪ [at, until] = [from, until]`.
    pub fn split_time(&mut self, claim: Obligation<S>, at: S) -> Split<S> {
        if !(claim.ledger == self.id && claim.from < at && at < claim.until) {
            return Err(claim);
        }
        self.open += 1;
        let Obligation { couple, pieces, from, until, ledger } = claim;
        let gap = if mutant!(TimeSkipped) { (until - at) * S::from_f64_near(0.25) } else { S::ZERO };
        let left = Obligation { couple, pieces, from, until: at, ledger };
        Ok([left, Obligation { couple, pieces, from: at + gap, until, ledger }])
    }

    /// Closes a claim if the direction proves it by the chord rule. If not, says at which end the pieces are nearer.
    ///
    /// # Soundness
    /// The claim's interval lies within the probe's span, over which [`Probe::separates`] holds.
    #[inline]
    pub fn discharge(
        &mut self,
        claim: &mut Obligation<S>,
        probe: &Probe<'_, S>,
        pair: &Pair<'_, S>,
    ) -> Result<(), End> {
        let covered = probe.span.start.time() <= claim.from && claim.until <= probe.span.end.time();
        if !(covered && self.admits(claim, &probe.span.start, pair)) {
            return Err(End::Start);
        }
        probe.separates(pair)?;
        self.close(claim);
        Ok(())
    }

    pub(super) fn close(&mut self, claim: &mut Obligation<S>) {
        *claim = Obligation::vacant();
        self.open -= 1;
    }

    /// Shortens a claim from the front, or closes it, as far as the advancement rule carries. Says whether it did.
    ///
    /// # Soundness
    /// The aim's moment is the claim's start, and [`Aim::apart_until`] holds from there.
    pub fn advance(
        &mut self,
        claim: &mut Obligation<S>,
        aim: &Aim<'_, S>,
        scene: &Scene<'_, S>,
        pair: &Pair<'_, S>,
    ) -> bool {
        if !(aim.moment.time == claim.from && self.admits(claim, aim.moment, pair)) {
            return false;
        }
        let Some(until) = aim.apart_until(scene, pair) else { return false };
        if until >= claim.until {
            self.close(claim);
        } else {
            claim.from = until;
        }
        true
    }

    /// Gives a claim up for now, to be proved again with everything from its start on; see [`renew`](Ledger::renew).
    ///
    /// # Soundness
    /// Nothing counts as proved from the least start of a claim given up: neither does a [`Proof`] come out nor does the
    /// [`audit`](Ledger::audit) go beyond it.
    pub fn postpone(&mut self, claim: &mut Obligation<S>) {
        if claim.ledger != self.id || self.open == 0 {
            return;
        }
        let least = match self.postponed {
            Some(least) if !mutant!(PostponedTakesLast) => least.min(claim.from),
            Some(_) | None => claim.from,
        };
        self.postponed = if mutant!(PostponedForgotten) { None } else { Some(least) };
        self.close(claim);
    }

    /// Takes everything up again that was postponed: a claim about the roots. `None` while others are open, or if
    /// nothing was.
    ///
    /// # Soundness
    /// Pieces are parts of the roots, and no postponed claim starts before the new one, so it implies them all.
    pub fn renew(&mut self, scene: &Scene<'_, S>) -> Option<Obligation<S>> {
        if !self.is_settled() || scene.revision() != self.revision {
            return None;
        }
        let from = self.postponed.take()?;
        Some(self.claim(scene, from))
    }

    /// Closes a claim that was proved for one moment: the account is that of a [`Clearance`](super::Clearance).
    pub(super) fn close_at(&mut self, claim: &mut Obligation<S>, moment: &Moment<S>, pair: &Pair<'_, S>) -> bool {
        let admitted = self.admits(claim, moment, pair);
        if admitted {
            self.close(claim);
        }
        admitted
    }

    /// Is nothing open?
    pub(super) fn is_settled(&self) -> bool {
        self.open == 0
    }

    /// Do the claim and the moment belong to this account, and are these the claim's pieces?
    fn admits(&self, claim: &Obligation<S>, moment: &Moment<S>, pair: &Pair<'_, S>) -> bool {
        let same_scene = pair.revision == self.revision && moment.revision == self.revision;
        let same_couple = pair.couple == claim.couple && moment.couple == claim.couple;
        same_scene && same_couple && pair.pieces() == claim.pieces && claim.ledger == self.id && self.open > 0
    }

    /// Until when the motion is proved free, given all open obligations; `None` if some are missing.
    ///
    /// # Soundness
    /// Obligations cannot be copied, and exclusive borrows of one lifetime are of different ones, so if as many are
    /// presented as are open, they are all of them, and everything before the least start, of theirs and of those
    /// postponed, is proved. With none of either that is the end, 1. All this is about surfaces, and nothing is proved of
    /// solids before they are known to [start outside](Ledger::place_next) of each other.
    pub fn audit<'o>(&self, presented: impl IntoIterator<Item = &'o mut Obligation<S>>) -> Option<S> {
        let mut count = 0_u64;
        let mut least = self.postponed.unwrap_or(S::ONE);
        for claim in presented.into_iter().filter(|claim| claim.ledger == self.id) {
            count += 1;
            least = if mutant!(AuditTakesLast) { claim.from } else { least.min(claim.from) };
        }
        let least = if self.starts_outside() { least } else { S::ZERO };
        (count == self.open).then_some(least)
    }

    /// The proof that the whole motion is free, if nothing is open or postponed, and no body starts inside of the other.
    pub fn proof(&self) -> Option<Proof> {
        let proved = self.is_settled() && self.postponed.is_none() && self.starts_outside();
        proved.then_some(Proof { revision: self.revision })
    }

    /// The revision of the scene that this account is about.
    pub fn revision(&self) -> u64 {
        self.revision
    }
}
