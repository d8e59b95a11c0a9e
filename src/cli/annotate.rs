//! `tak-engine annotate`: every move of whole games, analysed and marked.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

use super::FAILURE;
use super::errors::usage;
use super::game_file::{GameFiles, Held, TermArgs, say_fault};
use super::interrupt::{interrupted, stop_on_signal};
use super::progress::Progress;
use super::result_file::ResultFile;
use super::stderr::{say, say_deviations, warn_of_journal};
use super::streams::check_reader;
use super::values::{self, WeightFiles};
use crate::analysis::annotate::journal::{AnnotationJournal, AnnotationSettings, limits_text};
use crate::analysis::annotate::source::Source;
use crate::analysis::annotate::totals::Totals;
use crate::analysis::annotate::{self, Job, ptn_text, ptn_text_in_words};
use crate::analysis::review::Review;
use crate::engine::Limits;
use crate::notation::counted;
use crate::shard::Shard;

/// Analyses every position of every game of PTN files and judges each move.
///
/// The games come out as PTN, in their order, with the tags, comments and marks that they had. The engine adds a
/// comment to every move, and marks: ' threatens a road, '' leaves a road that cannot be prevented (proven), ? and ??
/// lose 10 and 25 points of chance or more, ! and !! are the only moves that keep the result, as longer searches agree.
/// With --out, totals go to stdout. A game with an illegal move or a malformed part is annotated up to there; then the
/// exit code is 1. The text of one that cannot begin stays as it is, with the reason in a comment. A result that
/// contradicts the rules is corrected with a warning. Ctrl-C keeps the finished games, and with --journal the same command
/// with --resume continues.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  \
        tak-engine annotate game.ptn --report review.html > annotated.ptn\n  \
        tak-engine annotate games.ptn --nodes 100000 --out annotated.ptn --journal games.jsonl --resume\n  \
        tak-engine annotate games.ptn --shard 1/4 --out shard1.ptn")]
