//! Positions and moves as numbers, for learning.

use numpy::{PyArray, PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyImportError, PyIndexError, PyMemoryError};
use pyo3::prelude::*;
use tak_engine::board::{AnyPosition, Color, Direction, Move, MoveKind, Pattern, PieceKind, Position, Size, Square};

use crate::errors::{guarded, invalid};
use crate::moves::{self, PyMove, on_board};
use crate::values::{Index, SizeArgument};

/// Evaluates an expression with the `Position<N>` inside an `AnyPosition`.
macro_rules! with_position {
    ($any:expr, $position:ident => $body:expr) => {
        match $any {
            AnyPosition::S3($position) => $body,
            AnyPosition::S4($position) => $body,
            AnyPosition::S5($position) => $body,
            AnyPosition::S6($position) => $body,
            AnyPosition::S7($position) => $body,
            AnyPosition::S8($position) => $body,
        }
    };
}
pub(crate) use with_position;

/// Planes of an array for each kind of top piece, of the player to move and of the other.
const TOP_PLANES: usize = 6;
/// Planes after those of the stacks.
const REST_PLANES: usize = 9;
/// Kinds of pieces that are placed.
const PLACEMENTS: usize = 3;
const DIRECTIONS: usize = 4;

/// NumPy, which need not be installed.
pub fn need_numpy(py: Python<'_>) -> PyResult<()> {
    let missing = |cause: PyErr| {
        let error = PyImportError::new_err("this needs NumPy, which `pip install numpy` installs");
        error.set_cause(py, Some(cause));
        error
    };
    py.import("numpy").map(drop).map_err(missing)
}

/// An empty list with room for `count` items. Raises MemoryError if there is none.
pub fn reserved<T>(count: usize) -> PyResult<Vec<T>> {
    let mut items = Vec::new();
    let lacks = |_| PyMemoryError::new_err(format!("no memory for {} bytes", count.saturating_mul(size_of::<T>())));
    items.try_reserve_exact(count).map_err(lacks)?;
    Ok(items)
}

/// The same value `count` times.
pub fn filled<T: Clone>(value: T, count: usize) -> PyResult<Vec<T>> {
    let mut items = reserved(count)?;
    items.resize(count, value);
    Ok(items)
}

/// The number of planes of a position.
pub const fn plane_count(size: Size) -> usize {
    TOP_PLANES + 2 * size.width() + REST_PLANES
}

/// The names of the planes that `Game.encode` makes, in order.
///
/// >>> names = plane_names(5)
/// >>> len(names), names[0], names[6], names[-1]
/// (25, 'own flat on top', 'own piece 1 below the top', 'White to move')
#[pyfunction]
pub fn plane_names(size: SizeArgument) -> Vec<String> {
    let owners = ["own", "opposing"];
    let tops = owners
        .iter()
        .flat_map(|owner| ["flat", "wall", "capstone"].iter().map(move |kind| format!("{owner} {kind} on top")));
    let depths = (1..=size.0.width())
        .flat_map(|depth| owners.iter().map(move |owner| format!("{owner} piece {depth} below the top")));
    let rest = [
        "own pieces below those",
        "opposing pieces below those",
        "own flats in reserve, as a part of those at the start",
        "own capstones in reserve",
        "opposing flats in reserve, as a part of those at the start",
        "opposing capstones in reserve",
        "own lead on flats with komi, divided by the number of squares",
        "the piece placed is the opponent's",
        "White to move",
    ];
    tops.chain(depths).chain(rest.map(str::to_owned)).collect()
}

/// Fills the planes of a position, which are all 0.
pub fn encode_into(position: &AnyPosition, planes: &mut [f32]) {
    with_position!(position, position => encode_position(position, planes));
}

fn encode_position<const N: usize>(position: &Position<N>, planes: &mut [f32]) {
    let mover = position.to_move();
    let side = |color: Color| usize::from(color != mover);
    let deep = TOP_PLANES + 2 * N;
    for row in 0..N {
        for column in 0..N {
            let square = Square::new(column, row);
            let at = |plane: usize| plane * N * N + row * N + column;
            let Some((color, kind)) = position.top(square) else { continue };
            let kind = match kind {
                PieceKind::Flat => 0,
                PieceKind::Wall => 1,
                PieceKind::Cap => 2,
            };
            planes[at(3 * side(color) + kind)] = 1.0;
            for depth in 1..position.height(square) {
                let side = side(position.color_at(square, depth));
                if depth <= N {
                    planes[at(TOP_PLANES + 2 * (depth - 1) + side)] = 1.0;
                } else {
                    planes[at(deep + side)] += 1.0;
                }
            }
        }
    }
    let mut constants = [0.0; REST_PLANES - 2];
    for color in Color::ALL {
        let (left, start) = (position.reserve(color), position.start_reserves()[color]);
        constants[2 * side(color)] = f32::from(left.stones) / f32::from(start.stones);
        constants[2 * side(color) + 1] = f32::from(left.caps);
    }
    constants[4] = position.flat_lead_half(mover) as f32 / 2.0 / (N * N) as f32;
    constants[5] = f32::from(u8::from(position.is_opening()));
    constants[6] = f32::from(u8::from(mover == Color::White));
    let rest = planes[(deep + 2) * N * N..].chunks_exact_mut(N * N);
    for (plane, constant) in rest.zip(constants) {
        plane.fill(constant);
    }
}

