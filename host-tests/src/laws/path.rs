//! Checks of whole plans: in pieces, in little memory, with workcells that change, and with joints that are off.

use super::ledger::need;
use crate::arm::ours::{Desk, ENTRIES, Question, outcome, with_cell};
use crate::arm::{ArmCase, CaseKind, CasePath, Moment, Oracle, Outcome, SURE, Terms, judge_with, some_arm};
use crate::random::Random;
use crate::wide::Dd;
use crate::wide::chain::Course;
use avert::motion::LinkIndex;
use avert::robot::{At, BodyIndex, Margins, ObjectIndex, Plan, Reason, Workcell, WorkcellError};
use avert::{Budget, Model, PathCheck, PathVerdict, Pose, RigidMotion, Scalar, Stats, Why};

/// In metres.
fn tolerance<S: Scalar>() -> f64 {
    if size_of::<S>() == 4 { 2_f64.powi(-9) } else { 2_f64.powi(-12) }
}

/// Cases that one plan can say.
fn each<S: Scalar>(
    cases: u64,
    seed: u64,
    check: impl Fn(&mut Random, &Question) -> Result<(), String>,
) -> Result<(), String> {
    for index in 0..cases {
        let case = some_arm(seed, index);
        let question =
            Question::whole(&case, tolerance::<S>()).unwrap_or_else(|| Question::clocked(&case, tolerance::<S>()));
        let random = &mut Random::new(seed ^ index);
        check(random, &question).map_err(|e| format!("{e}: seed {seed}, case {index}"))?;
    }
    Ok(())
}

fn open<'w, 'm, S: Scalar>(
    cell: &Workcell<'_, S>,
    plan: &Plan<'_, S>,
    memory: &'w mut avert::PathMemory<'m, S>,
) -> Result<PathCheck<'w, 'm, S>, String> {
    PathCheck::new(cell, plan, memory).ok_or_else(|| "a plan for another robot".to_string())
}

fn why<S: Scalar>(verdict: &PathVerdict<'_, S>) -> Option<Why> {
    match verdict {
        PathVerdict::Undecided { why, .. } => Some(*why),
        PathVerdict::Free(_) | PathVerdict::Contact { .. } => None,
    }
}

/// In steps of any size a check ends alike, and what it claims on the way only grows and is true.
pub fn cleared<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |_, question| {
        let Question { case, .. } = question;
        let survey = Oracle::new(case).survey();
        with_cell::<S, _>(question, |cell, plan, _| {
            let mut desk = Desk::new(cell, ENTRIES);
            let mut ends: Vec<(Outcome, Stats, At<S>)> = vec![];
            for units in [u64::MAX, 1, 7, 1000] {
                let mut memory = desk.memory();
                let mut check = open(cell, plan, &mut memory)?;
                let mut last = At { segment: 0, time: S::ZERO };
                let verdict = loop {
                    let verdict = check.step(cell, plan, Budget::units(units));
                    let cleared = verdict.cleared();
                    let now = cleared.until();
                    need(now >= last, &format!("the proof shrank from {last:?} to {now:?}"))?;
                    last = now;
                    let before = survey.touches_before(now.segment, now.time.to_f64());
                    need(before.is_none(), &format!("free until {now:?}, but {before:?}"))?;
                    let whole = now.segment + 1 == plan.segments() && now.time == S::ONE;
                    need(!cleared.is_whole() || whole && survey.first.is_none(), "whole, but it is not")?;
                    if why(&verdict) != Some(Why::Budget) {
                        break verdict;
                    }
                };
                let again = check.step(cell, plan, Budget::units(units));
                need(outcome(case, &again) == outcome(case, &verdict), "the end moved")?;
                ends.push((outcome(case, &verdict), check.stats(), last));
            }
            let same = ends.iter().all(|end| *end == ends[0]);
            need(same, &format!("the end depends on the steps: {ends:?}"))
        })?
    })
}

/// All that changes a workcell, by number; `None` beyond the last.
fn change<'a, S: Scalar>(
    number: usize,
    cell: &mut Workcell<'a, S>,
    model: Model<'a, S>,
) -> Option<Result<(), WorkcellError>> {
    let (link, object) = (LinkIndex(0), ObjectIndex(0));
    let pose = || Pose::<S>::IDENTITY.into();
    let pair = [BodyIndex::Link(link), BodyIndex::Object(object)];
    Some(match number {
        0 => cell.set_model(link, None),
        1 => cell.set_model(link, Some(model)),
        2 => cell.set_limits(link, Some([-S::ONE, S::ONE])),
        3 => cell.set_limits(link, None),
        4 => cell.set_margins(Margins::all(S::HALF)),
        5 => cell.set_margin(pair, Some(S::HALF)),
        6 => cell.set_margin(pair, None),
        7 => cell.add_object(model, pose()).map(|_| ()),
        8 => cell.place_object(object, pose()),
        9 => match RigidMotion::still(Pose::IDENTITY) {
            Ok(motion) => cell.move_object(object, motion),
            Err(error) => Err(error.into()),
        },
        10 => cell.switch_object(object, false),
        11 => cell.switch_object(object, true),
        12 => cell.remove_object(object),
        13 => cell.attach(link, model, pose(), &[link]).map(|_| ()),
        14 => {
            let payload = LinkIndex(u8::try_from(cell.chain().links().len() - 1).unwrap_or(u8::MAX));
            cell.detach(payload)
        }
        15 => cell.set_allowed(link, LinkIndex(1), Some(Reason::User)),
        16 => cell.set_allowed(link, LinkIndex(1), None),
        _ => return None,
    })
}

