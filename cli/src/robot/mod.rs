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
use crate::placement::{Frame, Placement};
use crate::xml::{Xml, children, read_text};
use roxmltree::Node;
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
        let xml = Xml::parse(file, &text).map_err(|error| undeclared_xacro(file, &text).unwrap_or(error))?;
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
fn undeclared_xacro(file: &Path, text: &str) -> Option<InputError> {
    let line = text.lines().position(|line| line.contains("<xacro:"))?;
    Some(InputError::at(file, line + 1, EXPAND))
}

/// A declared prefix is no harm; an element or a placeholder is.
fn refuse_xacro(xml: &Xml<'_>, robot: Node<'_, '_>) -> Result<(), InputError> {
    for node in robot.descendants().filter(Node::is_element) {
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
fn origin<'t>(xml: &Xml<'t>, node: Node<'_, 't>) -> Result<Placement, InputError> {
    let Some(origin) = xml.child(node, "origin")? else { return Ok(Placement::default()) };
    if origin.attribute("quat_xyzw").is_some() {
        return Err(xml.error(origin, "<origin>: expected xyz and rpy, found `quat_xyzw`: write the rotation as rpy"));
    }
    let [xyz, rpy] = ["xyz", "rpy"].map(|name| xml.numbers::<3>(origin, name));
    Ok(Placement { xyz: xyz?.unwrap_or_default(), rpy: rpy?.unwrap_or_default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The panda's flange by its maker's table of Denavit and Hartenberg (Craig's convention), as rows of a 3×4 matrix.
    fn flange(q: [f64; 7]) -> [[f64; 4]; 3] {
        use std::f64::consts::FRAC_PI_2;
        let (a, d) =
            ([0.0, 0.0, 0.0, 0.0825, -0.0825, 0.0, 0.088, 0.0], [0.333, 0.0, 0.316, 0.0, 0.384, 0.0, 0.0, 0.107]);
        let twist = [0.0, -1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 0.0];
        let mut t = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];
        for i in 0..8 {
            let ((st, ct), (sa, ca)) = (q.get(i).copied().unwrap_or(0.0).sin_cos(), (twist[i] * FRAC_PI_2).sin_cos());
            let step = [[ct, -st, 0.0, a[i]], [st * ca, ct * ca, -sa, -d[i] * sa], [st * sa, ct * sa, ca, d[i] * ca]];
            t = t.map(|row| {
                std::array::from_fn(|j| {
                    (0..3).map(|k| row[k] * step[k][j]).sum::<f64>() + if j == 3 { row[3] } else { 0.0 }
                })
            });
        }
        t
    }

    #[test]
    fn frames_agree_with_the_pandas_table() {
        let shared = avert_host_tests::shared().map(|folder| folder.join("models"));
        let Some(models) = shared.filter(|models| models.join("panda_task/panda.urdf").is_file()) else {
            return avert_host_tests::skip("frames of the shared pandas", "no folder `shared` beside the clone");
        };
        let part: Package =
            format!("example-robot-data/robots/panda_description={}", models.join("panda").display()).parse().unwrap();
        let options = Options { packages: Packages(vec![part]), visuals: Visuals::Refuse };
        let zero = flange([0.0; 7]);
        assert!(zero.iter().zip([0.088, 0.0, 0.926]).all(|(row, x)| (row[3] - x).abs() < 1e-12), "{zero:?}");
        for file in ["panda_task/panda.urdf", "panda/urdf/panda.urdf", "panda/urdf/panda_collision.urdf"] {
            let robot = RobotDescription::read(&models.join(file), &options).unwrap();
            let hand = robot.link("panda_link8").unwrap();
            for i in 0..100 {
                let q: [f64; 7] = std::array::from_fn(|j| f64::from(i) * (0.1 + 0.37 * j as f64).sin());
                let frame = robot.frames(&q)[hand];
                for ((row, x), truth) in frame.rotation.iter().zip(frame.position).zip(flange(q)) {
                    let found = [row[0], row[1], row[2], x];
                    // One file has eleven decimals of π/2.
                    assert!(found.iter().zip(truth).all(|(a, b)| (a - b).abs() < 1e-9), "{file} {q:?}");
                }
            }
        }
    }

    #[test]
    fn mimics_and_sliders_move() {
        let shared = avert_host_tests::shared().map(|folder| folder.join("models/panda"));
        let Some(panda) = shared.filter(|panda| panda.is_dir()) else {
            return avert_host_tests::skip("fingers of the shared panda", "no folder `shared` beside the clone");
        };
        let part = format!("example-robot-data/robots/panda_description={}", panda.display()).parse().unwrap();
        let options = Options { packages: Packages(vec![part]), ..Options::default() };
        let robot = RobotDescription::read(&panda.join("urdf/panda.urdf"), &options).unwrap();
        let frames = robot.frames(&[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.03]);
        let [left, right] =
            ["panda_leftfinger", "panda_rightfinger"].map(|name| frames[robot.link(name).unwrap()].position);
        // The hand is turned by an eighth; the fingers go apart by 2 · 0.03.
        let apart = left.iter().zip(right).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt();
        assert!((apart - 0.06).abs() < 1e-12 && (left[2] - 0.8676).abs() < 1e-12, "{left:?} {right:?}");
    }
}
