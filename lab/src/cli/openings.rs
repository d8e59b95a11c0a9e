//! `tak-lab openings`: the table of openings that the explorer shows.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use anyhow::{Context, anyhow, ensure};
use tak_engine::analysis::{OpeningRow, Openings, OpeningsHead};
use tak_engine::board::{AnyPosition, Game, Komi, Move, OpeningRule, Size};
use tak_engine::cli::interrupt::{interrupted, stop_on_signal};
use tak_engine::cli::progress::Progress;
use tak_engine::cli::values;
use tak_engine::engine::{Engine, Limits, SearchRequest, Settings};
use tak_engine::openings::random::first_moves;
use tak_engine::search::Report;

/// Searches every opening of two plies, up to symmetry, and adds the results to a table.
///
/// Komi is 0 and 2, and the rules are swap and double-black. Openings with the first stone in a corner come first, and swap
/// comes before double-black. A run that was interrupted continues when started again with the same arguments; a table of
/// another version or with other nodes is refused.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-lab openings --out web/openings.tsv")]
pub struct Args {
    /// Board sizes
    #[arg(long = "size", value_name = "SIZE", value_delimiter = ',', default_value = "4,5,6")]
    sizes: Vec<Size>,
    /// Nodes to search for each opening
    #[arg(long, default_value_t = 10_000_000, value_parser = values::nodes())]
    nodes: u64,
    /// File to add the rows to
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

const HALF_KOMI: [i64; 2] = [0, 4];
const RULES: [OpeningRule; 2] = [OpeningRule::Swap, OpeningRule::DoubleBlack];
/// The size of the table of the search, in MiB.
const HASH_MIB: usize = 256;
/// The most moves of a line that are kept.
const MAX_LINE: usize = 8;

/// An opening that is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Wanted {
    size: Size,
    komi: Komi,
    rule: OpeningRule,
    moves: [Move; 2],
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let place = || args.out.display().to_string();
    let head = OpeningsHead::new(args.nodes);
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(&args.out).with_context(place)?;
    let mut text = String::new();
    file.read_to_string(&mut text).with_context(place)?;
    let mut done = HashSet::new();
    let begin = format!("{head}\n");
    // The run before may have been killed while it wrote the head or a row.
    if begin.starts_with(&text) {
        file.write_all(&begin.as_bytes()[text.len()..]).with_context(place)?;
    } else {
        text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
        let table: Openings = text.parse().map_err(|fault: String| anyhow!(fault)).with_context(place)?;
        ensure!(table.head == head, "{} is of another version or number of nodes", place());
        file.set_len(text.len() as u64).with_context(place)?;
        let openings = table.rows.iter();
        done.extend(openings.map(|&OpeningRow { size, komi, rule, moves, .. }| Wanted { size, komi, rule, moves }));
    }
    let all = wanted(&args.sizes);
    let missing: Vec<_> = all.iter().filter(|opening| !done.contains(opening)).collect();
    let stop = stop_on_signal();
    let progress = Progress::resumed("openings", Some(all.len() as u64), (all.len() - missing.len()) as u64);
    let settings = Settings { hash_mib: HASH_MIB, threads: 1, ..Settings::default() };
    let mut engine = Engine::new(settings).stopped_by(Arc::clone(&stop));
    for &&opening in &missing {
        let row = search(&mut engine, opening, args.nodes)?;
        if stop.load(SeqCst) {
            progress.finish();
            return Ok(interrupted("the same command searches the missing openings"));
        }
        // One call for the whole row, so that other programs see whole rows.
        file.write_all(format!("{row}\n").as_bytes()).with_context(place)?;
        progress.add(1);
    }
    progress.finish();
    writeln!(out, "{} openings in {}", all.len(), place())?;
    Ok(ExitCode::SUCCESS)
}

/// All openings, in the order in which they are searched.
fn wanted(sizes: &[Size]) -> Vec<Wanted> {
    let mut all = Vec::new();
    for rule in RULES {
        for &size in sizes {
            for komi in HALF_KOMI.map(|half| Komi::from_half(half).unwrap_or_default()) {
                let openings = first_moves(size, komi, rule).into_iter();
                all.extend(openings.map(|opening| Wanted {
                    size,
                    komi,
                    rule,
                    moves: [opening.moves[0], opening.moves[1]],
                }));
            }
        }
    }
    let is_outer = |place: usize, size: Size| place == 0 || place == size.width() - 1;
    let is_corner = |Wanted { size, moves: [first, _], .. }: &Wanted| {
        is_outer(first.square().column(), *size) && is_outer(first.square().row(), *size)
    };
    all.sort_by_key(|opening| !is_corner(opening));
    all
}

/// Searches an opening with an empty table, so that the row depends on nothing else.
fn search(engine: &mut Engine, opening: Wanted, nodes: u64) -> anyhow::Result<OpeningRow> {
    let Wanted { size, komi, rule, moves } = opening;
    let mut game = Game::new(AnyPosition::start_with(size, komi, rule));
    for mv in moves {
        game.play(mv)?;
    }
    engine.clear();
    let mut completed = Report::default();
    let request = SearchRequest::new(game, Limits::nodes(nodes));
    let report = engine.run_with(&request, None, |report| completed = report.clone())?;
    // The limit of nodes may leave only a bound of the score.
    let exact =
        [report, completed].into_iter().find(|report| report.lines.first().is_some_and(|line| line.bound.is_none()));
    let report = exact.context("no iteration was completed: expected more nodes")?;
    let found = &report.lines[0];
    let line = found.pv.iter().copied().take(MAX_LINE).collect();
    Ok(OpeningRow { size, komi, rule, moves, score: found.score, depth: report.depth, line })
}
