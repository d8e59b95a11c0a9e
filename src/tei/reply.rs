//! What the engine says: plain data to TEI lines. Pure; no line is ever empty or broken in two.

use std::fmt::{self, Display, Write};

use super::options::{EMPTY, TABLE, WEIGHTS_FILE};
use crate::board::AnyPosition;
use crate::board::{Color, Komi, Move, OpeningRule, Size};
use crate::search::{Line, Report, Solved};

/// The longest text of an error, in characters.
const MAX_ERROR: usize = 240;

/// The answer to `tei`.
#[must_use]
pub fn handshake() -> Vec<String> {
    let mut lines = vec![
        concat!("id name ", env!("CARGO_PKG_NAME")).to_owned(),
        "id author the tak-engine authors".to_owned(),
        concat!("id version ", env!("CARGO_PKG_VERSION")).to_owned(),
        format!(
            "size {} halfkomi {}",
            words(Size::ALL),
            words(Komi::MIN_HALF..=Komi::MAX_HALF)
        ),
    ];
    lines.extend(TABLE.iter().map(|entry| format!("option {entry}")));
    lines.push(format!(
        "option name {WEIGHTS_FILE} type string default {EMPTY}"
    ));
    #[cfg(feature = "tuning")]
    lines.extend(super::margins::entries().map(|entry| format!("option {entry}")));
    lines.push("teiok".to_owned());
    lines
}

fn words<T: Display>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    items.join(" ")
}

/// The `info` lines of a report, `multipv` where more than one line of play is wanted.
///
/// With `solved`, a proven result takes two lines with the same line of play, because match runners only read `score cp`
/// and GUIs want `score solved`: first the one, then the other. A GUI may keep the one that comes first unless the other
/// looks better searched, so the second counts one node more.
#[must_use]
pub fn info(report: &Report, multipv: bool, solved: bool) -> Vec<String> {
    let mut lines = Vec::new();
    for (index, line) in report.lines.iter().enumerate() {
        let rank = multipv.then_some(index + 1);
        lines.push(info_line(
            report,
            line,
            rank,
            report.nodes,
            format_args!("cp {}", line.score.value()),
        ));
        let proof = line.solved.or(line.score.solved());
        if let Some(proof) = proof.filter(|_| solved) {
            let (result, plies) = match proof {
                Solved::Win(plies) => ("win", plies),
                Solved::Loss(plies) => ("loss", plies),
                Solved::Draw(plies) => ("draw", plies),
            };
            lines.push(info_line(
                report,
                line,
                rank,
                report.nodes + 1,
                format_args!("solved {result} {plies}"),
            ));
        }
    }
    lines
}

fn info_line(
    report: &Report,
    line: &Line,
    rank: Option<usize>,
    nodes: u64,
    score: fmt::Arguments<'_>,
) -> String {
    let mut text = format!("info depth {} seldepth {}", report.depth, report.seldepth);
    if let Some(rank) = rank {
        push(&mut text, format_args!(" multipv {rank}"));
    }
    push(
        &mut text,
        format_args!(
            " time {} nodes {nodes} nps {} hashfull {} wdl {} score {score} pv {}",
            report.time.as_millis(),
            report.nps(),
            report.hashfull,
            words(line.wdl()),
            words(line.pv.iter().map(|&mv| mv.to_string()))
        ),
    );
    text
}

/// Appends to a `String`, which cannot fail.
fn push(text: &mut String, more: fmt::Arguments<'_>) {
    let _ = text.write_fmt(more);
}

/// The last line of a search; `--` stands for no move: the game is over, or there is no position.
#[must_use]
pub fn best_move(best: Option<Move>) -> String {
    match best {
        Some(mv) => format!("bestmove {mv}"),
        None => "bestmove --".to_owned(),
    }
}

/// The answer to a line that is not obeyed: plain ASCII in one line of bounded length, whatever the reason quotes.
#[must_use]
pub fn error(reason: &dyn Display) -> String {
    let text: String = reason
        .to_string()
        .chars()
        .map(|c| {
            if c == ' ' || c.is_ascii_graphic() {
                c
            } else {
                '?'
            }
        })
        .take(MAX_ERROR)
        .collect();
    format!("info error {text}")
}

/// The position as text, with what TPS does not say.
#[must_use]
pub fn show(position: &AnyPosition) -> String {
    let reserves = position.reserves();
    let reserve = |color| format!("{}/{}", reserves[color].stones, reserves[color].caps);
    let opening = match position.opening() {
        OpeningRule::Swap => String::new(),
        other => format!(" opening {other}"),
    };
    format!(
        "info string tps {} halfkomi {} reserves {} {}{opening}",
        position,
        position.komi().half(),
        reserve(Color::White),
        reserve(Color::Black)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::parse_move;
    use crate::search::Score;
    use std::time::Duration;

    fn report(lines: &[(Score, Option<Solved>, &[&str])]) -> Report {
        let line = |&(score, solved, pv): &(Score, Option<Solved>, &[&str])| Line {
            score,
            solved,
            pv: pv
                .iter()
                .map(|text| parse_move(text, Size::ALL[3]).unwrap())
                .collect(),
        };
        Report {
            depth: 3,
            seldepth: 9,
            lines: lines.iter().map(line).collect(),
            nodes: 5000,
            time: Duration::from_millis(20),
            hashfull: 7,
        }
    }

    #[test]
    fn one_line_of_play() {
        let report = report(&[(Score::centiflats(0), None, &["Sa1", "3c3>12", "2c4-"])]);
        assert_eq!(
            info(&report, false, true),
            [
                "info depth 3 seldepth 9 time 20 nodes 5000 nps 250000 hashfull 7 wdl 480 40 480 score cp 0 \
                 pv Sa1 3c3>12 2c4-"
            ]
        );
    }

    #[test]
    fn proven_results_take_two_lines() {
        let report = report(&[
            (Score::win_in(3), None, &["a1"]),
            (Score::DRAW, Some(Solved::Draw(4)), &["a2"]),
            (Score::loss_in(2), Some(Solved::Loss(2)), &["a3"]),
        ]);
        let line = |multipv, nodes, wdl, score, pv| {
            format!(
                "info depth 3 seldepth 9 multipv {multipv} time 20 nodes {nodes} nps 250000 hashfull 7 wdl {wdl} \
                 score {score} pv {pv}"
            )
        };
        assert_eq!(
            info(&report, true, true),
            [
                line(1, 5000, "1000 0 0", "cp 29997", "a1"),
                line(1, 5001, "1000 0 0", "solved win 3", "a1"),
                line(2, 5000, "0 1000 0", "cp 0", "a2"),
                line(2, 5001, "0 1000 0", "solved draw 4", "a2"),
                line(3, 5000, "0 0 1000", "cp -29998", "a3"),
                line(3, 5001, "0 0 1000", "solved loss 2", "a3"),
            ]
        );
        assert_eq!(
            info(&report, true, false),
            [
                line(1, 5000, "1000 0 0", "cp 29997", "a1"),
                line(2, 5000, "0 1000 0", "cp 0", "a2"),
                line(3, 5000, "0 0 1000", "cp -29998", "a3"),
            ]
        );
    }

    #[test]
    fn errors_stay_in_one_short_line() {
        let text = error(&format!("a\nb\r\u{2028}\u{7}\u{e9}{}", "x".repeat(1000)));
        assert!(text.starts_with("info error a?b????xxx"), "{text}");
        assert!(text.len() < 300 && text.bytes().all(|b| b == b' ' || b.is_ascii_graphic()));
    }
}
