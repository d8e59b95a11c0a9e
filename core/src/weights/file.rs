//! The text format of weights.
//!
//! ```text
//! tak-engine weights | evaluation | 6x6
//! # comments and blank lines are ignored
//! term            | index | meaning | opening | middle | end | ...
//! flats by square |     0 | a1      |      87 |    121 | 107 | ...
//! ```
//!
//! The first line names model and size. A line that begins with `term` names the columns of the rows below it. A row is
//! a feature: its term, its index within the term, its meaning (ignored by the reader) and its weights. A feature
//! without a row has weight 0. A layer may lack columns, whose weights are 0 too. A text may contain several tables, one for
//! each model and size.

use std::fmt::Write;

use super::{Model, Term};
use crate::board::Size;

/// A table of weights that can be stored in a file.
pub trait WeightTable {
    const MODEL: Model;
    const TERMS: &'static [Term];
    /// The largest absolute value of a weight of any term.
    const LIMIT: i32;
    /// Explanation of the numbers for readers of the file, line by line.
    const ABOUT: &'static [&'static str];

    fn zero() -> Box<Self>;

    /// The largest absolute value of a weight of `term`: times the largest count it must have 16 bits.
    fn limit(term: &Term) -> i32 {
        Self::LIMIT.min(i32::from(i16::MAX) / term.most)
    }

    /// Names of the weights that features of `term` have at this size.
    fn columns(term: &Term, size: Size) -> &'static [&'static str];

    /// One weight: of feature number `row` of `term`, in one of its columns.
    fn get(&self, term: &Term, row: usize, column: usize) -> i32;

    /// Changes one weight to a value within [`WeightTable::limit`].
    fn set(&mut self, term: &Term, row: usize, column: usize, weight: i32);
}

/// An error reading weights from a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct WeightsError {
    pub line: usize,
    pub problem: String,
}

/// The first words of a table.
const MAGIC: &str = "tak-engine weights";
/// The names of the first columns.
const HEAD: [&str; 3] = ["term", "index", "meaning"];

/// A table of a text before parsing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    pub model: Model,
    /// The board size.
    pub size: Size,
    /// Its other lines with their numbers.
    lines: Vec<(usize, &'a str)>,
}

/// The tables of a text, at least one.
///
/// # Errors
/// [`WeightsError`] without a table, with two for the same model and size, or if anything except comments precedes the
/// first one.
pub fn sections(text: &str) -> Result<Vec<Section<'_>>, WeightsError> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    // A byte order mark is not a part of the text.
    for (index, content) in text.strip_prefix('\u{FEFF}').unwrap_or(text).lines().enumerate() {
        let line = index + 1;
        let problem = |problem| WeightsError { line, problem };
        if content.trim_ascii().is_empty() || content.starts_with('#') {
            continue;
        }
        if cells(content).next() == Some(MAGIC) {
            let (model, size) = header(content).map_err(problem)?;
            if sections.iter().any(|other| (other.model, other.size) == (model, size)) {
                return Err(problem(format!("duplicate table {model} of {size}x{size}")));
            }
            sections.push(Section { model, size, lines: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            section.lines.push((line, content));
        } else {
            return Err(problem(no_header(content)));
        }
    }
    if sections.is_empty() {
        return Err(WeightsError { line: text.lines().count().max(1), problem: no_header("") });
    }
    Ok(sections)
}

fn no_header(line: &str) -> String {
    format!("expected \"{MAGIC} | MODEL | SIZE\", found \"{line:.40}\"")
}

fn header(line: &str) -> Result<(Model, Size), String> {
    let [_, model, size] = cells(line).collect::<Vec<_>>()[..] else {
        return Err(no_header(line));
    };
    let known = Model::ALL.into_iter().find(|known| known.name() == model);
    let model =
        known.ok_or_else(|| format!("unknown model \"{model:.40}\": expected evaluation, layer or ordering"))?;
    let known = Size::ALL.into_iter().find(|known| format!("{known}x{known}") == size);
    let size = known.ok_or_else(|| format!("invalid board size \"{size:.40}\": expected 3x3 to 8x8"))?;
    Ok((model, size))
}

fn cells(line: &str) -> impl Iterator<Item = &str> {
    line.split('|').map(str::trim_ascii)
}

impl Section<'_> {
    /// Parses the table, which must be of `T`'s model.
    ///
    /// # Errors
    /// [`WeightsError`] names the first invalid line.
    pub fn read<T: WeightTable + ?Sized>(&self) -> Result<Box<T>, WeightsError> {
        debug_assert_eq!(self.model, T::MODEL);
        let mut reader = TableReader {
            size: self.size,
            table: T::zero(),
            seen: T::TERMS.iter().map(|term| vec![false; term.rows()]).collect(),
            columns: Vec::new(),
        };
        for &(line, content) in &self.lines {
            reader.line(content).map_err(|problem| WeightsError { line, problem })?;
        }
        Ok(reader.table)
    }
}

struct TableReader<'a, T: ?Sized> {
    size: Size,
    table: Box<T>,
    /// The features that have a row, by term.
    seen: Vec<Vec<bool>>,
    columns: Vec<&'a str>,
}

