//! Conversion of unchecked data to a playable position.

use super::{ByColor, Color, Komi, OpeningRule, PieceKind, Reserve, Size, Square};

/// A stack of a [`Setup`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupStack {
    /// Any of a1 to h8: not checked against the board.
    pub square: Square,
    /// The colours of its pieces, bottom first; at least one.
    pub colors: Vec<Color>,
    /// All pieces below are flats.
    pub top: PieceKind,
}

/// The data of a position, unchecked.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{AnyPosition, Color, Komi, Setup};
///
/// let mut setup: Setup = "x3/x,12S,x/x3 1 5".parse()?;
/// // Not part of a TPS.
/// setup.komi = Komi::from_half(4)?;
/// setup.reserves[Color::Black].stones = 12;
/// let position = AnyPosition::from_setup(&setup)?;
/// assert_eq!(position.to_setup(), setup);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// The board.
    pub size: Size,
    /// All occupied squares, each once.
    pub stacks: Vec<SetupStack>,
    /// The player to move.
    pub to_move: Color,
    /// The number of the next move, 1 for the first of each player.
    pub move_number: u32,
    /// Points for Black.
    pub komi: Komi,
    /// The reserve of each player at the start.
    pub reserves: ByColor<Reserve>,
    /// The opening rule; irrelevant from move 2 on.
    pub opening: OpeningRule,
}

/// The reason why a [`Setup`] is not a playable position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// The setup is for another board.
    #[error("the position is {found}x{found}, expected {expected}x{expected}")]
    WrongSize {
        /// Width of the setup.
        found: Size,
        /// Expected width.
        expected: Size,
    },
    /// A stack beyond the last column or row.
    #[error("square {0} is not on the board")]
    OffBoard(Square),
    /// Two stacks on one square.
    #[error("square {0} is given twice")]
    Twice(Square),
    /// A stack with no piece in it.
    #[error("square {0} has a stack with no pieces")]
    EmptyStack(Square),
    /// More stones of a colour than it started with.
    #[error("{color} has {found} stones (flats and walls), the reserve is {reserve}")]
    TooManyStones {
        /// The player.
        color: Color,
        /// Stones on the board.
        found: usize,
        /// Stones at the start.
        reserve: u8,
    },
    /// More capstones of a colour than it started with.
    #[error("{color} has {found} capstones, the reserve is {reserve}")]
    TooManyCaps {
        /// The player.
        color: Color,
        /// Capstones on the board.
        found: usize,
        /// Capstones at the start.
        reserve: u8,
    },
    /// A reserve that the engine cannot hold.
    #[error(
        "{color} starts with {stones} stones and {caps} capstones, expected 1 to {max_stones} and 0 to {max_caps}",
        max_stones = Reserve::MAX_STONES,
        max_caps = Reserve::MAX_CAPS
    )]
    BadReserve {
        /// The player.
        color: Color,
        /// Stones asked for.
        stones: u8,
        /// Capstones asked for.
        caps: u8,
    },
    /// Move numbers start at 1.
    #[error("move number {0} is out of range, expected 1 to {max}", max = Setup::MAX_MOVE_NUMBER)]
    MoveNumber(u32),
    /// In move 1 the board can hold only the pieces that the opening allows.
    #[error("{color} to play move 1 needs {expected} (opening {opening})")]
    Opening {
        /// The player to move.
        color: Color,
        /// The expected pieces on the board or in reserve.
        expected: &'static str,
        /// The rule that expects them.
        opening: OpeningRule,
    },
}

impl SetupStack {
    /// The maximum height: all stones of both players, and a capstone on top.
    pub const MAX_HEIGHT: usize = 2 * Reserve::MAX_STONES as usize + 1;
}

impl Setup {
    /// The largest move number, so that counting from it cannot overflow. Longer games keep this number.
    pub const MAX_MOVE_NUMBER: u32 = 1_000_000;

    /// An empty board, White to play the first move, standard reserves, the usual opening.
    pub fn empty(size: Size, komi: Komi) -> Self {
        Self {
            size,
            stacks: Vec::new(),
            to_move: Color::White,
            move_number: 1,
            komi,
            reserves: ByColor([Reserve::standard(size); 2]),
            opening: OpeningRule::Swap,
        }
    }

    /// Checks that it can be played on a board of this size.
    pub(super) fn check(&self, expected: Size) -> Result<(), SetupError> {
        if self.size != expected {
            return Err(SetupError::WrongSize { found: self.size, expected });
        }
        self.check_reserves()?;
        if self.move_number == 0 || self.move_number > Self::MAX_MOVE_NUMBER {
            return Err(SetupError::MoveNumber(self.move_number));
        }
        self.check_stacks()?;
        self.check_opening()
    }

    fn check_reserves(&self) -> Result<(), SetupError> {
        for color in Color::ALL {
            let Reserve { stones, caps } = self.reserves[color];
            if stones == 0 || stones > Reserve::MAX_STONES || caps > Reserve::MAX_CAPS {
                return Err(SetupError::BadReserve { color, stones, caps });
            }
        }
        Ok(())
    }

