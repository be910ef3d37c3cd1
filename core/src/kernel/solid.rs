//! Solids: is a mesh closed, and into which connected parts does a body fall?
//!
//! A closed mesh winds about every point that is not on it a whole number of times, and that number is the same along every
//! path that does not meet the mesh. *Inside* is where it is not 0. So one point of a connected part tells for the whole
//! part, and one moment for the whole motion, as long as the surfaces stay apart.

use super::enclosure::Model;
use super::hull::Geometry;
use crate::fingerprint::Fingerprint;
use crate::mutant::mutant;
use crate::scalar::Scalar;

/// Why a model was refused as a solid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolidError {
    /// Along this edge, given by its two points, the triangles do not go as often one way as the other.
    Open([u32; 2]),
}

impl core::fmt::Display for SolidError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let Self::Open([a, b]) = self;
        write!(f, "the mesh is open, or its triangles face different ways, at the edge between the points {a} and {b}")
    }
}

impl core::error::Error for SolidError {}

/// Why a list of parts was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartsError {
    /// There must be scratch for this many indices: one for every point.
    Scratch(usize),
    /// This triangle does not exist.
    Triangle(usize),
    /// This triangle stands for a part that another one stands for already.
    Twice(usize),
    /// No triangle stands for the part that this one belongs to.
    Missing(usize),
}

impl core::fmt::Display for PartsError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Scratch(n) => write!(f, "the proof needs scratch for {n} indices"),
            Self::Triangle(i) => write!(f, "triangle {i} does not exist"),
            Self::Twice(i) => write!(f, "triangle {i} stands for a part that another one stands for"),
            Self::Missing(i) => write!(f, "no triangle stands for the part that triangle {i} belongs to"),
        }
    }
}

impl core::error::Error for PartsError {}

/// A list of triangles, one for every part.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parts<'a> {
    /// In a slice of the caller's.
    Slice(&'a [u32]),
    /// In a blob: three bytes each.
    Stored(&'a [[u8; 3]]),
}

impl Parts<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Slice(parts) => parts.len(),
            Self::Stored(parts) => parts.len(),
        }
    }

    fn get(&self, index: usize) -> Option<usize> {
        match self {
            Self::Slice(parts) => parts.get(index).map(|id| *id as usize),
            Self::Stored(parts) => parts.get(index).map(|[a, b, c]| u32::from_le_bytes([*a, *b, *c, 0]) as usize),
        }
    }
}

impl<'a, S: Scalar> Model<'a, S> {
    /// Declares the triangles to be the surface of a solid: what is wholly inside of them touches the body, too.
    ///
    /// The mesh must be closed, over shared points, and its triangles must face alike; whether outwards or inwards does not
    /// matter. Shells may overlap, and a shell that faces the other way is a cavity. Hulls are solid in any case.
    ///
    /// # Soundness
    /// In an accepted model the triangles go along every edge as often one way as the other, up to a chance of 2⁻⁶⁴ and not
    /// against an adversary. That is, as a chain they have no boundary, wherever their points are.
    pub fn into_solid(mut self) -> Result<Self, SolidError> {
        let open = !mutant!(OpenAccepted) && boundary(self.geometry(), |_, _| true) != 0;
        if !open {
            let mut print = Fingerprint::new();
            [self.fingerprint, 1].into_iter().for_each(|word| print.word(word));
            (self.solid, self.fingerprint) = (true, print.finish());
            return Ok(self);
        }
        // Of two halves of a sum that is not 0 one is not 0, so halving the range of points leads to an edge.
        let halve = |differs: &dyn Fn(u32, u32) -> bool| {
            let (mut from, mut until) = (0, u32::MAX);
            while until - from > 1 {
                let middle = from + (until - from) / 2;
                if differs(from, middle) {
                    until = middle;
                } else {
                    from = middle;
                }
            }
            from
        };
        let low = halve(&|from, until| boundary(self.geometry(), |low, _| (from..until).contains(&low)) != 0);
        let high =
            halve(&|from, until| boundary(self.geometry(), |l, high| l == low && (from..until).contains(&high)) != 0);
        Err(SolidError::Open([low, high]))
    }

    /// Is the body full inside?
    pub fn is_solid(&self) -> bool {
        self.solid
    }

    /// Names one triangle for every part of the mesh that hangs together by shared points;
    /// [`hierarchy::parts`](crate::hierarchy::parts) finds them. `scratch` needs one index for every point.
    ///
    /// A solid and another body are then compared at one point of every part (and of every hull) of each. Without such a
    /// list they are compared at one point of every triangle, which takes long.
    ///
    /// # Soundness
    /// In an accepted model every triangle is connected with exactly one of the named ones by triangles that share points.
    pub fn with_parts(self, parts: &'a [u32], scratch: &mut [u32]) -> Result<Self, PartsError> {
        self.with_list(Parts::Slice(parts), scratch)
    }

