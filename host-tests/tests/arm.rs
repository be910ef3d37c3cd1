//! Whole arms beside their oracle: no false `Free`, no late `free_until`, no `Contact` that is none; in pieces, in little memory
//! and with workcells that change, too.

use avert::{Fix32, Fix64, Scalar, Stats, Why};
use avert_host_tests::arm::ours::{Question, answer, ask};
use avert_host_tests::arm::{ArmCase, Oracle, Outcome, Survey, Terms, judge_with, some_arm};
use avert_host_tests::laws::path;
use avert_host_tests::{cases, laws, report};
use rayon::prelude::*;

laws! {
    never_above_truth_clearing_cleared: path::cleared, 40, 2_000;
    never_outside_truth_clearing_pass: path::cleared, 40, 2_000;
    every_change_is_a_new_revision: path::changes, 20, 500;
    little_memory_is_never_wrong: path::little_memory, 40, 2_000;
    joints_may_be_off_by_their_tolerances: path::tracking, 60, 5_000;
}

/// Counts of answers.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    free: u64,
    contact: u64,
    undecided: u64,
    work: u64,
}

impl Tally {
    fn plus(self, other: Self) -> Self {
        Self {
            free: self.free + other.free,
            contact: self.contact + other.contact,
            undecided: self.undecided + other.undecided,
            work: self.work + other.work,
        }
    }

    fn all(&self) -> u64 {
        self.free + self.contact + self.undecided
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { free, contact, undecided, work } = self;
        let all = self.all();
        write!(
            f,
            "{all} cases, 0 violations: {free} free, {contact} contact, {undecided} undecided; mean work {}",
            work / all.max(1)
        )
    }
}

/// A case, what the oracle saw of it, and the answer to hold against that.
struct Seen<'c> {
    index: u64,
    case: &'c ArmCase,
    oracle: &'c Oracle,
    survey: &'c Survey,
}

impl Seen<'_> {
    fn judge(&self, name: &str, tolerance: f64, answer: Result<(Outcome, Option<Why>, Stats), String>) -> Tally {
        let index = self.index;
        let (outcome, why, stats) = answer.unwrap_or_else(|e| panic!("{name}, case {index}: {e}"));
        let terms = Terms { tolerance, excess: 0.0 };
        let judgement = judge_with(self.case, self.oracle, self.survey, &outcome, &terms);
        if let Some(violation) = judgement.violations.first() {
            panic!("{name}, case {index}: {violation}; {outcome:?}");
        }
        let mut tally = Tally { work: stats.work, ..Tally::default() };
        match outcome {
            Outcome::Free => tally.free = 1,
            Outcome::Contact { .. } => tally.contact = 1,
            Outcome::Undecided { .. } => {
                println!("{name}, case {index}: undecided, {why:?}: {outcome:?}");
                tally.undecided = 1;
            }
        }
        tally
    }
}

/// Runs a suite over many cases and adds up.
fn sum<const N: usize>(count: u64, suite: impl Fn(u64) -> [Tally; N] + Send + Sync) -> [Tally; N] {
    let nothing = || [Tally::default(); N];
    let plus = |a: [Tally; N], b: [Tally; N]| std::array::from_fn(|i| a[i].plus(b[i]));
    (0..count).into_par_iter().map(suite).reduce(nothing, plus)
}

/// What counts as near, in metres, for each scalar: what each can tell apart of an arm that reaches for two metres or so.
fn tolerance<S: Scalar>() -> f64 {
    match (S::FLOATING, size_of::<S>()) {
        (true, 4) => 2_f64.powi(-12),
        (false, 4) => 2_f64.powi(-9),
        _ => 2_f64.powi(-14),
    }
}

/// How many of a thousand may be undecided.
fn patience(name: &str) -> u64 {
    match name {
        "f32" => 5,
        "fix32" => 10,
        _ => 0,
    }
}

fn told(suite: &str, tallies: [Tally; 4]) {
    for (name, tally) in ["f32", "f64", "fix32", "fix64"].into_iter().zip(tallies) {
        report(&format!("{suite}, {name}: {tally}"));
        let (all, most) = (tally.all(), patience(name));
        assert!(tally.free * 5 > all && tally.contact * 5 > all, "one-sided: {tally}");
        assert!(tally.undecided * 1000 <= all * most, "{suite}, {name}: too often undecided: {tally}");
    }
}

/// Robots, worlds and paths by chance, in all scalars.
#[test]
fn random_arms() {
    let tallies = sum(cases(300, 20_000), |index| {
        let case = some_arm(1, index);
        let oracle = Oracle::new(&case);
        let seen = Seen { index, case: &case, oracle: &oracle, survey: &oracle.survey() };
        [
            seen.judge("f32", tolerance::<f32>(), answer::<f32>(&case, tolerance::<f32>())),
            seen.judge("f64", tolerance::<f64>(), answer::<f64>(&case, tolerance::<f64>())),
            seen.judge("fix32", tolerance::<Fix32>(), answer::<Fix32>(&case, tolerance::<Fix32>())),
            seen.judge("fix64", tolerance::<Fix64>(), answer::<Fix64>(&case, tolerance::<Fix64>())),
        ]
    });
    told("random arms", tallies);
}

/// Objects that move during several segments, each of which takes another part of the time.
#[test]
fn moving_objects() {
    let moves = |case: &ArmCase| case.segments.len() > 1 && case.objects.iter().any(|object| object.motion.is_some());
    let tallies = sum(cases(600, 40_000), |index| {
        let case = some_arm(2, index);
        if !moves(&case) {
            return [Tally::default(); 4];
        }
        let asked = |tolerance| Question::clocked(&case, tolerance);
        let clocked = asked(0.0).case;
        let oracle = Oracle::new(&clocked);
        let seen = Seen { index, case: &clocked, oracle: &oracle, survey: &oracle.survey() };
        [
            seen.judge("f32", tolerance::<f32>(), ask::<f32>(&asked(tolerance::<f32>()))),
            seen.judge("f64", tolerance::<f64>(), ask::<f64>(&asked(tolerance::<f64>()))),
            seen.judge("fix32", tolerance::<Fix32>(), ask::<Fix32>(&asked(tolerance::<Fix32>()))),
            seen.judge("fix64", tolerance::<Fix64>(), ask::<Fix64>(&asked(tolerance::<Fix64>()))),
        ]
    });
    told("moving objects", tallies);
}
