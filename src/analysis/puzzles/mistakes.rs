//! Moves of a game that were mistakes where one move alone is right.

use super::best::Searches;
use super::proof::{Limits, Reject};
use super::puzzle::Kind;
use crate::analysis::annotate::judge::{MISTAKE_POINTS, lead};
use crate::board::{ByColor, Color, Move};
use crate::search::Score;

/// The kinds of puzzles out of mistakes. A position is one puzzle, of the first kind that fits: a proof counts more than
/// searches.
pub const KINDS: [Kind; 4] = [Kind::Tinue, Kind::Flats, Kind::Defence, Kind::Best];

/// The players whose mistakes are looked for, by the names in the tags of their game. Without `name` all are.
pub fn players(name: Option<&str>, tag: impl Fn(&str) -> Option<String>) -> ByColor<bool> {
    let is_wanted = |color: Color| {
        let tag = tag(["Player1", "Player2"][color.index()]);
        name.is_none_or(|name| tag.is_some_and(|tag| tag.trim().to_lowercase() == name.trim().to_lowercase()))
    };
    ByColor(Color::ALL.map(is_wanted))
}

/// Returns whether the move played in place of the right one of a puzzle loses as much as a mistake in an annotated game.
pub fn is_mistake(
    searches: &mut Searches<'_>,
    kind: Kind,
    right: Move,
    played: Move,
    limits: Limits,
) -> Result<bool, Reject> {
    if played == right {
        return Ok(false);
    }
    let mut score_of = |mv| searches.after(mv, limits.extra())?.map(|(score, _)| score).ok_or(Reject::No);
    // What is proven needs no search.
    let (best, other) = match kind {
        Kind::Tinue | Kind::Flats => (Score::win_in(1), score_of(played)?),
        Kind::Defence => (score_of(right)?, Score::loss_in(2)),
        // All moves but the right ones are worse by more points.
        Kind::Best => return Ok(true),
    };
    Ok(lead(best, other) >= MISTAKE_POINTS)
}
