//! The lines of front ends: one line of text to one [`Command`], and back.
//!
//! As TEI demands, an unknown word is skipped and the rest of its line is executed: [`read`] returns the command and
//! the fault, [`parse`] accepts faultless lines only. The tournaments of this program print commands to send them to
//! engines. A printed command reads back as the same command.

use std::fmt;

use crate::board::{Komi, KomiError, Move, Setup, Size, SizeError};
use crate::notation::{Deviations, KomiTextError, SetupTextError, read_setup};

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
    /// `tei`: print name, sizes and options.
    Tei,
    /// `isready`: answer when all earlier lines are executed.
    IsReady,
    /// `setoption name X [value Y]`.
    SetOption {
        /// X, its words separated by one blank; the word `value` is not among them.
        name: String,
        /// Y, its words separated by one blank. Empty for no text; `None` for a button, which has no value.
        value: Option<String>,
    },
    /// `teinewgame N` or `teinewgame size N [halfkomi K]`, or `komi K` in flats.
    NewGame {
        /// The board.
        size: Size,
        /// Komi, where given.
        komi: Option<Komi>,
        /// True with the word `size`, which only front ends of the later dialect write.
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
    /// `d`: draw the board.
    Draw,
    /// `help`: print the commands.
    Help,
}

/// A line as it was understood.
///
/// ```
/// use tak_engine::tei::command::{Command, CommandError, GoWords, read};
///
/// let reading = read("go faster nodes 200")?;
/// assert_eq!(reading.command, Command::Go(GoWords { nodes: Some(200), ..GoWords::default() }));
/// assert_eq!(reading.fault.unwrap().to_string(), "unexpected \"faster\" in go");
/// # Ok::<(), CommandError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading<'a> {
    /// The command.
    pub command: Command<'a>,
    /// The first invalid part of the line, which is skipped.
    pub fault: Option<CommandError>,
}

/// The words after `go`. Times are in milliseconds.
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
}

