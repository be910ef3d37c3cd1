//! Swept sphere hierarchies, built top-down in the caller's memory, and the connected parts of a mesh.

mod build;
mod fit;
mod parts;

pub use build::{BuildError, build, nodes_needed};
pub use parts::{FindError, parts};
