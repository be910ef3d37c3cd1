//! Whole queries: the library's verdict beside what the sampling oracle saw.
//!
//! A suite returns `Err` with a case that can be run again (seed, index, numbers) as soon as a verdict is not true.

mod adversarial;
mod degenerate;
mod differential;
mod random;
mod solids;

pub use adversarial::{adversarial_queries, starved_queries};
pub use degenerate::degenerate_queries;
pub use differential::{Agreement, Claims, Desk, contradiction, differential_queries};
pub use random::{hull_queries, plain_query, random_queries, screw_queries};
pub use solids::{solid_queries, solid_query};

use crate::sampling::{self, Pair};
use crate::scenes::{Dice, Path, Place, Point, Query, Shape, add, length, times};
use avert::hierarchy::{build, nodes_needed};
use avert::motion::MotionError;
use avert::{
    Body, Budget, C2a, Ca, Check, Chord, Control, Entry, Geometry, Hca, Hull, Interval, Limits, Memory, Model,
    NodeBytes, Pose, Quaternion, RigidMotion, Scalar, Scene, Stats, Vec3, Velocities, Verdict, Witness,
};

/// Times that the oracle looks at, for a query of a suite.
pub const EFFORT: usize = 140;

/// A shape in the library's numbers, and the memory of its hierarchy.
#[derive(Debug)]
pub struct Parts<S> {
    points: Vec<Vec3<S>>,
    triangles: Vec<[u32; 3]>,
    hulls: Vec<Hull<S>>,
    error: S,
    nodes: Vec<NodeBytes>,
    parts: Vec<u32>,
}

impl<S: Scalar> Parts<S> {
    /// Narrows a shape and measures what that loses.
    pub fn new(shape: &Shape) -> Self {
        Self::off_by(shape, [0.0; 3])
    }

    /// Narrows a shape, puts every point in a wrong place, and measures how wrong.
    pub fn off_by(shape: &Shape, by: Point) -> Self {
        let points: Vec<Vec3<S>> = shape.points.iter().map(|p| Vec3::from(add(*p, by).map(tidy))).collect();
        let lost = |p: &Point, q: &Vec3<S>| {
            let [x, y, z] = q.map(S::to_f64).to_array();
            crate::scenes::length([p[0] - x, p[1] - y, p[2] - z])
        };
        let point_error = shape.points.iter().zip(&points).map(|(p, q)| lost(p, q)).fold(0.0, f64::max);
        let radius_error =
            shape.hulls.iter().map(|h| (h.radius - tidy::<S>(h.radius).to_f64()).abs()).fold(0.0, f64::max);
        let error = (point_error + radius_error) * (1.0 + 1e-9);
        let hull =
            |h: &crate::scenes::Inflated| Hull { first: h.first as u32, count: h.count as u32, radius: tidy(h.radius) };
        let nodes = vec![[0; 30]; nodes_needed(shape.triangles.len() + shape.hulls.len())];
        Self {
            points,
            triangles: shape.triangles.clone(),
            hulls: shape.hulls.iter().map(hull).collect(),
            error: S::from_f64_hi(error),
            nodes,
            parts: vec![0; shape.triangles.len()],
        }
    }

    /// Builds the hierarchy.
    pub fn model(&mut self) -> Result<Model<'_, S>, String> {
        self.listed().map(|(model, _)| model)
    }

    /// Builds the hierarchy, and finds the parts for a solid.
    pub fn solid(&mut self) -> Result<Model<'_, S>, String> {
        let (model, parts) = self.listed()?;
        let mut scratch = vec![0; model.geometry().points()];
        let model = model.with_parts(parts, &mut scratch).map_err(|e| e.to_string())?;
        model.into_solid().map_err(|e| e.to_string())
    }

    fn listed(&mut self) -> Result<(Model<'_, S>, &[u32]), String> {
        let Self { points, triangles, hulls, error, nodes, parts } = self;
        let geometry = Geometry::new(points, triangles, hulls, *error).map_err(|e| e.to_string())?;
        let mut scratch = vec![0; geometry.primitives().max(points.len())];
        let parts = avert::hierarchy::parts(&geometry, parts, &mut scratch).map_err(|e| e.to_string())?;
        let model = build(geometry, nodes, &mut scratch).map_err(|e| e.to_string())?;
        Ok((model, parts))
    }
}

