//! A body as triangles, each with a radius, under a tree of boxes; and the distance of two of them.

use super::distance::{Corners, gap_lo, of_triangles, to_sliver};
use super::hull::Faces;
use crate::scenes::{Inflated, Shape};
use nalgebra::{Isometry3, Matrix3, Point3, Vector3};

type V = Vector3<f64>;

/// A face of a primitive.
#[derive(Clone, Copy, Debug)]
struct Face {
    corners: Corners,
    radius: f64,
    primitive: usize,
}

/// A box and what is in it: two nodes, or one face.
#[derive(Clone, Copy, Debug)]
struct Cell {
    centre: V,
    half: V,
    inside: Inside,
}

#[derive(Clone, Copy, Debug)]
enum Inside {
    Cells(usize, usize),
    Face(usize),
}

/// A convex primitive that is full inside: half spaces that it is the common part of.
#[derive(Clone, Debug)]
struct Solid {
    primitive: usize,
    planes: Vec<(V, f64)>,
}

/// A body, ready to be measured.
#[derive(Clone, Debug)]
pub struct Body {
    faces: Vec<Face>,
    cells: Vec<Cell>,
    solids: Vec<Solid>,
    /// For each primitive its first face.
    primitives: Vec<usize>,
}

impl Body {
    /// Takes a shape in.
    pub fn new(shape: &Shape) -> Self {
        let point = |i: usize| V::from(shape.points[i]);
        let mut body = Self { faces: vec![], cells: vec![], solids: vec![], primitives: vec![] };
        for t in &shape.triangles {
            let primitive = body.primitives.len();
            body.primitives.push(body.faces.len());
            body.faces.push(Face { corners: t.map(|i| point(i as usize)), radius: 0.0, primitive });
        }
        for Inflated { first, count, radius } in shape.hulls.iter().copied() {
            let primitive = body.primitives.len();
            body.primitives.push(body.faces.len());
            let points: Vec<V> = (first..first + count).map(point).collect();
            let Faces { corners, planes } = Faces::of(&points);
            body.faces.extend(corners.iter().map(|f| Face { corners: f.map(|i| points[i]), radius, primitive }));
            if !planes.is_empty() {
                body.solids.push(Solid { primitive, planes });
            }
        }
        let mut order: Vec<usize> = (0..body.faces.len()).collect();
        body.grow(&mut order);
        body
    }

    /// Adds the tree over some faces and gives its root.
    fn grow(&mut self, order: &mut [usize]) -> usize {
        let (mut low, mut high) = (V::repeat(f64::INFINITY), V::repeat(f64::NEG_INFINITY));
        for face in order.iter().map(|i| &self.faces[*i]) {
            for p in &face.corners {
                low = low.inf(&p.add_scalar(-face.radius));
                high = high.sup(&p.add_scalar(face.radius));
            }
        }
        let place = self.cells.len();
        let inside = Inside::Face(order[0]);
        self.cells.push(Cell { centre: (low + high) * 0.5, half: (high - low) * 0.5, inside });
        if order.len() > 1 {
            let axis = (high - low).imax();
            let middle = |i: &usize| self.faces[*i].corners.iter().map(|p| p[axis]).sum::<f64>();
            order.sort_by(|i, j| middle(i).total_cmp(&middle(j)));
            let (left, right) = order.split_at_mut(order.len() / 2);
            self.cells[place].inside = Inside::Cells(self.grow(left), self.grow(right));
        }
        place
    }

