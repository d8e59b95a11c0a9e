//! One game against a player on the server: terms, moves, clocks and comments.

use std::time::Duration;

use crate::protocol::{GameStart, MAX_TIME};
use crate::seek::{Extra, Minutes};
use tak_engine::board::{AnyPosition, ByColor, Color, Game, IllegalMove, Move, OpeningRule};
use tak_engine::notation::{EngineComment, PtnGame, PtnMove, opening_tag};
use tak_engine::search::{Clock, Report, Score, Solved};

/// The number of consecutive own moves without an advantage before a draw is accepted.
pub const DRAWISH_MOVES: u32 = 4;

/// The expected number of moves per player, as a share of the squares: it divides the time around extra time.
const MOVES_PER_SQUARE: f64 = 0.75;

#[derive(Debug)]
pub struct ServerGame {
    terms: GameStart,
    start: AnyPosition,
    game: Game,
    /// The comment on each move.
    comments: Vec<Option<String>>,
    clocks: ByColor<Duration>,
    /// Moves and comments before a lost connection: a comment stays if the server repeats its move.
    earlier: Vec<(Move, Option<String>)>,
    /// Consecutive own moves without an advantage.
    even_moves: u32,
}

impl ServerGame {
    /// A game on these terms.
    pub fn new(terms: GameStart) -> anyhow::Result<Self> {
        let start = terms.board.position()?;
        Ok(Self {
            game: Game::new(start.clone()),
            start,
            comments: Vec::new(),
            clocks: ByColor([terms.time; 2]),
            earlier: Vec::new(),
            even_moves: 0,
            terms,
        })
    }

    /// Keeps comments and scores of the same game from before a lost connection.
    pub fn remember(&mut self, before: Self) {
        self.even_moves = before.even_moves;
        let moves = before.game.moves().iter().copied();
        self.earlier = moves.zip(before.comments).collect();
    }

    pub fn number(&self) -> u64 {
        self.terms.number
    }

    pub fn color(&self) -> Color {
        self.terms.color
    }

    pub fn opponent(&self) -> &str {
        &self.terms.players[!self.terms.color]
    }

    pub fn played(&self) -> &Game {
        &self.game
    }

    pub fn is_own_turn(&self) -> bool {
        let position = self.game.position();
        position.to_move() == self.terms.color && position.outcome().is_none()
    }

