//! A robot and its world as flat bytes: read where they lie, in flash or in a file, without a copy.
//!
//! **Computes** a [`Workcell`] from bytes. **Invariant**: nothing is believed. Sizes, indices, names and numbers are checked
//! before a robot comes out, and every model is proved for the scalar before a workcell does; the checksum is there to tell
//! damage from a mistake. **Follows** the layout of [baked models](crate::hierarchy::Blob), which are inside, whole: bodies that
//! are alike share one. **Departs** in that the numbers of joints and poses are intervals of `f64`, as the robot's description
//! gave them, and not on a grid: every scalar narrows them outward by itself. All numbers are little-endian, at any alignment.
//!
//! | bytes | |
//! |---|---|
//! | 0 | `AVRR` |
//! | 4 | version, 2 bytes |
//! | 6 | how many links, 1 byte |
//! | 7 | how many places for payloads, 1 byte |
//! | 8 | length of the whole, in bytes |
//! | 12 | CRC-32 of the whole without these four bytes |
//! | 16, 18, 20 | how many objects, allowed pairs, models, 2 bytes each |
//! | 22 | zero |
//! | 24 | bytes of all names |
//! | 28 | zero |
//! | 32, 40, 48 | margins in metres: links and objects, links and links, payloads and anything |
//! | 56 | zero |
//! | 64 | links (216 bytes each), allowed pairs (3), objects (116), ends of models (4), ends of names (4), names, models |
//!
//! A link is
//!
//! | bytes | |
//! |---|---|
//! | 0 | how its joint moves: 0 fixed, 1 turning, 2 sliding |
//! | 1 | the parent, which comes earlier; 255 if there is none |
//! | 2 | the link whose joint this one's follows; 255 if it follows none |
//! | 3 | 1 if the joint has limits, otherwise 0 |
//! | 4 | the model, 2 bytes; 65,535 if it has none |
//! | 6 | zero |
//! | 8 | the joint's frame in that of the parent: the quaternion's w, x, y, z and the position's x, y, z |
//! | 120 | the axis' x, y, z |
//! | 168 | of a joint that follows another: multiplier and offset |
//! | 200 | lower and upper limit, in radians or metres, as plain `f64` |
//!
//! where a number is an interval: two `f64`, the lower end first. An allowed pair is two links, the lower first, and the number of
//! the [reason](Reason); pairs are in order. An object is its model (2 bytes), two zeros and its pose. An end is where a model or
//! name ends in the bytes of all of them. The names are those of the links, then of their joints, then of the objects.

use super::pairs::Reason;
use super::workcell::{Margins, ObjectIndex, Storage, Workcell, WorkcellError};
use crate::bytes::{byte, checksum, double, half, word};
use crate::hierarchy::{Blob, BlobError};
use crate::kernel::Model;
use crate::motion::{Joint, JointKind, LinkIndex, MAX_LINKS, Mimic};
use crate::scalar::{Interval, Pose, Quaternion, Scalar, Vec3};

/// The version that is written, and the only one that is read.
pub(super) const VERSION: u16 = 1;
pub(super) const MAGIC: [u8; 4] = *b"AVRR";
pub(super) const HEADER: usize = 64;
pub(super) const LINK: usize = 216;
pub(super) const PAIR: usize = 3;
pub(super) const OBJECT: usize = 116;
pub(super) const END: usize = 4;
/// No parent, no driver.
pub(super) const NO_LINK: u8 = u8::MAX;
/// No model.
pub(super) const NO_MODEL: u16 = u16::MAX;
/// Where the model's number is in a link and in an object.
pub(super) const LINK_MODEL: usize = 4;
pub(super) const OBJECT_MODEL: usize = 0;
/// Where the first interval is in a link and in an object.
const LINK_NUMBERS: usize = 8;
const OBJECT_NUMBERS: usize = 4;
/// Bytes of an interval.
const INTERVAL: usize = 16;

