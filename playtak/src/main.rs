//! `tak-playtak`: a bot on playtak.com, or on any server with its protocol.
//!
//! [`protocol`] reads and writes the lines of the server, [`seek`] is an offer to play. [`bot`] is a state machine:
//! events in, requests out. [`book`] has its opening moves, [`chat`] the requests of players. [`mod@run`] connects it to
//! the server, the engine and the clock.
// Comments on arguments are the texts of `--help`.
#![allow(rustdoc::broken_intra_doc_links)]

mod book;
mod bot;
mod chat;
mod connection;
mod game_file;
mod protocol;
mod run;
mod seek;
mod server_game;
mod thinker;

use std::env::{self, VarError};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, anyhow};
use clap::Parser;
use rand::RngExt;
use tokio::sync::mpsc::unbounded_channel;

use book::Book;
use bot::{Event, Failure, Opponents, Settings};
use connection::Address;
use game_file::GameFile;
use protocol::{Login, Password};
use run::{Events, RunError, run};
use seek::{Seek, is_name};
use tak_engine::board::Size;
use tak_engine::cli::values::{self, WeightFiles};
use tak_engine::cli::{interrupt, program, stderr};
use tak_engine::engine::{Engine, Level, Settings as EngineSettings};

/// Exit code after a crash of the engine. Unlike other failures, a restart by a service may help.
const ENGINE_CRASH: u8 = 3;

/// The time that a move is assumed to need to the server.
const NETWORK_DELAY: Duration = Duration::from_millis(100);

/// Plays on playtak.com, or on another server with its protocol.
///
/// Without --guest the password is read from --password-file, or from the environment variable TAK_PASSWORD. A lost
/// connection is restored, and a game in progress is resumed. Ctrl-C removes the seek and ends the program after the
/// game in progress; a second one ends it at once.
#[derive(Debug, Parser)]
#[command(
    version,
    group = clap::ArgGroup::new("who").required(true),
    group = clap::ArgGroup::new("opponents").required(true),
    after_help = "Examples:\n  \
        tak-playtak --guest --seek \"size=6 komi=2 time=15:00 inc=10\" --ptn games.ptn\n  \
        TAK_PASSWORD=... tak-playtak --user MyBot --seek \"size=5 komi=2 time=10:00 inc=5\" \\\n      \
        --seek \"size=6 komi=2 time=15:00 inc=10 color=random extra=5:00@30 unrated\"\n  \
        tak-playtak --guest --seek \"size=6 time=3:00 inc=2 scales opening=double-black\"\n  \
        tak-playtak --guest --accept FriendlyBot --games 10"
)]
// Each is a flag of its own.
#[allow(clippy::struct_excessive_bools)]
struct Args {
    /// Log in as this registered player
    #[arg(long, value_name = "NAME", group = "who", value_parser = name)]
    user: Option<String>,
    /// Log in as a guest
    #[arg(long, group = "who")]
    guest: bool,
    /// Read the password from the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with = "guest")]
    password_file: Option<PathBuf>,
    /// Offer this game: "size=6 time=15:00 [inc=10 scales komi=2 opening=swap|double-black color=white|black|random
    /// pieces=30 caps=1 extra=5:00@30 opponent=NAME unrated tournament]"; if there are several, they are offered in turn
    #[arg(long, value_name = "TERMS", group = "opponents")]
    seek: Vec<Seek>,
    /// Accept the offers of this player
    #[arg(long, value_name = "NAME", group = "opponents", conflicts_with = "seek", value_parser = name)]
    accept: Option<String>,
    /// End after this number of games [default: without end]
    #[arg(long, value_name = "N", value_parser = values::nodes())]
    games: Option<u64>,
    /// Agree to take moves back
    #[arg(long)]
    undo: bool,
    /// Resign when the game is proven to be lost
    #[arg(long)]
    resign: bool,
    /// Think on the opponent's time too, at full strength
    #[arg(long)]
    ponder: bool,
    /// Listen to no player and answer none
    #[arg(long)]
    no_chat: bool,
    /// Play at this level of strength, from 1, the weakest, unless the opponent asks for another; 0 is full strength
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = values::level())]
    level: u8,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = values::table_mib())]
    hash: usize,
    #[command(flatten)]
    weights: WeightFiles,
    /// Play opening lines from this file without thinking: PTN games, positions, or lists of moves for the one size
    /// that is offered
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Add each finished game to this file
    #[arg(long, value_name = "FILE")]
    ptn: Option<PathBuf>,
    /// The server; without encryption (ws://) a password is sent to this machine only
    #[arg(long, value_name = "URL", default_value = "wss://playtak.com/ws")]
    url: Address,
}

