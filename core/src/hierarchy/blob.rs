//! Models as flat bytes: read where they lie, in flash or in a file, without a copy.
//!
//! **Computes** a [`Model`] from bytes. **Invariant**: nothing is believed. Sizes, indices and numbers are checked, and the
//! hierarchy and the support tables are proved, before a model comes out; the checksum is there to tell damage from a
//! mistake. All numbers are little-endian, at any alignment. Coordinates are integers on a grid, so that every scalar reads
//! the same body.
//!
//! | bytes | |
//! |---|---|
//! | 0 | `AVRT` |
//! | 4 | version, 2 bytes |
//! | 6 | exponent of the grid, signed |
//! | 7 | bytes of a point's index in a triangle: 2 or 3 |
//! | 8 | length of the whole, in bytes |
//! | 12 | CRC-32 of the whole without these four bytes |
//! | 16, 20, 24, 28 | how many points, triangles, hulls, nodes |
//! | 32 | bytes of the support tables |
//! | 36 | the root: an index, with the highest bit set for a primitive |
//! | 40 | how far a true point may be from the stored one: metres, as `f64` |
//! | 48 | how many connected parts are listed |
//! | 52 | 1 for a solid, 0 for a surface |
//! | 53 | zero |
//! | 64 | nodes (30 bytes each), points (9), triangles (6 or 9), hulls (12), parts (3), support tables |
//!
//! A hull is the index of its first point (3 bytes), the number of its points (2), its radius in steps of the grid (3) and where
//! in the tables its own begins (4; all bits set if it has none). A part is the index of one of its triangles.

use crate::bytes::{checksum, double, word};
use crate::kernel::{
    Corners, EnclosureError, Geometry, GeometryError, Grid, Hierarchy, Model, NodeBytes, Parts, PartsError, Piece,
    SolidError, Stored, StoredPoints,
};
use crate::scalar::Scalar;

/// The version that is written, and the only one that is read.
pub(super) const VERSION: u16 = 1;
pub(super) const MAGIC: [u8; 4] = *b"AVRT";
pub(super) const HEADER: usize = 64;
pub(super) const NODE: usize = 30;
pub(super) const POINT: usize = 9;
pub(super) const HULL: usize = 12;
pub(super) const PART: usize = 3;
/// Marks a root that is a primitive.
pub(super) const PRIMITIVE: u32 = 1 << 31;

/// Why bytes were refused as a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlobError {
    /// They do not begin as a model does.
    Magic,
    /// They are of this version, which is not read here.
    Version(u16),
    /// So many bytes are there, and so many it should be.
    Length(usize, u64),
    /// The checksum is this one, and should be that one: they are damaged.
    Checksum(u32, u32),
    /// The header's byte at this place is not what it can be.
    Header(usize),
    /// The model is too large, or its grid too fine, for this scalar.
    Range,
    /// There must be scratch for this many indices.
    Scratch(usize),
    /// The body is none.
    Geometry(GeometryError),
    /// The hierarchy is none.
    Enclosure(EnclosureError),
    /// The list of parts is wrong.
    Parts(PartsError),
    /// The body is no solid.
    Solid(SolidError),
}

impl core::fmt::Display for BlobError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Magic => write!(f, "these bytes are no baked model: they do not begin with \"AVRT\""),
            Self::Version(v) => {
                write!(f, "the model is of version {v}, and version {VERSION} is read here: bake it again")
            }
            Self::Length(found, said) => write!(f, "the model should be {said} bytes long, and {found} are there"),
            Self::Checksum(found, said) => {
                write!(f, "the checksum is {found:#010x}, not {said:#010x}: bytes are damaged")
            }
            Self::Header(at) => write!(f, "the header's byte {at} is not what it can be"),
            Self::Range => write!(f, "the model is too large, or its grid too fine, for this scalar"),
            Self::Scratch(n) => write!(f, "loading the model needs scratch for {n} indices"),
            Self::Geometry(e) => write!(f, "the model's geometry: {e}"),
            Self::Enclosure(e) => write!(f, "the model's hierarchy: {e}"),
            Self::Parts(e) => write!(f, "the model's parts: {e}"),
            Self::Solid(e) => write!(f, "the model is said to be solid: {e}"),
        }
    }
}

impl core::error::Error for BlobError {}

/// A model's bytes, found whole.
#[derive(Clone, Copy, Debug)]
pub struct Blob<'a> {
    nodes: &'a [NodeBytes],
    points: &'a [[u8; POINT]],
    triangles: Corners<'a>,
    hulls: &'a [[u8; HULL]],
    parts: &'a [[u8; PART]],
    solid: bool,
    tables: &'a [u8],
    exponent: i32,
    root: Piece,
    error: f64,
}

impl<'a> Blob<'a> {
    /// Finds the parts, and checks their sizes and the checksum.
    ///
    /// ```
    /// use avert::hierarchy::{Blob, BlobError};
    /// assert_eq!(Blob::parse(b"solid teapot").unwrap_err(), BlobError::Magic);
    /// ```
    pub fn parse(bytes: &'a [u8]) -> Result<Self, BlobError> {
        Self::find(bytes, true)
    }

    /// The same for bytes whose checksum was found right before.
    pub(crate) fn known(bytes: &'a [u8]) -> Result<Self, BlobError> {
        Self::find(bytes, false)
    }

