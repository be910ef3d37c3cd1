//! Meshes from files.
//!
//! A file that holds geometry which the reader would pass over is refused: a part that is silently missing would make
//! a `free` that is not true.

mod lines;
mod obj;
mod ply;
mod stl;

use crate::convert::Numbers;
use crate::error::InputError;
use std::path::{Path, PathBuf};

/// Triangles over shared points, as they stand in a file.
#[derive(Debug)]
pub(crate) struct Mesh {
    file: PathBuf,
    shape: Shape,
    /// The file, to find the line of a bad number; empty for a binary one.
    text: Vec<u8>,
}

/// What a reader makes of a file.
#[derive(Debug)]
struct Shape {
    points: Vec<[f64; 3]>,
    /// In file order.
    triangles: Vec<[u32; 3]>,
    numbers: Numbers,
    /// Does the file have lines?
    is_text: bool,
}

impl Mesh {
    /// Reads a file; its extension says how.
    pub(crate) fn read(file: &Path) -> Result<Self, InputError> {
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let reader = match extension.as_str() {
            "obj" => obj::read,
            "stl" => stl::read,
            "ply" => ply::read,
            _ => return Err(InputError::new(file, "expected a mesh file with the extension .obj, .stl or .ply")),
        };
        let bytes = std::fs::read(file).map_err(|e| InputError::new(file, format!("cannot read the mesh: {e}")))?;
        let shape = reader(file, &bytes)?;
        if shape.triangles.is_empty() {
            return Err(InputError::new(file, "expected at least one triangle, found none"));
        }
        let text = if shape.is_text { bytes } else { Vec::new() };
        Ok(Self { file: file.to_owned(), shape, text })
    }

    /// Where the mesh comes from.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// The triangles, by point indices.
    pub(crate) fn triangles(&self) -> &[[u32; 3]] {
        &self.shape.triangles
    }

    /// The points, in metres.
    pub(crate) fn points(&self) -> &[[f64; 3]] {
        &self.shape.points
    }

    /// How the file's numbers may differ from the points.
    pub(crate) fn numbers(&self) -> Numbers {
        self.shape.numbers
    }

    /// A coordinate that is too large: which, and where it stands.
    pub(crate) fn too_large(&self, most: f64) -> InputError {
        let point = self.points().iter().find(|p| p.iter().any(|x| !(x.abs() <= most))).copied().unwrap_or_default();
        let [x, y, z] = point;
        let what = format!("expected coordinates within ±{most:.0e} metres, found ({x}, {y}, {z})");
        InputError::at(&self.file, lines::line_of_point(&self.text, &point, self.shape.numbers), what)
    }
}
