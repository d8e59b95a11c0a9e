//! Why moves are good or bad, for the page: sentences with the squares that they are about.

use serde_json::{Value, json};

use super::question::{Kind, Question};
use super::record::{Fault, Record};
#[cfg(feature = "draw")]
use crate::analysis::annotate::reasons_of;
use crate::analysis::explain;
use crate::board::{Color, Move};
use crate::search::{Line, Score};

/// The reasons for the first move of a line from a position, or, with `wrong`, against it. `plies` is the length of a
/// proven win of the player to move, negative for a loss.
pub fn explain_line(question: &mut Question) -> Result<Value, Fault> {
    let game = question.take::<Record>("game")?.play()?.game;
    let line: String = question.take("line")?;
    let pv = line.split_ascii_whitespace().map(str::parse).collect::<Result<Vec<Move>, _>>()?;
    if question.take_or_default("wrong")? {
        let (mv, answer) = pv.split_first().ok_or("no move")?;
        return Ok(Kind::Why.answer(json!(explain::refutation(game.position(), *mv, answer))));
    }
    let plies: i64 = question.take_or_default("plies")?;
    let length = usize::try_from(plies.unsigned_abs())?.min(Score::MAX_PLY);
    let score = match plies.signum() {
        1 => Score::win_in(length),
        0 => Score::DRAW,
        _ => Score::loss_in(length),
    };
    let line = Line { score, bound: None, solved: score.solved(), pv };
    Ok(Kind::Why.answer(json!(explain::reasons(&game, &line, None))))
}

/// For each move of an annotated game the reasons why it is a mistake, if it is marked as one. The moves of `reader` are
/// "yours".
#[cfg(feature = "draw")]
pub fn explain_game(question: &mut Question) -> Result<Value, Fault> {
    let reader = match question.take::<Option<String>>("reader")?.as_deref() {
        Some("white") => Some(Color::White),
        Some("black") => Some(Color::Black),
        _ => None,
    };
    let game = super::print::annotated(question)?;
    Ok(Kind::Reasons.answer(json!(reasons_of(&game, reader))))
}