/// The nearest number that is not subnormal.
fn tidy<S: Scalar>(x: f64) -> S {
    let near = S::from_f64_near(x);
    if near.in_range() { near } else { S::ZERO }
}

/// A path in the library's numbers: those themselves if they are exact, otherwise enclosures.
pub fn motion<S: Scalar>(path: &Path, exact: bool) -> Result<RigidMotion<S>, MotionError> {
    let point = |p: Point| Vec3::from(p.map(S::from_f64_near));
    let enclosed = |p: Point| Vec3::from(p.map(Interval::from_f64));
    let pose = |p: Place| Pose::new(p.rotation.map(S::from_f64_near), p.position.map(S::from_f64_near));
    let poses = |p: Place| {
        let [w, x, y, z] = p.rotation.map(Interval::from_f64);
        Pose { rotation: Quaternion::new(w, x, y, z), position: enclosed(p.position) }
    };
    match *path {
        Path::Between { from, to, centre } if exact => RigidMotion::between(pose(from), pose(to), point(centre)),
        Path::Between { from, to, centre } => RigidMotion::between_enclosures(poses(from), poses(to), point(centre)),
        Path::Screw { from, to } if exact => RigidMotion::screw(pose(from), pose(to)),
        Path::Screw { from, to } => RigidMotion::screw_enclosures(poses(from), poses(to)),
        Path::Velocities { from, centre, linear, angular } if exact => {
            let velocities = Velocities { linear: point(linear), angular: point(angular) };
            RigidMotion::with_velocities(pose(from), point(centre), velocities)
        }
        Path::Velocities { from, centre, linear, angular } => {
            let velocities = Velocities { linear: enclosed(linear), angular: enclosed(angular) };
            RigidMotion::with_velocity_enclosures(poses(from), point(centre), velocities)
        }
    }
}

/// A path whose places the library knows only to lie in a box, somewhere on whose surface they are.
fn vague_motion<S: Scalar>(path: &Path, by: Point) -> Result<RigidMotion<S>, MotionError> {
    let enclosed = |x: f64| Interval::from_f64(x);
    let vague = |x: f64, d: f64| Interval::new(S::from_f64_lo(x.min(x + 2.0 * d)), S::from_f64_hi(x.max(x + 2.0 * d)));
    let pose = |p: Place| {
        let [w, x, y, z] = p.rotation.map(enclosed);
        let [px, py, pz] = p.position;
        let position = Vec3::new(vague(px, by[0]), vague(py, by[1]), vague(pz, by[2]));
        Pose { rotation: Quaternion::new(w, x, y, z), position }
    };
    match *path {
        Path::Between { from, to, centre } => {
            RigidMotion::between_enclosures(pose(from), pose(to), centre.map(S::from_f64_near).into())
        }
        Path::Screw { from, to } => RigidMotion::screw_enclosures(pose(from), pose(to)),
        Path::Velocities { from, centre, linear, angular } => RigidMotion::with_velocity_enclosures(
            pose(from),
            centre.map(S::from_f64_near).into(),
            Velocities { linear: linear.map(enclosed).into(), angular: angular.map(enclosed).into() },
        ),
    }
}

/// A query whose exact numbers the scalar holds.
pub fn held<S: Scalar>(query: Query) -> Query {
    if S::FLOATING { query } else { query.on_grid() }
}

