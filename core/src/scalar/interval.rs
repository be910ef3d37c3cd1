//! Intervals: every operation encloses the set of its real results.

use super::{Number, Scalar};
use core::ops::{Add, Div, Mul, Neg, Sub};

/// The closed set of real numbers from [`lo`](Interval::lo) to [`hi`](Interval::hi).
///
/// Overflow gives an infinite end; NaN and division by an interval that holds zero give [`ENTIRE`](Interval::ENTIRE), the
/// widest honest answer.
///
/// ```
/// use avert::scalar::Interval;
/// let third = Interval::point(1.0_f32) / Interval::point(3.0);
/// assert!(third.lo() < third.hi());
/// assert!((third * Interval::point(3.0)).contains(1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval<S> {
    lo: S,
    hi: S,
}

impl<S: Scalar> Interval<S> {
    /// All numbers: nothing is known.
    pub const ENTIRE: Self = Self { lo: S::LEAST, hi: S::GREATEST };
    /// Exactly zero.
    pub const ZERO: Self = Self { lo: S::ZERO, hi: S::ZERO };
    /// Exactly one.
    pub const ONE: Self = Self { lo: S::ONE, hi: S::ONE };

    /// The interval from `lo` to `hi`; [`ENTIRE`](Interval::ENTIRE) unless `lo ≤ hi`.
    pub fn new(lo: S, hi: S) -> Self {
        if lo <= hi { Self { lo, hi } } else { Self::ENTIRE }
    }

    /// One number, exactly; [`ENTIRE`](Interval::ENTIRE) for NaN.
    pub fn point(x: S) -> Self {
        Self::new(x, x)
    }

    /// The numbers within `radius` of `centre`.
    ///
    /// # Soundness
    /// Contains every real `x` with `|x − centre| ≤ radius`.
    pub fn ball(centre: S, radius: S) -> Self {
        Self::new(centre.sub_lo(radius), centre.add_hi(radius))
    }

    /// Encloses an `f64`.
    ///
    /// # Soundness
    /// Contains `x`.
    pub fn from_f64(x: f64) -> Self {
        Self::new(S::from_f64_lo(x), S::from_f64_hi(x))
    }

    /// Encloses a decimal number that was parsed into the `f64` next to it.
    ///
    /// # Soundness
    /// Contains every real number that rounds to `x`.
    pub fn from_decimal(x: f64) -> Self {
        Self::new(S::from_f64_lo(x.next_down()), S::from_f64_hi(x.next_up()))
    }

    /// The lower end.
    pub fn lo(self) -> S {
        self.lo
    }

    /// The upper end.
    pub fn hi(self) -> S {
        self.hi
    }

    /// Is `x` inside?
    pub fn contains(self, x: S) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// Are both ends finite, not too large and not subnormal?
    pub fn in_range(self) -> bool {
        self.lo.in_range() && self.hi.in_range()
    }

    /// A number inside, near the middle.
    pub fn mid(self) -> S {
        let mid = self.lo * S::HALF + self.hi * S::HALF;
        if self.contains(mid) { mid } else { self.lo }
    }

    /// The greatest distance of a number inside from [`mid`](Interval::mid).
    ///
    /// # Soundness
    /// `|x − self.mid()| ≤ self.radius_hi()` for every real `x` inside.
    pub fn radius_hi(self) -> S {
        let mid = self.mid();
        if self.lo == self.hi { S::ZERO } else { mid.sub_hi(self.lo).max(self.hi.sub_hi(mid)) }
    }

    /// The greatest magnitude.
    ///
    /// # Soundness
    /// `|x| ≤ self.magnitude_hi()` for every `x` inside.
    pub fn magnitude_hi(self) -> S {
        self.lo.abs().max(self.hi.abs())
    }

    /// The magnitudes.
    ///
    /// # Soundness
    /// Contains `|x|` for every `x` inside.
    pub fn abs(self) -> Self {
        let hi = self.magnitude_hi();
        if self.contains(S::ZERO) { Self::new(S::ZERO, hi) } else { Self::new(self.lo.abs().min(self.hi.abs()), hi) }
    }

    /// The squares; tighter than `self * self`.
    ///
    /// # Soundness
    /// Contains `x²` for every `x` inside.
    pub fn square(self) -> Self {
        let m = self.abs();
        Self::new(m.lo.mul_lo(m.lo).max(S::ZERO), m.hi.mul_hi(m.hi))
    }

    /// The square roots of the numbers inside that are not negative.
    ///
    /// # Soundness
    /// Contains `√x` for every `x ≥ 0` inside.
    pub fn sqrt(self) -> Self {
        Self::new(self.lo.sqrt_lo(), self.hi.sqrt_hi())
    }

    /// The lesser of two numbers.
    ///
    /// # Soundness
    /// Contains `min(x, y)` for every `x` in `self` and `y` in `rhs`.
    pub fn min(self, rhs: Self) -> Self {
        Self::new(self.lo.min(rhs.lo), self.hi.min(rhs.hi))
    }

    /// The greater of two numbers.
    ///
    /// # Soundness
    /// Contains `max(x, y)` for every `x` in `self` and `y` in `rhs`.
    pub fn max(self, rhs: Self) -> Self {
        Self::new(self.lo.max(rhs.lo), self.hi.max(rhs.hi))
    }

