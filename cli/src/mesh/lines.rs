//! Lines of a text file, for error messages: the readers of the mesh crates do not say where they stopped.

use crate::convert::Numbers;
use std::io::{BufRead, Read, Result, Seek, SeekFrom};

/// Hands out a text and counts the lines that were taken.
///
/// It gives one line at a time, so that a buffer around it never runs ahead of the count.
#[derive(Debug)]
pub(super) struct LineReader<'a> {
    text: &'a [u8],
    at: usize,
    /// How many lines were taken: the number of the current one, counted from 1.
    pub(super) line: usize,
}

impl<'a> LineReader<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, line: 0 }
    }

    /// The rest of the current line, with its end.
    fn rest(&self) -> &'a [u8] {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|b| *b == b'\n').map_or(rest.len(), |i| i + 1);
        rest.get(..end).unwrap_or_default()
    }
}

impl Read for LineReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.rest().read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for LineReader<'_> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        Ok(self.rest())
    }

    fn consume(&mut self, count: usize) {
        // A line counts as taken when its beginning is.
        if count > 0 && (self.at == 0 || self.text.get(self.at - 1) == Some(&b'\n')) {
            self.line += 1;
        }
        self.at += count;
    }
}

impl Seek for LineReader<'_> {
    /// Only back to the beginning, which is what a reader that looks at the file's kind does.
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        match to {
            SeekFrom::Start(0) => {
                (self.at, self.line) = (0, 0);
                Ok(0)
            }
            SeekFrom::Start(_) | SeekFrom::Current(_) | SeekFrom::End(_) => {
                Err(std::io::Error::from(std::io::ErrorKind::Unsupported))
            }
        }
    }
}

/// The first line on which the three coordinates stand side by side.
///
/// The mesh crates renumber points, so a point is found again by its numbers.
pub(super) fn line_of_point(text: &[u8], point: &[f64; 3], numbers: Numbers) -> Option<usize> {
    let parse = |word: &str| match numbers {
        Numbers::Single => word.parse::<f32>().map(f64::from).ok(),
        Numbers::Double | Numbers::Exact | Numbers::Within(_) => word.parse::<f64>().ok(),
    };
    let same = |(found, x): (&Option<f64>, &f64)| found.is_some_and(|f| f == *x || f.is_nan() && x.is_nan());
    text.split(|b| *b == b'\n')
        .position(|line| {
            let values: Vec<_> = String::from_utf8_lossy(line).split_whitespace().map(parse).collect();
            values.windows(3).any(|window| window.iter().zip(point).all(same))
        })
        .map(|i| i + 1)
}

/// The text of a line, counted from 1, short enough for a message.
pub(super) fn excerpt(text: &[u8], line: usize) -> String {
    let bytes = line.checked_sub(1).and_then(|i| text.split(|b| *b == b'\n').nth(i));
    let Some(bytes) = bytes.filter(|b| !b.trim_ascii().is_empty()) else { return "nothing".to_owned() };
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("`{}…`", text.get(..end).unwrap_or_default()),
        None => format!("`{text}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn counts_lines_directly_and_through_a_buffer() {
        let text = b"one\n\nthree\nfour";
        let mut direct = LineReader::new(text);
        let mut line = String::new();
        for expected in 1..=4 {
            line.clear();
            direct.read_line(&mut line).unwrap();
            assert_eq!(direct.line, expected);
        }
        let mut inner = LineReader::new(text);
        let mut lines = BufReader::new(&mut inner).lines();
        assert_eq!(lines.by_ref().take(3).last().unwrap().unwrap(), "three");
        drop(lines);
        assert_eq!(inner.line, 3);
    }

    #[test]
    fn finds_points_by_their_numbers() {
        let text = b"v 1 2 3\nv 1 nan 3\nv 0.1 0.2 1e99";
        assert_eq!(line_of_point(text, &[1.0, f64::NAN, 3.0], Numbers::Double), Some(2));
        assert_eq!(line_of_point(text, &[0.1, 0.2, 1e99], Numbers::Double), Some(3));
        assert_eq!(line_of_point(text, &[0.1, 0.2, 5.0], Numbers::Double), None);
        let single = [0.1_f32, 0.2_f32, f32::INFINITY].map(f64::from);
        assert_eq!(line_of_point(text, &single, Numbers::Single), Some(3));
    }
}
