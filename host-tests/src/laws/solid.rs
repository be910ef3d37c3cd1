//! Solids: closed is closed, parts are parts, and a winding number is the true one.

use super::ledger::need;
use super::{array, near, single, vector};
use crate::exact::Exact;
use crate::random::Random;
use crate::scenes::{Dice, Point, Shape, add, some_solid, soup, times};
use crate::winding;
use avert::hierarchy::{build, nodes_needed, parts};
use avert::{Geometry, Hull, Model, Scalar, Vec3};
use std::collections::{BTreeMap, BTreeSet};

/// Builds a model of a shape, with its parts if wanted, and does something with it.
pub(super) fn with_model<S: Scalar, T>(
    shape: &Shape,
    error: f64,
    listed: bool,
    act: impl FnOnce(&Model<'_, S>) -> Result<T, String>,
) -> Result<T, String> {
    let points: Vec<Vec3<S>> = shape.points.iter().map(|p| vector(*p)).collect();
    let hull =
        |h: &crate::scenes::Inflated| Hull { first: h.first as u32, count: h.count as u32, radius: near(h.radius) };
    let hulls: Vec<Hull<S>> = shape.hulls.iter().map(hull).collect();
    let geometry = Geometry::new(&points, &shape.triangles, &hulls, near(error)).map_err(|e| e.to_string())?;
    let mut nodes = vec![[0; 30]; nodes_needed(geometry.primitives())];
    let mut scratch = vec![0; geometry.primitives().max(points.len())];
    let mut room = vec![0; shape.triangles.len()];
    let found = parts(&geometry, &mut room, &mut scratch).map_err(|e| e.to_string())?;
    let mut model = build(geometry, &mut nodes, &mut scratch).map_err(|e| e.to_string())?;
    if listed {
        model = model.with_parts(found, &mut scratch).map_err(|e| e.to_string())?;
    }
    act(&model)
}

/// A shape's triangles in the numbers that a scalar holds, every corner up to `error` from where it is stored.
pub(super) fn true_triangles<S: Scalar>(shape: &Shape, error: f64, random: &mut Random) -> Vec<[Point; 3]> {
    let points: Vec<Point> = shape
        .points
        .iter()
        .map(|p| {
            let by = if random.one_in(2) { error } else { 0.0 };
            add(array(vector::<S>(*p)), times(random.direction(), 0.999 * by))
        })
        .collect();
    shape.triangles.iter().map(|t| t.map(|i| points[i as usize])).collect()
}

/// A point that is apt to go wrong: anywhere, on a corner, under an edge or a corner along an axis, near a face.
fn some_point(random: &mut Random, shape: &Shape, size: f64, close: f64) -> Point {
    let triangle = shape.triangles[random.below(shape.triangles.len())].map(|i| shape.points[i as usize]);
    let [a, b, c] = triangle;
    let middle = |x: Point, y: Point| times(add(x, y), 0.5);
    let under = |random: &mut Random, mut x: Point| {
        x[random.below(3)] = random.within(-1.2, 1.2) * size;
        x
    };
    match random.below(6) {
        0 => under(random, a),
        1 => under(random, middle(a, b)),
        2 => a,
        3 => {
            let inside = add(middle(a, b), times(add(c, times(middle(a, b), -1.0)), random.unit()));
            let off = random.pick(&[0.0, 0.5, 0.9, 1.1, 2.0, 10.0]) * close;
            add(inside, times(random.direction(), off))
        }
        4 => [0.0; 3],
        _ => random.vector().map(|x| 1.2 * size * x),
    }
}

/// Sizes of bodies that a scalar has room and digits for.
fn sizes<S: Scalar>() -> &'static [f64] {
    if S::FLOATING { &[1.0, 1.0, 1e-4, 1e3] } else { &[1.0, 1.0, 4.0, 100.0] }
}

