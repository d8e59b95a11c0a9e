//! Makes opening suites: all openings of two plies, or random ones that a search finds balanced.

use std::collections::HashSet;
use std::time::Instant;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;

use super::book::Opening;
use crate::board::{AnyPosition, Game};
use crate::board::{Komi, Move, MoveKind, OpeningRule, PieceKind, Size};
use crate::engine::{Engine, HashError, Limits, Settings};
use crate::notation::canonical_tps;

/// What openings are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// The board.
    pub size: Size,
    /// Komi for the search.
    pub komi: Komi,
    /// What each player's first turn does.
    pub opening: OpeningRule,
    /// Plies of each opening, at least 1.
    pub plies: usize,
    /// How many openings.
    pub count: usize,
    /// The furthest that a score may be from 0, in centiflats.
    pub max_score: u32,
    /// Plies of the search.
    pub depth: u32,
    /// Other seeds give other openings.
    pub seed: u64,
}

/// How far the work has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuiteProgress {
    /// Openings kept.
    pub found: usize,
    /// Positions searched, each unlike any other.
    pub searched: usize,
}

/// Candidates that are searched together; the next ones are drawn when all of them have been judged.
const BATCH: usize = 128;
/// The search for openings ends after this many draws in a row without an unseen one.
const FRUITLESS_DRAWS: usize = 20_000;
/// The table of each search. Small, because the searches are short.
const HASH_MIB: usize = 4;

/// Draws random openings and keeps those whose last position a search of `wanted.depth` scores within
/// `wanted.max_score`. No two lead to positions that are the same up to symmetry. The same `wanted` gives the same
/// suite on any number of threads. It is shorter than asked when there are no more openings to be found.
///
/// # Errors
/// [`HashError`] when a search cannot have its table.
pub fn generate(
    wanted: &Wanted,
    progress: &mut dyn FnMut(SuiteProgress),
) -> Result<Vec<Vec<Move>>, HashError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(wanted.seed);
    let mut seen = HashSet::new();
    let mut suite = Vec::new();
    let mut searched = 0;
    while suite.len() < wanted.count {
        let candidates = draw(wanted, &mut random, &mut seen);
        if candidates.is_empty() {
            break;
        }
        let judged: Vec<bool> = candidates
            .par_iter()
            .map_init(small_engine, |engine, game| {
                is_balanced(engine, game, wanted)
            })
            .collect::<Result<_, _>>()?;
        searched += candidates.len();
        let kept = candidates.iter().zip(judged).filter(|(_, kept)| *kept);
        suite.extend(kept.map(|(game, _)| game.moves().to_vec()));
        suite.truncate(wanted.count);
        progress(SuiteProgress {
            found: suite.len(),
            searched,
        });
    }
    Ok(suite)
}

/// Every opening of one flat each (or a stack of two), up to symmetry: what is played from when there is no suite.
#[must_use]
pub fn first_moves(size: Size, komi: Komi, opening: OpeningRule) -> Vec<Opening> {
    let mut seen = HashSet::new();
    let mut openings = Vec::new();
    let start = AnyPosition::start_with(size, komi, opening);
    for first in flats(&start) {
        let mut after_first = start.clone();
        if after_first.play(first).is_err() {
            continue;
        }
        for second in flats(&after_first) {
            let mut position = after_first.clone();
            if position.play(second).is_ok() && seen.insert(canonical(&position)) {
                openings.push(Opening {
                    start: start.to_setup(),
                    moves: vec![first, second],
                });
            }
        }
    }
    openings
}

fn small_engine() -> Engine {
    Engine::new(
        Settings {
            hash_mib: HASH_MIB,
            threads: 1,
            ..Settings::default()
        },
        Instant::now(),
    )
}

/// Unseen games of the wanted length; fewer than [`BATCH`] only when there are hardly any left.
fn draw(wanted: &Wanted, random: &mut Xoshiro256PlusPlus, seen: &mut HashSet<String>) -> Vec<Game> {
    let mut games = Vec::with_capacity(BATCH);
    let mut fruitless = 0;
    while games.len() < BATCH && fruitless < FRUITLESS_DRAWS {
        let game = random_game(wanted, random);
        if let Some(game) = game.filter(|game| seen.insert(canonical(game.position()))) {
            games.push(game);
            fruitless = 0;
        } else {
            fruitless += 1;
        }
    }
    games
}

fn flats(position: &AnyPosition) -> impl Iterator<Item = Move> {
    let moves = position.legal_moves().into_iter();
    moves.filter(|mv| mv.kind() == MoveKind::Place(PieceKind::Flat))
}

