//! The same question in every scalar, by every strategy, from slices and from baked bytes: what they prove must hold together.
//!
//! No oracle is asked. A proof that the bodies stay apart until some time, and a bound on their distance before it that is
//! not above the margin, cannot both be true, whoever found them.

use super::random::some_screw_query;
use super::{Strategy, entries, free_until, motion, plain_query, solid_query, with_scene};
use crate::scenes::{Dice, Query, Shape};
use avert::hierarchy::{Blob, Draft, DraftHull};
use avert::kernel::Grid;
use avert::{Body, Budget, Entry, Fix32, Fix64, Limits, Memory, Model, Nearest, Scalar, Scene, Verdict};
use rayon::prelude::*;

/// As much work as one answer may take: one that is cut short is a claim, too.
const PATIENCE: Budget = Budget::units(1_000_000);

/// Times that every scalar holds.
const TIMES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What was proved about one query; each with the name of who proved it. All numbers are exact.
#[derive(Debug, Default)]
pub struct Claims {
    /// The distance is greater than the margin before this time.
    apart: Vec<(String, f64)>,
    /// At this time, the distance is at least this.
    least: Vec<(String, f64, f64)>,
    /// At this time, the distance is at most this.
    most: Vec<(String, f64, f64)>,
}

impl Claims {
    /// Two claims of which one is false.
    fn contradiction(&self, margin: f64) -> Option<String> {
        for near @ (_, time, distance) in &self.most {
            let apart = self.apart.iter().find(|(_, until)| *distance <= margin && time < until);
            let least = self.least.iter().find(|(_, when, least)| when == time && least > distance);
            if apart.is_some() || least.is_some() {
                return Some(format!("{near:?} is at odds with {apart:?}, {least:?}, margin {margin}"));
            }
        }
        None
    }

    /// Asks for the verdict by every strategy, and for the distance at some times.
    fn add<S: Scalar>(&mut self, name: &str, scene: &Scene<'_, S>, entries: &mut [Entry<S>]) {
        for strategy in Strategy::ALL {
            let mut memory = Memory::new(entries);
            let verdict = strategy.start(scene, &mut memory).step(scene, PATIENCE);
            let name = format!("{name}, {}", strategy.name());
            if let Verdict::Contact { touch, witness, .. } = &verdict {
                self.most.push((name.clone(), touch.to_f64(), witness.distance_hi.to_f64()));
            }
            self.apart.push((name, free_until(&verdict)));
        }
        for time in TIMES {
            self.measure(name, scene, entries, time);
        }
    }

    fn measure<S: Scalar>(&mut self, name: &str, scene: &Scene<'_, S>, entries: &mut [Entry<S>], time: f64) {
        let nearest = Nearest { time: S::from_f64_near(time), ..Nearest::START };
        if let Ok(found) = nearest.find(scene, &mut Memory::new(entries), PATIENCE) {
            self.least.push((name.to_owned(), time, found.distance_lo.to_f64()));
            self.most.push((name.to_owned(), time, found.witness.distance_hi.to_f64()));
        }
    }

    /// Asks the finest scalar for the distance wherever a claim is at its boldest.
    fn look_closer(&mut self, scene: &Scene<'_, f64>, entries: &mut [Entry<f64>]) {
        let touches = self.most.iter().map(|(_, time, _)| *time);
        let ends = self.apart.iter().map(|(_, until)| (until.min(1.0) - 1e-9).max(0.0));
        let mut times: Vec<f64> = touches.chain(ends).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        for time in times {
            self.measure("f64, closer", scene, entries, time);
        }
    }
}

/// Memory for the checks, kept from one query to the next.
#[derive(Debug)]
pub struct Desk(Vec<Entry<f32>>, Vec<Entry<f64>>, Vec<Entry<Fix32>>, Vec<Entry<Fix64>>);

impl Default for Desk {
    fn default() -> Self {
        const COUNT: usize = Memory::<f64>::RECOMMENDED;
        Self(entries(COUNT), entries(COUNT), entries(COUNT), entries(COUNT))
    }
}

/// Asks everybody. A query that a scalar refuses is none of that scalar's business.
pub fn contradiction(query: &Query, desk: &mut Desk) -> Result<Claims, String> {
    let mut claims = Claims::default();
    let [a, b] = [0, 1].map(|side| if query.exact { baked(&query.shapes[side], query.solid[side]) } else { None });
    let baked = a.zip(b);
    let Desk(a, b, c, d) = desk;
    ask("f32", query, baked.as_ref(), a, &mut claims);
    ask("f64", query, baked.as_ref(), b, &mut claims);
    ask("fix32", query, baked.as_ref(), c, &mut claims);
    ask("fix64", query, baked.as_ref(), d, &mut claims);
    let _ = with_scene::<f64, _>(query, |scene| claims.look_closer(scene, b));
    claims.contradiction(query.margin).map_or(Ok(claims), Err)
}

