//! `avert bake`: meshes and robots in every format.

use super::{Folder, has, printed, refused, shared, text};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const TETRAHEDRON: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

/// Four bodies: a foot, an upper arm and a fore arm that reach 1 m each, and a hand that is folded back onto the upper arm; and a
/// frame without geometry. The hand's joint is at its lower limit at the reference pose.
const ARM: &str = r#"<robot name="arm">
<link name="foot"><collision><geometry><box size="0.4 0.4 0.1"/></geometry></collision></link>
<link name="upper"><collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry></collision></link>
<link name="fore"><collision><origin xyz="0.5 0 0"/><geometry><mesh filename="bar.obj"/></geometry></collision></link>
<link name="hand"><collision><geometry><box size="0.3 0.3 0.3"/></geometry></collision></link>
<link name="tool &amp; &quot;tip&quot;"/>
<joint name="j1" type="continuous"><parent link="foot"/><child link="upper"/><origin xyz="0 0 0.2"/><axis xyz="0 0 1"/></joint>
<joint name="j2" type="revolute"><parent link="upper"/><child link="fore"/><origin xyz="0 0 1"/><axis xyz="0 1 0"/>
  <limit lower="-1" upper="2" velocity="1" effort="1"/></joint>
<joint name="j3" type="prismatic"><parent link="fore"/><child link="hand"/><origin xyz="0 0 -0.2"/><axis xyz="1 0 0"/>
  <limit lower="0.1" upper="1" velocity="1" effort="1"/></joint>
<joint name="j4" type="fixed"><parent link="hand"/><child link="tool &amp; &quot;tip&quot;"/></joint>
</robot>
"#;

const SRDF: &str = r#"<robot name="arm">
<disable_collisions link1="foot" link2="upper" reason="Adjacent"/>
<disable_collisions link1="upper" link2="fore" reason="Adjacent"/>
<disable_collisions link1="fore" link2="hand" reason="Adjacent"/>
<disable_collisions link1="foot" link2="fore" reason="Never"/>
<disable_collisions link1="upper" link2="hand" reason="Cable"/>
</robot>
"#;

const WORLD: &str = r#"{"boxes": [
  {"name": "table", "size": [2, 2, 0.5], "xyz": [0, 0, -0.3]},
  {"name": "left", "size": [0.1, 0.1, 0.1], "xyz": [1, 3, 0]},
  {"name": "right", "size": [0.1, 0.1, 0.1], "xyz": [1, -3, 0]}]}"#;

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("arm.urdf", ARM).write("arm.srdf", SRDF).write("cell.json", WORLD).write("bar.obj", TETRAHEDRON);
    folder
}

