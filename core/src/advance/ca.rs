//! Conservative advancement on hierarchies.
//!
//! **Computes** a verdict by rounds: at the time reached, a traversal finds the front, the pairs of nodes that are far enough
//! apart; the least step that any of them allows leads to the next round. **Invariant**: at the end of a round
//! everything before the next one's time is proved, and every claim is closed or postponed. **Follows** Tang, Manocha and
//! Kim 2014, Algorithm 2 with `w = 1`, and early rejection (§4.3.2). **Departs**: of two nodes the larger one is split (line 8
//! always splits the first); the step is asked of the kernel only where it counts, at the front; `d` is the distance beyond
//! the margin; a round starts with the distance of the pair that was nearest in the one before.

use super::Check;
use super::memory::{Entry, Memory};
use super::pair::{self, POSE_WORK, View};
use super::search::{Search, Strategy};
use crate::kernel::{Aim, Piece, Scene};
use crate::scalar::{Scalar, Vec3};
use crate::verdict::{Budget, Stats, Verdict, Why};

/// A check by plain conservative advancement: every round goes down to the nearest triangles.
#[derive(Debug)]
pub struct Ca<'w, S> {
    pub(super) rounds: Rounds<'w, S>,
}

impl<'w, S: Scalar> Ca<'w, S> {
    /// Starts a check. Memory without room for one entry ends at once as `Undecided`.
    pub fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>) -> Self {
        Self { rounds: Rounds::new(scene, memory) }
    }
}

impl<'w, S: Scalar> Strategy<'w, S> for Ca<'w, S> {
    fn search(&mut self) -> &mut Search<'w, S> {
        &mut self.rounds.search
    }

    fn work(&mut self, scene: &Scene<'_, S>, _: u64) {
        if self.rounds.is_over() {
            self.rounds.begin(scene, S::ONE);
        } else {
            self.rounds.visit(scene);
        }
    }
}

impl<S: Scalar> Check<S> for Ca<'_, S> {
    fn step(&mut self, scene: &Scene<'_, S>, budget: Budget) -> Verdict<S> {
        Search::step(scene, budget, self)
    }

    fn stats(&self) -> Stats {
        self.rounds.search.stats
    }
}

/// Traversals at one time after the other.
#[derive(Debug)]
pub(super) struct Rounds<'w, S> {
    pub(super) search: Search<'w, S>,
    /// The bodies at the time of the round under way.
    view: Option<View<S>>,
    /// A pair whose distance to the first does not reach this part of the least distance found is split.
    weight: S,
    /// The least distance of two primitives found in this round, and which.
    pub(super) least: S,
    pub(super) nearest: Option<[Piece; 2]>,
}

