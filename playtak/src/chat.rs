//! Requests of players, answers to them, and the levels that they have asked for.

use std::time::Duration;

use crate::bot::Settings;
use crate::protocol::Command;
use crate::server_game::DRAWISH_MOVES;
use tak_engine::engine::Level;

/// The minimum time between two answers to players.
const ANSWER_PAUSE: Duration = Duration::from_secs(5);

/// The maximum number of players whose level is stored. The oldest request is dropped first.
const MAX_PLAYERS: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ChatCommand {
    Help,
    /// Another level in the next game; `None` for full strength.
    Level(Option<Level>),
    InvalidLevel,
}

impl ChatCommand {
    /// Reads a message; `None` if it is not a command.
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim().to_ascii_lowercase();
        if text == "help" {
            return Some(Self::Help);
        }
        let number = text.strip_prefix("level")?;
        if !number.is_empty() && !number.starts_with(char::is_whitespace) {
            return None;
        }
        Some(match number.trim().parse() {
            Ok(0) => Self::Level(None),
            Ok(number) => Level::new(number).map_or(Self::InvalidLevel, |level| Self::Level(Some(level))),
            Err(_) => Self::InvalidLevel,
        })
    }
}

pub fn words(level: Option<Level>) -> String {
    let number = |level: Level| format!("level {} of {} (Elo {})", level.number(), Level::MAX, level.elo());
    level.map_or_else(|| "full strength".to_owned(), number)
}

/// Obeys and answers players.
#[derive(Debug)]
pub struct Chat {
    is_on: bool,
    may_undo: bool,
    usual_level: Option<Level>,
    /// The levels that players have asked for.
    levels: Vec<(String, Option<Level>)>,
    /// The earliest time for the next answer.
    answer_at: Duration,
}

impl Chat {
    pub fn new(settings: &Settings) -> Self {
        Self {
            is_on: settings.chat,
            may_undo: settings.undo,
            usual_level: settings.level,
            levels: Vec::new(),
            answer_at: Duration::ZERO,
        }
    }

    /// The level against a player; `None` for full strength.
    pub fn level(&self, player: &str) -> Option<Level> {
        let asked = self.levels.iter().find(|(known, _)| known == player);
        asked.map_or(self.usual_level, |(_, level)| *level)
    }

    /// Obeys a message of a player. Returns the answer, unless the last one is too recent.
    pub fn answer(&mut self, from: String, text: &str, now: Duration) -> Option<Command> {
        let command = ChatCommand::read(text).filter(|_| self.is_on)?;
        if let ChatCommand::Level(level) = command {
            self.set_level(&from, level);
        }
        if now < self.answer_at {
            return None;
        }
        self.answer_at = now + ANSWER_PAUSE;
        let undo = if self.may_undo { "may" } else { "may not" };
        let text = match command {
            ChatCommand::Help => format!(
                "I am tak-engine {}, a program. You {undo} take moves back. I agree to a draw when I have seen no \
                 advantage of mine for {DRAWISH_MOVES} moves. Our next game is at {}. I understand: help, level 0 to {}",
                env!("CARGO_PKG_VERSION"),
                words(self.level(&from)),
                Level::MAX
            ),
            ChatCommand::Level(level) => format!("Our next game is at {}", words(level)),
            ChatCommand::InvalidLevel => format!("Levels are 1 to {}, and 0 is full strength", Level::MAX),
        };
        Some(Command::Tell { to: from, text })
    }

    fn set_level(&mut self, player: &str, level: Option<Level>) {
        self.levels.retain(|(known, _)| known != player);
        if self.levels.len() == MAX_PLAYERS {
            self.levels.remove(0);
        }
        self.levels.push((player.to_owned(), level));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let level = |number| Some(ChatCommand::Level(Level::new(number)));
        for (text, command) in [
            ("help", Some(ChatCommand::Help)),
            (" HELP ", Some(ChatCommand::Help)),
            ("level 5", level(5)),
            ("Level  20 ", level(20)),
            ("level 0", level(0)),
            ("level 31", Some(ChatCommand::InvalidLevel)),
            ("level -1", Some(ChatCommand::InvalidLevel)),
            ("level 99999999999", Some(ChatCommand::InvalidLevel)),
            ("level", Some(ChatCommand::InvalidLevel)),
            ("level five", Some(ChatCommand::InvalidLevel)),
            ("levels are fun", None),
            ("what level are you?", None),
            ("help me", None),
            ("", None),
        ] {
            assert_eq!(ChatCommand::read(text), command, "{text:?}");
        }
    }

    #[test]
    fn the_oldest_requests_are_dropped() {
        let [three, five] = [3, 5].map(Level::new);
        let mut chat =
            Chat { is_on: true, may_undo: false, usual_level: three, levels: Vec::new(), answer_at: Duration::ZERO };
        chat.set_level("alice", five);
        chat.set_level("bobby", None);
        assert_eq!(chat.level("alice"), five);
        assert_eq!(chat.level("bobby"), None);
        assert_eq!(chat.level("carol"), three);
        for number in 0..MAX_PLAYERS - 1 {
            chat.set_level(&format!("guest{number}"), None);
            chat.set_level("bobby", five);
        }
        assert_eq!(chat.level("alice"), three);
        assert_eq!(chat.level("bobby"), five);
        assert_eq!(chat.levels.len(), MAX_PLAYERS);
    }
}
