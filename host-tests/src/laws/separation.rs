//! Two moving pieces: whatever the kernel accepts is held against the true motion.
//!
//! A scene is set up so that the two pieces are a little apart along a direction. The true separation along it, at the ends of
//! the span and inside, is computed in double-doubles; then the margin is put just above it, where an acceptance would be
//! false, and around the threshold of acceptance.

use super::scene::{Course, Goal, Kind, Parts, places};
use super::{array, exact, grain, near, single, size, unit, vector};
use crate::exact::Exact;
use crate::random::Random;
use crate::wide::{Dd, Motion, Place, norm, separation};
use avert::hierarchy::build;
use avert::kernel::{Aim, CommonPoint, Piece, PieceKind, Span, distance_hi};
use avert::{Body, Geometry, Hull, Limits, Pose, RigidMotion, Scalar, Scene, Vec3, Velocities};

/// Two moving bodies and a direction along which they are probably apart.
struct Setup<S> {
    parts: [Parts<S>; 2],
    machine: [RigidMotion<S>; 2],
    truth: [Motion; 2],
    span: [S; 2],
    direction: Vec3<S>,
    size: f64,
    courses: [Course; 2],
}

/// What a setup is about.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Theme {
    Any,
    /// Poses that are known only within an interval.
    Uncertain,
    /// A point on a circle, seen along the radius at the middle of the arc: the chord rule has nothing to spare.
    Arc,
    /// Two balls.
    Balls,
}

fn dd<S: Scalar>(x: S) -> Dd {
    Dd::from(x.to_f64())
}

impl<S: Scalar> Setup<S> {
    fn random(random: &mut Random, theme: Theme) -> Option<Self> {
        let size = size::<S>(random, -5.0, 3.3);
        let kinds = match theme {
            Theme::Any | Theme::Uncertain => {
                [0; 2].map(|_| random.pick(&[Kind::Ball, Kind::Single, Kind::Soup, Kind::Loose]))
            }
            Theme::Arc | Theme::Balls => [Kind::Ball; 2],
        };
        let scales = [size, size * random.pick(&[1.0, 1.0, 0.1, 10.0])];
        let parts = [0, 1].map(|i| Parts::<S>::random(random, kinds[i], scales[i]));
        let uncertain = theme == Theme::Uncertain;
        let mut courses = [0, 1].map(|i| Course::random(random, scales[i], uncertain));
        if random.one_in(2) {
            courses[1] = Course::still(random, scales[1]);
        }
        let from: S = S::from_f64_near(if random.one_in(2) { 0.0 } else { random.unit() });
        let until: S = S::from_f64_near(match random.below(4) {
            0 => 1.0,
            1 => from.to_f64(),
            2 => (from.to_f64() + random.magnitude(-5.0, 0.0)).min(1.0),
            _ => from.to_f64() + (1.0 - from.to_f64()) * random.unit(),
        });
        let mut setup_direction = random.direction();
        if theme == Theme::Arc {
            courses[1] = Course::still(random, size);
            courses[0].to = Goal::Velocities([0.0; 3], random.direction().map(|x| x * 0.5));
        }
        let motions = courses.each_ref().map(Course::make::<S>);
        let [Some((_, a)), Some((_, b))] = motions else { return None };
        let middle = (from.to_f64() + until.to_f64()) / 2.0;
        if theme == Theme::Arc {
            // The radius is normal to the axis at the point: velocity × axis.
            let x = array(parts[0].points[0]);
            let v = a.velocity_of(x, middle);
            let radius = crate::wide::cross(v, a.axis);
            let length = norm(radius);
            if length.to_f64() > 0.0 {
                setup_direction = radius.map(|x| (x / length).to_f64());
            }
        } else if random.one_in(2) {
            // Along the line of centres.
            let (p, q) =
                (a.place(middle).apply(array(parts[0].points[0])), b.place(middle).apply(array(parts[1].points[0])));
            let line = [0, 1, 2].map(|i| (q[i] - p[i]).to_f64());
            if line.iter().any(|x| x.abs() > 1e-9 * size) {
                setup_direction = line;
            }
        }
        let direction: Vec3<S> = vector(setup_direction);
        // Move the second body so that the two are a little apart.
        let times = [from.to_f64(), middle, until.to_f64()];
        let n = array(direction);
        let clouds = parts.each_ref().map(|p| p.cloud(p.root.expect("grown")));
        let length = norm(n.map(Dd::from)).to_f64();
        let gaps = places([&a, &b], &times);
        let least = gaps
            .iter()
            .map(|[p, q]| separation(n, [p, q], [&clouds[0], &clouds[1]]).to_f64() / length)
            .fold(f64::INFINITY, f64::min);
        let wanted = size * random.magnitude(-4.0, 0.5);
        courses[1].shift(n.map(|x| x / length * (wanted - least)));
        let [Some((ma, ta)), Some((mb, tb))] = courses.each_ref().map(Course::make::<S>) else { return None };
        Some(Self { parts, machine: [ma, mb], truth: [ta, tb], span: [from, until], direction, size, courses })
    }

