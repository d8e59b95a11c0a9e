//! Learning from self-play: making games, keeping them in a compact file, and fitting weights to them.

mod fit;
mod games;
mod order;
mod selfplay;

pub use fit::{Fit, FitOptions, Progress, Sample, collect, fit, format_weights};
pub use games::{GameFile, GameFileError, GameRecord, Ply, read_games};
pub use order::{Choice, OrderFit, collect_choices, fit_order, format_move_weights};
pub use selfplay::{SelfPlay, play_game};
