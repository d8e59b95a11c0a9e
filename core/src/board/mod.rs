//! The rules of Tak for boards from 3x3 to 8x8. Independent of search and clocks. `notation` parses text; types of this
//! module are only formatted here.
//!
//! [`Position`] holds a game's state, [`Move`] one move of it. Unchecked data becomes a position through [`Setup`].

// Lossless casts use `as` too: most of them are in constants, where `From` cannot be called.
#![allow(clippy::cast_lossless)]

mod any_position;
mod bitboard;
mod color;
mod game;
mod komi;
mod movegen;
mod mv;
mod opening;
mod outcome;
mod perft;
mod piece;
mod position;
mod road_distance;
mod setup;
mod size;
mod square;
mod symmetry;
mod threats;
mod validate;
mod ways;
mod zobrist;

pub use any_position::{AnyPosition, with_position};
pub use bitboard::{Bitboard, Squares};
pub use color::{ByColor, Color};
pub use game::Game;
pub use komi::{Komi, KomiError};
pub use movegen::IllegalMove;
pub use mv::{Drop, Drops, Move, MoveKind, Pattern};
pub use opening::OpeningRule;
pub use outcome::{EndReason, Outcome};
pub use piece::PieceKind;
pub use position::{Position, Undo};
pub(crate) use road_distance::{ROAD_STEPS, Routes, ShortestPaths};
pub use setup::{Setup, SetupError, SetupStack};
pub use size::{Reserve, Size, SizeError};
pub use square::{Direction, Square};
pub use symmetry::Symmetry;
pub(crate) use threats::{Halos, Threat};
pub use validate::Inconsistent;
pub(crate) use ways::Ways;
pub(crate) use zobrist::{fold, mix, spread};
