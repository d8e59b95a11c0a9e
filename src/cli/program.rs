//! What surrounds the commands of every program of the workspace: the log, stdout, errors and exit codes.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use super::errors::{FAILURE, error_line, exit_code, is_closed_pipe};
use super::escape::Escaping;
use super::stderr;
use super::wording::mistake;

/// Runs a program: obeys its command line, answers on stdout, reports errors on stderr.
///
/// Exit codes: 0 for success, 1 for a failure such as a missing file, 2 for wrong usage, 130 after Ctrl-C. A reader
/// that closed our stdout, such as `head`, is success, unless the command had ended otherwise. A stderr that is closed,
/// full or not read changes nothing.
pub fn run<C>(
    command_line: clap::error::Result<C>,
    obey: impl FnOnce(&C, &mut dyn Write) -> anyhow::Result<ExitCode>,
) -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    crate::engine::memory::share_space();
    let command_line = match command_line {
        Ok(command_line) => command_line,
        Err(answer) => return print_answer(&answer),
    };
    stderr::start_log();
    let mut out = stdout();
    let result = obey(&command_line, &mut out).and_then(|code| match out.flush() {
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
    let out = io::BufWriter::new(Named(io::stdout().lock()));
    if is_terminal { Box::new(Escaping(out)) } else { Box::new(out) }
}

/// Stdout, which its errors name.
pub(super) struct Named<W>(pub W);

impl<W: Write> Write for Named<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(|error| not_written(&error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(|error| not_written(&error))
    }
}

fn not_written(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot write stdout: {error}"))
}

/// Prints the answer of clap: the help or the version on stdout, wrong usage on stderr.
fn print_answer(answer: &clap::Error) -> ExitCode {
    if let Some(mistake) = mistake(answer) {
        stderr::say_text(&mistake);
        return ExitCode::from(answer.exit_code() as u8);
    }
    let printed = answer.print().and_then(|()| io::stdout().flush());
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            stderr::say(&format_args!("error: {}", not_written(&error)));
            ExitCode::from(FAILURE)
        }
        _ => ExitCode::from(answer.exit_code() as u8),
    }
}
