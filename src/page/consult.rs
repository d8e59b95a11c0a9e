//! What a second engine says of a position: the `info` lines of TEI as the page shows them, and its move.

use std::time::Duration;

use serde_json::{Value, json};

use super::answer::{MAX_LINES, seconds};
use super::question::{Kind, Question, message, refusal};
use super::search_view::search_view;
use crate::board::{Color, Game, Move, with_position};
use crate::notation::{Deviations, parse_move, read_move};
use crate::search::{Line, Report, Score, Solved, level_draws};
use crate::tei::info::{Claim, Info, Rest};

/// Most characters shown of an answer that is no move.
const MAX_MOVE_CHARS: usize = 40;

/// What a second engine should do.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim {
    /// Analyse until it is stopped, with this number of best moves.
    Analysis(usize),
    /// Choose a move in this time.
    Move(Duration),
    /// Choose a move with this clock of the player to move.
    MoveByClock {
        /// The time left.
        remaining: Duration,
        /// Added after each move.
        increment: Duration,
    },
    /// Say whether it plays games like this.
    Check,
}

/// A question to a second engine.
#[derive(Debug)]
pub struct Consultation {
    id: u64,
    game: Box<Game>,
    aim: Aim,
}

impl Consultation {
    /// Reads a question.
    ///
    /// # Errors
    /// The answer that refuses it.
    pub fn read(mut question: Question) -> Result<Self, String> {
        let id = question.id;
        let mut read = || {
            let aim = if let Some(lines) = question.take::<Option<usize>>("lines")? {
                Aim::Analysis(lines.clamp(1, MAX_LINES))
            } else if question.take_or_default("check")? {
                Aim::Check
            } else if let Some(left) = question.take("left")? {
                let [remaining, increment] = [left, question.take("increment")?].map(seconds);
                Aim::MoveByClock { remaining, increment }
            } else {
                Aim::Move(seconds(question.take("seconds")?))
            };
            Ok(Self { id, game: Box::new(question.unfinished()?), aim })
        };
        read().map_err(|fault| refusal(id, &fault))
    }

    /// The game up to the position meant, which is not over there.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What the engine should do.
    pub fn aim(&self) -> &Aim {
        &self.aim
    }

    /// The number of best moves that are wanted.
    pub fn lines(&self) -> usize {
        if let Aim::Analysis(lines) = self.aim { lines } else { 1 }
    }

    /// The answer at the end of an analysis or a check.
    pub fn done(&self) -> String {
        message(self.id, Kind::Consult.answer(true.into()))
    }

    /// The answer if the engine fails.
    pub fn failed(&self, why: &str) -> String {
        message(self.id, json!({"error": why}))
    }
}

/// What an engine has said of a position so far.
#[derive(Debug)]
pub struct Findings<'a> {
    consultation: &'a Consultation,
    report: Report,
    /// The chances of the player to move by line, if the engine tells them.
    chances: Vec<Option<[u32; 3]>>,
    /// Its last complaint.
    error: Option<String>,
}

impl<'a> Findings<'a> {
    /// Nothing so far.
    pub fn new(consultation: &'a Consultation) -> Self {
        let level_draws = with_position!(consultation.game.position(), p => level_draws(p));
        let report = Report { level_draws, ..Report::default() };
        Self { consultation, report, chances: Vec::new(), error: None }
    }

