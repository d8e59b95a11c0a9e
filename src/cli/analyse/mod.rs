//! `tak-engine analyse`: the engine's evaluation of a position.

mod batch;
mod findings;
mod run;

pub use run::run;

use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use serde::Serialize;

use self::findings::Findings;
use super::errors::usage;
use super::game_file::{PtnGames, played};
use super::interrupt::interrupted;
use super::stderr::say_deviations;
use super::streams::await_input;
use super::values::{self, Place, WeightFiles};
use crate::board::{AnyPosition, Game, Komi, OpeningRule, Setup, Size};
use crate::engine::{Engine, Level, Limits, SearchRequest, Settings, Task, check_memory};
use crate::files::text::decode;
use crate::notation::{Deviations, ReadGame, begins_ptn, excerpt, read_game, read_setup};
use crate::search::Report;

/// Prints the best move and the evaluation of a position. Ctrl-C ends the search and prints the answer so far.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tak-engine analyse \"x6/x3,1,x2/x2,2C,1,x2/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 6\" --komi 2
  tak-engine analyse game.ptn --ply 12w --time 10s --multipv 3
  tak-engine analyse - --nodes 10000 --json < positions.tps > answers.jsonl
  tak-engine analyse - --size 6 < moves.ptn

JSON: one object on one line with tps, size, komi (flats), outcome (null, or winner and reason of a finished game),
best (a move or null), pv (moves), score_cp (centiflats for the player to move), solved (null, or result and plies),
shortest (whether solved is known to take no fewer plies), wdl (win, draw, loss of the player to move in thousandths,
between equal engines), depth, nodes, time_ms, lines (score_cp, solved, wdl and pv of the best move, the second best
and so on, as --multipv asks) and explain (term and score_cp of the static
evaluation). A line of a batch that is not a position answers with line and error instead, a game that cannot be analysed
with game and error.")]
pub struct Args {
    /// A TPS (quoted or as three words), a PTN file (each game's last position), or - for stdin: a PTN file, or one TPS
    /// a line; without it, the empty board
    #[arg(value_name = "TPS | FILE.ptn | -", num_args = 0..=3)]
    position: Vec<String>,
    /// A place in the games of a PTN file instead of their ends: 24 is after 24 plies, 12w where White makes move 12,
    /// 12b where Black does
    #[arg(long, value_name = "N|12w", value_parser = values::place)]
    ply: Option<Place>,
    /// Read - as one PTN file, or as one TPS a line [default: as PTN if the first line that is not blank is a tag other
    /// than TPS or begins with a move number]
    #[arg(long, value_enum)]
    input: Option<Input>,
    /// Board size of the empty board, or of a PTN game that states none, 3 to 8; any other position must have it
    /// [default: 6]
    #[arg(long)]
    size: Option<Size>,
    /// Komi in flats, -10 to 10 in halves, overriding a PTN file's [default: 0]
    #[arg(long, value_parser = values::komi, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// First turns: swap, no-swap or double-black, overriding a PTN file's [default: as the board shows, or swap]
    #[arg(long, value_name = "RULE")]
    opening: Option<OpeningRule>,
    /// Time to think, such as 3s, 1.5s or 200ms [default: 3s]
    #[arg(long, value_parser = values::time, conflicts_with_all = ["depth", "nodes"])]
    time: Option<Duration>,
    /// Plies to search instead of a time
    #[arg(long, value_parser = values::depth())]
    depth: Option<u32>,
    /// Positions to visit instead of a time
    #[arg(long, value_parser = values::nodes())]
    nodes: Option<u64>,
    /// Prove who wins instead of judging the position [default --time: 60s]
    #[arg(long, conflicts_with_all = ["depth", "multipv"])]
    solve: bool,
    /// With --solve: try every move of both players, until it is known that there is no shorter win
    #[arg(long, requires = "solve", conflicts_with = "level")]
    shortest: bool,
    /// Choose the move at this level of strength, from 1, the weakest; 0 is full strength
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::level(), conflicts_with = "solve")]
    level: u8,
    /// Number of best moves to show a line for
    #[arg(long, default_value_t = 1, value_parser = values::number::<usize>(1..=500))]
    multipv: usize,
    /// Threads [default: all cores]. A batch gives each position one thread, any other analysis all of them
    #[arg(long, value_parser = values::threads())]
    threads: Option<usize>,
    /// Size of the transposition table in MiB; a short search takes no more than it can fill, and each thread of a
    /// batch has a table of its own [default: 256, batch: 16]
    #[arg(long, value_name = "MIB", value_parser = values::table_mib())]
    hash: Option<usize>,
    #[command(flatten)]
    weights: WeightFiles,
    /// Answer with a JSON object on one line
    #[arg(long)]
    json: bool,
}

