//! Games as PTN.

use pyo3::prelude::*;
use tak_engine::board::{AnyPosition, Game};
use tak_engine::notation::{PtnGame, ReadGame, read_games};

use crate::errors::invalid;

/// A game with the tags of its text, apart from those of the board.
pub struct TaggedGame {
    pub game: Game,
    pub tags: Vec<(String, String)>,
}

/// Tags that are written from the board itself.
const BOARD_TAGS: [&str; 9] = ["Size", "Komi", "Opening", "Flats", "Caps", "Flats1", "Caps1", "Flats2", "Caps2"];

/// Returns whether a tag describes the board.
fn is_of_board(name: &str) -> bool {
    name.eq_ignore_ascii_case("TPS") || BOARD_TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

fn is_tag_of_result(name: &str) -> bool {
    name.eq_ignore_ascii_case("Result")
}

/// Returns whether a text is a result as PTN has it.
fn is_result(text: &str) -> bool {
    ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0", "*"].contains(&text)
}

/// A game that was read; an error has its line.
pub fn playable(read: ReadGame) -> PyResult<TaggedGame> {
    let lines = read.clone();
    if let Some(fault) = read.fault {
        return Err(invalid(fault));
    }
    let mut game = Game::new(
        AnyPosition::from_setup(&read.game.start)
            .map_err(|reason| invalid(format!("line {}: cannot start: {reason}", lines.line(usize::MAX))))?,
    );
    for (plies, played) in read.game.moves.iter().enumerate() {
        if game.play(played.mv).is_err() {
            // The same again, for its words.
            let error = read.game.game().err();
            let reason = error.map(|error| error.to_string()).unwrap_or_default();
            return Err(invalid(format!("line {}: {reason}", lines.line(plies))));
        }
    }
    let mut tags = read.game.tags;
    // The result by the rules is written by itself.
    let by_rules = game.position().outcome().map(|outcome| outcome.to_string());
    tags.retain(|(name, value)| !(is_of_board(name) || is_tag_of_result(name) && Some(value) == by_rules.as_ref()));
    Ok(TaggedGame { game, tags })
}

/// The one game of a text.
pub fn read_one(text: &str) -> PyResult<TaggedGame> {
    let mut games = read_games(text);
    let first = games.next().ok_or_else(|| invalid("there is no game in the text"))?;
    match games.next() {
        None => playable(first),
        Some(next) => Err(invalid(format!("line {}: another game begins, expected one", next.line(usize::MAX)))),
    }
}

/// The text of a game with its own tags, and others, which come first.
pub fn write(game: &Game, own: &[(String, String)], tags: Vec<(String, String)>) -> PyResult<String> {
    let mut ptn = PtnGame::from(game);
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if let Some((name, _)) = tags.iter().find(|(name, _)| !is_name(name) || is_of_board(name)) {
        return Err(invalid(format!("{name:?} is no name for a tag, or that of a tag that the board gives")));
    }
    if let Some((_, value)) = tags.iter().find(|(name, value)| is_tag_of_result(name) && !is_result(value)) {
        return Err(invalid(format!("invalid result {value:?}")));
    }
    let is_in = |tags: &[(String, String)], name: &str| tags.iter().any(|(other, _)| other.eq_ignore_ascii_case(name));
    let kept = own.iter().filter(|(name, _)| !is_in(&tags, name) && !is_in(&ptn.tags, name)).cloned();
    let mut all: Vec<_> = kept.collect();
    all.extend(tags);
    ptn.tags.retain(|(name, _)| !is_in(&all, name));
    all.append(&mut ptn.tags);
    ptn.result = ptn.result.or_else(|| {
        all.iter().find(|(name, value)| is_tag_of_result(name) && is_result(value)).map(|(_, value)| value.clone())
    });
    ptn.tags = all;
    Ok(ptn.to_string())
}
