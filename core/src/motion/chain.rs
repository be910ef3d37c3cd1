//! Trees of links: where they are at a moment, in the world or in the frame of another link.
//!
//! **Computes** poses by multiplying the joints' transforms, outermost first. **Invariant**: a pose errs by no more
//! than [`error`](ChainMotion::error) says, at any time of the segment. **Follows** the forward kinematics of any
//! textbook. **Departs**: the pose of a link in the frame of another is made of the joints between them alone, so
//! errors further up do not count.

use super::Placement;
use super::joint::JointPath;
use super::link::{Error, Joint, JointKind, Link, LinkIndex};
use super::rigid::RigidMotion;
use crate::mutant::mutant;
use crate::scalar::{Interval, Mat3, Pose, Scalar, Vec3};

/// The most links that a chain has.
pub const MAX_LINKS: usize = 64;

/// Why a chain, or a motion of one, was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainError {
    /// There are more than [`MAX_LINKS`] joints.
    TooManyLinks,
    /// A slice is shorter than the list of joints.
    TooShort,
    /// A parent does not come before its children.
    ParentOrder,
    /// An axis' length differs from 1 by more than one in a hundred.
    AxisNotUnit,
    /// A quaternion's length differs from 1 by more than one in a hundred.
    RotationNotUnit,
    /// A joint follows one that does not exist, does not move, or follows another itself.
    UnknownDriver,
    /// A number is NaN, infinite, subnormal or too large.
    OutOfRange,
    /// The joints are known too vaguely for this scalar.
    Imprecise,
}

impl core::fmt::Display for ChainError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::TooManyLinks => "the chain has more than 64 links",
            Self::TooShort => "a slice is shorter than the list of joints",
            Self::ParentOrder => "a parent does not come before its children",
            Self::AxisNotUnit => "the axis of a joint is not of length 1 (within 1 %)",
            Self::RotationNotUnit => "the quaternion of a joint's origin is not of length 1 (within 1 %)",
            Self::UnknownDriver => "a joint follows one that does not exist, does not move, or follows another itself",
            Self::OutOfRange => "a number is not finite, is subnormal, or is too large for this scalar",
            Self::Imprecise => "the joints are too uncertain for this scalar",
        })
    }
}

impl core::error::Error for ChainError {}

/// What poses and accelerations are relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// The world, in which the chain's base rests.
    World,
    /// A link; only the joints below it count.
    Link(LinkIndex),
}

/// A tree of links on a base that rests.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a, S> {
    base: Link<S>,
    links: &'a [Link<S>],
}

impl<'a, S: Scalar> Chain<'a, S> {
    /// Prepares the joints of a robot, in `storage`. Every link has the index of the joint that it hangs on.
    ///
    /// The numbers may be of a wider scalar than those that are computed with; whatever is proved holds for every robot
    /// whose numbers lie in the intervals.
    pub fn new<W: Scalar>(
        base: Pose<Interval<W>>,
        joints: &[Joint<W>],
        storage: &'a mut [Link<S>],
    ) -> Result<Self, ChainError> {
        Self::of_joints(base, joints.iter().copied(), storage)
    }

    /// The same for joints that are made one at a time, since all of them together are a lot for a small stack.
    pub(crate) fn of_joints<W: Scalar>(
        base: Pose<Interval<W>>,
        joints: impl ExactSizeIterator<Item = Joint<W>>,
        storage: &'a mut [Link<S>],
    ) -> Result<Self, ChainError> {
        if joints.len() > MAX_LINKS {
            return Err(ChainError::TooManyLinks);
        }
        let links = storage.get_mut(..joints.len()).ok_or(ChainError::TooShort)?;
        let zero = Vec3::from([Interval::ZERO; 3]);
        let base = Joint { kind: JointKind::Fixed, parent: None, origin: base, axis: zero, mimic: None };
        let base = Link::new(&base, None)?;
        for (index, joint) in joints.enumerate() {
            let (before, rest) = links.split_at_mut_checked(index).ok_or(ChainError::TooShort)?;
            let parent = match joint.parent {
                None => None,
                Some(parent) => Some(before.get(parent.get()).ok_or(ChainError::ParentOrder)?),
            };
            let link = Link::new(&joint, parent)?;
            rest.iter_mut().take(1).for_each(|place| *place = link);
        }
        let links = &*links;
        let leads = |driver: LinkIndex| links.get(driver.get()).is_some_and(|d| d.moves() && d.driver().is_none());
        if !links.iter().filter_map(Link::driver).all(leads) {
            return Err(ChainError::UnknownDriver);
        }
        Ok(Self { base, links })
    }

    /// Links that are prepared already, in a world in which this base rests.
    pub(crate) fn over(base: Link<S>, links: &'a [Link<S>]) -> Self {
        Self { base, links }
    }

