//! Whole numbers as they are typed.

/// Reads a number such as `5`, `10k`, `2M`, `1.5k` or `1e6`, the largest `u128` for any beyond it; `None` for what is not a
/// whole number.
pub fn read_number(text: &str) -> Option<u128> {
    let lower = text.to_ascii_lowercase();
    let units = [("k", 3), ("m", 6), ("g", 9)];
    let unit = units.into_iter().find_map(|(unit, zeros)| Some((lower.strip_suffix(unit)?, zeros)));
    let (number, zeros) = unit.unwrap_or((&lower, 0));
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [whole.strip_prefix('+').unwrap_or(whole), fraction].concat();
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let significant = digits.trim_end_matches('0');
    if significant.is_empty() {
        return Some(0);
    }
    // The zeros behind the significant digits.
    let zeros = i64::from(exponent) + zeros + (digits.len() - significant.len()) as i64 - fraction.len() as i64;
    let zeros = u32::try_from(zeros).ok()?;
    let number = significant.parse::<u128>().ok().and_then(|number| number.checked_mul(10_u128.checked_pow(zeros)?));
    Some(number.unwrap_or(u128::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_units_and_exponents() {
        for (text, number) in [
            ("7", 7),
            ("+7", 7),
            ("007.0", 7),
            ("10k", 10_000),
            ("1m", 1_000_000),
            ("1M", 1_000_000),
            ("1e6", 1_000_000),
            ("1E+6", 1_000_000),
            (".5k", 500),
            ("1.5k", 1500),
            ("1500e-2", 15),
            ("1e18", 1_000_000_000_000_000_000),
            ("18446744073709551615", u64::MAX.into()),
            ("18446744073709551615k", u128::from(u64::MAX) * 1000),
            ("1e38", 10_u128.pow(38)),
            ("1e39", u128::MAX),
            (&"9".repeat(99), u128::MAX),
            ("0e99", 0),
        ] {
            assert_eq!(read_number(text), Some(number), "{text}");
        }
        for text in ["", "-1", "1.5", "k", "x", "e5", "1e", ".", "inf", "nan", "1e-1", "1_000", "0x10", " 5", "1+"] {
            assert_eq!(read_number(text), None, "{text}");
        }
    }
}
