//! Iterative deepening: searches to depth 1, 2, 3 and so on, each ordered by the results of the previous one
//! (chessprogramming.org/Iterative_Deepening).
//!
//! Assumes that shallow searches are cheap and repay their cost by better move ordering. Fails if the best move changes
//! with every depth, as in a race of two roads.

use std::sync::atomic::Ordering::SeqCst;

use super::history::{Earlier, Histories};
use super::ordering::{Hints, Ordering, pick};
use super::parallel::search_roots;
use super::params::{aspiration, aspiration_depth, aspiration_growth, aspiration_relief, aspiration_widest};
use super::policy::{MoveContext, MoveScorer};
use super::report::{Line, Report, RootMove};
use super::score::{Bound, Score};
use super::searcher::Searcher;
use super::shared::{Context, Shared};
use super::timeman::SoftStop;
use super::wdl::level_draws;
use crate::board::{Move, Position};

/// Searches `roots` deeper until a limit is reached; see [`super::search`].
pub(super) fn deepen<const N: usize>(
    position: &Position<N>,
    mut roots: Vec<RootMove>,
    shared: &Shared<'_>,
    worker_histories: &mut [Histories],
    observer: &mut dyn FnMut(&Report),
) -> Report {
    let mut report = Report { level_draws: level_draws(position), ..Report::default() };
    if roots.is_empty() {
        return report;
    }
    let lines = shared.context.multipv.clamp(1, roots.len());
    let mut workers: Vec<Searcher<'_, N>> = worker_histories
        .iter_mut()
        .enumerate()
        .map(|(number, histories)| Searcher::new(position, shared, histories, number))
        .collect();
    let evaluation = shared.evaluate(position);
    report.lines = read_lines(&mut roots[..lines], evaluation, false, &mut workers[0]);

    let mut soft_stop = SoftStop::default();
    for depth in 1..=shared.limits().depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) {
        for root in &mut roots {
            root.previous = root.score;
            root.nodes = 0;
        }
        for line in 0..lines {
            search_window(&mut workers, shared.context.pool, &mut roots[line..], depth as i32);
            if shared.is_stopped() {
                break;
            }
        }
        // The score of a later line may exceed that of an earlier one.
        best_first(&mut roots[..lines]);
        let complete = !shared.is_stopped();
        let best = roots[0].score;
        // A loss is not proven while root moves are unsearched: do not report it, and do not prefer its move.
        let counts = best > -Score::INFINITE && (report.depth == 0 || !best.is_loss());
        if complete || counts {
            // In an incomplete first iteration the searched moves are only the first in the order.
            let only_wins = !complete && report.depth == 0;
            let lines = read_lines(&mut roots[..lines], evaluation, only_wins, &mut workers[0]);
            if keeps_result(&report.lines, &lines) {
                report.lines = lines;
            }
        }
        if complete {
            report.depth = depth;
        } else {
            // A move that has just turned out to be better than expected has no line of its own yet.
            for line in report.lines.iter_mut().filter(|line| line.solved.is_none() && line.pv.len() == 1) {
                workers[0].extend_from_table(&mut line.pv, depth as usize);
            }
        }
        report.seldepth = workers.iter().map(|w| w.seldepth).max().unwrap_or(0).max(depth as usize) as u32;
        report.nodes = workers.iter().map(|w| w.nodes).sum();
        report.time = shared.context.clock.poll();
        report.hashfull = shared.context.table.hashfull();
        if !complete {
            break;
        }
        shared.depth.store(depth, SeqCst);
        observer(&report);
        if is_decided(&report, depth) || soft_stop.ends(&roots, depth, report.time, &shared.limits()) {
            break;
        }
    }
    for worker in &mut workers {
        worker.finish();
    }
    report.nodes = workers.iter().map(|w| w.nodes).sum();
    report.time = shared.context.clock.poll();
    report
}

/// The deepest iteration: the table cannot hold depths above 127.
const MAX_DEPTH: u32 = 120;

