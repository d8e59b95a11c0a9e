//! Games of the engine against itself, and the compact file that they are kept in.

mod file;
mod game;
mod header;
mod reader;
mod selfplay;

pub use file::GameWriter;
pub use game::{Ply, TrainingGame};
pub use header::GameSettings;
pub use reader::{Games, open_games, read_games};
pub(crate) use selfplay::{SelfPlay, play_game, white_score};
