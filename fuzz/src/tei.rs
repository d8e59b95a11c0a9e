//! A whole TEI session in this process: lines of any bytes go in, and the whole output is checked.
//!
//! `show` and `isready` follow every line. They show the effect of each line, the position of each search, and the
//! answers to each line: those up to the next `readyok`.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use tak_core::testing::brute_force::{loses, wins};
use tak_engine::board::{AnyPosition, ByColor, Color, Komi, Move, PieceKind, Reserve, Setup};
use tak_engine::notation::{Deviations, parse_move, read_first_move, read_move};
use tak_engine::tei::command::{self, Command};
use tak_engine::tei::server::serve;

/// Maximum number of lines of a session; a fuzzer gains nothing from more.
const MAX_LINES: usize = 120;

/// Memory and threads stay small, so that many sessions fit into a second.
const OPTION_LIMITS: [(&str, i64); 2] = [("Hash", 2), ("Threads", 4)];

/// The commands after every line.
const PROBE: &[u8] = b"show\nisready\n";

/// Timeout of a search that should end by itself, after which the session continues without its answer. Sanitizers and
/// busy machines are slow, and the fuzzer itself gives up on an input sooner.
const SEARCH_TIMEOUT: Duration = Duration::from_secs(60);

/// Runs a session of these lines and checks it.
pub fn session(data: &[u8]) {
    // A carriage return ends a line as well.
    let lines: Vec<Vec<u8>> = data
        .split(|byte| matches!(byte, b'\n' | b'\r'))
        .take(MAX_LINES)
        .filter(|line| !matches!(parse(line), Some(Command::Show | Command::IsReady)))
        .map(tamed)
        .collect();
    let progress = Arc::new(Progress::default());
    let mut out = Transcript { bytes: Vec::new(), progress: Arc::clone(&progress) };
    let feed = Feed::new(&lines, Arc::clone(&progress));
    serve(feed, &mut out).expect("memory can always be written to");
    let text = String::from_utf8(out.bytes).expect("all output is text");
    assert!(!*progress.late.lock().expect("no one panics with it"), "a search with a small limit did not end:\n{text}");
    Judge::new(&text).judge(&lines);
}

/// The command of a line, if it is one. Printed and read again it is the same.
fn parse(line: &[u8]) -> Option<Command<'_>> {
    let text = str::from_utf8(unmarked(line)).ok()?;
    let command = command::read(text).command.ok()?;
    let printed = command.to_string();
    // A position of move 1 with stones has no standard form, so this may deviate from it.
    let again = command::read(&printed);
    assert_eq!((again.command.as_ref(), again.fault), (Ok(&command), None), "{text:?}");
    Some(command)
}

/// The line, with smaller values of options that would take long.
fn tamed(line: &[u8]) -> Vec<u8> {
    if let Some(Command::SetOption { name, value: Some(value) }) = parse(line) {
        for (known, most) in OPTION_LIMITS {
            let is_large = value.parse().is_ok_and(|value: f64| value > most as f64 && value <= 65_536.0);
            if name.eq_ignore_ascii_case(known) && is_large {
                return format!("setoption name {known} value {most}").into_bytes();
            }
        }
    }
    line.to_vec()
}

/// The line without a byte order mark, which is ignored.
fn unmarked(line: &[u8]) -> &[u8] {
    line.strip_prefix("\u{FEFF}".as_bytes()).unwrap_or(line)
}

/// The word of the command of a line: the first word, or the second if an unknown one stands before a command.
fn head(line: &[u8]) -> Option<&[u8]> {
    let line = unmarked(line);
    std::str::from_utf8(line)
        .map(|line| command::head(line).as_bytes())
        .ok()
        .or_else(|| line.trim_ascii_start().split(u8::is_ascii_whitespace).next())
}

fn is_go(line: &[u8]) -> bool {
    head(line) == Some(b"go")
}

/// Returns whether the line begins a search that soon ends by itself. The session waits for such a search; others run
/// until a later line or the end of the input ends them.
fn ends_soon(line: &[u8]) -> bool {
    let Some(Command::Go(go)) = parse(line) else {
        return false;
    };
    let within = |number: Option<i64>, most: i64| number.is_some_and(|number| number <= most);
    !go.infinite && (within(go.nodes, 1000) || within(go.depth, 2) || within(go.movetime, 5))
}

