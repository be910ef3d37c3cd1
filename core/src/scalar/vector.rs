//! Vectors, matrices, quaternions and poses over any number: a scalar, or an interval of scalars.

use super::{Interval, Scalar};
use core::ops::{Add, Mul, Neg, Sub};

/// What vectors are made of: a scalar, or an interval of scalars.
pub trait Number: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> {
    /// The sum of the products of the components. Fixed point rounds it only once.
    #[inline]
    fn dot([a, b, c]: [Self; 3], [x, y, z]: [Self; 3]) -> Self {
        a * x + b * y + c * z
    }
}

/// Three numbers along x, y and z.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Vec3<T> {
    /// Along x.
    pub x: T,
    /// Along y.
    pub y: T,
    /// Along z.
    pub z: T,
}

impl<T> Vec3<T> {
    /// The vector with these components.
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }

    /// Every component replaced by its image.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Vec3<U> {
        Vec3 { x: f(self.x), y: f(self.y), z: f(self.z) }
    }

    /// The components in order.
    pub fn to_array(self) -> [T; 3] {
        [self.x, self.y, self.z]
    }
}

impl<T> From<[T; 3]> for Vec3<T> {
    fn from([x, y, z]: [T; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<T: Add<Output = T>> Add for Vec3<T> {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        Self { x: self.x + rhs.x, y: self.y + rhs.y, z: self.z + rhs.z }
    }
}

impl<T: Sub<Output = T>> Sub for Vec3<T> {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        Self { x: self.x - rhs.x, y: self.y - rhs.y, z: self.z - rhs.z }
    }
}

impl<T: Neg<Output = T>> Neg for Vec3<T> {
    type Output = Self;
    fn neg(self) -> Self {
        Self { x: -self.x, y: -self.y, z: -self.z }
    }
}

impl<T: Copy + Mul<Output = T>> Mul<T> for Vec3<T> {
    type Output = Self;
    fn mul(self, rhs: T) -> Self {
        Self { x: self.x * rhs, y: self.y * rhs, z: self.z * rhs }
    }
}

impl<T: Number> Vec3<T> {
    /// The scalar product.
    #[inline]
    pub fn dot(self, rhs: Self) -> T {
        T::dot(self.to_array(), rhs.to_array())
    }

    /// The vector product.
    pub fn cross(self, rhs: Self) -> Self {
        Self {
            x: self.y * rhs.z - self.z * rhs.y,
            y: self.z * rhs.x - self.x * rhs.z,
            z: self.x * rhs.y - self.y * rhs.x,
        }
    }
}

impl<S: Scalar> Vec3<S> {
    /// The zero vector.
    pub const ZERO: Self = Self { x: S::ZERO, y: S::ZERO, z: S::ZERO };

    /// Are all components finite, not too large and not subnormal?
    pub fn in_range(self) -> bool {
        self.x.in_range() && self.y.in_range() && self.z.in_range()
    }

    /// The sum of the magnitudes of the components.
    ///
    /// # Soundness
    /// `|x| + |y| + |z| ≤ self.norm1_hi()`.
    pub fn norm1_hi(self) -> S {
        self.x.abs().add_hi(self.y.abs()).add_hi(self.z.abs())
    }

    /// The greatest magnitude of a component.
    pub fn norm_max(self) -> S {
        self.x.abs().max(self.y.abs()).max(self.z.abs())
    }

    /// The length.
    ///
    /// # Soundness
    /// `‖self‖ ≤ self.norm_hi()`.
    #[inline]
    pub fn norm_hi(self) -> S {
        S::longest_hi([self.to_array()])
    }
}

impl<S: Scalar> Vec3<Interval<S>> {
    /// Are all components finite, not too large and not subnormal?
    pub fn in_range(self) -> bool {
        self.x.in_range() && self.y.in_range() && self.z.in_range()
    }

    /// The length.
    ///
    /// # Soundness
    /// Contains `‖x‖` for every real vector `x` inside.
    pub fn norm(self) -> Interval<S> {
        let [x, y, z] = self.to_array().map(Interval::abs);
        Interval::new(S::norm_lo([x.lo(), y.lo(), z.lo()]), S::longest_hi([[x.hi(), y.hi(), z.hi()]]))
    }
}

impl<S: Scalar> From<Vec3<S>> for Vec3<Interval<S>> {
    fn from(v: Vec3<S>) -> Self {
        v.map(Interval::point)
    }
}

/// Nine numbers, in three rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Mat3<T> {
    /// The rows.
    pub rows: [Vec3<T>; 3],
}

impl<T: Copy> Mat3<T> {
    /// The matrix with these rows.
    pub const fn new(rows: [Vec3<T>; 3]) -> Self {
        Self { rows }
    }

