//! The scene of an arm: links, what they are made of, payloads, objects, margins, and which pairs may touch.

use super::pairs::{Reason, Relation, triangular};
use crate::fingerprint::Fingerprint;
use crate::kernel::Model;
use crate::motion::{
    Chain, ChainError, Frame, Joint, JointKind, Link, LinkIndex, MAX_LINKS, MotionError, PlacementError, RigidMotion,
    Velocities,
};
use crate::mutant::mutant;
use crate::scalar::{Interval, Pose, Scalar, Vec3};

/// The group of links that no joint moves.
const WORLD: u8 = u8::MAX;

/// An object of the world, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObjectIndex(pub u16);

/// One of the bodies of a workcell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyIndex {
    /// A link of the robot, or a payload.
    Link(LinkIndex),
    /// An object of the world.
    Object(ObjectIndex),
}

/// Why something was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkcellError {
    /// The tree of links.
    Chain(ChainError),
    /// The pose or the motion of an object or a payload.
    Motion(MotionError),
    /// There must be storage for so many of these.
    Storage(&'static str, usize),
    /// There is no such link.
    NoLink(LinkIndex),
    /// There is no such object.
    NoObject(ObjectIndex),
    /// There is no such payload.
    NoPayload(LinkIndex),
    /// All places for payloads are taken: give storage for more links.
    NoRoom,
    /// A margin is negative, not finite or too large.
    Margin,
    /// A limit is not finite, or the lower one is above the upper.
    Limits(LinkIndex),
}

impl core::fmt::Display for WorkcellError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Chain(e) => write!(f, "{e}"),
            Self::Motion(e) => write!(f, "{e}"),
            Self::Storage(what, count) => write!(f, "there must be storage for {count} {what}"),
            Self::NoLink(LinkIndex(i)) => write!(f, "there is no link {i}"),
            Self::NoObject(ObjectIndex(i)) => write!(f, "there is no object {i}"),
            Self::NoPayload(LinkIndex(i)) => write!(f, "there is no payload {i}"),
            Self::NoRoom => write!(f, "all places for payloads or objects are taken: give more storage"),
            Self::Margin => write!(f, "a margin must be a finite number of metres, not negative"),
            Self::Limits(LinkIndex(i)) => write!(f, "the limits of joint {i} are not finite, or in the wrong order"),
        }
    }
}

impl core::error::Error for WorkcellError {}

impl From<ChainError> for WorkcellError {
    fn from(error: ChainError) -> Self {
        Self::Chain(error)
    }
}

impl From<MotionError> for WorkcellError {
    fn from(error: MotionError) -> Self {
        Self::Motion(error)
    }
}

/// What bodies must stay apart, in metres, unless it is said for the pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins<S> {
    /// Links and objects.
    pub world: S,
    /// Links and links.
    pub own: S,
    /// Payloads and anything.
    pub payload: S,
}

impl<S: Scalar> Margins<S> {
    /// The same for all.
    pub fn all(margin: S) -> Self {
        Self { world: margin, own: margin, payload: margin }
    }
}

/// A margin for one pair.
pub type Override<S> = Option<([BodyIndex; 2], S)>;

/// What is known of a link besides its joint.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a, S> {
    model: Option<Model<'a, S>>,
    limits: Option<[S; 2]>,
    /// The topmost link that no moving joint is above of, on the way to this one's; [`WORLD`] if there is none.
    group: u8,
}

impl<S> Part<'_, S> {
    /// A place for one.
    pub const VACANT: Self = Self { model: None, limits: None, group: WORLD };
}

/// An object of the world.
#[derive(Clone, Copy, Debug)]
pub struct Object<'a, S> {
    pub(crate) model: Model<'a, S>,
    pub(crate) motion: RigidMotion<S>,
    pub(crate) moves: bool,
    on: bool,
    pub(crate) error: PlacementError<S>,
    /// Where it is, if it rests.
    pub(crate) room: Vec3<Interval<S>>,
}

/// Memory for a workcell.
#[derive(Debug)]
pub struct Storage<'a, S> {
    /// One for every link, and one for every payload that is to be attached at the same time.
    pub links: &'a mut [Link<S>],
    /// As many.
    pub parts: &'a mut [Part<'a, S>],
    /// With `n` links and payloads, `n·(n − 1)/2`.
    pub allowed: &'a mut [Option<Reason>],
    /// One for every object.
    pub objects: &'a mut [Option<Object<'a, S>>],
    /// One for every pair with a margin of its own.
    pub overrides: &'a mut [Override<S>],
}