/// Makes the scene of a query and does something with it.
pub fn with_scene<S: Scalar, R>(query: &Query, act: impl FnOnce(&Scene<'_, S>) -> R) -> Result<R, String> {
    // Which way the library is misled is decided by the question's numbers.
    let mut dice = Dice::new(query.shapes[0].points[0][0].to_bits(), query.margin.to_bits());
    let mut wrong = |by: f64| times(dice.direction(), by);
    let [points, places] = query.vague;
    let mut a = Parts::off_by(&query.shapes[0], wrong(points));
    let mut b = Parts::off_by(&query.shapes[1], wrong(points));
    let [solid_a, solid_b] = query.solid;
    let a = if solid_a { a.solid() } else { a.model() }?;
    let b = if solid_b { b.solid() } else { b.model() }?;
    let mut motion = |path| {
        let motion = if places > 0.0 { vague_motion(path, wrong(places)) } else { motion(path, query.exact) };
        motion.map_err(|e| e.to_string())
    };
    let limits = Limits { margin: S::from_f64_near(query.margin), tolerance: S::from_f64_near(query.tolerance) };
    let [motion_a, motion_b] = [motion(&query.paths[0])?, motion(&query.paths[1])?];
    let scene = Scene::new(Body { model: &a, motion: motion_a }, Body { model: &b, motion: motion_b }, limits);
    Ok(act(&scene.map_err(|e| e.to_string())?))
}

/// Memory for this many obligations.
pub fn entries<S: Scalar>(count: usize) -> Vec<Entry<S>> {
    (0..count).map(|_| Entry::VACANT).collect()
}

/// How the library searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    Chord,
    Ca,
    C2a,
    Hca,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Chord, Self::Ca, Self::C2a, Self::Hca];

    /// For reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Chord => "chord",
            Self::Ca => "CA",
            Self::C2a => "C²A",
            Self::Hca => "HCA",
        }
    }

    /// Starts a check.
    pub fn start<'w, 'm: 'w, S: Scalar>(
        self,
        scene: &Scene<'_, S>,
        memory: &'w mut Memory<'m, S>,
    ) -> Box<dyn Check<S> + 'w> {
        match self {
            Self::Chord => Box::new(Chord::new(scene, memory)),
            Self::Ca => Box::new(Ca::new(scene, memory)),
            Self::C2a => Box::new(C2a::new(scene, memory, Control::new(scene.limits().tolerance))),
            Self::Hca => Box::new(Hca::new(scene, memory)),
        }
    }

    /// As much work as a query of a suite may take. The chord strategy must do without a limit; conservative advancement
    /// creeps where there is no tolerance.
    fn patience(self) -> Budget {
        match self {
            Self::Chord => Budget::UNLIMITED,
            Self::Ca | Self::C2a | Self::Hca => Budget::units(100_000_000),
        }
    }
}

/// The library's answer.
pub fn answer<S: Scalar>(
    strategy: Strategy,
    query: &Query,
    entries: &mut [Entry<S>],
) -> Result<(Verdict<S>, Stats), String> {
    with_scene(query, |scene| {
        let mut memory = Memory::new(entries);
        let mut check = strategy.start(scene, &mut memory);
        (check.step(scene, strategy.patience()), check.stats())
    })
}

/// Until when a verdict claims a proof.
pub fn free_until<S: Scalar>(verdict: &Verdict<S>) -> f64 {
    match verdict {
        Verdict::Free(_) => f64::INFINITY,
        Verdict::Contact { free_until, .. } | Verdict::Undecided { free_until, .. } => free_until.to_f64(),
    }
}

