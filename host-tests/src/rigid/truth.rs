//! What is true of a motion, where nobody told us.
//!
//! **The bracket** is the library's: the chord strategy in `f64` at a tolerance of 1e-7 m proves the motion free, or free
//! until `lo`. **The check** is the sampling oracle's, which shares nothing with the library: before `lo`, or during
//! a free motion, it must see no overlap; and at most 1e-3 of the motion after the claimed touch it must see one, the
//! earliest of which, by halving, is `hi`. A motion for which it sees none (it touches and does not enter, or passes by within
//! 1e-7 m) is *grazing*: nobody is judged by it. Where the oracle contradicts the library, the oracle's overlap is the truth and
//! the motion is marked, so that our own columns are judged by it as well.
//!
//! The least distance of a free motion is the least that the oracle saw; it looks also where the library, asked again with
//! the tolerance of the benchmark, claims to come within it.
//!
//! Truths are kept in a CSV file, a line a query, by a hash of all numbers of the question and of the method.

use super::judge::TOLERANCE;
use super::ours::{Asker, Manner, room};
use super::{Case, Truth};
use crate::queries::Strategy;
use crate::sampling::Pair;
use crate::scenes::{Path, Place, Shape};
use avert::{Model, Verdict};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path as FilePath;

/// Changes when the method does, so that truths of an older one are not taken for this one's.
const METHOD: u64 = 1;

/// How near the bodies may be where the bracket ends, in metres.
const BRACKET: f64 = 1e-7;

/// How much later than the touch an overlap is looked for, as a part of the motion, and how closely it is dated.
const LATER: f64 = 1e-3;
const DATED: f64 = 1e-9;

/// Times that the oracle looks at.
const BEFORE: usize = 24;
const EFFORT: usize = 64;

/// How sure a truth is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// Given beforehand, or seen by the library and the oracle alike.
    Confirmed,
    /// Not confirmed by the oracle; nobody is judged by it.
    Grazing,
    /// The oracle's word against the library's.
    Contradicted,
}

impl Grade {
    /// As it stands in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Grazing => "grazing",
            Self::Contradicted => "contradicted",
        }
    }
}

/// A truth, and how sure it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    pub truth: Truth,
    pub grade: Grade,
}

impl Known {
    pub fn collides(&self) -> bool {
        matches!(self.truth, Truth::Contact { .. })
    }
}

