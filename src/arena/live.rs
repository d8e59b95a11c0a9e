//! The games in progress, for those who watch a tournament.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::record::{MoveRecord, Pairing};
use crate::board::{ByColor, Color};

/// A game that is being played.
#[derive(Debug, Clone)]
pub struct LiveGame {
    pub pairing: Pairing,
    /// The position before the first move.
    pub start_tps: String,
    /// Number of moves at the start that come from the opening.
    pub opening_plies: usize,
    pub moves: Vec<MoveRecord>,
    /// What each clock had left when the turn began; `None` without a clock.
    pub clocks: ByColor<Option<Duration>>,
    pub turn_began: Instant,
}

impl LiveGame {
    /// What is left of a player's clock now. `mover` is the player who thinks.
    pub fn clock(&self, color: Color, mover: Color) -> Option<Duration> {
        let spent = if color == mover { self.turn_began.elapsed() } else { Duration::ZERO };
        self.clocks[color].map(|left| left.saturating_sub(spent))
    }
}

/// All games in progress, by their numbers in the list.
#[derive(Debug, Default)]
pub struct LiveGames(Mutex<BTreeMap<u64, LiveGame>>);

impl LiveGames {
    /// A game begins, and the engine to move thinks from now on.
    pub fn begin(&self, game: LiveGame) {
        self.games().insert(game.pairing.game, game);
    }

    /// A move was made, and leaves these clocks.
    pub fn play(&self, game: u64, played: &MoveRecord, clocks: ByColor<Option<Duration>>) {
        if let Some(game) = self.games().get_mut(&game) {
            game.moves.push(played.clone());
            game.clocks = clocks;
            game.turn_began = Instant::now();
        }
    }

    /// A game is over, or was given up.
    pub fn end(&self, game: u64) {
        self.games().remove(&game);
    }

    /// The games in the order of their numbers.
    pub fn all(&self) -> Vec<LiveGame> {
        self.games().values().cloned().collect()
    }

    pub fn get(&self, game: u64) -> Option<LiveGame> {
        self.games().get(&game).cloned()
    }

    fn games(&self) -> MutexGuard<'_, BTreeMap<u64, LiveGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
