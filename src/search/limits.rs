//! When a search has to stop.

use std::time::Duration;

/// Everything that can end a search besides its stop flag. Whatever comes first counts; with all of them `None` the
/// search runs until it is stopped or the position is solved to the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// The last iteration to complete, in plies.
    pub depth: Option<u32>,
    /// Visit no more than this many positions.
    pub nodes: Option<u64>,
    /// Begin no further iteration after this time (scaled by how settled the best move is).
    pub soft: Option<Duration>,
    /// Return within this time.
    pub hard: Option<Duration>,
}

/// A player's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// Moves until more time is added; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Limits {
    /// Limits for a fixed time a move. `overhead` is taken off for the way to the front end and back, but no more than
    /// a tenth: an answer that comes some milliseconds late costs nothing here.
    #[must_use]
    pub fn move_time(time: Duration, overhead: Duration) -> Self {
        let hard = time
            .saturating_sub(overhead.min(time / 10))
            .max(Self::SHORTEST);
        Self {
            hard: Some(hard),
            ..Self::default()
        }
    }

    /// Limits for a game clock.
    ///
    /// `moves_left` is a guess of how many own moves the game still has. The hard limit is kept well below the clock,
    /// so that not even a machine that stalls for `overhead` loses on time.
    #[must_use]
    pub fn clock(clock: Clock, moves_left: u32, overhead: Duration) -> Self {
        let usable = clock.remaining.saturating_sub(overhead);
        let moves = clock.moves_to_go.unwrap_or(moves_left).clamp(1, 60);
        // Not all of the increment is spent, so that a buffer against a busy machine builds up again.
        let soft = usable / moves + clock.increment * 3 / 5;
        let ceiling = match clock.moves_to_go {
            Some(1) => usable * 9 / 10,
            _ => usable / 4,
        };
        let hard = (soft * 3).min(ceiling).max(Self::SHORTEST);
        Self {
            soft: Some(soft.min(hard)),
            hard: Some(hard),
            ..Self::default()
        }
    }

    /// What is searched for even with no time left: enough for a first iteration.
    const SHORTEST: Duration = Duration::from_millis(1);
}
