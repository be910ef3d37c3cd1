//! The links of a robot: each hangs on its parent by one joint.
//!
//! **Computes** a joint's transform at a value, and what it errs by. **Invariant**: a prepared link is as near to the
//! real one as its error says. **Follows** the kinematics of URDF: the joint's frame in that of the parent, then a turn
//! about an axis or a slide along it. **Departs**: the preparation is done in interval arithmetic, in a wider scalar if
//! there is one.

use super::joint::{JointPath, narrowed};
use super::rigid::MotionError;
use super::turn::rotation;
use super::{ChainError, Placement};
use crate::fingerprint::Fingerprint;
use crate::mutant::mutant;
use crate::scalar::{Interval, Mat3, Pose, Scalar, Vec3};

/// The place of a link, and of the joint that it hangs on, in the list of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkIndex(pub u8);

impl LinkIndex {
    /// As a place in a slice.
    pub(crate) fn get(self) -> usize {
        usize::from(self.0)
    }
}

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// Not at all.
    Fixed,
    /// It turns about its axis, by a value in radians; with limits or without.
    Revolute,
    /// It slides along its axis, by a value in metres.
    Prismatic,
}

/// A joint that follows another: its value is `multiplier · driver's value + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mimic<T> {
    /// The joint that is followed; it follows no other.
    pub driver: LinkIndex,
    /// The factor.
    pub multiplier: T,
    /// The value where the driver's is zero.
    pub offset: T,
}

/// A joint, as a robot's description has it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint<T> {
    /// How it moves.
    pub kind: JointKind,
    /// The link that it is mounted on, which comes earlier in the list; none for the robot's base.
    pub parent: Option<LinkIndex>,
    /// The joint's frame, and the link's own at value zero, in the frame of the parent.
    pub origin: Pose<Interval<T>>,
    /// The axis in the joint's frame; it stands for its normalised self. A fixed joint has none.
    pub axis: Vec3<Interval<T>>,
    /// Set if the joint follows another.
    pub mimic: Option<Mimic<Interval<T>>>,
}

/// What a value does to a link.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Action<S> {
    Rest,
    // R(q) = rotation + sin q·sine + (1 − cos q)·versine
    Turn { sine: Mat3<S>, versine: Mat3<S> },
    // p(q) = position + q·way
    Slide { way: Vec3<S>, error_hi: S },
}

/// A link, prepared for a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link<S> {
    pub(crate) parent: Option<LinkIndex>,
    mimic: Option<Mimic<Near<S>>>,
    action: Action<S>,
    rotation: Mat3<S>,
    position: Vec3<S>,
    /// What the matrices err by, as maps: the sum of their Frobenius norms, each times the most that it is multiplied by.
    turn_error_hi: S,
    position_error_hi: S,
    /// How far the link's origin, at value zero, is from the parent's at most.
    pub(super) length_hi: S,
    /// How far the link's origin, at value zero, is from the axis of a parent that turns; from its origin for any other.
    pub(super) offset_hi: S,
    /// The axis of a link that turns, in its own frame, and how far the true one is from it.
    axis: Option<(Vec3<S>, S)>,
}

/// A real number that is within `error_hi` of `near`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Near<S> {
    near: S,
    error_hi: S,
}

impl<S: Scalar> Near<S> {
    fn new<W: Scalar>(x: Interval<W>) -> Self {
        let (near, error_hi) = narrowed(x);
        Self { near, error_hi }
    }

    fn magnitude_hi(self) -> S {
        self.near.abs().add_hi(self.error_hi)
    }

    fn enclosure(self) -> Interval<S> {
        Interval::new(self.near.sub_lo(self.error_hi), self.near.add_hi(self.error_hi))
    }
}

/// What a computed transform errs by, and how far from the frame's origin the true one puts the link's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Error<S> {
    /// Of the rotation, as a map.
    pub(super) turn_hi: S,
    /// Of the position, as a length.
    pub(super) position_hi: S,
    pub(super) distance_hi: S,
}

impl<S: Scalar> Link<S> {
    /// A place for a link in storage.
    pub const VACANT: Self = Self {
        parent: None,
        mimic: None,
        action: Action::Rest,
        rotation: Mat3::new([Vec3::ZERO; 3]),
        position: Vec3::ZERO,
        turn_error_hi: S::GREATEST,
        position_error_hi: S::GREATEST,
        length_hi: S::GREATEST,
        offset_hi: S::GREATEST,
        axis: None,
    };