/// The files of a folder, in order.
fn files(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(&folder.0).unwrap();
    let mut names: Vec<_> = entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_robot_is_baked_and_every_skipped_pair_is_told() {
    let folder = folder("bake_robot");
    let found = printed(
        &folder.avert("bake arm.urdf --srdf arm.srdf --world cell.json --margin 0.01 --payloads 2 -o arm.avert"),
    );
    has(
        &found,
        &[
            "robot `arm` from arm.urdf: 5 links, 3 joints with values of their own, 3 objects around it",
            "link triangles hulls points nodes bytes error excess",
            // A prism around the cylinder reaches beyond it.
            "upper 0 1 64 0",
            "4.8e-4",
            "fore 0 1 4 0 112",
            "1 link without geometry, which touch nothing",
            "table 0 1 8 0 148",
            "open meshes: none",
            "pairs of links: 1 checked, 5 skipped; pairs of a link and an object: 9 checked, 3 skipped",
            "foot upper adjacent",
            "foot fore never in contact",
            "foot table do not move against each other, and touch",
            "foot left do not move against each other",
            "upper fore adjacent",
            "upper hand allowed by the user",
            "fore hand adjacent",
            "proved f32, f64, fix32, fix64",
            "storage 7 links (2 for payloads), 21 pairs, 3 objects, 64 indices of scratch",
            "written arm.avert: ",
            "in 6 models",
        ],
    );
    assert!(!found.contains("left do not move against each other, and touch") && !found.contains("disable_collisions"));
    let found = printed(&folder.avert("inspect arm.avert"));
    has(
        &found,
        &[
            "baked robot from arm.avert: 5 links, 3 joints with values of their own, 3 objects, 6 models, 2 places",
            "margins: links and objects 0.01, links 0.01, payloads 0.01 m",
            "hand 2 j3 prismatic fore 0.1 1",
            "tool & \"tip\" – j4 fixed hand",
            "right 1 -3 0 0 148",
            "allowed pairs: 5",
            "upper hand allowed by the user",
        ],
    );
}

/// A CSV file without the times.
fn rows(text: &str) -> Vec<&str> {
    text.lines().map(|line| line.rsplit_once(',').map_or("", |(rest, _)| rest)).collect()
}

#[test]
fn a_baked_robot_is_checked_like_the_files() {
    let folder = folder("bake_check");
    folder.write("p.csv", "id,q0_j1,q0_j2,q0_2,q1_j1,q1_j2,q1_2\na,0,0,0.5,1,0.5,0.9\nb,0,0,0.5,3,1.9,0.9\n");
    let files = "--srdf arm.srdf --world cell.json";
    printed(&folder.avert(&format!("bake arm.urdf {files} --margin 0.01 -o arm.avert")));
    for scalar in ["f32", "f64", "fix32", "fix64"] {
        let check = |what: &str| folder.avert(&format!("check {what} --paths p.csv --scalar {scalar} --margin 0.002"));
        let (plain, baked) = (check(&format!("arm.urdf {files}")), check("arm.avert"));
        assert_eq!(plain.status.code(), Some(1), "{}", text(&plain.stderr));
        assert_eq!(baked.status.code(), Some(1), "{}", text(&baked.stderr));
        assert_eq!(rows(&text(&plain.stdout)), rows(&text(&baked.stdout)));
        assert!(text(&baked.stdout).contains("b,contact,"), "{}", text(&baked.stdout));
        assert!(text(&baked.stderr).contains("baked for a margin of 0.01 m, and --margin is 0.002 m"));
    }
    let argument = |arguments: &str, what: &str| {
        let output = folder.avert(&format!("check {arguments} --paths p.csv"));
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), format!("error: {what}\n")));
    };
    argument("arm.avert --srdf arm.srdf", "expected no --srdf with a baked robot, which has its own");
    argument("arm.urdf", "expected --world FILE with a robot that is not baked, found none");
    // A surface is told.
    folder.write("bar.obj", TETRAHEDRON.replace("f 2 3 4\n", ""));
    printed(&folder.avert(&format!("bake arm.urdf {files} -o arm.avert")));
    let warned = text(&folder.avert("check arm.avert --paths p.csv").stderr);
    assert!(warned.contains("fore has meshes that are not closed"), "{warned}");
}

#[test]
fn without_srdf_what_touches_is_printed_as_srdf() {
    let folder = folder("bake_touch");
    let found = printed(&folder.avert("bake arm.urdf --world cell.json -o arm.avert"));
    has(
        &found,
        &[
            "no SRDF file: 1 pair of links touch at the reference pose",
            r#"<disable_collisions link1="upper" link2="hand" reason="Default"/>"#,
            r#"<disable_collisions link1="foot" link2="upper" reason="Adjacent"/>"#,
            "pairs of links: 3 checked, 3 skipped",
        ],
    );
    // They are an SRDF file with which nothing is left to say.
    let lines: String = found.lines().filter(|line| line.starts_with('<')).collect();
    folder.write("made.srdf", format!("<robot name=\"arm\">{lines}</robot>"));
    let found = printed(&folder.avert("bake arm.urdf --srdf made.srdf -o arm.avert"));
    has(&found, &["pairs of links: 2 checked, 4 skipped", "upper hand in contact by default"]);
    folder.write("arm.urdf", ARM.replace("0 0 -0.2", "0 0 0.9"));
    let found = printed(&folder.avert("bake arm.urdf -o arm.avert"));
    has(&found, &["no SRDF file: no links that are checked touch at the reference pose"]);
}

