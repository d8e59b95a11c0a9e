//! Games by the rules.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use tak_engine::board::{
    AnyPosition, ByColor, Color, Game, Komi, Move, OpeningRule, PieceKind, Reserve, Setup, Size, Square, Symmetry,
};
use tak_engine::draw::{Diagram, Theme};
use tak_engine::notation::{Deviations, PtnGame, canonical_tps, parse_first_move, parse_move, read_setup};
use tak_engine::tei::diagram::Diagram as TextDiagram;

use crate::arrays;
use crate::errors::{guarded, invalid, warn};
use crate::moves::{self, PyMove};
use crate::outcome::Outcome;
use crate::text::{self, Tags, TextGame};
use crate::values::{KomiArgument, OpeningArgument, ReserveArgument, SizeArgument, Whole, color};
use crate::waiting::interruptible;

/// The greatest depth of `perft`, which no program reaches.
const MAX_PERFT: u64 = 100;

/// A game: a position and the moves that led to it.
///
/// `size` is the width of the board, 3 to 8 (6 by default). `komi` are the points for Black, whole or half, from -10 to
/// 10. `opening` is "swap", "no-swap" or "double-black". `tps` is the position to begin with; it gives the size.
/// `reserves` are the flats and capstones of each player, if they are not the usual ones.
///
/// Games are equal if their positions are: the board, the player to move, the move number, komi, reserves and opening.
/// A game may be a key of a dictionary, as long as it is not changed.
///
/// >>> game = Game(size=5)
/// >>> game.push("a1")
/// >>> game.push("e5")
/// >>> game
/// Game("x4,1/x5/x5/x5/2,x4 1 2", komi=0)
/// >>> len(game.legal_moves), game.turn, game.ply, game.result
/// (71, 'white', 2, None)
/// >>> game.pop()
/// Move("e5")
/// >>> Game(tps="x3/x,12K,x/x3 1 5")
/// Traceback (most recent call last):
///     ...
/// ValueError: row 2, square b2: invalid stack "12K": only S or C can follow the pieces, found "K"
#[pyclass(name = "Game", module = "tak_engine")]
#[derive(Clone)]
pub struct PyGame {
    pub game: Game,
    /// Tags of the text that it was read from, apart from those of the board.
    pub tags: Tags,
    /// The text that it was read from, with comments, marks and variations, if it has any.
    pub notes: Option<Arc<PtnGame>>,
}

impl From<TextGame> for PyGame {
    fn from(TextGame { game, tags, notes, .. }: TextGame) -> Self {
        Self { game, tags, notes }
    }
}

impl From<Game> for PyGame {
    fn from(game: Game) -> Self {
        Self { game, tags: Tags::new(), notes: None }
    }
}

/// A move, or its text.
pub enum MoveArgument<'py> {
    Move(PyRef<'py, PyMove>),
    Text(Bound<'py, PyString>),
}

impl<'py> FromPyObject<'_, 'py> for MoveArgument<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(mv) = value.extract() {
            return Ok(Self::Move(mv));
        }
        match value.cast::<PyString>() {
            Ok(text) => Ok(Self::Text(text.to_owned())),
            Err(_) => {
                Err(PyTypeError::new_err(format!("expected a Move or its text, not {}", value.get_type().name()?)))
            }
        }
    }
}

impl PyGame {
    /// A move for the current position, not yet checked.
    fn read(&self, mv: &MoveArgument<'_>) -> PyResult<Move> {
        match mv {
            MoveArgument::Move(mv) => Ok(mv.0),
            MoveArgument::Text(text) => {
                let (text, position) = (text.to_cow()?, self.game.position());
                let text = text.trim();
                let read = if position.ply() == 0 && text.starts_with('2') {
                    parse_first_move(text, &position.to_setup())
                } else {
                    parse_move(text, position.size())
                };
                read.map_err(invalid)
            }
        }
    }

    fn check(&self, mv: Move) -> PyResult<()> {
        self.game.position().check_legal(mv).map_err(|reason| invalid(format!("illegal move {mv}: {reason}")))
    }

    /// The game with all that is known about it.
    pub fn ptn(&self) -> PtnGame {
        text::noted(&self.game, &self.tags, self.notes.as_deref())
    }

    /// The same as text, with further tags.
    pub fn text(&self, tags: Tags) -> PyResult<String> {
        text::write(&self.game, &self.tags, self.notes.as_deref(), tags)
    }

