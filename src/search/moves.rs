//! The loop over the moves of a node: which are searched, how deep, and what is learnt from the result.

use super::Score;
use super::busy::Joint;
use super::correction::CorrectionKeys;
use super::history::Earlier;
use super::node::{Searcher, Visit};
use super::ordering::{Hints, Scored, Threat, pick, score_moves};
use super::params::{
    FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_MARGIN, HISTORY_PER_PLY, LATE_MOVE_BASE,
    LATE_MOVE_DEPTH,
};
use super::policy::{MoveContext, Opinion};
use super::tt::{Bound, Entry};
use crate::board::{Bitboard, Move, MoveKind, PieceKind};

/// A node whose moves are to be searched.
pub(super) struct Node {
    pub alpha: Score,
    pub beta: Score,
    pub depth: i32,
    pub ply: usize,
    pub cut: bool,
    pub previous: Option<Move>,
    /// The static evaluation as it is and corrected.
    pub raw: Score,
    pub evaluation: Score,
    pub keys: CorrectionKeys,
    /// Under which the table keeps the position.
    pub key: u64,
    pub improving: bool,
    pub table_move: Option<Move>,
    /// Search only moves that may answer this.
    pub answers: Option<Threat>,
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

impl<const N: usize> Searcher<'_, N> {
    /// The loop over the moves of a node that nothing has settled yet.
    pub(super) fn moves<const PV: bool>(&mut self, node: &Node) -> Score {
        let &Node {
            mut alpha,
            beta,
            ply,
            ..
        } = node;
        let hints = self.hints(node);
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        // Made only when the table move did not settle the node.
        let mut context: Option<MoveContext> = None;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let (mut searched, mut index) = (0, 0);
        // Moves left for later, because other workers are searching them.
        let (mut left, mut taken) = (Vec::new(), 0);
        let mut settled = None;
        loop {
            let fresh = match (node.table_move, &context) {
                (Some(mv), None) if searched == 0 => Some(mv),
                _ => {
                    if context.is_none() {
                        context = Some(self.order(node, &hints, &mut list));
                    }
                    let mv = pick(&mut list, index);
                    index += usize::from(mv.is_some());
                    mv
                }
            };
            let candidate = match fresh {
                Some(mv) => Candidate {
                    mv,
                    is_tak: context
                        .as_ref()
                        .is_some_and(|context| is_tak(mv, context.taks())),
                    number: searched + left.len(),
                },
                None => match left.get(taken) {
                    Some(&candidate) => {
                        taken += 1;
                        candidate
                    }
                    None => break,
                },
            };
            let mv = candidate.mv;
            if !PV && Self::prune(node, candidate, best) {
                continue;
            }
            let score = if self.is_joint(node) {
                match self.search_shared::<PV>(node, &hints, candidate, alpha, fresh.is_some()) {
                    Joint::Score(score) => score,
                    Joint::Busy => {
                        left.push(candidate);
                        continue;
                    }
                    Joint::Settled(score) => {
                        settled = Some(score);
                        break;
                    }
                }
            } else {
                self.search_move::<PV>(node, &hints, candidate, alpha)
            };
            if self.stopped {
                break;
            }
            searched += 1;
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        self.reward(node, &hints, mv, &list[..index], &left[taken..]);
                        break;
                    }
                }
            }
        }
        self.lists[ply] = list;
        if let Some(score) = settled {
            if PV {
                self.read_line(node);
            }
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }
        if searched == 0 {
            // Every move was refused as an answer: whatever is played, the threat is carried out.
            best = Score::loss_in(ply + 2);
        }
        self.conclude(node, best, best_move);
        best
    }

    /// What is known about the moves of a node before they are looked at.
    fn hints(&self, node: &Node) -> Hints {
        let mover = self.position.to_move();
        let own = node.ply.checked_sub(1);
        Hints {
            table: node.table_move,
            killers: self.memory.killers(node.ply),
            counter: self.memory.counter(mover, node.previous),
            earlier: Earlier {
                last: node.previous,
                own: own.and_then(|before| self.played[before]),
            },
        }
    }

    /// Lists the moves that are worth searching, with what each promises.
    fn order(&mut self, node: &Node, hints: &Hints, list: &mut Vec<Scored>) -> MoveContext {
        let context = MoveContext::new(&self.position, node.previous.map(Move::target));
        score_moves(
            &mut Opinion::new(&self.position, &context, self.shared.move_weights),
            self.memory,
            hints,
            node.answers,
            &mut self.buffer,
            list,
        );
        context
    }

    /// Remembers that `mv` cut off where the others in `list` failed to, but for those still `waiting` to be searched.
    fn reward(
        &mut self,
        node: &Node,
        hints: &Hints,
        mv: Move,
        list: &[Scored],
        waiting: &[Candidate],
    ) {
        let is_waiting = |mv| waiting.iter().any(|candidate| candidate.mv == mv);
        let others = list.iter().map(|scored| scored.mv);
        let tried = others.filter(|&other| other != mv && !is_waiting(other));
        let mover = self.position.to_move();
        let (depth, ply) = (node.depth, node.ply);
        self.memory
            .reward(mover, mv, tried, hints.earlier, depth, ply);
    }

    /// Makes what the table knows of it the line of a node that another worker has settled: its move, and as long as the
    /// positions that follow were searched exactly, their moves.
    fn read_line(&mut self, node: &Node) {
        let mut played = Vec::new();
        while played.len() < node.depth.max(1) as usize && self.position.outcome().is_none() {
            // Nodes where a win is at hand never get into the table.
            let win = self.win_at_hand();
            let known = self.shared.table.probe(self.key());
            let exact = known.filter(|e| played.is_empty() || e.bound == Bound::Exact);
            let mv = win.or_else(|| exact?.mv);
            let Some(mv) = mv.filter(|&mv| self.position.is_pseudo_legal(mv)) else {
                break;
            };
            played.push((mv, self.position.play(mv)));
        }
        let line = &mut self.lines[node.ply];
        line.clear();
        line.extend(played.iter().map(|&(mv, _)| mv));
        for (mv, undo) in played.into_iter().rev() {
            self.position.unplay(mv, undo);
        }
    }

    /// Remembers the result of a node: in the table, and how wrong the evaluation was.
    fn conclude(&mut self, node: &Node, best: Score, best_move: Option<Move>) {
        let bound = match () {
            () if best >= node.beta => Bound::Lower,
            () if best > node.alpha => Bound::Exact,
            () => Bound::Upper,
        };
        let entry = Entry {
            mv: best_move,
            score: best.to_table(node.ply),
            evaluation: node.raw,
            depth: node.depth,
            bound,
        };
        self.shared.table.store(node.key, entry);
        self.learn(node, best, bound);
    }

    /// Remembers how wrong the evaluation was, where the search says so: a bound tells nothing on its open side.
    fn learn(&mut self, node: &Node, best: Score, bound: Bound) {
        let tells = match bound {
            Bound::Exact => true,
            Bound::Lower => best > node.evaluation,
            Bound::Upper => best < node.evaluation,
        };
        if tells && !node.in_tak && !best.is_decisive() {
            let error = best.value() - node.evaluation.value();
            self.memory.corrections.learn(&node.keys, error, node.depth);
        }
    }

    /// Whether to leave out `mv` unsearched. Never before some move is known not to lose: a claimed loss must have had
    /// all its moves searched.
    fn prune(node: &Node, candidate: Candidate, best: Score) -> bool {
        let Candidate { mv, is_tak, number } = candidate;
        if number == 0 || best.is_loss() || node.in_tak || is_tak {
            return false;
        }
        let depth = node.depth;
        // Late move pruning (chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning): after so many moves in
        // good order the rest will not do. Breaks where a quiet placement starts a tinue; taks are let through.
        let enough = LATE_MOVE_BASE + 3 * (depth * depth) as usize;
        let enough = if node.improving { enough } else { enough / 2 };
        if depth <= LATE_MOVE_DEPTH && number >= enough {
            return true;
        }
        // Futility (chessprogramming.org/Futility_Pruning): so far below alpha that a quiet move will not reach it.
        // Spreads can swing the flat count by several pieces, so only placements are bet on.
        depth <= FUTILITY_DEPTH
            && !mv.is_spread()
            && !node.alpha.is_decisive()
            && node.evaluation + FUTILITY_BASE + FUTILITY_MARGIN * depth <= node.alpha
    }

    /// Searches one move with the window and depth it deserves.
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        hints: &Hints,
        candidate: Candidate,
        alpha: Score,
    ) -> Score {
        let Candidate { mv, is_tak, number } = candidate;
        let depth = node.depth - 1;
        let base = Visit {
            alpha: -node.beta,
            beta: -alpha,
            depth,
            ply: node.ply + 1,
            cut: false,
            previous: None,
        };
        if number == 0 {
            return self.child::<PV>(
                mv,
                Visit {
                    cut: !PV && !node.cut,
                    ..base
                },
            );
        }
        let zero = Visit {
            alpha: -(alpha + 1),
            ..base
        };
        let reduction = if is_tak {
            0
        } else {
            self.reduction::<PV>(node, hints, candidate)
        };
        let mut score = self.child::<false>(
            mv,
            Visit {
                depth: depth - reduction,
                cut: true,
                ..zero
            },
        );
        if score > alpha && reduction > 0 && !self.stopped {
            score = self.child::<false>(
                mv,
                Visit {
                    cut: !node.cut,
                    ..zero
                },
            );
        }
        if PV && score > alpha && score < node.beta && !self.stopped {
            score = self.child::<true>(mv, base);
        }
        score
    }

    /// Late move reduction (chessprogramming.org/Late_Move_Reductions): moves late in the order rarely raise alpha, so
    /// a shallower search has to show that they might. Breaks in Tak for quiet moves that make a tak: those and the
    /// answers to taks are searched in full.
    fn reduction<const PV: bool>(&self, node: &Node, hints: &Hints, candidate: Candidate) -> i32 {
        let Candidate { mv, number, .. } = candidate;
        if node.depth < 2 || node.in_tak || number < 2 + usize::from(PV) {
            return 0;
        }
        let log = |x: usize| (usize::BITS - x.leading_zeros()) as i32;
        let mut reduction = (log(node.depth as usize) * log(number) + 1) / 4;
        if !PV && node.cut {
            reduction += 1;
        }
        if !node.improving {
            reduction += 1;
        }
        if PV || hints.killers.contains(&Some(mv)) || hints.counter == Some(mv) {
            reduction -= 1;
        }
        reduction -= self.memory.history(self.position.to_move(), mv) / HISTORY_PER_PLY;
        reduction.clamp(0, node.depth - 1)
    }
}

/// Whether `mv` places a road piece where that threatens a road.
fn is_tak(mv: Move, taks: Bitboard) -> bool {
    matches!(mv.kind(), MoveKind::Place(PieceKind::Flat | PieceKind::Cap))
        && taks.contains(mv.square())
}
