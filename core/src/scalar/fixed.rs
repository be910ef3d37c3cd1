//! `Fix32` and `Fix64`: integers that count a power of two, rounded exactly to either side.
//!
//! **Computes** in double width, and rounds once. **Invariant**: the least integer is NaN, the greatest is infinity and its
//! negative the other one; a directed function that meets any of them, or whose result does not fit, gives NaN. The plain
//! operators do not look: they are saturated, so that a result never turns round. **Follows** two's complement
//! arithmetic. **Departs**: a scalar product is rounded once, not five times.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the widths are the subject here, and each cast says why it holds"
)]

#[cfg(feature = "by-hand")]
use super::trigonometry::fix8;
use super::trigonometry::{fix32, fix64};
use super::{Number, Scalar};
use crate::mutant::mutant;
use core::cmp::Ordering;
use core::fmt;
use core::ops::{Add, Mul, Neg, Sub};
#[cfg(feature = "by-hand")]
use fixed::types::I4F4;
use fixed::types::{I12F20, I24F40};

/// `⌊x·2^fraction⌋`, by the bits alone; `None` for NaN and where it does not fit.
fn floor_of(x: f64, fraction: i32) -> Option<i64> {
    let (bits, stored) = (x.to_bits(), (x.to_bits() >> 52 & 0x7ff) as i32);
    // |x| = mantissa · 2^(stored − 1075), with the hidden bit of a normal number; a subnormal has the least exponent.
    let mantissa = (bits & ((1 << 52) - 1) | u64::from(stored != 0) << 52) as i64;
    let signed = if bits >> 63 == 0 { mantissa } else { -mantissa };
    match stored.max(1) - 1075 + fraction {
        // Shifting right rounds down.
        shift @ ..0 => Some(signed >> (-shift).min(63)),
        // A mantissa has 53 bits, so this fits, and a longer shift does not; those of infinities and NaN are longer.
        shift @ 0..=10 => Some(signed << shift),
        _ => None,
    }
}

