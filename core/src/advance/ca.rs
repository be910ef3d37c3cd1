//! Conservative advancement on hierarchies.
//!
//! **Computes** a verdict by rounds: at the time reached, a traversal finds the front, the pairs of nodes that are far enough
//! apart; the least step that any of them allows leads to the next round. **Invariant**: at the end of a round
//! everything before the next one's time is proved, and every claim is closed or postponed. **Follows** Tang, Manocha and
//! Kim 2014, Algorithm 2 with `w = 1`, and early rejection (§4.3.2). **Departs**: of two nodes the larger one is split (line 8
//! always splits the first); the step is asked of the kernel only where it counts, at the front, which may be the roots
//! themselves; the distance of two nodes is the one that a direction shows, at least 98 % of theirs where the search for one
//! ends well; `d` is the distance beyond the margin; a round starts with the distance of the pair that was nearest in the one before.

use super::Check;
use super::gjk;
use super::memory::{Entry, Memory};
use super::pair::{self, POSE_WORK, View};
use super::search::{Search, Strategy};
use crate::kernel::{Aim, Pair, Piece, PieceKind, Scene};
use crate::scalar::{Scalar, Vec3};
use crate::verdict::{Budget, Stats, Verdict, Why};

/// A check by plain conservative advancement: every round goes down to the nearest triangles.
#[derive(Debug)]
pub struct Ca<'w, S> {
    rounds: Rounds<'w, S>,
}

