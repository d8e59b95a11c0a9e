//! Who searches what: keeps workers from doing the same work at the same time.
//!
//! Before a worker searches a move of a deep node it says so here, and a worker that comes to the same node leaves such
//! a move for later. When it gets back to it, the table usually holds the result; if not, the two share the work one
//! node further down. A move keeps its number in the order when it is left: the number decides how deep it is searched,
//! and only at the same depth does the other worker's result help. The first move of a node is never left, nor the second
//! of a cut node: until their scores are known the others cannot be judged (young brothers wait). When one worker has
//! settled a node, the others leave it with the same score before their next move there, or within so many nodes as are
//! granted at once below.
//!
//! This is the simplified ABDADA of Tom Kerrigan (tckerrigan.com/Chess/Parallel_Chess_Programming), after Jean-Christophe
//! Weill's of 1996, with the leaving of settled nodes added. It bets that what is searched elsewhere will be done soon,
//! and that most moves of a node have to be searched anyway; it breaks where the third or fourth move cuts.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Score;
use super::ordering::Hints;
use super::params::shared_depth;
use super::searcher::{Candidate, JointNode, Node, Searcher};
use super::tt::Bound;
use crate::board::Move;

/// The moves being searched. A word for each, by a hash of position and move; two that fall together overwrite each
/// other, which costs some double work and nothing else.
#[derive(Debug)]
pub(super) struct Busy(Box<[AtomicU64]>);

/// A worker claims some twenty moves at a time, so there is room to spare up to about 64 workers.
const SLOTS: usize = 1 << 13;

impl Default for Busy {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

/// A move that is being searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Claim(u64);

impl Busy {
    /// Says that `mv` is being searched in the position with this key, unless another worker has said so.
    pub fn claim(&self, position: u64, mv: Move) -> Option<Claim> {
        let key = (position ^ u64::from(mv.bits())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = self.slot(key);
        if slot.load(Relaxed) == key {
            return None;
        }
        slot.store(key, Relaxed);
        Some(Claim(key))
    }

    /// Says that the move has been searched.
    pub fn release(&self, claim: Claim) {
        let slot = self.slot(claim.0);
        if slot.load(Relaxed) == claim.0 {
            slot.store(0, Relaxed);
        }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 32) as usize % SLOTS]
    }
}

/// What came of a move of such a node.
pub(super) enum Joint {
    /// It was searched (or the search has to stop).
    Score(Score),
    /// Another worker is searching it.
    Busy,
    /// The table settles the node by now, as a rule thanks to another worker.
    Settled(Score),
}

impl<const N: usize> Searcher<'_, N> {
    /// Searches one move, unless another worker makes that needless. A move that `may_wait` is left when it is busy.
    pub(super) fn search_jointly<const PV: bool>(
        &mut self,
        node: &Node,
        hints: &Hints,
        candidate: Candidate,
        alpha: Score,
        may_wait: bool,
    ) -> Joint {
        if self.shared.busy.is_none() || node.depth < shared_depth() {
            return Joint::Score(self.search_move::<PV>(node, hints, candidate, alpha));
        }
        let joint = JointNode {
            key: node.key,
            depth: node.depth,
            ply: node.ply,
            window: (node.alpha, node.beta),
        };
        if let Some(score) = self.settled_by_others(joint) {
            return Joint::Settled(score);
        }
        // What has to be known before other moves are worth searching is searched by all.
        let first = usize::from(!PV && node.cut);
        let busy = self.shared.busy.as_ref();
        let busy = busy.filter(|_| candidate.number > first);
        let claim = busy.and_then(|busy| busy.claim(node.key, candidate.mv));
        if busy.is_some() && claim.is_none() && may_wait {
            return Joint::Busy;
        }
        self.joint.push(joint);
        let score = self.search_move::<PV>(node, hints, candidate, alpha);
        self.joint.pop();
        if let (Some(busy), Some(claim)) = (busy, claim) {
            busy.release(claim);
        }
        match self.settled {
            Some((ply, score)) if ply == node.ply => {
                self.settled = None;
                self.stopped = false;
                Joint::Settled(score)
            }
            _ => Joint::Score(score),
        }
    }

    /// Makes what the table knows of it the line of a node that another worker has settled: its move, and as long as the
    /// positions that follow were searched exactly, their moves.
    pub(super) fn read_line(&mut self, node: &Node) {
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
            played.push((mv, self.position.play_unchecked(mv)));
        }
        let line = &mut self.lines[node.ply];
        line.clear();
        line.extend(played.iter().map(|&(mv, _)| mv));
        for (mv, undo) in played.into_iter().rev() {
            self.position.unplay(mv, undo);
        }
    }

    /// Whether another worker has settled a node above, so that the work below it can be left. The search then unwinds
    /// as if it had to stop, up to that node.
    pub(super) fn is_settled_above(&mut self) -> bool {
        self.settled = self
            .joint
            .iter()
            .find_map(|&node| Some((node.ply, self.settled_by_others(node)?)));
        self.settled.is_some()
    }

    fn settled_by_others(&self, node: JointNode) -> Option<Score> {
        let entry = self.shared.table.probe(node.key)?;
        entry.settles(node.depth, node.ply, node.window)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PieceKind, Square};

    #[test]
    fn a_move_is_claimed_once_until_it_is_released() {
        let busy = Busy::default();
        let [a, b] = [0, 1].map(|file| Move::place(PieceKind::Flat, Square::new(file, 0)));
        let claim = busy.claim(7, a).unwrap();
        assert!(busy.claim(7, a).is_none());
        assert!(busy.claim(8, a).is_some(), "another position");
        assert!(busy.claim(7, b).is_some(), "another move");
        busy.release(claim);
        assert!(busy.claim(7, a).is_some());
    }
}
