//! The paper's figures of this benchmark, and the means of all cases side by side.

use super::charts::{Bars, Curve, Lines, bars, lines};
use super::judge::Answer;
use super::ours::Width;
use super::report::{Answers, Report};
use std::path::Path;

/// Ours in `f64`: one curve a strategy. In `f32` the search goes about the same way.
fn strategies(report: &Report) -> impl Iterator<Item = &Answers> {
    report.columns.iter().filter(|column| column.ours.is_some_and(|ours| ours.width == Width::F64))
}

/// A curve over the trials, for each strategy.
fn curves(report: &Report, value: impl Fn(&Answer) -> f64) -> Vec<Curve> {
    let points = |c: &Answers| c.answers.iter().map(|a| (a.query as f64 + 1.0, value(a))).collect();
    strategies(report).map(|column| (column.name.clone(), points(column))).collect()
}

fn front(answer: &Answer) -> f64 {
    // At least one, since there is no logarithm of zero.
    answer.cost.map_or(f64::NAN, |cost| cost.front.max(1) as f64)
}

fn iterations(answer: &Answer) -> f64 {
    answer.cost.map_or(f64::NAN, |cost| cost.iterations.max(1) as f64)
}

fn panel(y: &str, curves: Vec<Curve>) -> Lines {
    Lines { x: "trial".to_owned(), y: y.to_owned(), curves }
}

/// Like the paper's Fig. 6: the front nodes of each trial.
pub fn fronts(report: &Report, file: &Path) -> Result<(), String> {
    let title = format!("{}: front node pairs in each trial (as Fig. 6)", report.name);
    lines(file, &title, &[panel("front node pairs", curves(report, front))])
}

/// Like the paper's Fig. 7: iterations, front nodes and contacts of each trial.
pub fn trials(report: &Report, file: &Path) -> Result<(), String> {
    let title = format!("{}: each trial (as Fig. 7)", report.name);
    // A free motion has no contacts, and no point: there is no logarithm of zero.
    let contacts = report.contacts.iter().enumerate().map(|(i, n)| (i as f64 + 1.0, *n as f64)).collect();
    let panels = [
        panel("iterations", curves(report, iterations)),
        panel("front node pairs", curves(report, front)),
        panel("contacts", vec![("triangle pairs within 1 mm".to_owned(), contacts)]),
    ];
    lines(file, &title, &panels)
}

/// The mean times of all cases and columns, and the paper's own.
pub fn times(reports: &[Report], file: &Path) -> Result<(), String> {
    let mut names: Vec<&str> = vec![];
    for column in reports.iter().flat_map(|report| &report.columns) {
        if !names.contains(&column.name.as_str()) {
            names.push(&column.name);
        }
    }
    let panel = |y: &str, ours: fn(&Answers) -> f64, paper: fn(&Report) -> f64| {
        let of = |report: &Report, name: &str| {
            report.columns.iter().find(|c| c.name == name).map_or(f64::NAN, |c| ours(c) / 1e3)
        };
        let kind = |name: &&str| ((*name).to_owned(), reports.iter().map(|r| of(r, name)).collect());
        let mut kinds: Vec<(String, Vec<f64>)> = names.iter().map(kind).collect();
        kinds.push(("C²A in the paper".to_owned(), reports.iter().map(paper).collect()));
        Bars { y: y.to_owned(), groups: reports.iter().map(|r| r.name.to_owned()).collect(), kinds }
    };
    let panels = [
        panel("colliding: mean time [ms]", |c| c.summary.colliding.mean, |r| r.paper.colliding),
        panel("free: mean time [ms]", |c| c.summary.free.mean, |r| r.paper.free),
    ];
    bars(file, "Mean time of a query (the paper's on a Core 2 Q9450, 2.66 GHz)", &panels)
}
