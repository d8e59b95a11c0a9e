//! Reads PTN files of PTN Ninja, playtak and others, including features of PGN such as variations in brackets and marks
//! by number.
//!
//! A malformed game does not affect the games after it.

use super::games::{GameSplitter, GameText};
use super::leniency::plain;
use super::moves::marks_of;
use super::number::Number;
use super::results::winner_of;
use super::tag::{TagText, is_tag};
use super::tags::Tags;
use super::tokens::{Kind, State, Token, Tokens};
use super::variations::Lines;
use super::{
    Deviations, Leniency, PtnFault, PtnGame, PtnMove, PtnTextError, excerpt, opening_tag, read_first_move, read_move,
};
use crate::board::{Color, Komi, Setup, Size};
use crate::lines::lines_of;

/// Reads the games of a PTN file one after the other; a malformed game yields an error.
///
/// A game is a section of tags followed by moves. The next game begins at a line that begins with `[` after moves, or
/// at a line that begins with move 1 after a result. In a game without moves it also begins at a blank line, if the
/// tags after it give the board again. Tags of any name may be repeated. Inside a comment only a complete tag line
/// begins a game, so that an unterminated comment spoils one game only. All common line ends are accepted.
///
/// Non-standard forms are accepted too: [`Leniency`] lists them, and [`read_games`] also returns the deviations.
///
/// Move numbers are skipped. Marks may be separate words, and `$1` to `$6` are marks as in PGN. Lines that begin
/// with `%` are skipped. In PTN Ninja's form variations come after the game, each with a blank
/// line and its name in braces before it, or with its name before each number (`2-1.2. d3`); in PGN's form they are in
/// brackets. From its first invalid move on, a variation is a comment, as other
/// numbers after `$` and tags that cannot be read are.
///
/// ```
/// # use tak_engine_core as tak_engine;
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
/// # use tak_engine_core as tak_engine;
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

/// Returns whether a PTN file may begin with this non-blank line: with a move number, or with a tag. A TPS tag alone is
/// also a position.
pub fn begins_ptn(line: &str) -> bool {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.starts_with(['[', '［']) {
        let name = line.trim_start_matches(['[', '［', ' ']);
        let is_position = name.get(..3).is_some_and(|name| is_tag(name, "TPS"));
        let tag = TagText::read(line).map_or(line.len(), |tag| tag.length);
        return !is_position || !line[tag..].trim_matches([',', '.', ';']).is_empty();
    }
    let word = line.split_whitespace().next().unwrap_or_default();
    Number::read(word).is_some_and(|number| number.length <= MAX_NUMBER_LENGTH)
}

/// The games of a PTN file, unread.
pub fn game_texts(text: &str) -> impl Iterator<Item = GameText> + '_ {
    let mut lines = lines_of(text);
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadGame {
    /// The game. If its tags are malformed it has no moves, and the start may then be another one.
    pub game: PtnGame,
    /// The error that ended the reading, if any.
    pub fault: Option<PtnTextError>,
    /// The deviations from the standard. A written game has none of them.
    pub deviations: Deviations,
    /// The size of the board, if the text gives none.
    pub assumed_size: Option<Size>,
    /// The line of the file at which it begins.
    line: usize,
    /// By ply.
    move_lines: Vec<usize>,
}

impl ReadGame {
    /// The line of the file with the move after this number of plies, or the first line if there is no such move.
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
pub fn read_game(text: &GameText, size: Option<Size>) -> ReadGame {
    let game = PtnGame::new(Setup::empty(Size::USUAL, Komi::ZERO));
    let mut reader = Reader {
        tokens: Tokens::new(&text.text, text.line, State::default()),
        lines: Lines::new(game, &text.text),
        move_lines: Vec::new(),
        deviations: text.deviations.clone(),
        assumed_size: None,
        has_opening: false,
        after_number: false,
        is_opened_again: false,
        placeholder: None,
    };
    let mut fault = reader.read(text.line, size).err();
    if text.is_cut && fault.is_none() {
        let line = text.line + text.text.matches('\n').count();
        fault = Some(PtnTextError { line, fault: PtnFault::TooLong });
    }
    let Reader { lines, deviations, assumed_size, move_lines, .. } = reader;
    ReadGame { game: lines.into_game(), fault, deviations, assumed_size, line: text.line, move_lines }
}

/// Reads the tokens of one game.
struct Reader<'a> {
    tokens: Tokens<'a>,
    lines: Lines<'a>,
    move_lines: Vec<usize>,
    deviations: Deviations,
    /// The size of the board, if no tag gives it.
    assumed_size: Option<Size>,
    /// True if a tag gives the opening.
    has_opening: bool,
    /// True if the last word was a move number.
    after_number: bool,
    /// True if the last comment has a `{`: its end was meant for that.
    is_opened_again: bool,
    /// The line of a misplaced `--`, and the player whose move it would replace. A move after it is a fault.
    placeholder: Option<(usize, Color)>,
}