/// A robot and what stands around it.
///
/// Every change raises the [revision](Workcell::revision); what was proved before does not hold for the cell as it is then.
#[derive(Debug)]
pub struct Workcell<'a, S> {
    base: Link<S>,
    links: &'a mut [Link<S>],
    /// How many of them the robot has; the others are payloads.
    own: usize,
    parts: &'a mut [Part<'a, S>],
    allowed: &'a mut [Option<Reason>],
    objects: &'a mut [Option<Object<'a, S>>],
    overrides: &'a mut [Override<S>],
    margins: Margins<S>,
    revision: u64,
    fingerprint: u64,
}

impl<'a, S: Scalar> Workcell<'a, S> {
    /// A robot without geometry, in an empty world.
    pub fn new<W: Scalar>(
        base: Pose<Interval<W>>,
        joints: &[Joint<W>],
        margins: Margins<S>,
        storage: Storage<'a, S>,
    ) -> Result<Self, WorkcellError> {
        Self::of_joints(base, joints.iter().copied(), margins, storage)
    }

    /// The same for joints that are made one at a time.
    pub(super) fn of_joints<W: Scalar>(
        base: Pose<Interval<W>>,
        joints: impl ExactSizeIterator<Item = Joint<W>>,
        margins: Margins<S>,
        storage: Storage<'a, S>,
    ) -> Result<Self, WorkcellError> {
        let Storage { links, parts, allowed, objects, overrides } = storage;
        let (own, count) = (joints.len(), links.len().min(MAX_LINKS));
        let Some(links) = links.get_mut(..count).filter(|links| own <= links.len()) else {
            return Err(WorkcellError::Storage("links", own));
        };
        let parts = parts.get_mut(..count).ok_or(WorkcellError::Storage("parts", count))?;
        let pairs = count * count.saturating_sub(1) / 2;
        let allowed = allowed.get_mut(..pairs).ok_or(WorkcellError::Storage("allowed pairs", pairs))?;
        links.fill(rests()?);
        parts.fill(Part::VACANT);
        allowed.fill(None);
        // As many as indices can tell apart.
        let most = objects.len().min(1 << 16);
        let objects = objects.get_mut(..most).ok_or(WorkcellError::Storage("objects", most))?;
        objects.fill(None);
        overrides.fill(None);
        let base = Chain::of_joints(base, joints, links)?.base();
        let mut print = Fingerprint::new();
        base.print(&mut print);
        links.iter().for_each(|link| link.print(&mut print));
        print.word(own as u64);
        let fingerprint = print.finish();
        let mut cell = Self { base, links, own, parts, allowed, objects, overrides, margins, revision: 0, fingerprint };
        (0..own).for_each(|link| cell.regroup(link));
        cell.set_margins(margins)?;
        Ok(cell)
    }

    /// Whatever changes goes through here.
    fn changed(&mut self, words: impl FnOnce(&mut Fingerprint)) {
        let mut print = Fingerprint::new();
        print.word(self.fingerprint);
        words(&mut print);
        self.fingerprint = print.finish();
        self.revision = if mutant!(RevisionKept) { self.revision } else { self.revision.wrapping_add(1) };
    }

    /// Says in the list of groups which links are one body with this one.
    fn regroup(&mut self, link: usize) {
        let Some(this) = self.links.get(link) else { return };
        let above = this.parent.and_then(|parent| self.parts.get(parent.get())).map_or(WORLD, |part| part.group);
        let group = if this.moves() { u8::try_from(link).unwrap_or(WORLD) } else { above };
        self.parts.get_mut(link).into_iter().for_each(|part| part.group = group);
    }

