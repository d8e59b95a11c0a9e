//! The journal of a run: its settings, and every pair of games before it counts. The file is one of `crate::journal`.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::course::Course;
use super::margin::Tuned;
use crate::arena::record::GameResult;
use crate::arena::schedule::Schedule;
use crate::board::{Komi, Size};
use crate::journal::{self, Journal, JournalError, Span, Visitor, Work};

/// Everything that decides how a run goes. How many games are played at once does not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SpsaSettings {
    /// What is tuned.
    pub margins: Vec<Tuned>,
    /// What is played on, in turn.
    pub boards: Vec<Board>,
    /// Nodes for each move.
    pub nodes: u64,
    /// The table of each engine, in MiB.
    pub hash: u64,
    /// Pairs of games.
    pub iterations: u64,
    /// The values of how many iterations before a pair is played around; at least 1.
    pub delay: u64,
    /// For directions, rounding and the order of openings.
    pub seed: u64,
    /// All other rules that change how games go, as names and values.
    pub rules: BTreeMap<String, String>,
}

/// A board with its openings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Board {
    /// Its width.
    pub size: u8,
    /// Komi in half points.
    pub half_komi: i32,
    /// How many openings there are.
    pub openings: usize,
    /// A hash of them, so that another suite of equal length is told apart.
    pub openings_hash: String,
}

/// A finished pair of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Stands for the settings of the run.
    pub settings: String,
    /// From 1.
    pub iteration: u64,
    /// What the plus side played with, in the order of the margins.
    pub plus: Vec<i32>,
    /// The same of the minus side.
    pub minus: Vec<i32>,
    /// The plus side had White in the first game, Black in the second.
    pub results: [GameResult; 2],
    /// How long the games were, openings included.
    pub plies: [usize; 2],
}

impl PairRecord {
    /// Half points of the plus side in each game.
    pub fn half_points(&self) -> [u8; 2] {
        let white = self.results.map(|result| match result {
            GameResult::WhiteWin => 2,
            GameResult::Draw => 1,
            GameResult::BlackWin => 0,
        });
        [white[0], 2 - white[1]]
    }
}

impl SpsaSettings {
    /// A short text that is equal for equal settings and, but for one chance in 2^64, for no others.
    pub fn fingerprint(&self) -> String {
        journal::fingerprint(self)
    }

    /// Whether they make sense: they may come from a damaged journal.
    ///
    /// # Errors
    /// What does not, in words.
    pub fn check(&self) -> Result<(), String> {
        self.margins.iter().try_for_each(|margin| margin.check().map_err(|error| error.to_string()))?;
        if self.margins.is_empty() || self.boards.is_empty() {
            return Err("there is nothing to tune, or no board".to_owned());
        }
        if self.delay == 0 {
            return Err("a pair cannot be played around its own result".to_owned());
        }
        let most = Schedule::MAX_GAMES / 2;
        if !(1..=most).contains(&self.iterations) {
            let found = self.iterations;
            return Err(format!("iterations can be 1 to {most}, not {found}"));
        }
        Ok(())
    }

    /// `6x6 komi 2, 5x5 komi 0`.
    pub fn boards_text(&self) -> String {
        let boards: Vec<String> = self.boards.iter().map(Board::to_string).collect();
        boards.join(", ")
    }
}

impl std::fmt::Display for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let komi = Komi::from_half(self.half_komi.into()).unwrap_or_default();
        write!(f, "{0}x{0} komi {komi}", self.size)
    }
}

impl Board {
    /// A board of this size with this komi, and its openings.
    pub fn new(size: Size, komi: Komi, openings: usize, openings_hash: String) -> Self {
        Self { size: size.width() as u8, half_komi: komi.half(), openings, openings_hash }
    }
}

/// The work that these journals are of.
#[derive(Debug)]
pub struct Spsa;

impl Work for Spsa {
    type Settings = SpsaSettings;
    type Record = PairRecord;
    const KEY: &'static str = "spsa";
    const WHAT: &'static str = "a tuning of margins";

