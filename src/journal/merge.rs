//! Adding up journals: the records of all shards of one piece of work.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::{JournalError, Work};

/// Why journals cannot be added up.
///
/// ```
/// use tak_engine::arena::merge::{MergeError, merge};
///
/// assert!(matches!(merge(&[]), Err(MergeError::Nothing)));
/// ```
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// There is nothing to add up.
    #[error("no journal is given")]
    Nothing,
    /// One of them cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Two of them are of different work.
    #[error("{} and {} do not belong together, their settings are different: {}", first.display(), other.display(), fields.join(", "))]
    OtherSettings {
        /// The first journal.
        first: PathBuf,
        /// The one that differs from it.
        other: PathBuf,
        /// What is different, in words.
        fields: Vec<&'static str>,
    },
}

/// What one journal holds.
#[derive(Debug)]
pub struct Part<S, T> {
    /// The settings of the work.
    pub settings: S,
    /// Its records, or their places, each with the number of the piece of work that it is.
    pub items: Vec<(u64, T)>,
    /// Records that were left out, of what is in another record already.
    pub duplicates: usize,
    /// Bytes of an incomplete last line.
    pub torn_bytes: u64,
}

/// Several journals as one.
#[derive(Debug)]
pub struct Sum<S, T> {
    /// The settings all of them have.
    pub settings: S,
    /// Each piece of work once, by its number.
    pub items: BTreeMap<u64, T>,
    /// Records that were left out, of what is in another record already.
    pub duplicates: usize,
    /// Journals whose incomplete last line was left out.
    pub torn: Vec<PathBuf>,
}

/// Reads journals and adds them up. Of several records of one thing the first one counts.
///
/// # Errors
/// [`MergeError`] names the journal at fault.
pub fn add_up<W: Work, T>(
    paths: &[PathBuf],
    read: impl Fn(&Path) -> Result<Part<W::Settings, T>, JournalError>,
) -> Result<Sum<W::Settings, T>, MergeError> {
    let first = paths.first().ok_or(MergeError::Nothing)?;
    let mut sum: Option<Sum<W::Settings, T>> = None;
    for path in paths {
        let part = read(path)?;
        let sum = sum.get_or_insert_with(|| Sum {
            settings: part.settings.clone(),
            items: BTreeMap::new(),
            duplicates: 0,
            torn: Vec::new(),
        });
        let fields = W::differences(&sum.settings, &part.settings);
        if !fields.is_empty() {
            return Err(MergeError::OtherSettings { first: first.clone(), other: path.clone(), fields });
        }
        sum.duplicates += part.duplicates;
        if part.torn_bytes > 0 {
            sum.torn.push(path.clone());
        }
        for (number, item) in part.items {
            match sum.items.entry(number) {
                Entry::Vacant(vacant) => {
                    vacant.insert(item);
                }
                Entry::Occupied(_) => sum.duplicates += 1,
            }
        }
    }
    sum.ok_or(MergeError::Nothing)
}
