//! One game between two engines, judged by this crate's own board.

use std::time::Instant;

use super::adjudicate::{Adjudicator, End};
use super::clock::{GameClock, go_words};
use super::config::MatchRules;
use super::player::{Answer, Fault, Player, Unfinished};
use super::search_info::SearchInfo;
use crate::arena::live::{LiveGame, LiveGames};
use crate::arena::record::{MoveRecord, Pairing, Termination};
use crate::board::{AnyPosition, ByColor, Color, Game, IllegalMove, Move, Setup, Size};
use crate::notation::{moves_text, parse_move};
use crate::tei::command::Command;

/// Plays a game from `start` with the `opening` moves to its end, even if engines fail. `options` are given to the engines
/// before it. `watched` is told of each move. Returns all moves as well, those of the opening first.
pub(super) fn play(
    mut players: ByColor<&mut Player>,
    options: &ByColor<Vec<(String, String)>>,
    start: &AnyPosition,
    opening: &[Move],
    rules: &MatchRules,
    (watched, pairing): (&LiveGames, Pairing),
) -> Result<(End, Vec<MoveRecord>), Unfinished> {
    let mut live = Progress::new(start, opening, rules);
    for color in Color::ALL {
        if let Err(failure) = players[color].new_game(&options[color]) {
            return Ok((End::fault(color, failure.fault()?), live.moves));
        }
    }
    let mut clocks = ByColor(Color::ALL.map(|color| {
        let config = players[color].config();
        GameClock::new(config.time, config.margin)
    }));
    let left = |clocks: &ByColor<GameClock>| ByColor(Color::ALL.map(|color| clocks[color].left()));
    watched.begin(LiveGame {
        pairing,
        start_tps: start.to_setup().to_string(),
        opening_plies: live.moves.len(),
        moves: live.moves.clone(),
        clocks: left(&clocks),
        turn_began: Instant::now(),
    });
    let end = loop {
        if let Some(end) = live.end() {
            break end;
        }
        let color = live.game.position().to_move();
        let go = go_words(&clocks, color);
        let due = clocks[color].due();
        let moved = match players[color].think(live.position(), go, due) {
            Ok(answer) => live.accept(answer, &mut clocks[color]),
            Err(failure) => Err(failure.fault()?),
        };
        if let Err(fault) = moved {
            break End::fault(color, fault);
        }
        if let Some(played) = live.moves.last() {
            watched.play(pairing.game, played, left(&clocks));
        }
    };
    Ok((end, live.moves))
}

struct Progress<'a> {
    game: Game,
    rules: &'a MatchRules,
    /// Its first position, unless that is the usual start.
    setup: Option<Setup>,
    moves: Vec<MoveRecord>,
    adjudicator: Adjudicator<'a>,
}

impl<'a> Progress<'a> {
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
    fn accept(&mut self, answer: Answer, clock: &mut GameClock) -> Result<(), Fault> {
        let fault = |termination, detail| Fault { termination, detail };
        clock.spend(answer.elapsed).map_err(|late| {
            let detail = format!("{:.3} s too late", late.as_secs_f64());
            fault(Termination::TimeForfeit, detail)
        })?;
        let size = self.game.position().size();
        let SearchInfo { said, error } = answer.search_info;
        let mv = parse_move(&answer.text, size).map_err(|reason| {
            let detail = match answer.text.as_str() {
                "" => "bestmove without a move".to_owned(),
                _ => reason.to_string(),
            };
            let complaint = error.map_or_else(String::new, |error| format!("; the engine says: {error}"));
            fault(Termination::MalformedMove, detail + &complaint)
        })?;
        self.adjudicator.note(self.game.position().to_move(), &said);
        let time_us = answer.elapsed.as_micros() as u64;
        let pv = said.pv.as_deref().and_then(|pv| readable_pv(pv, mv, size));
        self.play(mv, MoveRecord { time_us, pv, ..said })
            .map_err(|error| fault(Termination::IllegalMove, format!("{}: {error}", answer.text)))
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
}

/// The engine's line as far as it can be read, if it begins with the move that was played.
fn readable_pv(pv: &str, mv: Move, size: Size) -> Option<String> {
    let moves = pv.split_ascii_whitespace().map(|word| parse_move(word, size));
    let moves: Vec<Move> = moves.map_while(Result::ok).collect();
    (moves.first() == Some(&mv)).then(|| moves_text(&moves))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::arena::play::clock::{ClockTime, TimeControl};
    use crate::board::Komi;

    fn start(size: u64) -> AnyPosition {
        AnyPosition::start(Size::new(size).unwrap(), Komi::ZERO)
    }

    fn clock() -> GameClock {
        let control = TimeControl { clock: Some("1".parse::<ClockTime>().unwrap().0), ..TimeControl::default() };
        GameClock::new(control, Duration::ZERO)
    }

    fn answer(text: &str) -> Answer {
        Answer { text: text.into(), search_info: SearchInfo::default(), elapsed: Duration::from_millis(5) }
    }

    #[test]
    fn faults_describe_the_error_of_the_engine() {
        let rules = MatchRules::default();
        let mut live = Progress::new(&start(4), &[], &rules);
        let mut refused = answer("--");
        refused.search_info.error = Some("there is no position".to_owned());
        let fault = live.accept(refused, &mut clock()).unwrap_err();
        assert_eq!(fault.termination, Termination::MalformedMove);
        assert!(fault.detail.ends_with("; the engine says: there is no position"), "{}", fault.detail);
        let late = Answer { elapsed: Duration::from_millis(1001), ..answer("b2") };
        let fault = live.accept(late, &mut clock()).unwrap_err();
        let expected = Fault { termination: Termination::TimeForfeit, detail: "0.001 s too late".to_owned() };
        assert_eq!(fault, expected);
    }

    #[test]
    fn repetition_and_length_are_draws() {
        let rules = MatchRules { max_plies: 10, ..MatchRules::default() };
        let mut live = Progress::new(&start(5), &[], &rules);
        let dance = ["a2+", "e4-", "a3-", "e3+"];
        for mv in ["e4", "a2"].iter().chain(&dance).chain(&dance) {
            assert_eq!(live.end(), None);
            live.accept(answer(mv), &mut clock()).unwrap();
        }
        let end = End::new(None, Termination::Repetition);
        assert_eq!(live.end(), Some(end));

        let forever = MatchRules { repetitions: None, ..rules };
        live.rules = &forever;
        let end = End::new(None, Termination::MaxPlies);
        assert_eq!(live.end(), Some(end));
    }

    #[test]
    fn expected_lines_are_kept_up_to_an_error() {
        let size = Size::new(5).unwrap();
        let mv = parse_move("a1", size).unwrap();
        let read = |pv| readable_pv(pv, mv, size);
        assert_eq!(read("Fa1 1b2> ponder c3"), Some("a1 b2>".into()));
        assert_eq!(read("b2 a1"), None);
        assert_eq!(read("}"), None);
    }
}
