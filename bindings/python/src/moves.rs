//! Moves. There is one object of each, so that a list of legal moves costs no allocation but its own.

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};
use tak_engine::board::{Move, MoveKind, PieceKind, Size, Symmetry};

use crate::errors::invalid;
use crate::values::{Index, SizeArgument};

/// A move: the placement of a piece or the spread of a stack. Its text is PTN.
///
/// It knows neither the player nor whether it is legal: that depends on the game.
///
/// >>> move = Move("3c3>21")
/// >>> move.square, move.target, move.direction, move.drops
/// ('c3', 'e3', '>', (2, 1))
/// >>> Move("Sa1").piece
/// 'S'
/// >>> str(Move("Fa1"))
/// 'a1'
/// >>> Move("z9")
/// Traceback (most recent call last):
///     ...
/// ValueError: invalid move "z9": expected a piece (F, S, C), a count (1 to 8) or a file (a to h) at character 1, found 'z'
#[pyclass(name = "Move", module = "tak_engine", frozen, eq, ord)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PyMove(pub Move);

#[pymethods]
impl PyMove {
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(invalid)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Move(\"{}\")", self.0)
    }

    fn __hash__(&self) -> u64 {
        self.0.bits().into()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.0.to_string(),))
    }

    /// True for the spread of a stack, false for a placement.
    #[getter]
    fn is_spread(&self) -> bool {
        self.0.is_spread()
    }

    /// The square of a placement, or the square that a stack leaves: "a1" to "h8".
    #[getter]
    fn square(&self) -> String {
        self.0.square().to_string()
    }

    /// The square of a placement, or the last square that a spread reaches.
    #[getter]
    fn target(&self) -> String {
        self.0.target().to_string()
    }

    /// The piece of a placement: "F" for a flat, "S" for a wall, "C" for a capstone. None for a spread.
    #[getter]
    fn piece(&self) -> Option<&'static str> {
        match self.0.kind() {
            MoveKind::Place(PieceKind::Flat) => Some("F"),
            MoveKind::Place(PieceKind::Wall) => Some("S"),
            MoveKind::Place(PieceKind::Cap) => Some("C"),
            MoveKind::Spread(..) => None,
        }
    }

    /// The direction of a spread: "+" up, "-" down, "<" left, ">" right. None for a placement.
    #[getter]
    fn direction(&self) -> Option<char> {
        match self.0.kind() {
            MoveKind::Place(_) => None,
            MoveKind::Spread(direction, _) => Some(direction.symbol()),
        }
    }

    /// The pieces dropped on each square of a spread, the first square first. Empty for a placement.
    #[getter]
    fn drops<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let drops: Vec<u32> = match self.0.kind() {
            MoveKind::Place(_) => Vec::new(),
            MoveKind::Spread(_, pattern) => pattern.drops().map(|drop| drop.count).collect(),
        };
        PyTuple::new(py, drops)
    }

    /// The same move on the turned or mirrored board: `symmetry` is the index of a game in `Game.symmetries()`.
    ///
    /// Raises ValueError for another index than 0 to 7, and for a move that is not on a board of this size.
    ///
    /// >>> [str(Move("a2>").transformed(symmetry, 5)) for symmetry in range(8)]
    /// ['a2>', 'e2<', 'a4>', 'e4<', 'b1+', 'd1+', 'b5-', 'd5-']
    fn transformed(&self, py: Python<'_>, symmetry: Index, size: SizeArgument) -> PyResult<Py<Self>> {
        let size = on_board(self.0, size.0)?;
        let symmetry =
            symmetry.0.and_then(|index| usize::try_from(index).ok()).and_then(|index| Symmetry::ALL.get(index));
        let symmetry = symmetry.ok_or_else(|| invalid("symmetries are numbered from 0 to 7"))?;
        Ok(object(py, symmetry.mv(self.0, size)))
    }
}

/// The size, if the squares of the move are on its board.
pub fn on_board(mv: Move, size: Size) -> PyResult<Size> {
    tak_engine::notation::parse_move(&mv.to_string(), size).map_err(invalid)?;
    Ok(size)
}

/// The object of a move.
pub fn object(py: Python<'_>, mv: Move) -> Py<PyMove> {
    static OBJECTS: PyOnceLock<Box<[PyOnceLock<Py<PyMove>>]>> = PyOnceLock::new();
    let objects = OBJECTS.get_or_init(py, || (0..1 << u16::BITS).map(|_| PyOnceLock::new()).collect());
    let object = &objects[usize::from(mv.bits())];
    match object.get(py) {
        Some(object) => object.clone_ref(py),
        // Memory for a small object: Python itself cannot go on without it.
        None => object.get_or_init(py, || Py::new(py, PyMove(mv)).expect("memory for a move")).clone_ref(py),
    }
}

/// A list of moves.
pub fn list<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, moves.iter().map(|&mv| object(py, mv)))
}
