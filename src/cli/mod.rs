//! The command line: one file a subcommand, each with an `Args` struct and a `run` that writes its answer to `out`.

mod analyse;
mod annotate;
mod bench;
#[cfg(unix)]
mod check;
mod completions;
mod datagen;
mod draw;
mod errors;
mod escape;
mod explore;
mod forced;
mod game_file;
mod interrupt;
mod man;
#[cfg(not(all(feature = "serve", feature = "tuning", unix)))]
mod missing;
mod openings;
mod ordered;
mod perft;
#[cfg(feature = "playtak")]
mod playtak;
mod progress;
mod puzzles;
mod replay;
mod result_file;
#[cfg(feature = "serve")]
mod serve;
mod stderr;
mod tei;
#[cfg(unix)]
mod tournament;
mod tune;
mod values;
mod version;

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser};

use errors::{FAILURE, Usage, error_line, exit_code, is_closed_pipe};
use escape::{Escaping, is_unsafe};

/// A command line that was understood.
///
/// ```
/// use tak_engine::cli::Cli;
///
/// assert!(Cli::read(["tak-engine", "perft", "3", "--size", "5"]).is_ok());
/// let error = Cli::read(["tak-engine", "pertf"]).unwrap_err();
/// assert!(error.to_string().contains("unrecognized subcommand 'pertf'"));
/// ```
#[derive(Debug, Parser)]
#[command(
    name = "tak-engine",
    version,
    long_version = version::LONG.as_str(),
    about = "A Tak engine. Without a subcommand it speaks TEI on stdin and stdout.",
    // Else the help would repeat the documentation.
    long_about = None,
    after_help = "bench, datagen, forced, perft and tune are for those who work on the engine."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Subcommand>,
}

impl Cli {
    /// Reads a command line, the program's name first, and does nothing.
    ///
    /// # Errors
    /// The mistake in it, or the help that it asks for.
    pub fn read(arguments: impl IntoIterator<Item: Into<OsString> + Clone>) -> clap::error::Result<Self> {
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        // Whatever follows the name of a command that has moved, `--help` too, gets the same answer.
        let name = arguments.iter().skip(1).find(|word| *word != "help");
        let moved = MOVED.iter().find(|(moved, _)| name.is_some_and(|name| name == moved));
        match moved.filter(|_| !cfg!(feature = "playtak")) {
            Some((_, answer)) => Err(clap::Error::raw(ErrorKind::InvalidSubcommand, format!("{answer}\n"))),
            None => Self::try_parse_from(arguments),
        }
    }
}

/// Commands of earlier versions, and where they are now.
const MOVED: [(&str, &str); 1] = [("playtak", "the bot is a program of its own: tak-playtak, see docs/playtak.md")];

/// The place of developers' subcommands in the help: after all others.
const DEVELOPERS: usize = 1000;

// There is one value in a process, so its size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    Analyse(analyse::Args),
    Annotate(annotate::Args),
    #[command(display_order = DEVELOPERS)]
    Bench(bench::Args),
    #[cfg(unix)]
    Check(check::Args),
    Completions(completions::Args),
    #[command(display_order = DEVELOPERS)]
    Datagen(datagen::Args),
    Draw(draw::Args),
    Explore(explore::Args),
    #[command(display_order = DEVELOPERS)]
    Forced(forced::Args),
    Man(man::Args),
    Openings(openings::Args),
    #[command(display_order = DEVELOPERS)]
    Perft(perft::Args),
    #[cfg(feature = "playtak")]
    Playtak(playtak::Args),
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
    #[command(display_order = DEVELOPERS)]
    Tune(tune::Args),
    Tei(tei::Args),
}

/// Runs the program: parses the arguments of the process, answers on stdout, reports errors on stderr.
///
/// Exit codes: 0 for success, 1 for a failure such as a missing file, 2 for wrong usage, 130 after Ctrl-C. A reader
/// that closed our stdout, such as `head`, is success, unless the command had ended otherwise. A stderr that is closed,
/// full or not read changes nothing.
#[must_use]
pub fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    crate::engine::memory::share_space();
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(answer) => return print_answer(&answer),
    };
    stderr::start_log();
    let mut out = stdout();
    let result = match &cli.command {
        Some(Subcommand::Analyse(args)) => analyse::run(args, &mut out),
        Some(Subcommand::Annotate(args)) => annotate::run(args, &mut out),
        Some(Subcommand::Bench(args)) => bench::run(args, &mut out),
        #[cfg(unix)]
        Some(Subcommand::Check(args)) => check::run(args, &mut out),
        Some(Subcommand::Completions(args)) => completions::run(args, Cli::command(), &mut out),
        Some(Subcommand::Datagen(args)) => datagen::run(args, &mut out),
        Some(Subcommand::Draw(args)) => draw::run(args, &mut out),
        Some(Subcommand::Explore(args)) => explore::run(args, &mut out),
        Some(Subcommand::Forced(args)) => forced::run(args, &mut out),
        Some(Subcommand::Man(args)) => man::run(args, Cli::command()),
        Some(Subcommand::Openings(args)) => openings::run(args, &mut out),
        Some(Subcommand::Perft(args)) => perft::run(args, &mut out),
        #[cfg(feature = "playtak")]
        Some(Subcommand::Playtak(args)) => playtak::run(args, &mut out),
        Some(Subcommand::Puzzles(args)) => puzzles::run(args, &mut out),
        #[cfg(unix)]
        Some(Subcommand::Tournament(args)) => tournament::run(args, &mut out),
        #[cfg(not(unix))]
        Some(Subcommand::Tournament(_)) => missing::on_unix_only("tournament"),
        Some(Subcommand::Tune(args)) => tune::run(args, &mut out),
        Some(Subcommand::Replay(args)) => replay::run(args, &mut out),
        #[cfg(feature = "serve")]
        Some(Subcommand::Serve(args)) => serve::run(args, &mut out),
        #[cfg(not(feature = "serve"))]
        Some(Subcommand::Serve(_)) => missing::run("board in the browser", "serve"),
        Some(Subcommand::Tei(_)) | None => tei::run(&mut out),
    };
    let result = result.and_then(|code| match out.flush() {
        Err(error) if code == ExitCode::SUCCESS => Err(error.into()),
        // How the command ended counts for more than who reads its answer.
        _ => Ok(code),
    });
    match result {
        Ok(code) => code,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            stderr::say(&format_args!("error: {}", error_line(&error)));
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Stdout for answers. A file or another program gets what files hold, a terminal only what it shows.
fn stdout() -> Box<dyn Write> {
    let is_terminal = io::stdout().is_terminal();
    let out = io::BufWriter::new(io::stdout().lock());
    if is_terminal { Box::new(Escaping(out)) } else { Box::new(out) }
}

/// Prints the answer of clap: the help or the version on stdout, wrong usage on stderr.
fn print_answer(answer: &clap::Error) -> ExitCode {
    let text = answer.to_string();
    // The colours of clap are control characters too.
    if answer.use_stderr() && text.contains(is_unsafe) {
        stderr::say(&text.trim_end());
        return ExitCode::from(answer.exit_code() as u8);
    }
    let printed = answer.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(error) if !answer.use_stderr() && error.kind() != io::ErrorKind::BrokenPipe => {
            stderr::say(&format_args!("error: {error}"));
            ExitCode::from(FAILURE)
        }
        _ => ExitCode::from(answer.exit_code() as u8),
    }
}
