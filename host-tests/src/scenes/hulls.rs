//! Bodies made of spheres, capsules and boxes, given directly as swept hulls.

use super::{Dice, Inflated, Point, Shape, add, block, times};

/// A sphere.
pub fn ball(centre: Point, radius: f64) -> Shape {
    Shape { points: vec![centre], triangles: vec![], hulls: vec![Inflated { first: 0, count: 1, radius }] }
}

/// A capsule.
pub fn capsule(from: Point, to: Point, radius: f64) -> Shape {
    Shape { points: vec![from, to], triangles: vec![], hulls: vec![Inflated { first: 0, count: 2, radius }] }
}

/// A box, its edges rounded by a radius.
pub fn cuboid(centre: Point, half: Point, radius: f64) -> Shape {
    let Shape { points, .. } = block(half).moved(centre);
    Shape { points, triangles: vec![], hulls: vec![Inflated { first: 0, count: 8, radius }] }
}

/// A few of these together, in about the unit ball.
pub fn some_hulls(dice: &mut Dice) -> Shape {
    let mut shape = Shape::default();
    for _ in 0..=dice.side(8) {
        let (centre, size) = (times(dice.in_ball(), 0.7), dice.between(0.05, 0.4));
        let part = match dice.side(4) {
            0 => ball(centre, size),
            1 => capsule(centre, add(centre, times(dice.in_ball(), 0.5)), 0.4 * size),
            2 => cuboid(centre, [0; 3].map(|_| size * dice.between(0.05, 1.0)), 0.0),
            _ => cuboid(centre, [0; 3].map(|_| size * dice.between(0.05, 1.0)), 0.2 * size),
        };
        shape = shape.with(part);
    }
    shape
}
