//! Splits a PTN file into games, line by line, so that a file of any length takes the memory of one game.

use std::collections::VecDeque;

use super::results::standard_result;
use super::tag::{TagText, is_tag};
use super::{Deviations, Leniency, excerpt};

/// The text of one game of a PTN file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(hidden)]
pub struct GameText {
    /// The line of the file at which it begins, from 1.
    pub line: usize,
    /// Its lines.
    pub text: String,
    /// True if it was truncated to [`GameText::MAX_BYTES`].
    pub is_cut: bool,
    /// The deviations that lines and bounds show.
    pub deviations: Deviations,
}

impl GameText {
    /// The longest text of a game, in bytes.
    pub const MAX_BYTES: usize = 16 << 20;
}

impl From<String> for GameText {
    fn from(text: String) -> Self {
        Self { line: 1, text, is_cut: false, deviations: Deviations::default() }
    }
}

/// The lines of a text without their ends: a line feed, a carriage return, or any number of those before a line feed.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let chunks = text.split_inclusive('\n');
    chunks.flat_map(|chunk| chunk.trim_end_matches(['\r', '\n']).split('\r'))
}

/// Splits the lines of a file into games, see [`parse_games`](super::parse_games).
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct GameSplitter {
    /// Lines so far.
    lines: usize,
    /// The first line of the current game; `None` before the first line that is not blank.
    begin: Option<usize>,
    /// The text of the current game so far.
    text: String,
    is_cut: bool,
    /// The current section of tags: its first line and its start in `text`.
    section: Option<(usize, usize)>,
    board: Board,
    part: Part,
    /// True if a comment continues on the next line.
    in_comment: bool,
    /// The first line inside the current comment that is a tag, and its start in `text`. If unterminated comment,
    /// the next game begins there.
    hidden_tag: Option<(usize, usize)>,
    /// Non-standard lines of the current game.
    odd_lines: Vec<(usize, Leniency, String)>,
    complete: VecDeque<GameText>,
}

/// The section of tags that gave the board of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Board {
    /// Not so far.
    #[default]
    Nowhere,
    /// In the present section.
    Here,
    /// In an earlier section.
    Before,
}

/// The part of a game that has been reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Part {
    /// Only comments so far.
    #[default]
    Start,
    Tags,
    Moves,
}

impl GameSplitter {
    /// Takes the next line, with or without its end.
    pub fn push(&mut self, line: &str) {
        let line = line.trim_end_matches(['\r', '\n']);
        self.lines += 1;
        // Some editors put a byte order mark first, and it remains in joined files.
        let bare = line.trim_start_matches('\u{feff}');
        if bare.len() < line.len() && self.lines > 1 {
            self.note(self.lines, Leniency::ByteOrderMark, bare);
        }
        self.push_line(bare);
    }

    /// Takes the next line, which was not UTF-8.
    pub fn push_recoded(&mut self, line: &str) {
        self.note(self.lines + 1, Leniency::Encoding, line);
        self.push(line);
    }

    /// The next game that is complete.
    pub fn take(&mut self) -> Option<GameText> {
        self.complete.pop_front()
    }

    /// The end of the text: the last games are complete.
    pub fn finish(&mut self) {
        while let Some(place) = self.hidden_tag.take() {
            self.split_in_comment(place);
        }
        self.complete_game();
    }

    /// Takes a line whose number is counted already.
    fn push_line(&mut self, line: &str) {
        if self.text.len() + line.len() >= GameText::MAX_BYTES
            && let Some(place) = self.hidden_tag.take()
        {
            self.split_in_comment(place);
        }
        if !self.in_comment && line.trim_start().starts_with("```") {
            self.note(self.lines, Leniency::CodeFence, line);
            self.append_end();
            return;
        }
        if !self.in_comment && (is_escape(line) || line.trim().is_empty()) {
            if line.trim().is_empty() {
                self.end_section();
            }
            self.append(line);
            self.append_end();
            return;
        }
        if self.in_comment && TagText::is_whole_line(line) {
            self.hidden_tag.get_or_insert((self.lines, self.text.len()));
            self.append(line);
            self.append_end();
            return;
        }
        if line.trim().is_empty() {
            self.section = None;
        }
        if !self.in_comment && self.part == Part::Moves && begins_moves(line) && ends_with_result(&self.text) {
            self.split_before((self.lines, self.text.len()));
        }
        let (mut rest, mut attempts) = (line, 0);
        while !rest.is_empty() {
            let piece = Piece::of(rest, self.in_comment, rest.len() == line.len(), &mut attempts);
            if piece.opens_again
                && let Some(place) = self.hidden_tag.take()
            {
                // The comment was never closed.
                self.split_in_comment(place);
                self.push_line(line);
                return;
            }
            if piece.begins_tag {
                self.push_tag(rest, &piece, rest.len() < line.len());
            } else if piece.has_moves {
                self.part = Part::Moves;
            } else {
                self.end_section();
            }
            if self.in_comment
                && (!piece.in_comment || piece.closes)
                && let Some((number, offset)) = self.hidden_tag.take()
            {
                let tag = self.text[offset..].lines().next().unwrap_or_default().to_owned();
                self.note(number, Leniency::TagInComment, &tag);
            }
            self.in_comment = piece.in_comment;
            let (text, next) = rest.split_at(piece.length);
            self.append(text);
            rest = next;
        }
        self.append_end();
    }

