//! Commands that can be run, and shown to the reader so that he can run them himself.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// The project's folder.
pub(crate) fn root() -> &'static Path {
    // The parent of `xtask`, which always has one.
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// Where cargo puts what it builds.
pub(crate) fn target_dir() -> PathBuf {
    root().join(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()))
}

/// Cargo, the one that runs this, in the project's folder.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Does this command succeed? What it prints is dropped.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Runs a command and ends as it does.
pub(crate) fn pass_on(mut command: Command) -> ExitCode {
    match command.status() {
        // Without a code it was ended by a signal.
        Ok(status) => ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("{} does not start: {error}", describe(&command));
            ExitCode::FAILURE
        }
    }
}

/// The command as one types it: its folder, its variables, its words.
pub(crate) fn describe(command: &Command) -> String {
    let folder = command.get_current_dir().and_then(|folder| folder.strip_prefix(root()).ok());
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let variables = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let quoted = |word: &std::ffi::OsStr| {
        let word = word.to_string_lossy();
        if word.contains(' ') { format!("\"{word}\"") } else { word.into_owned() }
    };
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = folder
        .map(|folder| format!("cd {} &&", folder.display()))
        .into_iter()
        .chain(variables.map(|(name, value)| format!("{}={}", name.display(), quoted(value))))
        .chain([quoted(program)])
        .chain(command.get_args().map(quoted));
    words.collect::<Vec<_>>().join(" ")
}
