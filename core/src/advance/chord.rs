//! The chord strategy: time outermost, candidates carried inwards.
//!
//! **Computes** a verdict by bisecting time, earliest first, with a front of node pairs that is descended or halved.
//! **Invariant**: all open obligations lie on one stack, those of an interval together, the earliest interval on top.
//! **Follows** nothing in print; the proof is the chord rule of [`crate::kernel`]. **Departs** from depth-first descent in
//! that all pairs are done with an interval before any goes on to a later one, so that the first contact found is the
//! earliest, and poses are computed once an interval.
//!
//! A pair is tried with the direction that it carries, if any, then with those that [`super::gjk`] finds on the way. A pair
//! that stays is split if it is large compared with the motion during the interval. The first that is not ends the
//! interval: everything that is left of it goes to the left half, then to the right. (To try the others first was
//! measured: it costs more than it saves, and memory grows tenfold.) Two primitives that are provably near at
//! the interval's start are the contact.

use super::Check;
use super::gjk::{self, Simplex};
use super::memory::{Entry, Memory};
use crate::kernel::{End, Ledger, Moment, Piece, PieceKind, Scene, Span, distance_hi};
use crate::scalar::{Scalar, Vec3};
use crate::verdict::{Budget, Stats, Verdict, Why, Witness};

/// Bisections of time. Those of an ordinary motion end after 20 to 50, when the bodies move by less than the rounding error;
/// the rest is for extreme ones.
const FRAMES: usize = 72;

/// A pair is split while its larger piece, times this, is larger than the motion during the interval (measured: the
/// optimum is flat).
const SPLIT_FACTOR: f64 = 2.5;

/// Supports spent on the direction of a pair that can still be split, and of one that cannot.
const NODE_ROUNDS: u64 = 16;
const PRIMITIVE_ROUNDS: u64 = 24;

/// What a pose, and what a direction costs, in points projected on a direction.
const POSE_WORK: u64 = 24;
const DIRECTION_WORK: u64 = 12;

/// An interval whose pairs lie on the stack from `first` up to the next frame.
#[derive(Clone, Copy, Debug)]
struct Frame<S> {
    from: S,
    until: S,
    first: usize,
}

/// A check by the chord strategy.
#[derive(Debug)]
pub struct Chord<'w, S> {
    /// The stack is `entries[..top]`.
    entries: &'w mut [Entry<S>],
    top: usize,
    ledger: Ledger,
    frames: heapless::Vec<Frame<S>, FRAMES>,
    /// Is the topmost frame in the statistics already?
    counted: bool,
    /// The earliest contact that is proved so far.
    touch: Option<(S, Witness<S>)>,
    end: Option<Verdict<S>>,
    stats: Stats,
}

