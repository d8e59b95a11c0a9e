//! Whole games looked at. A game is text, is read and checked (`source`), each position is looked at by the engine
//! (`examine`, which gives a `look` each), the looks are made into an annotated `game` (`judge`), and that becomes text
//! again (`ptn`, `totals`). Judging is a pure function of the game and the looks, so these are all that the journal keeps
//! (`record`).

pub mod examine;
pub mod game;
pub mod judge;
pub mod look;
pub mod ptn;
pub mod record;
pub mod source;
pub mod totals;
