//! `tak-engine tournament`: engines play each other, and what that says of their strength.

mod args;

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use self::args::{PlayArgs, Tournament};
use crate::arena::journal::{Contents, Journal};
use crate::arena::merge::merge;
use crate::arena::player::Contender;
use crate::arena::process::Cancel;
use crate::arena::progress::{ProgressLine, summary};
use crate::arena::ptn::ptn_game;
use crate::arena::record::GameRecord;
use crate::arena::report;
use crate::arena::runner::{Match, check, check_open_files, in_turn, warn_of_shared_cores};
use crate::arena::schedule::{Pairing, Shard};
use crate::arena::settings::TournamentSettings;
use crate::arena::sprt::Decision;
use crate::arena::standings::standings;
use crate::arena::stats::Statistics;
use crate::cli::interrupt::{INTERRUPTED, cancel_on_signal, end_of_run};
use crate::cli::ptn_file::PtnFile;
use crate::cli::values::{check_outputs, check_writable};
use crate::cli::{FAILURE, Usage, stderr};
use crate::journal::missing;

/// Lets TEI engines play each other.
///
/// Every opening is played with both colours. An engine that crashes, hangs or breaks the rules loses the game, and the
/// tournament goes on. Ctrl-C ends it with the standings so far; --resume continues it, also with a larger --games.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
        tak-engine tournament --engine path=tak-engine --engine path=tak-engine name=small option.Hash=1 \\\n      \
        --all-engines tc=5+0.05 --size 6 --komi 2 --games 100 --ptn games.ptn\n  \
        tak-engine tournament --config match.toml --journal match.jsonl --resume\n  \
        tak-engine tournament merge shard1.jsonl shard2.jsonl --report match.html"
)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Merge(MergeArgs),
}

/// Adds up the journals of one tournament and prints the standings.
///
/// If games are missing, their numbers are listed and the exit code is 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-engine tournament merge shard*.jsonl --report match.html")]
struct MergeArgs {
    /// Journals, such as those of the shards
    #[arg(required = true, value_name = "FILE.jsonl")]
    journals: Vec<PathBuf>,
    /// Write a report as one HTML page
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Write the games as PTN
    #[arg(long, value_name = "FILE.ptn")]
    ptn: Option<PathBuf>,
    /// Overwrite files that already exist
    #[arg(long)]
    force: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When an engine cannot play, or a file cannot be used.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(Action::Merge(args)) = &args.action {
        return run_merge(args, out);
    }
    let planned = args.play.clone().with_file().and_then(|flags| {
        let plan = flags.plan()?;
        flags.check_outputs(&plan.engines)?;
        let mut pairings = plan.schedule.pairings()?;
        pairings.retain(|pairing| plan.shard.contains(pairing));
        Ok((flags, plan, pairings))
    });
    let (flags, plan, pairings) = planned.map_err(Usage)?;
    run_tournament(&flags, &plan, &pairings, out)
}

