//! Asks every column every query of a case.
//!
//! The columns of a query come one after the other, so that all see the same state of the machine; and a different one comes
//! first each time, since whoever does finds the caches filled with something else.

use super::Case;
use super::judge::{Answer, TOLERANCE};
use super::ours::{Asker, COLUMNS, Column, Hint, Manner, Width, room, with_models};
use super::report::{Answers, Report};
use super::truth::{Grade, Known, truths};
use crate::peers::{Peer, Said, peers};
use crate::queries::Strategy;
use crate::scenes::Path;
use avert::Scalar;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How much is asked.
#[derive(Clone, Debug)]
pub struct Settings {
    /// At most this many queries a case.
    pub queries: usize,
    /// How often each is asked; the least time counts.
    pub repeat: usize,
    /// How long a peer may take for the colliding, and again for the free queries of a case.
    pub peer_limit: Duration,
    /// Where results go.
    pub folder: PathBuf,
    /// Where truths are kept.
    pub truths: PathBuf,
}

/// Repetitions of a query end when they have taken this long together: what takes seconds needs none.
const LONG: Duration = Duration::from_secs(1);

/// A peer answers this many queries of each kind, however long that takes.
pub(super) const PEER_QUERIES: usize = 2;

/// A bar on the standard error; nothing where that is not a terminal.
pub(super) fn bar(name: &str, length: usize) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len}, {eta} left, {msg:14}");
    let bar = ProgressBar::new(length as u64).with_prefix(name.to_owned());
    style.map_or(ProgressBar::hidden(), |style| bar.with_style(style))
}

/// The paths that are asked. All libraries are asked the same, so the centre is one that all can hold.
pub(super) fn paths(case: &Case, most: usize) -> Vec<Path> {
    case.paths.iter().take(most).map(|path| path.with_rounded_centre(|x| f64::from(x as f32))).collect()
}

/// Asks again and again; gives the last answer and the least time in microseconds.
pub(super) fn least_time<T>(
    repeat: usize,
    mut ask: impl FnMut() -> Result<(T, Duration), String>,
) -> Result<(T, f64), String> {
    let (mut answer, mut least) = ask()?;
    let mut total = least;
    for _ in 1..repeat {
        if total > LONG {
            break;
        }
        let time;
        (answer, time) = ask()?;
        total += time;
        least = least.min(time);
    }
    Ok((answer, least.as_secs_f64() * 1e6))
}

/// Runs a case.
pub fn run(case: &Case, settings: &Settings) -> Result<Report, String> {
    let paths = paths(case, settings.queries);
    let bar = bar(case.name, paths.len());
    bar.set_message("models");
    let named = |e| format!("{}: {e}", case.name);
    with_models::<f32, _>(case, |single| {
        with_models::<f64, _>(case, |double| {
            bar.set_message("truth");
            let file = settings.truths.join(format!("{}.csv", case.slug));
            let truths = truths(case, &paths, double, &file, || bar.inc(1))?;
            bar.reset();
            let (mut small, mut large) = (room(), room());
            let askers = (Asker::new(single, &mut small)?, Asker::new(double, &mut large)?);
            let columns = ask_all(case, settings, &paths, &truths, askers, &bar)?;
            bar.set_message("contacts");
            let contacts = contacts(case, &paths, &columns);
            Ok(Report::new(case, truths, columns, contacts))
        })
    })
    .inspect(|_| bar.finish_and_clear())
    .map_err(named)
}

/// Of each query, how many pairs of triangles are near when C²A stops (the paper's Fig. 7).
fn contacts(case: &Case, paths: &[Path], columns: &[Answers]) -> Vec<usize> {
    let stops = Column { strategy: Strategy::C2a, width: Width::F64 };
    let answers = columns.iter().find(|column| column.ours == Some(stops)).map_or(&[][..], |column| &column.answers);
    let bodies = case.bodies();
    let count = |answer: &Answer| match answer.said {
        Said::Contact(at) => case.pair(&bodies, &paths[answer.query]).contacts(at, TOLERANCE),
        Said::Free | Said::Nothing => 0,
    };
    answers.par_iter().map(count).collect()
}

/// One of our columns' answer to the query on a path, and where the bodies were nearest.
fn answer<S: Scalar>(
    asker: &mut Asker<'_, S>,
    manner: &Manner,
    (query, path): (usize, &Path),
    repeat: usize,
) -> Result<(Answer, Hint), String> {
    let (asked, micros) = least_time(repeat, || asker.ask(manner, path))?;
    Ok((Answer { query, said: asked.said(), micros, cost: Some(asked.cost()) }, asked.nearest))
}

/// A peer, and what it has had of its time.
struct Guest {
    peer: Box<dyn Peer>,
    answers: Vec<Answer>,
    /// Free, colliding.
    spent: [(usize, Duration); 2],
}