    fn differences(one: &SpsaSettings, other: &SpsaSettings) -> Vec<&'static str> {
        let fields = [
            ("margins", one.margins != other.margins),
            ("size, komi or openings", one.boards != other.boards),
            ("nodes", one.nodes != other.nodes),
            ("hash", one.hash != other.hash),
            ("iterations", one.iterations != other.iterations),
            ("delay", one.delay != other.delay),
            ("seed", one.seed != other.seed),
            ("rules", one.rules != other.rules),
        ];
        let different = fields.into_iter().filter(|&(_, differs)| differs);
        different.map(|(name, _)| name).collect()
    }
}

/// Continues a journal, or starts it if there is none or no pair in it. Returns how far the run has come, and the length of an incomplete
/// last line, which is cut off the file.
///
/// # Errors
/// [`JournalError`] if it is not a journal of this run.
pub fn resume(path: &Path, settings: SpsaSettings) -> Result<(Journal<Spsa>, Course, u64), JournalError> {
    let mut reader = Reader(None);
    let (journal, torn_bytes) = Journal::resume(path, &settings, &mut reader)?;
    let course = reader.0.unwrap_or_else(|| Course::new(settings));
    Ok((journal, course, torn_bytes))
}

/// Follows the course of the pairs in a journal.
struct Reader(Option<Course>);

impl Visitor<Spsa> for Reader {
    fn begin(&mut self, settings: &SpsaSettings) -> Result<(), String> {
        settings.check()?;
        self.0.get_or_insert_with(|| Course::new(settings.clone()));
        Ok(())
    }

    fn record(&mut self, pair: PairRecord, _: Span) -> Result<(), String> {
        match &mut self.0 {
            Some(course) => course.enter(&pair),
            None => Err("there are no settings before it".to_owned()),
        }
    }
}

#[cfg(test)]
pub mod testing {
    //! Runs without games.

    use super::*;
    use crate::spsa::margin::choose;

    pub fn settings(iterations: u64, delay: u64) -> SpsaSettings {
        let words = ["aspiration", "futility_margin=100.5,10", "null_move_most"];
        SpsaSettings {
            margins: choose(&words.map(str::to_owned), 0.05).unwrap(),
            boards: vec![Board::new(Size::ALL[3], Komi::ZERO, 7, "5".to_owned())],
            nodes: 20_000,
            hash: 16,
            iterations,
            delay,
            seed: 7,
            rules: BTreeMap::new(),
        }
    }

