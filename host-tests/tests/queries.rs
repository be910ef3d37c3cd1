//! Whole queries beside the sampling oracle: no false `Free`, no late `free_until`, no `Contact` that is none.

use avert::motion::MotionError;
use avert::{Memory, Scalar, Vec3, Verdict, Why, Witness};
use avert_host_tests::queries::{
    Report, Strategy, adversarial_queries, answer, degenerate_queries, differential_queries, entries, hull_queries,
    judge, motion, plain_query, random_queries, screw_queries, solid_queries, starved_queries,
};
use avert_host_tests::sampling::Pair;
use avert_host_tests::scenes::{Path, Place, turn};
use avert_host_tests::{cases, report};

type Suite = fn(Strategy, u64, u64) -> Result<Report, String>;

/// Runs a suite by every strategy: the default one on all cases, the others on a quarter of them.
fn run(name: &str, suite: Suite, cases: u64, seed: u64, check: fn(&Report)) {
    for strategy in Strategy::ALL {
        let cases = if strategy == Strategy::Chord { cases } else { cases / 4 };
        let name = format!("{name}, {}", strategy.name());
        let found = suite(strategy, cases, seed).unwrap_or_else(|violation| panic!("{name}: {violation}"));
        report(&format!("{name}: {found}"));
        check(&found);
    }
}

/// Both verdicts must come up often, and the library must nearly always make up its mind.
fn balanced(found: &Report) {
    decided(found, 200);
}

/// Both verdicts must come up often, and not more than one in so many may be missing.
fn decided(found: &Report, one_in: u64) {
    let all = found.queries();
    assert!(found.free * 5 > all && found.contact * 5 > all, "one-sided: {found}");
    assert!(found.undecided * one_in <= all, "too often undecided: {found}");
}

/// The least of the random bodies are 3 cm across, and their tolerance is 30 times what `Fix32` can tell apart. The published
/// strategies, whose steps end sooner, are undecided more often than the default.
fn coarse(found: &Report) {
    let all = found.queries();
    assert!(found.free * 5 > all && found.contact * 5 > all, "one-sided: {found}");
    assert!(found.undecided * 4 <= all, "too often undecided: {found}");
}

fn mostly_decided<S: Scalar>() -> fn(&Report) {
    if S::FLOATING || size_of::<S>() == 8 { balanced } else { coarse }
}

fn random<S: Scalar>(name: &str) {
    run(&format!("random meshes, {name}"), random_queries::<S>, cases(400, 20_000), 1, mostly_decided::<S>());
}

fn hulls<S: Scalar>(name: &str) {
    run(&format!("random hulls, {name}"), hull_queries::<S>, cases(400, 20_000), 2, mostly_decided::<S>());
}

fn degenerate<S: Scalar>(name: &str) {
    run(&format!("degenerate, {name}"), degenerate_queries::<S>, u64::MAX, 0, |_| {});
}

/// One in eight turns by less than 0.3 radians on a long way, which single precision cannot always place within the
/// tolerance.
fn screws<S: Scalar>(name: &str) {
    let judge: fn(&Report) = if size_of::<S>() == 8 {
        balanced
    } else if S::FLOATING {
        |found| decided(found, 25)
    } else {
        // `Fix32` places a screw that hardly turns to within centimetres only; 27 of 100 were undecided by CA.
        |found| decided(found, 3)
    };
    run(&format!("random screws, {name}"), screw_queries::<S>, cases(400, 20_000), 9, judge);
}

fn solids<S: Scalar>(name: &str) {
    run(&format!("random solids, {name}"), solid_queries::<S>, cases(400, 20_000), 4, |found| {
        let all = found.queries();
        assert!(found.free * 5 > all && found.contact * 5 > all, "one-sided: {found}");
        // In `f32`, conservative advancement creeps to a halt in one of the first hundred. The start is never in doubt.
        assert!(found.undecided * 50 <= all, "too often undecided: {found}");
    });
}