macro_rules! fixed_point {
    (
        $(#[$doc:meta])*
        $name:ident: $inner:ident, $int:ident, $wide:ident, $unsigned:ident, $grid:ident, $fraction:literal, $range:literal, $trig:ident
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default)]
        pub struct $name($inner);

        impl $name {
            const FRACTION: u32 = $fraction;
            const NAN: Self = Self::from_bits($int::MIN);
            /// Infinity, which no finite number reaches.
            const MOST: $wide = $int::MAX as $wide;
            /// Half a unit, where products are rounded.
            const HALF_UNIT: $wide = 1 << (Self::FRACTION - 1);

            #[doc = concat!("The number `bits · 2^-", $fraction, "`; the least integer is NaN, the greatest is infinity.")]
            pub const fn from_bits(bits: $int) -> Self {
                Self($inner::from_bits(bits))
            }

            #[doc = concat!("How many units of `2^-", $fraction, "` this is.")]
            pub const fn to_bits(self) -> $int {
                self.0.to_bits()
            }

            fn wide(self) -> $wide {
                self.to_bits().into()
            }

            /// The units of a finite number.
            fn finite(self) -> Option<$wide> {
                (self.wide().abs() < Self::MOST).then_some(self.wide())
            }

            /// That many units, if they fit.
            fn checked(units: impl TryInto<$wide>) -> Self {
                let Ok(units) = units.try_into() else { return Self::NAN };
                let fits = units.abs() < Self::MOST || mutant!(FixedOverflowKept);
                // Truncates nothing: the number fits.
                if fits { Self::from_bits(units as $int) } else { Self::NAN }
            }

            /// The nearest that fits; the result is between the ends, so the cast keeps it.
            #[inline]
            fn saturated(units: $wide) -> Self {
                Self::from_bits(units.clamp(-Self::MOST, Self::MOST) as $int)
            }

            #[inline]
            fn directed(self, rhs: Self, f: impl Fn($wide, $wide) -> Option<$wide>) -> Self {
                let units = self.finite().zip(rhs.finite()).and_then(|(a, b)| f(a, b));
                units.map_or(Self::NAN, Self::checked)
            }

            /// The quotient rounded down, of numbers whose shift fits the double width; `None` for a zero divisor.
            fn floor_quotient(a: $wide, b: $wide) -> Option<$wide> {
                let (a, b) = if b < 0 { (-a, -b) } else { (a, b) };
                (a << Self::FRACTION).checked_div_euclid(b)
            }

            fn wave(self) -> Option<($trig::Value, $trig::Value)> {
                self.finite().map(|_| $trig::wave(self.to_bits()))
            }

            fn atan(self) -> Option<$trig::Value> {
                self.finite().map(|_| $trig::atan(self.to_bits()))
            }

            /// The sum of squares, exactly: each is below 2 to the power of all bits less 2, and there are three.
            #[inline]
            fn square(vector: [Self; 3]) -> Option<$unsigned> {
                let [x, y, z] = vector.map(|x| x.finite().map(|x| (x * x) as $unsigned));
                Some(x? + y? + z?)
            }

            /// The root rounded down or up, of the square of a number of units.
            #[inline]
            fn root(square: $unsigned, up: bool) -> Self {
                let root = square.isqrt();
                let short = up && root * root != square && !mutant!(FixedRootNotDirected);
                // A root has half the bits.
                Self::checked(root as $wide + $wide::from(short))
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self.finite() {
                    Some(_) => fmt::Debug::fmt(&self.0, f),
                    None => fmt::Debug::fmt(&self.to_f64(), f),
                }
            }
        }

        impl PartialEq for $name {
            #[inline]
            fn eq(&self, rhs: &Self) -> bool {
                self.0 == rhs.0 && self.0 != Self::NAN.0
            }
        }

        // NaN is the least integer, so it is enough to look at the side that is to be less.
        impl PartialOrd for $name {
            #[inline]
            fn partial_cmp(&self, rhs: &Self) -> Option<Ordering> {
                (self.0 != Self::NAN.0 && rhs.0 != Self::NAN.0).then(|| self.0.cmp(&rhs.0))
            }
            #[inline]
            fn lt(&self, rhs: &Self) -> bool {
                self.0 < rhs.0 && self.0 != Self::NAN.0
            }
            #[inline]
            fn le(&self, rhs: &Self) -> bool {
                self.0 <= rhs.0 && self.0 != Self::NAN.0
            }
            #[inline]
            fn gt(&self, rhs: &Self) -> bool {
                rhs < self
            }
            #[inline]
            fn ge(&self, rhs: &Self) -> bool {
                rhs <= self
            }
        }

        impl Add for $name {
            type Output = Self;
            #[inline]
            fn add(self, rhs: Self) -> Self {
                Self(self.0.saturating_add(rhs.0))
            }
        }

        impl Sub for $name {
            type Output = Self;
            #[inline]
            fn sub(self, rhs: Self) -> Self {
                Self(self.0.saturating_sub(rhs.0))
            }
        }

        impl Neg for $name {
            type Output = Self;
            #[inline]
            fn neg(self) -> Self {
                Self(self.0.saturating_neg())
            }
        }

        impl Mul for $name {
            type Output = Self;
            #[inline]
            fn mul(self, rhs: Self) -> Self {
                Self::saturated((self.wide() * rhs.wide() + Self::HALF_UNIT) >> Self::FRACTION)
            }
        }

        impl Number for $name {
            #[inline]
            fn dot([a, b, c]: [Self; 3], [x, y, z]: [Self; 3]) -> Self {
                // Two products fit together, unless all four numbers are NaN; the third may be too much.
                let two = (a.wide() * x.wide()).saturating_add(b.wide() * y.wide());
                let sum = two.saturating_add(c.wide() * z.wide() + Self::HALF_UNIT);
                Self::saturated(sum >> Self::FRACTION)
            }
        }

        impl Scalar for $name {
            const ZERO: Self = Self::from_bits(0);
            const ONE: Self = Self::from_bits(1 << $fraction);
            const HALF: Self = Self::from_bits(1 << ($fraction - 1));
            const LEAST: Self = Self::from_bits(-$int::MAX);
            const GREATEST: Self = Self::from_bits($int::MAX);
            const RANGE: Self = Self::from_bits($range << $fraction);
            const FLOATING: bool = false;
            const FINEST: i32 = -$fraction;

            // Sums are exact.
            fn add_lo(self, rhs: Self) -> Self {
                self.directed(rhs, |a, b| Some(a + b))
            }
            fn add_hi(self, rhs: Self) -> Self {
                self.add_lo(rhs)
            }
            fn sub_lo(self, rhs: Self) -> Self {
                self.directed(rhs, |a, b| Some(a - b))
            }
            fn sub_hi(self, rhs: Self) -> Self {
                self.sub_lo(rhs)
            }
            // A shift to the right rounds down.
            fn mul_lo(self, rhs: Self) -> Self {
                self.directed(rhs, |a, b| Some((a * b) >> Self::FRACTION))
            }
            fn mul_hi(self, rhs: Self) -> Self {
                if mutant!(FixedMulNotDirected) {
                    return self.mul_lo(rhs);
                }
                // Not as the negated floor of the negated product: rustc 1.95 for RV32 lost a summand after that.
                self.directed(rhs, |a, b| Some((a * b + (1 << Self::FRACTION) - 1) >> Self::FRACTION))
            }
            fn div_lo(self, rhs: Self) -> Self {
                self.directed(rhs, Self::floor_quotient)
            }
            fn div_hi(self, rhs: Self) -> Self {
                self.directed(rhs, |a, b| Self::floor_quotient(-a, b).map(|q| -q))
            }
            // √(x/2^f) = √(x·2^f) / 2^f.
            fn sqrt_lo(self) -> Self {
                self.finite().map_or(Self::NAN, |x| Self::root((x.max(0) << Self::FRACTION) as $unsigned, false))
            }
            fn sqrt_hi(self) -> Self {
                self.finite().map_or(Self::NAN, |x| Self::root((x.max(0) << Self::FRACTION) as $unsigned, true))
            }

            fn sin_lo(self) -> Self {
                self.wave().map_or(Self::NAN, |(sin, _)| Self::from_bits($trig::down(sin)).max(-Self::ONE))
            }
            fn sin_hi(self) -> Self {
                self.wave().map_or(Self::NAN, |(sin, _)| Self::from_bits($trig::up(sin)).min(Self::ONE))
            }
            fn cos_lo(self) -> Self {
                self.wave().map_or(Self::NAN, |(_, cos)| Self::from_bits($trig::down(cos)).max(-Self::ONE))
            }
            fn cos_hi(self) -> Self {
                self.wave().map_or(Self::NAN, |(_, cos)| Self::from_bits($trig::up(cos)).min(Self::ONE))
            }
            fn atan_lo(self) -> Self {
                self.atan().map_or(Self::NAN, |x| Self::from_bits($trig::down(x)))
            }
            fn atan_hi(self) -> Self {
                self.atan().map_or(Self::NAN, |x| Self::from_bits($trig::up(x)))
            }

            fn longest_hi(vectors: impl IntoIterator<Item = [Self; 3]>) -> Self {
                let most = vectors.into_iter().try_fold(0, |most, v| Some(Self::square(v)?.max(most)));
                most.map_or(Self::NAN, |square| Self::root(square, true))
            }
            fn norm_lo(vector: [Self; 3]) -> Self {
                Self::square(vector).map_or(Self::NAN, |square| Self::root(square, false))
            }

            // Sums are exact while they fit, and a product (a scalar product) errs by half a unit. A result that does not fit is
            // saturated, which brings it nearer to a real result that does.
            fn rounding_hi(operations: u16, magnitude: Self) -> Self {
                if magnitude.abs() < Self::GREATEST { Self::checked(operations.div_ceil(2)) } else { Self::NAN }
            }
            // Rounded to the nearest unit from a value that is much finer: see there.
            fn trig_error_hi() -> Self {
                Self::from_bits(1)
            }
            fn sin_cos(self) -> (Self, Self) {
                let near = |x| Self::from_bits($trig::near(x));
                self.wave().map_or((Self::NAN, Self::NAN), |(sin, cos)| (near(sin), near(cos)))
            }

            fn from_f64_lo(x: f64) -> Self {
                floor_of(x, $fraction).map_or(Self::NAN, Self::checked)
            }
            fn from_f64_hi(x: f64) -> Self {
                floor_of(-x, $fraction).map_or(Self::NAN, |units| Self::checked(-units))
            }
            fn to_f64(self) -> f64 {
                // A power of two.
                const UNIT: f64 = 1.0 / (1_u64 << $fraction) as f64;
                match self.finite() {
                    Some(units) => units as f64 * UNIT,
                    None if self > Self::ZERO => f64::INFINITY,
                    None if self < Self::ZERO => f64::NEG_INFINITY,
                    None => f64::NAN,
                }
            }
            fn to_bits64(self) -> u64 {
                i64::from(self.to_bits()) as u64
            }

            fn from_grid(mantissa: i32, exponent: i32) -> Self {
                // With a longer shift nothing but zero is in range, and with a shorter one nothing is lost.
                let shift = exponent.saturating_add($fraction).clamp(0, 64).min($int::BITS as i32 + 6);
                let x = Self::checked($grid::from(mantissa) << shift);
                if exponent >= Self::FINEST && x.in_range() { x } else { Self::NAN }
            }

            fn to_grid(self, exponent: i32) -> i32 {
                let (units, shift) = ($grid::from(self.wide()), exponent.saturating_add($fraction));
                let steps = match shift {
                    // To the nearest: half a step more, and down.
                    1.. => ((units >> (shift.min(63) - 1)) + 1) >> 1,
                    _ => units << shift.unsigned_abs().min(31),
                };
                steps.clamp(i32::MIN.into(), i32::MAX.into()) as i32
            }
            fn fits(exponent: i32) -> bool {
                exponent <= ($range as u32).ilog2() as i32
            }

            fn unit_scaled(vector: [Self; 3]) -> Option<[Self; 3]> {
                let [x, y, z] = vector.map(Scalar::abs);
                let units = x.max(y).max(z).finite().filter(|units| *units > 0)?;
                let bits = $wide::BITS - units.leading_zeros();
                Some(vector.map(|x| {
                    let (x, size) = (x.to_bits(), x.to_bits().abs());
                    if bits <= Self::FRACTION {
                        return Self::from_bits(x << (Self::FRACTION - bits));
                    }
                    // Towards zero, so that no component becomes 1.
                    let size = size >> (bits - Self::FRACTION);
                    Self::from_bits(if x < 0 { -size } else { size })
                }))
            }
            fn abs(self) -> Self {
                if self.to_bits() == $int::MIN { self } else { Self(self.0.saturating_abs()) }
            }
            // One less makes NaN the greatest integer, and keeps the order of all others.
            #[inline]
            fn max(self, rhs: Self) -> Self {
                if mutant!(FixedMaxDropsNan) {
                    return Self(self.0.max(rhs.0));
                }
                Self::from_bits(self.to_bits().wrapping_sub(1).max(rhs.to_bits().wrapping_sub(1)).wrapping_add(1))
            }
            #[inline]
            fn min(self, rhs: Self) -> Self {
                Self(self.0.min(rhs.0))
            }
            fn in_range(self) -> bool {
                self.abs() <= Self::RANGE
            }

            fn magnifier(self) -> Self {
                let bits = (self.to_bits().unsigned_abs() | 1).ilog2();
                let bits = bits.clamp(Self::FRACTION.saturating_sub(10), Self::FRACTION + 10);
                Self::from_bits(1 << (2 * Self::FRACTION - bits).min($int::BITS - 2))
            }

            fn sqrt_near(self) -> Self {
                self.sqrt_lo()
            }
            fn div_near(self, rhs: Self) -> Self {
                Self::from_bits($trig::quotient(self.to_bits(), rhs.to_bits()))
            }
            fn from_f64_near(x: f64) -> Self {
                Self::from_f64_lo(x + 0.5 / (1_u64 << $fraction) as f64)
            }
        }
    };
}

fixed_point! {
    /// A number of 32 bits: multiples of 2⁻²⁰ (about a micrometre) below 2048, for processors without floating point.
    ///
    /// Coordinates and lengths of up to 512 m are let in.
    Fix32: I12F20, i32, i64, u64, i64, 20, 512, fix32
}

fixed_point! {
    /// A number of 64 bits: multiples of 2⁻⁴⁰ below 2²³. Coordinates and lengths of up to 1024 m are let in.
    Fix64: I24F40, i64, i128, u128, i128, 40, 1024, fix64
}

#[cfg(feature = "by-hand")]
fixed_point! {
    /// A number of 8 bits: multiples of 2⁻⁴ below 8, so few that a suite can try them all. Up to 4 m are let in.
    Fix8: I4F4, i8, i16, u16, i64, 4, 4, fix8
}
