//! Games of PTN files, and their faults on stderr.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::mem;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use anyhow::{Context, bail, ensure};

use super::errors::usage;
use super::progress::Progress;
use super::source::{Opened, Source, is_stdin_piped};
use super::stderr::say;
use super::values::{self, Place};
pub(super) use crate::analysis::games::{PtnGames, Terms};
use crate::board::{AnyPosition, Game, Komi, Setup, Size};
use crate::notation::{GameText, PtnFault, ReadGame, counted};

/// The games that a command reads.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct GameFiles {
    /// PTN files, with any number of games, or - for stdin; without any, a piped stdin
    #[arg(value_name = "FILE.ptn | -")]
    inputs: Vec<OsString>,
    /// Only the game with this number in each file, from 1 [default: all]
    #[arg(long, value_name = "N", value_parser = values::nodes())]
    game: Option<u64>,
}

/// What games are read with that do not say so.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct TermArgs {
    /// Board size of games that state none, 3 to 8
    #[arg(long)]
    pub size: Option<Size>,
    /// Komi in flats, -10 to 10 in halves, overriding the games'
    #[arg(long, value_parser = values::komi)]
    pub komi: Option<Komi>,
}

impl TermArgs {
    pub const fn terms(&self) -> Terms {
        Terms { size: self.size, komi: self.komi }
    }
}

impl GameFiles {
    pub fn names(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(Path::new)
    }

    /// Returns whether there is nothing to read: no file is given, and stdin is not piped.
    pub fn are_missing(&self) -> bool {
        self.inputs.is_empty() && self.game.is_none() && !is_stdin_piped()
    }

    /// Looks into all files, so that one that cannot be read is reported before any work.
    ///
    /// # Errors
    /// Names the file, also if it is not text or holds no games.
    pub fn open(&self) -> anyhow::Result<Games> {
        let mut sources = Source::all(&self.inputs)?;
        if sources.is_empty() {
            if !is_stdin_piped() {
                return Err(usage("a PTN file is missing, or - for stdin"));
            }
            sources.push(Source::Stdin);
        }
        let is_one = sources.len() == 1;
        let (mut inputs, mut empty) = (VecDeque::new(), Vec::new());
        for source in sources {
            if matches!(source, Source::Position(_)) {
                return Err(usage(format_args!("{source} is not a file: expected PTN files, or - for stdin")));
            }
            let opened = source.open()?;
            if opened.is_empty() {
                empty.push(source.to_string());
                continue;
            }
            ensure!(!opened.is_list(), "cannot read {source}: it holds positions, and no PTN games");
            // Others cannot be read again, and many open files are too many.
            inputs.push_back(Input { opened: (!source.is_regular()).then_some(opened), source });
        }
        ensure!(!inputs.is_empty(), "no game in {}", empty.join(", "));
        for name in empty {
            say(&format_args!("warning: no game in {name}"));
        }
        let places = Places { parts: Arc::default(), are_named: !is_one };
        Ok(Games { inputs, reading: None, wanted: self.game, number: 0, places })
    }
}

/// A file whose turn comes later.
struct Input {
    source: Source,
    /// Unless it can be opened again.
    opened: Option<Opened>,
}

/// The games of all files, one after the other.
pub(super) struct Games {
    inputs: VecDeque<Input>,
    reading: Option<(Source, PtnGames)>,
    /// The number of the only game of each file.
    wanted: Option<u64>,
    /// Of the next game, from 0 through all files.
    number: u64,
    places: Places,
}

impl Games {
    /// The next game, with its number from 0; `None` at the end.
    ///
    /// # Errors
    /// Names the file that cannot be read, or that does not have the game.
    pub fn next(&mut self) -> io::Result<Option<(u64, GameText)>> {
        loop {
            let Some((source, games)) = &mut self.reading else {
                let Some(Input { source, opened }) = self.inputs.pop_front() else { return Ok(None) };
                let opened = opened.map_or_else(|| source.open(), Ok).map_err(io::Error::other)?;
                self.reading = Some((source, PtnGames::new(opened.input)));
                continue;
            };
            let named = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {source}: {error}"));
            let next = games.next().map_err(named)?;
            match (next, self.wanted) {
                (None, Some(wanted)) => {
                    let count = counted(games.count(), "game", "games");
                    return Err(io::Error::other(format!("{source} has {count}, there is no game {wanted}")));
                }
                (None, None) => self.reading = None,
                (Some((index, _)), Some(wanted)) if index + 1 != wanted => {}
                (Some((index, text)), wanted) => {
                    let number = self.number;
                    if index == 0 || wanted.is_some() {
                        self.places.begin(number, index, source);
                    }
                    if wanted.is_some() {
                        self.reading = None;
                    }
                    self.number += 1;
                    return Ok(Some((number, text)));
                }
            }
        }
    }

    /// The same games once more, unless they come from a pipe or from a device.
    pub fn again(&self) -> Option<Self> {
        let again =
            |input: &Input| input.opened.is_none().then(|| Input { source: input.source.clone(), opened: None });
        let inputs = self.inputs.iter().map(again).collect::<Option<_>>()?;
        let places = Places { parts: Arc::default(), ..self.places };
        Some(Self { inputs, reading: None, wanted: self.wanted, number: 0, places })
    }

    /// Games so far.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// The number of games. Takes them all.
    pub fn count(&mut self) -> io::Result<u64> {
        while self.next()?.is_some() {}
        Ok(self.number)
    }

