//! One piece of a body, in the body's frame: a mesh, or the hull of a few points with a radius.

use super::place::Place;
use crate::convert::{Numbers, decimal, nearest_points};
use crate::error::InputError;
use crate::geometry::Geometry;
use crate::mesh::{Mesh, UpAxis};
use crate::placement::Placement;
use avert::Interval;
use std::path::PathBuf;

/// The most that a prism reaches beyond its cylinder, in metres, if that takes no more than the most sides.
const FINE: f64 = 5e-4;
/// How many sides a prism has. Powers of two, so that a share of a turn is exact.
const SIDES: [u16; 3] = [32, 64, 128];

/// Points and what they are the corners of.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) points: Vec<[f64; 3]>,
    pub(crate) numbers: Numbers,
    pub(crate) kind: PieceKind,
}

#[derive(Debug)]
pub(crate) enum PieceKind {
    Mesh {
        file: PathBuf,
        triangles: Vec<[u32; 3]>,
    },
    /// The hull reaches beyond the true piece by at most the excess, in metres.
    Hull {
        radius: Interval<f64>,
        excess: f64,
    },
}

impl Piece {
    /// A shape at a place. `refuse` makes an error of what is wrong with the numbers.
    ///
    /// # Soundness
    /// The true points of a mesh, placed, differ from these by no more than `numbers` says; of any other shape, the hull of such
    /// points with the radius encloses the placed one.
    pub(crate) fn new(
        geometry: &Geometry,
        placement: &Placement,
        up_axis: Option<UpAxis>,
        refuse: impl Fn(String) -> InputError,
    ) -> Result<Self, InputError> {
        let none = Interval::ZERO;
        let hull = |points: &[[Interval<f64>; 3]], radius, excess| {
            let (points, numbers) = placed(points, placement).ok_or_else(|| refuse(NOT_FINITE.to_owned()))?;
            Ok(Self { points, numbers, kind: PieceKind::Hull { radius, excess } })
        };
        match geometry {
            Geometry::Mesh { file, scale } => {
                let mesh = Mesh::read(file, up_axis)?.scaled(*scale)?;
                // Says so if a coordinate is of no use.
                mesh.grid()?;
                let kind = PieceKind::Mesh { file: file.clone(), triangles: mesh.triangles().to_vec() };
                let (points, numbers) = if *placement == Placement::default() {
                    (mesh.points().to_vec(), mesh.numbers())
                } else {
                    let enclosed = |p: &[f64; 3]| p.map(|x| mesh.numbers().enclosure(x));
                    let points: Vec<_> = mesh.points().iter().map(enclosed).collect();
                    placed(&points, placement).ok_or_else(|| refuse(NOT_FINITE.to_owned()))?
                };
                Ok(Self { points, numbers, kind })
            }
            Geometry::Box { size } => {
                let [x, y, z] = size.map(half).map(|h| [-h, h]);
                let corners = x.map(|x| y.map(|y| z.map(|z| [x, y, z])));
                hull(corners.as_flattened().as_flattened(), none, 0.0)
            }
            Geometry::Cylinder { radius, length } => {
                let (points, excess) = prism(decimal(*radius), half(*length));
                hull(&points, none, excess)
            }
            Geometry::Capsule { radius, length } => {
                let end = half(*length);
                hull(&[[none, none, -end], [none, none, end]], decimal(*radius), 0.0)
            }
            Geometry::Sphere { radius } => hull(&[[none; 3]], decimal(*radius), 0.0),
        }
    }

    /// A ball around each of some points, where they are.
    pub(crate) fn balls(points: &[[f64; 3]], radius: f64) -> impl Iterator<Item = Self> {
        points.iter().map(move |point| Self {
            points: vec![*point],
            numbers: Numbers::Double,
            kind: PieceKind::Hull { radius: decimal(radius), excess: 0.0 },
        })
    }

    /// The greatest coordinate or radius, in magnitude.
    pub(crate) fn most(&self) -> f64 {
        let radius = match &self.kind {
            PieceKind::Mesh { .. } => 0.0,
            PieceKind::Hull { radius, .. } => radius.hi(),
        };
        self.points.iter().flatten().fold(radius, |most, x| most.max(x.abs()))
    }
}

const NOT_FINITE: &str = "expected numbers that stay finite when the piece is placed";

fn placed(points: &[[Interval<f64>; 3]], placement: &Placement) -> Option<(Vec<[f64; 3]>, Numbers)> {
    let place = Place::new(placement);
    nearest_points(&points.iter().map(|p| place.apply(*p)).collect::<Vec<_>>())
}

fn half(length: f64) -> Interval<f64> {
    decimal(length) * Interval::point(0.5)
}

