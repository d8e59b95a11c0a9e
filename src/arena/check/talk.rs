//! A conversation with one process of an engine, recorded line by line.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::time::{Duration, Instant};

use super::settings::{CheckError, Settings};
use crate::arena::play::identity::Identity;
use crate::arena::play::process::{Cancel, EngineIoError, Process};
use crate::board::{AnyPosition, Color, Game, Komi, Move, Size};
use crate::notation::{moves_text, parse_move};
use crate::tei::reply::{HALF_KOMI, OptionKind};

/// The `go` that most engines understand.
pub const USUAL_GO: &str = "go wtime 400 btime 400 winc 10 binc 10";
/// The time for which an engine has to be silent where it must not speak.
pub const SILENCE: Duration = Duration::from_millis(200);

/// Most lines that are kept, and most characters of each.
const MOST_LINES: usize = 200;
const LONGEST_LINE: usize = 200;

/// A line of a conversation, shortened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// By the checker, not by the engine.
    pub is_sent: bool,
    pub text: String,
}

/// The reason that a conversation ended early.
#[derive(Debug)]
pub enum Stop {
    Fail(String),
    Crash(String),
    NotAnnounced(String),
    /// By no fault of the engine.
    Error(CheckError),
}

pub fn fail<T>(reason: impl Display) -> Result<T, Stop> {
    Err(Stop::Fail(reason.to_string()))
}

pub fn not_announced<T>(reason: impl Display) -> Result<T, Stop> {
    Err(Stop::NotAnnounced(reason.to_string()))
}

/// An answer to `go`.
pub struct Answer {
    /// All after `bestmove`.
    pub best: String,
    /// The lines before it.
    pub lines: Vec<String>,
    pub elapsed: Duration,
}

/// A process of the engine, and what was said so far.
pub struct Talk<'a> {
    pub settings: &'a Settings,
    cancel: &'a Cancel,
    process: Process,
    /// Known after [`Self::handshake`].
    pub identity: Identity,
    has_said_hello: bool,
    lines: VecDeque<Line>,
    warnings: Vec<String>,
}

impl<'a> Talk<'a> {
    pub fn start(settings: &'a Settings, cancel: &'a Cancel) -> Result<Self, CheckError> {
        let process = Process::spawn(&settings.program)?;
        let identity = Identity::default();
        let (lines, warnings) = (VecDeque::new(), Vec::new());
        Ok(Self { settings, cancel, process, identity, has_said_hello: false, lines, warnings })
    }

    /// Kills the process. The lines and the warnings.
    pub fn end(self) -> (Vec<Line>, Vec<String>) {
        (self.lines.into(), self.warnings)
    }

    /// Notes something unusual.
    pub fn warn(&mut self, reason: impl Display) {
        let reason = reason.to_string();
        if !self.warnings.contains(&reason) {
            self.warnings.push(reason);
        }
    }

    fn record(&mut self, is_sent: bool, text: &str) {
        let mut short: String = text.chars().take(LONGEST_LINE).collect();
        if short.len() < text.len() {
            short += " ...";
        }
        if self.lines.len() == MOST_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(Line { is_sent, text: short });
    }

    pub fn send(&mut self, line: &str) -> Result<(), Stop> {
        self.send_bytes(format!("{line}\n").as_bytes())
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        let text = String::from_utf8_lossy(bytes);
        text.lines().for_each(|line| self.record(true, line));
        let deadline = Instant::now() + self.settings.patience();
        let sent = self.process.send(bytes, deadline, self.cancel);
        sent.map_err(|error| self.stop(&error, "reading its input"))
    }

    /// The next line, or `None` if there is none within this time.
    pub fn line_within(&mut self, time: Duration, doing: &str) -> Result<Option<String>, Stop> {
        match self.process.line(Instant::now() + time, self.cancel) {
            Ok(line) => {
                self.record(false, &line);
                Ok(Some(line))
            }
            Err(EngineIoError::Late) => Ok(None),
            Err(error) => Err(self.stop(&error, doing)),
        }
    }

