//! Shared parts of the learned models: catalogues of named terms, and readable weight files.
//!
//! A model counts features. A term is a named run of features, and each feature has a row of weights. The models
//! themselves are in `eval` and `search`.

mod catalogue;
mod file;
mod shipped;

pub(crate) use catalogue::catalogue;
pub use catalogue::{Axis, Term};
pub use file::{Section, WeightTable, WeightsError, format_table, sections};
pub(crate) use shipped::{Shipped, shipped, shipped_text};

use std::fmt;

/// A square, by its class ([`Square::class`](crate::board::Square::class)). A class is named after its square nearest
/// to a1, on or below the diagonal.
pub const SQUARE: Axis = Axis::named(&["a1", "b1", "b2", "c1", "c2", "c3", "d1", "d2", "d3", "d4"]);

/// A learned model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Model {
    /// The weighted sum of the evaluation: `eval::Weights`.
    Evaluation,
    /// The hidden layer of the evaluation: `eval::Layer`.
    Layer,
    /// The move order: `search::MoveWeights`.
    Ordering,
}

impl Model {
    pub const ALL: [Self; 3] = [Self::Evaluation, Self::Layer, Self::Ordering];

    /// Name in weight files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Evaluation => "evaluation",
            Self::Layer => "layer",
            Self::Ordering => "ordering",
        }
    }

    /// Returns whether its files may lack columns, whose weights are then 0.
    pub(super) const fn may_lack_columns(self) -> bool {
        matches!(self, Self::Layer)
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
