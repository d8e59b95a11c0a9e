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
//! without a row has weight 0. A text may contain several tables.

use std::fmt::Write;

use super::{Model, Term};
use crate::board::Size;

/// A table of weights that can be stored in a file.
///
/// ```
/// use tak_engine::eval::Weights;
/// use tak_engine::weights::WeightTable;
///
/// let mut weights = Weights::zero();
/// let term = &Weights::TERMS[0];
/// weights.set(term, 0, 1, -25);
/// assert_eq!(weights.get(term, 0, 1), -25);
/// ```
pub trait WeightTable {
    /// The model.
    const MODEL: Model;
    /// The terms.
    const TERMS: &'static [Term];
    /// Names of removed terms, whose rows are skipped.
    const GONE: &'static [&'static str];
    /// The largest absolute value of a weight.
    const LIMIT: i32;
    /// Explanation of the numbers for readers of the file, line by line.
    const ABOUT: &'static [&'static str];

    /// A table of zeros.
    fn zero() -> Box<Self>;

    /// Names of the weights that features of `term` have at this size.
    fn columns(term: &Term, size: Size) -> &'static [&'static str];

    /// One weight: of feature number `row` of `term`, in one of its columns.
    fn get(&self, term: &Term, row: usize, column: usize) -> i32;

    /// Changes one weight to a value within [`WeightTable::LIMIT`].
    fn set(&mut self, term: &Term, row: usize, column: usize, weight: i32);
}

/// An error reading weights from a text.
///
/// ```
/// use tak_engine::weights::sections;
///
/// let error = sections("# mine\nflats by square | 0 | a1 | 12").unwrap_err();
/// assert_eq!(error.line, 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// The problem with it.
    pub problem: Problem,
}

/// An invalid line.
///
/// ```
/// use tak_engine::weights::{Problem, sections};
///
/// let error = sections("tak-engine weights | openings | 5x5").unwrap_err();
/// assert_eq!(error.problem, Problem::Model("openings".into()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A line outside a table.
    #[error("expected \"{MAGIC} | MODEL | SIZE\", found \"{0:.40}\"")]
    NoHeader(String),
    /// An unknown model.
    #[error("unknown model \"{0:.40}\": expected evaluation, layer or ordering")]
    Model(String),
    /// An invalid board size.
    #[error("invalid board size \"{0:.40}\": expected 3x3 to 8x8")]
    Size(String),
    /// An unknown term.
    #[error("unknown term \"{0:.40}\"")]
    UnknownTerm(String),
    /// An invalid index.
    #[error("invalid index of {term} \"{found:.40}\": expected 0 to {last}")]
    Index {
        /// The term.
        term: &'static str,
        /// The text of the index.
        found: String,
        /// The highest index.
        last: usize,
    },
    /// A second row for one feature.
    #[error("duplicate row for {term} {index}")]
    Repeated {
        /// The term.
        term: &'static str,
        /// The feature's number in it.
        index: usize,
    },
    /// A row below the wrong columns.
    #[error("{term} has the columns {expected}, not \"{found:.80}\"")]
    Columns {
        /// The term.
        term: &'static str,
        /// Its columns.
        expected: String,
        /// Those named above the row.
        found: String,
    },
    /// Too few or too many weights.
    #[error("{term} {index} has {found} weights, expected {expected}")]
    Count {
        /// The term.
        term: &'static str,
        /// The feature's number in it.
        index: usize,
        /// Their number.
        found: usize,
        /// The expected number.
        expected: usize,
    },
    /// A weight that is not a number, or too large.
    #[error("{term} {index}: invalid weight \"{found:.40}\": expected a whole number from -{limit} to {limit}")]
    Weight {
        /// The term.
        term: &'static str,
        /// The feature's number in it.
        index: usize,
        /// The text of the weight.
        found: String,
        /// The largest weight.
        limit: i32,
    },
}

/// The first words of a table.
const MAGIC: &str = "tak-engine weights";
/// The names of the first columns.
const HEAD: [&str; 3] = ["term", "index", "meaning"];

/// A table of a text before parsing.
///
/// ```
/// use tak_engine::board::Size;
/// use tak_engine::eval::{Weights, weights};
/// use tak_engine::weights::{format_table, sections};
///
/// let text = format_table(weights(Size::new(4)?), Size::new(4)?);
/// let [section] = &sections(&text)?[..] else { panic!("one table") };
/// assert_eq!(section.size.width(), 4);
/// assert_eq!(*section.read::<Weights>()?, *weights(Size::new(4)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// The model.
    pub model: Model,
    /// The board size.
    pub size: Size,
    /// Its other lines with their numbers.
    lines: Vec<(usize, &'a str)>,
}

/// The tables of a text, at least one.
///
/// # Errors
/// [`WeightsError`] without a table, or if anything except comments precedes the first one.
pub fn sections(text: &str) -> Result<Vec<Section<'_>>, WeightsError> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    for (index, content) in text.lines().enumerate() {
        let line = index + 1;
        let problem = |problem| WeightsError { line, problem };
        if content.trim_ascii().is_empty() || content.starts_with('#') {
            continue;
        }
        if cells(content).next() == Some(MAGIC) {
            let (model, size) = header(content).map_err(problem)?;
            sections.push(Section { model, size, lines: Vec::new() });
        } else if let Some(section) = sections.last_mut() {
            section.lines.push((line, content));
        } else {
            return Err(problem(Problem::NoHeader(content.to_owned())));
        }
    }
    if sections.is_empty() {
        return Err(WeightsError { line: text.lines().count().max(1), problem: Problem::NoHeader(String::new()) });
    }
    Ok(sections)
}

