//! The game of a `position` line, and the moves of a `go` line in it.

use super::options::Options;
use crate::board::{AnyPosition, Game, IllegalMove, Move, MoveKind, OpeningRule, PieceKind, Setup, Size};
use crate::notation::{Deviations, MoveFault, MoveTextError, read_first_move, read_move};

/// The reason why a `position` is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub struct PositionError {
    fault: String,
    /// True if a move names a square that the board lacks.
    pub is_off_board: bool,
}

impl PositionError {
    pub fn new(fault: impl Into<String>) -> Self {
        Self { fault: fault.into(), is_off_board: false }
    }
}

/// The game of these moves from `tps` or, without one, from the start, by the rules of the options.
pub fn place(
    tps: Option<Setup>,
    size: Size,
    options: &Options,
    moves: &[String],
    deviations: &mut Deviations,
) -> Result<Game, PositionError> {
    let is_start = tps.is_none();
    let start = tps.unwrap_or_else(|| Setup::empty(size, options.komi()));
    let mut start = adapted(start, options);
    if is_start && start.opening == OpeningRule::Swap {
        start.opening = shown_opening(moves, &start);
    }
    let position = AnyPosition::from_setup(&start).map_err(|error| PositionError::new(error.to_string()))?;
    let mut game = Game::new(position);
    for (index, text) in moves.iter().enumerate() {
        let number = index + 1;
        let mv = match index {
            0 => read_first_move(text, &mut start, true, deviations),
            _ => read_move(text, size, deviations),
        };
        let mv = mv.map_err(|error| PositionError {
            fault: format!("move {number}: {error}"),
            is_off_board: matches!(error.fault, MoveFault::OffBoard { .. }),
        })?;
        game.play(mv)
            .map_err(|error| PositionError::new(format!("move {number}, \"{text:.40}\", is illegal: {error}")))?;
    }
    Ok(game)
}

/// A setup with the komi, the reserves and, unless the board shows it, the opening of the options.
fn adapted(setup: Setup, options: &Options) -> Setup {
    let setup = Setup { komi: options.komi(), reserves: options.reserves(setup.size), ..setup };
    Setup { opening: setup.opening_or(options.opening()), ..setup }
}

/// The opening of a game with these moves if the option is swap, its default. PTN Ninja does not send the opening, but
/// only one begins with a stack of two, and only one has a wall or a capstone in the first turns.
fn shown_opening(moves: &[String], start: &Setup) -> OpeningRule {
    let double = Setup { opening: OpeningRule::DoubleBlack, ..start.clone() };
    let read = |text: &String| read_move(text, start.size, &mut Deviations::default());
    let is_stack = |text: &String| {
        read(text).is_err() && read_first_move(text, &mut double.clone(), true, &mut Deviations::default()).is_ok()
    };
    let is_noble = |text: &String| {
        let kind = read(text).map(Move::kind);
        matches!(kind, Ok(MoveKind::Place(PieceKind::Wall | PieceKind::Cap)))
    };
    match moves {
        [first, ..] if is_stack(first) => OpeningRule::DoubleBlack,
        _ if moves.iter().take(2).any(is_noble) => OpeningRule::NoSwap,
        _ => OpeningRule::Swap,
    }
}

/// A word after `searchmoves` that is skipped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SearchMoveError {
    /// It is no move.
    #[error("searchmoves: {0}")]
    Text(MoveTextError),
    /// It is not legal in the position.
    #[error("searchmoves: move \"{text:.40}\" is illegal: {reason}")]
    Illegal { text: String, reason: IllegalMove },
}

/// The moves of `words` after `searchmoves` in the position of `game`, `None` for all legal moves, and the first word
/// that is skipped. Without a valid word all moves are searched.
pub fn read_searchmoves(game: &Game, words: &[&str]) -> (Option<Vec<Move>>, Option<SearchMoveError>) {
    let (mut moves, mut fault) = (Vec::new(), None);
    for &text in words {
        match read_search_move(game, text) {
            Ok(mv) if moves.contains(&mv) => {}
            Ok(mv) => moves.push(mv),
            Err(error) => _ = fault.get_or_insert(error),
        }
    }
    (Some(moves).filter(|moves| !moves.is_empty()), fault)
}

/// A move of the position of `game`, as `position` reads the next one.
fn read_search_move(game: &Game, text: &str) -> Result<Move, SearchMoveError> {
    let (size, deviations) = (game.position().size(), &mut Deviations::default());
    let mv = match game.moves() {
        [] => read_first_move(text, &mut game.start().to_setup(), true, deviations),
        _ => read_move(text, size, deviations),
    };
    let mv = mv.map_err(SearchMoveError::Text)?;
    let illegal = |reason| SearchMoveError::Illegal { text: text.to_owned(), reason };
    game.position().check_legal(mv).map_err(illegal)?;
    Ok(mv)
}
