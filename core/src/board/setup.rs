//! Conversion of unchecked data to a playable position.

use super::{ByColor, Color, Komi, OpeningRule, PieceKind, Reserve, Size, Square};

/// A stack of a [`Setup`].
///
/// ```
/// use tak_engine::board::{Color, PieceKind, Setup};
///
/// let setup: Setup = "x3/x,12S,x/x3 1 5".parse()?;
/// let stack = &setup.stacks[0];
/// assert_eq!(stack.colors, [Color::White, Color::Black]);
/// assert_eq!((stack.square.to_string(), stack.top), ("b2".into(), PieceKind::Wall));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetupStack {
    /// Its square.
    pub square: Square,
    /// The colours of its pieces, bottom first; at least one.
    pub colors: Vec<Color>,
    /// The kind of its top piece.
    pub top: PieceKind,
}

/// The data of a position, unchecked.
///
/// ```
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
///
/// ```
/// use tak_engine::board::{AnyPosition, Setup};
///
/// let setup: Setup = "x3/x,12C,x/x3 1 5".parse()?;
/// let error = AnyPosition::from_setup(&setup).unwrap_err();
/// assert_eq!(error.to_string(), "Black has 1 capstones, the reserve is 0");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// A square that is not on the board.
    #[error("square {0} is not on the board")]
    OffBoard(Square),
    /// Two stacks on one square.
    #[error("square {0} is given twice")]
    Twice(Square),
    /// A stack with no piece in it.
    #[error("square {0} has a stack with no pieces")]
    EmptyStack(Square),
    /// More stones of a colour than it started with.
    #[error("{color} has {found} flats, the reserve is {reserve}")]
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
    #[error("{color} to play move 1 needs a board with {expected} (opening {opening})")]
    Opening {
        /// The player to move.
        color: Color,
        /// The expected pieces on the board.
        expected: &'static str,
        /// The opening rule.
        opening: OpeningRule,
    },
}

impl Setup {
    /// The largest move number, so that counting from it cannot overflow. Longer games keep this number.
    pub const MAX_MOVE_NUMBER: u32 = 1_000_000;

    /// An empty board, White to play the first move, standard reserves, the usual opening.
    #[must_use]
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
            let pieces = self.stacks.iter().flat_map(|s| &s.colors).filter(|&&c| c == color).count();
            let caps =
                self.stacks.iter().filter(|s| s.top == PieceKind::Cap && s.colors.last() == Some(&color)).count();
            let reserve = self.reserves[color];
            if pieces - caps > usize::from(reserve.stones) {
                return Err(SetupError::TooManyStones { color, found: pieces - caps, reserve: reserve.stones });
            }
            if caps > usize::from(reserve.caps) {
                return Err(SetupError::TooManyCaps { color, found: caps, reserve: reserve.caps });
            }
        }
        Ok(())
    }

    /// The opening rule that the board shows, which is possible only in move 1 with stones on the board; see
    /// [`Setup::opening_or`].
    #[must_use]
    pub fn shown_opening(&self) -> Option<OpeningRule> {
        let has_stones = self.move_number == 1 && !self.stacks.is_empty();
        has_stones.then(|| self.opening_or(OpeningRule::Swap))
    }

    /// The opening rule that the board shows, `wanted` if it shows none.
    ///
    /// One stack before Black's first turn shows the rule of White's. With other stones on the board in move 1 and
    /// pieces of both colours among them, the first turns are like later ones. With pieces of one colour each player
    /// places a flat of the opponent's, unless `wanted` is [`OpeningRule::NoSwap`] or a player has no flat left to be
    /// placed.
    #[must_use]
    pub fn opening_or(&self, wanted: OpeningRule) -> OpeningRule {
        if !self.begins_with_stones() {
            return self.opening_of_first_turn().unwrap_or(wanted);
        }
        let has = |color| self.stacks.iter().any(|stack| stack.colors.contains(&color));
        if wanted == OpeningRule::NoSwap || Color::ALL.into_iter().all(has) || !self.can_swap() {
            OpeningRule::NoSwap
        } else {
            OpeningRule::Swap
        }
    }

    /// Returns whether this is move 1 with stones on the board that no first turn can have placed.
    #[must_use]
    pub fn begins_with_stones(&self) -> bool {
        self.move_number == 1 && !self.stacks.is_empty() && self.opening_of_first_turn().is_none()
    }

    /// The opening rule whose first turn by White results in this board.
    fn opening_of_first_turn(&self) -> Option<OpeningRule> {
        let is_second_turn = self.move_number == 1 && self.to_move == Color::Black;
        OpeningRule::ALL.into_iter().find(|&opening| is_second_turn && self.can_follow_first_turn(opening))
    }

    /// Returns whether both players have a flat left that the other can place.
    fn can_swap(&self) -> bool {
        Color::ALL.into_iter().all(|color| {
            let stones = self.stacks.iter().map(|stack| {
                let is_cap = stack.top == PieceKind::Cap && stack.colors.last() == Some(&color);
                stack.colors.iter().filter(|&&c| c == color).count() - usize::from(is_cap)
            });
            stones.sum::<usize>() < usize::from(self.reserves[color].stones)
        })
    }

    /// Returns whether the next move places the double black stack.
    #[must_use]
    pub fn places_stack(&self) -> bool {
        let is_first = self.move_number == 1 && self.to_move == Color::White;
        is_first && self.opening == OpeningRule::DoubleBlack
    }

    fn can_follow_first_turn(&self, opening: OpeningRule) -> bool {
        let black_stones = self.reserves[Color::Black].stones;
        matches!(self.stacks.as_slice(), [stack] if opening.allows_first(stack, black_stones))
    }

    /// Checks that a board of move 1 can be reached by the first turns of its opening rule, or is one that a game with
    /// stones on the board begins with.
    fn check_opening(&self) -> Result<(), SetupError> {
        if self.move_number != 1 {
            return Ok(());
        }
        let fits = if self.begins_with_stones() {
            match self.opening {
                OpeningRule::Swap => self.can_swap(),
                OpeningRule::NoSwap => true,
                OpeningRule::DoubleBlack => false,
            }
        } else {
            self.to_move == Color::White || self.can_follow_first_turn(self.opening)
        };
        let expected = if self.to_move == Color::White { "nothing on it" } else { self.opening.first() };
        if fits { Ok(()) } else { Err(SetupError::Opening { color: self.to_move, expected, opening: self.opening }) }
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