    /// The true separation along a direction at the given places, in metres, geometry errors taken off.
    fn apart(&self, n: Vec3<S>, places: &[Place; 2], clouds: [&[([f64; 3], f64)]; 2]) -> Dd {
        let n = array(n);
        let [a, b] = places;
        let errors = dd(self.parts[0].error) + dd(self.parts[1].error);
        separation(n, [a, b], clouds) / norm(n.map(Dd::from)) - errors
    }

    fn describe(&self) -> String {
        format!("{:?}; {:?}; span {:?}; direction {:?}", self.parts, self.courses, self.span, self.direction)
    }
}

/// A margin that is certainly not below this number.
fn upward<S: Scalar>(x: Dd) -> S {
    let bound = S::from_f64_hi(x.to_f64().next_up());
    if bound > S::ZERO { bound } else { S::ZERO }
}

/// Random pieces of the two bodies: primitives and nodes.
fn some_pieces<S: Scalar>(random: &mut Random, setup: &Setup<S>) -> [Piece; 2] {
    setup.parts.each_ref().map(|p| random.pick(&p.pieces()))
}

fn themes(random: &mut Random) -> Theme {
    random.pick(&[Theme::Any, Theme::Any, Theme::Any, Theme::Uncertain, Theme::Arc, Theme::Balls])
}

/// Every acceptance is true, along the very direction, at the ends of the span and inside it.
pub fn separates<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut done, mut accepted) = (0_u64, 0_u64);
    while done < cases {
        let theme = themes(&mut random);
        let Some(setup) = Setup::<S>::random(&mut random, theme) else { continue };
        let models = setup.parts.each_ref().map(Parts::model);
        let [from, until] = setup.span;
        let (t0, t1) = (from.to_f64(), until.to_f64());
        let inside = |u: f64| (t0 + (t1 - t0) * u).clamp(t0, t1);
        let times = [t0, t1, inside(0.5), inside(random.unit()), inside(random.unit())];
        let true_places = places(setup.truth.each_ref(), &times);
        let scene = |margin: S| {
            let [a, b] = [0, 1].map(|i| Body { model: &models[i], motion: setup.machine[i] });
            Scene::new(a, b, Limits { margin, tolerance: S::ZERO }).ok()
        };
        let accepts = |margin: S, n: Vec3<S>, pieces| {
            let scene = scene(margin)?;
            let span = Span::new(&scene, from, until)?;
            Some(span.probe(n)?.separates(&scene.pair(pieces)?).is_ok())
        };
        let Some(slack) = scene(S::ZERO).and_then(|s| Span::new(&s, from, until)).map(|s| s.slack_near().to_f64())
        else {
            continue;
        };
        for round in 0..9 {
            let pieces = if round < 2 { models.each_ref().map(|m| m.root()) } else { some_pieces(&mut random, &setup) };
            let nudge = if round % 3 == 0 { 0.0 } else { random.magnitude(-6.0, -0.5) };
            let off = random.vector();
            let n = array(setup.direction);
            let length = n.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
            let n = vector::<S>([0, 1, 2].map(|i| n[i] + off[i] * nudge * length));
            let clouds = [0, 1].map(|i| setup.parts[i].cloud(pieces[i]));
            let apart = true_places.iter().map(|p| setup.apart(n, p, [&clouds[0], &clouds[1]]));
            let least = apart.fold(Dd::from(f64::INFINITY), Dd::min);
            let doubt = setup.size * 1e-24;
            // What is true at best: a margin of this or more must be refused.
            let limit = upward::<S>(least + Dd::from(doubt));
            let more = S::from_f64_near(1.0 + random.magnitude(-6.0, -0.3));
            for margin in [limit, limit * more] {
                done += 1;
                if accepts(margin, n, pieces) == Some(true) {
                    return Err(format!(
                        "margin {margin:?} accepted, truth {:e}, pieces {pieces:?}, n {n:?}, {theme:?}; {}",
                        least.to_f64(),
                        setup.describe()
                    ));
                }
            }
            let below = least.to_f64() - slack * random.within(0.0, 2.0);
            if below > 0.0 {
                done += 1;
                let margin = S::from_f64_near(below);
                if accepts(margin, n, pieces) == Some(true) {
                    accepted += 1;
                    let holds = dd(margin) < least + Dd::from(doubt);
                    if !holds {
                        return Err(format!("margin {margin:?} accepted; {}", setup.describe()));
                    }
                }
            }
        }
    }
    // A kernel that accepts nothing would pass all of the above.
    if cases >= 1000 && accepted < cases / 50 {
        return Err(format!("only {accepted} of {cases} cases accepted"));
    }
    Ok(())
}

