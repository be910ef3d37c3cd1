//! `cargo xtask demo`: the main job, on the host.

use crate::command;
use std::process::ExitCode;

/// Runs the demo and passes its exit code on.
pub(crate) fn run() -> ExitCode {
    command::pass_on(command::cargo(&["run", "--release", "--package", "avert-host-tests", "--bin", "demo"]))
}
