//! Answers about single positions and about the games of PTN files, one after the other.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use anyhow::{Context, bail};
use serde::Serialize;

use super::Args;
use crate::board::Game;
use crate::cli::errors::error_line;
use crate::cli::game_file::{PtnGames, hinted, played};
use crate::cli::interrupt::{awaited, interrupted};
use crate::cli::source::Source;
use crate::cli::stderr::{say, say_deviations};
use crate::cli::values;
use crate::engine::{Engine, check_memory};
use crate::notation::{GameText, ReadGame, counted, read_game};

/// The answer about a game that cannot be analysed.
#[derive(Serialize)]
struct GameError<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    game: u64,
    error: String,
}

/// The most faults that wait for the first game that can be read.
const MAX_WAITING: usize = 1000;

/// Analyses with all threads, and writes the answers.
pub(super) struct Answers<'a> {
    args: &'a Args,
    /// There are several sources, so answers name theirs.
    are_named: bool,
    stop: &'a Arc<AtomicBool>,
    engine: Option<Engine>,
    /// Answers so far.
    count: u64,
}

struct Games<'a> {
    source: &'a str,
    /// The same if it is a file.
    file: Option<&'a str>,
    /// The file has several, or is one of several.
    are_headed: bool,
    /// Faults of games before the first that can be read.
    waiting: Vec<(u64, String)>,
    good: u64,
    bad: u64,
}

impl<'a> Answers<'a> {
    pub fn new(args: &'a Args, are_named: bool, stop: &'a Arc<AtomicBool>) -> Self {
        Self { args, are_named, stop, engine: None, count: 0 }
    }

    /// The name of a source for its answers, if there are several.
    pub fn name(&self, source: &Source) -> Option<String> {
        self.are_named.then(|| source.to_string())
    }

    pub fn position(&mut self, game: &Game, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        self.answer(game, None, None, out)?;
        out.flush()?;
        if self.stop.load(SeqCst) { Ok(interrupted("the answer so far")) } else { Ok(ExitCode::SUCCESS) }
    }

    /// Answers for each game of a file, or for the one that is asked for.
    pub fn games(
        &mut self,
        source: &Source,
        input: impl BufRead + Send + 'static,
        out: &mut dyn Write,
    ) -> anyhow::Result<ExitCode> {
        let cannot = || format!("cannot read {source}");
        let name = source.to_string();
        let file = matches!(source, Source::File(_)).then_some(name.as_str());
        let mut games = Games { source: &name, file, are_headed: self.are_named, waiting: Vec::new(), good: 0, bad: 0 };
        let mut texts = PtnGames::new(input);
        let stop = Arc::clone(self.stop);
        let read = |texts: &mut PtnGames| awaited(&stop, || texts.next()).with_context(cannot);
        let mut next = read(&mut texts)?;
        while let Some((index, text)) = next {
            let number = index + 1;
            if let Some(wanted) = self.args.game {
                if wanted == number {
                    let game = self.args.read(&self.heading(&games, number), &text);
                    self.game(&mut games, number, game, out)?;
                    return self.end(&games);
                }
                next = read(&mut texts)?;
                continue;
            }
            let game = self.args.read(&self.heading(&games, number), &text);
            // Whether there is another decides on the heading.
            next = read(&mut texts)?;
            games.are_headed |= next.is_some();
            self.game(&mut games, number, game, out)?;
            if self.stop.load(SeqCst) {
                return self.end(&games);
            }
        }
        match self.args.game {
            Some(wanted) if texts.count() > 0 => {
                bail!("{source} has {}, there is no game {wanted}", counted(texts.count(), "game", "games"))
            }
            _ if texts.count() == 0 => bail!("{source} holds no game"),
            _ => self.end(&games),
        }
    }