/// All moves to search, none if the game is over: a win in one first, then in the order of a node, but by what is
/// `known` to be proven.
pub(super) fn root_moves<const N: usize>(
    position: &Position<N>,
    known: &[Line],
    context: &Context<'_>,
    histories: &Histories,
) -> Vec<RootMove> {
    if position.outcome().is_some() {
        return Vec::new();
    }
    let hints = Hints { table: position.win_in_one(), killers: [None; 2], counter: None, earlier: Earlier::default() };
    let move_context = MoveContext::new(position, &position.ways(), None);
    let scorer = MoveScorer::new(position, &move_context, context.move_weights);
    let others = position.legal_moves().into_iter().filter(|&mv| Some(mv) != hints.table);
    let mut list = Vec::new();
    Ordering { scorer, histories, hints: &hints }.fill(others, &mut list);
    let rest = (0..list.len()).map_while(|index| pick(&mut list, index));
    let is_searched = |mv: &Move| context.moves.is_none_or(|moves| moves.contains(mv));
    let moves = hints.table.into_iter().chain(rest).filter(is_searched);
    let proof = |mv| known.iter().find(|line| line.pv[0] == mv).cloned();
    let mut roots: Vec<RootMove> = moves.map(|mv| RootMove { proof: proof(mv), ..RootMove::new(mv) }).collect();
    proven_first(&mut roots);
    roots
}

/// Sorts root moves; those that did not raise alpha keep their order.
fn best_first(roots: &mut [RootMove]) {
    sort(roots, |root| root.score);
}

/// Moves proven wins to the front and proven losses to the end, even if the others have no score of this iteration.
fn proven_first(roots: &mut [RootMove]) {
    sort(roots, |root| root.proof.as_ref().map_or(Score::DRAW, |proof| proof.score));
}

/// Sorts root moves by a score. A function pointer, since each instance of the sort takes 3 kB of a module for web pages.
fn sort(roots: &mut [RootMove], score: fn(&RootMove) -> Score) {
    roots.sort_by_key(|root| std::cmp::Reverse(score(root)));
}

