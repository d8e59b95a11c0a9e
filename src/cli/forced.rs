//! `tak-engine forced`: suites of forced wins, and how many of them the solver solves.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use super::interrupt::{interrupted, stop_on_signal};
use super::progress::Progress;
use super::values;
use crate::board::{AnyPosition, Game, Setup, Size};
use crate::engine::{self, Engine, Limits, SearchRequest, Settings};
use crate::files::text::read_text;
use crate::notation::canonical_tps;
use crate::search::Solved;
use crate::training::{TrainingGame, read_games};

/// Makes suites of forced wins and measures the solver on them.
///
/// A suite has one position a line: TPS, komi in flats, and the plies of the shortest forced win of the player to move,
/// wins by zugzwang left aside. Lines that begin with `#` are comments.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tak-engine datagen --size 5 --games 4000 --out games5.bin
  tak-engine forced make --size 5 --games games5.bin --each 80 > 5s.txt
  tak-engine forced check 5s.txt --time 1s")]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Collects forced wins of 3, 5, 7 and 9 plies from a file of self-play games
    Make(Make),
    /// Solves every position of a suite on one thread and counts
    Check(Check),
}

#[derive(Debug, clap::Args)]
struct Make {
    /// Board size, 3 to 8
    #[arg(long)]
    size: Size,
    /// Games made by datagen
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Positions wanted of each length
    #[arg(long, default_value_t = 80)]
    each: usize,
    /// Positions that the search of one candidate may visit; candidates that need more are skipped
    #[arg(long, default_value_t = 20_000_000, value_parser = values::nodes())]
    nodes: u64,
}

#[derive(Debug, clap::Args)]
struct Check {
    /// The suite
    file: PathBuf,
    /// Time for each position, such as 1s or 200ms
    #[arg(long, default_value = "1s", value_parser = values::time, conflicts_with = "nodes")]
    time: Duration,
    /// Positions to visit for each instead of a time
    #[arg(long, value_parser = values::nodes())]
    nodes: Option<u64>,
    /// Size of the tables in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = values::table_mib())]
    hash: usize,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match &args.task {
        Task::Make(args) => make(args, out),
        Task::Check(args) => check(args, out),
    }
}

/// The lengths collected, in plies.
const LENGTHS: [u32; 4] = [3, 5, 7, 9];

struct Forced {
    /// Komi included.
    setup: Setup,
    /// The length of the shortest win.
    plies: u32,
}

impl fmt::Display for Forced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setup, plies } = self;
        write!(f, "{} {} {plies}", setup, setup.komi)
    }
}

impl FromStr for Forced {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> anyhow::Result<Self> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [tps @ .., komi, plies] = words.as_slice() else {
            bail!("expected TPS, komi and plies");
        };
        let setup = Setup { komi: komi.parse()?, ..tps.join(" ").parse::<Setup>()? };
        let plies = plies.parse().with_context(|| format!("invalid number of plies {plies:?}"))?;
        Ok(Self { setup, plies })
    }
}

