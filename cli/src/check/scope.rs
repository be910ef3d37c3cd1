//! Which pairs of bodies the verdicts are about, and which they are not.

use super::setup::Setup;
use crate::arm::PathStorage;
use crate::error::Failure;
use crate::table::count;
use avert::motion::{JointPath, LinkIndex};
use avert::robot::{BodyIndex, ObjectIndex, Plan, Relation, Scope, Workcell};
use avert::{Budget, PathCheck, PathVerdict, Scalar};
use std::collections::BTreeMap;

/// All pairs of links, and all of links and objects.
fn pairs<S: Scalar>(cell: &Workcell<'_, S>) -> impl Iterator<Item = [BodyIndex; 2]> {
    let (links, objects) = (0..cell.joints() as u8, 0..cell.objects() as u16);
    links.clone().flat_map(move |a| {
        let own = (a + 1..links.end).map(|b| BodyIndex::Link(LinkIndex(b)));
        let others = objects.clone().map(|b| BodyIndex::Object(ObjectIndex(b)));
        own.chain(others).map(move |b| [BodyIndex::Link(LinkIndex(a)), b])
    })
}

/// Lines of the heading.
pub(super) fn describe<S: Scalar>(cell: &Workcell<'_, S>, scope: Scope) -> String {
    let (mut links, mut objects, mut standing) = (0, 0, 0);
    let mut skipped = BTreeMap::<String, usize>::new();
    for pair in pairs(cell) {
        match (cell.relation(pair), pair) {
            (Relation::Checked, [_, BodyIndex::Link(_)]) => links += 1,
            (Relation::Checked, [_, BodyIndex::Object(_)]) => objects += 1,
            (Relation::Standing, _) => standing += 1,
            (reason @ (Relation::SameBody | Relation::Allowed(_)), _) => {
                *skipped.entry(reason.to_string()).or_default() += 1;
            }
            (Relation::Absent, _) => {}
        }
    }
    let own = match scope {
        Scope::WorldOnly => "no pairs of links (--no-self)".to_owned(),
        Scope::Moving | Scope::Standing => count(links, "pair of links", "pairs of links"),
    };
    let mut text = format!("pairs      {own} and {objects} of links and objects\n");
    let reasons: Vec<_> = skipped.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
    if scope != Scope::WorldOnly && !reasons.is_empty() {
        text += &format!("left out   pairs of links: {}\n", reasons.join(", "));
    }
    if standing > 0 {
        let pairs = count(standing, "pair", "pairs");
        text +=
            &format!("standing   {pairs} of links and objects that do not move against each other: looked at once\n");
    }
    text
}

/// Looks at the links that no joint moves and the objects around them, once for all paths: what is there to be said.
pub(super) fn look_at_standing<'a, S: Scalar>(
    cell: &mut Workcell<'a, S>,
    setup: &Setup,
    at_rest: &[JointPath<S>],
    tolerance: S,
) -> Result<Vec<String>, Failure> {
    let internal = |e: &dyn std::fmt::Display| Failure::Internal(format!("standing pairs: {e}"));
    let standing: Vec<_> = pairs(cell).filter(|pair| cell.relation(*pair) == Relation::Standing).collect();
    let plan = Plan::new(cell, at_rest, tolerance).map_err(|e| internal(&e))?.with_scope(Scope::Standing);
    let mut storage = PathStorage::new(cell);
    let mut memory = storage.memory().ok_or_else(|| internal(&"memory"))?;
    let mut ask = |cell: &Workcell<'a, S>| {
        let mut check = PathCheck::new(cell, &plan, &mut memory).ok_or_else(|| internal(&"check"))?;
        Ok::<_, Failure>(check.step(cell, &plan, Budget::UNLIMITED))
    };
    if standing.is_empty() || matches!(ask(cell)?, PathVerdict::Free(_)) {
        return Ok(Vec::new());
    }
    // A verdict tells of one pair. To hear of all, only one is there at a time.
    let told = |e: avert::robot::WorkcellError| internal(&e);
    let places = cell.objects() as u16;
    let objects = || (0..places).map(ObjectIndex);
    let mut models = BTreeMap::new();
    for pair in &standing {
        if let [BodyIndex::Link(link), _] = pair {
            models.entry(*link).or_insert(cell.model(*link).copied());
        }
    }
    models.keys().try_for_each(|link| cell.set_model(*link, None)).map_err(told)?;
    objects().try_for_each(|object| cell.switch_object(object, false)).map_err(told)?;
    let mut warnings = Vec::new();
    for (link, model) in &models {
        cell.set_model(*link, *model).map_err(told)?;
        for object in objects() {
            cell.switch_object(object, true).map_err(told)?;
            let [a, b] = [BodyIndex::Link(*link), BodyIndex::Object(object)].map(|body| setup.name(body));
            let rest = "and do not move against each other: their distance is no part of the verdicts";
            match ask(cell)? {
                PathVerdict::Free(_) => {}
                PathVerdict::Contact { .. } => warnings.push(format!("{a} and {b} are closer than the margin {rest}")),
                PathVerdict::Undecided { why, .. } => {
                    warnings.push(format!("{a} and {b} may be closer than the margin ({why}) {rest}"));
                }
            }
            cell.switch_object(object, false).map_err(told)?;
        }
        cell.set_model(*link, None).map_err(told)?;
    }
    models.iter().try_for_each(|(link, model)| cell.set_model(*link, *model)).map_err(told)?;
    objects().try_for_each(|object| cell.switch_object(object, true)).map_err(told)?;
    Ok(warnings)
}
