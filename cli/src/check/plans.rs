//! From paths as they were read to plans of the library, and what is wrong with them otherwise.

use crate::arm::Arm;
use crate::convert::decimal;
use crate::error::InputError;
use crate::paths::{Interpolation, JointPath as Described, Knot};
use crate::table::number;
use avert::Scalar;
use avert::motion::{JointKind, JointPath, LinkIndex, PathError};
use avert::robot::{Plan, PlanError, Scope, Workcell};
use std::path::Path;

/// Where a path that leaves its limits between knots is looked at, for the message.
const LOOKS: u32 = 1024;

/// How plans are made.
#[derive(Debug)]
pub(super) struct Planner<'a, S> {
    pub(super) arm: &'a Arm,
    pub(super) tolerance: S,
    /// For each link; empty if the joints are where they should be.
    pub(super) tracking: Vec<S>,
    pub(super) scope: Scope,
}

/// A joint's path that the library does not take.
#[derive(Debug)]
struct BadPath {
    segment: usize,
    link: LinkIndex,
    why: PathError,
}

impl<'a, S: Scalar> Planner<'a, S> {
    /// With the same tracking tolerance for every joint that has a value of its own. Joints that follow others are astray with
    /// those.
    pub(super) fn new(arm: &'a Arm, tolerance: S, tracking: S, scope: Scope) -> Self {
        let own = |link: u8| arm.kinematics.independent.contains(&LinkIndex(link));
        let tracking = match tracking > S::ZERO {
            true => (0..).zip(&arm.bodies).map(|(link, _)| if own(link) { tracking } else { S::ZERO }).collect(),
            false => Vec::new(),
        };
        Self { arm, tolerance, tracking, scope }
    }

    /// The paths of all links, segment after segment.
    pub(super) fn joint_paths(&self, path: &Described) -> Result<Vec<JointPath<S>>, String> {
        self.try_joint_paths(path).map_err(|bad| bad.why.to_string())
    }

    fn try_joint_paths(&self, path: &Described) -> Result<Vec<JointPath<S>>, BadPath> {
        let segments = path.knots.len().saturating_sub(1);
        let mut all = Vec::with_capacity(segments * self.arm.bodies.len());
        for (segment, ends) in path.segments().enumerate() {
            all.extend(self.segment(ends).map_err(|(link, why)| BadPath { segment, link, why })?);
        }
        Ok(all)
    }

    /// The paths of all links on the way from one knot to the next.
    fn segment(
        &self,
        (interpolation, from, to): (Interpolation, &Knot, &Knot),
    ) -> Result<Vec<JointPath<S>>, (LinkIndex, PathError)> {
        let seconds = decimal((to.nanoseconds - from.nanoseconds) as f64 / 1e9);
        self.by_link(|place| {
            let two = |of: fn(&Knot) -> &Vec<f64>| [from, to].map(|knot| decimal(value(of(knot), place)));
            let (positions, velocities) = (two(|knot| &knot.positions), || two(|knot| &knot.velocities));
            match interpolation {
                Interpolation::Linear => JointPath::line_enclosures(positions),
                Interpolation::Cubic => JointPath::cubic_enclosures(positions, velocities(), seconds),
                Interpolation::Quintic => {
                    let accelerations = two(|knot| &knot.accelerations);
                    JointPath::quintic_enclosures(positions, velocities(), accelerations, seconds)
                }
            }
        })
    }

    /// The paths of all links while the robot stands at a knot.
    pub(super) fn at_rest(&self, knot: &Knot) -> Result<Vec<JointPath<S>>, String> {
        let stands = |place| JointPath::line_enclosures([decimal(value(&knot.positions, place)); 2]);
        self.by_link(stands).map_err(|(_, why)| why.to_string())
    }

