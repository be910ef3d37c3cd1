//! Worlds: what stands around a robot.
//!
//! A JSON file (YAML with the same keys is read too) with lists of objects, all lengths in metres, all angles in radians,
//! all coordinates in the frame of the robot's root link; `docs/world.md` has an example:
//!
//! - `boxes`: `size` `[x, y, z]`, the edge lengths
//! - `spheres`: `radius`
//! - `capsules`: `radius` and `length` along z, without the half balls
//! - `cylinders`: `radius` and `length` along z
//! - `meshes`: `file` (OBJ, STL, PLY or DAE, relative to this file) and, if wanted, `scale` `[x, y, z]`
//! - `points`: `radius`, and in `xyz` one point or a list of points
//!
//! Each object has a `name` of its own; all but points have a pose, `xyz` and `rpy` (Rz·Ry·Rx), which are zero if left
//! out. `name`, `frame` and `units` of the file are there for people. Every other key is an error.
//!
//! A mesh file in place of the JSON file is a world of that mesh at the identity.

use crate::document::{self, Item};
use crate::error::InputError;
use crate::geometry::Geometry;
use crate::mesh;
use crate::placement::Placement;
use crate::xml::read_text;
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// All objects of a file.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) file: PathBuf,
    /// In the order boxes, spheres, capsules, cylinders, meshes, points; within each as in the file.
    pub(crate) objects: Vec<Object>,
}

/// One thing.
#[derive(Debug)]
pub(crate) struct Object {
    /// Of this object alone.
    pub(crate) name: String,
    /// In the frame of the robot's root link.
    pub(crate) placement: Placement,
    pub(crate) shape: Shape,
    /// `None` in a world of one mesh.
    pub(crate) line: Option<usize>,
}

/// What an object is.
#[derive(Debug, PartialEq)]
pub(crate) enum Shape {
    Solid(Geometry),
    /// Balls of one radius (zero or more) around at least one point; their placement is the identity.
    Points {
        points: Vec<[f64; 3]>,
        radius: f64,
    },
}

const LISTS: [&str; 6] = ["boxes", "spheres", "capsules", "cylinders", "meshes", "points"];
/// For people.
const REMARKS: [&str; 3] = ["name", "frame", "units"];

impl World {
    pub(crate) fn read(file: &Path) -> Result<Self, InputError> {
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if mesh::EXTENSIONS.contains(&extension.as_str()) {
            return Self::of_mesh(file);
        }
        let text = read_text(file, "world")?;
        let documents = document::parse(file, &text)?;
        let [document] = documents.as_slice() else {
            let what = format!("expected one world, found {}", documents.len());
            return Err(InputError::new(file, what));
        };
        let root = Item::new(file, document);
        root.only(&[&REMARKS[..], &LISTS[..]].concat())?;
        for remark in REMARKS {
            root.get(remark)?.map(|item| item.text().map(drop)).transpose()?;
        }
        let (mut objects, mut names) = (Vec::new(), HashSet::new());
        for kind in LISTS {
            let Some(list) = root.get(kind)? else { continue };
            for item in list.list()? {
                let object = object(file, kind, &item)?;
                if !names.insert(object.name.clone()) {
                    let name = item.need("name")?;
                    return Err(name.error(format!("expected a name of its own, found `{}` again", object.name)));
                }
                objects.push(object);
            }
        }
        Ok(Self { file: file.to_owned(), objects })
    }

    fn of_mesh(file: &Path) -> Result<Self, InputError> {
        if !file.is_file() {
            return Err(InputError::new(file, "expected a mesh file, found none"));
        }
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let shape = Shape::Solid(Geometry::Mesh { file: file.to_owned(), scale: [1.0; 3] });
        let object = Object { name, placement: Placement::default(), shape, line: None };
        Ok(Self { file: file.to_owned(), objects: vec![object] })
    }
}

fn object(file: &Path, kind: &str, item: &Item<'_>) -> Result<Object, InputError> {
    let own: &[&str] = match kind {
        "boxes" => &["name", "xyz", "rpy", "size"],
        "spheres" => &["name", "xyz", "rpy", "radius"],
        "meshes" => &["name", "xyz", "rpy", "file", "scale"],
        "points" => &["name", "xyz", "radius"],
        _ => &["name", "xyz", "rpy", "radius", "length"],
    };
    item.only(own)?;
    let name = item.need("name")?.text()?.to_owned();
    let at_least_zero = |key: &str| {
        let item = item.need(key)?;
        let x = item.number()?;
        if x >= 0.0 { Ok(x) } else { Err(item.error(format!("expected a length that is not negative, found {x}"))) }
    };
    let positive = |key: &str| match at_least_zero(key)? {
        x if x > 0.0 => Ok(x),
        x => Err(item.need(key)?.error(format!("expected a positive length, found {x}"))),
    };
    let shape = match kind {
        "boxes" => {
            let item = item.need("size")?;
            let size = item.triple()?;
            match size.iter().find(|x| **x <= 0.0) {
                None => Shape::Solid(Geometry::Box { size }),
                Some(x) => return Err(item.error(format!("expected three positive lengths, found {x}"))),
            }
        }
        "spheres" => Shape::Solid(Geometry::Sphere { radius: positive("radius")? }),
        "capsules" => Shape::Solid(Geometry::Capsule { radius: positive("radius")?, length: at_least_zero("length")? }),
        "cylinders" => Shape::Solid(Geometry::Cylinder { radius: positive("radius")?, length: positive("length")? }),
        "meshes" => Shape::Solid(read_mesh(file, item)?),
        _ => Shape::Points { points: points(&item.need("xyz")?)?, radius: at_least_zero("radius")? },
    };
    let placement = match shape {
        Shape::Points { .. } => Placement::default(),
        Shape::Solid(_) => {
            let triple = |key| item.get(key)?.map_or(Ok([0.0; 3]), |item| item.triple());
            Placement { xyz: triple("xyz")?, rpy: triple("rpy")? }
        }
    };
    Ok(Object { name, placement, shape, line: Some(item.line()) })
}

fn read_mesh(world: &Path, item: &Item<'_>) -> Result<Geometry, InputError> {
    let name = item.need("file")?;
    let file = world.parent().unwrap_or(Path::new("")).join(name.text()?);
    if !file.is_file() {
        return Err(name.error(format!("expected a mesh file, found nothing at {}", file.display())));
    }
    let scale = item.get("scale")?;
    let found = scale.map_or(Ok([1.0; 3]), |item| item.triple())?;
    match scale.filter(|_| found.contains(&0.0)) {
        Some(item) => Err(item.error("expected a scale without zeros, found 0")),
        None => Ok(Geometry::Mesh { file, scale: found }),
    }
}

fn points(item: &Item<'_>) -> Result<Vec<[f64; 3]>, InputError> {
    if !item.is_list_of_lists() {
        return item.triple().map(|point| vec![point]);
    }
    item.list()?.map(|point| point.triple()).collect()
}
