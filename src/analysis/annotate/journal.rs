//! The journal of an annotation: the settings, and the analyses of every finished game.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::analysis::PositionAnalysis;
use super::source::Source;
use crate::analysis::games::PtnGames;
use crate::board::Size;
use crate::engine::{Limits, WeightSet};
use crate::files::text::open_regular;
use crate::journals::hash::{crc32, fingerprint, fnv1a, fnv1a_more};
use crate::journals::journal::{Journal, JournalError, Records, Span, Visitor, Work};

/// Everything that an annotation depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnotationSettings {
    /// The version of the program.
    pub engine: String,
    /// A hash of the file with the games.
    pub input: String,
    /// The number of games in it.
    pub games: u64,
    /// The limits for each position.
    pub limits: String,
    /// A check sum of the weights.
    pub weights: String,
}

impl AnnotationSettings {
    /// Those of the games in a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_file(file: &Path, limits: &Limits, weights: &WeightSet) -> io::Result<Self> {
        let (mut input, mut hash) = (BufReader::with_capacity(1 << 16, open_regular(file)?), fnv1a(b""));
        while let bytes @ [_, ..] = input.fill_buf()? {
            let length = bytes.len();
            hash = fnv1a_more(hash, bytes);
            input.consume(length);
        }
        let mut games = PtnGames::open(file)?;
        while games.next()?.is_some() {}
        let weights = Size::ALL.map(|size| weights.text(size));
        Ok(Self {
            engine: format!("tak-engine {}", env!("CARGO_PKG_VERSION")),
            input: format!("{hash:016x}"),
            games: games.count(),
            limits: limits_text(limits),
            weights: format!("{:08x}", crc32(weights.concat().as_bytes())),
        })
    }
}

/// Limits in words, such as `nodes=1000`.
pub fn limits_text(limits: &Limits) -> String {
    let parts = [
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits.depth.map(|depth| format!("depth={depth}")),
        limits.move_time.map(|time| format!("time={}ms", time.as_millis())),
    ];
    parts.into_iter().flatten().collect()
}

/// Games and positions of some games of a file, as far as they can be played; the games are counted from 0.
///
/// # Errors
/// If the file cannot be read.
pub fn count_positions(file: &Path, wanted: &Range<u64>) -> io::Result<u64> {
    let (mut games, mut positions) = (PtnGames::open(file)?, 0);
    while let Some((number, text)) = games.next()? {
        if wanted.contains(&number) {
            let game = Source::read(number, &text, None).game;
            positions += game.map_or(0, |game| game.moves().len() as u64 + 1);
        }
    }
    Ok(positions)
}

/// A finished game: one line of the journal.
#[derive(Debug, Serialize, Deserialize)]
pub struct AnnotationRecord {
    /// The [`fingerprint`] of the settings.
    settings: String,
    /// The game's place in the input, from 0.
    game: u64,
    /// One for each position.
    #[serde(rename = "looks")]
    analyses: Vec<PositionAnalysis>,
}

/// The work that these journals are of.
#[derive(Debug)]
pub struct Annotation;

impl Work for Annotation {
    type Settings = AnnotationSettings;
    type Record = AnnotationRecord;
    const KEY: &'static str = "annotation";
    const WHAT: &'static str = "an annotation";

    fn compare(one: &AnnotationSettings, other: &AnnotationSettings) -> Vec<(&'static str, bool)> {
        vec![
            ("version of the program", one.engine != other.engine),
            ("file of games", (&one.input, one.games) != (&other.input, other.games)),
            ("time, nodes or depth", one.limits != other.limits),
            ("weights", one.weights != other.weights),
        ]
    }
}

/// A journal open for writing, which any thread may use.
#[derive(Debug)]
pub struct AnnotationJournal {
    fingerprint: String,
    journal: Mutex<Journal<Annotation>>,
    records: Mutex<Records>,
    /// The games of earlier runs.
    held: BTreeMap<u64, Span>,
    /// Bytes of an incomplete last line that was dropped.
    pub incomplete_bytes: u64,
    /// Records of games that were there already.
    pub duplicates: usize,
}

impl AnnotationJournal {
    /// Starts a journal, or continues one with `resume`.
    ///
    /// # Errors
    /// [`JournalError`] if it is of another annotation, or if it exists and is not to be continued.
    pub fn open(path: &Path, settings: &AnnotationSettings, resume: bool) -> Result<Self, JournalError> {
        let mut held = Held { fingerprint: fingerprint(settings), ..Held::default() };
        let (journal, incomplete_bytes) =
            if resume { Journal::resume(path, settings, &mut held)? } else { (Journal::create(path, settings)?, 0) };
        Ok(Self {
            fingerprint: fingerprint(settings),
            journal: Mutex::new(journal),
            records: Mutex::new(Records::open(path)?),
            held: held.spans,
            incomplete_bytes,
            duplicates: held.duplicates,
        })
    }

    /// Games of earlier runs.
    pub fn held_games(&self) -> usize {
        self.held.len()
    }

    /// The analyses of a game that is in the journal.
    pub(super) fn recall(&self, game: u64) -> Result<Option<Vec<PositionAnalysis>>, JournalError> {
        let Some(&span) = self.held.get(&game) else {
            return Ok(None);
        };
        let mut records = self.records.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(records.get::<Annotation>(span)?.analyses))
    }

    /// Enters a finished game.
    pub(super) fn keep(&self, game: u64, analyses: &[PositionAnalysis]) -> Result<(), JournalError> {
        let record = AnnotationRecord { settings: self.fingerprint.clone(), game, analyses: analyses.to_vec() };
        self.journal.lock().unwrap_or_else(PoisonError::into_inner).append(&record)?;
        Ok(())
    }
}

/// Collects the places of a journal's games.
#[derive(Default)]
struct Held {
    fingerprint: String,
    games: u64,
    spans: BTreeMap<u64, Span>,
    duplicates: usize,
}

impl Visitor<Annotation> for Held {
    fn begin(&mut self, settings: &AnnotationSettings) -> Result<(), String> {
        self.fingerprint = fingerprint(settings);
        self.games = settings.games;
        Ok(())
    }

    fn record(&mut self, record: AnnotationRecord, span: Span) -> Result<(), String> {
        if record.settings != self.fingerprint {
            return Err("it is of an annotation with other settings".to_owned());
        }
        if record.game >= self.games {
            return Err(format!("there is no game {}", record.game));
        }
        match self.spans.entry(record.game) {
            Entry::Occupied(_) => self.duplicates += 1,
            Entry::Vacant(vacant) => drop(vacant.insert(span)),
        }
        Ok(())
    }
}
