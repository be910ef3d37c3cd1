//! The value of one joint over one segment of a trajectory: a polynomial.
//!
//! **Computes** the value at a moment, and bounds on the value, its speed and its acceleration during an interval.
//! **Invariant**: every function says how far its numbers may be from the real polynomial that the caller's numbers
//! define. **Follows** the splines that ROS 2's joint trajectory controller executes: a line through positions, a cubic
//! through positions and velocities, a quintic through accelerations too. **Departs**: the polynomial is stored about
//! the middle of the segment, in `x = 2u − 1`, where its coefficients are hardly larger than its values; rounding falls
//! by an order of magnitude.

use crate::fingerprint::Fingerprint;
use crate::mutant::mutant;
use crate::scalar::{Interval, Scalar};

/// Why a joint path was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathError {
    /// A number is NaN, infinite, subnormal or too large, or the path leaves the range of the scalar.
    OutOfRange,
    /// The duration is negative.
    Duration,
}

impl core::fmt::Display for PathError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::OutOfRange => {
                "a number of the joint path is not finite, is subnormal, or is too large for this scalar"
            }
            Self::Duration => "the duration is negative",
        })
    }
}

impl core::error::Error for PathError {}

/// The value `q(u)` of one joint, in radians or metres, for `u` from 0 to 1: a polynomial of degree 5 or less.
///
/// The numbers that define it may be of a wider scalar than those that it is computed with: `f64` values of a controller
/// make a path over `f32` without a detour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointPath<S> {
    /// `q = Σ coefficients[k]·xᵏ` with `x = 2u − 1`.
    coefficients: [S; 6],
    value_error_hi: S,
    /// Bounds the true and the computed values.
    value_hi: S,
    /// What the bounds over an interval err by: on the value, and on its first two derivatives by `x`.
    bound_errors_hi: [S; 3],
}

impl<S: Scalar> JointPath<S> {
    /// A joint that rests.
    pub fn still<W: Scalar>(position: W) -> Result<Self, PathError> {
        Self::line([position; 2])
    }

    /// From one value to another at constant speed.
    pub fn line<W: Scalar>(positions: [W; 2]) -> Result<Self, PathError> {
        Self::line_enclosures(positions.map(Interval::point))
    }

    /// As [`line`](JointPath::line), for numbers that are not known exactly: whatever is proved holds for every path
    /// whose numbers lie in the intervals.
    pub fn line_enclosures<W: Scalar>(positions: [Interval<W>; 2]) -> Result<Self, PathError> {
        if !positions.into_iter().all(Interval::in_range) {
            return Err(PathError::OutOfRange);
        }
        let [mean, half] = middle(positions);
        Self::assemble([mean, half, Interval::ZERO, Interval::ZERO, Interval::ZERO, Interval::ZERO])
    }

    /// The cubic with these positions and velocities, per second, at its ends; the duration is in seconds.
    pub fn cubic<W: Scalar>(positions: [W; 2], velocities: [W; 2], duration: W) -> Result<Self, PathError> {
        let point = Interval::point;
        Self::cubic_enclosures(positions.map(point), velocities.map(point), point(duration))
    }

    /// As [`cubic`](JointPath::cubic), for numbers that are not known exactly.
    pub fn cubic_enclosures<W: Scalar>(
        positions: [Interval<W>; 2],
        velocities: [Interval<W>; 2],
        duration: Interval<W>,
    ) -> Result<Self, PathError> {
        let unit = half_duration(duration, [positions, velocities])?;
        let [mean, half] = middle(positions);
        // With r = dq/dx at the ends ∓1: q(±1) = mean ± half and q'(±1) = r give
        //   e₁ + e₃ = half and e₁ + 3e₃ = (r₀ + r₁)/2;  e₀ + e₂ = mean and 2e₂ = (r₁ − r₀)/2.
        let [rate, turn] = middle(velocities.map(|v| v * unit));
        let e3 = (rate - half) * halved();
        let e2 = turn * halved();
        Self::assemble([mean - e2, half - e3, e2, e3, Interval::ZERO, Interval::ZERO])
    }