/// Nodes for which a table of one MiB has room: two places for each.
const NODES_OF_A_MIB: u64 = 1 << 15;

/// More than a thread visits in a millisecond.
const NODES_OF_A_MILLISECOND: u64 = 2_000;

/// A search visits fewer nodes than this, doubled for each ply of its depth.
const NODES_OF_DEPTH_0: u64 = 1_000;

/// Bytes of the first line of stdin that are examined.
const LONGEST_FIRST_LINE: usize = 1 << 16;

/// The first line of stdin that is not blank, all bytes that were read for it, and the rest.
fn first_line() -> io::Result<(String, Vec<u8>, BufReader<io::Stdin>)> {
    let mut input = BufReader::new(io::stdin());
    let mut head = Vec::new();
    loop {
        let begin = head.len();
        while head.len() - begin < LONGEST_FIRST_LINE && !head[begin..].ends_with(b"\n") {
            // The input may never come, and the reader of stdout go away before it does.
            if input.buffer().is_empty() {
                await_input(input.get_ref())?;
            }
            let buffer = input.fill_buf()?;
            if buffer.is_empty() {
                break;
            }
            let length = buffer.iter().position(|&byte| byte == b'\n').map_or(buffer.len(), |end| end + 1);
            head.extend_from_slice(&buffer[..length]);
            input.consume(length);
        }
        let line = decode(head[begin..].to_vec());
        if !line.trim().is_empty() || !head[begin..].ends_with(b"\n") {
            return Ok((line, head, input));
        }
    }
}

/// The contents of stdin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Input {
    /// One PTN file
    Ptn,
    /// One TPS a line
    Tps,
}

/// The answer about a game that cannot be analysed.
#[derive(Serialize)]
struct GameError {
    game: usize,
    error: String,
}

impl Args {
    /// For input that is not a file of games, so that `--ply` is a place nowhere.
    fn refuse_ply(&self) -> anyhow::Result<()> {
        match self.ply {
            Some(_) => Err(usage("--ply is a place in the games of a PTN file")),
            None => Ok(()),
        }
    }

    fn settings(&self, threads: usize, hash_mib: usize) -> anyhow::Result<Settings> {
        Ok(Settings {
            weights: self.weights.read()?,
            hash_mib,
            threads,
            multipv: self.multipv,
            level: Level::new(self.level),
            move_overhead: Duration::ZERO,
            ..Settings::default()
        })
    }

    /// The size in MiB of the largest table that one search can fill. To get the memory of a larger one takes longer
    /// than a short search does.
    fn most_mib(&self, threads: usize) -> usize {
        let Limits { depth, nodes, move_time, .. } = self.limits();
        let by_time = |time: Duration| time.as_millis() as u64 * NODES_OF_A_MILLISECOND * threads as u64;
        let by_depth = |depth: u32| (NODES_OF_DEPTH_0 * self.multipv as u64) << depth.min(32);
        let nodes = [nodes, move_time.map(by_time), depth.map(by_depth)].into_iter().flatten().min();
        nodes.map_or(usize::MAX, |nodes| usize::try_from(nodes / NODES_OF_A_MIB + 1).unwrap_or(usize::MAX))
    }

    fn limits(&self) -> Limits {
        let limited = self.depth.is_some() || self.nodes.is_some();
        let usual = Duration::from_secs(if self.solve { 60 } else { 3 });
        let time = self.time.unwrap_or(usual);
        Limits { depth: self.depth, nodes: self.nodes, move_time: (!limited).then_some(time), ..Limits::default() }
    }

    /// A position with the komi and the opening that flags ask for.
    fn adapted(&self, setup: Setup) -> Setup {
        Setup { komi: self.komi.unwrap_or(setup.komi), opening: self.opening.unwrap_or(setup.opening), ..setup }
    }

    /// Stdin from its start, and whether it is PTN: if its first line that is not blank begins with a move number or a
    /// tag other than TPS, unless `--input` decides.
    fn opened(&self) -> anyhow::Result<(impl BufRead + Send + 'static, bool)> {
        let (first, head, input) = first_line().context("cannot read stdin")?;
        let is_ptn = match self.input {
            Some(input) => input == Input::Ptn,
            None => begins_ptn(&first),
        };
        Ok((Cursor::new(head).chain(input), is_ptn))
    }

    /// The game that starts (and ends) with the position of a TPS. Deviations from
    /// the standard are reported.
    fn game_of_tps(&self, text: &str, say: impl FnOnce(&str)) -> anyhow::Result<Game> {
        let mut deviations = Deviations::default();
        let setup = read_setup(text, &mut deviations).with_context(|| format!("cannot read {:?}", excerpt(text)))?;
        say_deviations(&deviations, say);
        let setup = self.adapted(setup);
        self.check_size(setup.size, "the position, which is")?;
        let position =
            AnyPosition::from_setup(&setup).with_context(|| format!("cannot play from {:?}", excerpt(text)))?;
        Ok(Game::new(position))
    }

