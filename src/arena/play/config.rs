//! The setup of a match: engines and rules, typed as `key=value` words or in TOML.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer};

use super::clock::{ClockTime, Seconds, TimeControl};
use super::process::Program;
use crate::arena::record::EngineSettings;
use crate::arena::words::{Text, some, some_count, typed};
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResignRule {
    /// Moves of the losing engine in a row.
    #[serde(rename = "movecount", deserialize_with = "typed")]
    pub moves: u32,
    /// Centiflats, as the engines report them.
    #[serde(deserialize_with = "typed")]
    pub score: i32,
    /// Set if the other engine's score must have been at least `score` for as long.
    #[serde(rename = "twosided", deserialize_with = "typed")]
    pub two_sided: bool,
}

impl Default for ResignRule {
    fn default() -> Self {
        Self { moves: 3, score: 600, two_sided: false }
    }
}

/// A game is a draw when no engine's score was further from 0 than `score` for this many moves of each in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DrawRule {
    /// The first move (of both players) after which the rule may end a game.
    #[serde(rename = "movenumber", deserialize_with = "typed")]
    pub from_move: u32,
    /// Moves of each engine in a row.
    #[serde(rename = "movecount", deserialize_with = "typed")]
    pub moves: u32,
    /// Centiflats, as the engines report them.
    #[serde(deserialize_with = "typed")]
    pub score: i32,
}

impl Default for DrawRule {
    fn default() -> Self {
        Self { from_move: 30, moves: 8, score: 10 }
    }
}

impl Default for MatchRules {
    fn default() -> Self {
        Self { repetitions: Some(3), max_plies: 1000, resign: None, draw: None, solved_agreement: false }
    }
}

/// The settings of an engine as they are typed; those that are missing have a default.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EngineOptions {
    #[serde(deserialize_with = "some")]
    path: Option<PathBuf>,
    #[serde(deserialize_with = "some")]
    name: Option<String>,
    #[serde(deserialize_with = "one_or_more")]
    arg: Vec<String>,
    #[serde(deserialize_with = "some")]
    dir: Option<PathBuf>,
    #[serde(deserialize_with = "some")]
    stderr: Option<PathBuf>,
    #[serde(deserialize_with = "some")]
    tc: Option<ClockTime>,
    #[serde(deserialize_with = "some")]
    st: Option<Seconds>,
    #[serde(deserialize_with = "some_count")]
    nodes: Option<u64>,
    #[serde(deserialize_with = "some")]
    depth: Option<u32>,
    #[serde(deserialize_with = "some")]
    timemargin: Option<u64>,
    #[serde(deserialize_with = "some")]
    stall: Option<Seconds>,
    #[serde(deserialize_with = "named_values")]
    option: Vec<(String, String)>,
}

fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected a text or a list of texts")]
    enum Texts {
        Many(Vec<Text>),
        One(Text),
    }
    Ok(match Texts::deserialize(from)? {
        Texts::Many(texts) => texts.into_iter().map(|text| text.0).collect(),
        Texts::One(text) => vec![text.0],
    })
}

/// A table, or `NAME=VALUE` texts.
fn named_values<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(String, String)>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged, expecting = "expected NAME=VALUE or a table")]
    enum Named {
        Table(BTreeMap<String, Text>),
        Texts(Vec<String>),
    }
    Ok(match Named::deserialize(from)? {
        Named::Table(table) => table.into_iter().map(|(name, Text(value))| (name, value)).collect(),
        Named::Texts(texts) => {
            let pairs = texts.iter().filter_map(|text| text.split_once('='));
            pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
        }
    })
}

const DEFAULT_MARGIN: Duration = Duration::from_millis(50);
const DEFAULT_STALL: Duration = Duration::from_secs(10);

/// The engines of a tournament. `common` holds for each of them unless its own settings override it; an own time control
/// replaces the common one as a whole.
pub fn engines(engines: &[EngineOptions], common: &EngineOptions) -> Result<Vec<EngineConfig>, String> {
    let mut configs = Vec::new();
    let mut taken = BTreeSet::new();
    for (own, number) in engines.iter().zip(1..) {
        let owner = match &own.name {
            Some(name) => format!("engine {number} ({name})"),
            None => format!("engine {number}"),
        };
        let mut config = own.over(common, number).map_err(|fault| format!("{owner}: {fault}"))?;
        if !taken.insert(config.name.clone()) {
            if own.name.is_some() {
                return Err(format!("engine {number}: the name {:?} is taken", config.name));
            }
            // The same program with other settings.
            let mut free = (2..).map(|n| format!("{}-{n}", config.name));
            config.name = free.find(|name| !taken.contains(name)).unwrap_or_default();
            taken.insert(config.name.clone());
        }
        configs.push(config);
    }
    Ok(configs)
}

