//! Analyses every position of a game, on any number of threads.
//!
//! A game is divided into parts of a few positions, for equal limits always in the same way, and each part begins with
//! an empty table: so the number of threads changes nothing. Within a part the last position comes first, so that its
//! results are still in the table when the position before it is searched. The move played is compared with the other
//! moves of its position once the value of the position after it is known, so the parts do that in turn, from the end
//! of the game.
//!
//! The search of a position judges the move that led to it and the choice of the next move. A player who is well ahead
//! is asked for a forced road. If the engine's own move was played, the other moves are searched only if they may
//! matter: if the move turned out to be a bad one, or may be the only one that keeps the result. Before a move is
//! marked, the position after the best other move is searched as well. That a move is the only one is a claim about all
//! others, so without a proof longer searches must confirm it.

use std::mem::forget;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::analysis::{Alternative, OnlyMove, PositionAnalysis};
use super::judge::{Comparison, MISTAKE_POINTS, ONLY_MOVE_POINTS, WON_CHANCE, chance, is_forced, lead, one_ply_before};
use crate::board::{AnyPosition, Game, Move, Symmetry};
use crate::engine::{Engine, HashError, Limits, SearchRequest, Settings, WeightSet};
use crate::search::{Report, Score};

/// Positions of a part if the searches are short. More positions share more results; fewer keep more threads busy.
const PART_POSITIONS: usize = 8;
/// A part whose searches take longer than this together has fewer positions, for the same reason.
const PART_TIME: Duration = Duration::from_secs(1);
/// Nodes that take about as long.
const PART_NODES: u64 = 500_000;
/// From this depth on a search takes about as long.
const PART_DEPTH: u32 = 10;
/// The interval in which a thread that waits for its turn checks whether the work is stopped.
const STOP_CHECK: Duration = Duration::from_millis(50);
/// A player with this chance, in percent, may have a forced road.
const MAY_FORCE_CHANCE: f64 = 75.0;
/// The share of the limits for the question whether there is one: one in so many.
const ROAD_SHARE: u32 = 4;
/// The share for a first search of the other moves.
const FIRST_SEARCH_SHARE: u32 = 4;
/// The most nodes for either if there is a limit of depth.
const NODES_BESIDE_DEPTH: u64 = 10_000;
/// The factor by which the searches that confirm an only move are longer.
const LONGER_FACTOR: u32 = 8;
/// The minimum for such a search if the limit is in nodes. Fewer would confirm nothing.
const MIN_LONGER_NODES: u64 = 20_000;
/// Plies that it searches deeper if the limit is a depth.
const DEEPER_PLIES: u32 = 2;
/// Other moves that are searched for one move played, if each loses by force.
const MAX_ALTERNATIVES: u32 = 3;
/// Minimum loss, in points, to examine a move further.
const DOUBTFUL_POINTS: f64 = 5.0;
/// The largest table of an examiner, in MiB.
const MAX_HASH_MIB: usize = 32;
/// Nodes for each position of a game for which a table of one MiB is enough. A smaller table is cleared sooner.
const NODES_PER_MIB: u64 = 250;

/// The value of a position for its player to move, and whether the game is over in it.
#[derive(Clone, Copy)]
struct NextPosition {
    value: Score,
    is_over: bool,
}

/// Neighbouring positions of a game.
struct Part {
    /// The game up to the last of them.
    game: Game,
    /// The move played in the last of them.
    next_move: Option<Move>,
    positions: usize,
}

/// The parts that are done, from the end of the game.
struct Done {
    /// In order from the last position to the first.
    analyses: Vec<PositionAnalysis>,
    /// The position after the next part.
    next: NextPosition,
    parts: usize,
    /// Nothing more comes: a thread failed.
    is_failed: bool,
}

/// A game whose positions are being analysed, by one engine or by several at once.
pub struct GameAnalysis<'a> {
    game: Game,
    /// Turns `game` back.
    turn_back: Symmetry,
    limits: Limits,
    stop: &'a AtomicBool,
    /// Called twice for each position but the last: when it has been searched, and when its move has been compared.
    step: &'a (dyn Fn() + Sync),
    part_positions: usize,
    /// The number of the part that is taken next.
    next_part: AtomicUsize,
    done: Mutex<Done>,
    part_done: Condvar,
}

impl<'a> GameAnalysis<'a> {
    /// Searches within `limits` each; `stop` ends the work.
    pub fn new(game: &Game, limits: Limits, stop: &'a AtomicBool, step: &'a (dyn Fn() + Sync)) -> Self {
        // Games that are the same up to symmetry are analysed in one orientation, and so judged alike.
        let turn = orientation(game);
        let next = NextPosition { value: Score::DRAW, is_over: false };
        Self {
            game: turned(game, turn),
            turn_back: turn.inverse(),
            limits,
            stop,
            step,
            part_positions: part_positions(&limits),
            next_part: AtomicUsize::new(0),
            done: Mutex::new(Done { analyses: Vec::new(), next, parts: 0, is_failed: false }),
            part_done: Condvar::new(),
        }
    }