/// Beside the exact winding number about points and with corners anywhere in their errors.
pub fn winding_law<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let size = random.pick(sizes::<S>());
        let shape = some_solid(&mut Dice::new(seed, case)).scaled(size);
        let vague = |random: &mut Random| if random.one_in(2) { 0.0 } else { size * random.magnitude(-7.0, -1.5) };
        let (error, radius) = (vague(&mut random), vague(&mut random));
        with_model::<S, ()>(&shape, error, false, |model| {
            let model = model.into_solid().map_err(|e| e.to_string())?;
            for _ in 0..4 {
                let point = vector::<S>(some_point(&mut random, &shape, size, error + radius));
                let (Some(found), _) = avert::kernel::winding(&model, point, near(radius)) else { continue };
                for _ in 0..2 {
                    let triangles = true_triangles::<S>(&shape, error, &mut random);
                    let by = random.pick(&[0.0, 0.5, 0.999]) * radius;
                    let truth = add(array(point), times(random.direction(), by)).map(Exact::from_f64);
                    let real = winding::exact(&triangles, &truth);
                    if real != Some(found.number) || found.number != 0 && found.crossed.is_none() {
                        return Err(format!(
                            "{found:?} about {point:?} ± {radius:e}, truth {real:?}; corners ± {error:e}, \
                             size {size}, seed {seed}, case {case}"
                        ));
                    }
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// What is known well and not on the surface is told, under edges and corners too.
pub fn tight_winding<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let size = random.pick(sizes::<S>());
        let shape = some_solid(&mut Dice::new(seed, case)).scaled(size);
        let triangles = true_triangles::<S>(&shape, 0.0, &mut random);
        let little = size * if single::<S>() { 2e-4 } else { 1e-9 };
        with_model::<S, ()>(&shape, 0.0, false, |model| {
            let model = model.into_solid().map_err(|e| e.to_string())?;
            for _ in 0..4 {
                let point = vector::<S>(some_point(&mut random, &shape, size, 10.0 * little));
                if crate::sampling::surface_distance(&triangles, array(point)) < little {
                    continue;
                }
                let (found, work) = avert::kernel::winding(&model, point, near(1e-3 * little));
                if found.is_none() || work > 9000 {
                    return Err(format!(
                        "{found:?} about {point:?} for {work} units, size {size}, seed {seed}, case {case}"
                    ));
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Is any edge gone along more often one way than the other?
fn open_edges(triangles: &[[u32; 3]]) -> BTreeSet<[u32; 2]> {
    let mut edges = BTreeMap::new();
    for [a, b, c] in triangles {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *edges.entry([*p.min(q), *p.max(q)]).or_insert(0) += i32::from(p < q) - i32::from(q < p);
        }
    }
    edges.into_iter().filter(|(_, n)| *n != 0).map(|(edge, _)| edge).collect()
}

/// Closed meshes are accepted, and what is open is refused with an edge that is.
pub fn into_solid<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let mut shape = some_solid(&mut Dice::new(seed, case));
        let i = random.below(shape.triangles.len());
        match random.below(6) {
            0 => drop(shape.triangles.swap_remove(i)),
            1 => shape.triangles[i].swap(0, 1),
            2 => shape.triangles[i].rotate_left(1),
            3 => shape.triangles.push(shape.triangles[i]),
            4 => shape.triangles[i][random.below(3)] = random.below(shape.points.len()) as u32,
            _ => {}
        }
        let open = open_edges(&shape.triangles);
        with_model::<S, ()>(&shape, 0.0, false, |model| {
            let found = model.into_solid();
            let right = match found {
                Ok(solid) => open.is_empty() && solid.is_solid() && solid.fingerprint() != model.fingerprint(),
                Err(avert::kernel::SolidError::Open(edge)) => open.contains(&edge),
            };
            need(right, &format!("{:?}, but open are {open:?}: seed {seed}, case {case}", found.map(|_| ())))
        })?;
    }
    Ok(())
}

/// For every triangle the least one that it hangs together with.
fn components(triangles: &[[u32; 3]]) -> Vec<usize> {
    let mut least: Vec<usize> = (0..triangles.len()).collect();
    loop {
        let before = least.clone();
        let mut of_point = BTreeMap::new();
        for (t, label) in triangles.iter().zip(&least) {
            for p in t {
                let slot = of_point.entry(*p).or_insert(*label);
                *slot = (*slot).min(*label);
            }
        }
        for (t, label) in triangles.iter().zip(&mut least) {
            *label = t.iter().map(|p| of_point[p]).min().unwrap_or(*label);
        }
        if least == before {
            return least;
        }
    }
}

/// Accepted are lists with one triangle for every part, and no others.
pub fn with_parts<S: Scalar>(cases: u64, seed: u64) -> Result<(), String> {
    let mut random = Random::new(seed);
    for case in 0..cases {
        let mut shape = soup(2 + random.below(30), &mut Dice::new(seed, case));
        // Some triangles share points, and some hulls are about.
        let points = shape.points.len();
        for _ in 0..random.below(points) {
            let t = random.below(shape.triangles.len());
            shape.triangles[t][random.below(3)] = random.below(points) as u32;
        }
        let shape = if random.one_in(2) { shape.with(crate::scenes::ball([0.0; 3], 0.1)) } else { shape };
        let least = components(&shape.triangles);
        let labels: BTreeSet<usize> = least.iter().copied().collect();
        let mut list: Vec<u32> = labels.iter().map(|i| *i as u32).collect();
        let at = random.below(list.len());
        match random.below(6) {
            0 => drop(list.swap_remove(at)),
            1 => list.push(list[at]),
            2 => list[at] = random.below(shape.triangles.len()) as u32,
            3 => list[at] = shape.triangles.len() as u32 + random.below(2) as u32,
            4 => list.reverse(),
            _ => {}
        }
        let mut named: Vec<Option<usize>> = list.iter().map(|i| least.get(*i as usize).copied()).collect();
        named.sort_unstable();
        let right = named == labels.iter().map(|i| Some(*i)).collect::<Vec<_>>();
        let mut scratch = vec![7; shape.points.len()];
        with_model::<S, ()>(&shape, 0.0, true, |model| {
            need(model.parts() == labels.len() + shape.hulls.len(), "not as many parts as there are")?;
            let found = model.with_parts(&list, &mut scratch);
            let seen = |i: usize| found.as_ref().ok().and_then(|model| model.part(i));
            let ids = list.iter().map(|i| *i as usize).chain(shape.triangles.len()..);
            let ids: Vec<_> = ids.take(model.parts()).collect();
            need(found.is_ok() == right, &format!("{:?} for {list:?}, parts {least:?}", found.as_ref().map(|_| ())))?;
            need(!right || (0..model.parts()).all(|i| seen(i) == Some(ids[i])), "a part is not the one named")
        })?;
    }
    Ok(())
}
