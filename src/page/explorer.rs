//! The explorer of a page: a collection that comes in parts, and the counts of a position in it; and the games of a file
//! for a library. This is all that is remembered between questions, and it is for one page.

use serde_json::{Value, json};

#[cfg(feature = "draw")]
use super::explain::explain_game;
use super::explain::explain_line;
use super::listed::Listed;
#[cfg(feature = "draw")]
use super::picture::picture;
#[cfg(feature = "draw")]
use super::print::print;
use super::question::{Kind, Question, message, refusal, unknown};
use super::record::Fault;
use crate::analysis::explore::{Answer, Collection, Known, Openings, Parts, Query, left_out, sentence};

/// Answers questions on a collection of games, and makes pages about annotated games.
///
/// ```
/// use tak_engine::page::{Explorer, Question};
///
/// let mut explorer = Explorer::new(1000);
/// let game = r#"{"start": {"size": 5, "opening": "swap"}, "moves": []}"#;
/// let mut answer = String::new();
/// for question in [
///     r#"{"id": 1, "do": "collect", "bytes": 23}"#,
///     r#"{"id": 2, "do": "collect", "text": "[Size \"5\"]\n1. a1 e5", "end": true}"#,
///     &format!(r#"{{"id": 3, "do": "explore", "game": {game}}}"#),
/// ] {
///     answer = explorer.answer(Question::read(question).ok_or("no question")?);
/// }
/// assert!(answer.starts_with(r#"{"explored":{"#) && answer.contains(r#""move":"a1""#));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug)]
pub struct Explorer {
    /// The largest size of a collection in bytes, and how many of them are left.
    max_bytes: u64,
    bytes_left: u64,
    collection: Collection,
    /// The file that is listed.
    parts: Parts,
}

impl Explorer {
    /// An explorer for collections of at most so many bytes.
    pub fn new(max_bytes: u64) -> Self {
        Self { max_bytes, bytes_left: 0, collection: Collection::default(), parts: Parts::default() }
    }

    /// Answers a question for the explorer; others are refused.
    pub fn answer(&mut self, mut question: Question) -> String {
        let answer = match question.kind {
            Some(Kind::Collect) => self.collect(&mut question),
            Some(Kind::Explore) => self.explore(&mut question),
            Some(Kind::Openings) => openings(&mut question),
            #[cfg(feature = "draw")]
            Some(Kind::Print) => print(&mut question),
            Some(Kind::List) => self.list(&mut question),
            #[cfg(feature = "draw")]
            Some(Kind::Draw) => picture(&mut question),
            #[cfg(feature = "draw")]
            Some(Kind::Reasons) => explain_game(&mut question),
            Some(Kind::Why) => explain_line(&mut question),
            _ => Err(unknown()),
        };
        match answer {
            Ok(answer) => message(question.id, answer),
            Err(fault) => refusal(question.id, &fault),
        }
    }

    /// Takes a part of a file, up to its end if `end` is set. With the size of all files in `bytes` a collection begins,
    /// which takes the place of the one before.
    fn collect(&mut self, question: &mut Question) -> Result<Value, Fault> {
        if let Some(bytes) = question.take("bytes")? {
            self.collection = Collection::default();
            if bytes > self.max_bytes {
                return Err(self.too_large(bytes));
            }
            self.bytes_left = self.max_bytes;
        }
        let text: String = question.take_or_default("text")?;
        let left = self.bytes_left.checked_sub(text.len() as u64);
        self.bytes_left = left.ok_or_else(|| self.too_large(self.max_bytes + 1))?;
        self.collection.push(&text);
        if question.take_or_default("end")? {
            self.collection.finish();
        }
        let Collection { damaged, faults, sizes, .. } = &self.collection;
        let sizes: Vec<_> = sizes.iter().map(|(size, games)| (size.width(), games)).collect();
        let games = self.collection.read();
        Ok(Kind::Collect.answer(json!({"games": games, "damaged": damaged, "faults": faults, "sizes": sizes})))
    }

    fn too_large(&self, bytes: u64) -> Fault {
        let [bytes, most] = [bytes.div_ceil(1_000_000), self.max_bytes / 1_000_000];
        let advice = "tak-engine explore reads files of any size";
        format!("the files have {bytes} MB, and at most {most} MB can be explored here; {advice}").into()
    }

    /// Takes a part of a file, up to its end if `end` is set, and lists the games that are complete. `begin` drops what
    /// there was of another file.
    fn list(&mut self, question: &mut Question) -> Result<Value, Fault> {
        if question.take_or_default("begin")? {
            self.parts = Parts::default();
        }
        self.parts.push(&question.take_or_default::<String>("text")?);
        if question.take_or_default("end")? {
            self.parts.finish();
        }
        let (mut games, mut faults) = (Vec::new(), Vec::new());
        while let Some(text) = self.parts.take() {
            match Listed::read(text) {
                Ok(game) => games.push(game),
                Err(fault) => faults.push(fault),
            }
        }
        Ok(Kind::List.answer(json!({"games": games, "faults": faults})))
    }

    /// Counts the moves that were played from a position, and names `most` of the games that have it: their numbers, and
    /// the moves before it.
    fn explore(&self, question: &mut Question) -> Result<Value, Fault> {
        let game = question.game()?.play()?.game;
        let most: usize = question.take_or_default("most")?;
        let mut found = Vec::new();
        let tally = self.collection.tally(&Query::new(game.position(), None)?, |index, visit| {
            if found.len() < most {
                found.push((index, visit.ply));
            }
        });
        let mut answer = Kind::Explore.answer(json!(Answer::new(game.position(), &tally)));
        answer["says"] = json!(sentence(&tally.sums));
        answer["found"] = json!(found);
        answer["left_out"] = json!(left_out(&tally));
        Ok(answer)
    }
}

/// What the text of a table of openings has of a position.
fn openings(question: &mut Question) -> Result<Value, Fault> {
    let game = question.game()?.play()?.game;
    let table: Openings = question.take::<String>("table")?.parse()?;
    let known = Known::of(game.position(), &table);
    let mut answer = Kind::Openings.answer(json!(known));
    answer["says"] = json!(known.sentence(&table));
    Ok(answer)
}
