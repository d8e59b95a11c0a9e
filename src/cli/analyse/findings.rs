//! The answer about one position, as text and as JSON.

use std::fmt;

use serde::Serialize;

use crate::board::{EndReason, Game, Outcome, Setup};
use crate::engine::{Level, Settings};
use crate::eval::Explained;
use crate::notation::counted;
use crate::search::{Bound, Line, Players, Report, Solved};
use crate::tei::diagram::Diagram;

/// All findings about one position. `--json` prints these fields.
#[derive(Debug, Serialize)]
pub(super) struct Findings {
    tps: String,
    size: usize,
    komi: f64,
    outcome: Option<Over>,
    best: Option<String>,
    pv: Vec<String>,
    score_cp: Option<i32>,
    solved: Option<Proven>,
    shortest: bool,
    wdl: Option<[u32; 3]>,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    lines: Vec<Variation>,
    explain: Vec<Share>,
    #[serde(skip)]
    setup: Setup,
    #[serde(skip)]
    nps: u64,
    #[serde(skip)]
    level: Option<Level>,
}

#[derive(Debug, Serialize)]
struct Over {
    winner: Option<String>,
    reason: &'static str,
    #[serde(skip)]
    text: String,
}

/// A forced result for the player to move: `{"result":"win","plies":5}`.
#[derive(Debug, Clone, Copy, Serialize)]
struct Proven {
    result: &'static str,
    plies: u32,
}

#[derive(Debug, Serialize)]
struct Variation {
    /// `None` at a level, since it plays some moves without a score. Proven results are certain there, too.
    score_cp: Option<i32>,
    /// On which side of `score_cp` the true score is.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    solved: Option<Proven>,
    wdl: Option<[u32; 3]>,
    pv: Vec<String>,
}

/// One term of the static evaluation, for the player to move.
#[derive(Debug, Serialize)]
struct Share {
    term: &'static str,
    score_cp: f64,
}

impl Findings {
    pub(super) fn new(game: &Game, report: &Report, settings: &Settings) -> Self {
        let position = game.position();
        let evaluator = settings.weights.evaluator(position.size());
        let setup = position.to_setup();
        let lines = report.lines.iter();
        let lines: Vec<Variation> = lines.map(|line| Variation::new(report, line, settings.level)).collect();
        let share = |e: Explained| Share { term: e.name, score_cp: (e.score * 100.0).round() / 100.0 };
        let first = lines.first();
        Self {
            tps: setup.to_string(),
            size: setup.size.width(),
            komi: f64::from(setup.komi.half()) / 2.0,
            outcome: position.outcome().map(Over::from),
            best: report.best().map(|mv| mv.to_string()),
            pv: first.map(|line| line.pv.clone()).unwrap_or_default(),
            score_cp: first.and_then(|line| line.score_cp),
            solved: first.and_then(|line| line.solved),
            shortest: report.shortest,
            wdl: first.and_then(|line| line.wdl),
            depth: report.depth,
            nodes: report.nodes,
            time_ms: u64::try_from(report.time.as_millis()).unwrap_or(u64::MAX),
            lines,
            explain: position.explain(evaluator).into_iter().map(share).collect(),
            nps: report.nps(),
            level: settings.level,
            setup,
        }
    }

    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data with string keys always serialises")
    }

    /// One line of text, for batches.
    pub(super) fn to_line(&self) -> String {
        match (&self.outcome, self.lines.first()) {
            (Some(over), _) => format!("{}: {}", self.tps, over.text),
            (None, Some(line)) if !line.is_evaluated() => {
                format!("{}: {} depth {} nodes {}", self.tps, line.best(), self.depth, self.nodes)
            }
            (None, Some(line)) => {
                format!("{}: {} {line} depth {} nodes {}", self.tps, line.best(), self.depth, self.nodes)
            }
            (None, None) => self.tps.clone(),
        }
    }
}

/// All of it, for a person.
impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Diagram(&self.setup))?;
        writeln!(
            f,
            "{}x{}, komi {}, move {}, {} to play",
            self.size, self.size, self.setup.komi, self.setup.move_number, self.setup.to_move
        )?;
        if let Some(over) = &self.outcome {
            return writeln!(f, "game over: {}", over.text);
        }
        let Some(first) = self.lines.first() else {
            return Ok(());
        };
        match self.level {
            None => writeln!(f, "\nbest move  {}", first.best())?,
            Some(level) => writeln!(f, "\nlevel {:<4} {}", level.number(), first.best())?,
        }
        let shortest = if self.shortest { ", not sooner" } else { "" };
        if first.is_evaluated() {
            writeln!(f, "score      {first}{shortest}")?;
        }
        writeln!(
            f,
            "search     depth {}, {} nodes in {:.2} s, {} nodes/s",
            self.depth,
            self.nodes,
            self.time_ms as f64 / 1000.0,
            self.nps
        )?;
        for (index, line) in self.lines.iter().enumerate() {
            let name = if self.lines.len() == 1 { "line".to_owned() } else { format!("line {}", index + 1) };
            let score = if self.lines.len() == 1 || !line.is_evaluated() { String::new() } else { format!("{line}: ") };
            writeln!(f, "{name:<10} {score}{}", line.pv.join(" "))?;
        }
        Ok(())
    }
}