fn half_a_turn_is_refused<S: Scalar>(_: &str) {
    let from = Place { rotation: [0.5, 0.5, 0.5, 0.5], position: [1.0, 2.0, 3.0] };
    // (0, 1, 0, 0) · (½, ½, ½, ½): half a turn further about x.
    for to in [[-0.5, 0.5, -0.5, 0.5], [0.5, -0.5, 0.5, -0.5]] {
        let to = Place { rotation: to, position: [0.0; 3] };
        for path in [Path::Between { from, to, centre: [0.0; 3] }, Path::Screw { from, to }] {
            for exact in [false, true] {
                assert!(matches!(motion::<S>(&path, exact), Err(MotionError::HalfTurn)));
            }
        }
    }
    // A little less is taken, whichever of its two quaternions a rotation is given by.
    for sign in [1.0, -1.0] {
        let to = Place { rotation: turn([1.0, 0.0, 0.0], 3.13).map(|x| sign * x), position: [0.0; 3] };
        let from = Place::IDENTITY;
        for path in [Path::Between { from, to, centre: [0.0; 3] }, Path::Screw { from, to }] {
            let angle = motion::<S>(&path, false).expect("a little less than half a turn").angle_hi().to_f64();
            assert!((3.1299..3.1301).contains(&angle), "{angle}");
        }
    }
}

/// The judge must see through false verdicts, or its silence means nothing.
#[test]
fn false_verdicts_are_noticed() {
    let mut entries = entries::<f64>(Memory::<f64>::RECOMMENDED);
    let (mut late, mut early, mut turned) = (0, 0, 0);
    for index in 0..60 {
        let query = plain_query(3, index);
        let pair = Pair::new(&query);
        let (verdict, _) = answer(Strategy::Chord, &query, &mut entries).expect("the query is taken");
        judge(&pair, &query, &verdict).expect("the true verdict is true");
        let Verdict::Contact { free_until, touch, witness } = verdict else { continue };
        let Some(first) = pair.sample(140).first else { continue };
        let claim = |free_until: f64, touch: f64, witness| {
            judge(&pair, &query, &Verdict::Contact { free_until, touch, witness })
        };
        // A proof that reaches past the contact, be it ever so little.
        let past = first + 1e-6;
        assert!(claim(past, past, witness).is_err() && first >= free_until, "case {index}");
        assert!(judge(&pair, &query, &Verdict::Undecided { free_until: past, why: Why::Budget }).is_err());
        late += 1;
        // A touch long before it, and a witness that claims too much.
        if pair.distance(0.5 * touch) > query.margin + 2.0 * query.tolerance {
            assert!(claim(0.0, 0.5 * touch, witness).is_err(), "case {index}");
            early += 1;
        }
        let wide = Witness { distance_hi: query.margin + 1.1 * query.tolerance, ..witness };
        assert!(claim(free_until, touch, wide).is_err(), "case {index}");
        // Points that are elsewhere, and a direction that is not theirs.
        let [p, q] = witness.points;
        let aside = Vec3::new(pair.scale(), 0.0, 0.0);
        for points in [[p + aside, q], [p, q - aside], [p + aside, q + aside]] {
            assert!(claim(free_until, touch, Witness { points, ..witness }).is_err(), "case {index}");
        }
        if (q - p).norm_max() > 1e-4 * pair.scale() {
            let back = Witness { direction: -witness.direction, ..witness };
            assert!(claim(free_until, touch, back).is_err(), "case {index}");
            turned += 1;
        }
    }
    assert!(late >= 15 && early >= 15 && turned >= 5, "only {late}, {early} and {turned} forgeries");
}

fn adversarial<S: Scalar>(name: &str) {
    run(&format!("adversarial, {name}"), adversarial_queries::<S>, cases(400, 20_000), 7, |_| {});
}

fn starved<S: Scalar>(name: &str) {
    run(&format!("starved, {name}"), starved_queries::<S>, cases(400, 20_000), 8, |_| {});
}

/// What the scalars and strategies prove holds together, without an oracle.
#[test]
fn no_two_verdicts_are_at_odds() {
    let found = differential_queries(cases(300, 20_000), 12).unwrap_or_else(|violation| panic!("{violation}"));
    let (verdicts, free, distances) = (found.verdicts, found.free, found.distances);
    report(&format!(
        "differential: {verdicts} verdicts, {free} of them free, and {distances} bounds of distances, none at odds"
    ));
    assert!(free * 5 > verdicts && (verdicts - free) * 5 > verdicts, "one-sided: {found:?}");
}

avert_host_tests::in_all_scalars! { random, hulls, screws, solids, degenerate, half_a_turn_is_refused, adversarial, starved }
