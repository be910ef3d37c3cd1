//! What attacks: the fuzz targets, and core in an interpreter that looks at every access.

use super::{Outcome, Run};
use crate::command::{cargo, root, succeeds, target_dir};
use crate::install;
use std::path::PathBuf;
use std::process::Command;

/// What is fuzzed, each as a target of its own.
const TARGETS: [&str; 4] = ["blob", "mesh", "csv", "query"];

/// For each of them.
const SECONDS: u64 = 600;

/// What `cargo install` brings, in a folder of its own.
fn tools() -> PathBuf {
    target_dir().join("tools")
}

/// Sees to it that what a long run needs is there.
pub(super) fn install(run: &mut Run) -> Outcome {
    if run.long
        && let Err(advice) = install::fuzzer(&tools())
    {
        run.lacks("cargo-fuzz", "fuzz targets", &advice)?;
    }
    Ok(())
}

/// Each target for ten minutes. Without a sanitizer: the project has no unsafe code that one could catch, and the stable
/// compiler has none. What is found is left beside the corpus.
pub(super) fn fuzz(run: &mut Run) -> Outcome {
    if !(run.long && run.has("cargo-fuzz")) {
        return Ok(());
    }
    let folder = target_dir().join("fuzz");
    run.execute(in_fuzz(cargo(&["clippy", "--all-targets", "--", "-D", "warnings"])))?;
    for target in TARGETS {
        let corpus = folder.join("corpus").join(target);
        std::fs::create_dir_all(&corpus).map_err(|error| format!("{}: {error}", corpus.display()))?;
        let seeds = root().join("fuzz/seeds").join(target);
        let mut fuzzer = in_fuzz(Command::new(tools().join("bin/cargo-fuzz")));
        fuzzer.args(["run", "--fuzz-dir", ".", "--sanitizer", "none", target]).arg(corpus);
        fuzzer.args(Some(seeds).filter(|seeds| seeds.is_dir()));
        fuzzer.args(["--", &format!("-max_total_time={SECONDS}"), "-timeout=60", "-rss_limit_mb=4096"]);
        fuzzer.arg(format!("-artifact_prefix={}", folder.join(format!("found-{target}-")).display()));
        run.execute(fuzzer)?;
    }
    Ok(())
}

/// In the targets' own workspace, with a target folder beside the others.
fn in_fuzz(mut command: Command) -> Command {
    command.current_dir(root().join("fuzz")).env("CARGO_TARGET_DIR", target_dir().join("fuzz"));
    command
}

/// The fuzz targets are formatted like the rest.
pub(super) fn format(run: &Run) -> Outcome {
    run.execute(in_fuzz(cargo(&["fmt", "--check"])))
}

/// Core's own examples, and a few queries, in Miri. It comes with nightly compilers only, which nobody has to have. The machine
/// that it plays has no square root of its own, for which `libm` would leave Rust, and its bytes are the other way round.
pub(super) fn miri(run: &mut Run) -> Outcome {
    let nightly = |arguments: &[&str]| {
        let mut command = Command::new("rustup");
        command.args(["run", "nightly", "cargo", "miri"]).args(arguments).current_dir(root());
        command.env("CARGO_TARGET_DIR", target_dir().join("miri"));
        command
    };
    if !succeeds(&mut nightly(&["--version"])) {
        let advice = "`rustup toolchain install nightly --component miri,rust-src`";
        return run.skip(&format!("core in Miri: there is no nightly toolchain with it; {advice}"));
    }
    let test = ["test", "--target", "s390x-unknown-linux-gnu", "--package"];
    run.execute(nightly(&[&test[..], &["avert"]].concat()))?;
    run.execute(nightly(&[&test[..], &["avert-same-bits", "--test", "few"]].concat()))
}