/// Passes over the root moves until the score is inside the aspiration window
/// (chessprogramming.org/Aspiration_Windows). Assumes that the score stays near the previous one, so that a narrow
/// window cuts more. Fails if a road comes into view and the score jumps, so the window soon becomes the full one.
fn search_window<const N: usize>(
    workers: &mut [Searcher<'_, N>],
    pool: Option<&rayon::ThreadPool>,
    roots: &mut [RootMove],
    depth: i32,
) {
    let previous = roots[0].previous;
    let full = depth < aspiration_depth() || previous.is_decisive() || previous == -Score::INFINITE;
    let mut margin = aspiration();
    let (mut alpha, mut beta) =
        if full { (-Score::INFINITE, Score::INFINITE) } else { (previous - margin, previous + margin) };
    // The score of the first move, if it was above the previous window.
    let mut above = None;
    let mut reduction = 0;
    loop {
        search_roots(workers, pool, roots, (alpha, beta), depth - reduction);
        best_first(roots);
        let best = roots[0].score;
        let shared = workers[0].shared;
        if shared.is_stopped() {
            // Keep a root move that failed high even if the re-search was interrupted.
            if let (Some(score), false) = (above, shared.pass.is_done(0)) {
                roots[0].score = score;
                roots[0].bound = Some(Bound::Lower);
            }
            return;
        }
        above = (best >= beta).then_some(best);
        margin *= aspiration_growth();
        reduction = 0;
        if best == -Score::INFINITE {
            alpha = if margin > aspiration_widest() { -Score::INFINITE } else { alpha - margin };
        } else if best >= beta {
            // Re-search after a fail high a ply less deep (as in Stockfish). Assumes that the move is also better at
            // that depth. Fails if its refutation is at the last ply.
            if !best.is_decisive() {
                reduction = aspiration_relief();
            }
            beta = if margin > aspiration_widest() || best.is_decisive() { Score::INFINITE } else { beta + margin };
        } else {
            return;
        }
    }
}

/// The lines of these root moves. What was proven once stays. A move without an exact score in this iteration keeps its
/// previous one, limited by the scores of the moves before it; if `only_wins`, so does every move that does not win.
/// Before any iteration is complete, the previous score is the evaluation of the position.
fn read_lines<const N: usize>(
    roots: &mut [RootMove],
    evaluation: Score,
    only_wins: bool,
    worker: &mut Searcher<'_, N>,
) -> Vec<Line> {
    let is_sound = |score: Score| score > -Score::INFINITE && (score.is_win() || !only_wins);
    for root in roots.iter_mut().filter(|root| is_sound(root.score)) {
        worker.note_proof(root);
    }
    proven_first(roots);
    let mut ceiling = Score::INFINITE;
    let line = |root: &RootMove| {
        if let Some(proof) = &root.proof {
            ceiling = proof.score;
            return proof.clone();
        }
        let is_new = is_sound(root.score) && !root.score.is_decisive();
        let score = match () {
            () if is_new => root.score,
            () if !root.previous.is_decisive() => root.previous,
            () => evaluation,
        };
        let bound = if score > ceiling { Some(Bound::Upper) } else { root.bound.filter(|_| is_new) };
        ceiling = ceiling.min(score);
        Line { score: ceiling, bound, solved: None, pv: root.line.clone() }
    };
    roots.iter().map(line).collect()
}

/// Returns whether a proven result of the position is kept.
fn keeps_result(before: &[Line], after: &[Line]) -> bool {
    let result = |lines: &[Line]| lines.first().and_then(|line| line.solved);
    result(before).is_none_or(|known| known.is_kept_by(result(after)))
}

/// Returns whether every reported line is proven and was searched to its end, so that more depth adds nothing.
fn is_decided(report: &Report, depth: u32) -> bool {
    let mut lines = report.lines.iter();
    lines.all(|line| line.solved.is_some_and(|solved| solved.plies() <= depth))
}

#[cfg(test)]
mod tests {
    use std::sync::OnceLock;
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::board::Size;
    use crate::search::repetition::Repetitions;
    use crate::search::{SearchLimits, Table};

    /// Searches an equal position with a node limit, after an iteration that scored it as nearly lost. Returns the root
    /// moves and the visited nodes.
    fn after_a_bad_score(nodes: u64) -> (Vec<RootMove>, u64) {
        let position: Position<5> = "x4,1/x2,1,2,x/x,1,1,2,x/x2,1C,x2/2,2,2,x2 1 6".parse().unwrap();
        let size = Size::new(5).unwrap();
        let mut table = Table::new(1).unwrap();
        table.next_search();
        let limits = OnceLock::from(SearchLimits { nodes: Some(nodes), ..SearchLimits::default() });
        let never = AtomicBool::new(false);
        let context = Context::plain(size, &table, &limits, &never);
        let mut histories = Histories::default();
        let mut roots = root_moves(&position, &[], &context, &histories);
        let shared = Shared::new(context, Repetitions::default(), roots.len(), 1);
        for root in &mut roots {
            root.previous = Score::centiflats(-1000);
        }
        let mut workers = [Searcher::new(&position, &shared, &mut histories, 0)];
        search_window(&mut workers, None, &mut roots, aspiration_depth());
        let visited = workers[0].nodes;
        (roots, visited)
    }

    #[test]
    fn fail_high_move_survives_interrupted_research() {
        let (_, all) = after_a_bad_score(u64::MAX);
        let mut known = None;
        for nodes in 1..all {
            let (roots, _) = after_a_bad_score(nodes);
            let best = &roots[0];
            if known.is_some() {
                assert!(best.score > -Score::INFINITE, "with {nodes} of {all} nodes");
                assert_eq!(best.line.first(), Some(&best.mv));
            } else if best.score > -Score::INFINITE {
                known = Some(nodes);
            }
        }
        assert!(known.is_some_and(|first| first < all / 2), "{known:?} of {all}");
    }
}
