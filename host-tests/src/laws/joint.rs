//! Joint paths: computed values against the true polynomials, and bounds over intervals.

use super::single;
use crate::random::Random;
use crate::wide::Dd;
use crate::wide::chain::Course;
use avert::motion::{JointPath, PathError};
use avert::{Interval, Scalar};

/// An interval that holds a number, not in its middle; just that number if the radius is 0 and it has so many digits.
pub(crate) fn enclosure<W: Scalar>(random: &mut Random, x: f64, radius: f64) -> Interval<W> {
    let part = if random.one_in(2) { f64::from(u8::from(random.one_in(2))) } else { random.unit() };
    Interval::new(W::from_f64_lo(x - radius * part), W::from_f64_hi(x + radius * (1.0 - part)))
}

/// A number that `f32` has, or any.
pub(crate) fn digits(x: f64, random: &mut Random) -> f64 {
    if random.one_in(2) { f64::from(x as f32) } else { x }
}

impl Course {
    /// Lines, cubics and quintics; small, ordinary and large motions, slow and fast.
    pub(crate) fn random(random: &mut Random) -> Self {
        let size = match random.below(4) {
            0 => random.magnitude(-9.0, -2.0),
            1 => random.magnitude(0.5, 1.5),
            _ => 1.0,
        };
        let from = random.pick(&[0.0, 1.0, 3.0]) * random.within(-1.0, 1.0);
        let (from, until) = (digits(from, random), digits(from + size * random.within(-1.0, 1.0), random));
        let positions = [from, if random.one_in(8) { from } else { until }];
        let duration = digits(random.magnitude(-2.0, 1.5), random);
        let mut ends = |scale: f64| {
            let rest = random.one_in(3);
            [0; 2].map(|_| if rest { 0.0 } else { digits(scale * random.within(-2.0, 2.0), random) })
        };
        let (velocities, accelerations) = (ends(size / duration), ends(4.0 * size / duration / duration));
        match random.below(3) {
            0 => Self::Line(positions),
            1 => Self::Cubic(positions, velocities, duration),
            _ => Self::Quintic(positions, velocities, accelerations, duration),
        }
    }

    /// The greatest number that the coefficients are sums of.
    fn greatest_term(&self) -> f64 {
        let (velocities, accelerations, half) = match *self {
            Self::Line(_) => return 0.0,
            Self::Cubic(_, v, t) => (v, [0.0; 2], t / 2.0),
            Self::Quintic(_, v, a, t) => (v, a, t / 2.0),
        };
        let terms = velocities.map(|v| v * half).into_iter().chain(accelerations.map(|a| a * half * half));
        terms.map(f64::abs).fold(0.0, f64::max)
    }

    /// The machine's path, from numbers of any scalar that are known to within a radius.
    pub(crate) fn path<W: Scalar, S: Scalar>(
        &self,
        random: &mut Random,
        radius: f64,
    ) -> Result<JointPath<S>, PathError> {
        let mut two = |x: [f64; 2]| x.map(|x| enclosure::<W>(random, x, radius));
        match *self {
            Self::Line(p) => JointPath::line_enclosures(two(p)),
            Self::Cubic(p, v, t) => JointPath::cubic_enclosures(two(p), two(v), Interval::from_f64(t)),
            Self::Quintic(p, v, a, t) => JointPath::quintic_enclosures(two(p), two(v), two(a), Interval::from_f64(t)),
        }
    }

    /// From `f64` numbers, exactly.
    pub(crate) fn exact_path<S: Scalar>(&self) -> Result<JointPath<S>, PathError> {
        match *self {
            Self::Line([p, q]) if p == q => JointPath::still(p),
            Self::Line(p) => JointPath::line(p),
            Self::Cubic(p, v, t) => JointPath::cubic(p, v, t),
            Self::Quintic(p, v, a, t) => JointPath::quintic(p, v, a, t),
        }
    }

