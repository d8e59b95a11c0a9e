//! `tak-engine annotate`: every move of whole games, looked at and marked.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use anyhow::{Context, anyhow, bail, ensure};

use super::game_file::{PtnGames, say_fault, survey};
use super::interrupt::{interrupted as end_interrupted, stop_on_signal};
use super::ordered::{STOP_CHECK, Stdout, in_order};
use super::progress::Progress;
use super::result_file::ResultFile;
use super::stderr::{say_deviations, warn_of_journal, warn_of_merged};
use super::values::{self, WeightFiles};
use super::{FAILURE, Usage};
use crate::analysis::annotate::examine::{Examination, examine, settings_for};
use crate::analysis::annotate::game::AnnotatedGame;
use crate::analysis::annotate::judge::judge;
use crate::analysis::annotate::ptn::ptn_text;
use crate::analysis::annotate::record::{Annotation, AnnotationRecord, AnnotationSettings};
use crate::analysis::annotate::source::Source;
use crate::analysis::annotate::totals::Totals;
use crate::analysis::review::Review;
use crate::arena::tournament::schedule::Shard;
use crate::board::Size;
use crate::engine::{Engine, Limits, WeightSet, check_memory};
use crate::files::text::replace;
use crate::journals::hash::{crc32, fingerprint};
use crate::journals::journal::{self, Journal, JournalError, Records, Span, Visitor};
use crate::journals::merge::{Part, add_up, missing};
use crate::notation::GameText;

/// Analyses every position of every game of a PTN file and judges each move.
///
/// The games come out as PTN, in their order, with the tags, comments and marks that they had. The engine adds a
/// comment to every move, and marks: ' threatens a road, '' leaves a road that cannot be prevented (proven), ? and ??
/// lose 10 and 25 points of chance or more, ! and !! are the only moves that keep the result, as longer searches agree.
/// With --out, totals go to stdout. A game with an illegal move or a malformed part is annotated up to there; then the
/// exit code is 1. The text of one that cannot begin stays as it is, with the reason in a comment. A result that
/// contradicts the rules is corrected with a warning. Ctrl-C keeps the results so far, and with --journal the same command
/// with --resume continues.
#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    after_help = "Examples:\n  \
        tak-engine annotate game.ptn --report review.html > annotated.ptn\n  \
        tak-engine annotate games.ptn --nodes 100000 --out annotated.ptn --journal games.jsonl --resume\n  \
        tak-engine annotate merge shard1.jsonl shard2.jsonl --out annotated.ptn"
)]
pub struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// The PTN file, with any number of games; - reads stdin
    #[arg(value_name = "FILE.ptn|-", required = true)]
    file: Option<PathBuf>,
    /// Time for each position, such as 3s, 1.5s or 200ms [default: 1s]
    #[arg(long, value_parser = values::time, conflicts_with_all = ["depth", "nodes"])]
    time: Option<Duration>,
    /// Nodes for each position instead of a time
    #[arg(long, value_parser = values::nodes(), conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Plies to search in each position instead of a time
    #[arg(long, value_parser = values::depth())]
    depth: Option<u32>,
    /// Write the annotated games here, and totals to stdout
    #[arg(long, value_name = "FILE.ptn")]
    out: Option<PathBuf>,
    /// Write a page about the games here: chances, turning points with diagrams, moves, players
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Threads, which divide the games among them, and the positions of a game [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
    /// Overwrite files that already exist; with --resume that is allowed
    #[arg(long)]
    force: bool,
    /// Annotate one share of the games, such as 1/4
    #[arg(long, value_name = "I/N", value_parser = str::parse::<Shard>)]
    shard: Option<Shard>,
    /// Append every finished game before it counts, so that nothing is analysed twice
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
    /// Continue the annotation of the journal
    #[arg(long, requires = "journal")]
    resume: bool,
    #[command(flatten)]
    weights: WeightFiles,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    Merge(MergeArgs),
}