impl<'w, S: Scalar> Chord<'w, S> {
    /// Starts a check. Memory without room for one entry ends at once as `Undecided`.
    pub fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>) -> Self {
        let (ledger, claim, entries) = memory.open(scene);
        let mut frames = heapless::Vec::new();
        if let Some(slot) = entries.first_mut() {
            *slot = Entry { claim, direction: Vec3::ZERO };
            // The vector is empty, so there is room.
            let _ = frames.push(Frame { from: S::ZERO, until: S::ONE, first: 0 });
        }
        let top = frames.len();
        let stats = Stats { most_open: 1, ..Stats::default() };
        Self { entries, top, ledger, frames, counted: false, touch: None, end: None, stats }
    }

    /// What the ledger makes of all that is open.
    fn proved_until(&mut self) -> S {
        let open = self.entries.iter_mut().take(self.top).map(AsMut::as_mut);
        // Something lost: nothing is proved.
        self.ledger.audit(open).unwrap_or(S::ZERO)
    }

    fn undecided(&mut self, why: Why) -> Verdict<S> {
        Verdict::Undecided { free_until: self.proved_until(), why }
    }

    /// What is known when nothing is left to do before the earliest contact.
    fn close(&mut self) -> Verdict<S> {
        match (self.ledger.proof(), self.touch) {
            (Some(proof), _) => Verdict::Free(proof),
            (None, Some((touch, witness))) => {
                Verdict::Contact { free_until: self.proved_until().min(touch), touch, witness }
            }
            (None, None) => self.undecided(Why::Stack),
        }
    }

    /// Works on the topmost interval until it is done with, the check has ended, or the limit is reached.
    fn work(&mut self, scene: &Scene<'_, S>, limit: u64) {
        let frame = match self.frames.last() {
            Some(frame) if self.touch.is_none_or(|(touch, _)| frame.from < touch) => *frame,
            Some(_) | None => {
                self.end = Some(self.close());
                return;
            }
        };
        let Some(span) = Span::new(scene, frame.from, frame.until) else {
            self.end = Some(self.undecided(Why::Precision));
            return;
        };
        // Counted once, however often the interval is taken up again.
        if !self.counted {
            self.counted = true;
            self.stats.intervals += 1;
            self.stats.poses += 4;
            self.stats.work += 4 * POSE_WORK;
        }
        while self.end.is_none() && self.stats.work < limit {
            if self.top <= frame.first {
                self.frames.pop();
                self.counted = false;
                return;
            }
            self.top -= 1;
            let Some(entry) = self.entries.get_mut(self.top) else { return };
            let mut entry = core::mem::replace(entry, Entry::VACANT);
            if self.prove(scene, &span, &mut entry) {
                continue;
            }
            if let Some(entry) = self.split(scene, &span, entry) {
                self.push(entry);
                if self.end.is_none() {
                    self.halve(scene, frame);
                }
                return;
            }
        }
    }

    /// There is room: what is pushed was popped before, or there was a look.
    fn push(&mut self, entry: Entry<S>) {
        if let Some(slot) = self.entries.get_mut(self.top) {
            *slot = entry;
            self.top += 1;
        }
        self.stats.most_open = self.stats.most_open.max(self.top as u64);
    }

    /// Tries to prove a pair apart over the interval.
    fn prove(&mut self, scene: &Scene<'_, S>, span: &Span<S>, entry: &mut Entry<S>) -> bool {
        let pieces = entry.claim.pieces();
        let models = scene.models();
        let both_primitive = pieces.iter().all(|piece| piece.is_primitive());
        let rounds = if both_primitive { PRIMITIVE_ROUNDS } else { NODE_ROUNDS };
        if both_primitive {
            self.stats.primitive_pairs += 1;
        } else {
            self.stats.node_pairs += 1;
        }
        let needed = radii(scene, pieces) + span.slack_near();
        let work = cost(scene, pieces) + DIRECTION_WORK;
        let mut simplex = Simplex::new();
        // A pair without a direction starts with a short difference; if that is too short to be proved, no direction will do.
        let fresh = entry.direction == Vec3::ZERO;
        if fresh && !self.approach(scene, entry, span.start(), &mut simplex, needed) {
            return false;
        }
        for round in 0..rounds {
            let direction = entry.direction;
            self.stats.work += work;
            self.stats.kernel_calls += 1;
            let Some(probe) = span.probe(direction) else { break };
            let Err(end) = self.ledger.discharge(&mut entry.claim, &probe, scene) else { return true };
            let (moment, _) = probe.at(end);
            let known = round > 0 || fresh && end == End::Start;
            if !known && !self.approach(scene, entry, moment, &mut simplex, needed) {
                break;
            }
            let Some(vertex) = gjk::support(models, pieces, probe.at(end)) else { break };
            let Some(better) = simplex.refine(vertex, direction, needed) else { break };
            entry.direction = better;
        }
        false
    }

    /// Gives the pair a short difference at a moment for a direction. Says whether it is longer than `needed`.
    fn approach(
        &mut self,
        scene: &Scene<'_, S>,
        entry: &mut Entry<S>,
        moment: &Moment<S>,
        simplex: &mut Simplex<S>,
        needed: S,
    ) -> bool {
        self.stats.work += DIRECTION_WORK;
        let Some(vertex) = gjk::approach(scene.models(), entry.claim.pieces(), moment) else { return false };
        entry.direction = vertex.at;
        simplex.seed(vertex, needed)
    }

    /// Splits a pair that could not be proved apart, or gives it back if time is to be split. Memory that is full ends the
    /// check.
    fn split(&mut self, scene: &Scene<'_, S>, span: &Span<S>, mut entry: Entry<S>) -> Option<Entry<S>> {
        let [a, b] = entry.claim.pieces();
        if a.is_primitive() && b.is_primitive() {
            for moment in [span.start(), span.end()] {
                if self.touch.is_none_or(|(touch, _)| moment.time() < touch) {
                    self.touches(scene, moment, &entry);
                }
            }
            return Some(entry);
        }
        let [size_a, size_b] = [size(scene, 0, a), size(scene, 1, b)];
        let moved = scene.bounds().speed_hi() * (span.end().time() - span.start().time());
        if size_a.max(size_b) * S::from_f64_near(SPLIT_FACTOR) < moved {
            return Some(entry);
        }
        // Two places are needed where one was taken.
        if self.top + 2 > self.entries.len() {
            self.push(entry);
            self.end = Some(self.undecided(Why::Stack));
            return None;
        }
        let claim = entry.claim.take();
        let parts = if b.is_primitive() || size_a >= size_b && !a.is_primitive() {
            self.ledger.split_a(scene, claim)
        } else {
            self.ledger.split_b(scene, claim)
        };
        match parts {
            Ok(parts) => {
                for claim in parts {
                    self.push(Entry { claim, direction: Vec3::ZERO });
                }
                None
            }
            Err(claim) => Some(Entry { claim, direction: entry.direction }),
        }
    }

    /// Notes a contact if two primitives are provably near at a moment.
    fn touches(&mut self, scene: &Scene<'_, S>, moment: &Moment<S>, entry: &Entry<S>) {
        let [PieceKind::Primitive(a), PieceKind::Primitive(b)] = entry.claim.pieces().map(Piece::kind) else { return };
        let models = scene.models();
        let limits = scene.limits();
        let near = limits.margin.add_lo(limits.tolerance);
        let apart = radii(scene, entry.claim.pieces()) + near;
        let [place_a, place_b] = moment.places();
        let work = cost(scene, entry.claim.pieces()) + DIRECTION_WORK;
        let (mut simplex, mut direction) = (Simplex::new(), entry.direction);
        for _ in 0..PRIMITIVE_ROUNDS {
            self.stats.work += work;
            let along = [place_a.rotation.apply_transposed(direction), place_b.rotation.apply_transposed(-direction)];
            let Some(vertex) = gjk::support(models, entry.claim.pieces(), (moment, along)) else { break };
            let along = direction.dot(vertex.at);
            if along > S::ZERO && along * along > apart * apart * direction.dot(direction) {
                return;
            }
            let Some(better) = simplex.refine(vertex, direction, S::ZERO) else { break };
            direction = better;
        }
        let Some((distance, points)) = distance_hi(scene, moment, [a, b], &simplex.witness()) else {
            return;
        };
        if distance <= near {
            let witness = Witness { primitives: [a, b], points, direction, distance_hi: distance };
            self.touch = Some((moment.time(), witness));
        }
    }

    /// Splits the topmost interval: all its pairs get a right half where they are, and a left half on top of them.
    fn halve(&mut self, scene: &Scene<'_, S>, frame: Frame<S>) {
        let Frame { from, until, first } = frame;
        let count = self.top - first;
        let middle = (from + until) * S::HALF;
        // Where the bodies move by less than the rounding error, shorter intervals prove no more.
        let moves = scene.bounds().speed_hi() * (until - from) > scene.bounds().rounding_hi();
        if !(moves && from < middle && middle < until && self.frames.len() < FRAMES) {
            // A contact at the start is as early as it gets; one at the end leaves this interval open.
            self.end = Some(if self.touch.is_some() { self.close() } else { self.undecided(Why::Precision) });
            return;
        }
        if first + 2 * count > self.entries.len() {
            self.end = Some(self.undecided(Why::Stack));
            return;
        }
        for right in first..first + count {
            let Some(entry) = self.entries.get_mut(right) else { break };
            let direction = entry.direction;
            match self.ledger.split_time(entry.claim.take(), middle) {
                Ok([left, right]) => {
                    entry.claim = right;
                    self.push(Entry { claim: left, direction });
                }
                Err(claim) => entry.claim = claim,
            }
        }
        self.frames.pop();
        self.counted = false;
        for half in [Frame { from: middle, until, first }, Frame { from, until: middle, first: first + count }] {
            // There is room: see above.
            let _ = self.frames.push(half);
        }
    }
}

