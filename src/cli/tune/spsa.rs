//! `tak-engine tune --spsa`: tunes margins of the search by games of the program against itself.

use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, bail, ensure};
use clap::builder::RangedU64ValueParser;

use crate::arena::book::{self, Opening};
use crate::arena::clock::TimeControl;
use crate::arena::config::{EngineConfig, MatchRules};
use crate::arena::openings::first_moves;
use crate::arena::player::Contender;
use crate::arena::process::{Cancel, Program};
use crate::arena::progress::ProgressLine;
use crate::arena::record::GameRecord;
use crate::arena::runner::{Match, check, check_open_files};
use crate::board::{Komi, OpeningRule, Setup, Size};
use crate::cli::interrupt::{INTERRUPTED, cancel_on_signal, end_of_run};
use crate::cli::values::{self, check_outputs, check_writable};
use crate::cli::{Usage, told_once};
use crate::journal::Journal;
use crate::spsa::{self, Board, Course, DEFAULT_RATE, Desk, Spsa, SpsaSettings, choose};

/// How long an answer may be overdue before the engine counts as stalled. Machines that tune are busy.
const STALL: Duration = Duration::from_secs(60);

/// Tunes margins of the search by games of the program against itself (SPSA), in a build with --features tuning.
///
/// Every iteration is a pair of games from one opening with colours swapped, between a side with every margin moved by its
/// step into a random direction and one with every margin moved the other way. What wins pulls the margins its way. The
/// course depends on the settings and the seed alone, not on how many games are played at once. Ctrl-C ends it with the
/// values so far; --resume continues it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tak-engine tune --spsa --margin 'futility_*' --margin aspiration=40,5 --size 6,5 --komi 2,0 \\\n      \
        --openings openings/6s_komi2.txt openings/5s_komi0.txt --iterations 10000 \\\n      \
        --journal spsa.jsonl --report spsa.html --resume"
)]
pub struct Args {
    /// A margin of src/search/params.rs, or with * at its end all whose names begin so; once for each. START need not be
    /// whole; STEP is what is added and taken off in the end [default: a twentieth of the range, at least 0.5]; RATE as for
    /// --rate. Each may be left out. Without --margin all margins are tuned that matter in these games
    #[arg(long = "margin", value_name = "NAME[=START[,STEP[,RATE]]]")]
    margins: Vec<String>,
    /// Board sizes, 3 to 8, played on in turn
    #[arg(long = "size", value_name = "SIZE", required = true, value_delimiter = ',', value_parser = values::size)]
    sizes: Vec<Size>,
    /// Komi in flats, one for all boards or one for each
    #[arg(
        long,
        value_name = "FLATS",
        default_value = "0",
        allow_hyphen_values = true,
        value_delimiter = ',',
        value_parser = values::komi
    )]
    komi: Vec<Komi>,
    /// Suites of openings, one for each board [default: one flat each, in all ways]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    openings: Vec<PathBuf>,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 20_000, value_parser = RangedU64ValueParser::<u64>::new().range(1..))]
    nodes: u64,
    /// Pairs of games in all
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = RangedU64ValueParser::<u64>::new().range(1..=500_000))]
    iterations: u64,
    /// What a point more moves a margin by in the last iteration, in steps
    #[arg(long, default_value_t = DEFAULT_RATE, allow_negative_numbers = true)]
    rate: f64,
    /// A pair is played around the values of so many pairs before, so that no game has to wait for the one before it
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = RangedU64ValueParser::<u64>::new().range(1..=10_000))]
    delay: u64,
    /// Table of each engine in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = RangedU64ValueParser::<u64>::new().range(1..=65_536))]
    hash: u64,
    /// Games played at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    concurrency: Option<usize>,
    /// Seed of directions and openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Append every finished pair before it counts, so that nothing is ever played twice
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
    /// Continue the run of the journal
    #[arg(long, requires = "journal")]
    resume: bool,
    /// Write the course of every margin as one HTML page, again and again while games are played
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Overwrite a report that already exists; with --resume that is allowed
    #[arg(long)]
    force: bool,
}

