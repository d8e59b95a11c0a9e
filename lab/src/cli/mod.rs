//! The command line: one file a subcommand, each with an `Args` struct and a `run` that writes its answer to `out`.

mod datagen;
mod forced;
mod games;
mod openings;
mod spsa;
mod tune;

use std::process::ExitCode;

use clap::Parser;
use tak_engine::cli::{program, tei};

/// Tools for those who work on the engine.
#[derive(Debug, Parser)]
#[command(name = "tak-lab", version, long_about = None)]
struct Cli {
    #[command(subcommand)]
    command: Subcommand,
}

// There is one value in a process, so its size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    Datagen(datagen::Args),
    Games(games::Args),
    Forced(forced::Args),
    Openings(openings::Args),
    Tune(tune::Args),
    /// Speaks TEI on stdin and stdout: the engine of this build, which `tune --spsa` plays with
    Tei,
}

/// Runs the program, see [`program::run`].
pub fn main() -> ExitCode {
    program::run(Cli::try_parse(), |cli, out| match &cli.command {
        Subcommand::Datagen(args) => datagen::run(args, out),
        Subcommand::Games(args) => games::run(args, out),
        Subcommand::Forced(args) => forced::run(args, out),
        Subcommand::Openings(args) => openings::run(args, out),
        Subcommand::Tune(args) => tune::run(args, out),
        Subcommand::Tei => tei::run(out),
    })
}
