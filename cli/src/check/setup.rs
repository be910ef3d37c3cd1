//! What the paths are checked in: from the arguments to a robot and what stands around it.

use crate::Check;
use crate::arm::{Arm, BakedRobot, Obstacle, obstacles, surfaces};
use crate::convert::decimal;
use crate::error::{Failure, InputError};
use crate::paths::JointNames;
use crate::robot::{AllowedPairs, Options, Packages, RobotDescription};
use crate::table::number;
use crate::world::World;
use avert::robot::{BodyIndex, Margins};

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
    pub(super) fn read(request: &Check) -> Result<Self, Failure> {
        if BakedRobot::is_named(&request.robot) {
            return Self::baked(request);
        }
        let Some(world) = &request.world else {
            return Err(Failure::Argument(
                "expected --world FILE with a robot that is not baked, found none".to_owned(),
            ));
        };
        let options = Options { packages: Packages(request.packages.clone()), visuals: request.visuals };
        let robot = RobotDescription::read(&request.robot, &options)?;
        let srdf = request.srdf.as_ref().map(|file| AllowedPairs::read(file, &robot)).transpose()?;
        let world = World::read(world)?;
        let arm = Arm::new(&robot, srdf.as_ref(), request.up_axis)?;
        let obstacles = obstacles(&world, request.up_axis)?;
        let warnings = srdf.map(|srdf| srdf.warnings).unwrap_or_default();
        Ok(Self { arm, obstacles, joints: JointNames::from(&robot), warnings })
    }

    /// A robot with its world, from one file.
    fn baked(request: &Check) -> Result<Self, Failure> {
        let given = [
            ("--srdf", request.srdf.is_some()),
            ("--world", request.world.is_some()),
            ("--package", !request.packages.is_empty()),
        ];
        if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
            let what = format!("expected no {option} with a baked robot, which has its own");
            return Err(Failure::Argument(what));
        }
        let robot = BakedRobot::read(&request.robot)?;
        let blob = robot.blob()?;
        let refuse = |what| InputError::new(&request.robot, what);
        let (arm, obstacles) = (Arm::of_blob(&blob).map_err(refuse)?, Obstacle::of_blob(&blob).map_err(refuse)?);
        let surface = |name: &str| format!("{name} has meshes that are not closed: a surface, not a solid");
        let mut warnings: Vec<_> = surfaces(&blob).into_iter().map(surface).collect();
        let Margins { world, own, .. } = blob.margins();
        let kept = world.max(own);
        if kept > decimal(request.margin).hi() {
            let (margin, kept) = (request.margin, number(kept));
            warnings.push(format!("the robot was baked for a margin of {kept} m, and --margin is {margin} m"));
        }
        Ok(Self { arm, obstacles, joints: JointNames::from(&blob), warnings })
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