/// Two primitives that are apart by a little more than the stated slack are accepted.
pub fn tight_separates<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < cases {
        let theme = random.pick(&[Theme::Arc, Theme::Balls, Theme::Any]);
        let Some(setup) = Setup::<S>::random(&mut random, theme) else { continue };
        let models = setup.parts.each_ref().map(Parts::model);
        let [from, until] = setup.span;
        let pieces = some_pieces(&mut random, &setup);
        let loose =
            setup.parts.iter().any(|p| (0..p.nodes.len()).any(|i| p.node(i).radius.to_f64() > 100.0 * setup.size));
        if !pieces.iter().all(|p| p.is_primitive()) || loose {
            continue;
        }
        let ends = places(setup.truth.each_ref(), &[from.to_f64(), until.to_f64()]);
        let clouds = [0, 1].map(|i| setup.parts[i].cloud(pieces[i]));
        let apart = ends.iter().map(|p| setup.apart(setup.direction, p, [&clouds[0], &clouds[1]]).to_f64());
        let least = apart.fold(f64::INFINITY, f64::min);
        let scene = |margin: S| {
            let [a, b] = [0, 1].map(|i| Body { model: &models[i], motion: setup.machine[i] });
            Scene::new(a, b, Limits { margin, tolerance: S::ZERO }).ok()
        };
        let Some(nothing) = scene(S::ZERO) else { continue };
        let Some(bare) = Span::new(&nothing, from, until) else { continue };
        // The truth may be above the computed separation by the stated pose error, which the slack holds once; the direction's
        // length, up to √3, turns the rounding term into less metres than its number says, at least half of it.
        let extent = models.iter().map(|m| m.extent_hi().to_f64()).sum::<f64>()
            + setup.machine.iter().map(|m| m.position_hi().to_f64()).sum::<f64>();
        let little = if single::<S>() { 1e-4 } else { 1e-12 } * extent + 100.0 * grain::<S>();
        let errors = (setup.parts[0].error.to_f64()) + (setup.parts[1].error.to_f64());
        let margin = least - 2.0 * (bare.slack_near().to_f64() - errors) - little;
        if !(margin > 0.0 && margin <= S::RANGE.to_f64()) {
            continue;
        }
        done += 1;
        let margin = S::from_f64_lo(margin);
        let good = scene(margin).is_some_and(|scene| {
            let span = Span::new(&scene, from, until);
            let probe = span.as_ref().and_then(|s| s.probe(setup.direction));
            probe.zip(scene.pair(pieces)).is_some_and(|(probe, pair)| probe.separates(&pair).is_ok())
        });
        if !good {
            return Err(format!("margin {margin:?} refused, truth {least:e}; {}", setup.describe()));
        }
    }
    Ok(())
}

/// The slack covers margin, errors and bulge, and beyond them what rounding does to the gap.
///
/// The gap is computed here again in plain machine numbers, and exactly; the difference must fit into the slack.
pub fn span_new<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < cases {
        let theme = themes(&mut random);
        let Some(setup) = Setup::<S>::random(&mut random, theme) else { continue };
        let models = setup.parts.each_ref().map(Parts::model);
        let margin = S::from_f64_near(setup.size * random.pick(&[0.0, 0.0, 1e-3]));
        let [a, b] = [0, 1].map(|i| Body { model: &models[i], motion: setup.machine[i] });
        let Ok(scene) = Scene::new(a, b, Limits { margin, tolerance: S::ZERO }) else { continue };
        let [from, until] = setup.span;
        let Some(span) = Span::new(&scene, from, until) else { continue };
        for _ in 0..4 {
            done += 1;
            let direction = vector::<S>(random.direction());
            let Some(probe) = span.probe(direction) else { continue };
            let n = probe.direction();
            let pieces = some_pieces(&mut random, &setup);
            let moment = random.pick(&[span.start(), span.end()]);
            let (got, real) = gap(&setup, n, *moment.places(), pieces);
            let bounds = scene.bounds();
            let duration = until.sub_hi(from);
            let parts = [margin, bounds.error_hi(), bounds.bulge_hi(duration)];
            let stated = parts.iter().fold(Exact::zero(), |sum, x| &sum + &exact(*x));
            let rounding = &got - &real;
            // The slack is a rounded sum of two; twice its last place is more than that.
            let slack = &exact(span.slack_near()) * &Exact::from_f64(1.0 + 4.0 * unit::<S>());
            if slack < &stated + &rounding {
                return Err(format!(
                    "slack {:?}, stated {:e}, rounding {:e}, n {n:?}, pieces {pieces:?}; {}",
                    span.slack_near(),
                    stated.to_f64(),
                    rounding.to_f64(),
                    setup.describe()
                ));
            }
        }
    }
    Ok(())
}

