//! Whole queries between two links of a chain, of 5,000 triangles each, free and colliding.

use avert::{Budget, Check, Chord, Entry, Memory, Scalar, Verdict};
use avert_benches::{COLLIDING, FREE, links, with_torus};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn ccd<S: Scalar>(c: &mut Criterion, scalar: &str) {
    with_torus::<S>(|model| {
        let mut entries: Vec<_> = (0..Memory::<S>::RECOMMENDED).map(|_| Entry::VACANT).collect();
        let mut memory = Memory::new(&mut entries);
        let mut group = c.benchmark_group("ccd");
        for (kind, to) in [("free", FREE), ("colliding", COLLIDING)] {
            let scene = links(model, to);
            let mut query = || Chord::new(&scene, &mut memory).step(black_box(&scene), Budget::UNLIMITED);
            // A bench of the wrong answer would measure nothing.
            let verdict = query();
            assert!(
                match verdict {
                    Verdict::Free(_) => to < COLLIDING,
                    Verdict::Contact { .. } => to > FREE,
                    Verdict::Undecided { .. } => false,
                },
                "{kind}, {scalar}: {verdict:?}"
            );
            group.bench_function(format!("{kind}/{scalar}"), |b| b.iter(&mut query));
        }
        group.finish();
    });
}

fn both(c: &mut Criterion) {
    ccd::<f32>(c, "f32");
    ccd::<f64>(c, "f64");
}

criterion_group!(benches, both);
criterion_main!(benches);
