//! Sine, cosine and arc tangent of fixed point numbers, and a quick quotient.
//!
//! **Computes** values that are much finer than the result, with a proved (`fix32`) or an assumed (`fix64`) error.
//! **Invariant**: `down` and `up` step outward by that error before they round. **Follows** Taylor's series after a reduction
//! to an eighth of a turn; they alternate and fall, so that what is left out is less than its first term.
#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "the widths are the subject here, and each cast says why it holds"
)]

/// For 2⁻²⁰: integers only; values are in units of 2⁻³⁰.
pub(super) mod fix32 {
    use crate::mutant::mutant;

    pub(in super::super) type Value = i32;

    /// What a value may err by: see [`wave`] and [`atan`].
    const ERROR: i32 = 8;

    pub(in super::super) fn down(x: i32) -> i32 {
        (x - if mutant!(FixedSineNotDirected) { 0 } else { ERROR }) >> 10
    }

    pub(in super::super) fn up(x: i32) -> i32 {
        -down(-x)
    }

    pub(in super::super) fn near(x: i32) -> i32 {
        (x + (1 << 9)) >> 10
    }

    /// Sums up `first + z·(second + z·(…))`, the coefficients given from the last on in units of 2⁻³⁰, for a positive `z` of at most
    /// ¼ in units of 2⁻³².
    ///
    /// A step errs by one unit, a coefficient by half of one, and what was there before counts a quarter: 2 units.
    fn series(z: i64, coefficients: &[i32]) -> i64 {
        coefficients.iter().fold(0, |sum, c| i64::from(*c) + ((sum * z) >> 32))
    }

    /// Sine and cosine of a number of 2⁻²⁰ radians.
    ///
    /// In units of 2⁻³⁰: the quarter turns err by ¼ (below), which is 0.4 in radians. The sine's sum errs by 2, and by 0.2 since z
    /// errs by a unit of 2⁻³² and the slope is below 0.65; that counts half since the quarter turns are at most ½; their product is
    /// rounded by 1, and (π/4)¹¹/11! is 1.9: together less than 5. The cosine's sum errs by 2.4, which z makes 0.6; its rounding
    /// is 1, and (π/4)¹²/12! is 0.2: less than 3.
    pub(in super::super) fn wave(x: i32) -> (i32, i32) {
        // 2/π = (HIGH + LOW·2⁻³²)·2⁻³², to 2⁻⁶⁵; times x in units of 2⁻⁵² that errs by 1 for the shift and by ¼ for the rest, and the
        // cut to 2⁻³² by one more of those.
        const HIGH: i64 = 2_734_261_102;
        const LOW: i64 = 1_313_084_714;
        // The terms (π/2)^k/k!, from the last on.
        const SINE: [i32; 5] = [172_272, -5_026_995, 85_569_306, -693_598_668, 1_686_629_713];
        const COSINE: [i32; 5] = [-27_060, 987_048, -22_401_992, 272_375_560, -1_324_675_879];
        let x = i64::from(x);
        let turned = x * HIGH + ((x * LOW) >> 32);
        // To the nearest quarter; what is left is from −½ to ½, and fits.
        let quarters = (turned + (1 << 51)) >> 52;
        let left = (turned - (quarters << 52)) >> 20;
        let z = (left * left) >> 32;
        let sin = ((left * series(z, &SINE)) >> 32) as i32;
        let cos = (1 << 30) + ((z * series(z, &COSINE)) >> 32) as i32;
        match quarters & 3 {
            0 => (sin, cos),
            1 => (cos, -sin),
            2 => (-sin, -cos),
            _ => (-cos, sin),
        }
    }

    /// The arc tangent of a number of units of 2⁻²⁰.
    ///
    /// In units of 2⁻³⁰: `t` errs by 1 if it is a reciprocal, and `u`, whose slope is at most 1 where it is used, by 1 more; so does
    /// its arc tangent. The sum errs by 2 a step, of which the next takes over z < 0.18: by 2.5, and by 0.4 since z errs by 1 and the
    /// slope is at most ⅓; u makes 1.3 of that, and the product's rounding is 1. The first term left out, u²¹/21, is 0.5, and
    /// the two constants are off by ½ each. Together less than 6.
    pub(in super::super) fn atan(x: i32) -> i32 {
        const EIGHTH: i64 = 843_314_857;
        const QUARTER: i64 = 1_686_629_713;
        const ONE: i64 = 1 << 30;
        /// tan(π/8), about: with the eighth turn taken off, no more than this is left.
        const SPLIT: i64 = 444_758_426;
        let size = i64::from(x).abs();
        // No divisor is zero.
        let quotient = |a: i64, b: i64| a.checked_div(b).unwrap_or(0);
        let steep = size > 1 << 20;
        let t = if steep { quotient(1 << 50, size) } else { size << 10 };
        let u = if t > SPLIT { quotient((ONE - t) << 30, ONE + t) } else { t };
        let z = (u * u) >> 30;
        let sum = [19, 17, 15, 13, 11, 9, 7, 5, 3, 1].iter().fold(0, |sum, k| ONE / k - ((sum * z) >> 30));
        let part = (u * sum) >> 30;
        let angle = if t > SPLIT { EIGHTH - part } else { part };
        let angle = if steep { QUARTER - angle } else { angle };
        (if x < 0 { -angle } else { angle }) as i32
    }

