//! Legal moves: generating, counting and checking them.

use super::mv::{FLATTENINGS, SPREADS};
use super::{Bitboard, Color, Direction, Move, MoveKind, Pattern, PieceKind, Position, Square};

/// The reason why a move is illegal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// The game has ended.
    #[error("the game is over")]
    GameOver,
    /// The move begins beyond column or row N.
    #[error("square {0} is not on the board")]
    OffBoard(Square),
    /// First turns place a flat (except with [`OpeningRule::NoSwap`](super::OpeningRule::NoSwap)).
    #[error("each player's first turn places a flat (of the opponent's colour)")]
    Opening,
    /// A placement on a piece.
    #[error("square {0} is not empty")]
    Occupied(Square),
    /// The reserve of the player holds no such piece.
    #[error("{0} has no {name} left to place", name = match .1 { PieceKind::Cap => "capstone", _ => "stone" })]
    NoneLeft(Color, PieceKind),
    /// A spread from an empty square or an opponent's stack.
    #[error("{0} does not control {1}")]
    NotControlled(Color, Square),
    /// More pieces than the stack has.
    #[error("{lifted} pieces cannot be lifted from {square}, which has {height}")]
    TooFew {
        /// The stack.
        square: Square,
        /// Pieces on it.
        height: usize,
        /// Pieces the move lifts.
        lifted: usize,
    },
    /// More pieces than the board is wide.
    #[error("{lifted} pieces are over the carry limit of {limit}")]
    CarryLimit {
        /// Pieces the move lifts.
        lifted: usize,
        /// The board width.
        limit: usize,
    },
    /// More drops than squares up to the edge.
    #[error("the spread leaves the board")]
    OverEdge,
    /// A wall or capstone in the way.
    #[error("the piece on {0} blocks the spread")]
    Blocked(Square),
}

