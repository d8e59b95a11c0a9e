//! A puzzle as PTN with variations, in the form of PTN Ninja.

use std::collections::VecDeque;

use super::puzzle::{Kind, Puzzle, Step};
use crate::board::{AnyPosition, Game, Move, SetupError};
use crate::notation::{PtnGame, PtnMove, PtnVariation};

/// The tags of a game that its puzzles keep: those that state its origin, of the names that PTN Ninja knows.
const KEPT_TAGS: [&str; 9] = ["Player1", "Player2", "Rating1", "Rating2", "Event", "Site", "Round", "Date", "Time"];

/// The PTN of a puzzle from a game with these tags.
pub fn text(puzzle: &Puzzle, tags: &[(String, String)]) -> Result<String, SetupError> {
    let mut waiting = VecDeque::new();
    let moves = follow(None, 0, &puzzle.solution, &mut waiting);
    for &mv in &puzzle.also {
        waiting.push_back(Variation { parent: None, ply: 0, step: Step { mv, answers: Vec::new() } });
    }
    for wrong in &puzzle.wrong {
        let step = Step { mv: wrong.mv, answers: Step::line(&wrong.answer) };
        waiting.push_back(Variation { parent: None, ply: 0, step });
    }
    let mut ptn = main_line(puzzle, &moves, tags)?;
    while let Some(Variation { parent, ply, step }) = waiting.pop_front() {
        let moves = follow(Some(ptn.variations.len()), ply, &step, &mut waiting);
        let mut moves: Vec<PtnMove> = moves.into_iter().map(PtnMove::from).collect();
        let name = ptn.variation_name(parent, ply, &moves[0]);
        // Only other right moves and wrong ones begin at the puzzle's position.
        if ply == 0 {
            let is_right = puzzle.also.contains(&step.mv);
            moves[0].marks.push(if is_right { '!' } else { '?' });
        }
        ptn.variations.push(PtnVariation { name, parent, ply, moves, ..PtnVariation::default() });
    }
    Ok(ptn.to_string())
}

/// A line that leaves another one.
struct Variation {
    /// The other one; `None` for the main line.
    parent: Option<usize>,
    ply: usize,
    step: Step,
}

/// The moves from `step` on by the first answer each time; the other answers are put into `waiting`, to leave `line`.
fn follow(line: Option<usize>, ply: usize, step: &Step, waiting: &mut VecDeque<Variation>) -> Vec<Move> {
    let mut moves = vec![step.mv];
    let mut answers = &step.answers;
    while let Some((first, others)) = answers.split_first() {
        let ply = ply + moves.len();
        waiting.extend(others.iter().map(|other| Variation { parent: line, ply, step: other.clone() }));
        moves.push(first.mv);
        answers = &first.answers;
    }
    moves
}

fn main_line(puzzle: &Puzzle, moves: &[Move], tags: &[(String, String)]) -> Result<PtnGame, SetupError> {
    let mut game = Game::new(AnyPosition::from_setup(&puzzle.setup)?);
    for &mv in moves {
        game.play_unchecked(mv);
    }
    let mut ptn = PtnGame::from(&game);
    let is_kept = |name: &str| KEPT_TAGS.iter().any(|kept| kept.eq_ignore_ascii_case(name));
    let kept = tags.iter().filter(|(name, _)| is_kept(name));
    ptn.tags.splice(0..0, kept.cloned());
    ptn.comments.push(task(puzzle));
    if let Some(first) = ptn.moves.first_mut() {
        first.marks.push('!');
    }
    Ok(ptn)
}

fn task(puzzle: &Puzzle) -> String {
    let plies = puzzle.proof.map_or(0, |proof| proof.plies);
    let color = puzzle.setup.to_move;
    let what = match puzzle.kind {
        Kind::Tinue if plies == 1 => "completes a road with one move".to_owned(),
        Kind::Tinue => format!("forces a road in {plies} plies"),
        Kind::Flats => format!("wins on flats in {plies} plies"),
        Kind::Defence => format!("has one move that does not lose in {plies} plies"),
        Kind::Best if puzzle.also.is_empty() => "has one good move".to_owned(),
        Kind::Best => "has good moves on one square".to_owned(),
    };
    let (kind, difficulty) = (puzzle.kind, puzzle.difficulty);
    let themes: Vec<&str> = puzzle.themes.iter().map(|theme| theme.name()).collect();
    let themes = if themes.is_empty() { String::new() } else { format!(", {}", themes.join(", ")) };
    // PTN Ninja reads no numbers in comments that begin with `*`.
    format!("*{kind}, difficulty {difficulty}{themes}. {color} {what}.")
}
