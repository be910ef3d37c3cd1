//! Controlled conservative advancement (C²A).
//!
//! **Computes** a verdict by the rounds of [`super::ca`], whose traversals end early while the bodies are far apart.
//! **Invariant**: that of the rounds; the control decides only how deep they go. **Follows** Tang, Manocha and Kim 2014,
//! Algorithms 1 and 2; as there, `w` stays 1 once it is. **Departs**: as [`super::ca`] does; there is no greatest number of
//! iterations (§6.3: 50), since a budget serves. `R_max` and `D_threshold` are not in print: they are as measured here.

use super::Check;
use super::ca::Rounds;
use super::memory::Memory;
use super::pair;
use super::search::{Search, Strategy};
use crate::kernel::Scene;
use crate::scalar::Scalar;
use crate::verdict::{Budget, Stats, Verdict};

/// The parameters of Algorithm 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control<S> {
    /// `w`: pairs are split while they are nearer than this part of the least distance found; in (0, 1]. Anything else is slower,
    /// not wrong.
    pub weight: S,
    /// `R_max`: after so many rounds `w` becomes 1.
    pub rounds: u64,
    /// `D_threshold`, in metres: once the bodies are as near as this, `w` becomes 1.
    pub near: S,
}

impl<S: Scalar> Control<S> {
    /// For a tolerance in metres: `w` as in the paper, the others as measured.
    pub fn new(tolerance: S) -> Self {
        let near = tolerance * S::from_f64_near(10.0);
        Self { weight: S::from_f64_near(0.4), rounds: 20, near }
    }
}

/// A check by C²A.
#[derive(Debug)]
pub struct C2a<'w, S> {
    rounds: Rounds<'w, S>,
    control: Control<S>,
}

impl<'w, S: Scalar> C2a<'w, S> {
    /// Starts a check. Memory without room for one entry ends at once as `Undecided`.
    pub fn new<'m: 'w>(scene: &Scene<'_, S>, memory: &'w mut Memory<'m, S>, control: Control<S>) -> Self {
        Self { rounds: Rounds::new(scene, memory), control }
    }

    /// Names two primitives that may be near from the start, such as those that were the [nearest](C2a::nearest) in the
    /// check of the motion before this one.
    #[must_use]
    pub fn with_guess(mut self, scene: &Scene<'_, S>, primitives: [usize; 2]) -> Self {
        self.rounds.nearest = pair::primitives(scene, primitives);
        self
    }

    /// The two primitives that were the nearest when last looked at.
    pub fn nearest(&self) -> Option<[usize; 2]> {
        self.rounds.nearest()
    }
}

impl<'w, S: Scalar> Strategy<'w, S> for C2a<'w, S> {
    fn search(&mut self) -> &mut Search<'w, S> {
        &mut self.rounds.search
    }

    fn work(&mut self, scene: &Scene<'_, S>, _: u64) {
        if self.rounds.is_over() {
            if self.rounds.search.stats.iterations > self.control.rounds || self.rounds.least < self.control.near {
                self.control.weight = S::ONE;
            }
            self.rounds.begin(scene, self.control.weight);
        } else {
            self.rounds.visit(scene);
        }
    }
}

impl<S: Scalar> Check<S> for C2a<'_, S> {
    fn step(&mut self, scene: &Scene<'_, S>, budget: Budget) -> Verdict<S> {
        Search::step(scene, budget, self)
    }

    fn stats(&self) -> Stats {
        self.rounds.search.stats
    }
}