/// Adds up the journals of one annotation.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  tak-engine annotate merge shard*.jsonl --out annotated.ptn")]
struct MergeArgs {
    /// Journals, such as those of the shards
    #[arg(required = true, value_name = "FILE.jsonl")]
    journals: Vec<PathBuf>,
    /// Write the annotated games here, and totals to stdout
    #[arg(long, value_name = "FILE.ptn")]
    out: Option<PathBuf>,
    /// Write a page about the games here
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Overwrite files that already exist
    #[arg(long)]
    force: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match (&args.action, &args.file) {
        (Some(Action::Merge(args)), _) => run_merge(args, out),
        (None, Some(file)) => args.annotate(file, out),
        (None, None) => bail!("no file is named"),
    }
}

impl Args {
    fn annotate(&self, file: &Path, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let [journal, out_file, report] = [&self.journal, &self.out, &self.report].map(Option::as_deref);
        values::check_outputs(&[file], &[journal, out_file, report])?;
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let models = self.weights.read()?;
        let input = if file == Path::new("-") {
            if self.journal.is_some() {
                let reason = "a journal needs a file: stdin cannot be read again";
                return Err(Usage(anyhow!(reason)).into());
            }
            None
        } else {
            let input = survey(file, |number| shard.has(number));
            Some(input.with_context(|| format!("cannot read {}", file.display()))?)
        };
        if let Some(input) = &input {
            ensure!(input.games > 0, "no game in {}", file.display());
        }
        let settings = AnnotationSettings {
            engine: format!("tak-engine {}", env!("CARGO_PKG_VERSION")),
            input: input.as_ref().map_or_else(String::new, |input| format!("{:016x}", input.hash)),
            games: input.as_ref().map_or(0, |input| input.games),
            limits: self.limits_text(),
            weights: weights_sum(&models),
        };
        let (journal, held) = self.open_journal(&settings)?;
        let overwrite = self.force || !held.is_empty();
        let review = begin_review(self.report.as_deref(), &settings.limits, overwrite || self.resume)?;

        let threads = self.threads.unwrap_or_else(values::cores);
        let stop = stop_on_signal();
        // With fewer games than threads, several of these work on each.
        let ahead = if input.is_none() { threads } else { 0 };
        let Some((first, mut games)) = read_ahead(PtnGames::open(file)?, ahead, &stop)? else {
            return Ok(end_interrupted(&self.how_far(None, 0, None)));
        };
        let total = match &input {
            Some(input) => Some(input.wanted),
            None => (first.len() < threads).then(|| first.iter().filter(|(number, _)| shard.has(*number)).count()),
        };
        let whole = held.values().filter(|held| held.is_whole).count();
        let left = total.map(|total| total.saturating_sub(whole));
        let workers = self.workers(threads, left, &models)?;
        let positions = input.as_ref().map(|input| input.positions);
        let plies = Arc::new(Plies { progress: Progress::new("positions", positions), steps: AtomicU64::new(0) });
        let mut ending = Ending::new(self.out.as_deref(), overwrite, &plies.progress, out)?;
        ending.review = review;
        let states = workers.into_iter().map(|engines| {
            let records = self.journal.as_deref().map(Records::open).transpose()?;
            let (stop, plies) = (Arc::clone(&stop), Arc::clone(&plies));
            Ok(Worker { engines, limits: self.limits(), stop, records, plies })
        });
        let states = states.collect::<Result<Vec<Worker>, JournalError>>()?;
        let mut first = first.into_iter();
        let next = move || {
            loop {
                let Some((number, text)) = first.next().map_or_else(|| games.next(), |game| Ok(Some(game)))? else {
                    return Ok(None);
                };
                if shard.has(number) {
                    return Ok(Some((number, text, held.get(&number).copied())));
                }
            }
        };
        let journal = journal.map(|journal| (Mutex::new(journal), fingerprint(&settings)));
        let work = move |worker: &mut Worker, (number, text, held): (u64, GameText, Option<HeldGame>)| match held {
            Some(held) if held.is_whole => worker.recall(held.span),
            _ => worker.examine(number, &text, held, journal.as_ref()),
        };
        let stdout = if self.out.is_none() { Stdout::Watched } else { Stdout::Left };
        let done = in_order("game", states, next, work, stdout, &stop, |game| ending.add(game?.as_ref()));
        plies.progress.finish();
        done?;
        let interrupted = stop.load(SeqCst);
        ensure!(
            input.is_some() || ending.totals.games() > 0 || shard != Shard::WHOLE || interrupted,
            "no game in the input"
        );
        let (annotated, stopped) = (ending.totals.games(), ending.totals.stopped());
        let code = ending.conclude()?;
        if !interrupted {
            return Ok(code);
        }
        Ok(end_interrupted(&self.how_far(total, annotated, stopped)))
    }

