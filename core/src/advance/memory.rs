//! The caller's memory, in which a search keeps the open obligations.

use crate::kernel::{Accounts, Couple, Ledger, Obligation, Scene, Stage, StageMemory};
use crate::robot::Workcell;
use crate::scalar::{Scalar, Vec3};

/// A place for one obligation, and the direction that last came near to proving it; zero if there was none yet.
#[derive(Debug)]
pub struct Entry<S> {
    pub(super) claim: Obligation<S>,
    pub(super) direction: Vec3<S>,
}

impl<S: Scalar> Entry<S> {
    /// A vacant place.
    pub const VACANT: Self = Self { claim: Obligation::vacant(), direction: Vec3::ZERO };
}

impl<S: Scalar> AsMut<Obligation<S>> for Entry<S> {
    fn as_mut(&mut self) -> &mut Obligation<S> {
        &mut self.claim
    }
}

/// The memory that checks work in, one after the other.
#[derive(Debug)]
pub struct Memory<'w, S> {
    entries: &'w mut [Entry<S>],
    accounts: Accounts,
}

impl<'w, S: Scalar> Memory<'w, S> {
    /// Entries that leave ample room: two meshes of 35,000 triangles, at a tolerance of a thousandth of their size, were
    /// seen to need 232, and of 70,000 triangles 175. Small models do with 128.
    pub const RECOMMENDED: usize = 2048;

    /// Takes the caller's memory.
    pub fn new(entries: &'w mut [Entry<S>]) -> Self {
        let accounts = Accounts::over(entries);
        Self { entries, accounts }
    }

    /// Opens the account of a new check, and lends the places.
    pub(super) fn open(&mut self, scene: &Scene<'_, S>) -> (Ledger<S>, Obligation<S>, &mut [Entry<S>]) {
        let (ledger, claim) = self.accounts.open(scene, self.entries);
        (ledger, claim, self.entries)
    }
}

/// The memory that checks of plans work in, one after the other.
#[derive(Debug)]
pub struct PathMemory<'w, S> {
    pub(super) entries: &'w mut [Entry<S>],
    pub(super) accounts: Accounts,
    pub(super) stage: Stage<'w, S>,
    directions: &'w mut [Vec3<S>],
}

impl<'w, S: Scalar> PathMemory<'w, S> {
    /// Takes the caller's memory, for a workcell with so many places for links and payloads; `None` if there is too little for
    /// these.
    ///
    /// `entries` are for couples that are near each other. `directions` are kept from one check to the next: with
    /// [`directions_needed`](PathMemory::directions_needed) of them no couple starts anew; fewer, or none, cost time only.
    pub fn new(
        links: usize,
        entries: &'w mut [Entry<S>],
        stage: StageMemory<'w, S>,
        directions: &'w mut [Vec3<S>],
    ) -> Option<Self> {
        let stage = Stage::new(stage, links)?;
        directions.fill(Vec3::ZERO);
        Some(Self { accounts: Accounts::over(entries), entries, stage, directions })
    }

    /// Forgets what earlier checks have left: the next one does the same work, and finds the same, as in memory that is new.
    pub fn forget(&mut self) {
        self.directions.fill(Vec3::ZERO);
        self.stage.forget();
    }

    /// How many directions a workcell's couples have.
    pub fn directions_needed(cell: &Workcell<'_, S>) -> usize {
        let links = cell.chain().links().len();
        links * (links + cell.objects())
    }

    pub(super) fn direction(&self, couple: Couple) -> Vec3<S> {
        self.directions.get(couple.0 as usize).copied().unwrap_or(Vec3::ZERO)
    }

    pub(super) fn remember(&mut self, couple: Couple, direction: Vec3<S>) {
        self.directions.get_mut(couple.0 as usize).into_iter().for_each(|place| *place = direction);
    }
}
