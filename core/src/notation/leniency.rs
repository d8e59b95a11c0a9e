//! Deviations from standard notation that readers accept: the output of other programs, older versions and phones.
//!
//! A reader notes each of them in [`Deviations`]. The caller decides whether they are warnings or errors.

use std::fmt;

use super::excerpt;

/// Declares the kinds of deviations, each with the rule that a warning names.
macro_rules! leniency {
    ($($name:ident: $rule:literal,)*) => {
        /// A kind of text that is read although it is not standard notation. Displayed, it is the rule.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Leniency {
            $(#[doc = $rule] $name,)*
        }

        impl fmt::Display for Leniency {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self {
                    $(Self::$name => $rule,)*
                })
            }
        }
    };
}

leniency! {
    Encoding: "text that is not UTF-8",
    ByteOrderMark: "byte order mark inside the file",
    JoinedGames: "no line end before the tags",
    TagInComment: "tag line in a comment",
    TagForm: "expected [Name \"value\"]",
    TagName: "tag name in another case",
    TagValue: "value in another form",
    TagSkipped: "unreadable tag, kept as a comment",
    TagRepeated: "repeated tag with another value, kept as a comment",
    MissingSize: "no Size tag",
    MissingOpening: "double black stack without an Opening tag",
    FirstTurn: "move 1 with stones on the board",
    LetterCase: "letter in another case",
    Typography: "typographic character",
    StoneLetter: "stone letter after the drops",
    Punctuation: "trailing punctuation",
    MoveNumber: "expected a move number such as 12. and a blank",
    Placeholder: "placeholder that replaces no move",
    ResultForm: "result in another form",
    LooseMark: "mark apart from its move",
    NumberedMark: "mark by number",
    LineComment: "comment after a semicolon",
    EscapeLine: "line for other programs, skipped",
    CodeFence: "code fence, skipped",
    Variation: "variation in another form",
    SkippedVariation: "invalid variation, kept as a comment",
    Rows: "expected / between the rows and no blanks",
    QuotedTps: "position written as a tag or in quotes",
    FlatLetter: "letter F after a flat",
    ControlCharacter: "control character",
    WrongResult: "result that contradicts the rules or the moves",
}

/// One deviation of a text from the standard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deviation {
    /// The rule that it breaks.
    pub rule: Leniency,
    /// The line of the file, from 1; `None` for a text without lines.
    pub line: Option<usize>,
    /// The text, shortened.
    pub text: String,
}

impl fmt::Display for Deviation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if !self.text.is_empty() {
            write!(f, "{:?} is ", self.text)?;
        }
        write!(f, "not standard: {}", self.rule)
    }
}

/// The deviations of one game or position: the first, and how many there are. Displayed, it is one warning.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Deviations {
    first: Option<Deviation>,
    count: usize,
    /// The line that is being read.
    line: Option<usize>,
}

impl Deviations {
    /// The first one in the order of the text.
    pub fn first(&self) -> Option<&Deviation> {
        self.first.as_ref()
    }

    /// The number of all of them.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns whether the text is standard.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Those that follow are in this line.
    pub fn at_line(&mut self, line: usize) -> &mut Self {
        self.line = Some(line);
        self
    }

    /// Notes that `text` was read by this rule.
    pub fn note(&mut self, rule: Leniency, text: &str) {
        self.add(Deviation { rule, line: self.line, text: excerpt(text) }, 1);
    }

    /// Adds those of another part of the same text.
    pub fn extend(&mut self, other: &Self) {
        if let Some(first) = &other.first {
            self.add(first.clone(), other.count);
        }
    }

    fn add(&mut self, deviation: Deviation, count: usize) {
        self.count += count;
        if self.first.as_ref().is_none_or(|first| deviation.line < first.line) {
            self.first = Some(deviation);
        }
    }
}

impl fmt::Display for Deviations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.first {
            None => f.write_str("standard"),
            Some(first) if self.count == 1 => first.fmt(f),
            Some(first) => write!(f, "{first} ({} more)", self.count - 1),
        }
    }
}

/// Reads `text` by `parse`, or else its standard form as `fold` makes it, which is then noted. The error is that of the
/// text itself.
pub(super) fn read_or_fold<T, E>(
    text: &str,
    deviations: &mut Deviations,
    parse: impl Fn(&str) -> Result<T, E>,
    fold: impl Fn(&str) -> Option<(String, Leniency)>,
) -> Result<T, E> {
    parse(text).or_else(|error| {
        let Some((folded, rule)) = fold(text) else { return Err(error) };
        let Ok(value) = parse(&folded) else { return Err(error) };
        deviations.note(rule, text);
        Ok(value)
    })
}

/// Characters of phones, word processors and East Asian keyboards as those of ASCII; `None` if there are none.
pub(super) fn plain(text: &str) -> Option<String> {
    if text.is_ascii() && !text.contains('`') {
        return None;
    }
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '‘' | '’' | '‚' | '‛' | '′' | 'ʹ' | 'ʼ' | '´' | '＇' | '`' => plain.push('\''),
            '“' | '”' | '„' | '‟' | '″' | 'ʺ' | '＂' => plain.push('"'),
            '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹣' => plain.push('-'),
            '‹' => plain.push('<'),
            '›' => plain.push('>'),
            '…' => plain.push_str("..."),
            c if is_invisible(c) => {}
            '！'..='～' => plain.extend(char::from_u32(c as u32 - 0xfee0)),
            c if c.is_whitespace() => plain.push(' '),
            c => plain.push(c),
        }
    }
    (plain != text).then_some(plain)
}

/// Characters without width, which copied text brings along.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}')
}

/// Returns whether a character separates words. Control characters do: some systems end a text with one.
pub(super) fn is_blank(c: char) -> bool {
    !c.is_ascii_graphic() && (c.is_whitespace() || c.is_control())
}