impl<const N: usize> Position<N> {
    /// Every legal move, placements first, in a fixed order; empty if the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        if self.outcome().is_none() {
            self.generate_moves(&mut moves);
        }
        moves
    }

    /// Appends the [`Position::legal_moves`] to `moves`, without checking that the game is not over: for callers that
    /// have checked this and reuse one list.
    pub fn generate_moves(&self, moves: &mut Vec<Move>) {
        self.placements(moves);
        if !self.is_opening() {
            self.spreads(moves);
        }
    }

    /// Appends every legal placement.
    pub fn placements(&self, moves: &mut Vec<Move>) {
        for (kind, allowed) in self.placeable() {
            if allowed {
                moves.extend(self.empty().into_iter().map(|square| Move::place(kind, square)));
            }
        }
    }

    /// Appends every spread, without checking for the first turns, in which spreads are illegal.
    pub fn spreads(&self, moves: &mut Vec<Move>) {
        for square in self.owned(self.to_move()) {
            self.spreads_from(square, moves);
        }
    }

    /// The same of the stack on `square` alone, which the player to move must control.
    pub fn spreads_from(&self, square: Square, moves: &mut Vec<Move>) {
        for direction in Direction::ALL {
            self.spreads_along(square, direction, moves);
        }
    }

    /// The same in one direction.
    #[inline]
    pub(crate) fn spreads_along(&self, square: Square, direction: Direction, moves: &mut Vec<Move>) {
        let height = self.height(square).min(N);
        let reach = self.reach(square, direction);
        let list = |bits: &u8| Pattern::from_bits(*bits).map(|pattern| Move::spread(square, direction, pattern));
        moves.extend(SPREADS[reach].up_to(height).iter().filter_map(list));
        if self.can_flatten(square, direction, reach) {
            moves.extend(FLATTENINGS[reach].up_to(height).iter().filter_map(list));
        }
    }

    /// The number of legal moves, without listing them.
    pub fn count_moves(&self) -> u64 {
        let kinds = self.placeable().iter().filter(|&&(_, allowed)| allowed).count();
        let placements = kinds as u64 * u64::from(self.empty().count());
        if self.is_opening() { placements } else { placements + self.count_spreads() }
    }

    fn count_spreads(&self) -> u64 {
        let own = self.owned(self.to_move());
        let free = Bitboard::board::<N>().without(self.blockers());
        let single = own.without(self.tall());
        // A single piece has one move to each free neighbour, so four shifts count all of them.
        let mut count: u64 = Direction::ALL.iter().map(|&d| u64::from((single.shift::<N>(d) & free).count())).sum();
        for square in own & self.tall() {
            let height = self.height(square).min(N);
            count += Direction::ALL
                .iter()
                .map(|&direction| SPREADS[self.reach(square, direction)].count(height))
                .sum::<u64>();
        }
        for square in own & self.caps() {
            let height = self.height(square).min(N);
            for direction in Direction::ALL {
                let reach = self.reach(square, direction);
                if self.can_flatten(square, direction, reach) {
                    count += FLATTENINGS[reach].count(height);
                }
            }
        }
        count
    }

    /// The kinds of pieces that the player to move may place.
    fn placeable(&self) -> [(PieceKind, bool); 3] {
        let free = !self.is_opening();
        let placed = if free { self.to_move() } else { !self.to_move() };
        let reserve = self.reserve(placed);
        [
            (PieceKind::Flat, reserve.stones > 0),
            (PieceKind::Wall, free && reserve.stones > 0),
            (PieceKind::Cap, free && reserve.caps > 0),
        ]
    }

    /// Squares a spread from `square` can cover in `direction` before a wall, a capstone or the edge: 0 to N - 1.
    #[inline]
    pub fn reach(&self, square: Square, direction: Direction) -> usize {
        // Counting zeros finds the nearest blocker on the line. It may find blockers beyond the edge (in other rows),
        // but these are never nearer than the edge, so the minimum is correct.
        const COLUMN_UP: u64 = 0x0101_0101_0101_0100;
        const COLUMN_DOWN: u64 = 0x0080_8080_8080_8080;
        let index = square.index();
        let blockers = self.blockers().0;
        match direction {
            Direction::North => {
                let nearest = (blockers >> index & COLUMN_UP).trailing_zeros() as usize / 8;
                (N - 1 - square.row().min(N - 1)).min(nearest.wrapping_sub(1))
            }
            Direction::South => {
                let nearest = (blockers << (63 - index) & COLUMN_DOWN).leading_zeros() as usize / 8;
                square.row().min(nearest.wrapping_sub(1))
            }
            Direction::East => {
                let nearest = (blockers >> index >> 1).trailing_zeros() as usize;
                (N - 1 - square.column().min(N - 1)).min(nearest)
            }
            Direction::West => {
                let nearest = (blockers << (63 - index) << 1).leading_zeros() as usize;
                square.column().min(nearest)
            }
        }
    }

    /// Returns whether a spread from `square` can flatten a wall.
    ///
    /// A capstone on top of the stack flattens a wall of either player with the last step of a spread and alone: the
    /// wall is just past the `reach` free squares in `direction`, and the last drop is one piece
    /// ([`Pattern::ends_single`](super::Pattern::ends_single)). The wall becomes a flat.
    #[inline]
    pub fn can_flatten(&self, square: Square, direction: Direction, reach: usize) -> bool {
        if !self.caps().contains(square) {
            return false;
        }
        let to_edge = match direction {
            Direction::North => N - 1 - square.row(),
            Direction::South => square.row(),
            Direction::East => N - 1 - square.column(),
            Direction::West => square.column(),
        };
        reach < to_edge && self.walls().contains(square.step(direction, reach + 1))
    }

    /// Checks that `mv` is legal.
    ///
    /// # Errors
    /// The reason why it is illegal.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        if self.outcome().is_some() {
            return Err(IllegalMove::GameOver);
        }
        self.check_by_the_board(mv)
    }

    /// Returns whether `mv` is legal, if the game is not over: sufficient for a table move.
    #[inline]
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        self.check_by_the_board(mv).is_ok()
    }

    fn check_by_the_board(&self, mv: Move) -> Result<(), IllegalMove> {
        let square = mv.square();
        if !Bitboard::board::<N>().contains(square) {
            return Err(IllegalMove::OffBoard(square));
        }
        match mv.kind() {
            MoveKind::Place(kind) => self.check_placement(square, kind),
            MoveKind::Spread(direction, pattern) => self.check_spread(square, direction, pattern),
        }
    }

    fn check_placement(&self, square: Square, kind: PieceKind) -> Result<(), IllegalMove> {
        if self.is_opening() && kind != PieceKind::Flat {
            return Err(IllegalMove::Opening);
        }
        if self.occupied().contains(square) {
            return Err(IllegalMove::Occupied(square));
        }
        let (_, allowed) = self.placeable()[kind as usize];
        if allowed { Ok(()) } else { Err(IllegalMove::NoneLeft(self.to_move(), kind)) }
    }

    fn check_spread(&self, square: Square, direction: Direction, pattern: Pattern) -> Result<(), IllegalMove> {
        if self.is_opening() {
            return Err(IllegalMove::Opening);
        }
        if !self.owned(self.to_move()).contains(square) {
            return Err(IllegalMove::NotControlled(self.to_move(), square));
        }
        let (height, lifted) = (self.height(square), pattern.lifted() as usize);
        if lifted > N {
            return Err(IllegalMove::CarryLimit { lifted, limit: N });
        }
        if lifted > height {
            return Err(IllegalMove::TooFew { square, height, lifted });
        }
        let reach = self.reach(square, direction);
        let squares = pattern.squares() as usize;
        let flattens = squares == reach + 1 && pattern.ends_single() && self.can_flatten(square, direction, reach);
        if squares <= reach || flattens {
            return Ok(());
        }
        // The reach ended at the edge, with no further square on the board, or before a blocker.
        let stop = square.step(direction, reach).bit().shift::<N>(direction);
        Err(stop.first().map_or(IllegalMove::OverEdge, IllegalMove::Blocked))
    }
}
