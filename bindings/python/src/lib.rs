//! The engine for Python: the module `tak_engine._native`. What needs speed or the engine itself is here; scores, limits
//! and TEI are written in Python beside it.

// Methods of Python classes take what Python gives them.
#![allow(clippy::trivially_copy_pass_by_ref, clippy::unused_self)]

mod analysis;
mod arrays;
mod batch;
mod engine;
mod errors;
mod game;
mod moves;
mod outcome;
mod reader;
mod search;
mod text;
mod tree;
mod values;
mod waiting;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use super::analysis::{analyse_many, chances, explain};
    #[pymodule_export]
    use super::arrays::{index_move, move_index, plane_names, policy_size_of};
    #[pymodule_export]
    use super::batch::Batch;
    #[pymodule_export]
    use super::engine::{PyEngine, annotate_game, level_of_elo};
    #[cfg(debug_assertions)]
    #[pymodule_export]
    use super::errors::_panic;
    #[pymodule_export]
    use super::game::PyGame;
    #[pymodule_export]
    use super::moves::PyMove;
    #[pymodule_export]
    use super::outcome::Outcome;
    #[pymodule_export]
    use super::reader::GameReader;
    #[pymodule_export]
    use super::search::{Search, end_notifications};
    #[pymodule_export]
    use super::tree::{game_of_lines, lines_of};

    /// The version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    /// The number of the strongest level.
    #[pymodule_export]
    const MAX_LEVEL: u8 = tak_engine::engine::Level::MAX;
    /// The Elo of the strongest level.
    #[pymodule_export]
    const MAX_ELO: i32 = tak_engine::engine::Level::MAX_ELO;
}
