//! The loop over the moves of a node: which of them are searched, and what is learnt from the result.

use super::Score;
use super::busy::Joint;
use super::history::Earlier;
use super::ordering::Hints;
use super::params::{
    futility_base, futility_depth, futility_margin, late_move_base, late_move_depth,
    late_move_square, late_move_worsening,
};
use super::picker::Picker;
use super::searcher::{Candidate, Node, Searcher, Visit};
use super::tt::{Bound, Entry};
use crate::board::Move;

impl<const N: usize> Searcher<'_, N> {
    /// Searches the moves of a node whose score is not known yet.
    pub(super) fn moves<const PV: bool>(&mut self, node: &Node) -> Score {
        let &Node {
            mut alpha,
            beta,
            ply,
            ..
        } = node;
        let hints = self.hints(node);
        let mut picker = Picker::new(std::mem::take(&mut self.lists[ply]));
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut settled = None;
        while let Some(candidate) = picker.next(self, node, &hints) {
            if !PV && Self::prune(node, candidate, best) {
                continue;
            }
            let may_wait = picker.may_put_off();
            let score = match self.search_jointly::<PV>(node, &hints, candidate, alpha, may_wait) {
                Joint::Score(score) => score,
                Joint::Busy => {
                    picker.put_off(candidate);
                    continue;
                }
                Joint::Settled(score) => {
                    settled = Some(score);
                    break;
                }
            };
            if self.stopped {
                break;
            }
            picker.note_searched();
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(candidate.mv);
                    alpha = score;
                    if PV {
                        self.extend_line(ply, candidate.mv);
                    }
                    if score >= beta {
                        self.reward(node, &hints, candidate.mv, &picker);
                        break;
                    }
                }
            }
        }
        self.lists[ply] = picker.into_list();
        if let Some(score) = settled {
            if PV {
                self.read_line(node);
            }
            return score;
        }
        if self.stopped {
            return Score::DRAW;
        }
        let refused = Score::loss_in(ply + 2);
        if node.answers.is_some() && best < refused {
            // Moves that were left out as no answer lose too, but not before the threat is carried out.
            (best, best_move) = (refused, None);
            self.lines[ply].clear();
        }
        self.conclude(node, best, best_move);
        best
    }

    /// What the search has learnt that may tell which move of a node is good.
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

    /// Remembers that `mv` cut off where the moves before it failed to.
    fn reward(&mut self, node: &Node, hints: &Hints, mv: Move, picker: &Picker) {
        let mover = self.position.to_move();
        let (depth, ply) = (node.depth, node.ply);
        let tried = picker.tried_before(mv);
        self.memory
            .reward(mover, mv, tried, hints.earlier, depth, ply);
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

    /// Remembers how wrong the evaluation was, where the result says so. A bound does not if the evaluation is on its
    /// open side.
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

    /// Whether to leave out a move. Never before some move is known not to lose: where a loss is claimed, all moves must
    /// have been searched.
    fn prune(node: &Node, candidate: Candidate, best: Score) -> bool {
        let Candidate { mv, is_tak, number } = candidate;
        if number == 0 || best.is_loss() || node.in_tak || is_tak {
            return false;
        }
        let depth = node.depth;
        // Late move pruning (chessprogramming.org/Futility_Pruning#Move_Count_Based_Pruning). It bets that after so many
        // moves in good order none of the rest is good enough. Tak breaks the bet where a quiet placement begins a
        // tinue; taks are let through.
        let enough = late_move_base() + late_move_square() * depth * depth;
        let enough = if node.improving {
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
            && !node.alpha.is_decisive()
            && node.evaluation + futility_base() + futility_margin() * depth <= node.alpha
    }

    /// Searches one move with the window and depth it deserves.
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        hints: &Hints,
        candidate: Candidate,
        alpha: Score,
    ) -> Score {
        let Candidate { mv, number, .. } = candidate;
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
        let reduction = self.reduction::<PV>(node, hints, candidate);
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
}
