//! The results as CSV files: every answer of a case, and all columns of all cases in a line each.

use super::Truth;
use super::judge::{Answer, MeanCost, Summary, Times, judge};
use super::report::Report;
use super::truth::Known;
use crate::peers::Said;
use std::path::Path;

/// Every answer of a case.
pub fn answers(report: &Report, file: &Path) -> Result<(), String> {
    let headers = [
        "case",
        "column",
        "query",
        "grade",
        "truth",
        "contact_lo",
        "contact_hi",
        "least_distance_m",
        "said",
        "claimed_contact",
        "judgement",
        "micros",
        "iterations",
        "front",
        "node_pairs",
        "primitive_pairs",
        "kernel_calls",
    ];
    let rows = report.columns.iter().flat_map(|column| {
        column.answers.iter().map(|a| {
            let mut row = vec![report.slug.to_owned(), column.name.clone(), a.query.to_string()];
            row.extend(answer(&report.truths[a.query], a));
            row
        })
    });
    write(file, &headers, rows)
}

fn answer(known: &Known, answer: &Answer) -> Vec<String> {
    let none = String::new;
    let mut row = match known.truth {
        Truth::Free { least } => vec!["free".to_owned(), none(), none(), least.to_string()],
        Truth::Contact { lo, hi } => vec!["contact".to_owned(), lo.to_string(), hi.to_string(), none()],
    };
    row.insert(0, known.grade.name().to_owned());
    row.extend(match answer.said {
        Said::Free => ["free".to_owned(), none()],
        Said::Contact(at) => ["contact".to_owned(), at.to_string()],
        Said::Nothing => ["nothing".to_owned(), none()],
    });
    row.extend([judge(known, answer).name().to_owned(), format!("{:.3}", answer.micros)]);
    row.extend(answer.cost.map_or([const { String::new() }; 5], |c| {
        [c.iterations, c.front, c.node_pairs, c.primitive_pairs, c.kernel_calls].map(|n| n.to_string())
    }));
    row
}

/// All columns of all cases.
pub fn summary(reports: &[Report], file: &Path) -> Result<(), String> {
    let headers = [
        "case",
        "column",
        "colliding",
        "colliding_mean_micros",
        "colliding_median_micros",
        "free",
        "free_mean_micros",
        "free_median_micros",
        "average_micros",
        "grazing",
        "false_free",
        "late",
        "no_answer",
        "false_contact",
        "mean_gap",
        "iterations",
        "front",
        "node_pairs",
        "primitive_pairs",
        "kernel_calls",
    ];
    let rows = reports.iter().flat_map(|report| {
        report.columns.iter().map(|column| {
            let mut row = vec![report.slug.to_owned(), column.name.clone()];
            row.extend(line(&column.summary));
            row
        })
    });
    write(file, &headers, rows)
}

fn line(s: &Summary) -> Vec<String> {
    let times = |t: &Times| [t.count.to_string(), number(t.mean), number(t.median)];
    let mut row = [times(&s.colliding), times(&s.free)].concat();
    row.push(number(s.average));
    row.extend([s.grazing, s.false_free, s.late, s.missed, s.false_contact].map(|n| n.to_string()));
    row.push(if s.gap.is_nan() { String::new() } else { format!("{:e}", s.gap) });
    row.extend(s.cost.map_or([const { String::new() }; 5], |c| {
        let MeanCost { iterations, front, node_pairs, primitive_pairs, kernel_calls } = c;
        [iterations, front, node_pairs, primitive_pairs, kernel_calls].map(number)
    }));
    row
}

/// Empty if it is none.
pub(super) fn number(x: f64) -> String {
    if x.is_nan() { String::new() } else { format!("{x:.3}") }
}

/// Writes a file.
pub(super) fn write(file: &Path, headers: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> Result<(), String> {
    let explain = |e: csv::Error| format!("{}: {e}", file.display());
    let mut writer = csv::Writer::from_path(file).map_err(explain)?;
    writer.write_record(headers).map_err(explain)?;
    for row in rows {
        writer.write_record(row).map_err(explain)?;
    }
    writer.flush().map_err(|e| explain(e.into()))
}
