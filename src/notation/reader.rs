//! Reads PTN files as they are found: what PTN Ninja and playtak write, and what PTN has from the PGN of chess, such as
//! variations in brackets and marks by number.
//!
//! A malformed game costs only itself: the games after it are read all the same.

use super::games::{GameSplitter, GameText, is_escape, is_tag, lines};
use super::moves::marks_of;
use super::results::result_of;
use super::{PtnFault, PtnGame, PtnMove, PtnTextError, excerpt, parse_first_move, parse_move};
use crate::board::{Color, Komi, OpeningRule, Reserve, Setup, Size};

/// What PGN says by number, from `$1` on.
const NUMBERED_MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Reads the games of a PTN file one after the other; a malformed game is an error in its place.
///
/// A game is a section of tags followed by moves; a line that begins with `[` after moves begins the next game. In a
/// game without moves a blank line does so too, if the tags after it give the board again. Tags of any name may be
/// repeated. Inside a comment only a complete tag line begins a game, so that a comment never closed spoils one game
/// only. Lines end as on any system.
///
/// Move numbers are skipped unread. Comments stand in braces, or from `;` to the end of the line. Marks may stand by
/// themselves, and `$1` to `$6` are marks as in PGN. Left out are other numbers after `$`, lines that begin with `%`, and
/// variations: in PTN Ninja's form they come after the game, each with a blank line and its name in braces before it; in
/// PGN's they stand in brackets.
///
/// ```
/// use tak_engine::notation::parse_games;
///
/// let text = "[Size \"5\"]\n1. a1 $1 (1. b1 {worse}) e5 ; corners\n2. c3 *";
/// let game = parse_games(text).next().unwrap()?;
/// assert_eq!(game.moves.len(), 3);
/// assert_eq!((game.moves[0].marks.as_str(), game.moves[1].comments[0].as_str()), ("!", "corners"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_games(text: &str) -> impl Iterator<Item = Result<PtnGame, PtnTextError>> + '_ {
    game_texts(text).map(|text| {
        let ReadGame { game, fault, .. } = read_game(&text);
        fault.map_or(Ok(game), Err)
    })
}

/// The games of a PTN file, unread.
pub(crate) fn game_texts(text: &str) -> impl Iterator<Item = GameText> + '_ {
    let mut lines = lines(text);
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

/// A game as far as it can be read.
// Without the program nobody asks for lines of moves.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
pub(crate) struct ReadGame {
    /// The game. If its tags are malformed it has no moves, and the start may then be another one.
    pub game: PtnGame,
    /// What is wrong with the rest, if anything is.
    pub fault: Option<PtnTextError>,
    /// The line of the file where it begins.
    line: usize,
    /// The lines of its moves.
    move_lines: Vec<usize>,
}

#[cfg(feature = "cli")]
impl ReadGame {
    /// The line of the file with the move that follows after so many plies, or the first one if there is no such move.
    pub fn line(&self, plies: usize) -> usize {
        self.move_lines.get(plies).copied().unwrap_or(self.line)
    }
}

/// Reads one game as far as it can be read.
pub(crate) fn read_game(text: &GameText) -> ReadGame {
    let mut game = PtnGame {
        tags: Vec::new(),
        comments: Vec::new(),
        start: Setup::empty(Size::USUAL, Komi::ZERO),
        moves: Vec::new(),
        result: None,
    };
    let mut parser = Parser { rest: &text.text, line: text.line, begins_line: true, move_lines: Vec::new() };
    let mut read = parser.game(&mut game);
    if text.is_cut && read.is_ok() {
        read = parser.error(PtnFault::TooLong);
    }
    ReadGame { game, fault: read.err(), line: text.line, move_lines: parser.move_lines }
}

/// What is left to read of one game, and where that begins.
struct Parser<'a> {
    rest: &'a str,
    /// The line of the file.
    line: usize,
    /// Whether nothing stands before it in that line.
    begins_line: bool,
    /// The lines of the moves so far.
    move_lines: Vec<usize>,
}