#[test]
fn open_meshes_are_told() {
    let folder = folder("bake_open");
    folder.write("bar.obj", TETRAHEDRON.replace("f 2 3 4\n", ""));
    let found = printed(&folder.avert("bake arm.urdf --srdf arm.srdf -o arm.avert"));
    has(&found, &["open: see below", "open meshes (surfaces, not solids", "fore bar.obj"]);
}

/// Compiles and runs a program; `None` if there is no such compiler.
fn run(folder: &Folder, compiler: &str, arguments: &[&str]) -> Option<Output> {
    let compiled = Command::new(compiler).current_dir(&folder.0).args(arguments).output().ok()?;
    assert!(compiled.status.success(), "{}", text(&compiled.stderr));
    assert_eq!(text(&compiled.stderr), "");
    Some(Command::new(folder.0.join("program")).current_dir(&folder.0).output().unwrap())
}

const RUST: &str = r#"//! Reads itself.
#![deny(missing_docs)]
/// As a module.
pub mod robot;
/// Included.
pub mod model {
    include!("model.rs");
}
fn main() {
    assert_eq!(robot::ROBOT.as_slice(), include_bytes!("arm.avert"));
    assert_eq!(model::MODEL.as_slice(), include_bytes!("bar.avert"));
    print!("{} {} {}", robot::LINKS, robot::JOINTS, robot::PAIRS);
    print!(" {} {} {}", robot::OBJECTS, robot::SCRATCH, model::SCRATCH);
}
"#;

const C: &str = r#"#include "robot.h"
#include "model.h"
#include <stdio.h>
#include <string.h>

static int same(const char *name, const uint8_t *bytes, size_t count) {
    static uint8_t found[1 << 20];
    FILE *file = fopen(name, "rb");
    return file && fread(found, 1, sizeof found, file) == count && memcmp(found, bytes, count) == 0;
}

int main(void) {
    if (!same("arm.avert", avert_robot, AVERT_ROBOT_BYTES)) return 1;
    if (!same("bar.avert", avert_model, sizeof avert_model)) return 2;
    printf("%d %d %d", AVERT_ROBOT_LINKS, AVERT_ROBOT_JOINTS, AVERT_ROBOT_PAIRS);
    printf(" %d %d %d", AVERT_ROBOT_OBJECTS, AVERT_ROBOT_SCRATCH, AVERT_MODEL_SCRATCH);
    return 0;
}
"#;

#[test]
fn sources_compile_and_hold_the_bytes() {
    let folder = folder("bake_formats");
    folder.write("main.rs", RUST).write("main.c", C);
    for (format, ending) in [("blob", "avert"), ("rust", "rs"), ("c", "h")] {
        let name = if format == "blob" { "arm" } else { "robot" };
        let robot = format!("bake arm.urdf --srdf arm.srdf --world cell.json --format {format} -o {name}.{ending}");
        printed(&folder.avert(&robot));
        let name = if format == "blob" { "bar" } else { "model" };
        printed(&folder.avert(&format!("bake bar.obj --format {format} -o {name}.{ending}")));
    }
    let c = fs::read_to_string(folder.0.join("robot.h")).unwrap();
    assert!(c.starts_with("/* Written by avert bake 0.1.0 from arm.urdf, arm.srdf, cell.json; bake it again"), "{c}");
    let expected = "6 5 15 3 64 4";
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".to_owned());
    match run(&folder, &rustc, &["--edition", "2024", "-D", "warnings", "-o", "program", "main.rs"]) {
        Some(output) => assert_eq!(text(&output.stdout), expected),
        None => avert_host_tests::skip("baked robots as Rust", "no rustc"),
    }
    let strict = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-o", "program", "main.c"];
    match run(&folder, "cc", &strict) {
        Some(output) => assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(0), expected)),
        None => avert_host_tests::skip("baked robots as C", "no C compiler"),
    }
}

