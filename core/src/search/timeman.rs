//! Time management: all decisions about time.
//!
//! A move costs more time on the clock than its search: the delay between front end and engine, and the delays of a
//! busy machine, which may stop the program at any moment, also when the limit has come. Five rules keep games from
//! being lost on time:
//!
//! - A reserve, a share of the first clock of the game, is not allotted. It covers a stall without warning, and shrinks
//!   with the moves to come, to half if the clock is short.
//! - The largest recent loss beyond the limits is kept free in addition to the reserve.
//! - The average loss of all moves to come is not allotted.
//! - A low clock recovers: the lower it is, the less of the increment is allotted, and the sooner a first iteration
//!   ends.
//! - A part of the time of a quiet machine is always allotted, because moves without a search lose games as surely as a
//!   clock that runs out.
//!
//! The plan of a move, from the clock and the delays of recent moves ([`Shares`] and the constants below have the
//! numbers):
//!
//! | time | formula |
//! | --- | --- |
//! | soft limit | usable / moves + gain, as much in the first move as without a reserve |
//! | hard limit | 3 soft limits, at most the ceiling, at least 1 ms |
//! | ceiling | usable / 4 + gain, at most the larger of the two, at most left / 2; before a refill 9/10 of usable |
//! | usable | left - reserve - losses, at least (clock - overhead - larger of reserve and low) / 4 |
//! | left | clock - delay; the delay is the overhead or the worst loss, of which at most clock / 2 is credible |
//! | reserve | first clock / 5, at most 300 ms + first clock / 50; it shrinks with the moves to half, or first clock / 25 |
//! | losses | (mean loss + 1 ms - increment) for each of 60 moves, or of those before a refill |
//! | gain | increment - mean loss, at least increment / 4; of both 9/10, less on a low clock |
//! | low | 2 reserves, at most 400 ms |
//! | moves | 2 for each piece of the smaller reserve + 10, at most 120; on small boards 1.5 and 5 |
//!
//! Below `low` the clock is low: a move without a search costs less than the time that it takes then. Until depth 3
//! the ceiling is that of a clock whose time above `low` is usable.
//!
//! The time for a move is used as in chess engines (chessprogramming.org/Time_Management): more if the best move
//! changes, less if it took most of the nodes. Assumes that an easy move is recognised early. Fails for a tinue that
//! only the next iteration would have found.

use std::collections::VecDeque;
use std::time::Duration;

use super::report::RootMove;
use crate::board::{ByColor, Color, Move, Size};

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

/// Search limits. The first limit reached ends the search. Without limits it runs until it is stopped or the result is
/// proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SearchLimits {
    /// The last iteration to complete, in plies.
    pub depth: Option<u32>,
    /// The maximum number of visited positions.
    pub nodes: Option<u64>,
    /// Begin no further iteration after this time (scaled by best-move stability).
    pub soft: Option<Duration>,
    /// Return within this time.
    pub hard: Option<Duration>,
    /// Replaces both until depth 3 is reached: a stalled machine may have given the search no processor before.
    pub shallow: Option<Duration>,
    /// Start of these times, measured from the request. Time used before, while pondering, is not counted.
    pub begun: Duration,
    /// Time on the clock, if there is one.
    pub clock: Option<Duration>,
}

impl SearchLimits {
    /// Depth from which [`SearchLimits::shallow`] no longer counts.
    const SHALLOW_DEPTH: u32 = 3;

    /// The latest time to return after `depth` completed iterations.
    pub fn latest(&self, depth: u32) -> Option<Duration> {
        let shallow = self.shallow.filter(|_| depth < Self::SHALLOW_DEPTH);
        shallow.or(self.hard)
    }

    /// The same limits, and this time at most.
    #[must_use]
    pub fn within(self, most: Option<Duration>) -> Self {
        let least = |time: Option<Duration>| time.map(|time| most.map_or(time, |most| time.min(most)));
        Self { soft: least(self.soft), shallow: least(self.shallow), hard: least(self.hard.or(most)), ..self }
    }

    /// The time for which a first iteration continues although the search should stop: less if the clock is low.
    pub fn grace(&self) -> Duration {
        self.clock.map_or(GRACE_TIME, |left| GRACE_TIME.min(left / SHARES.grace_divisor))
    }
}

