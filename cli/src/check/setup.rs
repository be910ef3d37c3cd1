//! What the paths are checked in: from the arguments to a robot and what stands around it.

use crate::Check;
use crate::arm::{Arm, Obstacle, obstacles};
use crate::error::InputError;
use crate::paths::JointNames;
use crate::robot::{AllowedPairs, Options, Packages, RobotDescription};
use crate::world::World;
use avert::robot::BodyIndex;

/// A robot and a world, whatever files they come from.
#[derive(Debug)]
pub(super) struct Setup {
    pub(super) arm: Arm,
    pub(super) obstacles: Vec<Obstacle>,
    pub(super) joints: JointNames,
    /// What somebody should know who relies on the verdicts.
    pub(super) warnings: Vec<String>,
}

impl Setup {
    pub(super) fn read(request: &Check) -> Result<Self, InputError> {
        let options = Options { packages: Packages(request.packages.clone()), visuals: request.visuals };
        let robot = RobotDescription::read(&request.robot, &options)?;
        let srdf = request.srdf.as_ref().map(|file| AllowedPairs::read(file, &robot)).transpose()?;
        let world = World::read(&request.world)?;
        let arm = Arm::new(&robot, srdf.as_ref(), request.up_axis)?;
        let obstacles = obstacles(&world, request.up_axis)?;
        let warnings = srdf.map(|srdf| srdf.warnings).unwrap_or_default();
        Ok(Self { arm, obstacles, joints: JointNames::from(&robot), warnings })
    }

    /// The name of a link or an object.
    pub(super) fn name(&self, body: BodyIndex) -> &str {
        let body = match body {
            BodyIndex::Link(link) => self.arm.bodies.get(usize::from(link.0)).and_then(Option::as_ref),
            BodyIndex::Object(object) => self.obstacles.get(usize::from(object.0)).map(|obstacle| &obstacle.body),
        };
        body.map_or("", |body| &body.report.name)
    }
}
