//! From a robot and a world, as they were read, to what the library proves with: baked models, a chain of joints, poses and
//! the pairs that may touch. Every number is enclosed from here on.

mod allowed;
mod baked;
mod body;
mod cell;
mod kinematics;
mod piece;
mod place;
#[cfg(test)]
mod samples;
mod touch;

use crate::error::InputError;
use crate::mesh::UpAxis;
use crate::robot::{AllowedPairs, RobotDescription};
use crate::world::World;
use allowed::Allowed;
use avert::{Interval, Pose};
pub(crate) use baked::{BakedRobot, BakedStorage, Wishes, body_name, independent, links, surfaces};
use body::Body;
pub(crate) use body::{BodyReport, pieces};
pub(crate) use cell::CellStorage;
pub use cell::PathStorage;
use kinematics::Kinematics;
pub(crate) use touch::Touching;

/// A robot.
#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) kinematics: Kinematics,
    /// For each link of the chain; `None` for one without pieces, which touches nothing.
    pub(crate) bodies: Vec<Option<Body>>,
    pub(crate) allowed: Vec<Allowed>,
}

impl Arm {
    pub(crate) fn new(
        robot: &RobotDescription,
        srdf: Option<&AllowedPairs>,
        up_axis: Option<UpAxis>,
    ) -> Result<Self, InputError> {
        let kinematics = Kinematics::new(robot)?;
        let allowed = allowed::allowed(&kinematics, srdf);
        let links = kinematics.links.iter().filter_map(|origin| robot.links.get(origin.link));
        let bodies = links.map(|link| Body::of_link(robot, link, up_axis)).collect::<Result<_, _>>()?;
        Ok(Self { kinematics, bodies, allowed })
    }
}

/// A thing in the world, which stands still.
#[derive(Debug)]
pub(crate) struct Obstacle {
    pub(crate) body: Body,
    /// In the frame of the robot's root link.
    pub(crate) pose: Pose<Interval<f64>>,
}

