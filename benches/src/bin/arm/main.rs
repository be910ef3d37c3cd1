//! The arm benchmark: how fast whole motions of a panda are proved free, beside a check at samples, which proves nothing.

mod column;
mod instructions;
mod judge;
mod ours;
#[cfg(feature = "parry")]
mod sampled;
mod set;
mod table;

use avert::robot::Workcell;
use avert::{Limits, PathMemory, Scalar};
use avert_cli::doors::{ArmTask, PathStorage};
use avert_host_tests::rigid::table::replaced;
use clap::Parser;
use column::{Answer, Column, Pairs};
use judge::Summary;
use ours::{Ours, Start};
use set::{Set, Truth};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use table::Report;

/// Nothing must touch, and a distance of up to the tolerance may be called a contact, in metres: as `avert check` has it.
const MARGIN_AND_TOLERANCE: [f64; 2] = [0.0, 0.0001];

/// Where the tables go, in their order: the file, and the name in its marker comments.
const DOCUMENTS: [(&str, &str); 2] = [("README.md", "arm table"), ("docs/benchmarks.md", "arm table")];

/// Measures the check of arms on the shared panda sets.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench arm", after_help = "--peers, an option of xtask, builds the sampled check in.")]
struct Arguments {
    /// Only these sets, "shelf" or "thin"; all if none is named
    sets: Vec<String>,
    /// Few paths, each once: to see whether everything works
    #[arg(long)]
    quick: bool,
    /// How often each path is asked about; the least time counts
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Puts the tables into README.md and docs/benchmarks.md, between their marker comments; for whole runs
    #[arg(long, conflicts_with_all = ["quick", "sets", "instructions"])]
    write_docs: bool,
    /// Counts instructions by valgrind instead, which no other load on the machine can change
    #[arg(long)]
    instructions: bool,
    /// What valgrind runs
    #[arg(long, hide = true)]
    counted: bool,
}

