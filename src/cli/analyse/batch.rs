//! Lists of positions: reads one position a line and writes one answer a line, in order, on all cores.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use anyhow::bail;
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
use crate::notation::{Deviations, Leniency, counted};
use crate::openings::book::entry;
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
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    line: usize,
    error: String,
}

/// Answers every line of the input, except for blank ones and comments. A line that is not a position gets an error as its
/// answer; the others still run, and the exit code is [`FAILURE`]. Errors have the `name` of the input, if there is one.
pub(super) fn run(
    args: &Args,
    name: Option<&str>,
    input: impl BufRead + Send + 'static,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    let unshown =
        [("--multipv", args.multipv > 1), ("--terms", args.terms)].into_iter().find(|(_, is_given)| *is_given);
    if let Some((option, _)) = unshown.filter(|_| !args.json) {
        let reason = "needs --json for a list of positions, which prints only the best move per line";
        return Err(usage(format!("{option} {reason}")));
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
    let mut next_line = move || {
        let line = read_line(&mut input)?;
        lines += 1;
        if lines == 1 && input.input().is_utf16() {
            let mut deviations = Deviations::default();
            deviations
                .at_line(1)
                .note(Leniency::Encoding, line.as_ref().and_then(|line| line.as_deref().ok()).unwrap_or_default());
            say_deviations(&deviations, |warning| crate::cli::stderr::say(&warning));
        }
        Ok::<_, io::Error>(line.map(|line| (lines, line)))
    };
    let next = move || loop {
        match next_line()? {
            Some((_, Ok(line))) if entry(&line).is_none() => {}
            line => return Ok(line),
        }
    };
    // An answer that a signal cut short is dropped: it would not be that of the limits asked for.
    let work = |engine: &mut Engine, (number, line)| {
        let done = answer_line(args, engine, name, number, line);
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
        return Ok(interrupted(&format!("{} answered", counted(answered, "line", "lines"))));
    }
    Ok(code)
}

fn answer_line(
    args: &Args,
    engine: &mut Engine,
    name: Option<&str>,
    number: usize,
    line: Result<String, BadLine>,
) -> Done {
    let place = name.map_or_else(|| format!("line {number}"), |name| format!("{name}, line {number}"));
    let game = line.map_err(anyhow::Error::from).and_then(|line| {
        let Some(position) = entry(&line) else { bail!("expected a TPS") };
        args.game_of_tps(position, |warning| crate::cli::stderr::say(&format_args!("{place}: {warning}")))
    });
    // An answer must not depend on the lines that this thread happened to get before.
    engine.clear();
    match game.and_then(|game| {
        let findings = args.analyse(engine, &game, false)?;
        Ok(if args.json { findings.to_json() } else { findings.to_line() })
    }) {
        Ok(text) => Done { text, good: true },
        Err(error) => {
            let error = crate::cli::error_line(&error);
            let text = if args.json {
                let fault = LineError { file: name.map(str::to_owned), line: number, error };
                serde_json::to_string(&fault).expect("plain data always serialises")
            } else {
                format!("{place}: error: {error}")
            };
            Done { text, good: false }
        }
    }
}
