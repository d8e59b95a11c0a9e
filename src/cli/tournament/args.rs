//! The settings of a tournament as they are typed, on the command line or in a TOML file, and their meaning.

use std::fs::File;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches};
use serde::{Deserialize, Deserializer, de};

use crate::arena::play::config::{self, EngineConfig, MatchRules};
use crate::arena::stats::sprt::SprtSettings;
use crate::arena::tournament::schedule::{Format, OpeningOrder, Schedule};
use crate::arena::tournament::settings::TournamentSettings;
use crate::board::{Komi, OpeningRule, Setup, Size};
use crate::cli::errors::usage;
use crate::cli::values;
use crate::files::text::read_text;
use crate::openings::book::{self, BookFormat, Opening};
use crate::openings::random::first_moves;
use crate::shard::Shard;

/// The flags. A TOML file has the same names, except `config`, `resume`, `force` and `shard`, which belong to one run.
#[derive(Debug, Clone, Default, clap::Args, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct PlayArgs {
    #[command(flatten)]
    engine: Engines,
    /// Settings for all engines; an engine's own settings override them
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    #[serde(deserialize_with = "table_as_words")]
    all_engines: Vec<String>,
    /// Read settings from a TOML file; flags override it
    #[arg(long, value_name = "FILE.toml")]
    #[serde(skip)]
    config: Option<PathBuf>,
    /// Board size, 3 to 8 [default: 6]
    #[arg(long)]
    size: Option<u64>,
    /// Komi in flats, halves allowed [default: 0]
    #[arg(long, allow_negative_numbers = true, value_name = "FLATS", value_parser = values::komi)]
    #[serde(deserialize_with = "komi_of_number")]
    komi: Option<Komi>,
    /// First turns: swap, no-swap or double-black; engines need an option Opening for the last two [default: swap]
    #[arg(long, value_name = "RULE")]
    opening: Option<String>,
    /// Suite of openings: move lists, TPS or PTN [default: one flat each, in all ways]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Format of the opening suite [default: detected from the content]
    #[arg(long, value_enum)]
    book_format: Option<BookFormat>,
    /// Order in which openings are used [default: sequential; random without --openings]
    #[arg(long, value_enum)]
    order: Option<OpeningOrder>,
    /// Games per pairing, an even number [default: 100; with sprt at most 100000]
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    /// Games played at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = values::threads())]
    #[serde(deserialize_with = "concurrency_of_number")]
    concurrency: Option<usize>,
    /// Pairings: all against all, the first engine against all others, or two engines until the test decides
    /// [default: round-robin; sprt with --sprt]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// The test, of the first engine against the second: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=normalized|logistic
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    #[serde(deserialize_with = "optional_table_as_words")]
    sprt: Option<Vec<String>>,
    /// For the random order of openings [default: 1]
    #[arg(long, value_name = "S")]
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
    /// Play one share of the games, for example 1/4
    #[arg(long, value_name = "I/N", value_parser = str::parse::<Shard>)]
    #[serde(skip)]
    shard: Option<Shard>,
    /// Declare a draw at the Nth occurrence of a position; 0 disables the rule [default: 3]
    #[arg(long, value_name = "N")]
    repetitions: Option<usize>,
    /// Draw when a game has this many plies [default: 1000]
    #[arg(long, value_name = "N", value_parser = values::number::<u32>(PLIES))]
    #[serde(deserialize_with = "plies_of_number")]
    max_plies: Option<u32>,
    /// An engine loses when its score is hopeless for some moves in a row, in centiflats:
    /// movecount=3 score=600 twosided=false
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    #[serde(deserialize_with = "optional_table_as_words")]
    resign: Option<Vec<String>>,
    /// Draw when both scores are level for some moves in a row, in centiflats:
    /// movenumber=30 movecount=8 score=10
    #[arg(long, num_args = 0.., value_name = "KEY=VALUE")]
    #[serde(deserialize_with = "optional_table_as_words")]
    draw: Option<Vec<String>>,
    /// End a game when both engines claim the same proven result
    #[arg(long)]
    solved_agreement: bool,
}