/// A line that is not a valid command.
///
/// ```
/// use tak_engine::tei::command::{CommandError, parse};
///
/// assert_eq!(parse("go depth 3 depth 4"), Err(CommandError::Repeated("depth")));
/// assert_eq!(parse("go faster").unwrap_err().to_string(), "unexpected \"faster\" in go");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The first word is unknown.
    #[error("unknown command \"{0:.40}\"")]
    Unknown(String),
    /// The line ends too early.
    #[error("{0} is missing")]
    Missing(&'static str),
    /// A word that is not allowed there.
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
    /// Two words that cannot be combined.
    #[error("{0} and {1} cannot be combined")]
    Conflict(&'static str, &'static str),
    /// A number was expected.
    #[error("{what} takes a whole number, not \"{found:.40}\"")]
    NotANumber {
        /// The meaning of the number.
        what: &'static str,
        /// The word found.
        found: String,
    },
    /// A number that is too small or too large.
    #[error("{what} {found:.40} is out of range, expected {min} to {max}")]
    OutOfRange {
        /// The meaning of the number.
        what: &'static str,
        /// The number.
        found: String,
        /// The smallest accepted.
        min: i64,
        /// The largest accepted.
        max: u64,
    },
    /// An invalid board size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// An invalid komi in half points.
    #[error(transparent)]
    Komi(#[from] KomiError),
    /// An invalid komi in flats.
    #[error(transparent)]
    KomiText(#[from] KomiTextError),
    /// A position that is not in standard notation.
    #[error("{0}")]
    NotStandard(Deviations),
    /// An invalid position.
    #[error("bad TPS: {0}")]
    Tps(#[from] SetupTextError),
}

/// The first words of the commands.
const HEADS: [&str; 11] =
    ["tei", "isready", "setoption", "teinewgame", "position", "go", "stop", "quit", "show", "d", "help"];

/// The command's word in a line, even if the line is invalid: the first word, or the second if only that is a command.
#[must_use]
pub fn head(line: &str) -> &str {
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    let second = words.next().filter(|word| HEADS.contains(word));
    if HEADS.contains(&first) { first } else { second.unwrap_or(first) }
}

/// Reads one line of a program that writes what it should.
///
/// # Errors
/// [`CommandError`] for any fault, even if [`read`] could skip it.
pub fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let Reading { command, fault } = read(line)?;
    fault.map_or(Ok(command), Err)
}

/// Reads one line and skips invalid parts, as long as it is clear which position, game or option the rest is about. An
/// invalid limit of `go` is replaced by the nearest valid one, or by the smallest: a search that was to have a limit
/// must not run without end.
///
/// # Errors
/// [`CommandError`] for a line that cannot be executed.
pub fn read(line: &str) -> Result<Reading<'_>, CommandError> {
    let head = head(line);
    let mut words = line.split_ascii_whitespace();
    let unknown = words.next().filter(|&word| word != head);
    let mut fault = unknown.map(|word| CommandError::Unknown(word.to_owned()));
    let rest: Vec<&str> = words.skip(usize::from(unknown.is_some())).collect();
    let command = match head {
        "tei" => alone("tei", &rest, Command::Tei, &mut fault),
        "isready" => alone("isready", &rest, Command::IsReady, &mut fault),
        "stop" => alone("stop", &rest, Command::Stop, &mut fault),
        "quit" => alone("quit", &rest, Command::Quit, &mut fault),
        "show" => alone("show", &rest, Command::Show, &mut fault),
        "d" => alone("d", &rest, Command::Draw, &mut fault),
        "help" => alone("help", &rest, Command::Help, &mut fault),
        "setoption" => set_option(&rest, &mut fault)?,
        "teinewgame" => new_game(&rest, &mut fault)?,
        "position" => position(&rest, &mut fault)?,
        "go" => Command::Go(go(&rest, &mut fault)),
        _ => return Err(CommandError::Unknown(head.to_owned())),
    };
    Ok(Reading { command, fault })
}

/// The first part of a line that was skipped.
type Fault = Option<CommandError>;

fn unexpected(command: &'static str, found: &str) -> CommandError {
    CommandError::Unexpected { command, found: found.to_owned() }
}

fn alone<'a>(name: &'static str, rest: &[&str], command: Command<'a>, fault: &mut Fault) -> Command<'a> {
    if let Some(word) = rest.first() {
        fault.get_or_insert_with(|| unexpected(name, word));
    }
    command
}

/// Returns whether a word is a whole number, of any size.
fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// A number from `min` up to the largest `i64`.
fn number(what: &'static str, word: Option<&str>, min: i64) -> Result<i64, CommandError> {
    let word = word.ok_or(CommandError::Missing(what))?;
    if !is_number(word) {
        return Err(CommandError::NotANumber { what, found: word.to_owned() });
    }
    match word.parse() {
        Ok(number) if number >= min => Ok(number),
        _ => Err(CommandError::OutOfRange { what, found: word.to_owned(), min, max: i64::MAX.unsigned_abs() }),
    }
}

/// The time on a clock, in milliseconds. Front ends with unsigned numbers write an overstepped clock as a number just
/// below 2^32 or 2^64.
fn clock(what: &'static str, word: Option<&str>) -> Result<i64, CommandError> {
    const WRAPPED: i64 = 1 << 32;
    const HOUR: i64 = 3_600_000;
    if let Some(Ok(unsigned)) = word.map(str::parse::<u64>)
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

fn set_option<'a>(words: &[&str], fault: &mut Fault) -> Result<Command<'a>, CommandError> {
    let Some(at) = words.iter().position(|&word| word == "name") else {
        return Err(words.first().map_or(CommandError::Missing("name"), |word| unexpected("setoption", word)));
    };
    let rest = &words[at + 1..];
    // After `value` the word may be a part of the value.
    if words[..at].contains(&"value") {
        return Err(unexpected("setoption", words[0]));
    }
    if at > 0 {
        fault.get_or_insert_with(|| unexpected("setoption", words[0]));
    }
    let mut parts = rest.splitn(2, |&word| word == "value");
    let name = parts.next().unwrap_or_default().join(" ");
    let value = parts.next().map(|words| words.join(" "));
    if name.is_empty() {
        return Err(CommandError::Missing("the option's name"));
    }
    Ok(Command::SetOption { name, value })
}

fn new_game<'a>(words: &[&str], fault: &mut Fault) -> Result<Command<'a>, CommandError> {
    let read_size = |word| Ok::<_, CommandError>(Size::new(number("size", word, 0)?.unsigned_abs())?);
    let is_keyword = |word: &str| matches!(word, "size" | "halfkomi" | "komi");
    let (mut size, mut komi, named) = (None, None, words.contains(&"size"));
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            "halfkomi" if komi.is_none() => {
                komi = Some(Komi::from_half(number("halfkomi", words.next(), i64::MIN)?)?);
            }
            "komi" if komi.is_none() => {
                komi = Some(words.next().ok_or(CommandError::Missing("komi"))?.parse::<Komi>()?);
            }
            _ if word == "size" || is_number(word) => {
                let number = if word == "size" { words.next() } else { Some(word) };
                // It is unclear which of two boards is meant.
                if size.replace(read_size(number)?).is_some() {
                    return Err(unexpected("teinewgame", word));
                }
            }
            // A second komi is skipped like an unknown word, together with its value. A number after an unknown word
            // is its value, unless it is the only size there is.
            _ => {
                let is_value = |next: &&str| !is_keyword(next) && (is_keyword(word) || size.is_some() || named);
                let value = words.next_if(is_value);
                let found = value.map_or_else(|| word.to_owned(), |value| format!("{word} {value}"));
                fault.get_or_insert_with(|| unexpected("teinewgame", &found));
            }
        }
    }
    match size {
        Some(size) => Ok(Command::NewGame { size, komi, named }),
        None => Err(fault.take().unwrap_or(CommandError::Missing("size"))),
    }
}

