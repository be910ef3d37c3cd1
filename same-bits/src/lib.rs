//! Thousands of queries a scalar, and one number over every bit of their verdicts: debug and release, and every machine,
//! must agree.
//!
//! A change of the search changes the number; whoever runs the queries prints the new one. A number that differs between
//! two builds of the same sources is a bug. All inputs are made from integers and are exact in every scalar, so that
//! the library alone is compared. No heap and no `std`: the test beside this runs them on the host, `firmware/same-bits`
//! where there is no operating system.

#![no_std]
#![forbid(unsafe_code)]

mod body;
mod dice;
mod fold;
mod query;

pub use fold::Tally;
pub use query::{QUERIES, run_few, run_pairs};

use query::run;

/// A scalar, its queries, and what they must come to.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The scalar's name.
    pub name: &'static str,
    /// Runs all queries.
    pub run: fn() -> Tally,
    /// The hash that must come out.
    pub hash: u64,
}

/// All scalars.
pub const CASES: [Case; 3] = [
    Case { name: "f32", run: run::<f32>, hash: 0xfddb_b01b_8507_9e70 },
    Case { name: "f64", run: run::<f64>, hash: 0x3da2_f999_cc17_b10c },
    Case { name: "fix32", run: run::<avert::Fix32>, hash: 0x9378_1381_0080_4178 },
];
