//! PTN files of any length, read one game at a time. Also the progress and the faults of reading them, on stderr.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::Path;

use anyhow::{Context, bail};

use super::progress::Progress;
use super::values::Place;
use crate::analysis::annotate::source::Source;
use crate::board::{AnyPosition, Game, Setup};
use crate::files::text::{TextLine, open_regular, read_bytes, text_lines};
use crate::journals::hash::{fnv1a, fnv1a_more};
use crate::notation::{Deviations, GameSplitter, GameText, ReadGame, read_setup};

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

/// Returns whether an argument that stands alone names a file, and is not a TPS, which has blanks and ends with a
/// number.
pub(super) fn is_file_name(argument: &str) -> bool {
    let path = Path::new(argument);
    let is_ptn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ptn"));
    let last = argument.split_whitespace().next_back().unwrap_or_default();
    let ends_in_number = last.trim_matches(|c: char| !c.is_alphanumeric()).parse::<u64>().is_ok();
    let is_text = ends_in_number || read_setup(argument, &mut Deviations::default()).is_ok();
    is_ptn
        || path.exists()
        || !argument.contains(char::is_whitespace)
        || (argument.contains(std::path::is_separator) && !is_text)
}

/// Reports on stderr the fault of the game with this number, from 0.
pub(super) fn say_fault(progress: &Progress, number: u64, fault: &str) {
    progress.note(&format_args!("game {}: {fault}", number + 1));
}

/// The games of a file or of stdin, one after the other.
pub(super) struct PtnGames {
    lines: Box<dyn Iterator<Item = io::Result<TextLine>> + Send>,
    splitter: GameSplitter,
    number: u64,
}

impl PtnGames {
    pub fn open(file: &Path) -> anyhow::Result<Self> {
        let input: Box<dyn BufRead + Send> = if file == Path::new("-") {
            Box::new(BufReader::new(io::stdin()))
        } else {
            let opened = open_regular(file);
            let opened = opened.with_context(|| format!("cannot read {}", file.display()))?;
            Box::new(BufReader::with_capacity(1 << 16, opened))
        };
        Ok(Self::new(input))
    }

    /// Those of a file, a pipe, or stdin that is read whole, so that endless input is refused.
    pub fn read(file: File) -> io::Result<Self> {
        Ok(Self::new(Cursor::new(read_bytes(file)?)))
    }

    pub fn new(input: impl BufRead + Send + 'static) -> Self {
        Self {
            lines: Box::new(text_lines(input, GameText::MAX_BYTES + 1)),
            splitter: GameSplitter::default(),
            number: 0,
        }
    }

    pub const fn count(&self) -> u64 {
        self.number
    }

    /// At most this number of the next games.
    pub fn take(&mut self, count: usize) -> io::Result<Vec<(u64, GameText)>> {
        std::iter::from_fn(|| self.next().transpose()).take(count).collect()
    }

    /// The next game, with its number from 0.
    pub fn next(&mut self) -> io::Result<Option<(u64, GameText)>> {
        let game = loop {
            if let Some(game) = self.splitter.take() {
                break game;
            }
            match self.lines.next().transpose()? {
                Some(line) if line.is_recoded => self.splitter.push_recoded(&line.text),
                Some(line) => self.splitter.push(&line.text),
                None => {
                    self.splitter.finish();
                    match self.splitter.take() {
                        Some(game) => break game,
                        None => return Ok(None),
                    }
                }
            }
        };
        let number = self.number;
        self.number += 1;
        Ok(Some((number, game)))
    }
}

/// The contents of a file of games.
pub(super) struct Survey {
    pub games: u64,
    /// Of the whole file.
    pub hash: u64,
    /// Games that are wanted.
    pub wanted: usize,
    /// Positions of these, as far as they can be played.
    pub positions: u64,
}

/// Reads a file of games. `wants` selects games by their numbers.
pub(super) fn survey(file: &Path, wants: impl Fn(u64) -> bool) -> io::Result<Survey> {
    let open = || Ok::<_, io::Error>(BufReader::with_capacity(1 << 16, open_regular(file)?));
    let (mut input, mut hash) = (open()?, fnv1a(b""));
    while let bytes @ [_, ..] = input.fill_buf()? {
        let length = bytes.len();
        hash = fnv1a_more(hash, bytes);
        input.consume(length);
    }
    let mut games = PtnGames::new(open()?);
    let (mut wanted, mut positions) = (0, 0);
    while let Some((number, text)) = games.next()? {
        if wants(number) {
            wanted += 1;
            let game = Source::read(number, &text, None).game;
            positions += game.map_or(0, |game| game.moves().len() as u64 + 1);
        }
    }
    Ok(Survey { games: games.number, hash, wanted, positions })
}
