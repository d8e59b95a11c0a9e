//! TEI sessions with the real binary, as GUIs, bots and match runners hold them, and as they should not.

mod common;

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use common::{BINARY, Tei, wait_for};
use fast_tak::takparse::{Move, Tps};
use fast_tak::{Game, GameResult, Reserves};

/// White completes a road with f1.
const WIN_IN_ONE: &str = "x6/x6/x6/x6/2,2,2,2,x2/1,1,1,1,1,x 1 6";

/// Moves that fill a 3x3 board.
const FULL_BOARD: &str = "a3 c1 c2 c3 b3 b2 b1 a1 a2";

#[derive(Debug, Clone, PartialEq, Eq)]
struct Info {
    multipv: Option<usize>,
    nodes: u64,
    wdl: [u32; 3],
    score: Score,
    pv: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Score {
    Cp(i64),
    Solved(String, u32),
}

/// Reads an `info` line and checks that it has the promised words in the promised order.
fn parse_info(line: &str) -> Info {
    let (head, pv) = line.split_once(" pv ").expect(line);
    let mut words = head.split(' ').peekable();
    let mut expect = |key: &str| {
        let word = words.next();
        assert_eq!(word, Some(key), "{line}");
    };
    expect("info");
    expect("depth");
    let mut number = |key: Option<&str>| -> i64 {
        if let Some(key) = key {
            assert_eq!(words.next(), Some(key), "{line}");
        }
        words.next().and_then(|word| word.parse().ok()).expect(line)
    };
    assert!(number(None) >= 0, "{line}");
    number(Some("seldepth"));
    let multipv = head
        .contains(" multipv ")
        .then(|| number(Some("multipv")).try_into().expect(line));
    number(Some("time"));
    let nodes = number(Some("nodes")).try_into().expect(line);
    number(Some("nps"));
    assert!((0..=1000).contains(&number(Some("hashfull"))), "{line}");
    let wdl = [Some("wdl"), None, None].map(|key| number(key).try_into().expect(line));
    assert_eq!(wdl.iter().sum::<u32>(), 1000, "{line}");
    let score: Vec<&str> = words.collect();
    let score = match score[..] {
        ["score", "cp", number] => Score::Cp(number.parse().expect(line)),
        ["score", "solved", result @ ("win" | "loss" | "draw"), plies] => {
            Score::Solved(result.to_owned(), plies.parse().expect(line))
        }
        _ => panic!("{line}"),
    };
    Info {
        multipv,
        nodes,
        wdl,
        score,
        pv: pv.split(' ').map(str::to_owned).collect(),
    }
}

/// What must hold for the lines of one search with one line of play: the last line is about the move played, and a
/// proven score stands in a `cp` line and then in a `solved` line.
fn check_search(lines: &[String], best: &str) -> Vec<Info> {
    let infos: Vec<Info> = lines.iter().map(|line| parse_info(line)).collect();
    let last = infos.last().expect("a search says something");
    assert_eq!(last.pv[0], best);
    for (index, info) in infos.iter().enumerate() {
        assert_eq!(info.multipv, None);
        if let Score::Solved(result, _) = &info.score {
            let before = &infos[index - 1];
            assert_eq!(before.pv, info.pv, "{lines:#?}");
            let Score::Cp(cp) = before.score else {
                panic!("no cp line before {info:?}");
            };
            let (expected, wdl) = match result.as_str() {
                "win" => (cp > 9000, [1000, 0, 0]),
                "loss" => (cp < -9000, [0, 0, 1000]),
                _ => (cp == 0, [0, 1000, 0]),
            };
            assert!(expected && info.wdl == wdl, "{lines:#?}");
        }
    }
    infos
}

/// Whether the game is over by the rules, of which fast-tak's limit of fifty reversible plies is none.
fn is_over<const N: usize>(game: &Game<N, 0>) -> bool {
    let mut game = game.clone();
    game.reversible_plies = 0;
    game.result() != GameResult::Ongoing
}

/// Plays moves by the other implementation of the rules.
fn play<const N: usize>(game: &mut Game<N, 0>, mv: &str) {
    assert!(!is_over(game), "{mv} comes after the end of the game");
    let parsed: Move = mv.parse().unwrap_or_else(|_| panic!("{mv:?} is no move"));
    game.play(parsed)
        .unwrap_or_else(|error| panic!("{mv} is illegal: {error:?}"));
}

#[test]
fn handshake_names_sizes_komi_and_options() {
    for args in [&[][..], &["tei"]] {
        let mut tei = Tei::start_with(args);
        tei.send("tei");
        let lines = tei.until("teiok");
        assert_eq!(lines.last().unwrap(), "teiok");
        for key in ["id name ", "id author ", "id version "] {
            assert!(lines.iter().any(|line| line.starts_with(key)), "{key}");
        }
        let komi: Vec<String> = (-20..=20).map(|half| half.to_string()).collect();
        let size = format!("size 3 4 5 6 7 8 halfkomi {}", komi.join(" "));
        assert!(lines.contains(&size));
        let mut names = HashSet::new();
        for line in lines.iter().filter(|line| line.starts_with("option ")) {
            let words: Vec<&str> = line.split(' ').collect();
            let [
                "option",
                "name",
                name,
                "type",
                "spin",
                "default",
                default,
                "min",
                min,
                "max",
                max,
            ] = words[..]
            else {
                panic!("{line}");
            };
            let [default, min, max] =
                [default, min, max].map(|word| word.parse::<i32>().expect(line));
            assert!(min <= default && default <= max, "{line}");
            assert!(names.insert(name.to_owned()), "{line}");
            // GUIs send every option back, defaults included.
            assert_eq!(
                tei.ask(&format!("setoption name {name} value {default}")),
                [""; 0]
            );
        }
        for name in [
            "HalfKomi",
            "Hash",
            "Threads",
            "MultiPV",
            "MoveOverhead",
            "Flats",
            "Caps",
            "Flats1",
            "Flats2",
            "Caps1",
            "Caps2",
            "Flatstones",
            "Capstones",
        ] {
            assert!(names.contains(name), "{name}");
        }
        let show = tei.show();
        assert!(show.ends_with("halfkomi 0 reserves 30/1 30/1"), "{show}");
        assert!(tei.close().status.success());
    }
}

#[test]
fn readme_lists_every_option() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"))
        .expect("there is a README");
    for spin in tak_engine::tei::options::TABLE {
        let row = format!(
            "| `{}` | {} | {} to {} |",
            spin.name, spin.default, spin.min, spin.max
        );
        assert!(readme.contains(&row), "README lacks {row}");
    }
}