    /// A path from the numbers of this scalar, of `f64`, or of uncertain ones.
    pub(crate) fn any_path<S: Scalar>(&self, random: &mut Random) -> Result<JointPath<S>, PathError> {
        match random.below(4) {
            0 => {
                let radius = random.magnitude(-7.0, -3.0);
                self.path::<f64, S>(random, radius)
            }
            1 => self.path::<S, S>(random, 0.0),
            _ => self.exact_path(),
        }
    }
}

/// Two times in order, often the whole or a small part, and one between them.
pub(crate) fn times<S: Scalar>(random: &mut Random) -> (S, S, f64) {
    let (from, until) = match random.below(4) {
        0 => (0.0, 1.0),
        1 => (random.unit(), random.unit()),
        _ => {
            let from = random.unit();
            (from, from + random.magnitude(-4.0, -0.5))
        }
    };
    let (a, b) = (S::from_f64_near(from.min(until)), S::from_f64_near(from.max(until).min(1.0)));
    let (lo, hi) = (a.to_f64(), b.to_f64());
    let between = match random.below(5) {
        0 => lo,
        1 => hi,
        2 => (lo + hi) / 2.0,
        _ => lo + (hi - lo) * random.unit(),
    };
    (a, b, between.clamp(lo, hi))
}

fn each<S: Scalar>(
    cases: u64,
    seed: u64,
    check: impl Fn(&mut Random, &JointPath<S>, &Course, Dd) -> Result<(), String>,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases.div_ceil(4) {
        let course = Course::random(&mut random);
        let path = match course.any_path::<S>(&mut random) {
            Ok(path) => path,
            // A fixed point has little room.
            Err(_) if !S::FLOATING => continue,
            Err(e) => return Err(format!("{e}: {course:?}")),
        };
        // Far below any scalar's error, far above a double-double's.
        let doubt = Dd::from(1e-24 * (1.0 + path.value_hi().to_f64()));
        for _ in 0..4 {
            check(&mut random, &path, &course, doubt).map_err(|e| format!("{e}; {course:?}, {path:?}"))?;
        }
    }
    Ok(())
}

fn hi<S: Scalar>(x: S) -> Dd {
    Dd::from(x.to_f64())
}

/// Every value is within the stated error of the true one.
pub fn value<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, path, course, doubt| {
        let u = S::from_f64_near(if random.one_in(4) { 1.0 } else { random.unit() });
        let [real, ..] = course.at(Dd::from(u.to_f64()));
        let (got, error) = (path.value(u), path.value_error_hi());
        let off = (real - hi(got)).abs();
        let good = off <= hi(error) + doubt;
        if good { Ok(()) } else { Err(format!("at {u:?}: off by {:e}, allowed {error:?}", off.to_f64())) }
    })
}

/// Against true and computed values.
pub fn value_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, path, course, doubt| {
        let u = S::from_f64_near(random.unit());
        let [real, ..] = course.at(Dd::from(u.to_f64()));
        let most = real.abs().max(hi(path.value(u)).abs());
        let good = most <= hi(path.value_hi()) + doubt;
        if good { Ok(()) } else { Err(format!("at {u:?}: {:e} exceeds {:?}", most.to_f64(), path.value_hi())) }
    })
}

/// Against true values during an interval.
pub fn range<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, path, course, doubt| {
        let (from, until, u) = times::<S>(random);
        let [real, ..] = course.at(Dd::from(u));
        let range = path.range(from, until);
        let good = hi(range.lo()) - doubt <= real && real <= hi(range.hi()) + doubt;
        if good { Ok(()) } else { Err(format!("{range:?} for {from:?}..{until:?} misses {:e} at {u}", real.to_f64())) }
    })
}

/// Against true speeds during an interval.
pub fn speed_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, path, course, doubt| {
        let (from, until, u) = times::<S>(random);
        let [_, real, _] = course.at(Dd::from(u));
        let got = path.speed_hi(from, until);
        let good = real.abs() <= hi(got) + doubt;
        if good { Ok(()) } else { Err(format!("{got:?} for {from:?}..{until:?}, but {:e} at {u}", real.to_f64())) }
    })
}

