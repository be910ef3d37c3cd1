//! The baker: a model as flat bytes that every scalar can use in place.
//!
//! **Computes** the bytes that [`Blob`] reads. **Invariant**: what comes out was proved in every scalar that can hold it.
//! **Follows** the builder for the hierarchy. **Departs** from it in that radii are widened until the rounding errors of every
//! scalar are inside, and in that hulls of many points get a support table.

use super::blob::{Blob, BlobError, HEADER, HULL, MAGIC, NODE, PART, POINT, PRIMITIVE, VERSION};
use super::build::{BuildError, arrange, nodes_needed};
use crate::bytes::{Writer, checksum};
use crate::kernel::{CELLS, EnclosureError, Grid, MOST_POINTS, NodeBytes, OFFSETS, Piece, beats, corners, widen};
use crate::scalar::{Fix32, Fix64, Scalar};

/// A hull of at most so many points is looked at point by point.
const FEW: u32 = 12;

/// A body, on a grid.
#[derive(Clone, Copy, Debug)]
pub struct Draft<'a> {
    /// The grid.
    pub grid: Grid,
    /// The points, in steps of the grid: at most [`Grid::MOST`] in magnitude.
    pub points: &'a [[i32; 3]],
    /// The triangles, by point indices.
    pub triangles: &'a [[u32; 3]],
    /// The hulls.
    pub hulls: &'a [DraftHull],
    /// One triangle for every connected part, as [`parts`](super::parts) finds them; none if nobody looked.
    pub parts: &'a [u32],
    /// Is the body full inside? Its triangles must be closed then.
    pub solid: bool,
    /// How far a true point may be from the stored one, in metres: the rounding to the grid is to be in it.
    pub error: f64,
}

/// A hull, on a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DraftHull {
    /// Index of the first point.
    pub first: u32,
    /// How many points, at least 1 and at most 65,535.
    pub count: u32,
    /// The radius, in steps of the grid.
    pub radius: u32,
}

/// Why a body was not baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BakeError {
    /// There must be room for this many bytes.
    Room(usize),
    /// This point is not on the grid.
    Point(usize),
    /// This hull has too many points, or its radius is not on the grid.
    Hull(usize),
    /// The hierarchy could not be built.
    Build(BuildError),
    /// The result could not be read.
    Blob(BlobError),
}

impl core::fmt::Display for BakeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Room(n) => write!(f, "the model needs room for {n} bytes"),
            Self::Point(i) => write!(f, "point {i} is not on the grid"),
            Self::Hull(i) => write!(f, "hull {i} has too many points, or its radius is not on the grid"),
            Self::Build(e) => write!(f, "{e}"),
            Self::Blob(e) => write!(f, "{e}"),
        }
    }
}

impl core::error::Error for BakeError {}