#[test]
fn racetrack_session() {
    let mut tei = Tei::start();
    tei.send("tei");
    tei.until("teiok");
    tei.send("setoption name HalfKomi value 4");
    tei.send("setoption name Hash value 16");
    tei.send("isready");
    assert_eq!(tei.line(), "readyok");
    for (start, komi) in [
        ("position startpos moves ", 4),
        ("position tps x5/x5/x5/x5/x5 1 1 moves ", 4),
    ] {
        tei.send("teinewgame 5");
        tei.send("isready");
        assert_eq!(tei.line(), "readyok");
        let mut game = Game::<5, 0>::default();
        let mut list = start.to_owned();
        for _ in 0..6 {
            tei.send(&list);
            let (lines, best) = tei.go("go wtime 400 btime 400 winc 10 binc 10");
            check_search(&lines, &best);
            play(&mut game, &best);
            list.extend([&best, " "]);
        }
        assert!(tei.show().contains(&format!(" halfkomi {komi} ")));
    }
    tei.send("quit");
    assert!(tei.wait().status.success());
}

#[test]
fn ptn_ninja_session() {
    let mut tei = Tei::start();
    tei.send("tei");
    tei.until("teiok");
    for line in [
        "setoption name Hash value 64",
        "setoption name Threads value 1",
        "setoption name Flatstones value 0",
        "setoption name Capstones value -1",
        "setoption name MultiPV value 2",
        "isready",
    ] {
        tei.send(line);
    }
    assert_eq!(tei.line(), "readyok");
    for line in [
        "teinewgame size 6 halfkomi 4",
        "setoption name Flats value 25",
        "setoption name Caps value 2",
        "setoption name Flats1 value 25",
        "setoption name Flats2 value 20",
        "setoption name Caps1 value 2",
        "setoption name Caps2 value 0",
        "isready",
    ] {
        tei.send(line);
    }
    assert_eq!(tei.line(), "readyok");
    assert_eq!(
        tei.show(),
        "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 4 reserves 25/2 20/0"
    );

    // Interactive: search until the user goes on, then the next position, without waiting for bestmove.
    tei.send("position tps x6/x6/x6/x6/x6/2,x5 2 1");
    tei.send("go infinite");
    let first = parse_info(&tei.line());
    assert_eq!(first.multipv, Some(1));
    tei.send("stop");
    tei.send("position startpos moves a1 f6 Ce3'");
    tei.send("go infinite");
    tei.until("bestmove ");
    parse_info(&tei.line());
    tei.send("stop");
    tei.until("bestmove ");

    // With limits: the lines of both moves, two for each rank where the score is proven.
    tei.send(&format!("position tps {WIN_IN_ONE}"));
    let (lines, best) = tei.go("go depth 3");
    assert_eq!(best, "f1");
    let infos: Vec<Info> = lines.iter().map(|line| parse_info(line)).collect();
    let last = |rank| {
        infos
            .iter()
            .rev()
            .find(|info| info.multipv == Some(rank))
            .expect("a line for each rank")
    };
    assert_eq!(last(1).pv, ["f1"]);
    assert_eq!(last(1).score, Score::Solved("win".to_owned(), 1));
    assert_ne!(last(2).pv[0], "f1");
    assert!(tei.close().status.success());
}

