//! Plays a list of pairings with several games at once and hands over every finished game.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::Instant;

use jiff::Timestamp;

use super::book::Opening;
use super::config::MatchRules;
use super::player::{Contender, Failure, Player};
use super::process::Cancel;
use super::record::{GameRecord, Termination};
use super::referee::{Verdict, play};
use super::schedule::Pairing;
use crate::board::{ByColor, Move, SetupError};
use crate::engine::AnyPosition;
use crate::notation::format_tps;

/// An engine that cannot play the tournament.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("engine {name}: {fault}")]
pub struct UnfitEngine {
    /// Its name.
    pub name: String,
    /// What is wrong with it.
    pub fault: String,
}

/// Starts every engine once, checks that it takes size, komi and options and gets ready for a game, and ends it again.
/// Returns early, as if all were well, when the run is cancelled.
///
/// # Errors
/// The first engine, in the order given, that fails.
pub fn check(contenders: &[Contender], cancel: &Cancel) -> Result<(), UnfitEngine> {
    let try_one = |contender: &Contender| {
        let mut player = Player::new(contender, cancel);
        match player.new_game() {
            Ok(()) | Err(Failure::Cancelled) => {
                player.quit();
                Ok(())
            }
            Err(Failure::Fault(fault)) => Err(UnfitEngine {
                name: contender.config.name.clone(),
                fault: match fault.termination {
                    // Nothing was restarted yet, and the detail says it all.
                    Termination::StartFailure => fault.detail,
                    other => format!("{other}: {}", fault.detail),
                },
            }),
        }
    };
    thread::scope(|scope| {
        let checks: Vec<_> = contenders
            .iter()
            .map(|contender| scope.spawn(move || try_one(contender)))
            .collect();
        checks.into_iter().try_for_each(|check| {
            check
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    })
}

/// What is played, by whom and how.
#[derive(Debug)]
pub struct Match<'a> {
    /// The engines; pairings name them by index.
    pub contenders: &'a [Contender],
    /// Where games begin; pairings name them by index.
    starts: Vec<Start>,
    /// How games end.
    pub rules: &'a MatchRules,
    /// Marks the records as belonging to these settings.
    pub fingerprint: String,
}

#[derive(Debug)]
struct Start {
    position: AnyPosition,
    tps: String,
    moves: Vec<Move>,
}

impl<'a> Match<'a> {
    /// A match of these engines from these openings.
    ///
    /// # Errors
    /// When an opening's first position is not playable.
    pub fn new(
        contenders: &'a [Contender],
        openings: &[Opening],
        rules: &'a MatchRules,
        fingerprint: String,
    ) -> Result<Self, SetupError> {
        let start = |opening: &Opening| {
            Ok(Start {
                position: AnyPosition::from_setup(&opening.start)?,
                tps: format_tps(&opening.start),
                moves: opening.moves.clone(),
            })
        };
        Ok(Self {
            contenders,
            starts: openings.iter().map(start).collect::<Result<_, _>>()?,
            rules,
            fingerprint,
        })
    }

    /// Plays the pairings in their order, `concurrency` games at once, each with its own engine processes that go from
    /// game to game. Every finished game goes to `on_game`, in the order of finishing, on this thread; its
    /// [`ControlFlow::Break`] ends the run. After `cancel` games in progress are given up.
    pub fn run(
        &self,
        pairings: &[Pairing],
        concurrency: usize,
        cancel: &Cancel,
        mut on_game: impl FnMut(GameRecord) -> ControlFlow<()>,
    ) {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..concurrency.min(pairings.len()) {
                let sender = sender.clone();
                let next = &next;
                scope.spawn(move || self.work(pairings, next, cancel, &sender));
            }
            drop(sender);
            for record in &receiver {
                if on_game(record).is_break() {
                    cancel.cancel();
                    break;
                }
            }
            // Workers that still have a finished game find nobody to take it.
            drop(receiver);
        });
    }

    /// One game after the other until none is left or nobody wants them.
    fn work(
        &self,
        pairings: &[Pairing],
        next: &AtomicUsize,
        cancel: &Cancel,
        finished: &Sender<GameRecord>,
    ) {
        let mut players: Vec<Player> = self
            .contenders
            .iter()
            .map(|contender| Player::new(contender, cancel))
            .collect();
        while !cancel.is_cancelled()
            && let Some(pairing) = pairings.get(next.fetch_add(1, Ordering::Relaxed))
            && let Some(record) = self.game(pairing, &mut players)
            && finished.send(record).is_ok()
        {}
        for mut player in players {
            player.quit();
        }
    }

    /// `None` when the run was cancelled, or for a pairing of engines or openings that do not exist.
    fn game(&self, pairing: &Pairing, players: &mut [Player]) -> Option<GameRecord> {
        let start = self.starts.get(pairing.opening)?;
        let pair = players
            .get_disjoint_mut([pairing.white, pairing.black])
            .ok()?;
        let started = Timestamp::now();
        let clock = Instant::now();
        let Verdict {
            result,
            termination,
            detail,
            moves,
        } = play(ByColor(pair), &start.position, &start.moves, self.rules)?;
        Some(GameRecord {
            settings: self.fingerprint.clone(),
            game: pairing.game,
            round: pairing.round,
            pair: pairing.pair,
            white: pairing.white,
            black: pairing.black,
            opening: pairing.opening,
            start_tps: start.tps.clone(),
            opening_plies: start.moves.len(),
            result,
            termination,
            detail,
            moves,
            started: format!("{started:.0}"),
            wall_ms: clock.elapsed().as_millis() as u64,
        })
    }
}
