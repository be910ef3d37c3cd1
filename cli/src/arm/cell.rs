//! A robot and a world as the library's workcell, in memory of this program's.

use super::{Arm, Body, Obstacle};
use crate::error::InputError;
use avert::hierarchy::Blob;
use avert::kernel::{Seat, StageMemory};
use avert::motion::{JointSweep, Link, LinkIndex, Placement, PlacementError};
use avert::robot::{Margins, Object, Override, Part, Reason, Storage, Workcell, WorkcellError};
use avert::{Entry, Interval, Model, PathMemory, Pose, Scalar, Vec3};
use std::path::Path;

/// What a workcell borrows.
#[derive(Debug)]
pub(crate) struct CellStorage<'a, S> {
    models: Vec<Option<Model<'a, S>>>,
    links: Vec<Link<S>>,
    parts: Vec<Part<'a, S>>,
    allowed: Vec<Option<Reason>>,
    objects: Vec<Option<Object<'a, S>>>,
    overrides: Vec<Override<S>>,
}

impl<'a, S: Scalar> CellStorage<'a, S> {
    /// Loads and proves all models. The files of the robot and of the world are for messages.
    pub(crate) fn new(arm: &'a Arm, world: &'a [Obstacle], [robot, around]: [&Path; 2]) -> Result<Self, InputError> {
        let links = arm.bodies.len();
        let own = arm.bodies.iter().map(|body| load(body.as_ref(), robot));
        let others = world.iter().map(|obstacle| load(Some(&obstacle.body), around));
        Ok(Self {
            models: own.chain(others).collect::<Result<_, _>>()?,
            links: vec![Link::VACANT; links],
            parts: vec![Part::VACANT; links],
            allowed: vec![None; links * links.saturating_sub(1) / 2],
            objects: vec![None; world.len()],
            overrides: Vec::new(),
        })
    }

    /// The workcell, with one margin for all.
    pub(crate) fn cell(
        &'a mut self,
        arm: &Arm,
        world: &[Obstacle],
        margin: S,
        [robot, around]: [&Path; 2],
    ) -> Result<Workcell<'a, S>, InputError> {
        let Self { models, links, parts, allowed, objects, overrides } = self;
        let storage = Storage { links, parts, allowed, objects, overrides };
        let base = Pose::<f64>::IDENTITY.into();
        let refuse = |e: WorkcellError| InputError::new(robot, format!("expected a robot for this scalar: {e}"));
        let mut cell =
            Workcell::new::<f64>(base, &arm.kinematics.joints, Margins::all(margin), storage).map_err(refuse)?;
        let (own, others) = models.split_at(arm.bodies.len());
        for (link, (model, origin)) in (0..).map(LinkIndex).zip(own.iter().zip(&arm.kinematics.links)) {
            cell.set_model(link, *model).map_err(refuse)?;
            let limits = origin.limits.map(|(lower, upper)| [S::from_f64_near(lower), S::from_f64_near(upper)]);
            cell.set_limits(link, limits).map_err(|_| {
                let joint = origin.joint.as_deref().unwrap_or_default();
                InputError::new(robot, format!("joint `{joint}`: expected limits that this scalar can hold"))
            })?;
        }
        for pair in &arm.allowed {
            let Some(reason) = pair.reason.known() else { continue };
            let [a, b] = pair.links;
            cell.set_allowed(a, b, Some(reason)).map_err(refuse)?;
        }
        for (model, obstacle) in others.iter().zip(world) {
            let Some(model) = model else { continue };
            cell.add_object(*model, narrowed(obstacle.pose))
                .map_err(|e| InputError::new(around, format!("`{}`: {e}", obstacle.body.report.name)))?;
        }
        Ok(cell)
    }
}

fn load<'a, S: Scalar>(body: Option<&'a Body>, file: &Path) -> Result<Option<Model<'a, S>>, InputError> {
    let Some(body) = body else { return Ok(None) };
    let refuse = |e| {
        InputError::new(
            file,
            format!("`{}`: expected a model that can be proved in this scalar: {e}", body.report.name),
        )
    };
    let blob = Blob::parse(&body.bytes).map_err(refuse)?;
    blob.model(&mut vec![0; blob.scratch_needed()]).map(Some).map_err(refuse)
}

/// The same pose, as sure as this scalar can tell.
fn narrowed<S: Scalar>(pose: Pose<Interval<f64>>) -> Pose<Interval<S>> {
    let narrow = |x: Interval<f64>| Interval::new(S::from_f64_lo(x.lo()), S::from_f64_hi(x.hi()));
    Pose { rotation: pose.rotation.map(narrow), position: pose.position.map(narrow) }
}

/// What the checks of one thread work in.
#[derive(Debug)]
pub struct PathStorage<S> {
    links: usize,
    entries: Vec<Entry<S>>,
    placements: Vec<Placement<S>>,
    sweeps: Vec<JointSweep<S>>,
    seats: Vec<Seat<S>>,
    errors: Vec<PlacementError<S>>,
    directions: Vec<Vec3<S>>,
}

impl<S: Scalar> PathStorage<S> {
    pub fn new(cell: &Workcell<'_, S>) -> Self {
        let links = cell.chain().links().len();
        let directions = PathMemory::directions_needed(cell);
        Self {
            links,
            entries: (0..4 * directions + 4096).map(|_| Entry::VACANT).collect(),
            placements: vec![Placement::default(); 4 * links],
            sweeps: vec![JointSweep::UNKNOWN; links],
            seats: vec![Seat::VACANT; links],
            errors: vec![PlacementError::UNKNOWN; links],
            directions: vec![Vec3::ZERO; directions],
        }
    }

    pub fn memory(&mut self) -> Option<PathMemory<'_, S>> {
        let Self { links, entries, placements, sweeps, seats, errors, directions } = self;
        PathMemory::new(*links, entries, StageMemory { placements, sweeps, seats, errors }, directions)
    }
}
