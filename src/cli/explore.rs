//! `tak-engine explore`: what was played from a position, with which results, in collections of games.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, ensure};

use super::errors::{error_line, usage};
use super::game_file::PtnGames;
use super::interrupt::{interrupted, stop_on_signal};
use super::progress::Progress;
use super::{stderr, values};
use crate::analysis::explore::{Answer, LeftOut, Query, Tally, left_out, percents, sentence};
use crate::board::{AnyPosition, Komi, OpeningRule, Setup, Size};
use crate::notation::{GameText, counted, parse_first_move, parse_move, read_game};
use crate::ordered::in_order;

/// Counts what was played from a position in collections of games, and with which results.
///
/// For each move: the number of games, the results in percent, and the mean rating of the players who made it, if
/// games have the tags Rating1 and Rating2. Rotated and reflected positions count as one, and so do moves that
/// are equivalent in a symmetric position. A game counts once, the first time that it has the position. Its result is
/// that of the rules, or else the one it tells. Games on other boards, with other openings or reserves, and damaged ones
/// do not count, which is reported.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
        tak-engine explore games.ptn\n  \
        tak-engine explore games.ptn more.ptn --size 6 --moves \"a1 f6 d4\"\n  \
        tak-engine explore games.ptn --tps \"x4,1/x5/x5/x5/2,x4 1 2\" --json")]
pub struct Args {
    /// PTN files, with any number of games; - reads stdin
    #[arg(value_name = "FILE.ptn|-", required = true)]
    files: Vec<PathBuf>,
    /// The position as TPS [default: the start]
    #[arg(long, value_parser = values::position, conflicts_with = "size")]
    tps: Option<Setup>,
    /// The size of the board [default: that of the first game]
    #[arg(long)]
    size: Option<Size>,
    /// Moves to play from the position before, such as "a1 f6 d4"
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// First turns
    #[arg(long, value_name = "RULE", default_value = "swap")]
    opening: OpeningRule,
    /// Only games with this komi [default: any]
    #[arg(long, value_parser = values::komi, allow_negative_numbers = true)]
    komi: Option<Komi>,
    /// Print one JSON object, see docs/json.md
    #[arg(long)]
    json: bool,
    /// Threads [default: all cores]
    #[arg(long, alias = "jobs", value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
}

/// Games that a thread takes at once.
const BATCH_GAMES: usize = 64;
/// Damaged games that are named.
const MAX_NAMED_GAMES: usize = 5;

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut collection = Collection::new(&args.files)?;
    let setup = match (&args.tps, args.size) {
        (Some(setup), _) => setup.clone(),
        (None, Some(size)) => Setup::empty(size, Komi::ZERO),
        (None, None) => Setup::empty(collection.first_size()?, Komi::ZERO),
    };
    let setup = Setup { opening: setup.opening_or(args.opening), ..setup };
    let position = played(&setup, &args.moves).map_err(|error| usage(error_line(&error)))?;
    let query = Query::new(&position, args.komi)?;

    let stop = stop_on_signal();
    let progress = Progress::new("games", None);
    let (mut tally, mut named) = (Tally::default(), 0);
    let threads = vec![(); args.threads.unwrap_or_else(values::cores)];
    let next = move || collection.batch();
    let work = |(): &mut (), batch| look(&query, batch);
    let done = in_order(
        threads,
        next,
        work,
        || Ok(()),
        &stop,
        |(found, faults): (Tally, Vec<String>)| {
            for fault in faults.iter().take(MAX_NAMED_GAMES.saturating_sub(named)) {
                progress.note(fault);
                named += 1;
            }
            progress.add(found.read);
            tally.extend(found);
            Ok::<_, io::Error>(())
        },
    );
    progress.finish();
    done?;
    ensure!(tally.read > 0, "no game in {}", names(&args.files));
    ensure!(tally.read > tally.damaged, "no game could be read: all {} are damaged", tally.damaged);
    let answer = if args.json {
        serde_json::to_string(&Answer::new(&position, &tally))? + "\n"
    } else {
        table(&position, &tally)
    };
    write!(out, "{answer}")?;
    if stop.load(std::sync::atomic::Ordering::SeqCst) {
        return Ok(interrupted(&format!("the answer is that of the first {} games", tally.read)));
    }
    Ok(ExitCode::SUCCESS)
}

