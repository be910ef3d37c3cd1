//! Pieces as they are read from a model: what a separation test looks at.

use super::enclosure::Model;
use super::hull::Piece;
use super::node::{Grid, Node};
use super::scene::{Couple, Scene};
use super::support::Table;
use crate::scalar::{Scalar, Vec3};
use core::ops::Range;

/// A piece with its numbers.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a, S> {
    /// A node of the hierarchy.
    Node(Node<S>),
    /// Three corners.
    Triangle([Vec3<S>; 3]),
    /// One or more points, and the radius.
    Hull(HullPoints<'a, S>, S),
}

/// The points of a hull.
#[derive(Clone, Copy, Debug)]
pub enum HullPoints<'a, S> {
    /// In a slice of the caller's.
    Slice(&'a [Vec3<S>]),
    /// In a blob.
    #[doc(hidden)]
    Stored(StoredPoints<'a>, Option<Table<'a>>),
}

/// Points as a blob stores them: three 24-bit integers each, on a grid.
#[derive(Clone, Copy, Debug)]
pub struct StoredPoints<'a> {
    bytes: &'a [[u8; 9]],
    grid: Grid,
}

impl<'a> StoredPoints<'a> {
    pub(crate) fn new(bytes: &'a [[u8; 9]], grid: Grid) -> Self {
        Self { bytes, grid }
    }

    pub(super) fn grid(&self) -> Grid {
        self.grid
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn range(&self, range: Range<usize>) -> Option<Self> {
        Some(Self { bytes: self.bytes.get(range)?, grid: self.grid })
    }

    /// The integers of a point.
    #[inline]
    pub(super) fn steps(&self, i: usize) -> Option<[i32; 3]> {
        let [a, b, c, d, e, f, g, h, i] = *self.bytes.get(i)?;
        Some([[0, a, b, c], [0, d, e, f], [0, g, h, i]].map(|bytes| i32::from_le_bytes(bytes) >> 8))
    }

    #[inline]
    pub(super) fn get<S: Scalar>(&self, i: usize) -> Option<Vec3<S>> {
        let exponent = self.grid.exponent();
        self.steps(i).map(|steps| steps.map(|x| S::from_grid(x, exponent)).into())
    }
}

impl<S: Scalar> HullPoints<'_, S> {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Self::Slice(points) => points.len(),
            Self::Stored(points, _) => points.len(),
        }
    }

    /// Are there none? Never so in a geometry.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn get(&self, k: usize) -> Option<Vec3<S>> {
        match self {
            Self::Slice(points) => points.get(k).copied(),
            Self::Stored(points, _) => points.get(k),
        }
    }

    /// Calls `f` with every point that may be the furthest along `d`, and its index.
    #[inline]
    fn each_extreme(&self, d: Vec3<S>, mut f: impl FnMut(usize, Vec3<S>)) {
        let table = match self {
            Self::Slice(_) => None,
            Self::Stored(_, table) => table.as_ref().and_then(|table| table.candidates(d)),
        };
        let mut visit = |k: usize| self.get(k).into_iter().for_each(|p| f(k, p));
        match table {
            Some(candidates) => candidates.iter().for_each(|k| visit(usize::from(*k))),
            None => (0..self.len()).for_each(visit),
        }
    }

    /// How many points a look along a direction takes, about.
    fn cost(&self) -> u64 {
        match self {
            Self::Stored(_, Some(table)) => table.mean(),
            Self::Slice(_) | Self::Stored(_, None) => self.len() as u64,
        }
    }
}

