//! The answer of an engine to `tei`, and the checks that it can play a tournament.

use crate::board::{Komi, OpeningRule, Size};
use crate::tei::reply::{self, Reply, ReplyError};
use crate::tei::reply::{HALF_KOMI, OPENING, OptionKind, OptionLine, SizeLine};

/// Everything an engine says that it is and can do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identity {
    /// From `id name`.
    pub name: Option<String>,
    /// From its `size` lines; empty for an engine of the older dialect.
    pub sizes: Vec<SizeLine>,
    /// From its `option` lines, in their order.
    pub options: Vec<OptionLine>,
}

/// The reason why an engine cannot play a tournament with its settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IncompatibleEngine {
    /// Its `size` lines do not have the board.
    #[error("it does not play {size}x{size}; it offers {offered}")]
    Size {
        /// The board wanted.
        size: Size,
        /// The boards of its `size` lines.
        offered: String,
    },
    /// It does not play this komi.
    #[error("it does not play a komi of {komi}: {reason}")]
    Komi {
        /// The komi wanted.
        komi: Komi,
        /// Its own options.
        reason: String,
    },
    /// It does not play this opening.
    #[error("it does not play the opening {opening}: {reason}")]
    Opening {
        /// The opening wanted.
        opening: OpeningRule,
        /// Its own options.
        reason: String,
    },
    /// An option that it lacks.
    #[error("it has no option {name:?}{offered}")]
    UnknownOption {
        /// The name that was set.
        name: String,
        /// Its own komi, as the end of a sentence.
        offered: String,
    },
    /// A value that an option cannot have.
    #[error("option {name}: invalid value {value:?}: expected {expected}")]
    BadValue {
        /// The option.
        name: String,
        /// The value that was set.
        value: String,
        /// The values that it takes.
        expected: String,
    },
}

impl Identity {
    /// Reads one line of the answer. Returns whether it was the last, `teiok`. A malformed line is ignored.
    pub fn read_line(&mut self, line: &str) -> bool {
        match reply::parse(line) {
            Ok(Reply::TeiOk) => return true,
            Ok(Reply::Id { key, text }) if key == "name" => {
                self.name = Some(text).filter(|name| !name.is_empty());
            }
            Ok(Reply::Size(size)) => self.sizes.push(size),
            Ok(Reply::Option(option)) => self.options.push(option),
            Err(error @ ReplyError::Malformed(_)) => log::warn!("ignored {line:?}: {error}"),
            Ok(_) | Err(ReplyError::Unknown) => {}
        }
        false
    }

    /// The option of this name, upper and lower case being the same.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&OptionLine> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Returns whether the engine takes size and komi with `teinewgame`; otherwise komi is an option, if the engine has komi at
    /// all.
    #[must_use]
    pub fn has_sizes(&self) -> bool {
        !self.sizes.is_empty()
    }

    /// Checks that the engine plays this board with this komi.
    ///
    /// # Errors
    /// The missing feature. An engine without `size` lines may still refuse a size in its first game.
    pub fn check_rules(&self, size: Size, komi: Komi) -> Result<(), IncompatibleEngine> {
        let half = i64::from(komi.half());
        let incompatible_komi = |reason: String| Err(IncompatibleEngine::Komi { komi, reason });
        if self.has_sizes() {
            let width = i64::from(size.width() as u8);
            let lines: Vec<&SizeLine> = self.sizes.iter().filter(|line| line.widths.contains(&width)).collect();
            if lines.is_empty() {
                let widths = self.sizes.iter().flat_map(|line| &line.widths);
                let offered = list(widths);
                return Err(IncompatibleEngine::Size { size, offered });
            }
            if !lines.iter().any(|line| line.half_komi.contains(&half)) {
                let offered = list(lines.iter().flat_map(|line| &line.half_komi));
                return incompatible_komi(format!("it offers half komi {offered}"));
            }
            return Ok(());
        }
        match self.option(HALF_KOMI).map(|option| &option.kind) {
            None if half == 0 => Ok(()),
            None => incompatible_komi(format!("it has neither a size line nor an option {HALF_KOMI}")),
            Some(kind) => match check(kind, &half.to_string()) {
                Ok(()) => Ok(()),
                Err(expected) => incompatible_komi(format!("its {HALF_KOMI} is {expected}")),
            },
        }
    }

