//! The games of a run, round by round.

use std::collections::HashMap;
use std::ops::ControlFlow;

use anyhow::bail;
use tak_engine::arena::play::process::Cancel;
use tak_engine::arena::play::runner::{Match, Task, in_turn};
use tak_engine::arena::record::GameRecord;
use tak_engine::arena::record::Pairing;
use tak_engine::arena::tournament::schedule::{Format, OpeningOrder, Schedule};
use tak_engine::board::ByColor;
use tak_engine::journals::journal::Journal;

use super::parameter::Tuned;
use super::run::{Spsa, SpsaRun, SpsaSettings};

/// Plays the games that are left, `at_once` at the same time. Every pair goes to the journal and then counts; `entered`
/// gets the run after it.
///
/// # Errors
/// The reason why the run cannot continue. Games in progress are then aborted.
pub fn play(
    games: &Match,
    run: &mut SpsaRun,
    mut journal: Option<Journal<Spsa>>,
    at_once: usize,
    cancel: &Cancel,
    entered: impl Fn(&SpsaRun),
) -> anyhow::Result<()> {
    let pairings = pairings(&run.settings)?;
    while !cancel.is_cancelled() {
        let tasks = round(run, &pairings);
        if tasks.is_empty() {
            break;
        }
        let mut halves = HashMap::new();
        let mut fault = Ok(());
        games.run(&in_turn(&tasks), at_once.min(tasks.len()), cancel, |game| {
            fault = take(run, &mut halves, &mut journal, game);
            entered(run);
            if fault.is_err() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        fault?;
    }
    Ok(())
}

/// Takes in a finished game. The second one of a pair makes it count.
fn take(
    run: &mut SpsaRun,
    halves: &mut HashMap<u64, GameRecord>,
    journal: &mut Option<Journal<Spsa>>,
    game: GameRecord,
) -> anyhow::Result<()> {
    let (number, iteration) = (game.pairing.game + 1, game.pairing.pair + 1);
    // It would count as a loss, which is unrelated to the parameters.
    if game.at_fault().is_some() {
        let detail = game.detail.as_deref().unwrap_or("no details");
        let how = game.termination;
        bail!(
            "game {number} of iteration {iteration} ended by a fault of the engine ({how}: {detail}); the run stops, \
             --resume plays it again"
        );
    }
    let Some(other) = halves.remove(&iteration) else {
        halves.insert(iteration, game);
        return Ok(());
    };
    let games = if game.pairing.game < other.pairing.game { [&game, &other] } else { [&other, &game] };
    let pair = run.pair(iteration, games).map_err(anyhow::Error::msg)?;
    if let Some(journal) = journal {
        journal.append(&pair)?;
    }
    run.enter(&pair).map_err(anyhow::Error::msg)
}

/// The games of every board: the openings in their order. The first engine is the plus side.
fn pairings(settings: &SpsaSettings) -> anyhow::Result<Vec<Vec<Pairing>>> {
    let games = 2 * settings.iterations.div_ceil(settings.boards.len() as u64);
    let of_board = settings.boards.iter().map(|board| {
        let (order, seed) = (OpeningOrder::Shuffled, settings.seed);
        Schedule { format: Format::Sprt, engines: 2, games, openings: board.openings, order, seed }.pairings()
    });
    of_board.collect()
}

/// The unfinished games of the present round. Of all engines two after each other are for a board, and the openings are
/// those of one board after the other.
fn round(run: &SpsaRun, pairings: &[Vec<Pairing>]) -> Vec<Task> {
    let settings = &run.settings;
    let mut tasks = Vec::new();
    for iteration in run.left_of_round() {
        let Some(trial) = run.trial(iteration) else { break };
        let [plus, minus] = [trial.plus, trial.minus].map(|values| options(&settings.params, &values));
        let pair = iteration - 1;
        let boards = pairings.len() as u64;
        let (board, round) = ((pair % boards) as usize, (pair / boards) as usize);
        let first_opening: usize = settings.boards[..board].iter().map(|board| board.openings).sum();
        for (game, planned) in (2 * pair..).zip(&pairings[board][2 * round..][..2]) {
            let pairing = Pairing {
                game,
                pair,
                white: 2 * board + planned.white,
                black: 2 * board + planned.black,
                opening: first_opening + planned.opening,
                ..*planned
            };
            let (white, black) = if planned.white == 0 { (&plus, &minus) } else { (&minus, &plus) };
            tasks.push(Task { pairing, options: ByColor([white.clone(), black.clone()]) });
        }
    }
    tasks
}

/// Values of parameters as options of an engine.
pub fn options(params: &[Tuned], values: &[i32]) -> Vec<(String, String)> {
    let all = params.iter().zip(values);
    all.map(|(param, value)| (param.name.clone(), value.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::spsa::run::tests;

    #[test]
    fn paired_games_share_an_opening_and_swap_colours() {
        // Two boards, with 3 and 2 openings.
        let boards = vec![tests::board(5, 3), tests::board(6, 2)];
        let run = SpsaRun::new(SpsaSettings { boards, ..tests::settings(13) });
        let tasks = round(&run, &pairings(&run.settings).unwrap());
        assert_eq!(tasks.len(), 26);
        let mut openings = [BTreeSet::new(), BTreeSet::new()];
        for (pair, two) in tasks.chunks(2).enumerate() {
            let board = pair % 2;
            let [first, second] = two else { unreachable!() };
            let trial = run.trial(pair as u64 + 1).unwrap();
            let [plus, minus] = [trial.plus, trial.minus].map(|values| options(&run.settings.params, &values));
            assert_eq!(first.options, ByColor([plus.clone(), minus.clone()]));
            assert_eq!(second.options, ByColor([minus, plus]));
            let (one, other) = (first.pairing, second.pairing);
            assert_eq!((one.white, one.black), (2 * board, 2 * board + 1));
            assert_eq!((other.white, other.black), (one.black, one.white));
            assert_eq!((one.opening, one.pair), (other.opening, other.pair));
            assert_eq!((one.game, other.game), (2 * pair as u64, 2 * pair as u64 + 1));
            openings[board].insert(one.opening);
        }
        assert_eq!(openings, [BTreeSet::from([0, 1, 2]), BTreeSet::from([3, 4])]);
    }
}
