//! PTN files: any number of games, each with tags, moves, comments and a result.
//!
//! A malformed game costs only itself: the games after it are read all the same.

use std::fmt;

use super::opening::format_first_move;
use super::results::is_result;
use super::{
    KomiTextError, MoveTextError, OpeningTextError, SetupTextError, excerpt, parse_first_move,
    parse_move,
};
use crate::board::{Color, Komi, Move, OpeningRule, Reserve, Setup, Size, SizeError};

/// One game of a PTN file.
///
/// ```
/// use tak_engine::notation::{PtnGame, parse_games};
///
/// let games: Result<Vec<PtnGame>, _> = parse_games("[Size \"5\"]\n\n1. a1 e5 2. Cc3 {centre} b2 *").collect();
/// let game = &games?[0];
/// assert_eq!(game.tag("Size"), Some("5"));
/// assert_eq!(game.moves.len(), 4);
/// assert_eq!(parse_games(&game.to_string()).next(), Some(Ok(game.clone())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtnGame {
    /// Names and values of the tags, in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The first position, from the tags `Size`, `TPS`, `Komi`, `Opening`, `Flats` and `Caps`. Not checked to be
    /// playable.
    pub start: Setup,
    /// The moves, not checked to be legal.
    pub moves: Vec<PtnMove>,
    /// The result that ends the moves, `*` included. The `Result` tag is among the tags.
    pub result: Option<String>,
}

/// A move of a PTN file.
///
/// ```
/// use tak_engine::notation::parse_games;
///
/// let game = parse_games("[Size \"5\"]\n1. a1 e5 2. Cc3 {centre} b2").next().unwrap()?;
/// assert_eq!(game.moves[2].mv, "Cc3".parse()?);
/// assert_eq!(game.moves[2].comment.as_deref(), Some("centre"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtnMove {
    /// The move.
    pub mv: Move,
    /// What the comments after it say; several are joined by a blank.
    pub comment: Option<String>,
}

/// What is wrong with a game of a PTN file, and in which line.
///
/// ```
/// use tak_engine::notation::parse_games;
///
/// // The second game is read although the first is not one.
/// let text = "[Size \"5\"]\n1. a1 z9\n[Size \"5\"]\n1. a1 e5";
/// let games: Vec<_> = parse_games(text).collect();
/// assert_eq!(games[0].as_ref().unwrap_err().line, 2);
/// assert_eq!(games[1].as_ref().unwrap().moves.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct PtnTextError {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong.
    #[source]
    pub fault: PtnFault,
}