    /// A number that every change raises.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// A number that differs between different cells: up to a chance of 2⁻⁶⁴, and not against an adversary.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The tree of links; payloads hang on it as links that do not move.
    pub fn chain(&self) -> Chain<'_, S> {
        Chain::over(self.base, self.links)
    }

    /// How many links and joints the robot has, payloads not counted.
    pub fn joints(&self) -> usize {
        self.own
    }

    /// How many places for objects there are.
    pub fn objects(&self) -> usize {
        self.objects.len()
    }

    /// Does a joint have a value of its own? It neither rests nor follows another.
    pub fn leads(&self, link: LinkIndex) -> bool {
        self.links.get(link.get()).is_some_and(|link| link.moves() && link.driver().is_none())
    }

    /// The limits of a joint, in radians or metres.
    pub fn limits(&self, link: LinkIndex) -> Option<[S; 2]> {
        self.parts.get(link.get()).and_then(|part| part.limits)
    }

    /// What a link or payload is made of.
    pub fn model(&self, link: LinkIndex) -> Option<&Model<'a, S>> {
        self.parts.get(link.get()).and_then(|part| part.model.as_ref())
    }

    /// Gives a link of the robot its geometry, or takes it away.
    pub fn set_model(&mut self, link: LinkIndex, model: Option<Model<'a, S>>) -> Result<(), WorkcellError> {
        let part = self.parts.get_mut(link.get()).filter(|_| link.get() < self.own);
        part.ok_or(WorkcellError::NoLink(link))?.model = model;
        self.changed(|print| {
            print.word(u64::from(link.0));
            print.word(model.map_or(0, |model| model.fingerprint()));
        });
        Ok(())
    }

    /// Gives a joint its limits, in radians or metres.
    pub fn set_limits(&mut self, link: LinkIndex, limits: Option<[S; 2]>) -> Result<(), WorkcellError> {
        if limits.is_some_and(|[lower, upper]| !(lower <= upper && lower.is_finite() && upper.is_finite())) {
            return Err(WorkcellError::Limits(link));
        }
        let part = self.parts.get_mut(link.get()).filter(|_| link.get() < self.own);
        part.ok_or(WorkcellError::NoLink(link))?.limits = limits;
        self.changed(|print| {
            print.word(u64::from(link.0));
            limits.into_iter().flatten().for_each(|x| print.scalar(x));
        });
        Ok(())
    }

    /// Lets two links or payloads touch, or no longer.
    pub fn set_allowed(&mut self, a: LinkIndex, b: LinkIndex, reason: Option<Reason>) -> Result<(), WorkcellError> {
        let place = triangular(a.get(), b.get()).and_then(|at| self.allowed.get_mut(at));
        *place.ok_or(WorkcellError::NoLink(a.max(b)))? = reason;
        self.changed(|print| {
            print.word(u64::from(a.0) << 8 | u64::from(b.0));
            print.word(reason.map_or(0, |reason| reason as u64));
        });
        Ok(())
    }

    /// Says what bodies must stay apart.
    pub fn set_margins(&mut self, margins: Margins<S>) -> Result<(), WorkcellError> {
        let Margins { world, own, payload } = margins;
        if ![world, own, payload].into_iter().all(is_margin) {
            return Err(WorkcellError::Margin);
        }
        self.margins = margins;
        self.changed(|print| [world, own, payload].into_iter().for_each(|x| print.scalar(x)));
        Ok(())
    }

    /// Says what two bodies must stay apart, or that they are like others again.
    pub fn set_margin(&mut self, pair: [BodyIndex; 2], margin: Option<S>) -> Result<(), WorkcellError> {
        if !margin.is_none_or(is_margin) {
            return Err(WorkcellError::Margin);
        }
        let known = |place: &Override<S>| place.is_some_and(|(other, _)| is_same(other, pair));
        let place = self.overrides.iter().position(known).or_else(|| self.overrides.iter().position(Option::is_none));
        let place = place.and_then(|at| self.overrides.get_mut(at)).ok_or(WorkcellError::NoRoom)?;
        *place = margin.map(|margin| (pair, margin));
        self.changed(|print| {
            pair.into_iter().for_each(|body| print.word(number(body)));
            margin.into_iter().for_each(|margin| print.scalar(margin));
        });
        Ok(())
    }

    /// What two bodies must stay apart.
    pub fn margin(&self, pair: [BodyIndex; 2]) -> S {
        let own = self.overrides.iter().flatten().find(|(other, _)| is_same(*other, pair));
        let is_payload = |body: &BodyIndex| matches!(body, BodyIndex::Link(link) if link.get() >= self.own);
        match own {
            Some((_, margin)) => *margin,
            None if pair.iter().any(is_payload) => self.margins.payload,
            None if pair.iter().all(|body| matches!(body, BodyIndex::Link(_))) => self.margins.own,
            None => self.margins.world,
        }
    }

    /// Puts an object somewhere, to rest there.
    pub fn add_object(&mut self, model: Model<'a, S>, pose: Pose<Interval<S>>) -> Result<ObjectIndex, WorkcellError> {
        let free = self.objects.iter().position(Option::is_none).ok_or(WorkcellError::NoRoom)?;
        let index = ObjectIndex(u16::try_from(free).map_err(|_| WorkcellError::NoRoom)?);
        let object = Object::new(model, still(pose)?, false);
        self.objects.get_mut(free).into_iter().for_each(|place| *place = Some(object));
        self.object_changed(index);
        Ok(index)
    }

    /// Takes an object away for good; its index may be given to another.
    pub fn remove_object(&mut self, index: ObjectIndex) -> Result<(), WorkcellError> {
        self.known(index)?;
        self.objects.get_mut(usize::from(index.0)).into_iter().for_each(|place| *place = None);
        self.object_changed(index);
        Ok(())
    }

    /// Puts an object elsewhere, to rest there.
    pub fn place_object(&mut self, index: ObjectIndex, pose: Pose<Interval<S>>) -> Result<(), WorkcellError> {
        let object = self.known(index)?;
        *object = Object { on: object.on, ..Object::new(object.model, still(pose)?, false) };
        self.object_changed(index);
        Ok(())
    }

    /// Lets an object move: from time 0 to time 1 of the motion while the robot goes through the whole of a plan.
    pub fn move_object(&mut self, index: ObjectIndex, motion: RigidMotion<S>) -> Result<(), WorkcellError> {
        let object = self.known(index)?;
        *object = Object { on: object.on, ..Object::new(object.model, motion, true) };
        self.object_changed(index);
        Ok(())
    }

    /// Switches an object on or off: one that is off is not there.
    pub fn switch_object(&mut self, index: ObjectIndex, on: bool) -> Result<(), WorkcellError> {
        self.known(index)?.on = on;
        self.object_changed(index);
        Ok(())
    }

    fn known(&mut self, index: ObjectIndex) -> Result<&mut Object<'a, S>, WorkcellError> {
        let place = self.objects.get_mut(usize::from(index.0)).and_then(Option::as_mut);
        place.ok_or(WorkcellError::NoObject(index))
    }

    fn object_changed(&mut self, index: ObjectIndex) {
        let object = self.objects.get(usize::from(index.0)).copied().flatten();
        self.changed(|print| {
            print.word(u64::from(index.0));
            if let Some(object) = object {
                print.word(u64::from(object.on) << 1 | u64::from(object.moves));
                print.word(object.model.fingerprint());
                object.motion.print(print);
            }
        });
    }

    /// An object, switched on or not.
    pub fn object(&self, index: ObjectIndex) -> Option<&Object<'a, S>> {
        self.objects.get(usize::from(index.0)).and_then(Option::as_ref)
    }

    /// Hangs a payload on a link, at a pose in the link's frame. It may touch `touch_links`, and everything that is one body with
    /// the link.
    pub fn attach(
        &mut self,
        link: LinkIndex,
        model: Model<'a, S>,
        pose: Pose<Interval<S>>,
        touch_links: &[LinkIndex],
    ) -> Result<LinkIndex, WorkcellError> {
        let parent = self.links.get(link.get()).copied().filter(|_| link.get() < self.own);
        let parent = parent.ok_or(WorkcellError::NoLink(link))?;
        if let Some(unknown) = touch_links.iter().find(|touched| touched.get() >= self.own) {
            return Err(WorkcellError::NoLink(*unknown));
        }
        let vacant = self.parts.iter().skip(self.own).position(|part| part.model.is_none());
        let place = vacant.map(|at| self.own + at).ok_or(WorkcellError::NoRoom)?;
        let index = LinkIndex(u8::try_from(place).map_err(|_| WorkcellError::NoRoom)?);
        let joint = Joint { parent: Some(link), origin: pose, ..fixed() };
        let payload = Link::new(&joint, Some(&parent))?;
        self.links.get_mut(place).into_iter().for_each(|slot| *slot = payload);
        self.parts.get_mut(place).into_iter().for_each(|part| part.model = Some(model));
        self.regroup(place);
        self.changed(|print| {
            payload.print(print);
            print.word(model.fingerprint());
        });
        for touched in touch_links {
            self.set_allowed(index, *touched, Some(Reason::Grasp))?;
        }
        Ok(index)
    }

    /// Takes a payload off.
    pub fn detach(&mut self, payload: LinkIndex) -> Result<(), WorkcellError> {
        let part = self.parts.get_mut(payload.get()).filter(|part| payload.get() >= self.own && part.model.is_some());
        *part.ok_or(WorkcellError::NoPayload(payload))? = Part::VACANT;
        let rests = rests()?;
        self.links.get_mut(payload.get()).into_iter().for_each(|link| *link = rests);
        for other in (0..payload.get()).chain(payload.get() + 1..self.links.len()) {
            let pair = triangular(payload.get(), other).and_then(|at| self.allowed.get_mut(at));
            pair.into_iter().for_each(|reason| *reason = None);
        }
        let gone = BodyIndex::Link(payload);
        let about = |place: &Override<S>| place.is_some_and(|(pair, _)| pair.contains(&gone));
        self.overrides.iter_mut().filter(|place| about(place)).for_each(|place| *place = None);
        self.changed(|print| print.word(u64::from(payload.0)));
        Ok(())
    }

    /// What a check makes of two bodies: its verdict is about those pairs that are [checked](Relation::Checked).
    pub fn relation(&self, pair: [BodyIndex; 2]) -> Relation {
        let solid = |link: LinkIndex| self.parts.get(link.get()).filter(|part| part.model.is_some());
        match pair {
            [BodyIndex::Link(a), BodyIndex::Link(b)] => {
                let (Some(one), Some(other)) = (solid(a), solid(b)) else { return Relation::Absent };
                if one.group == other.group {
                    return Relation::SameBody;
                }
                match triangular(a.get(), b.get()).and_then(|at| self.allowed.get(at)) {
                    Some(Some(reason)) => Relation::Allowed(*reason),
                    Some(None) => Relation::Checked,
                    None => Relation::Absent,
                }
            }
            [BodyIndex::Link(link), BodyIndex::Object(object)] | [BodyIndex::Object(object), BodyIndex::Link(link)] => {
                let object = self.object(object).filter(|object| object.on);
                match (solid(link), object) {
                    (Some(part), Some(object)) if part.group == WORLD && !object.moves => Relation::Standing,
                    (Some(_), Some(_)) => Relation::Checked,
                    (None, _) | (_, None) => Relation::Absent,
                }
            }
            [BodyIndex::Object(_), BodyIndex::Object(_)] => Relation::Absent,
        }
    }

    /// The frame for a proof about two links.
    pub(crate) fn frame(&self, a: LinkIndex, b: LinkIndex) -> Frame {
        self.chain().common(a, b)
    }
}

