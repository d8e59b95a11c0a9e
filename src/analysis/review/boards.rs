//! Diagrams of a game: the position before a move with that move and the better one drawn in.

use maud::{Markup, html};

use super::words;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly, Mark};
use crate::analysis::annotate::reasons_of;
use crate::board::{AnyPosition, Game, Move};
use crate::draw::Diagram;

/// The moves that have a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Boards {
    /// All; those other than turning points are shown when a link leads to them.
    All,
    /// The turning points.
    Turns,
}

/// Turning points of a game that are shown.
const MAX_TURNING_POINTS: usize = 6;

/// The name of the diagram of a move in the page.
pub fn anchor(number: u64, index: usize) -> String {
    format!("g{number}p{}", index + 1)
}

/// The moves that changed the game most, in their order.
pub fn turns(game: &AnnotatedGame) -> Vec<usize> {
    let is_turn = |(index, ply): &(usize, &AnnotatedPly)| {
        game.decisive == Some(*index) || matches!(ply.mark, Some(Mark::Blunder | Mark::Mistake | Mark::Brilliant))
    };
    let mut turns: Vec<(usize, &AnnotatedPly)> = game.plies.iter().enumerate().filter(is_turn).collect();
    turns.sort_by(|(a, one), (b, other)| {
        let decides = |index: usize| game.decisive == Some(index);
        decides(*b).cmp(&decides(*a)).then(other.loss.total_cmp(&one.loss))
    });
    let mut turns: Vec<usize> = turns.into_iter().map(|(index, _)| index).collect();
    turns.truncate(MAX_TURNING_POINTS);
    turns.sort_unstable();
    turns
}

/// The diagrams of a game, the last position included.
pub fn boards(game: &AnnotatedGame, number: u64, boards: Boards, turns: &[usize]) -> Markup {
    let Ok(start) = AnyPosition::from_setup(&game.source.start) else {
        return Markup::default();
    };
    let mut played = Game::new(start);
    let mut figures = Vec::new();
    let reasons = reasons_of(game, None);
    for (index, ply) in game.plies.iter().enumerate() {
        let is_turn = turns.contains(&index);
        if is_turn || boards == Boards::All {
            let steps = (boards == Boards::All).then_some((number, index, game.plies.len()));
            let is_decisive = game.decisive == Some(index);
            figures.push(html! {
                figure.board.turn[is_turn] id=(anchor(number, index)) {
                    (board(&played, ply))
                    figcaption {
                        (caption(ply, is_decisive))
                        @if let Some(why) = reasons.get(index).filter(|why| !why.is_empty()) {
                            p { @for reason in why { (reason.text) " " } }
                        }
                        @if let Some(steps) = steps { (neighbours(steps)) }
                    }
                }
            });
        }
        if played.play(ply.mv).is_err() {
            break;
        }
    }
    html! {
        div.boards {
            @for figure in &figures { (figure) }
            figure.board.turn id={ "g" (number) "end" } {
                (Diagram::of(&played).inline())
                figcaption { p { b { "Last position" } ", " (words::result(game)) } }
            }
        }
    }
}

/// The position before a move, with the better move first.
fn board(before: &Game, ply: &AnnotatedPly) -> Markup {
    let better = better(ply);
    let moves: Vec<_> = better.iter().copied().chain([ply.mv]).collect();
    let diagram = Diagram::of(before);
    // A line that cannot be played can only come from a damaged journal.
    match diagram.clone().with_moves(&moves) {
        Ok(diagram) => diagram.inline(),
        Err(_) => diagram.inline(),
    }
}

/// The first move of the best line, if it is another one and the move played lost something.
fn better(ply: &AnnotatedPly) -> Option<Move> {
    let best = ply.best.first().copied();
    best.filter(|&best| best != ply.mv && ply.loss >= 1.0)
}

/// The text below the diagram of a move.
fn caption(ply: &AnnotatedPly, is_decisive: bool) -> Markup {
    let chances = [ply.before, ply.after.value].map(|value| words::percent(value.chance(ply.color)));
    let better = better(ply);
    html! {
        p {
            b { (words::numbered(ply)) }
            @if is_decisive { " decides the game" }
            ": " (ply.color) "'s chances " (chances[0]) " → " (chances[1])
        }
        @if better.is_some() {
            p { "A is better: " span.line { (words::line(&ply.best)) } ". B was played." }
        }
        @if let Some(win) = &ply.missed {
            p { "Missed " (words::win(win)) ": " span.line { (words::line(&win.line)) } }
        }
        @if let Some(win) = &ply.allowed {
            p { "Ran into " (words::win(win)) ": " span.line { (words::line(&win.line)) } }
        }
        @if let Some(win) = &ply.avoided {
            p { "Avoided " (words::win(win)) ": " span.line { (words::line(&win.line)) } }
        }
    }
}

/// Links to the diagrams before and after this one.
fn neighbours((number, index, plies): (u64, usize, usize)) -> Markup {
    html! {
        p.steps {
            @if index > 0 { a href={ "#" (anchor(number, index - 1)) } { "← before" } }
            @if index + 1 < plies {
                a href={ "#" (anchor(number, index + 1)) } { "next →" }
            } @else {
                a href={ "#g" (number) "end" } { "next →" }
            }
        }
    }
}
