//! A robot and a world as the library's workcell, in memory of this program's.

use super::allowed::Reason as Found;
use super::{Arm, Obstacle};
use avert::hierarchy::Blob;
use avert::kernel::{Seat, StageMemory};
use avert::motion::{JointSweep, Link, LinkIndex, Placement, PlacementError};
use avert::robot::{Margins, Object, Override, Part, Reason, Storage, Workcell};
use avert::{Entry, Interval, Model, PathMemory, Pose, Scalar, Vec3};

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
    /// Loads and proves all models.
    pub(crate) fn new(arm: &'a Arm, world: &'a [Obstacle]) -> Result<Self, String> {
        let links = arm.bodies.len();
        let bodies = arm.bodies.iter().map(Option::as_ref).chain(world.iter().map(|obstacle| Some(&obstacle.body)));
        let load = |body: Option<&'a super::Body>| {
            body.map(|body| {
                let refuse = |e| format!("{}: expected a model that can be proved: {e}", body.report.name);
                let blob = Blob::parse(&body.bytes).map_err(refuse)?;
                blob.model(&mut vec![0; blob.scratch_needed()]).map_err(refuse)
            })
            .transpose()
        };
        Ok(Self {
            models: bodies.map(load).collect::<Result<_, String>>()?,
            links: vec![Link::VACANT; links],
            parts: vec![Part::VACANT; links],
            allowed: vec![None; links * links.saturating_sub(1) / 2],
            objects: vec![None; world.len()],
            overrides: Vec::new(),
        })
    }

    /// The workcell, with one margin for all.
    pub(crate) fn cell(&'a mut self, arm: &Arm, world: &[Obstacle], margin: S) -> Result<Workcell<'a, S>, String> {
        let Self { models, links, parts, allowed, objects, overrides } = self;
        let storage = Storage { links, parts, allowed, objects, overrides };
        let base = Pose::<f64>::IDENTITY.into();
        let told = |e: avert::robot::WorkcellError| e.to_string();
        let mut cell =
            Workcell::new::<f64>(base, &arm.kinematics.joints, Margins::all(margin), storage).map_err(told)?;
        let (own, others) = models.split_at(arm.bodies.len());
        for (link, (model, origin)) in (0..).map(LinkIndex).zip(own.iter().zip(&arm.kinematics.links)) {
            cell.set_model(link, *model).map_err(told)?;
            let limits = origin.limits.map(|(lower, upper)| [S::from_f64_near(lower), S::from_f64_near(upper)]);
            cell.set_limits(link, limits).map_err(told)?;
        }
        for pair in &arm.allowed {
            let reason = match &pair.reason {
                Found::SameBody => continue,
                Found::Adjacent => Reason::Adjacent,
                Found::Disabled(text) => match text.as_str() {
                    "Adjacent" => Reason::Adjacent,
                    "Never" => Reason::Never,
                    "Default" | "Always" => Reason::Default,
                    _ => Reason::User,
                },
            };
            let [a, b] = pair.links;
            cell.set_allowed(a, b, Some(reason)).map_err(told)?;
        }
        for (model, obstacle) in others.iter().zip(world) {
            let Some(model) = model else { continue };
            cell.add_object(*model, narrowed(obstacle.pose)).map_err(told)?;
        }
        Ok(cell)
    }
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
