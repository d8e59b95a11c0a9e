//! The players, seeks and games of a server.

use std::collections::BTreeMap;
use std::sync::mpsc::Sender;

use super::referee::{Referee, ptn};
use super::terms::Terms;

/// A game, in progress or over.
pub struct GameRecord {
    pub number: u64,
    /// White and Black.
    pub players: [String; 2],
    terms: Terms,
    referee: Box<dyn Referee>,
    /// As the protocol has them.
    moves: Vec<String>,
    /// The same in PTN.
    pub ptn: Vec<String>,
    /// Milliseconds.
    clocks: [u64; 2],
    pub result: Option<String>,
}

impl GameRecord {
    fn other(&self, name: &str) -> String {
        let place = usize::from(self.players[0] == name);
        self.players[place].clone()
    }

    fn start_line(&self, name: &str) -> String {
        let [white, black] = &self.players;
        let color = if white == name { "white" } else { "black" };
        format!("Game Start {} {white} vs {black} {color} {}", self.number, self.terms.game_words())
    }

    fn clock_line(&self) -> String {
        let [white, black] = self.clocks;
        format!("Game#{} Timems {white} {black}", self.number)
    }
}

pub enum Out {
    Line(String),
    /// Closes the connection without a message.
    Cut,
}

#[derive(Default)]
pub struct Player {
    /// The connection and its number.
    pub out: Option<(u64, Sender<Out>)>,
    pub said: Vec<String>,
}

/// The state of the server.
#[derive(Default)]
pub struct World {
    pub players: BTreeMap<String, Player>,
    /// Names of guests by their tokens.
    pub guests: BTreeMap<String, String>,
    pub seeks: BTreeMap<u64, (String, Terms)>,
    pub games: Vec<GameRecord>,
    /// Refused lines with their senders.
    pub refused: Vec<(String, String)>,
    pub numbers: u64,
    /// The time on every clock after the first move, in milliseconds.
    pub hasty: Option<u64>,
    /// Players who are disconnected when their game has this number of moves.
    pub cuts: Vec<(String, usize)>,
}

impl World {
    pub fn send(&mut self, name: &str, line: &str) {
        if let Some((_, out)) = self.players.get(name).and_then(|player| player.out.as_ref()) {
            let _ = out.send(Out::Line(line.to_owned()));
        }
    }

    fn send_all(&mut self, line: &str) {
        let names: Vec<String> = self.players.keys().cloned().collect();
        for name in names {
            self.send(&name, line);
        }
    }

    fn refuse(&mut self, name: &str, line: &str) {
        self.refused.push((name.to_owned(), line.to_owned()));
        self.send(name, "NOK");
    }

    fn running(&self, name: &str) -> Option<usize> {
        let is_his = |game: &GameRecord| game.players.iter().any(|player| player == name);
        let mut games = self.games.iter();
        games.position(|game| game.result.is_none() && is_his(game))
    }

    pub fn log_in(&mut self, name: &str, out: Sender<Out>, is_guest: bool) -> u64 {
        self.numbers += 1;
        let visit = self.numbers;
        let player = self.players.entry(name.to_owned()).or_default();
        let before = player.out.replace((visit, out));
        if let Some((_, before)) = before {
            let line = "Message You've logged in from another window. Disconnecting";
            let _ = before.send(Out::Line(line.into()));
            let _ = before.send(Out::Cut);
        }
        let welcome = format!("Welcome {name}!");
        if !is_guest {
            self.send(name, &welcome);
        }
        if let Some(game) = self.running(name) {
            let game = &self.games[game];
            let (number, other) = (game.number, game.other(name));
            let mut lines = vec![game.start_line(name)];
            lines.extend(game.moves.iter().map(|mv| format!("Game#{number} {mv}")));
            lines.push(game.clock_line());
            lines.push("Message Your game is resumed".into());
            for line in lines {
                self.send(name, &line);
            }
            self.send(&other, &format!("Message {name} has reconnected."));
        }
        if is_guest {
            self.send(name, &welcome);
        }
        let seeks: Vec<u64> = self.seeks.keys().copied().collect();
        for number in seeks {
            self.show_seek("new", number, name);
        }
        self.send_all("Online 2");
        self.send_all("OnlinePlayers [\"somebody\"]");
        visit
    }

    pub fn log_out(&mut self, name: &str) {
        self.remove_seeks(name);
        if let Some(player) = self.players.get_mut(name) {
            player.out = None;
        }
        if let Some(game) = self.running(name) {
            let other = self.games[game].other(name);
            let line = format!("Message {name} has disconnected. They have 120 seconds to reconnect");
            self.send(&other, &line);
        }
    }

    fn show_seek(&mut self, what: &str, number: u64, name: &str) {
        let (owner, terms) = &self.seeks[&number];
        let line = format!("Seek {what} {number} {owner} {}", terms.seek_words());
        self.send(name, &line);
    }

    fn show_seek_to_all(&mut self, what: &str, number: u64) {
        let names: Vec<String> = self.players.keys().cloned().collect();
        for name in names {
            self.show_seek(what, number, &name);
        }
    }

