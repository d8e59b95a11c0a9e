//! The setup of a tournament: engines and rules of the match, given as `key=value` words.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{anyhow, bail};

use super::clock::{TimeControl, parse_clock, parse_seconds};
use super::process::Program;
use crate::arena::record::EngineSettings;
use crate::arena::stats::sprt::{SprtModel, SprtSettings};
use crate::tei::reply::HALF_KOMI;

/// One engine, ready to be started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// Unique in the tournament.
    pub name: String,
    pub program: Program,
    pub time: TimeControl,
    /// Time by which an answer may be late.
    pub margin: Duration,
    /// Time after which an engine whose answer is overdue counts as stalled.
    pub stall: Duration,
    /// Options with their values, in the order they are sent.
    pub options: Vec<(String, String)>,
}

/// Rules that end games besides those of Tak.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchRules {
    /// A position that occurs this many times is a draw; `None` for never.
    pub repetitions: Option<usize>,
    /// A game of this many plies, those of the opening included, is a draw.
    pub max_plies: u32,
    pub resign: Option<ResignRule>,
    pub draw: Option<DrawRule>,
    /// Set if a game ends when both engines claim the same proven result.
    pub solved_agreement: bool,
}

/// An engine loses when its score was at most `-score` for this many of its moves in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves of the losing engine in a row.
    pub moves: u32,
    /// Centiflats, as the engines report them.
    pub score: i32,
    /// Set if the other engine's score must have been at least `score` for as long.
    pub two_sided: bool,
}

/// A game is a draw when no engine's score was further from 0 than `score` for this many moves of each in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// The first move (of both players) after which the rule may end a game.
    pub from_move: u32,
    /// Moves of each engine in a row.
    pub moves: u32,
    /// Centiflats, as the engines report them.
    pub score: i32,
}

impl Default for MatchRules {
    fn default() -> Self {
        Self { repetitions: Some(3), max_plies: 1000, resign: None, draw: None, solved_agreement: false }
    }
}

/// `key=value` words. Each setting takes its own out; a word that is left over is an error. All errors name the owner, for
/// example `engine 2 (topaz)` or `--sprt`.
struct Words<'a> {
    owner: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Words<'a> {
    fn new(owner: &'a str, words: impl IntoIterator<Item = &'a String>) -> anyhow::Result<Self> {
        let pair = |word: &'a String| {
            word.split_once('=').ok_or_else(|| anyhow!("{owner}: invalid setting {word:?}: expected key=value"))
        };
        Ok(Self { owner, pairs: words.into_iter().map(pair).collect::<Result<_, _>>()? })
    }

    fn error(&self, fault: impl Display) -> anyhow::Error {
        anyhow!("{}: {fault}", self.owner)
    }

    /// The last value of `key`: later words replace earlier ones.
    fn text(&mut self, key: &str) -> Option<&'a str> {
        self.all(key).pop()
    }

    fn all(&mut self, key: &str) -> Vec<&'a str> {
        let found = self.pairs.extract_if(.., |(name, _)| *name == key);
        found.map(|(_, value)| value).collect()
    }

    fn parsed<T, E: Display>(&mut self, key: &str, parse: impl Fn(&str) -> Result<T, E>) -> anyhow::Result<Option<T>> {
        let value = self.text(key);
        value.map(|value| parse(value).map_err(|error| self.error(format!("{key}={value}: {error}")))).transpose()
    }

    fn number<T: FromStr<Err: Display>>(&mut self, key: &str) -> anyhow::Result<Option<T>> {
        self.parsed(key, str::parse)
    }

    fn finish(self, known: &str) -> anyhow::Result<()> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) => Err(self.error(format!("unknown key {key:?}: expected {known}"))),
        }
    }
}

/// The default time for an engine without any limit.
const DEFAULT_CLOCK: (Duration, Duration) = (Duration::from_secs(10), Duration::from_millis(100));
const DEFAULT_MARGIN: Duration = Duration::from_millis(50);
const DEFAULT_STALL: Duration = Duration::from_secs(10);

