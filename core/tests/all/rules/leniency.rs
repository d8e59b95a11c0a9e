//! Texts of other programs, older versions and phones: each is read, written back in standard form, and rejected by the
//! strict reader, which names the rule.

use tak_engine_core::board::{Komi, Move, OpeningRule, Setup, Size};
use tak_engine_core::notation::{Deviations, Leniency, PtnFault, PtnGame, ReadGame, read_games, read_move, read_setup};
use tak_engine_core::testing::section;

fn one(text: &str) -> ReadGame {
    let mut games: Vec<ReadGame> = read_games(text).collect();
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn moves(game: &PtnGame) -> Vec<Move> {
    game.moves.iter().map(|played| played.mv).collect()
}

const TABLE: &str = include_str!("leniency.txt");

/// Rules and texts of a section of the table.
fn rows(name: &str) -> impl Iterator<Item = (&'static str, String)> {
    let rows = section(TABLE, name).map(|row| row.split_once(": ").unwrap());
    rows.map(|(rule, text)| (rule, text.replace("\\n", "\n")))
}

/// The same with the standard forms.
fn forms(name: &str) -> impl Iterator<Item = (&'static str, String, String)> {
    rows(name).map(|(rule, row)| {
        let (text, standard) = row.split_once(" => ").unwrap();
        (rule, text.to_owned(), standard.to_owned())
    })
}

/// Checks that `text` is read with the first deviation of this kind, that it is written as `standard`, and that the
/// strict reader rejects it by this rule and accepts the written form.
fn assert_read(text: &str, rule: &str, standard: &str) {
    let read = one(text);
    assert_eq!(read.fault, None, "{text}");
    let first = read.deviations.first().unwrap_or_else(|| panic!("standard: {text}"));
    assert_eq!(format!("{:?}", first.rule), rule, "{text}");
    assert_eq!(read.deviations.to_string().lines().count(), 1, "{text}");
    let fault = read.clone().strict().fault.unwrap_or_else(|| panic!("strict: {text}"));
    assert_eq!(Some(fault.line), first.line, "{text}");
    assert!(matches!(&fault.fault, PtnFault::NotStandard { deviation } if deviation.rule == first.rule), "{text}");
    assert!(fault.to_string().ends_with(&first.rule.to_string()), "{fault}");
    let written = read.game.to_string();
    assert_eq!(written, standard, "{text}");
    let again = one(&written).strict();
    assert_eq!(again.fault, None, "{written}");
    assert_eq!(moves(&again.game), moves(&read.game), "{written}");
    assert_eq!((again.game.start, again.game.result), (read.game.start, read.game.result), "{written}");
}

/// Moves and the text after them, below a `Size` tag.
#[test]
fn odd_moves_and_results_are_read_and_written_standard() {
    let invisible = [
        ("1. a1 e5 *\n\u{1a}", "ControlCharacter", "1. a1 e5 *"),
        ("1. a1 e5 \0", "ControlCharacter", "1. a1 e5"),
        ("1. a1\u{a0}e5\u{feff}2. c\u{200b}3", "Typography", "1. a1 e5\n2. c3"),
        ("1. a1 e5\n\u{feff}2. c3", "ByteOrderMark", "1. a1 e5\n2. c3"),
    ];
    let invisible = invisible.map(|(text, rule, standard)| (rule, text.to_owned(), standard.to_owned()));
    for (rule, text, standard) in forms("moves and results").chain(invisible) {
        assert_read(&format!("[Size \"5\"]\n{text}"), rule, &format!("[Size \"5\"]\n\n{standard}\n"));
    }
}

#[test]
fn odd_tags_are_read_and_written_standard() {
    let standard = "[Size \"5\"]\n";
    for (rule, tag) in rows("forms of [Size \"5\"]") {
        assert_read(&format!("{tag}\n\n1. a1 e5"), rule, &format!("{standard}\n1. a1 e5\n"));
    }
    for (rule, tag, as_written) in forms("other tags") {
        let text = format!("{standard}{tag}\n\n1. a1 e5");
        assert_read(&text, rule, &format!("{standard}{as_written}\n\n1. a1 e5\n"));
    }
    // What cannot be read becomes a comment.
    for (rule, tag) in rows("tags that become comments") {
        assert_read(&format!("{standard}{tag}\n\n1. a1 e5"), rule, &format!("{standard}\n{{{tag}}}\n1. a1 e5\n"));
    }
    // Before the tags they are not in the way of the game, and moves may follow in the line.
    assert_read("[odd] x\n[Size \"5\"]\n1. a1 e5", "TagSkipped", &format!("{standard}\n{{[odd] x}}\n1. a1 e5\n"));
    assert_read("[Size \"5\"]\n[odd] 1. a1 e5", "TagSkipped", &format!("{standard}\n{{[odd]}}\n1. a1 e5\n"));
    // What comes before a game is in none of its lines.
    for (text, rule) in
        [("```\n", "CodeFence"), ("%x\n", "EscapeLine"), ("\0", "ControlCharacter"), ("\0\n", "ControlCharacter")]
    {
        let read = format!("{text}{standard}1. a1 e5");
        assert_read(&read, rule, &format!("{standard}\n1. a1 e5\n"));
        assert_eq!(one(&read).deviations.count(), 1, "{text:?}");
    }
    for tag in ["[Size \"5\"]", "[TPS \"x5/x5/x5/x5/x5 1 1\"]"] {
        let text = format!("[Size \"five\"]\n{tag}\n1. a1 e5");
        assert_read(&text, "TagSkipped", &format!("{tag}\n\n{{[Size \"five\"]}}\n1. a1 e5\n"));
    }
    // Without its size no game can be played.
    for text in ["[Size \"five\"]\n1. a1", "[Size\n1. a1", "[Size \"9\"]\n1. a1", "[TPS \"x5/x5 1 1\"]\n1. a1", "1. a1"]
    {
        assert!(one(text).fault.is_some(), "{text}");
    }
}

#[test]
fn double_black_stacks_need_no_opening_tag() {
    let standard = "[Size \"5\"]\n[Opening \"double black stack\"]\n\n1. 2a1 e5\n2. c3\n";
    assert_read("[Size \"5\"]\n1. 2a1 e5 2. c3", "MissingOpening", standard);
    assert_read("[Size \"5\"]\n[Opening \"DoubleBlack\"]\n1. a1 e5 2. c3", "TagValue", standard);
    for text in ["[Size \"5\"]\n1. a1 2e5", "[Size \"5\"]\n[Opening \"swap\"]\n1. 2a1", "[Size \"5\"]\n1. 3a1"] {
        assert!(one(text).fault.unwrap().to_string().contains("invalid move"), "{text}");
    }
}

#[test]
fn positions_are_read_in_every_form() {
    let standard = "x5/x5/x,1C,1S,x2/x5/2,x4 2 3";
    let invisible = ("Typography", "x5/x5/x,1C,1S,x2/x5/2,x4\u{a0}2\u{a0}3".to_owned());
    for (rule, text) in rows("positions").chain([invisible]) {
        let text = &*text;
        let mut deviations = Deviations::default();
        let setup = read_setup(text, &mut deviations).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(setup.to_string(), standard, "{text}");
        assert_eq!(deviations.first().map(|first| format!("{:?}", first.rule)).as_deref(), Some(rule), "{text}");
        assert!(text.parse::<Setup>().is_err(), "{text}");
        if rule != "QuotedTps" {
            let tag = |tps: &str| format!("[Size \"5\"]\n[TPS \"{tps}\"]\n\n3. -- a2\n");
            assert_read(&tag(text), rule, &tag(standard));
        }
    }
    let tag = |stack: &str| format!("[TPS \"x5/x5/x,{stack},x3/x5/2,x4 2 3\"]\n\n3. -- a2\n");
    assert_read(&tag("1F"), "FlatLetter", &tag("1"));
    let runs = one("[TPS \"x,x,x/x1,1,x1/2,x2 2 3\"] [Site \"s\"]\r3. -- a2\r");
    assert!(runs.fault.is_none() && runs.deviations.is_empty(), "{:?}", runs.deviations);
    // With tags or moves besides, a position is that of a game.
    for (tps, rest) in [("x5/x5/x5/x5/2,x4 2 2", "\n[Size \"5\"]\n\n2. -- c3"), ("x5/x5/x5/x5/2,x4 2 2", " 2. -- c3")] {
        let text = format!("[TPS \"{tps}\"]{rest}");
        assert!(read_setup(&text, &mut Deviations::default()).is_err(), "{text}");
        assert_eq!(moves(&one(&text).game).len(), 1, "{text}");
    }
    for text in ["x5/x5/x5/x5 1 1", "x5/x5/x,1K,x3/x5/x5 1 2", "x5/x5/x5/x5/x5 3 1", "x5-x5-x5-x5 1 1", ""] {
        assert!(read_setup(text, &mut Deviations::default()).is_err(), "{text}");
    }
}

#[test]
fn stones_in_move_one_need_a_tag() {
    for (tps, opening) in [
        ("x5/x3,2112S,x/x5/x,1221,x3/x5 1 1", "no-swap"),
        ("x5/x5/x2,1,x2/x,2,x3/2,x3,1 1 1", "no-swap"),
        ("x5/x5/x2,1,x2/x5/x5 1 1", "swap"),
        ("x5/x5/x2,2,x2/x5/x,2,x3 2 1", "swap"),
    ] {
        let first = if tps.ends_with("2 1") { "1. -- a1" } else { "1. a5 b5" };
        let standard = format!("[Opening \"{opening}\"]\n[TPS \"{tps}\"]\n\n{first}\n");
        assert_read(&format!("[TPS \"{tps}\"]\n{first}"), "FirstTurn", &standard);
        assert!(one(&standard).game.game().is_ok(), "{tps}");
        let mut deviations = Deviations::default();
        assert_eq!(read_setup(tps, &mut deviations).unwrap().opening.to_string(), opening);
        assert_eq!(deviations.count(), 1, "{tps}");
    }
    // PTN Ninja writes the usual opening with every position.
    let text = "[Opening \"swap\"]\n[TPS \"x5/x5/x2,1,x2/x,2,x3/2,x3,1 1 1\"]\n\n1. a5\n";
    assert_read(text, "FirstTurn", &text.replace("swap", "no-swap"));
    // A game that is over stays over.
    let over = one("[TPS \"1,1,1,1,1/x5/x5/x5/x5 1 1\"]\n1. a1").game.game().unwrap_err();
    assert!(over.to_string().ends_with("the game is over"), "{over}");
}

#[test]
fn joined_files_are_separate_games() {
    for (text, sizes) in [
        ("[Size \"5\"]\n1. a1 e5 R-0[Site \"x\"]\n[Size \"6\"]\n1. a1 f6", vec![5, 6]),
        ("[Size \"5\"]\n1. a1 e5 {note}[Size \"6\"]\n1. a1 f6", vec![5, 6]),
        ("[Size \"5\"]\n1. a1 e5[Size \"6\"]\n1. a1 f6 *[Size \"4\"] 1. a1 d4", vec![5, 6, 4]),
    ] {
        let games: Vec<ReadGame> = read_games(text).collect();
        let found: Vec<usize> = games.iter().map(|read| read.game.start.size.width()).collect();
        assert_eq!(found, sizes, "{text}");
        assert!(games.iter().all(|read| read.fault.is_none() && read.game.moves.len() == 2), "{text}");
        assert!(games[0].deviations.is_empty(), "{text}");
        for joined in &games[1..] {
            assert_eq!(joined.deviations.first().unwrap().rule, Leniency::JoinedGames, "{text}");
        }
    }
    // A tag may hold anything.
    let brackets = one("[Size \"5\"]\n[Event \"[a] {b} ; [Size \\\"6\\\"]\"]\n\n1. a1 {[x] y} e5");
    assert!(brackets.fault.is_none() && brackets.deviations.is_empty(), "{:?}", brackets.deviations);
}

#[test]
fn a_comment_never_closed_spoils_one_game() {
    for rest in ["1. a1 f6 {ok}", "1. a1 f6", "1. a1 f6\n\n[Size \"4\"]\n1. a1 d4 {x} {y}"] {
        let text = format!("[Size \"5\"]\n1. a1 {{never\n\n[Site \"s\"]\n[Size \"6\"]\n{rest}\n");
        let games: Vec<ReadGame> = read_games(&text).collect();
        assert!(games.len() > 1 && games[0].fault.is_some(), "{text}");
        assert_eq!(games[1].game.tag("Site"), Some("s"), "{text}");
        assert!(games[1..].iter().all(|read| read.fault.is_none()), "{text}");
    }
}

#[test]
fn real_errors_stay_errors() {
    for text in
        ["5d4-22", "f9", "z1", "c3+K", "3c3>11S", "Sa1>", "a1b1", "--x", "1-1", "R-1", "2c3", "1C3", "a1,b2", "?!x"]
    {
        let read = one(&format!("[Size \"5\"]\n1. a1 e5\n2. {text}"));
        assert_eq!(read.fault.as_ref().map(|fault| fault.line), Some(3), "{text}");
        assert_eq!(read.game.moves.len(), 2, "{text}");
    }
    // A move after a placeholder means that a move before it is missing.
    let fault = one("[Size \"5\"]\n1. a1 e5\n2. c3 --\n3. d3").fault.unwrap();
    assert_eq!(fault.to_string(), "line 3: unexpected --: Black is to move");
    assert_eq!(
        one("[Size \"5\"]\n1. a1 e5 R-0 2. c3").fault.unwrap().to_string(),
        "line 2: \"c3\" comes after the result"
    );
}

#[test]
fn comments_cannot_be_nested() {
    for text in ["{x {y} z}", "{x {y} c3 }", "{x {y} see this}"] {
        let fault = one(&format!("[Size \"5\"]\n1. a1 e5 {text}")).fault.unwrap();
        assert_eq!((fault.line, fault.fault), (2, PtnFault::NestedComment), "{text}");
    }
    for text in ["[Size \"5\"]\n[{\n1. z9", "[Size \"5\"]\n1. a1 {{} e5 2. z9", "[Size \"5\"]\n1. a1 ({{}) z9"] {
        let fault = one(text).fault.unwrap().fault;
        assert!(matches!(fault, PtnFault::Move(_)), "{text}: {fault}");
    }
}

#[test]
fn move_one_after_a_result_begins_a_game() {
    for end in ["R-0", "1 - 0", "*", "R-0\n"] {
        let text = format!("1. a1 e5 {end}\n1. b1 d5\n2. c3 *");
        let lines: Vec<usize> = read_games(&text).map(|read| read.line(usize::MAX)).collect();
        assert_eq!(lines, [1, 2 + end.matches('\n').count()], "{text}");
    }
    for rest in ["{1_b1}\n1. b1", "1-1.1. b1", "1.1. b1"] {
        one(&format!("[Size \"5\"]\n1. a1 e5 R-0\n\n{rest}"));
    }
}

#[test]
fn one_warning_names_the_first_and_counts_the_others() {
    let read = one("[Size 5]\n1. A1 e5\n2. C3 R - 0");
    assert_eq!(read.deviations.to_string(), "line 1: \"[Size 5]\" is not standard: expected [Name \"value\"] (3 more)");
    let mut deviations = Deviations::default();
    let mv = read_move("A1", Size::new(5).unwrap(), &mut deviations).unwrap();
    assert_eq!(mv.to_string(), "a1");
    assert_eq!(deviations.to_string(), "\"A1\" is not standard: letter in another case");
    let standard = one("[Size \"5\"]\n[Komi \"2.0\"]\n\n1. a1 e5'' {x}\n2. Cc3 3c3<21* *\n");
    assert!(standard.deviations.is_empty() && standard.strict().fault.is_none());
}

#[test]
fn nonstandard_tag_values_keep_their_meaning() {
    let game = one("[Size: 6]\n[Komi \".5\"]\n[Opening \"double_black\"]\n[Flats １５]\n1. a1").game;
    assert_eq!((game.start.size, game.start.komi), (Size::new(6).unwrap(), Komi::from_half(1).unwrap()));
    assert_eq!((game.start.opening, game.start.reserves.0[1].stones), (OpeningRule::DoubleBlack, 15));
}

/// Moves of a stack there and back, in one line.
fn long_game() -> String {
    let turns = (0..10_000).map(|turn| if turn % 2 == 0 { "e5- a1+ " } else { "e4+ a2- " });
    format!("[Size \"5\"]\n1. a1 e5 {}", turns.collect::<String>())
}

/// Lines in which a word may look at all that follows it. Hours pass if each does.
#[test]
fn long_lines_are_read() {
    assert_eq!(one(&long_game()).game.moves.len(), 20_002);
    for part in
        ["[", "［", "[x", "[x \"y", "[X y] ", "【", "()", "(a1) ", "{} ", "! ", "-- ", "1. ", "R-0 ", "c3", "\u{3000}"]
    {
        for start in ["", "[Size \"5\"]\n", "[Size \"5\"]\n1. a1 e5 ", "[Size \"5\"]\n1. a1 e5 {"] {
            let text = format!("{start}{}", part.repeat((1 << 18) / part.len()));
            assert_eq!(read_games(&text).next().is_none(), text.trim().is_empty(), "{start}{part}");
        }
    }
}
