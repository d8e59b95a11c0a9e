//! Moves in PTN: `a1`, `Sa1`, `Ca1`, `c3>`, `3c3>21`.

use std::fmt;
use std::str::{Chars, FromStr};

use super::leniency::{plain, read_or_fold};
use super::{Deviations, Leniency, excerpt};
use crate::board::{Direction, Move, MoveKind, Pattern, PieceKind, Size, Square};

/// Error of parsing a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid move {text:?}: {fault}")]
pub struct MoveTextError {
    /// The text, shortened.
    pub text: String,
    /// The reason.
    #[source]
    pub fault: MoveFault,
}

/// The reason why the text of a move is invalid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MoveFault {
    /// An unexpected character, or an unexpected end.
    #[error("expected {expected} at character {at}, found {}", Found(*.found))]
    Unexpected {
        /// The index of the character in the text, from 1.
        at: usize,
        /// The character; `None` for the end of the text.
        found: Option<char>,
        /// The part of a move that belongs there.
        expected: MovePart,
    },
    /// The sum of the drops is not the number of pieces lifted.
    #[error("it lifts {lifted} and drops {dropped}")]
    Drops {
        /// Pieces lifted, 1 to 8.
        lifted: u8,
        /// The sum of the drops.
        dropped: u8,
    },
    /// More drops than the largest board has squares in one direction.
    #[error("a spread reaches {max} squares at most", max = MAX_DROPS)]
    TooFar,
    /// A square of a larger board.
    #[error("square {square} is not on a {size}x{size} board")]
    OffBoard {
        /// The square it names.
        square: Square,
        /// The board.
        size: Size,
    },
}

/// A part of a move's text that may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MovePart {
    /// A piece letter, the count of pieces lifted, or a file.
    Start,
    /// `a` to `h`.
    File,
    /// `1` to `8`.
    Rank,
    /// `+`, `-`, `<` or `>`.
    Direction,
    /// The pieces left on one square, `1` to `8`.
    Drop,
    /// The end, apart from marks.
    End,
}

impl fmt::Display for MovePart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Start => "a piece (F, S, C), a count (1 to 8) or a file (a to h)",
            Self::File => "a file (a to h)",
            Self::Rank => "a rank (1 to 8)",
            Self::Direction => "a direction (+ - < >)",
            Self::Drop => "a drop (1 to 8)",
            Self::End => "the end of the move",
        })
    }
}

struct Found(Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(found) => write!(f, "{found:?}"),
            None => f.write_str("its end"),
        }
    }
}

/// The drops of a spread over the whole width of the largest board.
const MAX_DROPS: usize = 7;

/// The marks that may follow a move: a wall flattened, Tak, tinue, good and bad moves.
pub(super) const MARKS: [char; 5] = ['*', '\'', '"', '!', '?'];

/// The marks at the end of a move's text.
pub(super) fn marks_of(text: &str) -> &str {
    &text[text.trim_end_matches(MARKS).len()..]
}

/// Reads one PTN move as [`Move`]'s `FromStr` does, and refuses squares outside a board of this size. Does not check
/// that the move is legal.
///
/// # Errors
/// [`MoveTextError`] for any other text.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::{Move, Size};
/// use tak_engine::notation::parse_move;
///
/// // Without a board, any square from a1 to h8 is fine.
/// let mv: Move = "3g3>21".parse()?;
/// assert_eq!(parse_move("3g3>21", Size::new(7)?)?, mv);
/// let error = parse_move("3g3>21", Size::new(5)?).unwrap_err();
/// assert_eq!(error.to_string(), "invalid move \"3g3>21\": square g3 is not on a 5x5 board");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parse_move(text: &str, size: Size) -> Result<Move, MoveTextError> {
    let mv: Move = text.parse()?;
    let square = mv.square();
    if square.column() >= size.width() || square.row() >= size.width() {
        return Err(MoveTextError { text: excerpt(text), fault: MoveFault::OffBoard { square, size } });
    }
    Ok(mv)
}