/// Every change is a new revision; what was cleared before is stale, and a check that was under way ends.
pub fn changes<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, question| {
        let begun = random.pick(&[1, 100, u64::MAX]);
        with_cell::<S, _>(question, |cell, plan, models| {
            let mut desk = Desk::new(cell, ENTRIES);
            for number in 0.. {
                let mut memory = desk.memory();
                let mut check = open(cell, plan, &mut memory)?;
                let verdict = check.step(cell, plan, Budget::units(begun));
                let cleared = *verdict.cleared();
                need(!cleared.is_stale(cell), "stale from the start")?;
                let before = (cell.revision(), cell.fingerprint());
                let Some(changed) = change(number, cell, models[0]) else { break };
                if changed.is_err() {
                    let same = (cell.revision(), cell.fingerprint()) == before && !cleared.is_stale(cell);
                    need(same, &format!("change {number} was refused, and yet there is one"))?;
                    continue;
                }
                let raised = cell.revision() > before.0 && cell.fingerprint() != before.1;
                need(raised, &format!("change {number} does not raise the revision"))?;
                need(cleared.is_stale(cell), &format!("cleared in spite of change {number}"))?;
                let after = check.step(cell, plan, Budget::UNLIMITED);
                let until = after.cleared().until();
                let nothing = until == At { segment: 0, time: S::ZERO } && !after.cleared().is_whole();
                let ended = why(&after) == Some(Why::SceneChanged) && nothing;
                need(ended, &format!("change {number} is not noticed: {after:?}"))?;
            }
            Ok(())
        })?
    })
}

/// With few entries there may be no answer, but never a wrong one.
pub fn little_memory<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |_, question| {
        let Question { case, .. } = question;
        let oracle = Oracle::new(case);
        let survey = oracle.survey();
        with_cell::<S, _>(question, |cell, plan, _| {
            for count in [0, 1, 2, 3, 4, 8, 32] {
                let mut desk = Desk::new(cell, count);
                let mut memory = desk.memory();
                let mut check = open(cell, plan, &mut memory)?;
                let verdict = check.step(cell, plan, Budget::UNLIMITED);
                let found = outcome(case, &verdict);
                let terms = Terms { tolerance: question.tolerance, excess: 0.0 };
                let judgement = judge_with(case, &oracle, &survey, &found, &terms);
                if let Some(violation) = judgement.violations.first() {
                    return Err(format!("{count} entries: {violation}; {found:?}"));
                }
                let full = matches!(why(&verdict), None | Some(Why::Stack));
                need(full, &format!("{count} entries: {verdict:?}"))?;
            }
            Ok(())
        })?
    })
}

/// The value of a joint at a time.
fn value(path: &CasePath, u: f64) -> f64 {
    let course = match *path {
        CasePath::Line { positions } => Course::Line(positions),
        CasePath::Cubic { positions, velocities, duration } => Course::Cubic(positions, velocities, duration),
        CasePath::Quintic { positions, velocities, accelerations, duration } => {
            Course::Quintic(positions, velocities, accelerations, duration)
        }
    };
    course.at(Dd::from(u))[0].to_f64()
}

/// The robot at rest, where it is at a moment but for some errors of its joints.
fn frozen(case: &ArmCase, at: Moment, off: &[f64]) -> ArmCase {
    let mut case = case.clone();
    let paths = &case.segments[at.segment];
    let still = |(path, off): (&CasePath, &f64)| CasePath::Line { positions: [value(path, at.u) + off; 2] };
    case.segments = vec![paths.iter().zip(off).map(still).collect()];
    for (joint, off) in case.joints.iter_mut().zip(off) {
        joint.mimic.iter_mut().for_each(|mimic| mimic.offset += off);
    }
    case
}

/// Whatever is cleared is free for joints that are off by up to their tolerances, too.
pub fn tracking<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, |random, question| {
        if question.case.objects.iter().any(|object| object.motion.is_some()) {
            return Ok(());
        }
        let mut question = question.clone();
        let most = random.magnitude(-4.0, -1.3);
        let tolerance = |random: &mut Random, kind| match kind {
            CaseKind::Fixed => 0.0,
            CaseKind::Revolute => most * random.unit(),
            CaseKind::Prismatic => 0.3 * most * random.unit(),
        };
        let joints = &question.case.joints;
        question.tracking = joints.iter().map(|j| super::near::<S>(tolerance(random, j.kind)).to_f64()).collect();
        let Question { case, tracking, .. } = &question;
        let until = with_cell::<S, _>(&question, |cell, plan, _| {
            let mut desk = Desk::new(cell, ENTRIES);
            let mut memory = desk.memory();
            let verdict = open(cell, plan, &mut memory)?.step(cell, plan, Budget::UNLIMITED);
            Ok::<_, String>(verdict.cleared().until())
        })??;
        for _ in 0..8 {
            let segment = random.below(until.segment + 1);
            let last = if segment == until.segment { until.time.to_f64() } else { 1.0 };
            // Most likely it is tight at the end.
            let part = if random.one_in(2) { 1.0 - random.magnitude(-6.0, -1.0) } else { random.unit() };
            let at = Moment { segment, u: part * last };
            if last == 0.0 {
                continue;
            }
            let mut own = |most: f64| most * random.pick(&[-1.0, 1.0, -1.0, 1.0, 0.5]);
            let off: Vec<f64> = tracking.iter().map(|most| own(*most)).collect();
            let there = frozen(case, at, &off);
            let oracle = Oracle::new(&there);
            for pair in there.pairs() {
                let distance = oracle.distance(pair, Moment { segment: 0, u: 0.0 }).unwrap_or(f64::INFINITY);
                let good = distance > there.margin(pair) - SURE;
                need(good, &format!("{pair:?} are {distance} apart at {at:?}, free until {until:?}, off by {off:?}"))?;
            }
        }
        Ok(())
    })
}