    /// The sines.
    ///
    /// # Soundness
    /// Contains `sin x` for every `x` inside.
    pub fn sin(self) -> Self {
        // sin has its maxima at x·2/π = 1 + 4m and its minima at 3 + 4m.
        self.wave(1.0, S::sin_lo, S::sin_hi)
    }

    /// The cosines.
    ///
    /// # Soundness
    /// Contains `cos x` for every `x` inside.
    pub fn cos(self) -> Self {
        self.wave(0.0, S::cos_lo, S::cos_hi)
    }

    /// Between two extrema a wave is monotone, so its range over an interval is spanned by the end values and by the
    /// extrema that the interval holds. `crest` is the place of a maximum in quarter turns; a minimum lies two
    /// quarter turns further, and both repeat every four. The quarter turns are counted in `f64` and widened by
    /// 10⁻¹² of their value, which exceeds the error of the product, so that an extremum is never overlooked.
    fn wave(self, crest: f64, lo: fn(S) -> S, hi: fn(S) -> S) -> Self {
        let both = Self::new(-S::ONE, S::ONE);
        let quarter = |x: S, side: f64| {
            let q = x.to_f64() * core::f64::consts::FRAC_2_PI;
            q + side * (q.abs() * 1e-12 + 1e-300)
        };
        let (first, last) = (quarter(self.lo, -1.0), quarter(self.hi, 1.0));
        // Beyond 10¹² quarter turns, or for NaN, the count itself is in doubt.
        let counted = first.abs() < 1e12 && last.abs() < 1e12;
        if !counted || last - first >= 4.0 {
            return both;
        }
        let holds = |place: f64| {
            // The first place + 4m that is not before `first`.
            let turns = libm::ceil((first - place) * 0.25);
            place + 4.0 * turns <= last
        };
        let top = if holds(crest) { S::ONE } else { hi(self.lo).max(hi(self.hi)) };
        let bottom = if holds(crest + 2.0) { -S::ONE } else { lo(self.lo).min(lo(self.hi)) };
        Self::new(bottom, top)
    }

    /// The arc tangents.
    ///
    /// # Soundness
    /// Contains `atan x` for every `x` inside.
    pub fn atan(self) -> Self {
        Self::new(self.lo.atan_lo(), self.hi.atan_hi())
    }

    /// π.
    ///
    /// # Soundness
    /// Contains π.
    pub fn pi() -> Self {
        // The f64 nearest to π lies below it, by less than one unit in the last place.
        let below = core::f64::consts::PI;
        Self::new(S::from_f64_lo(below), S::from_f64_hi(below.next_up()))
    }
}

impl<S: Scalar> Number for Interval<S> {}

impl<S: Scalar> From<S> for Interval<S> {
    fn from(x: S) -> Self {
        Self::point(x)
    }
}

impl<S: Scalar> Add for Interval<S> {
    type Output = Self;
    /// # Soundness
    /// Contains `x + y` for every `x` in `self` and `y` in `rhs`.
    fn add(self, rhs: Self) -> Self {
        Self::new(self.lo.add_lo(rhs.lo), self.hi.add_hi(rhs.hi))
    }
}

impl<S: Scalar> Sub for Interval<S> {
    type Output = Self;
    /// # Soundness
    /// Contains `x − y` for every `x` in `self` and `y` in `rhs`.
    fn sub(self, rhs: Self) -> Self {
        Self::new(self.lo.sub_lo(rhs.hi), self.hi.sub_hi(rhs.lo))
    }
}

impl<S: Scalar> Neg for Interval<S> {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.hi, -self.lo)
    }
}

impl<S: Scalar> Mul for Interval<S> {
    type Output = Self;
    /// # Soundness
    /// Contains `x · y` for every `x` in `self` and `y` in `rhs`.
    fn mul(self, rhs: Self) -> Self {
        // A bilinear function on a rectangle has its extrema at the corners. 0·∞ is NaN, which makes the answer ENTIRE.
        let (a, b, c, d) = (self.lo, self.hi, rhs.lo, rhs.hi);
        let lo = a.mul_lo(c).min(a.mul_lo(d)).min(b.mul_lo(c)).min(b.mul_lo(d));
        let hi = a.mul_hi(c).max(a.mul_hi(d)).max(b.mul_hi(c)).max(b.mul_hi(d));
        Self::new(lo, hi)
    }
}

impl<S: Scalar> Div for Interval<S> {
    type Output = Self;
    /// # Soundness
    /// Contains `x / y` for every `x` in `self` and `y ≠ 0` in `rhs`.
    fn div(self, rhs: Self) -> Self {
        if rhs.contains(S::ZERO) {
            return Self::ENTIRE;
        }
        let (a, b, c, d) = (self.lo, self.hi, rhs.lo, rhs.hi);
        let lo = a.div_lo(c).min(a.div_lo(d)).min(b.div_lo(c)).min(b.div_lo(d));
        let hi = a.div_hi(c).max(a.div_hi(d)).max(b.div_hi(c)).max(b.div_hi(d));
        Self::new(lo, hi)
    }
}
