//! An independent solver for 3x3: the rules on an array of stacks, and a full-width search. It shares no code with the
//! engine.

use std::cmp::Reverse;
use std::collections::HashMap;

/// The squares of the board.
const SQUARES: usize = 9;

/// A player, as the bit of their pieces in a stack.
pub const WHITE: usize = 0;
pub const BLACK: usize = 1;

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The player has a road.
    Road(usize),
    /// The board is full or a reserve is empty; White's flats minus Black's, komi not counted.
    Flats(i32),
}

/// A stack from the bottom up, one bit a piece behind a leading one: 1 is an empty square.
type Stack = u32;

/// A position of 3x3.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Board {
    stacks: [Stack; SQUARES],
    /// The squares with a wall on top.
    walls: u16,
    reserves: [u8; 2],
    turn: u8,
    /// The moves played, up to two: the first two place a flat of the other colour.
    opening: u8,
}

/// A move: a placement, or a spread with its drops on the first and on the second square.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    Flat(u8),
    Wall(u8),
    Spread { from: u8, step: i8, drops: [u8; 2] },
}

/// The possible drops on the one or two squares of a spread: the carry limit is three.
const DROPS: [[u8; 2]; 6] = [[1, 0], [2, 0], [3, 0], [1, 1], [1, 2], [2, 1]];

/// Returns whether the squares join two opposite edges, by a flood fill from one edge.
fn road(squares: u16) -> bool {
    let crosses = |start: u16, goal: u16| {
        let mut reached = squares & start;
        loop {
            let grown = squares & grow(reached);
            if grown & goal != 0 {
                return true;
            }
            if grown == reached {
                return false;
            }
            reached = grown;
        }
    };
    crosses(0b111, 0b111 << 6) || crosses(0b001_001_001, 0b100_100_100)
}

/// The squares and their neighbours.
fn grow(squares: u16) -> u16 {
    let left = (squares & 0b110_110_110) >> 1;
    let right = (squares & 0b011_011_011) << 1;
    (squares | left | right | squares << 3 | squares >> 3) & 0b1_1111_1111
}

fn height(stack: Stack) -> u32 {
    stack.ilog2()
}

impl Board {
    /// The empty board with this number of stones for each player.
    pub fn start(stones: u8) -> Board {
        Board { stacks: [1; SQUARES], walls: 0, reserves: [stones; 2], turn: 0, opening: 0 }
    }

    /// The player to move.
    pub fn turn(&self) -> usize {
        usize::from(self.turn)
    }

    /// All legal moves. The game must not be over.
    pub fn moves(&self, list: &mut Vec<Move>) {
        list.clear();
        for square in 0..SQUARES {
            if self.stacks[square] == 1 {
                list.push(Move::Flat(square as u8));
            }
        }
        if self.opening < 2 {
            return;
        }
        for square in 0..SQUARES {
            if self.stacks[square] == 1 {
                list.push(Move::Wall(square as u8));
                continue;
            }
            if (self.stacks[square] & 1) as u8 != self.turn {
                continue;
            }
            let (row, column) = (square / 3, square % 3);
            for (step, reach) in [(-3i8, row), (3, 2 - row), (-1, column), (1, 2 - column)] {
                for drops in DROPS {
                    let carry = u32::from(drops[0] + drops[1]);
                    let steps = if drops[1] == 0 { 1 } else { 2 };
                    if carry > height(self.stacks[square]) || steps > reach {
                        continue;
                    }
                    let blocked = (1..=steps).any(|k| {
                        let square = square as i8 + step * k as i8;
                        self.walls >> square & 1 != 0
                    });
                    // Without capstones no move can flatten a wall.
                    if !blocked {
                        list.push(Move::Spread { from: square as u8, step, drops });
                    }
                }
            }
        }
    }

    /// The position after a legal move.
    pub fn after(&self, mv: Move) -> Board {
        let mut next = self.clone();
        match mv {
            Move::Flat(square) | Move::Wall(square) => {
                let color = if self.opening < 2 { 1 - self.turn } else { self.turn };
                next.stacks[usize::from(square)] = 2 | u32::from(color);
                next.reserves[usize::from(color)] -= 1;
                if let Move::Wall(_) = mv {
                    next.walls |= 1 << square;
                }
            }
            Move::Spread { from, step, drops } => {
                let carry = drops[0] + drops[1];
                let stack = self.stacks[usize::from(from)];
                next.stacks[usize::from(from)] = stack >> carry;
                let wall = self.walls >> from & 1;
                next.walls &= !(1 << from);
                let mut held = carry;
                let mut square = from as i8;
                for count in drops {
                    if count == 0 {
                        break;
                    }
                    square += step;
                    held -= count;
                    let dropped = stack >> held & ((1 << count) - 1);
                    let under = next.stacks[square as usize];
                    next.stacks[square as usize] = under << count | dropped;
                }
                next.walls |= wall << square;
            }
        }
        next.opening = (self.opening + 1).min(2);
        next.turn = 1 - self.turn;
        next
    }

