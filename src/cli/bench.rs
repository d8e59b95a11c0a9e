//! `tak-engine bench`: a fixed amount of search whose node count is the signature of the search's behaviour; or the
//! solver on a suite of forced wins.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::forced;
use super::interrupt::end_on_signal;
use super::progress::Progress;
use super::values::{self, WeightFiles};
use crate::board::{AnyPosition, Game};
use crate::engine::bench::POSITIONS;
use crate::engine::{Engine, Limits, Settings};

/// Searches fixed positions of all sizes to a fixed depth, or measures the solver on a suite of forced wins.
///
/// The last two lines are the nodes visited and the nodes per second, the line before them the time of all searches in
/// milliseconds. With one thread the node count is the same on every run and machine; it changes only when the search
/// or the evaluation does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tak-engine bench\n  tak-engine bench --deeper 5 --hash 64 --threads 2\n  \
    tak-engine bench --forced tests/solve/5s.txt --time 1s")]
pub struct Args {
    /// Search threads; with more than one the node count varies; compare the time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads())]
    threads: usize,
    /// Size of the transposition table in MiB; the node count belongs to the default [default: 16, with --forced 64]
    #[arg(long, value_name = "MIB", value_parser = values::table_mib())]
    hash: Option<usize>,
    /// Plies to search deeper than usual; 5 makes searches of about a second
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = values::number::<u32>(0..=50))]
    deeper: u32,
    /// Solve every position of this suite of forced wins on one thread instead, and count
    #[arg(long, value_name = "FILE", conflicts_with_all = ["threads", "deeper"])]
    forced: Option<PathBuf>,
    /// With --forced: time for each position, such as 200ms [default: 1s]
    #[arg(long, value_parser = values::time, requires = "forced")]
    time: Option<Duration>,
    /// With --forced: positions to visit for each
    #[arg(long, value_parser = values::nodes(), requires = "forced")]
    nodes: Option<u64>,
    #[command(flatten)]
    weights: WeightFiles,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let hash_mib = args.hash.unwrap_or(if args.forced.is_some() { 64 } else { 16 });
    let settings = Settings { hash_mib, threads: args.threads, weights: args.weights.read()?, ..Settings::default() };
    if let Some(suite) = &args.forced {
        let move_time = args.time.or(args.nodes.is_none().then_some(Duration::from_secs(1)));
        let limits = Limits { nodes: args.nodes, move_time, ..Limits::default() };
        return forced::check(suite, Settings { move_overhead: Duration::ZERO, ..settings }, limits, out);
    }
    let mut engine = Engine::new(settings);
    engine.prepare()?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let progress = Progress::new("positions", Some(POSITIONS.len() as u64));
    end_on_signal(&progress)?;
    for (tps, depth) in POSITIONS {
        let position: AnyPosition = tps.parse().with_context(|| format!("bench position {tps}"))?;
        engine.clear();
        let limits = Limits::depth(depth + args.deeper);
        let start = Instant::now();
        let report = engine.analyse(&Game::new(position), limits)?;
        time += start.elapsed();
        progress.above(|| {
            writeln!(out, "{:>10} nodes at depth {} {tps}", report.nodes, report.depth)?;
            out.flush()
        })?;
        progress.add(1);
        nodes += report.nodes;
    }
    progress.finish();
    let nps = u128::from(nodes) * 1_000_000 / time.as_micros().max(1);
    writeln!(out, "{} ms\n{nodes} nodes\n{nps} nps", time.as_millis())?;
    Ok(ExitCode::SUCCESS)
}
