//! Which move of a node is next: the table's, then the others from the most promising on, and last those that were put
//! off because other workers were searching them.

use super::ordering::{Hints, Scored, pick, score_moves};
use super::policy::{MoveContext, Opinion};
use super::searcher::{Candidate, Node, Searcher};
use crate::board::{Bitboard, Move, MoveKind, PieceKind};

/// The moves of one node on their way through the search.
pub(super) struct Picker {
    /// The moves but for the table's, in order up to `index`.
    list: Vec<Scored>,
    index: usize,
    /// Made together with the list, once the table move has been searched and the node goes on.
    context: Option<MoveContext>,
    searched: usize,
    /// Moves put off, and how many of them have come up again.
    put_off: Vec<Candidate>,
    again: usize,
}

impl Picker {
    /// `list` is emptied and used again, for its capacity.
    pub fn new(mut list: Vec<Scored>) -> Self {
        list.clear();
        Self {
            list,
            index: 0,
            context: None,
            searched: 0,
            put_off: Vec::new(),
            again: 0,
        }
    }

    /// The next move to look at.
    pub fn next<const N: usize>(
        &mut self,
        searcher: &mut Searcher<'_, N>,
        node: &Node,
        hints: &Hints,
    ) -> Option<Candidate> {
        let mv = match (node.table_move, &self.context) {
            (Some(mv), None) if self.searched == 0 => Some(mv),
            _ => {
                if self.context.is_none() {
                    self.context = Some(searcher.order(node, hints, &mut self.list));
                }
                let mv = pick(&mut self.list, self.index);
                self.index += usize::from(mv.is_some());
                mv
            }
        };
        let Some(mv) = mv else {
            let candidate = self.put_off.get(self.again).copied();
            self.again += usize::from(candidate.is_some());
            return candidate;
        };
        let taks = self.context.as_ref().map(MoveContext::taks);
        Some(Candidate {
            mv,
            is_tak: taks.is_some_and(|taks| is_tak(mv, taks)),
            number: self.searched + self.put_off.len(),
        })
    }

    /// Whether the move that has come up may be put off. One that comes up again may not.
    pub fn may_put_off(&self) -> bool {
        self.again == 0
    }

    /// Lets the move come up again after all others. It keeps its number.
    pub fn put_off(&mut self, candidate: Candidate) {
        self.put_off.push(candidate);
    }

    /// Notes that the last move has been searched.
    pub fn note_searched(&mut self) {
        self.searched += 1;
    }

    /// The moves before `best` that came up and are not waiting to come up again.
    pub fn tried_before(&self, best: Move) -> impl Iterator<Item = Move> {
        let waiting = &self.put_off[self.again..];
        let is_waiting = |mv| waiting.iter().any(|candidate| candidate.mv == mv);
        let others = self.list[..self.index].iter().map(|scored| scored.mv);
        others.filter(move |&mv| mv != best && !is_waiting(mv))
    }

    /// Gives the list back.
    pub fn into_list(self) -> Vec<Scored> {
        self.list
    }
}

impl<const N: usize> Searcher<'_, N> {
    /// Lists the moves that are worth searching, each with its score for ordering.
    fn order(&mut self, node: &Node, hints: &Hints, list: &mut Vec<Scored>) -> MoveContext {
        let context = MoveContext::new(&self.position, node.previous.map(Move::target));
        score_moves(
            &mut Opinion::new(&self.position, &context, self.shared.given.move_weights),
            self.memory,
            hints,
            node.answers,
            &mut self.buffer,
            list,
        );
        context
    }
}

/// Whether `mv` places a road piece where that threatens a road.
fn is_tak(mv: Move, taks: Bitboard) -> bool {
    matches!(mv.kind(), MoveKind::Place(PieceKind::Flat | PieceKind::Cap))
        && taks.contains(mv.square())
}
