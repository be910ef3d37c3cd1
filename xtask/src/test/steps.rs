//! The steps of `cargo xtask test`.

use super::{Outcome, Run, Step, attack, emulate};
use crate::command::{cargo, describe, root, target_dir};
use crate::install;
use std::path::Path;
use std::process::Command;

/// Names and steps, in order. No step builds the workspace in debug: this program is running from there, and Windows
/// does not let a running program be replaced.
pub(super) const STEPS: [Step; 20] = [
    ("toolchain", toolchain),
    ("format", format),
    ("lints", lints),
    ("tests, release", tests),
    ("rigid suite, in brief", rigid),
    ("arm suite, in brief", arm),
    ("core, debug", core),
    ("core with nalgebra, debug", core_with_nalgebra),
    ("verdict bits, debug", bits_debug),
    ("verdict bits, native", bits_native),
    ("verdict bits, wasm", bits_wasm),
    ("verdict bits, emulated", emulate::same_bits),
    ("emulated, control", emulate::control),
    ("documentation", documentation),
    ("targets", targets),
    ("no panic", no_panic),
    ("no panic, control", no_panic_control),
    ("mutants", mutants),
    ("core in Miri", attack::miri),
    ("fuzz targets", attack::fuzz),
];

/// Targets without an operating system; the no-panic image is linked for them.
const BARE: [&str; 3] = ["thumbv6m-none-eabi", "thumbv7em-none-eabihf", "riscv32imac-unknown-none-elf"];
const WASM: &str = "wasm32-unknown-unknown";
/// One of [`BARE`], for lints.
const FIRST: &str = BARE[0];

/// The symbol that the no-panic image leaves undefined.
const PANIC_SYMBOL: &str = "avert_panic_is_reachable";

fn toolchain(run: &mut Run) -> Outcome {
    if let Err(advice) = install::component("fmt", "rustfmt") {
        run.lacks("rustfmt", "the format", &advice)?;
    }
    if let Err(advice) = install::component("clippy", "clippy") {
        run.lacks("clippy", "the lints", &advice)?;
    }
    for target in BARE.into_iter().chain([WASM]) {
        if let Err(advice) = install::target(target) {
            run.lacks(target, "core and its images on this target", &advice)?;
        }
    }
    attack::install(run)?;
    emulate::install(run)
}

fn format(run: &mut Run) -> Outcome {
    if !run.has("rustfmt") {
        return Ok(());
    }
    run.execute(cargo(&["fmt", "--all", "--check"]))?;
    run.execute(in_image(cargo(&["fmt", "--check"])))?;
    attack::format(run)?;
    run.execute(emulate::image(&["fmt", "--check"]))
}