/// Reads a move as [`parse_move`] does, and also in non-standard forms: with capital squares, typographic marks, a
/// stone letter after the drops, or a comma after it. Deviations from the standard are noted.
///
/// # Errors
/// [`MoveTextError`] for any other text.
///
/// ```
/// # use tak_engine_core as tak_engine;
/// use tak_engine::board::Size;
/// use tak_engine::notation::{Deviations, read_move};
///
/// let mut deviations = Deviations::default();
/// let mv = read_move("3C3>12S*’,", Size::new(6)?, &mut deviations)?;
/// assert_eq!((mv.to_string().as_str(), deviations.count()), ("3c3>12", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_move(text: &str, size: Size, deviations: &mut Deviations) -> Result<Move, MoveTextError> {
    read_move_by(text, deviations, |text| parse_move(text, size))
}

/// Reads a move by `parse`, or else its standard form.
pub(super) fn read_move_by(
    text: &str,
    deviations: &mut Deviations,
    parse: impl Fn(&str) -> Result<Move, MoveTextError>,
) -> Result<Move, MoveTextError> {
    let mv = read_or_fold(text, deviations, &parse, standard_move)?;
    if text.starts_with(['f', 's', 'c']) && text[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
        deviations.note(Leniency::LetterCase, text);
    }
    Ok(mv)
}

/// The standard form of a move's text, and the first change made; `None` if nothing can be changed.
fn standard_move(text: &str) -> Option<(String, Leniency)> {
    let typed = plain(text);
    let plain = typed.as_deref().unwrap_or(text);
    let unended = plain.trim_end_matches([',', '.', ';', ':']);
    let (body, marks) = unended.split_at(unended.len() - marks_of(unended).len());
    let is_spread = body.contains(['+', '-', '<', '>']);
    let bare = if is_spread { body.strip_suffix(['F', 'S', 'C', 'f', 's', 'c']).unwrap_or(body) } else { body };
    let mut letters = bare.to_ascii_lowercase();
    let mut chars = letters.chars();
    let is_piece =
        chars.next().is_some_and(|c| "fsc".contains(c)) && chars.next().is_some_and(|c| c.is_ascii_alphabetic());
    if is_piece {
        letters[..1].make_ascii_uppercase();
    }
    let changes = [
        (typed.is_some(), Leniency::Typography),
        (unended.len() < plain.len(), Leniency::Punctuation),
        (bare.len() < body.len(), Leniency::StoneLetter),
        (letters != bare, Leniency::LetterCase),
    ];
    let (_, rule) = changes.into_iter().find(|&(is_changed, _)| is_changed)?;
    Some((letters + marks, rule))
}

/// Reads a move in PTN for any board; [`parse_move`] reads one for a board of a given size.
///
/// Piece letters may be lower case (`ca1`), `F`, drop counts and the count 1 may be written out (`Fa1`, `1a1>1`), and
/// any mix of the marks `*`, `'`, `"`, `!` and `?` may follow.
impl FromStr for Move {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Self, MoveTextError> {
        Reader::new(text.trim_end_matches(MARKS))
            .read_move()
            .map_err(|fault| MoveTextError { text: excerpt(text), fault })
    }
}

