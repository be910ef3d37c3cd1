//! The table: for the eye, and in Markdown, in full and in brief.

use super::Paper;
use super::judge::{Summary, Times};
use super::report::Report;
use std::fmt::Write;

/// What the paper measured on.
const PAPER: &str = "Core 2 Q9450, 2.66 GHz";

/// A case for the eye: times and faults, the paper's times beside them, then what was looked at.
pub fn text(report: &Report) -> String {
    let [colliding, free, grazing] = report.kinds();
    let mut text = format!(
        "{}: {}\n{} motions: {colliding} collide, {free} are free, {grazing} graze (not counted below)\n",
        report.name,
        report.origin,
        report.truths.len(),
    );
    let contradicted = report.contradicted();
    if !contradicted.is_empty() {
        let _ = writeln!(text, "THE ORACLE CONTRADICTS THE LIBRARY about queries {contradicted:?}");
    }
    text.push('\n');
    let headers = [
        "column",
        "colliding",
        "mean ms",
        "median ms",
        "free",
        "mean ms",
        "median ms",
        "average ms",
        "false free",
        "late",
        "no answer",
        "false contact",
        "mean gap",
    ];
    let mut rows = vec![headers.map(str::to_owned).to_vec()];
    for column in &report.columns {
        let s = &column.summary;
        let times = |t: &Times| [t.count.to_string(), digits(t.mean / 1e3), digits(t.median / 1e3)];
        let mut row = vec![column.name.clone()];
        row.extend(times(&s.colliding));
        row.extend(times(&s.free));
        row.push(digits(s.average / 1e3));
        row.extend(faults(s).map(|n| n.to_string()));
        row.push(gap(s.gap));
        rows.push(row);
    }
    for (name, colliding, free, average) in published(&report.paper) {
        let mut row = vec![String::new(); headers.len()];
        row[0] = name.to_owned();
        (row[2], row[5], row[7]) = (printed(colliding), printed(free), printed(average));
        rows.push(row);
    }
    text.push_str(&aligned(&rows));
    let _ = writeln!(
        text,
        "(paper: on a {PAPER}; gap: true contact less claimed one, as a part of the motion, negative is late)\n"
    );
    text.push_str(&costs(report));
    text
}

fn faults(s: &Summary) -> [usize; 4] {
    [s.false_free, s.late, s.missed, s.false_contact]
}

fn costs(report: &Report) -> String {
    let headers =
        ["mean of a query", "iterations", "front each", "front", "node tests", "triangle tests", "kernel calls"];
    let mut rows = vec![headers.map(str::to_owned).to_vec()];
    for column in &report.columns {
        let Some(c) = column.summary.cost else { continue };
        let numbers = [c.iterations, c.front / c.iterations, c.front, c.node_pairs, c.primitive_pairs, c.kernel_calls];
        rows.push([column.name.clone()].into_iter().chain(numbers.map(digits)).collect());
    }
    aligned(&rows)
}

/// All cases and columns in Markdown.
pub fn full(reports: &[Report]) -> String {
    let headers = [
        "benchmark",
        "column",
        "colliding: queries, mean (median) ms",
        "free: queries, mean (median) ms",
        "average ms",
        "false free",
        "late",
        "no answer",
        "false contact",
        "mean gap",
        "iterations",
        "front",
        "node tests",
        "triangle tests",
    ];
    let mut text = heading(&headers);
    for report in reports {
        let mut name = format!("**{}**, {}", report.name, report.origin);
        for column in &report.columns {
            let s = &column.summary;
            let times = |t: &Times| match t.count {
                0 => "–".to_owned(),
                n => format!("{n}, {} ({})", digits(t.mean / 1e3), digits(t.median / 1e3)),
            };
            let mut row = vec![std::mem::take(&mut name), column.name.clone(), times(&s.colliding), times(&s.free)];
            row.push(digits(s.average / 1e3));
            row.extend(faults(s).map(|n| n.to_string()));
            row.push(gap(s.gap));
            let cost = |c: super::judge::MeanCost| [c.iterations, c.front, c.node_pairs, c.primitive_pairs].map(digits);
            row.extend(s.cost.map_or([(); 4].map(|()| "–".to_owned()), cost));
            line(&mut text, &row);
        }
        let p = &report.paper;
        for (name, colliding, free, average) in published(p) {
            if !average.is_nan() {
                let times = [name.replace("paper: ", "*paper:* "), printed(colliding), printed(free), printed(average)];
                let row: Vec<_> = [String::new()].into_iter().chain(times).chain(vec![String::new(); 9]).collect();
                line(&mut text, &row);
            }
        }
    }
    text
}

