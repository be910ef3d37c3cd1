//! One mesh as a baked model.

use super::EXTENSION;
use super::format::Source;
use crate::Bake;
use crate::assembly::{Added, Assembly, Baked};
use crate::error::{Failure, InputError};
use crate::mesh::{Mesh, UpAxis};
use avert::hierarchy::Blob;
use avert::kernel::Grid;
use avert::{Fix32, Fix64, Scalar};
use std::fmt::Write as _;
use std::path::Path;

/// A baked model, and what became of the mesh.
#[derive(Debug)]
struct BakedMesh {
    baked: Baked,
    added: Added,
    grid: Grid,
}

/// Bakes a mesh.
fn mesh(mesh: &Mesh) -> Result<BakedMesh, InputError> {
    let grid = mesh.grid()?;
    let mut assembly = Assembly::new(grid);
    let added = assembly.add_mesh(mesh.points(), mesh.numbers(), mesh.triangles());
    let refuse = |what| InputError::new(mesh.file(), format!("expected a usable mesh: {what}"));
    Ok(BakedMesh { baked: assembly.bake().map_err(refuse)?, added, grid })
}

/// The bytes of a file: a baked model as it is, a mesh baked.
pub(crate) fn read(file: &Path, up_axis: Option<UpAxis>) -> Result<Vec<u8>, InputError> {
    if file.extension().is_some_and(|e| e.eq_ignore_ascii_case(EXTENSION)) {
        return std::fs::read(file).map_err(|e| InputError::new(file, format!("cannot read the model: {e}")));
    }
    mesh(&Mesh::read(file, up_axis)?).map(|mesh| mesh.baked.bytes)
}

/// Whether a scalar can use the model.
fn proves<S: Scalar>(blob: &Blob<'_>, name: &str) -> String {
    match blob.model::<S>(&mut vec![0; blob.scratch_needed()]) {
        Ok(_) => name.to_owned(),
        Err(e) => format!("not in {name} ({e})"),
    }
}

/// Bakes and writes it, and says what became of it.
pub(super) fn run(request: &Bake) -> Result<String, Failure> {
    let read = Mesh::read(&request.input, request.up_axis)?;
    let BakedMesh { baked, added, grid } = mesh(&read)?;
    let blob = Blob::parse(&baked.bytes).map_err(|e| Failure::Internal(e.to_string()))?;
    let source = Source {
        name: "MODEL",
        reader: "avert::hierarchy::Blob::parse",
        origin: &request.input.display().to_string(),
        bytes: &baked.bytes,
        constants: &[("SCRATCH", blob.scratch_needed(), "Indices of scratch that loading takes")],
    };
    super::write(request, &source)?;
    let Baked { parts, error, ref bytes, .. } = baked;
    let Added { points, hull, open } = added;
    let (triangles, welded, bytes) = (read.triangles().len(), read.points().len() - points, bytes.len());
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{} ({triangles} triangles, {points} points)", request.input.display());
    if welded > 0 {
        let _ = writeln!(text, "welded     {welded} points that were at the place of another");
    }
    let _ = writeln!(text, "grid       2^{} m; points are within {error:.1e} m of the file's", grid.exponent());
    match hull {
        Some((count, excess)) => {
            let _ = writeln!(text, "convex     one hull of {count} points, at most {excess:.1e} m beyond the mesh");
        }
        None => {
            let _ = writeln!(text, "hierarchy  {} nodes", blob.nodes());
            let kind = match open {
                None => "closed: full inside".to_owned(),
                Some(open) => format!("a surface, not a solid: {open}"),
            };
            let parts = if parts == 1 { "one part".to_owned() } else { format!("{parts} parts") };
            let _ = writeln!(text, "body       {parts}, {kind}");
        }
    }
    let proved = [proves::<f32>(&blob, "f32"), proves::<f64>(&blob, "f64")];
    let proved = proved.into_iter().chain([proves::<Fix32>(&blob, "fix32"), proves::<Fix64>(&blob, "fix64")]);
    let _ = writeln!(text, "proved     {}", proved.collect::<Vec<_>>().join(", "));
    let each = bytes as f64 / triangles as f64;
    let _ = writeln!(text, "written    {}: {bytes} bytes, {each:.1} a triangle", request.out.display());
    Ok(text)
}
