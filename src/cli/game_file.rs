//! Games of PTN files, and their faults on stderr.

use anyhow::{Context, bail};

use super::progress::Progress;
use super::values::Place;
pub(super) use crate::analysis::games::PtnGames;
use crate::board::{AnyPosition, Game, Setup};
use crate::notation::ReadGame;

/// The game of a PTN file from this start, up to a place in it or to its end. Faults of a later part do not
/// matter.
pub(super) fn played(read: &ReadGame, start: &Setup, at: Option<Place>) -> anyhow::Result<Game> {
    let in_line = |plies: usize| format!("line {}", read.line(plies));
    let moves = &read.game.moves;
    if let Some(fault) = read.fault.as_ref().filter(|_| at.is_none() || moves.is_empty()) {
        return Err(fault.clone().into());
    }
    let mut game = Game::new(AnyPosition::from_setup(start).with_context(|| in_line(usize::MAX))?);
    let plies = match at.map(|at| at.plies(game.start(), moves.len())) {
        None => moves.len(),
        Some(Ok(plies)) => plies,
        Some(Err(reason)) => bail!(read.fault.as_ref().map_or(reason, ToString::to_string)),
    };
    for (ply, mv) in moves[..plies].iter().map(|ptn| ptn.mv).enumerate() {
        game.play(mv).with_context(|| format!("{}: ply {} ({mv}) is illegal", in_line(ply), ply + 1))?;
    }
    Ok(game)
}

/// Reports on stderr the fault of the game with this number, from 0.
pub(super) fn say_fault(progress: &Progress, number: u64, fault: &str) {
    progress.note(&format_args!("game {}: {fault}", number + 1));
}
