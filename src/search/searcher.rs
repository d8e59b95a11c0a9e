//! A worker and what it knows: of the search, of the line it is on, and of the nodes on that line.
//!
//! What it does is in the files that are named after it: `node` decides whether a position needs its moves searched,
//! `moves` searches them, `picker` says which is next, `busy` keeps workers out of each other's way.

use super::answers::CoarseAnswers;
use super::correction::CorrectionKeys;
use super::history::Memory;
use super::ordering::Scored;
use super::{Score, Shared};
use crate::board::{Move, Position};

/// One worker on one position. Scores are for the player to move, decisive ones count plies from the root.
pub(super) struct Searcher<'a, const N: usize> {
    pub position: Position<N>,
    pub shared: &'a Shared<'a>,
    pub memory: &'a mut Memory,
    /// Nodes visited.
    pub nodes: u64,
    /// The deepest ply reached.
    pub seldepth: usize,
    /// Set when the search has to unwind; scores returned from then on mean nothing.
    pub stopped: bool,
    /// Nodes of the line whose moves may be shared with other workers.
    pub(super) joint: Vec<JointNode>,
    /// While the search unwinds to a node above that another worker has settled: its ply and its score.
    pub(super) settled: Option<(usize, Score)>,
    /// The root move under way.
    pub root: usize,
    /// The iteration under way, in plies.
    pub(super) root_depth: i32,
    /// Nodes that may be visited before asking for more.
    quota: u64,
    /// Hashes of the line being searched, the root's first.
    pub(super) hashes: Vec<u64>,
    /// The move that led to each ply, and the evaluation there.
    pub(super) played: Vec<Option<Move>>,
    pub(super) evaluations: Vec<Score>,
    /// For each ply the best line found from there on.
    pub lines: Vec<Vec<Move>>,
    /// Spare move lists, one for each ply, kept for their capacity.
    pub(super) lists: Vec<Vec<Scored>>,
    pub(super) buffer: Vec<Move>,
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
}

/// A node whose moves are to be searched. See [`Visit`] for what the parent knew of it.
pub(super) struct Node {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    pub cut: bool,
    pub previous: Option<Move>,
    /// The static evaluation as it is.
    pub raw: Score,
    /// The same, corrected by what searches have found.
    pub evaluation: Score,
    pub keys: CorrectionKeys,
    /// The key of the position in the table.
    pub key: u64,
    /// Whether the evaluation is better than two plies ago.
    pub improving: bool,
    pub table_move: Option<Move>,
    /// Search only these moves.
    pub answers: Option<CoarseAnswers>,
    /// Whether the opponent threatens a road.
    pub in_tak: bool,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub mv: Move,
    /// Whether it threatens a road.
    pub is_tak: bool,
    /// Its place in the order, pruned moves not counted.
    pub number: usize,
}

/// A node that several workers may be searching.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointNode {
    pub key: u64,
    pub depth: i32,
    pub ply: usize,
    pub window: (Score, Score),
}

impl<'a, const N: usize> Searcher<'a, N> {
    pub fn new(position: &Position<N>, shared: &'a Shared<'a>, memory: &'a mut Memory) -> Self {
        Self {
            position: position.clone(),
            shared,
            memory,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            joint: Vec::new(),
            settled: None,
            root: 0,
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
    }

    /// Ends work on a root move; true when it was broken off, because the search has to stop or the move is done already.
    pub fn leave_root(&mut self) -> bool {
        let broken_off = self.stopped;
        self.stopped = broken_off && self.shared.is_stopped();
        broken_off
    }

    /// Counts a node; false when the search has to unwind: for good, to the root, or to a node that is settled.
    pub(super) fn enter(&mut self, ply: usize) -> bool {
        if self.quota == 0 {
            let pass = &self.shared.pass;
            let in_vain = pass.is_over() || pass.is_done(self.root);
            self.quota = if in_vain { 0 } else { self.shared.grant() };
            if self.quota == 0 || self.is_settled_above() {
                self.stopped = true;
                return false;
            }
        }
        self.quota -= 1;
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        !self.stopped
    }

    /// Gives back what was granted and not used, so that node limits stay exact.
    pub fn finish(&mut self) {
        self.shared.give_back(self.quota);
        self.quota = 0;
    }

    /// A move that wins at once, if one is easily found.
    pub(super) fn win_at_hand(&self) -> Option<Move> {
        let road = self.position.winning_move(self.position.to_move());
        road.or_else(|| self.position.winning_end())
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

    /// The key of the position in the table.
    pub(super) fn key(&self) -> u64 {
        self.position.hash() ^ self.shared.worn.key()
    }
}
