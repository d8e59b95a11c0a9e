//! The lines of a game with their comments and marks, from which Python makes a `GameTree`, and the reverse.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use tak_engine::notation::{PtnGame, PtnMove, PtnVariation};

use crate::errors::{guarded, invalid};
use crate::game::PyGame;
use crate::moves::{self, PyMove};
use crate::text::{check, is_readable_name, is_result, is_tag_of_result, keep_result};

/// A move, its marks, and the comments after it.
type Noted = (Py<PyMove>, String, Vec<String>);

/// A variation: its name, if it does not follow from its first move; the number of the variation that it leaves, `None`
/// for the game; the plies before it; the comments before its first move; its moves; its result.
type Variation = (Option<String>, Option<usize>, usize, Vec<String>, Vec<Noted>, Option<String>);

/// The comments before the first move, the moves, the result, and the variations.
type Lines = (Vec<String>, Vec<Noted>, Option<String>, Vec<Variation>);

/// The lines of a game, those before which the game was changed left out.
#[pyfunction]
pub fn lines_of(py: Python<'_>, game: PyRef<'_, PyGame>) -> Lines {
    let ptn = game.ptn();
    let all = |moves: &[PtnMove]| {
        moves
            .iter()
            .map(|played| (moves::object(py, played.mv), played.marks.clone(), played.comments.clone()))
            .collect()
    };
    let lines = ptn.variations.iter().map(|line| {
        let name = ptn.own_name(line).filter(|own| is_name(own)).map(str::to_owned);
        (name, line.parent, line.ply, line.comments.clone(), all(&line.moves), line.result.clone())
    });
    let lines = lines.collect();
    // Python has one value for each name. Others become comments, as tags that cannot be read do.
    let repeated = game
        .tags
        .iter()
        .enumerate()
        .filter(|(index, (name, _))| game.tags[index + 1..].iter().any(|(other, _)| other == name));
    let repeated = repeated.map(|(_, (name, value))| format!("[{name} \"{value}\"]"));
    (repeated.chain(ptn.comments.iter().cloned()).collect(), all(&ptn.moves), ptn.result.clone(), lines)
}

/// The game of a start, tags and lines. Only the moves of the game are checked to be legal.
#[pyfunction]
pub fn game_of_lines(start: PyRef<'_, PyGame>, tags: Bound<'_, PyDict>, lines: Lines) -> PyResult<PyGame> {
    let mut tags =
        tags.iter().map(|(name, value)| Ok((name.extract()?, value.extract()?))).collect::<PyResult<Vec<_>>>()?;
    let (comments, moves, result, variations) = lines;
    // Those of the text that it was read from among them.
    check(&tags, is_readable_name)?;
    let mut ptn = PtnGame::new(start.game.start().to_setup());
    (ptn.comments, ptn.moves, ptn.result) = (comments, noted_moves(moves)?, checked(result)?);
    for (own, parent, ply, comments, moves, result) in variations {
        let (moves, result) = (noted_moves(moves)?, checked(result)?);
        let is_known = parent.is_none_or(|parent| parent < ptn.variations.len()) && ply <= ptn.plies(parent);
        let first = moves.first().filter(|_| is_known).ok_or_else(|| invalid("a variation leaves no line"))?;
        let usual = ptn.variation_name(parent, ply, first);
        let name = match own.filter(|own| is_name(own)) {
            Some(own) => parent.map_or(own.clone(), |parent| format!("{}/{own}", ptn.variations[parent].name)),
            None => usual,
        };
        ptn.variations.push(PtnVariation { name, parent, ply, comments, moves, result });
    }
    guarded(|| {
        let game = ptn.game().map_err(invalid)?;
        if game.position().outcome().is_some() {
            // The rules decide.
            tags.retain(|(name, _)| !is_tag_of_result(name));
        }
        keep_result(&mut tags, &game, ptn.result.as_deref());
        Ok(PyGame { game, tags, notes: Some(Arc::new(ptn)) })
    })
}

fn noted_moves(moves: Vec<Noted>) -> PyResult<Vec<PtnMove>> {
    let noted = |(mv, marks, comments): Noted| {
        let mv = mv.get().0;
        if marks.chars().all(|mark| "*'\"!?".contains(mark)) {
            return Ok(PtnMove { mv, marks, comments });
        }
        Err(invalid(format!("invalid marks {marks:?} of the move {mv}: expected some of !, ?, ', \" and *")))
    };
    moves.into_iter().map(noted).collect()
}

fn checked(result: Option<String>) -> PyResult<Option<String>> {
    match result {
        Some(result) if !is_result(&result) => Err(invalid(format!("invalid result {result:?}"))),
        result => Ok(result),
    }
}

/// Returns whether readers find a variation and those that leave it by this name.
fn is_name(name: &str) -> bool {
    !name.trim().is_empty()
        && !name.starts_with(';')
        && !name.contains(['{', '}', '/', '.'])
        && !name.contains(char::is_control)
}
