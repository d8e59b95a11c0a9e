//! Time management: everything about time is decided here.
//!
//! A clock loses more than a search takes: there is the way from the front end and back, and a busy machine may give the
//! processor to other programs at any moment, also when the limit has come. Three things keep that from losing games. A
//! reserve, a share of the first clock of the game, is never planned with: it is there for a stall without warning. What
//! the clock lost in the last moves beyond the plan is remembered, and the worst of it is kept free on top of the reserve.
//! And what the clock loses on average is not planned with either. But whatever was lost, a part of what a quiet machine
//! would get is planned with: moves made without a search lose games as surely as a clock that runs out.
//!
//! How much of the time for a move is used follows chess engines (chessprogramming.org/Time_Management): a best move that
//! changes gets more, one that took most of the nodes gets less. It bets that an easy move shows early. Tak breaks the bet
//! with a tinue that only the next iteration would have seen.

use std::collections::VecDeque;
use std::time::Duration;

use super::report::RootMove;
use crate::board::{ByColor, Color, Move};

/// A player's clock.
///
/// ```
/// use std::time::Duration;
/// use tak_engine::engine::Limits;
/// use tak_engine::search::Clock;
///
/// let clock = Clock {
///     remaining: Duration::from_secs(300),
///     increment: Duration::from_secs(5),
///     moves_to_go: None,
/// };
/// assert_eq!(Limits::clock(clock).clock, Some(clock));
/// ```
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
}

impl SearchLimits {
    /// Depth from which [`SearchLimits::shallow`] no longer counts.
    const SHALLOW: u32 = 3;

    /// The latest time to return after `depth` completed iterations.
    pub fn latest(&self, depth: u32) -> Option<Duration> {
        let shallow = self.shallow.filter(|_| depth < Self::SHALLOW);
        shallow.or(self.hard)
    }
}

/// The player to move and the stage of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The player to move.
    pub color: Color,
    /// Half-moves played since the start.
    pub ply: u32,
    /// Squares of the board.
    pub squares: u32,
}

/// What a move loses on the way to the front end and back, unless a front end says otherwise.
pub(crate) const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

/// Nodes that a worker of a search visits before it looks at the clock and the stop flag again, at the most: a millisecond
/// or two.
pub(super) const NODES_PER_LOOK: u64 = 512;

/// The same for the solver, whose nodes take longer.
pub(super) const SOLVER_NODES_PER_LOOK: u64 = 256;

/// How long a first iteration may go on although the search should stop.
pub(super) const GRACE: Duration = Duration::from_millis(5);

/// The longest normal search before a solve...
const QUICK: Duration = Duration::from_secs(1);

/// ... and the part of the limits that it may take.
const QUICK_SHARE: u32 = 10;

/// What is searched for even with no time left: enough for a first iteration.
const SHORTEST: Duration = Duration::from_millis(1);

/// How many of the last moves are remembered.
const RECENT_MOVES: usize = 32;

/// The reserve is this share of the first clock of the game, but no more than [`LONGEST_STALL`] and a
/// [`LONG_GAME_RESERVE`]th of it.
const RESERVE: f64 = 0.2;

/// How long a machine may give a program no processor, without warning.
const LONGEST_STALL: Duration = Duration::from_millis(300);

/// A search that does not look at the time for so long has been stalled.
const SHORTEST_STALL: Duration = Duration::from_millis(5);

/// The reserve may be larger by this part of the first clock: on long clocks it is not missed.
const LONG_GAME_RESERVE: u32 = 50;

/// The share of an increment that is planned with; the rest goes back to the clock.
const INCREMENT_SHARE: f64 = 0.9;

/// The most that one move may take, in multiples of what a move takes as a rule.
const LONGEST_MOVE: u32 = 3;

/// The most that a move may take after pondering, in the same multiples: about what a move takes on average. The iteration
/// under way may be far from its end then, which tells nothing about how hard the move is.
const LONGEST_AFTER_PONDERING: f64 = 1.5;

