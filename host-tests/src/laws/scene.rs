//! Random small bodies and motions, each with its truth beside it.

use super::{array, near, vector};
use crate::random::Random;
use crate::scenes::turn;
use crate::wide::{Motion, Place};
use avert::kernel::{Grid, Hierarchy, Node, Piece, PieceKind, core_distance_hi};
use avert::{Geometry, Hull, Interval, Model, NodeBytes, Pose, Quaternion, RigidMotion, Scalar, Vec3, Velocities};

/// A body in owned memory.
#[derive(Clone, Debug)]
pub struct Parts<S> {
    pub points: Vec<Vec3<S>>,
    pub triangles: Vec<[u32; 3]>,
    pub hulls: Vec<Hull<S>>,
    pub error: S,
    pub nodes: Vec<NodeBytes>,
    pub grid: Grid,
    pub root: Option<Piece>,
}

/// What a random body may be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    /// A sphere.
    Ball,
    /// One hull of a few points, or one triangle.
    Single,
    /// Triangles and hulls, degenerate ones too, with a hierarchy.
    Soup,
    /// As `Soup`, with nodes that are far larger than they need to be.
    Loose,
}

impl<S: Scalar> Parts<S> {
    /// A random body of about this size, somewhere about its origin.
    pub fn random(random: &mut Random, kind: Kind, size: f64) -> Self {
        let away = random.pick(&[0.0, 0.0, 1.0, 10.0]) * size;
        let offset = random.vector().map(|x| x * away);
        let mut parts = Self {
            points: Vec::new(),
            triangles: Vec::new(),
            hulls: Vec::new(),
            error: if random.one_in(3) { near(size * random.magnitude(-6.0, -1.0)) } else { S::ZERO },
            nodes: Vec::new(),
            grid: Grid::PORTABLE,
            root: None,
        };
        match kind {
            Kind::Ball => parts.add_hull(random, offset, size, 1),
            Kind::Single if random.one_in(2) => parts.add_triangle(random, offset, size),
            Kind::Single => {
                let count = 2 + random.below(7);
                parts.add_hull(random, offset, size, count);
            }
            Kind::Soup | Kind::Loose => {
                for _ in 0..2 + random.below(4) {
                    let at = random.vector().map(|x| x * size);
                    let at = [0, 1, 2].map(|i| at[i] + offset[i]);
                    let size = size * random.magnitude(-2.0, 0.0);
                    parts.add_triangle(random, at, size);
                }
                for _ in 0..random.below(3) {
                    let count = 1 + random.below(4);
                    parts.add_hull(random, offset, size, count);
                }
            }
        }
        parts.grow();
        if kind == Kind::Loose {
            parts.loosen(random, size);
        }
        parts
    }

    fn add_point(&mut self, x: [f64; 3]) -> u32 {
        let tidy = |x: f64| if x.abs() < 1e-30 { 0.0 } else { x };
        self.points.push(vector(x.map(tidy)));
        self.points.len() as u32 - 1
    }

    fn add_hull(&mut self, random: &mut Random, offset: [f64; 3], size: f64, count: usize) {
        let first = self.points.len() as u32;
        for _ in 0..count {
            let x = random.vector();
            self.add_point([0, 1, 2].map(|i| offset[i] + size * x[i]));
        }
        let radius = if random.one_in(3) { S::ZERO } else { near(size * random.magnitude(-3.0, 0.3)) };
        self.hulls.push(Hull { first, count: count as u32, radius });
    }

    fn add_triangle(&mut self, random: &mut Random, at: [f64; 3], size: f64) {
        let mut corners = [0; 3].map(|_| random.vector().map(|x| x * size));
        match random.below(6) {
            0 => corners[2] = corners[1],
            1 => corners = [corners[0]; 3],
            2 => corners[2] = [0, 1, 2].map(|i| (corners[0][i] + corners[1][i]) / 2.0),
            3 => corners.iter_mut().for_each(|c| c[2] = 0.0),
            _ => {}
        }
        let triangle = corners.map(|c| self.add_point([0, 1, 2].map(|i| at[i] + c[i])));
        self.triangles.push(triangle);
    }

