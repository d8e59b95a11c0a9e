//! The game in progress: its events, and the requests of the bot in it.

use std::mem;

use super::exchange::{Question, Request, Requests, Settings};
use crate::protocol::{Command, GameEvent};
use crate::server_game::ServerGame;
use tak_engine::board::{Color, Move};
use tak_engine::engine::{HashError, Level, Limits};
use tak_engine::search::{Report, Solved};

/// A game in progress.
#[derive(Debug)]
pub(super) struct Play {
    pub game: ServerGame,
    /// The level; `None` for full strength.
    pub level: Option<Level>,
    stage: Stage,
    /// An own move that the server has not confirmed.
    unconfirmed: Option<Move>,
    /// True if the next clocks come from a gift of time, and so confirm no move.
    is_gift: bool,
    /// The number of the question in progress.
    question: Option<u64>,
    /// True if the engine searches without a question.
    is_pondering: bool,
    /// The opponent's offer of a draw.
    draw: Offer,
    /// The opponent's request to take a move back.
    undo: Offer,
    /// The plies of the game when the server and the bot disagreed last.
    disagreed: Option<usize>,
    /// The reason for resigning, if the bot has resigned.
    pub given_up: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// The game is part of an earlier connection.
    Detached,
    /// The server repeats the moves played before.
    Repeated,
    Live,
    /// The server and the bot disagree. The server will repeat the game over another connection.
    Doubted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    None,
    Open,
    Accepted,
}

#[derive(Debug)]
pub(super) struct End {
    /// As PTN writes it.
    pub result: &'static str,
    pub why: String,
}

impl Play {
    /// A game that the server has begun, or repeats.
    pub fn new(game: ServerGame, level: Option<Level>, is_resumed: bool) -> Self {
        Self {
            game,
            level,
            stage: if is_resumed { Stage::Repeated } else { Stage::Live },
            unconfirmed: None,
            is_gift: false,
            question: None,
            is_pondering: false,
            draw: Offer::None,
            undo: Offer::None,
            disagreed: None,
            given_up: None,
        }
    }

    /// Keeps what the server does not repeat of the same game from before a lost connection.
    pub fn remember(&mut self, before: Self) {
        self.level = before.level;
        self.disagreed = before.disagreed;
        if before.draw != Offer::None {
            self.draw = Offer::Open;
        }
        self.game.remember(before.game);
    }

    /// Returns whether the server must repeat the game.
    pub fn is_doubted(&self) -> bool {
        self.stage == Stage::Doubted
    }

    /// Returns whether the game is part of this connection.
    pub fn is_attached(&self) -> bool {
        self.stage != Stage::Detached
    }

    /// Returns whether lines about the game with this number concern this one.
    pub fn is_heard(&self, number: u64) -> bool {
        self.is_attached() && self.game.number() == number
    }

    /// Called at the end of the game. Takes back an own move that reached the server too late, so that the game has the
    /// moves of the server. Returns whether there was one, whose refusal is still to come.
    pub fn drop_late_move(&mut self, result: &str) -> bool {
        let outcome = self.game.played().position().outcome();
        let is_last = outcome.is_some_and(|outcome| outcome.to_string() == result);
        let is_late = self.is_attached() && self.unconfirmed.take().is_some() && !is_last;
        is_late && self.game.undo()
    }

    /// The server has repeated all moves: from here on the game is played.
    pub fn resume(&mut self) {
        if self.is_attached() {
            self.stage = Stage::Live;
        }
    }

    /// The connection is lost.
    pub fn detach(&mut self, requests: &mut Requests) {
        self.stage = Stage::Detached;
        self.stop_thinking(requests);
    }

    pub fn stop_thinking(&mut self, requests: &mut Requests) {
        let is_asked = self.question.take().is_some();
        if mem::take(&mut self.is_pondering) || is_asked {
            requests.push(Request::StopThinking);
        }
    }