/// What can be wrong with a game of a PTN file.
///
/// ```
/// use tak_engine::notation::{PtnFault, parse_games};
///
/// let error = parse_games("[Event \"none\"]\n1. a1").next().unwrap().unwrap_err();
/// assert_eq!(error.fault, PtnFault::NoSize);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PtnFault {
    /// Not `[Name "value"]`.
    #[error("malformed tag, expected [Name \"value\"]")]
    Tag,
    /// Neither a size nor a position.
    #[error("the game has neither a Size nor a TPS tag")]
    NoSize,
    /// A tag whose value should be a number.
    #[error("tag {name} is {value:?}, expected a whole number")]
    Number {
        /// The tag.
        name: &'static str,
        /// Its value.
        value: String,
    },
    /// A tag that is given twice and means another start each time.
    #[error("tag {name} is there twice, as {first:?} and as {second:?}")]
    Contradiction {
        /// The tag.
        name: &'static str,
        /// Its value at first.
        first: String,
        /// Its value here.
        second: String,
    },
    /// A board that is too small or too large.
    #[error("tag Size: {0}")]
    Size(#[from] SizeError),
    /// A position that cannot be read.
    #[error("tag TPS: {0}")]
    Tps(#[from] SetupTextError),
    /// A position for another board than the `Size` tag's.
    #[error("tag Size is {size}, but the TPS is {tps}x{tps}")]
    SizeAndTps {
        /// From `Size`.
        size: Size,
        /// From `TPS`.
        tps: Size,
    },
    /// A komi that cannot be read.
    #[error("tag Komi: {0}")]
    Komi(#[from] KomiTextError),
    /// First turns that are not known.
    #[error("tag Opening: {0}")]
    Opening(#[from] OpeningTextError),
    /// A move that cannot be read.
    #[error(transparent)]
    Move(#[from] MoveTextError),
    /// A `{` without its `}`.
    #[error("the comment is never closed")]
    OpenComment,
    /// A `--` other than in place of White's move where Black begins.
    #[error("-- stands where {0} has to move")]
    Placeholder(Color),
    /// Moves after the result.
    #[error("{0:?} comes after the result")]
    AfterResult(String),
}

/// Reads the games of a PTN file one after the other; a malformed game is an error in its place.
///
/// A game is a section of tags followed by moves; a line that begins with `[` after moves begins the next game. In a
/// game without moves a blank line does so too, if the tags after it give the board again. Tags of any name may be
/// repeated. Inside a comment only a complete tag line begins a game, so that a comment never closed spoils one game
/// only. Move numbers are skipped unread, and so are comments before the first move.
pub fn parse_games(text: &str) -> impl Iterator<Item = Result<PtnGame, PtnTextError>> + '_ {
    // Editors on some systems put a byte order mark first.
    split_games(text.trim_start_matches('\u{feff}'))
        .into_iter()
        .map(|(line, game)| Parser { rest: game, line }.game())
}

/// The text of each game with the number of its first line.
fn split_games(text: &str) -> Vec<(usize, &str)> {
    let mut games = Vec::new();
    // Places are a line number and the bytes before it.
    let mut current: Option<(usize, usize)> = None;
    let mut section: Option<(usize, usize)> = None;
    // Whether tags gave the board, in an earlier section of this game and in the present one.
    let (mut has_board, mut board_here) = (false, false);
    let (mut in_moves, mut in_comment) = (false, false);
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let place = (index + 1, offset);
        let bare = line.trim();
        let begins_tag = if in_comment {
            is_whole_tag(bare)
        } else {
            bare.starts_with('[')
        };
        if begins_tag {
            let tells_board = BOARD_TAGS.iter().any(|name| is_tag(tag_name(bare), name));
            if in_moves {
                section = None;
            }
            let begin = *section.get_or_insert(place);
            if in_moves || (tells_board && has_board) {
                games.extend(current.map(|(line, start)| (line, &text[start..begin.1])));
                current = Some(begin);
                (has_board, board_here, in_moves) = (false, false, false);
            }
            board_here |= tells_board;
            in_comment = false;
            in_moves |= !bare.ends_with(']');
        } else if bare.is_empty() {
            section = None;
            has_board |= board_here;
            board_here = false;
        } else {
            in_moves = true;
            // Comments do not nest, so the last brace tells.
            in_comment = match bare.rfind(['{', '}']) {
                Some(last) => bare[last..].starts_with('{'),
                None => in_comment,
            };
        }
        if current.is_none() && !bare.is_empty() {
            current = Some(place);
        }
        offset += line.len();
    }
    games.extend(current.map(|(line, start)| (line, &text[start..])));
    games
}

/// Every game has one of these.
const BOARD_TAGS: [&str; 2] = ["Size", "TPS"];

/// Whether a tag has this name; upper and lower case are the same.
fn is_tag(tag: &str, name: &str) -> bool {
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

/// What is left to read of one game, and the line where that begins.
struct Parser<'a> {
    rest: &'a str,
    line: usize,
}

impl Parser<'_> {
    fn game(mut self) -> Result<PtnGame, PtnTextError> {
        let first_line = self.line;
        let mut tags = Vec::new();
        let mut tag_lines = Vec::new();
        self.skip_blanks();
        while self.rest.starts_with('[') {
            tag_lines.push(self.line);
            tags.push(self.tag()?);
            self.skip_blanks();
        }
        let start = start_of(&tags).map_err(|(tag, fault)| PtnTextError {
            line: tag.map_or(first_line, |index| tag_lines[index]),
            fault,
        })?;
        let (moves, result) = self.moves(&start)?;
        Ok(PtnGame {
            tags,
            start,
            moves,
            result,
        })
    }

    fn error<T>(&self, fault: impl Into<PtnFault>) -> Result<T, PtnTextError> {
        Err(PtnTextError {
            line: self.line,
            fault: fault.into(),
        })
    }

    /// Moves on by `bytes`.
    fn skip(&mut self, bytes: usize) {
        let (read, rest) = self.rest.split_at(bytes);
        self.line += read.matches('\n').count();
        self.rest = rest;
    }

    fn skip_blanks(&mut self) {
        self.skip(self.rest.len() - self.rest.trim_start().len());
    }

    /// `[Name "value"]`, in which `\` makes the next character of the value stand for itself.
    fn tag(&mut self) -> Result<(String, String), PtnTextError> {
        let inside = self.rest.trim_start_matches('[');
        let name_end = inside.find(['"', '\n', ']']);
        let Some((name, quoted)) = name_end
            .map(|end| inside.split_at(end))
            .filter(|(name, quoted)| !name.trim().is_empty() && quoted.starts_with('"'))
        else {
            return self.error(PtnFault::Tag);
        };
        let mut value = String::new();
        let mut chars = quoted[1..].chars();
        loop {
            match chars.next() {
                Some('"') => break,
                Some('\\') => value.extend(chars.next()),
                Some(c) if c != '\n' => value.push(c),
                _ => return self.error(PtnFault::Tag),
            }
        }
        let after = chars.as_str().trim_start();
        if !after.starts_with(']') {
            return self.error(PtnFault::Tag);
        }
        let tag = (name.trim().to_owned(), value);
        self.skip(self.rest.len() - after.len() + 1);
        Ok(tag)
    }

    fn moves(&mut self, start: &Setup) -> Result<(Vec<PtnMove>, Option<String>), PtnTextError> {
        let mut moves: Vec<PtnMove> = Vec::new();
        let mut result = None;
        loop {
            self.skip_blanks();
            if self.rest.is_empty() {
                return Ok((moves, result));
            }
            if self.rest.starts_with('{') {
                self.comment(moves.last_mut())?;
                continue;
            }
            let end = self
                .rest
                .find(|c: char| c.is_whitespace() || c == '{')
                .unwrap_or(self.rest.len());
            let word = without_move_number(&self.rest[..end]);
            if word == "--" {
                if !moves.is_empty() || start.to_move == Color::White {
                    let black_next = (moves.len() + start.to_move.index()) % 2 == 1;
                    let next = Color::from_bit(u8::from(black_next));
                    return self.error(PtnFault::Placeholder(next));
                }
            } else if !word.is_empty() {
                if result.is_some() {
                    return self.error(PtnFault::AfterResult(excerpt(word)));
                }
                if is_result(word) {
                    result = Some(word.to_owned());
                } else {
                    let mv = if moves.is_empty() {
                        parse_first_move(word, start)
                    } else {
                        parse_move(word, start.size)
                    };
                    match mv {
                        Ok(mv) => moves.push(PtnMove { mv, comment: None }),
                        Err(error) => return self.error(error),
                    }
                }
            }
            self.skip(end);
        }
    }

    /// `{...}`, added to the move it follows.
    fn comment(&mut self, last: Option<&mut PtnMove>) -> Result<(), PtnTextError> {
        let Some(end) = self.rest.find('}') else {
            return self.error(PtnFault::OpenComment);
        };
        if let Some(last) = last {
            let text = &self.rest[1..end];
            match &mut last.comment {
                Some(before) => {
                    before.push(' ');
                    before.push_str(text);
                }
                none => *none = Some(text.to_owned()),
            }
        }
        self.skip(end + 1);
        Ok(())
    }
}

/// `12.a1` and `12...a1` without the number; nothing is left of `12.` and `...`.
fn without_move_number(word: &str) -> &str {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.starts_with('.') {
        digits.trim_start_matches('.')
    } else {
        word
    }
}

/// The position that the tags describe; an error comes with the index of the tag at fault.
fn start_of(tags: &[(String, String)]) -> Result<Setup, (Option<usize>, PtnFault)> {
    let find = |name: &str| tags.iter().position(|(tag, _)| is_tag(tag, name));
    let value = |index: usize| tags[index].1.trim();
    let firsts = START_TAGS.map(|name| (name, find(name)));
    for (index, (tag, _)) in tags.iter().enumerate() {
        let first = firsts.iter().find(|(name, _)| is_tag(tag, name));
        if let Some(&(name, Some(first))) = first
            && value(first) != value(index)
        {
            let [first, second] = [first, index].map(|index| excerpt(value(index)));
            let fault = PtnFault::Contradiction {
                name,
                first,
                second,
            };
            return Err((Some(index), fault));
        }
    }
    let size = find("Size")
        .map(|tag| {
            let width = whole_number(value(tag), "Size").map_err(|fault| (Some(tag), fault))?;
            Size::new(width).map_err(|error| (Some(tag), error.into()))
        })
        .transpose()?;
    let mut setup = match (find("TPS"), size) {
        (Some(tag), size) => {
            let setup = value(tag)
                .parse::<Setup>()
                .map_err(|error| (Some(tag), error.into()))?;
            if let Some(size) = size.filter(|&size| size != setup.size) {
                let tps = setup.size;
                return Err((Some(tag), PtnFault::SizeAndTps { size, tps }));
            }
            setup
        }
        (None, Some(size)) => Setup::empty(size, Komi::ZERO),
        (None, None) => return Err((None, PtnFault::NoSize)),
    };
    if let Some(tag) = find("Komi") {
        setup.komi = value(tag)
            .parse::<Komi>()
            .map_err(|error| (Some(tag), error.into()))?;
    }
    if let Some(tag) = find("Opening") {
        setup.opening = value(tag)
            .parse::<OpeningRule>()
            .map_err(|error| (Some(tag), error.into()))?;
    }
    // The tags of one player are more precise than those of both, so they come last.
    let both: &[Color] = &Color::ALL;
    let pieces: [(&'static str, &[Color], PieceField); 6] = [
        ("Flats", both, |reserve| &mut reserve.stones),
        ("Caps", both, |reserve| &mut reserve.caps),
        ("Flats1", &both[..1], |reserve| &mut reserve.stones),
        ("Flats2", &both[1..], |reserve| &mut reserve.stones),
        ("Caps1", &both[..1], |reserve| &mut reserve.caps),
        ("Caps2", &both[1..], |reserve| &mut reserve.caps),
    ];
    for (name, colors, field) in pieces {
        let Some(tag) = find(name) else { continue };
        let count = whole_number(value(tag), name).map_err(|fault| (Some(tag), fault))?;
        for &color in colors {
            // What does not fit is too many in any case, and refused as such where the position is checked.
            *field(&mut setup.reserves[color]) = u8::try_from(count).unwrap_or(u8::MAX);
        }
    }
    Ok(setup)
}

/// The tags that decide where a game starts. One that is given twice must mean the same.
const START_TAGS: [&str; 10] = [
    "Size", "TPS", "Komi", "Opening", "Flats", "Caps", "Flats1", "Flats2", "Caps1", "Caps2",
];

type PieceField = fn(&mut Reserve) -> &mut u8;

fn whole_number(value: &str, name: &'static str) -> Result<u64, PtnFault> {
    value.parse().map_err(|_| PtnFault::Number {
        name,
        value: excerpt(value),
    })
}

impl PtnGame {
    /// The value of the first tag of this name; upper and lower case are the same.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| is_tag(tag, name))
            .map(|(_, value)| value.as_str())
    }
}

/// A PTN file of this one game: the tags in their order, one line a move number, the result last. [`parse_games`]
/// reads it back, provided that the tags describe `start`.
impl fmt::Display for PtnGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.tags {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            writeln!(f, "[{name} \"{}\"]", one_line(&value))?;
        }
        writeln!(f)?;
        let mut number = self.start.move_number;
        let mut color = self.start.to_move;
        for (index, PtnMove { mv, comment }) in self.moves.iter().enumerate() {
            match (color, index) {
                (Color::White, 0) => write!(f, "{number}.")?,
                (Color::White, _) => write!(f, "\n{number}.")?,
                (Color::Black, 0) => write!(f, "{number}. --")?,
                (Color::Black, _) => {}
            }
            let text = match index {
                0 => format_first_move(*mv, &self.start),
                _ => mv.to_string(),
            };
            write!(f, " {text}")?;
            if let Some(comment) = comment {
                write!(f, " {{{}}}", one_line(comment).replace('}', ")"))?;
            }
            number += u32::from(color == Color::Black);
            color = !color;
        }
        match &self.result {
            Some(result) if self.moves.is_empty() => writeln!(f, "{result}"),
            Some(result) => writeln!(f, " {result}"),
            None => writeln!(f),
        }
    }
}

/// Line breaks and other control characters as blanks: neither a tag nor a comment may begin a line of its own.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
