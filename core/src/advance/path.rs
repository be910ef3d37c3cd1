//! The check of a plan: time outermost, couples of bodies carried inwards.
//!
//! **Computes** the verdict on a plan, segment by segment. **Invariant**: all open obligations of a segment lie on one stack,
//! those of an interval together, the earliest interval on top; the batch of couples that were not looked at yet is of the
//! same interval. **Follows** nothing in print; the proof is the chord rule of [`crate::kernel`]. **Departs** from
//! bisection in that the interval is cut where the couple that closes in is about to touch.
//!
//! Of an interval's couples most are apart by their boxes; of the others each is tried with the direction that it had last, in
//! this plan or in the one before, and then with those that [`super::gjk`] finds. What stays goes to the earlier part of
//! the interval, then to the later.

use super::approach::{Approach, is_small, moved};
use super::memory::{Entry, PathMemory};
use super::pair::{self, POSE_WORK};
use super::prove::prove;
use crate::kernel::{Batch, Clearing, Ledger, Leg, Obligation, Pair, Sieved, Span, Start};
use crate::robot::{At, BodyIndex, Plan, Workcell};
use crate::scalar::{Scalar, Vec3};
use crate::verdict::{Budget, PathVerdict, Stats, Why, Witness};

/// Intervals that are open at once.
const FRAMES: usize = 48;

/// Intervals that are longer than this are not asked whether anything moves in them.
const SHORT: f64 = 1.0 / 1024.0;

/// In intervals that are longer than this nobody looks for a contact at their end.
const NEAR: f64 = 1.0 / 16.0;

/// A couple that looks provable for less than this part of an interval ends it: the others are asked about what is before.
const EARLY: f64 = 0.5;

/// An interval is cut at this part of what looks provable.
const CAUTION: f64 = 0.9;

/// An interval whose claims lie on the stack from `first` up to the next frame's.
#[derive(Debug)]
struct Frame<S> {
    from: S,
    until: S,
    first: usize,
    batch: Batch<S>,
}

/// How a check has ended.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Whole,
    Touch,
    Open(Why),
}

/// A contact that is proved.
#[derive(Clone, Copy, Debug)]
struct Touch<S> {
    time: S,
    bodies: [BodyIndex; 2],
    witness: Witness<S>,
}

/// A check of a plan.
#[derive(Debug)]
pub struct PathCheck<'w, 'm, S> {
    memory: &'w mut PathMemory<'m, S>,
    clearing: Clearing,
    ledger: Ledger<S>,
    frames: heapless::Vec<Frame<S>, FRAMES>,
    /// The stack is `entries[..top]`; those of the topmost frame before `cursor` were tried.
    top: usize,
    cursor: usize,
    /// Where the topmost interval is to be cut, as a part of it: the least that a couple asked for.
    cut: S,
    /// The earliest contact of the segment that is proved so far.
    touch: Option<Touch<S>>,
    /// Why the check will be undecided, unless there is a contact.
    otherwise: Option<Why>,
    end: Option<Ending>,
    stats: Stats,
}

impl<'w, 'm, S: Scalar> PathCheck<'w, 'm, S> {
    /// Starts a check.
    pub fn new(cell: &Workcell<'_, S>, plan: &Plan<'_, S>, memory: &'w mut PathMemory<'m, S>) -> Option<Self> {
        let clearing = Clearing::new(cell, plan);
        let leg = Leg::new(cell, plan, 0).ok()?;
        let (ledger, batch) = memory.accounts.open_leg(&leg, memory.entries);
        memory.stage.poses = 0;
        let mut check = Self {
            memory,
            clearing,
            ledger,
            frames: heapless::Vec::new(),
            top: 0,
            cursor: 0,
            cut: S::HALF,
            touch: None,
            otherwise: None,
            end: None,
            stats: Stats::default(),
        };
        check.begin(batch);
        Some(check)
    }

    /// Puts the first interval of a segment on the stack.
    fn begin(&mut self, batch: Batch<S>) {
        (self.top, self.cursor, self.cut) = (0, 0, S::ONE);
        self.frames.clear();
        // The list is empty, so there is room.
        let _ = self.frames.push(Frame { from: S::ZERO, until: S::ONE, first: 0, batch });
    }