impl EngineOptions {
    /// An engine whose time is not set here.
    pub fn untimed(&self) -> Result<EngineConfig, String> {
        if self.time() != TimeControl::default() || self.timemargin.is_some() {
            return Err("tc, st, nodes, depth and timemargin are for tournaments".to_owned());
        }
        let common = Self { st: Some(Seconds(Duration::from_secs(1))), ..Self::default() };
        self.over(&common, 1)
    }

    /// The engine with these settings, or else the common ones.
    fn over(&self, common: &Self, number: usize) -> Result<EngineConfig, String> {
        let path = self.path.as_ref().or(common.path.as_ref()).filter(|path| !path.as_os_str().is_empty());
        let path = path.ok_or("path=PROGRAM is missing")?.clone();
        let stem = || path.file_stem().map_or_else(|| format!("engine{number}"), |stem| stem.to_string_lossy().into());
        let name = self.name.clone().or_else(|| common.name.clone()).unwrap_or_else(stem);
        if name.trim().is_empty() || name.contains(char::is_control) {
            return Err("the name must be visible text".to_owned());
        }
        let timed = if self.time() == TimeControl::default() { common } else { self };
        let time = timed.time();
        if time.move_time == Some(Duration::ZERO) || time.nodes == Some(0) || time.depth == Some(0) {
            return Err("st, nodes and depth must be more than 0".to_owned());
        }
        if time == TimeControl::default() {
            return Err("a time control is missing: tc=10+0.1, st=1, nodes=10000 or depth=6, \
                        also for all engines, as --all-engines tc=10+0.1"
                .to_owned());
        }
        Ok(EngineConfig {
            name,
            time,
            margin: self.timemargin.or(common.timemargin).map_or(DEFAULT_MARGIN, Duration::from_millis),
            stall: self.stall.or(common.stall).map_or(DEFAULT_STALL, |stall| stall.0),
            options: options(common.option.iter().chain(&self.option))?,
            program: Program {
                path,
                args: [&common.arg[..], &self.arg].concat(),
                dir: self.dir.clone().or_else(|| common.dir.clone()),
                stderr: self.stderr.clone().or_else(|| common.stderr.clone()),
            },
        })
    }

    fn time(&self) -> TimeControl {
        let (clock, move_time) = (self.tc.map(|clock| clock.0), self.st.map(|time| time.0));
        TimeControl { clock, move_time, nodes: self.nodes, depth: self.depth }
    }
}