    /// A path for each link, from those of the joints that have values of their own.
    fn by_link(
        &self,
        own: impl Fn(usize) -> Result<JointPath<S>, PathError>,
    ) -> Result<Vec<JointPath<S>>, (LinkIndex, PathError)> {
        let rests = JointPath::still(0.0).map_err(|why| (LinkIndex(0), why))?;
        let mut paths = vec![rests; self.arm.bodies.len()];
        for (place, link) in self.arm.kinematics.independent.iter().enumerate() {
            let path = own(place).map_err(|why| (*link, why))?;
            paths.get_mut(usize::from(link.0)).into_iter().for_each(|slot| *slot = path);
        }
        Ok(paths)
    }

    pub(super) fn plan<'p>(
        &'p self,
        cell: &Workcell<'_, S>,
        paths: &'p [JointPath<S>],
    ) -> Result<Plan<'p, S>, PlanError> {
        let plan = Plan::new(cell, paths, self.tolerance)?.with_scope(self.scope);
        if self.tracking.is_empty() { Ok(plan) } else { plan.with_tracking(&self.tracking) }
    }

    /// Can the path be checked? If not, the error has the line and the joint.
    pub(super) fn verify(&self, cell: &Workcell<'_, S>, path: &Described, file: &Path) -> Result<(), InputError> {
        let paths = self.try_joint_paths(path).map_err(|BadPath { segment, link, why }| {
            let line = path.knots.get(segment + 1).map_or(path.line, |knot| knot.line);
            InputError::at(file, line, self.message(path, segment, link, &why.to_string()))
        })?;
        let refused = match self.plan(cell, &paths) {
            Ok(_) => return Ok(()),
            Err(refused) => refused,
        };
        let at = |segment: usize| path.knots.get(segment).map_or(path.line, |knot| knot.line);
        let (line, what) = match refused {
            PlanError::Limit { segment, link } => {
                let of = paths.chunks(self.arm.bodies.len()).nth(segment).and_then(|all| all.get(usize::from(link.0)));
                let (at_start, what) = self.beyond(link, of);
                (at(segment + usize::from(!at_start)), self.message(path, segment, link, &what))
            }
            PlanError::Jump { segment, link } => {
                let what = "expected a start where the segment before has ended, found another";
                (at(segment), self.message(path, segment, link, what))
            }
            PlanError::Paths(_) | PlanError::Clock | PlanError::Tolerance | PlanError::Tracking => {
                (path.line, refused.to_string())
            }
        };
        Err(InputError::at(file, line, what))
    }

    fn message(&self, path: &Described, segment: usize, link: LinkIndex, what: &str) -> String {
        let joint = self.arm.kinematics.links.get(usize::from(link.0)).and_then(|origin| origin.joint.as_deref());
        let segment = if path.knots.len() > 2 { format!(", segment {segment}") } else { String::new() };
        format!("path `{}`{segment}: joint `{}`: {what}", path.id, joint.unwrap_or_default())
    }

    /// Is a joint beyond its limits already at the start of a segment? And what it does.
    fn beyond(&self, link: LinkIndex, path: Option<&JointPath<S>>) -> (bool, String) {
        let kinematics = &self.arm.kinematics;
        let limits = kinematics.links.get(usize::from(link.0)).and_then(|origin| origin.limits);
        let (lower, upper) = limits.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let slides = kinematics.joints.get(usize::from(link.0)).is_some_and(|j| j.kind == JointKind::Prismatic);
        let unit = if slides { "m" } else { "rad" };
        let value = |look: u32| {
            let time = S::from_f64_near(f64::from(look) / f64::from(LOOKS));
            path.map_or(f64::NAN, |path| path.value(time).to_f64())
        };
        let excess = |look: u32| (lower - value(look)).max(value(look) - upper);
        let worst = (0..=LOOKS).max_by(|a, b| excess(*a).total_cmp(&excess(*b))).unwrap_or(0);
        let found = match excess(worst) > 0.0 {
            true => format!("found {}", number(value(worst))),
            false => format!("found {}, too near to a limit to tell", number(value(worst))),
        };
        (excess(0) > 0.0, format!("expected values from {} to {} {unit}, {found}", number(lower), number(upper)))
    }
}

/// The value of a joint; a list that was not given is not asked for.
fn value(values: &[f64], place: usize) -> f64 {
    values.get(place).copied().unwrap_or(0.0)
}
