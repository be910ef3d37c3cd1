//! What an answer is worth, and what many of them amount to: one measure for our columns and for the peers'.

use super::Truth;
use super::truth::{Grade, Known};
use crate::peers::Said;

/// How near two bodies may be and count as touching, in metres: the paper's threshold (§6.3).
pub const TOLERANCE: f64 = 0.001;

/// How much later than the truth a contact may be said to be: ours by the last of the 12 digits that truths are kept
/// with, peers by the rounding of an `f32`.
const OURS_LATE: f64 = 1e-11;
const PEERS_LATE: f64 = 1e-6;

/// What is seen of a least distance may be this much above it, in metres.
const SEEN: f64 = 1e-6;

/// What a check had to look at.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// Advancements, or intervals of time.
    pub iterations: u64,
    /// Front node pairs, of all iterations together.
    pub front: u64,
    pub node_pairs: u64,
    pub primitive_pairs: u64,
    pub kernel_calls: u64,
}

/// One column's answer to one query.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Which query of the case.
    pub query: usize,
    /// The claimed first contact; of ours, until when the motion is proved free.
    pub said: Said,
    /// The least time of all repetitions.
    pub micros: f64,
    /// Unknown of the peers.
    pub cost: Option<Cost>,
}

/// Is an answer true?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    Right,
    /// Says free where there is a contact.
    FalseFree,
    /// Names a first contact after the true one.
    Late,
    /// Gives no answer.
    Missed,
    /// Says contact where the bodies never come within the tolerance.
    FalseContact,
    /// Nobody can say: the motion grazes.
    Unjudged,
}

impl Judgement {
    /// As it stands in the CSV.
    pub fn name(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::FalseFree => "false free",
            Self::Late => "late",
            Self::Missed => "no answer",
            Self::FalseContact => "false contact",
            Self::Unjudged => "grazing",
        }
    }
}

/// Holds an answer against the truth.
pub fn judge(known: &Known, answer: &Answer) -> Judgement {
    let late = if answer.cost.is_some() { OURS_LATE } else { PEERS_LATE };
    match (known.grade, known.truth, answer.said) {
        (Grade::Grazing, _, _) => Judgement::Unjudged,
        (_, _, Said::Nothing) => Judgement::Missed,
        (_, Truth::Contact { .. }, Said::Free) => Judgement::FalseFree,
        (_, Truth::Contact { hi, .. }, Said::Contact(at)) if at.is_nan() || at > hi + late => Judgement::Late,
        (_, Truth::Free { least }, Said::Contact(_)) if least > TOLERANCE + SEEN => Judgement::FalseContact,
        (_, Truth::Contact { .. } | Truth::Free { .. }, Said::Contact(_)) | (_, Truth::Free { .. }, Said::Free) => {
            Judgement::Right
        }
    }
}

/// Times of queries of one kind, in microseconds; NaN where there are none.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    pub count: usize,
    pub mean: f64,
    pub median: f64,
}

impl Times {
    /// Of these times.
    pub fn of(micros: Vec<f64>) -> Self {
        Self { count: micros.len(), mean: mean(micros.iter().copied()), median: median(micros) }
    }
}

/// Mean cost of a query.
#[derive(Clone, Copy, Debug)]
pub struct MeanCost {
    pub iterations: f64,
    /// Of all iterations.
    pub front: f64,
    pub node_pairs: f64,
    pub primitive_pairs: f64,
    pub kernel_calls: f64,
}

/// A column's answers to a case, in a line. Grazing motions are left out of everything but their count.
#[derive(Clone, Copy, Debug)]
pub struct Summary {
    pub colliding: Times,
    pub free: Times,
    /// The mean over the whole case: where a column was asked only some, both kinds count as often as in the case.
    pub average: f64,
    pub grazing: usize,
    pub false_free: usize,
    pub late: usize,
    pub missed: usize,
    pub false_contact: usize,
    /// The true contact's time less the claimed one, mean over the contacts found, as a part of the motion; NaN if none was.
    pub gap: f64,
    pub cost: Option<MeanCost>,
}

impl Summary {
    /// Sums up a column; `truths` are those of all queries of the case.
    pub fn of(truths: &[Known], answers: &[Answer]) -> Self {
        let count = |what| answers.iter().filter(|a| judge(&truths[a.query], a) == what).count();
        let judged = || answers.iter().filter(|a| truths[a.query].grade != Grade::Grazing);
        let times = |collides| {
            Times::of(judged().filter(|a| truths[a.query].collides() == collides).map(|a| a.micros).collect())
        };
        let (colliding, free) = (times(true), times(false));
        let whole = |collides, mean: f64| {
            let count = truths.iter().filter(|t| t.grade != Grade::Grazing && t.collides() == collides).count();
            if count == 0 { (0.0, 0.0) } else { (count as f64, count as f64 * mean) }
        };
        let [collide, pass] = [whole(true, colliding.mean), whole(false, free.mean)];
        let gaps = judged().filter_map(|a| match (truths[a.query].truth, a.said) {
            (Truth::Contact { lo, .. }, Said::Contact(at)) => Some(lo - at),
            (Truth::Contact { .. }, Said::Free | Said::Nothing) | (Truth::Free { .. }, _) => None,
        });
        Self {
            colliding,
            free,
            average: (collide.1 + pass.1) / (collide.0 + pass.0),
            grazing: count(Judgement::Unjudged),
            false_free: count(Judgement::FalseFree),
            late: count(Judgement::Late),
            missed: count(Judgement::Missed),
            false_contact: count(Judgement::FalseContact),
            gap: mean(gaps),
            cost: mean_cost(&judged().filter_map(|a| a.cost).collect::<Vec<_>>()),
        }
    }
}

