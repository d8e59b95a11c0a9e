//! Results that contradict the rules or each other.

use super::results::winner_of;
use super::{Deviations, Leniency, PtnGame, tag::is_tag};
use crate::board::Outcome;

/// Returns whether a result is impossible in a game with this outcome. A game may be resigned, lost on time, or agreed
/// drawn before it is over; a road or a win on flats must follow from the rules.
fn contradicts_rules(result: &str, outcome: Option<Outcome>) -> bool {
    match outcome {
        None => ["R-0", "0-R", "F-0", "0-F"].contains(&result),
        Some(_) if !has_result(result) => false,
        Some(outcome) => match result {
            "1-0" | "0-1" => winner_of(result) != outcome.winner,
            "0-0" => outcome.winner.is_some(),
            _ => result != outcome.to_string(),
        },
    }
}

/// Returns whether the text contains a result.
fn has_result(result: &str) -> bool {
    !["", "?", "*"].contains(&result)
}

impl PtnGame {
    /// The reason why the results in the text of the game cannot be right, if it ended with this outcome.
    pub fn wrong_result(&self, outcome: Option<Outcome>) -> Option<String> {
        let tag = self.tag("Result").map(str::trim);
        let by_rules =
            || outcome.map_or_else(|| "the game is not over".to_owned(), |won| format!("the result is {won}"));
        for (name, result) in [("Result tag", tag), ("result", self.result.as_deref())] {
            if let Some(result) = result.filter(|result| contradicts_rules(result, outcome)) {
                return Some(format!("the {name} {result:?} contradicts the rules: {}", by_rules()));
            }
        }
        let (tag, result) =
            tag.zip(self.result.as_deref()).filter(|(tag, result)| has_result(tag) && has_result(result))?;
        let differ = winner_of(tag) != winner_of(result);
        differ.then(|| format!("the Result tag {tag:?} contradicts the result {result:?} after the moves"))
    }

    /// Corrects the fault that [`PtnGame::wrong_result`] finds, and notes it. If the game is not over by the rules, the
    /// correct result is unknown, so nothing changes.
    pub fn correct_result(&mut self, outcome: Option<Outcome>, deviations: &mut Deviations) {
        if let Some(right) = outcome.filter(|_| self.wrong_result(outcome).is_some()) {
            let right = right.to_string();
            let said = [self.result.as_deref(), self.tag("Result").map(str::trim)].into_iter().flatten();
            let wrong = said.filter(|result| has_result(result)).find(|&result| result != right);
            deviations.note(Leniency::WrongResult, wrong.unwrap_or_default());
            let mut said: Vec<&mut String> = self.result.iter_mut().filter(|result| has_result(result)).collect();
            said.extend(self.tags.iter_mut().filter(|(name, _)| is_tag(name, "Result")).map(|(_, value)| value));
            for text in said {
                right.clone_into(text);
            }
        }
    }
}
