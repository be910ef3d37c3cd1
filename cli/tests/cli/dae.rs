//! COLLADA meshes.

use super::{Folder, has, printed, refused};

const FACES: &str = r##"<triangles count="1">
<input semantic="VERTEX" source="#v" offset="1"/><input semantic="NORMAL" source="#n" offset="0"/>
<p>7 0 7 1 7 2</p></triangles>"##;

/// A file with one geometry; line 1 ends in front of the asset, the points stand on line 3 and the faces from line 6.
fn dae(asset: &str, points: &str, faces: &str, nodes: &str) -> String {
    let count = points.split_whitespace().count() / 3;
    format!(
        r##"<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset>{asset}</asset><library_geometries><geometry id="g"><mesh><source id="s">
<float_array id="a" count="9">{points}</float_array><technique_common>
<accessor source="#a" count="{count}" stride="3"><param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor>
</technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
{faces}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="scene">
{nodes}
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>"##
    )
}

const UP: &str = "<up_axis>Z_UP</up_axis>";
const POINTS: &str = "0 0 0 1 0 0 0 2 3";
const NODE: &str = "<node><instance_geometry url=\"#g\"/></node>";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.write("r.urdf", "<robot name=\"r\"><link name=\"a\"/></robot>");
    folder
}

/// The number of triangles and the extent.
fn extent(folder: &Folder, content: &str, arguments: &str) -> String {
    folder.write("m.dae", content);
    let found = printed(&folder.avert(&format!("inspect r.urdf --world m.dae {arguments}")));
    let line = found.lines().find(|line| line.starts_with("m mesh m.dae")).unwrap();
    line.strip_prefix("m mesh m.dae ").unwrap().to_owned()
}

#[test]
fn units_axes_and_nodes_place_the_points() {
    let folder = folder("dae_places");
    let placed =
        |asset: &str, nodes: &str, arguments: &str| extent(&folder, &dae(asset, POINTS, FACES, nodes), arguments);
    let from_to = |from: &str, to: &str, found: String| {
        assert!(found.ends_with(&format!("(from {from} to {to})")), "{found}");
    };
    from_to("0 0 0", "1 2 3", placed(UP, NODE, ""));
    from_to("0 0 0", "0.001 0.002 0.003", placed(&format!("<unit name=\"mm\" meter=\"0.001\"/>{UP}"), NODE, ""));
    // y up: (x, y, z) is (x, −z, y) with z up.
    let y_up = "<up_axis>Y_UP</up_axis>";
    from_to("0 -3 0", "1 0 2", placed(y_up, NODE, "--up-axis turn"));
    from_to("0 -3 0", "1 0 2", placed("", NODE, "--up-axis turn"));
    from_to("0 0 0", "1 2 3", placed(y_up, NODE, "--up-axis ignore"));
    // x up: (x, y, z) is (−y, −z, x).
    from_to("-2 -3 0", "0 0 1", placed("<up_axis>X_UP</up_axis>", NODE, "--up-axis turn"));
    let node = |inside: &str| format!("<node>{inside}<instance_geometry url=\"#g\"/></node>");
    from_to("10 20 30", "11 22 33", placed(UP, &node("<translate>10 20 30</translate>"), ""));
    from_to("-2 0 0", "0 1 3", placed(UP, &node("<rotate>0 0 5 90</rotate>"), ""));
    from_to("0 0 -3", "2 2 0", placed(UP, &node("<scale>2 1 -1</scale>"), ""));
    from_to("5 0 0", "8 1 2", placed(UP, &node("<matrix>0 0 1 5  1 0 0 0  0 1 0 0  0 0 0 1</matrix>"), ""));
    // The first stands outermost: moved after it was turned, and the outer node after the inner one.
    from_to("8 0 0", "10 1 3", placed(UP, &node("<translate>10 0 0</translate><rotate>0 0 1 90</rotate>"), ""));
    let nested = format!("<node><scale>2 2 2</scale>{}</node>", node("<translate>1 0 0</translate>"));
    from_to("2 0 0", "4 4 6", placed(UP, &nested, ""));
    // Twice, once through another node.
    let again = "<node id=\"n\"><instance_geometry url=\"#g\"/></node><node><translate>0 0 -9</translate><instance_node url=\"#n\"/></node>";
    assert!(placed(UP, again, "").starts_with("2 0 0 0 0 0 0 1 2 12"));
}

