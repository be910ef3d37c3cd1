//! `avert bake`: from a mesh or a robot to the bytes that the library checks with, and the first step of `avert ccd`.

mod format;
mod mesh;
mod pairs;
mod robot;

use crate::Bake;
use crate::error::Failure;
use crate::output::refuse_to_overwrite;
pub(crate) use format::Format;
use format::Source;
pub(crate) use mesh::read;
use std::io;
use std::path::Path;

/// The extension of what is baked.
pub(crate) const EXTENSION: &str = "avert";

pub(crate) fn run(request: &Bake) -> Result<(), Failure> {
    let Bake { input, srdf, world, out, .. } = request;
    let inputs = [("the input", Some(input)), ("--srdf", srdf.as_ref()), ("--world", world.as_ref())];
    let inputs = inputs.into_iter().filter_map(|(name, file)| Some((name, file?.as_path())));
    refuse_to_overwrite(Some(out), inputs)?;
    let text = if input.extension().is_some_and(|e| e.eq_ignore_ascii_case("urdf")) {
        robot::run(request)?
    } else {
        let given = [
            ("--srdf", srdf.is_some()),
            ("--world", world.is_some()),
            ("--package", !request.packages.is_empty()),
            ("--payloads", request.payloads.is_some()),
            ("--margin", request.margin.is_some()),
        ];
        if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
            let what = format!("{option} is for robots (.urdf), and {} is none", input.display());
            return Err(Failure::Argument(what));
        }
        mesh::run(request)?
    };
    print!("{text}");
    Ok(())
}

/// Writes all of what was baked, or nothing.
fn write(request: &Bake, source: &Source<'_>) -> Result<(), Failure> {
    let written = match request.format {
        Format::Blob => replace(&request.out, source.bytes),
        Format::Rust => replace(&request.out, source.rust().as_bytes()),
        Format::C => replace(&request.out, source.c().as_bytes()),
    };
    written.map_err(|cause| Failure::Output { file: Some(request.out.clone()), cause })
}

/// Puts a file in the place of another, or of none, at once: whoever reads meanwhile finds the old one or the new one.
fn replace(file: &Path, bytes: &[u8]) -> io::Result<()> {
    // Through a link, to what it points at; a pipe or a device cannot be replaced.
    let file = &file.canonicalize().unwrap_or(file.to_owned());
    if file.exists() && !file.is_file() {
        return std::fs::write(file, bytes);
    }
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.part", std::process::id()));
    let part = file.with_file_name(name);
    let done = std::fs::write(&part, bytes).and_then(|()| std::fs::rename(&part, file));
    if done.is_err() {
        // What matters is why it could not be written.
        let _ = std::fs::remove_file(&part);
    }
    done
}
