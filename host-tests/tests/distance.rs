//! Distances at one time beside the sampling oracle: never above the truth, and a witness never below it.

use avert::{Budget, Memory, Nearest, Scalar, Why};
use avert_host_tests::queries::{entries, plain_query, solid_query, with_scene};
use avert_host_tests::sampling::{Pair, starts_inside};
use avert_host_tests::scenes::Dice;
use avert_host_tests::{cases, report};

/// The case with two slivers between which the search ended too early, in single precision.
const SLIVERS: u64 = 12_718;

fn encloses<S: Scalar>(name: &str, relative: f64) {
    let mut entries = entries::<S>(Memory::<S>::RECOMMENDED);
    let (mut apart, mut touching, mut width) = (0, 0, 0.0);
    let count = cases(600, 20_000);
    for index in (0..count).chain(Some(SLIVERS).filter(|index| *index >= count)) {
        let query = plain_query(9, index);
        let pair = Pair::new(&query);
        let mut dice = Dice::new(10, index);
        let time = S::from_f64_near(dice.between(0.0, 1.0));
        let slack = S::from_f64_near([0.0, 0.0, 0.1, 0.9][dice.side(4) as usize]);
        // Also guesses that are wrong, and such that do not exist.
        let guess = [None, Some([0, 0]), Some([usize::MAX, 7])][dice.side(3) as usize];
        let truth = pair.distance(time.to_f64()).max(0.0);
        let found = with_scene(&query, |scene| {
            let found = Nearest { time, slack, guess }.find(scene, &mut Memory::new(&mut entries), Budget::UNLIMITED);
            (found, scene.bounds().error_hi().to_f64())
        });
        let (found, error) = found.expect("the query is taken");
        let found = found.unwrap_or_else(|why| panic!("{name}, case {index}: {why}"));
        let (lo, hi) = (found.distance_lo.to_f64(), found.witness.distance_hi.to_f64());
        let describe = || format!("{name}, case {index} at {time:?}: [{lo}, {hi}], truth {truth}");
        assert!(lo <= truth + pair.error() && hi >= truth - pair.error(), "{}", describe());
        // The oracle is another library than ours, the numbers are the query's: a wide enclosure is a useless one.
        // The search stops where the cores' distance cannot be bettered by a ten thousandth.
        let little = 2.0 * error + relative * pair.scale() + 2e-4 * (truth + pair.radii(found.witness.primitives));
        assert!(lo >= truth * (1.0 - slack.to_f64()) - little, "loose: {}", describe());
        assert!(hi <= truth / (1.0 - slack.to_f64()) + little, "loose: {}", describe());
        let named = pair.primitive_distance(time.to_f64(), found.witness.primitives).max(0.0);
        assert!(named <= hi + pair.error(), "the named primitives are {named} apart: {}", describe());
        if truth > 0.0 {
            (apart, width) = (apart + 1, width + (hi - lo) / truth);
        } else {
            touching += 1;
        }
    }
    assert!(apart >= 100 && touching >= 50, "{apart} apart, {touching} touching");
    let mean = width / f64::from(apart);
    report(&format!(
        "distances, {name}: {apart} apart, {touching} touching, 0 violations, mean relative width {mean:.1e}"
    ));
}

#[test]
fn distances_enclose_the_truth_f32() {
    encloses::<f32>("f32", 1e-5);
}

#[test]
fn distances_enclose_the_truth_f64() {
    encloses::<f64>("f64", 1e-11);
}

fn solids_enclose<S: Scalar>(relative: f64) {
    let mut entries = entries::<S>(Memory::<S>::RECOMMENDED);
    let (mut inside, mut apart) = (0, 0);
    for index in 0..cases(300, 10_000) {
        let query = solid_query(11, index);
        let pair = Pair::new(&query);
        let within = starts_inside(&query);
        let surfaces = pair.distance(0.0);
        let truth = if within { 0.0 } else { surfaces.max(0.0) };
        let found = with_scene::<S, _>(&query, |scene| {
            let found = Nearest::START.find(scene, &mut Memory::new(&mut entries), Budget::UNLIMITED);
            (found, scene.bounds().error_hi().to_f64())
        });
        let (found, error) = found.expect("the query is taken");
        let found = found.unwrap_or_else(|why| panic!("case {index}: {why}"));
        let (lo, hi) = (found.distance_lo.to_f64(), found.witness.distance_hi.to_f64());
        // As above: both sides give way by what the places may be off, which can be more than the size of the numbers tells.
        let little = 2.0 * error + relative * pair.scale() + 2e-4 * (truth + pair.radii(found.witness.primitives));
        assert!(lo <= truth + pair.error() && hi >= truth - pair.error(), "{index}: [{lo}, {hi}], {truth}");
        // Surfaces that meet are the other test's subject.
        if surfaces > 0.0 {
            assert!(lo >= truth - little && hi <= truth + little, "loose, {index}: [{lo}, {hi}], {truth}");
            (inside, apart) = (inside + i32::from(within), apart + i32::from(!within));
        }
    }
    assert!(inside >= 20 && apart >= 100, "{inside} inside, {apart} apart");
}

#[test]
fn distances_of_solids_f32() {
    solids_enclose::<f32>(1e-5);
}

#[test]
fn distances_of_solids_f64() {
    solids_enclose::<f64>(1e-11);
}

/// Too little of anything is an error, and never a distance.
#[test]
fn what_lacks_is_said() {
    let query = plain_query(9, 0);
    let ask = |nearest: Nearest<f64>, count: usize, budget: Budget| {
        let mut entries = entries(count);
        with_scene(&query, |scene| nearest.find(scene, &mut Memory::new(&mut entries), budget))
            .expect("the query is taken")
    };
    assert!(ask(Nearest::START, 2048, Budget::UNLIMITED).is_ok());
    assert_eq!(ask(Nearest::START, 0, Budget::UNLIMITED), Err(Why::Stack));
    assert_eq!(ask(Nearest::START, 2, Budget::UNLIMITED), Err(Why::Stack));
    assert_eq!(ask(Nearest::START, 2048, Budget::units(100)), Err(Why::Budget));
    // Any part of the distance will do: a bound, and still a witness.
    assert!(ask(Nearest { slack: 1.0, ..Nearest::START }, 2048, Budget::UNLIMITED).is_ok());
    for time in [-0.1, 1.1, f64::NAN] {
        assert_eq!(ask(Nearest { time, ..Nearest::START }, 2048, Budget::UNLIMITED), Err(Why::Precision));
    }
}
