//! Which bodies touch where the robot rests.

use super::PathStorage;
use avert::motion::{JointPath, LinkIndex};
use avert::robot::{BodyIndex, Plan, Reason, Scope, Workcell};
use avert::{Budget, PathCheck, PathVerdict, Scalar, Why};

/// Bodies nearer than this touch, in metres.
const NEAR: f64 = 1e-4;

/// What was found.
#[derive(Debug, Default)]
pub(crate) struct Touching {
    /// Each pair once.
    pub(crate) pairs: Vec<[BodyIndex; 2]>,
    /// What kept the search from being sure that there are no more.
    pub(crate) doubt: Option<Why>,
}

impl Touching {
    /// All pairs of a scope that touch while every joint is at zero, or as near to it as its limits let it be. Those are allowed
    /// afterwards, or their object is switched off.
    pub(crate) fn find<S: Scalar>(cell: &mut Workcell<'_, S>, scope: Scope) -> Result<Self, String> {
        let rest = |link: LinkIndex| {
            let [lower, upper] = cell.limits(link).unwrap_or([S::ZERO; 2]);
            JointPath::still(S::ZERO.max(lower).min(upper)).map_err(|e| e.to_string())
        };
        let links = (0..=u8::MAX).map(LinkIndex).take(cell.joints());
        let paths = links.map(rest).collect::<Result<Vec<_>, _>>()?;
        let mut memory = PathStorage::new(cell);
        let mut memory = memory.memory().ok_or("too little memory for a check")?;
        let mut found = Self::default();
        loop {
            let plan = Plan::new(cell, &paths, S::from_f64_near(NEAR)).map_err(|e| e.to_string())?.with_scope(scope);
            let mut check = PathCheck::new(cell, &plan, &mut memory).ok_or("too little memory for a check")?;
            let pair = match check.step(cell, &plan, Budget::UNLIMITED) {
                PathVerdict::Free(_) => return Ok(found),
                PathVerdict::Undecided { why, .. } => return Ok(Self { doubt: Some(why), ..found }),
                PathVerdict::Contact { bodies, .. } => bodies,
            };
            let done = match pair {
                [BodyIndex::Link(a), BodyIndex::Link(b)] => cell.set_allowed(a, b, Some(Reason::Default)),
                [_, BodyIndex::Object(object)] | [BodyIndex::Object(object), _] => cell.switch_object(object, false),
            };
            done.map_err(|e| e.to_string())?;
            found.pairs.push(pair);
        }
    }
}