fn lints(run: &mut Run) -> Outcome {
    if !run.has("clippy") {
        return Ok(());
    }
    run.execute(cargo(&["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    // The workspace turns all features of core on; alone it has none.
    run.execute(cargo(&["clippy", "--package", "avert", "--all-targets", "--", "-D", "warnings"]))?;
    // Not FCL's, which may not be here.
    let mut suite = cargo(&["clippy", "--package", "avert-host-tests", "--package", "avert-same-bits"]);
    suite.args(["--package", "avert-benches", "--features", "avert-benches/arm,avert-benches/parry"]);
    suite.args(["--features", "avert-host-tests/bench,avert-host-tests/parry,avert-same-bits/wasm"]);
    suite.args(["--all-targets", "--", "-D", "warnings"]);
    run.execute(suite)?;
    if run.has(FIRST) {
        run.execute(in_image(cargo(&["clippy", "--release", "--target", FIRST, "--", "-D", "warnings"])))?;
    }
    // Their parts differ.
    for target in BARE.into_iter().chain([WASM]).filter(|target| run.has(target)) {
        run.execute(emulate::image(&["clippy", "--release", "--target", target, "--", "-D", "warnings"]))?;
    }
    Ok(())
}

fn tests(run: &mut Run) -> Outcome {
    run.execute_test(cargo(&["test", "--workspace", "--release"]))
}

/// A few motions of two benchmarks through all strategies, distances and parameters; it fails if a verdict is not true. With
/// the one peer that cargo can bring, which must mean the same motions as we do.
fn rigid(run: &mut Run) -> Outcome {
    let package = ["--release", "--package", "avert-host-tests", "--features", "bench,parry"];
    for chosen in [["--lib", "rigid"], ["--lib", "peers"], ["--test", "peers"]] {
        let mut test = cargo(&["test"]);
        test.args(package).args(chosen);
        run.execute_test(test)?;
    }
    let mut suite = cargo(&["run"]);
    suite.args(package).args(["--bin", "rigid", "--", "--quick", "--distance", "--sweep", "hammer", "gear"]);
    run.execute(suite)
}

/// A few paths of the shared sets, where they are, through all columns; it fails if a verdict is not true, or if the sampled
/// check moves the arm in another way.
fn arm(run: &mut Run) -> Outcome {
    let mut suite = cargo(&["run", "--release", "--package", "avert-benches", "--features", "arm,parry"]);
    suite.args(["--bin", "arm", "--", "--quick"]);
    run.execute(suite)
}

fn core(run: &mut Run) -> Outcome {
    run.execute_test(cargo(&["test", "--package", "avert"]))
}

fn core_with_nalgebra(run: &mut Run) -> Outcome {
    run.execute_test(cargo(&["test", "--package", "avert", "--features", "nalgebra"]))
}

/// The release run compares with the same constants.
fn bits_debug(run: &mut Run) -> Outcome {
    run.execute(cargo(&["test", "--package", "avert-same-bits", "--test", "same_bits"]))
}

/// With every instruction that this machine has, fused multiplication and wide vectors included.
fn bits_native(run: &mut Run) -> Outcome {
    let mut test = cargo(&["test", "--release", "--package", "avert-same-bits", "--test", "same_bits"]);
    with_flags(&mut test, "-C target-cpu=native", "native");
    run.execute(test)
}

fn bits_wasm(run: &mut Run) -> Outcome {
    if !run.has(WASM) {
        return Ok(());
    }
    run.execute(emulate::image(&["build", "--release", "--target", WASM]))?;
    let mut test = cargo(&["test", "--release", "--package", "avert-same-bits", "--features", "wasm"]);
    test.args(["--test", "same_bits", "in_wasm"]).env("AVERT_WASM", emulate::built(WASM).with_extension("wasm"));
    run.execute(test)
}

fn documentation(run: &mut Run) -> Outcome {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    run.execute(doc)
}

/// Core builds where there is no operating system. That shows that it needs no `std`; no `alloc` is shown by the
/// no-panic image, which has no allocator, and by the sources.
fn targets(run: &mut Run) -> Outcome {
    for target in BARE.into_iter().chain([WASM]).filter(|target| run.has(target)) {
        run.execute(cargo(&["build", "--package", "avert", "--release", "--target", target]))?;
    }
    let sources = root().join("core/src");
    let library = read(&sources.join("lib.rs"))?;
    for line in ["#![no_std]", "#![forbid(unsafe_code)]"] {
        if !library.lines().any(|l| l == line) {
            return Err(format!("core/src/lib.rs does not say {line}"));
        }
    }
    without_alloc(&sources)
}

fn without_alloc(folder: &Path) -> Outcome {
    let unreadable = |error: std::io::Error| format!("{}: {error}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_dir() {
            without_alloc(&path)?;
        } else if read(&path)?.contains("extern crate alloc") {
            return Err(format!("{} uses alloc", path.display()));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn in_image(mut command: Command) -> Command {
    command.current_dir(root().join("firmware/no-panic"));
    command
}

/// The image links only if no panic is reachable from the query path.
fn no_panic(run: &mut Run) -> Outcome {
    for target in BARE.into_iter().filter(|target| run.has(target)) {
        run.execute(in_image(cargo(&["build", "--release", "--target", target])))
            .map_err(|error| format!("{error}\na panic is reachable if the linker misses {PANIC_SYMBOL}"))?;
    }
    Ok(())
}

/// The same image with a panic in it must not link, or the step before proves nothing.
fn no_panic_control(run: &mut Run) -> Outcome {
    for target in BARE.into_iter().filter(|target| run.has(target)) {
        let mut build = in_image(cargo(&["build", "--release", "--target", target, "--features", "panics"]));
        let shown = describe(&build);
        println!("--- {shown}");
        let output = build.output().map_err(|error| format!("does not start: {error}\n    {shown}"))?;
        let message = String::from_utf8_lossy(&output.stderr);
        if output.status.success() {
            return Err(format!("the image links although a panic is reachable:\n    {shown}"));
        }
        if !message.contains(&format!("undefined symbol: {PANIC_SYMBOL}")) {
            return Err(format!("{message}\nnot the failure that was expected:\n    {shown}"));
        }
        println!("does not link, as it must: undefined symbol: {PANIC_SYMBOL}");
    }
    Ok(())
}

/// The deliberate mistakes are compiled in by a cfg. The ordinary number of cases must catch them, in a long run, too.
fn mutants(run: &mut Run) -> Outcome {
    let mut test = cargo(&["test", "--release", "--package", "avert-host-tests", "--test", "mutants"]);
    with_flags(&mut test, "--cfg avert_mutants", "mutants");
    run.execute(test)
}

/// Adds flags for the compiler, and a target folder of their own, so that nothing else is built anew.
fn with_flags(command: &mut Command, flags: &str, folder: &str) {
    let others = std::env::var("RUSTFLAGS").unwrap_or_default();
    command.env("RUSTFLAGS", format!("{others} {flags}").trim()).env("CARGO_TARGET_DIR", target_dir().join(folder));
}