/// `None` if the game was over too early.
fn random_game(wanted: &Wanted, random: &mut Xoshiro256PlusPlus) -> Option<Game> {
    let start = AnyPosition::start_with(wanted.size, wanted.komi, wanted.opening);
    let mut game = Game::new(start);
    for _ in 0..wanted.plies {
        let mv = random_move(&game.position().legal_moves(), random)?;
        game.play(mv).ok()?;
    }
    game.position().outcome().is_none().then_some(game)
}

/// Mostly a flat, as players open; now and then a wall, a capstone or a spread, which a suite should have as well.
fn random_move(moves: &[Move], random: &mut Xoshiro256PlusPlus) -> Option<Move> {
    let kind = match random.random_range(0..100) {
        0..80 => Some(PieceKind::Flat),
        80..85 => Some(PieceKind::Wall),
        85..90 => Some(PieceKind::Cap),
        _ => None,
    };
    let is_kind = |mv: &&Move| match mv.kind() {
        MoveKind::Place(placed) => kind == Some(placed),
        MoveKind::Spread(..) => kind.is_none(),
    };
    let of_kind: Vec<Move> = moves.iter().filter(is_kind).copied().collect();
    of_kind
        .choose(random)
        .or_else(|| moves.choose(random))
        .copied()
}

fn is_balanced(engine: &mut Engine, game: &Game, wanted: &Wanted) -> Result<bool, HashError> {
    let limits = Limits::depth(wanted.depth);
    // What earlier searches left behind would make the score depend on which thread did them.
    engine.clear();
    let report = engine.analyse(game, limits)?;
    Ok(report.lines.first().is_some_and(|line| {
        !line.score.is_decisive() && line.score.value().unsigned_abs() <= wanted.max_score
    }))
}

fn canonical(position: &AnyPosition) -> String {
    canonical_tps(&position.to_setup())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Symmetry;

    fn size(width: u64) -> Size {
        Size::new(width).unwrap()
    }

    fn wanted(count: usize) -> Wanted {
        Wanted {
            size: size(5),
            komi: Komi::ZERO,
            opening: OpeningRule::Swap,
            plies: 4,
            count,
            max_score: 100,
            depth: 1,
            seed: 7,
        }
    }

    /// The number of ways to colour one square black and another white, counted by Burnside's lemma: of the eight
    /// symmetries each fixes as many ordered pairs as it has pairs of fixed squares.
    fn pairs_up_to_symmetry(size: Size) -> usize {
        let squares: Vec<_> = (0..size.width())
            .flat_map(|c| (0..size.width()).map(move |r| crate::board::Square::new(c, r)))
            .collect();
        let fixed_pairs = |symmetry: &Symmetry| {
            let fixed = squares.iter().filter(|&&s| symmetry.square(s, size) == s);
            let fixed = fixed.count();
            fixed * fixed.saturating_sub(1)
        };
        Symmetry::ALL.iter().map(fixed_pairs).sum::<usize>() / 8
    }

    #[test]
    fn first_moves_are_all_up_to_symmetry() {
        for size in Size::ALL {
            for rule in OpeningRule::ALL {
                let openings = first_moves(size, Komi::ZERO, rule);
                assert_eq!(openings.len(), pairs_up_to_symmetry(size), "{size} {rule}");
                assert!(openings.iter().all(|opening| opening.start.opening == rule));
            }
        }
    }

    #[test]
    fn suites_are_unique_balanced_and_reproducible() {
        let suite = generate(&wanted(40), &mut |_| {}).unwrap();
        assert_eq!(suite.len(), 40);
        let mut seen = HashSet::new();
        let mut engine = small_engine();
        for moves in &suite {
            assert_eq!(moves.len(), 4);
            let mut game = Game::new(AnyPosition::start(size(5), Komi::ZERO));
            for &mv in moves {
                game.play(mv).unwrap();
            }
            assert_eq!(game.position().outcome(), None);
            assert!(is_balanced(&mut engine, &game, &wanted(40)).unwrap());
            for symmetry in Symmetry::ALL {
                let turned = game.position().to_setup().transformed(symmetry);
                assert!(!seen.contains(&turned.to_string()));
            }
            seen.insert(game.position().to_string());
        }
        let one_thread = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        let again = one_thread.install(|| generate(&wanted(40), &mut |_| {}));
        assert_eq!(again.unwrap(), suite);
    }

    #[test]
    fn there_may_be_fewer_than_wanted() {
        let all = Wanted {
            size: size(3),
            plies: 2,
            max_score: 20_000,
            ..wanted(1000)
        };
        let suite = generate(&all, &mut |_| {}).unwrap();
        assert!(suite.len() <= pairs_up_to_symmetry(size(3)));
    }
}
