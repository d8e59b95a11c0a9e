//! The one good move of a position, as far as long searches show. Nothing is proven here.

use std::sync::atomic::AtomicBool;

use crate::analysis::annotate::judge::one_ply_before;
use crate::board::{AnyPosition, Game, Move};
use crate::engine::{Engine, HashError, Limits, SearchRequest};
use crate::search::{Players, Score, expected_points};

/// Thousandths of expected score by which a good move must be better than every other one.
const MARGIN: u32 = 300;
/// A player with as many thousandths keeps a won game, or a level one.
const GOAL_THOUSANDTHS: [u32; 2] = [700, 300];
/// Thousandths whose loss makes a move a mistake.
const MISTAKE: u32 = 100;

/// The most moves of a line that are kept after its first one.
const MAX_ANSWERS: usize = 4;

/// The good moves of a position, and the best of the others.
#[derive(Debug)]
pub struct Best {
    /// The best move; then other pieces on its square, if they are good too.
    pub right: Vec<Move>,
    /// The moves after the best one.
    pub line: Vec<Move>,
    /// The best of the other moves,
    pub wrong: Move,
    /// and the moves that refute it.
    pub refutation: Vec<Move>,
}

/// A score for the player to move, and the line that it comes from.
type Judged = (Score, Vec<Move>);

/// Searches of a position and of those after its moves. Once `stop` is set, their results mean nothing.
pub struct Searches<'a> {
    pub engine: &'a mut Engine,
    pub position: &'a AnyPosition,
    pub stop: &'a AtomicBool,
}

impl Searches<'_> {
    /// The only good move of a position; `None` if there is none, or more. The longest searches visit so many `nodes`.
    ///
    /// It and the best other move are judged twice, before and after they are made; the smaller difference counts. With
    /// the move `played` this is for a mistake. Then another move is the good one, it may win by force or the others lose,
    /// and several pieces on one square may be good.
    pub fn best(&mut self, played: Option<Move>, nodes: u64) -> Result<Option<Best>, HashError> {
        // Most candidates fail after a part of the nodes.
        for nodes in [nodes / 50 + 1, nodes / 8 + 1] {
            if self.candidates(played, nodes)?.is_none() {
                return Ok(None);
            }
        }
        let Some(candidates) = self.candidates(played, nodes)? else { return Ok(None) };
        let (mut scores, mut answers) = (Vec::new(), Vec::new());
        for (index, (before, line)) in candidates.iter().enumerate() {
            let Some((after, answer)) = self.after(line[0], nodes)? else { return Ok(None) };
            let is_last = index + 1 == candidates.len();
            scores.push((line[0], if is_last { after.max(*before) } else { after.min(*before) }));
            answers.push(answer);
        }
        let is_open = played.is_some() || scores.iter().all(|(_, score)| !score.is_decisive());
        let points: Vec<(Move, u32)> = scores.iter().map(|&(mv, score)| (mv, points(score))).collect();
        let right = right_moves(&points).filter(|_| is_open);
        let (Some(right), Some(&(wrong, _)), Some(refutation)) = (right, scores.last(), answers.pop()) else {
            return Ok(None);
        };
        Ok(Some(Best { right, line: answers.swap_remove(0), wrong, refutation }))
    }

    /// The good moves and the best of the others with their lines, if there is a wide margin between them.
    fn candidates(&mut self, played: Option<Move>, nodes: u64) -> Result<Option<Vec<Judged>>, HashError> {
        let mut request = SearchRequest::new(Game::new(self.position.clone()), Limits::nodes(nodes));
        let Some(best) = self.search(&request)?.filter(|(_, line)| Some(line[0]) != played) else { return Ok(None) };
        let (score, mv) = (best.0, best.1[0]);
        request = SearchRequest::without(mv, request.game, request.limits);
        let mut found = vec![best];
        while let Some(next) = self.search(&request)? {
            let (other, twin) = (next.0, next.1[0]);
            found.push(next);
            if is_clear(score, other, played.is_some()) {
                return Ok(Some(found));
            }
            let is_right =
                played.is_some_and(|played| twin != played) && is_as_good((mv, points(score)), (twin, points(other)));
            let Some(moves) = request.moves.as_mut().filter(|_| is_right) else { break };
            moves.retain(|other| *other != twin);
        }
        Ok(None)
    }

    /// The worth of `mv` by the position after it, and at most [`MAX_ANSWERS`] moves from there.
    pub fn after(&mut self, mv: Move, nodes: u64) -> Result<Option<Judged>, HashError> {
        let mut next = self.position.clone();
        next.play_unchecked(mv);
        if let Some(outcome) = next.outcome() {
            let score = match outcome.winner {
                None => Score::DRAW,
                Some(winner) if winner == self.position.to_move() => Score::win_in(1),
                Some(_) => Score::loss_in(1),
            };
            return Ok(Some((score, Vec::new())));
        }
        let found = self.search(&SearchRequest::new(Game::new(next), Limits::nodes(nodes)))?;
        Ok(found.map(|(score, mut line)| {
            line.truncate(MAX_ANSWERS);
            (one_ply_before(score), line)
        }))
    }

    fn search(&mut self, request: &SearchRequest) -> Result<Option<Judged>, HashError> {
        let report = self.engine.run_with(request, Some(self.stop), |_| {})?;
        let line = report.lines.into_iter().next().filter(|line| !line.pv.is_empty());
        Ok(line.map(|line| (line.score, line.pv)))
    }
}

