//! Texts: valid ones can be written and read back unchanged, and positions pass the full check.

use fast_tak::takparse;
use tak_engine::arena::openings::book;
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
    let Ok(mut setup) = text.parse::<Setup>() else {
        return;
    };
    let written = setup.to_string();
    assert_eq!(written.parse::<Setup>(), Ok(setup.clone()), "{written}");
    let oracle: takparse::Tps = written.parse().expect("takparse takes no less");
    assert_eq!(oracle.to_string(), written);

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
    let Ok(position) = AnyPosition::from_setup(&setup) else {
        return;
    };
    assert_eq!(position.to_string(), written);
    position_holds(&position);
    if setup.move_number == Setup::MAX_MOVE_NUMBER {
        // Later positions have no valid text.
        return;
    }
    for mv in position.legal_moves() {
        move_holds(mv, position.size());
        position.check_legal(mv).expect("a legal move");
        let mut next = position.clone();
        next.play(mv).expect("a legal move");
        position_holds(&next);
    }
}

/// Checks a position that can be reached.
fn position_holds(position: &AnyPosition) {
    position.validate().expect("a consistent position");
    let again = AnyPosition::from_setup(&position.to_setup());
    assert_eq!(again.as_ref().map(AnyPosition::hash), Ok(position.hash()));
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

/// The size of a board, then moves: each is parsed alone, and played if it is legal.
pub fn moves(data: &[u8]) {
    let Some((&width, text)) = data.split_first() else {
        return;
    };
    let size = Size::ALL[usize::from(width) % Size::ALL.len()];
    let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
    for word in String::from_utf8_lossy(text).split_ascii_whitespace() {
        let Ok(mv) = parse_move(word, size) else {
            continue;
        };
        move_holds(mv, size);
        let before = game.clone();
        let is_listed = before.position().legal_moves().contains(&mv);
        assert_eq!(game.play(mv).is_ok(), is_listed, "{word}");
        if is_listed {
            position_holds(game.position());
        } else {
            assert_eq!(game, before, "{word}");
        }
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

/// The size of a board and an opening rule in the first byte, then a suite of openings in any format.
pub fn openings(data: &[u8]) {
    let Some((&first, text)) = data.split_first() else {
        return;
    };
    let sizes = Size::ALL.len();
    let board = Setup {
        opening: OpeningRule::ALL[usize::from(first) / sizes % 3],
        ..Setup::empty(Size::ALL[usize::from(first) % sizes], Komi::ZERO)
    };
    let text = String::from_utf8_lossy(text);
    if let Ok(openings) = book::parse(&text, None, &board) {
        assert!(!openings.is_empty());
        for opening in openings {
            let position = played(&opening.start, &opening.moves);
            assert_eq!(position.outcome(), None);
            position_holds(&position);
        }
    }
    if let Ok(lines) = book::parse_lines(&text, Some(board.size)) {
        assert!(!lines.is_empty());
        for line in lines {
            position_holds(&played(&line.start, &line.moves));
        }
    }
}

/// The position after moves that have been checked.
fn played(start: &Setup, moves: &[Move]) -> AnyPosition {
    let mut position = AnyPosition::from_setup(start).expect("a checked start");
    for &mv in moves {
        position.play(mv).expect("a checked move");
    }
    position
}