    /// What the chain stands on.
    pub(crate) fn base(&self) -> Link<S> {
        self.base
    }

    /// The links, parents first.
    pub fn links(&self) -> &'a [Link<S>] {
        self.links
    }

    /// The frame for a proof about two links: their lowest common ancestor, or the world if they have none.
    pub fn common(&self, a: LinkIndex, b: LinkIndex) -> Frame {
        let (mut a, mut b) = (Some(a), Some(b));
        let parent = |index: LinkIndex| self.links.get(index.get()).and_then(|link| link.parent);
        // The later one cannot be an ancestor of the other: parents come first.
        loop {
            match (a, b) {
                (Some(x), Some(y)) if x == y => return Frame::Link(x),
                (Some(x), Some(y)) if x > y => a = parent(x),
                (Some(_), Some(y)) => b = parent(y),
                (None, _) | (_, None) => return Frame::World,
            }
        }
    }
}

/// What a computed pose errs by at any time of a segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacementError<S> {
    /// For a point at unit distance from the link's origin, due to the rotation.
    pub turn_error_hi: S,
    /// Of the link's origin.
    pub position_error_hi: S,
    /// Bounds `‖position‖₁` of the computed pose.
    pub position_hi: S,
    /// Bounds the length of the true position.
    distance_hi: S,
}

impl<S: Scalar> PlacementError<S> {
    /// Nothing is known.
    pub const UNKNOWN: Self = Self {
        turn_error_hi: S::GREATEST,
        position_error_hi: S::GREATEST,
        position_hi: S::GREATEST,
        distance_hi: S::GREATEST,
    };

    /// Of a chain of transforms; a vague one is as good as unknown.
    fn of(error: Option<Error<S>>) -> Self {
        let Some(error) = error.filter(|error| error.turn_hi <= vague()) else { return Self::UNKNOWN };
        // ‖p‖₁ ≤ √3·‖p‖.
        let position_hi = error.distance_hi.add_hi(error.position_hi).mul_hi(S::from_f64_hi(1.75));
        Self {
            turn_error_hi: error.turn_hi,
            position_error_hi: error.position_hi,
            position_hi,
            distance_hi: error.distance_hi,
        }
    }

    /// The same again, if anything is known.
    fn known(&self) -> Option<Error<S>> {
        let error =
            Error { turn_hi: self.turn_error_hi, position_hi: self.position_error_hi, distance_hi: self.distance_hi };
        error.turn_hi.is_finite().then_some(error)
    }

    /// Of a body that moves rigidly, or rests.
    ///
    /// # Soundness
    /// As [`at_hi`](PlacementError::at_hi), for the [placement](RigidMotion::placement) at any time: `‖x − c‖ ≤ ‖x‖ + ‖c‖` for
    /// the centre `c`.
    pub fn of_motion(motion: &RigidMotion<S>) -> Self {
        let position_error_hi = motion.placement_error_hi(motion.centre().norm_hi());
        let position_hi = motion.position_hi();
        let turn_error_hi = motion.turn_error_hi();
        Self { turn_error_hi, position_error_hi, position_hi, distance_hi: position_hi.add_hi(position_error_hi) }
    }

    /// For the points of a link.
    ///
    /// # Soundness
    /// `‖placement(x) − true(x)‖ ≤ at_hi(ρ)` for every point of the link with `‖x‖ ≤ ρ`, where `placement(x)` is the real
    /// number `rotation·x + position` of the pose that this is the error of.
    pub fn at_hi(&self, reach_hi: S) -> S {
        self.turn_error_hi.mul_hi(reach_hi).add_hi(self.position_error_hi)
    }
}

/// A chain whose joints move along one segment of their paths.
#[derive(Clone, Copy, Debug)]
pub struct ChainMotion<'a, S> {
    pub(super) links: &'a [Link<S>],
    base: Link<S>,
    paths: &'a [JointPath<S>],
    /// The most that the pose of a link in the frame of its parent errs by.
    pub(super) local_error: Error<S>,
}

impl<'a, S: Scalar> ChainMotion<'a, S> {
    /// `paths` has an entry for each joint up to the last that moves; that of a joint which does not move or follows another
    /// is not looked at.
    pub fn new(chain: &Chain<'a, S>, paths: &'a [JointPath<S>]) -> Result<Self, ChainError> {
        if paths.len() < chain.links.iter().rposition(Link::moves).map_or(0, |last| last + 1) {
            return Err(ChainError::TooShort);
        }
        let nothing = Error { turn_hi: S::ZERO, position_hi: S::ZERO, distance_hi: S::ZERO };
        let motion = Self { links: chain.links, base: chain.base, paths, local_error: nothing };
        let local_error =
            motion.driven().map(|(link, path)| link.local_error(path)).fold(nothing, |most, error| Error {
                turn_hi: most.turn_hi.max(error.turn_hi),
                position_hi: most.position_hi.max(error.position_hi),
                distance_hi: most.distance_hi.max(error.distance_hi),
            });
        Ok(Self { local_error, ..motion })
    }

