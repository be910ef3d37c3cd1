//! The connected parts of a mesh.
//!
//! **Computes** one triangle for every part that hangs together by shared points. **Invariant**: what comes out is proved
//! where it is used ([`Model::with_parts`](crate::Model::with_parts)), whatever happened here. **Follows** union and find with
//! path halving (Tarjan and van Leeuwen 1984). **Departs**: the lower index leads, and no rank is kept.

use crate::kernel::{Geometry, Joined};
use crate::scalar::Scalar;

/// Why the parts were not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindError {
    /// There must be room for this many parts.
    Parts(usize),
    /// There must be scratch for this many indices: one for every point.
    Scratch(usize),
}

impl core::fmt::Display for FindError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Parts(n) => write!(f, "the mesh has {n} parts, and there is room for fewer"),
            Self::Scratch(n) => write!(f, "the search for parts needs scratch for {n} indices"),
        }
    }
}

impl core::error::Error for FindError {}

/// Finds one triangle for every connected part of a mesh, in the caller's memory, for
/// [`Model::with_parts`](crate::Model::with_parts). `scratch` needs one index for every point, and is free again afterwards.
///
/// ```
/// use avert::hierarchy::{build, parts};
/// use avert::{Geometry, Vec3};
/// let points = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]].map(Vec3::from);
/// let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let geometry = Geometry::new(&points, &triangles, &[], 0.0)?;
/// let (mut nodes, mut one, mut scratch) = ([[0; 30]; 3], [0; 1], [0; 4]);
/// let found = parts(&geometry, &mut one, &mut scratch)?;
/// let solid = build(geometry, &mut nodes, &mut scratch)?.with_parts(found, &mut scratch)?.into_solid()?;
/// assert!(solid.is_solid() && solid.parts() == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parts<'p, S: Scalar>(
    geometry: &Geometry<'_, S>,
    parts: &'p mut [u32],
    scratch: &mut [u32],
) -> Result<&'p [u32], FindError> {
    let mut joined = Joined::new(geometry, scratch).ok_or(FindError::Scratch(geometry.points()))?;
    let mut count = 0;
    for (id, triangle) in (0_u32..).zip(0..geometry.triangles()) {
        if joined.mark(geometry, triangle) == Some(true) {
            parts.get_mut(count).into_iter().for_each(|slot| *slot = id);
            count += 1;
        }
    }
    parts.get(..count).ok_or(FindError::Parts(count))
}
