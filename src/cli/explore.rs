//! `tak-engine explore`: what was played from a position, with which results, in collections of games.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::{Context, anyhow};

use super::errors::{error_line, usage};
use super::game_file::{GameFiles, Games, Held, Terms, say_fault};
use super::interrupt::{interrupted, stop_on_signal};
use super::progress::Progress;
use super::values;
use crate::analysis::explore::{
    Answer, Known, KnownMove, LeftOut, OPENINGS, Openings, Query, Tally, left_out, percents, sentence,
};
use crate::board::{AnyPosition, Komi, OpeningRule, Setup, Size};
use crate::notation::{GameText, counted, parse_first_move, parse_move};
use crate::ordered::in_order;

/// Counts what was played from a position in collections of games, and with which results.
///
/// For each move: the number of games, the results in percent, and the mean rating of the players who made it, if
/// games have the tags Rating1 and Rating2. Rotated and reflected positions count as one, and so do moves that
/// are equivalent in a symmetric position. A game counts once, the first time that it has the position. Its result is
/// that of the rules, or else the one that it states. Games on other boards, with other openings or reserves, and damaged ones
/// do not count, which is reported.
///
/// Without games it prints the table of openings that comes with the program: for the first two plies, on 4x4 to 6x6 with
/// komi 0 and 2, the result of a long search.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
        tak-engine explore games.ptn\n  \
        tak-engine explore --size 6 --komi 2 --moves a1\n  \
        tak-engine explore games.ptn more.ptn --size 6 --moves \"a1 f6 d4\"\n  \
        tak-engine explore games.ptn --tps \"x4,1/x5/x5/x5/2,x4 1 2\" --json")]
pub struct Args {
    #[command(flatten)]
    files: GameFiles,
    /// The position as TPS [default: the start]
    #[arg(long, value_parser = values::tps, conflicts_with = "size")]
    tps: Option<Setup>,
    /// The size of the board, also of games that state none [default: that of the first game]
    #[arg(long)]
    size: Option<Size>,
    /// Moves to play from the position before, such as "a1 f6 d4"
    #[arg(long, value_name = "MOVES", default_value = "")]
    moves: String,
    /// First turns
    #[arg(long, value_name = "RULE", default_value = "swap")]
    opening: OpeningRule,
    /// Only games with this komi [default: any]; of the table of openings that with this komi [default: 0]
    #[arg(long, value_parser = values::komi)]
    komi: Option<Komi>,
    /// Print one JSON object, see docs/command-line.md
    #[arg(long)]
    json: bool,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
}

/// Games that a thread takes at once.
const BATCH_GAMES: usize = 64;
const MAX_NAMED_GAMES: usize = 5;

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if args.files.are_missing() {
        return show_openings(args, out);
    }
    let terms = Terms { size: args.size, komi: None };
    let mut collection = Collection { games: args.files.open()?, terms, waiting: VecDeque::new() };
    let places = collection.games.places();
    let progress = Progress::new("games", None);
    collection.games.count_for(&progress, |_, _| 1);
    let size = match args.size {
        None if args.tps.is_none() => collection.first_size()?,
        size => size.unwrap_or(Size::USUAL),
    };
    let position = args.position(size, Komi::ZERO)?;
    let query = Query::new(&position, args.komi)?;

    let stop = stop_on_signal();
    let (mut tally, mut named, mut held) = (Tally::default(), 0, Held::new());
    let threads = vec![(); args.threads.unwrap_or_else(values::cores)];
    let next = move || collection.batch();
    let work = |(): &mut (), batch| look(&query, terms, batch);
    let done = in_order(
        threads,
        next,
        work,
        || Ok(()),
        &stop,
        |(found, faults): (Tally, Vec<(u64, String)>)| {
            let has_readable = found.read > found.damaged;
            let faults = faults.into_iter().map(|(number, fault)| (number, Some(fault)));
            for (number, fault) in faults.chain(has_readable.then_some((0, None))) {
                for (number, fault) in held.push(number, fault.clone().as_deref(), fault) {
                    if let Some(fault) = fault.filter(|_| named < MAX_NAMED_GAMES) {
                        say_fault(&progress, &places.place(number), &fault);
                        named += 1;
                    }
                }
            }
            progress.add(found.read);
            tally.extend(found);
            Ok::<_, io::Error>(())
        },
    );
    progress.finish();
    done?;
    held.end(&places)?;
    let answer = if args.json {
        serde_json::to_string(&Answer::new(&position, &tally))? + "\n"
    } else {
        table(&position, &tally)
    };
    write!(out, "{answer}")?;
    out.flush()?;
    if stop.load(std::sync::atomic::Ordering::SeqCst) {
        return Ok(interrupted(&format!("the answer is that of the first {} games", tally.read)));
    }
    Ok(ExitCode::SUCCESS)
}