impl<'a> Reader<'a> {
    /// Reads a game that begins on this line.
    fn read(&mut self, line: usize, size: Option<Size>) -> Result<(), PtnTextError> {
        let mut next = self.tags(line, size)?;
        while let Some(token) = next {
            self.take(&token)?;
            next = self.tokens.next();
        }
        match self.tokens.state() {
            State { brackets: 0, .. } => Ok(()),
            State { bracket_line: line, .. } => Err(PtnTextError { line, fault: PtnFault::OpenVariation }),
        }
    }

    /// Notes the rule that a token breaks.
    fn note_own(&mut self, token: &Token) {
        if let Some(rule) = token.leniency {
            self.note(token, rule);
        }
    }

    fn note(&mut self, token: &Token, rule: Leniency) {
        let text = match token.kind {
            Kind::Number(Number { name: None, word, .. }) => word,
            Kind::Open => self.tokens.line_from(token.at),
            _ => token.text,
        };
        self.deviations.at_line(token.line).note(rule, text);
    }

    /// Reads the tags and the comments among them. Returns the token after them.
    fn tags(&mut self, line: usize, size: Option<Size>) -> Result<Option<Token<'a>>, PtnTextError> {
        let mut tags = Tags::new(line);
        let next = loop {
            let Some(token) = self.tokens.next() else { break None };
            match token.kind {
                Kind::NoTag if gives_board(token.text) => return error(&token, PtnFault::Tag),
                Kind::Skipped | Kind::Tag(_) | Kind::NoTag | Kind::Comment(_) => self.note_own(&token),
                _ => break Some(token),
            }
            match token.kind {
                Kind::Tag(tag) => tags.push(tag, token.line, &mut self.deviations),
                Kind::NoTag => self.lines.comment(token.text),
                Kind::Comment(text) => {
                    self.is_opened_again = text.contains('{');
                    self.lines.comment(text);
                }
                _ => {}
            }
        };
        self.assumed_size = size.filter(|_| !tags.has("Size") && !tags.has("TPS"));
        let start = tags.start(size, &mut self.deviations);
        self.has_opening = tags.has("Opening");
        let game = &mut self.lines.game;
        (game.tags, game.start) = (tags.into_pairs(&mut game.comments), start?);
        Ok(next)
    }

    /// Takes a token after the tags.
    fn take(&mut self, token: &Token<'a>) -> Result<(), PtnTextError> {
        let after_number = self.after_number;
        if !matches!(token.kind, Kind::Skipped | Kind::Comment(_) | Kind::Open | Kind::Close) {
            self.after_number = matches!(token.kind, Kind::Number(_));
        }
        let is_main = self.lines.is_main();
        match token.kind {
            Kind::Skipped => self.note_own(token),
            Kind::Comment(text) => {
                self.note_own(token);
                self.is_opened_again = text.contains('{');
                if self.names_variation(token) {
                    self.lines.begin(text, token.at);
                } else {
                    self.lines.comment(text);
                }
            }
            Kind::OpenComment => return error(token, PtnFault::OpenComment),
            Kind::Open => {
                self.note_own(token);
                self.lines.enter(token.at + 1);
            }
            Kind::Close => {
                self.is_opened_again = false;
                self.lines.leave(self.tokens.state().brackets, token.at);
            }
            Kind::Number(number) => self.number(token, number),
            _ if self.lines.is_unread() => {}
            Kind::Result(result) if is_main => return self.result(token, result),
            Kind::Result(result) => self.lines.result(result),
            Kind::Placeholder if is_main => self.placeholder(token, after_number),
            Kind::Placeholder => self.lines.skip_white(),
            Kind::Marks(marks) => {
                self.note_own(token);
                if marks.is_empty() || !self.lines.marks(marks) {
                    self.lines.comment(token.text);
                }
            }
            Kind::Move | Kind::Tag(_) | Kind::NoTag if is_main => return self.main_move(token),
            Kind::Move | Kind::Tag(_) | Kind::NoTag => self.variation_move(token),
        }
        Ok(())
    }

    /// Takes a move number, and the name of a variation before it.
    fn number(&mut self, token: &Token<'a>, number: Number<'a>) {
        let game = &self.lines.game;
        let may_begin = !game.moves.is_empty() && self.tokens.state().brackets == 0;
        if let Some(name) = number.name.filter(|_| may_begin) {
            if self.lines.begin_numbered(name, token.at) {
                self.note(token, Leniency::Variation);
            }
        } else {
            let is_next = number.value == Some(game.turn(game.moves.len()).0) && game.result.is_none();
            if is_next && !self.lines.is_whole() {
                self.lines.finish(token.at);
            }
            if self.lines.is_main() {
                self.note_own(token);
            }
        }
        self.lines.number(number);
    }

    /// Takes the result of the game. The same one may come again in another form.
    fn result(&mut self, token: &Token<'a>, result: &str) -> Result<(), PtnTextError> {
        match self.lines.game.result.as_deref() {
            None => self.note_own(token),
            Some(before) if before == result => self.note(token, Leniency::ResultForm),
            Some(before) if winner_of(before).is_some() && winner_of(before) == winner_of(result) => {
                self.note(token, Leniency::ResultForm);
            }
            Some(_) => return error(token, PtnFault::AfterResult(excerpt(token.text))),
        }
        self.lines.game.result.get_or_insert_with(|| result.to_owned());
        Ok(())
    }

    /// Takes a move of the game.
    fn main_move(&mut self, token: &Token<'a>) -> Result<(), PtnTextError> {
        let (word, game) = (token.text, &mut self.lines.game);
        if game.result.is_some() {
            return error(token, PtnFault::AfterResult(excerpt(word)));
        }
        if let Some((line, next)) = self.placeholder {
            return Err(PtnTextError { line, fault: PtnFault::Placeholder(next) });
        }
        self.deviations.at_line(token.line);
        let mv = if game.moves.is_empty() {
            let mv = read_first_move(word, &mut game.start, self.has_opening, &mut self.deviations);
            if mv.is_ok() && game.start.places_stack() && !self.has_opening {
                self.has_opening = true;
                game.tags.push(("Opening".to_owned(), opening_tag(game.start.opening).to_owned()));
            }
            mv
        } else {
            read_move(word, game.start.size, &mut self.deviations)
        };
        let mv = mv.or_else(|fault| {
            let is_in_comment = word.contains('}') || self.is_opened_again;
            error(token, if is_in_comment { PtnFault::NestedComment } else { fault.into() })
        })?;
        self.is_opened_again = false;
        self.move_lines.push(token.line);
        self.lines.add(PtnMove { marks: marks_after(word), ..mv.into() });
        Ok(())
    }

    /// Takes a move of a variation, which ends at a word that is none.
    fn variation_move(&mut self, token: &Token<'a>) {
        let noted = self.deviations.at_line(token.line);
        let place = self.lines.place();
        let start = &self.lines.game.start;
        let mv = place.and_then(|plies| match plies {
            0 => read_first_move(token.text, &mut start.clone(), true, noted).ok(),
            _ => read_move(token.text, start.size, noted).ok(),
        });
        if let Some(mv) = mv {
            self.lines.add(PtnMove { marks: marks_after(token.text), ..mv.into() });
        } else {
            self.note(token, Leniency::SkippedVariation);
            self.lines.stop(token.at);
        }
    }

    /// Takes a placeholder. It replaces White's move if Black begins; it may also be next to the result, or repeat a
    /// move before it.
    fn placeholder(&mut self, token: &Token<'a>, after_number: bool) {
        let game = &self.lines.game;
        let black_next = (game.moves.len() + game.start.to_move.index()) % 2 == 1;
        let is_first = game.moves.is_empty() && black_next;
        let repeats = black_next && after_number;
        if !is_first && !repeats && game.result.is_none() {
            let next = Color::from_bit(u8::from(black_next));
            self.placeholder.get_or_insert((token.line, next));
        }
        if token.text != "--" || !is_first {
            self.note(token, Leniency::Placeholder);
        }
    }

    /// Returns whether a comment is the name of a variation: after a blank line, a move number follows, and before the
    /// result of the game one of a move that has been made.
    fn names_variation(&self, comment: &Token<'a>) -> bool {
        if !comment.after_blank_line || comment.text.starts_with(';') || self.tokens.state().brackets > 0 {
            return false;
        }
        let game = &self.lines.game;
        let mut ahead = self.tokens.clone().map(|token| token.kind).filter(|kind| !matches!(kind, Kind::Skipped));
        let Some(Kind::Number(number)) = ahead.next() else { return false };
        let (None, Some(value)) = (number.name, number.value.filter(|_| number.has_dots())) else { return false };
        if self.lines.is_whole() || game.result.is_some() {
            return true;
        }
        let is_black = number.is_black
            || match ahead.next() {
                Some(Kind::Number(dots)) => dots.value.is_none() && dots.is_black,
                next => matches!(next, Some(Kind::Placeholder)),
            };
        let made = 2 * game.start.move_number as usize + game.start.to_move.index() + game.moves.len();
        value < made && 2 * value + usize::from(is_black) < made
    }
}

fn error<T>(token: &Token, fault: PtnFault) -> Result<T, PtnTextError> {
    Err(PtnTextError { line: token.line, fault })
}

/// Returns whether text in brackets begins as a tag without which no game can be played.
fn gives_board(text: &str) -> bool {
    let name = text.trim_start_matches(['[', ' ']);
    ["Size", "TPS"].iter().any(|board| name.get(..board.len()).is_some_and(|name| name.eq_ignore_ascii_case(board)))
}

/// The marks at the end of a move.
fn marks_after(word: &str) -> String {
    let marked = plain(word).unwrap_or_else(|| word.to_owned());
    marks_of(marked.trim_end_matches([',', '.', ';', ':'])).to_owned()
}
