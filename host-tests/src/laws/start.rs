//! The start: a point of one body in the frame of the other, and the account of what is inside of what.

use super::ledger::need;
use super::scene::Course;
use super::solid::{true_triangles, with_model};
use super::{array, near, vector};
use crate::random::Random;
use crate::scenes::{Dice, Point, Shape, add, block, length, reversed, shell, some_solid, soup, times};
use crate::wide::{Dd, norm, transposed_times};
use crate::winding;
use avert::kernel::{Ledger, PieceKind, Span, Start};
use avert::{Body, Limits, Pose, RigidMotion, Scalar, Scene, Vec3};
use std::num::NonZeroU32;

/// Beside the true motions: where a point of the one body is in the frame of the other.
pub fn across<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_crossing::<S>(cases, seed, true, |off, radius, _, _| off <= radius + Dd::from(1e-25))
}

/// The place is known about as well as the two poses are, to a few units in the last place.
pub fn tight_across<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let unit = super::unit::<S>();
    each_crossing::<S>(cases, seed, false, |_, radius, poses, size| radius.to_f64() <= 2.1 * poses + 20.0 * unit * size)
}

fn each_crossing<S: Scalar>(
    cases: u64,
    seed: u64,
    uncertain: bool,
    holds: impl Fn(Dd, Dd, f64, f64) -> bool,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut done = 0;
    let shape = block([0.5, 0.4, 0.3]);
    while done < cases {
        let courses = [0; 2].map(|_| {
            let certain = !uncertain || random.one_in(2);
            Course::random(&mut random, 1.0, !certain)
        });
        let [Some((a, true_a)), Some((b, true_b))] = courses.each_ref().map(Course::make::<S>) else { continue };
        let error = if uncertain && random.one_in(2) { random.magnitude(-6.0, -1.0) } else { 0.0 };
        done += 1;
        with_model::<S, ()>(&shape, error, true, |model| {
            let body = |motion| Body { model, motion };
            let limits = Limits { margin: S::ZERO, tolerance: S::ZERO };
            let scene = Scene::new(body(a), body(b), limits).map_err(|e| e.to_string())?;
            let t = random.unit();
            let t = near::<S>(random.pick(&[0.0, 1.0, t]));
            let moment = scene.moment(t).ok_or("no moment")?;
            let x = vector::<S>(random.vector());
            let of_first = random.one_in(2);
            let (y, radius) = scene.across(&moment, of_first, x).ok_or("not seen")?;
            let (own, other) = if of_first { (true_a, true_b) } else { (true_b, true_a) };
            let (own, other) = (own.place(t.to_f64()), other.place(t.to_f64()));
            let stored = add(array(x), times(random.direction(), 0.999 * error));
            let at = own.apply(stored);
            let seen = transposed_times(&other.rotation, [0, 1, 2].map(|i| at[i] - other.position[i]));
            let off = norm([0, 1, 2].map(|i| seen[i] - Dd::from(array(y)[i])));
            let size = 2.0 + [own.position, other.position].map(|p| norm(p).to_f64()).iter().sum::<f64>();
            let pose = |motion: RigidMotion<S>, x: Vec3<S>| {
                let arm = [0, 1, 2].map(|i| array(x)[i] - array(motion.centre())[i]);
                motion.placement_error_hi(near(length(arm))).to_f64()
            };
            let poses = if of_first { pose(a, x) + pose(b, y) } else { pose(a, y) + pose(b, x) };
            need(
                holds(off, Dd::from(radius.to_f64()), poses, size),
                &format!("{y:?} ± {radius:?} is off by {:e}: {courses:?}, x {x:?}, t {t:?}", off.to_f64()),
            )
        })?;
    }
    Ok(())
}

/// Every part is placed as it truly is, and nothing comes out before all are seen outside.
pub fn place_next<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let dice = &mut Dice::new(seed, case);
        let inner = match random.below(3) {
            0 => shell(0, 0.1),
            1 => soup(4, dice).scaled(0.2),
            _ => shell(0, 0.1).with(crate::scenes::ball([0.2, 0.1, 0.0], 0.05)),
        };
        let outer = some_solid(dice);
        placed::<S>(&mut random, &inner, &outer).map_err(|e| format!("{e}: seed {seed}, case {case}"))?;
        accounted::<S>(&mut random).map_err(|e| format!("{e}: seed {seed}, case {case}"))?;
    }
    Ok(())
}

