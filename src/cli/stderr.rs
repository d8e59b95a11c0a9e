//! Stderr, which may be closed or not read: to write there never fails. What could command a terminal is escaped.

use std::env;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use super::escape::{Escaping, escaped_line};
use crate::arena::tournament::merge::MergedJournal;
use crate::notation::Deviations;

/// Lines of the log without `RUST_LOG`. This number fits into an unread pipe, so the log never holds up a game,
/// and a flood of bad input, also from the clients of `serve`, fills no disk.
const MAX_LOG_LINES: u32 = 200;

/// Writes a line: a name with ends of lines stays in it. If that fails, the program continues.
pub fn say(line: &dyn Display) {
    let _ = writeln!(io::stderr(), "{}", escaped_line(&line.to_string()));
}

/// Writes a text of several lines.
pub fn say_text(text: &str) {
    let _ = writeln!(Escaping(io::stderr()), "{text}");
}

/// Reports through `say` the accepted deviations of a text from the standard.
pub fn say_deviations(deviations: &Deviations, say: impl FnOnce(&str)) {
    if !deviations.is_empty() {
        say(&format!("warning: {deviations}"));
    }
}

/// Warns of a journal that was cut short or holds games twice.
pub fn warn_of_journal(path: &Path, incomplete_bytes: u64, duplicates: usize) {
    let path = path.display();
    if incomplete_bytes > 0 {
        log::warn!("{path}: dropped an incomplete last line of {incomplete_bytes} bytes");
    }
    if duplicates > 0 {
        log::warn!("{path}: ignored {duplicates} duplicate games");
    }
}

/// Warns of journals that are added up and are cut short or hold games twice.
pub fn warn_of_merged(sum: &MergedJournal) {
    for path in &sum.incomplete {
        log::warn!("{}: ignored an incomplete last line", path.display());
    }
    if sum.duplicates > 0 {
        let contradictions = match sum.contradictions {
            0 => String::new(),
            count => format!(", {count} of them with another result"),
        };
        log::warn!("ignored {} duplicate games{contradictions}", sum.duplicates);
    }
}

/// Clears the line of a terminal, which shows `^C` there.
pub fn clear_line() {
    if io::stderr().is_terminal() {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

/// Sends the log to stderr: the first warnings, or all that the environment variable `RUST_LOG` asks for.
pub fn start_log() {
    let is_asked_for = env::var_os("RUST_LOG").is_some();
    let log = Log { out: Escaping(io::stderr()), lines_left: if is_asked_for { u32::MAX } else { MAX_LOG_LINES } };
    let mut builder = env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"));
    if !is_asked_for {
        builder.format(|line, record| {
            writeln!(
                line,
                "{}: {}",
                record.level().as_str().to_ascii_lowercase().replace("warn", "warning"),
                escaped_line(&record.args().to_string())
            )
        });
        // A terminal that shows both shows the answers to bad lines already.
        if io::stdout().is_terminal() && io::stderr().is_terminal() {
            builder.filter_module("tak_engine_core::tei", log::LevelFilter::Off);
        }
    }
    builder
        // It logs all that is sent, passwords too.
        .filter_module("tungstenite", log::LevelFilter::Off)
        .filter_module("tokio_tungstenite", log::LevelFilter::Off)
        .target(env_logger::Target::Pipe(Box::new(log)))
        .write_style(env_logger::WriteStyle::Never)
        .init();
}

/// Writes the first records of the log.
struct Log<W> {
    out: W,
    lines_left: u32,
}

impl<W: Write> Write for Log<W> {
    /// Takes a record, which comes as a whole.
    fn write(&mut self, record: &[u8]) -> io::Result<usize> {
        if self.lines_left > 0 {
            self.lines_left -= 1;
            self.out.write_all(record)?;
            if self.lines_left == 0 {
                writeln!(self.out, "further lines of the log are not written; RUST_LOG=warn writes all")?;
            }
        }
        Ok(record.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
