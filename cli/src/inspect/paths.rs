//! Paths: how many, how long, and whether they keep to the limits.

use crate::paths::{Interpolation, JointPath, Knot};
use crate::robot::RobotDescription;
use crate::table::{count, number, table};
use std::path::Path;

/// More are not listed one by one.
const LISTED: usize = 20;

pub(super) fn describe(robot: &RobotDescription, paths: &[JointPath], file: &Path) -> String {
    let mut text = format!("\npaths from {}: {}\n", file.display(), count(paths.len(), "path", "paths"));
    let rows: Vec<_> = paths.iter().take(LISTED).map(row).collect();
    text += &table(&["id", "line", "knots", "linear", "cubic", "quintic", "seconds"], &rows);
    if paths.len() > LISTED {
        text += &format!("  … and {} more\n", paths.len() - LISTED);
    }
    text + "\njoints at the knots of all paths (rad, m)\n" + &ranges(robot, paths)
}

fn row(path: &JointPath) -> Vec<String> {
    let kinds = [Interpolation::Linear, Interpolation::Cubic, Interpolation::Quintic];
    let [linear, cubic, quintic] =
        kinds.map(|kind| path.segments().filter(|(found, ..)| *found == kind).count().to_string());
    let time = |knot: Option<&Knot>| knot.map_or(0, |knot| knot.nanoseconds);
    let seconds = (time(path.knots.last()) - time(path.knots.first())) as f64 / 1e9;
    vec![path.id.clone(), path.line.to_string(), path.knots.len().to_string(), linear, cubic, quintic, number(seconds)]
}

/// The least and greatest value of each joint beside its limits, and a path that goes beyond them.
fn ranges(robot: &RobotDescription, paths: &[JointPath]) -> String {
    let joints = robot.independent();
    let row = |(place, joint): (usize, &usize)| {
        let joint = robot.joints.get(*joint)?;
        let values = || {
            let knots = paths.iter().flat_map(|path| path.knots.iter().map(move |knot| (path, knot)));
            knots.filter_map(move |(path, knot)| Some((path, *knot.positions.get(place)?)))
        };
        let least = values().map(|(_, x)| x).fold(f64::INFINITY, f64::min);
        let most = values().map(|(_, x)| x).fold(f64::NEG_INFINITY, f64::max);
        let beyond = joint
            .limits
            .and_then(|limits| values().find(|(_, x)| *x < limits.lower || *x > limits.upper).map(|(path, _)| path));
        let remark = beyond.map_or(String::new(), |path| format!("beyond the limits in path `{}`", path.id));
        let [lower, upper] = match joint.limits {
            Some(limits) => [limits.lower, limits.upper].map(number),
            None => [String::new(), String::new()],
        };
        Some(vec![joint.name.clone(), joint.kind.unit().to_owned(), number(least), number(most), lower, upper, remark])
    };
    let rows: Vec<_> = joints.iter().enumerate().filter_map(row).collect();
    table(&["joint", "unit", "least", "greatest", "lower", "upper", ""], &rows)
}
