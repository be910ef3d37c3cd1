//! A hierarchy whose every node is proved to enclose every primitive beneath it.

use super::hull::{Geometry, Piece, PieceKind};
use super::node::{Grid, Node, NodeBytes};
use super::shape::{HullPoints, Shape};
use super::solid::Parts;
use crate::mutant::mutant;
use crate::scalar::{Scalar, Vec3};

/// The deepest hierarchy that can be proved and searched.
pub(crate) const DEPTH: usize = 128;

/// How far a point lies from the core of a node, at most.
///
/// # Soundness
/// `core_distance_hi(node, x) ≥ min ‖x − (centre + s·half_u + t·half_v)‖` over `|s| ≤ 1`, `|t| ≤ 1`.
pub fn core_distance_hi<S: Scalar>(node: &Node<S>, x: Vec3<S>) -> S {
    // Any weights within [−1, 1] give a point of the core, so how good they are does not matter here.
    let from_centre = x - node.centre;
    let weight = |axis: Vec3<S>| {
        let along = axis * axis.norm_max().magnifier();
        let w = from_centre.dot(along).div_near(axis.dot(along));
        if w >= S::ONE {
            S::ONE
        } else if w > -S::ONE {
            w
        } else if w <= -S::ONE {
            -S::ONE
        } else {
            S::ZERO // NaN: the axis is zero.
        }
    };
    let (s, t) = (weight(node.half_u), weight(node.half_v));
    let offset = x - (node.centre + node.half_u * s + node.half_v * t);
    // Each component takes 5 operations with results of at most `size`, so it errs by at most `error`, and the vector
    // by at most √3·error < 2·error.
    let size =
        x.norm_max().add_hi(node.centre.norm_max()).add_hi(node.half_u.norm_max()).add_hi(node.half_v.norm_max());
    let error = S::rounding_hi(5, size);
    offset.norm_hi().add_hi(error.add_hi(error))
}

/// Why nodes were refused as a hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnclosureError {
    /// This node does not enclose a primitive beneath it.
    NotEnclosed {
        /// The node's index.
        node: usize,
        /// The primitive's id.
        primitive: usize,
    },
    /// This node does not exist, or its numbers are out of range.
    Node(usize),
    /// The support table of this primitive, a hull, leaves out a point that may be extreme.
    Table(usize),
    /// This primitive does not exist.
    Primitive(usize),
    /// This primitive is reached twice.
    Twice(usize),
    /// Some primitive is not reached at all.
    Missing,
    /// The hierarchy is deeper than 128 levels.
    TooDeep,
    /// The scratch memory is shorter than the number of primitives.
    Scratch,
}

impl core::fmt::Display for EnclosureError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NotEnclosed { node, primitive } => write!(f, "node {node} does not enclose primitive {primitive}"),
            Self::Node(i) => write!(f, "node {i} does not exist, or its numbers are out of range"),
            Self::Table(i) => write!(f, "the support table of primitive {i} leaves out a point that may be extreme"),
            Self::Primitive(i) => write!(f, "primitive {i} does not exist"),
            Self::Twice(i) => write!(f, "primitive {i} is reached twice"),
            Self::Missing => write!(f, "a primitive is not reached"),
            Self::TooDeep => write!(f, "the hierarchy is deeper than {DEPTH} levels"),
            Self::Scratch => write!(f, "the scratch memory is shorter than the number of primitives"),
        }
    }
}

impl core::error::Error for EnclosureError {}

/// Nodes that are said to be a hierarchy.
#[derive(Clone, Copy, Debug)]
pub struct Hierarchy<'a> {
    /// The nodes.
    pub nodes: &'a [NodeBytes],
    /// The grid that their numbers are on.
    pub grid: Grid,
    /// The piece that encloses everything.
    pub root: Piece,
}

/// What a walk over a hierarchy comes to.
enum Step {
    Node(usize),
    Primitive(usize),
}

/// A walk over a hierarchy, depth first.
struct Walk {
    /// The nodes from the root to here, and which child comes next.
    path: heapless::Vec<(usize, u8), DEPTH>,
    next: Option<Piece>,
}