fn position<'a>(words: &[&'a str], fault: &mut Fault) -> Result<Command<'a>, CommandError> {
    let is_start = |word: &&str| matches!(*word, "startpos" | "tps");
    let Some(at) = words.iter().position(is_start) else {
        let missing = CommandError::Missing("startpos or tps");
        return Err(words.first().map_or(missing, |word| unexpected("position", word)));
    };
    let mut parts = words[at + 1..].splitn(2, |&word| word == "moves");
    let setup = parts.next().unwrap_or_default();
    let moves = parts.next().unwrap_or_default().to_vec();
    let (tps, rest) = if words[at] == "startpos" {
        (None, [setup, &[]])
    } else {
        let mut deviations = Deviations::default();
        let (tps, rest) = find_setup(setup, &mut deviations)?;
        if !deviations.is_empty() {
            *fault = Some(CommandError::NotStandard(deviations));
        }
        (Some(tps), rest)
    };
    for word in words[..at].iter().chain(rest.into_iter().flatten()) {
        let unexpected = unexpected("position", word);
        // If the word may be a move or another position, it is unclear which position is meant.
        if is_start(word) || *word == "moves" || word.parse::<Move>().is_ok() {
            return Err(unexpected);
        }
        fault.get_or_insert(unexpected);
    }
    Ok(Command::Position { tps, moves })
}

/// Reads the words as a TPS; if they are not one, the only three of them that are. Returns the words before and after
/// it too.
fn find_setup<'w, 'a>(
    words: &'w [&'a str],
    deviations: &mut Deviations,
) -> Result<(Setup, [&'w [&'a str]; 2]), CommandError> {
    let read = |words: &[&str]| words.join(" ").parse::<Setup>();
    let error = match read_setup(&words.join(" "), deviations) {
        Ok(setup) => return Ok((setup, [&[], &[]])),
        Err(error) => error,
    };
    let parts = words.windows(3).enumerate().filter_map(|(at, part)| Some((at, read(part).ok()?)));
    match &parts.take(2).collect::<Vec<_>>()[..] {
        [(at, setup)] => Ok((setup.clone(), [&words[..*at], &words[at + 3..]])),
        _ => Err(error.into()),
    }
}

/// A field of [`GoWords`] that holds a number.
type Number = fn(&mut GoWords) -> &mut Option<i64>;

/// The words of `go` that are followed by a number, with its minimum, in the order in which they are printed.
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

/// A word of `go` without a number.
type Flag = fn(&mut GoWords) -> &mut bool;

const FLAGS: [(&str, Flag); 2] = [("infinite", |go| &mut go.infinite), ("solved", |go| &mut go.solved)];

