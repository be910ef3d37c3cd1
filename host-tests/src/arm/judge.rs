//! An answer about a whole arm beside what the oracle saw.
//!
//! One-sided: what is told here as a violation is one, as surely as the oracle's distances are right. What the oracle did not
//! find is held against nobody.

use super::case::{ArmCase, Who};
use super::oracle::{Look, Moment, Oracle, SURE, Survey};

/// An answer, as plain numbers. All times are in `[0, 1]` of the named segment; every segment before it is free.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outcome {
    Free,
    Contact { segment: usize, free_until: f64, touch: f64, pair: [Who; 2], distance_hi: f64 },
    Undecided { segment: usize, free_until: f64 },
}

/// What was asked for.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// A contact may be claimed where the distance is at most the margin and this, in metres.
    pub tolerance: f64,
    /// What narrowing the numbers may add to that: twice the geometry errors, and the like.
    pub excess: f64,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Violation {
    /// `Free`, but there is a contact.
    FalseFree { at: Moment, pair: [Who; 2], distance: f64 },
    /// Free until a time, but there is a contact before.
    Late { free_until: Moment, at: Moment, pair: [Who; 2], distance: f64 },
    /// The pair is further apart at the claimed touch than margin, tolerance and excess.
    TooFar { distance: f64, allowed: f64 },
    /// The pair is further apart at the claimed touch than the answer says.
    Understated { distance: f64, distance_hi: f64 },
    /// The answer itself says that the pair is too far apart.
    NoContact { distance_hi: f64, allowed: f64 },
    /// A contact of two bodies that may touch, cannot move against each other or do not exist.
    NotChecked { pair: [Who; 2] },
    /// No such segment, a time outside of it, or a touch before the end of the free time.
    Times,
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::FalseFree { at, pair, distance } => {
                write!(f, "free is claimed, but {pair:?} are {distance} apart at {} of segment {}", at.u, at.segment)
            }
            Self::Late { free_until, at, pair, distance } => write!(
                f,
                "free until {} of segment {} is claimed, but {pair:?} are {distance} apart at {} of segment {}",
                free_until.u, free_until.segment, at.u, at.segment
            ),
            Self::TooFar { distance, allowed } => {
                write!(f, "a contact is claimed where the bodies are {distance} apart, not {allowed}")
            }
            Self::Understated { distance, distance_hi } => {
                write!(f, "the bodies are {distance} apart, but at most {distance_hi} is claimed")
            }
            Self::NoContact { distance_hi, allowed } => {
                write!(f, "a contact is claimed at a distance of {distance_hi}, more than {allowed}")
            }
            Self::NotChecked { pair } => write!(f, "the pair {pair:?} was not to be checked"),
            Self::Times => write!(f, "the times are not in their segment, or not in order"),
        }
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Judgement {
    pub violations: Vec<Violation>,
    /// The first contact that the oracle knows of.
    pub first: Option<Look>,
}

impl Judgement {
    /// Did the oracle find a contact?
    pub fn collides(&self) -> bool {
        self.first.is_some()
    }
}

/// Judges one answer; for several about the same case, see [`judge_with`].
pub fn judge(case: &ArmCase, outcome: &Outcome, terms: &Terms) -> Judgement {
    let oracle = Oracle::new(case);
    judge_with(case, &oracle, &oracle.survey(), outcome, terms)
}

/// Judges an answer by a survey that was made before.
pub fn judge_with(case: &ArmCase, oracle: &Oracle, survey: &Survey, outcome: &Outcome, terms: &Terms) -> Judgement {
    let mut violations = vec![];
    let mut first = survey.first;
    let is_time = |segment: usize, u: f64| segment < case.segments.len() && (0.0..=1.0).contains(&u);
    match *outcome {
        Outcome::Free => {
            if let Some(Look { at, pair, distance }) = survey.first {
                violations.push(Violation::FalseFree { at, pair, distance });
            }
        }
        Outcome::Undecided { segment, free_until } => {
            if !is_time(segment, free_until) {
                violations.push(Violation::Times);
            }
            violations.extend(late(survey, Moment { segment, u: free_until }));
        }
        Outcome::Contact { segment, free_until, touch, pair, distance_hi } => {
            violations.extend(late(survey, Moment { segment, u: free_until }));
            let at = Moment { segment, u: touch };
            if !(is_time(segment, free_until) && is_time(segment, touch) && free_until <= touch) {
                violations.push(Violation::Times);
            } else if let Some(distance) = oracle.distance(pair, at) {
                let margin = case.margin(pair);
                violations.extend(contact(distance, distance_hi, margin + terms.tolerance + terms.excess));
                // A deep contact is one whoever found it.
                if distance <= margin - SURE && first.is_none_or(|first| at < first.at) {
                    first = Some(Look { at, pair, distance });
                }
            } else {
                violations.push(Violation::NotChecked { pair });
            }
        }
    }
    Judgement { violations, first }
}

fn late(survey: &Survey, free_until: Moment) -> Option<Violation> {
    let Look { at, pair, distance } = *survey.touches_before(free_until.segment, free_until.u)?;
    Some(Violation::Late { free_until, at, pair, distance })
}

/// Is a claimed contact one?
fn contact(distance: f64, distance_hi: f64, allowed: f64) -> Vec<Violation> {
    let mut violations = vec![];
    // What machine numbers may have lost of the sum of margin and tolerance is far below this.
    let slack = 1e-6;
    if distance > allowed + slack {
        violations.push(Violation::TooFar { distance, allowed });
    }
    if distance_hi.is_nan() || distance > distance_hi + SURE {
        violations.push(Violation::Understated { distance, distance_hi });
    }
    if distance_hi > allowed + slack {
        violations.push(Violation::NoContact { distance_hi, allowed });
    }
    violations
}
