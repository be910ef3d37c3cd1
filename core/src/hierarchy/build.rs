//! The builder.
//!
//! **Computes** a binary tree of swept sphere volumes with one primitive a leaf. **Invariant**: what comes out was
//! proved to enclose ([`Model::prove`]), whatever happened here. **Follows** the top-down construction of SSV
//! hierarchies that Tang, Manocha and Kim 2014, §3.2, take over from PQP: split at the mean along the direction of the
//! largest variance. **Departs**: no heap and no recursion, and a lopsided split is moved towards the median.

use super::fit::{Frame, fit};
use crate::kernel::{EnclosureError, Geometry, Grid, Hierarchy, Model, Node, NodeBytes, Piece, widen};
use crate::scalar::{Scalar, Vec3};

/// The deepest tree that a build can make. No side of a split of n holds fewer than ⌊n/6⌋, and at least 1, so 2³¹ primitives
/// need at most 116 levels.
const DEPTH: usize = 120;

/// Why a hierarchy was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// There must be room for this many nodes.
    Nodes(usize),
    /// There must be scratch for this many indices.
    Scratch(usize),
    /// A coordinate is too large for the grid that nodes are stored on.
    Range,
    /// The result could not be proved; numbers near the limits of the scalar can do that.
    Enclosure(EnclosureError),
}

impl core::fmt::Display for BuildError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Nodes(n) => write!(f, "the hierarchy needs room for {n} nodes"),
            Self::Scratch(n) => write!(f, "the build needs scratch for {n} indices"),
            Self::Range => write!(f, "a coordinate is too large for this scalar's grid"),
            Self::Enclosure(e) => write!(f, "the hierarchy could not be proved: {e}"),
        }
    }
}

impl core::error::Error for BuildError {}

/// How many nodes a hierarchy over this many primitives has.
pub const fn nodes_needed(primitives: usize) -> usize {
    primitives.saturating_sub(1)
}

/// Builds and proves a hierarchy over a geometry, in the caller's memory.
///
/// `nodes` must hold [`nodes_needed`] nodes; `scratch` one index for every primitive, and is free again afterwards.
///
/// ```
/// use avert::hierarchy::{build, nodes_needed};
/// use avert::{Geometry, Vec3};
/// let points = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
/// let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let geometry = Geometry::new(&points, &triangles, &[], 0.0)?;
/// let mut nodes = [[0; 30]; nodes_needed(4)];
/// let model = build(geometry, &mut nodes, &mut [0; 4])?;
/// assert_eq!(model.hierarchy().nodes.len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn build<'a, S: Scalar>(
    geometry: Geometry<'a, S>,
    nodes: &'a mut [NodeBytes],
    scratch: &mut [u32],
) -> Result<Model<'a, S>, BuildError> {
    let mut most = S::ZERO;
    geometry.each_point(0..geometry.primitives(), |p, r| most = most.max(p.norm_max().add_hi(r)));
    let grid = Grid::around(most, S::FINEST).ok_or(BuildError::Range)?;
    let (nodes, root) = arrange(&geometry, nodes, grid, scratch)?;
    widen(&geometry, nodes, grid, root).map_err(BuildError::Enclosure)?;
    Model::prove(geometry, Hierarchy { nodes, grid, root }, scratch).map_err(BuildError::Enclosure)
}

/// Makes the nodes of a hierarchy; their radii are still to be [widened](widen).
pub(super) fn arrange<'a, S: Scalar>(
    geometry: &Geometry<'_, S>,
    nodes: &'a mut [NodeBytes],
    grid: Grid,
    scratch: &mut [u32],
) -> Result<(&'a mut [NodeBytes], Piece), BuildError> {
    let count = geometry.primitives();
    let needed = nodes_needed(count);
    let Some((nodes, _)) = nodes.split_at_mut_checked(needed) else { return Err(BuildError::Nodes(needed)) };
    let Some((order, _)) = scratch.split_at_mut_checked(count) else { return Err(BuildError::Scratch(count)) };
    for (id, slot) in (0_u32..).zip(order.iter_mut()) {
        *slot = id;
    }
    let too_deep = BuildError::Enclosure(EnclosureError::TooDeep);
    // Ranges of `order` that wait for their node, each with the node and the side that it hangs on. Nodes are numbered
    // in the order in which they are taken up, so a left child directly follows its parent.
    let mut waiting = heapless::Vec::<(usize, usize, Option<(usize, usize)>), DEPTH>::new();
    waiting.push((0, count, None)).map_err(|_| too_deep)?;
    let mut root = Piece::primitive(0);
    let mut used = 0;
    while let Some((first, last, parent)) = waiting.pop() {
        let Some(ids) = order.get_mut(first..last) else { return Err(too_deep) };
        let piece = match *ids {
            [id] => Piece::primitive(id),
            _ => Piece::node(used),
        };
        match parent {
            None => root = piece,
            Some((node, side)) => {
                if let Some(node) = nodes.get_mut(node) {
                    Node::<S>::set_child(node, side, piece);
                }
            }
        }
        if piece.is_primitive() {
            continue;
        }
        let (fitted, frame) = fit(geometry, ids);
        if let Some(node) = nodes.get_mut(used) {
            *node = fitted.store(grid);
        }
        let middle = first + partition(geometry, ids, &frame);
        waiting.push((middle, last, Some((used, 1)))).map_err(|_| too_deep)?;
        waiting.push((first, middle, Some((used, 0)))).map_err(|_| too_deep)?;
        used += 1;
    }
    Ok((nodes, root))
}

/// Puts the primitives that lie low along the frame's first axis to the front and says how many they are: at least a
/// sixth and at most five sixths.
fn partition<S: Scalar>(geometry: &Geometry<'_, S>, ids: &mut [u32], frame: &Frame<S>) -> usize {
    let place = |id: u32| centroid(geometry, id).dot(frame.axes[0]);
    let (mut low, mut high) = (S::GREATEST, S::LEAST);
    for id in ids.iter() {
        let x = place(*id);
        (low, high) = (low.min(x), high.max(x));
    }
    let least = (ids.len() / 6).max(1);
    let fits = least..=ids.len() - least;
    let mut at = frame.mean.dot(frame.axes[0]);
    // Halving the range finds a fair split in a few rounds unless most primitives are at one place.
    for _ in 0..24 {
        let below = ids.iter().filter(|id| place(**id) < at).count();
        if fits.contains(&below) {
            let mut next = 0;
            for i in 0..ids.len() {
                let (Some(here), Some(there)) = (ids.get(i).copied(), ids.get(next).copied()) else { break };
                if place(here) < at {
                    ids.get_mut(next).into_iter().for_each(|slot| *slot = here);
                    ids.get_mut(i).into_iter().for_each(|slot| *slot = there);
                    next += 1;
                }
            }
            return next;
        }
        if below < least {
            low = at
        } else {
            high = at
        }
        at = (low + high) * S::HALF;
    }
    ids.len() / 2
}

/// The mean of a primitive's points.
fn centroid<S: Scalar>(geometry: &Geometry<'_, S>, id: u32) -> Vec3<S> {
    let Some(shape) = geometry.primitive(id as usize) else { return Vec3::ZERO };
    let (sum, count) = shape.points().fold((Vec3::ZERO, S::ZERO), |(s, n), p| (s + p, n + S::ONE));
    sum * S::ONE.div_near(count)
}
