//! The tables: for the eye, and in Markdown, in full and in brief.

use crate::column::Pairs;
use crate::judge::{Cost, Kind, Summary};
use avert_host_tests::rigid::table::{aligned, digits, heading, line};
use std::fmt::Write;

/// What was measured on one set.
pub(crate) struct Report {
    pub(crate) name: &'static str,
    /// Ours first, and of those the one that others are compared with.
    pub(crate) columns: Vec<Summary>,
}

const HEADERS: [&str; 16] = [
    "column",
    "pairs",
    "free: median µs",
    "mean µs",
    "ratio",
    "colliding: median µs",
    "mean µs",
    "ratio",
    "false free",
    "late",
    "undecided",
    "false contact",
    "kernel calls",
    "poses",
    "intervals",
    "work",
];

impl Report {
    fn counts(&self) -> [usize; 2] {
        self.columns.first().map_or([0; 2], |column| column.kinds.map(|kind| kind.count))
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |column: &Summary| {
            let first = self.columns.iter().find(|other| other.pairs == column.pairs);
            let mut row = vec![column.name.clone(), column.pairs.name().to_owned()];
            for (kind, base) in column.kinds.iter().zip(first.map_or(column.kinds, |first| first.kinds)) {
                row.extend([kind.median, kind.mean, kind.median / base.median].map(digits));
            }
            let Summary { false_free, late, undecided, false_contact, .. } = *column;
            row.extend([false_free, late, undecided, false_contact].map(|n| n.to_string()));
            let costs: [fn(&Cost) -> f64; 4] = [|c| c.kernel_calls, |c| c.poses, |c| c.intervals, |c| c.work];
            row.extend(costs.map(|cost| {
                let means = column.kinds.map(|kind| kind.cost.map_or(f64::NAN, |known| cost(&known)));
                if column.proves { means.map(digits).join(" / ") } else { "–".to_owned() }
            }));
            row
        };
        self.columns.iter().map(row).collect()
    }

    /// For the eye.
    pub(crate) fn text(&self) -> String {
        let [free, colliding] = self.counts();
        let mut rows = vec![HEADERS.map(str::to_owned).to_vec()];
        rows.extend(self.rows());
        format!(
            "{}: {free} free paths, {colliding} colliding\n(ratio: of medians, to the first column about the same pairs; calls and \
             further: means, free / colliding)\n\n{}",
            self.name,
            aligned(&rows)
        )
    }
}

/// All sets and columns.
pub(crate) fn full(reports: &[Report]) -> String {
    let mut text = heading(&[&["set"], &HEADERS[..]].concat());
    for report in reports {
        let [free, colliding] = report.counts();
        let mut name = format!("**{}**, {free} free / {colliding} colliding", report.name);
        for row in report.rows() {
            let mut cells = vec![std::mem::take(&mut name)];
            cells.extend(row);
            line(&mut text, &cells);
        }
    }
    text
}

/// A line a set, robot against world: median microseconds, free / colliding. Faults are named.
pub(crate) fn brief(reports: &[Report]) -> String {
    let shown = |column: &&Summary| column.pairs == Pairs::World && !column.name.contains("f64");
    let names = reports.first().map_or(vec![], |report| report.columns.iter().filter(shown).collect());
    let names: Vec<&str> = names.iter().map(|column| column.name.as_str()).collect();
    let mut text = heading(&[&["set (free / colliding)"], &names[..]].concat());
    for report in reports {
        let [free, colliding] = report.counts();
        let mut cells = vec![format!("{} ({free} / {colliding})", report.name)];
        for column in report.columns.iter().filter(shown) {
            let [free, colliding]: [&Kind; 2] = column.kinds.each_ref();
            let mut cell = format!("{} / {}", digits(free.median), digits(colliding.median));
            let faults = [(column.false_free, "false free"), (column.undecided, "undecided")];
            for (count, what) in faults.into_iter().filter(|(count, _)| *count > 0) {
                let _ = write!(cell, ", **{count} {what}**");
            }
            cells.push(cell);
        }
        line(&mut text, &cells);
    }
    text
}