impl<'a, T: WeightTable + ?Sized> TableReader<'a, T> {
    fn line(&mut self, line: &'a str) -> Result<(), String> {
        let mut cells = cells(line);
        let name = cells.next().unwrap_or_default();
        if name == HEAD[0] {
            self.columns = cells.skip(HEAD.len() - 1).collect();
            return Ok(());
        }
        let number = T::TERMS.iter().position(|term| term.name == name);
        let number = number.ok_or_else(|| format!("unknown term \"{name:.40}\""))?;
        let term = &T::TERMS[number];
        let index = cells.next().unwrap_or_default();
        let row = whole(index).and_then(|row| usize::try_from(row).ok()).filter(|&row| row < term.rows());
        let row =
            row.ok_or_else(|| format!("invalid index of {name} \"{index:.40}\": expected 0 to {}", term.rows() - 1))?;
        if std::mem::replace(&mut self.seen[number][row], true) {
            return Err(format!("duplicate row for {name} {row}"));
        }
        let columns = T::columns(term, self.size);
        let places = places::<T>(&self.columns, columns).map_err(|problem| format!("{name} {problem}"))?;
        // One for the meaning.
        let weights: Vec<&str> = cells.skip(1).collect();
        let (found, expected) = (weights.len(), places.len());
        if found != expected {
            return Err(format!("{name} {row} has {found} weights, expected {expected}"));
        }
        let limit = T::limit(term);
        for (column, text) in places.into_iter().zip(weights) {
            let weight = whole(text).filter(|weight| (-limit..=limit).contains(weight)).ok_or_else(|| {
                format!("{name} {row}: invalid weight \"{text:.40}\": expected a whole number from -{limit} to {limit}")
            })?;
            self.table.set(term, row, column, weight);
        }
        Ok(())
    }
}

/// The places of the columns found among all `columns` of a term. They have the same order, and there is at least one.
fn places<T: WeightTable + ?Sized>(found: &[&str], columns: &[&str]) -> Result<Vec<usize>, String> {
    if !T::MODEL.may_lack_columns() || found.is_empty() {
        if found == columns {
            return Ok((0..columns.len()).collect());
        }
        let [expected, found] = [columns, found].map(|columns| columns.join(" | "));
        return Err(format!("has the columns {expected:.80}, not \"{found:.80}\""));
    }
    let mut rest = columns.iter().enumerate();
    let mut place = |name: &&str| {
        let place = rest.find(|(_, column)| *column == name).map(|(place, _)| place);
        place.ok_or_else(|| format!("has no column \"{name:.40}\" in this place"))
    };
    found.iter().map(&mut place).collect()
}

/// An integer without a plus sign.
fn whole(text: &str) -> Option<i32> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// Formats a table. [`sections`] and [`Section::read`] parse it again. Columns that may be missing are left out if they
/// contain only zeros.
pub fn format_table<T: WeightTable + ?Sized>(table: &T, size: Size) -> String {
    let mut rows = Vec::new();
    for term in T::TERMS {
        let columns = T::columns(term, size).len();
        for row in 0..term.rows() {
            let weights: Vec<i32> = (0..columns).map(|column| table.get(term, row, column)).collect();
            if weights.iter().any(|&weight| weight != 0) {
                rows.push((term, row, term.meaning(row), weights));
            }
        }
    }
    // The columns in use, of all terms with the same ones.
    let used = |columns: &[&str]| -> Vec<usize> {
        let is_used = |column: &usize| {
            rows.iter().any(|(term, .., weights)| T::columns(term, size) == columns && weights[*column] != 0)
        };
        (0..columns.len()).filter(|column| !T::MODEL.may_lack_columns() || is_used(column)).collect()
    };
    let [mut name_width, index_width, mut meaning_width] = HEAD.map(str::len);
    for (term, _, meaning, _) in &rows {
        name_width = name_width.max(term.name.len());
        meaning_width = meaning_width.max(meaning.len());
    }

    let mut text = format!("{MAGIC} | {} | {size}x{size}\n", T::MODEL);
    for line in T::ABOUT {
        text.push_str("# ");
        text.push_str(line);
        text.push('\n');
    }
    let mut columns: &[&str] = &[];
    let mut places = Vec::new();
    let mut last = "";
    // Writing to a String cannot fail.
    for (term, row, meaning, weights) in &rows {
        if term.name != last {
            text.push('\n');
            last = term.name;
        }
        if T::columns(term, size) != columns {
            columns = T::columns(term, size);
            places = used(columns);
            let [name, index, meaning] = HEAD;
            let _ = write!(text, "{name:name_width$} | {index} | {meaning:meaning_width$}");
            for &place in &places {
                let _ = write!(text, " | {:>MIN_COLUMN_WIDTH$}", columns[place]);
            }
            text.push('\n');
        }
        let name = term.name;
        let _ = write!(text, "{name:name_width$} | {row:index_width$} | {meaning:meaning_width$}");
        for &place in &places {
            let width = MIN_COLUMN_WIDTH.max(columns[place].len());
            let _ = write!(text, " | {:width$}", weights[place]);
        }
        text.push('\n');
    }
    text
}

/// In characters.
const MIN_COLUMN_WIDTH: usize = 5;
