//! All that was said about a case.

use super::judge::{Answer, Summary};
use super::ours::Column;
use super::truth::{Grade, Known};
use super::{Case, Paper};

/// One case of the table, measured.
#[derive(Clone, Debug)]
pub struct Report {
    pub name: &'static str,
    pub slug: &'static str,
    pub origin: String,
    pub paper: Paper,
    /// Of each query.
    pub truths: Vec<Known>,
    /// Ours first.
    pub columns: Vec<Answers>,
    /// Of each query, how many pairs of triangles are within the tolerance when C²A (in `f64`) stops; 0 if it is free.
    pub contacts: Vec<usize>,
}

/// One column of a case.
#[derive(Clone, Debug)]
pub struct Answers {
    pub name: String,
    /// `None` of a peer.
    pub ours: Option<Column>,
    pub answers: Vec<Answer>,
    pub summary: Summary,
}

impl Answers {
    /// Sums the answers up.
    pub fn new(name: String, ours: Option<Column>, answers: Vec<Answer>, truths: &[Known]) -> Self {
        let summary = Summary::of(truths, &answers);
        Self { name, ours, answers, summary }
    }
}

impl Report {
    /// Of a case.
    pub fn new(case: &Case, truths: Vec<Known>, columns: Vec<Answers>, contacts: Vec<usize>) -> Self {
        let Case { name, slug, paper, .. } = *case;
        Self { name, slug, origin: case.origin.clone(), paper, truths, columns, contacts }
    }

    /// How many collide, pass, and graze.
    pub fn kinds(&self) -> [usize; 3] {
        let judged = || self.truths.iter().filter(|t| t.grade != Grade::Grazing);
        let colliding = judged().filter(|t| t.collides()).count();
        [colliding, judged().count() - colliding, self.truths.len() - judged().count()]
    }

    /// Queries about which the oracle contradicts the library.
    pub fn contradicted(&self) -> Vec<usize> {
        (0..self.truths.len()).filter(|i| self.truths[*i].grade == Grade::Contradicted).collect()
    }

    /// What is wrong with our own columns, a line each.
    pub fn violations(&self) -> Vec<String> {
        let ours = self.columns.iter().filter(|c| c.ours.is_some());
        let wrong = ours.filter(|c| c.summary.false_free + c.summary.late + c.summary.false_contact > 0);
        let line = |c: &Answers| {
            let Summary { false_free, late, false_contact, .. } = c.summary;
            format!("{}, {}: {false_free} false free, {late} late, {false_contact} false contact", self.name, c.name)
        };
        wrong.map(line).collect()
    }
}
