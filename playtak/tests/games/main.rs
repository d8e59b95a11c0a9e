//! The bot through the real binary, against a server on loopback with an independent implementation of
//! the rules, and with many kinds of faults.

#![cfg(unix)]

mod server;

use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, pipe};
use std::net::{SocketAddr, UdpSocket};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use server::{PASSWORD, Server};
use tak_engine::notation::{PtnGame, parse_games};

/// Far longer than anything here takes, even on a loaded machine.
const GUARD: Duration = Duration::from_secs(60);

const SEEK: [&str; 2] = ["--seek", "size=5 time=60 komi=2 color=black"];

/// A running bot.
struct Bot {
    child: Child,
    said: Arc<Mutex<Vec<String>>>,
    reader: Option<thread::JoinHandle<()>>,
    stderr: Option<thread::JoinHandle<String>>,
}

impl Bot {
    fn start(url: &str, args: &[&str]) -> Self {
        Self::start_with(url, args, |command| command)
    }

    /// A guest who offers a game.
    fn guest(server: &Server, args: &[&str]) -> Self {
        Self::start(&server.url(), &[&["--guest"], args, &SEEK].concat())
    }

    fn start_with(url: &str, args: &[&str], change: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tak-playtak"));
        command
            .args(["--threads", "1", "--hash", "1", "--url", url])
            .args(args)
            .env_remove("RUST_LOG")
            .env("TAK_PASSWORD", PASSWORD)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = change(&mut command).spawn().unwrap();
        let pipe = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || io::read_to_string(pipe).unwrap());
        // There is none to read where `change` has put another in its place.
        let lines = child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines());
        let said = Arc::<Mutex<Vec<String>>>::default();
        let all_said = Arc::clone(&said);
        let say = move |line| all_said.lock().unwrap().push(line);
        let reader = thread::spawn(move || lines.map_while(Result::ok).for_each(say));
        Self { child, said, reader: Some(reader), stderr: Some(stderr) }
    }

    /// With a file for its games, and its stdout on a pipe to a listener.
    fn start_piped(server: &Server, games: &Path) -> (Self, Listener) {
        let (reader, writer) = pipe().unwrap();
        let listener = Listener { reader, writer: writer.try_clone().unwrap() };
        let args = [&["--guest", "--ptn", games.to_str().unwrap()], &SEEK[..]].concat();
        let bot = Self::start_with(&server.url(), &args, |command| command.stdout(writer));
        (bot, listener)
    }

    /// Sends Ctrl-C.
    fn interrupt(&self) {
        let pid = self.child.id().to_string();
        let status = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(status.success());
    }

    fn has_said(&self, text: &str) -> bool {
        self.said.lock().unwrap().iter().any(|line| line.contains(text))
    }

    fn wait_until_said(&self, text: &str) {
        for _ in 0..GUARD.as_millis() / 5 {
            if self.has_said(text) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("never said {text:?}: {:#?}", self.said.lock().unwrap());
    }

    /// Output lines and stderr of a bot that ends without an error.
    fn end_well(self) -> (Vec<String>, String) {
        let (code, said, stderr) = self.end();
        assert_eq!(code, Some(0), "{said:#?}\n{stderr}");
        (said, stderr)
    }

    /// Exit code, stdout and stderr.
    fn end(mut self) -> (Option<i32>, Vec<String>, String) {
        let started = Instant::now();
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(started.elapsed() < GUARD, "the bot does not end");
            thread::sleep(Duration::from_millis(2));
        };
        self.reader.take().unwrap().join().unwrap();
        let said = self.said.lock().unwrap().clone();
        (status.code(), said, self.stderr.take().unwrap().join().unwrap())
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A reader of the bot's output that reads nothing.
struct Listener {
    reader: PipeReader,
    /// A copy of the end that the bot has.
    writer: PipeWriter,
}

impl Listener {
    /// Closes the reader, and returns when no copy of it is left. A program that another test is starting has a copy of
    /// the reader until it runs.
    fn leave(self) {
        drop(self.reader);
        let gone = PollFlags::ERR | PollFlags::HUP;
        let started = Instant::now();
        loop {
            let mut ends = [PollFd::new(&self.writer, PollFlags::empty())];
            poll(&mut ends, Some(&Timespec::default())).unwrap();
            if ends[0].revents().intersects(gone) {
                return;
            }
            assert!(started.elapsed() < GUARD, "a reader is left");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// A file for games that does not exist yet.
fn ptn_file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("playtak");
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Alice accepts the seek of the bot. Returns the number of the game, which follows `earlier` others.
fn begin(server: &Server, earlier: usize) -> u64 {
    server.accept("Guest1", "alice");
    server.wait_for("a game", |world| Some(world.games.get(earlier)?.number))
}

/// Alice places a flat, and the bot answers with this ply: its move.
fn play(server: &Server, number: u64, square: &str, ply: usize) -> String {
    server.act("alice", &format!("Game#{number} P {square}"));
    server.wait_for("a move", |world| {
        let ptn = &world.games.last()?.ptn;
        (ptn.len() == ply).then(|| ptn[ply - 1].clone())
    })
}

fn read_games(path: &Path) -> Vec<PtnGame> {
    let text = fs::read_to_string(path).unwrap();
    parse_games(&text).map(Result::unwrap).collect()
}

/// The games in a file are those that the server has seen.
fn assert_same_games(path: &Path, server: &Server) {
    let games = read_games(path);
    let world = server.world();
    assert_eq!(games.len(), world.games.len());
    for (kept, seen) in games.iter().zip(&world.games) {
        let moves: Vec<String> = kept.moves.iter().map(|mv| mv.mv.to_string()).collect();
        let seen_moves: Vec<String> =
            seen.ptn.iter().map(|mv| mv.parse::<tak_engine::board::Move>().unwrap().to_string()).collect();
        assert_eq!(moves, seen_moves, "game {}", seen.number);
        assert_eq!(kept.result, seen.result);
        assert_eq!(kept.tag("Player1"), Some(seen.players[0].as_str()));
    }
}

#[test]
fn games_bot_against_bot() {
    let games = 4;
    let count = games.to_string();
    let server = Server::start();
    server.hurry(150);
    let files = [ptn_file("alice.ptn"), ptn_file("guest.ptn")];
    let path = |index: usize| files[index].to_str().unwrap();
    // Games are appended to an existing file.
    fs::write(&files[1], "[Size \"5\"]\n\n1. a1 e5 *\n").unwrap();
    let alice = Bot::start(
        &server.url(),
        &[
            "--user",
            "alice",
            "--games",
            &count,
            "--ptn",
            path(0),
            "--seek",
            "size=3 time=1",
            "--seek",
            "size=4 time=1 color=white inc=1",
            "--seek",
            "size=5 time=1 komi=2 color=black extra=0:30@10",
            "--seek",
            "size=4 time=1 inc=1 scales opening=double-black",
        ],
    );
    let guest = Bot::start(&server.url(), &["--guest", "--accept", "Alice", "--games", &count, "--ptn", path(1)]);
    for bot in [alice, guest] {
        let (said, stderr) = bot.end_well();
        assert_eq!(stderr, "");
        assert!(said.iter().any(|line| line.contains("won")), "{said:#?}");
    }
    assert_eq!(server.refused(), []);
    assert_eq!(server.world().games.len(), games);
    assert_same_games(&files[0], &server);
    let kept = read_games(&files[1]);
    assert_eq!(kept.len(), 1 + games);
    assert_eq!(["Opening", "Clock"].map(|tag| kept[games].tag(tag)), [Some("double black stack"), Some("1 +1n")]);
    // Exactly the bot's own moves have comments.
    for game in &kept[1..] {
        let own = usize::from(game.tag("Player1") == Some("alice"));
        for (ply, mv) in game.moves.iter().enumerate() {
            assert_eq!(!mv.comments.is_empty(), ply % 2 == own, "{game}");
        }
    }
}

/// Servers answer in their own version, whatever a client announces.
#[test]
fn bots_play_on_older_servers() {
    for (version, seek, fault) in [
        (2, "size=5 time=60 komi=2", ""),
        (3, "size=5 time=60 komi=2 inc=1 scales", ""),
        (2, "size=5 time=60 inc=1 scales", "protocol 2 only: scales needs 3"),
        (3, "size=5 time=60 opening=double-black", "protocol 3 only: "),
    ] {
        let server = Server::of_version(version);
        let file = ptn_file("old.ptn");
        let bot = Bot::start(
            &server.url(),
            &["--guest", "--games", "1", "--seek", &format!("{seek} color=black"), "--ptn", file.to_str().unwrap()],
        );
        if !fault.is_empty() {
            let (code, _, stderr) = bot.end();
            assert_eq!(code, Some(1), "{stderr}");
            assert!(stderr.contains(fault), "{stderr}");
            assert!(server.world().games.is_empty());
            continue;
        }
        server.hurry(150);
        // A seek in the form of a newer version is offered to nobody, and replaced.
        server.wait_for("a seek for all", |world| {
            world.seeks.values().any(|seek| seek.1.opponent.is_empty()).then_some(())
        });
        let number = begin(&server, 0);
        play(&server, number, "A1", 2);
        server.act("alice", &format!("Game#{number} Resign"));
        bot.end_well();
        assert_same_games(&file, &server);
        let clock = read_games(&file)[0].tag("Clock").unwrap().to_owned();
        assert_eq!(clock, if version == 3 { "1:0 +1n" } else { "1:0" });
        assert_eq!(server.refused(), []);
    }
}

#[test]
fn names_and_chat_outside_ascii_arrive_unchanged() {
    let server = Server::start();
    let bot = Bot::guest(&server, &[]);
    bot.wait_until_said("offers a game");
    server.say("Guest1", "Message Caf\u{e9} \u{bf}qu\u{e9} tal?");
    bot.wait_until_said("Caf\u{e9} \u{bf}qu\u{e9} tal?");
    server.say("Guest1", "Tell <\u{c9}lise> level 5");
    server.wait_for("an answer", |world| {
        let said = &world.players["Guest1"].said;
        said.iter().any(|line| line.starts_with("Tell \u{c9}lise Our next game")).then_some(())
    });
}

#[test]
fn opening_lines_come_from_a_book() {
    let server = Server::start();
    server.hurry(150);
    let (file, book) = (ptn_file("book.ptn"), ptn_file("lines.txt"));
    let path = book.to_str().unwrap();
    fs::write(&book, "# mine\na1 e5 c3 d4\n\na1 e5 b3 Cc2\n").unwrap();
    let bot = Bot::guest(&server, &["--games", "1", "--book", path, "--ptn", file.to_str().unwrap()]);
    let number = begin(&server, 0);
    // Mirrored: e5 in the book is a5 here.
    for (ply, mv, reply) in [(2, "E1", Some("a5")), (4, "C2", Some("Cd3")), (6, "E5", None)] {
        let played = play(&server, number, mv, ply);
        if let Some(reply) = reply {
            assert_eq!(played, reply);
        }
    }
    server.act("alice", &format!("Game#{number} Resign"));
    let (said, _) = bot.end_well();
    assert_eq!(said[0], "opening book: 2 lines for 5x5");
    assert_eq!(server.refused(), []);
    let game = &read_games(&file)[0];
    let is_known = |ply: usize| game.moves[ply].comments == ["book"];
    assert!(is_known(1) && is_known(3) && !is_known(5), "{game}");
}

#[test]
fn a_book_is_checked_before_anything_is_done() {
    let book = ptn_file("wrong.txt");
    let path = book.to_str().unwrap();
    let fault = |text: &str, seeks: &[&str]| {
        fs::write(&book, text).unwrap();
        let args = [&["--guest", "--book", path], seeks].concat();
        let (code, said, stderr) = Bot::start("ws://127.0.0.1:9", &args).end();
        assert_eq!((code, &said[..]), (Some(1), &[][..]), "{stderr}");
        stderr
    };
    let message = fault("a1 e5\n\na1 e5 a1\n", &SEEK);
    let expected = format!("{path}: line 3: move 3, a1, is illegal: square a1 is not empty");
    assert!(message.contains(&expected), "{message}");
    let message = fault("[Size \"7\"]\n\n1. a1 g7\n2. a2+ *\n", &SEEK);
    assert!(message.contains(&format!("{path}: game 1, from line 1: move 3, a2+")), "{message}");
    let two = [&SEEK[..], &["--seek", "size=6 time=60"]].concat();
    for seeks in [&two[..], &["--accept", "alice"]] {
        let message = fault("a1 e5\n", seeks);
        assert!(message.contains(&format!("{path}: line 1: a move list does not specify a board size")), "{message}");
    }
    let missing = ptn_file("missing.txt");
    let args = ["--guest", "--book", missing.to_str().unwrap(), SEEK[0], SEEK[1]];
    let (code, _, stderr) = Bot::start("ws://127.0.0.1:9", &args).end();
    assert_eq!(code, Some(1));
    assert!(stderr.contains("missing.txt"), "{stderr}");
}

#[test]
fn cut_connections_cost_no_game() {
    let server = Server::start();
    server.hurry(150);
    let files = [ptn_file("cut1.ptn"), ptn_file("cut2.ptn")];
    let path = |index: usize| files[index].to_str().unwrap();
    for (name, moves) in [("alice", 3), ("Guest1", 6), ("alice", 9), ("Guest1", 9)] {
        server.cut_at(name, moves);
    }
    let seek = ["--seek", "size=5 time=1 komi=2 opening=double-black"];
    let alice =
        Bot::start(&server.url(), &[&["--user", "alice", "--games", "2", "--ptn", path(0)], &seek[..]].concat());
    let guest = Bot::start(&server.url(), &["--guest", "--accept", "alice", "--games", "2", "--ptn", path(1)]);
    for bot in [alice, guest] {
        let (said, stderr) = bot.end_well();
        let resumed = said.iter().filter(|line| line.contains(", resumed"));
        assert_eq!(resumed.count(), 2, "{said:#?}");
        assert!(stderr.contains("no connection"), "{stderr}");
    }
    assert_eq!(server.refused(), []);
    for file in &files {
        let games = read_games(file);
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game.result.as_deref() != Some("*")));
    }
    let kept = read_games(&files[0]);
    let own = usize::from(kept[0].tag("Player1") != Some("alice"));
    let own_moves = kept[0].moves.iter().skip(own).step_by(2);
    // A lost connection loses only the comment of a move in transit.
    let bare = own_moves.filter(|mv| mv.comments.is_empty()).count();
    assert!(bare <= 2, "{}", kept[0]);
}

#[test]
fn the_bot_reconnects_to_a_restarted_server() {
    let server = Server::start();
    let address = server.address;
    let file = ptn_file("restart.ptn");
    let bot = Bot::guest(&server, &["--games", "1", "--ptn", file.to_str().unwrap()]);
    let number = begin(&server, 0);
    server.act("alice", &format!("Game#{number} P A1"));
    bot.wait_until_said("alice against Guest1");
    drop(server);
    let server = Server::start_at(address);
    // The game counts: it is the only one requested.
    bot.end_well();
    assert_eq!(server.said("Guest1").last().unwrap(), "PING");
    let games = read_games(&file);
    assert_eq!((games.len(), games[0].result.as_deref()), (1, Some("*")));
}

/// Alice begins a game with the bot, which has answered her first move. Returns her line to resign it.
fn game_to_resign(server: &Server) -> String {
    server.hurry(150);
    let number = begin(server, 0);
    play(server, number, "A1", 2);
    format!("Game#{number} Resign")
}

#[test]
fn closed_stdout_does_not_lose_a_game() {
    let server = Server::start();
    let file = ptn_file("unheard.ptn");
    let (bot, listener) = Bot::start_piped(&server, &file);
    let resign = game_to_resign(&server);
    listener.leave();
    server.act("alice", &resign);
    let (code, _, stderr) = bot.end();
    // A closed output is not a failure.
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let games = read_games(&file);
    assert_eq!(games.len(), 1);
    assert_eq!(games[0].result.as_deref(), Some("0-1"));
}

/// However the bot ends, it reports games that are in no file.
#[cfg(target_os = "linux")]
#[test]
fn unwritten_games_are_reported() {
    let full = Path::new("/dev/full");
    let lost = "1 games could not be written to /dev/full";
    let server = Server::start();
    let (bot, listener) = Bot::start_piped(&server, full);
    let resign = game_to_resign(&server);
    listener.leave();
    server.act("alice", &resign);
    let (code, _, stderr) = bot.end();
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains(&format!("error: {lost}")), "{stderr}");

    let server = Server::start();
    let bot = Bot::guest(&server, &["--ptn", "/dev/full"]);
    let resign = game_to_resign(&server);
    server.act("alice", &resign);
    bot.wait_until_said("is over");
    server.say("Guest1", "Message You've logged in from another window. Disconnecting");
    let (code, _, stderr) = bot.end();
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains(lost), "{stderr}");
    let why = "error: another program has logged in with the same name";
    assert!(stderr.contains(why), "{stderr}");
}