    pub(crate) fn with_list(mut self, parts: Parts<'a>, scratch: &mut [u32]) -> Result<Self, PartsError> {
        let needed = PartsError::Scratch(self.geometry().points());
        let mut joined = Joined::new(self.geometry(), scratch).ok_or(needed)?;
        for id in (0..parts.len()).filter_map(|i| parts.get(i)) {
            match joined.mark(self.geometry(), id) {
                Some(true) => {}
                Some(false) => return Err(PartsError::Twice(id)),
                None => return Err(PartsError::Triangle(id)),
            }
        }
        let mut ids = 0..self.geometry().triangles();
        let missing = ids.find(|id| joined.mark(self.geometry(), *id) == Some(true));
        if let Some(id) = missing.filter(|_| !mutant!(PartMissing)) {
            return Err(PartsError::Missing(id));
        }
        let mut print = Fingerprint::new();
        [self.fingerprint, 2, parts.len() as u64].into_iter().for_each(|word| print.word(word));
        (0..parts.len()).filter_map(|i| parts.get(i)).for_each(|id| print.word(id as u64));
        (self.parts, self.fingerprint) = (Some(parts), print.finish());
        Ok(self)
    }

    /// How many parts there are: of the mesh, then hulls.
    pub fn parts(&self) -> usize {
        self.mesh_parts() + self.geometry().hulls()
    }

    /// A primitive of a part.
    pub fn part(&self, index: usize) -> Option<usize> {
        match index.checked_sub(self.mesh_parts()) {
            Some(hull) => Some(self.geometry().triangles() + hull),
            None => match self.parts {
                Some(parts) => parts.get(index),
                None => Some(index),
            },
        }
    }

    fn mesh_parts(&self) -> usize {
        self.parts.map_or(self.geometry().triangles(), |parts| parts.len())
    }
}

/// The sum of a hash over some edges of the triangles (by their lower and higher point), that changes its sign with the
/// edge's direction: 0 if all of them cancel.
fn boundary<S: Scalar>(geometry: &Geometry<'_, S>, counts: impl Fn(u32, u32) -> bool) -> u64 {
    let edge = |a: u32, b: u32| {
        let (low, high) = (a.min(b), a.max(b));
        if a == b || !counts(low, high) {
            return 0;
        }
        let mut print = Fingerprint::new();
        [low, high].into_iter().for_each(|point| print.word(u64::from(point)));
        let hash = print.finish();
        if a < b { hash } else { hash.wrapping_neg() }
    };
    let triangles = (0..geometry.triangles()).filter_map(|id| geometry.corners(id));
    triangles.fold(0, |sum, [a, b, c]| {
        [edge(a, b), edge(b, c), edge(c, a)].into_iter().fold(sum, |sum, hash| sum.wrapping_add(hash))
    })
}

/// The points of a mesh, joined by its triangles: a forest in the caller's memory. A point leads to itself or to a lower one
/// of the same part; the lowest one stands for the part, and may be marked.
pub(crate) struct Joined<'s> {
    above: &'s mut [u32],
}

impl<'s> Joined<'s> {
    /// No point has an index as high as this ([`Piece::MOST`](super::Piece::MOST)).
    const MARK: u32 = 1 << 31;

    /// Joins the points of every triangle; `None` if the scratch is shorter than the points.
    pub(crate) fn new<S: Scalar>(geometry: &Geometry<'_, S>, scratch: &'s mut [u32]) -> Option<Self> {
        let above = scratch.get_mut(..geometry.points())?;
        (0_u32..).zip(above.iter_mut()).for_each(|(point, slot)| *slot = point);
        let mut joined = Self { above };
        for [a, b, c] in (0..geometry.triangles()).filter_map(|id| geometry.corners(id)) {
            joined.join(a, b);
            joined.join(a, c);
        }
        Some(joined)
    }

    /// Marks the part of a triangle. Says whether it was not marked before; `None` if there is no such triangle.
    pub(crate) fn mark<S: Scalar>(&mut self, geometry: &Geometry<'_, S>, triangle: usize) -> Option<bool> {
        let [point, ..] = geometry.corners(triangle)?;
        let top = self.top(point);
        let slot = self.above.get_mut(top as usize)?;
        let first = *slot & Self::MARK == 0;
        *slot |= Self::MARK;
        Some(first)
    }

    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.top(a), self.top(b));
        self.lead(a.max(b), a.min(b));
    }

    /// The point that stands for the part of this one. Points on the way lead further afterwards.
    fn top(&mut self, point: u32) -> u32 {
        let mut here = point;
        loop {
            let next = self.above(here);
            if next == here {
                return here;
            }
            let further = self.above(next);
            self.lead(here, further);
            here = further;
        }
    }

    fn above(&self, point: u32) -> u32 {
        self.above.get(point as usize).map_or(point, |above| above & !Self::MARK)
    }

    fn lead(&mut self, from: u32, to: u32) {
        self.above.get_mut(from as usize).into_iter().for_each(|above| *above = to);
    }
}
