//! PTN files: any number of games, each with tags, moves, comments and a result.
//!
//! A malformed game costs only itself: the games after it are read all the same.

use std::fmt;

use super::games::{GameSplitter, GameText, is_tag};
use super::moves::{MARKS, marks_of};
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
    /// The comments before the first move.
    pub comments: Vec<String>,
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
/// let game = parse_games("[Size \"5\"]\n1. a1 e5 2. Cc3!? {centre} {fine} b2").next().unwrap()?;
/// assert_eq!(game.moves[2].mv, "Cc3".parse()?);
/// assert_eq!(game.moves[2].marks, "!?");
/// assert_eq!(game.moves[2].comments, ["centre", "fine"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PtnMove {
    /// The move.
    pub mv: Move,
    /// The marks after it, any of `*`, `'`, `"`, `!` and `?`. Nothing else is written.
    pub marks: String,
    /// What the comments after it say, each for itself.
    pub comments: Vec<String>,
}

/// Without marks and comments.
impl From<Move> for PtnMove {
    fn from(mv: Move) -> Self {
        Self {
            mv,
            marks: String::new(),
            comments: Vec::new(),
        }
    }
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
    /// More text than any game has.
    #[error("the game is longer than {} MiB, the rest is left out", GameText::LONGEST >> 20)]
    TooLong,
}

/// Reads the games of a PTN file one after the other; a malformed game is an error in its place.
///
/// A game is a section of tags followed by moves; a line that begins with `[` after moves begins the next game. In a
/// game without moves a blank line does so too, if the tags after it give the board again. Tags of any name may be
/// repeated. Inside a comment only a complete tag line begins a game, so that a comment never closed spoils one game
/// only. Move numbers are skipped unread. Variations are left out: in PTN Ninja's form they come after the game, each
/// with a blank line and its name in braces before it.
pub fn parse_games(text: &str) -> impl Iterator<Item = Result<PtnGame, PtnTextError>> + '_ {
    game_texts(text).map(|text| {
        let (game, fault) = read_game(&text);
        fault.map_or(Ok(game), Err)
    })
}

/// The games of a PTN file, unread.
pub(crate) fn game_texts(text: &str) -> impl Iterator<Item = GameText> + '_ {
    // Editors on some systems put a byte order mark first.
    let mut lines = text.trim_start_matches('\u{feff}').split_inclusive('\n');
    let mut splitter = Some(GameSplitter::default());
    std::iter::from_fn(move || {
        for line in &mut lines {
            if let Some(game) = splitter.as_mut()?.push(line) {
                return Some(game);
            }
        }
        splitter.take()?.finish()
    })
}

/// Reads one game as far as it can be read, and what is wrong with the rest, if anything is. A game whose tags are
/// malformed has no moves, and the start may then be another one.
pub(crate) fn read_game(text: &GameText) -> (PtnGame, Option<PtnTextError>) {
    let mut game = PtnGame {
        tags: Vec::new(),
        comments: Vec::new(),
        start: Setup::empty(Size::ALL[3], Komi::ZERO),
        moves: Vec::new(),
        result: None,
    };
    let mut parser = Parser {
        rest: &text.text,
        line: text.line,
    };
    let mut read = parser.game(&mut game);
    if text.is_cut && read.is_ok() {
        read = parser.error(PtnFault::TooLong);
    }
    (game, read.err())
}

/// What is left to read of one game, and the line where that begins.
struct Parser<'a> {
    rest: &'a str,
    line: usize,
}

