//! `avert ccd`: meshes and motions in, verdicts out.

use super::{Folder, refused, text};
use std::fs;
use std::process::{Command, Output};

const HEADER: &str = "id,q0w,q0x,q0y,q0z,p0x,p0y,p0z,q1w,q1x,q1y,q1z,p1x,p1y,p1z";
/// Past the cube at a distance of half a metre, and into it: the faces meet at t = 0.4.
const PASS_AND_HIT: &str = "pass,1,0,0,0,-5,1.5,0,1,0,0,0,5,1.5,0\nhit,1,0,0,0,-5,0.5,0,1,0,0,0,5,0.5,0\n";

/// The unit cube, its corners, and its sides as squares.
const CORNERS: [[f32; 3]; 8] = [
    [0.0, 0.0, 0.0],
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [1.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [1.0, 0.0, 1.0],
    [0.0, 1.0, 1.0],
    [1.0, 1.0, 1.0],
];
const SIDES: [[usize; 4]; 6] = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];

impl Folder {
    /// `avert ccd` with the arguments, from within the folder.
    fn ccd(&self, arguments: &str) -> Output {
        self.avert(&format!("ccd {arguments}"))
    }

    /// With a cube, and motions of which one passes and one hits.
    fn with_cube(test: &str) -> Self {
        let folder = Self::new(test);
        folder.write("cube.obj", cube_obj()).write("m.csv", format!("{HEADER}\n{PASS_AND_HIT}"));
        folder
    }
}

/// The rows of a CSV text that has this command's columns.
fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("id,verdict,free_until,touch,distance,tri_a,tri_b,work,micros"));
    let rows: Vec<Vec<_>> = lines.map(|line| line.split(',').map(str::to_owned).collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 9), "{csv}");
    rows
}

fn ok(output: &Output) -> Vec<Vec<String>> {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    rows(&text(&output.stdout))
}

fn pass_is_free_and_hit_is_contact(rows: &[Vec<String>], what: &str) {
    let [pass, hit] = rows else { panic!("{what}: {rows:?}") };
    assert_eq!(pass[..7], ["pass", "free", "1", "", "", "", ""], "{what}");
    assert_eq!(hit[..2], ["hit", "contact"], "{what}");
    let number = |i: usize| hit[i].parse::<f64>().unwrap_or_else(|_| panic!("{what}: {hit:?}"));
    let (free_until, touch, distance) = (number(2), number(3), number(4));
    // Ten metres in a unit of time: a tolerance of a millimetre is a time of 0.0001.
    // In 32 bits of fixed point a distance between the two, which is neither apart nor near for sure, ends the search.
    let late = if what.contains("fix32") { 0.001 } else { 0.0 };
    assert!(0.3998 < free_until && free_until <= touch && touch <= 0.4 + late, "{what}: {hit:?}");
    assert!((0.0..=0.001).contains(&distance), "{what}: {hit:?}");
    let [tri_a, tri_b] = [5, 6].map(|i| hit[i].parse::<usize>().unwrap());
    // The leading side of A meets the trailing one of B, and so do the triangles on their edges.
    let reaches = |triangle: usize, x: f32| cube_triangles()[triangle].iter().any(|corner| corner[0] == x);
    assert!(reaches(tri_a, 1.0) && reaches(tri_b, 0.0), "{what}: {hit:?}");
    assert!(hit[7].parse::<u64>().unwrap() > 0 && number(8) >= 0.0, "{what}: {hit:?}");
}

fn cube_obj() -> String {
    let mut obj = "# a cube of squares, in two groups\nmtllib none.mtl\no cube\n".to_owned();
    CORNERS.iter().for_each(|[x, y, z]| obj += &format!("v {x} {y} {z}\n"));
    obj += "vn 0 0 1\ng first\n";
    for (i, side) in SIDES.iter().enumerate() {
        let corners: Vec<_> = side.iter().map(|c| format!("{}//1", c + 1)).collect();
        obj += &format!("{}f {}\n", if i == 3 { "g second\nusemtl red\n" } else { "" }, corners.join(" "));
    }
    obj
}

fn cube_triangles() -> Vec<[[f32; 3]; 3]> {
    SIDES.iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).map(|t| t.map(|c| CORNERS[*c])).collect()
}