/// Why bytes were refused as a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotBlobError {
    /// They do not begin as a robot does.
    Magic,
    /// They are of this version, which is not read here.
    Version(u16),
    /// So many bytes are there, and so many it should be.
    Length(usize, u64),
    /// The checksum is this one, and should be that one: they are damaged.
    Checksum(u32, u32),
    /// The header's byte at this place is not what it can be.
    Header(usize),
    /// Something about this link, or its joint.
    Link(LinkIndex, Wrong),
    /// Something about this object.
    Object(ObjectIndex, Wrong),
    /// The allowed pair of this number names no two links in order, or no reason, or comes too late.
    Pair(usize),
    /// The name of this number is not inside the names, or not UTF-8.
    Name(usize),
    /// The model of this number is not inside the models.
    End(usize),
    /// The model of this number is none, or none for this scalar.
    Model(usize, BlobError),
    /// The workcell could not be made.
    Workcell(WorkcellError),
}

/// What is wrong with a link or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It moves in no way that is known.
    Kind,
    /// The parent does not come before it.
    Parent,
    /// The joint that it follows does not exist, does not move or follows another itself.
    Driver,
    /// A number is not finite, or the ends of an interval are in the wrong order.
    Number,
    /// A limit is not finite, or the lower one is above the upper.
    Limits,
    /// There is no such model.
    Model,
    /// A byte that has no meaning is not zero.
    Blank,
}

impl core::fmt::Display for Wrong {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Kind => "its joint is of no known kind",
            Self::Parent => "its parent does not come before it",
            Self::Driver => "its joint follows one that does not exist, does not move, or follows another itself",
            Self::Number => "a number is not finite, or an interval's ends are in the wrong order",
            Self::Limits => "its limits are not finite, or in the wrong order",
            Self::Model => "its model does not exist",
            Self::Blank => "a byte that should be zero is not",
        })
    }
}

impl core::fmt::Display for RobotBlobError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Magic => write!(f, "these bytes are no baked robot: they do not begin with \"AVRR\""),
            Self::Version(v) => {
                write!(f, "the robot is of version {v}, and version {VERSION} is read here: bake it again")
            }
            Self::Length(found, said) => write!(f, "the robot should be {said} bytes long, and {found} are there"),
            Self::Checksum(found, said) => {
                write!(f, "the checksum is {found:#010x}, not {said:#010x}: bytes are damaged")
            }
            Self::Header(at) => write!(f, "the header's byte {at} is not what it can be"),
            Self::Link(LinkIndex(i), what) => write!(f, "link {i}: {what}"),
            Self::Object(ObjectIndex(i), what) => write!(f, "object {i}: {what}"),
            Self::Pair(i) => write!(f, "allowed pair {i} does not name two links and a reason, in order"),
            Self::Name(i) => write!(f, "name {i} is not among the names, or not UTF-8"),
            Self::End(i) => write!(f, "model {i} is not among the models"),
            Self::Model(i, e) => write!(f, "model {i}: {e}"),
            Self::Workcell(e) => write!(f, "{e}"),
        }
    }
}

impl core::error::Error for RobotBlobError {}

impl From<WorkcellError> for RobotBlobError {
    fn from(error: WorkcellError) -> Self {
        Self::Workcell(error)
    }
}

/// What a robot's [`Storage`] must have at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RobotSizes {
    /// Links, and places for payloads; as many parts.
    pub links: usize,
    /// Pairs of these.
    pub allowed: usize,
    /// Objects.
    pub objects: usize,
    /// Indices of scratch to load with, free again afterwards.
    pub scratch: usize,
}

/// An object of the world.
#[derive(Clone, Copy, Debug)]
pub struct RobotObject<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it stands, in the world.
    pub pose: Pose<Interval<f64>>,
    /// The bytes of its model.
    pub model: &'a [u8],
}

/// Pieces of bytes that lie one after the other.
#[derive(Clone, Copy, Debug)]
struct Pieces<'a> {
    ends: &'a [[u8; END]],
    bytes: &'a [u8],
}

