//! Weights in binary form: a file for each board size, for programs that load them at run time.
//!
//! The first line names version and size. The weights follow, of the evaluation, of its layer and of the move order:
//! two bytes each, the lower one first, in the order of the catalogues.

use super::WeightSet;
use crate::board::Size;
use crate::eval::{self, Layer, Weights};
use crate::search::{self, MoveWeights};
use crate::weights::WeightTable;

/// An error reading weights in binary form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid weights: expected those of tak-engine {} for {size}x{size}", env!("CARGO_PKG_VERSION"))]
pub struct PackedError {
    /// The board size that was expected.
    pub size: Size,
}

/// Every table of one size.
struct Tables {
    evaluation: Box<Weights>,
    layer: Box<Layer>,
    ordering: Box<MoveWeights>,
}

fn head(size: Size) -> String {
    format!("tak-engine {} weights {size}x{size}\n", env!("CARGO_PKG_VERSION"))
}

/// Every weight of a table: its term, the number of its feature there, and its column.
fn places<T: WeightTable>(size: Size) -> impl Iterator<Item = (&'static crate::weights::Term, usize, usize)> {
    T::TERMS.iter().flat_map(move |term| {
        let columns = T::columns(term, size).len();
        (0..term.rows()).flat_map(move |row| (0..columns).map(move |column| (term, row, column)))
    })
}

impl WeightSet {
    /// All of them for `size` in the form that [`install_weights`] reads.
    pub fn packed(&self, size: Size) -> Vec<u8> {
        fn pack<T: WeightTable>(table: &T, size: Size, bytes: &mut Vec<u8>) {
            // No limit of a table exceeds 16 bits.
            let weights = places::<T>(size).map(|(term, row, column)| table.get(term, row, column) as i16);
            bytes.extend(weights.flat_map(i16::to_le_bytes));
        }
        let mut bytes = head(size).into_bytes();
        pack(self.evaluation(size), size, &mut bytes);
        pack(self.layer(size), size, &mut bytes);
        pack(self.ordering(size), size, &mut bytes);
        bytes
    }
}

fn unpack(size: Size, bytes: &[u8]) -> Option<Tables> {
    fn table<T: WeightTable>(size: Size, weights: &mut std::slice::Iter<'_, [u8; 2]>) -> Option<Box<T>> {
        let mut table = T::zero();
        for (term, row, column) in places::<T>(size) {
            table.set(term, row, column, i16::from_le_bytes(*weights.next()?).into());
        }
        Some(table)
    }
    let (weights, rest) = bytes.strip_prefix(head(size).as_bytes())?.as_chunks();
    let mut weights = weights.iter();
    let (evaluation, layer, ordering) =
        (table(size, &mut weights)?, table(size, &mut weights)?, table(size, &mut weights)?);
    (weights.len() == 0 && rest.is_empty()).then_some(Tables { evaluation, layer, ordering })
}

/// Installs the built-in weights of a size, in the form of [`WeightSet::packed`]. With the feature `external-weights`
/// this has to precede their first use; weights that a size has already are kept.
///
/// # Errors
/// [`PackedError`] for anything other than the weights of this version for this size.
pub fn install_weights(size: Size, bytes: &[u8]) -> Result<(), PackedError> {
    let Tables { evaluation, layer, ordering } = unpack(size, bytes).ok_or(PackedError { size })?;
    eval::install(size, evaluation, layer);
    search::install(size, ordering);
    Ok(())
}

/// Returns whether the built-in weights of a size can be used: always, unless they have to be installed.
pub fn has_weights(size: Size) -> bool {
    !cfg!(feature = "external-weights") || search::is_installed(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_weights_are_those_of_the_files() {
        let built_in = WeightSet::default();
        for size in Size::ALL {
            let bytes = built_in.packed(size);
            let Tables { evaluation, layer, ordering } = unpack(size, &bytes).unwrap();
            assert_eq!(*evaluation, *built_in.evaluation(size), "{size}");
            assert_eq!(*layer, *built_in.layer(size), "{size}");
            assert_eq!(*ordering, *built_in.ordering(size), "{size}");
        }
    }

    #[test]
    fn other_bytes_are_no_weights() {
        let bytes = WeightSet::default().packed(Size::FIVE);
        let longer = [&bytes[..], &[0]].concat();
        for other in [&[], &bytes[1..], &bytes[..bytes.len() - 1], &bytes[..bytes.len() - 2], &longer] {
            assert_eq!(install_weights(Size::FIVE, other), Err(PackedError { size: Size::FIVE }));
        }
        let error = install_weights(Size::ALL[3], &bytes).unwrap_err();
        let version = env!("CARGO_PKG_VERSION");
        assert_eq!(error.to_string(), format!("invalid weights: expected those of tak-engine {version} for 6x6"));
    }
}
