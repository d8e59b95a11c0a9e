//! Text to board values and back: TPS for positions, PTN for moves and for files of games.
//!
//! Single values are read by `FromStr` and written by `Display`: moves, positions, sizes, komi, openings. The error for
//! a text that cannot be read is named after the value and ends in `TextError`.
//!
//! The text of a position is its TPS, which does not contain komi, reserves and the opening rule: read back, it has the
//! standard ones. To keep them, store a [`Setup`](crate::board::Setup), or a game as PTN, whose tags contain them.
//! [`PtnGame`] is the game of a text, [`PtnGame::game`] turns it into a playable one, and `PtnGame::from` does the
//! reverse.
//!
//! ```
//! # use tak_engine_core as tak_engine;
//! use tak_engine::board::{AnyPosition, Komi, Move, OpeningRule, Size};
//!
//! let mut position: AnyPosition = "x3/x,12S,x/x3 1 5".parse()?;
//! let mv: Move = "Fa1'".parse()?;
//! assert_eq!(mv.to_string(), "a1");
//! position.play(mv)?;
//! assert_eq!(position.to_string(), "x3/x,12S,x/1,x2 2 5");
//! assert_eq!("6".parse::<Size>()?.squares(), 36);
//! assert_eq!("2.5".parse::<Komi>()?.half(), 5);
//! assert_eq!("no-swap".parse::<OpeningRule>()?, OpeningRule::NoSwap);
//! // Errors give the reason and the place.
//! let error = "x3/x,12K,x/x3 1 5".parse::<AnyPosition>().unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "row 2, square b2: invalid stack \"12K\": only S or C can follow the pieces, found \"K\""
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod comment;
mod contradiction;
mod decimal;
mod game;
mod games;
mod komi;
mod leniency;
mod moves;
mod number;
mod opening;
mod ptn;
mod reader;
mod results;
mod size;
mod smallest;
mod tag;
mod tags;
mod tokens;
mod tps;
mod variations;
mod write;

pub(crate) use decimal::decimal;

pub use comment::{CommentTextError, EngineComment};
pub use game::ReplayError;
pub use games::{GameSplitter, GameText};
pub use komi::{KomiTextError, read_komi};
pub use leniency::{Deviation, Deviations, Leniency};
pub use moves::{MoveFault, MovePart, MoveTextError, moves_text, parse_move, read_move};
pub use opening::{OpeningTextError, opening_tag, parse_first_move, read_first_move};
pub use ptn::{PtnFault, PtnGame, PtnMove, PtnTextError, PtnVariation};
pub use reader::{ReadGame, begins_ptn, game_texts, parse_games, read_game, read_games};
pub use results::winner_of;
pub use size::SizeTextError;
pub use smallest::{assumed_size_warning, read_game_on_smallest_board};
pub use tags::START_TAGS;
pub use tps::{PositionTextError, SetupTextError, StackFault, canonical_tps, read_setup};

/// The start of a text, so that an error about a megabyte of junk still fits a line.
pub fn excerpt(text: &str) -> String {
    const MAX_CHARS: usize = 24;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// The first line of a text, up to about `max` bytes: whoever looks at it for each word must not read all of a long line.
fn line_start(text: &str, max: usize) -> &str {
    let end = (0..=max.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    text[..end.unwrap_or_default()].lines().next().unwrap_or_default()
}

/// Foreign text, such as a name, made safe to show in a line. Control characters, and those that change the direction
/// of the text around them, are replaced.
pub fn shown(text: &str) -> String {
    text.trim().replace(|c: char| c.is_control() || turns_text(c), "\u{fffd}")
}

/// The most characters of a name in a table.
const MAX_NAME_CHARS: usize = 24;

/// A foreign name made safe to show in a table: see [`shown`], and long ones end with `...`.
pub fn short_name(name: &str) -> String {
    let clean = shown(name);
    if clean.chars().count() <= MAX_NAME_CHARS {
        return clean;
    }
    let start: String = clean.chars().take(MAX_NAME_CHARS - 3).collect();
    start + "..."
}

/// Returns whether a character changes the text direction: embeddings, overrides, isolates and marks.
pub fn turns_text(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A count with its noun: `1 ply`, `3 plies`.
pub fn counted(count: impl Into<u64>, one: &str, many: &str) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { one } else { many })
}
