//! A server on loopback that speaks playtak's protocol according to the public server's sources, with the rules of
//! another program (fast-tak), and with faults on demand. A test can also play on it directly, as a player without a
//! connection.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use crate::GUARD;
use fast_tak::takparse::GameResult;
use fast_tak::{Game as FastGame, Reserves};
use tokio_tungstenite::tungstenite::handshake::server::{Request, Response};
use tokio_tungstenite::tungstenite::http::HeaderValue;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// The rules of one game, as fast-tak has them.
trait Referee: Send {
    /// Plays a move in PTN.
    fn play(&mut self, ptn: &str) -> Result<(), String>;
    fn result(&self) -> Option<String>;
}

impl<const N: usize, const HALF_KOMI: i8> Referee for FastGame<N, HALF_KOMI> {
    fn play(&mut self, ptn: &str) -> Result<(), String> {
        // fast-tak also draws after fifty reversible plies.
        self.reversible_plies = 0;
        let mv = ptn.parse().map_err(|error| format!("{ptn}: {error:?}"))?;
        FastGame::play(self, mv).map_err(|error| format!("{ptn}: {error:?}"))
    }

    fn result(&self) -> Option<String> {
        let result: Option<GameResult> = FastGame::result(self).try_into().ok();
        result.map(|result| result.to_string())
    }
}

fn referee(size: u64, half_komi: u64) -> Box<dyn Referee> {
    fn game<const N: usize, const HALF_KOMI: i8>() -> Box<dyn Referee>
    where
        Reserves<N>: Default,
    {
        Box::new(FastGame::<N, HALF_KOMI>::default())
    }
    match (size, half_komi) {
        (3, 0) => game::<3, 0>(),
        (4, 0) => game::<4, 0>(),
        (5, 0) => game::<5, 0>(),
        (5, 4) => game::<5, 4>(),
        (6, 4) => game::<6, 4>(),
        other => panic!("no referee for {other:?}"),
    }
}

/// A move of the protocol as PTN; `None` if it is invalid.
fn ptn(words: &[&str]) -> Option<String> {
    let square = |text: &str| text.to_lowercase();
    match words {
        ["P", at] => Some(square(at)),
        ["P", at, "C"] => Some(format!("C{}", square(at))),
        ["P", at, "W"] => Some(format!("S{}", square(at))),
        ["M", from, to, drops @ ..] => {
            let lifted: u32 = drops.iter().map(|drop| drop.parse::<u32>().unwrap()).sum();
            let (a, b) = (from.as_bytes(), to.as_bytes());
            let direction = match (a[0].cmp(&b[0]) as i8, a[1].cmp(&b[1]) as i8) {
                (0, -1) => '+',
                (0, 1) => '-',
                (-1, 0) => '>',
                (1, 0) => '<',
                _ => return None,
            };
            Some(format!("{lifted}{}{direction}{}", square(from), drops.concat()))
        }
        _ => None,
    }
}

/// The words of a seek: size, time, increment, colour, half komi, flats, capstones, two flags, move and seconds of the
/// extra time, and the opponent, who may be empty.
#[derive(Clone)]
struct Terms([String; 12]);

impl Terms {
    /// The blank before the last word is required even without an opponent.
    fn read(line: &str) -> Option<Self> {
        let words: Vec<String> = line.strip_prefix("Seek ")?.split(' ').map(str::to_owned).collect();
        let terms = Self(words.try_into().ok()?);
        let is_number = |word: &String| word.parse::<u64>().is_ok();
        let are_numbers = terms.0[..3].iter().chain(&terms.0[4..11]).all(is_number);
        (are_numbers && ["W", "B", "A"].contains(&terms.color())).then_some(terms)
    }

    fn number(&self, place: usize) -> u64 {
        self.0[place].parse().unwrap()
    }

    fn color(&self) -> &str {
        &self.0[3]
    }

    fn opponent(&self) -> &str {
        &self.0[11]
    }

    fn referee(&self) -> Box<dyn Referee> {
        referee(self.number(0), self.number(4))
    }
}

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
        let words = &self.terms.0;
        let (clock, rest) = (words[..3].join(" "), words[4..11].join(" "));
        format!("Game Start {} {white} vs {black} {color} {clock} {rest} 0", self.number)
    }

    fn clock_line(&self) -> String {
        let [white, black] = self.clocks;
        format!("Game#{} Timems {white} {black}", self.number)
    }
}

enum Out {
    Line(String),
    /// Closes the connection without a message.
    Cut,
}

#[derive(Default)]
struct Player {
    /// The connection and its number.
    out: Option<(u64, Sender<Out>)>,
    said: Vec<String>,
}

