//! The lines of front ends: one line of text to one [`Command`], and back.
//!
//! As TEI demands, an unknown word is skipped and the rest of its line is executed: [`read`] returns the command and
//! the fault, [`parse`] accepts faultless lines only. The tournaments of this program print commands to send them to
//! engines. A printed command reads back as the same command.

use std::fmt;

pub use super::fault::CommandError;
use super::fault::Fault;
pub use super::go_words::GoWords;
use super::number::{is_number, number, whole};
use crate::board::{Komi, Move, Setup, Size};
use crate::notation::{Deviations, read_setup};

/// One line of a front end. Moves stay text, since their meaning depends on the size of the game.
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
        /// Komi, if given.
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
    /// `go ...`: search.
    Go(GoWords<'a>),
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading<'a> {
    /// The command's word, see [`head`].
    pub head: &'a str,
    /// The command, or the reason why the line cannot be executed.
    pub command: Result<Command<'a>, CommandError>,
    /// The first invalid part of the line, which is skipped.
    pub fault: Option<CommandError>,
    /// Notation in its TPS that is accepted though it is not standard.
    pub deviations: Deviations,
}

const ONE_WORD_COMMANDS: [(&str, Command<'static>); 7] = [
    ("tei", Command::Tei),
    ("isready", Command::IsReady),
    ("stop", Command::Stop),
    ("quit", Command::Quit),
    ("show", Command::Show),
    ("d", Command::Draw),
    ("help", Command::Help),
];

/// The command's word in a line, even if the line is invalid: the first word, or the second if only that is a command.
pub fn head(line: &str) -> &str {
    let is_command = |word: &str| {
        matches!(word, "setoption" | "teinewgame" | "position" | "go")
            || ONE_WORD_COMMANDS.iter().any(|(name, _)| *name == word)
    };
    let mut words = line.split_ascii_whitespace();
    let first = words.next().unwrap_or_default();
    let second = words.next().filter(|word| is_command(word));
    if is_command(first) { first } else { second.unwrap_or(first) }
}

/// Reads one line of a program that writes valid commands.
///
/// # Errors
/// [`CommandError`] for any fault, even if [`read`] could skip it.
pub fn parse(line: &str) -> Result<Command<'_>, CommandError> {
    let Reading { command, fault, deviations, .. } = read(line);
    let fault = fault.or_else(|| (!deviations.is_empty()).then(|| CommandError::of(&deviations)));
    command.and_then(|command| fault.map_or(Ok(command), Err))
}

/// Reads one line and skips invalid parts, as long as it is clear which position, game or option the rest is about. An
/// invalid limit of `go` is replaced by the smallest: a search that was to have a limit must not run without end.
pub fn read(line: &str) -> Reading<'_> {
    let head = head(line);
    let mut words = line.split_ascii_whitespace();
    let unknown = words.next().filter(|&word| word != head);
    // Of its own, so that a refusal names what is wrong with the command.
    let mut fault = None;
    let mut deviations = Deviations::default();
    let rest: Vec<&str> = words.skip(usize::from(unknown.is_some())).collect();
    let command = match head {
        "setoption" => set_option(&rest, &mut fault),
        "teinewgame" => new_game(&rest, &mut fault),
        "position" => position(&rest, &mut fault, &mut deviations),
        "go" => Ok(Command::Go(GoWords::read(&rest, &mut fault))),
        _ => single(head, &rest, &mut fault),
    };
    Reading { head, command, fault: unknown.map(CommandError::unknown).or(fault), deviations }
}

fn single<'a>(head: &str, words: &[&str], fault: &mut Fault) -> Result<Command<'a>, CommandError> {
    let single = ONE_WORD_COMMANDS.into_iter().find(|(name, _)| *name == head);
    let (name, command) = single.ok_or_else(|| CommandError::unknown(head))?;
    if let Some(word) = words.first() {
        fault.get_or_insert_with(|| CommandError::unexpected(name, word));
    }
    Ok(command)
}

fn set_option<'a>(words: &[&str], fault: &mut Fault) -> Result<Command<'a>, CommandError> {
    let Some(at) = words.iter().position(|&word| word == "name") else {
        return Err(words
            .first()
            .map_or(CommandError::missing("name"), |word| CommandError::unexpected("setoption", word)));
    };
    let rest = &words[at + 1..];
    // After `value` the word may be a part of the value.
    if words[..at].contains(&"value") {
        return Err(CommandError::unexpected("setoption", words[0]));
    }
    if at > 0 {
        fault.get_or_insert_with(|| CommandError::unexpected("setoption", words[0]));
    }
    let mut parts = rest.splitn(2, |&word| word == "value");
    let name = parts.next().unwrap_or_default().join(" ");
    let value = parts.next().map(|words| words.join(" "));
    if name.is_empty() {
        return Err(CommandError::missing("the option's name"));
    }
    Ok(Command::SetOption { name, value })
}