    pub fn hear(&mut self, event: GameEvent, settings: &Settings, requests: &mut Requests) -> Option<End> {
        match event {
            GameEvent::Move(mv) => self.take_move(mv, requests),
            GameEvent::UnreadableMove(text) => self.disagree("a move that cannot be read", &text, requests),
            GameEvent::Clocks(clocks) => {
                // The server sends the clocks when it accepts a move, after a gift of time, and when one has run out.
                if !mem::take(&mut self.is_gift) && !clocks[self.game.color()].is_zero() {
                    self.unconfirmed = None;
                }
                self.game.set_clocks(clocks);
            }
            GameEvent::GivenTime => self.is_gift = true,
            GameEvent::Over(result) => return Some(self.over(result.unwrap_or("*"))),
            GameEvent::Abandoned(player) => return Some(self.abandoned(&player)),
            GameEvent::OfferDraw => {
                self.draw = Offer::Open;
                self.consider_draw(requests);
            }
            GameEvent::RemoveDraw => {
                // The acceptance would now be an offer.
                if mem::replace(&mut self.draw, Offer::None) == Offer::Accepted {
                    requests.send(Command::RemoveDraw(self.game.number()));
                }
            }
            GameEvent::RequestUndo if settings.undo => self.agree_to_undo(requests),
            GameEvent::RequestUndo => {}
            GameEvent::RemoveUndo => self.drop_undo(requests),
            GameEvent::Undo => self.take_back(requests),
        }
        None
    }

    fn over(&self, result: &'static str) -> End {
        let why = self.given_up.unwrap_or(match result {
            "R-0" | "0-R" => "road",
            "F-0" | "0-F" => "flats",
            "1-0" | "0-1" => "resignation or time",
            "1/2-1/2" => "draw",
            _ => "ended by the server",
        });
        End { result, why: why.to_owned() }
    }

    fn abandoned(&self, player: &str) -> End {
        let is_own = player != self.game.opponent();
        let white_won = (self.game.color() == Color::White) != is_own;
        End { result: if white_won { "1-0" } else { "0-1" }, why: format!("{player} quit") }
    }

    /// A move of the opponent, or of either player while the server repeats a game.
    fn take_move(&mut self, mv: Move, requests: &mut Requests) {
        if self.given_up.is_some() {
            return;
        }
        self.unconfirmed = None;
        if self.game.is_own_turn() && self.stage == Stage::Live {
            return self.disagree("a move out of turn", &mv.to_string(), requests);
        }
        match self.game.play(mv) {
            Ok(()) => self.drop_undo(requests),
            Err(error) => self.disagree("an illegal move", &format!("{mv}: {error}"), requests),
        }
    }

    /// The server and the bot disagree about the game. The server repeats it after a reconnect. If they disagree at the
    /// same place again, the game is resigned.
    fn disagree(&mut self, why: &'static str, what: &str, requests: &mut Requests) {
        if self.given_up.is_some() {
            return;
        }
        let number = self.game.number();
        self.stop_thinking(requests);
        let plies = self.game.played().moves().len();
        if self.disagreed.replace(plies) == Some(plies) {
            self.given_up = Some(why);
            requests.say(format!("game {number} is resigned: {why}, {what}"));
            requests.send(Command::Resign(number));
        } else {
            self.read_again(&format!("{why}, {what}"), requests);
        }
    }

    fn read_again(&mut self, why: &str, requests: &mut Requests) {
        self.stage = Stage::Doubted;
        requests.say(format!("game {} is read again: {why}", self.game.number()));
    }

    /// The server refuses the last command that it can refuse.
    pub fn take_refusal(&mut self, requests: &mut Requests) -> Option<End> {
        if let Some(why) = self.given_up {
            // It refuses the resignation too, so the game no longer exists.
            return Some(End { result: "*", why: why.to_owned() });
        }
        if self.undo == Offer::Accepted {
            self.undo = Offer::None;
        } else if let Some(mv) = self.unconfirmed.take() {
            self.game.undo();
            self.disagree("a move that the server refuses", &mv.to_string(), requests);
        }
        None
    }

