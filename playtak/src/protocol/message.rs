//! Messages of the server.

use std::time::Duration;

use super::layout::{Field, GAME_START, OPEN_SEEK, Version, Words};
use super::moves::read_move;
use crate::seek::Extra;
use tak_engine::board::{AnyPosition, ByColor, Color, Komi, Move, OpeningRule, Reserve, Setup, Size};

/// A line from the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    LoginPrompt,
    /// The login was accepted, under this name.
    LoggedIn(String),
    AuthenticationFailure,
    SeekNew(OpenSeek),
    SeekRemoved(u64),
    /// A game begins or is resumed.
    GameStart(GameStart),
    /// A game with this number begins on unreadable terms.
    UnreadableStart(u64, String),
    /// All moves of a resumed game have been sent.
    Resumed,
    Game(u64, GameEvent),
    /// A private message of a player.
    Tell {
        from: String,
        text: String,
    },
    /// Another program has logged in with the same name, and this connection ends.
    Replaced,
    /// A message of the server for people.
    Notice(String),
    /// A command was understood.
    Ok,
    /// A command was refused or not understood.
    Nok,
    /// Any other line, also an invalid one.
    Other,
}

/// A seek that is on offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSeek {
    /// The number to accept.
    pub number: u64,
    pub owner: String,
    /// The version of the line.
    pub version: Version,
    /// The terms that are not supported.
    pub fault: Option<String>,
}

/// The terms of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameStart {
    /// The number in the lines of the game.
    pub number: u64,
    pub players: ByColor<String>,
    /// The colour of this program.
    pub color: Color,
    pub board: BoardTerms,
    /// The time on each clock at the start.
    pub time: Duration,
    /// Added after each move.
    pub increment: Duration,
    /// True if the increment is multiplied by the number of the player's move, from 1.
    pub scales: bool,
    /// Added once.
    pub extra: Option<Extra>,
}

/// The terms of a game that its first position shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoardTerms {
    pub size: u64,
    /// Half points for Black.
    pub half_komi: i64,
    /// Flats and walls of each player.
    pub pieces: u64,
    /// Capstones of each player.
    pub caps: u64,
    /// Swap or a double black stack.
    pub opening: OpeningRule,
}

impl BoardTerms {
    /// `None` if a word is missing or invalid.
    fn read(words: &Words) -> Option<Self> {
        Some(Self {
            size: words.number(Field::Size)?,
            half_komi: words.number(Field::HalfKomi)?,
            pieces: words.number(Field::Pieces)?,
            caps: words.number(Field::Caps)?,
            opening: words.code(Field::Opening, OPENINGS)?,
        })
    }

