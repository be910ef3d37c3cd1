//! What all strategies share: the open obligations on one stack in the caller's memory, the account, and the way to a verdict.

use super::memory::{Entry, Memory};
use super::pair::{self, POSE_WORK, Side};
use crate::kernel::{Ledger, Moment, Obligation, Pair, Scene, Split, Start};
use crate::scalar::{Scalar, Vec3};
use crate::verdict::{Budget, Stats, Verdict, Why, Witness};

/// The state of a check.
#[derive(Debug)]
pub(super) struct Search<'w, S> {
    /// The stack is `entries[..top]`.
    pub(super) entries: &'w mut [Entry<S>],
    pub(super) top: usize,
    pub(super) ledger: Ledger<S>,
    /// The earliest contact that is proved so far.
    pub(super) touch: Option<(S, Witness<S>)>,
    pub(super) end: Option<Verdict<S>>,
    /// Why the check will be undecided, unless there is a contact.
    otherwise: Option<Why>,
    pub(super) stats: Stats,
}

impl<'w, S: Scalar> Search<'w, S> {
    /// Starts a check, with the claim about the roots on the stack. Memory without room for it ends at once as `Undecided`.
    pub(super) fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>) -> Self {
        let (ledger, claim, entries) = memory.open(scene);
        let mut search =
            Self { entries, top: 0, ledger, touch: None, end: None, otherwise: None, stats: Stats::default() };
        search.push(Entry { claim, direction: Vec3::ZERO });
        if !scene.bounds().is_finite() {
            search.end = Some(search.undecided(Why::Range));
        }
        search
    }

    /// Asks about one more part of a body whether it starts inside of the other one. Says whether there was any.
    ///
    /// A part that is too near to a surface to tell leaves the account without a proof, but there may still be a contact.
    fn place(&mut self, scene: &Scene<'_, S>) -> bool {
        let Some((start, work)) = self.ledger.place_next(scene) else { return false };
        self.stats.work += work + 2 * POSE_WORK;
        self.stats.poses += 2;
        self.stats.kernel_calls += 1;
        match start {
            Start::Outside => {}
            Start::Inside { primitives, point } => {
                self.touch = Some((S::ZERO, pair::overlap(scene, S::ZERO, primitives, point)));
                self.close(Why::Start);
            }
            Start::Unknown => self.otherwise = Some(Why::Start),
        }
        true
    }

    /// Puts an entry on the stack. Memory that is full ends the check: the claim is lost, and the account knows.
    pub(super) fn push(&mut self, entry: Entry<S>) {
        match self.entries.get_mut(self.top) {
            Some(slot) => {
                *slot = entry;
                self.top += 1;
                self.stats.most_open = self.stats.most_open.max(self.top as u64);
            }
            None => self.end = Some(self.undecided(Why::Stack)),
        }
    }

    /// Takes the topmost entry.
    pub(super) fn pop(&mut self) -> Option<Entry<S>> {
        self.top = self.top.checked_sub(1)?;
        self.entries.get_mut(self.top).map(|slot| core::mem::replace(slot, Entry::VACANT))
    }

    /// Takes the topmost entry, with its pieces. A claim about pieces that do not exist ends the check.
    #[inline]
    pub(super) fn take<'a>(&mut self, scene: &Scene<'a, S>) -> Option<(Pair<'a, S>, Entry<S>)> {
        let entry = self.pop()?;
        let Some(pair) = scene.pair(entry.claim.pieces()) else {
            self.push(entry);
            self.close(Why::Stack);
            return None;
        };
        Some((pair, entry))
    }

    /// Splits a claim on one side into two on the stack. Memory that is full ends the check, with the claim as it was. `Err`
    /// gives the entry back if the kernel refused.
    pub(super) fn split(&mut self, scene: &Scene<'_, S>, side: Side, entry: Entry<S>) -> Result<(), Entry<S>> {
        // Two places are needed where one was taken.
        if self.top + 2 > self.entries.len() {
            self.push(entry);
            self.close(Why::Stack);
            return Ok(());
        }
        let Entry { claim, direction } = entry;
        let parts: Split<S> = match side {
            Side::A => self.ledger.split_a(scene, claim),
            Side::B => self.ledger.split_b(scene, claim),
        };
        parts
            .map(|parts| parts.into_iter().for_each(|claim| self.push(Entry { claim, direction: Vec3::ZERO })))
            .map_err(|claim| Entry { claim, direction })
    }

    /// Notes a contact of two primitives at a moment, if there is one and it is the earliest. Says whether there is.
    pub(super) fn touches(
        &mut self,
        scene: &Scene<'_, S>,
        moment: &Moment<S>,
        pair: &Pair<'_, S>,
        direction: Vec3<S>,
    ) -> bool {
        if self.touch.is_some_and(|(touch, _)| touch <= moment.time()) {
            return false;
        }
        let (witness, work) = pair::touch(scene.limits(), moment, pair, direction);
        self.stats.work += work;
        self.touch = witness.map(|witness| (moment.time(), witness)).or(self.touch);
        witness.is_some()
    }

    /// Is a step too short to move the bodies by more than the rounding error? Then many more would follow for nothing.
    pub(super) fn is_idle(scene: &Scene<'_, S>, from: S, until: S) -> bool {
        !(scene.bounds().speed_hi() * (until - from) > scene.bounds().rounding_hi())
    }

    /// The two topmost entries, the topmost last.
    pub(super) fn two_topmost(&mut self) -> Option<[&mut Entry<S>; 2]> {
        let low = self.top.checked_sub(2)?;
        self.entries.get_disjoint_mut([low, low + 1]).ok()
    }

    /// What the ledger makes of all that is open.
    fn proved_until(&mut self) -> S {
        let open = self.entries.iter_mut().take(self.top).map(AsMut::<Obligation<S>>::as_mut);
        // Something lost: nothing is proved.
        self.ledger.audit(open).unwrap_or(S::ZERO)
    }

    pub(super) fn undecided(&mut self, why: Why) -> Verdict<S> {
        Verdict::Undecided { free_until: self.proved_until(), why }
    }

    /// Ends the check, since nothing is left to do before the earliest contact, or nothing can be done; why, in that case.
    pub(super) fn close(&mut self, otherwise: Why) {
        self.end = Some(match (self.ledger.proof(), self.touch) {
            (Some(proof), _) => Verdict::Free(proof),
            (None, Some((touch, witness))) => {
                Verdict::Contact { free_until: self.proved_until().min(touch), touch, witness }
            }
            (None, None) => self.undecided(self.otherwise.unwrap_or(otherwise)),
        });
    }

    /// Works on the scene until the check has ended or the budget is used up.
    pub(super) fn step(scene: &Scene<'_, S>, budget: Budget, state: &mut impl Strategy<'w, S>) -> Verdict<S> {
        let search = state.search();
        // What was proved is about the other scene: nothing of it holds for this one.
        if scene.revision() != search.ledger.revision() {
            search.end = Some(Verdict::Undecided { free_until: S::ZERO, why: Why::SceneChanged });
        }
        let limit = search.stats.work.saturating_add(budget.get().max(1));
        loop {
            let search = state.search();
            if let Some(verdict) = search.end {
                return verdict;
            }
            if search.stats.work >= limit {
                return search.undecided(Why::Budget);
            }
            if !search.place(scene) {
                state.work(scene, limit);
            }
        }
    }
}

/// A strategy on top of a search.
pub(super) trait Strategy<'w, S> {
    /// What is shared.
    fn search(&mut self) -> &mut Search<'w, S>;

    /// Does at least a little, and not much more than up to the limit.
    fn work(&mut self, scene: &Scene<'_, S>, limit: u64);
}
