//! Joints.

use super::{Link, origin};
use crate::error::InputError;
use crate::placement::{Frame, Placement};
use crate::xml::{Xml, children};
use roxmltree::Node;
use std::path::Path;

/// How a joint moves its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointKind {
    Fixed,
    /// About the axis, within limits.
    Revolute,
    /// About the axis, without limits.
    Continuous,
    /// Along the axis, within limits.
    Prismatic,
}

impl JointKind {
    /// As in URDF.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Revolute => "revolute",
            Self::Continuous => "continuous",
            Self::Prismatic => "prismatic",
        }
    }

    /// Of its values.
    pub(crate) fn unit(self) -> &'static str {
        match self {
            Self::Fixed => "",
            Self::Revolute | Self::Continuous => "rad",
            Self::Prismatic => "m",
        }
    }
}

/// Between two links.
#[derive(Debug)]
pub(crate) struct Joint {
    pub(crate) name: String,
    pub(crate) kind: JointKind,
    /// A link.
    pub(crate) parent: usize,
    /// A link, which no other joint moves.
    pub(crate) child: usize,
    /// The joint's frame in the parent's; at zero it is the child's.
    pub(crate) origin: Placement,
    /// In the joint's frame, of length 1. One that stands so in the file along x, y or z is exact; of any other, each
    /// component is within 2⁻⁵⁰ of that of the decimal direction. Without meaning for fixed joints.
    pub(crate) axis: [f64; 3],
    /// In radians or metres; revolute and prismatic joints only, and all of them.
    pub(crate) limits: Option<Limits>,
    /// The greatest speed in rad/s or m/s, positive or zero, where the file has one.
    pub(crate) velocity: Option<f64>,
    pub(crate) mimic: Option<Mimic>,
    pub(crate) line: usize,
}

/// `lower ≤ upper`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Limits {
    pub(crate) lower: f64,
    pub(crate) upper: f64,
}

/// The value is `multiplier · value of the other joint + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mimic {
    /// An independent joint.
    pub(crate) joint: usize,
    pub(crate) multiplier: f64,
    pub(crate) offset: f64,
}

impl Joint {
    /// The child's frame in the joint's.
    pub(super) fn moved(&self, value: f64) -> Frame {
        match self.kind {
            JointKind::Fixed => Frame::IDENTITY,
            JointKind::Revolute | JointKind::Continuous => Frame::turn(self.axis, value),
            JointKind::Prismatic => Frame { position: self.axis.map(|x| x * value), ..Frame::IDENTITY },
        }
    }
}

/// A joint as it stands in the file.
pub(super) struct Read {
    pub(super) joint: Joint,
    mimics: Option<String>,
}

/// The joints in file order.
pub(super) fn read_all<'t>(xml: &Xml<'t>, robot: Node<'_, 't>, links: &[Link]) -> Result<Vec<Read>, InputError> {
    let mut joints: Vec<Read> = Vec::new();
    for node in children(robot, "joint") {
        let read = read(xml, node, links)?;
        if let Some(first) = joints.iter().find(|other| other.joint.name == read.joint.name) {
            let (name, line) = (&read.joint.name, first.joint.line);
            return Err(xml.error(node, format!("expected every joint once, found `{name}` as on line {line}")));
        }
        joints.push(read);
    }
    Ok(joints)
}

fn read<'t>(xml: &Xml<'t>, node: Node<'_, 't>, links: &[Link]) -> Result<Read, InputError> {
    let name = xml.attribute(node, "name")?.to_owned();
    let refuse = |at: Node<'_, '_>, what: String| xml.error(at, format!("joint `{name}`: {what}"));
    let kind = match xml.attribute(node, "type")? {
        "fixed" => JointKind::Fixed,
        "revolute" => JointKind::Revolute,
        "continuous" => JointKind::Continuous,
        "prismatic" => JointKind::Prismatic,
        found @ ("floating" | "planar") => {
            let what = format!(
                "expected revolute, continuous, prismatic or fixed, found {found}: write it as a chain of \
                 those joints, or as fixed if the base stands still"
            );
            return Err(refuse(node, what));
        }
        found => {
            return Err(refuse(node, format!("expected revolute, continuous, prismatic or fixed, found `{found}`")));
        }
    };
    let link = |end: &str| {
        let end = xml.needed_child(node, end)?;
        let link = xml.attribute(end, "link")?;
        let known = links.iter().position(|known| known.name == link);
        known.ok_or_else(|| refuse(end, format!("expected a link of this file, found `{link}`")))
    };
    let (parent, child) = (link("parent")?, link("child")?);
    let (limits, velocity) = limits(xml, node, &name, kind)?;
    let mimic = xml.child(node, "mimic")?.filter(|_| kind != JointKind::Fixed);
    let (mimic, mimics) = match mimic {
        None => (None, None),
        Some(mimic) => {
            let multiplier = xml.number(mimic, "multiplier")?.unwrap_or(1.0);
            let offset = xml.number(mimic, "offset")?.unwrap_or(0.0);
            (Some(Mimic { joint: 0, multiplier, offset }), Some(xml.attribute(mimic, "joint")?.to_owned()))
        }
    };
    let axis = axis(xml, node, &name, kind)?;
    let (origin, line) = (origin(xml, node)?, xml.line(node));
    Ok(Read { joint: Joint { name, kind, parent, child, origin, axis, limits, velocity, mimic, line }, mimics })
}

