//! Meshes from files.
//!
//! A file that holds geometry which the reader would pass over is refused: a part that is silently missing would make
//! a `free` that is not true.

mod dae;
mod lines;
mod obj;
mod ply;
mod stl;

use crate::convert::{Numbers, stored_points};
use crate::error::InputError;
use avert::{Scalar, Vec3};
use std::path::{Path, PathBuf};

/// Of the files that are read.
pub(crate) const EXTENSIONS: [&str; 4] = ["obj", "stl", "ply", "dae"];

/// What to make of a COLLADA file in which the z axis does not point up.
///
/// Its standard says to turn it; RViz, MoveIt and others take the coordinates as they stand, and many files were made
/// to look right there. A quarter of a turn is too much to guess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum UpAxis {
    /// Take the coordinates as they stand, as RViz and MoveIt do
    Ignore,
    /// Turn the mesh so that z points up, as COLLADA says
    Turn,
}

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
    pub(crate) fn read(file: &Path, up_axis: Option<UpAxis>) -> Result<Self, InputError> {
        let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        if !EXTENSIONS.contains(&extension.as_str()) {
            return Err(InputError::new(file, "expected a mesh file with the extension .obj, .stl, .ply or .dae"));
        }
        let bytes = std::fs::read(file).map_err(|e| InputError::new(file, format!("cannot read the mesh: {e}")))?;
        let shape = match extension.as_str() {
            "obj" => obj::read(file, &bytes)?,
            "stl" => stl::read(file, &bytes)?,
            "ply" => ply::read(file, &bytes)?,
            _ => dae::read(file, &bytes, up_axis)?,
        };
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

    /// The least and the greatest coordinates of the triangles, times the scale: to print, not to prove.
    pub(crate) fn extent(&self, scale: [f64; 3]) -> [[f64; 3]; 2] {
        let corners = self.shape.triangles.iter().flatten().filter_map(|c| self.shape.points.get(*c as usize));
        let mut extent = [[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]];
        let [least, most] = &mut extent;
        for corner in corners {
            for (((least, most), x), scale) in least.iter_mut().zip(&mut *most).zip(corner).zip(scale) {
                (*least, *most) = (least.min(x * scale), most.max(x * scale));
            }
        }
        extent
    }

    /// The points as scalars and how far the true ones may be from them; see [`stored_points`].
    pub(crate) fn points<S: Scalar>(&self) -> Result<(Vec<Vec3<S>>, S), InputError> {
        let Shape { points, numbers, .. } = &self.shape;
        let (stored, error) = stored_points::<S>(points, *numbers);
        match stored.iter().position(|p| !p.in_range()).and_then(|i| points.get(i)) {
            None => Ok((stored, error)),
            Some(point) => {
                let [x, y, z] = point;
                let range = S::RANGE.to_f64();
                let what = format!("expected coordinates within ±{range:.0e} metres, found ({x}, {y}, {z})");
                Err(InputError::at(&self.file, lines::line_of_point(&self.text, point, *numbers), what))
            }
        }
    }
}
