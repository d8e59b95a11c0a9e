//! The reports of one search agree with each other, and every line is played by the rules to where it should end.

use std::collections::HashMap;

use tak_engine_core::board::{Game, Move};
use tak_engine_core::engine::Settings;
use tak_engine_core::notation::moves_text;
use tak_engine_core::search::{Line, Report, Solved};

/// What is wrong in the reports of one search of `game`, in their order.
pub fn faults(game: &Game, reports: &[Report], settings: &Settings) -> Vec<String> {
    let repetitions = settings.repetitions;
    let mut faults = Vec::new();
    let mut position: Option<Solved> = None;
    let mut moves: HashMap<Move, Solved> = HashMap::new();
    for (index, report) in reports.iter().enumerate() {
        let mut fault = |text: String| faults.push(format!("depth {}: {text}", report.depth));
        // At its end a level moves its choice to the front.
        let is_sorted = settings.level.is_none() || index + 1 < reports.len();
        if is_sorted && !report.lines.is_sorted_by(|a, b| a.score >= b.score) {
            fault("the lines are not sorted".to_owned());
        }
        for (rank, line) in report.lines.iter().enumerate() {
            let shown = format!("line {}, {} {}", rank + 1, line.score, moves_text(&line.pv));
            if let Err(reason) = follow(game, line, repetitions) {
                fault(format!("{reason}: {shown}"));
            }
            if line.solved != line.score.solved() {
                fault(format!("score and proof differ: {shown}"));
            }
            let known = moves.get(&line.pv[0]).copied();
            if !keeps(known, line.solved) {
                fault(format!("the move was {known:?}: {shown}"));
            }
            moves.extend(line.solved.map(|solved| (line.pv[0], solved)));
            if report.lines[..rank].iter().any(|other| other.pv[0] == line.pv[0]) {
                fault(format!("the same move again: {shown}"));
            }
        }
        let best = report.lines.first().and_then(|line| line.solved);
        if !keeps(position, best) {
            fault(format!("the position was {position:?}, now {best:?}"));
        }
        position = best.or(position);
    }
    faults
}

/// Returns whether `new` takes nothing back of `known`.
fn keeps(known: Option<Solved>, new: Option<Solved>) -> bool {
    match (known, new) {
        (None, _) => true,
        (Some(Solved::Win(before)), Some(Solved::Win(now))) | (Some(Solved::Loss(before)), Some(Solved::Loss(now))) => {
            now <= before
        }
        _ => false,
    }
}

/// Plays a line (the `repetitions`th occurrence of a position is a draw, 0 for never): every move is legal, nothing
/// follows the end of the game or a draw by repetition, and a proven line ends with the claimed result after the claimed
/// plies.
fn follow(game: &Game, line: &Line, repetitions: u32) -> Result<(), String> {
    let mover = game.position().to_move();
    let mut game = game.clone();
    let mut is_over = false;
    for &mv in &line.pv {
        if is_over {
            return Err(format!("{mv} after the end"));
        }
        game.play(mv).map_err(|error| format!("{mv}: {error}"))?;
        let is_drawn = repetitions > 0 && game.occurrences() >= repetitions as usize;
        is_over = is_drawn || game.position().outcome().is_some();
    }
    let Some(solved) = line.solved else {
        return Ok(());
    };
    if line.pv.len() != solved.plies() as usize {
        return Err(format!("{} plies", line.pv.len()));
    }
    let winner = if matches!(solved, Solved::Win(_)) { mover } else { !mover };
    let won = game.position().outcome().is_some_and(|outcome| outcome.winner == Some(winner));
    if won { Ok(()) } else { Err("not won at the end".to_owned()) }
}
