//! The messages of this engine as [`Reply`] values: no line is ever empty or broken in two.

use std::fmt::Display;

use super::diagram::Diagram;
use super::info::{Info, Rest};
use super::reply::{NO_MOVE, Reply, SizeLine};
use super::{joined, options};
use crate::board::{AnyPosition, Color, Komi, Move, OpeningRule, Size};
use crate::engine::Permissions;
use crate::search::{Players, Report};

/// The longest text of an error, in characters.
const MAX_ERROR_CHARS: usize = 240;

/// The part of it that the end of a longer text gets, in characters.
const MAX_ERROR_END_CHARS: usize = 80;

/// What stands for the middle of a longer text.
const OMISSION: &str = " ... ";

/// The answer to `tei` for a front end with these permissions.
pub fn handshake(permissions: Permissions) -> Vec<Reply> {
    let id = |key: &str, text: &str| Reply::Id { key: key.to_owned(), text: text.to_owned() };
    let mut replies = vec![
        id("name", "tak-engine"),
        id("author", "the tak-engine authors"),
        id("version", env!("CARGO_PKG_VERSION")),
        Reply::Size(SizeLine {
            widths: Size::ALL.map(|size| size.width() as i64).to_vec(),
            half_komi: (Komi::MIN_HALF..=Komi::MAX_HALF).collect(),
        }),
    ];
    replies.extend(options::lines(permissions).map(Reply::Option));
    replies.push(Reply::TeiOk);
    replies
}

/// The `info` lines of a report, with ranks if `multipv` is true.
///
/// With `solved`, a proven result takes two lines with the same line of play, because match runners only read `score
/// cp` and GUIs need `score solved`: first the one, then the other. A GUI may keep the first one unless the second has
/// more nodes, so that counts one node more.
pub fn info(report: &Report, multipv: bool, solved: bool) -> Vec<Reply> {
    let mut replies = Vec::new();
    for (index, line) in report.lines.iter().enumerate() {
        let cp = Info {
            depth: Some(report.depth),
            seldepth: Some(report.seldepth),
            multipv: multipv.then_some(index + 1),
            time: Some(report.time.as_millis().try_into().unwrap_or(u64::MAX)),
            nodes: Some(report.nodes),
            nps: Some(report.nps()),
            hashfull: Some(report.hashfull),
            wdl: Some(report.wdl(line, Players::Engines)),
            cp: Some(line.score.value()),
            solved: None,
            bound: line.bound,
            rest: Some(Rest::Pv(joined(&line.pv))),
        };
        let proof = line.solved.filter(|_| solved).map(|proof| Info {
            nodes: Some(report.nodes + 1),
            cp: None,
            solved: Some(proof.into()),
            ..cp.clone()
        });
        replies.push(Reply::Info(cp));
        replies.extend(proof.map(Reply::Info));
    }
    replies
}

/// The last line of a search; without a move if the game is over or there is no position.
pub fn best_move(best: Option<Move>) -> Reply {
    Reply::BestMove(best.map_or_else(|| NO_MOVE.to_owned(), |mv| mv.to_string()))
}

/// The answer to an invalid line: plain ASCII in one line of bounded length, other characters as `\u{2019}`.
pub fn error(reason: &dyn Display) -> Reply {
    Reply::Info(Info::of(Rest::Error(plain(reason))))
}

/// A remark that is not an error, in the same form.
pub fn remark(text: &dyn Display) -> Reply {
    Reply::Info(Info::of(Rest::Text(plain(text))))
}

fn plain(text: &dyn Display) -> String {
    let text = text.to_string();
    let shown = text.chars().map(|c| match c {
        ' ' | '!'..='~' => c.to_string(),
        _ => c.escape_unicode().to_string(),
    });
    let plain: String = shown.clone().collect();
    if plain.len() <= MAX_ERROR_CHARS {
        return plain;
    }
    // The end says what became of the line, so the middle is left out. An escape is not cut.
    let mut len = OMISSION.len();
    let fits = |part: &String| {
        len += part.len();
        len <= MAX_ERROR_CHARS - MAX_ERROR_END_CHARS
    };
    let start: String = shown.clone().take_while(fits).collect();
    let mut len = 0;
    let end: Vec<String> = shown
        .rev()
        .take_while(|part| {
            len += part.len();
            len <= MAX_ERROR_END_CHARS
        })
        .collect();
    start + OMISSION + &end.into_iter().rev().collect::<String>()
}

/// Returns whether a message is one of [`error`].
pub fn is_error(reply: &str) -> bool {
    reply.starts_with("info error ")
}

/// The position as text, with komi, reserves and opening, which TPS lacks.
pub fn show(position: &AnyPosition) -> Reply {
    let reserves = position.reserves();
    let reserve = |color| format!("{}/{}", reserves[color].stones, reserves[color].caps);
    let opening = match position.opening() {
        OpeningRule::Swap => String::new(),
        other => format!(" opening {other}"),
    };
    text(&format!(
        "tps {position} halfkomi {} reserves {} {}{opening}",
        position.komi().half(),
        reserve(Color::White),
        reserve(Color::Black)
    ))
}

/// The board as a diagram, and the position below it.
pub fn draw(position: &AnyPosition) -> Vec<Reply> {
    let diagram = Diagram(&position.to_setup()).to_string();
    let mut replies: Vec<Reply> = diagram.lines().map(text).collect();
    replies.push(show(position));
    replies
}

/// Help for a person who has started the program in a terminal.
pub fn help() -> Vec<Reply> {
    const HELP: &str = "\
tak-engine speaks TEI, the protocol of Tak GUIs. For all else it can do: tak-engine --help
tei                                        name, board sizes and options
isready                                    answers readyok
setoption name NAME value VALUE            sets an option
teinewgame size N [komi K | halfkomi K]    begins a game
position startpos [moves a1 f6 ...]        sets the position; also: position tps BOARD SIDE NUMBER [moves ...]
go movetime MS                             searches; also: depth N, nodes N, infinite, solved, searchmoves M ..., wtime MS btime MS
stop                                       ends the search
d                                          shows the board
show                                       shows the position as TPS
quit                                       ends the program";
    HELP.lines().map(text).collect()
}

fn text(line: &str) -> Reply {
    Reply::Info(Info::of(Rest::Text(line.trim_end().to_owned())))
}
