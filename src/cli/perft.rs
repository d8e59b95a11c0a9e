//! `tak-engine perft`: counts move sequences, to check the rules and their speed.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use rayon::prelude::*;

use super::errors::usage;
use super::interrupt::end_on_signal;
use super::progress::Progress;
use super::values;
use crate::board::{AnyPosition, Komi, Move, OpeningRule, Setup, Size};
use crate::threads::pool;

/// Counts the move sequences of a given length; a finished game adds nothing below itself.
///
/// The last line is the total, the one before it the time and speed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tak-engine perft 4 --size 6\n  tak-engine perft 3 --tps \"x3/x,12S,x/x3 1 5\" --divide"
)]
pub struct Args {
    /// Plies to count
    #[arg(value_parser = values::number::<u32>(0..=100))]
    depth: u32,
    /// Start from the empty board of this size, 3 to 8
    #[arg(long, value_name = "N", default_value_t = Size::USUAL)]
    size: Size,
    /// Start from this position: one quoted argument or three words
    #[arg(long, value_name = "TPS", value_parser = values::tps, conflicts_with = "size")]
    tps: Option<Setup>,
    /// First turns [default: swap, or as a TPS shows]
    #[arg(long, value_name = "RULE")]
    opening: Option<OpeningRule>,
    /// Threads that share the work
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::threads())]
    threads: usize,
    /// Print the count behind each move first
    #[arg(long)]
    divide: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let setup = args.tps.clone().unwrap_or_else(|| Setup::empty(args.size, Komi::ZERO));
    let setup = Setup { opening: args.opening.unwrap_or(setup.opening), ..setup };
    let mut position = AnyPosition::from_setup(&setup).map_err(usage)?;
    let begin = Instant::now();
    let total = if args.depth > 0 {
        let counts = divide(&mut position, args.depth, args.threads)?;
        if args.divide {
            for &(mv, count) in &counts {
                writeln!(out, "{mv}: {count}")?;
            }
        }
        counts.iter().map(|&(_, count)| count).sum()
    } else {
        position.perft(args.depth)
    };
    let seconds = begin.elapsed().as_secs_f64();
    // The 53 bits that a float keeps are enough for a speed.
    #[allow(clippy::cast_precision_loss)]
    let speed = total as f64 / seconds.max(1e-9) / 1e6;
    writeln!(out, "{seconds:.3} s, {speed:.1} M nodes/s")?;
    writeln!(out, "total {total}")?;
    Ok(ExitCode::SUCCESS)
}

/// The count behind each move, `depth` at least 1. Threads share the sequences of the first three moves, or fewer: single
/// first moves differ so much in their subtrees that some threads would soon be idle, and the progress would stand still.
fn divide(position: &mut AnyPosition, depth: u32, threads: usize) -> anyhow::Result<Vec<(Move, u64)>> {
    let shared = depth.saturating_sub(2).clamp(1, 3);
    let progress = Progress::new("parts", Some(position.perft(shared)));
    if let Err(error) = end_on_signal(&progress) {
        log::warn!("Ctrl-C leaves the progress on the screen: {error}");
    }
    let moves = position.legal_moves();
    let count = |&mv: &Move| (mv, count(&after(position, mv), depth - 1, shared - 1, &progress));
    let counts = pool(threads)?.install(|| moves.par_iter().map(count).collect());
    progress.finish();
    Ok(counts)
}

/// The count behind a position, of which threads share the sequences of the next `shared` moves.
fn count(position: &AnyPosition, depth: u32, shared: u32, progress: &Progress) -> u64 {
    if shared == 0 {
        let count = position.clone().perft(depth);
        progress.add(1);
        return count;
    }
    let replies = position.legal_moves().into_par_iter();
    replies.map(|reply| count(&after(position, reply), depth - 1, shared - 1, progress)).sum()
}

fn after(position: &AnyPosition, mv: Move) -> AnyPosition {
    let mut next = position.clone();
    next.play(mv).expect("generated moves are legal");
    next
}
