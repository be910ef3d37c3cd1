//! The shared bunny and torus knot, with their ground truth.

use avert::{Body, Budget, Limits, Memory, Model, RigidMotion, Scalar, Scene, Verdict};
use avert_host_tests::queries::{Parts, Strategy, entries, motion};
use avert_host_tests::rigid::Truth;
use avert_host_tests::sampling::Pair;
use avert_host_tests::scenes::{Path, Place, Query};
use avert_host_tests::shared::RigidSet;
use avert_host_tests::{report, shared, skip};
use rayon::prelude::*;

const TOLERANCE: f64 = 0.001;

/// By every strategy.
fn check<S: Scalar>(name: &str, scalar: &str) {
    let what = format!("shared {name}, {scalar}");
    let Some(folder) = shared() else {
        return skip(&what, "the shared folder is absent (AVERT_SHARED, or beside the project)");
    };
    let set = RigidSet::load(&folder, name);
    let mut parts = Parts::<S>::new(&set.shape);
    let model = parts.model().expect("the model is built");
    for strategy in Strategy::ALL {
        check_by(strategy, &format!("{what}, {}", strategy.name()), &set, &model);
    }
}

fn check_by<S: Scalar>(strategy: Strategy, what: &str, set: &RigidSet, model: &Model<'_, S>) {
    let RigidSet { shape, paths, truths } = set;
    let limits = Limits { margin: S::ZERO, tolerance: S::from_f64_lo(TOLERANCE) };
    let still = RigidMotion::still(avert::Pose::IDENTITY).expect("standing still is a motion");
    let answer = |entries: &mut Vec<_>, path: &Path| {
        let motion = motion(path, false).expect("the motion is taken");
        let scene = Scene::new(Body { model, motion }, Body { model, motion: still }, limits);
        let scene = scene.expect("the scene is taken");
        let mut memory = Memory::new(entries);
        let mut check = strategy.start(&scene, &mut memory);
        (check.step(&scene, Budget::UNLIMITED), check.stats())
    };
    let answers: Vec<_> = paths.par_iter().map_init(|| entries::<S>(Memory::<S>::RECOMMENDED), answer).collect();

    let (mut wrong, mut undecided) = (vec![], vec![]);
    let (mut gaps, mut free_work, mut contact_work, mut most_open) = (vec![], vec![], vec![], 0);
    for (id, (((verdict, stats), path), truth)) in answers.iter().zip(paths).zip(truths).enumerate() {
        most_open = most_open.max(stats.most_open);
        let mut complain = |why: &str| wrong.push(format!("id {id}: {why}: {verdict:?}, {truth:?}"));
        match verdict {
            Verdict::Free(_) => {
                free_work.push(stats.work);
                if let Truth::Contact { .. } = truth {
                    complain("false Free");
                }
            }
            Verdict::Contact { free_until, touch, witness } => {
                contact_work.push(stats.work);
                let (from, at) = (free_until.to_f64(), touch.to_f64());
                if !(0.0 <= from && from <= at && at <= 1.0) {
                    complain("the times are out of order");
                }
                // The margin is 0.
                let claimed = witness.distance_hi.to_f64();
                if claimed.is_nan() || claimed > TOLERANCE {
                    complain("the witness is further apart than the tolerance");
                }
                match *truth {
                    Truth::Contact { lo, hi } => {
                        gaps.push(lo - from);
                        // The truth is printed with 12 digits.
                        if from > hi + 1e-11 {
                            complain("late free_until");
                        }
                    }
                    Truth::Free { least } if least > TOLERANCE + 1e-6 => complain("Contact above the tolerance"),
                    Truth::Free { .. } => {}
                }
                // The named triangles alone, in the oracle's numbers.
                let [a, b] = witness.primitives.map(|id| shape.only(id));
                let still = Path::still(Place::IDENTITY);
                let named = Query::new([a, b], [*path, still], 0.0, TOLERANCE, false);
                let distance = Pair::new(&named).distance(touch.to_f64());
                if distance > witness.distance_hi.to_f64() + 1e-11 {
                    complain(&format!("the witness is {distance} apart"));
                }
            }
            Verdict::Undecided { .. } => undecided.push(format!("id {id}: {verdict:?}, {truth:?}")),
        }
    }
    // A micrometre of resolution is not always enough: for one in a hundred; and for one in ten by the published strategies,
    // whose steps end sooner.
    let most = match (S::FLOATING || size_of::<S>() == 8, strategy) {
        (true, _) => 0,
        (false, Strategy::Chord) => answers.len() / 100,
        (false, Strategy::Ca | Strategy::C2a | Strategy::Hca) => answers.len() / 10,
    };
    assert!(undecided.len() <= most, "{what}: {} undecided\n{}", undecided.len(), undecided.join("\n"));
    assert!(wrong.is_empty(), "{what}: {} wrong\n{}", wrong.len(), wrong.join("\n"));
    let tests = answers.iter().map(|(_, stats)| stats.node_pairs).sum::<u64>() / answers.len() as u64;
    let mean_gap = gaps.iter().sum::<f64>() / gaps.len() as f64;
    let stats = |mut work: Vec<u64>| {
        work.sort_unstable();
        format!("median {} mean {}", work[work.len() / 2], work.iter().sum::<u64>() / work.len() as u64)
    };
    report(&format!(
        "{what}: 0 false Free, 0 late, {} Undecided; {} free, {} contact; mean gap to the true contact {mean_gap:.1e}; \
         work free {}, contact {}; mean node tests {tests}; most open obligations {most_open}",
        undecided.len(),
        free_work.len(),
        contact_work.len(),
        stats(free_work),
        stats(contact_work),
    ));
    assert!(mean_gap < 0.001, "{what}: the mean gap is {mean_gap}");
    // What the authors' own C²A needs for the bunny; one that needs more would be no measure for anything.
    assert!(strategy != Strategy::C2a || tests <= 51_000, "{what}: {tests} node tests");
}

fn bunny<S: Scalar>(scalar: &str) {
    check::<S>("bunny", scalar);
}

fn torusknot<S: Scalar>(scalar: &str) {
    check::<S>("torusknot", scalar);
}

avert_host_tests::in_all_scalars! { bunny, torusknot }
