//! Chance from a seed (SplitMix64: Steele, Lea and Flood 2014).

use super::{Point, length, turn, unit};

/// A stream of numbers, decided by its seed and index.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The stream of one case of a run.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut dice = Self(seed ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03));
        dice.bits();
        dice
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..sides`.
    pub fn side(&mut self, sides: u64) -> u64 {
        self.bits() % sides
    }

    /// Evenly between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Evenly in the unit ball.
    pub fn in_ball(&mut self) -> Point {
        loop {
            let p = [0; 3].map(|_| self.between(-1.0, 1.0));
            if length(p) <= 1.0 {
                return p;
            }
        }
    }

    /// A direction of length 1.
    pub fn direction(&mut self) -> Point {
        loop {
            let p = self.in_ball();
            if length(p) > 0.1 {
                return unit(p);
            }
        }
    }

    /// A quaternion of length 1, any rotation.
    pub fn rotation(&mut self) -> [f64; 4] {
        let axis = self.direction();
        turn(axis, self.between(-3.1, 3.1))
    }
}
