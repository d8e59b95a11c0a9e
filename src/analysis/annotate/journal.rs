//! The journal of an annotation: the settings, and the analyses of every finished game.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::analysis::PositionAnalysis;
use crate::analysis::games::Terms;
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
    /// A hash of the files with the games.
    pub input: String,
    /// The number of games in them.
    pub games: u64,
    /// The size and the komi that the games are read with; empty if they have their own.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub terms: String,
    /// The limits for each position.
    pub limits: String,
    /// A check sum of the weights.
    pub weights: String,
}

impl AnnotationSettings {
    /// Those of all `games` of some files.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn of_files(
        files: &[&Path],
        games: u64,
        terms: Terms,
        limits: &Limits,
        weights: &WeightSet,
    ) -> io::Result<Self> {
        let mut hash = fnv1a(b"");
        for file in files {
            let mut input = BufReader::with_capacity(1 << 16, open_regular(file)?);
            while let bytes @ [_, ..] = input.fill_buf()? {
                let length = bytes.len();
                hash = fnv1a_more(hash, bytes);
                input.consume(length);
            }
        }
        let weights = Size::ALL.map(|size| weights.text(size));
        let Terms { size, komi } = terms;
        let terms = [size.map(|size| format!("size={size}")), komi.map(|komi| format!("komi={komi}"))];
        Ok(Self {
            engine: format!("tak-engine {}", env!("CARGO_PKG_VERSION")),
            input: format!("{hash:016x}"),
            games,
            terms: terms.into_iter().flatten().collect::<Vec<_>>().join(" "),
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
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
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
    type Note = ();
    const KEY: &'static str = "annotation";
    const WHAT: &'static str = "an annotation";

    fn compare(one: &AnnotationSettings, other: &AnnotationSettings) -> Vec<(&'static str, bool)> {
        vec![
            ("version of the program", one.engine != other.engine),
            ("file of games", (&one.input, one.games) != (&other.input, other.games)),
            ("size or komi", one.terms != other.terms),
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
