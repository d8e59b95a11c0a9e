//! Which move of a node is next: the table's, then the others from the most promising on, and last those that were put
//! off because other workers were searching them.

use super::ordering::{Hints, Scored, pick, score_moves};
use super::params::{
    futility_base, futility_depth, futility_margin, futility_spread, late_move_base, late_move_depth, late_move_square,
    late_move_worsening,
};
use super::policy::{MoveContext, MoveScorer};
use super::score::Score;
use super::searcher::{Candidate, Node, Searcher, Visit};
use crate::board::{Bitboard, Move, MoveKind, PieceKind};

/// The moves of one node on their way through the search.
pub(super) struct Picker {
    /// The moves but for the table's, in order up to `index`.
    list: Vec<Scored>,
    index: usize,
    /// Made together with the list, once the table move has been searched and the node goes on.
    context: Option<MoveContext>,
    /// What is left in the list from `index` on.
    stage: PruneStage,
    searched: usize,
    /// Moves put off, and how many of them have come up again.
    deferred: Vec<Candidate>,
    again: usize,
}

impl Picker {
    /// `list` is emptied and used again, for its capacity.
    pub fn new(mut list: Vec<Scored>) -> Self {
        list.clear();
        Self { list, index: 0, context: None, stage: PruneStage::All, searched: 0, deferred: Vec::new(), again: 0 }
    }

    /// The place in the order of the next move that comes up for the first time.
    pub fn number(&self) -> usize {
        self.searched + self.deferred.len()
    }

    /// The next move to look at, of those that are worth it. What has once been left out does not come back.
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
                let taks = self.context.get_or_insert_with(|| searcher.order(node, hints, &mut self.list)).taks();
                if stage > self.stage {
                    self.leave_out(stage, taks);
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
        Some(Candidate { mv, is_tak: taks.is_some_and(|taks| is_tak(mv, taks)), number: self.number() })
    }

    /// Leaves out what is not worth a search of the moves that have not come up, all at once: to pick each of them as the
    /// best of the rest, only to leave it out, would take longer than the search of those before.
    fn leave_out(&mut self, stage: PruneStage, taks: Bitboard) {
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

    /// Whether the move that has come up may be put off. One that comes up again may not.
    pub fn can_defer(&self) -> bool {
        self.again == 0
    }

    /// Lets the move come up again after all others. It keeps its number.
    pub fn defer(&mut self, candidate: Candidate) {
        self.deferred.push(candidate);
    }

    /// Notes that the last move has been searched.
    pub fn mark_searched(&mut self) {
        self.searched += 1;
    }

    /// The moves before `best` that came up and are not waiting to come up again.
    pub fn tried_before(&self, best: Move) -> impl Iterator<Item = Move> {
        let waiting = &self.deferred[self.again..];
        let is_waiting = |mv| waiting.iter().any(|candidate| candidate.mv == mv);
        let others = self.list[..self.index].iter().map(|scored| scored.mv);
        others.filter(move |&mv| mv != best && !is_waiting(mv))
    }

    /// Gives the list back.
    pub fn into_list(self) -> Vec<Scored> {
        self.list
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Lists the moves that are worth searching, each with its score for ordering.
    fn order(&mut self, node: &Node, hints: &Hints, list: &mut Vec<Scored>) -> MoveContext {
        let context = MoveContext::new(&self.position, node.visit.previous.map(Move::target));
        score_moves(
            &mut MoveScorer::new(&self.position, &context, self.shared.given.move_weights),
            self.histories,
            hints,
            node.evasions,
            &mut self.buffer,
            list,
        );
        context
    }
}

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