    /// Rows become columns.
    pub fn transpose(self) -> Self {
        let [a, b, c] = self.rows;
        Self { rows: [Vec3::new(a.x, b.x, c.x), Vec3::new(a.y, b.y, c.y), Vec3::new(a.z, b.z, c.z)] }
    }

    /// Every entry replaced by its image.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Mat3<U> {
        Mat3 { rows: self.rows.map(|row| row.map(&mut f)) }
    }
}

impl<T: Number> Mat3<T> {
    /// The matrix times a column.
    #[inline]
    pub fn apply(self, v: Vec3<T>) -> Vec3<T> {
        let [a, b, c] = self.rows;
        Vec3 { x: a.dot(v), y: b.dot(v), z: c.dot(v) }
    }

    /// The transposed matrix times a column.
    #[inline]
    pub fn apply_transposed(self, v: Vec3<T>) -> Vec3<T> {
        self.transpose().apply(v)
    }

    /// The matrix product.
    pub fn times(self, rhs: Self) -> Self {
        Self { rows: self.rows.map(|row| rhs.apply_transposed(row)) }
    }
}

impl<T: Add<Output = T>> Add for Mat3<T> {
    type Output = Self;
    fn add(self, rhs: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.rows, rhs.rows);
        Self { rows: [a + d, b + e, c + f] }
    }
}

impl<T: Sub<Output = T>> Sub for Mat3<T> {
    type Output = Self;
    fn sub(self, rhs: Self) -> Self {
        let ([a, b, c], [d, e, f]) = (self.rows, rhs.rows);
        Self { rows: [a - d, b - e, c - f] }
    }
}

impl<T: Copy + Mul<Output = T>> Mul<T> for Mat3<T> {
    type Output = Self;
    fn mul(self, rhs: T) -> Self {
        Self { rows: self.rows.map(|row| row * rhs) }
    }
}

/// A rotation, as a quaternion that stands for its normalised self.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<T> {
    /// The real part.
    pub w: T,
    /// The imaginary part.
    pub v: Vec3<T>,
}

impl<T> Quaternion<T> {
    /// The quaternion `w + x·i + y·j + z·k`.
    pub const fn new(w: T, x: T, y: T, z: T) -> Self {
        Self { w, v: Vec3 { x, y, z } }
    }

    /// Every component replaced by its image.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Quaternion<U> {
        Quaternion { w: f(self.w), v: self.v.map(f) }
    }
}

impl<T: Number> Quaternion<T> {
    /// The quaternion of the inverse rotation.
    pub fn conjugate(self) -> Self {
        Self { w: self.w, v: -self.v }
    }

    /// First `rhs`, then `self`.
    pub fn times(self, rhs: Self) -> Self {
        Self { w: self.w * rhs.w - self.v.dot(rhs.v), v: rhs.v * self.w + self.v * rhs.w + self.v.cross(rhs.v) }
    }
}

impl<S: Scalar> Quaternion<S> {
    /// No rotation.
    pub const IDENTITY: Self = Self { w: S::ONE, v: Vec3::ZERO };
}

/// Where a body is: a point `x` of the body lies at `rotation · x + position` in the world.
///
/// Over [`Interval`] it is a set of poses, which is how the error of a conversion or a measurement is handed on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose<T> {
    /// How the body is turned.
    pub rotation: Quaternion<T>,
    /// Where the body's origin is, in metres.
    pub position: Vec3<T>,
}

impl<S: Scalar> Pose<S> {
    /// The body's frame is the world's.
    pub const IDENTITY: Self = Self { rotation: Quaternion::IDENTITY, position: Vec3::ZERO };

    /// The pose whose numbers are `q0w, q0x, q0y, q0z` and `px, py, pz`.
    pub const fn new([w, x, y, z]: [S; 4], [px, py, pz]: [S; 3]) -> Self {
        Self { rotation: Quaternion::new(w, x, y, z), position: Vec3::new(px, py, pz) }
    }
}

impl<S: Scalar> From<Pose<S>> for Pose<Interval<S>> {
    fn from(pose: Pose<S>) -> Self {
        Self { rotation: pose.rotation.map(Interval::point), position: pose.position.map(Interval::point) }
    }
}

impl<S: Scalar> Pose<Interval<S>> {
    /// Encloses a pose that was written as decimal numbers and parsed into the `f64`s next to them.
    pub fn from_decimals(rotation: [f64; 4], position: [f64; 3]) -> Self {
        let [w, x, y, z] = rotation.map(Interval::from_decimal);
        Self { rotation: Quaternion::new(w, x, y, z), position: position.map(Interval::from_decimal).into() }
    }
}
