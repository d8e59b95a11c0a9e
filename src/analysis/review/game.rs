//! One game of the page.

use maud::{Markup, html};

use super::boards::{self, Boards, anchor};
use super::{graph, tables, words};
use crate::analysis::annotate::course;
use crate::analysis::annotate::game::{AnnotatedGame, AnnotatedPly};
use crate::board::Color;
use crate::html::isolated;

/// Everything about a game. `number` counts from 1.
pub fn section(game: &AnnotatedGame, number: u64, which: Boards) -> Markup {
    let turns = boards::turns(game);
    let points = graph::points(&game.plies);
    let has_board = |index: usize| which == Boards::All || turns.contains(&index);
    // A move without a diagram is in the list.
    let link = |index: usize| {
        if has_board(index) { anchor(number, index) } else { entry(number, index) }
    };
    html! {
        section.game id={ "game-" (number) } {
            h2 { (number) ". " (words::headline(game)) }
            p.note { (isolated(&about(game))) }
            @if let Some(fault) = &game.fault { p.fault { "Looked at up to here only: " (isolated(fault)) } }
            @if !game.plies.is_empty() {
                figure.wide-graph { (graph::graph(game, &points, &link)) }
                p.note {
                    "White's chances after each move; each point leads to its "
                    @if which == Boards::All { "diagram." } @else { "diagram or to the list of moves." }
                    @if points.len() < game.plies.len() {
                        " A point stands for several moves: for the one that lost most, if any did."
                    }
                }
                p { @for sentence in course(game) { (isolated(&sentence)) " " } }
                (tables::accuracy(game))
                h3 { "Turning points" }
                @if turns.is_empty() { p.note { "No move changed the chances much." } }
                (boards::boards(game, number, which, &turns))
                h3 { "Moves" }
                (moves(game, number, &points, &has_board))
            }
        }
    }
}

/// The name of a move in the list of moves.
fn entry(number: u64, index: usize) -> String {
    format!("g{number}m{}", index + 1)
}

/// Size, komi, and place and time from the tags.
fn about(game: &AnnotatedGame) -> String {
    let start = &game.source.start;
    let mut parts = vec![
        format!("{size}x{size}", size = start.size),
        format!("komi {}", start.komi),
        format!("{} plies", game.plies.len()),
    ];
    for tag in ["Event", "Site", "Date", "Round"] {
        let value = game.source.tag(tag).map(str::trim).unwrap_or_default();
        if !value.is_empty() {
            parts.push(words::short(value));
        }
    }
    parts.join(", ")
}

/// The moves with their marks, two to a number. A move without diagram shows its chances if a point leads to it.
fn moves(game: &AnnotatedGame, number: u64, points: &[usize], has_board: &dyn Fn(usize) -> bool) -> Markup {
    let plies: Vec<(usize, &AnnotatedPly)> = game.plies.iter().enumerate().collect();
    let turns = plies.chunk_by(|(_, one), (_, other)| one.number == other.number);
    html! {
        ol.moves {
            @for turn in turns {
                li {
                    span.number { (turn[0].1.number) "." }
                    @if turn[0].1.color == Color::Black { span.played { "…" } }
                    @for &(index, ply) in turn {
                        @let class = ply.mark.map(graph::mark_class);
                        @let standing = words::standing(ply);
                        @if has_board(index) {
                            a.played.(class.unwrap_or("plain")) id=(entry(number, index)) href={ "#" (anchor(number, index)) } title=(standing) {
                                (words::marked(ply))
                            }
                        } @else if points.binary_search(&index).is_ok() {
                            span.played.(class.unwrap_or("plain")) id=(entry(number, index)) title=(standing) {
                                (words::marked(ply)) span.standing { " " (standing) }
                            }
                        } @else if let Some(class) = class {
                            span.played.(class) title=(standing) { (words::marked(ply)) }
                        } @else {
                            span.played title=(standing) { (words::marked(ply)) }
                        }
                    }
                }
            }
        }
    }
}
