//! Hands out the games of a run and puts them together to pairs.

use std::collections::HashMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::course::Course;
use super::journal::PairRecord;
use super::margin::Tuned;
use crate::arena::process::Cancel;
use crate::arena::record::GameRecord;
use crate::arena::runner::Task;
use crate::arena::schedule::{Format, OpeningOrder, Pairing, Schedule, ScheduleError};
use crate::board::ByColor;

/// How often those who wait for a pair look whether the run is cancelled.
const PATIENCE: Duration = Duration::from_millis(100);

/// Where those who play get their games. On every board the engine with the even number is the plus side, the next one the
/// minus side.
#[derive(Debug)]
pub struct Desk<'a> {
    /// The openings of each board in their order.
    pairings: Vec<Vec<Pairing>>,
    /// The first opening of each board among all of them.
    first_openings: Vec<usize>,
    cancel: &'a Cancel,
    state: Mutex<State>,
    /// Some pair has been entered.
    entered: Condvar,
}

#[derive(Debug)]
struct State {
    course: Course,
    /// The first iteration that may be without games yet.
    next: u64,
    /// The other game of a pair.
    second: Option<Task>,
    /// Games whose pair is not complete, by iteration.
    halves: HashMap<u64, GameRecord>,
}

impl<'a> Desk<'a> {
    /// A desk for the rest of a run.
    ///
    /// # Errors
    /// When a board has no openings, or too many.
    pub fn new(course: Course, cancel: &'a Cancel) -> Result<Self, ScheduleError> {
        let settings = course.settings();
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
            state: Mutex::new(State { course, next: 1, second: None, halves: HashMap::new() }),
            entered: Condvar::new(),
        })
    }

    /// The next game. Waits while its values depend on games that are in progress. `None` when all are handed out or the
    /// run is cancelled.
    pub fn next(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if self.cancel.is_cancelled() {
                return None;
            }
            if let Some(second) = state.second.take() {
                return Some(second);
            }
            while state.course.has(state.next) {
                state.next += 1;
            }
            if state.next > state.course.settings().iterations {
                return None;
            }
            if let Some([first, second]) = self.games(&state.course, state.next) {
                state.next += 1;
                state.second = Some(second);
                return Some(first);
            }
            let waited = self.entered.wait_timeout(state, PATIENCE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Both games of an iteration, if its values are known.
    fn games(&self, course: &Course, iteration: u64) -> Option<[Task; 2]> {
        let trial = course.trial(iteration)?;
        let margins = &course.settings().margins;
        let [plus, minus] = [trial.plus, trial.minus].map(|values| options(margins, &values));
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

    /// Takes a finished game. Returns its pair when that is complete, which does not count before it is entered.
    pub fn take(&self, game: GameRecord) -> Option<PairRecord> {
        let mut state = self.lock();
        let iteration = game.pair + 1;
        let Some(other) = state.halves.remove(&iteration) else {
            state.halves.insert(iteration, game);
            return None;
        };
        let trial = state.course.trial(iteration)?;
        let mut games = [game, other];
        games.sort_by_key(|game| game.game);
        Some(PairRecord {
            settings: state.course.fingerprint().to_owned(),
            iteration,
            plus: trial.plus,
            minus: trial.minus,
            results: games.each_ref().map(|game| game.result),
            plies: games.each_ref().map(|game| game.moves.len()),
        })
    }

    /// Lets a pair count.
    ///
    /// # Errors
    /// Why it is none of this run.
    pub fn enter(&self, pair: &PairRecord) -> Result<(), String> {
        self.lock().course.enter(pair)?;
        self.entered.notify_all();
        Ok(())
    }

    /// Shows how the run has gone so far. Nobody gets a game meanwhile.
    pub fn show<T>(&self, look: impl FnOnce(&Course) -> T) -> T {
        look(&self.lock().course)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Values of margins as options of an engine.
pub fn options(margins: &[Tuned], values: &[i32]) -> Vec<(String, String)> {
    let all = margins.iter().zip(values);
    all.map(|(margin, value)| (margin.name.clone(), value.to_string())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::thread;

    use super::*;
    use crate::arena::record::{GameResult, Termination};
    use crate::board::{Komi, Size};
    use crate::spsa::journal::{Board, SpsaSettings, testing};

    /// Two boards, with 3 and 2 openings.
    fn settings(iterations: u64, delay: u64) -> SpsaSettings {
        let board = |size, openings| Board::new(size, Komi::ZERO, openings, openings.to_string());
        SpsaSettings {
            boards: vec![board(Size::ALL[2], 3), board(Size::ALL[3], 2)],
            ..testing::settings(iterations, delay)
        }
    }

    /// A game whose result depends on the task alone.
    fn played(task: &Task) -> GameRecord {
        let Pairing { game, round, pair, white, black, opening } = task.pairing;
        let results = [GameResult::WhiteWin, GameResult::BlackWin, GameResult::Draw];
        GameRecord {
            settings: String::new(),
            game,
            round,
            pair,
            white,
            black,
            opening,
            start_tps: String::new(),
            opening_plies: 0,
            result: results[(game * game + 1) as usize % 3],
            termination: Termination::Road,
            detail: None,
            moves: Vec::new(),
            started: String::new(),
            wall_ms: 0,
        }
    }

    #[test]
    fn both_games_of_a_pair_have_the_same_opening_and_colours_swapped() {
        let cancel = Cancel::new().unwrap();
        let course = Course::new(settings(13, 20));
        let desk = Desk::new(course, &cancel).unwrap();
        let tasks: Vec<Task> = std::iter::from_fn(|| desk.next()).collect();
        assert_eq!(tasks.len(), 26);
        let mut openings = [BTreeSet::new(), BTreeSet::new()];
        for (pair, two) in tasks.chunks(2).enumerate() {
            let board = pair % 2;
            let [first, second] = two else { unreachable!() };
            let trial = desk.show(|course| course.trial(pair as u64 + 1)).unwrap();
            let margins = desk.show(|course| course.settings().margins.clone());
            let [plus, minus] = [trial.plus, trial.minus].map(|v| options(&margins, &v));
            assert_eq!(first.options, ByColor([plus.clone(), minus.clone()]));
            assert_eq!(second.options, ByColor([minus, plus]));
            let (one, other) = (first.pairing, second.pairing);
            assert_eq!((one.white, one.black), (2 * board, 2 * board + 1));
            assert_eq!((other.white, other.black), (one.black, one.white));
            assert_eq!((one.opening, one.pair), (other.opening, other.pair));
            assert_eq!((one.game, other.game), (2 * pair as u64, 2 * pair as u64 + 1));
            openings[board].insert(one.opening);
        }
        assert_eq!(openings[0], BTreeSet::from([0, 1, 2]));
        assert_eq!(openings[1], BTreeSet::from([3, 4]));
    }

    /// A run on so many threads, from where the course is.
    fn run(course: Course, threads: usize) -> Course {
        let cancel = Cancel::new().unwrap();
        let desk = Desk::new(course, &cancel).unwrap();
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    while let Some(task) = desk.next() {
                        thread::yield_now();
                        if let Some(pair) = desk.take(played(&task)) {
                            desk.enter(&pair).unwrap();
                        }
                    }
                });
            }
        });
        desk.state.into_inner().unwrap().course
    }

    #[test]
    fn any_number_of_threads_plays_the_same_run() {
        let one = run(Course::new(settings(80, 3)), 1);
        assert_eq!(one.counted(), 80);
        for threads in [2, 5, 9] {
            let more = run(Course::new(settings(80, 3)), threads);
            assert_eq!(more.path(), one.path(), "{threads} threads");
            assert_eq!(more.score(), one.score());
        }
    }

    #[test]
    fn a_run_that_is_continued_plays_what_is_left() {
        let whole = run(Course::new(settings(40, 4)), 3);
        let mut course = Course::new(settings(40, 4));
        let cancel = Cancel::new().unwrap();
        let desk = Desk::new(Course::new(settings(40, 4)), &cancel).unwrap();
        // Pairs 1 and 3 of the first four are finished.
        let tasks: Vec<Task> = (0..8).map(|_| desk.next().unwrap()).collect();
        for place in [0, 1, 4, 5] {
            if let Some(pair) = desk.take(played(&tasks[place])) {
                course.enter(&pair).unwrap();
            }
        }
        assert_eq!((course.counted(), course.finished()), (1, 2));
        let again = run(course, 3);
        assert_eq!(again.path(), whole.path());
        assert_eq!(again.score(), whole.score());
    }

    #[test]
    fn whoever_waits_leaves_when_the_run_is_cancelled() {
        let cancel = Cancel::new().unwrap();
        let desk = Desk::new(Course::new(settings(5, 1)), &cancel).unwrap();
        assert!(desk.next().is_some() && desk.next().is_some());
        thread::scope(|scope| {
            let waiting = scope.spawn(|| desk.next());
            thread::sleep(PATIENCE / 2);
            assert!(!waiting.is_finished());
            cancel.cancel();
            assert_eq!(waiting.join().unwrap(), None);
        });
    }
}
