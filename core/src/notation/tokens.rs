//! Splits PTN into tokens. The same ones decide where a game ends and what is in it.

use super::leniency::{is_blank, is_invisible};
use super::number::{Number, is_number};
use super::results::result_at;
use super::tag::TagText;
use super::{Leniency, line_start};

/// `$1` to `$6` of PGN.
const NUMBERED_MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Bytes of a line that are more than an excerpt shows.
const MAX_EXCERPT_BYTES: usize = 100;

/// A part of a PTN file, with its place.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub kind: Kind<'a>,
    pub text: &'a str,
    /// The first byte.
    pub at: usize,
    pub line: usize,
    /// True if only blanks come before it in its line.
    pub begins_line: bool,
    /// True if a blank line comes before it.
    pub after_blank_line: bool,
    /// The rule that it breaks.
    pub leniency: Option<Leniency>,
}

#[derive(Debug)]
pub(super) enum Kind<'a> {
    Tag(TagText),
    /// Text in brackets in the place of a tag.
    NoTag,
    Comment(&'a str),
    /// A comment that does not end in this text.
    OpenComment,
    Number(Number<'a>),
    /// A word that replaces a move.
    Placeholder,
    /// A move with its marks, or any other word.
    Move,
    /// Marks apart from their move; empty for a number without a mark in PTN.
    Marks(&'a str),
    /// A result in its standard form.
    Result(&'static str),
    /// The brackets of a variation.
    Open,
    Close,
    /// Blanks that are not standard, lines for other programs, and code fences.
    Skipped,
}

/// A kind, the length of the token in bytes, and the rule that it breaks.
type Read<'a> = (Kind<'a>, usize, Option<Leniency>);

/// What decides the meaning of the text that follows.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct State {
    pub in_comment: bool,
    /// True from the first word of the moves on. There only a line can begin with a tag that cannot be read.
    pub in_moves: bool,
    /// Brackets of variations that are open, and the line with the first of them.
    pub brackets: usize,
    pub bracket_line: usize,
}

/// The tokens of a text, which is a game or a single line.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    line: usize,
    state: State,
    begins_line: bool,
    after_blank_line: bool,
    /// Tags of this line that could not be read.
    failed_tags: usize,
}

impl<'a> Tokens<'a> {
    /// Those of a text that begins with this line of the file.
    pub fn new(text: &'a str, line: usize, state: State) -> Self {
        Self { text, at: 0, line, state, begins_line: true, after_blank_line: false, failed_tags: 0 }
    }

    pub fn state(&self) -> State {
        self.state
    }