/// Two solids, and no useful normals.
fn cube_ascii_stl() -> String {
    let facet = |t: &[[f32; 3]; 3]| {
        let corners: String = t.iter().map(|[x, y, z]| format!("   vertex {x} {y} {z}\n")).collect();
        format!(" facet normal nan nan nan\n  outer loop\n{corners}  endloop\n endfacet\n")
    };
    let triangles = cube_triangles();
    let (first, second) = triangles.split_at(5);
    let solid = |t: &[_]| t.iter().map(facet).collect::<String>();
    format!("solid one\n{}endsolid one\nsolid two\n{}endsolid two\n", solid(first), solid(second))
}

fn cube_binary_stl(header: &str) -> Vec<u8> {
    let mut stl = header.as_bytes().to_vec();
    stl.resize(80, b' ');
    stl.extend(12_u32.to_le_bytes());
    for triangle in cube_triangles() {
        stl.extend([0; 12]);
        stl.extend(triangle.iter().flatten().flat_map(|x| x.to_le_bytes()));
        stl.extend([0; 2]);
    }
    stl
}

fn ply_header(format: &str, number: &str, indices: &str) -> String {
    format!(
        "ply\nformat {format} 1.0\ncomment cube\nelement vertex 8\nproperty {number} x\nproperty {number} y\n\
         property {number} z\nproperty uchar red\nelement face 6\nproperty list uchar int {indices}\nend_header\n"
    )
}

fn cube_ascii_ply(number: &str) -> String {
    let mut ply = ply_header("ascii", number, "vertex_index");
    CORNERS.iter().for_each(|[x, y, z]| ply += &format!("{x} {y} {z} 255\n"));
    SIDES.iter().for_each(|[a, b, c, d]| ply += &format!("4 {a} {b} {c} {d}\n"));
    ply
}

fn cube_binary_ply() -> Vec<u8> {
    let mut ply = ply_header("binary_little_endian", "double", "vertex_indices").into_bytes();
    for corner in CORNERS {
        ply.extend(corner.iter().flat_map(|x| f64::from(*x).to_le_bytes()));
        ply.push(255);
    }
    for side in SIDES {
        ply.push(4);
        ply.extend(side.iter().flat_map(|c| (*c as i32).to_le_bytes()));
    }
    ply
}

#[test]
fn every_mesh_kind_gives_the_same_verdicts_in_all_scalars() {
    let folder = Folder::with_cube("kinds");
    folder
        .write("ascii.stl", cube_ascii_stl())
        .write("binary.stl", cube_binary_stl("made by hand"))
        .write("solid.STL", cube_binary_stl("solid cube\n"))
        .write("ascii.ply", cube_ascii_ply("float"))
        .write("double.ply", cube_ascii_ply("double"))
        .write("binary.ply", cube_binary_ply());
    for scalar in ["f32", "f64", "fix32", "fix64"] {
        for mesh in ["cube.obj", "ascii.stl", "binary.stl", "solid.STL", "ascii.ply", "double.ply", "binary.ply"] {
            let found = ok(&folder.ccd(&format!("--a {mesh} --b cube.obj --motions m.csv --scalar {scalar}")));
            pass_is_free_and_hit_is_contact(&found, &format!("{mesh} {scalar}"));
        }
    }
}

#[test]
fn the_same_file_is_built_once_and_works() {
    let folder = Folder::with_cube("same");
    let output = folder.ccd("--a cube.obj --b ../same/cube.obj --motions m.csv --strategy chord");
    pass_is_free_and_hit_is_contact(&ok(&output), "same");
    assert!(text(&output.stderr).contains("the same"));
}

#[test]
fn every_strategy_finds_the_same() {
    let folder = Folder::with_cube("strategies");
    for strategy in ["chord", "ca", "c2a", "hca"] {
        let output = folder.ccd(&format!("--a cube.obj --b cube.obj --motions m.csv --strategy {strategy}"));
        pass_is_free_and_hit_is_contact(&ok(&output), strategy);
        let summary = text(&output.stderr);
        for part in [format!("strategy {strategy},"), "iterations".to_owned(), "front each".to_owned()] {
            assert!(summary.contains(&part), "{summary} lacks {part}");
        }
    }
}

