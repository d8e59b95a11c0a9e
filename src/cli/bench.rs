//! `tak-engine bench`: a fixed amount of search whose node count is the signature of the search's behaviour.

use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::Context;

use crate::engine::{AnyPosition, Engine, Game, Go, Settings};
use crate::notation::parse_tps;

/// Searches fixed positions of all sizes to a fixed depth on one thread.
///
/// The last two lines are the nodes visited and the nodes per second. The node count is the same on every run and
/// machine; it changes only when the search or the evaluation does.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-engine bench")]
pub struct Args {}

/// Positions (openings, middle games and ends of the engine's own games) with the depth in plies to search them to.
const POSITIONS: &[(&str, u32)] = &[
    ("x3/x3/x3 1 1", 8),
    ("x4/x4/x4/x4 1 1", 6),
    ("x5/x5/x5/x5/x5 1 1", 5),
    (
        "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9",
        6,
    ),
    (
        "122S,x,2C,21,1S,1S/x2,12S,1221,1,2S/1S,1S,2S,x2,2/1S,x,221,x,1S,1S/2S,2S,21S,x3/1S,121C,x2,22S,11 2 62",
        5,
    ),
    ("x7/x7/x7/x7/x7/x7/x7 1 1", 4),
    ("x8/x8/x8/x8/x8/x8/x8/x8 1 1", 4),
];

/// Runs the subcommand.
///
/// # Errors
/// When `out` cannot be written or there is no memory for the table.
pub fn run(_args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut engine = Engine::new(Settings {
        hash_mib: 16,
        threads: 1,
        ..Settings::default()
    });
    engine.prepare()?;
    let mut nodes = 0;
    let start = Instant::now();
    for &(tps, depth) in POSITIONS {
        let position = AnyPosition::from_setup(&parse_tps(tps)?)
            .with_context(|| format!("bench position {tps}"))?;
        engine.clear();
        let go = Go {
            depth: Some(depth),
            ..Go::default()
        };
        let report = engine.search(
            &Game::new(position),
            &go,
            &AtomicBool::new(false),
            &mut |_| {},
        )?;
        writeln!(
            out,
            "{:>10} nodes at depth {} {tps}",
            report.nodes, report.depth
        )?;
        out.flush()?;
        nodes += report.nodes;
    }
    let nps = u128::from(nodes) * 1_000_000 / start.elapsed().as_micros().max(1);
    writeln!(out, "{nodes} nodes\n{nps} nps")?;
    Ok(ExitCode::SUCCESS)
}
