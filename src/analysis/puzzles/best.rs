//! The only move that keeps a won or level position, as far as long searches show. Nothing is proven here.

use super::proof::{Limits, Reject, after};
use super::puzzle::{Step, Wrong};
use crate::analysis::annotate::judge::{WON_CHANCE, chance, lead, one_ply_before};
use crate::board::{AnyPosition, Game, Move};
use crate::engine::{Engine, Limits as SearchLimits, SearchRequest};
use crate::search::{Report, Score};

/// Points of chance by which the move must be better than every other one.
pub const MARGIN_POINTS: f64 = 30.0;

/// Moves of a line that are kept.
const MAX_LINE_MOVES: usize = 5;

/// The only good move with the continuation, and the second best with its refutation.
///
/// Both are judged twice, before and after they are made; the smaller difference counts. With the move `played` this is
/// for a mistake: another move is the good one, and it may win by force, or the others lose.
pub fn best(
    engine: &mut Engine,
    position: &AnyPosition,
    played: Option<Move>,
    limits: Limits,
) -> Result<(Step, Wrong), Reject> {
    let game = Game::new(position.clone());
    // Most candidates fail after a part of the nodes.
    let quick = SearchLimits::nodes(limits.quick());
    two_best(engine, &game, played, quick)?;
    two_best(engine, &game, played, SearchLimits::nodes(limits.extra()))?;
    let nodes = SearchLimits::nodes(limits.nodes);
    let [(score, line), (other, other_line)] = two_best(engine, &game, played, nodes)?;
    let (again, rest) = judged_after(engine, position, line[0], nodes)?;
    let (other_again, other_rest) = judged_after(engine, position, other_line[0], nodes)?;
    check(score.min(again), other.max(other_again), played.is_some())?;
    let solution = Step { mv: line[0], answers: Step::line(&rest[..rest.len().min(MAX_LINE_MOVES - 1)]) };
    let wrong = Wrong { mv: other_line[0], answer: other_rest.into_iter().take(MAX_LINE_MOVES - 1).collect() };
    Ok((solution, wrong))
}

/// The line that speaks against a wrong move.
pub fn refutation(engine: &mut Engine, position: &AnyPosition, mv: Move, limits: Limits) -> Result<Vec<Move>, Reject> {
    let (_, line) = judged_after(engine, position, mv, SearchLimits::nodes(limits.quick()))?;
    Ok(line.into_iter().take(MAX_LINE_MOVES - 1).collect())
}

/// The best line and the best of those that begin with another move, if there is a wide margin between them.
fn two_best(
    engine: &mut Engine,
    game: &Game,
    played: Option<Move>,
    nodes: SearchLimits,
) -> Result<[(Score, Vec<Move>); 2], Reject> {
    let (score, line) = first_line(&engine.analyse(game, nodes)?)?;
    if Some(line[0]) == played {
        return Err(Reject::No);
    }
    let others = SearchRequest::without(line[0], game.clone(), nodes);
    let (other, other_line) = first_line(&engine.run(&others)?)?;
    check(score, other, played.is_some())?;
    Ok([(score, line), (other, other_line)])
}

/// Checks for a wide margin between two moves. Unless `may_be_decisive`, neither may win or lose by force.
fn check(best: Score, other: Score, may_be_decisive: bool) -> Result<(), Reject> {
    let is_wide = lead(best, other) >= MARGIN_POINTS;
    let keeps = (chance(best) >= WON_CHANCE && chance(other) < WON_CHANCE)
        || (chance(best) >= 100.0 - WON_CHANCE && chance(other) < 100.0 - WON_CHANCE);
    let is_open = may_be_decisive || (!best.is_decisive() && !other.is_decisive());
    if is_wide && keeps && is_open { Ok(()) } else { Err(Reject::No) }
}

fn first_line(report: &Report) -> Result<(Score, Vec<Move>), Reject> {
    let line = report.lines.first().filter(|line| !line.pv.is_empty());
    let line = line.ok_or(Reject::No)?;
    Ok((line.score, line.pv.clone()))
}

/// The worth of `mv` by the position after it, and the line from there.
pub fn judged_after(
    engine: &mut Engine,
    position: &AnyPosition,
    mv: Move,
    nodes: SearchLimits,
) -> Result<(Score, Vec<Move>), Reject> {
    let next = after(position, mv);
    if let Some(outcome) = next.outcome() {
        let score = match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == position.to_move() => Score::win_in(1),
            Some(_) => Score::loss_in(1),
        };
        return Ok((score, Vec::new()));
    }
    let report = engine.analyse(&Game::new(next), nodes)?;
    let (score, line) = first_line(&report)?;
    Ok((one_ply_before(score), line))
}
