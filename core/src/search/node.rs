//! Alpha-beta search of one node: the whole recursion, except for the call in `singular`.
//!
//! A node is a PV node (its exact value is wanted), a cut node (some move is expected to fail high) or an all node (no
//! move is). The first move is searched with the full window, the others with a zero window, which cuts sooner
//! (principal variation search, chessprogramming.org/Principal_Variation_Search). Assumes that the first move is the
//! best one. Fails in quiet openings, where many moves are equally good and each slightly better one is searched again.
//!
//! Steps of a node, numbered as in the code:
//!
//!  1. count the node, and stop if a limit is reached
//!  2. game over, by the rules or by repetition
//!  3. mate distance pruning
//!  4. win with the next move
//!  5. evasions: the moves that may stop a threatened road
//!  6. transposition table
//!  7. static evaluation with correction history
//!  8. leaf, or quiescence while a road is threatened
//!  9. reverse futility pruning
//! 10. null move pruning
//! 11. internal iterative reduction
//! 12. singular extension and multicut (`singular`)
//! 13. moves in the order of `picker`: pruned (`picker`), deferred (`abdada`), reduced (`reduction`), searched again
//! 14. store the result and learn from it (`searcher`)
//!
//! Every other technique states its assumption and a case in which it fails.

use super::abdada::Share;
use super::correction::CorrectionKeys;
use super::evasions::Evasions;
use super::history::{Cutoff, Earlier};
use super::ordering::Hints;
use super::params::{
    internal_reduction, internal_reduction_depth, null_move_depth, null_move_divisor, null_move_margin, null_move_most,
    null_move_reduction, null_move_reserve, quiescence_factor, quiescence_plies, reduction_deeper, reduction_tak,
    reverse_futility_depth, reverse_futility_improving, reverse_futility_margin, table_cut_depth, table_cut_margin,
};
use super::picker::{MovePicker, PruneStage};
use super::score::Score;
use super::searcher::{Node, Searcher};
use super::singular::{Singular, excluded_key};
use super::statics::Static;
use super::tt::Entry;
use super::visit::{Candidate, Searched, Unwind, Visit};
use crate::board::Move;

/// What the search of one move gave.
enum MoveResult {
    /// Nothing yet: another worker is searching it.
    Deferred,
    /// The score of the node: another worker has settled it.
    Settled(Score),
    Score(Score),
}