#[test]
fn out_takes_the_rows_and_leaves_the_summary_on_stdout() {
    let folder = Folder::with_cube("out");
    let output = folder.ccd("--a cube.obj --b cube.obj --motions m.csv --repeat 3 --out r.csv");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    pass_is_free_and_hit_is_contact(&rows(&fs::read_to_string(folder.0.join("r.csv")).unwrap()), "out");
    let summary = text(&output.stdout);
    for part in ["cube.obj (convex)", "2 motions", "f32", "tolerance 0.001 m", "median µs", "mean work", "node pairs"]
    {
        assert!(summary.contains(part), "{summary} lacks {part}");
    }
    let count = |verdict: &str| {
        let line = summary.lines().find(|line| line.split_whitespace().next() == Some(verdict)).unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!([count("free"), count("contact"), count("undecided")], ["1", "1", "0"]);
    assert!(output.stderr.is_empty());
}

#[test]
fn a_margin_makes_contact_of_a_pass() {
    let folder = Folder::with_cube("margin");
    let verdict = |margin: &str| {
        let found = ok(&folder.ccd(&format!("--a cube.obj --b cube.obj --motions m.csv --margin {margin}")));
        (found[0][1].clone(), found[0][4].parse::<f64>().ok())
    };
    assert_eq!(verdict("0.49"), ("free".into(), None));
    let (name, distance) = verdict("0.5");
    assert_eq!(name, "contact");
    assert!((0.5..=0.501).contains(&distance.unwrap()));
}

#[test]
fn a_rotation_is_about_the_mesh_origin() {
    // A quarter turn about the origin swings the cube [0, 1]³ at x = 1.2 over the standing one: its corner (0, 1) goes
    // to (−1, 0). Turned about its own middle it would not touch.
    let half = 0.5_f64.sqrt();
    let folder = Folder::with_cube("turn");
    folder.write("m.csv", format!("{HEADER}\nturn,1,0,0,0,1.2,0,0,{half},0,0,{half},1.2,0,0\n"));
    for scalar in ["f32", "f64", "fix32", "fix64"] {
        let found = ok(&folder.ccd(&format!("--a cube.obj --b cube.obj --motions m.csv --scalar {scalar}")));
        // The corner (0, 1) is at x = 1.2 − sin φ, so it touches x = 1 when sin φ = 0.2.
        let expected = 0.2_f64.asin() / std::f64::consts::FRAC_PI_2;
        assert_eq!(found[0][1], "contact");
        let free_until = found[0][2].parse::<f64>().unwrap();
        assert!(free_until <= expected && free_until > expected - 0.002, "{found:?}");
    }
}

#[test]
fn a_screw_is_about_its_axis() {
    // About the line through (0, −3) along z, and up by 0.9. When the cube has turned by 60 of 90 degrees, its leading side
    // is in the plane x = 0, in which the axis is, too, and so is a side of the standing cube.
    let pose = |degrees: f64, z: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let (half_sin, half_cos) = (degrees.to_radians() / 2.0).sin_cos();
        // The origin is at (−1, 3) from the axis when the leading side arrives.
        format!("{half_cos},0,0,{half_sin},{},{},{z}", -cos - 3.0 * sin, -3.0 - sin + 3.0 * cos)
    };
    let folder = Folder::with_cube("screw");
    folder.write("m.csv", format!("{HEADER}\nscrew,{},{}\n", pose(60.0, -0.5), pose(-30.0, 0.4)));
    for scalar in ["f32", "f64"] {
        let free_until = |way: &str| {
            let output = folder.ccd(&format!("--a cube.obj --b cube.obj --motions m.csv {way} --scalar {scalar}"));
            let found = ok(&output);
            assert_eq!(found[0][1], "contact");
            (found[0][2].parse::<f64>().unwrap(), text(&output.stderr))
        };
        let (screw, summary) = free_until("--motion screw");
        assert!(screw <= 2.0 / 3.0 && screw > 2.0 / 3.0 - 0.001, "{screw}");
        assert!(summary.contains("1 motions (screw)"), "{summary}");
        let (straight, summary) = free_until("--motion straight");
        assert!((straight - screw).abs() > 0.01 && free_until("").0 == straight, "{straight} {screw}");
        assert!(summary.contains("1 motions (straight)"), "{summary}");
    }
}

#[test]
fn triangles_are_counted_from_0_in_file_order() {
    // A far triangle, a far square (two triangles), then a spike whose tip is in the inside of the last triangle but
    // two of the cube.
    let spike = "v -1 0 0\nv -1 1 0\nv -1 1 1\nv -1 0 1\nv 1 0.1 0.3\ng a\nf 1 2 3\ng b\nf 1 2 3 4\nf 1 4 5\n";
    let folder = Folder::with_cube("order");
    folder.write("spike.obj", spike);
    // A triangle apart, so that the whole is not convex.
    let cube = fs::read_to_string(folder.0.join("cube.obj")).unwrap();
    folder.write("cube.obj", format!("{cube}\nv 90 0 0\nv 91 0 0\nv 90 1 0\nf -3 -2 -1\n"));
    for scalar in ["f32", "f64", "fix32", "fix64"] {
        let found = ok(&folder.ccd(&format!("--a spike.obj --b cube.obj --motions m.csv --scalar {scalar}")));
        assert_eq!([&found[1][1], &found[1][5], &found[1][6]], ["contact", "3", "9"]);
    }
}

