//! Paths: CSV files and ROS trajectories.

use super::{Folder, has, printed, refused, shared};

/// Two joints with values of their own, a mimic and a fixed one.
fn folder(test: &str) -> Folder {
    let limit = r#"<limit lower="-1" upper="1"/>"#;
    let joint = |name: &str, kind: &str, parent: &str, inside: &str| {
        format!(
            "<link name=\"{name}_link\"/><joint name=\"{name}\" type=\"{kind}\"><parent link=\"{parent}\"/><child link=\"{name}_link\"/>{inside}</joint>"
        )
    };
    let robot = format!(
        "<robot name=\"r\"><link name=\"base\"/>{}{}{}{}</robot>",
        joint("turn", "revolute", "base", limit),
        joint("slide", "prismatic", "turn_link", limit),
        joint("finger", "prismatic", "slide_link", &format!("{limit}<mimic joint=\"slide\"/>")),
        joint("mount", "fixed", "slide_link", ""),
    );
    let folder = Folder::new(test);
    folder.write("r.urdf", robot);
    folder
}

/// As `ros2 topic echo` prints it.
const ECHO: &str = "\
header:
  stamp:
    sec: 0
    nanosec: 0
  frame_id: ''
joint_names:
- slide
- turn
points:
- positions:
  - 0.5
  - -0.25
  velocities: []
  accelerations: []
  effort: []
  time_from_start:
    sec: 0
    nanosec: 0
- positions:
  - 0.75
  - 1.0e-05
  velocities:
  - 0.0
  - 0.0
  accelerations: []
  effort: []
  time_from_start:
    sec: 1
    nanosec: 500000000
- positions:
  - 0.0
  - 1.5
  velocities:
  - 0.0
  - 0.0
  accelerations:
  - 0.0
  - 0.0
  effort: []
  time_from_start:
    sec: 2
    nanosec: 0
- positions:
  - 0.0
  - 0.5
  velocities:
  - 0.0
  - 0.0
  accelerations:
  - 0.0
  - 0.0
  effort: []
  time_from_start:
    sec: 2
    nanosec: 250000000
---
";

#[test]
fn rows_are_straight_paths_by_name_or_by_number() {
    let folder = folder("paths_csv");
    for header in ["id,q0_turn,q0_slide,q1_turn,q1_slide,note", "id,q0_0,q0_1,q1_0,q1_1,note"] {
        folder.write("p.csv", format!("{header}\nfirst,0.25,0.5,1e-1,-0.125,x\n\n second , 0, 0, -3, 1,\n"));
        let found = printed(&folder.avert("inspect r.urdf --paths p.csv"));
        has(&found, &["2 paths", "first 2 2 1 0 0 1", "second 4 2 1 0 0 1", "slide m -0.125 1 -1 1"]);
        has(&found, &["turn rad -3 0.25 -1 1 beyond the limits in path `second`"]);
    }
    // In any order, after a mark, and with a joint that stands still.
    folder.write("p.csv", "\u{feff}q1_turn,id,q0_turn\n0.5,x,-0.5\n");
    let found = printed(&folder.avert("inspect r.urdf --paths p.csv --joint slide=0.75"));
    has(&found, &["turn rad -0.5 0.5", "slide m 0.75 0.75"]);
}

