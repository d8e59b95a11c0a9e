//! The line of a proven result: exactly as long as the claim, to the end of the game.
//!
//! The search keeps no line for a move that fails high, and workers that share a node read theirs from the table. What
//! is missing is found here: the table holds the distance to the end of most positions of a proof.

use super::report::{Line, RootMove};
use super::score::{Bound, Score, Solved};
use super::searcher::Searcher;
use super::shared::Shared;
use super::solve::winning_line;
use crate::board::{Color, Move};

/// Moves to try for one line by the table: some milliseconds.
const MAX_TABLE_MOVES: u32 = 5000;

/// Positions to visit for one line if the table does not have it: some milliseconds.
const MAX_SOLVER_NODES: u64 = 5000;

impl<const N: usize> Searcher<'_, N> {
    /// Notes the result of a root move whose score is decisive, unless it is proven in as few plies already, or its
    /// line is not found to the end.
    pub(super) fn note_proof(&mut self, root: &mut RootMove) {
        let known = root.proof.as_ref().and_then(|proof| proof.solved);
        let is_news = |&solved: &Solved| known.is_none_or(|known| known != solved && known.is_kept_by(Some(solved)));
        if let Some(solved) = root.score.solved().filter(is_news)
            && let Some(pv) = self.proven_line(solved, &root.line)
        {
            // A win may have turned out to be shorter.
            let score = if root.score.is_win() { Score::win_in(pv.len()) } else { root.score };
            root.proof = Some(Line { score, bound: None, solved: score.solved(), pv });
        }
    }

    /// The line of a proven result that begins with the first move of `line`: from the end of that or else anew.
    fn proven_line(&mut self, solved: Solved, line: &[Move]) -> Option<Vec<Move>> {
        let mover = self.position.to_move();
        let (winner, plies) = match solved {
            Solved::Win(plies) => (mover, plies as usize),
            Solved::Loss(plies) => (!mover, plies as usize),
        };
        let first = &line[..1];
        let mut known = [line, first].into_iter().filter_map(|start| self.completed(start, plies, winner));
        known.next().or_else(|| {
            let line = self.solved_line(first[0], winner)?;
            // In fewer plies the move may still win, but another one may lose in more.
            (line.len() == plies || winner == mover && line.len() < plies).then_some(line)
        })
    }

    /// The line of a win of `winner` after `mv`, by the solver.
    fn solved_line(&mut self, mv: Move, winner: Color) -> Option<Vec<Move>> {
        let Shared { context, repetitions, .. } = self.shared;
        let undo = self.play(mv);
        let rest = winning_line(&self.position, winner, repetitions, context.move_weights, MAX_SOLVER_NODES);
        self.unplay(mv, undo);
        Some([mv].into_iter().chain(rest?).collect())
    }

    /// The line with the missing moves to a win of `winner` after exactly `plies`.
    fn completed(&mut self, start: &[Move], plies: usize, winner: Color) -> Option<Vec<Move>> {
        let missing = plies.checked_sub(start.len())?;
        let undos: Vec<_> = start.iter().map(|&mv| (mv, self.play(mv))).collect();
        let mut rest = Vec::new();
        let mut moves_left = MAX_TABLE_MOVES;
        let is_complete = self.follow_proof(missing, winner, &mut moves_left, &mut rest);
        for (mv, undo) in undos.into_iter().rev() {
            self.unplay(mv, undo);
        }
        is_complete.then(|| start.iter().copied().chain(rest.into_iter().rev()).collect())
    }

    /// Collects the moves, the last first, with which `winner` wins after exactly `plies`, and returns whether they
    /// were found. The winner's moves and the loser's are those after which the table has the same result one ply
    /// nearer.
    fn follow_proof(&mut self, plies: usize, winner: Color, moves_left: &mut u32, moves: &mut Vec<Move>) -> bool {
        if let Some(outcome) = self.position.outcome() {
            return plies == 0 && outcome.winner == Some(winner);
        }
        if plies == 0 || self.has_occurred() {
            return false;
        }
        let attacks = self.position.to_move() == winner;
        let win = self.position.win_in_one();
        if win.is_some() && (plies > 1 || !attacks) {
            return false;
        }
        let stored = self.shared.context.table.probe(self.key()).and_then(|entry| entry.mv);
        let is_known = |&mv: &Move| Some(mv) == win || Some(mv) == stored;
        let (mut candidates, others): (Vec<Move>, Vec<Move>) =
            self.position.legal_moves().into_iter().partition(is_known);
        candidates.extend(others);
        for mv in candidates {
            if *moves_left == 0 {
                return false;
            }
            *moves_left -= 1;
            let undo = self.play(mv);
            let is_near = self.is_stored_as_won(plies - 1, winner);
            let is_found = is_near && self.follow_proof(plies - 1, winner, moves_left, moves);
            self.unplay(mv, undo);
            if is_found {
                moves.push(mv);
                return true;
            }
        }
        false
    }

    /// Returns whether the position is over, or the table has a win for `winner` in `plies`. Nodes with a win in one
    /// are not stored.
    fn is_stored_as_won(&self, plies: usize, winner: Color) -> bool {
        if plies <= 1 {
            return true;
        }
        let (expected, other) = if self.position.to_move() == winner {
            (Score::win_in(plies), Bound::Upper)
        } else {
            (Score::loss_in(plies), Bound::Lower)
        };
        let known = self.shared.context.table.probe(self.key());
        known.is_some_and(|entry| entry.score == expected && entry.bound != Some(other))
    }
}
