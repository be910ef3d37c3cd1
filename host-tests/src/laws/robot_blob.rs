//! Baked robots: what is read is what was written, and damage ends as an error or as another sound robot.

use super::blob::{Body, Damage, seal};
use super::joint::{digits, enclosure};
use super::{array, exact, vector};
use crate::random::Random;
use crate::wide::chain::State;
use crate::wide::{Dd, dot, norm};
use avert::hierarchy::Blob;
use avert::kernel::{Seat, StageMemory};
use avert::motion::{Joint, JointKind, JointPath, JointSweep, Link, LinkIndex, Mimic, Placement, PlacementError};
use avert::robot::{
    BodyIndex, DraftLink, DraftObject, Margins, Object, ObjectIndex, Part, Plan, Reason, RobotBlob, RobotBlobError,
    RobotDraft, RobotSizes, Storage, Workcell, WorkcellError,
};
use avert::{Budget, Entry, Fix32, Fix64, Interval, PathCheck, PathMemory, Pose, Quaternion, Scalar, Vec3};

/// A robot and a world, with room of its own.
#[derive(Clone, Debug)]
pub struct Robot {
    links: Vec<RobotLink>,
    objects: Vec<(String, Pose<Interval<f64>>, usize)>,
    allowed: Vec<([LinkIndex; 2], Reason)>,
    margins: Margins<f64>,
    payloads: usize,
    /// Bodies have some of these; some are there twice.
    models: Vec<Vec<u8>>,
}

#[derive(Clone, Debug)]
struct RobotLink {
    names: [String; 2],
    joint: Joint<f64>,
    limits: Option<[f64; 2]>,
    model: Option<usize>,
}

const REASONS: [Reason; 5] = [Reason::Adjacent, Reason::Never, Reason::Default, Reason::User, Reason::Grasp];

impl Robot {
    /// Any tree, with joints of all kinds, mimics, limits and a few bodies.
    pub fn random(random: &mut Random) -> Self {
        let mut models: Vec<_> = (0..1 + random.below(3)).map(|_| Body::random(random).bake()).collect();
        models.push(models[0].clone());
        let count = 1 + random.below(8);
        let mut links: Vec<_> = (0..count).map(|i| link(random, i, models.len())).collect();
        let moving = (0..count).filter(|i| links[*i].joint.kind != JointKind::Fixed);
        let leads: Vec<_> = moving.filter(|_| random.one_in(2)).collect();
        for (i, link) in links.iter_mut().enumerate() {
            if !leads.is_empty() && !leads.contains(&i) && random.one_in(3) {
                let [multiplier, offset] = [0; 2].map(|_| random.within(-2.0, 2.0)).map(|x| number(random, x));
                link.joint.mimic = Some(Mimic { driver: index(random.pick(&leads)), multiplier, offset });
            }
        }
        let objects = (0..random.below(5)).map(|_| (name(random), pose(random), random.below(models.len()))).collect();
        let pair = |random: &mut Random| [0; 2].map(|_| index(random.below(count)));
        let allowed = (0..random.below(8)).map(|_| (pair(random), random.pick(&REASONS)));
        let allowed = allowed.filter(|([a, b], _)| a != b).collect();
        let margins = [0; 3].map(|_| if random.one_in(2) { 0.0 } else { random.magnitude(-5.0, -1.0) });
        let [world, own, payload] = margins;
        Self { links, objects, allowed, margins: Margins { world, own, payload }, payloads: random.below(3), models }
    }

    /// The baked bytes.
    ///
    /// # Panics
    /// If the robot is refused.
    pub fn bake(&self) -> Vec<u8> {
        let model = |at: usize| self.models[at].as_slice();
        let links: Vec<_> = self.links.iter().map(|link| link.draft(link.model.map(model))).collect();
        let objects = self.objects.iter().map(|(name, pose, at)| DraftObject { name, pose: *pose, model: model(*at) });
        let objects: Vec<_> = objects.collect();
        let (allowed, margins, payloads) = (self.allowed.as_slice(), self.margins, self.payloads);
        let draft = RobotDraft { links: &links, objects: &objects, allowed, margins, payloads };
        let mut bytes = vec![0xa5; draft.room()];
        let length = draft.bake(&mut bytes).expect("a good robot");
        bytes.truncate(length);
        bytes
    }