impl<'a, S: Scalar> Object<'a, S> {
    fn new(model: Model<'a, S>, motion: RigidMotion<S>, moves: bool) -> Self {
        let error = PlacementError::of_motion(&motion);
        let place = motion.placement(S::ZERO);
        let room = crate::kernel::room(&model, [&place; 2], &error, S::ZERO);
        Self { model, motion, moves, on: true, error, room }
    }

    /// What it is made of.
    pub fn model(&self) -> &Model<'a, S> {
        &self.model
    }

    /// How it moves, or where it rests.
    pub fn motion(&self) -> &RigidMotion<S> {
        &self.motion
    }

    /// Is it there?
    pub fn is_on(&self) -> bool {
        self.on
    }
}

fn is_margin<S: Scalar>(margin: S) -> bool {
    margin >= S::ZERO && margin.in_range()
}

fn is_same(one: [BodyIndex; 2], other: [BodyIndex; 2]) -> bool {
    let [a, b] = one;
    one == other || [b, a] == other
}

fn number(body: BodyIndex) -> u64 {
    match body {
        BodyIndex::Link(link) => u64::from(link.0),
        BodyIndex::Object(object) => 1 << 16 | u64::from(object.0),
    }
}

fn still<S: Scalar>(pose: Pose<Interval<S>>) -> Result<RigidMotion<S>, MotionError> {
    let rest = Vec3::from([Interval::ZERO; 3]);
    RigidMotion::with_velocity_enclosures(pose, Vec3::ZERO, Velocities { linear: rest, angular: rest })
}

/// A joint that does not move, at its parent's origin.
fn fixed<S: Scalar>() -> Joint<S> {
    let origin = Pose::<S>::IDENTITY.into();
    Joint { kind: JointKind::Fixed, parent: None, origin, axis: Vec3::from([Interval::ZERO; 3]), mimic: None }
}

/// What stands in a place that no payload has.
fn rests<S: Scalar>() -> Result<Link<S>, ChainError> {
    Link::new(&fixed::<S>(), None)
}
