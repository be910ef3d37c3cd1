//! The libraries that people use today, asked the same questions.

#[cfg(feature = "fcl")]
mod fcl;
#[cfg(feature = "parry")]
mod parry;
#[cfg(any(feature = "fcl", feature = "parry"))]
mod steady;

use crate::scenes::{Path, Place, Shape};
#[cfg(any(feature = "fcl", feature = "parry"))]
use steady::Steady;

/// What another library says about a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    /// No contact.
    Free,
    /// First contact at this time, of `[0, 1]`.
    Contact(f64),
    /// It gives no answer (unsupported, failed, not converged).
    Nothing,
}

/// What another library says about a pose of the first body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SaidDistance {
    /// In metres; at most zero if they overlap.
    pub distance: f64,
}

/// Another library, with two shapes loaded.
pub trait Peer {
    /// Short, such as "parry f32".
    fn name(&self) -> &'static str;

    /// The first body moves along the path, the second stands at the identity. Only this call is timed.
    fn cast(&mut self, path: &Path) -> Said;

    /// What it is called where distances are compared; `None` if it has no such query, or another one asks the same.
    fn distance_name(&self) -> Option<&'static str>;

    /// The distance where the first body stands at the place; `None` if it fails.
    fn distance(&mut self, place: &Place) -> Option<SaidDistance>;
}

/// Every library that is compiled in (by the features `parry` and `fcl`), with the triangles of both shapes loaded.
///
/// Hulls are left out, so there is no peer for a shape that has no triangles.
pub fn peers(shapes: &[Shape; 2]) -> Vec<Box<dyn Peer>> {
    type Load = fn(&[Shape; 2]) -> Vec<Box<dyn Peer>>;
    let libraries: &[Load] = &[
        #[cfg(feature = "parry")]
        parry::peers,
        #[cfg(feature = "fcl")]
        fcl::peers,
    ];
    if shapes.iter().any(|shape| shape.triangles.is_empty()) {
        return vec![];
    }
    libraries.iter().flat_map(|load| load(shapes)).collect()
}

#[cfg(all(test, any(feature = "fcl", feature = "parry")))]
mod tests {
    use super::*;
    use crate::sampling;
    use crate::scenes::{Point, length, turn};

    /// A library places body points where the oracle does, to within so many metres.
    pub(super) fn agrees(error: f64, place: impl Fn(&Path, f64, Point) -> Point) {
        let from = Place { rotation: turn([0.3, 1.0, -0.2], 1.1).map(|x| 2.0 * x), position: [1.0, -2.0, 0.5] };
        let to = Place { rotation: turn([0.7, 0.1, 0.4], 2.0).map(|x| -x), position: [-1.0, 0.3, 2.0] };
        let centre = [0.5, -1.0, 0.25];
        // More than half a turn, as no pair of poses can say.
        let velocities = Path::Velocities { from, centre, linear: [3.0, 1.0, -2.0], angular: [1.0, -4.0, 2.0] };
        for path in [Path::Between { from, to, centre }, velocities, Path::still(to)] {
            for t in [0.0, 0.1, 0.5, 0.9, 1.0] {
                for x in [[0.0; 3], centre, [1.0, 2.0, -3.0]] {
                    let (ours, theirs) = (sampling::place(&path, t, x), place(&path, t, x));
                    let apart = length(std::array::from_fn(|i| ours[i] - theirs[i]));
                    assert!(apart <= error, "{path:?} at {t}: {ours:?} {theirs:?}");
                }
            }
        }
    }
}
