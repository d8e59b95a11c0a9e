//! Alpha-beta at one node.
//!
//! Every position is a principal variation node (its value is wanted exactly), a cut node (some move is expected to be
//! too good, so that it will not be reached) or an all node (none is expected to be good enough). The first move of a
//! node is searched with the full window, all others with an empty one that only asks "is it better?", which cuts
//! sooner. What is expected right most of the time may be searched less deeply; each technique below says what it bets
//! on and where Tak breaks the bet.

use super::busy::JointNode;
use super::correction::CorrectionKeys;
use super::history::Memory;
use super::moves::Node;
use super::ordering::{Scored, Threat};
use super::params::{
    INTERNAL_REDUCTION_DEPTH, NULL_MOVE_DEPTH, NULL_MOVE_RESERVE, REVERSE_FUTILITY_DEPTH,
    REVERSE_FUTILITY_MARGIN,
};
use super::tt::Entry;
use super::{Score, Shared};
use crate::board::{Color, Move, Position};
use crate::eval::evaluate;

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
    /// Nodes above that may be searched with others.
    pub(super) joint: Vec<JointNode>,
    /// While the search unwinds to a node above that another worker has settled: its ply and its score.
    pub(super) settled: Option<(usize, Score)>,
    /// The root move under way.
    pub root: usize,
    /// The iteration under way, in plies.
    root_depth: i32,
    /// Nodes that may be visited before asking for more.
    quota: u64,
    /// Hashes of the line being searched, the root's first.
    hashes: Vec<u64>,
    /// The move that led to each ply, and the evaluation there.
    pub(super) played: Vec<Option<Move>>,
    evaluations: Vec<Score>,
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

    /// Ends work on a root move; true when it was broken off, because the search has to stop or there is no use in it.
    pub fn leave_root(&mut self) -> bool {
        let broken_off = self.stopped;
        self.stopped = broken_off && self.shared.is_stopped();
        broken_off
    }

    /// Plays `mv`, searches the position it leads to, and takes it back. The score is the mover's.
    pub fn child<const PV: bool>(&mut self, mv: Move, visit: Visit) -> Score {
        let undo = self.position.play(mv);
        self.shared.table.prefetch(self.key());
        self.hashes.push(undo.hash());
        self.played[visit.ply] = Some(mv);
        let score = -self.node::<PV>(Visit {
            previous: Some(mv),
            ..visit
        });
        self.hashes.pop();
        self.position.unplay(mv, undo);
        score
    }

    /// Counts a node; false when the search has to unwind: for good, to the root, or to a node that is settled.
    fn enter(&mut self, ply: usize) -> bool {
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

    fn node<const PV: bool>(&mut self, visit: Visit) -> Score {
        let Visit {
            mut alpha,
            mut beta,
            mut depth,
            ply,
            cut,
            previous,
        } = visit;
        self.lines[ply].clear();
        if !self.enter(ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.game_over(ply, previous) {
            return score;
        }
        // Mate distance pruning: no line from here can beat a win already found nearer to the root.
        alpha = alpha.max(Score::loss_in(ply));
        beta = beta.min(Score::win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        let key = self.key();
        let known = self.shared.table.probe(key);
        let table_move = known
            .and_then(|entry| entry.mv)
            .filter(|&mv| self.position.is_pseudo_legal(mv));
        if let Some(score) = known
            .filter(|_| !PV)
            .and_then(|entry| entry.settles(depth, ply, (alpha, beta)))
        {
            return score;
        }

        // A road that one move completes needs no search at all, and from here on no child has one of the mover's. Nor
        // does a last piece that wins on flats.
        if let Some(mv) = self.win_at_hand() {
            self.lines[ply].push(mv);
            return Score::win_in(ply + 1);
        }
        let opponent = !self.position.to_move();
        let threat = Threat::of(&self.position, opponent, !self.shared.worn.is_empty());
        let in_tak = threat.exists();
        let keys = CorrectionKeys::of(&self.position, previous);
        let raw = self.evaluation(known);
        let evaluation = self.memory.corrections.apply(&keys, raw);
        if ply >= Score::MAX_PLY - 1 {
            return evaluation;
        }
        // Quiescence: with a road threatened the evaluation means nothing, so such leaves are searched on. Taks can
        // follow each other for long, hence the end.
        let last_turn = self.position.is_last_turn();
        if depth <= 0 {
            if !in_tak || ply as i32 >= 2 * self.root_depth + 8 {
                return evaluation;
            }
            depth = 1;
        }

        // Better than two plies ago: the opponent's answers have not hurt, so there is more to hope for.
        self.evaluations[ply] = evaluation;
        let improving = ply >= 2 && evaluation > self.evaluations[ply - 2];
        // With a tak to answer nothing is quiet, so no bet on the evaluation is sound.
        if !PV && !in_tak && !beta.is_decisive() && !last_turn {
            // Reverse futility (chessprogramming.org/Reverse_Futility_Pruning): so far above beta that the opponent
            // will hardly make it up in a few plies. Breaks in Tak when a tinue is near; taks are excluded above.
            if depth <= REVERSE_FUTILITY_DEPTH
                && evaluation - REVERSE_FUTILITY_MARGIN * depth >= beta
            {
                return evaluation;
            }
            if let Some(score) = self.null_move(visit, beta, evaluation) {
                return score;
            }
            if self.stopped {
                return Score::DRAW;
            }
        }
        // Internal reduction (Ed Schröder): without a table move the ordering is a guess, and the next iteration
        // comes back with one. Breaks where the guess misses a quiet tinue; deepening repairs it.
        if table_move.is_none() && depth >= INTERNAL_REDUCTION_DEPTH && !in_tak {
            depth -= 1;
        }

        let answers = (in_tak && !last_turn).then_some(threat);
        let node = Node {
            alpha,
            beta,
            depth,
            ply,
            cut,
            previous,
            raw,
            evaluation,
            keys,
            key,
            improving,
            table_move,
            answers,
            in_tak,
        };
        self.moves::<PV>(&node)
    }

    /// A move that wins at once.
    pub(super) fn win_at_hand(&self) -> Option<Move> {
        let road = self.position.winning_move(self.position.to_move());
        road.or_else(|| self.position.winning_end())
    }

    /// Null move (chessprogramming.org/Null_Move_Pruning): if the score holds even when we pass, a real move should do
    /// so too. Breaks in Tak when moving is a burden: near the end, where placing the last piece ends the game on
    /// flats, hence the reserve guard. A win found behind a null move is no proof and is not returned as one.
    fn null_move(&mut self, visit: Visit, beta: Score, evaluation: Score) -> Option<Score> {
        let Visit {
            depth,
            ply,
            cut,
            previous,
            ..
        } = visit;
        let plenty = Color::ALL
            .iter()
            .all(|&c| self.position.reserve(c).total() >= NULL_MOVE_RESERVE);
        if !cut || depth < NULL_MOVE_DEPTH || previous.is_none() || evaluation < beta || !plenty {
            return None;
        }
        let reduction = 2 + depth / 4 + ((evaluation.value() - beta.value()) / 200).clamp(0, 2);
        self.hashes.push(self.position.hash());
        self.played[ply + 1] = None;
        self.position.pass_turn();
        let score = -self.node::<false>(Visit {
            alpha: -beta,
            beta: -(beta - 1),
            depth: depth - 1 - reduction,
            ply: ply + 1,
            cut: false,
            previous: None,
        });
        self.position.pass_turn();
        self.hashes.pop();
        (!self.stopped && score >= beta).then(|| if score.is_win() { beta } else { score })
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

    /// The score if the game ended with the last move, by the rules or by repetition.
    fn game_over(&self, ply: usize, previous: Option<Move>) -> Option<Score> {
        if let Some(outcome) = self.position.outcome() {
            return Some(match outcome.winner {
                None => Score::DRAW,
                Some(winner) if winner == self.position.to_move() => Score::win_in(ply),
                Some(_) => Score::loss_in(ply),
            });
        }
        // A placement cannot repeat a position.
        let may_repeat = previous.is_some_and(Move::is_spread) || self.shared.worn.is_all();
        (may_repeat && self.repeats()).then_some(Score::DRAW)
    }

    /// Whether the position counts as drawn by repetition. Once within the line is enough, since what was best the
    /// first time is so again; of positions of the game itself as many are needed as the rule says.
    fn repeats(&self) -> bool {
        let hash = self.position.hash();
        let line = self.hashes.get(1..).unwrap_or_default();
        self.shared.repeats && (self.shared.worn.contains(hash) || line.contains(&hash))
    }

    /// Under which the table keeps the position.
    pub(super) fn key(&self) -> u64 {
        self.position.hash() ^ self.shared.worn.key()
    }

    fn evaluation(&self, known: Option<Entry>) -> Score {
        known.map_or_else(
            || Score::centiflats(evaluate(&self.position, self.shared.weights)),
            |entry| entry.evaluation,
        )
    }
}