impl<S: Scalar> Shape<'_, S> {
    /// The radius around the core.
    #[inline]
    pub fn radius(&self) -> S {
        match self {
            Self::Node(node) => node.radius,
            Self::Triangle(_) => S::ZERO,
            Self::Hull(_, radius) => *radius,
        }
    }

    /// A core point of a primitive by its index.
    pub fn point(&self, k: usize) -> Option<Vec3<S>> {
        match self {
            Self::Node(_) => None,
            Self::Triangle(corners) => corners.get(k).copied(),
            Self::Hull(points, _) => points.get(k),
        }
    }

    /// Every core point of a primitive.
    pub fn points(&self) -> impl Iterator<Item = Vec3<S>> {
        (0..).map_while(|k| self.point(k))
    }

    /// The greatest projection of the core on a direction, in plain arithmetic; NaN if any projection is NaN.
    #[inline]
    pub fn reach(&self, d: Vec3<S>) -> S {
        match self {
            Self::Node(n) => n.centre.dot(d) + n.half_u.dot(d).abs() + n.half_v.dot(d).abs(),
            Self::Triangle([a, b, c]) => a.dot(d).max(b.dot(d)).max(c.dot(d)),
            Self::Hull(points, _) => {
                let mut most = S::LEAST;
                points.each_extreme(d, |_, x| most = most.max(x.dot(d)));
                most
            }
        }
    }

    /// The core point that lies furthest along `d`, and its index; for the search.
    #[inline]
    pub(crate) fn extreme(&self, d: Vec3<S>) -> (Vec3<S>, usize) {
        let mut best = (S::LEAST, Vec3::ZERO, 0);
        let mut take = |k: usize, p: Vec3<S>| {
            let along = p.dot(d);
            if along > best.0 {
                best = (along, p, k);
            }
        };
        match self {
            Self::Node(n) => {
                let towards = |axis: Vec3<S>| if axis.dot(d) < S::ZERO { -axis } else { axis };
                return (n.centre + towards(n.half_u) + towards(n.half_v), 0);
            }
            Self::Triangle(corners) => corners.iter().enumerate().for_each(|(k, p)| take(k, *p)),
            Self::Hull(points, _) => points.each_extreme(d, take),
        }
        (best.1, best.2)
    }

    /// A point of the core, in the middle where that is known; for the search.
    #[inline]
    pub(crate) fn middle(&self) -> Vec3<S> {
        match self {
            Self::Node(n) => n.centre,
            Self::Triangle([a, ..]) => *a,
            Self::Hull(points, _) => points.get(0).unwrap_or(Vec3::ZERO),
        }
    }

    /// About the radius of a node; 0 for a primitive.
    #[inline]
    pub(crate) fn size(&self) -> S {
        match self {
            Self::Node(n) => n.radius + n.half_u.norm_max() + n.half_v.norm_max(),
            Self::Triangle(_) | Self::Hull(..) => S::ZERO,
        }
    }

    /// Points projected when the core's reach along a direction is asked.
    #[inline]
    pub(crate) fn cost(&self) -> u64 {
        match self {
            Self::Node(_) | Self::Triangle(_) => 3,
            Self::Hull(points, _) => points.cost(),
        }
    }
}

/// Both sides of an obligation, read from a scene's models.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a, S> {
    pieces: [Piece; 2],
    shapes: [Shape<'a, S>; 2],
    pub(super) revision: u64,
    pub(super) couple: Couple,
}

impl<'a, S: Scalar> Pair<'a, S> {
    /// Reads two pieces of two models.
    #[inline]
    pub(super) fn read(
        [model_a, model_b]: [&Model<'a, S>; 2],
        [a, b]: [Piece; 2],
        revision: u64,
        couple: Couple,
    ) -> Option<Self> {
        Some(Self { pieces: [a, b], shapes: [model_a.shape(a)?, model_b.shape(b)?], revision, couple })
    }

    /// What was read.
    #[inline]
    pub fn shapes(&self) -> &[Shape<'a, S>; 2] {
        &self.shapes
    }

    /// Which pieces these are.
    #[inline]
    pub fn pieces(&self) -> [Piece; 2] {
        self.pieces
    }
}

impl<'a, S: Scalar> Scene<'a, S> {
    /// Reads two pieces, the first of the first body; `None` if there are no such.
    #[inline]
    pub fn pair(&self, pieces: [Piece; 2]) -> Option<Pair<'a, S>> {
        Pair::read(self.models(), pieces, self.revision(), Couple::ONLY)
    }
}
