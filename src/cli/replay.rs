//! `tak-engine replay`: plays through the games of a PTN file by the rules.

use std::io::Write;
use std::process::ExitCode;

use super::FAILURE;
use super::game_file::{GameFiles, Held, TermArgs, hinted};
use super::interrupt::end_on_signal;
use super::progress::Progress;
use super::stderr::say_deviations;
use crate::notation::{Deviations, ReadGame, ReplayError};

/// Replays every game of PTN files by the rules.
///
/// Prints one line a game: its number, plies, the result by the rules (* while the game is not over), the Result tag (-
/// without one) and the final position, or its fault. Text that is not standard PTN is accepted with a
/// warning. A Result tag or a result after the moves that contradicts the rules is reported, and so are two that
/// differ. Exits with 1 if anything is wrong with any game.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  tak-engine replay games.ptn\n  tak-engine replay - < games.ptn\n  tak-engine replay --strict games.ptn"
)]
pub struct Args {
    #[command(flatten)]
    files: GameFiles,
    #[command(flatten)]
    terms: TermArgs,
    /// Reject text that is not standard PTN, and name the rule
    #[arg(long)]
    strict: bool,
}

/// A game as it was read, and the result of replaying it.
struct Game {
    replayed: Result<Replayed, String>,
    deviations: Deviations,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut texts = args.files.open()?;
    let terms = args.terms.terms();
    let (mut games, mut bad, mut contradictions) = (0_u64, 0_u64, 0_u64);
    let progress = Progress::new("games", None);
    end_on_signal(&progress)?;
    texts.count_for(&progress, |_, _| 1);
    let places = texts.places();
    let mut held = Held::new();
    while let Some((number, text)) = texts.next()? {
        games += 1;
        let read = terms.read(&text);
        let unreadable = read.fault.as_ref().filter(|_| read.game.moves.is_empty()).map(ToString::to_string);
        let read = if args.strict { read.strict() } else { read };
        let game = Game { replayed: replay(&read), deviations: read.deviations };
        for (number, game) in held.push(number, unreadable.as_deref(), game) {
            let place = places.place(number);
            bad += u64::from(game.replayed.is_err());
            let (line, contradiction) = match game.replayed {
                Ok(Replayed { line, contradiction }) => (line, contradiction),
                Err(fault) => (hinted(&fault), None),
            };
            progress.above(|| writeln!(out, "{place}: {line}").and_then(|()| out.flush()))?;
            if let Some(contradiction) = contradiction {
                contradictions += 1;
                progress.note(&format_args!("{place}: {contradiction}"));
            }
            if !args.strict {
                say_deviations(&game.deviations, |warning| progress.note(&format_args!("{place}: {warning}")));
            }
        }
        progress.add(1);
    }
    progress.finish();
    held.end(&places)?;
    if bad + contradictions == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    out.flush()?;
    if bad > 0 {
        super::stderr::say(&format_args!("error: {bad} of {games} games could not be replayed"));
    }
    if contradictions > 0 {
        super::stderr::say(&format_args!("error: the result of {contradictions} of {games} games is contradictory"));
    }
    Ok(ExitCode::from(FAILURE))
}

/// A game that could be replayed.
struct Replayed {
    line: String,
    /// The mistake in its results.
    contradiction: Option<String>,
}

/// The summary of a game, or its fault.
fn replay(read: &ReadGame) -> Result<Replayed, String> {
    if let Some(fault) = &read.fault {
        return Err(fault.to_string());
    }
    let game = &read.game;
    let at_line = |plies, error: ReplayError| format!("line {}: {error}", read.line(plies));
    let replayed = game.replay();
    let (replayed, illegal) = replayed.map_err(|error| at_line(usize::MAX, error.into()))?;
    if let Some(error) = illegal {
        return Err(at_line(replayed.moves().len(), error));
    }
    let position = replayed.position();
    let outcome = position.outcome();
    let contradiction = game.wrong_result(outcome);
    let line = format!(
        "{plies} plies, result {result}, tag {tag}, {tps}",
        plies = game.moves.len(),
        result = outcome.map_or("*".to_owned(), |outcome| outcome.to_string()),
        tag = game.tag("Result").unwrap_or("-").replace(char::is_control, " "),
        tps = position,
    );
    Ok(Replayed { line, contradiction })
}