    /// Parts that can be worked on at once.
    pub fn parts(&self) -> usize {
        (self.game.moves().len() + 1).div_ceil(self.part_positions)
    }

    /// Works on part after part until none is left, or until the work is stopped. Engines on several threads share
    /// the parts. The one that completes the last part returns the analyses of all positions in order, the last position
    /// included. They depend neither on other games nor on the number of threads.
    ///
    /// # Errors
    /// [`HashError`]; then the other threads end as well.
    pub fn work(&self, engine: &mut Engine) -> Result<Option<Vec<PositionAnalysis>>, HashError> {
        let fail = FailOnDrop(self);
        let (limits, stop) = (self.limits, self.stop);
        let all = self.take_parts(&mut Examiner { engine, limits, stop })?;
        forget(fail);
        Ok(all)
    }

    fn take_parts(&self, examiner: &mut Examiner) -> Result<Option<Vec<PositionAnalysis>>, HashError> {
        let is_stopped = || self.stop.load(Relaxed);
        loop {
            let number = self.next_part.fetch_add(1, Relaxed);
            if number >= self.parts() {
                return Ok(None);
            }
            let part = self.part(number);
            let mut analyses = examiner.search_part(&part, self.step)?;
            let mut done = self.done();
            while done.parts < number && !done.is_failed && !is_stopped() {
                done = self.part_done.wait_timeout(done, STOP_CHECK).unwrap_or_else(PoisonError::into_inner).0;
            }
            let mut next = done.next;
            if done.is_failed || is_stopped() {
                return Ok(None);
            }
            drop(done);
            examiner.compare_part(&part, &mut analyses, &mut next, self.step)?;
            if is_stopped() {
                return Ok(None);
            }
            done = self.done();
            done.analyses.append(&mut analyses);
            (done.next, done.parts) = (next, number + 1);
            self.part_done.notify_all();
            if done.parts == self.parts() {
                let size = self.game.position().size();
                let mut all: Vec<PositionAnalysis> = done.analyses.drain(..).rev().collect();
                for analysis in &mut all {
                    analysis.turn(self.turn_back, size);
                }
                return Ok(Some(all));
            }
        }
    }

    fn done(&self) -> MutexGuard<'_, Done> {
        self.done.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The part with this number, counted from the end of the game.
    fn part(&self, number: usize) -> Part {
        let mut game = self.game.clone();
        let mut next_move = None;
        for _ in 0..number * self.part_positions {
            next_move = game.take_back();
        }
        let positions = self.part_positions.min(game.moves().len() + 1);
        Part { game, next_move, positions }
    }
}

/// Lets no thread wait for one that failed.
struct FailOnDrop<'a>(&'a GameAnalysis<'a>);

impl Drop for FailOnDrop<'_> {
    fn drop(&mut self) {
        self.0.done().is_failed = true;
        self.0.part_done.notify_all();
    }
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
fn part_positions(limits: &Limits) -> usize {
    let fit = match (limits.move_time, limits.nodes, limits.depth) {
        (Some(time), ..) => PART_TIME.as_millis() / time.as_millis().max(1),
        (_, Some(nodes), _) => u128::from(PART_NODES / nodes.max(1)),
        (.., depth) if depth.is_none_or(|depth| depth >= PART_DEPTH) => 1,
        _ => return PART_POSITIONS,
    };
    usize::try_from(fit).map_or(PART_POSITIONS, |fit| fit.clamp(1, PART_POSITIONS))
}

/// The settings with which `tak-engine annotate` searches positions within these limits: one thread and a table that
/// depends on the limits only, so equal limits, other than of time, find the same everywhere.
pub fn settings_for(limits: &Limits, weights: WeightSet) -> Settings {
    let hash_mib = limits.nodes.map_or(MAX_HASH_MIB, |nodes| {
        usize::try_from(nodes / NODES_PER_MIB).map_or(MAX_HASH_MIB, |mib| mib.clamp(1, MAX_HASH_MIB))
    });
    Settings { weights, hash_mib, threads: 1, move_overhead: Duration::ZERO, ..Settings::default() }
}

/// An engine that analyses positions.
struct Examiner<'a> {
    /// With one thread, so that the same game is always judged alike.
    engine: &'a mut Engine,
    /// For each position.
    limits: Limits,
    stop: &'a AtomicBool,
}

