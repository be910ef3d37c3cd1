//! The account of what is still to be proved: nothing is lost, nothing is closed without a proof.

use super::scene::{Course, Goal, Kind, Parts};
use super::vector;
use crate::random::Random;
use avert::kernel::{Aim, Clearance, Ledger, Obligation, PieceKind, Probe, Span};
use avert::{Body, Limits, RigidMotion, Scalar, Scene};
use std::num::NonZeroU32;

/// Two bodies and their motions.
type Setting<S> = ([Parts<S>; 2], [RigidMotion<S>; 2]);

/// Two soups that stand or move, `apart` sizes from each other.
fn setting<S: Scalar>(random: &mut Random, apart: f64) -> Option<Setting<S>> {
    let parts = [0; 2].map(|_| Parts::random(random, Kind::Soup, 1.0));
    let mut courses = [0; 2].map(|_| Course::random(random, 0.2, false));
    courses.iter_mut().for_each(|c| {
        c.centre = [0.0; 3];
        // Slow enough that one span over the whole motion can prove it.
        if let Goal::Velocities(linear, angular) = &mut c.to {
            *linear = [0.1, 0.0, 0.2];
            *angular = angular.map(|x| x * 0.05);
        }
    });
    courses[1].shift([apart, 0.0, 0.0]);
    let [Some((a, _)), Some((b, _))] = courses.each_ref().map(Course::make::<S>) else { return None };
    Some((parts, [a, b]))
}

fn each<S: Scalar>(
    cases: u64,
    seed: u64,
    apart: f64,
    check: impl Fn(&mut Random, &[Parts<S>; 2], &Scene<'_, S>) -> Result<(), String>,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < cases {
        let Some((parts, motions)) = setting::<S>(&mut random, apart) else { continue };
        let models = parts.each_ref().map(Parts::model);
        let [a, b] = [0, 1].map(|i| Body { model: &models[i], motion: motions[i] });
        let Ok(scene) = Scene::new(a, b, Limits { margin: S::ZERO, tolerance: S::ZERO }) else { continue };
        done += 1;
        let state = random.clone();
        check(&mut random, &parts, &scene).map_err(|e| format!("{e} (seed {seed}, case {done}, {state:?})"))?;
    }
    Ok(())
}

fn id(n: u32) -> NonZeroU32 {
    NonZeroU32::MIN.saturating_add(n)
}

pub(super) fn need(good: bool, what: &str) -> Result<(), String> {
    if good { Ok(()) } else { Err(what.to_string()) }
}

/// The children's primitives are the parent's, each once, and the interval is the same.
fn split_side<S: Scalar>(cases: u64, seed: u64, side: usize) -> Result<(), String> {
    each::<S>(cases, seed, 3.0, |random, parts, scene| {
        let (mut ledger, claim) = Ledger::open_by_hand(scene, id(0));
        let (mut other, _) = Ledger::open_by_hand(scene, id(7));
        let split = |ledger: &mut Ledger<S>, claim| match side {
            0 => ledger.split_a(scene, claim),
            _ => ledger.split_b(scene, claim),
        };
        let mut open = vec![claim];
        for _ in 0..6 {
            let claim = open.swap_remove(random.below(open.len()));
            let (pieces, from, until) = (claim.pieces(), claim.from(), claim.until());
            // A foreign ledger leaves the claim alone.
            let Err(claim) = split(&mut other, claim) else { return Err("a foreign claim was split".to_string()) };
            match split(&mut ledger, claim) {
                Ok(halves) => {
                    need(halves.iter().all(Obligation::is_open), "a child is missing")?;
                    need(halves.iter().all(|h| h.from() == from && h.until() == until), "the interval changed")?;
                    need(halves.iter().all(|h| h.pieces()[1 - side] == pieces[1 - side]), "the other side changed")?;
                    let beneath = |piece| {
                        let mut ids = parts[side].beneath(piece).unwrap_or_default();
                        ids.sort_unstable();
                        ids
                    };
                    let mut ids = [beneath(halves[0].pieces()[side]), beneath(halves[1].pieces()[side])].concat();
                    ids.sort_unstable();
                    need(ids == beneath(pieces[side]), "the children's primitives are not the parent's")?;
                    open.extend(halves);
                }
                Err(claim) => {
                    need(matches!(pieces[side].kind(), PieceKind::Primitive(_)), "a node was not split")?;
                    open.push(claim);
                }
            }
            need(ledger.audit(&mut open) == Some(S::ZERO), "the audit does not find all")?;
        }
        need(ledger.proof().is_none(), "a proof with obligations open")
    })
}

/// Splitting a node of the first body loses no primitive and changes nothing else.
pub fn split_a<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    split_side::<S>(cases, seed, 0)
}

/// The same for the second body.
pub fn split_b<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    split_side::<S>(cases, seed, 1)
}

