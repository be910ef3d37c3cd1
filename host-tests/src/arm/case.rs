//! A robot, its world and a path, as plain numbers.

use crate::scenes::{Path, Place, Point, Shape};

/// How a joint moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaseKind {
    /// Not at all.
    Fixed,
    /// About its axis, with limits or without.
    Revolute,
    /// Along its axis.
    Prismatic,
}

/// A joint that follows another: its value is `multiplier · driver's value + offset`.
#[derive(Clone, Copy, Debug)]
pub struct CaseMimic {
    /// A joint that moves and follows no other.
    pub driver: usize,
    pub multiplier: f64,
    pub offset: f64,
}

/// A joint, and the link that hangs on it.
#[derive(Clone, Copy, Debug)]
pub struct CaseJoint {
    pub kind: CaseKind,
    /// A link that comes earlier in the list; none for the robot's base.
    pub parent: Option<usize>,
    /// The joint's frame, and the link's own at value zero, in that of the parent. The quaternion stands for its
    /// normalised self.
    pub origin: Place,
    /// In the joint's frame; it stands for its normalised self.
    pub axis: Point,
    pub mimic: Option<CaseMimic>,
}

/// The value of a joint over a segment, as a trajectory controller defines it: numbers at both ends, per second, and the
/// duration in seconds.
#[derive(Clone, Copy, Debug)]
pub enum CasePath {
    Line { positions: [f64; 2] },
    Cubic { positions: [f64; 2], velocities: [f64; 2], duration: f64 },
    Quintic { positions: [f64; 2], velocities: [f64; 2], accelerations: [f64; 2], duration: f64 },
}

/// What a link, an object or a payload is made of.
#[derive(Clone, Debug, Default)]
pub struct CaseBody {
    pub shape: Shape,
    /// Are its meshes closed? Then they are full inside. Hulls always are.
    pub solid: bool,
}

/// A thing in the world.
#[derive(Clone, Debug)]
pub struct CaseObject {
    pub body: CaseBody,
    /// Where it is, if it rests.
    pub place: Place,
    /// How it moves instead, a path a segment; none if it rests.
    pub motion: Option<Vec<Path>>,
}

/// A thing in the gripper.
#[derive(Clone, Debug)]
pub struct CasePayload {
    /// The link that it is fixed to.
    pub link: usize,
    /// In the link's frame.
    pub place: Place,
    pub body: CaseBody,
}

/// One of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Who {
    Link(usize),
    Object(usize),
    Payload(usize),
}

/// The distances that are to be kept, in metres.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margins {
    /// Of links from objects.
    pub world: f64,
    /// Of links from each other.
    pub own: f64,
    /// Of a payload from anything.
    pub payload: f64,
}

/// Does a robot on its path come within the margins of anything?
///
/// Every number is a multiple of 2⁻²⁰ that `f32` holds, so that the real robot is the same for every scalar.
#[derive(Clone, Debug)]
pub struct ArmCase {
    /// Where the robot stands.
    pub base: Place,
    pub joints: Vec<CaseJoint>,
    /// For each joint what its link is made of, if anything.
    pub bodies: Vec<Option<CaseBody>>,
    pub objects: Vec<CaseObject>,
    pub payloads: Vec<CasePayload>,
    /// For each segment a path a joint; those of fixed joints and of joints that follow others mean nothing.
    pub segments: Vec<Vec<CasePath>>,
    /// Pairs that may touch.
    pub allowed: Vec<[Who; 2]>,
    pub margins: Margins,
}

impl ArmCase {
    /// The body, if there is such a one.
    pub fn body(&self, who: Who) -> Option<&CaseBody> {
        match who {
            Who::Link(i) => self.bodies.get(i)?.as_ref(),
            Who::Object(i) => Some(&self.objects.get(i)?.body),
            Who::Payload(i) => Some(&self.payloads.get(i)?.body),
        }
    }

    /// All bodies.
    pub fn everyone(&self) -> Vec<Who> {
        let links = (0..self.bodies.len()).map(Who::Link);
        let rest = (0..self.payloads.len()).map(Who::Payload).chain((0..self.objects.len()).map(Who::Object));
        links.chain(rest).filter(|who| self.body(*who).is_some()).collect()
    }

    /// Everything that cannot move against each other has the same answer: the last joint above a body that moves, none
    /// for what rests in the world. A joint that could move but does not counts as one that moves.
    pub fn group(&self, who: Who) -> Option<Who> {
        let mut link = match who {
            Who::Object(i) => return self.objects[i].motion.as_ref().map(|_| who),
            Who::Link(i) => i,
            Who::Payload(i) => self.payloads[i].link,
        };
        while self.joints[link].kind == CaseKind::Fixed {
            link = self.joints[link].parent?;
        }
        Some(Who::Link(link))
    }

    /// The pairs that are to be checked: of the robot with the world and with itself, but not those that are allowed to
    /// touch or that cannot move against each other.
    pub fn pairs(&self) -> Vec<[Who; 2]> {
        let all = self.everyone();
        let object = |who: &Who| matches!(who, Who::Object(_));
        let mut pairs = vec![];
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                let may = self.allowed.contains(&[*a, *b]) || self.allowed.contains(&[*b, *a]);
                if !(may || object(a) && object(b) || self.group(*a) == self.group(*b)) {
                    pairs.push([*a, *b]);
                }
            }
        }
        pairs
    }

    /// The distance that a pair is to keep.
    pub fn margin(&self, pair: [Who; 2]) -> f64 {
        let any = |test: fn(&Who) -> bool| pair.iter().any(test);
        if any(|who| matches!(who, Who::Payload(_))) {
            self.margins.payload
        } else if any(|who| matches!(who, Who::Object(_))) {
            self.margins.world
        } else {
            self.margins.own
        }
    }
}
