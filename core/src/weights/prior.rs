//! Weights of one board size as the starting point for another.

use super::{SQUARE, WeightTable};
use crate::board::Size;

/// The weights `own` of `size`, with those of another size for every feature with the same meaning there: all except
/// those of single squares, of pieces that `size` lacks, and of features without weights in the other size. A fit that
/// starts from them nearly keeps the other size's weights of rare features.
pub fn with_prior<T: WeightTable>(own: &T, other: &T, size: Size) -> Box<T> {
    let mut weights = T::zero();
    for term in T::TERMS {
        let columns = T::columns(term, size).len();
        for row in 0..term.rows() {
            let known = !term.axes.contains(&SQUARE)
                && term.is_possible(row, size)
                && (0..columns).any(|column| other.get(term, row, column) != 0);
            let source = if known { other } else { own };
            for column in 0..columns {
                weights.set(term, row, column, source.get(term, row, column));
            }
        }
    }
    weights
}