#[test]
fn playtak_session() {
    let mut tei = Tei::start();
    tei.send("tei");
    tei.until("teiok");
    for line in [
        "setoption name HalfKomi value 2",
        "setoption name Flatstones value 10",
        "setoption name Capstones value 0",
        "teinewgame 3",
        "position startpos moves",
    ] {
        tei.send(line);
    }
    let (lines, best) = tei.go("go wtime 2000 btime 2000 winc 5000 binc 5000");
    check_search(&lines, &best);
    assert_eq!(
        tei.show(),
        "info string tps x3/x3/x3 1 1 halfkomi 2 reserves 10/0 10/0"
    );
    // The opponent has ended the game, and still we are asked.
    tei.send(&format!("position startpos moves {FULL_BOARD}"));
    assert_eq!(tei.go("go wtime 500 btime 300"), (vec![], "--".to_owned()));
    assert_eq!(tei.go("go infinite"), (vec![], "--".to_owned()));
    let ended = tei.close();
    assert!(ended.status.success());
    assert_eq!(ended.rest, [""; 0]);
}

/// Lines that are refused in a 6x6 game.
const BAD_LINES: &[&[u8]] = &[
    b"hello",
    b"TEI",
    b"tei now",
    b"isready x",
    b"stop it",
    b"quit 1",
    b"uci",
    b"d",
    b"\0",
    b"\x1b[31mposition",
    b"p\xc3\xb6sition startpos",
    b"\xff\xfe",
    b"position startpos moves a1 \xc3\x28",
    b"setoption",
    b"setoption name",
    b"setoption name Hash",
    b"setoption name Hash value",
    b"setoption value 4",
    b"setoption Hash 16",
    b"setoption name Ponder value true",
    b"setoption name Hash value x",
    b"setoption name Hash value 0",
    b"setoption name Hash value -1",
    b"setoption name Hash value 16 MiB",
    b"setoption name Hash value 1e3",
    b"setoption name Hash value 99999999999999999999999",
    b"setoption name Threads value 0",
    b"setoption name Threads value 100000",
    b"setoption name MultiPV value 0",
    b"setoption name HalfKomi value 21",
    b"setoption name HalfKomi value 0.5",
    b"setoption name Flats value 61",
    b"setoption name Caps value -2",
    b"teinewgame",
    b"teinewgame x",
    b"teinewgame 2",
    b"teinewgame 9",
    b"teinewgame -6",
    b"teinewgame 99999999999999999999",
    b"teinewgame 5 5",
    b"teinewgame size",
    b"teinewgame size x",
    b"teinewgame size 5 halfkomi",
    b"teinewgame size 5 halfkomi x",
    b"teinewgame size 5 halfkomi 21",
    b"teinewgame size 5 halfkomi 4 4",
    b"teinewgame halfkomi 4",
    b"position",
    b"position moves a1",
    b"position fen x6/x6/x6/x6/x6/x6 1 1",
    b"position startpos a1",
    b"position startpos moves a1 a1",
    b"position startpos moves a1 f6 g1",
    b"position startpos moves a1 f6 a9",
    b"position startpos moves a1 f6 b2 Ca",
    b"position startpos moves Sa1",
    b"position startpos moves Ca1",
    b"position startpos moves a1 f6 a1+",
    b"position startpos moves a1 f6 2f6-",
    b"position startpos moves a1 f6 f6+",
    b"position startpos moves a1 f6 f6-2",
    b"position startpos moves a1 f6 moves b2",
    b"position startpos moves a1 f6 Xb2",
    b"position startpos moves a1 f6 99999999999a1>",
    b"position startpos moves a1 f6 --",
    b"position startpos moves a1 f6 R-0",
    b"position tps",
    b"position tps x6/x6/x6/x6/x6/x6",
    b"position tps x6/x6/x6/x6/x6/x6 1",
    b"position tps x6/x6/x6/x6/x6/x6 1 1 1",
    b"position tps x6/x6/x6/x6/x6/x6 3 1",
    b"position tps x6/x6/x6/x6/x6/x6 1 0",
    b"position tps x6/x6/x6/x6/x6/x6 1 -1",
    b"position tps x6/x6/x6/x6/x6/x6 1 99999999999999999999",
    b"position tps x6/x6/x6/x6/x6/x5 1 1",
    b"position tps x6/x6/x6/x6/x6/x7 1 1",
    b"position tps x6/x6/x6/x6/x6 1 1",
    b"position tps x5/x5/x5/x5/x5 1 1",
    b"position tps x6/x6/x6/x6/x6/x5,3 1 2",
    b"position tps x6/x6/x6/x6/x6/x5,1SC 1 2",
    b"position tps x6/x6/x6/x6/x6/x5,S 1 2",
    b"position tps x6/x6/x6/x6/x6/x4,1C,1C 1 9",
    b"position tps x6/x6/x6/x6/x6/x5,1111111111111111111111111111111 1 40",
    b"position tps x6/x6/x6/x6/x6/x6 1 1 moves a1 a1",
    b"go depth",
    b"go depth x",
    b"go depth 0",
    b"go depth -3",
    b"go depth 99999999999999999999",
    b"go nodes",
    b"go nodes 0",
    b"go nodes 1.5",
    b"go movetime",
    b"go movetime -1",
    b"go movetime soon",
    b"go wtime",
    b"go wtime 1000 btime",
    b"go wtime x btime 5",
    b"go wtime 99999999999999999999 btime 5",
    b"go winc -5",
    b"go movestogo 0",
    b"go movestogo x",
    b"go depth 3 depth 4",
    b"go ponder",
    b"go 5",
    b"go infinite now",
];

