//! Which moves of a node are left out.

use super::params::{
    futility_base, futility_depth, futility_margin, futility_spread, late_move_base, late_move_depth, late_move_square,
    late_move_worsening,
};
use super::score::Score;
use super::searcher::{Node, Visit};
use crate::board::{Bitboard, Move, MoveKind, PieceKind};

/// Which moves of a node are still worth a search. Each of these leaves out more than the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PruneStage {
    All,
    SpreadsAndTaks,
    Taks,
}

impl PruneStage {
    /// Whether `mv` is; `taks` are the squares where a placement threatens a road.
    pub fn allows(self, mv: Move, taks: Bitboard) -> bool {
        match self {
            Self::All => true,
            Self::SpreadsAndTaks => mv.is_spread() || is_tak(mv, taks),
            Self::Taks => is_tak(mv, taks),
        }
    }
}

/// Whether `mv` places a road piece where that threatens a road.
pub(super) fn is_tak(mv: Move, taks: Bitboard) -> bool {
    matches!(mv.kind(), MoveKind::Place(PieceKind::Flat | PieceKind::Cap)) && taks.contains(mv.square())
}

impl Node {
    /// Which moves are worth a search once `number` have had theirs and `best` is what they came to. All of them before
    /// some move is known not to lose: where a loss is claimed, all moves must have been searched.
    pub fn prune_stage(&self, number: usize, best: Score) -> PruneStage {
        if number == 0 || best.is_loss() || self.in_tak {
            return PruneStage::All;
        }
        let Visit { alpha, depth, .. } = self.visit;
        // Late move pruning (chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning). It bets that after so many
        // moves in good order none of the rest is good enough. Tak breaks the bet where a quiet placement begins a
        // tinue, or a spread threatens a road; placements that do so are let through.
        let enough = late_move_base() + late_move_square() * depth * depth;
        let enough = if self.improving { enough } else { enough / late_move_worsening() };
        if depth <= late_move_depth() && number >= enough as usize {
            return PruneStage::Taks;
        }
        // Futility (chessprogramming.org/Futility_Pruning). It bets that a quiet move cannot make up a score so far below
        // alpha. Tak breaks the bet with spreads, which change the flat count by several pieces, so they are left out only
        // where it is farther below; and with a placement that prepares two taks at once.
        if depth <= futility_depth() && !alpha.is_decisive() {
            let hoped_for = self.estimate + futility_base() + futility_margin() * depth;
            if hoped_for + futility_spread() <= alpha {
                return PruneStage::Taks;
            }
            if hoped_for <= alpha {
                return PruneStage::SpreadsAndTaks;
            }
        }
        PruneStage::All
    }
}