    /// Prepares a joint; of a joint that follows another, the driver is not looked at here.
    pub(crate) fn new<W: Scalar>(joint: &Joint<W>, parent: Option<&Self>) -> Result<Self, ChainError> {
        let first = rotation(&joint.origin).map_err(|error| match error {
            MotionError::NotUnit => ChainError::RotationNotUnit,
            MotionError::OutOfRange | MotionError::HalfTurn | MotionError::Imprecise => ChainError::OutOfRange,
        })?;
        // A rotation's entries are at most 1, however vague the numbers, and so are those of its products with [a].
        let unit = |x: Interval<W>| Interval::new(x.lo().max(-W::ONE), x.hi().min(W::ONE));
        let first = first.map(unit);
        let axis = match joint.kind {
            JointKind::Fixed => None,
            JointKind::Revolute | JointKind::Prismatic => Some(normalised(joint.axis)?.map(unit)),
        };
        let (rotation, mut turn_error_hi) = near_matrix::<W, S>(first);
        let (position, position_error_hi) = near_vector::<W, S>(joint.origin.position);
        let action = match (joint.kind, axis) {
            (JointKind::Revolute, Some(a)) => {
                // R(q) = R₀·(I + sin q·[a] + (1 − cos q)·[a]²), and the rows of M·[a] are those of M, times a.
                let sine = Mat3::new(first.rows.map(|row| row.cross(a))).map(unit);
                let versine = Mat3::new(sine.rows.map(|row| row.cross(a))).map(unit);
                let (sine, sine_error) = near_matrix(sine);
                let (versine, versine_error): (_, S) = near_matrix(versine);
                turn_error_hi = turn_error_hi.add_hi(sine_error).add_hi(versine_error.add_hi(versine_error));
                Action::Turn { sine, versine }
            }
            (JointKind::Prismatic, Some(a)) => {
                let (way, error_hi) = near_vector(first.apply(a).map(unit));
                Action::Slide { way, error_hi }
            }
            _ => Action::Rest,
        };
        let mimic = match joint.mimic {
            Some(Mimic { driver, multiplier, offset }) if axis.is_some() => {
                if !(multiplier.in_range() && offset.in_range()) {
                    return Err(ChainError::OutOfRange);
                }
                Some(Mimic { driver, multiplier: Near::new(multiplier), offset: Near::new(offset) })
            }
            Some(_) | None => None,
        };
        let length_hi = position.norm_hi().add_hi(position_error_hi);
        let offset_hi = parent.map_or(length_hi, |parent| parent.arm_hi(position).add_hi(position_error_hi));
        let axis = match joint.kind {
            JointKind::Revolute => axis.map(near_vector),
            JointKind::Fixed | JointKind::Prismatic => None,
        };
        let finite = [turn_error_hi, length_hi, offset_hi].into_iter().all(S::is_finite);
        if !(finite && length_hi <= S::RANGE) {
            return Err(ChainError::OutOfRange);
        }
        if !(turn_error_hi <= S::from_f64_near(1.0 / 256.0)) {
            return Err(ChainError::Imprecise);
        }
        let parent = joint.parent;
        Ok(Self {
            parent,
            mimic,
            action,
            rotation,
            position,
            turn_error_hi,
            position_error_hi,
            length_hi,
            offset_hi: if mutant!(OffsetDropped) { S::ZERO } else { offset_hi.min(length_hi) },
            axis,
        })
    }

    /// The numbers that define the link, for a scene's revision.
    pub(crate) fn print(&self, print: &mut Fingerprint) {
        print.word(self.parent.map_or(u64::MAX, |parent| u64::from(parent.0)));
        if let Some(Mimic { driver, multiplier, offset }) = self.mimic {
            print.word(u64::from(driver.0));
            [multiplier, offset].into_iter().for_each(|x| {
                print.scalar(x.near);
                print.scalar(x.error_hi);
            });
        }
        match self.action {
            Action::Rest => print.word(0),
            Action::Turn { sine, versine } => {
                sine.rows.into_iter().chain(versine.rows).for_each(|row| print.vector(row));
            }
            Action::Slide { way, error_hi } => {
                print.vector(way);
                print.scalar(error_hi);
            }
        }
        self.rotation.rows.into_iter().for_each(|row| print.vector(row));
        print.vector(self.position);
        [self.turn_error_hi, self.position_error_hi, self.length_hi, self.offset_hi]
            .into_iter()
            .for_each(|x| print.scalar(x));
        if let Some((axis, error_hi)) = self.axis {
            print.vector(axis);
            print.scalar(error_hi);
        }
    }

