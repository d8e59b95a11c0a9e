//! Adding up journals: the games of all shards of one tournament.

use std::path::{Path, PathBuf};

pub use crate::files::merge::MergeError;

use super::journal::{self, Tournament};
use super::record::GameRecord;
use super::settings::TournamentSettings;
use crate::files::merge::{Part, add_up};

/// Several journals as one.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The settings all of them have.
    pub settings: TournamentSettings,
    /// Each game once, by its number.
    pub games: Vec<GameRecord>,
    /// Records ignored because their games are in another record already.
    pub duplicates: usize,
    /// Journals whose incomplete last line was ignored.
    pub torn: Vec<PathBuf>,
}

/// Reads journals and adds them up. Of several records of a game the first one counts.
///
/// # Errors
/// [`MergeError`] names the journal at fault.
pub fn merge(paths: &[PathBuf]) -> Result<Merged, MergeError> {
    let sum = add_up::<Tournament, GameRecord>(paths, |path: &Path| {
        let contents = journal::read(path)?;
        let games = contents.games.into_iter();
        Ok(Part {
            settings: contents.settings,
            items: games.map(|game| (game.game, game)).collect(),
            duplicates: contents.duplicates,
            torn_bytes: contents.torn_bytes,
        })
    })?;
    Ok(Merged {
        settings: sum.settings,
        games: sum.items.into_values().collect(),
        duplicates: sum.duplicates,
        torn: sum.torn,
    })
}
