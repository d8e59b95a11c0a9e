//! One game between two engines, judged by this crate's own board.

use super::adjudicate::Adjudicator;
use super::clock::{GameClock, go_words};
use super::config::MatchRules;
use super::end::End;
use super::player::{Answer, Breakdown, Failure, Fault, Player};
use super::search_info::SearchInfo;
use crate::arena::tournament::record::{GameResult, MoveRecord, Termination};
use crate::board::{AnyPosition, Game};
use crate::board::{ByColor, Color, IllegalMove, Move, Setup, Size};
use crate::notation::parse_move;
use crate::tei::command::Command;

/// The course of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The result.
    pub result: GameResult,
    /// The reason for its end.
    pub termination: Termination,
    /// Details beyond that.
    pub detail: Option<String>,
    /// All moves, those of the opening first.
    pub moves: Vec<MoveRecord>,
}

/// The reason why a game was not finished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfinished {
    /// The run is being stopped.
    Cancelled,
    /// The runner cannot continue.
    Breakdown(Breakdown),
}

/// Plays a game from `start` with the `opening` moves to its end, whatever the engines do.
///
/// # Errors
/// The reason why the game was not finished, which is not an engine's fault.
pub fn play(
    mut players: ByColor<&mut Player>,
    start: &AnyPosition,
    opening: &[Move],
    rules: &MatchRules,
) -> Result<Verdict, Unfinished> {
    let mut live = LiveGame::new(start, opening, rules);
    for color in Color::ALL {
        match players[color].new_game() {
            Ok(()) => {}
            Err(Failure::Fault(fault)) => return Ok(live.verdict(End::fault(color, fault))),
            Err(Failure::Breakdown(breakdown)) => return Err(Unfinished::Breakdown(breakdown)),
            Err(Failure::Cancelled) => return Err(Unfinished::Cancelled),
        }
    }
    let mut clocks = ByColor(Color::ALL.map(|color| {
        let config = players[color].config();
        GameClock::new(config.time, config.margin)
    }));
    let end = loop {
        if let Some(end) = live.end() {
            break end;
        }
        let color = live.game.position().to_move();
        let go = go_words(&clocks, color);
        let due = clocks[color].due();
        let answer = players[color].think(live.position(), go, due);
        let moved = match answer {
            Ok(answer) => live.accept(&answer, &mut clocks[color]),
            Err(Failure::Fault(fault)) => Err(fault),
            Err(Failure::Breakdown(breakdown)) => return Err(Unfinished::Breakdown(breakdown)),
            Err(Failure::Cancelled) => return Err(Unfinished::Cancelled),
        };
        if let Err(fault) = moved {
            break End::fault(color, fault);
        }
    };
    Ok(live.verdict(end))
}

/// A game in progress.
struct LiveGame<'a> {
    game: Game,
    rules: &'a MatchRules,
    /// Its first position, unless that is the usual start.
    setup: Option<Setup>,
    moves: Vec<MoveRecord>,
    adjudicator: Adjudicator<'a>,
}

impl<'a> LiveGame<'a> {
    fn new(start: &AnyPosition, opening: &[Move], rules: &'a MatchRules) -> Self {
        let standard = AnyPosition::start_with(start.size(), start.komi(), start.opening());
        let mut live = Self {
            game: Game::new(start.clone()),
            rules,
            setup: (*start != standard).then(|| start.to_setup()),
            moves: Vec::new(),
            adjudicator: Adjudicator::new(rules),
        };
        for &mv in opening {
            // A suite is checked when it is read, so this does not happen. The moves before would count.
            if live.play(mv, MoveRecord::default()).is_err() {
                break;
            }
        }
        live
    }

    /// The reason why the game is over, if it is.
    fn end(&self) -> Option<End> {
        let position = self.game.position();
        if let Some(outcome) = position.outcome() {
            return Some(End::new(outcome.winner, outcome.reason.into()));
        }
        let repetitions = self.rules.repetitions;
        if repetitions.is_some_and(|limit| self.game.occurrences() >= limit) {
            return Some(End::new(None, Termination::Repetition));
        }
        if self.moves.len() >= self.rules.max_plies as usize {
            return Some(End::new(None, Termination::MaxPlies));
        }
        self.adjudicator.end(position.ply() / 2)
    }

    /// Judges an answer and plays its move.
    fn accept(&mut self, answer: &Answer, clock: &mut GameClock) -> Result<(), Fault> {
        let fault = |termination, detail| Fault { termination, detail };
        clock.spend(answer.elapsed).map_err(|late| {
            let detail = format!("{:.3} s too late", late.as_secs_f64());
            fault(Termination::TimeForfeit, detail)
        })?;
        let size = self.game.position().size();
        let mv = parse_move(&answer.text, size).map_err(|error| {
            let detail = match answer.text.as_str() {
                "" => "bestmove without a move".to_owned(),
                _ => error.to_string(),
            };
            let detail = match &answer.search_info.error {
                Some(complaint) => format!("{detail}; the engine says: {complaint}"),
                None => detail,
            };
            fault(Termination::MalformedMove, detail)
        })?;
        let color = self.game.position().to_move();
        self.play(mv, move_record(answer, mv, size))
            .map_err(|error| fault(Termination::IllegalMove, format!("{}: {error}", answer.text)))?;
        self.adjudicator.note(color, &answer.search_info);
        Ok(())
    }

    fn play(&mut self, mv: Move, record: MoveRecord) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        let mv = mv.to_string();
        self.moves.push(MoveRecord { mv, ..record });
        Ok(())
    }

    /// The command that sends the position to an engine.
    fn position(&self) -> Command<'_> {
        Command::Position { tps: self.setup.clone(), moves: self.moves.iter().map(|played| &*played.mv).collect() }
    }

    fn verdict(self, end: End) -> Verdict {
        Verdict { result: end.result, termination: end.termination, detail: end.detail, moves: self.moves }
    }
}