    /// The joint whose path this one takes its value from, if that is not its own.
    pub(crate) fn driver(&self) -> Option<LinkIndex> {
        self.mimic.map(|mimic| mimic.driver)
    }

    /// Does the joint have a value?
    pub(crate) fn moves(&self) -> bool {
        self.action != Action::Rest
    }

    pub(super) fn turns(&self) -> bool {
        self.axis.is_some()
    }

    /// How far a point of the link is from the axis that the link turns about; from the link's origin if it does not
    /// turn.
    ///
    /// # Soundness
    /// `arm_hi(x) ≥ ‖x × a‖` for the true unit axis `a`; `arm_hi(x) ≥ ‖x‖` for a link that does not turn.
    pub fn arm_hi(&self, x: Vec3<S>) -> S {
        let reach_hi = x.norm_hi();
        // A vague axis can make the product longer than the arm itself.
        self.arms_hi([x], reach_hi).min(reach_hi)
    }

    /// The same for the farthest of some points, none of which is further than `reach_hi` from the link's origin.
    pub(super) fn arms_hi<const N: usize>(&self, points: [Vec3<S>; N], reach_hi: S) -> S {
        let Some((axis, error_hi)) = self.axis else { return reach_hi };
        // A component of the product takes 3 operations, and all are below 2·‖x‖: the three err by √3 times that.
        let error_hi = reach_hi.mul_hi(error_hi).add_hi(S::rounding_hi(6, reach_hi.add_hi(reach_hi)));
        S::longest_hi(points.map(|x| x.cross(axis).to_array())).add_hi(error_hi)
    }

    /// A factor and a summand that bound those of a joint that follows another: `|value| ≤ factor·|driver's value| +
    /// summand`.
    pub(super) fn gear_hi(&self) -> (S, S) {
        self.mimic.map_or((S::ONE, S::ZERO), |mimic| {
            let factor = if mutant!(MultiplierDropped) { S::ONE } else { mimic.multiplier.magnitude_hi() };
            (factor, mimic.offset.magnitude_hi())
        })
    }

    /// The joint's value, from the path of its own or of the joint that it follows.
    fn value(&self, path: &JointPath<S>, u: S) -> S {
        let value = path.value(u);
        self.mimic.map_or(value, |mimic| mimic.multiplier.near * value + mimic.offset.near)
    }

    /// What that errs by, and a bound on its magnitude and on the true one's.
    fn value_error_hi(&self, path: &JointPath<S>) -> (S, S) {
        let (error, size) = (path.value_error_hi(), path.value_hi());
        let Some(Mimic { multiplier, offset, .. }) = self.mimic else { return (error, size) };
        // m̂·v̂ + ô − (m·v + o) = m̂·(v̂ − v) + (m̂ − m)·v + (ô − o), and two roundings.
        let product = multiplier.magnitude_hi().mul_hi(size);
        let sum = product.add_hi(offset.magnitude_hi());
        let rounding = S::rounding_hi(1, product).add_hi(S::rounding_hi(1, sum));
        let error = multiplier.magnitude_hi().mul_hi(error).add_hi(multiplier.error_hi.mul_hi(size));
        let error = error.add_hi(offset.error_hi).add_hi(rounding);
        (error, sum.add_hi(error))
    }

    /// The joint's values during an interval, from the path of its own or of the joint that it follows.
    ///
    /// # Soundness
    /// Contains the true value at every time from `from` to `until`.
    pub(crate) fn range(&self, path: &JointPath<S>, from: S, until: S) -> Interval<S> {
        let values = path.range(from, until);
        self.mimic.map_or(values, |mimic| mimic.multiplier.enclosure() * values + mimic.offset.enclosure())
    }

    /// The frame of a link that does not move in that of its parent, or of the base in the world.
    pub(super) fn rest(&self) -> Placement<S> {
        Placement { rotation: self.rotation, position: self.position }
    }

    /// What that errs by.
    pub(super) fn rest_error(&self) -> Error<S> {
        let (turn_hi, position_hi, distance_hi) = (self.turn_error_hi, self.position_error_hi, self.length_hi);
        Error { turn_hi, position_hi, distance_hi }
    }

