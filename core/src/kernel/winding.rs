//! How often a closed mesh winds about a point.
//!
//! **Computes** the winding number by the triangles that a ray from the point crosses, each counting as +1 or −1 by the side
//! that it shows. **Invariant**: a triangle counts, or does not, only where that is certain for the point and the corners
//! anywhere in their errors; one in doubt makes the ray useless. **Follows** the textbook ray test. **Departs**: no
//! special cases for edges and corners; another ray is taken instead.
//!
//! The frame is sheared so that the ray is an axis: what lies beside it, and behind it, is then told by differences of
//! coordinates.

use super::enclosure::{DEPTH, Model};
use super::hull::{Piece, PieceKind};
use super::node::Node;
use super::shape::Shape;
use crate::mutant::mutant;
use crate::scalar::{Interval, Scalar, Vec3};

/// How far the rays lean to the two other axes: any numbers, but not such as meshes are made of.
const SLOPES: [[f64; 2]; 6] = [
    [0.118_033_99, -0.071_796_77],
    [-0.061_552_81, 0.141_592_65],
    [0.172_905_05, 0.236_067_98],
    [-0.284_271_25, -0.195_823_35],
    [0.359_127_86, -0.316_624_79],
    [-0.414_213_56, 0.267_949_19],
];

/// What a node or a triangle costs in interval arithmetic, in points projected on a direction.
const WORK: u64 = 36;

/// A winding number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Winding {
    /// 0 outside; 1 inside of a mesh that faces outwards.
    pub number: i64,
    /// Some triangle that a ray from the point crosses, if it crosses any.
    pub crossed: Option<usize>,
}

/// How often a solid's mesh winds about a point, if that is certain, and what it cost to find out.
///
/// # Soundness
/// No point within `radius` of `point` lies on a triangle of the model, and the mesh winds about each `number` times,
/// wherever in the geometry's error its corners are. (Of a mesh that is not closed the number says nothing.)
pub fn winding<S: Scalar>(model: &Model<'_, S>, point: Vec3<S>, radius: S) -> (Option<Winding>, u64) {
    // The relative places of the corners are all that counts, so their error is as good as the point's.
    let error = if mutant!(StartErrorDropped) { S::ZERO } else { radius.add_hi(model.geometry().error()) };
    let from = point.map(|x| Interval::ball(x, error));
    // A ray that leads away from the body along the axis on which the point is furthest out is the least likely to cross it.
    let [x, y, z] = (point - model.centre()).to_array();
    let mut axis = if x.abs() >= y.abs() && x.abs() >= z.abs() {
        Axis::X
    } else if y.abs() >= z.abs() {
        Axis::Y
    } else {
        Axis::Z
    };
    let mut work = 0;
    for (i, slopes) in (0..).zip(SLOPES) {
        let out = match axis {
            Axis::X => x,
            Axis::Y => y,
            Axis::Z => z,
        };
        let ray = Ray::new(from, axis, (out >= S::ZERO) == (i < 3), slopes);
        let (found, cost) = ray.cast(model);
        work += cost;
        if found.is_some() {
            return (found, work);
        }
        axis = axis.next();
    }
    (None, work)
}

/// An axis of the model's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    fn next(self) -> Self {
        match self {
            Self::X => Self::Y,
            Self::Y => Self::Z,
            Self::Z => Self::X,
        }
    }
}

/// A ray from a point: along an axis, forwards or backwards, leaning a little to the other two.
struct Ray<S> {
    from: Vec3<Interval<S>>,
    axis: Axis,
    forwards: bool,
    slopes: [Interval<S>; 2],
    /// How far a ball of radius 1 reaches to either side of its centre, along the two axes across the ray.
    spread: [Interval<S>; 2],
}

/// What a triangle is to a ray.
enum Crossing {
    /// They do not meet.
    None,
    /// They meet, and the triangle shows this side: +1 or −1.
    Side(i64),
    /// They come too near to an edge, or the triangle to the point.
    Doubt,
}

impl<S: Scalar> Ray<S> {
    fn new(from: Vec3<Interval<S>>, axis: Axis, forwards: bool, slopes: [f64; 2]) -> Self {
        let slopes = slopes.map(|slope| Interval::point(S::from_f64_near(slope)));
        // x − a·z is the product with (1, 0, −a).
        let spread = slopes.map(|slope| (Interval::ONE + slope.square()).sqrt());
        Self { from, axis, forwards, slopes, spread }
    }

    /// A vector in the ray's frame: the ray is the third axis. The frame keeps its orientation, but backwards.
    fn sheared(&self, v: Vec3<Interval<S>>) -> Vec3<Interval<S>> {
        let (x, y, z) = match self.axis {
            Axis::X => (v.y, v.z, v.x),
            Axis::Y => (v.z, v.x, v.y),
            Axis::Z => (v.x, v.y, v.z),
        };
        let z = if self.forwards { z } else { -z };
        let [a, b] = self.slopes;
        Vec3::new(x - a * z, y - b * z, z)
    }

