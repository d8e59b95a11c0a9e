//! Who searches what: keeps workers from doing the same work at the same time.
//!
//! Before a worker searches a move of a node that is not next to a leaf it holds the move here, and a worker that comes to
//! the same node puts such a move off. When it comes back to it, the table usually has the result; if not, the two share the
//! work one node further down. A move that is put off keeps its number in the order: the number decides how deep it is searched, and
//! only at the same depth does the other worker's result help. The first move of a node is never put off, nor the second
//! of a cut node: until their scores are known the others cannot be judged (young brothers wait). When one worker has
//! settled a node, which is to say that the table has its score by now, the others leave it with that score before their
//! next move there, or, from further down, when they next ask for nodes.
//!
//! Many workers are several groups, each with a list of its own, that know of each other by the table alone (lazy SMP,
//! chessprogramming.org/Lazy_SMP): more than a few in one node put off nearly all of its moves and soon do the same work
//! anyway.
//!
//! This is the simplified ABDADA of Tom Kerrigan (tckerrigan.com/Chess/Parallel_Chess_Programming), after Jean-Christophe
//! Weill's of 1996; that settled nodes are left is added. It bets that what another worker searches will be done soon, and
//! that most moves of a node have to be searched anyway. Tak breaks the bet where the third or fourth move cuts, for
//! instance a tak that begins a tinue: the moves after it were searched in vain.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::params::{shared_depth, shared_first, shared_first_cut};
use super::score::Score;
use super::tt::Table;
use crate::board::Move;

/// The moves being searched: a hash of position and move for each, in a place that the hash gives. Two with the same
/// place overwrite each other, which costs some double work and nothing else.
#[derive(Debug)]
pub(super) struct CurrentlySearching(Box<[AtomicU64]>);

/// Places for moves. A worker holds one move for each deep node of its line, so that even many workers fill few of them.
const SLOTS: usize = 1 << 13;

impl Default for CurrentlySearching {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

/// A move that is being searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hold(u64);

impl CurrentlySearching {
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

/// A node whose moves several workers may be searching.
#[derive(Debug, Clone, Copy)]
pub(super) struct JointNode {
    /// The key of the position in the table.
    pub key: u64,
    pub depth: i32,
    pub ply: usize,
    pub window: (Score, Score),
    /// Whether some move is expected to cut off.
    pub cut: bool,
}

impl JointNode {
    /// The score, if the table has it by now.
    fn settled(&self, table: &Table) -> Option<Score> {
        table.probe(self.key)?.settles(self.depth, self.ply, self.window)
    }
}

/// What a worker is to do with a move.
pub(super) enum Share {
    /// Search it: the node is not shared out.
    Alone,
    /// Search it. Where others can see that, they put it off.
    Joint(Option<Hold>),
    /// Put it off: another worker is searching it.
    Deferred,
    /// Leave the node: another worker has searched it, with this score.
    Settled(Score),
}

/// The nodes on a worker's line that it shares with others.
#[derive(Debug)]
pub(super) struct Joint<'a> {
    /// What the workers of its group share, where there are several workers.
    others: Option<(&'a CurrentlySearching, &'a Table)>,
    nodes: Vec<JointNode>,
    /// While the search unwinds to a node that another worker has settled: its ply and its score.
    settled: Option<(usize, Score)>,
}

impl<'a> Joint<'a> {
    /// With no list of busy moves there is nobody to share with.
    pub fn new(searching: Option<&'a CurrentlySearching>, table: &'a Table) -> Self {
        Self { others: searching.map(|searching| (searching, table)), nodes: Vec::new(), settled: None }
    }

    /// To be asked before a move of `node` is searched, its `number` in the order being this. Only one that `can_defer` can
    /// be busy. The answer goes to [`Joint::release`] once the move has been searched.
    #[inline]
    pub fn share(&mut self, node: JointNode, mv: Move, number: usize, can_defer: bool) -> Share {
        match self.others {
            Some((searching, table)) if node.depth >= shared_depth() => {
                self.share_jointly(searching, table, node, mv, number, can_defer)
            }
            _ => Share::Alone,
        }
    }

