//! Constant linear and angular velocity about a point of the body.
//!
//! **Computes** the pose at a time, and bounds on the speed and acceleration of the body's points. **Invariant**: every
//! function says how far its numbers may be from the real motion that the caller's numbers define. **Follows** Tang,
//! Manocha and Kim 2014, §4.1. **Departs**: the rotation centre is any body point, and the construction is done in
//! interval arithmetic, so that inputs which are themselves uncertain (a converted or measured pose) are welcome.

use super::turn::{Turn, rotation};
use crate::fingerprint::Fingerprint;
use crate::motion::Placement;
use crate::mutant::mutant;
use crate::scalar::{Interval, Mat3, Pose, Scalar, Vec3};

/// Why a motion was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MotionError {
    /// A number is NaN, infinite, subnormal or too large.
    OutOfRange,
    /// A quaternion's length differs from 1 by more than one in a hundred.
    NotUnit,
    /// The two poses are half a turn apart (or too near to that), so the shortest rotation is not certain: give an
    /// intermediate pose or velocities.
    HalfTurn,
    /// The poses are known too vaguely, or the rotation is too fast, for this scalar.
    Imprecise,
}

impl core::fmt::Display for MotionError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::OutOfRange => "a number is not finite, is subnormal, or is too large for this scalar",
            Self::NotUnit => "the quaternion is not of length 1 (within 1 %)",
            Self::HalfTurn => {
                "the poses are half a turn apart, so the shortest rotation is not certain: \
                 give an intermediate pose, or velocities"
            }
            Self::Imprecise => "the poses are too uncertain, or the rotation is too fast, for this scalar",
        })
    }
}

impl core::error::Error for MotionError {}

/// How fast a body moves, per unit of time, in the world's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Velocities<T> {
    /// The velocity of the body point that the body turns about, in metres.
    pub linear: Vec3<T>,
    /// The angular velocity, in radians.
    pub angular: Vec3<T>,
}

/// A body that moves with constant linear and angular velocity.
///
/// A body point `x` is at `start + t·velocity + Rot(t·angular)·R₀·(x − centre)` at time `t`. A
/// [screw](RigidMotion::screw) is kept as the motion of this kind that is next to it: of the functions below
/// [`placement_error_hi`](RigidMotion::placement_error_hi) speaks of the screw, all others of the motion next to it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RigidMotion<S> {
    // R(t) = first + sin(θt)·sine + (1 − cos(θt))·versine
    first: Mat3<S>,
    sine: Mat3<S>,
    versine: Mat3<S>,
    angle: S,
    start: Vec3<S>,
    velocity: Vec3<S>,
    centre: Vec3<S>,
    /// The norm of the computed rotation's difference from the true one, at any time.
    turn_error_hi: S,
    /// Half of what the computed position errs by.
    position_error_hi: S,
    position_hi: S,
    linear: Vec3<Interval<S>>,
    /// What a component of `n` times that of the velocity, summed up, errs by.
    drift_error_hi: S,
    angular: Vec3<S>,
    /// The same for the length of the product with the angular velocity.
    spin_error_hi: S,
    body_axis: Vec3<Interval<S>>,
    angle_hi: S,
}

impl<S: Scalar> RigidMotion<S> {
    /// A body that stays where it is.
    pub fn still(pose: Pose<S>) -> Result<Self, MotionError> {
        Self::with_velocities(pose, Vec3::ZERO, Velocities { linear: Vec3::ZERO, angular: Vec3::ZERO })
    }

    /// From one pose to another: straight for the body point `centre`, by the shortest rotation.
    ///
    /// Quaternions stand for their normalised selves.
    pub fn between(from: Pose<S>, to: Pose<S>, centre: Vec3<S>) -> Result<Self, MotionError> {
        Self::between_enclosures(from.into(), to.into(), centre)
    }

    /// As [`between`](RigidMotion::between), for poses that are not known exactly: whatever is proved holds for every
    /// motion from a pose in the first set to one in the second.
    pub fn between_enclosures(
        from: Pose<Interval<S>>,
        to: Pose<Interval<S>>,
        centre: Vec3<S>,
    ) -> Result<Self, MotionError> {
        Self::along(&Turn::shortest(&from, &to)?, &from, &to, centre)
    }

    /// Straight for the body point `centre`, with a rotation that is known already.
    pub(super) fn along(
        turn: &Turn<S>,
        from: &Pose<Interval<S>>,
        to: &Pose<Interval<S>>,
        centre: Vec3<S>,
    ) -> Result<Self, MotionError> {
        if !centre.in_range() {
            return Err(MotionError::OutOfRange);
        }
        let c = centre.map(Interval::point);
        let start = turn.first.apply(c) + from.position;
        let linear = turn.last.apply(c) + to.position - start;
        Self::assemble(turn.first, turn.axis, turn.angle, start, linear, centre)
    }

