//! The current position and game, also after refusals.

use super::{assert_lost, check_search};
use crate::dialogue::Dialogue;
use crate::local::Local;

/// PTN Ninja's lines for games with other openings: option, start, first turns, and the double black stack as TPS.
#[test]
fn games_begin_by_the_opening_option() {
    let mut tei = Local::start();
    let bare = "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 0 reserves 30/1 30/1";
    assert_eq!(tei.show(), bare);
    for (opening, moves, after) in [
        ("swap", "a1 f6", "x5,1/x6/x6/x6/x6/2,x5 1 2"),
        ("no-swap", "a1 f6", "x5,2/x6/x6/x6/x6/1,x5 1 2"),
        ("No-Swap", "Ca1 Sf6", "x5,2S/x6/x6/x6/x6/1C,x5 1 2"),
        ("double-black", "a1 f6", "x5,1/x6/x6/x6/x6/22,x5 1 2"),
        ("double-black", "2a1 f6", "x5,1/x6/x6/x6/x6/22,x5 1 2"),
    ] {
        assert_eq!(tei.ask(&format!("setoption name Opening value {opening}")), [""; 0]);
        tei.send("teinewgame 6");
        let name = opening.to_lowercase();
        let shown = match opening {
            "swap" => bare.to_owned(),
            _ => format!("{bare} opening {name}"),
        };
        assert_eq!(tei.show(), shown);
        let (lines, best) = tei.go("go nodes 200");
        check_search(&lines, &best);
        assert_eq!(tei.ask(&format!("position startpos moves {moves}")), [""; 0]);
        let show = tei.show();
        assert!(show.starts_with(&format!("info string tps {after} ")), "{show}");
        let (lines, best) = tei.go("go nodes 200");
        check_search(&lines, &best);
    }
    // The board takes precedence over the option.
    for option in ["swap", "no-swap", "double-black"] {
        tei.send(&format!("setoption name Opening value {option}"));
        for (board, opening) in
            [("2,x5", "28/1 29/1"), ("1S,x5", "28/1 29/1 opening no-swap"), ("22,x5", "28/1 28/1 opening double-black")]
        {
            let position = format!("position tps x6/x6/x6/x6/x6/{board} 2 1 moves f6 b2");
            assert_eq!(tei.ask(&position), [""; 0]);
            let show = tei.show();
            assert!(show.ends_with(&format!(" reserves {opening}")), "{show}");
            let placed = if board == "1S,x5" { '2' } else { '1' };
            let start = format!("info string tps x5,{placed}/x6/x6/x6/x,1,x4/{board} 2 2 ");
            assert!(show.starts_with(&start), "{show}");
        }
    }
    for bad in ["swap no-swap", "1", "pie", "double black stack"] {
        let lines = tei.ask(&format!("setoption name Opening value {bad}"));
        assert_eq!(lines, [format!("info error option Opening takes swap or no-swap or double-black, not \"{bad}\"")]);
    }
    // Walls and capstones begin no other game, and a stack is placed once only.
    tei.send("setoption name Opening value double-black");
    tei.send("teinewgame 5");
    for moves in ["Sa1", "2Sa1", "Ca1", "a1 2b1", "3a1"] {
        let lines = tei.ask(&format!("position startpos moves {moves}"));
        assert_eq!(lines.len(), 1, "{moves}");
        assert!(lines[0].starts_with("info error "), "{lines:?}");
    }
    // So few stones that the first turns end the game.
    tei.send("setoption name Flats2 value 1");
    tei.send("setoption name Caps2 value 0");
    tei.send("teinewgame 5");
    let (_, best) = tei.go("go depth 3");
    assert_eq!(tei.ask(&format!("position startpos moves {best}")), [""; 0]);
    assert_eq!(tei.go("go depth 3"), (vec![], "--".to_owned()));
}

