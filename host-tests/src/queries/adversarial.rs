//! Queries in which every part of the kernel's slack is needed, and checks that are cut short.
//!
//! A tolerance lets a contact be reported before the last micrometre is looked at, which hides a slack that is too small.
//! Here there is none, so the proof creeps as near to the contact as it can.

use super::random::{some_hull_shapes, some_path, suite};
use super::{Report, Strategy, entries, held, judge, plain_query, with_scene};
use crate::sampling::Pair;
use crate::scenes::{Dice, Path, Place, Query, Shape, add, ball, block, star, times, turn};
use avert::{Budget, Memory, Scalar, Verdict, Why};
use rayon::prelude::*;

/// Bodies that the library is misled about, and arcs that graze a plane.
pub fn adversarial_queries<S: Scalar>(strategy: Strategy, cases: u64, seed: u64) -> Result<Report, String> {
    suite::<S>(strategy, cases, seed, |dice| if dice.side(4) == 0 { grazing_arc(dice) } else { vague_query(dice) })
}

/// The numbers that the library gets are wrong by up to what it is told; the contact is a matter of the true ones.
fn vague_query(dice: &mut Dice) -> Query {
    let shapes = match dice.side(4) {
        0 => [block([0.5, 0.3, 0.2]), block([0.2, 0.4, 0.3])],
        1 => [star(0, 0.4), block([0.3, 0.3, 0.3])],
        2 => [star(0, 0.4), star(0, 0.5)],
        _ => some_hull_shapes(dice),
    };
    let reach = shapes[0].radius() + shapes[1].radius();
    let vague = dice.between(1e-4, 1e-3);
    let (margin, tolerance) = ([0.0, 0.05][dice.side(2) as usize], [0.0, 0.0, 30.0 * vague][dice.side(3) as usize]);
    let there = dice.in_ball();
    let second = some_path(dice, there, 1.0, 1.0);
    let aside = times(dice.direction(), dice.between(0.0, 0.6) * (reach + margin));
    let first = some_path(dice, add(there, aside), 1.0, 5.0);
    // One at a time: the generous bound on the one would hide the other.
    let vague = if dice.side(2) == 0 { [vague, 0.0] } else { [0.0, vague] };
    Query { vague, ..Query::new(shapes, [first, second], margin, tolerance, false) }
}

/// A ball on an arm dips just below a plane at half time: the arc's whole height above its chord is needed.
fn grazing_arc(dice: &mut Dice) -> Query {
    let (arm, angle) = (dice.between(0.5, 2.0), dice.between(0.3, 1.2));
    // A ninth instead of an eighth of (angle)²·arm loses 1.4 % of that; the dip is less.
    let dip = dice.between(1e-6, 3e-3) * angle * angle * arm;
    let radius = dice.between(0.01, 0.2);
    let tip = ball([arm, 0.0, 0.0], radius);
    // A large triangle across x, turned like everything else by any rotation.
    let at = |y: f64, z: f64| [arm + radius - dip, y, z];
    let plane =
        Shape { points: vec![at(-9.0, -5.0), at(9.0, -5.0), at(0.0, 9.0)], triangles: vec![[0, 1, 2]], hulls: vec![] };
    let rotation = dice.rotation();
    let place =
        |spin: f64| Place { rotation: super::random::after(rotation, turn([0.0, 0.0, 1.0], spin)), position: [0.0; 3] };
    let swing = Path::Between { from: place(-0.5 * angle), to: place(0.5 * angle), centre: [0.0; 3] };
    Query::new([tip, plane], [swing, Path::still(place(0.0))], 0.0, 0.0, false)
}

/// Checks with little work and little memory: what they claim by then must be true.
pub fn starved_queries<S: Scalar>(strategy: Strategy, cases: u64, seed: u64) -> Result<Report, String> {
    let one = |index: u64| {
        let query = held::<S>(plain_query(seed, index));
        let mut dice = Dice::new(!seed, index);
        let units = 1 << dice.side(16);
        let mut entries = entries::<S>(1 << dice.side(12));
        let (verdict, work) = with_scene(&query, |scene| {
            let mut memory = Memory::new(&mut entries);
            let mut check = strategy.start(scene, &mut memory);
            // Twice, so that one cut lies in the middle.
            let _ = check.step(scene, Budget::units(units));
            (check.step(scene, Budget::units(units)), check.stats().work)
        })?;
        judge(&Pair::new(&query), &query, &verdict)?;
        Ok(match verdict {
            Verdict::Free(_) => Report { free: 1, work, ..Report::default() },
            Verdict::Contact { .. } => Report { contact: 1, work, ..Report::default() },
            Verdict::Undecided { why: Why::Budget | Why::Stack, .. } => {
                Report { undecided: 1, work, ..Report::default() }
            }
            // A tolerance of 2⁻²⁰ and a few times that is too fine for 32 bits of fixed point.
            Verdict::Undecided { why: Why::Precision, .. } if !S::FLOATING => {
                Report { undecided: 1, work, ..Report::default() }
            }
            Verdict::Undecided { why: Why::Precision | Why::Range | Why::SceneChanged | Why::Start, .. } => {
                return Err(format!("not starved: {verdict:?}"));
            }
        })
    };
    let located = |index: u64| one(index).map_err(|e: String| format!("seed {seed}, case {index}: {e}"));
    (0..cases).into_par_iter().map(located).try_reduce(Report::default, |a, b| Ok(a.plus(b)))
}
