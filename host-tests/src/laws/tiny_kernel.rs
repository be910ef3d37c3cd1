//! The kernel on `Fix8`: every small scene of a family, beside integers.
//!
//! A place is 8 units off, a gap is rounded by 15, and there are 126 of them: little is proved, and all of it is looked at.

use avert::kernel::{Aim, CommonPoint, Grid, Hierarchy, Node, Piece, Span, core_distance_hi, distance_hi};
use avert::scalar::Fix8;
use avert::{Body, Geometry, Hull, Limits, Model, Pose, RigidMotion, Scalar, Scene, Vec3, Velocities};

fn fix(units: i32) -> Fix8 {
    Fix8::from_bits(units as i8)
}

fn vector(units: [i32; 3]) -> Vec3<Fix8> {
    units.map(fix).into()
}

fn dot(a: [i32; 3], b: [i32; 3]) -> i64 {
    (0..3).map(|i| i64::from(a[i]) * i64::from(b[i])).sum()
}

/// Rectangles along the axes, and points about them: the truth is a clamped difference.
pub fn core_distances(_: u64, _: u64) -> Result<(), String> {
    let mut proved = 0_u64;
    for (u, v) in (0..40).step_by(3).flat_map(|u| (0..40).step_by(5).map(move |v| (u, v))) {
        for axes in [[0, 1, 2], [1, 2, 0], [2, 0, 1], [1, 0, 2]] {
            let along = |axis: usize, length: i32| [0, 1, 2].map(|i| if i == axis { length } else { 0 });
            let empty = Node::<Fix8>::load(&[0; 30], Grid::PORTABLE);
            let (half_u, half_v) = (vector(along(axes[0], u)), vector(along(axes[1], -v)));
            let node = Node { centre: vector([3, -2, 1]), half_u, half_v, ..empty };
            for x in (-60..=60).step_by(8) {
                for y in (-60..=60).step_by(9) {
                    for z in (-60..=60).step_by(10) {
                        let got = core_distance_hi(&node, vector([x, y, z]));
                        let off = [x - 3, y + 2, z - 1];
                        let rest = [0, 1, 2].map(|i| {
                            let half = if i == axes[0] {
                                u
                            } else if i == axes[1] {
                                v
                            } else {
                                0
                            };
                            (off[i].abs() - half).max(0)
                        });
                        if !got.is_finite() {
                            continue;
                        }
                        proved += 1;
                        let units = i64::from(got.to_bits());
                        if units * units < dot(rest, rest) {
                            return Err(format!("core_distance_hi({node:?}, {:?}) = {got:?}", [x, y, z]));
                        }
                    }
                }
            }
        }
    }
    if proved > 100_000 { Ok(()) } else { Err(format!("only {proved} distances")) }
}

/// Two points with radii, moving straight, all numbers in units.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// Where the second is from the first, and how that changes in a unit of time.
    apart: [i32; 3],
    velocity: [i32; 3],
    radii: [i32; 2],
    margin: i32,
}

impl Case {
    /// Is the distance greater than `limit` units, all the time between `from` and `until` sixteenths?
    fn stays_beyond(&self, limit: i64, from: i32, until: i32) -> bool {
        // In units of 2⁻⁸ the way of the point is d + v·t for t in sixteenths; its square is least at an end or in the middle.
        let (d, v) = (self.apart.map(|x| 16 * x), self.velocity);
        let square = |t: i32| {
            let x = [0, 1, 2].map(|i| d[i] + v[i] * t);
            dot(x, x)
        };
        let limit = (16 * limit) * (16 * limit);
        let (dv, vv) = (dot(d, v), dot(v, v));
        let middle = i64::from(from) * vv < -dv && -dv < i64::from(until) * vv;
        let inside = !middle || dot(d, d) * vv - dv * dv > limit * vv;
        square(from) > limit && square(until) > limit && inside
    }

    /// Are the points at most this many units apart at a time?
    fn is_within(&self, limit: i64, time: i32) -> bool {
        !self.stays_beyond(limit, time, time)
    }

    fn radii(&self) -> i64 {
        i64::from(self.radii[0] + self.radii[1])
    }

