//! Baked robots: what is in the file.

use crate::arm::{body_name, independent, links};
use crate::table::{count, number, table};
use avert::hierarchy::Blob;
use avert::motion::{JointKind, LinkIndex};
use avert::robot::{BodyIndex, Margins, ObjectIndex, RobotBlob, RobotObject};
use std::path::Path;

pub(super) fn describe(file: &Path, blob: &RobotBlob<'_>) -> String {
    let Margins { world, own, payload } = blob.margins();
    let mut text = format!(
        "baked robot from {}: {}, {} with values of their own, {}, {}, {} for payloads\n",
        file.display(),
        count(blob.links(), "link", "links"),
        count(independent(blob).len(), "joint", "joints"),
        count(blob.objects(), "object", "objects"),
        count(blob.models(), "model", "models"),
        count(blob.payloads(), "place", "places"),
    );
    let [world, own, payload] = [world, own, payload].map(number);
    text += &format!("margins: links and objects {world}, links {own}, payloads {payload} m\n");
    text += "\nlinks and the joints that they hang on (rad, m; `index` is the number in a configuration)\n";
    let leads = independent(blob);
    let rows: Vec<_> = links(blob).map(|link| row(blob, &leads, link)).collect();
    text += &table(&["link", "index", "joint", "kind", "parent", "lower", "upper", "follows", "nodes", "bytes"], &rows);
    if blob.objects() > 0 {
        let objects = (0..=u16::MAX).map_while(|i| blob.object(ObjectIndex(i)));
        let row = |RobotObject { name, pose, model }: RobotObject<'_>| {
            let position = pose.position.to_array().map(|x| number(x.mid())).join(" ");
            let [nodes, bytes] = size(Some(model));
            vec![name.to_owned(), position, nodes, bytes]
        };
        text += "\nobjects (m)\n";
        text += &table(&["object", "position", "nodes", "bytes"], &objects.map(row).collect::<Vec<_>>());
    }
    let name = |link: LinkIndex| body_name(blob, BodyIndex::Link(link)).to_owned();
    let rows: Vec<_> = blob.allowed().map(|([a, b], reason)| vec![name(a), name(b), reason.to_string()]).collect();
    text += &format!("\nallowed pairs: {}\n", rows.len());
    text + &table(&["link", "link", "reason"], &rows)
}

fn row(blob: &RobotBlob<'_>, leads: &[LinkIndex], link: LinkIndex) -> Vec<String> {
    let name = |link: Option<LinkIndex>| link.and_then(|link| blob.link_name(link)).unwrap_or_default().to_owned();
    let joint = blob.joint(link);
    let kind = joint.map_or("", |joint| match joint.kind {
        JointKind::Fixed => "fixed",
        JointKind::Revolute => "revolute",
        JointKind::Prismatic => "prismatic",
    });
    let index = leads.iter().position(|own| *own == link).map_or("–".to_owned(), |index| index.to_string());
    let follows = joint.and_then(|joint| joint.mimic).map_or(String::new(), |mimic| {
        let driver = blob.joint_name(mimic.driver).unwrap_or_default();
        format!("{} × {driver} + {}", number(mimic.multiplier.mid()), number(mimic.offset.mid()))
    });
    let [lower, upper] = blob.limits(link).map_or([String::new(), String::new()], |limits| limits.map(number));
    let [nodes, bytes] = size(blob.model(link));
    let joint_name = blob.joint_name(link).unwrap_or_default().to_owned();
    let parent = name(joint.and_then(|joint| joint.parent));
    vec![name(Some(link)), index, joint_name, kind.to_owned(), parent, lower, upper, follows, nodes, bytes]
}

/// Nodes and bytes of a model.
fn size(model: Option<&[u8]>) -> [String; 2] {
    let Some(bytes) = model else { return [String::new(), String::new()] };
    let nodes = Blob::parse(bytes).map_or(0, |blob| blob.nodes());
    [nodes, bytes.len()].map(|n| n.to_string())
}