/// The gap between two pieces' cores along `n`, in plain machine numbers and exactly, for computed places.
fn gap<S: Scalar>(
    setup: &Setup<S>,
    n: Vec3<S>,
    places: [avert::motion::Placement<S>; 2],
    pieces: [Piece; 2],
) -> (Exact, Exact) {
    let e = |v: Vec3<S>| v.to_array().map(exact);
    let [pa, pb] = places;
    let base = n.dot(pb.position - pa.position);
    let offset = [0, 1, 2].map(|i| &e(pb.position)[i] - &e(pa.position)[i]);
    let mut real = crate::exact::dot(&e(n), &offset);
    let mut got = base;
    for (i, n) in [n, -n].into_iter().enumerate() {
        let rotation = places[i].rotation;
        let along = rotation.apply_transposed(n);
        let rows = rotation.rows.map(e);
        let exactly = [0, 1, 2].map(|j| {
            let column = rows.each_ref().map(|row| row[j].clone());
            crate::exact::dot(&column, &e(n))
        });
        let parts = &setup.parts[i];
        let (reach, real_reach) = match pieces[i].kind() {
            PieceKind::Node(k) => {
                let node = parts.node(k);
                let project = |v: Vec3<S>| crate::exact::dot(&e(v), &exactly);
                let reach = node.centre.dot(along) + node.half_u.dot(along).abs() + node.half_v.dot(along).abs();
                let sides = &project(node.half_u).abs() + &project(node.half_v).abs();
                (reach, &project(node.centre) + &sides)
            }
            PieceKind::Primitive(_) => {
                let cloud = parts.cloud(pieces[i]);
                let points: Vec<Vec3<S>> = cloud.iter().map(|(x, _)| vector(*x)).collect();
                let reach = points.iter().map(|x| x.dot(along)).fold(S::LEAST, S::max);
                let most = points.iter().map(|x| crate::exact::dot(&e(*x), &exactly)).max();
                (reach, most.expect("a primitive has points"))
            }
        };
        got = got - reach;
        real = &real - &real_reach;
    }
    (exact(got), real)
}

/// Until the time that is given back, the pieces are truly apart along the direction.
pub fn apart_until<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let (mut done, mut advanced) = (0_u64, 0_u64);
    while done < cases {
        let theme = themes(&mut random);
        let Some(setup) = Setup::<S>::random(&mut random, theme) else { continue };
        let models = setup.parts.each_ref().map(Parts::model);
        let [from, _] = setup.span;
        for _ in 0..4 {
            done += 1;
            let pieces = some_pieces(&mut random, &setup);
            let clouds = [0, 1].map(|i| setup.parts[i].cloud(pieces[i]));
            let apart = |t: f64| {
                let places = setup.truth.each_ref().map(|m| m.place(t));
                setup.apart(setup.direction, &places, [&clouds[0], &clouds[1]])
            };
            // Most of what they are apart at the start becomes the margin, so that the step is a short one.
            let margin =
                S::from_f64_near((apart(from.to_f64()).to_f64() * random.pick(&[0.0, 0.5, 0.9, 0.999])).max(0.0));
            let [a, b] = [0, 1].map(|i| Body { model: &models[i], motion: setup.machine[i] });
            let Ok(scene) = Scene::new(a, b, Limits { margin, tolerance: S::ZERO }) else { continue };
            let Some(moment) = scene.moment(from) else { continue };
            let Some(aim) = Aim::new(&moment, setup.direction) else { continue };
            let Some(end) = scene.pair(pieces).and_then(|pair| aim.apart_until(&scene, &pair)) else { continue };
            advanced += 1;
            let (t0, t1) = (from.to_f64(), end.to_f64());
            if !(from <= end && end <= S::ONE) {
                return Err(format!("{end:?} is outside; {}", setup.describe()));
            }
            for u in [0.0, 1.0, 0.5, 0.99, random.unit()] {
                let t = (t0 + (t1 - t0) * u).clamp(t0, t1);
                let truth = apart(t);
                let holds = truth + Dd::from(setup.size * 1e-24) > dd(margin);
                if !holds {
                    return Err(format!(
                        "apart by {:e} at {t} before {end:?}, margin {margin:?}, pieces {pieces:?}; {}",
                        truth.to_f64(),
                        setup.describe()
                    ));
                }
            }
        }
    }
    if cases >= 1000 && advanced < cases / 50 {
        return Err(format!("only {advanced} of {cases} cases advanced"));
    }
    Ok(())
}

/// No core point of a piece is further from the true axis than the bound.
pub fn arm_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_scene::<S>(cases, seed, &[Theme::Any, Theme::Uncertain, Theme::Arc, Theme::Balls], |random, setup, scene| {
        let pieces = some_pieces(random, setup);
        for side in [0, 1] {
            let parts = &setup.parts[side];
            let cores: Vec<[Dd; 3]> = match pieces[side].kind() {
                PieceKind::Node(k) => {
                    let n = parts.node(k);
                    let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
                    let corner = |(p, q): (f64, f64)| {
                        let (c, u, v) = (array(n.centre), array(n.half_u), array(n.half_v));
                        [0, 1, 2].map(|i| Dd::from(c[i]) + Dd::from(p * u[i]) + Dd::from(q * v[i]))
                    };
                    signs.map(corner).to_vec()
                }
                PieceKind::Primitive(_) => parts.cloud(pieces[side]).iter().map(|(x, _)| x.map(Dd::from)).collect(),
            };
            let truth = &setup.truth[side];
            // Without a turn there is no axis to be away from.
            if truth.angle == Dd::ZERO {
                continue;
            }
            let real = cores.into_iter().map(|x| truth.exact_axis_distance(x)).fold(Dd::ZERO, Dd::max);
            let shape = scene.models()[side].shape(pieces[side]).ok_or("no such piece")?;
            let Some(got) = scene.arm_hi(side, &shape) else { return Err("no arm".to_string()) };
            let good = real <= dd(got) + Dd::from(setup.size * 1e-24);
            if !good {
                return Err(format!("{:?} of body {side}: {got:?} but {:e}", pieces[side], real.to_f64()));
            }
        }
        Ok(())
    })
}