/// Returns the nodes to visit before the next check of the clock, at most `most`, with `left` before the limit: as many
/// as even a starved processor visits in that time.
pub(super) fn nodes_until_look(left: Option<Duration>, most: u64) -> u64 {
    let within = left.and_then(|left| u64::try_from(left.as_micros() * STARVED_NODES_PER_MILLI / 1000).ok());
    within.map_or(most, |nodes| nodes.clamp(1, most))
}

/// The player to move and the stage of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The player to move.
    pub color: Color,
    /// Half-moves played since the start.
    pub ply: u32,
    /// Size of the board.
    pub size: Size,
    /// Pieces left in the smaller reserve.
    pub reserve: u32,
}

/// Default allowance for the delay between front end and engine.
pub(crate) const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

/// Maximum number of nodes between two checks of the clock and the stop flag by a search worker: a millisecond or two;
/// see [`nodes_until_look`].
pub(super) const NODES_PER_LOOK: u64 = 512;

/// The same for the solver, whose nodes take longer.
pub(super) const SOLVER_NODES_PER_LOOK: u64 = 256;

/// Nodes per millisecond on a starved processor: a twentieth of the usual number.
const STARVED_NODES_PER_MILLI: u128 = 20;

/// The time for which a first iteration continues although the search should stop, if the clock is not low.
const GRACE_TIME: Duration = Duration::from_millis(5);

/// Maximum time of the normal search before a solve.
const MAX_QUICK_SEARCH: Duration = Duration::from_secs(1);

/// Divisor of the limits of a solve for the search after it if nothing was proven.
const ANSWER_SHARE: u32 = 3;

/// Minimum search time, even with no time left: enough for a first iteration.
const MIN_SEARCH: Duration = Duration::from_millis(1);

/// Assumed maximum scheduling stall.
const MAX_STALL: Duration = Duration::from_millis(300);

/// A search that does not check the time for this long was stalled.
const MIN_STALL: Duration = Duration::from_millis(5);

/// A clock is low below this time, or below this many reserves if that is less.
const LOW_CLOCK: Duration = Duration::from_millis(400);
const LOW_CLOCK_RESERVES: u32 = 2;

/// Number of recent moves whose losses are stored.
const STORED_LOSSES: usize = 32;

/// Minimum number of moves for the average loss; moves not yet made count as lossless.
const MIN_AVERAGED_LOSSES: usize = 8;

/// Moves to come for which the average loss of a move is reserved.
const RESERVED_LOSSES: u32 = 60;

/// Maximum number of moves to share the clock among.
const MAX_MOVES_LEFT: u32 = 120;

/// Maximum time of a move, in soft limits.
const MAX_SOFT_LIMITS: u32 = 3;

/// The same after pondering: about the average. The current iteration may be far from its end then, which is not a sign
/// of a hard move.
const MAX_SOFT_LIMITS_AFTER_PONDERING: f64 = 1.5;

/// Factors of the time for a move, by the iterations since the best move changed: 0, 1, 2, 3, and 4 or more.
const STABILITY_FACTORS: [f64; 5] = [1.5, 1.2, 1.0, 0.9, 0.8];

/// Another factor is this number minus the share of the nodes spent on the best move.
const WORK_FACTOR: f64 = 1.5;

/// The shares of the formula; a divisor takes one part of so many.
struct Shares {
    /// The reserve as a share of the first clock, but at most [`MAX_STALL`] and a part of that clock, which long clocks
    /// can afford.
    reserve: f64,
    long_reserve_divisor: u32,
    /// The share of the reserve that is kept to the end, but at least a part of the first clock.
    last_reserve: f64,
    last_reserve_divisor: u32,
    /// The share of the increment that is allotted; the rest restores the clock.
    increment: f64,
    /// Of the usable time for one move, in addition to the increment...
    usable_divisor: u32,
    /// ... and of the clock. The rest of the clock is left for other moves.
    clock_divisor: u32,
    /// Of the usable time, in tenths, for the last move before the clock is refilled.
    last_move_tenths: u32,
    /// Of the time of a quiet machine, allotted regardless of the losses.
    cautious_divisor: u32,
    /// Of the clock, for the largest credible loss; a larger one is probably an error of the front end.
    credible_divisor: u32,
    /// Of a fixed time, for the maximum overhead subtracted from it.
    overhead_divisor: u32,
    /// Of the clock, for the maximum of [`GRACE_TIME`].
    grace_divisor: u32,
    /// Of the limits of a solve, for the normal search before it.
    quick_divisor: u32,
}

