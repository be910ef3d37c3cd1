//! Instructions instead of microseconds, by valgrind's callgrind: the same on every run, whatever else the machine does.
//!
//! The program runs itself under callgrind, which counts while it is inside of [`counted`] and writes a file whenever it comes by
//! [`mark`].

use crate::column::{Answer, Column};
use crate::set::Set;
use avert_host_tests::rigid::table::{aligned, digits};
use std::hint::black_box;
use std::path::Path;
use std::process::{Command, Stdio};

/// How many paths of a set are asked about.
pub(crate) const PATHS: usize = 100;

/// Counts, a line a column.
pub(crate) fn count(set: &str, folder: &Path) -> Result<String, String> {
    let out = folder.join(format!("callgrind-{set}"));
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--quiet", "--toggle-collect=*instructions::counted*"]);
    valgrind.args(["--dump-before=*instructions::mark*", "--dump-instr=no", "--compress-pos=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", out.display())).arg(program).args(["--counted", set]);
    let output = valgrind.stderr(Stdio::inherit()).output();
    let output = output.map_err(|e| format!("valgrind does not start: {e}; install it to count instructions"))?;
    if !output.status.success() {
        return Err(format!("valgrind: {}", output.status));
    }
    let mut rows = vec![["column", "pairs", "free", "colliding"].map(str::to_owned).to_vec()];
    let listed = String::from_utf8_lossy(&output.stdout);
    for (at, named) in listed.lines().enumerate() {
        let mut row: Vec<String> = named.split('\t').map(str::to_owned).collect();
        let counts = row.split_off(row.len().saturating_sub(2));
        for (kind, count) in counts.iter().enumerate() {
            // The first file holds what was counted before the first mark: nothing.
            let file = out.with_file_name(format!("callgrind-{set}.{}", 2 * at + kind + 2));
            let paths: f64 = count.parse().map_err(|_| format!("expected a count, found {count:?}"))?;
            row.push(digits(total(&file)? / paths));
        }
        rows.push(row);
    }
    Ok(format!("{set}: mean instructions of a path, of {PATHS} paths\n\n{}", aligned(&rows)))
}

/// What callgrind says it counted.
fn total(file: &Path) -> Result<f64, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let total = text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")));
    let total = total.and_then(|number| number.trim().parse().ok());
    total.ok_or_else(|| format!("{}: expected totals", file.display()))
}

/// What runs under callgrind: every column is asked about all paths twice, and what the free ones take is counted first, then what
/// the colliding ones take. Prints the columns and how many of each kind there were.
pub(crate) fn run(columns: &mut [Box<dyn Column + '_>], set: &Set, paths: &[usize]) -> Result<(), String> {
    for column in columns {
        let mut counts = [0; 2];
        for (count, collides) in counts.iter_mut().zip([false, true]) {
            mark();
            column.forget();
            for path in paths {
                if set.truths[*path].contact.is_some() == collides {
                    *count += 1;
                    counted(column.as_mut(), *path)?;
                } else {
                    column.ask(*path)?;
                }
            }
        }
        let [free, colliding] = counts;
        println!("{}\t{}\t{free}\t{colliding}", column.name(), column.pairs().name());
    }
    mark();
    Ok(())
}

#[inline(never)]
fn counted(column: &mut dyn Column, path: usize) -> Result<Answer, String> {
    black_box(column.ask(black_box(path)))
}

#[inline(never)]
fn mark() {
    black_box(());
}
