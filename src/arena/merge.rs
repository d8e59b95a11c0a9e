//! Adding up journals: the games of all shards of one tournament.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};

use super::journal::{self, Contents, JournalError};
use super::record::GameRecord;
use super::settings::TournamentSettings;

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
    /// Two of them are of different tournaments.
    #[error(
        "{} and {} are of tournaments with different settings: {}",
        first.display(), other.display(), fields.join(", ")
    )]
    OtherSettings {
        /// The first journal.
        first: PathBuf,
        /// The one that differs from it.
        other: PathBuf,
        /// What is different, in words.
        fields: Vec<&'static str>,
    },
}

/// Several journals as one.
///
/// ```
/// use tak_engine::arena::journal::Journal;
/// use tak_engine::arena::merge::merge;
/// use tak_engine::arena::settings::TournamentSettings;
///
/// # let settings: TournamentSettings = serde_json::from_str(
/// #     r#"{"engines": [{"name": "mine", "time": "tc=10+0.1", "settings": ""},
/// #                     {"name": "other", "time": "tc=10+0.1", "settings": ""}],
/// #         "format": "sprt", "games": 2, "size": 6, "half_komi": 4,
/// #         "order": "sequential", "seed": 1, "openings": 1, "openings_hash": "77"}"#,
/// # )?;
/// let path = std::env::temp_dir().join(format!("share-{}.jsonl", std::process::id()));
/// Journal::create(&path, &settings)?;
/// let merged = merge(std::slice::from_ref(&path))?;
/// assert_eq!(merged.settings, settings);
/// assert_eq!((merged.games.len(), merged.duplicates), (0, 0));
/// # std::fs::remove_file(path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The settings all of them have.
    pub settings: TournamentSettings,
    /// Each game once, by its number.
    pub games: Vec<GameRecord>,
    /// Records that were left out, of games that are in another record already.
    pub duplicates: usize,
    /// Journals whose incomplete last line was left out.
    pub torn: Vec<PathBuf>,
}

/// Reads journals and adds them up. Of several records of a game the first one counts.
///
/// # Errors
/// [`MergeError`] names the journal at fault.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, MergeError> {
    let (first, others) = paths.split_first().ok_or(MergeError::Nothing)?;
    let mut merger = Merger::default();
    let settings = merger.add(first, journal::read(first)?);
    for other in others {
        let contents = journal::read(other)?;
        let fields = settings.differences(&contents.settings);
        if !fields.is_empty() {
            return Err(MergeError::OtherSettings {
                first: first.clone(),
                other: other.clone(),
                fields,
            });
        }
        merger.add(other, contents);
    }
    Ok(Merged {
        settings,
        games: merger.games.into_values().collect(),
        duplicates: merger.duplicates,
        torn: merger.torn,
    })
}

#[derive(Default)]
struct Merger {
    games: BTreeMap<u64, GameRecord>,
    duplicates: usize,
    torn: Vec<PathBuf>,
}

impl Merger {
    fn add(&mut self, path: &Path, contents: Contents) -> TournamentSettings {
        self.duplicates += contents.duplicates;
        if contents.torn_bytes > 0 {
            self.torn.push(path.to_owned());
        }
        for game in contents.games {
            match self.games.entry(game.game) {
                Entry::Vacant(vacant) => {
                    vacant.insert(game);
                }
                Entry::Occupied(_) => self.duplicates += 1,
            }
        }
        contents.settings
    }
}
