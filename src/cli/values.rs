//! Values that several subcommands take from the command line.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::errors::{error_line, usage};
use super::stderr::say_deviations;
use crate::board::{AnyPosition, Color, Komi, OpeningRule, Setup, Size};
use crate::engine::{Level, WeightSet};
use crate::files::text::{are_same, check_replaceable, open_regular, replace};
use crate::notation::{Deviations, excerpt, read_komi, read_setup};
use crate::number::read_number;

/// Whole numbers in a range, such as `5`, `10k`, `2M` or `1e6`.
pub fn number<T>(range: RangeInclusive<u64>) -> impl TypedValueParser<Value = T>
where
    T: TryFrom<u64> + Clone + Send + Sync + 'static,
{
    move |text: &str| {
        let magnitude = text.strip_prefix('-').unwrap_or(text);
        let Some(number) = read_number(magnitude) else {
            return Err(format!("{:?} is not a whole number such as 5, 10k, 2M or 1e6", excerpt(text)));
        };
        let number = if magnitude == text || number == 0 { u64::try_from(number).ok() } else { None };
        let valid = number.filter(|number| range.contains(number)).and_then(|number| T::try_from(number).ok());
        valid.ok_or_else(|| match (range.start(), range.end()) {
            (start, &u64::MAX) if number.is_some() || magnitude != text => {
                format!("{} is out of range, expected {start} or more", excerpt(text))
            }
            (start, end) => format!("{} is out of range, expected {start} to {end}", excerpt(text)),
        })
    }
}

/// The range of a number of threads, or games at once.
pub(super) const THREADS: RangeInclusive<u64> = 1..=1024;

/// Threads, or games at once.
pub fn threads() -> impl TypedValueParser<Value = usize> {
    number(THREADS)
}

/// The size of a transposition table in MiB.
pub fn table_mib() -> impl TypedValueParser<Value = usize> {
    number(1..=1_048_576)
}

pub fn nodes() -> impl TypedValueParser<Value = u64> {
    number(1..=u64::MAX)
}

pub fn depth() -> impl TypedValueParser<Value = u32> {
    number(1..=120)
}

/// Komi in flats.
pub fn komi(text: &str) -> Result<Komi, String> {
    read_komi(text, &mut Deviations::default()).map_err(|error| error.to_string())
}

/// The names of the rules for the first turns, which may be written as in PTN tags and with other signs between words.
pub fn opening() -> impl TypedValueParser<Value = OpeningRule> {
    let names = [
        PossibleValue::new("swap"),
        PossibleValue::new("no-swap").aliases(["noswap", "no swap", "no_swap"]),
        PossibleValue::new("double-black").aliases([
            "doubleblack",
            "double black",
            "double_black",
            "double black stack",
        ]),
    ];
    PossibleValuesParser::new(names).map(|name| match name.to_ascii_lowercase().as_bytes() {
        [b'n', ..] => OpeningRule::NoSwap,
        [b'd', ..] => OpeningRule::DoubleBlack,
        _ => OpeningRule::Swap,
    })
}

/// A position as TPS. Deviations from the standard are accepted with a warning.
pub fn position(text: &str) -> anyhow::Result<Setup> {
    let mut deviations = Deviations::default();
    let setup = read_setup(text, &mut deviations).with_context(|| format!("cannot read {:?}", excerpt(text)))?;
    say_deviations(&deviations, |warning| super::stderr::say(&warning));
    Ok(setup)
}

/// Makes sure that a position of the size that was `found` has the size that is asked for. `says` names it.
pub fn check_size(wanted: Option<Size>, found: Size, says: &str) -> anyhow::Result<()> {
    match wanted {
        Some(wanted) if wanted != found => bail!("--size {wanted} contradicts {says} {found}x{found}"),
        _ => Ok(()),
    }
}

/// The same as the value of an option.
pub fn tps(text: &str) -> Result<Setup, String> {
    position(text).map_err(|error| error_line(&error))
}

/// `3s`, `1.5s`, `200ms`, `2m`, or a bare number of seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    let units = [("ms", 1e-3), ("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let unit = units.into_iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    let (number, unit) = unit.unwrap_or((text, 1.0));
    let shown = excerpt(text);
    let number: f64 = number.trim().parse().map_err(|_| format!("{shown:?} is not a time such as 3s, 200ms or 2m"))?;
    match Duration::try_from_secs_f64(number * unit) {
        Ok(time) if (Duration::from_millis(1)..=Duration::from_secs(86_400)).contains(&time) => Ok(time),
        _ => Err(format!("{shown:?} is out of range, expected 1ms to 24h")),
    }
}

/// A place in a game: a number of plies played, or a turn such as `12w`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// After this number of plies.
    After(usize),
    /// The turn in which this player makes the move with this number.
    Turn(u32, Color),
}