#[test]
fn bad_lines_get_one_error_and_change_nothing() {
    let long = "x".repeat(1_000_000);
    let shuffle = format!("position startpos moves {}", "a1> b1< ".repeat(140_000));
    let wide = format!("position tps {},x/x6 1 1", "1".repeat(300));
    let bad: Vec<&[u8]> = [long.as_bytes(), shuffle.as_bytes(), wide.as_bytes()]
        .into_iter()
        .chain(BAD_LINES.iter().copied())
        .collect();
    let mut tei = Tei::start();
    tei.send("teinewgame size 6 halfkomi 3");
    tei.send("setoption name Flats2 value 29");
    tei.send("position startpos moves a1 f6 Cb2");
    let before = tei.show();
    assert_eq!(
        before,
        "info string tps x5,1/x6/x6/x6/x,1C,x4/2,x5 2 2 halfkomi 3 reserves 29/0 28/1"
    );
    for line in &bad {
        let answer = complaint(&mut tei, line);
        assert_eq!(answer.len(), 1, "{answer:#?}");
        let text = String::from_utf8_lossy(&line[..line.len().min(100)]);
        assert_eq!(tei.show(), before, "{text}");
    }
    // The options are as before, too.
    tei.send("position startpos");
    assert_eq!(
        tei.show(),
        "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 3 reserves 30/1 29/1"
    );

    // Nor does a bad line disturb a search.
    tei.send("go infinite");
    for line in &bad {
        let answer = complaint(&mut tei, line);
        assert!(
            answer[1..]
                .iter()
                .all(|line| line.starts_with("info depth ")),
            "{answer:#?}"
        );
    }
    let (lines, _) = tei.go("stop");
    assert!(lines.iter().all(|line| line.starts_with("info depth ")));
    tei.send("quit");
    let ended = tei.wait();
    assert!(ended.status.success());
    assert_eq!(ended.rest, [""; 0]);
    assert_eq!(
        ended.stderr.lines().count(),
        2 * bad.len(),
        "{}",
        ended.stderr
    );
}

