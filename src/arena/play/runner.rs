//! Plays requested games, several at once, and hands over every finished one.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::time::{Instant, SystemTime};
use std::{fs, thread};

use anyhow::{anyhow, bail, ensure};
use humantime::format_rfc3339_seconds;
use rayon::prelude::*;
use rustix::process::{Resource, getrlimit};

use super::adjudicate::End;
use super::config::MatchRules;
use super::identity::Identity;
use super::player::{EngineEntry, Failure, Player, Unfinished};
use super::process::{Cancel, Process};
use super::referee::play;
use crate::arena::live::LiveGames;
use crate::arena::record::{GameRecord, Pairing, Termination};
use crate::board::{AnyPosition, ByColor, Move, SetupError};
use crate::openings::book::Opening;
use crate::threads::{pool, workers};

/// Open files for the journal, other output and signals.
const OWN_FILES: u64 = 24;

/// Checks that this process may have as many files open as it needs to play this many games at once.
pub fn check_open_files(engines: usize, at_once: usize) -> anyhow::Result<()> {
    let Some(limit) = getrlimit(Resource::Nofile).current else {
        return Ok(());
    };
    let present = fs::read_dir("/proc/self/fd").map_or(3, |files| files.count() as u64);
    // Each game keeps a process of every engine. Before the first game all engines are started at once, to check them.
    let running = Process::OPEN_FILES * engines as u64;
    let games = at_once as u64 * (running + Process::OPEN_AT_START);
    let checks = running + Process::OPEN_AT_START * engines as u64;
    let needed = present + OWN_FILES + games.max(checks);
    ensure!(
        needed <= limit,
        "{at_once} games at once of {engines} engines need {needed} open files, the limit is {limit}: \
         raise it (ulimit -n {needed}) or lower --threads"
    );
    Ok(())
}

/// Starts every engine once, checks that it takes size, komi and options and gets ready for a game, and ends it again.
/// Returns what they say of themselves. Returns early, as if all were well, when the run is cancelled.
pub fn check(engines: &[EngineEntry], cancel: &Cancel) -> anyhow::Result<Vec<Identity>> {
    let try_one = |entry: &EngineEntry| {
        let mut player = Player::new(entry, cancel);
        let name = &entry.config.name;
        match player.new_game(&[]) {
            Ok(()) | Err(Failure::Unfinished(Unfinished::Cancelled)) => {
                let identity = player.identity();
                player.quit();
                Ok(identity)
            }
            Err(Failure::Unfinished(Unfinished::Breakdown(what))) => bail!(what),
            Err(Failure::Fault(fault)) => match fault.termination {
                // Its name is "failed restart", but this is the first start. The detail is enough.
                Termination::StartFailure => bail!("engine {name}: {}", fault.detail),
                other => bail!("engine {name}: {other}: {}", fault.detail),
            },
        }
    };
    let try_all = || engines.par_iter().with_max_len(1).map(try_one).collect::<Vec<_>>();
    // The first one in the order given is named, whichever failed first.
    pool(engines.len())?.install(try_all).into_iter().collect()
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    pub pairing: Pairing,
    /// Options that White and Black are given before the game, on top of their settings, by name and value.
    pub options: ByColor<Vec<(String, String)>>,
}

impl From<Pairing> for Task {
    fn from(pairing: Pairing) -> Self {
        Self { pairing, options: ByColor::default() }
    }
}

/// The games of a list in its order.
pub fn in_turn(tasks: &[Task]) -> impl Fn() -> Option<Task> + Sync {
    let next = AtomicUsize::new(0);
    move || tasks.get(next.fetch_add(1, Ordering::Relaxed)).cloned()
}

/// The games: engines, openings and rules.
#[derive(Debug)]
pub struct Match<'a> {
    /// The engines; pairings name them by index.
    pub engines: &'a [EngineEntry],
    /// The openings; pairings name them by index.
    starts: Vec<Start>,
    pub rules: &'a MatchRules,
    /// Marks the records as belonging to these settings.
    pub fingerprint: String,
    pub live: Arc<LiveGames>,
}

#[derive(Debug)]
struct Start {
    position: AnyPosition,
    tps: String,
    moves: Vec<Move>,
}

impl<'a> Match<'a> {
    pub fn new(
        engines: &'a [EngineEntry],
        openings: &[Opening],
        rules: &'a MatchRules,
        fingerprint: String,
    ) -> Result<Self, SetupError> {
        let start = |opening: &Opening| {
            Ok(Start {
                position: AnyPosition::from_setup(&opening.start)?,
                tps: opening.start.to_string(),
                moves: opening.moves.clone(),
            })
        };
        Ok(Self {
            engines,
            starts: openings.iter().map(start).collect::<Result<_, _>>()?,
            rules,
            fingerprint,
            live: Arc::default(),
        })
    }

