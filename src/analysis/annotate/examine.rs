//! Looking at every position of a game, on several threads.
//!
//! A game is divided into parts of a few positions, for equal limits always in the same way, and each part begins with
//! an empty table: so the number of threads changes nothing. Within a part the last position comes first, so that its
//! results are still in the table when the position before it is looked at. The other moves of a position are looked at
//! once the worth of the position after it is known, so the parts do that in turn, from the end of the game.
//!
//! One look serves as "after" of a move and as "before" of the next. A player who is well ahead is asked for a forced
//! road. If the engine's own move was played, the worth of the others is looked at only if it may matter: if the move
//! turned out to be a bad one, or may be the only one that keeps the result. And before a move is marked, the other
//! move is looked at in the same way. That a move is the only one is a claim about all others too, so
//! without a proof it must be confirmed by longer searches.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::judge::{Choice, MISTAKE_POINTS, ONLY_MOVE_POINTS, WON_CHANCE, chance, is_forced, lead, one_ply_before};
use super::look::{Look, Only, Other};
use crate::board::{AnyPosition, Game, Move, Symmetry};
use crate::engine::{Engine, HashError, Limits, SearchRequest, Settings, WeightSet};
use crate::search::{Report, Score};

/// Positions of a part if the searches are short. More positions share more results; fewer keep more threads busy.
const PART_POSITIONS: usize = 8;
/// A part whose searches take longer than this together has fewer positions, since a part that is stopped is lost.
const PART_TIME: Duration = Duration::from_secs(1);
/// Nodes that take about as long.
const PART_NODES: u64 = 500_000;
/// From this depth on a search takes about as long.
const PART_DEPTH: u32 = 10;
/// The interval in which a thread that waits for its turn checks whether the work is stopped.
const STOP_CHECK: Duration = Duration::from_millis(50);
/// A player with this chance, in percent, may have a forced road.
const MAY_FORCE_CHANCE: f64 = 75.0;
/// The part of the limits that goes into the question whether there is one.
const ROAD_PART: u32 = 4;
/// The part for a first look at the worth of other moves.
const FIRST_LOOK_PART: u32 = 4;
/// Positions for either if the limit is a depth.
const NODES_BESIDE_DEPTH: u64 = 10_000;
/// The factor by which the searches that confirm an only move are longer.
const LONGER_FACTOR: u32 = 8;
/// The minimum for such a search if the limit is in nodes. Fewer would confirm nothing.
const LEAST_LONGER_NODES: u64 = 20_000;
/// Plies that it searches deeper if the limit is a depth.
const DEEPER_PLIES: u32 = 2;
/// Other moves that are looked at for one move played, if each loses by force.
const MOST_OTHERS: u32 = 3;
/// Minimum loss, in points, to examine a move further.
const DOUBTFUL_POINTS: f64 = 5.0;
/// The largest table of an examiner, in MiB.
const MOST_HASH_MIB: usize = 32;
/// Nodes for each position of a game for which a table of one MiB is enough. A smaller table is cleared sooner.
const NODES_OF_A_MIB: u64 = 250;

/// The worth of a position for its player, and whether the game is over in it.
#[derive(Clone, Copy)]
struct After {
    worth: Score,
    is_over: bool,
}

/// Neighbouring positions of a game.
struct Part {
    /// The game up to the last of them.
    game: Game,
    /// The move played in the last of them.
    next: Option<Move>,
    positions: usize,
}

/// The parts that are done, from the end of the game.
struct Chain {
    /// In order from the last position to the first.
    looks: Vec<Look>,
    after: After,
    parts: usize,
    /// Nothing more comes: the work has failed.
    failed: Option<Result<HashError, Panic>>,
}

type Panic = Box<dyn std::any::Any + Send>;

