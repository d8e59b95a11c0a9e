//! One iteration over the root moves, split over the workers of a rayon pool.
//!
//! All workers begin with the first root move, whose score the others are measured against; inside its subtree those
//! of one group keep out of each other's way (see `abdada.rs`). Then each takes the next move that no worker has started, and
//! when none is left helps with one that is not done yet. Of several workers on one move, the first to finish it reports the result
//! and the others leave it. With one worker all of this is a plain loop.
//!
//! What limits many workers. Inside the tree nothing is locked: table and busy lists are atomic words, and each worker has
//! its own histories (one for all costs 8 % of the speed of two workers and saves no nodes). A root move is locked only to
//! begin and to report it, the best score is one word. What grows with the workers is double work: `lockstep` measures
//! it, docs/speed.md has the figures. And an iteration is never shorter than the first moves of the principal variation,
//! one below the other: all workers must see them done before they can part.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::reduction::root_reduction;
use super::root::RootMove;
use super::score::Score;
use super::searcher::{Searcher, Visit};
use super::shared::Pass;

/// What the workers share during one pass over the root moves.
struct Split<'r> {
    roots: Vec<Mutex<&'r mut RootMove>>,
    /// The next move that no worker has started.
    next: AtomicUsize,
    /// The best score so far.
    alpha: AtomicI32,
    beta: Score,
    depth: i32,
    pass: &'r Pass,
}

/// Searches `roots` to `depth` plies in the window (alpha, beta); some of many workers search a ply deeper, and whoever has
/// searched a move first says its score. Moves that raised alpha get their score and line, all
/// others the score of minus infinity. Returns early once a move reaches beta, or when the search has to stop.
pub(super) fn search_roots<const N: usize>(
    workers: &mut [Searcher<'_, N>],
    pool: Option<&rayon::ThreadPool>,
    roots: &mut [RootMove],
    (alpha, beta): (Score, Score),
    depth: i32,
) {
    let [first, ..] = workers else { return };
    let pass = &first.shared.pass;
    pass.begin();
    for root in &mut *roots {
        root.score = -Score::INFINITE;
    }
    let split = Split {
        roots: roots.iter_mut().map(Mutex::new).collect(),
        next: AtomicUsize::new(1),
        alpha: AtomicI32::new(alpha.value()),
        beta,
        depth,
        pass,
    };
    for worker in &mut *workers {
        worker.begin_pass(depth);
    }
    if let (Some(pool), true) = (pool, workers.len() > 1) {
        pool.scope(|scope| {
            for worker in workers {
                scope.spawn(|_| split.work(worker));
            }
        });
    } else {
        split.work(&mut workers[0]);
    }
}

impl<'r> Split<'r> {
    fn work<const N: usize>(&self, worker: &mut Searcher<'_, N>) {
        #[cfg(test)]
        let lockstep = worker.shared.lockstep.as_ref();
        #[cfg(test)]
        let _seat = lockstep.map(|lockstep| lockstep.take(worker.seat));
        self.search(worker, 0);
        while let Some(index) = self.next_unstarted(worker) {
            self.search(worker, index);
        }
        for index in 1..self.roots.len() {
            if worker.stopped {
                return;
            }
            self.search(worker, index);
        }
    }

    /// The next root move to start.
    fn next_unstarted<const N: usize>(&self, worker: &Searcher<'_, N>) -> Option<usize> {
        if self.pass.is_over() || worker.stopped {
            return None;
        }
        Some(self.next.fetch_add(1, SeqCst)).filter(|&index| index < self.roots.len())
    }

    /// Searches a move against the best score so far, and in the full window if it is better.
    fn search<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize) {
        if self.pass.is_over() || self.pass.is_done(index) {
            return;
        }
        let mv = self.root(index).mv;
        let nodes = worker.nodes;
        worker.root = index;
        let mut alpha = Score::from_value(self.alpha.load(SeqCst));
        let mut score = alpha + 1;
        if index > 0 {
            (score, alpha) = self.compare(worker, index, alpha);
        }
        if score > alpha && !worker.stopped {
            score = worker.child::<true>(mv, self.visit(worker.ahead, alpha, self.beta));
        }
        let mut root = self.root(index);
        root.nodes += worker.nodes - nodes;
        if worker.leave_root() || self.pass.finish(index) {
            return;
        }
        if self.alpha.fetch_max(score.value(), SeqCst) < score.value() {
            root.score = score;
            worker.extend_line(0, mv);
            root.line.clone_from(&worker.lines[0]);
        }
        if score >= self.beta {
            self.pass.end();
        }
    }

    /// Whether a move is better than the best so far, at first `alpha`: its score and the bound it was compared with.
    fn compare<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize, mut alpha: Score) -> (Score, Score) {
        loop {
            let score = self.zero_window(worker, index, alpha);
            let raised = alpha.max(Score::from_value(self.alpha.load(SeqCst)));
            if score <= alpha || score > raised || worker.stopped {
                return (score, raised);
            }
            // Better than what was the best score before the search; another move may have raised it meanwhile.
            alpha = raised;
        }
    }

    /// Whether a move is better than `alpha`. Late root moves have to show so in a shallower search first (late move
    /// reduction).
    fn zero_window<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize, alpha: Score) -> Score {
        let mv = self.root(index).mv;
        let visit = self.visit(worker.ahead, alpha, alpha + 1);
        let reduction = root_reduction(self.depth, index);
        let mut score = worker.child::<false>(mv, Visit { depth: visit.depth - reduction, cut: true, ..visit });
        if score > alpha && reduction > 0 && !worker.stopped {
            score = worker.child::<false>(mv, Visit { cut: true, ..visit });
        }
        score
    }

    fn visit(&self, ahead: i32, alpha: Score, beta: Score) -> Visit {
        Visit {
            alpha: -beta,
            beta: -alpha,
            depth: self.depth - 1 + ahead,
            ply: 1,
            cut: false,
            previous: None,
            excluded: None,
            reduced: 0,
        }
    }

    /// A worker that panics leaves a root move whole, so a poisoned lock does no harm.
    fn root(&self, index: usize) -> MutexGuard<'_, &'r mut RootMove> {
        self.roots[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
