//! `tak-engine bench`: a fixed amount of search whose node count is the signature of the search's behaviour.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::progress::Progress;
use super::values::{self, WeightFiles};
use crate::board::{AnyPosition, Game};
use crate::engine::bench::POSITIONS;
use crate::engine::{Engine, Limits, Settings};

/// Searches fixed positions of all sizes to a fixed depth.
///
/// The last two lines are the nodes visited and the nodes per second, the line before them the time of all searches in
/// milliseconds. With one thread the node count is the same on every run and machine; it changes only when the search
/// or the evaluation does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tak-engine bench\n  tak-engine bench --deeper 5 --hash 64 --threads 2")]
pub struct Args {
    /// Search threads; with more than one the node count varies; compare the time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads())]
    threads: usize,
    /// Size of the transposition table in MiB; the node count belongs to the default
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = values::table_mib())]
    hash: usize,
    /// Plies to search deeper than usual; 5 makes searches of about a second
    #[arg(long, value_name = "PLIES", default_value_t = 0, value_parser = values::number::<u32>(..=50))]
    deeper: u32,
    #[command(flatten)]
    weights: WeightFiles,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut engine = Engine::new(Settings {
        hash_mib: args.hash,
        threads: args.threads,
        weights: args.weights.read()?,
        ..Settings::default()
    });
    engine.prepare()?;
    let mut nodes = 0;
    let mut time = Duration::ZERO;
    let progress = Progress::new("positions", Some(POSITIONS.len() as u64));
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
