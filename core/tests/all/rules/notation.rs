//! Moves, positions, sizes and komi as text: reading, writing and error messages.

use crate::cases::step;
use crate::fast_rules::ours;
use fast_tak::takparse;
use tak_engine_core::board::{Color, Komi, Move, MoveKind, Position, Setup, Size};
use tak_engine_core::notation::{MoveFault, parse_move};
use tak_engine_core::testing::section;

pub(super) fn size(width: u64) -> Size {
    Size::new(width).unwrap()
}

const TABLE: &str = include_str!("notation.txt");

/// Texts of a section of the table, each with its fault.
fn faults(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = section(TABLE, name).map(|row| row.split_once("=> ").unwrap());
    rows.map(|(text, fault)| (text.strip_suffix(' ').unwrap_or_default(), fault))
}

// ---- moves ----

#[test]
fn moves_are_written_in_the_shortest_form() {
    for row in section(TABLE, "moves and other forms of them") {
        let (written, texts) = row.split_once(": ").unwrap();
        for text in texts.split(' ') {
            let mv = parse_move(text, size(8)).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(mv.to_string(), written, "{text}");
        }
    }
}

#[test]
fn invalid_moves_are_rejected() {
    // What takparse does not reject with them, and texts beyond ASCII.
    let texts = [
        " ", "1", "9a1>", "2a1>1", "a1> ", " a1", "Xa1", "CC3>", "a١", "🦀", "--", "a1,b1", "'!", "1-0", "\0\0\0",
        "ａ１", "a1x*",
    ];
    for text in texts.into_iter().chain(["a1\u{301}", "3a1>111111111", &"1".repeat(1_000_000)]) {
        let error = parse_move(text, size(8)).expect_err(text).to_string();
        assert!(error.len() < 200 && error.contains("invalid move"), "{error}");
    }
}

#[test]
fn move_errors_name_reason_and_place() {
    for (text, fault) in faults("faults of moves") {
        let error = text.parse::<Move>().expect_err(text);
        assert_eq!(error.to_string(), format!("invalid move {text:?}: {fault}"));
        assert_eq!(parse_move(text, size(8)), Err(error));
    }
    let error = parse_move("f1", size(5)).unwrap_err();
    assert!(matches!(error.fault, MoveFault::OffBoard { .. }));
}

/// Text that takparse accepts, plus deliberate extensions of this crate: small piece letters, and `*` among the marks
/// of any move (takparse accepts it only after a spread whose last drop is one piece, before the other marks).
fn takparse_move(text: &str) -> Option<takparse::Move> {
    let bare = text.trim_end_matches(['*', '\'', '"', '!', '?']);
    let mut letters: Vec<char> = bare.chars().collect();
    if let [piece @ ('f' | 's' | 'c'), file, ..] = letters.as_mut_slice()
        && file.is_ascii_alphabetic()
    {
        piece.make_ascii_uppercase();
    }
    letters.into_iter().collect::<String>().parse().ok()
}

pub(super) fn assert_takparse_agrees(text: &str) {
    let theirs = takparse_move(text);
    let found: Option<Move> = text.parse().ok();
    assert_eq!(found.map(|mv| mv.to_string()), theirs.map(|mv| mv.to_string()), "{text:?}");
    assert_eq!(found, theirs.map(ours), "{text:?}");
}

/// All texts of up to four characters from a set of meaningful and meaningless ones; of those of five characters some,
/// in CI all.
#[test]
fn short_texts_are_parsed_like_takparse() {
    const LETTERS: [char; 17] = ['a', 'c', 'f', 'h', 'i', 's', 'F', 'S', 'C', '0', '1', '2', '8', '9', '>', '+', '*'];
    let mut texts = vec![String::new()];
    for length in 0..=5 {
        let every = if length < 5 { 1 } else { step(4) };
        for text in texts.iter().step_by(every) {
            assert_takparse_agrees(text);
        }
        if length < 5 {
            let longer = |text: &String| LETTERS.map(|letter| format!("{text}{letter}"));
            texts = texts.iter().flat_map(longer).collect();
        }
    }
}

#[test]
fn every_move_survives_the_text() {
    for width in 3..=8usize {
        for mv in (0..=u16::MAX).filter_map(Move::from_bits) {
            let on_board = mv.square().column() < width && mv.square().row() < width;
            let fits = match mv.kind() {
                MoveKind::Place(_) => true,
                // Eight drops need nine squares.
                MoveKind::Spread(_, pattern) => pattern.squares() < 8,
            };
            let text = mv.to_string();
            let parsed = parse_move(&text, size(width as u64));
            assert_eq!(parsed.ok(), (on_board && fits).then_some(mv));
            assert_eq!(text.parse().ok(), fits.then_some(mv));
        }
    }
}