const SHARES: Shares = Shares {
    reserve: 0.2,
    long_reserve_divisor: 50,
    last_reserve: 0.5,
    last_reserve_divisor: 25,
    increment: 0.9,
    usable_divisor: 4,
    clock_divisor: 2,
    last_move_tenths: 9,
    cautious_divisor: 4,
    credible_divisor: 2,
    overhead_divisor: 10,
    grace_divisor: 50,
    quick_divisor: 10,
};

/// The limit for a fixed time per move. `overhead` is subtracted for the delay between front end and engine, but at most a
/// tenth of the time: an answer that is a few milliseconds late costs nothing here.
pub(crate) fn move_time(time: Duration, overhead: Duration) -> Duration {
    time.saturating_sub(overhead.min(time / SHARES.overhead_divisor)).max(MIN_SEARCH)
}

/// Limits for the normal search before a solve with these total limits. A depth limit is ignored.
pub(crate) fn before_solve(limits: &SearchLimits) -> SearchLimits {
    let quick = match limits.soft.or(limits.hard) {
        Some(total) => Some((total / SHARES.quick_divisor).min(MAX_QUICK_SEARCH)),
        None => limits.nodes.is_none().then_some(MAX_QUICK_SEARCH),
    };
    SearchLimits {
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(SHARES.quick_divisor)).max(1)),
        hard: quick,
        ..SearchLimits::default()
    }
}

/// Limits for the solver after `spent` nodes. A part of the total is kept for the search that answers if nothing is
/// proven. The time continues to count.
pub(crate) fn solver_share(limits: &SearchLimits, spent: u64) -> SearchLimits {
    let rest = rest_of_solve(limits, spent);
    SearchLimits {
        nodes: rest.nodes.map(|rest| rest.saturating_sub(limits.nodes.unwrap_or(0) / u64::from(ANSWER_SHARE))),
        hard: rest.hard.map(|total| total * (ANSWER_SHARE - 1) / ANSWER_SHARE),
        ..rest
    }
}

/// Limits for the rest of a solve after `spent` nodes. The time continues to count.
pub(crate) fn rest_of_solve(limits: &SearchLimits, spent: u64) -> SearchLimits {
    SearchLimits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
        hard: limits.soft.or(limits.hard),
        ..SearchLimits::default()
    }
}

/// Time management of a game. Stores, for each player that the engine plays, the losses of the clock.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimeManager {
    players: ByColor<Option<ClockHistory>>,
}

impl TimeManager {
    /// Limits for the next move. `overhead` is the minimum delay between front end and engine.
    ///
    /// A `turn` earlier in the game than the last one of that player starts a new game.
    pub fn plan(&mut self, clock: Clock, turn: Turn, overhead: Duration) -> SearchLimits {
        let slot = &mut self.players[turn.color];
        let moves = clock.moves_to_go.unwrap_or_else(|| moves_left(turn)).clamp(1, MAX_MOVES_LEFT);
        let mut player =
            slot.take().filter(|player| player.ply <= turn.ply).unwrap_or_else(|| ClockHistory::new(clock, moves));
        player.look_back(clock, turn.ply);
        let limits = player.plan(clock, moves, overhead);
        player.ply = turn.ply;
        player.clock = clock;
        player.allowed = limits.hard.unwrap_or_default();
        player.used = None;
        *slot = Some(player);
        limits
    }

    /// Limits for a search that has run on the opponent's time until `begun`. That time is not counted: the move gets
    /// the same time as any other.
    pub fn plan_after_pondering(
        &mut self,
        begun: Duration,
        clock: Clock,
        turn: Turn,
        overhead: Duration,
    ) -> SearchLimits {
        let limits = self.plan(clock, turn, overhead);
        let longest = limits.soft.unwrap_or_default().mul_f64(MAX_SOFT_LIMITS_AFTER_PONDERING);
        let hard = longest.min(limits.hard.unwrap_or_default()).max(MIN_SEARCH);
        if let Some(player) = &mut self.players[turn.color] {
            player.allowed = hard;
        }
        SearchLimits { hard: Some(hard), begun, ..limits }
    }

