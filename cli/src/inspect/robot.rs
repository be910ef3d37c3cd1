//! Links, joints and allowed pairs.

use super::columns;
use crate::error::InputError;
use crate::mesh::UpAxis;
use crate::robot::{AllowedPairs, Collision, Joint, JointKind, RobotDescription};
use crate::table::{count, number, numbers, table};
use std::path::Path;

pub(super) fn describe(robot: &RobotDescription, up_axis: Option<UpAxis>) -> Result<String, InputError> {
    let independent = robot.independent();
    let root = robot.links.get(robot.root).map_or("", |link| &link.name);
    let mut text = format!(
        "robot `{}` from {}: {}, {} ({} with values of their own), root link `{root}`\n",
        robot.name,
        robot.file.display(),
        count(robot.links.len(), "link", "links"),
        count(robot.joints.len(), "joint", "joints"),
        independent.len(),
    );
    text += "\nlinks (positions in m, with all joints at zero, in the root's frame)\n";
    text += &links(robot);
    text += "\npieces (lengths in m, rpy in rad, in the link's frame; meshes as scaled)\n";
    text += &pieces(robot, up_axis)?;
    text += "\njoints (rad, m, rad/s, m/s; `index` is the number in a configuration)\n";
    text += &joints(robot, &independent);
    Ok(text)
}

fn links(robot: &RobotDescription) -> String {
    let frames = robot.frames(&[]);
    let rows: Vec<_> = robot
        .links
        .iter()
        .zip(&frames)
        .enumerate()
        .map(|(i, (link, frame))| {
            let by = robot.joints.iter().find(|joint| joint.child == i).map_or("(root)", |joint| &joint.name);
            let remark = match (link.collisions.is_empty(), link.from_visuals) {
                (true, _) => "touches nothing",
                (false, true) => "from visuals",
                (false, false) => "",
            };
            let pieces = link.collisions.len().to_string();
            vec![link.name.clone(), by.to_owned(), pieces, numbers(&frame.position), remark.to_owned()]
        })
        .collect();
    table(&["link", "moved by", "pieces", "position", ""], &rows)
}

fn pieces(robot: &RobotDescription, up_axis: Option<UpAxis>) -> Result<String, InputError> {
    let mut rows = Vec::new();
    for link in &robot.links {
        for Collision { origin, geometry, line } in &link.collisions {
            let [shape, triangles, size] = columns(geometry, up_axis)?;
            let (xyz, rpy) = (numbers(&origin.xyz), numbers(&origin.rpy));
            rows.push(vec![link.name.clone(), shape, triangles, xyz, rpy, size, line.to_string()]);
        }
    }
    Ok(table(&["link", "shape", "triangles", "xyz", "rpy", "size", "line"], &rows))
}

fn joints(robot: &RobotDescription, independent: &[usize]) -> String {
    let link = |i: usize| robot.links.get(i).map_or("", |link| &link.name);
    let row = |(i, joint): (usize, &Joint)| {
        let index = independent.iter().position(|own| *own == i).map_or("–".to_owned(), |index| index.to_string());
        let axis = if joint.kind == JointKind::Fixed { String::new() } else { numbers(&joint.axis) };
        let [lower, upper] = match joint.limits {
            Some(limits) => [limits.lower, limits.upper].map(number),
            None => [String::new(), String::new()],
        };
        let follows = joint.mimic.and_then(|mimic| {
            let other = &robot.joints.get(mimic.joint)?.name;
            Some(format!("{} × {other} + {}", number(mimic.multiplier), number(mimic.offset)))
        });
        let ends = format!("{} → {}", link(joint.parent), link(joint.child));
        let speed = joint.velocity.map_or(String::new(), number);
        let (name, kind) = (joint.name.clone(), joint.kind.name().to_owned());
        let (xyz, rpy) = (numbers(&joint.origin.xyz), numbers(&joint.origin.rpy));
        vec![index, name, kind, ends, xyz, rpy, axis, lower, upper, speed, follows.unwrap_or_default()]
    };
    let names =
        ["index", "joint", "kind", "parent → child", "xyz", "rpy", "axis", "lower", "upper", "max speed", "follows"];
    table(&names, &robot.joints.iter().enumerate().map(row).collect::<Vec<_>>())
}

pub(super) fn describe_allowed(robot: &RobotDescription, allowed: &AllowedPairs, file: &Path) -> String {
    let solid = robot.links.iter().filter(|link| !link.collisions.is_empty()).count();
    let has_pieces = |link: &usize| robot.links.get(*link).is_some_and(|link| !link.collisions.is_empty());
    let effective = allowed.pairs.iter().filter(|pair| pair.links.iter().all(has_pieces)).count();
    let all = solid * solid.saturating_sub(1) / 2;
    let mut text = format!(
        "\nallowed pairs from {}: {}; {} of {all} pairs of links with pieces are checked\n",
        file.display(),
        count(allowed.pairs.len(), "pair", "pairs"),
        all - effective,
    );
    let name = |link: usize| robot.links.get(link).map_or(String::new(), |link| link.name.clone());
    let rows: Vec<_> =
        allowed.pairs.iter().map(|pair| vec![name(pair.links[0]), name(pair.links[1]), pair.reason.clone()]).collect();
    text += &table(&["link", "link", "reason"], &rows);
    allowed.warnings.iter().for_each(|warning| text += &format!("warning: {warning}\n"));
    text
}
