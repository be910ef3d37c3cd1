//! Avert answers one question, and proves its answer: *does this motion touch anything, and if so, when?*
//!
//! **The guarantee.** [`Verdict::Free`] means that for every time of the motion every point of the one body is further
//! than the margin from every point of the other: rounding, sine and cosine, and the stated error of the inputs
//! included. Doubt ends as [`Verdict::Undecided`], never as `Free`. A body is its triangles and hulls, and the inside of its
//! mesh too if it is declared [solid](Model::into_solid).
//!
//! The data walks one way:
//!
//! ```text
//! points, triangles, hulls ─► Geometry ─► hierarchy::build ─► Model ─┐
//!                                          poses, velocities ─► RigidMotion ─┴─► Scene ─► Chord::step ─► Verdict
//! ```
//!
//! Two unit cubes, given as hulls; one passes by, one hits:
//!
//! ```
//! use avert::{Body, Budget, Check, Chord, Entry, Geometry, Hull, Limits, Memory, Pose, RigidMotion, Scene, Vec3, Verdict};
//!
//! let corners = core::array::from_fn::<_, 8, _>(|i| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32));
//! let cube = Geometry::new(&corners, &[], &[Hull { first: 0, count: 8, radius: 0.0 }], 0.0)?;
//! let model = avert::hierarchy::build(cube, &mut [], &mut [0])?;
//! let mut entries = [const { Entry::VACANT }; 256];
//! let mut memory = Memory::new(&mut entries);
//!
//! let pose = |x, y| Pose::new([1.0, 0.0, 0.0, 0.0], [x, y, 0.0]);
//! let stands = Body { model: &model, motion: RigidMotion::still(Pose::IDENTITY)? };
//! let mut check = |y| {
//!     let motion = RigidMotion::between(pose(-5.0, y), pose(5.0, y), Vec3::ZERO)?;
//!     let scene = Scene::new(Body { model: &model, motion }, stands, Limits { margin: 0.01, tolerance: 0.001 })?;
//!     Ok::<_, Box<dyn std::error::Error>>(Chord::new(&scene, &mut memory).step(&scene, Budget::UNLIMITED))
//! };
//! assert!(matches!(check(1.5)?, Verdict::Free(_)));
//! assert!(matches!(check(0.5)?, Verdict::Contact { free_until, .. } if (free_until - 0.399).abs() < 1e-3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What exactly is promised, and what is not, is in the project's `docs/guarantees.md`.

#![no_std]
#![forbid(unsafe_code)]
#![warn(missing_docs)]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        clippy::float_cmp,
        clippy::std_instead_of_core
    )
)]
#![allow(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "`!(a <= b)` is how a NaN is refused; every acceptance is a positive comparison"
)]

pub mod scalar;

pub mod kernel;

pub mod hierarchy;

pub mod motion;

pub mod robot;

pub mod advance;

mod verdict;

mod bytes;

mod fingerprint;

#[cfg(feature = "nalgebra")]
mod convert;

#[cfg(avert_mutants)]
pub mod mutant;
#[cfg(not(avert_mutants))]
mod mutant;

pub use advance::{C2a, Ca, Check, Chord, Control, Distance, Entry, Hca, Memory, Nearest, PathCheck, PathMemory};
pub use kernel::{Body, Cleared, Geometry, Hull, Limits, Model, NodeBytes, Scene, SceneError};
pub use motion::{RigidMotion, Velocities};
pub use scalar::{Fix32, Fix64, Interval, Mat3, Pose, Quaternion, Scalar, Vec3};
pub use verdict::{Budget, PathVerdict, Stats, Verdict, Why, Witness};

/// The example in the project's README, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