    /// A point of the model, seen from the ray's start.
    fn seen(&self, x: Vec3<S>) -> Vec3<Interval<S>> {
        self.sheared(x.map(Interval::point) - self.from)
    }

    /// Goes down to all triangles that the ray may cross.
    fn cast(&self, model: &Model<'_, S>) -> (Option<Winding>, u64) {
        let mut found = Winding { number: 0, crossed: None };
        let mut work = 0;
        // A node leaves one child waiting, and the path to it is no longer than the hierarchy is deep.
        let mut waiting = heapless::Vec::<Piece, { DEPTH + 1 }>::new();
        let mut here = Some(model.root());
        while let Some(piece) = here {
            work += WORK;
            here = None;
            match piece.kind() {
                PieceKind::Node(index) => {
                    let Some(node) = model.node(index) else { return (None, work) };
                    if !self.misses(&node) {
                        let [left, right] = node.children;
                        if waiting.push(right).is_err() {
                            return (None, work);
                        }
                        here = Some(left);
                    }
                }
                PieceKind::Primitive(id) => match model.geometry().primitive(id) {
                    Some(Shape::Triangle(corners)) => match self.crossing(&corners) {
                        Crossing::None => {}
                        Crossing::Side(side) => {
                            let side = if self.forwards { side } else { -side };
                            found.number += if mutant!(CrossingUnsigned) { side.abs() } else { side };
                            found.crossed = Some(id);
                        }
                        Crossing::Doubt => return (None, work),
                    },
                    // Hulls are solid by themselves: what is inside of one is at distance 0.
                    Some(Shape::Hull(..) | Shape::Node(_)) => {}
                    None => return (None, work),
                },
            }
            here = here.or_else(|| waiting.pop());
        }
        (Some(found), work)
    }

    /// Does the ray certainly cross nothing in a node?
    fn misses(&self, node: &Node<S>) -> bool {
        let centre = self.seen(node.centre);
        let [u, v] = [node.half_u, node.half_v].map(|axis| self.sheared(axis.map(Interval::point)));
        let radius = Interval::point(node.radius);
        let [along_x, along_y] = self.spread.map(|spread| radius * spread);
        let reach = Vec3::new(
            u.x.abs() + v.x.abs() + along_x,
            u.y.abs() + v.y.abs() + along_y,
            u.z.abs() + v.z.abs() + if mutant!(NodeBehindShort) { Interval::ZERO } else { radius },
        );
        let behind = (centre.z + reach.z).hi() < S::ZERO;
        behind || centre.x.abs().lo() > reach.x.hi() || centre.y.abs().lo() > reach.y.hi()
    }

    fn crossing(&self, corners: &[Vec3<S>; 3]) -> Crossing {
        let corners = corners.map(|x| self.seen(x));
        let positive = |x: &Interval<S>| x.lo() > S::ZERO;
        let negative = |x: &Interval<S>| x.hi() < S::ZERO;
        let (x, y, z) = (corners.map(|v| v.x), corners.map(|v| v.y), corners.map(|v| v.z));
        let beside = |along: &[Interval<S>; 3]| along.iter().all(positive) || along.iter().all(negative);
        if beside(&x) || beside(&y) || z.iter().all(negative) {
            return Crossing::None;
        }
        // To units in which products are about 1, so that a coarse scalar has digits for them. Signs are all that counts.
        let unit = |numbers: &mut dyn Iterator<Item = &Interval<S>>| {
            let most = numbers.fold(S::ZERO, |most, x| most.max(x.magnitude_hi()));
            Interval::point(most.magnifier())
        };
        let (across, along) = (unit(&mut x.iter().chain(&y)), unit(&mut z.iter()));
        let (x, y, [az, bz, cz]) = (x.map(|x| x * across), y.map(|y| y * across), z.map(|z| z * along));
        let ([ax, bx, cx], [ay, by, cy]) = (x, y);
        // Twice the areas that the ray makes with the edges, seen along it. With one of each sign it passes outside.
        let areas = [bx * cy - by * cx, cx * ay - cy * ax, ax * by - ay * bx];
        let side = if areas.iter().all(positive) {
            1
        } else if areas.iter().all(negative) {
            -1
        } else if areas.iter().any(positive) && areas.iter().any(negative) {
            return Crossing::None;
        } else {
            return Crossing::Doubt;
        };
        // The crossing is at the mean of the corners' depths, weighted by the areas opposite to them.
        let [a, b, c] = areas.map(Interval::abs);
        let depth = a * az + b * bz + c * cz;
        if positive(&depth) {
            Crossing::Side(side)
        } else if negative(&depth) {
            Crossing::None
        } else {
            Crossing::Doubt
        }
    }
}
