//! Puzzles with a single right answer, out of games.
//!
//! A `finder` goes through the positions of a game. If a short search finds that one move may be right and all others
//! wrong, it asks for a proof: `wins` proves forced roads and wins on flats, `defence` the only move that does not lose.
//! `best` judges by long searches if nothing can be proven. `mistakes` says whether the move played was a mistake.
//! `tree` adds the defences, `difficulty` measures how hard the solution is to find, `themes` says what it is about. The
//! outcome is a `puzzle`, plain data, which becomes text in `json` and `ptn`.

pub mod best;
pub mod defence;
pub mod difficulty;
pub mod finder;
pub mod json;
pub mod mistakes;
pub mod proof;
pub mod ptn;
pub mod puzzle;
pub mod themes;
pub mod tree;
pub mod wins;
