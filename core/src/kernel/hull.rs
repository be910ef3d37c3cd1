//! The one primitive: the convex hull of a few points, inflated by a radius.
//!
//! A sphere has 1 point, a capsule 2, a triangle 3 and no radius, a box 8. A swept sphere volume of the hierarchy
//! (point, line or rectangle swept by a sphere) is the same thing, stored as a centre and two half axes, of which none,
//! one or both are zero.

use crate::scalar::{Scalar, Vec3};

/// A swept hull given directly: consecutive points of the geometry, inflated by a radius.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hull<S> {
    /// Index of the first point.
    pub first: u32,
    /// How many points, at least 1.
    pub count: u32,
    /// The radius, in metres.
    pub radius: S,
}

/// A node of the hierarchy: a rectangle (segment, point) swept by a sphere, and two children.
///
/// Its core is `centre ± half_u ± half_v`; no property of the half axes is needed for a proof.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node<S> {
    /// The middle of the rectangle.
    pub centre: Vec3<S>,
    /// The longer half axis; zero for a sphere.
    pub half_u: Vec3<S>,
    /// The shorter half axis; zero for a sphere or a capsule.
    pub half_v: Vec3<S>,
    /// The radius of the sphere.
    pub radius: S,
    /// The two parts that this node encloses.
    pub children: [Piece; 2],
}

impl<S: Scalar> Node<S> {
    /// Fills storage before a build.
    pub const EMPTY: Self = Self {
        centre: Vec3::ZERO,
        half_u: Vec3::ZERO,
        half_v: Vec3::ZERO,
        radius: S::ZERO,
        children: [Piece::NONE; 2],
    };
}

/// One side of an obligation: a node of the hierarchy or a primitive (triangle or hull).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece(u32);

/// What a [`Piece`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// An inner node with this index.
    Node(usize),
    /// A primitive with this id: triangles first, then hulls.
    Primitive(usize),
}

impl Piece {
    const PRIMITIVE: u32 = 1 << 31;
    /// The most primitives or nodes that a model can have.
    pub const MOST: usize = Self::PRIMITIVE as usize - 1;

    /// Stands in a place that holds no piece.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// The piece with this node index, taken modulo the range of indices.
    #[allow(clippy::cast_possible_truncation, reason = "masked; a wrong index is found by the enclosure proof")]
    pub(crate) fn node(index: usize) -> Self {
        Self(index as u32 & !Self::PRIMITIVE)
    }

    /// The piece with this primitive id.
    pub(crate) fn primitive(id: u32) -> Self {
        Self(id | Self::PRIMITIVE)
    }

    /// Which of the two kinds this is.
    pub fn kind(self) -> PieceKind {
        let index = (self.0 & !Self::PRIMITIVE) as usize;
        if self.0 & Self::PRIMITIVE == 0 { PieceKind::Node(index) } else { PieceKind::Primitive(index) }
    }

    /// Can this piece not be split?
    pub fn is_primitive(self) -> bool {
        self.0 & Self::PRIMITIVE != 0
    }

    pub(crate) fn bits(self) -> u32 {
        self.0
    }
}

/// Why a geometry was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GeometryError {
    /// There is no triangle and no hull.
    Empty,
    /// More primitives than [`Piece::MOST`].
    TooMany,
    /// This point is NaN, infinite, subnormal or beyond [`Scalar::RANGE`].
    Point(usize),
    /// This triangle names a point that does not exist.
    Triangle(usize),
    /// This hull has no point, names one that does not exist, or its radius is negative or out of range.
    Hull(usize),
    /// The geometry error is negative or out of range.
    Error,
}

impl core::fmt::Display for GeometryError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Empty => write!(f, "the geometry has no triangle and no hull"),
            Self::TooMany => write!(f, "the geometry has more than {} primitives", Piece::MOST),
            Self::Point(i) => write!(f, "point {i} is not finite, is subnormal, or is too large for this scalar"),
            Self::Triangle(i) => write!(f, "triangle {i} names a point that does not exist"),
            Self::Hull(i) => write!(f, "hull {i} has no points, names one that does not exist, or has a bad radius"),
            Self::Error => write!(f, "the geometry error must be finite and not negative"),
        }
    }
}

impl core::error::Error for GeometryError {}

/// What a body is made of, in its own frame, in metres: triangles and swept hulls over shared points.
#[derive(Clone, Copy, Debug)]
pub struct Geometry<'a, S> {
    points: &'a [Vec3<S>],
    triangles: &'a [[u32; 3]],
    hulls: &'a [Hull<S>],
    error: S,
}

