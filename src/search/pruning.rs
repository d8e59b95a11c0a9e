//! Which moves of a node are left out.

use super::params::{
    futility_base, futility_depth, futility_margin, late_move_base, late_move_depth,
    late_move_square, late_move_worsening,
};
use super::score::Score;
use super::searcher::{Candidate, Node};

impl Node {
    /// Whether to leave out a move. Never before some move is known not to lose: where a loss is claimed, all moves must
    /// have been searched.
    pub fn prunes(&self, candidate: Candidate, best: Score) -> bool {
        let Candidate { mv, is_tak, number } = candidate;
        if number == 0 || best.is_loss() || self.in_tak || is_tak {
            return false;
        }
        let depth = self.depth;
        // Late move pruning (chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning). It bets that after so many
        // moves in good order none of the rest is good enough. Tak breaks the bet where a quiet placement begins a
        // tinue; taks are let through.
        let enough = late_move_base() + late_move_square() * depth * depth;
        let enough = if self.improving {
            enough
        } else {
            enough / late_move_worsening()
        };
        if depth <= late_move_depth() && number >= enough as usize {
            return true;
        }
        // Futility (chessprogramming.org/Futility_Pruning). It bets that a quiet move cannot make up a score so far below
        // alpha. Tak breaks the bet with spreads, which change the flat count by several pieces, so only placements are
        // left out; and with a placement that prepares two taks at once.
        depth <= futility_depth()
            && !mv.is_spread()
            && !self.alpha.is_decisive()
            && self.evaluation + futility_base() + futility_margin() * depth <= self.alpha
    }
}
