//! Decimal numbers.

/// The value of a number with or without sign, point and exponent; `None` for other words, also for `nan` and `inf`.
///
/// It is the nearest `f64` for up to 15 digits and 22 places, and at least 1e308 for all above. The reader of the standard
/// library is exact for all numbers, which takes tables of 10 kB.
pub(crate) fn decimal(word: &str) -> Option<f64> {
    let (number, exponent) = match word.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse().ok()?),
        None => (word, 0_i32),
    };
    let unsigned = number.strip_prefix(['+', '-']).unwrap_or(number);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let mut digits = whole.bytes().chain(fraction.bytes()).peekable();
    digits.peek()?;
    let digits =
        digits.try_fold(0.0, |value, digit| digit.is_ascii_digit().then(|| 10.0 * value + f64::from(digit - b'0')))?;
    let places = i32::try_from(fraction.len()).ok()?.saturating_sub(exponent);
    // Negative powers are not exact.
    let value = if places > 0 { digits / 10_f64.powi(places) } else { digits * 10_f64.powi((-places).min(308)) };
    Some(if number.starts_with('-') { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_what_the_standard_library_reads() {
        for sign in ["", "+", "-"] {
            for number in
                ["0", "7", "7.", ".5", "0.1", "12.3", "99.95", "60000.5", "1500.00", "1e2", "1.5E3", "1e-9", "0e400"]
            {
                let word = format!("{sign}{number}");
                assert_eq!(decimal(&word), word.parse().ok(), "{word}");
            }
        }
        for word in
            ["", "-", "+", "--1", ".", "e", "1e", "1e+-2", "nan", "inf", "1x", "0x10", "1,5", "1_0", "1.2.3", "١"]
        {
            assert_eq!(decimal(word), None, "{word}");
        }
    }
}
