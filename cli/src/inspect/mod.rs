//! `avert inspect`: what was made of a robot, a world and paths.

mod baked;
mod paths;
mod robot;
mod world;

use crate::Inspect;
use crate::arm::BakedRobot;
use crate::error::{Failure, InputError};
use crate::geometry::Geometry;
use crate::mesh::{Mesh, UpAxis};
use crate::paths::{self as path_files, JointNames};
use crate::robot::{AllowedPairs, Options, Packages, RobotDescription};
use crate::table::{number, numbers};
use crate::world::World;
use std::io::Write;

/// Reads everything, then prints: a file that cannot be used is an error with nothing printed.
pub(crate) fn run(request: &Inspect) -> Result<(), Failure> {
    let text = describe(request)?;
    std::io::stdout().write_all(text.as_bytes()).map_err(|cause| Failure::Output { file: None, cause })
}

/// What is printed.
pub(crate) fn describe(request: &Inspect) -> Result<String, InputError> {
    if BakedRobot::is_named(&request.robot) {
        return describe_baked(request);
    }
    let options = Options { packages: Packages(request.packages.clone()), visuals: request.visuals };
    let robot = RobotDescription::read(&request.robot, &options)?;
    let mut text = robot::describe(&robot, request.up_axis)?;
    if let Some(file) = &request.srdf {
        let allowed = AllowedPairs::read(file, &robot)?;
        text += &robot::describe_allowed(&robot, &allowed, file);
    }
    if let Some(file) = &request.world {
        text += &world::describe(&World::read(file)?, request.up_axis)?;
    }
    if let Some(file) = &request.paths {
        let paths = path_files::read(file, &JointNames::from(&robot), &request.joints)?;
        text += &paths::describe(&robot, &paths, file);
    }
    Ok(text)
}

fn describe_baked(request: &Inspect) -> Result<String, InputError> {
    let Inspect { srdf, world, paths, .. } = request;
    let given = [("--srdf", srdf.is_some()), ("--world", world.is_some()), ("--paths", paths.is_some())];
    if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
        let what = format!("expected no {option} with a baked robot, which is printed alone");
        return Err(InputError::new(&request.robot, what));
    }
    let robot = BakedRobot::read(&request.robot)?;
    Ok(baked::describe(&robot.file, &robot.blob()?))
}

/// The columns `shape`, `triangles` and `size` of a piece.
fn columns(geometry: &Geometry, up_axis: Option<UpAxis>) -> Result<[String; 3], InputError> {
    let none = String::new();
    Ok(match geometry {
        Geometry::Mesh { file, scale } => {
            let mesh = Mesh::read(file, up_axis)?.scaled(*scale)?;
            // Says so if a coordinate is of no use.
            mesh.grid()?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let scaled = if *scale == [1.0; 3] { none } else { format!(" × {}", numbers(scale)) };
            let [least, most] = mesh.extent();
            let size: Vec<_> = most.iter().zip(least).map(|(most, least)| most - least).collect();
            let place = format!("{} (from {} to {})", numbers(&size), numbers(&least), numbers(&most));
            [format!("mesh {name}{scaled}"), mesh.triangles().len().to_string(), place]
        }
        Geometry::Box { size } => ["box".to_owned(), none, numbers(size)],
        Geometry::Sphere { radius } => ["sphere".to_owned(), none, format!("radius {}", number(*radius))],
        Geometry::Cylinder { radius, length } => ["cylinder".to_owned(), none, radius_and_length(*radius, *length)],
        Geometry::Capsule { radius, length } => ["capsule".to_owned(), none, radius_and_length(*radius, *length)],
    })
}

fn radius_and_length(radius: f64, length: f64) -> String {
    format!("radius {}, length {}", number(radius), number(length))
}