    /// Checks that the engine plays this opening. Without an option for it, an engine plays the usual one.
    ///
    /// # Errors
    /// The missing feature.
    pub fn check_opening(&self, opening: OpeningRule) -> Result<(), IncompatibleEngine> {
        let reason = match self.option(OPENING).map(|option| &option.kind) {
            None if opening.is_swap() => return Ok(()),
            None => format!("it has no option {OPENING}"),
            Some(kind) => match check(kind, &opening.to_string()) {
                Ok(()) => return Ok(()),
                Err(expected) => format!("its {OPENING} is {expected}"),
            },
        };
        Err(IncompatibleEngine::Opening { opening, reason })
    }

    /// Checks that option `name` can be set to `value`.
    ///
    /// # Errors
    /// That it does not exist, or what it expects.
    pub fn check_option(&self, name: &str, value: &str) -> Result<(), IncompatibleEngine> {
        let Some(option) = self.option(name) else {
            let names: Vec<&str> = self.options.iter().map(|o| o.name.as_str()).collect();
            let offered = match names.as_slice() {
                [] => ", nor any other".to_owned(),
                names => format!("; it has {}", names.join(", ")),
            };
            let name = name.to_owned();
            return Err(IncompatibleEngine::UnknownOption { name, offered });
        };
        check(&option.kind, value).map_err(|expected| IncompatibleEngine::BadValue {
            name: option.name.clone(),
            value: value.to_owned(),
            expected,
        })
    }
}

/// Checks that an option of this kind takes `value`; an error lists the valid values.
fn check(kind: &OptionKind, value: &str) -> Result<(), String> {
    let (fits, expected) = match kind {
        OptionKind::Check => (matches!(value, "true" | "false"), "true or false".into()),
        OptionKind::Spin { min, max } => (
            value.parse().is_ok_and(|number: i64| (min..=max).contains(&&number)),
            format!("a number from {min} to {max}"),
        ),
        OptionKind::Combo(values) => {
            (values.iter().any(|known| known == value), format!("one of {}", values.join(", ")))
        }
        OptionKind::Button => (value.is_empty(), "no value".into()),
        OptionKind::Text => (true, String::new()),
    };
    if fits { Ok(()) } else { Err(expected) }
}

