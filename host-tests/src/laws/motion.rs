//! Rigid motions: computed places against the true ones, and bounds on speed.

use super::scene::{Course, Goal};
use super::{array, grain, most, single, size, vector};
use crate::random::Random;
use crate::wide::{Dd, cross, dot, norm, scale};
use avert::motion::PlacementError;
use avert::{RigidMotion, Scalar};

/// Makes a random motion of a body of about this size, whose numbers may be uncertain.
type Make = fn(&mut Random, f64, bool) -> Course;

/// Calls `check` with random motions, their truth, their size and a body point.
fn each<S: Scalar>(
    cases: u64,
    seed: u64,
    check: impl Fn(&mut Random, &RigidMotion<S>, &crate::wide::Motion, f64, [f64; 3]) -> Result<(), String>,
) -> Result<(), String> {
    each_of(Course::random, cases, seed, check)
}

fn each_of<S: Scalar>(
    make: Make,
    cases: u64,
    seed: u64,
    check: impl Fn(&mut Random, &RigidMotion<S>, &crate::wide::Motion, f64, [f64; 3]) -> Result<(), String>,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < cases {
        let size = size::<S>(&mut random, -3.0, 4.0);
        let uncertain = random.one_in(3);
        let course = make(&mut random, size, uncertain);
        let Some((machine, truth)) = course.make::<S>() else { continue };
        for _ in 0..4 {
            done += 1;
            let x = array(vector::<S>(random.vector().map(|x| x * size)));
            let state = random.clone();
            check(&mut random, &machine, &truth, size, x).map_err(|e| format!("{e}; {course:?}, {state:?}, {x:?}"))?;
        }
    }
    Ok(())
}

fn time<S: Scalar>(random: &mut Random) -> S {
    S::from_f64_near(match random.below(4) {
        0 => 0.0,
        1 => 1.0,
        _ => random.unit(),
    })
}

fn minus(a: [Dd; 3], b: [Dd; 3]) -> [Dd; 3] {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn distance(a: [f64; 3], b: [f64; 3]) -> Dd {
    norm(minus(a.map(Dd::from), b.map(Dd::from)))
}

/// Far below any scalar's error, far above a double-double's.
fn doubt(size: f64) -> Dd {
    Dd::from(size * 1e-25)
}

/// How far a placed point is from the true one, and the bound.
fn misplaced<S: Scalar>(
    random: &mut Random,
    machine: &RigidMotion<S>,
    truth: &crate::wide::Motion,
    x: [f64; 3],
) -> (Dd, S) {
    let t = time::<S>(random);
    let place = machine.placement(t);
    let real = truth.place(t.to_f64()).apply(x);
    let rows = place.rotation.rows.map(|row| dot(array(row).map(Dd::from), x.map(Dd::from)));
    let position = array(place.position).map(Dd::from);
    let got = [0, 1, 2].map(|i| rows[i] + position[i]);
    let reach = S::from_f64_hi(distance(x, truth.centre).to_f64() * (1.0 + 1e-12));
    (norm(minus(got, real)), machine.placement_error_hi(reach))
}

/// Every point is within the stated error of where it truly is.
pub fn placement<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    placement_of::<S>(Course::random, cases, seed)
}

/// The same for screws of all kinds.
pub fn screw<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    placement_of::<S>(Course::screw, cases, seed)
}

fn placement_of<S: Scalar>(make: Make, cases: u64, seed: u64) -> Result<(), String> {
    each_of::<S>(make, cases, seed, |random, machine, truth, size, x| {
        let (off, error) = misplaced(random, machine, truth, x);
        let good = off <= Dd::from(error.to_f64()) + doubt(size);
        if good { Ok(()) } else { Err(format!("misplaced by {:e}, allowed {error:?}", off.to_f64())) }
    })
}

/// The same as an error of a pose, by the distance from the body's origin.
pub fn of_motion<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    for make in [Course::random, Course::screw] {
        each_of::<S>(make, cases / 2, seed, |random, machine, truth, size, x| {
            let error = PlacementError::of_motion(machine);
            let (off, _) = misplaced(random, machine, truth, x);
            let place = array(machine.placement(time::<S>(random)).position);
            let long = place.iter().fold(Dd::ZERO, |s, x| s + Dd::from(x.abs()));
            let allowed = error.at_hi(vector::<S>(x).norm_hi());
            let unknown = !S::FLOATING && !allowed.is_finite();
            let good = unknown
                || off <= Dd::from(allowed.to_f64()) + doubt(size) && long <= Dd::from(error.position_hi.to_f64());
            if good { Ok(()) } else { Err(format!("misplaced by {:e}, allowed {error:?}", off.to_f64())) }
        })?;
    }
    Ok(())
}

