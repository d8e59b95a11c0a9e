//! The remarks on each move of an annotated game.

use std::iter::once;

use serde_json::{Value, json};

use super::view::move_view;
use super::words;
use crate::analysis::annotate::analysis::PositionAnalysis;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly, ForcedWin, Mark, Summary};
use crate::analysis::annotate::judge::judge;
use crate::analysis::annotate::ptn::{own, ptn_game};
use crate::analysis::annotate::source::Source;
use crate::board::{AnyPosition, Color, Game, Move};
use crate::notation::{EngineComment, PtnGame, moves_text};
use crate::search::Score;

/// Describes an annotated game that starts from `start`, and the analyses that it was judged by.
pub fn annotation_view(start: &AnyPosition, game: &AnnotatedGame, analyses: &[PositionAnalysis]) -> Value {
    let mut position = start.clone();
    let found = game.start.iter().chain(game.plies.iter().map(|ply| &ply.after));
    let remarks = game.plies.iter().map(|ply| {
        let before = position.clone();
        position.play_unchecked(ply.mv);
        let mut remarks = remarks_on(&position, ply);
        if let Some(better) = better(&before, &position, ply) {
            remarks["better"] = better;
        }
        remarks
    });
    let ptn = ptn_game(game);
    let alone = PtnGame { variations: Vec::new(), ..ptn.clone() }.to_string();
    json!({
        // White's chances in percent: at the start, and after each move.
        "chances": found.map(|found| found.value.chance(Color::White)).collect::<Vec<_>>(),
        "moves": remarks.collect::<Value>(),
        "players": {
            "white": player(&game.players[Color::White]),
            "black": player(&game.players[Color::Black]),
        },
        // The index of the move that decided the game.
        "decisive": game.decisive,
        // As `tak-engine annotate` writes it. The page's variations may change until it writes them.
        "variations": ptn.to_string()[alone.len()..],
        "ptn": alone,
        // For the report.
        "looks": analyses,
    })
}

/// Describes a game that was annotated, by the comments of its file; `None` if a move has none. Nothing is searched, so
/// marks of only moves are those of the file alone.
pub fn annotation_of(ptn: &PtnGame, game: &Game) -> Option<Value> {
    if ptn.moves.is_empty() || ptn.moves.len() != game.moves().len() {
        return None;
    }
    let mut position = game.start().clone();
    let mut played = game.moves().iter();
    let comments = once(&ptn.comments).chain(ptn.moves.iter().map(|played| &played.comments));
    let analyses: Option<Vec<PositionAnalysis>> = comments
        .map(|comments| {
            let comment = comments.iter().find_map(|comment| own(comment))?;
            let found = analysis(&comment, &position)?;
            if let Some(&mv) = played.next() {
                position.play_unchecked(mv);
            }
            Some(found)
        })
        .collect();
    let analyses = analyses?;
    let source = Source { ptn: ptn.clone(), ..Source::of_game(0, game.clone()) };
    let mut view = annotation_view(game.start(), &judge(source, &analyses), &analyses);
    // With the marks of only moves, of which the comments do not tell enough.
    view["ptn"] = PtnGame { variations: Vec::new(), ..ptn.clone() }.to_string().into();
    Some(view)
}

/// The analysis of a position that a comment tells.
fn analysis(comment: &EngineComment, position: &AnyPosition) -> Option<PositionAnalysis> {
    let score = match (comment.proven, comment.cp) {
        (Some((None, _)), _) => Score::centiflats(0),
        (Some((Some(winner), plies)), _) if plies <= MAX_PLIES && winner == Color::White => {
            Score::win_in(plies as usize)
        }
        (Some((Some(_), plies)), _) if plies <= MAX_PLIES => Score::loss_in(plies as usize),
        (None, Some(cp)) => Score::try_from_value(cp).filter(|score| !score.is_decisive())?,
        _ => return None,
    };
    let score = if position.to_move() == Color::White { score } else { -score };
    let mut next = position.clone();
    let moves = comment.pv.split_ascii_whitespace().map_while(|text| text.parse::<Move>().ok());
    let line = moves.take_while(|&mv| next.play(mv).is_ok()).collect();
    let (depth, nodes) = (comment.depth.unwrap_or(0), comment.nodes.unwrap_or(0));
    Some(PositionAnalysis { line, depth, nodes, ms: comment.ms.unwrap_or(0), ..PositionAnalysis::over(score) })
}

/// The longest win that a comment can tell.
const MAX_PLIES: u32 = 200;

/// A player's part in a game: accuracy and mean loss in points from 0 to 100, and the number of each mark.
fn player(summary: &Summary) -> Value {
    let [blunders, mistakes, good, brilliant] = summary.marks;
    json!({
        "accuracy": summary.accuracy(),
        "loss": summary.mean_loss(),
        "blunders": blunders,
        "mistakes": mistakes,
        "good": good + brilliant,
    })
}