    fn note(&mut self, line: usize, rule: Leniency, text: &str) {
        /// More are not counted, so that a text without end does not fill the memory.
        const MAX_LINES: usize = 1 << 16;
        if self.odd_lines.len() < MAX_LINES {
            self.odd_lines.push((line, rule, excerpt(text.trim())));
        }
    }

    fn append(&mut self, text: &str) {
        if self.begin.is_none() && !text.trim().is_empty() && !is_escape(text) {
            self.begin = Some(self.lines);
        }
        if self.begin.is_none() {
            return;
        }
        if self.text.len() + text.len() >= GameText::MAX_BYTES {
            self.is_cut = true;
        } else {
            self.text.push_str(text);
        }
    }

    fn append_end(&mut self) {
        if self.begin.is_some() && self.text.len() < GameText::MAX_BYTES {
            self.text.push('\n');
        }
    }

    /// After a comment, a tag that gives the board begins the next game; any other tag still belongs to this one.
    fn end_section(&mut self) {
        self.section = None;
        if self.board == Board::Here {
            self.board = Board::Before;
        }
    }

    /// Takes a part of a line that begins with tags.
    fn push_tag(&mut self, text: &str, piece: &Piece, is_joined: bool) {
        let in_moves = self.part == Part::Moves;
        if in_moves {
            self.section = None;
        }
        let place = (self.lines, self.text.len());
        let section = *self.section.get_or_insert(place);
        if in_moves || (piece.tells_board && self.board == Board::Before) {
            self.split_before(section);
            if is_joined {
                self.note(self.lines, Leniency::JoinedGames, text);
            }
        }
        if piece.tells_board {
            self.board = Board::Here;
        }
        self.part = if piece.has_moves { Part::Moves } else { Part::Tags };
        if piece.has_comment {
            self.end_section();
        }
    }

    /// Ends the current game before a section of tags, which belongs to the next one.
    fn split_before(&mut self, place: (usize, usize)) {
        self.text = self.split_at(place);
        self.begin = Some(place.0);
        self.section = Some((place.0, 0));
    }

    /// Ends the current game inside an unterminated comment. The lines from this place on are read again.
    fn split_in_comment(&mut self, place: (usize, usize)) {
        let last = self.lines;
        let rest = self.split_at(place);
        for (number, text) in (place.0..).zip(rest.lines()) {
            self.lines = number;
            self.push_line(text);
        }
        self.lines = last;
    }

    /// Ends the current game before a place. Returns the text from there on, whose odd lines stay.
    fn split_at(&mut self, (line, offset): (usize, usize)) -> String {
        let text = self.text.split_off(offset);
        let later = self.odd_lines.iter().position(|(number, ..)| *number >= line);
        let odd_lines = self.odd_lines.split_off(later.unwrap_or(self.odd_lines.len()));
        self.complete_game();
        let complete = std::mem::take(&mut self.complete);
        *self = Self { lines: self.lines, odd_lines, complete, ..Self::default() };
        text
    }

    fn complete_game(&mut self) {
        let Some(line) = self.begin.take() else { return };
        let mut deviations = Deviations::default();
        for (number, rule, text) in self.odd_lines.drain(..) {
            deviations.at_line(number).note(rule, &text);
        }
        let mut text = std::mem::take(&mut self.text);
        if !text.ends_with('\n') {
            text.push('\n');
        }
        self.complete.push_back(GameText { line, text, is_cut: self.is_cut, deviations });
    }
}

/// A part of a line that belongs to one game: up to the next tag that does not follow another.
#[derive(Debug, Default)]
// Each is a separate finding about the same text.
#[expect(clippy::struct_excessive_bools)]
struct Piece {
    length: usize,
    begins_tag: bool,
    /// True if one of its tags is in [`BOARD_TAGS`].
    tells_board: bool,
    /// True if it contains more than tags and comments.
    has_moves: bool,
    /// True if a comment begins after its tags.
    has_comment: bool,
    /// True if a comment continues after it.
    in_comment: bool,
    /// True if a comment begins inside the one that continues from before.
    opens_again: bool,
    /// True if the comment that continues from before is closed.
    closes: bool,
}

