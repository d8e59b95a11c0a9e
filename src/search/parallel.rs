//! One iteration over the root moves, split over the workers of a rayon pool.
//!
//! The first root move is searched by one worker with the full window. Meanwhile the others take the remaining moves
//! with the bound that the last iteration suggests, which rarely moves much: a move that fails low against it is done
//! with if the first move turns out at least as good, else it is looked at again. When no root move is left to start,
//! idle workers search the first move's subtree too, and so fill the shared table ahead of the worker whose result
//! counts. With one worker all of this is a plain loop.

use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::node::{Searcher, Visit};
use super::{Pass, RootMove, Score};

/// What the workers share during one pass over the root moves.
struct Split<'r> {
    roots: Vec<Mutex<&'r mut RootMove>>,
    /// The most each move can be worth, as far as it is known.
    at_most: Vec<AtomicI32>,
    /// The next move nobody has started; the same for the second look.
    next: AtomicUsize,
    next_again: AtomicUsize,
    /// The best score so far.
    alpha: AtomicI32,
    beta: Score,
    depth: i32,
    /// The bound against which moves are searched before the first move is done.
    expected: Score,
    pass: &'r Pass,
}

/// Searches `roots` to `depth` plies in the window (alpha, beta). Moves that raised alpha get their score and line, all
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
    let expected = roots
        .first()
        .map_or(alpha, |root| root.previous.clamp(alpha, beta - 1));
    for root in &mut *roots {
        root.score = -Score::INFINITE;
    }
    let split = Split {
        at_most: roots
            .iter()
            .map(|_| AtomicI32::new(Score::INFINITE.value()))
            .collect(),
        roots: roots.iter_mut().map(Mutex::new).collect(),
        next: AtomicUsize::new(0),
        next_again: AtomicUsize::new(0),
        alpha: AtomicI32::new(alpha.value()),
        beta,
        depth,
        expected,
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
        while let Some(index) = self.claim(&self.next) {
            if self.pass.first_is_done() || index == 0 {
                self.search(worker, index);
            } else {
                self.search_ahead(worker, index);
            }
            if worker.stopped {
                return;
            }
        }
        self.help_with_first(worker);
        while let Some(index) = self.claim(&self.next_again) {
            if self.at_most[index].load(SeqCst) > self.alpha.load(SeqCst) {
                self.search(worker, index);
            }
            if worker.stopped {
                return;
            }
        }
    }

    fn claim(&self, next: &AtomicUsize) -> Option<usize> {
        Some(next.fetch_add(1, SeqCst))
            .filter(|&index| index < self.roots.len() && !self.pass.is_over())
    }

    /// Searches a move against the best score so far, and in the full window if it is better.
    fn search<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize) {
        let mv = self.root(index).mv;
        let nodes = worker.nodes;
        let mut alpha = Score::from_value(self.alpha.load(SeqCst));
        let mut score = alpha + 1;
        if index > 0 {
            score = self.zero_window(worker, index, alpha);
            alpha = alpha.max(Score::from_value(self.alpha.load(SeqCst)));
        }
        if score > alpha && !worker.stopped {
            score = worker.child::<true>(mv, self.visit(alpha, self.beta));
        }
        let mut root = self.root(index);
        root.nodes += worker.nodes - nodes;
        if worker.stopped {
            return;
        }
        self.at_most[index].store(score.value(), SeqCst);
        if self.alpha.fetch_max(score.value(), SeqCst) < score.value() {
            root.score = score;
            worker.extend_line(0, mv);
            root.line.clone_from(&worker.lines[0]);
        }
        drop(root);
        if index == 0 {
            self.pass.first_done();
        }
        if score >= self.beta {
            self.pass.end();
        }
    }

    /// Searches a move against the expected score, while the first move is still under way.
    fn search_ahead<const N: usize>(&self, worker: &mut Searcher<'_, N>, index: usize) {
        let nodes = worker.nodes;
        let score = self.zero_window(worker, index, self.expected);
        self.root(index).nodes += worker.nodes - nodes;
        if !worker.stopped && score <= self.expected {
            self.at_most[index].store(score.value(), SeqCst);
        }
    }

    /// Whether a move is better than `alpha`. Late root moves have to show so in a shallower search first (late move
    /// reduction, see `node.rs`).
    fn zero_window<const N: usize>(
        &self,
        worker: &mut Searcher<'_, N>,
        index: usize,
        alpha: Score,
    ) -> Score {
        let mv = self.root(index).mv;
        let visit = self.visit(alpha, alpha + 1);
        let reduction = if self.depth >= 3 && index >= 4 {
            1 + i32::from(index >= 16)
        } else {
            0
        };
        let mut score = worker.child::<false>(
            mv,
            Visit {
                depth: visit.depth - reduction,
                cut: true,
                ..visit
            },
        );
        if score > alpha && reduction > 0 && !worker.stopped {
            score = worker.child::<false>(mv, Visit { cut: true, ..visit });
        }
        score
    }

    /// With no move left to start, the first move's subtree is searched as well; only the table keeps the result.
    fn help_with_first<const N: usize>(&self, worker: &mut Searcher<'_, N>) {
        while !self.pass.first_is_done() && !self.pass.is_over() && !worker.stopped {
            worker.helping = true;
            let nodes = worker.nodes;
            let mv = self.root(0).mv;
            let alpha = Score::from_value(self.alpha.load(SeqCst));
            worker.child::<true>(mv, self.visit(alpha, self.beta));
            self.root(0).nodes += worker.nodes - nodes;
            worker.end_help();
        }
    }

    fn visit(&self, alpha: Score, beta: Score) -> Visit {
        Visit {
            alpha: -beta,
            beta: -alpha,
            depth: self.depth - 1,
            ply: 1,
            cut: false,
            previous: None,
        }
    }

    /// A panic elsewhere leaves a root move as it was, so a poisoned lock is as good as any.
    fn root(&self, index: usize) -> MutexGuard<'_, &'r mut RootMove> {
        self.roots[index]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}