    fn remove_seeks(&mut self, name: &str) {
        let own = |entry: (&u64, &(String, Terms))| (entry.1.0 == name).then_some(*entry.0);
        let numbers: Vec<u64> = self.seeks.iter().filter_map(own).collect();
        for number in numbers {
            self.show_seek_to_all("remove", number);
            self.seeks.remove(&number);
        }
    }

    /// A line of a player who is logged in.
    pub fn hear(&mut self, name: &str, line: &str) {
        if let Some(player) = self.players.get_mut(name) {
            player.said.push(line.to_owned());
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let running = self.running(name);
        match (&words[..], running) {
            (["PING"], _) => self.send(name, "OK"),
            (["Seek", "0", ..], None) => self.remove_seeks(name),
            (["Seek", ..], None) => match Terms::read(line) {
                Some(terms) => {
                    self.remove_seeks(name);
                    self.numbers += 1;
                    let number = self.numbers;
                    self.seeks.insert(number, (name.to_owned(), terms));
                    self.show_seek_to_all("new", number);
                }
                None => self.refuse(name, line),
            },
            (["Accept", number], None) => {
                let number = number.parse().unwrap_or_default();
                match self.seeks.get(&number).cloned() {
                    Some((owner, terms))
                        if owner != name
                            && self.running(&owner).is_none()
                            && (terms.opponent.is_empty() || terms.opponent == name) =>
                    {
                        self.start_game(&owner, name, terms);
                    }
                    _ => self.refuse(name, line),
                }
            }
            (["Tell", ..], _) => {}
            ([game, event @ ..], Some(index)) if **game == format!("Game#{}", self.games[index].number) => {
                self.hear_of_game(name, index, event, line);
            }
            _ => self.refuse(name, line),
        }
    }

    fn start_game(&mut self, owner: &str, other: &str, terms: Terms) {
        self.remove_seeks(owner);
        self.remove_seeks(other);
        self.numbers += 1;
        let is_white = match terms.color() {
            "W" => true,
            "B" => false,
            _ => self.numbers % 4 < 2,
        };
        let players = if is_white { [owner, other] } else { [other, owner] };
        let game = GameRecord {
            number: self.numbers,
            players: players.map(str::to_owned),
            referee: terms.referee(),
            moves: Vec::new(),
            ptn: Vec::new(),
            clocks: [terms.number(1) * 1000; 2],
            result: None,
            terms,
        };
        for name in [other, owner] {
            let line = game.start_line(name);
            self.send(name, &line);
        }
        self.games.push(game);
    }

    fn end_game(&mut self, index: usize, result: &str) {
        let game = &mut self.games[index];
        game.result = Some(result.to_owned());
        let line = format!("Game#{} Over {result}", game.number);
        for name in game.players.clone() {
            self.send(&name, &line);
        }
    }

    fn hear_of_game(&mut self, name: &str, index: usize, event: &[&str], line: &str) {
        let hasty = self.hasty;
        let game = &mut self.games[index];
        let (number, other) = (game.number, game.other(name));
        let own_color = usize::from(game.players[1] == name);
        match event {
            ["P" | "M", ..] => {
                let is_turn = game.moves.len() % 2 == own_color;
                let played = match ptn(event) {
                    Some(ptn) if is_turn && game.moves.is_empty() && game.terms.is_double => {
                        game.referee.play_double(&ptn).map(|()| ptn)
                    }
                    Some(ptn) if is_turn => game.referee.play(&ptn).map(|()| ptn),
                    Some(ptn) => Err(format!("{ptn}: not your turn")),
                    None => Err("no move".into()),
                };
                match played {
                    Ok(ptn) => game.ptn.push(ptn),
                    Err(error) => {
                        self.refuse(name, line);
                        self.send(name, &format!("Error:{error}"));
                        return;
                    }
                }
                game.moves.push(event.join(" "));
                if let Some(millis) = hasty {
                    game.clocks = [millis; 2];
                } else {
                    let factor = if game.terms.scales { game.moves.len().div_ceil(2) as u64 } else { 1 };
                    game.clocks[own_color] += game.terms.number(2) * 1000 * factor;
                }
                let (clock, result) = (game.clock_line(), game.referee.result());
                let (played, mv) = (game.moves.len(), event.join(" "));
                self.send(name, &clock);
                self.send(&other, &clock);
                self.send(&other, &format!("Game#{number} {mv}"));
                if let Some(result) = result {
                    self.end_game(index, &result);
                }
                self.send(name, "OK");
                let due = |cut: &(String, usize)| cut.1 == played;
                let due: Vec<_> = self.cuts.extract_if(.., |cut| due(cut)).collect();
                for (name, _) in due {
                    self.cut(&name);
                }
            }
            ["Resign"] => {
                let result = ["0-1", "1-0"][own_color];
                self.end_game(index, result);
            }
            _ => self.refuse(name, line),
        }
    }

    pub fn cut(&mut self, name: &str) {
        if let Some((_, out)) = self.players.get_mut(name).and_then(|player| player.out.take()) {
            let _ = out.send(Out::Cut);
        }
    }
}
