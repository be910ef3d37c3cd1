//! Baked models: what the support tables leave out is never the furthest, and what is loaded encloses.

use super::{array, near, vector};
use crate::exact::Exact;
use crate::queries::{Strategy, entries, free_until};
use crate::random::Random;
use avert::hierarchy::{self, Blob, BlobError, Draft, DraftHull};
use avert::kernel::{Grid, Model, PieceKind, Shape, cell, corners};
use avert::{Body as Moved, Budget, Fix32, Fix64, Limits, Memory, Pose, RigidMotion, Scalar, Scene, Vec3, Velocities};
use std::cmp::Ordering;

/// A body on a grid, with room of its own.
#[derive(Clone, Debug)]
pub struct Body {
    points: Vec<[i32; 3]>,
    triangles: Vec<[u32; 3]>,
    hulls: Vec<DraftHull>,
    error: f64,
}

impl Body {
    /// Some triangles and some hulls, of some of which most points are extreme.
    pub fn random(random: &mut Random) -> Self {
        let mut body = Self { points: Vec::new(), triangles: Vec::new(), hulls: Vec::new(), error: 0.0 };
        let size = random.pick(&[100.0, 1e4, 1e6]);
        for _ in 0..random.below(6) {
            let first = body.points.len() as u32;
            let at = random.vector().map(|x| x * size);
            body.points.extend((0..3).map(|_| steps([0, 1, 2].map(|i| at[i] + 0.2 * size * random.vector()[i]))));
            body.triangles.push([first, first + 1, first + 2]);
        }
        for _ in 0..1 + random.below(2) {
            let (first, count) = (body.points.len() as u32, 1 + random.below(40) as u32);
            let at = random.vector().map(|x| x * size);
            let round = random.one_in(2);
            for _ in 0..count {
                let d = if round { random.direction() } else { random.vector() };
                body.points.push(steps([0, 1, 2].map(|i| at[i] + size * d[i])));
            }
            body.hulls.push(DraftHull { first, count, radius: random.below(1000) as u32 });
        }
        if random.one_in(2) {
            body.error = random.magnitude(-9.0, -3.0);
        }
        body
    }

    /// The baked bytes.
    pub fn bake(&self) -> Vec<u8> {
        let Self { points, triangles, hulls, error } = self;
        // Its triangles are strangers to each other: each is a part, if they are listed at all.
        let parts: Vec<u32> = if self.error > 0.0 { (0..triangles.len() as u32).collect() } else { Vec::new() };
        let draft =
            Draft { grid: Grid::PORTABLE, points, triangles, hulls, parts: &parts, solid: false, error: *error };
        let mut bytes = vec![0; draft.room()];
        let length = draft.bake(&mut bytes, &mut vec![0; triangles.len() + hulls.len()]).expect("a small body");
        bytes.truncate(length);
        bytes
    }
}

fn steps(x: [f64; 3]) -> [i32; 3] {
    x.map(|x| x.round() as i32)
}

/// Puts the right checksum into bytes that were tampered with. (CRC-32, bit by bit, once more.)
pub fn seal(bytes: &mut [u8]) {
    if bytes.len() < 16 {
        return;
    }
    let mut crc = u32::MAX;
    for (_, byte) in bytes.iter().enumerate().filter(|(i, _)| !(12..16).contains(i)) {
        for bit in 0..8 {
            let odd = (crc ^ u32::from(byte >> bit)) & 1 == 1;
            crc = (crc >> 1) ^ if odd { 0xedb8_8320 } else { 0 };
        }
    }
    bytes[12..16].copy_from_slice(&(!crc).to_le_bytes());
}

/// Loads a model and looks at it.
fn with_model<S: Scalar, R>(bytes: &[u8], look: impl FnOnce(&Model<'_, S>) -> R) -> Result<R, BlobError> {
    let blob = Blob::parse(bytes)?;
    let model = blob.model::<S>(&mut vec![0; blob.scratch_needed()])?;
    Ok(look(&model))
}

/// A direction lies between the corners of its cell, exactly.
pub fn cell_law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let mut d = random.direction();
        if random.one_in(3) {
            // On the edges of cells.
            let round = random.pick(&[1.0, 0.5, 0.25]);
            d = d.map(|x| (x / round).round() * round);
        }
        let v: Vec3<S> = vector(d);
        let d = array(v);
        let Some(cell) = cell(v) else {
            if d.iter().any(|x| x.abs() > 2e-3) {
                return Err(format!("{v:?} has no cell"));
            }
            continue;
        };
        let corners = corners(cell);
        let axis = (0..3).find(|i| corners.iter().all(|c| c[*i].abs() == 2 && c[*i] == corners[0][*i]));
        let Some(major) = axis.filter(|i| d[*i] * f64::from(corners[0][*i]) > 0.0) else {
            return Err(format!("{v:?} is not on the side of {corners:?}"));
        };
        // 2·d / |major| must be between the least and the greatest corner; all of it is exact in `f64`.
        let inside = (0..3).filter(|i| *i != major).all(|i| {
            let (least, most) = corners.iter().fold((9, -9), |(a, b), c| (c[i].min(a), c[i].max(b)));
            let m = d[major].abs();
            f64::from(least) * m <= 2.0 * d[i] && 2.0 * d[i] <= f64::from(most) * m
        });
        if !inside {
            return Err(format!("{v:?} is not in the cell of {corners:?}"));
        }
    }
    Ok(())
}

