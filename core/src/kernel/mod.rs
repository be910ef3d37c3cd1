//! **The proof kernel.** Everything that a verdict promises is proved in this folder, on the numbers of [`crate::scalar`] and
//! the poses of [`crate::motion`]. Which pairs of bodies a verdict on an arm is about is [`crate::robot`]'s to say. Nothing else is
//! trusted.
//!
//! **Computes** whether a given direction separates two given convex pieces during a given interval of time, and keeps
//! the account of what is still to be proved. **Invariant**: an [`Obligation`] leaves the account only by a proof or
//! by being replaced with all of its parts. **Follows** the conservative advancement of Tang, Manocha and Kim 2014,
//! §3.1 (Eq. 2) and §4.2 (Lemmas 4.1, 4.2). **Departs**: besides the advancement rule there is the chord rule
//! ([`Probe::separates`]), and every number carries its rounding error.
//!
//! No search can make a false `Free`: it proposes directions, splits and an order, and a wrong proposal is refused.

mod advancement;
mod batch;
mod bounds;
mod clearance;
mod cleared;
mod contact;
mod enclosure;
mod hull;
mod leg;
mod node;
mod obligation;
mod scene;
mod separation;
mod shape;
mod solid;
mod stage;
mod start;
mod support;
mod winding;

pub use advancement::Aim;
pub use batch::{Batch, Sieved};
pub use bounds::{Bounds, Moment};
pub use clearance::Clearance;
pub use cleared::Cleared;
pub(crate) use cleared::Clearing;
pub use contact::{CommonPoint, distance_hi};
pub(crate) use enclosure::widen;
pub use enclosure::{EnclosureError, Hierarchy, Model, core_distance_hi};
pub(crate) use hull::{Corners, Stored};
pub use hull::{Geometry, GeometryError, Hull, Piece, PieceKind};
pub use leg::Leg;
pub use node::{Grid, Node, NodeBytes};
pub(crate) use obligation::Accounts;
pub use obligation::{Ledger, Obligation, Proof, Split};
pub use scene::{Body, Couple, Couples, Limits, Scene, SceneError};
pub use separation::{End, Probe, Span};
pub use shape::{HullPoints, Pair, Shape, StoredPoints};
pub(crate) use solid::{Joined, Parts};
pub use solid::{PartsError, SolidError};
pub use stage::{Seat, Stage, StageMemory, room};
pub use start::Start;
pub(crate) use support::{CELLS, MOST_POINTS, OFFSETS, beats};
pub use support::{Table, cell, corners};
pub use winding::{Winding, winding};
