//! Queries about solids: in each other from the start, in each other's cavities, beside each other.

use super::random::{some_path, suite};
use super::{Report, Strategy};
use crate::scenes::{Dice, Path, Place, Query, Shape, add, ball, reversed, shell, some_mesh, some_solid, times};
use avert::Scalar;

/// Random pairs of which at least one is a solid. Whether one is inside of the other must never be in doubt.
pub fn solid_queries<S: Scalar>(strategy: Strategy, cases: u64, seed: u64) -> Result<Report, String> {
    suite::<S>(strategy, cases, seed, some_solid_query)
}

/// One of these.
pub fn solid_query(seed: u64, index: u64) -> Query {
    some_solid_query(&mut Dice::new(seed, index))
}

fn some_solid_query(dice: &mut Dice) -> Query {
    let exact = dice.side(2) == 0;
    let margin = [0.0, 0.0, 0.01][dice.side(3) as usize];
    let second = if dice.side(4) == 0 { hollow(dice) } else { some_solid(dice) };
    let (mut first, both) = match dice.side(4) {
        0 => (some_mesh(dice), false),
        1 => (ball([0.0; 3], 0.8), true),
        2 => (some_solid(dice).with(some_solid(dice).scaled(0.3).moved([0.2, 0.1, 0.0])), true),
        _ => (some_solid(dice), true),
    };
    // Small enough to be inside, or of the same size, or around the other one.
    let factor = [0.05, 0.05, 0.15, 0.3, 1.0, 8.0][dice.side(6) as usize];
    first = first.scaled(factor);
    // About in the middle at half time, and slow, so that many stay inside or outside.
    let there = times(dice.in_ball(), 3.0);
    let far = [0.7, 1.5, 3.0][dice.side(3) as usize];
    let middle = add(there, times(dice.in_ball(), far));
    let moving = some_path(dice, middle, 1.0, 0.3);
    let from = Place { rotation: dice.rotation(), position: there };
    let angular = times(dice.direction(), [0.0, 0.2][dice.side(2) as usize]);
    let turning = Path::Velocities { from, centre: [0.0; 3], linear: [0.0; 3], angular };
    let swapped = dice.side(2) == 0;
    let (mut shapes, mut paths, mut solid) = ([first, second], [moving, turning], [both, true]);
    if swapped {
        shapes.reverse();
        paths.reverse();
        solid.reverse();
    }
    Query { solid, ..Query::new(shapes, paths, margin, 1e-3, exact) }
}

/// A shell with a cavity that has room for something.
fn hollow(dice: &mut Dice) -> Shape {
    let inner = reversed(shell(1, 0.9));
    let hollow = shell(1, 1.0).with(inner);
    if dice.side(2) == 0 { hollow.with(shell(0, 0.1).moved([0.5, 0.0, 0.0])) } else { hollow }
}