/// The longest plan, in moves.
const MOST_MOVES: u32 = 60;

/// A player is expected to make so many moves in a whole game...
const MOVES_AT_FIRST: u32 = 3;

/// ... for each so many squares of the board.
const SQUARES_AT_FIRST: u32 = 4;

/// That falls by one for each so many plies of the game...
const PLIES_A_MOVE: u32 = 3;

/// ... to one move for each so many squares...
const SQUARES_AT_LAST: u32 = 3;

/// ... and never below this: near its end a game may always take some more.
const FEWEST_MOVES: u32 = 8;

/// The last move before the clock is filled up again may take so many tenths of what is not reserved. No other move may take
/// more than the least of the following.
const TENTHS_FOR_THE_LAST: u32 = 9;

/// This part of what is not reserved, and the increment...
const LONGEST_SHARE: u32 = 4;

/// ... of what is not reserved alone; but where the reserve has been used, this part of the increment, so that the rest
/// restores it...
const INCREMENT_PART: u32 = 2;

/// ... and this part of the clock.
const CLOCK_PART: u32 = 2;

/// Where a clock seems to lose more than this part of what it has, what is told of it is probably wrong.
const BELIEVED_PART: u32 = 2;

/// However much was lost, this part of what would be planned without is planned with.
const CAUTIOUS_PART: u32 = 4;

/// A clock is low below this many reserves...
const LOW_RESERVES: u32 = 2;

/// ... and below no more than this. Then a move without a search costs less than the time that it takes.
const LOW_CLOCK: Duration = Duration::from_millis(400);

/// What the clock loses on average is that of so many moves at the least; those not yet made lost nothing.
const FEWEST_SEEN: usize = 8;

/// Less than the overhead is kept back from a fixed time that it is a large part of: no more than this part.
const OVERHEAD_PART: u32 = 10;

/// Factors of the time for a move, by the iterations for which the best move has been the same: 0, 1, 2, 3, and 4 or more.
const STABILITY: [f64; 5] = [1.5, 1.2, 1.0, 0.9, 0.8];

/// Another factor is this number less the share of the nodes that went into the best move.
const WORK_SHARE: f64 = 1.5;

/// Limits for a fixed time a move. `overhead` is taken off for the way to the front end and back, but no more than a
/// tenth: an answer that comes some milliseconds late costs nothing here.
#[must_use]
pub(crate) fn move_time(time: Duration, overhead: Duration) -> SearchLimits {
    let hard = time.saturating_sub(overhead.min(time / OVERHEAD_PART)).max(SHORTEST);
    SearchLimits { hard: Some(hard), ..SearchLimits::default() }
}

/// Limits for the normal search before a solve that has `limits` for all of it. A limit of depth does not count.
#[must_use]
pub(crate) fn before_solve(limits: &SearchLimits) -> SearchLimits {
    let quick = match limits.soft.or(limits.hard) {
        Some(total) => Some((total / QUICK_SHARE).min(QUICK)),
        None => limits.nodes.is_none().then_some(QUICK),
    };
    SearchLimits {
        nodes: limits.nodes.map(|nodes| (nodes / u64::from(QUICK_SHARE)).max(1)),
        hard: quick,
        ..SearchLimits::default()
    }
}

/// Limits for what comes after that, with `spent` nodes visited so far. The time counts on.
#[must_use]
pub(crate) fn rest_of_solve(limits: &SearchLimits, spent: u64) -> SearchLimits {
    SearchLimits {
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(spent)),
        hard: limits.soft.or(limits.hard),
        ..SearchLimits::default()
    }
}

/// Plans the clocks of a game, for each player who has one here, and remembers how the machine kept to the plans.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimeManager {
    players: ByColor<Option<ClockHistory>>,
}

