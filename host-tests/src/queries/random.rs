//! Random queries: any two bodies, any motions, about half of which collide; some that pass very closely.

use super::{Report, Strategy, compare, entries, held};
use crate::sampling::Pair;
use crate::scenes::{Dice, Path, Place, Query, Shape, add, cross, some_hulls, some_mesh, times, turn};
use avert::{Memory, Scalar, Verdict, Why};
use rayon::prelude::*;

/// Random pairs of procedural meshes.
pub fn random_queries<S: Scalar>(strategy: Strategy, cases: u64, seed: u64) -> Result<Report, String> {
    suite::<S>(strategy, cases, seed, some_mesh_query)
}

/// Random pairs of bodies made of spheres, capsules and boxes; one in four against a mesh.
pub fn hull_queries<S: Scalar>(strategy: Strategy, cases: u64, seed: u64) -> Result<Report, String> {
    suite::<S>(strategy, cases, seed, some_hull_query)
}

/// Random pairs of meshes or hulls, of which those that move do so on screws.
pub fn screw_queries<S: Scalar>(strategy: Strategy, cases: u64, seed: u64) -> Result<Report, String> {
    suite::<S>(strategy, cases, seed, some_screw_query)
}

/// Makes queries and compares, on all cores.
pub(super) fn suite<S: Scalar>(
    strategy: Strategy,
    cases: u64,
    seed: u64,
    make: fn(&mut Dice) -> Query,
) -> Result<Report, String> {
    (0..cases)
        .into_par_iter()
        .map_init(
            || entries::<S>(Memory::<S>::RECOMMENDED),
            |entries, index| {
                let query = held::<S>(make(&mut Dice::new(seed, index)));
                let result = match compare(strategy, &query, entries) {
                    Ok((Verdict::Undecided { why: Why::Start, .. }, _)) => {
                        Err("inside or outside is not known".to_string())
                    }
                    Ok((_, report)) => Ok(report),
                    Err(e) => Err(e),
                };
                result.map_err(|e| format!("seed {seed}, case {index}: {e}"))
            },
        )
        .try_reduce(Report::default, |a, b| Ok(a.plus(b)))
}

/// A query of two meshes; one in five passes very closely.
fn some_mesh_query(dice: &mut Dice) -> Query {
    let shapes = [some_mesh(dice), some_mesh(dice)];
    let graze = dice.side(5) == 0;
    some_query(dice, shapes, some_path, 1.2, graze)
}

/// A query with at least one body made of hulls; one in five passes very closely.
fn some_hull_query(dice: &mut Dice) -> Query {
    let shapes = some_hull_shapes(dice);
    let graze = dice.side(5) == 0;
    some_query(dice, shapes, some_path, 0.8, graze)
}

/// A query on screws; one in five passes very closely.
pub(super) fn some_screw_query(dice: &mut Dice) -> Query {
    let shapes = if dice.side(2) == 0 { some_hull_shapes(dice) } else { [some_mesh(dice), some_mesh(dice)] };
    let graze = dice.side(5) == 0;
    some_query(dice, shapes, some_screw, 1.0, graze)
}

/// A query of meshes or hulls, made without asking the oracle for anything.
pub fn plain_query(seed: u64, index: u64) -> Query {
    let dice = &mut Dice::new(seed, index);
    let shapes = if dice.side(3) == 0 { some_hull_shapes(dice) } else { [some_mesh(dice), some_mesh(dice)] };
    some_query(dice, shapes, some_path, 1.0, false)
}

pub(super) fn some_hull_shapes(dice: &mut Dice) -> [Shape; 2] {
    let other = if dice.side(4) == 0 { some_mesh(dice) } else { some_hulls(dice) };
    if dice.side(2) == 0 { [some_hulls(dice), other] } else { [other, some_hulls(dice)] }
}

/// Makes a motion that brings a body to a place at about half time, not faster than so many times the scale.
type MakePath = fn(&mut Dice, there: [f64; 3], scale: f64, speed: f64) -> Path;