/// Runs the subcommand.
///
/// # Errors
/// When the program cannot play, or a file cannot be used.
pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if !cfg!(feature = "tuning") {
        bail!("the margins of this program are fixed, build one with: cargo build --release --features tuning");
    }
    let plan = args.plan().map_err(Usage)?;
    args.tune(&plan, out)
}

/// A run whose settings make sense.
struct Plan {
    settings: SpsaSettings,
    /// Size and komi of each board.
    boards: Vec<(Size, Komi)>,
    /// The openings of all boards, one after the other.
    openings: Vec<Opening>,
    rules: MatchRules,
}

impl Args {
    fn plan(&self) -> anyhow::Result<Plan> {
        let inputs: Vec<&Path> = self.openings.iter().map(PathBuf::as_path).collect();
        let outputs = [&self.journal, &self.report].map(Option::as_deref);
        check_outputs(&inputs, &outputs)?;
        let margins = choose(&self.margins, self.rate).context("--margin")?;
        let count = self.sizes.len();
        let komis = self.komi.len();
        ensure!(
            komis == 1 || komis == count,
            "--komi: {komis} values for {count} boards, expected one for all or one for each"
        );
        let files = self.openings.len();
        ensure!(
            files == 0 || files == count,
            "--openings: expected a file for each of the {count} boards, not {files}"
        );
        let komis = self.komi.iter().cycle().copied();
        let boards: Vec<(Size, Komi)> = self.sizes.iter().copied().zip(komis).collect();
        let mut described = Vec::new();
        let mut openings = Vec::new();
        for (place, &(size, komi)) in boards.iter().enumerate() {
            let suite = match self.openings.get(place) {
                Some(path) => book::load(path, None, &Setup::empty(size, komi))?,
                None => first_moves(size, komi, OpeningRule::Swap),
            };
            described.push(Board::new(size, komi, suite.len(), book::hash(&suite)));
            openings.extend(suite);
        }
        // A result that both sides have proven will not change any more.
        let rules = MatchRules { solved_agreement: true, ..MatchRules::default() };
        let settings = SpsaSettings {
            margins,
            boards: described,
            nodes: self.nodes,
            hash: self.hash,
            iterations: self.iterations,
            delay: self.delay,
            seed: self.seed,
            rules: rules.to_map(),
        };
        settings.check().map_err(anyhow::Error::msg)?;
        Ok(Plan { settings, boards, openings, rules })
    }

    fn tune(&self, plan: &Plan, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        if let Some(path) = &self.report {
            check_writable(path, self.force || self.resume)?;
        }
        let path = self.journal.as_deref();
        let (journal, course) = match path.filter(|_| self.resume) {
            Some(path) => {
                let (journal, course, torn_bytes) = spsa::resume(path, plan.settings.clone())?;
                if torn_bytes > 0 {
                    let path = path.display();
                    log::warn!("{path}: dropped an incomplete last line of {torn_bytes} bytes");
                }
                (Some(journal), course)
            }
            None => (None, Course::new(plan.settings.clone())),
        };
        if course.counted() == plan.settings.iterations {
            return self.conclude(&course, out).map(|()| ExitCode::SUCCESS);
        }
        let contenders = contenders(plan)?;
        let at_once = self.at_once(&course);
        check_open_files(contenders.len(), at_once)?;
        let cancel = cancel_on_signal()?;
        check(&contenders, &cancel)?;
        if cancel.is_cancelled() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let journal = match (journal, path) {
            (None, Some(path)) => Some(Journal::create(path, &plan.settings)?),
            (journal, _) => journal,
        };
        let fingerprint = course.fingerprint().to_owned();
        let games = Match::new(&contenders, &plan.openings, &plan.rules, fingerprint)?;
        let desk = Desk::new(course, &cancel)?;
        let played = self.play(&games, &desk, journal, at_once, &cancel);
        let told = desk.show(|course| self.conclude(course, out));
        end_of_run(played, cancel.is_cancelled(), told)
    }