/// The objects of a world, in its order.
pub(crate) fn obstacles(world: &World, up_axis: Option<UpAxis>) -> Result<Vec<Obstacle>, InputError> {
    let obstacle =
        |object| Ok(Obstacle { body: Body::of_object(world, object, up_axis)?, pose: place::pose(&object.placement) });
    world.objects.iter().map(obstacle).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::placement::Placement;
    use allowed::Reason;
    use avert::hierarchy::Blob;
    use avert::motion::Chain;
    use avert::{Fix32, Fix64, Scalar};
    use samples::{Sample, panda, shared_models};

    /// Can the scalar use all of it?
    fn proved<'a, S: Scalar>(bodies: impl Iterator<Item = &'a Body>) {
        for body in bodies {
            let blob = Blob::parse(&body.bytes).unwrap();
            let model = blob.model::<S>(&mut vec![0; blob.scratch_needed()]);
            assert!(model.is_ok(), "{}: {:?}", body.report.name, model.err());
        }
    }

    fn chained<S: Scalar>(arm: &Arm) {
        let mut links = vec![avert::motion::Link::<S>::VACANT; arm.bodies.len()];
        Chain::new(Pose::<Interval<f64>>::from(Pose::<f64>::IDENTITY), &arm.kinematics.joints, &mut links).unwrap();
    }

    #[test]
    fn the_shared_pandas_are_ready_for_every_scalar() {
        let Some(models) = shared_models("models of the shared pandas") else { return };
        // With the number of links that have pieces, and how many of those are one hull.
        let files = [
            ("panda_task/panda.urdf", Some("panda_task/panda.srdf"), 11, 11),
            ("panda/urdf/panda.urdf", Some("panda/srdf/panda.srdf"), 11, 0),
            ("panda/urdf/panda_collision.urdf", None, 11, 0),
        ];
        for (urdf, srdf, solid, convex) in files {
            let robot = panda(&models, urdf);
            let srdf = srdf.map(|file| AllowedPairs::read(&models.join(file), &robot).unwrap());
            let arm = Arm::new(&robot, srdf.as_ref(), None).unwrap();
            let bodies = || arm.bodies.iter().flatten();
            for report in bodies().map(|body| &body.report) {
                assert!(report.open.is_empty() && report.error < 1e-6 && report.excess < 6e-4, "{report:?}");
            }
            assert_eq!(bodies().count(), solid, "{urdf}");
            let one_hull = |body: &&Body| (body.report.triangles, body.report.hulls) == (0, 1);
            assert_eq!(bodies().filter(one_hull).count(), convex, "{urdf}");
            proved::<f32>(bodies());
            proved::<f64>(bodies());
            proved::<Fix32>(bodies());
            proved::<Fix64>(bodies());
            chained::<f32>(&arm);
            chained::<f64>(&arm);
            chained::<Fix32>(&arm);
            chained::<Fix64>(&arm);
            let place = |name: &str| arm.kinematics.places[robot.link(name).unwrap()];
            let reason = |a: &str, b: &str| {
                let links = [place(a).min(place(b)), place(a).max(place(b))];
                arm.allowed.iter().find(|pair| pair.links == links).map(|pair| pair.reason.clone())
            };
            assert_eq!(reason("panda_link7", "panda_hand"), Some(Reason::SameBody));
            assert_eq!(reason("panda_link0", "panda_link7"), None);
            let (adjacent, never) = match srdf {
                Some(_) => (Reason::Disabled("Adjacent".into()), Some(Reason::Disabled("Never".into()))),
                None => (Reason::Adjacent, None),
            };
            assert_eq!(reason("panda_link1", "panda_link0"), Some(adjacent));
            assert_eq!(reason("panda_link0", "panda_link2"), never);
        }
    }

    #[test]
    fn the_shared_worlds_are_ready_for_every_scalar() {
        let Some(models) = shared_models("models of the shared worlds") else { return };
        for file in ["shelf", "thin"] {
            let world = World::read(&models.join(format!("panda_task/world/{file}.json"))).unwrap();
            let obstacles = obstacles(&world, None).unwrap();
            assert!(obstacles.len() == world.objects.len() && !obstacles.is_empty());
            let bodies = || obstacles.iter().map(|obstacle| &obstacle.body);
            proved::<f32>(bodies());
            proved::<f64>(bodies());
            proved::<Fix32>(bodies());
            proved::<Fix64>(bodies());
        }
    }

    #[test]
    fn every_kind_of_object_stands_in_its_own_frame() {
        let sample = Sample::new("objects");
        sample.write("block.obj", samples::NOTCHED);
        let world = r#"{
            "boxes": [{"name": "b", "size": [1, 2, 4], "xyz": [9, 0, 0.5], "rpy": [0, 0, 0.25]}],
            "spheres": [{"name": "s", "radius": 0.5, "xyz": [70, 0, 0]}],
            "capsules": [{"name": "ca", "radius": 0.5, "length": 1}],
            "cylinders": [{"name": "cy", "radius": 0.1, "length": 1}],
            "meshes": [{"name": "m", "file": "block.obj", "scale": [2, 2, -2]}],
            "points": [{"name": "p", "radius": 0, "xyz": [[1, 2, 3], [4, 5, 6], [-7, 0.5, 0.25]]}]
        }"#;
        let obstacles = obstacles(&sample.world(world), None).unwrap();
        let names: Vec<_> = obstacles.iter().map(|o| o.body.report.name.as_str()).collect();
        assert_eq!(names, ["b", "s", "ca", "cy", "m", "p"]);
        let counts = |o: &Obstacle| {
            let report = &o.body.report;
            assert!(report.nodes + 1 == report.triangles + report.hulls && report.bytes == o.body.bytes.len());
            assert!(report.open.is_empty());
            [report.triangles, report.hulls, report.points]
        };
        let found: Vec<_> = obstacles.iter().map(counts).collect();
        assert_eq!(found, [[0, 1, 8], [0, 1, 1], [0, 1, 2], [0, 1, 64], [16, 0, 10], [0, 3, 3]]);
        // On the grid, so that nothing but the decimals is uncertain.
        assert!(obstacles.iter().all(|o| o.body.report.error < 1e-14 || o.body.report.name == "cy"));
        assert_eq!(obstacles[0].pose, place::pose(&Placement { xyz: [9.0, 0.0, 0.5], rpy: [0.0, 0.0, 0.25] }));
        assert_eq!(obstacles[5].pose, Pose::<f64>::IDENTITY.into());
        let wide = sample.world(r#"{"spheres": [{"name": "s", "radius": 2e9}]}"#);
        let error = super::obstacles(&wide, None).unwrap_err().to_string();
        assert!(
            error.ends_with("world.json:1: `s`: expected lengths within 1e9 metres, found 2000000000.0000002"),
            "{error}"
        );
    }
}
