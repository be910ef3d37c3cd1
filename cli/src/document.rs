//! JSON and YAML files, with the line of everything.
//!
//! Numbers stay text until somebody asks for one, so that each is rounded once. What a reader might pass over without a
//! word (a key that stands twice, aliases, tags) is refused here.

use crate::error::InputError;
use crate::xml::finite;
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Deeper files are not about worlds or paths.
const DEEPEST: usize = 64;

/// A value and where it stands.
#[derive(Debug)]
pub(crate) struct Value<'t> {
    line: usize,
    kind: Kind<'t>,
}

#[derive(Debug)]
enum Kind<'t> {
    /// Text in quotes is no number.
    Text {
        text: Cow<'t, str>,
        quoted: bool,
    },
    List(Vec<Value<'t>>),
    Table(Vec<(Cow<'t, str>, Value<'t>)>),
}

/// All documents of a file; `---` stands between them. Empty ones, as after the last `---`, are left out.
pub(crate) fn parse<'t>(file: &Path, text: &'t str) -> Result<Vec<Value<'t>>, InputError> {
    let (mut documents, mut open) = (Vec::new(), Vec::<Value<'t>>::new());
    // The key that waits for its value, for each open table.
    let mut keys = Vec::<Option<Cow<'t, str>>>::new();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            let what = format!("expected JSON or YAML, found a fault: {}", error.info());
            InputError::at(file, error.marker().line().min(text.lines().count()), what)
        })?;
        let line = span.start.line();
        let refuse = |what: String| Err(InputError::at(file, line, what));
        let done = match event {
            Event::MappingStart(0, None) | Event::SequenceStart(0, None) if open.len() == DEEPEST => {
                return refuse(format!("expected at most {DEEPEST} levels, found more"));
            }
            Event::MappingStart(0, None) => {
                open.push(Value { line, kind: Kind::Table(Vec::new()) });
                keys.push(None);
                continue;
            }
            Event::SequenceStart(0, None) => {
                open.push(Value { line, kind: Kind::List(Vec::new()) });
                keys.push(None);
                continue;
            }
            Event::MappingEnd | Event::SequenceEnd => {
                keys.pop();
                open.pop()
            }
            Event::Scalar(text, style, 0, None) => {
                Some(Value { line, kind: Kind::Text { text, quoted: style != ScalarStyle::Plain } })
            }
            Event::Alias(_) | Event::MappingStart(..) | Event::SequenceStart(..) | Event::Scalar(..) => {
                return refuse("expected plain values, found an anchor, an alias or a tag".to_owned());
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd | Event::DocumentStart(_) | Event::DocumentEnd => {
                None
            }
        };
        let Some(value) = done else { continue };
        match (open.last_mut(), keys.last_mut()) {
            (Some(Value { kind: Kind::List(list), .. }), _) => list.push(value),
            (Some(Value { kind: Kind::Table(table), .. }), Some(key)) => match (key.take(), value.kind) {
                (Some(key), kind) => table.push((key, Value { line: value.line, kind })),
                (None, Kind::Text { text, .. }) => {
                    if table.iter().any(|(known, _)| *known == text) {
                        return refuse(format!("expected every key once, found `{text}` again"));
                    }
                    *key = Some(text);
                }
                (None, Kind::List(_) | Kind::Table(_)) => return refuse("expected a name as a key".to_owned()),
            },
            _ if value.is_nothing() => {}
            _ => documents.push(value),
        }
    }
    Ok(documents)
}

impl Value<'_> {
    fn is_nothing(&self) -> bool {
        matches!(&self.kind, Kind::Text { text, quoted: false } if matches!(text.as_ref(), "" | "~" | "null"))
    }
}