#[test]
fn polygons_become_fans() {
    let folder = folder("dae_faces");
    let points = "0 0 0 1 0 0 1 1 0 0 1 0 5 5 5";
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    let polylist = format!("<polylist>{input}<vcount>4 3 2</vcount><p>0 1 2 3 0 1 2 0 4</p></polylist>");
    assert!(extent(&folder, &dae(UP, points, &polylist, NODE), "").starts_with("4 "));
    let polygons = format!("<polygons>{input}<p>0 1 2 3</p><p>0 1 2</p></polygons>");
    assert!(extent(&folder, &dae(UP, points, &polygons, NODE), "").starts_with("3 "));
    for (tag, triangles) in [("lines", "2 "), ("linestrips", "3 "), ("tristrips", "2 "), ("trifans", "2 ")] {
        let figure = format!("<{tag}>{input}<p>0 1 2 3</p></{tag}>");
        assert!(extent(&folder, &dae(UP, points, &figure, NODE), "").starts_with(triangles), "{tag}");
    }
    let both = format!("{polygons}<triangles>{input}<p>0 1 2 <!-- a remark --> 0 2 3</p></triangles>");
    assert!(extent(&folder, &dae(UP, points, &both, NODE), "").starts_with("5 "));
}

#[test]
fn motions_past_a_dae_mesh_are_checked() {
    let folder = folder("dae_ccd");
    folder.write("m.dae", dae(UP, "0 0 0 0 1 0 0 0 1", FACES, NODE));
    folder.write("m.csv", "id,q0w,q0x,q0y,q0z,p0x,p0y,p0z,q1w,q1x,q1y,q1z,p1x,p1y,p1z\nhit,1,0,0,0,-1,0,0,1,0,0,0,1,0,0\npass,1,0,0,0,-1,5,0,1,0,0,0,1,5,0\n");
    for scalar in ["f32", "f64"] {
        let found = printed(&folder.avert(&format!("ccd --a m.dae --b m.dae --motions m.csv --scalar {scalar}")));
        has(&found, &["hit,contact,0.49", "pass,free,1,"]);
    }
}