    /// The link's frame in that of its parent.
    pub(super) fn local(&self, path: Option<&JointPath<S>>, u: S) -> Placement<S> {
        let Self { rotation, position, .. } = *self;
        // A joint that moves has a path: see `ChainMotion::new`.
        let Some(path) = path else { return self.rest() };
        match self.action {
            Action::Rest => self.rest(),
            Action::Turn { sine, versine } => {
                let (sin, cos) = self.value(path, u).sin_cos();
                Placement { rotation: rotation + sine * sin + versine * (S::ONE - cos), position }
            }
            Action::Slide { way, .. } => Placement { rotation, position: position + way * self.value(path, u) },
        }
    }

    /// What the transform that [`local`](Link::local) computes errs by, at any time.
    pub(super) fn local_error(&self, path: Option<&JointPath<S>>) -> Error<S> {
        let Error { turn_hi, position_hi, distance_hi } = self.rest_error();
        let Some(path) = path else { return self.rest_error() };
        match self.action {
            Action::Rest => self.rest_error(),
            Action::Turn { .. } => {
                let two = S::ONE + S::ONE;
                let value_error_hi = self.value_error_hi(path).0;
                // With F, S, V for the three matrices, s = sin q, v = 1 − cos q, and hats for machine numbers:
                //   R̂ − R = (F̂ − F) + s·(Ŝ − S) + v·(V̂ − V) + (ŝ − s)·Ŝ + (v̂ − v)·V̂ + roundings.
                // |s| ≤ 1 and v ≤ 2 are in the link's own error. ŝ and v̂ err by at most `phase`: sine or cosine, the
                // value's error (slopes are at most 1) and the rounding of v̂. S·x and V·x are as long as the part of x
                // normal to the axis and normal to each other, so these two terms have norm at most √2·phase, and with
                // hats 3/2·phase. Roundings: rounding_hi(k, m) is k·(α·m + β), so a matrix of Frobenius norm f whose
                // entries are rounded once errs by α·f + 3·β, in the Frobenius norm. Those of ŝ·Ŝ, v̂·V̂, F̂ + ŝ·Ŝ and
                // R̂ are at most √2 + 2√2 + √5 + √3 < 8.4, and with the errors of the factors 8.6 < 12 · 0.72.
                let phase = S::trig_error_hi().add_hi(value_error_hi).add_hi(S::rounding_hi(1, two));
                let phase = if mutant!(PhaseErrorDropped) { S::ZERO } else { phase };
                let turn_hi = turn_hi
                    .add_hi(phase.add_hi(phase.mul_hi(S::HALF)))
                    .add_hi(S::rounding_hi(12, S::from_f64_hi(0.72)));
                Error { turn_hi, position_hi, distance_hi }
            }
            Action::Slide { error_hi, .. } => {
                let (value_error_hi, value_hi) = self.value_error_hi(path);
                // l̂ + v̂·ŵ − (l + v·w) = (l̂ − l) + v̂·(ŵ − w) + (v̂ − v)·w, ‖w‖ = 1; and 2 roundings a component
                // below |l| + |v| (ŵ has components of at most 1), which make √3 < 2 times that.
                let far = distance_hi.add_hi(position_hi).add_hi(value_hi);
                let rounding = S::rounding_hi(4, far);
                let position_hi = position_hi.add_hi(value_hi.mul_hi(error_hi)).add_hi(value_error_hi).add_hi(rounding);
                Error { turn_hi, position_hi, distance_hi: distance_hi.add_hi(value_hi) }
            }
        }
    }
}

/// An axis, which has length 1 to within one part in a hundred.
fn normalised<W: Scalar>(axis: Vec3<Interval<W>>) -> Result<Vec3<Interval<W>>, ChainError> {
    if !axis.in_range() {
        return Err(ChainError::OutOfRange);
    }
    let length = axis.norm();
    if !(length.lo() >= W::from_f64_near(0.99) && length.hi() <= W::from_f64_near(1.01)) {
        return Err(ChainError::AxisNotUnit);
    }
    Ok(axis.map(|x| x / length))
}

/// A machine vector next to those of an interval, and how far they are from it.
fn near_vector<W: Scalar, S: Scalar>(v: Vec3<Interval<W>>) -> (Vec3<S>, S) {
    let near = v.map(Near::new);
    (near.map(|x| x.near), near.map(|x| x.error_hi).norm_hi())
}

/// The same for a matrix, in the Frobenius norm.
fn near_matrix<W: Scalar, S: Scalar>(m: Mat3<Interval<W>>) -> (Mat3<S>, S) {
    let rows = m.rows.map(near_vector);
    (Mat3::new(rows.map(|(row, _)| row)), Vec3::from(rows.map(|(_, error)| error)).norm_hi())
}
