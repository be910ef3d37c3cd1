//! One number over every bit of some hundred verdicts: debug and release, and every machine, must agree.
//!
//! A change of the search changes the number; the failure prints the new one. A number that differs between two builds
//! of the same sources is a bug.

use avert::{Fix32, Fix64, Memory, Scalar};
use avert_host_tests::queries::{Strategy, answer, bits, entries, held, plain_query};

const QUERIES: u64 = 300;
const HASH_F32: u64 = 0xaec2_857c_080c_7b54;
const HASH_F64: u64 = 0xe7ab_815c_a705_a15d;
const HASH_FIX32: u64 = 0x2f5c_84e5_fdaa_52cc;
const HASH_FIX64: u64 = 0xb187_f56a_e067_8b5d;

/// FNV-1a.
fn hash<S: Scalar>() -> u64 {
    let mut entries = entries::<S>(Memory::<S>::RECOMMENDED);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for index in 0..QUERIES {
        let query = held::<S>(plain_query(4, index));
        let answers = Strategy::ALL.map(|strategy| answer(strategy, &query, &mut entries));
        for byte in answers.into_iter().flat_map(|answer| {
            let (verdict, stats) = answer.expect("the query is taken");
            bits(&verdict, &stats).into_iter().flat_map(u64::to_le_bytes)
        }) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

fn check<S: Scalar>(name: &str, expected: u64) {
    let found = hash::<S>();
    assert!(found == expected, "{name}: the verdicts hash to {found:#018x}, not {expected:#018x}");
}

#[test]
fn verdicts_f32() {
    check::<f32>("HASH_F32", HASH_F32);
}

#[test]
fn verdicts_f64() {
    check::<f64>("HASH_F64", HASH_F64);
}

#[test]
fn verdicts_fix32() {
    check::<Fix32>("HASH_FIX32", HASH_FIX32);
}

#[test]
fn verdicts_fix64() {
    check::<Fix64>("HASH_FIX64", HASH_FIX64);
}
