//! A search worker and its state: counters, the current line and the nodes on it. The search itself is in `node`.

use super::abdada::{SharedNode, SharedNodes};
use super::correction::CorrectionKeys;
use super::evasions::Evasions;
use super::history::{Earlier, Histories};
use super::ordering::{Hints, Scored};
use super::params::extension_factor;
use super::score::{Bound, Score};
use super::shared::Shared;
use super::statics::Statics;
use super::tt::Entry;
use super::visit::{Unwind, Visit};
use crate::board::{Halos, Move, Position, Undo, Ways};

/// A worker on one position. Scores are for the player to move; decisive ones count plies from the root.
pub(super) struct Searcher<'a, const N: usize> {
    pub position: Position<N>,
    pub shared: &'a Shared<'a>,
    pub histories: &'a mut Histories,
    pub nodes: u64,
    /// The deepest ply reached.
    pub seldepth: usize,
    /// Nodes of the line whose moves are shared with other workers.
    pub shared_nodes: SharedNodes<'a>,
    /// Index of the current root move.
    pub root: usize,
    /// Additional depth of root moves in plies.
    pub ahead: i32,
    /// Index of the worker.
    pub number: usize,
    /// Depth of the current iteration in plies.
    pub root_depth: i32,
    /// Nodes that may be visited before the limits are checked again.
    quota: u64,
    /// Hashes of the current line, the root's first.
    pub key_history: Vec<u64>,
    /// By ply, the move that led there, and the evaluation.
    pub move_stack: Vec<Option<Move>>,
    pub evaluations: Vec<Score>,
    /// Triangular PV table: by ply, the best line from there.
    pub pv_table: Vec<Vec<Move>>,
    /// Spare move lists, one per ply, kept for their capacity.
    pub move_lists: Vec<Vec<Scored>>,
    pub buffer: Vec<Move>,
    /// Evaluations and threats of positions visited lately.
    pub statics: Statics,
}

/// A node whose moves are to be searched.
pub(super) struct Node {
    /// The arguments, with the window and depth after the first steps of the node.
    pub visit: Visit,
    /// Depth stored in the transposition table. With many threads this is the depth before internal iterative
    /// reduction.
    pub store_depth: i32,
    /// The uncorrected static evaluation.
    pub raw: Score,
    /// The static evaluation, corrected by correction history.
    pub evaluation: Score,
    /// The corrected static evaluation, refined by the transposition table score if its bound allows.
    pub estimate: Score,
    pub keys: CorrectionKeys,
    /// Table key of the position.
    pub key: u64,
    /// The evaluation is better than two plies ago.
    pub improving: bool,
    pub table_move: Option<Move>,
    /// Extension of the table move in plies; negative for a reduction.
    pub extension: i32,
    /// The only moves to search, if a road is threatened.
    pub evasions: Option<Evasions>,
    /// The opponent threatens a road.
    pub in_tak: bool,
    /// The halos of the player to move and of the other one, as far as they are known.
    pub halos: [Option<Halos>; 2],
    /// The ways of both players, if they are known already.
    pub ways: Option<Ways>,
}

impl Node {
    /// Returns whether moves of the node may be extended.
    pub fn may_extend(&self, root_depth: i32) -> bool {
        (self.visit.ply as i32) < extension_factor() * root_depth
    }

    /// The node as other workers that search its moves see it.
    #[inline]
    pub fn shared_node<const PV: bool>(&self) -> SharedNode {
        SharedNode {
            key: self.key,
            depth: self.store_depth,
            ply: self.visit.ply,
            window: (self.visit.alpha, self.visit.beta),
            cut: !PV && self.visit.cut,
        }
    }
}