pub struct Args {
    #[command(flatten)]
    files: GameFiles,
    #[command(flatten)]
    terms: TermArgs,
    /// Time for each position, such as 3s, 1.5s or 200ms [default: 1s]
    #[arg(long, value_parser = values::time)]
    time: Option<Duration>,
    /// Nodes for each position; of several limits the first one that is reached counts
    #[arg(long, value_parser = values::nodes())]
    nodes: Option<u64>,
    /// Plies to search in each position
    #[arg(long, value_parser = values::depth())]
    depth: Option<u32>,
    /// Write the annotated games here, and totals to stdout
    #[arg(long, value_name = "FILE.ptn")]
    out: Option<PathBuf>,
    /// Say in up to three sentences why each mistake was one
    #[arg(long)]
    words: bool,
    /// Write a page about the games here: chances, turning points with diagrams, moves, players
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Threads, which share the games, and the positions of the last ones [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
    /// Overwrite files that already exist; with --resume that is allowed
    #[arg(long)]
    force: bool,
    /// Annotate one block of the games, such as the first of four: 1/4; cat joins the outputs
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

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    let needs_file = || usage("--journal and --shard need a file: stdin and pipes cannot be read again");
    let needs_files = args.journal.is_some() || args.shard.is_some();
    if needs_files && (args.files.names().next().is_none() || args.files.names().any(|name| name == Path::new("-"))) {
        return Err(needs_file());
    }
    let mut games = args.files.open()?;
    let [journal, report] = [&args.journal, &args.report].map(Option::as_deref);
    let out_file = Some(args.out.as_deref().unwrap_or(Path::new("-")));
    values::check_is_file("--journal", journal)?;
    values::check_outputs(&games.files(), &[journal, out_file, report])?;
    let (limits, weights) = (args.limits(), args.weights.read()?);
    let terms = args.terms.terms();
    // Counted first only if needed, since that takes long.
    let count = match games.again().filter(|_| needs_files) {
        Some(mut games) => Some(games.count()?),
        None if needs_files => return Err(needs_file()),
        None => None,
    };
    let block = count.map(|count| args.shard.unwrap_or(Shard::WHOLE).block(count));
    let journal = count.zip(args.journal.as_ref()).map(|(count, path)| {
        let settings = AnnotationSettings::of_files(&games.files(), count, terms, &limits, &weights)?;
        AnnotationJournal::open(path, &settings, args.resume)
            .inspect(|journal| {
                warn_of_journal(path, journal.incomplete_bytes, journal.duplicates);
            })
            .map_err(anyhow::Error::from)
    });
    let journal = journal.transpose()?;
    let overwrite = args.force || journal.as_ref().is_some_and(|journal| journal.held_games() > 0);
    if let Some(report) = report {
        values::check_writable(report, overwrite || args.resume)?;
    }

    let progress = Progress::new("positions", None);
    let wanted = block.clone();
    games.count_for(&progress, move |number, text| {
        let is_wanted = wanted.as_ref().is_none_or(|wanted| wanted.contains(&number));
        let game = is_wanted.then(|| Source::new(number, text, terms.read(text)).game).flatten();
        game.map_or(0, |game| game.moves().len() as u64 + 1)
    });
    let steps = AtomicUsize::new(0);
    let step = |more| {
        progress.set((steps.fetch_add(more, SeqCst) + more) as u64 / 2);
    };
    let stop = stop_on_signal();
    let job = Job {
        limits,
        terms,
        weights,
        threads: args.threads.unwrap_or_else(values::cores),
        journal: journal.as_ref(),
        stop: Arc::clone(&stop),
        step: &step,
        check: if values::is_stdout(out_file) { &check_reader } else { &|| Ok(()) },
    };
    let (mut ptn, mut free_out) = ResultFile::create_or_stdout(out_file, overwrite, out)?;
    if block.as_ref().is_some_and(|block| block.start > 0) {
        ptn.follow();
    }
    let places = games.places();
    let wanted = block.clone();
    let next = move || {
        loop {
            match (games.next()?, &wanted) {
                (Some((number, _)), Some(block)) if number < block.start => {}
                (Some((number, _)), Some(block)) if number >= block.end => return Ok(None),
                (next, _) => return Ok(next),
            }
        }
    };
    let (mut totals, mut review) = (Totals::default(), Review::new(limits_text(&limits)));
    let mut held = Held::new();
    let done = annotate::run(next, &job, |game| {
        let unreadable = game.fault.clone().filter(|_| game.original.is_some());
        for (number, game) in held.push(game.number, unreadable.as_deref(), game) {
            let place = places.place(number);
            if let Some(fault) = &game.fault {
                say_fault(&progress, &place, fault);
            }
            say_deviations(&game.deviations, |warning| say_fault(&progress, &place, warning));
            totals.add(&game);
            if report.is_some() {
                review.add(&game);
            }
            ptn.append_game(&if args.words { ptn_text_in_words(&game) } else { ptn_text(&game) })?;
        }
        Ok(())
    });
    progress.finish();
    done?;
    held.end(&places)?;
    let is_interrupted = stop.load(SeqCst);
    if report.is_some() {
        values::write_output(report, review.page().as_bytes(), free_out.as_deref_mut().unwrap_or(&mut io::sink()))?;
    }
    if let Some(out) = free_out.filter(|_| !values::is_stdout(report)) {
        write!(out, "{totals}")?;
        out.flush()?;
    }
    Ok(args.end(&totals, block.map(|block| block.end - block.start), is_interrupted))
}

impl Args {
    /// The end of a run, of this number of games if it is known.
    fn end(&self, totals: &Totals, wanted: Option<u64>, is_interrupted: bool) -> ExitCode {
        if is_interrupted {
            let total = wanted.map_or_else(String::new, |games| format!(" of {games}"));
            let next = match &self.journal {
                Some(journal) => format!("the same command with --resume continues with {}", journal.display()),
                None => "a run with --journal FILE.jsonl can be continued".to_owned(),
            };
            let games = counted(totals.games(), "game is", "games are");
            let games = if total.is_empty() { games } else { format!("{}{total} games are", totals.games()) };
            return interrupted(&format!("{games} annotated; {next}"));
        }
        if totals.faults() == 0 {
            return ExitCode::SUCCESS;
        }
        let (faults, games) = (totals.faults(), totals.games());
        say(&format_args!("error: {faults} of {games} games are annotated in part only"));
        ExitCode::from(FAILURE)
    }

    fn limits(&self) -> Limits {
        match (self.time, self.nodes, self.depth) {
            (None, None, None) => Job::default().limits,
            (move_time, nodes, depth) => Limits { move_time, depth, nodes, ..Limits::default() },
        }
    }
}
