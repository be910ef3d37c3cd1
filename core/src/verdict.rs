//! What a check answers, and what it cost.

use crate::kernel::{Cleared, Piece, Proof};
use crate::robot::{At, BodyIndex};
use crate::scalar::{Scalar, Vec3};

/// The answer. Every arm carries what it proves.
#[must_use]
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict<S> {
    /// For all times in `[0, 1]` the bodies are further apart than the margin.
    Free(Proof),
    /// The bodies come near: free before `free_until`, near at `touch`.
    Contact {
        /// For all times in `[0, free_until)` the bodies are further apart than the margin.
        free_until: S,
        /// At this time their distance is at most margin + tolerance. Penetration is not claimed, unless a solid has the
        /// other body inside of it at the start.
        touch: S,
        /// Which primitives, and where.
        witness: Witness<S>,
    },
    /// No answer for the whole motion, but a proof for its beginning.
    Undecided {
        /// For all times in `[0, free_until)` the bodies are further apart than the margin.
        free_until: S,
        /// What stopped the check.
        why: Why,
    },
}

/// The answer about a plan. Every arm carries what it proves.
#[must_use]
#[derive(Clone, Copy, Debug)]
pub enum PathVerdict<'p, S> {
    /// The whole plan is free.
    Free(Cleared<'p, S>),
    /// Two bodies come near.
    Contact {
        /// What is free before.
        cleared: Cleared<'p, S>,
        /// At this moment the distance is at most margin + tolerance.
        touch: At<S>,
        /// Which bodies; the first is a link or payload.
        bodies: [BodyIndex; 2],
        /// Which of their primitives, and where.
        witness: Witness<S>,
    },
    /// No answer for the whole plan, but a proof for its beginning.
    Undecided {
        /// What is free.
        cleared: Cleared<'p, S>,
        /// What stopped the check.
        why: Why,
    },
}

impl<'p, S: Scalar> PathVerdict<'p, S> {
    /// What is proved free.
    pub fn cleared(&self) -> &Cleared<'p, S> {
        match self {
            Self::Free(cleared) | Self::Contact { cleared, .. } | Self::Undecided { cleared, .. } => cleared,
        }
    }
}

/// What stopped a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The budget is used up: call `step` again to go on.
    Budget,
    /// The memory for open obligations is full: give more.
    Stack,
    /// Two pieces are neither provably apart nor provably within margin + tolerance at this precision: use a wider
    /// scalar or a larger tolerance.
    Precision,
    /// The bodies are too large, too fast or too far from each other for this scalar: use a wider one.
    Range,
    /// The scene is not the one that the check was started with, and nothing is known about it: start a new check.
    SceneChanged,
    /// It could not be decided whether one body, a solid, has the other inside of it at the start: the surfaces are too near
    /// to each other there, or known too vaguely, for this scalar.
    Start,
}

impl core::fmt::Display for Why {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Budget => "budget",
            Self::Stack => "stack",
            Self::Precision => "precision",
            Self::Range => "range",
            Self::SceneChanged => "scene changed",
            Self::Start => "inside or outside",
        })
    }
}

/// Two points that are near, one on each body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Witness<S> {
    /// The primitive of each body: triangles first, then hulls.
    pub primitives: [usize; 2],
    /// The two points in the world, on the cores of the primitives (radii not included). Where one body is inside of the
    /// other, a solid, both are a point of its primitive, and the other primitive is one of the surface around it.
    pub points: [Vec3<S>; 2],
    /// From the first body to the second, not normalised: from point to point or, where the cores meet, the last direction in
    /// which they were seen apart; from middle to middle where one body is inside of the other.
    pub direction: Vec3<S>,
    /// The proved upper bound of the distance at `touch`, in metres.
    pub distance_hi: S,
}

/// How much work a step may do, in units of about one point projected on one direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Budget(u64);

impl Budget {
    /// As much as it takes.
    pub const UNLIMITED: Self = Self(u64::MAX);

    /// This many units. At least one obligation is worked on in every step.
    pub const fn units(units: u64) -> Self {
        Self(units)
    }

    pub(crate) const fn get(self) -> u64 {
        self.0
    }
}

/// What a check has cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Weighted units: points projected, poses computed. A [`Budget`] is in the same units.
    pub work: u64,
    /// Pairs in which at least one piece was a node, each time that one was taken up.
    pub node_pairs: u64,
    /// Pairs of primitives, each time that one was taken up.
    pub primitive_pairs: u64,
    /// Directions put to the kernel, and parts that it was asked to place.
    pub kernel_calls: u64,
    /// Poses computed.
    pub poses: u64,
    /// Intervals of time looked at (chord), traversals (CA, C²A: the paper's N_τ) or steps of single pairs (HCA: its N_CA).
    pub iterations: u64,
    /// Pairs that were proved apart for a while or for good, and not split: over all iterations. In CA and C²A, the paper's
    /// front nodes.
    pub front: u64,
    /// The most obligations that were kept at once.
    pub most_open: u64,
}

impl Stats {
    /// Counts a pair that is taken up.
    pub(crate) fn count(&mut self, pieces: [Piece; 2]) {
        if pieces.iter().all(|piece| piece.is_primitive()) {
            self.primitive_pairs += 1;
        } else {
            self.node_pairs += 1;
        }
    }
}
