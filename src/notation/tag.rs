//! One tag of a PTN file, `[Name "value"]`, and what is written in its place.

use super::leniency::plain;

/// The tags that programs write. Other names are allowed.
pub(super) const KNOWN_TAGS: [&str; 24] = [
    "Size",
    "TPS",
    "Komi",
    "Opening",
    "Flats",
    "Caps",
    "Flats1",
    "Flats2",
    "Caps1",
    "Caps2",
    "Player1",
    "Player2",
    "Result",
    "Date",
    "Time",
    "Event",
    "Site",
    "Round",
    "Clock",
    "Rating1",
    "Rating2",
    "Points",
    "PlayTakID",
    "Termination",
];

/// The standard spelling of a known tag's name in any case.
pub(super) fn known_tag(name: &str) -> Option<&'static str> {
    KNOWN_TAGS.into_iter().find(|&known| is_tag(name, known))
}

/// Whether a tag has this name; upper and lower case are the same.
pub(super) fn is_tag(tag: &str, name: &str) -> bool {
    tag.eq_ignore_ascii_case(name)
}

/// A tag as text has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagText {
    pub name: String,
    pub value: String,
    /// Its length in bytes.
    pub length: usize,
    /// Whether it is `[Name "value"]`, blanks aside.
    pub is_standard: bool,
}

impl TagText {
    /// The tag that a text begins with.
    pub fn read(text: &str) -> Option<Self> {
        Self::read_standard(text).or_else(|| Self::read_loose(text))
    }

    /// `[Name "value"]`, in which `\` makes the next character of the value stand for itself.
    fn read_standard(text: &str) -> Option<Self> {
        // More brackets and blanks than one belong to no name, so that a tag is read again as it is written.
        let inside = text.strip_prefix('[')?.trim_start_matches(|c: char| c == '[' || (c != '\n' && c.is_whitespace()));
        let (name, quoted) = inside.split_at(inside.find(['"', '\n', ']'])?);
        let name = name.trim();
        if name.is_empty() || name.ends_with([':', '=']) {
            return None;
        }
        let mut value = String::new();
        let mut chars = quoted.strip_prefix('"')?.chars();
        loop {
            match chars.next()? {
                '"' => break,
                '\n' => return None,
                '\\' => value.extend(chars.next()),
                c => value.push(c),
            }
        }
        let rest = chars.as_str().trim_start().strip_prefix(']')?;
        Some(Self { name: name.to_owned(), value, length: text.len() - rest.len(), is_standard: true })
    }

    /// A tag in one line with other quotes or none, `:` or `=` after the name, or without its end. Without quotes only known
    /// tags are read.
    fn read_loose(text: &str) -> Option<Self> {
        let line = text.lines().next()?;
        let inside = line.strip_prefix(['[', '［'])?.trim_start();
        let name_end = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inside.len());
        let (name, after) = inside.split_at(name_end);
        let name = plain(name).unwrap_or_else(|| name.to_owned());
        let after = after.trim_start();
        let after = after.strip_prefix([':', '=', '：', '＝']).unwrap_or(after).trim_start();
        let quotes: Option<&[char]> = match after.chars().next() {
            Some(c) if DOUBLE.contains(&c) => Some(&DOUBLE),
            Some(c) if SINGLE.contains(&c) => Some(&SINGLE),
            _ => None,
        };
        let (value, rest) = match quotes {
            Some(quotes) => {
                let quoted = &after[after.chars().next()?.len_utf8()..];
                match quoted.find(quotes) {
                    Some(end) => {
                        let quote = quoted[end..].chars().next()?.len_utf8();
                        (&quoted[..end], quoted[end + quote..].trim_start())
                    }
                    None => quoted.split_at(quoted.find(BRACKETS).unwrap_or(quoted.len())),
                }
            }
            None => after.split_at(after.find(BRACKETS).filter(|_| known_tag(&name).is_some())?),
        };
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || value.contains(['[', '{', '}']) {
            return None;
        }
        let end = rest.strip_prefix(BRACKETS).or_else(|| rest.is_empty().then_some(""))?;
        Some(Self { name, value: value.trim().to_owned(), length: line.len() - end.len(), is_standard: false })
    }
}

const DOUBLE: [char; 6] = ['"', '“', '”', '„', '″', '＂'];
const SINGLE: [char; 6] = ['\'', '‘', '’', '‚', '′', '＇'];
const BRACKETS: [char; 2] = [']', '］'];
