//! Komi: points added to Black's flat count.

use std::fmt;

/// Komi in half points, -20 to 20 (that is -10 to 10 flats).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Komi(i8);

/// Half points outside the range of [`Komi`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("komi of {0} half points is out of range, expected {min} to {max}", min = Komi::MIN_HALF, max = Komi::MAX_HALF)]
pub struct KomiError(pub i64);

impl Komi {
    /// The smallest komi in half points.
    pub const MIN_HALF: i64 = -20;
    /// The largest komi in half points.
    pub const MAX_HALF: i64 = 20;
    /// No komi.
    pub const ZERO: Self = Self(0);

    /// Komi of `half` half points.
    ///
    /// # Errors
    /// [`KomiError`] outside [`Komi::MIN_HALF`]`..=`[`Komi::MAX_HALF`].
    pub const fn from_half(half: i64) -> Result<Self, KomiError> {
        if half < Self::MIN_HALF || half > Self::MAX_HALF {
            return Err(KomiError(half));
        }
        Ok(Self(half as i8))
    }

    /// Half points: 4 is a komi of two flats.
    pub const fn half(self) -> i32 {
        self.0 as i32
    }
}

/// In whole points if possible: `2`, `-1.5`, `0.5`.
impl fmt::Display for Komi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let half = if self.0 % 2 == 0 { "" } else { ".5" };
        write!(f, "{sign}{}{half}", self.0.unsigned_abs() / 2)
    }
}