/// The state of the server.
#[derive(Default)]
pub struct World {
    players: BTreeMap<String, Player>,
    /// Names of guests by their tokens.
    guests: BTreeMap<String, String>,
    seeks: BTreeMap<u64, (String, Terms)>,
    pub games: Vec<GameRecord>,
    /// Refused lines with their senders.
    refused: Vec<(String, String)>,
    numbers: u64,
    /// The time on every clock after the first move, in milliseconds.
    hasty: Option<u64>,
    /// Players who are disconnected when their game has this number of moves.
    cuts: Vec<(String, usize)>,
}

/// The password of all registered players.
pub const PASSWORD: &str = "open-sesame-42";

impl World {
    fn send(&mut self, name: &str, line: &str) {
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

    fn log_in(&mut self, name: &str, out: Sender<Out>, is_guest: bool) -> u64 {
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
            let line = self.seek_line("new", number);
            self.send(name, &line);
        }
        self.send_all("Online 2");
        self.send_all("OnlinePlayers [\"somebody\"]");
        visit
    }

    fn log_out(&mut self, name: &str) {
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

    fn seek_line(&self, what: &str, number: u64) -> String {
        let (owner, terms) = &self.seeks[&number];
        let opponent = if terms.opponent().is_empty() { "0" } else { terms.opponent() };
        format!("Seek {what} {number} {owner} {} {opponent} 0", terms.0[..11].join(" "))
    }

    fn remove_seeks(&mut self, name: &str) {
        let own = |entry: (&u64, &(String, Terms))| (entry.1.0 == name).then_some(*entry.0);
        let numbers: Vec<u64> = self.seeks.iter().filter_map(own).collect();
        for number in numbers {
            let line = self.seek_line("remove", number);
            self.seeks.remove(&number);
            self.send_all(&line);
        }
    }

    /// A line of a player who is logged in.
    fn hear(&mut self, name: &str, line: &str) {
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
                    let line = self.seek_line("new", number);
                    self.send_all(&line);
                }
                None => self.refuse(name, line),
            },
            (["Accept", number], None) => {
                let number = number.parse().unwrap_or_default();
                match self.seeks.get(&number).cloned() {
                    Some((owner, terms))
                        if owner != name
                            && self.running(&owner).is_none()
                            && (terms.opponent().is_empty() || terms.opponent() == name) =>
                    {
                        self.start_game(&owner, name, terms);
                    }
                    _ => self.refuse(name, line),
                }
            }
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
            self.send(name, &game.start_line(name));
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
                match hasty {
                    Some(millis) => game.clocks = [millis; 2],
                    None => game.clocks[own_color] += game.terms.number(2) * 1000,
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

    fn cut(&mut self, name: &str) {
        if let Some((_, out)) = self.players.get_mut(name).and_then(|player| player.out.take()) {
            let _ = out.send(Out::Cut);
        }
    }
}

/// A running server.
pub struct Server {
    pub address: SocketAddr,
    world: Arc<Mutex<World>>,
    is_ended: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Server {
    pub fn start() -> Self {
        Self::start_at(SocketAddr::from(([127, 0, 0, 1], 0)))
    }

    /// Waits for the address to become free.
    pub fn start_at(address: SocketAddr) -> Self {
        let begun = Instant::now();
        let listener = loop {
            match TcpListener::bind(address) {
                Ok(listener) => break listener,
                Err(error) => assert!(begun.elapsed() < GUARD, "{address}: {error}"),
            }
            thread::sleep(Duration::from_millis(20));
        };
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let world = Arc::new(Mutex::new(World::default()));
        let is_ended = Arc::new(AtomicBool::new(false));
        let (shared, ended) = (Arc::clone(&world), Arc::clone(&is_ended));
        let thread = thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, _)) => {
                        let shared = Arc::clone(&shared);
                        let ended = Arc::clone(&ended);
                        thread::spawn(move || serve(stream, &shared, &ended));
                    }
                    Err(_) => thread::sleep(Duration::from_millis(5)),
                }
            }
        });
        Self { address, world, is_ended, thread: Some(thread) }
    }

    pub fn url(&self) -> String {
        format!("ws://{}/ws", self.address)
    }

    /// From now on all clocks show this after a move.
    pub fn hurry(&self, millis: u64) {
        self.world().hasty = Some(millis);
    }

    /// Disconnects a player once a game of theirs has this number of moves.
    pub fn cut_at(&self, name: &str, moves: usize) {
        self.world().cuts.push((name.to_owned(), moves));
    }

    pub fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap()
    }

    /// Executes a line of a player without a connection.
    pub fn act(&self, name: &str, line: &str) {
        let mut world = self.world();
        world.players.entry(name.to_owned()).or_default();
        world.hear(name, line);
    }

    /// Sends a line that the server would not send by itself.
    pub fn say(&self, name: &str, line: &str) {
        self.world().send(name, line);
    }

    /// Waits until a condition on the server's state holds.
    pub fn wait_for<T>(&self, what: &str, mut look: impl FnMut(&mut World) -> Option<T>) -> T {
        let begun = Instant::now();
        loop {
            if let Some(found) = look(&mut self.world()) {
                return found;
            }
            assert!(begun.elapsed() < GUARD, "waited in vain for {what}");
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits for a seek of a player, and accepts it as another.
    pub fn accept(&self, owner: &str, name: &str) {
        let seek = self.wait_for("a seek", |world| {
            let mut seeks = world.seeks.iter();
            seeks.find(|(_, seek)| seek.0 == owner).map(|seek| *seek.0)
        });
        self.act(name, &format!("Accept {seek}"));
    }

    pub fn has_seek(&self, owner: &str) -> bool {
        self.world().seeks.values().any(|seek| seek.0 == owner)
    }

    /// All that a player has said since the login.
    pub fn said(&self, name: &str) -> Vec<String> {
        let world = self.world();
        world.players.get(name).map_or(Vec::new(), |player| player.said.clone())
    }

    /// Refused lines with their senders.
    pub fn refused(&self) -> Vec<(String, String)> {
        self.world().refused.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.is_ended.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

type Socket = WebSocket<TcpStream>;

/// A connection from its handshake to its end.
fn serve(stream: TcpStream, world: &Mutex<World>, ended: &AtomicBool) {
    stream.set_nonblocking(false).unwrap();
    stream.set_nodelay(true).unwrap();
    let control = stream.try_clone().unwrap();
    // The public server answers this to any request.
    #[allow(clippy::result_large_err)]
    let answer = |_: &Request, mut response: Response| {
        let protocol = HeaderValue::from_static("binary");
        response.headers_mut().insert("Sec-WebSocket-Protocol", protocol);
        Ok(response)
    };
    let Ok(mut socket) = tungstenite::accept_hdr(stream, answer) else {
        return;
    };
    control.set_read_timeout(Some(Duration::from_millis(2))).unwrap();
    let (out, lines) = channel();
    let mut visit = Visit::default();
    let _ = visit.talk(&mut socket, &out, &lines, world, ended);
    let _ = control.shutdown(Shutdown::Both);
    if let Some(name) = visit.name {
        let mut world = world.lock().unwrap();
        // Unless the player has reconnected already.
        let now = &world.players[&name].out;
        if now.as_ref().is_none_or(|(number, _)| *number == visit.number) {
            world.log_out(&name);
        }
    }
}

#[derive(Default)]
struct Visit {
    /// Distinguishes it from other connections of the same player.
    number: u64,
    name: Option<String>,
}

impl Visit {
    fn talk(
        &mut self,
        socket: &mut Socket,
        out: &Sender<Out>,
        lines: &Receiver<Out>,
        world: &Mutex<World>,
        ended: &AtomicBool,
    ) -> Result<(), tungstenite::Error> {
        let send = |socket: &mut Socket, line: &str| {
            // With a line break, and in ISO-8859-1, as the public server does.
            let bytes: Vec<u8> = format!("{line}\n").chars().map(|c| c as u8).collect();
            socket.send(Message::Binary(bytes.into()))
        };
        send(socket, "Welcome!")?;
        send(socket, "Login or Register")?;
        while !ended.load(Ordering::Relaxed) {
            for line in lines.try_iter() {
                match line {
                    Out::Line(line) => send(socket, &line)?,
                    Out::Cut => return Ok(()),
                }
            }
            let line = match socket.read() {
                Ok(Message::Text(text)) => text.as_str().to_owned(),
                Ok(Message::Binary(bytes)) => bytes.iter().copied().map(char::from).collect(),
                Ok(_) => continue,
                Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            if line == "quit" {
                return Ok(());
            }
            if let Some(name) = &self.name {
                world.lock().unwrap().hear(name, &line);
                continue;
            }
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["Client", _] | ["Protocol", "2"] => send(socket, "OK")?,
                ["Login", "Guest", token] if token.len() == 20 => {
                    let mut world = world.lock().unwrap();
                    let next = format!("Guest{}", world.guests.len() + 1);
                    let name = world.guests.entry(token.to_owned()).or_insert(next).clone();
                    self.number = world.log_in(&name, out.clone(), true);
                    self.name = Some(name);
                }
                ["Login", name, password] if password == PASSWORD => {
                    let mut world = world.lock().unwrap();
                    self.number = world.log_in(name, out.clone(), false);
                    self.name = Some(name.to_owned());
                }
                ["Login", ..] => send(socket, "Authentication failure")?,
                _ => {
                    let nobody = ("nobody".to_owned(), line.clone());
                    world.lock().unwrap().refused.push(nobody);
                    send(socket, "NOK")?;
                }
            }
        }
        Ok(())
    }
}
