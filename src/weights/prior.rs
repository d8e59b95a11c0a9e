//! What one board size can learn from another.

use super::{SQUARE, WeightTable};
use crate::board::Size;

/// The weights `own` of `size`, but with those of another size for every feature that means the same there: all but those
/// of single squares, and of what the other size has no weights for. A fit that starts from them and has seen a feature
/// only now and then keeps nearly what the other size knows of it, in the place of nothing.
#[must_use]
pub fn with_prior<T: WeightTable>(own: &T, other: &T, size: Size) -> Box<T> {
    let mut weights = T::zero();
    for term in T::TERMS {
        let columns = T::columns(term, size).len();
        for row in 0..term.rows() {
            let known = !term.axes.contains(&SQUARE)
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
    use super::*;
    use crate::eval::{self, Weights};

    #[test]
    fn squares_and_what_the_other_size_does_not_know_stay() {
        let [own, other] = [5, 3].map(|index| eval::weights(Size::ALL[index]));
        let mixed = with_prior(own, other, Size::ALL[5]);
        let (mut taken, mut kept) = (0, 0);
        for term in Weights::TERMS {
            for row in 0..term.rows() {
                let weights = |table: &Weights| {
                    let columns = 0..Weights::columns(term, Size::ALL[5]).len();
                    columns
                        .map(|column| table.get(term, row, column))
                        .collect::<Vec<_>>()
                };
                let unknown = weights(other).iter().all(|&weight| weight == 0);
                if unknown || term.name.ends_with("by square") {
                    assert_eq!(weights(&mixed), weights(own), "{} {row}", term.name);
                    kept += 1;
                } else {
                    assert_eq!(weights(&mixed), weights(other), "{} {row}", term.name);
                    taken += 1;
                }
            }
        }
        assert!(taken > 100 && kept > 20, "{taken} {kept}");
    }
}
