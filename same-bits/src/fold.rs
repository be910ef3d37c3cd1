//! One number over every bit of every verdict.

use avert::{Distance, Scalar, Stats, Vec3, Verdict, Why, Witness};

/// What some queries came to.
#[derive(Clone, Copy, Debug)]
pub struct Tally {
    /// FNV-1a over all verdicts, distances and costs.
    pub hash: u64,
    /// How many verdicts and distances there were, of each kind.
    pub free: u32,
    pub contact: u32,
    pub budget: u32,
    pub stack: u32,
    pub precision: u32,
    pub distance: u32,
    /// Motions that the library refused: most are nearly half a turn.
    pub refused: u32,
}

impl Tally {
    pub(crate) const EMPTY: Self = Self {
        hash: 0xcbf2_9ce4_8422_2325,
        free: 0,
        contact: 0,
        budget: 0,
        stack: 0,
        precision: 0,
        distance: 0,
        refused: 0,
    };

    pub(crate) fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.hash = (self.hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }

    /// Which NaN it is, is the machine's to choose.
    fn scalar<S: Scalar>(&mut self, x: S) {
        let is_nan = x.partial_cmp(&x).is_none();
        self.word(if is_nan { u64::MAX } else { x.to_bits64() });
    }

    fn vector<S: Scalar>(&mut self, v: Vec3<S>) {
        v.to_array().into_iter().for_each(|x| self.scalar(x));
    }

    fn witness<S: Scalar>(&mut self, witness: Witness<S>) {
        let Witness { primitives, points: [a, b], direction, distance_hi } = witness;
        primitives.into_iter().for_each(|id| self.word(id as u64));
        [a, b, direction].into_iter().for_each(|v| self.vector(v));
        self.scalar(distance_hi);
    }

    fn why(&mut self, why: Why) {
        self.word(why as u64);
        match why {
            Why::Budget => self.budget += 1,
            Why::Stack => self.stack += 1,
            Why::Precision | Why::Range | Why::Start => self.precision += 1,
            Why::SceneChanged => unreachable!("every check has one scene"),
        }
    }

    pub(crate) fn verdict<S: Scalar>(&mut self, verdict: Verdict<S>) {
        match verdict {
            Verdict::Free(proof) => {
                self.free += 1;
                self.word(0);
                self.word(proof.revision());
            }
            Verdict::Contact { free_until, touch, witness } => {
                self.contact += 1;
                self.word(1);
                self.scalar(free_until);
                self.scalar(touch);
                self.witness(witness);
            }
            Verdict::Undecided { free_until, why } => {
                self.word(2);
                self.scalar(free_until);
                self.why(why);
            }
        }
    }

    pub(crate) fn stats(&mut self, stats: Stats) {
        let Stats { work, node_pairs, primitive_pairs, kernel_calls, poses, iterations, front, most_open } = stats;
        let counts = [work, node_pairs, primitive_pairs, kernel_calls, poses, iterations, front, most_open];
        counts.into_iter().for_each(|count| self.word(count));
    }

    pub(crate) fn distance<S: Scalar>(&mut self, distance: Result<Distance<S>, Why>) {
        match distance {
            Ok(Distance { distance_lo, witness, stats }) => {
                self.distance += 1;
                self.word(3);
                self.scalar(distance_lo);
                self.witness(witness);
                self.stats(stats);
            }
            Err(why) => {
                self.word(4);
                self.why(why);
            }
        }
    }

    pub(crate) fn refused(&mut self) {
        self.refused += 1;
        self.word(5);
    }
}
