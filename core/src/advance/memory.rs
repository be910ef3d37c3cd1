//! The caller's memory, in which a search keeps the open obligations.

use crate::kernel::{Accounts, Ledger, Obligation, Scene};
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
