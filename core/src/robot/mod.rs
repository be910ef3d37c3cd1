//! Robots and what stands around them: the scene in which whole motions of arms are checked.
//!
//! ```text
//! joints, models, allowed pairs, objects ─► Workcell ─┐
//!                        joint paths, tolerances ─► Plan ─┴─► PathCheck::step ─► PathVerdict ─► Cleared
//! ```
//!
//! Joints, models, pairs and objects come from the caller, or all at once from the bytes of a [`RobotBlob`].
//!
//! A rod that turns about its end, and a wire that it hits at a right angle:
//!
//! ```
//! use avert::kernel::{Seat, StageMemory};
//! use avert::motion::{Joint, JointKind, JointPath, JointSweep, Link, LinkIndex, Placement, PlacementError};
//! use avert::robot::{Margins, Part, Plan, Storage, Workcell};
//! use avert::*;
//!
//! // A capsule of 1 m along x, and a wire of 2 mm along z; metres.
//! let points = [[0.0_f32, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 0.0, 1.0]].map(Vec3::from);
//! let hull = |radius| [Hull { first: 0, count: 2, radius }];
//! let (thick, thin) = (hull(0.05), hull(0.001));
//! let rod = hierarchy::build(Geometry::new(&points[..2], &[], &thick, 0.0)?, &mut [], &mut [0])?;
//! let wire = hierarchy::build(Geometry::new(&points[2..], &[], &thin, 0.0)?, &mut [], &mut [0])?;
//!
//! // The cell: one joint about z, and the wire at y = 0.8 m.
//! let (mut links, mut parts, mut objects) = ([Link::VACANT; 1], [Part::VACANT; 1], [None; 1]);
//! let (links, parts, objects) = (&mut links[..], &mut parts[..], &mut objects[..]);
//! let storage = Storage { links, parts, allowed: &mut [], objects, overrides: &mut [] };
//! let (origin, axis) = (Pose::<f32>::IDENTITY.into(), Vec3::new(0.0, 0.0, 1.0).into());
//! let joint = Joint { kind: JointKind::Revolute, parent: None, origin, axis, mimic: None };
//! let mut cell = Workcell::new(origin, &[joint], Margins::all(0.01), storage)?;
//! cell.set_model(LinkIndex(0), Some(rod))?;
//! cell.add_object(wire, Pose::new([1.0, 0.0, 0.0, 0.0], [0.0, 0.8, 0.0]).into())?;
//!
//! // Memory for checks, and a path of half a turn.
//! let (mut entries, mut directions) = ([const { Entry::VACANT }; 16], [Vec3::ZERO; 2]);
//! let (mut placements, mut sweeps) = ([Placement::default(); 4], [JointSweep::UNKNOWN; 1]);
//! let (mut seats, mut errors) = ([Seat::VACANT; 1], [PlacementError::UNKNOWN; 1]);
//! let stage =
//!     StageMemory { placements: &mut placements, sweeps: &mut sweeps, seats: &mut seats, errors: &mut errors };
//! let mut memory = PathMemory::new(1, &mut entries, stage, &mut directions).ok_or("too little memory")?;
//! let paths = [JointPath::line([0.0_f64, 3.0])?];
//! let plan = Plan::new(&cell, &paths, 0.001)?;
//! let mut check = PathCheck::new(&cell, &plan, &mut memory).ok_or("a plan for another robot")?;
//! let verdict = check.step(&cell, &plan, Budget::UNLIMITED);
//!
//! // The capsule is 6.1 cm from the wire at an angle of 90° − 4.37°.
//! let PathVerdict::Contact { cleared, touch, .. } = verdict else { panic!("{verdict:?}") };
//! assert!((touch.time - (90.0_f32 - 4.37).to_radians() / 3.0).abs() < 1e-3);
//! assert!(cleared.until().time <= touch.time && cleared.until().time > touch.time - 1e-3);
//! // What is proved is lost with the next change.
//! assert!(!cleared.is_stale(&cell));
//! cell.set_margins(Margins::all(0.02))?;
//! assert!(cleared.is_stale(&cell));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Which pairs of bodies a verdict is about is decided here, in [`Workcell::relation`], and printed by whoever bakes a robot;
//! that they stay apart is proved in [`crate::kernel`].

mod bake;
mod blob;
mod pairs;
mod plan;
mod workcell;

pub use bake::{DraftLink, DraftObject, RobotBakeError, RobotDraft};
pub use blob::{RobotBlob, RobotBlobError, RobotObject, RobotSizes, Wrong};
pub use pairs::{Reason, Relation};
pub use plan::{At, Plan, PlanError, Scope};
pub use workcell::{BodyIndex, Margins, Object, ObjectIndex, Override, Part, Storage, Workcell, WorkcellError};
