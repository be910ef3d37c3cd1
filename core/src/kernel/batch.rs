//! The first claim about a leg: all couples at once, of which most are never looked at more closely.

use super::bounds::Moment;
use super::enclosure::Model;
use super::hull::Piece;
use super::leg::Leg;
use super::obligation::{Accounts, Ledger, Obligation};
use super::scene::{Couple, Couples};
use super::stage::Stage;
use super::start::parts_to_place;
use crate::mutant::mutant;
use crate::scalar::Scalar;
use core::num::NonZeroU32;

/// A claim that all couples from some number on stay apart during an interval, or a vacant place.
#[derive(Debug)]
pub struct Batch<S> {
    next: u32,
    from: S,
    until: S,
    /// Which ledger it belongs to; 0 if vacant.
    ledger: u32,
}

impl<S: Scalar> Batch<S> {
    /// A place that holds no claim.
    pub const VACANT: Self = Self { next: 0, from: S::ZERO, until: S::ZERO, ledger: 0 };

    /// Is there a claim here?
    pub fn is_open(&self) -> bool {
        self.ledger != 0
    }
}

/// What a look at a batch brought.
#[derive(Debug)]
pub enum Sieved<S> {
    /// A couple that is not apart by boxes: a claim about its roots, and one about its start if one of them is a solid (vacant
    /// if none is).
    Candidate([Obligation<S>; 2]),
    /// Nothing yet; the batch is still open.
    Later,
    /// The batch is closed.
    Done,
}

impl Accounts {
    /// Opens the account of a leg, as [`Accounts::open`] does that of a scene.
    pub(crate) fn open_leg<S: Scalar, T: AsMut<Obligation<S>>>(
        &mut self,
        leg: &Leg<'_, '_, S>,
        places: &mut [T],
    ) -> (Ledger<S>, Batch<S>) {
        Ledger::open_leg(leg, self.next(places))
    }
}

impl<S: Scalar> Ledger<S> {
    /// Opens the account of a leg with its one batch, as [`open_by_hand`](Ledger::open_by_hand) does that of a scene.
    #[cfg(feature = "by-hand")]
    pub fn open_leg_by_hand(leg: &Leg<'_, '_, S>, id: NonZeroU32) -> (Self, Batch<S>) {
        Self::open_leg(leg, id)
    }

    fn open_leg(leg: &Leg<'_, '_, S>, id: NonZeroU32) -> (Self, Batch<S>) {
        let (revision, id) = (leg.revision(), id.get());
        let ledger = Self { open: 1, postponed: None, id, revision, unplaced: [0; 2], doubt: false };
        (ledger, Batch { next: 0, from: S::ZERO, until: S::ONE, ledger: id })
    }

    /// Goes on with a batch until a couple is found that the boxes do not prove apart, or `most` couples were looked at; how many
    /// were is taken off `most`.
    ///
    /// # Soundness
    /// A couple is passed over only if the verdict is [not about it](Leg::is_checked), or if [`Stage::rooms_apart`] holds
    /// during an interval that the batch's lies in. Bodies whose boxes are apart are not inside of each other. Every other couple
    /// becomes a claim, so the batch implied no more than its rest and the claims do.
    pub fn sieve(
        &mut self,
        batch: &mut Batch<S>,
        leg: &Leg<'_, '_, S>,
        stage: &mut Stage<'_, S>,
        most: &mut u64,
    ) -> Sieved<S> {
        let [from, until] = stage.times();
        let own = batch.ledger == self.id && leg.revision() == self.revision;
        if !(own && from <= batch.from && batch.until <= until) {
            return Sieved::Later;
        }
        while let Some((number, bodies)) = leg.next(batch.next) {
            if *most == 0 {
                return Sieved::Later;
            }
            *most -= 1;
            let couple = Couple(number);
            batch.next = number + 1;
            if mutant!(BatchClosedEarly) && leg.next(batch.next).is_none() {
                continue;
            }
            if !leg.is_checked(bodies) || stage.rooms_apart(leg, bodies, leg.limits(bodies).margin) {
                continue;
            }
            let Some(models) = leg.models_of(couple) else {
                // A couple without models has nothing to prove, and `is_checked` passes it over; this keeps it open.
                batch.next -= 1;
                return Sieved::Later;
            };
            let (from, until, ledger) = (batch.from, batch.until, self.id);
            let pieces = models.map(Model::root);
            let claim = Obligation { couple, pieces, from, until, ledger };
            self.open += 1;
            let starts = leg.segment == 0 && from <= S::ZERO && parts_to_place(models) != [0; 2];
            if !starts || mutant!(StartNotAsked) {
                return Sieved::Candidate([claim, Obligation::vacant()]);
            }
            self.open += 1;
            let start = Obligation { couple, pieces: [Piece::NONE; 2], from, until: from, ledger };
            return Sieved::Candidate([claim, start]);
        }
        *batch = Batch::VACANT;
        self.open -= 1;
        Sieved::Done
    }

    /// Replaces a batch by two, about the two parts of its interval, which share the time `at`.
    ///
    /// # Soundness
    /// As [`split_time`](Ledger::split_time).
    pub fn split_batch(&mut self, batch: Batch<S>, at: S) -> Result<[Batch<S>; 2], Batch<S>> {
        let Batch { next, from, until, ledger } = batch;
        if !(ledger == self.id && from < at && at < until) {
            return Err(batch);
        }
        self.open += 1;
        Ok([Batch { next, from, until: at, ledger }, Batch { next, from: at, until, ledger }])
    }

    /// Closes a claim about a start, at which the kernel found both bodies outside of each other.
    pub(super) fn close_start(&mut self, claim: &mut Obligation<S>, moment: &Moment<S>) {
        let of_start = claim.is_start() && moment.time <= claim.from() && moment.time >= claim.from();
        let same = moment.revision == self.revision && moment.couple == claim.couple();
        if of_start && same && claim.is_of(self.id) {
            self.close(claim);
        }
    }

    /// As [`audit`](Ledger::audit), with batches that are open, too.
    pub fn audit_with<'o>(
        &self,
        presented: impl IntoIterator<Item = &'o mut Obligation<S>>,
        batches: impl IntoIterator<Item = &'o mut Batch<S>>,
    ) -> Option<S> {
        let mut least = S::ONE;
        let mut count = 0;
        for batch in batches.into_iter().filter(|batch| batch.ledger == self.id) {
            count += 1;
            least = least.min(batch.from);
        }
        let others = Self { open: self.open.checked_sub(count)?, ..*self };
        others.audit(presented).map(|until| until.min(least))
    }
}
