//! `tak-engine playtak`: a bot on playtak.com.

use std::env::VarError;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use rand::RngExt;

use super::interrupt::on_signal;
use super::values::{WeightFiles, cores, level};
use crate::board::Size;
use crate::engine::{Engine, Level, Settings as EngineSettings};
use crate::files::text::read_text;
use crate::playtak::book::Book;
use crate::playtak::bot::{Failure, Opponents, Settings};
use crate::playtak::connection::Address;
use crate::playtak::protocol::{Login, Password};
use crate::playtak::run::{GameFile, RunError, Runner};
use crate::playtak::seek::{Seek, is_name};

/// Exit code after a crash of the engine. Unlike other failures, a restart by a service may help.
const BROKEN: u8 = 3;

/// The time that a move is assumed to need to the server.
const WAY: Duration = Duration::from_millis(100);

/// Plays on playtak.com, or on another server with its protocol.
///
/// Without --guest the password is read from --password-file, or from the environment variable TAK_PASSWORD. A lost
/// connection is restored, and a game in progress is resumed. Ctrl-C removes the seek and ends the program after the
/// game in progress; a second one ends it at once.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("who").required(true),
    group = clap::ArgGroup::new("opponents").required(true),
    after_help = "Examples:\n  \
        tak-engine playtak --guest --seek \"size=6 komi=2 time=15:00 inc=10\" --ptn games.ptn\n  \
        TAK_PASSWORD=... tak-engine playtak --user MyBot --seek \"size=5 komi=2 time=10:00 inc=5\" \\\n      \
        --seek \"size=6 komi=2 time=15:00 inc=10 color=random extra=5:00@30 unrated\"\n  \
        tak-engine playtak --guest --accept FriendlyBot --games 10"
)]
// Each is a flag of its own.
#[allow(clippy::struct_excessive_bools)]
pub struct Args {
    /// Log in as this registered player
    #[arg(long, value_name = "NAME", group = "who", value_parser = name)]
    user: Option<String>,
    /// Log in as a guest
    #[arg(long, group = "who")]
    guest: bool,
    /// Read the password from the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with = "guest")]
    password_file: Option<PathBuf>,
    /// Offer this game: "size=6 time=15:00 [inc=10 komi=2 color=white|black|random pieces=30 caps=1 extra=5:00@30
    /// opponent=NAME unrated tournament]"; if there are several, they are offered in turn
    #[arg(long, value_name = "TERMS", group = "opponents")]
    seek: Vec<Seek>,
    /// Accept the offers of this player
    #[arg(long, value_name = "NAME", group = "opponents", conflicts_with = "seek", value_parser = name)]
    accept: Option<String>,
    /// End after so many games [default: without end]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
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
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = level())]
    level: u8,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
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

/// Runs the subcommand.
///
/// # Errors
/// If the bot cannot log in or continue, or a file cannot be used.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let settings = Settings {
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
    };
    let open = |path: &PathBuf| GameFile::open(path).with_context(|| format!("cannot open {}", path.display()));
    let games = args.ptn.as_ref().map(open).transpose()?;
    let engine_settings = EngineSettings {
        hash_mib: args.hash as usize,
        threads: args.threads.map_or_else(cores, usize::from),
        move_overhead: WAY,
        // The server has no draw by repetition.
        repetitions: 0,
        weights: args.weights.read()?,
        ..EngineSettings::default()
    };
    let mut engine = Engine::new(engine_settings);
    engine.prepare()?;
    if args.book.is_some() {
        writeln!(out, "opening book: {}", settings.book)?;
        out.flush()?;
    }
    let runner = Runner::default();
    on_signal(runner.interrupt())?;
    match runner.run(settings, args.url.clone(), engine, games, out) {
        Err(error @ RunError::Engine) => {
            crate::cli::stderr::say(&format_args!("error: {error}"));
            Ok(ExitCode::from(BROKEN))
        }
        ended => ended.map(|()| ExitCode::SUCCESS).map_err(Into::into),
    }
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
        Some(path) => {
            File::open(path).and_then(read_text).with_context(|| format!("cannot read {}", path.display()))?
        }
        None => std::env::var("TAK_PASSWORD").map_err(|error| match error {
            VarError::NotPresent => {
                anyhow::anyhow!("no password: set TAK_PASSWORD, or give a --password-file")
            }
            VarError::NotUnicode(_) => anyhow::anyhow!("TAK_PASSWORD is not UTF-8"),
        })?,
    };
    let password = Password::new(text.lines().next().unwrap_or_default())?;
    Ok(Login::User { name, password })
}
