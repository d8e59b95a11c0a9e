//! Reads PTN files of PTN Ninja, playtak and others, including features of PGN such as variations in brackets and marks
//! by number.
//!
//! A malformed game does not affect the games after it.

use super::games::{GameSplitter, GameText, is_escape, lines, number_length};
use super::leniency::{is_blank, is_invisible, plain};
use super::moves::marks_of;
use super::results::result_at;
use super::tag::TagText;
use super::tags::Tags;
use super::variations::Lines;
use super::{
    Deviations, Leniency, PtnFault, PtnGame, PtnMove, PtnTextError, excerpt, line_start, read_first_move, read_move,
};
use crate::board::{Color, Komi, Setup, Size};

/// The numbered marks of PGN, from `$1` on.
const NUMBERED_MARKS: [&str; 6] = ["!", "?", "!!", "??", "!?", "?!"];

/// Reads the games of a PTN file one after the other; a malformed game yields an error.
///
/// A game is a section of tags followed by moves. The next game begins at a line that begins with `[` after moves, or
/// at a line that begins with move 1 after a result. In a game without moves it also begins at a blank line, if the
/// tags after it give the board again. Tags of any name may be repeated. Inside a comment only a complete tag line
/// begins a game, so that an unterminated comment spoils one game only. All common line ends are accepted.
///
/// Non-standard forms are accepted too: [`Leniency`] lists them, and [`read_games`] also returns the deviations.
///
/// Move numbers are skipped. Marks may be separate words, and `$1` to `$6` are marks as in PGN. Other numbers after
/// `$` and lines that begin with `%` are skipped. In PTN Ninja's form variations come after the game, each with a blank
/// line and its name in braces before it, or with its name before each number (`2-1.2. d3`); in PGN's form they are in
/// brackets. From its first invalid move on, a variation is skipped.
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
    read_games(text).map(|ReadGame { game, fault, .. }| fault.map_or(Ok(game), Err))
}

/// Reads the games of a PTN file as [`parse_games`] does, each as far as it can be read, with its deviations.
///
/// ```
/// use tak_engine::notation::read_games;
///
/// let read = read_games("[Size \"5\"]\n1. A1 E5 R - 0").next().unwrap();
/// assert_eq!((read.game.moves.len(), read.deviations.count()), (2, 3));
/// assert_eq!(
///     read.strict().fault.unwrap().to_string(),
///     "line 2: \"A1\" is not standard: letter in another case"
/// );
/// ```
pub fn read_games(text: &str) -> impl Iterator<Item = ReadGame> + '_ {
    game_texts(text).map(|text| read_game(&text, None))
}

/// The maximum length of a move number with its dots in bytes, far above that of the longest game.
const MAX_NUMBER_LENGTH: usize = 16;

/// Returns whether a PTN file may begin with this non-blank line: with a move number, or a tag other than TPS.
#[doc(hidden)]
#[must_use]
pub fn begins_ptn(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.starts_with(['[', '［']) {
        let name = line.trim_start_matches(['[', '［', ' ']);
        return !name.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("TPS"));
    }
    let word = line.split_whitespace().next().unwrap_or_default();
    (1..=MAX_NUMBER_LENGTH).contains(&number_length(word).0)
}

/// The games of a PTN file, unread.
#[doc(hidden)]
pub fn game_texts(text: &str) -> impl Iterator<Item = GameText> + '_ {
    let mut lines = lines(text);
    let mut splitter = GameSplitter::default();
    std::iter::from_fn(move || {
        loop {
            if let Some(game) = splitter.take() {
                return Some(game);
            }
            let Some(line) = lines.next() else {
                splitter.finish();
                return splitter.take();
            };
            splitter.push(line);
        }
    })
}

