//! A few queries, for an interpreter that looks at every access.

use avert::{
    Body, Budget, Check, Chord, Entry, Fix32, Geometry, Hull, Limits, Memory, Pose, RigidMotion, Scalar, Scene, Vec3,
    Verdict,
};
use avert_same_bits::run_few;

/// The fourteenth is the first that is put to the last of the strategies.
#[test]
fn through_every_strategy() {
    let tally = run_few::<f32>(14);
    assert!(tally.free > 0 && tally.contact > 0, "{tally:?}");
}

/// Two cubes without a hierarchy, which takes an interpreter long to build.
#[test]
fn in_fixed_point() -> Result<(), Box<dyn std::error::Error>> {
    let fix = Fix32::from_f64_near;
    let corner = |i: u8| Vec3::from([i & 1, i >> 1 & 1, i >> 2].map(|x| fix(x.into())));
    let corners: [_; 8] = std::array::from_fn(|i| corner(i as u8));
    let hull = [Hull { first: 0, count: 8, radius: Fix32::ZERO }];
    let cube = Geometry::new(&corners, &[], &hull, Fix32::ZERO)?;
    let model = avert::hierarchy::build(cube, &mut [], &mut [0])?;
    let limits = Limits { margin: fix(0.01), tolerance: fix(0.01) };
    let mut entries = [const { Entry::VACANT }; 32];
    let mut check = |y: f64| {
        let pose = |x: f64| Pose::new([1.0, 0.0, 0.0, 0.0].map(fix), [x, y, 0.0].map(fix));
        let moves = Body { model: &model, motion: RigidMotion::between(pose(-2.0), pose(2.0), Vec3::ZERO)? };
        let stands = Body { model: &model, motion: RigidMotion::still(Pose::IDENTITY)? };
        let scene = Scene::new(moves, stands, limits)?;
        let mut memory = Memory::new(&mut entries);
        Ok::<_, Box<dyn std::error::Error>>(Chord::new(&scene, &mut memory).step(&scene, Budget::UNLIMITED))
    };
    assert!(matches!(check(1.5)?, Verdict::Free(_)));
    assert!(matches!(check(0.5)?, Verdict::Contact { .. }));
    Ok(())
}
