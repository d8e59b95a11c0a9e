//! `tak-engine openings`: makes suites of balanced openings.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use super::interrupt::{interrupted, stop_on_signal};
use super::progress::Progress;
use super::{FAILURE, values};
use crate::board::{Color, Game, Komi, OpeningRule, Size};
use crate::engine::{Engine, HashError, Limits, Settings};
use crate::notation::moves_text;
use crate::openings::random::{Wanted, generate};
use crate::search::Line;
use crate::threads::pool;

/// Makes a suite of balanced openings, one a line, as moves separated by blanks.
///
/// Openings are random moves, mostly flats. One is kept when a search of --depth plies or --nodes nodes scores the position after it
/// within --max-score hundredths of 0 (or of --score), and when no other leads to the same position, turned or mirrored.
/// The same arguments give the same suite for any number of threads. Ctrl-C ends it with the openings found so far.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tak-engine openings --size 6 --komi 2 --plies 4 --count 500 --max-score 50 --out 6s.txt"
)]
pub struct Args {
    /// Board size, 3 to 8
    #[arg(long)]
    size: Size,
    /// Plies of each opening
    #[arg(long, default_value_t = 4, value_parser = values::number::<usize>(1..=100))]
    plies: usize,
    /// Number of openings
    #[arg(long, value_name = "N", value_parser = values::number::<usize>(1..=1_000_000))]
    count: usize,
    /// The largest distance of the score from 0, in hundredths, like cp in TEI
    #[arg(long, default_value_t = 50, value_name = "CP", value_parser = values::number::<u32>(0..=29_000))]
    max_score: u32,
    /// White's score that openings are near, instead of 0: where even openings are drawn, some lead decides as many games
    /// as it leaves drawn
    #[arg(long, default_value_t = 0, value_name = "CP", allow_negative_numbers = true, value_parser = white_score)]
    score: i32,
    /// Print the positions as TPS instead of the moves, for engines that do not know --opening
    #[arg(long)]
    tps: bool,
    /// Komi in flats
    #[arg(long, default_value = "0", value_name = "FLATS")]
    komi: Komi,
    /// First turns
    #[arg(long, default_value = "swap", value_name = "RULE")]
    opening: OpeningRule,
    /// Plies to search each candidate [default: 6, unless --nodes is given]
    #[arg(long, value_parser = values::number::<u32>(1..=100))]
    depth: Option<u32>,
    /// Nodes to search each candidate
    #[arg(long, value_parser = values::number::<u64>(1..=1_000_000_000))]
    nodes: Option<u64>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::number::<u64>(0..=u64::MAX))]
    seed: u64,
    /// Searches at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
    /// Write the suite to a file instead of stdout
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that already exist
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let wanted = Wanted {
        size: args.size,
        komi: args.komi,
        opening: args.opening,
        plies: args.plies,
        count: args.count,
        seed: args.seed,
    };
    let out_file = values::output_file(args.out.as_deref());
    if let Some(path) = out_file {
        values::check_writable(path, args.force)?;
    }
    let stop = stop_on_signal();
    let pool = pool(args.threads.unwrap_or_else(values::cores))?;
    let progress = Progress::new("openings", Some(args.count as u64));
    let searched = AtomicUsize::new(0);
    let judge = || {
        let mut judge = args.judge(&stop);
        let (progress, searched) = (&progress, &searched);
        move |game: &Game| {
            let is_good = judge(game);
            progress.say_more(&format!("{} searched", searched.fetch_add(1, SeqCst) + 1));
            progress.add(0);
            is_good
        }
    };
    let suite = pool.install(|| {
        generate(&wanted, judge, &mut |found| {
            progress.set(found as u64);
            if stop.load(SeqCst) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
    })?;
    progress.finish();

    let mut text = String::new();
    for game in &suite {
        text += &if args.tps { game.position().to_string() } else { moves_text(game.moves()) };
        text.push('\n');
    }
    values::write_output(out_file, text.as_bytes(), out)?;
    if suite.len() < args.count {
        out.flush()?;
        let found = suite.len();
        if stop.load(SeqCst) {
            return Ok(interrupted(&format!("{found} of {} openings found", args.count)));
        }
        let count = args.count;
        super::stderr::say(&format_args!(
            "error: {found} of {count} openings found, and there are no more of this kind"
        ));
        return Ok(ExitCode::from(FAILURE));
    }
    Ok(ExitCode::SUCCESS)
}

/// Reads a score that no proof has.
fn white_score(text: &str) -> Result<i32, String> {
    let score = text.parse().ok().filter(|score| (-29_000..=29_000).contains(score));
    score.ok_or_else(|| "expected a whole number from -29000 to 29000".to_owned())
}

/// Plies that each candidate is searched if nothing else is said.
const USUAL_DEPTH: u32 = 6;

/// A search with this part of the nodes comes first, since most candidates are far off. It ends those whose distance is
/// larger than allowed by more than this margin, in centiflats.
const SHALLOW_SHARE: u64 = 16;
const SHALLOW_MARGIN: u32 = 200;

/// The table of each search in MiB. Small, because the searches are short.
const HASH_MIB: usize = 4;

impl Args {
    /// Returns a search-based test for balanced positions. No position passes once `stop` is set.
    fn judge(&self, stop: &Arc<AtomicBool>) -> impl FnMut(&Game) -> Result<bool, HashError> + use<> {
        let settings = Settings { hash_mib: HASH_MIB, threads: 1, ..Settings::default() };
        let stop = Arc::clone(stop);
        let mut engine = Engine::new(settings).stopped_by(Arc::clone(&stop));
        let (center, max_score) = (self.score, self.max_score);
        let depth = self.depth.or(self.nodes.is_none().then_some(USUAL_DEPTH));
        let limits = Limits { depth, nodes: self.nodes, ..Limits::default() };
        let shallow = self.nodes.map(|nodes| Limits { nodes: Some((nodes / SHALLOW_SHARE).max(1)), ..limits });
        move |game| {
            // With results of earlier searches the score would depend on the thread.
            engine.clear();
            let sign = if game.position().to_move() == Color::White { 1 } else { -1 };
            let mut is_near = |limits: Limits, most: u32| {
                let report = engine.analyse(game, limits)?;
                let is_near =
                    |line: &Line| !line.score.is_decisive() && (sign * line.score.value()).abs_diff(center) <= most;
                Ok(report.lines.first().is_some_and(is_near))
            };
            let may_be_near = shallow.map_or(Ok(true), |limits| is_near(limits, max_score + SHALLOW_MARGIN))?;
            Ok(may_be_near && is_near(limits, max_score)? && !stop.load(SeqCst))
        }
    }
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
        let mut judge = Command::parse_from(words).args.judge(&Arc::default());
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

    #[test]
    fn openings_near_a_score_are_better_for_white_whoever_moves() {
        let judged = |score: i32, tps: &str| {
            let words = format!("openings --size 5 --count 1 --depth 3 --max-score 300 --score {score}");
            let mut judge = Command::parse_from(words.split(' ')).args.judge(&Arc::default());
            judge(&Game::new(AnyPosition::from_setup(&tps.parse().unwrap()).unwrap())).unwrap()
        };
        for tps in ["2,x4/x5/x2,1,x2/x5/x3,1,x 2 3", "2,x4/x5/x5/x,1,x3/x2,2,x,1 1 3"] {
            assert_eq!([-320, 320].map(|score| judged(score, tps)), [false, true], "{tps}");
        }
    }
}
