//! The table: for the eye, and in Markdown for the README.

use super::judge::{Summary, Times};
use super::report::Report;
use std::fmt::Write;

/// What the paper measured on.
const PAPER: &str = "Core 2 Q9450, 2.66 GHz";

/// The README's table stands between these.
pub const BEGIN: &str = "<!-- rigid table: begin -->";
pub const END: &str = "<!-- rigid table: end -->";

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
    let p = &report.paper;
    let none = f64::NAN;
    let published = [
        ("paper: CA", none, none, p.without_control),
        ("paper: C²A", p.colliding, p.free, p.average),
        ("paper: HCA", none, none, p.hca),
        ("paper: FAST", none, none, p.fast),
    ];
    for (name, colliding, free, average) in published {
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
        ["mean of a query", "iterations", "front per iteration", "node tests", "triangle tests", "kernel calls"];
    let mut rows = vec![headers.map(str::to_owned).to_vec()];
    for column in &report.columns {
        let Some(c) = column.summary.cost else { continue };
        let numbers = [c.iterations, c.front_per_iteration, c.node_pairs, c.primitive_pairs, c.kernel_calls];
        rows.push([column.name.clone()].into_iter().chain(numbers.map(digits)).collect());
    }
    aligned(&rows)
}

/// All cases in Markdown.
pub fn markdown(reports: &[Report]) -> String {
    let headers = [
        "benchmark",
        "column",
        "colliding: queries, mean (median)",
        "free: queries, mean (median)",
        "average",
        "false free",
        "late",
        "no answer",
        "false contact",
        "mean gap",
        "node / triangle tests",
    ];
    let mut text = format!("| {} |\n|{}\n", headers.join(" | "), "---|".repeat(headers.len()));
    for report in reports {
        let mut name = format!("**{}**, {}", report.name, report.origin);
        for column in &report.columns {
            let s = &column.summary;
            let times = |t: &Times| match t.count {
                0 => "–".to_owned(),
                n => format!("{n}, {} ({}) ms", digits(t.mean / 1e3), digits(t.median / 1e3)),
            };
            let tests = |c: super::judge::MeanCost| format!("{} / {}", digits(c.node_pairs), digits(c.primitive_pairs));
            let mut row = vec![std::mem::take(&mut name), column.name.clone(), times(&s.colliding), times(&s.free)];
            row.push(with_unit(s.average / 1e3, digits));
            row.extend(faults(s).map(|n| n.to_string()));
            row.extend([gap(s.gap), s.cost.map_or("–".to_owned(), tests)]);
            let _ = writeln!(text, "| {} |", row.join(" | "));
        }
        let p = &report.paper;
        let [colliding, free, average, ca, hca, fast] =
            [p.colliding, p.free, p.average, p.without_control, p.hca, p.fast].map(|ms| with_unit(ms, printed));
        let average = format!("C²A {average}, CA {ca}, HCA {hca}, FAST {fast}");
        let _ =
            writeln!(text, "| | *the paper's C²A ({PAPER})* | {colliding} | {free} | {average} |{}", " |".repeat(6));
    }
    text
}

/// The text with a new table between the markers.
pub fn replaced(text: &str, table: &str) -> Result<String, String> {
    let missing = || format!("README.md has no lines `{BEGIN}` and `{END}`, in this order");
    let (before, rest) = text.split_once(BEGIN).ok_or_else(missing)?;
    let (_, after) = rest.split_once(END).ok_or_else(missing)?;
    Ok(format!("{before}{BEGIN}\n{}\n{END}{after}", table.trim_end()))
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

fn with_unit(ms: f64, show: fn(f64) -> String) -> String {
    if ms.is_nan() { show(ms) } else { format!("{} ms", show(ms)) }
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
        let readme = format!("# A\n\n{BEGIN}\nold\n{END}\n\nlast\n");
        let new = replaced(&readme, "| a |\n|---|\n").expect("the markers are there");
        assert_eq!(new, format!("# A\n\n{BEGIN}\n| a |\n|---|\n{END}\n\nlast\n"));
        // Again and again, with the same end.
        assert_eq!(replaced(&new, "| a |\n|---|\n"), Ok(new.clone()));
    }

    #[test]
    fn a_readme_without_markers_is_refused() {
        assert!(replaced("# A\n", "").is_err());
        assert!(replaced(&format!("{END}\n{BEGIN}\n"), "").is_err());
    }

    #[test]
    fn cells_stand_below_each_other() {
        let rows = [vec!["C²A".to_owned(), "7".to_owned()], vec!["x".to_owned(), "123".to_owned()]];
        assert_eq!(aligned(&rows), "C²A    7\nx    123\n");
    }
}
