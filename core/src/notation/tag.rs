//! One tag of a PTN file, `[Name "value"]`, and its non-standard forms.

use super::leniency::plain;
use super::line_start;

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

/// Returns whether a tag has this name, ignoring case.
pub(super) fn is_tag(tag: &str, name: &str) -> bool {
    tag.eq_ignore_ascii_case(name)
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagText {
    pub name: String,
    pub value: String,
    /// Its length in bytes.
    pub length: usize,
    /// True if it is `[Name "value"]` with exactly one blank.
    pub is_standard: bool,
}

impl TagText {
    /// Attempts to read a tag in one line that may fail; after them nothing in it is a tag. Each may read all of the line.
    pub const MAX_ATTEMPTS: usize = 100;

    /// The longest tag that is not standard.
    const MAX_LOOSE_BYTES: usize = 1 << 14;

    /// The tag that a text begins with.
    pub fn read(text: &str) -> Option<Self> {
        Self::read_quoted(text).or_else(|| Self::read_loose(text))
    }

    /// Returns whether a line is only a tag with its value in quotes.
    pub fn is_whole_line(line: &str) -> bool {
        let line = line.trim();
        Self::read_quoted(line).is_some_and(|tag| tag.length == line.len())
    }

    /// `[Name value]` with an unknown name. Other text in brackets looks like this too, so it is read only among tags,
    /// and names begin with a capital letter.
    pub fn read_unknown(text: &str) -> Option<Self> {
        let (inside, _) = line_start(text, Self::MAX_LOOSE_BYTES).strip_prefix('[')?.split_once(']')?;
        let (name, value) = inside.split_once(char::is_whitespace)?;
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && known_tag(name).is_none();
        let value = value.trim();
        let is_value = !value.is_empty() && !value.contains(['[', '{', '}', '"']);
        (is_name && is_value).then(|| Self {
            name: name.to_owned(),
            value: value.to_owned(),
            length: inside.len() + 2,
            is_standard: false,
        })
    }

    /// `[Name "value"]` with any blanks; `\` escapes the next character of the value.
    fn read_quoted(text: &str) -> Option<Self> {
        // More brackets and blanks than one belong to no name, so that a tag is read again as it is written.
        let inside = text.strip_prefix('[')?.trim_start_matches(|c| c == '[' || is_space(c));
        let (before, quoted) = inside.split_at(inside.find(['"', '\n', ']'])?);
        let name = before.trim();
        if name.is_empty() || name.ends_with([':', '=']) {
            return None;
        }
        let mut value = String::new();
        let mut chars = quoted.strip_prefix('"')?.chars();
        loop {
            let c = match chars.next()? {
                '"' => break,
                '\\' => chars.next()?,
                c => c,
            };
            if c == '\n' {
                return None;
            }
            value.push(c);
        }
        let after = chars.as_str();
        let rest = after.trim_start_matches(is_space).strip_prefix(']')?;
        let is_standard =
            inside.len() + 1 == text.len() && before.strip_prefix(name) == Some(" ") && after.starts_with(']');
        Some(Self { name: name.to_owned(), value, length: text.len() - rest.len(), is_standard })
    }

    /// A tag in one line with other quotes or none, `:` or `=` after the name, or without its end. Without quotes only
    /// known tags are read.
    fn read_loose(text: &str) -> Option<Self> {
        let line = line_start(text, Self::MAX_LOOSE_BYTES);
        let inside = line.strip_prefix(['[', '［'])?.trim_start();
        let name_end = inside.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(inside.len());
        let (name, after) = inside.split_at(name_end);
        let name = plain(name).unwrap_or_else(|| name.to_owned());
        let after = after.trim_start();
        let after = after.strip_prefix([':', '=', '：', '＝']).unwrap_or(after).trim_start();
        let quotes: Option<&[char]> = match after.chars().next() {
            Some(c) if DOUBLE_QUOTES.contains(&c) => Some(&DOUBLE_QUOTES),
            Some(c) if SINGLE_QUOTES.contains(&c) => Some(&SINGLE_QUOTES),
            _ => None,
        };
        let (value, rest) = match quotes {
            Some(quotes) => {
                let quoted = &after[after.chars().next()?.len_utf8()..];
                // The value may contain other quotes.
                let mut ends =
                    quoted.match_indices(quotes).map(|(at, quote)| (at, quoted[at + quote.len()..].trim_start()));
                match ends.find(|(_, rest)| rest.is_empty() || rest.starts_with(CLOSING_BRACKETS)) {
                    Some((end, rest)) => (&quoted[..end], rest),
                    None => quoted.split_at(quoted.find(CLOSING_BRACKETS).unwrap_or(quoted.len())),
                }
            }
            None => after.split_at(after.find(CLOSING_BRACKETS).filter(|_| known_tag(&name).is_some())?),
        };
        if !name.starts_with(|c: char| c.is_ascii_alphabetic()) || value.contains(['[', '{', '}']) {
            return None;
        }
        let is_cut = text[line.len()..].starts_with(|c| c != '\n' && c != '\r');
        let end = rest.strip_prefix(CLOSING_BRACKETS).or_else(|| (rest.is_empty() && !is_cut).then_some(""))?;
        Some(Self { name, value: value.trim().to_owned(), length: line.len() - end.len(), is_standard: false })
    }
}

/// Returns whether a character is a blank within a line.
fn is_space(c: char) -> bool {
    c != '\n' && c.is_whitespace()
}

const DOUBLE_QUOTES: [char; 8] = ['"', '“', '”', '„', '″', '＂', '«', '»'];
const SINGLE_QUOTES: [char; 7] = ['\'', '‘', '’', '‚', '′', '＇', '`'];
const CLOSING_BRACKETS: [char; 2] = [']', '］'];