/// No two points of the pieces' primitives are nearer than the bound.
pub fn distance_lo<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut judged = 0_u64;
    each_scene::<S>(cases, seed, &[Theme::Balls, Theme::Uncertain, Theme::Any], |random, setup, scene| {
        let t = random.pick(&setup.span);
        let Some(moment) = scene.moment(t) else { return Ok(()) };
        let pieces = some_pieces(random, setup);
        let clouds = [0, 1].map(|i| setup.parts[i].cloud(pieces[i]));
        let places = setup.truth.each_ref().map(|m| m.place(t.to_f64()));
        let points = [0, 1].map(|i| clouds[i].iter().map(|(x, _)| places[i].apply(*x)).collect::<Vec<_>>());
        let between = |p: [Dd; 3], q: [Dd; 3]| norm([0, 1, 2].map(|i| q[i] - p[i]));
        let each = points[0].iter().zip(&clouds[0]).flat_map(|(p, (_, r))| {
            let apart = |(q, (_, s)): (&[Dd; 3], &([f64; 3], f64))| between(*p, *q) - Dd::from(*r) - Dd::from(*s);
            points[1].iter().zip(&clouds[1]).map(apart)
        });
        let mut least = each.fold(Dd::from(f64::INFINITY), Dd::min);
        let mut direction = array(setup.direction);
        // The nearest points of two primitives lie anywhere on them, and the direction between them is the best.
        if pieces.iter().all(|piece| piece.is_primitive()) {
            let (weights, best) = closest(&points);
            let mixed = |side: usize| {
                let sum: f64 = weights.iter().map(|w| w.2).sum();
                weights.iter().fold([Dd::ZERO; 3], |at, (a, b, w)| {
                    let x = points[side][if side == 0 { *a } else { *b }];
                    [0, 1, 2].map(|i| at[i] + x[i] * Dd::from(*w) / Dd::from(sum))
                })
            };
            least = least.min(between(mixed(0), mixed(1)) - Dd::from(clouds[0][0].1) - Dd::from(clouds[1][0].1));
            direction = if random.one_in(4) { direction } else { best };
        }
        // The stored points may be off by the geometry's errors, at worst towards each other.
        let real = (least - dd(setup.parts[0].error) - dd(setup.parts[1].error)).max(Dd::ZERO);
        let Some(aim) = Aim::new(&moment, vector(direction)) else { return Ok(()) };
        let pair = scene.pair(pieces).ok_or("no such pieces")?;
        let Some(got) = aim.distance_lo(scene, &pair) else { return Err("no distance".to_string()) };
        judged += u64::from(got > S::ZERO);
        let good = dd(got) <= real + Dd::from(setup.size * 1e-15);
        if good { Ok(()) } else { Err(format!("{pieces:?} at {t:?}: {got:?}, truth {:e}", real.to_f64())) }
    })?;
    if cases >= 100 && judged < cases / 4 {
        return Err(format!("only {judged} of {cases} cases judged"));
    }
    Ok(())
}

/// Two points that stand are shown to be next to as far apart as they are.
pub fn tight_distance_lo<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let allowed = if single::<S>() { 1e-4 } else { 1e-12 };
    for _ in 0..cases {
        let (size, n) = (size::<S>(&mut random, -4.0, 4.0), random.direction());
        let x = vector::<S>(random.vector().map(|x| x * size));
        let away = size * random.magnitude(-1.0, 1.0);
        let place = vector::<S>(n.map(|x| x * away));
        let got = with_hulls([&[x], &[x]], place, Vec3::ZERO, |scene| {
            Aim::new(&scene.moment(S::ZERO)?, place)?.distance_lo(scene, &scene.pair(scene.models().map(|m| m.root()))?)
        })?;
        let real = norm(array(place).map(Dd::from)).to_f64();
        if !got
            .is_some_and(|got| (real - allowed * (size + away) - 100.0 * grain::<S>()..=real).contains(&got.to_f64()))
        {
            return Err(format!("{got:?} apart, truth {real}: {x:?}, {place:?} away"));
        }
    }
    Ok(())
}

