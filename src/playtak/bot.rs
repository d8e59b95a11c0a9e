//! What the bot does: a machine that is told what happens and says what is to be done. It reads no clock and no socket, so
//! that every fault can be played through.

use std::mem;
use std::time::Duration;

use jiff::Timestamp;

use super::chat::{Levels, Wish, words};
use super::protocol::{Command, GameEvent, GameStart, Login, Message, OpenSeek, winner};
use super::seek::Seek;
use super::table::{EVEN_MOVES, Table};
use crate::board::{Color, Game, Move};
use crate::engine::{HashError, Level, Limits};
use crate::notation::PtnGame;
use crate::search::{Report, Solved};

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
}

/// How a bot comes to its games.
#[derive(Debug, Clone)]
pub enum Opponents {
    /// It offers these in turn. There has to be one.
    Seeks(Vec<Seek>),
    /// It accepts what this player offers.
    Of(String),
}

/// Something that happened.
#[derive(Debug)]
pub enum Event {
    /// There is a connection.
    Connected {
        /// Whether nobody on the way can read along.
        is_private: bool,
    },
    /// The server said something.
    Line(String),
    /// The connection is gone.
    Disconnected,
    /// The engine has answered the question of this number.
    Judged(u64, Result<Report, HashError>),
    /// The operator wants an end.
    Interrupted,
    /// Nothing, but some time has passed.
    Tick,
}

/// Something that is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// Send a line.
    Send(Command),
    /// End the connection; another one will be made.
    HangUp,
    /// Forget the last game: another one begins.
    NewGame,
    /// Answer a question, in the place of any asked before.
    Think(Box<Question>),
    /// Think about what the next question may be, once the first move of the line has been played in the game.
    Ponder(Box<Game>, Vec<Move>),
    /// Answer no question any more, and think about none.
    StopThinking,
    /// Keep a finished game.
    Keep(Box<PtnGame>),
    /// Tell the operator.
    Say(String),
    /// End the program.
    End(Result<(), Failure>),
}

/// A position to find a move in.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// For the answer.
    pub number: u64,
    /// The game so far.
    pub game: Game,
    /// The time there is.
    pub limits: Limits,
    /// How strong to play; `None` for full strength.
    pub level: Option<Level>,
    /// What a level does by chance is the same for all moves of a game.
    pub seed: u64,
}

/// Why a bot cannot go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A wrong name or password.
    #[error("the server does not know this name and password")]
    Login,
    /// A password is not for everybody on the way.
    #[error(
        "the password is not sent over a connection without encryption: use wss://, or --guest"
    )]
    Exposed,
    /// Two programs would throw each other out for ever.
    #[error("another program has logged in with the same name")]
    Replaced,
    /// The engine does not work.
    #[error(transparent)]
    Hash(#[from] HashError),
}

/// The way to the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    /// There is none.
    Down,
    /// The server has not asked for a login yet.
    Greeting { is_private: bool },
    /// It has been asked to let the bot in.
    LoggingIn,
    /// It has let the bot in, and tells of a game to be taken up if there is one, up to the answer to a ping.
    Settling { until: Duration },
    /// Everything is told.
    Ready,
}

/// A game in progress, with what is going on beside the board.
#[derive(Debug)]
struct Play {
    table: Table,
    /// How strong it is played; `None` for full strength.
    level: Option<Level>,
    /// Whether this connection knows of the game.
    is_attached: bool,
    /// Whether the server is still telling the moves that were played before.
    is_told_again: bool,
    /// An own move that the server has not confirmed.
    unconfirmed: Option<Move>,
    /// The number of the question that the engine is at.
    question: Option<u64>,
    /// Whether the engine thinks without a question.
    is_pondering: bool,
    /// Whether the opponent's offer of a draw stands, and whether it was accepted.
    draw: Offer,
    /// The same for the wish to take a move back.
    undo: Offer,
    /// Whether the bot has resigned, and what for.
    given_up: Option<&'static str>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Offer {
    None,
    Open,
    Accepted,
}