    /// Shows the total once it is known: it takes long to count in large files. `units` are those of a game.
    pub fn count_for(&self, progress: &Progress, units: impl Fn(u64, &GameText) -> u64 + Send + 'static) {
        let Some(mut games) = self.again() else { return };
        let progress = progress.clone();
        let count = move || {
            let mut total = 0;
            // The work itself meets the same error.
            while let Ok(Some((number, text))) = games.next() {
                total += units(number, &text);
            }
            progress.set_total(total);
        };
        // Without a thread the total remains unknown.
        let _ = thread::Builder::new().spawn(count);
    }

    /// The files, without stdin.
    pub fn files(&self) -> Vec<&Path> {
        self.inputs
            .iter()
            .filter_map(|input| match &input.source {
                Source::File(path) => Some(path.as_path()),
                _ => None,
            })
            .collect()
    }

    pub fn places(&self) -> Places {
        self.places.clone()
    }
}

/// The places of games, by their numbers.
#[derive(Clone)]
pub(super) struct Places {
    /// For each file: the number of its first game, the place of that in the file, and the name of the file.
    parts: Arc<Mutex<Vec<(u64, u64, String)>>>,
    /// There are several files, so places name them.
    are_named: bool,
}

impl Places {
    fn begin(&self, number: u64, index: u64, source: &Source) {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).push((number, index, source.to_string()));
    }

    fn only_file(&self) -> Option<String> {
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.first().filter(|_| !self.are_named).map(|(.., name)| name.clone())
    }

    /// Such as `game 3`, or with several files `b.ptn, game 3`.
    pub fn place(&self, number: u64) -> String {
        let parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let part = parts.partition_point(|(first, ..)| *first <= number).checked_sub(1).map(|at| &parts[at]);
        match part {
            Some((first, index, name)) if self.are_named => format!("{name}, game {}", index + number - first + 1),
            Some((first, index, _)) => format!("game {}", index + number - first + 1),
            None => format!("game {}", number + 1),
        }
    }
}

/// Games that wait for the first that can be read: if there is none, the first fault is the only answer.
pub(super) struct Held<T> {
    waiting: Vec<(u64, T)>,
    count: u64,
    first_fault: Option<(u64, String)>,
    has_readable: bool,
}

impl<T> Held<T> {
    /// The most games that wait.
    const MAX: usize = 1000;

    pub const fn new() -> Self {
        Self { waiting: Vec::new(), count: 0, first_fault: None, has_readable: false }
    }

    /// Takes the next game, and its fault if nothing of it can be read. Returns those that need not wait any more.
    pub fn push(&mut self, number: u64, fault: Option<&str>, game: T) -> Vec<(u64, T)> {
        self.count += 1;
        match fault {
            Some(fault) if self.first_fault.is_none() => self.first_fault = Some((number, fault.to_owned())),
            Some(_) => {}
            None => self.has_readable = true,
        }
        self.waiting.push((number, game));
        if self.has_readable || self.waiting.len() > Self::MAX {
            self.has_readable = true;
            return mem::take(&mut self.waiting);
        }
        Vec::new()
    }

    /// # Errors
    /// If no game could be read.
    pub fn end(&self, places: &Places) -> anyhow::Result<()> {
        match &self.first_fault {
            Some((number, fault)) if !self.has_readable => {
                let (place, fault) = (places.place(*number), hinted(fault));
                let name = places.only_file();
                match (self.count, name) {
                    (1, Some(name)) => bail!("{name}: {fault}"),
                    (count, Some(name)) => bail!("{name}: none of {count} games can be read; {place}: {fault}"),
                    (count, None) => bail!("none of {count} games can be read; {place}: {fault}"),
                }
            }
            _ => Ok(()),
        }
    }
}

/// A fault with the way out, if an option is one.
pub(super) fn hinted(fault: &str) -> String {
    if fault.ends_with(&PtnFault::NoSize.to_string()) {
        format!("{fault}; --size N gives one")
    } else {
        fault.to_owned()
    }
}

/// The game of a PTN file from this start, up to a place in it or to its end. Faults of a later part do not
/// matter.
pub(super) fn played(read: &ReadGame, start: &Setup, at: Option<Place>) -> anyhow::Result<Game> {
    let in_line = |plies: usize| format!("line {}", read.line(plies));
    let moves = &read.game.moves;
    if let Some(fault) = read.fault.as_ref().filter(|_| at.is_none() || moves.is_empty()) {
        return Err(fault.clone().into());
    }
    let mut game = Game::new(AnyPosition::from_setup(start).with_context(|| in_line(usize::MAX))?);
    let plies = match at.map(|at| at.plies(game.start(), moves.len())) {
        None => moves.len(),
        Some(Ok(plies)) => plies,
        Some(Err(reason)) => bail!(read.fault.as_ref().map_or(reason, ToString::to_string)),
    };
    for (ply, mv) in moves[..plies].iter().map(|ptn| ptn.mv).enumerate() {
        game.play(mv).with_context(|| format!("{}: ply {} ({mv}) is illegal", in_line(ply), ply + 1))?;
    }
    Ok(game)
}

/// Reports on stderr the fault of the game at this place.
pub(super) fn say_fault(progress: &Progress, place: &str, fault: &str) {
    progress.note(&format_args!("{place}: {}", hinted(fault)));
}
