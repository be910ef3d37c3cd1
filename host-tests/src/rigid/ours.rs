//! Our columns: every strategy in every scalar, asked in one way.

use super::Case;
use super::judge::Cost;
use crate::peers::Said;
use crate::queries::{Parts, Strategy, motion};
use crate::scenes::{Path, Place};
use avert::{
    Body, Budget, C2a, Ca, Check, Chord, Control, Distance, Entry, Hca, Limits, Memory, Model, Nearest, Pose,
    RigidMotion, Scalar, Scene, Stats, Verdict,
};
use std::time::{Duration, Instant};

/// In which numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    F32,
    F64,
}

/// One column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub strategy: Strategy,
    pub width: Width,
}

/// All of them, in the table's order.
pub const COLUMNS: [Column; 8] = {
    const fn column(strategy: Strategy, width: Width) -> Column {
        Column { strategy, width }
    }
    [
        column(Strategy::Ca, Width::F32),
        column(Strategy::Ca, Width::F64),
        column(Strategy::C2a, Width::F32),
        column(Strategy::C2a, Width::F64),
        column(Strategy::Hca, Width::F32),
        column(Strategy::Hca, Width::F64),
        column(Strategy::Chord, Width::F32),
        column(Strategy::Chord, Width::F64),
    ]
};

impl Column {
    /// Such as "chord f32".
    pub fn name(self) -> String {
        let width = match self.width {
            Width::F32 => "f32",
            Width::F64 => "f64",
        };
        format!("{} {width}", self.strategy.name())
    }
}

/// How a motion is checked.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub strategy: Strategy,
    /// In metres.
    pub tolerance: f64,
    /// The weight of controlled advancement, if it is not the default.
    pub weight: Option<f64>,
    pub hint: Hint,
}

impl Manner {
    /// With defaults, and without a hint.
    pub fn plain(strategy: Strategy, tolerance: f64) -> Self {
        Self { strategy, tolerance, weight: None, hint: None }
    }
}

/// Memory for an [`Asker`].
pub fn room<S: Scalar>() -> Vec<Entry<S>> {
    crate::queries::entries(Memory::<S>::RECOMMENDED)
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

    /// What it had to look at.
    pub fn cost(&self) -> Cost {
        let Stats { node_pairs, primitive_pairs, kernel_calls, iterations, front, .. } = self.stats;
        Cost { iterations, front, node_pairs, primitive_pairs, kernel_calls }
    }
}

/// Runs one check to its end.
fn ask<S: Scalar>(manner: &Manner, scene: &Scene<'_, S>, memory: &mut Memory<'_, S>) -> Asked<S> {
    fn finish<S: Scalar>(scene: &Scene<'_, S>, check: &mut impl Check<S>) -> (Verdict<S>, Stats) {
        (check.step(scene, Budget::UNLIMITED), check.stats())
    }
    let ((verdict, stats), nearest) = match manner.strategy {
        Strategy::Chord => (finish(scene, &mut Chord::new(scene, memory)), None),
        Strategy::Ca => {
            let check = Ca::new(scene, memory);
            let mut check = if let Some(pair) = manner.hint { check.with_guess(scene, pair) } else { check };
            (finish(scene, &mut check), check.nearest())
        }
        Strategy::C2a => {
            let mut control = Control::new(scene.limits().tolerance);
            control.weight = manner.weight.map_or(control.weight, S::from_f64_near);
            let check = C2a::new(scene, memory, control);
            let mut check = if let Some(pair) = manner.hint { check.with_guess(scene, pair) } else { check };
            (finish(scene, &mut check), check.nearest())
        }
        Strategy::Hca => (finish(scene, &mut Hca::new(scene, memory)), None),
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

    /// The models, the first one on this path.
    fn scene(&self, path: &Path, tolerance: f64) -> Result<Scene<'m, S>, String> {
        let ([a, b], motion) = (self.models, motion(path, false).map_err(|e| e.to_string())?);
        let limits = Limits { margin: S::ZERO, tolerance: S::from_f64_lo(tolerance) };
        Scene::new(Body { model: a, motion }, Body { model: b, motion: self.stands }, limits).map_err(|e| e.to_string())
    }

    /// Does this motion touch anything? The time is that of making motion and scene, and of the check.
    pub fn ask(&mut self, manner: &Manner, path: &Path) -> Result<(Asked<S>, Duration), String> {
        let start = Instant::now();
        let scene = self.scene(path, manner.tolerance)?;
        let asked = ask(manner, &scene, &mut self.memory);
        Ok((asked, start.elapsed()))
    }

    /// How far apart are the bodies where the first one stands here? The time is that of making pose and scene, and of the search.
    pub fn distance(&mut self, place: &Place) -> Result<(Distance<S>, Duration), String> {
        let start = Instant::now();
        let scene = self.scene(&Path::still(*place), 0.0)?;
        let found = Nearest::START.find(&scene, &mut self.memory, Budget::UNLIMITED);
        let took = start.elapsed();
        found.map(|distance| (distance, took)).map_err(|why| why.to_string())
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
