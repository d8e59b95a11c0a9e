//! The contents of the journal of an annotation: the settings, and each game with the looks at its positions.

use serde::{Deserialize, Serialize};

use super::game::AnnotatedGame;
use super::judge::judge;
use super::look::Look;
use super::source::Source;
use crate::journals::journal::Work;

/// Everything that an annotation depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnotationSettings {
    /// The version of the program.
    pub engine: String,
    /// A hash of the file with the games.
    pub input: String,
    pub games: u64,
    /// The limits for each position.
    pub limits: String,
    /// A check sum of the weights.
    pub weights: String,
}

/// A game that has been looked at: one line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnnotationRecord {
    /// The [`fingerprint`](crate::journals::hash::fingerprint) of the settings.
    pub settings: String,
    /// The game's place in the input, from 0.
    pub game: u64,
    /// The game as PTN, without the unplayable part; the text of a game that cannot begin.
    pub ptn: String,
    /// The mistake in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// A look for each position; none if the game cannot begin.
    pub looks: Vec<Look>,
    /// The work on the game was stopped, so looks are missing at the beginning.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stopped: bool,
}

impl AnnotationRecord {
    /// The record of a game. If looks are missing, it was stopped.
    pub fn new(fingerprint: &str, source: &Source, looks: Vec<Look>) -> Self {
        Self {
            stopped: source.game.is_some() && looks.len() < source.ptn.moves.len() + 1,
            settings: fingerprint.to_owned(),
            game: source.number,
            ptn: source.original.clone().unwrap_or_else(|| source.ptn.to_string()),
            fault: source.fault.clone(),
            looks,
        }
    }

    pub fn annotated(self) -> Result<AnnotatedGame, String> {
        let source = Source::stored(self.game, self.ptn, self.fault);
        let moves = source.ptn.moves.len();
        let fits = match &source.game {
            Some(_) if self.stopped => (1..=moves).contains(&self.looks.len()),
            Some(_) => self.looks.len() == moves + 1 || (self.looks.is_empty() && moves == 0),
            None => self.looks.is_empty(),
        };
        if fits {
            Ok(judge(source, &self.looks))
        } else {
            let looks = self.looks.len();
            Err(format!("a game of {moves} moves with {looks} looks"))
        }
    }
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