fn go(words: &[&str], fault: &mut Fault) -> GoWords {
    let mut go = GoWords::default();
    let mut note = |error| {
        fault.get_or_insert(error);
    };
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        if let Some((name, flag)) = FLAGS.into_iter().find(|(name, _)| *name == word) {
            if std::mem::replace(flag(&mut go), true) {
                note(CommandError::Repeated(name));
            }
        } else if let Some((name, min, slot)) = NUMBERS.into_iter().find(|(name, ..)| *name == word) {
            let value = words.next_if(|word| !is_go_word(word));
            let number = match name {
                "wtime" | "btime" => clock(name, value),
                _ => number(name, value, min),
            };
            let number = number.unwrap_or_else(|error| {
                let nearest = nearest(&error, min);
                note(error);
                nearest
            });
            if slot(&mut go).replace(number).is_some() {
                note(CommandError::Repeated(name));
            }
        } else {
            note(unexpected("go", word));
        }
    }
    if go.solved && go.depth.take().is_some() {
        note(CommandError::Conflict("solved", "depth"));
    }
    go
}

/// Returns whether a word is one of those after `go`.
fn is_go_word(word: &str) -> bool {
    NUMBERS.iter().any(|(name, ..)| *name == word) || FLAGS.iter().any(|(name, _)| *name == word)
}