    /// The quintic with these positions, velocities and accelerations, per second, at its ends; the duration is in
    /// seconds.
    pub fn quintic<W: Scalar>(
        positions: [W; 2],
        velocities: [W; 2],
        accelerations: [W; 2],
        duration: W,
    ) -> Result<Self, PathError> {
        let point = Interval::point;
        let [positions, velocities, accelerations] = [positions, velocities, accelerations].map(|x| x.map(point));
        Self::quintic_enclosures(positions, velocities, accelerations, point(duration))
    }

    /// As [`quintic`](JointPath::quintic), for numbers that are not known exactly.
    pub fn quintic_enclosures<W: Scalar>(
        positions: [Interval<W>; 2],
        velocities: [Interval<W>; 2],
        accelerations: [Interval<W>; 2],
        duration: Interval<W>,
    ) -> Result<Self, PathError> {
        let unit = half_duration(duration, [positions, velocities, accelerations])?;
        let [mean, half] = middle(positions);
        let [rate, turn] = middle(velocities.map(|v| v * unit));
        let [bend, jerk] = middle(accelerations.map(|a| a * unit * unit));
        // As for the cubic, with d²q/dx² at the ends. Odd: e₁ + e₃ + e₅ = half, e₁ + 3e₃ + 5e₅ = rate, 6e₃ + 20e₅ = jerk.
        // Even: e₀ + e₂ + e₄ = mean, 2e₂ + 4e₄ = turn, 2e₂ + 12e₄ = bend.
        let eighth = Interval::point(W::HALF * W::HALF * W::HALF);
        let rise = rate - half;
        let e5 = (jerk - rise - rise - rise) * eighth;
        let e3 = rise * halved() - e5 - e5;
        let e4 = (bend - turn) * eighth;
        let e2 = turn * halved() - e4 - e4;
        Self::assemble([mean - e2 - e4, half - e3 - e5, e2, e3, e4, e5])
    }

    fn assemble<W: Scalar>(coefficients: [Interval<W>; 6]) -> Result<Self, PathError> {
        let near = coefficients.map(narrowed::<W, S>);
        let sum = |terms: [S; 6]| terms.into_iter().fold(S::ZERO, S::add_hi);
        let (sizes, radii) = (near.map(|(e, _)| e.abs()), near.map(|(_, radius)| radius));
        let slope_hi = sum(weighted(near.map(|(e, radius)| e.abs().add_hi(radius)), |k| k));
        // Horner's scheme at the computed x, which is within [−1, 1]: each step is a product below the sum of the
        // higher coefficients and a sum below that of one more; where the higher ones are zero, nothing is rounded. The
        // computed x itself is 3 roundings (one of them doubled) from the true one.
        let (size_hi, rounding_hi) = sizes.into_iter().rev().fold((S::ZERO, S::ZERO), |(higher, error), e| {
            if higher <= S::ZERO {
                return (e, error);
            }
            let all = higher.add_hi(e);
            (all, error.add_hi(S::rounding_hi(1, higher)).add_hi(S::rounding_hi(1, all)))
        });
        let value_error_hi = sum(radii).add_hi(rounding_hi).add_hi(S::rounding_hi(3, S::ONE).mul_hi(slope_hi));
        let value_hi = size_hi.add_hi(value_error_hi);
        // The coefficients about m, |m| ≤ 1: how large they get and what they err by, step by step as `about` computes
        // them.
        let moved = shifted(sizes.map(|e| (e, S::ZERO)), |lower, higher| {
            if higher.0 <= S::ZERO {
                return lower;
            }
            let size = lower.0.add_hi(higher.0);
            (size, lower.1.add_hi(higher.1).add_hi(S::rounding_hi(2, size)))
        });
        let (sizes, errors) = (moved.map(|(size, _)| size), moved.map(|(_, error)| error));
        // A bound over an interval sums up cₖ·dₖ·wʲ, j ≤ 5, with w ≤ 1 + 1/64, in at most 14 operations below the sum
        // of the magnitudes; the errors of dₖ enter with the same weights. w makes less than an eighth more of both.
        // The machine's polynomial itself is as far from the true one as the coefficients are, since |x| ≤ 1.
        let bound = |weight: fn(u16) -> u16| {
            let [radius, error, size] = [radii, errors, sizes].map(|terms| sum(weighted(terms, weight)));
            let more = S::ONE + S::HALF * S::HALF * S::HALF;
            radius.add_hi(error.mul_hi(more)).add_hi(S::rounding_hi(14, size.mul_hi(more)))
        };
        let bound_errors_hi = [bound(|_| 1), bound(|k| k), bound(|k| k * k.saturating_sub(1))];
        let finite = bound_errors_hi.into_iter().chain([value_error_hi, value_hi]).all(S::is_finite);
        if !(finite && value_hi <= S::RANGE) {
            return Err(PathError::OutOfRange);
        }
        Ok(Self { coefficients: near.map(|(e, _)| e), value_error_hi, value_hi, bound_errors_hi })
    }

