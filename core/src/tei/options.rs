//! The options of this engine. Each is declared once, as a row of `options!`: the `option` lines, the checks, the
//! defaults and the engine's [`Settings`] follow from that.

use std::path::Path;
use std::time::Duration;

use super::number::whole;
use super::reply::{EMPTY, OptionKind, OptionLine};
use crate::board::{ByColor, Komi, OpeningRule, Reserve, Size};
use crate::engine::{HASH_MIB, Level, Permissions, Settings, WeightSet, WeightSetError};
use crate::search::timeman::MOVE_OVERHEAD;

/// Declares the options, in the order in which they are printed: `NAME: kind(default, min, max)`, then the setting. A
/// row may have attributes, such as the feature that it needs.
macro_rules! options {
    ($($(#[$attribute:meta])* $name:ident: $option:expr;)*) => {
        /// The place of an option in [`OPTIONS`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        enum Id { $($(#[$attribute])* $name),* }

        const COUNT: usize = [$($(#[$attribute])* Id::$name),*].len();

        /// All options, in the order in which they are listed.
        pub const OPTIONS: [EngineOption; COUNT] =
            [$($(#[$attribute])* EngineOption { name: stringify!($name), ..$option }),*];
    };
}

options! {
    HalfKomi: spin(0, -20, 20).of(Scope::Rules);
    Opening: combo(&["swap", "no-swap", "double-black"]).of(Scope::Rules);
    Hash: spin(HASH_MIB as i32, 1, 65_536)
        .up_to(|permissions| Some(permissions.hash_mib))
        .sets(|settings, mib, _| settings.hash_mib = mib as usize);
    Threads: spin(1, 1, 256)
        .up_to(|permissions| Some(permissions.threads))
        .sets(|settings, count, _| settings.threads = count as usize);
    Ponder: check().up_to(|_| cfg!(not(target_family = "wasm")).then_some(1));
    MultiPV: spin(1, 1, Settings::MAX_MULTIPV as i32).sets(|settings, lines, _| settings.multipv = lines as usize);
    MoveOverhead: spin(MOVE_OVERHEAD.as_millis() as i32, 0, 5_000)
        .sets(|settings, millis, _| settings.move_overhead = Duration::from_millis(millis as u64));
    Repetitions: spin(3, 0, 10).sets(|settings, count, _| settings.repetitions = count as u32);
    Level: spin(0, 0, Level::MAX as i32).sets(|settings, _, options| settings.level = options.level());
    LimitStrength: check();
    Elo: spin(Level::MAX_ELO, 0, Level::MAX_ELO);
    Seed: spin(0, 0, i32::MAX).sets(|settings, seed, _| settings.seed = seed as u64);
    Flats: stones();
    Caps: caps();
    Flats1: stones();
    Caps1: caps();
    Flats2: stones();
    Caps2: caps();
    Flatstones: stones();
    Capstones: caps();
    WeightsFile: file().sets(|settings, _, options| settings.weights = options.weights.clone());
}

/// An option: a whole number, or one of several words, which are numbered from 0.
#[derive(Debug, Clone, Copy)]
pub struct EngineOption {
    /// As printed; read in any case.
    pub name: &'static str,
    /// The value before it is set.
    pub default: i32,
    /// The smallest value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
    /// The words of the values. Empty if values are numbers; [`EMPTY`] alone if the value is a file.
    pub words: &'static [&'static str],
    scope: Scope,
    /// The largest value within these permissions; `None` without the option.
    limit: fn(&Permissions) -> Option<u32>,
    /// Sets the engine's part.
    apply: fn(&mut Settings, i32, &Options),
}

/// The part of a game that an option changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The engine. It is still the same game.
    Engine,
    /// Komi and opening.
    Rules,
    /// The pieces of the players.
    Reserves,
}

/// By value: 0 is off.
const OFF_ON_WORDS: &[&str] = &["false", "true"];

/// The words of an option that names a file.
const FILE_WORDS: &[&str] = &[EMPTY];

const fn spin(default: i32, min: i32, max: i32) -> EngineOption {
    let (limit, apply) = (|_: &Permissions| Some(u32::MAX), |_: &mut Settings, _, _: &Options| {});
    EngineOption { name: "", default, min, max, words: &[], scope: Scope::Engine, limit, apply }
}

/// One of several words. The first is the default.
const fn combo(words: &'static [&'static str]) -> EngineOption {
    EngineOption { words, ..spin(0, 0, words.len() as i32 - 1) }
}

/// Off by default.
const fn check() -> EngineOption {
    combo(OFF_ON_WORDS)
}

/// A file to read, for those who may name files.
const fn file() -> EngineOption {
    combo(FILE_WORDS).up_to(|permissions| permissions.files.then_some(0))
}

/// Stones in a reserve. 0 is the standard number of the size: no game starts without stones.
const fn stones() -> EngineOption {
    spin(0, 0, Reserve::MAX_STONES as i32).of(Scope::Reserves)
}

/// Capstones in a reserve. -1 is the standard number of the size, since a game may be without them.
const fn caps() -> EngineOption {
    spin(-1, -1, Reserve::MAX_CAPS as i32).of(Scope::Reserves)
}

impl EngineOption {
    const fn of(self, scope: Scope) -> Self {
        Self { scope, ..self }
    }

    const fn up_to(self, limit: fn(&Permissions) -> Option<u32>) -> Self {
        Self { limit, ..self }
    }

    const fn sets(self, apply: fn(&mut Settings, i32, &Options)) -> Self {
        Self { apply, ..self }
    }

    /// A value as the front end writes it.
    pub fn text(&self, value: i32) -> String {
        let word = usize::try_from(value).ok().and_then(|index| self.words.get(index));
        word.map_or_else(|| value.to_string(), ToString::to_string)
    }

    /// The line that names the option to front ends.
    pub fn line(&self) -> OptionLine {
        let kind = match self.words {
            [] => OptionKind::Spin { min: self.min.into(), max: self.max.into() },
            OFF_ON_WORDS => OptionKind::Check,
            FILE_WORDS => OptionKind::Text,
            words => OptionKind::Combo(words.iter().map(ToString::to_string).collect()),
        };
        OptionLine { name: self.name.to_owned(), default: Some(self.text(self.default)), kind }
    }

    /// `None` if the permissions exclude it; its range shrinks to what they allow.
    fn permitted(self, permissions: Permissions) -> Option<Self> {
        let limit = i32::try_from((self.limit)(&permissions)?).unwrap_or(i32::MAX);
        let max = limit.clamp(self.min, self.max);
        Some(Self { max, default: self.default.min(max), ..self })
    }

    fn value(&self, text: &str) -> Result<i32, OptionError> {
        let name = self.name;
        let refuse = |fault: String| OptionError { fault, nearest_reserve: None };
        if !self.words.is_empty() {
            let index = self.words.iter().position(|word| word.eq_ignore_ascii_case(text));
            let words = || refuse(format!("option {name} takes {}, not \"{text:.40}\"", self.words.join(" or ")));
            return index.map(|index| index as i32).ok_or_else(words);
        }
        let number =
            whole(text).ok_or_else(|| refuse(format!("option {name} takes a whole number, not \"{text:.40}\"")))?;
        let (min, max) = (self.min, self.max);
        let nearest = number.clamp(min.into(), max.into());
        if nearest == number {
            return Ok(nearest as i32);
        }
        Err(OptionError {
            fault: format!("option {name} takes {min} to {max}, not {text:.40}"),
            nearest_reserve: Some(nearest as i32).filter(|_| self.scope == Scope::Reserves),
        })
    }
}

/// The button that makes the engine forget its earlier searches.
pub const CLEAR_HASH: &str = "Clear Hash";

/// The lines that name the options to a front end with these permissions.
pub(super) fn lines(permissions: Permissions) -> impl Iterator<Item = OptionLine> {
    let options = OPTIONS.into_iter().filter_map(move |option| option.permitted(permissions));
    #[cfg(feature = "tuning")]
    let options = options.chain(parameters());
    let button = OptionLine { name: CLEAR_HASH.to_owned(), default: None, kind: OptionKind::Button };
    options.map(|option| option.line()).chain([button])
}

/// The parameters of the search, in their order. They hold for the whole process.
#[cfg(feature = "tuning")]
fn parameters() -> impl Iterator<Item = EngineOption> {
    let option = |param: &crate::search::params::Param| EngineOption {
        name: param.name,
        ..spin(param.value, param.min, param.max)
    };
    crate::search::params::PARAMS.iter().map(option)
}

/// Sets the parameter of this name; false if there is none.
#[cfg(feature = "tuning")]
fn set_parameter(name: &str, value: &str) -> Result<bool, OptionError> {
    let found = parameters().enumerate().find(|(_, option)| option.name.eq_ignore_ascii_case(name));
    if let Some((place, option)) = &found {
        crate::search::params::tuning::set(*place, option.value(value)?);
    }
    Ok(found.is_some())
}

/// The reason why an option cannot be set.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{fault}")]
pub(super) struct OptionError {
    fault: String,
    /// The number of pieces nearest to one that is out of range. Front ends send the numbers of a game regardless of
    /// the range, and a move in a game with almost as many pieces is of more use than none.
    pub nearest_reserve: Option<i32>,
}

/// The index in [`OPTIONS`]; case does not matter.
fn find(name: &str) -> Option<usize> {
    OPTIONS.iter().position(|option| option.name.eq_ignore_ascii_case(name))
}

/// The part of a game that the option of this name changes.
pub(super) fn scope(name: &str) -> Scope {
    find(name).map_or(Scope::Engine, |index| OPTIONS[index].scope)
}

/// The values in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Options {
    /// Each is within the range that [`OPTIONS`] gives.
    values: [i32; COUNT],
    /// Read from the file when that is set, so that it may change or go afterwards.
    weights: WeightSet,
    permissions: Permissions,
}

impl Default for Options {
    fn default() -> Self {
        Self::new(Permissions::default())
    }
}

impl Options {
    /// The defaults, for a front end with these permissions.
    pub fn new(permissions: Permissions) -> Self {
        Self {
            values: OPTIONS.map(|option| option.permitted(permissions).unwrap_or(option).default),
            weights: WeightSet::default(),
            permissions,
        }
    }

    /// These options with one of them changed. If it names a file, that is read.
    ///
    /// # Errors
    /// [`OptionError`] if there is no such option or the value is invalid.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, OptionError> {
        #[cfg(feature = "tuning")]
        if set_parameter(name, value)? {
            return Ok(self.clone());
        }
        let permitted = find(name).and_then(|index| Some((index, OPTIONS[index].permitted(self.permissions)?)));
        let refuse = |fault| OptionError { fault, nearest_reserve: None };
        let (index, option) = permitted.ok_or_else(|| refuse(format!("unknown option \"{name:.40}\"")))?;
        let mut changed = self.clone();
        if option.words == FILE_WORDS {
            changed.weights =
                read_weights(value).map_err(|error| refuse(format!("option {}: {error}", option.name)))?;
        } else {
            changed.values[index] = option.value(value)?;
        }
        Ok(changed)
    }

    #[must_use]
    pub fn with_komi(&self, komi: Komi) -> Self {
        let mut changed = self.clone();
        changed.values[Id::HalfKomi as usize] = komi.half();
        changed
    }

    /// These options with the reserves that are standard at every size.
    #[must_use]
    pub fn with_standard_reserves(&self) -> Self {
        let mut changed = self.clone();
        for (value, option) in changed.values.iter_mut().zip(OPTIONS) {
            if option.scope == Scope::Reserves {
                *value = option.default;
            }
        }
        changed
    }

    fn get(&self, id: Id) -> i32 {
        self.values[id as usize]
    }

    /// The part that the engine itself needs.
    pub fn settings(&self) -> Settings {
        let mut settings = Settings::default();
        for (option, value) in OPTIONS.iter().zip(self.values) {
            (option.apply)(&mut settings, value, self);
        }
        settings
    }

    pub fn ponders(&self) -> bool {
        self.get(Id::Ponder) != 0
    }

    /// A level that is set counts before an Elo.
    fn level(&self) -> Option<Level> {
        let is_limited = self.get(Id::LimitStrength) != 0;
        let by_elo = is_limited.then(|| Level::of_elo(self.get(Id::Elo)));
        Level::new(self.get(Id::Level) as u8).or(by_elo)
    }

    /// Komi of the games to come.
    pub fn komi(&self) -> Komi {
        Komi::from_half(self.get(Id::HalfKomi).into()).unwrap_or_default()
    }

    /// The opening rule of the games to come.
    pub fn opening(&self) -> OpeningRule {
        OpeningRule::ALL[self.get(Id::Opening) as usize]
    }

    /// The reserves of the games to come on a board of this size.
    ///
    /// A player's own option comes before the one for both players, and that before its alias. An option at its default
    /// value leaves it to the next. So a front end may send all of them, defaults included.
    pub fn reserves(&self, size: Size) -> ByColor<Reserve> {
        let standard = Reserve::standard(size);
        let first_set = |ids: [Id; 3], standard: u8| {
            let set = |id: &Id| self.get(*id) != OPTIONS[*id as usize].default;
            ids.into_iter().find(set).map_or(standard, |id| self.get(id) as u8)
        };
        let reserve = |own_stones, own_caps| Reserve {
            stones: first_set([own_stones, Id::Flats, Id::Flatstones], standard.stones),
            caps: first_set([own_caps, Id::Caps, Id::Capstones], standard.caps),
        };
        ByColor([reserve(Id::Flats1, Id::Caps1), reserve(Id::Flats2, Id::Caps2)])
    }
}

/// The weights of a file, or those of the engine if none is named.
fn read_weights(path: &str) -> Result<WeightSet, WeightSetError> {
    let weights = WeightSet::default();
    if path.is_empty() || path == EMPTY { Ok(weights) } else { weights.with_file(Path::new(path)) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn numbers_are_accepted_within_their_range_only() {
        for spin in OPTIONS.iter().filter(|option| option.words.is_empty()) {
            let refusal = |value: &str| Options::default().with(spin.name, value).unwrap_err().to_string();
            for value in [spin.min, spin.default, spin.max] {
                assert!(Options::default().with(spin.name, &value.to_string()).is_ok(), "{} {value}", spin.name);
            }
            let range = format!("option {} takes {} to {}, not ", spin.name, spin.min, spin.max);
            for value in [i64::from(spin.min) - 1, i64::from(spin.max) + 1, i64::MIN, i64::MAX] {
                assert_eq!(refusal(&value.to_string()), format!("{range}{value}"));
            }
            let decimal = format!("{}.0", spin.max);
            assert_eq!(
                Options::default().with(spin.name, &decimal),
                Options::default().with(spin.name, &spin.max.to_string())
            );
            assert_eq!(refusal("1e400"), format!("{range}1e400"));
            for value in ["", "-", "x", "1.5", "nan", "1x", "0x10", "١"] {
                assert_eq!(refusal(value), format!("option {} takes a whole number, not \"{value}\"", spin.name));
            }
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
    }

    #[cfg(feature = "tuning")]
    #[test]
    fn parameters_are_accepted_within_their_range_only() {
        use crate::search::params::{PARAMS, tuning};

        assert_eq!(set_parameter("Hash", "1"), Ok(false));
        for param in PARAMS {
            assert!(set_parameter(param.name, &(param.max + 1).to_string()).is_err());
            assert!(set_parameter(param.name, "x").is_err());
        }
        // Set back, since it holds for the other tests of this process too.
        let place = PARAMS.iter().position(|param| param.name == "solve_unlikely").unwrap();
        let usual = PARAMS[place].value;
        assert_eq!(set_parameter("Solve_Unlikely", &(usual + 1).to_string()), Ok(true));
        assert_eq!(tuning::get(place), usual + 1);
        assert_eq!(set_parameter("solve_unlikely", &usual.to_string()), Ok(true));
    }
}