    /// The pairs that may touch, each once and in order.
    fn pairs(&self) -> Vec<([LinkIndex; 2], Reason)> {
        let mut pairs = std::collections::BTreeMap::new();
        for ([a, b], reason) in &self.allowed {
            pairs.entry([*a.min(b), *a.max(b)]).or_insert(*reason);
        }
        pairs.into_iter().collect()
    }

    /// What the workcell is to be like, made without the bytes.
    fn directly<S: Scalar>(&self) -> Result<u64, WorkcellError> {
        let links = self.links.len() + self.payloads;
        let sizes = RobotSizes { links, allowed: links * (links - 1) / 2, objects: self.objects.len(), scratch: 0 };
        let joints: Vec<_> = self.links.iter().map(|link| link.joint).collect();
        let Margins { world, own, payload } = self.margins;
        let [world, own, payload] = [world, own, payload].map(|x| if x == 0.0 { S::ZERO } else { S::from_f64_hi(x) });
        let base = Pose::<f64>::IDENTITY.into();
        let model = |at: usize| {
            let blob = Blob::parse(&self.models[at]).expect("a good model");
            blob.model::<S>(&mut vec![0; blob.scratch_needed()]).expect("a good model")
        };
        let mut room = Room::new(&sizes);
        let mut cell = Workcell::new(base, &joints, Margins { world, own, payload }, room.storage())?;
        for (i, link) in self.links.iter().enumerate() {
            cell.set_model(index(i), link.model.map(model))?;
            cell.set_limits(index(i), link.limits.map(|limits| limits.map(S::from_f64_near)))?;
        }
        for ([a, b], reason) in self.pairs() {
            cell.set_allowed(a, b, Some(reason))?;
        }
        for (_, pose, at) in &self.objects {
            let narrow = |x: Interval<f64>| Interval::new(S::from_f64_lo(x.lo()), S::from_f64_hi(x.hi()));
            let pose = Pose { rotation: pose.rotation.map(narrow), position: pose.position.map(narrow) };
            cell.add_object(model(*at), pose)?;
        }
        Ok(cell.fingerprint())
    }
}

impl RobotLink {
    fn draft<'a>(&'a self, model: Option<&'a [u8]>) -> DraftLink<'a> {
        let [name, joint_name] = &self.names;
        DraftLink { name, joint_name, joint: self.joint, limits: self.limits, model }
    }
}

fn index(i: usize) -> LinkIndex {
    LinkIndex(u8::try_from(i).expect("few links"))
}

fn name(random: &mut Random) -> String {
    (0..random.below(9)).map(|_| random.pick(&['a', 'Z', '_', '0', ' ', 'ä', '腕', '"'])).collect()
}

/// A number that is known more or less.
fn number(random: &mut Random, x: f64) -> Interval<f64> {
    let radius = if random.one_in(2) { 0.0 } else { random.magnitude(-16.0, -7.0) };
    let x = digits(x, random);
    enclosure(random, x, radius)
}

fn pose(random: &mut Random) -> Pose<Interval<f64>> {
    let [w, x, y, z] = random.quaternion().map(|x| number(random, x));
    Pose { rotation: Quaternion::new(w, x, y, z), position: random.vector().map(|x| number(random, x)).into() }
}

fn link(random: &mut Random, i: usize, models: usize) -> RobotLink {
    let kind = random.pick(&[JointKind::Revolute, JointKind::Revolute, JointKind::Prismatic, JointKind::Fixed]);
    let parent = Some(random.below(i + 1)).filter(|parent| *parent < i).map(index);
    let axis = random.direction().map(|x| number(random, x)).into();
    let mut limits = [0; 2].map(|_| random.within(-3.0, 3.0));
    limits.sort_by(f64::total_cmp);
    RobotLink {
        names: [name(random), name(random)],
        joint: Joint { kind, parent, origin: pose(random), axis, mimic: None },
        limits: random.one_in(2).then_some(limits),
        model: (!random.one_in(3)).then(|| random.below(models)),
    }
}

