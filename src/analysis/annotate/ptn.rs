//! Annotated games as PTN. The contents of the file stay; the engine's words come after them.

use std::fmt::Write;

use super::game::{AnnotatedGame, AnnotatedPly, Evaluation, ForcedWin, Mark, Phase, Summary};
use crate::board::Color;
use crate::notation::{EngineComment, PtnGame, counted, moves_text};

/// The name under which PTN Ninja lists the comments.
const NAME: &str = "tak-engine";
/// The beginning of an engine's note. PTN Ninja takes comments that begin with `*` for notes and reads no numbers in
/// them.
const NOTE: &str = "*tak-engine: ";

/// The game with the engine's marks, comments and notes. Those of an earlier annotation are removed. Marks of
/// the user are kept, and the engine adds none of that sort.
pub fn ptn_game(game: &AnnotatedGame) -> PtnGame {
    let mut ptn = game.source.clone();
    ptn.comments.retain(|comment| !is_own(comment));
    ptn.comments.extend(game.start.as_ref().map(|start| comment(start, 0.0, String::new()).to_string()));
    if !game.plies.is_empty() {
        ptn.comments.push(note(&summary(game)));
    }
    let last = game.plies.len().checked_sub(1);
    for (index, (played, ply)) in ptn.moves.iter_mut().zip(&game.plies).enumerate() {
        for earlier in played.comments.iter().filter_map(|comment| own(comment)) {
            take_back(&mut played.marks, &earlier.marks);
        }
        played.comments.retain(|comment| !is_own(comment));
        let marks = marks_beside(&played.marks, ply);
        let new = comment(&ply.after, ply.loss, marks);
        played.marks.push_str(&new.marks);
        played.comments.push(new.to_string());
        played.comments.extend(remarks(ply).map(|text| note(&text)));
        if Some(index) == last
            && let Some(fault) = &game.fault
        {
            played.comments.push(note(fault));
        }
    }
    if let (None, Some(fault)) = (last, &game.fault) {
        ptn.comments.push(note(fault));
    }
    ptn
}

/// The text of an annotated game: that of [`ptn_game`], or the original text of a game that cannot begin and the
/// reason.
pub fn ptn_text(game: &AnnotatedGame) -> String {
    let Some(original) = &game.original else {
        return ptn_game(game).to_string();
    };
    let earlier = format!("{{{NOTE}");
    let kept = original.lines().filter(|line| !line.starts_with(&earlier)).collect::<Vec<_>>().join("\n");
    let reason = game.fault.as_deref().unwrap_or_default().replace(['{', '}'], "");
    format!("{}\n{{{}}}\n", kept.trim_end(), note(&reason))
}

/// A comment in numbers that this tool wrote: with the loss, unlike other comments under its name.
pub fn own(text: &str) -> Option<EngineComment> {
    let comment: EngineComment = text.parse().ok()?;
    (comment.name == NAME && comment.loss.is_some()).then_some(comment)
}

/// Returns whether this tool wrote it, in numbers or in words.
fn is_own(text: &str) -> bool {
    text.starts_with(NOTE) || own(text).is_some()
}

/// Takes the marks of an earlier annotation from those of a move. It had added them at the end.
fn take_back(marks: &mut String, earlier: &str) {
    for mark in earlier.chars() {
        if let Some(at) = marks.rfind(mark) {
            marks.remove(at);
        }
    }
}

/// A note in words that another annotation replaces.
pub fn note(text: &str) -> String {
    format!("{NOTE}{text}")
}

/// The engine's marks, unless the user has made one of that sort.
fn marks_beside(marks: &str, ply: &AnnotatedPly) -> String {
    let has = |any: &[char]| marks.contains(any);
    let threat = ply.threat.filter(|_| !has(&['\'', '"']));
    let mark = ply.mark.filter(|_| !has(&['!', '?']));
    let texts = [threat.map(|threat| threat.to_string()), mark.map(|mark| mark.to_string())];
    texts.into_iter().flatten().collect()
}

