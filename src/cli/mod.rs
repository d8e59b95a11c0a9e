//! The command line: one file a subcommand, each with an `Args` struct and a `run` that writes its answer to `out`.
//!
//! Public is what the other programs of the workspace share. Nothing here is promised to other crates, so errors are
//! described where they need it.
#![allow(clippy::missing_errors_doc)]
// Comments on arguments are the texts of `--help`.
#![allow(rustdoc::bare_urls)]

mod analyse;
mod annotate;
mod arrange;
mod bench;
#[cfg(unix)]
mod check;
mod color;
mod completions;
mod draw;
pub mod errors;
mod escape;
mod explore;
mod forced;
mod game_file;
pub mod interrupt;
mod man;
#[cfg(not(all(feature = "serve", unix)))]
mod missing;
mod openings;
mod perft;
pub mod program;
pub mod progress;
mod puzzles;
mod replay;
pub mod result_file;
#[cfg(feature = "serve")]
mod serve;
mod source;
pub mod stderr;
mod streams;
pub mod tei;
#[cfg(unix)]
mod tournament;
pub mod values;
mod version;
mod wording;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, FromArgMatches, Parser};

use errors::{FAILURE, error_line, is_closed_pipe};
use source::Source;

/// A command line that was understood.
#[derive(Debug, Parser)]
#[command(
    name = "tak-engine",
    version,
    long_version = version::LONG_VERSION.as_str(),
    about = "A Tak engine. Without a subcommand it speaks TEI on stdin and stdout.",
    // Else the help would repeat the documentation.
    long_about = None,
    after_help = "bench and perft are for those who work on the engine."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Subcommand>,
}

impl Cli {
    fn arranged() -> clap::Command {
        arrange::arranged(Self::command())
    }

    /// Reads a command line, the program's name first, and does nothing.
    ///
    /// # Errors
    /// The mistake in it, or the help that it asks for.
    pub fn read(arguments: impl IntoIterator<Item: Into<OsString> + Clone>) -> clap::error::Result<Self> {
        let arguments = joined(arguments.into_iter().map(Into::into).collect());
        // Whatever follows the name of a command that has moved, `--help` too, gets the same answer.
        let words = || arguments.iter().skip(1).filter(|word| *word != "help");
        if let Some((_, answer)) = MOVED.iter().find(|(moved, _)| words().take(moved.len()).eq(*moved)) {
            return Err(clap::Error::raw(ErrorKind::InvalidSubcommand, format!("{answer}\n")));
        }
        let matches = Self::arranged().try_get_matches_from(&arguments);
        let read = matches.and_then(|matches| Self::from_arg_matches(&matches));
        read.map_err(|error| hinted(error, &arguments))
    }
}

/// The arguments with the three words of a `--tps` as one, and each negative number as one with its option: clap takes
/// it for an option of its own.
fn joined(arguments: Vec<OsString>) -> Vec<OsString> {
    let starts = |word: &OsString, start: &str| word.as_encoded_bytes().starts_with(start.as_bytes());
    let is_negative = |word: &OsString| matches!(word.as_encoded_bytes(), [b'-', b'0'..=b'9' | b'.', ..]);
    let mut joined: Vec<OsString> = Vec::new();
    let mut arguments = arguments.into_iter().peekable();
    while let Some(mut argument) = arguments.next() {
        if argument == "--" {
            joined.push(argument);
            joined.extend(arguments);
            break;
        }
        let is_option = starts(&argument, "-") && argument.len() > 1 && !is_negative(&argument);
        if let Some(value) =
            arguments.next_if(|word| is_option && is_negative(word) || argument == "--tps" && !starts(word, "-"))
        {
            argument.push("=");
            argument.push(value);
        }
        for _ in 0..if starts(&argument, "--tps=") { 2 } else { 0 } {
            let Some(number) = arguments.next_if(|word| source::is_number(word)) else { break };
            argument.push(" ");
            argument.push(number);
        }
        joined.push(argument);
    }
    joined
}