    /// The scene, the first body at a place and with a velocity of its own.
    fn with_scene<R>(&self, place: [i32; 3], own: [i32; 3], act: impl FnOnce(&Scene<'_, Fix8>) -> R) -> Option<R> {
        // A body's own coordinates, so that a place is more than a position.
        let at = [4, 0, -2];
        let points = [vector(at)];
        let hull = |radius: i32| [Hull { first: 0, count: 1, radius: fix(radius) }];
        let hulls = self.radii.map(hull);
        let model = |side: usize| -> Option<Model<'_, Fix8>> {
            let geometry = Geometry::new(&points, &[], &hulls[side], Fix8::ZERO).ok()?;
            let hierarchy = Hierarchy { nodes: &[], grid: Grid::PORTABLE, root: only_piece()? };
            Model::prove(geometry, hierarchy, &mut [0]).ok()
        };
        let (a, b) = (model(0)?, model(1)?);
        let motion = |position: [i32; 3], linear: [i32; 3]| {
            let from = Pose { position: vector(position), ..Pose::IDENTITY };
            let velocities = Velocities { linear: vector(linear), angular: Vec3::ZERO };
            RigidMotion::with_velocities(from, Vec3::ZERO, velocities).ok()
        };
        let sum = |a: [i32; 3], b: [i32; 3]| [0, 1, 2].map(|i| a[i] + b[i]);
        let a = Body { model: &a, motion: motion(place, own)? };
        let b = Body { model: &b, motion: motion(sum(place, self.apart), sum(own, self.velocity))? };
        let limits = Limits { margin: fix(self.margin), tolerance: Fix8::ZERO };
        Scene::new(a, b, limits).ok().map(|scene| act(&scene))
    }
}

/// The root of a body of one piece. A grid has more numbers than this scalar, so another one builds it.
fn only_piece() -> Option<Piece> {
    let hull = [Hull { first: 0, count: 1, radius: 0.0 }];
    let geometry = Geometry::new(&[Vec3::<f32>::ZERO], &[], &hull, 0.0).ok()?;
    avert::hierarchy::build(geometry, &mut [], &mut [0]).ok().map(|model| model.root())
}

/// All directions with these components.
fn directions() -> impl Iterator<Item = [i32; 3]> + Clone {
    let some = [-11, -3, 0, 8, 13, 15];
    some.into_iter().flat_map(move |x| some.into_iter().flat_map(move |y| some.into_iter().map(move |z| [x, y, z])))
}

fn cases() -> impl Iterator<Item = Case> {
    let places = (-104..=104).step_by(13).flat_map(|x| (-40..=104).step_by(24).map(move |y| [x, y, x / 4]));
    let velocities = [[0, 0, 0], [-20, 0, 0], [30, -17, 0], [-50, 9, 13], [0, 0, 40]];
    let sizes = [([0, 0], 0), ([0, 0], 7), ([5, 0], 0), ([0, 6], 3)];
    places.flat_map(move |apart| {
        velocities.into_iter().flat_map(move |velocity| {
            sizes.into_iter().map(move |(radii, margin)| Case { apart, velocity, radii, margin })
        })
    })
}

/// Whatever the kernel proves about two points, in either rule, is true.
pub fn separations(_: u64, _: u64) -> Result<(), String> {
    let mut proved = [0_u64; 4];
    for case in cases() {
        // The second body is where the first one is, and on.
        let place = case.apart.map(|x| -x / 2);
        let own = case.velocity.map(|x| -x / 2);
        let found = case.with_scene(place, own, |scene| {
            let Some(pair) = scene.pair(scene.models().map(Model::root)) else { return Ok(()) };
            let beyond = case.radii() + i64::from(case.margin);
            for (from, until) in [(0, 0), (0, 16), (3, 8), (8, 16)] {
                let Some(span) = Span::new(scene, fix(from), fix(until)) else { continue };
                for n in directions() {
                    let Some(probe) = span.probe(vector(n)) else { continue };
                    if probe.separates(&pair).is_ok() {
                        proved[0] += 1;
                        if !case.stays_beyond(beyond, from, until) {
                            return Err(format!("separated by {n:?} from {from} to {until}"));
                        }
                    }
                }
            }
            for time in [0, 5, 16] {
                let Some(moment) = scene.moment(fix(time)) else { continue };
                for n in directions() {
                    let Some(aim) = Aim::new(&moment, vector(n)) else { continue };
                    if let Some(until) = aim.apart_until(scene, &pair) {
                        proved[1] += 1;
                        if !case.stays_beyond(beyond, time, until.to_bits().into()) {
                            return Err(format!("kept apart by {n:?} from {time} until {until:?}"));
                        }
                    }
                    let distance = aim.distance_lo(scene, &pair).filter(|d| *d > Fix8::ZERO);
                    if let Some(distance) = distance {
                        proved[2] += 1;
                        // One unit less, since `beyond` is strict and the bound is not.
                        let units = i64::from(distance.to_bits()) - 1;
                        if !case.stays_beyond(case.radii() + units, time, time) {
                            return Err(format!("{distance:?} apart along {n:?} at {time}"));
                        }
                    }
                }
                let common = [CommonPoint { a: 0, b: 0, weight: Fix8::ONE }];
                if let Some((distance, _)) = distance_hi(&moment, &pair, &common) {
                    proved[3] += 1;
                    if !case.is_within(case.radii() + i64::from(distance.to_bits()), time) {
                        return Err(format!("at most {distance:?} apart at {time}"));
                    }
                }
            }
            Ok(())
        });
        found.unwrap_or(Ok(())).map_err(|what| format!("{what}: {case:?}"))?;
    }
    // A kernel that proves nothing would pass all of the above.
    if proved.iter().all(|n| *n > 500) { Ok(()) } else { Err(format!("only {proved:?} proofs")) }
}
