//! `analyse -`: reads one position a line and writes one answer a line, in order, on all cores.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use anyhow::ensure;
use serde::Serialize;

use super::Args;
use crate::cli::errors::usage;
use crate::cli::interrupt::interrupted;
use crate::cli::progress::Progress;
use crate::cli::stderr::say_deviations;
use crate::cli::streams::check_reader;
use crate::cli::{FAILURE, values};
use crate::engine::{Engine, check_memory};
use crate::files::text::Recoded;
use crate::lines::Lines;
use crate::notation::{Deviations, Leniency};
use crate::ordered::in_order;
use crate::tei::lines::{BadLine, read_line};

/// The longest line that is read, in bytes: several times the longest TPS.
const LONGEST_LINE: usize = 16 << 10;

/// A worker's answer to a line: the text to print, and whether the line was a position.
struct Done {
    text: String,
    good: bool,
}

#[derive(Serialize)]
struct LineError {
    line: usize,
    error: String,
}

/// Answers every line of the input. A line that is not a position gets an error as its answer; the others still run, and
/// the exit code is [`FAILURE`].
pub(super) fn run(
    args: &Args,
    input: impl BufRead + Send + 'static,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if args.multipv > 1 && !args.json {
        return Err(usage("--multipv needs --json in a batch, which prints only the best move per line"));
    }
    let threads = args.threads.unwrap_or_else(values::cores);
    // Memory that is missing for all of them together is one error before any work.
    let mut engines = Vec::new();
    let settings = args.settings(1, args.hash.unwrap_or(16))?;
    check_memory(settings.hash_mib.saturating_mul(threads))?;
    for _ in 0..threads {
        let mut engine = Engine::new(settings.clone()).stopped_by(Arc::clone(stop));
        engine.prepare()?;
        engines.push(engine);
    }
    let mut lines = 0;
    let mut input = Lines::new(Recoded::new(input), LONGEST_LINE);
    let next = move || {
        let line = read_line(&mut input)?;
        lines += 1;
        if lines == 1 && input.input().is_utf16() {
            let mut deviations = Deviations::default();
            deviations
                .at_line(1)
                .note(Leniency::Encoding, line.as_ref().and_then(|line| line.as_deref().ok()).unwrap_or_default());
            say_deviations(&deviations, |warning| crate::cli::stderr::say(&warning));
        }
        Ok(line.map(|line| (lines, line)))
    };
    // An answer that a signal cut short is dropped: it would not be that of the limits asked for.
    let work = |engine: &mut Engine, (number, line)| {
        let done = answer_line(args, engine, number, line);
        (!stop.load(SeqCst)).then_some(done)
    };
    let mut code = ExitCode::SUCCESS;
    let mut answered = 0_u64;
    // Answers on a terminal show the progress themselves.
    let progress = (!io::stdout().is_terminal()).then(|| Progress::new("lines", None));
    let answers = in_order(engines, next, work, check_reader, stop, |done| {
        let Some(done) = done else {
            return Ok(());
        };
        if !done.good {
            code = ExitCode::from(FAILURE);
        }
        writeln!(out, "{}", done.text)?;
        out.flush()?;
        answered += 1;
        if let Some(progress) = &progress {
            progress.add(1);
        }
        Ok::<_, io::Error>(())
    });
    if let Some(progress) = &progress {
        progress.finish();
    }
    answers?;
    if stop.load(SeqCst) {
        return Ok(interrupted(&format!("{answered} lines answered")));
    }
    Ok(code)
}

fn answer_line(args: &Args, engine: &mut Engine, number: usize, line: Result<String, BadLine>) -> Done {
    let answer = line.map_err(anyhow::Error::from).and_then(|line| {
        let line = line.trim_start_matches('\u{feff}').trim();
        ensure!(!line.is_empty(), "the line is blank: expected a TPS");
        let say = |warning: &str| crate::cli::stderr::say(&format_args!("line {number}: {warning}"));
        let game = args.game_of_tps(line, say)?;
        // An answer must not depend on the lines that this thread happened to get before.
        engine.clear();
        args.analyse(engine, &game, false)
    });
    match answer {
        Ok(findings) => Done { text: if args.json { findings.to_json() } else { findings.to_line() }, good: true },
        Err(error) => {
            let fault = LineError { line: number, error: crate::cli::error_line(&error) };
            let text = if args.json {
                serde_json::to_string(&fault).expect("plain data always serialises")
            } else {
                format!("line {}: error: {}", fault.line, fault.error)
            };
            Done { text, good: false }
        }
    }
}