fn list<'a>(numbers: impl Iterator<Item = &'a i64>) -> String {
    let mut numbers: Vec<i64> = numbers.copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(text: &str) -> Identity {
        let mut identity = Identity::default();
        let ended = text.lines().filter(|line| identity.read_line(line)).count();
        assert_eq!(ended, usize::from(text.contains("teiok")));
        identity
    }

    fn komi(half: i64) -> Komi {
        Komi::from_half(half).unwrap()
    }

    const SIX: Size = Size::ALL[3];

    #[test]
    fn size_lines_offer_exactly_their_boards_and_komi() {
        let engine = identity("id name A b\nsize 5 6 halfkomi 0 4\nsize 7\nteiok");
        assert_eq!(engine.name.as_deref(), Some("A b"));
        assert_eq!(engine.check_rules(SIX, komi(4)), Ok(()));
        assert_eq!(engine.check_rules(Size::ALL[4], Komi::ZERO), Ok(()));
        assert!(matches!(engine.check_rules(Size::ALL[4], komi(4)), Err(IncompatibleEngine::Komi { .. })));
        assert_eq!(
            engine.check_rules(Size::ALL[5], komi(0)).unwrap_err(),
            IncompatibleEngine::Size { size: Size::ALL[5], offered: "5 6 7".into() }
        );
        assert_eq!(
            engine.check_rules(SIX, komi(3)).unwrap_err().to_string(),
            "it does not play a komi of 1.5: it offers half komi 0 4"
        );
    }

    #[test]
    fn half_komi_may_be_a_spin_a_combo_or_missing() {
        let spin = identity("option name HalfKomi type spin default 0 min 0 max 12");
        assert_eq!(spin.check_rules(SIX, komi(12)), Ok(()));
        assert!(spin.check_rules(SIX, komi(-1)).is_err());
        let combo = identity("option name HalfKomi type combo default 0 var 0 var 4");
        assert_eq!(combo.check_rules(SIX, komi(4)), Ok(()));
        assert!(combo.check_rules(SIX, komi(2)).is_err());
        let unbounded = identity("option name HalfKomi type spin default 0");
        assert_eq!(unbounded.check_rules(SIX, komi(-9)), Ok(()));
        assert!(unbounded.check_rules(SIX, komi(10)).is_err());
        assert_eq!(identity("").check_rules(SIX, Komi::ZERO), Ok(()));
        assert!(identity("").check_rules(SIX, komi(1)).is_err());
    }

    #[test]
    fn openings_other_than_the_usual_need_an_option() {
        let text = |engine: &Identity, opening| {
            let incompatible = engine.check_opening(opening).unwrap_err();
            incompatible.to_string()
        };
        let all = identity("option name opening type combo default swap var swap var no-swap var double-black");
        for opening in OpeningRule::ALL {
            assert_eq!(all.check_opening(opening), Ok(()));
        }
        let none = identity("option name Hash type spin default 1 min 1 max 2");
        assert_eq!(none.check_opening(OpeningRule::Swap), Ok(()));
        assert_eq!(
            text(&none, OpeningRule::DoubleBlack),
            "it does not play the opening double-black: it has no option Opening"
        );
        let some = identity("option name Opening type combo default swap var swap var no-swap");
        assert_eq!(some.check_opening(OpeningRule::NoSwap), Ok(()));
        assert_eq!(
            text(&some, OpeningRule::DoubleBlack),
            "it does not play the opening double-black: its Opening is one of swap, no-swap"
        );
    }

    #[test]
    fn options_are_checked_by_type() {
        let engine = identity(
            "option name Move Overhead type spin default 10 min 0 max 1000\n\
             option name Ponder type check default false\n\
             option name Style type combo default wild var wild var calm and cool\n\
             option name Book type string default <empty>\n\
             option name Clear type button",
        );
        assert_eq!(engine.check_option("move overhead", "30"), Ok(()));
        assert!(engine.check_option("Move Overhead", "1001").is_err());
        assert!(engine.check_option("Move Overhead", "x").is_err());
        assert_eq!(engine.check_option("Ponder", "true"), Ok(()));
        assert!(engine.check_option("Ponder", "yes").is_err());
        assert_eq!(engine.check_option("Style", "calm and cool"), Ok(()));
        assert!(engine.check_option("Style", "calm").is_err());
        assert_eq!(engine.check_option("Book", "any thing"), Ok(()));
        assert_eq!(engine.check_option("Clear", ""), Ok(()));
        assert!(matches!(engine.check_option("Hash", "1"), Err(IncompatibleEngine::UnknownOption { .. })));
    }

    #[test]
    fn malformed_lines_are_ignored() {
        let engine = identity(
            "option\noption name\noption type spin\noption name X type\noption x name Y type check\n\
             option name Z type spin default a min b max c\nsize\nsize x halfkomi y\nid\nid name\n\n\
             option name Good type check default maybe",
        );
        let names: Vec<&str> = engine.options.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["Good"]);
        assert!(!engine.has_sizes());
        assert_eq!(engine.name, None);
    }
}
