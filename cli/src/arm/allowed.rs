//! Pairs of links whose contacts do not count, and why.

use super::kinematics::Kinematics;
use crate::robot::AllowedPairs;
use avert::motion::{JointKind, LinkIndex};
use avert::robot;
use std::collections::BTreeMap;

/// Two links that may touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Allowed {
    /// Different links, the lower place first.
    pub(crate) links: [LinkIndex; 2],
    pub(crate) reason: Reason,
}

/// Why links may touch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// Only fixed joints are between them: they never move against each other.
    SameBody,
    /// One joint that moves is between them, and there is no SRDF file to say otherwise.
    Adjacent,
    /// The SRDF file says so, with this reason; may be empty.
    Disabled(String),
    /// It was so when the robot was baked.
    Baked(robot::Reason),
}

impl Reason {
    /// As the library has it; `None` for what it sees by itself.
    pub(super) fn known(&self) -> Option<robot::Reason> {
        match self {
            Self::SameBody => None,
            Self::Adjacent => Some(robot::Reason::Adjacent),
            Self::Baked(reason) => Some(*reason),
            Self::Disabled(text) => Some(match text.as_str() {
                "Adjacent" => robot::Reason::Adjacent,
                "Never" => robot::Reason::Never,
                "Default" | "Always" => robot::Reason::Default,
                _ => robot::Reason::User,
            }),
        }
    }
}

/// Each pair once, in order. What never moves is the first reason; then the SRDF file's if there is one.
pub(super) fn allowed(kinematics: &Kinematics, srdf: Option<&AllowedPairs>) -> Vec<Allowed> {
    let mut reasons = BTreeMap::new();
    let mut allow = |a: LinkIndex, b: LinkIndex, reason: Reason| {
        if a != b {
            reasons.entry([a.min(b), a.max(b)]).or_insert(reason);
        }
    };
    let groups = groups(kinematics);
    let members = |group: LinkIndex| indices().zip(&groups).filter(move |(_, g)| **g == group).map(|(link, _)| link);
    for (link, group) in indices().zip(&groups) {
        members(*group).for_each(|other| allow(link, other, Reason::SameBody));
    }
    match srdf {
        Some(srdf) => {
            for pair in &srdf.pairs {
                if let [Some(a), Some(b)] = pair.links.map(|link| kinematics.places.get(link)) {
                    allow(*a, *b, Reason::Disabled(pair.reason.clone()));
                }
            }
        }
        None => {
            // The first of a group is the one whose joint moves it.
            let moving = indices().zip(&groups).zip(&kinematics.joints).filter(|((link, group), _)| link == *group);
            for ((group, _), joint) in moving {
                let Some(outer) = joint.parent.and_then(|parent| groups.get(usize::from(parent.0))) else { continue };
                for link in members(group) {
                    members(*outer).for_each(|other| allow(link, other, Reason::Adjacent));
                }
            }
        }
    }
    reasons.into_iter().map(|(links, reason)| Allowed { links, reason }).collect()
}

fn indices() -> impl Iterator<Item = LinkIndex> {
    (0..=u8::MAX).map(LinkIndex)
}

/// For each link the first of its rigid body.
fn groups(kinematics: &Kinematics) -> Vec<LinkIndex> {
    let mut groups: Vec<LinkIndex> = Vec::new();
    for (link, joint) in indices().zip(&kinematics.joints) {
        let above = joint.parent.and_then(|parent| groups.get(usize::from(parent.0))).copied();
        groups.push(above.filter(|_| joint.kind == JointKind::Fixed).unwrap_or(link));
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::super::samples::{Sample, joint, link};
    use super::*;
    use crate::robot::RobotDescription;

    /// base — mount =j1= arm — tool =j2= finger, where — is fixed.
    fn robot(sample: &Sample) -> RobotDescription {
        let links = ["base", "mount", "arm", "tool", "finger"].map(|name| link(name, &[])).concat();
        let joints = joint("f1", "fixed", ["base", "mount"], "")
            + &joint("j1", "continuous", ["mount", "arm"], "")
            + &joint("f2", "fixed", ["arm", "tool"], "")
            + &joint("j2", "continuous", ["tool", "finger"], "");
        sample.robot(&(links + &joints))
    }

    fn listed(pairs: &[Allowed]) -> Vec<(u8, u8, Reason)> {
        pairs.iter().map(|pair| (pair.links[0].0, pair.links[1].0, pair.reason.clone())).collect()
    }

    #[test]
    fn without_srdf_neighbours_may_touch() {
        use Reason::{Adjacent, SameBody};
        let sample = Sample::new("adjacent");
        let kinematics = Kinematics::new(&robot(&sample)).unwrap();
        let expected = [
            (0, 1, SameBody),
            (0, 2, Adjacent),
            (0, 3, Adjacent),
            (1, 2, Adjacent),
            (1, 3, Adjacent),
            (2, 3, SameBody),
            (2, 4, Adjacent),
            (3, 4, Adjacent),
        ];
        assert_eq!(listed(&allowed(&kinematics, None)), expected);
    }

    #[test]
    fn srdf_has_the_last_word_on_what_moves() {
        let sample = Sample::new("srdf");
        let robot = robot(&sample);
        let disable = |a: &str, b: &str, reason: &str| {
            format!(r#"<disable_collisions link1="{a}" link2="{b}" reason="{reason}"/>"#)
        };
        let pairs =
            disable("finger", "base", "Never") + &disable("arm", "tool", "Adjacent") + &disable("arm", "mount", "");
        let file = sample.write("robot.srdf", &format!("<robot name=\"r\">{pairs}</robot>"));
        let srdf = AllowedPairs::read(&file, &robot).unwrap();
        let kinematics = Kinematics::new(&robot).unwrap();
        let expected = [
            (0, 1, Reason::SameBody),
            (0, 4, Reason::Disabled("Never".to_owned())),
            (1, 2, Reason::Disabled(String::new())),
            (2, 3, Reason::SameBody),
        ];
        assert_eq!(listed(&allowed(&kinematics, Some(&srdf))), expected);
    }
}
