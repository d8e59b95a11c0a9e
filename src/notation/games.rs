//! Where one game of a PTN file ends and the next begins, told line by line, so that a file of any length takes the
//! memory of one game.

/// The text of one game of a PTN file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameText {
    /// The line of the file where it begins, from 1.
    pub line: usize,
    /// Its lines.
    pub text: String,
    /// Whether lines are left out at its end, because it is longer than [`GameText::LONGEST`].
    pub is_cut: bool,
}

impl GameText {
    /// The longest text of a game, in bytes.
    pub const LONGEST: usize = 16 << 20;
}

/// Takes the lines of a file and gives its games, see [`parse_games`](super::parse_games).
#[derive(Debug, Default)]
pub(crate) struct GameSplitter {
    /// Lines so far.
    lines: usize,
    /// The line where the present game begins; `None` before the first line that is not blank.
    begin: Option<usize>,
    /// What there is of the present game.
    text: String,
    is_cut: bool,
    /// The present section of tags: its first line and where it begins in `text`.
    section: Option<(usize, usize)>,
    board: Board,
    part: Part,
}

/// Where the tags of a game gave its board.
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
    #[default]
    Tags,
    Moves,
    /// A comment that goes on in the next line.
    Comment,
}

impl GameSplitter {
    /// Takes the next line, with or without its end. If it begins another game, the one before is complete.
    pub fn push(&mut self, line: &str) -> Option<GameText> {
        self.lines += 1;
        let bare = line.trim();
        let begins_tag = if self.part == Part::Comment {
            is_whole_tag(bare)
        } else {
            bare.starts_with('[')
        };
        let mut complete = None;
        if begins_tag {
            let tells_board = BOARD_TAGS.iter().any(|name| is_tag(tag_name(bare), name));
            if self.part != Part::Tags {
                self.section = None;
            }
            let place = (self.lines, self.text.len());
            let section = *self.section.get_or_insert(place);
            if self.part != Part::Tags || (tells_board && self.board == Board::Before) {
                complete = self.split_before(section);
            }
            if tells_board {
                self.board = Board::Here;
            }
            if !bare.ends_with(']') {
                self.part = Part::Moves;
            }
        } else if bare.is_empty() {
            self.section = None;
            if self.board == Board::Here {
                self.board = Board::Before;
            }
        } else {
            // Comments do not nest, so the last brace tells.
            self.part = match bare.rfind(['{', '}']) {
                Some(last) if bare[last..].starts_with('{') => Part::Comment,
                None if self.part == Part::Comment => Part::Comment,
                _ => Part::Moves,
            };
        }
        if self.begin.is_none() && !bare.is_empty() {
            self.begin = Some(self.lines);
        }
        if self.begin.is_some() {
            if self.text.len() + line.len() > GameText::LONGEST {
                self.is_cut = true;
            } else {
                self.text.push_str(line);
            }
        }
        complete
    }

    /// The last game.
    pub fn finish(self) -> Option<GameText> {
        Some(GameText {
            line: self.begin?,
            text: self.text,
            is_cut: self.is_cut,
        })
    }

    /// The present game, which ends where a section of tags begins: that is the next one's.
    fn split_before(&mut self, (line, offset): (usize, usize)) -> Option<GameText> {
        let next = Self {
            lines: self.lines,
            begin: Some(line),
            text: self.text.split_off(offset),
            section: Some((line, 0)),
            ..Self::default()
        };
        std::mem::replace(self, next).finish()
    }
}

/// Every game has one of these.
const BOARD_TAGS: [&str; 2] = ["Size", "TPS"];

/// Whether a tag has this name; upper and lower case are the same.
pub(super) fn is_tag(tag: &str, name: &str) -> bool {
    tag.eq_ignore_ascii_case(name)
}

fn tag_name(line: &str) -> &str {
    let inside = line.trim_start_matches('[').trim_start();
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric());
    &inside[..end.unwrap_or(inside.len())]
}

fn is_whole_tag(line: &str) -> bool {
    let rest = line
        .strip_prefix('[')
        .and_then(|rest| rest.strip_prefix(tag_name(line)))
        .map(str::trim_start);
    !tag_name(line).is_empty() && rest.is_some_and(|r| r.starts_with('"') && r.ends_with("\"]"))
}
