//! Games with the bot: between two, from a book, and over connections that are lost.

use std::fs;

use super::bot::Bot;
use super::server::Server;
use super::{assert_same_games, begin, play, ptn_file, read_games};

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

#[test]
fn an_older_server_shows_itself_by_its_seeks() {
    let server = Server::start();
    let bot = Bot::start(&server.url(), &["--guest", "--seek", "size=5 time=60 opening=double-black"]);
    bot.wait_until_said("offers a game");
    server.say("Guest1", "Seek new 9 bobby 5 60 0 0 A 0 21 1 0 0 0 0 0 0");
    let (code, _, stderr) = bot.end();
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("protocol 3 only: ") && stderr.contains("opening=double-black needs 4"), "{stderr}");
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
