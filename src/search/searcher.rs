//! A worker and what it knows: of the search, of the line it is on, and of the nodes on that line. What it does with that is
//! in `node`.

use super::abdada::{Joint, JointNode};
use super::correction::CorrectionKeys;
use super::evasions::Evasions;
use super::history::{Earlier, Histories};
use super::ordering::{Hints, Scored};
use super::params::extension_factor;
use super::score::{Bound, Score};
use super::shared::Shared;
use super::tt::Entry;
use crate::board::{Move, Position};

/// One worker on one position. Scores are for the player to move, decisive ones count plies from the root.
pub(super) struct Searcher<'a, const N: usize> {
    pub position: Position<N>,
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories,
    /// Nodes visited.
    pub nodes: u64,
    /// The deepest ply reached.
    pub seldepth: usize,
    /// Set when the search has to unwind; scores returned from then on mean nothing.
    pub stopped: bool,
    /// Nodes of the line whose moves may be shared with other workers.
    pub joint: Joint<'a>,
    /// The root move under way.
    pub root: usize,
    /// How many plies deeper than the iteration it searches root moves.
    pub ahead: i32,
    /// Its number among the workers.
    #[cfg(test)]
    pub seat: usize,
    /// The iteration under way, in plies.
    pub root_depth: i32,
    /// Nodes that may be visited before asking for more.
    quota: u64,
    /// Hashes of the line being searched, the root's first.
    pub hashes: Vec<u64>,
    /// The move that led to each ply, and the evaluation there.
    pub played: Vec<Option<Move>>,
    pub evaluations: Vec<Score>,
    /// For each ply the best line found from there on.
    pub lines: Vec<Vec<Move>>,
    /// Spare move lists, one for each ply, kept for their capacity.
    pub lists: Vec<Vec<Scored>>,
    pub buffer: Vec<Move>,
}

/// What the parent knows of a node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    pub alpha: Score,
    pub beta: Score,
    /// Remaining plies.
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
    /// Whether the parent expects this node to fail high.
    pub cut: bool,
    /// The move that led here, `None` for the root and after a null move.
    pub previous: Option<Move>,
    /// A move that is left out, to see what the others are worth.
    pub excluded: Option<Move>,
    /// Plies that late move reduction has taken off the depth.
    pub reduced: i32,
}

/// A node whose moves are to be searched.
pub(super) struct Node {
    /// As the parent asked, with the window and the depth that the node has chosen.
    pub visit: Visit,
    /// The depth that the table and other workers are told. Of many workers that is the depth before the internal reduction.
    pub store_depth: i32,
    /// The static evaluation as it is.
    pub raw: Score,
    /// The same, corrected by what searches have found.
    pub evaluation: Score,
    /// The same again, corrected by what the table says of the position.
    pub estimate: Score,
    pub keys: CorrectionKeys,
    /// The key of the position in the table.
    pub key: u64,
    /// Whether the evaluation is better than two plies ago.
    pub improving: bool,
    pub table_move: Option<Move>,
    /// Search only these moves.
    pub evasions: Option<Evasions>,
    /// Whether the opponent threatens a road.
    pub in_tak: bool,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub mv: Move,
    /// Whether it is a placement that threatens a road. Of a spread, and of the table's move, that is not asked.
    pub is_tak: bool,
    /// Its place in the order, pruned moves not counted.
    pub number: usize,
}

impl Node {
    /// Whether moves of the node may be searched more deeply than its depth says.
    pub fn may_extend(&self, root_depth: i32) -> bool {
        (self.visit.ply as i32) < extension_factor() * root_depth
    }

    /// What other workers that search its moves have to know.
    #[inline]
    pub fn joint<const PV: bool>(&self) -> JointNode {
        JointNode {
            key: self.key,
            depth: self.store_depth,
            ply: self.visit.ply,
            window: (self.visit.alpha, self.visit.beta),
            cut: !PV && self.visit.cut,
        }
    }
}

impl<'a, const N: usize> Searcher<'a, N> {
    /// `number` tells the workers of a search apart; it counts from 0.
    pub fn new(position: &Position<N>, shared: &'a Shared<'a>, histories: &'a mut Histories, number: usize) -> Self {
        Self {
            position: position.clone(),
            shared,
            histories,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            joint: Joint::new(shared.searching(number), shared.given.table),
            root: 0,
            ahead: shared.ahead(number),
            #[cfg(test)]
            seat: number,
            root_depth: 0,
            quota: 0,
            hashes: Vec::new(),
            played: vec![None; Score::MAX_PLY + 2],
            evaluations: vec![Score::DRAW; Score::MAX_PLY + 2],
            lines: vec![Vec::new(); Score::MAX_PLY + 2],
            lists: vec![Vec::new(); Score::MAX_PLY + 2],
            buffer: Vec::new(),
        }
    }

    /// Gets ready for a pass over the root moves.
    pub fn begin_pass(&mut self, depth: i32) {
        self.root_depth = depth;
        self.stopped = false;
        let keys = CorrectionKeys::of(&self.position, None);
        let raw = self.shared.evaluate(&self.position);
        self.evaluations[0] = self.histories.corrections.apply(&keys, raw);
    }

    /// Ends work on a root move; true when it was broken off, because the search has to stop or the move is done already.
    pub fn leave_root(&mut self) -> bool {
        let broken_off = self.stopped;
        self.stopped = broken_off && self.shared.is_stopped();
        broken_off
    }