/// Reads the engines of a tournament. `for_all` holds for each of them unless its own words override it; an own time
/// control replaces the common one as a whole.
pub fn engines(engines: &[Vec<String>], for_all: &[String]) -> anyhow::Result<Vec<EngineConfig>> {
    let mut configs = Vec::new();
    let mut taken = BTreeSet::new();
    for (index, own) in engines.iter().enumerate() {
        let mut config = engine(index + 1, own, for_all)?;
        let named = own.iter().any(|word| word.starts_with("name="));
        if !taken.insert(config.name.clone()) {
            if named {
                bail!("engine {}: the name {:?} is taken", index + 1, config.name);
            }
            // The same program with other settings.
            let free = (2..).map(|n| format!("{}-{n}", config.name));
            let name = free.into_iter().find(|name| !taken.contains(name));
            config.name = name.unwrap_or_default();
            taken.insert(config.name.clone());
        }
        configs.push(config);
    }
    Ok(configs)
}

fn engine(number: usize, own: &[String], for_all: &[String]) -> anyhow::Result<EngineConfig> {
    let is_time = |word: &str| ["tc=", "st=", "nodes=", "depth="].iter().any(|key| word.starts_with(key));
    let has_own_time = own.iter().any(|word| is_time(word));
    let common = for_all.iter().filter(|word| !(has_own_time && is_time(word)));

    let given_name = own.iter().rev().find_map(|word| word.strip_prefix("name="));
    let owner = match given_name {
        Some(name) => format!("engine {number} ({name})"),
        None => format!("engine {number}"),
    };
    let mut words = Words::new(&owner, common.chain(own))?;
    let Some(path) = words.text("path").filter(|path| !path.is_empty()) else {
        return Err(words.error("path=PROGRAM is missing"));
    };
    let path = PathBuf::from(path);
    let name = match words.text("name") {
        Some(name) => name.to_owned(),
        None => path.file_stem().map_or_else(|| format!("engine{number}"), |stem| stem.to_string_lossy().into_owned()),
    };
    if name.trim().is_empty() || name.contains(char::is_control) {
        return Err(words.error("the name must be visible text"));
    }
    let args = words.all("arg").into_iter().map(str::to_owned).collect();
    let program = Program {
        path,
        args,
        dir: words.text("dir").map(PathBuf::from),
        stderr: words.text("stderr").map(PathBuf::from),
    };
    let mut time = TimeControl {
        clock: words.parsed("tc", parse_clock)?,
        move_time: words.parsed("st", parse_seconds)?,
        nodes: words.number("nodes")?,
        depth: words.number("depth")?,
    };
    if time.move_time == Some(Duration::ZERO) || time.nodes == Some(0) || time.depth == Some(0) {
        return Err(words.error("st, nodes and depth must be more than 0"));
    }
    if time == TimeControl::default() {
        time.clock = Some(DEFAULT_CLOCK);
    }
    let margin = words.number("timemargin")?.map(Duration::from_millis);
    let stall = words.parsed("stall", parse_seconds)?;
    let options = options(&mut words)?;
    if words.text("affinity").is_some() {
        return Err(words.error("affinity: write path=taskset arg=-c arg=0,2 arg=PROGRAM to keep an engine to cores"));
    }
    words.finish("path, name, arg, dir, stderr, tc, st, nodes, depth, timemargin, stall or option.NAME")?;
    Ok(EngineConfig {
        name,
        program,
        time,
        margin: margin.unwrap_or(DEFAULT_MARGIN),
        stall: stall.unwrap_or(DEFAULT_STALL),
        options,
    })
}

