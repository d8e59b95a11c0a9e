//! What a front end says: one line of text to one [`Command`], and back. Knows of no game and no search.
//!
//! Reading is strict: whatever does not belong is an error. Printed, a command is what this program's own tournaments
//! send to engines. A printed command reads back as the same command.

use std::fmt;

use crate::board::{Komi, KomiError, Setup, Size, SizeError};
use crate::notation::SetupTextError;

/// One line of a front end. Moves stay text, since what they mean depends on the size of the game.
///
/// ```
/// use tak_engine::tei::command::{Command, parse};
///
/// let command = parse("position startpos moves a1 e5")?;
/// assert_eq!(command, Command::Position { tps: None, moves: vec!["a1", "e5"] });
/// assert_eq!(command.to_string(), "position startpos moves a1 e5");
/// # Ok::<(), tak_engine::tei::command::CommandError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// `tei`: introduce yourself.
    Tei,
    /// `isready`: answer when everything before this line is done.
    IsReady,
    /// `setoption name X [value Y]`.
    SetOption {
        /// X, its words separated by one blank; the word `value` is not among them.
        name: String,
        /// Y, its words separated by one blank. Empty for no text; `None` for a button, which has no value.
        value: Option<String>,
    },
    /// `teinewgame N` or `teinewgame size N [halfkomi K]`.
    NewGame {
        /// The board.
        size: Size,
        /// Komi, where given.
        komi: Option<Komi>,
        /// Whether the word `size` was there, which only front ends of the later dialect write.
        named: bool,
    },
    /// `position startpos|tps BOARD SIDE NUMBER [moves ...]`.
    Position {
        /// `None` for the start position.
        tps: Option<Setup>,
        /// The moves from there.
        moves: Vec<&'a str>,
    },
    /// `go ...`.
    Go(GoWords),
    /// `stop`: end the search.
    Stop,
    /// `quit`: end the program.
    Quit,
    /// `show`: print the position.
    Show,
}

/// What follows `go`. Times are in milliseconds.
///
/// ```
/// use tak_engine::tei::command::{Command, GoWords};
///
/// let go = GoWords { wtime: Some(60_000), btime: Some(58_500), ..GoWords::default() };
/// assert_eq!(Command::Go(go).to_string(), "go wtime 60000 btime 58500");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GoWords {
    /// White's clock, below zero when overstepped.
    pub wtime: Option<i64>,
    /// Black's clock, below zero when overstepped.
    pub btime: Option<i64>,
    /// What White's clock gains a move, at least 0.
    pub winc: Option<i64>,
    /// What Black's clock gains a move, at least 0.
    pub binc: Option<i64>,
    /// Moves to the next time control, at least 1.
    pub movestogo: Option<i64>,
    /// Time for this move, at least 0.
    pub movetime: Option<i64>,
    /// Plies, at least 1.
    pub depth: Option<i64>,
    /// Positions, at least 1.
    pub nodes: Option<i64>,
    /// Whether the word `infinite` was among them.
    pub infinite: bool,
    /// Whether the word `solved` was among them: prove the result. Does not go with `depth`.
    pub solved: bool,
}

/// Why a line is no command.
///
/// ```
/// use tak_engine::tei::command::{CommandError, parse};
///
/// assert_eq!(parse("go depth 3 depth 4"), Err(CommandError::Repeated("depth")));
/// assert_eq!(parse("go faster").unwrap_err().to_string(), "unexpected \"faster\" in go");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word means nothing.
    #[error("unknown command \"{0:.40}\"")]
    Unknown(String),
    /// The line ends too early.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A word that does not belong there.
    #[error("unexpected \"{found:.40}\" in {command}")]
    Unexpected {
        /// The first word of the line.
        command: &'static str,
        /// The word.
        found: String,
    },
    /// A word given twice.
    #[error("{0} is given twice")]
    Repeated(&'static str),
    /// Two words that do not go together.
    #[error("{0} and {1} do not go together")]
    Conflict(&'static str, &'static str),
    /// A number was expected.
    #[error("{what} takes a whole number, not \"{found:.40}\"")]
    NotANumber {
        /// What the number would be.
        what: &'static str,
        /// The word found.
        found: String,
    },
    /// A number that is too small or too large.
    #[error("{what} {found:.40} is out of range, expected {min} to {max}")]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// The number.
        found: String,
        /// The smallest accepted.
        min: i64,
        /// The largest accepted.
        max: u64,
    },
    /// No board size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// No komi.
    #[error(transparent)]
    Komi(#[from] KomiError),
    /// No position.
    #[error("bad TPS: {0}")]
    Tps(#[from] SetupTextError),
}

/// The first word of a line: what it is about, whether or not it can be obeyed.
#[must_use]
pub fn head(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or_default()
}

/// Reads one line.
///
/// # Errors
/// [`CommandError`] says what is wrong with it.
pub fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let mut words = line.split_ascii_whitespace();
    let head = words.next().unwrap_or_default();
    let rest: Vec<&str> = words.collect();
    match head {
        "tei" => alone("tei", &rest, Command::Tei),
        "isready" => alone("isready", &rest, Command::IsReady),
        "stop" => alone("stop", &rest, Command::Stop),
        "quit" => alone("quit", &rest, Command::Quit),
        "show" => alone("show", &rest, Command::Show),
        "setoption" => set_option(&rest),
        "teinewgame" => new_game(&rest),
        "position" => position(&rest),
        "go" => go(&rest).map(Command::Go),
        _ => Err(CommandError::Unknown(head.to_owned())),
    }
}