/// Calls `check` with random scenes, at a margin of 0.
fn each_scene<S: Scalar>(
    cases: u64,
    seed: u64,
    themes: &[Theme],
    mut check: impl FnMut(&mut Random, &Setup<S>, &Scene<'_, S>) -> Result<(), String>,
) -> Result<(), String> {
    let mut random = Random::new(seed);
    let mut done = 0;
    while done < cases {
        let theme = random.pick(themes);
        let Some(setup) = Setup::<S>::random(&mut random, theme) else { continue };
        let models = setup.parts.each_ref().map(Parts::model);
        let [a, b] = [0, 1].map(|i| Body { model: &models[i], motion: setup.machine[i] });
        let Ok(scene) = Scene::new(a, b, Limits { margin: S::ZERO, tolerance: S::ZERO }) else { continue };
        if !scene.bounds().is_finite() {
            continue;
        }
        done += 1;
        check(&mut random, &setup, &scene).map_err(|e| format!("{e}; {}", setup.describe()))?;
    }
    Ok(())
}

/// The bulge is at least `(θh)²ρ/8` of the true angle and the true arms.
pub fn bulge_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_scene::<S>(cases, seed, &[Theme::Any, Theme::Uncertain, Theme::Arc], |random, setup, scene| {
        let h = S::from_f64_near(random.magnitude(-4.0, 0.0));
        let part = |i: usize| {
            let arms = setup.parts[i].points.iter().map(|p| setup.truth[i].axis_distance(array(*p)));
            let arm = arms.fold(Dd::ZERO, Dd::max);
            let turned = setup.truth[i].angle * dd(h);
            turned * turned * arm * Dd::from(0.125)
        };
        let (got, real) = (scene.bounds().bulge_hi(h), part(0) + part(1));
        // The square of many turns has no room in fixed point.
        let unknown = !S::FLOATING && !got.is_finite() && setup.truth.iter().any(|m| m.angle.to_f64() > 40.0);
        let good = unknown || real <= dd(got) + Dd::from(setup.size * 1e-24);
        if good { Ok(()) } else { Err(format!("bulge_hi({h:?}) = {got:?}, truth {:e}", real.to_f64())) }
    })
}

/// The bulge is hardly more than `(θh)²ρ/8` where the farthest point is known: a point, or two points about the middle.
pub fn tight_bulge_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let (size, angle) = (size::<S>(&mut random, -3.0, 3.0), random.magnitude(-2.0, 0.4));
        // The axis is z, and the points lie in the plane of x and y.
        let (s, c) = libm::sincos(random.within(0.0, std::f64::consts::TAU));
        let far: Vec3<S> = vector([size * c, size * s, 0.0]);
        let points = [far, -far];
        let count = 1 + random.below(2);
        let hull = [Hull { first: 0, count: count as u32, radius: S::ZERO }];
        let describe = || format!("{count} of {points:?}, angle {angle}");
        let geometry = Geometry::new(&points[..count], &[], &hull, S::ZERO).map_err(|e| e.to_string())?;
        let model = build(geometry, &mut [], &mut [0]).map_err(|e| e.to_string())?;
        let velocities = Velocities { linear: Vec3::ZERO, angular: vector([0.0, 0.0, angle]) };
        let motion = RigidMotion::with_velocities(Pose::IDENTITY, Vec3::ZERO, velocities).map_err(|e| e.to_string())?;
        let still = RigidMotion::still(Pose::IDENTITY).map_err(|e| e.to_string())?;
        let limits = Limits { margin: S::ZERO, tolerance: S::ZERO };
        let scene = Scene::new(Body { model: &model, motion }, Body { model: &model, motion: still }, limits)
            .map_err(|e| e.to_string())?;
        let h: S = near(random.magnitude(-2.0, 0.0));
        let turned = angle * h.to_f64();
        let (got, real) = (scene.bounds().bulge_hi(h).to_f64(), turned * turned * size / 8.0);
        let little = 10.0 * grain::<S>();
        if !(real * 0.999 - little <= got && got <= real * 1.01 + little) {
            return Err(format!("bulge_hi({h:?}) = {got:e}, truth {real:e}; {}", describe()));
        }
    }
    Ok(())
}

/// No two points approach each other faster.
pub fn speed_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    each_scene::<S>(cases, seed, &[Theme::Any, Theme::Uncertain, Theme::Balls], |random, setup, scene| {
        let got = scene.bounds().speed_hi();
        let t = random.unit();
        let [v, w] = [0, 1].map(|i| setup.truth[i].velocity_of(array(random.pick(&setup.parts[i].points)), t));
        let real = norm([0, 1, 2].map(|i| v[i] - w[i]));
        let good = real <= dd(got) + Dd::from(setup.size * 1e-24);
        if good { Ok(()) } else { Err(format!("speed_hi {got:?}, truth {:e}", real.to_f64())) }
    })
}

