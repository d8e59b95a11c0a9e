//! What the bot does: a machine that is told what happens and says what is to be done. It reads no clock and no socket, so
//! that every fault can be played through.

mod exchange;
mod play;
#[cfg(test)]
mod storm;
#[cfg(test)]
mod tests;

use std::mem;
use std::time::Duration;

use jiff::Timestamp;

pub use exchange::{Event, Failure, Question, Request};

use self::exchange::Requests;
use self::play::Play;
use super::book::Book;
use super::chat::{Levels, Wish, words};
use super::protocol::{Command, GameEvent, GameStart, Login, Message, OpenSeek};
use super::seek::Seek;
use super::server_game::{EVEN_MOVES, ServerGame};
use crate::engine::{HashError, Level};
use crate::notation::winner_of;
use crate::search::Report;

/// Between two signs of life; the server hangs up after 60 s without one.
const PING_EVERY: Duration = Duration::from_secs(30);
/// A server that has not said a word for so long, not even to a ping, is gone.
const LONGEST_SILENCE: Duration = Duration::from_secs(75);
/// How long the server may take to say all that follows a login.
const LOGIN_PATIENCE: Duration = Duration::from_secs(10);
/// How long after the removal of a seek somebody may turn out to have accepted it before.
const LAST_CALL: Duration = Duration::from_secs(1);
/// Before a seek that was refused is offered again.
const SEEK_AGAIN: Duration = Duration::from_secs(5);
/// Between two answers to what players say.
const CHAT_PAUSE: Duration = Duration::from_secs(5);

/// What a bot is to do.
#[derive(Debug, Clone)]
// Each is a wish of its own.
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    /// Who it is.
    pub login: Login,
    /// Whom it plays.
    pub opponents: Opponents,
    /// After so many games it ends; `None` for never.
    pub games: Option<u64>,
    /// Whether it agrees to take moves back.
    pub undo: bool,
    /// Whether it thinks on the opponent's time.
    pub ponder: bool,
    /// Whether it gives up a game that is proven to be lost.
    pub resign: bool,
    /// Whether it listens to players and answers them.
    pub chat: bool,
    /// How strong it plays whom has not asked for a level; `None` for full strength.
    pub level: Option<Level>,
    /// What it plays without thinking, at every level.
    pub book: Book,
}

/// How a bot comes to its games.
#[derive(Debug, Clone)]
pub enum Opponents {
    /// It offers these in turn. There has to be one.
    Seeks(Vec<Seek>),
    /// It accepts what this player offers. Small and capital letters are the same.
    Of(String),
}

/// The way to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    /// There is none.
    Down,
    /// The server has not asked for a login yet.
    Greeting { is_private: bool },
    /// It has been asked to let the bot in. Before that come its answers to two other commands.
    LoggingIn { answers: u32 },
    /// It has let the bot in, and tells of a game to be taken up if there is one, up to the answer to a ping.
    CatchingUp { until: Duration },
    /// Everything is told.
    Ready,
}

/// What the bot is at.
#[derive(Debug)]
enum Seat {
    Free,
    Playing(Box<Play>),
    /// A game on terms that cannot be played, which has been resigned.
    Refusing(u64),
}

/// A bot.
#[derive(Debug)]
pub struct Bot {
    settings: Settings,
    /// When time was zero.
    began: Timestamp,
    now: Duration,
    link: Link,
    name: Option<String>,
    heard: Duration,
    ping_at: Duration,
    seat: Seat,
    /// Which seek is next, counted on for ever.
    seek: usize,
    /// Whether the seek is on offer.
    is_offered: bool,
    /// Not before this time.
    offer_at: Duration,
    /// The latest seek of the player to accept.
    found: Option<OpenSeek>,
    /// The seek that was accepted last.
    accepted: Option<OpenSeek>,
    games: u64,
    /// Of finished games: won, lost, neither.
    results: [u64; 3],
    is_finishing: bool,
    /// When a bot that has nothing to do any more ends.
    leave_at: Option<Duration>,
    questions: u64,
    levels: Levels,
    chat_at: Duration,
    /// Refusals still to come, of moves that were sent when the game was over already, and of a removal that came too late.
    late_refusals: u32,
    /// Whether the seek was removed, of which the server has said nothing yet.
    is_removing: bool,
    requests: Requests,
}

impl Bot {
    /// A bot without a connection, at time zero, which is `began`.
    #[must_use]
    pub fn new(settings: Settings, began: Timestamp) -> Self {
        Self {
            levels: Levels::new(settings.level),
            settings,
            began,
            now: Duration::ZERO,
            link: Link::Down,
            name: None,
            heard: Duration::ZERO,
            ping_at: Duration::ZERO,
            seat: Seat::Free,
            seek: 0,
            is_offered: false,
            offer_at: Duration::ZERO,
            found: None,
            accepted: None,
            games: 0,
            results: [0; 3],
            is_finishing: false,
            leave_at: None,
            questions: 0,
            chat_at: Duration::ZERO,
            late_refusals: 0,
            is_removing: false,
            requests: Requests::default(),
        }
    }

