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

use avert::kernel::{Seat, StageMemory};
use avert::motion::{Joint, JointKind, JointPath, JointSweep, Link, LinkIndex, Placement, PlacementError};
use avert::robot::{BodyIndex, Margins, Part, Plan, Reason, Scope, Storage, Workcell};
use avert::{
    Body, Budget, C2a, Ca, Check, Chord, Control, Entry, Fix32, Fix64, Geometry, Hca, Hull, Interval, Limits, Memory,
    Model, Nearest, NodeBytes, Pose, RigidMotion, Scalar, Scene, Stats, Vec3, Velocities, Verdict,
};
use avert::{PathCheck, PathMemory, PathVerdict};
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
    black_box(path(&a, &b));
    Some(stats)
}

/// The whole way of an arm, from joints to a verdict and the questions that an executor asks.
#[inline(never)]
fn path<'a, S: Scalar>(a: &Model<'a, S>, b: &Model<'a, S>) -> Option<Stats> {
    let pose = || black_box(Pose::<S>::IDENTITY);
    let axis = Vec3::new(Interval::ONE, Interval::ZERO, Interval::ZERO);
    let joint = Joint { kind: JointKind::Revolute, parent: None, origin: pose().into(), axis, mimic: None };
    let slides = Joint { kind: JointKind::Prismatic, parent: Some(LinkIndex(0)), ..joint };
    let joints = [joint, slides, Joint { kind: JointKind::Fixed, ..slides }];
    let (mut links, mut parts) = ([Link::VACANT; 4], [Part::VACANT; 4]);
    let (mut allowed, mut objects, mut overrides) = ([None; 6], [None; 2], [None; 1]);
    let storage = Storage {
        links: black_box(&mut links[..]),
        parts: black_box(&mut parts[..]),
        allowed: black_box(&mut allowed[..]),
        objects: black_box(&mut objects[..]),
        overrides: black_box(&mut overrides[..]),
    };
    let margins = black_box(Margins::all(S::ZERO));
    let mut cell = Workcell::new(pose().into(), black_box(&joints[..]), margins, storage).ok()?;
    let (link, other) = (black_box(LinkIndex(1)), black_box(LinkIndex(2)));
    cell.set_model(link, Some(*a)).ok()?;
    cell.set_limits(link, black_box(Some([S::ZERO, S::ONE]))).ok()?;
    cell.set_allowed(link, other, black_box(Some(Reason::User))).ok()?;
    let object = cell.add_object(*b, pose().into()).ok()?;
    cell.set_margin([BodyIndex::Link(link), BodyIndex::Object(object)], black_box(Some(S::ONE))).ok()?;
    cell.move_object(object, RigidMotion::between(pose(), pose(), Vec3::ZERO).ok()?).ok()?;
    cell.switch_object(object, black_box(true)).ok()?;
    let payload = cell.attach(link, *b, pose().into(), black_box(&[other][..])).ok()?;
    let (two, one) = (black_box([S::ONE; 2]), black_box(S::ONE));
    let line = JointPath::line(two).ok()?;
    let paths = [line, JointPath::cubic(two, two, one).ok()?, JointPath::quintic(two, two, two, one).ok()?];
    let (clock, tracking) = ([S::ONE], [S::ZERO; 3]);
    let plan = Plan::new(&cell, black_box(&paths[..]), black_box(S::ZERO)).ok()?;
    let plan = plan.with_clock(black_box(&clock[..])).ok()?.with_tracking(black_box(&tracking[..])).ok()?;
    let plan = plan.with_scope(black_box(Scope::Moving)).with_anchor(black_box(1));
    let mut entries = [const { Entry::VACANT }; 16];
    let (mut placements, mut sweeps) = ([Placement::default(); 16], [JointSweep::UNKNOWN; 4]);
    let (mut seats, mut errors) = ([Seat::VACANT; 4], [PlacementError::UNKNOWN; 4]);
    let mut directions = [Vec3::ZERO; 24];
    let stage = StageMemory {
        placements: black_box(&mut placements[..]),
        sweeps: black_box(&mut sweeps[..]),
        seats: black_box(&mut seats[..]),
        errors: black_box(&mut errors[..]),
    };
    let entries = black_box(&mut entries[..]);
    let mut memory = PathMemory::new(black_box(4), entries, stage, black_box(&mut directions[..]))?;
    let mut check = PathCheck::new(&cell, &plan, &mut memory)?;
    for _ in 0..black_box(2) {
        let verdict = check.step(&cell, &plan, black_box(Budget::units(100)));
        let cleared = *verdict.cleared();
        let at = cleared.brake_by(black_box(S::HALF));
        black_box((cleared.is_stale(&cell), cleared.keeps(&cell, at, black_box(&two[..]))));
        black_box(match verdict {
            PathVerdict::Contact { touch, bodies, witness, .. } => Some((touch, bodies, witness)),
            PathVerdict::Free(_) | PathVerdict::Undecided { .. } => None,
        });
    }
    let stats = check.stats();
    cell.detach(payload).ok()?;
    cell.place_object(object, pose().into()).ok()?;
    cell.remove_object(object).ok()?;
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
