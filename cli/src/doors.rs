//! What files come in by, without a command around it: for the project's fuzz targets and benches.

mod arm;

pub use crate::arm::PathStorage;
pub use crate::placement::Frame;
pub use arm::{ArmTask, Plain, PlainLink};

use crate::mesh::UpAxis;
use crate::motions::Motions;
use crate::robot::Visuals;
use crate::{Inspect, Way, bake, inspect};
use avert::{RigidMotion, Scalar};
use std::path::Path;

/// The bytes of a mesh, baked, or of a baked model.
pub fn model(file: &Path, turn: bool) -> Result<Vec<u8>, String> {
    let up_axis = if turn { UpAxis::Turn } else { UpAxis::Ignore };
    bake::read(file, Some(up_axis)).map_err(|e| e.to_string())
}

/// Motions, straight or on screws.
pub fn motions<S: Scalar>(file: &Path, screw: bool) -> Result<Vec<RigidMotion<S>>, String> {
    let way = if screw { Way::Screw } else { Way::Straight };
    let motions = Motions::read(file).map_err(|e| e.to_string())?;
    let rigid = motions.rigid(way).map_err(|e| e.to_string())?;
    Ok(rigid.into_iter().map(|(_, motion)| motion).collect())
}

/// What `avert inspect` prints.
pub fn describe(
    robot: &Path,
    srdf: Option<&Path>,
    world: Option<&Path>,
    paths: Option<&Path>,
) -> Result<String, String> {
    let [srdf, world, paths] = [srdf, world, paths].map(|file| file.map(Path::to_owned));
    let (packages, joints, up_axis) = (Vec::new(), Vec::new(), Some(UpAxis::Ignore));
    let robot = robot.to_owned();
    let request = Inspect { robot, srdf, packages, visuals: Visuals::Use, up_axis, world, paths, joints };
    inspect::describe(&request).map_err(|e| e.to_string())
}
