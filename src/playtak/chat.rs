//! Requests of players, and the levels that they have asked for.

use crate::engine::Level;

/// The maximum number of players whose level is stored. The oldest request is dropped first.
const MAX_PLAYERS: usize = 1000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ChatCommand {
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

pub(super) fn words(level: Option<Level>) -> String {
    let number = |level: Level| format!("level {} of {} (Elo {})", level.number(), Level::MAX, level.elo());
    level.map_or_else(|| "full strength".to_owned(), number)
}

/// The levels to play at.
#[derive(Debug)]
pub(super) struct Levels {
    usual: Option<Level>,
    asked: Vec<(String, Option<Level>)>,
}

impl Levels {
    /// The `usual` level for everyone.
    pub fn new(usual: Option<Level>) -> Self {
        Self { usual, asked: Vec::new() }
    }

    pub fn ask(&mut self, player: String, level: Option<Level>) {
        self.asked.retain(|(known, _)| *known != player);
        if self.asked.len() == MAX_PLAYERS {
            self.asked.remove(0);
        }
        self.asked.push((player, level));
    }

    /// The level against a player.
    pub fn of(&self, player: &str) -> Option<Level> {
        let asked = self.asked.iter().find(|(known, _)| known == player);
        asked.map_or(self.usual, |(_, level)| *level)
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
        let mut levels = Levels::new(three);
        levels.ask("alice".into(), five);
        levels.ask("bobby".into(), None);
        assert_eq!(levels.of("alice"), five);
        assert_eq!(levels.of("bobby"), None);
        assert_eq!(levels.of("carol"), three);
        for number in 0..MAX_PLAYERS - 1 {
            levels.ask(format!("guest{number}"), None);
            levels.ask("bobby".into(), five);
        }
        assert_eq!(levels.of("alice"), three);
        assert_eq!(levels.of("bobby"), five);
        assert_eq!(levels.asked.len(), MAX_PLAYERS);
    }
}
