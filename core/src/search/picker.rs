//! The move picker of a node, with late move and futility pruning: the table move, then the others in the order of
//! their scores, then the deferred ones that other workers were searching.

use super::ordering::{Hints, Ordering, Scored, pick};
use super::params::{
    futility_base, futility_depth, futility_margin, futility_spread, late_move_base, late_move_depth, late_move_square,
    late_move_worsening,
};
use super::policy::{MoveContext, MoveScorer};
use super::score::Score;
use super::searcher::{Node, Searcher};
use super::visit::{Candidate, Visit};
use crate::board::{Bitboard, Move, MoveKind, PieceKind};

/// The moves of one node, handed out one at a time.
pub(super) struct MovePicker {
    /// All moves except the table move, in order up to `index`.
    list: Vec<Scored>,
    index: usize,
    /// Created with the list, when the table move did not cut off.
    context: Option<MoveContext>,
    /// Class of the moves left in the list from `index` on.
    stage: PruneStage,
    searched: usize,
    /// Deferred moves, and how many of them have been returned again.
    deferred: Vec<Candidate>,
    again: usize,
}

impl MovePicker {
    /// Reuses `list` for its capacity.
    pub fn new(mut list: Vec<Scored>) -> Self {
        list.clear();
        Self { list, index: 0, context: None, stage: PruneStage::All, searched: 0, deferred: Vec::new(), again: 0 }
    }

    /// Index in the order of the next move that was not deferred.
    pub fn number(&self) -> usize {
        self.searched + self.deferred.len()
    }

    /// The next move of those that `stage` allows. Pruned moves do not return.
    pub fn next<const N: usize>(
        &mut self,
        searcher: &mut Searcher<'_, N>,
        node: &Node,
        hints: &Hints,
        stage: PruneStage,
    ) -> Option<Candidate> {
        let mv = match (node.table_move, &self.context) {
            (Some(mv), None) if self.searched == 0 => Some(mv),
            _ => {
                let taks = if let Some(context) = &self.context {
                    context.taks()
                } else {
                    self.stage = stage;
                    self.context.insert(searcher.order(node, hints, stage, &mut self.list)).taks()
                };
                if stage > self.stage {
                    self.prune(stage, taks);
                }
                let mv = pick(&mut self.list, self.index);
                self.index += usize::from(mv.is_some());
                mv
            }
        };
        let Some(mv) = mv else {
            let candidate = self.deferred.get(self.again).copied();
            self.again += usize::from(candidate.is_some());
            return candidate;
        };
        let taks = self.context.as_ref().map(MoveContext::taks);
        let is_tak = taks.is_some_and(|taks| is_tak(mv, taks));
        Some(Candidate { mv, is_tak, number: self.number(), can_defer: true })
    }

    /// Removes the pruned moves from the rest of the list at once: picking each of them first would take longer than
    /// the search of the moves before them.
    fn prune(&mut self, stage: PruneStage, taks: Bitboard) {
        let mut kept = self.index;
        for i in self.index..self.list.len() {
            if stage.allows(self.list[i].mv, taks) {
                self.list[kept] = self.list[i];
                kept += 1;
            }
        }
        self.list.truncate(kept);
        self.stage = stage;
    }

    /// Returns the move again after all others, with the same number.
    pub fn defer(&mut self, candidate: Candidate) {
        self.deferred.push(Candidate { can_defer: false, ..candidate });
    }

    /// Counts the last move as searched.
    pub fn mark_searched(&mut self) {
        self.searched += 1;
    }

    /// The moves searched before `best`, without the deferred ones.
    pub fn tried_before(&self, best: Move) -> impl Iterator<Item = Move> {
        let waiting = &self.deferred[self.again..];
        let is_waiting = |mv| waiting.iter().any(|candidate| candidate.mv == mv);
        let others = self.list[..self.index].iter().map(|scored| scored.mv);
        others.filter(move |&mv| mv != best && !is_waiting(mv))
    }

    /// Returns the list for reuse.
    pub fn into_list(self) -> Vec<Scored> {
        self.list
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Generates and scores the moves of a node that `stage` allows, except the table move.
    fn order(&mut self, node: &Node, hints: &Hints, stage: PruneStage, list: &mut Vec<Scored>) -> MoveContext {
        let ways = node.ways.unwrap_or_else(|| self.position.ways_in(node.halos));
        let context = MoveContext::new(&self.position, &ways, node.visit.previous.map(Move::target));
        let evasions = node.evasions.map(|evasions| evasions.narrowed(&self.position));
        self.buffer.clear();
        self.position.generate_moves(&mut self.buffer);
        let is_wanted = |&mv: &Move| {
            Some(mv) != hints.table
                && evasions.is_none_or(|evasions| evasions.allow(mv))
                && stage.allows(mv, context.taks())
        };
        let scorer = MoveScorer::new(&self.position, &context, self.shared.context.move_weights);
        let moves = self.buffer.iter().copied().filter(is_wanted);
        Ordering { scorer, histories: self.histories, hints }.fill(moves, list);
        context
    }
}

/// Move classes that are still searched after late move and futility pruning, from least to most restrictive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum PruneStage {
    All,
    SpreadsAndTaks,
    Taks,
}

impl PruneStage {
    /// Returns whether `mv` is searched; `taks` are the squares where a placement threatens a road.
    pub fn allows(self, mv: Move, taks: Bitboard) -> bool {
        match self {
            Self::All => true,
            Self::SpreadsAndTaks => mv.is_spread() || is_tak(mv, taks),
            Self::Taks => is_tak(mv, taks),
        }
    }
}

/// Returns whether `mv` is a placement that threatens a road.
pub(super) fn is_tak(mv: Move, taks: Bitboard) -> bool {
    matches!(mv.kind(), MoveKind::Place(PieceKind::Flat | PieceKind::Cap)) && taks.contains(mv.square())
}

impl Node {
    /// The pruning stage after `number` moves with the best score `best`. Nothing is pruned while all moves lose: a
    /// loss is proven only if all moves were searched.
    pub fn prune_stage(&self, number: usize, best: Score) -> PruneStage {
        if number == 0 || best.is_loss() || self.in_tak {
            return PruneStage::All;
        }
        let Visit { alpha, depth, .. } = self.visit;
        // Late move pruning (chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning). Assumes that late quiet
        // moves do not raise alpha. Fails if a quiet placement begins a tinue, or a spread threatens a road; placements
        // that threaten one are exempt.
        let enough = late_move_base() + late_move_square() * depth * depth;
        let enough = if self.improving { enough } else { enough / late_move_worsening() };
        if depth <= late_move_depth() && number >= enough as usize {
            return PruneStage::Taks;
        }
        // Futility pruning (chessprogramming.org/Futility_Pruning). Assumes that a quiet move cannot raise a score far
        // below alpha. Spreads change the flat count by several pieces, so they need a larger margin. Fails for a
        // placement that prepares two taks at once.
        if depth <= futility_depth() && !alpha.is_decisive() {
            let limit = self.estimate + futility_base() + futility_margin() * depth;
            if limit + futility_spread() <= alpha {
                return PruneStage::Taks;
            }
            if limit <= alpha {
                return PruneStage::SpreadsAndTaks;
            }
        }
        PruneStage::All
    }
}
