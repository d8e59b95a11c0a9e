//! Learning from self-play: making games, keeping them in a compact file, and fitting weights to them. Public are the
//! games and their files.

mod adam;
mod file;
mod fit;
mod games;
mod header;
mod layer;
mod order;
mod reader;
#[cfg(test)]
mod reference;
mod selfplay;
#[cfg(all(feature = "tuning", unix))]
pub(crate) mod spsa;

pub use file::GameWriter;
pub use games::{Ply, TrainingGame};
pub(crate) use header::MAGIC as GAME_FILE_MAGIC;
pub use header::{GameFileError, GameSettings};
pub use reader::{Games, read_games};

pub(crate) use fit::{Epoch, FitOptions, collect, fit};
pub(crate) use layer::{fit_layer, rescaled};
pub(crate) use order::{collect_choices, fit_order};
pub(crate) use selfplay::{SelfPlay, play_game};
