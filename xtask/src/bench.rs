//! `cargo xtask bench`: the criterion benches.

use crate::command;
use std::process::ExitCode;

/// Runs the benches whose name contains the filter.
pub(crate) fn run(filter: Option<&str>) -> ExitCode {
    let mut bench = command::cargo(&["bench", "--package", "avert-benches", "--"]);
    bench.args(filter);
    println!("results: {}", command::target_dir().join("criterion").display());
    command::pass_on(bench)
}
