//! Straight paths, one a row: `id`, then `q0_JOINT` and `q1_JOINT` for each joint. Other columns are passed over.

use super::joints::{JointNames, Order};
use super::{Held, JointPath, Knot};
use crate::error::InputError;
use crate::motions::line_of;
use crate::xml::finite;
use csv::{ReaderBuilder, StringRecord, Trim};
use std::path::Path;

const SECOND: u64 = 1_000_000_000;

/// Which columns hold what.
struct Columns {
    header: StringRecord,
    id: usize,
    /// Of the start and the end.
    ends: [End; 2],
}

struct End {
    columns: Vec<usize>,
    order: Order,
}

pub(super) fn read(file: &Path, text: &str, joints: &JointNames, held: &[Held]) -> Result<Vec<JointPath>, InputError> {
    let mut reader =
        ReaderBuilder::new().has_headers(false).flexible(true).trim(Trim::All).from_reader(text.as_bytes());
    let mut columns = None;
    let mut paths = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|e| InputError::new(file, format!("expected comma separated text: {e}")))?;
        let line = record.position().map_or(0, |p| line_of(text.as_bytes(), p.byte()));
        let refuse = |what: String| InputError::at(file, line, what);
        match &columns {
            None => columns = Some(read_header(record, joints, held).map_err(refuse)?),
            Some(columns) => paths.push(row(columns, &record, line).map_err(refuse)?),
        }
    }
    match columns {
        Some(_) => Ok(paths),
        None => Err(InputError::at(file, 1, "expected the header `id,q0_JOINT…,q1_JOINT…`, found nothing")),
    }
}

fn read_header(header: StringRecord, joints: &JointNames, held: &[Held]) -> Result<Columns, String> {
    let ids: Vec<_> = header.iter().enumerate().filter(|(_, name)| *name == "id").map(|(i, _)| i).collect();
    let [id] = *ids.as_slice() else {
        return Err(format!("expected one column `id` in the header, found {}", ids.len()));
    };
    let end = |prefix: &str| {
        let named = header.iter().enumerate().filter_map(|(i, name)| Some((i, name.strip_prefix(prefix)?)));
        let (columns, names): (Vec<_>, Vec<_>) = named.unzip();
        let order = Order::new(joints, &names, held).map_err(|what| format!("columns {prefix}…: {what}"))?;
        Ok::<_, String>(End { columns, order })
    };
    let ends = [end("q0_")?, end("q1_")?];
    Ok(Columns { id, ends, header })
}

fn row(Columns { header, id, ends }: &Columns, record: &StringRecord, line: usize) -> Result<JointPath, String> {
    if record.len() != header.len() {
        return Err(format!("expected {} fields, found {}", header.len(), record.len()));
    }
    let number = |column: &usize| {
        let field = record.get(*column).unwrap_or_default();
        finite(field).ok_or_else(|| {
            let name = header.get(*column).unwrap_or_default();
            format!("column {} ({name}): expected a finite number, found `{field}`", column + 1)
        })
    };
    let knot = |(end, nanoseconds): (&End, u64)| {
        let values = end.columns.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        let positions = end.order.sort(&values, |held| held);
        Ok(Knot { line, nanoseconds, positions, velocities: Vec::new(), accelerations: Vec::new() })
    };
    let knots = ends.iter().zip([0, SECOND]).map(knot).collect::<Result<_, String>>()?;
    Ok(JointPath { id: record.get(*id).unwrap_or_default().to_owned(), line, knots })
}