#[test]
fn degenerate_triangles_are_kept() {
    let folder = Folder::with_cube("degenerate");
    folder.write("needle.obj", "v 0 0.5 0.5\nv 0.5 0.5 0.5\nf 1 2 2\nf 1 1 1\nf 1\n");
    let found = ok(&folder.ccd("--a needle.obj --b cube.obj --motions m.csv"));
    assert_eq!([&found[0][1], &found[1][1]], ["free", "contact"]);
    assert_eq!(found[1][5], "0");
}

#[test]
fn ids_are_text_and_empty_lines_and_crlf_are_welcome() {
    let folder = Folder::with_cube("ids");
    folder.write(
        "m.csv",
        format!("{HEADER}\n{PASS_AND_HIT}").replace("pass", "\"a \"\"b\"\"\"").replace('\n', "\r\n\r\n"),
    );
    let found = ok(&folder.ccd("--a cube.obj --b cube.obj --motions m.csv"));
    assert_eq!([&found[0][0], &found[1][0]], ["\"a \"\"b\"\"\"", "hit"]);
}

#[test]
fn bad_motions_are_refused_with_line_and_column() {
    let folder = Folder::with_cube("bad_motions");
    let good = "0,1,0,0,0,-5,0,0,1,0,0,0,5,0,0";
    let check = |content: String, place: &str, words: &[&str]| {
        folder.write("bad.csv", content);
        refused(&folder.ccd("--a cube.obj --b cube.obj --motions bad.csv --out never.csv"), place, words);
        assert!(!folder.0.join("never.csv").exists());
    };
    let after_good = |row: &str, words: &[&str]| check(format!("{HEADER}\n{good}\n{row}\n"), "bad.csv:3", words);
    after_good("1,1,0,0,0,-5,0,0,1,0,0,0,5,0", &["15 fields", "14"]);
    after_good("1,1,0,0,0,-5,0,0,1,0,0,0,5,0,0,9", &["15 fields", "16"]);
    after_good("1,1,0,0,0,-5,abc,0,1,0,0,0,5,0,0", &["column 7 (p0y)", "number", "`abc`"]);
    after_good("1,1,0,0,0,-5,,0,1,0,0,0,5,0,0", &["column 7 (p0y)", "number"]);
    after_good("1,1,0,0,0,-5,NaN,0,1,0,0,0,5,0,0", &["column 7 (p0y)", "finite", "NaN"]);
    after_good("1,1,0,0,0,-5,0,0,1,0,0,0,5,0,inf", &["column 15 (p1z)", "finite", "inf"]);
    after_good("1,1,0,0,0,-5,0,0,1,0.5,0,0,5,0,0", &["q1w", "length 1", "1.118"]);
    after_good("1,0,0,0,0,-5,0,0,1,0,0,0,5,0,0", &["q0w", "length 1"]);
    after_good("1,1,0,0,0,-5,0,0,0,1,0,0,5,0,0", &["half a turn"]);
    after_good("1,1,0,0,0,-5,0,0,1,0,0,0,5,1e12,0", &["column 14 (p1y)", "within"]);
    // Empty lines count.
    check(format!("\r\n{HEADER}\r\n\r\n{good}\r\n\r\nx,1\r\n"), "bad.csv:6", &["15 fields"]);
    check(HEADER.replace("p0z", "z0") + "\n" + good, "bad.csv:1", &["column 8", "`p0z`", "`z0`"]);
    check(format!("{HEADER},extra\n{good}"), "bad.csv:1", &["15 columns", "16"]);
    check(good.to_owned(), "bad.csv:1", &["header", "`id`"]);
    check(String::new(), "bad.csv:1", &["header"]);
    check(format!("{HEADER}\n"), "bad.csv", &["at least one motion"]);
    refused(&folder.ccd("--a cube.obj --b cube.obj --motions none.csv"), "none.csv", &["cannot read"]);
}

