//! The queries: free, touching and starved ones, through every strategy.

use crate::body::{Parts, Storage};
use crate::dice::{Dice, METRE, metres};
use crate::fold::Tally;
use avert::motion::MotionError;
use avert::{
    Body, Budget, C2a, Ca, Check, Chord, Control, Entry, Hca, Limits, Memory, Nearest, RigidMotion, Scalar, Scene,
    Vec3, Velocities,
};

/// Pairs of bodies, and motions for each pair.
const PAIRS: u64 = 100;
const MOTIONS: u64 = 50;
/// Queries a scalar. Each is one check by the chord rule; every fourth one is put to another strategy, too.
pub const QUERIES: u64 = PAIRS * MOTIONS;

/// Enough for most.
const ENTRIES: usize = 64;
const BUDGET: Budget = Budget::units(10_000);

/// Runs all queries.
pub(crate) fn run<S: Scalar>() -> Tally {
    run_pairs::<S>(PAIRS)
}

/// Runs the queries of the first pairs.
pub fn run_pairs<S: Scalar>(count: u64) -> Tally {
    let mut tally = Tally::EMPTY;
    (0..count).for_each(|seed| pair::<S>(seed, MOTIONS, &mut tally));
    tally
}

/// Runs the first queries of the first pair.
pub fn run_few<S: Scalar>(motions: u64) -> Tally {
    let mut tally = Tally::EMPTY;
    pair::<S>(0, motions, &mut tally);
    tally
}

/// Never inlined: the stack of a small machine holds the memory of one scalar at a time.
#[inline(never)]
fn pair<S: Scalar>(seed: u64, motions_each: u64, tally: &mut Tally) {
    let mut dice = Dice::new(seed);
    let parts = [Parts::<S>::simple(&mut dice), Parts::complex(&mut dice)];
    let mut storage = [Storage::EMPTY, Storage::EMPTY];
    let [storage_a, storage_b] = &mut storage;
    let a = parts[0].model(storage_a);
    let b = parts[1].model(storage_b);
    let mut entries = [const { Entry::VACANT }; ENTRIES];
    for index in 0..motions_each {
        let [motion_a, motion_b] = loop {
            match motions(&mut dice) {
                Ok(motions) => break motions,
                Err(_) => tally.refused(),
            }
        };
        let margin = [0, METRE / 64, METRE / 16][dice.below(3) as usize];
        let tolerance = if dice.below(16) == 0 { 0 } else { METRE >> (4 + dice.below(7)) };
        let limits = Limits { margin: metres(margin as i32), tolerance: metres(tolerance as i32) };
        let bodies = [Body { model: &a, motion: motion_a }, Body { model: &b, motion: motion_b }];
        let scene = Scene::new(bodies[0], bodies[1], limits).expect("good limits");
        tally.word(scene.revision());
        query(index, &scene, &mut dice, &mut entries, tally);
    }
}

/// How the two bodies move: the first from one place to another, or with some velocity; the second so, or not at all.
fn motions<S: Scalar>(dice: &mut Dice) -> Result<[RigidMotion<S>; 2], MotionError> {
    let first = if dice.below(2) == 0 { between(dice, 2 * METRE) } else { drifting(dice, 2 * METRE) };
    let second = match dice.below(4) {
        0 => between(dice, METRE / 2),
        1 => drifting(dice, METRE / 2),
        _ => RigidMotion::still(dice.pose(METRE / 2)),
    };
    Ok([first?, second?])
}

fn between<S: Scalar>(dice: &mut Dice, limit: u32) -> Result<RigidMotion<S>, MotionError> {
    RigidMotion::between(dice.pose(limit), dice.pose(limit), dice.vector(METRE))
}

fn drifting<S: Scalar>(dice: &mut Dice, limit: u32) -> Result<RigidMotion<S>, MotionError> {
    let velocities = Velocities { linear: dice.vector(limit), angular: dice.vector(3 * METRE) };
    let centre = if dice.below(2) == 0 { Vec3::ZERO } else { dice.vector(METRE) };
    RigidMotion::with_velocities(dice.pose(limit), centre, velocities)
}

/// One check by the chord rule, and every fourth time one by another strategy.
fn query<S: Scalar>(index: u64, scene: &Scene<'_, S>, dice: &mut Dice, entries: &mut [Entry<S>], tally: &mut Tally) {
    // Some have too little memory, some have to stop and go on.
    let room = if dice.below(8) == 0 { 1 + dice.below(8) as usize } else { ENTRIES };
    let (steps, budget) = if dice.below(8) == 0 { (2, Budget::units(dice.below(400).into())) } else { (1, BUDGET) };
    let memory = &mut Memory::new(&mut entries[..room]);
    let mut put = |check: &mut dyn Check<S>| {
        (0..steps).for_each(|_| tally.verdict(check.step(scene, budget)));
        tally.stats(check.stats());
    };
    put(&mut Chord::new(scene, memory));
    match index % 16 {
        1 => put(&mut Ca::new(scene, memory)),
        5 => put(&mut C2a::new(scene, memory, Control::new(scene.limits().tolerance))),
        9 => put(&mut Hca::new(scene, memory)),
        13 => tally.distance(Nearest::START.find(scene, memory, BUDGET)),
        _ => {}
    }
}
