//! Thinking on the opponent's time.

use crate::dialogue::{Dialogue, number};
use crate::local::Local;
use tak_engine_core::board::{AnyPosition, Game, Komi, Size};

const CLOCK: &str = "go wtime 1000 btime 1000";

fn start(options: &[&str]) -> Local {
    let mut tei = Local::start();
    for option in options {
        assert_eq!(tei.ask(&format!("setoption name {option}")), [""; 0]);
    }
    tei.send("teinewgame 5");
    tei
}

fn pondering() -> Local {
    start(&["Ponder value true"])
}

/// With d1 White threatens to win at e1 and at d5, so that nothing helps Black.
const DOUBLE_THREAT: &str = "2,2,x3/2,2,x,1,x/2,x2,1,x/x3,1,x/1,1,1,x2 1 7";

fn position(moves: &[String]) -> String {
    format!("position startpos moves {}", moves.join(" "))
}

/// Asks for a move after `moves`, and plays it. The info lines, and the reply that the engine expects.
fn play(tei: &mut Local, moves: &mut Vec<String>, go: &str) -> (Vec<String>, Option<String>) {
    tei.send(&position(moves));
    let (lines, best) = tei.go(go);
    let (_, pv) = lines.last().unwrap().split_once(" pv ").unwrap();
    let mut pv = pv.split(' ');
    assert_eq!(pv.next(), Some(&*best));
    moves.push(best);
    let reply = pv.next().map(str::to_owned);
    (lines, reply)
}

fn opening() -> Vec<String> {
    ["a1", "e5"].map(str::to_owned).to_vec()
}

fn game(moves: &[String]) -> Game {
    let mut game = Game::new(AnyPosition::start(Size::ALL[2], Komi::ZERO));
    for mv in moves {
        game.play(mv.parse().unwrap()).unwrap_or_else(|error| panic!("{mv}: {error}"));
    }
    game
}

/// A legal move other than this one.
fn other_move(moves: &[String], than: Option<&str>) -> String {
    let mut texts = game(moves).legal_moves().into_iter().map(|mv| mv.to_string());
    texts.find(|text| Some(text.as_str()) != than).unwrap()
}

#[test]
fn pondering_needs_the_option_and_ends_with_any_line() {
    let mut tei = start(&[]);
    play(&mut tei, &mut opening(), CLOCK);
    assert!(!tei.is_searching(), "without the option");
    for (line, answers) in [
        ("stop", 0),
        ("setoption name Clear Hash", 0),
        ("setoption name MultiPV value 2", 0),
        ("setoption name Ponder value false", 0),
        ("setoption name Nothing value 1", 1),
        ("teinewgame 5", 0),
        ("teinewgame 99", 1),
        ("position startpos", 0),
        ("position startpos moves a1 a1", 1),
        ("position nowhere", 1),
        ("show", 1),
        ("nonsense", 1),
        ("quit", 0),
    ] {
        let mut tei = pondering();
        play(&mut tei, &mut opening(), CLOCK);
        assert!(tei.is_searching(), "before {line}");
        tei.search_until(3, &[line]);
        assert!(!tei.is_searching(), "after {line}");
        // Nothing of the search is ever printed, only the answer to the line.
        let replies = tei.replies();
        assert_eq!(replies.len(), answers, "{line}: {replies:?}");
        assert!(!replies.iter().any(|reply| reply.starts_with("info depth") || reply.starts_with("bestmove")));
    }
}

#[test]
fn a_blank_line_and_isready_do_not_stop_pondering() {
    let mut tei = pondering();
    play(&mut tei, &mut opening(), CLOCK);
    assert_eq!(tei.ask(" "), [""; 0]);
    assert!(tei.is_searching());
    assert_eq!(tei.ask("stop"), [""; 0]);
    assert!(!tei.is_searching());
}

#[test]
fn the_expected_reply_finds_the_search_going_on() {
    let mut tei = pondering();
    let openings = ["a1 e5", "a1 e1", "b1 d4", "c3 a1", "a2 e4", "b2 c4"];
    let mut hits = 0;
    for (index, opening) in openings.into_iter().enumerate() {
        let mut moves: Vec<String> = opening.split(' ').map(str::to_owned).collect();
        let (_, expected) = play(&mut tei, &mut moves, CLOCK);
        let is_hit = index % 2 == 0 && expected.is_some();
        let reply = match &expected {
            Some(reply) if is_hit => reply.clone(),
            _ => other_move(&moves, expected.as_deref()),
        };
        moves.push(reply);
        tei.search_until(3, &["isready", &position(&moves), "isready", CLOCK]);
        assert_eq!(tei.until("readyok"), ["readyok"]);
        assert_eq!(tei.until("readyok"), ["readyok"]);
        let lines = tei.until("bestmove ");
        let (best, lines) = lines.split_last().unwrap();
        moves.push(best["bestmove ".len()..].to_owned());
        assert_eq!(game(&moves).position().outcome(), None);
        assert!(lines.is_sorted_by_key(|line| number(line, "nodes")), "{lines:#?}");
        let first = number(&lines[0], "depth");
        assert_eq!(first, if is_hit { 3 } else { 1 }, "{lines:#?}");
        hits += u32::from(is_hit);
        tei.send("stop");
    }
    assert!(hits >= 2);
    assert_eq!(tei.replies(), [""; 0]);
}