impl<const N: usize> Searcher<'_, N> {
    /// Plays `mv`, searches the resulting position and takes the move back. Returns the score for the player who moved.
    pub fn child<const PV: bool>(&mut self, mv: Move, visit: Visit) -> Searched {
        let undo = self.position.play_unchecked(mv);
        self.statics.prefetch(self.position.hash());
        self.shared.context.table.prefetch(self.key());
        self.key_history.push(undo.hash());
        self.move_stack[visit.ply] = Some(mv);
        let score = self.node::<PV>(Visit { previous: Some(mv), ..visit });
        self.key_history.pop();
        self.position.unplay(mv, undo);
        Ok(-score?)
    }

    /// Searches the position and returns its score for the player to move.
    pub(super) fn node<const PV: bool>(&mut self, visit: Visit) -> Searched {
        let Visit { mut alpha, mut beta, mut depth, ply, previous, excluded, reduced, .. } = visit;
        self.pv_table[ply].clear();

        // 1. Count and stop.
        self.enter(ply)?;

        // 2. Game over.
        if let Some(score) = self.game_over(ply, previous) {
            return Ok(score);
        }

        // 3. Mate distance pruning (chessprogramming.org/Mate_Distance_Pruning). Exact: no line from here can beat a
        // win that was found nearer to the root.
        alpha = alpha.max(Score::loss_in(ply));
        beta = beta.min(Score::win_in(ply + 1));
        if alpha >= beta {
            return Ok(alpha);
        }

        // 4. A move that completes a road, or a last piece that wins on flats, needs no search. Positions in the cache
        // have none.
        let hash = self.position.hash();
        let seen = self.statics.get(hash);
        let own_halos = if seen.is_none() { Some(self.position.halos(self.position.to_move())) } else { None };
        if let Some(mv) = own_halos.and_then(|halos| self.position.win_in_one_in(halos)) {
            self.pv_table[ply].push(mv);
            return Ok(Score::win_in(ply + 1));
        }

        // 5. Evasions.
        let opponent = !self.position.to_move();
        let repetition_possible = !self.shared.repetitions.is_empty();
        let enemy_halos = if seen.is_none_or(|seen| seen.in_tak) { Some(self.position.halos(opponent)) } else { None };
        let evasions =
            enemy_halos.and_then(|halos| Evasions::coarse(&self.position, opponent, halos, repetition_possible));
        let in_tak = evasions.is_some();
        if in_tak {
            // The reduction in the parent does not detect threats made by a spread. Undo part of it, so that such a
            // move is searched like a placement with the same threat. Fails if one piece stops a spread that gave away
            // a stack.
            depth += reduced.min(reduction_tak());
        }

        // 6. Table. Probed only now, so that the prefetch started in `child` has time to complete.
        let key = excluded_key(self.key(), excluded);
        let known = self.shared.context.table.probe(key);
        let table_move = known.and_then(|entry| entry.mv);
        let table_move = table_move.filter(|&mv| Some(mv) != excluded && self.position.is_pseudo_legal(mv));
        let visit = Visit { alpha, beta, depth, ..visit };
        let settled = known.and_then(|entry| settled(entry, visit, in_tak));
        if let Some(score) = settled.filter(|_| !PV) {
            return Ok(score);
        }

        // 7. Static evaluation.
        let Earlier { last, own } = self.earlier(visit);
        let keys = CorrectionKeys::of(&self.position, last, own);
        let mut ways = None;
        let raw = match (seen, known) {
            (Some(seen), _) => seen.evaluation,
            (None, Some(entry)) => entry.evaluation,
            (None, None) => {
                let ways = ways.insert(self.position.ways_in([own_halos, enemy_halos]));
                self.shared.evaluate_in(&self.position, ways)
            }
        };
        if seen.is_none() {
            self.statics.set(hash, Static { evaluation: raw, in_tak });
        }
        let evaluation = self.histories.corrections.apply(&keys, raw);
        if ply >= Score::MAX_PLY - 1 {
            return Ok(evaluation);
        }

        // 8. Leaf or quiescence (chessprogramming.org/Quiescence_Search): the evaluation ignores threatened roads, so
        // such leaves are searched deeper. Taks can follow each other for long, hence the limit on the ply. Assumes
        // that all other leaves are quiet. Fails if a spread that threatens no road is about to capture several flats.
        if depth <= 0 {
            if !in_tak || ply as i32 >= quiescence_factor() * self.root_depth + quiescence_plies() {
                return Ok(evaluation);
            }
            depth = 1;
        }

        // Improving flag (as in Stockfish): prune and reduce less if the evaluation is better than two plies ago.
        self.evaluations[ply] = evaluation;
        let improving = ply >= 2 && evaluation > self.evaluations[ply - 2];
        // Assumes that a table score of any depth is better than the evaluation (as in Stockfish). Fails if a spread
        // just beyond that depth recaptures the flats. Not used in tak, where the static evaluation prunes nothing
        // either.
        let estimate = known.filter(|_| !in_tak).map_or(evaluation, |entry| entry.refine(evaluation, ply));

        // 9, 10. Do not prune on the static evaluation in tak, in the opening turns (which place opponent flats) or if
        // the next placement ends the game.
        let is_special_turn = self.position.is_last_turn() || self.position.is_opening();
        let is_unreliable = in_tak || is_special_turn;
        let can_prune = !PV && !is_unreliable && !beta.is_decisive() && excluded.is_none();
        if can_prune && let Some(score) = self.static_pruning(visit, estimate, improving)? {
            return Ok(score);
        }

        // 11. Internal iterative reduction (Ed Schröder, chessprogramming.org/Internal_Iterative_Reductions). Assumes
        // that a shallower search finds a good first move for the next iteration. Fails if a quiet move begins a tinue,
        // which is then found one iteration later. With many threads, store the unreduced depth: otherwise each thread
        // finds the table move of the previous one, is not reduced and searches the node again. No gain with few
        // threads.
        let unreduced = depth;
        if table_move.is_none() && excluded.is_none() && !in_tak && depth >= internal_reduction_depth() {
            depth -= internal_reduction();
        }
        let store_depth = if self.shared.are_many() { unreduced } else { depth };

        let mut node = Node {
            visit: Visit { depth, ..visit },
            store_depth,
            raw,
            evaluation,
            estimate,
            keys,
            key,
            improving,
            table_move,
            extension: 0,
            evasions: evasions.filter(|_| !is_special_turn),
            in_tak,
            halos: [own_halos, enemy_halos],
            ways,
        };
        // 12. Singular extension.
        match self.singular::<PV>(&node, known)? {
            Singular::Deeper(plies) => node.extension = plies,
            Singular::Settled(score) => return Ok(score),
        }
        self.moves::<PV>(&node)
    }

    /// Reverse futility and null move pruning: returns the score if the node can be cut without searching its moves.
    fn static_pruning(&mut self, visit: Visit, estimate: Score, improving: bool) -> Result<Option<Score>, Unwind> {
        // 9. Reverse futility pruning (chessprogramming.org/Reverse_Futility_Pruning). Assumes that the opponent cannot
        // make up a large lead in a few plies. Fails near a tinue; positions in tak are excluded by the caller.
        let Visit { beta, depth, .. } = visit;
        let plies = depth - i32::from(improving) * reverse_futility_improving();
        let is_near = depth <= reverse_futility_depth();
        if is_near && estimate - reverse_futility_margin() * plies >= beta {
            return Ok(Some(estimate));
        }
        self.null_move(visit, estimate)
    }

    /// Null move pruning (chessprogramming.org/Null_Move_Pruning). Assumes that the best move is at least as good as a
    /// pass. Fails in zugzwang, which occurs near the end, where the last piece ends the game on flats. Hence both
    /// players must have pieces left. A win found behind a null move is not a proof and is not returned as one.
    fn null_move(&mut self, visit: Visit, estimate: Score) -> Result<Option<Score>, Unwind> {
        let Visit { beta, depth, ply, cut, previous, .. } = visit;
        // 10. Null move pruning.
        let plenty = self.position.min_reserve() as i32 >= null_move_reserve();
        if !cut || depth < null_move_depth() || previous.is_none() || estimate < beta || !plenty {
            return Ok(None);
        }
        let above = (estimate.value() - beta.value()) / null_move_margin();
        let reduction = null_move_reduction() + depth / null_move_divisor() + above.clamp(0, null_move_most());
        self.key_history.push(self.position.hash());
        self.move_stack[ply + 1] = None;
        self.position.pass_turn();
        let score = self.node::<false>(Visit {
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
        self.key_history.pop();
        let score = -score?;
        Ok((score >= beta).then(|| if score.is_win() { beta } else { score }))
    }

    fn moves<const PV: bool>(&mut self, node: &Node) -> Searched {
        let Visit { mut alpha, beta, depth, ply, .. } = node.visit;
        let hints = self.hints(node);
        // When the search unwinds, only the capacity of the list is lost.
        let mut picker = MovePicker::new(std::mem::take(&mut self.move_lists[ply]));
        let mut best = -Score::INFINITE;
        let mut best_move = None;
        // 13. Moves.
        loop {
            let stage = if PV { PruneStage::All } else { node.prune_stage(picker.number(), best) };
            let Some(candidate) = picker.next(self, node, &hints, stage) else {
                break;
            };
            let Candidate { mv, .. } = candidate;
            if Some(mv) == node.visit.excluded {
                continue;
            }
            let score = match self.share_move::<PV>(node, &hints, candidate, alpha)? {
                MoveResult::Score(score) => score,
                MoveResult::Deferred => {
                    picker.defer(candidate);
                    continue;
                }
                MoveResult::Settled(score) => {
                    self.move_lists[ply] = picker.into_list();
                    if PV {
                        self.read_line(node);
                    }
                    return Ok(score);
                }
            };
            picker.mark_searched();
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
                        let cutoff = Cutoff { color: self.position.to_move(), earlier: hints.earlier, depth, ply };
                        self.histories.reward(&cutoff, mv, tried);
                        break;
                    }
                }
            }
        }
        self.move_lists[ply] = picker.into_list();
        if node.visit.excluded.is_some() && best == -Score::INFINITE {
            // The excluded move is the only legal move.
            return Ok(node.visit.alpha);
        }
        let rejected = Score::loss_in(ply + 2);
        if node.evasions.is_some() && best < rejected {
            // All evasions end the game at once, so no placement is one. Those also lose, but only after the opponent
            // executes the threat.
            (best, best_move) = (rejected, None);
            if PV {
                self.show_threat(ply);
            }
        }
        // 14. Store and learn.
        self.conclude(node, best, best_move);
        Ok(best)
    }

    /// Searches one move, unless another worker is doing that or has settled the node.
    #[inline]
    fn share_move<const PV: bool>(
        &mut self,
        node: &Node,
        hints: &Hints,
        candidate: Candidate,
        alpha: Score,
    ) -> Result<MoveResult, Unwind> {
        let shared = match self.shared_nodes.share(node.shared_node::<PV>(), candidate) {
            Share::Deferred => return Ok(MoveResult::Deferred),
            Share::Settled(score) => return Ok(MoveResult::Settled(score)),
            Share::Unshared => None,
            Share::Shared(mark) => Some(mark),
        };
        let searched = self.search_move::<PV>(node, hints, candidate, alpha);
        if let Some(mark) = shared {
            self.shared_nodes.release(mark);
        }
        match searched {
            Ok(score) => Ok(MoveResult::Score(score)),
            Err(Unwind::To { ply, score }) if usize::from(ply) == node.visit.ply => Ok(MoveResult::Settled(score)),
            Err(unwind) => Err(unwind),
        }
    }

    /// Searches one move: a late one first with a zero window and reduced, then again if it exceeds alpha.
    fn search_move<const PV: bool>(
        &mut self,
        node: &Node,
        hints: &Hints,
        candidate: Candidate,
        alpha: Score,
    ) -> Searched {
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
            let extension = if node.table_move == Some(mv) { node.extension } else { 0 };
            return self.child::<PV>(mv, Visit { depth: depth + extension, cut: !PV && !node.visit.cut, ..base });
        }
        let zero = Visit { alpha: -(alpha + 1), ..base };
        let reduction = self.reduction::<PV>(node, hints, candidate);
        let mut score =
            self.child::<false>(mv, Visit { depth: depth - reduction, cut: true, reduced: reduction, ..zero })?;
        if score > alpha && reduction > 0 {
            // Search deeper if the reduced score exceeds alpha by a margin (as in Stockfish). Fails for captures that
            // are recaptured at once.
            let surprising =
                score > alpha + reduction_deeper() && !score.is_decisive() && node.may_extend(self.root_depth);
            score =
                self.child::<false>(mv, Visit { depth: depth + i32::from(surprising), cut: !node.visit.cut, ..zero })?;
        }
        if PV && score > alpha && score < node.visit.beta {
            score = self.child::<true>(mv, base)?;
        }
        Ok(score)
    }
}

