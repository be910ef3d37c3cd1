//! Links and joints in the library's order: the root first, and every parent before its children.

use super::place::pose;
use crate::convert::decimal;
use crate::error::InputError;
use crate::robot::{Joint, JointKind, RobotDescription};
use avert::motion::{self, LinkIndex, MAX_LINKS, Mimic};
use avert::{Interval, Pose, Vec3};

/// What an axis that is not along x, y or z may be off by, a component: see [`Joint::axis`].
const AXIS_ERROR: f64 = 1.0 / (1_u64 << 50) as f64;

/// A robot's tree, for [`Chain::new`](avert::motion::Chain::new) with a base at the identity.
#[derive(Debug)]
pub(crate) struct Kinematics {
    /// Each link by the joint that it hangs on; the root by one that is fixed at the identity.
    pub(crate) joints: Vec<motion::Joint<f64>>,
    /// What the description says of each of them.
    pub(crate) links: Vec<LinkOrigin>,
    /// For each link of the description, its place above.
    pub(crate) places: Vec<LinkIndex>,
    /// For each value of a configuration, the link whose joint it moves; in the order of
    /// [`RobotDescription::independent`].
    pub(crate) independent: Vec<LinkIndex>,
}

/// Where a link comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LinkOrigin {
    /// In the description.
    pub(crate) link: usize,
    /// `None` for the root.
    pub(crate) joint: Option<String>,
    /// Of the joint, lower and upper, in radians or metres.
    pub(crate) limits: Option<(f64, f64)>,
}

impl Kinematics {
    pub(super) fn new(robot: &RobotDescription) -> Result<Self, InputError> {
        let count = robot.links.len();
        if count > MAX_LINKS {
            let what = format!("expected at most {MAX_LINKS} links, found {count}");
            return Err(InputError::new(&robot.file, what));
        }
        // The joints are in order, and each has a child of its own.
        let mut places = vec![LinkIndex(0); count];
        for (at, joint) in robot.joints.iter().enumerate() {
            places.get_mut(joint.child).into_iter().for_each(|place| *place = of_joint(at));
        }
        let zero = Vec3::from([Interval::ZERO; 3]);
        let (kind, origin) = (motion::JointKind::Fixed, Pose::<f64>::IDENTITY.into());
        let mut joints = vec![motion::Joint { kind, parent: None, origin, axis: zero, mimic: None }];
        joints.extend(robot.joints.iter().map(|joint| motion::Joint {
            kind: match joint.kind {
                JointKind::Fixed => motion::JointKind::Fixed,
                JointKind::Revolute | JointKind::Continuous => motion::JointKind::Revolute,
                JointKind::Prismatic => motion::JointKind::Prismatic,
            },
            parent: places.get(joint.parent).copied(),
            origin: pose(&joint.origin),
            axis: if joint.kind == JointKind::Fixed { zero } else { axis(joint) },
            mimic: joint.mimic.map(|mimic| Mimic {
                driver: of_joint(mimic.joint),
                multiplier: decimal(mimic.multiplier),
                offset: decimal(mimic.offset),
            }),
        }));
        let mut links = vec![LinkOrigin { link: robot.root, joint: None, limits: None }];
        links.extend(robot.joints.iter().map(|joint| LinkOrigin {
            link: joint.child,
            joint: Some(joint.name.clone()),
            limits: joint.limits.map(|limits| (limits.lower, limits.upper)),
        }));
        let independent = robot.independent().into_iter().map(of_joint).collect();
        Ok(Self { joints, links, places, independent })
    }
}

/// The link that hangs on a joint of the description; all are fewer than [`MAX_LINKS`].
fn of_joint(joint: usize) -> LinkIndex {
    LinkIndex(joint as u8 + 1)
}