/// A game as far as it can be read.
///
/// ```
/// use tak_engine::notation::read_games;
///
/// let read = read_games("[Size 5]\n1. A1 e5 2. qq").next().expect("a game");
/// assert_eq!(read.game.moves.len(), 2);
/// assert_eq!(read.deviations.count(), 2);
/// assert!(read.fault.expect("a fault").to_string().contains("qq"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGame {
    /// The game. If its tags are malformed it has no moves, and the start may then be another one.
    pub game: PtnGame,
    /// The error that ended the reading, if any.
    pub fault: Option<PtnTextError>,
    /// The deviations from the standard. A written game has none of them.
    pub deviations: Deviations,
    /// The line of the file at which it begins.
    line: usize,
    /// The lines of its moves.
    move_lines: Vec<usize>,
}

impl ReadGame {
    /// The line of the file with the move after this number of plies, or the first line if there is no such move.
    #[must_use]
    pub fn line(&self, plies: usize) -> usize {
        self.move_lines.get(plies).copied().unwrap_or(self.line)
    }

    /// The same game by strict rules: the first deviation is a fault, unless one comes before it.
    #[must_use]
    pub fn strict(mut self) -> Self {
        if let Some(deviation) = self.deviations.first() {
            let line = deviation.line.unwrap_or(self.line);
            if self.fault.as_ref().is_none_or(|fault| line <= fault.line) {
                let fault = PtnFault::NotStandard { deviation: deviation.clone() };
                self.fault = Some(PtnTextError { line, fault });
            }
        }
        self
    }
}

/// Reads one game as far as it can be read. `size` is that of a game without tags `Size` and `TPS`.
#[doc(hidden)]
#[must_use]
pub fn read_game(text: &GameText, size: Option<Size>) -> ReadGame {
    let mut game = PtnGame {
        tags: Vec::new(),
        comments: Vec::new(),
        start: Setup::empty(Size::USUAL, Komi::ZERO),
        moves: Vec::new(),
        result: None,
        variations: Vec::new(),
    };
    let mut parser = Parser {
        rest: &text.text,
        line: text.line,
        begins_line: true,
        move_lines: Vec::new(),
        deviations: Deviations::default(),
        skipped_tags: 0,
        has_opening: false,
        after_number: false,
        placeholder: None,
        lines: Lines::default(),
    };
    let mut read = parser.game(&mut game, size);
    parser.lines.drop_empty(&mut game);
    if text.is_cut && read.is_ok() {
        read = parser.error(PtnFault::TooLong);
    }
    let mut deviations = text.deviations.clone();
    deviations.extend(&parser.deviations);
    ReadGame { game, fault: read.err(), deviations, line: text.line, move_lines: parser.move_lines }
}

/// Bytes of a line that are more than an excerpt shows.
const EXCERPT: usize = 100;

/// The unread rest of one game, and the line at which it begins.
struct Parser<'a> {
    rest: &'a str,
    /// The line of the file.
    line: usize,
    /// True if it begins at the start of that line.
    begins_line: bool,
    /// The lines of the moves so far.
    move_lines: Vec<usize>,
    deviations: Deviations,
    /// Tags of this line that were skipped.
    skipped_tags: usize,
    /// True if a tag gives the opening.
    has_opening: bool,
    /// True if the last word was a move number.
    after_number: bool,
    /// The line of a misplaced `--`, and the player whose move it would replace. A move after it is a fault.
    placeholder: Option<(usize, Color)>,
    /// The line that is being read: the game or a variation.
    lines: Lines,
}

impl<'a> Parser<'a> {
    /// Reads the rest into `game`.
    fn game(&mut self, game: &mut PtnGame, size: Option<Size>) -> Result<(), PtnTextError> {
        let mut tags = Tags::new(self.line);
        loop {
            self.skip_blanks();
            if self.rest.starts_with(['[', '［']) {
                self.tag(&mut tags)?;
            } else if self.rest.starts_with(['{', ';']) {
                game.comments.extend(self.comment()?);
            } else {
                break;
            }
        }
        let start = tags.start(size, &mut self.deviations);
        self.has_opening = tags.has("Opening");
        (game.tags, game.start) = (tags.into_pairs(), start?);
        self.moves(game)
    }

