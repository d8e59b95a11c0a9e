//! The position: pieces, reserves and the player to move. `making` plays and takes back moves.

mod making;

pub use making::Undo;

use super::zobrist::{BLACK_TO_MOVE, opening_key, settings_key, stack_key};
use super::{Bitboard, ByColor, Color, Komi, OpeningRule, PieceKind, Reserve, Setup, SetupError, Size, Square};

/// A Tak position on a board of width `N` (3 to 8).
///
/// Stacks are stored as colour bits (bit 0 is the top piece, 1 is Black) with a height, and the top pieces also as
/// bitboards, since nearly all code needs only them. Moves are made in place and taken back with the returned [`Undo`].
///
/// Its `Display` is a TPS, which contains neither komi nor reserves nor the opening rule; [`Position::to_setup`] does.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Color, Komi, Position};
///
/// let mut position: Position<5> = "x5/x5/x2,12C,x2/x5/2,x4 1 5".parse()?;
/// assert_eq!(position.caps().count(), 1);
/// assert_eq!(position.reserve(Color::Black).caps, 0);
/// // The fastest way to play moves: without checks or copies.
/// let before = position.clone();
/// let mut moves = Vec::new();
/// position.generate_moves(&mut moves);
/// for mv in moves {
///     let undo = position.play_unchecked(mv);
///     position.unplay(mv, undo);
/// }
/// assert_eq!(position, before);
///
/// let start = Position::<5>::start(Komi::from_half(4)?);
/// assert_eq!(start.to_string().parse::<Position<5>>()?.komi(), Komi::ZERO);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position<const N: usize> {
    colors: [u128; 64],
    heights: [u8; 64],
    tops: Tops,
    reserves: ByColor<Reserve>,
    start_reserves: ByColor<Reserve>,
    komi: Komi,
    opening: OpeningRule,
    to_move: Color,
    ply: u32,
}

/// Top pieces of all squares and the Zobrist hash, which undo restores by copying.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tops {
    owned: ByColor<Bitboard>,
    walls: Bitboard,
    caps: Bitboard,
    /// Stacks of two or more pieces, so that moves of single pieces can be counted all at once.
    tall: Bitboard,
    hash: u64,
}

impl<const N: usize> Position<N> {
    /// The size of this board. Fails to compile for widths other than 3 to 8.
    pub const SIZE: Size = match Size::new(N as u64) {
        Ok(size) => size,
        Err(_) => panic!("boards are 3 to 8 squares wide"),
    };

    /// The empty board with standard reserves and the usual opening.
    pub fn start(komi: Komi) -> Self {
        Self::start_with(komi, OpeningRule::Swap)
    }

    /// The empty board with standard reserves and this opening.
    pub fn start_with(komi: Komi, opening: OpeningRule) -> Self {
        Self::from_checked_setup(&Setup { opening, ..Setup::empty(Self::SIZE, komi) })
    }

    pub(super) fn from_checked_setup(setup: &Setup) -> Self {
        let mut position = Self {
            colors: [0; 64],
            heights: [0; 64],
            tops: Tops {
                owned: ByColor::default(),
                walls: Bitboard::EMPTY,
                caps: Bitboard::EMPTY,
                tall: Bitboard::EMPTY,
                hash: 0,
            },
            reserves: setup.reserves,
            start_reserves: setup.reserves,
            komi: setup.komi,
            opening: setup.opening,
            to_move: setup.to_move,
            ply: 2 * (setup.move_number - 1) + setup.to_move.index() as u32,
        };
        for stack in &setup.stacks {
            let square = stack.square;
            for &color in &stack.colors {
                position.colors[square.index()] = position.colors[square.index()] << 1 | color.index() as u128;
            }
            let owner = position.top_color(square);
            position.heights[square.index()] = stack.colors.len() as u8;
            position.show_top(square, owner, stack.top);
        }
        for color in Color::ALL {
            let (stones, caps) = setup.placed(color);
            position.reserves[color].stones -= stones as u8;
            position.reserves[color].caps -= caps as u8;
        }
        position.tops.hash = position.fresh_hash();
        position
    }

    /// The colour of the top piece of a stack.
    fn top_color(&self, square: Square) -> Color {
        self.color_at(square, 0)
    }

    /// The unchecked data of this position; [`Setup::position`] converts it back.
    pub fn to_setup(&self) -> Setup {
        let stacks = self.occupied().into_iter().map(|square| super::SetupStack {
            square,
            colors: (0..self.height(square)).rev().map(|depth| self.color_at(square, depth)).collect(),
            top: self.top_kind(square),
        });
        Setup {
            size: Self::SIZE,
            stacks: stacks.collect(),
            to_move: self.to_move,
            move_number: self.move_number(),
            komi: self.komi,
            reserves: self.start_reserves,
            opening: self.opening,
        }
    }

    // ---- pieces ----

    /// Squares whose top piece belongs to `color`.
    #[inline]
    pub fn owned(&self, color: Color) -> Bitboard {
        self.tops.owned[color]
    }

