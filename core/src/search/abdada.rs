//! Simplified ABDADA: defers moves that another worker is already searching.
//!
//! Before a worker searches a move of a node that is deep enough, it marks the move here, and other workers at the same
//! node defer it. When they return to it, the table usually has the result; if not, the workers share the subtree. A
//! deferred move keeps its number in the order, because the number determines its reduction, and the other worker's
//! result is useful only at the same depth. The first move of a node, and the second of a cut node, are never deferred,
//! because their scores decide whether the others are needed (young brothers wait). When one worker has settled a node,
//! so that the table has its score, the others return that score before their next move there, or, from deeper nodes,
//! when they next check the limits.
//!
//! Many workers form several groups with separate lists, which share only the table (lazy SMP,
//! chessprogramming.org/Lazy_SMP): more than a few workers in one node defer nearly all moves and then repeat the same
//! work.
//!
//! The algorithm is Tom Kerrigan's (tckerrigan.com/Chess/Parallel_Chess_Programming), after Jean-Christophe Weill's of
//! 1996; leaving settled nodes is an addition. Assumes that another worker finishes its move soon, and that most moves
//! of a node have to be searched. Fails if the third or fourth move cuts, for instance a tak that begins a tinue: the
//! moves after it were searched for nothing.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::params::{shared_depth, shared_first, shared_first_cut};
use super::score::Score;
use super::tt::Table;
use super::visit::{Candidate, Unwind};
use crate::board::{Move, spread};

/// A hash table of the moves being searched, keyed by position and move. Collisions overwrite each other and cost only
/// duplicate work.
#[derive(Debug)]
pub(super) struct CurrentlySearching(Box<[AtomicU64]>);

/// Number of slots. A worker marks one move per deep node of its line, so even many workers fill few of them.
const SLOTS: usize = 1 << 13;

impl Default for CurrentlySearching {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

/// The mark of a move that is being searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SearchingMark(u64);

impl CurrentlySearching {
    /// Marks `mv` as being searched in the position with this key; `None` if another worker is searching it.
    pub fn mark(&self, position: u64, mv: Move) -> Option<SearchingMark> {
        let key = spread(position ^ u64::from(mv.bits()));
        let slot = self.slot(key);
        if slot.load(Relaxed) == key {
            return None;
        }
        slot.store(key, Relaxed);
        Some(SearchingMark(key))
    }

    pub fn release(&self, mark: SearchingMark) {
        let slot = self.slot(mark.0);
        if slot.load(Relaxed) == mark.0 {
            slot.store(0, Relaxed);
        }
    }

    fn slot(&self, key: u64) -> &AtomicU64 {
        &self.0[(key >> 32) as usize % SLOTS]
    }
}

/// A node whose moves several workers may search.
#[derive(Debug, Clone, Copy)]
pub(super) struct SharedNode {
    /// Table key of the position.
    pub key: u64,
    pub depth: i32,
    pub ply: usize,
    pub window: (Score, Score),
    /// Expected cut node.
    pub cut: bool,
}

impl SharedNode {
    fn settled(&self, table: &Table) -> Option<Score> {
        table.probe(self.key)?.settles(self.depth, self.ply, self.window)
    }
}

/// Treatment of a move.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// Search it; the node is not shared.
    Unshared,
    /// Search it; if it could be marked, others defer it.
    Shared(Option<SearchingMark>),
    /// Defer it: another worker is searching it.
    Deferred,
    /// Return this score: another worker has settled the node.
    Settled(Score),
}

/// The nodes on a worker's line that it shares with others.
#[derive(Debug)]
pub(super) struct SharedNodes<'a> {
    /// The list of its group and the table; `None` for a single worker.
    others: Option<(&'a CurrentlySearching, &'a Table)>,
    nodes: Vec<SharedNode>,
}

impl<'a> SharedNodes<'a> {
    /// Without a list of moves nothing is shared.
    pub fn new(searching: Option<&'a CurrentlySearching>, table: &'a Table) -> Self {
        Self { others: searching.map(|searching| (searching, table)), nodes: Vec::new() }
    }

