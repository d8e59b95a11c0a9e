//! `tak-engine analyse`: what the engine thinks of a position.

mod batch;
mod findings;

use std::fs::File;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};
use clap::builder::RangedU64ValueParser;
use serde::Serialize;

use self::findings::Findings;
use super::Usage;
use super::game_file::played;
use super::interrupt::{interrupted, stop_on_signal};
use super::values::{self, Place, WeightFiles};
use crate::board::{AnyPosition, Game, Komi, OpeningRule, Setup, Size};
use crate::engine::{Engine, Level, Limits, Settings, check_memory};
use crate::notation::{excerpt, game_texts, read_game};
use crate::search::Report;
use crate::system::files::read_text;

/// Prints the best move and what the engine thinks of a position. Ctrl-C ends the search and prints the answer so far.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  tak-engine analyse \"x6/x3,1,x2/x2,2C,1,x2/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 6\" --komi 2
  tak-engine analyse game.ptn --ply 12w --time 10s --multipv 3
  tak-engine analyse - --nodes 10000 --json < positions.tps > answers.jsonl

JSON: one object on one line with tps, size, komi (flats), outcome (null, or winner and reason of a finished game),
best (a move or null), pv (moves), score_cp (centiflats for the player to move), solved (null, or result and plies),
shortest (whether solved is known to take no fewer plies), wdl (win, draw, loss of the player to move in thousandths,
between equal engines), depth, nodes, time_ms, lines (score_cp, solved, wdl and pv of the best move, the second best
and so on, as --multipv asks) and explain (term and score_cp of the static
evaluation). A line of a batch that is no position answers with line and error instead, a game that cannot be analysed
with game and error.")]
pub struct Args {
    /// A TPS (quoted or as three words), a PTN file (each game's last position), or - for one TPS a line on stdin;
    /// without it, the empty board
    #[arg(value_name = "TPS | FILE.ptn | -", num_args = 0..=3)]
    position: Vec<String>,
    /// A place in the games of a PTN file instead of their ends: 24 is after 24 plies, 12w where White makes move 12, 12b
    /// where Black does
    #[arg(long, value_name = "N|12w", value_parser = values::place)]
    ply: Option<Place>,
    /// Board size of the empty board, 3 to 8; a position must have it if both are given [default: 6]
    #[arg(long, value_parser = values::size)]
    size: Option<Size>,
    /// Komi in flats, -10 to 10 in halves, overriding a PTN file's [default: 0]
    #[arg(long, value_parser = values::komi, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// First turns: swap, no-swap or double-black, overriding a PTN file's [default: what the board shows, or swap]
    #[arg(long, value_name = "RULE", value_parser = values::opening)]
    opening: Option<OpeningRule>,
    /// Time to think, such as 3s, 1.5s or 200ms [default: 3s]
    #[arg(long, value_parser = values::time, conflicts_with_all = ["depth", "nodes"])]
    time: Option<Duration>,
    /// Plies to search instead of a time
    #[arg(long, value_parser = RangedU64ValueParser::<u32>::new().range(1..=120))]
    depth: Option<u32>,
    /// Positions to visit instead of a time
    #[arg(long, value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    nodes: Option<u64>,
    /// Prove who wins instead of judging the position [default --time: 60s]
    #[arg(long, conflicts_with_all = ["depth", "multipv"])]
    solve: bool,
    /// With --solve: try every move of both players, until it is known that there is no shorter win
    #[arg(long, requires = "solve", conflicts_with = "level")]
    shortest: bool,
    /// Choose the move at this level of strength, 1 to 20; 0 is full strength
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::level(), conflicts_with = "solve")]
    level: u8,
    /// How many of the best moves to show a line for
    #[arg(long, default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(1..=500))]
    multipv: usize,
    /// Threads [default: all cores]. A batch gives each position one thread, any other analysis all of them
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,
    /// Size of the transposition table in MiB; a short search takes no more than it can fill, and each thread of a batch has a
    /// table of its own [default: 256, batch: 16]
    #[arg(long, value_name = "MIB", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_048_576))]
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

