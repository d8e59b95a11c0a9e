//! Results as PTN writes them.

use std::fmt;

use super::leniency::{is_blank, plain};
use super::line_start;
use crate::board::{Color, EndReason, Outcome};

/// Every way to write a result; `*` is a game without one.
const RESULTS: [&str; 9] = ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0", "*"];

/// Bytes of a result with blanks, and dashes of three bytes.
const MAX_BYTES: usize = 24;

/// The result that a text begins with, its length, and whether it is in standard form. It ends before a character that
/// `ends_word`. Also accepts `R - 0`, `r-0`, dashes of any kind, `R:0` and `R/0`, `1/2`, `0.5-0.5`, and `1-2-1-2`, as
/// old servers wrote a draw.
pub(super) fn result_at(text: &str, ends_word: impl Fn(char) -> bool) -> Option<(usize, &'static str, bool)> {
    // Most words are moves and numbers.
    let may_begin = match *text.as_bytes() {
        [] | [b'1', b'.', ..] => false,
        [b'.' | b',', second, ..] => second == b'5',
        [first, second, ..] if first.is_ascii() => b"RrFfOo01*".contains(&first) && !second.is_ascii_alphanumeric(),
        [first, ..] => !first.is_ascii() || first == b'*',
    };
    if !may_begin {
        return None;
    }
    // With another character, by which a longer line is known.
    let line = line_start(text, MAX_BYTES + 4);
    let ends = line.char_indices().filter(|&(_, c)| ends_word(c)).map(|(at, _)| at).chain([line.len()]);
    let ends = ends.take_while(|&end| end <= MAX_BYTES).filter(|&end| end > 0 && !line[..end].ends_with(is_blank));
    ends.filter_map(|end| {
        let word = &line[..end];
        let is_standard = RESULTS.contains(&word);
        standard_result(word).map(|result| (end, result, is_standard))
    })
    .last()
}

/// One of [`RESULTS`] for any way to write it; `None` for other texts.
pub(super) fn standard_result(text: &str) -> Option<&'static str> {
    if let Some(result) = RESULTS.into_iter().find(|&result| result == text) {
        return Some(result);
    }
    let text = plain(text).unwrap_or_else(|| text.to_owned()).replace('½', "1/2").to_ascii_uppercase();
    let text = text.trim_end_matches(['.', ',']);
    // A backtick that some programs leave behind it. Apart from it or after a `*` that would be a mark.
    let bare = text.trim_end_matches(['.', ',', '\'']);
    let text = if bare == "*" || bare.ends_with(is_blank) { text } else { bare };
    let text: String = text.chars().filter(|&c| !is_blank(c)).collect();
    let text = text.replace('O', "0").replace(',', ".");
    let text = match text.as_str() {
        "1/2" | "1/2:1/2" | "1-2-1-2" | "0.5-0.5" | ".5-.5" | "0.5:0.5" | ".5:.5" => "1/2-1/2".to_owned(),
        "1/2-1/2" => text,
        _ => text.replace([':', '/'], "-"),
    };
    RESULTS.into_iter().find(|&result| result == text)
}

/// The winner according to a result in one of PTN's forms; `None` for a draw, no result, or any other text.
pub fn winner_of(text: &str) -> Option<Color> {
    match text {
        "R-0" | "F-0" | "1-0" => Some(Color::White),
        "0-R" | "0-F" | "0-1" => Some(Color::Black),
        _ => None,
    }
}

/// As in PTN: `R-0`, `0-R`, `F-0`, `0-F` or `1/2-1/2`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match (self.winner, self.reason) {
            (Some(Color::White), EndReason::Road) => "R-0",
            (Some(Color::Black), EndReason::Road) => "0-R",
            (Some(Color::White), _) => "F-0",
            (Some(Color::Black), _) => "0-F",
            (None, _) => "1/2-1/2",
        })
    }
}
