//! The libraries that people use today, asked the same questions.

use crate::scenes::{Path, Place};

/// What another library says about a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    /// No contact.
    Free,
    /// First contact at this time, of `[0, 1]`.
    Contact(f64),
    /// It gives no answer (unsupported, failed, not converged).
    Nothing,
}

/// What another library says about a pose of the first body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaidDistance {
    /// In metres; at most zero if they overlap.
    pub distance: f64,
}

/// Another library, with two shapes loaded.
pub trait Peer {
    /// Short, such as "parry f32".
    fn name(&self) -> &'static str;

    /// The first body moves along the path, the second stands at the identity. Only this call is timed.
    fn cast(&mut self, path: &Path) -> Said;

    /// The distance where the first body stands at the place; `None` if this one has no such query.
    fn distance(&mut self, place: &Place) -> Option<SaidDistance>;
}

/// All libraries that were compiled in.
pub fn peers(_: &[crate::scenes::Shape; 2]) -> Vec<Box<dyn Peer>> {
    vec![]
}
