//! The account of a distance: at one time, all pieces of two bodies are at least this far apart.

use super::advancement::Aim;
use super::obligation::{Ledger, Obligation, Split};
use super::scene::Scene;
use super::shape::Pair;
use super::start::Start;
use crate::mutant::mutant;
use crate::scalar::Scalar;

/// A [`Ledger`] whose claims are about one time only. They are closed by lower bounds of distances, the least of which holds
/// for the bodies as soon as none is open.
#[derive(Debug)]
pub struct Clearance<S> {
    ledger: Ledger<S>,
    time: S,
    least_lo: S,
}

impl<S: Scalar> Clearance<S> {
    /// Takes a ledger over, with nothing proved yet. It never comes out again, so that what is closed here, for one time,
    /// is not taken for closed at all times.
    pub(crate) fn new(ledger: Ledger<S>, time: S) -> Self {
        Self { ledger, time, least_lo: S::GREATEST }
    }

    /// Opens an account by hand, as [`Ledger::open_by_hand`] does; for this project's suites.
    #[cfg(feature = "by-hand")]
    pub fn open_by_hand(scene: &Scene<'_, S>, time: S, id: core::num::NonZeroU32) -> (Self, Obligation<S>) {
        let (ledger, claim) = Ledger::open_by_hand(scene, id);
        (Self::new(ledger, time), claim)
    }

    /// Finds out about one more part of a body whether it is inside of the other one at the account's time, as
    /// [`Ledger::place_next`] does.
    pub fn place_next(&mut self, scene: &Scene<'_, S>) -> Option<(Start<S>, u64)> {
        self.ledger.place_next_at(scene, self.time)
    }

    /// Replaces a claim about a node of the first body by claims about its two children.
    pub fn split_a(&mut self, scene: &Scene<'_, S>, claim: Obligation<S>) -> Split<S> {
        self.ledger.split_a(scene, claim)
    }

    /// Replaces a claim about a node of the second body by claims about its two children.
    pub fn split_b(&mut self, scene: &Scene<'_, S>, claim: Obligation<S>) -> Split<S> {
        self.ledger.split_b(scene, claim)
    }

    /// Closes a claim with the distance that a direction shows, which is 0 if it shows none. Says whether it did.
    ///
    /// # Soundness
    /// The aim is of the account's time and scene, and the pieces are at least [`Aim::distance_lo`] apart, so
    /// [`distance_lo`](Clearance::distance_lo), which is never more than that, holds for them.
    pub fn close(
        &mut self,
        claim: &mut Obligation<S>,
        aim: &Aim<'_, S>,
        scene: &Scene<'_, S>,
        pair: &Pair<'_, S>,
    ) -> bool {
        if aim.moment.time != self.time {
            return false;
        }
        let Some(distance) = aim.distance_lo(scene, pair) else { return false };
        let closed = self.ledger.close_at(claim, aim.moment, pair);
        if closed {
            self.least_lo = if mutant!(ClearanceTakesLast) { distance } else { self.least_lo.min(distance) };
        }
        closed
    }

    /// How far apart the bodies are at the account's time, at least; 0 while claims are open, and unless no body is inside of
    /// the other.
    ///
    /// # Soundness
    /// The closed claims cover all pairs of primitives if none is open, and two solids, none inside of the other, are as far
    /// apart as their surfaces.
    pub fn distance_lo(&self) -> S {
        if self.ledger.is_settled() && self.ledger.starts_outside() { self.least_lo } else { S::ZERO }
    }
}
