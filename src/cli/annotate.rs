//! `tak-engine annotate`: every move of whole games, looked at and marked.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail, ensure};
use clap::builder::RangedU64ValueParser;
use indicatif::ProgressBar;

use super::game_file::{PtnGames, game_bar, say_deviations, say_fault, survey};
use super::ordered::{Stdout, in_order};
use super::ptn_file::PtnFile;
use super::values::{self, WeightFiles};
use super::{FAILURE, Usage};
use crate::annotate::examine::Examiner;
use crate::annotate::game::AnnotatedGame;
use crate::annotate::judge::judge;
use crate::annotate::ptn::ptn_game;
use crate::annotate::record::{Annotation, AnnotationRecord, AnnotationSettings};
use crate::annotate::source::Source;
use crate::annotate::totals::Totals;
use crate::arena::tournament::schedule::Shard;
use crate::board::Size;
use crate::engine::{Limits, WeightSet, check_memory};
use crate::files::hash::{crc32, fingerprint};
use crate::files::journal::{self, Journal, JournalError, Records, Span, Visitor};
use crate::files::merge::{Part, add_up, missing};
use crate::files::text::replace;
use crate::notation::GameText;
use crate::review::Review;

/// Looks at every position of every game of a PTN file and says what each move was worth.
///
/// The games come out as PTN, in their order, with the tags, comments and marks that they had. The engine adds a comment
/// to every move, and marks: ' threatens a road, '' leaves a road that cannot be prevented (proven), ? and ?? lose 10 and
/// 25 points of chance or more, ! and !! are the only moves that keep the result, as longer searches agree. With --out,
/// totals go to stdout. A game with an illegal move or a malformed part is annotated up to there; then the exit code is 1.
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
    #[arg(long, value_parser = RangedU64ValueParser::<u64>::new().range(1..), conflicts_with = "depth")]
    nodes: Option<u64>,
    /// Plies to search in each position instead of a time
    #[arg(long, value_parser = RangedU64ValueParser::<u32>::new().range(1..=120))]
    depth: Option<u32>,
    /// Write the annotated games here, and totals to stdout
    #[arg(long, value_name = "FILE.ptn")]
    out: Option<PathBuf>,
    /// Write a page about the games here: chances, turning points with diagrams, moves, players
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Games looked at at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    jobs: Option<usize>,
    /// Annotate one share of the games, such as 1/4
    #[arg(long, value_name = "I/N", value_parser = str::parse::<Shard>)]
    shard: Option<Shard>,
    /// Append every finished game before it counts, so that nothing is ever looked at twice
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
}

/// Runs the subcommand.
///
/// # Errors
/// When the file cannot be read or holds no game, when a journal or the output cannot be used, or when there is no memory
/// for the tables.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    match (&args.action, &args.file) {
        (Some(Action::Merge(args)), _) => run_merge(args, out),
        (None, Some(file)) => args.annotate(file, out),
        (None, None) => bail!("no file is named"),
    }
}

