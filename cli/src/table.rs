//! Tables for people.

/// A heading, a line of column names, and the rows, as wide as needed. Numbers stand to the right.
pub(crate) fn table(names: &[&str], rows: &[Vec<String>]) -> String {
    let cells = |column: usize| rows.iter().filter_map(move |row| row.get(column));
    let is_number = |cell: &String| cell.parse::<f64>().is_ok() || cell.is_empty() || cell == "–";
    let columns: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(i, name)| {
            let width = cells(i).map(|cell| cell.chars().count()).chain([name.chars().count()]).max().unwrap_or(0);
            (width, cells(i).all(is_number))
        })
        .collect();
    let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut text = String::new();
    for row in std::iter::once(&names).chain(rows) {
        let mut line = String::from(" ");
        for (cell, (width, right)) in row.iter().zip(&columns) {
            line += &if *right { format!(" {cell:>width$}") } else { format!(" {cell:<width$}") };
            line.push(' ');
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// Up to six decimals, without zeros at the end.
pub(crate) fn number(x: f64) -> String {
    rounded(x, 6)
}

/// Up to so many decimals (at least one), without zeros at the end.
pub(crate) fn rounded(x: f64, decimals: usize) -> String {
    let text = format!("{x:.decimals$}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// With spaces between them.
pub(crate) fn numbers(values: &[f64]) -> String {
    values.iter().map(|x| number(*x)).collect::<Vec<_>>().join(" ")
}

/// How many, and of what.
pub(crate) fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "-20".to_owned()]];
        assert_eq!(table(&["x", "number"], &rows), "  x    number\n  a         1\n  bcd     -20\n");
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!(numbers(&[0.333, -0.0, 100.0, 1e-9, -1.5]), "0.333 0 100 0 -1.5");
    }
}