    /// Moves every point.
    pub(super) fn shift(&mut self, by: [f64; 3]) {
        for p in &mut self.points {
            let x = array(*p);
            *p = vector([0, 1, 2].map(|i| x[i] + by[i]).map(|x| if x.abs() < 1e-30 { 0.0 } else { x }));
        }
        self.grow();
    }

    /// Builds the hierarchy.
    fn grow(&mut self) {
        let count = self.triangles.len() + self.hulls.len();
        let mut nodes = vec![[0; 30]; avert::hierarchy::nodes_needed(count)];
        let geometry = self.geometry();
        let model = avert::hierarchy::build(geometry, &mut nodes, &mut vec![0; count]).expect("small numbers");
        let (root, grid) = (model.root(), model.hierarchy().grid);
        self.nodes = nodes;
        self.grid = grid;
        self.root = Some(root);
    }

    /// Makes nodes that enclose, but from afar: the far side of the node is a long way off.
    fn loosen(&mut self, random: &mut Random, size: f64) {
        let nodes: Vec<Node<S>> = (0..self.nodes.len()).map(|i| self.node(i)).collect();
        let most = if S::FLOATING { (size * 4e4).min(5e8) } else { 400.0 };
        self.grid = Grid::around(S::from_f64_near(most), S::FINEST).expect("a grid for small numbers");
        for (i, node) in nodes.into_iter().enumerate() {
            if random.one_in(3) {
                self.put(i, node);
                continue;
            }
            let far = if S::FLOATING {
                (size * random.magnitude(0.0, 4.0)).min(1e8)
            } else {
                size + random.magnitude(-1.0, 2.0)
            };
            let (u, v) = (random.direction(), random.direction());
            let centre = array(node.centre);
            let node = Node {
                centre: vector([0, 1, 2].map(|k| centre[k] + far * u[k])),
                half_u: vector(u.map(|x| far * x * random.pick(&[1.0, 0.9]))),
                half_v: vector(v.map(|x| size * x)),
                ..node
            };
            self.put(i, node);
        }
    }

    /// A node.
    pub fn node(&self, i: usize) -> Node<S> {
        Node::load(&self.nodes[i], self.grid)
    }

    /// Stores a node, with a radius that encloses everything.
    fn put(&mut self, i: usize, mut node: Node<S>) {
        loop {
            self.nodes[i] = node.store(self.grid);
            let stored = self.node(i);
            // A generator may ask the code under test how large a node must be: the laws check the answer elsewhere.
            let points = self.points.iter().map(|p| core_distance_hi(&stored, *p)).fold(S::ZERO, S::max);
            let needed = self.hulls.iter().fold(S::ZERO, |r, h| r.max(h.radius)).add_hi(points);
            if needed <= stored.radius {
                return;
            }
            node.radius = needed * S::from_f64_near(1.001);
        }
    }