/// The halves share the very time of the split, and nothing else changes.
pub fn split_time<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, 3.0, |random, _, scene| {
        let (mut ledger, claim) = Ledger::open_by_hand(scene, id(0));
        let (mut other, _) = Ledger::open_by_hand(scene, id(1));
        let mut open = vec![claim];
        for _ in 0..6 {
            let claim = open.swap_remove(random.below(open.len()));
            let (pieces, from, until) = (claim.pieces(), claim.from(), claim.until());
            let middle = (from + until) * S::HALF;
            let Err(claim) = other.split_time(claim, middle) else {
                return Err("a foreign claim was split".to_string());
            };
            let outside = random.pick(&[from, until, -S::ONE, S::ONE + S::ONE, S::from_f64_near(f64::NAN)]);
            let Err(claim) = ledger.split_time(claim, outside) else { return Err(format!("split at {outside:?}")) };
            let Ok([left, right]) = ledger.split_time(claim, middle) else { return Err("no split".to_string()) };
            need(left.from() == from && right.until() == until, "an end moved")?;
            need(left.until() == middle && right.from() == middle, "the halves do not share the time of the split")?;
            need(left.pieces() == pieces && right.pieces() == pieces, "the pieces changed")?;
            open.extend([left, right]);
        }
        need(ledger.audit(&mut open) == Some(S::ZERO), "the audit does not find all")
    })
}

/// Tries to close a claim about its own pieces; a vacant place has none.
fn discharged<S: Scalar>(
    ledger: &mut Ledger<S>,
    claim: &mut Obligation<S>,
    probe: &Probe<'_, S>,
    scene: &Scene<'_, S>,
) -> Result<(), ()> {
    let pair = scene.pair(claim.pieces()).ok_or(())?;
    ledger.discharge(claim, probe, &pair).map_err(|_| ())
}

/// Tries to advance a claim about its own pieces.
fn advanced<S: Scalar>(
    ledger: &mut Ledger<S>,
    claim: &mut Obligation<S>,
    aim: &Aim<'_, S>,
    scene: &Scene<'_, S>,
) -> bool {
    scene.pair(claim.pieces()).is_some_and(|pair| ledger.advance(claim, aim, scene, &pair))
}

/// Tries to close a claim about its own pieces, for one time.
fn closed<S: Scalar>(
    clearance: &mut Clearance<S>,
    claim: &mut Obligation<S>,
    aim: &Aim<'_, S>,
    scene: &Scene<'_, S>,
) -> bool {
    scene.pair(claim.pieces()).is_some_and(|pair| clearance.close(claim, aim, scene, &pair))
}

/// A claim is closed only by a probe of this scene whose span covers it, and only if the direction separates.
pub fn discharge<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, 300.0, |random, _, scene| {
        let half = S::HALF;
        let (mut ledger, claim) = Ledger::open_by_hand(scene, id(0));
        let (_, mut foreign) = Ledger::open_by_hand(scene, id(1));
        let Ok([left, mut right]) = ledger.split_time(claim, half) else { return Err("no split".to_string()) };
        let mut open = vec![left];
        let along = vector::<S>([1.0, 0.01 * random.unit(), 0.0]);
        let span = |from, until| Span::new(scene, from, until).ok_or("no span");
        let (first, second, whole) = (span(S::ZERO, half)?, span(half, S::ONE)?, span(S::ZERO, S::ONE)?);
        let probe = first.probe(along).ok_or("no probe")?;
        need(discharged(&mut ledger, &mut right, &probe, scene).is_err(), "closed by a span of another time")?;
        let probe = second.probe(-along).ok_or("no probe")?;
        need(discharged(&mut ledger, &mut right, &probe, scene).is_err(), "closed by the opposite direction")?;
        let probe = second.probe(along).ok_or("no probe")?;
        need(
            discharged(&mut ledger, &mut foreign, &probe, scene).is_err() && foreign.is_open(),
            "a foreign claim was closed",
        )?;
        let other = match right.pieces()[1].kind() {
            PieceKind::Node(i) => scene.models()[1].node(i).map(|n| [right.pieces()[0], n.children[0]]),
            PieceKind::Primitive(_) => None,
        };
        if let Some(pair) = other.and_then(|pieces| scene.pair(pieces)) {
            need(ledger.discharge(&mut right, &probe, &pair).is_err(), "closed by what was shown of other pieces")?;
        }
        need(discharged(&mut ledger, &mut right, &probe, scene).is_ok(), "not closed")?;
        need(!right.is_open() && ledger.proof().is_none(), "closed, but still there or a proof too early")?;
        need(discharged(&mut ledger, &mut right, &probe, scene).is_err(), "a vacant place was closed")?;
        need(ledger.audit(&mut open) == Some(S::ZERO), "the audit does not find the rest")?;
        let probe = whole.probe(along).ok_or("no probe")?;
        need(discharged(&mut ledger, &mut open[0], &probe, scene).is_ok(), "not closed by a longer span")?;
        need(ledger.proof().is_some_and(|p| p.revision() == scene.revision()), "no proof of this scene at the end")
    })
}

