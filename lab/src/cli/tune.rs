//! `tak-lab tune`: fits the weights of the evaluation and of the move order to games of self-play, and tunes
//! parameters of the search by games.

use std::fs::File;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use anyhow::{Context, bail};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use rayon::prelude::*;
use tak_engine::board::Size;
use tak_engine::cli::errors::usage;
use tak_engine::cli::interrupt::{interrupted, stop_on_signal};
use tak_engine::cli::progress::Progress;
use tak_engine::cli::values::{self, WeightFiles};
use tak_engine::engine::WeightSet;
use tak_engine::files::text::replace;
use tak_engine::threads::pool;
use tak_engine::weights::{Model, WeightTable, format_table};

use super::spsa;
use crate::fit::{
    Epoch, FitOptions, collect, collect_choices, fit, fit_layer, fit_order, layer_with_prior, rescaled, with_prior,
};
use crate::games::{Games, TrainingGame, read_games};

/// Fits the weights of one board size, of the evaluation, of its layer or of the move order, to games made by datagen.
///
/// Every tenth game is held out; the loss on those shows whether the weights got better. The file that is written is
/// tried with --weights FILE or the option WeightsFile; in the place of core/src/eval/weights/6s.txt, core/src/eval/layers/6s.txt
/// or core/src/search/policy/weights/6s.txt (for 6x6) it becomes part of the program with the next build. A layer is fitted
/// to the error of the weighted sum, so it comes after that.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Example:\n  tak-lab tune --size 6 --games games6.bin --out fit6.txt\n  tak-engine bench --weights fit6.txt"
)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    // `None` if there is an action. With a flattened struct inside, clap would always take it for absent.
    #[command(flatten)]
    fit: Option<FitArgs>,
    #[command(flatten)]
    weights: WeightFiles,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    #[command(long_flag = "spsa")]
    Spsa(spsa::Args),
}

#[derive(Debug, clap::Args)]
struct FitArgs {
    /// Model to fit
    #[arg(long, value_enum, default_value_t = ModelName(Model::Evaluation))]
    model: ModelName,
    /// Board size, 3 to 8
    #[arg(long)]
    size: Size,
    /// Files of games, from datagen
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    games: Vec<PathBuf>,
    /// Use at most this many positions [default: 3000000, for the order 500000, which need more memory]
    #[arg(long, value_parser = values::number::<usize>(10..=u64::MAX))]
    positions: Option<usize>,
    /// Passes over the positions [default: 200, for the layer 12]
    #[arg(long)]
    epochs: Option<u32>,
    /// The share of the search's score in the fitted target; the rest is the game's result
    #[arg(long, default_value_t = 0.5)]
    score_share: f32,
    /// Centiflats of the search's score that are taken to raise the odds of winning by a factor of e
    #[arg(long, default_value_t = 200.0, value_parser = within(1.0, 10_000.0))]
    score_scale: f32,
    /// The first step of a weight of the weighted sum, in centiflats
    #[arg(long, default_value_t = 4.0)]
    step: f32,
    /// Begin with the weights of this size for every feature that means the same there, so that features which are rare
    /// in the games keep reasonable weights. With --model layer, write the weighted sum too, to which the layer belongs
    #[arg(long, value_name = "SIZE")]
    prior: Option<Size>,
    /// With --model layer: continue training from the current layer (from --weights, or built in) with a smaller step
    /// size, instead of from random weights. Neurons that it lacks begin at random
    #[arg(long)]
    refine: bool,
    /// With --model layer: multiply the weighted sum and the output weights of the neurons by this, and write both.
    /// Labels that promise more make larger scores; this restores the scale that the search parameters and `wdl` are
    /// made for
    #[arg(long, value_name = "FACTOR", value_parser = within(0.1, 10.0))]
    rescale: Option<f32>,
    /// File for the weights; without it nothing is written
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that already exist
    #[arg(long)]
    force: bool,
}

/// A model to fit, as the command line names it.
#[derive(Debug, Clone, Copy)]
struct ModelName(Model);

