//! The one good move of a position, as far as long searches show. Nothing is proven here.

use std::sync::atomic::AtomicBool;

use super::annotate::judge::{WON_CHANCE, chance, lead, one_ply_before};
use crate::board::{AnyPosition, Game, Move};
use crate::engine::{Engine, HashError, Limits, SearchRequest};
use crate::search::Score;

/// Points of chance by which a good move must be better than every other one.
const MARGIN_POINTS: f64 = 30.0;

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
            if self.two_best(played, nodes)?.is_none() {
                return Ok(None);
            }
        }
        let Some([best, other]) = self.two_best(played, nodes)? else { return Ok(None) };
        let (Some((again, line)), Some((other_again, refutation))) =
            (self.after(best.1[0], nodes)?, self.after(other.1[0], nodes)?)
        else {
            return Ok(None);
        };
        let mut least = best.0.min(again);
        let mut most = (other.0.max(other_again), other.1[0], refutation);
        let mut right = vec![best.1[0]];
        for mv in if played.is_some() { twins(self.position, right[0]) } else { Vec::new() } {
            let Some((score, answer)) = self.after(mv, nodes)? else { return Ok(None) };
            if is_clear(score, most.0, true) {
                right.push(mv);
                least = least.min(score);
            } else if score > most.0 {
                most = (score, mv, answer);
            }
        }
        let is_found = is_clear(least, most.0, played.is_some()) && played.is_none_or(|mv| !right.contains(&mv));
        Ok(is_found.then_some(Best { right, line, wrong: most.1, refutation: most.2 }))
    }

    /// The best line, and the best of those that begin with another move, if there is a wide margin between them. After a
    /// mistake another piece on the same square is not another move here.
    fn two_best(&mut self, played: Option<Move>, nodes: u64) -> Result<Option<[Judged; 2]>, HashError> {
        let request = SearchRequest::new(Game::new(self.position.clone()), Limits::nodes(nodes));
        let Some(best) = self.search(&request)?.filter(|(_, line)| Some(line[0]) != played) else { return Ok(None) };
        let other = self.search(&others(self.position, best.1[0], played, request.limits))?;
        let other = other.filter(|other| is_clear(best.0, other.0, played.is_some()));
        Ok(other.map(|other| [best, other]))
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
        let twins = twins(position, mv);
        moves.retain(|other| *other == played || !twins.contains(other));
    }
    request
}

/// The legal moves that place another piece on the square of a placement.
fn twins(position: &AnyPosition, mv: Move) -> Vec<Move> {
    let mut moves = position.legal_moves();
    moves
        .retain(|other| *other != mv && ![*other, mv].iter().any(|mv| mv.is_spread()) && other.square() == mv.square());
    moves
}

/// Returns whether there is a wide margin between two moves, of which only the first keeps a won or a level position.
/// Unless `may_be_decisive`, neither may win or lose by force.
fn is_clear(best: Score, other: Score, may_be_decisive: bool) -> bool {
    let keeps = |least| chance(best) >= least && chance(other) < least;
    let is_open = may_be_decisive || (!best.is_decisive() && !other.is_decisive());
    lead(best, other) >= MARGIN_POINTS && (keeps(WON_CHANCE) || keeps(100.0 - WON_CHANCE)) && is_open
}