// ---- TPS ----

#[test]
fn tps_is_parsed_into_its_setup() {
    let setup = "x4/x,21S,x2/1,x,2C,x/x3,112 2 7".parse::<Setup>().unwrap();
    assert_eq!(setup.size, size(4));
    assert_eq!((setup.to_move, setup.move_number), (Color::Black, 7));
    assert_eq!(setup.komi, Komi::ZERO);
    let stacks: Vec<String> = setup.stacks.iter().map(|s| format!("{} {:?} {:?}", s.square, s.colors, s.top)).collect();
    assert_eq!(
        stacks,
        ["d1 [White, White, Black] Flat", "a2 [White] Flat", "c2 [Black] Cap", "b3 [Black, White] Wall",]
    );
}

#[test]
fn loose_tps_is_written_tight() {
    let cases = [("x,x,x/x1,x2/x3 1 1", "x3/x3/x3 1 1"), ("  x3/x,1F,x/x3\t2  9\n", "x3/x,1,x/x3 2 9")];
    for (text, written) in cases {
        assert_eq!(text.parse::<Setup>().unwrap().to_string(), written);
    }
}

#[test]
fn tps_errors_name_reason_and_place() {
    for (text, message) in faults("faults of positions") {
        let error = text.parse::<Setup>().expect_err(text).to_string();
        assert_eq!(error, message, "{text}");
    }
    let tower = format!("x3/x3/{},x2 1 99", "12".repeat(61));
    assert_eq!(
        tower.parse::<Setup>().unwrap_err().to_string(),
        "row 1, square a1: the stack has 122 pieces, the maximum is 121"
    );
}

#[test]
fn only_playable_positions_are_read() {
    let text = "x3/x,12S,x/x3 1 5";
    let position: Position<3> = text.parse().unwrap();
    assert_eq!(position.to_string(), text);
    let refused = |text: &str| text.parse::<Position<3>>().unwrap_err().to_string();
    assert_eq!(refused("x3/x3/x2 1 5"), "row 1 has 2 squares, expected 3");
    assert_eq!(refused("x4/x4/x4/x4 1 1"), "the position is 4x4, expected 3x3");
    assert_eq!(refused("x3/x,12C,x/x3 1 5"), "Black has 1 capstones, the reserve is 0");
}

/// The reader's limit for move numbers does not limit games: later moves can still be written and read.
#[test]
fn every_move_number_that_play_reaches_is_read() {
    for start in ["1 999999", "2 999999", "1 1000000", "2 1000000"] {
        let text = format!("x3/x,12S,x/x3 {start}");
        let mut position: Position<3> = text.parse().unwrap();
        assert_eq!(position.to_string(), text);
        let mut last = position.move_number();
        for _ in 0..4 {
            let mv = position.legal_moves()[0];
            position.play(mv).unwrap();
            let text = position.to_string();
            let read: Position<3> = text.parse().unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(read.to_setup(), position.to_setup());
            assert!((last..=1_000_000).contains(&position.move_number()), "{text}");
            last = position.move_number();
        }
        assert_eq!(last, 1_000_000);
    }
}

// ---- sizes ----

#[test]
fn sizes_are_widths_of_boards() {
    for size in Size::ALL {
        assert_eq!(size.to_string().parse(), Ok(size));
    }
    let refused = |text: &str| text.parse::<Size>().unwrap_err().to_string();
    assert_eq!(refused("9"), "board size 9 is not supported, expected 3 to 8");
    for text in ["", "x", "-5", "5.0", "5x5", "99999999999999999999", "６"] {
        assert_eq!(refused(text), format!("invalid board size {text:?}: expected 3 to 8"));
    }
}

// ---- komi ----

#[test]
fn komi_is_whole_or_half_points() {
    let cases = [("0", 0), ("2", 4), ("2.5", 5), ("2.0", 4), ("-1.5", -3), ("-0.5", -1), ("+1", 2), ("10", 20)];
    for (text, half) in cases {
        assert_eq!(text.parse::<Komi>().unwrap().half(), half, "{text}");
    }
    for text in ["", "-", ".5", "2.", "2.25", "2,5", "1e3", "--1", "10.5", "-11", "99999999999999999999", "½", "NaN"] {
        assert!(text.parse::<Komi>().is_err(), "{text}");
    }
    for half in Komi::MIN_HALF..=Komi::MAX_HALF {
        let komi = Komi::from_half(half).unwrap();
        assert_eq!(komi.to_string().parse(), Ok(komi));
    }
}
