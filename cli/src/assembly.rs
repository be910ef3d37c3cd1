//! Meshes and hulls, put together on one grid: what is baked.

use crate::convert::{Numbers, on_grid};
use crate::convex;
use avert::hierarchy::{BakeError, Draft, DraftHull, parts};
use avert::kernel::{Grid, SolidError};
use avert::{Geometry, Interval, Scalar, Vec3};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// A body in the making.
#[derive(Debug)]
pub(crate) struct Assembly {
    grid: Grid,
    points: Vec<[i32; 3]>,
    triangles: Vec<[u32; 3]>,
    hulls: Vec<DraftHull>,
    /// The meshes that stay triangles.
    shells: Vec<Shell>,
    error: f64,
}

#[derive(Debug)]
struct Shell {
    triangles: Range<usize>,
    is_open: bool,
}

/// What became of a mesh.
#[derive(Debug)]
pub(crate) struct Added {
    /// At different places of the grid.
    pub(crate) points: usize,
    /// Of a convex mesh: how many points its hull has, and how far it reaches beyond the mesh, in metres.
    pub(crate) hull: Option<(usize, f64)>,
    /// Why the mesh is a surface, if it is: an edge, by the numbers of its points on the grid.
    pub(crate) open: Option<SolidError>,
}

/// A baked model.
#[derive(Debug)]
pub(crate) struct Baked {
    /// For [`Blob::parse`](avert::hierarchy::Blob::parse).
    pub(crate) bytes: Vec<u8>,
    pub(crate) triangles: usize,
    pub(crate) hulls: usize,
    pub(crate) points: usize,
    /// How many parts of the meshes hang together.
    pub(crate) parts: usize,
    /// How far a true point may be from the stored one, in metres.
    pub(crate) error: f64,
}

impl Assembly {
    pub(crate) fn new(grid: Grid) -> Self {
        Self { grid, points: Vec::new(), triangles: Vec::new(), hulls: Vec::new(), shells: Vec::new(), error: 0.0 }
    }

    /// Adds a mesh, whose triangles name only points that there are: one hull if it is convex, otherwise triangles.
    pub(crate) fn add_mesh(&mut self, points: &[[f64; 3]], numbers: Numbers, triangles: &[[u32; 3]]) -> Added {
        let (steps, error) = on_grid(points, numbers, self.grid);
        self.error = self.error.max(error);
        let (points, triangles) = weld(&steps, triangles);
        if let Some(hull) = convex::hull(&points, &triangles, self.grid) {
            self.push_hull(&hull.points, hull.radius);
            return Added { points: points.len(), hull: Some((hull.points.len(), hull.excess)), open: None };
        }
        let open = opening(&triangles);
        let (first, from) = (self.points.len() as u32, self.triangles.len());
        self.points.extend(&points);
        self.triangles.extend(triangles.iter().map(|t| t.map(|i| first + i)));
        self.shells.push(Shell { triangles: from..self.triangles.len(), is_open: open.is_some() });
        Added { points: points.len(), hull: None, open }
    }

    /// Adds the hull of points with a radius around it. Says how far it reaches beyond the true one, in metres, besides the
    /// error.
    ///
    /// # Soundness
    /// The stored radius is not below the true one, for every one inside the interval, as long as that is within the grid.
    pub(crate) fn add_hull(&mut self, points: &[[f64; 3]], numbers: Numbers, radius: Interval<f64>) -> f64 {
        let (steps, error) = on_grid(points, numbers, self.grid);
        self.error = self.error.max(error);
        // A quotient by a power of two is exact.
        let step = f64::from_grid(1, self.grid.exponent());
        let rounded = (radius.hi() / step).ceil();
        self.push_hull(&steps, rounded as u32);
        if rounded > 0.0 { (rounded * step).sub_hi(radius.lo()) } else { 0.0 }
    }

    fn push_hull(&mut self, points: &[[i32; 3]], radius: u32) {
        self.hulls.push(DraftHull { first: self.points.len() as u32, count: points.len() as u32, radius });
        self.points.extend(points);
    }

