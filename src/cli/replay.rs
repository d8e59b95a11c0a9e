//! `tak-engine replay`: plays through the games of a PTN file by the rules.

use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;

use super::FAILURE;
use crate::notation::{PtnGame, ReplayError, parse_games};
use crate::system::files::{read_text, stdin};

/// Replays every game of a PTN file by the rules.
///
/// Prints one line a game: its number, plies, the result by the rules (* while the game is not over), the Result tag
/// (- without one) and the final position, or what is wrong with it. Exits with 1 if anything is wrong with any game.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tak-engine replay games.ptn\n  tak-engine replay - < games.ptn"
)]
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
    let (mut games, mut bad) = (0, 0);
    for game in parse_games(&text) {
        games += 1;
        let line = match &game {
            Ok(game) => replay(game).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match line {
            Ok(line) => writeln!(out, "game {games}: {line}")?,
            Err(fault) => {
                bad += 1;
                writeln!(out, "game {games}: {fault}")?;
            }
        }
    }
    anyhow::ensure!(games > 0, "no game in {}", args.file);
    if bad == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    out.flush()?;
    super::stderr::say(&format_args!(
        "error: {bad} of {games} games could not be replayed"
    ));
    Ok(ExitCode::from(FAILURE))
}

fn read(file: &str) -> io::Result<String> {
    if file == "-" {
        read_text(stdin()?)
    } else {
        read_text(File::open(file)?)
    }
}

/// The summary of a game.
fn replay(game: &PtnGame) -> Result<String, ReplayError> {
    let replayed = game.game()?;
    let position = replayed.position();
    let tag = game.tag("Result").unwrap_or("-");
    Ok(format!(
        "{plies} plies, result {result}, tag {tag}, {tps}",
        plies = game.moves.len(),
        result = position
            .outcome()
            .map_or("*".to_owned(), |outcome| outcome.to_string()),
        tag = tag.replace(char::is_control, " "),
        tps = position,
    ))
}
