//! Where results go: rows to a file or to the standard output, the summary to the other, and progress between them.

use crate::error::Failure;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::File;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

/// The CSV file, or the standard output. Every row has `N` fields.
pub(crate) struct Output<'a, const N: usize> {
    file: Option<&'a Path>,
    writer: csv::Writer<Box<dyn Write>>,
}

impl<'a, const N: usize> Output<'a, N> {
    /// Replaces the file, if one is given, and writes the header.
    pub(crate) fn open(file: Option<&'a Path>, columns: [&str; N]) -> Result<Self, Failure> {
        let sink: Box<dyn Write> = match file {
            Some(path) => {
                Box::new(File::create(path).map_err(|cause| Failure::Output { file: Some(path.to_owned()), cause })?)
            }
            None => Box::new(io::stdout()),
        };
        let mut output = Self { file, writer: csv::Writer::from_writer(sink) };
        output.row(&columns.map(str::to_owned))?;
        Ok(output)
    }

    pub(crate) fn row(&mut self, fields: &[String; N]) -> Result<(), Failure> {
        let file = self.file.map(Path::to_owned);
        self.writer.write_record(fields).map_err(|e| Failure::Output { file, cause: e.into() })
    }

    /// Only where it does not run into the rows; `indicatif` itself shows it on terminals only.
    pub(crate) fn progress_bar(&self, count: usize, what: &str) -> ProgressBar {
        if self.file.is_none() && io::stdout().is_terminal() {
            return ProgressBar::hidden();
        }
        let style = ProgressStyle::with_template(&format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{eta}} left"));
        let bar = ProgressBar::new(count as u64);
        style.map_or(ProgressBar::hidden(), |style| bar.with_style(style))
    }

    /// The last rows, and then the summary, on the standard output if the rows are in a file.
    pub(crate) fn finish(mut self, summary: &str) -> Result<(), Failure> {
        let file = self.file.map(Path::to_owned);
        self.writer.flush().map_err(|cause| Failure::Output { file, cause })?;
        match self.file {
            Some(_) => {
                io::stdout().write_all(summary.as_bytes()).map_err(|cause| Failure::Output { file: None, cause })
            }
            None => {
                // The results are out; a closed standard error is no failure.
                let _ = io::stderr().write_all(summary.as_bytes());
                Ok(())
            }
        }
    }
}

/// Something turns while nothing can be counted.
pub(crate) fn spinner(message: &'static str) -> ProgressBar {
    let spinner = ProgressBar::new_spinner().with_message(message);
    spinner.enable_steady_tick(Duration::from_millis(100));
    spinner
}

pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// `--out mesh.obj` is a slip of the hand that would cost the mesh.
pub(crate) fn refuse_to_overwrite<'a>(
    out: Option<&Path>,
    inputs: impl IntoIterator<Item = (&'static str, &'a Path)>,
) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    match inputs.into_iter().find(|(_, input)| is_same_file(input, out)) {
        Some((name, _)) => Err(Failure::Argument(format!("--out would overwrite {name} ({})", out.display()))),
        None => Ok(()),
    }
}

/// How often each query was run, for people.
pub(crate) fn runs(repeat: u32) -> String {
    match repeat {
        1 => "each run once".to_owned(),
        n => format!("each run {n} times (the least time counts)"),
    }
}
