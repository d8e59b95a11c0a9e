//! Games as PTN.

use std::sync::Arc;

use pyo3::prelude::*;
use tak_engine::board::{AnyPosition, Game};
use tak_engine::notation::{
    GameText, PtnGame, PtnMove, assumed_size_warning, game_texts, parse_games, read_game_on_smallest_board,
};

use crate::errors::invalid;

/// Names and values.
pub type Tags = Vec<(String, String)>;

/// Tags that are written from the board itself.
const BOARD_TAGS: [&str; 9] = ["Size", "Komi", "Opening", "Flats", "Caps", "Flats1", "Caps1", "Flats2", "Caps2"];

/// Returns whether a tag describes the board.
fn is_of_board(name: &str) -> bool {
    name.eq_ignore_ascii_case("TPS") || BOARD_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

pub fn is_tag_of_result(name: &str) -> bool {
    name.eq_ignore_ascii_case("Result")
}

/// Returns whether a text is a result as PTN has it.
pub fn is_result(text: &str) -> bool {
    text == "*" || ends_game(text)
}

pub fn ends_game(text: &str) -> bool {
    ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0"].contains(&text)
}

/// The result among tags.
pub fn result_in(tags: &[(String, String)]) -> Option<&str> {
    let values = tags.iter().filter(|(name, _)| is_tag_of_result(name)).map(|(_, value)| value.as_str());
    values.into_iter().find(|value| ends_game(value))
}

/// A game that was read.
pub struct TextGame {
    pub game: Game,
    /// Its tags apart from those of the board.
    pub tags: Tags,
    /// The text itself, if it has more than tags and moves.
    pub notes: Option<Arc<PtnGame>>,
    /// The assumptions of the reader, and the places where the text is not standard.
    pub warning: Option<String>,
}

/// Reads a game and plays it; an error has its line.
pub fn read(text: &GameText) -> PyResult<TextGame> {
    let mut read = read_game_on_smallest_board(text);
    if let Some(fault) = &read.fault {
        return Err(invalid(fault));
    }
    let mut game = Game::new(
        AnyPosition::from_setup(&read.game.start)
            .map_err(|reason| invalid(format!("line {}: cannot start: {reason}", read.line(usize::MAX))))?,
    );
    for (plies, played) in read.game.moves.iter().enumerate() {
        if game.play(played.mv).is_err() {
            // The same again, for its words.
            let error = read.game.game().err();
            let reason = error.map(|error| error.to_string()).unwrap_or_default();
            return Err(invalid(format!("line {}: {reason}", read.line(plies))));
        }
    }
    let mut warnings = Vec::new();
    if let Some(size) = read.assumed_size {
        warnings.push(format!("line {}: {}", read.line(usize::MAX), assumed_size_warning(size)));
    }
    // The missing size is one of them.
    if read.deviations.count() > warnings.len() {
        warnings.push(read.deviations.to_string());
    }
    let warning = (!warnings.is_empty()).then(|| warnings.join("; "));
    let mut tags = std::mem::take(&mut read.game.tags);
    keep_result(&mut tags, &game, read.game.result.as_deref());
    let notes = has_notes(&read.game).then(|| Arc::new(read.game));
    Ok(TextGame { game, tags, notes, warning })
}

/// Leaves out the tags of the board, and the result that follows from the rules. Another result that comes after the
/// moves alone becomes a tag.
pub fn keep_result(tags: &mut Tags, game: &Game, after_moves: Option<&str>) {
    let by_rules = game.position().outcome().map(|outcome| outcome.to_string());
    tags.retain(|(name, value)| !(is_of_board(name) || is_tag_of_result(name) && Some(value) == by_rules.as_ref()));
    if let (None, None, Some(result)) = (by_rules, result_in(tags), after_moves.filter(|text| ends_game(text))) {
        tags.retain(|(name, _)| !is_tag_of_result(name));
        tags.push(("Result".to_owned(), result.to_owned()));
    }
}

/// Returns whether a text has more than tags and moves.
fn has_notes(ptn: &PtnGame) -> bool {
    let is_noted = |played: &PtnMove| !played.marks.is_empty() || !played.comments.is_empty();
    !ptn.comments.is_empty() || !ptn.variations.is_empty() || ptn.result.is_some() || ptn.moves.iter().any(is_noted)
}

/// The one game of a text.
pub fn read_one(text: &str) -> PyResult<TextGame> {
    let mut games = game_texts(text);
    let first = games.next().ok_or_else(|| invalid("there is no game in the text"))?;
    match games.next() {
        None => read(&first),
        Some(next) => Err(invalid(format!("line {}: another game begins, expected one", next.line))),
    }
}

/// Returns whether a name is one in standard PTN.
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns whether the reader finds a tag of this name.
pub fn is_readable_name(name: &str) -> bool {
    let read = parse_games(&format!("[{name} \"\"]\n[Size \"5\"]\n")).next();
    read.is_some_and(|read| read.is_ok_and(|game| game.tags.len() == 2 && game.tags[0].0.eq_ignore_ascii_case(name)))
}

/// Raises ValueError for tags that cannot be written beside those of the board.
pub fn check(tags: &[(String, String)], is_name: impl Fn(&str) -> bool) -> PyResult<()> {
    if let Some((name, _)) = tags.iter().find(|(name, _)| !is_name(name) || is_of_board(name)) {
        return Err(invalid(format!("{name:?} is no name for a tag, or that of a tag that the board gives")));
    }
    let is_wrong = |value: &str| !is_result(value) && !["", "?"].contains(&value.trim());
    match tags.iter().find(|(name, value)| is_tag_of_result(name) && is_wrong(value)) {
        Some((_, value)) => Err(invalid(format!("invalid result {value:?}"))),
        None => Ok(()),
    }
}

/// The moves of a game with tags of its own, and what the text says from which it was read, as far as the moves are the
/// same.
pub fn noted(game: &Game, own: &Tags, notes: Option<&PtnGame>) -> PtnGame {
    let mut ptn = PtnGame::from(game);
    let Some(notes) = notes else { return ptn };
    let same = ptn.moves.iter().zip(&notes.moves).take_while(|(played, noted)| played.mv == noted.mv).count();
    ptn.comments.clone_from(&notes.comments);
    ptn.moves[..same].clone_from_slice(&notes.moves[..same]);
    ptn.variations.clone_from(&notes.variations);
    ptn.keep_variations_up_to(same);
    if ptn.result.is_none() && same == ptn.moves.len() && same == notes.moves.len() {
        let is_kept = |result: &&String| *result == "*" || result_in(own).is_some();
        ptn.result = notes.result.as_ref().filter(is_kept).cloned();
    }
    ptn
}

/// The text of a game with its own tags, and others, which replace them.
pub fn write(game: &Game, own: &Tags, notes: Option<&PtnGame>, tags: Tags) -> PyResult<String> {
    check(&tags, is_name)?;
    let by_rules = game.position().outcome().map(|outcome| outcome.to_string());
    let mut ptn = noted(game, own, notes);
    let is_in = |tags: &[(String, String)], name: &str| tags.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    ptn.result = by_rules
        .or_else(|| result_in(&tags).map(str::to_owned))
        .or_else(|| ptn.result.take().filter(|_| !is_in(&tags, "Result")))
        .or_else(|| result_in(own).filter(|_| !is_in(&tags, "Result")).map(str::to_owned));
    let kept = own.iter().filter(|(name, _)| !is_in(&tags, name) && !is_in(&ptn.tags, name)).cloned();
    let mut all: Tags = kept.collect();
    all.extend(tags);
    ptn.tags.retain(|(name, _)| !is_in(&all, name));
    all.append(&mut ptn.tags);
    ptn.tags = all;
    Ok(ptn.to_string())
}
