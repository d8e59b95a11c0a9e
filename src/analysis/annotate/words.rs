//! Annotated games with sentences that say how they went, and why a move was a mistake.

use super::course::course;
use super::game::{AnnotatedGame, AnnotatedPly, Mark};
use super::ptn::{note, ptn_game, ptn_text};
use crate::analysis::explain::{self, Reason};
use crate::board::{AnyPosition, Color};
use crate::notation::PtnGame;
use crate::search::{Line, Score};

/// [`ptn_game`] with the [`course`] of the game, and at most three sentences at each mistake that say why the better move
/// is better.
///
/// ```
/// use tak_engine::analysis::annotate::{annotate, ptn_game_in_words};
/// use tak_engine::engine::{Engine, Limits, Settings};
/// use tak_engine::notation::parse_games;
///
/// let text = "[Size \"5\"]\n\n1. c3 e1 2. d2 d3 3. c2 Cb3 4. b2 e3 5. e2 a3 0-R";
/// let game = parse_games(text).next().expect("a game")?.game()?;
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let annotated = annotate(&game, Limits::nodes(2_000), &mut engine)?.expect("nothing stops it");
/// assert!(ptn_game_in_words(&annotated).to_string().contains("White leaves a3 open: Black completes a road there."));
/// assert!(ptn_game_in_words(&annotated).to_string().contains("With 5... a3 Black completed a road."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ptn_game_in_words(game: &AnnotatedGame) -> PtnGame {
    let mut ptn = ptn_game(game);
    let course = course(game);
    if !course.is_empty() {
        ptn.comments.push(note(&course.join(" ")));
    }
    for (played, reasons) in ptn.moves.iter_mut().zip(reasons_of(game, None)) {
        let sentences: Vec<String> = reasons.into_iter().map(|reason| reason.text).collect();
        if !sentences.is_empty() {
            played.comments.push(note(&sentences.join(" ")));
        }
    }
    ptn
}

/// [`ptn_text`] with these sentences.
pub fn ptn_text_in_words(game: &AnnotatedGame) -> String {
    if game.original.is_some() { ptn_text(game) } else { ptn_game_in_words(game).to_string() }
}

/// Why each move is a mistake, for the moves that are marked as one; empty for all others. With `reader` the moves of
/// that player are "yours".
pub fn reasons_of(game: &AnnotatedGame, reader: Option<Color>) -> Vec<Vec<Reason>> {
    let Ok(mut position) = AnyPosition::from_setup(&game.source.start) else { return Vec::new() };
    let plies = game.plies.iter().map(|ply| {
        let is_mistake = matches!(ply.mark, Some(Mark::Blunder | Mark::Mistake));
        let reasons = if is_mistake { reasons(&position, ply, reader) } else { Vec::new() };
        position.play_unchecked(ply.mv);
        reasons
    });
    plies.collect()
}

fn reasons(position: &AnyPosition, ply: &AnnotatedPly, reader: Option<Color>) -> Vec<Reason> {
    let line = |score: Score, moves: &[_]| Line { score, bound: None, solved: score.solved(), pv: moves.to_vec() };
    // Scores of an annotated game are White's.
    let score_for = |color: Color, score: Score| if color == Color::White { score } else { -score };
    let after = line(score_for(!ply.color, ply.after.value.score), &ply.after.line);
    let better = line(score_for(ply.color, ply.before.score), &ply.best);
    explain::mistake(position, ply.mv, &after, &better, reader)
}
