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
use super::memory::{Entry, Memory};
use super::pair::{self, POSE_WORK};
use super::prove::prove;
use super::search::{Search, Strategy};
use crate::kernel::{Pair, Scene, Span};
use crate::scalar::Scalar;
use crate::verdict::{Budget, Stats, Verdict, Why};

/// Bisections of time. Those of an ordinary motion end after 20 to 50, when the bodies move by less than the rounding error;
/// the rest is for extreme ones.
const FRAMES: usize = 72;

/// A pair is split while its larger piece, times this, is larger than the motion during the interval (measured: the
/// optimum is flat).
const SPLIT_FACTOR: f64 = 2.5;

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
    search: Search<'w, S>,
    frames: heapless::Vec<Frame<S>, FRAMES>,
    /// Is the topmost frame in the statistics already?
    counted: bool,
}

impl<'w, S: Scalar> Chord<'w, S> {
    /// Starts a check. Memory without room for one entry ends at once as `Undecided`.
    pub fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>) -> Self {
        let mut frames = heapless::Vec::new();
        // The vector is empty, so there is room.
        let _ = frames.push(Frame { from: S::ZERO, until: S::ONE, first: 0 });
        Self { search: Search::new(scene, memory), frames, counted: false }
    }

    /// Splits a pair that could not be proved apart, or gives it back if time is to be split. Memory that is full ends the
    /// check.
    fn split(&mut self, scene: &Scene<'_, S>, span: &Span<S>, pair: &Pair<'_, S>, entry: Entry<S>) -> Option<Entry<S>> {
        let Some(side) = pair::larger(pair) else {
            for moment in [span.start(), span.end()] {
                self.search.touches(scene, moment, pair, entry.direction);
            }
            return Some(entry);
        };
        let [a, b] = pair.shapes();
        let size = a.size().max(b.size());
        let moved = scene.bounds().speed_hi() * (span.end().time() - span.start().time());
        if size * S::from_f64_near(SPLIT_FACTOR) < moved {
            return Some(entry);
        }
        self.search.split(scene, side, entry).err()
    }

    /// Splits the topmost interval: all its pairs get a right half where they are, and a left half on top of them.
    fn halve(&mut self, scene: &Scene<'_, S>, frame: Frame<S>) {
        let Frame { from, until, first } = frame;
        let count = self.search.top - first;
        let middle = (from + until) * S::HALF;
        let splits = from < middle && middle < until && self.frames.len() < FRAMES;
        if !splits || Search::is_idle(scene, from, until) {
            // A contact at the start is as early as it gets; one at the end leaves this interval open.
            self.search.close(Why::Precision);
            return;
        }
        if first + 2 * count > self.search.entries.len() {
            self.search.close(Why::Stack);
            return;
        }
        for right in first..first + count {
            let Some(entry) = self.search.entries.get_mut(right) else { break };
            let direction = entry.direction;
            match self.search.ledger.split_time(entry.claim.take(), middle) {
                Ok([left, right]) => {
                    entry.claim = right;
                    self.search.push(Entry { claim: left, direction });
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

impl<'w, S: Scalar> Strategy<'w, S> for Chord<'w, S> {
    fn search(&mut self) -> &mut Search<'w, S> {
        &mut self.search
    }

    /// Works on the topmost interval until it is done with, the check has ended, or the limit is reached.
    fn work(&mut self, scene: &Scene<'_, S>, limit: u64) {
        let frame = match self.frames.last() {
            Some(frame) if self.search.touch.is_none_or(|(touch, _)| frame.from < touch) => *frame,
            Some(_) | None => return self.search.close(Why::Stack),
        };
        let Some(span) = Span::new(scene, frame.from, frame.until) else {
            self.search.end = Some(self.search.undecided(Why::Precision));
            return;
        };
        // Counted once, however often the interval is taken up again.
        if !self.counted {
            self.counted = true;
            self.search.stats.iterations += 1;
            self.search.stats.poses += 4;
            self.search.stats.work += 4 * POSE_WORK;
        }
        while self.search.end.is_none() && self.search.stats.work < limit {
            if self.search.top <= frame.first {
                self.frames.pop();
                self.counted = false;
                return;
            }
            let Some((pair, mut entry)) = self.search.take(scene) else { return };
            if prove(&mut self.search.ledger, &mut self.search.stats, &span, &pair, &mut entry) {
                continue;
            }
            if let Some(entry) = self.split(scene, &span, &pair, entry) {
                // There is room: this one was popped before.
                self.search.push(entry);
                if self.search.end.is_none() {
                    self.halve(scene, frame);
                }
                return;
            }
        }
    }
}

impl<S: Scalar> Check<S> for Chord<'_, S> {
    fn step(&mut self, scene: &Scene<'_, S>, budget: Budget) -> Verdict<S> {
        Search::step(scene, budget, self)
    }

    fn stats(&self) -> Stats {
        self.search.stats
    }
}