    /// Notes a deviation in the present line.
    fn note(&mut self, rule: Leniency, text: &str) {
        self.deviations.at_line(self.line).note(rule, text);
    }

    fn error<T>(&self, fault: impl Into<PtnFault>) -> Result<T, PtnTextError> {
        Err(PtnTextError { line: self.line, fault: fault.into() })
    }

    /// Moves on by `bytes`.
    fn skip(&mut self, bytes: usize) {
        let (read, rest) = self.rest.split_at(bytes);
        let lines = read.matches('\n').count();
        if lines > 0 {
            self.skipped_tags = 0;
        }
        self.line += lines;
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

    /// Skips blanks and escape lines. Returns whether there was a blank line.
    fn skip_blanks(&mut self) -> bool {
        let mut has_blank_line = false;
        loop {
            let blanks = self.rest.len() - self.rest.trim_start_matches(|c| is_blank(c) || is_invisible(c)).len();
            let text = &self.rest[..blanks];
            if let Some(at) = text.find(|c: char| !c.is_ascii() || (c.is_control() && !c.is_whitespace())) {
                let rule = if text.is_ascii() { Leniency::ControlCharacter } else { Leniency::Typography };
                let line = self.line + text[..at].matches('\n').count();
                self.deviations.at_line(line).note(rule, text.trim_matches(|c: char| c.is_ascii_whitespace()));
            }
            // The first line end ends a line that is not blank, unless this begins with a line.
            let lines = self.rest[..blanks].matches('\n').count();
            has_blank_line |= lines > usize::from(!self.begins_line);
            self.skip(blanks);
            if !self.begins_line || !is_escape(self.rest) {
                return has_blank_line;
            }
            self.note(Leniency::EscapeLine, line_start(self.rest, EXCERPT));
            if self.skip_to(&['\n']) {
                self.skip(1);
            }
        }
    }

    /// Takes a tag. One that cannot be read is skipped, unless it gives the board.
    fn tag(&mut self, tags: &mut Tags) -> Result<(), PtnTextError> {
        if let Some(tag) = TagText::read(self.rest).or_else(|| TagText::read_unknown(self.rest)) {
            let (text, _) = self.rest.split_at(tag.length);
            if !tag.is_standard {
                self.note(Leniency::TagForm, text);
            }
            tags.push(tag, self.line, &mut self.deviations);
            self.skip(text.len());
            return Ok(());
        }
        let line = self.rest.lines().next().unwrap_or_default();
        let name = line.trim_start_matches(['[', ' ']);
        if ["Size", "TPS"]
            .iter()
            .any(|board| name.get(..board.len()).is_some_and(|name| name.eq_ignore_ascii_case(board)))
        {
            return self.error(PtnFault::Tag);
        }
        self.note(Leniency::TagSkipped, line);
        self.skipped_tags += 1;
        let begins_tag = |&(at, c): &(usize, char)| at > 0 && c == '[';
        let next = || line.char_indices().find(begins_tag).map(|(at, _)| at);
        let end = line.find(']').map(|at| at + 1).or_else(next).filter(|_| self.skipped_tags < TagText::MAX_ATTEMPTS);
        self.skip(end.unwrap_or(line.len()));
        Ok(())
    }

    fn moves(&mut self, game: &mut PtnGame) -> Result<(), PtnTextError> {
        loop {
            let after_blank_line = self.skip_blanks();
            match self.rest.chars().next() {
                None => break,
                Some(c @ ('{' | ';')) => {
                    let comment = self.comment()?;
                    if c == '{' && after_blank_line && self.lines.bracket().is_none() && self.names_a_variation(game) {
                        self.lines.begin(game, &comment.unwrap_or_default(), false);
                    } else if !self.lines.is_bad() {
                        match self.lines.moves(game).last_mut() {
                            Some(last) => last.comments.extend(comment),
                            // Before the first move of a variation a comment has no place.
                            None if self.lines.is_main() => game.comments.extend(comment),
                            None => {}
                        }
                    }
                }
                Some('(') => {
                    if self.lines.bracket().is_none() {
                        self.note(Leniency::Variation, line_start(self.rest, EXCERPT));
                    }
                    self.lines.enter(game, self.line);
                    self.skip(1);
                }
                Some(')') if self.lines.bracket().is_some() => {
                    self.lines.leave(game);
                    self.skip(1);
                }
                Some(_) => {
                    let is_free = !self.lines.is_main() || game.result.is_none();
                    if let Some((length, result, is_standard)) = result_at(self.rest).filter(|_| is_free) {
                        self.result(length, result, is_standard, game);
                    } else if self.number(game) {
                        self.after_number = true;
                        continue;
                    } else {
                        let word = self.next_word();
                        if !self.lines.is_bad() {
                            self.word(word, game)?;
                        }
                        self.skip(word.len());
                    }
                    self.after_number = false;
                }
            }
        }
        match self.lines.bracket() {
            Some(line) => Err(PtnTextError { line, fault: PtnFault::OpenVariation }),
            None => Ok(()),
        }
    }

    /// The text up to the next blank or comment.
    fn next_word(&self) -> &'a str {
        let after = &self.rest[self.rest.chars().next().map_or(0, char::len_utf8)..];
        let in_brackets = self.lines.bracket().is_some();
        let ends = |c: char| is_blank(c) || "{;($\u{feff}".contains(c) || (in_brackets && c == ')');
        let length = after.find(ends).unwrap_or(after.len());
        &self.rest[..self.rest.len() - after.len() + length]
    }