    fn find(bytes: &'a [u8], sum: bool) -> Result<Self, BlobError> {
        let (magic, rest) = bytes.split_first_chunk::<4>().ok_or(BlobError::Magic)?;
        if *magic != MAGIC {
            return Err(BlobError::Magic);
        }
        let version = rest.first_chunk::<2>().map(|v| u16::from_le_bytes(*v)).ok_or(BlobError::Magic)?;
        if version != VERSION {
            return Err(BlobError::Version(version));
        }
        let (header, body) = bytes.split_first_chunk().ok_or(BlobError::Length(bytes.len(), HEADER as u64))?;
        if bytes.len() as u64 != u64::from(word(header, 8)) {
            return Err(BlobError::Length(bytes.len(), u64::from(word(header, 8))));
        }
        let said = word(header, 12);
        let found = if sum { checksum(bytes) } else { said };
        if found != said {
            return Err(BlobError::Checksum(found, said));
        }
        let nodes = u64::from(word(header, 28)) * NODE as u64;
        let parts = usize::try_from(nodes).ok().and_then(|n| body.split_at_checked(n));
        let (nodes, rest) = parts.ok_or(BlobError::Length(bytes.len(), HEADER as u64 + nodes))?;
        Self::assemble(header, nodes.as_chunks().0, rest)
    }

    /// Finds the parts that follow the nodes.
    pub(super) fn assemble(header: &[u8; HEADER], nodes: &'a [NodeBytes], rest: &'a [u8]) -> Result<Self, BlobError> {
        let [.., exponent, width] = *header.first_chunk::<8>().ok_or(BlobError::Magic)?;
        if !matches!(width, 2 | 3) {
            return Err(BlobError::Header(7));
        }
        if let Some(at) = (53..HEADER).find(|at| header.get(*at) != Some(&0)) {
            return Err(BlobError::Header(at));
        }
        let solid = match header.get(52) {
            Some(0) => false,
            Some(1) => true,
            Some(_) | None => return Err(BlobError::Header(52)),
        };
        let root = word(header, 36);
        if (root & !PRIMITIVE) as usize > Piece::MOST {
            return Err(BlobError::Header(36));
        }
        let sizes = [(16, POINT), (20, 3 * usize::from(width)), (24, HULL), (48, PART), (32, 1)]
            .map(|(at, size)| u64::from(word(header, at)) * size as u64);
        let needed = sizes.iter().sum::<u64>();
        if needed != rest.len() as u64 {
            let before = HEADER + NODE * nodes.len();
            return Err(BlobError::Length(before + rest.len(), before as u64 + needed));
        }
        let mut rest = rest;
        // Together they are as long as the rest, so each of them is there.
        let [points, triangles, hulls, parts, tables] = sizes.map(|size| {
            let parts = usize::try_from(size).ok().and_then(|n| rest.split_at_checked(n));
            let (part, after) = parts.unwrap_or_default();
            rest = after;
            part
        });
        let triangles =
            if width == 2 { Corners::Two(triangles.as_chunks().0) } else { Corners::Three(triangles.as_chunks().0) };
        Ok(Self {
            nodes,
            points: points.as_chunks().0,
            triangles,
            hulls: hulls.as_chunks().0,
            parts: parts.as_chunks().0,
            solid,
            tables,
            exponent: i32::from(i8::from_le_bytes([exponent])),
            root: Piece::of_kind(root & !PRIMITIVE, root & PRIMITIVE != 0),
            error: double(header, 40),
        })
    }

    /// How many nodes the hierarchy has.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// How many points there are.
    pub fn points(&self) -> usize {
        self.points.len()
    }

    /// How many triangles there are.
    pub fn triangles(&self) -> usize {
        self.triangles.len()
    }

    /// How many hulls there are.
    pub fn hulls(&self) -> usize {
        self.hulls.len()
    }

    /// Is the body said to be full inside? A surface of triangles is not.
    pub fn is_solid(&self) -> bool {
        self.solid
    }

    /// How far a true point may be from the stored one, in metres, as the bytes have it.
    pub fn error(&self) -> f64 {
        self.error
    }

    /// How many indices of scratch it takes to load the model.
    pub fn scratch_needed(&self) -> usize {
        (self.triangles.len() + self.hulls.len()).max(self.points.len())
    }

    /// Checks and proves the model in a scalar. The scratch is free again afterwards.
    pub fn model<S: Scalar>(&self, scratch: &mut [u32]) -> Result<Model<'a, S>, BlobError> {
        let needed = self.scratch_needed();
        let scratch = scratch.get_mut(..needed).ok_or(BlobError::Scratch(needed))?;
        let grid = Grid::new::<S>(self.exponent).ok_or(BlobError::Range)?;
        let geometry = self.geometry(grid)?;
        let hierarchy = Hierarchy { nodes: self.nodes, grid, root: self.root };
        let model = Model::prove(geometry, hierarchy, scratch).map_err(BlobError::Enclosure)?;
        let model = match self.parts {
            [] => model,
            parts => model.with_list(Parts::Stored(parts), scratch).map_err(BlobError::Parts)?,
        };
        if self.solid { model.into_solid().map_err(BlobError::Solid) } else { Ok(model) }
    }

    pub(super) fn geometry<S: Scalar>(&self, grid: Grid) -> Result<Geometry<'a, S>, BlobError> {
        let points = StoredPoints::new(self.points, grid);
        let stored = Stored { points, triangles: self.triangles, hulls: self.hulls, tables: self.tables };
        Geometry::stored(stored, S::from_f64_hi(self.error)).map_err(BlobError::Geometry)
    }
}