    /// What is to be done, in order, now that `event` has happened at `now`, the time since the bot was made.
    pub fn handle(&mut self, event: Event, now: Duration) -> Vec<Request> {
        self.now = self.now.max(now);
        match event {
            Event::Connected { is_private } => {
                self.link = Link::Greeting { is_private };
                self.heard = self.now;
            }
            Event::Line(line) => {
                self.heard = self.now;
                let message = Message::read(&line);
                if message == Message::Other {
                    log::debug!("left alone: {line:?}");
                }
                self.hear(message);
            }
            Event::Disconnected => self.lose_connection(),
            Event::Judged(number, report) => self.take_answer(number, report),
            Event::Interrupted => self.finish(),
            Event::Tick => {}
        }
        self.keep_time();
        self.go_on();
        self.requests.take()
    }

    /// When the bot wants to be told that time has passed, if nothing else happens before.
    #[must_use]
    pub fn wake_at(&self) -> Duration {
        let silent = (self.link != Link::Down).then_some(self.heard + LONGEST_SILENCE);
        let ping = self.is_logged_in().then_some(self.ping_at);
        let caught_up = match self.link {
            Link::CatchingUp { until } => Some(until),
            _ => None,
        };
        let offer = (self.offer_at > self.now).then_some(self.offer_at);
        [silent, ping, caught_up, offer, self.leave_at].into_iter().flatten().min().unwrap_or(self.now + PING_EVERY)
    }

    fn is_logged_in(&self) -> bool {
        matches!(self.link, Link::CatchingUp { .. } | Link::Ready)
    }

    fn end(&mut self, end: Result<(), Failure>) {
        if self.is_logged_in() {
            self.requests.send(Command::Quit);
        }
        self.requests.push(Request::End(end));
    }

    fn hear(&mut self, message: Message) {
        if let Link::LoggingIn { answers } = &mut self.link
            && *answers < 2
            && matches!(message, Message::Ok | Message::Nok)
        {
            *answers += 1;
            return;
        }
        match message {
            Message::LoginPrompt => self.log_in(),
            Message::AuthenticationFailure => self.end(Err(Failure::Login)),
            Message::LoggedIn(name) => {
                self.requests.say(format!("logged in as {name}"));
                self.name = Some(name);
                // All that the server has to say of a game that goes on comes before the answer to this.
                self.link = Link::CatchingUp { until: self.now + LOGIN_PATIENCE };
                self.ping();
            }
            Message::Ok => {
                if matches!(self.link, Link::CatchingUp { .. }) {
                    self.caught_up();
                }
            }
            // The server says this of a login that it cannot even look at.
            Message::Nok if matches!(self.link, Link::LoggingIn { .. }) => {
                self.requests.say("the server refuses the login");
                self.hang_up();
            }
            Message::Nok => self.take_refusal(),
            Message::SeekNew(seek) => {
                if matches!(&self.settings.opponents, Opponents::Of(name) if name.eq_ignore_ascii_case(&seek.owner)) {
                    self.found = Some(seek);
                }
            }
            Message::SeekRemoved(number) => {
                self.found.take_if(|seek| seek.number == number);
            }
            Message::GameStart(start) => self.start_game(start),
            Message::UnreadableStart(number, terms) if matches!(self.seat, Seat::Free) => {
                self.begin_game();
                self.refuse(number, &format!("its terms cannot be read, {terms}"));
            }
            Message::Resumed => self.take_up(),
            Message::Game(number, event) => self.hear_of_game(number, event),
            Message::Tell { from, text } => self.answer(from, &text),
            Message::Replaced => self.end(Err(Failure::Replaced)),
            Message::Notice(text) => self.requests.say(format!("the server says: {text}")),
            // In the middle of a game no other one begins.
            Message::UnreadableStart(..) | Message::Other => {}
        }
    }

    fn log_in(&mut self) {
        let Link::Greeting { is_private } = self.link else {
            return;
        };
        let login = self.settings.login.clone();
        if matches!(login, Login::User { .. }) && !is_private {
            self.end(Err(Failure::Exposed));
            return;
        }
        self.link = Link::LoggingIn { answers: 0 };
        self.requests.send(Command::Client);
        self.requests.send(Command::Protocol);
        self.requests.send(Command::Login(login));
    }

    /// After the login everything has been told, also of a game that goes on.
    fn caught_up(&mut self) {
        self.link = Link::Ready;
        self.take_up();
        if matches!(&self.seat, Seat::Playing(play) if !play.is_attached()) {
            self.conclude("*", "the server does not know the game any more");
        }
        if matches!(self.seat, Seat::Refusing(_)) {
            self.seat = Seat::Free;
        }
    }

