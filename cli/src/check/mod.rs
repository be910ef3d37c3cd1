//! `avert check`: a robot, a world and paths in, verdicts out.

mod heading;
mod plans;
mod row;
mod scope;
mod setup;

use crate::Check;
use crate::arm::{CellStorage, PathStorage};
use crate::convert::{limits, upper};
use crate::error::{Failure, out_of_range};
use crate::output::{Output, refuse_to_overwrite, spinner};
use crate::paths::{self, JointPath};
use crate::summary::{Answer, PATHS, Tally};
use avert::robot::{Scope, Workcell};
use avert::{Budget, Limits, PathCheck, PathMemory, Scalar};
use heading::heading;
use plans::Planner;
use row::COLUMNS;
use setup::Setup;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Instant;

/// The exit code if a path was found not free, or could not be decided.
const SOME_NOT_FREE: u8 = 1;

/// Reads, checks, writes. Nothing is written before all input has been found good.
pub(crate) fn run<S: Scalar>(request: &Check) -> Result<ExitCode, Failure> {
    let files = [("the robot", Some(&request.robot)), ("--srdf", request.srdf.as_ref())];
    let more = [("--world", request.world.as_ref()), ("--paths", Some(&request.paths))];
    let inputs = files.into_iter().chain(more).filter_map(|(name, file)| Some((name, file?.as_path())));
    refuse_to_overwrite(request.out.as_deref(), inputs)?;
    let (limits, tracking) = numbers::<S>(request)?;

    let waiting = spinner("reading and building");
    let start = Instant::now();
    let setup = Setup::read(request)?;
    let paths = paths::read(&request.paths, &setup.joints, &request.joints)?;
    waiting.set_message("proving hierarchies");
    let files = [&request.robot, request.world.as_ref().unwrap_or(&request.robot)].map(PathBuf::as_path);
    let mut storage = CellStorage::<S>::new(&setup.arm, &setup.obstacles, files)?;
    let mut cell = storage.cell(&setup.arm, &setup.obstacles, limits.margin, files)?;
    waiting.set_message("looking at the paths");
    let scope = if request.no_self { Scope::WorldOnly } else { Scope::Moving };
    let planner = Planner::new(&setup.arm, limits.tolerance, tracking, scope);
    paths.iter().try_for_each(|path| planner.verify(&cell, path, &request.paths))?;
    let mut warnings = setup.warnings.clone();
    if let Some(knot) = paths.first().and_then(|path| path.knots.first()) {
        let at_rest = planner.at_rest(knot).map_err(Failure::Internal)?;
        warnings.extend(scope::look_at_standing(&mut cell, &setup, &at_rest, limits.tolerance)?);
    }
    let built = start.elapsed();
    waiting.finish_and_clear();

    let mut output = Output::open(request.out.as_deref(), COLUMNS)?;
    let bar = output.progress_bar(paths.len(), "paths");
    let mut tally = Tally::default();
    let mut all_free = true;
    let threads = request.threads.or(thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get);
    let threads = threads.min(paths.len());
    let checker = Checker { request, setup: &setup, cell: &cell, planner: &planner };
    checker.all(&paths, threads, |path, Checked { fields, answer }| {
        let [verdict, until, touch, a, b, ax, ay, az, bx, by, bz, nx, ny, nz] = fields;
        all_free &= verdict == "free";
        let (id, work, micros) = (path.id.clone(), answer.stats.work.to_string(), format!("{:.3}", answer.micros));
        tally.add(verdict.clone(), answer);
        bar.inc(1);
        output.row(&[id, verdict, until, touch, a, b, ax, ay, az, bx, by, bz, nx, ny, nz, work, micros])
    })?;
    bar.finish_and_clear();
    let heading = heading(request, &setup, &cell, (scope, &paths, threads), built, &warnings);
    output.finish(&(heading + &tally.table(&PATHS)))?;
    Ok(if all_free { ExitCode::SUCCESS } else { ExitCode::from(SOME_NOT_FREE) })
}

