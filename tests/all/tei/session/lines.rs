//! Lines that cannot be read, and how those that can may look.

use super::assert_lost;
use crate::common::Tei;
use crate::dialogue::Dialogue;
use crate::local::Local;
use tak_core::testing::section;

const TABLE: &str = include_str!("lines.txt");

/// Lines that are no text, or no words.
const BYTES: [&[u8]; 5] =
    [b"\0", b"p\xc3\xb6sition startpos", b"\xff\xfe", b"position startpos moves a1 \xc3\x28", b"go infinite \xff"];

#[test]
fn odd_lines_get_one_error_and_are_obeyed() {
    // Replies and the position afterwards, without times.
    let said = |line: &str| {
        let mut tei = Local::start();
        tei.send("teinewgame size 6 halfkomi 3");
        tei.send("position startpos moves a1 f6 Cb2");
        tei.send(line);
        let mut said = if line.starts_with("go ") { tei.until("bestmove ") } else { tei.ask("") };
        said.push(tei.show());
        let is_timeless = |line: &String| !line.starts_with("info depth ");
        let timeless_lines: Vec<String> = said.iter().filter(|line| is_timeless(line)).cloned().collect();
        let lines = said.iter().filter(|line| !is_timeless(line)).filter_map(|line| line.split_once(" score "));
        (timeless_lines, lines.map(|(_, score)| score.to_owned()).collect::<Vec<String>>())
    };
    let odd = section(TABLE, "obeyed as other lines, with an error").map(|row| (row, 1));
    let lenient = section(TABLE, "of clients that print whole numbers with a point, and moves in other forms");
    for (row, errors) in odd.chain(lenient.map(|row| (row, 0))) {
        let (odd, plain) = row.split_once(" => ").unwrap();
        let ((mut timeless_lines, lines), (mut expected, expected_lines)) = (said(odd), said(plain));
        let found = timeless_lines.iter().filter(|line| line.starts_with("info error "));
        assert_eq!(found.count(), errors, "{odd}: {timeless_lines:?}");
        for lines in [&mut timeless_lines, &mut expected] {
            lines.retain(|line| !line.starts_with("info error "));
        }
        assert_eq!((timeless_lines, lines), (expected, expected_lines), "{odd}");
    }
    // The last one ends the program.
    let mut tei = Tei::start();
    tei.send("quit 1");
    assert_eq!(tei.wait().rest, ["info error unexpected \"1\" in quit; the rest of the line is executed"]);
}

#[test]
fn an_unknown_word_alone_leaves_an_endless_search() {
    let mut tei = Local::start();
    tei.send("go faster");
    assert_eq!(tei.replies(), ["info error unexpected \"faster\" in go; the rest of the line is executed"]);
    assert!(tei.is_searching());
    tei.search_until(2, &["isready", "stop"]);
    let mut replies = tei.replies();
    replies.retain(|line| !line.starts_with("info depth "));
    assert!(matches!(&replies[..], [ready, best] if ready == "readyok" && best.starts_with("bestmove ")));
    assert_ne!(replies[1], "bestmove --");
}

/// All bad lines, with some that are long.
fn bad_lines() -> Vec<Vec<u8>> {
    let long = "x".repeat(1_000_000);
    let shuffle = format!("position startpos moves {}", "a1> b1< ".repeat(140_000));
    let wide = format!("position tps {},x/x6 1 1", "1".repeat(300));
    let built = [long, shuffle, wide].map(String::into_bytes);
    let listed = section(TABLE, "refused in a 6x6 game").map(str::as_bytes);
    built.into_iter().chain(listed.chain(BYTES).map(<[u8]>::to_vec)).collect()
}

/// A game with settings of its own.
fn set_up(tei: &mut Tei) {
    tei.send("teinewgame size 6 halfkomi 3");
    tei.send("setoption name Caps value -1");
    tei.send("setoption name Flats value 0");
    tei.send("setoption name Flats2 value 29");
    tei.send("position startpos moves a1 f6 Cb2");
}

/// Checks that the program ends well and has logged the bad lines.
fn check_end(mut tei: Tei) {
    tei.send("quit");
    let ended = tei.wait();
    assert!(ended.status.success());
    assert_eq!(ended.rest, [""; 0]);
    assert!(ended.stderr.lines().count() > 30, "{}", ended.stderr);
}

#[test]
fn bad_lines_get_one_error_and_change_nothing() {
    let mut tei = Tei::start();
    set_up(&mut tei);
    let before = tei.show();
    assert_eq!(before, "info string tps x5,1/x6/x6/x6/x,1C,x4/2,x5 2 2 halfkomi 3 reserves 29/0 28/1");
    for line in &bad_lines() {
        let answer = complaint(&mut tei, line);
        let text = String::from_utf8_lossy(&line[..line.len().min(100)]);
        // A `go` is obeyed unless it is not text. Then its sender waits for an answer too.
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
    assert_eq!(tei.show(), "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 3 reserves 30/1 29/1");
    check_end(tei);
}

/// Unless the line was to replace its position.
#[test]
fn bad_lines_do_not_disturb_a_search() {
    let mut tei = Tei::start();
    set_up(&mut tei);
    tei.send("go infinite");
    for line in &bad_lines() {
        let answer = complaint(&mut tei, line);
        let moves = answer.iter().filter(|line| line.starts_with("bestmove "));
        let ends = replaces(line);
        assert_eq!(moves.count(), usize::from(ends), "{answer:#?}");
        assert!(
            answer[1..].iter().all(|line| line.starts_with("info depth ") || line.starts_with("bestmove ")),
            "{answer:#?}"
        );
        if ends {
            set_up(&mut tei);
            tei.send("go infinite");
        }
    }
    let (lines, _) = tei.go("stop");
    assert!(lines.iter().all(|line| line.starts_with("info depth ")));
    check_end(tei);
}

/// Returns whether a refused line was to replace the position, so that the client no longer means the one before.
fn replaces(line: &[u8]) -> bool {
    line.starts_with(b"position") || line.starts_with(b"teinewgame")
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
    tei.send_bytes(b"\n\r\n   \n\t teinewgame   5 \t\r\n  position  startpos   moves  a1\te5 \r\nshow\r\n");
    assert_eq!(tei.line(), "info string tps x4,1/x5/x5/x5/2,x4 1 2 halfkomi 0 reserves 20/1 20/1");
    // The last line counts without its line feed.
    tei.send_bytes(b"show");
    let ended = tei.close();
    assert!(ended.status.success());
    assert_eq!(ended.rest.len(), 1);
}

#[test]
fn moves_are_read_with_marks_and_in_explicit_forms() {
    let mut tei = Local::start();
    tei.send("teinewgame 5");
    tei.send("position startpos moves Fa1' e5! b1?! d5'' 1b1<1 Ca2* 2a1>11 a2-*");
    assert_eq!(tei.show(), "info string tps x3,2,1/x5/x5/x5/2C,2,1,x2 1 5 halfkomi 0 reserves 19/1 19/0");
}