impl<'a, S: Scalar> Geometry<'a, S> {
    /// Checks and takes the parts of a body.
    ///
    /// `error` is how far a true point may be from the stored one (a conversion, a tolerance); 0 if the numbers are
    /// the truth. Degenerate triangles are welcome.
    pub fn new(
        points: &'a [Vec3<S>],
        triangles: &'a [[u32; 3]],
        hulls: &'a [Hull<S>],
        error: S,
    ) -> Result<Self, GeometryError> {
        if triangles.is_empty() && hulls.is_empty() {
            return Err(GeometryError::Empty);
        }
        if triangles.len().saturating_add(hulls.len()) > Piece::MOST || points.len() > Piece::MOST {
            return Err(GeometryError::TooMany);
        }
        if let Some(i) = points.iter().position(|p| !p.in_range()) {
            return Err(GeometryError::Point(i));
        }
        let exists = |i: &u32| (*i as usize) < points.len();
        if let Some(i) = triangles.iter().position(|t| !t.iter().all(exists)) {
            return Err(GeometryError::Triangle(i));
        }
        let good = |h: &Hull<S>| {
            h.count >= 1
                && (h.first as usize).checked_add(h.count as usize).is_some_and(|end| end <= points.len())
                && h.radius >= S::ZERO
                && h.radius.in_range()
        };
        if let Some(i) = hulls.iter().position(|h| !good(h)) {
            return Err(GeometryError::Hull(i));
        }
        if !(error >= S::ZERO && error.in_range()) {
            return Err(GeometryError::Error);
        }
        Ok(Self { points, triangles, hulls, error })
    }

    /// How many primitives there are: triangles first, then hulls.
    pub fn primitives(&self) -> usize {
        self.triangles.len() + self.hulls.len()
    }

    /// All points.
    pub fn points(&self) -> &'a [Vec3<S>] {
        self.points
    }

    /// The triangles, by point indices.
    pub fn triangles(&self) -> &'a [[u32; 3]] {
        self.triangles
    }

    /// The hulls.
    pub fn hulls(&self) -> &'a [Hull<S>] {
        self.hulls
    }

    /// How far a true point may be from the stored one.
    pub fn error(&self) -> S {
        self.error
    }

    /// The points and the radius of a primitive; `None` if there is no such primitive.
    pub fn primitive(&self, id: usize) -> Option<(Points<'a, S>, S)> {
        if let Some([a, b, c]) = self.triangles.get(id) {
            let corner = |i: &u32| self.points.get(*i as usize).copied();
            return Some((Points::Triangle([corner(a)?, corner(b)?, corner(c)?]), S::ZERO));
        }
        let hull = self.hulls.get(id.checked_sub(self.triangles.len())?)?;
        let first = hull.first as usize;
        let points = self.points.get(first..first.checked_add(hull.count as usize)?)?;
        Some((Points::Hull(points), hull.radius))
    }
}

/// The core points of a primitive.
#[derive(Clone, Copy, Debug)]
pub enum Points<'a, S> {
    /// Three corners.
    Triangle([Vec3<S>; 3]),
    /// One or more points.
    Hull(&'a [Vec3<S>]),
}

impl<S: Scalar> Points<'_, S> {
    /// The points as a slice.
    pub fn as_slice(&self) -> &[Vec3<S>] {
        match self {
            Self::Triangle(corners) => corners,
            Self::Hull(points) => points,
        }
    }

    /// The greatest projections on some directions, in plain arithmetic; NaN if any projection is NaN.
    #[inline]
    pub(crate) fn reach<const N: usize>(&self, along: &[Vec3<S>; N]) -> [S; N] {
        along.map(|d| match self {
            Self::Triangle([a, b, c]) => a.dot(d).max(b.dot(d)).max(c.dot(d)),
            Self::Hull(points) => points.iter().fold(S::LEAST, |most, x| most.max(x.dot(d))),
        })
    }
}

impl<S: Scalar> Node<S> {
    /// The greatest projections of the core on some directions, in plain arithmetic.
    #[inline]
    pub(crate) fn reach<const N: usize>(&self, along: &[Vec3<S>; N]) -> [S; N] {
        along.map(|d| self.centre.dot(d) + self.half_u.dot(d).abs() + self.half_v.dot(d).abs())
    }
}
