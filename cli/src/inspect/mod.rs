//! `avert inspect`: what was made of a robot, a world and paths.

mod paths;
mod robot;
mod table;
mod world;

use crate::Inspect;
use crate::error::{Failure, InputError};
use crate::geometry::Geometry;
use crate::mesh::{Mesh, UpAxis};
use crate::paths as path_files;
use crate::robot::{AllowedPairs, Options, Packages, RobotDescription};
use crate::world::World;
use std::collections::HashMap;
use std::io::Write;
use std::path::PathBuf;
use table::numbers;

/// Reads everything, then prints: a file that cannot be used is an error with nothing printed.
pub(crate) fn run(request: &Inspect) -> Result<(), Failure> {
    let options = Options { packages: Packages(request.packages.clone()), visuals: request.visuals };
    let robot = RobotDescription::read(&request.robot, &options)?;
    let mut meshes = Meshes { up_axis: request.up_axis, read: HashMap::new() };
    let mut text = robot::describe(&robot, &mut meshes)?;
    if let Some(file) = &request.srdf {
        let allowed = AllowedPairs::read(file, &robot)?;
        text += &robot::describe_allowed(&robot, &allowed, file);
    }
    if let Some(file) = &request.world {
        text += &world::describe(&World::read(file)?, &mut meshes)?;
    }
    if let Some(file) = &request.paths {
        let paths = path_files::read(file, &robot, &request.joints)?;
        text += &paths::describe(&robot, &paths, file);
    }
    std::io::stdout().write_all(text.as_bytes()).map_err(|cause| Failure::Output { file: None, cause })
}

/// Each mesh file is read once.
struct Meshes {
    up_axis: Option<UpAxis>,
    read: HashMap<PathBuf, Mesh>,
}

impl Meshes {
    /// The columns `shape`, `triangles`, `size in m` of a piece, and of meshes where they are in their own frame.
    fn columns(&mut self, geometry: &Geometry) -> Result<[String; 3], InputError> {
        let none = String::new;
        Ok(match geometry {
            Geometry::Mesh { file, scale } => {
                if !self.read.contains_key(file) {
                    self.read.insert(file.clone(), Mesh::read(file, self.up_axis)?);
                }
                let Some(mesh) = self.read.get(file) else { return Ok([none(), none(), none()]) };
                let name = file.file_name().unwrap_or_default().to_string_lossy();
                let scaled = if *scale == [1.0; 3] { none() } else { format!(" × {}", numbers(scale)) };
                let [least, most] = mesh.extent(*scale);
                let size = most.iter().zip(least).map(|(most, least)| most - least).collect::<Vec<_>>();
                let place = format!("{} (from {} to {})", numbers(&size), numbers(&least), numbers(&most));
                [format!("mesh {name}{scaled}"), mesh.triangles().len().to_string(), place]
            }
            Geometry::Box { size } => ["box".to_owned(), none(), numbers(size)],
            Geometry::Sphere { radius } => ["sphere".to_owned(), none(), format!("radius {}", table::number(*radius))],
            Geometry::Cylinder { radius, length } | Geometry::Capsule { radius, length } => {
                let [radius, length] = [*radius, *length].map(table::number);
                [geometry.kind().to_owned(), none(), format!("radius {radius}, length {length}")]
            }
        })
    }
}
