//! `tak-engine man`: the help of every subcommand as man pages.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;

/// Writes man pages: tak-engine.1 and one for every subcommand.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-engine man ~/.local/share/man/man1 && man tak-engine-tournament")]
pub struct Args {
    /// The folder; made if it is not there.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Runs the subcommand.
///
/// # Errors
/// When the folder cannot be made or a page cannot be written.
pub fn run(args: &Args, command: Command) -> anyhow::Result<ExitCode> {
    let folder = &args.folder;
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .with_context(|| format!("cannot write man pages to {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