/// The `option.NAME=VALUE` words; of two with the same name the later one.
fn options(words: &mut Words) -> anyhow::Result<Vec<(String, String)>> {
    let mut options: Vec<(String, String)> = Vec::new();
    let found: Vec<(&str, &str)> = words.pairs.extract_if(.., |(key, _)| key.starts_with("option.")).collect();
    for (key, value) in found {
        let name = &key["option.".len()..];
        if name.eq_ignore_ascii_case(HALF_KOMI) {
            let fault = format!("{HALF_KOMI} is set with --komi, for all engines alike");
            return Err(words.error(fault));
        }
        if name.is_empty() || [name, value].iter().any(|s| s.contains(char::is_control)) {
            return Err(words.error(format!("invalid option {key:?}")));
        }
        options.retain(|(earlier, _)| !earlier.eq_ignore_ascii_case(name));
        options.push((name.to_owned(), value.to_owned()));
    }
    Ok(options)
}

impl EngineConfig {
    pub(crate) fn ponders(&self) -> bool {
        let mut options = self.options.iter();
        options.any(|(name, value)| name.eq_ignore_ascii_case("Ponder") && value == "true")
    }

    /// Everything about the engine that changes how it plays, for the journal; not its path on this machine.
    pub fn settings(&self) -> EngineSettings {
        let mut parts = vec![format!("timemargin={}", self.margin.as_millis())];
        parts.extend(self.program.args.iter().map(|arg| format!("arg={arg}")));
        let options = self.options.iter();
        parts.extend(options.map(|(name, value)| format!("option.{name}={value}")));
        EngineSettings { name: self.name.clone(), time: self.time.to_string(), settings: parts.join(" ") }
    }
}

/// Reads `movecount=3 score=600 [twosided=true]`.
pub fn resign_rule(words: &[String]) -> anyhow::Result<ResignRule> {
    let mut words = Words::new("--resign", words)?;
    let rule = ResignRule {
        moves: words.number("movecount")?.unwrap_or(3),
        score: words.number("score")?.unwrap_or(600),
        two_sided: words.number("twosided")?.unwrap_or(false),
    };
    if rule.moves == 0 || rule.score <= 0 {
        return Err(words.error("movecount and score must be more than 0"));
    }
    words.finish("movecount, score or twosided")?;
    Ok(rule)
}

/// Reads `movenumber=30 movecount=8 score=10`.
pub fn draw_rule(words: &[String]) -> anyhow::Result<DrawRule> {
    let mut words = Words::new("--draw", words)?;
    let rule = DrawRule {
        from_move: words.number("movenumber")?.unwrap_or(30),
        moves: words.number("movecount")?.unwrap_or(8),
        score: words.number("score")?.unwrap_or(10),
    };
    if rule.moves == 0 || rule.score < 0 {
        return Err(words.error("movecount must be more than 0, score at least 0"));
    }
    words.finish("movenumber, movecount or score")?;
    Ok(rule)
}

/// Reads `elo0=0 elo1=5 [alpha=0.05] [beta=0.05] [model=normalized|logistic]`.
pub fn sprt_settings(words: &[String]) -> anyhow::Result<SprtSettings> {
    let mut words = Words::new("--sprt", words)?;
    let model = |text: &str| match text {
        "normalized" | "normalised" => Ok(SprtModel::Normalized),
        "logistic" => Ok(SprtModel::Logistic),
        _ => Err("expected normalized or logistic"),
    };
    let settings = SprtSettings {
        elo0: words.number("elo0")?.unwrap_or(0.0),
        elo1: words.number("elo1")?.unwrap_or(5.0),
        alpha: words.number("alpha")?.unwrap_or(0.05),
        beta: words.number("beta")?.unwrap_or(0.05),
        model: words.parsed("model", model)?.unwrap_or_default(),
    };
    settings.check().map_err(|error| words.error(error))?;
    words.finish("elo0, elo1, alpha, beta or model")?;
    Ok(settings)
}