    /// Plays the games that `next` returns until `None`, `concurrency` of them at once, each with its own engine processes,
    /// which are kept from game to game. Every finished game goes to `on_game`, in the order of finishing, on this
    /// thread; its [`ControlFlow::Break`] ends the run. When `cancel` is used, games in progress are aborted. `next` is
    /// called on the threads that play. It may wait for games that are in progress, as long as nothing is cancelled.
    ///
    /// # Errors
    /// The reason why the run cannot continue; games in progress are then aborted as well.
    pub fn run(
        &self,
        next: &(impl Fn() -> Option<Task> + Sync),
        concurrency: usize,
        cancel: &Cancel,
        mut on_game: impl FnMut(GameRecord) -> ControlFlow<()>,
    ) -> anyhow::Result<()> {
        let (sender, receiver) = mpsc::channel();
        workers(concurrency)?.in_place_scope(|scope| {
            scope.spawn_broadcast(move |_, _| self.work(next, cancel, &sender));
            let mut result = Ok(());
            for finished in &receiver {
                let flow = match finished {
                    Ok(record) => on_game(record),
                    Err(breakdown) => {
                        result = Err(anyhow!("run aborted, unfinished games are discarded: {breakdown}"));
                        ControlFlow::Break(())
                    }
                };
                if flow.is_break() {
                    cancel.cancel();
                    break;
                }
            }
            // Workers that finish a game later see that the receiver is gone.
            drop(receiver);
            result
        })
    }

    /// Plays one game after the other until none is left or no more are wanted.
    fn work(&self, next: &impl Fn() -> Option<Task>, cancel: &Cancel, finished: &Sender<Result<GameRecord, String>>) {
        let _guard = CancelOnPanic(cancel);
        let mut players: Vec<Player> = self.engines.iter().map(|entry| Player::new(entry, cancel)).collect();
        while !cancel.is_cancelled()
            && let Some(task) = next()
            && let Some(result) = self.game(&task, &mut players)
        {
            let is_over = result.is_err();
            if finished.send(result).is_err() || is_over {
                break;
            }
        }
        for mut player in players {
            player.quit();
        }
    }

    /// `None` when the run was cancelled, or for a pairing of engines or openings that do not exist.
    fn game(&self, task: &Task, players: &mut [Player]) -> Option<Result<GameRecord, String>> {
        let Task { pairing, options } = task;
        let start = self.starts.get(pairing.opening)?;
        let pair = players.get_disjoint_mut([pairing.white, pairing.black]).ok()?;
        let started = SystemTime::now().max(SystemTime::UNIX_EPOCH);
        let clock = Instant::now();
        let watched = (&*self.live, *pairing);
        let played = play(ByColor(pair), options, &start.position, &start.moves, self.rules, watched);
        self.live.end(pairing.game);
        let (End { result, termination, detail }, moves) = match played {
            Ok(played) => played,
            Err(Unfinished::Breakdown(breakdown)) => return Some(Err(breakdown)),
            Err(Unfinished::Cancelled) => return None,
        };
        players.iter_mut().for_each(Player::rest);
        Some(Ok(GameRecord {
            settings: self.fingerprint.clone(),
            pairing: *pairing,
            start_tps: start.tps.clone(),
            opening_plies: start.moves.len(),
            result,
            termination,
            detail,
            moves,
            started: format_rfc3339_seconds(started).to_string(),
            wall_ms: clock.elapsed().as_millis() as u64,
        }))
    }
}

/// Ends the run when the thread that has it panics, so that no other waits for its game. The panic resumes when all have
/// ended.
struct CancelOnPanic<'a>(&'a Cancel);

impl Drop for CancelOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.cancel();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_thread_that_panics_ends_the_run() {
        let cancel = Cancel::new().unwrap();
        let rules = MatchRules::default();
        let games = Match::new(&[], &[], &rules, String::new()).unwrap();
        let asked = AtomicUsize::new(0);
        // The others wait for the game of the one that panics.
        let next = || {
            assert_ne!(asked.fetch_add(1, Ordering::Relaxed), 1, "on purpose");
            while !cancel.is_cancelled() {
                thread::sleep(Duration::from_millis(1));
            }
            None
        };
        let run = || games.run(&next, 3, &cancel, |_| ControlFlow::Continue(()));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
        assert!(cancel.is_cancelled());
    }
}