impl<'a, const N: usize> Searcher<'a, N> {
    /// Creates the worker with index `number`.
    pub fn new(position: &Position<N>, shared: &'a Shared<'a>, histories: &'a mut Histories, number: usize) -> Self {
        Self {
            position: position.clone(),
            shared,
            histories,
            nodes: 0,
            seldepth: 0,
            shared_nodes: SharedNodes::new(shared.searching(number), shared.context.table),
            root: 0,
            ahead: shared.ahead(number),
            number,
            root_depth: 0,
            quota: 0,
            key_history: Vec::new(),
            move_stack: vec![None; Score::MAX_PLY + 2],
            evaluations: vec![Score::DRAW; Score::MAX_PLY + 2],
            pv_table: vec![Vec::new(); Score::MAX_PLY + 2],
            move_lists: vec![Vec::new(); Score::MAX_PLY + 2],
            buffer: Vec::new(),
            statics: Statics::default(),
        }
    }

    /// Prepares for a pass over the root moves.
    pub fn begin_pass(&mut self, depth: i32) {
        self.root_depth = depth;
        let keys = CorrectionKeys::of(&self.position, None, None);
        let raw = self.shared.evaluate(&self.position);
        self.evaluations[0] = self.histories.corrections.apply(&keys, raw);
    }

