//! `cargo xtask test`: every check, in order, up to the first that fails.

mod attack;
mod emulate;
mod steps;

use crate::command::{describe, target_dir};
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// What a step says when it fails: what is wrong, and how to run that alone.
type Outcome = Result<(), String>;

/// A name, and what to do.
type Step = (&'static str, fn(&mut Run) -> Outcome);

/// What every short run leaves out.
const SHORT: &str = "\
big case counts (per scalar: 12 million kernel decisions, 20,000 whole queries): only with --long
verdict bits of Cortex-M0 code: only with --long
fuzz targets, each for 10 minutes: only with --long
";

/// Runs all steps and prints what they took, what the tests reported, and what was skipped.
pub(crate) fn run(long: bool) -> ExitCode {
    let mut run = match Run::new(long) {
        Ok(run) => run,
        Err(error) => {
            eprintln!("{} cannot be written: {error}", target_dir().display());
            return ExitCode::FAILURE;
        }
    };
    let mut took = Vec::new();
    let mut failure = None;
    for (name, step) in steps::STEPS {
        println!("\n=== {name}");
        let start = Instant::now();
        let outcome = step(&mut run);
        took.push((name, start.elapsed(), outcome.is_ok()));
        if let Err(message) = outcome {
            failure = Some((name, message));
            break;
        }
    }
    println!("\n=== steps");
    for (name, time, ok) in &took {
        println!("{name:<28} {:>8.1} s  {}", time.as_secs_f64(), if *ok { "ok" } else { "FAILED" });
    }
    println!("{:<28} {:>8.1} s", "together", took.iter().map(|(_, time, _)| *time).sum::<Duration>().as_secs_f64());
    println!("\n=== reported");
    lines(&run.report).iter().for_each(|line| println!("{line}"));
    println!("\n=== skipped");
    let skipped = lines(&run.skipped);
    skipped.iter().for_each(|line| println!("{line}"));
    if skipped.is_empty() {
        println!("nothing was skipped");
    }
    match failure {
        None => ExitCode::SUCCESS,
        Some((name, message)) => {
            eprintln!("\nstep \"{name}\" failed; the steps after it did not run\n{message}");
            ExitCode::FAILURE
        }
    }
}

/// A run under way.
struct Run {
    long: bool,
    /// What the steps need and the machine does not have.
    missing: Vec<&'static str>,
    /// The files in which the tests say what they left out and what they measured.
    skipped: PathBuf,
    report: PathBuf,
}

impl Run {
    fn new(long: bool) -> std::io::Result<Self> {
        let folder = target_dir().join("xtask");
        std::fs::create_dir_all(&folder)?;
        let run =
            Self { long, missing: Vec::new(), skipped: folder.join("skipped.txt"), report: folder.join("report.txt") };
        std::fs::write(&run.skipped, if long { "" } else { SHORT })?;
        std::fs::write(&run.report, "")?;
        Ok(run)
    }

    /// Runs a command, with its output shown.
    fn execute(&self, mut command: Command) -> Outcome {
        let shown = describe(&command);
        println!("--- {shown}");
        let status = command.env("AVERT_SKIPPED", &self.skipped).env("AVERT_REPORT", &self.report).status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(format!("{status}; run it alone with\n    {shown}")),
            Err(error) => Err(format!("does not start: {error}\n    {shown}")),
        }
    }

    /// Runs a test, with the big runs if they are asked for.
    fn execute_test(&self, mut command: Command) -> Outcome {
        if self.long {
            command.env("AVERT_LONG", "1");
        }
        self.execute(command)
    }

    /// Notes that something is not on this machine, which check it is needed for, and what to do about it. On a machine
    /// that checks changes for everybody (`CI` is set) that is a failure.
    fn lacks(&mut self, what: &'static str, needed_for: &str, advice: &str) -> Outcome {
        let line = format!("{needed_for}: {what} is missing and could not be installed; {advice}");
        if std::env::var_os("CI").is_some() {
            return Err(line);
        }
        self.missing.push(what);
        self.skip(&line)
    }

    /// Notes that something was left out, and why.
    fn skip(&self, line: &str) -> Outcome {
        println!("skipped: {line}");
        let known = std::fs::read_to_string(&self.skipped).unwrap_or_default();
        std::fs::write(&self.skipped, format!("{known}{line}\n"))
            .map_err(|error| format!("{}: {error}", self.skipped.display()))
    }

    fn has(&self, what: &str) -> bool {
        !self.missing.contains(&what)
    }
}

/// The lines of a file, each once: a test that runs in debug and in release says the same twice.
fn lines(path: &PathBuf) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in std::fs::read_to_string(path).unwrap_or_default().lines() {
        if !lines.iter().any(|known| known == line) {
            lines.push(line.to_owned());
        }
    }
    lines
}