    /// The games of a PTN file, or the fault of each.
    fn games_of_file(&self, name: &str, mut texts: PtnGames) -> anyhow::Result<Vec<anyhow::Result<Game>>> {
        let mut games = Vec::new();
        while let Some((number, text)) = texts.next().with_context(|| format!("cannot read {name}"))? {
            let read = read_game(&text, self.size);
            let number = number + 1;
            say_deviations(&read.deviations, |warning| super::stderr::say(&format_args!("game {number}: {warning}")));
            games.push(self.game_of_ptn(&read));
        }
        ensure!(!games.is_empty(), "{name} holds no game");
        Ok(games)
    }

    fn game_of_ptn(&self, read: &ReadGame) -> anyhow::Result<Game> {
        let start = self.adapted(read.game.start.clone());
        let tag = if read.game.tag("Size").is_some() { "the Size tag" } else { "the TPS tag, whose size is" };
        if read.fault.is_none() || !read.game.moves.is_empty() {
            self.check_size(start.size, tag)?;
        }
        played(read, &start, self.ply)
    }

    /// `says` names the source of the size that was `found`.
    fn check_size(&self, found: Size, says: &str) -> anyhow::Result<()> {
        match self.size {
            Some(expected) if expected != found => bail!("--size {expected} contradicts {says} {found}"),
            _ => Ok(()),
        }
    }

    /// Answers for each of these games, which may be those of a `file`.
    fn analyse_games(
        &self,
        games: Vec<anyhow::Result<Game>>,
        file: Option<&str>,
        stop: &Arc<AtomicBool>,
        out: &mut dyn Write,
    ) -> anyhow::Result<ExitCode> {
        let threads = self.threads.unwrap_or_else(values::cores);
        // A table that was asked for and cannot be had is an error, even if a short search would take a smaller one.
        self.hash.map_or(Ok(()), check_memory)?;
        let hash_mib = self.hash.unwrap_or(256).min(self.most_mib(threads));
        let mut engine = Engine::new(self.settings(threads, hash_mib)?).stopped_by(Arc::clone(stop));
        // Allocated here, so that the time shown is that of the search.
        engine.prepare()?;
        let count = games.len();
        let mut bad = 0;
        for (number, game) in (1_usize..).zip(games) {
            if number > 1 {
                engine.clear();
                if !self.json {
                    writeln!(out)?;
                }
            }
            if count > 1 && !self.json {
                writeln!(out, "game {number}")?;
            }
            match game {
                Ok(game) => self.answer(&mut engine, &game, file, out)?,
                Err(error) if count == 1 => {
                    return Err(error.context(file.unwrap_or_default().to_owned()));
                }
                Err(error) => {
                    bad += 1;
                    let error = super::error_line(&error);
                    super::stderr::say(&format_args!("game {number}: {error}"));
                    if self.json {
                        let fault = GameError { game: number, error };
                        writeln!(out, "{}", serde_json::to_string(&fault)?)?;
                    } else {
                        writeln!(out, "not analysed")?;
                    }
                }
            }
            out.flush()?;
            if stop.load(SeqCst) {
                let done = if count == 1 {
                    "the answer so far".to_owned()
                } else {
                    format!("answers for {number} of {count} games")
                };
                return Ok(interrupted(&done));
            }
        }
        if bad == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        bail!("{bad} of {count} games could not be analysed");
    }

    /// Writes the findings of a game, which may be of a `file`.
    fn answer(&self, engine: &mut Engine, game: &Game, file: Option<&str>, out: &mut dyn Write) -> anyhow::Result<()> {
        let findings = self.analyse(engine, game, io::stderr().is_terminal())?;
        if self.json {
            writeln!(out, "{}", findings.to_json())?;
            return Ok(());
        }
        write!(out, "{findings}")?;
        if let Some(file) = file
            && game.position().outcome().is_some()
        {
            writeln!(out, "every move of it: tak-engine annotate {file}")?;
        }
        Ok(())
    }

    /// Searches; with `live`, each iteration is shown on stderr.
    fn analyse(&self, engine: &mut Engine, game: &Game, live: bool) -> anyhow::Result<Findings> {
        let level = engine.settings().level;
        let observer = |report: &Report| {
            if live {
                super::stderr::say(&findings::progress(report, level));
            }
        };
        let task = match (self.solve, self.shortest) {
            (false, _) => Task::Play,
            (true, false) => Task::Solve,
            (true, true) => Task::Shortest,
        };
        let request = SearchRequest { task, ..SearchRequest::new(game.clone(), self.limits()) };
        let report = engine.run_with(&request, None, observer)?;
        Ok(Findings::new(game, &report, engine.settings()))
    }
}
