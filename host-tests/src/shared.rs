//! The shared meshes and query sets: no part of this project, and absent where their folder is ([`crate::shared()`]).

use crate::rigid::Truth;
use crate::scenes::{Path, Place, Shape};
use std::path::Path as FilePath;

/// A mesh against itself, with motions and what is true of them.
#[derive(Clone, Debug)]
pub struct RigidSet {
    pub shape: Shape,
    /// Of the first body; the second stands at the identity.
    pub paths: Vec<Path>,
    /// For each path.
    pub truths: Vec<Truth>,
}

impl RigidSet {
    /// Loads `models/<name>.obj` and `queries/rigid_<name>*.csv`.
    ///
    /// # Panics
    /// If a file is missing or is not what it should be: half a set is worse than none.
    pub fn load(folder: &FilePath, name: &str) -> Self {
        let paths: Vec<_> = rows(&folder.join(format!("queries/rigid_{name}.csv"))).iter().map(|r| path(r)).collect();
        let truths = rows(&folder.join(format!("queries/rigid_{name}_truth.csv")));
        let truths: Vec<_> = truths.iter().map(|r| truth(r)).collect();
        assert!(paths.len() == truths.len() && !paths.is_empty(), "{name}: the query set is incomplete");
        Self { shape: mesh(&folder.join(format!("models/{name}.obj"))), paths, truths }
    }
}

/// All groups of an OBJ file as one shape.
///
/// # Panics
/// If the file is missing or broken.
pub fn mesh(path: &FilePath) -> Shape {
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    let (models, _) = tobj::load_obj(path, &options).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut shape = Shape::default();
    for tobj::Model { mesh, .. } in models {
        let part = Shape {
            points: mesh.positions.as_chunks().0.to_vec(),
            triangles: mesh.indices.as_chunks().0.to_vec(),
            hulls: vec![],
        };
        shape = shape.with(part);
    }
    shape
}

fn rows(path: &FilePath) -> Vec<Vec<f64>> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let number = |field: &str| field.trim().parse().unwrap_or_else(|e| panic!("{}: {field:?}: {e}", path.display()));
    text.lines().skip(1).map(|line| line.split(',').map(number).collect()).collect()
}

fn path(row: &[f64]) -> Path {
    let place = |i: usize| Place {
        rotation: [row[i], row[i + 1], row[i + 2], row[i + 3]],
        position: [row[i + 4], row[i + 5], row[i + 6]],
    };
    Path::Between { from: place(1), to: place(8), centre: [0.0; 3] }
}

fn truth(row: &[f64]) -> Truth {
    if row[1] == 1.0 { Truth::Contact { lo: row[2], hi: row[3] } } else { Truth::Free { least: row[4] } }
}