/// Sends a bad line; the answer to it, its one error first.
fn complaint(tei: &mut Tei, line: &[u8]) -> Vec<String> {
    let mut bytes = line.to_vec();
    bytes.extend_from_slice(b"\nisready\n");
    tei.send_bytes(&bytes);
    let mut answer = tei.until("readyok");
    answer.pop();
    let text = String::from_utf8_lossy(&line[..line.len().min(100)]);
    let is_error = |line: &String| line.starts_with("info error ");
    let errors: Vec<&String> = answer.iter().filter(|line| is_error(line)).collect();
    assert_eq!(errors.len(), 1, "{text}: {answer:#?}");
    assert!(
        errors[0].len() < 300 && errors[0].bytes().all(|b| b == b' ' || b.is_ascii_graphic()),
        "{text}: {answer:#?}"
    );
    answer.sort_by_key(|line| !is_error(line));
    answer
}

#[test]
fn lines_are_read_however_they_are_spaced_and_ended() {
    let mut tei = Tei::start();
    tei.send_bytes(
        b"\n\r\n   \n\t teinewgame   5 \t\r\n  position  startpos   moves  a1\te5 \r\nshow\r\n",
    );
    assert_eq!(
        tei.line(),
        "info string tps x4,1/x5/x5/x5/2,x4 1 2 halfkomi 0 reserves 20/1 20/1"
    );
    // The last line counts without its line feed.
    tei.send_bytes(b"show");
    let ended = tei.close();
    assert!(ended.status.success());
    assert_eq!(ended.rest.len(), 1);
}

#[test]
fn moves_are_read_with_marks_and_in_explicit_forms() {
    let mut tei = Tei::start();
    tei.send("teinewgame 5");
    tei.send("position startpos moves Fa1' e5! b1?! d5'' 1b1<1 Ca2* 2a1>11 a2-*");
    assert_eq!(
        tei.show(),
        "info string tps x3,2,1/x5/x5/x5/2C,2,1,x2 1 5 halfkomi 0 reserves 19/1 19/0"
    );
}

