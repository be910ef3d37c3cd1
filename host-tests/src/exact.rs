//! Exact dyadic numbers: an integer times a power of two, which every sum, difference and product of machine numbers is.

use num_bigint::{BigInt, Sign};
use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

/// `mantissa · 2^exponent`, exactly.
#[derive(Clone, Debug)]
pub struct Exact {
    mantissa: BigInt,
    exponent: i64,
}

impl Exact {
    /// The number `mantissa · 2^exponent`.
    pub fn new(mantissa: BigInt, exponent: i64) -> Self {
        Self { mantissa, exponent }
    }

    /// 0.
    pub fn zero() -> Self {
        Self::new(BigInt::ZERO, 0)
    }

    /// A power of two.
    pub fn power(exponent: i64) -> Self {
        Self::new(BigInt::from(1), exponent)
    }

    /// The value of a finite `f64`.
    ///
    /// # Panics
    /// For NaN and infinities, which are no numbers: a check must have dealt with them before.
    pub fn from_f64(x: f64) -> Self {
        assert!(x.is_finite(), "{x} has no exact value");
        let bits = x.to_bits();
        let stored = (bits >> 52 & 0x7ff) as i64;
        let fraction = (bits & ((1 << 52) - 1)) as i64;
        let magnitude = if stored == 0 { fraction } else { fraction | 1 << 52 };
        // By the sign's bit: a subnormal number may compare as zero.
        Self::new(BigInt::from(if x.is_sign_negative() { -magnitude } else { magnitude }), stored.max(1) - 1075)
    }

    /// The magnitude.
    pub fn abs(&self) -> Self {
        Self::new(BigInt::from(self.mantissa.magnitude().clone()), self.exponent)
    }

    /// The square.
    pub fn square(&self) -> Self {
        self * self
    }

    /// −1, 0 or 1.
    pub fn signum(&self) -> i32 {
        match self.mantissa.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    /// The integer part of `self · 2^bits`, rounded down.
    pub fn scaled(&self, bits: i64) -> BigInt {
        let shift = self.exponent + bits;
        if shift >= 0 { &self.mantissa << shift } else { &self.mantissa >> -shift }
    }

    /// How many bits the integer part has; 0 or less for a fraction.
    pub fn magnitude_bits(&self) -> i64 {
        self.mantissa.bits() as i64 + self.exponent
    }

    /// About this value.
    pub fn to_f64(&self) -> f64 {
        let surplus = (self.mantissa.bits() as i64 - 60).max(0);
        let short = i64::try_from(&self.mantissa >> surplus).unwrap_or(i64::MAX);
        // In two steps: the power alone may be too small where the product is not.
        let exponent = self.exponent + surplus;
        let half = exponent / 2;
        short as f64 * 2_f64.powf(half as f64) * 2_f64.powf((exponent - half) as f64)
    }

    fn aligned(&self, other: &Self) -> (BigInt, BigInt, i64) {
        let exponent = self.exponent.min(other.exponent);
        (&self.mantissa << (self.exponent - exponent), &other.mantissa << (other.exponent - exponent), exponent)
    }
}

impl Add for &Exact {
    type Output = Exact;
    fn add(self, rhs: Self) -> Exact {
        let (a, b, exponent) = self.aligned(rhs);
        Exact::new(a + b, exponent)
    }
}

impl Sub for &Exact {
    type Output = Exact;
    fn sub(self, rhs: Self) -> Exact {
        let (a, b, exponent) = self.aligned(rhs);
        Exact::new(a - b, exponent)
    }
}

impl Mul for &Exact {
    type Output = Exact;
    fn mul(self, rhs: Self) -> Exact {
        Exact::new(&self.mantissa * &rhs.mantissa, self.exponent + rhs.exponent)
    }
}

impl Neg for &Exact {
    type Output = Exact;
    fn neg(self) -> Exact {
        Exact::new(-&self.mantissa, self.exponent)
    }
}

impl PartialEq for Exact {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Exact {}

impl PartialOrd for Exact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Exact {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b, _) = self.aligned(other);
        a.cmp(&b)
    }
}

/// The scalar product of two exact vectors.
pub fn dot(a: &[Exact; 3], b: &[Exact; 3]) -> Exact {
    a.iter().zip(b).fold(Exact::zero(), |sum, (x, y)| &sum + &(x * y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn follows_f64_where_f64_is_exact() {
        for (a, b) in [(1.5, -0.25), (5e-324, 1.0), (-3.0, 1024.0), (0.0, -7.0)] {
            let (x, y) = (Exact::from_f64(a), Exact::from_f64(b));
            assert_eq!(&x * &y, Exact::from_f64(a * b));
            assert_eq!(x < y, a < b);
            assert_eq!(x.abs(), Exact::from_f64(a.abs()));
        }
        assert_eq!(&Exact::from_f64(1.5) + &Exact::from_f64(-0.25), Exact::from_f64(1.25));
        assert_ne!(&Exact::from_f64(1.0) + &Exact::from_f64(1e-30), Exact::from_f64(1.0));
    }

    #[test]
    fn small_numbers_keep_their_size() {
        for exponent in [-1080, -1040, -1000, 0, 900] {
            let x = Exact::new(BigInt::from((1_i64 << 59) + 1), exponent);
            assert_eq!(x.to_f64(), 2_f64.powi(exponent as i32 + 59));
        }
        assert_eq!(Exact::power(-2200).to_f64(), 0.0);
        assert_eq!(Exact::from_f64(f64::MIN_POSITIVE).to_f64(), f64::MIN_POSITIVE);
    }
}
