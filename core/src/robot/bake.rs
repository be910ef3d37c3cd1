//! The baker of robots: joints, models, names and objects as flat bytes that every scalar can use in place.
//!
//! **Computes** the bytes that [`RobotBlob`] reads. **Invariant**: what comes out was read again and found good. **Follows** the
//! layout there. **Departs** from the order of the caller in that allowed pairs are sorted, and in that models with the same
//! bytes are written once.

use super::blob::{
    END, HEADER, LINK, LINK_MODEL, MAGIC, NO_LINK, NO_MODEL, OBJECT, OBJECT_MODEL, PAIR, RobotBlob, RobotBlobError,
    VERSION,
};
use super::pairs::Reason;
use super::workcell::Margins;
use crate::bytes::{Writer, checksum, half};
use crate::motion::{Joint, JointKind, LinkIndex, MAX_LINKS, Mimic};
use crate::scalar::{Interval, Pose, Quaternion};

/// A link with the joint that it hangs on.
#[derive(Clone, Copy, Debug)]
pub struct DraftLink<'a> {
    /// Of the link.
    pub name: &'a str,
    /// Of the joint; empty for a root.
    pub joint_name: &'a str,
    /// The joint.
    pub joint: Joint<f64>,
    /// Its limits, lower and upper, in radians or metres.
    pub limits: Option<[f64; 2]>,
    /// The baked model, for [`Blob::parse`](crate::hierarchy::Blob::parse); none if the link touches nothing.
    pub model: Option<&'a [u8]>,
}

/// An object of the world.
#[derive(Clone, Copy, Debug)]
pub struct DraftObject<'a> {
    /// Its name.
    pub name: &'a str,
    /// Where it stands.
    pub pose: Pose<Interval<f64>>,
    /// The baked model.
    pub model: &'a [u8],
}

/// A robot and its world.
#[derive(Clone, Copy, Debug)]
pub struct RobotDraft<'a> {
    /// Parents first.
    pub links: &'a [DraftLink<'a>],
    /// What stands around.
    pub objects: &'a [DraftObject<'a>],
    /// Pairs of links that may touch; of a pair that is there twice the first counts.
    pub allowed: &'a [([LinkIndex; 2], Reason)],
    /// What bodies must stay apart, in metres.
    pub margins: Margins<f64>,
    /// How many payloads may be attached at the same time.
    pub payloads: usize,
}

/// Why a robot was not baked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotBakeError {
    /// There must be room for this many bytes.
    Room(usize),
    /// There are too many of these.
    TooMany(&'static str),
    /// This allowed pair does not name two different links of the robot.
    Pair(usize),
    /// The result could not be read.
    Blob(RobotBlobError),
}

impl core::fmt::Display for RobotBakeError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Room(n) => write!(f, "the robot needs room for {n} bytes"),
            Self::TooMany(what) => write!(f, "there are too many {what}"),
            Self::Pair(i) => write!(f, "allowed pair {i} does not name two different links of the robot"),
            Self::Blob(e) => write!(f, "{e}"),
        }
    }
}

impl core::error::Error for RobotBakeError {}

/// What the header says.
struct Head {
    pairs: usize,
    models: usize,
    /// Bytes of them.
    names: usize,
    length: usize,
}

impl<'a> RobotDraft<'a> {
    /// How many bytes the baked robot takes, at most.
    pub fn room(&self) -> usize {
        let models = self.models().flatten().map(|model| END + model.len()).sum::<usize>();
        let names = self.names().map(|name| END + name.len()).sum::<usize>();
        HEADER + LINK * self.links.len() + PAIR * self.allowed.len() + OBJECT * self.objects.len() + names + models
    }