    /// Counts a node, unless its score is not needed.
    pub fn enter(&mut self, ply: usize) -> Result<(), Unwind> {
        if self.quota == 0 {
            let pass = &self.shared.pass;
            if pass.is_over() || pass.is_done(self.root) {
                return Err(Unwind::RootDone);
            }
            self.quota = self.shared.allot();
            if self.quota == 0 {
                return Err(Unwind::Halted);
            }
            self.shared_nodes.check_above()?;
        }
        self.quota -= 1;
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Returns the unused quota, so that node limits are exact.
    pub fn finish(&mut self) {
        self.shared.give_back(self.quota);
        self.quota = 0;
    }

    /// The score if the last move ended the game, by the rules or by repetition.
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

    /// Returns whether the position is scored as a draw by repetition. Within the line a second occurrence is enough:
    /// the best move is the same again, so the line would never end. Positions of the game are counted by the
    /// rule. The table stores no path, so a score can be wrong for another line to the same position
    /// (chessprogramming.org/Graph_History_Interaction).
    fn repeats(&self) -> bool {
        let hash = self.position.hash();
        let line = self.key_history.get(1..).unwrap_or_default();
        self.shared.context.repetitions > 0 && (self.shared.repetitions.contains(hash) || line.contains(&hash))
    }

    /// Sets the line of `ply` to `mv` followed by the line of the next ply.
    pub fn extend_line(&mut self, ply: usize, mv: Move) {
        let (before, after) = self.pv_table.split_at_mut(ply + 1);
        if let (Some(line), Some(rest)) = (before.last_mut(), after.first()) {
            line.clear();
            line.push(mv);
            line.extend_from_slice(rest);
        }
    }

    /// Sets the line of `ply` to a placement that does not stop the opponent's threat, and the threat's execution.
    pub fn show_threat(&mut self, ply: usize) {
        let line = &mut self.pv_table[ply];
        line.clear();
        self.buffer.clear();
        self.position.placements(&mut self.buffer);
        for &mv in &self.buffer {
            let undo = self.position.play_unchecked(mv);
            let win = self.position.win_in_one();
            self.position.unplay(mv, undo);
            if let Some(win) = win {
                line.extend([mv, win]);
                return;
            }
        }
    }

    /// Reads the line of a node that another worker has solved from the table: its move, and the moves of the following
    /// positions as long as their scores are exact.
    pub fn read_line(&mut self, node: &Node) {
        let mut line = std::mem::take(&mut self.pv_table[node.visit.ply]);
        line.clear();
        let most = node.visit.depth.max(1) as usize;
        self.follow_table(&mut line, most, |entry, played| played == 0 || entry.bound.is_none());
        self.pv_table[node.visit.ply] = line;
    }

    /// Extends a line from the root to at most `most` moves, as far as the table knows them.
    pub fn extend_from_table(&mut self, line: &mut Vec<Move>, most: usize) {
        let undos: Vec<Undo> = line.iter().map(|&mv| self.play(mv)).collect();
        let mut rest = Vec::new();
        self.follow_table(&mut rest, most.saturating_sub(line.len()), |_, _| true);
        for (&mv, undo) in line.iter().zip(undos).rev() {
            self.unplay(mv, undo);
        }
        line.append(&mut rest);
    }

    /// Appends at most `most` moves from the position: table moves, as long as `accepts` is true for the entry and the
    /// number of moves before it, and moves that win at once. No position occurs again.
    fn follow_table(&mut self, line: &mut Vec<Move>, most: usize, accepts: impl Fn(Entry, usize) -> bool) {
        let mut undos = Vec::new();
        while undos.len() < most && self.position.outcome().is_none() && !self.has_occurred() {
            // Nodes with a win in one are not stored.
            let win = self.position.win_in_one();
            let known = self.shared.context.table.probe(self.key());
            let mv = win.or_else(|| known.filter(|&entry| accepts(entry, undos.len()))?.mv);
            let Some(mv) = mv.filter(|&mv| self.position.is_pseudo_legal(mv)) else {
                break;
            };
            line.push(mv);
            undos.push((mv, self.play(mv)));
        }
        for (mv, undo) in undos.into_iter().rev() {
            self.unplay(mv, undo);
        }
    }

    /// Plays a move of the current line outside of the search.
    pub fn play(&mut self, mv: Move) -> Undo {
        let undo = self.position.play_unchecked(mv);
        self.key_history.push(undo.hash());
        undo
    }

    /// Takes back a move after [`Searcher::play`].
    pub fn unplay(&mut self, mv: Move, undo: Undo) {
        self.key_history.pop();
        self.position.unplay(mv, undo);
    }

    /// Returns whether the position is on the current line already, or is drawn because of the game before it.
    pub fn has_occurred(&self) -> bool {
        let hash = self.position.hash();
        self.key_history.contains(&hash) || self.shared.repetitions.contains(hash)
    }

    /// Table key of the position.
    pub fn key(&self) -> u64 {
        self.position.hash() ^ self.shared.repetitions.key()
    }

    /// The table move and the moves that were good at earlier nodes.
    pub fn hints(&self, node: &Node) -> Hints {
        let mover = self.position.to_move();
        let Visit { ply, previous, .. } = node.visit;
        Hints {
            table: node.table_move,
            killers: self.histories.killers(ply),
            counter: self.histories.counter(mover, previous),
            earlier: self.earlier(node.visit),
        }
    }

    /// The moves that led to a node.
    pub fn earlier(&self, visit: Visit) -> Earlier {
        let own = visit.ply.checked_sub(1);
        Earlier { last: visit.previous, own: own.and_then(|before| self.move_stack[before]) }
    }

    /// Stores the result of a node in the table and learns the error of the evaluation.
    pub fn conclude(&mut self, node: &Node, best: Score, best_move: Option<Move>) {
        let Visit { alpha, beta, ply, .. } = node.visit;
        let bound = match () {
            () if best >= beta => Some(Bound::Lower),
            () if best > alpha => None,
            () => Some(Bound::Upper),
        };
        let entry =
            Entry { mv: best_move, score: best.to_table(ply), evaluation: node.raw, depth: node.store_depth, bound };
        self.shared.context.table.store(node.key, entry);
        self.learn(node, best, bound);
    }

    /// Updates correction history, unless the evaluation satisfies the bound, or the score is that of a search with an
    /// excluded move.
    fn learn(&mut self, node: &Node, best: Score, bound: Option<Bound>) {
        let is_error = match bound {
            None => true,
            Some(Bound::Lower) => best > node.evaluation,
            Some(Bound::Upper) => best < node.evaluation,
        };
        if is_error && node.visit.excluded.is_none() && !node.in_tak && !best.is_decisive() {
            let error = best.value() - node.evaluation.value();
            self.histories.corrections.learn(&node.keys, error, node.visit.depth);
        }
    }
}
