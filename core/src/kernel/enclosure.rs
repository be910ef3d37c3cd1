//! A hierarchy whose every node is proved to enclose every primitive beneath it.

use super::hull::{Geometry, Node, Piece, PieceKind};
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
            Self::Primitive(i) => write!(f, "primitive {i} does not exist"),
            Self::Twice(i) => write!(f, "primitive {i} is reached twice"),
            Self::Missing => write!(f, "a primitive is not reached"),
            Self::TooDeep => write!(f, "the hierarchy is deeper than {DEPTH} levels"),
            Self::Scratch => write!(f, "the scratch memory is shorter than the number of primitives"),
        }
    }
}

impl core::error::Error for EnclosureError {}

/// A body with its proved hierarchy, ready to be checked.
#[derive(Clone, Copy, Debug)]
pub struct Model<'a, S> {
    geometry: Geometry<'a, S>,
    nodes: &'a [Node<S>],
    root: Piece,
    centre: Vec3<S>,
    ball_hi: S,
    core_hi: S,
    extent_hi: S,
    radius_hi: S,
    fingerprint: u64,
}

impl<'a, S: Scalar> Model<'a, S> {
    /// Proves that `nodes` is a hierarchy over `geometry`.
    ///
    /// # Soundness
    /// In an accepted model every primitive is reached from the root on exactly one path, and every node on that path
    /// encloses the primitive: `core_distance_hi(node, x) + primitive radius ≤ node radius` for its core points `x`.
    pub fn prove(
        geometry: Geometry<'a, S>,
        nodes: &'a [Node<S>],
        root: Piece,
        scratch: &mut [u32],
    ) -> Result<Self, EnclosureError> {
        let seen = scratch.get_mut(..geometry.primitives()).ok_or(EnclosureError::Scratch)?;
        seen.fill(0);
        let mut reached = 0_usize;
        // Depth first. `path` holds the nodes from the root to here, and which child comes next.
        let mut path = heapless::Vec::<(usize, u8), DEPTH>::new();
        let mut here = Some(root);
        loop {
            match here.map(Piece::kind) {
                Some(PieceKind::Node(index)) => {
                    let node = nodes.get(index).ok_or(EnclosureError::Node(index))?;
                    let finite = node.centre.in_range() && node.half_u.in_range() && node.half_v.in_range();
                    if !(finite && node.radius >= S::ZERO && node.radius.in_range()) {
                        return Err(EnclosureError::Node(index));
                    }
                    // A cycle fills the path and ends here.
                    path.push((index, 0)).map_err(|_| EnclosureError::TooDeep)?;
                }
                Some(PieceKind::Primitive(id)) => {
                    let mark = seen.get_mut(id).ok_or(EnclosureError::Primitive(id))?;
                    if *mark != 0 {
                        return Err(EnclosureError::Twice(id));
                    }
                    *mark = 1;
                    reached += 1;
                    let (points, radius) = geometry.primitive(id).ok_or(EnclosureError::Primitive(id))?;
                    for (index, _) in &path {
                        let node = nodes.get(*index).ok_or(EnclosureError::Node(*index))?;
                        let encloses = |x: &Vec3<S>| {
                            let needed = core_distance_hi(node, *x).add_hi(radius);
                            let needed = if mutant!(NodeShrunk) { needed * S::from_f64_near(0.99) } else { needed };
                            needed <= node.radius
                        };
                        if !points.as_slice().iter().all(encloses) {
                            return Err(EnclosureError::NotEnclosed { node: *index, primitive: id });
                        }
                    }
                }
                None => break,
            }
            // The next child of the deepest node that has one left.
            here = loop {
                let Some((index, next)) = path.last_mut() else { break None };
                let children = nodes.get(*index).map(|n| n.children).ok_or(EnclosureError::Node(*index))?;
                if let Some(child) = children.get(usize::from(*next)) {
                    *next += 1;
                    break Some(*child);
                }
                path.pop();
            };
        }
        if reached != geometry.primitives() {
            return Err(EnclosureError::Missing);
        }
        Ok(Self::measured(geometry, nodes, root))
    }