impl Piece {
    /// The first part of `text`, which begins in a comment or outside, and with the line or within. Counts the attempts
    /// to read a tag of that line that failed.
    fn of(text: &str, in_comment: bool, begins_line: bool, attempts: &mut usize) -> Self {
        let mut piece = Self { in_comment, ..Self::default() };
        let (mut at, mut is_first) = (0, true);
        while let Some(c) = text[at..].chars().next() {
            let rest = &text[at..];
            match c {
                '}' if piece.in_comment => {
                    piece.in_comment = false;
                    piece.closes = true;
                }
                '{' if piece.in_comment => piece.opens_again |= !piece.closes && in_comment,
                _ if piece.in_comment => {}
                '{' => {
                    piece.in_comment = true;
                    piece.has_comment |= piece.begins_tag;
                }
                ';' => {
                    piece.has_comment |= piece.begins_tag;
                    at = text.len();
                    break;
                }
                '[' | '［' => {
                    let tag = if *attempts < TagText::MAX_ATTEMPTS { TagText::read(rest) } else { None };
                    *attempts += usize::from(tag.is_none());
                    let is_begin = tag.is_some() || (begins_line && is_first);
                    let follows_tag = piece.begins_tag && !piece.has_moves && !piece.has_comment;
                    if is_begin && !is_first && !follows_tag {
                        break;
                    }
                    if is_begin {
                        piece.begins_tag = true;
                        piece.tells_board |=
                            tag.as_ref().is_some_and(|tag| BOARD_TAGS.iter().any(|name| is_tag(&tag.name, name)));
                        at += tag.map_or(rest.len(), |tag| tag.length);
                        is_first = false;
                        continue;
                    }
                    piece.has_moves = true;
                }
                c => piece.has_moves |= !c.is_whitespace(),
            }
            is_first &= c.is_whitespace();
            at += c.len_utf8();
        }
        piece.length = at;
        piece
    }
}

/// Every game has one of these.
const BOARD_TAGS: [&str; 2] = ["Size", "TPS"];

/// Returns whether a line is an escape line, as in PGN. Lines within comments are not.
pub(super) fn is_escape(line: &str) -> bool {
    line.starts_with('%')
}

/// Returns whether a line begins with White's first move of a game, rather than with a variation there.
fn begins_moves(line: &str) -> bool {
    let line = line.trim_start();
    let word = line.split_whitespace().next().unwrap_or_default();
    matches!(number_length(word), (2, None)) && word.starts_with("1.")
}

/// Returns whether a text ends with the result of a game, which may contain blanks.
fn ends_with_result(text: &str) -> bool {
    let line = text.trim_end().lines().next_back().unwrap_or_default();
    let words: Vec<&str> = line.split_whitespace().rev().take(3).collect();
    (1..=words.len()).any(|count| {
        let result: String = words[..count].iter().rev().copied().collect();
        standard_result(&result).is_some()
    })
}

/// The length of the move number that a word begins with, and the name of its variation: `12.`, `12...`, `12)`, a bare
/// `12`, and `2-1.` before `2.` in `2-1.2.`. Nothing is the number of `...`.
pub(super) fn number_length(word: &str) -> (usize, Option<&str>) {
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let end_of = |text: &str, is: &dyn Fn(char) -> bool| text.len() - text.trim_start_matches(is).len();
    // The last part is the number of the move; the parts before it number the variation, or the place in it.
    let (mut end, mut last, mut parts, mut is_variation) = (0, 0, 0, false);
    loop {
        let rest = &word[end..];
        let digits = end_of(rest, &is_digit);
        // `2-1.` is the first variation at move 2.
        let branch = rest[digits..].strip_prefix('-').map_or(0, |after| end_of(after, &is_digit));
        let length = if digits > 0 && branch > 0 { digits + 1 + branch } else { digits };
        let dots = end_of(&rest[length..], &|c| ".…．".contains(c));
        if dots == 0 || (digits == 0 && parts > 0) {
            break;
        }
        (last, end, parts, is_variation) = (end, end + length + dots, parts + 1, length > digits);
    }
    if parts > 0 {
        let name = (parts > 1).then(|| &word[..last]);
        return if is_variation { (0, None) } else { (end, name) };
    }
    match end_of(word, &is_digit) {
        0 => (0, None),
        digits if word.len() == digits => (digits, None),
        digits if word[digits..].starts_with([')', ':']) => (digits + 1, None),
        _ => (0, None),
    }
}