#[test]
fn bad_requests_leave_no_trace() {
    let folder = folder("bake_bad");
    folder.write("out.avert", "old");
    let refuse = |arguments: &str, place: &str, words: &[&str]| {
        refused(&folder.avert(&format!("bake {arguments} -o out.avert")), place, words);
        assert_eq!(fs::read(folder.0.join("out.avert")).unwrap(), b"old");
    };
    refuse("none.urdf", "none.urdf", &["cannot read the URDF file"]);
    refuse("arm.urdf --srdf none.srdf", "none.srdf", &["cannot read"]);
    refuse("arm.urdf --world none.json", "none.json", &["cannot read"]);
    refuse(
        "arm.urdf --payloads 60",
        "arm.urdf",
        &["expected a robot that can be baked", "too many links and payloads"],
    );
    folder.write("far.json", r#"{"boxes": [{"name": "far", "size": [1, 1, 1], "xyz": [1e300, 0, 0]}]}"#);
    refuse("arm.urdf --world far.json", "arm.urdf", &["expected a robot that can be proved"]);
    let argument = |arguments: &str, what: &str| {
        let output = folder.avert(&format!("bake {arguments}"));
        assert_eq!((output.status.code(), text(&output.stderr)), (Some(2), format!("error: {what}\n")));
    };
    argument("bar.obj --srdf arm.srdf -o out.avert", "--srdf is for robots (.urdf), and bar.obj is none");
    argument("bar.obj --payloads 1 -o out.avert", "--payloads is for robots (.urdf), and bar.obj is none");
    argument("arm.urdf --world cell.json -o cell.json", "--out would overwrite --world (cell.json)");
    argument("bar.obj -o bar.obj", "--out would overwrite the input (bar.obj)");
    let output = folder.avert("bake arm.urdf -o none/arm.avert");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("error: none/arm.avert: cannot write: "), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
    let expected = ["arm.srdf", "arm.urdf", "bar.obj", "cell.json", "far.json", "out.avert"];
    assert_eq!(files(&folder), expected);
    printed(&folder.avert("bake arm.urdf -o out.avert"));
    assert_eq!(files(&folder), expected);
}

#[test]
fn damaged_robots_are_refused() {
    let folder = folder("bake_damage");
    printed(&folder.avert("bake arm.urdf -o arm.avert"));
    let whole = fs::read(folder.0.join("arm.avert")).unwrap();
    let refuse = |bytes: &[u8], words: &[&str]| {
        folder.write("bad.avert", bytes);
        refused(&folder.avert("inspect bad.avert"), "bad.avert", words);
    };
    refuse(&whole[..200], &["expected a baked robot: the robot should be", "200 are there"]);
    refuse(&[&whole[..], &[0]].concat(), &["expected a baked robot: the robot should be"]);
    let mut flipped = whole.clone();
    flipped[300] ^= 4;
    refuse(&flipped, &["expected a baked robot: the checksum is", "bytes are damaged"]);
    let mut newer = whole.clone();
    newer[4] = 2;
    refuse(&newer, &["the robot is of version 2, and version 1 is read here: bake it again"]);
    printed(&folder.avert("bake bar.obj -o model.avert"));
    refused(&folder.avert("inspect model.avert"), "model.avert", &["these bytes are no baked robot"]);
    refused(
        &folder.avert("inspect arm.avert --world cell.json"),
        "arm.avert",
        &["expected no --world with a baked robot"],
    );
    refused(&folder.avert("inspect none.avert"), "none.avert", &["cannot read the robot"]);
}

#[test]
fn the_shared_panda_is_baked() {
    let Some(shared) = shared("baking the shared panda") else { return };
    let folder = Folder::new("bake_panda");
    let task = format!("{shared}/models/panda_task");
    let found = printed(&folder.avert(&format!(
        "bake {task}/panda.urdf --srdf {task}/panda.srdf --world {task}/world/shelf.json -o panda.avert"
    )));
    has(&found, &["13 links, 7 joints with values of their own, 49 objects", "open meshes: none"]);
    has(&found, &["proved f32, f64, fix32, fix64", "panda_link7 panda_hand one body"]);
    assert!(fs::metadata(Path::new(&folder.0).join("panda.avert")).unwrap().len() < 100_000);
    // Upright, the panda's hand is at its fore arm.
    let found = printed(&folder.avert(&format!("bake {task}/panda.urdf -o panda.avert")));
    has(&found, &[r#"<disable_collisions link1="panda_link5" link2="panda_link7" reason="Default"/>"#]);
}
