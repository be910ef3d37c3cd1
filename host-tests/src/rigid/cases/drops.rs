//! A body that is dropped on its like, tumbles and bounces, frame by frame.
//!
//! **Computes** the motions of the frames of a small simulation: free fall with constant spin within a frame, and an
//! impulse without friction where the bodies meet. Contacts are found by stepping no further than the distance allows,
//! with the oracle's distances, so that the frames do not depend on the library that is asked about them.

use crate::sampling::Pair;
use crate::scenes::{Dice, Path, Place, Point, Query, Shape, add, cross, length, times, turn};

/// Of a frame, in seconds.
const STEP: f64 = 0.01;
const FRAMES_PER_DROP: usize = 50;
/// In m/s², along −z.
const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.6;
/// The moment of inertia of a ball of radius 0.6 m, for 1 kg.
const INERTIA: f64 = 0.4 * 0.36;
/// Nearer than this is contact, in metres: a frame must start further away than the tolerance of any check of it.
const SKIN: f64 = 2e-3;
/// Distances above this do not matter.
const REACH: f64 = 0.05;

/// So many frames, of as many drops as that takes. Within a drop a frame starts where the one before ended or, if that
/// one collides, shortly before its contact.
pub(super) fn drops(shape: &Shape, frames: usize) -> Vec<Path> {
    let mut paths = vec![];
    for drop in 0.. {
        let mut dice = Dice::new(0x00d4_0b00, drop);
        let mut body = Flight {
            place: Place {
                rotation: super::orientation(&mut dice),
                position: [dice.between(-0.3, 0.3), dice.between(-0.3, 0.3), dice.between(2.2, 2.4)],
            },
            velocity: [dice.between(-0.3, 0.3), dice.between(-0.3, 0.3), -1.0],
            spin: times(dice.direction(), dice.between(1.0, 4.0)),
            // By the radii.
            gap: REACH,
        };
        for _ in 0..FRAMES_PER_DROP {
            if paths.len() == frames {
                return paths;
            }
            paths.push(body.frame(shape));
        }
    }
    paths
}

/// The state of the moving body.
struct Flight {
    place: Place,
    velocity: Point,
    /// The angular velocity, in the world's frame.
    spin: Point,
    /// The distance from the other body where this one is; [`REACH`] if it is more.
    gap: f64,
}

impl Flight {
    /// Goes on by a frame, or to where it bounces, and gives the motion that was tried.
    fn frame(&mut self, shape: &Shape) -> Path {
        let (from, to) = (self.place, self.ahead(1.0));
        let speed = length(add(to.position, times(from.position, -1.0))) + STEP * length(self.spin) * shape.radius();
        let mut part = 0.0;
        let hit = loop {
            let next = (part + (self.gap - 0.5 * SKIN) / speed).min(1.0);
            let distance = gap(shape, &self.ahead(next));
            if distance < SKIN {
                break true;
            }
            (part, self.gap) = (next, distance);
            if part == 1.0 {
                break false;
            }
        };
        self.place = self.ahead(part);
        self.velocity[2] -= GRAVITY * STEP * part;
        if hit {
            self.bounce(shape);
        }
        Path::Between { from, to, centre: [0.0; 3] }
    }

    /// Where the body is at a part of the frame; the frame's motion is straight.
    fn ahead(&self, part: f64) -> Place {
        let mean = add(self.velocity, [0.0, 0.0, -0.5 * GRAVITY * STEP]);
        shifted(&turned(&self.place, times(self.spin, STEP * part)), times(mean, STEP * part))
    }

    /// Changes the velocities by an impulse along the direction in which the distance grows.
    ///
    /// The distance's slope over moves of the body is the contact's normal n, and over turns it is r × n with the contact's
    /// place r: all that an impulse without friction needs.
    fn bounce(&mut self, shape: &Shape) {
        const H: f64 = 1e-3;
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let slope = |there: Place, back: Place| (gap(shape, &there) - gap(shape, &back)) / (2.0 * H);
        let of_move = axes.map(|e| slope(shifted(&self.place, times(e, H)), shifted(&self.place, times(e, -H))));
        let of_turn = axes.map(|e| slope(turned(&self.place, times(e, H)), turned(&self.place, times(e, -H))));
        // It is 1 but for edges and the differences.
        let steepness = length(of_move);
        let (normal, arm) = (times(of_move, 1.0 / steepness), times(of_turn, 1.0 / steepness));
        let approach = dot(self.velocity, normal) + dot(self.spin, arm);
        let impulse = -(1.0 + RESTITUTION) * approach.min(0.0) / (1.0 + dot(arm, arm) / INERTIA);
        self.velocity = add(self.velocity, times(normal, impulse));
        self.spin = add(self.spin, times(arm, impulse / INERTIA));
    }
}

fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn shifted(place: &Place, by: Point) -> Place {
    Place { position: add(place.position, by), ..*place }
}

/// Turned further about its origin, by a vector along the axis and as long as the angle.
fn turned(place: &Place, by: Point) -> Place {
    let angle = length(by);
    if angle == 0.0 {
        return *place;
    }
    let ([w, x, y, z], [v, p, q, r]) = (turn(by, angle), place.rotation);
    let product = [
        w * v - x * p - y * q - z * r,
        w * p + x * v + y * r - z * q,
        w * q - x * r + y * v + z * p,
        w * r + x * q - y * p + z * v,
    ];
    let norm = product.iter().map(|x| x * x).sum::<f64>().sqrt();
    Place { rotation: product.map(|x| x / norm), ..*place }
}

/// The distance of the shape at a place from itself at the identity, or [`REACH`] if it is more.
///
/// Only what is near is measured: most of two bodies is far from the other.
fn gap(shape: &Shape, place: &Place) -> f64 {
    let [w, x, y, z] = place.rotation;
    let rotated = |p: Point| {
        let twice = times(cross([x, y, z], p), 2.0);
        add(add(p, times(twice, w)), cross([x, y, z], twice))
    };
    let points = shape.points.iter().map(|p| add(rotated(*p), place.position)).collect();
    let placed = Shape { points, triangles: shape.triangles.clone(), hulls: vec![] };
    let moving = near(&placed, shape);
    let standing = near(shape, &moving);
    let moving = near(&moving, &standing);
    if moving.triangles.is_empty() || standing.triangles.is_empty() {
        return REACH;
    }
    let still = Path::still(Place::IDENTITY);
    Pair::new(&Query::new([moving, standing], [still; 2], 0.0, SKIN, false)).distance(0.0).min(REACH)
}

/// The triangles that may be within reach of the other shape, by its box.
fn near(shape: &Shape, other: &Shape) -> Shape {
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for p in &other.points {
        (low, high) = ([0, 1, 2].map(|i| low[i].min(p[i])), [0, 1, 2].map(|i| high[i].max(p[i])));
    }
    let mut part = Shape::default();
    for t in &shape.triangles {
        let corners = t.map(|i| shape.points[i as usize]);
        let outside =
            |i: usize| corners.iter().all(|p| p[i] > high[i] + REACH) || corners.iter().all(|p| p[i] < low[i] - REACH);
        if !(0..3).any(outside) {
            let first = part.points.len() as u32;
            part.points.extend(corners);
            part.triangles.push([first, first + 1, first + 2]);
        }
    }
    part
}