/// A value together with the way to it, which is written out for a message only.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item<'a> {
    file: &'a Path,
    value: &'a Value<'a>,
    from: Option<(&'a Item<'a>, Step<'a>)>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> Item<'a> {
    pub(crate) fn new(file: &'a Path, value: &'a Value<'a>) -> Self {
        Self { file, value, from: None }
    }

    pub(crate) fn line(&self) -> usize {
        self.value.line
    }

    /// With the line and the way, as `boxes[3].size`.
    pub(crate) fn error(&self, what: impl AsRef<str>) -> InputError {
        let (path, what) = (self.path(), what.as_ref());
        let colon = if path.is_empty() { "" } else { ": " };
        InputError::at(self.file, self.line(), format!("{path}{colon}{what}"))
    }

    fn path(&self) -> String {
        let Some((from, step)) = self.from else { return String::new() };
        let mut path = from.path();
        let _ = match step {
            Step::Index(i) => write!(path, "[{i}]"),
            Step::Key(key) if path.is_empty() => write!(path, "{key}"),
            Step::Key(key) => write!(path, ".{key}"),
        };
        path
    }

    fn expected<T>(&self, what: &str) -> Result<T, InputError> {
        let found = match &self.value.kind {
            Kind::Text { text, quoted: false } if text.is_empty() => "nothing".to_owned(),
            Kind::Text { text, quoted: false } => format!("`{text}`"),
            Kind::Text { text, quoted: true } => format!("the text \"{text}\""),
            Kind::List(list) => format!("a list of {}", list.len()),
            Kind::Table(_) => "a table".to_owned(),
        };
        Err(self.error(format!("expected {what}, found {found}")))
    }

    /// The entries of a table.
    pub(crate) fn table(&self) -> Result<impl Iterator<Item = (&str, Item<'_>)>, InputError> {
        let Kind::Table(table) = &self.value.kind else { return self.expected("a table") };
        Ok(table.iter().map(|(key, value)| {
            (key.as_ref(), Item { file: self.file, value, from: Some((self, Step::Key(key.as_ref()))) })
        }))
    }

    /// The entry of a table; `None` where there is none, or nothing in it.
    pub(crate) fn get(&self, name: &str) -> Result<Option<Item<'_>>, InputError> {
        Ok(self.table()?.find(|(key, item)| *key == name && !item.value.is_nothing()).map(|(_, item)| item))
    }

    /// The entry of a table, which must be there.
    pub(crate) fn need(&self, name: &str) -> Result<Item<'_>, InputError> {
        self.get(name)?.ok_or_else(|| self.error(format!("expected the key `{name}`, found none")))
    }

    /// Refuses keys that nobody would read.
    pub(crate) fn only(&self, names: &[&str]) -> Result<(), InputError> {
        match self.table()?.find(|(key, _)| !names.contains(key)) {
            None => Ok(()),
            Some((key, item)) => Err(item.error(format!("expected one of {}, found `{key}`", names.join(", ")))),
        }
    }

    pub(crate) fn list(&self) -> Result<impl ExactSizeIterator<Item = Item<'_>>, InputError> {
        let Kind::List(list) = &self.value.kind else { return self.expected("a list") };
        Ok(list.iter().enumerate().map(|(i, value)| Item {
            file: self.file,
            value,
            from: Some((self, Step::Index(i))),
        }))
    }

    pub(crate) fn text(&self) -> Result<&str, InputError> {
        match &self.value.kind {
            Kind::Text { text, .. } => Ok(text),
            Kind::List(_) | Kind::Table(_) => self.expected("text"),
        }
    }

    /// The text of a value without quotes.
    fn bare(&self) -> Option<&str> {
        match &self.value.kind {
            Kind::Text { text, quoted: false } => Some(text),
            Kind::Text { quoted: true, .. } | Kind::List(_) | Kind::Table(_) => None,
        }
    }

    pub(crate) fn number(&self) -> Result<f64, InputError> {
        self.bare().and_then(finite).map_or_else(|| self.expected("a finite number"), Ok)
    }

    /// A number that is not negative.
    pub(crate) fn whole(&self) -> Result<u64, InputError> {
        self.bare().and_then(|x| x.parse().ok()).map_or_else(|| self.expected("a whole number, not negative"), Ok)
    }

    pub(crate) fn numbers(&self) -> Result<Vec<f64>, InputError> {
        self.list()?.map(|item| item.number()).collect()
    }

    pub(crate) fn triple(&self) -> Result<[f64; 3], InputError> {
        match &self.value.kind {
            Kind::List(list) if list.len() == 3 => {
                self.numbers()?.try_into().or_else(|_| self.expected("three numbers"))
            }
            Kind::List(_) | Kind::Table(_) | Kind::Text { .. } => self.expected("three numbers"),
        }
    }

    pub(crate) fn is_list_of_lists(&self) -> bool {
        match &self.value.kind {
            Kind::List(list) => list.iter().any(|value| matches!(value.kind, Kind::List(_))),
            Kind::Text { .. } | Kind::Table(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        parse(Path::new("f"), text).unwrap_err().to_string()
    }

    #[test]
    fn json_with_tabs_and_yaml_are_read() {
        let file = Path::new("f");
        for text in [
            "{\n\t\"a\": [1e-3,\n\t\t2E0, -3],\n\t\"b\": {\"c\": \"1\"}}",
            "a:\n- 1.0e-03\n- 2\n- -3.0\nb:\n  c: '1'\n---\n",
        ] {
            let documents = parse(file, text).unwrap();
            let [document] = documents.as_slice() else { panic!("{documents:?}") };
            let root = Item::new(file, document);
            assert_eq!(root.need("a").unwrap().triple().unwrap(), [0.001, 2.0, -3.0]);
            let b = root.need("b").unwrap();
            let c = b.need("c").unwrap();
            assert_eq!(c.text().unwrap(), "1");
            let line = c.line();
            let message = c.number().unwrap_err().to_string();
            assert_eq!(message, format!("f:{line}: b.c: expected a finite number, found the text \"1\""));
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        assert_eq!(refusal("{\"a\": 1,\n\"a\": 2}"), "f:2: expected every key once, found `a` again");
        assert_eq!(refusal("a: &x [1]\nb: *x"), "f:1: expected plain values, found an anchor, an alias or a tag");
        assert_eq!(refusal("a: !!str 1"), "f:1: expected plain values, found an anchor, an alias or a tag");
        assert_eq!(refusal("? [1]\n: 2"), "f:1: expected a name as a key");
        assert!(refusal("{\"a\": [1, 2}").starts_with("f:1: expected JSON or YAML, found a fault: "));
        assert!(refusal(&"[".repeat(100)).contains("expected at most 64 levels"));
    }

    #[test]
    fn numbers_are_finite() {
        let file = Path::new("f");
        for text in [".nan", "nan", "inf", "1e999", "-.inf", "0x10", "1 2"] {
            let text = format!("a: {text}");
            let documents = parse(file, &text).unwrap();
            let root = Item::new(file, documents.first().unwrap());
            assert!(root.need("a").unwrap().number().unwrap_err().to_string().contains("expected a finite number"));
        }
    }
}
