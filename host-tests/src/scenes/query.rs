//! One question, as plain numbers.

use super::{Point, Rounding, Shape, on_grid, rounded};

/// Where a body is: a quaternion (w, x, y, z) that stands for its normalised self, and the place of the body's origin.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    pub rotation: [f64; 4],
    pub position: Point,
}

impl Place {
    /// The body's frame is the world's.
    pub const IDENTITY: Self = Self { rotation: [1.0, 0.0, 0.0, 0.0], position: [0.0; 3] };

    /// Not turned.
    pub fn at(position: Point) -> Self {
        Self { position, ..Self::IDENTITY }
    }

    fn rounded(self, by: Rounding) -> Self {
        Self { rotation: self.rotation.map(by), position: self.position.map(by) }
    }
}

/// How a body moves.
#[derive(Clone, Copy, Debug)]
pub enum Path {
    /// Straight for the body point `centre`, by the shortest rotation.
    Between { from: Place, to: Place, centre: Point },
    /// About an axis that is fixed in space and along it, by the shortest rotation.
    Screw { from: Place, to: Place },
    /// With the velocity of the body point `centre` and the angular velocity in the world's frame.
    Velocities { from: Place, centre: Point, linear: Point, angular: Point },
}

impl Path {
    /// Stays where it is.
    pub fn still(at: Place) -> Self {
        Self::Velocities { from: at, centre: [0.0; 3], linear: [0.0; 3], angular: [0.0; 3] }
    }

    /// The whole path moved.
    #[must_use]
    pub fn moved(self, by: Point) -> Self {
        let moved = |p: Place| Place { position: super::add(p.position, by), ..p };
        match self {
            Self::Between { from, to, centre } => Self::Between { from: moved(from), to: moved(to), centre },
            Self::Screw { from, to } => Self::Screw { from: moved(from), to: moved(to) },
            Self::Velocities { from, centre, linear, angular } => {
                Self::Velocities { from: moved(from), centre, linear, angular }
            }
        }
    }

    /// Every number rounded.
    #[must_use]
    pub fn rounded(self, by: Rounding) -> Self {
        match self {
            Self::Between { from, to, centre } => {
                Self::Between { from: from.rounded(by), to: to.rounded(by), centre: centre.map(by) }
            }
            Self::Screw { from, to } => Self::Screw { from: from.rounded(by), to: to.rounded(by) },
            Self::Velocities { from, centre, linear, angular } => Self::Velocities {
                from: from.rounded(by),
                centre: centre.map(by),
                linear: linear.map(by),
                angular: angular.map(by),
            },
        }
    }

    /// The centre rounded; a library takes it as exact.
    #[must_use]
    pub fn with_rounded_centre(mut self, by: Rounding) -> Self {
        if let Self::Between { centre, .. } | Self::Velocities { centre, .. } = &mut self {
            *centre = centre.map(by);
        }
        self
    }
}

/// Do two moving bodies come within the margin of each other?
#[derive(Clone, Debug)]
pub struct Query {
    pub shapes: [Shape; 2],
    pub paths: [Path; 2],
    /// In metres; `f32` holds it.
    pub margin: f64,
    /// In metres; `f32` holds it.
    pub tolerance: f64,
    /// `f32` holds every number of the shapes and paths, so nothing is lost by narrowing.
    pub exact: bool,
    /// The library is told all points, and all places, wrongly by about this much, in metres, and that they may be so.
    pub vague: [f64; 2],
    /// Are the bodies full inside? Then their meshes are closed.
    pub solid: [bool; 2],
}

impl Query {
    /// Rounds what must be or is to be exact.
    #[must_use]
    pub fn new(shapes: [Shape; 2], paths: [Path; 2], margin: f64, tolerance: f64, exact: bool) -> Self {
        Self { shapes, paths, margin, tolerance, exact, vague: [0.0; 2], solid: [false; 2] }.rounded(rounded)
    }

    /// With fixed point numbers instead of those that `f32` holds.
    #[must_use]
    pub fn on_grid(self) -> Self {
        self.rounded(on_grid)
    }

    fn rounded(self, by: Rounding) -> Self {
        let Self { shapes, paths, margin, tolerance, exact, vague, solid } = self;
        let (margin, tolerance) = (by(margin), by(tolerance));
        if exact {
            let (shapes, paths) = (shapes.map(|s| s.rounded(by)), paths.map(|p| p.rounded(by)));
            Self { shapes, paths, margin, tolerance, exact, vague, solid }
        } else {
            Self { shapes, paths: paths.map(|p| p.with_rounded_centre(by)), margin, tolerance, exact, vague, solid }
        }
    }
}