/// An iteration as it is shown during the search.
pub(super) fn progress(report: &Report, level: Option<Level>) -> String {
    let Some(line) = report.lines.first() else {
        return String::new();
    };
    let line = Variation::new(report, line, level);
    let time = report.time.as_secs_f64();
    format!("depth {:>2}  {time:>6.2} s  {:>11} nodes  {line}  {}", report.depth, report.nodes, line.pv.join(" "))
}

impl Variation {
    fn new(report: &Report, line: &Line, level: Option<Level>) -> Self {
        let is_known = level.is_none() || line.solved.is_some();
        Self {
            score_cp: is_known.then(|| line.score.value()),
            bound: line.bound.filter(|_| is_known).map(|bound| match bound {
                Bound::Lower => "lower",
                Bound::Upper => "upper",
            }),
            solved: line.solved.map(Proven::from),
            wdl: is_known.then(|| report.wdl(line, Players::Engines)),
            pv: line.pv.iter().copied().map(|mv| mv.to_string()).collect(),
        }
    }

    /// Returns whether there is a score to show.
    fn is_evaluated(&self) -> bool {
        self.score_cp.is_some()
    }

    fn best(&self) -> &str {
        self.pv.first().map_or("none", String::as_str)
    }
}

/// Nothing at a level, or else `+1.25 flats (chance 73 % between engines)` or `wins in 5 plies`. The percentage counts
/// a draw half, and is 0 or 100 only for a proven result.
impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(Proven { result, plies }) = self.solved {
            let verb = if result == "win" { "wins" } else { "loses" };
            return write!(f, "{verb} in {}", counted(plies, "ply", "plies"));
        }
        let bound = match self.bound {
            Some("lower") => "at least ",
            Some(_) => "at most ",
            None => "",
        };
        let (Some(score_cp), Some([win, draw, _])) = (self.score_cp, self.wdl) else {
            return Ok(());
        };
        let flats = f64::from(score_cp) / 100.0;
        let chance = f64::from(win) / 10.0 + f64::from(draw) / 20.0;
        let chance = chance.clamp(1.0, 99.0);
        write!(f, "{bound}{flats:+.2} flats (chance {chance:.0} % between engines)")
    }
}

impl From<Solved> for Proven {
    fn from(solved: Solved) -> Self {
        let (result, plies) = match solved {
            Solved::Win(plies) => ("win", plies),
            Solved::Loss(plies) => ("loss", plies),
        };
        Self { result, plies }
    }
}

impl From<Outcome> for Over {
    fn from(outcome: Outcome) -> Self {
        let Outcome { winner, reason } = outcome;
        Self {
            winner: winner.map(|color| color.to_string().to_lowercase()),
            reason: match reason {
                EndReason::Road => "road",
                EndReason::BoardFull => "board full",
                EndReason::Reserves => "reserves",
            },
            text: match winner {
                Some(color) => format!("{color} wins {reason}"),
                None => format!("a draw {reason}"),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Score;

    #[test]
    fn lines_show_the_winner_and_the_distance() {
        let line = |score: Score| {
            let line = Line { score, bound: None, solved: score.solved(), pv: vec![] };
            Variation::new(&Report::default(), &line, None).to_string()
        };
        let at_least = Line { score: Score::DRAW, bound: Some(Bound::Lower), solved: None, pv: vec![] };
        let at_least = Variation::new(&Report::default(), &at_least, None);
        assert_eq!(at_least.to_string(), "at least +0.00 flats (chance 50 % between engines)");
        assert!(serde_json::to_string(&at_least).unwrap().contains(r#""score_cp":0,"bound":"lower""#));
        assert_eq!(line(Score::win_in(1)), "wins in 1 ply");
        assert_eq!(line(Score::loss_in(4)), "loses in 4 plies");
        assert_eq!(line(Score::DRAW), "+0.00 flats (chance 50 % between engines)");
        for (value, chance) in [(125, 73), (9000, 99), (-9000, 1)] {
            let text = line(Score::centiflats(value));
            let chance = format!("(chance {chance} % between engines)");
            assert!(text.ends_with(&chance), "{text}");
        }
    }
}
