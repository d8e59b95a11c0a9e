//! Search for puzzles in a game: candidates and their verification.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use super::best::{Best, Searches, others};
use super::difficulty::Solver;
use super::proof::{Limits, Proven, Reject, after};
use super::puzzle::{Kind, Puzzle, Step, Wrong};
use super::themes::themes;
use super::{defence, mistakes, wins};
use crate::analysis::annotate::judge::{chance, is_forced, lead};
use crate::board::{AnyPosition, ByColor, Game, Move, with_position};
use crate::engine::{Engine, HashError, Limits as SearchLimits, Settings};
use crate::search::{Report, Score};

/// Positions visited by each of the two short searches of every position.
const SHORT_SEARCH_NODES: u64 = 1000;
/// A player with this chance, in percent, may have a forced win.
const MAY_WIN_CHANCE: f64 = 70.0;
/// A player with less than this chance near the end has no forced win in few plies.
const MUST_WIN_CHANCE: f64 = 90.0;
/// Points of chance between two moves from which on long searches are worth their time.
const MAY_DIFFER_POINTS: f64 = 20.0;
/// The table for proofs and long searches, in MiB.
const HASH_MIB: usize = 16;
/// Plies of a game that are skipped for a kind after a puzzle of that kind that has no number of plies.
const PLIES_AFTER_BEST: u32 = 4;

/// The memory that a finder takes, in MiB.
pub const FINDER_MIB: usize = HASH_MIB + 2;

/// Finds the puzzles of games. The result depends only on the game and the limits.
pub struct Finder {
    limits: Limits,
    /// For the short searches of all positions.
    scout: Engine,
    /// For proofs and long searches.
    prover: Engine,
    solver: Solver,
    stop: Arc<AtomicBool>,
}

/// The puzzles of a game.
#[derive(Debug, Default)]
pub struct Findings {
    /// Positions looked at.
    pub positions: u64,
    /// Positions that may have been puzzles of each kind, but could not be decided within the limits.
    pub undecided: [u64; Kind::ALL.len()],
    /// In the order of the game.
    pub puzzles: Vec<Puzzle>,
}

/// A position in which the player to move may have a single good move, with the scores of short searches.
struct Candidate<'a> {
    position: &'a AnyPosition,
    best: Score,
    other: Score,
    /// The two best moves.
    moves: [Move; 2],
    /// The move that was played, if mistakes are looked for.
    played: Option<Move>,
}

impl Finder {
    /// With these limits. Once `stop` is set, the work on a game ends.
    pub fn new(limits: Limits, stop: &Arc<AtomicBool>) -> Result<Self, HashError> {
        let engine = |hash_mib| {
            let settings = Settings { hash_mib, ..Settings::default() };
            let mut engine = Engine::new(settings).stopped_by(Arc::clone(stop));
            engine.prepare().map(|()| engine)
        };
        let (scout, prover, solver) = (engine(1)?, engine(HASH_MIB)?, Solver::new(stop));
        Ok(Self { limits, scout, prover, solver, stop: Arc::clone(stop) })
    }