/// Margin, tolerance and tracking tolerance.
fn numbers<S: Scalar>(request: &Check) -> Result<(Limits<S>, S), Failure> {
    let limits = limits::<S>(request.margin, request.tolerance);
    let tracking = upper::<S>(request.tracking);
    let all = [
        ("--margin", request.margin, "metres", limits.margin),
        ("--tolerance", request.tolerance, "metres", limits.tolerance),
        ("--tracking", request.tracking, "radians or metres", tracking),
    ];
    match all.into_iter().find(|(.., value)| !value.in_range()) {
        Some((option, found, unit, _)) => Err(out_of_range::<S>(option, found, unit, request.scalar)),
        None => Ok((limits, tracking)),
    }
}

/// What all threads share.
struct Checker<'a, 'c, S> {
    request: &'a Check,
    setup: &'a Setup,
    cell: &'a Workcell<'c, S>,
    planner: &'a Planner<'a, S>,
}

/// What came out of a path.
struct Checked {
    fields: [String; 14],
    answer: Answer,
}

impl<S: Scalar> Checker<'_, '_, S> {
    /// Checks all paths and hands over what came out, in their order.
    fn all(
        &self,
        paths: &[JointPath],
        threads: usize,
        mut take: impl FnMut(&JointPath, Checked) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads {
                let (next, sender) = (&next, sender.clone());
                scope.spawn(move || self.work(paths, next, &sender));
            }
            drop(sender);
            // Those that are done before others that stand before them.
            let mut early = BTreeMap::new();
            let mut due = paths.iter().enumerate().peekable();
            for (at, found) in receiver {
                early.insert(at, found);
                while let Some(found) = due.peek().and_then(|(at, _)| early.remove(at)) {
                    let Some((_, path)) = due.next() else { break };
                    take(path, found?)?;
                }
            }
            Ok(())
        })
    }

    /// What one thread does: the next path that nobody has taken, until there is none, or nobody listens any more.
    fn work(&self, paths: &[JointPath], next: &AtomicUsize, sender: &mpsc::Sender<(usize, Result<Checked, Failure>)>) {
        let mut storage = PathStorage::new(self.cell);
        let mut memory = storage.memory();
        let taken = std::iter::from_fn(|| {
            let at = next.fetch_add(1, Ordering::Relaxed);
            paths.get(at).map(|path| (at, path))
        });
        for (at, path) in taken {
            let memory = memory.as_mut().ok_or_else(|| "no memory for checks".to_owned());
            let found = memory.and_then(|memory| self.check(path, memory));
            let found = found.map_err(|what| Failure::Internal(format!("path {}: {what}", path.id)));
            if sender.send((at, found)).is_err() {
                return;
            }
        }
    }

    /// The verdict on a path, with the least time of all repetitions.
    fn check(&self, path: &JointPath, memory: &mut PathMemory<'_, S>) -> Result<Checked, String> {
        let mut checked = self.once(path, memory)?;
        for _ in 1..self.request.repeat {
            let again = self.once(path, memory)?;
            if (&again.fields, again.answer.stats) != (&checked.fields, checked.answer.stats) {
                return Err("the same question was answered in two ways".to_owned());
            }
            checked.answer.micros = checked.answer.micros.min(again.answer.micros);
        }
        Ok(checked)
    }

    fn once(&self, path: &JointPath, memory: &mut PathMemory<'_, S>) -> Result<Checked, String> {
        // What is found must not depend on which paths this thread has seen before.
        if !self.request.warm {
            memory.forget();
        }
        let Self { setup, cell, planner, .. } = self;
        let start = Instant::now();
        let joint_paths = planner.joint_paths(path)?;
        let plan = planner.plan(cell, &joint_paths).map_err(|e| e.to_string())?;
        let mut check = PathCheck::new(cell, &plan, memory).ok_or("the plan is not for this robot")?;
        let verdict = check.step(cell, &plan, Budget::UNLIMITED);
        let micros = start.elapsed().as_secs_f64() * 1e6;
        Ok(Checked { fields: row::fields(setup, cell, &verdict), answer: Answer { micros, stats: check.stats() } })
    }
}
