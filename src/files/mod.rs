//! Careful file access: texts of any encoding. Independent of the game.

mod encoding;
pub mod text;
