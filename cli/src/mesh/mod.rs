//! Meshes from files.
//!
//! A file that holds geometry which the reader would pass over is refused: a part that is silently missing would make
//! a `free` that is not true.

mod dae;
mod lines;
mod obj;
mod ply;
mod stl;

use crate::convert::{FAR, Numbers, grid_around};
use crate::error::InputError;
use avert::Interval;
use avert::kernel::Grid;
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

    /// The points, in metres.
    pub(crate) fn points(&self) -> &[[f64; 3]] {
        &self.shape.points
    }

    /// How the file's numbers may differ from the points.
    pub(crate) fn numbers(&self) -> Numbers {
        self.shape.numbers
    }

    /// The grid that the points are baked on: the finest that holds them, and that every scalar resolves.
    pub(crate) fn grid(&self) -> Result<Grid, InputError> {
        let most = self.points().iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
        let far = self.points().iter().find(|p| p.iter().any(|x| x.is_nan() || x.abs() > FAR));
        grid_around(most).filter(|_| far.is_none()).ok_or_else(|| {
            let point @ [x, y, z] = far.copied().unwrap_or_default();
            let what = format!("expected coordinates within ±{FAR:.0e} metres, found ({x}, {y}, {z})");
            InputError::at(&self.file, lines::line_of_point(&self.text, &point, self.shape.numbers), what)
        })
    }

    /// The mesh with its coordinates multiplied by decimal numbers, which are finite and not zero. An odd number of
    /// negative ones makes a mirror image, in which triangles still wind the same way as seen from outside.
    ///
    /// # Soundness
    /// The coordinates that the file means, times the decimals that parse to `scale`, differ from those of this mesh by no
    /// more than its [`Numbers`] say.
    pub(crate) fn scaled(mut self, scale: [f64; 3]) -> Result<Self, InputError> {
        if scale == [1.0; 3] {
            return Ok(self);
        }
        let Shape { points, triangles, numbers, .. } = &mut self.shape;
        let mut error = 0.0_f64;
        for (x, scale) in points.iter_mut().flat_map(|point| point.iter_mut().zip(scale)) {
            let product = numbers.enclosure::<f64>(*x) * Interval::from_decimal(scale);
            let radius = product.radius_hi();
            // Not a maximum yet: `f64::max` would drop a NaN.
            if !radius.is_finite() {
                let what = format!("expected coordinates that stay finite when scaled, found {x} times {scale}");
                return Err(InputError::new(&self.file, what));
            }
            (*x, error) = (product.mid(), error.max(radius));
        }
        if scale.iter().filter(|x| **x < 0.0).count() % 2 == 1 {
            triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
        }
        *numbers = Numbers::Within(error);
        Ok(self)
    }

    /// The least and the greatest coordinates of the triangles: to print, not to prove.
    pub(crate) fn extent(&self) -> [[f64; 3]; 2] {
        let corners = self.shape.triangles.iter().flatten().filter_map(|c| self.shape.points.get(*c as usize));
        corners.fold([[f64::INFINITY; 3], [f64::NEG_INFINITY; 3]], |[least, most], corner| {
            let with = |so_far: [f64; 3], choose: fn(f64, f64) -> f64| {
                let [[a, b, c], [x, y, z]] = [so_far, *corner];
                [choose(a, x), choose(b, y), choose(c, z)]
            };
            [with(least, f64::min), with(most, f64::max)]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn never_below_truth_scaled() {
        // Thousandths times thousandths are millionths, exactly.
        let mut state = 1_u64;
        let mut thousandths = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (4 + i128::from(state >> 33) % 997) * if state & (1 << 32) == 0 { 1 } else { -1 }
        };
        let decimal = |n: i128| format!("{n}e-3").parse::<f64>().unwrap();
        for _ in 0..2_000 {
            let (x, scale): ([i128; 3], [i128; 3]) =
                (std::array::from_fn(|_| thousandths()), std::array::from_fn(|_| thousandths()));
            let shape = Shape {
                points: vec![x.map(decimal)],
                triangles: vec![[0, 1, 2]],
                numbers: Numbers::Double,
                is_text: false,
            };
            let mesh = Mesh { file: PathBuf::new(), shape, text: Vec::new() }.scaled(scale.map(decimal)).unwrap();
            let Numbers::Within(error) = mesh.shape.numbers else { panic!("{:?}", mesh.shape.numbers) };
            assert!(error < 1e-15);
            for ((x, scale), found) in x.iter().zip(scale).zip(mesh.shape.points[0]) {
                // In units of 2⁻⁸⁰ millionths.
                let wide = |x: f64| (x * 2.0_f64.powi(80)) as i128 * 1_000_000;
                assert!((((x * scale) << 80) - wide(found)).abs() <= wide(error), "{x} {scale}");
            }
            let mirrored = scale.iter().product::<i128>() < 0;
            assert_eq!(mesh.triangles()[0], if mirrored { [0, 2, 1] } else { [0, 1, 2] });
        }
    }
}
