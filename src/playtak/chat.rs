//! What players may tell the bot, and the levels that they have asked for.

use crate::engine::Level;

/// Of so many players it is known which level they want; the one who has asked longest ago is forgotten first.
const MOST_PLAYERS: usize = 1000;

/// Something that a player may tell the bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// To know what there is to tell.
    Help,
    /// Another level in the next game; `None` for full strength.
    Level(Option<Level>),
    /// A level that there is not.
    NoLevel,
}

impl Wish {
    /// Reads what a player says; `None` for what is not meant for a program.
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
            Ok(number) => Level::new(number).map_or(Self::NoLevel, |level| Self::Level(Some(level))),
            Err(_) => Self::NoLevel,
        })
    }
}

/// A level, in words.
pub(super) fn words(level: Option<Level>) -> String {
    level.map_or_else(|| "full strength".to_owned(), |level| format!("level {} of {}", level.number(), Level::MAX))
}

/// How strong to play against whom.
#[derive(Debug)]
pub(super) struct Levels {
    usual: Option<Level>,
    asked: Vec<(String, Option<Level>)>,
}

impl Levels {
    /// Everyone is played at the `usual` level.
    pub fn new(usual: Option<Level>) -> Self {
        Self { usual, asked: Vec::new() }
    }

    /// Notes what a player has asked for.
    pub fn ask(&mut self, player: String, level: Option<Level>) {
        self.asked.retain(|(known, _)| *known != player);
        if self.asked.len() == MOST_PLAYERS {
            self.asked.remove(0);
        }
        self.asked.push((player, level));
    }

    /// How strong to play against a player.
    pub fn of(&self, player: &str) -> Option<Level> {
        let asked = self.asked.iter().find(|(known, _)| known == player);
        asked.map_or(self.usual, |(_, level)| *level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        let level = |number| Some(Wish::Level(Level::new(number)));
        for (text, wish) in [
            ("help", Some(Wish::Help)),
            (" HELP ", Some(Wish::Help)),
            ("level 5", level(5)),
            ("Level  20 ", level(20)),
            ("level 0", level(0)),
            ("level 21", Some(Wish::NoLevel)),
            ("level -1", Some(Wish::NoLevel)),
            ("level 99999999999", Some(Wish::NoLevel)),
            ("level", Some(Wish::NoLevel)),
            ("level five", Some(Wish::NoLevel)),
            ("levels are fun", None),
            ("what level are you?", None),
            ("help me", None),
            ("", None),
        ] {
            assert_eq!(Wish::read(text), wish, "{text:?}");
        }
    }

    #[test]
    fn a_player_is_remembered_unless_there_are_too_many() {
        let [three, five] = [3, 5].map(Level::new);
        let mut levels = Levels::new(three);
        levels.ask("alice".into(), five);
        levels.ask("bobby".into(), None);
        assert_eq!(levels.of("alice"), five);
        assert_eq!(levels.of("bobby"), None);
        assert_eq!(levels.of("carol"), three);
        for number in 0..MOST_PLAYERS - 1 {
            levels.ask(format!("guest{number}"), None);
            levels.ask("bobby".into(), five);
        }
        assert_eq!(levels.of("alice"), three);
        assert_eq!(levels.of("bobby"), five);
        assert_eq!(levels.asked.len(), MOST_PLAYERS);
    }
}