    /// The part of the games that is annotated after an interruption, and the way to continue.
    fn how_far(&self, total: Option<usize>, games: u64, stopped: Option<String>) -> String {
        let total = total.map_or_else(String::new, |total| format!(" of {total}"));
        let next = match &self.journal {
            Some(journal) => format!("the same command with --resume continues with {}", journal.display()),
            None => "a run with --journal FILE.jsonl can be continued".to_owned(),
        };
        let stopped = stopped.map_or_else(String::new, |stopped| format!(", and {stopped}"));
        format!("{games}{total} games are annotated{stopped}; {next}")
    }

    fn limits(&self) -> Limits {
        match (self.nodes, self.depth) {
            (None, None) => Limits::move_time(self.time.unwrap_or(Duration::from_secs(1))),
            (nodes, depth) => Limits { depth, nodes, ..Limits::default() },
        }
    }

    fn limits_text(&self) -> String {
        let limits = self.limits();
        let parts = [
            limits.nodes.map(|nodes| format!("nodes={nodes}")),
            limits.depth.map(|depth| format!("depth={depth}")),
            limits.move_time.map(|time| format!("time={}ms", time.as_millis())),
        ];
        parts.into_iter().flatten().collect()
    }

    /// Opens the journal, and returns the places of the games that it already holds.
    fn open_journal(&self, settings: &AnnotationSettings) -> anyhow::Result<(Option<Journal<Annotation>>, Places)> {
        let Some(path) = &self.journal else {
            return Ok((None, Places::new()));
        };
        if !self.resume {
            return Ok((Some(Journal::create(path, settings)?), Places::new()));
        }
        let mut held = Held::default();
        let (journal, incomplete_bytes) = Journal::resume(path, settings, &mut held)?;
        warn_of_journal(path, incomplete_bytes, held.duplicates);
        Ok((Some(journal), held.places))
    }

    /// Engines for each game that is looked at at once: all threads divided among the games.
    fn workers(&self, threads: usize, games: Option<usize>, models: &WeightSet) -> anyhow::Result<Vec<Vec<Engine>>> {
        let count = games.map_or(threads, |games| games.clamp(1, threads));
        let settings = settings_for(&self.limits(), models.clone());
        check_memory(settings.hash_mib.saturating_mul(threads))?;
        let mut workers: Vec<Vec<Engine>> = (0..count).map(|_| Vec::new()).collect();
        for thread in 0..threads {
            let mut engine = Engine::new(settings.clone());
            engine.prepare()?;
            workers[thread % count].push(engine);
        }
        Ok(workers)
    }
}

type Places = BTreeMap<u64, HeldGame>;

#[derive(Clone, Copy)]
struct HeldGame {
    span: Span,
    /// Otherwise its beginning is missing.
    is_whole: bool,
}

/// Collects the places of a journal's games.
#[derive(Default)]
struct Held {
    fingerprint: String,
    games: u64,
    places: Places,
    duplicates: usize,
}

impl Visitor<Annotation> for Held {
    fn begin(&mut self, settings: &AnnotationSettings) -> Result<(), String> {
        self.fingerprint = fingerprint(settings);
        self.games = settings.games;
        Ok(())
    }