    /// Works for about `budget` units and says what is known by then.
    ///
    /// After `Undecided` with [`Why::Budget`] another step goes on where this one stopped; how the work is cut into steps changes
    /// nothing about the final verdict. The check keeps no borrow of the workcell and of the plan, but they must be the same
    /// every time: a change ends the check for good as [`Why::SceneChanged`].
    pub fn step<'p>(&mut self, cell: &Workcell<'_, S>, plan: &Plan<'p, S>, budget: Budget) -> PathVerdict<'p, S> {
        if !self.clearing.is_about(cell, plan) {
            self.end = Some(Ending::Open(Why::SceneChanged));
        }
        let limit = self.stats.work.saturating_add(budget.get().max(1));
        while self.end.is_none() && self.stats.work < limit {
            match Leg::new(cell, plan, self.clearing.segment()) {
                Ok(leg) => self.segment(&leg, limit),
                Err(_) => self.end = Some(Ending::Open(Why::SceneChanged)),
            }
        }
        self.verdict(cell, plan)
    }

    /// What the check has cost so far.
    pub fn stats(&self) -> Stats {
        Stats { poses: self.memory.stage.poses, ..self.stats }
    }

    fn verdict<'p>(&mut self, cell: &Workcell<'_, S>, plan: &Plan<'p, S>) -> PathVerdict<'p, S> {
        let segment = self.clearing.segment();
        let open = self.memory.entries.iter_mut().take(self.top).map(AsMut::<Obligation<S>>::as_mut);
        let batches = self.frames.iter_mut().map(|frame| &mut frame.batch);
        let cleared = self.clearing.cleared(cell, plan, &self.ledger, open, batches);
        match (self.end, self.touch) {
            (Some(Ending::Whole), _) if cleared.is_whole() => PathVerdict::Free(cleared),
            (Some(Ending::Touch), Some(Touch { time, bodies, witness })) => {
                PathVerdict::Contact { cleared, touch: At { segment, time }, bodies, witness }
            }
            (Some(Ending::Open(why)), _) => PathVerdict::Undecided { cleared, why },
            (Some(Ending::Whole | Ending::Touch), _) => PathVerdict::Undecided { cleared, why: Why::Stack },
            (None, _) => PathVerdict::Undecided { cleared, why: Why::Budget },
        }
    }

    /// Ends the check; with the contact, if there is one.
    fn close(&mut self, otherwise: Why) {
        self.end = Some(match self.touch {
            Some(_) => Ending::Touch,
            None => Ending::Open(self.otherwise.unwrap_or(otherwise)),
        });
    }

    /// Works on a segment until it is done with, the check has ended, or the limit is reached.
    fn segment(&mut self, leg: &Leg<'_, '_, S>, limit: u64) {
        while self.end.is_none() && self.stats.work < limit {
            let Some(frame) = self.frames.last() else {
                return self.pass(leg);
            };
            if self.touch.is_some_and(|touch| touch.time <= frame.from) {
                return self.close(Why::Stack);
            }
            let (from, until) = (frame.from, frame.until);
            let poses = self.memory.stage.poses;
            if !self.memory.stage.go(leg, from, until) {
                return self.close(Why::Range);
            }
            self.stats.work += (self.memory.stage.poses - poses) * POSE_WORK;
            self.interval(leg, limit);
        }
    }

    /// Everything about a segment is proved: on to the next.
    fn pass(&mut self, leg: &Leg<'_, '_, S>) {
        if !self.clearing.pass(leg, &self.ledger) {
            return self.close(Why::Stack);
        }
        self.touch = None;
        let segment = self.clearing.segment();
        if segment == leg.plan().segments() {
            self.end = Some(Ending::Whole);
            return;
        }
        match Leg::new(leg.cell(), leg.plan(), segment) {
            Ok(next) => {
                let (ledger, batch) = self.memory.accounts.open_leg(&next, self.memory.entries);
                self.ledger = ledger;
                self.begin(batch);
            }
            Err(_) => self.end = Some(Ending::Open(Why::SceneChanged)),
        }
    }

