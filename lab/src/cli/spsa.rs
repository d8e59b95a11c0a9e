//! `tak-lab tune --spsa`: tunes parameters of the search by games of the program against itself.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use tak_engine::arena::play::clock::TimeControl;
use tak_engine::arena::play::config::{EngineConfig, MatchRules};
use tak_engine::arena::play::player::EngineEntry;
use tak_engine::arena::play::process::Program;
use tak_engine::arena::play::runner::{Match, check, check_open_files};
use tak_engine::board::{Komi, OpeningRule, Setup, Size};
use tak_engine::cli::errors::usage;
use tak_engine::cli::interrupt::{INTERRUPTED, cancel_on_signal, end_of_run};
use tak_engine::cli::progress::Progress;
use tak_engine::cli::stderr::warn_of_journal;
use tak_engine::cli::values::{self, check_outputs};
use tak_engine::journals::journal::Journal;
use tak_engine::openings::book::{self, Opening};
use tak_engine::openings::random::first_moves;

use crate::spsa::{self, BoardSettings, DEFAULT_RATE, ROUND_PAIRS, SpsaRun, SpsaSettings, choose, words};

/// Time after which an engine whose answer is overdue counts as stalled. Machines that tune are busy.
const STALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Tunes parameters of the search by games of the program against itself (SPSA).
///
/// Every iteration is a pair of games from one opening with colours swapped. One side plays with every parameter moved
/// by its step into a random direction, the other with all of them moved the opposite way. The winner pulls the
/// parameters its way. The run depends on the settings and the seed alone, not on the number of games played at once.
/// Ctrl-C ends it with the values so far; --resume continues it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  tak-lab tune --spsa --param 'futility_*' --param aspiration=40,5 --size 6,5 --komi 2,0 \\\n      \
        --openings openings/6s_komi2.txt openings/5s_komi0.txt --iterations 10000 \\\n      \
        --journal spsa.jsonl --resume"
)]
pub struct Args {
    /// A parameter of core/src/search/params.rs, or with * at its end all whose names begin so; once for each. START need
    /// not be whole; STEP is added and subtracted in the last iteration [default: a twentieth of the range, at least
    /// 0.5]; RATE as for --rate. Each may be omitted [default: all parameters that have an effect in these games]
    #[arg(long = "param", value_name = "NAME[=START[,STEP[,RATE]]]")]
    params: Vec<String>,
    /// Board sizes, 3 to 8, played on in turn
    #[arg(long = "size", value_name = "SIZE", required = true, value_delimiter = ',')]
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
    #[arg(long, default_value_t = 20_000, value_parser = values::nodes())]
    nodes: u64,
    /// Pairs of games in all
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = values::number::<u64>(1..=500_000))]
    iterations: u64,
    /// Learning rate: change of a parameter per point won in the last iteration, in steps
    #[arg(long, default_value_t = DEFAULT_RATE, allow_negative_numbers = true)]
    rate: f64,
    /// Table of each engine in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = values::number::<u64>(1..=65_536))]
    hash: u64,
    /// Games played at once [default: all cores]. A round has 64 games, and the next one waits for its last
    #[arg(long, alias = "concurrency", value_name = "N", value_parser = values::threads())]
    threads: Option<usize>,
    /// Seed of directions and openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write every finished pair to this journal, so that an interrupted run can be resumed
    #[arg(long, value_name = "FILE.jsonl")]
    journal: Option<PathBuf>,
    /// Continue the run of the journal
    #[arg(long, requires = "journal")]
    resume: bool,
}

pub fn run(args: &Args, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    if cfg!(not(feature = "tuning")) {
        return Err(usage("this build has no search parameters to tune; build with --features tuning"));
    }
    let plan = args.plan()?;
    args.tune(&plan, out)
}

/// A run whose settings make sense.
struct SpsaPlan {
    settings: SpsaSettings,
    boards: Vec<(Size, Komi)>,
    /// The openings of all boards, one after the other.
    openings: Vec<Opening>,
    rules: MatchRules,
}