impl<'a> Pieces<'a> {
    fn end(&self, index: usize) -> Option<usize> {
        self.ends.get(index).and_then(|end| usize::try_from(u32::from_le_bytes(*end)).ok())
    }

    fn get(&self, index: usize) -> Option<&'a [u8]> {
        let from = index.checked_sub(1).map_or(Some(0), |before| self.end(before))?;
        self.bytes.get(from..self.end(index)?)
    }

    /// Where the last one ends.
    fn last(&self) -> usize {
        self.ends.len().checked_sub(1).and_then(|last| self.end(last)).unwrap_or(0)
    }
}

/// A robot's bytes, found whole.
#[derive(Clone, Copy, Debug)]
pub struct RobotBlob<'a> {
    links: &'a [[u8; LINK]],
    pairs: &'a [[u8; PAIR]],
    objects: &'a [[u8; OBJECT]],
    names: Pieces<'a>,
    models: Pieces<'a>,
    margins: Margins<f64>,
    payloads: usize,
    scratch: usize,
}

impl<'a> RobotBlob<'a> {
    /// Finds everything, and checks it; of the models sizes and checksums only.
    ///
    /// ```
    /// use avert::robot::{RobotBlob, RobotBlobError};
    /// assert_eq!(RobotBlob::parse(b"<robot name=\"r\"/>").unwrap_err(), RobotBlobError::Magic);
    /// ```
    pub fn parse(bytes: &'a [u8]) -> Result<Self, RobotBlobError> {
        let found = Self::sections(bytes)?;
        found.check_names()?;
        let scratch = found.check_models()?;
        found.check_links()?;
        found.check_pairs()?;
        found.check_objects()?;
        Ok(Self { scratch, ..found })
    }

    /// Finds the lists.
    fn sections(bytes: &'a [u8]) -> Result<Self, RobotBlobError> {
        if bytes.first_chunk() != Some(&MAGIC) || bytes.len() < 6 {
            return Err(RobotBlobError::Magic);
        }
        let version = half(bytes, 4);
        if version != VERSION {
            return Err(RobotBlobError::Version(version));
        }
        let (header, rest) =
            bytes.split_at_checked(HEADER).ok_or(RobotBlobError::Length(bytes.len(), HEADER as u64))?;
        let length = u64::from(word(header, 8));
        if bytes.len() as u64 != length {
            return Err(RobotBlobError::Length(bytes.len(), length));
        }
        let sum = checksum(bytes);
        if sum != word(header, 12) {
            return Err(RobotBlobError::Checksum(sum, word(header, 12)));
        }
        if let Some(at) = (22..24).chain(28..32).chain(56..HEADER).find(|at| byte(header, *at) != 0) {
            return Err(RobotBlobError::Header(at));
        }
        let [links, payloads] = [6, 7].map(|at| usize::from(byte(header, at)));
        if !(1..=MAX_LINKS).contains(&links) {
            return Err(RobotBlobError::Header(6));
        }
        if links + payloads > MAX_LINKS {
            return Err(RobotBlobError::Header(7));
        }
        let is_margin = |at: usize| double(header, at) >= 0.0 && double(header, at).is_finite();
        if let Some(at) = [32, 40, 48].into_iter().find(|at| !is_margin(*at)) {
            return Err(RobotBlobError::Header(at));
        }
        let margins = Margins { world: double(header, 32), own: double(header, 40), payload: double(header, 48) };
        let [objects, pairs, models] = [16, 18, 20].map(|at| u64::from(half(header, at)));
        let links = links as u64;
        let sizes = [
            links * LINK as u64,
            pairs * PAIR as u64,
            objects * OBJECT as u64,
            models * END as u64,
            (2 * links + objects) * END as u64,
            u64::from(word(header, 24)),
        ];
        let (mut rest, mut needed) = (rest, HEADER as u64);
        let mut whole = true;
        let [links, pairs, objects, model_ends, name_ends, names] = sizes.map(|size| {
            needed += size;
            let parts = usize::try_from(size).ok().and_then(|n| rest.split_at_checked(n));
            whole &= parts.is_some();
            let (part, after) = parts.unwrap_or_default();
            rest = after;
            part
        });
        let models = Pieces { ends: model_ends.as_chunks().0, bytes: rest };
        needed += models.last() as u64;
        if !whole || needed != length {
            return Err(RobotBlobError::Length(bytes.len(), needed));
        }
        Ok(Self {
            links: links.as_chunks().0,
            pairs: pairs.as_chunks().0,
            objects: objects.as_chunks().0,
            names: Pieces { ends: name_ends.as_chunks().0, bytes: names },
            models,
            margins,
            payloads,
            scratch: 0,
        })
    }