impl ValueEnum for ModelName {
    fn value_variants<'a>() -> &'a [Self] {
        &[Self(Model::Evaluation), Self(Model::Layer), Self(Model::Ordering)]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        let help = match self.0 {
            Model::Evaluation => "The evaluation's weighted sum",
            Model::Layer => "The evaluation's neurons, which add to that sum; they begin at random unless refined",
            Model::Ordering => "The order of moves",
        };
        Some(PossibleValue::new(self.0.name()).help(help))
    }
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(Action::Spsa(args)) = &args.action {
        return spsa::run(args, out);
    }
    let start = args.weights.read()?;
    let fit = args.fit.as_ref().context("there is nothing to fit")?;
    let is_layer = fit.model.0 == Model::Layer;
    let mistake = if fit.rescale.is_some() && !is_layer {
        Some("--rescale: only a layer is rescaled, together with the weighted sum")
    } else if fit.refine && !is_layer {
        Some("--refine is for --model layer only; the other models always begin with the current weights")
    } else {
        (fit.refine && fit.prior.is_some()).then_some("--refine and --prior: a layer begins with that of one size")
    };
    if let Some(mistake) = mistake {
        return Err(usage(mistake));
    }
    if let Some(path) = &fit.out {
        let inputs: Vec<&Path> = fit.games.iter().map(PathBuf::as_path).collect();
        values::check_outputs(&inputs, &[Some(path)])?;
        values::check_writable(path, fit.force)?;
    }
    let stop = stop_on_signal();
    let is_fitted = match fit.model.0 {
        Model::Evaluation | Model::Layer => fit.tune_evaluation(&start, &stop, out),
        Model::Ordering => fit.tune_ordering(&start, &stop, out),
    }?;
    if !stop.load(SeqCst) {
        return Ok(ExitCode::SUCCESS);
    }
    Ok(interrupted(&match &fit.out {
        Some(path) if is_fitted => format!("the weights so far are in {}", path.display()),
        _ => "nothing is written".to_owned(),
    }))
}

/// Ends a fit after the current pass once `stop` is set.
fn until(stop: &AtomicBool) -> ControlFlow<()> {
    if stop.load(SeqCst) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Reads a number from `least` to `most`.
fn within(least: f32, most: f32) -> impl Fn(&str) -> Result<f32, String> + Clone {
    move |text| match text.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(format!("expected a number from {least} to {most}")),
    }
}

/// The first step of a weight of the layer.
const LAYER_STEP: f32 = 0.002;
/// Factor for the first step when a trained layer is refined: large steps would undo it.
const REFINING_STEP_FACTOR: f32 = 0.5;
/// Weight decay of the neurons per step, in steps.
const LAYER_DECAY: f32 = 2.0;

/// Games that are read and processed together.
const CHUNK_GAMES: usize = 512;

/// Returns whether a game is held out. By number, so that it does not depend on which worker finished first.
fn is_held_out(game: &TrainingGame) -> bool {
    game.number.is_multiple_of(10)
}

impl FitArgs {
    /// Fits the evaluation's weighted sum, or its layer. Returns whether there are weights: not if it is stopped
    /// before.
    fn tune_evaluation(&self, start: &WeightSet, stop: &AtomicBool, out: &mut dyn Write) -> anyhow::Result<bool> {
        let pool = pool(values::cores())?;
        let collect = |game: &TrainingGame, list: &mut Vec<_>| collect(self.size, game, self.score_scale, list);
        let Some((training, held_out)) = self.gather(&pool, collect, stop, out)? else { return Ok(false) };
        let (step, decay) = match self.model.0 {
            Model::Layer if self.refine || self.prior.is_some() => (LAYER_STEP * REFINING_STEP_FACTOR, LAYER_DECAY),
            Model::Layer => (LAYER_STEP, LAYER_DECAY),
            _ => (self.step, 1e-8),
        };
        let options = FitOptions { epochs: self.epochs(), score_share: self.score_share, step, decay };
        let progress = self.progress();
        let show = |epoch: Epoch| {
            progress.say_more(&format!("loss {:.5}", epoch.loss));
            progress.set(u64::from(epoch.number));
            until(stop)
        };
        let weights = self.start(start, WeightSet::evaluation);
        let (loss, calibration, text) = if self.model.0 == Model::Layer {
            let known = match self.prior {
                Some(prior) => Some(layer_with_prior(start.layer(prior), prior)),
                None => self.refine.then(|| start.layer(self.size).clone()),
            };
            let found = pool.install(|| fit_layer(&training, &held_out, &weights, known.as_ref(), &options, show));
            let text = if self.rescale.is_none() && self.prior.is_none() {
                format_table(&found.layer, self.size)
            } else {
                let (weights, layer) = rescaled(&weights, &found.layer, self.rescale.unwrap_or(1.0));
                format_table(&*weights, self.size) + &format_table(&layer, self.size)
            };
            (found.held_out, found.calibration, text)
        } else {
            let found = pool.install(|| fit(&training, &held_out, &weights, &options, show));
            (found.held_out, found.calibration, format_table(&*found.weights, self.size))
        };
        progress.finish();
        writeln!(out, "held-out loss {:.5} before, {:.5} after", loss[0], loss[1])?;
        writeln!(out, "calibration on held-out positions (chances of the player to move):")?;
        for (count, predicted, result) in calibration {
            writeln!(out, "  predicted {predicted:.3}  scored {result:.3}  {count:>8} positions")?;
        }
        self.write(&text, out)?;
        Ok(true)
    }

    /// The number of positions that are used at most.
    fn positions(&self) -> usize {
        self.positions.unwrap_or(match self.model.0 {
            Model::Evaluation | Model::Layer => 3_000_000,
            Model::Ordering => 500_000,
        })
    }