    /// The pair that the run has next at this iteration, with these results.
    pub fn pair(course: &Course, iteration: u64, results: [GameResult; 2]) -> PairRecord {
        let trial = course.trial(iteration).or_else(|| course.trial(1)).unwrap();
        PairRecord {
            settings: course.fingerprint().to_owned(),
            iteration,
            plus: trial.plus,
            minus: trial.minus,
            results,
            plies: [40, 50],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::testing::{pair, settings};
    use super::*;
    use crate::spsa::margin::choose;
    use GameResult::{BlackWin, Draw, WhiteWin};

    fn fresh_path(test: &str) -> PathBuf {
        let name = format!("tak-engine-spsa-{test}-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_file(&path);
        path
    }

    fn play(journal: &mut Journal<Spsa>, course: &mut Course, iterations: &[u64]) {
        for &iteration in iterations {
            let results = [[WhiteWin, Draw, BlackWin][iteration as usize % 3], WhiteWin];
            let pair = pair(course, iteration, results);
            journal.append(&pair).unwrap();
            course.enter(&pair).unwrap();
        }
    }

    #[test]
    fn a_run_goes_on_where_it_was() {
        let path = fresh_path("resume");
        let settings = settings(9, 3);
        let (mut journal, mut course, torn) = resume(&path, settings.clone()).unwrap();
        assert_eq!((course.finished(), torn), (0, 0));
        play(&mut journal, &mut course, &[2, 1, 4, 3, 6]);
        drop(journal);
        // What a crash leaves.
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend(b"{\"settings\":\"");
        fs::write(&path, bytes).unwrap();
        let (mut journal, mut again, torn) = resume(&path, settings.clone()).unwrap();
        assert_eq!((again.counted(), again.finished(), torn), (4, 5, 13));
        assert!(again.has(6) && !again.has(5));
        assert_eq!(again.path(), course.path());
        play(&mut journal, &mut again, &[5, 7, 8, 9]);
        drop(journal);
        let (_, end, _) = resume(&path, settings).unwrap();
        assert_eq!(end.path(), again.path());
        assert_eq!(end.path().len(), 10);
        assert_eq!(end.score(), again.score());
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn other_settings_and_nonsense_are_refused() {
        let path = fresh_path("refused");
        let good = settings(9, 3);
        let (mut journal, mut course, _) = resume(&path, good.clone()).unwrap();
        play(&mut journal, &mut course, &[1]);
        drop(journal);
        let refused = |settings: &SpsaSettings| {
            let error = resume(&path, settings.clone()).unwrap_err().to_string();
            let (_, rest) = error.split_once("belongs to a tuning of margins ").unwrap();
            rest.to_owned()
        };
        let mut other = good.clone();
        other.margins[0].step = 2.0;
        other.seed = 8;
        other.nodes = 1;
        assert_eq!(refused(&other), "with other settings, different: margins, nodes, seed");
        let mut other = good.clone();
        other.boards[0].half_komi = 4;
        other.iterations = 10;
        other.delay = 4;
        other.hash = 1;
        other.rules.insert("max-plies".to_owned(), "9".to_owned());
        assert_eq!(
            refused(&other),
            "with other settings, different: size, komi or openings, hash, iterations, delay, rules"
        );
        fs::remove_file(&path).unwrap();

        let mut changed = good.clone();
        changed.margins[0].max = -1;
        assert!(changed.check().is_err());
        let mut changed = good.clone();
        changed.iterations = u64::MAX;
        assert!(changed.check().unwrap_err().starts_with("iterations can be 1 to 500000"));
        changed.iterations = 0;
        assert!(changed.check().is_err());
        let changes: [fn(&mut SpsaSettings); 3] =
            [|settings| settings.margins.clear(), |settings| settings.boards.clear(), |settings| settings.delay = 0];
        for change in changes {
            let mut changed = good.clone();
            change(&mut changed);
            assert!(changed.check().is_err());
            // Written by hand it has a check sum as well.
            let mut journal = Journal::<Spsa>::create(&path, &changed).unwrap();
            let first = pair(&Course::new(good.clone()), 1, [Draw, Draw]);
            journal.append(&first).unwrap();
            drop(journal);
            let error = resume(&path, good.clone()).unwrap_err();
            assert!(matches!(error, JournalError::NoHeader { .. }), "{error}");
            fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_journal_without_a_pair_is_begun_anew_with_other_settings() {
        let path = fresh_path("unused");
        drop(resume(&path, settings(9, 3)).unwrap());
        let (mut journal, mut course, _) = resume(&path, settings(8, 2)).unwrap();
        assert_eq!(course.settings(), &settings(8, 2));
        play(&mut journal, &mut course, &[1]);
        drop(journal);
        assert!(resume(&path, settings(9, 3)).is_err());
        assert_eq!(resume(&path, settings(8, 2)).unwrap().1.finished(), 1);
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn fractions_come_back_from_the_journal_as_they_were() {
        for index in 1..2000 {
            let start = 10.0 + f64::from(index * 7919 % 110_000) / 1001.0;
            let word = format!("aspiration={start},{},0.0{index}", start / 7.0);
            let written = SpsaSettings { margins: choose(&[word], 0.002).unwrap(), ..settings(9, 3) };
            let text = serde_json::to_string(&written).unwrap();
            let read: SpsaSettings = serde_json::from_str(&text).unwrap();
            assert_eq!(read, written, "{text}");
        }
    }
}
