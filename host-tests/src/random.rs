//! A small deterministic generator, and numbers that are apt to go wrong.

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers on every machine.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// One in `n`.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.bits().is_multiple_of(n)
    }

    /// Evenly from `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * 2_f64.powi(-53)
    }

    /// Evenly from `[lo, hi)`.
    pub fn within(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.unit()
    }

    /// Of any magnitude from `10^lo` to `10^hi`.
    pub fn magnitude(&mut self, lo: f64, hi: f64) -> f64 {
        10_f64.powf(self.within(lo, hi))
    }

    /// One of these.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// A vector with components from `[-1, 1)`.
    pub fn vector(&mut self) -> [f64; 3] {
        [0; 3].map(|_| self.within(-1.0, 1.0))
    }

    /// A direction: any, along an axis, or nearly so.
    pub fn direction(&mut self) -> [f64; 3] {
        let mut v = self.vector();
        match self.below(8) {
            0 => v[self.below(3)] = 0.0,
            1 => {
                let keep = self.below(3);
                let rest = if self.one_in(2) { 0.0 } else { 1e-6 };
                v = [0, 1, 2].map(|i| if i == keep { v[i] } else { v[i] * rest });
            }
            _ => {}
        }
        let length = v.iter().map(|x| x * x).sum::<f64>().sqrt();
        if length > 1e-3 { v.map(|x| x / length) } else { [0.6, 0.0, 0.8] }
    }

    /// A quaternion of length nearly 1: any, none, a tiny turn, quarter turns.
    pub fn quaternion(&mut self) -> [f64; 4] {
        let axis = self.direction();
        let angle = match self.below(8) {
            0 => 0.0,
            1 => self.magnitude(-9.0, -2.0),
            2 => self.pick(&[1.0, 2.0, 3.0]) * std::f64::consts::FRAC_PI_2,
            _ => self.within(0.0, std::f64::consts::TAU),
        };
        crate::scenes::turn(axis, angle)
    }

    /// A finite number that is apt to go wrong: of any exponent, next to another, a power of two, zero, subnormal, huge.
    pub fn nasty(&mut self, single: bool) -> f64 {
        let sign = if self.one_in(2) { 1.0 } else { -1.0 };
        let (least, most) = if single { (-149, 127) } else { (-1074, 1023) };
        let x = match self.below(10) {
            0 => self.unit(),
            1 => self.within(0.0, 1000.0),
            2 => 2_f64.powi(self.below((most - least) as usize) as i32 + least),
            3 => [0.0, 1.0, 2.0, 0.5, 3.0][self.below(5)],
            4 => self.below(1 << 20) as f64,
            5 => 2_f64.powi(self.below(40) as i32 - 20) * (1.0 + self.pick(&[-1.0, 1.0, 2.0]) * 2_f64.powi(-23)),
            _ => {
                let exponent = (self.below((most - least - 1) as usize) as i32) + least;
                (1.0 + self.unit()) * 2_f64.powi(exponent)
            }
        };
        let x = sign * x;
        if !single {
            return x;
        }
        // Narrowed, so that the number is the scalar's own.
        let narrow = f64::from(x as f32);
        if narrow.is_finite() { narrow } else { f64::from(f32::MAX) }
    }

    /// A whole number of less than this many bits that is apt to go wrong: of any length, next to a power of two or to the greatest.
    pub fn nasty_units(&mut self, bits: u32) -> f64 {
        let length = self.below(bits as usize) as i32;
        let x = match self.below(6) {
            0 => self.below(4) as f64,
            1 => 2_f64.powi(length) + self.pick(&[-1.0, 0.0, 1.0]),
            2 => 2_f64.powi(bits as i32) * (1.0 - 2_f64.powi(-30) * (1 + self.below(4)) as f64),
            _ => (2_f64.powi(length) * (1.0 + self.unit())).round(),
        };
        let x = x.min(2_f64.powi(bits as i32).next_down() - 1.0);
        if self.one_in(2) { x } else { -x }
    }

    /// Of any exponent a geometry may have, in thirds of the range; no subnormals.
    pub fn coordinate(&mut self) -> f64 {
        let x = match self.below(6) {
            0 => 0.0,
            1 => 2_f64.powi(self.below(20) as i32 - 10),
            2 => self.magnitude(-12.0, 6.0),
            _ => self.unit(),
        };
        if self.one_in(2) { x } else { -x }
    }
}
