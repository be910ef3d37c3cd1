//! Hierarchies: what is accepted encloses, what is broken is refused, and the body's bounds hold.

use super::scene::{Kind, Parts};
use super::{above, array, exact, grain, single, size, vector};
use crate::exact::Exact;
use crate::random::Random;
use crate::wide::{Dd, core_distance, norm};
use avert::kernel::{Node, Piece, PieceKind, core_distance_hi};
use avert::{Model, Scalar};

/// A node that is one point.
fn point<S: Scalar>() -> Node<S> {
    Node::load(&[0; 30], avert::kernel::Grid::PORTABLE)
}

fn random_node<S: Scalar>(random: &mut Random, size: f64) -> Node<S> {
    let mut axis = || {
        let length = random.pick(&[0.0, 1e-6, 1e-2, 1.0, 1.0]) * size;
        random.direction().map(|x| x * length)
    };
    let (u, v) = (axis(), axis());
    Node { centre: vector(random.vector().map(|x| x * size)), half_u: vector(u), half_v: vector(v), ..point() }
}

fn real_distance<S: Scalar>(node: &Node<S>, x: [f64; 3]) -> Dd {
    core_distance(array(node.centre), array(node.half_u), array(node.half_v), x)
}

/// Against the true distance from the parallelogram, in double-doubles.
pub fn core_distance_law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let size = size::<S>(&mut random, -6.0, 6.0);
        let node = random_node::<S>(&mut random, size);
        let far = random.pick(&[0.0, 1e-3, 1.0, 10.0]) * size;
        let centre = array(node.centre);
        let x = random.vector();
        let x = vector::<S>([0, 1, 2].map(|i| centre[i] + far * x[i]));
        let (got, real) = (core_distance_hi(&node, x), real_distance(&node, array(x)));
        // Nearly parallel half axes cost the oracle digits, but not that many.
        let holds = real <= Dd::from(got.to_f64()) + Dd::from(size * 1e-20);
        if !holds {
            return Err(format!("core_distance_hi({node:?}, {x:?}) = {got:?}, truth {:e}", real.to_f64()));
        }
    }
    Ok(())
}

/// For rectangles, as the builder makes them, the bound is near the truth.
pub fn tight_core_distance<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let little = if single::<S>() { 1e-5 } else { 1e-13 };
    for _ in 0..cases {
        let mut node = random_node::<S>(&mut random, 1.0);
        let (u, v) = (array(node.half_u), random.direction());
        let side = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        node.half_v = vector(side);
        let x = vector::<S>(random.vector().map(|x| 3.0 * x));
        let (got, real) = (core_distance_hi(&node, x).to_f64(), real_distance(&node, array(x)).to_f64());
        if got > real * (1.0 + little) + little + 10.0 * grain::<S>() {
            return Err(format!("core_distance_hi({node:?}, {x:?}) = {got:e}, truth {real:e}"));
        }
    }
    Ok(())
}

/// Does this really enclose: every primitive reached once, and every node on the way around it?
fn encloses<S: Scalar>(parts: &Parts<S>, root: Piece) -> bool {
    let count = parts.triangles.len() + parts.hulls.len();
    let Some(mut ids) = parts.beneath(root) else { return false };
    ids.sort_unstable();
    if ids != (0..count).collect::<Vec<_>>() {
        return false;
    }
    let mut waiting = vec![root];
    while let Some(piece) = waiting.pop() {
        let PieceKind::Node(i) = piece.kind() else { continue };
        let node = &parts.node(i);
        waiting.extend(node.children);
        let numbers = [array(node.centre), array(node.half_u), array(node.half_v)];
        if !(numbers.iter().flatten().all(|x| x.is_finite()) && node.radius.to_f64().is_finite()) {
            return false;
        }
        let radius = Dd::from(node.radius.to_f64());
        let doubt = Dd::from(1e-20 * (norm(array(node.centre).map(Dd::from)).to_f64() + node.radius.to_f64()));
        let inside = |(x, r): &([f64; 3], f64)| real_distance(node, *x) + Dd::from(*r) <= radius + doubt;
        if !parts.cloud(piece).iter().all(inside) {
            return false;
        }
    }
    true
}

