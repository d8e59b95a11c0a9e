//! Subcommands that this build lacks: the help still names them, and they report what is missing.

use std::ffi::OsString;
use std::process::ExitCode;

use super::errors::usage;

/// Any arguments, since the build does not know those of the subcommand.
#[derive(Debug, clap::Args)]
#[cfg_attr(unix, command(after_help = "Example:\n  cargo install --locked --path . --features full"))]
pub struct Args {
    #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
    arguments: Vec<OsString>,
}

/// The error of every subcommand whose feature is missing.
#[cfg(not(feature = "serve"))]
pub fn run(part: &str, feature: &str) -> anyhow::Result<ExitCode> {
    Err(usage(format_args!("this build has no {part}; install with --features {feature}")))
}

/// The error of every subcommand that starts and stops other programs.
#[cfg(not(unix))]
pub fn on_unix_only(name: &str) -> anyhow::Result<ExitCode> {
    Err(usage(format_args!("{name} needs Linux, macOS or another Unix system")))
}
