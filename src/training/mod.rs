//! Learning from self-play: making games, keeping them in a compact file, and fitting weights to them. Public are the
//! games and their files.

mod fit;
mod games;
#[cfg(all(feature = "tuning", unix))]
pub(crate) mod spsa;

pub(crate) use fit::{Epoch, FitOptions, collect, collect_choices, fit, fit_layer, fit_order, rescaled};
pub(crate) use games::{GAME_FILE_MAGIC, SelfPlay, play_game};
pub use games::{GameSettings, GameWriter, Games, Ply, TrainingGame, read_games};