impl Args {
    /// The position that is looked for, on a board of this size without a TPS.
    fn position(&self, size: Size, komi: Komi) -> anyhow::Result<AnyPosition> {
        let setup = self.tps.clone().unwrap_or_else(|| Setup::empty(size, komi));
        let setup = Setup { opening: setup.opening_or(self.opening), komi, ..setup };
        played(&setup, &self.moves).map_err(|error| usage(error_line(&error)))
    }
}

/// The answer without games: what the table of openings has of the position.
fn show_openings(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let table: Openings = OPENINGS.parse().map_err(|fault: String| anyhow!(fault)).context("table of openings")?;
    let position = args.position(args.size.unwrap_or(Size::USUAL), args.komi.unwrap_or_default())?;
    let known = Known::of(&position, &table);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&known)?)?;
    } else {
        let size = position.size();
        writeln!(out, "{size}x{size}, komi {}, {position}\n{}", position.komi(), known.sentence(&table))?;
        if !known.moves.is_empty() {
            writeln!(out, "\n{:<8}{:>6}{:>8}{:>7}  {:<28}best line", "move", "White", "score", "depth", "opening")?;
        }
        for KnownMove { mv, name, chance, score, depth, line } in &known.moves {
            let (chance, line) = (format!("{chance} %"), line.join(" "));
            writeln!(out, "{mv:<8}{chance:>6}{score:>8}{depth:>7}  {name:<28}{line}")?;
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn played(setup: &Setup, moves: &str) -> anyhow::Result<AnyPosition> {
    let mut position = AnyPosition::from_setup(setup)?;
    for text in moves.split_whitespace() {
        let mv = if position.ply() == 0 { parse_first_move(text, setup) } else { parse_move(text, setup.size) };
        let mv = mv.context("--moves")?;
        position.play(mv).with_context(|| format!("--moves: illegal move {mv}"))?;
    }
    Ok(position)
}

/// Looks through games. Also the faults of those that are damaged.
fn look(query: &Query, terms: Terms, batch: Vec<(u64, GameText)>) -> (Tally, Vec<(u64, String)>) {
    let (mut tally, mut faults) = (Tally::default(), Vec::new());
    for (number, text) in batch {
        let found = query.look(&terms.read(&text));
        if let Err(LeftOut::Damaged(fault)) = &found {
            faults.push((number, fault.clone()));
        }
        tally.add(&found);
    }
    (tally, faults)
}

struct Collection {
    games: Games,
    terms: Terms,
    /// Games that were read to learn the size of the board.
    waiting: VecDeque<(u64, GameText)>,
}

impl Collection {
    fn first_size(&mut self) -> anyhow::Result<Size> {
        while let Some((number, text)) = self.games.next()? {
            let read = self.terms.read(&text);
            self.waiting.push_back((number, text));
            if read.fault.is_none() {
                return Ok(read.game.start.size);
            }
        }
        Ok(Size::USUAL)
    }

    fn batch(&mut self) -> io::Result<Option<Vec<(u64, GameText)>>> {
        let mut batch = Vec::new();
        while batch.len() < BATCH_GAMES {
            let waiting = self.waiting.pop_front();
            match if waiting.is_some() { waiting } else { self.games.next()? } {
                Some(game) => batch.push(game),
                None => break,
            }
        }
        Ok((!batch.is_empty()).then_some(batch))
    }
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
