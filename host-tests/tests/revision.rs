//! Different scenes have different revisions, also where their numbers look alike at first sight.

use avert::hierarchy::{build, nodes_needed};
use avert::kernel::{Aim, Span};
use avert::{Body, Geometry, Hull, Interval, Limits, Model, Pose, RigidMotion, Scalar, Scene, Vec3, Velocities};
use std::collections::BTreeSet;

fn with_model<S: Scalar, T>(
    points: &[[f64; 3]],
    triangles: &[[u32; 3]],
    hulls: &[Hull<S>],
    look: impl FnOnce(&Model<'_, S>) -> T,
) -> T {
    let points: Vec<Vec3<S>> = points.iter().map(|p| Vec3::from(p.map(S::from_f64_near))).collect();
    let geometry = Geometry::new(&points, triangles, hulls, S::ZERO).expect("the geometry is good");
    let mut nodes = vec![[0; 30]; nodes_needed(geometry.primitives())];
    let mut scratch = vec![0; geometry.primitives()];
    look(&build(geometry, &mut nodes, &mut scratch).expect("the hierarchy is built"))
}

/// Three triangles on two points, and three one-point hulls on three points, are the same words in the same order.
fn models_that_read_alike<S: Scalar>() {
    let (p, q) = ([0.5, 0.0, 0.0], [1.0, 0.0, 0.0]);
    let triangles = [[0, 0, 0], [1, 0, 1], [0, 1, 0]];
    let hull = |count| Hull { first: 0, count, radius: S::ZERO };
    let a = with_model::<S, _>(&[p, q], &triangles, &[], |m| m.fingerprint());
    let b = with_model::<S, _>(&[p, q, [0.0; 3]], &[], &[hull(1), hull(1), hull(1)], |m| m.fingerprint());
    let c = with_model::<S, _>(&[p, q], &[triangles[0], triangles[2], triangles[1]], &[], |m| m.fingerprint());
    assert!(a != b && a != c && b != c);
}

fn motions_that_differ_in_their_widths_only<S: Scalar>() {
    let about = |x: f64, r: f64| Interval::new(S::from_f64_near(x - r), S::from_f64_near(x + r));
    let motion = |position: f64, x: f64, y: f64| {
        let mut pose: Pose<Interval<S>> = Pose::<S>::IDENTITY.into();
        pose.position.x = about(1.0, position);
        let linear = Vec3::new(about(10.0, x), about(0.0, y), about(0.0, 0.0));
        let angular = Vec3::from([about(0.0, 0.0); 3]);
        RigidMotion::with_velocity_enclosures(pose, Vec3::ZERO, Velocities { linear, angular })
            .expect("the motion is good")
    };
    let still = RigidMotion::still(Pose::IDENTITY).expect("the pose is good");
    let turned = RigidMotion::with_velocities(
        Pose::IDENTITY,
        Vec3::ZERO,
        Velocities { linear: Vec3::ZERO, angular: Vec3::new(S::ZERO, S::ZERO, S::from_f64_near(1.0 / 1024.0)) },
    )
    .expect("the motion is good");
    with_model::<S, _>(&[[0.0; 3]], &[[0, 0, 0]], &[], |model| {
        let revision = |a, b, margin: f64| {
            let limits = Limits { margin: S::from_f64_near(margin), tolerance: S::from_f64_near(0.5) };
            let [a, b] = [a, b].map(|motion| Body { model, motion });
            Scene::new(a, b, limits).expect("the limits are good").revision()
        };
        let motions =
            [motion(0.0, 1.0, 0.0), motion(0.0, 1.0, 0.0625), motion(0.25, 0.0, 0.0), motion(0.0, 0.25, 0.0), turned];
        let mut seen = BTreeSet::new();
        for m in motions {
            for (a, b) in [(m, still), (still, m)] {
                for margin in [0.0, 0.25] {
                    assert!(
                        seen.insert(revision(a, b, margin)),
                        "two scenes have one revision: {m:?}, margin {margin}"
                    );
                }
            }
        }
    });
}

/// The same numbers as a surface and as a solid, whole and in parts.
fn solids_are_not_surfaces<S: Scalar>() {
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    with_model::<S, _>(&corners, &triangles, &[], |model| {
        let listed = |list| model.with_parts(list, &mut [0; 4]).expect("one part");
        let solid = |model: Model<'_, S>| model.into_solid().expect("closed").fingerprint();
        let all = [
            model.fingerprint(),
            solid(*model),
            listed(&[0]).fingerprint(),
            listed(&[1]).fingerprint(),
            solid(listed(&[0])),
            solid(listed(&[1])),
        ];
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "two models have one fingerprint: {all:?}");
    });
}

#[test]
fn solids_f32() {
    solids_are_not_surfaces::<f32>();
}

#[test]
fn solids_f64() {
    solids_are_not_surfaces::<f64>();
}

/// What was prepared for one scene says nothing about another.
fn foreign_moments_show_nothing<S: Scalar>() {
    let ball = [Hull { first: 0, count: 1, radius: S::HALF }];
    with_model::<S, _>(&[[0.0; 3]], &[], &ball, |model| {
        let at = |x: f64| {
            let position = Vec3::new(S::from_f64_near(x), S::ZERO, S::ZERO);
            let stands = RigidMotion::still(Pose { position, ..Pose::IDENTITY }).expect("the pose is good");
            let still = RigidMotion::still(Pose::IDENTITY).expect("the pose is good");
            let limits = Limits { margin: S::ZERO, tolerance: S::ZERO };
            Scene::new(Body { model, motion: still }, Body { model, motion: stands }, limits).expect("a scene")
        };
        // Far apart in the one scene, overlapping in the other.
        let (apart, together) = (at(10.0), at(0.125));
        let n = Vec3::new(S::ONE, S::ZERO, S::ZERO);
        let [far, near] = [&apart, &together].map(|scene| scene.pair([model.root(); 2]).expect("the roots"));
        let moment = apart.moment(S::ZERO).expect("a time of the motion");
        let aim = Aim::new(&moment, n).expect("a direction");
        assert!(aim.apart_until(&apart, &far) == Some(S::ONE) && aim.distance_lo(&apart, &far) > Some(S::ONE));
        for (scene, pair) in [(&together, &near), (&together, &far), (&apart, &near)] {
            assert!(aim.apart_until(scene, pair).is_none() && aim.distance_lo(scene, pair).is_none());
        }
        let span = Span::new(&apart, S::ZERO, S::ONE).expect("a span");
        let probe = span.probe(n).expect("a direction");
        assert!(probe.separates(&far).is_ok() && probe.separates(&near).is_err());
    });
}

#[test]
fn foreign_moments_f32() {
    foreign_moments_show_nothing::<f32>();
}

#[test]
fn foreign_moments_f64() {
    foreign_moments_show_nothing::<f64>();
}

#[test]
fn models_f32() {
    models_that_read_alike::<f32>();
}

#[test]
fn models_f64() {
    models_that_read_alike::<f64>();
}

#[test]
fn motions_f32() {
    motions_that_differ_in_their_widths_only::<f32>();
}

#[test]
fn motions_f64() {
    motions_that_differ_in_their_widths_only::<f64>();
}
