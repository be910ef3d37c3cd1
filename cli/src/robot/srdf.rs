//! Pairs of links that may touch, from an SRDF file.
//!
//! Nothing else is read: groups, states and end effectors have no say in what may touch.

use super::RobotDescription;
use crate::error::InputError;
use crate::xml::{Xml, children, read_text};
use std::path::Path;

/// Two links whose contacts do not count.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct AllowedPair {
    /// Different links, the lower number first.
    pub(crate) links: [usize; 2],
    /// Why, as the file has it; may be empty.
    pub(crate) reason: String,
}

/// All of a file, each pair once.
#[derive(Debug, Default)]
pub(crate) struct AllowedPairs {
    pub(crate) pairs: Vec<AllowedPair>,
    /// What looks wrong and only means that more is checked. Each begins with the file and the line.
    pub(crate) warnings: Vec<String>,
}

impl AllowedPairs {
    pub(crate) fn read(file: &Path, robot: &RobotDescription) -> Result<Self, InputError> {
        let text = read_text(file, "SRDF file")?;
        let xml = Xml::parse(file, &text)?;
        let root = xml.root("robot")?;
        let mut found = Self::default();
        let warning = |node, what: String| xml.error(node, what).to_string();
        let name = root.attribute("name").unwrap_or_default();
        if name != robot.name {
            let what = format!("expected the robot's name `{}`, found `{name}`: is this the right file?", robot.name);
            found.warnings.push(warning(root, what));
        }
        for node in children(root, "disable_collisions") {
            let names = [xml.attribute(node, "link1")?, xml.attribute(node, "link2")?];
            let unknown: Vec<_> = names.iter().filter(|name| robot.link(name).is_none()).collect();
            if let Some(name) = unknown.first() {
                found.warnings.push(warning(node, format!("expected links of the robot, found `{name}`: passed over")));
            }
            let [Some(a), Some(b)] = names.map(|name| robot.link(name)) else { continue };
            if a == b {
                found
                    .warnings
                    .push(warning(node, format!("expected two links, found `{}` twice: passed over", names[0])));
                continue;
            }
            let links = [a.min(b), a.max(b)];
            if !found.pairs.iter().any(|pair| pair.links == links) {
                let reason = node.attribute("reason").unwrap_or_default().to_owned();
                found.pairs.push(AllowedPair { links, reason });
            }
        }
        // What a file enables is checked, whatever else it says.
        for node in children(root, "enable_collisions") {
            let pair = [xml.attribute(node, "link1")?, xml.attribute(node, "link2")?].map(|name| robot.link(name));
            found.pairs.retain(|allowed| !pair.iter().all(|link| allowed.links.iter().any(|l| Some(*l) == *link)));
        }
        for node in children(root, "disable_default_collisions") {
            let what = "expected <disable_collisions>, found <disable_default_collisions>: passed over".to_owned();
            found.warnings.push(warning(node, what));
        }
        Ok(found)
    }
}
