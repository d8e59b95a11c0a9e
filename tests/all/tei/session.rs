//! TEI sessions with the real binary, as GUIs, bots and match runners hold them, and as they should not.

use std::collections::HashSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::thread;

use crate::common::{BINARY, Tei, wait_for};
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
/// proven score that is told in a `solved` line stands in a `cp` line before it, with one node less.
fn check_search(lines: &[String], best: &str) -> Vec<Info> {
    let infos: Vec<Info> = lines.iter().map(|line| parse_info(line)).collect();
    let last = infos.last().expect("a search says something");
    assert_eq!(last.pv[0], best);
    for (index, info) in infos.iter().enumerate() {
        assert_eq!(info.multipv, None);
        if let Score::Solved(result, _) = &info.score {
            let before = &infos[index - 1];
            assert_eq!(before.pv, info.pv, "{lines:#?}");
            assert_eq!(before.nodes + 1, info.nodes, "{lines:#?}");
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
        let combo =
            "option name Opening type combo default swap var swap var no-swap var double-black";
        assert!(lines.iter().any(|line| line == combo));
        assert_eq!(tei.ask("setoption name Opening value swap"), [""; 0]);
        let options = lines.iter().filter(|line| line.starts_with("option "));
        for line in options.filter(|line| *line != combo) {
            let words: Vec<&str> = line.split(' ').collect();
            if let ["option", "name", name, "type", "check", "default", "false"] = words[..] {
                assert!(names.insert(name.to_owned()), "{line}");
                for value in ["true", "false"] {
                    let set = format!("setoption name {name} value {value}");
                    assert_eq!(tei.ask(&set), [""; 0]);
                }
                continue;
            }
            if let [
                "option",
                "name",
                name,
                "type",
                "string",
                "default",
                "<empty>",
            ] = words[..]
            {
                assert!(names.insert(name.to_owned()), "{line}");
                for value in ["<empty>", ""] {
                    assert_eq!(
                        tei.ask(&format!("setoption name {name} value {value}")),
                        [""; 0]
                    );
                }
                continue;
            }
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
            "Ponder",
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
            "WeightsFile",
        ] {
            assert!(names.contains(name), "{name}");
        }
        let show = tei.show();
        assert!(show.ends_with("halfkomi 0 reserves 30/1 30/1"), "{show}");
        assert!(tei.close().status.success());
    }
}

#[test]
fn the_page_on_tei_lists_every_option() {
    let page = include_str!("../../../docs/tei.md");
    for option in tak_engine::tei::options::OPTIONS {
        let range = match option.words {
            [] => format!("{} to {}", option.min, option.max),
            words => words.join(", "),
        };
        let row = format!(
            "| `{}` | {} | {range} |",
            option.name,
            option.text(option.default)
        );
        assert!(page.contains(&row), "docs/tei.md lacks {row}");
    }
    let row = format!("| `{}` | ", tak_engine::tei::options::WEIGHTS_FILE);
    assert!(page.contains(&row), "docs/tei.md lacks {row}");
}

#[test]
fn weights_file_is_played_with_until_it_is_empty() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tei weights");
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name).display().to_string()
    };
    let head = "tak-engine weights | evaluation | 5x5\n\
        term | index | meaning | opening | middle | end | waiting opening | waiting middle | waiting end\n";
    let good = path(
        "good.txt",
        &format!("{head}tempo | 0 | | 77 | 77 | 77 | 0 | 0 | 0\n"),
    );
    let bad = path(
        "bad.txt",
        &format!("{head}tempi | 0 | | 7 | 7 | 7 | 0 | 0 | 0\n"),
    );

    let mut tei = Tei::start();
    tei.send("setoption name Hash value 1");
    tei.send("teinewgame 5");
    tei.send("position tps x5/x,2,x3/x2,1,x2/x3,2,x/1,x4 1 3");
    // With these weights a position is worth 77 to the player to move and nothing else counts.
    let mut score = |set: Option<&str>| {
        if let Some(path) = set {
            let answer = tei.ask(&format!("setoption name WeightsFile value {path}"));
            if !answer.is_empty() {
                return answer.join(" ");
            }
        }
        tei.send("go depth 1");
        let lines = tei.until("bestmove");
        let info = lines
            .iter()
            .find(|line| line.contains(" score cp "))
            .unwrap();
        let (_, rest) = info.split_once(" score cp ").unwrap();
        rest.split(' ').next().unwrap().to_owned()
    };
    let usual = score(None);
    assert_ne!(usual, "-77");
    assert_eq!(score(Some(&good)), "-77");
    let refusal = score(Some(&bad));
    assert!(
        refusal.starts_with("info error option WeightsFile: "),
        "{refusal}"
    );
    assert!(
        refusal.ends_with("bad.txt: line 3: no term is called \"tempi\""),
        "{refusal}"
    );
    assert_eq!(score(None), "-77", "a refused file changes nothing");
    assert!(
        score(Some("/nowhere/none.txt")).starts_with("info error option WeightsFile: /nowhere")
    );
    assert_eq!(score(Some("<empty>")), usual);
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