/// Table cutoff in a non-PV node.
fn settled(entry: Entry, visit: Visit, in_tak: bool) -> Option<Score> {
    let Visit { alpha, beta, depth, ply, .. } = visit;
    if let Some(score) = entry.settles(depth, ply, (alpha, beta)) {
        return Some(score);
    }
    // Assumes that a score far above beta also holds a few plies deeper (as in Stockfish, where it is a form of
    // chessprogramming.org/ProbCut). Fails if the opponent begins a tinue that the shallower search missed; not used in
    // tak. Unlike pruning on the evaluation it is used in the opening and last turns: such a score was searched.
    let enough = beta + table_cut_margin();
    let cuts = !in_tak
        && visit.excluded.is_none()
        && !beta.is_decisive()
        && entry.reaches(enough, depth - table_cut_depth(), ply);
    cuts.then_some(enough)
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::{OpeningRule, Position, Setup};
    use crate::search::history::Histories;
    use crate::search::repetition::Repetitions;
    use crate::search::shared::Shared;
    use crate::search::{Context, Table};

    #[test]
    fn first_turn_that_completes_the_road_of_the_opponent_loses_at_once() {
        let setup = Setup { opening: OpeningRule::Swap, .."1,1,x/2,x,2S/1,1,x 1 1".parse().unwrap() };
        let position: Position<3> = setup.position().unwrap();
        let (table, limits, never) = (Table::new(1).unwrap(), OnceLock::new(), AtomicBool::new(false));
        let context = Context::plain(setup.size, &table, &limits, &never);
        let shared = Shared::new(context, Repetitions::default(), 3, 1);
        let mut histories = Histories::default();
        let mut searcher = Searcher::new(&position, &shared, &mut histories, 0);
        searcher.begin_pass(2);
        let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
        let visit = Visit { alpha, beta, depth: 1, ply: 1, cut: false, previous: None, excluded: None, reduced: 0 };
        // Black has to place White's flat on c1 or c3.
        assert_eq!(searcher.child::<true>("b2".parse().unwrap(), visit), Ok(Score::win_in(2)));
        assert_eq!(searcher.pv_table[1].len(), 1);
    }
}