/// Every bit that a verdict and its cost are made of.
pub fn bits<S: Scalar>(verdict: &Verdict<S>, stats: &Stats) -> Vec<u64> {
    let mut words = match verdict {
        Verdict::Free(proof) => vec![0, proof.revision()],
        Verdict::Contact { free_until, touch, witness } => {
            let Witness { primitives, points, direction, distance_hi } = witness;
            let mut words = vec![1, primitives[0] as u64, primitives[1] as u64];
            let vectors = [points[0], points[1], *direction];
            let scalars = vectors.into_iter().flat_map(Vec3::to_array).chain([*free_until, *touch, *distance_hi]);
            words.extend(scalars.map(S::to_bits64));
            words
        }
        Verdict::Undecided { free_until, why } => vec![2, *why as u64, free_until.to_bits64()],
    };
    let Stats { work, node_pairs, primitive_pairs, kernel_calls, poses, iterations, front, most_open } = *stats;
    words.extend([work, node_pairs, primitive_pairs, kernel_calls, poses, iterations, front, most_open]);
    words
}

/// Counts of verdicts, and how tight they were.
#[derive(Clone, Copy, Debug, Default)]
pub struct Report {
    pub free: u64,
    pub contact: u64,
    pub undecided: u64,
    /// Sum of touch − free_until over the contacts.
    pub span: f64,
    /// Sum of first sampled contact − free_until, and over how many.
    pub gap: (f64, u64),
    pub work: u64,
}

impl Report {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            free: self.free + other.free,
            contact: self.contact + other.contact,
            undecided: self.undecided + other.undecided,
            span: self.span + other.span,
            gap: (self.gap.0 + other.gap.0, self.gap.1 + other.gap.1),
            work: self.work + other.work,
        }
    }

    /// How many queries.
    pub fn queries(&self) -> u64 {
        self.free + self.contact + self.undecided
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{} queries, 0 violations: {} free, {} contact, {} undecided; mean touch − free_until {:.1e}, \
             mean sampled contact − free_until {:.1e}, mean work {}",
            self.queries(),
            self.free,
            self.contact,
            self.undecided,
            self.span / self.contact.max(1) as f64,
            self.gap.0 / self.gap.1.max(1) as f64,
            self.work / self.queries().max(1),
        )
    }
}

/// Asks the library and the oracle, and compares.
pub fn compare<S: Scalar>(
    strategy: Strategy,
    query: &Query,
    entries: &mut [Entry<S>],
) -> Result<(Verdict<S>, Report), String> {
    let (verdict, stats) = answer(strategy, query, entries)?;
    let pair = Pair::new(query);
    let first = judge(&pair, query, &verdict)?;
    let mut report = Report { work: stats.work, ..Report::default() };
    match verdict {
        Verdict::Free(_) => report.free = 1,
        Verdict::Contact { free_until, touch, .. } => {
            report.contact = 1;
            report.span = touch.to_f64() - free_until.to_f64();
            if let Some(first) = first {
                report.gap = (first - free_until.to_f64(), 1);
            }
        }
        Verdict::Undecided { .. } => report.undecided = 1,
    }
    Ok((verdict, report))
}

/// Is a verdict true, as far as the oracle can see, and are its witness points where they should be? Gives the first contact
/// that it saw.
pub fn judge<S: Scalar>(pair: &Pair, query: &Query, verdict: &Verdict<S>) -> Result<Option<f64>, String> {
    let first = refute(pair, query, verdict)?;
    match verdict {
        Verdict::Contact { touch, .. } if touch.to_f64() == 0.0 && sampling::starts_inside(query) => {}
        Verdict::Contact { touch, witness, .. } => {
            judge_witness(pair, query, touch.to_f64(), witness).map_err(|e| format!("{e}: {verdict:?}"))?;
        }
        Verdict::Free(_) | Verdict::Undecided { .. } => {}
    }
    Ok(first)
}