    fn result(&mut self, length: usize, result: &str, is_standard: bool, game: &mut PtnGame) {
        if !is_standard && self.lines.is_main() {
            self.note(Leniency::ResultForm, &self.rest[..length]);
        }
        self.lines.end(game, result);
        self.skip(length);
    }

    /// Skips a move number, and takes the name of a variation before it. `false` if there is none.
    fn number(&mut self, game: &mut PtnGame) -> bool {
        let word = self.next_word();
        let (length, name) = number_length(word);
        if length == 0 {
            return false;
        }
        let text = &word[..length];
        let own = &text[name.map_or(0, str::len)..];
        let digits = own.trim_end_matches('.');
        let number = digits.parse().ok();
        if let Some(name) = name.filter(|_| !game.moves.is_empty() && self.lines.bracket().is_none()) {
            if self.lines.begin(game, name, true) {
                self.note(Leniency::Variation, text);
            }
        } else {
            if !self.lines.is_whole() && game.result.is_none() && number == Some(game.turn(game.moves.len()).0) {
                self.lines.drop_empty(game);
                self.lines.finish();
            }
            let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
            let is_standard = is_number && digits.len() + 1 == text.len() && length == word.len();
            if self.lines.is_main() && !is_standard {
                self.note(Leniency::MoveNumber, word);
            }
        }
        let rest = word[length..].chars().chain(self.rest[word.len()..].trim_start().chars());
        let is_black = own.len() > digits.len() + 1 || rest.take(2).eq("..".chars());
        self.lines.number(game, number, is_black);
        self.skip(length);
        true
    }