    /// Stores the time that the search for the move of `color` took.
    pub fn finish(&mut self, color: Color, used: Used) {
        if let Some(player) = &mut self.players[color] {
            player.used.get_or_insert(used);
        }
    }
}

/// The time that a search took.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Used {
    /// From the request to the answer.
    pub time: Duration,
    /// From the request to the beginning, until when the search had no processor.
    pub waited: Duration,
    /// The longest time without a check of the clock, the maximum delay in noticing a limit.
    pub gap: Duration,
}

/// A player's clock as observed in the moves so far.
#[derive(Debug, Clone)]
struct ClockHistory {
    /// The time that is not allotted in the first move.
    reserve: Duration,
    /// The part of it that is kept to the end.
    last_reserve: Duration,
    /// The moves that were to come in the first move.
    first_moves: u32,
    /// The rest of the first clock, as a share of it.
    planned_share: f64,
    /// The last turn, its clock and its hard limit, and after its search the time used.
    ply: u32,
    clock: Clock,
    allowed: Duration,
    used: Option<Used>,
    /// Losses of the last moves, the latest first.
    lags: VecDeque<Lag>,
}

/// Time that a move lost on the clock besides its search within the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lag {
    /// The actual loss. A stall within the limits of the search does not count, but the wait before it does: a shorter
    /// search would not have been without it.
    lost: Duration,
    /// The loss if that stall had occurred at the limit.
    worst: Duration,
}

impl ClockHistory {
    fn new(first: Clock, moves: u32) -> Self {
        let first = first.remaining;
        let reserve = first.mul_f64(SHARES.reserve).min(MAX_STALL + first / SHARES.long_reserve_divisor);
        Self {
            reserve,
            last_reserve: reserve.mul_f64(SHARES.last_reserve).max(first / SHARES.last_reserve_divisor).min(reserve),
            first_moves: moves,
            planned_share: 1.0 - reserve.as_secs_f64() / first.as_secs_f64().max(1e-3),
            ply: 0,
            clock: Clock::default(),
            allowed: Duration::ZERO,
            used: None,
            lags: VecDeque::new(),
        }
    }

    /// Stores the loss of the last turn: the time lost before and after the search, and the time by which the search
    /// missed its limit, or would have missed it at the worst moment.
    fn look_back(&mut self, clock: Clock, ply: u32) {
        let before = self.clock;
        let lost = (before.remaining.saturating_add(before.increment)).checked_sub(clock.remaining);
        let refilled = clock.moves_to_go > before.moves_to_go;
        if let (Some(lost), Some(used)) = (lost, self.used)
            && ply == self.ply + 2
            && !refilled
        {
            let stall = if used.gap < MIN_STALL { Duration::ZERO } else { used.gap };
            let around = lost.saturating_sub(used.time);
            let late = used.time.saturating_sub(self.allowed).max(used.waited);
            self.lags.truncate(STORED_LOSSES - 1);
            self.lags.push_front(Lag { lost: around + late, worst: around + late.max(stall) });
        }
    }

    /// The average loss to expect of a move, halfway between its actual and its worst loss: moves that are made faster
    /// later in the game meet the stalls that now fall within the search. The largest loss does not count, because it
    /// is kept free anyway.
    fn mean_loss(&self) -> Duration {
        let losses = self.lags.iter().map(|lag| (lag.lost + lag.worst) / 2);
        let greatest = losses.clone().max().unwrap_or_default();
        let others = self.lags.len().saturating_sub(1).max(MIN_AVERAGED_LOSSES);
        losses.sum::<Duration>().saturating_sub(greatest) / others as u32
    }