/// # Soundness
/// Contains the decimal direction of the file, made of length 1.
fn axis(joint: &Joint) -> Vec3<Interval<f64>> {
    let along = joint.axis.iter().filter(|x| **x != 0.0).count() == 1;
    joint.axis.map(|x| if along { Interval::point(x) } else { Interval::ball(x, AXIS_ERROR) }).into()
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Sample, joint, link, panda, shared_models};
    use super::*;
    use avert::motion::{Chain, ChainMotion, JointPath, Link, Placement};
    use avert_host_tests::random::Random;

    const LIMIT: &str = r#"<limit lower="-1.5" upper="2" velocity="1" effort="1"/>"#;

    /// Every kind of joint, in no order, with a mimic and a crooked axis.
    fn crooked(sample: &Sample) -> RobotDescription {
        let links = ["b", "root", "a", "c", "d", "e"].map(|name| link(name, &[])).concat();
        let mimic = format!(r#"{LIMIT}<origin xyz="0 0.1 0.3"/><mimic joint="ja" multiplier="-0.7" offset="0.2"/>"#);
        let turned = format!(r#"{LIMIT}<axis xyz="1 -2 0.3"/><origin xyz="0.1 0 0.2" rpy="0.3 0.2 -1.1"/>"#);
        let joints = joint("jc", "revolute", ["b", "c"], &mimic)
            + &joint("ja", "revolute", ["root", "a"], &turned)
            + &joint("jd", "continuous", ["c", "d"], r#"<axis xyz="0 0 -2"/><origin rpy="0 1.3 0"/>"#)
            + &joint("jb", "prismatic", ["a", "b"], &format!(r#"{LIMIT}<axis xyz="0 1 1"/><origin rpy="1 0 0"/>"#))
            + &joint("je", "fixed", ["root", "e"], r#"<origin xyz="1 2 3" rpy="0 0 3.14159265359"/>"#);
        sample.robot(&(links + &joints))
    }

    /// The links' frames, by the library.
    fn placements(kinematics: &Kinematics, configuration: &[f64]) -> Vec<Placement<f64>> {
        let count = kinematics.joints.len();
        let mut links = vec![Link::VACANT; count];
        let base = Pose::<f64>::IDENTITY.into();
        let chain = Chain::<f64>::new::<f64>(base, &kinematics.joints, &mut links).unwrap();
        let mut paths = vec![JointPath::still(0.0).unwrap(); count];
        for (link, value) in kinematics.independent.iter().zip(configuration) {
            paths[usize::from(link.0)] = JointPath::still(*value).unwrap();
        }
        let motion = ChainMotion::new(&chain, &paths).unwrap();
        let (mut locals, mut placements) = (vec![Placement::default(); count], vec![Placement::default(); count]);
        motion.locals(0.5, &mut locals).unwrap();
        motion.placements(&locals, &mut placements).unwrap();
        placements
    }

    fn agree(robot: &RobotDescription) {
        let kinematics = Kinematics::new(robot).unwrap();
        let mut random = Random::new(1);
        for _ in 0..200 {
            let q: Vec<_> = kinematics.independent.iter().map(|_| random.within(-3.0, 3.0)).collect();
            let (frames, placements) = (robot.frames(&q), placements(&kinematics, &q));
            for (placement, origin) in placements.iter().zip(&kinematics.links) {
                let frame = frames[origin.link];
                let rows = placement.rotation.rows.map(Vec3::to_array);
                let found = rows.as_flattened().iter().chain([&placement.position.x, &placement.position.y]);
                let plain = frame.rotation.as_flattened().iter().chain(&frame.position);
                assert!(found.zip(plain).all(|(a, b)| (a - b).abs() < 1e-9), "{origin:?} {q:?}");
                assert!((placement.position.z - frame.position[2]).abs() < 1e-9, "{origin:?} {q:?}");
            }
        }
    }

    #[test]
    fn the_library_moves_links_as_the_description_says() {
        let sample = Sample::new("kinematics");
        agree(&crooked(&sample));
        let Some(models) = shared_models("kinematics of the shared pandas") else { return };
        for urdf in ["panda_task/panda.urdf", "panda/urdf/panda.urdf", "panda/urdf/panda_collision.urdf"] {
            agree(&panda(&models, urdf));
        }
    }

    #[test]
    fn links_and_joints_can_be_found_again() {
        let sample = Sample::new("order");
        let robot = crooked(&sample);
        let kinematics = Kinematics::new(&robot).unwrap();
        let names: Vec<_> = kinematics.links.iter().map(|origin| robot.links[origin.link].name.as_str()).collect();
        assert_eq!(names, ["root", "a", "b", "c", "d", "e"]);
        for (at, origin) in kinematics.links.iter().enumerate() {
            assert_eq!(usize::from(kinematics.places[origin.link].0), at);
        }
        let joints: Vec<_> = kinematics.links.iter().map(|origin| origin.joint.as_deref().unwrap_or("-")).collect();
        assert_eq!(joints, ["-", "ja", "jb", "jc", "jd", "je"]);
        assert_eq!(kinematics.independent, [1, 2, 4].map(LinkIndex));
        let limits: Vec<_> = kinematics.links.iter().map(|origin| origin.limits).collect();
        let limited = Some((-1.5, 2.0));
        assert_eq!(limits, [None, limited, limited, limited, None, None]);
        assert_eq!(kinematics.joints[3].mimic.map(|mimic| mimic.driver), Some(LinkIndex(1)));
    }

    #[test]
    fn never_outside_truth_axis() {
        let sample = Sample::new("axis");
        let joints = Kinematics::new(&crooked(&sample)).unwrap().joints;
        assert_eq!(joints[4].axis.to_array(), [0.0, 0.0, -1.0].map(Interval::point));
        // (0, 1, 1)/√2 and (1, −2, 0.3)/√5.09, whose squares are 1/2 and 100/509, 400/509, 9/509.
        let squares = joints[1].axis.to_array().map(Interval::square);
        for (square, n) in squares.into_iter().zip([100.0, 400.0, 9.0]) {
            let times = square * Interval::point(509.0);
            assert!(times.contains(n) && times.radius_hi() < 1e-11);
        }
        let [x, y, z] = joints[2].axis.to_array();
        assert!(x.contains(0.0) && y.square().contains(0.5) && z.square().contains(0.5));
        assert!(joints[1].axis.y.hi() < 0.0 && y.lo() > 0.0);
    }

    #[test]
    fn a_robot_of_too_many_links_is_refused() {
        let sample = Sample::new("many");
        let name = |i: usize| format!("l{i}");
        let chain = |count: usize| {
            let links: String = (0..count).map(|i| link(&name(i), &[])).collect();
            let joints = (1..count).map(|i| joint(&format!("j{i}"), "fixed", [&name(i - 1), &name(i)], ""));
            sample.robot(&(links + &joints.collect::<String>()))
        };
        assert_eq!(Kinematics::new(&chain(64)).unwrap().joints.len(), 64);
        let error = Kinematics::new(&chain(65)).unwrap_err().to_string();
        assert!(error.ends_with("robot.urdf: expected at most 64 links, found 65"), "{error}");
    }
}
