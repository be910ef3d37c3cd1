//! Static distances of the same meshes: our certified bounds beside the peers' numbers, with the oracle's distance for the truth.

use super::Case;
use super::files::write;
use super::judge::{Times, mean};
use super::ours::{Asker, room, with_models};
use super::run::{PEER_QUERIES, Settings, bar, least_time, paths};
use super::table::{aligned, digits, line};
use crate::peers::{Peer, peers};
use crate::sampling::Motion;
use crate::scenes::{Dice, Path, Place};
use avert::{Model, Scalar};
use rayon::prelude::*;
use std::time::{Duration, Instant};

/// At most this many poses a case.
const POSES: usize = 200;

/// What is said about the distance at a pose, in metres; a peer names one number for both.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Bounds {
    lower: f64,
    upper: f64,
}

/// One answer.
#[derive(Clone, Copy, Debug)]
struct Measure {
    pose: usize,
    bounds: Bounds,
    micros: f64,
}

/// What is true at a pose: the distance, 0 of bodies that overlap, and how far it may be off by rounding.
#[derive(Clone, Copy, Debug)]
struct Truth {
    distance: f64,
    error: f64,
}

/// A column's answers.
#[derive(Debug)]
struct Column {
    name: String,
    /// Are the bounds promised?
    certified: bool,
    measures: Vec<Measure>,
}

/// What came out for a case.
#[derive(Debug)]
pub struct Measured {
    /// What is wrong with our own bounds.
    pub violations: Vec<String>,
    /// Lines for the table below [`HEADERS`], in Markdown.
    pub markdown: String,
}

/// The columns of the table.
pub const HEADERS: [&str; 10] = [
    "benchmark",
    "column",
    "poses",
    "mean ms",
    "median ms",
    "lower > true",
    "upper < true",
    "mean relative width",
    "mean difference m",
    "greatest difference m",
];

/// Measures a case, prints a table and writes a CSV file.
pub fn run(case: &Case, settings: &Settings) -> Result<Measured, String> {
    let places = places(&paths(case, settings.queries), POSES.min(settings.queries));
    let bar = bar(case.name, 3 * places.len());
    bar.set_message("truth");
    let truths = truths(case, &places);
    bar.inc(places.len() as u64);
    let mut columns = vec![];
    bar.set_message("ours");
    with_models::<f32, _>(case, |models| ask_ours("f32", models, &places, settings, &mut columns))?;
    with_models::<f64, _>(case, |models| ask_ours("f64", models, &places, settings, &mut columns))?;
    bar.inc(places.len() as u64);
    for mut peer in peers(&case.shapes) {
        if let Some(name) = peer.distance_name() {
            bar.set_message(name);
            let measures = ask_peer(peer.as_mut(), &places, settings)?;
            columns.push(Column { name: name.to_owned(), certified: false, measures });
        }
    }
    bar.finish_and_clear();
    let overlapping = truths.iter().filter(|t| t.distance == 0.0).count();
    println!("{}: distances at {} poses, {overlapping} of which overlap\n", case.name, places.len());
    let rows = lines(case.name, &truths, &columns);
    let headers = HEADERS.map(str::to_owned).to_vec();
    println!("{}", aligned(&[&[headers], &rows[..]].concat()));
    let markdown = rows.iter().fold(String::new(), |mut text, row| {
        line(&mut text, row);
        text
    });
    let headers = ["case", "column", "pose", "true_m", "lower_m", "upper_m", "micros"];
    let rows = columns.iter().flat_map(|column| {
        column.measures.iter().map(|m| {
            let numbers = [truths[m.pose].distance, m.bounds.lower, m.bounds.upper, m.micros];
            let mut row = vec![case.slug.to_owned(), column.name.clone(), m.pose.to_string()];
            row.extend(numbers.map(|x| x.to_string()));
            row
        })
    });
    write(&settings.folder.join(format!("distance-{}.csv", case.slug)), &headers, rows)?;
    let wrong = columns.iter().filter(|c| c.certified).map(|c| (c, wrong(&truths, c))).filter(|(_, w)| *w != [0, 0]);
    let complaint = |(c, [low, high]): (&Column, [usize; 2])| {
        format!("{}, distance {}: {low} lower bounds above and {high} upper bounds below the truth", case.name, c.name)
    };
    Ok(Measured { violations: wrong.map(complaint).collect(), markdown })
}

/// Where the paths are at times that the dice choose.
fn places(paths: &[Path], count: usize) -> Vec<Place> {
    let mut dice = Dice::new(6, 0);
    let mut place = |path: &Path| {
        let pose = Motion::new(path).pose(dice.between(0.0, 1.0));
        let q = pose.rotation;
        Place { rotation: [q.w, q.i, q.j, q.k], position: pose.translation.vector.into() }
    };
    paths.iter().cycle().take(if paths.is_empty() { 0 } else { count }).map(&mut place).collect()
}

