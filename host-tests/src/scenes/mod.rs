//! Meshes, hulls and motions as plain numbers, made to the bit the same on every machine.
//!
//! Sine and cosine come from `libm` and chance from [`Dice`], so a query is known by its seed and index.

mod dice;
mod hulls;
mod lattice;
mod meshes;
mod organic;
mod parts;
mod query;
mod solids;

pub use dice::Dice;
pub use hulls::{ball, capsule, cuboid, some_hulls};
pub(crate) use meshes::BOX_FACES;
pub use meshes::{block, gear, icosphere, knot, plate, rod, some_mesh, soup, star, torus};
pub use organic::{bunny_like, club, club_axis};
pub use parts::{hammer, spur_gear, workpiece};
pub use query::{Path, Place, Query};
pub use solids::{faced, finned, grid_cube, reversed, shell, some_solid};

/// Three coordinates, in metres.
pub type Point = [f64; 3];

/// Consecutive points and a radius: a sphere (1), a capsule (2), a box (8, corner `i` at the low or high side along
/// x, y and z by the bits 0, 1 and 2 of `i`) or the convex hull of a few.
#[derive(Clone, Copy, Debug)]
pub struct Inflated {
    pub first: usize,
    pub count: usize,
    pub radius: f64,
}

/// What a body is made of.
#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub points: Vec<Point>,
    pub triangles: Vec<[u32; 3]>,
    pub hulls: Vec<Inflated>,
}

impl Shape {
    /// The distance of the furthest point from the origin.
    pub fn radius(&self) -> f64 {
        let most = self.points.iter().map(|p| length(*p)).fold(0.0, f64::max);
        most + self.hulls.iter().map(|h| h.radius).fold(0.0, f64::max)
    }

    /// Every point and radius times a factor.
    #[must_use]
    pub fn scaled(mut self, factor: f64) -> Self {
        self.points.iter_mut().flatten().for_each(|x| *x *= factor);
        self.hulls.iter_mut().for_each(|h| h.radius *= factor);
        self
    }

    /// Every point moved.
    #[must_use]
    pub fn moved(mut self, by: Point) -> Self {
        self.points.iter_mut().for_each(|p| *p = add(*p, by));
        self
    }

    /// Both shapes as one.
    #[must_use]
    pub fn with(mut self, other: Self) -> Self {
        let first = self.points.len();
        self.points.extend(other.points);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|i| i + first as u32)));
        self.hulls.extend(other.hulls.iter().map(|h| Inflated { first: h.first + first, ..*h }));
        self
    }

    /// One triangle, by itself.
    #[must_use]
    pub fn only(&self, triangle: usize) -> Self {
        let points = self.triangles[triangle].map(|i| self.points[i as usize]).to_vec();
        Self { points, triangles: vec![[0, 1, 2]], hulls: vec![] }
    }

    /// Every number rounded.
    #[must_use]
    pub fn rounded(mut self, by: Rounding) -> Self {
        self.points.iter_mut().flatten().for_each(|x| *x = by(*x));
        self.hulls.iter_mut().for_each(|h| h.radius = by(h.radius));
        self
    }
}

/// Which numbers a library is to get exactly.
pub type Rounding = fn(f64) -> f64;

/// The nearest multiple of 2⁻²⁰.
pub fn on_grid(x: f64) -> f64 {
    (x * 2_f64.powi(20)).round() * 2_f64.powi(-20)
}

/// The nearest number that `f32` holds without being subnormal.
pub fn rounded(x: f64) -> f64 {
    let near = x as f32;
    if near.is_subnormal() { 0.0 } else { f64::from(near) }
}

/// The sum.
pub fn add(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// The multiple.
pub fn times(a: Point, factor: f64) -> Point {
    a.map(|x| x * factor)
}

/// The vector product.
pub fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// The length.
pub fn length(a: Point) -> f64 {
    (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]).sqrt()
}

/// The vector of length 1 in the same direction.
pub fn unit(a: Point) -> Point {
    times(a, 1.0 / length(a))
}

/// The quaternion (w, x, y, z) of a rotation about an axis.
pub fn turn(axis: Point, angle: f64) -> [f64; 4] {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let [x, y, z] = times(unit(axis), sin);
    [cos, x, y, z]
}
