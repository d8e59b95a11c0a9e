//! Alpha-beta at one node: whether its moves need to be searched, and the search of its moves. The whole recursion is here, but
//! for the step of `singular`. What it asks on the way is in the files named below.
//!
//! Every position is a principal variation node (its value is wanted exactly), a cut node (some move is expected to be
//! too good, so that it will not be reached) or an all node (none is expected to be good enough). The first move of a
//! node is searched with the full window, all others with an empty one that only asks "is it better?", which cuts
//! sooner (principal variation search, chessprogramming.org/Principal_Variation_Search). It bets that the first move is
//! the best one. Tak breaks the bet in quiet openings, where many moves are equally good and each that is a little better
//! has to be searched again. Every other technique below says what it bets on and where Tak breaks the bet.

use super::abdada::Share;
use super::correction::CorrectionKeys;
use super::evasions::Evasions;
use super::ordering::Hints;
use super::params::{
    internal_reduction, internal_reduction_depth, null_move_depth, null_move_divisor, null_move_margin, null_move_most,
    null_move_reduction, null_move_reserve, quiescence_factor, quiescence_plies, reduction_deeper, reduction_tak,
    reverse_futility_depth, reverse_futility_improving, reverse_futility_margin, table_cut_depth, table_cut_margin,
};
use super::picker::{Picker, PruneStage};
use super::score::Score;
use super::searcher::{Candidate, Node, Searcher, Visit};
use super::singular::{Singular, excluded_key};
use super::tt::Entry;
use crate::board::Move;

