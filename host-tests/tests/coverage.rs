//! A `# Soundness` heading without a test of that name is an error.

use std::collections::BTreeSet;
use std::path::Path;

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.chars().enumerate() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// The name of the type in the header of an `impl` or `trait`, without generics.
fn subject(line: &str) -> Option<String> {
    let line = line.strip_prefix("pub ").unwrap_or(line);
    let rest = line.strip_prefix("impl").or_else(|| line.strip_prefix("trait"))?;
    // The generic parameters of the impl itself.
    let rest = if let Some(inner) = rest.strip_prefix('<') {
        let mut depth = 1;
        let end = inner.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        })?;
        &inner[end + 1..]
    } else {
        rest
    };
    let rest = rest.split_once(" for ").map_or(rest, |(_, subject)| subject);
    let name: String = rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    (!name.is_empty()).then_some(name)
}

fn function(line: &str) -> Option<String> {
    let mut words = line.trim_start();
    for prefix in ["pub(crate) ", "pub(super) ", "pub ", "const "] {
        words = words.strip_prefix(prefix).unwrap_or(words);
    }
    let name: String = words.strip_prefix("fn ")?.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    Some(name)
}

/// The keys of all functions with a `# Soundness` heading: `type_function`, or `function` for a free one.
fn claims(text: &str) -> Vec<String> {
    let (mut within, mut heading, mut keys) = (None, false, Vec::new());
    for line in text.lines() {
        if !line.starts_with(char::is_whitespace) {
            if let Some(name) = subject(line) {
                within = Some(name);
            } else if line.starts_with('}') {
                within = None;
            }
        }
        let trimmed = line.trim_start();
        if trimmed.starts_with("/// # Soundness") {
            heading = true;
        } else if heading && let Some(name) = function(line) {
            heading = false;
            keys.push(match &within {
                Some(subject) => format!("{}_{name}", snake(subject)),
                None => name,
            });
        } else if heading && trimmed.starts_with(['}', '{']) {
            panic!("a `# Soundness` heading with no function after it, near: {line}");
        }
    }
    keys
}

/// The public functions whose name promises a direction and whose doc does not say which inequality that is. A trait's
/// functions are as public as the trait.
fn silent(text: &str) -> Vec<String> {
    let (mut in_trait, mut heading, mut names) = (false, false, Vec::new());
    for line in text.lines() {
        if !line.starts_with(char::is_whitespace) {
            in_trait = line.starts_with("pub trait ") || in_trait && !line.starts_with('}');
        }
        let trimmed = line.trim_start();
        heading |= trimmed.starts_with("/// # Soundness");
        if let Some(name) = function(line) {
            let public = trimmed.starts_with("pub fn ") || trimmed.starts_with("pub const fn ") || in_trait;
            let directed = name.ends_with("_lo") || name.ends_with("_hi");
            if public && directed && !heading {
                names.push(name);
            }
            heading = false;
        }
    }
    names
}

#[test]
fn every_directed_function_states_its_inequality() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../core/src"), &mut files);
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).expect("a readable source");
    let names: Vec<String> = files.iter().flat_map(|path| silent(&read(path))).collect();
    assert!(names.is_empty(), "no `# Soundness` heading on: {names:#?}");
}

#[test]
fn every_soundness_claim_has_its_test() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&here.join("../core/src"), &mut files);
    let read = |path: &std::path::PathBuf| std::fs::read_to_string(path).expect("a readable source");
    let keys: Vec<String> = files.iter().flat_map(|path| claims(&read(path))).collect();
    let headings: usize = files.iter().map(|path| read(path).matches("/// # Soundness").count()).sum();
    assert!(keys.len() >= 40, "only {} headings found: has the form of the sources changed?", keys.len());
    assert_eq!(keys.len(), headings, "some headings were not matched with a function");

    let mut files = Vec::new();
    sources(&here.join("tests"), &mut files);
    let tests: BTreeSet<String> = files
        .iter()
        .flat_map(|path| read(path).lines().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|line| {
            // Written out, or as an entry of a table of laws.
            let name = line.trim_start().trim_start_matches("fn ");
            let rest = ["never_above_truth_", "never_below_truth_", "never_outside_truth_"]
                .iter()
                .find_map(|prefix| name.strip_prefix(prefix))?;
            let key: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            rest[key.len()..].starts_with(['(', ':']).then_some(key)
        })
        .collect();
    let missing: Vec<&String> = keys.iter().filter(|key| !tests.contains(*key)).collect();
    assert!(missing.is_empty(), "no never_(above|below|outside)_truth_ test for: {missing:#?}");
}

#[test]
fn the_reader_understands_the_sources() {
    let text = "impl<S: Scalar> Add for Interval<S> {\n    /// # Soundness\n    /// Yes.\n    fn add(self) {}\n}\n\
                /// # Soundness\n/// Yes.\n#[inline]\npub fn core_distance_hi<S>() {}\n\
                pub trait Scalar:\n    Copy\n{\n    /// # Soundness\n    fn add_lo(self);\n}\n\
                impl<'a, S> RigidMotion<'a, S> {\n    /// # Soundness\n    pub fn placement(&self) {}\n}\n";
    assert_eq!(claims(text), ["interval_add", "core_distance_hi", "scalar_add_lo", "rigid_motion_placement"]);
    assert!(silent(text).is_empty());
    let text = "impl Bounds {\n    /// Says nothing.\n    pub fn speed_hi(&self) {}\n    fn inner_hi(&self) {}\n}\n\
                pub trait Scalar:\n    Copy\n{\n    /// # Soundness\n    fn add_lo(self);\n    fn add_hi(self);\n}\n\
                impl Scalar for f32 {\n    fn add_lo(self) {}\n}\n";
    assert_eq!(silent(text), ["speed_hi", "add_hi"]);
}
