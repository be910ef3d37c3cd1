//! Our columns.

use crate::column::{Answer, Column, Pairs};
use avert::motion::JointPath;
use avert::robot::{Plan, Scope, Workcell};
use avert::{Budget, PathCheck, PathMemory, PathVerdict, Scalar};
use avert_cli::doors::ArmTask;
use avert_host_tests::peers::Said;
use std::time::Instant;

/// Does a check start with the directions of the path before?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// No: as the first path in new memory.
    Cold,
    /// Yes: as in a planner, which asks about one path after the other.
    Warm,
}

impl Start {
    pub(crate) const ALL: [Self; 2] = [Self::Cold, Self::Warm];
}

/// The check of one scalar.
pub(crate) struct Ours<'c, 'w, 'm, S> {
    task: &'c ArmTask,
    cell: &'c Workcell<'w, S>,
    tolerance: S,
    memory: PathMemory<'m, S>,
    paths: Vec<JointPath<S>>,
    scalar: &'static str,
    start: Start,
    pairs: Pairs,
}

impl<'c, 'w, 'm, S: Scalar> Ours<'c, 'w, 'm, S> {
    pub(crate) fn new(
        scalar: &'static str,
        task: &'c ArmTask,
        (cell, tolerance): (&'c Workcell<'w, S>, S),
        memory: PathMemory<'m, S>,
        (start, pairs): (Start, Pairs),
    ) -> Result<Self, String> {
        let still = JointPath::still(0.0).map_err(|e| e.to_string())?;
        let paths = vec![still; cell.joints()];
        Ok(Self { task, cell, tolerance, memory, paths, scalar, start, pairs })
    }
}

impl<S: Scalar> Column for Ours<'_, '_, '_, S> {
    fn name(&self) -> String {
        let start = match self.start {
            Start::Cold => "cold",
            Start::Warm => "warm",
        };
        format!("avert {}, {start}", self.scalar)
    }

    fn pairs(&self) -> Pairs {
        self.pairs
    }

    fn forget(&mut self) {
        self.memory.forget();
    }

    fn ask(&mut self, path: usize) -> Result<Answer, String> {
        if self.start == Start::Cold {
            self.memory.forget();
        }
        let scope = match self.pairs {
            Pairs::World => Scope::WorldOnly,
            Pairs::WorldAndSelf => Scope::Moving,
        };
        let start = Instant::now();
        self.task.lay(path, &mut self.paths).map_err(|e| e.to_string())?;
        let plan = Plan::new(self.cell, &self.paths, self.tolerance).map_err(|e| e.to_string())?.with_scope(scope);
        let mut check = PathCheck::new(self.cell, &plan, &mut self.memory).ok_or("expected a check")?;
        let verdict = check.step(self.cell, &plan, Budget::UNLIMITED);
        let took = start.elapsed();
        let until = verdict.cleared().until().time.to_f64();
        let said = match verdict {
            PathVerdict::Free(_) => Said::Free,
            PathVerdict::Contact { .. } => Said::Contact(until),
            PathVerdict::Undecided { .. } => Said::Nothing,
        };
        Ok(Answer { said, free_until: Some(until), took, stats: Some(check.stats()) })
    }
}
