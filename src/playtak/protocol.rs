//! The lines of playtak's protocol: what the server says as [`Message`]s, what it is told as [`Command`]s.
//!
//! Nothing here fails: a line that makes no sense is [`Message::Other`]. Words at the end of a line that are not known here
//! belong to newer versions of the protocol and are left alone.

use std::fmt;
use std::time::Duration;

use super::seek::{Extra, Seek};
use crate::board::{
    AnyPosition, ByColor, Color, Direction, Komi, KomiError, Move, MoveKind, Pattern, PieceKind,
    Reserve, Setup, SetupError, Size, SizeError, Square,
};

/// A line from the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// It waits for a login.
    LoginPrompt,
    /// The login was accepted, under this name.
    LoggedIn(String),
    /// The login was refused.
    AuthenticationFailure,
    /// Somebody wants to play.
    SeekNew(OpenSeek),
    /// A seek is gone.
    SeekRemoved(u64),
    /// A game begins, or is taken up again.
    GameStart(GameStart),
    /// All moves of the game that was taken up have been told.
    Resumed,
    /// Something about the game of this number.
    Game(u64, GameEvent),
    /// A player says something to this one only.
    Tell {
        /// The player's name.
        from: String,
        /// The words.
        text: String,
    },
    /// Another program has logged in with the same name, and this connection ends.
    Replaced,
    /// Words of the server for a person.
    Notice(String),
    /// A command was understood.
    Ok,
    /// A command was refused or not understood.
    Nok,
    /// Nothing that concerns this program, or nonsense.
    Other,
}

/// A seek that is on offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenSeek {
    /// What to accept.
    pub number: u64,
    /// Who plays.
    pub owner: String,
    /// Added to the clock after each move.
    pub increment: Duration,
}

/// The terms of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameStart {
    /// What its lines are marked with.
    pub number: u64,
    /// Names.
    pub players: ByColor<String>,
    /// Whom this program plays.
    pub color: Color,
    /// The width of the board.
    pub size: u64,
    /// Half points for Black.
    pub half_komi: i64,
    /// Flats and walls of each player.
    pub pieces: u64,
    /// Capstones of each player.
    pub caps: u64,
    /// On each clock at the start.
    pub time: Duration,
    /// Added after each move; `None` where the line does not tell, which is before protocol 2.
    pub increment: Option<Duration>,
    /// Added once.
    pub extra: Option<Extra>,
}