    /// The links, parents first.
    pub fn links(&self) -> &'a [Link<S>] {
        self.links
    }

    /// Each link with the path that its joint follows; a link that does not move may have none.
    pub(super) fn driven(&self) -> impl Iterator<Item = (&'a Link<S>, Option<&'a JointPath<S>>)> {
        let Self { links, paths, .. } = *self;
        links.iter().enumerate().map(move |(own, link)| (link, paths.get(link.driver().map_or(own, LinkIndex::get))))
    }

    fn with_path(&self, index: LinkIndex) -> Option<(&'a Link<S>, Option<&'a JointPath<S>>)> {
        let link = self.links.get(index.get())?;
        Some((link, self.paths.get(link.driver().unwrap_or(index).get())))
    }

    /// The pose of every link in the frame of its parent, at a time in `[0, 1]`: what all other poses are made of.
    pub fn locals(&self, u: S, locals: &mut [Placement<S>]) -> Result<(), ChainError> {
        let locals = locals.get_mut(..self.links.len()).ok_or(ChainError::TooShort)?;
        locals.iter_mut().zip(self.driven()).for_each(|(local, (link, path))| *local = link.local(path, u));
        Ok(())
    }

    /// The poses of all links in the world, from those in the frames of their parents at the same time.
    ///
    /// # Soundness
    /// Each errs by no more than [`error`](ChainMotion::error)`(Frame::World, link)` says.
    pub fn placements(&self, locals: &[Placement<S>], placements: &mut [Placement<S>]) -> Result<(), ChainError> {
        let base = self.base.rest();
        for (index, (link, local)) in self.links.iter().zip(locals).enumerate() {
            let outer = match link.parent {
                None => base,
                Some(parent) => *placements.get(parent.get()).ok_or(ChainError::TooShort)?,
            };
            *placements.get_mut(index).ok_or(ChainError::TooShort)? = product(&outer, local);
        }
        if locals.len() < self.links.len() { Err(ChainError::TooShort) } else { Ok(()) }
    }

    /// The pose of one link in a frame, from the poses in the frames of the parents; `None` if the frame is no ancestor
    /// of the link.
    ///
    /// # Soundness
    /// It errs by no more than [`error`](ChainMotion::error)`(frame, link)` says.
    pub fn relative(&self, locals: &[Placement<S>], frame: Frame, link: LinkIndex) -> Option<Placement<S>> {
        let way = Way::new(self.links, frame, link)?;
        let mut below = way.iter().map(|index| locals.get(index.get()).copied());
        let first = match frame {
            Frame::World => self.base.rest(),
            Frame::Link(_) => match below.next() {
                Some(local) => local?,
                None => Placement { rotation: identity(), position: Vec3::ZERO },
            },
        };
        below.try_fold(first, |outer, local| Some(product(&outer, &local?)))
    }

    /// What the pose of a link in a frame errs by; nothing is known if the frame is no ancestor of the link, or if the
    /// chain is too long or too vague for this scalar.
    ///
    /// # Soundness
    /// For the computed pose at any time in `[0, 1]`: `‖rotation·x + position − true(x)‖ ≤ turn_error_hi·‖x‖ +
    /// position_error_hi` for every point `x` of the link, and `‖position‖₁ ≤ position_hi`.
    pub fn error(&self, frame: Frame, link: LinkIndex) -> PlacementError<S> {
        PlacementError::of(self.chained(frame, link))
    }

    /// What the [`placements`](ChainMotion::placements) in the world err by, all at once.
    ///
    /// # Soundness
    /// As [`error`](ChainMotion::error)`(Frame::World, link)`, for each link.
    pub fn errors(&self, errors: &mut [PlacementError<S>]) -> Result<(), ChainError> {
        for (index, (link, path)) in self.driven().enumerate() {
            let outer = match link.parent {
                None => Some(self.base.rest_error()),
                Some(parent) => errors.get(parent.get()).ok_or(ChainError::TooShort)?.known(),
            };
            let error = outer.and_then(|outer| product_error(&outer, &link.local_error(path)));
            *errors.get_mut(index).ok_or(ChainError::TooShort)? = PlacementError::of(error);
        }
        Ok(())
    }

    fn chained(&self, frame: Frame, link: LinkIndex) -> Option<Error<S>> {
        let way = Way::new(self.links, frame, link)?;
        let mut below = way.iter().map(|index| self.with_path(index).map(|(link, path)| link.local_error(path)));
        let first = match frame {
            Frame::World => self.base.rest_error(),
            Frame::Link(_) => match below.next() {
                Some(error) => error?,
                None => Error { turn_hi: S::ZERO, position_hi: S::ZERO, distance_hi: S::ZERO },
            },
        };
        below.try_fold(first, |outer, inner| product_error(&outer, &inner?))
    }
}