/// The corners of a regular prism around a cylinder along z, and how far it reaches beyond that.
///
/// # Soundness
/// The hull of the true corners, each inside its intervals, encloses the cylinder of every radius and half length inside theirs: its
/// sides touch it.
fn prism(radius: Interval<f64>, half_length: Interval<f64>) -> (Vec<[Interval<f64>; 3]>, f64) {
    let outer = |sides: u16| radius / (Interval::pi() / Interval::point(f64::from(sides))).cos();
    let excess = |sides: u16| (outer(sides) - radius).hi();
    let [.., most] = SIDES;
    let sides = SIDES.into_iter().find(|sides| excess(*sides) <= FINE).unwrap_or(most);
    let corners = (0..sides).flat_map(|k| {
        let angle = Interval::pi() * Interval::point(f64::from(2 * k) / f64::from(sides));
        let (x, y) = (outer(sides) * angle.cos(), outer(sides) * angle.sin());
        [[x, y, -half_length], [x, y, half_length]]
    });
    (corners.collect(), excess(sides))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn piece(geometry: &Geometry, placement: &Placement) -> Piece {
        Piece::new(geometry, placement, None, |what| InputError::new(Path::new("r.urdf"), what)).unwrap()
    }

    /// Directions of length 1 that are spread over the sphere.
    fn directions() -> impl Iterator<Item = [f64; 3]> {
        (0..4_001).map(|i| {
            let z = f64::from(i) / 2_000.0 - 1.0;
            let (s, c) = (f64::from(i) * 2.399_963).sin_cos();
            let r = (1.0 - z * z).max(0.0).sqrt();
            [r * c, r * s, z]
        })
    }

    fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
        a.iter().zip(b).map(|(a, b)| a * b).sum()
    }

    /// How far the piece reaches, at least and at most.
    fn support(piece: &Piece, d: [f64; 3]) -> f64 {
        let PieceKind::Hull { radius, .. } = piece.kind else { panic!("{piece:?}") };
        let Numbers::Within(error) = piece.numbers else { panic!("{piece:?}") };
        assert!(error < 1e-14);
        piece.points.iter().map(|p| dot(*p, d)).fold(f64::NEG_INFINITY, f64::max) + radius.mid()
    }

    /// Shapes with how far they reach along a direction in their own frame.
    type Reach = fn([f64; 3]) -> f64;
    const SHAPES: [(Geometry, usize, Reach); 6] = [
        (Geometry::Sphere { radius: 0.3 }, 1, |_| 0.3),
        (Geometry::Capsule { radius: 0.1, length: 0.5 }, 2, |[_, _, z]| 0.1 + 0.25 * z.abs()),
        (Geometry::Box { size: [0.2, 0.4, 0.6] }, 8, |[x, y, z]| 0.1 * x.abs() + 0.2 * y.abs() + 0.3 * z.abs()),
        (Geometry::Cylinder { radius: 0.1, length: 0.5 }, 64, |[x, y, z]| 0.1 * x.hypot(y) + 0.25 * z.abs()),
        (Geometry::Cylinder { radius: 0.4, length: 0.01 }, 128, |[x, y, z]| 0.4 * x.hypot(y) + 0.005 * z.abs()),
        (Geometry::Cylinder { radius: 2.0, length: 1.0 }, 256, |[x, y, z]| 2.0 * x.hypot(y) + 0.5 * z.abs()),
    ];

    #[test]
    fn never_inside_truth_new() {
        let placements = [
            Placement::default(),
            Placement { xyz: [0.1, 0.2, -0.3], rpy: [0.0; 3] },
            Placement { xyz: [0.1, 0.2, -0.3], rpy: [0.4, -1.3, 2.2] },
        ];
        for placement in placements {
            let turned = Placement { xyz: [0.0; 3], ..placement }.frame();
            for (geometry, count, reach) in &SHAPES {
                let piece = piece(geometry, &placement);
                assert_eq!(piece.points.len(), *count);
                let PieceKind::Hull { excess, .. } = piece.kind else { panic!("{geometry:?}") };
                assert!(excess < 0.0007, "{geometry:?} {excess}");
                for d in directions() {
                    let found = support(&piece, turned.apply(d)) - dot(turned.apply(d), placement.xyz);
                    let truth = reach(d);
                    assert!(found >= truth - 1e-14 && found <= truth + excess + 1e-14, "{geometry:?} {d:?}");
                }
            }
        }
    }

    #[test]
    fn never_inside_truth_prism() {
        // The normals of the sides are where a polygon reaches least: exactly the radius.
        for (radius, sides) in [(0.01, 32), (0.1, 32), (0.2, 64), (0.5, 128), (100.0, 128)] {
            let (corners, excess) = prism(decimal(radius), Interval::ONE);
            assert_eq!(corners.len(), 2 * sides);
            for k in 0..sides {
                let (s, c) = (std::f64::consts::PI * (2 * k + 1) as f64 / sides as f64).sin_cos();
                let reach = |[x, y, _]: &[Interval<f64>; 3]| (*x * Interval::point(c) + *y * Interval::point(s)).hi();
                let found = corners.iter().map(reach).fold(f64::NEG_INFINITY, f64::max);
                assert!(found >= radius && found < radius * (1.0 + 1e-14), "{radius} {found}");
            }
            let truth = radius * (1.0 / (std::f64::consts::PI / sides as f64).cos() - 1.0);
            assert!(excess >= truth * (1.0 - 1e-12) && excess <= truth + radius * 1e-14);
        }
    }

    #[test]
    fn numbers_that_run_away_are_refused() {
        let shape = Geometry::Box { size: [1e308, 1.0, 1.0] };
        let placement = Placement { xyz: [1.7e308; 3], rpy: [0.0; 3] };
        let refuse = |what| InputError::at(Path::new("r.urdf"), 7, what);
        let error = Piece::new(&shape, &placement, None, refuse).unwrap_err().to_string();
        assert_eq!(error, format!("r.urdf:7: {NOT_FINITE}"));
    }
}