    fn check_names(&self) -> Result<(), RobotBlobError> {
        let count = self.names.ends.len();
        let is_name = |i: &usize| self.names.get(*i).is_some_and(|name| core::str::from_utf8(name).is_ok());
        match (0..count).find(|i| !is_name(i)) {
            Some(i) => Err(RobotBlobError::Name(i)),
            None if self.names.last() != self.names.bytes.len() => Err(RobotBlobError::Name(count - 1)),
            None => Ok(()),
        }
    }

    /// Says how much scratch the models need.
    fn check_models(&self) -> Result<usize, RobotBlobError> {
        (0..self.models.ends.len()).try_fold(0, |most: usize, i| {
            let bytes = self.models.get(i).ok_or(RobotBlobError::End(i))?;
            let model = Blob::parse(bytes).map_err(|e| RobotBlobError::Model(i, e))?;
            Ok(most.max(model.scratch_needed()))
        })
    }

    fn check_links(&self) -> Result<(), RobotBlobError> {
        for (index, record) in (0..).zip(self.links) {
            self.check_link(index, record).map_err(|what| RobotBlobError::Link(LinkIndex(index), what))?;
        }
        Ok(())
    }

    fn check_link(&self, index: u8, record: &[u8; LINK]) -> Result<(), Wrong> {
        let [kind, parent, driver, limited] = [0, 1, 2, 3].map(|at| byte(record, at));
        if kind > 2 {
            return Err(Wrong::Kind);
        }
        if parent != NO_LINK && parent >= index {
            return Err(Wrong::Parent);
        }
        // It moves, and follows none itself.
        let leads = |record: &[u8; LINK]| byte(record, 0) != 0 && byte(record, 2) == NO_LINK;
        if driver != NO_LINK && !self.links.get(usize::from(driver)).is_some_and(leads) {
            return Err(Wrong::Driver);
        }
        if limited > 1 || half(record, 6) != 0 {
            return Err(Wrong::Blank);
        }
        let intervals = if driver == NO_LINK { 10 } else { 12 };
        if !(0..intervals).all(|k| is_interval(record, LINK_NUMBERS + INTERVAL * k)) {
            return Err(Wrong::Number);
        }
        if limited == 1 && !is_interval(record, 200) {
            return Err(Wrong::Limits);
        }
        let model = half(record, LINK_MODEL);
        if model != NO_MODEL && usize::from(model) >= self.models.ends.len() { Err(Wrong::Model) } else { Ok(()) }
    }

    fn check_pairs(&self) -> Result<(), RobotBlobError> {
        let mut before = None;
        for (i, [a, b, reason]) in self.pairs.iter().enumerate() {
            let good = a < b && usize::from(*b) < self.links.len() && Reason::from_number(*reason).is_some();
            if !(good && before < Some([a, b])) {
                return Err(RobotBlobError::Pair(i));
            }
            before = Some([a, b]);
        }
        Ok(())
    }

    fn check_objects(&self) -> Result<(), RobotBlobError> {
        for (index, record) in (0..).zip(self.objects) {
            let wrong = |what| Err(RobotBlobError::Object(ObjectIndex(index), what));
            if usize::from(half(record, OBJECT_MODEL)) >= self.models.ends.len() {
                return wrong(Wrong::Model);
            }
            if half(record, 2) != 0 {
                return wrong(Wrong::Blank);
            }
            if !(0..7).all(|k| is_interval(record, OBJECT_NUMBERS + INTERVAL * k)) {
                return wrong(Wrong::Number);
            }
        }
        Ok(())
    }