/// The error, or a better one that the whole command line allows: what can be done with a file or a position in the
/// place of the command, and what an abbreviated option may mean.
fn hinted(error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let word = |index: usize| arguments.get(index).and_then(|word| word.to_str()).unwrap_or_default();
    let unknown = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) if error.kind() == ErrorKind::UnknownArgument => name.as_str(),
        _ => "",
    };
    if error.kind() == ErrorKind::InvalidSubcommand && source::is_analysed(word(1)) {
        let named = match Source::all(&arguments[1..]).unwrap_or_default().into_iter().next() {
            Some(Source::Position(text)) => text,
            _ => word(1).to_owned(),
        };
        let hint = format!("{named:?} is not a command; to analyse it: tak-engine analyse {named:?}\n");
        clap::Error::raw(ErrorKind::InvalidSubcommand, hint)
    } else if error.get(ContextKind::SuggestedArg).is_none()
        && let Some(name) = unknown.strip_prefix("--").and_then(|name| unabbreviated(name, word(1)))
    {
        clap::Error::raw(ErrorKind::Format, format!("unknown option {unknown}, did you mean --{name}?\n"))
    } else {
        error
    }
}

/// The only option of a command of which the letters are among these, in order.
fn unabbreviated(letters: &str, command: &str) -> Option<String> {
    let command = Cli::arranged().find_subcommand(command)?.clone();
    let is_meant = |name: &&str| {
        let mut rest = name.chars();
        name.starts_with(letters.chars().next().unwrap_or('-')) && letters.chars().all(|c| rest.any(|other| other == c))
    };
    let mut meant = command.get_arguments().filter_map(clap::Arg::get_long).filter(is_meant);
    meant.next().filter(|_| meant.next().is_none()).map(str::to_owned)
}

/// Commands of earlier versions, and where they are now.
const MOVED: [(&[&str], &str); 5] = [
    (&["annotate", "merge"], "annotate has no merge: --shard takes a block of the games, and cat joins the outputs"),
    (&["datagen"], "datagen is part of tak-lab, see lab/README.md"),
    (&["forced"], "forced check is now bench --forced, and forced make is part of tak-lab, see lab/README.md"),
    (&["playtak"], "the bot is a program of its own: tak-playtak, see docs/clients.md"),
    (&["tune"], "tune is part of tak-lab, see lab/README.md"),
];

/// The place of developers' subcommands in the help: after all others but `help`.
const DEVELOPERS: usize = 998;

// There is one value in a process, so its size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    #[command(alias = "analyze")]
    Analyse(analyse::Args),
    Annotate(annotate::Args),
    #[command(display_order = DEVELOPERS)]
    Bench(bench::Args),
    #[cfg(unix)]
    Check(check::Args),
    Completions(completions::Args),
    Draw(draw::Args),
    Explore(explore::Args),
    Man(man::Args),
    Openings(openings::Args),
    #[command(display_order = DEVELOPERS)]
    Perft(perft::Args),
    Puzzles(puzzles::Args),
    Replay(replay::Args),
    #[cfg(feature = "serve")]
    Serve(serve::Args),
    /// Opens a board in the browser (not in this build: install with --features serve)
    #[cfg(not(feature = "serve"))]
    Serve(missing::Args),
    #[cfg(unix)]
    Tournament(tournament::Args),
    /// Runs matches between TEI engines (needs Linux, macOS or another Unix system)
    #[cfg(not(unix))]
    Tournament(missing::Args),
    Tei(tei::Args),
}

/// Runs the program, see [`program::run`].
pub fn main() -> ExitCode {
    program::run(Cli::read(std::env::args_os()), |cli, out| match &cli.command {
        Some(Subcommand::Analyse(args)) => analyse::run(args, out),
        Some(Subcommand::Annotate(args)) => annotate::run(args, out),
        Some(Subcommand::Bench(args)) => bench::run(args, out),
        #[cfg(unix)]
        Some(Subcommand::Check(args)) => check::run(args, out),
        Some(Subcommand::Completions(args)) => completions::run(args, Cli::arranged(), out),
        Some(Subcommand::Draw(args)) => draw::run(args, out),
        Some(Subcommand::Explore(args)) => explore::run(args, out),
        Some(Subcommand::Man(args)) => man::run(args, Cli::arranged()),
        Some(Subcommand::Openings(args)) => openings::run(args, out),
        Some(Subcommand::Perft(args)) => perft::run(args, out),
        Some(Subcommand::Puzzles(args)) => puzzles::run(args, out),
        #[cfg(unix)]
        Some(Subcommand::Tournament(args)) => tournament::run(args, out),
        #[cfg(not(unix))]
        Some(Subcommand::Tournament(_)) => missing::on_unix_only("tournament"),
        Some(Subcommand::Replay(args)) => replay::run(args, out),
        #[cfg(feature = "serve")]
        Some(Subcommand::Serve(args)) => serve::run(args, out),
        #[cfg(not(feature = "serve"))]
        Some(Subcommand::Serve(_)) => missing::run("board in the browser", "serve"),
        Some(Subcommand::Tei(_)) | None => tei::run(out),
    })
}