    /// Plays a move of either player.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        self.game.play(mv)?;
        let earlier = self.earlier.get_mut(self.comments.len());
        let known = earlier.filter(|(played, _)| *played == mv);
        self.comments.push(known.and_then(|(_, comment)| comment.take()));
        Ok(())
    }

    /// Plays an own move. The comment is the report of the engine, or else `book`.
    pub fn play_own(&mut self, mv: Move, report: Option<&Report>) -> Result<(), IllegalMove> {
        self.play(mv)?;
        if let Some(last) = self.comments.last_mut() {
            *last = Some(report.map_or_else(|| "book".to_owned(), |report| comment(self.terms.color, report)));
        }
        Ok(())
    }

    /// Takes the last move back. Returns `false` if there is none.
    pub fn undo(&mut self) -> bool {
        if self.game.take_back().is_none() {
            return false;
        }
        self.comments.pop();
        self.earlier.clear();
        true
    }

    pub fn set_clocks(&mut self, clocks: ByColor<Duration>) {
        self.clocks = clocks;
    }

    /// The own clock, in the form for the engine.
    pub fn clock(&self) -> Clock {
        let remaining = self.clocks[self.color()];
        let made = self.game.position().ply() / 2;
        let squares = self.game.position().size().squares();
        // The server adds it after the next move. Later increments are larger, but not there yet.
        let factor = if self.terms.scales { made + 1 } else { 1 };
        Clock {
            remaining,
            increment: self.terms.increment.saturating_mul(factor).min(MAX_TIME),
            moves_to_go: self.terms.extra.and_then(|extra| moves_to_go(remaining, extra, made, squares)),
        }
    }

    /// Notes the score of an own move.
    pub fn note_score(&mut self, score: Score) {
        if score <= Score::DRAW {
            self.even_moves += 1;
        } else {
            self.even_moves = 0;
        }
    }

    /// Returns whether the engine has seen no advantage for some moves.
    pub fn is_even(&self) -> bool {
        self.even_moves >= DRAWISH_MOVES
    }

    /// Players and terms, for people.
    pub fn title(&self) -> String {
        let ByColor([white, black]) = &self.terms.players;
        let opening = match self.terms.board.opening {
            OpeningRule::Swap => String::new(),
            other => format!(", {}", opening_tag(other)),
        };
        format!(
            "game {}: {white} against {black}, {size}x{size}{opening}, komi {}, {}",
            self.number(),
            self.start.komi(),
            self.time_control(|time| Minutes(time).to_string()),
            size = self.terms.board.size,
        )
    }

    /// Time, increment and extra time as the site writes them, except for `time`: `10:00 +5n @30 +5:00`, with an `n` if
    /// the increment scales.
    fn time_control(&self, time: impl Fn(Duration) -> String) -> String {
        let increment = match (self.terms.increment.as_secs(), self.terms.scales) {
            (0, _) => String::new(),
            (seconds, false) => format!(" +{seconds}"),
            (seconds, true) => format!(" +{seconds}n"),
        };
        let extra = self.terms.extra.map(|extra| format!(" @{} +{}", extra.at_move, time(extra.time)));
        format!("{}{increment}{}", time(self.terms.time), extra.unwrap_or_default())
    }

    /// The game as PTN, with the tags of playtak.com and two more. `date` and `time` are those of its end.
    pub fn ptn(&self, site: &str, result: &str, termination: &str, [date, time]: [&str; 2]) -> PtnGame {
        let ByColor([white, black]) = &self.terms.players;
        let setup = self.start.to_setup();
        let reserve = setup.reserves[Color::White];
        let mut tags = vec![
            ("Site", site.to_owned()),
            ("Event", "Online Play".to_owned()),
            ("Date", date.to_owned()),
            ("Time", time.to_owned()),
            ("Round", self.number().to_string()),
            ("Player1", white.clone()),
            ("Player2", black.clone()),
            ("Clock", self.time_control(unpadded)),
            ("Result", result.to_owned()),
            ("Termination", termination.to_owned()),
            ("Size", setup.size.to_string()),
            ("Komi", setup.komi.to_string()),
            ("Flats", reserve.stones.to_string()),
            ("Caps", reserve.caps.to_string()),
        ];
        if setup.opening != OpeningRule::Swap {
            tags.push(("Opening", opening_tag(setup.opening).to_owned()));
        }
        let moves = self.game.moves().iter().zip(&self.comments);
        PtnGame {
            tags: tags.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            comments: Vec::new(),
            start: setup,
            moves: moves
                .map(|(&mv, comment)| PtnMove { comments: comment.iter().cloned().collect(), ..mv.into() })
                .collect(),
            result: Some(result.to_owned()),
            variations: Vec::new(),
        }
    }
}

/// Hours, minutes and seconds as the site writes them: `45`, `10:0`, `1:0:0`.
fn unpadded(time: Duration) -> String {
    let (minutes, seconds) = (time.as_secs() / 60, time.as_secs() % 60);
    match (minutes / 60, minutes % 60) {
        (0, 0) => seconds.to_string(),
        (0, minutes) => format!("{minutes}:{seconds}"),
        (hours, minutes) => format!("{hours}:{minutes}:{seconds}"),
    }
}

/// The comment on a move of `mover`, from which PTN Ninja draws its graph.
fn comment(mover: Color, report: &Report) -> String {
    let sign = if mover == Color::White { 1 } else { -1 };
    let line = report.lines.first();
    let proven = line.and_then(|line| line.solved).map(|solved| match solved {
        Solved::Win(plies) => (Some(mover), plies),
        Solved::Loss(plies) => (Some(!mover), plies),
    });
    let pv: Vec<String> = line.iter().flat_map(|line| line.pv.iter().skip(1)).map(ToString::to_string).collect();
    let comment = EngineComment {
        cp: line.map(|line| line.score.value() * sign),
        proven,
        depth: Some(report.depth),
        nodes: Some(report.nodes),
        ms: u64::try_from(report.time.as_millis()).ok(),
        pv: pv.join(" "),
        ..EngineComment::default()
    };
    comment.to_string()
}