    /// How many links the robot has.
    pub fn links(&self) -> usize {
        self.links.len()
    }

    /// How many objects stand around it.
    pub fn objects(&self) -> usize {
        self.objects.len()
    }

    /// How many places for payloads are wanted.
    pub fn payloads(&self) -> usize {
        self.payloads
    }

    /// How many models there are; bodies that are alike share one.
    pub fn models(&self) -> usize {
        self.models.ends.len()
    }

    /// What bodies must stay apart, in metres.
    pub fn margins(&self) -> Margins<f64> {
        self.margins
    }

    /// How much storage the workcell needs.
    pub fn sizes(&self) -> RobotSizes {
        let links = self.links.len() + self.payloads;
        let allowed = links * links.saturating_sub(1) / 2;
        RobotSizes { links, allowed, objects: self.objects.len(), scratch: self.scratch }
    }

    fn name(&self, index: usize) -> &'a str {
        self.names.get(index).and_then(|name| core::str::from_utf8(name).ok()).unwrap_or_default()
    }

    /// The name of a link.
    pub fn link_name(&self, link: LinkIndex) -> Option<&'a str> {
        self.links.get(link.get()).map(|_| self.name(link.get()))
    }

    /// The name of the joint that a link hangs on; may be empty.
    pub fn joint_name(&self, link: LinkIndex) -> Option<&'a str> {
        self.links.get(link.get()).map(|_| self.name(self.links.len() + link.get()))
    }

    /// The joint that a link hangs on.
    pub fn joint(&self, link: LinkIndex) -> Option<Joint<f64>> {
        self.links.get(link.get()).map(joint)
    }

    /// The limits of that joint, in radians or metres.
    pub fn limits(&self, link: LinkIndex) -> Option<[f64; 2]> {
        self.links.get(link.get()).and_then(limits)
    }

    /// The bytes of a link's model, if it has one.
    pub fn model(&self, link: LinkIndex) -> Option<&'a [u8]> {
        self.links.get(link.get()).and_then(|record| self.models.get(usize::from(half(record, LINK_MODEL))))
    }

    /// The pairs of links that may touch, each once, the lower link first.
    pub fn allowed(&self) -> impl Iterator<Item = ([LinkIndex; 2], Reason)> {
        self.pairs.iter().filter_map(|[a, b, reason]| Some(([*a, *b].map(LinkIndex), Reason::from_number(*reason)?)))
    }

    /// An object.
    pub fn object(&self, index: ObjectIndex) -> Option<RobotObject<'a>> {
        let place = usize::from(index.0);
        let record = self.objects.get(place)?;
        let name = self.name(2 * self.links.len() + place);
        let model = self.models.get(usize::from(half(record, OBJECT_MODEL)))?;
        Some(RobotObject { name, pose: pose(record, OBJECT_NUMBERS), model })
    }

    /// Proves every model in a scalar, and makes the workcell of all: the links, with their limits rounded to nearest (a
    /// [plan](super::Plan) makes allowance for that), the allowed pairs, and the objects, which get the indices that they have
    /// here. The storage must have [`sizes`](RobotBlob::sizes) at least; the scratch is free again afterwards.
    ///
    /// # Soundness
    /// No margin is below the stored one, and the pose of an object contains every pose inside the stored intervals.
    pub fn workcell<'s, S: Scalar>(
        &self,
        storage: Storage<'s, S>,
        scratch: &mut [u32],
    ) -> Result<Workcell<'s, S>, RobotBlobError>
    where
        'a: 's,
    {
        if storage.objects.len() < self.objects.len() {
            return Err(WorkcellError::Storage("objects", self.objects.len()).into());
        }
        let Margins { world, own, payload } = self.margins;
        // Not −0.0 for zero, which would be another cell's fingerprint.
        let hi = |margin: f64| if margin > 0.0 { S::from_f64_hi(margin) } else { S::ZERO };
        let [world, own, payload] = [world, own, payload].map(hi);
        let base = Pose::<f64>::IDENTITY.into();
        let joints = self.links.iter().map(joint);
        let mut cell = Workcell::of_joints(base, joints, Margins { world, own, payload }, storage)?;
        for (link, record) in (0..).map(LinkIndex).zip(self.links) {
            let model = match half(record, LINK_MODEL) {
                NO_MODEL => None,
                number => Some(self.proved(&cell, number, scratch)?),
            };
            cell.set_model(link, model)?;
            cell.set_limits(link, limits(record).map(|limits| limits.map(S::from_f64_near)))?;
        }
        for ([a, b], reason) in self.allowed() {
            cell.set_allowed(a, b, Some(reason))?;
        }
        for record in self.objects {
            let model = self.proved(&cell, half(record, OBJECT_MODEL), scratch)?;
            let Pose { rotation, position } = pose(record, OBJECT_NUMBERS);
            let narrow = |x: Interval<f64>| Interval::new(S::from_f64_lo(x.lo()), S::from_f64_hi(x.hi()));
            cell.add_object(model, Pose { rotation: rotation.map(narrow), position: position.map(narrow) })?;
        }
        Ok(cell)
    }

    /// The model of this number: that of a body of the cell if one has it already, since a proof takes time.
    fn proved<'s, S: Scalar>(
        &self,
        cell: &Workcell<'s, S>,
        number: u16,
        scratch: &mut [u32],
    ) -> Result<Model<'s, S>, RobotBlobError>
    where
        'a: 's,
    {
        let link = self.links.iter().position(|record| half(record, LINK_MODEL) == number);
        let link = link.and_then(|at| u8::try_from(at).ok()).and_then(|at| cell.model(LinkIndex(at)));
        let object = || self.objects.iter().position(|record| half(record, OBJECT_MODEL) == number);
        let object = || object().and_then(|at| u16::try_from(at).ok()).and_then(|at| cell.object(ObjectIndex(at)));
        if let Some(model) = link.or_else(|| object().map(|object| object.model())) {
            return Ok(*model);
        }
        let number = usize::from(number);
        let bytes = self.models.get(number).ok_or(RobotBlobError::End(number))?;
        // The checksum was right when the robot was parsed.
        let model = Blob::known(bytes).and_then(|blob| blob.model(scratch));
        model.map_err(|e| RobotBlobError::Model(number, e))
    }
}

