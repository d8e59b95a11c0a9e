//! Settings that are typed as `key=value` words or in TOML.

use std::any::Any;
use std::fmt::Display;
use std::num::{ParseFloatError, ParseIntError};
use std::str::{FromStr, ParseBoolError};

use serde::de::{self, DeserializeOwned};
use serde::{Deserialize, Deserializer};
use toml::{Table, Value};

use crate::files::wording::own_words;
use crate::notation::excerpt;
use crate::number::read_number;

/// Reads `key=value` words as the TOML table that they stand for. A later word replaces an earlier one with the same key,
/// except for `arg=VALUE` and `option.NAME=VALUE`, which become lists. Errors name the owner, such as `--sprt`.
pub fn read_words<T: DeserializeOwned>(owner: &str, words: &[String]) -> Result<T, String> {
    let mut table = Table::new();
    for word in words {
        let pair = word.split_once('=');
        let (key, value) =
            pair.ok_or_else(|| format!("{owner}: invalid setting {:?}: expected key=value", excerpt(word)))?;
        let (key, value, is_one_of_many) = match key.split_once('.') {
            Some((key, name)) => (key, format!("{name}={value}"), true),
            None => (key, value.to_owned(), key == "arg"),
        };
        match table.get_mut(key) {
            Some(Value::Array(values)) if is_one_of_many => values.push(value.into()),
            _ if is_one_of_many => drop(table.insert(key.to_owned(), vec![value].into())),
            _ => drop(table.insert(key.to_owned(), value.into())),
        }
    }
    table.try_into().map_err(|error| format!("{owner}: {}", setting_fault(&error.to_string())))
}

/// The fault that serde names, in our own words. For a setting of earlier versions it names the replacement.
pub fn setting_fault(message: &str) -> String {
    let fault = own_words(message);
    if fault.starts_with("unknown setting `affinity`") {
        return "affinity: write path=taskset arg=-c arg=0,2 arg=PROGRAM to keep an engine to cores".to_owned();
    }
    fault
}

/// A text, a number or a truth value of a TOML file, as it is typed elsewhere.
pub fn text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    match Value::deserialize(from)? {
        Value::String(text) => Ok(text),
        Value::Integer(number) => Ok(number.to_string()),
        // With its point, as in the file.
        Value::Float(number) => Ok(format!("{number:?}")),
        Value::Boolean(flag) => Ok(flag.to_string()),
        value => Err(de::Error::custom(format!("invalid {}: expected a text or a number", value.type_str()))),
    }
}

/// Reads a value whose text means the same as its number.
pub fn typed<'de, D: Deserializer<'de>, T: FromStr<Err: Display + 'static>>(from: D) -> Result<T, D::Error> {
    let text = text(from)?;
    text.parse().map_err(|fault: T::Err| {
        de::Error::custom(match expected(&fault) {
            Some(expected) => format!("invalid value {:?}: expected {expected}", excerpt(&text)),
            None => fault.to_string(),
        })
    })
}

/// The text that was expected, for an error of the standard library. Other errors name it and the invalid text.
fn expected(fault: &dyn Any) -> Option<&'static str> {
    if fault.is::<ParseIntError>() {
        Some("a whole number, 0 or more")
    } else if fault.is::<ParseFloatError>() {
        Some("a number")
    } else if fault.is::<ParseBoolError>() {
        Some("true or false")
    } else {
        None
    }
}

/// The same for a setting that may be missing.
pub fn some<'de, D: Deserializer<'de>, T: FromStr<Err: Display + 'static>>(from: D) -> Result<Option<T>, D::Error> {
    typed(from).map(Some)
}

/// A count that may be missing, such as `10000`, `10k` or `1e4`.
pub fn some_count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
    let text = text(from)?;
    let number = read_number(&text).and_then(|number| u64::try_from(number).ok());
    let invalid = || format!("invalid value {:?}: expected a whole number such as 5, 10k, 2M or 1e6", excerpt(&text));
    number.map(Some).ok_or_else(|| de::Error::custom(invalid()))
}

/// A value that is kept as it is typed.
#[derive(Debug, Clone, Deserialize)]
pub struct Text(#[serde(deserialize_with = "text")] pub String);