impl Guest {
    fn answer(&mut self, query: usize, path: &Path, known: &Known, settings: &Settings) -> Result<(), String> {
        let (count, spent) = &mut self.spent[usize::from(known.collides())];
        // By a grazing motion nobody is judged.
        let enough = *count >= PEER_QUERIES && *spent > settings.peer_limit;
        if enough || known.grade == Grade::Grazing {
            return Ok(());
        }
        let begin = Instant::now();
        let peer = &mut self.peer;
        let (said, micros) = least_time(settings.repeat, || {
            let start = Instant::now();
            let said = peer.cast(path);
            Ok((said, start.elapsed()))
        })?;
        *count += 1;
        *spent += begin.elapsed();
        self.answers.push(Answer { query, said, micros, cost: None });
        Ok(())
    }
}

fn ask_all(
    case: &Case,
    settings: &Settings,
    paths: &[Path],
    truths: &[Known],
    (mut single, mut double): (Asker<'_, f32>, Asker<'_, f64>),
    bar: &ProgressBar,
) -> Result<Vec<Answers>, String> {
    let mut ours = COLUMNS.map(|column| (column, None, vec![]));
    let guest = |peer| Guest { peer, answers: vec![], spent: Default::default() };
    let mut guests: Vec<Guest> = peers(&case.shapes).into_iter().map(guest).collect();
    for (query, (path, known)) in paths.iter().zip(truths).enumerate() {
        for turn in 0..ours.len() {
            let (column, hint, answers) = &mut ours[(query + turn) % COLUMNS.len()];
            bar.set_message(column.name());
            let manner = Manner { hint: hint.filter(|_| case.coherent), ..Manner::plain(column.strategy, TOLERANCE) };
            let (answer, nearest) = match column.width {
                Width::F32 => answer(&mut single, &manner, (query, path), settings.repeat)?,
                Width::F64 => answer(&mut double, &manner, (query, path), settings.repeat)?,
            };
            *hint = nearest.or(*hint);
            answers.push(answer);
        }
        for guest in &mut guests {
            bar.set_message(guest.peer.name());
            guest.answer(query, path, known, settings)?;
        }
        bar.inc(1);
    }
    let ours = ours.into_iter().map(|(column, _, answers)| Answers::new(column.name(), Some(column), answers, truths));
    let theirs =
        guests.into_iter().map(|guest| Answers::new(guest.peer.name().to_owned(), None, guest.answers, truths));
    Ok(ours.chain(theirs).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::SaidDistance;
    use crate::rigid::{Paper, Truth};
    use crate::scenes::{Place, block};

    struct Mute;

    impl Peer for Mute {
        fn name(&self) -> &'static str {
            "mute"
        }

        fn cast(&mut self, _path: &Path) -> Said {
            Said::Nothing
        }

        fn distance_name(&self) -> Option<&'static str> {
            None
        }

        fn distance(&mut self, _place: &Place) -> Option<SaidDistance> {
            None
        }
    }

    fn straight(y: f64) -> Path {
        let from = Place::at([-6.0, y, 0.2]);
        Path::Velocities { from, centre: [0.0; 3], linear: [10.0, 0.0, 0.0], angular: [0.0; 3] }
    }

    fn settings(peer_limit: Duration) -> Settings {
        let folder = std::env::temp_dir().join(format!("avert-run-{}", std::process::id()));
        Settings { queries: 2, repeat: 2, peer_limit, truths: folder.clone(), folder }
    }

    #[test]
    fn a_case_is_asked_of_every_column_up_to_the_limit() {
        let case = Case {
            name: "Blocks",
            slug: "blocks",
            origin: String::new(),
            shapes: [block([1.0; 3]), block([1.0; 3])],
            same: true,
            coherent: true,
            paths: vec![straight(0.3), straight(2.5), straight(0.1)],
            known: vec![],
            paper: Paper::NONE,
        };
        let settings = settings(Duration::ZERO);
        let report = run(&case, &settings).expect("blocks can be asked");
        std::fs::remove_dir_all(&settings.folder).expect("the truths were kept there");
        assert_eq!((report.kinds(), report.violations()), ([1, 1, 0], vec![]));
        for (column, expected) in report.columns.iter().zip(COLUMNS) {
            assert_eq!((column.ours, column.answers.len()), (Some(expected), 2));
            assert!(
                matches!(column.answers[0].said, Said::Contact(at) if at > 0.39)
                    && column.answers[1].said == Said::Free
            );
        }
    }

    #[test]
    fn a_peer_without_time_still_answers_two_of_each_kind() {
        let known = |truth| Known { truth, grade: Grade::Confirmed };
        let (hit, miss) = (known(Truth::Contact { lo: 0.4, hi: 0.4 }), known(Truth::Free { least: 1.0 }));
        let asked = |limit| {
            let mut guest = Guest { peer: Box::new(Mute), answers: vec![], spent: Default::default() };
            for (query, known) in [hit, hit, hit, miss, miss, miss].iter().enumerate() {
                guest.answer(query, &straight(0.3), known, &settings(limit)).expect("it says something");
            }
            guest.answers.iter().map(|a| a.query).collect::<Vec<_>>()
        };
        assert_eq!(asked(Duration::ZERO), [0, 1, 3, 4]);
        assert_eq!(asked(Duration::from_secs(60)), [0, 1, 2, 3, 4, 5]);
    }
}