impl<'w, S: Scalar> Rounds<'w, S> {
    pub(super) fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>) -> Self {
        let search = Search::new(scene, memory);
        Self { search, view: None, weight: S::ONE, least: S::GREATEST, nearest: None }
    }

    /// Is the next thing to do to begin a round?
    pub(super) fn is_over(&self) -> bool {
        self.view.is_none() || self.search.top == 0
    }

    /// Begins a round where the last one has led to, or ends the check.
    pub(super) fn begin(&mut self, scene: &Scene<'_, S>, weight: S) {
        if let Some(last) = self.view.as_ref().map(|view| view.moment().time()) {
            match self.search.ledger.renew(scene) {
                Some(claim) if claim.from() > last => self.search.push(Entry { claim, direction: Vec3::ZERO }),
                Some(claim) => {
                    // No step is possible: something is too near for a proof, and not near enough for a contact.
                    self.search.push(Entry { claim, direction: Vec3::ZERO });
                    return self.search.close(Why::Precision);
                }
                None => return self.search.close(Why::Stack),
            }
        }
        let Some(entry) = self.search.pop() else { return self.search.close(Why::Stack) };
        let (pieces, from) = (entry.claim.pieces(), entry.claim.from());
        self.search.push(entry);
        self.view = View::new(scene, from);
        let Some(view) = self.view else { return self.search.close(Why::Precision) };
        self.search.stats.iterations += 1;
        self.search.stats.poses += 2;
        self.search.stats.work += 2 * POSE_WORK;
        self.weight = weight;
        self.least = S::GREATEST;
        if let Some(pair) = self.nearest {
            let gap = self.measure(scene, &view, pair);
            self.least = gap.dot(gap).sqrt_near();
        }
        let gap = self.measure(scene, &view, pieces);
        self.direct(0, gap);
    }

    /// Gives an entry, counted from the top of the stack, its direction.
    fn direct(&mut self, below: usize, direction: Vec3<S>) {
        let at = self.search.top.wrapping_sub(below + 1);
        if let Some(entry) = self.search.entries.get_mut(at) {
            entry.direction = direction;
        }
    }

    fn measure(&mut self, scene: &Scene<'_, S>, view: &View<S>, pieces: [Piece; 2]) -> Vec3<S> {
        self.search.count(pieces);
        let (gap, work) = view.gap(scene, pieces);
        self.search.stats.work += work;
        gap
    }

    /// Takes up one pair: it goes to the front or is split.
    pub(super) fn visit(&mut self, scene: &Scene<'_, S>) {
        let (Some(view), Some(mut entry)) = (self.view, self.search.pop()) else { return };
        let (pieces, gap) = (entry.claim.pieces(), entry.direction);
        let square = gap.dot(gap);
        let side = pair::larger(scene, pieces);
        if side.is_none() {
            let distance = square.sqrt_near();
            if distance < self.least {
                (self.least, self.nearest) = (distance, Some(pieces));
            }
            let near = distance <= scene.limits().tolerance;
            if near && self.search.touches(scene, view.moment(), pieces, gap) {
                self.search.push(entry);
                return self.search.close(Why::Precision);
            }
        }
        let far = self.weight * self.least;
        let done = side.is_none() || square >= far * far || self.leaves(scene, &view, gap);
        if done && self.advance(scene, &view, &mut entry) {
            return;
        }
        let Some(side) = side else {
            // Two primitives that are not provably apart now: no round goes beyond.
            return self.search.ledger.postpone(&mut entry.claim);
        };
        if self.search.split(scene, side, entry).is_err() || self.search.end.is_some() {
            return self.search.close(Why::Stack);
        }
        self.order(scene, &view);
    }

    /// Measures the two topmost pairs and puts the nearer one on top.
    fn order(&mut self, scene: &Scene<'_, S>, view: &View<S>) {
        let at = |entries: &[Entry<S>], i: usize| entries.get(i).map(|entry| entry.claim.pieces());
        let top = self.search.top;
        let (Some(low), Some(high)) = (at(self.search.entries, top - 2), at(self.search.entries, top - 1)) else {
            return;
        };
        let (low, high) = (self.measure(scene, view, low), self.measure(scene, view, high));
        self.direct(1, low);
        self.direct(0, high);
        if low.dot(low) < high.dot(high) {
            self.search.entries.swap(top - 2, top - 1);
        }
    }

    /// Early rejection: is the gap likely to hold for the rest of the motion?
    fn leaves(&self, scene: &Scene<'_, S>, view: &View<S>, gap: Vec3<S>) -> bool {
        let rest = scene.bounds().speed_hi() * (S::ONE - view.moment().time());
        gap.dot(gap) > rest * rest
    }

    /// Proves a pair apart as long as the kernel lets it; what is left is for the rounds to come.
    fn advance(&mut self, scene: &Scene<'_, S>, view: &View<S>, entry: &mut Entry<S>) -> bool {
        let Some(aim) = Aim::new(view.moment(), entry.direction) else { return false };
        self.search.stats.kernel_calls += 1;
        self.search.stats.work += pair::cost(scene, entry.claim.pieces());
        if !self.search.ledger.advance(&mut entry.claim, &aim, scene) {
            return false;
        }
        self.search.stats.front += 1;
        self.search.ledger.postpone(&mut entry.claim);
        true
    }
}
