//! The paper's rigid benchmarks (Tang, Manocha and Kim 2014, Table 1 and Figs. 6 and 7), ours and others' beside it.

use avert_host_tests::rigid::run::{Settings, run};
use avert_host_tests::rigid::{Case, SLUGS, case, distance, figures, files, sweep, table};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Runs the paper's rigid benchmarks and writes tables, CSV files and figures.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask bench rigid", after_help = "--peers, an option of xtask, builds the other libraries in.")]
struct Arguments {
    /// Only these cases, such as "gear" (see --list); all if none is named
    cases: Vec<String>,
    /// Few queries, each once: to see whether everything works
    #[arg(long)]
    quick: bool,
    /// How often each query is asked; the least time counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    repeat: u64,
    /// Seconds that another library may take for the colliding, and again for the free queries of a case
    #[arg(long, default_value_t = 30.0)]
    peer_seconds: f64,
    /// Puts the tables into README.md and docs/benchmarks.md, between their marker comments, and figures into docs/figures; for
    /// whole runs
    #[arg(long, conflicts_with_all = ["quick", "cases"])]
    write_docs: bool,
    /// Then measures distances at poses of the same paths
    #[arg(long)]
    distance: bool,
    /// Then runs C²A with other weights and thresholds
    #[arg(long)]
    sweep: bool,
    /// Lists the cases and ends
    #[arg(long)]
    list: bool,
}

fn main() -> ExitCode {
    match execute(&Arguments::parse()) {
        Ok(violations) if violations.is_empty() => ExitCode::SUCCESS,
        Ok(violations) => {
            eprintln!("UNSOUND:\n{}", violations.join("\n"));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Gives what is wrong with our own answers.
fn execute(arguments: &Arguments) -> Result<Vec<String>, String> {
    let cases = chosen(arguments)?;
    if arguments.list {
        cases.iter().for_each(|case| println!("{:<12}{}, {}", case.slug, case.name, case.origin));
        return Ok(vec![]);
    }
    if arguments.write_docs {
        // Better now than after an hour.
        DOCUMENTS.iter().try_for_each(|(file, name)| replaced(file, name, "").map(drop))?;
        let figures = root().join("docs/figures");
        std::fs::create_dir_all(&figures).map_err(|e| format!("{}: {e}", figures.display()))?;
        if cfg!(not(all(feature = "parry", feature = "fcl"))) {
            eprintln!("the tables will be without the other libraries (--peers)");
        }
    }
    let settings = settings(arguments)?;
    let folder = &settings.folder;
    let mut reports = vec![];
    for case in &cases {
        let report = run(case, &settings)?;
        println!("{}", table::text(&report));
        files::answers(&report, &folder.join(format!("queries-{}.csv", case.slug)))?;
        figures::fronts(&report, &folder.join(format!("fronts-{}.svg", case.slug)))?;
        figures::trials(&report, &folder.join(format!("trials-{}.svg", case.slug)))?;
        reports.push(report);
    }
    files::summary(&reports, &folder.join("summary.csv"))?;
    figures::times(&reports, &folder.join("times.svg"))?;
    let mut violations: Vec<String> = reports.iter().flat_map(|report| report.violations()).collect();
    let (mut distances, mut sweeps) = (String::new(), String::new());
    for case in cases.iter().filter(|_| arguments.distance) {
        let measured = distance::run(case, &settings)?;
        violations.extend(measured.violations);
        distances.push_str(&measured.markdown);
    }
    for case in cases.iter().filter(|_| arguments.sweep) {
        sweeps.push_str(&sweep::run(case, &settings)?);
    }
    let headed = |lines: String| if lines.is_empty() { lines } else { table::heading(&distance::HEADERS) + &lines };
    let tables = [table::brief(&reports), table::full(&reports), headed(distances), sweeps];
    write(&folder.join("tables.md"), &tables.join("\n"))?;
    println!("written: tables, figures and answers in {}", folder.display());
    if arguments.write_docs {
        document(&tables, folder)?;
    }
    Ok(violations)
}

/// Where the tables go, in their order: the file, and the name in its marker comments.
const DOCUMENTS: [(&str, &str); 4] = [
    ("README.md", "rigid table"),
    ("docs/benchmarks.md", "rigid table"),
    ("docs/benchmarks.md", "distance table"),
    ("docs/benchmarks.md", "parameter table"),
];

/// The figures that the documents show.
const FIGURES: [&str; 4] = ["fronts-club-105k.svg", "trials-torusknot.svg", "times.svg", "sweep-bunny.svg"];

/// Puts what was measured into the documents; what was not stays as it is.
fn document(tables: &[String; 4], figures: &Path) -> Result<(), String> {
    for ((file, name), table) in DOCUMENTS.iter().zip(tables).filter(|(_, table)| !table.is_empty()) {
        write(&root().join(file), &replaced(file, name, table)?)?;
        println!("written: the {name} in {file}");
    }
    let swept = !tables[3].is_empty();
    for figure in FIGURES.iter().filter(|figure| swept || !figure.starts_with("sweep")) {
        let (from, to) = (figures.join(figure), root().join("docs/figures").join(figure));
        std::fs::copy(&from, &to).map_err(|e| format!("{}: {e}", to.display()))?;
        println!("written: docs/figures/{figure}");
    }
    Ok(())
}

fn replaced(file: &str, name: &str, table: &str) -> Result<String, String> {
    table::replaced(&read(&root().join(file))?, name, table).map_err(|e| format!("{file}: {e}"))
}

fn chosen(arguments: &Arguments) -> Result<Vec<Case>, String> {
    let all = SLUGS.map(str::to_owned);
    let slugs = if arguments.cases.is_empty() { &all[..] } else { &arguments.cases };
    let made =
        |slug: &String| case(slug).ok_or_else(|| format!("there is no case {slug:?}; there are {}", SLUGS.join(", ")));
    slugs.iter().map(made).collect()
}

fn settings(arguments: &Arguments) -> Result<Settings, String> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root().join("target"), PathBuf::from);
    let truths = target.join("rigid/truth");
    // A look does not replace what a whole run has measured.
    let folder = target.join(if arguments.quick { "rigid/quick" } else { "rigid" });
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let peer_limit = Duration::try_from_secs_f64(arguments.peer_seconds).map_err(|e| format!("--peer-seconds: {e}"))?;
    let full = Settings { queries: usize::MAX, repeat: arguments.repeat as usize, peer_limit, folder, truths };
    let quick = |full| Settings { queries: 20, repeat: 1, peer_limit: peer_limit.min(Duration::from_secs(2)), ..full };
    Ok(if arguments.quick { quick(full) } else { full })
}

/// The project's folder.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new(".")).to_owned()
}

fn read(file: &Path) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))
}

fn write(file: &Path, text: &str) -> Result<(), String> {
    std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))
}