    fn record(&mut self, record: AnnotationRecord, span: Span) -> Result<(), String> {
        if record.settings != self.fingerprint {
            return Err("it is of an annotation with other settings".to_owned());
        }
        let number = record.game;
        if number >= self.games {
            return Err(format!("there is no game {number}"));
        }
        let game = HeldGame { span, is_whole: !record.stopped };
        record.annotated()?;
        match self.places.entry(number) {
            Entry::Occupied(held) if held.get().is_whole => self.duplicates += 1,
            // The later record has more of the game.
            Entry::Occupied(mut held) => drop(held.insert(game)),
            Entry::Vacant(vacant) => drop(vacant.insert(game)),
        }
        Ok(())
    }
}

/// The progress of all games.
struct Plies {
    progress: Progress,
    /// Two for each position.
    steps: AtomicU64,
}

impl Plies {
    fn add(&self, steps: usize) {
        let steps = self.steps.fetch_add(steps as u64, SeqCst) + steps as u64;
        self.progress.set(steps / 2);
    }
}

/// The means to look at one game.
struct Worker {
    engines: Vec<Engine>,
    /// For each position.
    limits: Limits,
    stop: Arc<AtomicBool>,
    records: Option<Records>,
    plies: Arc<Plies>,
}

impl Worker {
    /// A game that is in the journal.
    fn recall(&mut self, span: Span) -> anyhow::Result<Option<AnnotatedGame>> {
        let record = self.record(span)?;
        self.plies.add(2 * record.looks.len());
        record.annotated().map(Some).map_err(|reason| anyhow!(reason))
    }

    fn record(&mut self, span: Span) -> anyhow::Result<AnnotationRecord> {
        let records = self.records.as_mut().context("there is no journal")?;
        Ok(records.get::<Annotation>(span)?)
    }

    /// Looks at a game, whose end may be in the journal, and stores it in the journal before it counts. `None` if it
    /// was stopped before anything was found.
    fn examine(
        &mut self,
        number: u64,
        text: &GameText,
        held: Option<HeldGame>,
        journal: Option<&(Mutex<Journal<Annotation>>, String)>,
    ) -> anyhow::Result<Option<AnnotatedGame>> {
        let source = Source::read(number, text, None);
        let held = held.map(|held| self.record(held.span)).transpose()?.map_or_else(Vec::new, |record| record.looks);
        let known = held.len();
        self.plies.add(2 * known);
        let (plies, limits, stop) = (&self.plies, self.limits, &*self.stop);
        let looks = match &source.game {
            Some(game) => {
                let engines = self.engines.iter_mut();
                let mut examinations: Vec<_> = engines.map(|engine| Examination { engine, limits, stop }).collect();
                examine(&mut examinations, game, held, &|| plies.add(1))?
            }
            None => Vec::new(),
        };
        let record = AnnotationRecord::new(journal.map_or("", |(_, settings)| settings), &source, looks);
        let is_news = !record.stopped || record.looks.len() > known;
        if let Some((journal, _)) = journal.filter(|_| is_news) {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.append(&record)?;
        }
        let is_empty = record.stopped && record.looks.is_empty();
        Ok((!is_empty).then(|| judge(source, &record.looks)))
    }
}

/// The first games, and those after them.
type ReadAhead = (Vec<(u64, GameText)>, PtnGames);

/// Reads the first `count` games. `None` if the work is stopped: it must not wait for input that never comes.
fn read_ahead(mut games: PtnGames, count: usize, stop: &AtomicBool) -> anyhow::Result<Option<ReadAhead>> {
    if count == 0 {
        return Ok(Some((Vec::new(), games)));
    }
    let (give, given) = channel();
    thread::Builder::new().spawn(move || {
        let first = games.take(count);
        // They are not taken once the work is stopped.
        let _ = give.send(first.map(|first| (first, games)));
    })?;
    while !stop.load(SeqCst) {
        match given.recv_timeout(STOP_CHECK) {
            Err(RecvTimeoutError::Timeout) => {}
            read => return Ok(Some(read??)),
        }
    }
    Ok(None)
}

/// A check sum of the weights of all sizes.
fn weights_sum(models: &WeightSet) -> String {
    let texts = Size::ALL.map(|size| models.text(size));
    format!("{:08x}", crc32(texts.concat().as_bytes()))
}

