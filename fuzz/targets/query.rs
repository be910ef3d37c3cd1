//! Whole queries: two small bodies on the grid, any motions, margins and tolerances. What the scalars and strategies prove
//! must hold together, and no proof may be at odds with the sampling oracle.
#![no_main]

use avert_host_tests::queries::{Desk, Strategy, answer, contradiction, entries, refute};
use avert_host_tests::sampling::Pair;
use avert_host_tests::scenes::{Path, Place, Point, Query, Shape, ball, capsule, cuboid};
use libfuzzer_sys::arbitrary::{self, Arbitrary};
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

#[derive(Debug, Arbitrary)]
struct Input {
    shapes: [Pieces; 2],
    ways: [Way; 2],
    margin: u8,
    tolerance: u8,
    fine: u8,
}

/// Triangles and, with a radius, spheres, capsules and boxes.
#[derive(Debug, Arbitrary)]
struct Pieces {
    first: Piece,
    others: [Option<Piece>; 2],
}

#[derive(Debug, Arbitrary)]
struct Piece {
    points: [[i8; 3]; 3],
    radius: Option<(u8, u8)>,
}

#[derive(Debug, Arbitrary)]
struct Way {
    kind: u8,
    rotations: [[i8; 4]; 2],
    positions: [[i8; 3]; 2],
    centre: [i8; 3],
}

fuzz_target!(|input: Input| {
    thread_local! {
        static DESK: RefCell<Desk> = RefCell::default();
    }
    let Some(query) = query(&input) else { return };
    let claims = DESK.with_borrow_mut(|desk| contradiction(&query, desk)).map(|_| ());
    let strategy = Strategy::ALL[usize::from(input.fine) % 4];
    let refuted = match input.fine / 4 % 2 {
        0 => refuted::<f32>(strategy, &query),
        _ => refuted::<avert::Fix32>(strategy, &query),
    };
    if let Err(violation) = claims.and(refuted) {
        panic!("{violation}: {query:?}");
    }
});

/// The oracle, on one verdict. A motion or body that is refused is no violation.
fn refuted<S: avert::Scalar>(strategy: Strategy, query: &Query) -> Result<(), String> {
    match answer::<S>(strategy, query, &mut entries(1024)) {
        Ok((verdict, _)) => refute(&Pair::new(query), query, &verdict).map(|_| ()),
        Err(_) => Ok(()),
    }
}

fn query(input: &Input) -> Option<Query> {
    // Steps of 2^-4 to 2^-11 m.
    let unit = 2_f64.powi(-4 - i32::from(input.fine / 8 % 8));
    let shapes = input.shapes.each_ref().map(|pieces| shape(pieces, unit));
    let [a, b] = input.ways.each_ref().map(|way| path(way, unit));
    let tolerance = f64::from(input.tolerance) * 2_f64.powi(-14);
    Some(Query::new(shapes, [a?, b?], f64::from(input.margin) * unit / 8.0, tolerance, true).on_grid())
}

fn scaled(x: [i8; 3], unit: f64) -> Point {
    x.map(|x| f64::from(x) * unit)
}

fn shape(pieces: &Pieces, unit: f64) -> Shape {
    let mut shape = Shape::default();
    for piece in [Some(&pieces.first)].into_iter().chain(pieces.others.each_ref().map(Option::as_ref)).flatten() {
        let [a, b, c] = piece.points.map(|p| scaled(p, unit));
        shape = shape.with(match piece.radius {
            None => Shape { points: vec![a, b, c], triangles: vec![[0, 1, 2]], hulls: vec![] },
            Some((radius, kind)) => {
                let radius = f64::from(radius) * unit / 4.0;
                match kind % 3 {
                    0 => ball(a, radius),
                    1 => capsule(a, b, radius),
                    _ => cuboid(a, b.map(f64::abs), radius),
                }
            }
        });
    }
    shape
}

fn path(way: &Way, unit: f64) -> Option<Path> {
    let [from, to] = [0, 1].map(|i| {
        let q = way.rotations[i].map(f64::from);
        let length = q.iter().map(|x| x * x).sum::<f64>().sqrt();
        let position = scaled(way.positions[i], 2.0 * unit);
        (length > 0.0).then(|| Place { rotation: q.map(|x| x / length), position })
    });
    let (from, to, centre) = (from?, to?, scaled(way.centre, unit));
    let linear = [0, 1, 2].map(|i| to.position[i] - from.position[i]);
    Some(match way.kind % 4 {
        0 => Path::still(from),
        1 => Path::Between { from, to, centre },
        2 => Path::Screw { from, to },
        _ => Path::Velocities { from, centre, linear, angular: way.centre.map(|x| f64::from(x) / 16.0) },
    })
}