fn make(args: &Make, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let place = || args.games.display().to_string();
    let mut engine = Engine::new(Settings { hash_mib: 256, ..Settings::default() });
    let mut seen = HashSet::new();
    let mut missing = BTreeMap::from(LENGTHS.map(|plies| (plies, args.each)));
    let played = read_games(&args.games, args.size).with_context(|| format!("cannot read {}", place()))?;
    let progress = Progress::new("games", None);
    for training_game in played {
        for game in candidates(&training_game.with_context(place)?, args.size) {
            if missing.is_empty() {
                progress.finish();
                return Ok(ExitCode::SUCCESS);
            }
            let longest = LENGTHS[LENGTHS.len() - 1];
            let Some(plies) = engine.shortest_win(&game, longest, args.nodes)? else {
                // Earlier positions of the game are further from the win.
                break;
            };
            let Some(left) = missing.get_mut(&plies) else {
                continue;
            };
            let setup = game.position().to_setup();
            if !seen.insert(canonical_tps(&setup)) {
                continue;
            }
            writeln!(out, "{}", Forced { setup, plies })?;
            out.flush()?;
            *left -= 1;
            if *left == 0 {
                missing.remove(&plies);
            }
        }
        progress.add(1);
    }
    progress.finish();
    if !missing.is_empty() {
        out.flush()?;
        bail!("not enough games, wins still wanted by plies: {missing:?}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The positions of a game in which its winner is to move, the last one first.
fn candidates(played: &TrainingGame, size: Size) -> Vec<Game> {
    let mut game = Game::new(played.start(size));
    let mut found = Vec::new();
    for ply in &played.plies {
        if Some(game.position().to_move()) == played.winner && game.position().outcome().is_none() {
            found.push(Game::new(game.position().clone()));
        }
        if game.play(ply.mv).is_err() {
            break;
        }
    }
    found.reverse();
    found
}

/// A row of the table: how the positions of one length were solved.
#[derive(Default)]
struct Row {
    positions: usize,
    solved: usize,
    shortest: usize,
    times: Vec<Duration>,
}

fn check(args: &Check, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut engine =
        Engine::new(Settings { hash_mib: args.hash, move_overhead: Duration::ZERO, ..Settings::default() });
    engine.prepare()?;
    let limits =
        Limits { nodes: args.nodes, move_time: args.nodes.is_none().then_some(args.time), ..Limits::default() };
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    let suite = read_suite(&args.file)?;
    let stop = stop_on_signal();
    let progress = Progress::new("positions", Some(suite.len() as u64));
    let mut checked = 0;
    for forced in &suite {
        let game = Game::new(AnyPosition::from_setup(&forced.setup)?);
        engine.clear();
        let start = Instant::now();
        let request = SearchRequest { task: engine::Task::Solve, ..SearchRequest::new(game, limits) };
        let report = engine.run_with(&request, Some(&stop), |_| {})?;
        if stop.load(SeqCst) {
            break;
        }
        checked += 1;
        progress.add(1);
        let row = rows.entry(forced.plies).or_default();
        row.positions += 1;
        match report.lines.first().and_then(|line| line.solved) {
            Some(Solved::Win(plies)) => {
                row.solved += 1;
                row.shortest += usize::from(plies == forced.plies);
                row.times.push(start.elapsed());
            }
            Some(claim) => bail!("{forced} is a win, not {claim:?}"),
            None => progress.note(&format_args!("not solved: {forced}")),
        }
    }
    progress.finish();
    let mut all = Row::default();
    writeln!(out, "plies  positions  solved  share    shortest  median time")?;
    for (plies, row) in rows {
        write_row(out, &plies.to_string(), &row)?;
        all.positions += row.positions;
        all.solved += row.solved;
        all.shortest += row.shortest;
        all.times.extend(row.times);
    }
    write_row(out, "all", &all)?;
    if checked < suite.len() {
        out.flush()?;
        return Ok(interrupted(&format!("{checked} of {} positions checked", suite.len())));
    }
    Ok(ExitCode::SUCCESS)
}

fn write_row(out: &mut dyn Write, name: &str, row: &Row) -> std::io::Result<()> {
    let mut times = row.times.clone();
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    writeln!(
        out,
        "{name:<5}  {:>9}  {:>6}  {:>5.1} %  {:>8}  {:>8.1} ms",
        row.positions,
        row.solved,
        100.0 * row.solved as f64 / row.positions.max(1) as f64,
        row.shortest,
        median.as_secs_f64() * 1000.0
    )
}

fn read_suite(path: &Path) -> anyhow::Result<Vec<Forced>> {
    let text = File::open(path).and_then(read_text).with_context(|| format!("cannot read {}", path.display()))?;
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.starts_with('#'))
        .map(|(index, line)| line.parse().with_context(|| format!("{}, line {}", path.display(), index + 1)))
        .collect()
}
