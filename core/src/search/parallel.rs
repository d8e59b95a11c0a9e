//! One iteration over the root moves, split over the workers of a rayon pool.
//!
//! All workers begin with the first root move, whose score is the bound for the others; inside its subtree the workers
//! of one group avoid the same work (see `abdada.rs`). Then each takes the next move that no worker has started, and
//! finally helps with unfinished ones. The first of several workers to finish a move reports the result, and the others
//! leave it. With one worker this is a plain loop.
//!
//! Limits of scaling: nothing inside the tree is locked; the table and the lists of moves are atomic words, and every
//! worker has its own histories. A root move is locked only when it is started and reported, and the best score is one
//! word. Duplicate work grows with the workers: `lockstep` measures it. Also, an iteration is never shorter than the
//! first moves of the principal variation, which all workers search together.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::reduction::root_reduction;
use super::report::RootMove;
use super::score::{Bound, Score};
use super::searcher::Searcher;
use super::shared::Pass;
use super::visit::{Searched, Unwind, Visit};

/// State shared by the workers during one pass over the root moves.
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

/// Searches `roots` to `depth` plies in the window (alpha, beta); some of many workers search a ply deeper, and the
/// first to finish a move reports its score. Moves that raised alpha get their score and line, all others the score of
/// minus infinity. Returns early if a move reaches beta or the search has to stop.
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
        let clock = worker.shared.context.clock;
        clock.begin(worker.number);
        self.search(worker, 0);
        while let Some(index) = Some(self.next.fetch_add(1, SeqCst)).filter(|&index| index < self.roots.len()) {
            self.search(worker, index);
        }
        for index in 1..self.roots.len() {
            self.search(worker, index);
        }
        clock.end();
    }

    /// Searches a move and reports the result, unless it is not needed.
    fn search<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize) {
        if worker.shared.is_stopped() || self.pass.is_over() || self.pass.is_done(index) {
            return;
        }
        let nodes = worker.nodes;
        worker.root = index;
        let searched = self.score(worker, index);
        let mut root = self.root(index);
        root.nodes += worker.nodes - nodes;
        let Ok(score) = searched else { return };
        if self.pass.finish(index) {
            return;
        }
        let score = root.corrected(score);
        if self.alpha.fetch_max(score.value(), SeqCst) < score.value() {
            root.score = score;
            root.bound = (score >= self.beta).then_some(Bound::Lower);
            // A move that is too good for the window has no line of its own, but may have one from before.
            if root.bound.is_none() || score.is_win() {
                worker.extend_line(0, root.mv);
                root.line.clone_from(&worker.pv_table[0]);
            }
        }
        if score >= self.beta {
            self.pass.end();
        }
    }

    /// Searches a move with a zero window above the best score, and with the full window if it is better.
    fn score<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize) -> Searched {
        let mut alpha = self.best();
        let mut score = alpha + 1;
        if index > 0 {
            (score, alpha) = self.compare(worker, index, alpha)?;
        }
        if score > alpha {
            let mv = self.root(index).mv;
            score = worker.child::<true>(mv, self.visit(worker.ahead, alpha, self.beta))?;
        }
        Ok(score)
    }

    /// Compares a move with the best score, initially `alpha`. Returns its score and the bound it was compared with.
    fn compare<const N: usize>(
        &self,
        worker: &mut Searcher<'_, N>,
        index: usize,
        mut alpha: Score,
    ) -> Result<(Score, Score), Unwind> {
        loop {
            let score = self.zero_window(worker, index, alpha)?;
            let raised = alpha.max(self.best());
            if score <= alpha || score > raised {
                return Ok((score, raised));
            }
            // The move beats the old bound, but another worker has raised it since: compare again.
            alpha = raised;
        }
    }

    /// Searches a move with a zero window above `alpha`; late root moves with a reduction first.
    fn zero_window<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize, alpha: Score) -> Searched {
        let mv = self.root(index).mv;
        let visit = self.visit(worker.ahead, alpha, alpha + 1);
        let reduction = root_reduction(self.depth, index);
        let mut score = worker.child::<false>(mv, Visit { depth: visit.depth - reduction, cut: true, ..visit })?;
        if score > alpha && reduction > 0 {
            score = worker.child::<false>(mv, Visit { cut: true, ..visit })?;
        }
        Ok(score)
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

    fn best(&self) -> Score {
        Score::from_value(self.alpha.load(SeqCst))
    }

    /// A worker that panics leaves a root move consistent, so a poisoned lock is harmless.
    fn root(&self, index: usize) -> MutexGuard<'_, &'r mut RootMove> {
        self.roots[index].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
