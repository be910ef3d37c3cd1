//! What robots and worlds are made of.

use std::path::PathBuf;

/// A shape in its own frame; all lengths in metres, finite and checked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Geometry {
    /// A mesh file that was there when the description was read. The scale may be negative (a mirror), but not zero.
    Mesh { file: PathBuf, scale: [f64; 3] },
    /// Centred; edge lengths, positive.
    Box { size: [f64; 3] },
    /// Along z, centred; both positive.
    Cylinder { radius: f64, length: f64 },
    /// Along z, centred; the length is that of the cylinder between the half balls and may be zero.
    Capsule { radius: f64, length: f64 },
    /// Centred; positive.
    Sphere { radius: f64 },
}
