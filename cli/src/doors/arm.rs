//! A robot among obstacles with its paths: for the project's benches, ours and others' columns alike.

use crate::arm::{Arm, CellStorage, Obstacle, obstacles, pieces};
use crate::convert::{decimal, limits};
use crate::error::InputError;
use crate::geometry::Geometry;
use crate::paths::{self, JointNames, JointPath as Described, Knot};
use crate::placement::Frame;
use crate::robot::{AllowedPairs, JointKind, Options, RobotDescription};
use crate::world::{Shape, World};
use avert::motion::{JointPath, PathError};
use avert::robot::Workcell;
use avert::{Limits, Scalar};
use std::path::Path;

/// What `avert check` is given, as it was read.
#[derive(Debug)]
pub struct ArmTask {
    robot: RobotDescription,
    arm: Arm,
    world: World,
    objects: Vec<Obstacle>,
    paths: Vec<Described>,
}

impl ArmTask {
    /// Reads the four files; the paths are straight ones.
    pub fn read([robot, srdf, world, paths]: [&Path; 4]) -> Result<Self, String> {
        let read = || {
            let robot = RobotDescription::read(robot, &Options::default())?;
            let srdf = AllowedPairs::read(srdf, &robot)?;
            let arm = Arm::new(&robot, Some(&srdf), None)?;
            let world = World::read(world)?;
            let objects = obstacles(&world, None)?;
            let paths = paths::read(paths, &JointNames::from(&robot), &[])?;
            Ok::<_, InputError>(Self { robot, arm, world, objects, paths })
        };
        read().map_err(|e| e.to_string())
    }

    /// How many paths there are.
    pub fn paths(&self) -> usize {
        self.paths.len()
    }

    /// Where a path starts and ends: a value for each joint that has one of its own.
    pub fn ends(&self, path: usize) -> [&[f64]; 2] {
        let knots = self.paths.get(path).map_or(&[][..], |path| &path.knots);
        [knots.first(), knots.last()].map(|knot: Option<&Knot>| knot.map_or(&[][..], |knot| &knot.positions))
    }

    /// Puts a path into paths for each link of the robot; those of links that do not move are left as they are.
    pub fn lay<S: Scalar>(&self, path: usize, into: &mut [JointPath<S>]) -> Result<(), PathError> {
        let [from, to] = self.ends(path);
        for (link, (from, to)) in self.arm.kinematics.independent.iter().zip(from.iter().zip(to)) {
            let line = JointPath::line_enclosures([*from, *to].map(decimal))?;
            into.get_mut(usize::from(link.0)).into_iter().for_each(|place| *place = line);
        }
        Ok(())
    }

    /// Builds the workcell and lends it, with margin and tolerance as the scalar has them.
    pub fn with_cell<S: Scalar, R>(
        &self,
        [margin, tolerance]: [f64; 2],
        act: impl FnOnce(&Workcell<'_, S>, Limits<S>) -> R,
    ) -> Result<R, String> {
        let limits = limits::<S>(margin, tolerance);
        let (files, told) = ([&*self.robot.file, &*self.world.file], |e: InputError| e.to_string());
        let mut storage = CellStorage::<S>::new(&self.arm, &self.objects, files).map_err(told)?;
        let cell = storage.cell(&self.arm, &self.objects, limits.margin, files).map_err(told)?;
        Ok(act(&cell, limits))
    }

    /// How far a stored body may reach beyond the true one, at most, in metres.
    pub fn excess(&self) -> f64 {
        let bodies = self.arm.bodies.iter().flatten().chain(self.objects.iter().map(|object| &object.body));
        bodies.map(|body| body.report.excess + body.report.error).fold(0.0, f64::max)
    }

    /// Where the links are, in the order of the library's, for a value of each joint that has one.
    pub fn frames(&self, values: &[f64]) -> Vec<Frame> {
        let frames = self.robot.frames(values);
        self.arm.kinematics.links.iter().filter_map(|origin| frames.get(origin.link).copied()).collect()
    }

    /// The robot and the world in plain numbers. `Err` for what this does not know: sliding and mimic joints, pieces with a
    /// radius, and objects other than boxes.
    pub fn plain(&self) -> Result<Plain, String> {
        let links = self.arm.kinematics.links.iter().map(|origin| self.plain_link(origin.link));
        let boxes = self.world.objects.iter().map(|object| match &object.shape {
            Shape::Solid(Geometry::Box { size }) => Ok((size.map(|x| x / 2.0), object.placement.frame())),
            Shape::Solid(_) | Shape::Points { .. } => Err(format!("`{}`: expected a box", object.name)),
        });
        Ok(Plain { links: links.collect::<Result<_, _>>()?, boxes: boxes.collect::<Result<_, _>>()? })
    }

    fn plain_link(&self, index: usize) -> Result<PlainLink, String> {
        let link = self.robot.links.get(index).ok_or("expected a link")?;
        let pieces = pieces(&self.robot, link).map_err(|e| e.to_string())?;
        let pieces = pieces.ok_or_else(|| format!("link `{}`: expected meshes and boxes", link.name))?;
        let Some(at) = self.robot.joints.iter().position(|joint| joint.child == index) else {
            return Ok(PlainLink { parent: None, origin: Frame::IDENTITY, axis: None, pieces });
        };
        let joint = &self.robot.joints[at];
        let value = self.robot.independent().into_iter().position(|other| other == at);
        let axis = match (joint.kind, value) {
            (JointKind::Fixed, _) => None,
            (JointKind::Revolute | JointKind::Continuous, Some(value)) => Some((joint.axis, value)),
            (JointKind::Revolute | JointKind::Continuous, None) | (JointKind::Prismatic, _) => {
                return Err(format!("joint `{}`: expected one that turns by itself", joint.name));
            }
        };
        let parent = self.arm.kinematics.places.get(joint.parent).map(|place| usize::from(place.0));
        Ok(PlainLink { parent, origin: joint.origin.frame(), axis, pieces })
    }
}

/// A robot and a world in plain numbers, for other libraries.
#[derive(Debug)]
pub struct Plain {
    /// In the order of the library's, every parent before its children.
    pub links: Vec<PlainLink>,
    /// Half the edges of each, and where it stands.
    pub boxes: Vec<([f64; 3], Frame)>,
}

/// A link and the joint that it hangs on.
#[derive(Debug)]
pub struct PlainLink {
    /// `None` for the root.
    pub parent: Option<usize>,
    /// The joint in the parent's frame.
    pub origin: Frame,
    /// Of a joint that turns: about what, of length 1, and which of a configuration's values it has.
    pub axis: Option<([f64; 3], usize)>,
    /// The corners of each piece, in the link's frame.
    pub pieces: Vec<Vec<[f64; 3]>>,
}
