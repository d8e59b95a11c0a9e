//! The state machine of the bot: events in, requests out. It reads neither clock nor socket, so that tests can play
//! through any fault.

mod exchange;
mod play;
#[cfg(test)]
mod tests;

use std::mem;
use std::time::{Duration, SystemTime};

use humantime::format_rfc3339_seconds;

pub use exchange::{Event, Failure, Opponents, Question, Request, Settings};

use crate::chat::{Chat, words};
use crate::protocol::{Command, GameEvent, GameStart, Login, Message, Version};
use crate::seek::Seek;
use crate::server_game::ServerGame;
use exchange::Requests;
use play::Play;
use tak_engine::engine::HashError;
use tak_engine::notation::winner_of;
use tak_engine::search::Report;

/// The interval between pings; the server disconnects after 60 s without a line.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// The timeout for the whole login, and later for any line after a ping or a move.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// The wait after the removal of a seek, which a player may have accepted before.
const SEEK_GRACE: Duration = Duration::from_secs(1);
/// The wait before a refused seek is offered again.
const SEEK_RETRY: Duration = Duration::from_secs(5);

/// The state of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    Down,
    /// The server has not asked for the login yet.
    Greeting {
        is_private: bool,
    },
    /// The login has been sent. The answers to two other commands come first.
    LoggingIn {
        answers: u32,
    },
    /// The login was accepted. The server sends a game to resume, if there is one, before it answers a ping.
    CatchingUp,
    /// The server has sent everything.
    Ready,
}

/// The present activity of the bot.
#[derive(Debug)]
enum Seat {
    Free,
    Playing(Box<Play>),
    /// A game on unsupported terms, which has been resigned.
    Refusing(u64),
}

#[derive(Debug)]
pub struct Bot {
    settings: Settings,
    /// The date of time zero.
    began: SystemTime,
    now: Duration,
    link: Link,
    /// The version of the server's lines. The newest is assumed until it sends others.
    version: Version,
    /// The time of the first line that the server has to answer. Another one from it is an answer.
    asked: Option<Duration>,
    ping_at: Duration,
    seat: Seat,
    offers: Offers,
    /// The numbers of games won, lost and neither.
    results: [u64; 3],
    is_finishing: bool,
    /// The time at which a bot without further games ends.
    leave_at: Option<Duration>,
    questions: u64,
    chat: Chat,
    /// Expected refusals of moves sent after the end of a game, and of a seek removed too late.
    late_refusals: u32,
    requests: Requests,
}

/// The seeks of a connection, own ones and those of the player to play.
#[derive(Debug, Default)]
struct Offers {
    /// True if the own seek is on offer.
    is_open: bool,
    /// True if the server has not yet confirmed the removal of the own seek.
    is_removing: bool,
    /// The number of the latest seek of the player to play.
    found: Option<u64>,
    /// True if such a seek has been accepted, and the game has not begun yet.
    is_accepting: bool,
    /// The earliest time for the next own seek, after a refusal.
    retry_at: Duration,
}

impl Bot {
    /// A bot without a connection. Its time begins at `began`.
    pub fn new(settings: Settings, began: SystemTime) -> Self {
        Self {
            chat: Chat::new(&settings),
            settings,
            began,
            now: Duration::ZERO,
            link: Link::Down,
            version: Version::NEWEST,
            asked: None,
            ping_at: Duration::ZERO,
            seat: Seat::Free,
            offers: Offers::default(),
            results: [0; 3],
            is_finishing: false,
            leave_at: None,
            questions: 0,
            late_refusals: 0,
            requests: Requests::default(),
        }
    }

    /// Handles an event at time `now`, counted from the creation of the bot. Returns the requests in order.
    pub fn handle(&mut self, event: Event, now: Duration) -> Vec<Request> {
        self.now = self.now.max(now);
        match event {
            Event::Connected { is_private } => {
                self.link = Link::Greeting { is_private };
                self.asked = Some(self.now);
            }
            Event::Line(line) => {
                let message = Message::read(&line);
                if message == Message::Other {
                    log::debug!("ignored: {line:?}");
                }
                self.hear(message);
                if self.link == Link::Ready {
                    self.asked = None;
                }
            }
            Event::Disconnected => self.lose_connection(),
            Event::Judged(number, report) => self.take_answer(number, report),
            // Without `quit`: the game stays on the server.
            Event::EngineLost => self.requests.push(Request::End(Err(Failure::Engine))),
            Event::Interrupted => self.finish(),
            Event::Tick => {}
        }
        self.keep_time();
        self.proceed();
        let requests = self.requests.take();
        let is_answered = |request: &Request| matches!(request, Request::Send(Command::Ping | Command::Play(..)));
        if self.link != Link::Down && requests.iter().any(is_answered) {
            self.asked.get_or_insert(self.now);
        }
        requests
    }

