//! Splits a PTN file into games, line by line, so that a file of any length takes the memory of one game.

use std::collections::VecDeque;

use super::tag::{TagText, is_tag};
use super::tokens::{Kind, State, Token, Tokens};
use super::{Deviations, Leniency, excerpt};

/// The text of one game of a PTN file.
#[derive(Debug, Clone, PartialEq, Eq)]
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

/// Splits the lines of a file into games, see [`parse_games`](super::parse_games).
#[derive(Debug, Default)]
pub struct GameSplitter {
    lines: usize,
    /// The first line of the current game; `None` before its first token.
    begin: Option<usize>,
    /// The text of the current game so far.
    text: String,
    is_cut: bool,
    /// The state of the tokens after it.
    state: State,
    /// True if moves, or anything else but tags and comments, have begun.
    has_moves: bool,
    /// True if a result is its last token.
    ends_with_result: bool,
    /// The current section of tags.
    section: Option<Place>,
    board: Board,
    /// The first line inside the current comment that is a tag. If the comment never ends, the next game begins there.
    hidden_tag: Option<Place>,
    /// Non-standard lines of the current game.
    odd_lines: Vec<(usize, Leniency, String)>,
    complete: VecDeque<GameText>,
}

/// A place in the current game.
#[derive(Debug, Clone, Copy)]
struct Place {
    line: usize,
    /// In its text, in bytes.
    offset: usize,
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

/// Every game has one of these.
const BOARD_TAGS: [&str; 2] = ["Size", "TPS"];

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
        let is_tag = self.state.in_comment && TagText::is_whole_line(bare);
        if let Some(hidden) = self.hidden_tag
            && (self.text.len() + bare.len() >= GameText::MAX_BYTES || (!is_tag && opens_again(bare)))
        {
            self.split_in_comment(hidden);
        }
        if is_tag && self.state.in_comment {
            self.hidden_tag.get_or_insert(Place { line: self.lines, offset: self.text.len() });
            self.append(bare);
            self.append_end();
        } else {
            self.read_line(bare);
        }
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
        if let Some(hidden) = self.hidden_tag {
            self.split_in_comment(hidden);
        }
        self.complete_game();
    }

    /// The end of the current text, in the current line.
    fn place(&self) -> Place {
        Place { line: self.lines, offset: self.text.len() }
    }

    /// Adds the next line to the current game, or to the games that end and begin in it.
    fn read_line(&mut self, line: &str) {
        if self.ends_with_result && begins_moves(line) {
            self.split(self.place());
        }
        if !self.state.in_comment && line.trim().is_empty() {
            self.end_section();
        }
        let mut tokens = Tokens::new(line, self.lines, self.state);
        let (mut added, mut is_joined) = (0, false);
        // What comes before a game is not a part of its text.
        let mut before = Vec::new();
        for token in tokens.by_ref() {
            let tells_board = match &token.kind {
                Kind::Skipped => {
                    let rule = token.leniency.filter(|_| self.begin.is_none());
                    before.extend(rule.map(|rule| (rule, token.text)));
                    continue;
                }
                Kind::Tag(tag) => BOARD_TAGS.iter().any(|name| is_tag(&tag.name, name)),
                Kind::NoTag => false,
                _ => {
                    self.take_token(&token);
                    continue;
                }
            };
            let section = self.section.filter(|_| !self.has_moves).unwrap_or_else(|| {
                self.append(&line[added..token.at]);
                self.note_before(&mut before);
                (added, is_joined) = (token.at, !token.begins_line);
                self.place()
            });
            self.section = Some(section);
            if self.has_moves || (tells_board && self.board == Board::Before) {
                self.split(section);
                self.section = Some(Place { offset: 0, ..section });
                if is_joined {
                    self.note(self.lines, Leniency::JoinedGames, &line[added..]);
                }
            }
            if tells_board {
                self.board = Board::Here;
            }
            self.begin.get_or_insert(section.line);
            self.ends_with_result = false;
        }
        self.state = tokens.state();
        if self.begin.is_none() {
            self.note_before(&mut before);
        }
        self.append(&line[added..]);
        self.append_end();
    }

    /// Takes a token other than a tag.
    fn take_token(&mut self, token: &Token) {
        self.begin.get_or_insert(self.lines);
        self.ends_with_result = matches!(token.kind, Kind::Result(_));
        if let Kind::Comment(_) | Kind::OpenComment = token.kind {
            self.end_section();
            if let Kind::Comment(_) = token.kind
                && let Some(Place { line, offset }) = self.hidden_tag.take()
            {
                let tag = self.text[offset..].lines().next().unwrap_or_default().to_owned();
                self.note(line, Leniency::TagInComment, &tag);
            }
        } else {
            self.has_moves = true;
        }
    }

    /// Notes what was skipped before the current game in its first line, or in a line before it.
    fn note_before(&mut self, skipped: &mut Vec<(Leniency, &str)>) {
        for (rule, text) in skipped.drain(..) {
            self.note(self.lines, rule, text);
        }
    }

    fn note(&mut self, line: usize, rule: Leniency, text: &str) {
        /// More are not counted, so that a text without end does not fill the memory.
        const MAX_LINES: usize = 1 << 16;
        if self.odd_lines.len() < MAX_LINES {
            self.odd_lines.push((line, rule, excerpt(text.trim())));
        }
    }

    /// Adds a part of a line, if the game has begun.
    fn append(&mut self, text: &str) {
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

    /// After a comment or a blank line, a tag that gives the board begins the next game; any other tag still belongs to
    /// this one.
    fn end_section(&mut self) {
        self.section = None;
        if self.board == Board::Here {
            self.board = Board::Before;
        }
    }

    /// Ends the current game inside an unterminated comment. The lines from this place on are read again.
    fn split_in_comment(&mut self, hidden: Place) {
        let last = self.lines;
        self.split(hidden);
        let again = std::mem::take(&mut self.text);
        for (number, line) in (hidden.line..).zip(again.lines()) {
            self.lines = number;
            self.read_line(line);
        }
        self.lines = last;
    }

    /// Ends the current game. The text from a place on belongs to the next one, and odd lines stay.
    fn split(&mut self, place: Place) {
        let text = self.text.split_off(place.offset);
        let later = self.odd_lines.iter().position(|(number, ..)| *number >= place.line);
        let odd_lines = self.odd_lines.split_off(later.unwrap_or(self.odd_lines.len()));
        self.complete_game();
        let complete = std::mem::take(&mut self.complete);
        *self = Self { lines: self.lines, text, odd_lines, complete, ..Self::default() };
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

/// Returns whether a comment that goes on in a line has another `{` before its end.
fn opens_again(line: &str) -> bool {
    line.find(['{', '}']).is_some_and(|at| line[at..].starts_with('{'))
}

/// Returns whether a line begins with White's first move of a game, rather than with a variation there.
fn begins_moves(line: &str) -> bool {
    let first = Tokens::new(line, 1, State::default()).find(|token| !matches!(token.kind, Kind::Skipped));
    first.is_some_and(|first| matches!(first.kind, Kind::Number(_)) && first.text == "1.")
}