/// The limit instead of an invalid one. For a clock that is 0.
fn nearest(error: &CommandError, min: i64) -> i64 {
    let is_too_large = |found: &str| !found.starts_with('-') && !found.trim_matches(['+', '0']).is_empty();
    match error {
        CommandError::OutOfRange { found, .. } if is_too_large(found) => i64::MAX,
        _ => min.max(0),
    }
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
                // Some engines need the word even before an empty list.
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
            Self::Draw => f.write_str("d"),
            Self::Help => f.write_str("help"),
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
        assert_eq!(parse("teinewgame size 6 komi 4"), Ok(game(6, komi(8), true)), "the example of TEI's text");
        assert_eq!(parse("teinewgame komi -2.5 size 6"), Ok(game(6, komi(-5), true)));
        let reading = read("teinewgame fast size 6 rated komi 2").unwrap();
        assert_eq!(reading.command, game(6, komi(4), true));
        assert_eq!(reading.fault.unwrap().to_string(), "unexpected \"fast\" in teinewgame");
        for (line, same, skipped) in [
            ("teinewgame size 6 foo 4", "teinewgame size 6", "foo 4"),
            ("teinewgame foo 4 size 6", "teinewgame size 6", "foo 4"),
            ("teinewgame fast 6", "teinewgame 6", "fast"),
            ("teinewgame size 6 halfkomi 4 komi 1", "teinewgame size 6 halfkomi 4", "komi 1"),
            ("teinewgame size 6 komi 1 halfkomi x", "teinewgame size 6 halfkomi 2", "halfkomi x"),
            ("teinewgame halfkomi 4 komi size 6", "teinewgame size 6 halfkomi 4", "komi"),
        ] {
            let reading = read(line).unwrap();
            assert_eq!(Ok(reading.command), parse(same), "{line}");
            assert_eq!(reading.fault, Some(unexpected("teinewgame", skipped)), "{line}");
        }
        for (line, error) in [
            ("teinewgame", "size is missing"),
            ("teinewgame size", "size is missing"),
            ("teinewgame 9", "board size 9 is not supported, expected 3 to 8"),
            ("teinewgame six", "unexpected \"six\" in teinewgame"),
            ("teinewgame size six", "size takes a whole number, not \"six\""),
            ("teinewgame 5 6", "unexpected \"6\" in teinewgame"),
            ("teinewgame 6 komi", "komi is missing"),
            ("teinewgame 6 komi x", "invalid komi \"x\": expected whole or half points, for example 2, 2.5 or -1"),
            ("teinewgame size 6 halfkomi", "halfkomi is missing"),
            ("teinewgame size 6 halfkomi 2.5", "halfkomi takes a whole number, not \"2.5\""),
        ] {
            assert_eq!(read(line).unwrap_err().to_string(), error, "{line}");
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
            "position tps x3/x3/x3 1 1 tps x3/x3/x3 1 1",
            "position startpos a1 moves b2",
            "position moves a1 startpos",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
    }

    #[test]
    fn unknown_words_of_a_position_are_skipped() {
        let tps = "x3/x,12C,x/x3 1 5";
        for (line, same, word) in [
            ("position startpos foo moves a1 e5".to_owned(), "position startpos moves a1 e5".to_owned(), "foo"),
            ("position foo startpos".to_owned(), "position startpos".to_owned(), "foo"),
            (format!("position tps {tps} foo bar moves a1"), format!("position tps {tps} moves a1"), "foo"),
            (format!("position tps new {tps}"), format!("position tps {tps}"), "new"),
        ] {
            let reading = read(&line).unwrap();
            assert_eq!(Ok(reading.command), parse(&same), "{line}");
            assert_eq!(reading.fault, Some(unexpected("position", word)), "{line}");
        }
    }

    #[test]
    fn commands_without_words_skip_any() {
        for line in ["tei", "isready", "stop", "quit", "show", "d", "help"] {
            let with_words = format!("{line} now 1");
            let reading = read(&with_words).unwrap();
            assert_eq!(Ok(reading.command), parse(line));
            assert_eq!(reading.fault.unwrap().to_string(), format!("unexpected \"now\" in {line}"));
        }
    }

    #[test]
    fn unknown_words_before_a_command_or_name_are_skipped() {
        for (line, same, error) in [
            ("foo isready", "isready", "unknown command \"foo\""),
            ("foo go bar nodes 5", "go nodes 5", "unknown command \"foo\""),
            ("setoption foo name Hash value 16", "setoption name Hash value 16", "unexpected \"foo\" in setoption"),
        ] {
            let reading = read(line).unwrap();
            assert_eq!(Ok(reading.command), parse(same), "{line}");
            assert_eq!(reading.fault.unwrap().to_string(), error, "{line}");
        }
        assert_eq!((head("foo position x"), head("foo bar position"), head(" go stop")), ("position", "foo", "go"));
        for line in ["foo", "foo bar isready", "setoption value name Hash"] {
            assert!(read(line).is_err(), "{line}");
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
    }

    #[test]
    fn invalid_words_of_go_are_skipped() {
        for (line, same, error) in [
            ("go foo nodes 200", "go nodes 200", "unexpected \"foo\" in go"),
            ("go ponder wtime 5 btime 6", "go wtime 5 btime 6", "unexpected \"ponder\" in go"),
            ("go mate 3", "go", "unexpected \"mate\" in go"),
            ("go depth", "go depth 1", "depth is missing"),
            ("go depth x", "go depth 1", "depth takes a whole number, not \"x\""),
            ("go movetime 1.5 nodes 9", "go movetime 0 nodes 9", "movetime takes a whole number, not \"1.5\""),
            ("go wtime btime 5", "go wtime 0 btime 5", "wtime is missing"),
            ("go depth 0", "go depth 1", "depth 0 is out of range, expected 1 to 9223372036854775807"),
            (
                "go nodes 99999999999999999999",
                "go nodes 9223372036854775807",
                "nodes 99999999999999999999 is out of range, expected 1 to 9223372036854775807",
            ),
            (
                "go wtime -99999999999999999999",
                "go wtime 0",
                "wtime -99999999999999999999 is out of range, expected -9223372036854775808 to 18446744073709551615",
            ),
            ("go winc -1", "go winc 0", "winc -1 is out of range, expected 0 to 9223372036854775807"),
            ("go wtime 1 wtime 2", "go wtime 2", "wtime is given twice"),
            ("go solved solved", "go solved", "solved is given twice"),
            ("go depth 5 solved", "go solved", "solved and depth cannot be combined"),
        ] {
            let reading = read(line).unwrap();
            assert_eq!(Ok(reading.command), parse(same), "{line}");
            assert_eq!(reading.fault.unwrap().to_string(), error, "{line}");
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
    fn commands_are_printed_as_read() {
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
            "d",
            "help",
        ] {
            assert_eq!(printed(line), line);
        }
        assert_eq!(printed("position startpos"), "position startpos moves");
        assert_eq!(printed("go wtime 4294966796"), "go wtime -500");
    }
}
