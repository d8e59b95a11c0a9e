//! The loop over the moves of a node: which are searched, how deep, and what is learnt from the result.

use super::Score;
use super::correction::CorrectionKeys;
use super::history::Earlier;
use super::node::{Searcher, Visit};
use super::ordering::{Hints, Threat, pick, score_moves};
use super::params::{
    FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_MARGIN, HISTORY_PER_PLY, LATE_MOVE_BASE,
    LATE_MOVE_DEPTH,
};
use super::policy::MoveContext;
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
    pub improving: bool,
    pub table_move: Option<Move>,
    /// Search only moves that may answer this.
    pub answers: Option<Threat>,
    pub in_tak: bool,
}

impl<const N: usize> Searcher<'_, N> {
    /// The loop over the moves of a node that nothing has settled yet.
    pub(super) fn moves<const PV: bool>(&mut self, node: &Node, hash: u64) -> Score {
        let &Node {
            mut alpha,
            beta,
            depth,
            ply,
            ..
        } = node;
        let mover = self.position.to_move();
        let first_alpha = alpha;
        let hints = Hints {
            table: node.table_move,
            killers: self.memory.killers(ply),
            counter: self.memory.counter(mover, node.previous),
            earlier: Earlier {
                last: node.previous,
                own: ply.checked_sub(1).and_then(|before| self.played[before]),
            },
        };
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        // Made only when the table move did not settle the node.
        let mut context: Option<MoveContext> = None;
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let (mut searched, mut index) = (0, 0);
        loop {
            let mv = match (node.table_move, &context) {
                (Some(mv), None) if searched == 0 => mv,
                _ => {
                    if context.is_none() {
                        let made =
                            MoveContext::new(&self.position, node.previous.map(Move::target));
                        let buffer = &mut self.buffer;
                        score_moves(
                            &self.position,
                            &made,
                            self.memory,
                            &hints,
                            node.answers,
                            buffer,
                            &mut list,
                        );
                        context = Some(made);
                    }
                    let Some(mv) = pick(&mut list, index) else {
                        break;
                    };
                    index += 1;
                    mv
                }
            };
            let is_tak = context
                .as_ref()
                .is_some_and(|context| is_tak(mv, context.taks()));
            if !PV && Self::prune(node, is_tak, searched, best, mv) {
                continue;
            }
            let score = self.search_move::<PV>(node, &hints, mv, is_tak, searched, alpha);
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
                        let tried = list[..index].iter().map(|s| s.mv).filter(|&m| m != mv);
                        self.memory
                            .reward(mover, mv, tried, hints.earlier, depth, ply);
                        break;
                    }
                }
            }
        }
        self.lists[ply] = list;
        if self.stopped {
            return Score::DRAW;
        }
        if searched == 0 {
            // Every move was refused as an answer: whatever is played, the threat is carried out.
            best = Score::loss_in(ply + 2);
        }
        let bound = match () {
            () if best >= beta => Bound::Lower,
            () if best > first_alpha => Bound::Exact,
            () => Bound::Upper,
        };
        let entry = Entry {
            mv: best_move,
            score: best.to_table(ply),
            evaluation: node.raw,
            depth,
            bound,
        };
        self.shared.table.store(hash, entry);
        self.learn(node, best, bound);
        best
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
    fn prune(node: &Node, is_tak: bool, searched: usize, best: Score, mv: Move) -> bool {
        if searched == 0 || best.is_loss() || node.in_tak || is_tak {
            return false;
        }
        let depth = node.depth;
        // Late move pruning (chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning): after so many moves in
        // good order the rest will not do. Breaks where a quiet placement starts a tinue; taks are let through.
        let enough = LATE_MOVE_BASE + 3 * (depth * depth) as usize;
        let enough = if node.improving { enough } else { enough / 2 };
        if depth <= LATE_MOVE_DEPTH && searched >= enough {
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
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        hints: &Hints,
        mv: Move,
        is_tak: bool,
        searched: usize,
        alpha: Score,
    ) -> Score {
        let depth = node.depth - 1;
        let base = Visit {
            alpha: -node.beta,
            beta: -alpha,
            depth,
            ply: node.ply + 1,
            cut: false,
            previous: None,
        };
        if searched == 0 {
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
            self.reduction::<PV>(node, hints, mv, searched)
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
    fn reduction<const PV: bool>(
        &self,
        node: &Node,
        hints: &Hints,
        mv: Move,
        searched: usize,
    ) -> i32 {
        if node.depth < 2 || node.in_tak || searched < 2 + usize::from(PV) {
            return 0;
        }
        let log = |x: usize| (usize::BITS - x.leading_zeros()) as i32;
        let mut reduction = (log(node.depth as usize) * log(searched) + 1) / 4;
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