impl Walk {
    fn new(root: Piece) -> Self {
        Self { path: heapless::Vec::new(), next: Some(root) }
    }

    fn step(&mut self, children: impl Fn(usize) -> Option<[Piece; 2]>) -> Result<Option<Step>, EnclosureError> {
        // The next child of the deepest node that has one left.
        while self.next.is_none() {
            let Some((index, next)) = self.path.last_mut() else { return Ok(None) };
            let children = children(*index).ok_or(EnclosureError::Node(*index))?;
            match children.get(usize::from(*next)) {
                Some(child) => {
                    *next += 1;
                    self.next = Some(*child);
                }
                None => drop(self.path.pop()),
            }
        }
        Ok(match self.next.take().map(Piece::kind) {
            Some(PieceKind::Node(index)) => {
                // A cycle fills the path and ends here.
                self.path.push((index, 0)).map_err(|_| EnclosureError::TooDeep)?;
                Some(Step::Node(index))
            }
            Some(PieceKind::Primitive(id)) => Some(Step::Primitive(id)),
            None => None,
        })
    }
}

/// The radius that a node needs to enclose a primitive.
fn needed_hi<S: Scalar>(node: &Node<S>, primitive: &Shape<'_, S>) -> S {
    primitive.points().fold(S::ZERO, |most, x| most.max(core_distance_hi(node, x).add_hi(primitive.radius())))
}

/// Raises the radii of stored nodes until each encloses every primitive beneath it, as this scalar proves it.
///
/// Nothing is trusted here: [`Model::prove`] has the last word.
pub(crate) fn widen<S: Scalar>(
    geometry: &Geometry<'_, S>,
    nodes: &mut [NodeBytes],
    grid: Grid,
    root: Piece,
) -> Result<(), EnclosureError> {
    let mut walk = Walk::new(root);
    while let Some(step) = walk.step(|i| nodes.get(i).map(|bytes| Node::<S>::load(bytes, grid).children))? {
        let Step::Primitive(id) = step else { continue };
        let shape = geometry.primitive(id).ok_or(EnclosureError::Primitive(id))?;
        for (index, _) in &walk.path {
            let bytes = nodes.get_mut(*index).ok_or(EnclosureError::Node(*index))?;
            let node = Node::load(bytes, grid);
            let needed = needed_hi(&node, &shape);
            if !(needed <= node.radius) && !Node::raise(bytes, grid, needed) {
                return Err(EnclosureError::NotEnclosed { node: *index, primitive: id });
            }
        }
    }
    Ok(())
}

/// A body with its proved hierarchy, ready to be checked: as the surface that its triangles are (and its hulls, which are
/// full), unless it is declared [solid](Model::into_solid).
#[derive(Clone, Copy, Debug)]
pub struct Model<'a, S> {
    geometry: Geometry<'a, S>,
    hierarchy: Hierarchy<'a>,
    centre: Vec3<S>,
    ball_hi: S,
    half_hi: Vec3<S>,
    core_hi: S,
    reach_hi: S,
    extent_hi: S,
    radius_hi: S,
    pub(super) fingerprint: u64,
    pub(super) solid: bool,
    /// One triangle for every part of the mesh; every triangle is a part of its own without it.
    pub(super) parts: Option<Parts<'a>>,
}

