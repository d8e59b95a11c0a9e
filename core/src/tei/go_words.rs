//! The words after `go`.

use std::{fmt, iter, mem};

use super::fault::{CommandError, Fault};
use super::number::{number, rounded};

/// The words after `go`. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GoWords<'a> {
    /// White's clock, below zero when overstepped.
    pub wtime: Option<i64>,
    /// Black's clock, below zero when overstepped.
    pub btime: Option<i64>,
    /// Increment of White's clock per move, at least 0.
    pub winc: Option<i64>,
    /// Increment of Black's clock per move, at least 0.
    pub binc: Option<i64>,
    /// Moves to the next time control, at least 1.
    pub movestogo: Option<i64>,
    /// Time for this move, at least 0.
    pub movetime: Option<i64>,
    /// Plies, at least 1.
    pub depth: Option<i64>,
    /// Positions, at least 1.
    pub nodes: Option<i64>,
    /// True with the word `infinite`. Other limits are ignored then.
    pub infinite: bool,
    /// True with the word `solved`: prove the result. Cannot be combined with `depth`.
    pub solved: bool,
    /// The moves after `searchmoves`, the only ones to search. Empty for all moves.
    pub searchmoves: Vec<&'a str>,
}

/// A field of [`GoWords`] that holds a number.
type Number = for<'g> fn(&'g mut GoWords<'_>) -> &'g mut Option<i64>;

/// The words of `go` that are followed by a number, with its minimum, in the order in which they are printed.
const NUMBER_WORDS: [(&str, i64, Number); 8] = [
    ("wtime", i64::MIN, |go| &mut go.wtime),
    ("btime", i64::MIN, |go| &mut go.btime),
    ("winc", 0, |go| &mut go.winc),
    ("binc", 0, |go| &mut go.binc),
    ("movestogo", 1, |go| &mut go.movestogo),
    ("movetime", 0, |go| &mut go.movetime),
    ("nodes", 1, |go| &mut go.nodes),
    ("depth", 1, |go| &mut go.depth),
];

/// A word of `go` without a number.
type Flag = for<'g> fn(&'g mut GoWords<'_>) -> &'g mut bool;

const FLAG_WORDS: [(&str, Flag); 2] = [("infinite", |go| &mut go.infinite), ("solved", |go| &mut go.solved)];

/// The word of `go` before the only moves to search.
const SEARCHMOVES: &str = "searchmoves";

impl<'a> GoWords<'a> {
    /// Reads the words. Invalid ones are skipped, and an invalid number counts as the smallest.
    pub(super) fn read(words: &[&'a str], fault: &mut Fault) -> Self {
        let mut go = Self::default();
        let mut note = |error| {
            fault.get_or_insert(error);
        };
        let mut words = words.iter().copied().peekable();
        while let Some(word) = words.next() {
            let is_repeated = if let Some((_, flag)) = FLAG_WORDS.into_iter().find(|(name, _)| *name == word) {
                mem::replace(flag(&mut go), true)
            } else if let Some((name, min, slot)) = NUMBER_WORDS.into_iter().find(|(name, ..)| *name == word) {
                let value = words.next_if(|word| !is_go_word(word));
                let number = match name {
                    "wtime" | "btime" => clock(name, value),
                    _ => number(name, value, min, rounded),
                };
                // A clock is empty then.
                let number = number.unwrap_or_else(|error| {
                    note(error);
                    min.max(0)
                });
                slot(&mut go).replace(number).is_some()
            } else if word == SEARCHMOVES {
                let moves: Vec<&str> = iter::from_fn(|| words.next_if(|word| !is_go_word(word))).collect();
                if moves.is_empty() {
                    note(CommandError::missing("the move after searchmoves"));
                }
                !mem::replace(&mut go.searchmoves, moves).is_empty()
            } else {
                note(CommandError::unexpected("go", word));
                false
            };
            if is_repeated {
                note(CommandError::repeated(word));
            }
        }
        if go.solved && go.depth.take().is_some() {
            note(CommandError::of("solved and depth cannot be combined"));
        }
        go
    }

    /// Returns whether this asks for a move in a game: there are clocks, and nothing else to limit the search. Depth,
    /// nodes and a fixed time are for analysis and tests, which must end with their answer and must not depend on
    /// earlier questions.
    pub(super) fn is_of_a_game(&self) -> bool {
        let is_limited = [self.movetime, self.nodes, self.depth].iter().any(Option::is_some);
        let is_more = is_limited || self.infinite || self.solved || !self.searchmoves.is_empty();
        self.has_clock() && !is_more
    }

    /// Returns whether there is a word about clocks.
    pub(super) fn has_clock(&self) -> bool {
        [self.wtime, self.btime, self.winc, self.binc, self.movestogo].iter().any(Option::is_some)
    }
}

/// Returns whether a word is one of those after `go`.
fn is_go_word(word: &str) -> bool {
    let mut numbers = NUMBER_WORDS.iter().map(|(name, ..)| *name);
    word == SEARCHMOVES || numbers.any(|name| name == word) || FLAG_WORDS.iter().any(|(name, _)| *name == word)
}

/// The time on a clock, in milliseconds. Front ends with unsigned numbers write an overstepped clock as a number just
/// below 2^32 or 2^64.
fn clock(what: &str, word: Option<&str>) -> Result<i64, CommandError> {
    const WRAP_MILLIS: i64 = 1 << 32;
    const HOUR_MILLIS: i64 = 3_600_000;
    if let Some(Ok(unsigned)) = word.map(str::parse::<u64>)
        && unsigned > i64::MAX.unsigned_abs()
    {
        return Ok(unsigned.cast_signed());
    }
    let time = number(what, word, i64::MIN, rounded)?;
    let wrapped = (WRAP_MILLIS - HOUR_MILLIS..WRAP_MILLIS).contains(&time);
    Ok(if wrapped { time - WRAP_MILLIS } else { time })
}

/// The words as they are read, with a blank before each.
impl fmt::Display for GoWords<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = self.clone();
        for (name, _, slot) in NUMBER_WORDS {
            if let Some(number) = *slot(&mut words) {
                write!(f, " {name} {number}")?;
            }
        }
        for (name, flag) in FLAG_WORDS {
            if *flag(&mut words) {
                write!(f, " {name}")?;
            }
        }
        if !self.searchmoves.is_empty() {
            write!(f, " {SEARCHMOVES}")?;
        }
        self.searchmoves.iter().try_for_each(|mv| write!(f, " {mv}"))
    }
}
