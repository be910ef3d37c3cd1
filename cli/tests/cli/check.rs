//! `avert check`: a robot, a world and paths in, verdicts out.

use super::{Folder, has, refused, shared, text};
use std::f64::consts::FRAC_PI_2;
use std::fs;
use std::process::Output;

const HEADER: &str = "id,verdict,free_until,touch,name_a,name_b,ax,ay,az,bx,by,bz,nx,ny,nz,work,micros";
const PATHS: &str = "id,q0_shoulder,q0_elbow,q0_wrist,q1_shoulder,q1_elbow,q1_wrist";

/// An arm in the plane z = 0: a foot, and boxes of 0.1 by 0.1 along x: `upper` up to the elbow at 1, `fore` up to the wrist at 1.6,
/// and a cube around the wrist.
fn arm(limit: f64) -> String {
    let piece = |length: f64, middle: f64| {
        format!(
            "<collision><origin xyz=\"{middle} 0 0\"/><geometry><box size=\"{length} 0.1 0.1\"/></geometry></collision>"
        )
    };
    let joint = |name: &str, ends: [&str; 2], x: f64| {
        format!(
            "<joint name=\"{name}\" type=\"revolute\"><parent link=\"{}\"/><child link=\"{}\"/><origin xyz=\"{x} 0 0\"/>\
             <axis xyz=\"0 0 1\"/><limit lower=\"{}\" upper=\"{limit}\"/></joint>\n",
            ends[0], ends[1], -limit
        )
    };
    let foot = "<collision><geometry><box size=\"0.2 0.2 0.2\"/></geometry></collision>";
    format!(
        "<robot name=\"planar\">\n<link name=\"foot\">{foot}</link>\n<link name=\"upper\">{}</link>\n<link name=\"fore\">{}</link>\n\
         <link name=\"tip\">{}</link>\n{}{}{}</robot>\n",
        piece(0.75, 0.575),
        piece(0.45, 0.275),
        piece(0.1, 0.0),
        joint("shoulder", ["foot", "upper"], 0.0),
        joint("elbow", ["upper", "fore"], 1.0),
        joint("wrist", ["fore", "tip"], 0.6)
    )
}

/// A point at a distance from the shoulder and an angle that the arm reaches when it has turned by `turn`: there, 0.05 + `gap` is
/// between the point and the middle of the arm.
fn ahead(turn: f64, gap: f64) -> (f64, f64) {
    let angle = turn + ((0.05 + gap) / 0.8_f64).asin();
    (0.8 * angle.cos(), 0.8 * angle.sin())
}

/// A world of one ball (of a radius that may be zero).
fn ball((x, y): (f64, f64), radius: f64) -> String {
    format!("{{\"points\": [{{\"name\": \"mark\", \"xyz\": [{x}, {y}, 0], \"radius\": {radius}}}]}}")
}

impl Folder {
    /// The arm, and a mark that it touches when it has turned by 0.75.
    fn with_arm(test: &str) -> Self {
        let folder = Self::new(test);
        folder.write("arm.urdf", arm(3.2)).write("world.json", ball(ahead(0.75, 0.0), 0.0));
        folder.write("p.csv", format!("{PATHS}\nfree,0,0,0,0.5,0,0\nhit,0,0,0,1.5,0,0\n"));
        folder
    }

    /// `avert check` of the arm, its world and its paths.
    fn check(&self, more: &str) -> Output {
        self.avert(&format!("check arm.urdf --world world.json --paths p.csv {more}"))
    }
}

fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(HEADER));
    let rows: Vec<Vec<_>> = lines.map(|line| line.split(',').map(str::to_owned).collect()).collect();
    assert!(rows.iter().all(|row| row.len() == 17), "{csv}");
    rows
}

/// The rows on stdout, after the exit code that they call for.
fn checked(output: &Output) -> Vec<Vec<String>> {
    let rows = rows(&text(&output.stdout));
    let code = i32::from(rows.iter().any(|row| row[1] != "free"));
    assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
    rows
}

