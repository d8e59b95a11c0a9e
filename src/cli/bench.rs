//! `tak-engine bench`: a fixed amount of search whose node count is the signature of the search's behaviour.

use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;

use super::progress::Progress;
use super::values::{self, WeightFiles};
use crate::board::{AnyPosition, Game};
use crate::engine::{Engine, Limits, Settings};

/// Searches fixed positions of all sizes to a fixed depth.
///
/// The last two lines are the nodes visited and the nodes per second, the line before them the time of all searches in
/// milliseconds. With one thread the node count is the same on every run and machine; it changes only when the search
/// or the evaluation does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  tak-engine bench\n  tak-engine bench --deeper 5 --hash 64 --threads 2")]
pub struct Args {
    /// Search threads; with more than one the node count varies and the time is what to compare
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

/// Positions, most of them from the engine's own games: openings, middle games and ends. Each with the depth in plies
/// to search it to.
#[rustfmt::skip]
const POSITIONS: &[(&str, u32)] = &[
    ("1,x2/1,1,2/x,2,x 2 3", 11),
    ("x2,2,2/x,2,1,1/x,2,1,x/x2,1,x 1 5", 10),
    ("x3,2/x4/x,21,112,2/x,1,112,x 1 9", 10),
    ("x5/x5/x5/x5/x5 1 1", 10),
    ("x4,1/x2,1,2,x/x,1,1,2,x/x2,1C,x2/2,2,2,x2 1 6", 10),
    ("x,2,21,1,1/x2,12C,x2/x,1,1,2,x/x2,1C,2,x/2,2,2,1,x 1 11", 10),
    ("2S,x,1,1,1/x,222,12112C,2,x/x,1,1,2,x/x2,1,21C,x/2,2,2,1,x 1 18", 9),
    ("x6/x,1,x4/x,1,x4/x,1,x4/x2,221,2,x2/2,2C,2,x3 1 7", 9),
    ("x,1,x4/x,1,x4/x,1,x4/x,12S,1,x3/x2,1S,2,2,1/2,1C,22212C,2,x,2 1 13", 9),
    ("x,1,x2,2,x/x,1,x2,2,x/x,1,1,2,2,x/x,12S,1,2,2,x/x2,1S,x,1,1221S/2,1C,22212C,21S,x,2 1 21", 9),
    ("2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9", 10),
    ("122S,x,2C,21,1S,1S/x2,12S,1221,1,2S/1S,1S,2S,x2,2/1S,x,221,x,1S,1S/2S,2S,21S,x3/1S,121C,x2,22S,11 2 62", 9),
    ("x7/x2,1,x4/x2,1,x4/x2,1,1,x3/x2,2C,2221,x3/x,2,2,2C,2,x2/x7 1 9", 8),
    ("x7/x2,1,x4/x2,1,x,2,x2/x,1,12C,1,112C,x2/x4,2222121C,x2/2,2,2,2,2,1,x/x3,2,2,1C,x 1 19", 8),
    ("x8/x8/x2,1C,x2,2,1,x/x3,2,2,12,1C,x/x3,2C,1,1,1,1/x2,2,2,x4/x2,2,x5/x8 1 11", 8),
    ("x3,2,1,x3/x3,2,12,x3/x3,2C,1,2,1,x/x3,221,1,x,1C,x/x2,2,2C,1,1,1,1/x2,2,2,1,x3/x2,2,x,221C,x3/x2,2,x5 1 23", 8),
];

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
    for &(tps, depth) in POSITIONS {
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
