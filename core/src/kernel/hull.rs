//! The one primitive: the convex hull of a few points, inflated by a radius.
//!
//! A sphere has 1 point, a capsule 2, a triangle 3 and no radius, a box 8. A swept sphere volume of the hierarchy
//! (point, line or rectangle swept by a sphere) is the same thing, stored as a centre and two half axes, of which none,
//! one or both are zero.

use super::shape::{HullPoints, Shape, StoredPoints};
use super::support::Table;
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
    const INDEX: u32 = (1 << 24) - 1;
    /// The most primitives, nodes or points that a model can have.
    pub const MOST: usize = Self::INDEX as usize;

    /// Stands in a place that holds no piece.
    pub(crate) const NONE: Self = Self(u32::MAX);

    /// The node or primitive with this index, taken modulo the range of indices: a wrong one is found by the enclosure proof.
    #[inline]
    pub(crate) fn of_kind(index: u32, primitive: bool) -> Self {
        Self(index & Self::INDEX | if primitive { Self::PRIMITIVE } else { 0 })
    }

    /// The piece with this node index.
    #[allow(clippy::cast_possible_truncation, reason = "see above")]
    pub(crate) fn node(index: usize) -> Self {
        Self::of_kind(index as u32, false)
    }

    /// The piece with this primitive id.
    pub(crate) fn primitive(id: u32) -> Self {
        Self::of_kind(id, true)
    }

    /// Which of the two kinds this is.
    #[inline]
    pub fn kind(self) -> PieceKind {
        let index = self.index() as usize;
        if self.is_primitive() { PieceKind::Primitive(index) } else { PieceKind::Node(index) }
    }

    /// Can this piece not be split?
    #[inline]
    pub fn is_primitive(self) -> bool {
        self.0 & Self::PRIMITIVE != 0
    }

    #[inline]
    pub(crate) fn index(self) -> u32 {
        self.0 & Self::INDEX
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
    store: Store<'a, S>,
    error: S,
}

/// Where the parts are.
#[derive(Clone, Copy, Debug)]
enum Store<'a, S> {
    /// In slices of the caller's.
    Slices { points: &'a [Vec3<S>], triangles: &'a [[u32; 3]], hulls: &'a [Hull<S>] },
    /// In a blob.
    Bytes(Stored<'a>),
}

/// The parts of a body as they are stored in a blob.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored<'a> {
    pub(crate) points: StoredPoints<'a>,
    pub(crate) triangles: Corners<'a>,
    pub(crate) hulls: &'a [[u8; 12]],
    /// What the hulls' support tables are in.
    pub(crate) tables: &'a [u8],
}

