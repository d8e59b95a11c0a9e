//! `tak-lab forced`: suites of forced wins.

use std::collections::{BTreeMap, HashSet};
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use tak_engine::board::{Game, Size};
use tak_engine::cli::progress::Progress;
use tak_engine::cli::values;
use tak_engine::engine::{Engine, Settings};
use tak_engine::notation::canonical_tps;

use crate::games::{TrainingGame, read_games};

/// Makes suites of forced wins, for `tak-engine bench --forced`.
///
/// A suite has one position a line: TPS, komi in flats, and the plies of the shortest forced win of the player to move,
/// wins by zugzwang left aside. Lines that begin with `#` are comments.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tak-lab datagen --size 5 --games 4000 --out games5.bin
  tak-lab forced make --size 5 --games games5.bin --each 80 > 5s.txt
  tak-engine bench --forced 5s.txt --time 1s")]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, clap::Subcommand)]
enum Task {
    /// Collects forced wins of 3, 5, 7 and 9 plies from a file of self-play games
    Make(Make),
}

#[derive(Debug, clap::Args)]
struct Make {
    /// Board size, 3 to 8
    #[arg(long)]
    size: Size,
    /// Games made by datagen
    #[arg(long, value_name = "FILE")]
    games: PathBuf,
    /// Positions wanted of each length
    #[arg(long, default_value_t = 80)]
    each: usize,
    /// Positions that the search of one candidate may visit; candidates that need more are skipped
    #[arg(long, default_value_t = 20_000_000, value_parser = values::nodes())]
    nodes: u64,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let Task::Make(args) = &args.task;
    make(args, out)
}

/// Each with a list of its own.
const LENGTHS_PLIES: [u32; 4] = [3, 5, 7, 9];

fn make(args: &Make, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let place = || args.games.display().to_string();
    let mut engine = Engine::new(Settings { hash_mib: 256, ..Settings::default() });
    let mut seen = HashSet::new();
    let mut missing = BTreeMap::from(LENGTHS_PLIES.map(|plies| (plies, args.each)));
    let played = read_games(&args.games, args.size).with_context(|| format!("cannot read {}", place()))?;
    let progress = Progress::new("games", None);
    for training_game in played {
        for game in candidates(&training_game.with_context(place)?, args.size) {
            if missing.is_empty() {
                progress.finish();
                return Ok(ExitCode::SUCCESS);
            }
            let longest = LENGTHS_PLIES[LENGTHS_PLIES.len() - 1];
            let Some(plies) = engine.shortest_win(&game, longest, args.nodes)? else {
                // Earlier positions of the game are further from the win.
                break;
            };
            let Some(left) = missing.get_mut(&plies) else {
                continue;
            };
            let setup = game.position().to_setup();
            if !seen.insert(canonical_tps(&setup)) {
                continue;
            }
            writeln!(out, "{setup} {} {plies}", setup.komi)?;
            out.flush()?;
            *left -= 1;
            if *left == 0 {
                missing.remove(&plies);
            }
        }
        progress.add(1);
    }
    progress.finish();
    if !missing.is_empty() {
        out.flush()?;
        bail!("not enough games, wins still wanted by plies: {missing:?}");
    }
    Ok(ExitCode::SUCCESS)
}

/// The positions of a game in which its winner is to move, the last one first.
fn candidates(played: &TrainingGame, size: Size) -> Vec<Game> {
    let mut game = Game::new(played.start(size));
    let mut found = Vec::new();
    for ply in &played.plies {
        if Some(game.position().to_move()) == played.winner && game.position().outcome().is_none() {
            found.push(Game::new(game.position().clone()));
        }
        if game.play(ply.mv).is_err() {
            break;
        }
    }
    found.reverse();
    found
}
