//! `trajectory_msgs/JointTrajectory` as ROS prints it, one a document; or a `moveit_msgs/RobotTrajectory` around it.
//!
//! A path begins at the first point: where the robot comes from is not in the message.

use super::joints::{JointNames, Order};
use super::{Held, JointPath, Knot};
use crate::document::{self, Item};
use crate::error::InputError;
use std::path::Path;

const SECOND: u64 = 1_000_000_000;

pub(super) fn read(file: &Path, text: &str, joints: &JointNames, held: &[Held]) -> Result<Vec<JointPath>, InputError> {
    let cut = |line: &str| matches!(line.trim().trim_start_matches("- "), "'...'" | "...");
    if let Some(line) = text.lines().position(cut) {
        let what = "expected the whole trajectory, found `...`: print it by `ros2 topic echo --full-length`";
        return Err(InputError::at(file, line + 1, what));
    }
    let documents = document::parse(file, text)?;
    let path = |(i, value)| message(Item::new(file, value), i, joints, held);
    documents.iter().enumerate().map(path).collect()
}

fn message(root: Item<'_>, id: usize, joints: &JointNames, held: &[Held]) -> Result<JointPath, InputError> {
    if let Some(other) = root.get("multi_dof_joint_trajectory")?
        && let Some(points) = other.get("points")?
        && points.list()?.len() > 0
    {
        return Err(points.error("expected single joints only, found points of joints with several degrees of freedom"));
    }
    let nested = root.get("joint_trajectory")?;
    if nested.is_some() {
        root.only(&["joint_trajectory", "multi_dof_joint_trajectory"])?;
    }
    trajectory(nested.as_ref().unwrap_or(&root), id, joints, held)
}

fn trajectory(item: &Item<'_>, id: usize, joints: &JointNames, held: &[Held]) -> Result<JointPath, InputError> {
    item.only(&["header", "joint_names", "points"])?;
    let names = item.need("joint_names")?;
    let entries: Vec<_> = names.list()?.collect();
    let found = entries.iter().map(Item::text).collect::<Result<Vec<_>, _>>()?;
    let order = Order::new(joints, &found, held).map_err(|what| names.error(what))?;
    let points = item.need("points")?;
    let mut knots: Vec<Knot> = Vec::new();
    for point in points.list()? {
        let knot = knot(&point, found.len(), &order)?;
        if let Some(before) = knots.last().filter(|before| before.nanoseconds >= knot.nanoseconds) {
            let [before, now] = [before.nanoseconds, knot.nanoseconds].map(|t| t as f64 / 1e9);
            let what = format!("expected times that increase, found {now} s after {before} s");
            return Err(point.need("time_from_start")?.error(what));
        }
        knots.push(knot);
    }
    if knots.len() < 2 {
        let what = format!("expected at least two points, found {}: the first is where the path begins", knots.len());
        return Err(points.error(what));
    }
    Ok(JointPath { id: id.to_string(), line: item.line(), knots })
}

fn knot(point: &Item<'_>, joints: usize, order: &Order) -> Result<Knot, InputError> {
    point.only(&["positions", "velocities", "accelerations", "effort", "time_from_start"])?;
    let values = |key: &str| {
        let Some(item) = point.get(key)? else { return Ok(Vec::new()) };
        match item.numbers()? {
            values if values.is_empty() || values.len() == joints => Ok(values),
            values => Err(item.error(format!("expected {joints} numbers, one a joint, found {}", values.len()))),
        }
    };
    let (positions, velocities, accelerations) =
        (values("positions")?, values("velocities")?, values("accelerations")?);
    if positions.is_empty() {
        return Err(point.error("expected positions, found none"));
    }
    // The controller of ROS 2 does nothing sensible with these either.
    if velocities.is_empty() && !accelerations.is_empty() {
        return Err(point.error("expected velocities beside the accelerations, found none"));
    }
    Ok(Knot {
        line: point.line(),
        nanoseconds: time(&point.need("time_from_start")?)?,
        positions: order.sort(&positions, |held| held),
        velocities: order.sort(&velocities, |_| 0.0),
        accelerations: order.sort(&accelerations, |_| 0.0),
    })
}

/// ROS 2 has `sec` and `nanosec`, ROS 1 `secs` and `nsecs`.
fn time(item: &Item<'_>) -> Result<u64, InputError> {
    let part = |names: [&str; 2]| {
        let [first, second] = names.map(|name| item.get(name));
        match first?.or(second?) {
            Some(item) => item.whole(),
            None => Err(item.error(format!("expected the key `{}`, found none", names[0]))),
        }
    };
    let (seconds, rest) = (part(["sec", "secs"])?, part(["nanosec", "nsecs"])?);
    let whole = seconds.checked_mul(SECOND).and_then(|whole| whole.checked_add(rest));
    whole.ok_or_else(|| item.error(format!("expected a time of less than 500 years, found {seconds} s")))
}
