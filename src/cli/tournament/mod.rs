//! `tak-engine tournament`: games between engines, and their strength estimated from them.

mod args;
#[cfg_attr(not(feature = "serve"), path = "no_watch.rs")]
mod watch;

use std::collections::HashSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use self::args::{PlayArgs, Settings, Tournament};
use self::watch::{WatchArgs, Watched};
use crate::arena::play::player::EngineEntry;
use crate::arena::play::process::Cancel;
use crate::arena::play::resources::GameNeeds;
use crate::arena::play::runner::{Match, Task, check, check_open_files, in_turn};
use crate::arena::record::{GameRecord, Pairing};
use crate::arena::report::page;
use crate::arena::stats::sprt::Decision;
use crate::arena::tournament::folder::is_named_as_journal;
use crate::arena::tournament::journal::{self, Contents, Journal};
use crate::arena::tournament::merge::{merge, missing};
use crate::arena::tournament::ptn::ptn_game;
use crate::arena::tournament::sequential::Pool;
use crate::arena::tournament::settings::TournamentSettings;
use crate::arena::tournament::standings::{headline, standings, summary};
use crate::arena::tournament::statistics::Statistics;
use crate::arena::tournament::verdict::{TestState, Verdict};
use crate::cli::errors::usage;
use crate::cli::interrupt::{cancel_on_signal, end_of_run, interrupted};
use crate::cli::progress::Progress;
use crate::cli::result_file::ResultFile;
use crate::cli::values::{check_outputs, check_writable, cores, is_stdout, write_output};
use crate::cli::{FAILURE, stderr};
use crate::shard::Shard;

/// Lets TEI engines play each other.
///
/// Every opening is played with both colours. An engine that crashes, hangs or breaks the rules loses the game, and the
/// tournament continues. Ctrl-C ends it with the standings so far; --resume continues it, also with a larger --games.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  \
        tak-engine tournament --engine path=tak-engine --engine path=tak-engine name=small option.Hash=1 \\\n      \
        --all-engines tc=5+0.05 --size 6 --komi 2 --games 100 --ptn games.ptn\n  \
        tak-engine tournament --config match.toml --journal match.jsonl --resume\n  \
        tak-engine tournament merge shard1.jsonl shard2.jsonl --report match.html\n  \
        tak-engine tournament merge --follow games"
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
#[command(after_help = "Examples:\n  tak-engine tournament merge shard*.jsonl --report match.html\n  \
    tak-engine tournament merge --follow games")]
struct MergeArgs {
    /// Journals, for example those of the shards
    #[cfg_attr(feature = "serve", arg(required_unless_present = "follow", value_name = "FILE.jsonl"))]
    #[cfg_attr(not(feature = "serve"), arg(required = true, value_name = "FILE.jsonl"))]
    journals: Vec<PathBuf>,
    /// Show the tournament whose journals are in this folder on a page, while it is played [port: 7732]
    #[cfg(feature = "serve")]
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["journals", "report", "ptn"])]
    follow: Option<PathBuf>,
    #[command(flatten)]
    watch: WatchArgs,
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

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if let Some(Action::Merge(args)) = &args.action {
        return run_merge(args, out);
    }
    let settings = args.play.settings()?;
    let plan = settings.plan()?;
    settings.check_outputs(&plan.engines)?;
    let mut pairings = plan.schedule.pairings().map_err(usage)?;
    pairings.retain(|pairing| pairing.is_in(plan.shard));
    run_tournament(&settings, &plan, &pairings, out)
}