/// The `--engine` flags, each with its own words.
#[derive(Debug, Clone, Default)]
struct Engines(Vec<Vec<String>>);

const ENGINE_HELP: &str = "An engine; once for each. Keys: path=PROGRAM, name=NAME, arg=ARGUMENT (once for each), \
    dir=FOLDER, stderr=FILE, tc=SECONDS+INCREMENT, st=SECONDS, nodes=N, depth=N, timemargin=MILLISECONDS [50], \
    stall=SECONDS [10], option.NAME=VALUE";

impl clap::Args for Engines {
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

impl FromArgMatches for Engines {
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

impl<'de> Deserialize<'de> for Engines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let tables = Vec::<toml::Table>::deserialize(deserializer)?;
        let engines = tables.iter().map(words_of_table).collect::<Result<_, _>>();
        engines.map(Self).map_err(de::Error::custom)
    }
}

fn table_as_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    words_of_table(&toml::Table::deserialize(deserializer)?).map_err(de::Error::custom)
}

fn optional_table_as_words<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<String>>, D::Error> {
    table_as_words(deserializer).map(Some)
}

/// A number of a TOML file, refused for the same reasons as the text of a flag.
fn komi_of_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Komi>, D::Error> {
    let text = match toml::Value::deserialize(deserializer)? {
        toml::Value::Integer(number) => number.to_string(),
        toml::Value::Float(number) => number.to_string(),
        value => {
            let expected = format!("komi is a {}, expected a number", value.type_str());
            return Err(de::Error::custom(expected));
        }
    };
    values::komi(&text).map(Some).map_err(de::Error::custom)
}

/// Plies of a game.
const PLIES: RangeInclusive<u64> = 1..=u32::MAX as u64;

fn concurrency_of_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    number(deserializer, values::THREADS)
}

fn plies_of_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    number(deserializer, PLIES)
}

/// A whole number in the range of its flag.
fn number<'de, D, T>(deserializer: D, range: RangeInclusive<u64>) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: TryFrom<u64>,
{
    let number = u64::deserialize(deserializer)?;
    let valid = Some(number).filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
    let invalid = || format!("invalid number {number}: expected {} to {}", range.start(), range.end());
    valid.map(Some).ok_or_else(|| de::Error::custom(invalid()))
}

/// `{ path = "x", arg = ["a", "b"], option = { Hash = 16 } }` as `path=x arg=a arg=b option.Hash=16`.
fn words_of_table(table: &toml::Table) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    for (key, value) in table {
        match value {
            toml::Value::Array(values) => {
                for value in values {
                    words.push(format!("{key}={}", plain(key, value)?));
                }
            }
            toml::Value::Table(inner) => {
                for (name, value) in inner {
                    words.push(format!("{key}.{name}={}", plain(name, value)?));
                }
            }
            _ => words.push(format!("{key}={}", plain(key, value)?)),
        }
    }
    Ok(words)
}

fn plain(key: &str, value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        // With its point, as in the file.
        toml::Value::Float(number) => Ok(format!("{number:?}")),
        toml::Value::Boolean(flag) => Ok(flag.to_string()),
        toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
            Err(format!("invalid {} for {key}: expected a text or a number", value.type_str()))
        }
    }
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
    pub concurrency: usize,
    pub shard: Shard,
}

/// Games for each two engines.
const DEFAULT_GAMES: u64 = 100;
/// Games of a test, if it does not decide before.
const DEFAULT_SPRT_GAMES: u64 = 100_000;

impl PlayArgs {
    /// Makes sure that nothing is written over the files read or over each other. Engines may share a file for their
    /// stderr, since it is appended to.
    pub fn check_outputs(&self, engines: &[EngineConfig]) -> anyhow::Result<()> {
        let read = [&self.config, &self.openings].map(Option::as_deref);
        let mut kept: Vec<&Path> = read.into_iter().flatten().collect();
        let logs = engines.iter().filter_map(|engine| engine.program.stderr.as_deref());
        for log in logs.clone() {
            values::check_outputs(&kept, &[Some(log)])?;
        }
        kept.extend(logs);
        let outputs = [&self.journal, &self.ptn, &self.report].map(Option::as_deref);
        values::check_outputs(&kept, &outputs)
    }