    /// All moves of a game have been told: from here on it is played.
    fn take_up(&mut self) {
        if let Seat::Playing(play) = &mut self.seat {
            play.take_up();
        }
    }

    fn lose_connection(&mut self) {
        self.link = Link::Down;
        self.is_offered = false;
        self.found = None;
        self.accepted = None;
        self.late_refusals = 0;
        self.is_removing = false;
        if let Seat::Playing(play) = &mut self.seat {
            play.detach(&mut self.requests);
        }
    }

    /// The first wish for an end: no new game.
    fn finish(&mut self) {
        self.is_finishing = true;
        match self.seat {
            Seat::Free => self.requests.say("ending"),
            _ => self.requests.say("ending after this game"),
        }
    }

    /// Nothing is on offer any more.
    fn begin_game(&mut self) {
        self.is_offered = false;
        self.leave_at = None;
        // A removal that crossed the start of the game on its way will be refused, which says nothing of a move.
        self.late_refusals += u32::from(mem::take(&mut self.is_removing));
    }

    /// Resigns a game that cannot be played.
    fn refuse(&mut self, number: u64, why: &str) {
        self.leave_game("another game began");
        self.requests.say(format!("game {number} is resigned: {why}"));
        self.requests.send(Command::Resign(number));
        self.seat = Seat::Refusing(number);
    }

    fn start_game(&mut self, start: GameStart) {
        let number = start.number;
        self.begin_game();
        let is_told_again = self.link != Link::Ready;
        let increment = self.known_increment();
        let mut game = match ServerGame::new(start, increment) {
            Ok(game) => game,
            Err(error) => return self.refuse(number, &error.to_string()),
        };
        let mut level = self.levels.of(game.opponent());
        let is_same = matches!(&self.seat, Seat::Playing(play) if play.game.number() == number);
        if is_same && let Seat::Playing(mut play) = mem::replace(&mut self.seat, Seat::Free) {
            play.stop_thinking(&mut self.requests);
            level = play.level;
            game.remember(play.game);
        } else {
            self.leave_game("another game began");
            self.requests.push(Request::NewGame);
        }
        let title = match level {
            Some(_) => format!("{}, {}", game.title(), words(level)),
            None => game.title(),
        };
        self.requests.say(if is_told_again { format!("{title}, taken up again") } else { title });
        let play = Play::new(game, level, is_told_again);
        self.seat = Seat::Playing(Box::new(play));
    }

    /// What the seek says that has led to a game.
    fn known_increment(&mut self) -> Duration {
        match &self.settings.opponents {
            Opponents::Seeks(seeks) => self.next_seek(seeks).increment,
            Opponents::Of(_) => {
                let seek = self.accepted.take();
                seek.map_or(Duration::ZERO, |seek| seek.increment)
            }
        }
    }

