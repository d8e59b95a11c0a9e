//! Games without tags `Size` and `TPS`, as people send them: the board follows from the moves.

use super::{GameText, PtnGame, ReadGame, read_game};
use crate::board::{Color, Move, MoveKind, PieceKind, Size};

/// Reads one game as far as it can be read. A game without tags `Size` and `TPS` is for the smallest board on which all
/// of it can be played, variations included; [`ReadGame::assumed_size`] then is the size of that board. If there is no
/// such board, it is one on which the most moves can be played.
pub fn read_game_on_smallest_board(text: &GameText) -> ReadGame {
    let [smallest, larger @ ..] = Size::ALL;
    let read = read_game(text, Some(smallest));
    if read.assumed_size.is_none() {
        return read;
    }
    larger.into_iter().fold(read, |best, size| {
        let read = read_game(text, Some(size));
        if playable(&read.game) > playable(&best.game) { read } else { best }
    })
}

/// The warning about a game that was read on the smallest board.
pub fn assumed_size_warning(size: Size) -> String {
    format!("the game has neither a Size nor a TPS tag: read for {size}x{size}, the smallest board that fits its moves")
}

/// Moves of the game that can be played, and those of variations that are of its board.
fn playable(game: &PtnGame) -> (usize, usize) {
    let has_capstones = Color::ALL.into_iter().any(|color| game.start.reserves[color].caps > 0);
    let is_of_board = |mv: Move| has_capstones || mv.kind() != MoveKind::Place(PieceKind::Cap);
    let moves = game.variations.iter().flat_map(|variation| &variation.moves);
    let played = game.replay().map_or(0, |(game, _)| game.moves().len());
    (played, moves.filter(|played| is_of_board(played.mv)).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::game_texts;

    #[test]
    fn the_board_is_the_smallest_on_which_all_moves_can_be_played() {
        let read = |text: &str| read_game_on_smallest_board(&game_texts(text).next().unwrap());
        for (moves, width, legal) in [
            ("[Komi \"2\"]", 3, 0),
            ("1. a1 b1", 3, 2),
            ("1. h1 a1", 8, 2),
            ("1. a1 c3 (1. -- d4 2. c3)", 4, 2),
            ("1. a1 c3 (1. -- e4)\n2. b2 b3 (2. -- Ca3)", 5, 4),
            ("1. a1 c3 2. b2 (2. Cb2)", 5, 3),
            // A spread over the edge of 3x3.
            ("1. a1 b1 2. b1< b2 3. 2a1> c2 4. 2b1> a3 5. 2c1>", 4, 9),
            // The last move comes after the end of the game on 3x3.
            ("1. a1 c3 2. c1 a2 3. c2 a3", 4, 6),
            // Illegal everywhere, so on the smallest board with the most moves.
            ("1. a1 e5 2. a1", 5, 2),
            ("1. a1 e5 2. qq", 5, 2),
        ] {
            let read = read(moves);
            let found = (read.assumed_size.map(Size::width), read.game.replay().unwrap().0.moves().len());
            assert_eq!(found, (Some(width), legal), "{moves}");
            assert_eq!(read.game.tag("Size"), Some(width.to_string().as_str()));
        }
        for stated in ["[Size \"4\"]\n", "[TPS \"x4/x4/x4/x4 1 1\"]\n", "[Size \"12\"]\n"] {
            assert_eq!(read(&format!("{stated}1. a1 b1")).assumed_size, None);
        }
    }
}
