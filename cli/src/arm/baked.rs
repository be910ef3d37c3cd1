//! A robot and its world in one file: made of what was read, and loaded in its place.

use super::allowed::{Allowed, Reason as Found};
use super::kinematics::{Kinematics, LinkOrigin};
use super::{Arm, Body, BodyReport, Obstacle};
use crate::bake::EXTENSION;
use crate::convert::decimal;
use crate::error::InputError;
use crate::robot::RobotDescription;
use avert::Scalar;
use avert::hierarchy::Blob;
use avert::motion::{JointKind, Link, LinkIndex};
use avert::robot::{
    BodyIndex, DraftLink, DraftObject, Margins, Object, ObjectIndex, Override, Part, Reason, RobotBlob, RobotBlobError,
    RobotDraft, RobotSizes, Storage, Workcell,
};
use std::path::{Path, PathBuf};

/// The bytes of a baked robot, found whole.
#[derive(Debug)]
pub(crate) struct BakedRobot {
    /// Where it comes from.
    pub(crate) file: PathBuf,
    bytes: Vec<u8>,
}

/// What a description of a robot does not say.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wishes {
    /// What bodies must stay apart, in metres: a decimal number.
    pub(crate) margin: f64,
    /// How many payloads may be attached at the same time.
    pub(crate) payloads: usize,
}

impl BakedRobot {
    /// Bakes a robot. The margin is never below the decimal one.
    pub(crate) fn new(
        robot: &RobotDescription,
        arm: &Arm,
        world: &[Obstacle],
        wishes: Wishes,
    ) -> Result<Self, InputError> {
        let bodies = arm.kinematics.joints.iter().zip(&arm.kinematics.links).zip(&arm.bodies);
        let links: Vec<_> = bodies
            .map(|((joint, origin), body)| DraftLink {
                name: robot.links.get(origin.link).map_or("", |link| &link.name),
                joint_name: origin.joint.as_deref().unwrap_or_default(),
                joint: *joint,
                limits: origin.limits.map(|(lower, upper)| [lower, upper]),
                model: body.as_ref().map(|body| body.bytes.as_slice()),
            })
            .collect();
        let objects: Vec<_> = world
            .iter()
            .map(|Obstacle { body, pose }| DraftObject { name: &body.report.name, pose: *pose, model: &body.bytes })
            .collect();
        let allowed: Vec<_> = arm.allowed.iter().filter_map(|pair| Some((pair.links, pair.reason.known()?))).collect();
        let Wishes { margin, payloads } = wishes;
        let margins = Margins::all(decimal(margin).hi());
        let draft = RobotDraft { links: &links, objects: &objects, allowed: &allowed, margins, payloads };
        let mut bytes = vec![0; draft.room()];
        let refuse = |e| InputError::new(&robot.file, format!("expected a robot that can be baked: {e}"));
        let length = draft.bake(&mut bytes).map_err(refuse)?;
        bytes.truncate(length);
        Ok(Self { file: robot.file.clone(), bytes })
    }

    /// By its name: is a file baked, be it a robot or a model?
    pub(crate) fn is_named(file: &Path) -> bool {
        file.extension().is_some_and(|e| e.eq_ignore_ascii_case(EXTENSION))
    }

    /// The robot of a file.
    pub(crate) fn read(file: &Path) -> Result<Self, InputError> {
        let bytes = std::fs::read(file);
        let bytes = bytes.map_err(|e| InputError::new(file, format!("cannot read the robot: {e}")))?;
        let robot = Self { file: file.to_owned(), bytes };
        robot.blob().map(drop)?;
        Ok(robot)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its parts, in place.
    pub(crate) fn blob(&self) -> Result<RobotBlob<'_>, InputError> {
        let refuse = |e| InputError::new(&self.file, format!("expected a baked robot: {e}"));
        RobotBlob::parse(&self.bytes).map_err(refuse)
    }
}

impl Body {
    /// What a model says of itself: not how far its hulls reach beyond the shapes that it was made of, nor which meshes were open.
    fn of_model(name: &str, bytes: &[u8]) -> Result<Self, String> {
        let blob = Blob::parse(bytes).map_err(|e| format!("`{name}`: {e}"))?;
        let report = BodyReport {
            name: name.to_owned(),
            triangles: blob.triangles(),
            hulls: blob.hulls(),
            points: blob.points(),
            nodes: blob.nodes(),
            bytes: bytes.len(),
            error: blob.error(),
            excess: 0.0,
            open: Vec::new(),
        };
        Ok(Self { bytes: bytes.to_vec(), report })
    }
}