    /// A body of closed meshes and hulls is full inside. So are the closed ones among its meshes if others are open, and
    /// these are surfaces then; if all are open, the body is a surface.
    pub(crate) fn bake(mut self) -> Result<Baked, String> {
        let solid = self.shells.iter().any(|shell| !shell.is_open);
        if solid {
            self.face_outward();
            self.show_both_sides();
        }
        let mut list = vec![0; self.triangles.len()];
        let listed = connected(&self.points, &self.triangles, &mut list)?;
        let Self { grid, points, triangles, hulls, error, .. } = &self;
        let draft = Draft { grid: *grid, points, triangles, hulls, parts: listed, solid, error: *error };
        let (triangles, hulls, points) = (triangles.len(), hulls.len(), points.len());
        let bytes = bytes_of(&draft).map_err(|e| e.to_string())?;
        Ok(Baked { bytes, triangles, hulls, points, parts: listed.len(), error: *error })
    }

    /// Where meshes that face different ways overlap they would cancel, and the place would count as outside. (One alone may
    /// face either way.)
    fn face_outward(&mut self) {
        if self.shells.iter().filter(|shell| !shell.is_open).count() < 2 {
            return;
        }
        for shell in self.shells.iter().filter(|shell| !shell.is_open) {
            let triangles = self.triangles.get_mut(shell.triangles.clone()).unwrap_or_default();
            if volume(&self.points, triangles) < 0 {
                triangles.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
            }
        }
    }

    /// A surface that shows both sides everywhere has no boundary and winds about nothing: it may be part of a solid.
    fn show_both_sides(&mut self) {
        for shell in self.shells.iter().filter(|shell| shell.is_open) {
            let back = self.triangles.get(shell.triangles.clone()).unwrap_or_default();
            let back: Vec<_> = back.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
            self.triangles.extend(back);
        }
    }
}

fn bytes_of(draft: &Draft<'_>) -> Result<Vec<u8>, BakeError> {
    let mut bytes = vec![0; draft.room()];
    let length = draft.bake(&mut bytes, &mut vec![0; draft.triangles.len() + draft.hulls.len()])?;
    bytes.truncate(length);
    Ok(bytes)
}

/// One triangle for every part that hangs together.
fn connected<'l>(points: &[[i32; 3]], triangles: &[[u32; 3]], list: &'l mut [u32]) -> Result<&'l [u32], String> {
    if triangles.is_empty() {
        return Ok(&[]);
    }
    let points: Vec<Vec3<f64>> = points.iter().map(|p| p.map(f64::from).into()).collect();
    let geometry = Geometry::new(&points, triangles, &[], 0.0).map_err(|e| e.to_string())?;
    parts(&geometry, list, &mut vec![0; points.len()]).map_err(|e| e.to_string())
}

/// Points at one place become one point.
fn weld(steps: &[[i32; 3]], triangles: &[[u32; 3]]) -> (Vec<[i32; 3]>, Vec<[u32; 3]>) {
    let mut known = HashMap::new();
    let mut points = Vec::new();
    let renumbered: Vec<u32> = steps
        .iter()
        .map(|p| {
            *known.entry(*p).or_insert_with(|| {
                points.push(*p);
                points.len() as u32 - 1
            })
        })
        .collect();
    // A reader gives no index that does not exist.
    let triangles = triangles.iter().map(|t| t.map(|i| renumbered[i as usize])).collect();
    (points, triangles)
}

/// The first edge along which triangles do not go as often one way as the other: what the library refuses in a solid.
fn opening(triangles: &[[u32; 3]]) -> Option<SolidError> {
    let mut edges = BTreeMap::new();
    for [a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)].into_iter().filter(|(from, to)| from != to) {
            *edges.entry([from.min(to), from.max(to)]).or_insert(0) += if from < to { 1 } else { -1 };
        }
    }
    let open = edges.into_iter().find(|(_, sum): &(_, i64)| *sum != 0);
    open.map(|([low, high], _)| SolidError::Open([*low, *high]))
}