#[test]
fn bad_rows_are_refused() {
    let folder = folder("paths_bad_csv");
    let header = "id,q0_turn,q0_slide,q1_turn,q1_slide";
    let check = |content: &str, place: &str, words: &[&str]| {
        folder.write("p.csv", content);
        refused(&folder.avert("inspect r.urdf --paths p.csv"), place, words);
    };
    let row = |row: &str, words: &[&str]| check(&format!("{header}\n0,0,0,0,0\n{row}\n"), "p.csv:3", words);
    row("1,0,0,x,0", &["column 4 (q1_turn): expected a finite number, found `x`"]);
    row("1,0,NaN,0,0", &["column 3 (q0_slide): expected a finite number, found `NaN`"]);
    row("1,0,0,0", &["expected 5 fields, found 4"]);
    check("q0_turn,q0_slide\n", "p.csv:1", &["expected one column `id` in the header, found 0"]);
    check("id,q0_turn,q1_turn\n", "p.csv:1", &["columns q0_…: expected values of all joints, found none of `slide`"]);
    check("id,q0_0,q0_1\n", "p.csv:1", &["columns q1_…", "found none of `turn`, `slide`", "--joint NAME=VALUE"]);
    check("id,q0_turm\n", "p.csv:1", &["expected a joint of the robot, found `turm`"]);
    check("id,q0_2\n", "p.csv:1", &["expected the number of a joint from 0 to 1, found 2"]);
    check("id,q0_turn,q0_0\n", "p.csv:1", &["expected every joint once, found `0` again"]);
    check("id,q0_finger\n", "p.csv:1", &["found `finger`, which is a mimic of another: leave it out"]);
    check("id,q0_mount\n", "p.csv:1", &["found `mount`, which is fixed: leave it out"]);
    check("", "p.csv:1", &["expected the header `id,q0_JOINT…,q1_JOINT…`, found nothing"]);
    check(header, "p.csv", &["expected at least one path, found none"]);
    folder.write("p.csv", format!("{header}\n0,0,0,0,0\n"));
    refused(
        &folder.avert("inspect r.urdf --paths p.csv --joint turn=1"),
        "p.csv:1",
        &["--joint: expected a joint without values here, found `turn`"],
    );
    refused(
        &folder.avert("inspect r.urdf --paths p.csv --joint x=1"),
        "p.csv:1",
        &["--joint: expected a joint of the robot, found `x`"],
    );
    refused(&folder.avert("inspect r.urdf --paths none.csv"), "none.csv", &["cannot read the paths"]);
    folder.write("p.txt", "");
    refused(&folder.avert("inspect r.urdf --paths p.txt"), "p.txt", &["extension .csv, .yaml, .yml or .json"]);
    for (argument, word) in [("turn", "JOINT=VALUE"), ("turn=nan", "found `nan`")] {
        let output = folder.avert(&format!("inspect r.urdf --paths p.csv --joint {argument}"));
        assert_eq!(output.status.code(), Some(2));
        assert!(super::text(&output.stderr).contains(word), "{}", super::text(&output.stderr));
    }
}

#[test]
fn trajectories_are_read_as_ros_prints_them() {
    let folder = folder("paths_ros");
    folder.write("t.yaml", ECHO.repeat(2));
    let found = printed(&folder.avert("inspect r.urdf --paths t.yaml"));
    // From the second point on both ends have velocities, from the third on accelerations.
    has(&found, &["2 paths", "0 1 4 1 1 1 2.25", "turn rad -0.25 1.5", "slide m 0 0.75"]);
    let indented: String = ECHO.trim_end_matches("---\n").lines().map(|line| format!("  {line}\n")).collect();
    let nested =
        format!("joint_trajectory:\n{indented}multi_dof_joint_trajectory:\n  joint_names: []\n  points: []\n---\n");
    folder.write("t.yaml", nested);
    has(&printed(&folder.avert("inspect r.urdf --paths t.yaml")), &["1 path\n", "0 2 4 1 1 1 2.25"]);
    // ROS 1, and JSON.
    folder.write("t.yml", "joint_names: [turn, slide]\npoints:\n  - positions: [0, 0.5]\n    time_from_start: {secs: 1, nsecs: 5}\n  - positions: [1, 0]\n    time_from_start: {secs: 1, nsecs: 6}\n");
    has(&printed(&folder.avert("inspect r.urdf --paths t.yml")), &["0 1 2 1 0 0 0\n", "slide m 0 0.5"]);
    let json = r#"{"joint_names": ["turn"], "points": [
        {"positions": [0.5], "velocities": [0], "time_from_start": {"sec": 0, "nanosec": 0}},
        {"positions": [1], "velocities": [0], "time_from_start": {"sec": 3, "nanosec": 0}}]}"#;
    folder.write("t.json", json);
    has(&printed(&folder.avert("inspect r.urdf --paths t.json --joint slide=0")), &["0 1 2 0 1 0 3\n", "slide m 0 0"]);
}