impl Parser<'_> {
    /// Reads what is left into `game`.
    fn game(&mut self, game: &mut PtnGame) -> Result<(), PtnTextError> {
        let first_line = self.line;
        let mut tag_lines = Vec::new();
        self.skip_blanks();
        while self.rest.starts_with('[') {
            tag_lines.push(self.line);
            game.tags.push(self.tag()?);
            self.skip_blanks();
        }
        game.start = start_of(&game.tags).map_err(|(tag, fault)| PtnTextError {
            line: tag.map_or(first_line, |index| tag_lines[index]),
            fault,
        })?;
        self.moves(game)
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

    /// Returns whether there was a blank line.
    fn skip_blanks(&mut self) -> bool {
        let line = self.line;
        self.skip(self.rest.len() - self.rest.trim_start().len());
        self.line > line + 1
    }

    /// `[Name "value"]`, in which `\` makes the next character of the value stand for itself.
    fn tag(&mut self) -> Result<(String, String), PtnTextError> {
        // More brackets and blanks than one belong to no name, so that a tag is read again as it is written.
        let is_before = |c: char| c == '[' || (c != '\n' && c.is_whitespace());
        let inside = self.rest.trim_start_matches(is_before);
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

    fn moves(&mut self, game: &mut PtnGame) -> Result<(), PtnTextError> {
        loop {
            let after_blank_line = self.skip_blanks();
            if self.rest.is_empty() {
                return Ok(());
            }
            if self.rest.starts_with('{') {
                let comment = self.comment()?;
                if after_blank_line && self.goes_back(game) {
                    // The comment is the name of a variation, and nothing but variations follows.
                    return Ok(());
                }
                match game.moves.last_mut() {
                    Some(last) => last.comments.push(comment),
                    None => game.comments.push(comment),
                }
                continue;
            }
            let end = self
                .rest
                .find(|c: char| c.is_whitespace() || c == '{')
                .unwrap_or(self.rest.len());
            let word = without_move_number(&self.rest[..end]);
            if word == "--" {
                if !game.moves.is_empty() || game.start.to_move == Color::White {
                    let black_next = (game.moves.len() + game.start.to_move.index()) % 2 == 1;
                    let next = Color::from_bit(u8::from(black_next));
                    return self.error(PtnFault::Placeholder(next));
                }
            } else if !word.is_empty() {
                if game.result.is_some() {
                    return self.error(PtnFault::AfterResult(excerpt(word)));
                }
                if is_result(word) {
                    game.result = Some(word.to_owned());
                } else {
                    let mv = if game.moves.is_empty() {
                        parse_first_move(word, &game.start)
                    } else {
                        parse_move(word, game.start.size)
                    };
                    match mv {
                        Ok(mv) => game.moves.push(PtnMove {
                            marks: marks_of(word).to_owned(),
                            ..mv.into()
                        }),
                        Err(error) => return self.error(error),
                    }
                }
            }
            self.skip(end);
        }
    }

    /// Whether what is left begins with the number of a move that has been made.
    fn goes_back(&self, game: &PtnGame) -> bool {
        let text = self.rest.trim_start();
        let dots = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let rest = dots.trim_start_matches('.');
        let number = &text[..text.len() - dots.len()];
        let Ok(number) = number.parse::<usize>() else {
            return false;
        };
        let rest = rest.trim_start();
        let is_black =
            [dots, rest].iter().any(|text| text.starts_with("..")) || rest.starts_with("--");
        let made =
            2 * game.start.move_number as usize + game.start.to_move.index() + game.moves.len();
        dots.starts_with('.') && number < made && 2 * number + usize::from(is_black) < made
    }

    /// What stands in `{...}`.
    fn comment(&mut self) -> Result<String, PtnTextError> {
        let Some(end) = self.rest.find('}') else {
            return self.error(PtnFault::OpenComment);
        };
        let text = self.rest[1..end].to_owned();
        self.skip(end + 1);
        Ok(text)
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
        for comment in &self.comments {
            writeln!(f, "{}", Comment(comment))?;
        }
        let mut number = self.start.move_number;
        let mut color = self.start.to_move;
        for (index, played) in self.moves.iter().enumerate() {
            match (color, index) {
                (Color::White, 0) => write!(f, "{number}.")?,
                (Color::White, _) => write!(f, "\n{number}.")?,
                (Color::Black, 0) => write!(f, "{number}. --")?,
                (Color::Black, _) => {}
            }
            let text = match index {
                0 => format_first_move(played.mv, &self.start),
                _ => played.mv.to_string(),
            };
            write!(f, " {text}")?;
            for mark in played.marks.chars().filter(|mark| MARKS.contains(mark)) {
                write!(f, "{mark}")?;
            }
            for comment in &played.comments {
                write!(f, " {}", Comment(comment))?;
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

/// A comment in its braces.
struct Comment<'a>(&'a str);

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{}}}", one_line(self.0).replace('}', ")"))
    }
}

/// Line breaks and other control characters as blanks: neither a tag nor a comment may begin a line of its own.
fn one_line(text: &str) -> String {
    text.replace(char::is_control, " ")
}
