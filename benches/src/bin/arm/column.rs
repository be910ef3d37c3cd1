//! One column of the table: somebody who is asked about paths.

use avert::Stats;
use avert_host_tests::peers::Said;
use std::time::Duration;

/// What was said about a path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// Of a contact, until when the path is claimed to be free.
    pub(crate) said: Said,
    /// Until when it is claimed to be free, if that is said.
    pub(crate) free_until: Option<f64>,
    pub(crate) took: Duration,
    /// Ours only.
    pub(crate) stats: Option<Stats>,
}

/// Which pairs of bodies count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pairs {
    World,
    WorldAndSelf,
}

impl Pairs {
    pub(crate) const ALL: [Self; 2] = [Self::World, Self::WorldAndSelf];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::WorldAndSelf => "world and self",
        }
    }
}

/// Somebody who knows the robot and the world of a set.
pub(crate) trait Column {
    /// Without the pairs.
    fn name(&self) -> String;

    fn pairs(&self) -> Pairs;

    /// What was learnt from other paths is forgotten.
    fn forget(&mut self) {}

    /// Is the path free? What is timed is all that has to be done for each path.
    fn ask(&mut self, path: usize) -> Result<Answer, String>;
}
