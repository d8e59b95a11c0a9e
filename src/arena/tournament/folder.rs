//! The journals of one tournament in a folder, which other processes are writing, perhaps on other machines.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::journal::{JournalError, Tournament, check, read};
use super::settings::TournamentSettings;
use super::verdict::Verdict;
use crate::arena::record::{GameRecord, Pairing};
use crate::files::text::open_regular;
use crate::journals::journal::{Follower, Span, Visitor, Work, line_start};

/// What another runner has written down.
#[derive(Debug)]
pub enum Entry {
    Game(Box<GameRecord>),
    Verdict(Verdict),
}

/// All files `*.jsonl` whose first line has the settings of one tournament.
#[derive(Debug)]
pub struct JournalFolder {
    folder: PathBuf,
    /// The name of a file to leave out.
    own: Option<OsString>,
    settings: TournamentSettings,
    pairings: Vec<Pairing>,
    journals: BTreeMap<PathBuf, State>,
}

#[derive(Debug)]
enum State {
    /// It was not of this tournament when it had so many bytes.
    Foreign(u64),
    Followed(Box<Followed>),
    /// A line of it cannot be read.
    Damaged,
}

#[derive(Debug)]
struct Followed {
    journal: Follower<Tournament>,
    /// That of the settings read last.
    fingerprint: String,
}

impl JournalFolder {
    /// The other journals in the folder of one.
    pub fn beside(own: &Path, settings: &TournamentSettings) -> anyhow::Result<Self> {
        let folder = own.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok(Self { own: own.file_name().map(OsString::from), ..Self::of(folder, settings)? })
    }

    pub fn of(folder: &Path, settings: &TournamentSettings) -> anyhow::Result<Self> {
        let pairings = settings.schedule().pairings()?;
        let (folder, settings) = (folder.to_owned(), settings.clone());
        Ok(Self { folder, own: None, settings, pairings, journals: BTreeMap::new() })
    }

    /// The settings of the tournament in a folder, by the name of its first journal; `None` if there is none yet.
    pub fn settings_in(folder: &Path) -> anyhow::Result<Option<TournamentSettings>> {
        let files = fs::read_dir(folder)?.flatten().map(|entry| entry.path());
        let mut journals: Vec<PathBuf> = files.filter(|path| is_named_as_journal(path) && is_journal(path)).collect();
        journals.sort();
        Ok(journals.iter().find_map(|path| read(path).ok()).map(|held| held.settings))
    }

    /// Reads what is there since the last call. What cannot be read now is read again later: the folder may be on the
    /// network.
    pub fn read(&mut self, enter: &mut dyn FnMut(Entry)) {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_other = |path: &PathBuf| is_named_as_journal(path) && path.file_name() != self.own.as_deref();
        for path in files.filter(is_other).collect::<Vec<_>>() {
            let known = self.journals.remove(&path);
            if let Some(state) = self.read_journal(&path, known, enter) {
                self.journals.insert(path, state);
            }
        }
    }

    /// The next state of a journal; `None` if it cannot be read now.
    fn read_journal(&self, path: &Path, known: Option<State>, enter: &mut dyn FnMut(Entry)) -> Option<State> {
        let mut followed = match known {
            Some(State::Followed(followed)) => followed,
            Some(State::Damaged) => return known,
            Some(State::Foreign(_)) | None => {
                let length = fs::metadata(path).ok()?.len();
                if matches!(known, Some(State::Foreign(bytes)) if bytes == length) || !is_journal(path) {
                    return Some(State::Foreign(length));
                }
                Box::new(Followed { journal: Follower::new(path.to_owned()), fingerprint: String::new() })
            }
        };
        let fingerprint = &mut followed.fingerprint;
        let mut reader = Reader { settings: &self.settings, pairings: &self.pairings, fingerprint, enter };
        match followed.journal.read(&mut reader) {
            Ok(()) | Err(JournalError::Io { .. }) => Some(State::Followed(followed)),
            // It is read again when it has changed.
            Err(JournalError::NoHeader { .. }) => Some(State::Foreign(fs::metadata(path).ok()?.len())),
            Err(error) => {
                log::warn!("further games of another runner do not count: {error}");
                Some(State::Damaged)
            }
        }
    }
}

/// Returns whether runners that share a folder see a journal of this name.
pub fn is_named_as_journal(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl")
}

/// Returns whether a file begins as the journal of a tournament, so that no long line of another file is read.
fn is_journal(path: &Path) -> bool {
    let start = line_start(Tournament::KEY);
    let mut found = Vec::new();
    let read = open_regular(path).and_then(|file| file.take(start.len() as u64).read_to_end(&mut found));
    read.is_ok() && found == start.as_bytes()
}

struct Reader<'a> {
    settings: &'a TournamentSettings,
    pairings: &'a [Pairing],
    fingerprint: &'a mut String,
    enter: &'a mut dyn FnMut(Entry),
}

impl Visitor<Tournament> for Reader<'_> {
    fn begin(&mut self, settings: &TournamentSettings) -> Result<(), String> {
        if !Tournament::differences(self.settings, settings).is_empty() {
            return Err("it is of another tournament".to_owned());
        }
        *self.fingerprint = settings.fingerprint();
        Ok(())
    }

    fn record(&mut self, game: GameRecord, _: Span) -> Result<(), String> {
        // The other run may have been extended.
        if game.pairing.game < self.pairings.len() as u64 {
            check(&game, self.pairings, self.fingerprint)?;
            (self.enter)(Entry::Game(Box::new(game)));
        }
        Ok(())
    }

    fn note(&mut self, verdict: Verdict) -> Result<(), String> {
        verdict.check(self.settings.sprt.as_ref(), self.pairings.len() as u64 / 2, self.fingerprint)?;
        (self.enter)(Entry::Verdict(verdict));
        Ok(())
    }
}
