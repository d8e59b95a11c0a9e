//! The command line: passwords, books, and what is refused.

use std::ffi::OsStr;
use std::fs;
use std::net::{SocketAddr, UdpSocket};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;

use super::bot::Bot;
use super::server::{PASSWORD, Server};
use super::{SEEK, ptn_file};

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
    assert!(!server.has_seek("alice"));
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

/// Nobody runs the examples of the manual, so at least their flags exist.
#[test]
fn flags_in_the_manual_exist() {
    let help = Command::new(env!("CARGO_BIN_EXE_tak-playtak")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let known: Vec<&str> = help.split_whitespace().collect();
    let mut used = 0;
    for (page, section) in
        [("docs/clients.md", "\n## The bot on playtak.com\n"), ("playtak/README.md", "# tak-playtak\n")]
    {
        let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
        let text = fs::read_to_string(page).unwrap();
        let (_, text) = text.split_once(section).unwrap();
        let words = text.split(|c: char| c.is_whitespace() || c == '`');
        let calls = words.skip_while(|word| *word != "tak-playtak");
        // Those of Docker and of other commands.
        let others = ["---", "--detach", "--name", "--restart", "--stop-timeout", "--locked", "--path"];
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