/// The position after moves.
fn played(setup: &Setup, moves: &str) -> anyhow::Result<AnyPosition> {
    let mut position = AnyPosition::from_setup(setup)?;
    for text in moves.split_whitespace() {
        let mv = if position.ply() == 0 { parse_first_move(text, setup) } else { parse_move(text, setup.size) }?;
        position.play(mv).with_context(|| format!("illegal move {mv}"))?;
    }
    Ok(position)
}

/// Looks through games. Also the faults of those that are damaged.
fn look(query: &Query, batch: Vec<(String, GameText)>) -> (Tally, Vec<String>) {
    let (mut tally, mut faults) = (Tally::default(), Vec::new());
    for (place, text) in batch {
        let found = query.look(&read_game(&text, None));
        if let Err(LeftOut::Damaged(fault)) = &found {
            faults.push(format!("{place}: {fault}"));
        }
        tally.add(&found);
    }
    (tally, faults)
}

struct Collection {
    files: VecDeque<(String, PtnGames)>,
    /// Games that were read to learn the size of the board.
    waiting: VecDeque<(String, GameText)>,
}

impl Collection {
    fn new(files: &[PathBuf]) -> anyhow::Result<Self> {
        let open = |file: &PathBuf| Ok::<_, anyhow::Error>((file.display().to_string(), PtnGames::open(file)?));
        Ok(Self { files: files.iter().map(open).collect::<Result<_, _>>()?, waiting: VecDeque::new() })
    }

    /// The size of the first board.
    fn first_size(&mut self) -> anyhow::Result<Size> {
        while let Some((place, text)) = self.next()? {
            let read = read_game(&text, None);
            self.waiting.push_back((place, text));
            if read.fault.is_none() {
                return Ok(read.game.start.size);
            }
        }
        Ok(Size::USUAL)
    }

    /// The next game that has not been read, with the name of its place.
    fn next(&mut self) -> io::Result<Option<(String, GameText)>> {
        while let Some((name, games)) = self.files.front_mut() {
            let cannot = |error: io::Error| io::Error::new(error.kind(), format!("cannot read {name}: {error}"));
            if let Some((number, text)) = games.next().map_err(cannot)? {
                return Ok(Some((format!("{name}: game {}", number + 1), text)));
            }
            if games.count() == 0 {
                stderr::say(&format_args!("warning: no game in {name}"));
            }
            self.files.pop_front();
        }
        Ok(None)
    }

    fn batch(&mut self) -> io::Result<Option<Vec<(String, GameText)>>> {
        let mut batch = Vec::new();
        while batch.len() < BATCH_GAMES {
            let waiting = self.waiting.pop_front();
            match if waiting.is_some() { waiting } else { self.next()? } {
                Some(game) => batch.push(game),
                None => break,
            }
        }
        Ok((!batch.is_empty()).then_some(batch))
    }
}

fn names(files: &[PathBuf]) -> String {
    let names: Vec<_> = files.iter().map(|file| file.display().to_string()).collect();
    names.join(", ")
}

fn table(position: &AnyPosition, tally: &Tally) -> String {
    let size = position.size();
    let mut lines = vec![format!("{size}x{size}, {position}"), sentence(&tally.sums)];
    if !tally.moves.is_empty() {
        lines.push(String::new());
        lines.push(format!("{:<10}{:>9}{:>8}{:>8}{:>8}{:>8}", "move", "games", "White", "draw", "Black", "rating"));
    }
    for (mv, row) in tally.ranked() {
        let rating = row.rating().map_or("-".to_owned(), |rating| format!("{rating:.0}"));
        let [white, draws, black] = percents(&row.sums);
        let (mv, games) = (mv.to_string(), row.sums.games());
        lines.push(format!("{mv:<10}{games:>9}{white:>8}{draws:>8}{black:>8}{rating:>8}"));
    }
    if tally.ended > 0 {
        lines.push(format!("\n{} ended here", counted(tally.ended, "game", "games")));
    }
    lines.extend(left_out(tally).map(|text| format!("\n{text}")));
    lines.join("\n") + "\n"
}
