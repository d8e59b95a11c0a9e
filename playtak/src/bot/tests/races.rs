//! Random games over a slow connection to a model of the server, in which any two lines may cross.

use std::collections::VecDeque;

use rand::prelude::IndexedRandom;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use tak_engine::board::{AnyPosition, Color, Game, Komi, Move, Size};

/// The bot's opponent has no connection: it acts on the server itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Bot,
    Opponent,
}

struct ServerModel {
    game: Game,
    /// The number of games so far, which is also the number of the present one.
    games: u64,
    bot_color: Color,
    is_running: bool,
    has_seek: bool,
    draw: Option<Side>,
    undo: Option<Side>,
    /// Moves and result of each game. The result is missing if the bot was not connected at the end.
    records: Vec<(Vec<Move>, Option<String>)>,
    is_logged_in: bool,
    to_bot: VecDeque<String>,
}

impl ServerModel {
    fn send(&mut self, line: &str) {
        self.to_bot.push_back(line.to_owned());
    }

    fn say(&mut self, event: &str) {
        if self.is_logged_in {
            self.send(&format!("Game#{} {event}", self.games));
        }
    }

    fn start_line(&self) -> String {
        let (names, color) = match self.bot_color {
            Color::White => ("Guest1 vs alice", "white"),
            Color::Black => ("alice vs Guest1", "black"),
        };
        format!("Game Start {} {names} {color} 4 600 0 0 0 15 0 0 0 0 0 0 0", self.games)
    }

    fn start(&mut self, color: Color) {
        self.game = Game::new(AnyPosition::start(Size::ALL[1], Komi::ZERO));
        (self.games, self.bot_color) = (self.games + 1, color);
        (self.is_running, self.has_seek, self.draw, self.undo) = (true, false, None, None);
        self.send("Seek remove 1 Guest1 4 600 0 A 0 15 0 0 0 0 0 0 0");
        self.send(&self.start_line());
    }

    fn turn(&self) -> Side {
        if self.game.position().to_move() == self.bot_color { Side::Bot } else { Side::Opponent }
    }

    fn end(&mut self, result: &str) {
        self.is_running = false;
        self.records.push((self.game.moves().to_vec(), self.is_logged_in.then(|| result.to_owned())));
        self.say(&format!("Over {result}"));
    }

    fn play(&mut self, mv: Move) {
        let side = self.turn();
        self.game.play(mv).unwrap();
        self.undo = None;
        self.say("Timems 600000 600000");
        if side == Side::Opponent && self.is_logged_in {
            let line = Command::Play(self.games, mv).line();
            self.send(&line);
        }
        if let Some(outcome) = self.game.position().outcome() {
            self.end(&outcome.to_string());
        }
    }

    /// What either side does beside its moves.
    fn act(&mut self, side: Side, event: &GameEvent) {
        let other = if side == Side::Bot { Side::Opponent } else { Side::Bot };
        let is_heard = side == Side::Opponent;
        match event {
            GameEvent::OfferDraw if self.draw == Some(other) => self.end("1/2-1/2"),
            GameEvent::OfferDraw if self.draw.is_none() => {
                self.draw = Some(side);
                if is_heard {
                    self.say("OfferDraw");
                }
            }
            GameEvent::RemoveDraw if self.draw == Some(side) => {
                self.draw = None;
                if is_heard {
                    self.say("RemoveDraw");
                }
            }
            GameEvent::RequestUndo if self.undo == Some(other) => {
                self.undo = None;
                self.game.take_back();
                self.say("Timems 600000 600000");
                self.say("Undo");
            }
            GameEvent::RequestUndo if self.undo.is_none() && !self.game.moves().is_empty() => {
                self.undo = Some(side);
                if is_heard {
                    self.say("RequestUndo");
                }
            }
            GameEvent::RemoveUndo if self.undo == Some(side) => {
                self.undo = None;
                if is_heard {
                    self.say("RemoveUndo");
                }
            }
            _ => {}
        }
    }

    /// A line of the bot.
    fn hear(&mut self, line: &str) {
        match Message::read(line) {
            Message::Game(number, event) if self.is_running && number == self.games => {
                match event {
                    GameEvent::Move(mv) if self.turn() == Side::Bot && self.game.legal_moves().contains(&mv) => {
                        self.play(mv);
                    }
                    GameEvent::Move(_) => {
                        self.send("NOK");
                        return self.send("Error:Not your turn");
                    }
                    event => self.act(Side::Bot, &event),
                }
                self.send("OK");
            }
            _ if line.starts_with("Seek 4") && !self.is_running => {
                self.has_seek = true;
                self.send("Seek new 1 Guest1 4 600 0 A 0 15 0 0 0 0 0 0 0");
            }
            _ if line.starts_with("Login") => {
                self.is_logged_in = true;
                if self.is_running {
                    self.send(&self.start_line());
                    for mv in self.game.moves().to_vec() {
                        self.send(&Command::Play(self.games, mv).line());
                    }
                    self.say("Timems 600000 600000");
                    self.send("Message Your game is resumed");
                }
                self.send("Welcome Guest1!");
            }
            _ if line == "PING" || line.starts_with("Client") || line.starts_with("Protocol") => self.send("OK"),
            _ => self.send("NOK"),
        }
    }

    fn connect(&mut self) {
        self.send("Welcome!");
        self.send("Login or Register");
    }

