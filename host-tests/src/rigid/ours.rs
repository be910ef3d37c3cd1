//! Our columns: every strategy in every scalar, asked in one way.

use super::Case;
use super::judge::Cost;
use crate::peers::Said;
use crate::queries::Parts;
use avert::{
    Body, Budget, Check, Chord, Entry, Limits, Memory, Model, Pose, RigidMotion, Scalar, Scene, Stats, Verdict,
};
use std::time::{Duration, Instant};

/// How the search goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strategy {
    Chord,
}

/// In which numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    F32,
    F64,
}

/// One column of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    pub strategy: Strategy,
    pub width: Width,
}

/// All of them, in the table's order.
pub const COLUMNS: [Column; 2] =
    [Column { strategy: Strategy::Chord, width: Width::F32 }, Column { strategy: Strategy::Chord, width: Width::F64 }];

impl Column {
    /// Such as "chord f32".
    pub fn name(self) -> String {
        let strategy = match self.strategy {
            Strategy::Chord => "chord",
        };
        let width = match self.width {
            Width::F32 => "f32",
            Width::F64 => "f64",
        };
        format!("{strategy} {width}")
    }
}

/// Room for the open obligations of any strategy, at any tolerance that is asked here.
const ENTRIES: usize = 1 << 16;

/// Memory for an [`Asker`].
pub fn room<S: Scalar>() -> Vec<Entry<S>> {
    crate::queries::entries(ENTRIES)
}

/// Two primitives, one of each body: those that a query ended with are a guess for the next one.
pub type Hint = Option<[usize; 2]>;

/// An answer in the library's own words.
#[derive(Clone, Copy, Debug)]
pub struct Asked<S> {
    pub verdict: Verdict<S>,
    pub stats: Stats,
    /// Where the bodies were nearest, if the strategy tells.
    pub nearest: Hint,
}

impl<S: Scalar> Asked<S> {
    /// In the words that are common to all libraries.
    pub fn said(&self) -> Said {
        match self.verdict {
            Verdict::Free(_) => Said::Free,
            Verdict::Contact { free_until, .. } => Said::Contact(free_until.to_f64()),
            Verdict::Undecided { .. } => Said::Nothing,
        }
    }

    /// What it had to look at. The chord strategy's iterations are its intervals.
    pub fn cost(&self) -> Cost {
        let Stats { node_pairs, primitive_pairs, kernel_calls, intervals, .. } = self.stats;
        // Placeholder: `Stats` will count iterations and front node pairs itself.
        Cost { iterations: intervals, front: node_pairs, node_pairs, primitive_pairs, kernel_calls }
    }
}

/// Runs one check to its end. A new strategy is a line here.
fn ask<S: Scalar>(strategy: Strategy, scene: &Scene<'_, S>, memory: &mut Memory<'_, S>, _hint: Hint) -> Asked<S> {
    fn finish<S: Scalar>(scene: &Scene<'_, S>, mut check: impl Check<S>) -> (Verdict<S>, Stats) {
        (check.step(scene, Budget::UNLIMITED), check.stats())
    }
    let (verdict, stats) = match strategy {
        Strategy::Chord => finish(scene, Chord::new(scene, memory)),
    };
    let nearest = match verdict {
        Verdict::Contact { witness, .. } => Some(witness.primitives),
        Verdict::Free(_) | Verdict::Undecided { .. } => None,
    };
    Asked { verdict, stats, nearest }
}

/// Two models and the memory to check them in.
#[derive(Debug)]
pub struct Asker<'m, S> {
    models: [&'m Model<'m, S>; 2],
    stands: RigidMotion<S>,
    memory: Memory<'m, S>,
}

impl<'m, S: Scalar> Asker<'m, S> {
    /// The first model will move, the second one stands at the identity.
    pub fn new(models: [&'m Model<'m, S>; 2], room: &'m mut [Entry<S>]) -> Result<Self, String> {
        let stands = RigidMotion::still(Pose::IDENTITY).map_err(|e| e.to_string())?;
        Ok(Self { models, stands, memory: Memory::new(room) })
    }

    /// Does this motion touch anything? The time is that of making the scene and of the check.
    pub fn ask(
        &mut self,
        strategy: Strategy,
        motion: &RigidMotion<S>,
        tolerance: f64,
        hint: Hint,
    ) -> Result<(Asked<S>, Duration), String> {
        let limits = Limits { margin: S::ZERO, tolerance: S::from_f64_lo(tolerance) };
        let [a, b] = self.models;
        let start = Instant::now();
        let scene = Scene::new(Body { model: a, motion: *motion }, Body { model: b, motion: self.stands }, limits)
            .map_err(|e| e.to_string())?;
        let asked = ask(strategy, &scene, &mut self.memory, hint);
        Ok((asked, start.elapsed()))
    }
}

/// Builds the models of a case, one if both shapes are the same, and does something with them.
pub fn with_models<S: Scalar, R>(
    case: &Case,
    act: impl FnOnce([&Model<'_, S>; 2]) -> Result<R, String>,
) -> Result<R, String> {
    let mut first = Parts::new(&case.shapes[0]);
    let first = first.model()?;
    if case.same {
        return act([&first, &first]);
    }
    let mut second = Parts::new(&case.shapes[1]);
    act([&first, &second.model()?])
}