/// The TEI options; of two with the same name the later one.
fn options<'a>(typed: impl Iterator<Item = &'a (String, String)>) -> Result<Vec<(String, String)>, String> {
    let mut options: Vec<(String, String)> = Vec::new();
    for (name, value) in typed {
        if name.eq_ignore_ascii_case(HALF_KOMI) {
            return Err(format!("{HALF_KOMI} is set with --komi, for all engines alike"));
        }
        if name.is_empty() || [name, value].iter().any(|s| s.contains(char::is_control)) {
            return Err(format!("invalid option {name:?}"));
        }
        options.retain(|(earlier, _)| !earlier.eq_ignore_ascii_case(name));
        options.push((name.clone(), value.clone()));
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

impl ResignRule {
    /// Checks that it can end a game.
    pub fn check(self) -> Result<(), &'static str> {
        let is_valid = self.moves > 0 && self.score > 0;
        if is_valid { Ok(()) } else { Err("--resign: movecount and score must be more than 0") }
    }
}

impl DrawRule {
    /// Checks that it can end a game.
    pub fn check(self) -> Result<(), &'static str> {
        let is_valid = self.moves > 0 && self.score >= 0;
        if is_valid { Ok(()) } else { Err("--draw: movecount must be more than 0, score at least 0") }
    }
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
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::arena::stats::sprt::{SprtModel, SprtSettings};
    use crate::arena::words::read_words;

    fn read<T: DeserializeOwned>(text: &str) -> Result<T, String> {
        read_words("--flag", &text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    fn all(list: &[&str], common: &str) -> Result<Vec<EngineConfig>, String> {
        let list = list.iter().map(|text| read(text)).collect::<Result<Vec<_>, _>>()?;
        engines(&list, &read(common)?)
    }

    #[test]
    fn own_words_replace_common_ones() {
        let engines = all(
            &["path=/bin/a option.Hash=1 arg=-x arg=--y=z", "path=b nodes=5k name=bee timemargin=7 option.hash=3"],
            "tc=3+0.5 option.Hash=2 option.Threads=1 stall=2.5",
        )
        .unwrap();
        assert_eq!(engines[0].name, "a");
        assert_eq!(engines[0].program.args, ["-x", "--y=z"]);
        assert_eq!(engines[0].time.to_string(), "tc=3+0.5");
        assert_eq!(engines[0].stall, Duration::from_millis(2500));
        assert_eq!(engines[1].time.to_string(), "nodes=5000");
        assert_eq!(engines[1].margin, Duration::from_millis(7));
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(engines[1].options, [pair("Threads", "1"), pair("hash", "3")]);
    }

    #[test]
    fn one_program_twice_gets_two_names() {
        let engines = all(&["path=x/tak", "path=y/tak", "path=z/tak"], "depth=1").unwrap();
        let names: Vec<&str> = engines.iter().map(|e| e.name.as_str()).collect();
        assert_eq!(names, ["tak", "tak-2", "tak-3"]);
    }

    #[test]
    fn errors_name_engine_and_fault() {
        for (engines, expected) in [
            (&["path=a", "name=b"][..], "engine 2 (b): path=PROGRAM is missing"),
            (&["path=a name=x", "path=b name=x"], "engine 2: the name \"x\" is taken"),
            (&["path=a option.HalfKomi=4"], "engine 1: HalfKomi is set with --komi"),
            (&["path=a", "path=b nodes=0"], "engine 2: st, nodes and depth must be more than 0"),
        ] {
            let error = all(engines, "st=1").unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        assert!(all(&["path=a"], "").unwrap_err().starts_with("engine 1: a time control is missing: tc=10+0.1, "));
        for (words, expected) in [
            ("tc=x", "tc: invalid time \"x\": expected seconds such as 10 or 0.1, at least 0.001"),
            ("nodes=1.5", "nodes: invalid value \"1.5\": expected a whole number such as 5, 10k, 2M or 1e6"),
            (
                "wheels=4",
                "unknown setting `wheels`, expected one of `path`, `name`, `arg`, `dir`, `stderr`, `tc`, `st`, `nodes`, \
                 `depth`, `timemargin`, `stall`, `option`",
            ),
            ("affinity=0", "affinity: write path=taskset arg=-c arg=0,2 arg=PROGRAM to keep an engine to cores"),
            ("a", "invalid setting \"a\": expected key=value"),
            ("depth=-1", "depth: invalid value \"-1\": expected a whole number, 0 or more"),
        ] {
            let error = read::<EngineOptions>(words).unwrap_err();
            assert_eq!(error, format!("--flag: {expected}"));
        }
    }

    #[test]
    fn rules_and_tests_are_read() {
        let rule: ResignRule = read("movecount=4 score=500 twosided=true").unwrap();
        assert_eq!((rule.moves, rule.score, rule.two_sided), (4, 500, true));
        assert!(read::<ResignRule>("score=0").unwrap().check().is_err());
        assert!(read::<DrawRule>("score=-1").unwrap().check().is_err());
        assert_eq!(read::<DrawRule>("movenumber=9"), Ok(DrawRule { from_move: 9, ..DrawRule::default() }));
        let sprt: SprtSettings = read("elo0=-3 elo1=1.5 model=logistic").unwrap();
        assert_eq!((sprt.elo0, sprt.elo1), (-3.0, 1.5));
        assert_eq!(sprt.model, SprtModel::Logistic);
        for bad in ["elo0=5 elo1=5", "alpha=0", "beta=0.6", "elo1=nan"] {
            assert!(read::<SprtSettings>(bad).unwrap().check().is_err(), "{bad}");
        }
        for bad in ["model=x", "elo2=1"] {
            assert!(read::<SprtSettings>(bad).is_err(), "{bad}");
        }
    }
}
