//! The shared sets: a robot, a world, paths, and what is true of them.

use avert_cli::doors::ArmTask;
use std::path::Path;

/// The names of the sets.
pub(crate) const NAMES: [&str; 2] = ["shelf", "thin"];

/// A set of paths.
pub(crate) struct Set {
    pub(crate) name: &'static str,
    pub(crate) task: ArmTask,
    /// For each path.
    pub(crate) truths: Vec<Truth>,
}

/// What is true of a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Truth {
    /// A time of contact, the first as far as anybody knows; `None` of a free path.
    pub(crate) contact: Option<f64>,
    /// The least distance that was seen, in metres.
    pub(crate) clearance: f64,
}

impl Set {
    /// Reads a set; `None` if it is not there.
    pub(crate) fn load(name: &'static str) -> Result<Option<Self>, String> {
        let Some(shared) = avert_host_tests::shared() else { return Ok(None) };
        let files = [
            "models/panda_task/panda.urdf".to_owned(),
            "models/panda_task/panda.srdf".to_owned(),
            format!("models/panda_task/world/{name}.json"),
            format!("queries/panda_{name}.csv"),
            format!("queries/panda_{name}_truth.csv"),
        ];
        let files = files.map(|file| shared.join(file));
        if !files.iter().all(|file| file.is_file()) {
            return Ok(None);
        }
        let [robot, srdf, world, paths, truth] = files.each_ref().map(|file| file.as_path());
        let (task, truths) = (ArmTask::read([robot, srdf, world, paths])?, truths(truth)?);
        if task.paths() != truths.len() {
            return Err(format!("{}: expected a line for each of {} paths", truth.display(), task.paths()));
        }
        Ok(Some(Self { name, task, truths }))
    }
}

/// `id,collides,t_lo_certified_free,t_first_contact,pair,min_clearance_seen_m` and more, in the order of the paths.
fn truths(file: &Path) -> Result<Vec<Truth>, String> {
    let text = std::fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
    let truth = |(at, line): (usize, &str)| {
        let fields: Vec<_> = line.split(',').collect();
        let number = |i: usize| fields.get(i).and_then(|field| field.parse::<f64>().ok());
        let found = match (number(0) == Some(at as f64), fields.get(1).copied(), number(3), number(5)) {
            (true, Some("0"), _, Some(clearance)) => Some(Truth { contact: None, clearance }),
            (true, Some("1"), Some(contact), clearance) => {
                Some(Truth { contact: Some(contact), clearance: clearance.unwrap_or(0.0) })
            }
            _ => None,
        };
        found.ok_or_else(|| format!("{}:{}: expected a truth", file.display(), at + 2))
    };
    text.lines().skip(1).enumerate().map(truth).collect()
}