    fn epochs(&self) -> u32 {
        self.epochs.unwrap_or(match self.model.0 {
            Model::Layer => 12,
            Model::Evaluation | Model::Ordering => 200,
        })
    }

    fn tune_ordering(&self, start: &WeightSet, stop: &AtomicBool, out: &mut dyn Write) -> anyhow::Result<bool> {
        let pool = pool(values::cores())?;
        let mut plies = 0;
        for path in &self.games {
            for game in self.read(path)? {
                let game = game.with_context(|| path.display().to_string())?;
                if !is_held_out(&game) {
                    plies += game.plies.len();
                }
            }
        }
        let thin = plies.div_ceil(self.positions()).max(1);
        let collect = |game: &TrainingGame, list: &mut Vec<_>| collect_choices(self.size, game, thin, list);
        let Some((training, held_out)) = self.gather(&pool, collect, stop, out)? else { return Ok(false) };
        let progress = self.progress();
        let show = |epoch: Epoch| {
            progress.say_more(&format!("loss {:.4}", epoch.loss));
            progress.set(u64::from(epoch.number));
            until(stop)
        };
        let start = self.start(start, WeightSet::ordering);
        let found = pool.install(|| fit_order(&training, &held_out, &start, self.epochs(), show));
        progress.finish();
        for (when, loss, [first, four]) in
            [("before", found.held_out[0], found.hits[0]), ("after", found.held_out[1], found.hits[1])]
        {
            writeln!(
                out,
                "held-out surprise {loss:.4} {when}, choice comes first in {:.1} %, among four in {:.1} %",
                100.0 * first,
                100.0 * four
            )?;
        }
        self.write(&format_table(&*found.weights, self.size), out)?;
        Ok(true)
    }

    /// The weights that a fit starts from. Boxed, since a table would fill the stack.
    #[allow(clippy::unnecessary_box_returns)]
    fn start<T: WeightTable + Clone>(&self, models: &WeightSet, of: fn(&WeightSet, Size) -> &T) -> Box<T> {
        let own = of(models, self.size);
        match self.prior {
            Some(prior) => with_prior(own, of(models, prior), self.size),
            None => Box::new(own.clone()),
        }
    }

    fn read(&self, path: &Path) -> anyhow::Result<Games<File>> {
        read_games(path, self.size).with_context(|| format!("cannot read {}", path.display()))
    }

    /// The results of `collect` for the games to fit and for those held out. Reading ends at the requested number of
    /// positions. `None` if it is stopped.
    fn gather<T: Send>(
        &self,
        pool: &rayon::ThreadPool,
        collect: impl Fn(&TrainingGame, &mut Vec<T>) + Sync,
        stop: &AtomicBool,
        out: &mut dyn Write,
    ) -> anyhow::Result<Option<(Vec<T>, Vec<T>)>> {
        let most = [self.positions(), self.positions() / 9];
        let mut lists = [Vec::new(), Vec::new()];
        let progress = Progress::new("games read", None);
        for path in &self.games {
            let mut games = self.read(path)?;
            loop {
                let full: [bool; 2] = std::array::from_fn(|list| lists[list].len() >= most[list]);
                let chunk = games.by_ref().take(CHUNK_GAMES).collect::<Result<Vec<_>, _>>();
                let chunk = chunk.with_context(|| path.display().to_string())?;
                if chunk.is_empty() || full == [true; 2] {
                    break;
                }
                let of_game = |game: &TrainingGame| {
                    let list = usize::from(is_held_out(game));
                    let mut found = Vec::new();
                    if !full[list] {
                        collect(game, &mut found);
                    }
                    (list, found)
                };
                let found = pool.install(|| chunk.par_iter().map(of_game).collect::<Vec<_>>());
                progress.add(chunk.len() as u64);
                if stop.load(SeqCst) {
                    return Ok(None);
                }
                for (list, found) in found {
                    lists[list].extend(found);
                }
            }
            games.warn_of_incomplete_end(path);
        }
        progress.finish();
        for (list, most) in lists.iter_mut().zip(most) {
            list.truncate(most);
        }
        let [training, held_out] = lists;
        if training.is_empty() || held_out.is_empty() {
            bail!("the games hold too few positions to fit");
        }
        writeln!(out, "{} positions to fit, {} held out", training.len(), held_out.len())?;
        out.flush()?;
        Ok(Some((training, held_out)))
    }

    fn progress(&self) -> Progress {
        Progress::new("epochs", Some(u64::from(self.epochs())))
    }

    fn write(&self, text: &str, out: &mut dyn Write) -> anyhow::Result<()> {
        let Some(path) = &self.out else { return Ok(()) };
        replace(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        writeln!(out, "wrote {}", path.display())?;
        Ok(())
    }
}