impl Examiner<'_> {
    /// Analyses the positions of `part`, the last one first.
    fn search_part(&mut self, part: &Part, step: &dyn Fn()) -> Result<Vec<PositionAnalysis>, HashError> {
        self.engine.clear();
        let mut game = part.game.clone();
        let mut analyses = Vec::with_capacity(part.positions);
        loop {
            analyses.push(self.analyse(&game)?);
            if self.stop.load(Relaxed) {
                return Ok(analyses);
            }
            step();
            if analyses.len() == part.positions {
                return Ok(analyses);
            }
            game.take_back();
        }
    }

    /// Compares the moves played in the positions of `part`, which have been analysed, with the others, if that
    /// matters. `next` is the position after them, and becomes the first of them.
    fn compare_part(
        &mut self,
        part: &Part,
        analyses: &mut [PositionAnalysis],
        next: &mut NextPosition,
        step: &dyn Fn(),
    ) -> Result<(), HashError> {
        let mut game = part.game.clone();
        let mut next_move = part.next_move;
        for analysis in analyses {
            if let Some(mv) = next_move {
                analysis.turn_to(mv, game.position());
                self.compare_with_others(&game, mv, next.value, analysis)?;
                let comparison = Comparison::new(analysis, mv, next.value);
                if !next.is_over && comparison.loss() < MISTAKE_POINTS && !is_forced(game.position()) {
                    analysis.only = self.confirm_only_move(&game, mv, comparison, analysis)?;
                }
                next.value = comparison.value();
            } else {
                next.value = analysis.score;
            }
            next.is_over = analysis.line.is_empty();
            if self.stop.load(Relaxed) {
                break;
            }
            step();
            next_move = game.take_back();
        }
        Ok(())
    }

    /// Searches the present position.
    fn search(&mut self, game: &Game, limits: Limits) -> Result<Report, HashError> {
        self.engine.run_with(&SearchRequest::new(game.clone(), limits), Some(self.stop), |_| {})
    }

    /// The same for all moves but `mv`.
    fn search_others(
        &mut self,
        game: &Game,
        mv: Move,
        limits: Limits,
        analysis: &mut PositionAnalysis,
    ) -> Result<Report, HashError> {
        let request = SearchRequest::without(mv, game.clone(), limits);
        let report = self.engine.run_with(&request, Some(self.stop), |_| {})?;
        analysis.add(&report);
        Ok(report)
    }

    /// Searches a position, and asks for a forced road if there may be one.
    fn analyse(&mut self, game: &Game) -> Result<PositionAnalysis, HashError> {
        let position = game.position();
        if let Some(outcome) = position.outcome() {
            let mover = position.to_move();
            return Ok(PositionAnalysis::over(match outcome.winner {
                Some(winner) if winner == mover => Score::win_in(0),
                Some(_) => Score::loss_in(0),
                None => Score::DRAW,
            }));
        }
        let report = self.search(game, self.limits)?;
        let (score, line) = best(&report);
        let mut analysis = PositionAnalysis {
            score,
            line,
            depth: report.depth,
            nodes: report.nodes,
            ms: 0,
            road: None,
            other: None,
            only: None,
        };
        let mut time = report.time;
        let ahead = chance(score);
        if ahead.max(100.0 - ahead) >= MAY_FORCE_CHANCE {
            let mover = position.to_move();
            let attacker = if ahead > 50.0 { mover } else { !mover };
            let limits = self.share(ROAD_SHARE, true);
            let road = self.engine.forced_road(game, attacker, &limits, self.stop)?;
            analysis.nodes += road.nodes;
            time += road.time;
            if let Some(line) = road.lines.into_iter().next() {
                analysis.road = Some(attacker);
                if !analysis.score.is_decisive() {
                    analysis.score = line.score;
                    // The solver may have had no time left to find the moves.
                    if !line.pv.is_empty() {
                        analysis.line = line.pv;
                    }
                }
            }
        }
        analysis.ms = millis(time);
        Ok(analysis)
    }

    /// Searches the moves other than `mv`, which was played, if that matters: after a move that the engine judges to be
    /// worse than its own, or that it would have played too. `after` is the value of the position after it.
    fn compare_with_others(
        &mut self,
        game: &Game,
        mv: Move,
        after: Score,
        analysis: &mut PositionAnalysis,
    ) -> Result<(), HashError> {
        let played = one_ply_before(after);
        if analysis.line.first() == Some(&mv) {
            analysis.other = self.search_without(game, mv, played, analysis)?;
        } else if is_notable(analysis.score, played) {
            analysis.other = Some(Alternative { score: analysis.score, line: analysis.line.clone() });
        }
        for _ in 0..MAX_ALTERNATIVES {
            let is_open = |other: &&Alternative| !other.score.is_decisive() && is_notable(other.score, played);
            let Some(other) = analysis.other.as_ref().filter(is_open) else {
                break;
            };
            // The position after the other move is searched as the one after the move played was: a score from
            // one ply before is not the same measure. The smaller difference counts.
            let (score, line) = (other.score, other.line.clone());
            let again = self.search_after(game, &line, self.limits, analysis)?;
            if (again.score < score) != (score > played) {
                break;
            }
            if !again.score.is_loss() {
                analysis.other = Some(again);
                break;
            }
            // That this one loses by force does not decide the rest. A repeated search has that in its table
            // and finds another.
            let report = self.search_others(game, mv, self.limits, analysis)?;
            let (score, line) = best(&report);
            analysis.other = Some(Alternative { score, line });
        }
        Ok(())
    }

    /// The best without `mv`, the engine's own move, if that may matter.
    fn search_without(
        &mut self,
        game: &Game,
        mv: Move,
        played: Score,
        analysis: &mut PositionAnalysis,
    ) -> Result<Option<Alternative>, HashError> {
        let is_surprise =
            lead(analysis.score, played) >= DOUBTFUL_POINTS || (played.is_loss() && !analysis.score.is_loss());
        let ends = analysis.line.len() == 1 && analysis.score == Score::win_in(1);
        let may_be_only = !ends && chance(played) >= 100.0 - WON_CHANCE && !is_forced(game.position());
        let mut limits = if is_surprise {
            self.limits
        } else if may_be_only {
            // Mostly this shows that another move is as good.
            self.share(FIRST_SEARCH_SHARE, false)
        } else {
            return Ok(None);
        };
        loop {
            let report = self.search_others(game, mv, limits, analysis)?;
            if report.lines.is_empty() {
                return Ok(None);
            }
            let (score, line) = best(&report);
            let is_near = lead(played, score) < ONLY_MOVE_POINTS;
            if limits == self.limits || is_near {
                return Ok(Some(Alternative { score, line }));
            }
            limits = self.limits;
        }
    }

    /// The value of the first move of `line` by the position after it.
    fn search_after(
        &mut self,
        game: &Game,
        line: &[Move],
        limits: Limits,
        analysis: &mut PositionAnalysis,
    ) -> Result<Alternative, HashError> {
        let mut game = game.clone();
        let mut played = Vec::new();
        if let Some(&mv) = line.first() {
            game.play_unchecked(mv);
            played.push(mv);
        }
        let report = self.search(&game, limits)?;
        analysis.add(&report);
        let (score, rest) = best(&report);
        played.extend(rest);
        Ok(Alternative { score: one_ply_before(score), line: played })
    }

    /// The result that `mv` alone keeps, if longer searches, too, see that it is the only move. Proven scores are not
    /// searched again.
    fn confirm_only_move(
        &mut self,
        game: &Game,
        mv: Move,
        comparison: Comparison,
        analysis: &mut PositionAnalysis,
    ) -> Result<Option<OnlyMove>, HashError> {
        let Some(mut other) = comparison.other.filter(|_| comparison.only().is_some()) else {
            return Ok(None);
        };
        let limits = self.longer();
        let mut line = Vec::new();
        if !other.is_decisive() {
            let report = self.search_others(game, mv, limits, analysis)?;
            (other, line) = best(&report);
            let other = Some(other);
            if (Comparison { other, ..comparison }).only().is_none() {
                return Ok(None);
            }
        }
        let mut played = comparison.played;
        if !played.is_decisive() {
            played = self.search_after(game, &[mv], limits, analysis)?.score;
        }
        if !other.is_decisive() {
            // As after the first search, the smaller difference counts.
            other = other.max(self.search_after(game, &line, limits, analysis)?.score);
        }
        let other = Some(other);
        Ok(Comparison { played, other }.only())
    }

    /// Limits for a search that has to confirm another one.
    fn longer(&self) -> Limits {
        let Limits { depth, nodes, move_time, .. } = self.limits;
        Limits {
            depth: depth.map(|depth| depth.saturating_add(DEEPER_PLIES)),
            nodes: nodes.map(|nodes| nodes.saturating_mul(LONGER_FACTOR.into()).max(MIN_LONGER_NODES)),
            move_time: move_time.map(|time| time.saturating_mul(LONGER_FACTOR)),
            ..Limits::default()
        }
    }

    /// One in `parts` of the limits.
    fn share(&self, parts: u32, is_solver: bool) -> Limits {
        let Limits { depth, nodes, move_time, .. } = self.limits;
        let share = nodes.map(|nodes| (nodes / u64::from(parts)).max(1));
        Limits {
            depth: depth.filter(|_| !is_solver),
            nodes: share.into_iter().chain(depth.map(|_| NODES_BESIDE_DEPTH)).min(),
            move_time: move_time.map(|time| time / parts),
            ..Limits::default()
        }
    }
}

impl PositionAnalysis {
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