    /// The position before the first move. An error names the terms that are not supported.
    pub fn position(&self) -> anyhow::Result<AnyPosition> {
        let size = Size::new(self.size)?;
        // A number that does not fit is refused as too large.
        let count = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
        let reserve = Reserve { stones: count(self.pieces), caps: count(self.caps) };
        let empty = Setup::empty(size, Komi::from_half(self.half_komi)?);
        let setup = Setup { reserves: ByColor([reserve; 2]), opening: self.opening, ..empty };
        Ok(AnyPosition::from_setup(&setup)?)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameEvent {
    Move(Move),
    UnreadableMove(String),
    /// The time left on both clocks.
    Clocks(ByColor<Duration>),
    /// A player has given the other one time. The clocks follow.
    GivenTime,
    /// The game is over, with this result as in PTN, or an unknown one.
    Over(Option<&'static str>),
    /// The game is over, since this player has left.
    Abandoned(String),
    OfferDraw,
    RemoveDraw,
    RequestUndo,
    RemoveUndo,
    Undo,
}

/// The maximum of all times, so that sums cannot overflow: 100 days.
pub const MAX_TIME: Duration = Duration::from_secs(100 * 24 * 60 * 60);

/// The opening rules of the server, by their codes.
const OPENINGS: [OpeningRule; 2] = [OpeningRule::Swap, OpeningRule::DoubleBlack];

/// The results of the server.
const RESULTS: [&str; 8] = ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0"];

impl Message {
    /// Reads a line, with or without its line break.
    pub fn read(line: &str) -> Self {
        let line = line.trim_end();
        Self::simple(line)
            .or_else(|| Self::spoken(line))
            .or_else(|| {
                // Other blanks of ISO-8859-1 may be part of a name.
                let words: Vec<&str> = line.split_ascii_whitespace().collect();
                match words[..] {
                    ["Game", "Start", ref terms @ ..] => {
                        let start = game_start(terms).map(Self::GameStart);
                        start.or_else(|| unreadable_start(terms))
                    }
                    ["Seek", "new", ref seek @ ..] => open_seek(seek).map(Self::SeekNew),
                    ["Seek", "remove", number, ..] => number.parse().ok().map(Self::SeekRemoved),
                    [game, ref event @ ..] => {
                        let number = game.strip_prefix("Game#")?.parse().ok()?;
                        Some(Self::Game(number, game_event(event)?))
                    }
                    [] => None,
                }
            })
            .unwrap_or(Self::Other)
    }

    fn simple(line: &str) -> Option<Self> {
        Some(match line {
            "Login or Register" => Self::LoginPrompt,
            "Authentication failure" => Self::AuthenticationFailure,
            "OK" => Self::Ok,
            "NOK" => Self::Nok,
            "Message Your game is resumed" => Self::Resumed,
            _ => {
                let name = line.strip_prefix("Welcome ")?.strip_suffix('!')?;
                Self::LoggedIn(name.to_owned())
            }
        })
    }

    /// Messages for people.
    fn spoken(line: &str) -> Option<Self> {
        if let Some(tell) = line.strip_prefix("Tell <") {
            let (from, text) = tell.split_once('>')?;
            // The name is part of the answer, so it must be a single word.
            if from.is_empty() || from.contains(|c: char| c.is_whitespace() || c.is_control()) {
                return None;
            }
            return Some(Self::Tell { from: from.to_owned(), text: text.trim_start().to_owned() });
        }
        // Errors of the server come with and without a colon.
        let text = ["Message ", "Error:", "Error "].iter().find_map(|start| line.strip_prefix(start))?;
        if text.starts_with("You've logged in from another window") {
            return Some(Self::Replaced);
        }
        Some(Self::Notice(text.trim_start().to_owned()))
    }
}

/// `None` also for an unknown opening.
fn open_seek(words: &[&str]) -> Option<OpenSeek> {
    let [number, owner, ref terms @ ..] = *words else {
        return None;
    };
    let terms = OPEN_SEEK.read(terms)?;
    matches!(terms.get(Field::Color)?, "W" | "B" | "A").then_some(())?;
    Some(OpenSeek {
        number: number.parse().ok()?,
        owner: owner.to_owned(),
        version: terms.version,
        fault: BoardTerms::read(&terms)?.position().err().map(|error| error.to_string()),
    })
}

fn game_start(words: &[&str]) -> Option<GameStart> {
    let [number, white, "vs", black, color, ref terms @ ..] = *words else {
        return None;
    };
    let terms = GAME_START.read(terms)?;
    Some(GameStart {
        number: number.parse().ok()?,
        players: ByColor([white, black].map(str::to_owned)),
        color: match color {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return None,
        },
        board: BoardTerms::read(&terms)?,
        time: seconds(terms.get(Field::Time)?)?,
        increment: seconds(terms.get(Field::Increment)?)?,
        scales: terms.code(Field::Scales, [false, true])?,
        extra: Extra::new(terms.number(Field::ExtraMove)?, seconds(terms.get(Field::ExtraTime)?)?.as_secs()),
    })
}

fn unreadable_start(words: &[&str]) -> Option<Message> {
    let number = words.first()?.parse().ok()?;
    Some(Message::UnreadableStart(number, words.join(" ")))
}

fn game_event(words: &[&str]) -> Option<GameEvent> {
    Some(match *words {
        ["P" | "M", ..] => match read_move(words) {
            Some(mv) => GameEvent::Move(mv),
            None => GameEvent::UnreadableMove(words.join(" ")),
        },
        ["Timems", white, black, ..] => GameEvent::Clocks(ByColor([clock(white)?, clock(black)?])),
        ["GivenTime", ..] => GameEvent::GivenTime,
        ["Over", result, ..] => GameEvent::Over(RESULTS.into_iter().find(|known| *known == result)),
        ["Over"] => GameEvent::Over(None),
        ["Abandoned.", player, ..] => GameEvent::Abandoned(player.to_owned()),
        ["OfferDraw", ..] => GameEvent::OfferDraw,
        ["RemoveDraw", ..] => GameEvent::RemoveDraw,
        ["RequestUndo", ..] => GameEvent::RequestUndo,
        ["RemoveUndo", ..] => GameEvent::RemoveUndo,
        ["Undo", ..] => GameEvent::Undo,
        _ => return None,
    })
}

fn clock(millis: &str) -> Option<Duration> {
    Some(Duration::from_millis(millis.parse().ok()?).min(MAX_TIME))
}

fn seconds(text: &str) -> Option<Duration> {
    Some(Duration::from_secs(text.parse().ok()?).min(MAX_TIME))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start(line: &str) -> GameStart {
        match Message::read(line) {
            Message::GameStart(start) => start,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn game_starts_of_all_versions_are_read() {
        let old = GameStart {
            number: 7,
            players: ByColor(["alice".into(), "bob_2".into()]),
            color: Color::Black,
            board: BoardTerms { size: 6, half_komi: 4, pieces: 30, caps: 1, opening: OpeningRule::Swap },
            time: Duration::from_secs(900),
            increment: Duration::from_secs(10),
            scales: false,
            extra: Extra::new(30, 300),
        };
        let scales = GameStart { scales: true, ..old.clone() };
        let board = BoardTerms { opening: OpeningRule::DoubleBlack, ..old.board.clone() };
        let double = GameStart { board, ..scales.clone() };
        for (terms, expected) in [
            ("6 900 10 4 30 1 0 1 30 300 1", &old),
            ("6 900 10 0 4 30 1 0 1 30 300 1", &old),
            ("6 900 10 1 4 30 1 0 1 30 300 1", &scales),
            ("6 900 10 1 4 30 1 0 1 30 300 1 0", &scales),
            ("6 900 10 1 4 30 1 0 1 30 300 1 1", &double),
            // Words of later versions change nothing.
            ("6 900 10 1 4 30 1 0 1 30 300 1 1 0 x", &double),
            ("6 900 10 4 30 1 0 1 0 0 1", &GameStart { extra: None, ..old.clone() }),
        ] {
            assert_eq!(start(&format!("Game Start 7 alice vs bob_2 black {terms}")), *expected, "{terms}");
        }
        let position = double.board.position().unwrap();
        assert_eq!((position.komi().half(), position.opening()), (4, OpeningRule::DoubleBlack));
        assert_eq!(position.start_reserves()[Color::White].stones, 30);
    }

    #[test]
    fn terms_that_cannot_be_played_are_named() {
        for (size, rest, fault) in [
            (9, "0 30 1", "board size 9"),
            (6, "0 80 1", "80 stones"),
            (6, "0 30 999", "255 capstones"),
            (6, "99 30 1", "99 half points"),
        ] {
            let start = start(&format!("Game Start 1 alice vs bob_2 white {size} 900 0 {rest} 0 0 0 0 0"));
            let error = start.board.position().unwrap_err().to_string();
            assert!(error.contains(fault), "{error}");
        }
    }

    #[test]
    fn lines_are_read() {
        let game = |event| Message::Game(12, event);
        let clocks = ByColor([1500, 20].map(Duration::from_millis));
        let seek = |version| Message::SeekNew(OpenSeek { number: 3, owner: "carol".into(), version, fault: None });
        let unreadable = |terms: &str| Message::UnreadableStart(7, terms.into());
        let tell = |from: &str, text: &str| Message::Tell { from: from.into(), text: text.into() };
        let notice = |text: &str| Message::Notice(text.into());
        let lines = [
            ("Welcome!", Message::Other),
            ("Login or Register\n", Message::LoginPrompt),
            ("Welcome Guest12!", Message::LoggedIn("Guest12".into())),
            ("Authentication failure", Message::AuthenticationFailure),
            ("Seek new 3 carol 5 600 20 A 4 21 1 0 0 0 0 0 1", seek(Version::V2)),
            ("Seek new 3 carol 5 600 20 1 A 4 21 1 0 0 0 0 0 1", seek(Version::V3)),
            ("Seek new 3 carol 5 600 20 1 A 4 21 1 0 0 0 0 0 1 1", seek(Version::V4)),
            ("Seek new 3 carol 5 600 20 1 A 4 21 1 0 0 0 0 0 1 2", Message::Other),
            ("Seek new 3 carol 5 600 20 A 4 21 1 0 0 0 0 0 1 x", Message::Other),
            ("Seek new 3 carol 5 600 20 A 4 21 1 0 0 0 0 ", Message::Other),
            ("Seek remove 3 carol 5 600 20 A", Message::SeekRemoved(3)),
            ("Message Your game is resumed", Message::Resumed),
            ("Message You've logged in from another window. Disconnecting", Message::Replaced),
            ("Message dave has disconnected.", notice("dave has disconnected.")),
            ("Error:Square not empty", notice("Square not empty")),
            ("Tell <erin> Help me, <you>", tell("erin", "Help me, <you>")),
            ("Told <erin> help", Message::Other),
            ("Tell <\u{c9}rin> \u{e7}a va?", tell("\u{c9}rin", "\u{e7}a va?")),
            ("Tell <erin\0> help", Message::Other),
            ("Tell <erin frank> help", Message::Other),
            ("Tell <> help", Message::Other),
            ("Game#12 P A1", game(GameEvent::Move("a1".parse().unwrap()))),
            ("Game#12 P C3 C", game(GameEvent::Move("Cc3".parse().unwrap()))),
            ("Game#12 P C3 W", game(GameEvent::Move("Sc3".parse().unwrap()))),
            ("Game#12 M A1 A3 2 1", game(GameEvent::Move("3a1+21".parse().unwrap()))),
            ("Game#12 M A1 C3 2 1", game(GameEvent::UnreadableMove("M A1 C3 2 1".into()))),
            ("Game#12 M A1 A2 2 1", game(GameEvent::UnreadableMove("M A1 A2 2 1".into()))),
            ("Game#12 M A1 A1", game(GameEvent::UnreadableMove("M A1 A1".into()))),
            ("Game#12 P Z1", game(GameEvent::UnreadableMove("P Z1".into()))),
            ("Game#12 Timems 1500 20", game(GameEvent::Clocks(clocks))),
            ("Game#12 Timems -1 2", Message::Other),
            ("Game#12 GivenTime white 15000", game(GameEvent::GivenTime)),
            ("Game#12 Over 1/2-1/2", game(GameEvent::Over(Some("1/2-1/2")))),
            ("Game#12 Over }", game(GameEvent::Over(None))),
            ("Game#12 Abandoned. frank quit", game(GameEvent::Abandoned("frank".into()))),
            ("Game#12 OfferDraw", game(GameEvent::OfferDraw)),
            ("Game#12 RemoveDraw", game(GameEvent::RemoveDraw)),
            ("Game#12 RequestUndo", game(GameEvent::RequestUndo)),
            ("Game#12 RemoveUndo", game(GameEvent::RemoveUndo)),
            ("Game#12 Undo", game(GameEvent::Undo)),
            ("Game#99999999999999999999 Undo", Message::Other),
            ("Game#12", Message::Other),
            ("Game Start 7 alice vs bob", unreadable("7 alice vs bob")),
            ("Game Start 7 6 alice vs bob white 900 4 30 1", unreadable("7 6 alice vs bob white 900 4 30 1")),
            (
                "Game Start 7 a vs b white 6 9 1 1 4 30 1 0 1 0 0 1 2",
                unreadable("7 a vs b white 6 9 1 1 4 30 1 0 1 0 0 1 2"),
            ),
            ("Game Start x alice vs bob", Message::Other),
            ("GameList Add 12 alice bob 5 600 10 1 4 21 1 0 0 0 0 1", Message::Other),
            ("Observe 12 alice bob 5 600 10 1 4 21 1 0 0 0 0 1", Message::Other),
            ("Accept Rematch 5", Message::Other),
            ("Rematch seek created with ID: 5", Message::Other),
            ("No such player", Message::Other),
            ("", Message::Other),
        ];
        for (line, message) in lines {
            assert_eq!(Message::read(line), message, "{line:?}");
        }
    }
}