    /// Squares with any piece.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.tops.owned[Color::White] | self.tops.owned[Color::Black]
    }

    /// Squares of the board without a piece.
    #[inline]
    pub fn empty(&self) -> Bitboard {
        Bitboard::board::<N>().without(self.occupied())
    }

    /// Walls of both players.
    #[inline]
    pub fn walls(&self) -> Bitboard {
        self.tops.walls
    }

    /// Capstones of both players.
    #[inline]
    pub fn caps(&self) -> Bitboard {
        self.tops.caps
    }

    /// Walls and capstones, which a spread cannot cover.
    #[inline]
    pub fn blockers(&self) -> Bitboard {
        self.tops.walls | self.tops.caps
    }

    /// Squares topped by a flat of `color`, which count at the end.
    #[inline]
    pub fn flats(&self, color: Color) -> Bitboard {
        self.tops.owned[color].without(self.blockers())
    }

    /// Squares topped by a flat or capstone of `color`, which form roads.
    #[inline]
    pub fn road_pieces(&self, color: Color) -> Bitboard {
        self.tops.owned[color].without(self.tops.walls)
    }

    /// Squares with two or more pieces.
    #[inline]
    pub fn tall(&self) -> Bitboard {
        self.tops.tall
    }

    /// Pieces on `square`, 0 to [`SetupStack::MAX_HEIGHT`](super::SetupStack::MAX_HEIGHT).
    #[inline]
    pub fn height(&self, square: Square) -> usize {
        usize::from(self.heights[square.index()])
    }

    /// The colours on `square`: bit 0 is the top piece, 1 means Black, bits above the height are 0.
    #[inline]
    pub fn color_bits(&self, square: Square) -> u128 {
        self.colors[square.index()]
    }

    /// The colour of the piece with `depth` pieces above it; `depth` must be less than the height of the stack.
    #[inline]
    pub fn color_at(&self, square: Square, depth: usize) -> Color {
        Color::from_bit((self.colors[square.index()] >> depth) as u8)
    }

    /// The kind of the top piece; a flat for an empty square.
    #[inline]
    pub fn top_kind(&self, square: Square) -> PieceKind {
        if self.tops.walls.contains(square) {
            PieceKind::Wall
        } else if self.tops.caps.contains(square) {
            PieceKind::Cap
        } else {
            PieceKind::Flat
        }
    }

    /// The owner and kind of the top piece, if there is one.
    pub fn top(&self, square: Square) -> Option<(Color, PieceKind)> {
        Color::ALL
            .into_iter()
            .find(|&color| self.owned(color).contains(square))
            .map(|color| (color, self.top_kind(square)))
    }

    /// The pieces that `color` has not placed yet.
    #[inline]
    pub fn reserve(&self, color: Color) -> Reserve {
        self.reserves[color]
    }

    /// The smaller of the two remaining reserves.
    #[inline]
    pub fn min_reserve(&self) -> usize {
        let [white, black] = self.reserves.0;
        usize::from(white.total().min(black.total()))
    }

    /// The reserve of each player at the start.
    pub fn start_reserves(&self) -> ByColor<Reserve> {
        self.start_reserves
    }

    /// Points added to Black's flats.
    #[inline]
    pub fn komi(&self) -> Komi {
        self.komi
    }

    /// The player to move.
    #[inline]
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// Half-moves played since the start.
    #[inline]
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// The number of the next move as in TPS and PTN: 1 for each player's first. Limited to the largest number of a
    /// [`Setup`], so that every position can be set up again.
    pub fn move_number(&self) -> u32 {
        (self.ply / 2 + 1).min(Setup::MAX_MOVE_NUMBER)
    }

    /// The rule for each player's first turn.
    pub fn opening(&self) -> OpeningRule {
        self.opening
    }

    /// Returns whether the player to move can only place a flat of the opponent's colour (or two, see [`OpeningRule`]).
    #[inline]
    pub fn is_opening(&self) -> bool {
        self.ply < 2 && self.opening != OpeningRule::NoSwap
    }

    /// A 64-bit hash of the board, the player to move, komi, starting reserves, the opening rule, and the number of the
    /// first turn, if it places a piece of the opponent's.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.tops.hash
    }

    /// The hash computed from scratch, for comparison with [`Position::hash`].
    pub(super) fn fresh_hash(&self) -> u64 {
        let [white, black] = self.start_reserves.0;
        let settings =
            settings_key(N, self.komi.half(), [white.stones, white.caps, black.stones, black.caps], self.opening);
        let side = if self.to_move == Color::Black { BLACK_TO_MOVE } else { 0 };
        self.occupied()
            .into_iter()
            .fold(settings ^ side ^ self.opening_key(), |hash, square| hash ^ self.key_at(square))
    }

    /// The part of the hash for a first turn. Without a swap its moves are those of a later turn with the same board,
    /// which may recur, so this part is 0.
    pub(super) fn opening_key(&self) -> u64 {
        if self.is_opening() { opening_key(self.ply) } else { 0 }
    }

    /// Removes `square` from the bitboards.
    #[inline]
    fn clear_top(&mut self, square: Square) {
        let others = !square.bit();
        self.tops.owned[Color::White] &= others;
        self.tops.owned[Color::Black] &= others;
        self.tops.walls &= others;
        self.tops.caps &= others;
        self.tops.tall &= others;
    }

    /// Adds `square`, with its updated height, to the bitboards, which must not contain it.
    #[inline]
    fn show_top(&mut self, square: Square, owner: Color, kind: PieceKind) {
        let bit = square.bit();
        self.tops.owned[owner] |= bit;
        match kind {
            PieceKind::Flat => {}
            PieceKind::Wall => self.tops.walls |= bit,
            PieceKind::Cap => self.tops.caps |= bit,
        }
        if self.heights[square.index()] > 1 {
            self.tops.tall |= bit;
        }
    }

    /// The hash key of a square that is not empty.
    #[inline]
    fn key_at(&self, square: Square) -> u64 {
        stack_key(square, self.colors[square.index()], self.heights[square.index()], self.top_kind(square))
    }
}

impl Setup {
    /// The position of this setup on a board of width `N`.
    ///
    /// # Errors
    /// The first [`SetupError`] found.
    pub fn position<const N: usize>(&self) -> Result<Position<N>, SetupError> {
        self.check(Position::<N>::SIZE)?;
        Ok(Position::from_checked_setup(self))
    }
}
