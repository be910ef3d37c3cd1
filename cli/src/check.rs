//! The run of `avert check`: a robot, a world and paths in, verdicts out.

use crate::Check;
use crate::arm::{Arm, CellStorage, PathStorage, obstacles};
use crate::convert::{decimal, limits};
use crate::error::{Failure, InputError};
use crate::paths::{self, Interpolation, JointPath as Described};
use crate::robot::{AllowedPairs, Options, Packages, RobotDescription};
use crate::world::World;
use avert::motion::{JointPath, PathError};
use avert::robot::{Plan, Scope};
use avert::{Budget, PathCheck, PathVerdict, Scalar};
use std::time::Instant;

pub(crate) fn run<S: Scalar>(request: &Check) -> Result<(), Failure> {
    let options = Options { packages: Packages(request.packages.clone()), visuals: request.visuals };
    let robot = RobotDescription::read(&request.robot, &options)?;
    let srdf = request.srdf.as_ref().map(|file| AllowedPairs::read(file, &robot)).transpose()?;
    let arm = Arm::new(&robot, srdf.as_ref(), request.up_axis)?;
    let world = World::read(&request.world)?;
    let objects = obstacles(&world, request.up_axis)?;
    let described = paths::read(&request.paths, &paths::JointNames::from(&robot), &request.joints)?;
    let limits = limits::<S>(request.margin, request.tolerance);
    let mut storage = CellStorage::<S>::new(&arm, &objects).map_err(|e| InputError::new(&request.robot, e))?;
    let cell = storage.cell(&arm, &objects, limits.margin).map_err(|e| InputError::new(&request.robot, e))?;
    let mut memory = PathStorage::new(&cell);
    let mut memory = memory.memory().ok_or_else(|| Failure::Internal("memory".into()))?;
    println!("id,verdict,free_until,touch,a,b,work,micros,kernel,poses,iterations,pairs,open");
    for path in &described {
        let mut best = f64::INFINITY;
        let mut line = String::new();
        for _ in 0..request.repeat {
            let start = Instant::now();
            let segments =
                joint_paths::<S>(path, &arm).map_err(|e| InputError::at(&request.paths, path.line, e.to_string()))?;
            let scope = if request.no_self { Scope::WorldOnly } else { Scope::Moving };
            let plan = Plan::new(&cell, &segments, limits.tolerance)
                .map_err(|e| InputError::at(&request.paths, path.line, e.to_string()))?
                .with_scope(scope);
            let mut check =
                PathCheck::new(&cell, &plan, &mut memory).ok_or_else(|| Failure::Internal("check".into()))?;
            let verdict = check.step(&cell, &plan, Budget::UNLIMITED);
            best = best.min(start.elapsed().as_secs_f64() * 1e6);
            let stats = check.stats();
            let until = verdict.cleared().until();
            let (name, touch, bodies) = match verdict {
                PathVerdict::Free(_) => ("free".to_owned(), String::new(), ",".to_owned()),
                PathVerdict::Contact { touch, bodies, .. } => (
                    "contact".to_owned(),
                    touch.time.to_f64().to_string(),
                    format!("{:?},{:?}", bodies[0], bodies[1]).replace("(", " ").replace(")", ""),
                ),
                PathVerdict::Undecided { why, .. } => (format!("undecided:{why}"), String::new(), ",".to_owned()),
            };
            line = format!(
                "{},{name},{},{touch},{bodies},{},{best:.2},{},{},{},{},{}",
                path.id,
                until.time.to_f64(),
                stats.work,
                stats.kernel_calls,
                stats.poses,
                stats.iterations,
                stats.primitive_pairs,
                stats.most_open
            );
        }
        println!("{line}");
    }
    Ok(())
}

/// The paths of all links, segment after segment.
fn joint_paths<S: Scalar>(path: &Described, arm: &Arm) -> Result<Vec<JointPath<S>>, PathError> {
    let links = arm.bodies.len();
    let mut all = Vec::new();
    for (interpolation, from, to) in path.segments() {
        let mut paths = vec![JointPath::still(0.0)?; links];
        let seconds = decimal((to.nanoseconds - from.nanoseconds) as f64 / 1e9);
        for (place, link) in arm.kinematics.independent.iter().enumerate() {
            let two = |a: &[f64], b: &[f64]| [a, b].map(|values| decimal(values.get(place).copied().unwrap_or(0.0)));
            let positions = two(&from.positions, &to.positions);
            let velocities = || two(&from.velocities, &to.velocities);
            let found = match interpolation {
                Interpolation::Linear => JointPath::line_enclosures(positions)?,
                Interpolation::Cubic => JointPath::cubic_enclosures(positions, velocities(), seconds)?,
                Interpolation::Quintic => {
                    let accelerations = two(&from.accelerations, &to.accelerations);
                    JointPath::quintic_enclosures(positions, velocities(), accelerations, seconds)?
                }
            };
            paths[usize::from(link.0)] = found;
        }
        all.extend(paths);
    }
    Ok(all)
}