/// Are these two finite numbers, the lower one first?
fn is_interval(record: &[u8], at: usize) -> bool {
    let [lo, hi] = [at, at + 8].map(|at| double(record, at));
    lo <= hi && lo.is_finite() && hi.is_finite()
}

fn intervals<const N: usize>(record: &[u8], at: usize) -> [Interval<f64>; N] {
    core::array::from_fn(|k| at + INTERVAL * k).map(|at| Interval::new(double(record, at), double(record, at + 8)))
}

fn pose(record: &[u8], at: usize) -> Pose<Interval<f64>> {
    let [w, x, y, z, px, py, pz] = intervals(record, at);
    Pose { rotation: Quaternion::new(w, x, y, z), position: Vec3::new(px, py, pz) }
}

/// The joint of a link that was found good.
fn joint(record: &[u8; LINK]) -> Joint<f64> {
    let index = |at: usize| Some(byte(record, at)).filter(|index| *index != NO_LINK).map(LinkIndex);
    let [multiplier, offset] = intervals(record, 168);
    Joint {
        kind: match byte(record, 0) {
            0 => JointKind::Fixed,
            1 => JointKind::Revolute,
            _ => JointKind::Prismatic,
        },
        parent: index(1),
        origin: pose(record, LINK_NUMBERS),
        axis: Vec3::from(intervals(record, 120)),
        mimic: index(2).map(|driver| Mimic { driver, multiplier, offset }),
    }
}

fn limits(record: &[u8; LINK]) -> Option<[f64; 2]> {
    (byte(record, 3) == 1).then(|| [double(record, 200), double(record, 208)])
}
