//! The paper's rigid benchmarks (Tang, Manocha and Kim 2014, Table 1): what is asked, and what is true.

mod cases;
#[cfg(feature = "bench")]
mod charts;
#[cfg(feature = "bench")]
pub mod distance;
#[cfg(feature = "bench")]
pub mod figures;
#[cfg(feature = "bench")]
pub mod files;
pub mod judge;
pub mod ours;
pub mod report;
#[cfg(feature = "bench")]
pub mod run;
#[cfg(feature = "bench")]
pub mod sweep;
pub mod table;
pub mod truth;

pub use cases::{SLUGS, case};

use crate::sampling::{Body, Pair};
use crate::scenes::{Path, Place, Shape};
use std::sync::Arc;

/// One row of the table: two shapes, and motions of the first past the second, which stands at the identity.
#[derive(Clone, Debug)]
pub struct Case {
    /// As in the paper, such as "Gear vs. Gear".
    pub name: &'static str,
    /// For file names and arguments, such as "gear".
    pub slug: &'static str,
    /// Where the meshes come from, in a few words, triangle counts included.
    pub origin: String,
    /// The moving shape and the standing one; equal if both are one mesh.
    pub shapes: [Shape; 2],
    /// Are both shapes the same mesh, so that one model serves for both?
    pub same: bool,
    /// Is a motion the continuation of the one before, so that what was near then is a good guess now?
    pub coherent: bool,
    /// How the first shape moves.
    pub paths: Vec<Path>,
    /// What is known beforehand, for each path; empty if nothing is.
    pub known: Vec<Truth>,
    /// The paper's figures.
    pub paper: Paper,
}

impl Case {
    /// Both shapes, ready to be measured by the oracle.
    pub fn bodies(&self) -> [Arc<Body>; 2] {
        let first = Arc::new(Body::new(&self.shapes[0]));
        let second = if self.same { first.clone() } else { Arc::new(Body::new(&self.shapes[1])) };
        [first, second]
    }

    /// The oracle's view of a motion of the first shape.
    pub fn pair(&self, bodies: &[Arc<Body>; 2], path: &Path) -> Pair {
        let [a, b] = &self.shapes;
        Pair::of(bodies.clone(), [a, b], &[*path, Path::still(Place::IDENTITY)], 0.0)
    }
}

/// When two bodies first touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Truth {
    /// Never; the least distance that was seen, in metres.
    Free { least: f64 },
    /// Not before `lo`, and surely by `hi`.
    Contact { lo: f64, hi: f64 },
}

/// The paper's milliseconds (Table 1, on an Intel Core 2 Q9450 at 2.66 GHz). NaN where it has none.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    pub without_control: f64,
    pub colliding: f64,
    pub free: f64,
    pub average: f64,
    pub hca: f64,
    pub fast: f64,
}

impl Paper {
    /// Of a case that it does not have.
    pub const NONE: Self = Self {
        without_control: f64::NAN,
        colliding: f64::NAN,
        free: f64::NAN,
        average: f64::NAN,
        hca: f64::NAN,
        fast: f64::NAN,
    };
}