/// State shared by reader and writer of a session.
#[derive(Default)]
struct Progress {
    /// `bestmove` lines so far.
    answers: Mutex<usize>,
    answered: Condvar,
    /// True if an answer did not arrive in time.
    late: Mutex<bool>,
}

/// The server's input: each line with a probe after it.
struct Feed {
    /// The text, and the number of answers to wait for before it is read.
    chunks: VecDeque<(Vec<u8>, usize)>,
    read: usize,
    progress: Arc<Progress>,
}

impl Feed {
    fn new(lines: &[Vec<u8>], progress: Arc<Progress>) -> Self {
        let first = [b"setoption name Hash value 1\n", PROBE].concat();
        let mut chunks = VecDeque::from([(first, 0)]);
        let mut searches = 0;
        let mut awaited = 0;
        let mut has_quit = false;
        for line in lines {
            chunks.push_back(([line.as_slice(), b"\n", PROBE].concat(), awaited));
            has_quit |= matches!(parse(line), Some(Command::Quit));
            searches += usize::from(matches!(parse(line), Some(Command::Go(_))));
            if ends_soon(line) && !has_quit {
                awaited = searches;
            }
        }
        // The end of the input would end the last search.
        chunks.push_back((Vec::new(), awaited));
        Self { chunks, read: 0, progress }
    }
}

impl Read for Feed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some((chunk, awaited)) = self.chunks.front() else {
            return Ok(0);
        };
        if self.read == 0 {
            let answers = self.progress.answers.lock().expect("no one panics with it");
            let (_answers, wait) = self
                .progress
                .answered
                .wait_timeout_while(answers, SEARCH_TIMEOUT, |answers| *answers < *awaited)
                .expect("no one panics with it");
            if wait.timed_out() {
                *self.progress.late.lock().expect("no one panics with it") = true;
            }
        }
        let rest = &chunk[self.read..];
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        self.read += count;
        if self.read == chunk.len() {
            self.chunks.pop_front();
            self.read = 0;
        }
        Ok(count)
    }
}

/// The server's output.
struct Transcript {
    bytes: Vec<u8>,
    progress: Arc<Progress>,
}

impl Write for Transcript {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let text = String::from_utf8_lossy(&self.bytes);
        let lines: Vec<&str> = text.lines().collect();
        let answers = (0..lines.len())
            .filter(|&index| lines[index].starts_with("bestmove "))
            .filter(|&index| index == 0 || !is_of_refused_go(lines[index - 1], lines[index]))
            .count();
        *self.progress.answers.lock().expect("no one panics with it") = answers;
        self.progress.answered.notify_all();
        Ok(())
    }
}

/// The answer to `show` if the last position or game was refused.
const NO_POSITION: &str = "info error there is no position";

/// Returns whether a `bestmove` is that of a refused `go`, by the line before. That of a search can also come right
/// after a refusal.
fn is_of_refused_go(before: &str, bestmove: &str) -> bool {
    is_refusal(before) && bestmove == "bestmove --"
}

/// Returns whether a line reports a refused line.
fn is_refusal(line: &str) -> bool {
    line.starts_with("info error ") && !line.starts_with(NO_POSITION) && !is_note(line)
}

/// Returns whether a line reports a line that was executed in part or with changes.
fn is_note(line: &str) -> bool {
    line.starts_with("info error ")
        && (line.ends_with("; the rest of the line is executed")
            || line.ends_with(" is taken")
            // The words before it can be those of the line.
            || line.rsplit_once(": taken as a new game of size ").is_some_and(|(_, size)| size.parse::<u8>().is_ok()))
}

/// A search that has not been answered yet.
struct Search {
    /// `None` if there was nothing to search, and the only answer is `--`.
    position: Option<AnyPosition>,
    /// True if claims can be checked without earlier positions of the game.
    is_plain: bool,
    /// The first move of the last reported best line.
    best: Option<String>,
    /// The only moves to search; empty for all.
    searchmoves: Vec<Move>,
}

