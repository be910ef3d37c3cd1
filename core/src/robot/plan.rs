//! What a robot is about to do: segments of joint paths, one after the other.

use super::workcell::Workcell;
use crate::fingerprint::Fingerprint;
use crate::motion::{JointPath, LinkIndex};
use crate::mutant::mutant;
use crate::scalar::{Interval, Scalar};

/// Joint values may be beyond their limits by this much, in radians or metres: about what a decimal limit and a decimal path that
/// ends there can differ by.
const BEYOND: f64 = 1e-5;

/// Halvings of a segment before a path counts as beyond a limit.
const HALVINGS: usize = 12;

/// Why a plan was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanError {
    /// There must be so many paths for each segment, one for each joint, and at least one segment.
    Paths(usize),
    /// There must be a time for each segment's end, increasing, the last 1.
    Clock,
    /// The tolerance of contacts is negative, not finite or too large.
    Tolerance,
    /// There must be a tracking tolerance for each joint, not negative and finite; or none at all.
    Tracking,
    /// The joint of this link is not where the segment before has left it.
    Jump {
        /// The segment that starts elsewhere.
        segment: usize,
        /// The link that the joint moves.
        link: LinkIndex,
    },
    /// The joint of this link goes beyond its limits, or too near to them to tell.
    Limit {
        /// During this segment.
        segment: usize,
        /// The link that the joint moves.
        link: LinkIndex,
    },
}

impl core::fmt::Display for PlanError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Paths(n) => write!(f, "a segment has {n} joint paths, and a plan at least one segment"),
            Self::Clock => write!(f, "the ends of the segments must increase from above 0 to 1"),
            Self::Tolerance => write!(f, "the tolerance must be a finite number of metres, not negative"),
            Self::Tracking => write!(f, "there must be a tracking tolerance for each joint, finite and not negative"),
            Self::Jump { segment, link } => {
                write!(f, "segment {segment}: joint {} does not start where it was left", link.0)
            }
            Self::Limit { segment, link } => write!(f, "segment {segment}: joint {} goes beyond its limits", link.0),
        }
    }
}

impl core::error::Error for PlanError {}

/// Which pairs a plan is checked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Links, payloads and objects that can move against each other.
    #[default]
    Moving,
    /// The same, but no pairs of links and payloads.
    WorldOnly,
    /// Those that cannot: to be looked at once, when a robot is set up.
    Standing,
}

/// A moment of a plan.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct At<S> {
    /// Which segment, the first being 0.
    pub segment: usize,
    /// From 0 to 1 during it.
    pub time: S,
}

/// Segments of joint paths, found good for a workcell.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'p, S> {
    paths: &'p [JointPath<S>],
    joints: usize,
    clock: &'p [S],
    tracking: &'p [S],
    tolerance: S,
    scope: Scope,
    anchor: u64,
    fingerprint: u64,
}

impl<'p, S: Scalar> Plan<'p, S> {
    /// `paths` has one path for each link of the robot, segment after segment; those of links that do not move or follow others
    /// are not looked at. A distance of up to margin + `tolerance` may be reported as a contact.
    ///
    /// # Soundness
    /// During an accepted plan no joint is further than `BEYOND` beyond its limits.
    pub fn new(cell: &Workcell<'_, S>, paths: &'p [JointPath<S>], tolerance: S) -> Result<Self, PlanError> {
        let joints = cell.joints();
        if joints == 0 || paths.is_empty() || !paths.len().is_multiple_of(joints) {
            return Err(PlanError::Paths(joints));
        }
        if !(tolerance >= S::ZERO && tolerance.in_range()) {
            return Err(PlanError::Tolerance);
        }
        let (scope, anchor) = (Scope::Moving, 0);
        let mut print = Fingerprint::new();
        paths.iter().for_each(|path| path.print(&mut print));
        print.word(joints as u64);
        print.scalar(tolerance);
        let fingerprint = print.finish();
        let plan = Self { paths, joints, clock: &[], tracking: &[], tolerance, scope, anchor, fingerprint };
        for (segment, paths) in paths.chunks(joints).enumerate() {
            for (link, path) in (0..).map(LinkIndex).zip(paths).filter(|(link, _)| cell.leads(*link)) {
                let before = segment.checked_sub(1).and_then(|before| plan.path(before, link));
                if before.is_some_and(|before| !meet(before, path)) {
                    return Err(PlanError::Jump { segment, link });
                }
            }
            for (index, link) in (0..).map(LinkIndex).zip(cell.chain().links()).take(joints) {
                let path = paths.get(link.driver().unwrap_or(index).get()).filter(|_| link.moves());
                let path = path.filter(|_| link.driver().is_none() || !mutant!(FollowerUnchecked));
                let kept = |limits| path.is_none_or(|path| within(|a, b| link.range(path, a, b), limits));
                if cell.limits(index).is_some_and(|limits| !kept(limits)) {
                    return Err(PlanError::Limit { segment, link: index });
                }
            }
        }
        Ok(plan)
    }

    /// For objects that move: when each segment ends, as a part of the time that the whole plan takes.
    pub fn with_clock(self, clock: &'p [S]) -> Result<Self, PlanError> {
        let rises = clock.iter().try_fold(S::ZERO, |last, end| (last < *end).then_some(*end));
        let good = clock.len() == self.segments() && rises == Some(S::ONE);
        if good { Ok(Self { clock, ..self }.with(1, clock)) } else { Err(PlanError::Clock) }
    }

