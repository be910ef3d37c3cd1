//! What can go wrong, always with the file and the place.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A file that cannot be used as it is.
#[derive(Debug)]
pub(crate) struct InputError {
    file: PathBuf,
    /// Counted from 1; `None` for binary files and for what concerns the whole file.
    line: Option<usize>,
    /// What was expected and what was found.
    what: String,
}

impl InputError {
    /// Something about the file as a whole.
    pub(crate) fn new(file: &Path, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: None, what: what.into() }
    }

    /// Something on a line, if the line is known.
    pub(crate) fn at(file: &Path, line: impl Into<Option<usize>>, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line: line.into(), what: what.into() }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.what)
    }
}

/// Why the command ended without doing its job.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file is bad.
    Input(InputError),
    /// An argument is bad for the chosen scalar, or contradicts another.
    Argument(String),
    /// The results could not be written.
    Output {
        /// `None` for the standard output.
        file: Option<PathBuf>,
        cause: io::Error,
    },
    /// A fault of this program.
    Internal(String),
}

impl Failure {
    /// 2 for what the user must mend, the command's own code for the rest.
    pub(crate) fn exit_code(&self, rest: u8) -> ExitCode {
        match self {
            Self::Input(_) | Self::Argument(_) => ExitCode::from(2),
            Self::Output { .. } | Self::Internal(_) => ExitCode::from(rest),
        }
    }

    /// Did the reader of our output go away (`avert ccd … | head`)? Nobody wants to read about that.
    pub(crate) fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// A number on the command line that is too large for the scalar. (The library's other reasons do not get here: arguments are
/// not negative, and the conversion makes no subnormal numbers.)
pub(crate) fn out_of_range<S: avert::Scalar>(option: &str, found: f64, unit: &str, scalar: crate::Scalar) -> Failure {
    let (range, scalar) = (S::RANGE.to_f64(), scalar.name());
    let advice = if found < <f64 as avert::Scalar>::RANGE { " (try --scalar f64)" } else { "" };
    let what = format!("expected at least 0 and less than {range:e} {unit} for {scalar}, found {found:e}{advice}");
    Failure::Argument(format!("{option}: {what}"))
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(f),
            Self::Argument(what) => f.write_str(what),
            Self::Output { file: Some(file), cause } => write!(f, "{}: cannot write: {cause}", file.display()),
            Self::Output { file: None, cause } => write!(f, "cannot write to the standard output: {cause}"),
            Self::Internal(what) => write!(f, "internal error, please report it: {what}"),
        }
    }
}