/// Is anything that a verdict proves false, as far as the oracle can see? Gives the first contact that it saw.
pub fn refute<S: Scalar>(pair: &Pair, query: &Query, verdict: &Verdict<S>) -> Result<Option<f64>, String> {
    let trace = pair.sample(EFFORT);
    let until = free_until(verdict);
    let hit = |s: &&(f64, f64)| s.0 < until && s.1 <= query.margin - trace.error;
    if let Some((t, d)) = trace.samples.iter().find(hit) {
        return Err(format!("free until {until} is claimed, but at {t} the distance is {d}: {verdict:?}"));
    }
    let inside = sampling::starts_inside(query);
    if inside && until > 0.0 {
        return Err(format!("one body starts inside of the other, but free until {until} is claimed: {verdict:?}"));
    }
    match verdict {
        Verdict::Free(_) => {}
        Verdict::Contact { touch, witness, .. } if inside && touch.to_f64() == 0.0 => {
            if witness.distance_hi.to_f64() > query.margin + query.tolerance {
                return Err(format!("the witness is too far apart: {verdict:?}"));
            }
        }
        Verdict::Contact { free_until, touch, witness } => {
            let (from, touch) = (free_until.to_f64(), touch.to_f64());
            if !(0.0 <= from && from <= touch && touch <= 1.0) {
                return Err(format!("the times of a contact are out of order: {verdict:?}"));
            }
            refute_contact(pair, query, touch, witness).map_err(|e| format!("{e}: {verdict:?}"))?;
        }
        Verdict::Undecided { free_until, .. } => {
            let until = free_until.to_f64();
            if !(0.0..=1.0).contains(&until) {
                return Err(format!("free_until is not a time: {verdict:?}"));
            }
        }
    }
    Ok(trace.first)
}

/// Are the bodies, and the named primitives, as near at `touch` as is claimed?
fn refute_contact<S: Scalar>(pair: &Pair, query: &Query, touch: f64, witness: &Witness<S>) -> Result<(), String> {
    let claimed = witness.distance_hi.to_f64();
    if claimed > query.margin + query.tolerance {
        return Err(format!("the witness is {claimed} apart, more than margin and tolerance"));
    }
    let (bodies, named) = (pair.distance(touch), pair.primitive_distance(touch, witness.primitives));
    for (what, distance) in [("bodies", bodies), ("named primitives", named)] {
        if distance > claimed + pair.error() {
            return Err(format!("the {what} are {distance} apart at the claimed touch"));
        }
    }
    Ok(())
}

/// Are the witness's points on the named primitives' cores, as near as is claimed, and is the direction theirs?
fn judge_witness<S: Scalar>(pair: &Pair, query: &Query, touch: f64, witness: &Witness<S>) -> Result<(), String> {
    let relative = if size_of::<S>() == 4 { 1e-5 } else { 1e-12 };
    let grain = if S::FLOATING { 0.0 } else { 2_f64.powi(S::FINEST) };
    // What the library was told wrongly it cannot place rightly.
    let misled = 1.01 * (query.vague[0] + query.vague[1]) + pair.vague(relative.max(2000.0 * grain));
    let little = relative * pair.scale() + 30.0 * grain;
    let points = witness.points.map(|p| p.map(S::to_f64).to_array());
    for side in [0, 1] {
        let off = pair.core_distance(touch, side, witness.primitives[side], points[side]);
        if off.is_nan() || off > little + misled {
            return Err(format!("witness point {side} is {off} from the named primitive's core"));
        }
    }
    let between = add(points[1], times(points[0], -1.0));
    let apart = length(between);
    let distance = apart - pair.radii(witness.primitives);
    // The radii are the question's; the library's may differ by what narrowing lost.
    if distance.is_nan() || distance > witness.distance_hi.to_f64() + little {
        return Err(format!("the witness points leave {distance} between the surfaces, more than is claimed"));
    }
    if apart > 1e-4 * pair.scale() {
        let direction = witness.direction.map(S::to_f64).to_array();
        let dot: f64 = between.iter().zip(direction).map(|(x, y)| x * y).sum();
        let cosine = dot / (apart * length(direction));
        if cosine.is_nan() || cosine <= 0.9 {
            return Err(format!("the direction and the witness points have a cosine of {cosine}"));
        }
    }
    Ok(())
}
