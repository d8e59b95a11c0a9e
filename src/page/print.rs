//! The page about an annotated game, as `tak-engine annotate --report` writes it.

use serde::Deserialize;
use serde_json::json;

use super::answer::message;
use crate::analysis::annotate::judge::judge;
use crate::analysis::annotate::look::Look;
use crate::analysis::annotate::source::Source;
use crate::analysis::review::Review;

#[derive(Deserialize)]
struct Question {
    id: u64,
    #[serde(rename = "do")]
    what: String,
    /// The game, annotated or not, and the engine's looks at its positions.
    ptn: String,
    looks: Vec<Look>,
    /// Nodes per position.
    nodes: u64,
}

/// Answers a question for the page about an annotated game; `None` if it is another one.
#[must_use]
pub fn print(question: &str) -> Option<String> {
    let Question { id, what, ptn, looks, nodes } = serde_json::from_str(question).ok()?;
    if what != "print" {
        return None;
    }
    let source = Source::stored(0, ptn, None);
    let moves = source.game.as_ref().map(|game| game.moves().len());
    let answer = if moves == looks.len().checked_sub(1) && moves.is_some() {
        let mut review = Review::new(format!("nodes={nodes}"));
        review.add(&judge(source, &looks));
        json!({"page": review.page()})
    } else {
        json!({"error": "this annotation does not fit its game"})
    };
    Some(message(id, answer))
}