    /// The distance to another body that stands at `relative` in this one's frame; below zero if they overlap by
    /// more than `clearly`. `hint` is a pair of faces that was near last time.
    pub(crate) fn distance(
        &self,
        other: &Self,
        relative: &Isometry3<f64>,
        clearly: f64,
        hint: &mut Option<[usize; 2]>,
    ) -> f64 {
        let rotation = relative.rotation.to_rotation_matrix().into_inner();
        let spread = rotation.abs();
        let shift = relative.translation.vector;
        // Infinite if the distance cannot be below `least`.
        let measure = |i: usize, j: usize, least: f64| {
            let (a, b) = (&self.faces[i], &other.faces[j]);
            let (there, radii) = (b.corners.map(|p| rotation * p + shift), a.radius + b.radius);
            if gap_lo(&a.corners, &there) > least + radii {
                return f64::INFINITY;
            }
            of_triangles(&a.corners, &there, clearly) - radii
        };
        let mut least = f64::INFINITY;
        if let Some([i, j]) = *hint {
            least = measure(i, j, least);
        }
        let bound = |a: &Cell, b: &Cell| box_distance(a, b, &rotation, &spread, shift);
        let mut open = vec![(bound(&self.cells[0], &other.cells[0]), 0, 0)];
        while let Some((d, i, j)) = open.pop() {
            if d >= least || least < 0.0 {
                continue;
            }
            let pairs = match self.parts(other, i, j) {
                Ok(pairs) => pairs,
                Err([f, g]) => {
                    let found = measure(f, g, least);
                    if found < least {
                        least = found;
                        *hint = Some([f, g]);
                    }
                    continue;
                }
            };
            let [p, q] = pairs.map(|(i, j)| (bound(&self.cells[i], &other.cells[j]), i, j));
            // The nearer one is taken up first.
            open.extend(if p.0 < q.0 { [q, p] } else { [p, q] });
        }
        let held = self.holds(other, relative, clearly, |_| true) || {
            let back = relative.inverse();
            other.holds(self, &back, clearly, |_| true)
        };
        let shares = || hint.is_some_and(|faces| least <= clearly && self.shares(other, relative, faces, clearly));
        if held || least >= 0.0 && shares() { -1.0 } else { least }
    }

