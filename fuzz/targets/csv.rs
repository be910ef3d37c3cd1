//! Everything else that is read: motions, worlds, robots, allowed pairs and paths.
#![no_main]

use avert_cli::doors::{describe, motions};
use libfuzzer_sys::fuzz_target;
use std::path::PathBuf;

/// For the files that make sense beside a robot only.
const ROBOT: &str = r#"<robot name="arm"><link name="a"/><link name="b"><collision><geometry><sphere radius="1"/></geometry>
</collision></link><link name="c"/><joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint><joint name="k" type="prismatic"><parent link="b"/><child link="c"/>
<axis xyz="1 0 0"/><limit lower="0" upper="1" velocity="1" effort="1"/></joint></robot>"#;

fuzz_target!(|input: &[u8]| {
    let Some((kind, bytes)) = input.split_first() else { return };
    let folder = folder();
    let written = |name: &str, bytes: &[u8]| {
        let file = folder.join(name);
        std::fs::write(&file, bytes).expect("a folder to write to");
        file
    };
    let robot = || written("robot.urdf", ROBOT.as_bytes());
    // What is said about a file is not the subject; that something is said, is.
    let _ = match kind {
        b'm' => {
            let file = written("motions.csv", bytes);
            let _ = motions::<f32>(&file, false).and(motions::<f32>(&file, true));
            let _ = motions::<avert::Fix32>(&file, false).and(motions::<avert::Fix32>(&file, true));
            motions::<f64>(&file, true).map(|_| String::new())
        }
        b'u' => describe(&written("robot.urdf", bytes), None, None, None),
        b's' => describe(&robot(), Some(&written("pairs.srdf", bytes)), None, None),
        b'w' => describe(&robot(), None, Some(&written("world.json", bytes)), None),
        b'p' => describe(&robot(), None, None, Some(&written("paths.csv", bytes))),
        b'y' => describe(&robot(), None, None, Some(&written("paths.yaml", bytes))),
        _ => return,
    };
});

/// Of this process.
fn folder() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("avert-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}