#[test]
fn an_interrupt_takes_the_seek_back() {
    let server = Server::start();
    let bot = Bot::guest(&server, &[]);
    server.wait_for("a seek", |_| Some(()));
    bot.wait_until_said("offers a game");
    bot.interrupt();
    let (_, stderr) = bot.end_well();
    assert_eq!(stderr, "");
    assert!(!server.has_seek("Guest1"));
    let said = server.said("Guest1");
    assert_eq!(said.last().unwrap(), "Seek 0 0 0");
}

#[test]
fn a_second_interrupt_ends_a_game() {
    let server = Server::start();
    server.hurry(150);
    for is_patient in [true, false] {
        let bot = Bot::guest(&server, &[]);
        let guest = if is_patient { "Guest1" } else { "Guest2" };
        server.accept(guest, "alice");
        bot.wait_until_said("alice against");
        bot.interrupt();
        bot.wait_until_said("ending after this game");
        if !is_patient {
            // One that follows at once is the same signal, as `timeout` sends it twice.
            thread::sleep(Duration::from_millis(300));
            bot.interrupt();
            assert_eq!(bot.end().0, Some(130));
            return;
        }
        let number = server.world().games[0].number;
        play(&server, number, "A1", 2);
        server.act("alice", &format!("Game#{number} Resign"));
        bot.end_well();
        assert!(!server.has_seek("Guest1"));
    }
}

