//! The lines of engines: one line of text to one [`Reply`], and back.
//!
//! This engine prints replies. Reading is lenient, since the lines come from other engines: unknown words are skipped.
//! A printed reply reads back as the same reply.

use std::fmt;

use super::info::Info;
use super::joined;

/// The word after `bestmove` if there is no move: the game is over, or there is no position.
pub const NO_MOVE: &str = "--";
/// The option for komi in half points.
pub const HALF_KOMI: &str = "HalfKomi";
/// The option for the opening rule.
pub const OPENING: &str = "Opening";
/// The empty text as the value of an option.
pub const EMPTY: &str = "<empty>";

/// One line of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `id KEY TEXT`.
    Id {
        /// `name`, `author`, `version`, or another word of the engine.
        key: String,
        /// Its words separated by one blank. May be empty.
        text: String,
    },
    /// `size ...`: boards and komi.
    Size(SizeLine),
    /// `option ...`: an option with its type and its limits.
    Option(OptionLine),
    /// `teiok`: the end of the answer to `tei`.
    TeiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info ...`: a report of the search, or an error.
    Info(Info),
    /// `bestmove MOVE`: the end of a search. The text is any word, [`NO_MOVE`], or empty if the word is missing.
    BestMove(String),
}

/// A line that is not a valid reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The first word is unknown.
    #[error("unknown TEI reply")]
    Unknown,
    /// The words after this first word are invalid.
    #[error("the {0} line is malformed")]
    Malformed(&'static str),
}

/// Reads one line.
///
/// # Errors
/// [`ReplyError`] for a line that can be skipped.
pub fn parse(line: &str) -> Result<Reply, ReplyError> {
    let line = line.trim_start();
    let (head, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let mut words = rest.split_ascii_whitespace();
    let reply = match head {
        "id" => {
            let key = words.next().ok_or(ReplyError::Malformed("id"))?;
            Reply::Id { key: key.to_owned(), text: joined(words) }
        }
        "size" => Reply::Size(SizeLine::parse(words).ok_or(ReplyError::Malformed("size"))?),
        "option" => Reply::Option(OptionLine::parse(words).ok_or(ReplyError::Malformed("option"))?),
        "teiok" => Reply::TeiOk,
        "readyok" => Reply::ReadyOk,
        "info" => Reply::Info(Info::parse(words).ok_or(ReplyError::Malformed("info"))?),
        "bestmove" => Reply::BestMove(words.next().unwrap_or_default().to_owned()),
        _ => return Err(ReplyError::Unknown),
    };
    Ok(reply)
}

/// The line, without its line break. Texts in it must have none of their own.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { key, text } => write!(f, "id {key} {text}"),
            Self::Size(size) => write!(f, "{size}"),
            Self::Option(option) => write!(f, "{option}"),
            Self::TeiOk => f.write_str("teiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => write!(f, "{info}"),
            Self::BestMove(mv) => write!(f, "bestmove {mv}"),
        }
    }
}

/// `size 5 6 halfkomi 0 4`: these boards with any of these komi.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeLine {
    /// Widths of boards, at least one.
    pub widths: Vec<i64>,
    /// Every komi offered.
    pub half_komi: Vec<i64>,
}

/// `option name N type T ...`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionLine {
    /// The name, as the engine spells it.
    pub name: String,
    /// The value before it is set, if the line has one.
    pub default: Option<String>,
    /// The type of its values.
    pub kind: OptionKind,
}

/// The type of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`.
    Check,
    /// A whole number in this range.
    Spin {
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of these words.
    Combo(Vec<String>),
    /// No value: setting it triggers an action.
    Button,
    /// Any text, [`EMPTY`] for none.
    Text,
}

/// The bounds of a [`HALF_KOMI`] spin without bounds, as in PTN Ninja.
const DEFAULT_HALF_KOMI: i64 = 9;

impl SizeLine {
    /// Reads the words after `size`; words that are not numbers are skipped. Without `halfkomi` the only komi is 0.
    /// `None` without a board.
    pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut line = Self { widths: Vec::new(), half_komi: Vec::new() };
        let mut komi = false;
        for word in words {
            if word == "halfkomi" {
                komi = true;
            } else if let Ok(number) = word.parse() {
                let list = if komi { &mut line.half_komi } else { &mut line.widths };
                list.push(number);
            }
        }
        if !komi {
            line.half_komi.push(0);
        }
        (!line.widths.is_empty()).then_some(line)
    }
}