impl MatchRules {
    /// The rules as names and values, for the journal.
    pub fn to_map(&self) -> BTreeMap<String, String> {
        let resign =
            |ResignRule { moves, score, two_sided }| format!("movecount={moves} score={score} twosided={two_sided}");
        let draw =
            |DrawRule { from_move, moves, score }| format!("movenumber={from_move} movecount={moves} score={score}");
        let rules = [
            ("repetitions", self.repetitions.map(|count| count.to_string())),
            ("max-plies", Some(self.max_plies.to_string())),
            ("resign", self.resign.map(resign)),
            ("draw", self.draw.map(draw)),
            ("solved-agreement", self.solved_agreement.then(|| "on".to_owned())),
        ];
        rules.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn all(list: &[&str], common: &str) -> anyhow::Result<Vec<EngineConfig>> {
        let list: Vec<Vec<String>> = list.iter().map(|text| words(text)).collect();
        engines(&list, &words(common))
    }

    fn error(list: &[&str]) -> String {
        all(list, "").unwrap_err().to_string()
    }

    #[test]
    fn own_words_replace_common_ones() {
        let engines = all(
            &["path=/bin/a option.Hash=1 arg=-x arg=--y=z", "path=b nodes=5 name=bee timemargin=7 option.hash=3"],
            "tc=3+0.5 option.Hash=2 option.Threads=1 stall=2.5",
        )
        .unwrap();
        assert_eq!(engines[0].name, "a");
        assert_eq!(engines[0].program.args, ["-x", "--y=z"]);
        assert_eq!(engines[0].time.to_string(), "tc=3+0.5");
        assert_eq!(engines[0].stall, Duration::from_millis(2500));
        assert_eq!(engines[1].time.to_string(), "nodes=5");
        assert_eq!(engines[1].margin, Duration::from_millis(7));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(engines[1].options, [pair("Threads", "1"), pair("hash", "3")]);
    }

    #[test]
    fn one_program_twice_gets_two_names() {
        let engines = all(&["path=x/tak", "path=y/tak", "path=z/tak"], "").unwrap();
        let names: Vec<&str> = engines.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["tak", "tak-2", "tak-3"]);
        assert_eq!(engines[0].time.to_string(), "tc=10+0.1");
    }

    #[test]
    fn errors_name_engine_and_fault() {
        for (engines, expected) in [
            (
                &["path=a tc=x"][..],
                "engine 1: tc=x: invalid time \"x\": expected seconds such as 10 or 0.1, at least 0.001",
            ),
            (&["path=a", "name=b"], "engine 2 (b): path=PROGRAM is missing"),
            (&["path=a name=x", "path=b name=x"], "engine 2: the name \"x\" is taken"),
            (&["path=a wheels=4"], "engine 1: unknown key \"wheels\""),
            (&["path=a option.HalfKomi=4"], "engine 1: HalfKomi is set with --komi"),
            (&["a"], "engine 1: invalid setting \"a\": expected key=value"),
            (&["path=a affinity=0"], "engine 1: affinity: write path=taskset arg=-c arg=0,2 arg=PROGRAM"),
            (&["path=a nodes=0"], "engine 1: st, nodes and depth must be more than 0"),
            (&["path=a depth=-1"], "engine 1: depth=-1: "),
        ] {
            let error = error(engines);
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn rules_and_tests_are_read() {
        let rule = resign_rule(&words("movecount=4 score=500 twosided=true")).unwrap();
        assert_eq!((rule.moves, rule.score, rule.two_sided), (4, 500, true));
        assert!(resign_rule(&words("score=0")).is_err());
        assert!(draw_rule(&words("score=-1")).is_err());
        assert_eq!(draw_rule(&words("movenumber=9")).unwrap().from_move, 9);
        let sprt = sprt_settings(&words("elo0=-3 elo1=1.5 model=logistic")).unwrap();
        assert_eq!((sprt.elo0, sprt.elo1), (-3.0, 1.5));
        assert_eq!(sprt.model, SprtModel::Logistic);
        for bad in ["elo0=5 elo1=5", "alpha=0", "beta=0.6", "elo1=nan", "model=x", "elo2=1"] {
            assert!(sprt_settings(&words(bad)).is_err(), "{bad}");
        }
    }
}
