//! The explorer of a page: a collection that comes in parts, and the counts of a position in it. This is all that is
//! remembered between questions, and it is for one page.

use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::message;
use super::record::{Fault, Record};
use crate::analysis::explore::{Answer, Collection, Query, left_out, sentence};

/// Answers questions on a collection of games.
///
/// ```
/// use tak_engine::page::Explorer;
///
/// let mut explorer = Explorer::new(1000);
/// explorer.answer(r#"{"id": 1, "do": "collect", "bytes": 23}"#).ok_or("no answer")?;
/// explorer.answer(r#"{"id": 2, "do": "collect", "text": "[Size \"5\"]\n1. a1 e5", "end": true}"#).ok_or("no answer")?;
/// let game = r#"{"start": {"size": 5, "opening": "swap"}, "moves": []}"#;
/// let answer = explorer.answer(&format!(r#"{{"id": 3, "do": "explore", "game": {game}}}"#)).ok_or("no answer")?;
/// assert!(answer.starts_with(r#"{"explored":{"#) && answer.contains(r#""move":"a1""#));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct Explorer {
    /// The most bytes of a collection.
    most: u64,
    left: u64,
    collection: Collection,
}

#[derive(Deserialize)]
struct Question {
    id: u64,
    #[serde(rename = "do")]
    what: String,
    /// The size of a collection, which takes the place of the one before.
    bytes: Option<u64>,
    /// A part of a file.
    text: Option<String>,
    /// True at the end of a file.
    #[serde(default)]
    end: bool,
    game: Option<Record>,
}

impl Explorer {
    /// An explorer for collections of at most so many bytes.
    #[must_use]
    pub fn new(most: u64) -> Self {
        Self { most, left: 0, collection: Collection::default() }
    }

    /// Answers a question; `None` if it is not for the explorer.
    pub fn answer(&mut self, question: &str) -> Option<String> {
        let question: Question = serde_json::from_str(question).ok()?;
        let id = question.id;
        let answer = match question.what.as_str() {
            "collect" => self.collect(&question),
            "explore" => self.explore(&question),
            _ => return None,
        };
        Some(message(id, answer.unwrap_or_else(|fault| json!({"error": fault.to_string()}))))
    }

    /// Takes a part of a collection.
    fn collect(&mut self, question: &Question) -> Result<Value, Fault> {
        if let Some(bytes) = question.bytes {
            self.collection = Collection::default();
            if bytes > self.most {
                return Err(self.too_large(bytes));
            }
            self.left = self.most;
        }
        let text = question.text.as_deref().unwrap_or_default();
        self.left = self.left.checked_sub(text.len() as u64).ok_or_else(|| self.too_large(self.most + 1))?;
        self.collection.push(text);
        if question.end {
            self.collection.finish();
        }
        let Collection { damaged, faults, sizes, .. } = &self.collection;
        let sizes: Vec<_> = sizes.iter().map(|(size, games)| (size.width(), games)).collect();
        Ok(
            json!({"collected": {"games": self.collection.read(), "damaged": damaged, "faults": faults, "sizes": sizes}}),
        )
    }

    fn too_large(&self, bytes: u64) -> Fault {
        let [bytes, most] = [bytes.div_ceil(1_000_000), self.most / 1_000_000];
        let advice = "tak-engine explore reads files of any size";
        format!("the files have {bytes} MB, and at most {most} MB can be explored here; {advice}").into()
    }

    /// Counts the moves that were played from a position.
    fn explore(&self, question: &Question) -> Result<Value, Fault> {
        let game = question.game.as_ref().ok_or("the game is missing")?.play()?.game;
        let tally = self.collection.tally(&Query::new(game.position(), None)?);
        Ok(json!({
            "explored": Answer::new(game.position(), &tally),
            "says": sentence(&tally.sums),
            "left_out": left_out(&tally),
        }))
    }
}