#[test]
fn what_is_too_large_for_f32_is_welcome_in_f64() {
    let folder = Folder::with_cube("large");
    folder.write("m.csv", format!("{HEADER}\nfar,1,0,0,0,-5,0,1e12,1,0,0,0,5,0,1e12\n"));
    refused(&folder.ccd("--a cube.obj --b cube.obj --motions m.csv"), "m.csv:2", &["p0z"]);
    let found = ok(&folder.ccd("--a cube.obj --b cube.obj --motions m.csv --scalar f64"));
    assert_eq!(found[0][1], "free");
}

#[test]
fn bad_meshes_are_refused_with_the_line() {
    let folder = Folder::with_cube("bad_meshes");
    let check = |name: &str, content: &[u8], line: &str, words: &[&str]| {
        folder.write(name, content);
        refused(&folder.ccd(&format!("--a cube.obj --b {name} --motions m.csv")), &format!("{name}{line}"), words);
    };
    let obj = |content: &str, line: &str, words: &[&str]| check("bad.obj", content.as_bytes(), line, words);
    obj("v 0 0 0\nv 1 0 x\nf 1 2 2\n", ":2", &["v x y z", "`v 1 0 x`"]);
    obj("v 0 0 0\nv 1 0\nf 1 2 2\n", ":2", &["three numbers"]);
    obj("v 0 0 0\n\nf 1 a 1\n", ":3", &["face", "`f 1 a 1`"]);
    obj("v 0 0 0\nf 1 1 1\nf 1 1 2\n", ":3", &["from 1 to 1", "found 2"]);
    obj("v 0 0 0\nf 0 1 1\n", ":2", &["from 1 to 1", "found 0"]);
    obj("f -1 -1 -1\nv 0 0 0\n", ":1", &["found -1"]);
    obj("v 0 0 0\nf 1 1 1\nf\n", ":3", &["without vertices"]);
    obj("v 0 0 0\nv 1 0 nan\nf 1 2 2\n", ":2", &["within", "NaN"]);
    obj("v 0 0 0\nv 1 1e30 0\nf 1 2 2\n", ":2", &["within"]);
    obj("v 0 0 0 2\nf 1 1 1\n", ":1", &["weight of 1", "`2`"]);
    obj("v 0 0 0\nf 1 1 1\nl 1 1\n", ":3", &["`l`", "missing"]);
    obj("v 0 0 0\n", "", &["at least one triangle"]);
    obj("", "", &["at least one triangle"]);

    let ascii = cube_ascii_stl();
    let stl = |content: &str, line: &str, words: &[&str]| check("bad.stl", content.as_bytes(), line, words);
    stl(&ascii.replacen("vertex 0 0 0", "vertex 0 zero 0", 1), ":4", &["vertex x y z", "zero"]);
    stl(&ascii.replacen("vertex 0 0 0", "vertex 0 0", 1), ":4", &["vertex x y z"]);
    stl(&ascii.replacen("vertex 0 0 0", "vertex 0 1e20 0", 1), ":4", &["within"]);
    stl(&ascii.replacen("  endloop\n", "", 1), ":7", &["endloop"]);
    stl(ascii.split("endsolid").next().unwrap(), ":36", &["endsolid"]);
    stl("solid nothing\nendsolid nothing\n", "", &["at least one triangle"]);
    stl("what is this", "", &["solid", "84 bytes"]);
    let binary = cube_binary_stl("cube");
    check("cut.stl", &binary[..binary.len() - 1], "", &["684 bytes", "683"]);
    let mut infinite = binary;
    infinite[84 + 12..84 + 16].copy_from_slice(&f32::INFINITY.to_le_bytes());
    check("inf.stl", &infinite, "", &["within", "inf"]);

    let ascii = cube_ascii_ply("float");
    let ply = |content: &str, line: &str, words: &[&str]| check("bad.ply", content.as_bytes(), line, words);
    ply(&ascii.replacen("0 0 0 255", "0 oh 0 255", 1), ":12", &["`0 oh 0 255`"]);
    ply(&ascii.replacen("1 0 0 255", "1 0", 1), ":13", &["`1 0`"]);
    ply(&ascii.replacen("1 0 0 255", "1 0 1e20 255", 1), ":13", &["within"]);
    ply(&ascii.replacen("4 0 2 3 1", "4 0 2 3 8", 1), ":20", &["face 0", "from 0 to 7"]);
    ply(&ascii.replacen("4 0 2 3 1", "4 0 2 3 -1", 1), ":20", &["face 0"]);
    ply(&ascii.replace("element face 6", "element face 7"), ":26", &["end of file"]);
    ply(&ascii.replace("element face 6", "element face 5"), ":25", &["the end of the file"]);
    ply(&ascii.replace("element face 6", "element face six"), ":9", &["face six"]);
    ply(&ascii.replace("float z", "float w"), "", &["x, y and z"]);
    ply(&ascii.replace("vertex_index", "corners"), "", &["vertex_indices"]);
    ply(&ascii.replace("element face", "element tristrips"), "", &["face"]);
    ply("plyy\n", ":1", &["magic number 'ply'", "`plyy`"]);
    let binary = cube_binary_ply();
    check("cut.ply", &binary[..binary.len() - 3], "", &["face", "6", "5"]);

    check("mesh.step", b"", "", &[".obj", ".stl", ".ply"]);
    refused(&folder.ccd("--a none.obj --b cube.obj --motions m.csv"), "none.obj", &["cannot read"]);
}