    /// About `a / b`, to 16 bits: one division of 32 bits. 0 where there is none.
    #[inline]
    pub(in super::super) fn quotient(a: i32, b: i32) -> i32 {
        let (m, n) = (a.unsigned_abs(), b.unsigned_abs());
        let (up_m, up_n) = (m.leading_zeros(), n.leading_zeros());
        let (Some(m), Some(n)) = (m.checked_shl(up_m), n.checked_shl(up_n)) else { return 0 };
        // 2¹⁵ to 2¹⁶, rounded to the nearest, so that the quotient is from 2¹⁵ to 2¹⁷.
        let digits = m.checked_div((n >> 16) + (n >> 15 & 1)).unwrap_or(0);
        // a/b = ± m·2^-up_m / (n·2^-up_n), of which the digits are m / (n·2⁻¹⁶), in units of 2⁻²⁰.
        let (digits, shift) = (u64::from(digits), up_n + 36 - up_m);
        let size = (digits << shift >> 32).min(i32::MAX as u64) as i32;
        if (a < 0) == (b < 0) { size } else { -size }
    }
}

/// For 2⁻⁴: by the functions of `fix32`, whose values are far finer.
#[cfg(feature = "by-hand")]
pub(super) mod fix8 {
    use super::fix32;

    pub(in super::super) type Value = fix32::Value;

    // A number of 2⁻²⁰ that is rounded down once more; all are of at most 2, and fit.
    pub(in super::super) fn down(x: Value) -> i8 {
        (fix32::down(x) >> 16) as i8
    }

    pub(in super::super) fn up(x: Value) -> i8 {
        -down(-x)
    }

    pub(in super::super) fn near(x: Value) -> i8 {
        ((fix32::near(x) + (1 << 15)) >> 16) as i8
    }

    pub(in super::super) fn wave(x: i8) -> (Value, Value) {
        fix32::wave(i32::from(x) << 16)
    }

    pub(in super::super) fn atan(x: i8) -> Value {
        fix32::atan(i32::from(x) << 16)
    }

    pub(in super::super) fn quotient(a: i8, b: i8) -> i8 {
        (fix32::quotient(a.into(), b.into()) >> 16).clamp((-i8::MAX).into(), i8::MAX.into()) as i8
    }
}

/// For 2⁻⁴⁰: by `libm`'s functions for `f64`; values are numbers.
pub(super) mod fix64 {
    pub(in super::super) type Value = f64;

    /// The number of units in 1.
    const SCALE: f64 = (1_u64 << 40) as f64;
    /// What `libm`'s functions are assumed to err by, in units: 2⁻⁴⁴, which is 2⁸ units in the last place of 1 and hence ample.
    const ERROR: f64 = 1.0 / 16.0;

    // Beyond 2¹² units a multiple of 2⁻¹² is exact, and so is the step; below, its rounding is far less than the slack.
    pub(in super::super) fn down(x: f64) -> i64 {
        libm::floor(x * SCALE - ERROR) as i64
    }

    pub(in super::super) fn up(x: f64) -> i64 {
        -down(-x)
    }

    pub(in super::super) fn near(x: f64) -> i64 {
        libm::rint(x * SCALE) as i64
    }

    /// Sine and cosine of a number of 2⁻⁴⁰ radians.
    pub(in super::super) fn wave(x: i64) -> (f64, f64) {
        /// 2π in units of 2⁻⁸⁰: for at most 2²¹ turns it errs by less than 2⁻⁵⁹.
        const TURN: i128 = 7_595_904_947_272_677_161_575_987;
        // Up to 53 bits are exact. What is left of a whole turn is rounded by 2⁻⁵¹, which is part of the slack.
        let exact = x.unsigned_abs() < 1 << 53;
        let x = if exact { x as f64 / SCALE } else { ((i128::from(x) << 40) % TURN) as f64 / SCALE / SCALE };
        (libm::sin(x), libm::cos(x))
    }

    /// The arc tangent of a number of 2⁻⁴⁰. Beyond 53 bits its slope is less than 2⁻²⁶, and the rounding 2⁻³¹.
    pub(in super::super) fn atan(x: i64) -> f64 {
        libm::atan(x as f64 / SCALE)
    }

    /// About `a / b`, saturated. 0 for 0/0.
    #[inline]
    pub(in super::super) fn quotient(a: i64, b: i64) -> i64 {
        ((a as f64 / b as f64 * SCALE) as i64).max(-i64::MAX)
    }
}
