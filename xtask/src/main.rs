//! The project's commands, one verb a file. No shell is needed: they run wherever cargo does.

mod bench;
mod command;
mod demo;
mod install;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask demo             checks a free, a colliding and a starved motion and prints what is proved
cargo xtask test [--long]    runs every test and check; --long adds the big runs
cargo xtask bench [FILTER]   runs the criterion benches (all, or those whose name contains FILTER)
cargo xtask bench rigid [--peers] [--quick] [CASE…]
                             runs the paper's rigid benchmarks and writes tables and figures; --peers adds other
                             libraries (FCL is installed by apt if absent), --quick asks little, --help tells the rest
cargo xtask bench arm [--peers] [--quick] [--instructions] [shelf|thin]
                             measures the check of an arm's paths on the shared sets; --peers adds a sampled check,
                             --instructions counts by valgrind, --help tells the rest
cargo xtask help             prints this list";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        ["demo"] => demo::run(),
        ["test"] => test::run(false),
        ["test", "--long"] => test::run(true),
        ["bench", "rigid", rest @ ..] => bench::rigid(rest),
        ["bench", "arm", rest @ ..] => bench::arm(rest),
        ["bench"] => bench::run(None),
        ["bench", filter] => bench::run(Some(filter)),
        [] | ["help" | "--help" | "-h"] => {
            println!("{HELP}");
            ExitCode::SUCCESS
        }
        other => {
            eprintln!("unknown: cargo xtask {}\n\n{HELP}", other.join(" "));
            ExitCode::from(2)
        }
    }
}