    /// Counts a node; false when the search has to unwind: for good, to the root, or to a node that is settled.
    pub fn enter(&mut self, ply: usize) -> bool {
        if self.quota == 0 {
            let pass = &self.shared.pass;
            let in_vain = pass.is_over() || pass.is_done(self.root);
            self.quota = if in_vain { 0 } else { self.shared.grant() };
            if self.quota == 0 || self.joint.is_settled_above() {
                self.stopped = true;
                return false;
            }
        }
        self.quota -= 1;
        self.nodes += 1;
        #[cfg(test)]
        if let Some(lockstep) = &self.shared.lockstep {
            lockstep.count(self.seat, self.nodes);
        }
        self.seldepth = self.seldepth.max(ply);
        !self.stopped
    }

    /// Gives back what was granted and not used, so that node limits stay exact.
    pub fn finish(&mut self) {
        self.shared.give_back(self.quota);
        self.quota = 0;
    }

    /// The score if the game ended with the last move, by the rules or by repetition.
    pub fn game_over(&self, ply: usize, previous: Option<Move>) -> Option<Score> {
        if let Some(outcome) = self.position.outcome() {
            return Some(match outcome.winner {
                None => Score::DRAW,
                Some(winner) if winner == self.position.to_move() => Score::win_in(ply),
                Some(_) => Score::loss_in(ply),
            });
        }
        // A placement cannot repeat a position.
        let may_repeat = previous.is_some_and(Move::is_spread) || self.shared.repetitions.is_all();
        (may_repeat && self.repeats()).then_some(Score::DRAW)
    }

    /// Whether the position counts as drawn by repetition. A second occurrence within the line is enough: what is best
    /// the first time is best again, so the line would never end. A position of the game itself must come up as
    /// often as the rule says. The table knows nothing of the line: where two lines lead to a position, one of them by
    /// way of a position that comes again, it may hold a score that is right for one line only
    /// (chessprogramming.org/Graph_History_Interaction).
    fn repeats(&self) -> bool {
        let hash = self.position.hash();
        let line = self.hashes.get(1..).unwrap_or_default();
        self.shared.given.repetitions > 0 && (self.shared.repetitions.contains(hash) || line.contains(&hash))
    }

    /// The static evaluation of the position, from what is known of it or anew.
    pub fn evaluation(&self, known: Option<Entry>) -> Score {
        known.map_or_else(|| self.shared.evaluate(&self.position), |entry| entry.evaluation)
    }

    /// Makes `mv` and the line of the next ply the line of `ply`.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.lines.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (before.last_mut(), after.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(rest);
        }
    }

    /// Reads the line of a node that another worker has settled from the table: its move, and the moves of the positions
    /// that follow, as long as their scores are exact.
    pub fn read_line(&mut self, node: &Node) {
        let mut played = Vec::new();
        while played.len() < node.visit.depth.max(1) as usize && self.position.outcome().is_none() {
            // Nodes where one move wins are not put into the table.
            let win = self.position.win_at_hand();
            let known = self.shared.given.table.probe(self.key());
            let exact = known.filter(|e| played.is_empty() || e.bound.is_none());
            let mv = win.or_else(|| exact?.mv);
            let Some(mv) = mv.filter(|&mv| self.position.is_pseudo_legal(mv)) else {
                break;
            };
            played.push((mv, self.position.play_unchecked(mv)));
        }
        let line = &mut self.lines[node.visit.ply];
        line.clear();
        line.extend(played.iter().map(|&(mv, _)| mv));
        for (mv, undo) in played.into_iter().rev() {
            self.position.unplay(mv, undo);
        }
    }

    /// The key of the position in the table.
    pub fn key(&self) -> u64 {
        self.position.hash() ^ self.shared.repetitions.key()
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// What the search has learnt that may tell which move of a node is good.
    pub(super) fn hints(&self, node: &Node) -> Hints {
        let mover = self.position.to_move();
        let Visit { ply, previous, .. } = node.visit;
        let own = ply.checked_sub(1);
        Hints {
            table: node.table_move,
            killers: self.histories.killers(ply),
            counter: self.histories.counter(mover, previous),
            earlier: Earlier { last: previous, own: own.and_then(|before| self.played[before]) },
        }
    }

    /// Remembers that `mv` cut off where the moves that were `tried` before it failed to.
    pub(super) fn reward(&mut self, node: &Node, hints: &Hints, mv: Move, tried: impl Iterator<Item = Move>) {
        let mover = self.position.to_move();
        let Visit { depth, ply, .. } = node.visit;
        self.histories.reward(mover, mv, tried, hints.earlier, depth, ply);
    }

    /// Remembers the result of a node: in the table, and how wrong the evaluation was.
    pub(super) fn conclude(&mut self, node: &Node, best: Score, best_move: Option<Move>) {
        let Visit { alpha, beta, ply, .. } = node.visit;
        let bound = match () {
            () if best >= beta => Some(Bound::Lower),
            () if best > alpha => None,
            () => Some(Bound::Upper),
        };
        let entry =
            Entry { mv: best_move, score: best.to_table(ply), evaluation: node.raw, depth: node.store_depth, bound };
        self.shared.given.table.store(node.key, entry);
        self.learn(node, best, bound);
    }

    /// Remembers how wrong the evaluation was, where the result says so. A bound does not if the evaluation is on its
    /// open side, nor does what a position is worth without its best move.
    fn learn(&mut self, node: &Node, best: Score, bound: Option<Bound>) {
        let tells = match bound {
            None => true,
            Some(Bound::Lower) => best > node.evaluation,
            Some(Bound::Upper) => best < node.evaluation,
        };
        if tells && node.visit.excluded.is_none() && !node.in_tak && !best.is_decisive() {
            let error = best.value() - node.evaluation.value();
            self.histories.corrections.learn(&node.keys, error, node.visit.depth);
        }
    }
}
