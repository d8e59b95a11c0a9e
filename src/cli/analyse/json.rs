//! The answer about one position as JSON.

use serde::Serialize;

use super::findings::Findings;
use crate::analysis::explain::Reason;
use crate::board::{Color, EndReason, Move, Outcome};
use crate::eval::Explained;
use crate::search::{Bound, Line, Players, Solved};

/// The fields of an answer, see docs/command-line.md. Scores and results are those of the player to move.
#[derive(Debug, Serialize)]
struct View<'a> {
    tps: String,
    size: usize,
    komi: f64,
    outcome: Option<Over>,
    best: Option<Move>,
    pv: &'a [Move],
    score_cp: Option<i32>,
    solved: Option<Proven>,
    shortest: bool,
    wdl: Option<[u32; 3]>,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    reasons: &'a [Reason],
    lines: Vec<Variation<'a>>,
    terms: Vec<Share>,
}

#[derive(Debug, Serialize)]
struct Over {
    winner: Option<&'static str>,
    reason: &'static str,
}

/// `{"result":"win","plies":5}`.
#[derive(Debug, Clone, Copy, Serialize)]
struct Proven {
    result: &'static str,
    plies: u32,
}

#[derive(Debug, Serialize)]
struct Variation<'a> {
    score_cp: Option<i32>,
    /// On which side of `score_cp` the true score is.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    solved: Option<Proven>,
    wdl: Option<[u32; 3]>,
    pv: &'a [Move],
    reasons: &'a [Reason],
}

#[derive(Debug, Serialize)]
struct Share {
    term: &'static str,
    score_cp: f64,
}

impl Findings<'_> {
    pub fn to_json(&self) -> String {
        serde_json::to_string(&View::of(self)).expect("plain data with string keys always serialises")
    }
}

impl<'a> View<'a> {
    fn of(findings: &'a Findings) -> Self {
        let (position, report) = (findings.game.position(), &findings.report);
        let reasons = |place: usize| findings.reasons.get(place).map_or(&[][..], Vec::as_slice);
        let lines: Vec<_> = report
            .lines
            .iter()
            .enumerate()
            .map(|(place, line)| Variation::of(findings, line, reasons(place)))
            .collect();
        let first = lines.first();
        let share = |term: Explained| Share { term: term.name, score_cp: (term.score * 100.0).round() / 100.0 };
        Self {
            tps: position.to_string(),
            size: position.size().width(),
            komi: f64::from(position.komi().half()) / 2.0,
            outcome: position.outcome().map(Over::from),
            best: report.best(),
            pv: first.map_or(&[], |line| line.pv),
            score_cp: first.and_then(|line| line.score_cp),
            solved: first.and_then(|line| line.solved),
            shortest: report.shortest,
            wdl: first.and_then(|line| line.wdl),
            depth: report.depth,
            nodes: report.nodes,
            time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            reasons: reasons(0),
            terms: findings.terms().into_iter().map(share).collect(),
            lines,
        }
    }
}

impl<'a> Variation<'a> {
    fn of(findings: &Findings, line: &'a Line, reasons: &'a [Reason]) -> Self {
        let is_known = findings.is_evaluated(line);
        Self {
            score_cp: is_known.then(|| line.score.value()),
            bound: line.bound.filter(|_| is_known).map(|bound| match bound {
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            }),
            solved: line.solved.map(Proven::from),
            wdl: is_known.then(|| findings.report.wdl(line, Players::Engines)),
            pv: &line.pv,
            reasons,
        }
    }
}

impl From<Solved> for Proven {
    fn from(solved: Solved) -> Self {
        let result = match solved {
            Solved::Win(_) => "win",
            Solved::Loss(_) => "loss",
        };
        Self { result, plies: solved.plies() }
    }
}

impl From<Outcome> for Over {
    fn from(outcome: Outcome) -> Self {
        Self {
            winner: outcome.winner.map(|color| match color {
                Color::White => "white",
                Color::Black => "black",
            }),
            reason: match outcome.reason {
                EndReason::Road => "road",
                EndReason::BoardFull => "board full",
                EndReason::Reserves => "reserves",
            },
        }
    }
}
