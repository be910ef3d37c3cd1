//! A gear and a trefoil knot: one motion that is free, one that collides, and one that is given too little work.

use avert::{Budget, Check, Chord, Entry, Memory, Scene, Verdict};
use avert_host_tests::queries::{entries, with_scene};
use avert_host_tests::scenes::{Path, Place, Point, Query, Shape, gear, knot};
use std::process::ExitCode;
use std::time::Instant;

const TOLERANCE: f64 = 1e-3;

/// The gear flies past the knot, or into it, while it spins.
fn flight(name: &'static str, from: Point, linear: Point, budget: Budget, expected: &'static str) -> Row {
    let path = Path::Velocities { from: Place::at(from), centre: [0.0; 3], linear, angular: [0.5, 1.0, 2.5] };
    Row { name, path, budget, expected }
}

struct Row {
    name: &'static str,
    path: Path,
    budget: Budget,
    expected: &'static str,
}

fn main() -> ExitCode {
    let (wheel, trefoil) = (gear(64, 0.3), knot(160, 10, 0.1));
    println!(
        "A gear of {} triangles flies past a knot of {} triangles and turns by 2.7 rad; f32, margin 0 mm, tolerance 1 mm.\n",
        wheel.triangles.len(),
        trefoil.triangles.len()
    );
    let header = ["motion", "verdict", "free until", "touch", "triangles", "distance", "work", "time"];
    let aside = ([-3.0, 1.7, 0.4], [6.0, 0.2, 0.0]);
    let into = ([-3.0, 0.6, 0.4], [6.0, 0.2, 0.0]);
    let rows = [
        flight("past it", aside.0, aside.1, Budget::UNLIMITED, "Free"),
        flight("into it", into.0, into.1, Budget::UNLIMITED, "Contact"),
        flight("into it, 20000 units", into.0, into.1, Budget::units(20_000), "Undecided: budget"),
    ];
    let mut entries = entries::<f32>(Memory::<f32>::RECOMMENDED);
    let mut table = vec![header.map(String::from).to_vec()];
    let mut wrong = vec![];
    for row in rows {
        match show(&row, [&wheel, &trefoil], &mut entries) {
            Ok(cells) if cells[1] == row.expected => table.push(cells),
            Ok(cells) => {
                wrong.push(format!("{}: expected {}, got {}", row.name, row.expected, cells[1]));
                table.push(cells);
            }
            Err(error) => wrong.push(format!("{}: {error}", row.name)),
        }
    }
    print_table(&table);
    println!(
        "\nFree and every \"free until\" are proofs: before that time (of 0 to 1) no two points of the bodies touch, rounding\n\
         included. At \"touch\" the named triangles are no further apart than \"distance\". Work is in points projected.\n\
         Next: `cargo xtask test` for the proofs under test, your own meshes and motions with\n\
         `cargo run --release -p avert-cli -- ccd --help`."
    );
    for line in &wrong {
        eprintln!("unexpected verdict: {line}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks one motion and describes the answer.
fn show(row: &Row, shapes: [&Shape; 2], entries: &mut [Entry<f32>]) -> Result<Vec<String>, String> {
    let paths = [row.path, Path::still(Place::IDENTITY)];
    let query = Query::new(shapes.map(Shape::clone), paths, 0.0, TOLERANCE, true);
    with_scene(&query, |scene: &Scene<'_, f32>| {
        let mut memory = Memory::new(entries);
        let start = Instant::now();
        let mut check = Chord::new(scene, &mut memory);
        let verdict = check.step(scene, row.budget);
        let time = start.elapsed();
        let none = || "–".to_string();
        let (what, until, touch, triangles, distance) = match verdict {
            Verdict::Free(_) => ("Free".into(), "1 (all)".into(), none(), none(), none()),
            Verdict::Contact { free_until, touch, witness } => {
                let [a, b] = witness.primitives;
                let distance = format!("≤ {} mm", upwards(witness.distance_hi));
                ("Contact".into(), downwards(free_until), format!("{touch:.4}"), format!("{a}, {b}"), distance)
            }
            Verdict::Undecided { free_until, why } => {
                (format!("Undecided: {why}"), downwards(free_until), none(), none(), none())
            }
        };
        let (work, time) = (check.stats().work.to_string(), format!("{:.2} ms", time.as_secs_f64() * 1e3));
        vec![row.name.into(), what, until, touch, triangles, distance, work, time]
    })
}

/// A proved time with 4 decimals, never later than it is: in `f64` the product is exact.
fn downwards(time: f32) -> String {
    format!("{:.4}", (f64::from(time) * 1e4).floor() / 1e4)
}

/// A proved bound in millimetres with 3 decimals, never less than it is: in `f64` the product is exact.
fn upwards(metres: f32) -> String {
    format!("{:.3}", (f64::from(metres) * 1e6).ceil() / 1e3)
}

/// Columns as wide as their widest cell.
fn print_table(table: &[Vec<String>]) {
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..table[0].len()).map(width).collect();
    for (i, row) in table.iter().enumerate() {
        let line: Vec<_> = row.iter().zip(&widths).map(|(cell, w)| format!("{cell:<w$}", w = *w)).collect();
        println!("  {}", line.join("  ").trim_end());
        if i == 0 {
            println!("  {}", widths.iter().map(|w| "─".repeat(*w)).collect::<Vec<_>>().join("  "));
        }
    }
}