#[test]
fn komi_and_reserves_come_from_either_side() {
    let mut tei = Tei::start();
    let end = |tei: &mut Tei, line: &str| {
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
        ("setoption name Flats1 value 12", "4 reserves 9/0 9/3"),
        (
            "position tps x6/x6/x6/x6/x6/x4,1,2C 1 9",
            "4 reserves 11/0 10/2",
        ),
        ("setoption name HalfKomi value 0", "4 reserves 11/0 10/2"),
        ("position startpos", "0 reserves 12/0 10/3"),
    ] {
        assert_eq!(end(&mut tei, line), expected, "{line}");
    }
    let answer = tei.ask("position tps x6/x6/x6/x6/x6/x5,11111111111112 1 20");
    assert_eq!(answer.len(), 1, "{answer:?}");
    assert!(
        answer[0].starts_with("info error White has 13 "),
        "{answer:?}"
    );
}

#[test]
fn go_obeys_nodes_and_depth() {
    let mut tei = Tei::start();
    tei.send("teinewgame 5");
    tei.send("position startpos moves a1 e5 c3");
    for (line, limit) in [
        ("go nodes 1", 1),
        ("go nodes 700 depth 30 movetime 60000", 700),
    ] {
        let (lines, best) = tei.go(line);
        let infos = check_search(&lines, &best);
        assert!(infos.iter().all(|info| info.nodes <= limit), "{lines:#?}");
    }
    let (lines, best) = tei.go("go depth 2 wtime 600000 btime 600000");
    check_search(&lines, &best);
    assert!(
        lines
            .iter()
            .all(|line| line.starts_with("info depth 1 ") || line.starts_with("info depth 2 "))
    );
    // Overstepped clocks and no time at all still give a move.
    for line in [
        "go wtime -1000 btime -5",
        "go wtime 0 btime 0 winc 0 binc 0 movestogo 1",
        "go winc 10",
        "go movestogo 3",
        "go movetime 0",
        "go wtime -9223372036854775808 btime -9223372036854775808",
        "go wtime 9223372036854775807 btime 9223372036854775807 winc 9223372036854775807 binc 9223372036854775807 \
         movestogo 9223372036854775807 nodes 50",
        "go movetime 9223372036854775807 nodes 50",
        "go depth 9223372036854775807 nodes 9223372036854775807 movetime 10",
    ] {
        let (lines, best) = tei.go(line);
        check_search(&lines, &best);
    }
    assert!(tei.close().status.success());
}

#[test]
fn proven_results_end_in_a_cp_and_a_solved_line() {
    let mut tei = Tei::start();
    tei.send(&format!("position tps {WIN_IN_ONE}"));
    let (lines, best) = tei.go("go movetime 60000");
    assert_eq!(best, "f1");
    let infos = check_search(&lines, "f1");
    let last = infos.last().unwrap();
    assert_eq!(last.score, Score::Solved("win".to_owned(), 1));
    // Black cannot answer two threats.
    tei.send("position tps x6/x6/2,x5/2,2,x4/1,1,1,1,1,x/1,1,1,1,1,x 2 12");
    let (lines, best) = tei.go("go movetime 60000");
    let infos = check_search(&lines, &best);
    assert_eq!(
        infos.last().unwrap().score,
        Score::Solved("loss".to_owned(), 2)
    );
}

#[test]
fn isready_is_answered_while_searching() {
    let mut tei = Tei::start();
    tei.send("position startpos moves a1 f6");
    tei.send("go infinite");
    for _ in 0..5 {
        assert!(
            tei.ask("")
                .iter()
                .all(|line| line.starts_with("info depth ")),
            "the search must go on"
        );
    }
    let lines = tei.go("stop").0;
    assert!(lines.iter().all(|line| line.starts_with("info depth ")));
    assert_eq!(tei.ask("stop"), [""; 0], "nothing is left to stop");
}