impl Draft<'_> {
    /// How many bytes the baked model takes, at most.
    pub fn room(&self) -> usize {
        let primitives = self.triangles.len() + self.hulls.len();
        let tables = self.hulls.iter().filter(|h| has_table(h)).map(|h| OFFSETS + CELLS * h.count as usize);
        HEADER
            + NODE * nodes_needed(primitives)
            + POINT * self.points.len()
            + 3 * self.width() * self.triangles.len()
            + HULL * self.hulls.len()
            + PART * self.parts.len()
            + tables.sum::<usize>()
    }

    fn width(&self) -> usize {
        if self.points.len() <= 1 << 16 { 2 } else { 3 }
    }

    /// Writes the model into the caller's memory, and says how long it is.
    ///
    /// `out` must hold [`room`](Draft::room) bytes; `scratch` one index for every primitive.
    pub fn bake(&self, out: &mut [u8], scratch: &mut [u32]) -> Result<usize, BakeError> {
        let room = self.room();
        let out = out.get_mut(..room).ok_or(BakeError::Room(room))?;
        let on_grid = |p: &[i32; 3]| p.iter().all(|x| x.abs() <= Grid::MOST);
        if let Some(i) = self.points.iter().position(|p| !on_grid(p)) {
            return Err(BakeError::Point(i));
        }
        let good = |h: &DraftHull| h.count <= u32::from(u16::MAX) && h.radius <= Grid::MOST.unsigned_abs();
        if let Some(i) = self.hulls.iter().position(|h| !good(h)) {
            return Err(BakeError::Hull(i));
        }
        let nodes = nodes_needed(self.triangles.len() + self.hulls.len());
        let mut writer = Writer { out, at: HEADER + NODE * nodes };
        self.points.iter().flatten().for_each(|x| writer.put(x.cast_unsigned(), 3));
        let width = self.width();
        self.triangles.iter().flatten().for_each(|i| writer.put(*i, width));
        let mut tables = writer.at + HULL * self.hulls.len() + PART * self.parts.len();
        let before_tables = tables;
        for hull in self.hulls {
            writer.put(hull.first, 3);
            writer.put(hull.count, 2);
            writer.put(hull.radius, 3);
            let table = self.support(hull, writer.out.get_mut(tables..).unwrap_or_default());
            let offset = u32::try_from(tables - before_tables).unwrap_or(u32::MAX);
            writer.put(if table == 0 { u32::MAX } else { offset }, 4);
            tables += table;
        }
        self.parts.iter().for_each(|id| writer.put(*id, PART));
        let length = tables;
        let head = Head { nodes, tables: length - before_tables, length, root: Piece::primitive(0) };
        self.seal(writer.out, head);
        let (whole, _) = writer.out.split_at_mut_checked(length).ok_or(BakeError::Room(room))?;
        let root = self.grow(whole, nodes, scratch)?;
        self.seal(whole, Head { root, ..head });
        Ok(length)
    }

    /// Builds the hierarchy between the header and the points, and widens it for every scalar.
    fn grow(&self, whole: &mut [u8], nodes: usize, scratch: &mut [u32]) -> Result<Piece, BakeError> {
        let rest = HEADER + NODE * nodes;
        let (front, back) = whole.split_at_mut_checked(rest).ok_or(BakeError::Room(rest))?;
        let (head, places) = front.split_at_mut_checked(HEADER).ok_or(BakeError::Room(rest))?;
        let head = head.first_chunk().ok_or(BakeError::Room(rest))?;
        let body = Blob::assemble(head, &[], back).map_err(BakeError::Blob)?;
        let places = places.as_chunks_mut().0;
        let geometry = body.geometry::<f64>(self.grid).map_err(BakeError::Blob)?;
        let (places, root) = arrange(&geometry, places, self.grid, scratch).map_err(BakeError::Build)?;
        let failed = |e: EnclosureError| BakeError::Build(BuildError::Enclosure(e));
        widen(&geometry, places, self.grid, root).map_err(failed)?;
        self.widen::<f32>(&body, places, root).map_err(failed)?;
        self.widen::<Fix32>(&body, places, root).map_err(failed)?;
        self.widen::<Fix64>(&body, places, root).map_err(failed)?;
        Ok(root)
    }

    /// Widens the hierarchy for a scalar, if that can hold the body.
    fn widen<S: Scalar>(&self, body: &Blob<'_>, nodes: &mut [NodeBytes], root: Piece) -> Result<(), EnclosureError> {
        match Grid::new::<S>(self.grid.exponent()).map(|grid| body.geometry::<S>(grid)) {
            Some(Ok(geometry)) => widen(&geometry, nodes, self.grid, root),
            Some(Err(_)) | None => Ok(()),
        }
    }

    /// Writes the header.
    fn seal(&self, out: &mut [u8], head: Head) {
        let Head { nodes, tables, length, root } = head;
        let mut writer = Writer { out, at: 0 };
        writer.put(u32::from_le_bytes(MAGIC), 4);
        writer.put(u32::from(VERSION), 2);
        writer.put(self.grid.exponent().cast_unsigned(), 1);
        writer.put(if self.width() == 2 { 2 } else { 3 }, 1);
        let root = root.index() | if root.is_primitive() { PRIMITIVE } else { 0 };
        let count = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let [points, triangles, hulls] = [self.points.len(), self.triangles.len(), self.hulls.len()].map(count);
        let words = [count(length), 0, points, triangles, hulls, count(nodes), count(tables), root];
        words.into_iter().for_each(|word| writer.put(word, 4));
        writer.double(self.error);
        writer.put(count(self.parts.len()), 4);
        writer.put(u32::from(self.solid), 1);
        (53..HEADER).for_each(|_| writer.put(0, 1));
        let sum = checksum(writer.out.get(..length).unwrap_or_default());
        writer.at = 12;
        writer.put(sum, 4);
    }

    /// Writes the support table of a hull, and says how long it is; 0 if it needs none.
    fn support(&self, hull: &DraftHull, out: &mut [u8]) -> usize {
        let range = hull.first as usize..hull.first as usize + hull.count as usize;
        let Some(points) = self.points.get(range).filter(|_| has_table(hull)) else { return 0 };
        let mut lists = Writer { out, at: OFFSETS };
        for cell in 0..CELLS {
            let corners = corners(cell);
            let at = u32::try_from(lists.at - OFFSETS).unwrap_or(u32::MAX);
            Writer { out: lists.out, at: 2 * cell }.put(at, 2);
            for (k, v) in (0_u32..).zip(points) {
                // Of two that are alike everywhere in the cell the first stays.
                let beaten = (0_u32..)
                    .zip(points)
                    .any(|(j, w)| j != k && beats(&corners, *w, *v) && (j < k || !beats(&corners, *v, *w)));
                if !beaten {
                    lists.put(k, 1);
                }
            }
        }
        let at = u32::try_from(lists.at - OFFSETS).unwrap_or(u32::MAX);
        Writer { out: lists.out, at: 2 * CELLS }.put(at, 2);
        lists.at
    }
}

/// Has a hull many points, but not too many?
fn has_table(hull: &DraftHull) -> bool {
    hull.count > FEW && hull.count as usize <= MOST_POINTS
}

/// What the header says besides the draft.
#[derive(Clone, Copy)]
struct Head {
    nodes: usize,
    tables: usize,
    length: usize,
    root: Piece,
}
