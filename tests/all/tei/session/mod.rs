//! TEI sessions as GUIs, bots and match runners hold them, and as they should not: those of clients and of threads with
//! the real binary, the others without a process.

mod clients;
mod lines;
mod options;
mod positions;
mod searches;

use crate::dialogue::Dialogue;
use fast_tak::takparse::Move;
use fast_tak::{Game, GameResult};

/// White completes a road with f1.
const WIN_IN_ONE: &str = "x6/x6/x6/x6/2,2,2,2,x2/1,1,1,1,1,x 1 6";

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
    let multipv = head.contains(" multipv ").then(|| number(Some("multipv")).try_into().expect(line));
    number(Some("time"));
    let nodes = number(Some("nodes")).try_into().expect(line);
    number(Some("nps"));
    assert!((0..=1000).contains(&number(Some("hashfull"))), "{line}");
    let wdl = [Some("wdl"), None, None].map(|key| number(key).try_into().expect(line));
    assert_eq!(wdl.iter().sum::<u32>(), 1000, "{line}");
    let score: Vec<&str> = words.collect();
    let score = match score[..] {
        ["score", "cp", number] | ["score", "cp", number, "lowerbound" | "upperbound"] => {
            Score::Cp(number.parse().expect(line))
        }
        ["score", "solved", result @ ("win" | "loss" | "draw"), plies] => {
            Score::Solved(result.to_owned(), plies.parse().expect(line))
        }
        _ => panic!("{line}"),
    };
    Info { multipv, nodes, wdl, score, pv: pv.split(' ').map(str::to_owned).collect() }
}

/// Checks the lines of one search with one line of play: the last line is about the move played, and a
/// proven score of a `solved` line is in a `cp` line before it, with one node less.
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

/// Returns whether the game is over by the rules, without fast-tak's limit of fifty reversible plies.
fn is_over<const N: usize>(game: &Game<N, 0>) -> bool {
    let mut game = game.clone();
    game.reversible_plies = 0;
    game.result() != GameResult::Ongoing
}

/// Plays moves by the other implementation of the rules.
fn play<const N: usize>(game: &mut Game<N, 0>, mv: &str) {
    assert!(!is_over(game), "{mv} comes after the end of the game");
    let parsed: Move = mv.parse().unwrap_or_else(|_| panic!("{mv:?} is not a move"));
    game.play(parsed).unwrap_or_else(|error| panic!("{mv} is illegal: {error:?}"));
}

/// Checks that there is no position.
fn assert_lost(tei: &mut impl Dialogue) {
    for line in ["show", "go nodes 100", "go infinite", "go wtime 100 btime 100"] {
        tei.send(line);
        let error = tei.until("info ");
        assert!(error.len() == 1 && error[0].starts_with("info error there is no position: "), "{error:?}");
        if line != "show" {
            assert_eq!(tei.until("bestmove "), ["bestmove --"]);
        }
    }
}