/// One body somewhere about a solid.
fn placed<S: Scalar>(random: &mut Random, inner: &Shape, outer: &Shape) -> Result<(), String> {
    let mut courses = [Course::still(random, 0.0), Course::still(random, 3.0)];
    courses[0].from.1 = add(courses[1].from.1, times(random.direction(), random.unit()));
    let swapped = random.one_in(2);
    let [Some((a, true_a)), Some((b, true_b))] = courses.each_ref().map(Course::make::<S>) else { return Ok(()) };
    let (inner_place, outer_place) = (true_a.place(0.0), true_b.place(0.0));
    let triangles = true_triangles::<S>(outer, 0.0, random);
    let listed = random.one_in(2);
    with_model::<S, ()>(inner, 0.0, listed, |small| {
        with_model::<S, ()>(outer, 0.0, true, |big| {
            let big = big.into_solid().map_err(|e| e.to_string())?;
            let (small, big) = (Body { model: small, motion: a }, Body { model: &big, motion: b });
            let (first, second) = if swapped { (big, small) } else { (small, big) };
            let scene = Scene::new(first, second, Limits { margin: S::ZERO, tolerance: S::ZERO });
            let scene = scene.map_err(|e| e.to_string())?;
            let (mut ledger, _) = Ledger::open_by_hand(&scene, NonZeroU32::MIN);
            let mut seen = Vec::new();
            while let Some((start, _)) = ledger.place_next(&scene) {
                seen.push(start);
            }
            need(seen.len() == small.model.parts(), "not every part was placed")?;
            // The last part comes first.
            for (part, start) in (0..small.model.parts()).rev().zip(seen) {
                let id = small.model.part(part).ok_or("no such part")?;
                let shape = small.model.geometry().primitive(id).ok_or("no such primitive")?;
                let number = |x: Vec3<S>| {
                    let at = inner_place.apply(array(x));
                    let local = [0, 1, 2].map(|i| at[i] - outer_place.position[i]);
                    winding::exact(&triangles, &transposed_times(&outer_place.rotation, local).map(Dd::exact))
                };
                let numbers: Vec<_> = shape.points().map(number).collect();
                let right = match start {
                    Start::Outside => numbers.contains(&Some(0)),
                    Start::Inside { primitives, .. } => {
                        let own = primitives[usize::from(swapped)] == id;
                        let around = primitives[usize::from(!swapped)] < outer.triangles.len();
                        own && around && numbers.iter().any(|n| n.is_some_and(|n| n != 0))
                    }
                    Start::Unknown => true,
                };
                need(right, &format!("part {part}, primitive {id} is {start:?}, but the truth {numbers:?}"))?;
            }
            Ok(())
        })
    })
}

/// A box in a box, or beside it, or in its cavity: the surfaces are proved apart, and the account is as it must be.
fn accounted<S: Scalar>(random: &mut Random) -> Result<(), String> {
    let small = block([0.1; 3]);
    let hollow = random.one_in(3);
    let big = if hollow { block([1.0; 3]).with(reversed(block([0.5; 3]))) } else { block([1.0; 3]) };
    let beside = random.one_in(3);
    let at = if beside { [3.0, 0.0, 0.0] } else { random.vector().map(|x| 0.3 * x) };
    let outside = beside || hollow;
    let swapped = random.one_in(2);
    with_model::<S, ()>(&small, 0.0, true, |inner| {
        with_model::<S, ()>(&big, 0.0, true, |outer| {
            let outer = outer.into_solid().map_err(|e| e.to_string())?;
            let still = |at: Point| RigidMotion::still(Pose::new([1.0, 0.0, 0.0, 0.0].map(near), at.map(near)));
            let (moving, standing) =
                (still(at).map_err(|e| e.to_string())?, still([0.0; 3]).map_err(|e| e.to_string())?);
            let (a, b) = (Body { model: inner, motion: moving }, Body { model: &outer, motion: standing });
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            let scene = |margin: f64| Scene::new(a, b, Limits { margin: near(margin), tolerance: S::ZERO });
            let (scene, other) = (scene(0.0).map_err(|e| e.to_string())?, scene(0.01).map_err(|e| e.to_string())?);
            let (mut ledger, claim) = Ledger::open_by_hand(&scene, NonZeroU32::MIN);
            let early = random.one_in(2);
            if early {
                need(ledger.place_next(&other).is_none(), "placed in another scene")?;
                while ledger.place_next(&scene).is_some() {}
            }
            // Each triangle around is apart from the box along its normal.
            let span = Span::new(&scene, S::ZERO, S::ONE).ok_or("no span")?;
            let mut open = vec![claim];
            while let Some(claim) = open.pop() {
                let piece = claim.pieces()[usize::from(!swapped)];
                let PieceKind::Primitive(id) = piece.kind() else {
                    let halves = if swapped { ledger.split_a(&scene, claim) } else { ledger.split_b(&scene, claim) };
                    open.extend(halves.map_err(|_| "not split")?);
                    continue;
                };
                let [p, q, r] = big.triangles[id].map(|i| big.points[i as usize]);
                let normal = crate::scenes::cross(add(q, times(p, -1.0)), add(r, times(p, -1.0)));
                let towards: f64 = [0, 1, 2].map(|i| normal[i] * (at[i] - p[i])).iter().sum();
                let along = times(normal, if (towards > 0.0) == swapped { 1.0 } else { -1.0 });
                let mut claim = claim;
                let probes = [along, [if swapped { 1.0 } else { -1.0 }, 0.0, 0.0]];
                let closed = probes.iter().any(|n| {
                    let probe = span.probe(vector(*n));
                    let pair = scene.pair(claim.pieces());
                    probe.zip(pair).is_some_and(|(probe, pair)| ledger.discharge(&mut claim, &probe, &pair).is_ok())
                });
                need(closed, "not closed")?;
            }
            if !early {
                need(ledger.proof().is_none(), "a proof before the start is settled")?;
                need(ledger.audit(&mut open) == Some(S::ZERO), "something is proved before the start is settled")?;
                while ledger.place_next(&scene).is_some() {
                    need(outside || ledger.proof().is_none(), "a proof of a body inside of another")?;
                }
            }
            need(ledger.proof().is_some() == outside, "a proof where there is none, or none where there is one")?;
            let until = if outside { S::ONE } else { S::ZERO };
            need(ledger.audit(&mut open) == Some(until), "the audit does not know about the start")
        })
    })
}
