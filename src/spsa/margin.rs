//! Which margins are tuned: from where, in what steps, and how fast.

use serde::{Deserialize, Serialize};

use crate::search::params::{PARAMS, Param};

/// The usual rate, for 10,000 pairs of games and more.
pub const DEFAULT_RATE: f64 = 0.002;

/// What only several workers or the solver ask for. Games are played by one worker that only searches, so these would
/// drift at random.
const WITHOUT_EFFECT: [&str; 2] = ["shared_", "solve_"];

/// A margin that is tuned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Tuned {
    /// As in [`PARAMS`].
    pub name: String,
    /// Where it starts, within its range; need not be whole.
    pub start: f64,
    /// What is added and taken off in the last iteration; more in those before.
    pub step: f64,
    /// What a point more than the other side's moves it by in the last iteration, in steps; more in those before.
    pub rate: f64,
    /// The least value.
    pub min: i32,
    /// The largest value.
    pub max: i32,
}

/// A `--margin` that makes no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MarginError {
    /// No such margin.
    #[error("no margin is called {name:?}; there are {}", names())]
    Unknown {
        /// The name given.
        name: String,
    },
    /// It would drift at random.
    #[error("{name} decides nothing in games of one thread by nodes, so they cannot tune it")]
    WithoutEffect {
        /// The name given.
        name: String,
    },
    /// More than three numbers.
    #[error("{word:?} has too many numbers, expected NAME=START,STEP,RATE")]
    TooMany {
        /// The word given.
        word: String,
    },
    /// Not a number.
    #[error("{name}: {text:?} is no number")]
    NoNumber {
        /// The margin.
        name: String,
        /// The text given.
        text: String,
    },
    /// A start outside of the range.
    #[error("{name} goes from {min} to {max}, it cannot start at {start}")]
    Start {
        /// The margin.
        name: String,
        /// Where it was to start.
        start: f64,
        /// The least value.
        min: i32,
        /// The largest value.
        max: i32,
    },
    /// A step of nothing, or one that leads from end to end of the range.
    #[error("{name}: a step must be more than 0 and at most half of the range, {most}, not {step}")]
    Step {
        /// The margin.
        name: String,
        /// The step.
        step: f64,
        /// Half of the range.
        most: f64,
    },
    /// A rate that is no positive number.
    #[error("{name}: a rate must be more than 0 and at most 1, not {rate}")]
    Rate {
        /// The margin.
        name: String,
        /// The rate.
        rate: f64,
    },
}

fn names() -> String {
    let names = PARAMS.iter().map(|margin| margin.name);
    let names: Vec<&str> = names.filter(|name| has_effect(name)).collect();
    names.join(", ")
}

fn has_effect(name: &str) -> bool {
    !WITHOUT_EFFECT.iter().any(|start| name.starts_with(start))
}

/// What words such as `aspiration`, `aspiration=40,5,0.01` and `futility_*=,20` name, in the order of [`PARAMS`]; all
/// that can be tuned if there are no words. Numbers that are left out are the margin's own value, a twentieth of its range
/// (but at least a half, since all are whole), and `rate`. Of two words that name the same margin the later one counts.
///
/// # Errors
/// [`MarginError`] for the first word that makes no sense.
pub fn choose(words: &[String], rate: f64) -> Result<Vec<Tuned>, MarginError> {
    let all = ["*".to_owned()];
    let words = if words.is_empty() { &all } else { words };
    let mut chosen: Vec<Option<Tuned>> = vec![None; PARAMS.len()];
    for word in words {
        let (name, numbers) = word.split_once('=').unwrap_or((word, ""));
        let mut is_any = false;
        for (place, margin) in PARAMS.iter().enumerate() {
            if is_named(margin, name)? {
                is_any = true;
                chosen[place] = Some(tuned(margin, word, numbers, rate)?);
            }
        }
        if !is_any {
            let name = name.to_owned();
            return Err(MarginError::Unknown { name });
        }
    }
    Ok(chosen.into_iter().flatten().collect())
}

/// Whether a name, or the beginning of names with a `*` after it, stands for this margin.
fn is_named(margin: &Param, name: &str) -> Result<bool, MarginError> {
    if let Some(start) = name.strip_suffix('*') {
        return Ok(margin.name.starts_with(start) && has_effect(margin.name));
    }
    if margin.name == name && !has_effect(name) {
        let name = name.to_owned();
        return Err(MarginError::WithoutEffect { name });
    }
    Ok(margin.name == name)
}

fn tuned(margin: &Param, word: &str, numbers: &str, rate: f64) -> Result<Tuned, MarginError> {
    let mut numbers = numbers.split(',').map(|text| match text.trim() {
        "" => Ok(None),
        text => number(text)
            .map(Some)
            .ok_or_else(|| MarginError::NoNumber { name: margin.name.to_owned(), text: text.to_owned() }),
    });
    let mut next = || numbers.next().transpose().map(Option::flatten);
    let (start, step, own_rate) = (next()?, next()?, next()?);
    if numbers.next().is_some() {
        let word = word.to_owned();
        return Err(MarginError::TooMany { word });
    }
    let range = f64::from(margin.max) - f64::from(margin.min);
    let tuned = Tuned {
        name: margin.name.to_owned(),
        start: start.unwrap_or(margin.value.into()),
        step: step.unwrap_or((range / 20.0).max(0.5)),
        rate: own_rate.unwrap_or(rate),
        min: margin.min,
        max: margin.max,
    };
    tuned.check()?;
    Ok(tuned)
}