    /// The puzzles of `game`, of the kinds that are `wanted`; with `mistakes_of` only those in the place of a mistake of
    /// these players, one in a position. After any other puzzle the plies of its solution are passed over for its kind.
    /// If the work is stopped, these are the puzzles found before.
    pub fn find(
        &mut self,
        game: &Game,
        mistakes_of: Option<ByColor<bool>>,
        wanted: impl Fn(Kind) -> bool,
    ) -> Result<Findings, HashError> {
        let is_at_hand = self.limits.max_plies < wins::MIN_PLIES;
        let kinds: &[Kind] = match mistakes_of {
            _ if is_at_hand => &[Kind::Tinue],
            Some(_) => &mistakes::KINDS,
            None => &Kind::ALL,
        };
        let mut findings = Findings::default();
        let mut free_from = [0; Kind::ALL.len()];
        let mut missed = None;
        let mut position = game.start().clone();
        self.scout.clear();
        for ply in 0.. {
            let next = game.moves().get(ply as usize).copied();
            let played = next.filter(|_| mistakes_of.is_some());
            let is_wanted = mistakes_of.is_none_or(|of| played.is_some() && of[position.to_move()]);
            let candidate = match is_wanted {
                true if is_at_hand => at_hand(&position, played, &mut findings),
                true => self.look(&position, played, &mut findings)?,
                false => None,
            };
            let asked = candidate.iter().flat_map(|candidate| kinds.iter().map(move |&kind| (candidate, kind)));
            for (candidate, kind) in asked {
                let free_from = &mut free_from[kind as usize];
                if ply < *free_from || !wanted(kind) || !candidate.may_be(kind) {
                    continue;
                }
                match self.puzzle(kind, candidate, ply) {
                    _ if self.stop.load(Relaxed) => return Ok(findings),
                    Ok(puzzle) => {
                        if played.is_none() {
                            let plies = puzzle.proof.map_or(PLIES_AFTER_BEST, |proof| proof.plies);
                            *free_from = ply + plies;
                            findings.puzzles.push(puzzle);
                            continue;
                        }
                        // A move that is missed again and again is one puzzle.
                        let now = Some((ply, puzzle.solution.mv));
                        if missed.is_none_or(|(before, mv)| now != Some((before + 2, mv))) {
                            findings.puzzles.push(puzzle);
                        }
                        missed = now;
                        break;
                    }
                    Err(Reject::No) => {}
                    Err(Reject::Undecided) => findings.undecided[kind as usize] += 1,
                    Err(Reject::NoMemory(error)) => return Err(error),
                }
            }
            let Some(mv) = next else {
                break;
            };
            position.play_unchecked(mv);
        }
        Ok(findings)
    }