fn new_game<'a>(words: &[&str], fault: &mut Fault) -> Result<Command<'a>, CommandError> {
    let read_size = |word| Size::new(number("size", word, 0, whole)?.unsigned_abs()).map_err(CommandError::of);
    let is_keyword = |word: &str| matches!(word, "size" | "halfkomi" | "komi");
    let (mut size, mut komi, named) = (None, None, words.contains(&"size"));
    let mut words = words.iter().copied().peekable();
    while let Some(word) = words.next() {
        match word {
            // Without a valid komi it is still clear which board is meant.
            "halfkomi" | "komi" if komi.is_none() => match read_komi(word, words.next_if(|next| !is_keyword(next))) {
                Ok(valid) => komi = Some(valid),
                Err(error) => _ = fault.get_or_insert(error),
            },
            _ if word == "size" || is_number(word) => {
                let number = if word == "size" { words.next() } else { Some(word) };
                // It is unclear which of two boards is meant.
                if size.replace(read_size(number)?).is_some() {
                    return Err(CommandError::unexpected("teinewgame", word));
                }
            }
            // A second komi is skipped like an unknown word, together with its value. A number after an unknown word
            // is its value, unless it is the only size there is.
            _ => {
                let is_value = |next: &&str| !is_keyword(next) && (is_keyword(word) || size.is_some() || named);
                let value = words.next_if(is_value);
                let found = value.map_or_else(|| word.to_owned(), |value| format!("{word} {value}"));
                fault.get_or_insert_with(|| CommandError::unexpected("teinewgame", &found));
            }
        }
    }
    match size {
        Some(size) => Ok(Command::NewGame { size, komi, named }),
        None => Err(fault.take().unwrap_or_else(|| CommandError::missing("size"))),
    }
}

/// Komi in half points after `halfkomi`, in points after `komi`.
fn read_komi(name: &str, word: Option<&str>) -> Result<Komi, CommandError> {
    if name == "halfkomi" {
        return Komi::from_half(number(name, word, i64::MIN, whole)?).map_err(CommandError::of);
    }
    word.ok_or_else(|| CommandError::missing(name))?.parse().map_err(CommandError::of)
}

fn position<'a>(
    words: &[&'a str],
    fault: &mut Fault,
    deviations: &mut Deviations,
) -> Result<Command<'a>, CommandError> {
    let is_start = |word: &&str| matches!(*word, "startpos" | "tps");
    let Some(at) = words.iter().position(is_start) else {
        let missing = CommandError::missing("startpos or tps");
        return Err(words.first().map_or(missing, |word| CommandError::unexpected("position", word)));
    };
    let mut parts = words[at + 1..].splitn(2, |&word| word == "moves");
    let setup = parts.next().unwrap_or_default();
    let moves = parts.next().unwrap_or_default().to_vec();
    let (tps, rest) = if words[at] == "startpos" {
        (None, [setup, &[]])
    } else {
        let (tps, rest) = find_setup(setup, deviations)?;
        (Some(tps), rest)
    };
    for word in words[..at].iter().chain(rest.into_iter().flatten()) {
        let unexpected = CommandError::unexpected("position", word);
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
        _ => Err(CommandError::of(format_args!("bad TPS: {error}"))),
    }
}

/// The line, without its line break. Texts in it must have none of their own.
impl fmt::Display for Command<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
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
            Self::Go(words) => write!(f, "go{words}"),
            single => {
                let (word, _) = ONE_WORD_COMMANDS.iter().find(|(_, command)| command == single).ok_or(fmt::Error)?;
                f.write_str(word)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::section;

    const TABLE: &str = include_str!("command.txt");

    /// The lines of a section of the table, each with what it says of them.
    fn rows(name: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
        section(TABLE, name).map(|row| row.split_once(" => ").unwrap())
    }

    #[test]
    fn lines_are_printed_in_standard_form() {
        let blank = [
            (" isready\r", "isready"),
            ("setoption name  Half  Komi value  4 x", "setoption name Half Komi value 4 x"),
            (" teinewgame\tsize 6  halfkomi -4\r", "teinewgame size 6 halfkomi -4"),
        ];
        for (line, printed) in rows("read, and printed in standard form").chain(blank) {
            assert_eq!(parse(line).unwrap().to_string(), printed, "{line}");
        }
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
                ..GoWords::default()
            }))
        );
    }

    #[test]
    fn invalid_words_are_skipped_and_reported() {
        for (line, read_as) in rows("read as other lines, with a fault") {
            let (same, fault) = read_as.split_once(" | ").unwrap();
            let reading = read(line);
            assert_eq!(reading.command, parse(same), "{line}");
            assert_eq!(reading.fault.unwrap().to_string(), fault, "{line}");
        }
        assert_eq!((head("foo position x"), head("foo bar position"), head(" go stop")), ("position", "foo", "go"));
    }

    #[test]
    fn lines_without_a_clear_meaning_are_refused() {
        for (line, reason) in rows("refused, with the beginning of the reason") {
            let refusal = read(line).command.unwrap_err().to_string();
            assert!(refusal.starts_with(reason), "{line}: {refusal}");
        }
    }
}