    /// The numbers that define the path, for a scene's revision.
    pub(crate) fn print(&self, print: &mut Fingerprint) {
        let Self { coefficients, value_error_hi, value_hi, bound_errors_hi } = self;
        let rest = [*value_error_hi, *value_hi].into_iter().chain(*bound_errors_hi);
        coefficients.iter().copied().chain(rest).for_each(|x| print.scalar(x));
    }

    /// The value at a moment in `[0, 1]`, about.
    ///
    /// # Soundness
    /// `|value(u) − q(u)| ≤ value_error_hi()` for every `u` in `[0, 1]`.
    pub fn value(&self, u: S) -> S {
        let half = u - S::HALF;
        let x = (half + half).max(-S::ONE).min(S::ONE);
        let [e0, e1, e2, e3, e4, e5] = self.coefficients;
        ((((e5 * x + e4) * x + e3) * x + e2) * x + e1) * x + e0
    }

    /// # Soundness
    /// See [`value`](JointPath::value).
    pub fn value_error_hi(&self) -> S {
        if mutant!(PathErrorDropped) { S::ZERO } else { self.value_error_hi }
    }

    /// # Soundness
    /// `|q(u)| ≤ value_hi()` and `|value(u)| ≤ value_hi()` for every `u` in `[0, 1]`.
    pub fn value_hi(&self) -> S {
        self.value_hi
    }

    /// The values during an interval of `[0, 1]`; of any other one nothing is known.
    ///
    /// # Soundness
    /// Contains `q(u)` for every `u` in `[from, until]`.
    pub fn range(&self, from: S, until: S) -> Interval<S> {
        let Some(piece) = self.about(from, until) else { return Interval::ENTIRE };
        let whole = piece.range(self.bound_errors_hi);
        // In a short interval nothing gets far from the value at its start, which is known better than the polynomial's bounds.
        let way_hi = piece.speed_hi(self.bound_errors_hi).mul_hi(until.sub_hi(from));
        let (start, away_hi) = (self.value(from), way_hi.add_hi(self.value_error_hi()));
        if !away_hi.is_finite() {
            return whole;
        }
        Interval::new(whole.lo().max(start.sub_lo(away_hi)), whole.hi().min(start.add_hi(away_hi)))
    }

    /// The greatest speed during an interval of `[0, 1]`, per unit of `u`.
    ///
    /// # Soundness
    /// `speed_hi(from, until) ≥ |q̇(u)|` for every `u` in `[from, until]`.
    pub fn speed_hi(&self, from: S, until: S) -> S {
        self.about(from, until).map_or(S::GREATEST, |piece| piece.speed_hi(self.bound_errors_hi))
    }

