//! What was checked, and how.

use super::scope;
use super::setup::Setup;
use crate::Check;
use crate::arm::BodyReport;
use crate::output::runs;
use crate::paths::JointPath;
use crate::table::count;
use avert::Scalar;
use avert::robot::{Scope, Workcell};
use std::fmt::Write;
use std::time::Duration;

pub(super) fn heading<S: Scalar>(
    request: &Check,
    setup: &Setup,
    cell: &Workcell<'_, S>,
    (scope, paths, threads): (Scope, &[JointPath], usize),
    built: Duration,
    warnings: &[String],
) -> String {
    let links: Vec<_> = setup.arm.bodies.iter().flatten().map(|body| &body.report).collect();
    let objects: Vec<_> = setup.obstacles.iter().map(|obstacle| &obstacle.body.report).collect();
    let all = || links.iter().chain(&objects).copied();
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "robot      {} ({}, {} with geometry: {})",
        request.robot.display(),
        count(setup.arm.bodies.len(), "link", "links"),
        links.len(),
        amounts(&links)
    );
    let (world, from) = (count(objects.len(), "object", "objects"), request.world.as_ref().unwrap_or(&request.robot));
    let _ = writeln!(text, "world      {} ({world}: {})", from.display(), amounts(&objects));
    text += &scope::describe(cell, scope);
    let error = all().map(|report| report.error).fold(0.0, f64::max);
    let _ = write!(text, "shapes     points are within {error:.1e} m of the files'");
    if let Some(worst) = all().filter(|r| r.excess > 0.0).max_by(|a, b| a.excess.total_cmp(&b.excess)) {
        let _ = write!(text, "; hulls reach at most {:.1e} m beyond the shapes ({})", worst.excess, worst.name);
    }
    text.push('\n');
    for (report, open) in all().flat_map(|report| report.open.iter().map(move |open| (report, open))) {
        let _ = writeln!(text, "surface    {}: {}: {}", report.name, open.file.display(), open.why);
    }
    let _ = writeln!(text, "ready      in {:.1} ms", built.as_secs_f64() * 1e3);
    let segments = paths.iter().map(|path| path.segments().count()).sum();
    let _ = writeln!(
        text,
        "checked    {} ({}), strategy {}, scalar {}, margin {} m, tolerance {} m, tracking {} rad or m",
        count(paths.len(), "path", "paths"),
        count(segments, "segment", "segments"),
        request.strategy.name(),
        request.scalar.name(),
        request.margin,
        request.tolerance,
        request.tracking,
    );
    let start = if request.warm { "each starts with the directions of others" } else { "each starts anew" };
    let _ = writeln!(text, "           {}, {}, {start}", count(threads, "thread", "threads"), runs(request.repeat));
    warnings.iter().for_each(|warning| {
        let _ = writeln!(text, "warning    {warning}");
    });
    text.push('\n');
    text
}

/// What bodies are made of, together.
fn amounts(reports: &[&BodyReport]) -> String {
    let sum = |of: fn(&BodyReport) -> usize| reports.iter().map(|report| of(report)).sum();
    [
        count(sum(|r| r.triangles), "triangle", "triangles"),
        count(sum(|r| r.hulls), "hull", "hulls"),
        count(sum(|r| r.points), "point", "points"),
        count(sum(|r| r.nodes), "node", "nodes"),
        count(sum(|r| r.bytes), "byte", "bytes"),
    ]
    .join(", ")
}
