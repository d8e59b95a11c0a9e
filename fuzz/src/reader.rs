//! Real-looking PTN files with damage: the lenient and the strict reader agree, and the written form is standard.

use tak_engine::board::Move;
use tak_engine::notation::{PtnGame, ReadGame, read_games};

use super::damage::damage;

/// In the forms of the servers, PTN Ninja, racetrack, old files and chats.
const TEXTS: [&str; 5] = [
    include_str!("../texts/playtak.ptn"),
    include_str!("../texts/ninja.ptn"),
    include_str!("../texts/racetrack.ptn"),
    include_str!("../texts/old.ptn"),
    include_str!("../texts/stones.ptn"),
];

/// The first byte chooses a text, and the others damage it.
pub fn damaged(data: &[u8]) {
    let Some((&first, data)) = data.split_first() else {
        return;
    };
    let text = TEXTS[usize::from(first) % TEXTS.len()];
    let bytes = damage(text.as_bytes(), data);
    let text = String::from_utf8_lossy(&bytes);
    for read in read_games(&text) {
        game_holds(&read);
    }
}

/// Checks a game that can be read.
fn game_holds(read: &ReadGame) {
    let strict = read.clone().strict();
    let is_standard = read.deviations.is_empty();
    assert_eq!(strict.fault.is_none(), read.fault.is_none() && is_standard, "{:?}", read.deviations);
    assert_eq!(read.deviations.to_string().lines().count(), 1, "a warning is one line");
    if read.fault.is_some() {
        return;
    }
    let written = read.game.to_string();
    let mut games = read_games(&written);
    let (Some(again), None) = (games.next(), games.next()) else {
        panic!("one game is written as another number of games:\n{written}");
    };
    let again = again.strict();
    assert_eq!(again.fault, None, "{written}");
    assert_eq!(again.game.start, read.game.start, "{written}");
    assert_eq!(again.game.result, read.game.result, "{written}");
    assert_eq!(moves(&again.game), moves(&read.game), "{written}");
    assert_eq!(again.game.game().ok(), read.game.game().ok(), "{written}");
}

fn moves(game: &PtnGame) -> Vec<Move> {
    game.moves.iter().map(|played| played.mv).collect()
}
