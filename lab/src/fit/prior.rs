//! Weights of one board size as the starting point for another.

use tak_engine::board::Size;
use tak_engine::weights::{SQUARE, WeightTable};

/// The weights `own` of `size`, with those of another size for every feature with the same meaning there: all except
/// those of single squares, of pieces that `size` lacks, and of features without weights in the other size. A fit that
/// starts from them nearly keeps the other size's weights of rare features.
// A table would fill the stack.
#[allow(clippy::unnecessary_box_returns)]
pub(crate) fn with_prior<T: WeightTable>(own: &T, other: &T, size: Size) -> Box<T> {
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

#[cfg(test)]
mod tests {
    use tak_engine::eval::{self, Weights};

    use super::*;

    #[test]
    fn squares_and_terms_that_the_other_lacks_are_kept() {
        let size = Size::ALL[5];
        let [own, other] = [5, 3].map(|index| eval::weights(Size::ALL[index]));
        let mixed = with_prior(own, other, size);
        let (mut taken, mut kept) = (0, 0);
        for term in Weights::TERMS {
            for row in 0..term.rows() {
                let weights = |table: &Weights| -> Vec<i32> {
                    let columns = 0..Weights::columns(term, size).len();
                    columns.map(|column| table.get(term, row, column)).collect()
                };
                let unknown = weights(other).iter().all(|&weight| weight == 0);
                let expected = if unknown || term.name.ends_with("by square") {
                    kept += 1;
                    own
                } else {
                    taken += 1;
                    other
                };
                assert_eq!(weights(&mixed), weights(expected), "{} {row}", term.name);
            }
        }
        assert!(taken > 100 && kept > 20, "{taken} {kept}");
    }
}