/// What a workcell borrows.
struct Room<'a, S> {
    links: Vec<Link<S>>,
    parts: Vec<Part<'a, S>>,
    allowed: Vec<Option<Reason>>,
    objects: Vec<Option<Object<'a, S>>>,
}

impl<'a, S: Scalar> Room<'a, S> {
    fn new(sizes: &RobotSizes) -> Self {
        Self {
            links: vec![Link::VACANT; sizes.links],
            parts: vec![Part::VACANT; sizes.links],
            allowed: vec![None; sizes.allowed],
            objects: vec![None; sizes.objects],
        }
    }

    fn storage(&'a mut self) -> Storage<'a, S> {
        let Self { links, parts, allowed, objects } = self;
        Storage { links, parts, allowed, objects, overrides: &mut [] }
    }
}

/// Loads a robot and looks at its workcell.
fn with_cell<S: Scalar, R>(
    bytes: &[u8],
    look: impl FnOnce(&RobotBlob<'_>, &Workcell<'_, S>) -> R,
) -> Result<R, RobotBlobError> {
    let blob = RobotBlob::parse(bytes)?;
    let sizes = blob.sizes();
    let mut scratch = vec![0; sizes.scratch];
    let mut room = Room::new(&sizes);
    let cell = blob.workcell::<S>(room.storage(), &mut scratch)?;
    Ok(look(&blob, &cell))
}

/// What was baked is read again, number by number, and makes the workcell that it would make without the detour.
pub fn round_trip<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut made = 0_u64;
    for _ in 0..cases {
        let robot = Robot::random(&mut random);
        let bytes = robot.bake();
        // At any alignment.
        let shifted = [vec![0; random.below(8)], bytes].concat();
        let bytes = &shifted[shifted.len() - robot.bake().len()..];
        let blob = RobotBlob::parse(bytes).map_err(|e| format!("{e}: {robot:?}"))?;
        same(&robot, &blob).map_err(|what| format!("{what}: {robot:?}"))?;
        let direct = robot.directly::<S>();
        match (with_cell::<S, _>(bytes, |_, cell| cell.fingerprint()), direct) {
            (Ok(loaded), Ok(direct)) if loaded == direct => made += 1,
            (Err(RobotBlobError::Workcell(loaded)), Err(direct)) if loaded == direct => {}
            (loaded, direct) => return Err(format!("{loaded:?} loaded and {direct:?} directly: {robot:?}")),
        }
    }
    if made * 2 >= cases { Ok(()) } else { Err(format!("only {made} of {cases} could be made")) }
}

fn same(robot: &Robot, blob: &RobotBlob<'_>) -> Result<(), String> {
    let check = |good: bool, what: &str| if good { Ok(()) } else { Err(format!("{what} differ")) };
    let counts = [blob.links(), blob.objects(), blob.payloads()];
    check(counts == [robot.links.len(), robot.objects.len(), robot.payloads], "counts")?;
    for (i, link) in robot.links.iter().enumerate() {
        check(blob.joint(index(i)) == Some(link.joint), "joints")?;
        check(blob.limits(index(i)) == link.limits, "limits")?;
        check(
            [blob.link_name(index(i)), blob.joint_name(index(i))] == link.names.each_ref().map(|n| Some(&**n)),
            "names",
        )?;
        check(blob.model(index(i)) == link.model.map(|at| robot.models[at].as_slice()), "models")?;
    }
    for ((name, pose, at), i) in robot.objects.iter().zip(0..) {
        let object = blob.object(ObjectIndex(i)).ok_or("an object is missing")?;
        check(object.name == name && object.pose == *pose && object.model == robot.models[*at], "objects")?;
    }
    check(blob.allowed().collect::<Vec<_>>() == robot.pairs(), "pairs")?;
    check(blob.margins() == robot.margins, "margins")?;
    let used = robot.links.iter().filter_map(|link| link.model).chain(robot.objects.iter().map(|object| object.2));
    let distinct: std::collections::BTreeSet<_> = used.map(|at| &robot.models[at]).collect();
    check(blob.models() == distinct.len(), "numbers of models")?;
    let beyond = [blob.link_name(index(counts[0])).is_none(), blob.joint(index(counts[0])).is_none()];
    check(beyond == [true; 2] && blob.object(ObjectIndex(counts[1] as u16)).is_none(), "ends")
}