/// What PTN Ninja sends of games with other openings: option, start, first turns, and the double black stack as TPS.
#[test]
fn games_begin_as_the_option_says() {
    let mut tei = Tei::start();
    let bare = "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 0 reserves 30/1 30/1";
    assert_eq!(tei.show(), bare);
    for (opening, moves, after) in [
        ("swap", "a1 f6", "x5,1/x6/x6/x6/x6/2,x5 1 2"),
        ("no-swap", "a1 f6", "x5,2/x6/x6/x6/x6/1,x5 1 2"),
        ("No-Swap", "Ca1 Sf6", "x5,2S/x6/x6/x6/x6/1C,x5 1 2"),
        ("double-black", "a1 f6", "x5,1/x6/x6/x6/x6/22,x5 1 2"),
        ("double-black", "2a1 f6", "x5,1/x6/x6/x6/x6/22,x5 1 2"),
    ] {
        assert_eq!(
            tei.ask(&format!("setoption name Opening value {opening}")),
            [""; 0]
        );
        tei.send("teinewgame 6");
        let name = opening.to_lowercase();
        let shown = match opening {
            "swap" => bare.to_owned(),
            _ => format!("{bare} opening {name}"),
        };
        assert_eq!(tei.show(), shown);
        let (lines, best) = tei.go("go nodes 200");
        check_search(&lines, &best);
        assert_eq!(
            tei.ask(&format!("position startpos moves {moves}")),
            [""; 0]
        );
        let show = tei.show();
        assert!(
            show.starts_with(&format!("info string tps {after} ")),
            "{show}"
        );
        let (lines, best) = tei.go("go nodes 200");
        check_search(&lines, &best);
    }
    // What the board shows counts before the option.
    for option in ["swap", "no-swap", "double-black"] {
        tei.send(&format!("setoption name Opening value {option}"));
        for (board, opening) in [
            ("2,x5", "28/1 29/1"),
            ("1S,x5", "28/1 29/1 opening no-swap"),
            ("22,x5", "28/1 28/1 opening double-black"),
        ] {
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
        assert_eq!(
            lines,
            [format!(
                "info error option Opening takes swap or no-swap or double-black, not \"{bad}\""
            )]
        );
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
    b"setoption name Contempt value 10",
    b"setoption name Ponder value 1",
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
    b"go infinite \xff",
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
    let set_up = |tei: &mut Tei| {
        tei.send("teinewgame size 6 halfkomi 3");
        tei.send("setoption name Caps value -1");
        tei.send("setoption name Flats value 0");
        tei.send("setoption name Flats2 value 29");
        tei.send("position startpos moves a1 f6 Cb2");
    };
    let mut tei = Tei::start();
    set_up(&mut tei);
    let before = tei.show();
    assert_eq!(
        before,
        "info string tps x5,1/x6/x6/x6/x,1C,x4/2,x5 2 2 halfkomi 3 reserves 29/0 28/1"
    );
    for line in &bad {
        let answer = complaint(&mut tei, line);
        let text = String::from_utf8_lossy(&line[..line.len().min(100)]);
        // Whoever sent a `go` waits for a move, and nothing else.
        let awaited = line.starts_with(b"go").then_some("bestmove --");
        assert_eq!(answer[1..], Vec::from_iter(awaited), "{text}");
        if replaces(line) {
            assert_lost(&mut tei);
            set_up(&mut tei);
        }
        assert_eq!(tei.show(), before, "{text}");
    }
    // The options are as before, too.
    tei.send("position startpos");
    assert_eq!(
        tei.show(),
        "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 3 reserves 30/1 29/1"
    );

    // Nor does a bad line disturb a search, unless it was to replace its position.
    tei.send("go infinite");
    for line in &bad {
        let answer = complaint(&mut tei, line);
        let moves = answer.iter().filter(|line| line.starts_with("bestmove "));
        let ends = line.starts_with(b"position") || line.starts_with(b"teinewgame");
        assert_eq!(moves.count(), usize::from(ends), "{answer:#?}");
        assert!(
            answer[1..]
                .iter()
                .all(|line| line.starts_with("info depth ") || line.starts_with("bestmove ")),
            "{answer:#?}"
        );
        if ends {
            set_up(&mut tei);
            tei.send("go infinite");
        }
    }
    let (lines, _) = tei.go("stop");
    assert!(lines.iter().all(|line| line.starts_with("info depth ")));
    tei.send("quit");
    let ended = tei.wait();
    assert!(ended.status.success());
    assert_eq!(ended.rest, [""; 0]);
    // The log may leave some out, but not without saying so.
    assert!(ended.stderr.lines().count() > 50, "{}", ended.stderr);
}

/// Whether a refused line was to replace the position, so that the one before is no longer what the client means.
fn replaces(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&line[..line.len().min(40)]);
    let is_rule = |name| text.starts_with(&format!("setoption name {name} value "));
    ["position", "teinewgame"].contains(&text.split(' ').next().unwrap_or_default())
        || ["HalfKomi", "Flats", "Caps"].into_iter().any(is_rule)
}

/// There is no position to tell anything of.
fn assert_lost(tei: &mut Tei) {
    let is_error = |line: &String| line.starts_with("info error there is no position: ");
    assert!(is_error(&tei.show()));
    for go in ["go nodes 100", "go infinite", "go wtime 100 btime 100"] {
        let (lines, best) = tei.go(go);
        assert!(lines.len() == 1 && is_error(&lines[0]), "{lines:?}");
        assert_eq!(best, "--");
    }
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
        ("setoption name Flats1 value 12", "4 reserves 11/0 9/3"),
        (
            "position tps x6/x6/x6/x6/x6/x4,1,2C 1 9",
            "4 reserves 11/0 10/2",
        ),
        ("setoption name HalfKomi value 0", "0 reserves 11/0 10/2"),
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
    tei.send("teinewgame size 6 halfkomi 0");
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
fn only_clients_that_know_of_it_are_told_solved() {
    let solved = |tei: &mut Tei, go: &str| {
        tei.send(&format!("position tps {WIN_IN_ONE}"));
        let (lines, best) = tei.go(go);
        let infos = check_search(&lines, &best);
        assert_eq!(best, "f1");
        let told = infos
            .iter()
            .any(|info| matches!(info.score, Score::Solved(..)));
        // Either way the number says it.
        assert!(
            infos
                .iter()
                .any(|info| matches!(info.score, Score::Cp(29_999)) && info.wdl == [1000, 0, 0])
        );
        told
    };
    for (line, tells) in [
        ("stop", false),
        ("teinewgame 6", false),
        ("teinewgame 6 halfkomi 2", false),
        ("teinewgame size 6", true),
        ("teinewgame size 6 halfkomi 2", true),
    ] {
        let mut tei = Tei::start();
        tei.ask(line);
        assert_eq!(solved(&mut tei, "go depth 4"), tells, "{line}");
        // Who asks for it knows it, from then on.
        assert!(solved(&mut tei, "go solved nodes 10000"), "{line}");
        assert!(solved(&mut tei, "go depth 4"), "{line}");
    }
}

#[test]
fn a_refused_position_is_not_taken_for_the_one_before() {
    let long = format!("position startpos moves {}", "a1> b1< ".repeat(140_000));
    let refused: [&[u8]; 6] = [
        b"position startpos moves a1 a1",
        b"position tps 1,x5/x6/x6/x6/x6 1 1",
        b"  position startpos moves \xff",
        b"position",
        // More than a reserve.
        b"position tps x6/x6/x6/x6/x6/x5,1111111111111111111111111111111 1 40",
        long.as_bytes(),
    ];
    let good = "position startpos moves a1 f6";
    let mut tei = Tei::start();
    for searching in [false, true] {
        for line in refused {
            let text = String::from_utf8_lossy(&line[..line.len().min(60)]);
            tei.send(good);
            if searching {
                tei.send("go infinite");
            }
            let mut bytes = line.to_vec();
            bytes.extend_from_slice(b"\ngo nodes 100\n");
            tei.send_bytes(&bytes);
            if searching {
                // Asked for, and the last word about it.
                assert_ne!(tei.until("bestmove ").last().unwrap(), "bestmove --");
            }
            let rest = tei.until("bestmove ");
            assert_eq!(rest.len(), 3, "{text}: {rest:#?}");
            assert!(rest[0].starts_with("info error "), "{text}: {rest:#?}");
            assert_eq!(
                rest[1..],
                [
                    "info error there is no position: the last one was refused",
                    "bestmove --"
                ],
                "{text}"
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
    assert!(tei.close().status.success());
}

#[test]
fn a_game_that_is_refused_is_not_taken_for_the_one_before() {
    let mut tei = Tei::start();
    // A game that cannot be begun: nobody knows on which board the next positions stand.
    for line in ["teinewgame 9", "teinewgame size 6 halfkomi 99"] {
        tei.send("position startpos moves a1");
        tei.send("go infinite");
        let answer = tei.ask(line);
        let moves = answer.iter().filter(|line| line.starts_with("bestmove "));
        assert_eq!(moves.count(), 1, "{answer:#?}");
        assert_lost(&mut tei);
        for position in [
            "position startpos moves a1",
            "position tps x5/x5/x5/x5/x5 1 1",
        ] {
            assert_eq!(
                tei.ask(position),
                ["info error the last \"teinewgame\" was refused"]
            );
            assert_lost(&mut tei);
        }
        tei.send("teinewgame 6");
        assert_ne!(tei.go("go nodes 100").1, "--");
    }
    // A reserve or a komi that cannot be had, as PTN Ninja and the playtak bots may send it.
    for (name, bad, good) in [("Flats", "80", "50"), ("HalfKomi", "50", "2")] {
        tei.send("teinewgame 6");
        assert_eq!(
            tei.ask(&format!("setoption name {name} value {bad}")).len(),
            1
        );
        let answer = tei.ask("position startpos moves a1");
        assert_eq!(
            answer,
            [format!(
                "info error the last value for option {name} was refused"
            )]
        );
        assert_lost(&mut tei);
        tei.send(&format!("setoption name {name} value {good}"));
        tei.send("position startpos moves a1");
        assert_ne!(tei.go("go nodes 100").1, "--");
    }
    // The piece counts of one game do not cost the next.
    tei.send("teinewgame 6");
    tei.ask("setoption name Flats value 80");
    tei.send("teinewgame 6");
    assert_ne!(tei.go("go nodes 100").1, "--");
    // Other options are not missed.
    assert_eq!(tei.ask("setoption name Hash value 0").len(), 1);
    assert_ne!(tei.go("go nodes 100").1, "--");
    assert!(tei.close().status.success());
}

#[test]
fn options_set_after_the_position_hold_for_it() {
    let mut tei = Tei::start();
    tei.send("position startpos moves a1 f6 c3");
    tei.send("setoption name HalfKomi value 4");
    tei.send("setoption name Flats value 20");
    let expected = "info string tps x5,1/x6/x6/x2,1,x3/x6/2,x5 2 2 halfkomi 4 reserves 18/1 19/1";
    assert_eq!(tei.show(), expected);
    // The moves are read again: one flat becomes the double stack.
    tei.send("position startpos moves a1");
    tei.send("setoption name Opening value double-black");
    assert!(
        tei.show()
            .starts_with("info string tps x6/x6/x6/x6/x6/22,x5 2 1 ")
    );
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
fn piece_counts_hold_for_the_games_they_were_sent_for() {
    let reserves = |tei: &mut Tei| {
        tei.send("position startpos");
        let show = tei.show();
        let (_, reserves) = show.split_once(" reserves ").expect("show tells reserves");
        assert_ne!(tei.go("go nodes 50").1, "--");
        reserves.to_owned()
    };
    // PTN Ninja: after `teinewgame`, and nothing at all for a game with the usual pieces.
    let mut tei = Tei::start();
    tei.send("setoption name Flatstones value 0");
    tei.send("setoption name Capstones value -1");
    for _ in 0..2 {
        tei.send("teinewgame size 6 halfkomi 4");
        for (name, value) in [
            ("Flats", 25),
            ("Caps", 2),
            ("Flats1", 25),
            ("Flats2", 20),
            ("Caps1", 2),
            ("Caps2", 0),
        ] {
            tei.send(&format!("setoption name {name} value {value}"));
        }
        assert_eq!(reserves(&mut tei), "25/2 20/0");
        tei.send("teinewgame size 6 halfkomi 4");
        assert_eq!(reserves(&mut tei), "30/1 30/1");
        tei.send("teinewgame size 5 halfkomi 0");
        assert_eq!(reserves(&mut tei), "21/1 21/1");
    }
    // The playtak bots: before it, with one game a process; one that plays several has to say when it is the usual.
    let mut tei = Tei::start();
    for (flats, caps, expected) in [
        (20, 2, "20/2 20/2"),
        (0, -1, "30/1 30/1"),
        (40, 0, "40/0 40/0"),
    ] {
        tei.send(&format!("setoption name Flatstones value {flats}"));
        tei.send(&format!("setoption name Capstones value {caps}"));
        tei.send("teinewgame 6");
        assert_eq!(reserves(&mut tei), expected);
    }
    // So does what comes when the start has been searched.
    tei.send("teinewgame 5");
    assert_ne!(tei.go("go nodes 50").1, "--");
    tei.send("setoption name Flatstones value 15");
    tei.send("setoption name Capstones value 1");
    tei.send("teinewgame 5");
    assert_eq!(reserves(&mut tei), "15/1 15/1");
    // racetrack: once, for all games.
    let mut tei = Tei::start();
    tei.ask("setoption name Flats value 20");
    for _ in 0..3 {
        tei.ask("teinewgame 6");
        assert_eq!(reserves(&mut tei), "20/1 20/1");
    }
}

#[test]
fn a_tps_of_another_size_sets_the_size() {
    let mut tei = Tei::start();
    tei.send("teinewgame size 6 halfkomi 4");
    tei.send("setoption name Flats value 12");
    tei.send("position startpos moves a1 f6");
    let tps = "x5/x5/x2,1,x2/x5/2,x4 1 2";
    assert_eq!(tei.ask(&format!("position tps {tps} moves e5")), [""; 0]);
    assert_eq!(
        tei.show(),
        "info string tps x4,1/x5/x2,1,x2/x5/2,x4 2 2 halfkomi 4 reserves 19/1 20/1"
    );
    let (lines, best) = tei.go("go nodes 500");
    check_search(&lines, &best);
    tei.send("position startpos moves a1");
    assert_eq!(
        tei.show(),
        "info string tps x5/x5/x5/x5/2,x4 2 1 halfkomi 4 reserves 21/1 20/1"
    );
    // A refused one does not.
    assert_eq!(
        tei.ask("position tps x7/x7/x7/x7/x7/x7/x7 1 1 moves h8")
            .len(),
        1
    );
    tei.send("position startpos moves e5");
    assert!(
        tei.show()
            .starts_with("info string tps x4,2/x5/x5/x5/x5 2 1 ")
    );
    assert!(tei.close().status.success());
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
        if searching {
            // The search goes on.
            assert!(!answer.iter().any(|line| line.starts_with("bestmove ")));
            tei.until("info depth ");
            let (lines, best) = tei.go("stop");
            assert!(lines.iter().all(|line| line.starts_with("info depth ")));
            assert_ne!(best, "--");
        }
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
        [
            "info error solved and depth do not go together",
            "bestmove --"
        ]
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
