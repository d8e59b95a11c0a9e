//! Weights of one board size as the starting point for another.

use tak_engine::board::Size;
use tak_engine::eval::{Layer, Weights};
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

/// The layer `other` of the board `from`, for a larger or smaller one: its neurons count a square that `from` lacks as
/// the nearest one that it has. Assumes that a neuron means the same on both, since all other features do.
pub(crate) fn layer_with_prior(other: &Layer, from: Size) -> Layer {
    let mut layer = other.clone();
    for term in Weights::TERMS.iter().filter(|term| term.axes.contains(&SQUARE)) {
        for class in 0..term.rows() {
            let nearest = nearest_class(class, from);
            for (rows, other) in layer.rows.iter_mut().zip(&*other.rows) {
                rows[term.start + class] = other[term.start + nearest];
            }
        }
    }
    layer
}

/// The class of square on a board of `size` that is nearest to `class`. A class is a column up to the middle and a row up
/// to that column.
fn nearest_class(class: usize, size: Size) -> usize {
    let of_column = |column: usize| column * (column + 1) / 2;
    let column = (0..=class).take_while(|&column| of_column(column) <= class).last().unwrap_or(0);
    let row = class - of_column(column);
    let middle = (size.width() - 1) / 2;
    of_column(column.min(middle)) + row.min(middle)
}

#[cfg(test)]
mod tests {
    use tak_engine::eval;

    use super::*;

    #[test]
    fn squares_beyond_a_board_are_its_middle() {
        // In the order of `SQUARE`: a1, b1, b2, c1, c2, c3, d1 to d4.
        let classes = |size: u64| -> Vec<usize> {
            let size = Size::new(size).unwrap();
            (0..10).map(|class| nearest_class(class, size)).collect()
        };
        assert_eq!(classes(4), [0, 1, 2, 1, 2, 2, 1, 2, 2, 2]);
        assert_eq!(classes(5), classes(6));
        assert_eq!(classes(6), [0, 1, 2, 3, 4, 5, 3, 4, 5, 5]);
        assert_eq!(classes(7), (0..10).collect::<Vec<_>>());
    }

    #[test]
    fn a_layer_of_another_board_keeps_all_but_squares() {
        let (six, seven) = (Size::ALL[3], Size::ALL[4]);
        let other = eval::layer(six);
        let layer = layer_with_prior(other, six);
        let [c1, d1] = [3, 6].map(|class| Weights::TERMS[0].start + class);
        assert_eq!(layer.rows[1][d1], other.rows[1][c1]);
        assert_ne!(layer.rows[1][d1], other.rows[1][d1]);
        assert_eq!(layer_with_prior(&layer, seven), layer);
        assert_eq!((layer.bias, layer.output), (other.bias, other.output));
    }

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