/// The truths of all paths: what the case knows, what is kept in the file, and otherwise what is found now.
///
/// `done` is called after each query, from any thread.
pub fn truths(
    case: &Case,
    paths: &[Path],
    models: [&Model<'_, f64>; 2],
    file: &FilePath,
    done: impl Fn() + Sync,
) -> Result<Vec<Known>, String> {
    if !case.known.is_empty() {
        let known = case.known.get(..paths.len()).ok_or_else(|| format!("{}: truths are missing", case.name))?;
        return Ok(known.iter().map(|truth| Known { truth: *truth, grade: Grade::Confirmed }).collect());
    }
    let shapes = case.shapes.iter().fold(METHOD, hash_shape);
    let keys: Vec<u64> = paths.iter().map(|path| hash_path(shapes, path)).collect();
    let mut kept = read(file);
    let missing: Vec<usize> = (0..paths.len()).filter(|i| !kept.contains_key(&keys[*i])).collect();
    (missing.len()..paths.len()).for_each(|_| done());
    let bodies = case.bodies();
    let establish = |i: &usize| {
        let pair = case.pair(&bodies, &paths[*i]);
        let known = establish(models, &paths[*i], &pair).map_err(|e| format!("{}, query {i}: {e}", case.name));
        done();
        Ok((keys[*i], known?))
    };
    // In parts, so that a run that is broken off has not been for nothing.
    for part in missing.chunks(16) {
        let found: Vec<(u64, Known)> = part.par_iter().map(establish).collect::<Result<_, String>>()?;
        append(file, &found)?;
        kept.extend(found);
    }
    Ok(keys.iter().map(|key| kept[key]).collect())
}

/// The truth of one motion.
fn establish(models: [&Model<'_, f64>; 2], path: &Path, pair: &Pair) -> Result<Known, String> {
    let mut room = room();
    let mut asker = Asker::new(models, &mut room)?;
    let mut ask =
        |tolerance| asker.ask(&Manner::plain(Strategy::Chord, tolerance), path).map(|(asked, _)| asked.verdict);
    match ask(BRACKET)? {
        Verdict::Free(_) => {
            let trace = pair.sample(EFFORT);
            if let Some(first) = trace.first {
                return Ok(contradicted(first));
            }
            let nearer = match ask(TOLERANCE)? {
                Verdict::Contact { touch, .. } => pair.distance(touch),
                Verdict::Free(_) | Verdict::Undecided { .. } => f64::INFINITY,
            };
            Ok(Known { truth: Truth::Free { least: trace.least.1.min(nearer) }, grade: Grade::Confirmed })
        }
        Verdict::Contact { free_until, touch, .. } => Ok(confirm(pair, free_until, touch)),
        Verdict::Undecided { free_until, .. } => {
            Ok(Known { truth: Truth::Contact { lo: free_until, hi: 1.0 }, grade: Grade::Grazing })
        }
    }
}

fn contradicted(first: f64) -> Known {
    Known { truth: Truth::Contact { lo: first, hi: first }, grade: Grade::Contradicted }
}

/// Looks for overlaps before and after a claimed contact.
fn confirm(pair: &Pair, free_until: f64, touch: f64) -> Known {
    let overlap = |t: f64| pair.distance(t) < -pair.error();
    let before = (0..BEFORE).map(|i| free_until * (i as f64 + 0.5) / BEFORE as f64);
    if let Some(early) = before.into_iter().find(|t| overlap(*t)) {
        return contradicted(early);
    }
    let after = (0..=20).rev().map(|k| touch + LATER * 0.5_f64.powi(k)).filter(|t| *t <= 1.0);
    let Some(mut late) = std::iter::once(touch).chain(after).find(|t| overlap(*t)) else {
        return Known { truth: Truth::Contact { lo: free_until, hi: 1.0 }, grade: Grade::Grazing };
    };
    let mut early = free_until;
    while late - early > DATED {
        let middle = 0.5 * (early + late);
        if overlap(middle) {
            late = middle;
        } else {
            early = middle;
        }
    }
    Known { truth: Truth::Contact { lo: free_until, hi: late }, grade: Grade::Confirmed }
}

/// FNV-1a, 64 bits at a time.
fn hash(state: u64, words: impl IntoIterator<Item = u64>) -> u64 {
    words.into_iter().fold(state ^ 0xcbf2_9ce4_8422_2325, |state, word| {
        // The shift brings high bits down, which the product alone never does.
        let mixed = (state ^ word).wrapping_mul(0x0000_0100_0000_01b3);
        mixed ^ mixed >> 29
    })
}

fn hash_shape(state: u64, shape: &Shape) -> u64 {
    let state = hash(state, shape.points.iter().flatten().map(|x| x.to_bits()));
    let state = hash(state, shape.triangles.iter().flatten().map(|i| u64::from(*i)));
    hash(state, shape.hulls.iter().flat_map(|h| [h.first as u64, h.count as u64, h.radius.to_bits()]))
}

fn hash_path(state: u64, path: &Path) -> u64 {
    let place = |p: &Place| p.rotation.into_iter().chain(p.position).collect::<Vec<f64>>();
    let numbers = match path {
        Path::Between { from, to, centre } => [place(from), place(to), centre.to_vec()].concat(),
        Path::Screw { from, to } => [place(from), place(to)].concat(),
        Path::Velocities { from, centre, linear, angular } => {
            [place(from), centre.to_vec(), linear.to_vec(), angular.to_vec()].concat()
        }
    };
    hash(state, numbers.into_iter().map(f64::to_bits))
}

/// The lines that can be read; a file that is absent or broken costs time, no more.
fn read(file: &FilePath) -> HashMap<u64, Known> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().filter_map(parse).collect()
}

fn append(file: &FilePath, found: &[(u64, Known)]) -> Result<(), String> {
    let text = found.iter().fold(String::new(), |mut text, (key, known)| {
        let _ = writeln!(text, "{}", line(*key, known));
        text
    });
    let explain = |e: std::io::Error| format!("{}: {e}", file.display());
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(explain)?;
    }
    let mut file = OpenOptions::new().create(true).append(true).open(file).map_err(explain)?;
    file.write_all(text.as_bytes()).map_err(explain)
}

/// Key, grade, kind, and its numbers with all digits.
fn line(key: u64, known: &Known) -> String {
    let grade = known.grade.name();
    match known.truth {
        Truth::Free { least } => format!("{key:016x},{grade},free,{least:?},"),
        Truth::Contact { lo, hi } => format!("{key:016x},{grade},contact,{lo:?},{hi:?}"),
    }
}