impl Play {
    /// Nothing is to be thought about any more. Returns whether the engine has to be told.
    fn stops_thinking(&mut self) -> bool {
        let is_asked = self.question.take().is_some();
        mem::take(&mut self.is_pondering) || is_asked
    }
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
    /// Refusals still to come, of moves that were sent when the game was over already.
    late_refusals: u32,
    requests: Vec<Request>,
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
            requests: Vec::new(),
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
        mem::take(&mut self.requests)
    }

    /// When the bot wants to be told that time has passed, if nothing else happens before.
    #[must_use]
    pub fn wake_at(&self) -> Duration {
        let silent = (self.link != Link::Down).then_some(self.heard + LONGEST_SILENCE);
        let ping = self.is_logged_in().then_some(self.ping_at);
        let settled = match self.link {
            Link::Settling { until } => Some(until),
            _ => None,
        };
        let offer = (self.offer_at > self.now).then_some(self.offer_at);
        [silent, ping, settled, offer, self.leave_at]
            .into_iter()
            .flatten()
            .min()
            .unwrap_or(self.now + PING_EVERY)
    }

    fn is_logged_in(&self) -> bool {
        matches!(self.link, Link::Settling { .. } | Link::Ready)
    }

    fn send(&mut self, command: Command) {
        self.requests.push(Request::Send(command));
    }

    fn say(&mut self, text: impl Into<String>) {
        self.requests.push(Request::Say(text.into()));
    }

    fn end(&mut self, end: Result<(), Failure>) {
        if self.is_logged_in() {
            self.send(Command::Quit);
        }
        self.requests.push(Request::End(end));
    }

    /// The game in progress if it is this one.
    fn play(&mut self, number: u64) -> Option<&mut Play> {
        match &mut self.seat {
            Seat::Playing(play) if play.table.number() == number && play.is_attached => Some(play),
            _ => None,
        }
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::LoginPrompt => self.log_in(),
            Message::AuthenticationFailure => self.end(Err(Failure::Login)),
            Message::LoggedIn(name) => {
                self.say(format!("logged in as {name}"));
                self.name = Some(name);
                // All that the server has to say of a game that goes on comes before the answer to this.
                self.link = Link::Settling {
                    until: self.now + LOGIN_PATIENCE,
                };
                self.ping();
            }
            Message::Ok => {
                if matches!(self.link, Link::Settling { .. }) {
                    self.settle();
                }
            }
            Message::Nok => self.take_refusal(),
            Message::SeekNew(seek) => {
                if matches!(&self.settings.opponents, Opponents::Of(name) if *name == seek.owner) {
                    self.found = Some(seek);
                }
            }
            Message::SeekRemoved(number) => {
                self.found.take_if(|seek| seek.number == number);
            }
            Message::GameStart(start) => self.start_game(start),
            Message::Resumed => self.take_up(),
            Message::Game(number, event) => self.hear_of_game(number, event),
            Message::Tell { from, text } => self.answer(from, &text),
            Message::Replaced => self.end(Err(Failure::Replaced)),
            Message::Notice(text) => self.say(format!("the server says: {text}")),
            Message::Other => {}
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
        self.link = Link::LoggingIn;
        self.send(Command::Client);
        self.send(Command::Protocol);
        self.send(Command::Login(login));
    }

    /// After the login everything has been told, also of a game that goes on.
    fn settle(&mut self) {
        self.link = Link::Ready;
        self.take_up();
        if matches!(&self.seat, Seat::Playing(play) if !play.is_attached) {
            self.conclude("*", "the server does not know the game any more");
        }
        if matches!(self.seat, Seat::Refusing(_)) {
            self.seat = Seat::Free;
        }
    }

    /// All moves of a game have been told: from here on it is played.
    fn take_up(&mut self) {
        if let Seat::Playing(play) = &mut self.seat
            && play.is_attached
        {
            play.is_told_again = false;
        }
    }

    fn lose_connection(&mut self) {
        self.link = Link::Down;
        self.is_offered = false;
        self.found = None;
        self.accepted = None;
        self.late_refusals = 0;
        let mut is_thinking = false;
        if let Seat::Playing(play) = &mut self.seat {
            play.is_attached = false;
            is_thinking = play.stops_thinking();
        }
        if is_thinking {
            self.requests.push(Request::StopThinking);
        }
    }

    /// The first wish for an end: no new game.
    fn finish(&mut self) {
        self.is_finishing = true;
        match self.seat {
            Seat::Free => self.say("ending"),
            _ => self.say("ending after this game"),
        }
    }

    fn start_game(&mut self, start: GameStart) {
        self.is_offered = false;
        self.leave_at = None;
        let number = start.number;
        let is_told_again = self.link != Link::Ready;
        let increment = self.known_increment();
        let mut table = match Table::new(start, increment) {
            Ok(table) => table,
            Err(error) => {
                self.leave_game("another game began");
                self.say(format!("game {number} is resigned: {error}"));
                self.send(Command::Resign(number));
                self.seat = Seat::Refusing(number);
                return;
            }
        };
        let mut level = self.levels.of(table.opponent());
        let is_same = matches!(&self.seat, Seat::Playing(play) if play.table.number() == number);
        if is_same && let Seat::Playing(play) = mem::replace(&mut self.seat, Seat::Free) {
            level = play.level;
            table.remember(play.table);
        } else {
            self.leave_game("another game began");
            self.requests.push(Request::NewGame);
        }
        let title = match level {
            Some(_) => format!("{}, {}", table.title(), words(level)),
            None => table.title(),
        };
        self.say(if is_told_again {
            format!("{title}, taken up again")
        } else {
            title
        });
        self.seat = Seat::Playing(Box::new(Play {
            table,
            level,
            is_attached: true,
            is_told_again,
            unconfirmed: None,
            question: None,
            is_pondering: false,
            draw: Offer::None,
            undo: Offer::None,
            given_up: None,
        }));
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
        if matches!(self.seat, Seat::Refusing(refused) if refused == number) {
            if matches!(event, GameEvent::Over(_) | GameEvent::Abandoned(_)) {
                self.seat = Seat::Free;
            }
            return;
        }
        let Some(play) = self.play(number) else {
            return;
        };
        match event {
            GameEvent::Move(mv) => self.take_move(mv),
            GameEvent::UnreadableMove(text) => {
                self.give_up("a move that cannot be read", &text);
            }
            GameEvent::Clocks(clocks) => {
                // The server tells the clocks when it takes a move.
                play.unconfirmed = None;
                play.table.set_clocks(clocks);
            }
            GameEvent::Over(result) => {
                let result = result.unwrap_or("*");
                let why = play.given_up.unwrap_or(match result {
                    "R-0" | "0-R" => "road",
                    "F-0" | "0-F" => "flats",
                    "1-0" | "0-1" => "resignation or time",
                    "1/2-1/2" => "draw",
                    _ => "ended by the server",
                });
                self.conclude(result, why);
            }
            GameEvent::Abandoned(player) => {
                let color = play.table.color();
                let is_own = player != play.table.opponent();
                let white_won = (color == Color::White) != is_own;
                let result = if white_won { "1-0" } else { "0-1" };
                self.conclude(result, &format!("{player} quit"));
            }
            GameEvent::OfferDraw => {
                play.draw = Offer::Open;
                self.consider_draw();
            }
            GameEvent::RemoveDraw => {
                // What was meant as an agreement would now be an offer.
                if mem::replace(&mut play.draw, Offer::None) == Offer::Accepted {
                    self.send(Command::RemoveDraw(number));
                }
            }
            GameEvent::RequestUndo => self.consider_undo(),
            GameEvent::RemoveUndo => self.drop_undo(),
            GameEvent::Undo => self.take_back(),
        }
    }

    /// A move of the opponent, or of either player where the server tells a game again.
    fn take_move(&mut self, mv: Move) {
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        if play.given_up.is_some() {
            return;
        }
        play.unconfirmed = None;
        if play.table.is_own_turn() && !play.is_told_again {
            return self.give_up("a move out of turn", &mv.to_string());
        }
        match play.table.play(mv) {
            Ok(()) => self.drop_undo(),
            Err(error) => self.give_up("an illegal move", &format!("{mv}: {error}")),
        }
    }

    /// Resigns a game in which the server and this program do not mean the same.
    fn give_up(&mut self, why: &'static str, what: &str) {
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        if play.given_up.is_some() {
            return;
        }
        play.given_up = Some(why);
        play.stops_thinking();
        let number = play.table.number();
        self.say(format!("game {number} is resigned: {why}, {what}"));
        self.requests.push(Request::StopThinking);
        self.send(Command::Resign(number));
    }

    /// The server refuses the last thing that could be refused.
    fn take_refusal(&mut self) {
        if self.late_refusals > 0 {
            self.late_refusals -= 1;
            return;
        }
        match &mut self.seat {
            Seat::Playing(play) if play.given_up.is_some() => {
                // Not even the resignation: there is no such game any more.
                let why = play.given_up.unwrap_or_default();
                self.conclude("*", why);
            }
            Seat::Playing(play) => {
                if play.undo == Offer::Accepted {
                    play.undo = Offer::None;
                } else if let Some(mv) = play.unconfirmed.take() {
                    play.table.undo();
                    self.give_up("a move that the server refuses", &mv.to_string());
                }
            }
            Seat::Refusing(_) => self.seat = Seat::Free,
            Seat::Free if self.link == Link::Ready && self.is_offered => {
                self.say("the server refuses the seek, which is offered again soon");
                self.is_offered = false;
                self.offer_at = self.now + SEEK_AGAIN;
            }
            Seat::Free => self.accepted = None,
        }
    }

    fn consider_draw(&mut self) {
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        if play.draw == Offer::Open && play.table.is_even() && play.given_up.is_none() {
            play.draw = Offer::Accepted;
            let number = play.table.number();
            self.say(format!("game {number}: agrees to a draw"));
            self.send(Command::OfferDraw(number));
        }
    }

    fn consider_undo(&mut self) {
        let may = self.settings.undo;
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        // A move that crossed the wish on its way has made it void.
        if !may || play.unconfirmed.is_some() || play.given_up.is_some() {
            return;
        }
        play.undo = Offer::Accepted;
        let number = play.table.number();
        if play.stops_thinking() {
            self.requests.push(Request::StopThinking);
        }
        self.send(Command::RequestUndo(number));
    }

    /// The wish to take a move back is void. What was meant as an agreement would now be an own wish.
    fn drop_undo(&mut self) {
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        if mem::replace(&mut play.undo, Offer::None) == Offer::Accepted {
            let number = play.table.number();
            self.send(Command::RemoveUndo(number));
        }
    }

    fn take_back(&mut self) {
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        play.undo = Offer::None;
        play.unconfirmed = None;
        play.table.undo();
        if play.stops_thinking() {
            self.requests.push(Request::StopThinking);
        }
    }

    fn take_answer(&mut self, number: u64, report: Result<Report, HashError>) {
        let Settings {
            resign: may_resign,
            ponder: may_ponder,
            ..
        } = self.settings;
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        // The game has gone on without it.
        if play.question != Some(number) {
            return;
        }
        play.question = None;
        let report = match report {
            Ok(report) => report,
            Err(error) => return self.end(Err(error.into())),
        };
        let (game, line) = (play.table.number(), report.lines.first());
        if let Some(line) = line {
            play.table.note_score(line.score);
        }
        if may_resign && line.is_some_and(|line| matches!(line.solved, Some(Solved::Loss(_)))) {
            play.given_up = Some("resignation");
            self.say(format!("game {game} is resigned: it is lost"));
            return self.send(Command::Resign(game));
        }
        let Some(mv) = report.best() else {
            return;
        };
        let before = may_ponder.then(|| play.table.game().clone());
        if let Err(error) = play.table.play_judged(mv, &report) {
            return self.give_up("no legal move was found", &format!("{mv}: {error}"));
        }
        play.unconfirmed = Some(mv);
        let is_over = play.table.game().position().outcome().is_some();
        let before = before.filter(|_| !is_over);
        play.is_pondering = before.is_some();
        self.consider_draw();
        self.send(Command::Play(game, mv));
        if let (Some(before), Some(line)) = (before, report.lines.into_iter().next()) {
            let ponder = Request::Ponder(Box::new(before), line.pv);
            self.requests.push(ponder);
        }
    }

    /// The game in progress is over.
    fn conclude(&mut self, result: &str, why: &str) {
        let Seat::Playing(mut play) = mem::replace(&mut self.seat, Seat::Free) else {
            return;
        };
        if play.stops_thinking() {
            self.requests.push(Request::StopThinking);
        }
        if play.unconfirmed.is_some() && play.is_attached {
            self.late_refusals += 1;
        }
        self.games += 1;
        self.seek += 1;
        let place = match winner(result) {
            Some(color) if color == play.table.color() => 0,
            Some(_) => 1,
            None => 2,
        };
        self.results[place] += 1;
        let [won, lost, neither] = self.results;
        self.say(format!(
            "game {} is over: {result} ({why}) as {} after {} moves; {won} won, {lost} lost, {neither} neither",
            play.table.number(),
            play.table.color(),
            play.table.game().moves().len().div_ceil(2),
        ));
        let at = self.began.checked_add(self.now).unwrap_or(self.began);
        let at = at.to_string();
        let date = at.get(..10).unwrap_or_default().replace('-', ".");
        let time = at.get(11..19).unwrap_or_default();
        let ptn = play.table.ptn(result, why, [&date, time]);
        self.requests.push(Request::Keep(Box::new(ptn)));
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
                Level::MOST
            ),
            Wish::Level(level) => format!("Our next game is at {}", words(level)),
            Wish::NoLevel => format!("Levels are 1 to {}, and 0 is full strength", Level::MOST),
        };
        self.send(Command::Tell { to: from, text });
    }

    fn ping(&mut self) {
        self.ping_at = self.now + PING_EVERY;
        self.send(Command::Ping);
    }

    /// What is due by now.
    fn keep_time(&mut self) {
        if self.link != Link::Down && self.now >= self.heard + LONGEST_SILENCE {
            self.say("the server is silent");
            self.requests.push(Request::HangUp);
            // The end of the connection may take its time to be told.
            self.lose_connection();
        }
        if matches!(self.link, Link::Settling { until } if self.now >= until) {
            self.settle();
        }
        if self.is_logged_in() && self.now >= self.ping_at {
            self.ping();
        }
    }

    /// Does what the bot wants to do next.
    fn go_on(&mut self) {
        match &self.seat {
            Seat::Playing(_) => self.think(),
            Seat::Refusing(_) => {}
            Seat::Free => self.find_game(),
        }
    }

    /// Asks for a move where one is due.
    fn think(&mut self) {
        let Seat::Playing(play) = &mut self.seat else {
            return;
        };
        let is_due = play.is_attached
            && !play.is_told_again
            && play.question.is_none()
            && play.given_up.is_none()
            && play.undo != Offer::Accepted
            && play.table.is_own_turn();
        if is_due {
            self.questions += 1;
            play.question = Some(self.questions);
            play.is_pondering = false;
            self.requests.push(Request::Think(Box::new(Question {
                number: self.questions,
                game: play.table.game().clone(),
                limits: Limits::clock(play.table.clock()),
                level: play.level,
                seed: play.table.number(),
            })));
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
                self.say(format!("offers a game: {seek}"));
                self.is_offered = true;
                self.send(Command::Seek(seek));
            }
            Opponents::Seeks(_) => {}
            Opponents::Of(_) => {
                if let Some(seek) = self.found.take() {
                    self.send(Command::Accept(seek.number));
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
                self.send(Command::RemoveSeek);
            }
            let pause = if is_awaited {
                LAST_CALL
            } else {
                Duration::ZERO
            };
            self.leave_at = Some(self.now + pause);
        }
        if self.leave_at.is_some_and(|time| self.now >= time) {
            self.end(Ok(()));
        }
    }
}

#[cfg(test)]
mod storm;
#[cfg(test)]
mod tests;
