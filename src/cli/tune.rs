//! `tak-engine tune`: fits the evaluation weights to games of self-play.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;

use super::values;
use crate::board::Size;
use crate::eval;
use crate::training::{
    Fit, FitOptions, GameRecord, Sample, collect, fit, format_weights, read_games,
};

/// Fits the evaluation weights of one board size to games made by datagen.
///
/// Every tenth game is held out; the loss on those says whether the weights got better. The weights file that is
/// written holds all sizes, the others as they are compiled in: put it in the place of src/eval/weights.rs and build.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tak-engine tune --size 6 --games games6.bin --out src/eval/weights.rs"
)]
pub struct Args {
    /// Board size, 3 to 8
    #[arg(long, value_parser = values::size)]
    size: Size,
    /// Files of games, from datagen
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Use no more than this many positions
    #[arg(long, default_value_t = 3_000_000)]
    positions: usize,
    /// Passes over the positions
    #[arg(long, default_value_t = 200)]
    epochs: u32,
    /// The share of the search's score in what is fitted; the rest is the game's result
    #[arg(long, default_value_t = 0.5)]
    score_share: f32,
    /// The first step of a weight, in centiflats
    #[arg(long, default_value_t = 4.0)]
    step: f32,
    /// Where to write the weights; without it nothing is written
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs the subcommand.
///
/// # Errors
/// When a file cannot be read or written, or holds too little.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut games = Vec::new();
    for path in &args.games {
        games.extend(read_games(path, args.size).with_context(|| path.display().to_string())?);
    }
    // By number, so that the split does not depend on which worker finished first.
    let (held_out, training): (Vec<_>, Vec<_>) =
        games.into_iter().partition(|game| game.number % 10 == 0);
    let mut held_out = samples(args.size, &held_out);
    let mut training = samples(args.size, &training);
    training.truncate(args.positions);
    held_out.truncate(args.positions / 9);
    if training.is_empty() || held_out.is_empty() {
        bail!("the games hold too few positions to fit");
    }
    writeln!(
        out,
        "{} positions to fit, {} held out",
        training.len(),
        held_out.len()
    )?;
    out.flush()?;

    let options = FitOptions {
        epochs: args.epochs,
        score_share: args.score_share,
        step: args.step,
        decay: 1e-8,
    };
    let bar = ProgressBar::new(u64::from(args.epochs));
    bar.set_style(ProgressStyle::with_template(
        "{wide_bar} {pos}/{len} epochs, loss {msg}, {eta} left",
    )?);
    let found = fit(
        &training,
        &held_out,
        eval::weights(args.size),
        &options,
        |progress| {
            bar.set_position(u64::from(progress.epoch));
            bar.set_message(format!("{:.5}", progress.loss));
        },
    );
    bar.finish();
    report(&found, out)?;
    if let Some(path) = &args.out {
        let mut by_size = Size::ALL.map(eval::weights);
        by_size[args.size.width() - 3] = &found.weights;
        let temporary = path.with_extension("tmp");
        std::fs::write(&temporary, format_weights(&by_size))
            .and_then(|()| std::fs::rename(&temporary, path))
            .with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "wrote {}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn samples(size: Size, games: &[GameRecord]) -> Vec<Sample> {
    let of_game = |game: &GameRecord| {
        let mut samples = Vec::new();
        collect(size, game, &mut samples);
        samples
    };
    games.par_iter().flat_map_iter(of_game).collect()
}

fn report(found: &Fit, out: &mut dyn Write) -> anyhow::Result<()> {
    let [before, after] = found.held_out;
    writeln!(out, "held-out loss {before:.5} before, {after:.5} after")?;
    writeln!(out, "calibration on held-out positions (White's chances):")?;
    for (count, predicted, result) in &found.calibration {
        writeln!(
            out,
            "  predicted {predicted:.3}  scored {result:.3}  {count:>8} positions"
        )?;
    }
    Ok(())
}