/// The line without its line break.
impl fmt::Display for SizeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "size {} halfkomi {}", joined(&self.widths), joined(&self.half_komi))
    }
}

impl OptionLine {
    /// Reads the words after `option`: `name N... type T [default D...] [min A] [max B] [var V...]...`. `None` if they
    /// are invalid.
    pub(super) fn parse<'a>(words: impl Iterator<Item = &'a str>) -> Option<Self> {
        let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
        for word in words {
            match word {
                "name" | "type" | "default" | "min" | "max" | "var" => {
                    fields.push((word, Vec::new()));
                }
                _ => fields.last_mut()?.1.push(word),
            }
        }
        let field = |name: &str| {
            let found = fields.iter().find(|(key, _)| *key == name);
            found.map(|(_, words)| joined(words))
        };
        let name = field("name").filter(|name| !name.is_empty())?;
        let bound = |key: &str, komi: i64, other: i64| match field(key) {
            Some(text) => text.parse().ok(),
            None if name.eq_ignore_ascii_case(HALF_KOMI) => Some(komi),
            None => Some(other),
        };
        let kind = match field("type")?.as_str() {
            "check" => OptionKind::Check,
            "spin" => OptionKind::Spin {
                min: bound("min", -DEFAULT_HALF_KOMI, i64::MIN)?,
                max: bound("max", DEFAULT_HALF_KOMI, i64::MAX)?,
            },
            "combo" => {
                let values = fields.iter().filter(|(key, _)| *key == "var");
                OptionKind::Combo(values.map(|(_, words)| joined(words)).collect())
            }
            "button" => OptionKind::Button,
            "string" => OptionKind::Text,
            _ => return None,
        };
        let default = field("default");
        Some(Self { name, default, kind })
    }
}

/// The line without its line break.
impl fmt::Display for OptionLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.kind {
            OptionKind::Check => "check",
            OptionKind::Spin { .. } => "spin",
            OptionKind::Combo(_) => "combo",
            OptionKind::Button => "button",
            OptionKind::Text => "string",
        };
        write!(f, "option name {} type {kind}", self.name)?;
        if let Some(default) = &self.default {
            write!(f, " default {default}")?;
        }
        match &self.kind {
            OptionKind::Spin { min, max } => write!(f, " min {min} max {max}"),
            OptionKind::Combo(values) => values.iter().try_for_each(|value| write!(f, " var {value}")),
            OptionKind::Check | OptionKind::Button | OptionKind::Text => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::info::Rest;
    use super::*;

    #[test]
    fn blanks_and_further_words_are_skipped() {
        for line in ["teiok", " teiok", "\tteiok 1"] {
            assert_eq!(parse(line), Ok(Reply::TeiOk));
        }
        assert_eq!(parse("readyok "), Ok(Reply::ReadyOk));
        for (line, mv) in
            [("bestmove a1", "a1"), (" bestmove\ta1 ponder b2", "a1"), ("bestmove --", NO_MOVE), ("bestmove", "")]
        {
            assert_eq!(parse(line), Ok(Reply::BestMove(mv.to_owned())), "{line}");
        }
        let error = Info::of(Rest::Error("no board".to_owned()));
        assert_eq!(parse("info error  no board"), Ok(Reply::Info(error)));
        for line in ["", "  ", "teiokay", "bestmoves a1", "hello", "readyok_"] {
            assert_eq!(parse(line), Err(ReplyError::Unknown), "{line}");
        }
    }

    #[test]
    fn malformed_lines_are_reported_with_their_kind() {
        for (line, kind) in [
            ("option", "option"),
            ("option name", "option"),
            ("option type spin", "option"),
            ("option name X type", "option"),
            ("option name X type knob", "option"),
            ("option x name Y type check", "option"),
            ("option name Z type spin default a min b max c", "option"),
            ("size", "size"),
            ("size x halfkomi y", "size"),
            ("id", "id"),
            ("info depth 3 multipv x", "info"),
        ] {
            assert_eq!(parse(line), Err(ReplyError::Malformed(kind)), "{line}");
        }
    }
}
