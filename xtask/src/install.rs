//! What the checks need. What rustup can bring lands in the user's own toolchain; a system library or an emulator comes from apt.

use crate::command::{cargo, describe, succeeds};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The line that installs rustup itself.
const INSTALL_RUSTUP: &str = if cfg!(windows) {
    "`winget install Rustlang.Rustup`"
} else if cfg!(target_os = "macos") {
    "`brew install rustup`"
} else {
    "`sudo apt-get install rustup` (Debian 13, Ubuntu 24.04 or newer; else see https://rustup.rs)"
};

/// Sees to it that `cargo <subcommand>` works: the component of the same tool is added if it does not. The error says
/// what to do by hand.
pub(crate) fn component(subcommand: &str, component: &str) -> Result<(), String> {
    ensure(|| succeeds(&mut cargo(&[subcommand, "--version"])), &["component", "add", component])
}

/// Sees to it that the standard library for a target is there. The error says what to do by hand.
pub(crate) fn target(target: &str) -> Result<(), String> {
    let there = || sysroot().is_some_and(|root| root.join("lib/rustlib").join(target).join("lib").is_dir());
    ensure(there, &["target", "add", target])
}

/// Sees to it that pkg-config finds a library (such as `fcl >= 0.7`) and that there is a C++ compiler: Debian's packages are
/// installed if not and apt is there. The error says what to do by hand.
pub(crate) fn system_library(name: &str, package: &str) -> Result<(), String> {
    let there = || {
        succeeds(Command::new("pkg-config").args(["--exists", name])) && succeeds(Command::new("c++").arg("--version"))
    };
    let by_hand = format!(
        "install {name} with its headers, pkg-config and a C++ compiler (Debian, Ubuntu: {package}, pkg-config, g++)"
    );
    apt(there, &[package, "pkg-config", "g++"], by_hand)
}

/// Sees to it that a program is there: Debian's package is installed if not and apt is there. The error says what to do by
/// hand.
pub(crate) fn program(name: &str, package: &str) -> Result<(), String> {
    let there = || succeeds(Command::new(name).arg("--version"));
    apt(there, &[package], format!("install {name} (Debian, Ubuntu: {package})"))
}

/// Sees to it that cargo-fuzz is in a folder, and that there is a C++ compiler for its library. The error says what to do by
/// hand.
pub(crate) fn fuzzer(folder: &Path) -> Result<(), String> {
    program("c++", "g++")?;
    if succeeds(Command::new(folder.join("bin/cargo-fuzz")).arg("--version")) {
        return Ok(());
    }
    let mut install = cargo(&["install", "cargo-fuzz", "--locked", "--root"]);
    install.arg(folder);
    println!("{}", describe(&install));
    if install.status().is_ok_and(|status| status.success()) {
        Ok(())
    } else {
        Err(format!("run `{}`", describe(&install)))
    }
}

fn apt(there: impl Fn() -> bool, packages: &[&str], by_hand: String) -> Result<(), String> {
    if there() {
        return Ok(());
    }
    if !succeeds(Command::new("apt-get").arg("--version")) {
        return Err(by_hand);
    }
    let root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    let words: &[&str] = if root { &["apt-get"] } else { &["sudo", "apt-get"] };
    let run = |arguments: &[&str]| {
        let words = [words, arguments].concat();
        println!("{}", words.join(" "));
        Command::new(words[0]).args(&words[1..]).status().is_ok_and(|status| status.success())
    };
    let install = [&["install", "-y", "--no-install-recommends"], packages].concat();
    // A package list that is old or absent does not lead to the package.
    let done = run(&install) || run(&["update"]) && run(&install);
    if done && there() { Ok(()) } else { Err(by_hand) }
}

fn ensure(there: impl Fn() -> bool, rustup_arguments: &[&str]) -> Result<(), String> {
    if there() {
        return Ok(());
    }
    let line = format!("rustup {}", rustup_arguments.join(" "));
    println!("{line}");
    match Command::new("rustup").args(rustup_arguments).status() {
        Ok(status) if status.success() && there() => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("rustup itself is missing: run {INSTALL_RUSTUP}, then `{line}`"))
        }
        Ok(_) | Err(_) => Err(format!("run `{line}`")),
    }
}

fn sysroot() -> Option<PathBuf> {
    let output = Command::new("rustc").args(["--print", "sysroot"]).output().ok()?;
    Some(PathBuf::from(String::from_utf8(output.stdout).ok()?.trim()))
}
