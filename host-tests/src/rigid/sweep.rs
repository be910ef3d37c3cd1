//! How C²A's parameters tell (the paper's §6.3): mean time, front and iterations over the weight of controlled advancement,
//! for several thresholds.

use super::Case;
use super::charts::{Curve, Lines, lines};
use super::files::{number, write};
use super::judge::{Cost, mean};
use super::ours::{Asker, Manner, room, with_models};
use super::run::{Settings, bar, least_time, paths};
use super::table::{aligned, digits, heading, line};
use crate::queries::Strategy;

/// Weights of controlled advancement.
const WEIGHTS: [f64; 10] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Distances at which the advancement ends, in metres.
const THRESHOLDS: [f64; 5] = [1e-2, 3e-3, 1e-3, 3e-4, 1e-4];

/// Means over all queries of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Point {
    weight: f64,
    threshold: f64,
    micros: f64,
    front: f64,
    iterations: f64,
}

/// Asks each query with every weight and threshold before the next one, so that all see the same state of the machine; each time
/// another setting comes first.
fn sweep(
    queries: usize,
    mut ask: impl FnMut(f64, f64, usize) -> Result<(Cost, f64), String>,
) -> Result<Vec<Point>, String> {
    let settings: Vec<_> = THRESHOLDS.iter().flat_map(|t| WEIGHTS.map(|w| (w, *t))).collect();
    let mut answers = vec![vec![]; settings.len()];
    for query in 0..queries {
        for turn in 0..settings.len() {
            let place = (query + turn) % settings.len();
            let (weight, threshold) = settings[place];
            answers[place].push(ask(weight, threshold, query)?);
        }
    }
    let point = |((weight, threshold), answers): (&(f64, f64), &Vec<(Cost, f64)>)| Point {
        weight: *weight,
        threshold: *threshold,
        micros: mean(answers.iter().map(|a| a.1)),
        front: mean(answers.iter().map(|a| a.0.front as f64)),
        iterations: mean(answers.iter().map(|a| a.0.iterations as f64)),
    };
    Ok(settings.iter().zip(&answers).map(point).collect())
}

/// Sweeps a case in `f64`; prints a table and writes a CSV file and a figure. Gives the table in Markdown.
pub fn run(case: &Case, settings: &Settings) -> Result<String, String> {
    let paths = paths(case, settings.queries);
    let bar = bar(case.name, paths.len() * THRESHOLDS.len() * WEIGHTS.len());
    bar.set_message("sweep");
    let points = with_models::<f64, _>(case, |models| {
        let mut room = room();
        let mut asker = Asker::new(models, &mut room)?;
        sweep(paths.len(), |weight, threshold, query| {
            bar.inc(1);
            let manner = Manner { weight: Some(weight), ..Manner::plain(Strategy::C2a, threshold) };
            let (asked, micros) = least_time(settings.repeat, || asker.ask(&manner, &paths[query]))?;
            Ok((asked.cost(), micros))
        })
    })
    .map_err(|e| format!("{}: {e}", case.name))?;
    bar.finish_and_clear();
    let table = rows(case.name, &points);
    println!("{}: parameters of C²A, f64, {} motions\n\n{}", case.name, paths.len(), aligned(&table));
    let headers = ["case", "weight", "threshold_m", "mean_micros", "mean_front", "mean_iterations"];
    let records = points.iter().map(|p| {
        let mut row = vec![case.slug.to_owned(), p.weight.to_string(), p.threshold.to_string()];
        row.extend([p.micros, p.front, p.iterations].map(number));
        row
    });
    write(&settings.folder.join(format!("sweep-{}.csv", case.slug)), &headers, records)?;
    let panel = |y: &str, value: fn(&Point) -> f64| {
        let curves = THRESHOLDS.iter().map(|t| curve(&points, *t, value)).collect();
        Lines { x: "weight w".to_owned(), y: y.to_owned(), curves }
    };
    let panels = [
        panel("mean time [ms]", |p| p.micros / 1e3),
        panel("mean front node pairs", |p| p.front),
        panel("mean iterations", |p| p.iterations),
    ];
    let file = settings.folder.join(format!("sweep-{}.svg", case.slug));
    lines(&file, &format!("{}: C²A by weight and distance threshold (as §6.3)", case.name), &panels)?;
    let mut table = table.into_iter();
    let headers = table.next().unwrap_or_default();
    let mut text = heading(&headers.iter().map(String::as_str).collect::<Vec<_>>());
    table.for_each(|row| line(&mut text, &row));
    Ok(text + "\n")
}

fn curve(points: &[Point], threshold: f64, value: fn(&Point) -> f64) -> Curve {
    let chosen = points.iter().filter(|p| p.threshold == threshold).map(|p| (p.weight, value(p)));
    (format!("{} mm", 1e3 * threshold), chosen.collect())
}

/// The mean times, a line a threshold.
fn rows(name: &str, points: &[Point]) -> Vec<Vec<String>> {
    let weight = |w: &f64| format!("w = {w}");
    let first = format!("{name}: mean ms at threshold");
    let mut rows = vec![[first].into_iter().chain(WEIGHTS.iter().map(weight)).collect()];
    for threshold in THRESHOLDS {
        let (name, times) = curve(points, threshold, |p| p.micros / 1e3);
        rows.push([name].into_iter().chain(times.into_iter().map(|(_, ms)| digits(ms))).collect());
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_sees_every_query() {
        let points = sweep(3, |weight, threshold, query| {
            let cost = Cost { front: query as u64, iterations: 1, ..Cost::default() };
            Ok((cost, weight / threshold))
        });
        let points = points.expect("the answers are there");
        assert_eq!(points.len(), 50);
        assert!(
            points
                .iter()
                .all(|p| p.front == 1.0 && p.iterations == 1.0 && (p.micros - p.weight / p.threshold).abs() < 1e-6)
        );
        let (name, curve) = curve(&points, 3e-3, |p| p.front);
        assert_eq!((name.as_str(), curve.len()), ("3 mm", 10));
    }
}