    /// All lines up to the first whose first word is `head`, without it; and the words after it.
    pub fn until(&mut self, head: &str, time: Duration) -> Result<(Vec<String>, String), Stop> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        loop {
            let left = time.saturating_sub(start.elapsed());
            let Some(line) = self.line_within(left, &format!("waiting for {head}"))? else {
                return fail(format_args!("no {head} within {:.1} s", time.as_secs_f64()));
            };
            let trimmed = line.trim();
            if let Some(rest) = trimmed.strip_prefix(head)
                && (rest.is_empty() || rest.starts_with(char::is_whitespace))
            {
                return Ok((lines, rest.trim().to_owned()));
            }
            lines.push(line);
        }
    }

    /// Sends `tei` and reads who the engine is; the lines without `teiok`.
    pub fn handshake(&mut self) -> Result<Vec<String>, Stop> {
        self.send("tei")?;
        let (lines, _) = self.until("teiok", self.settings.patience())?;
        self.identity = Identity::default();
        self.has_said_hello = true;
        for line in &lines {
            self.identity.read_line(line);
        }
        Ok(lines)
    }

    /// Sends `isready`; the lines before `readyok`.
    pub fn ready(&mut self) -> Result<Vec<String>, Stop> {
        self.send("isready")?;
        Ok(self.until("readyok", self.settings.patience())?.0)
    }

    /// Handshake if there was none yet, and a game on the usual board without komi.
    pub fn usual_game(&mut self) -> Result<Game, Stop> {
        if !self.has_said_hello {
            self.handshake()?;
        }
        self.new_game(self.size(), Komi::ZERO)
    }

    /// The board of cases that need no other: that of the settings, or the nearest that is announced.
    pub fn size(&self) -> Size {
        let wanted = self.settings.size;
        let distance = |size: &Size| size.width().abs_diff(wanted.width());
        self.sizes().into_iter().min_by_key(distance).unwrap_or(wanted)
    }

    /// The boards that the engine announces; for one without `size` lines that of the settings.
    pub fn sizes(&self) -> Vec<Size> {
        if !self.identity.has_sizes() {
            return vec![self.settings.size];
        }
        let widths = |size: &Size| {
            let lines = self.identity.sizes.iter();
            lines.flat_map(|line| &line.widths).any(|&width| width == size.width() as i64)
        };
        Size::ALL.into_iter().filter(widths).collect()
    }

    /// The komi that the engine announces for a board, smallest first.
    pub fn komis(&self, size: Size) -> Vec<Komi> {
        let halves = Komi::MIN_HALF..=Komi::MAX_HALF;
        let komis = halves.filter_map(|half| Komi::from_half(half).ok());
        komis.filter(|&komi| self.identity.check_rules(size, komi).is_ok()).collect()
    }

    /// Komi 0, or the one next to it for an engine without.
    pub fn usual_komi(&self, size: Size) -> Komi {
        self.komis(size).into_iter().min_by_key(|komi| komi.half().abs()).unwrap_or(Komi::ZERO)
    }

    /// Starts a usual game and sends its position after `plies` plies.
    pub fn opened(&mut self, plies: usize) -> Result<Game, Stop> {
        let mut game = self.usual_game()?;
        let position = played(&mut game, plies);
        self.send(&position)?;
        Ok(game)
    }

    /// Starts a game in the dialect that the engine announces, and waits until it is ready. A komi of zero means the
    /// usual one.
    pub fn new_game(&mut self, size: Size, komi: Komi) -> Result<Game, Stop> {
        let komi = if komi == Komi::ZERO { self.usual_komi(size) } else { komi };
        let (width, half) = (size.width(), komi.half());
        if self.identity.has_sizes() {
            self.send(&format!("teinewgame size {width} halfkomi {half}"))?;
        } else {
            if self.identity.option(HALF_KOMI).is_some() {
                self.send(&format!("setoption name {HALF_KOMI} value {half}"))?;
            }
            self.send(&format!("teinewgame {width}"))?;
        }
        self.ready()?;
        Ok(Game::new(AnyPosition::start(size, komi)))
    }

    /// Sends a `go` whose search takes `time`, and waits for its end.
    pub fn go(&mut self, go: &str, time: Duration) -> Result<Answer, Stop> {
        let start = Instant::now();
        self.send(go)?;
        let (lines, best) = self.until("bestmove", time + self.settings.patience())?;
        Ok(Answer { best, lines, elapsed: start.elapsed() })
    }

    /// Sends a `go` as [`go`](Self::go) does. The move has to be legal in the position of `game`.
    pub fn search(&mut self, game: &Game, go: &str, time: Duration) -> Result<(Move, Answer), Stop> {
        let answer = self.go(go, time)?;
        Ok((legal(game, &answer.best)?, answer))
    }

    /// Sends the usual `go`. The move has to be legal in the position of `game`.
    pub fn usual_search(&mut self, game: &Game) -> Result<(Move, Answer), Stop> {
        self.search(game, USUAL_GO, Duration::from_secs(1))
    }

    /// Sends `stop`. The move has to be legal in the position of `game`.
    pub fn stop_search(&mut self, game: &Game) -> Result<(), Stop> {
        self.search(game, "stop", Duration::ZERO).map(drop)
    }

    /// Waits for the `bestmove` of a search that takes `time`. It has to be legal.
    pub fn best(&mut self, game: &Game, time: Duration) -> Result<Move, Stop> {
        let (_, best) = self.until("bestmove", time + self.settings.patience())?;
        legal(game, &best)
    }

    /// Sends a position and the usual `go`.
    pub fn think(&mut self, game: &Game, position: &str) -> Result<(), Stop> {
        self.send(position)?;
        self.usual_search(game).map(drop)
    }

    /// Sends the position of `game` after `plies` plies, and the usual `go`.
    pub fn play_on(&mut self, mut game: Game, plies: usize) -> Result<(), Stop> {
        let position = played(&mut game, plies);
        self.think(&game, &position)
    }

    /// The engine still plays: a game, a position, a legal move.
    pub fn still_plays(&mut self) -> Result<(), Stop> {
        let game = self.new_game(self.size(), Komi::ZERO)?;
        self.play_on(game, 2)
    }

    /// The lines within this time.
    pub fn said_within(&mut self, time: Duration, doing: &str) -> Result<Vec<String>, Stop> {
        let (start, mut lines) = (Instant::now(), Vec::new());
        while let Some(line) = self.line_within(time.saturating_sub(start.elapsed()), doing)? {
            lines.push(line);
        }
        Ok(lines)
    }

    pub fn end_input(&mut self) {
        self.process.end_input();
    }

    /// Waits for the end of the process, which was asked for.
    pub fn exit(&mut self, asked_by: &str) -> Result<(), Stop> {
        let patience = self.settings.patience();
        let start = Instant::now();
        loop {
            // Its output has to be read, so that it can end.
            let left = patience.saturating_sub(start.elapsed());
            match self.process.line(Instant::now() + left, self.cancel) {
                Ok(line) => self.record(false, &line),
                Err(EngineIoError::Closed(_)) => break,
                Err(EngineIoError::Late) => {
                    return fail(format_args!("it still runs {:.1} s after {asked_by}", patience.as_secs_f64()));
                }
                Err(error) => return Err(self.stop(&error, &format!("ending after {asked_by}"))),
            }
        }
        match self.process.exit_by(start + patience) {
            None => fail(format_args!("it still runs {:.1} s after {asked_by}", patience.as_secs_f64())),
            Some(status) if status.success() => Ok(()),
            Some(status) => Err(Stop::Crash(format!("it ended with {status} after {asked_by}"))),
        }
    }

    pub fn has_option(&self, name: &str) -> bool {
        self.identity.option(name).is_some()
    }

    /// The range of a spin option.
    pub fn spin(&self, name: &str) -> Option<(i64, i64)> {
        match self.identity.option(name)?.kind {
            OptionKind::Spin { min, max } => Some((min, max)),
            _ => None,
        }
    }

    fn stop(&mut self, error: &EngineIoError, doing: &str) -> Stop {
        match error {
            EngineIoError::Cancelled => Stop::Error(CheckError::Cancelled),
            EngineIoError::Io(error) => Stop::Error(CheckError::Io(io::Error::new(error.kind(), error.to_string()))),
            EngineIoError::Late => Stop::Fail(format!("it does not read its input: {doing}")),
            EngineIoError::Flood(_) => Stop::Fail(format!("{error}, {doing}")),
            EngineIoError::Closed(end) => match self.process.exit_status() {
                Some(status) => Stop::Crash(format!("it ended ({status}), {doing}")),
                None => Stop::Fail(format!("it closed its {end}, {doing}")),
            },
        }
    }
}