/// The margins of a loaded workcell are not below those of the bytes, and its objects are where any pose inside the intervals
/// puts them.
pub fn workcell<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let robot = Robot::random(&mut random);
        let look = |_: &RobotBlob<'_>, cell: &Workcell<'_, S>| {
            let first = BodyIndex::Link(LinkIndex(0));
            let other = BodyIndex::Link(index(robot.links.len()));
            let last = BodyIndex::Link(index(robot.links.len() - 1));
            let Margins { world, own, payload } = robot.margins;
            let of =
                [([first, BodyIndex::Object(ObjectIndex(0))], world), ([first, last], own), ([first, other], payload)];
            if let Some((pair, margin)) = of.into_iter().find(|(pair, x)| exact(cell.margin(*pair)) < exact(*x)) {
                return Err(format!("{:?} is below {margin}", cell.margin(pair)));
            }
            (0..).zip(&robot.objects).try_for_each(|(i, (_, pose, _))| {
                let object = cell.object(ObjectIndex(i)).ok_or("an object is missing")?;
                (0..4).try_for_each(|_| stands::<S>(&mut random, object.motion(), pose))
            })
        };
        match with_cell::<S, _>(&robot.bake(), look) {
            Ok(found) => found.map_err(|what| format!("{what}: {robot:?}"))?,
            // Too vague for the scalar.
            Err(RobotBlobError::Workcell(_)) => {}
            Err(other) => return Err(format!("{other}: {robot:?}")),
        }
    }
    Ok(())
}

/// Is a point of the body within the error of where one of the poses puts it?
fn stands<S: Scalar>(
    random: &mut Random,
    motion: &avert::RigidMotion<S>,
    pose: &Pose<Interval<f64>>,
) -> Result<(), String> {
    let mut inside = |x: Interval<f64>| random.pick(&[x.lo(), x.hi(), x.mid()]);
    let [x, y, z] = pose.rotation.v.to_array().map(&mut inside);
    let truth = State::resting([inside(pose.rotation.w), x, y, z], pose.position.to_array().map(&mut inside));
    let x = array(vector::<S>(random.vector()));
    let [real, ..] = truth.point(x.map(Dd::from));
    let Placement { rotation, position } = motion.placement(S::ZERO);
    let rows = rotation.rows.map(|row| dot(array(row).map(Dd::from), x.map(Dd::from)));
    let position = array(position).map(Dd::from);
    let off = norm([0, 1, 2].map(|i| rows[i] + position[i] - real[i]));
    let reach = S::from_f64_hi(norm(x.map(Dd::from)).to_f64() * (1.0 + 1e-12));
    let error = motion.placement_error_hi(reach);
    if off <= Dd::from(error.to_f64()) + Dd::from(1e-25) {
        Ok(())
    } else {
        Err(format!("an object is {:e} from a pose, allowed {error:?}", off.to_f64()))
    }
}

