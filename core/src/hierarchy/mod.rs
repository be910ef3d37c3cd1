//! Swept sphere hierarchies, built top-down in the caller's memory or baked into flat bytes.

mod bake;
mod blob;
mod build;
mod fit;

pub use bake::{BakeError, Draft, DraftHull};
pub use blob::{Blob, BlobError};
pub use build::{BuildError, build, nodes_needed};
