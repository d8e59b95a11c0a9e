//! Mistakes in command lines in our own words, in the place of those of clap.

use clap::Error;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::escape::escaped_line;
use crate::notation::excerpt;

/// The mistake in a sentence and the usage, or `None` for the help and the version, which are no mistakes.
pub(super) fn mistake(error: &Error) -> Option<String> {
    if !error.use_stderr() {
        return None;
    }
    let texts = |kind| error.get(kind).map(texts).unwrap_or_default();
    let name = |kind| texts(kind).first().map(|text| plain(text)).unwrap_or_default();
    let argument = name(ContextKind::InvalidArg);
    let value = name(ContextKind::InvalidValue);
    let similar = |kind| match texts(kind).first() {
        Some(similar) => format!(", did you mean {}?", plain(similar)),
        None => String::new(),
    };
    let sentence = match error.kind() {
        ErrorKind::UnknownArgument if argument.starts_with('-') && argument.contains(|c: char| c.is_ascii_digit()) => {
            format!("{argument}: a value cannot be negative here")
        }
        ErrorKind::UnknownArgument if argument.starts_with('-') => {
            format!("unknown option {argument}{}", similar(ContextKind::SuggestedArg))
        }
        ErrorKind::UnknownArgument => format!("{argument:?} is one argument too many"),
        ErrorKind::InvalidSubcommand if !texts(ContextKind::InvalidSubcommand).is_empty() => {
            let command = name(ContextKind::InvalidSubcommand);
            let command = if command.is_empty() { "\"\"".to_owned() } else { command };
            format!("unknown command {command}{}", similar(ContextKind::SuggestedSubcommand))
        }
        ErrorKind::InvalidValue if value.is_empty() => format!("{argument} needs a value"),
        ErrorKind::InvalidValue => {
            let valid = texts(ContextKind::ValidValue).join(", ");
            format!("{argument}: invalid value {value:?}: expected one of {valid}")
        }
        ErrorKind::ValueValidation => {
            let reason = std::error::Error::source(error).map_or_else(String::new, ToString::to_string);
            format!("{argument}: {reason}")
        }
        ErrorKind::TooManyValues => format!("{argument}: {value:?} is one value too many"),
        ErrorKind::TooFewValues | ErrorKind::WrongNumberOfValues => format!("{argument} needs more values"),
        ErrorKind::ArgumentConflict => {
            let others: Vec<String> = texts(ContextKind::PriorArg).iter().map(|text| plain(text)).collect();
            match &others[..] {
                [] => format!("{argument} cannot be used here"),
                [other] if *other == argument => format!("{argument} is given twice"),
                _ => format!("{argument} cannot be used with {}", others.join(", ")),
            }
        }
        ErrorKind::MissingRequiredArgument => {
            let missing: Vec<String> = texts(ContextKind::InvalidArg).iter().map(|text| plain(text)).collect();
            format!("{} is missing", missing.join(", "))
        }
        ErrorKind::InvalidUtf8 => "an argument is not UTF-8".to_owned(),
        // Made here, with a sentence of its own.
        _ => error.to_string().trim_start_matches("error: ").trim_end().to_owned(),
    };
    let sentence = shortened(&sentence);
    let sentence = escaped_line(&sentence);
    let usage = error.get(ContextKind::Usage).map(ToString::to_string).unwrap_or_default();
    let usage = usage.trim_end();
    Some(if usage.is_empty() { format!("error: {sentence}") } else { format!("error: {sentence}\n\n{usage}") })
}

/// The sentence with the beginnings of words that are longer than any meant one.
fn shortened(sentence: &str) -> String {
    let words = sentence.split(' ').map(|word| if word.len() > MAX_WORD_BYTES { excerpt(word) } else { word.into() });
    words.collect::<Vec<_>>().join(" ")
}

const MAX_WORD_BYTES: usize = 300;

fn texts(value: &ContextValue) -> Vec<String> {
    match value {
        ContextValue::None => Vec::new(),
        ContextValue::Strings(texts) => texts.clone(),
        other => vec![other.to_string()],
    }
}

/// `--size` of `--size <N>`; the name alone of `<FILE>`.
fn plain(argument: &str) -> String {
    let option = argument.split_whitespace().next().filter(|word| word.starts_with('-'));
    option.map_or_else(|| argument.trim_matches(['<', '>', '[', ']', '.']).to_owned(), str::to_owned)
}