#[test]
fn an_endless_search_holds_its_move_until_stop() {
    for go in ["go", "go infinite"] {
        let mut tei = Tei::start();
        tei.send(&format!("position tps {WIN_IN_ONE}"));
        tei.send(go);
        tei.until("info depth ");
        for _ in 0..20 {
            let said = tei.ask("");
            assert!(said.iter().all(|line| !line.starts_with("bestmove")));
            thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(tei.go("stop").1, "f1");
        // The next one is let go by the end of the input.
        tei.send(go);
        tei.until("info depth ");
        let ended = tei.close();
        assert!(ended.status.success());
        assert_eq!(ended.rest.last().unwrap(), "bestmove f1");
    }
}

#[test]
fn commands_end_a_search_first() {
    let mut tei = Tei::start();
    for command in [
        "position startpos moves a1 f6",
        "setoption name HalfKomi value 4",
        "setoption name Hash value 32",
        "teinewgame 6",
        "go nodes 10",
    ] {
        tei.send("position startpos moves a1 f6 c3 d4");
        tei.send("go infinite");
        tei.until("info depth ");
        let lines = tei.ask(command);
        let moves = lines
            .iter()
            .filter(|line| line.starts_with("bestmove "))
            .count();
        if command.starts_with("go") {
            // Its own may come after `readyok`.
            assert!((1..=2).contains(&moves), "{lines:#?}");
            if moves == 1 {
                tei.until("bestmove ");
            }
        } else {
            assert_eq!(moves, 1, "{command}: {lines:#?}");
        }
        assert!(!lines.iter().any(|line| line.starts_with("info error")));
    }
    assert_eq!(tei.close().rest, [""; 0]);
}

#[test]
fn a_script_gets_a_move_for_every_go() {
    let mut tei = Tei::start();
    let script = "position startpos moves a1\ngo movetime 60000\nstop\nstop\n".repeat(20)
        + &"go nodes 100\nposition startpos\ngo infinite\nteinewgame 4\n".repeat(10);
    tei.send_bytes(script.as_bytes());
    let ended = tei.close();
    assert!(ended.status.success());
    let moves = ended
        .rest
        .iter()
        .filter(|line| line.starts_with("bestmove "));
    assert_eq!(moves.count(), 20 + 2 * 10);
    assert!(!ended.rest.iter().any(|line| line.starts_with("info error")));
}

#[test]
fn quit_and_end_of_input_end_a_search() {
    for quit in [true, false] {
        for go in ["go infinite", "go movetime 600000", "go wtime 36000000"] {
            let mut tei = Tei::start();
            tei.send("position startpos moves a1 f6");
            tei.send(go);
            tei.until("info depth ");
            let ended = if quit {
                tei.send("quit");
                tei.wait()
            } else {
                tei.close()
            };
            assert!(ended.status.success(), "{go}");
            let is_move = |line: &&String| line.starts_with("bestmove ");
            assert_eq!(ended.rest.iter().filter(is_move).count(), 1, "{go}");
            assert!(is_move(&ended.rest.last().unwrap()), "{go}");
        }
    }
    let ended = Tei::start().close();
    assert!(ended.status.success() && ended.rest.is_empty() && ended.stderr.is_empty());
}

#[test]
fn closed_stdout_ends_quietly() {
    for last in ["isready", "go movetime 20", "go infinite"] {
        let mut child = Command::new(BINARY)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        writeln!(stdin, "isready").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, "readyok\n");
        drop(stdout);
        // The engine may be gone before all is written.
        let _ = writeln!(stdin, "position startpos\n{last}");
        let status = wait_for(&mut child);
        drop(stdin);
        let mut stderr = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut stderr)
            .unwrap();
        assert!(status.success(), "{last}: {status} {stderr}");
        assert_eq!(stderr, "", "{last}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_cannot_be_had_is_refused() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 4000000 && exec \"$0\"", BINARY]);
    let mut tei = Tei::spawn(&mut shell);
    for searching in [false, true] {
        if searching {
            tei.send("position startpos moves a1 f6");
            tei.send("go infinite");
        }
        let answer = tei.ask("setoption name Hash value 65536");
        let errors: Vec<&String> = answer
            .iter()
            .filter(|line| line.starts_with("info error "))
            .collect();
        assert_eq!(errors.len(), 1, "{answer:#?}");
        assert!(errors[0].contains("65536"), "{answer:#?}");
    }
    assert_eq!(tei.ask("setoption name Hash value 16"), [""; 0]);
    let (lines, best) = tei.go("go nodes 100");
    check_search(&lines, &best);
    assert!(tei.close().status.success());
}