fn unexpected(command: &'static str, found: &str) -> CommandError {
    CommandError::Unexpected { command, found: found.to_owned() }
}

fn alone<'a>(name: &'static str, rest: &[&str], command: Command<'a>) -> Result<Command<'a>, CommandError> {
    match rest.first() {
        None => Ok(command),
        Some(word) => Err(unexpected(name, word)),
    }
}

/// A number from `min` up to the largest `i64`.
fn number(what: &'static str, word: Option<&&str>, min: i64) -> Result<i64, CommandError> {
    let word = *word.ok_or(CommandError::Missing(what))?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::NotANumber { what, found: word.to_owned() });
    }
    match word.parse() {
        Ok(number) if number >= min => Ok(number),
        _ => Err(CommandError::OutOfRange { what, found: word.to_owned(), min, max: i64::MAX.unsigned_abs() }),
    }
}

/// The time on a clock, in milliseconds. Front ends that subtract without a sign write an overstepped clock as a number
/// just below 2^32 or 2^64.
fn clock(what: &'static str, word: Option<&&str>) -> Result<i64, CommandError> {
    const WRAPPED: i64 = 1 << 32;
    const HOUR: i64 = 3_600_000;
    if let Some(Ok(unsigned)) = word.map(|word| word.parse::<u64>())
        && unsigned > i64::MAX.unsigned_abs()
    {
        return Ok(unsigned.cast_signed());
    }
    let time = number(what, word, i64::MIN).map_err(|error| match error {
        CommandError::OutOfRange { what, found, min, .. } => {
            CommandError::OutOfRange { what, found, min, max: u64::MAX }
        }
        other => other,
    })?;
    let wrapped = (WRAPPED - HOUR..WRAPPED).contains(&time);
    Ok(if wrapped { time - WRAPPED } else { time })
}

fn set_option<'a>(words: &[&str]) -> Result<Command<'a>, CommandError> {
    let rest = match words {
        ["name", rest @ ..] => rest,
        [word, ..] => return Err(unexpected("setoption", word)),
        [] => return Err(CommandError::Missing("name")),
    };
    let mut parts = rest.splitn(2, |&word| word == "value");
    let name = parts.next().unwrap_or_default().join(" ");
    let value = parts.next().map(|words| words.join(" "));
    if name.is_empty() {
        return Err(CommandError::Missing("the option's name"));
    }
    Ok(Command::SetOption { name, value })
}

fn new_game<'a>(words: &[&str]) -> Result<Command<'a>, CommandError> {
    let mut words = words.iter().peekable();
    let named = words.next_if(|&&word| word == "size").is_some();
    let size = Size::new(number("size", words.next(), 0)?.unsigned_abs())?;
    let komi = match words.next_if(|&&word| word == "halfkomi") {
        Some(_) => Some(Komi::from_half(number("halfkomi", words.next(), i64::MIN)?)?),
        None => None,
    };
    match words.next() {
        None => Ok(Command::NewGame { size, komi, named }),
        Some(word) => Err(unexpected("teinewgame", word)),
    }
}

fn position<'a>(words: &[&'a str]) -> Result<Command<'a>, CommandError> {
    let (&start, rest) = words.split_first().ok_or(CommandError::Missing("startpos or tps"))?;
    let mut parts = rest.splitn(2, |&word| word == "moves");
    let setup = parts.next().unwrap_or_default();
    let moves = parts.next().unwrap_or_default().to_vec();
    let tps = match start {
        "startpos" => {
            if let Some(word) = setup.first() {
                return Err(unexpected("position startpos", word));
            }
            None
        }
        "tps" => Some(setup.join(" ").parse::<Setup>()?),
        word => return Err(unexpected("position", word)),
    };
    Ok(Command::Position { tps, moves })
}