/// A built hierarchy encloses; a tampered one is accepted only if it still does.
pub fn prove<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let size = size::<S>(&mut random, -4.0, 5.0);
        let kind = random.pick(&[Kind::Single, Kind::Soup, Kind::Soup, Kind::Loose]);
        let whole = Parts::<S>::random(&mut random, kind, size);
        let root = whole.root.ok_or("no root")?;
        if !encloses(&whole, root) {
            return Err(format!("accepted, but does not enclose: {whole:?}"));
        }
        if whole.nodes.is_empty() {
            continue;
        }
        for _ in 0..6 {
            let mut parts = whole.clone();
            let i = random.below(parts.nodes.len());
            let pieces = parts.pieces();
            let mut node = parts.node(i);
            let mut root = root;
            let mut must_fail = true;
            match random.below(7) {
                0 => {
                    // As far as one part in a hundred and as near as a few units in the last place.
                    let by = random.magnitude(if single::<S>() { -7.0 } else { -16.0 }, -2.0);
                    node.radius = node.radius * S::from_f64_near(1.0 - by);
                    must_fail = false;
                }
                1 => {
                    let by = random.vector().map(|x| x * size * 1e-2);
                    node.centre = node.centre + vector(by);
                    must_fail = false;
                }
                2 => {
                    node.half_u = node.half_u * S::from_f64_near(0.99);
                    must_fail = false;
                }
                // A child instead of another: one is missing, and maybe one is there twice.
                3 => node.children[random.below(2)] = random.pick(&pieces),
                4 => node.children = [node.children[0]; 2],
                5 => root = random.pick(&pieces[1..]),
                _ => must_fail = false,
            }
            parts.nodes[i] = node.store(parts.grid);
            if random.one_in(4) {
                parts.nodes[i][random.below(30)] ^= 1 << random.below(8);
                must_fail = false;
            }
            let unchanged = parts.nodes == whole.nodes && root == parts.root.ok_or("no root")?;
            let mut scratch = vec![0; whole.triangles.len() + whole.hulls.len()];
            let accepted = Model::prove(parts.geometry(), parts.hierarchy(root), &mut scratch).is_ok();
            if accepted && !unchanged && (must_fail || !encloses(&parts, root)) {
                return Err(format!("a broken hierarchy is accepted: root {root:?}, {parts:?}"));
            }
        }
    }
    Ok(())
}

fn each_model<S: Scalar>(
    cases: u64,
    seed: u64,
    check: impl Fn(&Parts<S>, &Model<'_, S>) -> bool,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let size = size::<S>(&mut random, -4.0, 5.0);
        let kind = random.pick(&[Kind::Ball, Kind::Single, Kind::Soup, Kind::Loose]);
        let parts = Parts::<S>::random(&mut random, kind, size);
        if !check(&parts, &parts.model()) {
            return Err(format!("{parts:?}"));
        }
    }
    Ok(())
}

fn norm1(v: [f64; 3]) -> Exact {
    v.iter().fold(Exact::zero(), |sum, x| &sum + &Exact::from_f64(x.abs()))
}

/// Exactly, for all points and nodes.
pub fn extent_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_model::<S>(cases, seed, |parts, model| {
        let node = |n: Node<S>| &(&norm1(array(n.centre)) + &norm1(array(n.half_u))) + &norm1(array(n.half_v));
        parts.points.iter().all(|p| above(model.extent_hi(), &norm1(array(*p))))
            && (0..parts.nodes.len()).all(|i| above(model.extent_hi(), &node(parts.node(i))))
    })
}

/// Exactly, for all nodes and hulls.
pub fn radius_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_model::<S>(cases, seed, |parts, model| {
        let nodes = (0..parts.nodes.len()).map(|i| parts.node(i).radius);
        parts.hulls.iter().map(|h| h.radius).chain(nodes).all(|r| r <= model.radius_hi())
    })
}

/// Exactly, for all points of all primitives and the sides of their balls.
pub fn half_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_model::<S>(cases, seed, |parts, model| {
        let (centre, half) = (array(model.centre()), model.half_hi().to_array());
        let root = parts.root.expect("grown");
        parts.cloud(root).iter().all(|(p, radius)| {
            (0..3).all(|i| {
                let off = (&Exact::from_f64(p[i]) - &Exact::from_f64(centre[i])).abs();
                above(half[i], &(&off + &Exact::from_f64(*radius)))
            })
        })
    })
}

/// For all points and the corners of all nodes.
pub fn reach_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_model::<S>(cases, seed, |parts, model| {
        let points = parts.points.iter().map(|p| array(*p).map(Dd::from));
        points.chain(corners(parts)).all(|x| within([0.0; 3], x, model.reach_hi()))
    })
}

fn corners<S: Scalar>(parts: &Parts<S>) -> impl Iterator<Item = [Dd; 3]> {
    (0..parts.nodes.len()).flat_map(|i| {
        let n = parts.node(i);
        let [c, u, v] = [n.centre, n.half_u, n.half_v].map(|v| array(v).map(Dd::from));
        [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)]
            .map(|(s, t)| [0, 1, 2].map(|i| c[i] + u[i] * Dd::from(s) + v[i] * Dd::from(t)))
    })
}

fn within<S: Scalar>(centre: [f64; 3], x: [Dd; 3], bound: S) -> bool {
    let off = [0, 1, 2].map(|i| x[i] - Dd::from(centre[i]));
    norm(off) <= Dd::from(bound.to_f64()) + Dd::from(bound.to_f64() * 1e-25)
}

/// Exactly, for all points.
pub fn ball_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_model::<S>(cases, seed, |parts, model| {
        let centre = array(model.centre());
        let square = |p: [f64; 3]| {
            let off = [0, 1, 2].map(|i| &Exact::from_f64(p[i]) - &Exact::from_f64(centre[i]));
            crate::exact::dot(&off, &off)
        };
        parts.points.iter().all(|p| exact(model.ball_hi()).square() >= square(array(*p)))
    })
}

/// For all points and the corners of all nodes.
pub fn core_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_model::<S>(cases, seed, |parts, model| {
        let centre = array(model.centre());
        parts
            .points
            .iter()
            .map(|p| array(*p).map(Dd::from))
            .chain(corners(parts))
            .all(|x| within(centre, x, model.core_hi()))
    })
}