fn move_record(answer: &Answer, mv: Move, size: Size) -> MoveRecord {
    let SearchInfo { depth, seldepth, nodes, score_cp, solved, pv, error: _ } = &answer.search_info;
    MoveRecord {
        mv: String::new(),
        score_cp: *score_cp,
        solved: *solved,
        depth: *depth,
        seldepth: *seldepth,
        nodes: *nodes,
        time_us: answer.elapsed.as_micros() as u64,
        pv: pv.as_deref().and_then(|pv| readable_pv(pv, mv, size)),
    }
}

/// The engine's line as far as it can be read, if it begins with the move that was played.
fn readable_pv(pv: &str, mv: Move, size: Size) -> Option<String> {
    let moves = pv.split_ascii_whitespace().map(|word| parse_move(word, size));
    let moves: Vec<Move> = moves.map_while(Result::ok).collect();
    (moves.first() == Some(&mv)).then(|| {
        let texts: Vec<String> = moves.into_iter().map(|mv| mv.to_string()).collect();
        texts.join(" ")
    })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::play::clock::{TimeControl, parse_clock};
    use crate::board::Komi;

    fn start(size: u64) -> AnyPosition {
        AnyPosition::start(Size::new(size).unwrap(), Komi::ZERO)
    }

    fn clock() -> GameClock {
        let control = TimeControl { clock: Some(parse_clock("1").unwrap()), ..TimeControl::default() };
        GameClock::new(control, Duration::ZERO)
    }

    fn answer(text: &str) -> Answer {
        Answer { text: text.into(), search_info: SearchInfo::default(), elapsed: Duration::from_millis(5) }
    }

    fn accept(live: &mut LiveGame, text: &str) -> Result<(), Termination> {
        live.accept(&answer(text), &mut clock()).map_err(|fault| fault.termination)
    }

    #[test]
    fn answers_are_judged_by_the_rules() {
        let rules = MatchRules::default();
        let mut live = LiveGame::new(&start(4), &[], &rules);
        assert_eq!(accept(&mut live, "Sa1"), Err(Termination::IllegalMove));
        assert_eq!(accept(&mut live, "a5"), Err(Termination::MalformedMove));
        assert_eq!(accept(&mut live, ""), Err(Termination::MalformedMove));
        assert_eq!(accept(&mut live, "--"), Err(Termination::MalformedMove));
        let mut refused = answer("--");
        refused.search_info.error = Some("there is no position".to_owned());
        let fault = live.accept(&refused, &mut clock()).unwrap_err();
        let complaint = "; the engine says: there is no position";
        assert!(fault.detail.ends_with(complaint), "{}", fault.detail);
        assert_eq!(accept(&mut live, "a1"), Ok(()));
        assert_eq!(accept(&mut live, "a1"), Err(Termination::IllegalMove));
        assert_eq!(accept(&mut live, "d4"), Ok(()));
        assert_eq!(live.position().to_string(), "position startpos moves a1 d4");
        let late = Answer { elapsed: Duration::from_millis(1001), ..answer("b2") };
        let fault = live.accept(&late, &mut clock()).unwrap_err();
        assert_eq!(fault.termination, Termination::TimeForfeit);
        assert_eq!(fault.detail, "0.001 s too late");
    }

    #[test]
    fn rules_end_games() {
        let rules = MatchRules::default();
        let mut live = LiveGame::new(&start(3), &[], &rules);
        for mv in ["c3", "a1", "b1", "a3", "c1"] {
            assert_eq!(live.end(), None);
            accept(&mut live, mv).unwrap();
        }
        let end = End::new(Some(Color::White), Termination::Road);
        assert_eq!(live.end(), Some(end));
    }

    #[test]
    fn repetition_and_length_are_draws() {
        let rules = MatchRules { max_plies: 10, ..MatchRules::default() };
        let mut live = LiveGame::new(&start(5), &[], &rules);
        let dance = ["a2+", "e4-", "a3-", "e3+"];
        for mv in ["e4", "a2"].iter().chain(&dance).chain(&dance) {
            assert_eq!(live.end(), None);
            accept(&mut live, mv).unwrap();
        }
        let end = End::new(None, Termination::Repetition);
        assert_eq!(live.end(), Some(end));

        let forever = MatchRules { repetitions: None, ..rules };
        live.rules = &forever;
        let end = End::new(None, Termination::MaxPlies);
        assert_eq!(live.end(), Some(end));
    }

    #[test]
    fn positions_other_than_the_start_are_sent_as_tps() {
        let rules = MatchRules::default();
        let position: AnyPosition = "x3/x,12,x/2,x,1 2 4".parse().unwrap();
        let size = position.size();
        let opening = ["b2>", "b1"].map(|text| parse_move(text, size).unwrap());
        let live = LiveGame::new(&position, &opening, &rules);
        assert_eq!(live.position().to_string(), "position tps x3/x,12,x/2,x,1 2 4 moves b2> b1");
        assert_eq!(live.moves.len(), 2);
    }

    #[test]
    fn expected_lines_are_kept_as_far_as_they_make_sense() {
        let size = Size::new(5).unwrap();
        let mv = parse_move("a1", size).unwrap();
        let read = |pv| readable_pv(pv, mv, size);
        assert_eq!(read("Fa1 1b2> ponder c3"), Some("a1 b2>".into()));
        assert_eq!(read("b2 a1"), None);
        assert_eq!(read("}"), None);
    }
}
