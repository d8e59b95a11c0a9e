//! Who searches what: keeps workers from doing the same work at the same time.
//!
//! Before a worker searches a move of a deep node it holds the move here, and a worker that comes to the same node puts
//! such a move off. When it comes back to it, the table usually has the result; if not, the two share the work one node
//! further down. A move that is put off keeps its number in the order: the number decides how deep it is searched, and
//! only at the same depth does the other worker's result help. The first move of a node is never put off, nor the second
//! of a cut node: until their scores are known the others cannot be judged (young brothers wait). When one worker has
//! settled a node, which is to say that the table has its score by now, the others leave it with that score before their
//! next move there, or, from further down, when they next ask for nodes.
//!
//! This is the simplified ABDADA of Tom Kerrigan (tckerrigan.com/Chess/Parallel_Chess_Programming), after Jean-Christophe
//! Weill's of 1996; that settled nodes are left is added. It bets that what another worker searches will be done soon, and
//! that most moves of a node have to be searched anyway. Tak breaks the bet where the third or fourth move cuts, for
//! instance a tak that begins a tinue: the moves after it were searched in vain.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Score;
use super::ordering::Hints;
use super::params::{shared_depth, shared_first, shared_first_cut};
use super::searcher::{Candidate, JointNode, Node, Searcher};
use super::tt::Bound;
use crate::board::Move;

/// The moves being searched: a hash of position and move for each, in a place that the hash gives. Two with the same
/// place overwrite each other, which costs some double work and nothing else.
#[derive(Debug)]
pub(super) struct Busy(Box<[AtomicU64]>);

/// Places for moves. A worker holds one move for each deep node of its line, so that even many workers fill few of them.
const SLOTS: usize = 1 << 13;

impl Default for Busy {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

/// A move that is being searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hold(u64);

impl Busy {
    /// Says that `mv` is being searched in the position with this key. `None` if another worker has said so.
    pub fn hold(&self, position: u64, mv: Move) -> Option<Hold> {
        let key = (position ^ u64::from(mv.bits())).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let slot = self.slot(key);
        if slot.load(Relaxed) == key {
            return None;
        }
        slot.store(key, Relaxed);
        Some(Hold(key))
    }

    /// Says that the move has been searched.
    pub fn release(&self, hold: Hold) {
        let slot = self.slot(hold.0);
        if slot.load(Relaxed) == hold.0 {
            slot.store(0, Relaxed);
        }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 32) as usize % SLOTS]
    }
}

/// What came of a move of a node that workers may share.
pub(super) enum Joint {
    /// It was searched, or the search has to stop.
    Score(Score),
    /// Another worker is searching it.
    Busy,
    /// The table settles the node by now: another worker has searched it.
    Settled(Score),
}

impl<const N: usize> Searcher<'_, N> {
    /// Searches one move, unless another worker has made that needless. If it `may_wait` and is busy, it is not searched.
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
        // All workers search the moves whose scores must be known before the others are worth searching.
        let more = if !PV && node.cut { shared_first_cut() } else { 0 };
        let first = (shared_first() + more) as usize;
        let busy = self.shared.busy.as_ref();
        let busy = busy.filter(|_| candidate.number >= first);
        let hold = busy.and_then(|busy| busy.hold(node.key, candidate.mv));
        if busy.is_some() && hold.is_none() && may_wait {
            return Joint::Busy;
        }
        self.joint.push(joint);
        let score = self.search_move::<PV>(node, hints, candidate, alpha);
        self.joint.pop();
        if let (Some(busy), Some(hold)) = (busy, hold) {
            busy.release(hold);
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

    /// Reads the line of a node that another worker has settled from the table: its move, and the moves of the positions
    /// that follow, as long as their scores are exact.
    pub(super) fn read_line(&mut self, node: &Node) {
        let mut played = Vec::new();
        while played.len() < node.depth.max(1) as usize && self.position.outcome().is_none() {
            // Nodes where one move wins are not put into the table.
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
    fn a_move_is_held_once_until_it_is_released() {
        let busy = Busy::default();
        let [a, b] = [0, 1].map(|file| Move::place(PieceKind::Flat, Square::new(file, 0)));
        let hold = busy.hold(7, a).unwrap();
        assert!(busy.hold(7, a).is_none());
        assert!(busy.hold(8, a).is_some(), "another position");
        assert!(busy.hold(7, b).is_some(), "another move");
        busy.release(hold);
        assert!(busy.hold(7, a).is_some());
    }
}