/// Plays a game over TEI, the first `random` plies at random, every move and every line checked by fast-tak.
fn play_game<const N: usize>(random: usize, mut seed: u64)
where
    Reserves<N>: Default,
{
    let mut tei = Tei::start();
    tei.send(&format!("teinewgame {N}"));
    let mut game = Game::<N, 0>::default();
    let mut list = String::from("position startpos moves");
    let mut plies = 0;
    while !is_over(&game) {
        let best = if plies < random {
            let mut moves = Vec::new();
            game.possible_moves(&mut moves);
            seed = seed.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(1);
            moves[(seed >> 33) as usize % moves.len()].to_string()
        } else {
            tei.send(&list);
            let (lines, best) = tei.go("go nodes 150");
            for info in check_search(&lines, &best) {
                let mut line = game.clone();
                for mv in &info.pv {
                    play(&mut line, mv);
                }
            }
            best
        };
        play(&mut game, &best);
        list.extend([" ", &best]);
        plies += 1;
        assert!(plies < 1000, "the game does not end: {list}");
    }
    tei.send(&list);
    let tps: Tps = game.clone().into();
    assert!(
        tei.show().starts_with(&format!("info string tps {tps} ")),
        "{list}"
    );
    assert_eq!(tei.go("go nodes 150"), (vec![], "--".to_owned()));
    assert!(tei.close().status.success());
}

#[test]
fn whole_games_end_legally_at_every_size() {
    let games: [fn(); 6] = [
        || play_game::<3>(2, 1),
        || play_game::<4>(3, 2),
        || play_game::<5>(4, 3),
        || play_game::<6>(4, 4),
        || play_game::<7>(6, 5),
        || play_game::<8>(6, 6),
    ];
    thread::scope(|scope| {
        for game in games {
            scope.spawn(game);
        }
    });
}

#[test]
fn go_solved_proves_or_falls_back_on_a_search() {
    let mut tei = Tei::start();
    tei.send("teinewgame 3");
    let (lines, best) = tei.go("go solved nodes 2000000");
    let infos = check_search(&lines, &best);
    let last = &infos[infos.len() - 1].score;
    assert!(
        matches!(last, Score::Solved(result, _) if result == "win"),
        "{last:?}"
    );

    tei.send("teinewgame 6");
    let (lines, best) = tei.go("go solved movetime 100");
    assert!(!best.is_empty() && best != "--", "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains(" solved ")));
    tei.send("go solved infinite");
    thread::sleep(std::time::Duration::from_millis(100));
    tei.send("stop");
    tei.until("bestmove ");
    let complaint = tei.ask("go solved depth 3");
    assert_eq!(
        complaint,
        ["info error solved and depth do not go together"]
    );
    assert!(tei.close().status.success());
}

#[test]
fn go_solved_has_a_move_where_the_position_stands_again() {
    let mut tei = Tei::start();
    tei.send("teinewgame 6");
    tei.send(
        "position tps x,1,1,1,1,2/x2,221C,2S,1,2/x,1,2,1,x,211112C/x,1,2,2,1,2/x,2,2,2S,1,2221/x,2,x,1,x,2 2 27 \
         moves b1+ b3+ b2- b4-",
    );
    let (_, best) = tei.go("go solved nodes 200000");
    assert_ne!(best, "--");
    let after = format!(
        "position tps x,1,1,1,1,2/x2,221C,2S,1,2/x,1,2,1,x,211112C/x,1,2,2,1,2/x,2,2,2S,1,2221/x,2,x,1,x,2 2 27 moves {best}"
    );
    assert!(tei.ask(&after).is_empty(), "{best} is legal");
}
