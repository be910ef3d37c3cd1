//! Motions, as the kernel wants them: a pose at any time with its error, and bounds on speed and acceleration.
//!
//! Time runs from 0 to 1 over a motion. Velocities are per unit of that time.

mod chain;
mod joint;
mod link;
mod rigid;
mod screw;
mod sway;
mod turn;

pub use chain::{Chain, ChainError, ChainMotion, Frame, MAX_LINKS, PlacementError};
pub use joint::{JointPath, PathError};
pub use link::{Joint, JointKind, Link, LinkIndex, Mimic};
pub use rigid::{MotionError, RigidMotion, Velocities};
pub use sway::{JointSweep, Points, Sway, swept};

use crate::scalar::{Mat3, Vec3};

/// A computed pose: the exact affine map `x ↦ rotation·x + position` of its machine numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Placement<S> {
    /// Nearly a rotation.
    pub rotation: Mat3<S>,
    /// Where the body's origin is.
    pub position: Vec3<S>,
}