fn main() -> ExitCode {
    match execute(&Arguments::parse()) {
        Ok(violations) if violations.is_empty() => ExitCode::SUCCESS,
        Ok(violations) => {
            eprintln!("UNSOUND:\n{}", violations.join("\n"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Gives what is wrong with our own answers.
fn execute(arguments: &Arguments) -> Result<Vec<String>, String> {
    if let Some(unknown) = arguments.sets.iter().find(|name| !set::NAMES.contains(&name.as_str())) {
        return Err(format!("there is no set {unknown:?}; there are {}", set::NAMES.join(", ")));
    }
    // A look does not replace what a whole run has measured.
    let folder = target().join(if arguments.quick { "arm/quick" } else { "arm" });
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let (mut reports, mut violations) = (vec![], vec![]);
    let chosen = |name: &&str| arguments.sets.is_empty() || arguments.sets.iter().any(|chosen| chosen == name);
    for name in set::NAMES.into_iter().filter(|name| chosen(name)) {
        let Some(set) = Set::load(name)? else {
            let what = format!("arm benchmark on {name}");
            avert_host_tests::skip(&what, "the shared folder is absent (AVERT_SHARED, or beside the project)");
            continue;
        };
        if arguments.instructions {
            println!("{}", instructions::count(name, &folder)?);
            continue;
        }
        let count = if arguments.quick { 20 } else { usize::MAX };
        let count = if arguments.counted { instructions::PATHS } else { count };
        let paths = spread(set.task.paths(), count);
        let repeat = if arguments.quick { 1 } else { arguments.repeat };
        let act = |columns: &mut [Box<dyn Column + '_>]| match arguments.counted {
            true => instructions::run(columns, &set, &paths).map(|()| None),
            false => measure(&set, &paths, repeat, columns, &folder).map(Some),
        };
        let Some(report) = with_columns(&set.task, act)?? else { continue };
        println!("{}", report.text());
        violations.extend(report.columns.iter().filter_map(|column| column.violation(name)));
        reports.push(report);
    }
    if arguments.write_docs && !reports.is_empty() {
        if cfg!(not(feature = "parry")) {
            eprintln!("the tables are without the sampled check (--peers)");
        }
        for ((file, name), table) in DOCUMENTS.iter().zip([table::brief(&reports), table::full(&reports)]) {
            let path = root().join(file);
            let text = std::fs::read_to_string(&path).map_err(|e| format!("{file}: {e}"))?;
            let text = replaced(&text, name, &table).map_err(|e| format!("{file}: {e}"))?;
            std::fs::write(&path, text).map_err(|e| format!("{file}: {e}"))?;
            println!("written: the {name} in {file}");
        }
    }
    Ok(violations)
}

/// So many of them, of all parts of the set: the first half is uniform, the second hard.
fn spread(all: usize, count: usize) -> Vec<usize> {
    (0..all).step_by((all / count.max(1)).max(1)).collect()
}

/// Asks every column about every path, in turn, again and again. A column that learns from the path before has seen that one, in every
/// round, and not this one.
fn measure(
    set: &Set,
    paths: &[usize],
    repeat: u64,
    columns: &mut [Box<dyn Column + '_>],
    folder: &Path,
) -> Result<Report, String> {
    let mut answers: Vec<Vec<(Truth, Answer)>> = vec![vec![]; columns.len()];
    for round in 0..repeat {
        columns.iter_mut().for_each(|column| column.forget());
        for (at, path) in paths.iter().enumerate() {
            for (column, answers) in columns.iter_mut().zip(&mut answers) {
                let answer = column.ask(*path).map_err(|e| format!("{}, path {path}: {e}", column.name()))?;
                match answers.get_mut(at) {
                    None => answers.push((set.truths[*path], answer)),
                    Some((_, known)) if known.said != answer.said => {
                        return Err(format!("{}, path {path}: another answer in round {round}", column.name()));
                    }
                    Some((_, known)) => known.took = known.took.min(answer.took),
                }
            }
        }
    }
    let allowed = MARGIN_AND_TOLERANCE.iter().sum::<f64>() + set.task.excess();
    let names: Vec<_> = columns.iter().map(|column| (column.name(), column.pairs())).collect();
    write(&folder.join(format!("{}.csv", set.name)), paths, &names, &answers)?;
    let summed = names.into_iter().zip(&answers).map(|(name, answers)| Summary::new(name, answers, allowed));
    Ok(Report { name: set.name, columns: summed.collect() })
}

/// One line a path and column.
fn write(
    file: &Path,
    paths: &[usize],
    names: &[(String, Pairs)],
    answers: &[Vec<(Truth, Answer)>],
) -> Result<(), String> {
    let mut text = "id,collides,column,pairs,said,free_until,micros,kernel_calls,poses,intervals,work\n".to_owned();
    for (at, path) in paths.iter().enumerate() {
        for ((name, pairs), answers) in names.iter().zip(answers) {
            let (truth, Answer { said, free_until, took, stats }) = &answers[at];
            let cost = stats
                .map_or(",,,".to_owned(), |s| format!("{},{},{},{}", s.kernel_calls, s.poses, s.iterations, s.work));
            text.push_str(&format!(
                "{path},{},\"{name}\",{},{said:?},{},{:.3},{cost}\n",
                u8::from(truth.contact.is_some()),
                pairs.name(),
                free_until.map_or(String::new(), |until| until.to_string()),
                took.as_secs_f64() * 1e6
            ));
        }
    }
    std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}

/// Builds all columns and lends them.
fn with_columns<R>(task: &ArmTask, act: impl FnOnce(&mut [Box<dyn Column + '_>]) -> R) -> Result<R, String> {
    let built = task.with_cell::<f32, _>(MARGIN_AND_TOLERANCE, |single, single_limits| {
        task.with_cell::<f64, _>(MARGIN_AND_TOLERANCE, |double, double_limits| {
            let (mut singles, mut doubles) = (rooms(single), rooms(double));
            let mut columns: Vec<Box<dyn Column + '_>> = vec![];
            add("f32", task, (single, single_limits), &mut singles, &mut columns)?;
            add("f64", task, (double, double_limits), &mut doubles, &mut columns)?;
            #[cfg(feature = "parry")]
            sampled::add(task, double, &mut columns)?;
            // Those that are compared with each other beside each other.
            columns.sort_by_key(|column| column.pairs() == Pairs::WorldAndSelf);
            Ok(act(&mut columns))
        })
    });
    built??
}

/// The ways in which one scalar is asked.
const MANNERS: usize = Start::ALL.len() * Pairs::ALL.len();

fn rooms<S: Scalar>(cell: &Workcell<'_, S>) -> [PathStorage<S>; MANNERS] {
    std::array::from_fn(|_| PathStorage::new(cell))
}

fn add<'c, 'w: 'c, S: Scalar>(
    scalar: &'static str,
    task: &'c ArmTask,
    (cell, limits): (&'c Workcell<'w, S>, Limits<S>),
    rooms: &'c mut [PathStorage<S>; MANNERS],
    columns: &mut Vec<Box<dyn Column + 'c>>,
) -> Result<(), String> {
    let manners = Pairs::ALL.into_iter().flat_map(|pairs| Start::ALL.map(|start| (start, pairs)));
    for (room, manner) in rooms.iter_mut().zip(manners) {
        let memory: PathMemory<'c, S> = room.memory().ok_or("expected memory")?;
        columns.push(Box::new(Ours::new(scalar, task, (cell, limits.tolerance), memory, manner)?));
    }
    Ok(())
}

/// The project's folder.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from)
}
