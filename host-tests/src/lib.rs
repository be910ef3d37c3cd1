//! Scenes, oracles and soundness suites for Avert.
//!
//! An oracle imports nothing from `avert` but the inputs of a check. Every check is a function that returns `Err` with a
//! reproducible case when it finds a violation, so that the tests can ask for `Ok` and the mutants for `Err`.

pub mod arm;
pub mod exact;
pub mod flush;
pub mod laws;
pub mod peers;
pub mod queries;
pub mod random;
pub mod rigid;
pub mod sampling;
pub mod scenes;
pub mod shared;
pub mod wide;
pub mod winding;

use std::io::Write;
use std::path::PathBuf;

/// Are the big runs asked for (`cargo xtask test --long`)?
pub fn long() -> bool {
    std::env::var_os("AVERT_LONG").is_some()
}

/// How many cases to run: few in an ordinary run, many in a long one.
pub fn cases(short: u64, long_run: u64) -> u64 {
    if long() { long_run } else { short }
}

/// Says that something was left out, and why; `cargo xtask test` lists these at its end.
pub fn skip(what: &str, why: &str) {
    eprintln!("skipped: {what}: {why}");
    note("AVERT_SKIPPED", &format!("{what}: {why}\n"));
}

/// Says what a big run measured; `cargo xtask test` lists these at its end.
pub fn report(line: &str) {
    println!("{line}");
    note("AVERT_REPORT", &format!("{line}\n"));
}

/// Adds a line to the file that a variable names. In one piece, since other tests write to it at the same time.
fn note(variable: &str, line: &str) {
    if let Some(path) = std::env::var_os(variable)
        && let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(path)
    {
        // The list is a courtesy; a full disk shows elsewhere.
        let _ = file.write_all(line.as_bytes());
    }
}

/// The folder with meshes and query sets that are not part of this project: `AVERT_SHARED`, or `shared` beside the
/// project's folder. One without `models/bunny.obj` is some other folder.
pub fn shared() -> Option<PathBuf> {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared");
    let folder = std::env::var_os("AVERT_SHARED").map_or(beside, PathBuf::from);
    folder.join("models/bunny.obj").is_file().then_some(folder)
}