/// Looks at every position of `game`, on one thread for each of `examiners`, and returns the looks in order, the
/// last position included. It depends neither on other games nor on the number of threads. `held` is the result of an
/// earlier call that was stopped, or empty. `step` is called twice for each other position: when it has been looked
/// at, and when its other moves have been.
///
/// Once it is stopped, the first positions may be missing.
pub fn examine(
    examiners: &mut [Examination<'_>],
    game: &Game,
    mut held: Vec<Look>,
    step: &(dyn Fn() + Sync),
) -> Result<Vec<Look>, HashError> {
    // Games that are the same up to symmetry are looked at in one orientation, and so judged alike.
    let (turn, board) = (orientation(game), game.position().size());
    let game = &turned(game, turn);
    for look in &mut held {
        look.turn(turn, board);
    }
    let positions = game.moves().len() + 1;
    let size = examiners.first().map_or(PART_POSITIONS, |examiner| part_size(&examiner.limits));
    let begun = held.len() / size;
    let held = held.split_off(held.len() % size);
    let after = held.first().map_or(After { worth: Score::DRAW, is_over: false }, |_| worth_of(game, &held));
    let mut looks = held;
    looks.reverse();
    let chain = Mutex::new(Chain { looks, after, parts: begun, failed: None });
    let (turns, next) = (Condvar::new(), AtomicUsize::new(begun));
    let lock = || chain.lock().unwrap_or_else(PoisonError::into_inner);
    let work = |examiner: &mut Examination<'_>| -> Result<(), HashError> {
        loop {
            let number = next.fetch_add(1, Relaxed);
            if number * size >= positions {
                return Ok(());
            }
            let part = part(game, number * size, size);
            let mut looks = examiner.look_at(&part, step)?;
            let mut done = wait_for(lock(), &turns, |chain| {
                chain.parts == number || chain.failed.is_some() || examiner.stop.load(Relaxed)
            });
            let mut after = done.after;
            if done.failed.is_some() || examiner.stop.load(Relaxed) {
                return Ok(());
            }
            drop(done);
            examiner.compare(&part, &mut looks, &mut after, step)?;
            done = lock();
            if examiner.stop.load(Relaxed) {
                return Ok(());
            }
            done.looks.append(&mut looks);
            (done.after, done.parts) = (after, number + 1);
            turns.notify_all();
        }
    };
    let work = |examiner: &mut Examination<'_>| {
        let failed = match catch_unwind(AssertUnwindSafe(|| work(examiner))) {
            Ok(Ok(())) => return,
            Ok(Err(error)) => Ok(error),
            Err(panic) => Err(panic),
        };
        lock().failed.get_or_insert(failed);
        turns.notify_all();
    };
    thread::scope(|scope| {
        let Some((own, others)) = examiners.split_first_mut() else {
            return;
        };
        for examiner in others {
            // If the system gives no more threads, the others do the work.
            let _ = thread::Builder::new().spawn_scoped(scope, || work(examiner));
        }
        work(own);
    });
    let Chain { mut looks, failed, .. } = chain.into_inner().unwrap_or_else(PoisonError::into_inner);
    match failed {
        Some(Ok(error)) => return Err(error),
        Some(Err(panic)) => resume_unwind(panic),
        None => {}
    }
    looks.reverse();
    for look in &mut looks {
        look.turn(turn.inverse(), board);
    }
    Ok(looks)
}

/// The symmetry that turns a game into the same one of its eight images, whichever of them it is.
fn orientation(game: &Game) -> Symmetry {
    let (start, size) = (game.start().to_setup(), game.position().size());
    let image = |symmetry: &Symmetry| {
        let moves: Vec<Move> = game.moves().iter().map(|&mv| symmetry.mv(mv, size)).collect();
        (start.transformed(*symmetry).to_string(), moves)
    };
    Symmetry::ALL.into_iter().min_by_key(image).unwrap_or(Symmetry::ALL[0])
}

/// The image of a game.
fn turned(game: &Game, symmetry: Symmetry) -> Game {
    let start = game.start().to_setup().transformed(symmetry);
    let start_position = AnyPosition::from_setup(&start).expect("an image of a position can be set up as well");
    let mut turned = Game::new(start_position);
    for &mv in game.moves() {
        turned.play_unchecked(symmetry.mv(mv, start.size));
    }
    turned
}

