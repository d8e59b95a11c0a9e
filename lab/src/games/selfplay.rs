//! Games of the engine against itself, for training.

use rand::rngs::Xoshiro256PlusPlus;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use tak_engine::board::{AnyPosition, Color, Game, Komi, Move, OpeningRule, Size};
use tak_engine::engine::{Engine, HashError, Limits, WeightSet};
use tak_engine::journals::hash::crc32;
use tak_engine::openings::style::{OpeningStyle, opening_move};

use super::game::{Ply, TrainingGame};
use super::header::{GameSettings, OPENING};

#[derive(Debug, Clone, Copy)]
pub struct SelfPlay {
    pub size: Size,
    pub nodes: u64,
    /// Openings are drawn from this and the game's number.
    pub seed: u64,
    /// The rule for each player's first turn.
    pub opening: OpeningRule,
    /// The longest opening, in plies; the shortest has two.
    pub opening_plies: u32,
    /// In half of the games, up to this many more plies that are not fitted: the last one at random, those before it by
    /// a quick search. Thus all parts of a game have positions that no good player reaches.
    pub quick_plies: u32,
}

impl SelfPlay {
    /// The settings that decide a game besides the board and its number, by the names of datagen's flags; for the weights of
    /// `models` a check sum.
    pub fn settings(&self, models: &WeightSet) -> GameSettings {
        let weights = crc32(models.text(self.size).as_bytes());
        let values = [
            ("nodes", self.nodes.to_string()),
            ("seed", self.seed.to_string()),
            (OPENING, self.opening.to_string()),
            ("opening-plies", self.opening_plies.to_string()),
            ("weights", format!("{weights:08x}")),
        ];
        // Only if it is used, so that files from before it existed can be continued.
        let quick = (self.quick_plies > 0).then(|| ("quick-plies", self.quick_plies.to_string()));
        values.into_iter().chain(quick).map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// A quick search has this part of the nodes of a move.
const QUICK_DIVISOR: u64 = 16;

/// A game that reaches this length, in plies, is a draw.
const MAX_GAME_PLIES: u32 = 300;

/// Komi of the games, in half points, by number in turn: mostly 0 and 2 flats, which are common, and some of every other common value.
const HALF_KOMI: [i64; 12] = [0, 4, 0, 4, 2, 0, 4, 5, 0, 4, 8, 3];

/// The style of the opening of game `number`: each style is combined with each komi.
fn opening_style(number: u32) -> OpeningStyle {
    let styles = OpeningStyle::ALL;
    let round = number as usize / HALF_KOMI.len();
    styles[(number as usize + round) % styles.len()]
}

/// Plays game `number`. The same settings and number give the same game, if `engine` has one thread.
pub fn play_game(engine: &mut Engine, settings: &SelfPlay, number: u32) -> Result<TrainingGame, HashError> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed ^ (u64::from(number) << 32));
    let half_komi = HALF_KOMI[number as usize % HALF_KOMI.len()];
    let komi = Komi::from_half(half_komi).unwrap_or_default();
    let start = AnyPosition::start_with(settings.size, komi, settings.opening);
    let mut game = Game::new(start);
    engine.clear();
    let mut plies = play_opening(engine, settings, number, &mut game, &mut random)?;
    let opening = plies.len() as u8;
    let limits = Limits::nodes(settings.nodes);
    let winner = loop {
        if let Some(outcome) = game.position().outcome() {
            break outcome.winner;
        }
        if game.position().ply() >= MAX_GAME_PLIES || game.occurrences() >= 3 {
            break None;
        }
        let report = engine.analyse(&game, limits)?;
        let (Some(mv), Some(line)) = (report.best(), report.lines.first()) else {
            break None;
        };
        plies.push(Ply { mv, score: line.score.value() as i16 });
        let mover = game.position().to_move();
        // A proven result needs no more playing.
        if line.score.is_decisive() {
            break Some(if line.score.is_win() { mover } else { !mover });
        }
        if game.play(mv).is_err() {
            break None;
        }
    };
    Ok(TrainingGame { number, half_komi: half_komi as i8, opening_rule: settings.opening, winner, opening, plies })
}

/// Plays the moves of game `number` that are not fitted.
fn play_opening(
    engine: &mut Engine,
    settings: &SelfPlay,
    number: u32,
    game: &mut Game,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Vec<Ply>, HashError> {
    let mut plies = Vec::new();
    let mut play = |game: &mut Game, mv: Option<Move>| {
        let mv = mv.filter(|&mv| game.play(mv).is_ok());
        plies.extend(mv.map(|mv| Ply { mv, score: 0 }));
        mv.is_some()
    };
    let style = opening_style(number);
    let moves = random.random_range(2..=settings.opening_plies.max(2));
    for _ in 0..moves {
        let mv = opening_move(style, &game.position().legal_moves(), random);
        if !play(game, mv) {
            break;
        }
    }
    if settings.quick_plies > 0 && random.random() {
        let limits = Limits::nodes(settings.nodes / QUICK_DIVISOR);
        for _ in 0..random.random_range(0..settings.quick_plies) {
            let report = engine.analyse(game, limits)?;
            let is_open = report.lines.first().is_some_and(|line| !line.score.is_decisive());
            if !play(game, report.best().filter(|_| is_open)) {
                return Ok(plies);
            }
        }
        let mv = game.position().legal_moves().choose(random).copied();
        play(game, mv);
    }
    Ok(plies)
}

/// White's points of a result: 1, 0.5 for a draw, 0 for a loss.
pub(crate) fn white_score(winner: Option<Color>) -> f32 {
    match winner {
        Some(Color::White) => 1.0,
        None => 0.5,
        Some(Color::Black) => 0.0,
    }
}
