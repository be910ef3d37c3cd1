//! A robot and its world as one baked file.

use super::format::Source;
use super::pairs::{Pairs, standing, suggestions};
use crate::Bake;
use crate::arm::{Arm, BakedRobot, BakedStorage, BodyReport, Obstacle, Wishes, independent, obstacles};
use crate::error::Failure;
use crate::robot::{AllowedPairs, Options, Packages, RobotDescription};
use crate::table::{count, table};
use crate::world::World;
use avert::robot::{RobotBlob, RobotSizes};
use avert::{Fix32, Fix64, Scalar};

/// Bakes and writes it, and says what became of it.
pub(super) fn run(request: &Bake) -> Result<String, Failure> {
    let options = Options { packages: Packages(request.packages.clone()), visuals: request.visuals };
    let robot = RobotDescription::read(&request.input, &options)?;
    let srdf = request.srdf.as_ref().map(|file| AllowedPairs::read(file, &robot)).transpose()?;
    let arm = Arm::new(&robot, srdf.as_ref(), request.up_axis)?;
    let world = request.world.as_ref().map(|file| World::read(file)).transpose()?;
    let world = world.map_or(Ok(Vec::new()), |world| obstacles(&world, request.up_axis))?;
    let wishes = Wishes { margin: request.margin.unwrap_or(0.0), payloads: request.payloads.unwrap_or(1) };
    let baked = BakedRobot::new(&robot, &arm, &world, wishes)?;
    let blob = baked.blob()?;
    let mut text = heading(&robot, &blob);
    text += &bodies(&arm, &world);
    text += &open(&arm, &world);
    {
        let mut storage = BakedStorage::<f64>::new(&blob);
        let refuse =
            |e| Failure::Argument(format!("{}: expected a robot that can be proved: {e}", robot.file.display()));
        let pairs = Pairs::new(&blob, &storage.cell(&blob).map_err(refuse)?);
        text += &pairs.describe(&blob, &standing(&baked, &pairs)?);
        match &srdf {
            Some(srdf) => srdf.warnings.iter().for_each(|warning| text += &format!("warning: {warning}\n")),
            None => text += &suggestions(&baked, &pairs)?,
        }
    }
    let proved = [proves::<f32>(&blob, "f32"), proves::<f64>(&blob, "f64")];
    let proved = proved.into_iter().chain([proves::<Fix32>(&blob, "fix32"), proves::<Fix64>(&blob, "fix64")]);
    text += &format!("\nproved   {}\n", proved.collect::<Vec<_>>().join(", "));
    let RobotSizes { links, allowed, objects, scratch } = blob.sizes();
    text += &format!(
        "storage  {links} links ({} for payloads), {allowed} pairs, {objects} objects, {scratch} indices of scratch\n",
        blob.payloads()
    );
    let constants = [
        ("LINKS", links, "Links, and places for payloads: of `Storage::links` and `Storage::parts`"),
        ("JOINTS", blob.links(), "Links of the robot, each with its joint: paths that a segment has"),
        ("PAIRS", allowed, "Pairs of links and payloads: of `Storage::allowed`"),
        ("OBJECTS", objects, "Objects of the world: of `Storage::objects`"),
        ("SCRATCH", scratch, "Indices of scratch that loading takes"),
    ];
    let origin = [Some(&request.input), request.srdf.as_ref(), request.world.as_ref()];
    let origin: Vec<_> = origin.into_iter().flatten().map(|file| file.display().to_string()).collect();
    let source = Source {
        name: "ROBOT",
        reader: "avert::robot::RobotBlob::parse",
        origin: &origin.join(", "),
        bytes: baked.bytes(),
        constants: &constants,
    };
    // Everything before can fail without a trace.
    super::write(request, &source)?;
    let models: usize = distinct(&arm, &world);
    let (out, bytes, models) = (request.out.display(), baked.bytes().len(), (blob.models(), models));
    text +=
        &format!("written  {out}: {bytes} bytes, of which {} in {}\n", models.1, count(models.0, "model", "models"));
    Ok(text)
}

fn heading(robot: &RobotDescription, blob: &RobotBlob<'_>) -> String {
    format!(
        "robot `{}` from {}: {}, {} with values of their own, {} around it\n",
        robot.name,
        robot.file.display(),
        count(blob.links(), "link", "links"),
        count(independent(blob).len(), "joint", "joints"),
        count(blob.objects(), "object", "objects"),
    )
}

/// How many bytes the models have of which bodies that are alike share one.
fn distinct(arm: &Arm, world: &[Obstacle]) -> usize {
    let links = arm.bodies.iter().flatten();
    let all: std::collections::HashSet<_> =
        links.chain(world.iter().map(|obstacle| &obstacle.body)).map(|body| &body.bytes).collect();
    all.into_iter().map(Vec::len).sum()
}

/// A row for each body.
fn bodies(arm: &Arm, world: &[Obstacle]) -> String {
    let metres = |x: f64| if x == 0.0 { "0".to_owned() } else { format!("{x:.1e}") };
    let row = |report: &BodyReport| {
        let BodyReport { name, triangles, hulls, points, nodes, bytes, error, excess, open } = report;
        let counts = [triangles, hulls, points, nodes, bytes].map(usize::to_string);
        let remark = if open.is_empty() { "" } else { "open: see below" };
        let end = [metres(*error), metres(*excess), remark.to_owned()];
        [name.clone()].into_iter().chain(counts).chain(end).collect::<Vec<_>>()
    };
    let mut text =
        "\nlinks (error: how far stored points may be from the file's; excess: how far hulls reach beyond the \
                    shapes; m)\n"
            .to_owned();
    let rows: Vec<_> = arm.bodies.iter().flatten().map(|body| row(&body.report)).collect();
    let names = |kind| [kind, "triangles", "hulls", "points", "nodes", "bytes", "error", "excess", ""];
    text += &table(&names("link"), &rows);
    let frames = arm.bodies.iter().filter(|body| body.is_none()).count();
    if frames > 0 {
        text += &format!("  {} without geometry, which touch nothing\n", count(frames, "link", "links"));
    }
    if !world.is_empty() {
        text += "\nobjects\n";
        text += &table(&names("object"), &world.iter().map(|o| row(&o.body.report)).collect::<Vec<_>>());
    }
    text
}

/// The meshes that are not full inside.
fn open(arm: &Arm, world: &[Obstacle]) -> String {
    let links = arm.bodies.iter().flatten();
    let reports = links.chain(world.iter().map(|obstacle| &obstacle.body)).map(|body| &body.report);
    let row = |report: &BodyReport| {
        let name = report.name.clone();
        report
            .open
            .iter()
            .map(move |open| vec![name.clone(), open.file.display().to_string(), open.why.to_string()])
            .collect::<Vec<_>>()
    };
    let rows: Vec<_> = reports.flat_map(row).collect();
    if rows.is_empty() {
        return "\nopen meshes: none\n".to_owned();
    }
    let heading = "\nopen meshes (surfaces, not solids: a body that starts wholly inside of one is not noticed)\n";
    heading.to_owned() + &table(&["body", "mesh", "why"], &rows)
}

/// Whether a scalar can use the robot.
fn proves<S: Scalar>(blob: &RobotBlob<'_>, name: &str) -> String {
    match BakedStorage::<S>::new(blob).cell(blob) {
        Ok(_) => name.to_owned(),
        Err(e) => format!("not in {name} ({e})"),
    }
}
