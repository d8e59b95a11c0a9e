//! The end of the bot: by a closed output, by a full disk and by interrupts.

use std::path::Path;
use std::thread;
use std::time::Duration;

use super::bot::Bot;
use super::server::Server;
use super::{begin, play, ptn_file, read_games};

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