#[test]
fn bad_arguments_are_refused() {
    let folder = Folder::with_cube("bad_arguments");
    let with = |more: &str| folder.ccd(&format!("--a cube.obj --b cube.obj --motions m.csv {more}"));
    for (more, word) in [
        ("--margin=-1", "not negative"),
        ("--tolerance nan", "finite"),
        ("--repeat 0", "--repeat"),
        ("--scalar f16", "f32"),
        ("--strategy guess", "chord"),
        ("--motion fall", "screw"),
        ("--margin 1e30", "--margin"),
        ("--out cube.obj", "overwrite --a"),
    ] {
        let output = with(more);
        assert_eq!(output.status.code(), Some(2), "{more}");
        assert!(text(&output.stderr).contains(word), "{more}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    assert_eq!(fs::read_to_string(folder.0.join("cube.obj")).unwrap(), cube_obj());
    let unwritable = with("--out missing/r.csv");
    assert_eq!(unwritable.status.code(), Some(1));
    assert!(text(&unwritable.stderr).contains("r.csv"));
}

#[test]
fn a_length_out_of_range_is_refused_with_option_value_and_range() {
    let folder = Folder::with_cube("lengths");
    let with = |more: &str| folder.ccd(&format!("--a cube.obj --b cube.obj --motions m.csv {more}"));
    let f32_range = "at least 0 and less than 1.073741824e9 metres for f32";
    for option in ["--margin", "--tolerance"] {
        refused(&with(&format!("{option} 1e12")), option, &[f32_range, "found 1e12", "try --scalar f64"]);
        assert_eq!(ok(&with(&format!("{option} 1e12 --scalar f64")))[1][1], "contact");
        // Neither scalar takes this, so the other one is not advised.
        for (scalar, range) in [("f32", "1.073741824e9"), ("f64", "1e90")] {
            let output = with(&format!("{option} 1e100 --scalar {scalar}"));
            refused(&output, option, &[&format!("less than {range} metres for {scalar}, found 1e100\n")]);
        }
    }
    // The margin is rounded up, so the end of the range is out of it.
    refused(&with("--margin 1e90 --scalar f64"), "--margin", &["less than 1e90", "found 1e90\n"]);
}

#[test]
fn distances_are_printed_exactly() {
    let folder = Folder::with_cube("distances");
    for scalar in ["f32", "f64", "fix32", "fix64"] {
        for margin in ["0", "0.1", "0.3"] {
            let arguments = format!("--a cube.obj --b cube.obj --motions m.csv --margin {margin} --scalar {scalar}");
            let distance = &ok(&folder.ccd(&arguments))[1][4];
            let all_decimals = format!("{:.1074}", distance.parse::<f64>().unwrap());
            assert_eq!(*distance, all_decimals.trim_end_matches('0').trim_end_matches('.'), "{arguments}");
        }
    }
}

#[test]
fn help_and_version_work() {
    let folder = Folder::new("help");
    let help = folder.ccd("--help");
    assert_eq!(help.status.code(), Some(0));
    for part in [HEADER, "EXAMPLE", "metres", "--motion", "fixed in space", "from 0 in file order", "least"] {
        assert!(text(&help.stdout).contains(part), "{part}");
    }
    let version = Command::new(env!("CARGO_BIN_EXE_avert")).arg("--version").output().unwrap();
    assert_eq!(text(&version.stdout), format!("avert {}\n", env!("CARGO_PKG_VERSION")));
}