#[test]
fn komi_and_reserves_come_from_either_side() {
    let mut tei = Local::start();
    let end = |tei: &mut Local, line: &str| {
        tei.send(line);
        let show = tei.show();
        let (_, end) = show.split_once(" halfkomi ").expect("show tells komi");
        end.to_owned()
    };
    for (line, expected) in [
        ("teinewgame size 8 halfkomi -7", "-7 reserves 50/2 50/2"),
        ("teinewgame 4", "-7 reserves 15/0 15/0"),
        ("setoption name halfKOMI value 5", "5 reserves 15/0 15/0"),
        ("teinewgame size 6 halfkomi 4", "4 reserves 30/1 30/1"),
        ("setoption name Flatstones value 20", "4 reserves 20/1 20/1"),
        ("setoption name Capstones value 0", "4 reserves 20/0 20/0"),
        ("setoption name Flats value 10", "4 reserves 10/0 10/0"),
        ("setoption name Caps2 value 3", "4 reserves 10/0 10/3"),
        ("position startpos moves a1 f6", "4 reserves 9/0 9/3"),
        ("setoption name Flats1 value 12", "4 reserves 11/0 9/3"),
        ("position tps x6/x6/x6/x6/x6/x4,1,2C 1 9", "4 reserves 11/0 10/2"),
        ("setoption name HalfKomi value 0", "0 reserves 11/0 10/2"),
        ("position startpos", "0 reserves 12/0 10/3"),
    ] {
        assert_eq!(end(&mut tei, line), expected, "{line}");
    }
    let answer = tei.ask("position tps x6/x6/x6/x6/x6/x5,11111111111112 1 20");
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(answer[0].starts_with("info error White has 13 "), "{answer:?}");
}

#[test]
fn a_refused_position_discards_the_position_before() {
    let refused = [
        "position startpos moves a1 a1",
        "position tps 1,x5/x6/x6/x6/x6 1 1",
        "position",
        // More than a reserve.
        "position tps x6/x6/x6/x6/x6/x5,1111111111111111111111111111111 1 40",
    ];
    let good = "position startpos moves a1 f6";
    let mut tei = Local::start();
    for searching in [false, true] {
        for line in refused {
            tei.send(good);
            if searching {
                tei.send("go infinite");
            }
            tei.send(line);
            if searching {
                // Asked for, and the last word about it.
                assert_ne!(tei.until("bestmove ").last().unwrap(), "bestmove --");
            }
            tei.send("go nodes 100");
            let rest = tei.until("bestmove ");
            assert_eq!(rest.len(), 3, "{line}: {rest:#?}");
            assert!(rest[0].starts_with("info error "), "{line}: {rest:#?}");
            assert_eq!(
                rest[1..],
                ["info error there is no position: the last one was refused", "bestmove --"],
                "{line}"
            );
            assert_lost(&mut tei);
            // Neither options nor anything else bring the old one back.
            tei.send("setoption name HalfKomi value 4");
            assert_lost(&mut tei);
            for good in ["teinewgame 6", good, "position startpos"] {
                tei.ask("position startpos moves a1 a1");
                assert_lost(&mut tei);
                tei.send(good);
                let (lines, best) = tei.go("go nodes 100");
                check_search(&lines, &best);
            }
        }
    }
}

#[test]
fn a_refused_game_discards_the_game_before() {
    let mut tei = Local::start();
    // A game that cannot be begun: nobody knows on which board the next positions stand.
    for line in ["teinewgame 9", "teinewgame 5.5", "teinewgame six"] {
        tei.send("position startpos moves a1");
        tei.send("go infinite");
        let answer = tei.ask(line);
        let moves = answer.iter().filter(|line| line.starts_with("bestmove "));
        assert_eq!(moves.count(), 1, "{answer:#?}");
        assert_lost(&mut tei);
        assert_eq!(tei.ask("position startpos moves a1"), ["info error the last \"teinewgame\" was refused"]);
        assert_lost(&mut tei);
        for good in ["teinewgame 6", "position tps x5/x5/x5/x5/x5 1 1", "position tps x6/x6/x6/x6/x6/x6 1 1"] {
            tei.ask(line);
            assert_eq!(tei.ask(good), [""; 0], "after {line}");
            assert_ne!(tei.go("go nodes 100").1, "--");
        }
        tei.send("teinewgame 6");
    }
}

