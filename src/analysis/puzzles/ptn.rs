//! A puzzle as PTN with variations, in the form of PTN Ninja: after the game, each variation has a line with its name
//! in braces and then its moves. The name begins with that of the variation which it leaves.

use std::collections::VecDeque;
use std::fmt::Write;

use super::puzzle::{Kind, Puzzle, Step};
use crate::board::{AnyPosition, Color, Game, Move, Setup, SetupError};
use crate::notation::PtnGame;

/// The tags of a game that its puzzles keep: those that state its origin, of the names that PTN Ninja knows.
const KEPT: [&str; 9] = ["Player1", "Player2", "Rating1", "Rating2", "Event", "Site", "Round", "Date", "Time"];

/// The PTN of a puzzle from a game with these tags.
pub fn text(puzzle: &Puzzle, tags: &[(String, String)]) -> Result<String, SetupError> {
    let setup = &puzzle.setup;
    let mut waiting = VecDeque::new();
    let moves = follow("", 0, &puzzle.solution, &mut waiting);
    for wrong in &puzzle.wrong {
        waiting.push_back(Variation {
            parent: String::new(),
            offset: 0,
            step: Step { mv: wrong.mv, answers: Step::line(&wrong.answer) },
        });
    }
    let mut text = main_line(puzzle, &moves, tags)?.to_string();
    while let Some(Variation { parent, offset, step }) = waiting.pop_front() {
        let (number, color) = turn(setup, offset);
        let side = if color == Color::White { 'w' } else { 'b' };
        let joint = if parent.is_empty() { "" } else { "/" };
        let name = format!("{parent}{joint}{number}{side}_{}", step.mv);
        let moves = follow(&name, offset, &step, &mut waiting);
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{{{name}}}\n");
        for (index, mv) in moves.iter().enumerate() {
            let (number, color) = turn(setup, offset + index);
            let before = match (color, index) {
                (Color::White, 0) => format!("{number}. "),
                (Color::White, _) => format!("\n{number}. "),
                (Color::Black, 0) => format!("{number}. -- "),
                (Color::Black, _) => " ".to_owned(),
            };
            let is_wrong = offset == 0 && index == 0;
            let mark = if is_wrong { "?" } else { "" };
            let _ = write!(text, "{before}{mv}{mark}");
        }
        text.push('\n');
    }
    Ok(text)
}

/// A line that leaves another one.
struct Variation {
    /// The name of the other one, empty for the main line.
    parent: String,
    /// Plies before it.
    offset: usize,
    step: Step,
}

/// The moves from `step` on by the first answer each time; the other answers are put into `waiting`.
fn follow(name: &str, offset: usize, step: &Step, waiting: &mut VecDeque<Variation>) -> Vec<Move> {
    let mut moves = vec![step.mv];
    let mut answers = &step.answers;
    while let Some((first, others)) = answers.split_first() {
        let offset = offset + moves.len();
        waiting.extend(others.iter().map(|other| Variation { parent: name.to_owned(), offset, step: other.clone() }));
        moves.push(first.mv);
        answers = &first.answers;
    }
    moves
}

/// The number of the move after so many plies of the puzzle, and whose it is.
fn turn(setup: &Setup, offset: usize) -> (u32, Color) {
    let plies = setup.to_move.index() + offset;
    let color = Color::from_bit((plies % 2) as u8);
    (setup.move_number + (plies / 2) as u32, color)
}

fn main_line(puzzle: &Puzzle, moves: &[Move], tags: &[(String, String)]) -> Result<PtnGame, SetupError> {
    let mut game = Game::new(AnyPosition::from_setup(&puzzle.setup)?);
    for &mv in moves {
        game.play_unchecked(mv);
    }
    let mut ptn = PtnGame::from(&game);
    let is_kept = |name: &str| KEPT.iter().any(|kept| kept.eq_ignore_ascii_case(name));
    let kept = tags.iter().filter(|(name, _)| is_kept(name));
    ptn.tags.splice(0..0, kept.cloned());
    ptn.comments.push(task(puzzle));
    if let Some(first) = ptn.moves.first_mut() {
        first.marks.push('!');
    }
    Ok(ptn)
}

/// The task in words.
fn task(puzzle: &Puzzle) -> String {
    let plies = puzzle.proof.map_or(0, |proof| proof.plies);
    let color = puzzle.setup.to_move;
    let what = match puzzle.kind {
        Kind::Tinue => format!("forces a road in {plies} plies"),
        Kind::Flats => format!("wins on flats in {plies} plies"),
        Kind::Defence => format!("has one move that does not lose in {plies} plies"),
        Kind::Best => "has one good move".to_owned(),
    };
    let (kind, score) = (puzzle.kind, puzzle.score());
    // PTN Ninja reads no numbers in comments that begin with `*`.
    format!("*{kind}, difficulty {score}. {color} {what}.")
}
