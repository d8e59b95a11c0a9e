//! `tak-engine analyse`: the engine's evaluation of a position.

mod batch;
mod findings;
mod games;
mod json;
mod run;
mod terms;
mod verdict;

pub use run::run;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use anyhow::Context;

use self::findings::{Findings, Shown};
use super::color::ColorChoice;
use super::errors::usage;
use super::source::Contents;
use super::stderr::say_deviations;
use super::values::{self, Place, WeightFiles};
use crate::board::{AnyPosition, Game, Komi, OpeningRule, Setup, Size};
use crate::engine::{Engine, Level, Limits, SearchRequest, Settings, Task};
use crate::notation::{Deviations, excerpt, read_setup};
use crate::search::Report;

/// Prints the best move and the evaluation of a position. Ctrl-C ends the search and prints the answer so far.
#[derive(Debug, Clone, clap::Args)]
// One for each flag.
#[expect(clippy::struct_excessive_bools)]
#[command(after_help = "\
Examples:
  tak-engine analyse \"x6/x3,1,x2/x2,2C,1,x2/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 6\" --komi 2
  tak-engine analyse game.ptn --ply 12w --time 10s --multipv 3
  tak-engine analyse positions.tps --nodes 10000 --json > answers.jsonl
  tak-engine analyse --size 6 < moves.ptn

JSON: one object on one line with tps, size, komi (flats), outcome (null, or winner and reason of a finished game), \
best (a move or null), pv (moves), score_cp (hundredths of the score, for the player to move), solved (null, or result \
and plies), shortest (whether solved is known to take no fewer plies), wdl (win, draw, loss of the player to move in \
thousandths, between equal engines), depth, nodes, time_ms, lines (score_cp, solved, wdl and pv of the best move, the \
second best and so on, as --multipv asks) and terms (term and score_cp of the static evaluation). A line of a list that \
is not a position answers with line and error instead, a game that cannot be analysed with game and error.")]
pub struct Args {
    /// A TPS (quoted or as three words), files of PTN games (each game's last position) or of one TPS a line, or - for
    /// stdin; without it, a piped stdin, or else the empty board
    #[arg(value_name = "TPS | FILE | -")]
    position: Vec<OsString>,
    /// Number of the game in a PTN file, from 1 [default: all]
    #[arg(long, value_name = "N", value_parser = values::nodes())]
    game: Option<u64>,
    /// A place in the games of a PTN file instead of their ends: 24 is after 24 plies, 12w where White makes move 12,
    /// 12b where Black does
    #[arg(long, value_name = "N|12w", value_parser = values::place)]
    ply: Option<Place>,
    /// Read files and stdin as PTN games, or as one TPS a line [default: by their first line]
    #[arg(long, value_enum, value_name = "KIND")]
    input: Option<Contents>,
    /// Board size of the empty board, or of a PTN game that states none, 3 to 8; any other position must have it
    /// [default: 6]
    #[arg(long)]
    size: Option<Size>,
    /// Komi in flats, -10 to 10 in halves, overriding a PTN file's [default: 0]
    #[arg(long, value_parser = values::komi)]
    komi: Option<Komi>,
    /// First turns, overriding a PTN file's [default: as the board shows, or swap]
    #[arg(long, value_name = "RULE")]
    opening: Option<OpeningRule>,
    /// Time to think, such as 3s, 1.5s or 200ms [default: 3s]
    #[arg(long, value_parser = values::time)]
    time: Option<Duration>,
    /// Plies to search; of several limits the first one that is reached counts
    #[arg(long, value_parser = values::depth())]
    depth: Option<u32>,
    /// Positions to visit
    #[arg(long, value_parser = values::nodes())]
    nodes: Option<u64>,
    /// Prove who wins instead of evaluating the position; without a proof, a third of the limit goes to a search
    /// [default --time: 60s]
    #[arg(long, conflicts_with_all = ["depth", "multipv"])]
    solve: bool,
    /// With --solve: try every move of both players, until it is known that there is no shorter win
    #[arg(long, requires = "solve", conflicts_with = "level")]
    shortest: bool,
    /// Choose the move at this level of strength, from 1, the weakest; 0 is full strength
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::level(), conflicts_with = "solve")]
    level: u8,
    /// Number of best moves to show a line for
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::number::<usize>(1..=500))]
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
    /// Show the terms of the evaluation as a table; JSON has them always
    #[arg(long)]
    terms: bool,
    /// Show the board in colour
    #[arg(long, value_enum, value_name = "WHEN", default_value_t, conflicts_with = "json")]
    color: ColorChoice,
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

