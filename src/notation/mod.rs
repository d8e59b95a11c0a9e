//! Text to board values and back: TPS for positions, PTN for moves and for files of games.
//!
//! ```
//! use tak_engine::notation::{format_move, format_tps, parse_move, parse_tps};
//!
//! let setup = parse_tps("x3/x,12S,x/x3 1 5").unwrap();
//! assert_eq!(format_tps(&setup), "x3/x,12S,x/x3 1 5");
//! let mv = parse_move("Fa1'", setup.size).unwrap();
//! assert_eq!(format_move(mv), "a1");
//! ```

mod komi;
mod moves;
mod opening;
mod ptn;
mod results;
mod tps;

pub use komi::{KomiTextError, parse_komi};
pub use moves::{MoveError, format_move, parse_move};
pub use opening::{OpeningTextError, opening_tag, parse_first_move, parse_opening};
pub use ptn::{PtnError, PtnErrorKind, PtnGame, PtnMove, parse_games};
pub use results::format_outcome;
pub use tps::{TpsError, format_tps, parse_tps};

/// The start of a text, so that an error about a megabyte of junk still fits a line.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 24;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
