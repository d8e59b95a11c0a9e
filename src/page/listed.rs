//! The games of a file with what a library needs to know of them.

use serde::Serialize;

use super::notation::result_of;
use crate::analysis::explore::MAX_GAME_BYTES;
use crate::board::Color;
use crate::notation::{GameText, START_TAGS, read_game};

/// A game of a file, with its text as it was read.
#[derive(Debug, Serialize)]
pub struct Listed {
    text: String,
    white: String,
    black: String,
    size: usize,
    half_komi: i64,
    date: String,
    /// By the rules or by the text; empty if it is not known.
    result: String,
    plies: usize,
    /// The values of the other tags.
    tags: String,
}

/// Tags with fields of their own, or with nothing to be searched for.
const OWN_TAGS: [&str; 6] = ["Player1", "Player2", "Result", "Date", "Time", "Points"];

impl Listed {
    /// Reads a game to its end.
    ///
    /// # Errors
    /// A sentence on what is damaged.
    pub fn read(text: GameText) -> Result<Self, String> {
        if text.text.len() > MAX_GAME_BYTES {
            return Err(format!("line {}: longer than {} MiB", text.line, MAX_GAME_BYTES >> 20));
        }
        let read = read_game(&text, None);
        if let Some(fault) = &read.fault {
            return Err(fault.to_string());
        }
        let game = &read.game;
        let played = game.game().map_err(|error| format!("line {}: {error}", text.line))?;
        let outcome = played.position().outcome().map(|outcome| outcome.to_string());
        let player = |color| game.player(color).unwrap_or_default().to_owned();
        let is_own = |tag: &str| OWN_TAGS.into_iter().chain(START_TAGS).any(|own| own.eq_ignore_ascii_case(tag));
        let others = game.tags.iter().filter(|(tag, _)| !is_own(tag)).map(|(_, value)| value.as_str());
        Ok(Self {
            white: player(Color::White),
            black: player(Color::Black),
            size: game.start.size.width(),
            half_komi: game.start.komi.half().into(),
            date: game.tag("Date").unwrap_or_default().to_owned(),
            result: result_of(game).map(str::to_owned).or(outcome).unwrap_or_default(),
            plies: game.moves.len(),
            tags: others.collect::<Vec<_>>().join(" "),
            text: text.text,
        })
    }
}