/// Positions of a part with these limits.
fn part_size(limits: &Limits) -> usize {
    let fit = match (limits.move_time, limits.nodes, limits.depth) {
        (Some(time), ..) => PART_TIME.as_millis() / time.as_millis().max(1),
        (_, Some(nodes), _) => u128::from(PART_NODES / nodes.max(1)),
        (.., depth) if depth.is_none_or(|depth| depth >= PART_DEPTH) => 1,
        _ => return PART_POSITIONS,
    };
    usize::try_from(fit).map_or(PART_POSITIONS, |fit| fit.clamp(1, PART_POSITIONS))
}

/// The part of this size whose last position has this many others after it.
fn part(game: &Game, after: usize, size: usize) -> Part {
    let mut game = game.clone();
    let mut next = None;
    for _ in 0..after {
        next = game.take_back();
    }
    let positions = size.min(game.moves().len() + 1);
    Part { game, next, positions }
}

/// The worth of the first of the last positions of a game, which have these `looks`.
fn worth_of(game: &Game, looks: &[Look]) -> After {
    let first = game.moves().len() + 1 - looks.len();
    let moves = &game.moves()[first..];
    let mut worth = looks[looks.len() - 1].score;
    for (look, &mv) in looks.iter().zip(moves).rev() {
        worth = Choice::new(look, mv, worth).worth();
    }
    After { worth, is_over: looks[0].line.is_empty() }
}

/// Waits until `is_due`, looking at it again whenever the others have got further, and now and then.
fn wait_for<'a, T>(
    mut guard: MutexGuard<'a, T>,
    condition: &Condvar,
    is_due: impl Fn(&T) -> bool,
) -> MutexGuard<'a, T> {
    while !is_due(&guard) {
        guard = condition.wait_timeout(guard, STOP_CHECK).unwrap_or_else(PoisonError::into_inner).0;
    }
    guard
}

/// The settings with which `tak-engine annotate` looks at positions within these limits: one thread and a table that
/// depends on the limits only, so equal limits, other than of time, find the same everywhere.
///
/// ```
/// use tak_engine::analysis::annotate::settings_for;
/// use tak_engine::engine::{Limits, WeightSet};
///
/// assert_eq!(settings_for(&Limits::nodes(2_000), WeightSet::default()).hash_mib, 8);
/// ```
#[must_use]
pub fn settings_for(limits: &Limits, weights: WeightSet) -> Settings {
    let hash_mib = limits.nodes.map_or(MOST_HASH_MIB, |nodes| {
        usize::try_from(nodes / NODES_OF_A_MIB).map_or(MOST_HASH_MIB, |mib| mib.clamp(1, MOST_HASH_MIB))
    });
    Settings { weights, hash_mib, threads: 1, move_overhead: Duration::ZERO, ..Settings::default() }
}

/// A game being looked at by one engine, possibly beside others.
pub struct Examination<'a> {
    /// With one thread, so that the same game is always judged alike.
    pub engine: &'a mut Engine,
    /// For each position.
    pub limits: Limits,
    /// Ends the work.
    pub stop: &'a AtomicBool,
}

