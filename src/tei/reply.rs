//! What an engine says: one line of text to one [`Reply`], and back.
//!
//! Printed, a reply is what this engine says. Reading is lenient, since the lines come from other engines: words that
//! mean nothing are passed over. A printed reply reads back as the same reply.

use std::fmt;

use super::handshake::{OptionLine, SizeLine};
use super::info::Info;
use super::joined;

/// What stands for no move after `bestmove`: the game is over, or there is no position.
pub const NO_MOVE: &str = "--";

/// One line of an engine.
///
/// ```
/// use tak_engine::tei::reply::{Reply, parse};
///
/// let reply = parse("bestmove 3c3>12")?;
/// assert_eq!(reply, Reply::BestMove("3c3>12".to_owned()));
/// assert_eq!(reply.to_string(), "bestmove 3c3>12");
/// # Ok::<(), tak_engine::tei::reply::ReplyError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `id KEY TEXT`.
    Id {
        /// `name`, `author` or `version`, or whatever else an engine tells of itself.
        key: String,
        /// Its words separated by one blank. May be empty.
        text: String,
    },
    /// `size ...`: boards and komi.
    Size(SizeLine),
    /// `option ...`: something that can be set.
    Option(OptionLine),
    /// `teiok`: the end of the answer to `tei`.
    TeiOk,
    /// `readyok`: the answer to `isready`.
    ReadyOk,
    /// `info ...`: what the engine thinks, or a complaint.
    Info(Info),
    /// `bestmove MOVE`: the end of a search. The text is any word, [`NO_MOVE`], or empty where an engine wrote none.
    BestMove(String),
}

/// Why a line is no reply.
///
/// ```
/// use tak_engine::tei::reply::{ReplyError, parse};
///
/// assert_eq!(parse("loading the book"), Err(ReplyError::Unknown));
/// assert_eq!(parse("size small"), Err(ReplyError::Malformed("size")));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    /// The first word is not one of TEI's.
    #[error("the line says nothing that TEI knows")]
    Unknown,
    /// The rest does not go with the first word, which is this one.
    #[error("the {0} line is malformed")]
    Malformed(&'static str),
}

/// Reads one line.
///
/// # Errors
/// [`ReplyError`] for a line that can be passed over.
pub fn parse(line: &str) -> Result<Reply, ReplyError> {
    let line = line.trim_start();
    let (head, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let mut words = rest.split_ascii_whitespace();
    let reply = match head {
        "id" => {
            let key = words.next().ok_or(ReplyError::Malformed("id"))?;
            Reply::Id { key: key.to_owned(), text: joined(words) }
        }
        "size" => Reply::Size(SizeLine::parse(words).ok_or(ReplyError::Malformed("size"))?),
        "option" => Reply::Option(OptionLine::parse(words).ok_or(ReplyError::Malformed("option"))?),
        "teiok" => Reply::TeiOk,
        "readyok" => Reply::ReadyOk,
        "info" => Reply::Info(Info::parse(words).ok_or(ReplyError::Malformed("info"))?),
        "bestmove" => Reply::BestMove(words.next().unwrap_or_default().to_owned()),
        _ => return Err(ReplyError::Unknown),
    };
    Ok(reply)
}

/// The line, without its line break. Texts in it must have none of their own.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id { key, text } => write!(f, "id {key} {text}"),
            Self::Size(size) => write!(f, "{size}"),
            Self::Option(option) => write!(f, "{option}"),
            Self::TeiOk => f.write_str("teiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => write!(f, "{info}"),
            Self::BestMove(mv) => write!(f, "bestmove {mv}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::handshake::OptionKind;
    use super::super::info::Rest;
    use super::*;

    #[test]
    fn blanks_and_further_words_are_passed_over() {
        for line in ["teiok", " teiok", "\tteiok 1"] {
            assert_eq!(parse(line), Ok(Reply::TeiOk));
        }
        assert_eq!(parse("readyok "), Ok(Reply::ReadyOk));
        for (line, mv) in
            [("bestmove a1", "a1"), (" bestmove\ta1 ponder b2", "a1"), ("bestmove --", NO_MOVE), ("bestmove", "")]
        {
            assert_eq!(parse(line), Ok(Reply::BestMove(mv.to_owned())), "{line}");
        }
        let error = Info::of(Rest::Error("no board".to_owned()));
        assert_eq!(parse("info error  no board"), Ok(Reply::Info(error)));
        for line in ["", "  ", "teiokay", "bestmoves a1", "hello", "readyok_"] {
            assert_eq!(parse(line), Err(ReplyError::Unknown), "{line}");
        }
    }

    #[test]
    fn options_of_every_kind_are_read_and_printed() {
        for line in [
            "option name Ponder type check default false",
            "option name Move Overhead type spin default 10 min 0 max 1000",
            "option name Style type combo default wild var wild var calm and cool",
            "option name Clear type button",
            "option name Book type string default <empty>",
        ] {
            assert_eq!(parse(line).unwrap().to_string(), line);
        }
        // What a line leaves out is told.
        let unbounded = parse("option name halfkomi type spin default 0").unwrap();
        let Reply::Option(option) = &unbounded else {
            panic!("{unbounded}");
        };
        assert_eq!(option.kind, OptionKind::Spin { min: -9, max: 9 });
        assert_eq!(parse("size 7"), parse("size 7 halfkomi 0"));
    }

    #[test]
    fn malformed_lines_say_of_which_kind_they_are() {
        for (line, kind) in [
            ("option", "option"),
            ("option name", "option"),
            ("option type spin", "option"),
            ("option name X type", "option"),
            ("option name X type knob", "option"),
            ("option x name Y type check", "option"),
            ("option name Z type spin default a min b max c", "option"),
            ("size", "size"),
            ("size x halfkomi y", "size"),
            ("id", "id"),
            ("info depth 3 multipv x", "info"),
        ] {
            assert_eq!(parse(line), Err(ReplyError::Malformed(kind)), "{line}");
        }
    }
}