    /// The greatest acceleration during an interval of `[0, 1]`, per unit of `u` squared.
    ///
    /// # Soundness
    /// `acceleration_hi(from, until) ≥ |q̈(u)|` for every `u` in `[from, until]`.
    pub fn acceleration_hi(&self, from: S, until: S) -> S {
        self.about(from, until).map_or(S::GREATEST, |piece| piece.acceleration_hi(self.bound_errors_hi))
    }

    /// All three at once, times the duration `h` of the interval: `max|q|`, `h·max|q̇|` and `h²·max|q̈|`.
    pub(super) fn sweep(&self, from: S, until: S) -> [S; 3] {
        let h = until.sub_hi(from);
        let errors = self.bound_errors_hi;
        let [_, slope, higher @ ..] = self.coefficients;
        if higher == [S::ZERO; 4] && S::ZERO <= from && from <= until && until <= S::ONE {
            // A line: its slope by x is e₁, within an error, and dx/du = 2.
            let [_, slope_error_hi, bend_error_hi] = errors;
            let (rate, bend) = (slope.abs().add_hi(slope_error_hi), bend_error_hi.add_hi(bend_error_hi));
            return [self.value_hi, rate.add_hi(rate).mul_hi(h), bend.add_hi(bend).mul_hi(h).mul_hi(h)];
        }
        let Some(piece) = self.about(from, until) else { return [S::GREATEST; 3] };
        let bend = piece.acceleration_hi(errors).mul_hi(h).mul_hi(h);
        [piece.range(errors).magnitude_hi(), piece.speed_hi(errors).mul_hi(h), bend]
    }

    /// The polynomial about the middle of an interval.
    fn about(&self, from: S, until: S) -> Option<Piece<S>> {
        if !(S::ZERO <= from && from <= until && until <= S::ONE) {
            return None;
        }
        // Whatever m is, w is at least the distance of both ends from it.
        let middle = (from + until - S::ONE).max(-S::ONE).min(S::ONE);
        let first_lo = from.add_lo(from).sub_lo(S::ONE);
        let last_hi = until.add_hi(until).sub_hi(S::ONE);
        let half_hi = last_hi.sub_hi(middle).max(middle.sub_hi(first_lo));
        let d = shifted(self.coefficients, |lower, higher| lower + middle * higher);
        Some(Piece { d, half_hi, square_hi: half_hi.mul_hi(half_hi) })
    }
}

/// `q = Σ d[k]·vᵏ` for `|v| ≤ half`, where `v = x − m`. With `s = v²` each derivative is `even(s) + v·odd(s)`, and both
/// parts are at most quadratic in `s`: this finds the peak of a cubic's or quintic's speed where it is, in the middle.
struct Piece<S> {
    d: [S; 6],
    half_hi: S,
    square_hi: S,
}

impl<S: Scalar> Piece<S> {
    fn range(&self, [error_hi, ..]: [S; 3]) -> Interval<S> {
        let [d0, d1, d2, d3, d4, d5] = self.d;
        let (lo, hi) = self.even(d0, d2, d4);
        let odd = self.odd(d1, d3, d5);
        if mutant!(RangeOfEnds) {
            return Interval::new((d0 - odd).sub_lo(error_hi), (d0 + odd).add_hi(error_hi));
        }
        Interval::new((lo - odd).sub_lo(error_hi), (hi + odd).add_hi(error_hi))
    }

    fn speed_hi(&self, [_, error_hi, _]: [S; 3]) -> S {
        let [_, d1, d2, d3, d4, d5] = self.d;
        let times = |k: f64, d: S| S::from_f64_near(k) * d;
        let (lo, hi) = self.even(d1, times(3.0, d3), times(5.0, d5));
        let odd = if mutant!(SpeedOfMiddle) { S::ZERO } else { self.odd(times(2.0, d2), times(4.0, d4), S::ZERO) };
        // dx/du = 2.
        let most = (lo.abs().max(hi.abs()) + odd).add_hi(error_hi);
        most.add_hi(most)
    }

