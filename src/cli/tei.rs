//! `tak-engine tei`: serves TEI on stdin and stdout.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use super::stderr;
use crate::tei::server;

/// Speaks TEI on stdin and stdout, as without any subcommand: for GUIs, bots and match runners.
///
/// Ends at quit or at the end of its input. Warnings about lines that make no sense go to stderr; RUST_LOG=off
/// silences them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  \
    (printf 'tei\\nteinewgame 6\\nposition startpos moves a1 f6\\ngo movetime 1000\\n'; sleep 2) | tak-engine tei")]
pub struct Args {}

/// The greeting for a person who has started the program in a terminal. It goes to stderr, so that it breaks no
/// dialogue.
const GREETING: &str = concat!(
    "tak-engine ",
    env!("CARGO_PKG_VERSION"),
    ", a Tak engine, waits for TEI commands: help lists them, quit leaves. For all else: tak-engine --help"
);

pub fn run(out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let input = io::stdin();
    if input.is_terminal() {
        stderr::say(&GREETING);
    }
    server::serve(input, out)?;
    Ok(ExitCode::SUCCESS)
}
