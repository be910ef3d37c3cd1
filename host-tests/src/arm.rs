//! Whole arms: robots, worlds and paths by chance, an oracle for them, and a judge of what is said about them.
//!
//! A case is plain numbers, and so is an answer. Nothing here knows the library but [`ours`], which asks it.

mod case;
mod judge;
mod kinematics;
mod oracle;
pub mod ours;
mod random;

pub use case::{ArmCase, CaseBody, CaseJoint, CaseKind, CaseMimic, CaseObject, CasePath, CasePayload, Margins, Who};
pub use judge::{Judgement, Outcome, Terms, Violation, judge, judge_with};
pub use oracle::{Look, Moment, Oracle, RESOLUTION, SURE, Survey};
pub use random::some_arm;

#[cfg(test)]
mod tests;
