//! Real functions to far more digits than any scalar has, the true rigid motion, and the true motion of a robot's links.
//!
//! [`sin`], [`cos`] and [`atan`] enclose the real value between two exact numbers, 2⁻²⁰⁰ apart or nearer. Where millions of
//! cases are wanted, [`Dd`] carries 106 bits; its functions are checked against these.

pub mod chain;
mod dd;
mod motion;

pub use dd::{Dd, cross, dot, matrix_times, norm, scale, sum, transposed_times};
pub use motion::{Motion, Place, core_distance, separation};

use crate::exact::Exact;
use num_bigint::BigInt;
use std::sync::LazyLock;

/// Fractional bits of the series.
const BITS: i64 = 280;
/// What a series of a few hundred truncated terms may err by, in units of `2^-BITS`.
const DOUBT: i64 = 1 << 20;
/// Fractional bits of π: enough to reduce the greatest `f64` and have [`BITS`] left.
const PI_BITS: i64 = 1024 + 2 * BITS;

/// π·2^PI_BITS by Machin: 16·atan(1/5) − 4·atan(1/239).
static PI: LazyLock<BigInt> = LazyLock::new(|| {
    let guard = 64;
    let inverse = |n: i64| {
        let mut term = (BigInt::from(1) << (PI_BITS + guard)) / n;
        let mut sum = term.clone();
        let mut k = 1;
        while term != BigInt::ZERO {
            term = -term / (n * n);
            k += 2;
            sum += &term / k;
        }
        sum
    };
    (inverse(5) * 16 - inverse(239) * 4) >> guard
});

/// A real number between two exact ones.
pub type Between = (Exact, Exact);

fn around(x: BigInt) -> Between {
    (Exact::new(&x - DOUBT, -BITS), Exact::new(x + DOUBT, -BITS))
}

/// π.
pub fn pi() -> Between {
    (Exact::new(PI.clone() - 16, -PI_BITS), Exact::new(PI.clone() + 16, -PI_BITS))
}

/// `x` less a whole number of quarter turns, and that number modulo 4.
fn reduce(x: &Exact) -> (BigInt, u8) {
    let fixed = x.scaled(PI_BITS);
    let quarter: BigInt = &*PI >> 1;
    let half: BigInt = &quarter >> 1;
    let count: BigInt = num_floor(&(&fixed + half), &quarter);
    let rest = fixed - &count * quarter;
    let phase = num_rest(&count, 4);
    (rest >> (PI_BITS - BITS), phase)
}

/// The quotient, rounded down.
fn num_floor(a: &BigInt, b: &BigInt) -> BigInt {
    let (q, r) = (a / b, a % b);
    if r.sign() == num_bigint::Sign::Minus { q - 1 } else { q }
}

fn num_rest(a: &BigInt, n: i32) -> u8 {
    let r = a % n;
    u8::try_from(if r.sign() == num_bigint::Sign::Minus { r + n } else { r }).expect("a small remainder")
}

/// The sine or cosine series for |r| < 1, from the term with this index.
fn series(r: &BigInt, first: u32) -> BigInt {
    let square = (r * r) >> BITS;
    let mut term = if first == 0 { BigInt::from(1) << BITS } else { r.clone() };
    let mut sum = BigInt::ZERO;
    let mut k = first;
    while term.bits() > 1 {
        sum += &term;
        term = -((term * &square) >> BITS) / ((k + 1) * (k + 2));
        k += 2;
    }
    sum
}

/// Is `|x|` so small that two terms of a series enclose the function?
fn tiny(x: &Exact) -> bool {
    x.magnitude_bits() < -60
}

fn ordered(a: Exact, b: Exact) -> Between {
    if a <= b { (a, b) } else { (b, a) }
}

/// `sin x`.
pub fn sin(x: f64) -> Between {
    let x = Exact::from_f64(x);
    if tiny(&x) {
        // Between x − x³/4 and x: the terms alternate and fall, and 1/4 > 1/6 is dyadic.
        let cubic = &(&x.square() * &x) * &Exact::power(-2);
        return ordered(&x - &cubic, x);
    }
    let (r, phase) = reduce(&x);
    around(match phase {
        0 => series(&r, 1),
        1 => series(&r, 0),
        2 => -series(&r, 1),
        _ => -series(&r, 0),
    })
}

/// `cos x`.
pub fn cos(x: f64) -> Between {
    let x = Exact::from_f64(x);
    if tiny(&x) {
        return (&Exact::power(0) - &x.square(), Exact::power(0));
    }
    let (r, phase) = reduce(&x);
    around(match phase {
        0 => series(&r, 0),
        1 => -series(&r, 1),
        2 => -series(&r, 0),
        _ => series(&r, 1),
    })
}

/// `atan x`.
pub fn atan(x: f64) -> Between {
    let x = Exact::from_f64(x);
    if tiny(&x) {
        let cubic = &x.square() * &x;
        return ordered(&x - &cubic, x);
    }
    let one = BigInt::from(1) << BITS;
    let m = x.abs().scaled(BITS);
    let large = m > one;
    let mut r = if large { (&one * &one) / m } else { m };
    // atan r = 2·atan(r / (1 + √(1 + r²))): eight halvings make the series short.
    for _ in 0..8 {
        let root = ((&one * &one) + (&r * &r)).sqrt();
        r = (r << BITS) / (&one + root);
    }
    let square = (&r * &r) >> BITS;
    let (mut term, mut sum, mut k) = (r, BigInt::ZERO, 1);
    while term.bits() > 1 {
        sum += &term / k;
        term = -((term * &square) >> BITS);
        k += 2;
    }
    sum <<= 8;
    if large {
        sum = (&*PI >> (PI_BITS - BITS + 1)) - sum;
    }
    around(if x.signum() < 0 { -sum } else { sum })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Is the double-double within 2⁻⁹⁵ of the enclosed number, relative to 1?
    fn near(x: Dd, truth: &Between) -> bool {
        let doubt = Exact::power(-95);
        x.exact() >= &truth.0 - &doubt && x.exact() <= &truth.1 + &doubt
    }

    #[test]
    fn the_standard_functions_agree() {
        for x in [0.5, -1.0, 3.0, 1e5, 1e22, -1e300, 1e-30] {
            for (wide, std) in [(sin(x), x.sin()), (cos(x), x.cos()), (atan(x), x.atan())] {
                let middle = (wide.0.to_f64() + wide.1.to_f64()) / 2.0;
                assert!((middle - std).abs() <= 1e-15 * std.abs(), "{x}: {middle} {std}");
            }
        }
        assert!((pi().0.to_f64() - std::f64::consts::PI).abs() < 1e-15);
    }

    #[test]
    fn double_doubles_agree() {
        let mut random = Random::new(7);
        for _ in 0..500 {
            let x = random.within(-100.0, 100.0);
            let (s, c) = Dd::from(x).sin_cos();
            assert!(near(s, &sin(x)) && near(c, &cos(x)), "{x}");
            let y = random.within(0.0, 3.0);
            assert!(near(Dd::atan2(Dd::from(y), Dd::from(1.0)), &atan(y)), "{y}");
            let root = Dd::from(y).sqrt();
            let back = (&root.exact().square() - &Exact::from_f64(y)).abs();
            assert!(back <= Exact::power(-95), "{y}");
            let (q, z) = (Dd::from(x) / Dd::from(y + 1.0), Dd::from(y + 1.0));
            let back = (&(&q.exact() * &z.exact()) - &Exact::from_f64(x)).abs();
            assert!(back <= Exact::power(-90), "{x} / {y}");
        }
    }
}
