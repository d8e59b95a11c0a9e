//! `tak-engine openings`: makes suites of balanced openings.

use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::builder::RangedU64ValueParser;
use indicatif::{ProgressBar, ProgressStyle};

use super::{FAILURE, values};
use crate::arena::openings::random::{Wanted, generate};
use crate::board::{Game, Komi, OpeningRule, Size};
use crate::engine::{Engine, HashError, Limits, Settings};
use crate::files::text::replace;
use crate::system::threads::pool;

/// Makes a suite of balanced openings, one a line, as moves separated by blanks.
///
/// Openings are random moves, mostly flats. One is kept when a search of --depth plies scores the position after it
/// within --max-score centiflats of 0, and when no other leads to the same position, turned or mirrored. The same
/// arguments give the same suite, whatever the number of threads.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tak-engine openings --size 6 --komi 2 --plies 4 --count 500 --max-score 50 --out 6s.txt"
)]
pub struct Args {
    /// Board size, 3 to 8
    #[arg(long)]
    size: Size,
    /// Plies of each opening
    #[arg(long, default_value_t = 4, value_parser = RangedU64ValueParser::<usize>::new().range(1..=100))]
    plies: usize,
    /// Number of openings
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    count: usize,
    /// The furthest that a score may be from 0, in centiflats (100 is one flat)
    #[arg(long, default_value_t = 50, value_name = "CENTIFLATS", value_parser = RangedU64ValueParser::<u32>::new().range(0..=29_000))]
    max_score: u32,
    /// Komi in flats
    #[arg(long, default_value = "0", allow_hyphen_values = true, value_name = "FLATS")]
    komi: Komi,
    /// First turns: swap, no-swap or double-black
    #[arg(long, default_value = "swap", value_name = "RULE", value_parser = values::opening)]
    opening: OpeningRule,
    /// Plies to search each candidate
    #[arg(long, default_value_t = 6, value_parser = RangedU64ValueParser::<u32>::new().range(1..=100))]
    depth: u32,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Searches at once [default: all cores]
    #[arg(long, value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    threads: Option<usize>,
    /// Write the suite to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the subcommand.
///
/// # Errors
/// If the suite cannot be written, or if there is not enough memory for the searches.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let wanted = Wanted {
        size: args.size,
        komi: args.komi,
        opening: args.opening,
        plies: args.plies,
        count: args.count,
        seed: args.seed,
    };
    if let Some(path) = &args.out {
        values::check_writable(path)?;
    }
    let pool = pool(args.threads.unwrap_or_else(values::cores))?;
    let bar = progress_bar(args.count as u64)?;
    let suite = pool.install(|| {
        generate(&wanted, || args.judge(), &mut |progress| {
            bar.set_position(progress.found as u64);
            bar.set_message(format!("{} searched", progress.judged));
        })
    })?;
    bar.finish_and_clear();

    let mut text = String::new();
    for moves in &suite {
        let words: Vec<String> = moves.iter().copied().map(|mv| mv.to_string()).collect();
        text += &words.join(" ");
        text.push('\n');
    }
    match &args.out {
        Some(path) => replace(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?,
        None => out.write_all(text.as_bytes())?,
    }
    if suite.len() < args.count {
        out.flush()?;
        let found = suite.len();
        super::stderr::say(&format_args!("error: there are only {found} such openings"));
        return Ok(ExitCode::from(FAILURE));
    }
    Ok(ExitCode::SUCCESS)
}

/// The table of each search in MiB. Small, because the searches are short.
const HASH_MIB: usize = 4;

impl Args {
    /// Tells with a search whether a position is balanced.
    fn judge(&self) -> impl FnMut(&Game) -> Result<bool, HashError> + use<> {
        let settings = Settings { hash_mib: HASH_MIB, threads: 1, ..Settings::default() };
        let mut engine = Engine::new(settings);
        let (depth, max_score) = (self.depth, self.max_score);
        move |game| {
            // What earlier searches left behind would make the score depend on which thread did them.
            engine.clear();
            let report = engine.analyse(game, Limits::depth(depth))?;
            Ok(report
                .lines
                .first()
                .is_some_and(|line| !line.score.is_decisive() && line.score.value().unsigned_abs() <= max_score))
        }
    }
}

fn progress_bar(count: u64) -> anyhow::Result<ProgressBar> {
    if !stderr().is_terminal() {
        return Ok(ProgressBar::hidden());
    }
    let style = "{bar:30} {pos}/{len} openings, {msg}, {elapsed} ({eta} left)";
    Ok(ProgressBar::new(count).with_style(ProgressStyle::with_template(style)?))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::board::{AnyPosition, Setup};

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        args: Args,
    }

    #[test]
    fn only_balanced_positions_are_kept() {
        let words = "openings --size 5 --count 1 --depth 3 --max-score 300".split(' ');
        let mut judge = Command::parse_from(words).args.judge();
        let mut is_kept = |tps: &str, half_komi| {
            let setup = Setup { komi: Komi::from_half(half_komi).unwrap(), ..tps.parse().unwrap() };
            judge(&Game::new(AnyPosition::from_setup(&setup).unwrap())).unwrap()
        };
        let even = "2,x4/x5/x5/x5/x4,1 1 2";
        assert!(is_kept(even, 0));
        assert!(!is_kept(even, 20), "a lead on flats");
        let won = "2,x4/1,1,1,1,x/x5/x5/x3,2,2 1 5";
        assert!(!is_kept(won, 0), "a road in one move");
    }
}
