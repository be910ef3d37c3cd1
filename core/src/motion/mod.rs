//! Motions, as the kernel wants them: a pose at any time with its error, and bounds on speed and acceleration.
//!
//! Time runs from 0 to 1 over a motion. Velocities are per unit of that time.

mod rigid;

pub use rigid::{MotionError, RigidMotion};
