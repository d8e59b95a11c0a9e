//! `tak-lab games`: games of self-play as PTN.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use tak_engine::board::{Color, Game, Size};
use tak_engine::cli::result_file::ResultFile;
use tak_engine::cli::values::check_outputs;
use tak_engine::notation::PtnGame;

use crate::games::{TrainingGame, open_games};

/// Writes the games of a file made by datagen as PTN, for other programs and for `tak-engine puzzles`.
///
/// The tag Round has a game's number. A game that a search has proven won ends there, with the result 1-0 or 0-1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-lab games games5.bin --out games5.ptn && tak-engine puzzles games5.ptn")]
pub struct Args {
    /// Games made by datagen
    #[arg(value_name = "FILE.bin")]
    file: PathBuf,
    /// Write them here instead of to stdout
    #[arg(long, value_name = "FILE.ptn")]
    out: Option<PathBuf>,
    /// Overwrite a file that already exists
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let path: &Path = &args.file;
    check_outputs(&[path], &[args.out.as_deref()])?;
    let place = || path.display().to_string();
    let mut games = open_games(path).with_context(|| format!("cannot read {}", place()))?;
    let size = games.size;
    let (mut file, _) = ResultFile::create_or_stdout(args.out.as_deref(), args.force, out)?;
    for game in &mut games {
        file.append_game(&ptn(&game.with_context(place)?, size).with_context(place)?)?;
    }
    games.warn_of_incomplete_end(path);
    Ok(ExitCode::SUCCESS)
}

fn ptn(played: &TrainingGame, size: Size) -> anyhow::Result<PtnGame> {
    let mut game = Game::new(played.start(size));
    for ply in &played.plies {
        game.play(ply.mv).with_context(|| format!("game {}: illegal move {}", played.number, ply.mv))?;
    }
    let mut ptn = PtnGame::from(&game);
    ptn.tags.insert(0, ("Round".to_owned(), played.number.to_string()));
    if ptn.result.is_none() {
        let result = match played.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        ptn.tags.push(("Result".to_owned(), result.to_owned()));
        ptn.result = Some(result.to_owned());
    }
    Ok(ptn)
}
