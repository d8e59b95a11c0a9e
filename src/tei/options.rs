//! Everything a front end can set in this engine: one table for the `option` lines, for checking and for the defaults.

use std::path::Path;
use std::time::Duration;

use super::handshake::{EMPTY, HALF_KOMI, OPENING, OptionKind, OptionLine};
use crate::board::{ByColor, Komi, OpeningRule, Reserve, Size};
use crate::engine::{Level, Settings, WeightSet};
use crate::search::timeman::MOVE_OVERHEAD;

/// Something that can be set: a whole number, or one of several words, which are numbered from 0.
///
/// ```
/// use tak_engine::tei::options::OPTIONS;
///
/// let opening = OPTIONS.iter().find(|option| option.name == "Opening").expect("it is there");
/// assert_eq!(opening.text(opening.default), "swap");
/// assert_eq!(
///     opening.line().to_string(),
///     "option name Opening type combo default swap var swap var no-swap var double-black"
/// );
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EngineOption {
    /// As printed; read in any case.
    pub name: &'static str,
    /// The value before it is set.
    pub default: i32,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// The words that stand for the values; none where values are numbers.
    pub words: &'static [&'static str],
}

impl EngineOption {
    /// A value as text.
    #[must_use]
    pub fn text(&self, value: i32) -> String {
        let word = usize::try_from(value).ok().and_then(|index| self.words.get(index));
        word.map_or_else(|| value.to_string(), ToString::to_string)
    }

    /// The line that tells front ends of the option.
    #[must_use]
    pub fn line(&self) -> OptionLine {
        let kind = match self.words {
            [] => OptionKind::Spin { min: self.min.into(), max: self.max.into() },
            OFF_ON => OptionKind::Check,
            words => OptionKind::Combo(words.iter().map(ToString::to_string).collect()),
        };
        OptionLine { name: self.name.to_owned(), default: Some(self.text(self.default)), kind }
    }

    /// The value of a text.
    pub(super) fn value(self, text: &str) -> Result<i32, OptionError> {
        if !self.words.is_empty() {
            let index = self.words.iter().position(|word| word.eq_ignore_ascii_case(text));
            return index
                .and_then(|index| i32::try_from(index).ok())
                .ok_or_else(|| OptionError::NoSuchWord { option: self, value: text.to_owned() });
        }
        let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(OptionError::NotANumber { name: self.name, value: text.to_owned() });
        }
        // Digits that do not fit an `i32` are out of range.
        text.parse()
            .ok()
            .filter(|number| (self.min..=self.max).contains(number))
            .ok_or_else(|| OptionError::OutOfRange { option: self, value: text.to_owned() })
    }
}

/// The place of an option in [`OPTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Id {
    HalfKomi,
    Opening,
    Hash,
    Threads,
    Ponder,
    MultiPv,
    MoveOverhead,
    Repetitions,
    Level,
    LimitStrength,
    Elo,
    Seed,
    Flats,
    Caps,
    Flats1,
    Caps1,
    Flats2,
    Caps2,
    Flatstones,
    Capstones,
}

const COUNT: usize = Id::Capstones as usize + 1;

const HASH: &str = "Hash";
const THREADS: &str = "Threads";

/// Stones in a reserve, where 0 stands for what is standard at the size: no game starts without stones.
const fn stones(name: &'static str) -> EngineOption {
    spin(name, 0, 0, Reserve::MAX_STONES as i32)
}

/// Capstones in a reserve. A game may be without them, so it is -1 that stands for what is standard at the size.
const fn caps(name: &'static str) -> EngineOption {
    spin(name, -1, -1, Reserve::MAX_CAPS as i32)
}

pub(super) const fn spin(name: &'static str, default: i32, min: i32, max: i32) -> EngineOption {
    EngineOption { name, default, min, max, words: &[] }
}