    /// Answers for a game, or reports its fault. Faults wait for the first game that can be read.
    fn game(
        &mut self,
        games: &mut Games<'_>,
        number: u64,
        game: anyhow::Result<Game>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        match game {
            Ok(game) => {
                games.good += 1;
                self.report_faults(games, out)?;
                let heading = games.are_headed.then(|| self.heading(games, number));
                self.answer(&game, heading, games.file, out)?;
            }
            Err(error) => {
                games.bad += 1;
                games.waiting.push((number, hinted(&error_line(&error))));
                if games.good > 0 || games.waiting.len() > MAX_WAITING {
                    self.report_faults(games, out)?;
                }
            }
        }
        out.flush()?;
        Ok(())
    }

    fn heading(&self, games: &Games<'_>, number: u64) -> String {
        if self.are_named { format!("{}, game {number}", games.source) } else { format!("game {number}") }
    }

    fn report_faults(&mut self, games: &mut Games<'_>, out: &mut dyn Write) -> anyhow::Result<()> {
        for (game, error) in std::mem::take(&mut games.waiting) {
            let heading = self.heading(games, game);
            say(&format_args!("{heading}: {error}"));
            if self.args.json {
                let fault = GameError { file: self.are_named.then_some(games.source), game, error };
                writeln!(out, "{}", serde_json::to_string(&fault)?)?;
            } else {
                self.separate(out)?;
                writeln!(out, "{heading}\nnot analysed")?;
            }
            self.count += 1;
        }
        Ok(())
    }

    /// A blank line before every answer but the first.
    fn separate(&self, out: &mut dyn Write) -> anyhow::Result<()> {
        if self.count > 0 && !self.args.json {
            writeln!(out)?;
        }
        Ok(())
    }

    fn answer(
        &mut self,
        game: &Game,
        heading: Option<String>,
        file: Option<&str>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        self.separate(out)?;
        if let Some(heading) = heading.filter(|_| !self.args.json) {
            writeln!(out, "{heading}")?;
        }
        self.count += 1;
        let engine = match &mut self.engine {
            Some(engine) => {
                engine.clear();
                engine
            }
            engine => engine.insert(self.args.engine(self.stop)?),
        };
        self.args.answer(engine, game, file, out)
    }

    fn end(&self, games: &Games<'_>) -> anyhow::Result<ExitCode> {
        let Games { source, good, bad, .. } = games;
        let all = good + bad;
        if self.stop.load(SeqCst) {
            return Ok(interrupted(&match self.count {
                1 => "the answer so far".to_owned(),
                count => format!("answers for {count} games"),
            }));
        }
        match games.waiting.first() {
            Some((_, error)) if all == 1 => bail!("{source}: {error}"),
            Some((number, error)) => bail!("{source}: none of {all} games can be read; game {number}: {error}"),
            None if *bad > 0 => bail!("{bad} of {all} games could not be analysed"),
            None => Ok(ExitCode::SUCCESS),
        }
    }
}

impl Args {
    fn engine(&self, stop: &Arc<AtomicBool>) -> anyhow::Result<Engine> {
        let threads = self.threads.unwrap_or_else(values::cores);
        // A table that was asked for and cannot be had is an error, even if a short search would take a smaller one.
        self.hash.map_or(Ok(()), check_memory)?;
        let hash_mib = self.hash.unwrap_or(256).min(self.most_mib(threads));
        let mut engine = Engine::new(self.settings(threads, hash_mib)?).stopped_by(Arc::clone(stop));
        // Allocated here, so that the time shown is that of the search.
        engine.prepare()?;
        Ok(engine)
    }

    /// The game of a text, up to the place that is asked for.
    fn read(&self, heading: &str, text: &GameText) -> anyhow::Result<Game> {
        let read = read_game(text, self.size);
        say_deviations(&read.deviations, |warning| say(&format_args!("{heading}: {warning}")));
        self.game_of_ptn(&read)
    }

    fn game_of_ptn(&self, read: &ReadGame) -> anyhow::Result<Game> {
        let start = self.adapted(read.game.start.clone());
        let tag =
            if read.game.tag("Size").is_some() { "the Size tag, which says" } else { "the TPS tag, whose size is" };
        if read.fault.is_none() || !read.game.moves.is_empty() {
            values::check_size(self.size, start.size, tag)?;
        }
        played(read, &start, self.ply)
    }
}
