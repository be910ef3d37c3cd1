//! Are the joints a tree?

use super::Link;
use super::joint::Read;
use crate::error::InputError;
use std::path::Path;

/// The root, and the joints in an order in which each comes after the one that moves its parent.
pub(super) fn order(file: &Path, links: &[Link], joints: Vec<Read>) -> Result<(usize, Vec<Read>), InputError> {
    let root = root(file, links, &joints)?;
    let mut placed = vec![false; links.len()];
    placed.get_mut(root).into_iter().for_each(|root| *root = true);
    let (mut waiting, mut ordered) = (joints, Vec::new());
    // Always the first that can be placed, so that a file in order stays as it is.
    while let Some(next) = waiting.iter().position(|read| placed.get(read.joint.parent) == Some(&true)) {
        let read = waiting.remove(next);
        placed.get_mut(read.joint.child).into_iter().for_each(|child| *child = true);
        ordered.push(read);
    }
    match waiting.first() {
        None => Ok((root, ordered)),
        Some(_) => {
            let names: Vec<_> = waiting.iter().map(|read| format!("`{}`", read.joint.name)).collect();
            let line = waiting.first().map(|read| read.joint.line);
            let what = format!(
                "expected a tree of links, found joints in a circle, apart from the root `{}`: {}",
                links.get(root).map_or("", |link| &link.name),
                names.join(", ")
            );
            Err(InputError::at(file, line, what))
        }
    }
}

/// The one link that no joint moves; every other one is moved by one joint.
fn root(file: &Path, links: &[Link], joints: &[Read]) -> Result<usize, InputError> {
    let mut moved_by = vec![None; links.len()];
    for Read { joint, .. } in joints {
        let Some(slot) = moved_by.get_mut(joint.child) else { continue };
        if let Some(first) = slot.replace(&joint.name) {
            let child = links.get(joint.child).map_or("", |link| &link.name);
            let what = format!(
                "joint `{}`: expected a child that no other joint moves, found `{child}`, which joint `{first}` moves",
                joint.name
            );
            return Err(InputError::at(file, joint.line, what));
        }
    }
    let roots: Vec<_> =
        links.iter().enumerate().zip(&moved_by).filter(|(_, by)| by.is_none()).map(|(r, _)| r).collect();
    match roots.as_slice() {
        [(root, _)] => Ok(*root),
        [] if links.is_empty() => Err(InputError::new(file, "expected at least one <link>, found none")),
        [] => Err(InputError::new(file, "expected a root link that no joint moves, found joints in a circle")),
        [_, (_, second), ..] => {
            let names: Vec<_> = roots.iter().map(|(_, link)| format!("`{}`", link.name)).collect();
            let what =
                format!("expected one root link, found {} that no joint moves: {}", roots.len(), names.join(", "));
            Err(InputError::at(file, second.line, what))
        }
    }
}