fn header(line: &str) -> Result<(Model, Size), Problem> {
    let [_, model, size] = cells(line).collect::<Vec<_>>()[..] else {
        return Err(Problem::NoHeader(line.to_owned()));
    };
    let known = Model::ALL.into_iter().find(|known| known.name() == model);
    let model = known.ok_or_else(|| Problem::Model(model.to_owned()))?;
    let size = Size::ALL
        .into_iter()
        .find(|known| format!("{known}x{known}") == size)
        .ok_or_else(|| Problem::Size(size.to_owned()))?;
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
    /// The current columns.
    columns: Vec<&'a str>,
}

impl<'a, T: WeightTable + ?Sized> TableReader<'a, T> {
    fn line(&mut self, line: &'a str) -> Result<(), Problem> {
        let mut cells = cells(line);
        let name = cells.next().unwrap_or_default();
        if name == HEAD[0] {
            self.columns = cells.skip(HEAD.len() - 1).collect();
            return Ok(());
        }
        if T::GONE.contains(&name) {
            return Ok(());
        }
        let number =
            T::TERMS.iter().position(|term| term.name == name).ok_or_else(|| Problem::UnknownTerm(name.to_owned()))?;
        let term = &T::TERMS[number];
        let index = cells.next().unwrap_or_default();
        let row = whole(index)
            .and_then(|row| usize::try_from(row).ok())
            .filter(|&row| row < term.rows())
            .ok_or_else(|| Problem::Index { term: term.name, found: index.to_owned(), last: term.rows() - 1 })?;
        if std::mem::replace(&mut self.seen[number][row], true) {
            return Err(Problem::Repeated { term: term.name, index: row });
        }
        let columns = T::columns(term, self.size);
        if self.columns != columns {
            return Err(Problem::Columns {
                term: term.name,
                expected: columns.join(" | "),
                found: self.columns.join(" | "),
            });
        }
        // One for the meaning.
        let weights: Vec<&str> = cells.skip(1).collect();
        if weights.len() != columns.len() {
            return Err(Problem::Count { term: term.name, index: row, found: weights.len(), expected: columns.len() });
        }
        for (column, text) in weights.into_iter().enumerate() {
            let weight = whole(text).filter(|weight| (-T::LIMIT..=T::LIMIT).contains(weight)).ok_or_else(|| {
                Problem::Weight { term: term.name, index: row, found: text.to_owned(), limit: T::LIMIT }
            })?;
            self.table.set(term, row, column, weight);
        }
        Ok(())
    }
}

/// An integer without a plus sign.
fn whole(text: &str) -> Option<i32> {
    text.parse().ok().filter(|_| !text.starts_with('+'))
}

/// Formats a table. [`sections`] and [`Section::read`] parse it again.
#[must_use]
pub fn format_table<T: WeightTable + ?Sized>(table: &T, size: Size) -> String {
    let mut rows = Vec::new();
    for term in T::TERMS {
        let columns = T::columns(term, size);
        for row in 0..term.rows() {
            let weights = (0..columns.len()).map(|column| table.get(term, row, column));
            let weights: Vec<i32> = weights.collect();
            if weights.iter().any(|&weight| weight != 0) {
                rows.push((term, row, term.meaning(row), weights));
            }
        }
    }
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
    let mut last = "";
    // Writing to a String cannot fail.
    for (term, row, meaning, weights) in rows {
        if term.name != last {
            text.push('\n');
            last = term.name;
        }
        if T::columns(term, size) != columns {
            columns = T::columns(term, size);
            let [name, index, meaning] = HEAD;
            let _ = write!(text, "{name:name_width$} | {index} | {meaning:meaning_width$}");
            for column in columns {
                let _ = write!(text, " | {column:>NUMBER$}");
            }
            text.push('\n');
        }
        let name = term.name;
        let _ = write!(text, "{name:name_width$} | {row:index_width$} | {meaning:meaning_width$}");
        for (column, weight) in columns.iter().zip(weights) {
            let width = NUMBER.max(column.len());
            let _ = write!(text, " | {weight:width$}");
        }
        text.push('\n');
    }
    text
}

/// The minimum width of a column of weights.
const NUMBER: usize = 5;

#[cfg(test)]
mod tests {
    use super::*;

    mod toy {
        use crate::weights::{Axis, catalogue};

        catalogue! {
            gone ["removed"];
            /// Kept.
            KEPT: "kept" [Axis::count("number", 2)];
            /// Missing in old files.
            ADDED: "added" [];
        }
    }

    impl WeightTable for [i8; toy::FEATURES] {
        const MODEL: Model = Model::Evaluation;
        const TERMS: &'static [Term] = toy::TERMS;
        const GONE: &'static [&'static str] = toy::GONE;
        const LIMIT: i32 = 100;
        const ABOUT: &'static [&'static str] = &["About."];

        fn zero() -> Box<Self> {
            Box::new([0; toy::FEATURES])
        }

        fn columns(_: &Term, _: Size) -> &'static [&'static str] {
            &["weight"]
        }

        fn get(&self, term: &Term, row: usize, _: usize) -> i32 {
            self[term.start + row].into()
        }

        fn set(&mut self, term: &Term, row: usize, _: usize, weight: i32) {
            self[term.start + row] = weight as i8;
        }
    }

    #[test]
    fn files_of_an_older_catalogue_still_load() {
        let old = "\
tak-engine weights | evaluation | 3x3
term    | index | meaning  | weight
kept    |     1 | number 1 |    -30
removed |     0 |          |      9
";
        let table: Box<[i8; toy::FEATURES]> = sections(old).unwrap()[0].read().unwrap();
        assert_eq!(*table, [0, -30, 0]);
        let now = "\
tak-engine weights | evaluation | 3x3
# About.

term | index | meaning  | weight
kept |     1 | number 1 |    -30
";
        assert_eq!(format_table(&*table, Size::ALL[0]), now);
    }
}
