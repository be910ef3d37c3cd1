//! Which pairs of bodies a robot's verdicts are about, and why not the others.

use crate::arm::{BakedRobot, BakedStorage, Touching, body_name, links};
use crate::error::Failure;
use crate::table::{count, table};
use avert::motion::LinkIndex;
use avert::robot::{BodyIndex, ObjectIndex, Reason, Relation, RobotBlob, Scope, Workcell};

/// Every pair of bodies of which none is absent, with what a check makes of it.
pub(super) struct Pairs {
    checked: [usize; 2],
    skipped: Vec<([BodyIndex; 2], Relation)>,
}

impl Pairs {
    pub(super) fn new(blob: &RobotBlob<'_>, cell: &Workcell<'_, f64>) -> Self {
        let (mut checked, mut skipped) = ([0; 2], Vec::new());
        let objects = || (0..=u16::MAX).take(blob.objects()).map(|i| BodyIndex::Object(ObjectIndex(i)));
        for a in links(blob) {
            let own = links(blob).skip(usize::from(a.0) + 1).map(BodyIndex::Link);
            for pair in own.chain(objects()).map(|b| [BodyIndex::Link(a), b]) {
                let kind = usize::from(matches!(pair, [_, BodyIndex::Object(_)]));
                match cell.relation(pair) {
                    Relation::Checked => checked[kind] += 1,
                    Relation::Absent => {}
                    relation @ (Relation::Standing | Relation::SameBody | Relation::Allowed(_)) => {
                        skipped.push((pair, relation));
                    }
                }
            }
        }
        Self { checked, skipped }
    }

    /// The links that stand, each with whatever does not move against it.
    fn feet(&self) -> Vec<LinkIndex> {
        let stands = |(pair, relation): &([BodyIndex; 2], Relation)| match (pair, relation) {
            ([BodyIndex::Link(link), _], Relation::Standing) => Some(*link),
            _ => None,
        };
        let mut feet: Vec<_> = self.skipped.iter().filter_map(stands).collect();
        feet.dedup();
        feet
    }

    /// Those that are allowed because one joint joins them.
    pub(super) fn adjacent(&self) -> impl Iterator<Item = [BodyIndex; 2]> {
        let adjacent = |(_, relation): &&(_, Relation)| *relation == Relation::Allowed(Reason::Adjacent);
        self.skipped.iter().filter(adjacent).map(|(pair, _)| *pair)
    }

    /// For people; `touching` are those that stand and touch.
    pub(super) fn describe(&self, blob: &RobotBlob<'_>, touching: &Touching) -> String {
        let [own, world] = self.checked;
        let skipped = |kind: bool| {
            let is_kind = |([_, b], _): &&([BodyIndex; 2], Relation)| matches!(b, BodyIndex::Object(_)) == kind;
            self.skipped.iter().filter(is_kind).count()
        };
        let mut text = format!(
            "\npairs of links: {own} checked, {} skipped; pairs of a link and an object: {world} checked, {} skipped\n",
            skipped(false),
            skipped(true),
        );
        let row = |(pair, relation): &([BodyIndex; 2], Relation)| {
            let touch = if touching.pairs.contains(pair) { ", and touch" } else { "" };
            let [a, b] = pair.map(|body| body_name(blob, body).to_owned());
            vec![a, b, format!("{relation}{touch}")]
        };
        if !self.skipped.is_empty() {
            text +=
                &table(&["link", "link or object", "why skipped"], &self.skipped.iter().map(row).collect::<Vec<_>>());
        }
        if let Some(why) = touching.doubt {
            text += &format!("whether others that do not move against each other touch could not be decided ({why})\n");
        }
        text
    }
}

/// The pairs that stand and touch, found foot by foot.
pub(super) fn standing(robot: &BakedRobot, pairs: &Pairs) -> Result<Touching, Failure> {
    let blob = robot.blob()?;
    let feet = pairs.feet();
    let mut found = Touching::default();
    for foot in &feet {
        let mut storage = BakedStorage::<f64>::new(&blob);
        let mut cell = storage.cell(&blob).map_err(|e| Failure::Internal(e.to_string()))?;
        for other in feet.iter().filter(|other| *other != foot) {
            cell.set_model(*other, None).map_err(|e| Failure::Internal(e.to_string()))?;
        }
        let Touching { pairs, doubt } = Touching::find(&mut cell, Scope::Standing).map_err(Failure::Internal)?;
        found.pairs.extend(pairs);
        found.doubt = found.doubt.or(doubt);
    }
    Ok(found)
}

/// Links that touch where the robot rests, and those that a joint joins, as lines of an SRDF file.
pub(super) fn suggestions(robot: &BakedRobot, pairs: &Pairs) -> Result<String, Failure> {
    let blob = robot.blob()?;
    let mut storage = BakedStorage::<f64>::new(&blob);
    let mut cell = storage.cell(&blob).map_err(|e| Failure::Internal(e.to_string()))?;
    for object in (0..=u16::MAX).take(blob.objects()).map(ObjectIndex) {
        cell.switch_object(object, false).map_err(|e| Failure::Internal(e.to_string()))?;
    }
    let Touching { pairs: touching, doubt } = Touching::find(&mut cell, Scope::Moving).map_err(Failure::Internal)?;
    let line = |[a, b]: [BodyIndex; 2], reason: &str| {
        let [a, b] = [a, b].map(|body| escaped(body_name(&blob, body)));
        format!("  <disable_collisions link1=\"{a}\" link2=\"{b}\" reason=\"{reason}\"/>\n")
    };
    let mut text = match touching.len() {
        0 => "\nno SRDF file: no links that are checked touch at the reference pose\n".to_owned(),
        n => format!(
            "\nno SRDF file: {} of links touch at the reference pose (every joint at zero, or at the limit next to it) and \
             would be in contact at once. If that is right, make these lines the SRDF file's, with those of the neighbours:\n",
            count(n, "pair", "pairs")
        ),
    };
    if let Some(why) = doubt {
        text += &format!("whether others touch could not be decided ({why})\n");
    }
    if !touching.is_empty() {
        touching.iter().for_each(|pair| text += &line(*pair, "Default"));
        pairs.adjacent().for_each(|pair| text += &line(pair, "Adjacent"));
    }
    Ok(text)
}

/// As the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        assert_eq!(escaped("a&b <\"c\">"), "a&amp;b &lt;&quot;c&quot;>");
    }
}