/// A search without `mv`; after a mistake also without other pieces on its square, but with the move `played`.
pub fn others(position: &AnyPosition, mv: Move, played: Option<Move>, limits: Limits) -> SearchRequest {
    let mut request = SearchRequest::without(mv, Game::new(position.clone()), limits);
    if let (Some(moves), Some(played)) = (&mut request.moves, played) {
        moves.retain(|&other| other == played || !are_twins(other, mv));
    }
    request
}

/// Returns whether two moves place different pieces on one square.
fn are_twins(one: Move, other: Move) -> bool {
    one != other && !one.is_spread() && !other.is_spread() && one.square() == other.square()
}

/// Returns whether there is a wide margin between two moves, of which only the first keeps a won or a level position.
/// Unless `may_be_decisive`, neither may win or lose by force.
fn is_clear(best: Score, other: Score, may_be_decisive: bool) -> bool {
    let is_open = may_be_decisive || (!best.is_decisive() && !other.is_decisive());
    is_wide(points(best), points(other)) && is_open
}

/// The expected score of the player, in thousandths.
fn points(score: Score) -> u32 {
    expected_points(score, Players::People)
}

fn is_wide(best: u32, other: u32) -> bool {
    best >= other + MARGIN && GOAL_THOUSANDTHS.iter().any(|&least| best >= least && other < least)
}

/// Returns whether a move places another piece on the square of the best move and is not a mistake.
fn is_as_good((best, most): (Move, u32), (mv, points): (Move, u32)) -> bool {
    are_twins(best, mv) && points + MISTAKE > most
}

/// The good ones of some moves with the expected scores after them, of which the first is the best: that one, and other
/// pieces on its square that are no mistakes. `None` if one of them is not clearly better than each of the others. The page
/// has the same rule (web/src/model/mistake.js); `tests/games/right-moves.tsv` has cases for both.
fn right_moves(moves: &[(Move, u32)]) -> Option<Vec<Move>> {
    let best = *moves.first()?;
    let is_right = |&each: &(Move, u32)| each.0 == best.0 || is_as_good(best, each);
    let (right, wrong): (Vec<_>, Vec<_>) = moves.iter().copied().partition(is_right);
    let (least, most) = (right.iter().map(|right| right.1).min()?, wrong.iter().map(|wrong| wrong.1).max()?);
    is_wide(least, most).then(|| right.into_iter().map(|(mv, _)| mv).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_moves_are_those_of_the_cases_for_the_page() {
        let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games/right-moves.tsv");
        for line in std::fs::read_to_string(cases).unwrap().lines().skip(1) {
            let (moves, expected) = line.split_once('\t').unwrap();
            let parts = moves.split(", ").map(|part| part.split_once(' ').unwrap());
            let moves: Vec<(Move, u32)> =
                parts.map(|(mv, points)| (mv.parse().unwrap(), points.parse().unwrap())).collect();
            let right = right_moves(&moves).unwrap_or_default();
            let right: Vec<String> = right.iter().map(Move::to_string).collect();
            assert_eq!(right.join(" "), expected, "{line}");
        }
    }
}
