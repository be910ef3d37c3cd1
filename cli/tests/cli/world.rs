//! Worlds.

use super::{Folder, has, printed, refused, shared};

/// A folder with the least robot.
fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder
        .write("r.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>")
        .write("c.obj", "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n");
    folder
}

#[test]
fn all_kinds_of_objects_are_read() {
    let folder = folder("world_kinds");
    folder.write(
        "sub/w.json",
        r#"{
  "name": "cell", "frame": "base", "units": "m, rad",
  "boxes": [{"name": "table", "size": [1, 2, 0.5], "xyz": [0, 0, -1], "rpy": [0, 0, 1.5]}],
  "spheres": [{"name": "ball", "radius": 0.25, "xyz": [1, 1, 1]}],
  "capsules": [{"name": "pill", "radius": 0.1, "length": 0}],
  "cylinders": [{"name": "post", "radius": 0.1, "length": 2e0}],
  "meshes": [
    {"name": "part", "file": "../c.obj", "scale": [-1, 0.5, 1]},
    {"name": "same part", "file": "../c.obj", "xyz": [9, 9, 9]}
  ],
  "points": [
    {"name": "one", "xyz": [1, 2, 3], "radius": 0},
    {"name": "cloud", "xyz": [[1, 2, 3], [4, 5, 6]], "radius": 0.01}
  ]
}"#,
    );
    let all = [
        "8 objects (m, rad, in the root's frame)",
        "table box 0 0 -1 0 0 1.5 1 2 0.5 3",
        "ball sphere 1 1 1 0 0 0 radius 0.25 4",
        "pill capsule 0 0 0 0 0 0 radius 0.1, length 0 5",
        "post cylinder 0 0 0 0 0 0 radius 0.1, length 2 6",
        "part mesh c.obj × -1 0.5 1 1 0 0 0 0 0 0 1 1 0 (from -1 0 0 to 0 1 0) 8",
        "same part mesh c.obj 1 9 9 9 0 0 0 1 2 0 (from 0 0 0 to 1 2 0) 9",
        "one 1 point 0 0 0 0 0 0 radius 0 12",
        "cloud 2 points 0 0 0 0 0 0 radius 0.01 13",
    ];
    let found = printed(&folder.avert("inspect r.urdf --world sub/w.json"));
    has(&found, &all);
}

#[test]
fn a_mesh_is_a_world() {
    let folder = folder("world_mesh");
    has(&printed(&folder.avert("inspect r.urdf --world c.obj")), &["1 object", "c mesh c.obj 1 0 0 0 0 0 0 1 2 0"]);
    refused(&folder.avert("inspect r.urdf --world none.stl"), "none.stl", &["expected a mesh file, found none"]);
}