/// A field of [`GoWords`] that holds a number.
type Number = fn(&mut GoWords) -> &mut Option<i64>;

/// The words of `go` that a number follows, with the smallest it may be, in the order in which they are printed.
const NUMBERS: [(&str, i64, Number); 8] = [
    ("wtime", i64::MIN, |go| &mut go.wtime),
    ("btime", i64::MIN, |go| &mut go.btime),
    ("winc", 0, |go| &mut go.winc),
    ("binc", 0, |go| &mut go.binc),
    ("movestogo", 1, |go| &mut go.movestogo),
    ("movetime", 0, |go| &mut go.movetime),
    ("nodes", 1, |go| &mut go.nodes),
    ("depth", 1, |go| &mut go.depth),
];

/// A word of `go` that stands alone.
type Flag = fn(&mut GoWords) -> &mut bool;

const FLAGS: [(&str, Flag); 2] = [("infinite", |go| &mut go.infinite), ("solved", |go| &mut go.solved)];

fn go(words: &[&str]) -> Result<GoWords, CommandError> {
    let mut go = GoWords::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        if let Some((name, flag)) = FLAGS.into_iter().find(|(name, _)| *name == word) {
            let flag = flag(&mut go);
            if *flag {
                return Err(CommandError::Repeated(name));
            }
            *flag = true;
            continue;
        }
        let Some((name, min, slot)) = NUMBERS.into_iter().find(|(name, ..)| *name == word) else {
            return Err(unexpected("go", word));
        };
        let slot = slot(&mut go);
        if slot.is_some() {
            return Err(CommandError::Repeated(name));
        }
        *slot = Some(match name {
            "wtime" | "btime" => clock(name, words.next())?,
            _ => number(name, words.next(), min)?,
        });
    }
    if go.solved && go.depth.is_some() {
        return Err(CommandError::Conflict("solved", "depth"));
    }
    Ok(go)
}