#[test]
fn a_refused_option_keeps_its_value() {
    let mut tei = Local::start();
    tei.send("setoption name HalfKomi value 3");
    tei.send("teinewgame 6");
    tei.send("setoption name Flats value 20");
    tei.send("position startpos moves a1 f6");
    let before = tei.show();
    assert!(before.ends_with(" halfkomi 3 reserves 19/1 19/1"));
    for (name, values) in [
        ("HalfKomi", "50 4.5 nan inf 1e400 -1e400 x"),
        ("Flats", "many 20.5 nan"),
        ("Caps2", "0.5 -"),
        ("Opening", "pie 1"),
        ("Hash", "0 0.4 nan 1e400"),
        ("MultiPV", "0 65 1.5"),
        ("Ponder", "1 1.0"),
    ] {
        for value in values.split(' ') {
            let answer = tei.ask(&format!("setoption name {name} value {value}"));
            assert!(
                answer.len() == 1 && answer[0].starts_with(&format!("info error option {name} takes ")),
                "{answer:?}"
            );
            assert_eq!(tei.show(), before, "{name} {value}");
            assert_ne!(tei.go("go nodes 100").1, "--", "{name} {value}");
        }
    }
    assert_eq!(tei.ask("position startpos moves a1 f6"), [""; 0]);
    tei.send("teinewgame 5");
    assert!(tei.show().ends_with(" halfkomi 3 reserves 21/1 21/1"));
    assert_ne!(tei.go("go nodes 100").1, "--");
}

/// PTN Ninja's lines for a game with more pieces than are supported, and for one that it does not announce.
#[test]
fn clients_get_a_move_in_every_continued_game() {
    let mut tei = Local::start();
    tei.send("teinewgame size 5 halfkomi 4");
    let answer = tei.ask("setoption name Flats value 80");
    assert_eq!(answer, ["info error option Flats takes 0 to 60, not 80: 60 is taken"]);
    assert!(tei.show().ends_with(" halfkomi 4 reserves 60/1 60/1"));
    tei.send("setoption name Flats value 2");
    // Not in a game that was just announced.
    assert_eq!(tei.ask("position startpos moves a1 f6").len(), 1);
    assert_lost(&mut tei);
    tei.send("teinewgame size 5 halfkomi 4");
    tei.send("setoption name Flats value 2");
    for (position, note, shown) in [
        ("position startpos moves a1 e5 c3", None, "x4,1/x5/x2,1,x2/x5/2,x4 2 2 halfkomi 4 reserves 0/1 1/1"),
        (
            "position startpos moves a1 e5 c3 c4 d3",
            Some("move 5, \"d3\", is illegal: "),
            "x4,1/x2,2,x2/x2,1,1,x/x5/2,x4 2 3 halfkomi 4 reserves 18/1 19/1",
        ),
        (
            "position startpos moves a1 g7",
            Some("move 2: invalid move \"g7\": square g7 is not on a 5x5 board: taken as a new game of size 7"),
            "x6,1/x7/x7/x7/x7/x7/2,x6 1 2 halfkomi 4 reserves 39/2 39/2",
        ),
        (
            "position startpos moves Ca1",
            None,
            "x7/x7/x7/x7/x7/x7/1C,x6 2 1 halfkomi 4 reserves 40/1 40/2 opening no-swap",
        ),
        (
            "position startpos moves 2a1",
            None,
            "x7/x7/x7/x7/x7/x7/22,x6 2 1 halfkomi 4 reserves 40/2 38/2 opening double-black",
        ),
    ] {
        let answer = tei.ask(position);
        assert_eq!(answer.len(), usize::from(note.is_some()), "{position}: {answer:?}");
        if let Some(note) = note {
            assert!(answer[0].starts_with(&format!("info error {note}")), "{answer:?}");
        }
        assert_eq!(tei.show(), format!("info string tps {shown}"), "{position}");
        assert_ne!(tei.go("go nodes 50").1, "--", "{position}");
    }
    // Nor with moves that fit no board.
    for moves in ["a1 g7 h8 a1", "a1 a1", "a1 i9"] {
        tei.send("position startpos");
        assert!(tei.ask(&format!("position startpos moves {moves}"))[0].starts_with("info error move "), "{moves}");
        assert_lost(&mut tei);
    }
}

#[test]
fn options_set_after_the_position_hold_for_it() {
    let mut tei = Local::start();
    tei.send("position startpos moves a1 f6 c3");
    tei.send("setoption name HalfKomi value 4");
    tei.send("setoption name Flats value 20");
    let expected = "info string tps x5,1/x6/x6/x2,1,x3/x6/2,x5 2 2 halfkomi 4 reserves 18/1 19/1";
    assert_eq!(tei.show(), expected);
    // The moves are read again: one flat becomes the double stack.
    tei.send("position startpos moves a1");
    tei.send("setoption name Opening value double-black");
    assert!(tei.show().starts_with("info string tps x6/x6/x6/x6/x6/22,x5 2 1 "));
    tei.send("setoption name Opening value swap");
    tei.send("position startpos moves a1 f6 c3");
    assert_eq!(tei.show(), expected);
    // A reserve that the position has used up belongs to another.
    assert_eq!(tei.ask("setoption name Flats value 1"), [""; 0]);
    assert_lost(&mut tei);
    tei.send("setoption name Flats value 20");
    assert_eq!(tei.show(), expected);
}