    /// The view of short searches, if there may be a puzzle. In the first turns there is none.
    fn look<'a>(
        &mut self,
        position: &'a AnyPosition,
        played: Option<Move>,
        findings: &mut Findings,
    ) -> Result<Option<Candidate<'a>>, HashError> {
        if position.outcome().is_some() || position.ply() < 2 {
            return Ok(None);
        }
        findings.positions += 1;
        // A road at hand that was missed is a puzzle.
        if played.is_none() && position.winning_move(position.to_move()).is_some() {
            return Ok(None);
        }
        let game = Game::new(position.clone());
        let limits = SearchLimits::nodes(SHORT_SEARCH_NODES);
        let report = self.scout.analyse(&game, limits)?;
        let Some((best, first)) = first_move(&report).filter(|(best, _)| !best.is_loss()) else {
            return Ok(None);
        };
        let others = others(position, first, played, limits);
        let Some((other, second)) = first_move(&self.scout.run(&others)?) else {
            return Ok(None);
        };
        Ok(Some(Candidate { position, best, other, moves: [first, second], played }))
    }

    fn puzzle(&mut self, kind: Kind, candidate: &Candidate<'_>, ply: u32) -> Result<Puzzle, Reject> {
        let (position, limits) = (candidate.position, self.limits);
        let engine = &mut self.prover;
        engine.clear();
        let mut known_wrong: Vec<Wrong> = Vec::new();
        let mut wrong: Vec<Move> = Vec::new();
        let mut also: Vec<Move> = Vec::new();
        let (proof, solution): (_, Step) = match kind {
            Kind::Tinue | Kind::Flats => {
                let Proven { proof, solution } = match kind {
                    Kind::Tinue if position.winning_move(position.to_move()).is_some() => {
                        wins::at_hand(position).ok_or(Reject::No)?
                    }
                    Kind::Tinue => wins::tinue(engine, position, limits)?,
                    _ => wins::flats(engine, position, limits)?,
                };
                (Some(proof), solution)
            }
            Kind::Defence => {
                let proven = defence::defence(engine, position, &candidate.moves, limits)?;
                let (Proven { proof, solution }, holding) = proven;
                wrong = holding;
                (Some(proof), solution)
            }
            Kind::Best => {
                let mut searches = Searches { engine, position, stop: &self.stop };
                let best = searches.best(candidate.played, limits.nodes)?.ok_or(Reject::No)?;
                let Best { right, line, wrong, refutation } = best;
                known_wrong.push(Wrong { mv: wrong, answer: refutation });
                also.extend(&right[1..]);
                (None, Step { mv: right[0], answers: Step::line(&line) })
            }
        };
        let mut searches = Searches { engine, position, stop: &self.stop };
        if let Some(played) = candidate.played
            && !mistakes::is_mistake(&mut searches, kind, solution.mv, played, limits)?
        {
            return Err(Reject::No);
        }
        let right: Vec<Move> = std::iter::once(solution.mv).chain(also.iter().copied()).collect();
        let difficulty = self.solver.difficulty(position, &right)?;
        let plies = proof.map_or(0, |proof| proof.plies);
        // A road at hand says itself what is wrong with the others.
        let tempting = if plies == 1 { Vec::new() } else { self.solver.tempting(position, &right)? };
        for mv in tempting.into_iter().chain(candidate.played) {
            if !wrong.contains(&mv) && known_wrong.iter().all(|known| known.mv != mv) {
                wrong.push(mv);
            }
        }
        if kind == Kind::Best || plies == 1 {
            for mv in wrong {
                let refuted = searches.after(mv, limits.quick())?;
                known_wrong.push(Wrong { mv, answer: refuted.map(|(_, answer)| answer).unwrap_or_default() });
            }
        } else {
            let mover = position.to_move();
            let attacker = if kind == Kind::Defence { !mover } else { mover };
            let mut prover = engine.prover(position.size(), attacker, false)?;
            known_wrong.extend(wrong.into_iter().map(|mv| {
                let next = after(position, mv);
                let answer = match kind {
                    Kind::Defence => defence::refutation(&mut prover, &next, plies, limits),
                    _ => wins::refutation(&mut prover, &next, mover, plies, limits).into_iter().collect(),
                };
                Wrong { mv, answer }
            }));
        }
        if let Some(played) = candidate.played {
            known_wrong.sort_by_key(|wrong| wrong.mv != played);
        }
        let themes = themes(kind, position, &solution.main_line());
        let setup = position.to_setup();
        Ok(Puzzle { kind, setup, ply, proof, solution, also, wrong: known_wrong, difficulty, themes })
    }
}

impl Candidate<'_> {
    /// Returns whether a puzzle of this kind is likely enough to look for it.
    fn may_be(&self, kind: Kind) -> bool {
        // Another move is seen to win as soon.
        let is_double = self.best.is_win() && self.other >= self.best;
        match kind {
            Kind::Tinue => chance(self.best) >= MAY_WIN_CHANCE && !is_double,
            Kind::Flats => chance(self.best) >= MUST_WIN_CHANCE && !is_double && is_near_end(self.position),
            Kind::Defence => !self.best.is_win() && self.other.is_loss(),
            Kind::Best => {
                let is_open = !self.best.is_decisive() && !self.other.is_decisive() && !is_forced(self.position);
                lead(self.best, self.other) >= MAY_DIFFER_POINTS && (is_open || self.played.is_some())
            }
        }
    }
}

/// A position with a road at hand by one spread alone.
fn at_hand<'a>(position: &'a AnyPosition, played: Option<Move>, findings: &mut Findings) -> Option<Candidate<'a>> {
    findings.positions += 1;
    let right = wins::at_hand(position)?.solution.mv;
    Some(Candidate { position, best: Score::win_in(1), other: Score::DRAW, moves: [right; 2], played })
}

/// Returns whether flats may be counted within some plies: few squares are empty, or a player has few pieces left.
fn is_near_end(position: &AnyPosition) -> bool {
    with_position!(position, p => p.min_reserve() <= 4 || p.empty().count() <= 6)
}

fn first_move(report: &Report) -> Option<(Score, Move)> {
    let line = report.lines.first()?;
    Some((line.score, *line.pv.first()?))
}