impl Parser<'_> {
    /// Reads what is left into `game`.
    fn game(&mut self, game: &mut PtnGame) -> Result<(), PtnTextError> {
        let first_line = self.line;
        let mut tag_lines = Vec::new();
        loop {
            self.skip_blanks();
            if self.rest.starts_with('[') {
                tag_lines.push(self.line);
                game.tags.push(self.tag()?);
            } else if self.rest.starts_with(['{', ';']) {
                game.comments.extend(self.comment()?);
            } else {
                break;
            }
        }
        game.start = start_of(&game.tags)
            .map_err(|(tag, fault)| PtnTextError { line: tag.map_or(first_line, |index| tag_lines[index]), fault })?;
        self.moves(game)
    }

    fn error<T>(&self, fault: impl Into<PtnFault>) -> Result<T, PtnTextError> {
        Err(PtnTextError { line: self.line, fault: fault.into() })
    }

    /// Moves on by `bytes`.
    fn skip(&mut self, bytes: usize) {
        let (read, rest) = self.rest.split_at(bytes);
        self.line += read.matches('\n').count();
        if !read.is_empty() {
            self.begins_line = read.ends_with('\n');
        }
        self.rest = rest;
    }

    /// Moves on to the first of these characters. `false` if there is none.
    fn skip_to(&mut self, wanted: &[char]) -> bool {
        let at = self.rest.find(wanted);
        self.skip(at.unwrap_or(self.rest.len()));
        at.is_some()
    }

    /// Skips blanks, and lines that programs keep for themselves. Returns whether there was a blank line.
    fn skip_blanks(&mut self) -> bool {
        let mut has_blank_line = false;
        loop {
            let blanks = self.rest.len() - self.rest.trim_start_matches(is_blank).len();
            // What ends first is a line with something in it, unless this begins with a line.
            let lines = self.rest[..blanks].matches('\n').count();
            has_blank_line |= lines > usize::from(!self.begins_line);
            self.skip(blanks);
            if !self.begins_line || !is_escape(self.rest) {
                return has_blank_line;
            }
            if self.skip_to(&['\n']) {
                self.skip(1);
            }
        }
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
            match self.rest.chars().next() {
                None => return Ok(()),
                Some(c @ ('{' | ';')) => {
                    let comment = self.comment()?;
                    if c == '{' && after_blank_line && self.goes_back(game) {
                        // The comment is the name of a variation, and nothing but variations follows.
                        return Ok(());
                    }
                    match game.moves.last_mut() {
                        Some(last) => last.comments.extend(comment),
                        None => game.comments.extend(comment),
                    }
                }
                Some('(') => self.variation()?,
                Some(c) => {
                    let after = &self.rest[c.len_utf8()..];
                    let ends = |c: char| is_blank(c) || "{;($".contains(c);
                    let length = after.find(ends).unwrap_or(after.len());
                    let end = self.rest.len() - after.len() + length;
                    let word = &self.rest[..end];
                    self.word(without_move_number(word), game)?;
                    self.skip(end);
                }
            }
        }
    }

    /// Takes a move, a result, marks, or a placeholder; nothing is left of a mere number.
    fn word(&mut self, word: &str, game: &mut PtnGame) -> Result<(), PtnTextError> {
        if word.is_empty() {
            return Ok(());
        }
        if is_placeholder(word) {
            let black_next = (game.moves.len() + game.start.to_move.index()) % 2 == 1;
            if !game.moves.is_empty() || !black_next {
                let next = Color::from_bit(u8::from(black_next));
                return self.error(PtnFault::Placeholder(next));
            }
            return Ok(());
        }
        if let Some(marks) = marks_alone(word) {
            if let Some(last) = game.moves.last_mut() {
                last.marks.push_str(marks);
            }
            return Ok(());
        }
        if game.result.is_some() {
            return self.error(PtnFault::AfterResult(excerpt(word)));
        }
        if let Some(result) = result_of(word) {
            game.result = Some(result.to_owned());
            return Ok(());
        }
        let mv =
            if game.moves.is_empty() { parse_first_move(word, &game.start) } else { parse_move(word, game.start.size) };
        let mv = mv.or_else(|error| self.error(error))?;
        self.move_lines.push(self.line);
        game.moves.push(PtnMove { marks: marks_of(word).to_owned(), ..mv.into() });
        Ok(())
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
        let is_black = [dots, rest].iter().any(|text| text.starts_with("..")) || rest.starts_with("--");
        let made = 2 * game.start.move_number as usize + game.start.to_move.index() + game.moves.len();
        dots.starts_with('.') && number < made && 2 * number + usize::from(is_black) < made
    }

    /// What stands in `{...}`, or between `;` and the end of the line, of which nothing may be left.
    fn comment(&mut self) -> Result<Option<String>, PtnTextError> {
        if self.rest.starts_with(';') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            let text = self.rest[..end].trim_matches(|c: char| c == ';' || is_blank(c));
            let comment = (!text.is_empty()).then(|| text.to_owned());
            self.skip(end);
            return Ok(comment);
        }
        let Some(end) = self.rest.find('}') else {
            return self.error(PtnFault::OpenComment);
        };
        let text = self.rest[1..end].to_owned();
        self.skip(end + 1);
        Ok(Some(text))
    }

    /// Skips `(...)`, in which there may be others, and comments with brackets of their own.
    fn variation(&mut self) -> Result<(), PtnTextError> {
        let never_closed = self.error(PtnFault::OpenVariation);
        let mut depth = 0_usize;
        while self.skip_to(&['(', ')', '{', ';']) {
            match self.rest.as_bytes().first() {
                Some(b'(') => depth += 1,
                Some(b')') => depth -= 1,
                _ => {
                    self.comment()?;
                    continue;
                }
            }
            self.skip(1);
            if depth == 0 {
                return Ok(());
            }
        }
        never_closed
    }
}

