//! Tables of texts and numbers, for a terminal and for a page.

use maud::{Markup, Render, html};

use super::isolated;

/// Columns with titles. The first ones hold text, the others numbers.
pub struct Table {
    /// One for each column.
    pub titles: Vec<String>,
    /// The number of columns with text.
    pub texts: usize,
    /// A text for each column.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table whose first column holds text.
    pub fn new<const N: usize>(titles: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> Self {
        Self {
            titles: titles.map(str::to_owned).into(),
            texts: 1,
            rows: rows.into_iter().map(<[String; N]>::into).collect(),
        }
    }
}

/// Names with their values, one below the other.
pub fn list<N: Render, V: Render>(entries: impl IntoIterator<Item = (N, V)>) -> Markup {
    html! {
        dl {
            @for (name, value) in entries {
                dt { (name) }
                dd { (value) }
            }
        }
    }
}

/// Columns as wide as their widest entry: texts to the left, numbers to the right.
#[cfg(feature = "cli")]
impl std::fmt::Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write;

        use unicode_width::UnicodeWidthStr;

        let lines = || std::iter::once(&self.titles).chain(&self.rows);
        let width = |column: usize| lines().map(|line| line[column].width()).max().unwrap_or(0);
        let widths: Vec<usize> = (0..self.titles.len()).map(width).collect();
        for line in lines() {
            let mut text = String::new();
            for (column, (cell, &width)) in line.iter().zip(&widths).enumerate() {
                // A character may take two columns of a terminal, or none.
                let rest = " ".repeat(width - cell.width());
                let [before, after] = if column < self.texts { ["", &rest] } else { [&rest, ""] };
                write!(text, "{before}{cell}{after}  ")?;
            }
            writeln!(f, "{}", text.trim_end())?;
        }
        Ok(())
    }
}

/// The first column holds names.
impl Render for Table {
    fn render(&self) -> Markup {
        let class = |column: usize| (column < self.texts).then_some("text");
        html! {
            div.wide {
                table {
                    tr {
                        @for (column, title) in self.titles.iter().enumerate() {
                            th class=[class(column)] { (title) }
                        }
                    }
                    @for row in &self.rows {
                        tr {
                            @for (column, cell) in row.iter().enumerate() {
                                @if column == 0 {
                                    td.text.name { (isolated(cell)) }
                                } @else {
                                    td class=[class(column)] { (cell) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}
