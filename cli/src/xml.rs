//! XML files, with the line of everything.

use crate::error::InputError;
use roxmltree::{Document, Node};
use std::path::Path;

/// A parsed file.
#[derive(Debug)]
pub(crate) struct Xml<'t> {
    file: &'t Path,
    document: Document<'t>,
}

impl<'t> Xml<'t> {
    pub(crate) fn parse(file: &'t Path, text: &'t str) -> Result<Self, InputError> {
        match Document::parse(text) {
            Ok(document) => Ok(Self { file, document }),
            Err(error) => {
                let line = error.pos().row as usize;
                Err(InputError::at(file, line, format!("expected well-formed XML, found: {error}")))
            }
        }
    }

    /// The outermost element, which must have this name.
    pub(crate) fn root(&self, name: &str) -> Result<Node<'_, 't>, InputError> {
        let root = self.document.root_element();
        match root.tag_name().name() {
            found if found == name => Ok(root),
            found => Err(self.error(root, format!("expected <{name}> as the outermost element, found <{found}>"))),
        }
    }

    /// Counted from 1.
    pub(crate) fn line(&self, node: Node<'_, '_>) -> usize {
        self.document.text_pos_at(node.range().start).row as usize
    }

    pub(crate) fn error(&self, node: Node<'_, '_>, what: impl Into<String>) -> InputError {
        InputError::at(self.file, self.line(node), what)
    }

    /// The child with this name; two are one too many, since only one of them would count.
    pub(crate) fn child<'n>(&self, node: Node<'n, 't>, name: &str) -> Result<Option<Node<'n, 't>>, InputError> {
        let mut named = children(node, name);
        match (named.next(), named.next()) {
            (_, Some(second)) => {
                Err(self.error(second, format!("expected one <{name}> in {}, found another", describe(node))))
            }
            (first, None) => Ok(first),
        }
    }

    /// The child with this name, which must be there.
    pub(crate) fn needed_child<'n>(&self, node: Node<'n, 't>, name: &str) -> Result<Node<'n, 't>, InputError> {
        self.child(node, name)?
            .ok_or_else(|| self.error(node, format!("expected <{name}> in {}, found none", describe(node))))
    }

    /// An attribute that must be there.
    pub(crate) fn attribute<'n>(&self, node: Node<'n, '_>, name: &str) -> Result<&'n str, InputError> {
        node.attribute(name).ok_or_else(|| {
            self.error(node, format!("expected the attribute `{name}` in {}, found none", describe(node)))
        })
    }

    /// An attribute that is a number.
    pub(crate) fn number(&self, node: Node<'_, '_>, name: &str) -> Result<Option<f64>, InputError> {
        Ok(self.numbers(node, name)?.map(|[x]: [f64; 1]| x))
    }

    /// An attribute that is `N` numbers with spaces between them.
    pub(crate) fn numbers<const N: usize>(
        &self,
        node: Node<'_, '_>,
        name: &str,
    ) -> Result<Option<[f64; N]>, InputError> {
        let Some(text) = node.attribute(name) else { return Ok(None) };
        let found: Option<Vec<_>> = text.split_whitespace().map(finite).collect();
        match found.and_then(|found| found.try_into().ok()) {
            Some(numbers) => Ok(Some(numbers)),
            None => {
                let expected = if N == 1 { "a finite number".to_owned() } else { format!("{N} finite numbers") };
                Err(self.error(node, format!("{} {name}: expected {expected}, found `{text}`", describe(node))))
            }
        }
    }

    /// All numbers between the tags, with the line of a bad one.
    pub(crate) fn content<T>(
        &self,
        node: Node<'_, '_>,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<Vec<T>, InputError> {
        let mut numbers = Vec::new();
        // Comments cut the text into several.
        for part in node.children().filter(Node::is_text) {
            let text = part.text().unwrap_or_default();
            for word in text.split_whitespace() {
                numbers.push(parse(word).ok_or_else(|| {
                    let before = word.as_ptr().addr() - text.as_ptr().addr();
                    let lines = text.get(..before).unwrap_or_default().matches('\n').count();
                    let what = format!("{}: expected {expected}, found `{word}`", describe(node));
                    InputError::at(self.file, self.line(part) + lines, what)
                })?);
            }
        }
        Ok(numbers)
    }
}

/// The elements of this name right below.
pub(crate) fn children<'n, 't: 'n>(node: Node<'n, 't>, name: &str) -> impl Iterator<Item = Node<'n, 't>> {
    node.children().filter(move |child| child.tag_name().name() == name)
}

/// The opening tag, short, for a message.
pub(crate) fn describe(node: Node<'_, '_>) -> String {
    let tag = node.tag_name().name();
    match node.attribute("name").or(node.attribute("id")) {
        Some(name) => format!("<{tag}> `{name}`"),
        None => format!("<{tag}>"),
    }
}

/// A number, neither infinite nor NaN.
pub(crate) fn finite(word: &str) -> Option<f64> {
    word.parse().ok().filter(|x: &f64| x.is_finite())
}

/// The text of a file.
pub(crate) fn read_text(file: &Path, kind: &str) -> Result<String, InputError> {
    let bytes = std::fs::read(file).map_err(|e| InputError::new(file, format!("cannot read the {kind}: {e}")))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let valid = e.as_bytes().get(..e.utf8_error().valid_up_to()).unwrap_or_default();
        let line = 1 + valid.iter().filter(|b| **b == b'\n').count();
        InputError::at(file, line, format!("expected the {kind} as text in UTF-8, found other bytes"))
    })?;
    // Some editors put a mark in front.
    match text.strip_prefix('\u{feff}') {
        Some(rest) => Ok(rest.to_owned()),
        None => Ok(text),
    }
}