    fn plan(&self, clock: Clock, moves: u32, overhead: Duration) -> SearchLimits {
        let worst = self.lags.iter().map(|lag| lag.worst).max().unwrap_or_default();
        let delay = overhead.max(worst.min(clock.remaining / SHARES.credible_divisor));
        let mean = self.mean_loss();

        let left = clock.remaining.saturating_sub(delay);
        // The reserve is for stalls in the moves to come, so it shrinks with their number, unless the clock is
        // refilled.
        let share = f64::from(moves) / f64::from(self.first_moves);
        let reserve = match clock.moves_to_go {
            None => self.reserve.mul_f64(share.min(1.0)).max(self.last_reserve),
            Some(_) => self.reserve,
        };
        // Reserve the expected losses of the remaining moves that the increment does not cover.
        let horizon = clock.moves_to_go.map_or(RESERVED_LOSSES, |_| moves);
        let losses = (mean + MIN_SEARCH).saturating_sub(clock.increment) * horizon;
        // A part of the time above the reserve is used regardless of the losses, unless the clock is low.
        let low = LOW_CLOCK.min(reserve * LOW_CLOCK_RESERVES);
        let above = |kept: Duration| clock.remaining.saturating_sub(overhead).saturating_sub(kept);
        let cautious = above(reserve.max(low)) / SHARES.cautious_divisor;
        let usable = left.saturating_sub(reserve).saturating_sub(losses).max(cautious);
        // A low clock recovers: it gets more of the increment, the lower it is.
        let recovery = clock.remaining.as_secs_f64() / low.as_secs_f64().max(1e-3);
        let increment_share = SHARES.increment * recovery.min(1.0);
        let increment = clock.increment.mul_f64(increment_share);
        let gain =
            clock.increment.saturating_sub(mean).mul_f64(increment_share).max(increment / SHARES.cautious_divisor);

        // The first move gets the same time as without a reserve.
        let soft = usable.mul_f64(1.0 / (f64::from(moves) * self.planned_share)) + gain;
        let ceiling = |usable: Duration| match clock.moves_to_go {
            Some(1) => usable * SHARES.last_move_tenths / 10,
            // The increment comes after the move.
            _ => (usable / SHARES.usable_divisor + gain).min(usable.max(gain)).min(left / SHARES.clock_divisor),
        };
        let hard = (soft * MAX_SOFT_LIMITS).min(ceiling(usable)).max(MIN_SEARCH);
        let shallow = hard.max(ceiling(above(low)));
        SearchLimits {
            soft: Some(soft.min(hard)),
            hard: Some(hard),
            shallow: Some(shallow),
            clock: Some(clock.remaining),
            ..SearchLimits::default()
        }
    }
}

/// Number of moves of the player to move to share the clock among. On all boards from 5x5 on a player makes 1.6 moves
/// for each piece of a full reserve and 2 for each of a small one, since a spread takes no piece. The plan counts on
/// more, because late moves need the time: stacks are high then and can spread in many ways, so that a search of the
/// same time is half as deep, and games between equals are decided there. On 4x4 it counts on fewer: when the board is
/// almost full, a short search sees the end of the game. Assumes that the game ends when a reserve is empty. Fails in
/// games that end by an early road: time is left on the clock.
fn moves_left(turn: Turn) -> u32 {
    let (per_two_pieces, more) = if turn.size <= Size::FOUR { (3, 5) } else { (4, 10) };
    turn.reserve * per_two_pieces / 2 + more
}

/// Soft time limit, scaled by best-move stability.
#[derive(Debug, Default)]
pub(super) struct SoftStop {
    best: Option<Move>,
    /// Completed iterations since `best` changed.
    iterations: usize,
}

impl SoftStop {
    /// Returns whether the search ends after the iteration of this `depth` over `roots`, best first, that ended after
    /// `time`.
    pub fn ends(&mut self, roots: &[RootMove], depth: u32, time: Duration, limits: &SearchLimits) -> bool {
        let best = roots.first().map(|root| root.mv);
        self.iterations = if best == self.best { self.iterations + 1 } else { 0 };
        self.best = best;
        let Some(soft) = limits.soft else {
            return false;
        };
        if roots.len() == 1 {
            return true;
        }
        // The best move takes most of the nodes if no other is close to it.
        let total: u64 = roots.iter().map(|root| root.nodes).sum();
        let share = roots[0].nodes as f64 / total.max(1) as f64;
        let stability = STABILITY_FACTORS[self.iterations.min(STABILITY_FACTORS.len() - 1)];
        let used = time.saturating_sub(limits.begun);
        let is_longer = |latest: &Duration| limits.hard.is_none_or(|hard| *latest > hard);
        if let Some(latest) = limits.latest(depth).filter(is_longer) {
            return used >= latest;
        }
        used.as_secs_f64() >= soft.as_secs_f64() * stability * (WORK_FACTOR - share)
    }
}

#[cfg(test)]
mod tests;
