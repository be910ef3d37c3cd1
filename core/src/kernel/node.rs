//! A node of the hierarchy, and the 30 bytes that it is stored in.
//!
//! Stored nodes are the same for every scalar: all lengths are integers on a grid whose spacing is a power of two, so that
//! `f32`, `f64` and fixed point read the same numbers exactly. What rounding to the grid loses is in the radius, since
//! enclosure is proved for the numbers as stored.
//!
//! | bytes | |
//! |---|---|
//! | 0, 3 | the two children: 24-bit indices |
//! | 6 | bits 0 and 1: is the child a primitive? bits 2 to 7: how many times coarser than the model's grid, as a power of two, the axes and the radius are |
//! | 7 | the centre: three 24-bit integers on the model's grid |
//! | 16, 22 | the half axes: three 16-bit integers each |
//! | 28 | the radius: 16 bits, not negative |

use super::hull::Piece;
use crate::scalar::{Scalar, Vec3};

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

/// A node as it is stored, in memory and in files.
pub type NodeBytes = [u8; 30];

/// The power of two that is the spacing of a model's grid, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Grid(i8);

impl Grid {
    /// The largest coordinate on a grid, in steps.
    pub const MOST: i32 = (1 << 23) - 1;
    /// The finest grid on which every scalar reads the same numbers.
    pub const PORTABLE: Self = Self(-20);

    /// The grid with a spacing of `2^exponent`; `None` if this scalar does not resolve it, or cannot hold all of its numbers.
    pub fn new<S: Scalar>(exponent: i32) -> Option<Self> {
        let fits = exponent >= S::FINEST && S::fits(23 + exponent);
        i8::try_from(exponent).ok().filter(|_| fits).map(Self)
    }

    /// The finest grid for coordinates of this magnitude, but not finer than `finest`.
    pub fn around<S: Scalar>(magnitude: S, finest: i32) -> Option<Self> {
        (finest..100).find(|exponent| magnitude.to_grid(*exponent).abs() <= Self::MOST - 2).and_then(Self::new::<S>)
    }

    /// The exponent of the spacing.
    pub fn exponent(self) -> i32 {
        i32::from(self.0)
    }
}

impl<S: Scalar> Node<S> {
    /// A point, without children.
    pub(crate) const EMPTY: Self = Self {
        centre: Vec3::ZERO,
        half_u: Vec3::ZERO,
        half_v: Vec3::ZERO,
        radius: S::ZERO,
        children: [Piece::NONE; 2],
    };

    /// Rounds a node to a grid, the radius up. The axes are coarser, by as much as it takes to hold them and twice the radius.
    /// Numbers that do not fit are cut off: the proof of enclosure will tell.
    pub fn store(&self, grid: Grid) -> NodeBytes {
        let most = self.half_u.norm_max().max(self.half_v.norm_max()).max(self.radius);
        let coarser = (0..63).find(|k| most.to_grid(grid.exponent() + k).abs() <= i32::from(i16::MAX)).unwrap_or(63);
        let exponent = grid.exponent() + coarser;
        let mut bytes = [0; 30];
        bytes[6] = coarser.to_le_bytes()[0] << 2;
        let centre = self.centre.to_array().map(|x| x.to_grid(grid.exponent()).clamp(-Grid::MOST, Grid::MOST));
        let axis =
            |v: Vec3<S>| v.to_array().map(|x| x.to_grid(exponent).clamp(-i32::from(i16::MAX), i32::from(i16::MAX)));
        let signed = |at: usize, size: usize, v: [i32; 3]| {
            v.into_iter().enumerate().map(move |(i, x)| (at + i * size, size, x.cast_unsigned()))
        };
        let rest = signed(7, 3, centre).chain(signed(16, 2, axis(self.half_u))).chain(signed(22, 2, axis(self.half_v)));
        for (at, size, value) in rest {
            for (slot, byte) in bytes.iter_mut().skip(at).take(size).zip(value.to_le_bytes()) {
                *slot = byte;
            }
        }
        let [p, q] = self.children;
        Self::set_child(&mut bytes, 0, p);
        Self::set_child(&mut bytes, 1, q);
        // Half of what there is room for, so it fits.
        Self::raise(&mut bytes, grid, self.radius);
        bytes
    }

    /// Reads a node.
    #[inline]
    pub fn load(bytes: &NodeBytes, grid: Grid) -> Self {
        let b = bytes;
        let kinds = b[6];
        let (grid, exponent) = (grid.exponent(), grid.exponent() + i32::from(kinds >> 2));
        let centre = |lo: u8, mid: u8, hi: u8| S::from_grid(i32::from_le_bytes([0, lo, mid, hi]) >> 8, grid);
        let axis = |lo: u8, hi: u8| S::from_grid(i32::from(i16::from_le_bytes([lo, hi])), exponent);
        let child =
            |lo: u8, mid: u8, hi: u8, bit: u8| Piece::of_kind(u32::from_le_bytes([lo, mid, hi, 0]), kinds & bit != 0);
        Self {
            centre: Vec3::new(centre(b[7], b[8], b[9]), centre(b[10], b[11], b[12]), centre(b[13], b[14], b[15])),
            half_u: Vec3::new(axis(b[16], b[17]), axis(b[18], b[19]), axis(b[20], b[21])),
            half_v: Vec3::new(axis(b[22], b[23]), axis(b[24], b[25]), axis(b[26], b[27])),
            radius: S::from_grid(i32::from(u16::from_le_bytes([b[28], b[29]])), exponent),
            children: [child(b[0], b[1], b[2], 1), child(b[3], b[4], b[5], 2)],
        }
    }

    /// Hangs a piece on a stored node, on side 0 or 1.
    pub(crate) fn set_child(bytes: &mut NodeBytes, side: usize, piece: Piece) {
        let [low, mid, high, _] = piece.index().to_le_bytes();
        let bit = if side == 0 { 1 } else { 2 };
        bytes[6] = bytes[6] & !bit | if piece.is_primitive() { bit } else { 0 };
        match side {
            0 => [bytes[0], bytes[1], bytes[2]] = [low, mid, high],
            _ => [bytes[3], bytes[4], bytes[5]] = [low, mid, high],
        }
    }

    /// Sets the radius of a stored node to at least this; says whether it fits.
    pub(super) fn raise(bytes: &mut NodeBytes, grid: Grid, radius: S) -> bool {
        let exponent = grid.exponent() + i32::from(bytes[6] >> 2);
        let near = radius.to_grid(exponent);
        let steps = if S::from_grid(near, exponent) >= radius { near } else { near + 1 };
        let Ok(steps) = u16::try_from(steps) else { return false };
        [bytes[28], bytes[29]] = steps.to_le_bytes();
        true
    }

    /// Can this scalar read the numbers of a stored node?
    pub(crate) fn is_readable(bytes: &NodeBytes, grid: Grid) -> bool {
        S::fits(16 + grid.exponent() + i32::from(bytes[6] >> 2))
    }
}