/// Checks the output against the input, line by line.
struct Judge<'a> {
    text: &'a str,
    lines: std::str::Lines<'a>,
    /// The last answer to `show`.
    shown: &'a str,
    searches: VecDeque<Search>,
    /// The moves of the last `position` that was executed.
    moves: usize,
    repetitions: i64,
    /// True if the client has shown support for `score solved`.
    knows_solved: bool,
}

impl<'a> Judge<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            lines: text.lines(),
            shown: "",
            searches: VecDeque::new(),
            moves: 0,
            repetitions: 3,
            knows_solved: false,
        }
    }

    fn check(&self, good: bool, what: &str) {
        assert!(good, "{what}, in\n{}\nafter {}", self.text, self.shown);
    }

    fn judge(mut self, lines: &[Vec<u8>]) {
        let (answers, shown) = self.answers();
        self.check(answers.is_empty(), "more than an answer to show");
        self.shown = shown.unwrap_or_default();
        for line in lines {
            let command = parse(line);
            let before = self.shown;
            let (answers, shown) = self.answers();
            if let Some(shown) = shown {
                self.shown = shown;
                if let Some(Command::Go(words)) = &command {
                    self.knows_solved |= words.solved;
                    let position = self.position();
                    self.searches.push_back(Search {
                        searchmoves: position
                            .as_ref()
                            .map(|at| self.moves_of(at, &words.searchmoves))
                            .unwrap_or_default(),
                        position,
                        is_plain: self.moves <= 4 && !(1..3).contains(&self.repetitions),
                        best: None,
                    });
                }
            }
            let mut faults = 0;
            let mut notes = 0;
            let mut is_owed = false;
            for answer in answers {
                if is_owed {
                    self.check(answer == "bestmove --", "a refused go without its bestmove");
                    is_owed = false;
                } else if is_note(answer) {
                    notes += 1;
                } else if answer.starts_with("info error ") {
                    faults += 1;
                    is_owed = is_refusal(answer) && is_go(line) && self.searches.is_empty();
                } else {
                    self.answer(answer, command.as_ref());
                }
            }
            self.check(!is_owed, "a refused go without its bestmove");
            if matches!(command, Some(Command::Quit)) {
                break;
            }
            self.check(shown.is_some(), "no answer to show");
            self.check(faults + notes <= 1, "two errors for one line");
            self.obeyed(command.as_ref(), line, before, faults > 0);
        }
        let (answers, shown) = self.answers();
        self.check(shown.is_none(), "an answer to nothing");
        for answer in answers {
            self.answer(answer, None);
        }
        self.check(self.searches.is_empty(), "a go without its bestmove");
    }

    /// The lines up to the next `readyok`, and separately the answer to `show`.
    fn answers(&mut self) -> (Vec<&'a str>, Option<&'a str>) {
        let mut answers = Vec::new();
        for line in self.lines.by_ref() {
            if line == "readyok" {
                let shown = answers
                    .iter()
                    .rposition(|line: &&str| line.starts_with("info string tps ") || line.starts_with(NO_POSITION));
                let shown = shown.map(|index| answers.remove(index));
                return (answers, shown);
            }
            answers.push(line);
        }
        (answers, None)
    }

    /// Checks the effect of a line.
    fn obeyed(&mut self, command: Option<&Command>, line: &[u8], before: &str, refused: bool) {
        let is_blank = unmarked(line).trim_ascii().is_empty();
        self.check(refused || command.is_some() || is_blank, "an invalid line was executed");
        if refused {
            let head = head(line);
            let has_position = !self.shown.starts_with(NO_POSITION);
            match head {
                // The position that it would replace is cancelled, and there is no other.
                Some(b"position" | b"teinewgame") => {
                    self.check(!has_position, "a refused position left one behind");
                    self.check(self.searches.is_empty(), "a search should have ended");
                }
                _ => self.check(self.shown == before, "a refused line changed the position"),
            }
            return;
        }
        match command {
            Some(Command::Position { moves, .. }) => self.moves = moves.len(),
            Some(Command::NewGame { named, .. }) => {
                self.moves = 0;
                self.knows_solved |= named;
            }
            Some(Command::SetOption { name, value }) => {
                if name.eq_ignore_ascii_case("Repetitions") {
                    let value = value.as_ref().and_then(|value| value.parse::<f64>().ok());
                    self.repetitions = value.map_or(1, |value| value as i64);
                }
            }
            Some(Command::Stop) => {}
            Some(Command::Go(_)) => {
                self.check(self.searches.len() <= 1, "two searches at once");
                return;
            }
            _ => {
                self.check(self.shown == before, "a question changed the position");
                return;
            }
        }
        self.check(self.searches.is_empty(), "a search should have ended");
    }

    /// A line that is neither a refusal nor an answer to `show`.
    fn answer(&mut self, answer: &str, command: Option<&Command>) {
        let is_text = answer.bytes().all(|b| b == b' ' || b.is_ascii_graphic());
        self.check(is_text, "a line that is not plain text");
        let (head, rest) = answer.split_once(' ').unwrap_or((answer, ""));
        match head {
            "id" | "size" | "option" | "teiok" => {
                self.check(matches!(command, Some(Command::Tei)), "no one said tei");
            }
            "bestmove" => self.best_move(rest),
            "info" if rest.starts_with("string ") => {
                // A position in another form than the standard one is taken with a note.
                let is_note = matches!(command, Some(Command::Position { .. })) && rest.contains(" is not standard: ");
                self.check(is_note || matches!(command, Some(Command::Draw | Command::Help)), "no one asked for text");
            }
            "info" => self.info(rest),
            _ => self.check(false, "an unknown line"),
        }
    }

    fn best_move(&mut self, text: &str) {
        let search = self.searches.pop_front();
        self.check(search.is_some(), "a bestmove that no one asked for");
        let Some(Search { position, best, searchmoves, .. }) = search else {
            return;
        };
        let Some(position) = position.filter(|position| position.outcome().is_none()) else {
            self.check(text == "--", "a move without a legal one");
            return;
        };
        let mv = parse_move(text, position.size()).ok();
        self.check(mv.is_some_and(|mv| position.legal_moves().contains(&mv)), "an illegal bestmove");
        let is_asked = searchmoves.is_empty() || mv.is_some_and(|mv| searchmoves.contains(&mv));
        self.check(is_asked, "a bestmove that is none of searchmoves");
        self.check(best.is_none_or(|best| best == text), "a bestmove other than the reported one");
    }

    fn info(&mut self, text: &str) {
        let words: Vec<&str> = text.split(' ').collect();
        let after = |name: &str| {
            let at = words.iter().position(|&word| word == name);
            at.map_or(&[][..], |at| &words[at + 1..])
        };
        let search = self.searches.front();
        let start = search.and_then(|search| search.position.clone());
        let (Some(search), Some(start)) = (search, start) else {
            self.check(false, "info without a search");
            return;
        };
        let pv = after("pv");
        let mut line = vec![start];
        for text in pv {
            let mut position = line[line.len() - 1].clone();
            let played = parse_move(text, position.size()).is_ok_and(|mv| position.play(mv).is_ok());
            self.check(played, "an illegal move in a line of play");
            line.push(position);
        }
        self.check(line.len() > 1, "info without a line of play");
        let is_whole = search.searchmoves.is_empty();
        let first = pv.first().and_then(|text| parse_move(text, line[0].size()).ok());
        let is_asked = is_whole || first.is_some_and(|mv| search.searchmoves.contains(&mv));
        self.check(is_asked, "a line that begins with none of searchmoves");
        let wdl = after("wdl").iter().take(3);
        let wdl: u32 = wdl.flat_map(|number| number.parse::<u32>()).sum();
        self.check(wdl == 1000, "wdl that are not a thousand");
        let is_best = after("multipv").first().is_none_or(|&rank| rank == "1");
        match after("score") {
            ["cp", value, ..] => self.check(value.parse::<i32>().is_ok(), "no cp"),
            ["solved", result, plies, ..] => {
                self.check(self.knows_solved, "`score solved` for a client without support");
                let plies = plies.parse().unwrap_or_default();
                self.check(pv.len() == plies as usize, "a proof without its line");
                if plies <= 1 || search.is_plain {
                    // A loss by the best of some moves is no loss of the position.
                    self.claim(&line[0], &line[1], result, plies, is_best && is_whole);
                }
            }
            _ => self.check(false, "info without a score"),
        }
        if is_best && let Some(search) = self.searches.front_mut() {
            search.best = pv.first().map(|&mv| mv.to_owned());
        }
    }

    /// The legal ones of the words after `searchmoves`.
    fn moves_of(&self, position: &AnyPosition, words: &[&str]) -> Vec<Move> {
        let deviations = &mut Deviations::default();
        let read = |text: &&str| match self.moves {
            0 => read_first_move(text, &mut position.to_setup(), true, deviations),
            _ => read_move(text, position.size(), deviations),
        };
        let moves = words.iter().map(read).filter_map(Result::ok);
        moves.filter(|mv| position.legal_moves().contains(mv)).collect()
    }

    /// Checks claims of few plies in positions with few moves by a search without any pruning. The claim is that of the
    /// line from one position to the other, which is the best line of all moves or another one.
    fn claim(&self, from: &AnyPosition, to: &AnyPosition, result: &str, plies: u32, is_best: bool) {
        let is_known = matches!(result, "win" | "loss" | "draw");
        self.check(is_known && plies > 0, "an unknown claim");
        if plies > 3 || from.legal_moves().len().pow(plies) > 40_000 {
            return;
        }
        let mover = from.to_move();
        let holds = match (result, to.outcome()) {
            ("win", Some(outcome)) => outcome.winner == Some(mover),
            ("win", None) => loses(to, plies - 1),
            ("loss", _) if is_best => loses(from, plies),
            ("loss", Some(outcome)) => outcome.winner == Some(!mover),
            ("loss", None) => wins(to, plies - 1),
            _ => true,
        };
        self.check(holds, "a false claim");
    }

    /// The position that `show` printed last; `None` if there was none.
    fn position(&self) -> Option<AnyPosition> {
        if self.shown.starts_with(NO_POSITION) {
            return None;
        }
        let words: Vec<&str> = self.shown.split(' ').collect();
        let after = |name: &str| {
            let at = words.iter().position(|&word| word == name);
            at.map_or(&[][..], |at| &words[at + 1..])
        };
        let [board, side, number] = after("tps")[..3] else { unreachable!("three words") };
        // Games may continue beyond the largest move number that can be read.
        let number: u32 = number.parse().expect("a number");
        let number = number.min(Setup::MAX_MOVE_NUMBER);
        let tps = format!("{board} {side} {number}");
        let mut setup = tps.parse::<Setup>().expect("show prints a position");
        let half_komi = after("halfkomi")[0].parse().expect("a number");
        setup.komi = Komi::from_half(half_komi).expect("a komi");
        if let Some(name) = after("opening").first() {
            setup.opening = name.parse().expect("an opening");
        }
        let left = |color: Color| {
            let (stones, caps) = after("reserves")[color.index()].split_once('/').expect("a reserve");
            let number = |text: &str| text.parse::<u8>().expect("a number");
            (number(stones), number(caps))
        };
        setup.reserves = ByColor(Color::ALL.map(|color| {
            let pieces = setup.stacks.iter().flat_map(|stack| &stack.colors);
            let pieces = pieces.filter(|&&piece| piece == color).count();
            let caps =
                setup.stacks.iter().filter(|stack| stack.top == PieceKind::Cap && stack.colors.last() == Some(&color));
            let caps = caps.count();
            let (stones_left, caps_left) = left(color);
            Reserve { stones: stones_left + (pieces - caps) as u8, caps: caps_left + caps as u8 }
        }));
        let position = AnyPosition::from_setup(&setup).expect("show prints a playable position");
        self.check(position.validate().is_ok(), "an inconsistent position");
        self.check(position.to_string() == tps, "a position that reads back as another");
        Some(position)
    }
}