#[test]
fn bad_trajectories_are_refused() {
    let folder = folder("paths_bad_ros");
    let check = |content: String, line: usize, words: &[&str]| {
        folder.write("t.yaml", content);
        refused(&folder.avert("inspect r.urdf --paths t.yaml"), &format!("t.yaml:{line}"), words);
    };
    let with = |from: &str, to: &str, line: usize, words: &[&str]| {
        assert!(ECHO.contains(from));
        check(ECHO.replacen(from, to, 1), line, words);
    };
    with("- slide", "- slid", 7, &["joint_names: expected a joint of the robot, found `slid`"]);
    with("- slide\n", "", 7, &["joint_names: expected values of all joints, found none of `slide`"]);
    with("- slide", "- turn", 7, &["expected every joint once, found `turn` again"]);
    with("joint_names:", "joints:", 7, &["joints: expected one of header, joint_names, points, found `joints`"]);
    with("joint_names:\n- slide\n- turn\n", "", 1, &["expected the key `joint_names`, found none"]);
    with("velocities: []", "velocity: []", 13, &["points[0].velocity: expected one of positions,", "found `velocity`"]);
    with("  - 0.5\n", "", 11, &["points[0].positions: expected 2 numbers, one a joint, found 1"]);
    with("  - 0.5\n", "  - .nan\n", 11, &["points[0].positions[0]: expected a finite number, found `.nan`"]);
    with("  - -0.25\n", "  - '...'\n", 12, &["expected the whole trajectory, found `...`", "--full-length"]);
    with(
        "velocities: []",
        "velocities:\n  - 0",
        14,
        &["points[0].velocities: expected 2 numbers, one a joint, found 1"],
    );
    with(
        "accelerations: []",
        "accelerations: [0, 0]",
        10,
        &["points[0]: expected velocities beside the accelerations"],
    );
    with("positions:\n  - 0.5\n  - -0.25", "positions: []", 10, &["points[0]: expected positions, found none"]);
    with("nanosec: 500000000", "nanosec: -1", 29, &["points[1].time_from_start.nanosec: expected a whole number"]);
    with("sec: 1\n", "sec: 99999999999\n", 28, &["points[1].time_from_start: expected a time of less than 500 years"]);
    with("    sec: 1\n", "", 28, &["points[1].time_from_start: expected the key `sec`, found none"]);
    with(
        "sec: 1\n",
        "sec: 2\n",
        41,
        &["points[2].time_from_start: expected times that increase, found 2 s after 2.5 s"],
    );
    let one = ECHO.split("- positions:\n  - 0.75").next().unwrap().to_owned();
    check(one, 10, &["points: expected at least two points, found 1"]);
    check("points: [1, 2\n".to_owned(), 1, &["expected JSON or YAML, found a fault"]);
    check("joint_trajectory: 1\n".to_owned(), 1, &["joint_trajectory: expected a table, found `1`"]);
    let display = "joint_trajectory: {}\nstart: {}\n".to_owned();
    check(display, 2, &["start: expected one of joint_trajectory,", "found `start`"]);
    let wheels = "multi_dof_joint_trajectory: {points: [{}]}\njoint_trajectory: {}\n".to_owned();
    check(wheels, 1, &["multi_dof_joint_trajectory.points: expected single joints only"]);
    folder.write("t.yaml", "---\n");
    refused(&folder.avert("inspect r.urdf --paths t.yaml"), "t.yaml", &["expected at least one path, found none"]);
}

#[test]
fn the_shared_paths_are_read() {
    let Some(shared) = shared("the shared paths") else { return };
    let folder = folder("paths_shared");
    for name in ["shelf", "thin"] {
        let robot = format!("{shared}/models/panda_task/panda.urdf");
        let found = printed(&folder.avert(&format!("inspect {robot} --paths {shared}/queries/panda_{name}.csv")));
        has(&found, &["1000 paths", "0 2 2 1 0 0 1", "panda_joint7 rad"]);
        assert!(!found.contains("beyond"), "{found}");
    }
}
