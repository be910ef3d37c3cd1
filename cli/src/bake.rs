//! From a mesh to the bytes that the library checks with: `avert bake`, and the first step of `avert ccd`.

use crate::convert::on_grid;
use crate::error::{Failure, InputError};
use crate::mesh::{Mesh, UpAxis};
use crate::{Bake, convex};
use avert::hierarchy::{BakeError, Blob, BlobError, Draft, DraftHull, parts};
use avert::kernel::{Grid, SolidError};
use avert::{Fix32, Fix64, Geometry, Scalar, Vec3};
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

/// The extension of a baked model.
pub(crate) const EXTENSION: &str = "avert";

/// A baked model, and what became of the mesh.
#[derive(Debug)]
pub(crate) struct Baked {
    /// For [`Blob::parse`].
    pub(crate) bytes: Vec<u8>,
    report: Report,
}

#[derive(Debug)]
struct Report {
    triangles: usize,
    points: usize,
    /// Points that were at the same place of the grid as another.
    welded: usize,
    grid: Grid,
    error: f64,
    /// Of a convex mesh: how many points its hull has, and how far it reaches beyond the mesh, in metres.
    hull: Option<(usize, f64)>,
    /// How many parts hang together, and why the mesh is not closed, if it is not.
    parts: usize,
    open: Option<SolidError>,
}

/// Bakes a mesh.
pub(crate) fn mesh(mesh: &Mesh) -> Result<Baked, InputError> {
    let refuse = |what: String| InputError::new(mesh.file(), what);
    let grid = mesh.grid()?;
    let (steps, error) = on_grid(mesh.points(), mesh.numbers(), grid);
    let (points, triangles) = weld(&steps, mesh.triangles());
    let welded = steps.len() - points.len();
    let hull = convex::hull(&points, &triangles, grid);
    let mut report = Report {
        triangles: triangles.len(),
        points: points.len(),
        welded,
        grid,
        error,
        hull: hull.as_ref().map(|hull| (hull.points.len(), hull.excess)),
        parts: 1,
        open: None,
    };
    let failed = |e: BakeError| refuse(format!("expected a usable mesh: {e}"));
    if let Some(hull) = hull {
        let hulls = [DraftHull { first: 0, count: hull.points.len() as u32, radius: hull.radius }];
        let draft =
            Draft { grid, points: &hull.points, triangles: &[], hulls: &hulls, parts: &[], solid: false, error };
        return Ok(Baked { bytes: bytes_of(&draft).map_err(failed)?, report });
    }
    let mut listed = vec![0; triangles.len()];
    let listed = connected(&points, &triangles, &mut listed).map_err(&refuse)?;
    report.parts = listed.len();
    let draft = Draft { grid, points: &points, triangles: &triangles, hulls: &[], parts: listed, solid: true, error };
    let bytes = bytes_of(&draft).map_err(failed)?;
    // A closed mesh is full inside; any other is a surface.
    let closed =
        Blob::parse(&bytes).and_then(|blob| blob.model::<f64>(&mut vec![0; blob.scratch_needed()]).map(|_| ()));
    match closed {
        Ok(()) => Ok(Baked { bytes, report }),
        Err(BlobError::Solid(open)) => {
            report.open = Some(open);
            Ok(Baked { bytes: bytes_of(&Draft { solid: false, ..draft }).map_err(failed)?, report })
        }
        Err(other) => Err(refuse(format!("expected a usable mesh: {other}"))),
    }
}

fn bytes_of(draft: &Draft<'_>) -> Result<Vec<u8>, BakeError> {
    let mut bytes = vec![0; draft.room()];
    let length = draft.bake(&mut bytes, &mut vec![0; draft.triangles.len() + draft.hulls.len()])?;
    bytes.truncate(length);
    Ok(bytes)
}

/// One triangle for every part that hangs together.
fn connected<'l>(points: &[[i32; 3]], triangles: &[[u32; 3]], list: &'l mut [u32]) -> Result<&'l [u32], String> {
    let points: Vec<Vec3<f64>> = points.iter().map(|p| p.map(f64::from).into()).collect();
    let geometry = Geometry::new(&points, triangles, &[], 0.0).map_err(|e| e.to_string())?;
    parts(&geometry, list, &mut vec![0; points.len()]).map_err(|e| e.to_string())
}

/// Points at one place become one point.
fn weld(steps: &[[i32; 3]], triangles: &[[u32; 3]]) -> (Vec<[i32; 3]>, Vec<[u32; 3]>) {
    let mut known = HashMap::new();
    let mut points = Vec::new();
    let renumbered: Vec<u32> = steps
        .iter()
        .map(|p| {
            *known.entry(*p).or_insert_with(|| {
                points.push(*p);
                points.len() as u32 - 1
            })
        })
        .collect();
    // A reader gives no index that does not exist.
    let triangles = triangles.iter().map(|t| t.map(|i| renumbered[i as usize])).collect();
    (points, triangles)
}

/// The bytes of a file: a baked model as it is, a mesh baked.
pub(crate) fn read(file: &Path, up_axis: Option<UpAxis>) -> Result<Vec<u8>, InputError> {
    if file.extension().is_some_and(|e| e.eq_ignore_ascii_case(EXTENSION)) {
        return std::fs::read(file).map_err(|e| InputError::new(file, format!("cannot read the model: {e}")));
    }
    mesh(&Mesh::read(file, up_axis)?).map(|baked| baked.bytes)
}

/// Whether a scalar can use the model.
fn proves<S: Scalar>(blob: &Blob<'_>, name: &str) -> String {
    match blob.model::<S>(&mut vec![0; blob.scratch_needed()]) {
        Ok(_) => name.to_owned(),
        Err(e) => format!("not in {name} ({e})"),
    }
}

/// `avert bake`.
pub(crate) fn run(request: &Bake) -> Result<(), Failure> {
    if crate::ccd::is_same_file(&request.mesh, &request.out) {
        return Err(Failure::Argument(format!("--out would overwrite the mesh ({})", request.out.display())));
    }
    let baked = mesh(&Mesh::read(&request.mesh, request.up_axis)?)?;
    let blob = Blob::parse(&baked.bytes).map_err(|e| Failure::Internal(e.to_string()))?;
    let written = std::fs::write(&request.out, &baked.bytes);
    written.map_err(|cause| Failure::Output { file: Some(request.out.clone()), cause })?;
    let Report { triangles, points, welded, grid, error, hull, parts, open } = baked.report;
    let mut text = String::new();
    let bytes = baked.bytes.len();
    // Writing to a string does not fail.
    let _ = writeln!(text, "{} ({triangles} triangles, {points} points)", request.mesh.display());
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
    print!("{text}");
    Ok(())
}
