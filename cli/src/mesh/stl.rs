//! STL, ASCII and binary, by `stl_io`, which also makes one point of equal ones.
//!
//! `stl_io` takes every file that begins with "solid " for ASCII, stops at the first `endsolid`, and wants finite
//! normals. Many binary files begin with "solid", some ASCII files hold several solids, and a degenerate facet has no
//! normal. So the kind is found here, by length, and what `stl_io` gets is put in the form that it reads completely.

use super::Shape;
use super::lines::{LineReader, excerpt};
use crate::convert::Numbers;
use crate::error::InputError;
use std::io::Cursor;
use std::path::Path;
use stl_io::IndexedMesh;

/// Header and count of a binary file, then this many bytes a facet.
const HEADER: usize = 80;
const COUNT: usize = 4;
const FACET: usize = 50;

pub(super) fn read(file: &Path, bytes: &[u8]) -> Result<Shape, InputError> {
    let needed = binary_length(bytes);
    if needed == Some(bytes.len()) {
        return read_binary(file, bytes);
    }
    let start = bytes.trim_ascii_start();
    if start.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) {
        return read_text(file, bytes);
    }
    let binary = match needed {
        Some(needed) => format!("a binary one of {needed} bytes, as its facet count says"),
        None => "a binary one of at least 84 bytes".to_owned(),
    };
    let what = format!("expected an ASCII STL file that begins with `solid`, or {binary}; found {} bytes", bytes.len());
    Err(InputError::new(file, what))
}

/// How long the file is if it is binary.
fn binary_length(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(HEADER..HEADER + COUNT)?.try_into().ok().map(u32::from_le_bytes)?;
    usize::try_from(count).ok()?.checked_mul(FACET)?.checked_add(HEADER + COUNT)
}

fn read_binary(file: &Path, bytes: &[u8]) -> Result<Shape, InputError> {
    // An empty header is one that does not begin with "solid".
    let mut bytes = bytes.to_owned();
    bytes.iter_mut().take(HEADER).for_each(|b| *b = 0);
    let mesh = stl_io::read_stl(&mut Cursor::new(bytes))
        .map_err(|e| InputError::new(file, format!("cannot read the binary STL file: {e}")))?;
    shape(file, mesh, Numbers::Exact)
}

fn read_text(file: &Path, bytes: &[u8]) -> Result<Shape, InputError> {
    let text = one_solid(file, bytes)?;
    let mut reader = LineReader::new(text.as_bytes());
    let mesh = stl_io::read_stl(&mut reader).map_err(|error| {
        let expected = match error.kind() == std::io::ErrorKind::UnexpectedEof {
            true => "expected `endsolid` or another facet".to_owned(),
            false => {
                format!("expected a facet (facet normal, outer loop, 3 × vertex x y z, endloop, endfacet): {error}")
            }
        };
        InputError::at(file, reader.line, format!("{expected}; found {}", excerpt(bytes, reader.line)))
    })?;
    shape(file, mesh, Numbers::Single)
}

/// The same lines in lower case, with all solids made one, and with no normals.
fn one_solid(file: &Path, bytes: &[u8]) -> Result<String, InputError> {
    // `stl_io` reads on after the first line, whatever it holds, and ends at `endsolid`.
    let mut text = String::with_capacity(bytes.len() + 32);
    let mut inside = false;
    for (i, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let line = String::from_utf8_lossy(line).to_lowercase();
        let expected = |what: &str| InputError::at(file, i + 1, format!("expected {what}, found `{}`", line.trim()));
        match line.split_whitespace().next() {
            Some("solid") if inside => return Err(expected("`endsolid` before another solid")),
            Some("solid") => inside = true,
            Some("endsolid") if !inside => return Err(expected("`solid` before `endsolid`")),
            Some("endsolid") => inside = false,
            Some("facet") if inside => text.push_str("facet normal 0 0 0"),
            Some(_) if !inside => return Err(expected("`solid` or the end of the file")),
            Some(_) => text.push_str(line.trim()),
            None => {}
        }
        if i == 0 {
            text.push_str("solid ");
        }
        text.push('\n');
    }
    if inside {
        let line = bytes.trim_ascii_end().split(|b| *b == b'\n').count();
        let what = format!("expected `endsolid` before the end of the file, found {}", excerpt(bytes, line));
        return Err(InputError::at(file, line, what));
    }
    text.push_str("endsolid\n");
    Ok(text)
}

fn shape(file: &Path, mesh: IndexedMesh, numbers: Numbers) -> Result<Shape, InputError> {
    let points = mesh.vertices.iter().map(|v| v.0.map(f64::from)).collect();
    let index = |i: usize| u32::try_from(i).ok();
    let triangle = |[a, b, c]: [usize; 3]| Some([index(a)?, index(b)?, index(c)?]);
    let triangles = mesh.faces.iter().map(|face| triangle(face.vertices)).collect::<Option<Vec<_>>>();
    let triangles = triangles.ok_or_else(|| InputError::new(file, "expected fewer than 2³² different points"))?;
    Ok(Shape { points, triangles, numbers, is_text: numbers != Numbers::Exact })
}