/// Moves with blanks between them.
pub fn moves_text(moves: &[Move]) -> String {
    moves.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// The unread rest of a move.
struct Reader<'a> {
    rest: Chars<'a>,
    /// Characters read.
    read: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars(), read: 0 }
    }

    fn read_move(mut self) -> Result<Move, MoveFault> {
        if let Some(kind) = self.piece() {
            let square = self.square(MovePart::File)?;
            self.end()?;
            return Ok(Move::place(kind, square));
        }
        let count = self.digit();
        let square = self.square(match count {
            Some(_) => MovePart::File,
            None => MovePart::Start,
        })?;
        if count.is_none() && self.rest.as_str().is_empty() {
            return Ok(Move::place(PieceKind::Flat, square));
        }
        let direction = self.direction()?;
        let pattern = self.drops(count.unwrap_or(1))?;
        Ok(Move::spread(square, direction, pattern))
    }

    /// A small letter is a piece only if another letter follows: `ca1` is a capstone, `c1` a square.
    fn piece(&mut self) -> Option<PieceKind> {
        let mut ahead = self.rest.clone();
        let letter = ahead.next()?;
        let kind = match letter.to_ascii_uppercase() {
            'F' => PieceKind::Flat,
            'S' => PieceKind::Wall,
            'C' => PieceKind::Cap,
            _ => return None,
        };
        if letter.is_ascii_lowercase() && !ahead.next().is_some_and(|c| c.is_ascii_alphabetic()) {
            return None;
        }
        self.take(|_| Some(kind))
    }

    /// `1` to `8`.
    fn digit(&mut self) -> Option<u8> {
        self.take(|c| ('1'..='8').contains(&c).then(|| c as u8 - b'0'))
    }

    fn square(&mut self, expected: MovePart) -> Result<Square, MoveFault> {
        let file =
            self.take(|c| ('a'..='h').contains(&c).then(|| c as u8 - b'a')).ok_or_else(|| self.unexpected(expected))?;
        let rank = self.digit().ok_or_else(|| self.unexpected(MovePart::Rank))?;
        Ok(Square::new(file.into(), usize::from(rank) - 1))
    }

    fn direction(&mut self) -> Result<Direction, MoveFault> {
        self.take(|c| Direction::ALL.into_iter().find(|d| d.symbol() == c))
            .ok_or_else(|| self.unexpected(MovePart::Direction))
    }

    /// The drops of `lifted` pieces; they are omitted if all pieces go to the first square.
    fn drops(&mut self, lifted: u8) -> Result<Pattern, MoveFault> {
        let mut drops = [0; MAX_DROPS];
        let mut length = 0;
        while let Some(drop) = self.digit() {
            *drops.get_mut(length).ok_or(MoveFault::TooFar)? = drop;
            length += 1;
        }
        if !self.rest.as_str().is_empty() {
            return Err(self.unexpected(MovePart::Drop));
        }
        if length == 0 {
            drops[0] = lifted;
            length = 1;
        }
        let dropped = drops.iter().sum();
        Pattern::from_drops(&drops[..length]).filter(|_| dropped == lifted).ok_or(MoveFault::Drops { lifted, dropped })
    }

    fn end(&self) -> Result<(), MoveFault> {
        match self.rest.as_str() {
            "" => Ok(()),
            _ => Err(self.unexpected(MovePart::End)),
        }
    }

    /// Consumes the next character if `meaning` accepts it.
    fn take<T>(&mut self, meaning: impl FnOnce(char) -> Option<T>) -> Option<T> {
        let mut ahead = self.rest.clone();
        let value = meaning(ahead.next()?)?;
        self.rest = ahead;
        self.read += 1;
        Some(value)
    }

    fn unexpected(&self, expected: MovePart) -> MoveFault {
        MoveFault::Unexpected { at: self.read + 1, found: self.rest.clone().next(), expected }
    }
}

/// As PTN, which is more readable than the bits.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The shortest PTN form: no `F`, no count of 1, no drops when all pieces go to one square, no marks.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = self.square();
        match self.kind() {
            MoveKind::Place(PieceKind::Flat) => write!(f, "{square}"),
            MoveKind::Place(PieceKind::Wall) => write!(f, "S{square}"),
            MoveKind::Place(PieceKind::Cap) => write!(f, "C{square}"),
            MoveKind::Spread(direction, pattern) => {
                if pattern.lifted() > 1 {
                    write!(f, "{}", pattern.lifted())?;
                }
                write!(f, "{square}{}", direction.symbol())?;
                if pattern.squares() > 1 {
                    for drop in pattern.drops() {
                        write!(f, "{}", drop.count)?;
                    }
                }
                Ok(())
            }
        }
    }
}