/// Damages baked robots in every way, with and without right checksums. No damage goes unnoticed without one; with one, what is
/// accepted makes a workcell that can be asked.
pub fn damage<S: Scalar>(cases: u64, seed: u64) -> Result<Damage, String> {
    let mut random = Random::new(seed);
    let mut found = Damage::default();
    let (mut whole, mut left) = (Vec::new(), 0);
    for _ in 0..cases {
        if left == 0 {
            (whole, left) = (Robot::random(&mut random).bake(), 64);
        }
        left -= 1;
        let mut bytes = whole.clone();
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.extend((0..1 + random.below(40)).map(|_| random.below(256) as u8)),
            2 => {
                let to = random.below(bytes.len());
                bytes.swap(at, to);
            }
            3 => (0..random.below(16)).for_each(|_| {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }),
            4 => bytes[random.below(64)] ^= 1 << random.below(8),
            5 => {
                // A number of a joint that is none, or another.
                let at = 72 + 8 * random.below(26);
                let x = random.pick(&[f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-310, 1e300]);
                bytes[at..at + 8].copy_from_slice(&x.to_le_bytes());
            }
            _ => bytes[at] ^= 1 << random.below(8),
        }
        if bytes == whole {
            continue;
        }
        if RobotBlob::parse(&bytes).is_ok() {
            return Err(format!("damage at {at} of {} bytes goes unnoticed", whole.len()));
        }
        found.noticed += 1;
        seal_all(&mut bytes);
        match with_cell::<S, _>(&bytes, |_, cell| asked(cell)) {
            Err(_) => found.refused += 1,
            Ok(Ok(())) => found.sound += 1,
            Ok(Err(what)) => return Err(format!("accepted after damage at {at}: {what}")),
        }
    }
    Ok(found)
}

/// Puts right checksums into the models, as far as they can be found, and into the whole.
pub fn seal_all(bytes: &mut [u8]) {
    let starts: Vec<_> = (64..bytes.len()).filter(|at| bytes[*at..].starts_with(b"AVRT")).collect();
    for at in starts {
        let said = bytes.get(at + 8..at + 12).and_then(|length| length.try_into().ok());
        let length = said.map_or(0, u32::from_le_bytes) as usize;
        bytes.get_mut(at..).and_then(|rest| rest.get_mut(..length)).into_iter().for_each(seal);
    }
    seal(bytes);
}

/// What is made of any bytes: an error, or in every scalar a workcell that can be asked.
pub fn survives(bytes: &[u8]) -> Result<(), String> {
    fn in_scalar<S: Scalar>(bytes: &[u8]) -> Result<(), String> {
        let Ok(verdict) = with_cell::<S, _>(bytes, |_, cell| asked(cell)) else { return Ok(()) };
        verdict.map_err(|e| format!("{e}, of {} bytes: {bytes:?}", size_of::<S>()))
    }
    in_scalar::<f32>(bytes)?;
    in_scalar::<f64>(bytes)?;
    in_scalar::<Fix32>(bytes)?;
    in_scalar::<Fix64>(bytes)
}

/// Asks a short question about a small motion; every answer will do.
fn asked<S: Scalar>(cell: &Workcell<'_, S>) -> Result<(), String> {
    let links = cell.chain().links().len();
    let path = |i: usize| {
        let [lower, upper] = cell.limits(index(i)).unwrap_or([S::ZERO; 2]);
        let start = S::ZERO.max(lower).min(upper);
        JointPath::line([start, (start + S::HALF * S::HALF).min(upper).max(lower)])
    };
    let Ok(paths) = (0..cell.joints()).map(path).collect::<Result<Vec<_>, _>>() else { return Ok(()) };
    let Ok(plan) = Plan::new(cell, &paths, S::from_f64_near(1e-3)) else { return Ok(()) };
    let mut entries: Vec<Entry<S>> = (0..64).map(|_| Entry::VACANT).collect();
    let mut directions = vec![Vec3::ZERO; PathMemory::directions_needed(cell)];
    let stage = StageMemory {
        placements: &mut vec![Placement::default(); 4 * links],
        sweeps: &mut vec![JointSweep::UNKNOWN; links],
        seats: &mut vec![Seat::VACANT; links],
        errors: &mut vec![PlacementError::UNKNOWN; links],
    };
    let mut memory = PathMemory::new(links, &mut entries, stage, &mut directions).ok_or("too little memory")?;
    let Some(mut check) = PathCheck::new(cell, &plan, &mut memory) else { return Ok(()) };
    let until = check.step(cell, &plan, Budget::units(2_000)).cleared().until();
    let good = S::ZERO <= until.time && until.time <= S::ONE;
    if good { Ok(()) } else { Err(format!("free until {until:?}")) }
}