/// Terms that cannot be played here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// The board.
    #[error(transparent)]
    Size(#[from] SizeError),
    /// The komi.
    #[error(transparent)]
    Komi(#[from] KomiError),
    /// The reserves.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

impl GameStart {
    /// The position before the first move.
    ///
    /// # Errors
    /// [`TermsError`] when the engine does not know such a board, komi or reserve.
    pub fn position(&self) -> Result<AnyPosition, TermsError> {
        let size = Size::new(self.size)?;
        // What does not fit is too much in any case, and refused as such.
        let count = |number: u64| u8::try_from(number).unwrap_or(u8::MAX);
        let reserve = Reserve {
            stones: count(self.pieces),
            caps: count(self.caps),
        };
        let setup = Setup {
            reserves: ByColor([reserve; 2]),
            ..Setup::empty(size, Komi::from_half(self.half_komi)?)
        };
        Ok(AnyPosition::from_setup(&setup)?)
    }
}

/// Something that happens in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameEvent {
    /// A move was played.
    Move(Move),
    /// A move was played that cannot be read.
    UnreadableMove(String),
    /// The time left on both clocks.
    Clocks(ByColor<Duration>),
    /// The game is over, with this result as PTN writes it, or one that is not known here.
    Over(Option<&'static str>),
    /// The game is over: this player has left it.
    Abandoned(String),
    /// The opponent offers a draw.
    OfferDraw,
    /// The opponent takes the offer back.
    RemoveDraw,
    /// The opponent asks to take the last move back.
    RequestUndo,
    /// The opponent does not ask any more.
    RemoveUndo,
    /// The last move is taken back.
    Undo,
}

/// The results that the server tells.
const RESULTS: [&str; 8] = ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0"];

/// Who won, by a result as PTN writes it.
#[must_use]
pub fn winner(result: &str) -> Option<Color> {
    match result {
        "R-0" | "F-0" | "1-0" => Some(Color::White),
        "0-R" | "0-F" | "0-1" => Some(Color::Black),
        _ => None,
    }
}

impl Message {
    /// Reads a line, with or without its line break.
    #[must_use]
    pub fn read(line: &str) -> Self {
        let line = line.trim_end();
        Self::simple(line)
            .or_else(|| Self::told(line))
            .or_else(|| {
                let words: Vec<&str> = line.split_whitespace().collect();
                match words[..] {
                    ["Game", "Start", ref terms @ ..] => game_start(terms).map(Self::GameStart),
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

    /// Words for a person.
    fn told(line: &str) -> Option<Self> {
        if let Some(tell) = line.strip_prefix("Tell <") {
            let (from, text) = tell.split_once('>')?;
            // The name goes into the answer, in which nothing but a name may stand.
            if from.contains(|c: char| !c.is_ascii_graphic()) {
                return None;
            }
            return Some(Self::Tell {
                from: from.to_owned(),
                text: text.trim_start().to_owned(),
            });
        }
        // The server's errors come with and without a colon.
        let text = ["Message ", "Error:", "Error "]
            .iter()
            .find_map(|start| line.strip_prefix(start))?;
        if text.starts_with("You've logged in from another window") {
            return Some(Self::Replaced);
        }
        Some(Self::Notice(text.trim_start().to_owned()))
    }
}

fn open_seek(words: &[&str]) -> Option<OpenSeek> {
    let [number, owner, _size, _time, increment, ..] = *words else {
        return None;
    };
    Some(OpenSeek {
        number: number.parse().ok()?,
        owner: owner.to_owned(),
        increment: seconds(increment)?,
    })
}

/// The form of protocol 2 and later has the players first, the one before it the size.
fn game_start(words: &[&str]) -> Option<GameStart> {
    let (number, white, black, color, size, time, increment, rest) = match *words {
        [
            number,
            white,
            "vs",
            black,
            color,
            size,
            time,
            increment,
            komi,
            pieces,
            caps,
            _unrated,
            _tournament,
            ref extra @ ..,
        ] => {
            let rest = (komi, pieces, caps, extra);
            let increment = Some(seconds(increment)?);
            (number, white, black, color, size, time, increment, rest)
        }
        [
            number,
            size,
            white,
            "vs",
            black,
            color,
            time,
            komi,
            pieces,
            caps,
            ref extra @ ..,
        ] => {
            let rest = (komi, pieces, caps, extra);
            (number, white, black, color, size, time, None, rest)
        }
        _ => return None,
    };
    let (komi, pieces, caps, extra) = rest;
    Some(GameStart {
        number: number.parse().ok()?,
        players: ByColor([white.to_owned(), black.to_owned()]),
        color: match color {
            "white" => Color::White,
            "black" => Color::Black,
            _ => return None,
        },
        size: size.parse().ok()?,
        half_komi: komi.parse().ok()?,
        pieces: pieces.parse().ok()?,
        caps: caps.parse().ok()?,
        time: seconds(time)?,
        increment,
        extra: match *extra {
            [at_move, time, ..] => Extra::new(at_move.parse().ok()?, time.parse().ok()?),
            _ => None,
        },
    })
}

fn game_event(words: &[&str]) -> Option<GameEvent> {
    Some(match *words {
        ["P" | "M", ..] => match read_move(words) {
            Some(mv) => GameEvent::Move(mv),
            None => GameEvent::UnreadableMove(words.join(" ")),
        },
        ["Timems", white, black, ..] => clocks(white, black, Duration::from_millis)?,
        ["Time", white, black, ..] => clocks(white, black, Duration::from_secs)?,
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

fn clocks(white: &str, black: &str, unit: fn(u64) -> Duration) -> Option<GameEvent> {
    let clock = |text: &str| Some(unit(text.parse().ok()?));
    Some(GameEvent::Clocks(ByColor([clock(white)?, clock(black)?])))
}

fn seconds(text: &str) -> Option<Duration> {
    Some(Duration::from_secs(text.parse().ok()?))
}

/// Reads a move as the server writes it: `P A1`, `P A1 C`, `P A1 W`, `M A1 A3 2 1`, in words.
#[must_use]
pub fn read_move(words: &[&str]) -> Option<Move> {
    match *words {
        ["P", square] => Some(Move::place(PieceKind::Flat, read_square(square)?)),
        ["P", square, "C"] => Some(Move::place(PieceKind::Cap, read_square(square)?)),
        ["P", square, "W"] => Some(Move::place(PieceKind::Wall, read_square(square)?)),
        ["M", from, to, ref drops @ ..] => {
            let (from, to) = (read_square(from)?, read_square(to)?);
            let drops: Option<Vec<u8>> = drops.iter().map(|drop| drop.parse().ok()).collect();
            let drops = drops.filter(|drops| drops.len() <= 8)?;
            let direction = match (from.column().cmp(&to.column()), from.row().cmp(&to.row())) {
                (std::cmp::Ordering::Less, std::cmp::Ordering::Equal) => Direction::East,
                (std::cmp::Ordering::Greater, std::cmp::Ordering::Equal) => Direction::West,
                (std::cmp::Ordering::Equal, std::cmp::Ordering::Less) => Direction::North,
                (std::cmp::Ordering::Equal, std::cmp::Ordering::Greater) => Direction::South,
                _ => return None,
            };
            let distance = from.column().abs_diff(to.column()) + from.row().abs_diff(to.row());
            (distance == drops.len()).then_some(())?;
            Some(Move::spread(from, direction, Pattern::from_drops(&drops)?))
        }
        _ => None,
    }
}

fn read_square(text: &str) -> Option<Square> {
    let &[column @ b'A'..=b'H', row @ b'1'..=b'8'] = text.as_bytes() else {
        return None;
    };
    Some(Square::new((column - b'A').into(), (row - b'1').into()))
}

/// A move as the server reads it.
struct MoveText(Move);

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = |square: Square| square.to_string().to_uppercase();
        let from = square(self.0.square());
        match self.0.kind() {
            MoveKind::Place(PieceKind::Flat) => write!(f, "P {from}"),
            MoveKind::Place(PieceKind::Cap) => write!(f, "P {from} C"),
            MoveKind::Place(PieceKind::Wall) => write!(f, "P {from} W"),
            MoveKind::Spread(_, pattern) => {
                write!(f, "M {from} {}", square(self.0.target()))?;
                pattern
                    .drops()
                    .try_for_each(|drop| write!(f, " {}", drop.count))
            }
        }
    }
}

/// Who logs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// A guest; the token brings the same guest back after a lost connection.
    Guest {
        /// 20 random lower-case letters.
        token: String,
    },
    /// A registered player.
    User {
        /// As registered.
        name: String,
        /// Goes to the server and nowhere else.
        password: Password,
    },
}

/// A password, which neither `Debug` nor an error message shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Password(String);

/// A text that the server would take for no password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the password has to have 6 to 50 characters of ISO-8859-1, none of them blank")]
pub struct PasswordError;

impl Password {
    /// Checks that the server can read it.
    ///
    /// # Errors
    /// [`PasswordError`] when it cannot.
    pub fn new(text: &str) -> Result<Self, PasswordError> {
        let is_fine = |c: char| c <= '\u{ff}' && !c.is_whitespace() && !c.is_control();
        if !(6..=50).contains(&text.chars().count()) || !text.chars().all(is_fine) {
            return Err(PasswordError);
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(secret)")
    }
}

/// A line for the server. Numbers are those of games, where nothing else is said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Names this program.
    Client,
    /// Chooses the version of the protocol: clocks in milliseconds and the long form of `Game Start`.
    Protocol,
    /// Logs in.
    Login(Login),
    /// Offers a game, in the place of the one offered before.
    Seek(Seek),
    /// Offers no game any more.
    RemoveSeek,
    /// Accepts the seek of this number.
    Accept(u64),
    /// Plays a move.
    Play(u64, Move),
    /// Gives up.
    Resign(u64),
    /// Offers a draw, or accepts one.
    OfferDraw(u64),
    /// Takes the offer back.
    RemoveDraw(u64),
    /// Asks to take the last move back, or agrees to it.
    RequestUndo(u64),
    /// Does not ask any more.
    RemoveUndo(u64),
    /// Says something to one player.
    Tell {
        /// The player's name.
        to: String,
        /// One line of up to 256 characters.
        text: String,
    },
    /// Shows that this program is there.
    Ping,
    /// Ends the connection.
    Quit,
}

impl Command {
    /// The line, without a line break. That of a login has the password in it, so it is for the server only; `Debug` is
    /// for the log.
    #[must_use]
    pub fn line(&self) -> String {
        match self {
            Self::Client => format!("Client tak-engine-{}", env!("CARGO_PKG_VERSION")),
            Self::Protocol => "Protocol 2".to_owned(),
            Self::Login(Login::Guest { token }) => format!("Login Guest {token}"),
            Self::Login(Login::User { name, password }) => format!("Login {name} {}", password.0),
            Self::Seek(seek) => seek_line(seek),
            Self::RemoveSeek => "Seek 0 0 0".to_owned(),
            Self::Accept(seek) => format!("Accept {seek}"),
            Self::Play(game, mv) => format!("Game#{game} {}", MoveText(*mv)),
            Self::Resign(game) => format!("Game#{game} Resign"),
            Self::OfferDraw(game) => format!("Game#{game} OfferDraw"),
            Self::RemoveDraw(game) => format!("Game#{game} RemoveDraw"),
            Self::RequestUndo(game) => format!("Game#{game} RequestUndo"),
            Self::RemoveUndo(game) => format!("Game#{game} RemoveUndo"),
            Self::Tell { to, text } => format!("Tell {to} {text}"),
            Self::Ping => "PING".to_owned(),
            Self::Quit => "quit".to_owned(),
        }
    }
}

/// The move that brings extra time stands before the time itself, though the server's list of commands has them the other
/// way round. The blank before an opponent has to be there even without one.
fn seek_line(seek: &Seek) -> String {
    let color = match seek.color {
        Some(Color::White) => 'W',
        Some(Color::Black) => 'B',
        None => 'A',
    };
    let (at_move, extra) = seek
        .extra
        .map_or((0, 0), |extra| (extra.at_move, extra.time.as_secs()));
    format!(
        "Seek {size} {time} {increment} {color} {komi} {pieces} {caps} {unrated} {tournament} {at_move} {extra} {opponent}",
        size = seek.size,
        time = seek.time.as_secs(),
        increment = seek.increment.as_secs(),
        komi = seek.komi.half(),
        pieces = seek.reserve.stones,
        caps = seek.reserve.caps,
        unrated = u8::from(seek.unrated),
        tournament = u8::from(seek.tournament),
        opponent = seek.opponent.as_deref().unwrap_or_default(),
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn start(line: &str) -> GameStart {
        match Message::read(line) {
            Message::GameStart(start) => start,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn game_starts_of_all_versions_say_the_same() {
        let long = start("Game Start 7 alice vs bob_2 black 6 900 10 4 30 1 0 1 30 300 1");
        let expected = GameStart {
            number: 7,
            players: ByColor(["alice".into(), "bob_2".into()]),
            color: Color::Black,
            size: 6,
            half_komi: 4,
            pieces: 30,
            caps: 1,
            time: Duration::from_secs(900),
            increment: Some(Duration::from_secs(10)),
            extra: Extra::new(30, 300),
        };
        assert_eq!(long, expected);
        // Words of later versions change nothing.
        let later = start("Game Start 7 alice vs bob_2 black 6 900 10 4 30 1 0 1 30 300 1 0 x");
        assert_eq!(later, expected);
        let short = start("Game Start 7 6 alice vs bob_2 black 900 4 30 1 30 300");
        let without_increment = GameStart {
            increment: None,
            ..expected
        };
        assert_eq!(short, without_increment);
        let oldest = start("Game Start 7 6 alice vs bob_2 black 900 4 30 1\n");
        let without_extra = GameStart {
            extra: None,
            ..without_increment
        };
        assert_eq!(oldest, without_extra);
        let position = oldest.position().unwrap();
        assert_eq!(position.komi().half(), 4);
        assert_eq!(position.start_reserves()[Color::White].stones, 30);
        let none = start("Game Start 7 alice vs bob_2 white 6 900 10 4 30 1 0 1 0 0 1");
        assert_eq!(none.extra, None);
    }

    #[test]
    fn terms_that_cannot_be_played_are_named() {
        let error = |line: &str| start(line).position().unwrap_err().to_string();
        let told = error("Game Start 1 9 alice vs bob_2 white 900 0 30 1");
        assert!(told.contains("board size 9"), "{told}");
        let told = error("Game Start 1 6 alice vs bob_2 white 900 0 80 1");
        assert!(told.contains("80 stones"), "{told}");
        let told = error("Game Start 1 6 alice vs bob_2 white 900 0 30 999");
        assert!(told.contains("255 capstones"), "{told}");
        let told = error("Game Start 1 6 alice vs bob_2 white 900 99 30 1");
        assert!(told.contains("99 half points"), "{told}");
    }

    #[test]
    fn lines_are_told_apart() {
        let game = |event| Message::Game(12, event);
        let millis = |white, black| {
            let clocks = ByColor([white, black].map(Duration::from_millis));
            game(GameEvent::Clocks(clocks))
        };
        let seek = OpenSeek {
            number: 3,
            owner: "carol".into(),
            increment: Duration::from_secs(20),
        };
        let tell = |from: &str, text: &str| Message::Tell {
            from: from.into(),
            text: text.into(),
        };
        let notice = |text: &str| Message::Notice(text.into());
        let lines = [
            ("Welcome!", Message::Other),
            ("Login or Register\n", Message::LoginPrompt),
            ("Welcome Guest12!", Message::LoggedIn("Guest12".into())),
            ("Authentication failure", Message::AuthenticationFailure),
            (
                "Seek new 3 carol 5 600 20 A 4 21 1 0 0 0 0 ",
                Message::SeekNew(seek.clone()),
            ),
            (
                "Seek new 3 carol 5 600 20 A 4 21 1 0 0 0 0 0 1",
                Message::SeekNew(seek),
            ),
            ("Seek remove 3 carol 5 600 20 A", Message::SeekRemoved(3)),
            ("Message Your game is resumed", Message::Resumed),
            (
                "Message You've logged in from another window. Disconnecting",
                Message::Replaced,
            ),
            (
                "Message dave has disconnected.",
                notice("dave has disconnected."),
            ),
            ("Error:Square not empty", notice("Square not empty")),
            ("Tell <erin> Help me, <you>", tell("erin", "Help me, <you>")),
            ("Told <erin> help", Message::Other),
            ("Tell <erin\0> help", Message::Other),
            ("Tell <erin frank> help", Message::Other),
            ("Game#12 P A1", game(GameEvent::Move("a1".parse().unwrap()))),
            (
                "Game#12 P C3 C",
                game(GameEvent::Move("Cc3".parse().unwrap())),
            ),
            (
                "Game#12 P C3 W",
                game(GameEvent::Move("Sc3".parse().unwrap())),
            ),
            (
                "Game#12 M A1 A3 2 1",
                game(GameEvent::Move("3a1+21".parse().unwrap())),
            ),
            (
                "Game#12 M A1 C3 2 1",
                game(GameEvent::UnreadableMove("M A1 C3 2 1".into())),
            ),
            (
                "Game#12 M A1 A2 2 1",
                game(GameEvent::UnreadableMove("M A1 A2 2 1".into())),
            ),
            (
                "Game#12 M A1 A1",
                game(GameEvent::UnreadableMove("M A1 A1".into())),
            ),
            (
                "Game#12 P Z1",
                game(GameEvent::UnreadableMove("P Z1".into())),
            ),
            ("Game#12 Timems 1500 20", millis(1500, 20)),
            ("Game#12 Time 15 2", millis(15_000, 2_000)),
            ("Game#12 Time -1 2", Message::Other),
            (
                "Game#12 Over 1/2-1/2",
                game(GameEvent::Over(Some("1/2-1/2"))),
            ),
            ("Game#12 Over }", game(GameEvent::Over(None))),
            (
                "Game#12 Abandoned. frank quit",
                game(GameEvent::Abandoned("frank".into())),
            ),
            ("Game#12 OfferDraw", game(GameEvent::OfferDraw)),
            ("Game#12 RemoveDraw", game(GameEvent::RemoveDraw)),
            ("Game#12 RequestUndo", game(GameEvent::RequestUndo)),
            ("Game#12 RemoveUndo", game(GameEvent::RemoveUndo)),
            ("Game#12 Undo", game(GameEvent::Undo)),
            ("Game#99999999999999999999 Undo", Message::Other),
            ("Game#12", Message::Other),
            ("GameList Add 12 alice bob", Message::Other),
            ("Game Start 7 alice vs bob", Message::Other),
            ("", Message::Other),
        ];
        for (line, message) in lines {
            assert_eq!(Message::read(line), message, "{line:?}");
        }
    }

    #[test]
    fn commands_are_as_the_server_reads_them() {
        let seek: Seek = "size=6 komi=2 time=15:00 inc=10 color=white extra=5:00@30"
            .parse()
            .unwrap();
        assert_eq!(
            Command::Seek(seek).line(),
            "Seek 6 900 10 W 4 30 1 0 0 30 300 "
        );
        let seek: Seek = "size=5 komi=0.5 time=60 color=random pieces=15 caps=2 unrated tournament opponent=alice"
            .parse()
            .unwrap();
        assert_eq!(
            Command::Seek(seek).line(),
            "Seek 5 60 0 A 1 15 2 1 1 0 0 alice"
        );
        let spread = Command::Play(4, "4d3<112".parse().unwrap());
        assert_eq!(spread.line(), "Game#4 M D3 A3 1 1 2");
        assert_eq!(
            Command::Play(4, "Sh8".parse().unwrap()).line(),
            "Game#4 P H8 W"
        );
    }

    #[test]
    fn passwords_are_shown_to_nobody() {
        let password = Password::new("open-sesame").unwrap();
        let login = Command::Login(Login::User {
            name: "alice".into(),
            password,
        });
        assert!(!format!("{login:?}").contains("sesame"));
        assert_eq!(login.line(), "Login alice open-sesame");
        for bad in [
            "",
            "short",
            "with a blank",
            "line\nbreak",
            "eur\u{20ac}euro",
            &"x".repeat(51),
        ] {
            assert_eq!(Password::new(bad), Err(PasswordError), "{bad:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn moves_come_back(bits in any::<u16>()) {
            let Some(mv) = Move::from_bits(bits) else { return Ok(()) };
            // Only moves that stay on the board have a square to go to.
            if let MoveKind::Spread(direction, pattern) = mv.kind() {
                let from = mv.square();
                let room = match direction {
                    Direction::North => 7 - from.row(),
                    Direction::East => 7 - from.column(),
                    Direction::South => from.row(),
                    Direction::West => from.column(),
                };
                prop_assume!(pattern.squares() as usize <= room);
            }
            let line = Command::Play(1, mv).line();
            prop_assert_eq!(Message::read(&line), Message::Game(1, GameEvent::Move(mv)));
        }

        #[test]
        fn no_line_is_too_strange(line in "(Game#1 [PM] |Game Start |Seek new |Tell |Message )?[ -~\u{e9}]{0,40}") {
            let _ = Message::read(&line);
        }
    }
}
