//! `cargo xtask bench`: the criterion benches, the paper's rigid benchmarks, and the arm benchmark.

use crate::{command, install};
use std::process::ExitCode;

/// Runs the benches whose name contains the filter.
pub(crate) fn run(filter: Option<&str>) -> ExitCode {
    let mut bench = command::cargo(&["bench", "--package", "avert-benches", "--"]);
    bench.args(filter);
    println!("results: {}", command::target_dir().join("criterion").display());
    command::pass_on(bench)
}

/// Runs the paper's rigid benchmarks; `--peers` builds the other libraries in, the other arguments are the program's.
pub(crate) fn rigid(arguments: &[&str]) -> ExitCode {
    let (peers, rest): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|argument| **argument == "--peers");
    let mut features = vec!["bench"];
    if !peers.is_empty() {
        features.push("parry");
        match install::system_library("fcl >= 0.7", "libfcl-dev") {
            Ok(()) => features.push("fcl"),
            Err(advice) => eprintln!("without FCL, which is not here: {advice}"),
        }
    }
    let features = features.join(",");
    let package = ["--package", "avert-host-tests", "--features", &features, "--bin", "rigid", "--"];
    let mut run = command::cargo(&["run", "--release"]);
    run.args(package).args(rest);
    command::pass_on(run)
}

/// Runs the arm benchmark; `--peers` builds the sampled check in, the other arguments are the program's.
pub(crate) fn arm(arguments: &[&str]) -> ExitCode {
    let (peers, rest): (Vec<&str>, Vec<&str>) = arguments.iter().partition(|argument| **argument == "--peers");
    let features = if peers.is_empty() { "arm" } else { "arm,parry" };
    let mut run = command::cargo(&["run", "--release", "--package", "avert-benches", "--features", features]);
    run.args(["--bin", "arm", "--"]).args(rest);
    command::pass_on(run)
}
