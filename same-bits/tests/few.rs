//! A few queries, through every strategy: for an interpreter that looks at every access.

use avert::{Fix32, Fix64, Scalar};
use avert_same_bits::run_few;

fn answered<S: Scalar>() {
    // The fourteenth is the first that is put to the last of the strategies.
    let tally = run_few::<S>(14);
    assert!(tally.free > 0 && tally.contact > 0, "{tally:?}");
}

#[test]
fn f32() {
    answered::<f32>();
}

#[test]
fn f64() {
    answered::<f64>();
}

#[test]
fn fix32() {
    answered::<Fix32>();
}

#[test]
fn fix64() {
    answered::<Fix64>();
}
