//! Random games over a slow connection to a model of the server. Any two lines may cross, and the opponent takes moves
//! back, offers draws and gives time at any moment.

use std::collections::VecDeque;

use rand::prelude::IndexedRandom;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use super::*;
use tak_engine::board::{AnyPosition, Color, Game, Komi, Move, Size};

const TERMS: &str = "4 600 0 0 0 15 0 0 0 0 0 0 0";

/// The bot, the server, and the lines on their way. The opponent acts on the server itself.
// They are independent.
#[allow(clippy::struct_excessive_bools)]
struct World {
    random: Xoshiro256PlusPlus,
    bot: TestBot,
    questions: Vec<Question>,
    is_connected: bool,
    is_logged_in: bool,
    to_bot: VecDeque<String>,
    to_server: VecDeque<String>,
    has_seek: bool,
    /// The present game is the last one.
    games: u64,
    is_running: bool,
    color: Color,
    game: Game,
    /// An offer of a draw, and a request to take a move back: true if the bot has made it.
    draw: Option<bool>,
    undo: Option<bool>,
    /// Moves and result of each game. The result is missing if the bot cannot have heard it.
    records: Vec<(Vec<Move>, Option<String>)>,
    kept: usize,
    log: Vec<String>,
}

impl World {
    fn new(seed: u64) -> Self {
        let opponents = Opponents::Seeks(vec!["size=4 time=10:00".parse().unwrap()]);
        let settings = Settings { opponents, undo: true, ponder: seed.is_multiple_of(2), ..settings() };
        Self {
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            bot: TestBot::after(settings, &[]),
            questions: Vec::new(),
            is_connected: false,
            is_logged_in: false,
            to_bot: VecDeque::new(),
            to_server: VecDeque::new(),
            has_seek: false,
            games: 0,
            is_running: false,
            color: Color::White,
            game: Game::new(AnyPosition::start(Size::ALL[1], Komi::ZERO)),
            draw: None,
            undo: None,
            records: Vec::new(),
            kept: 0,
            log: vec![format!("seed {seed}")],
        }
    }

    fn send(&mut self, lines: &[&str]) {
        self.to_bot.extend(lines.iter().map(|&line| line.to_owned()));
    }

    fn say(&mut self, event: &str) {
        if self.is_logged_in {
            self.send(&[&format!("Game#{} {event}", self.games)]);
        }
    }

    fn start_line(&self) -> String {
        let players = ["Guest1 vs alice white", "alice vs Guest1 black"][self.color as usize];
        format!("Game Start {} {players} {TERMS}", self.games)
    }

    fn start(&mut self) {
        self.game = Game::new(self.game.start().clone());
        self.color = *Color::ALL.choose(&mut self.random).unwrap();
        self.games += 1;
        (self.is_running, self.has_seek, self.draw, self.undo) = (true, false, None, None);
        self.send(&[&self.start_line()]);
    }

    fn end(&mut self, result: &str) {
        self.is_running = false;
        self.records.push((self.game.moves().to_vec(), self.is_logged_in.then(|| result.to_owned())));
        self.say(&format!("Over {result}"));
    }

    fn is_bots_turn(&self) -> bool {
        self.game.position().to_move() == self.color
    }

    fn play(&mut self, mv: Move) {
        let is_own = self.is_bots_turn();
        self.game.play(mv).unwrap();
        self.undo = None;
        self.say("Timems 600000 600000");
        if !is_own {
            let line = Command::Play(self.games, mv).line();
            self.say(line.split_once(' ').unwrap().1);
        }
        if let Some(outcome) = self.game.position().outcome() {
            self.end(&outcome.to_string());
        }
    }

    /// An offer or its withdrawal, by the bot or by the opponent.
    fn offer(&mut self, is_bot: bool, event: &GameEvent) {
        let (pending, word) = match event {
            GameEvent::OfferDraw | GameEvent::RemoveDraw => (&mut self.draw, "Draw"),
            _ => (&mut self.undo, "Undo"),
        };
        let is_offer = matches!(event, GameEvent::OfferDraw | GameEvent::RequestUndo);
        let verb = match (is_offer, word) {
            (true, "Draw") => "Offer",
            (true, _) => "Request",
            _ => "Remove",
        };
        if is_offer && *pending == Some(!is_bot) {
            *pending = None;
            if word == "Draw" {
                return self.end("1/2-1/2");
            }
            self.game.take_back();
            self.say("Timems 600000 600000");
            self.say("Undo");
        } else if *pending == (!is_offer).then_some(is_bot) && !self.game.moves().is_empty() {
            *pending = is_offer.then_some(is_bot);
            if !is_bot {
                self.say(&format!("{verb}{word}"));
            }
        }
    }