/// A claim is shortened from the front only, and only where the aim is at its start.
pub fn advance<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, 300.0, |random, _, scene| {
        let (mut ledger, mut claim) = Ledger::open_by_hand(scene, id(0));
        let (_, mut foreign) = Ledger::open_by_hand(scene, id(1));
        let along = vector::<S>([1.0, 0.0, 0.01 * random.unit()]);
        let [start, late] = [S::ZERO, S::HALF].map(|t| scene.moment(t).ok_or("no moment"));
        let (start, late) = (start?, late?);
        let aim = Aim::new(&late, along).ok_or("no aim")?;
        need(!advanced(&mut ledger, &mut claim, &aim, scene), "advanced from a later moment")?;
        let aim = Aim::new(&start, along).ok_or("no aim")?;
        need(!advanced(&mut ledger, &mut foreign, &aim, scene), "a foreign claim advanced")?;
        let until = scene.pair(claim.pieces()).and_then(|pair| aim.apart_until(scene, &pair));
        let moved = advanced(&mut ledger, &mut claim, &aim, scene);
        need(moved == until.is_some(), "advance and apart_until differ")?;
        match until {
            Some(t) if t < S::ONE => {
                need(claim.from() == t && claim.until() == S::ONE && ledger.proof().is_none(), "shortened wrongly")
            }
            Some(_) => need(!claim.is_open() && ledger.proof().is_some(), "not closed at the end"),
            None => need(claim.is_open() && claim.from() == S::ZERO, "changed without a proof"),
        }
    })
}

/// Claims with different starts, all open.
fn staggered<S: Scalar>(random: &mut Random, ledger: &mut Ledger<S>, claim: Obligation<S>) -> Vec<Obligation<S>> {
    let mut open = vec![claim];
    for _ in 0..2 + random.below(6) {
        let claim = open.swap_remove(random.below(open.len()));
        let middle = (claim.from() + claim.until()) * S::HALF;
        match ledger.split_time(claim, middle) {
            Ok(halves) => open.extend(halves),
            Err(claim) => open.push(claim),
        }
    }
    open
}

/// Once something is postponed, nothing from its start on counts as proved, whatever else is.
pub fn postpone<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, 300.0, |random, _, scene| {
        let (mut ledger, claim) = Ledger::open_by_hand(scene, id(0));
        let (_, mut foreign) = Ledger::open_by_hand(scene, id(1));
        ledger.postpone(&mut foreign);
        need(foreign.is_open(), "a foreign claim was postponed")?;
        let mut open = staggered(random, &mut ledger, claim);
        let span = Span::new(scene, S::ZERO, S::ONE).ok_or("no span")?;
        let probe = span.probe(vector([1.0, 0.0, 0.0])).ok_or("no probe")?;
        let mut least = S::ONE;
        let kept = random.below(open.len());
        while !open.is_empty() {
            let mut claim = open.swap_remove(random.below(open.len()));
            if open.len() == kept || random.one_in(2) {
                least = least.min(claim.from());
                ledger.postpone(&mut claim);
            } else {
                need(discharged(&mut ledger, &mut claim, &probe, scene).is_ok(), "not closed")?;
            }
            need(!claim.is_open(), "postponed or closed, but still there")?;
            let expected = open.iter().map(Obligation::from).fold(least, S::min);
            need(ledger.audit(&mut open) == Some(expected), "the audit goes beyond what was postponed")?;
        }
        need(ledger.proof().is_none(), "a proof with something postponed")
    })
}