impl TimeManager {
    /// Limits for the next move. `overhead` is what a move may lose on the way at the least.
    ///
    /// A `turn` earlier in the game than the last one of that player begins another game.
    pub fn plan(&mut self, clock: Clock, turn: Turn, overhead: Duration) -> SearchLimits {
        let slot = &mut self.players[turn.color];
        let mut player =
            slot.take().filter(|player| player.ply <= turn.ply).unwrap_or_else(|| ClockHistory::new(clock));
        player.look_back(clock, turn.ply);
        let limits = player.plan(clock, moves_left(turn), overhead);
        player.ply = turn.ply;
        player.clock = clock;
        player.allowed = limits.hard.unwrap_or_default();
        player.used = None;
        *slot = Some(player);
        limits
    }

    /// Limits for a search that has run on the opponent's time up to `begun`. That time is gained: the move gets as much as
    /// any other.
    pub fn plan_after_pondering(
        &mut self,
        begun: Duration,
        clock: Clock,
        turn: Turn,
        overhead: Duration,
    ) -> SearchLimits {
        let limits = self.plan(clock, turn, overhead);
        let longest = limits.soft.unwrap_or_default().mul_f64(LONGEST_AFTER_PONDERING);
        let hard = longest.min(limits.hard.unwrap_or_default()).max(SHORTEST);
        if let Some(player) = &mut self.players[turn.color] {
            player.allowed = hard;
        }
        SearchLimits { hard: Some(hard), begun, ..limits }
    }

    /// Notes how long the search for the move of `color` took, from the front end's question to the answer, and for how
    /// long at most it did not look at the time: so late it may notice a limit.
    pub fn finish(&mut self, color: Color, used: Duration, silence: Duration) {
        if let Some(player) = &mut self.players[color] {
            player.used.get_or_insert((used, silence));
        }
    }
}

/// What is known of one player's clock.
#[derive(Debug, Clone)]
struct ClockHistory {
    /// What planning never touches.
    reserve: Duration,
    /// The share of the first clock that is left without it.
    planned_share: f64,
    /// The last turn, its clock, the most the search could take, and if it has ended what it took and its longest silence.
    ply: u32,
    clock: Clock,
    allowed: Duration,
    used: Option<(Duration, Duration)>,
    /// What the last moves lost.
    lags: VecDeque<Lag>,
}

/// What a move lost on the clock beyond the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lag {
    /// In fact. A stall within the limits of the search is part of what it took.
    lost: Duration,
    /// Had that stall come when the limit did.
    worst: Duration,
}

impl ClockHistory {
    fn new(first: Clock) -> Self {
        let first = first.remaining;
        let reserve = first.mul_f64(RESERVE).min(LONGEST_STALL + first / LONG_GAME_RESERVE);
        Self {
            reserve,
            planned_share: 1.0 - reserve.as_secs_f64() / first.as_secs_f64().max(1e-3),
            ply: 0,
            clock: Clock::default(),
            allowed: Duration::ZERO,
            used: None,
            lags: VecDeque::new(),
        }
    }

    /// Learns from the last turn: the time lost before and after the search, and by how much the search missed its limit,
    /// or would have missed it, had the limit come at the worst moment.
    fn look_back(&mut self, clock: Clock, ply: u32) {
        let before = self.clock;
        let lost = (before.remaining.saturating_add(before.increment)).checked_sub(clock.remaining);
        let refilled = clock.moves_to_go > before.moves_to_go;
        if let (Some(lost), Some((used, silence))) = (lost, self.used)
            && ply == self.ply + 2
            && !refilled
        {
            let stall = if silence < SHORTEST_STALL { Duration::ZERO } else { silence };
            let (around, late) = (lost.saturating_sub(used), used.saturating_sub(self.allowed));
            self.lags.truncate(RECENT_MOVES - 1);
            self.lags.push_front(Lag { lost: around + late, worst: around + late.max(stall) });
        }
    }

