//! The answer about one position, as text.

use std::fmt;

use super::terms::Table;
use super::verdict::{Ending, Verdict};
use crate::analysis::explain::{self, Reason};
use crate::board::{Game, Outcome};
use crate::engine::{Engine, Level, Task};
use crate::eval::{Evaluator, Explained};
use crate::search::{Line, Report};

/// All findings about one position.
pub(super) struct Findings<'a> {
    pub game: &'a Game,
    pub report: Report,
    evaluator: &'a Evaluator,
    level: Option<Level>,
    /// Of each line. Not examined for JSON, which does not show them.
    endings: Vec<Option<Ending>>,
    task: Task,
    /// The text shows the terms of the evaluation.
    with_terms: bool,
    /// Why the first moves of the lines are good, a list for each line; the text shows the first.
    pub reasons: Vec<Vec<Reason>>,
}

/// What is shown of an answer, besides its moves and scores.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// As text rather than as JSON.
    pub text: bool,
    pub terms: bool,
    /// With reasons for the best moves.
    pub reasons: bool,
}

impl<'a> Findings<'a> {
    pub fn new(engine: &'a mut Engine, game: &'a Game, report: Report, task: Task, shown: Shown) -> Self {
        let lines = (0..).zip(report.lines.iter().filter(|_| shown.text));
        let endings = lines.map(|(place, line)| Ending::examined(engine, game, line, place, report.nodes)).collect();
        let explained = match (shown.reasons, shown.text) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => report.lines.len(),
        };
        let reasons = report.lines[..explained.min(report.lines.len())]
            .iter()
            .zip(0..)
            // What the opponent would do after a pass is searched once.
            .map(|(line, place)| explain::reasons(game, line, (place == 0).then_some(&mut *engine)))
            .collect();
        let settings = engine.settings();
        let evaluator = settings.weights.evaluator(game.position().size());
        Self { game, report, evaluator, level: settings.level, endings, task, with_terms: shown.terms, reasons }
    }

    /// One line of text, for batches.
    pub fn to_line(&self) -> String {
        let (position, Report { depth, nodes, .. }) = (self.game.position(), &self.report);
        if let Some(outcome) = position.outcome() {
            return format!("{position}: {}", Over(outcome));
        }
        let Some((first, verdict)) = self.report.lines.first().zip(self.verdict(0)) else {
            return position.to_string();
        };
        let proof = if self.is_unproven() { "not proven, " } else { "" };
        let score = if self.is_evaluated(first) { format!("{proof}{verdict} ") } else { String::new() };
        format!("{position}: {} {score}depth {depth} nodes {nodes}", best(first))
    }

    /// The terms of the static evaluation, for the player to move.
    pub fn terms(&self) -> Vec<Explained> {
        self.game.position().explain(self.evaluator)
    }

    /// Returns whether there is a score to show: a level plays some moves without one, but a proven result is certain.
    pub fn is_evaluated(&self, line: &Line) -> bool {
        self.level.is_none() || line.solved.is_some()
    }

    fn verdict(&self, place: usize) -> Option<Verdict<'_>> {
        let line = self.report.lines.get(place)?;
        let ending = self.endings.get(place).copied().flatten();
        let mover = self.game.position().to_move();
        Some(Verdict { mover, line, ending, shortest: place == 0 && self.report.shortest })
    }

    /// Returns whether a proof was asked for and not found.
    fn is_unproven(&self) -> bool {
        self.task != Task::Play && self.report.lines.first().is_some_and(|line| line.solved.is_none())
    }
}

/// All of it below the board, for a person.
impl fmt::Display for Findings<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (position, report) = (self.game.position(), &self.report);
        let (size, komi) = (position.size(), position.komi());
        writeln!(f, "{size}x{size}, komi {komi}, move {}, {} to play", position.move_number(), position.to_move())?;
        if let Some(outcome) = position.outcome() {
            return writeln!(f, "game over: {}", Over(outcome));
        }
        let Some((first, verdict)) = report.lines.first().zip(self.verdict(0)) else {
            return Ok(());
        };
        writeln!(f)?;
        if self.is_unproven() {
            writeln!(f, "not proven")?;
        } else if self.task == Task::Shortest && !report.shortest {
            writeln!(f, "not proven to be the shortest")?;
        }
        match self.level {
            None => writeln!(f, "best move  {}", best(first))?,
            Some(level) => writeln!(f, "level {:<4} {}", level.number(), best(first))?,
        }
        if self.is_evaluated(first) {
            writeln!(f, "score      {verdict:#}")?;
        }
        // The score says what is proven.
        let reasons = self.reasons.iter().flatten().filter(|reason| !reason.kind.starts_with("forced-"));
        for (place, reason) in reasons.enumerate() {
            writeln!(f, "{:<11}{}", if place == 0 { "why" } else { "" }, reason.text)?;
        }
        let (seconds, nps) = (report.time.as_secs_f64(), report.nps());
        writeln!(f, "search     depth {}, {} nodes in {seconds:.2} s, {nps} nodes/s", report.depth, report.nodes)?;
        for (place, line) in report.lines.iter().enumerate() {
            let is_only = report.lines.len() == 1;
            let name = if is_only { "line".to_owned() } else { format!("line {}", place + 1) };
            write!(f, "{name:<11}")?;
            if let Some(verdict) = self.verdict(place).filter(|_| !is_only && self.is_evaluated(line)) {
                write!(f, "{verdict}: ")?;
            }
            writeln!(f, "{}", moves(line))?;
        }
        if self.with_terms {
            write!(f, "\n{}", Table { terms: self.terms(), mover: position.to_move() })?;
        }
        Ok(())
    }
}

/// The result of a finished game: `White wins by a road`.
struct Over(Outcome);

impl fmt::Display for Over {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { winner, reason } = self.0;
        match winner {
            Some(color) => write!(f, "{color} wins {reason}"),
            None => write!(f, "a draw {reason}"),
        }
    }
}

/// An iteration as it is shown during the search.
pub(super) fn progress(game: &Game, report: &Report, level: Option<Level>) -> String {
    let Some(line) = report.lines.first() else {
        return String::new();
    };
    let verdict = Verdict { mover: game.position().to_move(), line, ending: None, shortest: false };
    let score = if level.is_none() || line.solved.is_some() { format!("{verdict}  ") } else { String::new() };
    let (depth, seconds, nodes) = (report.depth, report.time.as_secs_f64(), report.nodes);
    format!("depth {depth:>2}  {seconds:>6.2} s  {nodes:>11} nodes  {score}{}", moves(line))
}

fn best(line: &Line) -> String {
    line.pv.first().map_or("none".to_owned(), ToString::to_string)
}

fn moves(line: &Line) -> String {
    let moves: Vec<String> = line.pv.iter().map(ToString::to_string).collect();
    moves.join(" ")
}
