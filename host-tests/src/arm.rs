//! Whole arms: robots, worlds and paths by chance, an oracle for them, and a judge of what is said about them.
//!
//! Nothing here knows the library; a case is plain numbers, and so is an answer.

mod case;
mod judge;
mod kinematics;
mod oracle;
mod random;

pub use case::{ArmCase, CaseBody, CaseJoint, CaseKind, CaseMimic, CaseObject, CasePath, CasePayload, Margins, Who};
pub use judge::{Judgement, Outcome, Terms, Violation, judge, judge_with};
pub use oracle::{Look, Moment, Oracle, RESOLUTION, SURE, Survey};
pub use random::some_arm;

#[cfg(test)]
mod tests;