    /// These settings with those of the `--config` file for missing ones.
    pub fn with_file(self) -> anyhow::Result<Self> {
        let Some(path) = &self.config else {
            return Ok(self);
        };
        let file = Self::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(self.or(file))
    }

    fn read(path: &Path) -> anyhow::Result<Self> {
        Ok(toml::from_str(&read_text(File::open(path)?)?)?)
    }

    fn or(self, other: Self) -> Self {
        let longer = |own: Vec<_>, other| if own.is_empty() { other } else { own };
        Self {
            engine: if self.engine.0.is_empty() { other.engine } else { self.engine },
            all_engines: longer(self.all_engines, other.all_engines),
            config: self.config,
            size: self.size.or(other.size),
            komi: self.komi.or(other.komi),
            opening: self.opening.or(other.opening),
            openings: self.openings.or(other.openings),
            book_format: self.book_format.or(other.book_format),
            order: self.order.or(other.order),
            games: self.games.or(other.games),
            concurrency: self.concurrency.or(other.concurrency),
            format: self.format.or(other.format),
            sprt: self.sprt.or(other.sprt),
            seed: self.seed.or(other.seed),
            ptn: self.ptn.or(other.ptn),
            report: self.report.or(other.report),
            journal: self.journal.or(other.journal),
            resume: self.resume,
            force: self.force,
            shard: self.shard,
            repetitions: self.repetitions.or(other.repetitions),
            max_plies: self.max_plies.or(other.max_plies),
            resign: self.resign.or(other.resign),
            draw: self.draw.or(other.draw),
            solved_agreement: self.solved_agreement || other.solved_agreement,
        }
    }

    pub fn plan(&self) -> anyhow::Result<Tournament> {
        if self.resume && self.journal.is_none() {
            return Err(usage("--resume needs the journal to continue, name it with --journal"));
        }
        let engines = config::engines(&self.engine.0, &self.all_engines).map_err(usage)?;
        let size = self.size.map_or(Ok(Size::USUAL), Size::new).map_err(usage)?;
        let komi = self.komi.unwrap_or_default();
        let opening = match &self.opening {
            Some(name) => name.parse::<OpeningRule>().map_err(usage)?,
            None => OpeningRule::Swap,
        };
        let format = match (self.format, &self.sprt) {
            (None | Some(Format::Sprt), Some(_)) => Format::Sprt,
            (Some(_), Some(_)) => return Err(usage("--sprt is for --format sprt only")),
            (format, None) => format.unwrap_or_default(),
        };
        let sprt = match (format, &self.sprt) {
            (Format::Sprt, words) => Some(config::sprt_settings(words.as_deref().unwrap_or_default()).map_err(usage)?),
            _ => None,
        };
        let openings = match &self.openings {
            Some(path) => {
                let board = Setup { opening, ..Setup::empty(size, komi) };
                book::load(path, self.book_format, &board)?
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
            concurrency: self.concurrency.unwrap_or_else(values::cores),
            shard: self.shard.unwrap_or(Shard::WHOLE),
        })
    }

    fn rules(&self) -> anyhow::Result<MatchRules> {
        let default = MatchRules::default();
        let resign = self.resign.as_deref().map(config::resign_rule);
        let draw = self.draw.as_deref().map(config::draw_rule);
        Ok(MatchRules {
            repetitions: match self.repetitions {
                Some(0) => None,
                Some(count) => Some(count),
                None => default.repetitions,
            },
            max_plies: self.max_plies.unwrap_or(default.max_plies),
            resign: resign.transpose().map_err(usage)?,
            draw: draw.transpose().map_err(usage)?,
            solved_agreement: self.solved_agreement,
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
