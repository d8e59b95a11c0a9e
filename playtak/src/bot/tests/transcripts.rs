//! The conversations of `tests/transcripts`, whose README describes their form.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use super::*;
use crate::Args;
use tak_engine::board::Move;

/// The words of a command line, in which a `"` begins and ends a word with blanks.
fn words(line: &str) -> Vec<&str> {
    let quoted = line.split('"').enumerate();
    quoted.flat_map(|(n, part)| if n % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }).collect()
}

/// A bot and the lines that it has sent, without those that the transcript has had.
struct Client {
    bot: TestBot,
    lines: VecDeque<String>,
}

impl Client {
    /// With the command line in the comments of a transcript, and the token in its login.
    fn new(transcript: &str) -> Self {
        let mut comments = transcript.lines().filter_map(|line| line.strip_prefix("# "));
        let call = comments.find(|line| line.starts_with("tak-playtak ")).expect("a command line");
        let settings = crate::settings(&Args::try_parse_from(words(call)).unwrap()).unwrap();
        let token = transcript.lines().find_map(|line| line.strip_prefix("C: Login Guest ")).unwrap().to_owned();
        let settings = Settings { login: Login::Guest { token }, ..settings };
        Self { bot: TestBot::after(settings, &[]), lines: VecDeque::new() }
    }

    /// Passes an event on, and keeps the lines that follow from it.
    fn happen(&mut self, event: &str) {
        let sent = self.bot.happen(event).into_iter().filter_map(|request| match request {
            Request::Send(command) => Some(command.line()),
            _ => None,
        });
        self.lines.extend(sent);
    }

    /// Plays one line of a transcript.
    fn play(&mut self, line: &str) -> Result<(), String> {
        if let Some(line) = line.strip_prefix("C: ") {
            // A move is the answer of the engine.
            let mv = line.split_once(' ').and_then(|(_, mv)| read_as_message(mv));
            if let (true, Some(mv)) = (self.lines.is_empty(), mv) {
                self.happen(&format!("engine {mv} 0"));
            }
            let sent = self.lines.pop_front().unwrap_or_default();
            let is_client = line.starts_with("Client ") && sent.starts_with("Client tak-engine-");
            return if is_client || sent == line { Ok(()) } else { Err(format!("but the bot sends {sent:?}")) };
        }
        if let Some(early) = self.lines.pop_front() {
            return Err(format!("but the bot sends {early:?} before"));
        }
        match line.strip_prefix("S: ") {
            Some("Welcome!") => self.happen("connected"),
            Some(line) => self.happen(line),
            None if line == "(connection lost)" => self.happen("cut"),
            None => {
                let seconds = line.strip_prefix('(').and_then(|line| line.strip_suffix(" s)"));
                self.happen(&format!("wait {}", seconds.ok_or("not a line of a transcript")?));
            }
        }
        Ok(())
    }
}

/// A move as the server would send it.
fn read_as_message(text: &str) -> Option<Move> {
    match Message::read(&format!("Game#1 {text}")) {
        Message::Game(1, GameEvent::Move(mv)) => Some(mv),
        _ => None,
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn the_bot_follows_the_transcripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut versions = Vec::new();
    for path in files(&folder).into_iter().filter(|path| path.is_dir()).flat_map(|path| files(&path)) {
        let text = fs::read_to_string(&path).unwrap();
        let mut client = Client::new(&text);
        for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            if let Err(fault) = client.play(line) {
                panic!("{}:{}: {line:?}, {fault}", path.display(), number + 1);
            }
        }
        assert_eq!(client.lines, [""; 0], "{}", path.display());
        versions.push(client.bot.bot.version);
    }
    // Each folder has conversations, in which the bot recognises the version.
    versions.dedup();
    assert_eq!(versions, [Version::V2, Version::V3, Version::V4]);
}
