//! `tak-engine serve`: the board in the browser, and TEI over WebSockets.

use std::io::Write;
use std::process::ExitCode;

use super::errors::{usage, usage_by};
use super::interrupt::on_signal;
use super::stderr::say;
use super::values::{self, cores};
use crate::serve::{Config, Origin, SecondEngine, Server, Token, TokenMissing};

/// Opens a board in the browser, to play and to analyse on, and serves TEI to programs such as PTN Ninja.
///
/// The page is at the address that is printed. TEI is at the same address with ws:// in the place of http://, one line
/// a message; ws://localhost:7731 is where PTN Ninja looks for it. Ctrl-C ends the program.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
    tak-engine serve --open\n  \
    tak-engine serve --engine path=tiltak name=Tiltak\n  \
    tak-engine serve --host 0.0.0.0 --token \"$(head -c 16 /dev/urandom | base64 | tr -d =/+)\"")]
pub struct Args {
    /// The port to listen on; 0 for any that is free
    #[arg(long, value_name = "N", default_value_t = 7731, value_parser = values::number::<u16>(0..=65_535))]
    port: u16,
    /// The address to listen on. One that other computers can reach needs a --token
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Open the page in the default browser, if one can be started
    #[arg(long)]
    open: bool,
    /// Number of pages and programs that may be connected at once, each with an engine of its own
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = values::number::<u16>(1..=256))]
    sessions: u16,
    /// The most threads that each of them may use [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::number::<u16>(1..=256))]
    threads: Option<u16>,
    /// The largest transposition table that each of them may use, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = values::number::<u32>(1..=65_536))]
    hash: u32,
    /// Let pages of this site connect, such as https://example.org; may be given several times
    #[arg(long, value_name = "URL")]
    allow_origin: Vec<Origin>,
    /// A secret that others must know to connect: it becomes part of the address
    #[arg(long, value_name = "SECRET")]
    token: Option<Token>,
    /// Another TEI engine, for the analysis and as a player in games: path=PROGRAM, and optionally name=TEXT arg=VALUE
    /// dir=FOLDER stderr=FILE stall=SECONDS option.NAME=VALUE
    #[cfg(unix)]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    engine: Option<Vec<String>>,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    #[cfg(unix)]
    let second = args.engine.as_deref().map(SecondEngine::read).transpose().map_err(usage)?;
    #[cfg(not(unix))]
    let second = None;
    let server = Server::bind(Config {
        host: args.host.clone(),
        port: args.port,
        sessions: args.sessions.into(),
        threads: args.threads.map_or_else(|| cores() as u32, u32::from),
        hash_mib: args.hash,
        origins: args.allow_origin.clone(),
        token: args.token.clone(),
        second,
        pages: None,
    })
    .map_err(|error| if error.is::<TokenMissing>() { usage_by(&error) } else { error })?;
    let url = server.url();
    writeln!(out, "The board is at {url}")?;
    out.flush()?;
    // Over ssh and in containers there is none; the page can still be opened from elsewhere.
    if args.open && open::that_detached(&url).is_err() {
        log::warn!("cannot start a browser; open the address above in one");
    }
    on_signal(server.stopper())?;
    server.run()?;
    say(&"stopped");
    Ok(ExitCode::SUCCESS)
}
