//! A 64-bit fingerprint of numbers, to notice that a scene has changed.

use crate::scalar::{Scalar, Vec3};

/// Mixes words one after the other (multiply and fold, with the odd constant of the golden ratio).
pub(crate) struct Fingerprint(u64);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    pub(crate) fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31);
    }

    pub(crate) fn scalar<S: Scalar>(&mut self, x: S) {
        self.word(x.to_bits64());
    }

    pub(crate) fn vector<S: Scalar>(&mut self, v: Vec3<S>) {
        v.to_array().into_iter().for_each(|x| self.scalar(x));
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}