#[test]
fn piece_counts_hold_for_their_own_game() {
    let reserves = |tei: &mut Local| {
        tei.send("position startpos");
        let show = tei.show();
        let (_, reserves) = show.split_once(" reserves ").expect("show tells reserves");
        assert_ne!(tei.go("go nodes 50").1, "--");
        reserves.to_owned()
    };
    // PTN Ninja: after `teinewgame`, and nothing at all for a game with the usual pieces.
    let mut tei = Local::start();
    tei.send("setoption name Flatstones value 0");
    tei.send("setoption name Capstones value -1");
    for _ in 0..2 {
        tei.send("teinewgame size 6 halfkomi 4");
        for (name, value) in [("Flats", 25), ("Caps", 2), ("Flats1", 25), ("Flats2", 20), ("Caps1", 2), ("Caps2", 0)] {
            tei.send(&format!("setoption name {name} value {value}"));
        }
        assert_eq!(reserves(&mut tei), "25/2 20/0");
        tei.send("teinewgame size 6 halfkomi 4");
        assert_eq!(reserves(&mut tei), "30/1 30/1");
        tei.send("teinewgame size 5 halfkomi 0");
        assert_eq!(reserves(&mut tei), "21/1 21/1");
    }
    // The playtak bots: before it, with one game a process; one that plays several has to say when it is the usual.
    let mut tei = Local::start();
    for (flats, caps, expected) in [(20, 2, "20/2 20/2"), (0, -1, "30/1 30/1"), (40, 0, "40/0 40/0")] {
        tei.send(&format!("setoption name Flatstones value {flats}"));
        tei.send(&format!("setoption name Capstones value {caps}"));
        tei.send("teinewgame 6");
        assert_eq!(reserves(&mut tei), expected);
    }
    // So do counts sent after a search of the start.
    tei.send("teinewgame 5");
    assert_ne!(tei.go("go nodes 50").1, "--");
    tei.send("setoption name Flatstones value 15");
    tei.send("setoption name Capstones value 1");
    tei.send("teinewgame 5");
    assert_eq!(reserves(&mut tei), "15/1 15/1");
    // racetrack: once, for all games.
    let mut tei = Local::start();
    tei.ask("setoption name Flats value 20");
    for _ in 0..3 {
        tei.ask("teinewgame 6");
        assert_eq!(reserves(&mut tei), "20/1 20/1");
    }
}

#[test]
fn a_tps_of_another_size_sets_the_size() {
    let mut tei = Local::start();
    tei.send("setoption name Flats1 value 40");
    tei.send("teinewgame size 6 halfkomi 4");
    tei.send("setoption name Flats value 12");
    tei.send("position startpos moves a1 f6");
    let tps = "x5/x5/x2,1,x2/x5/2,x4 1 2";
    assert_eq!(tei.ask(&format!("position tps {tps} moves e5")), [""; 0]);
    assert_eq!(tei.show(), "info string tps x4,1/x5/x2,1,x2/x5/2,x4 2 2 halfkomi 4 reserves 19/1 20/1");
    let (lines, best) = tei.go("go nodes 500");
    check_search(&lines, &best);
    tei.send("position startpos moves a1");
    assert_eq!(tei.show(), "info string tps x5/x5/x5/x5/2,x4 2 1 halfkomi 4 reserves 21/1 20/1");
    // A refused one does not.
    assert_eq!(tei.ask("position tps x7/x7/x7/x7/x7/x7/x7 1 1 moves h8").len(), 1);
    tei.send("position startpos moves e5");
    assert!(tei.show().starts_with("info string tps x4,2/x5/x5/x5/x5 2 1 "));
    // The next game has the reserves that last.
    tei.send("teinewgame 6");
    assert!(tei.show().ends_with(" halfkomi 4 reserves 40/1 30/1"));
}