/// The furthest of all points is one that the table lists, also in tables that were tampered with and still accepted.
pub fn table_law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut refused, mut looked) = (0_u64, 0_u64);
    for _ in 0..cases {
        let body = Body::random(&mut random);
        let mut bytes = body.bake();
        let hull = random.below(body.hulls.len());
        if body.hulls[hull].count <= 12 {
            continue;
        }
        let tables = u32::from_le_bytes(bytes[32..36].try_into().expect("four bytes")) as usize;
        if random.one_in(2) {
            // One of the lists names a point twice and leaves one out.
            let lists = bytes.len() - tables + 194;
            let at = lists + random.below(bytes.len() - lists);
            bytes[at] = if at > lists { bytes[at - 1] } else { 0 };
            seal(&mut bytes);
        }
        let verdict = with_model::<S, _>(&bytes, |model| {
            let id = body.triangles.len() + hull;
            let Some(shape @ Shape::Hull(..)) = model.geometry().primitive(id) else { return Err("no hull".into()) };
            for _ in 0..40 {
                let d: Vec3<S> = if random.one_in(3) {
                    vector(corners(random.below(96))[random.below(4)].map(f64::from))
                } else {
                    vector(random.direction())
                };
                let most = shape.points().map(|p| p.dot(d)).fold(S::LEAST, S::max);
                let exact = |p: Vec3<S>| dot(array(p), array(d));
                let furthest = shape.points().map(exact).max_by(|a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal));
                let reach = shape.reach(d);
                // Of points that are equally far the computed projections may differ by a rounding.
                let little = near::<S>(1e-4) * most.abs().max(S::ONE);
                if !(reach <= most && most - reach <= little) {
                    return Err(format!("along {d:?}: {reach:?} of {most:?}, {furthest:?}: {body:?}"));
                }
            }
            Ok(())
        });
        match verdict {
            Ok(verdict) => {
                looked += 1;
                verdict?;
            }
            Err(BlobError::Enclosure(_) | BlobError::Parts(_)) => refused += 1,
            Err(other) => return Err(format!("{other}")),
        }
    }
    // A table that lists everything, or a proof that accepts nothing, would pass all of the above.
    if cases >= 100 && (refused == 0 || looked < cases / 10) {
        return Err(format!("{refused} refused and {looked} looked at, of {cases}"));
    }
    Ok(())
}

fn dot(a: [f64; 3], b: [f64; 3]) -> Exact {
    crate::exact::dot(&a.map(Exact::from_f64), &b.map(Exact::from_f64))
}

/// What became of damaged bytes.
#[derive(Debug, Default)]
pub struct Damage {
    /// Refused for the checksum or before.
    pub noticed: u64,
    /// Refused with the right checksum put in.
    pub refused: u64,
    /// Accepted with the right checksum, and found to be a sound model of another body.
    pub sound: u64,
}

/// Damages baked bytes in every way, with and without a right checksum. No damage goes unnoticed without one; with one, what is
/// accepted is a hierarchy that encloses.
pub fn damage<S: Scalar>(cases: u64, seed: u64) -> Result<Damage, String> {
    let mut random = Random::new(seed);
    let mut found = Damage::default();
    let (mut whole, mut left) = (Vec::new(), 0);
    for _ in 0..cases {
        if left == 0 {
            (whole, left) = (Body::random(&mut random).bake(), 64);
        }
        left -= 1;
        let mut bytes = whole.clone();
        let at = random.below(bytes.len());
        match random.below(8) {
            0 => bytes.truncate(at),
            1 => bytes.extend((0..1 + random.below(40)).map(|_| random.below(256) as u8)),
            2 => bytes[at] = random.below(256) as u8,
            3 => {
                let to = random.below(bytes.len());
                bytes.swap(at, to);
            }
            4 => (0..random.below(16)).for_each(|_| {
                let at = random.below(bytes.len());
                bytes[at] = random.below(256) as u8;
            }),
            5 => {
                let at = random.below(64.min(bytes.len()));
                bytes[at] ^= 1 << random.below(8);
            }
            _ => bytes[at] ^= 1 << random.below(8),
        }
        if bytes == whole {
            continue;
        }
        if with_model::<S, _>(&bytes, |_| ()).is_ok() {
            return Err(format!("damage at {at} of {} bytes goes unnoticed", whole.len()));
        }
        found.noticed += 1;
        seal(&mut bytes);
        match with_model::<S, _>(&bytes, encloses) {
            Err(_) => found.refused += 1,
            Ok(Ok(())) => found.sound += 1,
            Ok(Err(what)) => return Err(format!("accepted after damage at {at}: {what}")),
        }
    }
    Ok(found)
}