    /// A result that was read belongs to the game as it was then.
    fn forget_result(&mut self) {
        if !self.tags.is_empty() {
            self.tags.retain(|(name, _)| !name.eq_ignore_ascii_case("Result"));
        }
    }

    /// The image of the game.
    fn transformed(&self, symmetry: Symmetry) -> PyResult<Self> {
        let start = self.game.start().to_setup().transformed(symmetry);
        let mut game = Game::new(AnyPosition::from_setup(&start).map_err(invalid)?);
        for &mv in self.game.moves() {
            game.play_unchecked(symmetry.mv(mv, start.size));
        }
        Ok(Self { game, tags: self.tags.clone(), notes: None })
    }
}

/// Counts sequences of moves until it is stopped.
fn perft(game: &mut Game, depth: u32, stop: &AtomicBool) -> u64 {
    // Two plies take no time.
    if depth <= 2 {
        return game.position().clone().perft(depth);
    }
    let mut count = 0;
    for mv in game.legal_moves() {
        if !stop.load(Relaxed) {
            game.play_unchecked(mv);
            count += perft(game, depth - 1, stop);
            game.take_back();
        }
    }
    count
}

/// A value of White and one of Black.
fn both<T: Copy>(values: ByColor<T>) -> (T, T) {
    (values[Color::White], values[Color::Black])
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(
        signature = (size = None, komi = None, opening = None, tps = None, *, reserves = None),
        text_signature = "(size=None, komi=0, opening='swap', tps=None, *, reserves=None)"
    )]
    fn new(
        size: Option<SizeArgument>,
        komi: Option<KomiArgument>,
        opening: Option<OpeningArgument>,
        tps: Option<&str>,
        reserves: Option<ReserveArgument>,
    ) -> PyResult<Self> {
        guarded(|| {
            let komi = komi.map_or(Komi::ZERO, |komi| komi.0);
            let mut setup = match tps {
                Some(tps) => read_setup(tps, &mut Deviations::default()).map_err(invalid)?,
                None => Setup::empty(size.map_or(Size::SIX, |size| size.0), komi),
            };
            if let Some(SizeArgument(size)) = size.filter(|size| size.0 != setup.size) {
                return Err(invalid(format!("size is {size}, but the TPS is {tps}x{tps}", tps = setup.size)));
            }
            setup.komi = komi;
            if let Some(ReserveArgument(reserve)) = reserves {
                setup.reserves = ByColor([reserve; 2]);
            }
            setup.opening = setup.opening_or(opening.map_or(OpeningRule::Swap, |opening| opening.0));
            Ok(Game::new(AnyPosition::from_setup(&setup).map_err(invalid)?).into())
        })
    }

    /// Reads a game from PTN, with its tags. Non-standard forms are accepted.
    ///
    /// Comments, marks and variations are kept for `to_ptn`; `GameTree` shows and changes them. Without tags Size and
    /// TPS the game is for the smallest board that fits its moves, which a UserWarning says.
    ///
    /// Raises ValueError with the line for a text that cannot be read, an illegal move, or another number of games than
    /// one; `read_games` reads files of many.
    ///
    /// >>> game = Game.from_ptn('[Size "5"]\n[Player1 "Ann"]\n\n1. a1 e5 2. c3')
    /// >>> game.tps, game.komi, game.tags
    /// ('x4,1/x5/x2,1,x2/x5/2,x4 2 2', 0.0, {'Player1': 'Ann'})
    /// >>> Game.from_ptn('[Size "5"]\n1. a1 a1')
    /// Traceback (most recent call last):
    ///     ...
    /// ValueError: line 2: illegal move 1 of Black, a1: square a1 is not empty
    #[staticmethod]
    fn from_ptn(py: Python<'_>, text: &str) -> PyResult<Self> {
        let mut game = py.detach(|| guarded(|| text::read_one(text)))?;
        warn(py, game.warning.take())?;
        Ok(game.into())
    }

    /// The game as PTN: the tags that it was read with or that are given here, the board, the moves, and the result if
    /// the game is over. Comments, marks and variations that it was read with stay where the moves before them are the
    /// same.
    ///
    /// >>> print(Game.from_ptn('[Size "5"]\n1. a1 e5').to_ptn({"Player1": "Ann"}))
    /// [Player1 "Ann"]
    /// [Size "5"]
    /// [Komi "0"]
    /// <BLANKLINE>
    /// 1. a1 e5
    /// <BLANKLINE>
    #[pyo3(signature = (tags = None))]
    fn to_ptn(&self, tags: Option<Bound<'_, PyDict>>) -> PyResult<String> {
        let tags = tags.iter().flatten().map(|(name, value)| Ok((name.extract()?, value.extract()?)));
        let tags = tags.collect::<PyResult<Vec<_>>>()?;
        guarded(|| self.text(tags))
    }

    /// The tags of the PTN that it was read from, except for those of the board.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for (name, value) in &self.tags {
            tags.set_item(name, value)?;
        }
        Ok(tags)
    }

    /// The legal moves as a list; empty if the game is over. The order is always the same.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let position = self.game.position();
        if position.outcome().is_some() {
            return Ok(PyList::empty(py));
        }
        moves::list(py, &position.legal_moves())
    }

    /// Reads a move and checks that it is legal. Raises ValueError with the reason.
    ///
    /// >>> Game(size=5).parse_move("Ca1")
    /// Traceback (most recent call last):
    ///     ...
    /// ValueError: illegal move Ca1: each player's first turn places a flat (of the opponent's colour)
    fn parse_move(&self, py: Python<'_>, text: &str) -> PyResult<Py<PyMove>> {
        let mv = self.read(&MoveArgument::Text(PyString::new(py, text)))?;
        self.check(mv)?;
        Ok(moves::object(py, mv))
    }

    /// Returns whether a move, or the move of a text, is legal.
    ///
    /// >>> game = Game(size=5)
    /// >>> game.is_legal(Move("a1")), game.is_legal("Ca1"), game.is_legal("f1")
    /// (True, False, False)
    fn is_legal(&self, r#move: MoveArgument<'_>) -> bool {
        self.read(&r#move).is_ok_and(|mv| self.check(mv).is_ok())
    }

    /// Plays a move, or the move of a text. Raises ValueError with the reason if it cannot be played.
    ///
    /// >>> Game(size=5).push("f1")
    /// Traceback (most recent call last):
    ///     ...
    /// ValueError: invalid move "f1": square f1 is not on a 5x5 board
    fn push(&mut self, r#move: MoveArgument<'_>) -> PyResult<()> {
        let mv = self.read(&r#move)?;
        self.check(mv)?;
        self.game.play_unchecked(mv);
        self.forget_result();
        Ok(())
    }

    /// Takes back the last move and returns it. Raises IndexError at the start of the game.
    fn pop(&mut self, py: Python<'_>) -> PyResult<Py<PyMove>> {
        let mv = self.game.take_back().ok_or_else(|| PyIndexError::new_err("there is no move to take back"))?;
        self.forget_result();
        Ok(moves::object(py, mv))
    }

    /// The last move. Raises IndexError at the start of the game.
    fn peek(&self, py: Python<'_>) -> PyResult<Py<PyMove>> {
        let last =
            self.game.moves().last().ok_or_else(|| PyIndexError::new_err("there is no move before this position"))?;
        Ok(moves::object(py, *last))
    }

    /// The moves since the start of the game.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        moves::list(py, self.game.moves())
    }

    /// The position as TPS, which contains neither komi nor reserves nor the opening.
    #[getter]
    fn tps(&self) -> String {
        self.game.position().to_string()
    }

    /// The result by the rules: "R-0", "0-R", "F-0", "0-F" or "1/2-1/2"; None while the game goes on. Repetitions do not
    /// end a game.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.game.position().outcome().map(|outcome| PyString::intern(py, &outcome.to_string()))
    }

    /// How the game ended: by the rules, or else by the result that it was read with. None while the game goes on, as it
    /// does after a further move.
    ///
    /// >>> Game(tps="x3/1,1,1/2,2,x 2 4").outcome()
    /// Outcome(winner='white', reason='road', result='R-0')
    /// >>> Game.from_ptn('[Size "5"] 1. a1 e5 0-1').outcome()
    /// Outcome(winner='black', reason='other', result='0-1')
    fn outcome(&self) -> Option<Outcome> {
        Outcome::of(&self.game, &self.tags)
    }

    /// Returns whether the game has an `outcome`.
    fn is_game_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The winner by the rules, "white" or "black"; None for a draw and while the game goes on.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.game.position().outcome()?.winner.map(color)
    }

    /// The player to move, "white" or "black".
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> &Bound<'py, PyString> {
        match self.game.position().to_move() {
            Color::White => intern!(py, "white"),
            Color::Black => intern!(py, "black"),
        }
    }

    /// Single moves made since move 1 of White.
    #[getter]
    fn ply(&self) -> u32 {
        self.game.position().ply()
    }

    /// The number of the move to be played, as in PTN.
    #[getter]
    fn move_number(&self) -> u32 {
        self.game.position().move_number()
    }

    /// The width of the board.
    #[getter]
    fn size(&self) -> usize {
        self.game.position().size().width()
    }

    /// Points that are added to Black's flats.
    #[getter]
    fn komi(&self) -> f64 {
        f64::from(self.game.position().komi().half()) / 2.0
    }

    /// The opening rule: "swap", "no-swap" or "double-black".
    #[getter]
    fn opening(&self) -> String {
        self.game.position().opening().to_string()
    }

    /// The flats and capstones that White and Black have left.
    ///
    /// >>> Game(size=6).reserves
    /// ((30, 1), (30, 1))
    #[getter]
    fn reserves(&self) -> ((u8, u8), (u8, u8)) {
        both(ByColor(self.game.position().reserves().0.map(|Reserve { stones, caps }| (stones, caps))))
    }

    /// The flats and capstones that White and Black had at the start.
    #[getter]
    fn start_reserves(&self) -> ((u8, u8), (u8, u8)) {
        both(ByColor(self.game.position().start_reserves().0.map(|Reserve { stones, caps }| (stones, caps))))
    }

    /// The flats on top of stacks of White and Black, without komi.
    #[getter]
    fn flats(&self) -> (u32, u32) {
        both(ByColor(Color::ALL.map(|color| self.game.position().flat_count(color))))
    }

    /// The squares of the road that won the game; empty without one.
    #[getter]
    fn road(&self) -> Vec<String> {
        self.game.position().winning_road().into_iter().map(|square| square.to_string()).collect()
    }

    /// The number of times that the position has occurred in this game, this time included.
    #[getter]
    fn occurrences(&self) -> usize {
        self.game.occurrences()
    }

    /// The stack on a square as in TPS: "" if it is empty, "12S" for a black wall on a white flat. `game["b2"]` is the
    /// same.
    ///
    /// >>> Game(tps="x3/x,12S,x/x3 1 5").stack("b2")
    /// '12S'
    fn stack(&self, square: &str) -> PyResult<String> {
        let position = self.game.position();
        let width = position.size().width();
        let place = |byte: u8, first: u8| byte.checked_sub(first).map(usize::from).filter(|&index| index < width);
        let found = match *square.as_bytes() {
            [file, rank] => place(file, b'a').zip(place(rank, b'1')),
            _ => None,
        };
        let no_square = || invalid(format!("{square:?} is no square of a {width}x{width} board"));
        let (column, row) = found.ok_or_else(no_square)?;
        let square = Square::new(column, row);
        let depths = (0..position.height(square)).rev();
        let mut stack: String = depths.map(|depth| ["1", "2"][position.color_at(square, depth).index()]).collect();
        match position.top(square) {
            Some((_, PieceKind::Wall)) => stack.push('S'),
            Some((_, PieceKind::Cap)) => stack.push('C'),
            _ => {}
        }
        Ok(stack)
    }

    /// The eight images of the game under rotations and reflections, itself first.
    ///
    /// >>> [game.tps for game in Game(tps="1,x2/x3/x3 2 3").symmetries()][:2]
    /// ['1,x2/x3/x3 2 3', 'x2,1/x3/x3 2 3']
    fn symmetries(&self) -> PyResult<Vec<Self>> {
        guarded(|| Symmetry::ALL.into_iter().map(|symmetry| self.transformed(symmetry)).collect())
    }

    /// The same image for all games that differ only by rotation or reflection.
    ///
    /// >>> Game(tps="1,x2/x3/x3 2 3").canonical().tps == Game(tps="x3/x3/x2,1 2 3").canonical().tps
    /// True
    fn canonical(&self) -> PyResult<Self> {
        guarded(|| {
            let setup = self.game.position().to_setup();
            let first = canonical_tps(&setup);
            let is_first = |symmetry: &Symmetry| setup.transformed(*symmetry).to_string() == first;
            self.transformed(Symmetry::ALL.into_iter().find(is_first).unwrap_or(Symmetry::ALL[0]))
        })
    }

    /// Counts the sequences of `depth` legal moves, which tests move generators.
    ///
    /// >>> Game(size=5).perft(2)
    /// 600
    fn perft(&self, py: Python<'_>, depth: Whole) -> PyResult<u64> {
        let depth = depth.within("depth", 0, MAX_PERFT)?;
        let mut game = self.game.clone();
        interruptible(py, |stop| Ok(perft(&mut game, depth as u32, stop)))
    }

    /// The position as planes of numbers, for the player to move: an array of float32 with the shape (planes, rows,
    /// columns). The first row is row 1, the first column is a. `plane_names` lists the planes. Needs NumPy.
    ///
    /// In this order, with N the width of the board:
    ///
    /// - 6: own flats, walls and capstones on top of stacks, then the opponent's (0 or 1)
    /// - 2 N: own pieces and the opponent's 1 to N below the top (0 or 1)
    /// - 2: the number of own pieces and of the opponent's below those
    /// - 4, constant: own flats in reserve as a part of those at the start, own capstones in reserve, and the same of
    ///   the opponent
    /// - 1, constant: the own lead on flats with komi, divided by the number of squares
    /// - 1, constant: 1 in first turns, when the piece placed is the opponent's
    /// - 1, constant: 1 if White is to move
    ///
    /// >>> planes = Game(tps="x3/1,1,x/2,2,x 1 3").encode()
    /// >>> planes.shape, planes[0].tolist()
    /// ((21, 3, 3), [[0.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrays::encode(py, self.game.position())
    }

    /// The legal moves as a mask over the policy indices: an array of bool of the length `policy_size(size)`, without
    /// any true value if the game is over. Needs NumPy.
    ///
    /// >>> game = Game(size=5)
    /// >>> mask = game.legal_mask()
    /// >>> mask.shape, int(mask.sum()), bool(mask[move_index(Move("c3"), 5)])
    /// ((3075,), 25, True)
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        arrays::legal_mask(py, self.game.position())
    }

    /// A diagram of the position as SVG, `width` pixels wide. `moves` are legal moves to draw, at most six; `theme` is
    /// "light", "dark", "wood", "wood-dark", "contrast", "contrast-dark" or "print".
    #[pyo3(signature = (moves = None, theme = "light", width = Whole(Ok(480))), text_signature = "($self, moves=None, theme='light', width=480)")]
    fn svg(&self, moves: Option<Vec<MoveArgument<'_>>>, theme: &str, width: Whole) -> PyResult<String> {
        let width = width.within("width", 1, 10_000)? as u32;
        let theme = Theme::named(theme).ok_or_else(|| {
            let names = Theme::ALL.map(Theme::name).join(", ");
            invalid(format!("unknown theme {theme:?}, expected one of {names}"))
        })?;
        let moves: Vec<Move> = moves.iter().flatten().map(|mv| self.read(mv)).collect::<PyResult<_>>()?;
        guarded(|| Ok(Diagram::of(&self.game).with_moves(&moves).map_err(invalid)?.svg(theme, width)))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None, "light", Whole(Ok(360)))
    }

    /// The game at its start, without its moves.
    fn root(&self) -> Self {
        Game::new(self.game.start().clone()).into()
    }

    /// A copy that can be changed without changing this one.
    fn copy(&self) -> Self {
        self.clone()
    }

    fn __getitem__(&self, square: &str) -> PyResult<String> {
        self.stack(square)
    }

    // Else Python asks for the items 0, 1, ...
    #[classattr]
    const __iter__: Option<u8> = None;

    #[classattr]
    const __contains__: Option<u8> = None;

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| match other.try_borrow() {
            Ok(other) => self.game.position() == other.game.position(),
            Err(_) => false,
        })
    }

    fn __hash__(&self) -> u64 {
        self.game.position().hash()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        Ok((py.get_type::<Self>().getattr("from_ptn")?, (self.to_ptn(None)?,)))
    }

    fn __repr__(&self) -> String {
        format!("Game(\"{}\", komi={})", self.tps(), self.game.position().komi())
    }

    /// The board in lines, with the stacks as in TPS.
    fn __str__(&self) -> String {
        let board = TextDiagram(&self.game.position().to_setup()).to_string();
        board.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
    }
}
