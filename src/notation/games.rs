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

/// The lines of a text without their ends: a line feed, a carriage return, or any number of those before a line feed.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let chunks = text.split_inclusive('\n');
    chunks.flat_map(|chunk| chunk.trim_end_matches(['\r', '\n']).split('\r'))
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
    /// Whether a comment goes on in the next line.
    in_comment: bool,
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
    /// Nothing but comments.
    #[default]
    Start,
    Tags,
    Moves,
}

impl GameSplitter {
    /// Takes the next line, with or without its end. If it begins another game, the one before is complete.
    pub fn push(&mut self, line: &str) -> Option<GameText> {
        self.lines += 1;
        // Editors on some systems put a byte order mark first, and it stays there where files are joined.
        let line = line.trim_end_matches(['\r', '\n']);
        let line = line.trim_start_matches('\u{feff}');
        let bare = line.trim();
        let begins_tag = if self.in_comment { is_whole_tag(bare) } else { bare.starts_with('[') };
        let mut complete = None;
        if begins_tag {
            complete = self.push_tag(bare);
        } else if bare.is_empty() {
            self.section = None;
            if self.board == Board::Here {
                self.board = Board::Before;
            }
        } else if self.in_comment || !(is_escape(line) || bare.starts_with(';')) {
            let (has_moves, in_comment) = beside_comments(bare, self.in_comment);
            // A comment after the tags is where the moves should be; before them it is about what follows.
            if has_moves || self.part != Part::Start {
                self.part = Part::Moves;
            }
            self.in_comment = in_comment;
        }
        if self.begin.is_none() && !bare.is_empty() && !is_escape(line) {
            self.begin = Some(self.lines);
        }
        if self.begin.is_some() {
            if self.text.len() + line.len() >= GameText::LONGEST {
                self.is_cut = true;
            } else {
                self.text.push_str(line);
                self.text.push('\n');
            }
        }
        complete
    }

    /// Takes a line that begins with a tag.
    fn push_tag(&mut self, bare: &str) -> Option<GameText> {
        let tells_board = BOARD_TAGS.iter().any(|name| is_tag(tag_name(bare), name));
        let in_moves = self.in_comment || self.part == Part::Moves;
        if in_moves {
            self.section = None;
        }
        let place = (self.lines, self.text.len());
        let section = *self.section.get_or_insert(place);
        let complete =
            if in_moves || (tells_board && self.board == Board::Before) { self.split_before(section) } else { None };
        if tells_board {
            self.board = Board::Here;
        }
        self.part = if bare.ends_with(']') { Part::Tags } else { Part::Moves };
        complete
    }

    /// The last game.
    pub fn finish(self) -> Option<GameText> {
        Some(GameText { line: self.begin?, text: self.text, is_cut: self.is_cut })
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

/// Whether a line is one that programs keep for themselves, as in PGN. Within a comment it is none.
pub(super) fn is_escape(line: &str) -> bool {
    line.starts_with('%')
}

/// Whether something stands in a line beside comments, and whether one goes on in the next line. `in_comment` if one goes
/// on from the line before.
fn beside_comments(line: &str, mut in_comment: bool) -> (bool, bool) {
    let mut has_more = false;
    for c in line.chars() {
        match c {
            '}' if in_comment => in_comment = false,
            '{' => in_comment = true,
            ';' if !in_comment => break,
            c => has_more |= !in_comment && !c.is_whitespace(),
        }
    }
    (has_more, in_comment)
}

fn tag_name(line: &str) -> &str {
    let inside = line.trim_start_matches('[').trim_start();
    let end = inside.find(|c: char| !c.is_ascii_alphanumeric());
    &inside[..end.unwrap_or(inside.len())]
}

fn is_whole_tag(line: &str) -> bool {
    let rest = line.strip_prefix('[').and_then(|rest| rest.strip_prefix(tag_name(line))).map(str::trim_start);
    !tag_name(line).is_empty() && rest.is_some_and(|r| r.starts_with('"') && r.ends_with("\"]"))
}
