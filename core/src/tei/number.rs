//! Numbers as front ends write them. Those in Python, JavaScript or Lua write whole numbers with a point: `1500.0`.

use super::fault::CommandError;
use crate::notation::decimal;

/// Returns whether a word is a number.
pub(super) fn is_number(word: &str) -> bool {
    decimal(word).is_some()
}

/// A number without a fraction, limited to the range of `i64`.
pub(super) fn whole(word: &str) -> Option<i64> {
    let exact = || decimal(word).filter(|value| value.is_infinite() || value.fract() == 0.0).map(|value| value as i64);
    word.parse().ok().or_else(exact)
}

/// A number rounded to a whole one, upwards between 0 and 1, and limited to the range of `i64`.
pub(super) fn rounded(word: &str) -> Option<i64> {
    let nearest = |value: f64| if value > 0.0 && value < 1.0 { 1 } else { value.round() as i64 };
    word.parse().ok().or_else(|| decimal(word).map(nearest))
}

/// The number after the word `what`, read by [`whole`] or [`rounded`], if it is at least `min`.
pub(super) fn number(
    what: &str,
    word: Option<&str>,
    min: i64,
    read: impl Fn(&str) -> Option<i64>,
) -> Result<i64, CommandError> {
    let word = word.ok_or_else(|| CommandError::missing(what))?;
    match read(word) {
        Some(number) if number >= min => Ok(number),
        Some(_) => Err(CommandError::of(format_args!("{what} {word:.40} is out of range, expected at least {min}"))),
        None => Err(CommandError::of(format_args!("{what} takes a whole number, not \"{word:.40}\""))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_or_rounded() {
        for (word, is_whole, number) in [
            ("7", true, 7),
            ("+7", true, 7),
            ("-7", true, -7),
            ("7.0", true, 7),
            ("7.", true, 7),
            ("-7.00", true, -7),
            ("1.5e3", true, 1500),
            ("1E2", true, 100),
            ("0.0", true, 0),
            ("0.4", false, 1),
            ("1e-400", true, 0),
            ("1e-9", false, 1),
            ("-0.4", false, 0),
            ("1.4", false, 1),
            (".5", false, 1),
            ("60000.5", false, 60_001),
            ("9223372036854775807", true, i64::MAX),
            ("99999999999999999999", true, i64::MAX),
            ("-1e400", true, i64::MIN),
        ] {
            assert_eq!((whole(word), rounded(word)), (is_whole.then_some(number), Some(number)), "{word}");
        }
        for word in
            ["", "-", "+", ".", "e", "1e", "nan", "inf", "-inf", "infinity", "x", "1x", "0x10", "1,5", "1_0", "١"]
        {
            assert_eq!((is_number(word), whole(word), rounded(word)), (false, None, None), "{word}");
        }
    }
}
