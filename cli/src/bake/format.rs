//! Baked bytes as source code, to be compiled into a firmware.

use std::fmt::Write as _;

/// What is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// The bytes as they are (.avert)
    #[default]
    Blob,
    /// The bytes as a `static` of Rust, with what they need as constants (.rs)
    Rust,
    /// The bytes as an array of C, with what they need as macros (.h)
    C,
}

/// Bytes, and what is said about them.
#[derive(Debug)]
pub(crate) struct Source<'a> {
    /// In capital letters.
    pub(crate) name: &'static str,
    /// What reads them.
    pub(crate) reader: &'static str,
    /// Where they come from.
    pub(crate) origin: &'a str,
    pub(crate) bytes: &'a [u8],
    /// In capital letters, with what they say.
    pub(crate) constants: &'a [(&'static str, usize, &'static str)],
}

/// Bytes in a line.
const LINE: usize = 24;

impl Source<'_> {
    /// A comment of one line.
    fn heading(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        // Neither the end of a line nor that of a comment.
        let origin: String = self.origin.chars().map(|c| if c.is_control() { '?' } else { c }).collect();
        let origin = origin.replace("*/", "* /").replace("/*", "/ *");
        format!("Written by avert bake {version} from {origin}; bake it again rather than edit it.")
    }

    fn lines(&self) -> String {
        let mut text = String::with_capacity(5 * self.bytes.len());
        for line in self.bytes.chunks(LINE) {
            let numbers: Vec<_> = line.iter().map(u8::to_string).collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "    {},", numbers.join(","));
        }
        text
    }

    /// For `mod robot;` or `include!`.
    pub(crate) fn rust(&self) -> String {
        let Self { name, reader, bytes, constants, .. } = self;
        let mut text = format!("// {}\n", self.heading());
        for (constant, value, what) in *constants {
            let _ = write!(text, "\n/// {what}.\npub const {constant}: usize = {value};\n");
        }
        let (count, lines) = (bytes.len(), self.lines());
        let _ = write!(text, "\n/// For `{reader}`, at any alignment.\n#[rustfmt::skip]\n");
        let _ = write!(text, "pub static {name}: [u8; {count}] = [\n{lines}];\n");
        text
    }

    /// For `#include` in one file of C or C++.
    pub(crate) fn c(&self) -> String {
        let Self { name, bytes, constants, .. } = self;
        let mut text = format!("/* {} */\n", self.heading());
        let _ = write!(text, "#ifndef AVERT_{name}_H\n#define AVERT_{name}_H\n\n#include <stdint.h>\n");
        for (constant, value, what) in *constants {
            let _ = write!(text, "\n/* {what}. */\n#define AVERT_{name}_{constant} {value}\n");
        }
        let (count, lines, lower) = (bytes.len(), self.lines(), name.to_lowercase());
        let _ = write!(text, "\n/* Bytes of the array below. */\n#define AVERT_{name}_BYTES {count}\n");
        let _ =
            write!(text, "\n/* At any alignment. */\nstatic const uint8_t avert_{lower}[{count}] = {{\n{lines}}};\n");
        text + "\n#endif\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: Source<'_> = Source {
        name: "ROBOT",
        reader: "avert::robot::RobotBlob::parse",
        origin: "a */ b\n#error",
        bytes: &[0, 255, 7],
        constants: &[("LINKS", 3, "Links")],
    };

    #[test]
    fn names_of_files_do_not_end_comments() {
        let (rust, c) = (SOURCE.rust(), SOURCE.c());
        assert_eq!(rust.lines().next().unwrap().matches("//").count(), 1);
        assert!(rust.contains("from a * / b?#error; bake it again") && c.contains("from a * / b?#error;"));
        assert_eq!((c.lines().next().unwrap().matches("*/").count(), c.contains("\n#error")), (1, false));
    }

    #[test]
    fn bytes_and_constants_are_written() {
        assert!(SOURCE.rust().ends_with("pub static ROBOT: [u8; 3] = [\n    0,255,7,\n];\n"));
        assert!(SOURCE.rust().contains("/// Links.\npub const LINKS: usize = 3;\n"));
        assert!(SOURCE.c().contains("#define AVERT_ROBOT_LINKS 3\n"));
        assert!(SOURCE.c().contains("static const uint8_t avert_robot[3] = {\n    0,255,7,\n};\n"));
    }
}
