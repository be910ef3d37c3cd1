//! From the joints of a file to those of the robot.

use super::Held;
use crate::robot::{JointKind, RobotDescription};

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
    pub(super) fn new(robot: &RobotDescription, names: &[&str], held: &[Held]) -> Result<Self, String> {
        let independent = robot.independent();
        let name = |joint: usize| robot.joints.get(joint).map_or("", |joint| &joint.name);
        let mut sources = vec![None; independent.len()];
        for (place, found) in names.iter().enumerate() {
            let slot = sources.get_mut(find(robot, &independent, found)?);
            if slot.is_some_and(|slot| slot.replace(Source::File(place)).is_some()) {
                return Err(format!("expected every joint once, found `{found}` again"));
            }
        }
        for Held { joint, value } in held {
            let slot = sources.get_mut(find(robot, &independent, joint).map_err(|what| format!("--joint: {what}"))?);
            if slot.is_some_and(|slot| slot.replace(Source::Held(*value)).is_some()) {
                return Err(format!("--joint: expected a joint without values here, found `{joint}`, which has some"));
            }
        }
        let missing = independent.iter().zip(&sources).filter(|(_, source)| source.is_none());
        let missing: Vec<_> = missing.map(|(joint, _)| format!("`{}`", name(*joint))).collect();
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
fn find(robot: &RobotDescription, independent: &[usize], name: &str) -> Result<usize, String> {
    let Some(joint) = robot.joints.iter().position(|joint| joint.name == name) else {
        let number = name.parse().ok().filter(|number: &usize| *number < independent.len());
        return number.ok_or_else(|| match name.parse::<usize>() {
            Ok(_) => format!(
                "expected the number of a joint from 0 to {}, found {name}",
                independent.len().saturating_sub(1)
            ),
            Err(_) => format!("expected a joint of the robot, found `{name}`"),
        });
    };
    independent.iter().position(|own| *own == joint).ok_or_else(|| {
        let fixed = robot.joints.get(joint).is_some_and(|joint| joint.kind == JointKind::Fixed);
        let why = if fixed { "fixed" } else { "a mimic of another" };
        format!("expected joints with a value of their own, found `{name}`, which is {why}: leave it out")
    })
}
