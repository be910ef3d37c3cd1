//! Double-double numbers: an unevaluated sum of two `f64`s, about 106 bits, after Dekker 1971 and Hida, Li and Bailey 2001.

use crate::exact::Exact;
use std::cmp::Ordering;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The sum `hi + lo`, with `lo` below half a unit in the last place of `hi`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dd {
    hi: f64,
    lo: f64,
}

fn two_sum(a: f64, b: f64) -> Dd {
    let hi = a + b;
    let part = hi - a;
    Dd { hi, lo: (a - (hi - part)) + (b - part) }
}

fn quick_two_sum(a: f64, b: f64) -> Dd {
    let hi = a + b;
    Dd { hi, lo: b - (hi - a) }
}

/// Halves of 26 bits, so that their products are exact: a fused product would do, but not every host has one.
fn split(a: f64) -> (f64, f64) {
    let t = 134_217_729.0 * a;
    let hi = t - (t - a);
    (hi, a - hi)
}

fn two_product(a: f64, b: f64) -> Dd {
    let hi = a * b;
    let ((ah, al), (bh, bl)) = (split(a), split(b));
    Dd { hi, lo: ((ah * bh - hi) + ah * bl + al * bh) + al * bl }
}

impl Dd {
    /// 0.
    pub const ZERO: Self = Self { hi: 0.0, lo: 0.0 };
    /// 1.
    pub const ONE: Self = Self { hi: 1.0, lo: 0.0 };
    // π/2 in three parts.
    const QUARTER: [f64; 3] = [std::f64::consts::FRAC_PI_2, 6.123233995736766e-17, -1.4973849048591833e-33];

    /// The nearest `f64`.
    pub fn to_f64(self) -> f64 {
        self.hi
    }

    /// The exact value.
    pub fn exact(self) -> Exact {
        &Exact::from_f64(self.hi) + &Exact::from_f64(self.lo)
    }

    /// The magnitude.
    pub fn abs(self) -> Self {
        if self.hi < 0.0 { -self } else { self }
    }

    /// The greater.
    pub fn max(self, rhs: Self) -> Self {
        if self < rhs { rhs } else { self }
    }

    /// The lesser.
    pub fn min(self, rhs: Self) -> Self {
        if rhs < self { rhs } else { self }
    }

    /// The square root; 0 for a negative number.
    pub fn sqrt(self) -> Self {
        if self.hi <= 0.0 {
            return Self::ZERO;
        }
        // Heron twice from 53 good bits.
        let step = |r: Self| (r + self / r) * Self::from(0.5);
        step(step(Self::from(self.hi.sqrt())))
    }

    /// Sine and cosine, for less than 2⁵⁰ quarter turns.
    pub fn sin_cos(self) -> (Self, Self) {
        let quarters = (self.hi / Self::QUARTER[0]).round();
        let [a, b, c] = Self::QUARTER;
        let r = self - two_product(quarters, a) - two_product(quarters, b) - two_product(quarters, c);
        let square = r * r;
        let series = |first: f64, mut term: Self| {
            let (mut sum, mut k) = (term, first);
            while term.hi.abs() > 1e-36 {
                term = -(term * square) / Self::from((k + 1.0) * (k + 2.0));
                sum = sum + term;
                k += 2.0;
            }
            sum
        };
        let (s, c) = (series(1.0, r), series(0.0, Self::ONE));
        match quarters.rem_euclid(4.0) as u8 {
            0 => (s, c),
            1 => (c, -s),
            2 => (-s, -c),
            _ => (-c, s),
        }
    }

    /// The angle of the point `(x, y)`.
    pub fn atan2(y: Self, x: Self) -> Self {
        let near = Self::from(y.hi.atan2(x.hi));
        let r = (x * x + y * y).sqrt();
        if r.hi == 0.0 {
            return Self::ZERO;
        }
        // The rest of the angle is so small that it equals its sine up to its cube: 2⁻¹⁵⁰.
        let (s, c) = near.sin_cos();
        near + (y * c - x * s) / r
    }
}

impl From<f64> for Dd {
    fn from(x: f64) -> Self {
        Self { hi: x, lo: 0.0 }
    }
}

impl Add for Dd {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        let (s, t) = (two_sum(self.hi, rhs.hi), two_sum(self.lo, rhs.lo));
        let s = quick_two_sum(s.hi, s.lo + t.hi);
        quick_two_sum(s.hi, s.lo + t.lo)
    }
}

impl Neg for Dd {
    type Output = Self;
    fn neg(self) -> Self {
        Self { hi: -self.hi, lo: -self.lo }
    }
}

impl Sub for Dd {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        self + -rhs
    }
}

impl Mul for Dd {
    type Output = Self;
    fn mul(self, rhs: Self) -> Self {
        let p = two_product(self.hi, rhs.hi);
        quick_two_sum(p.hi, p.lo + (self.hi * rhs.lo + self.lo * rhs.hi))
    }
}

impl Div for Dd {
    type Output = Self;
    fn div(self, rhs: Self) -> Self {
        let a = self.hi / rhs.hi;
        let rest = self - rhs * Self::from(a);
        let b = rest.hi / rhs.hi;
        let rest = rest - rhs * Self::from(b);
        quick_two_sum(a, b) + Self::from(rest.hi / rhs.hi)
    }
}

impl PartialOrd for Dd {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match self.hi.partial_cmp(&other.hi) {
            Some(Ordering::Equal) => self.lo.partial_cmp(&other.lo),
            order => order,
        }
    }
}

/// The sum of two vectors.
pub fn sum(a: [Dd; 3], b: [Dd; 3]) -> [Dd; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// A vector times a number.
pub fn scale(a: [Dd; 3], s: Dd) -> [Dd; 3] {
    a.map(|x| x * s)
}

/// The scalar product.
pub fn dot(a: [Dd; 3], b: [Dd; 3]) -> Dd {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The length.
pub fn norm(a: [Dd; 3]) -> Dd {
    dot(a, a).sqrt()
}

/// The vector product.
pub fn cross(a: [Dd; 3], b: [Dd; 3]) -> [Dd; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// A matrix, by rows, times a column.
pub fn matrix_times(m: &[[Dd; 3]; 3], v: [Dd; 3]) -> [Dd; 3] {
    m.map(|row| dot(row, v))
}

/// The transposed matrix times a column.
pub fn transposed_times(m: &[[Dd; 3]; 3], v: [Dd; 3]) -> [Dd; 3] {
    [0, 1, 2].map(|j| m[0][j] * v[0] + m[1][j] * v[1] + m[2][j] * v[2])
}