fn ask<S: Scalar>(
    name: &str,
    query: &Query,
    baked: Option<&(Vec<u8>, Vec<u8>)>,
    entries: &mut [Entry<S>],
    claims: &mut Claims,
) {
    let _ = with_scene(query, |scene| claims.add(name, scene, entries));
    if let Some((a, b)) = baked {
        let name = format!("{name}, baked");
        let _ = with_baked(query, [a, b], |scene| claims.add(&name, scene, entries));
    }
}

/// The bytes of a shape that is on the grid; `None` if it is not, or too large for it.
fn baked(shape: &Shape, solid: bool) -> Option<Vec<u8>> {
    let step = |x: f64| {
        let steps = x * 2_f64.powi(20);
        (steps.fract() == 0.0 && steps.abs() <= f64::from(Grid::MOST)).then_some(steps as i32)
    };
    let point = |p: &[f64; 3]| Some([step(p[0])?, step(p[1])?, step(p[2])?]);
    let points = shape.points.iter().map(point).collect::<Option<Vec<_>>>()?;
    let hull = |h: &crate::scenes::Inflated| {
        let radius = step(h.radius)?.cast_unsigned();
        Some(DraftHull { first: h.first as u32, count: h.count as u32, radius })
    };
    let hulls = shape.hulls.iter().map(hull).collect::<Option<Vec<_>>>()?;
    let (grid, triangles) = (Grid::PORTABLE, &shape.triangles);
    let draft = Draft { grid, points: &points, triangles, hulls: &hulls, parts: &[], solid, error: 0.0 };
    let mut bytes = vec![0; draft.room()];
    let length = draft.bake(&mut bytes, &mut vec![0; shape.triangles.len() + hulls.len()]).ok()?;
    bytes.truncate(length);
    Some(bytes)
}

fn with_baked<S: Scalar, R>(
    query: &Query,
    bytes: [&[u8]; 2],
    act: impl FnOnce(&Scene<'_, S>) -> R,
) -> Result<R, String> {
    let model = |side: usize| -> Result<Model<'_, S>, String> {
        let blob = Blob::parse(bytes[side]).map_err(|e| e.to_string())?;
        blob.model::<S>(&mut vec![0; blob.scratch_needed()]).map_err(|e| e.to_string())
    };
    let (a, b) = (model(0)?, model(1)?);
    let [motion_a, motion_b] = query.paths.map(|path| motion(&path, query.exact));
    let [motion_a, motion_b] = [motion_a.map_err(|e| e.to_string())?, motion_b.map_err(|e| e.to_string())?];
    let limits = Limits { margin: S::from_f64_near(query.margin), tolerance: S::from_f64_near(query.tolerance) };
    let scene = Scene::new(Body { model: &a, motion: motion_a }, Body { model: &b, motion: motion_b }, limits);
    Ok(act(&scene.map_err(|e| e.to_string())?))
}

/// How many claims were held against each other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Agreement {
    /// Verdicts, of which so many are proofs for the whole motion.
    pub verdicts: u64,
    pub free: u64,
    /// Bounds on a distance at a time.
    pub distances: u64,
}

/// Random queries of every kind, whose numbers all scalars hold.
pub fn differential_queries(cases: u64, seed: u64) -> Result<Agreement, String> {
    let one = |desk: &mut Desk, index: u64| {
        let query = match index % 4 {
            0 | 1 => plain_query(seed, index),
            2 => some_screw_query(&mut Dice::new(seed, index)),
            _ => solid_query(seed, index),
        };
        let claims = contradiction(&query.on_grid(), desk).map_err(|e| format!("seed {seed}, case {index}: {e}"))?;
        let free = claims.apart.iter().filter(|(_, until)| until.is_infinite()).count() as u64;
        let distances = (claims.least.len() + claims.most.len()) as u64;
        Ok(Agreement { verdicts: claims.apart.len() as u64, free, distances })
    };
    let plus = |a: Agreement, b: Agreement| {
        let (verdicts, free) = (a.verdicts + b.verdicts, a.free + b.free);
        Ok(Agreement { verdicts, free, distances: a.distances + b.distances })
    };
    (0..cases).into_par_iter().map_init(Desk::default, one).try_reduce(Agreement::default, plus)
}

#[cfg(test)]
mod tests {
    use super::Claims;

    /// False claims must be seen to be, or silence means nothing.
    #[test]
    fn what_does_not_hold_together_is_noticed() {
        let claims = |until: f64, (time, least): (f64, f64), (when, most): (f64, f64)| {
            let name = String::new;
            let (apart, least) = (vec![(name(), until)], vec![(name(), time, least)]);
            Claims { apart, least, most: vec![(name(), when, most)] }.contradiction(0.1)
        };
        assert!(claims(0.5, (0.5, 0.3), (0.5, 0.3)).is_none());
        assert!(claims(0.5, (0.5, 0.3), (0.4, 0.11)).is_none());
        assert!(claims(0.5, (0.5, 0.3), (0.4, 0.1)).is_some());
        assert!(claims(0.5, (0.5, 0.3), (0.5, 0.29)).is_some());
        assert!(claims(f64::INFINITY, (0.5, 0.0), (1.0, 0.05)).is_some());
    }
}
