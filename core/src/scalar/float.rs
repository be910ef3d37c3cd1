//! `f32` and `f64`: round to nearest, then step outward.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "narrowing to f32 and exact comparison are the subject here; a mantissa from a grid fits, and its exponent is clamped"
)]

use super::{Number, Scalar};
use crate::mutant::mutant;

macro_rules! scalar {
    ($t:ident, $step:ident, $bits:ident, $sqrt:path, $sin:path, $cos:path, $atan:path, $range:expr, $root_of_floor:expr) => {
        mod $step {
            use crate::mutant::mutant;

            /// Results below this magnitude step by this much, which covers a flush to zero.
            pub(super) const FLOOR: $t = 2.0 * $t::MIN_POSITIVE;

            /// The real value of a correctly rounded operation with result `x` is at least `down(x)`: it differs by
            /// at most half a unit in the last place, and by less than the least normal number where subnormals
            /// are flushed.
            pub(super) fn down(x: $t) -> $t {
                if x.abs() < FLOOR && !mutant!(FlushForgotten) { x - FLOOR } else { x.next_down() }
            }

            /// `2^exponent`, for the exponent of a normal number.
            pub(super) fn power(exponent: i32) -> $t {
                const MANTISSA: u32 = $t::MANTISSA_DIGITS - 1;
                $t::from_bits(((exponent + $t::MAX_EXP - 1) as $bits) << MANTISSA)
            }

            /// The mirror image of `down`.
            pub(super) fn up(x: $t) -> $t {
                -down(-x)
            }
        }

        impl Number for $t {}

        impl Scalar for $t {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            const HALF: Self = 0.5;
            const LEAST: Self = $t::NEG_INFINITY;
            const GREATEST: Self = $t::INFINITY;
            const RANGE: Self = $range;
            const FLOATING: bool = true;
            // Finer than any length that matters, and its square is far from subnormal.
            const FINEST: i32 = -50;

            fn add_lo(self, rhs: Self) -> Self {
                if mutant!(AddNotDirected) {
                    return self + rhs;
                }
                $step::down(self + rhs)
            }
            fn add_hi(self, rhs: Self) -> Self {
                $step::up(self + rhs)
            }
            fn sub_lo(self, rhs: Self) -> Self {
                $step::down(self - rhs)
            }
            fn sub_hi(self, rhs: Self) -> Self {
                $step::up(self - rhs)
            }
            fn mul_lo(self, rhs: Self) -> Self {
                $step::down(self * rhs)
            }
            fn mul_hi(self, rhs: Self) -> Self {
                if mutant!(MulNotDirected) {
                    return self * rhs;
                }
                $step::up(self * rhs)
            }
            fn div_lo(self, rhs: Self) -> Self {
                $step::down(self / rhs)
            }
            fn div_hi(self, rhs: Self) -> Self {
                $step::up(self / rhs)
            }
            // libm's square root is correctly rounded (its `sqrt.rs` proves it), so one step is enough.
            // Where subnormal operands read as zero, the root of a tiny number is bounded by a constant instead.
            fn sqrt_lo(self) -> Self {
                if self < $step::FLOOR { 0.0 } else { $step::down($sqrt(self)) }
            }
            fn sqrt_hi(self) -> Self {
                if self < $step::FLOOR { $root_of_floor } else { $step::up($sqrt(self)) }
            }
            // libm's sine, cosine and arc tangent were seen to err by less than one unit in the last place, and two
            // steps outward cover one unit on both sides of a power of two. For `f32` the outcome was compared on
            // all 2³² arguments; for `f64` it is an assumption.
            fn sin_lo(self) -> Self {
                if mutant!(SinNotDirected) {
                    return $sin(self);
                }
                Scalar::max($step::down($step::down($sin(self))), -1.0)
            }
            fn sin_hi(self) -> Self {
                Scalar::min($step::up($step::up($sin(self))), 1.0)
            }
            fn cos_lo(self) -> Self {
                Scalar::max($step::down($step::down($cos(self))), -1.0)
            }
            fn cos_hi(self) -> Self {
                Scalar::min($step::up($step::up($cos(self))), 1.0)
            }
            fn atan_lo(self) -> Self {
                $step::down($step::down($atan(self)))
            }
            fn atan_hi(self) -> Self {
                $step::up($step::up($atan(self)))
            }

            // The sum of three squares is rounded 5 times, and the sum here is a sixth.
            fn longest_hi(vectors: impl IntoIterator<Item = [Self; 3]>) -> Self {
                let square = vectors.into_iter().fold(0.0, |most, v| Scalar::max(most, Self::dot(v, v)));
                let rounding = if mutant!(RootPlain) { 0.0 } else { Self::rounding_hi(8, square) };
                (square + rounding).sqrt_hi()
            }
            fn norm_lo(vector: [Self; 3]) -> Self {
                let square = Self::dot(vector, vector);
                (square - Self::rounding_hi(8, square)).sqrt_lo()
            }

            // With u = ε/2, k operations err by at most k·(u·m + η), where η < the least normal number is what a
            // flush to zero loses. The factor (1 + 2⁻⁹) covers m being the real and not the rounded result
            // ((1 + u)^k − 1 < 2⁻¹⁵) and the roundings of this very line.
            fn rounding_hi(operations: u16, magnitude: Self) -> Self {
                let k = $t::from(operations);
                (k * (0.5 * $t::EPSILON) * magnitude + k * (2.0 * $t::MIN_POSITIVE)) * (1.0 + 1.0 / 512.0)
            }
            // |sin|, |cos| ≤ 1, where a unit in the last place is at most ε/2; twice that is twice the assumption.
            fn trig_error_hi() -> Self {
                $t::EPSILON
            }
            fn sin_cos(self) -> (Self, Self) {
                ($sin(self), $cos(self))
            }

            // A subnormal result is avoided: hardware may read it as zero later.
            fn from_f64_lo(x: f64) -> Self {
                let near = x as $t;
                if near.is_subnormal() || near == 0.0 {
                    // A look at the bits: as an operand, a subnormal may read as zero.
                    if x.is_sign_negative() && x.to_bits() << 1 != 0 { -$t::MIN_POSITIVE } else { 0.0 }
                } else if f64::from(near) > x {
                    near.next_down()
                } else {
                    near
                }
            }
            fn from_f64_hi(x: f64) -> Self {
                -Self::from_f64_lo(-x)
            }
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            fn to_bits64(self) -> u64 {
                u64::from(self.to_bits())
            }

            #[inline]
            fn from_grid(mantissa: i32, exponent: i32) -> Self {
                mantissa as $t * $step::power(exponent)
            }
            fn to_grid(self, exponent: i32) -> i32 {
                let steps = self * $step::power(-exponent);
                // A cast rounds towards zero, and saturates.
                (if steps < 0.0 { steps - 0.5 } else { steps + 0.5 }) as i32
            }
            fn fits(exponent: i32) -> bool {
                exponent < $t::MAX_EXP && $step::power(exponent) <= Self::RANGE
            }

            fn unit_scaled(vector: [Self; 3]) -> Option<[Self; 3]> {
                const MANTISSA: u32 = $t::MANTISSA_DIGITS - 1;
                const BIAS: $bits = ($t::MAX_EXP - 1) as $bits;
                // |x| = 1.m · 2^(e − BIAS), so f = 2^(BIAS − 1 − e), whose own stored exponent is 2·BIAS − 1 − e.
                let [x, y, z] = vector.map($t::abs);
                let exponent = Scalar::max(Scalar::max(x, y), z).to_bits() >> MANTISSA;
                if exponent == 0 || exponent > 2 * BIAS - 2 {
                    return None;
                }
                let factor = $t::from_bits((2 * BIAS - 1 - exponent) << MANTISSA);
                Some(vector.map(|x| x * factor))
            }
            fn abs(self) -> Self {
                $t::abs(self)
            }
            fn max(self, rhs: Self) -> Self {
                if self > rhs || self != self { self } else { rhs }
            }
            fn min(self, rhs: Self) -> Self {
                if self < rhs || self != self { self } else { rhs }
            }
            fn in_range(self) -> bool {
                $t::abs(self) <= Self::RANGE && !self.is_subnormal()
            }

            fn sqrt_near(self) -> Self {
                $sqrt(self)
            }
            fn div_near(self, rhs: Self) -> Self {
                self / rhs
            }
            fn from_f64_near(x: f64) -> Self {
                x as $t
            }
        }
    };
}

scalar!(f32, f32_step, u32, libm::sqrtf, libm::sinf, libm::cosf, libm::atanf, 1.073_741_8e9, 1.6e-19);
scalar!(f64, f64_step, u64, libm::sqrt, libm::sin, libm::cos, libm::atan, 1e90, 2.2e-154);
