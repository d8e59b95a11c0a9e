//! Careful file access: texts of any encoding, and the words for faults in them. Independent of the game.

mod encoding;
pub mod text;
pub mod wording;
