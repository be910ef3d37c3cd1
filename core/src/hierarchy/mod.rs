//! Swept sphere hierarchies, built top-down in the caller's memory or baked into flat bytes, and the connected parts of a mesh.

mod bake;
mod blob;
mod build;
mod fit;
mod parts;

pub use bake::{BakeError, Draft, DraftHull};
pub use blob::{Blob, BlobError};
pub use build::{BuildError, build, nodes_needed};
pub use parts::{FindError, parts};
