//! Whole games looked at. A game is text, is read and checked (`source`), each position is looked at by the engine
//! (`examine`, which gives a [`Look`] each), the looks are made into an [`AnnotatedGame`] (`judge`), and that becomes
//! text again (`ptn`, `totals`). Judging is a pure function of the game and the looks, so these are all that the journal
//! keeps (`record`).

mod examine;
mod game;
mod judge;
mod look;
mod ptn;
mod record;
mod source;
mod totals;
