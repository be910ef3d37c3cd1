//! What the answers of a column are worth.

use crate::column::{Answer, Pairs};
use crate::set::Truth;
use avert::Stats;
use avert_host_tests::peers::Said;

/// The truth has nine decimals.
const DIGITS: f64 = 1e-9;

/// A column's answers, summed up.
#[derive(Clone, Debug)]
pub(crate) struct Summary {
    pub(crate) name: String,
    pub(crate) pairs: Pairs,
    /// Of free paths, and of colliding ones.
    pub(crate) kinds: [Kind; 2],
    /// Says free, touches.
    pub(crate) false_free: usize,
    /// Claims to be free for longer than it is.
    pub(crate) late: usize,
    pub(crate) undecided: usize,
    /// Says contact, and the bodies were never seen so near.
    pub(crate) false_contact: usize,
    /// Is it one of ours?
    pub(crate) proves: bool,
}

/// What paths of one kind cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) count: usize,
    /// In microseconds.
    pub(crate) median: f64,
    pub(crate) mean: f64,
    /// Means.
    pub(crate) cost: Option<Cost>,
}

/// What there was to do for a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cost {
    pub(crate) kernel_calls: f64,
    pub(crate) poses: f64,
    pub(crate) intervals: f64,
    pub(crate) work: f64,
}

impl Summary {
    /// A contact is false where bodies were never seen nearer than `allowed`, in metres.
    pub(crate) fn new((name, pairs): (String, Pairs), answers: &[(Truth, Answer)], allowed: f64) -> Self {
        let count = |wrong: &dyn Fn(&Truth, &Answer) -> bool| answers.iter().filter(|(t, a)| wrong(t, a)).count();
        let until = |answer: &Answer| match answer.said {
            Said::Contact(time) => Some(time),
            Said::Free => None,
            Said::Nothing => answer.free_until,
        };
        Self {
            name,
            pairs,
            kinds: [false, true]
                .map(|collides| Kind::new(answers.iter().filter(|(t, _)| t.contact.is_some() == collides))),
            false_free: count(&|t, a| t.contact.is_some() && a.said == Said::Free),
            late: count(&|t, a| t.contact.zip(until(a)).is_some_and(|(contact, until)| until > contact + DIGITS)),
            undecided: count(&|_, a| a.said == Said::Nothing),
            false_contact: count(&|t, a| {
                matches!(a.said, Said::Contact(_)) && t.contact.is_none() && t.clearance > allowed
            }),
            proves: answers.iter().all(|(_, answer)| answer.stats.is_some()),
        }
    }

    /// What is wrong with a column of ours.
    pub(crate) fn violation(&self, set: &str) -> Option<String> {
        let Self { name, false_free, late, false_contact, .. } = self;
        (self.proves && false_free + late + false_contact > 0).then(|| {
            let pairs = self.pairs.name();
            format!("{set}, {name}, {pairs}: {false_free} false free, {late} late, {false_contact} false contact")
        })
    }
}

impl Kind {
    fn new<'a>(answers: impl Iterator<Item = &'a (Truth, Answer)> + Clone) -> Self {
        let mut times: Vec<f64> = answers.clone().map(|(_, answer)| answer.took.as_secs_f64() * 1e6).collect();
        times.sort_by(f64::total_cmp);
        let count = times.len();
        let middle = [count.saturating_sub(1) / 2, count / 2].map(|i| times.get(i).copied().unwrap_or(f64::NAN));
        let stats: Option<Vec<Stats>> = answers.map(|(_, answer)| answer.stats).collect();
        let cost = stats.filter(|stats| !stats.is_empty()).map(|stats| {
            let mean = |what: fn(&Stats) -> u64| stats.iter().map(what).sum::<u64>() as f64 / count as f64;
            Cost {
                kernel_calls: mean(|s| s.kernel_calls),
                poses: mean(|s| s.poses),
                intervals: mean(|s| s.iterations),
                work: mean(|s| s.work),
            }
        });
        Self { count, median: middle.iter().sum::<f64>() / 2.0, mean: times.iter().sum::<f64>() / count as f64, cost }
    }
}
