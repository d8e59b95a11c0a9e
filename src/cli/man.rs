//! `tak-engine man`: the help of every subcommand as man pages.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;

use super::values::check_writable;
use crate::files::text::replace;

/// Writes man pages: tak-engine.1 and one for every subcommand.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-engine man ~/.local/share/man/man1 && man tak-engine-tournament")]
pub struct Args {
    /// The folder; created if it does not exist.
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Overwrite files that already exist
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, command: Command) -> anyhow::Result<ExitCode> {
    let folder = &args.folder;
    fs::create_dir_all(folder).with_context(|| format!("cannot write man pages to {}", folder.display()))?;
    // The long version names the processor of this machine.
    let mut program = command.disable_help_subcommand(true).long_version(env!("CARGO_PKG_VERSION"));
    program.build();
    let mut pages = Vec::new();
    collect(program, &mut pages);
    let paths: Vec<PathBuf> = pages.iter().map(|page| folder.join(page.get_filename())).collect();
    // All are checked before the first is written.
    for path in &paths {
        check_writable(path, args.force)?;
    }
    for (page, path) in pages.iter().zip(&paths) {
        let mut text = Vec::new();
        page.render(&mut text)?;
        replace(path, &text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Adds the pages of a command and of those below it.
fn collect(command: Command, pages: &mut Vec<Man>) {
    let visible = command.get_subcommands().filter(|inner| !inner.is_hide_set()).cloned();
    visible.for_each(|inner| collect(inner, pages));
    pages.push(Man::new(command));
}