/// Fails with `reason` if one of the lines is a `bestmove`.
pub fn no_bestmove(lines: &[String], reason: &str) -> Result<(), Stop> {
    if lines.iter().any(|line| line.starts_with("bestmove")) { fail(reason) } else { Ok(()) }
}

/// The move of an answer, which has to be legal.
pub fn legal(game: &Game, best: &str) -> Result<Move, Stop> {
    let word = best.split_whitespace().next().unwrap_or_default();
    if word.is_empty() {
        return fail("bestmove without a move");
    }
    let position = game.position();
    let mv = parse_move(word, position.size());
    let mv = mv.map_err(|error| Stop::Fail(format!("bestmove {word} is not a move: {error}")))?;
    let legal = position.check_legal(mv);
    legal.map_err(|error| Stop::Fail(format!("bestmove {word} is illegal: {error}")))?;
    Ok(mv)
}

/// Plays this many moves, four at most, that are legal on every board, and returns the `position` line.
pub fn played(game: &mut Game, count: usize) -> String {
    let last = game.position().size().width();
    let moves = ["a1".to_owned(), format!("{}{last}", file(last)), "b2".to_owned(), format!("a{last}")];
    play(game, &moves[..count])
}

/// Plays until White has a road along the first rank, and returns the `position` line.
pub fn played_to_the_end(game: &mut Game) -> String {
    let last = game.position().size().width();
    // The first turns place a piece of the other colour each.
    let mut moves = vec![format!("a{last}"), "a1".to_owned()];
    for number in 2..=last {
        moves.extend([format!("{}1", file(number)), format!("{}3", file(number))]);
    }
    moves.pop();
    play(game, &moves)
}