fn mean_cost(costs: &[Cost]) -> Option<MeanCost> {
    let of = |f: fn(&Cost) -> u64| mean(costs.iter().map(|c| f(c) as f64));
    (!costs.is_empty()).then(|| MeanCost {
        iterations: of(|c| c.iterations),
        front: of(|c| c.front),
        node_pairs: of(|c| c.node_pairs),
        primitive_pairs: of(|c| c.primitive_pairs),
        kernel_calls: of(|c| c.kernel_calls),
    })
}

/// NaN of nothing.
pub fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), x| (count + 1.0, sum + x));
    sum / count
}

/// The middle one, or the mean of the two in the middle; NaN of nothing.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let at = |i: usize| values.get(i).copied().unwrap_or(f64::NAN);
    (at(values.len().saturating_sub(1) / 2) + at(values.len() / 2)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTACT: Truth = Truth::Contact { lo: 0.5, hi: 0.5001 };

    fn known(truth: Truth) -> Known {
        Known { truth, grade: Grade::Confirmed }
    }

    fn answer(query: usize, said: Said, micros: f64) -> Answer {
        Answer { query, said, micros, cost: None }
    }

    fn near(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_contact_that_is_denied_is_a_false_free() {
        assert_eq!(judge(&known(CONTACT), &answer(0, Said::Free, 1.0)), Judgement::FalseFree);
    }

    #[test]
    fn a_contact_is_late_only_after_the_last_possible_time() {
        let at = |t| judge(&known(CONTACT), &answer(0, Said::Contact(t), 1.0));
        assert_eq!([at(0.0), at(0.5), at(0.5001)], [Judgement::Right; 3]);
        assert_eq!([at(0.50011), at(f64::NAN)], [Judgement::Late; 2]);
        // A peer may round; we may not.
        let ours = |t| Answer { cost: Some(Cost::default()), ..answer(0, Said::Contact(t), 1.0) };
        let little = 0.5001 + 1e-8;
        assert_eq!([at(little), judge(&known(CONTACT), &ours(little))], [Judgement::Right, Judgement::Late]);
    }

    #[test]
    fn a_contact_of_bodies_that_stay_apart_is_false_unless_they_come_within_the_tolerance() {
        let said = |least| judge(&known(Truth::Free { least }), &answer(0, Said::Contact(0.5), 1.0));
        assert_eq!([said(0.0009), said(0.002)], [Judgement::Right, Judgement::FalseContact]);
    }

    #[test]
    fn no_answer_is_missed_and_a_grazing_motion_is_not_judged() {
        assert_eq!(judge(&known(Truth::Free { least: 1.0 }), &answer(0, Said::Nothing, 1.0)), Judgement::Missed);
        let grazing = Known { truth: CONTACT, grade: Grade::Grazing };
        assert_eq!(judge(&grazing, &answer(0, Said::Free, 1.0)), Judgement::Unjudged);
    }

    #[test]
    fn a_summary_counts_each_kind_and_weighs_the_average_by_the_case() {
        let free = known(Truth::Free { least: 1.0 });
        let truths =
            [known(CONTACT), known(CONTACT), free, Known { truth: CONTACT, grade: Grade::Grazing }, known(CONTACT)];
        let answers = [
            answer(0, Said::Contact(0.4), 10.0),
            answer(1, Said::Contact(0.7), 20.0),
            answer(2, Said::Contact(0.1), 2.0),
            answer(3, Said::Free, 1000.0),
        ];
        let summary = Summary::of(&truths, &answers);
        assert_eq!([summary.colliding.count, summary.free.count, summary.grazing], [2, 1, 1]);
        assert_eq!([summary.false_free, summary.late, summary.missed, summary.false_contact], [0, 1, 0, 1]);
        assert!(near(summary.colliding.mean, 15.0) && near(summary.free.median, 2.0));
        // Three collide and one is free, though only two of the three were asked.
        assert!(near(summary.average, (3.0 * 15.0 + 2.0) / 4.0), "{}", summary.average);
        // A late one counts with its sign.
        assert!(near(summary.gap, (0.1 - 0.2) / 2.0), "{}", summary.gap);
    }

    #[test]
    fn the_front_is_that_of_all_iterations() {
        let cost = |iterations, front| Some(Cost { iterations, front, ..Cost::default() });
        let truths = [known(CONTACT), known(CONTACT)];
        let answers = [(0, cost(2, 10)), (1, cost(4, 50))];
        let answers = answers.map(|(i, cost)| Answer { cost, ..answer(i, Said::Contact(0.5), 1.0) });
        let cost = Summary::of(&truths, &answers).cost.expect("there are costs");
        assert!(near(cost.iterations, 3.0) && near(cost.front, 30.0));
    }

    #[test]
    fn the_median_of_odd_and_even_counts() {
        assert!(near(median(vec![9.0, 1.0, 2.0]), 2.0) && near(median(vec![9.0, 1.0, 2.0, 4.0]), 3.0));
        assert!(median(vec![]).is_nan());
    }
}