/// Patterns of spreads on a board: all that lift at most as many pieces as it is wide, and do not reach beyond it.
const fn patterns(size: Size) -> usize {
    (1 << size.width()) - 2
}

/// Policy indices of a square.
const fn moves_of_square(size: Size) -> usize {
    PLACEMENTS + DIRECTIONS * patterns(size)
}

/// The number of policy indices of a board.
///
/// >>> [policy_size(size) for size in range(3, 9)]
/// [243, 944, 3075, 9036, 24843, 65216]
#[pyfunction(name = "policy_size")]
pub fn policy_size_of(size: SizeArgument) -> usize {
    policy_size(size.0)
}

/// The number of policy indices of a board.
pub const fn policy_size(size: Size) -> usize {
    size.squares() * moves_of_square(size)
}

/// The policy index of a move of a board.
pub fn index_of(mv: Move, size: Size) -> usize {
    let square = mv.square();
    let within = match mv.kind() {
        MoveKind::Place(PieceKind::Flat) => 0,
        MoveKind::Place(PieceKind::Wall) => 1,
        MoveKind::Place(PieceKind::Cap) => 2,
        MoveKind::Spread(direction, pattern) => {
            PLACEMENTS + direction as usize * patterns(size) + usize::from(pattern.bits()) - 1
        }
    };
    (square.row() * size.width() + square.column()) * moves_of_square(size) + within
}

/// The move with a policy index below [`policy_size`].
pub fn move_at(index: usize, size: Size) -> Option<Move> {
    let (square, within) = (index / moves_of_square(size), index % moves_of_square(size));
    let square = Square::new(square % size.width(), square / size.width());
    if within < PLACEMENTS {
        return Some(Move::place([PieceKind::Flat, PieceKind::Wall, PieceKind::Cap][within], square));
    }
    let spread = within - PLACEMENTS;
    let direction = Direction::ALL.into_iter().find(|&direction| direction as usize == spread / patterns(size))?;
    let pattern = Pattern::from_bits(u8::try_from(spread % patterns(size) + 1).ok()?)?;
    Some(Move::spread(square, direction, pattern))
}

/// The policy index of a move on a board of this size: from 0 to `policy_size(size)` - 1.
///
/// The index is that of the square, row by row from a1, times the number of moves of a square, plus the place of the
/// move among those: flat, wall, capstone, then the spreads up, right, down and left, each in the order of their drops
/// as binary numbers. Many indices, such as those of spreads over the edge, are never legal.
///
/// Raises ValueError if the move is not on the board, or lifts more pieces than its width.
///
/// >>> move_index(Move("a1"), 5), move_index(Move("Cb1"), 5), move_index(Move("a1+"), 5)
/// (0, 125, 3)
/// >>> index_move(move_index(Move("3c3>21"), 5), 5)
/// Move("3c3>21")
#[pyfunction]
pub fn move_index(r#move: PyRef<'_, PyMove>, size: SizeArgument) -> PyResult<usize> {
    let (mv, size) = (r#move.0, on_board(r#move.0, size.0)?);
    match mv.kind() {
        MoveKind::Spread(_, pattern) if usize::from(pattern.bits()) > patterns(size) => {
            Err(invalid(format!("no stack of a {size}x{size} board can make {mv}")))
        }
        _ => Ok(index_of(mv, size)),
    }
}

/// The move with a policy index, the reverse of `move_index`.
///
/// Raises IndexError for another index than 0 to `policy_size(size)` - 1.
///
/// >>> index_move(125, 5)
/// Move("Cb1")
#[pyfunction]
pub fn index_move(py: Python<'_>, index: Index, size: SizeArgument) -> PyResult<Py<PyMove>> {
    let most = policy_size(size.0);
    let index = index.0.and_then(|index| usize::try_from(index).ok()).filter(|&index| index < most);
    let found = index.and_then(|index| move_at(index, size.0));
    let out_of_range = || PyIndexError::new_err(format!("the index is out of range, expected 0 to {}", most - 1));
    Ok(moves::object(py, found.ok_or_else(out_of_range)?))
}

/// Sets the places of legal moves in a mask.
pub fn mask_into(position: &AnyPosition, mask: &mut [bool]) {
    if position.outcome().is_none() {
        let size = position.size();
        for mv in position.legal_moves() {
            mask[index_of(mv, size)] = true;
        }
    }
}

/// The planes of a game, see `Game.encode`.
pub fn encode<'py>(py: Python<'py>, position: &AnyPosition) -> PyResult<Bound<'py, PyAny>> {
    need_numpy(py)?;
    guarded(|| {
        let size = position.size();
        let mut planes = filled(0.0, plane_count(size) * size.squares())?;
        encode_into(position, &mut planes);
        let planes = PyArray1::from_vec(py, planes);
        Ok(planes.reshape([plane_count(size), size.width(), size.width()])?.into_any())
    })
}

/// The legal moves of a game, see `Game.legal_mask`.
pub fn legal_mask<'py>(py: Python<'py>, position: &AnyPosition) -> PyResult<Bound<'py, PyAny>> {
    need_numpy(py)?;
    guarded(|| {
        let mut mask = filled(false, policy_size(position.size()))?;
        mask_into(position, &mut mask);
        Ok(PyArray::from_vec(py, mask).into_any())
    })
}