    /// Adds a line of the engine. Returns whether there is something new to show: a legal move with a score.
    pub fn note(&mut self, info: Info) -> bool {
        let rank = info.multipv.unwrap_or(1);
        let moves = match info.rest {
            Some(Rest::Pv(text)) => self.legal(&text),
            Some(Rest::Error(text)) => {
                self.error = Some(text);
                return false;
            }
            _ => return false,
        };
        let solved = match info.solved {
            Some(Claim::Decided(solved)) => Some(solved),
            _ => None,
        };
        let most = |plies: u32| (plies as usize).min(Score::MAX_PLY);
        let score = match (info.cp, solved) {
            (_, Some(Solved::Win(plies))) => Score::win_in(most(plies)),
            (_, Some(Solved::Loss(plies))) => Score::loss_in(most(plies)),
            (Some(cp), None) => Score::centiflats(cp),
            (None, None) => return false,
        };
        // Lines come in their order; one that is far from the others is a mistake.
        if moves.is_empty() || rank == 0 || rank > self.consultation.lines().min(self.report.lines.len() + 1) {
            return false;
        }
        let report = &mut self.report;
        report.depth = info.depth.unwrap_or(report.depth);
        report.nodes = info.nodes.unwrap_or(report.nodes);
        report.time = info.time.map_or(report.time, Duration::from_millis);
        let chances = info.wdl.filter(|wdl| wdl.iter().map(|&part| u64::from(part)).sum::<u64>() == 1000);
        if rank > report.lines.len() {
            report.lines.push(Line { score, bound: info.bound, solved, pv: moves });
            self.chances.push(chances);
        } else {
            report.lines[rank - 1] = Line { score, bound: info.bound, solved, pv: moves };
            self.chances[rank - 1] = chances;
        }
        true
    }

    /// The moves of a line up to the first that is none, or that follows the end of the game.
    fn legal(&self, text: &str) -> Vec<Move> {
        let mut game = self.consultation.game.clone();
        let size = game.position().size();
        let moves = text.split_ascii_whitespace().map_while(|word| parse_move(word, size).ok());
        moves.take_while(|&mv| game.play(mv).is_ok()).collect()
    }

    /// The answer so far.
    pub fn report(&self) -> String {
        let position = self.consultation.game.position();
        let mut view = search_view(position, &self.report);
        for (index, chances) in self.chances.iter().enumerate() {
            if let Some(mut chances) = *chances {
                if position.to_move() == Color::Black {
                    chances.reverse();
                }
                view["lines"][index]["chances"] = Value::from(chances.to_vec());
            }
        }
        message(self.consultation.id, json!({"report": view}))
    }

    /// The answer at the end, when the engine has named its best move: that move if one was wanted.
    pub fn answer(&self, best: &str) -> String {
        let Consultation { id, aim, .. } = *self.consultation;
        if let Aim::Analysis(_) | Aim::Check = aim {
            let fault = self.report.lines.is_empty().then(|| self.complaint("it told no line with a score"));
            return fault.map_or_else(|| self.consultation.done(), |why| self.consultation.failed(&why));
        }
        match self.played(best) {
            Ok(mv) => message(id, Kind::Consult.answer(mv.to_string().into())),
            Err(why) => self.consultation.failed(&why),
        }
    }

    /// The last complaint of the engine, or else this one.
    fn complaint(&self, otherwise: &str) -> String {
        self.error.clone().unwrap_or_else(|| otherwise.to_owned())
    }