    /// The models of all bodies, links first.
    fn models(&self) -> impl Iterator<Item = Option<&'a [u8]>> {
        self.links.iter().map(|link| link.model).chain(self.objects.iter().map(|object| Some(object.model)))
    }

    fn names(&self) -> impl Iterator<Item = &'a str> {
        let links = self.links.iter().map(|link| link.name).chain(self.links.iter().map(|link| link.joint_name));
        links.chain(self.objects.iter().map(|object| object.name))
    }

    /// Writes the robot into the caller's memory, and says how long it is.
    ///
    /// `out` must hold [`room`](RobotDraft::room) bytes.
    pub fn bake(&self, out: &mut [u8]) -> Result<usize, RobotBakeError> {
        let room = self.room();
        if self.links.len() + self.payloads > MAX_LINKS {
            return Err(RobotBakeError::TooMany("links and payloads"));
        }
        if self.objects.len() > usize::from(u16::MAX) {
            return Err(RobotBakeError::TooMany("objects"));
        }
        if u32::try_from(room).is_err() {
            return Err(RobotBakeError::TooMany("bytes"));
        }
        let is_pair = |([a, b], _): &([LinkIndex; 2], Reason)| a != b && a.max(b).get() < self.links.len();
        if let Some(i) = self.allowed.iter().position(|pair| !is_pair(pair)) {
            return Err(RobotBakeError::Pair(i));
        }
        let out = out.get_mut(..room).ok_or(RobotBakeError::Room(room))?;
        let head = self.write(out)?;
        let whole = out.get_mut(..head.length).ok_or(RobotBakeError::Room(room))?;
        self.seal(whole, &head);
        RobotBlob::parse(whole).map_err(RobotBakeError::Blob)?;
        Ok(whole.len())
    }

    /// Writes all but the header.
    fn write(&self, out: &mut [u8]) -> Result<Head, RobotBakeError> {
        let mut writer = Writer { out, at: HEADER };
        self.links.iter().for_each(|link| put_link(&mut writer, link));
        let pairs = self.put_pairs(&mut writer);
        let objects = writer.at;
        for object in self.objects {
            // The model's number comes later.
            writer.put(0, 4);
            put_pose(&mut writer, &object.pose);
        }
        let models = self.number_models(writer.out, objects)?;
        put_ends(&mut writer, self.distinct().map(<[u8]>::len));
        put_ends(&mut writer, self.names().map(str::len));
        let names = writer.at;
        self.names().for_each(|name| writer.bytes(name.as_bytes()));
        let names = writer.at - names;
        self.distinct().for_each(|model| writer.bytes(model));
        Ok(Head { pairs, models, names, length: writer.at })
    }

    /// Writes every pair once, in order.
    fn put_pairs(&self, writer: &mut Writer<'_>) -> usize {
        let links = || (0..).map(LinkIndex).take(self.links.len());
        let mut count = 0;
        for (a, b) in links().flat_map(|a| links().skip(a.get() + 1).map(move |b| (a, b))) {
            let found = self.allowed.iter().find(|(pair, _)| *pair == [a, b] || *pair == [b, a]);
            if let Some((_, reason)) = found {
                [a.0, b.0, *reason as u8].into_iter().for_each(|byte| writer.put(u32::from(byte), 1));
                count += 1;
            }
        }
        count
    }

    /// The models without those that are there already.
    fn distinct(&self) -> impl Iterator<Item = &'a [u8]> {
        let is_new = |(at, model): &(usize, &[u8])| !self.models().take(*at).any(|other| other == Some(*model));
        let known = self.models().enumerate().filter_map(|(at, model)| Some((at, model?)));
        known.filter(is_new).map(|(_, model)| model)
    }

    /// Puts the number of its model into every body, and says how many models there are.
    fn number_models(&self, out: &mut [u8], objects: usize) -> Result<usize, RobotBakeError> {
        let links = self.links.len();
        let place = |body: usize| match body.checked_sub(links) {
            None => HEADER + LINK * body + LINK_MODEL,
            Some(object) => objects + OBJECT * object + OBJECT_MODEL,
        };
        let mut count = 0;
        for (body, model) in self.models().enumerate().filter(|(_, model)| model.is_some()) {
            let number = match self.models().take(body).position(|other| other == model) {
                Some(same) => half(out, place(same)),
                None => {
                    count += 1;
                    u16::try_from(count - 1).unwrap_or(NO_MODEL)
                }
            };
            Writer { out, at: place(body) }.put(u32::from(number), 2);
        }
        if count <= usize::from(NO_MODEL) { Ok(count) } else { Err(RobotBakeError::TooMany("models")) }
    }

    /// Writes the header.
    fn seal(&self, whole: &mut [u8], head: &Head) {
        let Head { pairs, models, names, length } = *head;
        let mut writer = Writer { out: whole, at: 0 };
        // All of these fit: `bake` has refused what does not.
        let mut put = |value: usize, bytes: usize| writer.put(u32::try_from(value).unwrap_or(u32::MAX), bytes);
        put(u32::from_le_bytes(MAGIC) as usize, 4);
        put(usize::from(VERSION), 2);
        put(self.links.len(), 1);
        put(self.payloads, 1);
        put(length, 4);
        put(0, 4);
        put(self.objects.len(), 2);
        put(pairs, 2);
        put(models, 2);
        put(0, 2);
        put(names, 4);
        put(0, 4);
        let Margins { world, own, payload } = self.margins;
        [world, own, payload].into_iter().for_each(|margin| writer.double(margin));
        writer.put(0, 4);
        writer.put(0, 4);
        let sum = checksum(writer.out);
        writer.at = 12;
        writer.put(sum, 4);
    }
}

fn put_link(writer: &mut Writer<'_>, link: &DraftLink<'_>) {
    let Joint { kind, parent, origin, axis, mimic } = &link.joint;
    let kind = match kind {
        JointKind::Fixed => 0,
        JointKind::Revolute => 1,
        JointKind::Prismatic => 2,
    };
    let index = |link: Option<LinkIndex>| link.map_or(NO_LINK, |link| link.0);
    let limited = u8::from(link.limits.is_some());
    writer.bytes(&[kind, index(*parent), index(mimic.map(|mimic| mimic.driver)), limited]);
    writer.put(u32::from(NO_MODEL), 2);
    writer.put(0, 2);
    put_pose(writer, origin);
    axis.to_array().into_iter().for_each(|x| put_interval(writer, x));
    let [multiplier, offset] =
        mimic.map_or([Interval::ZERO; 2], |Mimic { multiplier, offset, .. }| [multiplier, offset]);
    put_interval(writer, multiplier);
    put_interval(writer, offset);
    link.limits.unwrap_or([0.0; 2]).into_iter().for_each(|limit| writer.double(limit));
}

fn put_pose(writer: &mut Writer<'_>, Pose { rotation: Quaternion { w, v }, position }: &Pose<Interval<f64>>) {
    put_interval(writer, *w);
    v.to_array().into_iter().chain(position.to_array()).for_each(|x| put_interval(writer, x));
}

fn put_interval(writer: &mut Writer<'_>, x: Interval<f64>) {
    writer.double(x.lo());
    writer.double(x.hi());
}

fn put_ends(writer: &mut Writer<'_>, lengths: impl Iterator<Item = usize>) {
    let mut end = 0;
    for length in lengths {
        end += length;
        writer.put(u32::try_from(end).unwrap_or(u32::MAX), END);
    }
}
