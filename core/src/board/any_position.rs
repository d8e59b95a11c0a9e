//! The one place where a run-time size becomes a compile-time one.

use super::{
    ByColor, Color, IllegalMove, Inconsistent, Komi, Move, OpeningRule, Outcome, PieceKind, Position, Reserve, Setup,
    SetupError, Size, Square, Undo,
};

/// A position of any size.
///
/// Its `Display` is a TPS, which contains neither komi nor reserves nor the opening rule; positions that differ in them
/// are not equal. [`AnyPosition::to_setup`] and the PTN of a [`Game`](super::Game) contain everything.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{AnyPosition, Komi, Size};
///
/// let mut position: AnyPosition = "x3/1,1,x/2,2,x 1 3".parse()?;
/// assert_eq!(position.size().width(), 3);
/// let mv = position.winning_move(position.to_move()).unwrap();
/// let undo = position.play(mv)?;
/// assert_eq!(position.outcome().unwrap().to_string(), "R-0");
/// assert!(position.legal_moves().is_empty());
/// position.unplay(mv, undo);
///
/// let start = AnyPosition::start(Size::new(3)?, Komi::from_half(4)?);
/// let read_back: AnyPosition = start.to_string().parse()?;
/// assert_eq!((start.komi().half(), read_back.komi().half()), (4, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AnyPosition {
    S3(Position<3>),
    S4(Position<4>),
    S5(Position<5>),
    S6(Position<6>),
    S7(Position<7>),
    S8(Position<8>),
}

/// Evaluates an expression with the `Position<N>` inside an [`AnyPosition`](crate::board::AnyPosition).
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{AnyPosition, Komi, Size, with_position};
///
/// let any = AnyPosition::start(Size::FIVE, Komi::ZERO);
/// assert_eq!(with_position!(&any, position => position.empty().count()), 25);
/// ```
#[macro_export]
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            $crate::board::AnyPosition::S3($position) => $body,
            $crate::board::AnyPosition::S4($position) => $body,
            $crate::board::AnyPosition::S5($position) => $body,
            $crate::board::AnyPosition::S6($position) => $body,
            $crate::board::AnyPosition::S7($position) => $body,
            $crate::board::AnyPosition::S8($position) => $body,
        }
    };
}
pub use with_position;

/// Methods that do the same as those of [`Position`].
macro_rules! forward {
    ($($(#[$meta:meta])* fn $name:ident(&self $(, $arg:ident: $kind:ty)*) -> $output:ty;)+) => {
        impl AnyPosition {
            $(
                $(#[$meta])*
                pub fn $name(&self $(, $arg: $kind)*) -> $output {
                    with_position!(self, p => p.$name($($arg),*))
                }
            )+
        }
    };
}

forward! {
    /// The unchecked data of this position.
    fn to_setup(&self) -> Setup;
    /// The player to move.
    fn to_move(&self) -> Color;
    /// Half-moves played since the start.
    fn ply(&self) -> u32;
    /// The number of the move to be played, see [`Position::move_number`].
    fn move_number(&self) -> u32;
    /// The number of pieces on a square of this board.
    fn height(&self, square: Square) -> usize;
    /// The owner and kind of the top piece on a square of this board; `None` if it is empty.
    fn top(&self, square: Square) -> Option<(Color, PieceKind)>;
    /// The colour of the piece `depth` below the top of a square of this board, which must be that high, see
    /// [`Position::color_at`].
    fn color_at(&self, square: Square, depth: usize) -> Color;
    /// Komi of this game.
    fn komi(&self) -> Komi;
    /// The rule for each player's first turn.
    fn opening(&self) -> OpeningRule;
    /// The reserve of each player at the start.
    fn start_reserves(&self) -> ByColor<Reserve>;
    /// The hash of the position.
    fn hash(&self) -> u64;
    /// The result if the game is over by the rules.
    fn outcome(&self) -> Option<Outcome>;
    /// The squares of a shortest road of the winner, see [`Position::winning_road`].
    fn winning_road(&self) -> Vec<Square>;
    /// Every legal move, see [`Position::legal_moves`].
    fn legal_moves(&self) -> Vec<Move>;
    /// A move that completes a road of `color`, see [`Position::winning_move`].
    fn winning_move(&self, color: Color) -> Option<Move>;
}

impl AnyPosition {
    /// The empty board of this size with standard reserves and the usual opening.
    pub fn start(size: Size, komi: Komi) -> Self {
        Self::start_with(size, komi, OpeningRule::Swap)
    }

    /// The empty board of this size with standard reserves and this opening.
    pub fn start_with(size: Size, komi: Komi, opening: OpeningRule) -> Self {
        Self::from_checked_setup(&Setup { opening, ..Setup::empty(size, komi) })
    }

    /// A position of the setup's own size.
    ///
    /// # Errors
    /// The first thing that makes the setup unplayable.
    pub fn from_setup(setup: &Setup) -> Result<Self, SetupError> {
        setup.check(setup.size)?;
        Ok(Self::from_checked_setup(setup))
    }

    fn from_checked_setup(setup: &Setup) -> Self {
        match setup.size.width() {
            3 => Self::S3(Position::from_checked_setup(setup)),
            4 => Self::S4(Position::from_checked_setup(setup)),
            5 => Self::S5(Position::from_checked_setup(setup)),
            6 => Self::S6(Position::from_checked_setup(setup)),
            7 => Self::S7(Position::from_checked_setup(setup)),
            _ => Self::S8(Position::from_checked_setup(setup)),
        }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        const fn size_of<const N: usize>(_: &Position<N>) -> Size {
            Position::<N>::SIZE
        }
        with_position!(self, p => size_of(p))
    }

    /// The remaining reserve of each player.
    pub fn reserves(&self) -> ByColor<Reserve> {
        with_position!(self, p => ByColor(Color::ALL.map(|color| p.reserve(color))))
    }

    /// Flats on top of `color`, without komi.
    pub fn flat_count(&self, color: Color) -> u32 {
        with_position!(self, p => p.flats(color).count())
    }

    /// Checks that `mv` is legal.
    ///
    /// # Errors
    /// The reason why it is illegal.
    pub fn check_legal(&self, mv: Move) -> Result<(), IllegalMove> {
        with_position!(self, p => p.check_legal(mv))
    }

    /// Plays a move.
    ///
    /// # Errors
    /// The reason why the move is illegal; the position is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<Undo, IllegalMove> {
        with_position!(self, p => p.play(mv))
    }

    /// Plays a move that is known to be legal, see [`Position::play_unchecked`].
    pub fn play_unchecked(&mut self, mv: Move) -> Undo {
        with_position!(self, p => p.play_unchecked(mv))
    }

    /// Takes back `mv`, which must be the last move played and the one that `undo` came from.
    pub fn unplay(&mut self, mv: Move, undo: Undo) {
        with_position!(self, p => p.unplay(mv, undo));
    }

    /// Counts move sequences of `depth` plies, see [`Position::perft`].
    pub fn perft(&mut self, depth: u32) -> u64 {
        with_position!(self, p => p.perft(depth))
    }

    /// Recomputes every incremental field and compares, see [`Position::validate`].
    ///
    /// # Errors
    /// Names the first field that is wrong.
    pub fn validate(&self) -> Result<(), Inconsistent> {
        with_position!(self, p => p.validate())
    }
}