    /// The legal move of this text.
    fn played(&self, text: &str) -> Result<Move, String> {
        if text.is_empty() {
            return Err(self.complaint("it named no move"));
        }
        let mut game = self.consultation.game.clone();
        let said: String = text.chars().take(MAX_MOVE_CHARS).collect();
        let mv = read_move(text, game.position().size(), &mut Deviations::default())
            .map_err(|_| format!("its answer {said:?} is no move"))?;
        game.play(mv).map_err(|error| format!("its move {said} is illegal: {error}"))?;
        Ok(mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tei::reply::{self, Reply};

    fn consultation(tps: &str, lines: usize) -> Consultation {
        let start = json!({"size": 3, "half_komi": 0, "opening": "swap", "tps": tps});
        let game = json!({"start": start, "moves": []});
        ask(&json!({"id": 7, "do": "consult", "game": game, "lines": lines}))
    }

    fn ask(question: &Value) -> Consultation {
        Consultation::read(Question::read(&question.to_string()).unwrap()).unwrap()
    }

    fn note(findings: &mut Findings, line: &str) -> bool {
        let Ok(Reply::Info(info)) = reply::parse(&format!("info {line}")) else { panic!("{line}") };
        findings.note(info)
    }

    #[test]
    fn lines_of_another_engine_are_shown_like_ours() {
        let consultation = consultation("x3/1,1,x/2,2,x 2 3", 2);
        let mut findings = Findings::new(&consultation);
        assert_eq!(findings.answer("c1"), r#"{"error":"it told no line with a score","id":7}"#);
        assert!(note(&mut findings, "depth 4 nodes 90 time 3 score cp 130 pv c3 c2 c1 zz"));
        assert!(note(&mut findings, "multipv 2 wdl 600 0 400 score cp -50 pv Sc2"));
        assert!(note(&mut findings, "multipv 1 depth 5 score solved win 1 pv c1 a3"));
        let report: Value = serde_json::from_str(&findings.report()).unwrap();
        assert_eq!(report["id"], 7);
        let [first, second] = [0, 1].map(|index| &report["report"]["lines"][index]);
        assert_eq!((&first["proven"], &first["moves"]), (&json!("Black has a road in 1 move"), &json!(["c1"])));
        assert_eq!((&second["chances"], &second["score"]), (&json!([400, 0, 600]), &json!("+0.50")));
        assert_eq!((&report["report"]["depth"], &report["report"]["nodes"]), (&json!(5), &json!(90)));
        assert_eq!(findings.answer("zz"), r#"{"consulted":true,"id":7}"#);
    }

    #[test]
    fn a_move_of_another_engine_is_checked() {
        let start = json!({"size": 3, "half_komi": 0, "opening": "swap"});
        let question = json!({"id": 7, "do": "consult", "game": {"start": start, "moves": ["a1", "c3", "b2"]}});
        let with = |fields: [(&str, Value); 2]| {
            let mut question = question.clone();
            for (name, value) in fields {
                question[name] = value;
            }
            ask(&question)
        };
        let time = Duration::from_millis(1500);
        let by_time = with([("seconds", json!(1.5)), ("increment", Value::Null)]);
        assert_eq!(*by_time.aim(), Aim::Move(time));
        let clock = Aim::MoveByClock { remaining: time, increment: Duration::ZERO };
        assert_eq!(*with([("left", json!(1.5)), ("increment", json!(-4))]).aim(), clock);
        let mut findings = Findings::new(&by_time);
        assert_eq!(findings.answer("A1>"), r#"{"consulted":"a1>","id":7}"#);
        for (text, why) in [
            ("", "it named no move"),
            ("resign", "its answer \"resign\" is no move"),
            ("b2", "its move b2 is illegal: "),
            ("3a1>", "its "),
            (&"9".repeat(1000), "its answer \"99999"),
        ] {
            let answer: Value = serde_json::from_str(&findings.answer(text)).unwrap();
            assert!(answer["error"].as_str().unwrap().starts_with(why) && answer.to_string().len() < 200, "{answer}");
        }
        note(&mut findings, "error no such position");
        assert!(findings.answer("").contains("no such position"));
    }

    #[test]
    fn nonsense_of_another_engine_is_not_shown() {
        let consultation = consultation("x3/1,1,x/2,2,x 2 3", 2);
        let mut findings = Findings::new(&consultation);
        for line in [
            "score cp 1 pv a1",
            "score cp 1 pv <b>",
            "score cp 1",
            "pv c1",
            "multipv 2 score cp 1 pv c1",
            "multipv 0 score cp 1 pv c1",
            "multipv 99999999999 score cp 1 pv c1",
            "depth 3 currmove c1",
            "error no such position",
        ] {
            assert!(!note(&mut findings, line), "{line}");
        }
        assert!(findings.answer("a1").contains("no such position"));
        assert!(note(&mut findings, "score cp 999999999999 depth 99999999999 wdl 1 2 3 pv c1"));
        assert!(findings.report().contains(r#""moves":["c1"]"#));
        assert!(note(&mut findings, "score solved loss 4294967295 pv c3"));
        assert!(findings.report().contains("White wins in 2147483648 moves"));
    }
}
