//! The search: which pair, which direction, which interval. Nothing here is trusted.
//!
//! Every strategy is a [`Check`]: it proposes, the kernel proves. A mistake here costs time or ends as `Undecided`.

mod approach;
mod c2a;
mod ca;
mod chord;
mod gjk;
mod hca;
mod memory;
mod nearest;
mod pair;
mod path;
mod prove;
mod search;

pub use c2a::{C2a, Control};
pub use ca::Ca;
pub use chord::Chord;
pub use hca::Hca;
pub use memory::{Entry, Memory, PathMemory};
pub use nearest::{Distance, Nearest};
pub use path::PathCheck;

use crate::kernel::Scene;
use crate::scalar::Scalar;
use crate::verdict::{Budget, Stats, Verdict};

/// A check under way.
pub trait Check<S: Scalar> {
    /// Works for about `budget` units and says what is known by then.
    ///
    /// After `Undecided` with [`Why::Budget`](crate::Why::Budget) another step goes on where this one stopped; how the work is cut into
    /// steps changes nothing about the final verdict. The check keeps no borrow of the scene, but it must be the same
    /// one every time: another one ends the check for good as [`Why::SceneChanged`](crate::Why::SceneChanged).
    fn step(&mut self, scene: &Scene<'_, S>, budget: Budget) -> Verdict<S>;

    /// What the check has cost so far.
    fn stats(&self) -> Stats;
}
