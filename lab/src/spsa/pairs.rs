//! Hands out the games of a run and joins them into pairs.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tak_engine::arena::play::process::Cancel;
use tak_engine::arena::play::runner::Task;
use tak_engine::arena::tournament::record::GameRecord;
use tak_engine::arena::tournament::schedule::{Format, OpeningOrder, Pairing, Schedule};
use tak_engine::board::ByColor;

use super::parameter::Tuned;
use super::run::{PairRecord, SpsaRun};

/// Waiting threads check for the end of the run at this interval.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Gives games to the threads that play them. On every board the engine with the even number is the plus side, the next one
/// the minus side.
#[derive(Debug)]
pub struct PairScheduler<'a> {
    /// The openings of each board in their order.
    pairings: Vec<Vec<Pairing>>,
    /// The first opening of each board among all of them.
    first_openings: Vec<usize>,
    cancel: &'a Cancel,
    state: Mutex<State>,
    /// Signalled after a pair was entered.
    entered: Condvar,
}

#[derive(Debug)]
struct State {
    run: SpsaRun,
    /// The first iteration that may be without games yet.
    next: u64,
    /// The other game of a pair.
    second: Option<Task>,
    /// Games whose pair is not complete, by iteration.
    halves: HashMap<u64, GameRecord>,
}

impl<'a> PairScheduler<'a> {
    pub fn new(run: SpsaRun, cancel: &'a Cancel) -> anyhow::Result<Self> {
        let settings = &run.settings;
        let boards = settings.boards.iter();
        let pairings = boards.map(|board| {
            let schedule = Schedule {
                format: Format::Sprt,
                engines: 2,
                games: 2 * settings.iterations.div_ceil(settings.boards.len() as u64),
                openings: board.openings,
                order: OpeningOrder::Shuffled,
                seed: settings.seed,
            };
            schedule.pairings()
        });
        let before = settings.boards.iter().scan(0, |before, board| {
            let first = *before;
            *before += board.openings;
            Some(first)
        });
        Ok(Self {
            pairings: pairings.collect::<Result<_, _>>()?,
            first_openings: before.collect(),
            cancel,
            state: Mutex::new(State { run, next: 1, second: None, halves: HashMap::new() }),
            entered: Condvar::new(),
        })
    }

    /// The next game. Waits while its values depend on games in progress. `None` when all games are handed out or the run
    /// is cancelled.
    pub fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if self.cancel.is_cancelled() {
                return None;
            }
            if let Some(second) = state.second.take() {
                return Some(second);
            }
            while state.run.has(state.next) {
                state.next += 1;
            }
            if state.next > state.run.settings.iterations {
                return None;
            }
            if let Some([first, second]) = self.games(&state.run, state.next) {
                state.next += 1;
                state.second = Some(second);
                return Some(first);
            }
            let waited = self.entered.wait_timeout(state, POLL_INTERVAL);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Both games of an iteration, if its values are known.
    fn games(&self, run: &SpsaRun, iteration: u64) -> Option<[Task; 2]> {
        let trial = run.trial(iteration)?;
        let params = &run.settings.params;
        let [plus, minus] = [trial.plus, trial.minus].map(|values| options(params, &values));
        let pair = iteration - 1;
        let boards = self.pairings.len() as u64;
        let (board, round) = ((pair % boards) as usize, pair / boards);
        let game = |second: u64| {
            let planned = self.pairings[board].get((2 * round + second) as usize)?;
            let pairing = Pairing {
                game: 2 * pair + second,
                pair,
                white: 2 * board + planned.white,
                black: 2 * board + planned.black,
                opening: self.first_openings[board] + planned.opening,
                ..*planned
            };
            let (white, black) = if planned.white == 0 { (&plus, &minus) } else { (&minus, &plus) };
            Some(Task { pairing, options: ByColor([white.clone(), black.clone()]) })
        };
        Some([game(0)?, game(1)?])
    }

    /// Takes a finished game. Returns its pair if that is complete; it does not count before it is entered.
    pub fn take(&self, game: GameRecord) -> Option<PairRecord> {
        let mut state = self.lock();
        let iteration = game.pairing.pair + 1;
        let Some(other) = state.halves.remove(&iteration) else {
            state.halves.insert(iteration, game);
            return None;
        };
        let trial = state.run.trial(iteration)?;
        let mut games = [game, other];
        games.sort_by_key(|game| game.pairing.game);
        Some(PairRecord {
            settings: state.run.fingerprint.clone(),
            iteration,
            plus: trial.plus,
            minus: trial.minus,
            results: games.each_ref().map(|game| game.result),
            plies: games.each_ref().map(|game| game.moves.len()),
        })
    }

    /// Counts a pair.
    pub fn enter(&self, pair: &PairRecord) -> Result<(), String> {
        self.lock().run.enter(pair)?;
        self.entered.notify_all();
        Ok(())
    }

    /// Shows the state of the run. No games are handed out meanwhile.
    pub fn show<T>(&self, look: impl FnOnce(&SpsaRun) -> T) -> T {
        look(&self.lock().run)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Values of parameters as options of an engine.
pub fn options(params: &[Tuned], values: &[i32]) -> Vec<(String, String)> {
    let all = params.iter().zip(values);
    all.map(|(param, value)| (param.name.clone(), value.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::thread;

    use super::*;
    use crate::spsa::run::{SpsaSettings, tests};

    /// A run on two boards, with 3 and 2 openings.
    fn new_run(iterations: u64, delay: u64) -> SpsaRun {
        let boards = vec![tests::board(5, 3), tests::board(6, 2)];
        SpsaRun::new(SpsaSettings { boards, ..tests::settings(iterations, delay) })
    }

    #[test]
    fn paired_games_share_an_opening_and_swap_colours() {
        let cancel = Cancel::new().unwrap();
        let pairs = PairScheduler::new(new_run(13, 20), &cancel).unwrap();
        let tasks: Vec<Task> = std::iter::from_fn(|| pairs.next()).collect();
        assert_eq!(tasks.len(), 26);
        let mut openings = [BTreeSet::new(), BTreeSet::new()];
        for (pair, two) in tasks.chunks(2).enumerate() {
            let board = pair % 2;
            let [first, second] = two else { unreachable!() };
            let [plus, minus] = pairs.show(|run| {
                let trial = run.trial(pair as u64 + 1).unwrap();
                [trial.plus, trial.minus].map(|values| options(&run.settings.params, &values))
            });
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

    #[test]
    fn cancel_wakes_waiting_threads() {
        let cancel = Cancel::new().unwrap();
        let pairs = PairScheduler::new(new_run(5, 1), &cancel).unwrap();
        assert!(pairs.next().is_some() && pairs.next().is_some());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| pairs.next());
            cancel.cancel();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