impl<const N: usize> Searcher<'_, N> {
    /// Plays `mv`, searches the position it leads to, and takes it back. The score is the mover's.
    pub fn child<const PV: bool>(&mut self, mv: Move, visit: Visit) -> Score {
        let undo = self.position.play_unchecked(mv);
        self.shared.given.table.prefetch(self.key());
        self.hashes.push(undo.hash());
        self.played[visit.ply] = Some(mv);
        let score = -self.node::<PV>(Visit { previous: Some(mv), ..visit });
        self.hashes.pop();
        self.position.unplay(mv, undo);
        score
    }

    /// The score of the position, for the player to move.
    pub(super) fn node<const PV: bool>(&mut self, visit: Visit) -> Score {
        let Visit { mut alpha, mut beta, mut depth, ply, previous, excluded, reduced, .. } = visit;
        self.lines[ply].clear();
        if !self.enter(ply) {
            return Score::DRAW;
        }
        if let Some(score) = self.game_over(ply, previous) {
            return score;
        }
        // Mate distance pruning (chessprogramming.org/Mate_Distance_Pruning): no line from here can beat a win already
        // found nearer to the root. It is exact.
        alpha = alpha.max(Score::loss_in(ply));
        beta = beta.min(Score::win_in(ply + 1));
        if alpha >= beta {
            return alpha;
        }

        // A move that completes a road, or a last piece that wins on flats, needs no search.
        if let Some(mv) = self.position.win_at_hand() {
            self.lines[ply].push(mv);
            return Score::win_in(ply + 1);
        }
        let opponent = !self.position.to_move();
        let may_come_back = !self.shared.repetitions.is_empty();
        let evasions = Evasions::coarse(&self.position, opponent, may_come_back);
        let in_tak = evasions.is_some();
        if in_tak {
            // Of a spread the reduction could not know that it threatens a road. It bets that such a move deserves the depth
            // that a placement with the same threat has (no other engine is known to do it). Tak breaks the bet where one
            // piece answers a spread that gave away a stack.
            depth += reduced.min(reduction_tak());
        }

        // The table comes after these, though it makes them needless where it settles the node: its place is on the way
        // from memory meanwhile, see `child`.
        let key = excluded_key(self.key(), excluded);
        let known = self.shared.given.table.probe(key);
        let table_move = known.and_then(|entry| entry.mv).filter(|&mv| self.position.is_pseudo_legal(mv));
        let visit = Visit { alpha, beta, depth, ..visit };
        let settled = known.and_then(|entry| settled(entry, visit, in_tak));
        if let Some(score) = settled.filter(|_| !PV) {
            return score;
        }

        let keys = CorrectionKeys::of(&self.position, previous);
        let raw = self.evaluation(known);
        let evaluation = self.histories.corrections.apply(&keys, raw);
        if ply >= Score::MAX_PLY - 1 {
            return evaluation;
        }
        // Quiescence (chessprogramming.org/Quiescence_Search): with a road threatened the evaluation means nothing, so
        // such leaves are searched on. Taks can follow each other for long, hence the last ply. It bets that all else is
        // quiet. Tak breaks the bet where a spread that threatens no road is about to take several flats.
        let last_turn = self.position.is_last_turn();
        if depth <= 0 {
            if !in_tak || ply as i32 >= quiescence_factor() * self.root_depth + quiescence_plies() {
                return evaluation;
            }
            depth = 1;
        }

        // Better than two plies ago, a sign that the score will hold (as in Stockfish): less is pruned and reduced then.
        self.evaluations[ply] = evaluation;
        let improving = ply >= 2 && evaluation > self.evaluations[ply - 2];
        // It bets that what a search has found says more than the evaluation, whatever its depth (as in Stockfish). Tak
        // breaks the bet where a spread just beyond that depth takes the flats back. Not with a tak to answer, where
        // nothing is bet on either.
        let estimate = known.filter(|_| !in_tak).map_or(evaluation, |entry| entry.refine(evaluation, ply));
        // With a tak to answer, in the first turns, which place the other player's flats, and where the next placement ends
        // the game, the evaluation says too little to bet on.
        let is_special = in_tak || last_turn || self.position.is_opening();
        let may_bet = !PV && !is_special && !beta.is_decisive() && excluded.is_none();
        if may_bet && let Some(score) = self.by_lead(visit, estimate, improving) {
            return score;
        }
        // Internal reduction (Ed Schröder, chessprogramming.org/Internal_Iterative_Reductions). Without a table move the
        // order is a guess. It bets that a shallower search now finds a good first move for the next iteration. Tak
        // breaks the bet where a quiet move begins a tinue: it is found one iteration later.
        // Of many workers each would find the move that the one before it has found, and search the node once more, a ply
        // deeper. So they take the guess for what was asked. With one worker that won nothing, so a few do without.
        let asked = depth;
        let is_guess = table_move.is_none() && excluded.is_none() && !in_tak;
        if is_guess && depth >= internal_reduction_depth() {
            depth -= internal_reduction();
        }
        let store_depth = if self.shared.are_many() { asked } else { depth };

        let node = Node {
            visit: Visit { depth, ..visit },
            store_depth,
            raw,
            evaluation,
            estimate,
            keys,
            key,
            improving,
            table_move,
            evasions: evasions.filter(|_| !last_turn),
            in_tak,
        };
        match self.singular::<PV>(&node, known) {
            Singular::Deeper(plies) => self.moves::<PV>(&node, plies),
            Singular::Settled(score) => score,
        }
    }

    /// The score of a node that is so far above beta that none of its moves needs a search.
    fn by_lead(&mut self, visit: Visit, estimate: Score, improving: bool) -> Option<Score> {
        // Reverse futility (chessprogramming.org/Reverse_Futility_Pruning). It bets that the opponent cannot make up so
        // large a lead in a few plies, and the less where the lead grows. Tak breaks the bet when a tinue is near; taks are
        // excluded by the caller.
        let Visit { beta, depth, .. } = visit;
        let plies = depth - i32::from(improving) * reverse_futility_improving();
        let is_near = depth <= reverse_futility_depth();
        if is_near && estimate - reverse_futility_margin() * plies >= beta {
            return Some(estimate);
        }
        let score = self.null_move(visit, estimate);
        score.or(self.stopped.then_some(Score::DRAW))
    }

    /// Null move (chessprogramming.org/Null_Move_Pruning). It bets that a real move is at least as good as to pass, so
    /// that a score that holds after a pass holds anyway. Tak breaks the bet when moving is a burden: near the end, where
    /// the last piece ends the game on flats. Hence both players must have pieces left. A win found behind a null move is
    /// no proof and is not returned as one.
    fn null_move(&mut self, visit: Visit, estimate: Score) -> Option<Score> {
        let Visit { beta, depth, ply, cut, previous, .. } = visit;
        let plenty = self.position.min_reserve() as i32 >= null_move_reserve();
        if !cut || depth < null_move_depth() || previous.is_none() || estimate < beta || !plenty {
            return None;
        }
        let above = (estimate.value() - beta.value()) / null_move_margin();
        let reduction = null_move_reduction() + depth / null_move_divisor() + above.clamp(0, null_move_most());
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
            excluded: None,
            reduced: 0,
        });
        self.position.pass_turn();
        self.hashes.pop();
        (!self.stopped && score >= beta).then(|| if score.is_win() { beta } else { score })
    }

    /// Searches the moves of a node whose score is not known yet, the table's `deeper` plies deeper than the others.
    fn moves<const PV: bool>(&mut self, node: &Node, deeper: i32) -> Score {
        let Visit { mut alpha, beta, ply, .. } = node.visit;
        let hints = self.hints(node);
        let mut picker = Picker::new(std::mem::take(&mut self.lists[ply]));
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        let mut settled = None;
        loop {
            let stage = if PV { PruneStage::All } else { node.prune_stage(picker.number(), best) };
            let Some(candidate) = picker.next(self, node, &hints, stage) else {
                break;
            };
            let Candidate { mv, number, .. } = candidate;
            if Some(mv) == node.visit.excluded {
                continue;
            }
            let may_wait = picker.may_put_off();
            let share = self.joint.share(node.joint::<PV>(), mv, number, may_wait);
            if let Share::Busy = share {
                picker.put_off(candidate);
                continue;
            }
            if let Share::Settled(score) = share {
                settled = Some(score);
                break;
            }
            let score = self.search_move::<PV>(node, &hints, candidate, alpha, deeper);
            settled = self.joint.release(&share, ply);
            if settled.is_some() {
                self.stopped = false;
                break;
            }
            if self.stopped {
                break;
            }
            picker.note_searched();
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    alpha = score;
                    if PV {
                        self.extend_line(ply, mv);
                    }
                    if score >= beta {
                        let tried = picker.tried_before(mv);
                        let tried = tried.filter(|&tried| Some(tried) != node.visit.excluded);
                        self.reward(node, &hints, mv, tried);
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
        if node.visit.excluded.is_some() && best == -Score::INFINITE {
            // The move left out is the only one.
            return node.visit.alpha;
        }
        let refused = Score::loss_in(ply + 2);
        if node.evasions.is_some() && best < refused {
            // Moves that were left out as no answer lose too, but not before the threat is carried out.
            (best, best_move) = (refused, None);
            self.lines[ply].clear();
        }
        self.conclude(node, best, best_move);
        best
    }

    /// Searches one move with the window and depth it deserves.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        hints: &Hints,
        candidate: Candidate,
        alpha: Score,
        deeper: i32,
    ) -> Score {
        let Candidate { mv, number, .. } = candidate;
        let depth = node.visit.depth - 1;
        let base = Visit {
            alpha: -node.visit.beta,
            beta: -alpha,
            depth,
            ply: node.visit.ply + 1,
            cut: false,
            previous: None,
            excluded: None,
            reduced: 0,
        };
        if number == 0 {
            let deeper = if node.table_move == Some(mv) { deeper } else { 0 };
            return self.child::<PV>(mv, Visit { depth: depth + deeper, cut: !PV && !node.visit.cut, ..base });
        }
        let zero = Visit { alpha: -(alpha + 1), ..base };
        let reduction = self.reduction::<PV>(node, hints, candidate);
        let mut score =
            self.child::<false>(mv, Visit { depth: depth - reduction, cut: true, reduced: reduction, ..zero });
        if score > alpha && reduction > 0 && !self.stopped {
            // It bets that a move so much better than expected deserves a closer look (as in Stockfish). Tak breaks the bet
            // where a capture that is taken back only looks good.
            let surprising =
                score > alpha + reduction_deeper() && !score.is_decisive() && node.may_extend(self.root_depth);
            score =
                self.child::<false>(mv, Visit { depth: depth + i32::from(surprising), cut: !node.visit.cut, ..zero });
        }
        if PV && score > alpha && score < node.visit.beta && !self.stopped {
            score = self.child::<true>(mv, base);
        }
        score
    }
}

/// The score of a node off the PV, if what the table says of it is enough.
fn settled(entry: Entry, visit: Visit, in_tak: bool) -> Option<Score> {
    let Visit { alpha, beta, depth, ply, .. } = visit;
    if let Some(score) = entry.settles(depth, ply, (alpha, beta)) {
        return Some(score);
    }
    // It bets that a score so far above beta holds a few plies deeper as well (as in Stockfish, there a form of
    // chessprogramming.org/ProbCut). Tak breaks the bet where the opponent begins a tinue that the shallower search did not
    // see; with a tak to answer it is not made. It is made in the first and last turns too, unlike what is bet on the
    // evaluation: such a score was searched.
    let enough = beta + table_cut_margin();
    let cuts = !in_tak
        && visit.excluded.is_none()
        && !beta.is_decisive()
        && entry.reaches(enough, depth - table_cut_depth(), ply);
    cuts.then_some(enough)
}
