//! Suites of forced wins, on which `bench --forced` measures the solver. `tak-lab forced make` makes them.
//!
//! A suite has one position a line: TPS, komi in flats, and the plies of the shortest forced win of the player to move,
//! wins by zugzwang left aside. Blank lines, lines that begin with `#`, and comments after `;` are skipped.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::interrupt::{interrupted, stop_on_signal};
use super::progress::Progress;
use crate::board::{AnyPosition, Game, Setup};
use crate::engine::{Engine, Limits, SearchRequest, Settings, Task};
use crate::files::text::read_text;
use crate::lines::lines_of;
use crate::openings::book::entry;
use crate::search::Solved;

struct Forced {
    /// Komi included.
    setup: Setup,
    /// The length of the shortest win.
    plies: u32,
}

impl fmt::Display for Forced {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setup, plies } = self;
        write!(f, "{} {} {plies}", setup, setup.komi)
    }
}

impl FromStr for Forced {
    type Err = anyhow::Error;

    fn from_str(line: &str) -> anyhow::Result<Self> {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let [board, player, number, komi, plies] = words[..] else {
            bail!("expected a TPS, a komi and a number of plies: five words, found {}", words.len());
        };
        let setup: Setup = format!("{board} {player} {number}").parse()?;
        let setup = Setup { komi: komi.parse()?, ..setup };
        let plies = plies.parse().with_context(|| format!("invalid number of plies {plies:?}"))?;
        Ok(Self { setup, plies })
    }
}

/// A row of the table: how the positions of one length were solved.
#[derive(Default)]
struct Row {
    positions: usize,
    solved: usize,
    shortest: usize,
    times: Vec<Duration>,
}

/// Solves every position of a suite on one thread and counts, by the lengths of the wins.
///
/// # Errors
/// The suite cannot be read, or the solver claims something other than a win.
pub fn check(file: &Path, settings: Settings, limits: Limits, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let mut engine = Engine::new(settings);
    engine.prepare()?;
    let mut rows: BTreeMap<u32, Row> = BTreeMap::new();
    let suite = read_suite(file)?;
    let stop = stop_on_signal();
    let progress = Progress::new("positions", Some(suite.len() as u64));
    let mut checked = 0;
    for forced in &suite {
        let game = Game::new(AnyPosition::from_setup(&forced.setup)?);
        engine.clear();
        let start = Instant::now();
        let request = SearchRequest { task: Task::Solve, ..SearchRequest::new(game, limits) };
        let report = engine.run_with(&request, Some(&stop), |_| {})?;
        if stop.load(SeqCst) {
            break;
        }
        checked += 1;
        progress.add(1);
        let row = rows.entry(forced.plies).or_default();
        row.positions += 1;
        match report.lines.first().and_then(|line| line.solved) {
            Some(Solved::Win(plies)) => {
                row.solved += 1;
                row.shortest += usize::from(plies == forced.plies);
                row.times.push(start.elapsed());
            }
            Some(claim) => bail!("{forced} is a win, not {claim:?}"),
            None => progress.note(&format_args!("not solved: {forced}")),
        }
    }
    progress.finish();
    let mut all = Row::default();
    writeln!(out, "plies  positions  solved  share    shortest  median time")?;
    for (plies, row) in rows {
        write_row(out, &plies.to_string(), &row)?;
        all.positions += row.positions;
        all.solved += row.solved;
        all.shortest += row.shortest;
        all.times.extend(row.times);
    }
    write_row(out, "all", &all)?;
    if checked < suite.len() {
        out.flush()?;
        return Ok(interrupted(&format!("{checked} of {} positions checked", suite.len())));
    }
    Ok(ExitCode::SUCCESS)
}

fn write_row(out: &mut dyn Write, name: &str, row: &Row) -> std::io::Result<()> {
    let mut times = row.times.clone();
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    writeln!(
        out,
        "{name:<5}  {:>9}  {:>6}  {:>5.1} %  {:>8}  {:>8.1} ms",
        row.positions,
        row.solved,
        100.0 * row.solved as f64 / row.positions.max(1) as f64,
        row.shortest,
        median.as_secs_f64() * 1000.0
    )
}

fn read_suite(path: &Path) -> anyhow::Result<Vec<Forced>> {
    let text = File::open(path).and_then(read_text).with_context(|| format!("cannot read {}", path.display()))?;
    let lines = (1..).zip(lines_of(&text)).filter_map(|(number, line)| entry(line).map(|line| (number, line)));
    let suite = lines.map(|(number, line)| line.parse().with_context(|| format!("{}, line {number}", path.display())));
    let suite = suite.collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!suite.is_empty(), "no position in {}", path.display());
    Ok(suite)
}
