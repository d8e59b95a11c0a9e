//! Thinking on the opponent's time, with the real binary. Whether it thinks is read from the processor time it takes, so
//! the waits are long enough for a machine that does much else.

use std::time::{Duration, Instant};

use fast_tak::takparse::Move;
use fast_tak::{Game, GameResult};

use crate::common::{GUARD, Tei};

/// How long a program has to be still to count as idle.
const STILL: Duration = Duration::from_millis(400);

/// Ticks of processor time that only a search takes.
const BUSY: u64 = 5;

const CLOCK: &str = "wtime 1000 btime 1000";

fn start(options: &[&str]) -> Tei {
    let mut tei = Tei::start();
    for option in options {
        assert_eq!(tei.ask(&format!("setoption name {option}")), [""; 0]);
    }
    tei.send("teinewgame 5");
    tei
}

fn pondering() -> Tei {
    start(&["Ponder value true", "Hash value 16"])
}

fn wait_until_busy(tei: &Tei) {
    let (before, begun) = (tei.ticks(), Instant::now());
    while tei.ticks() < before + BUSY {
        assert!(begun.elapsed() < GUARD, "it does not think");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Waits until it does nothing any more, after `line`. What it says until then.
fn settle(tei: &Tei, line: &str) -> Vec<String> {
    let begun = Instant::now();
    let mut lines = Vec::new();
    loop {
        let (before, until) = (tei.ticks(), Instant::now() + STILL);
        while let Some(line) = tei.line_within(until.saturating_duration_since(Instant::now())) {
            lines.push(line);
        }
        if tei.ticks() <= before + 1 {
            return lines;
        }
        assert!(begun.elapsed() < GUARD, "it thinks on after {line}");
    }
}

fn assert_idle(tei: &Tei, when: &str) {
    let before = tei.ticks();
    let line = tei.line_within(STILL);
    assert_eq!(line, None, "{when}");
    assert!(tei.ticks() <= before + 1, "it thinks {when}");
}

/// With d1 White threatens to win at e1 and at d5, so that nothing helps Black.
const DOUBLE_THREAT: &str = "2,2,x3/2,2,x,1,x/2,x2,1,x/x3,1,x/1,1,1,x2 1 7";

/// A number of an info line.
fn number(line: &str, key: &str) -> u64 {
    let mut words = line.split(' ').skip_while(|&word| word != key);
    let number = words.nth(1).and_then(|word| word.parse().ok());
    number.unwrap_or_else(|| panic!("no {key}: {line}"))
}

/// Asks for a move after `moves`, and plays it. The info lines, and the reply that the engine expects.
fn play(tei: &mut Tei, moves: &mut Vec<String>, go: &str) -> (Vec<String>, Option<String>) {
    tei.send(&format!("position startpos moves {}", moves.join(" ")));
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

/// The game of these moves by the other implementation of the rules.
fn game(moves: &[String]) -> Game<5, 0> {
    let mut game = Game::default();
    for mv in moves {
        let parsed: Move = mv.parse().unwrap();
        game.play(parsed).unwrap_or_else(|error| panic!("{mv}: {error:?}"));
    }
    game
}

/// A legal move other than this one.
fn other_move(moves: &[String], than: Option<&str>) -> String {
    let mut possible = Vec::new();
    game(moves).possible_moves(&mut possible);
    let mut texts = possible.iter().map(ToString::to_string);
    texts.find(|text| Some(text.as_str()) != than).unwrap()
}

#[test]
fn processor_time_is_used_only_with_the_option_and_up_to_the_next_line() {
    let mut tei = start(&["Hash value 16"]);
    play(&mut tei, &mut opening(), &format!("go {CLOCK}"));
    assert_idle(&tei, "without the option");
    drop(tei);

    let lines = [
        "isready",
        "stop",
        "setoption name MultiPV value 2",
        "setoption name Ponder value false",
        "setoption name Nothing value 1",
        "teinewgame 5",
        "teinewgame 99",
        "position startpos",
        "position startpos moves a1 a1",
        "position nowhere",
        "go depth",
        "show",
        "tei",
        "nonsense",
    ];
    // Most of the time goes into waiting, so several wait side by side.
    for lines in lines.chunks(5) {
        std::thread::scope(|scope| {
            for line in lines {
                scope.spawn(|| thinking_ends_with(line));
            }
        });
    }
}

/// Sends a line to an engine that thinks on its opponent's time.
fn thinking_ends_with(line: &str) {
    let mut tei = pondering();
    play(&mut tei, &mut opening(), &format!("go {CLOCK}"));
    wait_until_busy(&tei);
    tei.send(line);
    let answers = settle(&tei, line);
    // Nothing of the search is ever told, only the answer to the line.
    let expected = match line {
        "show" | "isready" => 1..=1,
        "tei" => 10..=99,
        // What is passed over in it, a line and a move.
        "go depth" => 3..=3,
        line if line.contains("Nothing") || line.contains("99") => 1..=1,
        line if line.contains("a1 a1") || line.starts_with('n') => 1..=1,
        "position nowhere" => 1..=1,
        _ => 0..=0,
    };
    assert!(expected.contains(&answers.len()), "{line}: {answers:?}");
    if line != "go depth" {
        let is_told = |answer: &String| answer.starts_with("info depth");
        assert!(!answers.iter().any(is_told), "{line}: {answers:?}");
        let is_move = |answer: &String| answer.starts_with("bestmove");
        assert!(!answers.iter().any(is_move), "{line}: {answers:?}");
    }
}

#[test]
fn a_blank_line_is_no_command() {
    let mut tei = pondering();
    play(&mut tei, &mut opening(), &format!("go {CLOCK}"));
    tei.send(" ");
    wait_until_busy(&tei);
    assert_eq!(tei.ask("stop"), [""; 0]);
    assert_idle(&tei, "after stop");
}

#[test]
fn the_expected_reply_finds_the_search_going_on() {
    let mut tei = pondering();
    let openings = ["a1 e5", "a1 e1", "b1 d4", "c3 a1", "a2 e4", "b2 c4"];
    let mut hits = 0;
    for (index, opening) in openings.into_iter().enumerate() {
        let mut moves: Vec<String> = opening.split(' ').map(str::to_owned).collect();
        let (_, expected) = play(&mut tei, &mut moves, &format!("go {CLOCK}"));
        wait_until_busy(&tei);
        let is_hit = index % 2 == 0 && expected.is_some();
        let reply = match &expected {
            Some(reply) if is_hit => reply.clone(),
            _ => other_move(&moves, expected.as_deref()),
        };
        moves.push(reply);
        let (lines, _) = play(&mut tei, &mut moves, &format!("go {CLOCK}"));
        assert_eq!(game(&moves).result(), GameResult::Ongoing);
        let first = number(&lines[0], "depth");
        let is_sorted = lines.is_sorted_by_key(|line| number(line, "nodes"));
        assert!(is_sorted, "{lines:#?}");
        if is_hit {
            hits += 1;
            assert!(first > 1, "{lines:#?}");
            // The time before is the search's own, and not the clock's.
            let last = lines.last().unwrap();
            assert!(number(last, "time") + 20 >= 10 * BUSY, "{lines:#?}");
        } else {
            assert_eq!(first, 1, "{lines:#?}");
        }
    }
    assert!(hits >= 2);
    assert_eq!(tei.ask("stop"), [""; 0]);
    assert!(tei.close().status.success());
}

/// The same position may be written in another way. And a `go` of another kind asks for another search.
#[test]
fn a_hit_is_a_position_and_a_clock() {
    let mut tei = pondering();
    let hit = |tei: &mut Tei, as_tps: bool, go: &str| loop {
        let mut moves = opening();
        tei.send("teinewgame 5");
        let (_, expected) = play(tei, &mut moves, &format!("go {CLOCK}"));
        let Some(expected) = expected else {
            continue;
        };
        wait_until_busy(tei);
        moves.push(expected);
        if as_tps {
            let tps = fast_tak::takparse::Tps::from(game(&moves));
            tei.send(&format!("position tps {tps}"));
        } else {
            tei.send(&format!("position startpos moves {}", moves.join(" ")));
        }
        break tei.go(go).0;
    };
    let clock = format!("go {CLOCK} winc 0 binc 0");
    assert!(number(&hit(&mut tei, false, &clock)[0], "depth") > 1);
    assert!(number(&hit(&mut tei, true, &clock)[0], "depth") > 1);
    for go in ["go movetime 50", "go depth 2", "go nodes 500", "go wtime 1000 btime 1000 depth 3"] {
        assert_eq!(number(&hit(&mut tei, false, go)[0], "depth"), 1, "{go}");
        assert_idle(&tei, go);
    }
    // A position that nobody asks about ends nothing; another one does.
    let mut moves = opening();
    let (_, expected) = play(&mut tei, &mut moves, &format!("go {CLOCK}"));
    if let Some(expected) = expected {
        moves.push(expected);
        tei.send(&format!("position startpos moves {}", moves.join(" ")));
        wait_until_busy(&tei);
        moves.pop();
    }
    let other = other_move(&moves, None);
    tei.send(&format!("position startpos moves {} {other}", moves.join(" ")));
    assert_eq!(tei.ask("stop"), [""; 0]);
    assert_idle(&tei, "after another position");
}

#[test]
fn only_after_a_move_by_the_clock_and_never_after_the_game() {
    let mut tei = pondering();
    for go in [
        "go movetime 50",
        "go depth 3",
        "go nodes 1000",
        "go wtime 1000 btime 1000 nodes 1000",
        "go wtime 1000 btime 1000 movetime 50",
        "go solved movetime 50",
    ] {
        play(&mut tei, &mut opening(), go);
        assert_idle(&tei, &format!("after {go}"));
    }
    // One who says stop wants it to end.
    tei.send("position startpos moves a1 e5");
    for go in ["go infinite", "go wtime 60000 btime 60000"] {
        tei.send(go);
        tei.line();
        tei.send("stop");
        tei.until("bestmove ");
        assert_idle(&tei, &format!("after {go} and stop"));
    }
    // The move ends the game, or the game is over already.
    tei.send("position tps x5/x5/x5/2,2,2,2,x/1,1,1,1,x 1 5");
    assert_eq!(tei.go("go wtime 1000 btime 1000").1, "e1");
    assert_idle(&tei, "after the last move");
    tei.send("position tps x5/x5/x5/2,2,2,2,x/1,1,1,1,1 2 5");
    assert_eq!(tei.go("go wtime 1000 btime 1000").1, "--");
    assert_idle(&tei, "after the game");
}

#[test]
fn a_level_answers_and_is_still() {
    for options in [&["Ponder value true", "Level value 7"][..], &["Ponder value true", "LimitStrength value true"]] {
        let mut tei = start(options);
        play(&mut tei, &mut opening(), &format!("go {CLOCK}"));
        assert_idle(&tei, &format!("with {options:?}"));
    }
}

#[test]
fn a_result_that_is_known_is_told_when_the_reply_comes() {
    let mut tei = pondering();
    tei.send(&format!("position tps {DOUBLE_THREAT}"));
    let (lines, best) = tei.go("go wtime 3000 btime 3000");
    let (_, pv) = lines.last().unwrap().split_once(" pv ").unwrap();
    // What comes after the move may be left out of the line where nothing helps.
    let moves: Vec<&str> = pv.split(' ').take(2).collect();
    assert_eq!(moves[0], best);
    assert_eq!(settle(&tei, "a win is known"), [""; 0]);
    let moves = moves.join(" ");
    tei.send(&format!("position tps {DOUBLE_THREAT} moves {moves}"));
    let (lines, _) = tei.go("go wtime 3000 btime 3000");
    // Its last report, once.
    assert_eq!(lines.len(), 1, "{lines:#?}");
    let is_decided = ["score cp 29", "score cp -29"].map(|score| lines[0].contains(score));
    assert!(is_decided.contains(&true), "{lines:#?}");
    assert_eq!(settle(&tei, "the last move"), [""; 0]);
}

#[test]
fn the_end_of_the_session_ends_it_silently() {
    for line in [Some("quit"), None] {
        let mut tei = pondering();
        play(&mut tei, &mut opening(), &format!("go {CLOCK}"));
        wait_until_busy(&tei);
        let ended = match line {
            Some(line) => {
                tei.send(line);
                tei.wait()
            }
            None => tei.close(),
        };
        assert!(ended.status.success());
        assert_eq!(ended.rest, [""; 0]);
        assert_eq!(ended.stderr, "");
    }
}
