//! Hierarchical conservative advancement (HCA).
//!
//! **Computes** a verdict by one traversal, in which every pair of nodes is advanced by itself until the two touch, from when
//! their parents did. **Invariant**: the stack holds pairs that are advanced, the earlier of two siblings on top; the
//! two topmost may be under way. **Follows** Tang, Manocha and Kim 2014, Algorithm 3. **Departs**: line 3 is printed the
//! wrong way round, and `τ_cur` shrinks; of two nodes the larger one is split; a pair is given up as soon as it is past `τ_cur`.

use super::Check;
use super::gjk;
use super::memory::{Entry, Memory};
use super::pair::{self, POSE_WORK, View};
use super::search::{Search, Strategy};
use crate::kernel::{Aim, Scene};
use crate::scalar::Scalar;
use crate::verdict::{Budget, Stats, Verdict, Why};

/// A check by HCA.
#[derive(Debug)]
pub struct Hca<'w, S> {
    search: Search<'w, S>,
    /// How many of the topmost entries are still to be advanced.
    pending: usize,
    /// Did a pair of primitives come too near for a proof without being a contact?
    stuck: bool,
    /// The bodies where they were looked at last.
    view: Option<View<S>>,
}

impl<'w, S: Scalar> Hca<'w, S> {
    /// Starts a check. Memory without room for one entry ends at once as `Undecided`.
    pub fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>) -> Self {
        Self { search: Search::new(scene, memory), pending: 1, stuck: false, view: None }
    }

    /// Is this time too late to matter, since a contact before it is known?
    fn is_late(&self, time: S) -> bool {
        self.search.touch.is_some_and(|(touch, _)| time >= touch)
    }

    /// One step of the pair under way; it is done when it touches, is apart for good, or is too late to matter.
    fn advance(&mut self, scene: &Scene<'_, S>) {
        let at = self.search.top.wrapping_sub(self.pending);
        let Some(slot) = self.search.entries.get_mut(at) else { return self.search.close(Why::Stack) };
        let mut entry = core::mem::replace(slot, Entry::VACANT);
        let done = self.step_once(scene, &mut entry);
        if let Some(slot) = self.search.entries.get_mut(at) {
            *slot = entry;
        }
        if done {
            self.pending -= 1;
            if self.pending == 0 {
                self.order();
            }
        }
    }

    fn step_once(&mut self, scene: &Scene<'_, S>, entry: &mut Entry<S>) -> bool {
        let from = entry.claim.from();
        let Some(pair) = scene.pair(entry.claim.pieces()) else { return true };
        let view = match self.view {
            Some(view) if view.moment().time() == from => view,
            Some(_) | None => {
                let Some(view) = View::new(scene, from) else { return true };
                self.search.stats.poses += 2;
                self.search.stats.work += 2 * POSE_WORK;
                self.view = Some(view);
                view
            }
        };
        self.search.stats.count(pair.pieces());
        self.search.stats.iterations += 1;
        let (gap, work) = view.gap(&pair, scene.limits().margin);
        self.search.stats.work += work;
        let tolerance = scene.limits().tolerance;
        let near = !gjk::shorter(gjk::length(tolerance), gap);
        let primitives = pair::larger(&pair).is_none();
        if near && primitives && self.search.touches(scene, view.moment(), &pair, gap) {
            self.search.ledger.postpone(&mut entry.claim);
            return true;
        }
        if near && !primitives {
            return true;
        }
        self.search.stats.kernel_calls += 1;
        self.search.stats.work += pair::cost(&pair);
        let advanced = Aim::new(view.moment(), gap)
            .is_some_and(|aim| self.search.ledger.advance(&mut entry.claim, &aim, scene, &pair));
        if !advanced || entry.claim.is_open() && Search::is_idle(scene, from, entry.claim.from()) {
            if primitives {
                self.stuck = true;
                self.search.ledger.postpone(&mut entry.claim);
            }
            return true;
        }
        if !entry.claim.is_open() {
            self.search.stats.front += 1;
            return true;
        }
        if self.is_late(entry.claim.from()) {
            self.search.stats.front += 1;
            self.search.ledger.postpone(&mut entry.claim);
            return true;
        }
        false
    }

    /// Puts the earlier of the two topmost pairs on top.
    fn order(&mut self) {
        if let Some([low, high]) = self.search.two_topmost()
            && low.claim.from() < high.claim.from()
        {
            core::mem::swap(low, high);
        }
    }
}

impl<'w, S: Scalar> Strategy<'w, S> for Hca<'w, S> {
    fn search(&mut self) -> &mut Search<'w, S> {
        &mut self.search
    }

    fn work(&mut self, scene: &Scene<'_, S>, _: u64) {
        if self.pending > 0 {
            return self.advance(scene);
        }
        let Some(mut entry) = self.search.pop() else {
            return self.search.close(if self.stuck { Why::Precision } else { Why::Stack });
        };
        if !entry.claim.is_open() {
            return;
        }
        if self.is_late(entry.claim.from()) {
            self.search.stats.front += 1;
            return self.search.ledger.postpone(&mut entry.claim);
        }
        let Some(side) = scene.pair(entry.claim.pieces()).and_then(|pair| pair::larger(&pair)) else {
            return self.search.ledger.postpone(&mut entry.claim);
        };
        match self.search.split(scene, side, entry) {
            Ok(()) => self.pending = 2,
            Err(_) => self.search.close(Why::Stack),
        }
    }
}

impl<S: Scalar> Check<S> for Hca<'_, S> {
    fn step(&mut self, scene: &Scene<'_, S>, budget: Budget) -> Verdict<S> {
        Search::step(scene, budget, self)
    }

    fn stats(&self) -> Stats {
        self.search.stats
    }
}
