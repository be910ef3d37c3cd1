//! Links only if no panic is reachable from the query path, for every scalar.
//!
//! The panic handler calls a function that nobody defines. If the optimiser cannot show that a bounds check, a division
//! or a slice range never fails, the handler stays, and the linker ends with
//! `undefined symbol: avert_panic_is_reachable`. All inputs and all lengths go through [`black_box`], so nothing is known
//! about them. There is no allocator either, so a core that needs one does not link. The image is never run.
//!
//! `--features panics` adds a panic that can be reached: that image must not link.

#![no_std]
#![no_main]
#![allow(unsafe_code, reason = "an undefined symbol and an entry point cannot be written without it")]

use avert::{
    Body, Budget, C2a, Ca, Check, Chord, Control, Entry, Fix32, Fix64, Geometry, Hca, Hull, Interval, Limits, Memory,
    Model, Nearest, NodeBytes, Pose, RigidMotion, Scalar, Scene, Stats, Vec3, Velocities, Verdict,
};
use core::hint::black_box;

unsafe extern "C" {
    fn avert_panic_is_reachable() -> !;
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: never executed; the symbol does not exist, so an image in which this is reachable does not link.
    unsafe { avert_panic_is_reachable() }
}

/// The linker's default entry.
// SAFETY: the name is the linker's and nothing else defines it.
#[unsafe(no_mangle)]
extern "C" fn _start() -> ! {
    black_box((query::<f32>(), query::<f64>()));
    black_box((query::<Fix32>(), query::<Fix64>()));
    #[cfg(feature = "panics")]
    black_box(black_box(&[0_u8; 4][..])[black_box(4)]);
    loop {
        core::hint::spin_loop();
    }
}

/// The whole way from points to a verdict, with numbers and lengths that the optimiser knows nothing about.
#[inline(never)]
fn query<S: Scalar>() -> Option<Stats> {
    let vector = || black_box(Vec3::<S>::ZERO);
    let pose = || black_box(Pose::<S>::IDENTITY);

    let points = [Vec3::<S>::ZERO; 8];
    let hulls = [Hull { first: 0, count: 8, radius: S::ZERO }];
    let geometry = Geometry::new(
        black_box(&points[..]),
        black_box(&[[0_u32; 3]; 8][..]),
        black_box(&hulls[..]),
        black_box(S::ZERO),
    )
    .ok()?;
    let mut nodes = [[[0; 30]; 8]; 2];
    let mut scratch = [0; 9];
    let [nodes_a, nodes_b] = &mut nodes;
    let mut parts = [0; 8];
    let parts = avert::hierarchy::parts(&geometry, black_box(&mut parts[..]), black_box(&mut scratch[..])).ok()?;
    let a = build(geometry, nodes_a, &mut scratch)?;
    let a = a.with_parts(black_box(parts), black_box(&mut scratch[..])).ok()?;
    let a = if black_box(true) { a.into_solid().ok()? } else { a };
    let b = build(geometry, nodes_b, &mut scratch)?;

    let mut entries = [const { Entry::VACANT }; 16];
    let mut memory = Memory::new(black_box(&mut entries[..]));
    let motions = [
        RigidMotion::still(pose()).ok()?,
        RigidMotion::between(pose(), pose(), vector()).ok()?,
        RigidMotion::screw(pose(), pose()).ok()?,
        RigidMotion::with_velocities(pose(), vector(), Velocities { linear: vector(), angular: vector() }).ok()?,
    ];
    let mut stats = Stats::default();
    for motion in motions {
        let limits = black_box(Limits { margin: S::ZERO, tolerance: S::ZERO });
        let scene = Scene::new(
            Body { model: &a, motion },
            Body { model: &b, motion: RigidMotion::still(pose()).ok()? },
            limits,
        )
        .ok()?;
        stats = black_box(run(&scene, Chord::new(&scene, &mut memory)));
        let guess = black_box([0, 0]);
        black_box(run(&scene, Ca::new(&scene, &mut memory).with_guess(&scene, guess)));
        let control = black_box(Control::new(scene.limits().tolerance));
        black_box(run(&scene, C2a::new(&scene, &mut memory, control).with_guess(&scene, guess)));
        black_box(run(&scene, Hca::new(&scene, &mut memory)));
        let nearest = Nearest { time: black_box(S::ZERO), slack: black_box(S::ZERO), guess: Some(guess) };
        black_box(nearest.find(&scene, &mut memory, black_box(Budget::units(100))).ok());
    }
    black_box(intervals::<S>());
    Some(stats)
}

fn run<S: Scalar>(scene: &Scene<'_, S>, mut check: impl Check<S>) -> Stats {
    for _ in 0..black_box(2) {
        read(check.step(scene, black_box(Budget::units(100))));
    }
    check.stats()
}

/// The interval functions, which are usable by themselves.
fn intervals<S: Scalar>() -> Interval<S> {
    let x = || black_box(Interval::<S>::ONE);
    let y = x().sin() + x().cos() - x().atan() * x().sqrt();
    (y / x().square()).max(x().abs()).min(-Interval::pi())
}

fn build<'a, S: Scalar>(
    geometry: Geometry<'a, S>,
    nodes: &'a mut [NodeBytes],
    scratch: &mut [u32],
) -> Option<Model<'a, S>> {
    avert::hierarchy::build(geometry, black_box(nodes), black_box(scratch)).ok()
}

fn read<S: Scalar>(verdict: Verdict<S>) {
    match verdict {
        Verdict::Free(proof) => {
            black_box(proof.revision());
        }
        Verdict::Contact { free_until, touch, witness } => {
            black_box((free_until, touch, witness.primitives, witness.points, witness.direction, witness.distance_hi));
        }
        Verdict::Undecided { free_until, why } => {
            black_box((free_until, why));
        }
    }
}