    /// The squares with a flat of the player on top.
    fn flats(&self, player: usize) -> u16 {
        let mut squares = 0;
        for (square, &stack) in self.stacks.iter().enumerate() {
            if stack > 1 && (stack & 1) as usize == player {
                squares |= 1 << square;
            }
        }
        squares & !self.walls
    }

    /// The end of the game after a move of `mover`, if it is over.
    pub fn end(&self, mover: usize) -> Option<End> {
        for player in [mover, 1 - mover] {
            if road(self.flats(player)) {
                return Some(End::Road(player));
            }
        }
        let full = self.stacks.iter().all(|&stack| stack > 1);
        (full || self.reserves.contains(&0))
            .then(|| End::Flats(self.flats(WHITE).count_ones() as i32 - self.flats(BLACK).count_ones() as i32))
    }

    /// A key that is the same for all eight views of the board.
    fn key(&self) -> Key {
        const VIEWS: [[usize; 9]; 8] = [
            [0, 1, 2, 3, 4, 5, 6, 7, 8],
            [2, 1, 0, 5, 4, 3, 8, 7, 6],
            [6, 7, 8, 3, 4, 5, 0, 1, 2],
            [8, 7, 6, 5, 4, 3, 2, 1, 0],
            [0, 3, 6, 1, 4, 7, 2, 5, 8],
            [2, 5, 8, 1, 4, 7, 0, 3, 6],
            [6, 3, 0, 7, 4, 1, 8, 5, 2],
            [8, 5, 2, 7, 4, 1, 6, 3, 0],
        ];
        let seen =
            |view: &[usize; 9]| view.map(|square| self.stacks[square] << 1 | u32::from(self.walls >> square & 1));
        let squares = VIEWS.iter().map(seen).min().expect("eight views");
        (squares, self.reserves, self.turn, self.opening)
    }
}

/// All parts of a position, seen from the side that gives the smallest numbers.
type Key = ([u32; SQUARES], [u8; 2], u8, u8);

/// Counts the games of `depth` moves.
pub fn perft(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut list = Vec::new();
    board.moves(&mut list);
    list.iter()
        .map(|&mv| {
            let next = board.after(mv);
            if next.end(board.turn()).is_some() { u64::from(depth == 1) } else { perft(&next, depth - 1) }
        })
        .sum()
}

/// Searches for forced wins of one player at one komi, trying every move of both.
pub struct Solver {
    winner: usize,
    half_komi: i32,
    /// For a position: the plies within which a win is proven, and those within which there is none.
    known: HashMap<Key, (u8, u8)>,
    /// The number of times a move succeeded for its mover, by player; such moves are tried first. The order does not
    /// change results.
    good: [HashMap<Move, u32>; 2],
}

impl Solver {
    /// A search for wins of `winner`, with an empty table.
    pub fn new(winner: usize, half_komi: i32) -> Solver {
        Solver { winner, half_komi, known: HashMap::new(), good: [HashMap::new(), HashMap::new()] }
    }

    fn won(&self, end: End) -> bool {
        match end {
            End::Road(player) => player == self.winner,
            End::Flats(lead) => {
                let lead = 2 * lead - self.half_komi;
                if self.winner == WHITE { lead > 0 } else { lead < 0 }
            }
        }
    }

    /// Returns whether the winner can force a win within `plies`; the game must not be over.
    pub fn wins(&mut self, board: &Board, plies: u8) -> bool {
        if plies == 0 {
            return false;
        }
        let key = board.key();
        let (proven, refuted) = self.known.get(&key).copied().unwrap_or((u8::MAX, 0));
        if plies >= proven || plies <= refuted {
            return plies >= proven;
        }
        let mover = board.turn();
        // The winner needs one winning move, the other player one that does not lose.
        let wanted = mover == self.winner;
        let mut moves = Vec::with_capacity(64);
        board.moves(&mut moves);
        let mut open = Vec::with_capacity(moves.len());
        let mut choice = None;
        for mv in moves {
            let next = board.after(mv);
            match next.end(mover) {
                Some(end) if self.won(end) == wanted => {
                    choice = Some(mv);
                    break;
                }
                Some(_) => {}
                None => open.push((mv, next)),
            }
        }
        if choice.is_none() {
            open.sort_by_key(|(mv, _)| Reverse(self.good[mover].get(mv).copied()));
            choice = open.iter().find(|(_, next)| self.wins(next, plies - 1) == wanted).map(|&(mv, _)| mv);
        }
        if let Some(mv) = choice {
            *self.good[mover].entry(mv).or_default() += u32::from(plies).pow(2);
        }
        let wins = choice.is_some() == wanted;
        self.known.insert(key, if wins { (plies, refuted) } else { (proven, plies) });
        wins
    }
}