    /// The verdict is to hold for all joint values that are no further than these from the plan's, in radians or metres, one for
    /// each link of the robot.
    pub fn with_tracking(self, tracking: &'p [S]) -> Result<Self, PlanError> {
        let good = |x: &S| *x >= S::ZERO && x.in_range();
        let enough = tracking.len() == self.joints && tracking.iter().all(good);
        if enough { Ok(Self { tracking, ..self }.with(2, tracking)) } else { Err(PlanError::Tracking) }
    }

    /// Chooses the pairs.
    pub fn with_scope(self, scope: Scope) -> Self {
        Self { scope, ..self }.with(3 + scope as u64, &[])
    }

    /// When the plan is to start, in ticks of the caller's clock: carried along, and part of what is proved.
    pub fn with_anchor(self, anchor: u64) -> Self {
        Self { anchor, ..self }.with(anchor, &[])
    }

    /// Notes in the fingerprint that something was set.
    fn with(self, what: u64, numbers: &[S]) -> Self {
        let mut print = Fingerprint::new();
        print.word(self.fingerprint);
        print.word(what);
        numbers.iter().for_each(|x| print.scalar(*x));
        Self { fingerprint: print.finish(), ..self }
    }

    /// A number that differs between different plans: up to a chance of 2⁻⁶⁴, and not against an adversary.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// How many segments there are.
    pub fn segments(&self) -> usize {
        self.paths.len() / self.joints.max(1)
    }

    /// What a contact's distance may be beyond the margin.
    pub fn tolerance(&self) -> S {
        self.tolerance
    }

    /// The tracking tolerance of a joint; zero for payloads.
    pub fn tracking(&self) -> &'p [S] {
        self.tracking
    }

    /// Which pairs count.
    pub fn scope(&self) -> Scope {
        self.scope
    }

    /// When the plan is to start.
    pub fn anchor(&self) -> u64 {
        self.anchor
    }

    /// The paths of one segment.
    pub fn segment(&self, segment: usize) -> Option<&'p [JointPath<S>]> {
        self.paths.chunks(self.joints.max(1)).nth(segment)
    }

    /// The path of one joint.
    pub fn path(&self, segment: usize, link: LinkIndex) -> Option<&'p JointPath<S>> {
        self.segment(segment)?.get(link.get())
    }

    /// When a segment starts and ends, as parts of the whole plan's time; equally long without a clock.
    pub(crate) fn hours(&self, segment: usize) -> [S; 2] {
        let count = self.segments();
        let end = |k: usize| match (self.clock.get(k), k + 1 == count) {
            (Some(end), _) => *end,
            (None, true) => S::ONE,
            (None, false) => {
                let part = |n: usize| S::from_f64_near(f64::from(u32::try_from(n).unwrap_or(u32::MAX)));
                part(k + 1).div_near(part(count))
            }
        };
        [segment.checked_sub(1).map_or(S::ZERO, end), end(segment)]
    }

    /// The moment that is a part of the whole plan's time earlier than another, or the start; never a later one.
    pub fn before(&self, at: At<S>, part: S) -> At<S> {
        if part < S::ZERO || mutant!(BrakeLate) {
            return at;
        }
        let [from, until] = self.hours(at.segment);
        let hour = from.add_lo(until.sub_lo(from).mul_lo(at.time)).sub_lo(part);
        let spans = (0..=at.segment).rev().map(|segment| (segment, self.hours(segment)));
        let mut found = At { segment: 0, time: S::ZERO };
        if let Some((segment, [from, until])) = spans.into_iter().find(|(_, [from, _])| *from <= hour) {
            let time = hour.sub_lo(from).div_lo(until.sub_hi(from)).max(S::ZERO).min(S::ONE);
            found = At { segment, time };
        }
        found
    }
}

/// Can the end of one path and the start of the next be the same value?
fn meet<S: Scalar>(before: &JointPath<S>, after: &JointPath<S>) -> bool {
    let apart = before.value(S::ONE).sub_lo(after.value(S::ZERO)).abs();
    mutant!(JumpIgnored)
        || apart <= before.value_error_hi().add_hi(after.value_error_hi()).add_hi(S::rounding_hi(2, apart))
}

/// Do the values stay within limits? `range` gives those between two times.
fn within<S: Scalar>(range: impl Fn(S, S) -> Interval<S>, [lower, upper]: [S; 2]) -> bool {
    let slack = S::from_f64_near(BEYOND);
    // The ends of intervals that are still to be looked at, the nearest last.
    let mut ends: heapless::Vec<S, HALVINGS> = heapless::Vec::new();
    let (mut from, mut until) = (S::ZERO, S::ONE);
    loop {
        let range = range(from, if mutant!(LimitsOfStart) { from } else { until });
        if lower.sub_hi(range.lo()) <= slack && range.hi().sub_hi(upper) <= slack {
            from = until;
            match ends.pop() {
                Some(end) => until = end,
                None => return true,
            }
        } else {
            if ends.push(until).is_err() {
                return false;
            }
            until = (from + until) * S::HALF;
        }
    }
}
