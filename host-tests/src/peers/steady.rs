//! The motion that every one of these libraries can be told.

use crate::sampling::Motion;
use crate::scenes::{Path, Point};
use nalgebra::Vector3;

/// A body point `x` is at `position + R·centre + t·linear + Rot(t·angular)·R·(x − centre)`, where `R` is the rotation;
/// laid out as the C++ side has it.
#[repr(C)]
pub(super) struct Steady {
    /// Of length 1, as (w, x, y, z).
    pub(super) rotation: [f64; 4],
    pub(super) position: Point,
    pub(super) centre: Point,
    pub(super) linear: Point,
    pub(super) angular: Point,
}

impl Steady {
    pub(super) fn new(path: &Path) -> Self {
        let motion = Motion::new(path);
        let start = motion.pose(0.0);
        let (centre, linear, angular) = match *path {
            Path::Between { centre, .. } => {
                let (end, c) = (motion.pose(1.0), nalgebra::Point3::from(centre));
                let angular: Vector3<f64> = (end.rotation * start.rotation.inverse()).scaled_axis();
                (centre, (end * c - start * c).into(), angular.into())
            }
            Path::Screw { .. } => panic!("not every library knows screws"),
            Path::Velocities { centre, linear, angular, .. } => (centre, linear, angular),
        };
        let q = start.rotation;
        Self { rotation: [q.w, q.i, q.j, q.k], position: start.translation.vector.into(), centre, linear, angular }
    }
}