impl<S: Scalar> Check<S> for Chord<'_, S> {
    fn step(&mut self, scene: &Scene<'_, S>, budget: Budget) -> Verdict<S> {
        // What was proved is about the other scene: nothing of it holds for this one.
        if scene.revision() != self.ledger.revision() {
            self.end = Some(Verdict::Undecided { free_until: S::ZERO, why: Why::SceneChanged });
        }
        let limit = self.stats.work.saturating_add(budget.get().max(1));
        loop {
            if let Some(verdict) = self.end {
                return verdict;
            }
            if self.stats.work >= limit {
                return self.undecided(Why::Budget);
            }
            self.work(scene, limit);
        }
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}

/// Core points of two pieces, twice: once for each end of an interval.
fn cost<S: Scalar>(scene: &Scene<'_, S>, pieces: [Piece; 2]) -> u64 {
    let [model_a, model_b] = scene.models();
    let [a, b] = pieces;
    [(model_a, a), (model_b, b)]
        .into_iter()
        .map(|(model, piece)| match piece.kind() {
            PieceKind::Node(_) => 6,
            PieceKind::Primitive(i) => model.geometry().primitive(i).map_or(0, |(p, _)| 2 * p.as_slice().len() as u64),
        })
        .sum()
}

/// The two radii together.
fn radii<S: Scalar>(scene: &Scene<'_, S>, pieces: [Piece; 2]) -> S {
    let ([model_a, model_b], [a, b]) = (scene.models(), pieces);
    let radius = |model: &crate::kernel::Model<'_, S>, piece: Piece| match piece.kind() {
        PieceKind::Node(i) => model.nodes().get(i).map_or(S::ZERO, |n| n.radius),
        PieceKind::Primitive(i) => model.geometry().primitive(i).map_or(S::ZERO, |(_, r)| r),
    };
    radius(model_a, a) + radius(model_b, b)
}

/// About the radius of a node; 0 for a primitive.
fn size<S: Scalar>(scene: &Scene<'_, S>, side: usize, piece: Piece) -> S {
    let [model_a, model_b] = scene.models();
    let model = if side == 0 { model_a } else { model_b };
    match piece.kind() {
        PieceKind::Node(i) => {
            model.nodes().get(i).map_or(S::ZERO, |n| n.radius + n.half_u.norm_max() + n.half_v.norm_max())
        }
        PieceKind::Primitive(_) => S::ZERO,
    }
}
