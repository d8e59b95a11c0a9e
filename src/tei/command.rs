//! What a front end can say: one line of text to one [`Command`]. Pure; knows of no game and no search.

use crate::board::{Komi, KomiError, Setup, Size, SizeError};
use crate::notation::TpsError;

/// A line understood. Move texts stay text, since how they read depends on the size of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command<'a> {
    /// `tei`: introduce yourself.
    Tei,
    /// `isready`: answer when everything before this line is done.
    IsReady,
    /// `setoption name X value Y`.
    SetOption {
        /// X, its words separated by one blank.
        name: String,
        /// Y, its words separated by one blank. May be empty.
        value: String,
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

/// The numbers of a `go` line, as given. Times are in milliseconds.
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
        max: i64,
    },
    /// No board size.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// No komi.
    #[error(transparent)]
    Komi(#[from] KomiError),
    /// No position.
    #[error("bad TPS: {0}")]
    Tps(#[from] TpsError),
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
    CommandError::Unexpected {
        command,
        found: found.to_owned(),
    }
}

fn alone<'a>(
    name: &'static str,
    rest: &[&str],
    command: Command<'a>,
) -> Result<Command<'a>, CommandError> {
    match rest.first() {
        None => Ok(command),
        Some(word) => Err(unexpected(name, word)),
    }
}

/// A number from `min` up; its upper bound is that of an `i64`.
fn number(what: &'static str, word: Option<&&str>, min: i64) -> Result<i64, CommandError> {
    let word = *word.ok_or(CommandError::Missing(what))?;
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(CommandError::NotANumber {
            what,
            found: word.to_owned(),
        });
    }
    match word.parse() {
        Ok(number) if number >= min => Ok(number),
        _ => Err(CommandError::OutOfRange {
            what,
            found: word.to_owned(),
            min,
            max: i64::MAX,
        }),
    }
}

/// The time on a clock, in milliseconds. Front ends that subtract without a sign make one that is overstepped a number
/// just below 2^32 or 2^64.
fn clock(what: &'static str, word: Option<&&str>) -> Result<i64, CommandError> {
    const WRAPPED: i64 = 1 << 32;
    const HOUR: i64 = 3_600_000;
    if let Some(Ok(unsigned)) = word.map(|word| word.parse::<u64>())
        && unsigned > i64::MAX.unsigned_abs()
    {
        return Ok(unsigned.cast_signed());
    }
    let time = number(what, word, i64::MIN)?;
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
    // An option that takes text may be given none.
    let value = value.ok_or(CommandError::Missing("the option's value"))?;
    Ok(Command::SetOption { name, value })
}

fn new_game<'a>(words: &[&str]) -> Result<Command<'a>, CommandError> {
    let mut words = words.iter().peekable();
    let named = words.next_if(|&&word| word == "size").is_some();
    let size = Size::new(number("size", words.next(), 0)?.unsigned_abs())?;
    let komi = match words.next_if(|&&word| word == "halfkomi") {
        Some(_) => Some(Komi::from_half(number(
            "halfkomi",
            words.next(),
            i64::MIN,
        )?)?),
        None => None,
    };
    match words.next() {
        None => Ok(Command::NewGame { size, komi, named }),
        Some(word) => Err(unexpected("teinewgame", word)),
    }
}

fn position<'a>(words: &[&'a str]) -> Result<Command<'a>, CommandError> {
    let (&start, rest) = words
        .split_first()
        .ok_or(CommandError::Missing("startpos or tps"))?;
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