impl Arm {
    /// The robot of a file, link by link.
    pub(crate) fn of_blob(blob: &RobotBlob<'_>) -> Result<Self, String> {
        let name = |link| blob.link_name(link).unwrap_or_default();
        let body = |link| blob.model(link).map(|bytes| Body::of_model(name(link), bytes)).transpose();
        let origin = |link: LinkIndex| LinkOrigin {
            link: usize::from(link.0),
            joint: blob.joint_name(link).filter(|name| !name.is_empty()).map(str::to_owned),
            limits: blob.limits(link).map(|[lower, upper]| (lower, upper)),
        };
        let kinematics = Kinematics {
            joints: links(blob).filter_map(|link| blob.joint(link)).collect(),
            links: links(blob).map(origin).collect(),
            places: links(blob).collect(),
            independent: independent(blob),
        };
        let allowed = blob.allowed().map(|(links, reason)| Allowed { links, reason: Found::Baked(reason) });
        Ok(Self { kinematics, bodies: links(blob).map(body).collect::<Result<_, _>>()?, allowed: allowed.collect() })
    }
}

impl Obstacle {
    /// The objects of a file.
    pub(crate) fn of_blob(blob: &RobotBlob<'_>) -> Result<Vec<Self>, String> {
        let objects = (0..=u16::MAX).map_while(|i| blob.object(ObjectIndex(i)));
        objects.map(|o| Ok(Self { body: Body::of_model(o.name, o.model)?, pose: o.pose })).collect()
    }
}

/// Bodies of which triangles are a surface, not full inside.
pub(crate) fn surfaces<'a>(blob: &RobotBlob<'a>) -> Vec<&'a str> {
    let own = links(blob).filter_map(|link| Some((blob.link_name(link)?, blob.model(link)?)));
    let objects = (0..=u16::MAX).map_while(|i| blob.object(ObjectIndex(i))).map(|object| (object.name, object.model));
    let is_surface = |bytes| Blob::parse(bytes).is_ok_and(|model| model.triangles() > 0 && !model.is_solid());
    own.chain(objects).filter(|(_, bytes)| is_surface(bytes)).map(|(name, _)| name).collect()
}

/// All links.
pub(crate) fn links(blob: &RobotBlob<'_>) -> impl Iterator<Item = LinkIndex> + use<> {
    (0..=u8::MAX).map(LinkIndex).take(blob.links())
}

/// For each value of a configuration, the link whose joint it moves.
pub(crate) fn independent(blob: &RobotBlob<'_>) -> Vec<LinkIndex> {
    let leads = |link: &LinkIndex| {
        blob.joint(*link).is_some_and(|joint| joint.kind != JointKind::Fixed && joint.mimic.is_none())
    };
    links(blob).filter(leads).collect()
}

/// What a body is called; payloads have no name.
pub(crate) fn body_name<'a>(blob: &RobotBlob<'a>, body: BodyIndex) -> &'a str {
    match body {
        BodyIndex::Link(link) => blob.link_name(link),
        BodyIndex::Object(object) => blob.object(object).map(|object| object.name),
    }
    .unwrap_or("payload")
}

/// What the workcell of a baked robot borrows besides its bytes.
#[derive(Debug)]
pub(crate) struct BakedStorage<'a, S> {
    links: Vec<Link<S>>,
    parts: Vec<Part<'a, S>>,
    allowed: Vec<Option<Reason>>,
    objects: Vec<Option<Object<'a, S>>>,
    overrides: Vec<Override<S>>,
    scratch: Vec<u32>,
}

impl<'a, S: Scalar> BakedStorage<'a, S> {
    pub(crate) fn new(blob: &RobotBlob<'_>) -> Self {
        let RobotSizes { links, allowed, objects, scratch } = blob.sizes();
        Self {
            links: vec![Link::VACANT; links],
            parts: vec![Part::VACANT; links],
            allowed: vec![None; allowed],
            objects: vec![None; objects],
            overrides: Vec::new(),
            scratch: vec![0; scratch],
        }
    }

