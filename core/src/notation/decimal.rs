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
