//! The readable end of a run.

use avert::{Stats, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is kept of one query.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) micros: f64,
    pub(crate) stats: Stats,
}

/// Queries by verdict. The key is the verdict's name in the output.
#[derive(Debug, Default)]
pub(crate) struct Tally(BTreeMap<String, Vec<Answer>>);

/// The verdict as it stands in the output.
pub(crate) fn verdict_name<S>(verdict: &Verdict<S>) -> String {
    match verdict {
        Verdict::Free(_) => "free".to_owned(),
        Verdict::Contact { .. } => "contact".to_owned(),
        Verdict::Undecided { why, .. } => format!("undecided:{why}"),
    }
}

/// A mean in the table: of the first number of all answers, divided by the mean of the second.
#[derive(Debug)]
pub(crate) struct Column {
    name: &'static str,
    width: usize,
    of: fn(&Stats) -> u64,
    each: fn(&Stats) -> u64,
}

const fn column(name: &'static str, width: usize, of: fn(&Stats) -> u64) -> Column {
    Column { name, width, of, each: |_| 1 }
}

/// Of motions of two bodies.
pub(crate) const RIGID: [Column; 4] = [
    column("iterations", 13, |s| s.iterations),
    Column { name: "front each", width: 12, of: |s| s.front, each: |s| s.iterations },
    column("node pairs", 13, |s| s.node_pairs),
    column("triangle pairs", 16, |s| s.primitive_pairs),
];

/// Of paths of a robot.
pub(crate) const PATHS: [Column; 5] = [
    column("poses", 10, |s| s.poses),
    column("kernel calls", 14, |s| s.kernel_calls),
    column("iterations", 13, |s| s.iterations),
    column("node pairs", 13, |s| s.node_pairs),
    column("piece pairs", 13, |s| s.primitive_pairs),
];

impl Tally {
    pub(crate) fn add(&mut self, verdict: String, answer: Answer) {
        self.0.entry(verdict).or_default().push(answer);
    }

    /// One line a verdict; those that every user looks for are there even if they are zero.
    pub(crate) fn table(&self, columns: &[Column]) -> String {
        let mut text =
            format!("{:<28}{:>8}{:>14}{:>14}{:>14}", "verdict", "count", "median µs", "mean µs", "mean work");
        for Column { name, width, .. } in columns {
            let _ = write!(text, "{name:>width$}");
        }
        text.push('\n');
        let always = ["free", "contact", "undecided"].map(str::to_owned);
        let undecided = self.0.keys().any(|name| name.starts_with("undecided"));
        let rest = self.0.keys().filter(|name| !always.contains(name)).cloned();
        for name in always.iter().filter(|name| *name != "undecided" || !undecided).cloned().chain(rest) {
            let answers = self.0.get(&name).map_or(&[][..], Vec::as_slice);
            let _ = write!(text, "{name:<28}{:>8}", answers.len());
            if !answers.is_empty() {
                let mean = |of: &dyn Fn(&Answer) -> f64| answers.iter().map(of).sum::<f64>() / answers.len() as f64;
                let [micros, work] = [mean(&|a| a.micros), mean(&|a| a.stats.work as f64)];
                let _ = write!(text, "{:>14.1}{micros:>14.1}{work:>14.0}", median(answers));
                for Column { width, of, each, .. } in columns {
                    let value = mean(&|a| of(&a.stats) as f64) / mean(&|a| each(&a.stats) as f64);
                    let _ = write!(text, "{value:>width$.1}");
                }
            }
            text.push('\n');
        }
        text
    }
}

/// The middle time, or the mean of the two in the middle.
fn median(answers: &[Answer]) -> f64 {
    let mut times: Vec<_> = answers.iter().map(|a| a.micros).collect();
    times.sort_by(f64::total_cmp);
    let at = |i: usize| times.get(i).copied().unwrap_or(f64::NAN);
    (at(times.len().saturating_sub(1) / 2) + at(times.len() / 2)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(times: &[f64]) -> Vec<Answer> {
        times.iter().map(|micros| Answer { micros: *micros, stats: Stats::default() }).collect()
    }

    #[test]
    fn median_of_odd_and_even_counts() {
        assert!((median(&answers(&[9.0, 1.0, 2.0])) - 2.0).abs() < 1e-12);
        assert!((median(&answers(&[9.0, 1.0, 2.0, 4.0])) - 3.0).abs() < 1e-12);
    }

    #[test]
    fn table_counts_each_verdict() {
        let mut tally = Tally::default();
        answers(&[1.0, 2.0]).into_iter().for_each(|a| tally.add("contact".into(), a));
        answers(&[1.0]).into_iter().for_each(|a| tally.add("undecided:stack".into(), a));
        let table = tally.table(&RIGID);
        let count = |name: &str| {
            let line = table.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
            line.split_whitespace().nth(1).unwrap().to_owned()
        };
        assert_eq!([count("free"), count("contact"), count("undecided:stack")], ["0", "2", "1"]);
    }
}