fn go(words: &[&str]) -> Result<GoWords, CommandError> {
    let mut go = GoWords::default();
    let mut words = words.iter();
    while let Some(&word) = words.next() {
        let (what, slot, min) = match word {
            "wtime" => ("wtime", &mut go.wtime, i64::MIN),
            "btime" => ("btime", &mut go.btime, i64::MIN),
            "winc" => ("winc", &mut go.winc, 0),
            "binc" => ("binc", &mut go.binc, 0),
            "movestogo" => ("movestogo", &mut go.movestogo, 1),
            "movetime" => ("movetime", &mut go.movetime, 0),
            "depth" => ("depth", &mut go.depth, 1),
            "nodes" => ("nodes", &mut go.nodes, 1),
            "infinite" if go.infinite => return Err(CommandError::Repeated("infinite")),
            "infinite" => {
                go.infinite = true;
                continue;
            }
            "solved" if go.solved => return Err(CommandError::Repeated("solved")),
            "solved" => {
                go.solved = true;
                continue;
            }
            _ => return Err(unexpected("go", word)),
        };
        if slot.is_some() {
            return Err(CommandError::Repeated(what));
        }
        *slot = Some(match what {
            "wtime" | "btime" => clock(what, words.next())?,
            _ => number(what, words.next(), min)?,
        });
    }
    if go.solved && go.depth.is_some() {
        return Err(CommandError::Conflict("solved", "depth"));
    }
    Ok(go)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(width: u64) -> Size {
        Size::new(width).unwrap()
    }

    #[test]
    fn both_forms_of_a_new_game() {
        let game = |width, komi, named| Command::NewGame {
            size: size(width),
            komi,
            named,
        };
        let komi = |half| Some(Komi::from_half(half).unwrap());
        assert_eq!(parse("teinewgame 5"), Ok(game(5, None, false)));
        assert_eq!(parse("teinewgame size 7"), Ok(game(7, None, true)));
        assert_eq!(
            parse(" teinewgame\tsize 6  halfkomi -4\r"),
            Ok(game(6, komi(-4), true))
        );
        assert_eq!(
            parse("teinewgame 6 halfkomi 4"),
            Ok(game(6, komi(4), false))
        );
        for (line, error) in [
            ("teinewgame", "size is missing"),
            ("teinewgame size", "size is missing"),
            (
                "teinewgame 9",
                "board size 9 is not supported, expected 3 to 8",
            ),
            ("teinewgame six", "size takes a whole number, not \"six\""),
            ("teinewgame size 6 halfkomi", "halfkomi is missing"),
            (
                "teinewgame size 6 halfkomi 2.5",
                "halfkomi takes a whole number, not \"2.5\"",
            ),
            ("teinewgame 6 komi 2", "unexpected \"komi\" in teinewgame"),
            (
                "teinewgame 6 halfkomi 2 x",
                "unexpected \"x\" in teinewgame",
            ),
        ] {
            assert_eq!(parse(line).unwrap_err().to_string(), error, "{line}");
        }
    }

    #[test]
    fn positions() {
        let startpos = |moves| Command::Position { tps: None, moves };
        assert_eq!(parse("position startpos"), Ok(startpos(vec![])));
        assert_eq!(parse("position startpos moves "), Ok(startpos(vec![])));
        assert_eq!(
            parse("position startpos moves a1 Cb2*'"),
            Ok(startpos(vec!["a1", "Cb2*'"]))
        );
        let tps = "x3/x,12C,x/x3 1 5";
        assert_eq!(
            parse(&format!("position tps {tps} moves a1")),
            Ok(Command::Position {
                tps: Some(tps.parse::<Setup>().unwrap()),
                moves: vec!["a1"]
            })
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
            parse(
                "go binc 3 depth 7 wtime -20 infinite btime 9 winc 0 nodes 5 movetime 0 movestogo 1"
            ),
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
        // 41 days and 292 million years are clocks.
        assert_eq!(
            parse("go wtime 3600000000 btime 9223372036854775807"),
            Ok(Command::Go(GoWords {
                wtime: Some(3_600_000_000),
                btime: Some(i64::MAX),
                ..GoWords::default()
            }))
        );
        assert_eq!(
            parse("go solved movetime 5"),
            Ok(Command::Go(GoWords {
                movetime: Some(5),
                solved: true,
                ..GoWords::default()
            }))
        );
        for (line, error) in [
            ("go depth", "depth is missing"),
            ("go depth x", "depth takes a whole number, not \"x\""),
            (
                "go depth depth 3",
                "depth takes a whole number, not \"depth\"",
            ),
            (
                "go depth 0",
                "depth 0 is out of range, expected 1 to 9223372036854775807",
            ),
            (
                "go nodes 99999999999999999999",
                "nodes 99999999999999999999 is out of range, expected 1 to 9223372036854775807",
            ),
            (
                "go winc -1",
                "winc -1 is out of range, expected 0 to 9223372036854775807",
            ),
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
        assert_eq!(
            parse("setoption name  Half  Komi value  4 x"),
            Ok(Command::SetOption {
                name: "Half Komi".to_owned(),
                value: "4 x".to_owned()
            })
        );
        for line in [
            "setoption",
            "setoption Hash 5",
            "setoption name",
            "setoption name Hash",
            "setoption name value 5",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
        let no_text = Command::SetOption {
            name: "WeightsFile".to_owned(),
            value: String::new(),
        };
        assert_eq!(parse("setoption name WeightsFile value"), Ok(no_text));
    }
}