/// One of several words, at first the first.
const fn combo(name: &'static str, words: &'static [&'static str]) -> EngineOption {
    EngineOption { name, default: 0, min: 0, max: words.len() as i32 - 1, words }
}

/// What an option that is off or on can be set to.
const OFF_ON: &[&str] = &["false", "true"];

/// Every option, in the order of `Id`.
pub const OPTIONS: [EngineOption; COUNT] = [
    spin(HALF_KOMI, 0, -20, 20),
    combo(OPENING, &["swap", "no-swap", "double-black"]),
    spin(HASH, 64, 1, 65_536),
    spin(THREADS, 1, 1, 256),
    combo("Ponder", OFF_ON),
    spin("MultiPV", 1, 1, 64),
    spin("MoveOverhead", MOVE_OVERHEAD.as_millis() as i32, 0, 5_000),
    spin("Repetitions", 3, 0, 10),
    spin("Level", 0, 0, Level::MAX as i32),
    combo("LimitStrength", OFF_ON),
    spin("Elo", Level::MAX_ELO, 0, Level::MAX_ELO),
    spin("Seed", 0, 0, i32::MAX),
    stones("Flats"),
    caps("Caps"),
    stones("Flats1"),
    caps("Caps1"),
    stones("Flats2"),
    caps("Caps2"),
    stones("Flatstones"),
    caps("Capstones"),
];

/// The option that takes a file of weights to play with, see [`WeightSet::with_file`].
pub const WEIGHTS_FILE: &str = "WeightsFile";

/// What a front end may ask for. A program that we start ourselves may have everything; whoever comes over a network
/// may not take the whole machine, nor make us read files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grant {
    /// The largest table in MiB.
    pub(crate) hash_mib: u32,
    /// The most search workers.
    pub(crate) threads: u32,
    /// Whether options may name files.
    pub(crate) files: bool,
}

impl Default for Grant {
    fn default() -> Self {
        Self { hash_mib: u32::MAX, threads: u32::MAX, files: true }
    }
}

impl Grant {
    /// [`OPTIONS`] without what is not granted.
    pub(super) fn options(self) -> [EngineOption; COUNT] {
        OPTIONS.map(|option| {
            let most = match option.name {
                HASH => self.hash_mib,
                THREADS => self.threads,
                _ => return option,
            };
            let max = i32::try_from(most).map_or(option.max, |most| most.clamp(option.min, option.max));
            EngineOption { max, default: option.default.min(max), ..option }
        })
    }
}

/// Why an option cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum OptionError {
    /// No such option.
    #[error("no option is called \"{0:.40}\"")]
    Unknown(String),
    /// A value that is no whole number.
    #[error("option {name} takes a whole number, not \"{value:.40}\"")]
    NotANumber {
        /// The option.
        name: &'static str,
        /// The value given.
        value: String,
    },
    /// A number outside the range.
    #[error("option {} takes {} to {}, not {value:.40}", .option.name, .option.min, .option.max)]
    OutOfRange {
        /// The option.
        option: EngineOption,
        /// The value given.
        value: String,
    },
    /// A word that is none of the option's.
    #[error("option {} takes {}, not \"{value:.40}\"", .option.name, .option.words.join(" or "))]
    NoSuchWord {
        /// The option.
        option: EngineOption,
        /// The value given.
        value: String,
    },
    /// A file that holds no weights.
    #[error("option {WEIGHTS_FILE}: {0}")]
    Weights(String),
}

impl OptionError {
    /// The number of pieces nearest to one that is out of range. Front ends send what a game has, whatever the range says,
    /// and a move in a game with almost as many pieces is of more use than none.
    pub fn nearest_reserve(&self) -> Option<String> {
        match self {
            Self::OutOfRange { option, value } if is_reserve(option.name) => {
                Some(if value.starts_with('-') { option.min } else { option.max }.to_string())
            }
            _ => None,
        }
    }
}

/// The place in [`OPTIONS`] of the option of this name.
fn find(name: &str) -> Option<usize> {
    OPTIONS.iter().position(|option| option.name.eq_ignore_ascii_case(name))
}

/// Whether an option is one of those for reserves.
#[must_use]
pub(super) fn is_reserve(name: &str) -> bool {
    find(name).is_some_and(|index| index >= Id::Flats as usize)
}

/// Whether an option makes another game: komi, opening and reserves.
#[must_use]
pub(super) fn is_rule(name: &str) -> bool {
    let rules = [Id::HalfKomi as usize, Id::Opening as usize];
    find(name).is_some_and(|index| rules.contains(&index)) || is_reserve(name)
}

