//! The lines in which an engine introduces itself after `tei`: its sizes with their komi, and its options. Text to data
//! and back.

use std::fmt;

use super::joined;

/// The option for komi in half points.
pub const HALF_KOMI: &str = "HalfKomi";
/// The option for what first turns do.
pub const OPENING: &str = "Opening";
/// What stands for no text where an option takes one.
pub const EMPTY: &str = "<empty>";

/// `size 5 6 halfkomi 0 4`: these boards with any of these komi.
///
/// ```
/// use tak_engine::tei::handshake::SizeLine;
/// use tak_engine::tei::reply::{Reply, parse};
///
/// let line = SizeLine { widths: vec![5, 6], half_komi: vec![0, 4] };
/// assert_eq!(line.to_string(), "size 5 6 halfkomi 0 4");
/// assert_eq!(parse("size 5 6 halfkomi 0 4"), Ok(Reply::Size(line)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeLine {
    /// Widths of boards, at least one.
    pub widths: Vec<i64>,
    /// Komi in half points.
    pub half_komi: Vec<i64>,
}

/// `option name N type T ...`.
///
/// ```
/// use tak_engine::tei::handshake::{OptionKind, OptionLine};
///
/// let line = OptionLine {
///     name: "Threads".to_owned(),
///     default: Some("1".to_owned()),
///     kind: OptionKind::Spin { min: 1, max: 256 },
/// };
/// assert_eq!(line.to_string(), "option name Threads type spin default 1 min 1 max 256");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionLine {
    /// Its name, in the engine's own spelling.
    pub name: String,
    /// The value before it is set, if the line tells it.
    pub default: Option<String>,
    /// What it can be set to.
    pub kind: OptionKind,
}

/// The values of an option.
///
/// ```
/// use tak_engine::tei::handshake::OptionKind;
/// use tak_engine::tei::reply::{Reply, parse};
///
/// let reply = parse("option name Style type combo default calm var calm var wild");
/// let Ok(Reply::Option(option)) = reply else { panic!("{reply:?}") };
/// assert_eq!(option.kind, OptionKind::Combo(vec!["calm".to_owned(), "wild".to_owned()]));
/// ```
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
    /// No value: setting it is the point.
    Button,
    /// Any text, [`EMPTY`] for none.
    Text,
}

/// What a [`HALF_KOMI`] spin without bounds is taken to accept, as PTN Ninja does.
const DEFAULT_HALF_KOMI: i64 = 9;

impl SizeLine {
    /// Reads the words after `size`; those that are no numbers are passed over. Without `halfkomi` only a komi of 0 is
    /// offered. `None` where there is no board.
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
        f.write_str("size")?;
        self.widths.iter().try_for_each(|width| write!(f, " {width}"))?;
        f.write_str(" halfkomi")?;
        self.half_komi.iter().try_for_each(|half| write!(f, " {half}"))
    }
}

impl OptionLine {
    /// Reads the words after `option`: `name N... type T [default D...] [min A] [max B] [var V...]...`. `None` where they
    /// do not make an option.
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
