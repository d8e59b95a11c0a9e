//! Annotation of whole games: [`annotate`] annotates one, [`run`] those of a file. Both return plain data, an
//! [`AnnotatedGame`]. [`ptn_game`] makes PTN of that.
//!
//! A game is text, is read and checked (`source`), each position is analysed by the engine (`examine`, which gives an
//! `analysis` each), the analyses are made into an annotated `game` (`judge`), and that becomes text again (`ptn`,
//! `totals`); `words` adds sentences about mistakes, and `course` about the game. Judging is a pure function of the game and
//! the analyses, so these are all that the `journal` keeps.

pub(crate) mod analysis;
mod course;
pub(crate) mod examine;
pub(crate) mod game;
#[cfg(feature = "cli")]
pub(crate) mod journal;
pub(crate) mod judge;
pub(crate) mod ptn;
#[cfg(feature = "cli")]
mod run;
pub(crate) mod source;
pub(crate) mod totals;
mod words;

pub use course::course;
pub use examine::settings_for;
pub use game::{AnnotatedGame, AnnotatedPly, Evaluation, ForcedWin, Mark, Phase, PositionValue, Summary, Threat};
pub use ptn::{ptn_game, ptn_text};
pub use words::{ptn_game_in_words, ptn_text_in_words, reasons_of};
#[cfg(feature = "cli")]
pub use {
    journal::{AnnotationJournal, AnnotationSettings},
    run::{AnnotateError, Job, run},
};

use examine::GameAnalysis;
use source::Source;

use crate::board::Game;
use crate::engine::{Engine, HashError, Limits};
use crate::notation::GameText;

/// Analyses every position of `game` within `limits` each, and judges every move, as `tak-engine annotate` does. The
/// engine is cleared, so the same game is always judged alike. Best is an engine with one thread and without a level.
/// `None` if the engine was [stopped](Engine::stopped_by).
///
/// ```
/// use tak_engine::analysis::annotate::{Mark, annotate, ptn_game};
/// use tak_engine::engine::{Engine, Limits, Settings};
/// use tak_engine::notation::parse_games;
///
/// let text = "[Size \"5\"]\n\n1. c3 e1 2. d2 d3 3. c2 Cb3 4. b2 e3 5. e2 a3 0-R";
/// let game = parse_games(text).next().expect("a game")?.game()?;
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let annotated = annotate(&game, Limits::nodes(2_000), &mut engine)?.expect("nothing stops it");
/// // White lets Black complete a road.
/// let blunder = &annotated.plies[8];
/// assert_eq!(blunder.mv.to_string(), "e2");
/// assert_eq!(blunder.allowed.as_ref().map(|win| win.plies), Some(1));
/// assert!(ptn_game(&annotated).to_string().contains("allows a win in 1 ply: a3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`HashError`] when not even a small table could be allocated.
pub fn annotate(game: &Game, limits: Limits, engine: &mut Engine) -> Result<Option<AnnotatedGame>, HashError> {
    annotate_source(Source::of_game(0, game.clone()), limits, engine)
}

/// Does the same with a game of a PTN file up to its first fault: [`ptn_game`] then has its tags, comments, marks and
/// variations too.
///
/// ```
/// use tak_engine::analysis::annotate::{annotate_text, ptn_game};
/// use tak_engine::engine::{Engine, Limits, Settings};
/// use tak_engine::notation::game_texts;
///
/// let text = "[Size \"5\"]\n\n1. a1 e5 2. c3! {mine} (2. d3)";
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let text = game_texts(text).next().expect("a game");
/// let annotated = annotate_text(&text, Limits::nodes(100), &mut engine)?.expect("nothing stops it");
/// let ptn = ptn_game(&annotated).to_string();
/// assert!(ptn.contains("2. c3! {mine} {name:\"tak-engine\"") && ptn.contains("{2w_d3}\n2. d3"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`HashError`] when not even a small table could be allocated.
pub fn annotate_text(text: &GameText, limits: Limits, engine: &mut Engine) -> Result<Option<AnnotatedGame>, HashError> {
    annotate_source(Source::read(0, text, None), limits, engine)
}

fn annotate_source(source: Source, limits: Limits, engine: &mut Engine) -> Result<Option<AnnotatedGame>, HashError> {
    let stop = engine.stop();
    let analyses = match &source.game {
        Some(game) => GameAnalysis::new(game, limits, &stop, &|| {}).work(engine)?,
        None => Some(Vec::new()),
    };
    Ok(analyses.map(|analyses| judge::judge(source, &analyses)))
}