    fn share_jointly(
        &mut self,
        searching: &CurrentlySearching,
        table: &Table,
        node: JointNode,
        mv: Move,
        number: usize,
        can_defer: bool,
    ) -> Share {
        if let Some(score) = node.settled(table) {
            return Share::Settled(score);
        }
        // All workers search the moves whose scores must be known before the others are worth searching.
        let more = if node.cut { shared_first_cut() } else { 0 };
        let mut hold = None;
        if number >= (shared_first() + more) as usize {
            hold = searching.hold(node.key, mv);
            if hold.is_none() && can_defer {
                return Share::Deferred;
            }
        }
        self.nodes.push(node);
        Share::Joint(hold)
    }

    /// Ends the share in a move of the node at `ply`, which has been searched. The score of the node, if it was settled
    /// meanwhile: the search has then unwound to it and goes on.
    #[inline]
    pub fn release(&mut self, share: &Share, ply: usize) -> Option<Score> {
        let &Share::Joint(hold) = share else {
            return None;
        };
        self.nodes.pop();
        if let (Some((searching, _)), Some(hold)) = (self.others, hold) {
            searching.release(hold);
        }
        let (_, score) = self.settled.take_if(|(settled, _)| *settled == ply)?;
        Some(score)
    }

    /// Whether another worker has settled a node above, so that the work below it can be left. The search then has to
    /// unwind as if it had to stop, up to that node.
    pub fn is_settled_above(&mut self) -> bool {
        let Some((_, table)) = self.others else {
            return false;
        };
        let mut nodes = self.nodes.iter();
        self.settled = nodes.find_map(|node| Some((node.ply, node.settled(table)?)));
        self.settled.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PieceKind, Square};
    use crate::search::score::Bound;
    use crate::search::tt::Entry;

    #[test]
    fn a_late_move_is_held_until_the_node_is_settled() {
        let mut table = Table::new(1).unwrap();
        table.next_search();
        let searching = CurrentlySearching::default();
        let [mut one, mut other] = [0, 1].map(|_| Joint::new(Some(&searching), &table));
        let node = JointNode { key: 7, depth: 9, ply: 4, window: (Score::DRAW, Score::centiflats(1)), cut: false };
        let mv = Move::place(PieceKind::Flat, Square::new(0, 0));
        assert!(matches!(one.share(node, mv, 0, true), Share::Joint(None)));
        one.release(&Share::Joint(None), 4);
        let late = one.share(node, mv, 5, true);
        assert!(matches!(late, Share::Joint(Some(_))));
        assert!(matches!(other.share(node, mv, 5, true), Share::Deferred));
        assert!(matches!(other.share(node, mv, 5, false), Share::Joint(None)));
        assert!(!one.is_settled_above());
        table.store(
            node.key,
            Entry {
                mv: None,
                score: Score::centiflats(30),
                evaluation: Score::DRAW,
                depth: 9,
                bound: Some(Bound::Lower),
            },
        );
        assert!(one.is_settled_above());
        assert_eq!(one.release(&late, 4), Some(Score::centiflats(30)));
        assert!(!one.is_settled_above(), "it has left the node");
        let share = one.share(node, mv, 5, true);
        assert!(matches!(share, Share::Settled(score) if score == Score::centiflats(30)));
        let mut single = Joint::new(None, &table);
        assert!(matches!(single.share(node, mv, 5, true), Share::Alone));
    }

    #[test]
    fn a_move_is_held_once_until_it_is_released() {
        let searching = CurrentlySearching::default();
        let [a, b] = [0, 1].map(|file| Move::place(PieceKind::Flat, Square::new(file, 0)));
        let hold = searching.hold(7, a).unwrap();
        assert!(searching.hold(7, a).is_none());
        assert!(searching.hold(8, a).is_some(), "another position");
        assert!(searching.hold(7, b).is_some(), "another move");
        searching.release(hold);
        assert!(searching.hold(7, a).is_some());
    }
}