/// What is made of any bytes: an error, or in every scalar a model that encloses and that can be asked.
pub fn survives(bytes: &[u8]) -> Result<(), String> {
    fn in_scalar<S: Scalar>(bytes: &[u8]) -> Result<(), String> {
        let Ok(verdict) = with_model::<S, _>(bytes, |model| encloses(model).and_then(|()| asked(model))) else {
            return Ok(());
        };
        verdict.map_err(|e| format!("{e}, of {} bytes: {bytes:?}", size_of::<S>()))
    }
    in_scalar::<f32>(bytes)?;
    in_scalar::<f64>(bytes)?;
    in_scalar::<Fix32>(bytes)?;
    in_scalar::<Fix64>(bytes)
}

/// Asks a few short questions; a body that starts within itself is not apart from itself.
fn asked<S: Scalar>(model: &Model<'_, S>) -> Result<(), String> {
    let geometry = model.geometry();
    let (mut parts, mut scratch) = (vec![0; geometry.triangles()], vec![0; geometry.points()]);
    let parts = hierarchy::parts(geometry, &mut parts, &mut scratch).map_err(|e| format!("no parts: {e}"))?;
    let listed = model.with_parts(parts, &mut scratch).map_err(|e| format!("not the parts: {e}"))?;
    let solid = listed.into_solid().ok();
    let still = RigidMotion::still(Pose::IDENTITY).map_err(|e| e.to_string())?;
    let velocities = Velocities { linear: vector([1.0, 2.0, -0.5]), angular: vector([0.3, -0.2, 2.0]) };
    let moving = RigidMotion::with_velocities(Pose::IDENTITY, vector([0.1, 0.0, -0.1]), velocities);
    let moving = moving.map_err(|e| e.to_string())?;
    for model in [Some(listed), solid].into_iter().flatten() {
        let [a, b] = [moving, still].map(|motion| Moved { model: &model, motion });
        let limits = Limits { margin: S::ZERO, tolerance: S::from_f64_near(0.001) };
        let scene = Scene::new(a, b, limits).map_err(|e| e.to_string())?;
        for strategy in Strategy::ALL {
            let mut entries = entries::<S>(64);
            let mut memory = Memory::new(&mut entries);
            let verdict = strategy.start(&scene, &mut memory).step(&scene, Budget::units(5_000));
            if free_until(&verdict) > 0.0 {
                return Err(format!("apart from itself: {verdict:?}"));
            }
        }
    }
    Ok(())
}

/// Does every node enclose what is beneath it, and is every primitive beneath the root? In `f64`, with a little to spare.
fn encloses<S: Scalar>(model: &Model<'_, S>) -> Result<(), String> {
    let mut reached = vec![0; model.geometry().primitives()];
    let mut waiting = vec![(model.root(), Vec::new())];
    while let Some((piece, path)) = waiting.pop() {
        match piece.kind() {
            PieceKind::Node(i) => {
                let node = model.node(i).ok_or("a node is missing")?;
                let path: Vec<usize> = path.into_iter().chain([i]).collect();
                waiting.extend(node.children.map(|child| (child, path.clone())));
            }
            PieceKind::Primitive(id) => {
                *reached.get_mut(id).ok_or("a stranger")? += 1;
                let shape = model.geometry().primitive(id).ok_or("a primitive is missing")?;
                for i in path {
                    let node = model.node(i).ok_or("a node is missing")?;
                    let [c, u, v] = [node.centre, node.half_u, node.half_v].map(array);
                    for x in shape.points().map(array) {
                        let d = [0, 1, 2].map(|k| x[k] - c[k]);
                        let far = from_rectangle(d, u, v) + shape.radius().to_f64();
                        if far > node.radius.to_f64() * (1.0 + 1e-9) + 1e-9 {
                            return Err(format!(
                                "node {i} does not enclose primitive {id}: {far} of {:?}",
                                node.radius
                            ));
                        }
                    }
                }
            }
        }
    }
    if reached.iter().all(|n| *n == 1) { Ok(()) } else { Err("not every primitive is reached once".to_owned()) }
}

/// The distance of a point from the parallelogram of two half axes, by taking turns.
fn from_rectangle(d: [f64; 3], u: [f64; 3], v: [f64; 3]) -> f64 {
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (mut s, mut t) = (0.0, 0.0);
    let rest = |s: f64, t: f64| [0, 1, 2].map(|i| d[i] - s * u[i] - t * v[i]);
    let part = |x: [f64; 3], axis: [f64; 3]| if dot(axis, axis) > 0.0 { dot(x, axis) / dot(axis, axis) } else { 0.0 };
    for _ in 0..10_000 {
        let before = (s, t);
        s = part(rest(0.0, t), u).clamp(-1.0, 1.0);
        t = part(rest(s, 0.0), v).clamp(-1.0, 1.0);
        if (s, t) == before {
            break;
        }
    }
    let x = rest(s, t);
    dot(x, x).sqrt()
}
