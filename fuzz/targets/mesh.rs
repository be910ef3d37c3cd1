//! Mesh files: what a reader takes, the baker takes or refuses, and what was baked is a model in every scalar that has room.
#![no_main]

use avert_host_tests::laws::blob::survives;
use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;

fuzz_target!(|input: &[u8]| {
    let Some((kind, bytes)) = input.split_first() else { return };
    let (extension, turn) = match kind {
        b'o' => ("obj", false),
        b's' => ("stl", false),
        b'p' => ("ply", false),
        b'd' => ("dae", false),
        b'D' => ("dae", true),
        _ => return,
    };
    let file = folder().join("mesh").with_extension(extension);
    std::fs::write(&file, bytes).expect("a folder to write to");
    if let Ok(baked) = avert_cli::doors::model(&file, turn)
        && let Err(violation) = survives(&baked)
    {
        panic!("{violation}");
    }
});

/// Of this process.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("avert-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}