impl Args {
    fn annotate(&self, file: &Path, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let is_stdin = file == Path::new("-");
        let [journal, out_file, report] = [&self.journal, &self.out, &self.report].map(Option::as_deref);
        values::check_outputs(&[file], &[journal, out_file, report])?;
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        let models = self.weights.read()?;
        let input = if is_stdin {
            if self.journal.is_some() {
                let reason = "a journal needs a file: stdin cannot be read again";
                return Err(Usage(anyhow!(reason)).into());
            }
            None
        } else {
            Some(survey(file).with_context(|| format!("cannot read {}", file.display()))?)
        };
        let total = input.map(|(games, _)| (0..games).filter(|&game| shard.has(game)).count());
        if let Some((games, _)) = input {
            ensure!(games > 0, "no game in {}", file.display());
        }
        let settings = AnnotationSettings {
            engine: format!("tak-engine {}", env!("CARGO_PKG_VERSION")),
            input: input.map_or_else(String::new, |(_, hash)| format!("{hash:016x}")),
            games: input.map_or(0, |(games, _)| games),
            limits: self.limits_text(),
            weights: weights_sum(&models),
        };
        let review = begin_review(self.report.as_deref(), &settings.limits)?;
        let (journal, held) = self.open_journal(&settings)?;

        let left = total.map(|total| total.saturating_sub(held.len()));
        let workers = self.workers(left, &models)?;
        let mut ending = Ending::new(self.out.as_deref(), !held.is_empty(), total, out)?;
        ending.review = review;
        let states = workers.into_iter().map(|examiner| {
            let records = self.journal.as_deref().map(Records::open).transpose()?;
            Ok(Worker { examiner, records })
        });
        let states = states.collect::<Result<Vec<Worker>, JournalError>>()?;
        let mut games = PtnGames::open(file)?;
        let next = move || {
            loop {
                let Some((number, text)) = games.next()? else {
                    return Ok(None);
                };
                if shard.has(number) {
                    let place = held.get(&number).copied();
                    return Ok(Some((number, place.ok_or(text))));
                }
            }
        };
        let journal = journal.map(|journal| (Mutex::new(journal), fingerprint(&settings)));
        let work = move |worker: &mut Worker, (number, game)| match game {
            Ok(span) => worker.recall(span),
            Err(text) => worker.examine(number, &text, journal.as_ref()),
        };
        let stdout = if self.out.is_none() { Stdout::Watched } else { Stdout::Left };
        let done = in_order("game", states, next, work, stdout, |game| ending.add(&game?));
        ending.bar.finish_and_clear();
        done?;
        ensure!(!is_stdin || ending.totals.games() > 0 || shard != Shard::WHOLE, "no game in the input");
        ending.conclude()
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

    /// Opens the journal, and tells where the games are that it holds already.
    fn open_journal(&self, settings: &AnnotationSettings) -> anyhow::Result<(Option<Journal<Annotation>>, Places)> {
        let Some(path) = &self.journal else {
            return Ok((None, Places::new()));
        };
        if !self.resume {
            return Ok((Some(Journal::create(path, settings)?), Places::new()));
        }
        let mut held = Held::default();
        let (journal, torn_bytes) = Journal::resume(path, settings, &mut held)?;
        if torn_bytes > 0 {
            let path = path.display();
            log::warn!("{path}: dropped an incomplete last line of {torn_bytes} bytes");
        }
        if held.duplicates > 0 {
            let (path, count) = (path.display(), held.duplicates);
            log::warn!("{path}: {count} games are there twice, one counts");
        }
        Ok((Some(journal), held.places))
    }

    /// An engine for each game that is looked at at once. With fewer games than cores, and a limit of time, they share the
    /// other cores; with other limits the result must not depend on them.
    fn workers(&self, games: Option<usize>, models: &WeightSet) -> anyhow::Result<Vec<Examiner>> {
        let jobs = self.jobs.unwrap_or_else(values::cores);
        let count = games.map_or(jobs, |games| games.clamp(1, jobs));
        let limits = self.limits();
        let mut settings = Examiner::settings(&limits, models.clone());
        check_memory(settings.hash_mib.saturating_mul(count))?;
        if limits.move_time.is_some() {
            settings.threads = jobs / count;
        }
        let workers = (0..count).map(|_| Examiner::new(settings.clone(), limits, Instant::now()));
        Ok(workers.collect::<Result<_, _>>()?)
    }
}

/// Where the games of a journal are.
type Places = BTreeMap<u64, Span>;

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
        record.annotated()?;
        match self.places.entry(number) {
            Entry::Vacant(vacant) => {
                vacant.insert(span);
            }
            Entry::Occupied(_) => self.duplicates += 1,
        }
        Ok(())
    }
}

/// What one thread works with.
struct Worker {
    examiner: Examiner,
    records: Option<Records>,
}

impl Worker {
    /// A game that is in the journal.
    fn recall(&mut self, span: Span) -> anyhow::Result<AnnotatedGame> {
        let records = self.records.as_mut().context("there is no journal")?;
        let record = records.get::<Annotation>(span)?;
        record.annotated().map_err(|reason| anyhow!(reason))
    }