/// One line a case: mean milliseconds, colliding / free, in `f32` where there is a choice. Faults are named.
pub fn brief(reports: &[Report]) -> String {
    let mut names: Vec<&str> = vec![];
    for column in reports.iter().flat_map(|report| &report.columns) {
        if !column.name.ends_with("f64") && !names.contains(&column.name.as_str()) {
            names.push(&column.name);
        }
    }
    let paper = format!("paper ({PAPER}): CA; C²A; HCA");
    let mut text = heading(&[&["benchmark (colliding / free)"], &names[..], &[&paper]].concat());
    for report in reports {
        let [colliding, free, _] = report.kinds();
        // Some have to do with a generated mesh where the one that they are named after is absent.
        let note = if report.origin.contains("absent") { ", stand-in" } else { "" };
        let mut row = vec![format!("{}{note} ({colliding} / {free})", report.name)];
        for name in &names {
            let column = report.columns.iter().find(|column| column.name == *name);
            row.push(column.map_or("–".to_owned(), |c| cell(&c.summary, [colliding, free])));
        }
        let p = &report.paper;
        row.push(format!(
            "{}; {} / {}; {}",
            printed(p.without_control),
            printed(p.colliding),
            printed(p.free),
            printed(p.hca)
        ));
        line(&mut text, &row);
    }
    text
}

/// Mean times, how many queries if not all, and what was wrong.
fn cell(s: &Summary, all: [usize; 2]) -> String {
    let mut text = format!("{} / {}", digits(s.colliding.mean / 1e3), digits(s.free.mean / 1e3));
    if [s.colliding.count, s.free.count] != all {
        let _ = write!(text, " (of {} / {})", s.colliding.count, s.free.count);
    }
    for (count, what) in faults(s).into_iter().zip(["false free", "late", "unanswered", "false contacts"]) {
        if count > 0 {
            let _ = write!(text, ", **{count} {what}**");
        }
    }
    text
}

/// The top of a table in Markdown.
pub fn heading(headers: &[&str]) -> String {
    format!("| {} |\n|{}\n", headers.join(" | "), "---|".repeat(headers.len()))
}

/// A line of it.
pub fn line(text: &mut String, row: &[String]) {
    let _ = writeln!(text, "| {} |", row.join(" | "));
}

/// The paper's milliseconds: colliding, free, average.
fn published(p: &Paper) -> [(&'static str, f64, f64, f64); 4] {
    let none = f64::NAN;
    [
        ("paper: CA", none, none, p.without_control),
        ("paper: C²A", p.colliding, p.free, p.average),
        ("paper: HCA", none, none, p.hca),
        ("paper: FAST", none, none, p.fast),
    ]
}

/// The text with a new table between the markers of that name.
pub fn replaced(text: &str, name: &str, table: &str) -> Result<String, String> {
    let (begin, end) = (format!("<!-- {name}: begin -->"), format!("<!-- {name}: end -->"));
    let missing = || format!("there are no lines `{begin}` and `{end}`, in this order");
    let (before, rest) = text.split_once(&begin).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{begin}\n{}\n{end}{after}", table.trim_end()))
}

/// Three digits that count; a dash for no number.
pub fn digits(x: f64) -> String {
    match x {
        _ if x.is_nan() => "–".to_owned(),
        0.0 => "0".to_owned(),
        _ => {
            let places = (2 - x.abs().log10().floor() as i32).clamp(0, 12) as usize;
            format!("{x:.places$}")
        }
    }
}

/// As it stands in the paper.
fn printed(x: f64) -> String {
    if x.is_nan() { "–".to_owned() } else { x.to_string() }
}

fn gap(x: f64) -> String {
    if x.is_nan() { "–".to_owned() } else { format!("{x:.1e}") }
}

/// Columns two spaces apart: the first to the left, numbers to the right.
pub fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |i: usize| rows.iter().filter_map(|row| row.get(i)).map(|cell| cell.chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    rows.iter().fold(String::new(), |mut text, row| {
        let line = row.iter().zip(&widths).enumerate().fold(String::new(), |mut line, (i, (cell, width))| {
            let _ = if i == 0 { write!(line, "{cell:<width$}") } else { write!(line, "  {cell:>width$}") };
            line
        });
        let _ = writeln!(text, "{}", line.trim_end());
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_count() {
        let numbers = [0.004_812, 0.5, 2.0, 34.56, 567.8, 123_456.7, 0.0, f64::NAN];
        assert_eq!(numbers.map(digits), ["0.00481", "0.500", "2.00", "34.6", "568", "123457", "0", "–"]);
    }

    #[test]
    fn only_what_is_between_the_markers_is_replaced() {
        let before = "# A\n\n<!-- t: begin -->\nold\n<!-- t: end -->\n\nlast\n";
        let new = replaced(before, "t", "| a |\n|---|\n").expect("the markers are there");
        assert_eq!(new, "# A\n\n<!-- t: begin -->\n| a |\n|---|\n<!-- t: end -->\n\nlast\n");
        // Again and again, with the same end.
        assert_eq!(replaced(&new, "t", "| a |\n|---|\n"), Ok(new.clone()));
    }

    #[test]
    fn a_document_without_markers_is_refused() {
        assert!(replaced("# A\n", "t", "").is_err());
        assert!(replaced("<!-- t: end -->\n<!-- t: begin -->\n", "t", "").is_err());
        assert!(replaced("<!-- u: begin -->\n<!-- u: end -->\n", "t", "").is_err());
    }

    #[test]
    fn cells_stand_below_each_other() {
        let rows = [vec!["C²A".to_owned(), "7".to_owned()], vec!["x".to_owned(), "123".to_owned()]];
        assert_eq!(aligned(&rows), "C²A    7\nx    123\n");
    }
}
