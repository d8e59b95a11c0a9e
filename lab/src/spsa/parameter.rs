//! The tuned parameters: the start, the step and the rate of each.

use serde::{Deserialize, Serialize};
use tak_engine::search::params::{PARAMS, Param};

/// The usual rate, for 10,000 pairs of games and more.
pub const DEFAULT_RATE: f64 = 0.002;

/// Parameters of parallel search and of the solver. Games are played by one worker that only searches, so these would drift
/// at random.
const WITHOUT_EFFECT: [&str; 2] = ["shared_", "solve_"];

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// As in [`PARAMS`].
    pub name: String,
    /// The start, within the range; need not be whole.
    pub start: f64,
    /// Added and subtracted in the last iteration; more in those before.
    pub step: f64,
    /// Change per point won in the last iteration, in steps; more in those before.
    pub rate: f64,
    pub min: i32,
    pub max: i32,
}

/// Parameters named by words such as `aspiration`, `aspiration=40,5,0.01` and `futility_*=,20`, in the order of [`PARAMS`];
/// all that have an effect if there are no words. Omitted numbers are the parameter's own value, a twentieth of its range
/// (at least a half, since all are whole), and `rate`. Of two words that name the same parameter the later one counts.
pub fn choose(words: &[String], rate: f64) -> Result<Vec<Tuned>, String> {
    let all = ["*".to_owned()];
    let words = if words.is_empty() { &all } else { words };
    let mut chosen: Vec<Option<Tuned>> = vec![None; PARAMS.len()];
    for word in words {
        let (name, numbers) = word.split_once('=').unwrap_or((word, ""));
        if PARAMS.iter().any(|param| param.name == name) && !has_effect(name) {
            return Err(format!(
                "{name} has no effect in single-threaded games with a node limit, so it cannot be tuned here"
            ));
        }
        let is_named = |param: &Param| match name.strip_suffix('*') {
            Some(start) => param.name.starts_with(start) && has_effect(param.name),
            None => param.name == name,
        };
        let mut named = PARAMS.iter().zip(&mut chosen).filter(|(param, _)| is_named(param)).peekable();
        if named.peek().is_none() {
            let names = PARAMS.iter().map(|param| param.name).filter(|name| has_effect(name));
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(format!("unknown parameter {name:?}; available: {names}"));
        }
        for (param, place) in named {
            *place = Some(Tuned::read(param, numbers, rate)?);
        }
    }
    Ok(chosen.into_iter().flatten().collect())
}

fn has_effect(name: &str) -> bool {
    !WITHOUT_EFFECT.iter().any(|start| name.starts_with(start))
}

/// A number with no more digits after the point than a journal gives back unchanged.
fn number(text: &str) -> Option<f64> {
    const PARTS_OF_ONE: f64 = 1e6;
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    Some((number * PARTS_OF_ONE).round() / PARTS_OF_ONE)
}

impl Tuned {
    /// A parameter with the numbers of a text `START,STEP,RATE`; each may be empty.
    fn read(param: &Param, numbers: &str, rate: f64) -> Result<Self, String> {
        let invalid = || format!("invalid numbers {numbers:?} for {}: expected START,STEP,RATE", param.name);
        let mut given = [None; 3];
        for (place, text) in numbers.split(',').map(str::trim).enumerate() {
            let given = given.get_mut(place).ok_or_else(invalid)?;
            if !text.is_empty() {
                *given = Some(number(text).ok_or_else(invalid)?);
            }
        }
        let range = f64::from(param.max) - f64::from(param.min);
        let tuned = Self {
            name: param.name.to_owned(),
            start: given[0].unwrap_or(param.value.into()),
            step: given[1].unwrap_or((range / 20.0).max(0.5)),
            rate: given[2].unwrap_or(rate),
            min: param.min,
            max: param.max,
        };
        tuned.check()?;
        Ok(tuned)
    }

    /// Checks that the numbers are consistent; they may come from a journal.
    pub fn check(&self) -> Result<(), String> {
        let Self { name, start, step, rate, min, max } = self;
        let most = (f64::from(*max) - f64::from(*min)) / 2.0;
        if !(f64::from(*min)..=f64::from(*max)).contains(start) {
            return Err(format!("invalid start {start} of {name}: expected {min} to {max}"));
        }
        if !(*step > 0.0 && *step <= most) {
            return Err(format!(
                "invalid step {step} of {name}: expected more than 0 and at most half of the range, {most}"
            ));
        }
        if !(*rate > 0.0 && *rate <= 1.0) {
            return Err(format!("invalid rate {rate} of {name}: expected more than 0 and at most 1"));
        }
        Ok(())
    }

    pub fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }

    /// The unit in [`PARAMS`]; empty for a name of another version.
    pub fn unit(&self) -> &'static str {
        PARAMS.iter().find(|param| param.name == self.name).map_or("", |param| param.unit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(words: &[&str]) -> Result<Vec<Tuned>, String> {
        choose(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>(), DEFAULT_RATE)
    }

    #[test]
    fn words_name_parameters_and_their_numbers() {
        let numbers = |words: &[&str]| {
            let all = chosen(words).unwrap().into_iter();
            all.map(|tuned| (tuned.name, tuned.start, tuned.step, tuned.rate)).collect::<Vec<_>>()
        };
        let of = |name: &str, start: Option<f64>, step: f64, rate: f64| {
            let usual = || PARAMS.iter().find(|param| param.name == name).unwrap().value.into();
            (name.to_owned(), start.unwrap_or_else(usual), step, rate)
        };
        assert_eq!(numbers(&["aspiration"]), [of("aspiration", None, 5.5, DEFAULT_RATE)]);
        // Whole numbers do not move by less than a half.
        assert_eq!(numbers(&["null_move_most"]), [of("null_move_most", None, 0.5, DEFAULT_RATE)]);
        // In the order of the table, and the later word counts.
        assert_eq!(
            numbers(&["futility_*=,3", "aspiration=41.5,3,0.01", "futility_base=99"]),
            [
                of("aspiration", Some(41.5), 3.0, 0.01),
                of("futility_depth", None, 3.0, DEFAULT_RATE),
                of("futility_base", Some(99.0), 17.5, DEFAULT_RATE),
                of("futility_margin", None, 3.0, DEFAULT_RATE),
                of("futility_spread", None, 3.0, DEFAULT_RATE),
            ]
        );
        let all = chosen(&[]).unwrap();
        assert_eq!(all.len(), PARAMS.iter().filter(|param| has_effect(param.name)).count());
    }

    #[test]
    fn invalid_words_are_refused_by_name() {
        for (word, expected) in [
            ("aspirations", "unknown parameter \"aspirations\"; available: aspiration, "),
            ("zz*", "unknown parameter \"zz*\""),
            ("", "unknown parameter \"\""),
            ("shared_first", "shared_first has no effect in single-threaded games"),
            ("aspiration=9", "invalid start 9 of aspiration: expected 10 to 120"),
            ("aspiration=x", "invalid numbers \"x\" for aspiration"),
            ("aspiration=nan", "invalid numbers \"nan\" for aspiration"),
            ("aspiration=41,2,1,4", "invalid numbers \"41,2,1,4\" for aspiration: expected START,STEP,RATE"),
            ("aspiration=,0", "invalid step 0 of aspiration"),
            ("aspiration=,56", "invalid step 56 of aspiration: expected more than 0 and at most half of the range, 55"),
            ("aspiration=,,-1", "invalid rate -1 of aspiration: expected more than 0 and at most 1"),
        ] {
            let error = chosen(&[word]).unwrap_err();
            assert!(error.starts_with(expected), "{word}: {error}");
        }
    }
}