    fn cut(&mut self) {
        (self.is_logged_in, self.has_seek) = (false, false);
        if self.to_bot.drain(..).any(|line| line.contains(" Over ")) {
            self.records.last_mut().unwrap().1 = None;
        }
    }
}

/// Plays some games, and checks that the bot has those of the server and resigns none.
fn play(seed: u64, cut_share: f64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let settings = Settings {
        opponents: Opponents::Seeks(vec!["size=4 time=10:00".parse().unwrap()]),
        undo: true,
        ponder: seed.is_multiple_of(2),
        ..settings()
    };
    let mut bot = TestBot::after(settings, &[]);
    let mut server = ServerModel {
        game: Game::new(AnyPosition::start(Size::ALL[1], Komi::ZERO)),
        games: 0,
        bot_color: Color::White,
        is_running: false,
        has_seek: false,
        draw: None,
        undo: None,
        records: Vec::new(),
        is_logged_in: false,
        to_bot: VecDeque::new(),
    };
    let mut to_server = VecDeque::new();
    let mut questions: Vec<Question> = Vec::new();
    let (mut kept, mut log) = (0, Vec::new());
    let mut is_up = false;
    while kept < 5 {
        assert!(log.len() < 5000, "the game does not end:\n{}", log[4900..].join("\n"));
        let mut requests = Vec::new();
        let mut say = |text: String, requests: &mut Vec<Request>, event: Event, bot: &mut TestBot| {
            log.push(text);
            requests.extend(bot.handle(event));
        };
        match random.random_range(0..10) {
            _ if !is_up => {
                is_up = true;
                server.connect();
                say("connected".into(), &mut requests, Event::Connected { is_private: true }, &mut bot);
            }
            _ if random.random_bool(cut_share) => {
                to_server.drain(..).take(random.random_range(0..3)).for_each(|line: String| server.hear(&line));
                is_up = false;
                server.cut();
                say("cut".into(), &mut requests, Event::Disconnected, &mut bot);
            }
            0..3 => {
                if let Some(line) = server.to_bot.pop_front() {
                    say(line.clone(), &mut requests, Event::Line(line), &mut bot);
                }
            }
            3..6 => {
                if let Some(line) = to_server.pop_front() {
                    log.push(format!("    {line} arrives"));
                    server.hear(&line);
                }
            }
            6 => {
                if let Some(question) = questions.pop() {
                    let moves = question.game.legal_moves();
                    let line = Line {
                        score: Score::centiflats(random.random_range(-9..2)),
                        bound: None,
                        solved: None,
                        pv: vec![*moves.choose(&mut random).unwrap()],
                    };
                    let report = Report { lines: vec![line], ..Report::default() };
                    say("engine".into(), &mut requests, Event::Judged(question.number, Ok(report)), &mut bot);
                }
            }
            7 => {
                bot.now += Duration::from_secs(1);
                say("wait".into(), &mut requests, Event::Tick, &mut bot);
            }
            _ if server.has_seek => {
                server.start(*Color::ALL.choose(&mut random).unwrap());
                log.push("    accepted".into());
            }
            _ if server.is_running => match random.random_range(0..40) {
                0 => server.end("1-0"),
                1..4 => {
                    server.say("GivenTime white 15000");
                    server.say("Timems 615000 600000");
                }
                4..8 => {
                    log.push("    opponent: undo".into());
                    server.act(Side::Opponent, &GameEvent::RequestUndo);
                }
                8..12 => server.act(Side::Opponent, &GameEvent::RemoveUndo),
                12..15 => server.act(Side::Opponent, &GameEvent::OfferDraw),
                15..17 => server.act(Side::Opponent, &GameEvent::RemoveDraw),
                _ if server.turn() == Side::Opponent => {
                    let mv = *server.game.legal_moves().choose(&mut random).unwrap();
                    log.push(format!("    opponent: {mv}"));
                    server.play(mv);
                }
                _ => {}
            },
            _ => {}
        }
        for request in requests {
            log.push(format!("    -> {}", text(&request).unwrap_or_else(|| said(std::slice::from_ref(&request)))));
            match request {
                Request::Send(command) => {
                    let line = command.line();
                    assert!(!line.ends_with("Resign"), "{seed}: a game is lost:\n{}", log.join("\n"));
                    to_server.push_back(line);
                }
                Request::HangUp => {
                    to_server.drain(..).for_each(|line| server.hear(&line));
                    server.cut();
                    is_up = false;
                }
                Request::Think(question) => questions.push(*question),
                Request::Keep(game) => {
                    let number: usize = game.tag("Round").unwrap().parse().unwrap();
                    let moves: Vec<Move> = game.moves.iter().map(|ptn| ptn.mv).collect();
                    let (played, result) = &server.records[number - 1];
                    // The line about the end may be lost.
                    let is_heard = game.result.as_deref() != Some("*") || result.is_some() && cut_share == 0.0;
                    let same = game.result == *result && moves == *played;
                    assert!(same || !is_heard, "{seed}: {game}, {result:?} {played:?}\n{}", log.join("\n"));
                    kept += 1;
                    log.clear();
                }
                _ => {}
            }
        }
    }
}

#[test]
fn lines_that_cross_lose_no_game() {
    for seed in 0..300 {
        play(seed, 0.0);
        play(seed, 0.01);
    }
}