#[test]
fn bad_files_are_refused() {
    let folder = folder("dae_bad");
    let check = |content: &str, place: &str, words: &[&str]| {
        folder.write("m.dae", content);
        refused(&folder.avert("inspect r.urdf --world m.dae"), place, words);
    };
    let asset = |asset: &str, words: &[&str]| check(&dae(asset, POINTS, FACES, NODE), "m.dae:2", words);
    asset("<up_axis>Y_UP</up_axis>", &["expected <up_axis> Z_UP, found Y_UP", "--up-axis ignore", "--up-axis turn"]);
    asset("<up_axis>W_UP</up_axis>", &["<up_axis>: expected Z_UP, Y_UP or X_UP, found `W_UP`"]);
    asset("<unit meter=\"0\"/>", &["<unit>: expected a positive number of metres, found 0"]);
    asset("<unit meter=\"x\"/>", &["<unit> meter: expected a finite number, found `x`"]);
    check(&dae("", POINTS, FACES, NODE), "m.dae:1", &["found none, which means Y_UP"]);
    let points = |points: &str, place: &str, words: &[&str]| check(&dae(UP, points, FACES, NODE), place, words);
    points("0 0 0 1 0 0 0\nnan 0", "m.dae:4", &["<float_array> `a`: expected finite numbers, found `nan`"]);
    points("0 0 0 1 0 0", "m.dae:8", &["<p>: expected numbers of points below 2, found 2"]);
    let huge = dae(&format!("<unit meter=\"10\"/>{UP}"), "0 0 0 1 0 0 0 0 1e308", FACES, NODE);
    check(&huge, "m.dae", &["expected coordinates that stay finite when placed"]);
    let good = dae(UP, POINTS, FACES, NODE);
    let with = |from: &str, to: &str, place: &str, words: &[&str]| {
        assert!(good.contains(from), "{from}");
        check(&good.replacen(from, to, 1), place, words);
    };
    with("count=\"3\"", "count=\"4\"", "m.dae:4", &["<accessor>: expected 4 points, found 9 numbers: enough for 3"]);
    with("stride=\"3\"", "stride=\"x\"", "m.dae:4", &["<accessor>: expected a whole number as stride, found `x`"]);
    with(
        "name=\"Z\"",
        "name=\"W\"",
        "m.dae:4",
        &["expected the params X, Y, Z and a stride of 3, found X, Y, W and 3"],
    );
    with("source=\"#s\"", "source=\"#t\"", "m.dae:5", &["expected the id of a <source> of this mesh, found `#t`"]);
    with("\"POSITION\"", "\"COLOR\"", "m.dae:5", &["<vertices>: expected an <input> with the semantic POSITION"]);
    with("url=\"#g\"", "url=\"#h\"", "m.dae:10", &["expected the id of a <geometry> of this file, found `#h`"]);
    with("url=\"#g\"", "url=\"other.dae#g\"", "m.dae:10", &["found `other.dae#g`"]);
    with("url=\"#scene\"", "url=\"#x\"", "m.dae:12", &["expected the id of a <visual_scene> of this file, found `#x`"]);
    let spline = good.replace("mesh>", "spline>");
    check(&spline, "m.dae:2", &["expected <mesh> in <geometry> `g`, found none"]);
    let faces = |faces: &str, line: usize, words: &[&str]| {
        check(&dae(UP, POINTS, faces, NODE), &format!("m.dae:{line}"), words);
    };
    let input = r##"<input semantic="VERTEX" source="#v" offset="0"/>"##;
    faces(&format!("<triangles>{input}<p>0 1</p></triangles>"), 6, &["<triangles>: expected 3 corners each, found 2"]);
    faces(&format!("<triangles>{input}<p>0 1\n-2</p></triangles>"), 7, &["<p>: expected whole numbers", "found `-2`"]);
    faces(&format!("<triangles>{input}</triangles>"), 6, &["expected <p> in <triangles>, found none"]);
    faces("<triangles><p>0 1 2</p></triangles>", 6, &["expected an <input> with the semantic VERTEX, found none"]);
    faces("<triangles><input offset=\"-1\"/><p/></triangles>", 6, &["expected a whole number as offset, found `-1`"]);
    faces(&FACES.replace("7 2<", "7<"), 8, &["<p>: expected 2 numbers a corner, found 5 in all"]);
    faces(
        &format!("<polylist>{input}<vcount>4</vcount><p>0 1 2</p></polylist>"),
        6,
        &["expected 4 corners, as <vcount> says, found 3"],
    );
    faces(
        &format!("<polylist>{input}<vcount>2</vcount><p>0 1 2</p></polylist>"),
        6,
        &["expected 2 corners, as <vcount> says, found 3"],
    );
    faces(
        &format!("<polylist>{input}<vcount>x</vcount><p/></polylist>"),
        6,
        &["<vcount>: expected whole numbers, found `x`"],
    );
    faces(&format!("<polygons>{input}<ph/></polygons>"), 6, &["expected polygons without holes, found <ph>"]);
    faces("<spline/>", 6, &["found <spline>: it would be missing from the shape"]);
    check(&dae(UP, POINTS, "", NODE), "m.dae", &["expected at least one triangle, found none"]);
    let nodes = |nodes: &str, words: &[&str]| check(&dae(UP, POINTS, FACES, nodes), "m.dae:10", words);
    nodes("<node><rotate>0 0 0 90</rotate></node>", &["<rotate>: expected an axis that is not zero, found 0 0 0"]);
    nodes("<node><rotate>0 0 1</rotate></node>", &["<rotate>: expected 4 numbers, found 3"]);
    nodes("<node><matrix>1 0 0</matrix></node>", &["<matrix>: expected 16 numbers, found 3"]);
    nodes("<node><matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 1 1</matrix></node>", &["<matrix>: expected a last row 0 0 0 1"]);
    nodes("<node><translate>1 2 x</translate></node>", &["<translate>: expected finite numbers, found `x`"]);
    nodes("<node><scale>1</scale></node>", &["<scale>: expected 3 numbers, found 1"]);
    nodes("<node><skew/></node>", &["found <skew>: it would be missing from the shape"]);
    nodes("<node><instance_controller url=\"#c\"/></node>", &["found <instance_controller>"]);
    nodes(
        "<node id=\"n\"><instance_node url=\"#n\"/></node>",
        &["expected at most 64 nodes in each other, found more"],
    );
    check("<COLLADA/>", "m.dae:1", &["expected <scene> in <COLLADA>, found none"]);
    check("<x/>", "m.dae:1", &["expected <COLLADA> as the outermost element, found <x>"]);
    let bytes = [&b"<COLLADA>"[..], &[0xff]].concat();
    folder.write("m.dae", bytes);
    refused(&folder.avert("inspect r.urdf --world m.dae"), "m.dae", &["UTF-8"]);
}
