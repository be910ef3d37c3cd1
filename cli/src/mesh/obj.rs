//! Wavefront OBJ, by `tobj`.
//!
//! What `tobj` gets is reduced to vertices and faces, line by line. That keeps vertices shared across groups and
//! materials as in the file, and keeps away what it would read without complaint and get wrong for a proof: lines
//! become triangles, unknown statements (curves, surfaces) are dropped, and a weight rounds the coordinates again.

use super::Shape;
use super::lines::{LineReader, excerpt};
use crate::convert::Numbers;
use crate::error::InputError;
use std::path::Path;
use tobj::{LoadError, LoadOptions};

/// Statements that have no say in the shape.
const WITHOUT_SHAPE: &[&str] = &[
    "vt",
    "vn",
    "o",
    "g",
    "s",
    "mg",
    "usemtl",
    "mtllib",
    "usemap",
    "maplib",
    "bevel",
    "c_interp",
    "d_interp",
    "lod",
    "shadow_obj",
    "trace_obj",
];

/// Faces with one or two corners are kept, as degenerate triangles.
const OPTIONS: LoadOptions =
    LoadOptions { single_index: true, triangulate: true, ignore_points: false, ignore_lines: false };

pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Shape, InputError> {
    let text = vertices_and_faces(file, bytes)?;
    let mut reader = LineReader::new(text.as_bytes());
    let no_materials = |_: &Path| Ok(Default::default());
    let (models, _) = tobj::load_obj_buf(&mut reader, &OPTIONS, no_materials)
        .map_err(|error| explain(file, bytes, &text, error, reader.line))?;
    // Without groups and materials there is exactly one.
    let mesh = models.into_iter().next().map(|model| model.mesh).unwrap_or_default();
    let points = mesh.positions.chunks_exact(3).filter_map(|p| p.try_into().ok()).collect();
    let triangles = mesh.indices.chunks_exact(3).filter_map(|t| t.try_into().ok()).collect();
    Ok(Shape { points, triangles, numbers: Numbers::Double, is_text: true })
}

/// The same lines, but only `v x y z` and `f i j k …`; all others are empty.
fn vertices_and_faces(file: &Path, bytes: &[u8]) -> Result<String, InputError> {
    let mut text = String::with_capacity(bytes.len());
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let refuse = |what: String| Err(InputError::at(file, i + 1, what));
        let line = String::from_utf8_lossy(line);
        // A comment may stand after a statement.
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        match words.next() {
            None => {}
            Some("v") => {
                let words: Vec<_> = words.collect();
                // `v x y z w`: only the weight 1 leaves the coordinates alone. Six numbers are a point and a colour.
                if let [_, _, _, w] = *words.as_slice()
                    && w.parse::<f64>() != Ok(1.0)
                {
                    return refuse(format!("expected a vertex weight of 1, found `{w}`"));
                }
                text.push('v');
                words.iter().take(3).for_each(|word| text.extend([" ", *word]));
            }
            Some("f") => {
                text.push('f');
                // `position/texture/normal`: the position only.
                let positions = words.map(|word| word.split('/').next().unwrap_or_default());
                positions.for_each(|word| text.extend([" ", if word.is_empty() { "?" } else { word }]));
            }
            Some(word) if WITHOUT_SHAPE.contains(&word) => {}
            Some(word) => {
                return refuse(format!(
                    "expected vertices (v) and faces (f), found `{word}`: it would be missing from the shape"
                ));
            }
        }
        text.push('\n');
    }
    Ok(text)
}

/// What `tobj` did not like, and where.
fn explain(file: &Path, bytes: &[u8], text: &str, error: LoadError, line: usize) -> InputError {
    let expected = match error {
        LoadError::PositionParseError => "expected a vertex `v x y z` with three numbers",
        LoadError::FaceParseError => "expected a face `f i j k …` with whole vertex numbers",
        LoadError::InvalidPolygon => {
            let line = text.lines().position(|line| line.trim() == "f").map(|i| i + 1);
            return InputError::at(file, line, "expected a face `f i j k …`, found one without vertices");
        }
        LoadError::FaceVertexOutOfBounds => {
            // Found when all is read.
            let (line, index, count) = index_out_of_bounds(text);
            let index = index.map_or_else(String::new, |i| format!(", found {i}"));
            return InputError::at(file, line, format!("expected vertex numbers from 1 to {count}{index}"));
        }
        LoadError::OpenFileFailed
        | LoadError::ReadError
        | LoadError::UnrecognizedCharacter
        | LoadError::ScalingByZeroError
        | LoadError::ColorParseError
        | LoadError::NormalParseError
        | LoadError::TexcoordParseError
        | LoadError::MaterialParseError
        | LoadError::InvalidObjectName
        | LoadError::FaceTexCoordOutOfBounds
        | LoadError::FaceNormalOutOfBounds
        | LoadError::FaceColorOutOfBounds
        | LoadError::InvalidLoadOptionConfig
        | LoadError::GenericFailure => return InputError::at(file, line, format!("cannot read the OBJ file: {error}")),
    };
    InputError::at(file, line, format!("{expected}, found {}", excerpt(bytes, line)))
}

/// The line and the number of the first face corner that names no vertex, and how many vertices there are.
fn index_out_of_bounds(text: &str) -> (Option<usize>, Option<i64>, i64) {
    let count = text.lines().filter(|line| line.starts_with('v')).count() as i64;
    let mut before = 0;
    for (i, line) in text.lines().enumerate() {
        before += i64::from(line.starts_with('v'));
        let Some(corners) = line.strip_prefix('f') else { continue };
        // Negative numbers count back from the latest vertex.
        let bad = |n: &i64| *n == 0 || *n > count || *n < -before;
        if let Some(bad) = corners.split_whitespace().filter_map(|n| n.parse().ok()).find(bad) {
            return (Some(i + 1), Some(bad), count);
        }
    }
    (None, None, count)
}
