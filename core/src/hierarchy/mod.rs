//! Swept sphere hierarchies, built top-down in the caller's memory.

mod build;
mod fit;

pub use build::{BuildError, build, nodes_needed};
