//! One call of the kernel: preparing a direction, and asking whether it separates two pieces.

use avert::kernel::{Piece, PieceKind, Span};
use avert::{Model, Scalar, Vec3};
use avert_benches::{FREE, links, with_torus};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

/// The leftmost piece that is a primitive.
fn leaf<S: Scalar>(model: &Model<'_, S>) -> Piece {
    let mut piece = model.root();
    while let PieceKind::Node(i) = piece.kind() {
        [piece, _] = model.node(i).expect("a child").children;
    }
    piece
}

fn separation<S: Scalar>(c: &mut Criterion, scalar: &str) {
    with_torus::<S>(|model| {
        let scene = links(model, FREE);
        let span = Span::new(&scene, S::ZERO, S::HALF).expect("the times are in order");
        let direction = Vec3::new(S::ONE, S::HALF, S::HALF);
        let mut group = c.benchmark_group("separation");
        group.bench_function(format!("probe/{scalar}"), |b| b.iter(|| span.probe(black_box(direction))));
        let probe = span.probe(direction).expect("the direction is not zero");
        for (kind, piece) in [("nodes", model.root()), ("triangles", leaf(model))] {
            group.bench_function(format!("{kind}/{scalar}"), |b| {
                b.iter(|| scene.pair(black_box([piece, piece])).map(|pair| probe.separates(&pair)))
            });
        }
        group.finish();
    });
}

fn both(c: &mut Criterion) {
    separation::<f32>(c, "f32");
    separation::<f64>(c, "f64");
}

criterion_group!(benches, both);
criterion_main!(benches);