    /// Works on the topmost interval.
    fn interval(&mut self, leg: &Leg<'_, '_, S>, limit: u64) {
        let Some(first) = self.frames.last().map(|frame| frame.first) else { return };
        while self.end.is_none() {
            if self.stats.work >= limit {
                return;
            }
            let crowded = first + 2 * (self.top - first) + 4 > self.memory.entries.len();
            if self.cursor < self.top {
                let depth = self.frames.len();
                self.look(leg);
                if self.frames.len() != depth {
                    return;
                }
            } else if crowded && self.top > first {
                return self.divide(leg);
            } else if !self.sieve(leg, limit) {
                break;
            }
        }
        if self.end.is_some() {
            return;
        }
        if self.frames.last().is_some_and(|frame| frame.batch.is_open()) {
            return;
        }
        if self.top > first {
            return self.divide(leg);
        }
        self.stats.iterations += 1;
        self.frames.pop();
        (self.cut, self.cursor) = (S::ONE, self.frames.last().map_or(0, |frame| frame.first));
    }

    /// Takes the next couple out of the batch, if there is one that the boxes do not prove apart. Says whether there was.
    fn sieve(&mut self, leg: &Leg<'_, '_, S>, limit: u64) -> bool {
        let Some(frame) = self.frames.last_mut().filter(|frame| frame.batch.is_open()) else { return false };
        let mut most = limit.saturating_sub(self.stats.work);
        let before = most;
        let found = self.ledger.sieve(&mut frame.batch, leg, &mut self.memory.stage, &mut most);
        self.stats.work += before - most;
        let claims = match found {
            Sieved::Candidate(claims) => claims,
            Sieved::Done => return false,
            Sieved::Later => {
                // Not for lack of budget: that cannot be, and would go on for ever.
                if most > 0 {
                    self.close(Why::Stack);
                }
                return false;
            }
        };
        // The one about the start comes first: once the interval is cut, its moment is gone.
        for claim in claims.into_iter().rev().filter(Obligation::is_open) {
            let direction = if claim.is_start() { Vec3::ZERO } else { self.memory.direction(claim.couple()) };
            self.push(Entry { claim, direction });
        }
        true
    }

    /// Puts an entry on the stack. Memory that is full ends the check: the claim is lost, and the account knows.
    fn push(&mut self, entry: Entry<S>) {
        match self.memory.entries.get_mut(self.top) {
            Some(slot) => {
                *slot = entry;
                self.top += 1;
                self.stats.most_open = self.stats.most_open.max(self.top as u64);
            }
            None => self.close(Why::Stack),
        }
    }

    /// Replaces the entry at the cursor by the topmost.
    fn drop_current(&mut self) {
        let Some(last) = self.top.checked_sub(1) else { return };
        self.top = last;
        self.exchange(self.cursor, last);
    }

    /// Exchanges two entries.
    fn exchange(&mut self, a: usize, b: usize) {
        if let Ok([a, b]) = self.memory.entries.get_disjoint_mut([a, b]) {
            core::mem::swap(a, b);
        }
    }

