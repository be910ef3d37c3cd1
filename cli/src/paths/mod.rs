//! Paths in joint space from CSV files and from ROS trajectories.

mod csv;
mod joints;
mod trajectory;

pub(crate) use joints::JointNames;

use crate::error::InputError;
use crate::xml::read_text;
use std::path::Path;

/// One motion of the whole robot.
#[derive(Debug)]
pub(crate) struct JointPath {
    /// As in the file; of trajectories, their number in the file, from 0.
    pub(crate) id: String,
    pub(crate) line: usize,
    /// At least two, at increasing times.
    pub(crate) knots: Vec<Knot>,
}

/// Where the robot is at a time. All lists have a value for each joint with a value of its own, in the robot's order, in radians
/// or metres and seconds. Each is the `f64` next to the decimal of the file.
#[derive(Debug)]
pub(crate) struct Knot {
    /// In the file.
    pub(crate) line: usize,
    /// Since the start. A row of a CSV file takes one second.
    pub(crate) nanoseconds: u64,
    pub(crate) positions: Vec<f64>,
    /// Empty if the file has none.
    pub(crate) velocities: Vec<f64>,
    /// Empty if the file has none; never without velocities.
    pub(crate) accelerations: Vec<f64>,
}

/// What goes on between two knots: the polynomial of least degree through what both have, as in the joint trajectory
/// controller of ROS 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Interpolation {
    /// Through the positions.
    Linear,
    /// Through positions and velocities.
    Cubic,
    /// Through positions, velocities and accelerations.
    Quintic,
}

impl JointPath {
    /// From each knot to the next.
    pub(crate) fn segments(&self) -> impl Iterator<Item = (Interpolation, &Knot, &Knot)> {
        let ends = self.knots.iter().zip(self.knots.iter().skip(1));
        ends.map(|(from, to)| {
            let both = |values: fn(&Knot) -> &Vec<f64>| !values(from).is_empty() && !values(to).is_empty();
            let interpolation = match (both(|knot| &knot.velocities), both(|knot| &knot.accelerations)) {
                (true, true) => Interpolation::Quintic,
                (true, false) => Interpolation::Cubic,
                (false, _) => Interpolation::Linear,
            };
            (interpolation, from, to)
        })
    }
}

/// A joint that stands still: `NAME=VALUE` of the command line, in radians or metres.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Held {
    pub(crate) joint: String,
    pub(crate) value: f64,
}

impl std::str::FromStr for Held {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (joint, value) = text.split_once('=').ok_or("expected JOINT=VALUE")?;
        let value = crate::xml::finite(value).ok_or_else(|| format!("expected a finite number, found `{value}`"))?;
        Ok(Self { joint: joint.to_owned(), value })
    }
}

/// All paths of a file: CSV by its extension, or else trajectories in YAML or JSON.
pub(crate) fn read(file: &Path, joints: &JointNames, held: &[Held]) -> Result<Vec<JointPath>, InputError> {
    let text = read_text(file, "paths")?;
    let extension = file.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let paths = match extension.as_str() {
        "csv" => csv::read(file, &text, joints, held)?,
        "yaml" | "yml" | "json" => trajectory::read(file, &text, joints, held)?,
        _ => {
            return Err(InputError::new(
                file,
                "expected paths in a file with the extension .csv, .yaml, .yml or .json",
            ));
        }
    };
    if paths.is_empty() {
        return Err(InputError::new(file, "expected at least one path, found none"));
    }
    Ok(paths)
}
