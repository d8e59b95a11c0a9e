//! What one board size can learn from another.

use super::{SQUARE, WeightTable};
use crate::board::Size;

/// The weights `own` of `size`, but with those of another size for every feature that means the same there: all but those
/// of single squares, of pieces that `size` lacks, and of what the other size has no weights for. A fit that starts from them
/// and has seen a feature only now and then keeps nearly what the other size knows of it, in the place of nothing.
#[must_use]
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