    /// The line from a place on, as far as an excerpt needs it.
    pub fn line_from(&self, at: usize) -> &'a str {
        line_start(&self.text[at..], MAX_EXCERPT_BYTES)
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Moves on to the next text that is not blank.
    fn skip_blanks(&mut self) -> &'a str {
        let rest = self.rest();
        let blanks = rest.len() - rest.trim_start_matches(|c| is_blank(c) || is_invisible(c)).len();
        let text = &rest[..blanks];
        let line_ends = text.bytes().filter(|&byte| byte == b'\n').count();
        // The first line end ends a line that is not blank, unless this begins with a line.
        self.after_blank_line |= line_ends > usize::from(!self.is_line_start());
        self.step(blanks, line_ends);
        text
    }

    fn is_line_start(&self) -> bool {
        self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n'
    }

    fn step(&mut self, bytes: usize, line_ends: usize) {
        self.at += bytes;
        self.line += line_ends;
        if line_ends > 0 {
            (self.begins_line, self.failed_tags) = (true, 0);
        }
    }

    /// Reads the token at this place, with its length and the rule that it breaks.
    fn read(&mut self) -> Read<'a> {
        let rest = self.rest();
        match rest.as_bytes()[0] {
            b'%' if self.is_line_start() => (Kind::Skipped, line_length(rest), Some(Leniency::EscapeLine)),
            b'`' if self.begins_line && rest.starts_with("```") => {
                (Kind::Skipped, line_length(rest), Some(Leniency::CodeFence))
            }
            b'{' => self.comment(&rest[1..], 1),
            b';' => {
                let length = line_length(rest);
                let text = rest[..length].trim_matches(|c: char| c == ';' || is_blank(c));
                let kind = if text.is_empty() { Kind::Skipped } else { Kind::Comment(text) };
                (kind, length, Some(Leniency::LineComment))
            }
            b'(' => {
                let is_first = self.state.brackets == 0;
                let bracket_line = if is_first { self.line } else { self.state.bracket_line };
                self.state = State { in_moves: true, brackets: self.state.brackets + 1, bracket_line, ..self.state };
                (Kind::Open, 1, is_first.then_some(Leniency::Variation))
            }
            b')' if self.state.brackets > 0 => {
                self.state.brackets -= 1;
                (Kind::Close, 1, None)
            }
            _ => self.tag(rest).unwrap_or_else(|| {
                self.state.in_moves = true;
                self.word(rest)
            }),
        }
    }

    /// The rest of a comment, whose mark at its beginning has some bytes.
    fn comment(&mut self, text: &'a str, mark: usize) -> Read<'a> {
        let end = text.find('}');
        self.state.in_comment = end.is_none();
        match end {
            Some(end) => (Kind::Comment(&text[..end]), mark + end + 1, None),
            None => (Kind::OpenComment, mark + text.len(), None),
        }
    }

    /// The tag that a text begins with. Among tags all text in brackets is in the place of one.
    fn tag(&mut self, text: &'a str) -> Option<Read<'a>> {
        if !text.starts_with(['[', '［']) {
            return None;
        }
        let is_place = self.begins_line || !self.state.in_moves;
        let may_read = self.failed_tags < TagText::MAX_ATTEMPTS;
        let tag = Some(text).filter(|_| may_read).and_then(TagText::read);
        if let Some(tag) = tag.or_else(|| TagText::read_unknown(text).filter(|_| is_place && may_read)) {
            self.state = State::default();
            let (length, is_standard) = (tag.length, tag.is_standard);
            return Some((Kind::Tag(tag), length, (!is_standard).then_some(Leniency::TagForm)));
        }
        self.failed_tags += 1;
        is_place.then(|| {
            self.state = State::default();
            let line = &text[..line_length(text)];
            let close = line.find(']').map(|at| at + 1);
            let next = |from| line.match_indices('[').map(|(at, _)| at).find(|&at| at >= from);
            let end = close.filter(|&end| ends_tag(&line[end..])).or_else(|| next(close.unwrap_or(1)));
            let end = end.filter(|_| may_read);
            (Kind::NoTag, end.unwrap_or(line.len()), Some(Leniency::TagSkipped))
        })
    }

    /// A word, or a result, which may contain blanks.
    fn word(&mut self, text: &'a str) -> Read<'a> {
        // Most words are moves.
        let is_move = matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8', ..] | [b'S' | b'C', b'a'..=b'h', ..]);
        let in_brackets = self.state.brackets > 0;
        let ends = |c| match c {
            '{' | ';' | '(' | '$' | '[' | '［' | '\u{feff}' => true,
            ')' => in_brackets,
            _ => is_blank(c),
        };
        if !is_move && let Some((length, result, is_standard)) = result_at(text, ends) {
            return (Kind::Result(result), length, (!is_standard).then_some(Leniency::ResultForm));
        }
        // Its first character is part of it in any case, and so are brackets in which no tag can be read.
        let mut end = 0;
        loop {
            end += text[end..].chars().next().map_or(0, char::len_utf8);
            end += text[end..].find(ends).unwrap_or(text.len() - end);
            if !text[end..].starts_with(['[', '［']) || self.is_tag(&text[end..]) {
                return kind_of_word(&text[..end], is_move);
            }
        }
    }

    /// Returns whether a text begins with a tag that can be read.
    fn is_tag(&mut self, text: &str) -> bool {
        let is_tag = self.failed_tags < TagText::MAX_ATTEMPTS && TagText::read(text).is_some();
        self.failed_tags += usize::from(!is_tag);
        is_tag
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let (begin, line) = (self.at, self.line);
        let blanks = if self.state.in_comment { "" } else { self.skip_blanks() };
        if let Some(odd) = blanks.find(|c: char| !c.is_ascii() || (c.is_control() && !c.is_whitespace())) {
            let text = blanks.trim_matches(|c: char| c.is_ascii_whitespace());
            let rule = if blanks.is_ascii() { Leniency::ControlCharacter } else { Leniency::Typography };
            return Some(Token {
                kind: Kind::Skipped,
                text,
                at: begin + odd,
                line: line + blanks[..odd].matches('\n').count(),
                begins_line: false,
                after_blank_line: false,
                leniency: Some(rule),
            });
        }
        if self.rest().is_empty() {
            return None;
        }
        let (at, line, begins_line) = (self.at, self.line, self.begins_line);
        let (kind, length, leniency) = if self.state.in_comment { self.comment(self.rest(), 0) } else { self.read() };
        let text = &self.text[at..at + length];
        let is_comment = matches!(kind, Kind::Comment(_) | Kind::OpenComment);
        self.step(length, if is_comment { text.matches('\n').count() } else { 0 });
        self.begins_line = false;
        let after_blank_line = self.after_blank_line;
        self.after_blank_line &= matches!(kind, Kind::Skipped);
        Some(Token { kind, text, at, line, begins_line, after_blank_line, leniency })
    }
}

/// The kind of a word, with the length of a move number in it, or of all of it.
fn kind_of_word(word: &str, is_move: bool) -> Read<'_> {
    let whole = |kind, rule| (kind, word.len(), rule);
    if is_move {
        return whole(Kind::Move, None);
    }
    if let Some(number) = Number::read(word) {
        let rule = (!number.is_standard()).then_some(Leniency::MoveNumber);
        return (Kind::Number(number), number.length, rule);
    }
    if is_placeholder(word) {
        return whole(Kind::Placeholder, None);
    }
    if word.chars().all(|c| "'\"!?".contains(c)) {
        return whole(Kind::Marks(word), Some(Leniency::LooseMark));
    }
    if let Some(digits) = word.strip_prefix('$').filter(|digits| is_number(digits)) {
        let number = digits.parse::<usize>().unwrap_or(usize::MAX);
        let marks = NUMBERED_MARKS.get(number.wrapping_sub(1)).copied().unwrap_or_default();
        return whole(Kind::Marks(marks), Some(Leniency::NumberedMark));
    }
    whole(Kind::Move, None)
}

/// Returns whether a text in brackets ends before the rest of its line: that is blank, or it begins with a tag, a comment
/// or a move number. Any other rest is a part of it.
fn ends_tag(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c| is_blank(c) || is_invisible(c));
    rest.is_empty()
        || rest.starts_with(['[', '［', '{', ';', '('])
        || Number::read(line_start(rest, MAX_EXCERPT_BYTES))
            .is_some_and(|number| number.value.is_some() && number.has_dots())
}

/// Returns whether a word replaces a move: `--`, or `load` for the board of the TPS tag.
fn is_placeholder(word: &str) -> bool {
    word.chars().all(|c| "-‐‑‒–—―−".contains(c)) || word.eq_ignore_ascii_case("load")
}

/// In bytes, without the line end.
fn line_length(text: &str) -> usize {
    text.find('\n').unwrap_or(text.len())
}
