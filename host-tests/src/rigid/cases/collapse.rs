//! A mesh made coarser.
//!
//! **Computes** a mesh with fewer triangles of about equal size. **Invariant**: what was a closed manifold is one.
//! **Follows** Hoppe et al. 1993, of whose moves it takes one, the collapse of an edge. **Departs**: shortest edge first.

use crate::scenes::{Point, Shape, add, cross, length, times};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// Draws the shortest edges together, each to its middle, until so many triangles are left. A closed manifold stays one.
pub(super) fn collapsed(shape: &Shape, triangles: usize) -> Shape {
    let mut mesh = Mesh::new(shape);
    while mesh.alive > triangles
        && let Some(Reverse((_, edge, versions))) = mesh.queue.pop()
    {
        if edge.map(|v| mesh.versions[v]) == versions && mesh.may_collapse(edge) {
            mesh.collapse(edge);
        }
    }
    mesh.finish()
}

/// The length's bits, which sort as it does; the ends; and which version of their places it was measured between.
type Edge = Reverse<(u64, [usize; 2], [u32; 2])>;

struct Mesh {
    points: Vec<Point>,
    /// Of a point: how often it has moved. A point that is gone has the greatest.
    versions: Vec<u32>,
    triangles: Vec<Option<[usize; 3]>>,
    /// The triangles at each point.
    around: Vec<Vec<usize>>,
    alive: usize,
    queue: BinaryHeap<Edge>,
}

impl Mesh {
    fn new(shape: &Shape) -> Self {
        let triangles: Vec<_> = shape.triangles.iter().map(|t| Some(t.map(|i| i as usize))).collect();
        let mut around = vec![vec![]; shape.points.len()];
        for (id, t) in triangles.iter().enumerate() {
            t.iter().flatten().for_each(|v| around[*v].push(id));
        }
        let versions = vec![0; shape.points.len()];
        let (points, alive) = (shape.points.clone(), triangles.len());
        let mut mesh = Self { points, versions, triangles, around, alive, queue: BinaryHeap::new() };
        (0..mesh.points.len()).for_each(|v| mesh.enqueue(v, |other| v < other));
        mesh
    }

    fn enqueue(&mut self, v: usize, which: impl Fn(usize) -> bool) {
        for other in self.neighbours(v) {
            if which(other) {
                let far = length(add(self.points[v], times(self.points[other], -1.0)));
                let edge = [v.min(other), v.max(other)];
                self.queue.push(Reverse((far.to_bits(), edge, edge.map(|v| self.versions[v]))));
            }
        }
    }

    fn corners(&self, v: usize) -> impl Iterator<Item = [usize; 3]> {
        self.around[v].iter().filter_map(|t| self.triangles[*t])
    }

    fn neighbours(&self, v: usize) -> Vec<usize> {
        let mut all: Vec<_> = self.corners(v).flatten().filter(|other| *other != v).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The surface stays a manifold if the ends have two neighbours in common (Dey et al. 1999), and decent if no triangle
    /// turns over.
    fn may_collapse(&self, [a, b]: [usize; 2]) -> bool {
        let near_a: HashSet<_> = self.neighbours(a).into_iter().collect();
        if self.neighbours(b).iter().filter(|v| near_a.contains(v)).count() != 2 {
            return false;
        }
        let middle = self.middle([a, b]);
        let normal = |[p, q, r]: [Point; 3]| cross(add(q, times(p, -1.0)), add(r, times(p, -1.0)));
        let stays = |t: [usize; 3]| {
            let before = normal(t.map(|v| self.points[v]));
            let after = normal(t.map(|v| if v == a || v == b { middle } else { self.points[v] }));
            let dot: f64 = before.iter().zip(after).map(|(x, y)| x * y).sum();
            dot > 0.2 * length(before) * length(after)
        };
        let both = |t: &[usize; 3]| t.contains(&a) && t.contains(&b);
        self.corners(a).chain(self.corners(b)).filter(|t| !both(t)).all(stays)
    }

    fn middle(&self, [a, b]: [usize; 2]) -> Point {
        times(add(self.points[a], self.points[b]), 0.5)
    }

    fn collapse(&mut self, [a, b]: [usize; 2]) {
        self.points[a] = self.middle([a, b]);
        self.versions[a] += 1;
        self.versions[b] = u32::MAX;
        for id in std::mem::take(&mut self.around[b]) {
            let Some(t) = self.triangles[id] else { continue };
            if t.contains(&a) {
                self.triangles[id] = None;
                self.alive -= 1;
            } else {
                self.triangles[id] = Some(t.map(|v| if v == b { a } else { v }));
                self.around[a].push(id);
            }
        }
        self.enqueue(a, |_| true);
    }

    fn finish(self) -> Shape {
        let mut ids = vec![u32::MAX; self.points.len()];
        let mut shape = Shape::default();
        for t in self.triangles.into_iter().flatten() {
            shape.triangles.push(t.map(|v| {
                if ids[v] == u32::MAX {
                    ids[v] = shape.points.len() as u32;
                    shape.points.push(self.points[v]);
                }
                ids[v]
            }));
        }
        shape
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::torus;

    #[test]
    fn a_coarse_ring_is_a_closed_ring() {
        let coarse = collapsed(&torus(60, 30, 0.25), 1000);
        assert_eq!((coarse.triangles.len(), coarse.points.len()), (1000, 500));
        // From the circle in the middle of the tube.
        let depth = |p: &Point| length([length([p[0], p[1], 0.0]) - 0.75, p[2], 0.0]);
        assert!(coarse.points.iter().all(|p| (0.2..0.28).contains(&depth(p))));
        let ways = coarse.triangles.iter().flat_map(|[a, b, c]| [(*a, *b), (*b, *c), (*c, *a)]);
        let directed: HashSet<_> = ways.collect();
        assert!(directed.len() == 3000 && directed.iter().all(|(p, q)| directed.contains(&(*q, *p))));
    }
}
