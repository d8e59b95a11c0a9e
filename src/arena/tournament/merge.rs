//! The sum of several journals: the games of all shards of one tournament.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;

use anyhow::{Context, ensure};

use super::journal::{Tournament, read};
use super::settings::TournamentSettings;
use super::verdict::Verdict;
use crate::arena::record::GameRecord;
use crate::journals::journal::Work;

#[derive(Debug)]
pub struct MergedJournal {
    /// The settings that all of them have. If some were extended, those that ask for most games.
    pub settings: TournamentSettings,
    /// Each game once, by its number.
    pub games: BTreeMap<u64, GameRecord>,
    /// Records ignored because the same game is in another record already.
    pub duplicates: usize,
    /// Those of them with another result.
    pub contradictions: usize,
    /// The decision of a sequential test; of several that with the fewest pairs, which was found first.
    pub verdict: Option<Verdict>,
    /// Journals whose incomplete last line was ignored.
    pub incomplete: Vec<PathBuf>,
}

/// Reads journals and merges them. Of several records of a game the first one counts. Errors name the journal.
pub fn merge(paths: &[PathBuf]) -> anyhow::Result<MergedJournal> {
    let mut sum: Option<MergedJournal> = None;
    for path in paths {
        let part = read(path)?;
        let sum = sum.get_or_insert_with(|| MergedJournal {
            settings: part.settings.clone(),
            games: BTreeMap::new(),
            duplicates: 0,
            contradictions: 0,
            verdict: None,
            incomplete: Vec::new(),
        });
        let fields = Tournament::differences(&sum.settings, &part.settings).join(", ");
        let [first, other] = [&paths[0], path].map(|path| path.display());
        ensure!(fields.is_empty(), "cannot merge {first} and {other}: their settings differ in {fields}");
        if sum.settings.games < part.settings.games {
            sum.settings = part.settings;
        }
        sum.duplicates += part.duplicates;
        sum.verdict = sum.verdict.take().into_iter().chain(part.verdict).min_by_key(|verdict| verdict.pairs.pairs());
        if part.incomplete_bytes > 0 {
            sum.incomplete.push(path.clone());
        }
        for game in part.games {
            match sum.games.entry(game.pairing.game) {
                Entry::Vacant(vacant) => drop(vacant.insert(game)),
                Entry::Occupied(held) => {
                    sum.duplicates += 1;
                    sum.contradictions += usize::from(held.get().result != game.result);
                }
            }
        }
    }
    sum.context("no journal is given")
}

/// Names the games below `total`, counted from 0, that are not among `found`, which is sorted: `2 of 8 games are in no
/// journal: 3, 6`. `None` if there are none.
pub fn missing(total: u64, found: impl Iterator<Item = u64>) -> Option<String> {
    /// Further runs are not listed.
    const MAX_LISTED_RUNS: usize = 20;
    let mut next = 0;
    let mut count = 0;
    let mut runs = Vec::new();
    for number in found.chain([total]) {
        count += number - next;
        match number - next {
            0 => {}
            // People count from 1.
            1 => runs.push(number.to_string()),
            _ => runs.push(format!("{} to {number}", next + 1)),
        }
        next = number + 1;
    }
    if runs.is_empty() {
        return None;
    }
    let others = if runs.len() > MAX_LISTED_RUNS { " and others" } else { "" };
    runs.truncate(MAX_LISTED_RUNS);
    Some(format!("{count} of {total} games are in no journal: {}{others}", runs.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::missing;

    #[test]
    fn missing_games_are_named_in_runs_from_one() {
        assert_eq!(missing(0, [].into_iter()), None);
        assert_eq!(missing(3, 0..3), None);
        let text = missing(9, [0, 1, 3, 7].into_iter()).unwrap();
        assert_eq!(text, "5 of 9 games are in no journal: 3, 5 to 7, 9");
        assert_eq!(missing(4, [].into_iter()).unwrap(), "4 of 4 games are in no journal: 1 to 4");
        let text = missing(100, (0..100).step_by(2)).unwrap();
        assert!(text.starts_with("50 of 100 games") && text.ends_with("38, 40 and others"), "{text}");
    }
}
