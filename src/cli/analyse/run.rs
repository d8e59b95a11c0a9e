//! The sources of positions: a file, stdin, words or nothing.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, bail};

use super::{Args, batch};
use crate::board::{AnyPosition, Game, Size};
use crate::cli::errors::usage;
use crate::cli::game_file::{PtnGames, is_file_name};
use crate::cli::interrupt::stop_on_signal;

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let stop = stop_on_signal();
    if args.position == ["-"] {
        let (input, is_ptn) = args.opened()?;
        if !is_ptn {
            args.refuse_ply()?;
            return batch::run(args, input, &stop, out);
        }
        let games = args.games_of_file("-", PtnGames::new(input))?;
        return args.analyse_games(games, Some("-"), &stop, out);
    }
    if args.input.is_some() {
        return Err(usage("--input says how to read -"));
    }
    let (file, games) = match args.position.as_slice() {
        [] => {
            let size = args.size.unwrap_or(Size::USUAL);
            let (komi, opening) = (args.komi.unwrap_or_default(), args.opening);
            let start = AnyPosition::start_with(size, komi, opening.unwrap_or_default());
            (None, vec![Ok(Game::new(start))])
        }
        [file] if is_file_name(file) => {
            let games = File::open(file).and_then(PtnGames::read);
            let games = games.with_context(|| format!("cannot read {file}"))?;
            (Some(file.as_str()), args.games_of_file(file, games)?)
        }
        [file, next, ..] if Path::new(file).exists() => {
            bail!("one file at a time: {next:?} is too much after {file:?}")
        }
        words => {
            let say = |warning: &str| crate::cli::stderr::say(&warning);
            (None, vec![Ok(args.game_of_tps(&words.join(" "), say)?)])
        }
    };
    if file.is_none() {
        args.refuse_ply()?;
    }
    args.analyse_games(games, file, &stop, out)
}