/// The true distance of two primitives is at most the bound, for good weights and for bad ones.
pub fn distance_law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let themes = [Theme::Balls, Theme::Uncertain, Theme::Any];
    let mut judged = 0_u64;
    each_scene::<S>(cases, seed, &themes, |random, setup, scene| {
        let t = random.pick(&setup.span);
        let Some(moment) = scene.moment(t) else { return Ok(()) };
        let ids = setup.parts.each_ref().map(|p| random.below(p.triangles.len() + p.hulls.len()));
        let clouds = [0, 1].map(|i| setup.parts[i].primitive(ids[i]).expect("an existing primitive"));
        let places = setup.truth.each_ref().map(|m| m.place(t.to_f64()));
        let points = [0, 1].map(|i| clouds[i].iter().map(|(x, _)| places[i].apply(*x)).collect::<Vec<_>>());
        let (nearest, direction) = closest(&points);
        let witness: Vec<CommonPoint<S>> = if random.one_in(3) {
            (0..3)
                .map(|_| CommonPoint {
                    a: random.below(points[0].len()),
                    b: random.below(points[1].len()),
                    weight: S::from_f64_near(random.unit()),
                })
                .collect()
        } else {
            nearest.into_iter().map(|(a, b, w)| CommonPoint { a, b, weight: S::from_f64_near(w) }).collect()
        };
        let named =
            [0, 1].map(|i| setup.parts[i].pieces().into_iter().find(|p| p.kind() == PieceKind::Primitive(ids[i])));
        let [Some(a), Some(b)] = named else { return Err("no such primitives".to_string()) };
        let pair = scene.pair([a, b]).ok_or("no such pieces")?;
        let Some((got, _)) = distance_hi(&moment, &pair, &witness) else { return Ok(()) };
        if direction.iter().all(|x| *x == 0.0) {
            return Ok(());
        }
        // Any direction gives a lower bound of the true distance; the geometry's errors may take the bodies further apart.
        let [a, b] = &places;
        let apart = separation(direction, [a, b], [&clouds[0], &clouds[1]]) / norm(direction.map(Dd::from));
        let errors = dd(setup.parts[0].error) + dd(setup.parts[1].error);
        let real = (apart + errors).max(Dd::ZERO);
        judged += u64::from(real > Dd::ZERO);
        let good = real <= dd(got) + Dd::from(setup.size * 1e-22);
        if good { Ok(()) } else { Err(format!("{ids:?} at {t:?}: distance_hi {got:?}, truth {:e}", real.to_f64())) }
    })?;
    // A function that gives nothing back, or primitives that all overlap, would pass all of the above.
    if cases >= 100 && judged < cases / 4 {
        return Err(format!("only {judged} of {cases} cases judged"));
    }
    Ok(())
}

/// Two hulls of these points that are not turned, the second at `place`, and the scene with a velocity for the first.
fn with_hulls<S: Scalar, R>(
    points: [&[Vec3<S>]; 2],
    place: Vec3<S>,
    linear: Vec3<S>,
    act: impl FnOnce(&Scene<'_, S>) -> R,
) -> Result<R, String> {
    let hulls = points.map(|p| [Hull { first: 0, count: p.len() as u32, radius: S::ZERO }]);
    let geometry = |i: usize| Geometry::new(points[i], &[], &hulls[i], S::ZERO).map_err(|e| e.to_string());
    let a = build(geometry(0)?, &mut [], &mut [0]).map_err(|e| e.to_string())?;
    let b = build(geometry(1)?, &mut [], &mut [0]).map_err(|e| e.to_string())?;
    let velocities = Velocities { linear, angular: Vec3::ZERO };
    let flies = RigidMotion::with_velocities(Pose::IDENTITY, Vec3::ZERO, velocities).map_err(|e| e.to_string())?;
    let stands = RigidMotion::still(Pose { position: place, ..Pose::IDENTITY }).map_err(|e| e.to_string())?;
    let limits = Limits { margin: S::ZERO, tolerance: S::ZERO };
    let scene = Scene::new(Body { model: &a, motion: flies }, Body { model: &b, motion: stands }, limits);
    Ok(act(&scene.map_err(|e| e.to_string())?))
}

/// For inputs that are exact, the bound is next to the distance of the points that the weights say.
pub fn tight_distance<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    let allowed = if single::<S>() { 1e-5 } else { 1e-13 };
    for _ in 0..cases {
        let size = size::<S>(&mut random, -4.0, 4.0);
        let mut some = || vector::<S>(random.vector().map(|x| x * size));
        let (a, b, place) = ([some(), some(), some()], [some(), some()], some());
        let witness: Vec<CommonPoint<S>> = (0..1 + random.below(4))
            .map(|_| CommonPoint { a: random.below(3), b: random.below(2), weight: near(0.01 + random.unit()) })
            .collect();
        let got = with_hulls([&a, &b], place, Vec3::ZERO, |scene| {
            let moment = scene.moment(S::ZERO)?;
            distance_hi(&moment, &scene.pair(scene.models().map(|m| m.root()))?, &witness).map(|(distance, _)| distance)
        })?;
        let sum = witness.iter().fold(Dd::ZERO, |sum, w| sum + dd(w.weight));
        let difference = witness.iter().fold([Dd::ZERO; 3], |sum, w| {
            let (p, q, at) = (array(a[w.a]), array(b[w.b]), array(place));
            [0, 1, 2].map(|i| sum[i] + (Dd::from(q[i]) + Dd::from(at[i]) - Dd::from(p[i])) * dd(w.weight))
        });
        let real = (norm(difference) / sum).to_f64();
        let good = got.is_some_and(|got| {
            real <= got.to_f64() * (1.0 + 1e-15) && got.to_f64() <= real + allowed * size + 400.0 * grain::<S>()
        });
        if !good {
            return Err(format!("distance_hi {got:?}, truth {real:e}: {a:?} {b:?} at {place:?}, {witness:?}"));
        }
    }
    Ok(())
}

