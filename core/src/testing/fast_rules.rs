//! Positions and moves in fast-tak, an independent implementation of the rules.

use fast_tak::takparse::{self, Tps};
use fast_tak::{Game, Reserves};

use crate::board::{Color, Direction, Move, OpeningRule, Pattern, PieceKind, Position, Reserve, Setup, Square};

/// fast-tak keeps the colours of a stack in 64 bits, one of which marks the height.
pub const MAX_HEIGHT: usize = 63;

/// The pieces of a stack that fast-tak gets. A move depends only on the upper ones, and may add more.
pub const KEPT: usize = 50;

/// The board with the upper `height` pieces of each stack.
pub fn clipped(mut setup: Setup, height: usize) -> Setup {
    for stack in &mut setup.stacks {
        stack.colors.drain(..stack.colors.len().saturating_sub(height));
    }
    setup
}

/// The same position in fast-tak, which knows only the swap: first turns without it are like those of move 2.
pub fn fast_tak_game<const N: usize, const K: i8>(position: &Position<N>) -> Game<N, K> {
    let tps: Tps = clipped(position.to_setup(), KEPT).to_string().parse().unwrap();
    let reserves = |color| {
        let Reserve { stones, caps } = position.reserve(color);
        Reserves { stones, caps }
    };
    let is_like_later = position.opening() == OpeningRule::NoSwap && position.ply() < 2;
    Game {
        board: tps.board().collect(),
        to_move: tps.color(),
        white_reserves: reserves(Color::White),
        black_reserves: reserves(Color::Black),
        ply: position.ply() as u16 + if is_like_later { 2 } else { 0 },
        reversible_plies: 0,
    }
}

/// A move of fast-tak as one of ours.
pub fn ours(mv: takparse::Move) -> Move {
    let square = Square::new(mv.square().column().into(), mv.square().row().into());
    match mv.kind() {
        takparse::MoveKind::Place(takparse::Piece::Flat) => Move::place(PieceKind::Flat, square),
        takparse::MoveKind::Place(takparse::Piece::Wall) => Move::place(PieceKind::Wall, square),
        takparse::MoveKind::Place(takparse::Piece::Cap) => Move::place(PieceKind::Cap, square),
        takparse::MoveKind::Spread(direction, pattern) => {
            let direction = match direction {
                takparse::Direction::Up => Direction::North,
                takparse::Direction::Down => Direction::South,
                takparse::Direction::Right => Direction::East,
                takparse::Direction::Left => Direction::West,
            };
            let drops: Vec<u8> = pattern.into_iter().map(|drop| drop as u8).collect();
            Move::spread(square, direction, Pattern::from_drops(&drops).unwrap())
        }
    }
}