    fn consider_draw(&mut self, requests: &mut Requests) {
        if self.draw == Offer::Open && self.game.is_even() && self.given_up.is_none() {
            self.draw = Offer::Accepted;
            let number = self.game.number();
            requests.say(format!("game {number}: agrees to a draw"));
            requests.send(Command::OfferDraw(number));
        }
    }

    fn agree_to_undo(&mut self, requests: &mut Requests) {
        // A move that crossed the request has voided it.
        if self.unconfirmed.is_some() || self.given_up.is_some() {
            return;
        }
        self.undo = Offer::Accepted;
        self.stop_thinking(requests);
        requests.send(Command::RequestUndo(self.game.number()));
    }

    /// The request to take a move back is void. The agreement would now be an own request.
    fn drop_undo(&mut self, requests: &mut Requests) {
        if mem::replace(&mut self.undo, Offer::None) == Offer::Accepted {
            requests.send(Command::RemoveUndo(self.game.number()));
        }
    }

    fn take_back(&mut self, requests: &mut Requests) {
        self.unconfirmed = None;
        self.stop_thinking(requests);
        if mem::replace(&mut self.undo, Offer::None) == Offer::Accepted || self.game.is_own_turn() {
            self.game.undo();
        } else if self.given_up.is_none() {
            // The opponent made use of an agreement before its withdrawal, and so perhaps before the last own move.
            self.read_again("a move is taken back", requests);
        }
    }

    /// Plays the move of the engine, if its question is still the current one.
    pub fn take_answer(
        &mut self,
        number: u64,
        report: Result<Report, HashError>,
        settings: &Settings,
        requests: &mut Requests,
    ) -> Result<(), HashError> {
        // Otherwise the game has changed since.
        if self.question == Some(number) {
            self.question = None;
            self.play_judged(report?, settings, requests);
        }
        Ok(())
    }

    fn play_judged(&mut self, report: Report, settings: &Settings, requests: &mut Requests) {
        let (game, line) = (self.game.number(), report.lines.first());
        if let Some(line) = line {
            self.game.note_score(line.score);
        }
        if settings.resign && line.is_some_and(|line| matches!(line.solved, Some(Solved::Loss(_)))) {
            self.given_up = Some("resignation");
            requests.say(format!("game {game} is resigned: it is lost"));
            return requests.send(Command::Resign(game));
        }
        let Some(mv) = report.best() else {
            return;
        };
        let before = settings.ponder.then(|| self.game.played().clone());
        if !self.play_own(mv, Some(&report), requests) || self.game.played().position().outcome().is_some() {
            return;
        }
        if let (Some(before), Some(line)) = (before, report.lines.into_iter().next()) {
            self.is_pondering = true;
            requests.push(Request::Ponder(Box::new(before), line.pv));
        }
    }

    /// Plays a move of the engine, or without a report one of the book. Returns `false` if it is illegal.
    fn play_own(&mut self, mv: Move, report: Option<&Report>, requests: &mut Requests) -> bool {
        if let Err(error) = self.game.play_own(mv, report) {
            self.disagree("no legal move was found", &format!("{mv}: {error}"), requests);
            return false;
        }
        self.unconfirmed = Some(mv);
        self.consider_draw(requests);
        requests.send(Command::Play(self.game.number(), mv));
        true
    }

    /// Plays a move of the book or asks the engine for one, if it is the turn of the bot. `questions` counts the
    /// questions.
    pub fn proceed(&mut self, settings: &Settings, questions: &mut u64, requests: &mut Requests) {
        let is_due = self.stage == Stage::Live
            && self.question.is_none()
            && self.given_up.is_none()
            && self.undo != Offer::Accepted
            && self.game.is_own_turn();
        if !is_due {
            return;
        }
        if let Some(mv) = settings.book.choose(self.game.played(), self.game.number()) {
            self.stop_thinking(requests);
            self.play_own(mv, None, requests);
            return;
        }
        *questions += 1;
        self.question = Some(*questions);
        self.is_pondering = false;
        requests.push(Request::Think(Box::new(Question {
            number: *questions,
            game: self.game.played().clone(),
            limits: Limits::clock(self.game.clock()),
            level: self.level,
            seed: self.game.number(),
        })));
    }
}