/// Two bodies of which the first passes the second within `miss` times their reach.
fn some_query(dice: &mut Dice, shapes: [Shape; 2], path: MakePath, miss: f64, graze: bool) -> Query {
    let scale = if dice.side(2) == 0 { 1.0 } else { libm::pow(10.0, dice.between(-1.5, 1.5)) };
    let shapes = shapes.map(|shape| {
        let shape = shape.scaled(scale * dice.between(0.4, 1.0));
        let aside = if dice.side(3) == 0 { scale } else { 0.0 };
        shape.moved(times(dice.in_ball(), aside))
    });
    let reach = shapes[0].radius() + shapes[1].radius();
    let margin = scale * [0.0, 0.0, 0.01, 0.2][dice.side(4) as usize];
    let tolerance = 1e-3 * scale;
    let exact = dice.side(2) == 0;

    // The second body is somewhere, the first one comes by at some time in the middle.
    let stays = dice.side(3) == 0;
    let there = times(dice.in_ball(), 3.0 * scale);
    let second = path(dice, there, scale, if stays { 0.0 } else { 2.0 });
    let (aside, miss) = (dice.direction(), dice.between(0.0, miss) * (reach + margin));
    let first = path(dice, add(there, times(aside, miss)), scale, 5.0);
    let query = |s: f64| {
        let paths = [first.moved(times(aside, s)), second];
        Query::new(shapes.clone(), paths, margin, tolerance, exact)
    };
    if !graze {
        return query(0.0);
    }

    // Grazing: shifted sideways until the least distance is a few tolerances from the margin.
    let wanted = margin + dice.between(-2.0, 4.0) * tolerance;
    let (mut near, mut far) = (-miss, 3.0 * reach);
    for _ in 0..10 {
        let middle = 0.5 * (near + far);
        if Pair::new(&query(middle)).sample(32).least.1 < wanted {
            near = middle;
        } else {
            far = middle;
        }
    }
    query(far)
}

/// A motion that brings a body to `there` at about half time, not faster than `speed` times the scale.
pub(super) fn some_path(dice: &mut Dice, there: [f64; 3], scale: f64, speed: f64) -> Path {
    let linear = times(dice.direction(), scale * dice.between(0.1, 1.0) * speed);
    let axis = dice.direction();
    let centre = if dice.side(2) == 0 { [0.0; 3] } else { times(dice.in_ball(), 1.5 * scale) };
    let start = add(there, times(linear, -dice.between(0.2, 0.8)));
    let rotation = if dice.side(4) == 0 { Place::IDENTITY.rotation } else { dice.rotation() };
    let from = Place { rotation, position: start };
    if speed == 0.0 {
        return Path::still(from);
    }
    let angle = [0.0, dice.between(0.0, 0.3), dice.between(0.0, 3.0), dice.between(0.0, 3.0)][dice.side(4) as usize];
    if dice.side(2) == 0 {
        let faster = [1.0, 1.0, 2.0, 5.0][dice.side(4) as usize];
        return Path::Velocities { from, centre, linear, angular: times(axis, faster * angle) };
    }
    let to = Place { rotation: after(turn(axis, angle), rotation), position: add(start, linear) };
    Path::Between { from, to, centre }
}

/// The same on a screw: ordinary turns, nearly half a turn, hardly any and none at all; about axes near by and far away.
fn some_screw(dice: &mut Dice, there: [f64; 3], scale: f64, speed: f64) -> Path {
    let rotation = dice.rotation();
    if speed == 0.0 {
        return Path::still(Place { rotation, position: there });
    }
    let angle = match dice.side(8) {
        0 => 0.0,
        1 => libm::pow(10.0, dice.between(-12.0, -5.0)),
        2 => std::f64::consts::PI - dice.between(1e-3, 0.1),
        3 => dice.between(0.0, 0.3),
        _ => dice.between(0.3, 3.0),
    };
    // The way round and the way along together are not longer than `way`.
    let (axis, way, steep) = (dice.direction(), scale * dice.between(0.1, 1.0) * speed, dice.between(0.0, 1.0));
    let aside = cross(axis, dice.direction());
    let round = if angle > 0.0 { times(aside, steep * way / angle) } else { [0.0; 3] };
    let at = |t: f64| {
        let turned = turn(axis, angle * t);
        // From the axis to the body, now and at half time: (Rot − 1)·round, written so that a small angle costs no digits.
        let half = libm::sin(0.5 * angle * t);
        let bow =
            add(times(cross(axis, round), 2.0 * half * libm::cos(0.5 * angle * t)), times(round, -2.0 * half * half));
        let slide = times(axis, t * (1.0 - steep) * way);
        Place { rotation: after(turned, rotation), position: add(there, add(bow, slide)) }
    };
    let middle = dice.between(0.2, 0.8);
    Path::Screw { from: at(-middle), to: at(1.0 - middle) }
}

/// The rotation `first`, then `then`.
pub(super) fn after(then: [f64; 4], first: [f64; 4]) -> [f64; 4] {
    let ([a, b, c, d], [w, x, y, z]) = (then, first);
    [
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    ]
}