fn name(text: &str) -> Result<String, &'static str> {
    if is_name(text) { Ok(text.to_owned()) } else { Err("a name is a letter, then 3 to 15 letters, digits or _") }
}

fn main() -> ExitCode {
    program::run(Args::try_parse(), |args, out| match play(args, out) {
        Err(error) if matches!(error.downcast_ref(), Some(RunError::Bot(Failure::Engine))) => {
            stderr::say(&format_args!("error: {error}"));
            Ok(ExitCode::from(ENGINE_CRASH))
        }
        ended => ended.map(|()| ExitCode::SUCCESS),
    })
}

/// The settings of the bot, with its password and its book.
fn settings(args: &Args) -> anyhow::Result<Settings> {
    Ok(Settings {
        site: args.url.site().to_owned(),
        login: login(args)?,
        opponents: match &args.accept {
            Some(name) => Opponents::Of(name.clone()),
            None => Opponents::Seeks(args.seek.clone()),
        },
        games: args.games,
        undo: args.undo,
        ponder: args.ponder,
        resign: args.resign,
        chat: !args.no_chat,
        level: Level::new(args.level),
        book: match &args.book {
            Some(path) => Book::load(path, only_size(&args.seek))?,
            None => Book::default(),
        },
    })
}

/// Plays until the bot ends.
fn play(args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    let settings = settings(args)?;
    let open = |path: &PathBuf| GameFile::open(path).with_context(|| format!("cannot open {}", path.display()));
    let games = args.ptn.as_ref().map(open).transpose()?;
    let engine_settings = EngineSettings {
        hash_mib: args.hash,
        threads: args.threads.unwrap_or_else(values::cores),
        move_overhead: NETWORK_DELAY,
        // The server has no draw by repetition.
        repetitions: 0,
        weights: args.weights.read()?,
        ..EngineSettings::default()
    };
    let mut engine = Engine::new(engine_settings);
    engine.prepare()?;
    if args.book.is_some() {
        writeln!(out, "opening book: {}", settings.book).and_then(|()| out.flush()).map_err(RunError::Output)?;
    }
    let (sender, events) = unbounded_channel();
    let signals = sender.clone();
    interrupt::on_signal(move || drop(signals.send(Event::Interrupted)))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(run(settings, args.url.clone(), engine, Events(sender, events), games, out));
    // A search for the server's address may go on for long.
    runtime.shutdown_background();
    Ok(ended?)
}

/// The size of all games on offer, if it is one.
fn only_size(seeks: &[Seek]) -> Option<Size> {
    let (first, others) = seeks.split_first()?;
    let is_only = others.iter().all(|seek| seek.size == first.size);
    is_only.then_some(first.size)
}

fn login(args: &Args) -> anyhow::Result<Login> {
    let Some(name) = args.user.clone() else {
        let mut random = rand::rng();
        let letter = || char::from(random.random_range(b'a'..=b'z'));
        let token = std::iter::repeat_with(letter).take(20).collect();
        return Ok(Login::Guest { token });
    };
    if !args.url.is_private() {
        return Err(Failure::Exposed.into());
    }
    let text = match &args.password_file {
        Some(path) => fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?,
        None => env::var("TAK_PASSWORD").map_err(|error| match error {
            VarError::NotPresent => {
                anyhow!("no password: set TAK_PASSWORD, or give a --password-file")
            }
            VarError::NotUnicode(_) => anyhow!("TAK_PASSWORD is not UTF-8"),
        })?,
    };
    let password = Password::new(text.lines().next().unwrap_or_default())?;
    Ok(Login::User { name, password })
}
