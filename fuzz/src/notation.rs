//! Texts: valid ones can be written and read back unchanged, and positions pass the full check.

use fast_tak::takparse;
use tak_engine::board::{AnyPosition, Game};
use tak_engine::board::{Komi, Move, OpeningRule, Reserve, Setup, Size};
use tak_engine::notation::{parse_games, parse_move};

/// A TPS in the first line. Numbers in the second are half komi, stones and capstones of White and Black, and the
/// opening.
pub fn tps(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let (text, numbers) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(setup) = text.parse::<Setup>() else {
        return;
    };
    let written = setup.to_string();
    assert_eq!(written.parse::<Setup>(), Ok(setup.clone()), "{written}");
    let oracle: takparse::Tps = written.parse().expect("takparse takes no less");
    assert_eq!(oracle.to_string(), written);

    let Ok(position) = AnyPosition::from_setup(&with_settings(setup, numbers)) else {
        return;
    };
    assert_eq!(position.to_string(), written);
    position_holds(&position);
    every_move_holds(&position);
}

/// The setup with the settings of a line of numbers, as far as they are given.
fn with_settings(mut setup: Setup, numbers: &str) -> Setup {
    let mut numbers = numbers.split_ascii_whitespace().map_while(|n| n.parse::<i16>().ok());
    if let Some(komi) = numbers.next().and_then(|n| Komi::from_half(n.into()).ok()) {
        setup.komi = komi;
    }
    for reserve in &mut setup.reserves.0 {
        let mut next = |standard| numbers.next().map_or(standard, |n| n.to_le_bytes()[0]);
        *reserve = Reserve { stones: next(reserve.stones), caps: next(reserve.caps) };
    }
    if let Some(opening) = numbers.next() {
        setup.opening = OpeningRule::ALL[opening.unsigned_abs() as usize % 3];
    }
    setup
}

/// Plays and takes back every legal move.
fn every_move_holds(position: &AnyPosition) {
    if position.move_number() == Setup::MAX_MOVE_NUMBER {
        // Later positions have no valid text.
        return;
    }
    let mut next = position.clone();
    for mv in position.legal_moves() {
        move_holds(mv, position.size());
        let undo = next.play(mv).expect("a legal move");
        position_holds(&next);
        next.unplay(mv, undo);
        assert!(next == *position, "{position} {mv} is not taken back");
    }
}

/// Checks a position that can be reached.
pub fn position_holds(position: &AnyPosition) {
    position.validate().expect("a consistent position");
    let setup = position.to_setup();
    let again = AnyPosition::from_setup(&setup).expect("a position can be set up again");
    assert_eq!(again.hash(), position.hash());
    // Longer games keep the largest move number.
    assert!(again == *position || setup.move_number == Setup::MAX_MOVE_NUMBER, "{position}");
    let Setup { komi, reserves, opening, .. } = setup;
    let read: Setup = position.to_string().parse().expect("a written position");
    assert_eq!(Setup { komi, reserves, opening, ..read }, setup);
    if position.outcome().is_some() {
        assert!(position.legal_moves().is_empty());
        return;
    }
    assert!(!position.legal_moves().is_empty(), "an unfinished game has moves");
    // Sums of features must not overflow.
    let evaluator = tak_engine::eval::evaluator(position.size());
    let _ = (position.explain(evaluator), position.trace(), position.phase());
    if let Some(mv) = position.winning_move(position.to_move()) {
        let mut next = position.clone();
        next.play(mv).expect("a winning move is legal");
        let winner = next.outcome().expect("a winning move ends the game").winner;
        assert_eq!(winner, Some(position.to_move()));
    }
}

fn move_holds(mv: Move, size: Size) {
    let text = mv.to_string();
    assert_eq!(parse_move(&text, size), Ok(mv), "{text}");
    assert_eq!(Move::from_bits(mv.bits()), Some(mv));
    let oracle: takparse::Move = text.parse().expect("takparse takes no less");
    assert_eq!(oracle.to_string(), text);
}

/// A TPS and numbers as for [`tps`], then moves: each is parsed alone, and played if it is legal. At the end all are
/// taken back.
pub fn moves(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.splitn(3, '\n');
    let [board, numbers, words] = [(); 3].map(|()| lines.next().unwrap_or_default());
    let Ok(setup) = board.parse::<Setup>() else {
        return;
    };
    let Ok(position) = AnyPosition::from_setup(&with_settings(setup, numbers)) else {
        return;
    };
    let size = position.size();
    let mut game = Game::new(position.clone());
    let mut position = position;
    let mut played = Vec::new();
    for word in words.split_ascii_whitespace() {
        let Ok(mv) = parse_move(word, size) else {
            continue;
        };
        if position.move_number() == Setup::MAX_MOVE_NUMBER {
            break;
        }
        move_holds(mv, size);
        let before = position.clone();
        let is_listed = position.legal_moves().contains(&mv);
        let result = position.play(mv);
        assert_eq!(result.is_ok(), is_listed, "{word}");
        assert_eq!(game.play(mv).is_ok(), is_listed, "{word}");
        if let Ok(undo) = result {
            position_holds(&position);
            played.push((before, mv, undo));
        } else {
            assert!(position == before, "{word}");
        }
        assert_eq!(game.position(), &position, "{word}");
    }
    every_move_holds(&position);
    for (before, mv, undo) in played.into_iter().rev() {
        position.unplay(mv, undo);
        assert!(position == before, "{before} {mv} is not taken back");
    }
}

/// A PTN file.
pub fn ptn(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    // A line may end with a carriage return alone.
    let lines = 1 + text.matches(['\n', '\r']).count();
    for game in parse_games(&text) {
        let game = match game {
            Ok(game) => game,
            Err(error) => {
                assert!((1..=lines).contains(&error.line), "{error}");
                continue;
            }
        };
        for played in &game.moves {
            move_holds(played.mv, game.start.size);
        }
        // The text depends only on the game, so it must not change when written again.
        let written = game.to_string();
        let mut again = parse_games(&written);
        let (Some(Ok(read)), None) = (again.next(), again.next()) else {
            panic!("one game is written as another number of games:\n{written}");
        };
        assert_eq!(read.start, game.start, "{written}");
        assert_eq!(read.result, game.result, "{written}");
        let played =
            |game: &tak_engine::notation::PtnGame| -> Vec<Move> { game.moves.iter().map(|played| played.mv).collect() };
        assert_eq!(played(&read), played(&game), "{written}");
        assert_eq!(read.to_string(), written);
        replay(&game.start, &played(&game));
    }
}

fn replay(start: &Setup, moves: &[Move]) {
    let Ok(position) = AnyPosition::from_setup(start) else {
        return;
    };
    let mut game = Game::new(position);
    for &mv in moves {
        if game.play(mv).is_err() {
            break;
        }
    }
    position_holds(game.position());
}
