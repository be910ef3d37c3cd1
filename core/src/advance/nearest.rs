//! How far apart are two bodies at one time?
//!
//! **Computes** a proved lower bound of the distance and two near points. **Invariant**: every pair is closed with a lower
//! bound of its own distance, or split. **Follows** the distance query of swept sphere hierarchies that conservative
//! advancement is built on: nearer pairs first, pairs no nearer than the nearest triangles so far left alone.
//! **Departs**: the account is the kernel's ([`Clearance`]), so that the bound survives rounding.

use super::gjk;
use super::memory::{Entry, Memory};
use super::pair::{self, POSE_WORK, Side, View};
use crate::kernel::{Aim, Clearance, Pair, Piece, Scene, Start};
use crate::scalar::{Scalar, Vec3};
use crate::verdict::{Budget, Stats, Why, Witness};

/// What is asked about the distance at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest<S> {
    /// When, in `[0, 1]`.
    pub time: S,
    /// Which part of the distance the bound may fall short of, so that fewer triangles are looked at; 0 for none, less than 1.
    pub slack: S,
    /// Two primitives that may be the nearest: those of the last pose, for instance.
    pub guess: Option<[usize; 2]>,
}

/// A distance, from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distance<S> {
    /// No two points of the bodies are nearer than this, in metres; 0 if they touch or cannot be told apart.
    pub distance_lo: S,
    /// Two near points, and their distance.
    pub witness: Witness<S>,
    /// What it cost.
    pub stats: Stats,
}

impl<S: Scalar> Nearest<S> {
    /// At the start of the motion, as exactly as can be.
    pub const START: Self = Self { time: S::ZERO, slack: S::ZERO, guess: None };

    /// Looks for the distance. `Err` says what it lacks: budget, memory, range, or precision ([`Why::Precision`]: the
    /// time is not in `[0, 1]`, or the numbers are too large or too small for this scalar to find a witness; [`Why::Start`]: it
    /// could not be decided whether one body is inside of the other).
    pub fn find(&self, scene: &Scene<'_, S>, memory: &mut Memory<'_, S>, budget: Budget) -> Result<Distance<S>, Why> {
        if !scene.bounds().is_finite() {
            return Err(Why::Range);
        }
        let view = View::new(scene, self.time).ok_or(Why::Precision)?;
        let (ledger, claim, entries) = memory.open(scene);
        let stats = Stats { iterations: 1, poses: 2, work: 2 * POSE_WORK, ..Stats::default() };
        let clearance = Clearance::new(ledger, self.time);
        let (keep, doubt) = (S::ONE - self.slack, scene.bounds().rounding_hi());
        let mut descent =
            Descent { view, entries, top: 0, clearance, keep, doubt, least: S::GREATEST, nearest: None, stats };
        let mut unplaced = false;
        while let Some((start, work)) = descent.clearance.place_next(scene) {
            descent.stats.kernel_calls += 1;
            descent.stats.poses += 2;
            descent.stats.work += work + 2 * POSE_WORK;
            if let Start::Inside { primitives, point } = start {
                let (distance_lo, witness) = (S::ZERO, pair::overlap(scene, self.time, primitives, point));
                return Ok(Distance { distance_lo, witness, stats: descent.stats });
            }
            unplaced |= start == Start::Unknown;
            if descent.stats.work >= budget.get() {
                return Err(Why::Budget);
            }
        }
        if let Some(pieces) = self.guess.and_then(|ids| pair::primitives(scene, ids)) {
            let gap = descent.measure(&read(scene, pieces)?);
            descent.note(pieces, gap);
        }
        let direction = descent.measure(&read(scene, claim.pieces())?);
        descent.push(Entry { claim, direction })?;
        while let Some(entry) = descent.pop() {
            if descent.stats.work >= budget.get() {
                return Err(Why::Budget);
            }
            descent.visit(scene, entry)?;
        }
        // Surfaces that are not apart are at distance 0, and then it does not matter.
        if unplaced && descent.least > S::ZERO { Err(Why::Start) } else { descent.finish(scene) }
    }
}