/// The error bound is small for motions that are known exactly.
pub fn tight_placement<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let allowed = if single::<S>() { 1e-4 } else { 1e-12 };
    for _ in 0..cases {
        let mut course = Course::random(&mut random, 1.0, false);
        if let Goal::Velocities(_, angular) = &mut course.to {
            *angular = angular.map(|x| x % 3.0);
        }
        // Fixed point places screws less well: see below.
        let screw = matches!(course.to, Goal::Screw(_));
        if !S::FLOATING && screw {
            continue;
        }
        let Some((machine, truth)) = course.make::<S>() else { continue };
        // A turn of next to nothing, or of half a turn, has an axis of few digits. That of a screw is far away, too: what
        // those of less than half a radian may err by is below.
        if !(if screw { 0.5 } else { 1e-2 }..3.0).contains(&truth.angle.to_f64()) {
            continue;
        }
        let far = machine.position_hi().to_f64().max(1.0);
        let error = machine.placement_error_hi(S::ONE).to_f64();
        if error > (allowed + 20.0 * grain::<S>()) * far + 400.0 * grain::<S>() {
            return Err(format!("the error is {error:e} at {far:e}: {course:?}"));
        }
    }
    Ok(())
}

/// How far a screw is from its model at a time.
fn deviation(truth: &crate::wide::Motion, t: f64) -> Dd {
    norm(minus(truth.place(t).position, truth.model().place(t).position))
}

/// What a screw and its model are apart is in the error, wherever the point is.
pub fn deviation_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_of::<S>(Course::screw, cases, seed, |random, machine, truth, size, _| {
        let (off, error) = (deviation(truth, random.unit()), machine.placement_error_hi(S::ZERO));
        let good = off <= Dd::from(error.to_f64()) + doubt(size);
        if good { Ok(()) } else { Err(format!("{:e} from the screw, allowed {error:?}", off.to_f64())) }
    })
}

/// The error of a screw of about a metre is small. One that hardly turns has the lesser of two errors: the bow of its way, or
/// the rounding of an axis that is far away.
pub fn tight_screw<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (unit, allowed) = (super::unit::<S>(), if single::<S>() { 1e-4 } else { 1e-12 });
    for _ in 0..cases {
        let mut course = Course::screw(&mut random, 1.0, false);
        let way = random.vector();
        course.from.1 = random.vector();
        if let Goal::Screw((_, to)) = &mut course.to {
            *to = [0, 1, 2].map(|i| course.from.1[i] + way[i]);
        }
        let Some((machine, truth)) = course.make::<S>() else { continue };
        let (angle, way) = (truth.angle.to_f64(), distance(way, [0.0; 3]).to_f64());
        let reach = S::from_f64_hi(distance(truth.centre, [0.0; 3]).to_f64() + 1.0);
        let error = machine.placement_error_hi(reach).to_f64();
        // A bow of θ/8 of the way, with a reserve; the axis is about 1/θ of the way off.
        // Fixed point has more to round, and no room for an axis that is far away.
        let near = way / angle < 0.3 * S::RANGE.to_f64();
        let axis = if S::FLOATING { 500.0 } else { 2000.0 + if near { 0.0 } else { f64::INFINITY } };
        let little = 400.0 * unit + way * (0.161 * angle).min(axis * unit / angle);
        let limit = if angle < 0.5 { little } else { allowed } + 1000.0 * grain::<S>();
        if error > limit {
            return Err(format!("the error is {error:e} for a turn of {angle:e}, not {limit:e}: {course:?}"));
        }
    }
    Ok(())
}

/// The sum of the magnitudes of the computed position.
pub fn position_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, machine, _, _, _| {
        let position = machine.placement(time::<S>(random)).position;
        let sum = array(position).iter().fold(Dd::ZERO, |s, x| s + Dd::from(x.abs()));
        let good = sum <= Dd::from(machine.position_hi().to_f64());
        if good { Ok(()) } else { Err(format!("{position:?} exceeds {:?}", machine.position_hi())) }
    })
}

/// Against the true angle.
pub fn angle_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |_, machine, truth, _, _| {
        let good = truth.angle <= Dd::from(machine.angle_hi().to_f64()) + doubt(1.0);
        if good { Ok(()) } else { Err(format!("turns by {:e}, not {:?}", truth.angle.to_f64(), machine.angle_hi())) }
    })
}