/// The most that a rotation may err by, as a map.
fn vague<S: Scalar>() -> S {
    S::from_f64_near(1.0 / 64.0)
}

fn identity<S: Scalar>() -> Mat3<S> {
    let (o, i) = (S::ZERO, S::ONE);
    Mat3::new([Vec3::new(i, o, o), Vec3::new(o, i, o), Vec3::new(o, o, i)])
}

/// First `inner`, then `outer`.
fn product<S: Scalar>(outer: &Placement<S>, inner: &Placement<S>) -> Placement<S> {
    Placement {
        rotation: outer.rotation.times(inner.rotation),
        position: outer.rotation.apply(inner.position) + outer.position,
    }
}

/// What [`product`] errs by; `None` where the factors err by too much.
fn product_error<S: Scalar>(outer: &Error<S>, inner: &Error<S>) -> Option<Error<S>> {
    if !(outer.turn_hi <= vague() && inner.turn_hi <= vague()) {
        return None;
    }
    // With hats for machine numbers: ÂB̂ − AB = (Â − A)·B̂ + A·(B̂ − B), where ‖B̂‖ ≤ 1 + 1/64. Roundings:
    // rounding_hi(k, m) is k·(α·m + β). An entry is a dot of a row and a column, both of length at most 1 + 1/64: its
    // three products together and each of its two sums are below 1.04, so it errs by 3·1.04·α + 5·β, and the matrix by
    // three times that: rounding_hi(15, 0.63).
    let both = outer.turn_hi.mul_hi(inner.turn_hi);
    let turn_hi = outer.turn_hi.add_hi(inner.turn_hi).add_hi(both).add_hi(S::rounding_hi(15, S::from_f64_hi(0.63)));
    // Âb̂ + â − (Ab + a) = (Â − A)·b̂ + A·(b̂ − b) + (â − a). Roundings, with ‖b̂‖ ≤ B and ‖â‖ ≤ A: a dot errs by
    // 3·1.02·B·α + 5·β, and the three of them by √3 times that; the sum has length at most A + 1.02·B, and errs by that
    // times α, and √3·β. Together this is below rounding_hi(10, 0.6·B) + rounding_hi(1, A + 2·B).
    let (far_outer, far_inner) =
        (outer.distance_hi.add_hi(outer.position_hi), inner.distance_hi.add_hi(inner.position_hi));
    let lever = if mutant!(ParentTurnDropped) { S::ZERO } else { outer.turn_hi.mul_hi(far_inner) };
    let rounding = S::rounding_hi(10, far_inner.mul_hi(S::from_f64_hi(0.6)))
        .add_hi(S::rounding_hi(1, far_outer.add_hi(far_inner).add_hi(far_inner)));
    Some(Error {
        turn_hi,
        position_hi: outer.position_hi.add_hi(inner.position_hi).add_hi(lever).add_hi(rounding),
        distance_hi: outer.distance_hi.add_hi(inner.distance_hi),
    })
}

/// The links below a frame on the way to a link.
struct Way {
    /// The link itself first.
    upward: [LinkIndex; MAX_LINKS],
    count: usize,
}

impl Way {
    fn new<S>(links: &[Link<S>], frame: Frame, link: LinkIndex) -> Option<Self> {
        let mut way = Self { upward: [LinkIndex(0); MAX_LINKS], count: 0 };
        for index in upward(links, frame, link)? {
            *way.upward.get_mut(way.count)? = index?;
            way.count += 1;
        }
        Some(way)
    }

    /// From the frame down to the link.
    fn iter(&self) -> impl Iterator<Item = LinkIndex> {
        self.upward.iter().take(self.count).rev().copied()
    }
}

/// The links on the way from a link up to a frame, which is not counted; the last is `None` if the frame is no ancestor.
pub(super) fn upward<S>(
    links: &[Link<S>],
    frame: Frame,
    link: LinkIndex,
) -> Option<impl Iterator<Item = Option<LinkIndex>>> {
    let goal = match frame {
        Frame::World => None,
        Frame::Link(index) => Some(index),
    };
    links.get(link.get())?;
    let mut next = Some(link);
    let mut lost = false;
    Some(core::iter::from_fn(move || {
        if lost || next == goal {
            return None;
        }
        let here = next;
        lost = here.is_none();
        next = here.and_then(|index| links.get(index.get())).and_then(|link| link.parent);
        Some(here)
    }))
}