/// The same position may be written in another way. And a `go` of another kind asks for another search.
#[test]
fn a_hit_is_a_position_and_a_clock() {
    let mut tei = pondering();
    let hit = |tei: &mut Local, as_tps: bool, go: &str| loop {
        let mut moves = opening();
        tei.send("teinewgame 5");
        let (_, expected) = play(tei, &mut moves, CLOCK);
        let Some(expected) = expected else {
            continue;
        };
        moves.push(expected);
        let position = if as_tps { format!("position tps {}", game(&moves).position()) } else { position(&moves) };
        tei.search_until(3, &[&position, go]);
        break number(&tei.until("bestmove ")[0], "depth");
    };
    let clock = format!("{CLOCK} winc 0 binc 0");
    assert_eq!(hit(&mut tei, false, &clock), 3);
    assert_eq!(hit(&mut tei, true, &clock), 3);
    let searchmoves = format!("{CLOCK} searchmoves c3 d4");
    for go in ["go movetime 50", "go depth 2", "go nodes 500", "go wtime 1000 btime 1000 depth 3", &searchmoves] {
        assert_eq!(hit(&mut tei, false, go), 1, "{go}");
        assert!(!tei.is_searching(), "{go}");
    }
    // A position alone ends nothing if it is the expected one; another one does.
    let mut moves = opening();
    let (_, expected) = play(&mut tei, &mut moves, CLOCK);
    let other = position(&[&moves[..], &[other_move(&moves, expected.as_deref())]].concat());
    moves.push(expected.expect("a reply is expected"));
    tei.send(&position(&moves));
    assert!(tei.is_searching());
    tei.send(&other);
    assert!(!tei.is_searching());
    assert_eq!(tei.replies(), [""; 0]);
}

#[test]
fn only_clock_moves_are_followed_by_pondering() {
    let mut tei = pondering();
    for go in [
        "go movetime 50",
        "go depth 3",
        "go nodes 1000",
        "go wtime 1000 btime 1000 nodes 1000",
        "go wtime 1000 btime 1000 movetime 50",
        "go solved movetime 50",
        "go wtime 1000 btime 1000 searchmoves c3 d4",
    ] {
        play(&mut tei, &mut opening(), go);
        assert!(!tei.is_searching(), "after {go}");
    }
    // A front end that says stop wants it to end.
    tei.send("position startpos moves a1 e5");
    for go in ["go infinite", "go wtime 60000 btime 60000"] {
        tei.send(go);
        tei.search_until(2, &["stop"]);
        tei.until("bestmove ");
        assert!(!tei.is_searching(), "after {go} and stop");
    }
    // The move ends the game, or the game is over already.
    tei.send("position tps x5/x5/x5/2,2,2,2,x/1,1,1,1,x 1 5");
    assert_eq!(tei.go(CLOCK).1, "e1");
    assert!(!tei.is_searching(), "after the last move");
    tei.send("position tps x5/x5/x5/2,2,2,2,x/1,1,1,1,1 2 5");
    assert_eq!(tei.go(CLOCK).1, "--");
    assert!(!tei.is_searching(), "after the game");
}

#[test]
fn a_known_result_is_reported_after_the_reply() {
    let mut tei = pondering();
    tei.send(&format!("position tps {DOUBLE_THREAT}"));
    let (lines, best) = tei.go("go wtime 3000 btime 3000");
    let (_, pv) = lines.last().unwrap().split_once(" pv ").unwrap();
    // The reply may be missing in the line if nothing helps.
    let moves: Vec<&str> = pv.split(' ').take(2).collect();
    assert_eq!(moves[0], best);
    tei.search_until(u32::MAX, &[]);
    assert_eq!(tei.replies(), [""; 0]);
    let moves = moves.join(" ");
    tei.send(&format!("position tps {DOUBLE_THREAT} moves {moves}"));
    let (lines, _) = tei.go("go wtime 3000 btime 3000");
    // Its last report, once.
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let is_decided = ["score cp 29", "score cp -29"].map(|score| lines[0].contains(score));
    assert!(is_decided.contains(&true), "{lines:#?}");
    assert_eq!(tei.replies(), [""; 0]);
}