    /// The server hears a line of the bot.
    fn hear(&mut self, line: &str) {
        self.log.push(format!("    {line}"));
        match Message::read(line) {
            Message::Game(number, event) if self.is_running && number == self.games => match event {
                GameEvent::Move(mv) if !self.is_bots_turn() || !self.game.legal_moves().contains(&mv) => {
                    self.send(&["NOK", "Error:Not your turn"]);
                }
                GameEvent::Move(mv) => {
                    self.play(mv);
                    self.send(&["OK"]);
                }
                event => {
                    self.offer(true, &event);
                    self.send(&["OK"]);
                }
            },
            _ if line.starts_with("Seek 4") && !self.is_running => self.has_seek = true,
            _ if line.starts_with("Login") => {
                self.is_logged_in = true;
                if self.is_running {
                    self.send(&[&self.start_line()]);
                    for mv in self.game.moves().to_vec() {
                        self.send(&[&Command::Play(self.games, mv).line()]);
                    }
                    self.send(&["Message Your game is resumed"]);
                }
                self.send(&["Welcome Guest1!"]);
            }
            _ if ["PING", "Client", "Protocol"].iter().any(|start| line.starts_with(start)) => self.send(&["OK"]),
            _ => self.send(&["NOK"]),
        }
    }

    fn cut(&mut self) {
        (self.is_connected, self.is_logged_in, self.has_seek) = (false, false, false);
        self.to_server.clear();
        if self.to_bot.drain(..).any(|line| line.contains(" Over ")) {
            self.records.last_mut().unwrap().1 = None;
        }
    }

    /// An event of the bot, and what follows from it.
    fn happen(&mut self, event: Event) {
        self.log.push(format!("{event:?}"));
        for request in self.bot.handle(event) {
            self.log.extend(text(&request).map(|text| format!("-> {text}")));
            match request {
                Request::Send(command) => {
                    assert!(!matches!(command, Command::Resign(_)), "a lost game:\n{}", self.log.join("\n"));
                    self.to_server.push_back(command.line());
                }
                Request::HangUp => {
                    while let Some(line) = self.to_server.pop_front() {
                        self.hear(&line);
                    }
                    self.cut();
                }
                Request::Think(question) => self.questions.push(*question),
                Request::Keep(game) => {
                    let number: usize = game.tag("Round").unwrap().parse().unwrap();
                    let (moves, result) = &self.records[number - 1];
                    let is_same = game.moves.iter().map(|ptn| ptn.mv).eq(moves.iter().copied());
                    let is_known = game.result == *result && is_same;
                    assert!(is_known || result.is_none(), "{moves:?} {result:?}, but {game}\n{}", self.log.join("\n"));
                    self.kept += 1;
                    self.log.truncate(1);
                }
                _ => {}
            }
        }
    }

    /// The opponent does something.
    fn oppose(&mut self) {
        match self.random.random_range(0..40) {
            0 => self.end("1-0"),
            // The bot's time is over.
            1 if self.is_bots_turn() => {
                self.say("Timems 0 0");
                self.end(["0-1", "1-0"][self.color as usize]);
            }
            2..5 => {
                self.say("GivenTime white 15000");
                self.say("Timems 615000 600000");
            }
            5..9 => self.offer(false, &GameEvent::RequestUndo),
            9..13 => self.offer(false, &GameEvent::RemoveUndo),
            13..16 => self.offer(false, &GameEvent::OfferDraw),
            16..18 => self.offer(false, &GameEvent::RemoveDraw),
            _ if !self.is_bots_turn() => {
                let mv = *self.game.legal_moves().choose(&mut self.random).unwrap();
                self.play(mv);
            }
            _ => {}
        }
    }

    fn step(&mut self, cut_share: f64) {
        match self.random.random_range(0..10) {
            _ if !self.is_connected => {
                self.is_connected = true;
                self.happen(Event::Connected { is_private: true });
                self.send(&["Welcome!", "Login or Register"]);
            }
            _ if self.random.random_bool(cut_share) => {
                self.cut();
                self.happen(Event::Disconnected);
            }
            0..3 => {
                if let Some(line) = self.to_bot.pop_front() {
                    self.happen(Event::Line(line));
                }
            }
            3..6 => {
                if let Some(line) = self.to_server.pop_front() {
                    self.hear(&line);
                }
            }
            6 => {
                if let Some(question) = self.questions.pop() {
                    let pv = vec![*question.game.legal_moves().choose(&mut self.random).unwrap()];
                    let score = Score::centiflats(self.random.random_range(-9..2));
                    let report =
                        Report { lines: vec![Line { score, bound: None, solved: None, pv }], ..Report::default() };
                    self.happen(Event::Judged(question.number, Ok(report)));
                }
            }
            7 => {
                self.bot.now += Duration::from_secs(1);
                self.happen(Event::Tick);
            }
            _ if self.has_seek => self.start(),
            _ if self.is_running => self.oppose(),
            _ => {}
        }
    }
}

#[test]
fn lines_that_cross_lose_no_game() {
    for seed in 0..600 {
        let mut world = World::new(seed);
        while world.kept < 5 {
            world.step(if seed % 4 < 2 { 0.0 } else { 0.01 });
            assert!(world.log.len() < 10_000, "the game does not end:\n{}", world.log[9900..].join("\n"));
        }
    }
}