/// The engine's evaluation, the cost of the move before it, and the marks that this move got.
fn comment(evaluation: &Evaluation, loss: f64, marks: String) -> EngineComment {
    let is_searched = evaluation.nodes > 0;
    let proven = evaluation.value.proven();
    let won = proven.map(|(winner, plies)| (Some(winner), plies));
    // A game that is over and not won is drawn.
    let is_drawn = !is_searched && won.is_none();
    EngineComment {
        name: NAME.to_owned(),
        cp: is_searched.then(|| evaluation.value.score.value()),
        wdl: Some(if is_drawn { [0, 1000, 0] } else { evaluation.value.wdl() }),
        proven: if is_drawn { Some((None, 0)) } else { won },
        depth: is_searched.then_some(evaluation.depth),
        nodes: is_searched.then_some(evaluation.nodes),
        ms: is_searched.then_some(evaluation.ms),
        // A comment is known as this tool's by its loss.
        loss: Some(loss),
        marks,
        pv: moves_text(&evaluation.line),
    }
}

/// The remarks about a move in words.
pub fn remarks(ply: &AnnotatedPly) -> impl Iterator<Item = String> {
    let chances = || {
        let before = ply.before.chance(ply.color);
        let after = ply.after.value.chance(ply.color);
        format!("chances {before:.0} to {after:.0}")
    };
    let judged = ply.mark.and_then(|mark| match mark {
        Mark::Blunder => Some(format!("a blunder, {}", chances())),
        Mark::Mistake => Some(format!("a mistake, {}", chances())),
        Mark::Good | Mark::Brilliant => None,
    });
    let better = judged.map(|judged| format!("{judged}, better {}", moves_text(&ply.best)));
    // Losses of all others may be proven. Otherwise it is a judgement that no other holds.
    let only = matches!(ply.mark, Some(Mark::Good | Mark::Brilliant)).then(|| {
        let images = if ply.has_image { " except for its mirror images" } else { "" };
        match ply.avoided {
            Some(_) => format!("the only move{images}, every other loses by force"),
            None => format!("judged to be the only move{images} that keeps the result"),
        }
    });
    let forced = |what: &str, win: &Option<ForcedWin>| {
        win.as_ref().map(|win| {
            let moves = moves_text(&win.line);
            format!("{what} in {}: {moves}", plies(win.plies))
        })
    };
    [
        better,
        only,
        forced("misses a win", &ply.missed),
        forced("allows a win", &ply.allowed),
        forced("avoids a win of the opponent", &ply.avoided),
    ]
    .into_iter()
    .flatten()
}

/// `1 ply`, `3 plies`.
pub fn plies(count: u32) -> String {
    counted(count, "ply", "plies")
}

/// The remark about the whole game.
pub fn summary(game: &AnnotatedGame) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        // Writing to a string cannot fail.
        let _ = write!(text, "{color} {}; ", of_player(&game.players[color]));
    }
    match game.decisive.and_then(|index| game.plies.get(index)) {
        Some(ply) => {
            let side = if ply.color == Color::White { "w" } else { "b" };
            let _ = write!(text, "decided by {}{side} {}", ply.number, ply.mv);
        }
        None => text.push_str("no decisive move"),
    }
    text
}

fn of_player(player: &Summary) -> String {
    let (Some(accuracy), Some(loss)) = (player.accuracy(), player.mean_loss()) else {
        return "made no move".to_owned();
    };
    let phases: Vec<String> =
        Phase::ALL.into_iter().filter_map(|phase| Some(format!("{phase} {:.1}", player.phase_loss(phase)?))).collect();
    let mut counts = Vec::new();
    let [blunders, mistakes, good, brilliant] = player.marks;
    for (count, mark) in
        [(blunders, Mark::Blunder), (mistakes, Mark::Mistake), (good, Mark::Good), (brilliant, Mark::Brilliant)]
    {
        if count > 0 {
            counts.push(format!("{count} x {mark}"));
        }
    }
    for (count, what) in [(player.missed, "missed"), (player.allowed, "allowed"), (player.avoided, "avoided")] {
        if count > 0 {
            let wins = if count == 1 { "win" } else { "wins" };
            counts.push(format!("{count} forced {wins} {what}"));
        }
    }
    let counts = counts.iter().map(|count| format!(", {count}"));
    format!("accuracy {accuracy:.1}, mean loss {loss:.1} ({}){}", phases.join(", "), counts.collect::<String>())
}