/// Two pieces that a claim names, so there are such.
fn read<'a, S: Scalar>(scene: &Scene<'a, S>, pieces: [Piece; 2]) -> Result<Pair<'a, S>, Why> {
    scene.pair(pieces).ok_or(Why::Precision)
}

/// A traversal under way.
struct Descent<'w, S> {
    view: View<S>,
    entries: &'w mut [Entry<S>],
    top: usize,
    clearance: Clearance<S>,
    /// The part of the least distance that will do.
    keep: S,
    /// How far two points may be apart unnoticed: what the kernel's bound loses anyway.
    doubt: S,
    least: S,
    nearest: Option<([Piece; 2], Vec3<S>)>,
    stats: Stats,
}

impl<S: Scalar> Descent<'_, S> {
    fn push(&mut self, entry: Entry<S>) -> Result<(), Why> {
        *self.entries.get_mut(self.top).ok_or(Why::Stack)? = entry;
        self.top += 1;
        self.stats.most_open = self.stats.most_open.max(self.top as u64);
        Ok(())
    }

    fn pop(&mut self) -> Option<Entry<S>> {
        self.top = self.top.checked_sub(1)?;
        self.entries.get_mut(self.top).map(|slot| core::mem::replace(slot, Entry::VACANT))
    }

    fn measure(&mut self, pair: &Pair<'_, S>) -> Vec3<S> {
        self.stats.count(pair.pieces());
        let (gap, work) = self.view.sharp_gap(pair, S::ZERO, self.doubt);
        self.stats.work += work;
        gap
    }

    /// Two primitives that may be the nearest so far.
    fn note(&mut self, pieces: [Piece; 2], gap: Vec3<S>) {
        let distance = pair::norm_near(gap);
        if distance < self.least {
            (self.least, self.nearest) = (distance, Some((pieces, gap)));
        }
    }

    /// Closes a pair or splits it.
    fn visit(&mut self, scene: &Scene<'_, S>, mut entry: Entry<S>) -> Result<(), Why> {
        let (pair, gap) = (read(scene, entry.claim.pieces())?, entry.direction);
        let side = pair::larger(&pair);
        if side.is_none() {
            self.note(pair.pieces(), gap);
        }
        // Down to two primitives in any case: there must be a witness.
        let open = self.nearest.is_none() || gjk::shorter(gap, gjk::length(self.keep * self.least));
        let Some(side) = side.filter(|_| open) else {
            self.stats.front += 1;
            self.stats.kernel_calls += 1;
            self.stats.work += pair::cost(&pair);
            // Two pieces that overlap have no direction; any shows a distance of 0.
            let any = Vec3::new(S::ONE, S::ZERO, S::ZERO);
            let aim = Aim::new(self.view.moment(), gap).or_else(|| Aim::new(self.view.moment(), any));
            let closed = aim.is_some_and(|aim| self.clearance.close(&mut entry.claim, &aim, scene, &pair));
            return if closed { Ok(()) } else { Err(Why::Precision) };
        };
        let parts = match side {
            Side::A => self.clearance.split_a(scene, entry.claim),
            Side::B => self.clearance.split_b(scene, entry.claim),
        };
        let [p, q] = parts.map_err(|_| Why::Stack)?;
        let (gap_p, gap_q) = (self.measure(&read(scene, p.pieces())?), self.measure(&read(scene, q.pieces())?));
        let (p, q) = (Entry { claim: p, direction: gap_p }, Entry { claim: q, direction: gap_q });
        // The nearer one is taken up first.
        let [last, first] = if gjk::shorter(gap_p, gap_q) { [q, p] } else { [p, q] };
        self.push(last)?;
        self.push(first)
    }

    fn finish(mut self, scene: &Scene<'_, S>) -> Result<Distance<S>, Why> {
        let (pieces, gap) = self.nearest.ok_or(Why::Precision)?;
        let pair = read(scene, pieces)?;
        let (witness, work) = pair::witness(self.view.moment(), &pair, gap, S::GREATEST);
        self.stats.work += work;
        let witness = witness.ok_or(Why::Precision)?;
        Ok(Distance { distance_lo: self.clearance.distance_lo(), witness, stats: self.stats })
    }
}
