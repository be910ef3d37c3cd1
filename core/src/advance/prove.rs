//! Directions for a pair of pieces over an interval, put to the kernel one after the other.

use super::gjk::{self, Simplex};
use super::memory::Entry;
use super::pair::{DIRECTION_WORK, cost, radii};
use crate::kernel::{End, Ledger, Moment, Pair, Span};
use crate::scalar::{Scalar, Vec3};
use crate::verdict::Stats;

/// Supports spent on the direction of a pair that can still be split, and of one that cannot.
const NODE_ROUNDS: u64 = 16;
const PRIMITIVE_ROUNDS: u64 = 24;

/// Tries to prove a pair apart over an interval, with the direction that it carries, if any, and then with those that
/// [`super::gjk`] finds on the way.
pub(super) fn prove<S: Scalar>(
    ledger: &mut Ledger<S>,
    stats: &mut Stats,
    span: &Span<S>,
    pair: &Pair<'_, S>,
    entry: &mut Entry<S>,
) -> bool {
    let both_primitive = pair.pieces().iter().all(|piece| piece.is_primitive());
    let rounds = if both_primitive { PRIMITIVE_ROUNDS } else { NODE_ROUNDS };
    stats.count(pair.pieces());
    let needed = radii(pair) + span.slack_near();
    let work = cost(pair) + DIRECTION_WORK;
    let mut simplex = Simplex::new();
    // A pair without a direction starts with a short difference; if that is too short to be proved, no direction will do.
    let fresh = entry.direction == Vec3::ZERO;
    if fresh && !approach(stats, pair, entry, span.start(), &mut simplex, needed) {
        return false;
    }
    for round in 0..rounds {
        let direction = entry.direction;
        stats.work += work;
        stats.kernel_calls += 1;
        let Some(probe) = span.probe(direction) else { break };
        let Err(end) = ledger.discharge(&mut entry.claim, &probe, pair) else {
            stats.front += 1;
            return true;
        };
        let (moment, _) = probe.at(end);
        let known = round > 0 || fresh && end == End::Start;
        if !known && !approach(stats, pair, entry, moment, &mut simplex, needed) {
            break;
        }
        let vertex = gjk::support(pair, probe.at(end));
        let Some(better) = simplex.refine(vertex, direction, needed) else { break };
        entry.direction = better;
    }
    false
}

/// Gives the pair a short difference at a moment for a direction. Says whether it is longer than `needed`.
fn approach<S: Scalar>(
    stats: &mut Stats,
    pair: &Pair<'_, S>,
    entry: &mut Entry<S>,
    moment: &Moment<S>,
    simplex: &mut Simplex<S>,
    needed: S,
) -> bool {
    stats.work += DIRECTION_WORK;
    let vertex = gjk::approach(pair, moment);
    entry.direction = vertex.at;
    simplex.seed(vertex, needed)
}