/// Of length 1; x where nothing is said.
fn axis<'t>(xml: &Xml<'t>, node: Node<'_, 't>, name: &str, kind: JointKind) -> Result<[f64; 3], InputError> {
    const X: [f64; 3] = [1.0, 0.0, 0.0];
    let Some(at) = xml.child(node, "axis")?.filter(|_| kind != JointKind::Fixed) else { return Ok(X) };
    let Some(axis) = xml.numbers(at, "xyz")? else { return Ok(X) };
    let largest = axis.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    // One so short has no digits left.
    if largest < 1e-300 {
        let text = at.attribute("xyz").unwrap_or_default();
        return Err(xml.error(at, format!("joint `{name}`: expected an axis that is not zero, found `{text}`")));
    }
    // Scaled first, so that the squares neither overflow nor vanish. With u = 2⁻⁵³: the components err by 2u (their decimals
    // and this quotient; the scale itself has no say in the direction), the length by (2·2u + u + 2u)/2 + u, the last
    // quotient by u: less than 8u = 2⁻⁵⁰ of a number of at most 1.
    let scaled = axis.map(|x| x / largest);
    let length = scaled.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ok(scaled.map(|x| x / length))
}

fn limits<'t>(
    xml: &Xml<'t>,
    node: Node<'_, 't>,
    name: &str,
    kind: JointKind,
) -> Result<(Option<Limits>, Option<f64>), InputError> {
    let limit = xml.child(node, "limit")?;
    let limited = matches!(kind, JointKind::Revolute | JointKind::Prismatic);
    let Some(limit) = limit.filter(|_| kind != JointKind::Fixed) else {
        if limited {
            let kind = kind.name();
            let what = format!("joint `{name}`: expected <limit lower upper> for a {kind} joint, found none");
            return Err(xml.error(node, what));
        }
        return Ok((None, None));
    };
    let velocity = xml.number(limit, "velocity")?;
    if let Some(velocity) = velocity.filter(|v| *v < 0.0) {
        let what = format!("joint `{name}`: expected a velocity limit that is not negative, found {velocity}");
        return Err(xml.error(limit, what));
    }
    if !limited {
        return Ok((None, velocity));
    }
    // Zero where nothing is said, as URDF has it.
    let [lower, upper] = ["lower", "upper"].map(|end| xml.number(limit, end));
    let (lower, upper) = (lower?.unwrap_or(0.0), upper?.unwrap_or(0.0));
    if lower > upper {
        let what = format!("joint `{name}`: expected limits lower ≤ upper, found lower {lower} and upper {upper}");
        return Err(xml.error(limit, what));
    }
    Ok((Some(Limits { lower, upper }), velocity))
}

/// The joints, each mimic with the number of the joint that it follows.
pub(super) fn resolve_mimics(file: &Path, joints: Vec<Read>) -> Result<Vec<Joint>, InputError> {
    let place = |name: &str| joints.iter().position(|other| other.joint.name == name);
    let mut followed = Vec::new();
    for Read { joint, mimics } in &joints {
        let Some(name) = mimics else {
            followed.push(None);
            continue;
        };
        let refuse = |found: &str| {
            let what = format!("joint `{}`: expected to mimic a joint that moves by itself, found {found}", joint.name);
            InputError::at(file, joint.line, what)
        };
        let other = place(name).ok_or_else(|| refuse(&format!("`{name}`, which is not in this file")))?;
        match joints.get(other) {
            Some(Read { mimics: Some(_), .. }) => return Err(refuse(&format!("`{name}`, which is a mimic itself"))),
            Some(Read { joint, .. }) if joint.kind == JointKind::Fixed => {
                return Err(refuse(&format!("`{name}`, which is fixed")));
            }
            Some(_) | None => followed.push(Some(other)),
        }
    }
    let resolved = joints.into_iter().zip(followed).map(|(Read { joint, .. }, followed)| {
        let mimic = joint.mimic.zip(followed).map(|(mimic, joint)| Mimic { joint, ..mimic });
        Joint { mimic, ..joint }
    });
    Ok(resolved.collect())
}
