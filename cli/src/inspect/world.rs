//! The objects of a world.

use super::columns;
use crate::error::InputError;
use crate::mesh::UpAxis;
use crate::table::{count, number, numbers, table};
use crate::world::{Shape, World};

pub(super) fn describe(world: &World, up_axis: Option<UpAxis>) -> Result<String, InputError> {
    let mut rows = Vec::new();
    for object in &world.objects {
        let [shape, triangles, size] = match &object.shape {
            Shape::Solid(geometry) => columns(geometry, up_axis)?,
            Shape::Points { points, radius } => {
                [count(points.len(), "point", "points"), String::new(), format!("radius {}", number(*radius))]
            }
        };
        let (xyz, rpy) = (numbers(&object.placement.xyz), numbers(&object.placement.rpy));
        let line = object.line.map_or(String::new(), |line| line.to_string());
        rows.push(vec![object.name.clone(), shape, triangles, xyz, rpy, size, line]);
    }
    let objects = count(world.objects.len(), "object", "objects");
    let heading = format!("\nworld from {}: {objects} (m, rad, in the root's frame)\n", world.file.display());
    Ok(heading + &table(&["object", "shape", "triangles", "xyz", "rpy", "size", "line"], &rows))
}