/// Against the true velocity of the centre.
pub fn drift_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, machine, truth, size, _| {
        let n = vector::<S>(random.direction());
        let real = dot(array(n).map(Dd::from), truth.velocity);
        let good = real <= Dd::from(machine.drift_hi(n).to_f64()) + doubt(size);
        if good { Ok(()) } else { Err(format!("along {n:?}: {:?} but {:e}", machine.drift_hi(n), real.to_f64())) }
    })
}

/// The bounds on the speed are next to the speed where the motion is known exactly.
pub fn tight_drift_and_spin<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let allowed = if single::<S>() { 1e-4 } else { 1e-12 };
    for _ in 0..cases {
        let course = Course::random(&mut random, 1.0, false);
        let Some((machine, truth)) = course.make::<S>() else { continue };
        if truth.angle.to_f64() < 1e-2 {
            continue;
        }
        let n = vector::<S>(random.direction());
        let exact = array(n).map(Dd::from);
        let drift = dot(exact, truth.velocity).to_f64();
        let spin = norm(cross(scale(truth.axis, truth.angle), exact)).to_f64();
        let size = norm(truth.velocity).to_f64() + machine.position_hi().to_f64() + truth.angle.to_f64();
        let (over, more) = (machine.drift_hi(n).to_f64() - drift, machine.spin_hi(n).to_f64() - spin);
        // The axis has few digits in fixed point if the turn is small.
        let vague = 200.0 * grain::<S>() / truth.angle.to_f64();
        if over > (allowed + vague) * size || more > (allowed + vague) * (1.0 + truth.angle.to_f64()) {
            return Err(format!("the drift is {over:e} and the spin {more:e} more than the truth: {course:?}"));
        }
    }
    Ok(())
}

/// The machine axis is within its error of the true one, in the body's frame.
pub fn axis<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |_, machine, truth, _, x| {
        if truth.angle == Dd::ZERO {
            return Ok(());
        }
        let (axis, error) = (array(machine.axis()).map(Dd::from), Dd::from(machine.axis_error_hi().to_f64()));
        if axis.iter().any(|a| a.to_f64().abs() > 1.0) {
            return Err(format!("an axis longer than 1: {:?}", machine.axis()));
        }
        // The product with any arm is off by no more than the error times the arm.
        let arm = minus(x.map(Dd::from), truth.centre.map(Dd::from));
        let (real, got) = (truth.axis_distance(x), norm(cross(arm, axis)));
        let off = if real > got { real - got } else { got - real };
        let good = off <= error * norm(arm) + doubt(norm(arm).to_f64());
        if good { Ok(()) } else { Err(format!("{:e} from the axis, not {:e}", real.to_f64(), got.to_f64())) }
    })
}

/// Against the true angular velocity.
pub fn spin_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, machine, truth, _, _| {
        let n = vector::<S>(random.direction());
        let real = norm(cross(scale(truth.axis, truth.angle), array(n).map(Dd::from)));
        let good = real <= Dd::from(machine.spin_hi(n).to_f64()) + doubt(1.0);
        if good { Ok(()) } else { Err(format!("along {n:?}: {:?} but {:e}", machine.spin_hi(n), real.to_f64())) }
    })
}

/// Against the true axis.
pub fn axis_distance_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |_, machine, truth, size, x| {
        // Without a turn there is no axis to be away from.
        let real = if truth.angle > Dd::ZERO { truth.axis_distance(x) } else { Dd::ZERO };
        let got = machine.axis_distance_hi(vector(x));
        let good = real <= Dd::from(got.to_f64()) + doubt(size);
        if good { Ok(()) } else { Err(format!("{:e} from the axis, not {got:?}", real.to_f64())) }
    })
}

/// Against the true velocity of a body point.
pub fn speed_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, machine, truth, size, x| {
        let arm = S::from_f64_hi(truth.axis_distance(x).to_f64() * (1.0 + 1e-12));
        let real = norm(truth.velocity_of(x, random.unit()));
        let got = machine.speed_hi(arm);
        // No number says nothing; but fixed point has one for every speed that it has room for.
        let no_room = !S::FLOATING && got.to_f64().is_nan() && real.to_f64() > 0.99 * most::<S>().to_f64();
        let good = no_room || real <= Dd::from(got.to_f64()) + doubt(size);
        if good { Ok(()) } else { Err(format!("moves at {:e}, not {got:?}", real.to_f64())) }
    })
}
