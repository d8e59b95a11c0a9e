//! Games of the engine against itself, for training.

use std::sync::atomic::AtomicBool;

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::file::{GameSettings, OPENING};
use super::games::{GameRecord, Ply};
use crate::board::{AnyPosition, Color, Game, Komi, Move, MoveKind, OpeningRule, PieceKind, Size};
use crate::engine::{Engine, Go, HashError, Models};
use crate::weights::format_table;

/// How games are played.
#[derive(Debug, Clone, Copy)]
pub struct SelfPlay {
    /// Board size.
    pub size: Size,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Openings are drawn from this and the game's number.
    pub seed: u64,
    /// What each player's first turn does.
    pub opening: OpeningRule,
    /// The longest opening, in plies; the shortest has two.
    pub opening_plies: u32,
}

impl SelfPlay {
    /// What decides how a game goes, besides the board and its number, by the names of datagen's flags. Of the weights
    /// that an engine with `models` plays with there is a check sum.
    #[must_use]
    pub fn settings(&self, models: &Models) -> GameSettings {
        let texts = [
            format_table(models.evaluation(self.size), self.size),
            format_table(models.ordering(self.size), self.size),
        ];
        let weights = crc32fast::hash(texts.concat().as_bytes());
        let values = [
            ("nodes", self.nodes.to_string()),
            ("seed", self.seed.to_string()),
            (OPENING, self.opening.to_string()),
            ("opening-plies", self.opening_plies.to_string()),
            ("weights", format!("{weights:08x}")),
        ];
        values.map(|(name, value)| (name.to_owned(), value)).into()
    }
}

/// A game that reaches this length, in plies, is a draw.
const LONGEST: u32 = 300;

/// Komi of the games, in half points, in turn: the common ones of 0 and 2 flats mostly, and some of all that is played.
const HALF_KOMI: [i64; 12] = [0, 4, 0, 4, 2, 0, 4, 5, 0, 4, 8, 3];

/// What a random opening is made of.
#[derive(Debug, Clone, Copy)]
enum OpeningKind {
    /// Flats alone.
    Quiet,
    /// Mostly flats, now and then anything else.
    Mixed,
    /// Flats and spreads, so that there are stacks early.
    Stacks,
    /// Flats with many walls and capstones.
    Blockers,
}

impl OpeningKind {
    const ALL: [Self; 4] = [Self::Quiet, Self::Mixed, Self::Stacks, Self::Blockers];

    /// That of game `number`, so that each kind meets each komi.
    fn of(number: u32) -> Self {
        let round = number as usize / HALF_KOMI.len();
        Self::ALL[(number as usize + round) % Self::ALL.len()]
    }

    /// What a move other than a flat may be, and how often it is one where there are any.
    fn others(self) -> (f64, fn(Move) -> bool) {
        match self {
            Self::Quiet => (0.0, |_| false),
            Self::Mixed => (0.2, |mv| !is_flat(mv)),
            Self::Stacks => (0.5, Move::is_spread),
            Self::Blockers => (0.35, |mv| !is_flat(mv) && !mv.is_spread()),
        }
    }

    /// A move for the opening.
    fn choose(self, position: &AnyPosition, random: &mut impl rand::Rng) -> Option<Move> {
        let moves = position.legal_moves();
        let (share, is_other) = self.others();
        let (others, flats): (Vec<Move>, Vec<Move>) = (
            moves.iter().copied().filter(|&mv| is_other(mv)).collect(),
            moves.iter().copied().filter(|&mv| is_flat(mv)).collect(),
        );
        let list = match () {
            () if !others.is_empty() && random.random_bool(share) => &others,
            () if !flats.is_empty() => &flats,
            () => &moves,
        };
        list.choose(random).copied()
    }
}

fn is_flat(mv: Move) -> bool {
    matches!(mv.kind(), MoveKind::Place(PieceKind::Flat))
}

/// Plays game `number`. The same settings and number give the same game, if `engine` has one thread.
///
/// # Errors
/// [`HashError`] when the engine's table cannot be allocated.
pub fn play_game(
    engine: &mut Engine,
    settings: &SelfPlay,
    number: u32,
) -> Result<GameRecord, HashError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ (u64::from(number) << 32));
    let half_komi = HALF_KOMI[number as usize % HALF_KOMI.len()];
    let komi = Komi::from_half(half_komi).unwrap_or_default();
    let start = AnyPosition::start_with(settings.size, komi, settings.opening);
    let mut game = Game::new(start);
    let mut plies = Vec::new();
    let opening = random.random_range(2..=settings.opening_plies.max(2));
    let kind = OpeningKind::of(number);
    for _ in 0..opening {
        let Some(mv) = kind.choose(game.position(), &mut random) else {
            break;
        };
        if game.try_play(mv).is_err() {
            break;
        }
        plies.push(Ply { mv, score: 0 });
    }
    let opening = plies.len() as u8;
    engine.clear();
    let go = Go {
        nodes: Some(settings.nodes),
        ..Go::default()
    };
    let winner = loop {
        if let Some(outcome) = game.position().outcome() {
            break outcome.winner;
        }
        if game.position().ply() >= LONGEST || game.occurrences() >= 3 {
            break None;
        }
        let report = engine.search(&game, &go, &AtomicBool::new(false), &mut |_| {})?;
        let (Some(mv), Some(line)) = (report.best(), report.lines.first()) else {
            break None;
        };
        plies.push(Ply {
            mv,
            score: line.score.value() as i16,
        });
        let mover = game.position().to_move();
        // A proven result needs no more playing.
        if line.score.is_decisive() {
            break Some(if line.score.is_win() { mover } else { !mover });
        }
        if game.try_play(mv).is_err() {
            break None;
        }
    };
    Ok(GameRecord {
        number,
        half_komi: half_komi as i8,
        opening_rule: settings.opening,
        winner,
        opening,
        plies,
    })
}

/// White's points of a result: 1, 0.5 for a draw, 0 for a loss.
pub(super) fn white_score(winner: Option<Color>) -> f32 {
    match winner {
        Some(Color::White) => 1.0,
        None => 0.5,
        Some(Color::Black) => 0.0,
    }
}