#[test]
fn bad_worlds_are_refused_with_line_and_path() {
    let folder = folder("world_bad");
    let check = |world: &str, place: &str, words: &[&str]| {
        folder.write("w.json", world);
        refused(&folder.avert("inspect r.urdf --world w.json"), place, words);
    };
    // The object stands on line 2, after another.
    let second = |kind: &str, good: &str, bad: &str, words: &[&str]| {
        let name = r#""name": "n""#;
        check(&format!("{{\"{kind}\": [{{\"name\": \"m\", {good}}},\n{{{name}, {bad}}}]}}"), "w.json:2", words);
    };
    let sized = r#""size": [1, 1, 1]"#;
    second("boxes", sized, r#""size": [1, -1, 1]"#, &["boxes[1].size: expected three positive lengths, found -1"]);
    second("boxes", sized, r#""size": [1, 0, 1]"#, &["boxes[1].size: expected three positive lengths, found 0"]);
    second("boxes", sized, r#""size": [1, 1]"#, &["boxes[1].size: expected three numbers, found a list of 2"]);
    second("boxes", sized, r#""size": 1"#, &["boxes[1].size: expected three numbers, found `1`"]);
    second(
        "boxes",
        sized,
        r#""size": [1, "1", 1]"#,
        &["boxes[1].size[1]: expected a finite number, found the text \"1\""],
    );
    second("boxes", sized, r#""size": [1, NaN, 1]"#, &["boxes[1].size[1]: expected a finite number, found `NaN`"]);
    second("boxes", sized, r#""size": [1, 1e999, 1]"#, &["boxes[1].size[1]: expected a finite number, found `1e999`"]);
    second(
        "boxes",
        sized,
        r#""sizes": [1, 1, 1]"#,
        &["boxes[1].sizes: expected one of name, xyz, rpy, size, found `sizes`"],
    );
    second("boxes", sized, r#""xyz": [0, 0, 0]"#, &["boxes[1]: expected the key `size`, found none"]);
    second("boxes", sized, &format!("{sized}, \"xyz\": [0, 0]"), &["boxes[1].xyz: expected three numbers"]);
    second("boxes", sized, &format!("{sized}, \"rpy\": [0, 0, true]"), &["boxes[1].rpy[2]: expected a finite number"]);
    second("boxes", sized, &format!("{sized}, {sized}"), &["expected every key once, found `size` again"]);
    second(
        "spheres",
        r#""radius": 1"#,
        r#""radius": -1"#,
        &["spheres[1].radius: expected a length that is not negative"],
    );
    second("spheres", r#""radius": 1"#, r#""radius": 0"#, &["spheres[1].radius: expected a positive length, found 0"]);
    let long = r#""radius": 1, "length": 1"#;
    second("capsules", long, r#""radius": 1, "length": -1"#, &["capsules[1].length: expected a length that is not"]);
    second("cylinders", long, r#""radius": 1, "length": 0"#, &["cylinders[1].length: expected a positive length"]);
    let mesh = r#""file": "c.obj""#;
    second("meshes", mesh, r#""file": "d.obj""#, &["meshes[1].file: expected a mesh file, found nothing at d.obj"]);
    second("meshes", mesh, r#""file": ["c.obj"]"#, &["meshes[1].file: expected text, found a list of 1"]);
    second(
        "meshes",
        mesh,
        &format!("{mesh}, \"scale\": [1, 0, 1]"),
        &["meshes[1].scale: expected a scale without zeros"],
    );
    let point = r#""xyz": [1, 2, 3], "radius": 1"#;
    second("points", point, r#""xyz": [1, 2, 3]"#, &["points[1]: expected the key `radius`, found none"]);
    second("points", point, r#""xyz": [], "radius": 1"#, &["points[1].xyz: expected three numbers, found a list of 0"]);
    second(
        "points",
        point,
        r#""xyz": [[1, 2, 3], [1, 2]], "radius": 1"#,
        &["points[1].xyz[1]: expected three numbers"],
    );
    second(
        "points",
        point,
        &format!("{point}, \"rpy\": [0, 0, 0]"),
        &["points[1].rpy: expected one of name, xyz, radius"],
    );
    let twice = r#"{"boxes": [{"name": "n", "size": [1, 1, 1]}],
"spheres": [{"name": "n", "radius": 1}]}"#;
    check(twice, "w.json:2", &["spheres[0].name: expected a name of its own, found `n` again"]);
    check(r#"{"spheres": [{"radius": 1}]}"#, "w.json:1", &["spheres[0]: expected the key `name`, found none"]);
    check(r#"{"box": []}"#, "w.json:1", &["box: expected one of name, frame, units, boxes,", "found `box`"]);
    check(r#"{"boxes": {}}"#, "w.json:1", &["boxes: expected a list, found a table"]);
    check(r#"{"boxes": [1]}"#, "w.json:1", &["boxes[0]: expected a table, found `1`"]);
    check(r#"{"name": []}"#, "w.json:1", &["name: expected text, found a list of 0"]);
    check("{\"boxes\": [\n{]}", "w.json:2", &["expected JSON or YAML, found a fault"]);
    check("", "w.json", &["expected one world, found 0"]);
    refused(&folder.avert("inspect r.urdf --world none.json"), "none.json", &["cannot read the world"]);
}

#[test]
fn the_documented_example_is_read() {
    let folder = folder("world_example");
    let page = include_str!("../../../docs/world.md");
    let example = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    folder.write("w.json", example).write("parts/bracket.stl", "solid a\nendsolid a\n");
    folder.write("parts/bracket.stl", "solid a\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid a\n");
    has(&printed(&folder.avert("inspect r.urdf --world w.json")), &["7 objects"]);
}

#[test]
fn the_shared_worlds_are_read() {
    let Some(shared) = shared("the shared worlds") else { return };
    let folder = folder("world_shared");
    for (name, count) in [("shelf", 49), ("thin", 29)] {
        let world = format!("{shared}/models/panda_task/world/{name}.json");
        has(
            &printed(&folder.avert(&format!("inspect r.urdf --world {world}"))),
            &[&format!("{count} objects"), "table box 0.62 0 -0.08"],
        );
    }
}
