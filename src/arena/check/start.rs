//! The program itself: how it starts, what it prints, how it ends.

use std::time::Duration;

use super::case::Basis::{Text, Undefined};
use super::case::{Case, case};
use super::talk::{SILENCE, Stop, Talk, USUAL_GO, fail, played};
use crate::board::Komi;

// A list, however long.
#[allow(clippy::too_many_lines)]
pub fn cases() -> Vec<Case> {
    vec![
        case("answers-tei", Text("tei: the engine says who it is and ends with teiok"), |talk| {
            talk.handshake().map(drop)
        }),
        case("silent-before-tei", Text("an engine does nothing that it was not told to do"), |talk| {
            let said = talk.said_within(SILENCE, "before tei")?;
            if let Some(line) = said.first() {
                talk.warn(format_args!("it printed {line:?} before tei"));
            }
            talk.handshake().map(drop)
        }),
        case("silent-without-go", Text("an engine does nothing that it was not told to do"), |talk| {
            talk.opened(2)?;
            talk.ready()?;
            let said = talk.said_within(SILENCE, "after readyok, without go")?;
            if let Some(line) = said.iter().find(|line| line.starts_with("bestmove")) {
                return fail(format_args!("{line:?} without a go"));
            }
            if let Some(line) = said.first() {
                talk.warn(format_args!("it printed {line:?} without a go"));
            }
            Ok(())
        }),
        case("prints-only-tei", Text("each line of an engine begins with a word of TEI"), prints_only_tei),
        case(
            "no-blank-lines",
            Undefined("the playtak-tei bots end with an error at a blank line, other clients skip it"),
            no_blank_lines,
        ),
        case("junk-before-tei", Text("unknown commands are ignored"), |talk| {
            talk.send_bytes(b"hello\n\nxyzzy 1 2 3\n")?;
            talk.handshake()?;
            talk.still_plays()
        }),
        case("junk-in-a-game", Text("unknown commands are ignored"), |talk| {
            let game = talk.usual_game()?;
            talk.send_bytes(b"hello\n\n")?;
            talk.play_on(game, 2)?;
            talk.send("xyzzy 1 2 3")?;
            talk.ready().map(drop)
        }),
        case("line-ends-of-windows", Text("lines may end in any of the ways of operating systems"), |talk| {
            talk.handshake()?;
            let mut game = talk.new_game(talk.size(), Komi::ZERO)?;
            let position = played(&mut game, 2);
            talk.send_bytes(format!("{position}\r\nisready\r\n").as_bytes())?;
            talk.until("readyok", talk.settings.patience())?;
            talk.send_bytes(format!("{USUAL_GO}\r\n").as_bytes())?;
            talk.best(&game, Duration::from_secs(1)).map(drop)
        }),
        case("quits", Undefined("racetrack sends quit and kills after a second; PTN Ninja never sends it"), |talk| {
            talk.usual_game()?;
            talk.send("quit")?;
            talk.exit("quit")
        }),
        case("quits-while-searching", Undefined("engines end; some only after the search"), |talk| {
            search(talk)?;
            talk.send("quit")?;
            talk.exit("quit")
        }),
        case("quit-without-line-end", Undefined("Attak sends quit so, and closes the input"), |talk| {
            talk.usual_game()?;
            talk.send_bytes(b"quit")?;
            talk.end_input();
            talk.exit("quit and the end of the input")
        }),
        case("ends-with-its-input", Undefined("the playtak-tei bots and PTN Ninja's bridges only close it"), |talk| {
            talk.usual_game()?;
            talk.end_input();
            talk.exit("the end of its input")
        }),
        case("ends-with-its-input-while-searching", Undefined("engines that do not keep running for ever"), |talk| {
            search(talk)?;
            talk.end_input();
            talk.exit("the end of its input")
        }),
    ]
}

/// Starts a search of ten minutes.
fn search(talk: &mut Talk) -> Result<(), Stop> {
    talk.opened(2)?;
    talk.send("go wtime 36000000 btime 36000000 winc 0 binc 0")?;
    talk.said_within(SILENCE, "searching").map(drop)
}

/// All lines from the start to a move.
fn everything(talk: &mut Talk) -> Result<Vec<String>, Stop> {
    let mut lines = talk.handshake()?;
    let mut game = talk.new_game(talk.size(), Komi::ZERO)?;
    let position = played(&mut game, 2);
    talk.send(&position)?;
    lines.extend(talk.ready()?);
    lines.extend(talk.go(USUAL_GO, Duration::from_secs(1))?.lines);
    lines.extend(talk.ready()?);
    Ok(lines)
}

fn prints_only_tei(talk: &mut Talk) -> Result<(), Stop> {
    const WORDS: [&str; 7] = ["id", "size", "option", "teiok", "readyok", "info", "bestmove"];
    for line in everything(talk)? {
        let word = line.split_whitespace().next();
        if word.is_some_and(|word| !WORDS.contains(&word)) {
            talk.warn(format_args!("{line:?} is no line of TEI"));
        }
    }
    Ok(())
}

fn no_blank_lines(talk: &mut Talk) -> Result<(), Stop> {
    if everything(talk)?.iter().any(|line| line.trim().is_empty()) { fail("a blank line") } else { Ok(()) }
}