/// The line, without its line break. Texts in it must have none of their own.
impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tei => f.write_str("tei"),
            Self::IsReady => f.write_str("isready"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {value}"),
                }
            }
            Self::NewGame { size, komi, named } => {
                let size_word = if *named { " size" } else { "" };
                write!(f, "teinewgame{size_word} {size}")?;
                match komi {
                    Some(komi) => write!(f, " halfkomi {}", komi.half()),
                    None => Ok(()),
                }
            }
            Self::Position { tps, moves } => {
                match tps {
                    None => f.write_str("position startpos")?,
                    Some(setup) => write!(f, "position tps {setup}")?,
                }
                // The word stands even before an empty list: some engines insist on it.
                f.write_str(" moves")?;
                moves.iter().try_for_each(|mv| write!(f, " {mv}"))
            }
            Self::Go(words) => {
                f.write_str("go")?;
                let mut words = *words;
                for (name, _, slot) in NUMBERS {
                    if let Some(number) = *slot(&mut words) {
                        write!(f, " {name} {number}")?;
                    }
                }
                for (name, flag) in FLAGS {
                    if *flag(&mut words) {
                        write!(f, " {name}")?;
                    }
                }
                Ok(())
            }
            Self::Stop => f.write_str("stop"),
            Self::Quit => f.write_str("quit"),
            Self::Show => f.write_str("show"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64) -> Size {
        Size::new(width).unwrap()
    }

    #[test]
    fn both_forms_of_a_new_game() {
        let game = |width, komi, named| Command::NewGame { size: size(width), komi, named };
        let komi = |half| Some(Komi::from_half(half).unwrap());
        assert_eq!(parse("teinewgame 5"), Ok(game(5, None, false)));
        assert_eq!(parse("teinewgame size 7"), Ok(game(7, None, true)));
        assert_eq!(parse(" teinewgame\tsize 6  halfkomi -4\r"), Ok(game(6, komi(-4), true)));
        assert_eq!(parse("teinewgame 6 halfkomi 4"), Ok(game(6, komi(4), false)));
        for (line, error) in [
            ("teinewgame", "size is missing"),
            ("teinewgame size", "size is missing"),
            ("teinewgame 9", "board size 9 is not supported, expected 3 to 8"),
            ("teinewgame six", "size takes a whole number, not \"six\""),
            ("teinewgame size 6 halfkomi", "halfkomi is missing"),
            ("teinewgame size 6 halfkomi 2.5", "halfkomi takes a whole number, not \"2.5\""),
            ("teinewgame 6 komi 2", "unexpected \"komi\" in teinewgame"),
            ("teinewgame 6 halfkomi 2 x", "unexpected \"x\" in teinewgame"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), error, "{line}");
        }
    }

    #[test]
    fn positions() {
        let startpos = |moves| Command::Position { tps: None, moves };
        assert_eq!(parse("position startpos"), Ok(startpos(vec![])));
        assert_eq!(parse("position startpos moves "), Ok(startpos(vec![])));
        assert_eq!(parse("position startpos moves a1 Cb2*'"), Ok(startpos(vec!["a1", "Cb2*'"])));
        let tps = "x3/x,12C,x/x3 1 5";
        assert_eq!(
            parse(&format!("position tps {tps} moves a1")),
            Ok(Command::Position { tps: Some(tps.parse::<Setup>().unwrap()), moves: vec!["a1"] })
        );
        for line in [
            "position",
            "position moves a1",
            "position startpos a1",
            "position tps",
            "position tps x3/x3/x3 1",
            "position tps x3/x3/x3 1 1 a1",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn go_takes_any_mix() {
        assert_eq!(parse("go"), Ok(Command::Go(GoWords::default())));
        assert_eq!(
            parse("go binc 3 depth 7 wtime -20 infinite btime 9 winc 0 nodes 5 movetime 0 movestogo 1"),
            Ok(Command::Go(GoWords {
                wtime: Some(-20),
                btime: Some(9),
                winc: Some(0),
                binc: Some(3),
                movestogo: Some(1),
                movetime: Some(0),
                depth: Some(7),
                nodes: Some(5),
                infinite: true,
                solved: false,
            }))
        );
        assert_eq!(
            parse("go wtime 4294966796 btime 18446744073709551116 winc 4294966796 binc 0"),
            Ok(Command::Go(GoWords {
                wtime: Some(-500),
                btime: Some(-500),
                winc: Some(4_294_966_796),
                binc: Some(0),
                ..GoWords::default()
            }))
        );
        // Large clocks that are not just below 2^32 or 2^64 stay as they are.
        assert_eq!(
            parse("go wtime 3600000000 btime 9223372036854775807"),
            Ok(Command::Go(GoWords { wtime: Some(3_600_000_000), btime: Some(i64::MAX), ..GoWords::default() }))
        );
        assert_eq!(
            parse("go solved movetime 5"),
            Ok(Command::Go(GoWords { movetime: Some(5), solved: true, ..GoWords::default() }))
        );
        for (line, error) in [
            ("go depth", "depth is missing"),
            ("go depth x", "depth takes a whole number, not \"x\""),
            ("go depth depth 3", "depth takes a whole number, not \"depth\""),
            ("go depth 0", "depth 0 is out of range, expected 1 to 9223372036854775807"),
            (
                "go nodes 99999999999999999999",
                "nodes 99999999999999999999 is out of range, expected 1 to 9223372036854775807",
            ),
            (
                "go wtime 99999999999999999999",
                "wtime 99999999999999999999 is out of range, expected -9223372036854775808 to 18446744073709551615",
            ),
            ("go winc -1", "winc -1 is out of range, expected 0 to 9223372036854775807"),
            ("go wtime 1 wtime 2", "wtime is given twice"),
            ("go solved solved", "solved is given twice"),
            ("go depth 5 solved", "solved and depth do not go together"),
            ("go ponder", "unexpected \"ponder\" in go"),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), error, "{line}");
        }
    }

    #[test]
    fn options() {
        let set = |name: &str, value: Option<&str>| {
            Ok(Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
        };
        assert_eq!(parse("setoption name  Half  Komi value  4 x"), set("Half Komi", Some("4 x")));
        assert_eq!(parse("setoption name WeightsFile value"), set("WeightsFile", Some("")));
        assert_eq!(parse("setoption name Clear"), set("Clear", None));
        for line in ["setoption", "setoption Hash 5", "setoption name", "setoption name value 5"] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn what_is_sent_to_engines() {
        let printed = |line| parse(line).unwrap().to_string();
        for line in [
            "tei",
            "isready",
            "setoption name HalfKomi value 4",
            "setoption name Book value",
            "setoption name Clear",
            "teinewgame 5",
            "teinewgame size 6 halfkomi -4",
            "position startpos moves",
            "position startpos moves a1 Cb2*'",
            "position tps x3/x,12C,x/x3 1 5 moves a1",
            "go wtime 10000 btime 9000 winc 100 binc 0 movestogo 3 movetime 50 nodes 7 depth 2 infinite",
            "go solved",
            "stop",
            "quit",
            "show",
        ] {
            assert_eq!(printed(line), line);
        }
        assert_eq!(printed("position startpos"), "position startpos moves");
        assert_eq!(printed("go wtime 4294966796"), "go wtime -500");
    }
}