    /// The time of the next [`Event::Tick`], if no other event comes before.
    pub fn wake_at(&self) -> Duration {
        let silent = self.asked.map(|asked| asked + ANSWER_TIMEOUT);
        let ping = self.is_logged_in().then_some(self.ping_at);
        let offer = Some(self.offers.retry_at).filter(|&time| time > self.now);
        [silent, ping, offer, self.leave_at].into_iter().flatten().min().unwrap_or(self.now + PING_INTERVAL)
    }

    fn is_logged_in(&self) -> bool {
        matches!(self.link, Link::CatchingUp | Link::Ready)
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
            Message::LoggedIn(name) if matches!(self.link, Link::LoggingIn { .. }) => {
                self.requests.say(format!("logged in as {name}"));
                // The server sends a game in progress before it answers this.
                self.link = Link::CatchingUp;
                self.ping();
            }
            Message::Ok if self.link == Link::CatchingUp => self.caught_up(),
            // The server refuses a login in an invalid form.
            Message::Nok if matches!(self.link, Link::LoggingIn { .. }) => {
                self.requests.say("the server refuses the login");
                self.hang_up();
            }
            Message::Nok => self.take_refusal(),
            Message::SeekNew(seek) => {
                self.learn_version(seek.version);
                if matches!(&self.settings.opponents, Opponents::Of(name) if name.eq_ignore_ascii_case(&seek.owner)) {
                    self.offers.found = seek.fault.is_none().then_some(seek.number);
                    if let Some(fault) = seek.fault {
                        self.requests.say(format!("seek {} of {} is not accepted: {fault}", seek.number, seek.owner));
                    }
                }
            }
            Message::SeekRemoved(number) => {
                self.offers.found.take_if(|seek| *seek == number);
            }
            Message::GameStart(start) => self.start_game(start),
            Message::UnreadableStart(number, terms) if matches!(self.seat, Seat::Free) => {
                self.begin_game();
                self.refuse(number, &format!("its terms cannot be read, {terms}"));
            }
            Message::Resumed => self.resume(),
            Message::Game(number, event) => self.hear_of_game(number, event),
            Message::Tell { from, text } => {
                if let Some(answer) = self.chat.answer(from, &text, self.now) {
                    self.requests.send(answer);
                }
            }
            Message::Replaced => self.end(Err(Failure::Replaced)),
            Message::Notice(text) => self.requests.say(format!("the server says: {text}")),
            // No other game begins during a game.
            Message::UnreadableStart(..) | Message::LoggedIn(_) | Message::Ok | Message::Other => {}
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

    /// Any seek shows the version of the server, also the own one. An older server has misread an own seek with terms
    /// that it does not know, so it is offered again.
    fn learn_version(&mut self, version: Version) {
        if mem::replace(&mut self.version, version) != version
            && let Opponents::Seeks(seeks) = &self.settings.opponents
            && self.next_seek(seeks).needs() > Version::V2
        {
            self.offers.is_open = false;
        }
    }

    /// The server has sent everything after the login, including a game in progress.
    fn caught_up(&mut self) {
        self.link = Link::Ready;
        self.resume();
        if matches!(&self.seat, Seat::Playing(play) if !play.is_attached()) {
            self.conclude("*", "the server no longer has the game");
        }
        if matches!(self.seat, Seat::Refusing(_)) {
            self.seat = Seat::Free;
        }
    }

    /// All moves of a resumed game have been sent: from here on it is played.
    fn resume(&mut self) {
        if let Seat::Playing(play) = &mut self.seat {
            play.resume();
        }
    }

    fn lose_connection(&mut self) {
        self.link = Link::Down;
        self.asked = None;
        self.version = Version::NEWEST;
        self.offers = Offers { retry_at: self.offers.retry_at, ..Offers::default() };
        self.late_refusals = 0;
        if let Seat::Playing(play) = &mut self.seat {
            play.detach(&mut self.requests);
        }
    }

    /// Ends the bot after the present game.
    fn finish(&mut self) {
        self.is_finishing = true;
        match self.seat {
            Seat::Free => self.requests.say("ending"),
            _ => self.requests.say("ending after this game"),
        }
    }

    /// A game begins, which ends all offers.
    fn begin_game(&mut self) {
        self.offers.is_open = false;
        self.offers.is_accepting = false;
        self.leave_at = None;
        // A removal that crossed the start of the game will be refused. That is not the refusal of a move.
        self.late_refusals += u32::from(mem::take(&mut self.offers.is_removing));
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
        let is_resumed = self.link != Link::Ready;
        let game = match ServerGame::new(start) {
            Ok(game) => game,
            Err(error) => return self.refuse(number, &error.to_string()),
        };
        let level = self.chat.level(game.opponent());
        let mut play = Play::new(game, level, is_resumed);
        let is_same = matches!(&self.seat, Seat::Playing(play) if play.game.number() == number);
        if is_same && let Seat::Playing(mut before) = mem::replace(&mut self.seat, Seat::Free) {
            before.stop_thinking(&mut self.requests);
            play.remember(*before);
        } else {
            self.leave_game("another game began");
            self.requests.push(Request::NewGame);
        }
        let title = match play.level {
            Some(_) => format!("{}, {}", play.game.title(), words(play.level)),
            None => play.game.title(),
        };
        self.requests.say(if is_resumed { format!("{title}, resumed") } else { title });
        self.seat = Seat::Playing(Box::new(play));
    }

    fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    fn next_seek<'a>(&self, seeks: &'a [Seek]) -> &'a Seek {
        &seeks[self.games() as usize % seeks.len()]
    }

    /// Ends a game that the server will not mention again.
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

    /// The server refuses the last command that it can refuse.
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
            Seat::Free if self.link == Link::Ready && self.offers.is_open => {
                self.requests.say("the server refuses the seek; retrying soon");
                self.offers.is_open = false;
                self.offers.retry_at = self.now + SEEK_RETRY;
            }
            Seat::Free => self.offers.is_accepting = false,
        }
    }

    /// The game in progress is over.
    fn conclude(&mut self, result: &str, why: &str) {
        let Seat::Playing(mut play) = mem::replace(&mut self.seat, Seat::Free) else {
            return;
        };
        play.stop_thinking(&mut self.requests);
        self.late_refusals += u32::from(play.drop_late_move(result));
        let place = match winner_of(result) {
            Some(color) if color == play.game.color() => 0,
            Some(_) => 1,
            None => 2,
        };
        self.results[place] += 1;
        let at = self.began.checked_add(self.now).unwrap_or(self.began);
        let at = format_rfc3339_seconds(at).to_string();
        let date = at.get(..10).unwrap_or_default().replace('-', ".");
        let time = at.get(11..19).unwrap_or_default();
        let ptn = play.game.ptn(&self.settings.site, result, why, [&date, time]);
        // Before the output: if stdout is closed, the output ends the program.
        self.requests.push(Request::Keep(Box::new(ptn)));
        let [won, lost, neither] = self.results;
        self.requests.say(format!(
            "game {} is over: {result} ({why}) as {} after {} moves; {won} won, {lost} lost, {neither} neither",
            play.game.number(),
            play.game.color(),
            play.game.played().moves().len().div_ceil(2),
        ));
    }

    fn ping(&mut self) {
        self.ping_at = self.now + PING_INTERVAL;
        self.requests.send(Command::Ping);
    }

    fn hang_up(&mut self) {
        self.requests.push(Request::HangUp);
        // The event of the lost connection may come much later.
        self.lose_connection();
    }

    /// Does everything that is due by now.
    fn keep_time(&mut self) {
        if self.asked.is_some_and(|asked| self.now >= asked + ANSWER_TIMEOUT) {
            self.requests.say("the server does not answer");
            self.hang_up();
        }
        if self.is_logged_in() && self.now >= self.ping_at {
            self.ping();
        }
    }

    /// Takes the next step in a game, or towards one.
    fn proceed(&mut self) {
        match &mut self.seat {
            Seat::Playing(play) if play.is_doubted() => self.hang_up(),
            Seat::Playing(play) => {
                play.proceed(&self.settings, &mut self.questions, &mut self.requests);
            }
            Seat::Refusing(_) => {}
            Seat::Free => self.find_game(),
        }
    }

    fn find_game(&mut self) {
        let is_enough = self.settings.games.is_some_and(|games| self.games() >= games);
        if self.is_finishing || is_enough {
            return self.leave();
        }
        if self.link != Link::Ready || self.now < self.offers.retry_at {
            return;
        }
        match &self.settings.opponents {
            Opponents::Seeks(seeks) if seeks.iter().any(|seek| seek.needs() > self.version) => {
                self.end(Err(Failure::OldServer(self.version)));
            }
            Opponents::Seeks(seeks) if !self.offers.is_open => {
                let seek = self.next_seek(seeks).clone();
                // All servers know the oldest form, also one whose version is not known yet.
                let version = if seek.needs() == Version::V2 { Version::V2 } else { self.version };
                self.requests.say(format!("offers a game: {seek}"));
                self.offers.is_open = true;
                self.requests.send(Command::Seek(seek, version));
            }
            Opponents::Seeks(_) => {}
            Opponents::Of(_) => {
                if let Some(number) = self.offers.found.take() {
                    self.requests.send(Command::Accept(number));
                    self.offers.is_accepting = true;
                }
            }
        }
    }

    /// Ends the program, once the seek can no longer have been accepted.
    fn leave(&mut self) {
        if self.leave_at.is_none() {
            let is_awaited = self.offers.is_open || self.offers.is_accepting;
            if self.link == Link::Ready && self.offers.is_open {
                self.offers.is_open = false;
                self.offers.is_removing = true;
                self.requests.send(Command::RemoveSeek);
            }
            let pause = if is_awaited { SEEK_GRACE } else { Duration::ZERO };
            self.leave_at = Some(self.now + pause);
        }
        if self.leave_at.is_some_and(|time| self.now >= time) {
            self.end(Ok(()));
        }
    }
}