fn run_merge(args: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    #[cfg(feature = "serve")]
    if let Some(folder) = &args.follow {
        watch::follow(folder, &args.watch, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let journals: Vec<&Path> = args.journals.iter().map(PathBuf::as_path).collect();
    let outputs = [&args.ptn, &args.report].map(Option::as_deref);
    check_outputs(&journals, &outputs)?;
    if let Some(path) = &args.report {
        check_writable(path, args.force)?;
    }
    let merged = merge(&args.journals)?;
    stderr::warn_of_merged(&merged);
    let settings = merged.settings;
    let games: Vec<GameRecord> = merged.games.into_values().collect();
    if let Some(path) = &args.ptn {
        let mut file = ResultFile::create(path, args.force)?;
        games.iter().try_for_each(|game| append_ptn(&mut file, &settings, game))?;
    }
    let mut statistics = Statistics::of(settings.engines.len(), &games);
    if let Some(verdict) = merged.verdict {
        statistics.test = Some(TestState { decided: Some(verdict.pairs), ..statistics.test_state() });
    }
    conclude(&settings, &statistics, &games, outputs, out)?;
    // A sequential test may be decided before its last game.
    let is_decided = settings.sprt.is_some_and(|test| statistics.test_state().decision(&test) != Decision::Continue);
    let total = settings.schedule().pairings()?.len() as u64;
    match missing(total, games.iter().map(|game| game.pairing.game)) {
        Some(missing) if !is_decided => {
            stderr::say(&format_args!("error: {missing}"));
            Ok(ExitCode::from(FAILURE))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn run_tournament(
    flags: &Settings,
    plan: &Tournament,
    pairings: &[Pairing],
    out: &mut dyn Write,
) -> anyhow::Result<ExitCode> {
    if let Some(path) = &flags.report {
        check_writable(path, flags.force || flags.resume)?;
    }
    let settings = plan.settings();
    let is_share = plan.shard != Shard::WHOLE;
    // A share of the games does not decide a test by itself.
    let pool = match &flags.journal {
        None if is_share => None,
        journal => Pool::new(&settings, plan.shard, journal.as_deref().filter(|_| is_share))?,
    };
    if is_share && settings.sprt.is_some() {
        match &flags.journal {
            None => log::warn!(
                "without --journal the test is not stopped early, since this share does not know the other games"
            ),
            Some(path) if !is_named_as_journal(path) => {
                log::warn!("the other shares do not see {}: its name does not end in .jsonl", path.display());
            }
            Some(_) => {}
        }
    }
    let mut results = ResultStore {
        statistics: Statistics::new(settings.engines.len()),
        settings,
        games: Vec::new(),
        journal: None,
        ptn: None,
        pool,
        verdict: None,
        watched: None,
    };
    if let Some(path) = flags.journal.as_deref().filter(|_| flags.resume) {
        let (journal, held) = journal::resume(path, &results.settings)?;
        results.resume(journal, held, path);
    }
    results.look();
    let played: HashSet<u64> = results.games.iter().map(|game| game.pairing.game).collect();
    let left = pairings.iter().filter(|pairing| !played.contains(&pairing.game));
    let left: Vec<Task> = left.map(|&pairing| pairing.into()).collect();

    let played = if left.is_empty() || results.is_decided() {
        results.open_files(flags)?;
        results.write_verdict()?;
        Ok(RunEnd::Complete)
    } else {
        let cancel = cancel_on_signal()?;
        let entries: Vec<EngineEntry> = plan
            .engines
            .iter()
            .map(|engine| EngineEntry::new(engine.clone(), plan.size, plan.komi, plan.opening))
            .collect();
        check_open_files(plan.engines.len(), plan.threads.unwrap_or(1).min(left.len()))?;
        // They get their tables as soon as they are started.
        GameNeeds::by_settings(&entries).games_at_once(Some(1), 1, plan.memory_mib)?;
        let identities = check(&entries, &cancel)?;
        if cancel.is_cancelled() {
            return Ok(interrupted("no game has been played"));
        }
        let needs = GameNeeds::of(&entries, &identities);
        let wanted = plan.threads.unwrap_or_else(cores);
        let at_once = needs.games_at_once(plan.threads, cores(), plan.memory_mib)?.min(left.len());
        let told = (at_once < wanted.min(left.len()) || needs.is_assumed()).then(|| {
            let memory = plan.memory_mib.map_or_else(String::new, |mib| format!(", of {mib} MiB"));
            format!("{at_once} at once: {needs}{memory}")
        });
        check_open_files(plan.engines.len(), at_once)?;
        let fingerprint = results.settings.fingerprint();
        let games = Match::new(&entries, &plan.openings, &plan.rules, fingerprint)?;
        results.open_files(flags)?;
        results.show(Watched::start(&flags.watch, &results.settings, Arc::clone(&games.live))?);
        let headline = [Some(headline(&results.settings, &results.statistics)), told].into_iter().flatten();
        let headline = headline.collect::<Vec<_>>().join("; ");
        play_games(&games, &left, at_once, &cancel, &headline, &mut results)
    };
    let is_interrupted = matches!(played, Ok(RunEnd::Interrupted));
    let written = if is_interrupted && results.games.is_empty() {
        Ok(())
    } else {
        let outputs = [&flags.ptn, &flags.report].map(Option::as_deref);
        conclude(&results.settings, &results.statistics, &results.games, outputs, out)
    };
    let code = end_of_run(played.map(drop), is_interrupted, written)?;
    if is_interrupted {
        let next = match &flags.journal {
            Some(journal) => format!("the same command with --resume continues with {}", journal.display()),
            None => "a run with --journal FILE.jsonl can be continued".to_owned(),
        };
        let (games, planned) = (results.games.len(), pairings.len());
        return Ok(interrupted(&format!("{games} of {planned} games are played; {next}")));
    }
    Ok(code)
}

enum RunEnd {
    /// All games are played, or the test is decided.
    Complete,
    /// Ctrl-C or a request to terminate.
    Interrupted,
}

/// Plays the remaining games and enters each into the results.
fn play_games(
    games: &Match,
    left: &[Task],
    at_once: usize,
    cancel: &Cancel,
    headline: &str,
    results: &mut ResultStore,
) -> anyhow::Result<RunEnd> {
    let held = results.games.len();
    let progress = Progress::resumed("games", Some((held + left.len()) as u64), held as u64);
    progress.note(&headline);
    progress.begin("the first games are being played");
    let mut end = None;
    let run = games.run(&in_turn(left), at_once, cancel, |game| {
        note_fault(&progress, &results.settings, &game);
        if let Err(error) = results.enter(game).and_then(|()| results.write_verdict()) {
            end = Some(Err(error));
            return ControlFlow::Break(());
        }
        progress.say_more(&summary(&results.settings, &results.statistics));
        progress.set(results.statistics.games());
        if results.is_decided() {
            end = Some(Ok(RunEnd::Complete));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    progress.finish();
    run?;
    end.unwrap_or(Ok(if cancel.is_cancelled() { RunEnd::Interrupted } else { RunEnd::Complete }))
}

/// Reports at once a game that an engine lost by its own fault.
fn note_fault(progress: &Progress, settings: &TournamentSettings, game: &GameRecord) {
    if let Some(engine) = game.at_fault() {
        let detail = game.detail.as_deref().unwrap_or("no details");
        progress.note(&format_args!(
            "game {}: {} lost by {}: {detail}",
            game.pairing.game + 1,
            settings.name(engine),
            game.termination
        ));
    }
}

/// Prints the standings, unless stdout has another output, and writes the report.
fn conclude(
    settings: &TournamentSettings,
    statistics: &Statistics,
    games: &[GameRecord],
    [ptn, report]: [Option<&Path>; 2],
    out: &mut dyn Write,
) -> anyhow::Result<()> {
    let is_free = !is_stdout(ptn) && !is_stdout(report);
    let standings = if is_free { standings(settings, statistics) } else { String::new() };
    let written = write!(out, "{standings}").and_then(|()| out.flush());
    // The report is written even if stdout cannot be.
    if report.is_some() {
        write_output(report, page(settings, statistics, games).as_bytes(), out)?;
    }
    Ok(written?)
}

/// Results of the finished games, in memory and on disk.
struct ResultStore {
    settings: TournamentSettings,
    statistics: Statistics,
    games: Vec<GameRecord>,
    journal: Option<Journal>,
    ptn: Option<ResultFile<'static>>,
    /// The games of all shares, if it is a sequential test that they decide.
    pool: Option<Pool>,
    /// A decision that is not in the journal yet.
    verdict: Option<Verdict>,
    watched: Option<Watched>,
}

impl ResultStore {
    fn resume(&mut self, journal: Journal, held: Contents, path: &Path) {
        stderr::warn_of_journal(path, held.incomplete_bytes, held.duplicates);
        self.statistics = Statistics::of(self.settings.engines.len(), &held.games);
        self.games = held.games;
        self.journal = Some(journal);
        if let Some(pool) = &mut self.pool {
            self.games.iter().for_each(|game| pool.enter(game));
            held.verdict.into_iter().for_each(|verdict| pool.decide(verdict));
        }
    }

    /// Shows the games on a page.
    fn show(&mut self, watched: Option<Watched>) {
        if let Some(watched) = &watched {
            stderr::say(&format_args!("The tournament is at {}", watched.url()));
            self.games.iter().for_each(|game| watched.enter(game));
            watched.set_test(self.statistics.test);
        }
        self.watched = watched;
    }

    /// Reads the games of the other shares of a sequential test.
    fn look(&mut self) {
        if let Some(pool) = &mut self.pool {
            self.verdict = pool.look();
            self.statistics.test = Some(pool.state());
        }
    }

    /// Writes a decision down for the other runners, so that games which they enter later do not change it.
    fn write_verdict(&mut self) -> anyhow::Result<()> {
        if let Some(journal) = &mut self.journal
            && let Some(verdict) = self.verdict.take()
        {
            journal.note(&verdict)?;
        }
        Ok(())
    }

    /// Opens the files that finished games go to. A PTN file is rewritten when a journal with games is continued, so
    /// that both hold the same ones; otherwise it must be empty. A game is in the journal first, so anything else in
    /// the file belongs to someone else.
    fn open_files(&mut self, flags: &Settings) -> anyhow::Result<()> {
        if let Some(path) = flags.journal.as_deref().filter(|_| self.journal.is_none()) {
            self.journal = Some(Journal::create(path, &self.settings)?);
        }
        if let Some(path) = &flags.ptn {
            let mut file = ResultFile::create(path, flags.force || !self.games.is_empty())?;
            let mut games = self.games.iter();
            games.try_for_each(|game| append_ptn(&mut file, &self.settings, game))?;
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
        if let Some(pool) = &mut self.pool {
            pool.enter(&game);
        }
        self.look();
        if let Some(watched) = &self.watched {
            watched.enter(&game);
            watched.set_test(self.statistics.test);
        }
        let written = match &mut self.ptn {
            Some(ptn) => append_ptn(ptn, &self.settings, &game),
            None => Ok(()),
        };
        self.games.push(game);
        written
    }

    /// Returns whether a sequential test has ended.
    fn is_decided(&self) -> bool {
        self.pool.as_ref().is_some_and(Pool::is_decided)
    }
}

fn append_ptn(file: &mut ResultFile, settings: &TournamentSettings, game: &GameRecord) -> anyhow::Result<()> {
    Ok(file.append_game(&ptn_game(settings, game)?)?)
}