    /// Tries the entry at the cursor.
    fn look(&mut self, leg: &Leg<'_, '_, S>) {
        let Some(slot) = self.memory.entries.get_mut(self.cursor) else { return };
        let mut entry = core::mem::replace(slot, Entry::VACANT);
        let couple = entry.claim.couple();
        if entry.claim.is_start() {
            return self.place(leg, entry);
        }
        let (span, pair) = (self.memory.stage.span(leg, couple), leg.pair(couple, entry.claim.pieces()));
        let (Some(span), Some(pair)) = (span, pair) else {
            self.put_back(entry);
            return self.close(Why::Range);
        };
        let carried = entry.direction;
        let proved = prove(&mut self.ledger, &mut self.stats, &span, &pair, &mut entry);
        if pair.pieces().iter().all(|piece| piece.is_primitive()) {
            self.memory.remember(couple, entry.direction);
        }
        if proved {
            return self.drop_current();
        }
        match pair::larger(&pair) {
            Some(side) if !is_small(&span, &pair) => {
                if self.top + 1 > self.memory.entries.len() {
                    self.put_back(entry);
                    return self.close(Why::Stack);
                }
                let Entry { claim, direction } = entry;
                let parts = match side {
                    pair::Side::A => self.ledger.split_a(leg, claim),
                    pair::Side::B => self.ledger.split_b(leg, claim),
                };
                match parts {
                    Ok([left, right]) => {
                        self.put_back(Entry { claim: left, direction: Vec3::ZERO });
                        self.push(Entry { claim: right, direction: Vec3::ZERO });
                    }
                    Err(claim) => {
                        self.put_back(Entry { claim, direction });
                        self.close(Why::Stack);
                    }
                }
            }
            Some(_) => {
                // Other pieces of these bodies will have to be looked at again in a shorter interval, too.
                self.put_back(entry);
                self.cut = self.cut.min(S::HALF);
                self.cursor += 1;
                self.divide(leg);
            }
            None => {
                let cut = self.closing(leg, &span, &pair, &mut entry, carried);
                if !entry.claim.is_open() {
                    return self.drop_current();
                }
                self.put_back(entry);
                if self.touch.is_some_and(|touch| touch.time <= span.start().time()) {
                    return self.close(Why::Stack);
                }
                let Some(frame) = self.frames.last() else { return };
                let (first, whole) = (frame.first, !frame.batch.is_open());
                let tight = cut < self.cut;
                self.cut = self.cut.min(cut);
                if tight {
                    // It will be the first to be asked in what is left of the interval.
                    self.exchange(first, self.cursor);
                }
                self.cursor += 1;
                if whole && cut < S::from_f64_near(EARLY) {
                    self.divide(leg);
                }
            }
        }
    }

    fn put_back(&mut self, entry: Entry<S>) {
        if let Some(slot) = self.memory.entries.get_mut(self.cursor) {
            *slot = entry;
        }
    }

    /// Asks whether two bodies start inside of each other.
    fn place(&mut self, leg: &Leg<'_, '_, S>, mut entry: Entry<S>) {
        let (found, work) = self.memory.stage.place(&mut self.ledger, leg, &mut entry.claim);
        self.stats.work += work;
        self.stats.kernel_calls += 1;
        let couple = entry.claim.couple();
        if let (Start::Inside { primitives, point }, Some(bodies)) = (found, leg.bodies(couple)) {
            let witness = Witness { primitives, points: [point; 2], direction: Vec3::ZERO, distance_hi: S::ZERO };
            let witness = self.memory.stage.witness_in_world(leg, bodies, false, witness);
            self.touch = Some(Touch { time: S::ZERO, bodies, witness });
            self.put_back(entry);
            return self.close(Why::Start);
        }
        // A claim that stays open is let go of: the account knows, and nothing is proved without it. There may be a contact still.
        if entry.claim.is_open() {
            self.otherwise = Some(Why::Start);
        }
        self.drop_current();
    }

    /// Where to cut the interval for two primitives that could not be proved apart over it, as a part of it. Finds out whether they
    /// touch at either end, and may find a better direction that closes the claim. `carried` is the one that the claim came with.
    fn closing(
        &mut self,
        leg: &Leg<'_, '_, S>,
        span: &Span<S>,
        pair: &Pair<'_, S>,
        entry: &mut Entry<S>,
        carried: Vec3<S>,
    ) -> S {
        let Some(bodies) = leg.bodies(span.start().couple()) else { return S::HALF };
        let tolerance = leg.limits(bodies).tolerance;
        let mut best = Approach::new(span, pair, entry.direction, tolerance);
        // The search gets to a contact from before; one at the end serves where it does not get any nearer.
        if best.end <= tolerance && span.end().time() - span.start().time() <= S::from_f64_near(NEAR) {
            self.touches(leg, span, pair, true, entry.direction);
        }
        // The direction was sought for both ends at once. The one before was good for the start, most likely.
        best = best.better(Approach::new(span, pair, carried, tolerance));
        if best.part < S::from_f64_near(EARLY) {
            let (found, _, work) = pair::walk(span.start(), pair, S::GREATEST);
            self.stats.work += work;
            best = best.better(Approach::new(span, pair, found, tolerance));
        }
        entry.direction = best.direction;
        if best.start <= tolerance && self.touches(leg, span, pair, false, best.direction) {
            return S::HALF;
        }
        if best.part >= S::ONE {
            self.stats.kernel_calls += 1;
            let probe = span.probe(best.direction);
            if probe.is_some_and(|probe| self.ledger.discharge(&mut entry.claim, &probe, pair).is_ok()) {
                return S::ONE;
            }
        }
        if best.part > S::ZERO && best.part < S::ONE { best.part * S::from_f64_near(CAUTION) } else { S::HALF }
    }