    /// The same, for a true motion that is not further from this one than `deviation_hi` at any time.
    pub(super) fn within(self, deviation_hi: S) -> Self {
        let half_hi = if mutant!(DeviationDropped) { S::ZERO } else { deviation_hi.mul_hi(S::HALF) };
        Self { position_error_hi: self.position_error_hi.add_hi(half_hi), ..self }
    }

    /// The velocity of the centre.
    pub(super) fn linear(&self) -> Vec3<Interval<S>> {
        self.linear
    }

    /// From a pose, with constant velocities; the body turns about its point `centre`, any number of times.
    pub fn with_velocities(from: Pose<S>, centre: Vec3<S>, velocities: Velocities<S>) -> Result<Self, MotionError> {
        let Velocities { linear, angular } = velocities;
        Self::with_velocity_enclosures(
            from.into(),
            centre,
            Velocities { linear: linear.into(), angular: angular.into() },
        )
    }

    /// As [`with_velocities`](RigidMotion::with_velocities), for numbers that are not known exactly.
    pub fn with_velocity_enclosures(
        from: Pose<Interval<S>>,
        centre: Vec3<S>,
        velocities: Velocities<Interval<S>>,
    ) -> Result<Self, MotionError> {
        let Velocities { linear, angular } = velocities;
        let r0 = rotation(&from)?;
        if !(centre.in_range() && linear.in_range() && angular.in_range()) {
            return Err(MotionError::OutOfRange);
        }
        let start = r0.apply(centre.map(Interval::point)) + from.position;
        let angle = angular.norm();
        let axis = (angle.lo() > S::ZERO).then(|| angular.map(|x| x / angle));
        Self::assemble(r0, axis, angle, start, linear, centre)
    }

