//! `tak-lab datagen`: games of the engine against itself, kept for training.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Mutex, PoisonError};

use anyhow::Context;
use tak_engine::board::{OpeningRule, Size};
use tak_engine::cli::interrupt::{interrupted, stop_on_signal};
use tak_engine::cli::progress::Progress;
use tak_engine::cli::values::{self, WeightFiles};
use tak_engine::engine::{Engine, Settings};
use tak_engine::threads::pool;

use crate::games::{GameWriter, SelfPlay, play_game};

/// Plays games of the engine against itself and keeps every position with its score, move and result.
///
/// Games are numbered, and a game is a pure function of its number, the seed and the other settings. A run that was
/// interrupted continues when started again with the same arguments; other settings are refused.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-lab datagen --size 6 --games 100000 --nodes 1000 --out games6.bin")]
pub struct Args {
    /// Board size, 3 to 8
    #[arg(long)]
    size: Size,
    /// Total number of games in the file when done
    #[arg(long, value_parser = values::number::<u32>(1..=u64::MAX))]
    games: u32,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 1000, value_parser = values::nodes())]
    nodes: u64,
    /// First turns: swap, no-swap or double-black
    #[arg(long, default_value = "swap", value_name = "RULE")]
    opening: OpeningRule,
    /// The longest random opening, in plies; the shortest has two
    #[arg(long, default_value_t = 8, value_parser = values::number::<u32>(2..=100))]
    opening_plies: u32,
    /// In half of the games, up to this many more plies after the opening: the last one at random, the others by a quick
    /// search
    #[arg(long, default_value_t = 0, value_parser = values::number::<u32>(0..=100))]
    quick_plies: u32,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games played at once [default: all cores]
    #[arg(long, value_parser = values::threads())]
    threads: Option<usize>,
    #[command(flatten)]
    weights: WeightFiles,
    /// File to add the games to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let models = args.weights.read()?;
    let place = || args.out.display().to_string();
    let settings = SelfPlay {
        size: args.size,
        nodes: args.nodes,
        seed: args.seed,
        opening: args.opening,
        opening_plies: args.opening_plies,
        quick_plies: args.quick_plies,
    };
    let mut file = GameWriter::open(&args.out, args.size, &settings.settings(&models)).with_context(place)?;
    let done = std::mem::take(&mut file.done);
    let played = done.iter().filter(|&&number| number < args.games).count();
    let stop = stop_on_signal();
    let progress = Progress::resumed("games", Some(args.games.into()), played as u64);
    let [games, plies] = [0, 0].map(AtomicU64::new);
    let failed = AtomicBool::new(false);
    let missing = (0..args.games).filter(|number| !done.contains(number));
    let queue = Mutex::new(missing);
    let file = Mutex::new(file);
    let work = || -> anyhow::Result<()> {
        let mut engine =
            Engine::new(Settings { hash_mib: 4, threads: 1, weights: models.clone(), ..Settings::default() });
        while !failed.load(SeqCst) && !stop.load(SeqCst) {
            let Some(number) = queue.lock().unwrap_or_else(PoisonError::into_inner).next() else {
                break;
            };
            let game = play_game(&mut engine, &settings, number)?;
            plies.fetch_add(game.plies.len() as u64, SeqCst);
            file.lock().unwrap_or_else(PoisonError::into_inner).append(&game).with_context(place)?;
            games.fetch_add(1, SeqCst);
            progress.add(1);
        }
        Ok(())
    };
    let threads = args.threads.unwrap_or_else(values::cores);
    let results = pool(threads)?.broadcast(|_| work().inspect_err(|_| failed.store(true, SeqCst)));
    progress.finish();
    results.into_iter().collect::<anyhow::Result<()>>()?;
    // With those beyond the ones asked for, which an earlier run may have left.
    let (held, missing) = (done.len() as u64 + games.load(SeqCst), args.games as usize - played);
    writeln!(out, "{held} games in {}, {} plies played now", place(), plies.into_inner())?;
    if games.into_inner() < missing as u64 {
        out.flush()?;
        return Ok(interrupted("the same command plays the missing games"));
    }
    Ok(ExitCode::SUCCESS)
}
