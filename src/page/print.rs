//! The page about an annotated game, as `tak-engine annotate --report` writes it.

use serde_json::Value;

use super::question::{Kind, Question};
use super::record::Fault;
use crate::analysis::annotate::AnnotatedGame;
use crate::analysis::annotate::analysis::PositionAnalysis;
use crate::analysis::annotate::judge::judge;
use crate::analysis::annotate::source::Source;
use crate::analysis::review::Review;

/// Makes the page of a game in PTN, annotated or not, and of the engine's analyses of its positions, each with so many
/// nodes, or with those of an annotated file.
pub fn print(question: &mut Question) -> Result<Value, Fault> {
    let nodes = question.take::<Option<u64>>("nodes")?;
    let mut review = Review::new(nodes.map_or_else(|| "as in the file".to_owned(), |nodes| format!("nodes={nodes}")));
    review.add(&annotated(question)?);
    Ok(Kind::Print.answer(review.page().into()))
}

/// Judges a game in PTN by the engine's analyses of its positions.
pub fn annotated(question: &mut Question) -> Result<AnnotatedGame, Fault> {
    let source = Source::read(0, &question.take::<String>("ptn")?.into(), None);
    let analyses: Vec<PositionAnalysis> = question.take("looks")?;
    let moves = source.game.as_ref().map(|game| game.moves().len());
    if moves.is_none() || moves != analyses.len().checked_sub(1) {
        return Err("this annotation does not fit its game".into());
    }
    Ok(judge(source, &analyses))
}