/// Six times the volume of a closed mesh, in steps: positive if it faces outward.
fn volume(points: &[[i32; 3]], triangles: &[[u32; 3]]) -> i128 {
    let corner = |i: u32| points.get(i as usize).copied().unwrap_or_default().map(i128::from);
    // At most 2²³ a coordinate and 2²⁴ triangles: far from the greatest number.
    let six_fold = |t: &[u32; 3]| {
        let [[a, b, c], [d, e, f], [g, h, i]] = t.map(corner);
        a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    };
    triangles.iter().map(six_fold).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use avert::hierarchy::Blob;

    /// A notched block that is not convex, over [0, 2]², one high; its top's notch goes down to half its height.
    fn notched() -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
        let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 0.5], [0.0, 1.0]];
        let points = [0.0, 2.0].iter().flat_map(|y| outline.map(|[x, z]| [x, *y, z])).collect();
        let mut triangles = vec![[0, 1, 3], [1, 2, 3], [0, 3, 4], [5, 8, 6], [6, 8, 7], [5, 9, 8]];
        for i in 0..5 {
            let j = (i + 1) % 5;
            triangles.extend([[i, i + 5, j], [j, i + 5, j + 5]]);
        }
        (points, triangles)
    }

    fn is_solid(baked: &Baked) -> bool {
        let blob = Blob::parse(&baked.bytes).unwrap();
        blob.model::<f64>(&mut vec![0; blob.scratch_needed()]).unwrap().is_solid()
    }

    fn inward(triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
        triangles.iter().map(|[a, b, c]| [*a, *c, *b]).collect()
    }

    #[test]
    fn closed_meshes_stay_full_beside_open_ones() {
        let (points, triangles) = notched();
        let bake = |meshes: &[&[[u32; 3]]]| {
            let mut assembly = Assembly::new(Grid::PORTABLE);
            let added: Vec<_> =
                meshes.iter().map(|mesh| assembly.add_mesh(&points, Numbers::Exact, mesh).open).collect();
            (assembly.bake().unwrap(), added)
        };
        let open = &triangles[1..];
        let (alone, added) = bake(&[&triangles]);
        assert!(is_solid(&alone) && added == [None] && (alone.triangles, alone.parts) == (16, 1));
        let (alone, added) = bake(&[open]);
        assert!(!is_solid(&alone) && added == [Some(SolidError::Open([0, 1]))] && alone.triangles == 15);
        let (both, added) = bake(&[open, open]);
        assert!(!is_solid(&both) && added.iter().all(Option::is_some) && both.triangles == 30);
        let (mixed, added) = bake(&[open, &triangles]);
        assert!(is_solid(&mixed) && added[0].is_some() && added[1].is_none());
        assert_eq!((mixed.triangles, mixed.points, mixed.parts), (15 + 16 + 15, 20, 2));
    }

    #[test]
    fn overlapping_meshes_do_not_cancel() {
        let (points, triangles) = notched();
        let turned = inward(&triangles);
        assert_eq!(volume(&points.iter().map(|p| p.map(|x| (2.0 * x) as i32)).collect::<Vec<_>>(), &triangles), 144);
        let mut assembly = Assembly::new(Grid::PORTABLE);
        assembly.add_mesh(&points, Numbers::Exact, &turned);
        assembly.add_mesh(&points, Numbers::Exact, &triangles);
        let baked = assembly.bake().unwrap();
        let blob = Blob::parse(&baked.bytes).unwrap();
        let model = blob.model::<f64>(&mut vec![0; blob.scratch_needed()]).unwrap();
        let (winding, _) = avert::kernel::winding(&model, Vec3::new(0.5, 1.0, 0.25), 0.0);
        assert_eq!(winding.unwrap().number, 2);
    }

    #[test]
    fn never_below_truth_add_hull() {
        for (radius, steps) in [(0.0, 0), (0.25, 1 << 18), (0.1, 104_858), (1e-9, 1), (7.999, 8_387_560)] {
            let mut assembly = Assembly::new(Grid::PORTABLE);
            let excess = assembly.add_hull(&[[0.5, 0.25, -1.0]], Numbers::Exact, Interval::point(radius));
            assert_eq!(assembly.hulls, [DraftHull { first: 0, count: 1, radius: steps }]);
            let step = 2.0_f64.powi(-20);
            assert!(f64::from(steps) * step - radius <= excess && excess <= step, "{radius} {excess}");
        }
    }

    #[test]
    fn the_edge_is_the_librarys() {
        let (points, triangles) = notched();
        for left_out in 0..triangles.len() {
            let mut rest = triangles.clone();
            rest.remove(left_out);
            let points: Vec<Vec3<f64>> = points.iter().map(|p| (*p).into()).collect();
            let geometry = Geometry::new(&points, &rest, &[], 0.0).unwrap();
            let (mut nodes, mut scratch) = ([[0; 30]; 15], [0; 16]);
            let model = avert::hierarchy::build(geometry, &mut nodes, &mut scratch).unwrap();
            assert_eq!(opening(&rest), model.into_solid().err());
        }
        assert_eq!(opening(&triangles), None);
    }
}