impl<'w, S: Scalar> Ca<'w, S> {
    /// Starts a check. Memory without room for one entry ends at once as `Undecided`.
    pub fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>) -> Self {
        Self { rounds: Rounds::new(scene, memory) }
    }

    /// Names two primitives that may be near from the start, such as those that were the [nearest](Ca::nearest) in the
    /// check of the motion before this one.
    #[must_use]
    pub fn with_guess(mut self, scene: &Scene<'_, S>, primitives: [usize; 2]) -> Self {
        self.rounds.nearest = pair::primitives(scene, primitives);
        self
    }

    /// The two primitives that were the nearest when last looked at.
    pub fn nearest(&self) -> Option<[usize; 2]> {
        self.rounds.nearest()
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
    /// `w`: a pair that is nearer than this part of the least distance found is split.
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

    /// The two primitives that were the nearest when last looked at.
    pub(super) fn nearest(&self) -> Option<[usize; 2]> {
        match self.nearest?.map(Piece::kind) {
            [PieceKind::Primitive(a), PieceKind::Primitive(b)] => Some([a, b]),
            [PieceKind::Node(_), _] | [_, PieceKind::Node(_)] => None,
        }
    }

    /// Is the next thing to do to begin a round?
    pub(super) fn is_over(&self) -> bool {
        self.view.is_none() || self.search.top == 0
    }

    /// Begins a round where the last one has led to, or ends the check.
    pub(super) fn begin(&mut self, scene: &Scene<'_, S>, weight: S) {
        let claim = match self.view {
            None => self.search.pop().map(|entry| entry.claim),
            Some(_) => self.search.ledger.renew(scene),
        };
        let Some(claim) = claim else { return self.search.close(Why::Stack) };
        let stuck = self.view.is_some_and(|view| Search::is_idle(scene, view.moment().time(), claim.from()));
        let view = View::new(scene, claim.from());
        self.search.push(Entry { claim, direction: Vec3::ZERO });
        let Some(view) = view.filter(|_| !stuck) else {
            // No step to speak of was possible: something is too near for a proof, and not near enough for a contact.
            return self.search.close(Why::Precision);
        };
        self.view = Some(view);
        self.search.stats.iterations += 1;
        self.search.stats.poses += 2;
        self.search.stats.work += 2 * POSE_WORK;
        self.weight = weight;
        self.least = S::GREATEST;
        if let Some(pair) = self.nearest.and_then(|pieces| scene.pair(pieces)) {
            let gap = self.measure(scene, &view, &pair);
            self.least = pair::norm_near(gap);
            if self.least <= scene.limits().tolerance {
                // Everything before is proved, so this is the contact, or the distance misled.
                if self.search.touches(scene, view.moment(), &pair, gap) {
                    return self.search.close(Why::Precision);
                }
                self.least = S::GREATEST;
            }
        }
        if let Some((pair, mut entry)) = self.search.take(scene) {
            entry.direction = self.measure(scene, &view, &pair);
            self.search.push(entry);
        }
    }

    fn measure(&mut self, scene: &Scene<'_, S>, view: &View<S>, pair: &Pair<'_, S>) -> Vec3<S> {
        self.search.stats.count(pair.pieces());
        let (gap, work) = view.gap(pair, scene.limits().margin);
        self.search.stats.work += work;
        gap
    }

    /// Takes up one pair: it goes to the front or is split.
    pub(super) fn visit(&mut self, scene: &Scene<'_, S>) {
        let (Some(view), Some((pair, mut entry))) = (self.view, self.search.take(scene)) else { return };
        let gap = entry.direction;
        let side = pair::larger(&pair);
        if side.is_none() {
            let distance = pair::norm_near(gap);
            if distance < self.least {
                (self.least, self.nearest) = (distance, Some(pair.pieces()));
            }
            let near = distance <= scene.limits().tolerance;
            if near && self.search.touches(scene, view.moment(), &pair, gap) {
                self.search.push(entry);
                return self.search.close(Why::Precision);
            }
        }
        let far = gjk::length(self.weight * self.least);
        let done = side.is_none() || !gjk::shorter(gap, far) || self.leaves(scene, &view, &pair, gap);
        if done && self.advance(scene, &view, &pair, &mut entry) {
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
        let two = self.search.two_topmost().map(|two| two.map(|entry| scene.pair(entry.claim.pieces())));
        let Some([Some(low), Some(high)]) = two else { return };
        let (gap_low, gap_high) = (self.measure(scene, view, &low), self.measure(scene, view, &high));
        if let Some([low, high]) = self.search.two_topmost() {
            (low.direction, high.direction) = (gap_low, gap_high);
            if gjk::shorter(gap_low, gap_high) {
                core::mem::swap(low, high);
            }
        }
    }

    /// Early rejection: does the gap hold for the rest of the motion?
    fn leaves(&mut self, scene: &Scene<'_, S>, view: &View<S>, pair: &Pair<'_, S>, gap: Vec3<S>) -> bool {
        let [motion_a, motion_b] = scene.motions();
        // Not if the centres' approach alone closes it: no need to ask. (A gap that is too long or too short to compare is
        // put to the kernel, which judges by itself.)
        let n = gap * gap.norm_max().magnifier();
        let closing = motion_a.drift_hi(n) + motion_b.drift_hi(-n);
        if closing * (S::ONE - view.moment().time()) > n.dot(gap) {
            return false;
        }
        let Some(aim) = Aim::new(view.moment(), gap) else { return false };
        self.search.stats.kernel_calls += 1;
        self.search.stats.work += pair::cost(pair);
        aim.apart_until(scene, pair).is_some_and(|until| until >= S::ONE)
    }

    /// Proves a pair apart as long as the kernel lets it; what is left is for the rounds to come.
    fn advance(&mut self, scene: &Scene<'_, S>, view: &View<S>, pair: &Pair<'_, S>, entry: &mut Entry<S>) -> bool {
        let Some(aim) = Aim::new(view.moment(), entry.direction) else { return false };
        self.search.stats.kernel_calls += 1;
        self.search.stats.work += pair::cost(pair);
        if !self.search.ledger.advance(&mut entry.claim, &aim, scene, pair) {
            return false;
        }
        self.search.stats.front += 1;
        self.search.ledger.postpone(&mut entry.claim);
        true
    }
}
