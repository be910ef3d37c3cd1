//! Random integers, and numbers made from them that are exact in every scalar.

use avert::{Pose, Scalar, Vec3};

/// SplitMix64 (Steele, Lea and Flood 2014).
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// From `−limit` to `limit`.
    fn within(&mut self, limit: u32) -> i32 {
        self.below(2 * limit + 1) as i32 - limit as i32
    }

    /// A vector with components of at most `limit` units.
    pub(crate) fn units(&mut self, limit: u32) -> [i32; 3] {
        [0; 3].map(|_| self.within(limit))
    }

    /// A vector with components of at most `limit` units, in metres.
    pub(crate) fn vector<S: Scalar>(&mut self, limit: u32) -> Vec3<S> {
        self.units(limit).map(metres).into()
    }

    /// A pose whose position has components of at most `limit` units: not turned, turned by a simple ratio, or anyhow.
    pub(crate) fn pose<S: Scalar>(&mut self, limit: u32) -> Pose<S> {
        let most = [0, 2, 30, 30][self.below(4) as usize];
        let [x, y, z] = self.units(most).map(i64::from);
        let w = i64::from(self.within(most));
        let square = w * w + x * x + y * y + z * z;
        let [w, square] = if square == 0 { [1, 1] } else { [w, square] };
        // In units of 2⁻¹⁶, the length is 2¹⁶·√square; the quotient is short of the real one by at most one unit.
        let length = (square << 32).isqrt();
        let rotation = [w, x, y, z].map(|c| metres::<S>(((c << 32) / length) as i32));
        Pose::new(rotation, self.units(limit).map(metres))
    }
}

/// Units in a metre: coarse enough for a scalar with 20 bits behind the point.
pub(crate) const METRE: u32 = 1 << 16;

/// Units of 2⁻¹⁶ metres, or as many radians, or just numbers. Exact in every scalar for less than 2²⁴ units.
pub(crate) fn metres<S: Scalar>(units: i32) -> S {
    S::from_f64_near(f64::from(units) / f64::from(METRE))
}