    /// Notes a contact at one end of the interval, if there is one and it is the earliest.
    fn touches(
        &mut self,
        leg: &Leg<'_, '_, S>,
        span: &Span<S>,
        pair: &Pair<'_, S>,
        at_end: bool,
        direction: Vec3<S>,
    ) -> bool {
        let moment = if at_end { span.end() } else { span.start() };
        if self.touch.is_some_and(|touch| touch.time <= moment.time()) {
            return false;
        }
        let Some(bodies) = leg.bodies(moment.couple()) else { return false };
        let (witness, work) = pair::touch(leg.limits(bodies), moment, pair, direction);
        self.stats.work += work;
        if let Some(witness) = witness {
            let witness = self.memory.stage.witness_in_world(leg, bodies, at_end, witness);
            self.touch = Some(Touch { time: moment.time(), bodies, witness });
        }
        witness.is_some()
    }

    /// Cuts the topmost interval: all its claims get a later part where they are, and an earlier part on top of them.
    fn divide(&mut self, leg: &Leg<'_, '_, S>) {
        let Some(frame) = self.frames.last_mut() else { return };
        let (from, until, first) = (frame.from, frame.until, frame.first);
        if self.touch.is_some_and(|touch| touch.time <= from) {
            return self.close(Why::Stack);
        }
        let count = self.top - first;
        let at = from + (until - from) * if self.cut < S::ONE { self.cut } else { S::HALF };
        let at = if from < at && at < until { at } else { (from + until) * S::HALF };
        if !(from < at && at < until) || self.frames.is_full() || self.is_idle(leg, first) {
            return self.close(Why::Precision);
        }
        if first + 2 * count > self.memory.entries.len() {
            return self.close(Why::Stack);
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let mut early = Batch::VACANT;
        let batch = core::mem::replace(&mut frame.batch, Batch::VACANT);
        match self.ledger.split_batch(batch, at) {
            Ok([left, right]) => (early, frame.batch) = (left, right),
            Err(batch) => frame.batch = batch,
        }
        frame.from = at;
        for right in first..first + count {
            let Some(entry) = self.memory.entries.get_mut(right) else { break };
            let direction = entry.direction;
            match self.ledger.split_time(entry.claim.take(), at) {
                Ok([left, later]) => {
                    entry.claim = later;
                    self.push(Entry { claim: left, direction });
                }
                Err(claim) => entry.claim = claim,
            }
        }
        self.stats.iterations += 1;
        (self.cursor, self.cut) = (first + count, S::ONE);
        // There is room: see above.
        let _ = self.frames.push(Frame { from, until: at, first: first + count, batch: early });
    }

    /// Is the interval too short to move the bodies of any claim by more than the rounding error? Then many more would follow for
    /// nothing.
    fn is_idle(&mut self, leg: &Leg<'_, '_, S>, first: usize) -> bool {
        let [from, until] = self.memory.stage.times();
        if until - from > S::from_f64_near(SHORT) {
            return false;
        }
        let PathMemory { entries, stage, .. } = &mut *self.memory;
        entries.iter().take(self.top).skip(first).map(|entry| &entry.claim).all(|claim| {
            let found = stage.span(leg, claim.couple()).zip(leg.pair(claim.couple(), claim.pieces()));
            !found.is_some_and(|(span, pair)| moved(&span, &pair) > span.rounding_near())
        })
    }
}