/// Plays until the owner could end a road at either of two squares and the other player has walls only, and returns the
/// `position` line.
pub fn threatened(game: &mut Game, owner: Color, to_move: Color) -> String {
    let last = game.position().size().width();
    let mut row: Vec<String> = (1..last).map(|number| format!("{}1", file(number))).collect();
    row.push(format!("{}2", file(last - 1)));
    // Far from the road. The piece of the first turn cannot be a wall.
    let mut walls: Vec<String> = (1..=last).map(|number| format!("S{}{last}", file(number))).collect();
    walls[0].remove(0);
    walls.push(format!("Sa{}", last - 1));
    // After as many pieces of both players White is to move, with one less of Black Black is.
    let count = match (owner, to_move) {
        (Color::White, Color::Black) => last - 1,
        (Color::Black, Color::Black) => last + 1,
        (_, Color::White) => last,
    };
    walls.truncate(count);
    let (white, black) = if owner == Color::White { (row, walls) } else { (walls, row) };
    // The first turns place a piece of the other colour each.
    let mut moves = vec![black[0].clone(), white[0].clone()];
    for number in 1..white.len() {
        moves.extend([white.get(number), black.get(number)].into_iter().flatten().cloned());
    }
    play(game, &moves)
}

fn file(number: usize) -> char {
    char::from(b'a' + number as u8 - 1)
}

fn play(game: &mut Game, moves: &[String]) -> String {
    for text in moves {
        let played = text.parse::<Move>().map(|mv| game.play(mv));
        debug_assert!(matches!(played, Ok(Ok(()))), "{text} is legal");
    }
    line_of(game)
}

/// The `position` line of a game from the start.
pub fn line_of(game: &Game) -> String {
    format!("position startpos moves {}", moves_text(game.moves()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By every line of two plies.
    #[test]
    fn threatened_positions_are_won_and_lost() {
        use Color::{Black, White};

        for size in Size::ALL {
            for (owner, to_move) in [(White, White), (Black, Black), (White, Black), (Black, White)] {
                let mut game = Game::new(AnyPosition::start(size, Komi::ZERO));
                let line = threatened(&mut game, owner, to_move);
                let position = game.position();
                assert_eq!(position.to_move(), to_move, "{line}");
                let has_road = |position: &AnyPosition| {
                    let moves = position.legal_moves();
                    moves.iter().any(|&mv| {
                        let mut next = position.clone();
                        next.play(mv).unwrap();
                        next.outcome().is_some_and(|outcome| outcome.winner == Some(owner))
                    })
                };
                if owner == to_move {
                    assert!(has_road(position), "{line}");
                    continue;
                }
                for mv in position.legal_moves() {
                    let mut next = position.clone();
                    next.play(mv).unwrap();
                    assert!(next.outcome().is_none() && has_road(&next), "{line} {mv}");
                }
            }
        }
    }
}