impl Args {
    fn plan(&self) -> anyhow::Result<SpsaPlan> {
        let inputs: Vec<&Path> = self.openings.iter().map(PathBuf::as_path).collect();
        check_outputs(&inputs, &[self.journal.as_deref()])?;
        let params = choose(&self.params, self.rate).map_err(|reason| usage(format_args!("--param: {reason}")))?;
        let count = self.sizes.len();
        let komis = self.komi.len();
        if komis != 1 && komis != count {
            let mistake = format!("--komi: {komis} values for {count} boards, expected one for all or one for each");
            return Err(usage(mistake));
        }
        let files = self.openings.len();
        if files != 0 && files != count {
            return Err(usage(format_args!("--openings: expected a file for each of the {count} boards, not {files}")));
        }
        let komis = self.komi.iter().cycle().copied();
        let boards: Vec<(Size, Komi)> = self.sizes.iter().copied().zip(komis).collect();
        let mut described = Vec::new();
        let mut openings = Vec::new();
        for (place, &(size, komi)) in boards.iter().enumerate() {
            let suite = match self.openings.get(place) {
                Some(path) => book::load(path, None, None, &Setup::empty(size, komi))?,
                None => first_moves(size, komi, OpeningRule::Swap),
            };
            described.push(BoardSettings {
                size: size.width() as u8,
                half_komi: komi.half(),
                openings: suite.len(),
                openings_hash: book::hash(&suite),
            });
            openings.extend(suite);
        }
        // A result that both sides have proven will not change any more.
        let rules = MatchRules { solved_agreement: true, ..MatchRules::default() };
        let settings = SpsaSettings {
            params,
            boards: described,
            nodes: self.nodes,
            hash: self.hash,
            iterations: self.iterations,
            seed: self.seed,
            rules: rules.to_map(),
        };
        settings.check().map_err(usage)?;
        Ok(SpsaPlan { settings, boards, openings, rules })
    }

    fn tune(&self, plan: &SpsaPlan, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
        let path = self.journal.as_deref();
        let (journal, mut run) = match path.filter(|_| self.resume) {
            Some(path) => {
                let (journal, run, incomplete_bytes) = spsa::resume(path, plan.settings.clone())?;
                warn_of_journal(path, incomplete_bytes, 0);
                (Some(journal), run)
            }
            None => (None, SpsaRun::new(plan.settings.clone())),
        };
        if run.counted() == plan.settings.iterations {
            return conclude(&run, out).map(|()| ExitCode::SUCCESS);
        }
        let entries = entries(plan)?;
        let at_once = self.threads.unwrap_or_else(values::cores).min(2 * ROUND_PAIRS as usize);
        check_open_files(entries.len(), at_once)?;
        let cancel = cancel_on_signal()?;
        check(&entries, &cancel)?;
        if cancel.is_cancelled() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let journal = match (journal, path) {
            (None, Some(path)) => Some(Journal::create(path, &plan.settings)?),
            (journal, _) => journal,
        };
        let fingerprint = run.fingerprint.clone();
        let games = Match::new(&entries, &plan.openings, &plan.rules, fingerprint)?;
        let progress = Progress::resumed("pairs", Some(plan.settings.iterations), run.finished());
        progress.begin("the first games are being played");
        let played = spsa::play(&games, &mut run, journal, at_once, &cancel, |run| {
            progress.say_more(&words::summary(run));
            progress.set(run.finished());
        });
        progress.finish();
        end_of_run(played, cancel.is_cancelled(), conclude(&run, out))
    }
}

/// Prints the result.
fn conclude(run: &SpsaRun, out: &mut dyn Write) -> anyhow::Result<()> {
    write!(out, "{}", words::result(run))?;
    Ok(out.flush()?)
}

/// Two engines for each board: this program twice.
fn entries(plan: &SpsaPlan) -> anyhow::Result<Vec<EngineEntry>> {
    let path = std::env::current_exe().context("cannot determine the path of this executable")?;
    let settings = &plan.settings;
    let start: Vec<i32> = settings.params.iter().map(|param| words::whole(param.start)).collect();
    let mut options = vec![("Hash".to_owned(), settings.hash.to_string())];
    // Set from the beginning, so that a program without these parameters is refused before any game.
    options.extend(spsa::options(&settings.params, &start));
    let config = |side: &str| EngineConfig {
        name: side.to_owned(),
        program: Program { path: path.clone(), args: vec!["tei".to_owned()], ..Program::default() },
        time: TimeControl { nodes: Some(settings.nodes), ..TimeControl::default() },
        margin: Duration::ZERO,
        stall: STALL_TIMEOUT,
        options: options.clone(),
    };
    let boards = plan.boards.iter().flat_map(|&(size, komi)| {
        ["plus", "minus"].map(|side| EngineEntry::new(config(side), size, komi, OpeningRule::Swap))
    });
    Ok(boards.collect())
}
