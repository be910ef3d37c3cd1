//! Robots and what stands around them: the scene in which whole motions of arms are checked.
//!
//! ```text
//! joints, models, allowed pairs, objects ─► Workcell ─┐
//!                        joint paths, tolerances ─► Plan ─┴─► PathCheck::step ─► PathVerdict ─► Cleared
//! ```
//!
//! Which pairs of bodies a verdict is about is decided here, in [`Workcell::relation`], and printed by whoever bakes a robot;
//! that they stay apart is proved in [`crate::kernel`].

mod pairs;
mod plan;
mod workcell;

pub use pairs::{Reason, Relation};
pub use plan::{At, Plan, PlanError, Scope};
pub use workcell::{BodyIndex, Margins, Object, ObjectIndex, Override, Part, Storage, Workcell, WorkcellError};
