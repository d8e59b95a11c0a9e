//! The eight symmetries of the board, and the exchange of the players.

use super::{ByColor, Color, Direction, Komi, Move, MoveKind, Setup, SetupStack, Size, Square};

/// A rotation or reflection of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    flip_columns: bool,
    flip_rows: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = {
        let mut all = [Self {
            transpose: false,
            flip_columns: false,
            flip_rows: false,
        }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Self {
                transpose: i & 4 != 0,
                flip_columns: i & 1 != 0,
                flip_rows: i & 2 != 0,
            };
            i += 1;
        }
        all
    };

    /// Where `square` of a board of this size goes.
    #[must_use]
    pub const fn square(self, square: Square, size: Size) -> Square {
        let last = size.width() - 1;
        let (mut column, mut row) = (square.column(), square.row());
        if self.transpose {
            (column, row) = (row, column);
        }
        if self.flip_columns {
            column = last - column;
        }
        if self.flip_rows {
            row = last - row;
        }
        Square::new(column, row)
    }

    /// Where `direction` goes.
    #[must_use]
    pub const fn direction(self, direction: Direction) -> Direction {
        use Direction::{East, North, South, West};
        let turned = match (self.transpose, direction) {
            (false, same) => same,
            (true, North) => East,
            (true, East) => North,
            (true, South) => West,
            (true, West) => South,
        };
        match turned {
            East if self.flip_columns => West,
            West if self.flip_columns => East,
            North if self.flip_rows => South,
            South if self.flip_rows => North,
            same => same,
        }
    }

    /// The same move on the transformed board.
    #[must_use]
    pub const fn mv(self, mv: Move, size: Size) -> Move {
        let square = self.square(mv.square(), size);
        match mv.kind() {
            MoveKind::Place(kind) => Move::place(kind, square),
            MoveKind::Spread(direction, pattern) => {
                Move::spread(square, self.direction(direction), pattern)
            }
        }
    }
}

impl Setup {
    /// This setup turned or mirrored.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let stacks = self
            .stacks
            .iter()
            .map(|stack| SetupStack {
                square: symmetry.square(stack.square, self.size),
                ..stack.clone()
            })
            .collect();
        Self {
            stacks,
            ..self.clone()
        }
    }

    /// This setup with White and Black exchanged, komi and reserves included. From move 2 on the two are worth the
    /// same to their players.
    #[must_use]
    pub fn colors_swapped(&self) -> Self {
        let swap = |stack: &SetupStack| SetupStack {
            colors: stack.colors.iter().map(|&color| !color).collect(),
            ..stack.clone()
        };
        Self {
            stacks: self.stacks.iter().map(swap).collect(),
            to_move: !self.to_move,
            komi: Komi::from_half(-i64::from(self.komi.half())).unwrap_or(self.komi),
            reserves: ByColor([self.reserves[Color::Black], self.reserves[Color::White]]),
            ..self.clone()
        }
    }
}
