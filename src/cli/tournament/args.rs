//! The settings of a tournament as they are typed, on the command line or in a TOML file, and their meaning.

use std::fs::File;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use serde::{Deserialize, Deserializer, de};

use super::watch::WatchArgs;
use crate::arena::play::config::{self, DrawRule, EngineConfig, EngineOptions, MatchRules, ResignRule};
use crate::arena::stats::sprt::SprtSettings;
use crate::arena::tournament::schedule::{Format, OpeningOrder, Schedule};
use crate::arena::tournament::settings::TournamentSettings;
use crate::arena::words::{read_words, setting_fault, some};
use crate::board::{Komi, OpeningRule, Setup, Size};
use crate::cli::errors::usage;
use crate::cli::values;
use crate::engine::memory::available_mib;
use crate::files::text::read_text;
use crate::notation::excerpt;
use crate::openings::book::{self, BookFormat, Opening};
use crate::openings::random::first_moves;
use crate::shard::Shard;

/// The flags. They become [`Settings`] once the TOML file that they may name has been read.
#[derive(Debug, Clone)]
pub struct PlayArgs(ArgMatches);

impl Args for PlayArgs {
    fn augment_args(command: Command) -> Command {
        Settings::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Settings::augment_args_for_update(command)
    }
}

impl FromArgMatches for PlayArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Settings::from_arg_matches(matches).map(|_| Self(matches.clone()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl PlayArgs {
    /// The settings of the file, if one is named, and of the flags, which override it.
    pub fn settings(&self) -> anyhow::Result<Settings> {
        let mut settings = match self.0.get_one::<PathBuf>("config") {
            Some(path) => Settings::read(path).with_context(|| format!("cannot read {}", path.display()))?,
            None => Settings::default(),
        };
        settings.update_from_arg_matches(&self.0)?;
        settings.take_words().map_err(usage)?;
        Ok(settings)
    }
}

/// The settings. A TOML file has the names of the flags, except those that belong to one run.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Settings {
    #[arg(skip)]
    engine: Vec<EngineOptions>,
    #[arg(skip)]
    all_engines: EngineOptions,
    #[arg(skip)]
    sprt: Option<SprtSettings>,
    #[arg(skip)]
    resign: Option<ResignRule>,
    #[arg(skip)]
    draw: Option<DrawRule>,
    #[command(flatten)]
    #[serde(skip)]
    words: WordFlags,
    /// Read settings from a TOML file; flags override it
    #[arg(long, value_name = "FILE.toml")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// Board size, 3 to 8 [default: 6]
    #[arg(long)]
    #[serde(deserialize_with = "some")]
    size: Option<Size>,
    /// Komi in flats, halves allowed [default: 0]
    #[arg(long, value_name = "FLATS", value_parser = values::komi)]
    #[serde(deserialize_with = "some")]
    komi: Option<Komi>,
    /// First turns; engines need an option Opening for the last two [default: swap]
    #[arg(long, value_name = "RULE")]
    opening: Option<OpeningRule>,
    /// Suite of openings: move lists, TPS or PTN [default: one flat each, in all ways]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Format of the opening suite [default: detected from the content]
    #[arg(long, value_enum, value_name = "FORMAT")]
    book_format: Option<BookFormat>,
    /// Take only so many first plies of each opening, for example of whole games; shorter games are left out
    #[arg(long, value_name = "N", value_parser = values::number::<usize>(1..=1000))]
    plies: Option<usize>,
    /// Order in which openings are used [default: sequential; random without --openings]
    #[arg(long, value_enum)]
    order: Option<OpeningOrder>,
    /// Games per pairing, an even number [default: 100; with sprt at most 100000]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(0..=u64::MAX))]
    games: Option<u64>,
    /// Games played at once [default: as many as there are cores for]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    #[serde(alias = "concurrency", deserialize_with = "threads_of_number")]
    threads: Option<usize>,
    /// Memory for the engines of all games at once, in MiB [default: what is free]
    #[arg(long, value_name = "MIB", value_parser = values::number::<u64>(1..=1 << 30))]
    memory: Option<u64>,
    /// Pairings: all against all, the first engine against all others, or two engines until the test decides
    /// [default: round-robin; sprt with --sprt]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// For the random order of openings [default: 1]
    #[arg(long, value_name = "N", value_parser = values::number::<u64>(0..=u64::MAX))]
    seed: Option<u64>,
    /// Write the games as PTN
    #[arg(long, value_name = "FILE.ptn")]
    pub ptn: Option<PathBuf>,
    /// Write a report as one HTML page
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Write every finished game to this journal, so that an interrupted run can be resumed
    #[arg(long, value_name = "FILE.jsonl")]
    pub journal: Option<PathBuf>,
    /// Continue the tournament of the journal
    // Whether there is a journal is known once the TOML file has been read.
    #[arg(long)]
    #[serde(skip)]
    pub resume: bool,
    /// Overwrite files that already exist; with --resume that is allowed
    #[arg(long)]
    #[serde(skip)]
    pub force: bool,
    #[command(flatten)]
    #[serde(skip)]
    pub watch: WatchArgs,
    /// Play one share of the games, for example 1/4
    #[arg(long, value_name = "I/N", value_parser = str::parse::<Shard>)]
    #[serde(skip)]
    shard: Option<Shard>,
    /// Declare a draw at the Nth occurrence of a position; 0 disables the rule [default: 3]
    #[arg(long, value_name = "N", value_parser = values::number::<usize>(0..=u64::MAX))]
    repetitions: Option<usize>,
    /// Draw when a game has this many plies [default: 1000]
    #[arg(long, value_name = "N", value_parser = values::number::<u32>(PLIES))]
    #[serde(deserialize_with = "plies_of_number")]
    max_plies: Option<u32>,
    /// End a game when both engines claim the same proven result
    #[arg(long, num_args = 0, default_missing_value = "true")]
    solved_agreement: Option<bool>,
}

/// Flags that take `key=value` words.
#[derive(Debug, Clone, Default, clap::Args)]
struct WordFlags {
    #[command(flatten)]
    engine: EngineWords,
    /// Settings for all engines; an engine's own settings override them
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    all_engines: Option<Vec<String>>,
    /// The test, of the first engine against the second: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized|logistic
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    sprt: Option<Vec<String>>,
    /// An engine loses when its score is hopeless for some moves in a row, in cp as engines report them:
    /// movecount=3 score=600 twosided=false
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    resign: Option<Vec<String>>,
    /// Draw when both scores are level for some moves in a row, in cp as engines report them:
    /// movenumber=30 movecount=8 score=10
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    draw: Option<Vec<String>>,
}

/// The `--engine` flags, each with its own words.
#[derive(Debug, Clone, Default)]
struct EngineWords(Vec<Vec<String>>);

const ENGINE_HELP: &str = "An engine; once for each. Keys: path=PROGRAM, name=NAME, arg=ARGUMENT (once for each), \
    dir=FOLDER, stderr=FILE, tc=SECONDS+INCREMENT, st=SECONDS, nodes=N, depth=N, timemargin=MILLISECONDS [50], \
    stall=SECONDS [10], option.NAME=VALUE";

impl Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .num_args(1..)
                .action(ArgAction::Append)
                .value_name("KEY=VALUE")
                .help(ENGINE_HELP),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let occurrences = matches.get_occurrences::<String>("engine");
        let engines = occurrences.into_iter().flatten();
        Ok(Self(engines.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Plies of a game.
const PLIES: RangeInclusive<u64> = 1..=u32::MAX as u64;

fn threads_of_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    number_within(from, values::THREADS)
}

fn plies_of_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u32>, D::Error> {
    number_within(from, PLIES)
}

/// A whole number in the range of its flag.
fn number_within<'de, D, T>(from: D, range: RangeInclusive<u64>) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = u64::deserialize(from)?;
    let valid = Some(number).filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
    let invalid = || format!("invalid number {number}: expected {} to {}", range.start(), range.end());
    valid.map(Some).ok_or_else(|| de::Error::custom(invalid()))
}

/// A tournament whose settings make sense.
#[derive(Debug)]
pub struct Tournament {
    pub size: Size,
    pub komi: Komi,
    pub opening: OpeningRule,
    pub engines: Vec<EngineConfig>,
    pub openings: Vec<Opening>,
    pub rules: MatchRules,
    pub schedule: Schedule,
    pub sprt: Option<SprtSettings>,
    /// Games played at once, if that is asked for.
    pub threads: Option<usize>,
    /// Memory for the engines, in MiB; `None` if it is unknown.
    pub memory_mib: Option<u64>,
    pub shard: Shard,
}

/// Games for each two engines.
const DEFAULT_GAMES: u64 = 100;
/// Games of a test, if it does not decide before.
const DEFAULT_SPRT_GAMES: u64 = 100_000;

impl Settings {
    /// Makes sure that nothing is written over the files read or over each other. Engines may share a file for their
    /// stderr, since it is appended to.
    pub fn check_outputs(&self, engines: &[EngineConfig]) -> anyhow::Result<()> {
        let read = [&self.config, &self.openings].map(Option::as_deref);
        let mut kept: Vec<&Path> = read.into_iter().flatten().collect();
        let logs = engines.iter().filter_map(|engine| engine.program.stderr.as_deref());
        for log in logs.clone() {
            values::check_is_file("stderr", Some(log))?;
            values::check_outputs(&kept, &[Some(log)])?;
        }
        kept.extend(logs);
        values::check_is_file("--journal", self.journal.as_deref())?;
        let outputs = [&self.journal, &self.ptn, &self.report].map(Option::as_deref);
        values::check_outputs(&kept, &outputs)
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = read_text(File::open(path)?)?;
        toml::from_str(&text).map_err(|error| {
            let begin = error.span().map_or(0, |span| span.start);
            let number = text.get(..begin).unwrap_or_default().matches('\n').count();
            let line = text.lines().nth(number).unwrap_or_default();
            anyhow!("line {}, {:?}: {}", number + 1, excerpt(line), setting_fault(error.message()))
        })
    }

    /// Reads the words of the flags.
    fn take_words(&mut self) -> Result<(), String> {
        let words = std::mem::take(&mut self.words);
        if !words.engine.0.is_empty() {
            let engines = words.engine.0.iter().zip(1..);
            let read = engines.map(|(words, number)| read_words(&format!("engine {number}"), words));
            self.engine = read.collect::<Result<_, _>>()?;
        }
        if let Some(words) = &words.all_engines {
            self.all_engines = read_words("--all-engines", words)?;
        }
        self.sprt = words.sprt.map(|words| read_words("--sprt", &words)).transpose()?.or(self.sprt);
        self.resign = words.resign.map(|words| read_words("--resign", &words)).transpose()?.or(self.resign);
        self.draw = words.draw.map(|words| read_words("--draw", &words)).transpose()?.or(self.draw);
        Ok(())
    }

    pub fn plan(&self) -> anyhow::Result<Tournament> {
        if self.resume && self.journal.is_none() {
            return Err(usage("--resume needs the journal to continue, name it with --journal"));
        }
        let engines = config::engines(&self.engine, &self.all_engines).map_err(usage)?;
        let (size, komi) = (self.size.unwrap_or(Size::USUAL), self.komi.unwrap_or_default());
        let opening = self.opening.unwrap_or_default();
        let format = match (self.format, self.sprt) {
            (None | Some(Format::Sprt), Some(_)) => Format::Sprt,
            (Some(_), Some(_)) => return Err(usage("--sprt is for --format sprt only")),
            (format, None) => format.unwrap_or_default(),
        };
        let sprt = (format == Format::Sprt).then(|| self.sprt.unwrap_or_default());
        if let Some(sprt) = sprt {
            sprt.check().map_err(|fault| usage(format_args!("--sprt: {fault}")))?;
        }
        let openings = match &self.openings {
            Some(path) => {
                let board = Setup { opening, ..Setup::empty(size, komi) };
                book::load(path, self.book_format, self.plies, &board)?
            }
            None if self.plies.is_some() => {
                return Err(usage("--plies needs a file of games, name it with --openings"));
            }
            None => first_moves(size, komi, opening),
        };
        let usual_order = if self.openings.is_some() { OpeningOrder::Sequential } else { OpeningOrder::Shuffled };
        let order = self.order.unwrap_or(usual_order);
        let games = self.games.unwrap_or(match format {
            Format::Sprt => DEFAULT_SPRT_GAMES,
            _ => DEFAULT_GAMES,
        });
        let schedule = Schedule {
            format,
            engines: engines.len(),
            games,
            openings: openings.len(),
            order,
            seed: self.seed.unwrap_or(1),
        };
        Ok(Tournament {
            size,
            komi,
            opening,
            engines,
            openings,
            rules: self.rules()?,
            schedule,
            sprt,
            threads: self.threads,
            memory_mib: self.memory.or_else(|| available_mib().map(|mib| mib as u64)),
            shard: self.shard.unwrap_or(Shard::WHOLE),
        })
    }

    fn rules(&self) -> anyhow::Result<MatchRules> {
        let default = MatchRules::default();
        self.resign.map_or(Ok(()), ResignRule::check).map_err(usage)?;
        self.draw.map_or(Ok(()), DrawRule::check).map_err(usage)?;
        Ok(MatchRules {
            repetitions: self.repetitions.map_or(default.repetitions, |count| (count > 0).then_some(count)),
            max_plies: self.max_plies.unwrap_or(default.max_plies),
            resign: self.resign,
            draw: self.draw,
            solved_agreement: self.solved_agreement.unwrap_or_default(),
        })
    }
}

impl Tournament {
    /// The settings as the journal keeps them.
    pub fn settings(&self) -> TournamentSettings {
        TournamentSettings {
            engines: self.engines.iter().map(EngineConfig::settings).collect(),
            format: self.schedule.format,
            games: self.schedule.games,
            size: u8::try_from(self.size.width()).unwrap_or_default(),
            half_komi: self.komi.half(),
            opening_rule: self.opening,
            order: self.schedule.order,
            seed: self.schedule.seed,
            openings: self.openings.len(),
            openings_hash: book::hash(&self.openings),
            sprt: self.sprt,
            rules: self.rules.to_map(),
        }
    }
}