    fn check_stacks(&self) -> Result<(), SetupError> {
        let width = self.size.width();
        let mut seen = 0u64;
        for stack in &self.stacks {
            let square = stack.square;
            if square.column() >= width || square.row() >= width {
                return Err(SetupError::OffBoard(square));
            }
            if seen & square.bit().0 != 0 {
                return Err(SetupError::Twice(square));
            }
            seen |= square.bit().0;
            if stack.colors.is_empty() {
                return Err(SetupError::EmptyStack(square));
            }
        }
        for color in Color::ALL {
            let (stones, caps) = self.placed(color);
            let reserve = self.reserves[color];
            if stones > usize::from(reserve.stones) {
                return Err(SetupError::TooManyStones { color, found: stones, reserve: reserve.stones });
            }
            if caps > usize::from(reserve.caps) {
                return Err(SetupError::TooManyCaps { color, found: caps, reserve: reserve.caps });
            }
        }
        Ok(())
    }

    /// The stones and the capstones of `color` on the board.
    pub(super) fn placed(&self, color: Color) -> (usize, usize) {
        let pieces = self.stacks.iter().flat_map(|stack| &stack.colors).filter(|&&c| c == color).count();
        let is_cap = |stack: &&SetupStack| stack.top == PieceKind::Cap && stack.colors.last() == Some(&color);
        let caps = self.stacks.iter().filter(is_cap).count();
        (pieces - caps, caps)
    }

    /// The opening rule that the board shows, which is possible only in move 1 with stones on the board; see
    /// [`Setup::opening_or`].
    pub fn shown_opening(&self) -> Option<OpeningRule> {
        let has_stones = self.move_number == 1 && !self.stacks.is_empty();
        has_stones.then(|| self.opening_or(OpeningRule::Swap))
    }

    /// `wanted`, unless the board shows that the game has another opening rule.
    ///
    /// One stack before Black's first turn shows the rule of White's. With other stones on the board in move 1 each
    /// player places a flat of the opponent's, unless `wanted` is [`OpeningRule::NoSwap`], a player has no flat left to
    /// be placed, or there are pieces of both colours: then the first turns are like later ones. A flat that is the only
    /// black piece before Black's first turn does not count, since White's first turn has placed it.
    pub fn opening_or(&self, wanted: OpeningRule) -> OpeningRule {
        let is_shown = |&rule: &OpeningRule| self.allows(rule) && (rule != OpeningRule::Swap || !self.is_mixed());
        if self.move_number != 1 || is_shown(&wanted) {
            return wanted;
        }
        OpeningRule::ALL.into_iter().find(is_shown).unwrap_or(wanted)
    }

    /// Returns whether this is move 1 with stones on the board that no first turn on the empty board can have placed.
    pub fn begins_with_stones(&self) -> bool {
        let is_second_turn = self.to_move == Color::Black;
        let may_follow = |rule| is_second_turn && self.can_follow_first_turn(rule);
        self.move_number == 1 && !self.stacks.is_empty() && !OpeningRule::ALL.into_iter().any(may_follow)
    }

    /// Returns whether there are pieces of both colours other than one black flat of White's first turn.
    fn is_mixed(&self) -> bool {
        let has = |color| self.placed(color) != (0, 0);
        let is_flat = |stack: &SetupStack| stack.colors == [Color::Black] && stack.top == PieceKind::Flat;
        let may_follow_swap =
            self.to_move == Color::Black && self.placed(Color::Black) == (1, 0) && self.stacks.iter().any(is_flat);
        Color::ALL.into_iter().all(has) && !may_follow_swap
    }

    /// Returns whether each player whose first turn is to come can place a flat of the other's.
    fn can_swap(&self) -> bool {
        let to_place = &Color::ALL[..2 - self.to_move.index()];
        to_place.iter().all(|&color| self.placed(color).0 < usize::from(self.reserves[color].stones))
    }

    /// Returns whether the next move places the double black stack.
    pub fn places_stack(&self) -> bool {
        let is_first = self.move_number == 1 && self.to_move == Color::White;
        is_first && self.opening == OpeningRule::DoubleBlack
    }

    fn can_follow_first_turn(&self, opening: OpeningRule) -> bool {
        let black_stones = self.reserves[Color::Black].stones;
        matches!(self.stacks.as_slice(), [stack] if opening.allows_first(stack, black_stones))
    }

    /// Returns whether this board of move 1 can be reached by first turns of the rule, or is one that a game with
    /// stones on the board begins with.
    fn allows(&self, opening: OpeningRule) -> bool {
        if self.begins_with_stones() {
            return match opening {
                OpeningRule::Swap => self.can_swap(),
                OpeningRule::NoSwap => true,
                OpeningRule::DoubleBlack => false,
            };
        }
        self.to_move == Color::White || self.can_follow_first_turn(opening)
    }

    fn check_opening(&self) -> Result<(), SetupError> {
        if self.move_number != 1 || self.allows(self.opening) {
            return Ok(());
        }
        let expected = match (self.opening, self.to_move) {
            (OpeningRule::Swap, Color::White) => "a flat of each colour left to place",
            (OpeningRule::Swap, Color::Black) if self.begins_with_stones() => "a white flat left to place",
            (_, Color::White) => "a board with nothing on it",
            (opening, Color::Black) => opening.first(),
        };
        Err(SetupError::Opening { color: self.to_move, expected, opening: self.opening })
    }
}

impl OpeningRule {
    /// Returns whether White's first turn can result in these pieces, if Black starts with `black_stones`.
    fn allows_first(self, stack: &SetupStack, black_stones: u8) -> bool {
        let colors = stack.colors.as_slice();
        match self {
            Self::Swap => colors == [Color::Black] && stack.top == PieceKind::Flat,
            Self::NoSwap => colors == [Color::White],
            Self::DoubleBlack => {
                colors.len() == usize::from(black_stones.min(2))
                    && colors.iter().all(|&color| color == Color::Black)
                    && stack.top == PieceKind::Flat
            }
        }
    }
}
