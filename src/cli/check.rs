//! `tak-engine check`: what a TEI engine does, case by case.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use super::FAILURE;
use super::errors::usage;
use super::interrupt::{cancel_on_signal, interrupted};
use super::progress::Progress;
use super::values::{check_is_file, number};
use crate::arena::play::process::Program;
use crate::board::Size;
use crate::check::case::{Case, Finding, Verdict};
use crate::check::report::{Row, engine_name, markdown, table};
use crate::check::settings::{CheckError, Settings};
use crate::check::{LEVELS, cases, run as run_case};
use crate::notation::excerpt;

/// Checks a TEI engine case by case.
///
/// Each case talks to a fresh process of the engine. The verdicts: pass; warn (unusual, but nothing breaks); fail; crash;
/// not announced (the engine does not offer what the case needs). Every case that does not pass is shown with the lines
/// sent and received, and with what the text of TEI says about it, or else with what other engines do.
///
/// Exits with 1 if any case failed or crashed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tak-engine check ./my-engine\n  tak-engine check ./my-engine --only positions --only go-depth --json\n  tak-engine check tiltak --markdown -- --some-argument"
)]
pub struct Args {
    /// The program of the engine
    #[arg(value_name = "ENGINE")]
    engine: PathBuf,
    /// Only this level (start, handshake, positions, options, output, malformed, clients, clock) or case; repeatable
    #[arg(long, value_name = "LEVEL|CASE")]
    only: Vec<String>,
    /// Print one JSON object a case, as soon as it has ended
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print a table of one line as Markdown
    #[arg(long)]
    markdown: bool,
    /// Patience: an answer may take this many times two seconds, and a move that exceeded its clock is asked for again
    /// with this many times the clock
    #[arg(long, value_name = "FACTOR", default_value_t = 3.0, value_parser = scale)]
    scale: f64,
    /// The board of most cases, unless the engine announces others only
    #[arg(long, value_name = "N", default_value_t = Size::USUAL)]
    size: Size,
    /// Games in which the clock is measured, of some seconds each
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = number::<usize>(1..=10_000))]
    clock_games: usize,
    /// Append the engine's stderr to this file
    #[arg(long, value_name = "FILE")]
    stderr: Option<PathBuf>,
    /// Arguments for the engine
    #[arg(last = true, value_name = "ARGS")]
    arguments: Vec<String>,
}

fn scale(text: &str) -> Result<f64, String> {
    let factor = text.parse().ok().filter(|factor| (0.1..=1000.0).contains(factor));
    factor.ok_or_else(|| "expected a number from 0.1 to 1000".to_owned())
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let cases = chosen(&args.only)?;
    check_is_file("--stderr", args.stderr.as_deref())?;
    let program = Program {
        path: args.engine.clone(),
        args: args.arguments.clone(),
        stderr: args.stderr.clone(),
        ..Program::default()
    };
    let settings = Settings { program, scale: args.scale, size: args.size, clock_games: args.clock_games };
    let cancel = cancel_on_signal()?;
    let progress = Progress::new("cases", Some(cases.len() as u64));
    let mut rows: Vec<Row> = Vec::new();
    for case in &cases {
        let finding = match rows.first() {
            // The first case is the handshake. Without it there is nothing to talk about.
            Some(first) if first.finding.verdict.is_failure() => Finding {
                verdict: Verdict::NotAnnounced,
                reasons: vec!["it does not answer tei".to_owned()],
                lines: Vec::new(),
            },
            _ => match run_case(case, &settings, &cancel) {
                Ok(finding) => finding,
                Err(CheckError::Cancelled) => {
                    progress.finish();
                    out.flush()?;
                    return Ok(interrupted(&format!("{} of {} cases checked", rows.len(), cases.len())));
                }
                Err(error) => return Err(error.into()),
            },
        };
        let row = Row { case, finding };
        if args.json {
            writeln!(out, "{}", row.json()?)?;
            out.flush()?;
        }
        rows.push(row);
        progress.add(1);
    }
    progress.finish();
    if args.markdown {
        let file = || args.engine.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
        write!(out, "{}", markdown(&rows, &engine_name(&rows).unwrap_or_else(file)))?;
    } else if !args.json {
        write!(out, "{}", table(&rows))?;
    }
    let failed = rows.iter().any(|row| row.finding.verdict.is_failure());
    Ok(if failed { ExitCode::from(FAILURE) } else { ExitCode::SUCCESS })
}

/// The cases of these levels and names, all if none are named; always with the first, on which all others depend.
fn chosen(only: &[String]) -> anyhow::Result<Vec<Case>> {
    let mut cases = cases();
    let is_named = |case: &Case, word: &str| [case.name, case.level].contains(&word);
    if let Some(word) = only.iter().find(|word| !cases.iter().any(|case| is_named(case, word))) {
        let levels = LEVELS.map(|(level, _)| level).join(", ");
        return Err(usage(format_args!("--only {}: no such level or case; the levels are {levels}", excerpt(word))));
    }
    let mut is_first = true;
    cases.retain(|case| {
        let is_kept = only.is_empty() || is_first || only.iter().any(|word| is_named(case, word));
        is_first = false;
        is_kept
    });
    Ok(cases)
}