/// The corners of triangles, as indices of two or of three bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Corners<'a> {
    Two(&'a [[u8; 6]]),
    Three(&'a [[u8; 9]]),
}

impl Corners<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Two(t) => t.len(),
            Self::Three(t) => t.len(),
        }
    }

    #[inline]
    fn get(&self, id: usize) -> Option<[u32; 3]> {
        match self {
            Self::Two(t) => t
                .get(id)
                .map(|[a, b, c, d, e, f]| [[*a, *b], [*c, *d], [*e, *f]].map(u16::from_le_bytes).map(u32::from)),
            Self::Three(t) => t.get(id).map(|[a, b, c, d, e, f, g, h, i]| {
                [[*a, *b, *c, 0], [*d, *e, *f, 0], [*g, *h, *i, 0]].map(u32::from_le_bytes)
            }),
        }
    }
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
        Self::checked(Store::Slices { points, triangles, hulls }, error)
    }

    /// Checks and takes the parts of a body that a blob holds.
    pub(crate) fn stored(stored: Stored<'a>, error: S) -> Result<Self, GeometryError> {
        Self::checked(Store::Bytes(stored), error)
    }

    fn checked(store: Store<'a, S>, error: S) -> Result<Self, GeometryError> {
        let geometry = Self { store, error };
        if geometry.primitives() == 0 {
            return Err(GeometryError::Empty);
        }
        let points = geometry.points();
        if geometry.primitives() > Piece::MOST || points > Piece::MOST {
            return Err(GeometryError::TooMany);
        }
        if let Some(i) = (0..points).find(|i| !geometry.point(*i).is_some_and(Vec3::<S>::in_range)) {
            return Err(GeometryError::Point(i));
        }
        let exists = |i: u32| (i as usize) < points;
        if let Some(i) =
            (0..geometry.triangles()).find(|i| !geometry.corners(*i).is_some_and(|t| t.into_iter().all(exists)))
        {
            return Err(GeometryError::Triangle(i));
        }
        let good = |h: &Hull<S>| {
            h.count >= 1
                && (h.first as usize).checked_add(h.count as usize).is_some_and(|end| end <= points)
                && h.radius >= S::ZERO
                && h.radius.in_range()
        };
        if let Some(i) = (0..geometry.hulls()).find(|i| !geometry.hull(*i).is_some_and(|h| good(&h))) {
            return Err(GeometryError::Hull(i));
        }
        if !(error >= S::ZERO && error.in_range()) {
            return Err(GeometryError::Error);
        }
        Ok(geometry)
    }

    /// How many primitives there are: triangles first, then hulls.
    pub fn primitives(&self) -> usize {
        self.triangles() + self.hulls()
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        match &self.store {
            Store::Slices { points, .. } => points.len(),
            Store::Bytes(stored) => stored.points.len(),
        }
    }

    /// How many triangles there are.
    #[inline]
    pub fn triangles(&self) -> usize {
        match &self.store {
            Store::Slices { triangles, .. } => triangles.len(),
            Store::Bytes(stored) => stored.triangles.len(),
        }
    }

    /// How many hulls there are.
    pub fn hulls(&self) -> usize {
        match &self.store {
            Store::Slices { hulls, .. } => hulls.len(),
            Store::Bytes(stored) => stored.hulls.len(),
        }
    }

    /// A point.
    #[inline]
    pub fn point(&self, i: usize) -> Option<Vec3<S>> {
        match &self.store {
            Store::Slices { points, .. } => points.get(i).copied(),
            Store::Bytes(stored) => stored.points.get(i),
        }
    }

    /// The points of a triangle, by their indices.
    #[inline]
    pub fn corners(&self, triangle: usize) -> Option<[u32; 3]> {
        match &self.store {
            Store::Slices { triangles, .. } => triangles.get(triangle).copied(),
            Store::Bytes(stored) => stored.triangles.get(triangle),
        }
    }

    /// A hull, the first being 0.
    pub fn hull(&self, i: usize) -> Option<Hull<S>> {
        match &self.store {
            Store::Slices { hulls, .. } => hulls.get(i).copied(),
            Store::Bytes(stored) => {
                let [a, b, c, d, e, f, g, h, ..] = *stored.hulls.get(i)?;
                let radius = S::from_grid(i32::from_le_bytes([f, g, h, 0]), stored.points.grid().exponent());
                let (first, count) = (u32::from_le_bytes([a, b, c, 0]), u32::from(u16::from_le_bytes([d, e])));
                Some(Hull { first, count, radius })
            }
        }
    }

    /// The support table of a hull, if it has one.
    fn table(&self, hull: usize) -> Option<Table<'a>> {
        match &self.store {
            Store::Slices { .. } => None,
            Store::Bytes(stored) => {
                let [.., a, b, c, d] = *stored.hulls.get(hull)?;
                let at = usize::try_from(u32::from_le_bytes([a, b, c, d])).ok()?;
                Table::new(stored.tables.get(at..)?)
            }
        }
    }

    /// How far a true point may be from the stored one.
    pub fn error(&self) -> S {
        self.error
    }

    /// A primitive, as a shape; `None` if there is no such primitive.
    #[inline]
    pub fn primitive(&self, id: usize) -> Option<Shape<'a, S>> {
        if let Some([a, b, c]) = self.corners(id) {
            let corner = |i: u32| self.point(i as usize);
            return Some(Shape::Triangle([corner(a)?, corner(b)?, corner(c)?]));
        }
        let id = id.checked_sub(self.triangles())?;
        let hull = self.hull(id)?;
        let first = hull.first as usize;
        let range = first..first.checked_add(hull.count as usize)?;
        let points = match &self.store {
            Store::Slices { points, .. } => HullPoints::Slice(points.get(range)?),
            Store::Bytes(stored) => HullPoints::Stored(stored.points.range(range)?, self.table(id)),
        };
        Some(Shape::Hull(points, hull.radius))
    }

    /// Calls `f` with every core point of these primitives and the radius that goes with it.
    pub(crate) fn each_point(&self, ids: impl Iterator<Item = usize>, mut f: impl FnMut(Vec3<S>, S)) {
        for shape in ids.filter_map(|id| self.primitive(id)) {
            let radius = shape.radius();
            shape.points().for_each(|p| f(p, radius));
        }
    }
}
