//! Results as PTN writes them.

use std::fmt;

use super::leniency::{is_blank, plain};
#[cfg(feature = "cli")]
use super::{Deviations, Leniency, PtnGame, tag::is_tag};
use crate::board::{Color, EndReason, Outcome};

/// Every way to write a result; `*` is a game without one.
const RESULTS: [&str; 9] = ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0", "*"];

/// The result that a text begins with, with its length and whether it is in standard form. Read are also `R - 0`, `r-0`,
/// dashes of any kind, `R:0` and `R/0`, `1/2`, and `1-2-1-2`, as old servers wrote a draw.
pub(super) fn result_at(text: &str) -> Option<(usize, &'static str, bool)> {
    /// With blanks, and dashes of three bytes.
    const LONGEST: usize = 24;
    let line = text.lines().next().unwrap_or_default();
    let ends_word = |c: char| is_blank(c) || "{;($".contains(c);
    let ends = line.char_indices().filter(|&(_, c)| ends_word(c)).map(|(at, _)| at).chain([line.len()]);
    let ends = ends.take_while(|&end| end <= LONGEST).filter(|&end| end > 0 && !line[..end].ends_with(is_blank));
    ends.filter_map(|end| {
        let word = &line[..end];
        let is_standard = RESULTS.contains(&word);
        standard_result(word).map(|result| (end, result, is_standard))
    })
    .last()
}

/// The standard form of a result.
pub(super) fn standard_result(text: &str) -> Option<&'static str> {
    if let Some(result) = RESULTS.into_iter().find(|&result| result == text) {
        return Some(result);
    }
    let text = plain(text).unwrap_or_else(|| text.to_owned()).replace('½', "1/2").to_ascii_uppercase();
    let text: String = text.trim_end_matches(['.', ',']).chars().filter(|&c| !is_blank(c)).collect();
    let text = text.replace('O', "0");
    let text = match text.as_str() {
        "1/2" | "1-2-1-2" | "1/2:1/2" => "1/2-1/2".to_owned(),
        "1/2-1/2" => text,
        _ => text.replace([':', '/'], "-"),
    };
    RESULTS.into_iter().find(|&result| result == text)
}

/// Who has won according to a result in one of PTN's forms; `None` for a draw, no result, or any other text.
#[cfg(feature = "annotate")]
pub(crate) fn winner_of(text: &str) -> Option<Color> {
    match text {
        "R-0" | "F-0" | "1-0" => Some(Color::White),
        "0-R" | "0-F" | "0-1" => Some(Color::Black),
        _ => None,
    }
}

/// Whether a result cannot be that of a game with this outcome. A game may be resigned, lost on time, or agreed drawn before
/// it is over; a road and a win on flats are for the rules to say.
#[cfg(feature = "cli")]
fn contradicts_rules(result: &str, outcome: Option<Outcome>) -> bool {
    match outcome {
        None => ["R-0", "0-R", "F-0", "0-F"].contains(&result),
        Some(_) if !is_said(result) => false,
        Some(outcome) => match result {
            "1-0" | "0-1" => winner_of(result) != outcome.winner,
            "0-0" => outcome.winner.is_some(),
            _ => result != outcome.to_string(),
        },
    }
}

/// Whether the text of a result gives one.
#[cfg(feature = "cli")]
fn is_said(result: &str) -> bool {
    !["", "?", "*"].contains(&result)
}

#[cfg(feature = "cli")]
impl PtnGame {
    /// The reason why the results in the text of the game cannot be right, if it ended with this outcome.
    pub(crate) fn wrong_result(&self, outcome: Option<Outcome>) -> Option<String> {
        let tag = self.tag("Result").map(str::trim);
        let by_rules =
            || outcome.map_or_else(|| "the game is not over".to_owned(), |won| format!("the result is {won}"));
        for (name, result) in [("Result tag", tag), ("result", self.result.as_deref())] {
            if let Some(result) = result.filter(|result| contradicts_rules(result, outcome)) {
                return Some(format!("the {name} {result:?} contradicts the rules: {}", by_rules()));
            }
        }
        let (tag, result) = tag.zip(self.result.as_deref()).filter(|(tag, result)| is_said(tag) && is_said(result))?;
        let differ = winner_of(tag) != winner_of(result);
        differ.then(|| format!("the Result tag {tag:?} contradicts the result {result:?} after the moves"))
    }

    /// Puts right what [`PtnGame::wrong_result`] finds, and notes it. Before the end of a game by the rules the result after the
    /// moves counts, and only who won is kept of a road or a win on flats.
    pub(crate) fn correct_result(&mut self, outcome: Option<Outcome>, deviations: &mut Deviations) {
        if self.wrong_result(outcome).is_some() {
            let old = self.result.as_deref().filter(|result| is_said(result)).or(self.tag("Result")).map(str::trim);
            let right = match outcome {
                Some(outcome) => outcome.to_string(),
                None => match old.map(|old| (winner_of(old), old)) {
                    Some((Some(Color::White), _)) => "1-0".to_owned(),
                    Some((Some(Color::Black), _)) => "0-1".to_owned(),
                    Some((None, draw)) => draw.to_owned(),
                    None => "*".to_owned(),
                },
            };
            let said = [self.result.as_deref(), self.tag("Result").map(str::trim)].into_iter().flatten();
            let wrong = said.filter(|result| is_said(result)).find(|&result| result != right);
            deviations.note(Leniency::WrongResult, wrong.unwrap_or_default());
            let mut said: Vec<&mut String> = self.result.iter_mut().filter(|result| is_said(result)).collect();
            said.extend(self.tags.iter_mut().filter(|(name, _)| is_tag(name, "Result")).map(|(_, value)| value));
            for text in said {
                right.clone_into(text);
            }
        }
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