/// `24`, `12w` or `12b`.
pub fn place(text: &str) -> Result<Place, String> {
    let turn = [('w', Color::White), ('b', Color::Black)]
        .into_iter()
        .find_map(|(letter, color)| Some((text.strip_suffix(letter)?, color)));
    let place = match turn {
        Some((number, color)) => number.parse().ok().map(|n| Place::Turn(n, color)),
        None => text.parse().ok().map(Place::After),
    };
    let invalid = || format!("invalid place {:?}: expected plies such as 24, or a turn such as 12w", excerpt(text));
    place.ok_or_else(invalid)
}

impl Place {
    /// The plies before this place in a game that has `moves` plies.
    pub fn plies(self, start: &AnyPosition, moves: usize) -> Result<usize, String> {
        let plies = match self {
            Self::After(plies) => Some(plies),
            Self::Turn(number, color) => {
                let number = (number as usize).checked_sub(1);
                number.map(|before| 2 * before + color.index()).and_then(|ply| ply.checked_sub(start.ply() as usize))
            }
        };
        match (plies.filter(|&plies| plies <= moves), self) {
            (Some(plies), _) => Ok(plies),
            (None, Self::After(plies)) => Err(format!("the game has {moves} plies, there is no ply {plies}")),
            (None, Self::Turn(number, color)) => Err(format!("the game has no move {number} of {color}")),
        }
    }
}

/// The number of a level of strength, 0 for full strength.
pub fn level() -> impl TypedValueParser<Value = u8> {
    number(0..=u64::from(Level::MAX))
}

/// Weights to use in the place of those built in.
#[derive(Debug, Clone, clap::Args)]
pub struct WeightFiles {
    /// Play with the weights of this file, made by tak-lab tune, instead of those built in for its model and size; may be given
    /// for several files
    #[arg(long = "weights", value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl WeightFiles {
    pub fn read(&self) -> anyhow::Result<WeightSet> {
        self.files.iter().try_fold(WeightSet::default(), |models, path| {
            open_regular(path).with_context(|| format!("cannot read {}", path.display()))?;
            Ok(models.with_file(path)?)
        })
    }
}

/// Processors this program may use.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// The file to write to; `None` for stdout, which `-` names too.
pub fn output_file(path: Option<&Path>) -> Option<&Path> {
    path.filter(|path| *path != Path::new("-"))
}

/// Returns whether an output is stdout.
pub fn is_stdout(path: Option<&Path>) -> bool {
    path.is_some() && output_file(path).is_none()
}

/// Makes sure that an output that is read again, or added to, is a file.
pub fn check_is_file(name: &str, path: Option<&Path>) -> anyhow::Result<()> {
    if is_stdout(path) { Err(usage(format_args!("{name} needs a file, and - is stdout"))) } else { Ok(()) }
}

/// Returns whether an output is a device or a pipe, of which the name has no suffix.
pub fn is_device(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

/// Writes a whole output: to a file, or to stdout.
pub fn write_output(path: Option<&Path>, bytes: &[u8], out: &mut dyn Write) -> anyhow::Result<()> {
    match output_file(path) {
        Some(path) => replace(path, bytes).with_context(|| format!("cannot write {}", path.display())),
        None => Ok(out.write_all(bytes)?),
    }
}

/// Makes sure that no file is written over one of `inputs`, nor two of `outputs` over each other.
pub fn check_outputs(inputs: &[&Path], outputs: &[Option<&Path>]) -> anyhow::Result<()> {
    if outputs.iter().filter(|output| is_stdout(**output)).count() > 1 {
        return Err(usage("only one output can be stdout; name a file for each other"));
    }
    let mut taken = inputs.to_vec();
    for output in outputs.iter().filter_map(|output| output_file(*output)) {
        if taken.iter().any(|other| are_same(other, output)) {
            let output = output.display();
            return Err(usage(format_args!("{output} is named twice, and would be overwritten")));
        }
        taken.push(output);
    }
    Ok(())
}

/// Makes sure that a file may and can be written whole at the end of the work. An error is better reported
/// now than after hours.
///
/// # Errors
/// Names the file. Also if it holds something and `overwrite` is false.
pub fn check_writable(path: &Path, overwrite: bool) -> anyhow::Result<()> {
    let Some(path) = output_file(Some(path)) else { return Ok(()) };
    check_replaceable(path, overwrite).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, millis) in [("3", 3000), ("200ms", 200), ("1.5s", 1500), ("2m", 120_000), ("1h", 3_600_000)] {
            assert_eq!(time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for text in ["", "-1s", "0", "25h", "3x", "nan"] {
            assert!(time(text).is_err(), "{text}");
        }
    }
}