    /// Takes a move, marks, or a placeholder. A variation ends at a word that is none of them.
    fn word(&mut self, word: &str, game: &mut PtnGame) -> Result<(), PtnTextError> {
        if is_placeholder(word) {
            if self.lines.is_main() {
                self.take_placeholder(word, game);
            } else {
                self.lines.skip_white();
            }
            return Ok(());
        }
        if let Some(marks) = marks_alone(word) {
            self.note(if word.starts_with('$') { Leniency::NumberedMark } else { Leniency::LooseMark }, word);
            if let Some(last) = self.lines.moves(game).last_mut() {
                last.marks.push_str(marks);
            }
            return Ok(());
        }
        if !self.lines.is_main() {
            if self.variation_move(word, game).is_none() {
                self.note(Leniency::SkippedVariation, word);
                self.lines.fail();
            }
            return Ok(());
        }
        if game.result.is_some() {
            return self.error(PtnFault::AfterResult(excerpt(word)));
        }
        if let Some((line, next)) = self.placeholder {
            return Err(PtnTextError { line, fault: PtnFault::Placeholder(next) });
        }
        self.deviations.at_line(self.line);
        let mv = if game.moves.is_empty() {
            let mv = read_first_move(word, &mut game.start, self.has_opening, &mut self.deviations);
            if mv.is_ok() && game.start.places_stack() && !self.has_opening {
                self.has_opening = true;
                let name = super::opening_tag(game.start.opening);
                game.tags.push(("Opening".to_owned(), name.to_owned()));
            }
            mv
        } else {
            read_move(word, game.start.size, &mut self.deviations)
        };
        let mv = mv.or_else(|error| {
            let comments = game.moves.last().map_or(&game.comments, |last| &last.comments);
            let is_in_comment = word.contains('}') || comments.last().is_some_and(|comment| comment.contains('{'));
            self.error(if is_in_comment { PtnFault::NestedComment } else { error.into() })
        })?;
        self.move_lines.push(self.line);
        game.moves.push(PtnMove { marks: marks_after(word), ..mv.into() });
        Ok(())
    }

    /// Takes a move of a variation.
    fn variation_move(&mut self, word: &str, game: &mut PtnGame) -> Option<()> {
        self.deviations.at_line(self.line);
        let mv = match self.lines.place(game)? {
            0 => read_first_move(word, &mut game.start.clone(), true, &mut self.deviations),
            _ => read_move(word, game.start.size, &mut self.deviations),
        };
        self.lines.add(game, PtnMove { marks: marks_after(word), ..mv.ok()?.into() });
        Some(())
    }

    /// Takes a placeholder. It replaces White's move if Black begins; it may also be next to the result, or repeat a
    /// move before it.
    fn take_placeholder(&mut self, word: &str, game: &PtnGame) {
        let black_next = (game.moves.len() + game.start.to_move.index()) % 2 == 1;
        let is_first = game.moves.is_empty() && black_next;
        if word != "--" || !is_first {
            self.note(Leniency::Placeholder, word);
        }
        let repeats = black_next && self.after_number;
        if !is_first && !repeats && game.result.is_none() {
            let next = Color::from_bit(u8::from(black_next));
            self.placeholder.get_or_insert((self.line, next));
        }
    }

    /// Returns whether the comment before the rest is the name of a variation: a move number follows, and before the result
    /// of the game one of a move that has been made.
    fn names_a_variation(&self, game: &PtnGame) -> bool {
        if !self.lines.is_whole() && game.result.is_none() {
            return self.goes_back(game);
        }
        let text = self.rest.trim_start();
        text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.') && !text.starts_with('.')
    }

    /// Returns whether the rest begins with the number of a move that has been made.
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

    /// The text in `{...}`, or between `;` and the end of the line; `None` if the latter is blank.
    fn comment(&mut self) -> Result<Option<String>, PtnTextError> {
        if self.rest.starts_with(';') {
            self.note(Leniency::LineComment, line_start(self.rest, EXCERPT));
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
}

/// The marks at the end of a move.
fn marks_after(word: &str) -> String {
    let marked = plain(word).unwrap_or_else(|| word.to_owned());
    marks_of(marked.trim_end_matches([',', '.', ';', ':'])).to_owned()
}

/// Returns whether `word` replaces White's move in a game that Black begins: `--`, or `load` for the board of the TPS
/// tag.
fn is_placeholder(word: &str) -> bool {
    word.chars().all(|c| "-‐‑‒–—―−".contains(c)) || word.eq_ignore_ascii_case("load")
}

/// The marks that are a separate word or a number; empty for a number without a mark in PTN.
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