impl<'a, S: Scalar> Model<'a, S> {
    /// Proves that `hierarchy` is one over `geometry`.
    ///
    /// # Soundness
    /// In an accepted model every primitive is reached from the root on exactly one path, and every node on that path
    /// encloses the primitive: `core_distance_hi(node, x) + primitive radius ≤ node radius` for its core points `x`.
    pub fn prove(
        geometry: Geometry<'a, S>,
        hierarchy: Hierarchy<'a>,
        scratch: &mut [u32],
    ) -> Result<Self, EnclosureError> {
        let Hierarchy { nodes, grid, root } = hierarchy;
        let seen = scratch.get_mut(..geometry.primitives()).ok_or(EnclosureError::Scratch)?;
        seen.fill(0);
        let mut reached = 0_usize;
        let load = |i: usize| nodes.get(i).map(|bytes| Node::<S>::load(bytes, grid)).ok_or(EnclosureError::Node(i));
        let mut walk = Walk::new(root);
        while let Some(step) = walk.step(|i| load(i).ok().map(|node| node.children))? {
            match step {
                Step::Node(index) => {
                    let node = load(index)?;
                    let readable = nodes.get(index).is_some_and(|bytes| Node::<S>::is_readable(bytes, grid));
                    let finite = node.centre.in_range() && node.half_u.in_range() && node.half_v.in_range();
                    if !(readable && finite && node.radius >= S::ZERO && node.radius.in_range()) {
                        return Err(EnclosureError::Node(index));
                    }
                }
                Step::Primitive(id) => {
                    let mark = seen.get_mut(id).ok_or(EnclosureError::Primitive(id))?;
                    if *mark != 0 {
                        return Err(EnclosureError::Twice(id));
                    }
                    *mark = 1;
                    reached += 1;
                    let shape = geometry.primitive(id).ok_or(EnclosureError::Primitive(id))?;
                    if let Shape::Hull(HullPoints::Stored(points, Some(table)), _) = &shape
                        && !table.proves(points)
                    {
                        return Err(EnclosureError::Table(id));
                    }
                    for (index, _) in &walk.path {
                        let node = load(*index)?;
                        let needed = needed_hi(&node, &shape);
                        let needed = if mutant!(NodeShrunk) { needed * S::from_f64_near(0.99) } else { needed };
                        if !(needed <= node.radius) {
                            return Err(EnclosureError::NotEnclosed { node: *index, primitive: id });
                        }
                    }
                }
            }
        }
        if reached != geometry.primitives() {
            return Err(EnclosureError::Missing);
        }
        Ok(Self::measured(geometry, hierarchy))
    }

    /// Bounds that hold for the whole body.
    fn measured(geometry: Geometry<'a, S>, hierarchy: Hierarchy<'a>) -> Self {
        let Hierarchy { nodes: stored, grid, root } = hierarchy;
        let nodes = || stored.iter().map(|bytes| Node::<S>::load(bytes, grid));
        let (mut least, mut most) = (Vec3::from([S::GREATEST; 3]), Vec3::from([S::LEAST; 3]));
        // Points that no primitive uses do not count.
        let ids = || 0..geometry.primitives();
        geometry.each_point(ids(), |p, _| {
            least = Vec3::new(least.x.min(p.x), least.y.min(p.y), least.z.min(p.z));
            most = Vec3::new(most.x.max(p.x), most.y.max(p.y), most.z.max(p.z));
        });
        let centre = (least + most) * S::HALF;
        let ball = Node { centre, ..Node::EMPTY };
        let (mut ball_hi, mut extent_hi, mut half_hi) = (S::ZERO, S::ZERO, Vec3::ZERO);
        geometry.each_point(ids(), |p, radius| {
            ball_hi = ball_hi.max(core_distance_hi(&ball, p));
            let away = |p: S, c: S, most: S| most.max(p.sub_hi(c).max(c.sub_hi(p)).add_hi(radius));
            half_hi = Vec3::new(
                away(p.x, centre.x, half_hi.x),
                away(p.y, centre.y, half_hi.y),
                away(p.z, centre.z, half_hi.z),
            );
            extent_hi = extent_hi.max(p.norm1_hi());
        });
        // Any point of a node's core is a half axis or two away from its centre.
        let core = |n: Node<S>| core_distance_hi(&ball, n.centre).add_hi(n.half_u.norm_hi()).add_hi(n.half_v.norm_hi());
        let core_hi = nodes().fold(ball_hi, |r, n| r.max(core(n)));
        let reach_hi = centre.norm_hi().add_hi(core_hi);
        let extent = |n: Node<S>| n.centre.norm1_hi().add_hi(n.half_u.norm1_hi()).add_hi(n.half_v.norm1_hi());
        let extent_hi = nodes().fold(extent_hi, |e, n| e.max(extent(n)));
        let hulls = (0..geometry.hulls()).filter_map(|i| geometry.hull(i));
        let radius_hi = hulls.fold(S::ZERO, |r, h| r.max(h.radius));
        let radius_hi = nodes().fold(radius_hi, |r, n| r.max(n.radius));
        let mut print = crate::fingerprint::Fingerprint::new();
        print.scalar(geometry.error());
        let lengths = [geometry.points(), geometry.triangles(), geometry.hulls(), stored.len()];
        lengths.iter().for_each(|length| print.word(*length as u64));
        (0..geometry.points()).filter_map(|i| geometry.point(i)).for_each(|p| print.vector(p));
        let corners = (0..geometry.triangles()).filter_map(|i| geometry.corners(i));
        corners.flatten().for_each(|i| print.word(u64::from(i)));
        for h in (0..geometry.hulls()).filter_map(|i| geometry.hull(i)) {
            print.word(u64::from(h.first) << 32 | u64::from(h.count));
            print.scalar(h.radius);
        }
        for n in nodes() {
            [n.centre, n.half_u, n.half_v].into_iter().for_each(|v| print.vector(v));
            print.scalar(n.radius);
            n.children.iter().for_each(|c| print.word(u64::from(c.bits())));
        }
        print.word(u64::from(root.bits()));
        let fingerprint = print.finish();
        let (solid, parts) = (false, None);
        Self {
            geometry,
            hierarchy,
            centre,
            ball_hi,
            half_hi,
            core_hi,
            reach_hi,
            extent_hi,
            radius_hi,
            fingerprint,
            solid,
            parts,
        }
    }

