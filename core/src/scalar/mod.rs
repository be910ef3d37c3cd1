//! The numbers: a sealed scalar trait with directed operations, intervals on top of it, and vectors.
//!
//! **Computes** sums, products, quotients, roots and trigonometric functions whose error has a known
//! direction or a known bound. **Invariant**: a name that ends in `_lo` never exceeds the real value, one
//! that ends in `_hi` is never below it; no rounding mode is switched. **Follows** the outward step of
//! classical interval arithmetic. **Departs**: near zero the step is at least the least normal number, so
//! that hardware which flushes subnormals to zero keeps the invariant.

mod fixed;
mod float;
mod interval;
mod trigonometry;
mod vector;

#[cfg(feature = "by-hand")]
pub use fixed::Fix8;
pub use fixed::{Fix32, Fix64};
pub use interval::Interval;
pub use vector::{Mat3, Number, Pose, Quaternion, Vec3};

use core::fmt::Debug;

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
    impl Sealed for super::Fix32 {}
    impl Sealed for super::Fix64 {}
    #[cfg(feature = "by-hand")]
    impl Sealed for super::Fix8 {}
}

/// A machine number that the proof kernel can be run on: `f32`, `f64`, [`Fix32`] or [`Fix64`].
///
/// The bounds hold whether subnormal results are kept or flushed to zero. Where the hardware also *reads* subnormal operands
/// as zero, they hold for operands that are not subnormal: [`in_range`](Scalar::in_range) tells, and every door of this
/// crate asks it.
///
/// The plain operators round in any direction, with an error of at most
/// [`rounding_hi`](Scalar::rounding_hi)`(1, |result|)`; beyond the greatest number they give any value, and no NaN is told.
/// So a proof uses a plain result only where `rounding_hi` of its magnitude is [finite](Scalar::is_finite), and no operand
/// is NaN. The directed functions tell: NaN in gives NaN out, and a result beyond the greatest number is infinite or NaN.
/// The functions that end in `_near` are close to the real value without a promise and serve the search only.
pub trait Scalar: sealed::Sealed + Number + Default + PartialEq + PartialOrd + Debug + Send + Sync + 'static {
    /// 0.
    const ZERO: Self;
    /// 1.
    const ONE: Self;
    /// ½.
    const HALF: Self;
    /// The least value of an interval that knows nothing.
    const LEAST: Self;
    /// The greatest value of an interval that knows nothing.
    const GREATEST: Self;
    /// The largest magnitude of a coordinate, velocity or length that is let in at the door.
    const RANGE: Self;
    /// Is the resolution relative, as in floating point? Where it is not, the search scales small numbers up.
    const FLOATING: bool;
    /// The exponent of the finest grid that [`from_grid`](Scalar::from_grid) takes.
    const FINEST: i32;

    /// # Soundness
    /// `self.add_lo(rhs) ≤ self + rhs` in real numbers, for numbers that are not NaN.
    fn add_lo(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.add_hi(rhs) ≥ self + rhs`.
    fn add_hi(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.sub_lo(rhs) ≤ self − rhs`.
    fn sub_lo(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.sub_hi(rhs) ≥ self − rhs`.
    fn sub_hi(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.mul_lo(rhs) ≤ self · rhs`.
    fn mul_lo(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.mul_hi(rhs) ≥ self · rhs`.
    fn mul_hi(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.div_lo(rhs) ≤ self / rhs` for `rhs ≠ 0`; NaN or infinite for `rhs = 0`.
    fn div_lo(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.div_hi(rhs) ≥ self / rhs` for `rhs ≠ 0`; NaN or infinite for `rhs = 0`.
    fn div_hi(self, rhs: Self) -> Self;
    /// # Soundness
    /// `self.sqrt_lo() ≤ √self` for `self ≥ 0`, and never below 0; 0 for a negative number.
    fn sqrt_lo(self) -> Self;
    /// # Soundness
    /// `self.sqrt_hi() ≥ √self` for `self ≥ 0`; 0 or more for a negative number.
    fn sqrt_hi(self) -> Self;
    /// # Soundness
    /// `self.sin_lo() ≤ sin(self)`, and never below −1.
    fn sin_lo(self) -> Self;
    /// # Soundness
    /// `self.sin_hi() ≥ sin(self)`, and never above 1.
    fn sin_hi(self) -> Self;
    /// # Soundness
    /// `self.cos_lo() ≤ cos(self)`, and never below −1.
    fn cos_lo(self) -> Self;
    /// # Soundness
    /// `self.cos_hi() ≥ cos(self)`, and never above 1.
    fn cos_hi(self) -> Self;
    /// # Soundness
    /// `self.atan_lo() ≤ atan(self)`.
    fn atan_lo(self) -> Self;
    /// # Soundness
    /// `self.atan_hi() ≥ atan(self)`.
    fn atan_hi(self) -> Self;

    /// The length of the longest of some vectors.
    ///
    /// # Soundness
    /// `longest_hi(v) ≥ √(x² + y² + z²)` for each of them; NaN or infinite if that is out of reach.
    fn longest_hi(vectors: impl IntoIterator<Item = [Self; 3]>) -> Self;
    /// The length of a vector.
    ///
    /// # Soundness
    /// `norm_lo([x, y, z]) ≤ √(x² + y² + z²)`, and never below 0.
    fn norm_lo(vector: [Self; 3]) -> Self;

    /// Bounds the error of a few plain operators.
    ///
    /// # Soundness
    /// `rounding_hi(k, m) ≥` the sum of the errors of `k ≤ 256` sums, differences or products, each with a real
    /// result of magnitude at most `m`, whether subnormal results are kept or flushed to zero; a
    /// [`dot`](Number::dot) counts as 5. NaN or infinite if a number of magnitude `m` may be too large for a plain operator.
    fn rounding_hi(operations: u16, magnitude: Self) -> Self;

    /// Bounds the absolute error of [`sin_cos`](Scalar::sin_cos).
    ///
    /// # Soundness
    /// For `(s, c) = x.sin_cos()`: `|s − sin x| ≤ trig_error_hi()` and `|c − cos x| ≤ trig_error_hi()`.
    fn trig_error_hi() -> Self;
    /// Sine and cosine, each within [`trig_error_hi`](Scalar::trig_error_hi) of the real value.
    fn sin_cos(self) -> (Self, Self);

    /// # Soundness
    /// `from_f64_lo(x) ≤ x`; NaN stays NaN.
    fn from_f64_lo(x: f64) -> Self;
    /// # Soundness
    /// `from_f64_hi(x) ≥ x`; NaN stays NaN.
    fn from_f64_hi(x: f64) -> Self;
    /// The value as `f64`: exactly, unless it needs more than 53 bits ([`Fix64`] from 2¹³ on).
    fn to_f64(self) -> f64;
    /// The bits, for fingerprints.
    fn to_bits64(self) -> u64;

    /// The number `mantissa · 2^exponent`, exactly, if the exponent is at least [`FINEST`](Scalar::FINEST), `|mantissa| < 2²⁴` and
    /// the number is within [`RANGE`](Scalar::RANGE); otherwise any value.
    fn from_grid(mantissa: i32, exponent: i32) -> Self;
    /// The nearest integer to `self / 2^exponent`, about; for what is proved afterwards.
    fn to_grid(self, exponent: i32) -> i32;
    /// Is `2^exponent` within [`RANGE`](Scalar::RANGE)?
    fn fits(exponent: i32) -> bool;

    /// A vector scaled by a power of two, about, so that its largest component lies in `[½, 1)`; `None` for one that is
    /// zero, subnormal, not finite or extreme.
    fn unit_scaled(vector: [Self; 3]) -> Option<[Self; 3]>;
    /// The magnitude; NaN stays NaN.
    fn abs(self) -> Self;
    /// The greater number, or NaN if either is NaN.
    fn max(self, rhs: Self) -> Self;
    /// The lesser number, or NaN if either is NaN.
    fn min(self, rhs: Self) -> Self;
    /// Is this a number, neither NaN nor infinite?
    fn is_finite(self) -> bool {
        Self::LEAST < self && self < Self::GREATEST
    }
    /// Is this a finite number of magnitude at most [`RANGE`](Scalar::RANGE), and not subnormal?
    fn in_range(self) -> bool;

    /// The power of two by which the search multiplies numbers of up to this magnitude before it multiplies them with each
    /// other: 1 in floating point. Where the resolution is absolute it brings them to about 1, so that their products neither
    /// vanish nor overflow; but it is from 2⁻¹⁰ to 2¹⁰.
    #[inline]
    fn magnifier(self) -> Self {
        Self::ONE
    }
    /// About `√self`; for the search.
    fn sqrt_near(self) -> Self;
    /// About `self / rhs`; any value for `rhs = 0`; for the search.
    fn div_near(self, rhs: Self) -> Self;
    /// A number next to `x`; for the search.
    fn from_f64_near(x: f64) -> Self;
}