#[test]
fn password_is_never_printed() {
    let server = Server::start();
    let args = [&["--user", "alice"], &SEEK[..]].concat();
    let bot = Bot::start_with(&server.url(), &args, |command| command.env("RUST_LOG", "trace"));
    bot.wait_until_said("offers a game");
    bot.interrupt();
    let (code, said, stderr) = bot.end();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("Login"), "the log is on: {stderr}");
    let hex: Vec<String> = PASSWORD.bytes().map(|byte| format!("{byte:02x}")).collect();
    let hex = hex.concat();
    let list: Vec<String> = PASSWORD.bytes().map(|byte| byte.to_string()).collect();
    for form in [PASSWORD.to_owned(), hex, list.join(", ")] {
        assert!(!stderr.contains(&form), "{stderr}");
        assert!(!said.concat().contains(&form));
    }
}

#[test]
fn a_password_goes_to_this_machine_only_without_encryption() {
    // Refused before a connection attempt: there is no server, and the bot would wait for one.
    let args = [&["--user", "alice"], &SEEK[..]].concat();
    for url in ["ws://192.0.2.1:9", "ws://name.invalid"] {
        let (code, said, stderr) = Bot::start(url, &args).end();
        assert_eq!((code, said.len()), (Some(1), 0), "{url}: {said:#?}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains("without encryption"), "{stderr}");
    }
    // The address at which others would reach this machine; nothing is sent.
    let socket = UdpSocket::bind(("0.0.0.0", 0)).unwrap();
    let own = socket.connect(("192.0.2.1", 9)).and_then(|()| socket.local_addr());
    let Some(own) = own.ok().filter(|own| !own.ip().is_loopback()) else {
        eprintln!("this machine has no address but loopback");
        return;
    };
    let server = Server::start_at(SocketAddr::new(own.ip(), 0));
    // A guest has no secret.
    let bot = Bot::guest(&server, &[]);
    bot.wait_until_said("logged in as Guest1");
}

#[test]
fn passwords_come_from_a_file_or_the_environment() {
    let server = Server::start();
    let file = ptn_file("password");
    let path = file.to_str().unwrap();
    fs::write(&file, format!("{PASSWORD}\n")).unwrap();
    let with_file = [&["--user", "alice", "--password-file", path], &SEEK[..]].concat();
    let bot = Bot::start_with(&server.url(), &with_file, |command| command.env("TAK_PASSWORD", "another-one"));
    bot.wait_until_said("logged in as alice");
    drop(bot);
    let without = [&["--user", "alice"], &SEEK[..]].concat();
    for (password, error) in [
        (Some(&b"another-one"[..]), "login failed: wrong user name or password"),
        (None, "set TAK_PASSWORD"),
        (Some(b"caf\xe9"), "TAK_PASSWORD is not UTF-8"),
    ] {
        let bot = Bot::start_with(&server.url(), &without, |command| match password {
            Some(password) => command.env("TAK_PASSWORD", OsStr::from_bytes(password)),
            None => command.env_remove("TAK_PASSWORD"),
        });
        let (code, _, stderr) = bot.end();
        assert_eq!(code, Some(1));
        assert!(stderr.contains(error) && !stderr.contains("another-one"), "{stderr}");
    }
}

/// Nobody runs the examples of the manual, so at least their flags exist.
#[test]
fn flags_in_the_manual_exist() {
    let help = Command::new(env!("CARGO_BIN_EXE_tak-playtak")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let known: Vec<&str> = help.split_whitespace().collect();
    let mut used = 0;
    for page in ["docs/playtak.md", "playtak/README.md"] {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
        let text = fs::read_to_string(page).unwrap();
        let words = text.split(|c: char| c.is_whitespace() || c == '`');
        let calls = words.skip_while(|word| *word != "tak-playtak");
        // Those of Docker and of a tournament.
        let others =
            ["---", "--restart", "--stop-timeout", "--openings", "--locked", "--path", "--root", "--from=build"];
        for flag in calls.filter(|word| word.starts_with("--") && !others.contains(word)) {
            assert!(known.contains(&flag.trim_matches(|c: char| !c.is_alphabetic() && c != '-')), "{flag}");
            used += 1;
        }
    }
    assert!(used >= 15, "only {used} flags");
}

#[test]
fn wrong_usage_is_refused_before_anything_is_done() {
    let wrong: [&[&str]; 9] = [
        &["--seek", "size=5 time=60"],
        &["--guest"],
        &["--guest", "--user", "alice", "--seek", "size=5 time=60"],
        &["--guest", "--accept", "alice", "--seek", "size=5 time=60"],
        &["--guest", "--seek", "size=9 time=60"],
        &["--guest", "--accept", "a-b"],
        &["--guest", "--accept", "alice", "--games", "0"],
        &["--guest", "--accept", "alice", "--password-file", "x"],
        &["--user", "x", "--accept", "alice"],
    ];
    for args in wrong {
        let (code, said, stderr) = Bot::start("ws://127.0.0.1:9", args).end();
        assert_eq!(code, Some(2), "{args:?}: {stderr}");
        assert!(said.is_empty());
    }
    for url in ["http://127.0.0.1:9", "ws://alice:secret@127.0.0.1:9", "playtak.com"] {
        let (code, _, stderr) = Bot::start(url, &["--guest", "--accept", "alice"]).end();
        assert_eq!(code, Some(2), "{url}: {stderr}");
    }
}