/// Against true accelerations during an interval.
pub fn acceleration_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, path, course, doubt| {
        let (from, until, u) = times::<S>(random);
        let [_, _, real] = course.at(Dd::from(u));
        let got = path.acceleration_hi(from, until);
        let good = real.abs() <= hi(got) + doubt;
        if good { Ok(()) } else { Err(format!("{got:?} for {from:?}..{until:?}, but {:e} at {u}", real.to_f64())) }
    })
}

/// A value is known to a few units in the last place, and a bound over a 64th of the segment is near the truth there.
pub fn tight_path<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let unit = super::unit::<S>();
    // The resolution of a fixed point does not get finer with smaller numbers.
    let least = if S::FLOATING { 1e-30 } else { unit };
    for _ in 0..cases {
        let course = Course::random(&mut random);
        let path = match course.exact_path::<S>() {
            Ok(path) => path,
            Err(_) if !S::FLOATING => continue,
            Err(e) => return Err(format!("{e}: {course:?}")),
        };
        // What the polynomial's size is measured by, for Horner's scheme; large terms may cancel in its coefficients.
        let size = path.value_hi().to_f64().max(course.greatest_term());
        // The coefficients of a narrower scalar are next to those that f64 has.
        let few = if single::<S>() { 24.0 } else { 128.0 };
        if path.value_error_hi().to_f64() > few * (unit * size + least) {
            return Err(format!("a value errs by {:?} of {size}: {course:?}", path.value_error_hi()));
        }
        let from = random.within(0.0, 63.0 / 64.0);
        let (a, b) = (S::from_f64_near(from), S::from_f64_near(from + 1.0 / 64.0));
        let most = |k: usize, from: f64, until: f64| {
            let at = |i: i32| course.at(Dd::from(from + (until - from) * f64::from(i) / 32.0))[k].to_f64().abs();
            (0..=32).map(at).fold(0.0, f64::max)
        };
        let (from, until) = (a.to_f64(), b.to_f64());
        // Second order: the third and fourth derivatives over the whole segment are at most a few hundred times its size.
        let loose = (0.02 + 600.0 * unit) * (most(1, 0.0, 1.0) + most(2, 0.0, 1.0)) + 1e3 * (unit * size + least);
        let (speed, bend) = (path.speed_hi(a, b).to_f64(), path.acceleration_hi(a, b).to_f64());
        if speed > most(1, from, until) + loose || bend > most(2, from, until) + 10.0 * loose {
            return Err(format!(
                "{speed} for {}, {bend} for {}, allowed {loose}: {course:?} {from}",
                most(1, from, until),
                most(2, from, until)
            ));
        }
        let range = path.range(a, b);
        let width = range.hi().to_f64() - range.lo().to_f64();
        if width > 2.0 * speed / 64.0 + 256.0 * (unit * size + least) {
            return Err(format!("{range:?} is wide for a speed of {speed}: {course:?} {from}"));
        }
    }
    // 3t² − 2t³ and 10t³ − 15t⁴ + 6t⁵ over the whole segment, where the greatest speeds are in the middle; and a line.
    let slack = match (S::FLOATING, single::<S>()) {
        (true, true) => 1e-4,
        (true, false) => 1e-12,
        (false, _) => 512.0 * unit,
    };
    let peaks = [
        (Course::Line([-1.0, 2.0]), 3.0),
        (Course::Cubic([0.0, 1.0], [0.0; 2], 2.0), 1.5),
        (Course::Quintic([0.0, 1.0], [0.0; 2], [0.0; 2], 2.0), 1.875),
    ];
    for (course, peak) in peaks {
        let path = course.exact_path::<S>().map_err(|e| e.to_string())?;
        let speed = path.speed_hi(S::ZERO, S::ONE).to_f64();
        if speed > peak * (1.0 + slack) {
            return Err(format!("a speed of {speed}, not {peak}: {course:?}"));
        }
    }
    Ok(())
}