    /// What the body is made of.
    pub fn geometry(&self) -> &Geometry<'a, S> {
        &self.geometry
    }

    /// The hierarchy, as it is stored.
    pub fn hierarchy(&self) -> Hierarchy<'a> {
        self.hierarchy
    }

    /// A node of the hierarchy.
    #[inline]
    pub fn node(&self, index: usize) -> Option<Node<S>> {
        self.hierarchy.nodes.get(index).map(|bytes| Node::load(bytes, self.hierarchy.grid))
    }

    /// The piece that encloses everything.
    pub fn root(&self) -> Piece {
        self.hierarchy.root
    }

    /// The middle of the body's box.
    pub fn centre(&self) -> Vec3<S> {
        self.centre
    }

    /// # Soundness
    /// Every core point of every primitive lies within `ball_hi` of [`centre`](Model::centre).
    pub fn ball_hi(&self) -> S {
        self.ball_hi
    }

    /// Half of the body's box, radii included.
    ///
    /// # Soundness
    /// For every point `x` of every primitive, its radius included, no component of `x − centre` is greater in magnitude than that
    /// of `half_hi`.
    pub fn half_hi(&self) -> Vec3<S> {
        self.half_hi
    }

    /// # Soundness
    /// Every core point of every primitive and of every node lies within `core_hi` of [`centre`](Model::centre).
    pub fn core_hi(&self) -> S {
        self.core_hi
    }

    /// # Soundness
    /// Every core point of every primitive and of every node lies within `reach_hi` of the body's origin.
    pub fn reach_hi(&self) -> S {
        self.reach_hi
    }

    /// # Soundness
    /// `‖x‖₁ ≤ extent_hi` for every core point `x` of a primitive, and `‖centre‖₁ + ‖half_u‖₁ + ‖half_v‖₁ ≤ extent_hi` for
    /// every node.
    pub fn extent_hi(&self) -> S {
        self.extent_hi
    }

    /// # Soundness
    /// No node and no hull has a radius above `radius_hi`.
    pub fn radius_hi(&self) -> S {
        self.radius_hi
    }

    /// A number that differs between different models: up to a chance of 2⁻⁶⁴, and not against an adversary.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// A piece, with its numbers.
    #[inline]
    pub fn shape(&self, piece: Piece) -> Option<Shape<'a, S>> {
        match piece.kind() {
            PieceKind::Node(i) => self.node(i).map(Shape::Node),
            PieceKind::Primitive(i) => self.geometry.primitive(i),
        }
    }

    /// The two parts of a node; `None` for a primitive.
    pub(crate) fn children(&self, piece: Piece) -> Option<[Piece; 2]> {
        match piece.kind() {
            PieceKind::Node(i) => self.node(i).map(|n| n.children),
            PieceKind::Primitive(_) => None,
        }
    }
}
