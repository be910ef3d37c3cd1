//! Work in pieces, in little memory, and with scenes that change.

use avert::{Budget, Memory, Scalar, Verdict, Why};
use avert_host_tests::queries::{
    Strategy, answer, bits, entries, free_until, judge, plain_query, solid_query, with_scene,
};
use avert_host_tests::sampling::Pair;
use avert_host_tests::scenes::Query;

const SEED: u64 = 6;

fn queries() -> impl Iterator<Item = Query> {
    (0..24).map(|index| plain_query(SEED, index)).chain((0..8).map(|index| solid_query(SEED, index)))
}

/// All queries, by every strategy.
fn each() -> impl Iterator<Item = ((usize, Query), Strategy)> {
    queries().enumerate().flat_map(|query| Strategy::ALL.map(|strategy| (query.clone(), strategy)))
}

fn small_steps_end_like_one_step<S: Scalar>() {
    let mut entries = entries::<S>(Memory::<S>::RECOMMENDED);
    for ((index, query), strategy) in each() {
        let (verdict, stats) = answer(strategy, &query, &mut entries).expect("the query is taken");
        let first = Pair::new(&query).sample(140).first.unwrap_or(f64::INFINITY);
        for units in [1, 7, 1000] {
            let (found, cost) = with_scene(&query, |scene| {
                let mut memory = Memory::new(&mut entries);
                let mut check = strategy.start(scene, &mut memory);
                let mut until = 0.0;
                loop {
                    let verdict = check.step(scene, Budget::units(units));
                    let now = free_until(&verdict);
                    assert!(
                        now >= until,
                        "{strategy:?}, case {index}, {units} units: the proof shrank from {until} to {now}"
                    );
                    until = now;
                    let Verdict::Undecided { why: Why::Budget, .. } = verdict else {
                        assert!(
                            check.step(scene, Budget::units(units)) == verdict,
                            "{strategy:?}, case {index}: the end moved"
                        );
                        return (verdict, check.stats());
                    };
                    assert!(
                        now <= first + 1e-11,
                        "{strategy:?}, case {index}: free until {now}, but contact at {first}"
                    );
                }
            })
            .expect("the query is taken");
            assert!(
                bits(&found, &cost) == bits(&verdict, &stats),
                "{strategy:?}, case {index}, {units} units: {found:?} {verdict:?}"
            );
        }
    }
}

#[test]
fn small_steps_end_like_one_step_f32() {
    small_steps_end_like_one_step::<f32>();
}

#[test]
fn small_steps_end_like_one_step_f64() {
    small_steps_end_like_one_step::<f64>();
}

fn a_changed_scene_ends_the_check<S: Scalar>() {
    let mut entries = entries::<S>(Memory::<S>::RECOMMENDED);
    let (mut under_way, mut ended) = (0, 0);
    for ((_, query), strategy) in each() {
        let wider = Query { margin: query.margin + 2.0 * query.tolerance, ..query.clone() };
        let moved =
            Query { paths: [query.paths[0].moved([query.tolerance, 0.0, 0.0]), query.paths[1]], ..query.clone() };
        let swapped = Query { shapes: [query.shapes[1].clone(), query.shapes[0].clone()], ..query.clone() };
        let solid = [query.solid[0], !query.solid[1]];
        let hollow = (query.solid[1]).then(|| Query { solid, ..query.clone() });
        let others = if query.solid[0] { vec![wider, moved] } else { vec![wider, moved, swapped] };
        for other in others.into_iter().chain(hollow) {
            let nested = with_scene::<S, _>(&query, |scene| {
                with_scene::<S, _>(&other, |other| {
                    let mut memory = Memory::new(&mut entries);
                    let mut check = strategy.start(scene, &mut memory);
                    // Under way or ended, what is known is about the first scene only.
                    match check.step(scene, Budget::units(500)) {
                        Verdict::Undecided { why: Why::Budget, .. } => under_way += 1,
                        Verdict::Undecided { .. } | Verdict::Free(_) | Verdict::Contact { .. } => ended += 1,
                    }
                    let after = check.step(other, Budget::UNLIMITED);
                    assert!(matches!(after, Verdict::Undecided { why: Why::SceneChanged, .. }), "{after:?}");
                    assert!(free_until(&after) == 0.0, "nothing is known about the other scene: {after:?}");
                    assert!(
                        check.step(scene, Budget::UNLIMITED) == after && check.step(other, Budget::UNLIMITED) == after
                    );
                })
            });
            nested.and_then(|inner| inner).expect("the queries are taken");
        }
    }
    assert!(under_way >= 100 && ended >= 10, "{under_way} checks were under way, {ended} had ended");
}

#[test]
fn a_changed_scene_ends_the_check_f32() {
    a_changed_scene_ends_the_check::<f32>();
}

#[test]
fn a_changed_scene_ends_the_check_f64() {
    a_changed_scene_ends_the_check::<f64>();
}

fn little_memory_is_never_wrong<S: Scalar>() {
    let (mut full, mut decided) = (0, 0);
    for count in [0, 1, 2, 3, 8, 32] {
        let mut entries = entries::<S>(count);
        for ((index, query), strategy) in each() {
            let (verdict, _) = answer(strategy, &query, &mut entries).expect("the query is taken");
            judge(&Pair::new(&query), &query, &verdict)
                .unwrap_or_else(|e| panic!("{strategy:?}, case {index}, {count} entries: {e}"));
            match verdict {
                Verdict::Undecided { why, .. } => {
                    assert!(why == Why::Stack, "{strategy:?}, case {index}, {count} entries: {verdict:?}");
                    full += 1;
                }
                Verdict::Free(_) | Verdict::Contact { .. } => {
                    assert!(count > 0, "{strategy:?}, case {index}: {verdict:?} out of nothing");
                    decided += 1;
                }
            }
        }
    }
    assert!(full >= 160 && decided >= 40, "{full} full, {decided} decided");
}

#[test]
fn little_memory_is_never_wrong_f32() {
    little_memory_is_never_wrong::<f32>();
}

#[test]
fn little_memory_is_never_wrong_f64() {
    little_memory_is_never_wrong::<f64>();
}

/// What earlier checks left behind, finished or not, must not be seen by later ones.
fn used_memory_is_like_new<S: Scalar>() {
    let (mut used, mut fresh) = (entries::<S>(600), entries::<S>(600));
    let mut memory = Memory::new(&mut used);
    for ((index, query), strategy) in each() {
        let expected = answer(strategy, &query, &mut fresh).expect("the query is taken");
        let found = with_scene(&query, |scene| {
            // Given up half way.
            let _ = strategy.start(scene, &mut memory).step(scene, Budget::units(2000));
            let mut check = strategy.start(scene, &mut memory);
            (check.step(scene, Budget::UNLIMITED), check.stats())
        });
        let found = found.expect("the query is taken");
        assert!(
            bits(&found.0, &found.1) == bits(&expected.0, &expected.1),
            "{strategy:?}, case {index}: {found:?} {expected:?}"
        );
    }
}

#[test]
fn used_memory_is_like_new_f32() {
    used_memory_is_like_new::<f32>();
}

#[test]
fn used_memory_is_like_new_f64() {
    used_memory_is_like_new::<f64>();
}
