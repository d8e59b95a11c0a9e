//! `tak-engine replay`: plays through the games of a PTN file by the rules.

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

use super::FAILURE;
use crate::files::text::{read_text, stdin};
use crate::notation::{ReadGame, ReplayError, game_texts, read_game};

/// Replays every game of a PTN file by the rules.
///
/// Prints one line a game: its number, plies, the result by the rules (* while the game is not over), the Result tag
/// (- without one) and the final position, or what is wrong with it. Exits with 1 if anything is wrong with any game.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-engine replay games.ptn\n  tak-engine replay - < games.ptn")]
pub struct Args {
    /// The PTN file, with any number of games; - reads stdin.
    #[arg(value_name = "FILE.ptn|-")]
    file: String,
}

/// Runs the subcommand.
///
/// # Errors
/// When the file cannot be read or has no game in it, or when `out` cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let text = read(&args.file).with_context(|| format!("cannot read {}", args.file))?;
    let (mut games, mut bad) = (0_u64, 0_u64);
    for text in game_texts(&text) {
        games += 1;
        let line = replay(&read_game(&text));
        bad += u64::from(line.is_err());
        let (Ok(line) | Err(line)) = line;
        writeln!(out, "game {games}: {line}")?;
    }
    anyhow::ensure!(games > 0, "no game in {}", args.file);
    if bad == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    out.flush()?;
    super::stderr::say(&format_args!("error: {bad} of {games} games could not be replayed"));
    Ok(ExitCode::from(FAILURE))
}

fn read(file: &str) -> io::Result<String> {
    if file == "-" { read_text(stdin()?) } else { read_text(File::open(file)?) }
}

/// The summary of a game, or what is wrong with it.
fn replay(read: &ReadGame) -> Result<String, String> {
    if let Some(fault) = &read.fault {
        return Err(fault.to_string());
    }
    let game = &read.game;
    let told = |plies, error: ReplayError| format!("line {}: {error}", read.line(plies));
    let replayed = game.replay();
    let (replayed, illegal) = replayed.map_err(|error| told(usize::MAX, error.into()))?;
    if let Some(error) = illegal {
        return Err(told(replayed.moves().len(), error));
    }
    let position = replayed.position();
    let tag = game.tag("Result").unwrap_or("-");
    Ok(format!(
        "{plies} plies, result {result}, tag {tag}, {tps}",
        plies = game.moves.len(),
        result = position.outcome().map_or("*".to_owned(), |outcome| outcome.to_string()),
        tag = tag.replace(char::is_control, " "),
        tps = position,
    ))
}