fn parse(line: &str) -> Option<(u64, Known)> {
    let fields: Vec<&str> = line.split(',').collect();
    let [key, grade, kind, first, second] = fields.try_into().ok()?;
    let grade = match grade {
        "confirmed" => Grade::Confirmed,
        "grazing" => Grade::Grazing,
        "contradicted" => Grade::Contradicted,
        _ => return None,
    };
    let truth = match kind {
        "free" => Truth::Free { least: first.parse().ok()? },
        "contact" => Truth::Contact { lo: first.parse().ok()?, hi: second.parse().ok()? },
        _ => return None,
    };
    Some((u64::from_str_radix(key, 16).ok()?, Known { truth, grade }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queries::Parts;
    use crate::rigid::Paper;
    use crate::scenes::block;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn straight(from: [f64; 3], linear: [f64; 3]) -> Path {
        Path::Velocities { from: Place::at(from), centre: [0.0; 3], linear, angular: [0.0; 3] }
    }

    fn blocks(paths: Vec<Path>) -> Case {
        let paper = Paper::NONE;
        let (shapes, origin) = ([block([1.0; 3]), block([1.0; 3])], String::new());
        Case {
            name: "Blocks",
            slug: "blocks",
            origin,
            shapes,
            same: true,
            coherent: false,
            paths,
            known: vec![],
            paper,
        }
    }

    fn ask(case: &Case, file: &FilePath) -> Vec<Known> {
        let mut parts = Parts::new(&case.shapes[0]);
        let model = parts.model().expect("a block is a model");
        truths(case, &case.paths, [&model, &model], file, || ()).expect("there are truths")
    }

    #[test]
    fn a_hit_a_miss_and_a_graze_are_told_apart_and_kept() {
        let hit = straight([-6.0, 0.3, 0.2], [10.0, 0.0, 0.0]);
        let miss = straight([-6.0, 2.25, 0.2], [12.0, 0.0, 0.0]);
        // Slides along the face at no distance.
        let graze = straight([-6.0, 2.0, 0.2], [12.0, 0.0, 0.0]);
        let case = blocks(vec![hit, miss, graze]);
        let file = std::env::temp_dir().join(format!("avert-truth-{}.csv", std::process::id()));
        let found = ask(&case, &file);
        assert_eq!(
            found.iter().map(|k| k.grade).collect::<Vec<_>>(),
            [Grade::Confirmed, Grade::Confirmed, Grade::Grazing]
        );
        assert!(
            matches!(found[0].truth, Truth::Contact { lo, hi } if lo <= 0.4 && 0.4 <= hi && hi - lo < 1e-6),
            "{found:?}"
        );
        assert!(matches!(found[1].truth, Truth::Free { least } if (least - 0.25).abs() < 1e-9), "{found:?}");

        // What is kept is not found anew: a changed line comes back, and only the new path is added.
        let text = std::fs::read_to_string(&file).expect("the file is there");
        std::fs::write(&file, text.replace("confirmed,free", "contradicted,free")).expect("the file can be written");
        let more = blocks(vec![hit, miss, graze, straight([-6.0, 0.0, 0.0], [12.0, 0.0, 0.0])]);
        let again = ask(&more, &file);
        assert_eq!(again[1].grade, Grade::Contradicted);
        let lines = std::fs::read_to_string(&file).expect("the file is there").lines().count();
        std::fs::remove_file(&file).expect("the file can be removed");
        assert_eq!((lines, again.len()), (4, 4));
    }

    #[test]
    fn what_a_case_knows_is_taken() {
        let mut case = blocks(vec![straight([-6.0, 0.3, 0.2], [10.0, 0.0, 0.0])]);
        case.known = vec![Truth::Free { least: 7.0 }];
        assert_eq!(ask(&case, FilePath::new("never written"))[0].truth, Truth::Free { least: 7.0 });
    }

    #[test]
    fn every_query_is_counted_once() {
        let case = blocks((0..5).map(|i| straight([-6.0, 0.3, 0.1 * f64::from(i)], [10.0, 0.0, 0.0])).collect());
        let mut parts = Parts::new(&case.shapes[0]);
        let model = parts.model().expect("a block is a model");
        let file = std::env::temp_dir().join(format!("avert-truth-count-{}.csv", std::process::id()));
        for _ in 0..2 {
            let count = AtomicUsize::new(0);
            let done = || {
                count.fetch_add(1, Ordering::Relaxed);
            };
            truths(&case, &case.paths, [&model, &model], &file, done).expect("there are truths");
            assert_eq!(count.into_inner(), 5);
        }
        std::fs::remove_file(&file).expect("the file can be removed");
    }

    #[test]
    fn a_line_holds_every_bit() {
        let known = Known { truth: Truth::Contact { lo: 0.1 + 0.2, hi: 1.0 / 3.0 }, grade: Grade::Grazing };
        assert_eq!(parse(&line(42, &known)), Some((42, known)));
        assert_eq!(parse("cut of"), None);
    }

    #[test]
    fn another_number_is_another_key() {
        let (a, b) = (straight([0.0; 3], [1.0, 0.0, 0.0]), straight([0.0; 3], [1.0, 0.0, -0.0]));
        assert_ne!(hash_path(1, &a), hash_path(1, &b));
        assert_ne!(hash_shape(1, &block([1.0; 3])), hash_shape(1, &block([1.0, 1.0, 1.0 + 1e-15])));
    }
}
