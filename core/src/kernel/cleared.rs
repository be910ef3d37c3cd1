//! What allows a robot to move: a plan, or the beginning of one, that was proved free.

use super::batch::Batch;
use super::leg::Leg;
use super::obligation::{Ledger, Obligation};
use crate::motion::LinkIndex;
use crate::mutant::mutant;
use crate::robot::{At, Plan, Workcell};
use crate::scalar::Scalar;

/// A plan that is proved free until some moment, in a workcell as it was then. Only the proof kernel makes one.
///
/// Free means: for every moment before [`until`](Cleared::until), and for all joint values within the plan's tracking
/// tolerances of its own, all pairs of bodies that the plan is about are further apart than their margins.
#[derive(Clone, Copy, Debug)]
pub struct Cleared<'p, S> {
    plan: Plan<'p, S>,
    until: At<S>,
    whole: bool,
    revision: u64,
    fingerprint: u64,
}

impl<'p, S: Scalar> Cleared<'p, S> {
    /// What was proved, and how far astray the joints may be.
    pub fn plan(&self) -> &Plan<'p, S> {
        &self.plan
    }

    /// Until when it is proved.
    pub fn until(&self) -> At<S> {
        self.until
    }

    /// Is it proved to the end?
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// When the plan is to start, in ticks of the caller's clock.
    pub fn anchor(&self) -> u64 {
        self.plan.anchor()
    }

    /// The revision of the workcell that was looked at.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Has the workcell changed since, or is this another one? Then nothing is known.
    pub fn is_stale(&self, cell: &Workcell<'_, S>) -> bool {
        let same = self.revision == cell.revision() && self.fingerprint == cell.fingerprint();
        !(same || mutant!(StaleAccepted))
    }

    /// When the robot must begin to brake in order to stop within what is proved, if that takes it so much of the time of the whole
    /// plan; the end of what is proved for 0. A plan that is proved whole comes to rest by itself.
    pub fn brake_by(&self, allowance: S) -> At<S> {
        if self.whole { self.until } else { self.plan.before(self.until, allowance) }
    }

    /// Are the joints where the plan has them at a moment, up to the tracking tolerances? One value for each link of the robot, in
    /// radians or metres; those of links that do not move or follow others are not looked at.
    ///
    /// # Soundness
    /// `true` implies that every true value on the plan is within its tolerance of the given one (or, where the given one is the
    /// [computed](crate::motion::JointPath::value) one, within what that errs by), and that the moment is one for which the plan
    /// is proved free.
    pub fn keeps(&self, cell: &Workcell<'_, S>, at: At<S>, values: &[S]) -> bool {
        let known = S::ZERO <= at.time && at.time <= S::ONE && (self.whole || at < self.until || mutant!(UntilIgnored));
        let near = |link: LinkIndex| {
            if !cell.leads(link) {
                return true;
            }
            let place = usize::from(link.0);
            let (Some(path), Some(value)) = (self.plan.path(at.segment, link), values.get(place)) else { return false };
            let tolerance = self.plan.tracking().get(place).copied().unwrap_or(S::ZERO);
            let near = path.value(at.time);
            let off_hi = near.sub_hi(*value).max(value.sub_hi(near));
            // Without a tolerance the value itself must do.
            off_hi.add_hi(path.value_error_hi()) <= tolerance || near == *value
        };
        known && !self.is_stale(cell) && (0..).map(LinkIndex).take(cell.joints()).all(near)
    }

    /// Is the robot at the start?
    pub fn starts_at(&self, cell: &Workcell<'_, S>, values: &[S]) -> bool {
        self.keeps(cell, At { segment: 0, time: S::ZERO }, values)
    }
}

/// How many segments of a plan are proved.
#[derive(Debug)]
pub(crate) struct Clearing {
    plan: u64,
    revision: u64,
    fingerprint: u64,
    done: usize,
}

impl Clearing {
    /// Nothing is proved yet.
    pub(crate) fn new<S: Scalar>(cell: &Workcell<'_, S>, plan: &Plan<'_, S>) -> Self {
        let (revision, fingerprint) = (cell.revision(), cell.fingerprint());
        Self { plan: plan.fingerprint(), revision, fingerprint, done: 0 }
    }

    /// Is it still the same plan, in the same workcell?
    pub(crate) fn is_about<S: Scalar>(&self, cell: &Workcell<'_, S>, plan: &Plan<'_, S>) -> bool {
        let same = (self.revision, self.fingerprint) == (cell.revision(), cell.fingerprint());
        same && self.plan == plan.fingerprint() || mutant!(ChangeIgnored)
    }

    /// The segment that is to be proved next.
    pub(crate) fn segment(&self) -> usize {
        self.done
    }

    /// Counts a segment. Says whether it did.
    ///
    /// # Soundness
    /// The ledger is one of the next segment of this plan in this workcell, and empty: it gives a proof.
    pub(crate) fn pass<S: Scalar>(&mut self, leg: &Leg<'_, '_, S>, ledger: &Ledger<S>) -> bool {
        let own = self.is_about(leg.cell, leg.plan) && leg.segment == self.done;
        let passed = own && ledger.proof().is_some_and(|proof| proof.revision() == leg.revision());
        if passed {
            self.done += 1;
        }
        passed
    }

    /// What is proved by now, given the account of the next segment and all that is open in it.
    ///
    /// # Soundness
    /// Segments follow each other, each proved to its end, and the next up to what [`Ledger::audit`] says; nothing of it if
    /// something is missing there.
    pub(crate) fn cleared<'p, 'o, S: Scalar>(
        &self,
        cell: &Workcell<'_, S>,
        plan: &Plan<'p, S>,
        ledger: &Ledger<S>,
        open: impl IntoIterator<Item = &'o mut Obligation<S>>,
        batches: impl IntoIterator<Item = &'o mut Batch<S>>,
    ) -> Cleared<'p, S> {
        let (revision, fingerprint) = (cell.revision(), cell.fingerprint());
        let segments = plan.segments();
        let known = self.is_about(cell, plan);
        let whole = known && self.done == segments;
        let next = Leg::new(cell, plan, self.done).ok().filter(|leg| known && leg.revision() == ledger.revision());
        let until = match next {
            _ if whole => At { segment: segments.saturating_sub(1), time: S::ONE },
            Some(_) => At { segment: self.done, time: ledger.audit_with(open, batches).unwrap_or(S::ZERO) },
            None => At { segment: 0, time: S::ZERO },
        };
        Cleared { plan: *plan, until, whole, revision, fingerprint }
    }
}
