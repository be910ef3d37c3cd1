//! What the checks need and rustup can bring. Everything lands in the user's own toolchain.

use crate::command::{cargo, succeeds};
use std::path::PathBuf;
use std::process::Command;

/// Sees to it that `cargo <subcommand>` works: the component of the same tool is added if it does not. Says whether it
/// does now.
pub(crate) fn component(subcommand: &str, component: &str) -> bool {
    let works = || succeeds(&mut cargo(&[subcommand, "--version"]));
    works() || (rustup(&["component", "add", component]) && works())
}

/// Sees to it that the standard library for a target is there. Says whether it is now.
pub(crate) fn target(target: &str) -> bool {
    let there = || sysroot().is_some_and(|root| root.join("lib/rustlib").join(target).join("lib").is_dir());
    there() || (rustup(&["target", "add", target]) && there())
}

fn rustup(arguments: &[&str]) -> bool {
    println!("rustup {}", arguments.join(" "));
    Command::new("rustup").args(arguments).status().is_ok_and(|status| status.success())
}

fn sysroot() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}
