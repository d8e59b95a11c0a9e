//! A mistake as a puzzle for the page: the good moves, and why the others are wrong.

use serde_json::{Value, json};

use crate::analysis::best::Searches;
use crate::board::Move;
use crate::engine::HashError;

/// Nodes of the longest searches, as `tak-engine puzzles --nodes` has them.
const NODES: u64 = 200_000;

/// The solution and the wrong moves, the move `played` first; null if the moves on one square are not clearly best.
pub fn missed(searches: &mut Searches<'_>, played: Move) -> Result<Value, HashError> {
    // The first turns are about the opponent's pieces.
    let best = if searches.position.ply() < 2 { None } else { searches.best(Some(played), NODES)? };
    let Some(best) = best else { return Ok(Value::Null) };
    let mut wrong = vec![wrong_view(best.wrong, &best.refutation)];
    if played != best.wrong {
        let answer = searches.after(played, NODES / 50)?.map(|(_, line)| line);
        wrong.insert(0, wrong_view(played, &answer.unwrap_or_default()));
    }
    let (first, also) = (best.right[0], &best.right[1..]);
    let line =
        best.line.iter().rev().fold(json!([]), |answers, mv| json!([{"move": mv.to_string(), "answers": answers}]));
    Ok(json!({
        "solution": {"move": first.to_string(), "answers": line},
        "also": texts(also),
        "wrong": wrong,
    }))
}

fn wrong_view(mv: Move, answer: &[Move]) -> Value {
    json!({"move": mv.to_string(), "answer": texts(answer)})
}

fn texts(moves: &[Move]) -> Value {
    moves.iter().map(ToString::to_string).collect()
}