/// The remarks on a move; `position` is the one after it.
fn remarks_on(position: &AnyPosition, ply: &AnnotatedPly) -> Value {
    let marks = [ply.threat.map(|threat| threat.to_string()), ply.mark.map(|mark| mark.to_string())];
    let proven = ply.after.value.proven().filter(|_| position.outcome().is_none());
    let proven = proven.map(|(winner, plies)| words::proven(position, winner, plies, &ply.after.line));
    json!({
        "marks": marks.into_iter().flatten().collect::<String>(),
        "mark": ply.mark.map(|mark| mark.to_string()).unwrap_or_default(),
        "says": judgements(ply).chain(proven).collect::<Vec<_>>(),
    })
}

/// What is said about a move, with White's chances before and after it.
fn judgements(ply: &AnnotatedPly) -> impl Iterator<Item = String> {
    let [before, after] = [ply.before, ply.after.value].map(|value| value.chance(Color::White));
    let judged = ply.mark.and_then(|mark| match mark {
        Mark::Blunder => Some("a blunder"),
        Mark::Mistake => Some("a mistake"),
        Mark::Good | Mark::Brilliant => None,
    });
    let better =
        judged.map(|judged| format!("{judged}: White {before:.0} → {after:.0} %, better {}", moves_text(&ply.best)));
    let only = matches!(ply.mark, Some(Mark::Good | Mark::Brilliant)).then(|| {
        let images = if ply.has_image { " except for its mirror images" } else { "" };
        match ply.avoided {
            Some(_) => format!("the only move{images}, every other loses by force"),
            None => format!("judged to be the only move{images} that keeps the result"),
        }
    });
    let forced = |what: &str, win: &Option<ForcedWin>| {
        let says = |win: &ForcedWin| format!("{what} in {}: {}", words::moves_to_win(win.plies), moves_text(&win.line));
        win.as_ref().map(says)
    };
    let wins = [
        forced("misses a win", &ply.missed),
        forced("allows a win", &ply.allowed),
        forced("avoids a win of the opponent", &ply.avoided),
    ];
    [better, only].into_iter().chain(wins).flatten()
}

/// The moves of a better line that are shown.
const MAX_BETTER_PLIES: usize = 6;

/// The better line in the place of a mistake, ready to be drawn, and in one sentence why it is better.
fn better(before: &AnyPosition, after: &AnyPosition, ply: &AnnotatedPly) -> Option<Value> {
    ply.mark.filter(|mark| matches!(mark, Mark::Blunder | Mark::Mistake))?;
    let (best, mv, mover) = (ply.best.first()?, ply.mv, ply.color);
    let why = if let Some(win) = &ply.missed {
        format!("With {best} {}", words::proven(before, mover, win.plies, &win.line))
    } else if let Some(win) = &ply.allowed {
        format!("After {mv} {}, and {best} avoids that", words::proven(after, !mover, win.plies, &win.line))
    } else {
        let [kept, left] = [ply.before, ply.after.value].map(|value| value.chance(Color::White));
        format!("With {best} White has {kept:.0} %, with {mv} {left:.0} %")
    };
    let line: Value = ply.best.iter().take(MAX_BETTER_PLIES).map(|&mv| move_view(mv)).collect();
    Some(json!({"line": line, "why": why}))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::annotate::annotate;
    use crate::engine::{Engine, Limits, Settings};
    use crate::notation::parse_games;

    #[test]
    fn an_annotated_game_is_judged_by_its_comments_as_by_the_searches() {
        let text = "[Size \"5\"]\n\n1. c3 e1 2. d2 d3 3. c2 Cb3 4. b2 e3 5. e2 a3 0-R";
        let game = parse_games(text).next().unwrap().unwrap().game().unwrap();
        let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
        let annotated = annotate(&game, Limits::nodes(2_000), &mut engine).unwrap().unwrap();
        let ptn = ptn_game(&annotated);
        let view = annotation_of(&ptn, &game).unwrap();
        let chances: Vec<f64> = annotated.plies.iter().map(|ply| ply.after.value.chance(Color::White)).collect();
        assert_eq!(view["chances"].as_array().unwrap()[1..], json!(chances).as_array().unwrap()[..]);
        for (index, ply) in annotated.plies.iter().enumerate() {
            let mistake = ply.mark.filter(|mark| *mark <= Mark::Mistake).map(|mark| mark.to_string());
            assert_eq!(view["moves"][index]["mark"], mistake.unwrap_or_default(), "{}", ply.mv);
        }
        for (color, name) in [(Color::White, "white"), (Color::Black, "black")] {
            let accuracy = view["players"][name]["accuracy"].as_f64().unwrap();
            assert!((accuracy - annotated.players[color].accuracy().unwrap()).abs() < 0.1, "{name}: {accuracy}");
        }
        assert_eq!(view["looks"].as_array().unwrap().len(), game.moves().len() + 1);
        // Hostile numbers and lines.
        for comment in
            ["tak-engine loss:0.0 score:W4000000000 +1.00", "tak-engine loss:0.0 cp:-99999999 pv> z9 a1 a1 a1"]
        {
            let mut bad = ptn.clone();
            bad.comments = vec![comment.to_owned()];
            assert!(annotation_of(&bad, &game).is_none_or(|view| view["looks"].is_array()), "{comment}");
        }
    }
}