    /// What a move loses on average. The greatest loss does not count: it is kept free anyway.
    fn mean_loss(&self) -> Duration {
        let losses = self.lags.iter().map(|lag| lag.lost);
        let greatest = losses.clone().max().unwrap_or_default();
        let others = self.lags.len().saturating_sub(1).max(FEWEST_SEEN);
        losses.sum::<Duration>().saturating_sub(greatest) / others as u32
    }

    fn plan(&self, clock: Clock, moves_left: u32, overhead: Duration) -> SearchLimits {
        let worst = self.lags.iter().map(|lag| lag.worst).max().unwrap_or_default();
        let late = overhead.max(worst.min(clock.remaining / BELIEVED_PART));
        let mean = self.mean_loss();

        let left = clock.remaining.saturating_sub(late);
        let moves = clock.moves_to_go.unwrap_or(moves_left).clamp(1, MOST_MOVES);
        // What every move loses beyond its increment must be there for a long game.
        let horizon = clock.moves_to_go.map_or(MOST_MOVES, |_| moves);
        let losses = mean.saturating_sub(clock.increment) * horizon;
        // However much is lost, a part of what is above the reserve is used. On a low clock nothing but caution counts.
        let low = LOW_CLOCK.min(self.reserve * LOW_RESERVES);
        let above = |kept: Duration| clock.remaining.saturating_sub(overhead).saturating_sub(kept);
        let usable = left.saturating_sub(self.reserve).saturating_sub(losses);
        let usable = usable.max(above(self.reserve.max(low)) / CAUTIOUS_PART);
        let increment = clock.increment.mul_f64(INCREMENT_SHARE);
        let gain = clock.increment.saturating_sub(mean).mul_f64(INCREMENT_SHARE).max(increment / CAUTIOUS_PART);

        // The first move gets the same time as if there were no reserve.
        let soft = usable.mul_f64(1.0 / (f64::from(moves) * self.planned_share)) + gain;
        let ceiling = |usable: Duration, gain: Duration| match clock.moves_to_go {
            Some(1) => usable * TENTHS_FOR_THE_LAST / 10,
            // The increment comes after the move.
            _ => (usable / LONGEST_SHARE + gain).min(usable.max(gain / INCREMENT_PART)).min(left / CLOCK_PART),
        };
        let hard = (soft * LONGEST_MOVE).min(ceiling(usable, gain)).max(SHORTEST);
        let shallow = hard.max(ceiling(above(low), gain));
        SearchLimits { soft: Some(soft.min(hard)), hard: Some(hard), shallow: Some(shallow), ..SearchLimits::default() }
    }
}

/// How many moves the clock is shared out over: a guess of those that the player to move still has to make.
fn moves_left(turn: Turn) -> u32 {
    (turn.squares * MOVES_AT_FIRST / SQUARES_AT_FIRST)
        .saturating_sub(turn.ply / PLIES_A_MOVE)
        .max(turn.squares / SQUARES_AT_LAST)
        .max(FEWEST_MOVES)
}

/// Soft time limit, scaled by best-move stability: a best move that stays the same needs less time than one that changes.
#[derive(Debug, Default)]
pub(super) struct SoftStop {
    best: Option<Move>,
    /// Completed iterations since it changed.
    iterations: usize,
}

impl SoftStop {
    /// Whether the iteration of this `depth` over `roots`, best first, that ended after `time` was the last one.
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
        // Much of the work goes into the best move when no other comes near it.
        let total: u64 = roots.iter().map(|root| root.nodes).sum();
        let share = roots[0].nodes as f64 / total.max(1) as f64;
        let stability = STABILITY[self.iterations.min(STABILITY.len() - 1)];
        let used = time.saturating_sub(limits.begun);
        if limits.latest(depth) > limits.hard {
            return limits.latest(depth) <= Some(used);
        }
        used.as_secs_f64() >= soft.as_secs_f64() * stability * (WORK_SHARE - share)
    }
}

#[cfg(test)]
mod tests;
