//! From the joints of a file to those of the robot.

use super::Held;
use crate::robot::{Joint, JointKind, RobotDescription};
use avert::motion::{self, LinkIndex};
use avert::robot::RobotBlob;

/// The joints of a robot, in its order: all that a file of paths is about.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct JointNames(Vec<(String, Role)>);

/// Whether a joint has a value of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Independent,
    Mimic,
    Fixed,
}

impl JointNames {
    /// The names of those with values of their own, in the order of a configuration.
    fn independent(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, role)| *role == Role::Independent).map(|(name, _)| name.as_str())
    }
}

impl From<&RobotDescription> for JointNames {
    fn from(robot: &RobotDescription) -> Self {
        let role = |joint: &Joint| match (joint.kind, joint.mimic) {
            (JointKind::Fixed, _) => Role::Fixed,
            (JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic, Some(_)) => Role::Mimic,
            (JointKind::Revolute | JointKind::Continuous | JointKind::Prismatic, None) => Role::Independent,
        };
        Self(robot.joints.iter().map(|joint| (joint.name.clone(), role(joint))).collect())
    }
}

impl From<&RobotBlob<'_>> for JointNames {
    /// The joint that each link hangs on.
    fn from(robot: &RobotBlob<'_>) -> Self {
        let role = |joint: motion::Joint<f64>| match (joint.kind, joint.mimic) {
            (motion::JointKind::Fixed, _) => Role::Fixed,
            (motion::JointKind::Revolute | motion::JointKind::Prismatic, Some(_)) => Role::Mimic,
            (motion::JointKind::Revolute | motion::JointKind::Prismatic, None) => Role::Independent,
        };
        let joint = |link: LinkIndex| Some((robot.joint_name(link)?.to_owned(), role(robot.joint(link)?)));
        Self((0..=u8::MAX).map_while(|link| joint(LinkIndex(link))).collect())
    }
}

/// Where the value of each independent joint comes from.
#[derive(Debug)]
pub(super) struct Order(Vec<Source>);

#[derive(Clone, Copy, Debug)]
enum Source {
    /// The place in the file's list.
    File(usize),
    Held(f64),
}

impl Order {
    /// The file's joints in its order; what is wrong with them otherwise.
    pub(super) fn new(joints: &JointNames, names: &[&str], held: &[Held]) -> Result<Self, String> {
        let mut sources = vec![None; joints.independent().count()];
        for (place, found) in names.iter().enumerate() {
            let slot = sources.get_mut(find(joints, found)?);
            if slot.is_some_and(|slot| slot.replace(Source::File(place)).is_some()) {
                return Err(format!("expected every joint once, found `{found}` again"));
            }
        }
        for Held { joint, value } in held {
            let slot = sources.get_mut(find(joints, joint).map_err(|what| format!("--joint: {what}"))?);
            if slot.is_some_and(|slot| slot.replace(Source::Held(*value)).is_some()) {
                return Err(format!("--joint: expected a joint without values here, found `{joint}`, which has some"));
            }
        }
        let missing = joints.independent().zip(&sources).filter(|(_, source)| source.is_none());
        let missing: Vec<_> = missing.map(|(joint, _)| format!("`{joint}`")).collect();
        if !missing.is_empty() {
            let missing = missing.join(", ");
            return Err(format!(
                "expected values of all joints, found none of {missing}: add them, or say --joint NAME=VALUE"
            ));
        }
        Ok(Self(sources.into_iter().flatten().collect()))
    }

    /// A list of the file in the robot's order; an empty one stays empty.
    pub(super) fn sort(&self, values: &[f64], held: impl Fn(f64) -> f64) -> Vec<f64> {
        if values.is_empty() {
            return Vec::new();
        }
        let value = |source: &Source| match source {
            Source::File(place) => values.get(*place).copied().unwrap_or(f64::NAN),
            Source::Held(value) => held(*value),
        };
        self.0.iter().map(value).collect()
    }
}

/// The place among the independent joints, by name or by number.
fn find(joints: &JointNames, name: &str) -> Result<usize, String> {
    let Some((_, role)) = joints.0.iter().find(|(own, _)| own == name) else {
        let count = joints.independent().count();
        let number = name.parse().ok().filter(|number: &usize| *number < count);
        return number.ok_or_else(|| match name.parse::<usize>() {
            Ok(_) => format!("expected the number of a joint from 0 to {}, found {name}", count.saturating_sub(1)),
            Err(_) => format!("expected a joint of the robot, found `{name}`"),
        });
    };
    joints.independent().position(|own| own == name).ok_or_else(|| {
        let why = if *role == Role::Fixed { "fixed" } else { "a mimic of another" };
        format!("expected joints with a value of their own, found `{name}`, which is {why}: leave it out")
    })
}