impl Args {
    /// Options that contradict each other and that clap does not check.
    fn check(&self) -> anyhow::Result<()> {
        let given = |name: &str, is_given: bool| is_given.then(|| name.to_owned());
        let ignored = [
            given("--multipv", self.multipv > 1),
            given("--time", self.time.is_some()),
            given("--nodes", self.nodes.is_some()),
        ];
        match ignored.into_iter().flatten().next().filter(|_| self.level > 0) {
            Some(name) => Err(usage(format!("--level and {name} cannot be combined: a level sets its own effort"))),
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
        let is_limited = self.depth.is_some() || self.nodes.is_some();
        let usual = Duration::from_secs(if self.solve { 60 } else { 3 });
        let move_time = self.time.or((!is_limited).then_some(usual));
        Limits { depth: self.depth, nodes: self.nodes, move_time, ..Limits::default() }
    }

    /// A position with the komi and the opening that flags ask for.
    fn adapted(&self, setup: Setup) -> Setup {
        Setup { komi: self.komi.unwrap_or(setup.komi), opening: self.opening.unwrap_or(setup.opening), ..setup }
    }

    /// The game that starts (and ends) with the position of a TPS. Deviations from
    /// the standard are reported.
    fn game_of_tps(&self, text: &str, say: impl FnOnce(&str)) -> anyhow::Result<Game> {
        let mut deviations = Deviations::default();
        let setup = read_setup(text, &mut deviations).with_context(|| format!("cannot read {:?}", excerpt(text)))?;
        say_deviations(&deviations, say);
        let setup = self.adapted(setup);
        values::check_size(self.size, setup.size, "the position, which is")?;
        let position =
            AnyPosition::from_setup(&setup).with_context(|| format!("cannot play from {:?}", excerpt(text)))?;
        Ok(Game::new(position))
    }

    /// Writes the findings of a game, which may be of a `file`.
    fn answer(&self, engine: &mut Engine, game: &Game, file: Option<&str>, out: &mut dyn Write) -> anyhow::Result<()> {
        let findings = self.analyse(engine, game, true)?;
        if self.json {
            writeln!(out, "{}", findings.to_json())?;
            return Ok(());
        }
        self.color.write_board(&game.position().to_setup(), out)?;
        write!(out, "{findings}")?;
        if let Some(file) = file
            && game.position().outcome().is_some()
        {
            let quote = if file.contains(char::is_whitespace) { "\"" } else { "" };
            writeln!(out, "every move of it: tak-engine annotate {quote}{file}{quote}")?;
        }
        Ok(())
    }

    /// Searches. Only a whole answer, rather than a line of a list, has reasons, and shows each iteration on a terminal.
    fn analyse<'a>(&self, engine: &'a mut Engine, game: &'a Game, is_whole: bool) -> anyhow::Result<Findings<'a>> {
        let level = engine.settings().level;
        let is_live = is_whole && io::stderr().is_terminal();
        let observer = |report: &Report| {
            if is_live {
                super::stderr::say(&findings::progress(game, report, level));
            }
        };
        let task = match (self.solve, self.shortest) {
            (false, _) => Task::Play,
            (true, false) => Task::Solve,
            (true, true) => Task::Shortest,
        };
        let request = SearchRequest { task, ..SearchRequest::new(game.clone(), self.limits()) };
        let report = engine.run_with(&request, None, observer)?;
        // A level gives no reasons of its own: its move may be a mistake.
        let reasons = level.is_none() && (is_whole || self.json);
        Ok(Findings::new(engine, game, report, task, Shown { text: !self.json, terms: self.terms, reasons }))
    }
}