    /// Do the solids of two faces clearly have an inside in common? No edge passes through a face of a box that is pushed straight
    /// into one of the same size.
    fn shares(&self, other: &Self, relative: &Isometry3<f64>, faces: [usize; 2], clearly: f64) -> bool {
        let ids = [self.faces[faces[0]].primitive, other.faces[faces[1]].primitive];
        let full = |body: &Self, id: usize| body.solids.iter().any(|solid| solid.primitive == id);
        if !(full(self, ids[0]) && full(other, ids[1])) {
            return false;
        }
        let of = |body: &Self, id: usize| -> Vec<Corners> {
            body.faces.iter().filter(|f| f.primitive == id).map(|f| f.corners).collect()
        };
        let mine = of(self, ids[0]);
        let theirs: Vec<Corners> =
            of(other, ids[1]).iter().map(|f| f.map(|p| (relative * Point3::from(p)).coords)).collect();
        let edges =
            |faces: &[Corners]| -> Vec<V> { faces.iter().flat_map(|[a, b, c]| [b - a, c - b, a - c]).collect() };
        let normals = |faces: &[Corners]| -> Vec<V> { faces.iter().map(|[a, b, c]| (b - a).cross(&(c - a))).collect() };
        let (a, b) = (edges(&mine), edges(&theirs));
        // Two polytopes that are apart are so along one of these.
        let crossed = a.iter().flat_map(|e| b.iter().map(|f| e.cross(f)));
        let mut axes = normals(&mine).into_iter().chain(normals(&theirs)).chain(crossed);
        let reach = |faces: &[Corners], along: &V| {
            let heights = faces.iter().flatten().map(|p| along.dot(p));
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)))
        };
        axes.all(|axis| {
            let Some(axis) = axis.try_normalize(1e-12) else { return true };
            let ((a_low, a_high), (b_low, b_high)) = (reach(&mine, &axis), reach(&theirs, &axis));
            a_high - b_low > clearly && b_high - a_low > clearly
        })
    }

    /// The two pairs of cells that a pair is made of, the larger cell split; or its two faces.
    fn parts(&self, other: &Self, i: usize, j: usize) -> Result<[(usize, usize); 2], [usize; 2]> {
        let (a, b) = (&self.cells[i], &other.cells[j]);
        match (a.inside, b.inside) {
            (Inside::Face(f), Inside::Face(g)) => Err([f, g]),
            (Inside::Cells(l, r), Inside::Face(_)) => Ok([(l, j), (r, j)]),
            (Inside::Face(_), Inside::Cells(l, r)) => Ok([(i, l), (i, r)]),
            (Inside::Cells(l, r), Inside::Cells(m, n)) => {
                Ok(if a.half.max() >= b.half.max() { [(l, j), (r, j)] } else { [(i, m), (i, n)] })
            }
        }
    }

    /// How many pairs of faces are within a distance.
    pub(super) fn contacts(&self, other: &Self, relative: &Isometry3<f64>, within: f64) -> usize {
        let rotation = relative.rotation.to_rotation_matrix().into_inner();
        let (spread, shift) = (rotation.abs(), relative.translation.vector);
        let (mut open, mut count) = (vec![(0, 0)], 0);
        while let Some((i, j)) = open.pop() {
            if box_distance(&self.cells[i], &other.cells[j], &rotation, &spread, shift) > within {
                continue;
            }
            match self.parts(other, i, j) {
                Ok(pairs) => open.extend(pairs),
                Err([f, g]) => {
                    let (a, b) = (&self.faces[f], &other.faces[g]);
                    let there = b.corners.map(|p| rotation * p + shift);
                    let distance = of_triangles(&a.corners, &there, 0.0) - a.radius - b.radius;
                    count += usize::from(distance <= within);
                }
            }
        }
        count
    }

    /// Does a solid of this body hold a primitive of the other one inside?
    fn holds(&self, other: &Self, relative: &Isometry3<f64>, clearly: f64, which: impl Fn([usize; 2]) -> bool) -> bool {
        self.solids.iter().any(|solid| {
            other.primitives.iter().enumerate().any(|(id, face)| {
                let p = (relative * Point3::from(other.faces[*face].corners[0])).coords;
                which([solid.primitive, id]) && solid.planes.iter().all(|(n, d)| n.dot(&p) < d - clearly)
            })
        })
    }

    /// The distance of one primitive of each, by all their faces.
    pub(super) fn primitive_distance(&self, other: &Self, relative: &Isometry3<f64>, ids: [usize; 2]) -> f64 {
        let clearly = 0.0;
        let placed = |p: V| (relative * Point3::from(p)).coords;
        let of = |body: &Self, id: usize| -> Vec<Face> {
            body.faces.iter().filter(|f| f.primitive == id).copied().collect()
        };
        let (mine, theirs) = (of(self, ids[0]), of(other, ids[1]));
        let mut least = f64::INFINITY;
        for a in &mine {
            for b in &theirs {
                let d = of_triangles(&a.corners, &b.corners.map(placed), clearly) - a.radius - b.radius;
                least = least.min(d);
            }
        }
        let held = self.holds(other, relative, clearly, |pair| pair == ids)
            || other.holds(self, &relative.inverse(), clearly, |[b, a]| [a, b] == ids);
        if held { -1.0 } else { least }
    }

    /// The distance of a point of this body's frame from the core of a primitive; 0 inside a solid.
    pub(super) fn core_distance(&self, x: V, id: usize) -> f64 {
        let inside = |s: &Solid| s.primitive == id && s.planes.iter().all(|(n, d)| n.dot(&x) <= *d);
        if self.solids.iter().any(inside) {
            return 0.0;
        }
        let faces = self.faces.iter().filter(|f| f.primitive == id);
        faces.map(|f| to_sliver(x, &f.corners)).fold(f64::INFINITY, f64::min).sqrt()
    }

    /// The radius of a primitive.
    pub(super) fn radius(&self, id: usize) -> f64 {
        self.faces[self.primitives[id]].radius
    }
}

/// The distance of two boxes, the second one enclosed by one along the first one's axes.
fn box_distance(a: &Cell, b: &Cell, rotation: &Matrix3<f64>, spread: &Matrix3<f64>, shift: V) -> f64 {
    let apart = (rotation * b.centre + shift - a.centre).abs() - a.half - spread * b.half;
    apart.sup(&V::zeros()).norm()
}