    fn acceleration_hi(&self, [_, _, error_hi]: [S; 3]) -> S {
        let [_, _, d2, d3, d4, d5] = self.d;
        let times = |k: f64, d: S| S::from_f64_near(k) * d;
        let (lo, hi) = self.even(times(2.0, d2), times(12.0, d4), S::ZERO);
        let odd =
            if mutant!(AccelerationOfMiddle) { S::ZERO } else { self.odd(times(6.0, d3), times(20.0, d5), S::ZERO) };
        let most = (lo.abs().max(hi.abs()) + odd).add_hi(error_hi);
        let twice = most.add_hi(most);
        twice.add_hi(twice)
    }

    /// The least and the greatest value of `a + s·(b + s·c)` for `s` in `[0, half²]`: the bracket is linear, so its
    /// extrema are at the ends.
    fn even(&self, a: S, b: S, c: S) -> (S, S) {
        let s = self.square_hi;
        let end = b + s * c;
        (a + (s * b.min(end)).min(S::ZERO), a + (s * b.max(end)).max(S::ZERO))
    }

    /// The greatest magnitude of `v` times the same.
    fn odd(&self, a: S, b: S, c: S) -> S {
        let (lo, hi) = self.even(a, b, c);
        self.half_hi * lo.abs().max(hi.abs())
    }
}

/// The coefficients about another point by repeated synthetic division; `step(lower, higher)` is `lower + m·higher`.
fn shifted<T: Copy>(mut coefficients: [T; 6], step: impl Fn(T, T) -> T) -> [T; 6] {
    for first in 0..5 {
        coefficients.iter_mut().skip(first).rev().reduce(|higher, lower| {
            *lower = step(*lower, *higher);
            lower
        });
    }
    coefficients
}

/// Each coefficient times a small whole number that depends on its index.
fn weighted<S: Scalar>(coefficients: [S; 6], weight: impl Fn(u16) -> u16) -> [S; 6] {
    let mut k = 0;
    coefficients.map(|c| {
        let factor = S::from_f64_near(f64::from(weight(k)));
        k += 1;
        if factor <= S::ZERO || c <= S::ZERO { S::ZERO } else { c.mul_hi(factor) }
    })
}

/// A machine number next to those of an interval, and how far they are from it at most.
pub(super) fn narrowed<W: Scalar, S: Scalar>(x: Interval<W>) -> (S, S) {
    let near = S::from_f64_near(x.mid().to_f64());
    // A subnormal number may read as zero later, so it is taken for zero.
    let near = if near.in_range() { near } else { S::ZERO };
    let (lo, hi, at) = (x.lo().to_f64(), x.hi().to_f64(), near.to_f64());
    let exact = lo >= at && hi <= at;
    (near, if exact { S::ZERO } else { S::from_f64_hi(Scalar::max(hi.sub_hi(at), at.sub_hi(lo))) })
}

fn halved<W: Scalar>() -> Interval<W> {
    Interval::point(W::HALF)
}

/// Half the sum and half the difference.
fn middle<W: Scalar>([a, b]: [Interval<W>; 2]) -> [Interval<W>; 2] {
    [(a + b) * halved(), (b - a) * halved()]
}

/// `du/dx` in seconds, for numbers that are in range.
fn half_duration<W: Scalar, const N: usize>(
    duration: Interval<W>,
    ends: [[Interval<W>; 2]; N],
) -> Result<Interval<W>, PathError> {
    if !(duration.in_range() && ends.into_iter().flatten().all(Interval::in_range)) {
        return Err(PathError::OutOfRange);
    }
    if duration.lo() < W::ZERO { Err(PathError::Duration) } else { Ok(duration * halved()) }
}