/// The number of moves to divide the clock by, if `extra` is still to come after `made` own moves.
///
/// Each move gets an equal share of all time to come, as far as the clock allows it before the extra time. So a small
/// extra time that comes soon does not use up the clock before it.
fn moves_to_go(remaining: Duration, extra: Extra, made: u32, squares: usize) -> Option<u32> {
    let before = extra.at_move.checked_sub(made).filter(|&moves| moves > 0)?;
    let ahead = (squares as f64 * MOVES_PER_SQUARE - f64::from(made)).max(1.0);
    let all = (remaining + extra.time).as_secs_f64();
    let equal_share = ahead * remaining.as_secs_f64() / all;
    Some(before.max(equal_share.ceil() as u32))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Message;
    use tak_engine::search::Line;

    fn server_game(line: &str) -> ServerGame {
        let Message::GameStart(terms) = Message::read(line) else {
            panic!("{line}");
        };
        ServerGame::new(terms).unwrap()
    }

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn extra_time_is_planned_with() {
        let plan = |remaining, extra: &str, made| {
            let seek = format!("size=6 time=60 extra={extra}");
            let seek: crate::seek::Seek = seek.parse().unwrap();
            moves_to_go(seconds(remaining), seek.extra.unwrap(), made, 36)
        };
        // Large and soon: the clock may be used up before it.
        assert_eq!(plan(60, "60:00@10", 0), Some(10));
        // Small and soon: the clock is divided over nearly the whole game.
        assert_eq!(plan(900, "1:00@10", 0), Some(26));
        // Late: up to there.
        assert_eq!(plan(900, "5:00@30", 0), Some(30));
        assert_eq!(plan(900, "5:00@30", 29), Some(1));
        assert_eq!(plan(900, "5:00@30", 30), None);
        assert_eq!(plan(0, "5:00@30", 0), Some(30));
    }

    #[test]
    fn comments_are_from_whites_view() {
        let comments = |score: Score| {
            let pv = vec!["c3".parse().unwrap(), "c4".parse().unwrap(), "2d4>11".parse().unwrap()];
            let line = Line { score, bound: None, solved: score.solved(), pv };
            let time = Duration::from_micros(900_999);
            let report = Report { lines: vec![line], depth: 12, nodes: 1234, time, ..Report::default() };
            Color::ALL.map(|mover| comment(mover, &report))
        };
        let rest = "/12 1234 nodes 900ms pv> c4 2d4>11";
        let expected = ["cp:40 +0.10", "cp:-40 -0.10"].map(|start| format!("{start}{rest}"));
        assert_eq!(comments(Score::centiflats(40)), expected);
        let lost = Score::loss_in(4).value();
        let expected = [format!("cp:{lost} score:L4 -1.00{rest}"), format!("cp:{} score:W4 +1.00{rest}", -lost)];
        assert_eq!(comments(Score::loss_in(4)), expected);
    }

    #[test]
    fn comments_survive_a_lost_connection() {
        let line = "Game Start 1 alice vs bobby white 5 600 10 0 15 2 0 0 0 0 0";
        let mut before = server_game(line);
        let report = Report::default();
        before.play_own("a1".parse().unwrap(), Some(&report)).unwrap();
        before.play("e5".parse().unwrap()).unwrap();
        before.play_own("c3".parse().unwrap(), Some(&report)).unwrap();
        let mut after = server_game(line);
        after.remember(before);
        // The last move did not reach the server.
        for mv in ["a1", "e5", "c4"] {
            after.play(mv.parse().unwrap()).unwrap();
        }
        let has_comment: Vec<bool> = after.comments.iter().map(Option::is_some).collect();
        assert_eq!(has_comment, [true, false, false]);
    }

    #[test]
    fn games_are_stored_as_on_the_site() {
        for (terms, opening, expected) in [
            ("5 600 10 0 15 2 0 0 0 0 0", "", "[Clock \"10:0 +10\"]"),
            ("5 45 0 0 0 15 2 0 0 0 0 0 0", "", "[Clock \"45\"]"),
            ("5 3690 5 1 0 15 2 0 0 30 300 0 1", "2", "[Clock \"1:1:30 +5n @30 +5:0\"]"),
        ] {
            let mut game = server_game(&format!("Game Start 1 alice vs bobby white {terms}"));
            for mv in ["a1", "e5", "c3"] {
                game.play(mv.parse().unwrap()).unwrap();
            }
            let ptn = game.ptn("PlayTak.com", "1-0", "time", ["2026.01.02", "03:04:05"]).to_string();
            assert!(ptn.contains(expected) && ptn.contains("[Flats \"15\"]\n[Caps \"2\"]"), "{ptn}");
            assert!(ptn.ends_with(&format!("\n1. {opening}a1 e5\n2. c3 1-0\n")), "{ptn}");
            let read: Vec<_> = tak_engine::notation::parse_games(&ptn).map(Result::unwrap).collect();
            assert_eq!(read[0].start, game.start.to_setup());
        }
    }

    #[test]
    fn scaled_increments_grow_with_the_number_of_the_move() {
        let mut game = server_game("Game Start 1 alice vs bobby black 5 20 2 1 0 21 1 0 0 0 0 0 0");
        for (mv, next) in [("a1", 1), ("e5", 2), ("c3", 2), ("c4", 3)] {
            game.play(mv.parse().unwrap()).unwrap();
            assert_eq!(game.clock().increment, seconds(2 * next), "after {mv}");
        }
    }
}
