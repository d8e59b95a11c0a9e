//! A diagram in words, for those who cannot see it.

use std::fmt::Write as _;

use super::shapes::letter;
use crate::board::{AnyPosition, Color, Game, Komi, Move, PieceKind, Square};
use crate::notation::counted;

/// The picture in one line.
pub fn title(position: &AnyPosition) -> String {
    let size = position.size();
    let state = match position.outcome() {
        None => format!("move {}, {} to play", position.move_number(), position.to_move()),
        Some(outcome) => match outcome.winner {
            Some(winner) => format!("{winner} has won {} ({outcome})", outcome.reason),
            None => format!("a draw {} ({outcome})", outcome.reason),
        },
    };
    format!("Tak {size}x{size}, {state}")
}

/// Flats and reserve of a player.
pub fn standing(position: &AnyPosition, color: Color) -> String {
    let flats = position.flat_count(color);
    let reserve = position.reserves()[color];
    let komi = position.komi();
    let mut text = format!("{color}: {}", counted(flats, "flat", "flats"));
    // Writing to a string cannot fail.
    if color == Color::Black && komi != Komi::ZERO {
        let _ = write!(text, ", komi {komi}");
    }
    let _ = write!(text, ", {}", counted(reserve.stones, "stone", "stones"));
    if position.start_reserves()[color].caps > 0 {
        let _ = write!(text, " and {}", counted(reserve.caps, "capstone", "capstones"));
    }
    text + " in reserve"
}

/// Everything on the board, the last move, and the moves that might be played.
pub fn description(game: &Game, moves: &[Move]) -> String {
    let position = game.position();
    let side = position.size().width();
    let mut text = Color::ALL.map(|color| standing(position, color)).join(". ") + ".";
    for square in (0..side).flat_map(|row| (0..side).map(move |column| Square::new(column, row))) {
        if let Some((color, kind)) = position.top(square) {
            let _ = write!(text, " {square} {}", stack(position, square, color, kind));
        }
    }
    if let Some(last) = game.moves().last() {
        let _ = write!(text, " Last move: {last}.");
    }
    for (index, mv) in moves.iter().enumerate() {
        let letter = letter(index, moves.len()).map_or_else(String::new, |letter| format!(" {letter}"));
        let _ = write!(text, " Move{letter}: {mv}.");
    }
    text
}

/// A stack from the top: `Black wall on 2 White, 1 Black.`
fn stack(position: &AnyPosition, square: Square, color: Color, kind: PieceKind) -> String {
    let name = match kind {
        PieceKind::Flat => "flat",
        PieceKind::Wall => "wall",
        PieceKind::Cap => "capstone",
    };
    let mut runs: Vec<(Color, usize)> = Vec::new();
    for below in 1..position.height(square) {
        let color = position.color_at(square, below);
        match runs.last_mut() {
            Some((last, count)) if *last == color => *count += 1,
            _ => runs.push((color, 1)),
        }
    }
    if runs.is_empty() {
        return format!("{color} {name}.");
    }
    let runs: Vec<String> = runs.iter().map(|(color, count)| format!("{count} {color}")).collect();
    format!("{color} {name} on {}.", runs.join(", "))
}