    fn next_seek<'a>(&self, seeks: &'a [Seek]) -> &'a Seek {
        &seeks[self.seek % seeks.len()]
    }

    /// Ends a game of which nothing more will be heard.
    fn leave_game(&mut self, why: &str) {
        if matches!(self.seat, Seat::Playing(_)) {
            self.conclude("*", why);
        }
    }

    fn hear_of_game(&mut self, number: u64, event: GameEvent) {
        match &mut self.seat {
            Seat::Refusing(refused) if *refused == number => {
                if matches!(event, GameEvent::Over(_) | GameEvent::Abandoned(_)) {
                    self.seat = Seat::Free;
                }
            }
            Seat::Playing(play) if play.is_heard(number) => {
                if let Some(end) = play.hear(event, &self.settings, &mut self.requests) {
                    self.conclude(end.result, &end.why);
                }
            }
            _ => {}
        }
    }

    fn take_answer(&mut self, number: u64, report: Result<Report, HashError>) {
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        let taken = play.take_answer(number, report, &self.settings, &mut self.requests);
        if let Err(error) = taken {
            self.end(Err(error.into()));
        }
    }

    /// The server refuses the last thing that could be refused.
    fn take_refusal(&mut self) {
        if self.late_refusals > 0 {
            self.late_refusals -= 1;
            return;
        }
        match &mut self.seat {
            Seat::Playing(play) => {
                if let Some(end) = play.take_refusal(&mut self.requests) {
                    self.conclude(end.result, &end.why);
                }
            }
            Seat::Refusing(_) => self.seat = Seat::Free,
            Seat::Free if self.link == Link::Ready && self.is_offered => {
                self.requests.say("the server refuses the seek, which is offered again soon");
                self.is_offered = false;
                self.offer_at = self.now + SEEK_AGAIN;
            }
            Seat::Free => self.accepted = None,
        }
    }

    /// The game in progress is over.
    fn conclude(&mut self, result: &str, why: &str) {
        let Seat::Playing(mut play) = mem::replace(&mut self.seat, Seat::Free) else {
            return;
        };
        play.stop_thinking(&mut self.requests);
        self.late_refusals += u32::from(play.drop_late_move(result));
        self.games += 1;
        self.seek += 1;
        let place = match winner_of(result) {
            Some(color) if color == play.game.color() => 0,
            Some(_) => 1,
            None => 2,
        };
        self.results[place] += 1;
        let at = self.began.checked_add(self.now).unwrap_or(self.began);
        let at = at.to_string();
        let date = at.get(..10).unwrap_or_default().replace('-', ".");
        let time = at.get(11..19).unwrap_or_default();
        let ptn = play.game.ptn(result, why, [&date, time]);
        // Before it is told: where nobody can be told any more, everything ends there.
        self.requests.push(Request::Keep(Box::new(ptn)));
        let [won, lost, neither] = self.results;
        self.requests.say(format!(
            "game {} is over: {result} ({why}) as {} after {} moves; {won} won, {lost} lost, {neither} neither",
            play.game.number(),
            play.game.color(),
            play.game.played().moves().len().div_ceil(2),
        ));
    }

    /// Does what a player asks for, and answers unless it has just answered somebody.
    fn answer(&mut self, from: String, text: &str) {
        let Some(wish) = Wish::read(text).filter(|_| self.settings.chat) else {
            return;
        };
        if let Wish::Level(level) = wish {
            self.levels.ask(from.clone(), level);
        }
        if self.now < self.chat_at {
            return;
        }
        self.chat_at = self.now + CHAT_PAUSE;
        let undo = if self.settings.undo { "may" } else { "may not" };
        let text = match wish {
            Wish::Help => format!(
                "I am tak-engine {}, a program. You {undo} take moves back. I agree to a draw when I have seen no \
                 advantage of mine for {EVEN_MOVES} moves. Our next game is at {}. I understand: help, level 0 to {}",
                env!("CARGO_PKG_VERSION"),
                words(self.levels.of(&from)),
                Level::MAX
            ),
            Wish::Level(level) => format!("Our next game is at {}", words(level)),
            Wish::NoLevel => format!("Levels are 1 to {}, and 0 is full strength", Level::MAX),
        };
        self.requests.send(Command::Tell { to: from, text });
    }

    fn ping(&mut self) {
        self.ping_at = self.now + PING_EVERY;
        self.requests.send(Command::Ping);
    }

    fn hang_up(&mut self) {
        self.requests.push(Request::HangUp);
        // The end of the connection may take its time to be told.
        self.lose_connection();
    }

    /// What is due by now.
    fn keep_time(&mut self) {
        if self.link != Link::Down && self.now >= self.heard + LONGEST_SILENCE {
            self.requests.say("the server is silent");
            self.hang_up();
        }
        if matches!(self.link, Link::CatchingUp { until } if self.now >= until) {
            self.caught_up();
        }
        if self.is_logged_in() && self.now >= self.ping_at {
            self.ping();
        }
    }

    /// Does what the bot wants to do next.
    fn go_on(&mut self) {
        match &mut self.seat {
            Seat::Playing(play) => {
                play.go_on(&self.settings, &mut self.questions, &mut self.requests);
            }
            Seat::Refusing(_) => {}
            Seat::Free => self.find_game(),
        }
    }

    fn find_game(&mut self) {
        let is_enough = self.settings.games.is_some_and(|games| self.games >= games);
        if self.is_finishing || is_enough {
            return self.leave();
        }
        if self.link != Link::Ready || self.now < self.offer_at {
            return;
        }
        match &self.settings.opponents {
            Opponents::Seeks(seeks) if !self.is_offered => {
                let seek = self.next_seek(seeks).clone();
                self.requests.say(format!("offers a game: {seek}"));
                self.is_offered = true;
                self.requests.send(Command::Seek(seek));
            }
            Opponents::Seeks(_) => {}
            Opponents::Of(_) => {
                if let Some(seek) = self.found.take() {
                    self.requests.send(Command::Accept(seek.number));
                    self.accepted = Some(seek);
                }
            }
        }
    }

    /// Ends the program, once nobody can have accepted a seek any more.
    fn leave(&mut self) {
        if self.leave_at.is_none() {
            let is_awaited = self.is_offered || self.accepted.is_some();
            if self.link == Link::Ready && self.is_offered {
                self.is_offered = false;
                self.is_removing = true;
                self.requests.send(Command::RemoveSeek);
            }
            let pause = if is_awaited { LAST_CALL } else { Duration::ZERO };
            self.leave_at = Some(self.now + pause);
        }
        if self.leave_at.is_some_and(|time| self.now >= time) {
            self.end(Ok(()));
        }
    }
}