    /// Proves all models, and makes the workcell.
    pub(crate) fn cell(&'a mut self, blob: &RobotBlob<'a>) -> Result<Workcell<'a, S>, RobotBlobError> {
        let Self { links, parts, allowed, objects, overrides, scratch } = self;
        blob.workcell(Storage { links, parts, allowed, objects, overrides }, scratch)
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Sample, joint, link, panda, shared_models};
    use super::super::{CellStorage, obstacles};
    use super::*;
    use crate::robot::AllowedPairs;
    use crate::world::World;
    use avert::{Fix32, Fix64};

    /// The workcell from the bytes is the one that is made without them.
    fn agrees<S: Scalar>(arm: &Arm, world: &[Obstacle], baked: &BakedRobot) {
        let files = [Path::new("robot"), Path::new("world")];
        let direct = |arm: &Arm, world: &[Obstacle]| {
            let mut storage = CellStorage::<S>::new(arm, world, files).unwrap();
            storage.cell(arm, world, S::ZERO, files).unwrap().fingerprint()
        };
        let blob = baked.blob().unwrap();
        let unpacked = direct(&Arm::of_blob(&blob).unwrap(), &Obstacle::of_blob(&blob).unwrap());
        let direct = direct(arm, world);
        assert_eq!(unpacked, direct);
        let mut storage = BakedStorage::<S>::new(&blob);
        assert_eq!(storage.cell(&blob).unwrap().fingerprint(), direct);
    }

    #[test]
    fn the_shared_panda_and_its_shelf_are_one_small_file() {
        let Some(models) = shared_models("one blob of the shared panda and its shelf") else { return };
        for (urdf, srdf) in
            [("panda_task/panda.urdf", "panda_task/panda.srdf"), ("panda/urdf/panda.urdf", "panda/srdf/panda.srdf")]
        {
            let robot = panda(&models, urdf);
            let srdf = AllowedPairs::read(&models.join(srdf), &robot).unwrap();
            let arm = Arm::new(&robot, Some(&srdf), None).unwrap();
            let world = World::read(&models.join("panda_task/world/shelf.json")).unwrap();
            let world = obstacles(&world, None).unwrap();
            let baked = BakedRobot::new(&robot, &arm, &world, Wishes { margin: 0.0, payloads: 0 }).unwrap();
            agrees::<f32>(&arm, &world, &baked);
            agrees::<f64>(&arm, &world, &baked);
            agrees::<Fix32>(&arm, &world, &baked);
            agrees::<Fix64>(&arm, &world, &baked);
            let blob = baked.blob().unwrap();
            assert_eq!(independent(&blob), arm.kinematics.independent);
            let (links, objects, bytes) = (blob.links(), blob.objects(), baked.bytes().len());
            avert_host_tests::report(&format!("{urdf} with shelf: {links} links, {objects} objects, {bytes} bytes"));
            // The other one's meshes are not convex.
            assert!(bytes < 100_000 || urdf.starts_with("panda/"), "{urdf}: {bytes}");
        }
    }

    #[test]
    fn a_robot_is_read_again() {
        let sample = Sample::new("baked");
        let limit = r#"<limit lower="-1" upper="2" velocity="1" effort="1"/>"#;
        let urdf = ["a", "b", "c", "d"].map(|name| link(name, &[])).concat()
            + &joint("jb", "prismatic", ["a", "b"], limit)
            + &joint("jc", "continuous", ["b", "c"], r#"<mimic joint="jb"/>"#)
            + &joint("jd", "fixed", ["c", "d"], "");
        let robot = sample.robot(&urdf);
        let arm = Arm::new(&robot, None, None).unwrap();
        let world = sample.world(r#"{"spheres": [{"name": "ball", "radius": 0.5}, {"name": "same", "radius": 0.5}]}"#);
        let world = obstacles(&world, None).unwrap();
        let baked = BakedRobot::new(&robot, &arm, &world, Wishes { margin: 0.1, payloads: 2 }).unwrap();
        let file = sample.write("r.avert", "");
        std::fs::write(&file, baked.bytes()).unwrap();
        let read = BakedRobot::read(&file).unwrap();
        let blob = read.blob().unwrap();
        assert!(BakedRobot::is_named(&file) && read.bytes() == baked.bytes());
        assert_eq!((independent(&blob), blob.payloads(), blob.models()), (vec![LinkIndex(1)], 2, 1));
        assert!(blob.margins().world > 0.1 && blob.margins().world < 0.100_001);
        let names = [BodyIndex::Link(LinkIndex(3)), BodyIndex::Object(avert::robot::ObjectIndex(1))];
        assert_eq!(names.map(|body| body_name(&blob, body)), ["d", "same"]);
        std::fs::write(&file, &baked.bytes()[..90]).unwrap();
        let error = BakedRobot::read(&file).unwrap_err().to_string();
        assert!(error.contains("r.avert: expected a baked robot: the robot should be"), "{error}");
        let none = BakedRobot::read(&sample.write("x.avert", "mesh")).unwrap_err().to_string();
        assert!(
            none.ends_with(
                "x.avert: expected a baked robot: these bytes are no baked robot: they do not begin with \"AVRR\""
            ),
            "{none}"
        );
    }
}
