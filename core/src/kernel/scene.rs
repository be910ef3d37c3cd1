//! Two bodies, their motions, and what counts as near.

use super::bounds::{Bounds, Moment};
use super::enclosure::Model;
use crate::fingerprint::Fingerprint;
use crate::motion::RigidMotion;
use crate::scalar::Scalar;

/// A model and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct Body<'a, S> {
    /// What moves.
    pub model: &'a Model<'a, S>,
    /// How it moves.
    pub motion: RigidMotion<S>,
}

/// What counts as near, in metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits<S> {
    /// The bodies must stay further apart than this.
    pub margin: S,
    /// A distance of at most margin + tolerance may be reported as a contact.
    pub tolerance: S,
}

/// Which two bodies of a scene a claim is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Couple(pub(crate) u32);

impl Couple {
    /// The one of a scene that has two bodies.
    pub(crate) const ONLY: Self = Self(0);
}

/// A scene, as the account sees it: couples of bodies, and a number that changes whenever any of them does.
pub trait Couples<S> {
    /// The scene's revision.
    fn revision_now(&self) -> u64;
    /// The models of two bodies; `None` if there is no such couple.
    fn models_of(&self, couple: Couple) -> Option<[&Model<'_, S>; 2]>;
}

impl<S: Scalar> Couples<S> for Scene<'_, S> {
    fn revision_now(&self) -> u64 {
        self.revision
    }

    fn models_of(&self, couple: Couple) -> Option<[&Model<'_, S>; 2]> {
        (couple == Couple::ONLY).then_some(self.models)
    }
}

/// Why a scene was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SceneError {
    /// The margin is negative, not finite or too large.
    Margin,
    /// The tolerance is negative, not finite or too large.
    Tolerance,
}

impl core::fmt::Display for SceneError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let what = match self {
            Self::Margin => "margin",
            Self::Tolerance => "tolerance",
        };
        write!(f, "the {what} must be a finite number of metres, not negative and not subnormal")
    }
}

impl core::error::Error for SceneError {}

/// All that a check is about.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a, S> {
    models: [&'a Model<'a, S>; 2],
    motions: [RigidMotion<S>; 2],
    limits: Limits<S>,
    bounds: Bounds<S>,
    revision: u64,
}

impl<'a, S: Scalar> Scene<'a, S> {
    /// Two moving bodies.
    pub fn new(a: Body<'a, S>, b: Body<'a, S>, limits: Limits<S>) -> Result<Self, SceneError> {
        if !(limits.margin >= S::ZERO && limits.margin.in_range()) {
            return Err(SceneError::Margin);
        }
        if !(limits.tolerance >= S::ZERO && limits.tolerance.in_range()) {
            return Err(SceneError::Tolerance);
        }
        let models = [a.model, b.model];
        let motions = [a.motion, b.motion];
        let bounds = Bounds::new(models, [&a.motion, &b.motion], limits.margin);
        let mut print = Fingerprint::new();
        models.iter().for_each(|m| print.word(m.fingerprint()));
        motions.iter().for_each(|m| m.print(&mut print));
        print.scalar(limits.margin);
        print.scalar(limits.tolerance);
        Ok(Self { models, motions, limits, bounds, revision: print.finish() })
    }

    /// A number that differs between different scenes: up to a chance of 2⁻⁶⁴, and not against an adversary.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// What counts as near.
    pub fn limits(&self) -> Limits<S> {
        self.limits
    }

    /// The two models.
    pub fn models(&self) -> [&'a Model<'a, S>; 2] {
        self.models
    }

    /// The two motions.
    pub fn motions(&self) -> [&RigidMotion<S>; 2] {
        let [a, b] = &self.motions;
        [a, b]
    }

    /// What holds for all pieces and all times.
    pub fn bounds(&self) -> &Bounds<S> {
        &self.bounds
    }

    /// Where both bodies are at a time; `None` outside of `[0, 1]`.
    pub fn moment(&self, time: S) -> Option<Moment<S>> {
        let within = S::ZERO <= time && time <= S::ONE;
        within.then(|| Moment {
            time,
            places: self.motions().map(|m| m.placement(time)),
            error_hi: self.bounds.error_hi,
            revision: self.revision,
            couple: Couple::ONLY,
        })
    }
}