fn number(text: &str) -> f64 {
    text.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// The rows without `micros`.
fn lasting(rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    rows.into_iter().map(|row| row[..16].to_vec()).collect()
}

/// A contact of these bodies at a moment, found so much before it at most.
fn is_contact(row: &[String], names: [&str; 2], moment: f64, early: f64) {
    assert_eq!([&row[1], &row[4], &row[5]], ["contact", names[0], names[1]], "{row:?}");
    let (free_until, touch) = (number(&row[2]), number(&row[3]));
    assert!(free_until <= touch && touch <= moment + 1e-6 && moment - early <= free_until, "{row:?} {moment}");
}

#[test]
fn free_and_contact_in_all_scalars() {
    let folder = Folder::with_arm("check_scalars");
    for scalar in ["f32", "f64", "fix64"] {
        let found = checked(&folder.check(&format!("--scalar {scalar}")));
        let [free, hit] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(free[..3], ["free", "free", "1"]);
        assert!(free[3..15].iter().all(String::is_empty) && number(&free[15]) > 0.0, "{free:?}");
        // 1.2 m in a unit of time, at 0.8 m: a tolerance of 0.1 mm is 0.00009.
        is_contact(hit, ["upper", "mark"], 0.5, 0.0002);
    }
    folder.write("p.csv", format!("{PATHS}\na,0,0,0,0.5,0,0\nb,0,0,0,0.25,0,0\n"));
    assert_eq!(checked(&folder.check("")).len(), 2);
}

#[test]
fn witnesses_are_where_the_surfaces_are_near() {
    let folder = Folder::with_arm("check_witness");
    folder.write("world.json", ball(ahead(0.75, 0.1), 0.1));
    let found = checked(&folder.check(""));
    let hit = &found[1];
    is_contact(hit, ["upper", "mark"], 0.5, 0.0002);
    let three = |from: usize| [0, 1, 2].map(|i| number(&hit[from + i]));
    let ([ax, ay, az], [bx, by, bz], [nx, ny, nz]) = (three(6), three(9), three(12));
    // On the side of the arm that faces the ball, at the distance along it where the ball is.
    let (sin, cos) = 0.75_f64.sin_cos();
    let along = (0.8_f64 * 0.8 - 0.15 * 0.15).sqrt();
    let truth = [along * cos - 0.05 * sin, along * sin + 0.05 * cos];
    for [x, y, z] in [[ax, ay, az], [bx, by, bz]] {
        assert!((x - truth[0]).hypot(y - truth[1]) < 3e-4 && z.abs() < 0.051, "{hit:?} {truth:?}");
    }
    assert!((nx + sin).abs() < 1e-3 && (ny - cos).abs() < 1e-3 && nz.abs() < 1e-3, "{hit:?}");
    assert!((nx * nx + ny * ny + nz * nz - 1.0).abs() < 1e-6, "{hit:?}");
}

#[test]
fn margins_and_tracking_tolerances_count() {
    let folder = Folder::with_arm("check_margin");
    // The mark is 0.02 further away than before: with this margin the contact is where it was.
    folder.write("world.json", ball(ahead(0.75, 0.02), 0.0));
    is_contact(&checked(&folder.check("--margin 0.02"))[1], ["upper", "mark"], 0.5, 0.0002);
    let plain = number(&checked(&folder.check(""))[1][2]);
    assert!(plain > 0.51, "{plain}");
    // The shoulder 0.03 rad ahead: at 0.8 m that is 0.024 m.
    let found = checked(&folder.check("--tracking 0.03"));
    let (free_until, touch) = (number(&found[1][2]), found[1][3].parse::<f64>());
    assert!(free_until < plain - 0.015, "{found:?}");
    assert!(touch.is_err() || touch.is_ok_and(|touch| touch > plain - 0.001), "{found:?}");
    for (option, unit) in [("--margin", "metres"), ("--tolerance", "metres"), ("--tracking", "radians or metres")] {
        let words =
            [&format!("expected at least 0 and less than 1.073741824e9 {unit} for f32, found 1e12"), "--scalar f64"];
        refused(&folder.check(&format!("{option} 1e12")), option, &words);
    }
}

#[test]
fn a_folding_arm_touches_itself() {
    let folder = Folder::with_arm("check_fold");
    // The wrist turns back as the elbow turns, so that the cube stays along x, and comes down on the upper arm when
    // 0.6·sin(elbow) = 0.1.
    folder.write("p.csv", format!("{PATHS}\nfold,0,{FRAC_PI_2},-{FRAC_PI_2},0,3.1,-3.1\n"));
    let output = folder.check("");
    let found = checked(&output);
    let turned = std::f64::consts::PI - (1.0_f64 / 6.0).asin();
    is_contact(&found[0], ["upper", "tip"], (turned - FRAC_PI_2) / (3.1 - FRAC_PI_2), 0.0005);
    let summary = text(&output.stderr);
    has(&summary, &["3 pairs of links and 3 of links and objects", "pairs of links: 3 adjacent"]);
    let output = folder.check("--no-self");
    assert_eq!(checked(&output)[0][1], "free");
    has(&text(&output.stderr), &["no pairs of links (--no-self) and 3 of links and objects"]);
    // The SRDF file has the last word.
    folder.write("arm.srdf", "<robot name=\"planar\">\n<disable_collisions link1=\"tip\" link2=\"upper\" reason=\"Never\"/>\n<disable_collisions link1=\"upper\" link2=\"fore\" reason=\"Adjacent\"/>\n</robot>");
    let output = folder.check("--srdf arm.srdf");
    assert_eq!(checked(&output)[0][1], "free");
    has(&text(&output.stderr), &["4 pairs of links", "pairs of links: 1 adjacent, 1 never in contact"]);
}

const TRAJECTORY: &str = "\
joint_names: [wrist, shoulder, elbow]
points:
- positions: [0, 0, 0]
  velocities: [0, 0, 0]
  time_from_start: {sec: 0, nanosec: 0}
- positions: [0, 0.5, 0]
  velocities: [0, 0, 0]
  time_from_start: {sec: 2, nanosec: 0}
- positions: [0, 1.0, 0]
  velocities: [0, 0, 0]
  time_from_start: {sec: 3, nanosec: 0}
- positions: [0, 0.25, 0]
  velocities: [0, 0, 0]
  time_from_start: {sec: 4, nanosec: 0}
";

#[test]
fn trajectories_tell_segment_and_time() {
    let folder = Folder::with_arm("check_trajectory");
    // From 0.5 to 1 as 0.5 + 0.5·(3u² − 2u³), which is 0.75 at u = ½.
    folder.write("t.yaml", format!("{TRAJECTORY}---\n{}", TRAJECTORY.replace("1.0", "0.6")));
    let output = folder.avert("check arm.urdf --world world.json --paths t.yaml");
    let found = checked(&output);
    is_contact(&found[0], ["upper", "mark"], 1.5, 0.0003);
    assert_eq!(found[1][..4], ["1", "free", "3", ""]);
    has(&text(&output.stderr), &["2 paths (6 segments)"]);
}

#[test]
fn what_stands_is_looked_at_once() {
    let folder = Folder::with_arm("check_standing");
    folder.write("p.csv", format!("{PATHS}\na,0,0,0,0.5,0,0\n"));
    let table = "{\"boxes\": [{\"name\": \"table\", \"size\": [4, 4, 0.2], \"xyz\": [0, 0, -0.2]},
        {\"name\": \"far\", \"size\": [1, 1, 1], \"xyz\": [9, 0, 0]}, {\"name\": \"wall\", \"size\": [0.1, 4, 4], \"xyz\": [-0.16, 0, 0]}]}";
    folder.write("world.json", table);
    let output = folder.check("--out r.csv");
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let summary = text(&output.stdout);
    has(&summary, &["3 pairs of links and objects that do not move against each other: looked at once"]);
    let said = "foot and table are closer than the margin and do not move against each other";
    assert!(summary.contains(&format!("warning    {said}")) && summary.matches("warning").count() == 1, "{summary}");
    let summary = text(&folder.check("--margin 0.02 --out r.csv").stdout);
    assert!(summary.contains(said) && summary.contains("foot and wall are closer"), "{summary}");
}

#[test]
fn rows_do_not_depend_on_threads_or_on_what_was_before() {
    let folder = Folder::with_arm("check_threads");
    let mut lines = vec![PATHS.to_owned()];
    for i in 0..60 {
        let x = |k: usize| (f64::from(i) * 0.37 + 1.3 * k as f64).sin() * 1.5;
        lines.push(format!("{i},{},{},{},{},{},{}", x(0), x(1), x(2), x(3), x(4), x(5)));
    }
    folder.write("p.csv", lines.join("\n"));
    let one = lasting(checked(&folder.check("--threads 1")));
    let ids: Vec<_> = one.iter().map(|row| row[0].clone()).collect();
    assert_eq!(ids, (0..60).map(|i| i.to_string()).collect::<Vec<_>>());
    assert!(one.iter().any(|row| row[1] == "free") && one.iter().any(|row| row[1] == "contact"));
    assert_eq!(one, lasting(checked(&folder.check("--threads 4"))));
    assert_eq!(one, lasting(checked(&folder.check("--threads 1 --repeat 2"))));
    let header = lines.remove(0);
    lines.reverse();
    folder.write("p.csv", format!("{header}\n{}\n", lines.join("\n")));
    let mut reversed = lasting(checked(&folder.check("")));
    reversed.reverse();
    assert_eq!(one, reversed);
    // Verdicts stay what they are.
    let warm = checked(&folder.check("--warm --threads 1"));
    assert!(warm.iter().rev().zip(&one).all(|(a, b)| a[..2] == b[..2]), "{warm:?}");
}

#[test]
fn the_world_may_be_a_mesh_and_the_robot_may_have_some() {
    let folder = Folder::with_arm("check_meshes");
    // A block with a notch: closed, and not convex.
    let notched = "v 0 0 0\nv 2 0 0\nv 2 0 1\nv 1 0 0.5\nv 0 0 1\nv 0 2 0\nv 2 2 0\nv 2 2 1\nv 1 2 0.5\nv 0 2 1\n\
        f 1 2 4\nf 2 3 4\nf 1 4 5\nf 6 9 7\nf 7 9 8\nf 6 10 9\nf 1 6 2\nf 2 6 7\nf 2 7 3\nf 3 7 8\nf 3 8 4\nf 4 8 9\n\
        f 4 9 5\nf 5 9 10\nf 5 10 1\nf 1 10 6\n";
    folder.write("notched.obj", notched).write("world.obj", notched.replace("v 0", "v 0.7").replace("v 1", "v 1.2"));
    let mesh = "<origin xyz=\"0 -0.05 -0.03\"/><geometry><mesh filename=\"notched.obj\" scale=\"0.3 0.05 0.06\"/>";
    let arm = arm(3.2).replace("<origin xyz=\"0.275 0 0\"/><geometry><box size=\"0.45 0.1 0.1\"/>", mesh);
    assert!(arm.contains("notched.obj"));
    folder.write("arm.urdf", arm);
    let row = |i: i32| format!("{i},-2,{},0,{},0,1", 0.02 * f64::from(i), -0.3 + 0.02 * f64::from(i));
    folder.write("p.csv", format!("{PATHS}\n{}\n", (0..40).map(row).collect::<Vec<_>>().join("\n")));
    let output = folder.avert("check arm.urdf --world world.obj --paths p.csv");
    let found = checked(&output);
    assert!(found.iter().all(|row| row[1] == "free" || row[1] == "contact"), "{found:?}");
    assert!(found.iter().any(|row| row[1] == "contact" && row[5] == "world"), "{found:?}");
    // One triangle less is a surface, which the summary tells.
    let (open, _) = notched.trim_end().rsplit_once('\n').unwrap();
    folder.write("world.obj", open);
    let output = folder.avert("check arm.urdf --world world.obj --paths p.csv");
    has(&text(&output.stderr), &["surface    world: world.obj: the mesh is open"]);
}

#[test]
fn out_takes_the_rows_and_leaves_the_summary_on_stdout() {
    let folder = Folder::with_arm("check_out");
    let output = folder.check("--out r.csv --repeat 2 --threads 2");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    assert!(output.stderr.is_empty());
    assert_eq!(rows(&fs::read_to_string(folder.0.join("r.csv")).unwrap()).len(), 2);
    let summary = text(&output.stdout);
    has(
        &summary,
        &[
            "robot      arm.urdf (4 links, 4 with geometry: 0 triangles, 4 hulls",
            "world      world.json (1 object: ",
            "standing   1 pair of links",
            "2 paths (2 segments), strategy chord, scalar f32, margin 0 m, tolerance 0.0001 m, tracking 0 rad or m",
            "2 threads, each run 2 times (the least time counts), each starts anew",
            "kernel calls",
            "median µs",
        ],
    );
    let count = |verdict: &str| {
        let line = summary.lines().find(|line| line.split_whitespace().next() == Some(verdict)).unwrap();
        line.split_whitespace().nth(1).unwrap().to_owned()
    };
    assert_eq!([count("free"), count("contact"), count("undecided")], ["1", "1", "0"]);
}

#[test]
fn bad_input_is_refused_and_nothing_is_written() {
    let folder = Folder::with_arm("check_bad");
    let refuse = |name: &str, content: &str, place: &str, words: &[&str]| {
        let good = fs::read_to_string(folder.0.join(name)).unwrap();
        folder.write(name, content);
        refused(&folder.check("--out never.csv"), place, words);
        assert!(!folder.0.join("never.csv").exists());
        folder.write(name, good);
    };
    let good = "a,0,0,0,1,0,0";
    let paths = |row: &str, place: &str, words: &[&str]| {
        refuse("p.csv", &format!("{PATHS}\n{good}\n{row}\n"), place, words);
    };
    paths(
        "b,0,0,0,0,3.5,0",
        "p.csv:3",
        &["path `b`: joint `elbow`: expected values from -3.2 to 3.2 rad, found 3.5\n"],
    );
    paths(
        "b,-9,0,0,0,0,0",
        "p.csv:3",
        &["path `b`: joint `shoulder`: expected values from -3.2 to 3.2 rad, found -9\n"],
    );
    paths("b,0,0,0,NaN,0,0", "p.csv:3", &["column 5 (q1_shoulder): expected a finite number, found `NaN`"]);
    paths("b,0,0,0,0,0", "p.csv:3", &["expected 7 fields, found 6"]);
    paths("b,0,0,0,1e30,0,0", "p.csv:3", &["path `b`: joint `shoulder`: ", "too large for this scalar"]);
    let header = |from: &str, to: &str, words: &[&str]| {
        refuse("p.csv", &format!("{}\n{good}\n", PATHS.replace(from, to)), "p.csv:1", words);
    };
    header("q0_elbow", "q0_knee", &["expected a joint of the robot, found `knee`"]);
    header("q1_wrist", "wrist", &["columns q1_…: expected values of all joints, found none of `wrist`"]);
    let urdf = arm(3.2);
    let robot = |from: &str, to: &str, line: usize, words: &[&str]| {
        assert!(urdf.contains(from));
        refuse("arm.urdf", &urdf.replacen(from, to, 1), &format!("arm.urdf:{line}"), words);
    };
    robot("<box size=\"0.75 0.1 0.1\"/>", "<mesh filename=\"none.stl\"/>", 3, &["none.stl"]);
    robot("<box size=\"0.75 0.1 0.1\"/>", "<box size=\"0.75 NaN 0.1\"/>", 3, &["NaN"]);
    robot("child link=\"tip\"", "child link=\"top\"", 8, &["`top`"]);
    robot("</robot>", "</robt>", 9, &[]);
    refuse("world.json", "{\"boxes\": [{\"name\": \"b\", \"size\": [1, 1]}]}", "world.json:1", &["boxes[0].size"]);
    refused(&folder.avert("check none.urdf --world world.json --paths p.csv"), "none.urdf", &["cannot read"]);
    refused(&folder.avert("check arm.urdf --world none.json --paths p.csv"), "none.json", &["cannot read"]);
    refused(&folder.avert("check arm.urdf --world world.json --paths none.csv"), "none.csv", &["cannot read"]);
    // By number, and held.
    folder.write("p.csv", "id,q0_0,q1_0\nx,0,0.5\n");
    assert_eq!(checked(&folder.check("--joint elbow=0.5 --joint wrist=0"))[0][..3], ["x", "free", "1"]);
    refused(&folder.check("--joint elbow=4 --joint wrist=0"), "p.csv:2", &["joint `elbow`", "found 4\n"]);
}

#[test]
fn a_trajectory_beyond_a_limit_is_refused_with_its_point() {
    let folder = Folder::with_arm("check_limits");
    folder.write("arm.urdf", arm(2.0));
    let refuse = |from: &str, to: &str, line: usize, words: &str| {
        assert!(TRAJECTORY.contains(from));
        folder.write("t.yaml", TRAJECTORY.replace(from, to));
        let output = folder.avert("check arm.urdf --world world.json --paths t.yaml");
        let message = format!("path `0`, {words}\n");
        refused(&output, &format!("t.yaml:{line}"), &[&message]);
    };
    let expected = "joint `shoulder`: expected values from -2 to 2 rad, found";
    refuse("1.0", "2.25", 9, &format!("segment 1: {expected} 2.25"));
    refuse("[0, 0, 0]\n  velocities", "[0, -2.5, 0]\n  velocities", 3, &format!("segment 0: {expected} -2.5"));
    // Both ends are within, and the way is not: 1.9 + 4·u − 12.95·u² + 7.3·u³.
    let fast = "[0, 1.9, 0]\n  velocities: [0, 4, 0]\n  time_from_start: {sec: 3";
    refuse(
        "[0, 1.0, 0]\n  velocities: [0, 0, 0]\n  time_from_start: {sec: 3",
        fast,
        12,
        &format!("segment 2: {expected} 2.243057"),
    );
}

#[test]
fn bad_arguments_are_refused_and_exit_codes_tell() {
    let folder = Folder::with_arm("check_arguments");
    for (more, word) in [
        ("--margin=-1", "not negative"),
        ("--tracking nan", "radians or metres"),
        ("--repeat 0", "--repeat"),
        ("--threads 0", "--threads"),
        ("--strategy hca", "chord"),
        ("--scalar f16", "f32"),
        ("--warm --repeat 2", "--repeat"),
        ("--out arm.urdf", "overwrite the robot"),
        ("--out world.json", "overwrite --world"),
        ("--out p.csv", "overwrite --paths"),
    ] {
        let output = folder.check(more);
        assert_eq!(output.status.code(), Some(2), "{more}");
        assert!(text(&output.stderr).contains(word), "{more}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
    }
    let unwritable = folder.check("--out missing/r.csv");
    assert_eq!(unwritable.status.code(), Some(3));
    assert!(text(&unwritable.stderr).contains("r.csv"));
    let help = folder.avert("check --help");
    assert_eq!(help.status.code(), Some(0));
    has(&text(&help.stdout), &["EXIT CODES", "A moment is k + u", "--tracking", "EXAMPLE", "--warm"]);
}

/// The rows of a truth file that are needed here: whether the path collides, when first, and the least clearance seen.
fn truth(file: &str) -> Vec<(bool, f64, f64)> {
    let text = fs::read_to_string(file).unwrap();
    let fields = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
    fields.map(|f| (f[1] == "1", f[3].parse().unwrap_or(f64::INFINITY), f[5].parse().unwrap_or(0.0))).collect()
}

#[test]
fn the_shared_paths_agree_with_their_truth() {
    let Some(shared) = shared("the truth of the shared paths") else { return };
    let folder = Folder::new("check_panda");
    let task = format!("{shared}/models/panda_task");
    for world in ["shelf", "thin"] {
        let queries = format!("{shared}/queries/panda_{world}");
        let output = folder.avert(&format!(
            "check {task}/panda.urdf --srdf {task}/panda.srdf --world {task}/world/{world}.json --paths {queries}.csv --no-self"
        ));
        let (found, truth) = (checked(&output), truth(&format!("{queries}_truth.csv")));
        assert!(found.len() == 1000 && truth.len() == 1000);
        for (row, (collides, first, clearance)) in found.iter().zip(truth) {
            match row[1].as_str() {
                "free" => assert!(!collides, "false free: {row:?}"),
                "contact" => {
                    // The truth's times have nine decimals. Without a collision there is a clearance below the tolerance, and
                    // what hulls reach beyond the meshes.
                    assert!(number(&row[2]) <= first + 1e-9, "late: {row:?} {first}");
                    assert!(collides || clearance < 2e-4, "false contact: {row:?} {clearance}");
                }
                _ => panic!("undecided: {row:?}"),
            }
        }
    }
}

#[test]
fn the_shared_panda_with_packages_is_checked_in_one_command() {
    let Some(shared) = shared("paths of the shared panda with packages") else { return };
    let folder = Folder::new("check_packages");
    let (panda, task) = (format!("{shared}/models/panda"), format!("{shared}/models/panda_task"));
    let output = folder.avert(&format!(
        "check {panda}/urdf/panda.urdf --srdf {panda}/srdf/panda.srdf --package example-robot-data/robots/panda_description={panda} \
         --world {task}/world/shelf.json --paths {shared}/queries/panda_shelf.csv --joint panda_finger_joint1=0.02"
    ));
    let found = checked(&output);
    let count = |verdict: &str| found.iter().filter(|row| row[1] == verdict).count();
    // The robot's shapes are others than those of the truth, but not by much.
    assert!(count("free") > 500 && count("contact") > 350 && count("free") + count("contact") == 1000);
    has(
        &text(&output.stderr),
        &["20 pairs of links and 490 of links and objects", "3 in contact by default, 22 never in contact"],
    );
}
