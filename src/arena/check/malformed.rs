//! Lines that are wrong: each is refused or ignored, and the engine plays on.

use super::case::{Basis, Case, case};
use super::talk::{SILENCE, Stop, Talk, no_bestmove};

/// A name and a line. `{N}` is the width of the board.
const LINES: &[(&str, &[u8])] = &[
    ("unknown-command", b"xyzzy"),
    ("uci", b"uci"),
    ("upper-case", b"ISREADY NOW"),
    ("control-character", b"\x1b[31mposition"),
    ("zero-byte", b"\0"),
    ("not-utf-8", b"\xff\xfe\xc3\x28"),
    ("not-utf-8-in-position", b"position startpos moves a1 \xc3\x28"),
    ("long-word", b"LONG"),
    ("long-position", b"LONG-POSITION"),
    ("setoption-alone", b"setoption"),
    ("setoption-name-alone", b"setoption name"),
    ("setoption-without-name", b"setoption value 4"),
    ("setoption-without-value", b"setoption name HalfKomi"),
    ("setoption-empty-value", b"setoption name HalfKomi value"),
    ("setoption-unknown", b"setoption name Contempt value 10"),
    ("setoption-no-number", b"setoption name HalfKomi value x"),
    ("setoption-fraction", b"setoption name HalfKomi value 0.5"),
    ("setoption-below-least", b"setoption name HalfKomi value -1000"),
    ("setoption-above-greatest", b"setoption name HalfKomi value 1000"),
    ("setoption-overflow", b"setoption name HalfKomi value 99999999999999999999"),
    ("setoption-hash-no-number", b"setoption name Hash value many"),
    ("setoption-threads-zero", b"setoption name Threads value 0"),
    ("newgame-alone", b"teinewgame"),
    ("newgame-word", b"teinewgame x"),
    ("newgame-size-2", b"teinewgame 2"),
    ("newgame-size-9", b"teinewgame 9"),
    ("newgame-negative", b"teinewgame -6"),
    ("newgame-overflow", b"teinewgame 99999999999999999999"),
    ("newgame-size-without-number", b"teinewgame size"),
    ("newgame-halfkomi-without-number", b"teinewgame size {N} halfkomi"),
    ("newgame-halfkomi-word", b"teinewgame size {N} halfkomi x"),
    ("newgame-halfkomi-1000", b"teinewgame size {N} halfkomi 1000"),
    ("position-alone", b"position"),
    ("position-moves-alone", b"position moves a1"),
    ("position-fen", b"position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
    ("position-without-word-moves", b"position startpos a1"),
    ("move-on-taken-square", b"position startpos moves a1 a1"),
    ("move-off-the-board", b"position startpos moves z9"),
    ("move-of-empty-square", b"position startpos moves a1 b1 c3+"),
    ("move-of-too-many", b"position startpos moves a1 b1 9a1>"),
    ("move-with-wrong-drops", b"position startpos moves a1 b1 b1+2"),
    ("move-over-the-edge", b"position startpos moves b1 a1 a1<"),
    ("move-unknown-piece", b"position startpos moves a1 b1 Xb2"),
    ("move-capstone-first", b"position startpos moves Ca1"),
    ("move-overflow", b"position startpos moves a1 b1 99999999999a1>"),
    ("move-none", b"position startpos moves --"),
    ("tps-alone", b"position tps"),
    ("tps-board-only", b"position tps x6/x6/x6/x6/x6/x6"),
    ("tps-without-number", b"position tps x6/x6/x6/x6/x6/x6 1"),
    ("tps-side-3", b"position tps x6/x6/x6/x6/x6/x6 3 1"),
    ("tps-number-0", b"position tps x6/x6/x6/x6/x6/x6 1 0"),
    ("tps-number-overflow", b"position tps x6/x6/x6/x6/x6/x6 1 99999999999999999999"),
    ("tps-short-row", b"position tps x6/x6/x6/x6/x6/x5 1 1"),
    ("tps-long-row", b"position tps x6/x6/x6/x6/x6/x7 1 1"),
    ("tps-row-missing", b"position tps x6/x6/x6/x6/x6 1 1"),
    ("tps-unknown-piece", b"position tps x6/x6/x6/x6/x6/x5,3 1 2"),
    ("tps-two-marks", b"position tps x6/x6/x6/x6/x6/x5,1SC 1 2"),
    ("tps-mark-alone", b"position tps x6/x6/x6/x6/x6/x5,S 1 2"),
    (
        "tps-too-many-pieces",
        b"position tps x6/x6/x6/x6/x6/x5,1111111111111111111111111111111111111111111111111111 1 40",
    ),
    ("go-depth-word", b"go depth x"),
    ("go-depth-without-number", b"go depth"),
    ("go-nodes-negative", b"go nodes -5"),
    ("go-movetime-overflow", b"go movetime 99999999999999999999"),
    ("go-clock-word", b"go wtime x btime 5"),
    ("go-clock-negative", b"go wtime -50 btime -50"),
    ("go-unknown-word", b"go faster"),
];

pub fn cases() -> Vec<Case> {
    let cases = LINES.iter().map(|&(name, line)| {
        let basis = Basis::Text("unknown commands and words are ignored, and so are commands out of place");
        case(name, basis, move |talk| survives(talk, line))
    });
    cases.collect()
}

fn survives(talk: &mut Talk, line: &[u8]) -> Result<(), Stop> {
    talk.opened(2)?;
    let width = talk.size().width();
    let line = match line {
        b"LONG" => "x".repeat(1_000_000).into_bytes(),
        b"LONG-POSITION" => format!("position startpos moves {}", "a1 ".repeat(100_000)).into_bytes(),
        line => replace(line, width),
    };
    let starts_search = line.starts_with(b"go");
    talk.send_bytes(&[&line[..], b"\n"].concat())?;
    if starts_search {
        // A search that it began has to end before the next game.
        talk.said_within(SILENCE, "after the line")?;
        talk.send("stop")?;
        talk.said_within(SILENCE, "after stop")?;
    }
    let said = talk.ready()?;
    if !starts_search {
        no_bestmove(&said, "bestmove without a go")?;
    }
    talk.still_plays()
}

/// The line with the width of the board.
fn replace(line: &[u8], width: usize) -> Vec<u8> {
    let mark = b"{N}";
    match line.windows(mark.len()).position(|part| part == mark) {
        Some(at) => [&line[..at], width.to_string().as_bytes(), &line[at + mark.len()..]].concat(),
        None => line.to_vec(),
    }
}