/// A point that flies straight at another is let fly for at least half of its way.
pub fn tight_apart_until<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for _ in 0..cases {
        let (size, n) = (size::<S>(&mut random, -4.0, 4.0), random.direction());
        let x = vector::<S>(random.vector().map(|x| x * size));
        let away = size * random.magnitude(-2.0, 1.0);
        let speed = away * random.magnitude(-0.5, 2.0);
        if away < 300.0 * grain::<S>() || speed > 0.5 * S::RANGE.to_f64() {
            continue;
        }
        let (place, linear) = (vector::<S>(n.map(|x| x * away)), vector::<S>(n.map(|x| x * speed)));
        let got = with_hulls([&[x], &[x]], place, linear, |scene| {
            Aim::new(&scene.moment(S::ZERO)?, vector(n))?
                .apart_until(scene, &scene.pair(scene.models().map(|m| m.root()))?)
        })?;
        let real = (away / speed).min(1.0);
        if !got.is_some_and(|got| got.to_f64() >= 0.5 * real) {
            return Err(format!("apart until {got:?}, truth {real}: from {x:?}, {place:?} away, with {linear:?}"));
        }
    }
    Ok(())
}

/// The gap that is computed in plain arithmetic is next to the real one.
pub fn rounding_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let themes = [Theme::Any, Theme::Any, Theme::Uncertain, Theme::Balls];
    each_scene::<S>(cases, seed, &themes, |random, setup, scene| {
        let [from, until] = setup.span;
        let Some(span) = Span::new(scene, from, until) else { return Ok(()) };
        for _ in 0..4 {
            // The probe scales the direction, so that its components are below 1.
            let Some(probe) = span.probe(vector(random.direction())) else { continue };
            let (n, pieces) = (probe.direction(), some_pieces(random, setup));
            let moment = random.pick(&[span.start(), span.end()]);
            let (got, real) = gap(setup, n, *moment.places(), pieces);
            let (off, allowed) = ((&got - &real).abs(), scene.bounds().rounding_hi());
            if off > exact(allowed) {
                return Err(format!("the gap is off by {:e}, not {allowed:?}: n {n:?}, {pieces:?}", off.to_f64()));
            }
        }
        Ok(())
    })
}

/// The true difference of two points is next to that of the stored points at their computed places.
pub fn error_hi<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let themes = [Theme::Any, Theme::Uncertain, Theme::Balls];
    each_scene::<S>(cases, seed, &themes, |random, setup, scene| {
        let any = random.unit();
        let t: S = near(random.pick(&[0.0, 1.0, any, any]));
        let Some(moment) = scene.moment(t) else { return Ok(()) };
        let mut off = [Dd::ZERO; 3];
        for (side, sign) in [(0, Dd::from(-1.0)), (1, Dd::from(1.0))] {
            let x = array(random.pick(&setup.parts[side].points));
            let place = &moment.places()[side];
            let real = setup.truth[side].place(t.to_f64()).apply(x);
            let turned = place.rotation.rows.map(|row| crate::wide::dot(array(row).map(Dd::from), x.map(Dd::from)));
            let position = array(place.position).map(Dd::from);
            off = [0, 1, 2].map(|i| off[i] + sign * (real[i] - turned[i] - position[i]));
        }
        // The stored points may be off by the geometry's errors, at worst the same way.
        let off = norm(off) + dd(setup.parts[0].error) + dd(setup.parts[1].error);
        let got = scene.bounds().error_hi();
        let good = off <= dd(got) + Dd::from(setup.size * 1e-24);
        if good { Ok(()) } else { Err(format!("off by {:e} at {t:?}, allowed {got:?}", off.to_f64())) }
    })
}

/// Nearly the closest points of two hulls, as weights on pairs, and the line between them: Frank and Wolfe's method.
fn closest(points: &[Vec<[Dd; 3]>; 2]) -> (Vec<(usize, usize, f64)>, [f64; 3]) {
    let narrow = points.each_ref().map(|p| p.iter().map(|x| x.map(Dd::to_f64)).collect::<Vec<_>>());
    // Differences in double-doubles, since the bodies may be far from the origin and near each other.
    let difference = |a: usize, b: usize| [0, 1, 2].map(|i| (points[1][b][i] - points[0][a][i]).to_f64());
    let dot = |p: [f64; 3], q: [f64; 3]| p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
    let mut weights = vec![(0, 0, 1.0)];
    let mut at = difference(0, 0);
    for _ in 0..40 {
        let order = |n: [f64; 3], p: &[[f64; 3]]| {
            (0..p.len()).min_by(|i, j| dot(n, p[*i]).total_cmp(&dot(n, p[*j]))).unwrap_or(0)
        };
        let (a, b) = (order(at.map(|x| -x), &narrow[0]), order(at, &narrow[1]));
        let step = difference(a, b);
        let move_by = [0, 1, 2].map(|i| step[i] - at[i]);
        let s = (-dot(at, move_by) / dot(move_by, move_by)).clamp(0.0, 1.0);
        if s.is_nan() || s == 0.0 {
            break;
        }
        at = [0, 1, 2].map(|i| at[i] + s * move_by[i]);
        weights.iter_mut().for_each(|w| w.2 *= 1.0 - s);
        weights.push((a, b, s));
    }
    weights.retain(|w| w.2 > 1e-9);
    (weights, at)
}
