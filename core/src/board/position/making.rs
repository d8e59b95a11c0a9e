//! Making and taking back moves.

use super::{Position, Tops};
use crate::board::zobrist::{BLACK_TO_MOVE, stack_key};
use crate::board::{
    ByColor, Color, Direction, IllegalMove, Move, MoveKind, OpeningRule, Pattern, PieceKind, Reserve, Square,
};

/// The data that [`Position::unplay`] needs to take back one move in one position.
#[derive(Debug, Clone, Copy)]
pub struct Undo {
    tops: Tops,
    reserves: ByColor<Reserve>,
}

impl Undo {
    /// The hash of the position before the move.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.tops.hash
    }
}

impl<const N: usize> Position<N> {
    /// Plays a move.
    ///
    /// # Errors
    /// The reason why the move is illegal; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<Undo, IllegalMove> {
        self.check_legal(mv)?;
        Ok(self.play_unchecked(mv))
    }

    /// Plays a legal move without checking it.
    ///
    /// An illegal move results in an inconsistent position or a panic, but not in undefined behaviour.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) -> Undo {
        if self.ply < 2 {
            return self.play_first(mv);
        }
        self.make(mv, self.to_move)
    }

    /// Takes back `mv`, which must be the last move played and the one that `undo` came from.
    ///
    /// Top pieces and reserves are restored as a whole: a flattened wall stands again, and no opening rule matters.
    #[inline]
    pub fn unplay(&mut self, mv: Move, undo: Undo) {
        self.ply -= 1;
        self.to_move = !self.to_move;
        self.tops = undo.tops;
        self.reserves = undo.reserves;
        let square = mv.square();
        match mv.kind() {
            MoveKind::Place(_) => {
                self.colors[square.index()] = 0;
                self.heights[square.index()] = 0;
            }
            MoveKind::Spread(direction, pattern) => {
                let mut carried = 0;
                let mut target = square;
                for drop in pattern.drops() {
                    target = target.step(direction, 1);
                    let stack = &mut self.colors[target.index()];
                    carried = carried << drop.count | *stack & ((1 << drop.count) - 1);
                    *stack >>= drop.count;
                    self.heights[target.index()] -= drop.count as u8;
                }
                let lifted = pattern.lifted();
                self.colors[square.index()] = self.colors[square.index()] << lifted | carried;
                self.heights[square.index()] += lifted as u8;
            }
        }
    }

    /// Plays a player's first turn. A separate function, so that other turns need not check the opening rule.
    #[cold]
    fn play_first(&mut self, mv: Move) -> Undo {
        let key = self.opening_key();
        let undo = self.make(mv, self.opening.owner_of_first(self.to_move));
        self.tops.hash ^= key ^ self.opening_key();
        if self.ply == 1 && self.opening == OpeningRule::DoubleBlack {
            self.double(mv.square());
        }
        undo
    }

    /// Makes a move: a spread, or the placement of a piece of `owner`.
    #[inline]
    fn make(&mut self, mv: Move, owner: Color) -> Undo {
        let undo = Undo { tops: self.tops, reserves: self.reserves };
        match mv.kind() {
            MoveKind::Place(kind) => self.place(mv.square(), kind, owner),
            MoveKind::Spread(direction, pattern) => self.spread(mv.square(), direction, pattern),
        }
        self.pass_turn();
        self.ply += 1;
        undo
    }

    /// Makes a null move, which is not a legal move but needed by the search. A second call takes it back. The ply
    /// count does not change.
    #[inline]
    pub fn pass_turn(&mut self) {
        self.to_move = !self.to_move;
        self.tops.hash ^= BLACK_TO_MOVE;
    }

    #[inline]
    fn place(&mut self, square: Square, kind: PieceKind, owner: Color) {
        match kind {
            PieceKind::Cap => self.reserves[owner].caps -= 1,
            PieceKind::Flat | PieceKind::Wall => self.reserves[owner].stones -= 1,
        }
        self.colors[square.index()] = owner.index() as u128;
        self.heights[square.index()] = 1;
        self.show_top(square, owner, kind);
        self.tops.hash ^= stack_key(square, owner.index() as u128, 1, kind);
    }

    /// Places a second flat on that of White's first turn, if its owner has one.
    fn double(&mut self, square: Square) {
        let owner = self.top_color(square);
        if self.reserves[owner].stones == 0 {
            return;
        }
        self.tops.hash ^= self.key_at(square);
        self.reserves[owner].stones -= 1;
        self.colors[square.index()] |= (owner.index() as u128) << 1;
        self.heights[square.index()] = 2;
        self.show_top(square, owner, PieceKind::Flat);
        self.tops.hash ^= self.key_at(square);
    }

    /// Spreads a stack. A wall at the end is flattened: it becomes a flat, since only the top piece of a stack has a
    /// kind.
    #[inline]
    fn spread(&mut self, square: Square, direction: Direction, pattern: Pattern) {
        let lifted = pattern.lifted();
        let moving = self.top_kind(square);
        let mut hash = self.tops.hash ^ self.key_at(square);
        let source = &mut self.colors[square.index()];
        let carried = *source & ((1 << lifted) - 1);
        *source >>= lifted;
        self.heights[square.index()] -= lifted as u8;
        self.clear_top(square);
        if self.heights[square.index()] > 0 {
            self.show_top(square, self.top_color(square), PieceKind::Flat);
            hash ^= self.key_at(square);
        }
        let mut target = square;
        for drop in pattern.drops() {
            target = target.step(direction, 1);
            if self.heights[target.index()] > 0 {
                hash ^= self.key_at(target);
            }
            let dropped = carried >> drop.above & ((1 << drop.count) - 1);
            self.colors[target.index()] = self.colors[target.index()] << drop.count | dropped;
            self.heights[target.index()] += drop.count as u8;
            let kind = if drop.above == 0 { moving } else { PieceKind::Flat };
            // Flattens a wall, because the dropped piece becomes the top. `can_flatten` has checked that it is a single
            // capstone.
            self.clear_top(target);
            self.show_top(target, Color::from_bit(dropped as u8), kind);
            hash ^= self.key_at(target);
        }
        self.tops.hash = hash;
    }
}
