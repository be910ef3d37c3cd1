//! Which points of a hull can be the furthest along a direction: a table over directions.
//!
//! The faces of the cube |d|∞ = 1 are cut into 4 × 4 cells each. A cell stands for the directions through it, which are the
//! combinations of its four corners with weights that are not negative. For each of the 96 cells the table lists the points that
//! may be extreme.
//!
//! **Invariant**: a point v that a cell leaves out is beaten by a point w that it lists at all four corners, *c·w ≥ c·v*, and
//! so *d·w ≥ d·v* along every direction of the cell. Corners and points are integers, so that this is proved exactly,
//! and for all scalars at once.
//!
//! Stored are 97 offsets of two bytes each, and then the lists, a byte a point.

use super::shape::StoredPoints;
use crate::mutant::mutant;
use crate::scalar::{Scalar, Vec3};

/// Cells of a table.
pub(crate) const CELLS: usize = 96;
/// The most points of a hull that has a table.
pub(crate) const MOST_POINTS: usize = 256;
/// Bytes before the lists.
pub(crate) const OFFSETS: usize = 2 * (CELLS + 1);

/// The lists of a hull.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    offsets: &'a [[u8; 2]],
    lists: &'a [u8],
}

impl<'a> Table<'a> {
    /// The table at the start of these bytes; `None` if they are too few.
    pub(super) fn new(bytes: &'a [u8]) -> Option<Self> {
        let (offsets, lists) = bytes.split_at_checked(OFFSETS)?;
        let offsets = offsets.as_chunks().0;
        let end = usize::from(u16::from_le_bytes(*offsets.last()?));
        Some(Self { offsets, lists: lists.get(..end)? })
    }

    /// The list of a cell.
    #[inline]
    fn list(&self, cell: usize) -> Option<&'a [u8]> {
        let at = |i: usize| self.offsets.get(i).map(|bytes| usize::from(u16::from_le_bytes(*bytes)));
        self.lists.get(at(cell)?..at(cell + 1)?)
    }

    /// The points that may be the furthest along `d`; `None` if `d` is zero or not a number.
    #[inline]
    pub(super) fn candidates<S: Scalar>(&self, d: Vec3<S>) -> Option<&'a [u8]> {
        self.list(cell(d)?)
    }

    /// The mean length of a list.
    pub(super) fn mean(&self) -> u64 {
        self.lists.len() as u64 / CELLS as u64 + 1
    }

    /// Proves the table for the points that it is about.
    ///
    /// # Soundness
    /// `true` implies that for every direction `d` of every cell the greatest `d·x` of all points is that of a point listed there.
    pub(super) fn proves(&self, points: &StoredPoints<'_>) -> bool {
        (0..CELLS).all(|cell| {
            let Some(list) = self.list(cell) else { return false };
            let corners = corners(cell);
            let known = list.iter().all(|k| usize::from(*k) < points.len());
            known
                && (0..points.len()).all(|v| {
                    let Some(v) = points.steps(v) else { return false };
                    let beats = |k: &u8| points.steps(usize::from(*k)).is_some_and(|w| beats(&corners, w, v));
                    list.iter().any(beats)
                })
        })
    }
}

/// Is `w` at least as far as `v` along every direction of a cell with these corners?
pub(crate) fn beats(corners: &[[i32; 3]; 4], w: [i32; 3], v: [i32; 3]) -> bool {
    let corners = if mutant!(CellCornerIgnored) { corners.get(1..) } else { corners.get(..) };
    let ([wx, wy, wz], [vx, vy, vz]) = (w, v);
    // 24-bit integers: a sum of three differences, doubled, has at most 29 bits.
    let further = |[x, y, z]: &[i32; 3]| x * (wx - vx) + y * (wy - vy) + z * (wz - vz) >= 0;
    corners.is_some_and(|corners| corners.iter().all(further))
}

/// The cell of a direction: three axes, two signs, and a quarter of each of the two other components, by comparisons that
/// round nothing.
///
/// # Soundness
/// `d` is a combination of [`corners`]`(cell(d))` with weights that are not negative.
#[inline]
pub fn cell<S: Scalar>(d: Vec3<S>) -> Option<usize> {
    let [x, y, z] = d.to_array().map(S::abs);
    // After this m = |major| ≥ |p|, |q|.
    let (axis, major, p, q) = if x >= y && x >= z {
        (0, d.x, d.y, d.z)
    } else if y >= z {
        (1, d.y, d.z, d.x)
    } else {
        (2, d.z, d.x, d.y)
    };
    let m = major.abs();
    // The tiniest numbers might round, and NaN has no place.
    if !(m > S::from_f64_near(1e-3)) {
        return None;
    }
    let quarter = |x: S| {
        let twice = x + x;
        if twice < -m {
            0
        } else if x < S::ZERO {
            1
        } else if twice < m {
            2
        } else {
            3
        }
    };
    Some(axis * 32 + if major < S::ZERO { 16 } else { 0 } + quarter(p) * 4 + quarter(q))
}

/// The four corners of a cell, times 2.
pub fn corners(cell: usize) -> [[i32; 3]; 4] {
    let (axis, negative, p, q) = (cell / 32, cell / 16 % 2 == 1, cell / 4 % 4, cell % 4);
    let edge = |quarter: usize, side: i32| match quarter {
        0 => side - 2,
        1 => side - 1,
        2 => side,
        _ => side + 1,
    };
    let major = if negative { -2 } else { 2 };
    [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| {
        let (p, q) = (edge(p, i), edge(q, j));
        match axis {
            0 => [major, p, q],
            1 => [q, major, p],
            _ => [p, q, major],
        }
    })
}
