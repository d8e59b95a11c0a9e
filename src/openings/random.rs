//! Makes opening suites: all openings of two plies, or random ones that a judge finds good.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::book::Opening;
use crate::board::{AnyPosition, Game, Komi, Move, MoveKind, OpeningRule, PieceKind, Size};
use crate::notation::canonical_tps;
use crate::openings::style::{OpeningStyle, opening_move};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    pub size: Size,
    pub komi: Komi,
    pub opening: OpeningRule,
    /// Plies of each opening, at least 1.
    pub plies: usize,
    pub count: usize,
    pub seed: u64,
}

/// Candidates that are judged together; the next ones are drawn when all of them have been.
const BATCH_OPENINGS: usize = 128;
/// The search for openings ends after this many draws in a row without an unseen one.
const FRUITLESS_DRAWS: usize = 20_000;

/// Draws random openings and keeps those that a judge finds good. The judge is shown the game with the opening played.
/// No two lead to positions that are the same up to symmetry. `judge` makes a judge for each thread. If a verdict
/// depends on nothing but the game, the same `wanted` gives the same suite on any number of threads. The suite is
/// shorter than requested if no more openings can be found, or if `found`, which takes the number of openings so far,
/// ends the work.
pub fn generate<J, E>(
    wanted: &Wanted,
    judge: impl Fn() -> J + Sync + Send,
    found: &mut dyn FnMut(usize) -> ControlFlow<()>,
) -> Result<Vec<Game>, E>
where
    J: FnMut(&Game) -> Result<bool, E>,
    E: Send,
{
    let mut random = Xoshiro256PlusPlus::seed_from_u64(wanted.seed);
    let mut seen = HashSet::new();
    let mut suite = Vec::new();
    while suite.len() < wanted.count {
        let candidates = draw(wanted, &mut random, &mut seen);
        if candidates.is_empty() {
            break;
        }
        let good: Vec<bool> =
            candidates.par_iter().map_init(&judge, |judge, game| judge(game)).collect::<Result<_, _>>()?;
        let kept = candidates.into_iter().zip(good).filter(|(_, good)| *good);
        suite.extend(kept.map(|(game, _)| game));
        suite.truncate(wanted.count);
        if found(suite.len()).is_break() {
            break;
        }
    }
    Ok(suite)
}

/// Every opening of one flat each (or a stack of two), up to symmetry: used without a suite.
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
                openings.push(Opening { start: start.to_setup(), moves: vec![first, second] });
            }
        }
    }
    openings
}

/// Unseen games of the wanted length; fewer than [`BATCH_OPENINGS`] only when there are hardly any left.
fn draw(wanted: &Wanted, random: &mut Xoshiro256PlusPlus, seen: &mut HashSet<String>) -> Vec<Game> {
    let mut games = Vec::with_capacity(BATCH_OPENINGS);
    let mut fruitless = 0;
    while games.len() < BATCH_OPENINGS && fruitless < FRUITLESS_DRAWS {
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
        let mv = opening_move(OpeningStyle::Mixed, &game.position().legal_moves(), random)?;
        game.play(mv).ok()?;
    }
    game.position().outcome().is_none().then_some(game)
}

fn canonical(position: &AnyPosition) -> String {
    canonical_tps(&position.to_setup())
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;
    use crate::board::Symmetry;

    fn size(width: u64) -> Size {
        Size::new(width).unwrap()
    }

    fn wanted(count: usize) -> Wanted {
        Wanted { size: size(5), komi: Komi::ZERO, opening: OpeningRule::Swap, plies: 4, count, seed: 7 }
    }

    /// The number of ways to colour one square black and another white, counted by Burnside's lemma: of the eight
    /// symmetries each fixes as many ordered pairs as it has pairs of fixed squares.
    fn pairs_up_to_symmetry(size: Size) -> usize {
        let squares: Vec<_> =
            (0..size.width()).flat_map(|c| (0..size.width()).map(move |r| crate::board::Square::new(c, r))).collect();
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

    /// A suite of openings after which an even number of moves is legal.
    fn even(wanted: &Wanted) -> Vec<Vec<Move>> {
        let is_even = |game: &Game| {
            let moves = game.position().legal_moves();
            Ok::<_, Infallible>(moves.len().is_multiple_of(2))
        };
        let Ok(suite) = generate(wanted, || is_even, &mut |_| ControlFlow::Continue(()));
        suite.iter().map(|game| game.moves().to_vec()).collect()
    }

    #[test]
    fn suites_are_good_unique_and_reproducible() {
        let suite = even(&wanted(40));
        assert_eq!(suite.len(), 40);
        let mut seen = HashSet::new();
        for moves in &suite {
            assert_eq!(moves.len(), 4);
            let mut game = Game::new(AnyPosition::start(size(5), Komi::ZERO));
            for &mv in moves {
                game.play(mv).unwrap();
            }
            assert_eq!(game.position().outcome(), None);
            assert_eq!(game.position().legal_moves().len() % 2, 0);
            for symmetry in Symmetry::ALL {
                let turned = game.position().to_setup().transformed(symmetry);
                assert!(!seen.contains(&turned.to_string()));
            }
            seen.insert(game.position().to_string());
        }
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        assert_eq!(one_thread.install(|| even(&wanted(40))), suite);
    }

    #[test]
    fn a_judge_that_fails_ends_it() {
        let fails = |_: &Game| Err::<bool, _>("no memory");
        let result = generate(&wanted(1), || fails, &mut |_| ControlFlow::Continue(()));
        assert_eq!(result.err(), Some("no memory"));
    }
}
