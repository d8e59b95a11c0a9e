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
    let stop = engine.stop();
    let analyses = GameAnalysis::new(game, limits, &stop, &|| {}).work(engine)?;
    Ok(analyses.map(|analyses| judge::judge(Source::of_game(0, game.clone()), &analyses)))
}