fn truths(case: &Case, places: &[Place]) -> Vec<Truth> {
    let bodies = case.bodies();
    let truth = |place: &Place| {
        let pair = case.pair(&bodies, &Path::still(*place));
        Truth { distance: pair.distance(0.0).max(0.0), error: pair.error() }
    };
    places.par_iter().map(truth).collect()
}

fn ask_ours<S: Scalar>(
    name: &str,
    models: [&Model<'_, S>; 2],
    places: &[Place],
    settings: &Settings,
    columns: &mut Vec<Column>,
) -> Result<(), String> {
    let mut room = room();
    let mut asker = Asker::new(models, &mut room)?;
    let mut measures = vec![];
    for (pose, place) in places.iter().enumerate() {
        let (found, micros) = least_time(settings.repeat, || asker.distance(place))?;
        let bounds = Bounds { lower: found.distance_lo.to_f64(), upper: found.witness.distance_hi.to_f64() };
        measures.push(Measure { pose, bounds, micros });
    }
    columns.push(Column { name: name.to_owned(), certified: true, measures });
    Ok(())
}

/// As many poses as the peer's time allows.
fn ask_peer(peer: &mut dyn Peer, places: &[Place], settings: &Settings) -> Result<Vec<Measure>, String> {
    let (mut measures, mut spent) = (vec![], Duration::ZERO);
    for (pose, place) in places.iter().enumerate() {
        if measures.len() >= PEER_QUERIES && spent > settings.peer_limit {
            break;
        }
        let begin = Instant::now();
        let (said, micros) = least_time(settings.repeat, || {
            let start = Instant::now();
            let said = peer.distance(place);
            Ok((said, start.elapsed()))
        })?;
        spent += begin.elapsed();
        let bounds = said.map(|said| said.distance.max(0.0)).map(|d| Bounds { lower: d, upper: d });
        measures.extend(bounds.map(|bounds| Measure { pose, bounds, micros }));
    }
    Ok(measures)
}

/// How many lower bounds are above, and upper bounds below the truth.
fn wrong(truths: &[Truth], column: &Column) -> [usize; 2] {
    // Written so that a bound that is no number is wrong.
    let count = |right: fn(&Bounds, &Truth) -> bool| {
        column.measures.iter().filter(|m| !right(&m.bounds, &truths[m.pose])).count()
    };
    [count(|b, t| b.lower <= t.distance + t.error), count(|b, t| b.upper >= t.distance - t.error)]
}

/// A line a column.
fn lines(name: &str, truths: &[Truth], columns: &[Column]) -> Vec<Vec<String>> {
    let mut rows = vec![];
    for column in columns {
        let times = Times::of(column.measures.iter().map(|m| m.micros).collect());
        let apart = || column.measures.iter().filter(|m| truths[m.pose].distance > 0.0);
        let width = mean(apart().map(|m| (m.bounds.upper - m.bounds.lower) / truths[m.pose].distance));
        // Of bounds, the one that is further off.
        let off = |m: &Measure| {
            let t = truths[m.pose].distance;
            (m.bounds.lower - t).abs().max((m.bounds.upper - t).abs())
        };
        let promised = |text: String| if column.certified { text } else { "–".to_owned() };
        let [low, high] = wrong(truths, column).map(|n| promised(n.to_string()));
        rows.push(vec![
            name.to_owned(),
            column.name.clone(),
            times.count.to_string(),
            digits(times.mean / 1e3),
            digits(times.median / 1e3),
            low,
            high,
            promised(format!("{width:.1e}")),
            format!("{:.1e}", mean(column.measures.iter().map(off))),
            format!("{:.1e}", column.measures.iter().map(off).fold(0.0, f64::max)),
        ]);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_on_the_wrong_side_are_counted() {
        let truths = [Truth { distance: 1.0, error: 1e-12 }; 5];
        let said = [(0.9, 1.1), (1.1, 1.2), (0.8, 0.9), (f64::NAN, f64::NAN), (1.0, 1.0)];
        let measure = |(pose, (lower, upper))| Measure { pose, bounds: Bounds { lower, upper }, micros: 1.0 };
        let measures = said.into_iter().enumerate().map(measure).collect();
        let column = Column { name: "f32".to_owned(), certified: true, measures };
        assert_eq!(wrong(&truths, &column), [2, 2]);
    }

    #[test]
    fn poses_lie_on_the_paths() {
        let path = Path::Velocities {
            from: Place::at([1.0, 0.0, 0.0]),
            centre: [0.0; 3],
            linear: [0.0, 2.0, 0.0],
            angular: [0.0; 3],
        };
        let found = places(&[path], 7);
        assert!(found.len() == 7 && found.iter().all(|p| p.position[0] == 1.0 && (0.0..=2.0).contains(&p.position[1])));
        assert!(places(&[], 7).is_empty());
    }
}