fn run_merge(args: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let journals: Vec<&Path> = args.journals.iter().map(PathBuf::as_path).collect();
    check_outputs(&journals, &[args.ptn.as_deref(), args.report.as_deref()])?;
    if let Some(path) = &args.report {
        check_writable(path, args.force)?;
    }
    let merged = merge(&args.journals)?;
    for path in &merged.torn {
        log::warn!("{}: left out an incomplete last line", path.display());
    }
    if merged.duplicates > 0 {
        log::warn!("left out {} games that were there twice", merged.duplicates);
    }
    if let Some(path) = &args.ptn {
        let mut file = PtnFile::create(path, args.force)?;
        merged.games.iter().try_for_each(|game| file.append(&ptn_game(&merged.settings, game)?))?;
    }
    let statistics = Statistics::of(merged.settings.engines.len(), &merged.games);
    let report = args.report.as_deref();
    conclude(&merged.settings, &statistics, &merged.games, report, out)?;
    // A sequential test may be decided before its last game.
    let total = merged.settings.schedule().pairings()?.len() as u64;
    match missing(total, merged.games.iter().map(|game| game.game)) {
        Some(missing) if !is_decided(&merged.settings, &statistics) => {
            stderr::say(&format_args!("error: {missing}"));
            Ok(ExitCode::from(FAILURE))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn run_tournament(
    flags: &PlayArgs,
    plan: &Tournament,
    pairings: &[Pairing],
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if let Some(path) = &flags.report {
        check_writable(path, flags.force || flags.resume)?;
    }
    let settings = plan.settings();
    let mut ledger = Ledger {
        statistics: Statistics::new(settings.engines.len()),
        settings,
        games: Vec::new(),
        journal: None,
        ptn: None,
        may_decide: plan.shard == Shard::WHOLE,
    };
    if let Some(path) = flags.journal.as_deref().filter(|_| flags.resume) {
        let (journal, held) = Journal::resume(path, &ledger.settings)?;
        ledger.take_up(journal, held, path);
    }
    let played: HashSet<u64> = ledger.games.iter().map(|game| game.game).collect();
    let left: Vec<Pairing> = pairings.iter().filter(|pairing| !played.contains(&pairing.game)).copied().collect();

    let played = if left.is_empty() || ledger.is_decided() {
        ledger.open_files(flags)?;
        Ok(RunEnd::Complete)
    } else {
        check_open_files(plan.engines.len(), plan.concurrency.min(left.len()))?;
        let cancel = cancel_on_signal()?;
        let contenders: Vec<Contender> = plan
            .engines
            .iter()
            .map(|engine| Contender::new(engine.clone(), plan.size, plan.komi, plan.opening))
            .collect();
        check(&contenders, &cancel)?;
        warn_of_shared_cores(&contenders, plan.concurrency.min(left.len()));
        if cancel.is_cancelled() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let fingerprint = ledger.settings.fingerprint();
        let games = Match::new(&contenders, &plan.openings, &plan.rules, fingerprint)?;
        ledger.open_files(flags)?;
        play_games(&games, &left, plan.concurrency, &cancel, &mut ledger)
    };
    let told = conclude(&ledger.settings, &ledger.statistics, &ledger.games, flags.report.as_deref(), out);
    let interrupted = matches!(played, Ok(RunEnd::Interrupted));
    end_of_run(played.map(drop), interrupted, told)
}

/// How a run came to its end.
enum RunEnd {
    /// All games are played, or the test is decided.
    Complete,
    /// Ctrl-C or a request to terminate.
    Interrupted,
}

/// Plays what is left and enters every game into the ledger.
fn play_games(
    games: &Match,
    left: &[Pairing],
    concurrency: usize,
    cancel: &Cancel,
    ledger: &mut Ledger,
) -> anyhow::Result<RunEnd> {
    let held = ledger.games.len();
    let progress = ProgressLine::new("games", (held + left.len()) as u64, held as u64);
    let mut end = None;
    let at_once = concurrency.min(left.len());
    let run = games.run(&in_turn(left), at_once, cancel, |game| {
        note_fault(&progress, &ledger.settings, &game);
        if let Err(error) = ledger.enter(game) {
            end = Some(Err(error));
            return ControlFlow::Break(());
        }
        progress.show(ledger.statistics.games(), || summary(&ledger.settings, &ledger.statistics));
        if ledger.is_decided() {
            end = Some(Ok(RunEnd::Complete));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    progress.finish();
    run?;
    end.unwrap_or(Ok(if cancel.is_cancelled() { RunEnd::Interrupted } else { RunEnd::Complete }))
}

/// Tells at once of a game that an engine lost by its own fault.
fn note_fault(progress: &ProgressLine, settings: &TournamentSettings, game: &GameRecord) {
    if let Some(engine) = game.at_fault() {
        let detail = game.detail.as_deref().unwrap_or("no details");
        progress.note(&format!(
            "game {}: {} lost by {}: {detail}",
            game.game + 1,
            settings.name(engine),
            game.termination
        ));
    }
}

/// Prints the standings and writes the report.
fn conclude(
    settings: &TournamentSettings,
    statistics: &Statistics,
    games: &[GameRecord],
    report: Option<&Path>,
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let told = write!(out, "{}", standings(settings, statistics)).and_then(|()| out.flush());
    // The report is written even if stdout cannot be.
    if let Some(path) = report {
        report::write(path, settings, games).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(told?)
}

/// All that is kept of the finished games, on disk and here.
struct Ledger {
    settings: TournamentSettings,
    statistics: Statistics,
    games: Vec<GameRecord>,
    journal: Option<Journal>,
    ptn: Option<PtnFile<'static>>,
    /// Whether these are all games: a shard must not end the test, which is on all of them.
    may_decide: bool,
}

impl Ledger {
    /// Continues a journal.
    fn take_up(&mut self, journal: Journal, held: Contents, path: &Path) {
        if held.torn_bytes > 0 {
            log::warn!("{}: dropped an incomplete last line of {} bytes", path.display(), held.torn_bytes);
        }
        if held.duplicates > 0 {
            let count = held.duplicates;
            log::warn!("{}: {count} games are there twice, one counts", path.display());
        }
        self.statistics = Statistics::of(self.settings.engines.len(), &held.games);
        self.games = held.games;
        self.journal = Some(journal);
    }

    /// Opens the files that finished games go to. A PTN file is written anew when a journal with games is continued, so that
    /// both hold the same ones; otherwise there must be nothing in it yet. A game is in the journal first, so what else is
    /// in the file is somebody's.
    fn open_files(&mut self, flags: &PlayArgs) -> anyhow::Result<()> {
        if let Some(path) = flags.journal.as_deref().filter(|_| self.journal.is_none()) {
            self.journal = Some(Journal::create(path, &self.settings)?);
        }
        if let Some(path) = &flags.ptn {
            let mut file = PtnFile::create(path, flags.force || !self.games.is_empty())?;
            let mut games = self.games.iter();
            games.try_for_each(|game| file.append(&ptn_game(&self.settings, game)?))?;
            self.ptn = Some(file);
        }
        Ok(())
    }

    /// Keeps a game; first of all in the journal.
    fn enter(&mut self, game: GameRecord) -> anyhow::Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.append(&game)?;
        }
        // It is in the journal and so counts, even if the PTN file cannot be written.
        self.statistics.add(&game);
        let written = match &mut self.ptn {
            Some(ptn) => ptn_game(&self.settings, &game).map_err(Into::into).and_then(|game| ptn.append(&game)),
            None => Ok(()),
        };
        self.games.push(game);
        written
    }

    /// Whether a sequential test has come to its end.
    fn is_decided(&self) -> bool {
        self.may_decide && is_decided(&self.settings, &self.statistics)
    }
}

/// Whether the tournament is a sequential test that has come to its end.
fn is_decided(settings: &TournamentSettings, statistics: &Statistics) -> bool {
    settings.sprt.is_some_and(|test| {
        let llr = test.log_likelihood_ratio(statistics.meeting(0, 1).pairs);
        test.decision(llr) != Decision::Continue
    })
}
