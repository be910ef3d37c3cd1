//! Robots: URDF, packages and SRDF.

use super::{Folder, has, printed, refused, shared, text};

const BOX: &str = r#"<collision><geometry><box size="1 2 3"/></geometry></collision>"#;

fn link(name: &str, inside: &str) -> String {
    format!("<link name=\"{name}\">{inside}</link>\n")
}

fn joint(name: &str, kind: &str, parent: &str, child: &str, inside: &str) -> String {
    format!(
        "<joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{child}\"/>{inside}</joint>\n"
    )
}

/// The first line is the opening tag, so what comes next stands on line 2.
fn robot(inside: &str) -> String {
    format!("<robot name=\"r\">\n{inside}</robot>\n")
}

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

fn check(folder: &Folder, urdf: &str, line: usize, words: &[&str]) {
    folder.write("r.urdf", urdf);
    refused(&folder.avert("inspect r.urdf"), &format!("r.urdf:{line}"), words);
}

#[test]
fn all_kinds_of_pieces_and_joints_are_read() {
    let folder = Folder::new("robot_kinds");
    let mesh = |name: &str, scale: &str| {
        format!("<collision><geometry><mesh filename=\"{name}\" {scale}/></geometry></collision>")
    };
    let absolute = folder.0.join("c.obj").to_str().unwrap().to_owned();
    let pieces = [
        r#"<collision name="n"><origin xyz="0.1 0 0" rpy="0 0 1"/><geometry><box size="1 2 3"/></geometry></collision>"#,
        r#"<collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision>"#,
        r#"<collision><geometry><capsule radius="0.25" length="1"/></geometry></collision>"#,
        r#"<collision><geometry><sphere radius="0.75"/></geometry><origin xyz="0 0 9"/></collision>"#,
        &mesh("c.obj", r#"scale="0.001 -1 2""#),
        &mesh(&format!("file://{absolute}"), ""),
    ]
    .concat();
    let limit = r#"<limit lower="-1" upper="2" velocity="3" effort="1"/>"#;
    // The joints stand in no order, and `d` follows one that comes later.
    let urdf = link("base", &pieces)
        + &["a", "b", "c", "d", "e"].map(|name| link(name, BOX)).concat()
        + &joint("jd", "prismatic", "c", "d", &format!(r#"{limit}<mimic joint="ja" multiplier="-2" offset="0.5"/>"#))
        + &joint("ja", "revolute", "base", "a", &format!(r#"{limit}<axis xyz="0 3 4"/><origin xyz="0 0 1"/>"#))
        + &joint("jc", "continuous", "b", "c", r#"<axis xyz="0 0 1"/>"#)
        + &joint("jb", "prismatic", "a", "b", &format!(r#"{limit}<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/>"#))
        + &joint("je", "fixed", "base", "e", r#"<axis xyz="0 0 0"/>"#);
    folder.write("r.urdf", robot(&urdf)).write("c.obj", CUBE);
    let found = printed(&folder.avert("inspect r.urdf"));
    has(
        &found,
        &[
            "6 links, 5 joints (3 with values of their own), root link `base`",
            "base box 0.1 0 0 0 0 1 1 2 3 2",
            "base cylinder 0 0 0 0 0 0 radius 0.5, length 2 2",
            "base capsule 0 0 0 0 0 0 radius 0.25, length 1 2",
            "base sphere 0 0 9 0 0 0 radius 0.75 2",
            "base mesh c.obj × 0.001 -1 2 1 0 0 0 0 0 0 0.001 1 0 (from 0 -1 0 to 0.001 0 0) 2",
            "base mesh c.obj 1 0 0 0 0 0 0 1 1 0 (from 0 0 0 to 1 1 0) 2",
            "0 ja revolute base → a 0 0 1 0 0 0 0 0.6 0.8 -1 2 3",
            "1 jb prismatic a → b 1 0 0 0 0 1.570796 1 0 0 -1 2 3",
            "2 jc continuous b → c 0 0 0 0 0 0 0 0 1",
            "– jd prismatic c → d 0 0 0 0 0 0 1 0 0 -1 2 3 -2 × ja + 0.5",
            "– je fixed base → e 0 0 0 0 0 0",
            // At zero, `jd` is at 0.5 along its x axis, which points along the base's y axis.
            "d jd 1 1 0.5 1",
        ],
    );
}

#[test]
fn bad_xml_and_xacro_are_refused() {
    let folder = Folder::new("robot_xml");
    check(&folder, "<robot name=\"r\">\n<link>\n</robot>", 3, &["well-formed XML"]);
    check(&folder, "\n<sdf/>", 2, &["expected <robot> as the outermost element, found <sdf>"]);
    check(&folder, &robot("<xacro:include filename=\"a\"/>"), 2, &["xacro FILE.xacro > FILE.urdf"]);
    let declared = "<robot name=\"r\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<link name=\"a\"/>\n";
    check(&folder, &format!("{declared}<xacro:arm/></robot>"), 3, &["found xacro", "<xacro:arm>"]);
    check(&folder, &format!("{declared}<link name=\"${{x}}\"/></robot>"), 3, &["found xacro", "name=\"${x}\""]);
    check(&folder, &robot("<link/>"), 2, &["expected the attribute `name` in <link>, found none"]);
    check(&folder, &format!("<robot>\n{}</robot>", link("a", BOX)), 1, &["expected the attribute `name` in <robot>"]);
    folder.write("r.urdf", [b'<', 0xff]);
    refused(&folder.avert("inspect r.urdf"), "r.urdf:1", &["UTF-8"]);
    refused(&folder.avert("inspect none.urdf"), "none.urdf", &["cannot read the URDF file"]);
    // The prefix alone is no harm, nor is a remark.
    folder.write("r.urdf", format!("{declared}<!-- <xacro:arm/> ${{x}} --></robot>"));
    has(&printed(&folder.avert("inspect r.urdf")), &["1 link, 0 joints"]);
}

#[test]
fn bad_links_are_refused() {
    let folder = Folder::new("robot_links");
    let piece = |shape: &str| robot(&link("a", &format!("\n<collision><geometry>{shape}</geometry></collision>")));
    let bad = |shape: &str, words: &[&str]| check(&folder, &piece(shape), 3, words);
    bad(r#"<box size="1 -2 3"/>"#, &["link `a`: expected a <box> with three positive sizes, found `1 -2 3`"]);
    bad(r#"<box size="1 2"/>"#, &["<box> size: expected 3 finite numbers, found `1 2`"]);
    bad("<box/>", &["link `a`: expected a <box> with three positive sizes, found none"]);
    bad(r#"<sphere radius="nan"/>"#, &["<sphere> radius: expected a finite number, found `nan`"]);
    bad(r#"<sphere radius="0"/>"#, &["link `a`: expected a positive radius of the <sphere>, found 0"]);
    bad(r#"<cylinder radius="1"/>"#, &["link `a`: expected a positive length of the <cylinder>, found none"]);
    bad(r#"<cylinder radius="1" length="inf"/>"#, &["<cylinder> length: expected a finite number, found `inf`"]);
    bad("<cone/>", &["expected a mesh, box, cylinder, capsule or sphere, found <cone>"]);
    bad("", &["link `a`: expected one shape in <geometry>, found 0"]);
    bad("<box/><box/>", &["link `a`: expected one shape in <geometry>, found 2"]);
    bad("<mesh/>", &["expected the attribute `filename` in <mesh>, found none"]);
    folder.write("c.obj", CUBE);
    bad(r#"<mesh filename="c.obj" scale="1 0 1"/>"#, &["link `a`: expected a scale without zeros, found `1 0 1`"]);
    bad(r#"<mesh filename="c.obj" scale="1"/>"#, &["<mesh> scale: expected 3 finite numbers, found `1`"]);
    let two = format!("{}{}", link("a", BOX), link("a", BOX));
    check(&folder, &robot(&two), 3, &["expected every link once, found `a` as on line 2"]);
    check(&folder, &robot(&link("a", "<collision/>")), 2, &["expected <geometry> in <collision>, found none"]);
    let origin = |origin: &str| robot(&link("a", &BOX.replace("<geometry>", &format!("{origin}<geometry>"))));
    check(&folder, &origin(r#"<origin xyz="0 x 0"/>"#), 2, &["<origin> xyz: expected 3 finite numbers, found `0 x 0`"]);
    check(&folder, &origin("<origin/><origin/>"), 2, &["expected one <origin> in <collision>, found another"]);
    check(&folder, &origin(r#"<origin quat_xyzw="0 0 0 1"/>"#), 2, &["write the rotation as rpy"]);
    folder
        .write("c.obj", "v 1e300 0 0\nf 1 1 1\n")
        .write("r.urdf", piece(r#"<mesh filename="c.obj" scale="1e9 1 1"/>"#));
    refused(&folder.avert("inspect r.urdf"), "c.obj", &["expected coordinates that stay finite when scaled"]);
    // A mesh that is there and cannot be read is named itself.
    folder.write("c.obj", "v 0 0 0\nf 1 1 2\n").write("r.urdf", piece(r#"<mesh filename="c.obj"/>"#));
    refused(&folder.avert("inspect r.urdf"), "c.obj:2", &["from 1 to 1"]);
}

#[test]
fn visuals_need_a_decision() {
    let folder = Folder::new("robot_visuals");
    let urdf = robot(&link("a", "\n<visual><geometry><sphere radius=\"2\"/></geometry></visual>"));
    check(&folder, &urdf, 3, &["link `a`: expected <collision> geometry, found only <visual>", "--visuals use"]);
    has(&printed(&folder.avert("inspect r.urdf --visuals use")), &["a (root) 1 0 0 0 from visuals", "a sphere"]);
    let ignored = printed(&folder.avert("inspect r.urdf --visuals ignore"));
    has(&ignored, &["a (root) 0 0 0 0 touches nothing"]);
    assert!(!ignored.contains("sphere"));
    // Where there is collision geometry, nobody asks.
    folder.write("r.urdf", robot(&link("a", &format!("{BOX}<visual><geometry><cone/></geometry></visual>"))));
    has(&printed(&folder.avert("inspect r.urdf")), &["a box"]);
}

#[test]
fn bad_joints_are_refused() {
    let folder = Folder::new("robot_joints");
    let links = link("a", BOX) + &link("b", BOX);
    let with = |kind: &str, inside: &str| robot(&(links.clone() + &joint("j", kind, "a", "b", inside)));
    let bad = |kind: &str, inside: &str, words: &[&str]| check(&folder, &with(kind, inside), 4, words);
    let limit = r#"<limit lower="0" upper="1"/>"#;
    bad("floating", "", &["joint `j`: expected revolute, continuous, prismatic or fixed, found floating", "chain"]);
    bad("planar", "", &["found planar", "as fixed if the base stands still"]);
    bad("ball", "", &["joint `j`: expected revolute, continuous, prismatic or fixed, found `ball`"]);
    bad("revolute", "", &["joint `j`: expected <limit lower upper> for a revolute joint, found none"]);
    bad("prismatic", r#"<limit lower="1"/>"#, &["expected limits lower ≤ upper, found lower 1 and upper 0"]);
    bad("revolute", r#"<limit lower="a"/>"#, &["<limit> lower: expected a finite number, found `a`"]);
    bad("continuous", r#"<limit velocity="-1"/>"#, &["expected a velocity limit that is not negative, found -1"]);
    bad("continuous", r#"<axis xyz="0 0 0"/>"#, &["joint `j`: expected an axis that is not zero, found `0 0 0`"]);
    bad("continuous", r#"<axis xyz="0 1e-310 0"/>"#, &["expected an axis that is not zero, found `0 1e-310 0`"]);
    bad("continuous", r#"<axis xyz="0 0 nan"/>"#, &["<axis> xyz: expected 3 finite numbers, found `0 0 nan`"]);
    bad("continuous", "<axis/><axis/>", &["expected one <axis> in <joint> `j`, found another"]);
    let mimic = |of: &str| format!(r#"{limit}<mimic joint="{of}"/>"#);
    bad(
        "revolute",
        &mimic("k"),
        &["joint `j`: expected to mimic a joint that moves by itself", "`k`, which is not in"],
    );
    bad("revolute", &mimic("j"), &["found `j`, which is a mimic itself"]);
    bad("revolute", &format!("{limit}<mimic/>"), &["expected the attribute `joint` in <mimic>, found none"]);
    bad("revolute", &format!(r#"{limit}<mimic joint="j" offset="inf"/>"#), &["<mimic> offset: expected a finite"]);
    let fixed = links.clone()
        + &link("c", BOX)
        + &joint("f", "fixed", "a", "c", "")
        + &joint("j", "revolute", "a", "b", &mimic("f"));
    check(&folder, &robot(&fixed), 6, &["found `f`, which is fixed"]);
    let unknown = links.clone() + &joint("j", "fixed", "a", "z", "");
    check(&folder, &robot(&unknown), 4, &["joint `j`: expected a link of this file, found `z`"]);
    let orphan = links.clone() + "<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint>";
    check(&folder, &robot(&orphan), 4, &["expected <child> in <joint> `j`, found none"]);
    check(&folder, &robot(&(links.clone() + "<joint name=\"j\"/>")), 4, &["expected the attribute `type`"]);
    let twice = links + &joint("j", "fixed", "a", "b", "") + &joint("j", "fixed", "a", "b", "");
    check(&folder, &robot(&twice), 5, &["expected every joint once, found `j` as on line 4"]);
}

#[test]
fn what_is_no_tree_is_refused() {
    let folder = Folder::new("robot_tree");
    let links = ["a", "b", "c"].map(|name| link(name, BOX)).concat();
    let with = |joints: &[(&str, &str, &str)]| {
        let joints: String =
            joints.iter().map(|(name, parent, child)| joint(name, "fixed", parent, child, "")).collect();
        robot(&(links.clone() + &joints))
    };
    check(&folder, &with(&[("j", "a", "b")]), 4, &["expected one root link, found 2 that no joint moves: `a`, `c`"]);
    check(
        &folder,
        &with(&[("j", "a", "b"), ("k", "c", "b")]),
        6,
        &["joint `k`: expected a child that no other joint moves, found `b`, which joint `j` moves"],
    );
    let circle = with(&[("j", "b", "c"), ("k", "c", "b")]);
    check(&folder, &circle, 5, &["found joints in a circle, apart from the root `a`: `j`, `k`"]);
    folder.write("r.urdf", with(&[("j", "a", "b"), ("k", "b", "c"), ("l", "c", "a")]));
    refused(&folder.avert("inspect r.urdf"), "r.urdf", &["expected a root link", "circle"]);
    folder.write("r.urdf", robot(""));
    refused(&folder.avert("inspect r.urdf"), "r.urdf", &["expected at least one <link>, found none"]);
}

#[test]
fn meshes_are_found_in_packages() {
    let folder = Folder::new("robot_packages");
    let urdf = |name: &str| {
        robot(&link("a", &format!("<collision><geometry><mesh filename=\"{name}\"/></geometry></collision>")))
    };
    // Within the package itself, and in a workspace beside it.
    folder.write("arm/meshes/c.obj", CUBE).write("arm/urdf/r.urdf", urdf("package://arm/meshes/c.obj"));
    folder.write("other/r.urdf", urdf("package:///arm/meshes/c.obj"));
    for file in ["arm/urdf/r.urdf", "other/r.urdf"] {
        has(&printed(&folder.avert(&format!("inspect {file}"))), &["a mesh c.obj"]);
    }
    folder.write("r.urdf", urdf("package://far/robots/x/meshes/c.obj"));
    let missing = folder.avert("inspect r.urdf");
    refused(&missing, "r.urdf:2", &["link `a`: expected to find the package `far`", "--package far=DIR"]);
    // The longest name counts.
    let given = "--package far=other --package far/robots/x=arm";
    has(&printed(&folder.avert(&format!("inspect r.urdf {given}"))), &["a mesh c.obj"]);
    let wrong = folder.avert("inspect r.urdf --package far=other");
    refused(
        &wrong,
        "r.urdf:2",
        &["expected a mesh file for `package://far", "found nothing at other/robots/x/meshes/c.obj"],
    );
    folder.write("r.urdf", urdf("package://"));
    refused(&folder.avert("inspect r.urdf"), "r.urdf:2", &["expected to find the package ``"]);
    folder.write("r.urdf", urdf("none.obj"));
    refused(
        &folder.avert("inspect r.urdf"),
        "r.urdf:2",
        &["expected a mesh file for `none.obj`, found nothing at none.obj"],
    );
    folder.write("r.urdf", urdf("http://x/y.obj"));
    refused(&folder.avert("inspect r.urdf"), "r.urdf:2", &["expected a mesh by package://NAME/…", "`http://`"]);
    for (argument, word) in [("far", "expected NAME=DIR"), ("far=nowhere", "found `nowhere`, which is none")] {
        let output = folder.avert(&format!("inspect r.urdf --package {argument}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(word), "{}", text(&output.stderr));
    }
}

#[test]
fn allowed_pairs_are_read_and_doubts_are_warnings() {
    let folder = Folder::new("robot_srdf");
    let links = ["a", "b", "c"].map(|name| link(name, BOX)).concat();
    let joints = joint("j", "fixed", "a", "b", "") + &joint("k", "fixed", "b", "c", "");
    folder.write("r.urdf", robot(&(links + &joints)));
    let srdf = r#"<robot name="other">
<group name="g"/>
<disable_collisions link1="b" link2="a" reason="Adjacent"/>
<disable_collisions link1="a" link2="b" reason="Again"/>
<disable_collisions link1="a" link2="z"/>
<disable_collisions link1="a" link2="a"/>
<disable_collisions link1="a" link2="c"/>
<enable_collisions link1="c" link2="a"/>
<disable_default_collisions link="a"/>
</robot>"#;
    folder.write("r.srdf", srdf);
    let found = printed(&folder.avert("inspect r.urdf --srdf r.srdf"));
    has(
        &found,
        &[
            "allowed pairs from r.srdf: 1 pair; 2 of 3 pairs of links with pieces are checked",
            "a b Adjacent",
            "warning: r.srdf:1: expected the robot's name `r`, found `other`: is this the right file?",
            "warning: r.srdf:5: expected links of the robot, found `z`: passed over",
            "warning: r.srdf:6: expected two links, found `a` twice: passed over",
            "warning: r.srdf:9: expected <disable_collisions>, found <disable_default_collisions>: passed over",
        ],
    );
    folder.write("r.srdf", "<robot name=\"r\">\n<disable_collisions link1=\"a\"/></robot>");
    refused(&folder.avert("inspect r.urdf --srdf r.srdf"), "r.srdf:2", &["expected the attribute `link2`"]);
    refused(&folder.avert("inspect r.urdf --srdf none.srdf"), "none.srdf", &["cannot read the SRDF file"]);
}

#[test]
fn the_shared_pandas_are_read() {
    let Some(shared) = shared("the shared pandas") else { return };
    let folder = Folder::new("robot_pandas");
    let task = format!("{shared}/models/panda_task");
    let found = printed(&folder.avert(&format!("inspect {task}/panda.urdf --srdf {task}/panda.srdf")));
    has(&found, &["13 links, 12 joints (7 with values", "21 of 55 pairs of links", "panda_link6 mesh link6.obj 516"]);
    // The flange, by the maker's table of Denavit and Hartenberg.
    has(&found, &["panda_link8 panda_joint8 0 0.088 0 0.926 touches nothing"]);
    let panda = format!("{shared}/models/panda");
    for (name, pieces) in [("panda", "panda_link0 mesh link0.stl 200"), ("panda_collision", "panda_link0 cylinder")] {
        let found = printed(&folder.avert(&format!(
            "inspect {panda}/urdf/{name}.urdf --srdf {panda}/srdf/panda.srdf \
             --package example-robot-data/robots/panda_description={panda}"
        )));
        has(&found, &["13 links, 12 joints (8 with values", "20 of 55 pairs of links", pieces, "0 0.088 0 0.926"]);
        has(&found, &["– panda_finger_joint2 prismatic", "1 × panda_finger_joint1 + 0"]);
        assert!(!found.contains("warning"), "{found}");
    }
}