    /// `axis` is `None` where the rotation is too small to have a certain one.
    fn assemble(
        first: Mat3<Interval<S>>,
        axis: Option<Vec3<Interval<S>>>,
        angle: Interval<S>,
        start: Vec3<Interval<S>>,
        linear: Vec3<Interval<S>>,
        centre: Vec3<S>,
    ) -> Result<Self, MotionError> {
        let angle_hi = angle.hi();
        if !(start.in_range() && linear.in_range() && angle_hi.in_range()) {
            return Err(MotionError::OutOfRange);
        }
        // An axis has length 1, and the matrices below have entries of at most 1, however vague the numbers.
        let unit = |x: Interval<S>| Interval::new(x.lo().max(-S::ONE), x.hi().min(S::ONE));
        let axis = axis.map(|a| a.map(unit));
        // Rodrigues: Rot = I + sin φ·[a] + (1 − cos φ)·[a]², each times R₀.
        let turned = |m: Mat3<Interval<S>>, a: Vec3<Interval<S>>| {
            let [x, y, z] = m.transpose().rows;
            Mat3::new([a.cross(x), a.cross(y), a.cross(z)]).transpose().map(unit)
        };
        let zero = Mat3::new([Vec3::from([Interval::ZERO; 3]); 3]);
        let (sine, versine, angle_mid) = match axis {
            Some(a) => {
                let a = if mutant!(AxisInBodyFrame) { first.transpose().apply(a) } else { a };
                let sine = turned(first, a);
                (sine, turned(sine, a), angle.mid())
            }
            None => (zero, zero, S::ZERO),
        };
        // As a map, the error of a matrix has a norm of at most 3·worst: its entries are below that, or, where they are large
        // and a closer look pays, the root of the sum of their squares is 3 times that.
        let worst = |m: Mat3<Interval<S>>| {
            if S::FLOATING {
                m.rows.iter().flat_map(|row| row.to_array()).fold(S::ZERO, |e, x| e.max(x.radius_hi()))
            } else {
                let rows = m.rows.map(|row| row.map(Interval::radius_hi).norm_hi());
                Vec3::from(rows).norm_hi().div_hi(S::ONE + S::ONE + S::ONE)
            }
        };
        let worst_of = |v: Vec3<Interval<S>>| v.to_array().into_iter().fold(S::ZERO, |e, x| e.max(x.radius_hi()));
        // With F, S, V for the three matrices, s = sin φ, v = 1 − cos φ, and hats for machine numbers:
        //   R̂ − R = (F̂ − F) + ŝ·(Ŝ − S) + (ŝ − s)·S + v̂·(V̂ − V) + (v̂ − v)·V + roundings.
        // ŝ and v̂ err by at most `phase`: the error of sine and cosine, and that of the rounded angle θ·t (their slopes are
        // at most 1). So |ŝ| ≤ min(1, θ) + phase and |v̂| ≤ min(2, θ²/2) + phase. As maps, S and V have norm at most 1,
        // and the errors of the three at most 3·worst. The 5 operations are on numbers of at most 2,
        // and the rounding of v̂ counts once more, times an error of V of at most 1.
        // Without an axis S and V are zero, no operation rounds, and the rotation by at most θ is an error.
        let sine_hi = angle_hi.min(S::ONE);
        let two = S::ONE + S::ONE;
        // The square of an angle of more than 2 is not needed, and might not fit.
        let versine_hi = angle_hi.min(two).mul_hi(angle_hi.min(two)).mul_hi(S::HALF).min(two);
        let phase = S::trig_error_hi().add_hi(S::rounding_hi(1, angle_hi)).add_hi(angle.radius_hi());
        let (entry_hi, turn_hi) = if axis.is_some() {
            let entry_hi = worst(first)
                .add_hi(sine_hi.add_hi(phase).mul_hi(worst(sine)))
                .add_hi(versine_hi.add_hi(phase).mul_hi(worst(versine)))
                .add_hi(S::rounding_hi(6, two));
            (entry_hi, phase.add_hi(phase))
        } else {
            (worst(first), angle_hi)
        };
        let turn_error_hi = (S::ONE + two).mul_hi(entry_hi).add_hi(turn_hi);
        if !(turn_error_hi <= S::from_f64_near(1.0 / 64.0)) {
            return Err(MotionError::Imprecise);
        }
        // p̂ = (start + velocity·t) − R̂·centre: 2 + 6 roundings a component. A row of R̂ times the centre is below
        // 2·‖centre‖₁, since its entries are below 1 + 1/64.
        let size = start.map(Interval::magnitude_hi).norm1_hi().add_hi(linear.map(Interval::magnitude_hi).norm1_hi());
        let position_hi = size.add_hi(centre.norm1_hi().mul_hi(two + two));
        let position_error_hi = worst_of(start).add_hi(worst_of(linear)).add_hi(S::rounding_hi(8, position_hi));
        let spread = Interval::new(-angle_hi, angle_hi);
        let unknown = Interval::new(-S::ONE, S::ONE);
        let angular = axis.map_or(Vec3::from([spread; 3]), |a| a.map(|x| x * angle));
        // For the two functions below: n has components of at most 1, so ‖n‖₁ ≤ 3 and ‖n‖ ≤ √3. The products and sums of
        // n·v̂ are below ‖v̂‖₁, and with the sum in drift_hi there are 6. A component of ω̂ × n takes 3 operations below
        // 2·‖ω̂‖₁, and the three together err by at most √3 < 2 times that.
        let three = S::ONE + two;
        let size = linear.map(Interval::magnitude_hi).norm1_hi();
        let drift_error_hi = three.mul_hi(worst_of(linear));
        let drift_error_hi = drift_error_hi.add_hi(S::rounding_hi(8, size.add_hi(drift_error_hi)));
        let size = angular.map(Interval::magnitude_hi).norm1_hi();
        let spin_error_hi = three.mul_hi(worst_of(angular)).add_hi(S::rounding_hi(6, two.mul_hi(size)));
        // Finite bounds mean that no plain operation on these numbers is beyond the greatest number.
        if ![position_hi, position_error_hi, drift_error_hi, spin_error_hi].into_iter().all(S::is_finite) {
            return Err(MotionError::OutOfRange);
        }
        Ok(Self {
            first: first.map(Interval::mid),
            sine: sine.map(Interval::mid),
            versine: versine.map(Interval::mid),
            angle: angle_mid,
            start: start.map(Interval::mid),
            velocity: linear.map(Interval::mid),
            centre,
            turn_error_hi,
            position_error_hi,
            position_hi: position_hi.mul_hi(S::from_f64_near(1.0 + 1.0 / 64.0)),
            linear,
            drift_error_hi,
            angular: angular.map(Interval::mid),
            spin_error_hi,
            body_axis: axis.map_or(Vec3::from([unknown; 3]), |a| first.transpose().apply(a).map(unit)),
            angle_hi,
        })
    }

