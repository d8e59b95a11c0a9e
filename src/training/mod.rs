//! Learning from self-play: making games, keeping them in a compact file, and fitting weights to them.

mod file;
mod fit;
mod games;
mod order;
mod selfplay;

pub use file::{GameFile, GameFileError, GameSettings, Games, read_games};
pub use fit::{Fit, FitOptions, Progress, Sample, collect, fit, format_weights};
pub use games::{GameRecord, Ply};
pub use order::{Choice, OrderFit, collect_choices, fit_order, format_move_weights};
pub use selfplay::{SelfPlay, play_game};
