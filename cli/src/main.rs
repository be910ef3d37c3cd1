//! The `avert` command: see the library beside it.

fn main() -> std::process::ExitCode {
    avert_cli::run()
}
