//! How what is learnt is added to what was known.

/// Adds `bonus` to a value that stays within plus and minus `limit`. The nearer the value is to the limit, the less is added,
/// so that it never passes it (known as gravity, as in Stockfish). The bonus must be within the limit.
#[inline]
pub(super) fn pull(value: &mut i16, bonus: i32, limit: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / limit) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_approached_and_never_passed() {
        for limit in [1000, 8192, 32_000] {
            for bonus in [1, limit / 7, limit] {
                for sign in [1, -1] {
                    let mut value = 0;
                    for _ in 0..3000 {
                        let before = i32::from(value);
                        pull(&mut value, sign * bonus, limit);
                        let after = i32::from(value);
                        assert!(after.abs() <= limit, "{limit} {bonus}");
                        assert!(sign * after >= sign * before, "{limit} {bonus}");
                    }
                    assert!(i32::from(value).abs() > limit / 20, "{limit} {bonus}");
                }
            }
        }
    }
}
