//! Whole queries beside the sampling oracle: no false `Free`, no late `free_until`, no `Contact` that is none.

use avert::Scalar;
use avert_host_tests::queries::{Report, degenerate_queries, hull_queries, random_queries};
use avert_host_tests::{cases, report};

type Suite = fn(u64, u64) -> Result<Report, String>;

fn run(name: &str, suite: Suite, cases: u64, seed: u64) -> Report {
    let found = suite(cases, seed).unwrap_or_else(|violation| panic!("{name}: {violation}"));
    report(&format!("{name}: {found}"));
    found
}

/// Both verdicts must come up often, and the library must nearly always make up its mind.
fn balanced(found: &Report) {
    let all = found.queries();
    assert!(found.free * 5 > all && found.contact * 5 > all, "one-sided: {found}");
    assert!(found.undecided * 200 <= all, "too often undecided: {found}");
}

fn random<S: Scalar>(name: &str) {
    balanced(&run(&format!("random meshes, {name}"), random_queries::<S>, cases(400, 24_000), 1));
}

fn hulls<S: Scalar>(name: &str) {
    balanced(&run(&format!("random hulls, {name}"), hull_queries::<S>, cases(400, 12_000), 2));
}

#[test]
fn random_meshes_f32() {
    random::<f32>("f32");
}

#[test]
fn random_meshes_f64() {
    random::<f64>("f64");
}

#[test]
fn random_hulls_f32() {
    hulls::<f32>("f32");
}

#[test]
fn random_hulls_f64() {
    hulls::<f64>("f64");
}

#[test]
fn degenerate_f32() {
    run("degenerate, f32", degenerate_queries::<f32>, u64::MAX, 0);
}

#[test]
fn degenerate_f64() {
    run("degenerate, f64", degenerate_queries::<f64>, u64::MAX, 0);
}
