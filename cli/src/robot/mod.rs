//! Robots from URDF and SRDF files, described in plain `f64`.

mod joint;
mod link;
mod packages;
mod srdf;
mod tree;

pub(crate) use joint::{Joint, JointKind};
pub(crate) use link::{Collision, Link};
pub(crate) use packages::{Package, Packages};
pub(crate) use srdf::AllowedPairs;

use crate::error::InputError;
use crate::placement::Frame;
use crate::xml::{Xml, children, read_text};
use std::path::{Path, PathBuf};

/// What to do about a link that has visuals and no collision geometry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Visuals {
    /// Ask for a decision
    #[default]
    Refuse,
    /// Take the visuals for collision geometry
    Use,
    /// Check nothing for this link: it may touch anything
    Ignore,
}

/// How a robot is to be read.
#[derive(Debug, Default)]
pub(crate) struct Options {
    pub(crate) packages: Packages,
    pub(crate) visuals: Visuals,
}

/// A tree of links and joints.
///
/// All numbers are decimals of the file, each parsed to the next `f64`, except the axes (see [`Joint::axis`]).
#[derive(Debug)]
pub(crate) struct RobotDescription {
    pub(crate) file: PathBuf,
    pub(crate) name: String,
    /// In file order.
    pub(crate) links: Vec<Link>,
    /// Each after the joint that moves its parent; otherwise in file order.
    pub(crate) joints: Vec<Joint>,
    /// The link that no joint moves.
    pub(crate) root: usize,
}

impl RobotDescription {
    pub(crate) fn read(file: &Path, options: &Options) -> Result<Self, InputError> {
        let text = read_text(file, "URDF file")?;
        refuse_xacro_text(file, &text)?;
        let xml = Xml::parse(file, &text)?;
        let robot = xml.root("robot")?;
        refuse_xacro(&xml, robot)?;
        let mut links: Vec<Link> = Vec::new();
        for node in children(robot, "link") {
            let link = link::read(&xml, file, node, options)?;
            if let Some(first) = links.iter().find(|other| other.name == link.name) {
                let what = format!("expected every link once, found `{}` as on line {}", link.name, first.line);
                return Err(xml.error(node, what));
            }
            links.push(link);
        }
        let joints = joint::read_all(&xml, robot, &links)?;
        let (root, joints) = tree::order(file, &links, joints)?;
        let joints = joint::resolve_mimics(file, joints)?;
        Ok(Self { file: file.to_owned(), name: xml.attribute(robot, "name")?.to_owned(), links, joints, root })
    }

    /// The link of this name.
    pub(crate) fn link(&self, name: &str) -> Option<usize> {
        self.links.iter().position(|link| link.name == name)
    }

    /// The joints that have a value of their own, in order: not fixed and not mimics. A configuration has one value
    /// for each.
    pub(crate) fn independent(&self) -> Vec<usize> {
        let own = |joint: &Joint| joint.kind != JointKind::Fixed && joint.mimic.is_none();
        self.joints.iter().enumerate().filter(|(_, joint)| own(joint)).map(|(i, _)| i).collect()
    }

    /// Where the links are in the root's frame, for a value of each independent joint (zero where one is missing).
    pub(crate) fn frames(&self, configuration: &[f64]) -> Vec<Frame> {
        let mut values = vec![0.0; self.joints.len()];
        for (joint, value) in self.independent().into_iter().zip(configuration) {
            values.get_mut(joint).into_iter().for_each(|slot| *slot = *value);
        }
        let mut frames = vec![Frame::IDENTITY; self.links.len()];
        for (i, joint) in self.joints.iter().enumerate() {
            let own = |i: usize| values.get(i).copied().unwrap_or_default();
            let value = joint.mimic.map_or(own(i), |mimic| mimic.multiplier * own(mimic.joint) + mimic.offset);
            let parent = frames.get(joint.parent).copied().unwrap_or(Frame::IDENTITY);
            let moved = parent.then(&joint.origin.frame()).then(&joint.moved(value));
            frames.get_mut(joint.child).into_iter().for_each(|slot| *slot = moved);
        }
        frames
    }
}

const EXPAND: &str = "expected a plain URDF file, found xacro: expand it first (`xacro FILE.xacro > FILE.urdf`)";

/// A prefix that is nowhere declared is not even well-formed.
fn refuse_xacro_text(file: &Path, text: &str) -> Result<(), InputError> {
    let declared = text.contains("xmlns:xacro");
    match text.lines().position(|line| line.contains("<xacro:")).filter(|_| !declared) {
        Some(line) => Err(InputError::at(file, line + 1, EXPAND)),
        None => Ok(()),
    }
}

/// A declared prefix is no harm; an element or a placeholder is.
fn refuse_xacro(xml: &Xml<'_>, robot: roxmltree::Node<'_, '_>) -> Result<(), InputError> {
    for node in robot.descendants().filter(roxmltree::Node::is_element) {
        let in_namespace = node.tag_name().namespace().is_some_and(|uri| uri.contains("xacro"));
        if in_namespace {
            return Err(xml.error(node, format!("{EXPAND}: <xacro:{}>", node.tag_name().name())));
        }
        let placeholder = |text: &str| text.contains("${") || text.contains("$(");
        if let Some(attribute) = node.attributes().find(|a| placeholder(a.value())) {
            return Err(xml.error(node, format!("{EXPAND}: {}=\"{}\"", attribute.name(), attribute.value())));
        }
    }
    Ok(())
}

/// The numbers of an `<origin>`, zero where nothing is said.
fn origin(xml: &Xml<'_>, node: roxmltree::Node<'_, '_>) -> Result<crate::placement::Placement, InputError> {
    let Some(origin) = children(node, "origin").next() else { return Ok(Default::default()) };
    if let Some(second) = children(node, "origin").nth(1) {
        return Err(xml.error(second, "expected one <origin>, found another"));
    }
    if origin.attribute("quat_xyzw").is_some() {
        return Err(xml.error(origin, "<origin>: expected xyz and rpy, found `quat_xyzw`: write the rotation as rpy"));
    }
    let [xyz, rpy] = ["xyz", "rpy"].map(|name| xml.numbers::<3>(origin, name));
    Ok(crate::placement::Placement { xyz: xyz?.unwrap_or_default(), rpy: rpy?.unwrap_or_default() })
}