fn run_merge(args: &MergeArgs, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let journals: Vec<&Path> = args.journals.iter().map(PathBuf::as_path).collect();
    values::check_outputs(&journals, &[args.out.as_deref(), args.report.as_deref()])?;
    let index = |path: &Path| args.journals.iter().position(|other| other == path);
    let sum = add_up::<Annotation, (usize, Span)>(&args.journals, |path| {
        let mut held = Held::default();
        let (settings, incomplete_bytes) = journal::read(path, &mut held)?;
        let file = index(path).unwrap_or_default();
        let places = held.places.into_iter();
        Ok(Part {
            settings,
            items: places.filter(|(_, game)| game.is_whole).map(|(number, game)| (number, (file, game.span))).collect(),
            duplicates: held.duplicates,
            incomplete_bytes,
        })
    })?;
    warn_of_merged(&sum);
    let opened = args.journals.iter().map(|path| Records::open(path));
    let mut records = opened.collect::<Result<Vec<Records>, _>>()?;
    let total = sum.items.len();
    let missing = missing(sum.settings.games, sum.items.keys().copied());
    let review = begin_review(args.report.as_deref(), &sum.settings.limits, args.force)?;
    let progress = Progress::new("games", Some(total as u64));
    let mut ending = Ending::new(args.out.as_deref(), args.force, &progress, out)?;
    ending.review = review;
    for (file, span) in sum.items.into_values() {
        let record = records[file].get::<Annotation>(span)?;
        ending.add(Some(&record.annotated().map_err(|reason| anyhow!(reason))?))?;
        progress.add(1);
    }
    progress.finish();
    let code = ending.conclude()?;
    let Some(missing) = missing else {
        return Ok(code);
    };
    super::stderr::say(&format_args!("error: {missing}"));
    Ok(ExitCode::from(FAILURE))
}

/// A page about all games that is to be written at the end, if a file is named.
fn begin_review(file: Option<&Path>, limits: &str, overwrite: bool) -> anyhow::Result<Option<(PathBuf, Review)>> {
    let Some(file) = file else {
        return Ok(None);
    };
    values::check_writable(file, overwrite)?;
    Ok(Some((file.to_owned(), Review::new(limits.to_owned()))))
}

struct Ending<'a> {
    ptn: ResultFile<'a>,
    /// Stdout for the totals, if the games do not go there.
    totals_out: Option<&'a mut dyn Write>,
    progress: &'a Progress,
    totals: Totals,
    review: Option<(PathBuf, Review)>,
}

impl<'a> Ending<'a> {
    fn new(
        file: Option<&Path>,
        overwrite: bool,
        progress: &'a Progress,
        out: &'a mut dyn Write,
    ) -> anyhow::Result<Self> {
        let (ptn, totals_out) = ResultFile::create_or_stdout(file, overwrite, out)?;
        Ok(Self { ptn, totals_out, progress, totals: Totals::default(), review: None })
    }

    /// Writes the next game, and reports its fault. One that was stopped does not count.
    fn add(&mut self, game: Option<&AnnotatedGame>) -> anyhow::Result<()> {
        let Some(game) = game else {
            return Ok(());
        };
        if game.skipped > 0 {
            self.totals.add(game);
            return self.ptn.append_game(&ptn_text(game));
        }
        if let Some(fault) = &game.fault {
            say_fault(self.progress, game.number, fault);
        }
        say_deviations(&game.deviations, |warning| say_fault(self.progress, game.number, warning));
        self.totals.add(game);
        if let Some((_, review)) = &mut self.review {
            review.add(game);
        }
        self.ptn.append_game(&ptn_text(game))
    }

    fn conclude(self) -> anyhow::Result<ExitCode> {
        if let Some((file, review)) = &self.review {
            replace(file, review.page().as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
        }
        if let Some(out) = self.totals_out {
            write!(out, "{}", self.totals)?;
            out.flush()?;
        }
        let faults = self.totals.faults();
        if faults == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        super::stderr::say(&format_args!(
            "error: {faults} of {} games are annotated in part only",
            self.totals.games()
        ));
        Ok(ExitCode::from(FAILURE))
    }
}