/// Runs the subcommand.
///
/// # Errors
/// When the position or a file of weights cannot be read, when there is no memory for the table, or when `out` cannot be
/// written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let stop = stop_on_signal();
    if args.position == ["-"] {
        args.refuse_ply()?;
        return batch::run(args, &stop, out);
    }
    let (file, games) = match args.position.as_slice() {
        [] => {
            let size = args.size.unwrap_or(Size::USUAL);
            let (komi, opening) = (args.komi.unwrap_or_default(), args.opening);
            let start = AnyPosition::start_with(size, komi, opening.unwrap_or_default());
            (None, vec![Ok(Game::new(start))])
        }
        // A TPS has three words.
        [file] if Path::new(file).exists() || !file.contains(char::is_whitespace) || is_ptn(file) => {
            (Some(file), args.games_of_file(Path::new(file))?)
        }
        [file, next, ..] if Path::new(file).exists() => {
            bail!("one file at a time: {next:?} is too much after {file:?}")
        }
        words => (None, vec![Ok(args.game_of_tps(&words.join(" "))?)]),
    };
    if file.is_none() {
        args.refuse_ply()?;
    }
    let threads = args.threads.unwrap_or_else(values::cores);
    // A table that was asked for and cannot be had is an error, also where a short search would take a smaller one.
    args.hash.map_or(Ok(()), check_memory)?;
    let hash_mib = args.hash.unwrap_or(256).min(args.most_mib(threads));
    let mut engine = Engine::new(args.settings(threads, hash_mib)?).stopped_by(Arc::clone(&stop));
    // Allocated here, so that the time shown is that of the search.
    engine.prepare()?;
    let count = games.len();
    let mut bad = 0;
    for (number, game) in (1_usize..).zip(games) {
        if number > 1 {
            engine.clear();
            if !args.json {
                writeln!(out)?;
            }
        }
        if count > 1 && !args.json {
            writeln!(out, "game {number}")?;
        }
        match game {
            Ok(game) => args.answer(&mut engine, &game, file, out)?,
            Err(error) if count == 1 => {
                return Err(error.context(file.cloned().unwrap_or_default()));
            }
            Err(error) => {
                bad += 1;
                let error = super::told_once(&error);
                super::stderr::say(&format_args!("game {number}: {error}"));
                if args.json {
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

fn is_ptn(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("ptn"))
}

/// What stands in the place of the answer about a game that cannot be analysed.
#[derive(Serialize)]
struct GameError {
    game: usize,
    error: String,
}

impl Args {
    /// For input that is no file of games, so that `--ply` is a place nowhere.
    fn refuse_ply(&self) -> Result<(), Usage> {
        match self.ply {
            Some(_) => Err(Usage(anyhow!("--ply is a place in the games of a PTN file"))),
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

    /// The size in MiB of the largest table that one search can fill. To get the memory of a larger one takes longer than a short
    /// search does.
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

    /// The game that starts (and ends) with the position of a TPS.
    fn game_of_tps(&self, text: &str) -> anyhow::Result<Game> {
        let setup = text.parse::<Setup>().with_context(|| format!("cannot read {:?}", excerpt(text)))?;
        let setup = self.adapted(setup);
        self.check_size(setup.size)?;
        let position =
            AnyPosition::from_setup(&setup).with_context(|| format!("cannot play from {:?}", excerpt(text)))?;
        Ok(Game::new(position))
    }

    /// The games of a PTN file, or what is wrong with each.
    fn games_of_file(&self, path: &Path) -> anyhow::Result<Vec<anyhow::Result<Game>>> {
        let text = File::open(path).and_then(read_text).with_context(|| format!("cannot read {}", path.display()))?;
        let games = game_texts(&text).map(|text| {
            let read = read_game(&text);
            let start = self.adapted(read.game.start.clone());
            let game = played(&read, &start, self.ply)?;
            self.check_size(start.size)?;
            Ok(game)
        });
        let games: Vec<_> = games.collect();
        ensure!(!games.is_empty(), "{} holds no game", path.display());
        Ok(games)
    }

    fn check_size(&self, found: Size) -> anyhow::Result<()> {
        match self.size {
            Some(expected) if expected != found => {
                bail!("the position is {found}x{found}, --size asks for {expected}x{expected}")
            }
            _ => Ok(()),
        }
    }

    /// Writes what there is to say of a game, which may be of a `file`.
    fn answer(
        &self,
        engine: &mut Engine,
        game: &Game,
        file: Option<&String>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let findings = self.analyse(engine, game, std::io::stderr().is_terminal())?;
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
        let analysis = engine.analysis(game).limits(self.limits()).solve(self.solve).shortest(self.shortest);
        let report = analysis.observer(observer).run()?;
        Ok(Findings::new(game, &report, engine.settings()))
    }
}