/// Whether it separates words. Control characters do: some systems end a text with one.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// `12.a1` and `12...a1` without the number; nothing is left of `12.` and `...`.
fn without_move_number(word: &str) -> &str {
    let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if digits.starts_with('.') { digits.trim_start_matches('.') } else { word }
}

/// Whether it stands in place of White's move where Black begins: `--`, or `load`, after which the tag TPS gives the board.
fn is_placeholder(word: &str) -> bool {
    word.bytes().all(|byte| byte == b'-') || word.eq_ignore_ascii_case("load")
}

/// The marks that stand by themselves or as a number; none for a number that is no mark of PTN.
fn marks_alone(word: &str) -> Option<&str> {
    if word.chars().all(|c| "'\"!?".contains(c)) {
        return Some(word);
    }
    let digits = word.strip_prefix('$')?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let number = digits.parse::<usize>().unwrap_or(usize::MAX);
    let mark = NUMBERED_MARKS.get(number.wrapping_sub(1));
    Some(mark.copied().unwrap_or_default())
}

/// The position that the tags describe; an error comes with the index of the tag at fault.
fn start_of(tags: &[(String, String)]) -> Result<Setup, (Option<usize>, PtnFault)> {
    let value = |index: usize| tags[index].1.trim();
    // A tag that is left blank says as much as none.
    let is_said = |index: usize| !["", "?"].contains(&value(index));
    let find = |name: &str| {
        let mut named = (0..tags.len()).filter(|&index| is_tag(&tags[index].0, name));
        named.find(|&index| is_said(index))
    };
    let firsts = START_TAGS.map(|name| (name, find(name)));
    for (index, (tag, _)) in tags.iter().enumerate() {
        let first = firsts.iter().find(|(name, _)| is_tag(tag, name));
        if let Some(&(name, Some(first))) = first
            && is_said(index)
            && value(first) != value(index)
        {
            let [first, second] = [first, index].map(|index| excerpt(value(index)));
            let fault = PtnFault::Contradiction { name, first, second };
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
            let setup = value(tag).parse::<Setup>().map_err(|error| (Some(tag), error.into()))?;
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
        setup.komi = value(tag).parse::<Komi>().map_err(|error| (Some(tag), error.into()))?;
    }
    if let Some(tag) = find("Opening") {
        setup.opening = value(tag).parse::<OpeningRule>().map_err(|error| (Some(tag), error.into()))?;
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
pub(crate) const START_TAGS: [&str; 10] =
    ["Size", "TPS", "Komi", "Opening", "Flats", "Caps", "Flats1", "Flats2", "Caps1", "Caps2"];

type PieceField = fn(&mut Reserve) -> &mut u8;

fn whole_number(value: &str, name: &'static str) -> Result<u64, PtnFault> {
    value.parse().map_err(|_| PtnFault::Number { name, value: excerpt(value) })
}
