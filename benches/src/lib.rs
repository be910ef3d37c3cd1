//! What the benches measure on: two links of a chain, one of which moves.
//!
//! Run them with `cargo xtask bench`; criterion keeps its results under `target/criterion` and compares with the last run.

use avert::motion::MotionError;
use avert::{Body, Limits, Model, Pose, RigidMotion, Scalar, Scene, Vec3};
use avert_host_tests::queries::Parts;
use avert_host_tests::scenes::torus;
use std::f64::consts::FRAC_1_SQRT_2;

/// Segments around the axis and around the tube: 2 × 50 × 50 = 5,000 triangles.
const SEGMENTS: usize = 50;
const TUBE: f64 = 0.3;

/// Where the moving link goes along x. The links' tubes are 0.4 apart at 0 and would touch at 0.4.
pub const FREE: f64 = 0.3;
/// See [`FREE`].
pub const COLLIDING: f64 = 0.6;

/// Builds a ring of radius 1 about the z axis and lends it.
pub fn with_torus<S: Scalar>(measure: impl FnOnce(&Model<'_, S>)) {
    let outer = 1.0 + TUBE;
    let mut parts = Parts::new(&torus(SEGMENTS, SEGMENTS, TUBE / outer).scaled(outer));
    measure(&parts.model().expect("the torus has a hierarchy"));
}

/// One link stands upright through the other, which starts at −0.3 along x, goes `to`, and turns by one radian: no plane
/// separates them, so the hierarchies must be descended.
pub fn links<'a, S: Scalar>(model: &'a Model<'a, S>, to: f64) -> Scene<'a, S> {
    let pose = |q: [f64; 4], x: f64| Pose::new(q.map(S::from_f64_near), [x, 0.0, 0.0].map(S::from_f64_near));
    let (sin, cos) = 0.5_f64.sin_cos();
    let moving = RigidMotion::between(pose([1.0, 0.0, 0.0, 0.0], -0.3), pose([cos, 0.0, 0.0, sin], to), Vec3::ZERO);
    let still = RigidMotion::still(pose([FRAC_1_SQRT_2, FRAC_1_SQRT_2, 0.0, 0.0], 1.0));
    let body = |motion: Result<_, MotionError>| Body { model, motion: motion.expect("the poses are good") };
    let limits = Limits { margin: S::ZERO, tolerance: S::from_f64_near(0.001) };
    Scene::new(body(moving), body(still), limits).expect("the limits are good")
}