impl Examination<'_> {
    /// Looks at the positions of `part`, the last one first.
    fn look_at(&mut self, part: &Part, step: &dyn Fn()) -> Result<Vec<Look>, HashError> {
        self.engine.clear();
        let mut game = part.game.clone();
        let mut looks = Vec::with_capacity(part.positions);
        loop {
            looks.push(self.look(&game)?);
            if self.stop.load(Relaxed) {
                return Ok(looks);
            }
            step();
            if looks.len() == part.positions {
                return Ok(looks);
            }
            game.take_back();
        }
    }

    /// Looks at the other moves in the positions of `part`, which have been looked at, if that matters. `after` is
    /// the position after them, and becomes that of the first.
    fn compare(
        &mut self,
        part: &Part,
        looks: &mut [Look],
        after: &mut After,
        step: &dyn Fn(),
    ) -> Result<(), HashError> {
        let mut game = part.game.clone();
        let mut next = part.next;
        for look in looks {
            if let Some(mv) = next {
                look.turn_to(mv, game.position());
                self.look_at_others(&game, mv, after.worth, look)?;
                let choice = Choice::new(look, mv, after.worth);
                if !after.is_over && choice.loss() < MISTAKE_POINTS && !is_forced(game.position()) {
                    look.only = self.bears_out_only(&game, mv, choice, look)?;
                }
                after.worth = choice.worth();
            } else {
                after.worth = look.score;
            }
            after.is_over = look.line.is_empty();
            if self.stop.load(Relaxed) {
                break;
            }
            step();
            next = game.take_back();
        }
        Ok(())
    }

    /// Searches the present position.
    fn search(&mut self, game: &Game, limits: Limits) -> Result<Report, HashError> {
        self.engine.run_with(&SearchRequest::new(game.clone(), limits), Some(self.stop), |_| {})
    }

    /// The same for all moves but `mv`.
    fn search_others(&mut self, game: &Game, mv: Move, limits: Limits, look: &mut Look) -> Result<Report, HashError> {
        let request = SearchRequest::without(mv, game.clone(), limits);
        let report = self.engine.run_with(&request, Some(self.stop), |_| {})?;
        look.add(&report);
        Ok(report)
    }

    /// A look at the present position.
    fn look(&mut self, game: &Game) -> Result<Look, HashError> {
        let position = game.position();
        if let Some(outcome) = position.outcome() {
            let mover = position.to_move();
            return Ok(Look::over(match outcome.winner {
                Some(winner) if winner == mover => Score::win_in(0),
                Some(_) => Score::loss_in(0),
                None => Score::DRAW,
            }));
        }
        let report = self.search(game, self.limits)?;
        let (score, line) = best(&report);
        let mut look =
            Look { score, line, depth: report.depth, nodes: report.nodes, ms: 0, road: None, other: None, only: None };
        let mut time = report.time;
        let ahead = chance(score);
        if ahead.max(100.0 - ahead) >= MAY_FORCE_CHANCE {
            let mover = position.to_move();
            let attacker = if ahead > 50.0 { mover } else { !mover };
            let limits = self.part(ROAD_PART, true);
            let road = self.engine.forced_road(game, attacker, &limits, self.stop)?;
            look.nodes += road.nodes;
            time += road.time;
            if let Some(line) = road.lines.into_iter().next() {
                look.road = Some(attacker);
                if !look.score.is_decisive() {
                    look.score = line.score;
                    // The solver may have had no time left to find the moves.
                    if !line.pv.is_empty() {
                        look.line = line.pv;
                    }
                }
            }
        }
        look.ms = millis(time);
        Ok(look)
    }

    /// Looks at the moves other than `mv`, which was played, if that matters: after a move that the engine judges to be
    /// worse than its own, or that it would have played too. `after` is the worth of the position after it.
    fn look_at_others(&mut self, game: &Game, mv: Move, after: Score, look: &mut Look) -> Result<(), HashError> {
        let played = one_ply_before(after);
        if look.line.first() == Some(&mv) {
            look.other = self.search_without(game, mv, played, look)?;
        } else if is_notable(look.score, played) {
            look.other = Some(Other { score: look.score, line: look.line.clone() });
        }
        for _ in 0..MOST_OTHERS {
            let is_open = |other: &&Other| !other.score.is_decisive() && is_notable(other.score, played);
            let Some(other) = look.other.as_ref().filter(is_open) else {
                break;
            };
            // The position after the other move is looked at just as the one after the move played was: a score from
            // one ply before is not the same measure. The smaller difference counts.
            let (score, line) = (other.score, other.line.clone());
            let again = self.look_after(game, &line, self.limits, look)?;
            if (again.score < score) != (score > played) {
                break;
            }
            if !again.score.is_loss() {
                look.other = Some(again);
                break;
            }
            // That this one loses by force does not decide the rest. A repeated search has that in its table
            // and finds another.
            let report = self.search_others(game, mv, self.limits, look)?;
            let (score, line) = best(&report);
            look.other = Some(Other { score, line });
        }
        Ok(())
    }

    /// The best without `mv`, the engine's own move, if that is of interest.
    fn search_without(
        &mut self,
        game: &Game,
        mv: Move,
        played: Score,
        look: &mut Look,
    ) -> Result<Option<Other>, HashError> {
        let is_surprise = lead(look.score, played) >= DOUBTFUL_POINTS || (played.is_loss() && !look.score.is_loss());
        let ends = look.line.len() == 1 && look.score == Score::win_in(1);
        let may_be_only = !ends && chance(played) >= 100.0 - WON_CHANCE && !is_forced(game.position());
        let mut limits = if is_surprise {
            self.limits
        } else if may_be_only {
            // Mostly this shows that another move is as good.
            self.part(FIRST_LOOK_PART, false)
        } else {
            return Ok(None);
        };
        loop {
            let report = self.search_others(game, mv, limits, look)?;
            if report.lines.is_empty() {
                return Ok(None);
            }
            let (score, line) = best(&report);
            let is_near = lead(played, score) < ONLY_MOVE_POINTS;
            if limits == self.limits || is_near {
                return Ok(Some(Other { score, line }));
            }
            limits = self.limits;
        }
    }

    /// The worth of the first move of `line` by the position after it.
    fn look_after(&mut self, game: &Game, line: &[Move], limits: Limits, look: &mut Look) -> Result<Other, HashError> {
        let mut game = game.clone();
        let mut played = Vec::new();
        if let Some(&mv) = line.first() {
            game.play_unchecked(mv);
            played.push(mv);
        }
        let report = self.search(&game, limits)?;
        look.add(&report);
        let (score, rest) = best(&report);
        played.extend(rest);
        Ok(Other { score: one_ply_before(score), line: played })
    }

    /// The result that `mv` alone keeps, if longer searches, too, see that it is the only move. Proven scores are not
    /// searched again.
    fn bears_out_only(
        &mut self,
        game: &Game,
        mv: Move,
        choice: Choice,
        look: &mut Look,
    ) -> Result<Option<Only>, HashError> {
        let Some(mut other) = choice.other.filter(|_| choice.only().is_some()) else {
            return Ok(None);
        };
        let limits = self.longer();
        let mut line = Vec::new();
        if !other.is_decisive() {
            let report = self.search_others(game, mv, limits, look)?;
            (other, line) = best(&report);
            let other = Some(other);
            if (Choice { other, ..choice }).only().is_none() {
                return Ok(None);
            }
        }
        let mut played = choice.played;
        if !played.is_decisive() {
            played = self.look_after(game, &[mv], limits, look)?.score;
        }
        if !other.is_decisive() {
            // As after the first look, the smaller difference counts.
            other = other.max(self.look_after(game, &line, limits, look)?.score);
        }
        let other = Some(other);
        Ok(Choice { played, other }.only())
    }

    /// Limits for a search that has to bear out another one.
    fn longer(&self) -> Limits {
        let Limits { depth, nodes, move_time, .. } = self.limits;
        Limits {
            depth: depth.map(|depth| depth.saturating_add(DEEPER_PLIES)),
            nodes: nodes.map(|nodes| nodes.saturating_mul(LONGER_FACTOR.into()).max(LEAST_LONGER_NODES)),
            move_time: move_time.map(|time| time.saturating_mul(LONGER_FACTOR)),
            ..Limits::default()
        }
    }

    fn part(&self, part: u32, is_solver: bool) -> Limits {
        let Limits { depth, nodes, move_time, .. } = self.limits;
        let beside = depth.filter(|_| nodes.is_none() && move_time.is_none());
        Limits {
            depth: depth.filter(|_| !is_solver),
            nodes: nodes.map(|nodes| (nodes / u64::from(part)).max(1)).or(beside.map(|_| NODES_BESIDE_DEPTH)),
            move_time: move_time.map(|time| time / part),
            ..Limits::default()
        }
    }
}

impl Look {
    /// Adds the nodes and the time of another search.
    fn add(&mut self, report: &Report) {
        self.nodes += report.nodes;
        self.ms += millis(report.time);
    }
}

/// Returns whether the move played may get a mark.
fn is_notable(other: Score, played: Score) -> bool {
    let lost = lead(other, played);
    lost >= DOUBTFUL_POINTS || lost <= -ONLY_MOVE_POINTS
}

/// The score and the line of a search.
fn best(report: &Report) -> (Score, Vec<Move>) {
    let line = report.lines.first();
    line.map_or((Score::DRAW, Vec::new()), |line| (line.score, line.pv.clone()))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