    /// The geometry.
    pub fn geometry(&self) -> Geometry<'_, S> {
        Geometry::new(&self.points, &self.triangles, &self.hulls, self.error).expect("a valid geometry")
    }

    /// The proved model.
    pub fn model(&self) -> Model<'_, S> {
        let mut scratch = vec![0; self.triangles.len() + self.hulls.len()];
        let root = self.root.expect("grown");
        Model::prove(self.geometry(), self.hierarchy(root), &mut scratch).expect("an enclosing hierarchy")
    }

    /// The nodes below a root.
    pub fn hierarchy(&self, root: Piece) -> Hierarchy<'_> {
        Hierarchy { nodes: &self.nodes, grid: self.grid, root }
    }

    /// The ids of the primitives beneath a piece, as often as they are reached; `None` where the tree is broken.
    pub fn beneath(&self, piece: Piece) -> Option<Vec<usize>> {
        let mut found = Vec::new();
        let mut waiting = vec![(piece, 0)];
        while let Some((piece, depth)) = waiting.pop() {
            match piece.kind() {
                PieceKind::Primitive(id) => found.push(id),
                PieceKind::Node(i) if depth < 200 && found.len() < 10_000 => {
                    self.nodes.get(i)?;
                    waiting.extend(self.node(i).children.map(|child| (child, depth + 1)));
                }
                PieceKind::Node(_) => return None,
            }
        }
        Some(found)
    }

    /// The core points of a primitive, with its radius.
    pub fn primitive(&self, id: usize) -> Option<Vec<([f64; 3], f64)>> {
        if let Some(triangle) = self.triangles.get(id) {
            return Some(triangle.iter().map(|i| (array(self.points[*i as usize]), 0.0)).collect());
        }
        let hull = self.hulls.get(id - self.triangles.len())?;
        let points = &self.points[hull.first as usize..(hull.first + hull.count) as usize];
        Some(points.iter().map(|p| (array(*p), hull.radius.to_f64())).collect())
    }

    /// The core points of all primitives beneath a piece, with their radii.
    pub fn cloud(&self, piece: Piece) -> Vec<([f64; 3], f64)> {
        let ids = self.beneath(piece).expect("a whole tree");
        ids.into_iter().flat_map(|id| self.primitive(id).expect("an existing primitive")).collect()
    }

    /// Every piece: the root, inner nodes and primitives.
    pub fn pieces(&self) -> Vec<Piece> {
        let mut all = vec![self.root.expect("grown")];
        all.extend((0..self.nodes.len()).flat_map(|i| self.node(i).children));
        all
    }
}

/// The numbers of a pose: quaternion and position.
pub type Numbers = ([f64; 4], [f64; 3]);

/// Where a motion goes.
#[derive(Clone, Debug)]
pub enum Goal {
    /// To a second pose, by the shortest rotation.
    Pose(Numbers),
    /// The same, on a screw.
    Screw(Numbers),
    /// On with these linear and angular velocities.
    Velocities([f64; 3], [f64; 3]),
}

/// The numbers that define a motion, each of which may be known only within `width`.
#[derive(Clone, Debug)]
pub struct Course {
    pub from: Numbers,
    pub to: Goal,
    pub centre: [f64; 3],
    pub width: f64,
    /// Where in its interval each number truly is: −1, 0 or 1, by turns.
    pulls: u64,
}

impl Course {
    /// A random motion of a body of about this size.
    pub fn random(random: &mut Random, size: f64, uncertain: bool) -> Self {
        let reach = size * random.magnitude(-1.0, 1.5);
        let place = |random: &mut Random| random.vector().map(|x| x * reach);
        let from = (random.quaternion(), place(random));
        let angle = match random.below(8) {
            0 => 0.0,
            1 => random.magnitude(-8.0, -2.0),
            2 => std::f64::consts::PI - random.within(0.0, 1e-3),
            _ => random.within(0.0, 3.0),
        };
        let moved = if random.one_in(6) { [0.0; 3] } else { place(random) };
        let axis = random.direction();
        let to = if random.one_in(2) {
            let position = [0, 1, 2].map(|i| from.1[i] + moved[i]);
            let to = (times(turn(axis, angle), from.0), position);
            if random.one_in(3) { Goal::Screw(to) } else { Goal::Pose(to) }
        } else {
            let angle = if random.one_in(8) { angle * 20.0 } else { angle };
            Goal::Velocities(moved, axis.map(|x| x * angle))
        };
        let centre = if random.one_in(3) { [0.0; 3] } else { place(random) };
        let width = if uncertain { random.magnitude(-5.0, -3.3) } else { 0.0 };
        Self { from, to, centre, width, pulls: random.bits() }
    }

