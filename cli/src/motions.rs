//! Motions from a CSV file.

use crate::Way;
use crate::error::InputError;
use avert::motion::MotionError;
use avert::{Interval, Pose, RigidMotion, Scalar, Vec3};
use csv::{ReaderBuilder, StringRecord, Trim};
use std::path::{Path, PathBuf};

/// The header, which must stand in the file as it stands here.
pub(crate) const COLUMNS: [&str; 15] =
    ["id", "q0w", "q0x", "q0y", "q0z", "p0x", "p0y", "p0z", "q1w", "q1x", "q1y", "q1z", "p1x", "p1y", "p1z"];

/// One row of the file, as decimal numbers that were parsed into the `f64`s next to them.
#[derive(Debug)]
pub(crate) struct Motion {
    pub(crate) id: String,
    line: usize,
    /// In the order of the columns, without the id.
    numbers: [f64; 14],
}

/// All rows of a file.
#[derive(Debug)]
pub(crate) struct Motions {
    file: PathBuf,
    rows: Vec<Motion>,
}

impl Motions {
    /// Reads a file; all its rows are good numbers afterwards, though not yet good motions.
    pub(crate) fn read(file: &Path) -> Result<Self, InputError> {
        let text = std::fs::read(file).map_err(|e| InputError::new(file, format!("cannot read the motions: {e}")))?;
        let mut reader =
            ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(text.as_slice());
        let mut header = None;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|e| {
                let line = e.position().map(|p| line_of(&text, p.byte()));
                InputError::at(file, line, format!("expected comma separated text in UTF-8: {e}"))
            })?;
            let line = record.position().map_or(0, |p| line_of(&text, p.byte()));
            if header.is_none() {
                check_header(file, line, &record)?;
                header = Some(());
                continue;
            }
            rows.push(row(file, line, &record)?);
        }
        if header.is_none() {
            return Err(InputError::at(file, 1, format!("expected the header `{}`, found nothing", COLUMNS.join(","))));
        }
        if rows.is_empty() {
            return Err(InputError::new(file, "expected at least one motion below the header, found none"));
        }
        Ok(Self { file: file.to_owned(), rows })
    }

    /// The rows, each with its motion; an error names the row that is not one.
    pub(crate) fn rigid<S: Scalar>(&self, way: Way) -> Result<Vec<(&Motion, RigidMotion<S>)>, InputError> {
        let rigid = |row| Motion::rigid(row, way).map_err(|what| InputError::at(&self.file, row.line, what));
        self.rows.iter().map(|row| Ok((row, rigid(row)?))).collect()
    }
}

/// The line on which a record begins. The reader's own count includes the empty lines that it passes over only after
/// the record's beginning was noted.
pub(crate) fn line_of(text: &[u8], byte: u64) -> usize {
    let (before, after) = text.split_at(usize::try_from(byte).unwrap_or(usize::MAX).min(text.len()));
    let empty = after.iter().take_while(|b| b.is_ascii_whitespace());
    1 + before.iter().chain(empty).filter(|b| **b == b'\n').count()
}

fn check_header(file: &Path, line: usize, record: &StringRecord) -> Result<(), InputError> {
    if record.iter().eq(COLUMNS) {
        return Ok(());
    }
    let expected = COLUMNS.join(",");
    let wrong = COLUMNS.iter().enumerate().find(|(i, name)| record.get(*i) != Some(**name));
    let what = match wrong {
        Some((i, name)) => {
            let found = record.get(i).map_or_else(|| "nothing".to_owned(), |found| format!("`{found}`"));
            format!(
                "column {} of the header: expected `{name}`, found {found} (the header must be `{expected}`)",
                i + 1
            )
        }
        None => format!(
            "expected {} columns in the header, found {} (it must be `{expected}`)",
            COLUMNS.len(),
            record.len()
        ),
    };
    Err(InputError::at(file, line, what))
}

fn row(file: &Path, line: usize, record: &StringRecord) -> Result<Motion, InputError> {
    if record.len() != COLUMNS.len() {
        let what = format!("expected {} fields, found {}", COLUMNS.len(), record.len());
        return Err(InputError::at(file, line, what));
    }
    let mut numbers = [0.0; 14];
    for (i, (slot, field)) in numbers.iter_mut().zip(record.iter().skip(1)).enumerate() {
        *slot = field.parse::<f64>().ok().filter(|x| x.is_finite()).ok_or_else(|| {
            InputError::at(file, line, format!("{}: expected a finite number, found `{field}`", column(i)))
        })?;
    }
    Ok(Motion { id: record.get(0).unwrap_or_default().to_owned(), line, numbers })
}

/// The column of a number, for a message.
fn column(number: usize) -> String {
    format!("column {} ({})", number + 2, COLUMNS.get(number + 1).unwrap_or(&"?"))
}

impl Motion {
    /// The motion, straight for the mesh's origin or on a screw, with the conversion of its numbers accounted for.
    fn rigid<S: Scalar>(&self, way: Way) -> Result<RigidMotion<S>, String> {
        let [w0, x0, y0, z0, a0, b0, c0, w1, x1, y1, z1, a1, b1, c1] = self.numbers;
        let from = Pose::from_decimals([w0, x0, y0, z0], [a0, b0, c0]);
        let to = Pose::from_decimals([w1, x1, y1, z1], [a1, b1, c1]);
        let motion = match way {
            Way::Straight => RigidMotion::between_enclosures(from, to, Vec3::ZERO),
            Way::Screw => RigidMotion::screw_enclosures(from, to),
        };
        motion.map_err(|error| self.explain::<S>(error))
    }

    /// What the library did not like, with the columns.
    fn explain<S: Scalar>(&self, error: MotionError) -> String {
        match error {
            MotionError::OutOfRange => {
                let bad = self.numbers.iter().position(|x| !Interval::<S>::from_decimal(*x).in_range());
                match bad.and_then(|i| Some((column(i), self.numbers.get(i)?))) {
                    Some((column, x)) => {
                        let range = S::RANGE.to_f64();
                        format!("{column}: expected a number within ±{range:.0e} for this scalar, found {x}")
                    }
                    None => format!("expected a motion within the range of this scalar: {error}"),
                }
            }
            MotionError::NotUnit => {
                let [w0, x0, y0, z0, _, _, _, w1, x1, y1, z1, ..] = self.numbers;
                let [first, second] =
                    [[w0, x0, y0, z0], [w1, x1, y1, z1]].map(|q| q.iter().map(|x| x * x).sum::<f64>().sqrt());
                let (columns, length) = if (first - 1.0).abs() >= (second - 1.0).abs() {
                    ("columns 2 to 5 (q0w to q0z)", first)
                } else {
                    ("columns 9 to 12 (q1w to q1z)", second)
                };
                format!("{columns}: expected a quaternion of length 1 (within 1 %), found length {length:.6}")
            }
            MotionError::HalfTurn => {
                "columns 2 to 5 and 9 to 12: expected poses less than half a turn apart, found half \
                                      a turn (the shortest rotation is not certain): give an intermediate pose"
                    .to_owned()
            }
            MotionError::Imprecise => format!("expected a motion that this scalar can follow: {error}"),
        }
    }
}
