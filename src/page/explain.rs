//! Why moves are good or bad, for the page: sentences with the squares that they are about.

use serde_json::{Value, json};

use super::question::{Kind, Question};
use super::record::{Fault, Record};
#[cfg(feature = "draw")]
use crate::analysis::annotate::reasons_of;
use crate::analysis::explain;
use crate::board::{Color, Move};
use crate::search::{Line, Score};

/// The reasons for the first move of a line from a position. A proven line has its `winner` and as `score` the number of
/// the winner's moves, as in the report of a search. With `wrong`, the reasons against that move; the moves of `reader`
/// are "yours".
pub fn explain_line(question: &mut Question) -> Result<Value, Fault> {
    let game = question.take::<Record>("game")?.play()?.game;
    let line: String = question.take("line")?;
    let pv = line.split_ascii_whitespace().map(str::parse).collect::<Result<Vec<Move>, _>>()?;
    if question.take_or_default("wrong")? {
        let (mv, answer) = pv.split_first().ok_or("no move")?;
        let reader = player(question, "reader")?;
        return Ok(Kind::Why.answer(json!(explain::refutation(game.position(), *mv, answer, reader))));
    }
    let score = match player(question, "winner")? {
        None => Score::DRAW,
        Some(winner) => {
            let moves = question.take::<String>("score")?.parse::<usize>()?.clamp(1, Score::MAX_PLY / 2);
            let is_own = winner == game.position().to_move();
            if is_own { Score::win_in(2 * moves - 1) } else { Score::loss_in(2 * moves) }
        }
    };
    let line = Line { score, bound: None, solved: score.solved(), pv };
    Ok(Kind::Why.answer(json!(explain::reasons(&game, &line, None))))
}

/// For each move of an annotated game the reasons why it is a mistake, if it is marked as one. The moves of `reader` are
/// "yours".
#[cfg(feature = "draw")]
pub fn explain_game(question: &mut Question) -> Result<Value, Fault> {
    let reader = player(question, "reader")?;
    let game = super::print::annotated(question)?;
    Ok(Kind::Reasons.answer(json!(reasons_of(&game, reader))))
}

/// Takes a field that is `white`, `black` or absent.
fn player(question: &mut Question, field: &'static str) -> Result<Option<Color>, Fault> {
    Ok(match question.take::<Option<String>>(field)?.as_deref() {
        Some("white") => Some(Color::White),
        Some("black") => Some(Color::Black),
        _ => None,
    })
}
