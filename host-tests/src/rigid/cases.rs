//! Placeholder: two small cases, until the paper's arrive.

use super::{Case, Paper};
use crate::scenes::{Dice, Path, Place, Shape, add, knot, times, torus};

/// The cases, in the table's order.
pub fn cases() -> Vec<Case> {
    vec![
        case("Torus vs. Torus", "torus", torus(96, 32, 0.3), 1),
        case("Torusknot vs. Torusknot", "torusknot", knot(160, 10, 0.1), 2),
    ]
}

fn case(name: &'static str, slug: &'static str, shape: Shape, seed: u64) -> Case {
    let mut dice = Dice::new(seed, 0);
    let mut path = || {
        let from = Place { rotation: dice.rotation(), position: times(dice.direction(), 3.0) };
        let to =
            Place { rotation: dice.rotation(), position: add(times(from.position, -1.0), times(dice.in_ball(), 7.0)) };
        Path::Between { from, to, centre: [0.0; 3] }
    };
    let paths = (0..20).map(|_| path()).collect();
    let origin = format!("made here, {} triangles each", shape.triangles.len());
    let paper = Paper { without_control: 6.8, colliding: 2.81, free: 0.41, average: 2.01, hca: 2.68, fast: f64::NAN };
    let shapes = [shape.clone(), shape];
    Case { name, slug, origin, shapes, same: true, coherent: false, paths, known: vec![], paper }
}