    /// Games that are played at once, no more than there are before the values of the next ones are known.
    fn at_once(&self, course: &Course) -> usize {
        let settings = course.settings();
        let left = settings.iterations - course.finished();
        let most = 2 * left.min(settings.delay);
        let wanted = self.concurrency.unwrap_or_else(values::cores);
        if wanted as u64 > most && most < 2 * left {
            log::warn!("only {most} games at once: raise --delay for more");
        }
        wanted.min(most as usize)
    }

    /// Plays what is left, or until the run is cancelled.
    fn play(
        &self,
        games: &Match,
        desk: &Desk,
        mut journal: Option<Journal<Spsa>>,
        at_once: usize,
        cancel: &Cancel,
    ) -> anyhow::Result<()> {
        let (total, held) = desk.show(|course| (course.settings().iterations, course.finished()));
        let progress = ProgressLine::new("pairs", total, held);
        let mut fault = None;
        let run = games.run(&|| desk.next(), at_once, cancel, |game| {
            match enter(desk, journal.as_mut(), game) {
                Ok(false) => {}
                Ok(true) => desk.show(|course| {
                    let is_due = progress.show(course.finished(), || spsa::text::summary(course));
                    if is_due && let Err(error) = self.report(course) {
                        // It is tried again; the games are what matters.
                        progress.note(&format!("warning: {}", told_once(&error)));
                    }
                }),
                Err(error) => {
                    fault = Some(error);
                    return ControlFlow::Break(());
                }
            }
            ControlFlow::Continue(())
        });
        progress.finish();
        run?;
        fault.map_or(Ok(()), Err)
    }

    /// Prints the result and writes the report.
    fn conclude(&self, course: &Course, out: &mut dyn Write) -> anyhow::Result<()> {
        let told = write!(out, "{}", spsa::text::result(course)).and_then(|()| out.flush());
        // The report is written even if stdout cannot be.
        self.report(course)?;
        Ok(told?)
    }

    fn report(&self, course: &Course) -> anyhow::Result<()> {
        let Some(path) = &self.report else {
            return Ok(());
        };
        spsa::report::write(path, course).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Takes in a finished game. Returns whether its pair is complete, and so in the journal and counted.
fn enter(desk: &Desk, journal: Option<&mut Journal<Spsa>>, game: GameRecord) -> anyhow::Result<bool> {
    // It would count as a loss, which says nothing about the margins.
    if game.at_fault().is_some() {
        let detail = game.detail.as_deref().unwrap_or("no details");
        bail!(
            "game {} of iteration {} ended by a fault of the engine ({}: {detail}); the run stops, --resume plays it again",
            game.game + 1,
            game.pair + 1,
            game.termination
        );
    }
    let Some(pair) = desk.take(game) else {
        return Ok(false);
    };
    if let Some(journal) = journal {
        journal.append(&pair)?;
    }
    desk.enter(&pair).map_err(anyhow::Error::msg)?;
    Ok(true)
}

/// Two engines for each board: this program twice.
fn contenders(plan: &Plan) -> anyhow::Result<Vec<Contender>> {
    let path = std::env::current_exe().context("this program does not find itself")?;
    let settings = &plan.settings;
    let start: Vec<i32> = settings.margins.iter().map(|margin| spsa::text::whole(margin.start)).collect();
    let mut options = vec![("Hash".to_owned(), settings.hash.to_string())];
    // Set from the beginning, so that the program is asked whether it has these margins before any game.
    options.extend(spsa::options(&settings.margins, &start));
    let config = |side: &str| EngineConfig {
        name: side.to_owned(),
        program: Program { path: path.clone(), args: vec!["tei".to_owned()], ..Program::default() },
        time: TimeControl { nodes: Some(settings.nodes), ..TimeControl::default() },
        margin: Duration::ZERO,
        stall: STALL,
        options: options.clone(),
    };
    let boards = plan.boards.iter().flat_map(|&(size, komi)| {
        ["plus", "minus"].map(|side| Contender::new(config(side), size, komi, OpeningRule::Swap))
    });
    Ok(boards.collect())
}
