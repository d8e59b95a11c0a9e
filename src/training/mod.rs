//! Learning from self-play: making games, keeping them in a compact file, and fitting weights to them.

mod adam;
mod file;
mod fit;
mod games;
mod order;
mod selfplay;

pub use file::{GameFile, GameFileError, GameSettings, Games, read_games};
pub use fit::{Epoch, Fit, FitOptions, Sample, collect, fit};
pub use games::{Ply, TrainingGame};
pub use order::{Choice, OrderFit, collect_choices, fit_order};
pub use selfplay::{SelfPlay, play_game};