/// A number with no more digits after the point than a journal gives back unchanged.
fn number(text: &str) -> Option<f64> {
    const PARTS: f64 = 1e6;
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    Some((number * PARTS).round() / PARTS)
}

impl Tuned {
    /// Whether its numbers make sense together.
    ///
    /// # Errors
    /// [`MarginError`] for the one that does not.
    pub fn check(&self) -> Result<(), MarginError> {
        let Self { name, min, max, .. } = self;
        let (name, min, max) = (name.clone(), *min, *max);
        let most = (f64::from(max) - f64::from(min)) / 2.0;
        if !(f64::from(min)..=f64::from(max)).contains(&self.start) {
            let start = self.start;
            return Err(MarginError::Start { name, start, min, max });
        }
        if !(self.step > 0.0 && self.step <= most) {
            let step = self.step;
            return Err(MarginError::Step { name, step, most });
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) {
            let rate = self.rate;
            return Err(MarginError::Rate { name, rate });
        }
        Ok(())
    }

    /// The nearest value that it can have.
    pub fn clamped(&self, value: f64) -> f64 {
        value.clamp(self.min.into(), self.max.into())
    }

    /// What [`PARAMS`] says of it; `None` for a name of another version.
    pub fn margin(&self) -> Option<&'static Param> {
        PARAMS.iter().find(|margin| margin.name == self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(words: &[&str]) -> Result<Vec<Tuned>, MarginError> {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        choose(&words, DEFAULT_RATE)
    }

    fn fault(word: &str) -> String {
        chosen(&[word]).unwrap_err().to_string()
    }

    /// The margin of this name with these numbers.
    fn expected(name: &str, start: f64, step: f64, rate: f64) -> Tuned {
        let margin = PARAMS.iter().find(|margin| margin.name == name).unwrap();
        Tuned { name: name.to_owned(), start, step, rate, min: margin.min, max: margin.max }
    }

    fn value(name: &str) -> f64 {
        let margin = PARAMS.iter().find(|margin| margin.name == name);
        margin.unwrap().value.into()
    }

    #[test]
    fn words_name_margins_and_their_numbers() {
        let name = "aspiration";
        let aspiration = expected(name, value(name), 5.5, DEFAULT_RATE);
        assert_eq!((aspiration.min, aspiration.max), (10, 120));
        assert_eq!(chosen(&[name]).unwrap(), [aspiration]);
        // Whole numbers do not move by less than a half.
        let name = "null_move_most";
        let most = expected(name, value(name), 0.5, DEFAULT_RATE);
        assert_eq!(chosen(&[name]).unwrap(), [most]);
        // In the order of the table, and what comes last counts.
        let found = chosen(&["futility_*=,3", "aspiration=41.5,3,0.01", "futility_base=99"]);
        let of_range = |name| expected(name, value(name), 3.0, DEFAULT_RATE);
        assert_eq!(
            found.unwrap(),
            [
                expected("aspiration", 41.5, 3.0, 0.01),
                of_range("futility_depth"),
                expected("futility_base", 99.0, 17.5, DEFAULT_RATE),
                of_range("futility_margin"),
                of_range("futility_spread"),
            ]
        );
    }

    #[test]
    fn without_words_all_that_matters_is_tuned() {
        let all = chosen(&[]).unwrap();
        let left_out: Vec<&str> = PARAMS
            .iter()
            .map(|margin| margin.name)
            .filter(|name| all.iter().all(|tuned| tuned.name != *name))
            .collect();
        assert!(left_out.iter().all(|name| !has_effect(name)), "{left_out:?}");
        for start in WITHOUT_EFFECT {
            assert!(left_out.iter().any(|name| name.starts_with(start)), "{start}");
        }
        assert!(all.len() > 40 && all.iter().all(|tuned| tuned.margin().is_some()));
    }

    #[test]
    fn nonsense_is_refused_by_name() {
        assert!(fault("aspirations").starts_with("no margin is called \"aspirations\"; there are aspiration, "));
        assert!(fault("zz*").starts_with("no margin is called \"zz*\""));
        assert!(fault("").starts_with("no margin is called \"\""));
        assert_eq!(
            fault("shared_first"),
            "shared_first decides nothing in games of one thread by nodes, so they cannot tune it"
        );
        assert_eq!(fault("aspiration=9"), "aspiration goes from 10 to 120, it cannot start at 9");
        assert_eq!(fault("aspiration=x"), "aspiration: \"x\" is no number");
        assert_eq!(fault("aspiration=nan"), "aspiration: \"nan\" is no number");
        assert_eq!(
            fault("aspiration=,0"),
            "aspiration: a step must be more than 0 and at most half of the range, 55, not 0"
        );
        assert!(fault("aspiration=,56").ends_with("not 56"));
        assert_eq!(fault("aspiration=,,-1"), "aspiration: a rate must be more than 0 and at most 1, not -1");
        assert_eq!(
            fault("aspiration=1,2,3,4"),
            "\"aspiration=1,2,3,4\" has too many numbers, expected NAME=START,STEP,RATE"
        );
    }
}