    /// A random screw: ordinary, of nearly half a turn, or with hardly any turn and an axis that is far away.
    pub fn screw(random: &mut Random, size: f64, uncertain: bool) -> Self {
        let course = Self::random(random, size, uncertain);
        let angle = match random.below(6) {
            0 => 0.0,
            1 | 2 => random.magnitude(-12.0, -3.0),
            3 => std::f64::consts::PI - random.magnitude(-7.0, -1.0),
            _ => random.within(0.0, 3.0),
        };
        let way = random.vector().map(|x| x * size * random.magnitude(-2.0, 1.0));
        let position = [0, 1, 2].map(|i| course.from.1[i] + way[i]);
        let to = (times(turn(random.direction(), angle), course.from.0), position);
        Self { to: Goal::Screw(to), ..course }
    }

    /// A body that stands.
    pub fn still(random: &mut Random, size: f64) -> Self {
        let from = (random.quaternion(), random.vector().map(|x| x * size));
        Self { from, to: Goal::Velocities([0.0; 3], [0.0; 3]), centre: [0.0; 3], width: 0.0, pulls: 0 }
    }

    /// Moves the whole motion.
    pub fn shift(&mut self, by: [f64; 3]) {
        let add = |p: &mut [f64; 3]| *p = [0, 1, 2].map(|i| p[i] + by[i]);
        add(&mut self.from.1);
        if let Goal::Pose((_, p)) | Goal::Screw((_, p)) = &mut self.to {
            add(p);
        }
    }

    /// The motion in machine numbers and in truth; `None` if it is refused.
    pub fn make<S: Scalar>(&self) -> Option<(RigidMotion<S>, Motion)> {
        let mut place = self.pulls;
        let tidy = |x: f64| if x.abs() < 1e-30 { 0.0 } else { x };
        let mut number = |x: f64, width: f64| -> (Interval<S>, f64) {
            let (lo, mid, hi): (S, S, S) = (near(tidy(x - width)), near(tidy(x)), near(tidy(x + width)));
            place = place.rotate_left(5);
            let truth = [lo, mid, hi][(place % 3) as usize];
            (Interval::new(lo, hi), truth.to_f64())
        };
        let scale = |p: &[f64; 3]| self.width * p.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let mut pose = |(q, p): &Numbers| {
            let q = q.map(|x| number(x, self.width));
            let p = p.map(|x| number(x, scale(p)));
            let [w, x, y, z] = q.map(|n| n.0);
            let machine = Pose { rotation: Quaternion::new(w, x, y, z), position: p.map(|n| n.0).into() };
            (machine, (q.map(|n| n.1), p.map(|n| n.1)))
        };
        let (from, from_true) = pose(&self.from);
        let centre: Vec3<S> = vector(self.centre.map(tidy));
        match &self.to {
            Goal::Pose(to) => {
                let (to, to_true) = pose(to);
                let machine = RigidMotion::between_enclosures(from, to, centre).ok()?;
                Some((machine, Motion::between(from_true, to_true, array(centre))))
            }
            Goal::Screw(to) => {
                let (to, to_true) = pose(to);
                let machine = RigidMotion::screw_enclosures(from, to).ok()?;
                Some((machine, Motion::screw(from_true, to_true, array(machine.centre()))))
            }
            Goal::Velocities(linear, angular) => {
                let v = linear.map(|x| number(x, scale(linear)));
                let w = angular.map(|x| number(x, scale(angular)));
                let velocities = Velocities { linear: v.map(|n| n.0).into(), angular: w.map(|n| n.0).into() };
                let machine = RigidMotion::with_velocity_enclosures(from, centre, velocities).ok()?;
                Some((machine, Motion::with_velocities(from_true, array(centre), v.map(|n| n.1), w.map(|n| n.1))))
            }
        }
    }
}

/// The product of two quaternions.
fn times(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    let [w, x, y, z] = a;
    let [p, q, r, s] = b;
    [
        w * p - x * q - y * r - z * s,
        w * q + x * p + y * s - z * r,
        w * r - x * s + y * p + z * q,
        w * s + x * r - y * q + z * p,
    ]
}

/// Where two bodies truly are at some times.
pub fn places(motions: [&Motion; 2], times: &[f64]) -> Vec<[Place; 2]> {
    times.iter().map(|t| motions.map(|m| m.place(*t))).collect()
}