    /// Decides how to treat a move of `node`. Pass the mark to [`SharedNodes::release`] after the search of the move.
    #[inline]
    pub fn share(&mut self, node: SharedNode, candidate: Candidate) -> Share {
        match self.others {
            Some((searching, table)) if node.depth >= shared_depth() => {
                self.share_deep(searching, table, node, candidate)
            }
            _ => Share::Unshared,
        }
    }

    fn share_deep(
        &mut self,
        searching: &CurrentlySearching,
        table: &Table,
        node: SharedNode,
        Candidate { mv, number, can_defer, .. }: Candidate,
    ) -> Share {
        if let Some(score) = node.settled(table) {
            return Share::Settled(score);
        }
        // All workers search the first moves, whose scores decide whether the others are needed.
        let more = if node.cut { shared_first_cut() } else { 0 };
        let mut mark = None;
        if number >= (shared_first() + more) as usize {
            mark = searching.mark(node.key, mv);
            if mark.is_none() && can_defer {
                return Share::Deferred;
            }
        }
        self.nodes.push(node);
        Share::Shared(mark)
    }

    /// Ends the search of a move of a shared node.
    #[inline]
    pub fn release(&mut self, mark: Option<SearchingMark>) {
        self.nodes.pop();
        if let (Some((searching, _)), Some(mark)) = (self.others, mark) {
            searching.release(mark);
        }
    }

    /// Unwinds to the first node above that another worker has settled.
    pub fn check_above(&self) -> Result<(), Unwind> {
        let Some((_, table)) = self.others else {
            return Ok(());
        };
        let settled = |node: &SharedNode| Some(Unwind::To { ply: node.ply as u16, score: node.settled(table)? });
        self.nodes.iter().find_map(settled).map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PieceKind, Square};
    use crate::search::score::Bound;
    use crate::search::tt::Entry;

    #[test]
    fn deferred_move_waits_until_node_is_settled() {
        let mut table = Table::new(1).unwrap();
        table.next_search();
        let searching = CurrentlySearching::default();
        let [mut one, mut other] = [0, 1].map(|_| SharedNodes::new(Some(&searching), &table));
        let node = SharedNode { key: 7, depth: 9, ply: 4, window: (Score::DRAW, Score::centiflats(1)), cut: false };
        let mv = Move::place(PieceKind::Flat, Square::new(0, 0));
        let [first, late] = [0, 5].map(|number| Candidate { mv, is_tak: false, number, can_defer: true });
        assert_eq!(one.share(node, first), Share::Shared(None));
        one.release(None);
        let Share::Shared(mark @ Some(_)) = one.share(node, late) else { panic!("the move is not marked") };
        assert_eq!(other.share(node, late), Share::Deferred);
        assert_eq!(other.share(node, Candidate { can_defer: false, ..late }), Share::Shared(None));
        assert_eq!(one.check_above(), Ok(()));
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
        assert_eq!(one.check_above(), Err(Unwind::To { ply: 4, score: Score::centiflats(30) }));
        one.release(mark);
        assert_eq!(one.check_above(), Ok(()), "the worker is no longer in the node");
        assert_eq!(one.share(node, late), Share::Settled(Score::centiflats(30)));
        let mut single = SharedNodes::new(None, &table);
        assert_eq!(single.share(node, late), Share::Unshared);
    }

    #[test]
    fn move_is_marked_once_until_it_is_released() {
        let searching = CurrentlySearching::default();
        let [a, b] = [0, 1].map(|file| Move::place(PieceKind::Flat, Square::new(file, 0)));
        let mark = searching.mark(7, a).unwrap();
        assert!(searching.mark(7, a).is_none());
        assert!(searching.mark(8, a).is_some(), "another position");
        assert!(searching.mark(7, b).is_some(), "another move");
        searching.release(mark);
        assert!(searching.mark(7, a).is_some());
    }
}
