//! Places and rotations by chance.

use super::{Point, length, turn, unit};
use crate::random::Random;

/// A stream of numbers, decided by its seed and index.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// The stream of one case of a run.
    pub fn new(seed: u64, index: u64) -> Self {
        Self(Random::new(seed ^ index.wrapping_mul(0xd1b5_4a32_d192_ed03)))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.bits()
    }

    /// One of `0..sides`.
    pub fn side(&mut self, sides: u64) -> u64 {
        self.bits() % sides
    }

    /// Evenly between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0.within(low, high)
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
