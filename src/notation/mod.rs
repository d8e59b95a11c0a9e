//! Text to board values and back: TPS for positions, PTN for moves and for files of games.
//!
//! Moves, sizes, komi and positions have `FromStr` and `Display`:
//!
//! ```
//! use tak_engine::board::{Move, Position, Setup};
//! use tak_engine::notation::parse_move;
//!
//! let setup: Setup = "x3/x,12S,x/x3 1 5".parse()?;
//! let position: Position<3> = setup.position()?;
//! assert_eq!(position.to_string(), "x3/x,12S,x/x3 1 5");
//! let mv: Move = "Fa1'".parse()?;
//! assert_eq!(mv.to_string(), "a1");
//! // Only with a size can it be told that a square is not on the board.
//! let error = parse_move("Cf2", setup.size).unwrap_err();
//! assert_eq!(error.to_string(), "\"Cf2\" is no move: square f2 is not on a 3x3 board");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod komi;
mod moves;
mod opening;
mod ptn;
mod results;
mod size;
mod tps;

pub use komi::{KomiTextError, parse_komi};
pub use moves::{MoveError, MoveFault, MovePart, format_move, parse_move};
pub use opening::{OpeningTextError, opening_tag, parse_first_move, parse_opening};
pub use ptn::{PtnError, PtnErrorKind, PtnGame, PtnMove, parse_games};
pub use results::format_outcome;
pub use size::SizeTextError;
pub use tps::{PositionError, StackFault, TpsError, canonical_tps, format_tps, parse_tps};

/// The start of a text, so that an error about a megabyte of junk still fits a line.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
