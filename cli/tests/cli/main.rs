//! The command as a user meets it: real files in, text and exit codes out.

mod bake;
mod ccd;
mod check;
mod dae;
mod paths;
mod robot;
mod world;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> &Self {
        let file = self.0.join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
        self
    }

    /// The command with the arguments, from within the folder.
    fn avert(&self, arguments: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_avert"));
        command.current_dir(&self.0).args(arguments.split_whitespace()).output().unwrap()
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Exit code 2, nothing on stdout, no panic, and a message that begins with the place and has all the words.
fn refused(output: &Output, place: &str, words: &[&str]) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert_eq!(text(&output.stdout), "");
    assert!(message.starts_with(&format!("error: {place}: ")), "{message} does not begin with {place}");
    words.iter().for_each(|word| assert!(message.contains(word), "{message} lacks {word}"));
    assert!(!message.contains("panicked"), "{message}");
}

/// Exit code 0; what was printed, with every run of spaces made one.
fn printed(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let lines: Vec<_> =
        text(&output.stdout).lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    lines.join("\n")
}

/// All parts, each in one line of what was printed.
fn has(printed: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(printed.contains(part), "{printed}\nlacks {part}"));
}

/// The folder with the shared models, or a word about its absence.
fn shared(what: &str) -> Option<String> {
    let folder = avert_host_tests::shared().filter(|folder| folder.join("models/panda_task/panda.urdf").is_file());
    if folder.is_none() {
        avert_host_tests::skip(what, "no folder `shared` beside the clone");
    }
    folder.map(|folder| folder.to_str().unwrap().to_owned())
}