    /// Bounds that hold for the whole body.
    fn measured(geometry: Geometry<'a, S>, nodes: &'a [Node<S>], root: Piece) -> Self {
        let (mut least, mut most) = (Vec3::from([S::GREATEST; 3]), Vec3::from([S::LEAST; 3]));
        // Points that no primitive uses do not count.
        let ids = || 0..geometry.primitives();
        geometry.each_point(ids(), |p, _| {
            least = Vec3::new(least.x.min(p.x), least.y.min(p.y), least.z.min(p.z));
            most = Vec3::new(most.x.max(p.x), most.y.max(p.y), most.z.max(p.z));
        });
        let centre = (least + most) * S::HALF;
        let ball = Node { centre, ..Node::EMPTY };
        let (mut ball_hi, mut extent_hi) = (S::ZERO, S::ZERO);
        geometry.each_point(ids(), |p, _| {
            ball_hi = ball_hi.max(core_distance_hi(&ball, p));
            extent_hi = extent_hi.max(p.norm1_hi());
        });
        // Any point of a node's core is a half axis or two away from its centre.
        let core =
            |n: &Node<S>| core_distance_hi(&ball, n.centre).add_hi(n.half_u.norm_hi()).add_hi(n.half_v.norm_hi());
        let core_hi = nodes.iter().fold(ball_hi, |r, n| r.max(core(n)));
        let extent = |n: &Node<S>| n.centre.norm1_hi().add_hi(n.half_u.norm1_hi()).add_hi(n.half_v.norm1_hi());
        let extent_hi = nodes.iter().fold(extent_hi, |e, n| e.max(extent(n)));
        let radius_hi = geometry.hulls().iter().fold(S::ZERO, |r, h| r.max(h.radius));
        let radius_hi = nodes.iter().fold(radius_hi, |r, n| r.max(n.radius));
        let mut print = crate::fingerprint::Fingerprint::new();
        print.scalar(geometry.error());
        let lengths = [geometry.points().len(), geometry.triangles().len(), geometry.hulls().len(), nodes.len()];
        lengths.iter().for_each(|length| print.word(*length as u64));
        geometry.points().iter().for_each(|p| print.vector(*p));
        geometry.triangles().iter().flatten().for_each(|i| print.word(u64::from(*i)));
        for h in geometry.hulls() {
            print.word(u64::from(h.first) << 32 | u64::from(h.count));
            print.scalar(h.radius);
        }
        for n in nodes {
            [n.centre, n.half_u, n.half_v].into_iter().for_each(|v| print.vector(v));
            print.scalar(n.radius);
            n.children.iter().for_each(|c| print.word(u64::from(c.bits())));
        }
        print.word(u64::from(root.bits()));
        Self { geometry, nodes, root, centre, ball_hi, core_hi, extent_hi, radius_hi, fingerprint: print.finish() }
    }

    /// What the body is made of.
    pub fn geometry(&self) -> &Geometry<'a, S> {
        &self.geometry
    }

    /// The nodes of the hierarchy.
    pub fn nodes(&self) -> &'a [Node<S>] {
        self.nodes
    }

    /// The piece that encloses everything.
    pub fn root(&self) -> Piece {
        self.root
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

    /// # Soundness
    /// Every core point of every primitive and of every node lies within `core_hi` of [`centre`](Model::centre).
    pub fn core_hi(&self) -> S {
        self.core_hi
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

    /// The greatest projections of a piece's core on some directions, and its radius.
    #[inline]
    pub(crate) fn reach<const N: usize>(&self, piece: Piece, along: &[Vec3<S>; N]) -> Option<([S; N], S)> {
        match piece.kind() {
            PieceKind::Node(i) => self.nodes.get(i).map(|n| (n.reach(along), n.radius)),
            PieceKind::Primitive(i) => self.geometry.primitive(i).map(|(points, r)| (points.reach(along), r)),
        }
    }

    /// The two parts of a node; `None` for a primitive.
    pub(crate) fn children(&self, piece: Piece) -> Option<[Piece; 2]> {
        match piece.kind() {
            PieceKind::Node(i) => self.nodes.get(i).map(|n| n.children),
            PieceKind::Primitive(_) => None,
        }
    }
}
