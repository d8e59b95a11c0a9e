//! The eight symmetries of the board, and the exchange of the players.

use super::{AnyPosition, ByColor, Color, Direction, Komi, Move, MoveKind, Setup, SetupStack, Size, Square};

/// A rotation or reflection of the board.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Move, Size, Symmetry};
///
/// let mv: Move = "2a1>11".parse()?;
/// let images = Symmetry::ALL.map(|symmetry| symmetry.mv(mv, Size::ALL[2]).to_string());
/// assert_eq!(images[0], "2a1>11");
/// assert!(images.contains(&"2e5-11".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Symmetry {
    transpose: bool,
    flip_columns: bool,
    flip_rows: bool,
}

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Self; 8] = {
        let mut all = [Self { transpose: false, flip_columns: false, flip_rows: false }; 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Self { transpose: i & 4 != 0, flip_columns: i & 1 != 0, flip_rows: i & 2 != 0 };
            i += 1;
        }
        all
    };

    /// The symmetry that turns the board back.
    #[must_use]
    pub const fn inverse(self) -> Self {
        // Columns become rows, and so do the edges at which they are flipped.
        if self.transpose { Self { flip_columns: self.flip_rows, flip_rows: self.flip_columns, ..self } } else { self }
    }

    /// The image of `square` on a board of this size.
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

    /// The image of `direction`.
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
    pub const fn mv(self, mv: Move, size: Size) -> Move {
        let square = self.square(mv.square(), size);
        match mv.kind() {
            MoveKind::Place(kind) => Move::place(kind, square),
            MoveKind::Spread(direction, pattern) => Move::spread(square, self.direction(direction), pattern),
        }
    }
}

impl Square {
    /// The class of this square on an NxN board. Squares that a symmetry maps onto each other have the same class. 0 is
    /// a corner, and there are at most ten classes (7x7 and 8x8).
    #[inline]
    pub fn class<const N: usize>(self) -> usize {
        let classes = const { &square_classes::<N>() };
        usize::from(classes[self.index()])
    }
}

const fn square_classes<const N: usize>() -> [u8; 64] {
    let mut classes = [0; 64];
    let mut index = 0;
    while index < N * N {
        let (column, row) = (index % N, index / N);
        let from_edge = [
            if column < N - 1 - column { column } else { N - 1 - column },
            if row < N - 1 - row { row } else { N - 1 - row },
        ];
        let (low, high) =
            if from_edge[0] < from_edge[1] { (from_edge[0], from_edge[1]) } else { (from_edge[1], from_edge[0]) };
        classes[row * 8 + column] = (high * (high + 1) / 2 + low) as u8;
        index += 1;
    }
    classes
}

impl AnyPosition {
    /// The symmetries that leave this position as it is, the identity first: they turn its moves into equally good ones.
    /// Most positions after the first moves have the identity alone.
    pub fn symmetries(&self) -> Vec<Symmetry> {
        let setup = self.to_setup();
        let mut board = [const { None }; 64];
        for stack in &setup.stacks {
            board[stack.square.index()] = Some((&stack.colors, stack.top));
        }
        let leaves = |symmetry: &Symmetry| {
            let image = |square| board[symmetry.square(square, setup.size).index()];
            setup.stacks.iter().all(|stack| image(stack.square) == Some((&stack.colors, stack.top)))
        };
        Symmetry::ALL.into_iter().filter(leaves).collect()
    }
}

impl Setup {
    /// This setup rotated or reflected.
    #[must_use]
    pub fn transformed(&self, symmetry: Symmetry) -> Self {
        let stacks = self
            .stacks
            .iter()
            .map(|stack| SetupStack { square: symmetry.square(stack.square, self.size), ..stack.clone() })
            .collect();
        Self { stacks, ..self.clone() }
    }

    /// This setup with White and Black exchanged, including komi and reserves. From move 2 on both have the same value.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn classes_are_the_orbits<const N: usize>() {
        let size = Size::new(N as u64).unwrap();
        let squares = || (0..N * N).map(|index| Square::new(index % N, index / N));
        for (a, b) in squares().flat_map(|a| squares().map(move |b| (a, b))) {
            let related = Symmetry::ALL.iter().any(|turn| turn.square(a, size) == b);
            assert_eq!(a.class::<N>() == b.class::<N>(), related, "{a} {b} {N}");
        }
        let kinds = N.div_ceil(2) * (N.div_ceil(2) + 1) / 2;
        assert!(squares().all(|square| square.class::<N>() < kinds));
    }

    #[test]
    fn inverses_turn_back() {
        let mv: Move = "2a2>11".parse().unwrap();
        for symmetry in Symmetry::ALL {
            assert_eq!(symmetry.inverse().mv(symmetry.mv(mv, Size::FIVE), Size::FIVE), mv, "{symmetry:?}");
        }
    }

    #[test]
    fn classes_are_orbits_of_the_symmetries() {
        classes_are_the_orbits::<3>();
        classes_are_the_orbits::<4>();
        classes_are_the_orbits::<5>();
        classes_are_the_orbits::<6>();
        classes_are_the_orbits::<7>();
        classes_are_the_orbits::<8>();
    }
}