    /// Where the body is at a time in `[0, 1]`.
    ///
    /// # Soundness
    /// `‖placement(t)(x) − true(t)(x)‖ ≤ placement_error_hi(ρ)` for every body point with `‖x − centre‖ ≤ ρ`, where
    /// `placement(t)(x)` is the real number `rotation·x + position`.
    pub fn placement(&self, t: S) -> Placement<S> {
        let (sin, cos) = (self.angle * t).sin_cos();
        let rotation = self.first + self.sine * sin + self.versine * (S::ONE - cos);
        let position = self.start + self.velocity * t - rotation.apply(self.centre);
        Placement { rotation, position }
    }

    /// # Soundness
    /// See [`placement`](RigidMotion::placement).
    pub fn placement_error_hi(&self, reach_hi: S) -> S {
        // An error in each component of the position moves a point by √3 < 2 times itself.
        self.turn_error_hi.mul_hi(reach_hi).add_hi(self.position_error_hi.add_hi(self.position_error_hi))
    }

    /// As a map; see [`placement_error_hi`](RigidMotion::placement_error_hi).
    pub(super) fn turn_error_hi(&self) -> S {
        self.turn_error_hi
    }

    /// # Soundness
    /// `‖placement(t).position‖₁ ≤ position_hi` for every `t` in `[0, 1]`.
    pub fn position_hi(&self) -> S {
        self.position_hi
    }

    /// The body point about which the body turns.
    pub fn centre(&self) -> Vec3<S> {
        self.centre
    }

    /// # Soundness
    /// The body turns by at most `angle_hi` radians.
    pub fn angle_hi(&self) -> S {
        self.angle_hi
    }

    /// # Soundness
    /// `drift_hi(n) ≥ n·v`, the speed of the centre along `n`, for `n` with components of at most 1 in magnitude.
    #[inline]
    pub fn drift_hi(&self, n: Vec3<S>) -> S {
        n.dot(self.velocity) + if mutant!(DriftErrorDropped) { S::ZERO } else { self.drift_error_hi }
    }

    /// # Soundness
    /// `spin_hi(n) ≥ ‖ω × n‖` for `n` with components of at most 1 in magnitude.
    #[inline]
    pub fn spin_hi(&self, n: Vec3<S>) -> S {
        if mutant!(SpreadDropped) {
            return S::ZERO;
        }
        let error_hi = if mutant!(SpinErrorDropped) { S::ZERO } else { self.spin_error_hi };
        self.angular.cross(n).norm_hi().add_hi(error_hi)
    }

    /// The body-fixed axis of rotation, about: `(x − centre) × axis` is as long as `x` is away from it.
    ///
    /// # Soundness
    /// `‖axis − true axis‖ ≤ axis_error_hi`; no component is greater than 1 in magnitude.
    pub fn axis(&self) -> Vec3<S> {
        self.body_axis.map(Interval::mid)
    }

    /// # Soundness
    /// See [`axis`](RigidMotion::axis).
    pub fn axis_error_hi(&self) -> S {
        // √3 < 2 components.
        let worst = self.body_axis.to_array().into_iter().fold(S::ZERO, |e, x| e.max(x.radius_hi()));
        worst.add_hi(worst)
    }

    /// # Soundness
    /// `axis_distance_hi(x) ≥ ‖(x − centre) × ω‖ / ‖ω‖`, the distance of a body point from the axis of rotation.
    pub fn axis_distance_hi(&self, x: Vec3<S>) -> S {
        let arm = x.map(Interval::point) - self.centre.map(Interval::point);
        // A vague axis can make the product longer than the arm itself.
        arm.cross(self.body_axis).norm().hi().min(arm.norm().hi())
    }

    /// # Soundness
    /// `speed_hi(arm) ≥ ‖ẋ‖` for every body point within `arm` of the axis.
    pub fn speed_hi(&self, arm_hi: S) -> S {
        self.linear.norm().hi().add_hi(self.angle_hi.mul_hi(arm_hi))
    }

    /// The numbers that define the motion, for a scene's revision.
    pub(crate) fn print(&self, print: &mut Fingerprint) {
        for m in [self.first, self.sine, self.versine] {
            m.rows.into_iter().for_each(|row| print.vector(row));
        }
        [self.start, self.velocity, self.centre].into_iter().for_each(|v| print.vector(v));
        for v in [self.linear, self.body_axis] {
            [v.map(Interval::lo), v.map(Interval::hi)].into_iter().for_each(|v| print.vector(v));
        }
        print.vector(self.angular);
        let errors = [self.turn_error_hi, self.position_error_hi, self.drift_error_hi, self.spin_error_hi];
        for x in [self.angle, self.angle_hi, self.position_hi].into_iter().chain(errors) {
            print.scalar(x);
        }
    }
}