/// The values in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Options {
    /// Each is within the range that [`OPTIONS`] gives.
    values: [i32; COUNT],
    /// Read from the file when that is set, so that it may change or go afterwards.
    models: WeightSet,
    /// Options of the rules whose last value was refused.
    refused: [bool; COUNT],
    grant: Grant,
}

impl Default for Options {
    fn default() -> Self {
        Self::within(Grant::default())
    }
}

impl Options {
    /// The defaults, for a front end that may ask for no more than is granted.
    #[must_use]
    pub fn within(grant: Grant) -> Self {
        Self {
            values: grant.options().map(|option| option.default),
            models: WeightSet::default(),
            refused: [false; COUNT],
            grant,
        }
    }

    /// These options with one of them changed. A file that is named is read.
    ///
    /// # Errors
    /// [`OptionError`] when there is no such option or it does not take the value.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, OptionError> {
        if self.grant.files && name.eq_ignore_ascii_case(WEIGHTS_FILE) {
            return self.with_weights_file(value);
        }
        let index = find(name).ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let mut changed = self.clone();
        changed.values[index] = self.grant.options()[index].value(value)?;
        changed.refused[index] = false;
        Ok(changed)
    }

    fn with_weights_file(&self, value: &str) -> Result<Self, OptionError> {
        let models = if value.is_empty() || value == EMPTY {
            WeightSet::default()
        } else {
            WeightSet::default().with_file(Path::new(value)).map_err(|error| OptionError::Weights(error.to_string()))?
        };
        Ok(Self { models, ..self.clone() })
    }

    /// These options with this komi.
    #[must_use]
    pub fn with_komi(&self, komi: Komi) -> Self {
        let mut changed = self.clone();
        changed.values[Id::HalfKomi as usize] = komi.half();
        changed.refused[Id::HalfKomi as usize] = false;
        changed
    }

    /// These options with the reserves that are standard at every size. A refused one is still to be set.
    #[must_use]
    pub fn with_standard_reserves(&self) -> Self {
        let mut changed = self.clone();
        for (value, option) in changed.values.iter_mut().zip(OPTIONS) {
            if is_reserve(option.name) {
                *value = option.default;
            }
        }
        changed
    }

    /// These options with a note that one of them was given a value that it does not take. Only komi, opening and reserves
    /// count: without the others it is still the game that was asked for.
    #[must_use]
    pub fn without(&self, name: &str) -> Self {
        let mut changed = self.clone();
        if let Some(index) = find(name).filter(|_| is_rule(name)) {
            changed.refused[index] = true;
        }
        changed
    }

    /// The first option that [`Options::without`] notes and that has not been set since.
    #[must_use]
    pub fn refused(&self) -> Option<&'static str> {
        let index = self.refused.iter().position(|&refused| refused)?;
        Some(OPTIONS[index].name)
    }

    fn get(&self, id: Id) -> i32 {
        self.values[id as usize]
    }

    /// An option that is never negative.
    fn unsigned<T: TryFrom<i32> + Default>(&self, id: Id) -> T {
        T::try_from(self.get(id)).unwrap_or_default()
    }

    /// The part that the engine itself needs.
    #[must_use]
    pub fn settings(&self) -> Settings {
        Settings {
            hash_mib: self.unsigned(Id::Hash),
            threads: self.unsigned(Id::Threads),
            multipv: self.unsigned(Id::MultiPv),
            move_overhead: Duration::from_millis(self.unsigned(Id::MoveOverhead)),
            repetitions: self.unsigned(Id::Repetitions),
            level: self.level(),
            seed: self.unsigned(Id::Seed),
            weights: self.models.clone(),
        }
    }

    /// Whether to think on the opponent's time.
    #[must_use]
    pub fn ponders(&self) -> bool {
        self.get(Id::Ponder) != 0
    }

    /// A level that is set counts before an Elo.
    fn level(&self) -> Option<Level> {
        let is_limited = self.get(Id::LimitStrength) != 0;
        Level::new(self.unsigned(Id::Level)).or_else(|| is_limited.then(|| Level::of_elo(self.get(Id::Elo))))
    }

    /// Komi of the games to come.
    #[must_use]
    pub fn komi(&self) -> Komi {
        Komi::from_half(self.get(Id::HalfKomi).into()).unwrap_or_default()
    }

    /// What first turns do in the games to come.
    #[must_use]
    pub fn opening(&self) -> OpeningRule {
        OpeningRule::ALL[self.unsigned::<usize>(Id::Opening)]
    }

    /// What the players of the games to come start with on a board of this size.
    ///
    /// A player's own option comes before the one for both players, and that before its alias. An option at its default
    /// value leaves the matter to the next. So a front end may send all of them, defaults included.
    #[must_use]
    pub fn reserves(&self, size: Size) -> ByColor<Reserve> {
        let standard = Reserve::standard(size);
        let first_set = |ids: [Id; 3], standard: u8| {
            let set = |id: &Id| self.get(*id) != OPTIONS[*id as usize].default;
            ids.into_iter().find(set).map_or(standard, |id| self.unsigned(id))
        };
        let reserve = |own_stones, own_caps| Reserve {
            stones: first_set([own_stones, Id::Flats, Id::Flatstones], standard.stones),
            caps: first_set([own_caps, Id::Caps, Id::Capstones], standard.caps),
        };
        ByColor([reserve(Id::Flats1, Id::Caps1), reserve(Id::Flats2, Id::Caps2)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;

    #[test]
    fn table_is_in_the_order_of_ids() {
        for (id, name) in [
            (Id::HalfKomi, "HalfKomi"),
            (Id::Opening, "Opening"),
            (Id::Hash, "Hash"),
            (Id::Threads, "Threads"),
            (Id::Ponder, "Ponder"),
            (Id::MultiPv, "MultiPV"),
            (Id::MoveOverhead, "MoveOverhead"),
            (Id::Repetitions, "Repetitions"),
            (Id::Level, "Level"),
            (Id::LimitStrength, "LimitStrength"),
            (Id::Elo, "Elo"),
            (Id::Seed, "Seed"),
            (Id::Flats, "Flats"),
            (Id::Caps, "Caps"),
            (Id::Flats1, "Flats1"),
            (Id::Caps1, "Caps1"),
            (Id::Flats2, "Flats2"),
            (Id::Caps2, "Caps2"),
            (Id::Flatstones, "Flatstones"),
            (Id::Capstones, "Capstones"),
        ] {
            assert_eq!(OPTIONS[id as usize].name, name);
        }
    }

    #[test]
    fn defaults_are_those_of_the_engine() {
        let options = Options::default();
        assert_eq!(options.settings(), Settings::default());
        assert_eq!(options.komi(), Komi::ZERO);
        assert_eq!(options.opening(), OpeningRule::Swap);
        for size in Size::ALL {
            assert_eq!(options.reserves(size), ByColor([Reserve::standard(size); 2]));
        }
    }

    #[test]
    fn every_option_takes_its_range_and_no_more() {
        for spin in OPTIONS.iter().filter(|option| option.words.is_empty()) {
            let set = |value: i64| Options::default().with(spin.name, &value.to_string());
            for value in [spin.min, spin.default, spin.max] {
                assert!(set(value.into()).is_ok(), "{} {value}", spin.name);
            }
            let outside = [i64::from(spin.min) - 1, i64::from(spin.max) + 1, i64::MIN, i64::MAX];
            for value in outside {
                assert!(matches!(set(value), Err(OptionError::OutOfRange { .. })), "{} {value}", spin.name);
            }
            for value in ["", "-", "x", "1.5", "1x", "0x10", "١"] {
                assert!(
                    matches!(Options::default().with(spin.name, value), Err(OptionError::NotANumber { .. })),
                    "{} {value}",
                    spin.name
                );
            }
        }
    }

    #[test]
    fn the_nearest_reserve_is_within_the_range() {
        let nearest = |name: &str, value: &str| Options::default().with(name, value).unwrap_err().nearest_reserve();
        for (name, value, expected) in [("Flats", "61", "60"), ("Flats1", "-9", "0"), ("Caps2", "99999999999", "3")] {
            assert_eq!(nearest(name, value).as_deref(), Some(expected), "{name} {value}");
        }
        for (name, value) in [("HalfKomi", "21"), ("Hash", "0"), ("Flats", "many")] {
            assert_eq!(nearest(name, value), None, "{name} {value}");
        }
    }

    #[test]
    fn openings_are_words() {
        for opening in OpeningRule::ALL {
            let name = opening.to_string();
            let options = Options::default().with("opening", &name).unwrap();
            assert_eq!(options.opening(), opening);
            assert_eq!(OPTIONS[Id::Opening as usize].text(opening as i32), name);
            let upper = name.to_uppercase();
            assert_eq!(Options::default().with("Opening", &upper), Ok(options));
        }
        for value in ["", "0", "2", "swap no-swap", "pie"] {
            let error = Options::default().with("Opening", value).unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("option Opening takes swap or no-swap or double-black, not \"{value}\"")
            );
        }
    }

    #[test]
    fn pondering_is_off_or_on() {
        let line = OPTIONS[Id::Ponder as usize].line().to_string();
        assert_eq!(line, "option name Ponder type check default false");
        assert!(!Options::default().ponders());
        let on = Options::default().with("ponder", "True").unwrap();
        assert!(on.ponders() && !on.with("Ponder", "false").unwrap().ponders());
        for value in ["", "1", "on", "yes"] {
            assert!(Options::default().with("Ponder", value).is_err(), "{value}");
        }
    }

    #[test]
    fn strength_is_limited_by_level_or_by_elo() {
        let level = |values: &[(&str, &str)]| {
            let set = |options: Options, (name, value): &(&str, &str)| options.with(name, value);
            let options = values.iter().try_fold(Options::default(), set);
            options.unwrap().settings().level.map(Level::number)
        };
        let third = Level::new(3).unwrap().elo().to_string();
        assert_eq!(level(&[]), None);
        assert_eq!(level(&[("Level", "7")]), Some(7));
        assert_eq!(level(&[("Level", "7"), ("Level", "0")]), None);
        assert_eq!(level(&[("Elo", &third)]), None);
        assert_eq!(level(&[("LimitStrength", "true")]), Some(Level::MAX));
        let by_elo = [("LimitStrength", "true"), ("Elo", &*third)];
        assert_eq!(level(&by_elo), Some(3));
        assert_eq!(level(&[by_elo[0], by_elo[1], ("Level", "5")]), Some(5));
        assert_eq!(level(&[by_elo[0], by_elo[1], ("LimitStrength", "False")]), None);
        let line = OPTIONS[Id::LimitStrength as usize].line().to_string();
        assert_eq!(line, "option name LimitStrength type check default false");
    }

    #[test]
    fn names_are_read_in_any_case() {
        for name in ["multipv", "MULTIPV", "MultiPV"] {
            let options = Options::default().with(name, "7").unwrap();
            assert_eq!(options.settings().multipv, 7);
        }
        assert_eq!(Options::default().with("Contempt", "1"), Err(OptionError::Unknown("Contempt".to_owned())));
    }

    #[test]
    fn own_reserve_counts_before_the_common_one_and_that_before_its_alias() {
        let set = |values: &[(&str, &str)]| {
            let options =
                values.iter().fold(Options::default(), |options, (name, value)| options.with(name, value).unwrap());
            let reserves = options.reserves(Size::new(6).unwrap());
            let pair = |color| (reserves[color].stones, reserves[color].caps);
            (pair(Color::White), pair(Color::Black))
        };
        assert_eq!(set(&[("Flatstones", "25")]), ((25, 1), (25, 1)));
        assert_eq!(set(&[("Capstones", "0")]), ((30, 0), (30, 0)));
        assert_eq!(set(&[("Flats", "20"), ("Flatstones", "25")]), ((20, 1), (20, 1)));
        assert_eq!(set(&[("Flats2", "10"), ("Flats", "20")]), ((20, 1), (10, 1)));
        assert_eq!(set(&[("Caps1", "0"), ("Caps", "3")]), ((30, 0), (30, 3)));
        assert_eq!(set(&[("Flats", "20"), ("Flats", "0")]), ((30, 1), (30, 1)));
    }
}
