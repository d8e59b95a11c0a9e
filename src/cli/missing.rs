//! Subcommands that this build lacks: the help still names them, and they report the missing feature.

use std::ffi::OsString;
use std::process::ExitCode;

use anyhow::anyhow;

use super::Usage;

/// Any arguments, since the build does not know those of the subcommand.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  cargo install --locked --path . --features full")]
pub struct Args {
    #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
    arguments: Vec<OsString>,
}

/// The error of every such subcommand.
pub fn run(part: &str, feature: &str) -> anyhow::Result<ExitCode> {
    Err(Usage(anyhow!("this build has no {part}; install with --features {feature}")).into())
}