/// What is renewed is about the roots, from the least start of what was postponed to the end.
pub fn renew<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, 300.0, |random, parts, scene| {
        let (mut ledger, claim) = Ledger::open_by_hand(scene, id(0));
        let roots = claim.pieces();
        need(ledger.renew(scene).is_none(), "renewed with a claim open")?;
        let mut open = staggered(random, &mut ledger, claim);
        // Some are about parts of the roots.
        let whole = open.swap_remove(random.below(open.len()));
        match ledger.split_a(scene, whole) {
            Ok(halves) => open.extend(halves),
            Err(claim) => open.push(claim),
        }
        let span = Span::new(scene, S::ZERO, S::ONE).ok_or("no span")?;
        let probe = span.probe(vector([1.0, 0.0, 0.0])).ok_or("no probe")?;
        let mut least = None;
        for mut claim in open {
            need(ledger.renew(scene).is_none(), "renewed with a claim open")?;
            if random.one_in(2) {
                least = Some(least.map_or(claim.from(), |least: S| least.min(claim.from())));
                ledger.postpone(&mut claim);
            } else {
                need(discharged(&mut ledger, &mut claim, &probe, scene).is_ok(), "not closed")?;
            }
        }
        let Some(least) = least else {
            return need(ledger.renew(scene).is_none() && ledger.proof().is_some(), "something out of nothing");
        };
        let models = parts.each_ref().map(Parts::model);
        let limits = Limits { margin: S::ONE, tolerance: S::ZERO };
        let body = |i: usize| Body { model: &models[i], motion: *scene.motions()[i] };
        let other = Scene::new(body(0), body(1), limits).map_err(|e| e.to_string())?;
        need(ledger.renew(&other).is_none(), "renewed for another scene")?;
        let claim = ledger.renew(scene).ok_or("not renewed")?;
        need(claim.pieces() == roots && claim.from() == least && claim.until() == S::ONE, "not the whole rest")?;
        need(ledger.renew(scene).is_none() && ledger.proof().is_none(), "renewed twice, or a proof")?;
        let mut open = vec![claim];
        need(ledger.audit(&mut open) == Some(least), "the audit does not find it")?;
        need(discharged(&mut ledger, &mut open[0], &probe, scene).is_ok(), "not closed")?;
        need(ledger.proof().is_some(), "no proof at the end")
    })
}

/// A claim about one time is closed only by an aim of that time and this scene.
pub fn close<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, 30.0, |random, _, scene| {
        let time = S::from_f64_near(random.unit());
        let (mut clearance, claim) = Clearance::open_by_hand(scene, time, id(0));
        let (_, mut foreign) = Clearance::open_by_hand(scene, time, id(1));
        let [now, later] = [time, time * S::HALF].map(|t| scene.moment(t).ok_or("no moment"));
        let (now, later) = (now?, later?);
        let mut open = vec![claim];
        let mut least = S::GREATEST;
        while let Some(mut claim) = open.pop() {
            let pieces = claim.pieces();
            let along = vector::<S>([1.0, random.unit(), random.unit()]);
            let wrong = Aim::new(&later, along).ok_or("no aim")?;
            need(
                !closed(&mut clearance, &mut claim, &wrong, scene) && claim.is_open(),
                "closed by another time's aim",
            )?;
            need(clearance.distance_lo() == S::ZERO, "a distance with claims open")?;
            let aim = Aim::new(&now, along).ok_or("no aim")?;
            need(
                !closed(&mut clearance, &mut foreign, &aim, scene) && foreign.is_open(),
                "a foreign claim was closed",
            )?;
            if open.len() < 8
                && let PieceKind::Node(_) = pieces[0].kind()
            {
                let Ok(halves) = clearance.split_a(scene, claim) else { return Err("no split".to_string()) };
                open.extend(halves);
                continue;
            }
            least = least.min(scene.pair(pieces).and_then(|pair| aim.distance_lo(scene, &pair)).ok_or("no distance")?);
            need(closed(&mut clearance, &mut claim, &aim, scene) && !claim.is_open(), "not closed")?;
            need(!closed(&mut clearance, &mut claim, &aim, scene), "a vacant place was closed")?;
        }
        need(clearance.distance_lo() == least, "not the least distance")
    })
}

/// The audit wants every open claim, and gives the least start.
pub fn audit<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each::<S>(cases, seed, 300.0, |random, _, scene| {
        let (mut ledger, claim) = Ledger::open_by_hand(scene, id(0));
        let (_, foreign) = Ledger::open_by_hand(scene, id(1));
        let mut open = staggered(random, &mut ledger, claim);
        // Close the first part, wherever it lies.
        let first = (0..open.len()).find(|i| open[*i].from() == S::ZERO).ok_or("nothing starts at 0")?;
        let span = Span::new(scene, S::ZERO, S::ONE).ok_or("no span")?;
        let probe = span.probe(vector([1.0, 0.0, 0.0])).ok_or("no probe")?;
        need(discharged(&mut ledger, &mut open[first], &probe, scene).is_ok(), "not closed")?;
        for _ in 0..4 {
            let i = random.below(open.len());
            open.swap(0, i);
        }
        let least = open.iter().filter(|s| s.is_open()).map(|s| s.from()).fold(S::ONE, S::min);
        need(ledger.audit(&mut open) == Some(least), "not the least start")?;
        open.push(foreign);
        need(ledger.audit(&mut open) == Some(least), "a foreign claim counts")?;
        let lost = (0..open.len() - 1).find(|i| open[*i].is_open()).ok_or("none open")?;
        open[lost].take();
        need(ledger.audit(&mut open).is_none(), "a lost claim is not noticed")?;
        need(ledger.proof().is_none(), "a proof without the lost claim")
    })
}