    /// Looks at a game, and keeps it in the journal before it counts.
    fn examine(
        &mut self,
        number: u64,
        text: &GameText,
        journal: Option<&(Mutex<Journal<Annotation>>, String)>,
    ) -> anyhow::Result<AnnotatedGame> {
        let source = Source::read(number, text, None);
        let looks = match &source.game {
            Some(game) => self.examiner.examine(game, |_| {})?,
            None => Vec::new(),
        };
        if let Some((journal, fingerprint)) = journal {
            let record = AnnotationRecord::new(fingerprint, &source, looks.clone());
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.append(&record)?;
        }
        Ok(judge(source, &looks))
    }
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
        let (settings, torn_bytes) = journal::read(path, &mut held)?;
        let file = index(path).unwrap_or_default();
        let places = held.places.into_iter();
        Ok(Part {
            settings,
            items: places.map(|(number, span)| (number, (file, span))).collect(),
            duplicates: held.duplicates,
            torn_bytes,
        })
    })?;
    for path in &sum.torn {
        log::warn!("{}: left out an incomplete last line", path.display());
    }
    if sum.duplicates > 0 {
        log::warn!("left out {} games that were there twice", sum.duplicates);
    }
    let opened = args.journals.iter().map(|path| Records::open(path));
    let mut records = opened.collect::<Result<Vec<Records>, _>>()?;
    let total = sum.items.len();
    let missing = missing(sum.settings.games, sum.items.keys().copied());
    let review = begin_review(args.report.as_deref(), &sum.settings.limits)?;
    let mut ending = Ending::new(args.out.as_deref(), false, Some(total), out)?;
    ending.review = review;
    for (file, span) in sum.items.into_values() {
        let record = records[file].get::<Annotation>(span)?;
        ending.add(&record.annotated().map_err(|reason| anyhow!(reason))?)?;
    }
    ending.bar.finish_and_clear();
    let code = ending.conclude()?;
    let Some(missing) = missing else {
        return Ok(code);
    };
    super::stderr::say(&format_args!("error: {missing}"));
    Ok(ExitCode::from(FAILURE))
}

/// A page about all games that is to be written at the end, if a file is named.
fn begin_review(file: Option<&Path>, limits: &str) -> anyhow::Result<Option<(PathBuf, Review)>> {
    let Some(file) = file else {
        return Ok(None);
    };
    values::check_writable(file)?;
    Ok(Some((file.to_owned(), Review::new(limits.to_owned()))))
}

/// What becomes of annotated games.
struct Ending<'a> {
    ptn: PtnFile<'a>,
    /// Where the totals go: to stdout, if the games do not go there.
    told: Option<&'a mut dyn Write>,
    bar: ProgressBar,
    totals: Totals,
    review: Option<(PathBuf, Review)>,
}

impl<'a> Ending<'a> {
    /// A file is only written in the place of another one to go on with a journal that `has_games`, which is written first.
    /// `total` is how many games there are, if that is known.
    fn new(file: Option<&Path>, has_games: bool, total: Option<usize>, out: &'a mut dyn Write) -> anyhow::Result<Self> {
        let (ptn, told) = match file {
            None => (PtnFile::new(out, "stdout".to_owned()), None),
            Some(path) if has_games => (PtnFile::replace(path)?, Some(out)),
            Some(path) => (PtnFile::create(path)?, Some(out)),
        };
        Ok(Self { ptn, told, bar: game_bar(total)?, totals: Totals::default(), review: None })
    }

    /// Writes the next game, and says what is wrong with it.
    fn add(&mut self, game: &AnnotatedGame) -> anyhow::Result<()> {
        if let Some(fault) = &game.fault {
            say_fault(&self.bar, game.number, fault);
        }
        say_deviations(&game.deviations, |warning| say_fault(&self.bar, game.number, warning));
        self.totals.add(game);
        if let Some((_, review)) = &mut self.review {
            review.add(game);
        }
        self.ptn.append(&ptn_game(game))?;
        self.bar.inc(1);
        Ok(())
    }

    /// The end of all games.
    fn conclude(self) -> anyhow::Result<ExitCode> {
        if let Some((file, review)) = &self.review {
            replace(file, review.page().as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
        }
        if let Some(out) = self.told {
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
